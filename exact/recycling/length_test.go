package recycling

import (
	"errors"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/enclose"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestLengthBruteForce compares the distribution of the length of a cycle with the bit sets, followed
// arrival by arrival from those with which a cycle begins.
func TestLengthBruteForce(t *testing.T) {
	most := 4
	if testing.Short() {
		most = 3
	}
	eachCycle(most, func(g bloomproof.Geometry, r bloomproof.Recycling) {
		if g.M == 4 && g.K > longtest.More(2, 4) {
			return
		}
		s := newBitSets(g, r)
		c, err := New(g, r)
		if err != nil {
			t.Fatal(err)
		}
		p := new(big.Rat).SetFrac64(1, int64(len(s.masks)))
		// The sets after a recycle, in the long run.
		now, all, x := map[uint32]*big.Rat{}, new(big.Rat), new(big.Rat)
		add := func(law map[uint32]*big.Rat, set uint32, weight *big.Rat) {
			if law[set] == nil {
				law[set] = new(big.Rat)
			}
			law[set].Add(law[set], weight)
		}
		for set, weight := range s.pi {
			for _, mask := range s.masks {
				if next, full := s.next(uint32(set), mask); full != 0 {
					x.Mul(weight, p)
					all.Add(all, x)
					add(now, next, x)
				}
			}
		}
		for _, weight := range now {
			weight.Quo(weight, all)
		}
		before := big.NewRat(1, 1)
		for n := uint64(0); n < longtest.More[uint64](4, 5); n++ {
			above := new(big.Rat)
			next := map[uint32]*big.Rat{}
			for set, weight := range now {
				above.Add(above, weight)
				for _, mask := range s.masks {
					if to, full := s.next(set, mask); full == 0 {
						add(next, to, x.Mul(weight, p))
					}
				}
			}
			for name, want := range map[string]*big.Rat{
				"above":   above,
				"at most": new(big.Rat).Sub(big.NewRat(1, 1), above),
				"pmf":     new(big.Rat).Sub(before, above),
			} {
				f := map[string]func(c *Cycle) (exact.Enclosure, error){
					"above":   func(c *Cycle) (exact.Enclosure, error) { return c.LengthAbove(n, 60) },
					"at most": func(c *Cycle) (exact.Enclosure, error) { return c.LengthAtMost(n, 60) },
					"pmf":     func(c *Cycle) (exact.Enclosure, error) { return c.LengthPMF(n, 60) },
				}[name]
				got, err := f(c)
				if x, ok := got.Rat(); err != nil || !ok || x.Cmp(want) != 0 {
					t.Errorf("%v, %v: %s %d = %v, %v; the bit sets give %v", g, r, name, n, got, err, want)
				}
				for _, route := range c.Routes() {
					c, err := c.Via(route)
					if err != nil {
						t.Fatal(err)
					}
					if got, err := f(c); err != nil || !got.Contains(want) || got.RelBits() < 60 {
						t.Errorf("%v, %v: %s %d by %v = %v, %v; the bit sets give %v", g, r, name, n, route, got, err, want)
					}
				}
			}
			atMost := new(big.Rat).Sub(big.NewRat(1, 1), above)
			if atMost.Sign() > 0 && above.Cmp(before) < 0 && above.Sign() > 0 {
				for _, q := range []*big.Rat{atMost, new(big.Rat).Sub(atMost, big.NewRat(1, 1<<40))} {
					if got, err := c.LengthQuantile(q); err != nil || got != n {
						t.Errorf("%v, %v: quantile of %v = %d, %v; the bit sets give %d", g, r, q, got, err, n)
					}
				}
			}
			before, now = above, next
		}
	})
}

// TestLengthMean sums the tails of a cycle to its capacity.
func TestLengthMean(t *testing.T) {
	for _, x := range []struct {
		g bloomproof.Geometry
		r bloomproof.Recycling
	}{
		{bloomproof.Geometry{M: 60, K: 3}, bloomproof.Recycling{Sigma: 20}},
		{bloomproof.Geometry{M: 60, K: 3}, bloomproof.Recycling{Sigma: 20, Retain: true}},
		{bloomproof.Geometry{M: 60, K: 3}, bloomproof.Recycling{Sigma: 20, Retain: true, FreshPositions: true}},
		{bloomproof.Geometry{M: 60, K: 5, Hashing: bloomproof.Classic}, bloomproof.Recycling{Sigma: 30, Retain: true}},
	} {
		c, err := New(x.g, x.r)
		if err != nil {
			t.Fatal(err)
		}
		lo, hi := new(big.Float).SetPrec(100), new(big.Float).SetPrec(100)
		for n := uint64(0); ; n++ {
			p, err := c.LengthAbove(n, 40)
			if err != nil {
				t.Fatal(err)
			}
			lo.Add(lo, p.Lo())
			if hi.Add(hi, p.Hi()); p.Hi().Cmp(big.NewFloat(1e-20)) < 0 {
				break
			}
		}
		capacity, err := c.Capacity(50)
		hi.Add(hi, big.NewFloat(1e-18)) // what is left
		if err != nil || lo.Cmp(capacity.Hi()) > 0 || hi.Cmp(capacity.Lo()) < 0 {
			t.Errorf("%v, %v: the tails sum to %v..%v, the capacity is %v, %v", x.g, x.r, lo, hi, capacity, err)
		}
	}
}

// TestLengthLarge asks for quantiles far out and checks them by the tails.
func TestLengthLarge(t *testing.T) {
	for i, x := range []struct {
		g bloomproof.Geometry
		r bloomproof.Recycling
	}{
		{bloomproof.Geometry{M: 1 << 40, K: 7}, bloomproof.Recycling{Sigma: 1 << 39}},
		{bloomproof.Geometry{M: 1 << 12, K: 3}, bloomproof.Recycling{Sigma: 1 << 11, Retain: true}},
		{bloomproof.Geometry{M: 1<<64 - 1, K: 7, Hashing: bloomproof.Classic}, bloomproof.Recycling{Sigma: 1 << 60, Retain: true}},
		{bloomproof.Geometry{M: 1 << 10, K: 4}, bloomproof.Recycling{Sigma: 1<<10 - 1}},
	}[longtest.More(2, 0):] {
		c, err := New(x.g, x.r)
		if err != nil {
			t.Fatal(err)
		}
		for j, p := range []*big.Rat{big.NewRat(1, 2), big.NewRat(999_999, 1_000_000)} {
			if !longtest.Enabled() && i != j {
				continue
			}
			n, err := c.LengthQuantile(p)
			if err != nil {
				t.Errorf("%v, %v: quantile of %v: %v", x.g, x.r, p, err)
				continue
			}
			target := enclose.Rational(p, 60)
			at, err := c.LengthAtMost(n, 30)
			below, err2 := c.LengthAtMost(n-1, 30)
			if a, ok := at.Cmp(target); err != nil || ok && a < 0 {
				t.Errorf("%v, %v: P[N_0 <= %d] = %v, %v is below %v", x.g, x.r, n, at, err, p)
			}
			if b, ok := below.Cmp(target); err2 != nil || ok && b >= 0 {
				t.Errorf("%v, %v: P[N_0 <= %d] = %v, %v is not below %v", x.g, x.r, n-1, below, err2, p)
			}
		}
	}
}

func TestLengthErrors(t *testing.T) {
	var param *bloomproof.ParamError
	c, err := New(bloomproof.Geometry{M: 1000, K: 3}, bloomproof.Recycling{Sigma: 500})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []*big.Rat{new(big.Rat), big.NewRat(1, 1), big.NewRat(-1, 2)} {
		if _, err := c.LengthQuantile(p); !errors.As(err, &param) {
			t.Errorf("quantile of %v: %v", p, err)
		}
	}
	if _, err := c.LengthPMF(0, 0); !errors.As(err, &param) {
		t.Errorf("0 bits: %v", err)
	}
	other := *c
	other.r = bloomproof.Recycling{Messages: 9}
	if _, err := other.LengthAbove(3, 60); !errors.As(err, &param) {
		t.Errorf("the message-bounded rule: %v", err)
	}
	if _, err := other.LengthQuantile(big.NewRat(1, 2)); !errors.As(err, &param) {
		t.Errorf("the message-bounded rule: %v", err)
	}
	other.r = bloomproof.Recycling{Sigma: 500, TwoPhase: true, NoCopyOver: true}
	if _, err := other.LengthAbove(3, 60); !errors.Is(err, bloomproof.ErrUndefined) {
		t.Errorf("without copy-over: %v", err)
	}
	if _, err := c.LengthAbove(1<<40, 60); !errors.Is(err, exact.ErrPrecision) {
		t.Errorf("a probability below 2^-10^12: %v", err)
	}
}
