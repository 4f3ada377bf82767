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

// ItemsInterval returns a confidence interval [low, high] for the number of items in a filter with b set bits. Let X be
// the number of set bits after n insertions. A number n is in the interval if both P[X <= b] > alpha/2 and P[X >= b] >
// alpha/2. Whatever the true number of items is, the interval contains this number with probability at least 1-alpha.
// This is the construction of Clopper and Pearson, without a normal approximation. If low > high, the interval is
// empty, because b is improbable for every number of items. For example, b can be above the number of bits that one
// item sets, but below the usual number for two items. If all bits are set, the result "unbounded" is true, and high
// has no meaning.
//
// With blocks, only upper bounds of the tail probabilities are computed. They follow from Markov's inequality with the
// sixth central moment of X. A number n is excluded only if such a bound is at most alpha/2. Therefore the computed
// interval contains the interval that the true tail probabilities give. If X is nearly normal and alpha = 5 %, the
// computed interval is too wide by a factor of 1.5.
//
// Source: Burns (4) and (14) for the distribution of X. Package internal/occupancy computes its tail probabilities. The
// type Slices of package occupancy is for partitioned hashing. No paper states the interval.
// Domain: g is valid; b is as for EstimateItems; 0 < alpha < 1.
// Error: none. Enclosures of the tail probabilities prove that low and high are correct. They show that n = low and n =
// high are in the interval. They also show that n = low-1 and n = high+1 are excluded. Adding an item never clears a
// bit. So P[X >= b] grows with n, and P[X <= b] falls with n. Therefore, if low-1 and high+1 are excluded, all smaller
// and all larger numbers are excluded too.
// Cost: about ten tail probabilities for each end. For any m, a tail probability needs about 50 logarithms of products.
// The Euler-Maclaurin formula computes each logarithm. For partitioned hashing it needs about 1000 exponentials. With
// blocks it needs about 50 powers.
// Errors: *bloomproof.ParamError; ErrRange where high exceeds 2^64-1; ErrTooCostly. ErrTooCostly is returned for a
// classic filter of more than 2048 bits if an item sets a very large part of the bits. Then the tail probabilities
// cannot be enclosed cheaply.
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
	if b == 0 { // even one item would set a bit
		return 0, 0, false, nil
	}
	half := new(big.Rat).Quo(alpha, big.NewRat(2, 1))
	x := tailsOf(l, g, b, half)
	fewest := (b-1)/uint64(g.K) + 1
	// The number low is the smallest number that x.fewer does not exclude.
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
	// The search finds the smallest number of items that the method x.more excludes. The upper end of the interval is
	// one less than this number.
	high, found, err = search.FirstTrue(b/uint64(g.K)+1, x.guess(1), x.more)
	if err != nil || !found {
		return 0, 0, false, beyondItems(err)
	}
	return low, high - 1, false, nil
}

// ItemsInterval excludes some numbers of items. The functions of the type "tails" test whether a number is excluded.
// They are for a filter with b set bits.
type tails struct {
	// The function "fewer" reports whether P[X >= b] <= alpha/2 for n items. If so, n and all smaller numbers are
	// excluded. The function "more" reports whether P[X <= b] <= alpha/2 for n items. If so, n and all larger
	// numbers are excluded. If such a function returns true, its inequality is certainly true. If it returns false, the
	// inequality can be true or false.
	fewer, more func(n uint64) (bool, error)
	// The function "guess" approximates an end of the interval. This is the lower end for side = -1, and the upper end
	// for side = 1.
	guess func(side float64) uint64
}

// plainTails returns the functions of type tails for a filter without blocks. Each of the functions "fewer" and "more"
// checks an inequality. Without blocks, its result is true whenever this inequality is true.
func plainTails(h hashing, g bloomproof.Geometry, b uint64, half *big.Rat) tails {
	const between = 0.5 // continuity correction: the tail of the approximating normal variable begins half a bit from b
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

// beyondItems returns err if it is not nil. Otherwise it returns an error: more than 2^64-1 items would be needed.
func beyondItems(err error) error {
	if err == nil {
		err = fmt.Errorf("more than 2^64-1 items: %w", refuse.ErrRange)
	}
	return err
}

// LikelyItems returns the number n of items for which exactly b set bits are most probable. Two consecutive numbers can
// be equally probable. In that case n is the smaller of them, and the result "tie" is true.
//
// Let X be the number of set bits after n insertions. Let D(n) be P[X = b] for n+1 items minus P[X = b] for n items.
// Equation (14) of Burns gives these probabilities. LikelyItems proves that D(n-1) > 0 >= D(n). The proof uses
// enclosures, or exact numbers where D is 0. These two inequalities suffice because P[X = b] is log-concave in n. The
// reason is as follows. Write P_n(j) for P[X = j] after n items. The transition matrix of one item is
//
//	P[j | i] = C(m-i,j-i) C(i,j-k)/C(m,k).
//
// This is the product of a function of i, a function of j, and C(k,j-i). Therefore the matrix is totally positive of
// order 2. Hence P_n(j)/P_n(i) grows with n for i < j. Now consider the ratio
//
//	P_(n+1)(b)/P_n(b) = sum over i of P[b | i] P_n(i)/P_n(b).
//
// Only the terms with i <= b are not 0. So the ratio falls with n.
//
// For partitioned hashing, the total number of set bits is not a Markov chain, and the log-concavity is not proven. In
// this case LikelyItems compares n only with n-1 and n+1. It proves that n is likelier than n-1, and at least as likely
// as n+1. TestLikelyPeak checks, to 12 digits, that no other number has this property. It tries filters up to m = 60, k
// = 20 and n = 149.
//
// Source: Burns (4), (14). Burns wrongly calls (46) the maximum-likelihood estimate. At m = 8, k = 1, b = 3, formula
// (46) gives 3.52, which rounds to 4. But 3 items are likeliest.
// Domain: g must be valid and have no blocks, and b has the same limits as for EstimateItems.
// Error: the result is exact. For partitioned hashing, however, only the property above is proven.
// Cost: a few integrals as in ItemsInterval. The search needs the sign of D(n). The precision of the integrals is
// raised until this sign is known. A precision of slightly more than 3/2 log2 m bits is always enough.
// Errors: *bloomproof.ParamError; ErrUndefined; ErrRange; ErrTooCostly as for ItemsInterval; ErrPrecision. ErrUndefined
// is returned for b = m, because P[X = b] then grows with every item. ErrRange is returned if n exceeds 2^64-1.
// ErrPrecision is returned where a tie can be neither excluded nor proven.
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
