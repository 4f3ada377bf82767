package fuzz

import (
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// FuzzRates checks quantities that are related to the rate of a filter: the rates of slices of the
// same size and of one block are the rate of the filter itself; the rate as a rational is in its
// enclosure; the routes of a blocked filter agree; and the complement, the distances from the
// bounds, the logarithms and the efficiency follow from the rate.
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
		part := longtest.Part(4, data...)
		for i, b := range []uint64{1, blocks} {
			if !part(i) {
				continue
			}
			var first exact.Enclosure
			blocked := g
			blocked.M, blocked.Block = b*g.M, g.M
			if blocked.M/b != g.M {
				continue // beyond 2^64 bits
			}
			for j, route := range []exact.Route{exact.Auto, "mixture", "difference"} {
				if j == 1 && n/b > 300 {
					continue // a rate for each number of items
				}
				e, ok := asked(t, what+": blocked", prec+uint(j), func(prec uint) (exact.Enclosure, error) {
					e, _, err := exact.FPR(blocked, n, prec, route)
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
		if r, ok := rate.Rat(); ok && !rate.Contains(r) {
			t.Fatalf("%v n=%d: %v is not in %v", g, n, r, rate)
		}
		if part(2) {
			checkDerived(t, g, n, prec, rate)
		}
		if part(3) && n > 0 {
			checkCorrect(t, g, n, prec)
		}
	})
}

// checkDerived compares what is derived from a rate with float64 of it, where these keep
// enough digits.
func checkDerived(t *testing.T, g bloomproof.Geometry, n uint64, prec uint, rate exact.Enclosure) {
	p := rate.Float64()
	close := func(name string, a, b float64) {
		if prec >= 45 && !(math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b))) && !(math.Abs(a) < 1e-290 || math.Abs(b) < 1e-290) {
			t.Fatalf("%v n=%d: %s: %v and %v", g, n, name, a, b)
		}
	}
	if e, ok := asked(t, "complement", prec+10, func(prec uint) (exact.Enclosure, error) { return exact.Complement(g, n, prec) }); ok {
		if sum := e.Float64() + p; prec >= 45 && math.Abs(sum-1) > 1e-12 {
			t.Fatalf("%v n=%d: rate %v and complement %v", g, n, rate, e)
		}
	}
	if n == 0 {
		return
	}
	bounds, err := exact.Bounds(g, n, prec+10)
	if err != nil {
		t.Fatalf("Bounds(%v, n=%d): %v", g, n, err)
	}
	for _, kind := range []bloomproof.Bound{bloomproof.BoundBloom, bloomproof.BoundUpper} {
		b, ok := bounds[kind]
		if !ok {
			continue
		}
		e, ok := asked(t, "excess over "+string(kind), prec+10, func(prec uint) (exact.Enclosure, error) { return exact.Excess(kind, g, n, prec) })
		if x := e.Float64(); ok && x < 0 {
			t.Fatalf("%v n=%d: the excess over %v is %v", g, n, kind, e)
		} else if ratio := max(p/b.Float64(), b.Float64()/p); ok && x > 1e-5 {
			close("the excess over "+string(kind), ratio-1, x)
		}
	}
	if square, ok := asked(t, "second moment", prec, func(prec uint) (exact.Enclosure, error) { return exact.SecondMoment(g, n, prec) }); ok {
		ordered(t, g.String()+": second moment, rate", square, rate)
		if prec >= 45 && square.Float64() < p*p*(1-1e-12) {
			t.Fatalf("%v n=%d: second moment %v, rate %v", g, n, square, rate)
		}
	}
	ln, ok1 := asked(t, "logarithm", prec, func(prec uint) (exact.Enclosure, error) { return exact.LogFPR(g, n, prec) })
	efficiency, ok2 := asked(t, "efficiency", prec, func(prec uint) (exact.Enclosure, error) { return exact.Efficiency(g, n, prec) })
	if ok1 && p < 0.9 {
		close("the logarithm", ln.Float64(), math.Log(p))
	}
	if ok1 && ok2 {
		close("efficiency", -ln.Float64()/math.Ln2*float64(n)/float64(g.M), efficiency.Float64())
	}
}

// checkCorrect compares the correct rates with their bounds.
func checkCorrect(t *testing.T, g bloomproof.Geometry, n uint64, prec uint) {
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
}
