package fuzz

import (
	"errors"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// FuzzRates asks for what stands beside the rate of a filter: of slices of the same size and
// of one block, it is the rate of the filter itself; as a rational it is in its enclosure;
// the routes of a blocked filter agree; the complement, the distances from the bounds, the
// logarithms and the efficiency are those of the rate.
func FuzzRates(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &source{data}
		g := bloomproof.Geometry{M: max(1, s.near(40)), K: s.below(14) + 1, Hashing: bloomproof.Hashing(s.below(3))}
		n, blocks, prec := s.near(20), max(1, s.near(12)), uint(s.below(150))+1
		if g.Hashing == bloomproof.Partitioned {
			g.M = max(1, g.M/uint64(g.K)) * uint64(g.K)
		}
		if g.Validate() != nil {
			g.M += uint64(g.K)
		}
		what := g.String()
		rate, ok := asked(t, what, prec, func(prec uint) (exact.Enclosure, error) {
			e, _, err := exact.FPR(g, n, prec, exact.Auto)
			return e, err
		})
		if !ok {
			t.Fatalf("%v n=%d has no rate", g, n)
		}
		same := func(name string, e exact.Enclosure, ok bool) {
			if ok && !e.Overlaps(rate) {
				t.Fatalf("%v n=%d: %s %v, rate %v", g, n, name, e, rate)
			}
		}
		if g.Hashing == bloomproof.Partitioned {
			slices := make([]uint64, g.K)
			for i := range slices {
				slices[i] = g.M / uint64(g.K)
			}
			e, ok := asked(t, what+": slices", prec+9, func(prec uint) (exact.Enclosure, error) { return exact.FPRSlices(slices, n, prec) })
			same("by slices", e, ok)
		}
		for i, b := range []uint64{1, blocks} {
			var first exact.Enclosure
			for j, route := range []exact.Route{exact.Auto, exact.Mixture, exact.Difference} {
				if j == 1 && n/b > 300 {
					continue // a rate for each number of items
				}
				e, ok := asked(t, what+": blocked", prec+uint(j), func(prec uint) (exact.Enclosure, error) {
					e, _, err := exact.FPRBlocked(exact.Blocked{Blocks: b, Block: g}, n, prec, route)
					return e, err
				})
				if i == 0 {
					same("of one block", e, ok)
				}
				if j == 0 && ok {
					first = e
				} else if ok && !e.Overlaps(first) {
					t.Fatalf("%d blocks of %v, n=%d: %v by %v, %v by auto", b, g, n, e, route, first)
				}
			}
		}
		if float64(g.K)*float64(n)*math.Log2(float64(g.M)+1) < 3000 {
			r, err := exact.FPRRat(g, n)
			if err != nil && !errors.Is(err, exact.ErrTooCostly) || err == nil && !rate.Contains(r) {
				t.Fatalf("%v n=%d: %v, %v is not in %v", g, n, err, r, rate)
			}
		}
		checkDerived(t, g, n, prec, rate)
	})
}

// checkDerived compares what is derived from a rate with float64 of it, where these keep
// enough digits.
func checkDerived(t *testing.T, g bloomproof.Geometry, n uint64, prec uint, rate exact.Enclosure) {
	v := map[exact.Quantity]exact.Enclosure{}
	for _, q := range exact.Quantities() {
		e, err := exact.Derived(q, g, n, prec+10)
		switch {
		case errors.Is(err, exact.ErrUndefined), errors.Is(err, exact.ErrRange):
		case err != nil:
			var bad *bloomproof.ParamError
			if !errors.As(err, &bad) {
				t.Fatalf("%v n=%d: %v: %v", g, n, q, err)
			}
		default:
			cases.Add(1)
			v[q] = e
			if e.Sign() != 0 && e.RelBits() < int(prec)+10 {
				t.Fatalf("%v n=%d: %v = %v has %d bits", g, n, q, e, e.RelBits())
			}
		}
	}
	p := rate.Float64()
	close := func(name string, a, b float64) {
		if prec >= 45 && !(math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b))) && !(math.Abs(a) < 1e-290 || math.Abs(b) < 1e-290) {
			t.Fatalf("%v n=%d: %s: %v and %v", g, n, name, a, b)
		}
	}
	if e, ok := v[exact.Complement]; ok {
		if sum := e.Float64() + p; prec >= 45 && math.Abs(sum-1) > 1e-12 {
			t.Fatalf("%v n=%d: rate %v and complement %v", g, n, rate, e)
		}
	}
	ratio, excess := v[exact.BloomRatio], v[exact.BloomExcess]
	if _, ok := v[exact.BloomRatio]; ok && math.Abs(excess.Float64()) > 1e-5 {
		close("f/bloom - 1", ratio.Float64()-1, excess.Float64())
	}
	if e, ok := v[exact.UpperRatio]; ok {
		if x := v[exact.UpperExcess].Float64(); x > 1e-5 {
			close("U/f - 1", e.Float64()-1, x)
		}
		if e.Float64() < 1-1e-12 {
			t.Fatalf("%v n=%d: U/f = %v", g, n, e)
		}
	}
	if n == 0 {
		return
	}
	if square, ok := asked(t, "second moment", prec, func(prec uint) (exact.Enclosure, error) { return exact.SecondMoment(g, n, prec) }); ok {
		ordered(t, g.String()+": second moment, rate", square, rate)
		if prec >= 45 && square.Float64() < p*p*(1-1e-12) {
			t.Fatalf("%v n=%d: second moment %v, rate %v", g, n, square, rate)
		}
	}
	for _, inc := range []bloomproof.Increment{bloomproof.Distinct, bloomproof.Literal} {
		right, ok := asked(t, "correct rate", prec, func(prec uint) (exact.Enclosure, error) { return exact.CorrectRate(g, n, inc, prec) })
		lower, upper, err := exact.CorrectRateBounds(g, n, inc, prec)
		if err != nil {
			t.Fatalf("%v n=%d: bounds of the correct rate: %v", g, n, err)
		}
		if ok && lower != nil {
			ordered(t, g.String()+": bound, correct rate", *lower, right)
		}
		if ok && upper != nil {
			ordered(t, g.String()+": correct rate, bound", right, *upper)
		}
	}
	log2, ok2 := asked(t, "log2", prec, func(prec uint) (exact.Enclosure, error) { return exact.Log2(exact.Rate, g, n, prec) })
	log10, ok10 := asked(t, "log10", prec, func(prec uint) (exact.Enclosure, error) { return exact.Log10(exact.Rate, g, n, prec) })
	efficiency, okE := asked(t, "efficiency", prec, func(prec uint) (exact.Enclosure, error) { return exact.Efficiency(g, n, prec) })
	if ok2 && ok10 {
		close("logarithms", log2.Float64()*math.Log10(2), log10.Float64())
	}
	if ok2 && okE {
		close("efficiency", -log2.Float64()*float64(n)/float64(g.M), efficiency.Float64())
	}
}
