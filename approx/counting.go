package approx

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/occupancy"
)

// CorrectRate returns the correct rate of a counting filter of shape g with n distinct items. This is the probability
// that the smallest counter of an item equals the item's frequency.
//
// For distinct increments the correct rate is 1 - FPR(g, n-1). The reason is as follows. At least one counter of the
// item must not be incremented by any other item. For literal increments and standard hashing, the item itself must
// also hit that counter only once. With other hashings no item hits a counter twice. So literal and distinct increments
// then have the same rate.
//
// Source: Fan, equations (24) and (25), which are exact for distinct increments; the comment of literalRate derives the
// rate for literal increments.
// Domain: g is valid and has no blocks; 1 <= n < 2^64 items; inc is Distinct or Literal.
// Error: for distinct increments the same as for Complement. For literal increments the relative error is at most 500
// (1 + sqrt k) u (u = 2^-53). The derivation is the same as for FPR.
// Cost: the same as for Complement. For literal increments, the function also computes k^2/4 steps of a recursion.
// These steps take 0.1 ms for k = 64, and half a second for k = 4096.
// Errors: *bloomproof.ParamError.
func CorrectRate(g bloomproof.Geometry, n uint64, inc bloomproof.Increment) (float64, error) {
	if inc > bloomproof.Literal {
		return 0, &bloomproof.ParamError{Param: "increment", Value: inc, Want: "one of distinct, literal"}
	}
	if n < 1 {
		return 0, &bloomproof.ParamError{Param: "n", Value: n, Want: "at least 1"}
	}
	h, err := hashingOf(g)
	if err != nil {
		return 0, err
	}
	if inc == bloomproof.Distinct || h.literal == nil {
		return h.rateOf(g.M, n-1, g.K).complement.Float64(), nil
	}
	return h.literal(g.M, n, g.K), nil
}

// literalRate returns the result C of CorrectRate for literal increments. The k positions of an item are treated as k
// balls that are thrown into m urns. Throw only the item's k balls. Let W(s) be the probability that exactly s of them
// have an urn to themselves. Let P(s) be the probability that the N = (n-1)k balls of the other items cover s given
// urns. Then
//
//	1-C = sum over s of W(s) P(s).
//
// C is computed by methods like those of the function standardRate. Let all nk balls be thrown. Let T be the mean
// number of the item's balls that lie alone in their urns. If T <= 1/4, an alternating sum gives C.
//
//	C = sum over j >= 1 of (-1)^(j+1) C(k,j) m(m-1)...(m-j+1)/m^j (1-j/m)^(nk-j).
//
// The first term of this sum is T, and the j-th term is at most about T^j/j!. The second term is at most T^2. So if T
// is at most onlyFirst, the first term alone gives C. C is the probability that at least one of the item's balls lies
// alone. So for T > 1/4 the inequality of Chung and Erdos gives C >= T/(1+2T) > 1/6. The sum for 1-C has only positive
// terms. So subtracting it from 1 enlarges the relative error by a factor of at most 5. For n >= 3 the sum for 1-C is
// computed as a contour integral times a factor. This factor is the field "front" of the type contourStandard. If this
// factor is below 2^-80, then 1-C is below 2^-79 and C rounds to 1.
func literalRate(m, n uint64, k int) float64 {
	if m == 1 {
		if n == 1 && k == 1 {
			return 1
		}
		return 0
	}
	all := fm.WholeProduct(n, uint64(k))
	first := all.AddFloat(-1).Mul(fm.LogMiss(1, m)).Exp().Times(fm.Whole(uint64(k)))
	switch t := first.Float64(); {
	case t <= onlyFirst:
		return t
	case t <= rarelyAlone:
		return literalAlternating(m, all, k)
	}
	alone := aloneRow(m, k)
	switch n {
	case 1:
		sum := fm.Double{}
		for _, w := range alone[1:] {
			sum = sum.Add(w)
		}
		return min(1, sum.Hi)
	case 2:
		return 1 - literalTwice(m, k, alone)
	}
	c := newContourLiteral(m, fm.WholeProduct(n-1, uint64(k)), alone)
	if c.front.Float64() < beside1 {
		return 1
	}
	return 1 - c.value().Float64()
}

// rarelyAlone is the largest T for which literalRate uses the alternating sum. Consider the balls of one item. T is the
// mean number of these balls that lie alone in their urns. Up to this T each term of the sum is at most 1/8 of the term
// before, so no digits cancel.
const rarelyAlone = 0.25

// The constant beside1 is negligible compared with 1: adding it to 1, or to a two-word sum near 1, does not change the
// rounded result.
const beside1 = 0x1p-80

// literalAlternating computes the correct rate C as the alternating sum over j (see literalRate). The first term T of
// this sum must be at most 1/4, and greater than the constant onlyFirst. The sum stops before j = m. The term for j = m
// would differ from 0 only for nk = m. In this case T would be above 1/e.
func literalAlternating(m uint64, all fm.Double, k int) float64 {
	sum, choose := fm.Double{}, fm.Whole(1)
	for j := uint64(1); j <= uint64(k) && j < m; j++ {
		choose = choose.Mul(fm.Whole(m - j + 1).Quo(fm.Whole(m))).MulFloat(float64(uint64(k) - j + 1)).QuoFloat(float64(j))
		term := choose.Mul(all.AddFloat(-float64(j)).Mul(fm.LogMiss(j, m)).Exp().Unscaled())
		if j%2 == 0 {
			term = term.Neg()
		}
		sum = sum.Add(term)
		if fm.Abs(term.Hi) <= lastTerm*sum.Hi {
			break
		}
	}
	return sum.Hi
}

// aloneRow returns, in two words, the probabilities W(0), ..., W(k). W(s) is the probability that exactly s of k balls
// lie alone in their urns. Choose b of the k balls, and divide them into d groups of at least two balls. Let B_b(d) be
// the mean number of such divisions in which the balls of each group lie in one urn. Then two equations hold.
//
//	B_(b+1)(d) = (k-b)/(b+1) d/m B_b(d) + (k-b)(k-b+1)/((b+1) m) B_(b-1)(d-1).
//	W(k-b) = sum over d of B_b(d) F(k-b+d).
//
// These equations follow from two other equations:
//
//	B_b(d) = C(k,b) S(b,d) m^(d-b),
//	S(b+1,d) = d S(b,d) + b S(b-1,d-1).
//
// Here S(b,d) are the associated Stirling numbers. The number F(i) is the probability that i balls fall into i
// different urns.
func aloneRow(m uint64, k int) []fm.Double {
	apart := make([]fm.Scaled, k+1)
	apart[0] = fm.Whole(1).Scale()
	mf := fm.Whole(m)
	for i := 1; i <= k && uint64(i) <= m; i++ {
		apart[i] = apart[i-1].Times(fm.Whole(m - uint64(i-1)).Quo(mf))
	}
	w := make([]fm.Double, k+1)
	w[k] = apart[k].Unscaled()
	two, one, next := make([]fm.Scaled, k/2+2), make([]fm.Scaled, k/2+2), make([]fm.Scaled, k/2+2)
	one[0] = fm.Whole(1).Scale() // the slice one is the row for b-1 balls, two that for b-2 balls
	for b := 1; b <= k; b++ {
		left := float64(k - b + 1)
		stay := fm.Double{Hi: left}.QuoFloat(float64(b)).Quo(mf)
		pair := stay.MulFloat(left + 1)
		var sum fm.Scaled
		next[0] = fm.Scaled{}
		for d := 1; d <= b/2; d++ {
			next[d] = one[d].Times(stay.MulFloat(float64(d))).Add(two[d-1].Times(pair))
			sum = sum.Add(next[d].Mul(apart[k-b+d]))
		}
		w[k-b] = sum.Unscaled()
		two, one, next = one, next, two
	}
	return w
}

// literalTwice returns 1-C, where C is the correct rate, for n = 2 items. The argument "alone" holds the probabilities
// W(s) that aloneRow returns. Let Y be the number of urns that the k balls of the other item occupy. These balls cover
// s given urns with probability
//
//	P(s) = sum over b of P[Y = b] C(b,s)/C(m,s).
//
// Here C(b,s) and C(m,s) are binomial coefficients.
func literalTwice(m uint64, k int, alone []fm.Double) float64 {
	r := occupancy.New(m, k, fm.Whole(1), k)
	sum := fm.Double{}
	for j, p := range r.W {
		b := uint64(r.Most - j)
		cover, covered := fm.Whole(1), fm.Double{}
		for s := uint64(0); s <= b && s < uint64(len(alone)); s++ {
			covered = covered.Add(alone[s].Mul(cover))
			if s < b {
				cover = cover.Mul(fm.Whole(b - s).Quo(fm.Whole(m - s)))
			}
		}
		sum = sum.Add(covered.MulFloat(p))
	}
	return sum.Hi
}

// The constant noSum replaces a sum of weights that was rounded to 0. The code divides by this sum. It uses the
// quotient only to choose the circle of integration. The choice does not change the result.
const noSum = 0x1p-1000

// newContourLiteral returns the circle of integration for the weights W(s) of literalRate, for n >= 3. The comment of
// contourStandard defines a distribution p_j. Here there is one such distribution for each s. In the notation of that
// comment, K is s, and a is 1 in each of the K factors. The mean of the distribution for s is m r + s b. Here r is the
// radius of the circle, and b = r/(e^r-1). Let N be the number of balls of the other items. The radius is chosen so
// that the mean of m r + s b over all s is nearly N. The number of nodes is large enough for every s. This holds even
// if m r + s b is far from N.
func newContourLiteral(m uint64, balls fm.Double, alone []fm.Double) contourStandard {
	mf, n, most := float64(m), balls.Hi, len(alone)-1
	r, i := n/mf, float64(most)
	for range contourSteps {
		b := r / fm.Expm1(r)
		r -= (mf*r + i*b - n) / (mf + i*b*(1-r-b)/r)
		p := -fm.Expm1(-r)
		sum, mean, power := 0.0, 0.0, 1.0
		for s, w := range alone {
			sum, mean = sum+w.Hi*power, mean+w.Hi*power*float64(s)
			power *= p
		}
		i = mean / max(sum, noSum)
	}
	c := contourAt(m, balls, r)
	sum, power := fm.Double{}, fm.Whole(1)
	c.most, c.w = most, make([]float64, most+1)
	for s, w := range alone {
		x := power.Mul(w)
		c.w[most-s], sum = x.Hi, sum.Add(x)
		power = power.Mul(c.p)
	}
	c.front = sum.Scale()
	for j := range c.w {
		c.w[j] /= sum.Hi
	}
	c = c.centred()
	for j, w := range c.w {
		if w > beside1 {
			c.off = max(fm.Abs(c.off), fm.Abs(c.drift+c.b*float64(j-c.centre)))
		}
	}
	return c
}
