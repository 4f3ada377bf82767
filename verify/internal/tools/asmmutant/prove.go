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
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof/verify/internal/tools/campaign"
)

// The prover has one of these two results for each mutant.
const (
	proved   campaign.Outcome = "proved"
	rejected campaign.Outcome = "rejected" // refuted, not decided in time, or a claim that cannot be made
)

var provedRow = regexp.MustCompile(`(?m)^(\w+) \| (\w+) \| .* \| proved by `)

// provedFunctions returns the functions that verify/proof/machine has proved. No two platforms have a function with the
// same name.
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
	for _, r := range c.record.All() {
		if f := strings.Fields(r.Key); len(f) == 3 {
			c.decided[f[1]+" "+f[2]] = r
		}
	}
	var todo []*mutant
	for _, m := range chosen {
		if c.outcome(m) == "" && !(c.known && c.earlier(m).Mutant == "") {
			todo = append(todo, m)
		}
	}
	if err := c.proveAll(todo); err != nil {
		return err
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

// The method proveAll builds the prover and runs it on the mutants.
func (c *mutation) proveAll(todo []*mutant) error {
	if len(todo) == 0 {
		return nil
	}
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
	slices.SortFunc(todo, func(a, b *mutant) int { // the prover reads and proves each function once
		return cmp.Or(strings.Compare(a.source.path, b.source.path), strings.Compare(a.function.name, b.function.name), a.at-b.at)
	})
	groups := c.groups(todo)
	if len(groups) < c.workers {
		todo, groups = slices.Concat(groups...), nil
		for some := range slices.Chunk(todo, len(todo)/c.workers+1) {
			groups = append(groups, c.groups(some)...)
		}
	}
	numbers := make([]int, len(groups))
	for i := range numbers {
		numbers[i] = i
	}
	return campaign.Each(c.workers, numbers, func(i int) error {
		return c.proveGroup(filepath.Join(dir, fmt.Sprint(i)), prover, groups[i])
	})
}

func (c *mutation) proveGroup(dir, prover string, group []*mutant) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	goarch := group[0].source.goarch
	u, err := build(c.root, dir, goarch, group)
	if err != nil {
		return err
	}
	for _, m := range u.refused {
		if err := c.put(m, campaign.Refused, "", ""); err != nil {
			return err
		}
	}
	cmd := exec.Command(prover, "-mutants", u.binary, "-arch", goarch, "-cache", c.cache, fmt.Sprintf("-known=%v", c.known))
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
	said := map[*function]bool{}
	for _, m := range u.mutants {
		earlier := c.earlier(m)
		if _, err := fmt.Fprintf(in, "%s %[1]s_%d %s %s\n", m.function.name, u.entry[m], earlier.Claims, earlier.Why); err != nil {
			return err
		}
		answer, err := answers.ReadString('\n')
		if err != nil {
			return fmt.Errorf("%v: the prover: %w", m, err)
		}
		if strings.HasPrefix(answer, "open: ") {
			continue
		}
		if strings.HasPrefix(answer, "not begun: ") { // of none of its mutants there is a result
			if !said[m.function] {
				said[m.function] = true
				c.mu.Lock()
				fmt.Fprintf(c.out, "%s: %s", m.function.name, answer)
				c.mu.Unlock()
			}
			continue
		}
		claims, isProved := strings.CutPrefix(strings.TrimSpace(answer), "proved ")
		why := ""
		of, isRejected := strings.CutPrefix(strings.TrimSpace(answer), "rejected ")
		if isRejected {
			claims, why, _ = strings.Cut(of, ": ")
		}
		o := rejected
		switch {
		case isProved:
			o = proved
		case !isRejected:
			return fmt.Errorf("%v: the prover: %s", m, answer)
		}
		if o == proved != c.alike(m) {
			c.mu.Lock()
			fmt.Fprintf(c.out, "%v: %s", m, answer)
			c.mu.Unlock()
		}
		if err := c.put(m, o, why, claims); err != nil {
			return err
		}
	}
	in.Close()
	return cmd.Wait()
}

// The method "earlier" returns the latest result of another prover for a mutant. The solvers need not decide the same
// claims again. If there is no result, but a record in proofs.txt, the method returns the record as a result. If there
// is neither, the field Mutant is "".
func (c *mutation) earlier(m *mutant) result {
	r, ok := c.decided[m.function.name+" "+m.hash()]
	if of := c.records.of(m); !ok && of.prover != "" {
		r = result{Outcome: proved, Mutant: m.String(), Claims: of.claims}
	}
	return r
}

// For each assembly file, reportProofs writes how many mutants have each outcome. For some mutants the prover can make no
// claims, for example because it does not know an instruction. The argument "before" has the records
// that were in proofs.txt when this run began.
func (c *mutation) reportProofs(out io.Writer, all []*mutant, before proofs) error {
	type counts struct{ killed, missed, equivalent, open, refused, unclear, unclearOpen int } // unclear: there are no claims
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
		unclear := 0
		if r, _ := c.record.Get(c.key(m)); r.Claims == "" {
			unclear = 1
		}
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
			n.unclearOpen += unclear
		case o == rejected:
			n.killed++
			n.unclear += unclear
		}
	}
	for _, file := range files {
		n := *by[file]
		fmt.Fprintf(out, "%-30s of those that tests kill: rejected %d (%d without claims), PROVED %d; of those listed as equivalent: proved %d, not proved %d (%d without claims); not assembled %d\n",
			file, n.killed, n.unclear, n.missed, n.equivalent, n.open, n.unclearOpen, n.refused)
	}
	if missed > 0 {
		return fmt.Errorf("%d mutants are proved that the tests kill", missed)
	}
	return nil
}
