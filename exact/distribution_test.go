package exact

import (
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// lawCase is a distribution with how it was made.
type lawCase struct {
	name string
	Distribution
	counts []*big.Rat // P[X = i] for i = 0..m, by walking through all outcomes
}

// subsets returns the k-subsets of m urns as masks.
func subsets(m int, k uint64) []uint32 {
	var all []uint32
	for mask := range uint32(1) << m {
		if uint64(bits.OnesCount32(mask)) == k {
			all = append(all, mask)
		}
	}
	return all
}

// walkDepartment returns how many outcomes of its committees leave each set of urns.
func walkDepartment(m int, d []Committees) (states []*big.Int, outcomes int) {
	states = make([]*big.Int, 1<<m)
	for i := range states {
		states[i] = new(big.Int)
	}
	states[0].SetInt64(1)
	outcomes = 1
	for _, c := range d {
		for range c.Count {
			next := make([]*big.Int, 1<<m)
			for i := range next {
				next[i] = new(big.Int)
			}
			all := subsets(m, c.Size)
			outcomes *= len(all)
			for state, count := range states {
				if count.Sign() == 0 {
					continue
				}
				for _, mask := range all {
					x := next[uint32(state)|mask]
					x.Add(x, count)
				}
			}
			states = next
		}
	}
	return states, outcomes
}

// walk returns P[X = i] of the union or intersection of the departments, whichever
// join is, and of the shared committees with that.
func walk(m int, departments [][]Committees, join func(a, b uint32) uint32, shared []Committees) []*big.Rat {
	states, outcomes := walkDepartment(m, departments[0])
	combine := func(d []Committees, join func(a, b uint32) uint32) {
		other, more := walkDepartment(m, d)
		next := make([]*big.Int, 1<<m)
		for i := range next {
			next[i] = new(big.Int)
		}
		t := new(big.Int)
		for a, x := range states {
			for b, y := range other {
				z := next[join(uint32(a), uint32(b))]
				z.Add(z, t.Mul(x, y))
			}
		}
		states, outcomes = next, outcomes*more
	}
	for _, d := range departments[1:] {
		combine(d, join)
	}
	combine(shared, or)
	p := make([]*big.Rat, m+1)
	for i := range p {
		p[i] = new(big.Rat)
	}
	for state, count := range states {
		x := p[bits.OnesCount32(uint32(state))]
		x.Add(x, new(big.Rat).SetFrac(count, big.NewInt(int64(outcomes))))
	}
	return p
}

func or(a, b uint32) uint32  { return a | b }
func and(a, b uint32) uint32 { return a & b }

// tinyDepartments returns departments of m urns small enough to walk through.
func tinyDepartments(m int) [][]Committees {
	all := [][]Committees{{}, {{1, 3}}}
	for k := 1; k <= m; k++ {
		all = append(all, []Committees{{uint64(k), 1}})
		if k > 1 {
			all = append(all, []Committees{{uint64(k), 2}}, []Committees{{uint64(k), 1}, {1, 1}})
		}
	}
	return all
}

// eachTinyLaw calls f for many small distributions with their probabilities by enumeration.
func eachTinyLaw(t *testing.T, f func(c lawCase)) {
	t.Helper()
	call := func(name string, l Distribution, err error, p []*big.Rat) {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		f(lawCase{name, l, p})
	}
	most := 5
	if testing.Short() {
		most = 4
	}
	for m := 1; m <= most; m++ {
		urns := uint64(m)
		for n := range uint64(7) {
			l, err := occupancyOf(urns, n)
			call(fmt.Sprintf("occupancy m=%d balls=%d", m, n), l, err, walk(m, [][]Committees{{{1, n}}}, or, nil))
			for k := 2; k <= m && n <= 3; k++ {
				l, err := committeeOf(urns, uint64(k), n)
				call(fmt.Sprintf("committee m=%d k=%d n=%d", m, k, n), l, err, walk(m, [][]Committees{{{uint64(k), n}}}, or, nil))
			}
		}
		all := tinyDepartments(m)
		for i, a := range all {
			for j, b := range all[i:] {
				if !longtest.Enabled() && (m == 5 && (i+j)%12 != 0 || m == 4 && (i+j)%6 != 0 || m == 3 && (i+j)%2 != 0) {
					continue
				}
				two := [][]Committees{a, b}
				name := fmt.Sprintf(" m=%d %v", m, two)
				l, err := Union(urns, two...)
				call("union"+name, l, err, walk(m, two, or, nil))
				l, err = Intersection(urns, two...)
				call("intersection"+name, l, err, walk(m, two, and, nil))
				if (i+j)%3 != 0 {
					continue
				}
				three := append(two, all[(3*i+2*j)%len(all)])
				l, err = Intersection(urns, three...)
				call(fmt.Sprintf("intersection m=%d %v", m, three), l, err, walk(m, three, and, nil))
				for _, shared := range [][]Committees{{{1, 2}}, {{min(2, urns), 1}}} {
					l, err := Intersection(urns, two...)
					own, err2 := Union(urns, shared)
					l.shared = own.departments[0]
					call(fmt.Sprintf("intersection%s sharing %v", name, shared), l, errors.Join(err, err2), walk(m, two, and, shared))
				}
			}
		}
	}
}

// expect returns the sum of g(i) P[X = i].
func (c lawCase) expect(g func(i int) *big.Rat) *big.Rat {
	sum, t := new(big.Rat), new(big.Rat)
	for i, p := range c.counts {
		sum.Add(sum, t.Mul(p, g(i)))
	}
	return sum
}

func ratInt(x *big.Int) *big.Rat { return new(big.Rat).SetInt(x) }

// TestDistributionBruteForce compares every route of every quantity, in rationals and in
// intervals, with the enumeration of all outcomes.
func TestDistributionBruteForce(t *testing.T) {
	cases := 0
	eachTinyLaw(t, func(c lawCase) {
		cases++
		least, most := c.Range()
		for i, p := range c.counts {
			if u := uint64(i); (p.Sign() > 0) != (u >= least && u <= most) {
				t.Fatalf("%s: Range is %d..%d, P[X=%d] = %v", c.name, least, most, i, p)
			}
		}
		check := func(what string, want *big.Rat, e Enclosure, err error) {
			t.Helper()
			if err != nil || !e.Contains(want) || want.Sign() != 0 && e.RelBits() < 90 || want.Sign() == 0 && !e.interval().IsPoint() {
				t.Fatalf("%s: %s = %v, %v; enumeration gives %v", c.name, what, e, err, want)
			}
			if r, ok := e.Rat(); ok && r.Cmp(want) != 0 {
				t.Fatalf("%s: %s = %v; enumeration gives %v", c.name, what, r, want)
			}
		}
		all, err := c.PMFs(90)
		if err != nil || len(all) != int(most-least)+1 {
			t.Fatalf("%s: %d probabilities, %v", c.name, len(all), err)
		}
		for i, p := range c.counts {
			u := uint64(i)
			inside := u >= least && u <= most && least < most
			if u >= least && u <= most {
				check("PMFs", p, all[u-least], nil)
			}
			if inside {
				check("the rational", p, exactly(c.pmfRational(u), 90), nil)
			}
			for _, route := range c.pmfRoutes() {
				what := fmt.Sprintf("PMF(%d) by %v", i, route)
				e, err := c.PMF(u, 90, route)
				check(what, p, e, err)
				if inside && route != routeDifference {
					check(what, p, exactly(pmfIn(field.Rationals, route, c.Distribution, u), 90), nil)
				}
			}
			if groups, ok := c.union(); ok && inside && i > 0 {
				e, err := c.pmfUnion(groups, u, 90)
				check("pmfUnion", p, e, err)
			}
			if inside {
				e, err := c.pmfByMoments(c.m-u, c.m-least, c.outLog2(), 90, c.misses)
				check("PMF by what is not occupied", p, e, err)
				e, err = c.pmfByMoments(u, most, c.hitLog2(1), 90, c.hits)
				check("PMF by moments", p, e, err)
			}
		}
		for r := range len(c.counts) + 2 {
			binomialMoment := c.expect(func(i int) *big.Rat { return ratInt(integer.Binomial(uint64(i), r)) })
			factorialMoment := c.expect(func(i int) *big.Rat { return ratInt(fallingFactorial(uint64(i), r)) })
			hit := new(big.Rat)
			if r < len(c.counts) {
				hit.Quo(binomialMoment, ratInt(integer.Binomial(c.m, r)))
			}
			for _, route := range c.hitRoutes() {
				by := fmt.Sprintf("(%d) by %v", r, route)
				e, err := c.hit(r, 90, route)
				check("Hit"+by, hit, e, err)
				if route != routeDifference && uint64(r) <= most {
					check("Hit"+by, hit, exactly(hitIn(field.Rationals, route, c.Distribution, r), 90), nil)
				}
				e, err = c.BinomialMoment(r, 90, route)
				check("BinomialMoment"+by, binomialMoment, e, err)
				e, err = c.FactorialMoment(r, 90, route)
				check("FactorialMoment"+by, factorialMoment, e, err)
			}
			if uint64(r) <= most {
				work := c.hitBits(r, 90)
				if e := around(c.hits(r, work).enclosure(r, 100)); e.RelBits() < 80 || !e.Contains(hit) {
					t.Fatalf("%s: p_%d = %v with %d bits at %d; enumeration gives %v", c.name, r, e, e.RelBits(), work, hit)
				}
			}
			moment := c.expect(func(i int) *big.Rat { return ratInt(integer.Power(big.NewInt(int64(i)), uint64(r))) })
			for _, route := range c.momentRoutes() {
				what := fmt.Sprintf("Moment(%d) by %v", r, route)
				e, err := c.Moment(r, 90, route)
				check(what, moment, e, err)
				if route != routeDifference && r > 0 && least < most {
					x := momentIn(field.Rationals, route, c.Distribution, r)
					check(what, moment, exactly(x.Mul(x, ratInt(integer.Power(new(big.Int).SetUint64(c.m), uint64(r)))), 90), nil)
				}
			}
		}
		mean := c.expect(func(i int) *big.Rat { return big.NewRat(int64(i), 1) })
		variance := c.expect(func(i int) *big.Rat {
			x := new(big.Rat).Sub(big.NewRat(int64(i), 1), mean)
			return x.Mul(x, x)
		})
		e, err := c.Mean(90)
		check("Mean", mean, e, err)
		e, err = c.Variance(90)
		check("Variance", variance, e, err)
		// The same without rationals.
		x := c.first2(200)
		if least < most && (x.variance.RelBits() < 150 || !x.variance.ContainsRat(variance)) {
			t.Fatalf("%s: first2 gives the variance %v, enumeration %v", c.name, around(x.variance), variance)
		}
		if !exactly(new(big.Rat).Quo(mean, ratInt(new(big.Int).SetUint64(c.m))), 90).Overlaps(around(x.in)) {
			t.Fatalf("%s: first2 gives the mean %v, enumeration %v", c.name, around(x.in), mean)
		}
		p2 := c.expect(func(i int) *big.Rat { return big.NewRat(int64(i*(i-1)), 1) })
		if least < most {
			v := new(big.Rat).SetInt64(int64(c.m))
			p2.Quo(p2, new(big.Rat).Mul(v, big.NewRat(int64(c.m)-1, 1)))
			in := new(big.Rat).Quo(mean, v)
			if want := in.Sub(in.Mul(in, in), p2); !x.defect.ContainsRat(want) {
				t.Fatalf("%s: first2 gives the defect %v, enumeration %v", c.name, around(x.defect), want)
			}
		}
	})
	t.Logf("%d laws", cases)
}

// TestDistributionParameters checks what the constructors refuse, and the zero Distribution.
func TestDistributionParameters(t *testing.T) {
	for name, f := range map[string]func() error{
		"m":            func() error { _, err := occupancyOf(0, 1); return err },
		"size":         func() error { _, err := committeeOf(5, 6, 1); return err },
		"departments":  func() error { _, err := Intersection(5); return err },
		"distribution": func() error { _, err := Distribution{}.Mean(50); return err },
		"prec":         func() error { l, _ := occupancyOf(5, 5); _, err := l.Variance(0); return err },
		"r":            func() error { l, _ := occupancyOf(5, 5); _, err := l.hit(-1, 50, Auto); return err },
		"route":        func() error { l, _ := committeeOf(5, 2, 5); _, err := l.PMF(3, 50, routeStirling); return err },
	} {
		var p *bloomproof.ParamError
		if err := f(); !errors.As(err, &p) || p.Param != name {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestMomentPrecisions asks for the least and the largest precision, and for one below and one above.
func TestMomentPrecisions(t *testing.T) {
	l, err := occupancyOf(5, 5)
	if err != nil {
		t.Fatal(err)
	}
	for prec, permitted := range map[uint]bool{0: false, 1: true, MaxPrec: true, MaxPrec + 1: false} {
		_, err := l.Moment(0, prec, Auto)
		var p *bloomproof.ParamError
		if permitted && err != nil || !permitted && !(errors.As(err, &p) && p.Param == "prec") {
			t.Errorf("prec = %d: error %v", prec, err)
		}
	}
}

// TestHitsMissed holds the rounded probabilities, at few bits, to the exact ones: what
// they say is missing is enough, and not far too much.
func TestHitsMissed(t *testing.T) {
	own, _ := Union(40, []Committees{{7, 3}, {1, 2}})
	for _, departments := range [][][]Committees{
		{{{1, 100}}}, {{{3, 20}, {5, 2}}}, {{{1, 90}}, {{2, 50}}, {{9, 4}}}, {{{39, 1}}, {{20, 3}}},
	} {
		l, err := Intersection(40, departments...)
		if err != nil {
			t.Fatal(err)
		}
		for _, shared := range [][]group{nil, own.departments[0]} {
			l.shared = shared
			for _, last := range []int{1, 5, 30} {
				want := l.hits(last, 0)
				for scale := uint(2*last + l.countBits() + 16); scale < uint(2*last+l.countBits()+24); scale++ {
					got := l.hits(last, scale)
					for i := range want.v {
						p := new(big.Rat).SetFrac(want.v[i], want.den)
						if !around(got.enclosure(i, 200)).Contains(p) {
							t.Fatalf("%v sharing %v: p_%d at scale %d is not within %v of %v: it is %v", departments, shared, i, scale, got.missed, got.v[i], p.FloatString(20))
						}
					}
					p := new(big.Rat).SetFrac(want.v[last], want.den)
					if e := around(l.differenceAt(last, scale).enclosure(0, 200)); !e.Contains(p) {
						t.Fatalf("%v sharing %v: p_%d alone is %v at scale %d, not %v", departments, shared, last, e, scale, p.FloatString(20))
					}
					if got.missed.BitLen() > int(scale) {
						t.Fatalf("%v sharing %v: %v missing at scale %d", departments, shared, got.missed, scale)
					}
				}
			}
		}
	}
}
