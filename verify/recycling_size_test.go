package verify

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	approxrecycling "github.com/bloomproof/bloomproof/approx/recycling"
	"github.com/bloomproof/bloomproof/exact"
	exactrecycling "github.com/bloomproof/bloomproof/exact/recycling"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// recyclings are the rules whose thresholds are sized, their bound left out.
func recyclings() []bloomproof.Recycling {
	var all []bloomproof.Recycling
	for _, retain := range []bool{false, true} {
		all = append(all, bloomproof.Recycling{Retain: retain})
		for _, noCopy := range []bool{false, true} {
			for _, freezeBefore := range []bool{false, true} {
				for _, fresh := range []bool{false, true} {
					all = append(all, bloomproof.Recycling{Retain: retain, TwoPhase: true, NoCopyOver: noCopy, FreezeBefore: freezeBefore, FreshPositions: fresh})
				}
			}
		}
	}
	return all
}

// exactCycle returns the exact rate and capacity, nil where package exact has none.
func exactCycle(t *testing.T, g bloomproof.Geometry, r bloomproof.Recycling) (rate, capacity *exact.Enclosure) {
	t.Helper()
	var param *bloomproof.ParamError
	c, err := exactrecycling.New(g, r)
	if errors.As(err, &param) {
		return nil, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	f, err := c.FPR(64)
	if errors.Is(err, bloomproof.ErrUndefined) && r.NoCopyOver && !r.FreshPositions { // chance decides
		return nil, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	rate = &f
	n, err := c.Capacity(64)
	if errors.Is(err, bloomproof.ErrUndefined) { // absorbing
		return rate, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return rate, &n
}

// atMost reports whether a rate is at most p; it is decided.
func atMost(t *testing.T, f exact.Enclosure, p float64) bool {
	t.Helper()
	target := new(big.Float).SetFloat64(p)
	if r, ok := f.Rat(); ok {
		x, _ := target.Rat(nil)
		return r.Cmp(x) <= 0
	}
	if f.Lo().Cmp(target) <= 0 && f.Hi().Cmp(target) > 0 {
		t.Fatalf("%v is not told from %v", f, p)
	}
	return f.Lo().Cmp(target) <= 0
}

// The rate and the capacity grow with sigma in every filter that package exact can
// enumerate quickly: what the sizes with retaining, or without copy-over, rest on.
//
// Claims: dozier-fp.1.grows.
func TestRateGrowsWithSigma(t *testing.T) {
	most := longtest.More(4, 8)
	steps := 0
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for _, r := range recyclings() {
			for m := 2; m <= most; m++ {
				for k := 1; k <= 4; k++ {
					g := bloomproof.Geometry{M: uint64(m), K: k, Hashing: h}
					if g.Validate() != nil {
						continue
					}
					var lastRate, lastCapacity *exact.Enclosure
					for sigma := range uint64(m) {
						r := r
						if r.Sigma = sigma; r.Validate(g) != nil {
							continue
						}
						rate, capacity := exactCycle(t, g, r)
						if rate == nil {
							continue
						}
						name := fmt.Sprintf("%v, %v", g, r)
						if lastRate != nil {
							steps++
							if order, _ := rate.Cmp(*lastRate); order < 0 {
								t.Errorf("%s: the rate falls from %v to %v", name, lastRate, rate)
							}
						}
						if lastCapacity != nil && capacity != nil {
							if order, _ := capacity.Cmp(*lastCapacity); order < 0 {
								t.Errorf("%s: the capacity falls from %v to %v", name, lastCapacity, capacity)
							}
						}
						lastRate, lastCapacity = rate, capacity
					}
				}
			}
		}
	}
	if t.Logf("%d steps", steps); steps < 100 {
		t.Errorf("%d steps", steps)
	}
}

// Where MostMessages is certain of a threshold, the exact rate there is at most the target
// and that of the next one is not; a k that it excluded has less capacity.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestMostMessages(t *testing.T) {
	sizes := []uint64{7, 30, 64, 300, 5000}
	sizes = sizes[:longtest.More(1, 5)]
	asked, certain := 0, 0
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for i, r := range recyclings() {
			for _, m := range sizes {
				if !longtest.Enabled() && m > 7 && i%3 != int(h) {
					continue // the others take as long
				}
				if m > 300 && r.Retain || r.TwoPhase && (m > 30 || m > 7 && r.Retain) {
					continue // slow in package exact
				}
				for _, p := range []float64{1e-4, 0.01, 0.2} {
					var param *bloomproof.ParamError
					best, err := approxrecycling.Optimum{K: 3}, error(nil)
					if !r.NoCopyOver && m > 7 { // small filters have many k that are not excluded
						best, err = approxrecycling.MostMessages(bloomproof.Geometry{M: m, Hashing: h}, r, p)
					}
					if errors.Is(err, bloomproof.ErrUndefined) || errors.As(err, &param) {
						continue
					}
					if err != nil {
						t.Fatalf("MostMessages(%v, %d, %v, %v): %v", h, m, r, p, err)
					}
					for _, k := range []int{max(1, best.K-1), best.K, best.K + 1} {
						o, err := approxrecycling.MostMessages(bloomproof.Geometry{M: m, K: k, Hashing: h}, r, p)
						if errors.Is(err, bloomproof.ErrUndefined) || errors.As(err, &param) {
							continue
						}
						if err != nil {
							t.Fatalf("MostMessages(%v, %d, %d, %v, %v): %v", h, m, k, r, p, err)
						}
						asked++
						name := fmt.Sprintf("MostMessages(%v, %d, %d, %v, %v) = %+v", h, m, k, r, p, o)
						if !o.Certain {
							continue
						}
						certain++
						g := bloomproof.Geometry{M: m, K: k, Hashing: h}
						r := r
						r.Sigma = o.Sigma
						rate, capacity := exactCycle(t, g, r)
						if rate == nil {
							continue
						}
						if !atMost(t, *rate, p) {
							t.Errorf("%s: the exact rate is %v", name, rate)
						}
						if r.Sigma++; r.Sigma < m {
							if next, _ := exactCycle(t, g, r); atMost(t, *next, p) {
								t.Errorf("%s: at sigma+1 the exact rate is still %v", name, next)
							}
						}
						if capacity != nil && k != best.K && best.Excluded && best.Certain && capacity.Float64() > best.Capacity*(1+1e-9) {
							t.Errorf("%s: more than the best, %+v", name, best)
						}
					}
				}
			}
		}
	}
	if t.Logf("%d of %d certain", certain, asked); certain < 50 || certain*10 < asked*9 {
		t.Errorf("%d of %d certain", certain, asked)
	}
}
