package main

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/bloomproof/bloomproof/verify/internal/tools/campaign"
)

// These are the results that the prover can have for a mutant, as outcomes.
const (
	proved   campaign.Outcome = "proved"
	rejected campaign.Outcome = "rejected" // refuted, not decided in time, or a claim that cannot be made
)

var provedRow = regexp.MustCompile(`(?m)^(\w+) \| amd64 \| .* \| proved by `)

// provedFunctions returns the amd64 functions that verify/proof/machine has proved.
func provedFunctions(root string) (map[string]bool, error) {
	text, err := os.ReadFile(filepath.Join(root, "verify", "proof", "machine", "report.txt"))
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for _, m := range provedRow.FindAllStringSubmatch(string(text), -1) {
		out[m[1]] = true
	}
	return out, nil
}

// hashProver returns a hash of the prover and of the invariants of a family.
func hashProver(root, family string) (string, error) {
	h := sha256.New()
	for _, pattern := range []string{"verify/proof/machine/*.go", "verify/proof/machine/internal/*/*.go", "verify/proof/machine/internal/*/*.txt", "kernel/asm/" + family + "_*.inv"} {
		paths, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			return "", err
		}
		for _, p := range paths {
			if strings.HasSuffix(p, "_test.go") {
				continue
			}
			text, err := os.ReadFile(p)
			if err != nil {
				return "", err
			}
			fmt.Fprintln(h, filepath.Base(p), len(text))
			h.Write(text)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

// prove runs verify/proof/machine on the mutants of proved functions. It returns an error if it proves a mutant that
// equivalent.txt does not list. The tests kill such a mutant, so the proof must be wrong.
func (c *mutation) prove(chosen []*mutant) error {
	dir, err := os.MkdirTemp("", "asmmutant")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	prover := filepath.Join(dir, "machine")
	cmd := exec.Command("go", "build", "-o", prover, "./verify/proof/machine")
	cmd.Dir = c.root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	var todo []*mutant
	for _, m := range chosen {
		if c.outcome(m) == "" {
			todo = append(todo, m)
		}
	}
	for i, group := range c.groups(todo) {
		if err := c.proveGroup(filepath.Join(dir, fmt.Sprint(i)), prover, group); err != nil {
			return err
		}
	}
	return c.reportProofs(chosen)
}

func (c *mutation) proveGroup(dir, prover string, group []*mutant) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	u, err := build(c.root, dir, "amd64", group)
	if err != nil {
		return err
	}
	for _, m := range u.refused {
		if err := c.put(m, campaign.Refused, ""); err != nil {
			return err
		}
	}
	cmd := exec.Command(prover, "-mutants", u.binary, "-cache", c.cache)
	cmd.Dir, cmd.Stderr = c.root, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	answers := bufio.NewReader(out)
	for _, m := range u.mutants {
		if _, err := fmt.Fprintf(in, "%s %[1]s_%d\n", m.function.name, u.entry[m]); err != nil {
			return err
		}
		answer, err := answers.ReadString('\n')
		if err != nil {
			return fmt.Errorf("%v: the prover: %w", m, err)
		}
		why, isRejected := strings.CutPrefix(strings.TrimSpace(answer), "rejected: ")
		o := rejected
		switch {
		case answer == "proved\n":
			o, why = proved, ""
		case !isRejected:
			return fmt.Errorf("%v: the prover: %s", m, answer)
		}
		if o == proved != (campaign.Listed(c.list, m.fields()) != nil) {
			fmt.Fprintf(c.out, "%v: %s", m, answer)
		}
		if err := c.put(m, o, why); err != nil {
			return err
		}
	}
	in.Close()
	return cmd.Wait()
}

// reportProofs prints, for each file, how many mutants the prover proved and how many it rejected.
func (c *mutation) reportProofs(all []*mutant) error {
	type counts struct{ killed, missed, equivalent, open, refused int }
	by := map[string]*counts{}
	var files []string
	missed := 0
	for _, m := range all {
		file := filepath.Base(m.source.path)
		if by[file] == nil {
			by[file] = &counts{}
			files = append(files, file)
		}
		n := by[file]
		listed := campaign.Listed(c.list, m.fields()) != nil
		switch o := c.outcome(m); {
		case o == campaign.Refused:
			n.refused++
		case o == proved && listed:
			n.equivalent++
		case o == proved:
			n.missed++
			missed++
			fmt.Fprintf(c.out, "PROVED, and the tests kill it: %v\n", m)
		case o == rejected && listed:
			n.open++
		case o == rejected:
			n.killed++
		}
	}
	for _, file := range files {
		n := *by[file]
		fmt.Fprintf(c.out, "%-30s of those that tests kill: rejected %d, PROVED %d; of those listed as equivalent: proved %d, not proved %d; not assembled %d\n",
			file, n.killed, n.missed, n.equivalent, n.open, n.refused)
	}
	if missed > 0 {
		return fmt.Errorf("%d mutants are proved that the tests kill", missed)
	}
	return nil
}
