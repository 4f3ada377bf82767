package fuzz

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// FuzzOptimum asks for the best k, the fewest bits and the most items: the certified answer keeps
// the rate asked for, its neighbours do not keep it or are no better, and the float64 answer is the
// same wherever it says that it is certain.
func FuzzOptimum(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &source{data}
		h, what, k := bloomproof.Hashing(s.below(3)), s.below(3), s.below(14)
		size, load, p := max(2, s.near(40)), s.unit(7), s.unit(30)
		rate := new(big.Rat).SetFloat64(p)
		var got approx.Optimum
		var want exact.Optimum
		var err, errExact error
		name := fmt.Sprintf("%v size %d k %d p %v", h, size, k, p)
		switch what {
		case 0:
			n := 1 + uint64(float64(size)*load)
			name += fmt.Sprintf(" n %d", n)
			got, err = approx.OptimalK(bloomproof.Geometry{M: size, Hashing: h}, n)
			want, errExact = exact.OptimalK(bloomproof.Geometry{M: size, Hashing: h}, n, 60)
		case 1:
			got, err = approx.MostItems(bloomproof.Geometry{M: size, K: k, Hashing: h}, p)
			want, errExact = exact.MostItems(bloomproof.Geometry{M: size, K: k, Hashing: h}, rate, 60)
		case 2:
			size >>= 8
			got, err = approx.LeastBits(bloomproof.Geometry{K: k, Hashing: h}, size, p)
			want, errExact = exact.LeastBits(bloomproof.Geometry{K: k, Hashing: h}, size, rate, 60)
		}
		var bad *bloomproof.ParamError
		switch {
		case errors.Is(err, bloomproof.ErrRange) || errors.Is(errExact, bloomproof.ErrRange):
			return // near 2^64 the two may judge differently
		case errors.As(err, &bad) && errors.As(errExact, &bad):
			return
		case errors.Is(errExact, exact.ErrPrecision):
			return
		case err != nil || errExact != nil:
			t.Fatalf("%s: %v, %v", name, err, errExact)
		}
		cases.Add(1)
		rival := got.Rival != 0 && (got.Geometry.K == want.Geometry.K || got.Rival == want.Geometry.K)
		same := got.Geometry.M == want.Geometry.M && got.N == want.N && (got.Geometry.K == want.Geometry.K && got.Geometry.K == want.Last || rival || got.N == 0 || got.Geometry.M == 1)
		if got.Certain && !same {
			t.Fatalf("%s: %+v is certain, but it is m=%d n=%d k=%d to %d", name, got, want.Geometry.M, want.N, want.Geometry.K, want.Last)
		}
		if r := want.Rate.Float64(); same && math.Abs(got.Rate-r) > 1e-11*r {
			t.Fatalf("%s: rate %v, want %v", name, got.Rate, want.Rate)
		}
		if longtest.Part(2, data...)(0) {
			checkOptimum(t, name, h, what, want, rate)
		}
	})
}

// checkOptimum compares the answer with its neighbours.
func checkOptimum(t *testing.T, name string, h bloomproof.Hashing, what int, o exact.Optimum, p *big.Rat) {
	at := func(m, n uint64, k int) (e exact.Enclosure, ok bool) {
		g := bloomproof.Geometry{M: m, K: k, Hashing: h}
		if k < 1 || k > bloomproof.MaxK || g.Validate() != nil {
			return e, false
		}
		e, _, err := exact.FPR(g, n, 60, exact.Auto)
		if err != nil {
			t.Fatalf("%s: %v n=%d: %v", name, g, n, err)
		}
		return e, true
	}
	if e, ok := at(o.Geometry.M, o.N, o.Geometry.K); ok && !e.Overlaps(o.Rate) {
		t.Fatalf("%s: rate %v, not %v", name, e, o.Rate)
	}
	limit := func(what string, m, n uint64, sign int) {
		e, ok := at(m, n, o.Geometry.K)
		if !ok {
			return
		}
		if order, decided := cmpRat(e, p); decided && order == -sign {
			t.Fatalf("%s: with %s the rate %v is on the wrong side of %v", name, what, e, p)
		}
	}
	step := uint64(1)
	if h == bloomproof.Partitioned {
		step = uint64(o.Geometry.K)
	}
	switch what {
	case 0:
		for _, k := range []int{o.Geometry.K - 1, o.Last + 1} {
			if e, ok := at(o.Geometry.M, o.N, k); ok {
				ordered(t, fmt.Sprintf("%s: best k %d, beside %d", name, o.Geometry.K, k), o.Rate, e)
			}
		}
	case 1:
		if o.N > 0 {
			limit("the answer", o.Geometry.M, o.N, -1)
		}
		limit("one item more", o.Geometry.M, o.N+1, +1)
	case 2:
		limit("the answer", o.Geometry.M, o.N, -1)
		if o.Geometry.M > step {
			limit("fewer bits", o.Geometry.M-step, o.N, +1)
		}
	}
}

// cmpRat compares an enclosure with a rational, where it can be decided.
func cmpRat(e exact.Enclosure, r *big.Rat) (order int, decided bool) {
	lo, _ := e.Lo().Rat(nil)
	hi, _ := e.Hi().Rat(nil)
	switch {
	case lo.Cmp(r) > 0:
		return 1, true
	case hi.Cmp(r) < 0:
		return -1, true
	}
	return 0, false
}
