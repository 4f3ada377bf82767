package exact

import (
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// MeanFPR returns the mean false-positive rate of n look-ups. A filter of shape g is empty at first. Then n new items
// arrive, and each item is looked up and then inserted. The mean rate is
//
//	(f_0 + f_1 + ... + f_(n-1))/n,   where f_i is FPR after i insertions.
//
// MeanFPR also applies to some recycling filters. They have one phase, are message-bounded by N, and do not retain the
// triggering message. If all arrivals are new, MeanFPR for n = N is the expected rate over the first N arrivals of a
// cycle. No cycle ends before its N-th arrival. But the bound N does not count arrivals that set no bit, so a cycle can
// have more than N arrivals. Arrivals after the N-th arrival find more bits set, so the long-run rate is higher.
// Package exact/recycling has the long-run rate for filters without blocks.
//
// Source: the sum of the results of FPR for the route "difference". The rate after i insertions is f_i = sum over j of
// (-1)^j w_j x_j^i, with weights w_j and probabilities x_j. For i = 0..n-1 the powers of x_j add up to
// (1-x_j^n)/(1-x_j).
// Domain: g is valid; 1 <= n < 2^64; prec is from 1 to MaxPrec bits.
// Error: relative width at most 2^-prec; the result is exactly 0 for n = 1.
// Cost: the cost is that of FPR by the route "difference", with and without blocks. MeanFPR computes k+1 powers with
// exponent n. Their precision is prec + log2(1/f) + k + log2(nm) bits.
// Errors: *bloomproof.ParamError; ErrTooCostly as for FPR with blocks.
func MeanFPR(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	if _, err := checkedLaw(g, prec); err != nil {
		return Enclosure{}, err
	}
	if n == 0 {
		return Enclosure{}, &bloomproof.ParamError{Param: "n", Value: n, Want: "at least 1"}
	}
	h, err := named(g.Hashing)
	if err != nil {
		return Enclosure{}, err
	}
	if g.Block == 0 {
		g.Block = g.M // makes one block of all bits
	}
	l := blocked{h}
	switch {
	case n == 1:
		return exactlyInt(0, prec), nil
	case l.full(g): // the rate is 1 for all items except the first
		return exactly(new(big.Rat).SetFrac(new(big.Int).SetUint64(n-1), new(big.Int).SetUint64(n)), prec), nil
	}
	// For the base x of each power, 1-x is at least 1/m. So at most log2 m bits are lost when 1-x is computed.
	cancels := l.cancels(g, n) + uint(bits.Len64(g.M))
	return probability(l.differences(g, n, prec, cancels, func(work uint) *interval.Interval {
		f := field.Intervals(work)
		items, one := new(big.Int).SetUint64(n), f.Int(1)
		return blockedTerms(f, seriesOf(f, h, g), g, 0, func(j int, x *interval.Interval) *interval.Interval {
			if j == 0 { // here x = 1
				return one
			}
			sum := f.Zero().Sub(one, f.Pow(x, items))
			sum.Quo(sum, f.Zero().Sub(one, x))
			return sum.Quo(sum, f.Uint(n))
		})
	}))
}
