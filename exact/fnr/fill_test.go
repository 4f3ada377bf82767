package fnr

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/enclose"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// bounds returns rules of both kinds for a filter of m bits.
func bounds(m uint64) []bloomproof.Recycling {
	var rules []bloomproof.Recycling
	for sigma := range m {
		rules = append(rules, bloomproof.Recycling{Sigma: sigma})
	}
	for n := range uint64(4) {
		rules = append(rules, bloomproof.Recycling{Messages: n + 1})
	}
	return rules
}

// tinyFilled is (1)-(4) by walking through the outcomes of all messages.
type tinyFilled struct {
	fits, lucky, unlucky, ends *big.Rat
	psi, messages              map[int]*big.Rat
}

func fillByOutcomes(g bloomproof.Geometry, r bloomproof.Recycling, i int) tinyFilled {
	masks := outcomes.Masks(g)
	x := tinyFilled{new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat), map[int]*big.Rat{}, map[int]*big.Rat{}}
	add := func(m map[int]*big.Rat, at int, p *big.Rat) {
		if m[at] == nil {
			m[at] = new(big.Rat)
		}
		m[at].Add(m[at], p)
	}
	over := func(state uint32, messages int) bool {
		if r.Messages > 0 {
			return uint64(messages) == r.Messages
		}
		return uint64(bits.OnesCount32(state)) > r.Sigma
	}
	share := big.NewRat(1, int64(len(masks)))
	var walk func(state uint32, messages, left int, p *big.Rat)
	walk = func(state uint32, messages, left int, p *big.Rat) {
		if left == 0 {
			x.fits.Add(x.fits, p)
			add(x.psi, bits.OnesCount32(state), p)
			add(x.messages, messages, p)
		}
		each := new(big.Rat).Mul(p, share)
		for _, mask := range masks {
			next, count := state|mask, messages
			if next != state {
				count++
			}
			recycles := next != state && over(next, count)
			switch {
			case left > 0 && !recycles:
				walk(next, count, left-1, each)
			case left > 0:
			case next == state:
				x.lucky.Add(x.lucky, each)
			default:
				x.unlucky.Add(x.unlucky, each)
				if recycles {
					x.ends.Add(x.ends, each)
				}
			}
		}
	}
	walk(0, 0, i, big.NewRat(1, 1))
	return x
}

func eachTinyStates(t *testing.T, f func(g bloomproof.Geometry, r bloomproof.Recycling, c *states)) {
	for m := uint64(1); m <= 5; m++ {
		for k := 1; k <= 3; k++ {
			for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
				g := bloomproof.Geometry{Hashing: h, M: m, K: k}
				if g.Validate() != nil {
					continue
				}
				for _, r := range bounds(m) {
					c, err := newStates(g, r)
					if err != nil {
						t.Fatal(err)
					}
					f(g, r, c)
				}
			}
		}
	}
}

// state is what i distinct messages make of an array that was empty before them. Given that
// they fit, the probabilities are phi(l|i) = psi[l]/fits, gamma(i) = lucky/fits and rho(i) =
// ends/fits, Dozier-FN (2)-(4).
type state struct {
	psi      []exact.Enclosure // psi(l,i): they fit, and l bits are set; l = 0 to the most possible
	messages []exact.Enclosure // message-bounded: they fit, and s of them set bits; nil for bit-bounded
	fits     exact.Enclosure   // v_i = sum of psi: no recycle yet
	lucky    exact.Enclosure   // v_i gamma(i): they fit, and one more sets no bit
	unlucky  exact.Enclosure   // u_i = v_i (1 - gamma(i)): they fit, and one more sets a bit
	ends     exact.Enclosure   // r_i = v_i rho(i): they fit, and one more does not; the sum over i is 1
}

// after returns the state after i distinct messages.
func (c *states) after(i uint64, prec uint) (*state, error) {
	if err := precision.Check(prec); err != nil {
		return nil, err
	}
	steps := atPrecision(c.steps(i), prec)
	if steps > fillLimit {
		return nil, refuse.TooCostly(fmt.Sprintf("the distribution of the bits after %d messages", i), steps, fillLimit)
	}
	if outcomes := float64(i+1) * float64(c.g.K) * math.Log2(float64(c.g.M)); outcomes < precision.RationalMost/2 {
		f := field.Rationals
		return filled(newFiller(f, c.g, c.r), i, func(x *big.Rat) exact.Enclosure { return enclose.Rational(x, prec) }), nil
	}
	// Two roundings a position and one a term of a sum, all of positive terms.
	work := prec + uint(math.Log2(c.steps(i)+1)) + precision.Spare
	f := field.Intervals(work)
	return filled(newFiller(f, c.g, c.r), i, enclose.Interval), nil
}

// filled lets i messages arrive at w and reads off what a state holds.
func filled[T any, P field.Number[T]](w *filler[T, P], i uint64, wrap func(P) exact.Enclosure) *state {
	for range i {
		w.next()
	}
	x := &state{}
	share := func(sum, scale P) exact.Enclosure {
		sum.Quo(sum, scale)
		return wrap(sum)
	}
	fits := w.f.Int(0)
	most := 0
	for _, row := range w.rows {
		most = max(most, len(row))
	}
	for l := range most {
		sum := w.f.Int(0)
		for _, row := range w.rows {
			if l < len(row) {
				sum.Add(sum, row[l])
			}
		}
		fits.Add(fits, sum)
		x.psi = append(x.psi, share(sum, w.scale))
	}
	if w.r.Messages > 0 {
		for _, row := range w.rows {
			sum := w.f.Int(0)
			for _, v := range row {
				sum.Add(sum, v)
			}
			x.messages = append(x.messages, share(sum, w.scale))
		}
	}
	x.fits = share(fits, w.scale)
	quiet, loud, over := w.next()
	x.lucky, x.unlucky, x.ends = share(quiet, w.scale), share(loud, w.scale), share(over, w.scale)
	return x
}

// All of (1)-(4) are what enumeration of every outcome gives, also message-bounded.
func TestStatesBruteForce(t *testing.T) {
	eachTinyStates(t, func(g bloomproof.Geometry, r bloomproof.Recycling, c *states) {
		for i, count := 0, len(outcomes.Masks(g)); i < 5 && count < 3000; i, count = i+1, count*len(outcomes.Masks(g)) {
			want := fillByOutcomes(g, r, i)
			x, err := c.after(uint64(i), 80)
			if err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("%v %v i=%d", g, r, i)
			equal := func(what string, e exact.Enclosure, want *big.Rat) {
				t.Helper()
				if want == nil {
					want = new(big.Rat)
				}
				if got, ok := e.Rat(); !ok || got.Cmp(want) != 0 {
					t.Errorf("%s: %s = %v, want %v", name, what, got, want)
				}
			}
			equal("v", x.fits, want.fits)
			equal("u", x.unlucky, want.unlucky)
			equal("r", x.ends, want.ends)
			for l, e := range x.psi {
				equal(fmt.Sprintf("psi(%d)", l), e, want.psi[l])
			}
			for s, e := range x.messages {
				equal(fmt.Sprintf("messages %d", s), e, want.messages[s])
			}
			equal("v gamma", x.lucky, want.lucky)
		}
	})
}

// psi is the distribution of the bits without a bound, which package exact knows by other routes;
// v_(i+1) = v_i - r_i; and the numbers of bits beyond what rationals serve for agree.
func TestStatesAgainstLaw(t *testing.T) {
	for _, c := range []struct {
		g     bloomproof.Geometry
		sigma uint64
		i     uint64
		prec  uint
	}{
		{bloomproof.Geometry{M: 60, K: 4}, 30, 9, 100},
		{bloomproof.Geometry{M: 500, K: 5}, 150, longtest.More[uint64](20, 35), 64},
		{bloomproof.Geometry{M: 100, K: 7}, 99, longtest.More[uint64](12, 20), 3400},
		{bloomproof.Geometry{Hashing: bloomproof.Classic, M: 500, K: 5}, 150, longtest.More[uint64](20, 33), 64},
		{bloomproof.Geometry{Hashing: bloomproof.Classic, M: 1 << 40, K: 12}, 480, longtest.More[uint64](20, 40), 200},
		{bloomproof.Geometry{M: 1<<64 - 1, K: 3}, 58, 19, 64},
	} {
		f, err := newStates(c.g, bloomproof.Recycling{Sigma: c.sigma})
		if err != nil {
			t.Fatal(err)
		}
		x, err := f.after(c.i, c.prec)
		if err != nil {
			t.Fatal(err)
		}
		law, err := exact.Union(c.g.M, []exact.Committees{{Size: uint64(c.g.K), Count: c.i}})
		if c.g.Hashing == bloomproof.Standard {
			law, err = exact.Union(c.g.M, []exact.Committees{{Size: 1, Count: uint64(c.g.K) * c.i}})
		}
		if err != nil {
			t.Fatal(err)
		}
		least, most := law.Range()
		for l := least; l <= min(most, c.sigma); l += 1 + most/20 {
			p, err := law.PMF(l, c.prec, exact.Auto)
			if err != nil {
				t.Fatal(err)
			}
			if !p.Overlaps(x.psi[l]) || x.psi[l].RelBits() < int(c.prec) {
				t.Errorf("%v: psi(%d,%d) = %v, the law says %v", c.g, l, c.i, x.psi[l], p)
			}
		}
		next, err := f.after(c.i+1, c.prec)
		if err != nil {
			t.Fatal(err)
		}
		rest := enclose.Of(x.fits)
		sum := enclose.Interval(rest.Sub(rest, enclose.Of(x.ends)))
		if !sum.Overlaps(next.fits) {
			t.Errorf("%v: v_i - r_i = %v, v_(i+1) = %v", c.g, sum, next.fits)
		}
	}
}

// The sum of u over i is what the chain over bits gives, with its kernel by enumeration.
func TestUnluckySum(t *testing.T) {
	eachTinyStates(t, func(g bloomproof.Geometry, r bloomproof.Recycling, c *states) {
		got, err := c.sumOfUnlucky(70)
		if r.Messages > 0 {
			if full := (r.Messages-1)*uint64(g.K) >= g.M; full != errors.Is(err, bloomproof.ErrUndefined) {
				t.Fatalf("%v %v: %v", g, r, err)
			} else if !full && got.Float64() != float64(r.Messages) {
				t.Errorf("%v %v: %v", g, r, got)
			}
			return
		}
		masks := outcomes.Masks(g)
		visits := make([]*big.Rat, r.Sigma+1) // V_b
		want := new(big.Rat)
		for b := range visits {
			visits[b] = new(big.Rat)
			if b == 0 {
				visits[b].SetInt64(1)
			}
			stay := 0
			for j := 0; j <= b; j++ {
				reach := 0
				for _, mask := range masks {
					if bits.OnesCount32(mask|(1<<j-1)) == b {
						reach++
					}
				}
				if j == b {
					stay = reach
					continue
				}
				p := big.NewRat(int64(reach), int64(len(masks)))
				visits[b].Add(visits[b], p.Mul(p, visits[j]))
			}
			want.Add(want, visits[b])
			visits[b].Quo(visits[b], new(big.Rat).Sub(big.NewRat(1, 1), big.NewRat(int64(stay), int64(len(masks)))))
		}
		if v, ok := got.Rat(); err != nil || !ok || v.Cmp(want) != 0 {
			t.Errorf("%v %v: sum of u = %v, want %v (%v)", g, r, got, want, err)
		}
	})
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		c, err := newStates(bloomproof.Geometry{Hashing: h, M: 50, K: 4}, bloomproof.Recycling{Sigma: 22, Retain: true})
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.sumOfUnlucky(100)
		if err != nil || got.RelBits() < 100 {
			t.Fatal(got, err)
		}
		sum := 0.0
		w := newFiller(field.Intervals(100), c.g, c.r)
		for i := range 40 { // u_0 = 1 is the retained message
			if _, loud, _ := w.next(); i > 0 {
				sum += enclose.Interval(loud.Quo(loud, w.scale)).Float64()
			}
		}
		if d := got.Float64() - sum; d < -1e-12 || d > 1e-12 {
			t.Errorf("%v: the sum of u is %v, adding up gives %v", h, got, sum)
		}
	}
}

func TestStatesParameters(t *testing.T) {
	g := bloomproof.Geometry{M: 100, K: 3}
	var bad *bloomproof.ParamError
	for _, c := range []struct {
		g bloomproof.Geometry
		r bloomproof.Recycling
	}{
		{g, bloomproof.Recycling{Sigma: 100}},
		{bloomproof.Geometry{Hashing: bloomproof.Partitioned, M: 9, K: 3}, bloomproof.Recycling{Sigma: 5}},
		{bloomproof.Geometry{}, bloomproof.Recycling{}},
	} {
		if _, err := newStates(c.g, c.r); !errors.As(err, &bad) {
			t.Errorf("%v %v: %v", c.g, c.r, err)
		}
	}
	f, err := newStates(bloomproof.Geometry{M: 1<<64 - 1, K: 4096}, bloomproof.Recycling{Sigma: 1<<64 - 2})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.after(1<<64-1, 64); !errors.Is(err, bloomproof.ErrTooCostly) {
		t.Error(err)
	}
	if f, err = newStates(g, bloomproof.Recycling{Sigma: 50}); err != nil {
		t.Fatal(err)
	}
	if _, err := f.after(60, exact.MaxPrec); !errors.Is(err, bloomproof.ErrTooCostly) {
		t.Error(err)
	}
	if _, err := f.after(1, 0); !errors.As(err, &bad) {
		t.Error(err)
	}
}
