package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/bloomproof/bloomproof/verify/internal/tools/campaign"
)

// The constant "uncovered" is the outcome of a mutant that no test executes.
const uncovered campaign.Outcome = "uncovered"

// A runner runs the tests of a unit on its mutants.
type runner struct {
	*unit
	dir    string // the folder of the binaries
	long   bool
	budget float64 // seconds of tests for one mutant; 0 for no limit

	patience int // seconds that a process gets at least

	mu     sync.Mutex
	built  map[*testPackage]func() (string, error)
	passes map[*test]func() bool
	unfit  map[*test]bool
}

func newRunner(u *unit, dir string, long bool, budget float64, patience int) *runner {
	return &runner{unit: u, dir: dir, long: long, budget: budget, patience: patience, built: map[*testPackage]func() (string, error){},
		passes: map[*test]func() bool{}, unfit: map[*test]bool{}}
}

// The method "binary" returns the test binary of a package, with the mutants.
func (r *runner) binary(p *testPackage) (string, error) {
	r.mu.Lock()
	f := r.built[p]
	if f == nil {
		f = sync.OnceValues(func() (string, error) {
			name := filepath.Join(r.dir, strings.ReplaceAll(p.path, "/", "_")+".test")
			out, err := r.command("go", "test", "-c", "-vet=off", "-overlay", r.overlay, "-o", name, "./"+p.path).CombinedOutput()
			if err != nil {
				err = fmt.Errorf("%s: %w\n%.2000s", p.path, err, out)
			}
			return name, err
		})
		r.built[p] = f
	}
	r.mu.Unlock()
	return f()
}

// A batch is a list of tests of one package that run in one process.
type batch struct {
	pkg     *testPackage
	tests   []*test
	seconds float64
}

// The method "batches" divides tests into batches. The batches run in the order in which they are returned.
// The tests of the mutant's own package come first. Within a package, cheap tests come before expensive ones. A test joins the last
// batch of its package unless this batch then takes too long. The limit is 0.4 s, or the time of all tests before this
// test if that is longer. Tests that exceed the budget of CPU time are left out. The result "left" is their number.
func (r *runner) batches(m *mutant, tests []*test) (out []batch, left int) {
	tests = slices.Clone(tests)
	foreign := func(t *test) int {
		if t.pkg.path == m.file.pkg.path {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(tests, func(a, b *test) int {
		return cmp.Or(cmp.Compare(foreign(a), foreign(b)), cmp.Compare(a.Seconds, b.Seconds), strings.Compare(a.String(), b.String()))
	})
	open := map[*testPackage]int{}
	sum, total := 0.0, 0.0
	for _, t := range tests {
		r.mu.Lock()
		unfit := r.unfit[t]
		r.mu.Unlock()
		if unfit {
			continue
		}
		if total += t.Seconds; r.budget > 0 && total > r.budget {
			left++
			continue
		}
		if i, ok := open[t.pkg]; ok && out[i].seconds+t.Seconds <= max(0.4, sum) {
			out[i].tests = append(out[i].tests, t)
			out[i].seconds += t.Seconds
		} else {
			open[t.pkg] = len(out)
			out = append(out, batch{t.pkg, []*test{t}, t.Seconds})
		}
		sum += t.Seconds
	}
	return out, left
}

var failure = regexp.MustCompile(`(?m)^\s*--- FAIL: (\w+)`)

// A verdict is the result of the tests for a mutant.
type verdict struct {
	outcome campaign.Outcome
	killer  *test // the test that failed, or nil
	left    int   // tests that the budget left out
}

// The method "test" runs the given tests on the mutant m until one fails.
func (r *runner) test(m *mutant, tests []*test) (verdict, error) {
	if len(tests) == 0 {
		return verdict{outcome: uncovered}, nil
	}
	batches, left := r.batches(m, tests)
	for len(batches) > 0 {
		b := batches[0]
		o, killer, err := r.run(m.number, b)
		if err != nil {
			return verdict{}, err
		}
		if o == campaign.Survived {
			batches = batches[1:]
			continue
		}
		// Tests that fail on the unchanged code are not used.
		suspects := b.tests
		if killer != nil {
			suspects = []*test{killer}
		}
		fit := true
		for _, t := range suspects {
			fit = r.fit(t) && fit
		}
		if fit {
			return verdict{o, killer, 0}, nil
		}
		batches[0].tests = slices.DeleteFunc(slices.Clone(b.tests), func(t *test) bool { return !r.fit(t) })
		if len(batches[0].tests) == 0 {
			batches = batches[1:]
		}
	}
	return verdict{campaign.Survived, nil, left}, nil
}

// The method "run" runs a batch with the mutant that has the given number. The number 0 stands for the unchanged code.
func (r *runner) run(number int, b batch) (campaign.Outcome, *test, error) {
	binary, err := r.binary(b.pkg)
	if err != nil {
		return "", nil, err
	}
	var names []string
	for _, t := range b.tests {
		names = append(names, t.Name)
	}
	limit := r.patience + int(math.Ceil(3*b.seconds))
	env := append(sized(r.long), envEntry+"="+strconv.Itoa(number), envSeconds+"="+strconv.Itoa(limit), "GOMAXPROCS=2", "GOTRACEBACK=none")
	out, _, err := campaign.Run(b.pkg.dir, env, limit, append([]string{binary}, r.flags(r.long, names...)...)...)
	o, err := campaign.Judge(err)
	if err != nil {
		return "", nil, err
	}
	var killer *test
	if f := failure.FindStringSubmatch(out); f != nil && o != campaign.Survived {
		for _, t := range b.tests {
			if t.Name == f[1] {
				killer = t
			}
		}
	}
	if len(b.tests) == 1 {
		killer = b.tests[0]
	}
	return o, killer, nil
}

// The method "fit" reports whether a test passes on the unchanged code, with no mutant selected.
func (r *runner) fit(t *test) bool {
	r.mu.Lock()
	f := r.passes[t]
	if f == nil {
		f = sync.OnceValue(func() bool {
			o, _, err := r.run(0, batch{t.pkg, []*test{t}, t.Seconds})
			return err == nil && o == campaign.Survived
		})
		r.passes[t] = f
	}
	r.mu.Unlock()
	ok := f()
	if !ok {
		r.mu.Lock()
		defer r.mu.Unlock()
		if !r.unfit[t] {
			r.unfit[t] = true
			fmt.Fprintf(os.Stderr, "%v is left out: it fails when code is laid over, without a mutant too\n", t)
		}
	}
	return ok
}
