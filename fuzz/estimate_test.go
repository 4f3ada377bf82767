package fuzz

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// FuzzEstimate estimates the number of items from the set bits of any filter: the float64 estimate
// is within its stated error of the certified estimate, more set bits give more items, the
// likeliest number is in the interval of every level that its probability exceeds, and intervals of
// higher levels are wider.
func FuzzEstimate(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &source{data}
		g := bloomproof.Geometry{M: max(1, s.near(48)), K: s.below(20) + 1, Hashing: bloomproof.Hashing(s.below(3))}
		if g.Hashing == bloomproof.Partitioned {
			g.M = max(1, g.M/uint64(g.K)) * uint64(g.K)
		}
		b := s.near(48)
		if s.bool() && g.M > 0 {
			b = uint64(float64(g.M) * s.unit(10))
		}
		a := [2]float64{s.unit(20) / 2, s.unit(20) / 2}
		if a[0] > a[1] {
			a[0], a[1] = a[1], a[0]
		}
		at := func(b uint64) (exact.Enclosure, bool, error) {
			e, err := exact.EstimateItems(g, b, 60)
			var bad *bloomproof.ParamError
			return e, err == nil, map[bool]error{true: nil, false: err}[errors.As(err, &bad) || errors.Is(err, bloomproof.ErrUndefined)]
		}
		part := longtest.Part(3, data...)
		if part(0) {
			e, ok, err := at(b)
			if err != nil {
				t.Fatalf("%v b=%d: %v", g, b, err)
			}
			x, errApprox := approx.EstimateItems(g, b)
			if ok {
				if errApprox != nil {
					t.Fatalf("%v b=%d: exact %v, approx %v", g, b, e, errApprox)
				}
				cases.Add(1)
				if w := e.Float64(); !(math.Abs(x-w) <= 5*0x1p-53*w) {
					t.Fatalf("%v b=%d: %v by approx, %v by exact", g, b, x, e)
				}
				if more, ok, _ := at(b + 1); ok {
					ordered(t, g.String()+": one bit more", e, more)
				}
			}
		}
		if !part(1) && !part(2) {
			return
		}
		if g.M > 4096 && g.Hashing != bloomproof.Standard || g.M > 1<<30 {
			return // tails that take seconds
		}
		var likely uint64
		errLikely := exact.ErrPrecision // not asked
		if part(1) {
			likely, _, errLikely = exact.LikelyItems(g, b)
		}
		var in [2]struct{ low, high uint64 }
		empty := func(i int) bool { return in[i].low > in[i].high }
		for i := range in {
			if i == 1 && !part(2) {
				return
			}
			alpha := new(big.Rat).SetFloat64(a[i])
			low, high, unbounded, err := exact.ItemsInterval(g, b, alpha)
			if err != nil {
				return
			}
			cases.Add(1)
			if unbounded {
				high = math.MaxUint64
			}
			if in[i].low, in[i].high = low, high; empty(i) {
				continue
			}
			if errLikely == nil && (likely < low || likely > high) && probable(t, g, likely, b, alpha) {
				t.Fatalf("%v b=%d: likeliest %d, outside of %+v at %v", g, b, likely, in[i], a[i])
			}
		}
		if part(2) && !empty(1) && (empty(0) || in[0].low > in[1].low || in[0].high < in[1].high) {
			t.Fatalf("%v b=%d: %+v at %v, %+v at %v", g, b, in[0], a[0], in[1], a[1])
		}
	})
}

// probable reports whether n items set b bits with a probability above alpha/2, so that n is
// in the interval of alpha.
func probable(t *testing.T, g bloomproof.Geometry, n, b uint64, alpha *big.Rat) bool {
	law, err := lawOf(g, n)
	if err != nil {
		return false
	}
	p, ok := asked(t, "PMF", 60, func(prec uint) (exact.Enclosure, error) { return law.PMF(b, prec, exact.Auto) })
	order, decided := cmpRat(p, new(big.Rat).Quo(alpha, big.NewRat(2, 1)))
	return ok && decided && order > 0
}
