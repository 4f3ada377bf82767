package accuracy

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/exact"
)

// Rate returns a group with three numbers for filters with the hashing h. These are the false-positive rate f, its
// complement 1-f, and its logarithm ln f. If m and k of a point are not valid for this hashing, both packages must
// refuse the point.
func Rate(h bloomproof.Hashing) Group {
	return Group{
		Names: []string{"FPR " + h.String(), "Complement " + h.String(), "LogFPR " + h.String()},
		Check: func(p Point, prec uint) ([]Result, error) {
			r, err := checkRate(bloomproof.Geometry{M: p.M, K: p.K, Hashing: h}, p.N, prec)
			if err != nil {
				err = fmt.Errorf("%v%v: %w", h, p, err)
			}
			return r[:], err
		},
	}
}

func checkRate(g bloomproof.Geometry, n uint64, prec uint) (r [3]Result, err error) {
	rate, err := approx.FPR(g, n)
	miss, errMiss := approx.Complement(g, n)
	ln, errLn := approx.LogFPR(g, n)
	var invalid *bloomproof.ParamError
	if g.Validate() != nil {
		if !errors.As(err, &invalid) || !errors.As(errMiss, &invalid) || !errors.As(errLn, &invalid) {
			return r, fmt.Errorf("invalid, but %v, %v, %v", err, errMiss, errLn)
		}
		return r, nil
	}
	if err != nil || errMiss != nil {
		return r, fmt.Errorf("%v, %v", err, errMiss)
	}
	if n == 0 {
		if rate != 0 || miss != 1 || !errors.Is(errLn, bloomproof.ErrUndefined) {
			return r, fmt.Errorf("rate %v, complement %v, %v", rate, miss, errLn)
		}
		return r, nil
	}
	// The comments of FPR, Complement and LogFPR state these bounds.
	bound := RateBound(g)
	missBound, lnBound := 1.6*bound+1, 2*bound+4
	if rate > 0.7 {
		missBound = min(missBound, 40)
	}
	if ln < -100 {
		lnBound = min(lnBound, 6)
	}
	if miss < besides1 {
		return checkNearlyFull(g, n, prec, [3]float64{rate, miss, ln}, [3]float64{bound, missBound, lnBound})
	}
	// Let f be the rate. The enclosure of f must be so precise that prec bits of 1-f are also known. The number of
	// additional bits is estimated with approx. If this estimate were wrong, the enclosure would be too wide, and the
	// check would fail.
	near := uint(0)
	if miss < 0.5 {
		near = uint(-math.Floor(math.Log2(miss)))
	}
	want, _, err := exact.FPR(g, n, prec+near, exact.Auto)
	if err != nil {
		return r, err
	}
	if r[0], err = between(rate, want.Lo(), want.Hi(), nearest, bound); err != nil {
		return r, fmt.Errorf("rate: %w", err)
	}
	one := wide(1)
	lo, hi := wide(0).Sub(one, want.Hi()), wide(0).Sub(one, want.Lo())
	if r[1], err = between(miss, lo, hi, nearest, missBound); err != nil {
		return r, fmt.Errorf("complement: %w", err)
	}
	var lnWant float64
	if x, _ := hi.Float64(); x < 0.5 {
		lnWant = math.Log1p(-x)
	} else {
		lnWant = Ln(want.Lo())
	}
	r[2] = Result{Defined: true, Error: math.Abs(ln-lnWant) / -lnWant * 0x1p53, Bound: lnBound + ofLnWant}
	if !(r[2].Error <= r[2].Bound) {
		return r, fmt.Errorf("logarithm %v, want %v", ln, lnWant)
	}
	return r, nil
}

const (
	besides1 = 0x1p-80 // below this 1-f, the rate is 1 in 70 bits
	nearest  = 0.5     // the error of rounding a number below 2^-1022 once, in units of 2^-1074
	ofLnWant = 12      // bounds the error of lnWant in checkRate, in units of 2^-53
)

// checkNearlyFull checks three numbers of a filter: the rate f, 1-f and ln f, in this order. The rate f is nearly 1.
// All three numbers follow from the enclosure of 1-f. If 1-f is below 1/2, these inequalities hold:
//
//	1-f <= -ln f <= (1-f)(1 + (1-f)).
func checkNearlyFull(g bloomproof.Geometry, n uint64, prec uint, got, bound [3]float64) (r [3]Result, err error) {
	want, err := exact.Complement(g, n, prec)
	lo, hi := wide(0), wide(0)
	switch {
	case err == nil:
		lo, hi = want.Lo(), want.Hi()
	case !errors.Is(err, bloomproof.ErrRange): // ErrRange: 1-f is below e^-1.3e9
		return r, err
	}
	miss, _ := hi.Float64()
	if !(miss < 2*besides1) {
		return r, fmt.Errorf("complement %v, want %v", got[1], want)
	}
	r[0] = Result{Defined: true, Error: math.Abs((1-got[0])-miss) * 0x1p53, Bound: bound[0]}
	if !(r[0].Error <= r[0].Bound) {
		return r, fmt.Errorf("rate %v, want 1 - %v", got[0], miss)
	}
	if lo.Sign() == 0 {
		if got[1] != 0 || got[2] != 0 || math.Signbit(got[2]) {
			return r, fmt.Errorf("complement %v, logarithm %v, want 0", got[1], got[2])
		}
		return r, nil
	}
	if r[1], err = between(got[1], lo, hi, nearest, bound[1]); err != nil {
		return r, fmt.Errorf("complement: %w", err)
	}
	above := wide(0).Mul(hi, wide(0).Add(wide(1), wide(2*besides1)))
	if r[2], err = between(-got[2], lo, above, nearest, bound[2]); err != nil {
		return r, fmt.Errorf("minus the logarithm: %w", err)
	}
	if got[2] == 0 && math.Signbit(got[2]) {
		return r, errors.New("the logarithm is -0")
	}
	return r, nil
}

// The function "between" returns the error of the value "got". The true value is in [lo, hi]. The error may be at most
// bound*u times the true value, where u = 2^-53. If the true value is below 2^-1022, the number tiny*2^-1074 is added
// to the permitted error. In this case the field Defined of the result is false.
func between(got float64, lo, hi *big.Float, tiny, bound float64) (Result, error) {
	if math.IsNaN(got) || lo.Sign() <= 0 {
		return Result{}, fmt.Errorf("got %v, want %.20g to %.20g", got, lo, hi)
	}
	normal := lo.Cmp(big.NewFloat(0x1p-1022)) >= 0
	if hi.MantExp(nil) < farBelow {
		lo, hi = wide(0), wide(0) // the differences would be very long numbers
	}
	d, e := wide(0).Sub(wide(got), lo), wide(0).Sub(wide(got), hi)
	if e.Abs(e).Cmp(d.Abs(d)) > 0 {
		d = e
	}
	if !normal {
		allowed := wide(0).SetMantExp(wide(tiny), -1074)
		if d.Cmp(allowed.Add(allowed, wide(0).Mul(lo, wide(bound*u)))) > 0 {
			return Result{}, fmt.Errorf("got %v, want %.20g; error %.3g, allowed %.3g", got, lo, d, allowed)
		}
		return Result{}, nil
	}
	off, _ := d.Quo(d, lo).Float64()
	r := Result{Defined: true, Error: off * 0x1p53, Bound: bound}
	if !(r.Error <= bound) {
		return r, fmt.Errorf("got %v, want %.20g: %.4g u, bound %.4g u", got, lo, r.Error, bound)
	}
	return r, nil
}

// Numbers below 2^farBelow count as 0 when they are compared with float64s.
const farBelow = -1200
