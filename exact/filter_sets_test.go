package exact

import (
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// filterStates returns in how many outcomes n items leave each state of a filter.
func filterStates(g bloomproof.Geometry, n uint64) []*big.Int {
	states := make([]*big.Int, 1<<g.M)
	for i := range states {
		states[i] = new(big.Int)
	}
	states[0].SetInt64(1)
	masks := outcomes.Masks(g)
	for range n {
		next := make([]*big.Int, len(states))
		for i := range next {
			next[i] = new(big.Int)
		}
		for state, count := range states {
			if count.Sign() > 0 {
				for _, mask := range masks {
					x := next[uint32(state)|mask]
					x.Add(x, count)
				}
			}
		}
		states = next
	}
	return states
}

// joined returns the states of two filters together.
func joined(a, b []*big.Int, join func(a, b uint32) uint32) []*big.Int {
	states := make([]*big.Int, len(a))
	for i := range states {
		states[i] = new(big.Int)
	}
	t := new(big.Int)
	for i, x := range a {
		for j, y := range b {
			z := states[join(uint32(i), uint32(j))]
			z.Add(z, t.Mul(x, y))
		}
	}
	return states
}

// TestFilterSetsBruteForce compares rate, mean and variance of AND and OR of filters with
// the enumeration of all outcomes of hashing their items.
func TestFilterSetsBruteForce(t *testing.T) {
	most, cases := 4, 0
	if testing.Short() {
		most = 3
	}
	outcomes.EachShape(most, func(g bloomproof.Geometry) {
		if g.K > 3 {
			return
		}
		for _, own := range [][]uint64{{2}, {0, 3}, {1, 1}, {1, 2}, {2, 2}, {1, 1, 2}, {2, 0, 1}} {
			for shared := range uint64(3) {
				items := make([]uint64, len(own))
				joint, either := filterStates(g, own[0]), filterStates(g, own[0])
				for i, n := range own {
					if items[i] = n + shared; i > 0 {
						joint, either = joined(joint, filterStates(g, n), and), joined(either, filterStates(g, n), or)
					}
				}
				common := filterStates(g, shared)
				cases++
				name := fmt.Sprintf("%v items=%v shared=%d", g, items, shared)
				compareSets(t, name+" and", g, items, shared, joined(joint, common, or), IntersectionFPR, IntersectionBits)
				compareSets(t, name+" or", g, items, shared, joined(either, common, or), unionFPR, unionBits)
			}
		}
	})
	t.Logf("%d cases", cases)
}

// distinct is the number of items in the union of the sets.
func distinct(items []uint64, shared uint64) uint64 {
	n := shared
	for _, x := range items {
		n += x - shared
	}
	return n
}

// unionFPR and unionBits are those of the union of the sets.
func unionFPR(g bloomproof.Geometry, items []uint64, shared uint64, prec uint) (Enclosure, error) {
	e, _, err := FPR(g, distinct(items, shared), prec, Auto)
	return e, err
}

func unionBits(g bloomproof.Geometry, items []uint64, shared uint64, prec uint) (mean, variance Enclosure, err error) {
	return SetBits(g, distinct(items, shared), prec)
}

func compareSets(t *testing.T, name string, g bloomproof.Geometry, items []uint64, shared uint64, states []*big.Int, rate func(g bloomproof.Geometry, items []uint64, shared uint64, prec uint) (Enclosure, error), setBits func(g bloomproof.Geometry, items []uint64, shared uint64, prec uint) (mean, variance Enclosure, err error)) {
	t.Helper()
	all, hits, first, second := new(big.Int), new(big.Int), new(big.Int), new(big.Int)
	masks := outcomes.Masks(g)
	x := new(big.Int)
	for state, count := range states {
		all.Add(all, count)
		set := int64(bits.OnesCount32(uint32(state)))
		first.Add(first, x.Mul(count, big.NewInt(set)))
		second.Add(second, x.Mul(count, big.NewInt(set*set)))
		for _, mask := range masks {
			if mask&^uint32(state) == 0 {
				hits.Add(hits, count)
			}
		}
	}
	mu := new(big.Rat).SetFrac(first, all)
	want := map[string]*big.Rat{
		"rate":     new(big.Rat).SetFrac(hits, x.Mul(all, big.NewInt(int64(len(masks))))),
		"mean":     mu,
		"variance": new(big.Rat).Sub(new(big.Rat).SetFrac(second, all), new(big.Rat).Mul(mu, mu)),
	}
	f, err1 := rate(g, items, shared, 90)
	mean, variance, err2 := setBits(g, items, shared, 90)
	for what, e := range map[string]Enclosure{"rate": f, "mean": mean, "variance": variance} {
		err := errors.Join(err1, err2)
		r, ok := e.Rat()
		if err != nil || !e.Contains(want[what]) || ok && r.Cmp(want[what]) != 0 || !ok && e.RelBits() < 90 {
			t.Fatalf("%s: %s is %v, %v; enumeration gives %v", name, what, e, err, want[what])
		}
	}
}

// burns50 returns (49) and (50), corrected, in rationals.
func burns50(m int64, balls []int64) (mean, variance *big.Rat) {
	a, b, total := big.NewInt(1), big.NewInt(1), int64(0)
	pow := func(x, n int64) *big.Int { return integer.Power(big.NewInt(x), uint64(n)) }
	for _, n := range balls {
		total += n
		one := pow(m, n)
		one.Sub(one, pow(m-1, n))
		a.Mul(a, one)
		two := new(big.Int).Sub(pow(m, n), new(big.Int).Lsh(pow(m-1, n), 1))
		b.Mul(b, two.Add(two, pow(m-2, n)))
	}
	den := pow(m, total-1)
	mean = new(big.Rat).SetFrac(a, den)
	b.Mul(b, big.NewInt(m-1)).Add(b, a)
	variance = new(big.Rat).SetFrac(b, den)
	return mean, variance.Sub(variance, new(big.Rat).Mul(mean, mean))
}

// TestCorollary21 compares with (49) and (50) as they are printed, but for the two signs.
func TestCorollary21(t *testing.T) {
	for _, c := range []struct {
		m, k int
		n    []uint64
	}{{16, 2, []uint64{3, 5}}, {100, 4, []uint64{7, 20, 9}}, {1000, 7, []uint64{50, 60}}, {2, 1, []uint64{1, 1}}, {64, 3, []uint64{9}}} {
		g := bloomproof.Geometry{M: uint64(c.m), K: c.k}
		var balls []int64
		for _, n := range c.n {
			balls = append(balls, int64(n)*int64(c.k))
		}
		mean, variance := burns50(int64(c.m), balls)
		e, v, err := IntersectionBits(g, c.n, 0, 300)
		if err != nil || !e.Contains(mean) || !v.Contains(variance) {
			t.Errorf("%v n=%v: mean %v, variance %v, %v; (49) gives %v, (50) %v", g, c.n, e, v, err, mean.FloatString(20), variance.FloatString(20))
		}
	}
}

// TestIntersectionFPR holds the rate of AND between those that bound it, for filters of
// any size, and to the product of the filters' rates where nothing is shared.
func TestIntersectionFPR(t *testing.T) {
	for _, g := range []bloomproof.Geometry{
		{M: 1 << 20, K: 7}, {M: 1 << 20, K: 7, Hashing: bloomproof.Classic}, {M: 7 << 20, K: 7, Hashing: bloomproof.Partitioned},
		{M: 1<<64 - 1, K: 3}, {M: 1<<64 - 1, K: 40, Hashing: bloomproof.Classic}, {M: 100, K: 300}, {M: 1 << 30, K: 200},
	} {
		for _, items := range [][]uint64{{g.M / 10, g.M / 7}, {5, g.M / 3}, {g.M / 20, g.M / 10, 1 + g.M/50}, {g.M, g.M}} {
			var rates []Enclosure
			product := exactlyInt(1, 200).interval()
			for _, n := range items {
				e, _, err := FPR(g, n, 150, Auto)
				if err != nil {
					t.Fatal(err)
				}
				rates = append(rates, e)
				product.Mul(product, e.interval())
			}
			for _, shared := range []uint64{0, 1, 5} {
				if shared > items[len(items)-1] || shared == 1 && !longtest.Enabled() {
					continue
				}
				e, err := IntersectionFPR(g, items, shared, 150)
				if err != nil || e.RelBits() < 150 {
					t.Errorf("%v items=%v shared=%d: %v, %v", g, items, shared, e, err)
					continue
				}
				atMost := func(what string, a, b Enclosure) {
					t.Helper()
					if order, decided := a.Cmp(b); decided && order > 0 {
						t.Errorf("%v items=%v shared=%d: %s: %v > %v", g, items, shared, what, a, b)
					}
				}
				for _, r := range rates {
					atMost("AND beside a filter", e, r)
				}
				common, _, _ := FPR(g, shared, 150, Auto)
				atMost("what is shared", common, e)
				if g.M < 1<<60 { // else the items together can be above 2^64-1
					u, err := unionFPR(g, items, shared, 150)
					if err != nil {
						t.Error(err)
					}
					atMost("AND beside OR", e, u)
				}
				if shared > 0 {
					continue
				}
				if atMost("the product", around(product), e); g.Hashing != bloomproof.Standard && !e.Overlaps(around(product)) {
					t.Errorf("%v items=%v: AND %v, product %v", g, items, e, around(product))
				}
			}
		}
	}
	// One set is a filter, whatever is called shared.
	for _, shared := range []uint64{0, 1, 999, 1000} {
		g := bloomproof.Geometry{M: 1 << 14, K: 9}
		want, _, _ := FPR(g, 1000, 100, Auto)
		if e, err := IntersectionFPR(g, []uint64{1000}, shared, 100); err != nil || !e.Overlaps(want) {
			t.Errorf("one set, %d shared: %v, %v; the filter's rate is %v", shared, e, err, want)
		}
	}
}

func TestSetsParameters(t *testing.T) {
	g := bloomproof.Geometry{M: 100, K: 3}
	for name, f := range map[string]func() error{
		"items":  func() error { _, _, err := IntersectionBits(g, nil, 0, 50); return err },
		"shared": func() error { _, err := IntersectionFPR(g, []uint64{5, 3}, 4, 50); return err },
		"prec":   func() error { _, _, err := SetBits(g, 5, 0); return err },
	} {
		var p *bloomproof.ParamError
		if err := f(); !errors.As(err, &p) || p.Param != name {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
