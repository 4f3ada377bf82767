package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/object"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/solve"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/symbolic"
)

// The function "check" asks the solvers to prove the claims of p. It leaves out claims that the solvers have proved
// before. Then it asks whether the paths are possible that the claims are about. It does not ask if the report has the
// same claims as proved: their scripts contain the conditions of the paths, and these were possible when the row was
// written.
func check(p symbolic.Proof) error {
	names, scripts := p.Scripts()
	if err := solve.All(names, scripts); err != nil || solve.Known[solve.Hash(scripts)] {
		return err
	}
	return covered(p)
}

// Claims about a path say nothing if its conditions contradict one another. The function "covered" returns an error if
// this is so for all paths of a cover of p.
func covered(p symbolic.Proof) error {
	var session solve.Session
	defer session.Close()
	for _, c := range p.Covers {
		is, err := session.Possible(len(c.Paths), func(i int) string { return c.Paths[i].Script() })
		if err != nil {
			return fmt.Errorf("%s: %w", c.What, err)
		}
		if !is {
			return fmt.Errorf("%s: no path is possible", c.What)
		}
	}
	return nil
}

// A prover tries to prove the mutants in a program.
type prover struct {
	root    string
	f       *object.File
	decoded map[string]decode.Decoded // a window of functions that are neighbours in the program
	begun   map[string]original
	session solve.Session
}

// The type "original" describes an unchanged function. Such a function has the number 0 among its mutants.
type original struct {
	code  []decode.Instruction
	heads []int // the indices of the first instructions of its loops
	err   error // why it is not proved
}

// Functions are decoded in groups. The constant "window" is the number of functions in a group.
const window = 100

// The method "code" returns the decoded instructions of the function that has the given symbol in the program.
func (p *prover) code(symbol string) ([]decode.Instruction, error) {
	d, ok := p.decoded[symbol]
	if ok {
		return d.Code, d.Err
	}
	neighbours, err := p.f.From(symbol, window)
	if err != nil {
		return nil, err
	}
	spans := make([]decode.Span, len(neighbours))
	for i, c := range neighbours {
		spans[i] = decode.Span{From: c.Address, N: len(c.Bytes)}
	}
	all, err := decode.Many(p.f.Path, spans)
	if err != nil {
		return nil, err
	}
	p.decoded = map[string]decode.Decoded{}
	for i, d := range all {
		if d.Err == nil {
			d.Code, d.Err = decode.WithoutCheck(d.Code, p.f.Name)
		}
		p.decoded[neighbours[i].Name] = d
	}
	d = p.decoded[symbol]
	return d.Code, d.Err
}

// The method "begin" proves the unchanged function with the given name, and finds its loops.
func (p *prover) begin(name string) (o original) {
	if o.code, o.err = p.code(name + "_0"); o.err != nil {
		return o
	}
	for _, in := range o.code {
		if in.Name[0] != 'j' || in.Args[0].Value > in.Address {
			continue
		}
		h := slices.IndexFunc(o.code, func(to decode.Instruction) bool { return to.Address == in.Args[0].Value })
		if h >= 0 && !slices.Contains(o.heads, h) {
			o.heads = append(o.heads, h)
		}
	}
	_, o.err = proveWith(check, p.root, name, o.code, p.f.ReadOnly)
	return o
}

// The argument "name" is the name of a function. The method "try" attempts to prove a mutant of this function. The
// argument "symbol" is the mutant's symbol in the program. The method returns a short hash of the claims. The argument
// "earlier" is the hash of claims that were proved earlier. If both hashes are equal, the solvers are not asked.
func (p *prover) try(name, symbol, earlier string) (claims string, err error) {
	o := p.begun[name]
	code, err := p.code(symbol)
	if err != nil {
		return "", err
	}
	if code, err = decode.Cuts(o.code, code, o.heads); err != nil {
		return "", err
	}
	_, err = proveWith(func(proof symbolic.Proof) error {
		names, scripts := proof.Scripts()
		if claims = solve.Hash(scripts)[:shortHash]; claims == earlier {
			return nil
		}
		return p.session.Refute(names, scripts)
	}, p.root, name, code, p.f.ReadOnly)
	return claims, err
}

// For each proved mutant, the command prints a hash of the claims about the mutant. The constant shortHash is the
// number of hexadecimal digits of this hash.
const shortHash = 12

// The argument "program" is the path of a program. The tool verify/internal/tools/asmmutant has added mutants of
// functions to this program. The function "mutants" tries to prove that these mutants are correct. Each input line
// names a function and one of its mutants. If claims about this mutant were proved earlier, the line may also have the
// hash of these claims. For each input line, mutants writes a line to out. If the mutant is proved, the line has the
// word "proved" and the hash of the mutant's claims. Otherwise it has the reason why the mutant is not proved. The
// unchanged function is mutant 0. If report.txt says that the claims of mutant 0 were proved, they are not proved
// again. So a claim about a mutant is given to the solvers only if the unchanged function has no such claim. If the
// argument "known" is true, the solvers are not asked at all. A mutant that needs them is then reported as open.
func mutants(root, program string, known bool, in io.Reader, out io.Writer) error {
	f, err := object.Open(program, "amd64")
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(root, reportFile))
	if err != nil {
		return err
	}
	rows, err := parseReport(string(text))
	if err != nil {
		return err
	}
	for _, r := range rows {
		solve.Known[r.claims] = r.claims != ""
	}
	p := prover{root: root, f: f, begun: map[string]original{}, session: solve.Session{Known: known}}
	defer p.session.Close()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		words := append(strings.Fields(lines.Text()), "") // there may be no hash
		if len(words) < 3 || len(words) > 4 {
			return fmt.Errorf("%q is not a function, its mutant and perhaps a hash", lines.Text())
		}
		name, symbol, earlier := words[0], words[1], words[2]
		if _, ok := p.begun[name]; !ok {
			p.begun[name] = p.begin(name)
		}
		var answer string
		if err := p.begun[name].err; err != nil {
			answer = "not begun: " + err.Error()
		} else if claims, err := p.try(name, symbol, earlier); errors.Is(err, solve.ErrOpen) {
			answer = "open: " + err.Error()
		} else if err != nil {
			answer = "rejected: " + err.Error()
		} else {
			answer = "proved " + claims
		}
		if _, err := fmt.Fprintln(out, strings.ReplaceAll(answer, "\n", " ")); err != nil {
			return err
		}
	}
	return lines.Err()
}
