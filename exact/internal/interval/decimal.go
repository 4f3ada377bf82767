package interval

import (
	"errors"
	"math/big"
	"strconv"
	"strings"
)

// ErrWide is returned by Decimal for an interval that is too wide for the requested digits.
var ErrWide = errors.New("interval: too wide for the digits asked")

const (
	// exactScale is the exponent of the largest power of ten by which Decimal scales exactly. With a larger power, the
	// rationals would be longer than the few hundred bits that most enclosures have.
	exactScale = 1500
	// exactExponent is the binary exponent of the smallest number that Decimal scales exactly.
	exactExponent = -8 * exactScale
	log10of2      = 0.30102999566398119521
	// Decimal uses the plain form, such as 0.00061, for decimal exponents from leastPlain to mostPlain.
	leastPlain, mostPlain = -7, 20
)

// Decimal returns decimal strings lo <= mid <= hi. The number "mid" has the given number of significant digits. The
// interval [lo, hi] contains x. Its width is at most one unit in the last digit of mid. For the point 0, all three
// strings are "0". A number is written like 0.00061 if its decimal exponent is between -7 and 20. Any other number is
// written like 6.1e-12.
//
// Cost: O(log exponent) multiplications at the precision of the digits. They scale x by an enclosure of a power of ten.
// In contrast, the method big.Float.Text computes exactly, and takes seconds for 2^-1000000.
//
// Errors: ErrWide is returned if digits < 1 or if x is not Valid. It is also returned if x contains 0 but is not the
// point 0. Decimal also returns ErrWide if x is wider than about nine tenths of a unit in the last digit of mid.
func (x *Interval) Decimal(digits int) (lo, mid, hi string, err error) {
	if x.bad || digits < 1 {
		return "", "", "", ErrWide
	}
	if x.lo.Sign() == 0 && x.hi.Sign() == 0 {
		return "0", "0", "0", nil
	}
	if x.Sign() < 0 {
		hi, mid, lo, err = New(x.prec).Neg(x).Decimal(digits)
		return "-" + lo, "-" + mid, "-" + hi, err
	}
	if x.Sign() == 0 {
		return "", "", "", ErrWide
	}
	// Let e be the decimal exponent of x.lo, so that 10^e <= x.lo < 10^(e+1). Estimate e from the binary exponent of
	// x.lo. The code below corrects an estimate that is wrong by one.
	e := int(float64(x.lo.MantExp(nil)-1) * log10of2)
	if x.lo.MantExp(nil)-1 < 0 {
		e--
	}
	limit := new(big.Int).Exp(ten, big.NewInt(int64(digits)), nil)
	for range 3 {
		l, h := x.units(digits - 1 - e)
		if l.Cmp(limit) >= 0 {
			e++
			continue
		}
		if ten10 := new(big.Int).Mul(l, ten); ten10.Cmp(limit) < 0 {
			e--
			continue
		}
		return x.render(digits, e, l, h)
	}
	return "", "", "", ErrWide
}

var ten = big.NewInt(10)

// The method "units" returns integers l <= x*10^shift <= h that are as close together as the precision permits. For
// moderate shifts, l is the floor of the lower end and h is the ceiling of the upper end.
func (x *Interval) units(shift int) (l, h *big.Int) {
	if shift <= exactScale && shift >= -exactScale && x.lo.MantExp(nil) > exactExponent {
		p := new(big.Rat).SetInt(new(big.Int).Exp(ten, big.NewInt(int64(max(shift, -shift))), nil))
		if shift < 0 {
			p.Inv(p)
		}
		lo, _ := x.lo.Rat(nil)
		hi, _ := x.hi.Rat(nil)
		lo.Mul(lo, p)
		hi.Mul(hi, p)
		return floorDiv(lo), ceilDiv(hi)
	}
	// Use the number of bits that the digits of the result need, and 32 more. The power of ten is accurate to a few
	// units in the last place at that precision. Endpoints are rounded outward, so l and h remain bounds.
	const guard = 32
	digits := max(0, shift+int(float64(x.hi.MantExp(nil))*log10of2)+1)
	prec := max(x.prec, uint(float64(digits)/log10of2)) + guard
	p := New(prec).SetInt(ten)
	p.PowInt(p, big.NewInt(int64(max(shift, -shift))))
	s := New(prec).Set(x)
	if shift < 0 {
		s.Quo(s, p)
	} else {
		s.Mul(s, p)
	}
	l, _ = s.lo.Int(nil)
	h, acc := s.hi.Int(nil)
	if acc == big.Below {
		h.Add(h, one)
	}
	return l, h
}

func floorDiv(x *big.Rat) *big.Int { return new(big.Int).Div(x.Num(), x.Denom()) }

func ceilDiv(x *big.Rat) *big.Int {
	q, r := new(big.Int).DivMod(x.Num(), x.Denom(), new(big.Int))
	if r.Sign() != 0 {
		q.Add(q, one)
	}
	return q
}

// The method "render" prints x. The leading digit of x has the decimal exponent e. In units of 10^(e-digits+1), x lies
// between l and h.
func (x *Interval) render(digits, e int, l, h *big.Int) (lo, mid, hi string, err error) {
	unit := e - digits + 1
	switch d := new(big.Int).Sub(h, l); {
	case d.Sign() == 0:
		s := rounded(l, unit, digits)
		return s, s, s, nil
	case d.Cmp(one) == 0:
		// The string "mid" is l or h, whichever is nearer to the middle of x. The middle is computed with one more
		// digit.
		const more = 1
		fl, fh := x.units(more - unit)
		fl.Add(fl, fh) // twice the middle, in tenths
		fl.Sub(fl, new(big.Int).Mul(l, big.NewInt(20)))
		near := new(big.Int).Set(l)
		if fl.Cmp(ten) >= 0 {
			near.Set(h)
		}
		return decimal(l, unit), rounded(near, unit, digits), decimal(h, unit), nil
	case d.Cmp(two) == 0:
		// The string "mid" states a multiple of the unit that lies inside x. The strings lo and hi must state numbers
		// close to this multiple. For this they need more digits.
		const more = 3
		fl, fh := x.units(more - unit)
		if new(big.Int).Sub(fh, fl).Cmp(big.NewInt(1000)) > 0 {
			break
		}
		l = new(big.Int).Add(l, one)
		return decimal(fl, unit-more), rounded(l, unit, digits), decimal(fh, unit-more), nil
	}
	return "", "", "", ErrWide
}

// RatDecimal returns the same decimal strings as Decimal for a rational number, computed exactly. If the decimal
// expansion of r terminates within the given number of digits, lo = mid = hi.
//
// Errors: ErrWide when digits < 1.
func RatDecimal(r *big.Rat, digits int) (lo, mid, hi string, err error) {
	switch {
	case digits < 1:
		return "", "", "", ErrWide
	case r.Sign() == 0:
		return "0", "0", "0", nil
	case r.Sign() < 0:
		hi, mid, lo, err = RatDecimal(new(big.Rat).Neg(r), digits)
		return "-" + lo, "-" + mid, "-" + hi, err
	}
	limit := new(big.Int).Exp(ten, big.NewInt(int64(digits)), nil)
	e := int(float64(r.Num().BitLen()-r.Denom().BitLen()) * log10of2)
	for {
		num, den := new(big.Int).Set(r.Num()), new(big.Int).Set(r.Denom())
		shift := digits - 1 - e
		p := new(big.Int).Exp(ten, big.NewInt(int64(max(shift, -shift))), nil)
		if shift >= 0 {
			num.Mul(num, p)
		} else {
			den.Mul(den, p)
		}
		l, rem := new(big.Int).QuoRem(num, den, new(big.Int))
		if l.Cmp(limit) >= 0 {
			e++
			continue
		}
		if new(big.Int).Mul(l, ten).Cmp(limit) < 0 {
			e--
			continue
		}
		h := new(big.Int).Set(l)
		near := new(big.Int).Set(l)
		if rem.Sign() != 0 {
			h.Add(h, one)
			if rem.Lsh(rem, 1); rem.Cmp(den) >= 0 {
				near.Set(h)
			}
		}
		unit := e - digits + 1
		return decimal(l, unit), rounded(near, unit, digits), decimal(h, unit), nil
	}
}

// The function "rounded" prints v * 10^exp with the given number of digits. The integer v must have exactly that many
// digits, or be the next power of ten.
func rounded(v *big.Int, exp, digits int) string {
	if s := v.String(); len(s) > digits {
		return decimal(new(big.Int).Quo(v, ten), exp+1)
	}
	return decimal(v, exp)
}

// The function "decimal" prints v * 10^exp for v > 0 with all digits of v.
func decimal(v *big.Int, exp int) string {
	s := v.String()
	e := exp + len(s) - 1 // decimal exponent of the leading digit
	switch {
	case exp == 0 && e <= mostPlain:
		return s
	case e < leastPlain || e > mostPlain || exp > 0:
		mant := s[:1]
		if len(s) > 1 {
			mant += "." + s[1:]
		}
		return mant + "e" + strconv.Itoa(e)
	case e < 0:
		return "0." + strings.Repeat("0", -e-1) + s
	}
	return s[:e+1] + "." + s[e+1:]
}

// String returns the middle of x with as many digits as the width of x supports, up to 17.
func (x *Interval) String() string {
	for digits := 17; digits > 0; digits-- {
		if _, mid, _, err := x.Decimal(digits); err == nil {
			return mid
		}
	}
	return "[" + x.lo.Text('g', 5) + ", " + x.hi.Text('g', 5) + "]"
}
