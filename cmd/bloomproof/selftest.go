//go:build !js

package main

import (
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/selftest"
)

var selftestCommand = command{
	name:    "selftest",
	summary: "every SIMD kernel of this host against the portable one, and known answers",
	about: `
Runs every bit kernel of this host on lengths, alignments and words chosen to break it
and compares with the portable one; derives positions, and computes rates on every
route, whose values are known from elsewhere. Exit status 1 when anything differs.`,
	example: `
  $ bloomproof selftest
  passed  ...
  failed  0`,
	run: func(*call) (report, error) { return checkAnswers(selftest.Run(1)) },
}

type selftestReport struct {
	Passed          int      `json:"passed"` // the number of kernels and answers that were right in every case
	Failed          int      `json:"failed"` // the number of kernels and answers that were wrong in some case
	selftest.Report          // the results of the kernels
	Answers         []string `json:"answers"` // the known answers that were checked
}

// checkAnswers compares the known answers with computed answers. The argument "kernels" has the results for the
// kernels. The returned report has these results and the results of the comparisons.
func checkAnswers(kernels selftest.Report) (report, error) {
	r := selftestReport{Failed: len(kernels.Failures), Report: kernels, Answers: []string{}}
	r.Passed = len(kernels.Kernels) - r.Failed
	for _, a := range knownAnswers() {
		r.Answers = append(r.Answers, a.name)
		if err := a.check(); err != nil {
			r.Failed++
			r.Failures = append(r.Failures, fmt.Sprintf("%s: %v", a.name, err))
			continue
		}
		r.Passed++
	}
	if r.Failed > 0 {
		return r, errFailed
	}
	return r, nil
}

func (r selftestReport) print(w io.Writer) {
	guarded := "yes"
	if !r.Guarded {
		guarded = "no: this system offers no forbidden pages, so stray reads stay unseen"
	}
	fmt.Fprintf(w, "kernels\t%d, %d calls compared\nguarded\t%s\nanswers\t%d\npassed\t%d\nfailed\t%d\n",
		len(r.Kernels), r.Cases, guarded, len(r.Answers), r.Passed, r.Failed)
	for _, f := range r.Failures {
		fmt.Fprintf(w, "failure\t%s\n", strings.Join(strings.Fields(f), " "))
	}
}

// The type "answer" describes one test. The test compares a computed value with the value from another source.
type answer struct {
	name  string
	check func() error
}

func knownAnswers() []answer {
	var all []answer
	for _, r := range knownRates {
		routes, err := exact.Routes(r.g)
		if err != nil {
			all = append(all, answer{"fpr/" + r.g.String(), func() error { return err }})
		}
		for _, route := range routes {
			all = append(all, answer{
				fmt.Sprintf("fpr/%v/m=%d/k=%d/n=%d/%v", r.g.Hashing, r.g.M, r.g.K, r.n, route),
				func() error { return r.check(route) },
			})
		}
	}
	for _, p := range knownPositions {
		all = append(all, answer{fmt.Sprintf("positions/%v/m=%d/k=%d", p.g.Hashing, p.g.M, p.g.K), p.check})
	}
	return all
}

// knownRate is a rate as an exact fraction.
type knownRate struct {
	g        bloomproof.Geometry
	n        uint64
	num, den string
}

func (r knownRate) check(route exact.Route) error {
	num, ok1 := new(big.Int).SetString(r.num, 10)
	den, ok2 := new(big.Int).SetString(r.den, 10)
	if !ok1 || !ok2 {
		return fmt.Errorf("%s/%s is no fraction", r.num, r.den)
	}
	want := new(big.Rat).SetFrac(num, den)
	e, _, err := exact.FPR(r.g, r.n, exact.PrecFor(40), route)
	if err != nil {
		return err
	}
	got, known := e.Rat()
	if !e.Contains(want) || known && got.Cmp(want) != 0 {
		return fmt.Errorf("rate %v, want %s", e, want.FloatString(20))
	}
	return nil
}

// knownPosition holds a hash and its first positions.
type knownPosition struct {
	g    bloomproof.Geometry
	h    kernel.Hash
	want []uint64
}

func (p knownPosition) check() error {
	got, err := kernel.AppendPositions(nil, p.g, p.h)
	if err != nil {
		return err
	}
	if !slices.Equal(got, p.want) {
		return fmt.Errorf("positions %v, want %v", got, p.want)
	}
	return nil
}
