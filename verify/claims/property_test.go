package claims

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	exactrecycling "github.com/bloomproof/bloomproof/exact/recycling"
	"github.com/bloomproof/bloomproof/verify"
	"github.com/bloomproof/bloomproof/verify/internal/property"
	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"
)

// examine runs a property of generated filters of up to 2^40 bits and 48 positions,
// under the ids of the claims that it examines.
func examine(t *testing.T, ids []string, law string, geometries gopter.Gen, items uint64, check func(g bloomproof.Geometry, n uint64) error) {
	known := map[string]bool{}
	for _, c := range All() {
		known[c.ID] = true
	}
	for _, id := range ids {
		if !known[id] {
			t.Errorf("no claim %s", id)
		}
	}
	t.Run(ids[0], func(t *testing.T) {
		property.Check(t, fmt.Sprintf("%v: %s", ids, law), prop.ForAll(func(g bloomproof.Geometry, n uint64) (bool, error) {
			err := check(g, n)
			if errors.Is(err, errOutside) {
				err = nil
			}
			return err == nil, err
		}, geometries, verify.GenSize(0, items)))
	})
}

const propertyPrec = 160

// enclosed returns a certified number, or errOutside where it is undefined.
func enclosed(e exact.Enclosure, err error) (exact.Enclosure, error) {
	if errors.Is(err, bloomproof.ErrUndefined) {
		err = errOutside
	}
	return e, err
}

// slicedHashing is that of the filter of a slice for each position, which Fan compares with the
// standard one. bothHashings are those of Burns.
const slicedHashing = bloomproof.Partitioned

var bothHashings = []bloomproof.Hashing{standardFilter.hashing, classicFilter.hashing}

// orderedBounds fails unless less <= more may hold.
func orderedBounds(less, more func(g bloomproof.Geometry, n uint64) (exact.Enclosure, error)) func(g bloomproof.Geometry, n uint64) error {
	return func(g bloomproof.Geometry, n uint64) error {
		a, err := enclosed(less(g, n))
		if err != nil {
			return err
		}
		b, err := enclosed(more(g, n))
		if err != nil {
			return err
		}
		return ordered(a, b)
	}
}

func fpr(h bloomproof.Hashing) func(g bloomproof.Geometry, n uint64) (exact.Enclosure, error) {
	return func(g bloomproof.Geometry, n uint64) (exact.Enclosure, error) {
		g.Hashing = h
		if g.Validate() != nil {
			return exact.Enclosure{}, errOutside
		}
		e, _, err := exact.FPR(g, n, propertyPrec, exact.Auto)
		return e, err
	}
}

func of(f bound) func(g bloomproof.Geometry, n uint64) (exact.Enclosure, error) {
	return func(g bloomproof.Geometry, n uint64) (exact.Enclosure, error) { return f(g.M, n, g.K, propertyPrec) }
}

// rateAt is the rate of any hashing.
func rateAt(g bloomproof.Geometry, n uint64) (exact.Enclosure, error) { return fpr(g.Hashing)(g, n) }

// The laws of the claims on generated filters of every size, with certified numbers.
func TestLargeFilters(t *testing.T) {
	standard, classic, partitioned := fpr(standardFilter.hashing), fpr(classicFilter.hashing), fpr(slicedHashing)
	every := verify.GenGeometry(1<<40, 48)
	sliced := verify.GenGeometry(1<<40, 48, slicedHashing)
	const items = 1 << 40
	examine(t, []string{"burns.cor23.lower", "burns.thm15.ends"}, "L <= f_S and L <= f_C", every, items, func(g bloomproof.Geometry, n uint64) error {
		return first(orderedBounds(of(lowerAt), standard)(g, n), orderedBounds(of(lowerAt), classic)(g, n))
	})
	examine(t, []string{"burns.eq65", "burns.thm15.upper"}, "f_S <= U and f_C <= U", every, items, func(g bloomproof.Geometry, n uint64) error {
		return first(orderedBounds(standard, of(upperAt))(g, n), orderedBounds(classic, of(upperAt))(g, n))
	})
	examine(t, []string{"burns.eq57", "fan.eq18"}, "bloom <= true <= partitioned", sliced, items, func(g bloomproof.Geometry, n uint64) error {
		return first(orderedBounds(of(bloomAt), standard)(g, n), orderedBounds(standard, partitioned)(g, n))
	})
	examine(t, []string{"burns.eq58"}, "exponential <= bloom <= f_S", every, items, func(g bloomproof.Geometry, n uint64) error {
		return first(orderedBounds(of(exponentialAt), of(bloomAt))(g, n), orderedBounds(of(bloomAt), standard)(g, n))
	})
	examine(t, []string{"burns.eq64"}, "C(mu_S,k)/C(m,k) <= L, k <= (m-1)/2", every, items, func(g bloomproof.Geometry, n uint64) error {
		if 2*uint64(g.K) > g.M-1 {
			return errOutside
		}
		return orderedBounds(of(lowerSimpleAt), of(lowerAt))(g, n)
	})
	examine(t, []string{"burns.thm15.middle"}, "C(mu_C,k)/C(m,k) <= f_C", every, items, orderedBounds(of(lowerClassicAt), classic))
	batches := verify.GenGeometry(1<<40, 48, classicFilter.hashing)
	examine(t, []string{"burns.thm15.lower", "burns.thm15.middle", "burns.thm15.upper"}, "the chain of Theorem 15, r = k", batches, items, func(g bloomproof.Geometry, n uint64) error {
		return first(orderedBounds(of(lowerAt), of(lowerClassicAt))(g, n), orderedBounds(of(lowerClassicAt), classic)(g, n),
			orderedBounds(classic, of(upperAt))(g, n))
	})
	examine(t, []string{"burns.3.4.m"}, "the rate falls when m grows", every, items, func(g bloomproof.Geometry, n uint64) error {
		wider := g
		wider.M++
		if g.Hashing == slicedHashing {
			wider.M += uint64(g.K) - 1
		}
		before, err := rateAt(g, n)
		if err != nil {
			return err
		}
		after, err := rateAt(wider, n)
		return first(err, ordered(after, before))
	})
	examine(t, []string{"burns.3.4.n"}, "the rate grows with n", every, items, func(g bloomproof.Geometry, n uint64) error {
		before, err := rateAt(g, n)
		if err != nil {
			return err
		}
		after, err := rateAt(g, n+1)
		return first(err, ordered(before, after))
	})
	examine(t, []string{"burns.3.shape"}, "no k has a higher rate than both its neighbours", every, items, func(g bloomproof.Geometry, n uint64) error {
		if g.Hashing == slicedHashing || g.K < 2 || g.Hashing == classicFilter.hashing && uint64(g.K) >= g.M {
			return errOutside
		}
		var f [3]exact.Enclosure
		for i := range f {
			h := g
			h.K += i - 1
			var err error
			if f[i], err = rateAt(h, n); err != nil {
				return err
			}
		}
		left, known := f[0].Cmp(f[1])
		right, known2 := f[1].Cmp(f[2])
		return holds(!known || !known2 || left >= 0 || right <= 0, "rates %v", f)
	})
	examine(t, []string{"burns.conj24.low", "burns.conj24.high", "burns.conj24.order"}, "floor(m/(2n)) <= best k <= floor((m/n) ln 2) + 1", verify.GenGeometry(1<<40, 1), items, func(g bloomproof.Geometry, n uint64) error {
		if n == 0 || g.M/n > 40 || g.M <= n {
			return errOutside
		}
		m, k := g.M, map[bloomproof.Hashing]uint64{}
		for _, h := range bothHashings {
			o, err := exact.OptimalK(bloomproof.Geometry{M: m, Hashing: h}, n, propertyPrec)
			if err != nil {
				return err
			}
			k[h] = uint64(o.Geometry.K)
			l, _ := ln(whole(2))
			top := mul(new(big.Rat).SetFrac(new(big.Int).SetUint64(m), new(big.Int).SetUint64(n)), l)
			if k[h] < m/(2*n) || top.Cmp(whole(1)) >= 0 && k[h] > new(big.Int).Quo(top.Num(), top.Denom()).Uint64()+1 {
				return fmt.Errorf("%v: best k %d", h, k[h])
			}
		}
		return holds(k[classicFilter.hashing] <= k[standardFilter.hashing] || k[standardFilter.hashing] == 1, "best k %v", k)
	})
}

// The laws of the recycling filters on generated shapes and thresholds, with certified
// numbers.
func TestRecyclingFilters(t *testing.T) {
	o := verify.GenGeometry(1<<8, 8, bothHashings...)
	cycle := func(g bloomproof.Geometry, sigma uint64, retain bool) (*exactrecycling.Cycle, error) {
		c, err := exactrecycling.New(g, bloomproof.Recycling{Sigma: sigma, Retain: retain})
		if err != nil {
			err = errOutside
		}
		return c, err
	}
	const most = 1 << 20
	examine(t, []string{"dozier-fp.eq18", "dozier-fp.1.grows"}, "the rate grows with sigma, and is at most rho(sigma)", o, most, func(g bloomproof.Geometry, n uint64) error {
		sigma := n % g.M
		c, err := cycle(g, sigma, false)
		if err != nil {
			return err
		}
		f, err := c.FPR(propertyPrec)
		if err != nil {
			return err
		}
		last := rhoAt(int(g.M), g.K, g.Hashing == classicFilter.hashing, int(sigma))
		if err := holds(f.Lo().Cmp(new(big.Float).SetRat(last)) <= 0, "rate %v above rho(sigma)", f); err != nil || sigma+1 == g.M {
			return err
		}
		next, err := cycle(g, sigma+1, false)
		if err != nil {
			return err
		}
		more, err := next.FPR(propertyPrec)
		if err != nil {
			return err
		}
		return ordered(f, more)
	})
	examine(t, []string{"dozier-fp.4f.cycle", "dozier-fp.eq20", "dozier-fp.eq22", "dozier-fp.eq23"}, "E[N_0] is the capacity, and what is left falls to 0 beyond sigma", o, most, func(g bloomproof.Geometry, n uint64) error {
		sigma := n % g.M
		c, err := cycle(g, sigma, false)
		if err != nil {
			return err
		}
		all, err1 := c.Capacity(propertyPrec)
		start, err2 := c.MessagesFrom(0, propertyPrec)
		edge, err3 := c.MessagesFrom(sigma, propertyPrec)
		beyond, err4 := c.MessagesFrom(sigma+1, propertyPrec)
		if err := first(err1, err2, err3, err4); err != nil {
			return err
		}
		return first(
			holds(all.Overlaps(start), "capacity %v, E[N_0] %v", all, start),
			ordered(edge, start),
			holds(edge.Hi().Cmp(big.NewFloat(1)) >= 0 && beyond.Hi().Sign() == 0, "E[N_sigma] %v, beyond %v", edge, beyond))
	})
	examine(t, []string{"dozier-fp.4c.retaining", "dozier-fp.4c.nonzero"}, "classic: retaining holds one message less, and pi_0 E[N_0] = 1 without", o, most, func(g bloomproof.Geometry, n uint64) error {
		g.Hashing = classicFilter.hashing
		if uint64(g.K) >= g.M {
			return errOutside
		}
		sigma := uint64(g.K) + n%(g.M-uint64(g.K))
		plain, err1 := cycle(g, sigma, false)
		kept, err2 := cycle(g, sigma, true)
		if err := first(err1, err2); err != nil {
			return err
		}
		all, err1 := plain.Capacity(propertyPrec)
		fewer, err2 := kept.Capacity(propertyPrec)
		empty, err3 := plain.State(0, propertyPrec)
		if err := first(err1, err2, err3); err != nil {
			return err
		}
		low, _ := fewer.Lo().Rat(nil)
		high, _ := fewer.Hi().Rat(nil)
		allLow, _ := all.Lo().Rat(nil)
		allHigh, _ := all.Hi().Rat(nil)
		emptyLow, _ := empty.Lo().Rat(nil)
		emptyHigh, _ := empty.Hi().Rat(nil)
		one := whole(1)
		return first(
			atMost(add(low, one), allHigh), atMost(allLow, add(high, one)),
			atMost(mul(emptyLow, allLow), one), atMost(one, mul(emptyHigh, allHigh)))
	})
}

// The routes to a rate are different formulas; their enclosures have a point in common,
// and where they give fractions, the same.
func TestRoutesAgree(t *testing.T) {
	ids := []string{"burns.eq56", "burns.eq54", "burns.eq55", "burns.eq60", "burns.eq62", "burns.eq63", "fan.eq7", "fan.eq8"}
	examine(t, ids, "all routes' enclosures intersect", verify.GenGeometry(96, 10), 12, func(g bloomproof.Geometry, n uint64) error {
		var all []exact.Enclosure
		routes, err := exact.Routes(g)
		if err != nil {
			return err
		}
		for _, route := range routes {
			e, _, err := exact.FPR(g, n, propertyPrec, route)
			if err != nil {
				return fmt.Errorf("%v: %w", route, err)
			}
			for _, other := range all {
				if !other.Overlaps(e) {
					return fmt.Errorf("%v: %v against %v", route, e, other)
				}
			}
			all = append(all, e)
		}
		if g.Hashing == slicedHashing {
			return nil
		}
		f := rateS
		if g.Hashing == classicFilter.hashing {
			f = rateC
		}
		want := f(int(g.M), int(n), g.K)
		return holds(all[0].Contains(want), "%v does not contain %s", all[0], short(want))
	})
}

// The probabilities of a law sum to 1 as fractions, and are those of the chain that
// knows no formula.
func TestLawsSum(t *testing.T) {
	ids := []string{"burns.eq14", "burns.eq4", "burns.eq17", "burns.eq24"}
	o := verify.GenGeometry(40, 12, bothHashings...)
	examine(t, ids, "the probabilities sum to 1", o, 8, func(g bloomproof.Geometry, n uint64) error {
		law, err := exact.Union(g.M, []exact.Committees{{Size: uint64(g.K), Count: n}})
		sizes := repeat(g.K, int(n))
		if g.Hashing == standardFilter.hashing {
			law, err = exact.Union(g.M, []exact.Committees{{Size: 1, Count: n * uint64(g.K)}})
			sizes = repeat(1, int(n)*g.K)
		}
		if err != nil {
			return err
		}
		total := new(big.Rat)
		for i, want := range occupied(int(g.M), sizes...) {
			e, err := law.PMF(uint64(i), 1<<13, exact.Auto)
			p, ok := e.Rat()
			if err == nil && !ok {
				err = errors.New("no rational")
			}
			if err := first(err, same(p, want)); err != nil {
				return fmt.Errorf("i=%d: %w", i, err)
			}
			total.Add(total, p)
		}
		return same(total, whole(1))
	})
}

// The laws of several departments, of every route, are those of the enumeration that the
// claims are held to.
//
// Claims: burns.eq18, burns.eq24, burns.eq30, burns.eq37, burns.eq40.
func TestDepartments(t *testing.T) {
	last := 6
	if testing.Short() {
		last = 4
	}
	for m := 1; m <= last; m++ {
		for _, departments := range append(everyDepartment.table, [][]int{{1, 1}, {3}}, [][]int{{2}, {2}, {2}}) {
			given := make([][]exact.Committees, len(departments))
			var all []int
			for d, sizes := range departments {
				all = append(all, sizes...)
				given[d] = []exact.Committees{}
				for _, k := range sizes {
					given[d] = append(given[d], exact.Committees{Size: uint64(k), Count: 1})
				}
			}
			if largest(all) > m {
				continue
			}
			either, err := union(m, all...)
			if err != nil {
				t.Fatal(err)
			}
			holdLaw(t, fmt.Sprintf("union m=%d %v", m, departments), either, func() (exact.Distribution, error) { return exact.Union(uint64(m), given...) })
			err = crossing(m, departments, func(both setLaw) error {
				holdLaw(t, fmt.Sprintf("intersection m=%d %v", m, departments), both, func() (exact.Distribution, error) { return exact.Intersection(uint64(m), given...) })
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

func holdLaw(t *testing.T, name string, want setLaw, build func() (exact.Distribution, error)) {
	t.Helper()
	law, err := build()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for i, p := range want.pmf() {
		for _, route := range []exact.Route{exact.Auto, "stirling", exact.Recursive, "hypergeometric"} {
			e, err := law.PMF(uint64(i), 64, route)
			var none *bloomproof.ParamError // the distribution has no such route
			if errors.As(err, &none) {
				continue
			}
			if got, ok := e.Rat(); ok && same(got, p) != nil {
				t.Errorf("%s: i=%d: %v: %v, want %s", name, i, route, got, short(p))
			}
			if err != nil || !e.Contains(p) {
				t.Errorf("%s: i=%d: %v: %v, %v, want %s", name, i, route, e, err, short(p))
			}
		}
	}
}
