package main

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof/verify/internal/tools/campaign"
	"github.com/bloomproof/bloomproof/verify/stat"
)

// A room is a top folder of the module. The list "rooms" has a pattern for each room. By default, the command changes
// the packages that match these patterns.
var rooms = []string{"./exact/...", "./approx/...", "./kernel/...", "./verify/..."}

//go:embed equivalent.txt
var equivalentText string

func main() {
	c := sweep{out: os.Stdout, patience: 3, shard: campaign.Shard{I: 1, N: 1}, list: equivalentText}
	flag.IntVar(&c.sample, "sample", 0, "only this many mutants of each room, chosen at random; 0 for all")
	flag.Uint64Var(&c.seed, "seed", 1, "seed of -sample")
	flag.Var(&c.shard, "shard", "i/n: only the i-th of n parts")
	flag.StringVar(&c.function, "func", "", "only functions whose file and name match this regular expression, such as 'ksum.go .*add$'")
	flag.StringVar(&c.tests, "tests", "./...", "only the tests of packages that match these patterns, separated by commas")
	flag.BoolVar(&c.usual, "usual", false, "tests run as in make test, not in their short form")
	flag.StringVar(&c.only, "run", "", "only the tests, examples and fuzz targets whose names match this regular expression")
	flag.BoolVar(&c.errors, "errors", false, "only mutants of code that bounds errors")
	flag.BoolVar(&c.long, "long", false, "survivors of the short tests run the long ones too")
	flag.Float64Var(&c.budget, "budget", 0, "seconds of tests for one mutant, the cheap ones first; 0 for no limit")
	flag.StringVar(&c.dir, "resume", "", "folder of results and coverage: what it holds already is not run again, what is run is added")
	flag.BoolVar(&c.reports, "report", false, "run nothing, report the results that -resume has, such as those of several parts put together")
	flag.IntVar(&c.workers, "workers", runtime.NumCPU(), "processes at once")
	flag.Parse()
	if c.sample < 0 || c.workers < 1 || c.budget < 0 {
		flag.Usage()
		os.Exit(2)
	}
	c.patterns = flag.Args()
	if len(c.patterns) == 0 {
		c.patterns = rooms
	}
	root, err := campaign.Root()
	if err == nil {
		c.root = root
		err = c.run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A result is the outcome of a mutant.
type result struct {
	Key     string           `json:"key"`
	Outcome campaign.Outcome `json:"outcome"`
	Mutant  string           `json:"mutant"`
	Killer  string           `json:"killer,omitempty"` // package and test
	Tests   string           `json:"tests"`            // the hash of the tests that decided the outcome
	Left    int              `json:"left,omitempty"`   // the number of tests that the budget left out
	Budget  float64          `json:"budget,omitempty"` // seconds
	Long    bool             `json:"long,omitempty"`   // the long tests ran too
}

// ID returns the key of the result.
func (r result) ID() string { return r.Key }

func (r result) killed() bool {
	return r.Outcome == campaign.Failed || r.Outcome == campaign.Crashed || r.Outcome == campaign.Overtime
}

// The type "sweep" describes one run of this command.
type sweep struct {
	root     string
	patterns []string
	sample   int
	seed     uint64
	shard    campaign.Shard
	function string // a regular expression
	tests    string // patterns, separated by commas
	only     string // a regular expression
	usual    bool   // true if tests run as in make test, not in their short form
	errors   bool
	long     bool
	reports  bool
	budget   float64
	patience int // the least CPU seconds that a process gets
	dir      string
	workers  int
	list     string // the text of equivalent.txt
	out      io.Writer

	*module
	functions *regexp.Regexp
	record    *campaign.Record[result]
	hashes    map[string]string // the hashes of tests, by file or package
}

// The method "run" runs the mutants and reports the results.
func (c *sweep) run() (err error) {
	list, err := campaign.ReadEquivalents(c.list, 4)
	if err != nil {
		return err
	}
	if c.functions, err = regexp.Compile(c.function); err != nil {
		return err
	}
	names, err := regexp.Compile(c.only)
	if err != nil {
		return err
	}
	if c.module, err = load(c.root, c.patterns); err != nil {
		return err
	}
	c.module.usual = c.usual
	if err := c.module.limit(strings.Split(cmp.Or(c.tests, "./..."), ","), names); err != nil {
		return err
	}
	cache, record := c.dir, ""
	if c.dir == "" {
		if cache, err = os.MkdirTemp("", "gomutant"); err != nil {
			return err
		}
		defer os.RemoveAll(cache)
	} else {
		record = filepath.Join(c.dir, "results.jsonl")
	}
	if c.record, err = campaign.Open[result](record); err != nil {
		return err
	}
	defer c.record.Close()
	if err := c.hashTests(); err != nil {
		return err
	}
	all := c.mutants()
	chosen := c.choose(all)
	if !c.reports {
		if err := c.rounds(cache, chosen); err != nil {
			return err
		}
	}
	return c.report(all, chosen, list)
}

// The method "mutants" returns all mutants of the packages.
func (c *sweep) mutants() (out []*mutant) {
	for _, p := range c.packages {
		for _, f := range p.files {
			out = append(out, f.mutants()...)
		}
	}
	return out
}

// The method "choose" returns the mutants that the flags select. The name of each mutant has a hash. In each top
// folder, the mutants with the lowest hashes are the sample. So a larger sample contains a smaller one. After a change
// of the code, most mutants of a sample stay the same.
func (c *sweep) choose(all []*mutant) (out []*mutant) {
	byRoom := map[string][]*mutant{}
	rank := map[*mutant]string{}
	for _, m := range all {
		if c.functions.MatchString(m.file.name+" "+m.name()) && (!c.errors || m.concernsError()) {
			byRoom[m.room()] = append(byRoom[m.room()], m)
			rank[m] = fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%d %s", c.seed, m.ID())))
		}
	}
	turn := map[*mutant]int{}
	for _, mutants := range byRoom {
		slices.SortStableFunc(mutants, func(a, b *mutant) int { return strings.Compare(rank[a], rank[b]) })
		if c.sample > 0 && len(mutants) > c.sample {
			mutants = mutants[:c.sample]
		}
		for i, m := range mutants {
			if turn[m] = i; c.shard.Has(i) {
				out = append(out, m)
			}
		}
	}
	// A run may be stopped early. This order of the mutants makes sure that such a run has results for each top folder.
	slices.SortStableFunc(out, func(a, b *mutant) int { return cmp.Or(turn[a]-turn[b], strings.Compare(rank[a], rank[b])) })
	return out
}

// hashTests computes a hash of each test file. For each package, it also computes a hash of all its test files
// together.
func (c *sweep) hashTests() error {
	c.hashes = map[string]string{}
	for _, p := range c.tested {
		whole := sha256.New()
		for _, name := range p.files {
			text, err := os.ReadFile(filepath.Join(p.dir, name))
			if err != nil {
				return err
			}
			whole.Write(text)
			one := fmt.Sprintf("%x", sha256.Sum256(text))
			for _, f := range testFunction.FindAllSubmatch(text, -1) {
				c.hashes[p.path+" "+string(f[1])] = one
			}
		}
		c.hashes[p.path] = fmt.Sprintf("%x", whole.Sum(nil))
	}
	return nil
}

// The outcome of a mutant depends on some tests. The method "decided" returns a hash that changes when these tests
// change. If a test killed the mutant, this is the hash of the file with this test. For a survivor, several packages
// have tests that could kill it. The hash is then a hash of all tests of these packages.
func (c *sweep) decided(killer string, tests []*test) string {
	if killer != "" {
		return c.hashes[killer]
	}
	h := sha256.New()
	var names []string
	for _, t := range tests {
		names = append(names, t.pkg.path)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		fmt.Fprintln(h, name, c.hashes[name])
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// The method "known" reports whether the result of a mutant is still valid.
func (c *sweep) known(m *mutant, tests []*test, long bool) bool {
	r, ok := c.record.Get(m.ID())
	switch {
	case !ok:
		return false
	case r.Outcome == campaign.Refused:
		return true
	case r.Killer != "":
		return r.Tests == c.hashes[r.Killer]
	case r.killed():
		return r.Tests == c.decided("", tests)
	}
	enough := r.Left == 0 || c.budget > 0 && r.Budget >= c.budget
	return r.Tests == c.decided("", tests) && enough && (r.Long || !long)
}

// The method "rounds" runs the short tests on the mutants, and the long tests on the mutants that survive.
func (c *sweep) rounds(cache string, chosen []*mutant) error {
	if err := c.round(cache, chosen, false); err != nil || !c.long {
		return err
	}
	var alive []*mutant
	for _, m := range chosen {
		if r, ok := c.record.Get(m.ID()); ok && !r.killed() && r.Outcome != campaign.Refused {
			alive = append(alive, m)
		}
	}
	return c.round(cache, alive, true)
}

func (c *sweep) round(cache string, mutants []*mutant, long bool) error {
	var covers []*coverage
	for i := range c.tested {
		one, err := c.examine(&c.tested[i], cache, long, c.workers)
		if err != nil {
			return err
		}
		covers = append(covers, one)
	}
	tests := c.reach(covers, mutants)
	var todo []*mutant
	for _, m := range mutants {
		if !c.known(m, tests[m], long) {
			todo = append(todo, m)
		}
	}
	if len(todo) == 0 {
		return nil
	}
	dir, err := os.MkdirTemp("", "gomutant")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	u, err := build(c.module, dir, todo)
	if err != nil {
		return err
	}
	put := func(m *mutant, v verdict) error {
		r := result{Key: m.ID(), Outcome: v.outcome, Mutant: m.String(), Left: v.left, Budget: c.budget, Long: long}
		if v.killer != nil {
			r.Killer = v.killer.String()
		}
		r.Tests = c.decided(r.Killer, tests[m])
		return c.record.Put(r)
	}
	for _, m := range u.refused {
		if err := put(m, verdict{outcome: campaign.Refused}); err != nil {
			return err
		}
	}
	compiles := map[*mutant]bool{}
	for _, m := range u.mutants {
		compiles[m] = true
	}
	todo = slices.DeleteFunc(todo, func(m *mutant) bool { return !compiles[m] })
	r := newRunner(u, dir, long, c.budget, c.patience)
	return campaign.Each(c.workers, todo, func(m *mutant) error {
		v, err := r.test(m, tests[m])
		if err != nil {
			return err
		}
		return put(m, v)
	})
}

var testFunction = regexp.MustCompile(`(?m)^func ((?:Test|Example|Fuzz)\w*)\(`)

// The type "score" has the number of mutants with each outcome, for a package or a top folder.
type score struct{ all, killed, survived, uncovered, equivalent, refused int }

func (s score) line(name string) string {
	n := s.killed + s.uncovered + s.survived
	line := fmt.Sprintf("%-28s %7d %5d %6d %8d %9d %10d %7d", name, s.all, n, s.killed, s.survived, s.uncovered, s.equivalent, s.refused)
	if n == 0 {
		return line
	}
	lo, hi, err := stat.ClopperPearson(uint64(s.killed), uint64(n), 0.95)
	if err != nil {
		panic(err) // killed <= n
	}
	return line + fmt.Sprintf("   %.1f %%   %.1f to %.1f %%", 100*float64(s.killed)/float64(n), 100*lo, 100*hi)
}

// The method "says" returns a text about the mutants and the tests that the report covers.
func (c *sweep) says() string {
	of, tests := "mutants", "the short tests"
	if c.sample > 0 {
		of = fmt.Sprintf("at most %d mutants of each room at random, seed %d", c.sample, c.seed)
	}
	if c.errors {
		of += " of code that bounds errors"
	}
	if c.function != "" {
		of += " of functions that match " + c.function
	}
	if c.usual {
		tests = "the tests of make test"
	}
	if c.long {
		tests += " and the long tests"
	}
	if c.tests != "./..." && c.tests != "" {
		tests += " of " + c.tests
	}
	if c.only != "" {
		tests += " that match " + c.only
	}
	if c.budget > 0 {
		tests += fmt.Sprintf(", at most %v s of them for a mutant", c.budget)
	}
	return fmt.Sprintf("%s; %s; %s %s/%s", of, tests, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// The method "report" prints the scores and the survivors. The list of equivalent mutants may contain an error. It may
// name a mutant that does not exist, or a mutant that was killed. Then the method returns an error.
func (c *sweep) report(all, chosen []*mutant, list []campaign.Equivalent) error {
	scores := map[string]*score{}
	count := func(m *mutant, add func(*score)) {
		for _, name := range []string{m.file.pkg.path, m.room() + "/..."} {
			if scores[name] == nil {
				scores[name] = &score{}
			}
			add(scores[name])
		}
	}
	for _, m := range all {
		count(m, func(s *score) { s.all++ })
	}
	var survivors []string
	ran := 0
	for _, m := range chosen {
		r, ok := c.record.Get(m.ID())
		if !ok {
			continue
		}
		ran++
		switch equivalent := campaign.Listed(list, m.fields()) != nil; {
		case r.Outcome == campaign.Refused:
			count(m, func(s *score) { s.refused++ })
		case r.killed():
			count(m, func(s *score) { s.killed++ })
		case equivalent:
			count(m, func(s *score) { s.equivalent++ })
		case r.Outcome == uncovered:
			count(m, func(s *score) { s.uncovered++ })
			survivors = append(survivors, m.String()+" (no test executes it)")
		default:
			count(m, func(s *score) { s.survived++ })
			text := m.String()
			if r.Left > 0 {
				text += fmt.Sprintf(" (%d tests not run)", r.Left)
			}
			survivors = append(survivors, text)
		}
	}
	names := slices.Sorted(maps.Keys(scores))
	fmt.Fprintln(c.out, "run: "+c.says())
	fmt.Fprintf(c.out, "%-28s %6s %5s %6s %8s %9s %10s %7s   %s\n", "", "mutants", "ran", "killed", "survived", "uncovered", "equivalent", "refused", "score, 95 % interval")
	for _, name := range names {
		if room, ok := strings.CutSuffix(name, "..."); ok && slices.ContainsFunc(names, func(one string) bool {
			return one != name && strings.HasPrefix(one+"/", room) && *scores[one] == *scores[name]
		}) {
			continue // all mutants of the room are in one package
		}
		fmt.Fprintln(c.out, scores[name].line(name))
	}
	slices.Sort(survivors)
	fmt.Fprintf(c.out, "\n%d of %d chosen mutants have a result; survivors:\n", ran, len(chosen))
	for _, s := range survivors {
		fmt.Fprintln(c.out, s)
	}
	other := 0
	for _, p := range c.packages {
		other += len(p.other)
	}
	fmt.Fprintf(c.out, "\n%d files of other systems and tags are not built here, so not changed\n", other)
	return c.stale(all, list)
}

// The method "stale" returns an error if the list has an entry without a surviving mutant. Such an entry matches no
// mutant, or only killed ones.
func (c *sweep) stale(all []*mutant, list []campaign.Equivalent) error {
	wrong := 0
	fields := make([][]string, len(all))
	for i, m := range all {
		fields[i] = m.fields()
	}
	for i := range list {
		there, alive := false, false
		for j, m := range all {
			if list[i].Covers(fields[j]) {
				there = true
				r, ok := c.record.Get(m.ID())
				alive = alive || !ok || !r.killed()
			}
		}
		fault := ""
		switch {
		case !there:
			fault = "there is no such mutant"
		case !alive:
			fault = "every mutant is killed"
		default:
			continue
		}
		wrong++
		fmt.Fprintf(c.out, "equivalent.txt:%d: %s\n", list[i].Line, fault)
	}
	if wrong > 0 {
		return fmt.Errorf("%d faults of equivalent.txt", wrong)
	}
	return nil
}
