package exact

import (
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// Let f be the rate. Then 1-f is the probability that at least one position of the query is unset. By inclusion and
// exclusion it is the sum over j >= 1 of (-1)^(j+1) w_j q_j. Here q_j is the probability that j given bits are all
// unset. The factor w_j is the mean number of ways to choose j different positions of a query. If the k positions are
// always distinct, w_j = C(k,j). For standard hashing w_j = E[C(Y,j)], where Y is the number of distinct positions. By
// Bonferroni's inequalities the partial sums are alternately too large and too small. So the error of a partial sum is
// at most the next term. The terms can be bounded, because w_j <= C(k,j) and q_j <= q_1^j. The second of these
// inequalities is true because unset bits are negatively associated.

// The function "alternating" returns t(1) - t(2) + t(3) - ..., where t(j) >= 0. Two conditions must be satisfied. The
// first condition is about the sum of all terms after t(j), for every j. This sum must have the sign of the next term,
// and its absolute value must be at most t(j+1). Second, the result must be at least half of t(1). The summation stops
// after t(last). It stops earlier, at t(j), if t(j) is less than 2^-work times t(1).
func alternating(last int, work uint, t func(j int) *interval.Interval) *interval.Interval {
	sum := interval.New(work)
	var small *big.Float
	for j := 1; j <= last; j++ {
		x := t(j)
		if small == nil {
			small = x.Lo()
			small.SetMantExp(small, -precision.Cut(work))
		} else if x.Hi().Cmp(small) <= 0 {
			rest := interval.New(work).SetEnds(new(big.Float), x.Hi())
			if j&1 == 0 {
				rest.Neg(rest)
			}
			return sum.Add(sum, rest)
		}
		if j&1 == 0 {
			sum.Sub(sum, x)
		} else {
			sum.Add(sum, x)
		}
	}
	return sum
}

// powerSum returns (1 - (1-q)^k)/q, where q = e^logq. Suppose that q is the probability that a given bit is unset. Then
// the result is (1-f_bloom)/q for a standard filter, and (1-U)/q for a classic or partitioned filter. Here f_bloom is
// the value of BoundBloom, and U is the value of BoundUpper.
func powerSum(k int, logq *interval.Interval, work uint) *interval.Interval {
	nw := func() *interval.Interval { return interval.New(work) }
	q := nw().Exp(logq)
	t := nw().SetUint64(1)
	return alternating(k, work, func(j int) *interval.Interval {
		t.Mul(t, nw().SetUint64(uint64(k-j+1)))
		t.Quo(t, nw().SetUint64(uint64(j)))
		if j > 1 {
			t.Mul(t, q)
		}
		return nw().Set(t)
	})
}

// subsetWeights returns w_0..w_last, where w_j = E[C(Y,j)]. Here Y is the number of urns that r balls occupy among m
// urns. It uses the recurrence of momentWeights in interval arithmetic.
func subsetWeights(m uint64, r, last int, work uint) []*interval.Interval {
	const guard = 8
	wide := work + 2*uint(bits.Len(uint(r))) + guard // covers up to 2r roundings of one unit each
	nw := func() *interval.Interval { return interval.New(wide) }
	w := make([]*interval.Interval, last+1)
	factors := make([]*interval.Interval, last+1)
	for j := range w {
		w[j], factors[j] = nw(), nw().SetUint64(m-uint64(j))
	}
	w[0].SetUint64(1)
	t := nw()
	for step := range r {
		for j := min(step+1, last); j > 0; j-- {
			w[j].Add(w[j].Mul(w[j], factors[j]), t.Mul(w[j-1], factors[j-1]))
		}
		w[0].Mul(w[0], factors[0])
	}
	all := nw().PowInt(nw().SetUint64(m), big.NewInt(int64(r)))
	for _, x := range w {
		x.Quo(x, all)
	}
	return w
}
