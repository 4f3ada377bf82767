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

// ItemsInterval returns the numbers n of items that the set bits b do not refute: the n with P[X <= b] > alpha/2 and
// P[X >= b] > alpha/2, where X is the number of set bits after n insertions. Whatever the true n is, the interval
// contains it with probability at least 1-alpha. (This is Clopper and Pearson's construction; it does not use a normal
// approximation.) If the interval is empty, low is above high. Then the number of set bits is improbable for every
// number of items, for example because it lies between the numbers that one item and two items set. If all bits are
// set, unbounded is true and high does not exist.
//
// With blocks the tails are not known, but Markov's inequality with the sixth central moment of X bounds them. The
// interval leaves out the n that this bound refutes. It therefore contains the interval that the tails would give. For
// a nearly normal X and alpha = 5 % it is 1.5 times as wide.
//
// Source: the distribution of X, Burns (4) and (14), in its tails: see occupancy and, for
// partitioned hashing, sliced; no paper states the interval.
// Domain: g valid, b as in EstimateItems; 0 < alpha < 1.
// Error: none. Enclosures of the tails at each end, and at the number next to it, prove that the end is right. P[X >=
// b] grows with n and P[X <= b] falls, because one more item clears no bit. So if one n is refuted, all n further out
// are refuted too.
// Cost: about ten tails for each end. A tail takes some 50 logarithms of a product by Euler and Maclaurin,
// whatever m is; for partitioned hashing some 1000 exponentials; with blocks some 50 powers.
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
	if b == 0 { // one item sets at least one bit
		return 0, 0, false, nil
	}
	half := new(big.Rat).Quo(alpha, big.NewRat(2, 1))
	x := tailsOf(l, g, b, half)
	fewest := (b-1)/uint64(g.K) + 1
	// P[X >= b] > alpha/2 holds from low on.
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
	// P[X <= b] <= alpha/2 holds from high+1 on.
	high, found, err = search.FirstTrue(b/uint64(g.K)+1, x.guess(1), x.more)
	if err != nil || !found {
		return 0, 0, false, beyondItems(err)
	}
	return low, high - 1, false, nil
}

// tails has what ItemsInterval needs to know about a filter with b set bits.
type tails struct {
	// fewer reports whether the set bits refute n items or fewer: P[X >= b] <= alpha/2. more reports whether they
	// refute n items or more: P[X <= b] <= alpha/2. They may fail to report some refuted n, but an n that they report
	// is certainly refuted.
	fewer, more func(n uint64) (bool, error)
	// guess returns an approximation of an end of the interval: the lower end for side = -1 and the upper end for side
	// = 1.
	guess func(side float64) uint64
}

// plainTails returns the tails of a hashing without blocks. They report every refuted n.
func plainTails(h hashing, g bloomproof.Geometry, b uint64, half *big.Rat) tails {
	const between = 0.5 // continuity correction: for a normal variable, the tail begins half a bit away from b
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

// beyondItems returns err, or the error that no number of items below 2^64 suffices.
func beyondItems(err error) error {
	if err == nil {
		err = fmt.Errorf("more than 2^64-1 items: %w", refuse.ErrRange)
	}
	return err
}

// LikelyItems returns the number of items under which exactly b set bits are most probable.
// Two neighbours can be equally probable; then tie is true and n+1 is the other one.
//
// Let D be the forward difference of Burns (14) in n. The certificate is D(n-1) > 0 >= D(n), shown by enclosures, or
// exactly where a difference is 0. The certificate is enough, because P[X = b] is log-concave in n. The transition
// kernel of one batch, P[j | i] = C(m-i,j-i) C(i,j-k)/C(m,k), is the product of a function of i, a function of j and
// C(k,j-i). So it is totally positive of order 2. Hence P_n(j)/P_n(i) grows with n for i < j, and P_(n+1)(b)/P_n(b) =
// sum over i of P[b | i] P_n(i)/P_n(b) falls.
//
// For partitioned hashing the number of set bits of all slices together is not a Markov chain, and the log-concavity is
// not proven. The certificate then shows only that n is likelier than its neighbours. TestLikelyPeak checks, to 12
// digits, that no other n has this property in filters up to m = 60, k = 20 and n = 149.
//
// Source: Burns (4), (14). Burns calls (46) the maximum-likelihood estimate. It is not: at m = 8, k = 1, b = 3 it is
// 3.52, which is nearest to 4, but 3 is likeliest.
// Domain: g valid without blocks, b as in EstimateItems.
// Error: none; for partitioned hashing see above.
// Cost: a few integrals as in ItemsInterval. The precision of each grows until the sign is known, to at most somewhat
// more than 3/2 log2 m bits.
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
