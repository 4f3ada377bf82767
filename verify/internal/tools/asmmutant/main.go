package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/bloomproof/bloomproof/verify/internal/tools/campaign"
	"github.com/bloomproof/bloomproof/verify/selftest"
)

// The type "selection" has the options that select mutants.
type selection struct {
	family, impl, function string // "" for all
	equivalent             bool   // only those that equivalent.txt lists or proofs.txt has
	shard                  campaign.Shard
	sample                 int // the size of a random sample; 0 for all
	each                   int // the size of a random sample of each function; 0 for all
	seed                   uint64
}

func main() {
	var sel selection
	flag.StringVar(&sel.family, "family", "", "only files whose names begin with this, such as popcount")
	flag.StringVar(&sel.impl, "impl", "", "only one implementation, such as avx2")
	flag.StringVar(&sel.function, "func", "", "only one function, such as CountAVX2")
	flag.BoolVar(&sel.equivalent, "equivalent", false, "only those that equivalent.txt lists or proofs.txt has")
	sel.shard = campaign.Shard{I: 1, N: 1}
	flag.Var(&sel.shard, "shard", "i/n: only the i-th of n parts")
	flag.IntVar(&sel.sample, "sample", 0, "only this many mutants, chosen at random; 0 for all")
	flag.IntVar(&sel.each, "each", 0, "only this many mutants of each function, chosen at random; 0 for all")
	flag.Uint64Var(&sel.seed, "seed", 1, "seed of -sample and -each")
	resume := flag.String("resume", "", "file of results: what it holds already is not run again, what is run is added")
	prove := flag.Bool("prove", false, "prove mutants of the functions that verify/proof/machine has proved, in place of running them")
	known := flag.Bool("known", false, "for -prove: without the solvers; mutants that need them have no result")
	write := flag.Bool("write", false, "for -prove: write proofs.txt")
	cache := flag.String("cache", "", "for -prove: a file of the scripts that the solvers have proved; user for one in the user's cache folder")
	workers := flag.Int("workers", runtime.NumCPU(), "mutants that run at once")
	flag.Parse()
	if flag.NArg() > 0 || sel.sample < 0 || sel.each < 0 || *workers < 1 {
		flag.Usage()
		os.Exit(2)
	}
	c := mutation{selection: sel, workers: *workers, proofs: *prove, cache: *cache, write: *write, known: *known, out: os.Stdout}
	if err := c.run(*resume); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A result is the outcome of a mutant. Its key is a hash of the mutant's text and of the tests.
type result struct {
	Key     string           `json:"key"`
	Outcome campaign.Outcome `json:"outcome"`
	Mutant  string           `json:"mutant"`
	Why     string           `json:"why,omitempty"`    // what the prover says
	Claims  string           `json:"claims,omitempty"` // for the prover, the hash of the claims that the solvers decided
}

// ID returns the key of the result.
func (r result) ID() string { return r.Key }

// The type "mutation" describes one run of this command.
type mutation struct {
	selection
	workers int
	proofs  bool   // mutants are proved instead of run
	cache   string // of the prover
	write   bool
	known   bool // true if no solver is asked
	out     io.Writer

	root string
	// For each assembly file, the field "tests" has a hash. It is a hash of the tests of this file. If the mutants are
	// proved and not run, it is a hash of the prover.
	tests   map[string]string
	list    []campaign.Equivalent
	records proofs
	decided map[string]result // of the prover, by the function and the hash of the mutant

	mu     sync.Mutex // guards out
	record *campaign.Record[result]
}

// The method "run" runs the mutants. It returns an error if an unlisted mutant survives, or if something failed. It
// also returns an error if the list names a mutant that does not exist or does not survive.
func (c *mutation) run(resume string) (err error) {
	if c.root, err = campaign.Root(); err != nil {
		return err
	}
	if c.list, err = campaign.ReadEquivalents(equivalentText, 5); err != nil {
		return err
	}
	if c.records, err = readProofs(proofsText); err != nil {
		return err
	}
	if c.record, err = campaign.Open[result](resume); err != nil {
		return err
	}
	defer c.record.Close()
	var all, chosen []*mutant
	for _, goarch := range []string{"amd64", "arm64"} {
		mutants, err := readAll(c.root, goarch)
		if err != nil {
			return err
		}
		all = append(all, mutants...)
	}
	functions, err := provedFunctions(c.root)
	if err != nil {
		return err
	}
	c.tests, c.decided = map[string]string{}, map[string]result{}
	for i, m := range all {
		if f := m.source.path; c.tests[f] == "" {
			if c.proofs {
				c.tests[f], err = hashProver(c.root, f)
			} else {
				c.tests[f], err = hashTests(c.root, familyOf(f))
			}
			if err != nil {
				return err
			}
		}
		if c.selects(i, m) && (!c.proofs || functions[m.function.name]) {
			chosen = append(chosen, m)
		}
	}
	if c.sample > 0 || c.each > 0 {
		chosen = c.some(chosen)
	}
	if c.proofs {
		return c.prove(all, chosen)
	}
	for _, group := range c.groups(chosen) {
		if err := c.runGroup(group); err != nil {
			return err
		}
	}
	return c.report(all, chosen)
}

// The method "some" returns a random sample of mutants.
func (c *mutation) some(mutants []*mutant) (out []*mutant) {
	r := rand.New(rand.NewPCG(c.seed, 0))
	r.Shuffle(len(mutants), func(i, j int) { mutants[i], mutants[j] = mutants[j], mutants[i] })
	of := map[*function]int{}
	for _, m := range mutants {
		if of[m.function]++; (c.each == 0 || of[m.function] <= c.each) && (c.sample == 0 || len(out) < c.sample) {
			out = append(out, m)
		}
	}
	return out
}

func (c *mutation) selects(i int, m *mutant) bool {
	_, impl := operation(m.function.name)
	return strings.HasPrefix(filepath.Base(m.source.path), c.family) && (c.impl == "" || c.impl == impl) &&
		(c.function == "" || c.function == m.function.name) && c.shard.Has(i) &&
		(!c.equivalent || c.alike(m))
}

// Some mutants have the same results as the original. They are listed in the files equivalent.txt and proofs.txt. The
// method "alike" reports whether one of these files lists the given mutant.
func (c *mutation) alike(m *mutant) bool {
	return campaign.Listed(c.list, m.fields()) != nil || c.records.of(m).prover != ""
}

// Each group of mutants is built into one binary. The constant "most" is the largest number of lines of assembly in a
// group. Go's tools cannot represent line numbers above 2^20.
const most = 500_000

// The method "groups" divides the mutants into groups. Each group is built into one binary. It has the mutants of one
// file, or of a part of one file. If only a sample of the mutants is to run, or if they are proved, mutants of
// several files of one architecture are in one group.
func (c *mutation) groups(mutants []*mutant) (out [][]*mutant) {
	index := map[string]int{}
	lines := map[string]int{}
	for _, m := range mutants {
		if why := unrunnable(m); why != "" && !c.proofs {
			if _, said := index[why]; !said {
				index[why] = -1
				fmt.Fprintf(c.out, "not run: %s: %s\n", filepath.Base(m.source.path), why)
			}
			continue
		}
		key := m.source.path
		if c.proofs || c.sample > 0 || c.each > 0 {
			key = m.source.goarch
		}
		at, ok := index[key]
		if lines[key] += len(m.function.body) + len(m.source.data); !ok || lines[key] > most {
			at, lines[key] = len(out), 0
			index[key] = at
			out = append(out, nil)
		}
		out[at] = append(out[at], m)
	}
	return out
}

// If this host cannot run the mutant m, the function "unrunnable" returns the reason. Otherwise it returns the empty
// string.
func unrunnable(m *mutant) string {
	if goarch := m.source.goarch; goarch != runtime.GOARCH {
		if _, err := exec.LookPath(emulator); err != nil || goarch != "arm64" {
			return "it is for " + goarch
		}
		return ""
	}
	op, impl := operation(m.function.name)
	if runs, ok := selftest.Kernels()[op]; ok && !slices.Contains(runs, impl) {
		return "this CPU has not what " + impl + " needs"
	}
	return ""
}

// runGroup builds and runs the mutants that have no result yet.
func (c *mutation) runGroup(mutants []*mutant) error {
	var todo []*mutant
	for _, m := range mutants {
		if c.outcome(m) == "" {
			todo = append(todo, m)
		}
	}
	if len(todo) == 0 {
		return nil
	}
	dir, err := os.MkdirTemp("", "asmmutant")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	u, err := build(c.root, dir, todo[0].source.goarch, todo)
	if err != nil {
		return err
	}
	for _, m := range u.refused {
		if err := c.put(m, campaign.Refused, "", ""); err != nil {
			return err
		}
	}
	tests, err := operationTests(c.root)
	if err != nil {
		return err
	}
	targets := map[string]target{}
	for _, m := range u.mutants {
		if name := m.function.name; targets[name].function == "" {
			if targets[name], err = u.examine(name, tests); err != nil {
				return err
			}
		}
	}
	return c.runAll(u, targets)
}

// runAll runs the mutants of u, several at the same time.
func (c *mutation) runAll(u *unit, targets map[string]target) error {
	return campaign.Each(c.workers, u.mutants, func(m *mutant) error {
		o, err := u.test(targets[m.function.name], m)
		if err != nil {
			return err
		}
		return c.put(m, o, "", "")
	})
}

// The method "outcome" returns the recorded outcome of the mutant m, or "" if there is none.
func (c *mutation) outcome(m *mutant) campaign.Outcome {
	r, _ := c.record.Get(c.key(m))
	return r.Outcome
}

// The method "put" records the outcome o of the mutant m, and prints it if the mutant survived. If the result comes
// from the prover, there are two more arguments, "why" and "claims". They become the fields Why and Claims of the
// record.
func (c *mutation) put(m *mutant, o campaign.Outcome, why, claims string) error {
	if o == campaign.Survived && !c.alike(m) {
		c.mu.Lock()
		fmt.Fprintf(c.out, "SURVIVED %v\n", m)
		c.mu.Unlock()
	}
	return c.record.Put(result{c.key(m), o, m.String(), why, claims})
}

// The method "key" returns the key of a mutant's result. The key consists of two hashes. The first is a hash of the
// mutant. If the mutant is run, the second is a hash of its tests. If it is proved, the second is a hash of the prover.
func (c *mutation) key(m *mutant) string {
	if c.proofs {
		return c.tests[m.source.path] + " " + m.function.name + " " + m.hash()
	}
	h := sha256.New()
	fmt.Fprintln(h, c.tests[m.source.path], m.source.goarch, m.function.name)
	m.write(h)
	return fmt.Sprintf("%x", h.Sum(nil)[:12])
}

// The method "write" writes the text of a mutant: its function and the data of its file. A mutant that changes data has
// its own copy of these data in its function. So for such a mutant, the data of the file are not written.
func (m *mutant) write(h io.Writer) {
	for _, l := range m.lines(m.function.name) {
		fmt.Fprintln(h, l)
	}
	if !m.data {
		for _, s := range m.source.data {
			fmt.Fprintln(h, s.code())
		}
	}
}

// familyOf returns the family of a file. The family is the prefix of the file's name, such as popcount for
// popcount_test.go.
func familyOf(path string) string {
	return regexp.MustCompile(`^[a-z]+`).FindString(filepath.Base(path))
}

// The results of a family's tests depend on the text of some files. The function hashTests returns a hash of all these
// files. They are the tests of package kernel/asm and the Go code that they use. The hash also includes the version of
// Go and the files of this tool that run the tests. The files of other families are left out if the family has its own
// file in asmtest.
func hashTests(root, family string) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, runtime.Version())
	own := func(name string) bool {
		_, err := os.Stat(filepath.Join(root, "kernel", "asm", "asmtest", name+".go"))
		assembly, _ := filepath.Glob(filepath.Join(root, "kernel", "asm", name+"_*.s"))
		return err == nil && len(assembly) > 0
	}
	for _, pattern := range []string{"kernel/asm/*.go", "kernel/asm/asmtest/*", "verify/internal/tools/asmmutant/build.go", "verify/internal/tools/asmmutant/run.go", "verify/internal/tools/campaign/campaign.go"} {
		paths, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			return "", err
		}
		for _, p := range paths {
			if f := familyOf(p); own(family) && own(f) && f != family {
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

// The method "report" prints the counts and the survivors. It returns an error if the run did not have the required
// outcome.
func (c *mutation) report(all, chosen []*mutant) error {
	counts := map[string]map[string]int{}
	var files []string
	unlisted, total, wrong := 0, 0, 0
	provers := map[string]string{} // the hashes of the present provers
	for _, m := range chosen {
		o := c.outcome(m)
		if o == "" {
			continue // not run
		}
		file := filepath.Base(m.source.path)
		if counts[file] == nil {
			counts[file] = map[string]int{}
			files = append(files, file)
		}
		what := string(o)
		if o == campaign.Survived {
			if c.alike(m) {
				what = "equivalent"
			} else {
				unlisted++
			}
		}
		if by := c.records.of(m).prover; by != "" {
			if o != campaign.Survived {
				fmt.Fprintf(c.out, "PROVED, and the tests kill it: %v\n", m)
				wrong++
			}
			path := m.source.path
			if provers[path] == "" {
				var err error
				if provers[path], err = hashProver(c.root, path); err != nil {
					return err
				}
			}
			if by != provers[path] && campaign.Listed(c.list, m.fields()) == nil {
				fmt.Fprintf(c.out, "proved by an earlier prover, so make prove-mutants has to say whether this one proves it: %v\n", m)
				wrong++
			}
		}
		counts[file][what]++
		if o != campaign.Refused {
			total++
		}
	}
	for _, file := range files {
		n := counts[file]
		fmt.Fprintf(c.out, "%-30s failed %d, crashed %d, overtime %d, equivalent %d, SURVIVED %d; not assembled %d\n", file,
			n["failed"], n["crashed"], n["overtime"], n["equivalent"], n["survived"], n["refused"])
	}
	fields := make([][]string, len(all))
	for i, m := range all {
		fields[i] = m.fields()
	}
	for i := range c.list {
		e := &c.list[i]
		covered, ran, alive := 0, 0, false // whether chosen in this run or not
		for j, m := range all {
			if e.Covers(fields[j]) {
				covered++
				o := c.outcome(m)
				if o != "" {
					ran++
				}
				alive = alive || o == campaign.Survived && campaign.Listed(c.list, fields[j]) == e
			}
		}
		switch {
		case covered == 0:
			fmt.Fprintf(c.out, "equivalent.txt:%d: there is no such mutant\n", e.Line)
			wrong++
		case ran == covered && !alive:
			fmt.Fprintf(c.out, "equivalent.txt:%d: no such mutant survives\n", e.Line)
			wrong++
		}
	}
	if total == 0 {
		return fmt.Errorf("no mutant ran")
	}
	fmt.Fprintf(c.out, "%d mutants ran, %d survived that are not listed as equivalent\n", total, unlisted)
	if unlisted > 0 || wrong > 0 {
		return fmt.Errorf("%d survivors, %d faults of equivalent.txt and proofs.txt", unlisted, wrong)
	}
	return nil
}
