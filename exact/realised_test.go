package exact

import (
	"errors"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// setBitsChain is the exact chain of the set bits of filters with one shape.
type setBitsChain struct {
	h   hashing
	g   bloomproof.Geometry
	pmf [][]*big.Rat // P[X = b] after 0, 1, 2, ... items
}

// after returns P[X = b] after n items.
func (c *setBitsChain) after(n int) []*big.Rat {
	steps, k := c.g.K, 1 // of an item, and positions of a step
	if c.h.is() == bloomproof.Classic {
		steps, k = 1, c.g.K
	}
	if c.pmf == nil {
		c.pmf = append(c.pmf, outcomes.Chain(int(c.g.M), 0, k))
	}
	for len(c.pmf) <= n {
		c.pmf = append(c.pmf, outcomes.ChainFrom(c.pmf[len(c.pmf)-1], steps, k))
	}
	return c.pmf[n]
}

// quantile returns RateQuantile.
func (c *setBitsChain) quantile(n int, p *big.Rat) *big.Rat {
	sum := new(big.Rat)
	for b, q := range c.after(n) {
		if sum.Add(sum, q); sum.Cmp(p) >= 0 {
			return c.h.givenBits(c.g, uint64(b))
		}
	}
	return big.NewRat(1, 1)
}

// TestRealisedSmall holds the quantiles and the sizes to the exact chain of the set bits, for every
// size up to the answer and beyond.
func TestRealisedSmall(t *testing.T) {
	const prec = 60
	most := longtest.More(20, 60)
	for _, h := range []hashing{standardHashing{}, classicHashing{}} {
		chains := map[bloomproof.Geometry]*setBitsChain{}
		quantile := func(g bloomproof.Geometry, n int, c *big.Rat) *big.Rat {
			if chains[g] == nil {
				chains[g] = &setBitsChain{h: h, g: g}
			}
			return chains[g].quantile(n, c)
		}
		for _, c := range []*big.Rat{big.NewRat(1, 10), big.NewRat(1, 2), big.NewRat(999, 1000)} {
			for _, f := range []*big.Rat{big.NewRat(1, 3), big.NewRat(1, 20)} {
				for _, k := range []int{1, 2, 5} {
					holds := func(m uint64, n int) bool {
						g := bloomproof.Geometry{M: m, K: k, Hashing: h.is()}
						return g.Validate() == nil && quantile(g, n, c).Cmp(f) <= 0
					}
					g := bloomproof.Geometry{M: uint64(most), K: k, Hashing: h.is()}
					want := 0
					for holds(g.M, want+1) {
						want++
					}
					o, rate, err := SureItems(g, f, c, prec)
					if err != nil || o.N != uint64(want) {
						t.Errorf("SureItems(%v, %v, %v) is %d, %v; the chain gives %d", g, f, c, o.N, err, want)
					}
					if x := quantile(g, want, c); want > 0 && !rate.Contains(x) {
						t.Errorf("RateQuantile(%v, %d, %v) is %v; the chain gives %v", g, want, c, rate, x)
					}
					n := 1 + most/(8*k)
					least := uint64(1)
					for !holds(least, n) {
						least++
					}
					o, _, err = SureBits(bloomproof.Geometry{K: k, Hashing: h.is()}, uint64(n), f, c, prec)
					if err != nil || o.Geometry.M != least {
						t.Errorf("SureBits(%v, k=%d, n=%d, %v, %v) is %d, %v; the chain gives %d", h.is(), k, n, f, c, o.Geometry.M, err, least)
					}
				}
			}
		}
	}
}

// TestSureK compares the k found with all others, and the sizes with the best k with those of
// each k.
func TestSureK(t *testing.T) {
	c, f := big.NewRat(99, 100), big.NewRat(1, 100)
	const m, n = 100, 9
	for _, h := range []hashing{standardHashing{}, classicHashing{}}[:longtest.More(1, 2)] {
		o, rate, err := SureK(bloomproof.Geometry{M: m, Hashing: h.is()}, n, c, 60)
		if err != nil || o.Geometry.M != m || o.Geometry.K < 1 || rate.Sign() <= 0 {
			t.Fatalf("%v hashing: %v, %v, %v", h.is(), o, rate, err)
		}
		bits, _, err := SureBits(bloomproof.Geometry{Hashing: h.is()}, n, f, c, 60)
		if err != nil {
			t.Fatal(err)
		}
		items, _, err := SureItems(bloomproof.Geometry{M: m, Hashing: h.is()}, f, c, 60)
		if err != nil {
			t.Fatal(err)
		}
		for k := 1; k <= 16; k++ {
			if best := o.Geometry.K; !longtest.Enabled() && (k < best-1 || k > best+1) && k%5 != 1 {
				continue // the neighbours, and a few of the others
			}
			g := bloomproof.Geometry{M: m, K: k, Hashing: h.is()}
			r, err := RateQuantile(g, n, c, 60)
			if order, decided := r.Cmp(rate); err != nil || !decided || order < 0 {
				t.Errorf("SureK is %v with %v; k=%d has %v, %v", o.Geometry, rate, k, r, err)
			}
			if x, _, err := SureBits(g, n, f, c, 60); err != nil || x.Geometry.M < bits.Geometry.M {
				t.Errorf("SureBits is %v; k=%d needs %d, %v", bits.Geometry, k, x.Geometry.M, err)
			}
			if x, _, err := SureItems(g, f, c, 60); err != nil || x.N > items.N {
				t.Errorf("SureItems is %v, %d; k=%d takes %d, %v", items.Geometry, items.N, k, x.N, err)
			}
		}
	}
}

// slicesQuantile returns the quantile of the rates of partitioned filters and that of (X/m)^k, from
// the chains of the slices.
func slicesQuantile(g bloomproof.Geometry, n int, c *big.Rat) (rate, even *big.Rat) {
	s := int(g.M) / g.K
	one := outcomes.Chain(s, n, 1)
	type state struct {
		product int64 // of the set bits of each slice
		sum     int
	}
	all := map[state]*big.Rat{{1, 0}: big.NewRat(1, 1)}
	for range g.K {
		next := map[state]*big.Rat{}
		for x, p := range all {
			for b, q := range one {
				if q.Sign() == 0 {
					continue
				}
				y := state{x.product * int64(b), x.sum + b}
				if next[y] == nil {
					next[y] = new(big.Rat)
				}
				next[y].Add(next[y], new(big.Rat).Mul(p, q))
			}
		}
		all = next
	}
	power := func(num, den int64) *big.Rat {
		k := uint64(g.K)
		return new(big.Rat).SetFrac(integer.Power(big.NewInt(num), k), integer.Power(big.NewInt(den), k))
	}
	quantile := func(of func(state) *big.Rat) *big.Rat {
		states := slices.SortedFunc(maps.Keys(all), func(x, y state) int { return of(x).Cmp(of(y)) })
		sum := new(big.Rat)
		for _, x := range states {
			if sum.Add(sum, all[x]); sum.Cmp(c) >= 0 {
				return of(x)
			}
		}
		return big.NewRat(1, 1)
	}
	den := integer.Power(big.NewInt(int64(s)), uint64(g.K))
	return quantile(func(x state) *big.Rat { return new(big.Rat).SetFrac(big.NewInt(x.product), den) }),
		quantile(func(x state) *big.Rat { return power(int64(x.sum), int64(g.M)) })
}

// TestRealisedSlices holds the quantiles and sizes of partitioned filters to the enumeration of their slices:
// a filter keeps the rate, and no less than it would if its slices were equally full.
func TestRealisedSlices(t *testing.T) {
	for _, c := range []*big.Rat{big.NewRat(1, 2), big.NewRat(99, 100)} {
		for _, k := range []int{1, 2, 3}[longtest.More(1, 0):] {
			g := bloomproof.Geometry{M: uint64(12 / k * k), K: k, Hashing: bloomproof.Partitioned}
			for n := 1; n < longtest.More(4, 12); n++ {
				rate, even := slicesQuantile(g, n, c)
				e, err := RateQuantile(g, uint64(n), c, 60)
				if r, ok := e.Rat(); err != nil || !ok || r.Cmp(rate) < 0 || r.Cmp(even) != 0 {
					t.Errorf("RateQuantile(%v, %d, %v) is %v, %v; the slices give %v, equally full ones %v", g, n, c, e, err, rate, even)
				}
				if even.Cmp(big.NewRat(1, 1)) == 0 {
					continue
				}
				o, kept, err := SureBits(bloomproof.Geometry{K: k, Hashing: g.Hashing}, uint64(n), even, c, 60)
				if err != nil {
					t.Error(err)
					continue
				}
				holds := func(m uint64) bool {
					rate, _ := slicesQuantile(bloomproof.Geometry{M: m, K: k, Hashing: g.Hashing}, n, c)
					return rate.Cmp(even) <= 0
				}
				if m := o.Geometry.M; m > g.M || !holds(m) {
					t.Errorf("SureBits(k=%d, %d, %v, %v) is %v, with %v", k, n, even, c, o.Geometry, kept)
				}
				items, _, err := SureItems(g, even, c, 60)
				if _, beyond := slicesQuantile(g, int(items.N)+1, c); err != nil || items.N < uint64(n) || beyond.Cmp(even) <= 0 {
					t.Errorf("SureItems(%v, %v, %v) is %d, %v", g, even, c, items.N, err)
				}
			}
		}
	}
}

// TestRealisedSimulated draws filters: a share c of them, within five standard deviations, has a
// rate of at most the quantile. Five standard deviations are 3.4 % of the filters in an ordinary run,
// and 0.75 % in a long one; a share that is further off is found with probability above 1/2.
func TestRealisedSimulated(t *testing.T) {
	const most, k = 5000, 5
	runs := longtest.Of(1000, 2000, 40_000)
	c := big.NewRat(9, 10)
	for _, g := range []bloomproof.Geometry{{M: most, K: k}, {M: longtest.More[uint64](1000, most), K: k, Hashing: bloomproof.Partitioned}} {
		m, n := g.M, g.M*13/100
		rate, err := RateQuantile(g, n, c, 60)
		if err != nil {
			t.Fatal(err)
		}
		parts := uint64(1)
		if g.Hashing == bloomproof.Partitioned {
			parts = k
		}
		random := rand.NewPCG(1, 2)
		within := 0
		for range runs {
			var set [most]uint8
			var bits [k]int
			for slice := range parts {
				first, count := uint32(slice*m/parts), uint32(m/parts)
				for range n * k / parts / 2 { // two positions of a random number; uniform up to count/2^32
					r := random.Uint64()
					i := first + uint32(r>>32*uint64(count)>>32)
					bits[slice] += int(1 - set[i])
					set[i] = 1
					i = first + uint32(r&(1<<32-1)*uint64(count)>>32)
					bits[slice] += int(1 - set[i])
					set[i] = 1
				}
			}
			product := 1.0
			for i := range uint64(k) {
				product *= float64(bits[i%parts]) / float64(m/parts)
			}
			if product <= rate.Float64()*(1+1e-12) {
				within++
			}
		}
		// P[X <= b] exceeds c by at most P[X = b], 2 % for 5000 bits and 3 % for 1000.
		share, sd := float64(within)/float64(runs), math.Sqrt(0.09/float64(runs))
		if share < 0.9-5*sd || share > 0.9+longtest.More(0.03, 0.02)+5*sd {
			t.Errorf("%v: %.4f of the filters have a rate of at most %v", g, share, rate)
		}
	}
}

// TestSureHuge asks for sizes that no chain reaches: the answers are ordered as the means are.
func TestSureHuge(t *testing.T) {
	c, f := longtest.More(big.NewRat(9, 10), big.NewRat(999, 1000)), big.NewRat(1, 1_000_000)
	for _, n := range []uint64{1000, 1e5, 1e9, 1 << 40}[longtest.More(0, 1):longtest.More(1, 4)] {
		mean, err := LeastBits(bloomproof.Geometry{}, n, f, 60)
		if err != nil {
			t.Fatal(err)
		}
		o, rate, err := SureBits(bloomproof.Geometry{K: mean.Geometry.K}, n, f, c, 60)
		if err != nil {
			t.Fatal(err)
		}
		more := float64(o.Geometry.M-mean.Geometry.M) / math.Sqrt(float64(mean.Geometry.M))
		if !(rate.Float64() <= 1e-6 && o.Rate.Float64() < rate.Float64() && more > 0 && more < 10) {
			t.Errorf("%d items: %d bits for the mean, %v and %v with %v", n, mean.Geometry.M, o.Geometry, o.Rate, rate)
		}
	}
}

func TestRealisedRefuses(t *testing.T) {
	for _, c := range []*big.Rat{nil, new(big.Rat), big.NewRat(1, 1), big.NewRat(-1, 2)} {
		var bad *bloomproof.ParamError
		if _, err := RateQuantile(bloomproof.Geometry{M: 100, K: 3}, 10, c, 60); !errors.As(err, &bad) || bad.Param != "confidence" {
			t.Errorf("a confidence of %v: %v", c, err)
		}
	}
}

// TestSureFarTail asks for a confidence beyond the digits of a float64. Of 500 bits, 158 keep the rate: 39 items
// set 156 at most, and 40 set 160 with a probability above 1e-13. Of 300 bits, 94 keep it: 23 items set 92 at most, and
// 24 set 96 with a probability above 1e-10.
func TestSureFarTail(t *testing.T) {
	c, _ := new(big.Rat).SetString("0.99999999999999999999")
	m, want := longtest.More[uint64](300, 500), longtest.More[uint64](23, 39)
	o, rate, err := SureItems(bloomproof.Geometry{M: m, K: 4}, big.NewRat(1, 100), c, 60)
	if err != nil || o.N != want || rate.Float64() > 0.01 {
		t.Errorf("%d items keep %v (%v)", o.N, rate, err)
	}
}
