package exact

import (
	"fmt"
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/falling"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// A filter is a random array of m bits. Given how many are set, all arrays of a standard
// or classic filter are equally probable, so the array's entropy is
//
//	H = H(X) + E[log2 C(m,X)] = sum over x of P[X = x] log2 (C(m,x)/P[X = x]),
//
// and a partitioned filter is k independent slices. No code of the array is shorter than H
// in the mean, and the enumerative one, X and then the array's number among those with X
// set bits, is at most log2(m+1) - H(X) + 2 bits longer.

// ArrayEntropy returns the entropy in bits of the whole array of a filter of shape g after
// n insertions.
//
// Source: Fan (10), printed with two signs, applied to the array (there "the entropy E of
// the Bloom filter"); Burns 4.3 at n = 1, where for classic hashing it is log2 C(m,k), so
// that the efficiency of the compressed filter is 1. Fan's m times (11) is an upper bound,
// as for any bits that depend on each other.
//
// What it says of Fan's Theorem 1, that a filter whose entropy is not at its maximum can be
// replaced by a smaller filter with the same answers: refuted, already without asking that
// the replacement be a Bloom filter. At m = 2, k = 1, n = 2 the entropy is 3/2 < 2, but the
// array takes three values and no single bit tells them apart. Entropy bounds the mean
// length of a code, not its longest word. A shorter array of fixed length exists if and
// only if at most 2^(m-1) arrays can occur, for nk <= (m-1)/2 for certain.
// Domain: g valid; any n; prec 1 to 1024 bits.
// Error: relative width at most 2^-prec; exactly 0 where only one array can occur.
// Cost: some 20 standard deviations of X times about prec nodes of an integral each; one
// logarithm for each; measured: see BenchmarkArrayEntropy.
// Errors: *bloomproof.ParamError; ErrTooCostly beyond 2^22 numbers of set bits times bits,
// for 17 digits m about 2^23, and for classic hashing where an item sets so large a part of all bits that
// the integrals are not enclosed.
func ArrayEntropy(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	if err := checkEntropy(g, prec); err != nil {
		return Enclosure{}, err
	}
	o, times, one := arrayLaw(g, n)
	if one {
		return exactlyInt(0, prec), nil
	}
	e, err := expectation(o, prec, func(x uint64, choose, p *interval.Interval) *interval.Interval {
		return choose.Sub(choose, log2(p)) // log2 (C(m,x)/p)
	})
	if err != nil {
		return Enclosure{}, err
	}
	x := interval.New(prec + 8)
	return around(x.Mul(e, x.SetUint64(times))), nil
}

func checkEntropy(g bloomproof.Geometry, prec uint) error {
	const most = 1024
	if err := valid(g); err != nil {
		return err
	}
	if prec < 1 || prec > most {
		return &bloomproof.ParamError{Param: "prec", Value: prec, Want: fmt.Sprintf("between 1 and %d bits", most)}
	}
	return nil
}

// arrayLaw returns the distribution of the set bits of the array, or of each of so many slices, and
// whether only one array can occur.
func arrayLaw(g bloomproof.Geometry, n uint64) (o occupancy.Distribution, times uint64, one bool) {
	o, times = law(g, n), 1
	if g.Hashing == bloomproof.Partitioned {
		o, times = occupancy.Distribution{M: g.M / uint64(g.K), N: integer.Uint(n), K: 1}, uint64(g.K)
	}
	return o, times, n == 0 || o.M == uint64(o.K)
}

// log2 sets x to its logarithm of base 2 and returns it.
func log2(x *interval.Interval) *interval.Interval {
	two := interval.New(x.Prec()).SetUint64(2)
	return x.Quo(x.Log(x), two.Log(two))
}

// CompressedEfficiency returns the efficiency of a filter whose array is compressed to its
// entropy, n log2(1/f)/H.
//
// Source: Burns 4.3 with (69). At n = 1 with classic hashing it is 1 for every k, by
// f = 1/C(m,k); whole bits are ceil(log2 C(m,k)), so 1 is reached only where that is an
// integer.
// Domain, Cost, Errors: as ArrayEntropy, n >= 1; ErrUndefined where the entropy is 0.
// Error: relative width at most 2^-prec.
func CompressedEfficiency(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	if err := checkEntropy(g, prec); err != nil {
		return Enclosure{}, err
	}
	if _, _, one := arrayLaw(g, n); one {
		return Enclosure{}, refuse.Undefined("compressed efficiency", "only one array can occur")
	}
	f, err := Log2(Rate, g, n, prec+8)
	if err != nil {
		return Enclosure{}, err
	}
	h, err := ArrayEntropy(g, n, min(prec+8, 1024))
	if err != nil {
		return Enclosure{}, err
	}
	x := interval.New(prec+40).Quo(f.interval(), h.interval())
	x.Mul(x, interval.New(prec+40).SetUint64(n))
	return around(x.Neg(x)), nil
}

// EnumerativeBits returns the length in bits of the number of an array among those of m
// bits with b set: ceil(log2 C(m,b)).
//
// Source: Burns 4.3, where it is log2 C(m,k) without rounding up.
// Domain: 0 <= b <= m, m >= 1.
// Error: none: C(m,b) is no power of two for 2 <= b <= m-2 (Sylvester), so the enclosure
// of its logarithm leaves out all integers in the end.
// Cost: a few logarithms.
// Errors: *bloomproof.ParamError.
func EnumerativeBits(m, b uint64) (*big.Int, error) {
	switch {
	case m < 1:
		return nil, &bloomproof.ParamError{Param: "m", Value: m, Want: "between 1 and 2^64-1"}
	case b > m:
		return nil, &bloomproof.ParamError{Param: "bits", Value: b, Want: fmt.Sprintf("at most m = %d", m)}
	}
	switch min(b, m-b) {
	case 0:
		return new(big.Int), nil
	case 1:
		return big.NewInt(int64(bits.Len64(m - 1))), nil
	}
	for work := uint(160); ; work *= 2 {
		x := log2Choose(m, b, work)
		lo, _ := x.Lo().Int(nil)
		hi, _ := x.Hi().Int(nil)
		if lo.Cmp(hi) == 0 {
			return lo.Add(lo, integer.One), nil
		}
	}
}

// log2Choose returns log2 C(m,b), 1 <= b < m.
func log2Choose(m, b uint64, work uint) *interval.Interval {
	b = min(b, m-b)
	over := interval.NewComplex(work).SetReal(interval.New(work).SetUint64(m))
	x := falling.Log(over, b, work)
	under := interval.NewComplex(work).SetReal(interval.New(work).SetUint64(b))
	x.Sub(x, falling.Log(under, b, work))
	two := interval.New(work).SetUint64(2)
	return x.Re.Quo(&x.Re, two.Log(two))
}

// EnumerativeLength returns the mean length in bits of the enumerative code of a filter's
// array: the number of set bits in ceil(log2(m+1)) bits, then the array's number among
// those with so many set bits, in EnumerativeBits. For partitioned hashing the slices are
// coded one by one.
//
// Source: Burns 4.3, "each possibility can be identified by an integer between 1 and
// C(m,k)", for any number of set bits.
// Domain, Error, Cost, Errors: as ArrayEntropy.
func EnumerativeLength(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	if err := checkEntropy(g, prec); err != nil {
		return Enclosure{}, err
	}
	o, times, one := arrayLaw(g, n)
	header := uint64(bits.Len64(o.M))
	if one {
		return exactly(new(big.Rat).SetInt(new(big.Int).Mul(integer.Uint(header), integer.Uint(times))), prec), nil
	}
	var failed error
	e, err := expectation(o, prec, func(x uint64, choose, p *interval.Interval) *interval.Interval {
		length, _ := choose.Lo().Int(nil)
		if hi, _ := choose.Hi().Int(nil); hi.Cmp(length) == 0 && min(x, o.M-x) > 1 { // no integer inside
			return choose.SetInt(length.Add(length, integer.Uint(header+1)))
		}
		length, err := EnumerativeBits(o.M, x)
		if err != nil {
			failed = err
			return choose
		}
		return choose.SetInt(length.Add(length, integer.Uint(header)))
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		return Enclosure{}, err
	}
	x := interval.New(prec + 8)
	return around(x.Mul(e, x.SetUint64(times))), nil
}

// expectation returns E[f(X)], to a relative width of 2^-prec, for an f that is given x,
// log2 C(m,x) and P[X = x], at least the entropy of the array if x were certain, and at
// most m + 64 + log2 1/P[X = x].
func expectation(o occupancy.Distribution, prec uint, f func(x uint64, choose, p *interval.Interval) *interval.Interval) (*interval.Interval, error) {
	for asked, tries := prec+uint(bits.Len64(o.M))+16, 0; tries < 4; tries++ {
		first, p, err := o.Window(asked, func(least, most uint64) ([]*interval.Interval, error) { return listed(o, least, most, asked) })
		if err != nil {
			return nil, err
		}
		sum, mass := interval.New(asked+32), interval.New(asked+32)
		choose := interval.New(asked + 64)
		for i, px := range p {
			x := first + uint64(i)
			if i%256 == 0 { // afresh, before roundings add up
				choose = logChooseOrZero(o.M, x, asked+64)
			} else { // times (m-x+1)/x
				ratio := interval.New(asked + 64).SetUint64(o.M - x + 1)
				choose.Add(choose, log2(ratio.Quo(ratio, interval.New(asked+64).SetUint64(x))))
			}
			if px.Sign() <= 0 {
				continue // in the mass that is missing
			}
			low := px.Lo()
			mass.Add(mass, interval.New(asked).SetEnds(low, low))
			t := f(x, interval.New(asked+32).Set(choose), interval.New(asked+32).Set(px))
			sum.Add(sum, t.Mul(t, px))
		}
		// Arrays of probability eps in all add at most eps (m + 64 + log2 1/eps).
		eps := mass.Sub(mass.SetPrec(asked+32), interval.New(64).SetUint64(1))
		eps.Neg(eps)
		if eps.Hi().Sign() > 0 {
			top := interval.New(64).SetEnds(eps.Hi(), eps.Hi())
			part := log2(interval.New(64).Set(top))
			part.Sub(interval.New(64).SetUint64(o.M), part)
			part.Add(part, interval.New(64).SetUint64(64))
			part.Mul(part, top)
			sum.Add(sum, part.SetEnds(new(big.Float), part.Hi()))
		}
		if got := sum.RelBits(); got >= int(prec) {
			return sum, nil
		} else {
			asked += prec - uint(min(got, int(prec))) + 8
		}
	}
	return nil, fmt.Errorf("the entropy is not enclosed to 2^-%d: %w", prec, ErrPrecision)
}

func logChooseOrZero(m, x uint64, work uint) *interval.Interval {
	if x == 0 || x == m {
		return interval.New(work)
	}
	return log2Choose(m, x, work)
}

// listed returns P[X = least], ..., P[X = most] as Distribution has them.
func listed(o occupancy.Distribution, least, most uint64, bits uint) ([]*interval.Interval, error) {
	l, err := Committee(o.M, uint64(o.K), o.N.Uint64())
	if err != nil {
		return nil, err
	}
	var p []*interval.Interval
	for x := least; x <= most; x++ {
		e, err := l.PMF(x, bits, Auto)
		if err != nil {
			return nil, err
		}
		p = append(p, interval.New(bits+8).Set(e.interval()))
	}
	return p, nil
}
