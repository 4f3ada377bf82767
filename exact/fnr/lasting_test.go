package fnr

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
)

// lasting returns the tallies per arrival after many steps, given that the filter can
// still recycle, and the probability that it cannot after one more.
func (c *labelChain) lasting() (tally [tallies]float64, end float64) {
	c.rates()
	can := make([]bool, len(c.list)) // recycles here or somewhere that can be reached
	for more := true; more; {
		more = false
		for i := range can {
			now := can[i] || c.gains[i][recycles] > 0
			for _, e := range c.edges[i] {
				now = now || can[e.to]
			}
			more = more || now != can[i]
			can[i] = now
		}
	}
	x := make([]float64, len(c.list))
	x[0] = 1
	for range 4000 {
		next := make([]float64, len(x))
		all := 0.0
		for i, p := range x {
			for _, e := range c.edges[i] {
				if can[e.to] {
					next[e.to] += p * e.p
					all += p * e.p
				}
			}
			next[i] += p // a lazy chain has the same distribution
			all += p
		}
		for i := range next {
			next[i] /= all
		}
		x, end = next, 2-all
	}
	for i, p := range x {
		for k, g := range c.gains[i] {
			tally[k] += p * g
		}
	}
	return tally, end
}

// The quasi-stationary distribution against many steps over labels, where the filter ends.
func TestLastingBruteForce(t *testing.T) {
	checked := 0
	for _, g := range []bloomproof.Geometry{{M: 3, K: 1}, {Hashing: bloomproof.Classic, M: 3, K: 2}} {
		for _, r := range allRules(g.M-1, 2) {
			if r.Validate(g) != nil || !r.FreshPositions {
				continue
			}
			f, err := New(g, r, bloomproof.Workload{Popularity: bloomproof.Weights([]float64{3, 1}), Repeat: 1})
			if err != nil {
				t.Fatal(err)
			}
			x, err := f.Lasting(60)
			if errors.Is(err, bloomproof.ErrUndefined) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			c := &labelChain{r: r, masks: outcomes.Masks(g), pr: 1, q: []float64{0.75, 0.25}, zeta: []float64{0.5, 0.5}}
			want, end := c.lasting()
			name := fmt.Sprintf("%v %v", g, r)
			near := func(what string, e exact.Enclosure, want float64) {
				t.Helper()
				if math.Abs(e.Float64()-want) > 1e-10 {
					t.Errorf("%s: %s = %v, want %v", name, what, e, want)
				}
			}
			near("fnr", x.FNR, want[falseNegative])
			near("lucky", x.Lucky, want[lucky])
			near("cycle", *x.Cycle, 1/want[recycles])
			near("end", x.Absorbing, end)
			checked++
		}
	}
	if checked < 8 {
		t.Errorf("only %d filters were checked", checked)
	}
}

// Where no filter ends, Lasting is Rates; where hash functions decide, it is the mean
// over those that let the filter recycle; 1000 digits overlap 17.
func TestLasting(t *testing.T) {
	g := bloomproof.Geometry{M: 6, K: 2}
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 3), Repeat: 0.5}
	rates := func(r bloomproof.Recycling, w bloomproof.Workload, prec uint, of func(*System, uint) (*Rates, error)) *Rates {
		t.Helper()
		f, err := New(g, r, w)
		if err != nil {
			t.Fatal(err)
		}
		x, err := of(f, prec)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	fresh := bloomproof.Recycling{Sigma: 3, FreshPositions: true}
	a, b := rates(fresh, w, 60, (*System).Rates), rates(fresh, w, 60, (*System).Lasting)
	if order, decided := a.FNR.Cmp(b.FNR); decided && order != 0 {
		t.Errorf("no end: %v, lasting %v", a.FNR, b.FNR)
	}
	w.Repeat = 1
	fixed := bloomproof.Recycling{Sigma: 3}
	a, b = rates(fixed, w, 60, (*System).Rates), rates(fixed, w, 60, (*System).Lasting)
	if d := a.FNR.Float64() - b.FNR.Float64()*(1-a.Absorbing.Float64()); math.Abs(d) > 1e-15 || a.Absorbing.Float64() == 0 {
		t.Errorf("fixed positions: %v, lasting %v with probability 1 - %v", a.FNR, b.FNR, a.Absorbing)
	}
	a, b = rates(fresh, w, 60, (*System).Lasting), rates(fresh, w, 3400, (*System).Lasting)
	if b.FNR.RelBits() < 3400 || !a.FNR.Overlaps(b.FNR) || !a.Absorbing.Overlaps(b.Absorbing) || a.Absorbing.Float64() == 0 {
		t.Errorf("17 digits %v, %v; 1000 digits %v, %v", a.FNR, a.Absorbing, b.FNR, b.Absorbing)
	}
	f, err := New(g, bloomproof.Recycling{Sigma: 5, FreshPositions: true}, bloomproof.Workload{Popularity: bloomproof.Uniform(1), Repeat: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Lasting(60); !errors.Is(err, bloomproof.ErrUndefined) {
		t.Errorf("one message: %v", err)
	}
}
