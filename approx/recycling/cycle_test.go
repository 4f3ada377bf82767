package recycling

import (
	"errors"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/cycle"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// What is still to come from b on: the recursion downwards, the closed form and, from the
// empty filter, the visits upwards give the same numbers.
func TestMessagesFrom(t *testing.T) {
	for _, g := range []bloomproof.Geometry{
		{M: 400, K: 3}, {M: 400, K: 3, Hashing: bloomproof.Classic}, {M: 5000, K: 7}, {M: 5000, K: 7, Hashing: bloomproof.Classic},
		{M: 50, K: 20}, {M: 50, K: 20, Hashing: bloomproof.Classic}, {M: 20000, K: 1}, {M: 1, K: 1}, {M: 2, K: 2},
	} {
		for _, sigma := range []uint64{0, 1, g.M / 3, g.M - 1} {
			if sigma >= g.M {
				continue
			}
			c, err := New(g, bloomproof.Recycling{Sigma: sigma})
			if err != nil {
				t.Fatal(err)
			}
			if all := messagesDown(g, 0, sigma); math.Abs(all/c.Capacity()-1) > 1e-13 {
				t.Errorf("%v sigma=%d: %v down, %v up", g, sigma, all, c.Capacity())
			}
			bs := []uint64{0, 1, uint64(g.K), sigma / 3, sigma / 2, sigma, sigma + 1, g.M}
			for near := uint64(1); near < sigma; near += 1 + near/4 {
				bs = append(bs, sigma-near)
			}
			for _, b := range bs {
				if b > g.M {
					continue
				}
				got, err := c.MessagesFrom(b)
				if err != nil {
					t.Fatal(err)
				}
				want := 0.0
				if b <= sigma {
					want = messagesDown(g, b, sigma)
				}
				if !(math.Abs(got-want) <= 1e-13*want) {
					t.Errorf("%v sigma=%d: %v from %d, want %v", g, sigma, got, b, want)
				}
			}
		}
	}
}

// The shares of the states are those of the chain, whichever route gives them.
func TestState(t *testing.T) {
	for _, g := range []bloomproof.Geometry{{M: 3000, K: 4}, {M: 3000, K: 4, Hashing: bloomproof.Classic}, {M: 60000, K: 5}} {
		for _, retain := range []bool{false, true} {
			for _, sigma := range []uint64{5, g.M / 2} {
				r := bloomproof.Recycling{Sigma: sigma, Retain: retain}
				c, err := New(g, r)
				if err != nil {
					t.Fatal(err)
				}
				chain, err := cycle.Chain(g, r)
				if err != nil {
					t.Fatal(err)
				}
				step := max(1, sigma/50)
				for b := uint64(0); b <= sigma; b += step {
					got, err := c.State(b)
					if err != nil {
						t.Fatal(err)
					}
					if want := chain.Visits[b] / chain.Arrivals; !(math.Abs(got-want) <= 1e-13*want) {
						t.Errorf("%v %v: state %d has %v, want %v", g, r, b, got, want)
					}
				}
			}
		}
	}
}

// The error of the fluid limit falls as 1/m, that of the corrected one as 1/m^2.
func TestFluid(t *testing.T) {
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for i, k := range []int{1, 2, 7, 20} {
			for _, retain := range []bool{false, true} {
				for j, part := range []float64{0.25, 0.5, 0.9} {
					for n, m := range []uint64{1 << 18, 1 << 22} {
						if !longtest.Enabled() && (retain != ((i+n)%2 == 0) || (i+j)%3 == 0) {
							continue
						}
						g := bloomproof.Geometry{M: m, K: k, Hashing: h}
						sigma := uint64(part * float64(m))
						c, err := New(g, bloomproof.Recycling{Sigma: sigma, Retain: retain})
						if err != nil {
							t.Fatal(err)
						}
						rate, capacity, err := c.Fluid(true)
						if err != nil {
							t.Fatal(err)
						}
						x := (float64(k)/part + 1/(1-part)) / float64(m)
						if h == bloomproof.Classic {
							x *= float64(k)
						}
						if e := rate/c.FPR() - 1; !(math.Abs(e) <= 3*x*x+1e-14) {
							t.Errorf("%v sigma=%d retain=%t: corrected rate off by %.3g = %.3g x^2", g, sigma, retain, e, e/x/x)
						}
						if e := capacity/c.Capacity() - 1; !(math.Abs(e) <= 3*x*x+1e-14) {
							t.Errorf("%v sigma=%d retain=%t: corrected capacity off by %.3g = %.3g x^2", g, sigma, retain, e, e/x/x)
						}
					}
				}
			}
		}
	}
	// math.md's figure: about -2.3/m of the limit at k = 7, s = 1/2.
	c, err := New(bloomproof.Geometry{M: 1 << 30, K: 7}, bloomproof.Recycling{Sigma: 1 << 29})
	if err != nil {
		t.Fatal(err)
	}
	rate, _, err := c.Fluid(false)
	if err != nil {
		t.Fatal(err)
	}
	if x := (rate/c.FPR() - 1) * (1 << 30); math.Abs(x+2.332) > 0.002 {
		t.Errorf("the limit is off by %v/m", x)
	}
}

// At the sizes that are used, no chain is needed.
func TestCycleRoute(t *testing.T) {
	for _, m := range []uint64{1 << 23, 1 << 40, 1<<64 - 1} {
		for k := 1; k <= 64; k++ {
			for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
				for _, retain := range []bool{false, true} {
					g, r := bloomproof.Geometry{M: m, K: k, Hashing: h}, bloomproof.Recycling{Sigma: m / 2, Retain: retain}
					c, err := New(g, r)
					if err != nil || c.n.Visits != nil || !(c.Bound() < 1e-14) {
						t.Errorf("%v %v: %v", g, r, err)
					}
				}
			}
		}
	}
	long := bloomproof.Geometry{M: 1<<64 - 1, K: 7}
	if c, err := New(long, bloomproof.Recycling{Sigma: 1 << 26}); err != nil || c.n.Visits != nil || !(c.Bound() < 1e-5) {
		t.Errorf("%v: %v", long, err)
	}
}

// Rates that no float64 holds have logarithms, whatever rounds to nothing on the way.
func TestCycleDeep(t *testing.T) {
	for _, x := range []struct {
		g      bloomproof.Geometry
		sigma  uint64
		retain bool
		want   float64
	}{
		// One message only, or one position set by all of its own.
		{bloomproof.Geometry{M: 1 << 60, K: 64, Hashing: bloomproof.Classic}, 64, true, -64*60*math.Ln2 + lnFactorial(64)},
		{bloomproof.Geometry{M: 1 << 60, K: 4000}, 1, false, -(4000 + 3999) * 60 * math.Ln2},
	} {
		c, err := New(x.g, bloomproof.Recycling{Sigma: x.sigma, Retain: x.retain})
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.LogFPR()
		if err != nil || math.Abs(got/x.want-1) > 1e-13 {
			t.Errorf("%v sigma=%d: %v, want %v, %v", x.g, x.sigma, got, x.want, err)
		}
	}
	c, err := New(bloomproof.Geometry{M: 1 << 23, K: 64}, bloomproof.Recycling{Sigma: 1 << 7})
	if err != nil {
		t.Fatal(err)
	}
	if ln, err := c.LogFPR(); err != nil || !(ln < -700 && ln > -760) || c.FPR() > 1e-300 {
		t.Errorf("e^%v, %v, %v", ln, c.FPR(), err)
	}
}

func lnFactorial(k int) float64 {
	x, _ := math.Lgamma(float64(k + 1))
	return x
}

// A hashing without an entry, and blocks, are refused by name.
func TestUnknownHashing(t *testing.T) {
	for param, g := range map[string]bloomproof.Geometry{
		"hashing": {M: 64, K: 4, Hashing: bloomproof.Partitioned},
		"block":   {M: 1024, K: 4, Block: 512},
	} {
		least := g
		least.M = 0
		for name, err := range map[string]error{
			"New":           second(New(g, bloomproof.Recycling{Sigma: 20})),
			"New, messages": second(New(g, bloomproof.Recycling{Messages: 4})),
			"MostMessages":  second(MostMessages(g, bloomproof.Recycling{}, 0.1)),
			"LeastBits":     second(LeastBits(least, 3, bloomproof.Recycling{}, 0.1)),
			"NaiveRate":     second(NaiveRate(g, 3, naiveWorst)),
			"NaiveMessages": second(NaiveMessages(g, naiveWorst, false, 0.1)),
		} {
			var p *bloomproof.ParamError
			if !errors.As(err, &p) || p.Param != param {
				t.Errorf("%s(%v): %v, want a ParamError of %s", name, g, err, param)
			}
		}
	}
}

// Nothing is refused without a reason, and nothing is NaN.
func TestCycleCorners(t *testing.T) {
	var param *bloomproof.ParamError
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic, bloomproof.Partitioned} {
		for _, m := range []uint64{1, 2, 3, 64, 4096, 1 << 23, 1 << 40, 1<<53 + 1, 1<<64 - 1} {
			for _, k := range []int{0, 1, 2, 7, 64, 4096} {
				if k == 4096 && (!longtest.Enabled() || m > 1<<23 && m < 1<<64-1) {
					continue
				}
				for _, sigma := range []uint64{0, 1, 2, 7, 64, 130, m / 1000, m / 2, m - 2, m - 1, m} {
					for _, retain := range []bool{false, true} {
						g := bloomproof.Geometry{M: m, K: k, Hashing: h}
						r := bloomproof.Recycling{Sigma: sigma, Retain: retain}
						if s := float64(sigma); h != bloomproof.Partitioned && k > 0 && s < 1e8 && s*float64(k*k) > 3e5 && cycle.Truncation(g, sigma, retain) > 0x1p-48 {
							continue // long chains
						}
						c, err := New(g, r)
						if r.Validate(g) != nil || h == bloomproof.Partitioned {
							if !errors.As(err, &param) {
								t.Errorf("%v %v: %v", g, r, err)
							}
							continue
						}
						if err != nil {
							if !errors.Is(err, bloomproof.ErrTooCostly) {
								t.Errorf("%v %v: %v", g, r, err)
							}
							continue
						}
						if f, n := c.FPR(), c.Capacity(); !(f >= 0 && f < 1 && n > 1-1e-14 && n < math.Inf(1) && c.Bound() < 1e-3) {
							t.Errorf("%v %v: rate %v, capacity %v, bound %v", g, r, f, n, c.Bound())
						}
						for _, b := range []uint64{0, sigma / 2, sigma} {
							for name, f := range map[string]func(uint64) (float64, error){"State": c.State, "MessagesFrom": c.MessagesFrom} {
								if k > 64 {
									continue
								}
								x, err := f(b)
								if err != nil && !errors.Is(err, bloomproof.ErrTooCostly) || !(x >= 0 && x < math.Inf(1)) {
									t.Errorf("%v %v: %s(%d) = %v, %v", g, r, name, b, x, err)
								}
							}
						}
					}
				}
			}
		}
	}
}

// The message-bounded rule at every size that is followed: no NaN, a rate of at
// most 1, and with standard hashing at least what (3) says.
func TestMessageCorners(t *testing.T) {
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for _, m := range []uint64{1, 2, 64, 1000, 1 << 14, 1 << 40, 1<<64 - 1} {
			for _, k := range []int{1, 2, 7, 64} {
				for _, n := range []uint64{1, 2, 3, 10, 100, m / uint64(2*k), 1<<64 - 1} {
					for _, retain := range []bool{false, true} {
						for _, twoPhase := range []bool{false, true} {
							g := bloomproof.Geometry{M: m, K: k, Hashing: h}
							r := bloomproof.Recycling{Messages: n, Retain: retain, TwoPhase: twoPhase}
							if float64(n)*math.Sqrt(float64(m))*float64(k*k) > 1e6 && float64(n) < 1e6 && m < 1<<40 {
								continue // long
							}
							c, err := New(g, r)
							var param *bloomproof.ParamError
							if err != nil {
								if !errors.As(err, &param) && !errors.Is(err, bloomproof.ErrTooCostly) && !errors.Is(err, bloomproof.ErrUndefined) {
									t.Errorf("%v %v: %v", g, r, err)
								}
								continue
							}
							f, x := c.FPR(), c.Capacity()
							if !(f >= 0 && f <= 1+1e-15 && x > float64(n)-1.001 && x < math.Inf(1) && c.Bound() < 1e-6) {
								t.Errorf("%v %v: rate %v, capacity %v, bound %v", g, r, f, x, c.Bound())
							}
							if average, err := NaiveRate(bloomproof.Geometry{M: m, K: k}, n, naiveAverage); h == bloomproof.Standard && !twoPhase && err == nil && !(f >= average*(1-1e-9)) {
								t.Errorf("%v %v: rate %v, f_a = %v", g, r, f, average)
							}
						}
					}
				}
			}
		}
	}
}
