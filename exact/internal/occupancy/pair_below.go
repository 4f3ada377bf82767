package occupancy

import (
	"math"
	"math/big"
	mathbits "math/bits"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
	"github.com/bloomproof/bloomproof/exact/internal/search"
)

// This file computes the distribution function of a Pair. Let A be the number of urns that the first group, of n balls,
// hits. Given A = a, the first group hits a set of a urns. X is the number of urns in this set that the other group
// also hits. So
//
//	P[X <= x] = sum over a of f(a),   where f(a) = P[A = a] P[X <= x | A = a].
//
// Each term is computed by two integrals, and this works for any number of urns and balls. Only every h-th term f(a) of
// a window is computed. The sum of these terms is multiplied by h.
//
// The error of the sum is bounded as follows. Let F(w) = sum over a of f(a) w^a = E[w^A; X <= x]. Consider the sum of
// f(a) over all a that equal a0 modulo h. Let t_j = 2 pi j/h. Then h times this number is equal to:
//
//	sum over j < h of c_j F(e^(i t_j)),   with |c_j| = 1 and c_0 = 1.
//
// The term F(1), for j = 0, is the required sum. The other terms are small for the following reason. Fix the set of the
// b urns that the other group hits. Also fix the balls of the first group that fall into these urns. Then X is
// independent of A - X. The remaining n' balls fall into the m-b other urns, and A - X is the number of urns that they
// hit. Its generating function has only real roots (see Slices). So A - X has the distribution of a sum of independent
// variables that are 0 or 1. Let V be the variance of A - X. Then the following bound holds:
//
//	|F(e^(it))| <= E[e^-(V (1-cos t))].
//
// The number 1-cos t is at least t^2/2 - t^4/24. For t up to pi, it is also at least 2 (t/pi)^2. Add the bounds for all
// t_j with j > 0. The sum is at most:
//
//	2 (e^-(V (t_1^2/2 - t_1^4/24)) + e^(-32V/h^2)/(1-e^(-16V/h^2))).
//
// V is bounded from below as follows. Let n balls fall into m urns, and let q = (1-1/m)^n. The variance of the number
// of urns hit is at least m q (1-q (1+n/(m-1))). The reason is as follows. A term of this variance is the difference
//
//	q^2 - (1-2/m)^n = q^2 (1-(1-1/(m-1)^2)^n).
//
// In this difference, (1-1/(m-1)^2)^n is at least 1-n/(m-1)^2. The product m q grows as m grows. For n >= 1, it falls
// as n grows. The same is true of q (1+n/(m-1)). To bound V, replace n by n' and m by m-b in this bound. So a lower
// bound of V follows from a range for n' and a range for b.
//
// The number of urns hit has the distribution of a sum of independent variables that are 0 or 1. The same holds for the
// number of given urns that are hit, and for the number of balls in given urns. Proof: let a of m urns be given. Let G
// be the generating function of the number of hit urns among them. One more ball changes G to (m-a+wa)G/m + w(1-w)G'/m.
// Let H(w) = w^(m-a) (1-w)^-m G. Then the new function is H'(w) w^(1-m+a) (1-w)^(m+1)/m. So by Rolle's theorem the
// roots stay real. Consider the event that such a number exceeds its mean by t or more. By Bernstein's inequality, the
// probability of this event is at most e^-L. The event that the number is less than its mean by t or more has the same
// bound. The exponent is:
//
//	L = t^2/(2 (variance+t/3)).
//
// Solving for t gives t = L/3 + sqrt((L/3)^2 + 2 L variance).

const (
	momentBits   = 512  // precision of mean and variance, because cancellation leaves about m^-3 of the terms
	mostMixture  = 1024 // largest number of terms, which take half a minute
	mixtureSpare = 8    // extra bits of each term
)

// Some of m >= 2 urns are given, and n balls are thrown. The type "hits" holds the mean and the variance of the number
// of given urns that the balls hit.
type hits struct{ mean, variance *interval.Interval }

// The function hitsOf computes a value of type hits. The argument "given" is the number of given urns, which must be at
// least 1.
func hitsOf(given, m, n uint64) hits {
	w := func() *interval.Interval { return interval.New(momentBits) }
	// Consider ordered lists of one or two different given urns. The argument "urns" is the length of these lists. The
	// function "spared" returns the mean number of lists in which no urn is hit.
	spared := func(urns uint64) *interval.Interval {
		p := w().SetUint64(m - urns)
		p.Quo(p, w().SetUint64(m))
		p.PowInt(p, integer.Uint(n))
		for i := range urns {
			p.Mul(p, w().SetUint64(given-i))
		}
		return p
	}
	one := spared(1)
	h := hits{mean: w().Sub(w().SetUint64(given), one), variance: w().Sub(one, w().Mul(one, one))}
	if given > 1 {
		h.variance.Add(h.variance, spared(2))
	}
	return h
}

// Let Y be the number of hit urns. The method "beyond" returns an upper bound of a tail probability of Y. If x is above
// the mean, this probability is P[Y >= x], and the result "above" is true. If x is below the mean, this probability is
// P[Y <= x].
func (h hits) beyond(x uint64) (bound *interval.Interval, above bool) {
	w := func() *interval.Interval { return interval.New(momentBits) }
	t := w().Sub(w().SetUint64(x), h.mean)
	if above = t.Lo().Sign() > 0; !above {
		if t.Neg(t); t.Lo().Sign() <= 0 {
			return w().SetUint64(1), false
		}
	}
	v := w().Quo(t, w().SetUint64(3))
	v.Add(v, h.variance)
	v.MulPow2(v, 1)
	t.Mul(t, t)
	t.Quo(t, v)
	return t.Exp(t.Neg(t)), above
}

// The function "bernstein" returns an upper bound of the deviation t for which Bernstein's bound is e^-nats. The
// comment at the top of this file states Bernstein's bound.
func bernstein(variance *interval.Interval, nats float64) *interval.Interval {
	w := func() *interval.Interval { return interval.New(momentBits) }
	l := w().SetEnds(big.NewFloat(nats), big.NewFloat(nats))
	third := w().Quo(l, w().SetUint64(3))
	t := w().SetEnds(new(big.Float), variance.Hi())
	t.Mul(t, l)
	t.MulPow2(t, 1)
	t.Add(t, w().Mul(third, third))
	t.Sqrt(t)
	t.Add(t, third)
	return t.SetEnds(t.Hi(), t.Hi())
}

// The function "within" returns the ends of a range of integers. The range lies between 0 and "most". It contains all
// such integers from mean-t to mean+t.
func within(mean, t *interval.Interval, most uint64) (least, last uint64) {
	lo := interval.New(momentBits).Sub(mean, t).Lo()
	if lo.Sign() > 0 {
		least, _ = lo.Uint64()
	}
	last = most
	if hi, _ := interval.New(momentBits).Add(mean, t).Hi().Uint64(); hi < most {
		last = hi + 1
	}
	return min(least, last), last
}

// outsideVariance returns a lower bound of the variance V that the comment at the top of this file defines. V is the
// variance of the number of urns that only the first group hits. The bound is wrong with probability at most 4 e^-nats.
func (o Pair) outsideVariance(nats float64) *interval.Interval {
	w := func() *interval.Interval { return interval.New(momentBits) }
	group := hitsOf(o.M, o.M, o.N[1])
	first, last := within(group.mean, bernstein(group.variance, nats), o.M)
	least, most := o.M-last, o.M-first // numbers of urns that the other group does not hit
	if least < 2 {
		return w()
	}
	// Let n' be the number of balls of the first group in urns that the second group does not hit. This number has a
	// binomial distribution. Its mean lies between the following two numbers.
	n, m := w().SetUint64(o.N[0]), w().SetUint64(o.M)
	low := w().Quo(w().Mul(n, w().SetUint64(least)), m)
	high := w().Quo(w().Mul(n, w().SetUint64(most)), m)
	inside := w().Quo(w().SetUint64(o.M-least), m)
	t := bernstein(inside.Mul(inside, high), nats)
	fewest, _ := within(low, t, o.N[0])
	_, many := within(high, t, o.N[0])
	if fewest < 1 {
		return w()
	}
	spare := func(m, n uint64) *interval.Interval { // returns (1-1/m)^n
		x := w().SetUint64(m - 1)
		x.Quo(x, w().SetUint64(m))
		return x.PowInt(x, integer.Uint(n))
	}
	v := w().SetUint64(fewest)
	v.Quo(v, w().SetUint64(most-1))
	v.Add(v, w().SetUint64(1))
	v.Mul(v, spare(most, fewest))
	v.Sub(w().SetUint64(1), v)
	v.Mul(v, w().SetUint64(least))
	v.Mul(v, spare(least, many))
	if lo := v.Lo(); lo.Sign() > 0 {
		return v.SetEnds(lo, lo)
	}
	return w()
}

// The comment at the top of this file has a sum of terms F(e^(i t_j)). The function "aliases" returns an upper bound of
// the sum of the terms other than F(1). Here only every h-th number a is used, with h >= 2. The argument v is a lower
// bound of the variance V.
func aliases(v *interval.Interval, h uint64) *interval.Interval {
	w := func() *interval.Interval { return interval.New(momentBits) }
	exp := func(x *interval.Interval) *interval.Interval { return x.Exp(x.Neg(x)) }
	t := interval.Angle(w(), h)
	t.Mul(t, t)
	x := w().Mul(t, t)
	x.Quo(x, w().SetUint64(24))
	t.MulPow2(t, -1)
	t.Sub(t, x)
	bound := exp(t.Mul(t, v))
	x.SetUint64(h)
	x.Mul(x, x)
	x.Quo(w().MulPow2(v, 4), x)
	rest := exp(w().MulPow2(x, 1))
	x.Sub(w().SetUint64(1), exp(x))
	bound.Add(bound, rest.Quo(rest, x))
	return bound.MulPow2(bound, 1)
}

// The sum over a uses only every h-th value of a. The function "lattice" returns h. It also returns the bound that the
// function "aliases" returns for h. This bound is at most the argument "limit". The argument v is a lower bound of the
// variance V.
func lattice(v *interval.Interval, nats float64, limit *big.Float) (uint64, *interval.Interval) {
	h := uint64(math.Pi * math.Sqrt(2*v.Float64()/nats))
	for ; h >= 2; h -= max(1, h/10) {
		if bound := aliases(v, h); bound.Valid() && bound.Hi().Cmp(limit) <= 0 {
			return h, bound
		}
	}
	return 1, interval.New(momentBits)
}

// Below returns P[X <= x], the distribution function at x, with an absolute width of at most 2^-bits. M must be at
// least 2, and each group must have a ball.
func (o Pair) Below(x uint64, bits uint) (*interval.Interval, error) {
	if x >= min(o.M, o.N[0], o.N[1]) {
		return interval.New(boundBits).SetUint64(1), nil
	}
	if o.N[0] < o.N[1] { // the first group must be the one whose number of hit urns varies less
		o.N[0], o.N[1] = o.N[1], o.N[0]
	}
	return narrowed(x, bits+mixtureSpare, bits, func(asked uint) (*interval.Interval, error) { return o.mixture(x, asked) })
}

// The method "mixture" returns P[X <= x], the distribution function at x, with an absolute width of about 2^-goal.
func (o Pair) mixture(x uint64, goal uint) (*interval.Interval, error) {
	w := func() *interval.Interval { return interval.New(goal + workSpare) }
	group := hitsOf(o.M, o.M, o.N[0])
	// The probability outside the windows is multiplied by 6h. Here h is the step from each value of a to the next one.
	// This step is at most a few standard deviations.
	nats := (float64(goal) + math.Log2(8+8*math.Sqrt(max(0, group.variance.Float64())))) * math.Ln2
	limit := new(big.Float).SetMantExp(big.NewFloat(1), -int(goal))
	h, slack := lattice(o.outsideVariance(nats), float64(goal)*math.Ln2, limit)
	outside := w().SetEnds(big.NewFloat(-nats), big.NewFloat(-nats))
	outside.Exp(outside)
	outside.Mul(outside, w().SetUint64(6))
	step := w().SetUint64(h)
	slack.Add(slack, outside.Mul(outside, step))
	first, last := within(group.mean, bernstein(group.variance, nats), min(o.M, o.N[0]))
	first = max(first, 1)
	if terms := float64(last-first)/float64(h) + 1; terms > mostMixture {
		return nil, refuse.TooCostly("a sum over the set bits of an intersection", terms, mostMixture)
	}
	one := Distribution{M: o.M, N: integer.Uint(o.N[0]), K: 1}
	bits := goal + uint(mathbits.Len64(h)) + mixtureSpare // the absolute precision of each term
	var list []*interval.Interval
	if one.Crowded() {
		list = one.emptiesList(first, last, bits)
	}
	sum := w()
	for a := first; ; a += h {
		var p *interval.Interval
		if list != nil {
			p = list[a-first]
		} else {
			most, _ := group.beyond(a)
			var err error
			if p, err = one.Exactly(a, uint(max(1, int(bits)+most.Hi().MantExp(nil)))); err != nil {
				return nil, err
			}
		}
		p.Mul(p, step)
		given, err := o.given(a, x, int(goal)+mixtureSpare+p.Hi().MantExp(nil))
		if err != nil {
			return nil, err
		}
		sum.Add(sum, w().Mul(given, p))
		if last-a < h {
			break
		}
	}
	hi := slack.Hi()
	sum.Add(sum, w().SetEnds(new(big.Float).Neg(hi), hi))
	if lo := sum.Lo(); lo.Sign() < 0 && sum.Hi().Sign() >= 0 {
		sum.SetEnds(new(big.Float), sum.Hi())
	}
	return sum, nil
}

// Suppose that the first group hits a urns. The method "given" returns the conditional probability P[X <= x | A = a].
// The absolute width is about 2^-bits.
func (o Pair) given(a, x uint64, bits int) (*interval.Interval, error) {
	if bits <= 0 {
		return interval.New(boundBits).SetEnds(new(big.Float), big.NewFloat(1)), nil
	}
	if x >= a {
		return interval.New(boundBits).SetUint64(1), nil
	}
	group := hitsOf(a, o.M, o.N[1])
	limit := new(big.Float).SetMantExp(big.NewFloat(1), -bits)
	if p, above := group.beyond(x); !above && p.Hi().Cmp(limit) <= 0 {
		return p.SetEnds(new(big.Float), p.Hi()), nil
	}
	if p, above := group.beyond(x + 1); above && p.Hi().Cmp(limit) <= 0 {
		p.Sub(interval.New(momentBits).SetUint64(1), p)
		return p.SetEnds(p.Lo(), big.NewFloat(1)), nil
	}
	return Distribution{M: o.M, N: integer.Uint(o.N[1]), K: 1, Out: o.M - a}.Below(x, uint(bits))
}

// Compare compares P[X <= x], the distribution function at x, with p. It returns -1 if P[X <= x] is smaller, and 1 if
// it is larger.
func (o Pair) Compare(x uint64, p *big.Rat) (int, error) {
	order, decided, err := compared(o.Below, x, p)
	if err == nil && !decided {
		err = agree(x, p)
	}
	return order, err
}

// Quantile returns the least number x with P[X <= x] >= p, for 0 < p < 1. P[X <= x] is the distribution function at x.
func (o Pair) Quantile(p *big.Rat) (uint64, error) {
	m := float64(o.M)
	var hit, tied [2]float64 // for each group, the fraction of urns hit, and the effect of one urn on the others
	for i, n := range o.N {
		c := float64(n) / m
		hit[i] = -math.Expm1(-c)
		tied[i] = c * math.Exp(-2*c)
	}
	both := hit[0] * hit[1]
	v := m * (both*(1-both) - hit[0]*hit[0]*tied[1] - hit[1]*hit[1]*tied[0])
	guess := m*both + Deviate(p)*math.Sqrt(max(0, v))
	x, _, err := search.FirstTrue(0, uint64(min(max(guess, 0), 0x1p63)), func(x uint64) (bool, error) {
		order, err := o.Compare(x, p)
		return order >= 0, err
	})
	return x, err
}
