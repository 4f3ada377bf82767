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
// complement 1-f, and its logarithm ln f. Both packages must refuse points whose m and k are not valid for this
// hashing.
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
	// The enclosure must also be precise enough to give prec bits of 1-f, where f is the rate. The number of additional
	// bits is estimated with approx. If this estimate were wrong, the enclosure would be too wide, and the check would
	// fail.
	near := uint(0)
	if miss > 0 && miss < 0.5 {
		near = uint(-math.Floor(math.Log2(miss)))
	}
	want, _, err := exact.FPR(g, n, prec+near, exact.Auto)
	if err != nil {
		return r, err
	}
	bound := RateBound(g)
	fixed := func(b float64) func(float64) float64 { return func(float64) float64 { return b } }
	if r[0], err = within(rate, want, 0x1p-1074, fixed(bound)); err != nil {
		return r, fmt.Errorf("rate: %w", err)
	}
	one := wide(1)
	lo, hi := wide(0).Sub(one, want.Hi()), wide(0).Sub(one, want.Lo())
	if miss < 0x1p-1000 { // too expensive for exact
		if lo.Cmp(wide(0x1p-999)) > 0 {
			return r, fmt.Errorf("complement %v, want at least %.5g", miss, lo)
		}
		return r, nil
	}
	if r[1], err = between(miss, lo, hi, 1.6*bound+40); err != nil {
		return r, fmt.Errorf("complement: %w", err)
	}
	var lnWant float64
	if x, _ := hi.Float64(); x < 0.5 {
		lnWant = math.Log1p(-x)
	} else {
		lnWant = Ln(want.Lo())
	}
	r[2] = Result{Defined: true, Error: math.Abs(ln-lnWant) / -lnWant * 0x1p53, Bound: 2*bound + 16} // 12u of lnWant
	if !(r[2].Error <= r[2].Bound) {
		return r, fmt.Errorf("logarithm %v, want %v", ln, lnWant)
	}
	return r, nil
}

// The function "between" returns the error of got, if the true value is in [lo, hi]. The error may be at most bound*u
// times the true value, where u = 2^-53.
func between(got float64, lo, hi *big.Float, bound float64) (Result, error) {
	if math.IsNaN(got) || lo.Sign() <= 0 {
		return Result{}, fmt.Errorf("got %v, want %.20g to %.20g", got, lo, hi)
	}
	d, e := wide(0).Sub(wide(got), lo), wide(0).Sub(wide(got), hi)
	if e.Abs(e).Cmp(d.Abs(d)) > 0 {
		d = e
	}
	u, _ := d.Quo(d, lo).Float64()
	r := Result{Defined: true, Error: u * 0x1p53, Bound: bound}
	if !(r.Error <= bound) {
		return r, fmt.Errorf("got %v, want %.20g: %.4g u, bound %.4g u", got, lo, r.Error, bound)
	}
	return r, nil
}
