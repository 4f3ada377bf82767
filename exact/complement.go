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

// Complement returns 1-f without cancellation, where f is the rate FPR(g, n). The number 1-f is the probability that
// the filter answers no to the query of an item that was not added. In a nearly full filter, Complement evaluates
//
//	1 - f = sum over j >= 1 of (-1)^(j+1) w_j q_j.
//
// The sums (56) and (60) of Burns contain weights and probabilities. The w_j are these weights, and the q_j are these
// probabilities. For blocks it evaluates a similar sum. If the filter is not nearly full, Complement subtracts f from
// 1.
// Source: Burns (56), (60); Fan (19).
// Domain: as for FPR.
// Error: relative width at most 2^-prec. The result is exactly 1 for n = 0, and exactly 0 where every item sets every
// bit.
// Cost: the cost is that of FPR. In nearly full filters it is far less.
// Errors: *bloomproof.ParamError; ErrRange if the result is below exp(-1.3e9); ErrTooCostly.
func Complement(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	l, err := checkedLaw(g, prec)
	switch {
	case err != nil:
		return Enclosure{}, err
	case n == 0:
		return exactlyInt(1, prec), nil
	case l.full(g):
		return exactlyInt(0, prec), nil
	}
	return probability(l.complement(g, n, prec))
}

// LogFPR returns the natural logarithm of the rate f = FPR(g, n). The result is accurate also where f is near 1. In
// that case LogFPR computes
//
//	ln f = log1p(-(1-f)).
//
// Source, Domain, Cost: as for Complement; n >= 1.
// Error: relative width at most 2^-prec; the result is exactly 0 where every item sets every bit.
// Errors: the same as for Complement. ErrUndefined is also returned for n = 0, because the rate is then 0.
func LogFPR(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	l, err := checkedLaw(g, prec)
	switch {
	case err != nil:
		return Enclosure{}, err
	case n == 0:
		return Enclosure{}, refuse.Undefined("the logarithm of the rate", "the rate is 0")
	case l.full(g):
		return exactlyInt(0, prec), nil
	}
	return l.logRate(g, n, prec)
}

func checkedLaw(g bloomproof.Geometry, prec uint) (law, error) {
	l, err := lawOf(g)
	if err != nil {
		return nil, err
	}
	return l, precision.Check(prec)
}

func checkedFillLaw(g bloomproof.Geometry, prec uint) (fillLaw, error) {
	l, err := fillLawOf(g)
	if err != nil {
		return nil, err
	}
	return l, precision.Check(prec)
}

// excessKinds lists the kinds of bounds for which Excess is defined.
var excessKinds = []bloomproof.Bound{bloomproof.BoundBloom, bloomproof.BoundUpper}

// Excess returns the relative difference between the rate f and a bound, computed without cancellation. Excess divides
// the larger of the two numbers by the smaller, and subtracts 1. Let B be the value of the kind "bloom", and let U be
// the value of the kind "upper". For the kind "bloom" the result is f/B - 1. For the kind "upper" the result is U/f -
// 1. In a nearly full filter, each of the three numbers f, B and U differs from 1 by at most about k e^-(nk/m). In that
// case Excess uses two other formulas. Let a = (1-k/m)^n and b = (1-1/m)^(kn). The first formula is for classic
// hashing:
//
//	U - f = sum over j >= 2 of (-1)^j C(k,j) (a^j - q_j).
//
// The second formula is for partitioned hashing:
//
//	U/B - 1 = expm1(k log1p((b-a)/(1-b))).
//
// Source: Burns (56), (57), (60), (65); Fan (2), (18)-(20).
// Domain: the same as for Bound, but without blocks and with n >= 1.
// Error: relative width at most 2^-prec; the result is exactly 0 where the rate equals the bound.
// Cost: the cost is that of FPR at prec + log2 m bits. In nearly full filters it is far less.
// Errors: *bloomproof.ParamError; ErrUndefined; ErrRange. A ParamError is also returned if the kind is neither "bloom"
// nor "upper". ErrRange is returned if the result is below exp(-1.3e9). ErrUndefined is returned for n = 0, and for the
// kind "upper" where k > m.
func Excess(kind bloomproof.Bound, g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	h, err := checked(g, prec)
	if err != nil {
		return Enclosure{}, err
	}
	for _, kinds := range [][]bloomproof.Bound{h.bounds(), excessKinds} {
		if err := refuseBound(h, kind, kinds); err != nil {
			return Enclosure{}, err
		}
	}
	name := "the excess over " + string(kind)
	switch {
	case n == 0:
		return Enclosure{}, refuse.Undefined(name, "the rate is 0")
	case kind == bloomproof.BoundUpper && uint64(g.K) > g.M:
		return upper(g.M, n, g.K, prec) // returns an error that says why U is undefined
	case g.K == 1 || g.M == 1 || kind == bloomproof.BoundUpper && (h.isUpper() || h.full(g)):
		return exactlyInt(0, prec), nil
	}
	d := &derivation{h: h, g: g, n: n}
	first := prec + d.guard() + uint(min(max(0, h.excessBits(kind, g, n)), mostExcessBits))
	return d.enclose(name, prec, first, func(work uint) scaledValue { return h.excess(kind, d, work) })
}

// leastExponent is the natural logarithm of the smallest possible result. A computation whose result would be smaller
// is refused with ErrRange. For results below e^-1.4e9, interval.Exp returns an enclosure whose lower end is 0.
const leastExponent = -1_300_000_000

func outOfRange(name string) error {
	return fmt.Errorf("%s is below e^%d: %w", name, leastExponent, refuse.ErrRange)
}

// In a nearly full filter, the rate and the values of BoundBloom and BoundUpper are very close to 1. The difference
// from 1 can be below the smallest positive big.Float. This difference is the product of two factors. The first is the
// probability q that a given bit is unset, and the second is a sum of moderate size. Values are therefore represented
// as x e^shift with shift = log q. Only the logarithm of q is computed.

// scaledValue represents the number x e^shift. A nil shift means that the number is 0.
type scaledValue struct{ x, shift *interval.Interval }

// A derivation computes several quantities of one filter after n >= 1 insertions. It must not be used for filters in
// which every item sets every bit. The field "err" keeps the first error that occurred.
type derivation struct {
	h     hashing
	g     bloomproof.Geometry
	n     uint64
	err   error
	known *interval.Interval // the rate, or nil if it was not computed yet
}

func (d *derivation) fail(err error) {
	if d.err == nil {
		d.err = err
	}
}

// complementOf returns 1-f, where f is the false-positive rate. It must not be called for filters in which every item
// sets every bit.
func complementOf(h hashing, g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	d := &derivation{h: h, g: g, n: n}
	return d.enclose("the complement of the rate", prec, prec+d.guard(), d.complement)
}

// logRateOf returns ln f, where f is the false-positive rate. It must not be called for filters in which every item
// sets every bit.
func logRateOf(h hashing, g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	const guard = 16 // bits for the rounding errors of one logarithm
	d := &derivation{h: h, g: g, n: n}
	e, err := ziv(prec, prec+d.guard()+guard, func(work uint) *interval.Interval {
		x := interval.New(work)
		if !d.nearlyFull() {
			return x.Log(d.rate(work))
		}
		v := d.complement(work)
		if v.shift.Lo().Cmp(big.NewFloat(leastExponent)) < 0 {
			d.fail(outOfRange("the logarithm"))
			return x.SetUint64(1) // makes ziv stop
		}
		x.Exp(v.shift)
		x.Mul(x, v.x)
		x.Neg(x)
		return x.Log1p(x)
	})
	if d.err != nil {
		return Enclosure{}, d.err
	}
	return e, err
}

// logOfRate returns ln f, where f is the rate that l computes. Where f is above about 1/2, it computes the complement
// 1-f first, and then log1p(-(1-f)).
func logOfRate(l law, g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	const guard = 8 // extra bits of the argument of the logarithm
	c, err := l.complement(g, n, prec+guard)
	if err != nil {
		return Enclosure{}, err
	}
	if c.Hi().Cmp(big.NewFloat(0.5)) < 0 {
		x := interval.New(prec + guard).Neg(c.interval())
		return around(x.Log1p(x)), nil
	}
	// Here f is at most about 1/2, so |log f| is at least about 0.7. The logarithm therefore multiplies the relative
	// error by at most about 1.5.
	f, err := rateOf(l, g, n, prec+guard)
	if err != nil {
		return Enclosure{}, err
	}
	return around(interval.New(prec + guard).Log(f.interval())), nil
}

// The method "enclose" returns an enclosure of the number that the function "value" computes. The relative width of the
// enclosure is at most 2^-prec. The argument of the function "value" is the working precision, in bits. The argument
// "first" is the precision of the first call.
func (d *derivation) enclose(name string, prec, first uint, value func(work uint) scaledValue) (Enclosure, error) {
	e, err := ziv(prec, first, func(work uint) *interval.Interval {
		v := value(work)
		switch {
		case d.err != nil:
			return v.x.SetUint64(1) // ends the loop
		case v.shift == nil:
			return v.x
		}
		if v.shift.Lo().Cmp(big.NewFloat(leastExponent)) < 0 {
			d.fail(outOfRange(name))
			return v.shift.SetUint64(1) // ends the loop
		}
		return v.x.Mul(v.x, interval.New(work).Exp(v.shift))
	})
	if d.err != nil {
		return Enclosure{}, d.err
	}
	return e, err
}

// The method "rate" returns the false-positive rate f. If an error occurs, it returns an interval of width 0. Then
// the function "ziv" does not try a higher precision.
func (d *derivation) rate(work uint) *interval.Interval {
	if d.known != nil && d.known.Prec() >= work {
		return interval.New(work).Set(d.known)
	}
	if d.nearlyFull() {
		v := d.complement(work)
		v.x.Mul(v.x, interval.New(work).Exp(v.shift))
		x := interval.New(work).SetUint64(1)
		return x.Sub(x, v.x)
	}
	e, err := rateOf(d.h, d.g, d.n, work)
	if err != nil {
		d.fail(err)
		return interval.New(work).SetUint64(1)
	}
	d.known = interval.New(work).Set(e.interval())
	return interval.New(work).Set(d.known)
}

// The method "bloom" returns the value of BoundBloom.
func (d *derivation) bloom(work uint) *interval.Interval {
	x := fill(d.g.M, integer.Product(d.n, d.g.K), work)
	return x.PowInt(x, big.NewInt(int64(d.g.K)))
}

// The method "upper" returns U, the value of BoundUpper, for k <= m.
func (d *derivation) upper(work uint) *interval.Interval {
	x := committeeFill(d.g.M, d.n, d.g.K, work)
	return x.PowInt(x, big.NewInt(int64(d.g.K)))
}

// logUnsetRatio returns n (log(1-k/m) - k log(1-1/m)) for 2 <= k < m. This is the logarithm of a/b. Here a is the
// probability that a given bit of a classic filter is unset. The number b is this probability for a standard filter.
// The result is negative by Bernoulli's inequality; see (16) and (17) of Fan. The numbers log(1-k/m) and k log(1-1/m)
// are both near -k/m. Their difference is about -k(k-1)/(2m^2).
func (d *derivation) logUnsetRatio(work uint) *interval.Interval {
	const guard = 4
	wide := work + itemBits(d.g.M) + guard
	x := logCommitteesUnset(d.g, d.n, wide)
	return x.Sub(x, occupancy.LogEmpty(d.g.M, integer.Product(d.n, d.g.K), wide))
}

// nearlyFull reports whether k q <= 1/2. Here q is the probability that a given bit is unset. If k q <= 1/2, then 1-f
// is at most k q. The terms of the inclusion-exclusion sum for 1-f then decrease quickly. Otherwise 1-f is at least
// about 1/(4k).
func (d *derivation) nearlyFull() bool {
	l := interval.New(floatWork).Exp(d.h.logUnset(d.g, d.n, floatWork))
	return l.Hi().Cmp(big.NewFloat(0.5/float64(d.g.K))) <= 0
}

// The method "complement" returns 1 - f, where f is the false-positive rate.
func (d *derivation) complement(work uint) scaledValue {
	if d.nearlyFull() {
		return scaledValue{d.h.unsetSum(d, work), d.h.logUnset(d.g, d.n, work)}
	}
	// Here 1-f is not small, so an absolute error of 2^-work in f suffices.
	const guard, coarse = 4, 16
	digits := work + guard
	x := interval.New(work)
	one := interval.New(work).SetUint64(1)
	if uint64(d.g.K) <= d.g.M { // f is at most U
		u := d.upper(coarse)
		small := uint(max(0, -u.Hi().MantExp(nil)))
		if small > work {
			return scaledValue{x: x.Sub(one, interval.New(work).SetEnds(new(big.Float), u.Hi()))}
		}
		digits -= small
	}
	return scaledValue{x: x.Sub(one, d.rate(digits))}
}

// roundingsGuard is a number of extra bits of working precision. Some of these bits cover the rounding errors. A
// scaledValue stores a logarithm in the field "shift". The other bits cover the integer part of this logarithm, which
// has up to 31 bits.
const roundingsGuard = 48

// mostExcessBits is the upper limit for the estimated number of bits that Excess loses by cancellation. For tiny
// filters the estimate alone could be too large. If more bits are lost than this, the function "ziv" needs one more
// iteration.
const mostExcessBits = 256

// The method "guard" returns the number of extra bits of working precision that cover all losses except cancellation.
// These losses include two k-th powers: each power multiplies a relative error by k.
func (d *derivation) guard() uint { return roundingsGuard + 2*uint(bits.Len(uint(d.g.K))) }
