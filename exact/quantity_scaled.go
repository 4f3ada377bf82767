package exact

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// A nearly full filter has f, bloom and U within e^-(nk/m) of 1, which can be beyond
// the exponents of big.Float. What they lack of 1 is a factor of its own, the
// probability q that a given bit is unset, times a sum of moderate size. So values are
// kept as x e^shift, shift = log q, and only the logarithm of q is ever needed.

// scaledValue is the number x e^shift; a nil shift is 0.
type scaledValue struct{ x, shift *interval.Interval }

// derivation computes quantities of one filter with n >= 1, m >= 2; not both hashing
// without repetition and k = m. err is the first error of a function of this package.
type derivation struct {
	g     bloomproof.Geometry
	n     uint64
	total *big.Int // standard hashing: the balls, where they are not nk
	err   error
	known *interval.Interval // the rate, where it was computed
}

// balls returns nk.
func (d *derivation) balls() *big.Int {
	if d.total != nil {
		return d.total
	}
	return integer.Product(d.n, d.g.K)
}

func (d *derivation) fail(err error) {
	if d.err == nil {
		d.err = err
	}
}

// rate returns f. After an error it is some point, which ends the ziv loop.
func (d *derivation) rate(work uint) *interval.Interval {
	if d.known != nil && d.known.Prec() >= work {
		return interval.New(work).Set(d.known)
	}
	if d.nearlyFull(d.g.Hashing) {
		x := interval.New(work).SetUint64(1)
		if d.g.Hashing != bloomproof.Standard && d.allSet() {
			return x
		}
		v := d.complement(work)
		return x.Sub(x, v.x.Mul(v.x, interval.New(work).Exp(v.shift)))
	}
	var e Enclosure
	var err error
	if d.total != nil {
		e, err = moment(d.g.M, d.total, d.g.K, work)
	} else {
		e, err = rate(d.g, d.n, work)
	}
	if err != nil {
		d.fail(err)
		return interval.New(work).SetUint64(1)
	}
	d.known = interval.New(work).Set(e.interval())
	return interval.New(work).Set(d.known)
}

func (d *derivation) bloom(work uint) *interval.Interval {
	x := fill(d.g.M, d.balls(), work)
	return x.PowInt(x, big.NewInt(int64(d.g.K)))
}

func (d *derivation) upper(work uint) *interval.Interval {
	x := committeeFill(d.g.M, d.n, d.g.K, work)
	return x.PowInt(x, big.NewInt(int64(d.g.K)))
}

// logUnset returns the logarithm of the probability that a given bit is unset:
// kn log(1-1/m) for standard hashing, n log(1-k/m) for the others.
func (d *derivation) logUnset(h bloomproof.Hashing, work uint) *interval.Interval {
	if h == bloomproof.Standard {
		return occupancy.LogEmpty(d.g.M, d.balls(), work)
	}
	x := interval.New(work).SetRat(new(big.Rat).SetFrac(big.NewInt(int64(-d.g.K)), new(big.Int).SetUint64(d.g.M)))
	return x.Mul(x.Log1p(x), interval.New(work).SetUint64(d.n))
}

// logUnsetRatio returns n (log(1-k/m) - k log(1-1/m)), k >= 2, k < m, which is negative by
// Bernoulli's inequality, Fan (16), (17): the difference of two numbers near -k/m, which is
// about -k(k-1)/(2m^2).
func (d *derivation) logUnsetRatio(work uint) *interval.Interval {
	wide := work + uint(bits.Len64(d.g.M)) + 4
	x := d.logUnset(bloomproof.Classic, wide)
	return x.Sub(x, d.logUnset(bloomproof.Standard, wide))
}

// nearlyFull reports whether k q <= 1/2, q the probability that a given bit is unset.
// Then 1-f, at most the sum over the positions of q, is at most 1/2 too and the terms of
// inclusion and exclusion fall off at once. Otherwise 1-f is at least about 1/(4k).
func (d *derivation) nearlyFull(h bloomproof.Hashing) bool {
	if h != bloomproof.Standard && uint64(d.g.K) == d.g.M {
		return true // q = 0
	}
	l := interval.New(64).Exp(d.logUnset(h, 64))
	return l.Hi().Cmp(big.NewFloat(0.5/float64(d.g.K))) <= 0
}

// value returns a quantity other than Rate.
func (d *derivation) value(q Quantity, work uint) scaledValue {
	switch q {
	case Complement:
		return d.complement(work)
	case AboveBloom:
		return d.aboveBloom(work)
	case BelowUpper:
		return d.belowUpper(work)
	case BloomExcess:
		if d.g.Hashing == bloomproof.Partitioned {
			return d.upperOverBloom(work)
		}
		v := d.aboveBloom(work)
		v.x.Quo(v.x, d.bloom(work))
		return v
	case UpperExcess:
		v := d.belowUpper(work)
		v.x.Quo(v.x, d.rate(work))
		return v
	case BloomRatio:
		x := d.rate(work)
		return scaledValue{x: x.Quo(x, d.bloom(work))}
	}
	x := d.upper(work)
	return scaledValue{x: x.Quo(x, d.rate(work))}
}

// log returns the natural logarithm of a quantity.
func (d *derivation) log(q Quantity, work uint) *interval.Interval {
	nw := func() *interval.Interval { return interval.New(work) }
	one := nw().SetUint64(1)
	switch q {
	case Rate: // log1p(-(1-f))
		if !d.nearlyFull(d.g.Hashing) {
			return nw().Log(d.rate(work))
		}
		return d.logOnePlus(d.complement(work), -1, work)
	case Complement:
		if !d.nearlyFull(d.g.Hashing) {
			return nw().Log1p(nw().Neg(d.rate(work)))
		}
	case BloomRatio:
		return d.logOnePlus(d.value(BloomExcess, work), 1, work)
	case UpperRatio:
		return d.logOnePlus(d.value(UpperExcess, work), 1, work)
	case BelowUpper:
		if d.allSet() {
			return d.log(Complement, work)
		}
	}
	v := d.value(q, work)
	if v.x.Sign() < 0 {
		d.fail(refuse.Undefined("logarithm of "+q.String(), "it is negative"))
		return one
	}
	l := nw().Log(v.x)
	if v.shift != nil {
		l.Add(l, v.shift)
	}
	return l
}

// logOnePlus returns log(1 + sign v).
func (d *derivation) logOnePlus(v scaledValue, sign int, work uint) *interval.Interval {
	if v.shift != nil {
		if v.shift.Lo().Cmp(big.NewFloat(leastExponent)) < 0 {
			d.fail(outOfRange("the logarithm"))
		}
		v.x.Mul(v.x, interval.New(work).Exp(v.shift))
	}
	if sign < 0 {
		v.x.Neg(v.x)
	}
	return interval.New(work).Log1p(v.x)
}

// allSet reports whether U = 1 because an item takes every bit.
func (d *derivation) allSet() bool { return uint64(d.g.K) == d.g.M }

// complement returns 1 - f.
func (d *derivation) complement(work uint) scaledValue {
	if d.nearlyFull(d.g.Hashing) {
		return scaledValue{d.unsetSum(d.g.Hashing, work), d.logUnset(d.g.Hashing, work)}
	}
	// f is needed to 2^-work of 1 alone.
	digits := work + 4
	x := interval.New(work)
	one := interval.New(work).SetUint64(1)
	if uint64(d.g.K) <= d.g.M && d.total == nil {
		u := d.upper(16)
		small := uint(max(0, -u.Hi().MantExp(nil)))
		if small > work {
			return scaledValue{x: x.Sub(one, interval.New(work).SetEnds(new(big.Float), u.Hi()))}
		}
		digits -= small
	}
	return scaledValue{x: x.Sub(one, d.rate(digits))}
}

// aboveBloom returns f - bloom, k >= 2. With X the number of set bits of a standard
// filter, mu its mean and u = X/mu, it is at least (k-1) bloom Var X/mu^2, since
//
//	u^k - 1 - k(u-1) = (u-1)^2 sum over i <= k-2 of (k-1-i) u^i >= (k-1)(u-1)^2.
func (d *derivation) aboveBloom(work uint) scaledValue {
	nw := func() *interval.Interval { return interval.New(work) }
	switch {
	case d.g.Hashing == bloomproof.Partitioned:
		v := d.upperOverBloom(work)
		v.x.Mul(v.x, d.bloom(work))
		return v
	case !d.nearlyFull(bloomproof.Standard):
		x := d.rate(work)
		return scaledValue{x: nw().Sub(x, d.bloom(work))}
	}
	x := d.unsetSum(d.g.Hashing, work)
	if d.g.Hashing == bloomproof.Classic && !d.allSet() {
		x.Mul(x, nw().Exp(d.logUnsetRatio(work)))
	}
	return scaledValue{x.Sub(d.bloomSum(bloomproof.Standard, work), x), d.logUnset(bloomproof.Standard, work)}
}

// belowUpper returns U - f for standard and classic hashing, 2 <= k <= m.
func (d *derivation) belowUpper(work uint) scaledValue {
	nw := func() *interval.Interval { return interval.New(work) }
	switch {
	case d.allSet(): // standard
		return d.complement(work)
	case !d.nearlyFull(d.g.Hashing):
		x := d.upper(work)
		return scaledValue{x: nw().Sub(x, d.rate(work))}
	case d.g.Hashing == bloomproof.Classic:
		return d.belowUpperFull(work)
	}
	x := d.bloomSum(bloomproof.Classic, work)
	x.Mul(x, nw().Exp(d.logUnsetRatio(work)))
	return scaledValue{x.Sub(d.unsetSum(bloomproof.Standard, work), x), d.logUnset(bloomproof.Standard, work)}
}

// upperOverBloom returns U/bloom - 1, k >= 2, k <= m. With a = (1-k/m)^n and
// b = (1-1/m)^(kn), both unset probabilities, U/bloom = ((1-a)/(1-b))^k and
// b-a = -b expm1(log(a/b)).
func (d *derivation) upperOverBloom(work uint) scaledValue {
	nw := func() *interval.Interval { return interval.New(work) }
	k := nw().SetUint64(uint64(d.g.K))
	lb := d.logUnset(bloomproof.Standard, work)
	x := nw().SetUint64(1) // (b-a)/b
	if !d.allSet() {
		x.Neg(x.Expm1(d.logUnsetRatio(work)))
	}
	if lb.Lo().Cmp(big.NewFloat(-4*float64(work))) < 0 {
		// (1 + b x/(1-b))^k - 1 is at least kbx and at most kbx (1 + 2kb), b < 2^-5w.
		more := nw().SetScaled(new(big.Int), integer.One, -4*int(work))
		more.Add(more, nw().SetUint64(1))
		return scaledValue{x.Mul(x.Mul(x, k), more), lb}
	}
	b := nw().Exp(lb)
	x.Mul(x, b)
	x.Quo(x, nw().Neg(nw().Expm1(lb)))
	x.Mul(x.Log1p(x), k)
	return scaledValue{x: x.Expm1(x)}
}

// guard returns about the bits that cancel in a quantity, from its leading term for
// many bits m: with a the balls a bit, q = e^-a and p = 1-q,
//
//	(f_S - bloom)/bloom = C(k,2) q (1-(1+a)q)/(m p^2),   (U - f_S)/U = C(k,2) q (a-1+q)/(m p^2)
//	(U - f_C)/U = C(k,2) q^2 a/(m p^2)
//
// A quantity for which this is not enough costs one more round of ziv.
func (d *derivation) guard(q Quantity) uint {
	const roundings = 48 // the roundings, and the digits before the point of a shift
	k, m := float64(d.g.K), float64(d.g.M)
	guard := roundings + 2*uint(bits.Len(uint(d.g.K)))
	switch q {
	case Rate, Complement, BloomRatio, UpperRatio:
		return guard
	}
	if d.g.Hashing == bloomproof.Partitioned {
		return guard // no difference is taken
	}
	a := float64(d.n) / m * k
	p := -math.Expm1(-a)
	full := max(math.Exp(-a), 0.25/k) // below, q is a factor of its own
	var part float64                  // the bracket, or q a
	switch {
	case d.g.Hashing == bloomproof.Classic:
		part = full * a
	case a > 0.01 && (q == AboveBloom || q == BloomExcess):
		part = 1 - (1+a)*math.Exp(-a)
	case a > 0.01:
		part = a - p // p = 1-e^-a
	default: // both are
		part = a * a / 2
	}
	lost := math.Log2(m*p*p/(k*(k-1)/2)) - math.Log2(part*full)
	return guard + uint(min(max(0, lost), 256))
}
