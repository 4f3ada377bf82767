package exact

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
	"github.com/bloomproof/bloomproof/exact/internal/search"
)

// ItemsInterval returns the numbers n of items that the set bits b do not refute: those
// with P[X <= b] > alpha/2 and P[X >= b] > alpha/2 for the number X of set bits after n
// insertions. Whatever the true n is, it is in the interval with probability 1-alpha at
// least (Clopper and Pearson's construction: no normal theory). low is above high where no
// number of items is in the interval: the set bits found are improbable whatever the number
// is, as when they lie between what one item and two set. unbounded is set where all bits
// are, so that there is no high.
//
// With blocks the tails are not known. Those n are left out that a bound of the tails refutes, by
// the sixth central moment of X (Markov): the interval contains the one above, and for a nearly
// normal X and alpha = 5 % it is 1.5 times as wide.
//
// Source: the distribution of X, Burns (4) and (14), in its tails: see occupancy and, for
// partitioned hashing, sliced; no paper states the interval.
// Domain: g valid, b as in EstimateItems; 0 < alpha < 1.
// Error: none: each end is certified by enclosures of the tails at it and beside it, which
// grow with n (one more item sets no bit less, so one n refutes all beyond).
// Cost: about ten tails an end, each of some 50 logarithms of a product by Euler and Maclaurin,
// whatever m is; for partitioned hashing of some 1000 exponentials; with blocks of some 50 powers.
// Errors: *bloomproof.ParamError; ErrRange where high exceeds 2^64-1; ErrTooCostly where an
// item of a classic filter sets so large a part of more than 2048 bits that the tails have
// no cheap enclosure.
func ItemsInterval(g bloomproof.Geometry, b uint64, alpha *big.Rat) (low, high uint64, unbounded bool, err error) {
	l, err := fillLawOf(g)
	if err == nil {
		err = checkBits(l, g, b)
	}
	if err != nil {
		return 0, 0, false, err
	}
	if alpha == nil || alpha.Sign() <= 0 || alpha.Cmp(big.NewRat(1, 1)) >= 0 {
		return 0, 0, false, &bloomproof.ParamError{Param: "alpha", Value: alpha, Want: "above 0 and below 1"}
	}
	if b == 0 { // one item sets a bit
		return 0, 0, false, nil
	}
	half := new(big.Rat).Quo(alpha, big.NewRat(2, 1))
	x := tailsOf(l, g, b, half)
	fewest := (b-1)/uint64(g.K) + 1
	// P[X >= b] > alpha/2 from low on.
	low, found, err := search.FirstTrue(fewest, x.guess(-1), func(n uint64) (bool, error) {
		refuted, err := x.fewer(n)
		return !refuted, err
	})
	if err != nil || !found {
		return 0, 0, false, beyondItems(err)
	}
	if b == g.M {
		return low, 0, true, nil
	}
	// P[X <= b] <= alpha/2 from high+1 on.
	high, found, err = search.FirstTrue(b/uint64(g.K)+1, x.guess(1), x.more)
	if err != nil || !found {
		return 0, 0, false, beyondItems(err)
	}
	return low, high - 1, false, nil
}

// tails are what ItemsInterval asks of a filter with b set bits.
type tails struct {
	// fewer and more report whether n items or fewer, or n or more, are refuted by the set bits:
	// P[X >= b] <= alpha/2, or P[X <= b]. They may miss some, but what they report is certain.
	fewer, more func(n uint64) (bool, error)
	// guess returns about the end of the interval, the lower one for side = -1 and the upper for 1.
	guess func(side float64) uint64
}

// plainTails are those of a hashing without blocks, and miss none.
func plainTails(h hashing, g bloomproof.Geometry, b uint64, half *big.Rat) tails {
	const between = 0.5 // numbers of set bits: where a tail begins, for a normal variable
	z := occupancy.NormalQuantile(half)
	rest := new(big.Rat).Sub(big.NewRat(1, 1), half)
	return tails{
		fewer: func(n uint64) (bool, error) {
			order, err := h.compareBelow(g, n, b-1, rest)
			return order >= 0, err
		},
		more: func(n uint64) (bool, error) {
			order, err := h.compareBelow(g, n, b, half)
			return order <= 0, err
		},
		guess: func(side float64) uint64 { return h.alike(g, 1).Guess(b, side*between, side*z) },
	}
}

// beyondItems returns err, or that no number of items below 2^64 serves.
func beyondItems(err error) error {
	if err == nil {
		err = fmt.Errorf("more than 2^64-1 items: %w", refuse.ErrRange)
	}
	return err
}

// LikelyItems returns the number of items under which exactly b set bits are most probable.
// Two neighbours can be equally probable: then tie is true and n+1 is the other one.
//
// With D the forward difference of Burns (14) in n, the certificate is D(n-1) > 0 >= D(n)
// in enclosures, and exactly where it is 0. That is enough: P[X = b] is log-concave in n.
// The kernel of one batch, P[j | i] = C(m-i,j-i) C(i,j-k)/C(m,k), is a function of i, one
// of j and C(k,j-i), so totally positive of order 2, hence P_n(j)/P_n(i) grows with n
// for i < j, and P_(n+1)(b)/P_n(b) = sum over i of P[b | i] P_n(i)/P_n(b) falls.
//
// For partitioned hashing, where the set bits of all slices together are no chain, this is
// not proven: the certificate says that n is likelier than its neighbours, and that there
// is no other such n is known for all filters up to m = 60, k = 20 and n = 149, to 12 digits
// (TestLikelyPeak).
//
// Source: Burns (4), (14). (46) is called the maximum-likelihood estimate there and is not:
// at m = 8, k = 1, b = 3 it is 3.52, so nearest to 4, and 3 is likeliest.
// Domain: g valid without blocks, b as in EstimateItems.
// Error: none, for partitioned hashing see above.
// Cost: a few integrals as in ItemsInterval, each at a precision that grows until the sign
// is known, at most 3/2 log2 m bits and some.
// Errors: *bloomproof.ParamError; ErrUndefined for b = m, where P[X = b] grows for ever;
// ErrRange where n exceeds 2^64-1; ErrTooCostly as ItemsInterval; ErrPrecision where a tie can be
// neither excluded nor decided.
func LikelyItems(g bloomproof.Geometry, b uint64) (n uint64, tie bool, err error) {
	h, err := checkSetBits(g, b)
	if err != nil {
		return 0, false, err
	}
	switch b {
	case 0:
		return 0, false, nil
	case g.M:
		return 0, false, unbounded()
	}
	signs := map[uint64]int{}
	fewest := (b-1)/uint64(g.K) + 1
	n, found, err := search.FirstTrue(fewest, h.alike(g, 1).Guess(b, 0, 0), func(n uint64) (bool, error) {
		if n == math.MaxUint64 {
			return false, fmt.Errorf("more than 2^64-1 items: %w", refuse.ErrRange)
		}
		s, err := h.likelihoodSlope(g, n, b)
		signs[n] = s
		return s <= 0, err
	})
	if err != nil || !found {
		return 0, false, beyondItems(err)
	}
	return n, signs[n] == 0, nil
}
