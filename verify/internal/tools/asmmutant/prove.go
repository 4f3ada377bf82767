package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/bloomproof/bloomproof/verify/internal/tools/campaign"
)

// The prover has one of these two results for each mutant.
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

// The method "prove" runs verify/proof/machine on the mutants of proved functions. A mutant that is neither in
// equivalent.txt nor in proofs.txt is killed by the tests. If the prover says that such a mutant is correct, the prover
// is wrong. Then the method returns an error.
func (c *mutation) prove(all, chosen []*mutant) error {
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
	before := c.records
	if c.update(all); !c.write {
		return c.reportProofs(c.out, chosen, before)
	}
	var counts strings.Builder
	reported := c.reportProofs(&counts, all, before)
	if _, err := io.WriteString(c.out, counts.String()); err != nil || reported != nil {
		return cmp.Or(reported, err)
	}
	head := regexp.MustCompile(`\A(#.*\n)*`).FindString(proofsText)
	path := filepath.Join(c.root, "verify", "internal", "tools", "asmmutant", "proofs.txt")
	return os.WriteFile(path, []byte(head+counts.String()+c.records.String()), 0o644)
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
		if err := c.put(m, campaign.Refused, "", ""); err != nil {
			return err
		}
	}
	cmd := exec.Command(prover, "-mutants", u.binary, "-cache", c.cache, fmt.Sprintf("-known=%v", c.known))
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
		if _, err := fmt.Fprintf(in, "%s %[1]s_%d %s\n", m.function.name, u.entry[m], c.records.of(m).claims); err != nil {
			return err
		}
		answer, err := answers.ReadString('\n')
		if err != nil {
			return fmt.Errorf("%v: the prover: %w", m, err)
		}
		if strings.HasPrefix(answer, "open: ") {
			continue
		}
		claims, isProved := strings.CutPrefix(strings.TrimSpace(answer), "proved ")
		if !isProved {
			claims = ""
		}
		why, isRejected := strings.CutPrefix(strings.TrimSpace(answer), "rejected: ")
		o := rejected
		switch {
		case isProved:
			o, why = proved, ""
		case !isRejected:
			return fmt.Errorf("%v: the prover: %s", m, answer)
		}
		if o == proved != c.alike(m) {
			fmt.Fprintf(c.out, "%v: %s", m, answer)
		}
		if err := c.put(m, o, why, claims); err != nil {
			return err
		}
	}
	in.Close()
	return cmd.Wait()
}

// For each assembly file, reportProofs writes how many mutants have each outcome. The argument "before" has the records
// that were in proofs.txt when this run began.
func (c *mutation) reportProofs(out io.Writer, all []*mutant, before proofs) error {
	type counts struct{ killed, missed, equivalent, open, refused int }
	by := map[string]*counts{}
	var files []string
	missed := 0
	for _, m := range all {
		file := filepath.Base(m.source.path)
		if c.outcome(m) == "" {
			continue
		}
		if by[file] == nil {
			by[file] = &counts{}
			files = append(files, file)
		}
		n := by[file]
		listed := campaign.Listed(c.list, m.fields()) != nil || before.of(m).prover != ""
		switch o := c.outcome(m); {
		case o == campaign.Refused:
			n.refused++
		case o == proved && listed:
			n.equivalent++
		case o == proved:
			n.missed++
			missed++
			fmt.Fprintf(out, "PROVED, and the tests kill it: %v\n", m)
		case o == rejected && listed:
			n.open++
		case o == rejected:
			n.killed++
		}
	}
	for _, file := range files {
		n := *by[file]
		fmt.Fprintf(out, "%-30s of those that tests kill: rejected %d, PROVED %d; of those listed as equivalent: proved %d, not proved %d; not assembled %d\n",
			file, n.killed, n.missed, n.equivalent, n.open, n.refused)
	}
	if missed > 0 {
		return fmt.Errorf("%d mutants are proved that the tests kill", missed)
	}
	return nil
}
