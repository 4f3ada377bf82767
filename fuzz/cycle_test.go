package fuzz

import (
	"errors"
	"testing"

	"github.com/bloomproof/bloomproof"
	approxrecycling "github.com/bloomproof/bloomproof/approx/recycling"
	"github.com/bloomproof/bloomproof/exact"
	exactrecycling "github.com/bloomproof/bloomproof/exact/recycling"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// decodeRule reads a recycling rule of any kind, bounds within those of a filter of m bits.
func decodeRule(s *source, m uint64) bloomproof.Recycling {
	flags := s.byte()
	r := bloomproof.Recycling{
		Retain: flags&1 != 0, NoCopyOver: flags&2 != 0,
		TwoPhase: flags>>2&1 != 0, FreezeBefore: flags>>3&1 != 0, FreshPositions: flags>>4&1 != 0,
	}
	if bound := s.near(16); flags&32 != 0 {
		r.Messages = bound%24 + 1
	} else {
		r.Sigma = bound % m
	}
	return r
}

// asked returns a number of package exact; ok is false where it refuses, because of its cost
// or range, because it is undefined, or because its domain leaves these arguments out.
func asked(t *testing.T, what string, prec uint, f func(prec uint) (exact.Enclosure, error)) (e exact.Enclosure, ok bool) {
	t.Helper()
	cases.Add(1)
	e, err := f(prec)
	var outside *bloomproof.ParamError
	switch {
	case errors.As(err, &outside), errors.Is(err, bloomproof.ErrTooCostly), errors.Is(err, bloomproof.ErrUndefined), errors.Is(err, bloomproof.ErrRange), errors.Is(err, exact.ErrPrecision):
		return e, false
	case err != nil:
		t.Fatalf("%s: %v", what, err)
	case e.Sign() != 0 && e.RelBits() < int(prec), e.Sign() == 0 && e.Hi().Sign() != 0:
		t.Fatalf("%s = %v with %d bits, %d asked", what, e, e.RelBits(), prec)
	}
	return e, true
}

// ordered fails unless a <= b may hold.
func ordered(t *testing.T, what string, a, b exact.Enclosure) {
	t.Helper()
	if order, decided := a.Cmp(b); decided && order > 0 {
		t.Fatalf("%s: %v > %v", what, a, b)
	}
}

// FuzzCycle asks for the numbers of a recycling filter's cycle by the chain, by the closed
// form and as the rational: enclosures overlap and keep their precision, the laws add up, the
// means are ordered as they are claimed to be, and approx is within its bound.
func FuzzCycle(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &source{data}
		g := bloomproof.Geometry{M: s.near(9) + 1, K: s.below(8) + 1, Hashing: bloomproof.Hashing(s.below(2))}
		r := decodeRule(s, g.M)
		b, prec := s.near(9), uint(s.below(120))+1
		part := longtest.Part(6, data...)
		if r.TwoPhase && (r.NoCopyOver || r.Retain || r.Messages > 0) && (g.M > 60 || g.K > 4) {
			return // seconds
		}
		c, err := exactrecycling.New(g, r)
		invalid := g.Validate()
		if invalid == nil {
			invalid = r.Validate(g)
		}
		if (err == nil) != (invalid == nil) {
			t.Fatalf("%v %v: %v, but %v", g, r, err, invalid)
		}
		if err != nil {
			return
		}
		name := g.String() + " " + r.String()
		type number = struct {
			name string
			of   func(*exactrecycling.Cycle) func(uint) (exact.Enclosure, error)
		}
		numbers := []number{
			{"FPR", func(c *exactrecycling.Cycle) func(uint) (exact.Enclosure, error) { return c.FPR }},
			{"Capacity", func(c *exactrecycling.Cycle) func(uint) (exact.Enclosure, error) { return c.Capacity }},
		}
		if r.Messages == 0 {
			numbers = append(numbers,
				number{"State", func(c *exactrecycling.Cycle) func(uint) (exact.Enclosure, error) {
					return func(prec uint) (exact.Enclosure, error) { return c.State(b, prec) }
				}},
				number{"MessagesFrom", func(c *exactrecycling.Cycle) func(uint) (exact.Enclosure, error) {
					return func(prec uint) (exact.Enclosure, error) { return c.MessagesFrom(b, prec) }
				}},
				number{"Frozen", func(c *exactrecycling.Cycle) func(uint) (exact.Enclosure, error) {
					return func(prec uint) (exact.Enclosure, error) { return c.Frozen(b, r.FreezeBefore, prec) }
				}},
			)
		}
		values := map[string]exact.Enclosure{}
		for i, x := range numbers {
			if !part(i) {
				continue
			}
			first, ok := asked(t, name+": "+x.name, prec, x.of(c))
			if !ok {
				continue
			}
			values[x.name] = first
			for i, route := range c.Routes() {
				via, err := c.Via(route)
				if err != nil {
					t.Fatalf("%s: Via(%v): %v", name, route, err)
				}
				e, ok := asked(t, name+": "+x.name+" by "+string(route), prec+uint(7*i), x.of(via))
				if ok && !e.Overlaps(first) {
					t.Fatalf("%s: %s is %v by %v, %v by auto", name, x.name, e, route, first)
				}
			}
		}
		p, rated := values["FPR"]
		if rated && (p.Float64() > 1 || p.Sign() < 0) {
			t.Fatalf("%s: rate %v", name, p)
		}
		if _, long := values["Capacity"]; rated || long {
			checkApproxCycle(t, name, g, r, c, values)
		}
		if !part(5) {
			return
		}
		if r.Messages == 0 && !r.NoCopyOver {
			checkLength(t, name, c, b, prec)
		} else if r.Messages > 0 {
			checkMeans(t, name, g, r, c, prec)
		}
	})
}

// checkApproxCycle holds approx to its bound.
func checkApproxCycle(t *testing.T, name string, g bloomproof.Geometry, r bloomproof.Recycling, c *exactrecycling.Cycle, values map[string]exact.Enclosure) {
	got, err := approxrecycling.New(g, r)
	var bad *bloomproof.ParamError
	switch {
	case errors.As(err, &bad): // it says which rules it knows
		return
	case errors.Is(err, bloomproof.ErrTooCostly):
		return
	case c.Absorbing() != errors.Is(err, bloomproof.ErrUndefined):
		t.Fatalf("%s: absorbing %t, approx: %v", name, c.Absorbing(), err)
	case err != nil:
		return
	}
	for what, x := range map[string]float64{"FPR": got.FPR(), "Capacity": got.Capacity()} {
		want, ok := values[what]
		if w := want.Float64(); ok && want.RelBits() > 60 && !(x >= w*(1-got.Bound()-1e-15) && x <= w*(1+got.Bound()+1e-15)) {
			t.Fatalf("%s: %s is %v by approx, %v by exact, bound %g", name, what, x, want, got.Bound())
		}
	}
}

// checkLength: the probabilities of a length add up.
func checkLength(t *testing.T, name string, c *exactrecycling.Cycle, n uint64, prec uint) {
	get := func(what string, f func(uint64, uint) (exact.Enclosure, error), n uint64) (exact.Enclosure, bool) {
		return asked(t, name+": "+what, prec, func(prec uint) (exact.Enclosure, error) { return f(n, prec) })
	}
	n = n%40 + 1
	below, ok1 := get("LengthAtMost", c.LengthAtMost, n-1)
	upTo, ok2 := get("LengthAtMost", c.LengthAtMost, n)
	above, ok3 := get("LengthAbove", c.LengthAbove, n)
	at, ok4 := get("LengthPMF", c.LengthPMF, n)
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return
	}
	ordered(t, name+": LengthAtMost", below, upTo)
	for _, sum := range []float64{upTo.Float64() + above.Float64(), below.Float64() + at.Float64() + above.Float64()} {
		if off := sum - 1; prec >= 50 && (off > 1e-12 || off < -1e-12) {
			t.Fatalf("%s: probabilities of the length %d sum to %v: %v, %v, %v, %v", name, n, sum, below, at, upTo, above)
		}
	}
}

// checkMeans: oracle <= average <= long-run rate.
func checkMeans(t *testing.T, name string, g bloomproof.Geometry, r bloomproof.Recycling, c *exactrecycling.Cycle, prec uint) {
	if r.TwoPhase || g.Hashing != bloomproof.Standard {
		return
	}
	var e [3]exact.Enclosure
	for i, f := range []func(uint) (exact.Enclosure, error){c.Oracle, c.Average, c.FPR} {
		var ok bool
		if e[i], ok = asked(t, name+": a mean", prec, f); !ok {
			return
		}
	}
	ordered(t, name+": oracle, average", e[0], e[1])
	if !r.Retain {
		ordered(t, name+": average, rate", e[1], e[2])
	}
}
