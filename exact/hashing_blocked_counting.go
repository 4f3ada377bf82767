package exact

import (
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// correctRate computes the result of CorrectRate for a filter with blocks. The filter holds n items, and the increment
// rule must be valid. Let f be the false-positive rate with n-1 items. If an item hits no counter twice, the correct
// rate is 1-f. If increments are distinct, the correct rate is also 1-f. In the other cases, let N be the number of
// other items in the block of a given item. Let s be the number of counters in the block. Then the correct rate is a
// mean over N. It is the mean of this sum:
//
//	sum over j = 1..min(k,s) of (-1)^(j+1) w_j q_j^N / s^k.
//
// The numbers w_j and q_j are as follows:
//
//	w_j = C(k,j) s(s-1)...(s-j+1) (s-j)^(k-j)   and   q_j = ((s-j)/s)^k.
//
// As a function of N, this sum has the form of the type "series", and blockedSum computes its mean. The mean is at
// least 1/k times the mean of the first term. The weight w_j is at most C(k,j) w_1/k. These two bounds limit the number
// of bits that cancel.
func (l blocked) correctRate(g bloomproof.Geometry, n uint64, inc bloomproof.Increment, prec uint) (Enclosure, error) {
	_, block := split(g)
	switch {
	case inc == bloomproof.Distinct || !l.in.collides() || g.K == 1:
		return Complement(g, n-1, prec)
	case block.M == 1: // the item hits the only counter k times, which is wrong for k > 1
		return exactlyInt(0, prec), nil
	case noFloat(l.logUnset(g, n, floatWork)):
		return Enclosure{}, outOfRange("the correct rate")
	}
	cancels := uint(g.K + bits.Len(uint(g.K)))
	return probability(l.differences(g, n, prec, cancels, func(work uint) *interval.Interval {
		f := field.Intervals(work)
		return blockedSum(f, literalSeries(f, block), g, n-1, 1)
	}))
}

// literalSeries returns the correct rate of a block with literal increments, in the form of a series. The weight w_0 of
// this series is 0.
func literalSeries[T any, P field.Number[T]](f field.Of[T, P], block bloomproof.Geometry) series[P] {
	s, k := block.M, block.K
	w := []*big.Int{new(big.Int)}
	falling, choose := big.NewInt(1), integer.BinomialRow(k)
	for j := 1; j <= k && uint64(j) <= s; j++ {
		falling.Mul(falling, integer.Uint(s-uint64(j)+1))
		x := integer.Power(integer.Uint(s-uint64(j)), uint64(k-j))
		w = append(w, x.Mul(x.Mul(x, falling), choose[j]))
	}
	return series[P]{w, integer.Power(integer.Uint(s), uint64(k)), func(j uint64, _ P) P {
		return f.PowInt(f.Ratio(s-j, s), k)
	}}
}
