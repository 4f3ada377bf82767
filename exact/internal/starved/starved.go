// Package starved runs computations with too little precision. These computations belong to package exact and to its
// internal packages. Package starved then checks the results (see precision.Starving). It compares their widths with
// recorded widths, and it lets parts of a computation fail. It is for tests.
package starved

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// Enclosure has the methods of exact.Enclosure that Check needs. This package cannot import package exact, because the
// tests of package exact import this package.
type Enclosure interface {
	Lo() *big.Float
	Hi() *big.Float
	RelBits() int
}

// The type Computation describes one computation. Its field Of is a function. Given a precision in bits, this function
// returns enclosures of the results. If the computation has no value for one of these results, the enclosure is nil.
type Computation struct {
	Name string
	Of   func(prec uint) ([]Enclosure, error)
}

// The function One returns a Computation with a single result.
func One[E Enclosure](name string, of func(prec uint) (E, error)) Computation {
	return Computation{name, func(prec uint) ([]Enclosure, error) {
		e, err := of(prec)
		return []Enclosure{e}, err
	}}
}

// Plan lists the reduced precisions of a test. The test repeats the computations with each of them.
type Plan struct {
	Most   uint   // the precision of the true values
	Guards []int  // numbers of guard bits; each is combined with each of Precs
	Precs  []uint // precisions in bits
	Cuts   []int  // exponents of the terms at which sums end
	At     uint   // the precision for the Cuts, or 0 for Most
	Record string // a file with the widths of the answers (see Widths), or empty
	Long   bool   // the test runs in its long form
}

// The true values have a precision of Plan.Most bits. An answer is called wide if it has fewer correct bits than this.
// The fraction of wide answers must be at least wideShare. If the fraction is smaller, the reduced precision has
// changed very few answers. Then the test shows nothing.
const wideShare = 0.25

// A true value can be computed from several numbers. The widths of the first mostRaw of them are recorded.
const mostRaw = 3

// Check runs the computations with too little precision. It asserts that every answer contains the true value. It also
// compares the first working precisions of the true values with recorded ones, and their widths before they are rounded.
// Such a width shows the bounds of rounding errors in fixed point, which a few spare bits otherwise hide. The
// result is the number of computations whose true value is known. If a computation returns an error instead of an
// answer, Check does not examine it.
func (p Plan) Check(t *testing.T, all []Computation) (examined int) {
	t.Helper()
	truths := make([][]Enclosure, len(all))
	record := OpenWidths(t, p.Record, p.Long)
	for i, c := range all {
		numbers, bits := 0, uint(0)
		var raw []Enclosure
		end := precision.Watch(precision.Watcher{
			First: func(first uint) { numbers, bits = numbers+1, bits+first },
			Raw:   func(x *interval.Interval) { raw = append(raw, interval.New(x.Prec()).Set(x)) },
		})
		e, err := c.Of(p.Most)
		if end(); err != nil {
			continue
		}
		truths[i] = e
		examined++
		record.Work(c.Name, fmt.Sprintf("first/%d", p.Most), numbers, bits)
		for j, x := range raw[:min(len(raw), mostRaw)] {
			record.Width(c.Name, fmt.Sprintf("raw%d/%d", j, p.Most), x)
		}
	}
	answers, wide := 0, 0
	try := func(s precision.Starving, prec uint) {
		defer precision.Starve(s)()
		for i, c := range all {
			if truths[i] == nil {
				continue
			}
			got, err := c.Of(prec)
			if err != nil {
				continue
			}
			for j, e := range got {
				truth := truths[i][j]
				if e == nil || truth == nil {
					continue
				}
				record.Width(fmt.Sprintf("%s, number %d", c.Name, j), fmt.Sprintf("guard%d/cut%d/%d", s.Guard, s.Cut, prec), e)
				if answers++; e.RelBits() < int(p.Most) {
					wide++
				}
				if e.Lo().Cmp(truth.Hi()) > 0 || truth.Lo().Cmp(e.Hi()) > 0 {
					t.Errorf("%+v: number %d of %s to %d bits is [%.10g, %.10g], but %.15g", s, j, c.Name, prec, e.Lo(), e.Hi(), truth.Lo())
				}
			}
		}
	}
	for _, guard := range p.Guards {
		for _, prec := range p.Precs {
			try(precision.Starving{Guard: guard}, prec)
		}
	}
	at := p.At
	if at == 0 {
		at = p.Most
	}
	for _, cut := range p.Cuts {
		try(precision.Starving{Guard: -1, Cut: cut}, at)
	}
	if len(p.Cuts) > 0 && len(p.Guards) > 0 { // the bounds of the remainders have rounding errors that show
		try(precision.Starving{Guard: p.Guards[0], Cut: p.Cuts[0]}, p.Precs[0])
	}
	record.End()
	t.Logf("%d computations, %d answers, %d of them wide", examined, answers, wide)
	if float64(wide) < wideShare*float64(answers) || answers == 0 {
		t.Error("hardly an answer was starved: the test shows nothing")
	}
	return examined
}
