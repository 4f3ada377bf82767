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

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/arm64"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/changed"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/follow"
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
	var covers []cover
	for _, c := range p.Covers {
		covers = append(covers, cover{c.What, len(c.Paths), func(i int) string { return c.Paths[i].Script() }})
	}
	return covered(covers)
}

// A cover has n paths. The function "script" returns the script with the conditions of a path.
type cover struct {
	what   string
	n      int
	script func(i int) string
}

// Claims about a path say nothing if its conditions contradict one another. The function "covered" returns an error if
// this is so for all paths of a cover.
func covered(covers []cover) error {
	var session solve.Session
	defer session.Close()
	for _, c := range covers {
		is, err := session.Possible(c.n, c.script)
		if err != nil {
			return fmt.Errorf("%s: %w", c.what, err)
		}
		if !is {
			return fmt.Errorf("%s: no path is possible", c.what)
		}
	}
	return nil
}

// A prover tries to prove the mutants in a program.
type prover struct {
	platform
	now     original         // of the present function
	said    map[string]error // what the solvers said of claims, by their hash
	session solve.Session
}

// The type "platform" reads functions of a program and makes the claims about them.
type platform interface {
	// The method "original" proves the unchanged function with the given name, and returns its claims. The mutants that are
	// made next are mutants of this function.
	original(name string) (claims, error)
	// The method "mutant" makes the claims about the mutant with the given symbol.
	mutant(symbol string) (claims, error)
}

// The type "claims" has claims about a function, in the order of its beginnings. The function "claim" returns the name
// and the script of the claim with the given number. The script is "" if the claim is trivial.
type claims struct {
	n          int
	claim      func(i int) (name, script string)
	beginnings []changed.Beginning
}

// The type "original" describes an unchanged function. Such a function has the number 0 among its mutants. The solvers
// have proved its claims. The last element of "firsts" is their number. Before it there is for each beginning the number
// of the first claim about it.
type original struct {
	name           string
	err            error // why it is not proved
	names, scripts []string
	firsts         []int
}

// The method "all" returns the names and the scripts of the claims about a mutant. The claims about beginnings whose
// paths are those of the original are the original's. Their scripts are not written again.
func (o original) all(c claims) (names, scripts []string) {
	put := func(name, script string) {
		if script != "" {
			names, scripts = append(names, name), append(scripts, script)
		}
	}
	at := 0
	until := func(to int) {
		for ; at < to; at++ {
			put(c.claim(at))
		}
	}
	for i, b := range c.beginnings {
		if until(b.First); b.Same {
			for k := o.firsts[i]; k < o.firsts[i+1]; k++ {
				put(o.names[k], o.scripts[k])
			}
		}
	}
	until(c.n)
	return names, scripts
}

// The function originalOf returns an unchanged function with the given claims.
func originalOf(name string, c claims, err error) original {
	o := original{name: name, err: err}
	if err != nil {
		return o
	}
	for i := range c.n {
		what, script := c.claim(i)
		o.names, o.scripts = append(o.names, what), append(o.scripts, script)
	}
	for _, b := range c.beginnings {
		o.firsts = append(o.firsts, b.First)
	}
	o.firsts = append(o.firsts, c.n)
	return o
}

// The method "try" attempts to prove a mutant of the present function. The argument "symbol" is the mutant's symbol in
// the program. The method returns a short hash of the claims, which is "" if there are none. The argument "earlier" is
// the hash of claims that the solvers decided earlier, and "why" is "" if they proved them, and otherwise the reason why
// not. If both hashes are equal, the solvers are not asked.
func (p *prover) try(symbol, earlier, why string) (hash string, err error) {
	c, err := p.mutant(symbol)
	if err != nil {
		return "", err
	}
	names, scripts := p.now.all(c)
	hash = solve.Hash(scripts)
	said, ok := p.said[hash]
	switch {
	case hash[:shortHash] == earlier && why != "":
		err = errors.New(why)
	case hash[:shortHash] == earlier:
	case ok:
		err = said
	default:
		err = p.session.Refute(names, scripts)
		p.said[hash] = err
	}
	return hash[:shortHash], err
}

// For each mutant, the command prints a hash of the claims about it. The constant shortHash is the number of hexadecimal
// digits of this hash.
const shortHash = 12

// Functions are decoded in groups. The constant "window" is the number of functions in a group.
const window = 100

// The argument "program" is the path of a program. The tool verify/internal/tools/asmmutant has added mutants of
// functions to this program. The function "mutants" tries to prove that these mutants are correct. Each input line names
// a function and one of its mutants. If the solvers decided claims about this mutant earlier, the line also has the hash
// of these claims. The reason follows why they were not proved, if they were not. For each input line, mutants writes a
// line to out. If the mutant is proved, the line has the word "proved" and the hash of the mutant's claims. Otherwise it
// has the word "rejected", the hash, a colon, and the reason why the mutant is not proved. The unchanged function is
// mutant 0. If report.txt says that the claims of mutant 0 were proved, they are not proved again. So a claim about a
// mutant is given to the solvers only if the unchanged function has no such claim. If the argument "known" is true, the
// solvers are not asked at all. A mutant that needs them is then reported as open.
//
// A mutant begins in the same states as the unchanged function, and from each state it takes one of its paths. So it is
// not asked whether its paths are possible.
func mutants(root, program, goarch string, known bool, in io.Reader, out io.Writer) error {
	f, err := object.Open(program, goarch)
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
	p := prover{platform: &amd64{root: root, reader: reader[decode.Instruction]{f: f, decode: decodeAMD64}}, said: map[string]error{}, session: solve.Session{Known: known}}
	if goarch == "arm64" {
		p.platform = &neon{root: root, reader: reader[arm64.Instruction]{f: f, decode: decodeARM64}}
	}
	defer p.session.Close()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		words := append(strings.SplitN(lines.Text(), " ", 4), "", "") // there may be no hash and no reason
		if words[1] == "" {
			return fmt.Errorf("%q is not a function, its mutant and perhaps a hash", lines.Text())
		}
		if p.now.name != words[0] {
			c, err := p.original(words[0])
			p.now = originalOf(words[0], c, err)
		}
		var answer string
		if err := p.now.err; err != nil {
			answer = "not begun: " + err.Error()
		} else if hash, err := p.try(words[1], words[2], words[3]); errors.Is(err, solve.ErrOpen) {
			answer = "open: " + err.Error()
		} else if err != nil {
			answer = "rejected " + hash + ": " + err.Error()
		} else {
			answer = "proved " + hash
		}
		if _, err := fmt.Fprintln(out, strings.ReplaceAll(answer, "\n", " ")); err != nil {
			return err
		}
	}
	return lines.Err()
}

// A reader decodes functions with instructions of type I. Functions are decoded in groups of neighbours in the program.
type reader[I any] struct {
	f      *object.File
	decode func(f *object.File, some []object.Code) ([]text[I], error)
	texts  map[string]text[I] // of a group, by symbol
}

// The type "text" has the instructions of a function, or the error that occurred when it was decoded.
type text[I any] struct {
	code []I
	err  error
}

// The method "read" returns the decoded instructions of the function that has the given symbol in the program.
func (r *reader[I]) read(symbol string) ([]I, error) {
	if _, ok := r.texts[symbol]; !ok {
		some, err := r.f.From(symbol, window)
		if err != nil {
			return nil, err
		}
		all, err := r.decode(r.f, some)
		if err != nil {
			return nil, err
		}
		r.texts = map[string]text[I]{}
		for i, t := range all {
			r.texts[some[i].Name] = t
		}
	}
	t := r.texts[symbol]
	return t.code, t.err
}

// The type "amd64" is the platform amd64.
type amd64 struct {
	reader[decode.Instruction]
	root  string
	name  string // of the present function
	code  []decode.Instruction
	heads []int // the indices of the first instructions of its loops
}

func decodeAMD64(f *object.File, some []object.Code) (out []text[decode.Instruction], err error) {
	var spans []decode.Span
	for _, c := range some {
		spans = append(spans, decode.Span{From: c.Address, N: len(c.Bytes)})
	}
	all, err := decode.Many(f.Path, spans)
	for _, d := range all {
		if d.Err == nil {
			d.Code, d.Err = decode.WithoutCheck(d.Code, f.Name)
		}
		out = append(out, text[decode.Instruction]{d.Code, d.Err})
	}
	return out, err
}

func (a *amd64) original(name string) (c claims, err error) {
	a.name = name
	if a.code, err = a.read(name + "_0"); err != nil {
		return c, err
	}
	a.heads = a.loops()
	return a.claims(check, a.code)
}

// The method "loops" returns the indices of the first instructions of loops.
func (a *amd64) loops() (heads []int) {
	for _, in := range a.code {
		if in.Name[0] != 'j' || in.Args[0].Value > in.Address {
			continue
		}
		h := slices.IndexFunc(a.code, func(to decode.Instruction) bool { return to.Address == in.Args[0].Value })
		if h >= 0 && !slices.Contains(heads, h) {
			heads = append(heads, h)
		}
	}
	return heads
}

func (a *amd64) mutant(symbol string) (c claims, err error) {
	code, err := a.read(symbol)
	if err != nil {
		return c, err
	}
	if code, err = decode.Cuts(a.code, code, a.heads); err != nil {
		return c, err
	}
	return a.claims(func(symbolic.Proof) error { return nil }, code)
}

// The method "claims" returns the claims about code of the present function, or the error that the function "ask"
// returns for them.
func (a *amd64) claims(ask func(symbolic.Proof) error, code []decode.Instruction) (claims, error) {
	p, err := proveWith(ask, a.root, a.name, code, a.f.ReadOnly)
	return claims{len(p.Obligations), func(i int) (name, script string) {
		return p.Obligations[i].What, p.Obligations[i].Script()
	}, p.Beginnings}, err
}

// The type "neon" is the platform arm64.
type neon struct {
	reader[arm64.Instruction]
	root  string
	name  string // of the present function
	code  []arm64.Instruction
	heads []int // the indices of the instructions at which heads are
}

func decodeARM64(f *object.File, some []object.Code) (out []text[arm64.Instruction], err error) {
	var spans []arm64.Span
	for _, c := range some {
		spans = append(spans, arm64.Span{From: c.Address, N: len(c.Bytes)})
	}
	all, err := arm64.Many(f.Path, spans)
	for _, d := range all { // without the zeros to which the assembler extends a function
		for n := len(d.Code); n > 0 && d.Code[n-1].Word == 0; n-- {
			d.Code = d.Code[:n-1]
		}
		out = append(out, text[arm64.Instruction]{d.Code, d.Err})
	}
	return out, err
}

func (a *neon) original(name string) (c claims, err error) {
	a.name = name
	if a.code, err = a.read(name + "_0"); err != nil {
		return c, err
	}
	p, err := claimsARM64(a.root, name, a.code, follow.Link{Data: a.f.ReadOnly, Name: a.f.Name})
	if err != nil {
		return c, err
	}
	// The mutants have no PCALIGN, so places that the invariants name by an offset are elsewhere.
	if _, scripts := asked(p); !solve.Known[solve.Hash(scripts)] {
		return c, fmt.Errorf("report.txt has other claims about %s than those about the program of mutants", name)
	}
	a.heads = headsOf(p, a.code)
	return claimsOf(p), err
}

// The function headsOf returns the indices of the instructions at which the heads of a proof are.
func headsOf(p follow.Proof, code []arm64.Instruction) (heads []int) {
	for _, at := range p.Heads {
		heads = append(heads, int(at-code[0].Address)/4)
	}
	return heads
}

func (a *neon) mutant(symbol string) (c claims, err error) {
	code, err := a.read(symbol)
	if err != nil {
		return c, err
	}
	if code, err = arm64.Cuts(a.code, code, a.heads); err != nil {
		return c, err
	}
	p, err := claimsARM64(a.root, a.name, code, follow.Link{Data: a.f.ReadOnly, Name: a.f.Name})
	return claimsOf(p), err
}

func claimsOf(p follow.Proof) claims {
	return claims{len(p.Obligations), func(i int) (name, script string) {
		if o := p.Obligations[i]; !o.Claim.Is(1) {
			return o.What, o.Script()
		}
		return "", ""
	}, p.Beginnings}
}
