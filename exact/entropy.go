package exact

import (
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/falling"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// The array of a filter is a random string of m bits. In a standard or classic filter, all arrays with the same number
// X of set bits are equally probable. Therefore the entropy of the array is
//
//	H = H(X) + E[log2 C(m,X)] = sum over x of P[X = x] log2 (C(m,x)/P[X = x]).
//
// A partitioned filter consists of k independent slices. For every hashing, the mean length of any code for the array
// is at least H. An enumerative code stores X, and then the index of the array among all arrays with X set bits. The
// mean length of this code exceeds H by at most log2(m+1) - H(X) + 2 bits. Here H(X) is the entropy of X.

// ArrayEntropy returns the entropy in bits of the whole array of a filter of shape g after
// n insertions.
//
// Source: Fan (10), applied to the whole array; Burns 4.3 for n = 1. Fan calls (10) "the entropy E of the Bloom filter"
// and prints it with two minus signs. Burns shows that for classic hashing and n = 1 the entropy is log2 C(m,k). It
// follows that the efficiency of the compressed filter is 1. Fan's formula for the whole array is m times (11). This is
// only an upper bound, because the bits depend on each other.
//
// Fan's Theorem 1 says that a filter whose entropy is below m bits can be replaced by a smaller filter with the same
// answers. The theorem is false, even if any data structure may serve as the smaller filter. At m = 2, k = 1, n = 2 the
// entropy is 3/2 < 2. But the array can have three values, and a single bit cannot distinguish three values. The
// entropy is a lower bound of the mean length of a code word. But the longest code word can be longer than the entropy.
// A shorter array of fixed length can replace the array if and only if at most 2^(m-1) different arrays can occur. This
// condition is true whenever nk <= (m-1)/2.
// Domain: g must be valid and have no blocks. Any n is permitted, and prec is 1 to 1024 bits.
// Error: relative width at most 2^-prec; the result is exactly 0 where only one array can occur.
// Cost: an integral of about prec nodes and one logarithm for each value of X that is near the mean. Values within
// about 20 standard deviations of the mean are near. BenchmarkArrayEntropy measures the time.
// Errors: *bloomproof.ParamError; ErrTooCostly. ErrTooCostly is returned if the number of values of X, times the number
// of bits of precision, exceeds 2^22. With 17 digits, this product is 2^22 for m of about 2^23. With classic hashing,
// an item can set so many bits that the integrals cannot be enclosed. ErrTooCostly is also returned in this case.
func ArrayEntropy(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	const most = 1024
	h, err := hashingOf(g)
	if err != nil {
		return Enclosure{}, err
	}
	if prec < 1 || prec > most {
		return Enclosure{}, &bloomproof.ParamError{Param: "prec", Value: prec, Want: fmt.Sprintf("between 1 and %d bits", most)}
	}
	if n == 0 || h.full(g) {
		return exactlyInt(0, prec), nil
	}
	bits, slices := h.slices(g)
	size, count := h.draws(g, integer.Uint(n))
	o := occupancy.Distribution{M: bits, N: count, K: int(size)}
	e, err := entropyOf(o, prec)
	if err != nil {
		return Enclosure{}, err
	}
	x := interval.New(prec + resultGuard).SetUint64(uint64(slices))
	return around(x.Mul(x, e)), nil
}

// log2 stores the logarithm of x to base 2 in x, and returns x.
func log2(x *interval.Interval) *interval.Interval {
	x.Log(x)
	return x.Quo(x, ln2Interval(x.Prec()))
}

// log2Choose returns log2 C(m,b), for 1 <= b < m.
func log2Choose(m, b uint64, work uint) *interval.Interval {
	b = min(b, m-b)
	over := interval.NewComplex(work).SetReal(interval.New(work).SetUint64(m))
	x := falling.Log(over, b, work)
	under := interval.NewComplex(work).SetReal(interval.New(work).SetUint64(b))
	x.Sub(x, falling.Log(under, b, work))
	return x.Re.Quo(&x.Re, ln2Interval(work))
}

const (
	// The logarithm of a binomial coefficient C(m,x) is usually computed from the logarithm of C(m,x-1). The constant
	// freshChoose is the largest number of such steps. After them the logarithm is computed anew, without the earlier
	// results. This limits the accumulated rounding errors. In units in the last place, their sum is at most the
	// constant freshChoose.
	freshChoose = 256
	// entropyGuard is a number of extra bits of working precision. These bits cover the rounding errors of sums of up
	// to 2^22 terms.
	entropyGuard = 32
	// entropyTries is the largest number of attempts to reach the requested precision. Each attempt raises the working
	// precision by the number of bits that the last result lacked. So if the first result has at least one correct bit,
	// two attempts are enough.
	entropyTries = 4
)

// entropyOf returns the entropy of an array in bits, E[log2 (C(m,X)/P[X])]. The number X of set bits of the array has
// the distribution o. The relative width of the result is at most 2^-prec.
func entropyOf(o occupancy.Distribution, prec uint) (*interval.Interval, error) {
	const guard = 16
	for asked, tries := prec+itemBits(o.M)+guard, 0; tries < entropyTries; tries++ {
		first, p, err := o.Window(asked, func(least, most uint64) ([]*interval.Interval, error) { return listed(o, least, most, asked) })
		if err != nil {
			return nil, err
		}
		work := asked + entropyGuard
		sum, mass := interval.New(work), interval.New(work)
		choose := interval.New(work + entropyGuard) // log2 C(m,x)
		for i, px := range p {
			x := first + uint64(i)
			if i%freshChoose == 0 {
				choose = logChooseOrZero(o.M, x, choose.Prec())
			} else { // multiplies the coefficient by (m-x+1)/x
				ratio := interval.New(choose.Prec()).SetUint64(o.M - x + 1)
				ratio.Quo(ratio, interval.New(choose.Prec()).SetUint64(x))
				choose.Add(choose, log2(ratio))
			}
			if px.Sign() <= 0 {
				continue // missingEntropy accounts for this probability
			}
			low := px.Lo()
			mass.Add(mass, interval.New(asked).SetEnds(low, low))
			t := log2(interval.New(work).Set(px))
			t.Sub(choose, t)
			t.Mul(t, px)
			sum.Add(sum, t)
		}
		sum.Add(sum, missingEntropy(o.M, mass))
		got := sum.RelBits()
		if got >= int(prec) {
			return sum, nil
		}
		asked += prec - uint(min(got, int(prec))) + resultGuard
	}
	return nil, fmt.Errorf("the entropy is not enclosed to 2^-%d: %w", prec, ErrPrecision)
}

// missingEntropy returns an upper bound of a part of the entropy, in bits. The sum in entropyOf leaves out some arrays.
// This part is the contribution of these arrays. The argument "mass" encloses the total probability of the arrays that
// are in the sum. Let eps be the total probability of the arrays that are left out. Then the bound is eps (m + 64 +
// log2 1/eps). The reason is as follows. The number of set bits has at most 2^64 different values. For each value, at
// most 2^m arrays are possible.
func missingEntropy(m uint64, mass *interval.Interval) *interval.Interval {
	const countBits = 64 // log2 of the largest number of different values of X
	nw := func() *interval.Interval { return interval.New(floatWork) }
	eps := interval.New(mass.Prec()).Sub(interval.New(mass.Prec()).SetUint64(1), mass)
	if eps.Hi().Sign() <= 0 {
		return nw()
	}
	top := nw().SetEnds(eps.Hi(), eps.Hi())
	part := log2(nw().Set(top))
	part.Sub(nw().SetUint64(m), part)
	part.Add(part, nw().SetUint64(countBits))
	part.Mul(part, top)
	return part.SetEnds(new(big.Float), part.Hi())
}

func logChooseOrZero(m, x uint64, work uint) *interval.Interval {
	if x == 0 || x == m {
		return interval.New(work)
	}
	return log2Choose(m, x, work)
}

// The function "listed" returns enclosures of P[X = least], ..., P[X = most]. It calls Distribution.PMF for each of
// them.
func listed(o occupancy.Distribution, least, most uint64, bits uint) ([]*interval.Interval, error) {
	l := Distribution{m: o.M, departments: [][]group{{{uint64(o.K), o.N}}}}
	var p []*interval.Interval
	for x := least; x <= most; x++ {
		e, err := l.PMF(x, bits, routeDifference)
		if err != nil {
			return nil, err
		}
		p = append(p, interval.New(bits+resultGuard).Set(e.interval()))
	}
	return p, nil
}

// EntropyPerBit returns the entropy of one bit of a standard filter, in bits:
//
//	-(q log2 q + (1-q) log2(1-q)).
//
// Here q = (1-1/m)^(kn) is the probability that a given bit is unset.
//
// Source: Fan (11). It follows from (10) if one of the two minus signs in (10) is removed.
// Domain: g is valid and has no blocks, and its hashing is standard; 0 <= n < 2^64; prec is from 1 to MaxPrec. The
// entropy is exactly 0 for n = 0 and for m = 1.
// Error: relative width at most 2^-prec.
// Cost: three logarithms, one exponential.
// Errors: *bloomproof.ParamError; ErrUndefined. ErrUndefined is returned if q is below e^-1.3e9. Such a q is too small
// for a floating-point number. This happens for kn > 1.3e9 m.
func EntropyPerBit(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	h, err := checked(g, prec)
	switch {
	case err != nil:
		return Enclosure{}, err
	case !h.collides():
		return Enclosure{}, &bloomproof.ParamError{Param: "hashing", Value: g.Hashing, Want: "standard: the formula is that of a standard filter"}
	case n == 0 || h.full(g):
		return exactlyInt(0, prec), nil
	case noFloat(h.logUnset(g, n, floatWork)):
		return Enclosure{}, refuse.Undefined("entropy_per_bit", "it is too small for a floating-point number")
	}
	const guard = 48 // the relative error of q is |log q| < 2^31 times the relative error of log q
	return probability(ziv(prec, prec+guard, func(work uint) *interval.Interval {
		nw := func() *interval.Interval { return interval.New(work) }
		a := h.logUnset(g, n, work)
		q := nw().Exp(a)
		p := nw().Expm1(a)
		p.Neg(p)
		// With a = log q and p = 1-q, the result is -(q a + p log(1-q)) / log 2. Both products have the same sign, so
		// no bits cancel.
		lnp := nw().Neg(q)
		lnp.Log1p(lnp)
		if q.Hi().Cmp(big.NewFloat(0.5)) > 0 {
			lnp.Log(p)
		}
		a.Mul(a, q)
		p.Mul(p, lnp)
		a.Add(a, p)
		a.Neg(a)
		return a.Quo(a, ln2Interval(work))
	}))
}
