package exact

import (
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
)

// SecondMoment returns E[r^2], where r is the false-positive rate of one filter after n insertions. This rate is a
// random number, because it depends on the bits that are set. If X bits are set, r is (X/m)^k for standard hashing and
// C(X,k)/C(m,k) for classic hashing. For partitioned hashing r is the product of the fills of the slices. The second
// moment and the mean, which FPR returns, give the variance of the rate among filters.
//
//   - For standard hashing the second moment is E[(X/m)^(2k)]. It is computed by equation (9) of Burns with 2k in place
//     of k and nk balls.
//   - For classic hashing it is the sum over i of g_i rho(i). Here g_i = C(i,k) C(k,i-k) C(m,i)/C(m,k)^2 is the
//     probability that two random k-subsets have a union of i elements. The factor rho(i) = E[C(X,i)]/C(m,i) is from
//     equation (15) of Burns.
//   - For partitioned hashing it is E[(Y/s)^2]^k, where Y is the number of set bits of a slice of s = m/k bits.
//
// Source: equations (9) and (15) of Burns give the formulas above; no paper states the second moment of the rate.
// Domain, Error, Errors: these are the same as for FPR, but the filter must not have blocks.
// Cost: as for FPR with 2k in place of k. For classic hashing, the cost is 2k+1 powers and 2k^2 additions. The numbers
// have up to 2k log2 m bits.
func SecondMoment(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	h, err := checked(g, prec)
	switch {
	case err != nil:
		return Enclosure{}, err
	case n == 0:
		return exactlyInt(0, prec), nil
	case h.full(g):
		return exactlyInt(1, prec), nil
	}
	return probability(h.secondMoment(g, n, prec))
}

// unionWeights returns w_l = sum_i G_i C(i,l) for l = 0..last. Here G_i = C(i,k) C(k,i-k) C(m,i). It also returns
// C(m,k)^2. Write the polynomial sum_i G_i x^i in powers of 1-x. Then the numbers w_l are the absolute values of its
// coefficients. They are computed by repeated synthetic division.
func unionWeights(m uint64, k, last int) (w []*big.Int, den *big.Int) {
	w = make([]*big.Int, last+1)
	for i := range w {
		w[i] = new(big.Int)
		if i >= k {
			w[i].Mul(integer.Binomial(uint64(i), k), integer.Binomial(uint64(k), i-k))
			w[i].Mul(w[i], integer.Binomial(m, i))
		}
	}
	for l := range last {
		for i := last - 1; i >= l; i-- {
			w[i].Add(w[i], w[i+1])
		}
	}
	den = integer.Binomial(m, k)
	return w, den.Mul(den, den)
}
