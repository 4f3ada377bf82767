package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/object"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/solve"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/symbolic"
)

// check runs the solvers on claims that they have not proved before.
func check(p symbolic.Proof) error { return solve.All(p.Scripts()) }

// checkFast does the same as check, but gives up early. It is for claims that probably cannot be proved.
func checkFast(p symbolic.Proof) error {
	names, scripts := p.Scripts()
	return solve.OneByOne(names, scripts, mutantSeconds)
}

// mutantSeconds is the time limit of a solver for one obligation of a mutant. The obligations of the functions
// themselves take less than 3 s of processor time.
const mutantSeconds = 20

// mutants tries to prove functions of a program to which verify/internal/tools/asmmutant has added mutants. Each line
// of in names a function and one of its mutants. For each of these, the result is a line: "proved", or the reason why
// not. The function itself is its mutant 0.
func mutants(root, program string, in io.Reader, out io.Writer) error {
	f, err := object.Open(program, "amd64")
	if err != nil {
		return err
	}
	try := func(name, symbol string, ask func(symbolic.Proof) error) error {
		c, err := f.Function(symbol)
		if err != nil {
			return err
		}
		code, err := decode.Both(f.Path, c.Address, len(c.Bytes))
		if err != nil {
			return err
		}
		_, err = proveWith(ask, root, name, code, f.ReadOnly)
		return err
	}
	begun := map[string]error{}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		name, symbol, ok := strings.Cut(lines.Text(), " ")
		if !ok {
			return fmt.Errorf("%q is not a function and its mutant", lines.Text())
		}
		if _, ok := begun[name]; !ok {
			begun[name] = try(name, name+"_0", check)
		}
		answer := "proved"
		if err := begun[name]; err != nil {
			answer = "not begun: " + err.Error()
		} else if err := try(name, symbol, checkFast); err != nil {
			answer = "rejected: " + err.Error()
		}
		if _, err := fmt.Fprintln(out, strings.ReplaceAll(answer, "\n", " ")); err != nil {
			return err
		}
	}
	return lines.Err()
}
