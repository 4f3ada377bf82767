package claims

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	exactfnr "github.com/bloomproof/bloomproof/exact/fnr"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// rule returns the filter for package exact.
func (f fnrFilter) rule() bloomproof.Recycling {
	r := bloomproof.Recycling{Sigma: uint64(f.sigma), Retain: f.retain, FreshPositions: true}
	if f.two {
		r.TwoPhase = true
	}
	if f.before {
		r.FreezeBefore = true
	}
	return r
}

// The filters that are followed level by level do what the chain over bits and sets does.
func TestFNRFilters(t *testing.T) {
	compared := 0
	for _, p := range [][4]int{{3, 1, 1, 3}, {4, 2, 3, 3}, {5, 2, 2, 2}, {4, 3, 3, 2}, {6, 2, 3, 4}} {
		for kind := range 1 << 4 {
			distinct, retain := kind&1 != 0, kind&2 != 0
			f := newFNRFilter(p[0], p[1], p[2], distinct, retain)
			f.two, f.before = kind&4 != 0, kind&8 != 0
			g := bloomproof.Geometry{M: uint64(p[0]), K: p[1], Hashing: hashingOf(distinct)}
			if f.rule().Validate(g) != nil || testing.Short() && p[3] > 2 || f.two && p[3] > 3 {
				continue
			}
			weights := []int{7, 4, 2, 1}[4-p[3]:]
			for law := bloomproof.ArrivalPopularity; law <= bloomproof.ArrivalFirst; law++ {
				if !longtest.Enabled() && p[3] > 2 && kind%6 != (int(law)+p[3])%6 {
					continue
				}
				if err := f.agrees(g, newVisitors(weights, law, 0.75), law); err != nil {
					t.Errorf("%v %v %v: %v", g, f.rule(), law, err)
				}
				compared++
			}
		}
	}
	if compared < 20 {
		t.Errorf("only %d filters compared", compared)
	}
}

func (f fnrFilter) agrees(g bloomproof.Geometry, w visitors, law bloomproof.Arrivals) error {
	c, err := exactfnr.New(g, f.rule(), bloomproof.Workload{
		Popularity: bloomproof.Weights(w.q), Arrivals: law, Repeat: w.repeat,
	})
	if err != nil {
		return err
	}
	want, err := c.Rates(50)
	if errors.Is(err, bloomproof.ErrTooCostly) {
		return nil
	}
	if err != nil {
		return err
	}
	got := f.run(w)
	for _, x := range []struct {
		what      string
		got, want float64
	}{
		{"fnr", got.fnr, want.FNR.Float64()}, {"lucky", got.lucky, want.Lucky.Float64()},
		{"fpr", got.fpr, want.FPR.Float64()}, {"cycle", got.cycle, want.Cycle.Float64()},
	} {
		if math.Abs(x.got-x.want) > 1e-12*math.Max(x.want, 1e-3) {
			return fmt.Errorf("%s %v, want %v", x.what, x.got, x.want)
		}
	}
	return nil
}
