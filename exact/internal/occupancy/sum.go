package occupancy

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// This file computes the probabilities of integral.go directly by sums. If few bits are set, inclusion and exclusion is
// used. If very few bits are set, the sums are computed in rationals.

const (
	sumsFrom         = 64      // up to this number of set bits a sum is cheaper than the integral
	sumsTo           = 2048    // above this number of set bits a sum is not tried, because it takes a second
	mostEmpties      = 256     // up to this mean number of empty urns the sum is over the empty urns
	mostRationalBits = 1 << 15 // largest length of a denominator in bits
	mostTerms        = 512     // largest number of terms of a sum of rationals
)

// Empties returns approximately the mean number of empty urns.
func (o Distribution) Empties() float64 {
	n, _ := new(big.Float).SetInt(o.N).Float64()
	return float64(o.counted()) * math.Exp(n*math.Log1p(-float64(o.K)/float64(o.M)))
}

// Let mean be the mean number of empty urns. The terms of the sums over j empty urns are at most (2*mean)^j/j! <
// e^(2*mean) < 2^(2.9*mean). So at most 2.9*mean bits cancel. The sum of the omitted terms is at most 2^-restBits times
// the required width.
const (
	termBits = 3
	restBits = 4
	sumSpare = 24 // extra bits for the rounding errors of a term of belowSum, besides the bits that are counted
)

// Consider the probability that a given number of urns are empty. An alternating sum gives this probability. The first
// term of the sum is an upper bound of the probability. This term is at most (e*mean/number)^number. So the probability
// is negligible (below 2^-nothingBits) if the given number is at least 1000 and at least 20 times the mean.
const (
	nothingLeast = 1000
	nothingTimes = 20
	nothingBits  = 2000
)

// Consider the probability that the given number of urns are empty. If it is certainly below 2^-nothingBits, the
// function "nothing" returns true. The argument "mean" is the mean number of empty urns.
func nothing(number uint64, mean float64) bool {
	return float64(number) > nothingLeast+nothingTimes*mean
}

// Crowded reports whether the mean number of empty urns is small enough for EmptiesSum.
func (o Distribution) Crowded() bool { return o.Empties() <= mostEmpties }

// EmptiesSum returns P[X <= b] with an absolute width of about 2^-goal. If the argument "exactly" is true, it returns
// P[X = b] instead. It is meant for few empty urns. If the argument "steps" is above 0, it returns how much this
// probability grows when "steps" batches are added. Let e = m-b, and let r_j be the probability that a batch leaves j
// given urns empty. Then
//
//	P[X = b] = sum over j >= e of (-1)^(j-e) C(j,e) C(m,j) r_j^n.
//
// For P[X <= b], C(j-1,e-1) takes the place of C(j,e). If X counts only a of the m urns, C(a,j) replaces C(m,j) and e =
// a-b. By Bonferroni's inequalities the partial sums are alternately too large and too small. So the error of a partial
// sum is at most the next term.
func (o Distribution) EmptiesSum(b uint64, exactly bool, steps int, goal uint) *interval.Interval {
	// Let mu be the mean number of empty urns. Term j of the sum is at most (2 mu)^j/j!.
	work := goal + uint(termBits*o.Empties()) + uint(o.N.BitLen()) + workSpare
	w := func() *interval.Interval { return interval.New(work) }
	least := new(big.Float).SetMantExp(big.NewFloat(1), -precision.Cut(goal+restBits))
	k, e, urns := uint64(o.K), o.counted()-b, o.counted()
	choose, spare, t := w().SetUint64(1), w().SetUint64(1), w()
	if nothing(e, o.Empties()) {
		return w().SetEnds(new(big.Float), least.SetMantExp(big.NewFloat(1), -min(int(goal), nothingBits)))
	}
	next := func(j uint64) { // computes r_(j+1)
		if spare.Mul(spare, t.SetUint64(o.M-j-min(k, o.M-j))); spare.Sign() > 0 {
			spare.Quo(spare, t.SetUint64(o.M-j))
		}
	}
	for j := range e {
		t.SetUint64(urns - j)
		choose.Mul(choose, t)
		t.SetUint64(j + 1)
		choose.Quo(choose, t)
		next(j)
	}
	sum := w()
	for j := e; ; j++ {
		term := w().PowInt(spare, o.N)
		term.Mul(term, choose)
		if term.Hi().Cmp(least) <= 0 {
			rest := term.Hi()
			if steps > 0 {
				rest.Add(rest, rest)
			}
			return sum.Add(sum, term.SetEnds(new(big.Float).Neg(rest), rest))
		}
		if steps > 0 {
			gain := w().PowInt(spare, big.NewInt(int64(steps)))
			gain.Sub(gain, w().SetUint64(1))
			term.Mul(term, gain)
		}
		if (j-e)&1 == 0 {
			sum.Add(sum, term)
		} else {
			sum.Sub(sum, term)
		}
		if j == urns {
			return sum
		}
		next(j)
		t.SetUint64(urns - j)
		choose.Mul(choose, t)
		t.SetUint64(j - e + 1)
		choose.Quo(choose, t)
		if !exactly {
			t.SetUint64(j)
			choose.Mul(choose, t)
			t.SetUint64(j + 1)
			choose.Quo(choose, t)
		}
	}
}

// belowSum returns P[X <= b], the distribution function at b, for k <= b < n*k and b < m. The absolute width is about
// 2^-goal. The method computes this sum:
//
//	sum over x = k..b of (-1)^(b-x) C(m,x) C(m-x-1,b-x) g(x)^n.
//
// The comment at the top of integral.go defines the function g. The computation begins with the last term of the sum.
// It multiplies each term by a ratio to get the term before it. Suppose that s of the m urns are excluded from the
// count. Then m-s replaces m, and g(s+x) replaces g(x). The sum begins at x = max(0,k-s).
func (o Distribution) belowSum(b uint64, goal uint) *interval.Interval {
	work := goal + uint(o.largestTerm(b)) + uint(o.N.BitLen()+bits.Len64(b)) + sumSpare
	w := func() *interval.Interval { return interval.New(work) }
	k, urns := uint64(o.K), o.counted()
	least := k - min(k, o.Out)
	choose, g, t := w().SetUint64(1), w().SetUint64(1), w()
	for i := range b { // computes C(a,b)
		t.SetUint64(urns - i)
		choose.Mul(choose, t)
		t.SetUint64(i + 1)
		choose.Quo(choose, t)
	}
	for i := range k {
		t.SetUint64(b + o.Out - i)
		g.Mul(g, t)
		t.SetUint64(o.M - i)
		g.Quo(g, t)
	}
	sum := w()
	for x := b; ; x-- {
		t.PowInt(g, o.N)
		if t.Mul(t, choose); (b-x)&1 == 0 {
			sum.Add(sum, t)
		} else {
			sum.Sub(sum, t)
		}
		if x == least {
			return sum
		}
		t.SetUint64(x + o.Out - k)
		g.Mul(g, t)
		t.SetUint64(x + o.Out)
		g.Quo(g, t)
		t.SetUint64(x)
		choose.Mul(choose, t)
		t.SetUint64(urns - x + 1)
		choose.Quo(choose, t)
		t.SetUint64(urns - x)
		choose.Mul(choose, t)
		t.SetUint64(b - x + 1)
		choose.Quo(choose, t)
	}
}

// largestTerm returns an approximation of log2 of the largest term of belowSum, or 0 if this logarithm is negative.
func (o Distribution) largestTerm(b uint64) float64 {
	n, _ := new(big.Float).SetInt(o.N).Float64()
	m, k, urns, out := float64(o.M), float64(o.K), float64(o.counted()), float64(o.Out)
	choose, g := 0.0, 0.0
	for i := 0.0; i < float64(b); i++ {
		choose += math.Log2((urns - i) / (i + 1))
	}
	for i := 0.0; i < k; i++ {
		g += math.Log2((float64(b) + out - i) / (m - i))
	}
	worst := 0.0
	for x := float64(b); ; x-- {
		worst = max(worst, choose+n*g)
		if x == max(0, k-out) {
			return worst
		}
		g += math.Log2((x + out - k) / (x + out))
		choose += math.Log2(x / (urns - x + 1) * (urns - x) / (float64(b) - x + 1))
	}
}

// RationalBits returns the approximate number of bits of C(m,k)^n. This is the common denominator of the rationals that
// the following functions return. If there are too many terms, it returns infinity.
func (o Distribution) RationalBits(b uint64) float64 {
	n, _ := new(big.Float).SetInt(o.N).Float64()
	if b > mostTerms {
		return math.Inf(1)
	}
	return n * float64(o.K) * math.Log2(float64(o.M))
}

// BelowRational returns P[X <= b] as a rational number. The number b must be less than M-Out.
func (o Distribution) BelowRational(b uint64) *big.Rat {
	sum := new(big.Rat)
	for i := uint64(0); i <= b; i++ {
		sum.Add(sum, o.ExactlyRational(i))
	}
	return sum
}

// ExactlyRational returns P[X = b], the probability that b urns are occupied, as a rational. It uses equation (14) of
// Burns. If s of the urns are excluded from X, ExactlyRational uses g(s+x) in place of g(x). The file integral.go
// explains this.
func (o Distribution) ExactlyRational(b uint64) *big.Rat {
	n := o.N.Uint64()
	sum, t := new(big.Int), new(big.Int)
	for j := uint64(0); j <= b; j++ {
		t.Mul(t.Binomial(int64(b), int64(j)), integer.Power(integer.Binomial(j+o.Out, o.K), n))
		if (b-j)&1 == 0 {
			sum.Add(sum, t)
		} else {
			sum.Sub(sum, t)
		}
	}
	sum.Mul(sum, integer.Binomial(o.counted(), int(b)))
	return new(big.Rat).SetFrac(sum, integer.Power(integer.Binomial(o.M, o.K), n))
}
