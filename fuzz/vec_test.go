package fuzz

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	exactrecycling "github.com/bloomproof/bloomproof/exact/recycling"
	"github.com/bloomproof/bloomproof/kernel/vec"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// FuzzVec compares the step of the transition recursion, on which approx is based, with certified
// probabilities: the rows themselves, their weighted sums, a distribution after a message, and the
// visits of a cycle are each within their stated error.
func FuzzVec(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &source{data}
		x := vec.Message{M: s.near(9) + 1, K: s.below(14) + 1, Distinct: s.bool()}
		if x.Distinct && uint64(x.K) > x.M {
			x.M += uint64(x.K)
		}
		g := bloomproof.Geometry{M: x.M, K: x.K}
		if x.Distinct {
			g.Hashing = bloomproof.Classic
		}
		n := min(uint64(s.below(20))+1, x.M)
		first := s.near(9) % (x.M - n + 1)
		weights := make([]float64, n)
		for i := range weights {
			weights[i] = s.unit(40)
		}
		tau := func(i, d uint64) *big.Float { // tau(i, i+d)
			if i+d > x.M {
				return new(big.Float)
			}
			e, err := exactrecycling.Transition(g, i, i+d, 80, exact.Recursive)
			if err != nil {
				t.Fatalf("%+v: tau(%d, %d): %v", x, i, i+d, err)
			}
			return e.Hi()
		}
		u := 0x1p-53
		near := func(what string, got float64, want *big.Float, bound float64) {
			cases.Add(1)
			w, _ := want.Float64()
			if !(math.Abs(got-w) <= bound*u*w+0x1p-1000) {
				t.Fatalf("%+v from %d: %s is %g, want %g, bound %g u", x, first, what, got, w, bound)
			}
		}
		k := uint64(x.K)
		rows := make([]float64, (k+1)*n)
		x.Rows(rows, first)
		sums := make([]float64, k+1)
		x.Sums(sums, weights, first)
		after := slices.Clone(weights)
		x.Advance(after, first)
		known := map[[2]uint64]*big.Float{}
		at := func(j, d uint64) *big.Float {
			if known[[2]uint64{j, d}] == nil {
				known[[2]uint64{j, d}] = tau(first+j, d)
			}
			return known[[2]uint64{j, d}]
		}
		part, visits := longtest.Part(4, data...), longtest.Part(8, data...)
		for j := range n {
			for d := range k + 1 {
				if part(int(j+d) % 4) {
					near("Rows", rows[d*n+j], at(j, d), 4*float64(k)+2)
				}
			}
		}
		add := func(sum *big.Float, w float64, p *big.Float) {
			sum.Add(sum, new(big.Float).SetPrec(120).Mul(new(big.Float).SetPrec(120).SetFloat64(w), p))
		}
		for d := range k + 1 {
			if !part(int(d) % 4) {
				continue
			}
			sum := new(big.Float).SetPrec(120)
			for j := range n {
				add(sum, weights[j], at(j, d))
			}
			near("Sums", sums[d], sum, 4*float64(k)+float64(n)/8+6)
		}
		for j := range n {
			if !part(int(j) % 4) {
				continue
			}
			sum := new(big.Float).SetPrec(120)
			for d := range min(k, j) + 1 {
				add(sum, weights[j-d], at(j-d, d))
			}
			near("Advance", after[j], sum, 4*float64(k)+2)
		}
		if visits(0) {
			checkVisits(t, x, n, near, tau)
		}
	})
}

// checkVisits solves the recursion of Visits for a filter that is empty at first.
func checkVisits(t *testing.T, x vec.Message, n uint64, near func(string, float64, *big.Float, float64), tau func(i, d uint64) *big.Float) {
	got := make([]float64, n)
	got[0] = 1
	x.Visits(got)
	want := make([]*big.Float, n)
	for b := range n {
		sum := new(big.Float).SetPrec(120)
		if b == 0 {
			sum.SetFloat64(1)
		}
		for d := uint64(1); d <= min(uint64(x.K), b); d++ {
			sum.Add(sum, new(big.Float).SetPrec(120).Mul(want[b-d], tau(b-d, d)))
		}
		stay := new(big.Float).SetPrec(120).Sub(new(big.Float).SetInt64(1), tau(b, 0))
		want[b] = sum.Quo(sum, stay)
		near("Visits", got[b], want[b], 25*float64(x.K)*float64(b+1)+2)
	}
}
