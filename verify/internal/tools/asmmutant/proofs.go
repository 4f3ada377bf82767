package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed proofs.txt
var proofsText string

// The type "proofs" has the mutants that the prover has proved. For each function it has a map from the hash of a
// mutant to the record of the mutant's proof.
type proofs map[string]map[string]proof

// The type "proof" is a record in proofs.txt of one proved mutant. The field "claims" is a hash of what the solvers
// have proved about the mutant. It is "" in records that an earlier version of this tool wrote.
type proof struct{ prover, claims string }

// readProofs reads the records of proofs.txt. A record is a line with three parts, which bars separate: the function,
// the prover and the mutants. A mutant is written as its hash. A colon and a second hash can follow. The second hash is
// that of the claims about the mutant. Lines without bars are for human readers.
func readProofs(text string) (proofs, error) {
	p := proofs{}
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSpace(line), " | ")
		if strings.HasPrefix(line, "#") || !strings.Contains(line, "|") {
			continue
		}
		if len(f) != 3 {
			return nil, fmt.Errorf("proofs.txt: %q has not three columns", line)
		}
		for _, word := range strings.Fields(f[2]) {
			mutant, claims, _ := strings.Cut(word, ":")
			p.put(f[0], mutant, proof{f[1], claims})
		}
	}
	return p, nil
}

func (p proofs) put(function, mutant string, of proof) {
	if p[function] == nil {
		p[function] = map[string]proof{}
	}
	p[function][mutant] = of
}

// String returns the records in the format of the file proofs.txt.
func (p proofs) String() string {
	const perLine = 4
	var b strings.Builder
	for _, function := range slices.Sorted(maps.Keys(p)) {
		by := map[string][]string{}
		for _, mutant := range slices.Sorted(maps.Keys(p[function])) {
			of, word := p[function][mutant], mutant
			if of.claims != "" {
				word += ":" + of.claims
			}
			by[of.prover] = append(by[of.prover], word)
		}
		for _, prover := range slices.Sorted(maps.Keys(by)) {
			for some := range slices.Chunk(by[prover], perLine) {
				fmt.Fprintf(&b, "%s | %s | %s\n", function, prover, strings.Join(some, " "))
			}
		}
	}
	return b.String()
}

// The method "of" returns the record of the mutant m. If there is no record, the field "prover" of the result is "".
func (p proofs) of(m *mutant) proof {
	if of := p[m.function.name]; of != nil {
		return of[m.hash()]
	}
	return proof{}
}

// The method "hash" returns a hash of the function, of its data and of the change.
func (m *mutant) hash() string {
	if m.function.text == "" {
		original := mutant{source: m.source, function: m.function, at: -1}
		var b strings.Builder
		original.write(&b)
		m.function.text = fmt.Sprintf("%x", sha256.Sum256([]byte(b.String())))
	}
	h := sha256.Sum256([]byte(fmt.Sprintln(m.function.text, m.at, m.data, m.now)))
	return short(h[:])
}

// The function "short" returns the first six bytes of a hash in hexadecimal, as they are written in proofs.txt.
func short(hash []byte) string { return fmt.Sprintf("%x", hash[:6]) }

// For each platform, the map "foreign" has the folders and files of the prover that make no claims for it. Package solve
// makes none for any platform: it says how the solvers are asked. If only this package has changed, the claims about a
// mutant are the same, and the solvers have decided them.
var foreign = map[string][]string{
	"amd64": {"solve", "arm64", "follow", "silicon", "arm64.go"},
	"arm64": {"solve", "decode", "semantics", "symbolic", "simulate", "silicon"},
}

// hashProver returns a hash of the part of the prover that makes the claims for the platform of an assembly file, and of
// the invariants of the file. The prover's comments do not change this hash.
func hashProver(root, path string) (string, error) {
	h := sha256.New()
	goarch := path[strings.LastIndex(path, "_")+1 : len(path)-len(".s")]
	machine := filepath.Join(root, "verify", "proof", "machine")
	paths := []string{strings.TrimSuffix(path, ".s") + ".inv"}
	for _, pattern := range []string{"*.go", "internal/*/*.go", "internal/*/*.txt"} {
		found, err := filepath.Glob(filepath.Join(machine, filepath.FromSlash(pattern)))
		if err != nil {
			return "", err
		}
		paths = append(paths, found...)
	}
	for _, p := range paths {
		not := foreign[goarch]
		if strings.HasSuffix(p, "_test.go") || slices.Contains(not, filepath.Base(filepath.Dir(p))) || slices.Contains(not, filepath.Base(p)) {
			continue
		}
		text, err := os.ReadFile(p)
		if os.IsNotExist(err) && strings.HasSuffix(p, ".inv") {
			continue // a function without loops
		}
		if err != nil {
			return "", err
		}
		if strings.HasSuffix(p, ".go") {
			text = withoutComments(text)
		}
		fmt.Fprintln(h, filepath.Base(p), len(text))
		h.Write(text)
	}
	return short(h.Sum(nil)), nil
}

// withoutComments returns the tokens of Go source without comments, one token on each line. A comment of the prover
// does not change its answers.
func withoutComments(source []byte) []byte {
	var out bytes.Buffer
	var sc scanner.Scanner
	sc.Init(token.NewFileSet().AddFile("", -1, len(source)), source, nil, 0)
	for {
		_, tok, lit := sc.Scan()
		if tok == token.EOF {
			return out.Bytes()
		}
		fmt.Fprintln(&out, tok, lit)
	}
}

// The method "update" changes the records of mutants for which the prover has a result. It deletes the records of
// mutants that no longer exist.
func (c *mutation) update(all []*mutant) {
	now := proofs{}
	for _, m := range all {
		r, _ := c.record.Get(c.key(m))
		switch {
		case r.Outcome == proved:
			now.put(m.function.name, m.hash(), proof{c.tests[m.source.path], r.Claims})
		case r.Outcome == "" && c.records.of(m).prover != "":
			now.put(m.function.name, m.hash(), c.records.of(m))
		}
	}
	c.records = now
}
