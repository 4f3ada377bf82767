package exact

import (
	"fmt"
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// EstimateItems returns the moment estimate of the number of items in a filter with b set bits. This is the number n
// for which the mean number of set bits equals b.
//
//	For standard hashing it is log(1-b/m) / (k log(1-1/m)).
//	For classic and partitioned hashing it is log(1-b/m) / log(1-k/m).
//	With B blocks it is log(1-b/m) / log(1-c/B).
//	Here c is the probability that an item in a block sets a given bit of that block.
//
// Source: Burns (46) with (44) and (42). The paper has the formula for the classic filter. It wrongly calls this
// formula the maximum-likelihood estimate: see LikelyItems.
// Domain: g is valid; 0 <= b <= m; prec is from 1 to MaxPrec bits. It must be possible that exactly b bits are set. So
// for classic and partitioned hashing b must be 0 or at least k. The estimate is biased, because it is a convex
// function of b. By Jensen's inequality, the mean of the estimate is greater than n, given that not all bits are set.
// The difference is about s v/2. Here s is the second derivative of the estimate with respect to b, and v is the
// variance of b. If all bits can be set, the estimate has no finite mean.
// Error: relative width at most 2^-prec; the result is exactly 0 for b = 0.
// Cost: two logarithms.
// Errors: *bloomproof.ParamError; ErrUndefined for b = m, where the estimate is unbounded.
func EstimateItems(g bloomproof.Geometry, b uint64, prec uint) (Enclosure, error) {
	l, err := fillLawOf(g)
	if err == nil {
		err = checkBits(l, g, b)
	}
	if err != nil {
		return Enclosure{}, err
	}
	if err := precision.Check(prec); err != nil {
		return Enclosure{}, err
	}
	switch b {
	case 0:
		return exactlyInt(0, prec), nil
	case g.M:
		return Enclosure{}, unbounded()
	}
	const guard = 16 // bits for the rounding errors of two logarithms and a quotient
	return ziv(prec, prec+guard, func(work uint) *interval.Interval {
		return interval.New(work).Quo(occupancy.LogSpares(g.M, b, work), l.logUnset(g, 1, work))
	})
}

func unbounded() error {
	return refuse.Undefined("items", "all bits are set, so any larger number is likelier")
}

// checkSetBits returns the hashing of the geometry g. It returns an error if g has blocks, or if no filter of shape g
// can have b set bits.
func checkSetBits(g bloomproof.Geometry, b uint64) (hashing, error) {
	h, err := hashingOf(g)
	if err != nil {
		return nil, err
	}
	return h, checkBits(h, g, b)
}

// checkBits returns a ParamError if no filter of shape g can have b set bits. The error calls the parameter "bits",
// because this is its name on the command line.
func checkBits(l fillLaw, g bloomproof.Geometry, b uint64) error {
	switch least := l.leastSet(g); {
	case b > g.M:
		return &bloomproof.ParamError{Param: "bits", Value: b, Want: fmt.Sprintf("at most m = %d", g.M)}
	case b > 0 && b < least:
		return &bloomproof.ParamError{Param: "bits", Value: b, Want: fmt.Sprintf("0 or at least k = %d, which one item sets with %s", least, l.filters())}
	}
	return nil
}

// EstimateIntersection returns an estimate of the number of items that two sets share. Its arguments a and b are the
// numbers of set bits in the filters of these sets. Let c be the number of bits that are set in both filters. This is
// the argument "and". The estimate is
//
//	n(a) + n(b) - n(a+b-c) = log[(m-a)(m-b) / (m (m-a-b+c))] / log(1-k/m).
//
// Here n(x) is the number of items that EstimateItems returns for x set bits. The bitwise AND of the filters is not the
// filter of the shared items. The reason is that an item of one set and an item of the other set can set the same bit
// by chance. Therefore n(c) is far larger than the number of shared items.
//
// Source: Burns (46) with section 3.1 and Corollary 21. Formula (49) is the expected number of bits that are set in the
// AND. IntersectionBits extends this formula to shared items. Equating the expected and the observed number gives the
// same estimate.
// Domain: g must not have blocks. The numbers a and b have the same limits as for EstimateItems. The number c is at
// least max(0, a+b-m) and at most min(a,b). The estimate can be negative. The estimate is biased, because each of the
// terms n(a), n(b) and n(a+b-c) is biased. These three biases partly cancel.
// Error: the relative width is at most 2^-prec. The result is exactly 0 if m*c = a*b. An example is an empty set.
// Cost: four logarithms.
// Errors: *bloomproof.ParamError; ErrUndefined where all bits of one filter are set, or all bits of the OR are set.
func EstimateIntersection(g bloomproof.Geometry, a, b, and uint64, prec uint) (Enclosure, error) {
	h, err := checkSetBits(g, a)
	if err == nil {
		_, err = checkSetBits(g, b)
	}
	if err != nil {
		return Enclosure{}, err
	}
	if err := precision.Check(prec); err != nil {
		return Enclosure{}, err
	}
	if and > min(a, b) || a-and > g.M-b { // b + (a-and) bits of the OR are set
		return Enclosure{}, &bloomproof.ParamError{Param: "and", Value: and, Want: "at most both numbers of set bits, and so many that the or fits m"}
	}
	or := b + (a - and)
	if or == g.M {
		return Enclosure{}, unbounded()
	}
	// Let u be the number of set bits of the OR, and let c be the argument "and". The logarithm is computed as log1p(y)
	// with
	//
	//	y = (m-a)(m-b)/(m(m-u)) - 1 = (a*b - m*c)/(m(m-u)).
	//
	// The numerator and the denominator of y are computed exactly.
	over := new(big.Int).Mul(integer.Uint(a), integer.Uint(b))
	over.Sub(over, new(big.Int).Mul(integer.Uint(g.M), integer.Uint(and)))
	if over.Sign() == 0 {
		return exactlyInt(0, prec), nil
	}
	under := new(big.Int).Mul(integer.Uint(g.M), integer.Uint(g.M-or))
	const guard = 16 // bits for the rounding errors of two logarithms and two quotients
	return ziv(prec, prec+guard, func(work uint) *interval.Interval {
		x := interval.New(work).SetInt(over)
		x.Quo(x, interval.New(work).SetInt(under))
		x.Log1p(x)
		return x.Quo(x, h.logUnset(g, 1, work))
	})
}

// EstimateUrns returns the minimum-variance unbiased estimate of the number m of urns. The argument b is the number of
// urns that are occupied after n batches of k balls. The k balls of a batch fall into k different urns. The estimate is
//
//	b (1 + D_(b-1)/D_b).
//
// Here D_i is the i-th forward difference of C(x,k)^n at x = 0. For k = 1 the estimate equals b + S(n,b-1)/S(n,b) =
// S(n+1,b)/S(n,b). Here S(n,b) is a Stirling number of the second kind. Burns (48) prints the two forms as different
// cases, although they are equal. The second result of EstimateUrns is nk. For m <= nk the mean of the estimate is m.
// No other function of b has this property, because b is a complete statistic. For m > nk the mean of the estimate is m
// - (m-nk) P[b = nk].
//
// Source: Burns (47), (48).
// Domain: n is at least 1. The number k of balls in a batch is from 1 to 4096, and b is from k to nk. The argument
// "prec" is 1 to 4096 bits.
// Error: the relative width is at most 2^-prec. If the product n k b is at most 2^16, the result is an exact rational.
// Cost: for n k b <= 2^16, EstimateUrns computes the differences D_(b-1) and D_b. For larger n k b, it computes two
// integrals of about prec/2 nodes each (internal/occupancy). Suppose that the balls fell into only b urns. If they
// would then occupy nearly all b urns, EstimateUrns computes two sums instead of these integrals.
// Errors: *bloomproof.ParamError; ErrTooCostly. ErrTooCostly is returned if a batch hits a very large part of the
// occupied urns. Then the integrals cannot be enclosed.
func EstimateUrns(n uint64, k int, b uint64, prec uint) (m Enclosure, unbiased *big.Int, err error) {
	const mostPrec = 4096
	nk := integer.Product(n, k)
	switch {
	case n < 1:
		err = &bloomproof.ParamError{Param: "n", Value: n, Want: "at least 1 batch"}
	case k < 1 || k > bloomproof.MaxK:
		err = &bloomproof.ParamError{Param: "k", Value: k, Want: fmt.Sprintf("between 1 and %d", bloomproof.MaxK)}
	case b < uint64(k) || integer.Uint(b).Cmp(nk) > 0:
		err = &bloomproof.ParamError{Param: "bits", Value: b, Want: fmt.Sprintf("between k = %d and nk = %d, the urns that can be occupied", k, nk)}
	case prec < 1 || prec > mostPrec:
		err = &bloomproof.ParamError{Param: "prec", Value: prec, Want: fmt.Sprintf("between 1 and %d bits", mostPrec)}
	}
	if err != nil {
		return Enclosure{}, nil, err
	}
	if integer.Uint(b).Cmp(nk) == 0 { // no urn has two balls, so D_(nk-1)/D_nk = (nk(nk+1) - nk(k-1))/(2nk) - 1
		x := new(big.Int).Sub(nk, big.NewInt(int64(k-2)))
		x.Mul(x, nk).Rsh(x, 1)
		return exactly(new(big.Rat).SetInt(x), prec), nk, nil
	}
	if nk.IsUint64() && nk.Uint64() < 1<<16 && nk.Uint64()*b <= 1<<16 {
		return exactly(urnsRational(n, k, b), prec), nk, nil
	}
	all := occupancy.Distribution{M: b, N: integer.Uint(n), K: k}
	if all.Crowded() {
		m, err = crowded(all, prec)
		return m, nk, err
	}
	m, err = zivErr(prec, prec+48, all.FullRatio)
	if err != nil {
		return Enclosure{}, nil, refuse.TooCostly("the estimate of urns", float64(n)*float64(k)*float64(b), 1<<16)
	}
	return m, nk, nil
}

// Suppose that there are only b urns, and that the balls occupy nearly all of them. The function "crowded" computes the
// result of EstimateUrns in this case. It computes the differences D_i in the comment of EstimateUrns from
// probabilities. The probability that the balls occupy all of i urns is D_i/C(i,k)^n.
func crowded(all occupancy.Distribution, prec uint) (Enclosure, error) {
	b, k := all.M, uint64(all.K)
	if b == k { // D_(b-1) is 0, because b-1 urns are too few for a batch
		return exactly(new(big.Rat).SetInt(integer.Uint(b)), prec), nil
	}
	fewer := all
	fewer.M--
	// The probability that all urns are occupied is above e^(-2E), where E is the mean number of empty urns.
	goal := prec + uint(4*all.Empties()) + 64
	return ziv(prec, goal, func(work uint) *interval.Interval {
		x := interval.New(work).SetUint64(b - k)
		x.Quo(x, interval.New(work).SetUint64(b))
		x.PowInt(x, all.N)
		x.Mul(x, fewer.EmptiesSum(fewer.M, true, 0, work))
		x.Quo(x, all.EmptiesSum(b, true, 0, work))
		urns := interval.New(work).SetUint64(b)
		x.Mul(x, urns)
		return x.Add(urns, x)
	})
}

// urnsRational computes the result of EstimateUrns as an exact rational, from the differences D_(b-1) and D_b.
func urnsRational(n uint64, k int, b uint64) *big.Rat {
	difference := func(i uint64) *big.Int { // the forward difference of order i at x = 0
		sum, t := new(big.Int), new(big.Int)
		for j := uint64(0); j <= i; j++ {
			t.Mul(t.Binomial(int64(i), int64(j)), integer.Power(integer.Binomial(j, k), n))
			if (i-j)&1 == 0 {
				sum.Add(sum, t)
			} else {
				sum.Sub(sum, t)
			}
		}
		return sum
	}
	r := new(big.Rat).SetFrac(difference(b-1), difference(b))
	r.Add(r, big.NewRat(1, 1))
	return r.Mul(r, new(big.Rat).SetInt(integer.Uint(b)))
}

// RatioItems estimates a number n of items. Several filters of shape g hold n items each. The argument "set" lists
// their numbers of set bits. The number U of unset bits of a filter has the factorial moments M_r =
// E[U(U-1)...(U-r+1)]. The ratios of consecutive moments are
//
//	M_(r+1)/M_r = (m-r) q_r^n.
//
// Here q_r is a conditional probability. Suppose that an item sets none of r given bits. Then q_r is the probability
// that this item does not set another given bit. For standard hashing q_r is ((m-1-r)/(m-r))^k, and for classic hashing
// it is 1-k/(m-r). RatioItems computes the sampled moments M_r, and y_r = log(M_(r+1)/(M_r (m-r))) for r = 0..ratios-1.
// It then fits a line through the origin to the points (log q_r, y_r). The slope of the line is the estimate. With
// ratios = 1, the estimate is the result of EstimateItems for the mean number of set bits.
//
// Source: Burns section 5 (linear regression on the ratio of sampled factorial moments). The ratios follow from
// Corollary 12, applied to the union of n committees in Corollary 6.
// Domain: g must be valid, without blocks and with a single slice. There must be at least one filter. Each number of
// set bits has the same limits as for EstimateItems. The argument "ratios" is 1 to 64, and prec is 1 to MaxPrec bits.
// Partitioned hashing has a single slice only for k = 1. The estimate is consistent: it converges to n as the number of
// filters grows. It is biased, because it uses logarithms of sampled moments.
// Error: relative width at most 2^-prec; the result is exactly 0 where no bit is set.
// Cost: one multiplication for each pair of a ratio and a filter.
// Errors: *bloomproof.ParamError; ErrUndefined. Let R be the argument "ratios". If every filter has fewer than R unset
// bits, a sampled moment is 0. ErrUndefined is returned in this case. It is also returned if a single item leaves fewer
// than R bits unset.
func RatioItems(g bloomproof.Geometry, set []uint64, ratios int, prec uint) (Enclosure, error) {
	const most = 64
	h, err := hashingOf(g)
	if err != nil {
		return Enclosure{}, err
	}
	for _, b := range set {
		if _, err := checkSetBits(g, b); err != nil {
			return Enclosure{}, err
		}
	}
	switch _, slices := h.slices(g); {
	case slices > 1:
		return Enclosure{}, &bloomproof.ParamError{Param: "hashing", Value: g.Hashing, Want: "one that does not cut the bits into slices"}
	case len(set) == 0:
		return Enclosure{}, &bloomproof.ParamError{Param: "bits", Value: len(set), Want: "the set bits of at least one filter"}
	case ratios < 1 || ratios > most:
		return Enclosure{}, &bloomproof.ParamError{Param: "ratios", Value: ratios, Want: fmt.Sprintf("between 1 and %d", most)}
	}
	if err := precision.Check(prec); err != nil {
		return Enclosure{}, err
	}
	size, batches := h.draws(g, integer.One) // an item sets several batches of size distinct bits
	moments := make([]*big.Int, ratios+1)    // the sampled moments times the number of filters
	t := new(big.Int)
	for r := range moments {
		moments[r] = new(big.Int)
		for _, b := range set {
			product := big.NewInt(1)
			for i := range uint64(r) {
				if g.M-b <= i {
					product.SetInt64(0)
					break
				}
				product.Mul(product, t.SetUint64(g.M-b-i))
			}
			moments[r].Add(moments[r], product)
		}
		if moments[r].Sign() == 0 {
			return Enclosure{}, refuse.Undefined("ratio", "the sampled factorial moment is 0")
		}
	}
	if g.M-size < uint64(ratios) {
		return Enclosure{}, refuse.Undefined("ratio", "an item leaves fewer bits unset")
	}
	if moments[1].Cmp(t.Mul(integer.Uint(g.M), big.NewInt(int64(len(set))))) == 0 {
		return exactlyInt(0, prec), nil // every sampled ratio is m-r, so the slope is 0
	}
	const guard = 32 // bits for the rounding errors of a quotient of two sums of up to most products
	return ziv(prec, prec+uint(2*bits.Len64(g.M))+guard, func(work uint) *interval.Interval {
		num, den := interval.New(work), interval.New(work)
		for r := range ratios {
			left := g.M - uint64(r)
			x := occupancy.LogSpares(left, size, work)
			x.Mul(x, interval.New(work).SetInt(batches))
			// For nearly empty filters, log(M_(r+1)/(M_r (m-r))) is near 0. Therefore Log1p computes it from the exact
			// difference M_(r+1) - M_r (m-r).
			under := new(big.Int).Mul(moments[r], integer.Uint(left))
			y := interval.New(work).SetInt(new(big.Int).Sub(moments[r+1], under))
			y.Quo(y, interval.New(work).SetInt(under))
			y.Log1p(y)
			y.Mul(y, x)
			num.Add(num, y)
			x.Mul(x, x)
			den.Add(den, x)
		}
		return num.Quo(num, den)
	})
}
