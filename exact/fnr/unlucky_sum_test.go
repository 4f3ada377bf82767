package fnr

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/enclose"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// sumOfUnlucky returns the sum of u_i over the states i that a cycle passes, i >= 1 when
// retaining and i >= 0 when not: the mean number of arrivals of a cycle that set a bit,
// whatever the workload is, the trigger included and a retained message not. With V the
// mean number of arrivals of a cycle, f_p the false-positive rate per arrival and fresh
// positions, f_n = sumOfUnlucky/V - (1-p_r) + f_p.
//
// For bit-bounded filters it is the sum over b <= sigma of U_b, the probability that the
// number of set bits is ever b without a bound: with V_b = U_b/(1 - tau(b,b)) messages
// that meet b bits, the outcomes of a message are followed from bit to bit instead of
// from message to message. For message-bounded filters it is N, or N-1 when retaining.
//
// Source: Dozier-FN (1)-(4), (16); derived here. ErrUndefined for a message-bounded filter that
// can be full before its N-th message.
func (c *states) sumOfUnlucky(prec uint) (exact.Enclosure, error) {
	start := uint64(0)
	if c.r.Retain {
		start = 1 // the message that finds no bit set, u_0 = 1
	}
	if n := c.r.Messages; c.r.Messages > 0 {
		if c.fillsUp() {
			return exact.Enclosure{}, refuse.Undefined("the sum of u", "the filter can fill up and never recycle")
		}
		return enclose.Rational(new(big.Rat).SetInt(new(big.Int).SetUint64(n-start)), prec), nil
	}
	steps := float64(c.r.Sigma) * float64(c.g.K)
	if steps*float64(c.g.K)*math.Log2(float64(c.g.M)) < precision.RationalMost/2 {
		f := field.Rationals
		return enclose.Rational(unluckySum(f, c.g, c.r.Sigma, start), prec), nil
	}
	// Four roundings a position, of positive terms; 1 - tau(b,b) is at least 1/m.
	work := prec + uint(math.Log2(steps+1)+math.Log2(float64(c.g.M))) + precision.Spare
	return enclose.Ziv(prec, work, func(work uint) *interval.Interval {
		f := field.Intervals(work)
		return unluckySum(f, c.g, c.r.Sigma, start)
	})
}

// fillsUp reports whether all bits can be set by fewer than N messages.
func (c *states) fillsUp() bool {
	n := new(big.Int).SetUint64(c.r.Messages - 1)
	return n.Mul(n, big.NewInt(int64(c.g.K))).Cmp(new(big.Int).SetUint64(c.g.M)) >= 0
}

// unluckySum returns the sum over b <= sigma of U_b, less start.
func unluckySum[T any, P field.Number[T]](f field.Of[T, P], g shape, sigma, start uint64) P {
	w := newFiller(f, g, bloomproof.Recycling{})
	// After t positions of a message, at b bits: none had set a bit, or one had.
	fresh := func() []P {
		x := make([]P, g.K+1)
		for t := range x {
			x[t] = f.Int(0)
		}
		return x
	}
	none, some, noneBelow, someBelow := fresh(), fresh(), fresh(), fresh()
	sum, t := f.Int(0), f.Zero()
	hit := make([]P, g.K)
	for b := uint64(0); b <= sigma; b++ {
		silent := f.Int(1) // tau(b,b)
		for pos := range hit {
			placed := w.g.placed(uint64(pos))
			hit[pos] = f.Ratio(max(b, placed)-placed, g.M-placed)
			silent.Mul(silent, hit[pos])
		}
		some[0].Set(f.Int(0))
		if b > 0 {
			for pos := range hit {
				clear := f.Ratio(g.M-b+1, g.M-w.g.placed(uint64(pos)))
				some[pos+1].Mul(some[pos], hit[pos])
				t.Add(someBelow[pos], noneBelow[pos])
				t.Mul(t, clear)
				some[pos+1].Add(some[pos+1], t)
			}
		} else {
			some[g.K].Set(f.Int(1))
		}
		sum.Add(sum, some[g.K])
		none[0].Quo(some[g.K], t.Sub(f.Int(1), silent))
		for pos := range hit {
			none[pos+1].Mul(none[pos], hit[pos])
		}
		none, noneBelow = noneBelow, none
		some, someBelow = someBelow, some
		if b == 0 {
			for _, x := range someBelow {
				x.Set(f.Int(0)) // the empty array is met at the start of a message only
			}
		}
	}
	return sum.Sub(sum, f.Uint(start))
}
