package recycling

import (
	"errors"
	"math"
	"math/big"
	mathbits "math/bits"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/enclose"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// messageBounded returns the cycle of the one-phase filter that recycles at n messages.
func messageBounded(t *testing.T, g bloomproof.Geometry, n uint64) *Cycle {
	t.Helper()
	c, err := New(g, bloomproof.Recycling{Messages: n})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestAverages compares (1)-(3) with their sums in rationals, and with what they bound.
func TestAverages(t *testing.T) {
	one := big.NewRat(1, 1)
	// averages returns f_o and f_a, nil for none, of the rates after i messages.
	averages := func(n uint64, f func(i uint64) *big.Rat) (oracle, average *big.Rat) {
		sum, rest := new(big.Rat), new(big.Rat)
		for i := range n {
			p := f(i)
			sum.Add(sum, p)
			if p.Cmp(one) == 0 {
				return new(big.Rat).Quo(sum.Add(sum, big.NewRat(int64(n-1-i), 1)), big.NewRat(int64(n), 1)), nil
			}
			rest.Add(rest, new(big.Rat).Quo(p, new(big.Rat).Sub(one, p)))
		}
		all := new(big.Rat).SetInt64(int64(n))
		return sum.Quo(sum, all), new(big.Rat).Quo(rest, all.Add(all, rest))
	}
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for m := uint64(1); m <= longtest.More[uint64](7, 12); m++ {
			for k := 1; k <= 4; k++ {
				g := bloomproof.Geometry{M: m, K: k, Hashing: h}
				if g.Validate() != nil {
					continue
				}
				for n := uint64(1); n <= 6; n++ {
					c := messageBounded(t, g, n)
					rate, err := c.FPR(80)
					if err != nil {
						t.Fatal(err)
					}
					check := func(name string, want *big.Rat, f func(uint) (exact.Enclosure, error)) exact.Enclosure {
						e, err := f(80)
						if want == nil {
							if !errors.Is(err, bloomproof.ErrUndefined) {
								t.Errorf("%v, N = %d: %s = %v, %v", g, n, name, e, err)
							}
							return exact.Enclosure{}
						}
						if err != nil || !e.Contains(want) || e.RelBits() < 80 {
							t.Errorf("%v, N = %d: %s = %v, %v; in rationals %v", g, n, name, e, err, want.FloatString(20))
						}
						if order, decided := e.Cmp(rate); decided && order > 0 {
							t.Errorf("%v, N = %d: %s = %v is above the rate %v", g, n, name, e, rate)
						}
						return e
					}
					oracle, average := averages(n, func(i uint64) *big.Rat {
						e, _, err := exact.FPR(g, i, 80, exact.Auto)
						r, ok := e.Rat()
						if err != nil || !ok {
							t.Fatalf("%v, n=%d: no rational rate, %v", g, i, err)
						}
						return r
					})
					check("f_o", oracle, func(prec uint) (exact.Enclosure, error) { return c.oracleOf(prec, exactRate(g)) })
					check("f_a", average, func(prec uint) (exact.Enclosure, error) { return c.averageOf(prec, exactRate(g)) })
					if h == bloomproof.Classic {
						check("Oracle", nil, c.Oracle)
						check("Average", nil, c.Average)
						check("Worst", nil, c.Worst)
						continue
					}
					textbook := func(i uint64) *big.Rat {
						x := new(big.Rat).SetFrac(integer.Power(integer.Uint(m-1), i*uint64(k)), integer.Power(integer.Uint(m), i*uint64(k)))
						x.Sub(one, x)
						return new(big.Rat).SetFrac(integer.Power(x.Num(), uint64(k)), integer.Power(x.Denom(), uint64(k)))
					}
					oracle, average = averages(n, textbook)
					check("Oracle", oracle, c.Oracle)
					check("Average", average, c.Average)
					if worst, err := c.Worst(80); err != nil || !worst.Contains(textbook(n)) {
						t.Errorf("%v, N = %d: f_w = %v, %v", g, n, worst, err)
					}
				}
			}
		}
	}
}

// TestAveragesLarge compares the power series of f_a with the sum term by term, and the
// geometric sums of f_o with it, and asks for what cannot be.
func TestAveragesLarge(t *testing.T) {
	for _, c := range []struct {
		m, n uint64
		k    int
	}{{2000, longtest.More[uint64](60, 200), 7}, {1 << 13, longtest.More[uint64](40, 100), 30}} {
		cycle := messageBounded(t, bloomproof.Geometry{M: c.m, K: c.k}, c.n)
		bloom := func(i uint64, prec uint) (exact.Enclosure, error) {
			return exact.Bound(bloomproof.BoundBloom, bloomproof.Geometry{M: c.m, K: c.k}, i, prec)
		}
		prec := longtest.More[uint](100, 200)
		for name, f := range map[string][2]func() (exact.Enclosure, error){
			"f_o": {func() (exact.Enclosure, error) { return cycle.Oracle(prec) }, func() (exact.Enclosure, error) { return cycle.oracleOf(prec, bloom) }},
			"f_a": {func() (exact.Enclosure, error) { return cycle.averageSeries(prec) }, func() (exact.Enclosure, error) { return cycle.averageOf(prec, bloom) }},
		} {
			a, err := f[0]()
			b, err2 := f[1]()
			if err != nil || err2 != nil || !a.Overlaps(b) || a.RelBits() < int(prec) {
				t.Errorf("%s of m = %d, k = %d, N = %d: %v, %v; term by term %v, %v", name, c.m, c.k, c.n, a, err, b, err2)
			}
		}
	}
	// At any size, f_o < f_a, and both near the integral over the fill.
	cycle := messageBounded(t, bloomproof.Geometry{M: math.MaxUint64, K: 7}, math.MaxUint64/10)
	prec := longtest.More[uint](40, 100)
	o, err := cycle.Oracle(prec)
	a, err2 := cycle.Average(prec)
	w, err3 := cycle.Worst(prec)
	if err != nil || err2 != nil || err3 != nil {
		t.Fatal(err, err2, err3)
	}
	if x, _ := o.Cmp(a); x >= 0 {
		t.Errorf("f_o = %v, f_a = %v", o, a)
	}
	if x, _ := a.Cmp(w); x >= 0 {
		t.Errorf("f_a = %v, f_w = %v", a, w)
	}
	if _, err := cycle.FPR(60); !errors.Is(err, bloomproof.ErrTooCostly) {
		t.Errorf("the rate of %v: %v", cycle.g, err)
	}
	var param *bloomproof.ParamError
	bits, err := New(bloomproof.Geometry{M: 9, K: 2}, bloomproof.Recycling{Sigma: 4})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []func(uint) (exact.Enclosure, error){bits.Worst, bits.Oracle, bits.Average} {
		if _, err := f(60); !errors.As(err, &param) {
			t.Errorf("an average of the bit-bounded rule: %v", err)
		}
	}
	for _, prec := range []uint{0, exact.MaxPrec + 1} {
		if _, err := cycle.Average(prec); !errors.As(err, &param) {
			t.Errorf("prec %d: %v", prec, err)
		}
	}
}

// oracleOf returns the mean of f_1..f_N, f the rate after i messages.
func (c *Cycle) oracleOf(prec uint, f single) (exact.Enclosure, error) {
	if c.r.Messages == 1 {
		return enclose.Int(0, prec), nil
	}
	return enclose.ZivErr(prec, prec+uint(mathbits.Len64(c.r.Messages))+precision.Spare, func(work uint) (*interval.Interval, error) {
		sum := interval.New(work)
		for i := uint64(1); i < c.r.Messages; i++ {
			p, err := f(i, work)
			if err != nil {
				return nil, err
			}
			sum.Add(sum, enclose.Of(p))
		}
		return sum.Quo(sum, interval.New(work).SetUint64(c.r.Messages)), nil
	})
}

// exactRate gives the expected rates, of which (1) is the rate of the mean number of bits.
func exactRate(g bloomproof.Geometry) single {
	return func(i uint64, prec uint) (exact.Enclosure, error) {
		e, _, err := exact.FPR(g, i, prec, exact.Auto)
		return e, err
	}
}
