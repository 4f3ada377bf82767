package main

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/like"
)

// quickFlag is the flag -quick of the command "size".
var quickFlag = flagSpec{"quick", "", "answer from float64 with nine digits, in a millisecond, without a proof"}

const (
	quickDigits = 9
	// For a computed rate r, the command prints the bounds (1-quickError)*r and (1+quickError)*r. The relative error of
	// approx.FPR has a bound for each kind of hashing, and these bounds grow with k. For k = 4096 the largest of them
	// is the bound for classic hashing with blocks, (102 + 7k)*u with u = 2^-53. It is below 3.3e-12.
	quickError = 1e-11
	// leastQuickRate is the smallest normal float64.
	leastQuickRate = 0x1p-1022
)

// quickSize computes the answer of the command "size" with package approx. Each of g.M, g.K and n is 0 if its flag was
// not given.
func quickSize(g bloomproof.Geometry, n uint64, target *big.Rat) (report, error) {
	near, _ := target.Float64()
	if target.Sign() > 0 {
		if near < leastQuickRate {
			return nil, &usageError{"fpr", "must be at least 2.3e-308 with -quick"}
		}
		near = min(near, 1-0x1p-53)
	}
	var o approx.Optimum
	var err error
	looked := "fpr"
	switch {
	case g.M == 0:
		o, err = approx.LeastBits(g, n, near)
	case n == 0:
		o, err = approx.MostItems(g, near)
	case g.K > 0:
		looked = "m"
		o = approx.Optimum{Geometry: g, N: n, Certain: true}
		o.Rate, err = approx.FPR(g, n)
	default:
		looked = "m"
		o, err = approx.OptimalK(g, n)
	}
	if pe := (*bloomproof.ParamError)(nil); errors.As(err, &pe) && pe.Param == "hashing" {
		return nil, &usageError{"hashing", fmt.Sprintf("must be %s with -quick, got %v", strings.TrimSuffix(pe.Want, " in package approx"), pe.Value)}
	}
	if err != nil {
		return nil, outOfRange(looked, err)
	}
	if o.Rate < leastQuickRate && o.N > 0 {
		return nil, &usageError{quickFlag.name, "must be left out for a rate below 2.3e-308"}
	}
	g = o.Geometry
	r := sizeReport{
		Hashing: g.Hashing, Block: count(g.Block), M: count(g.M), K: g.K, KLast: g.K, N: count(o.N), Quick: true,
		Proof: "none: float64 within its error bounds",
	}
	if o.Rival > 0 {
		r.K, r.KLast = min(g.K, o.Rival), max(g.K, o.Rival)
	}
	if !o.Certain || o.Rival > 0 {
		r.Proof = "none: float64, whose errors may change the answer"
	}
	low, high := big.NewFloat(o.Rate*(1-quickError)), big.NewFloat(min(1, o.Rate*(1+quickError)))
	e, err := exact.NewEnclosure(low, high)
	if err != nil {
		return nil, err
	}
	if r.FPR, err = between(like.Rate{Proven: &e}, quickDigits); err != nil {
		return nil, err
	}
	if o.N == 0 {
		return r, nil
	}
	if x, err := approx.Efficiency(g, o.N); err == nil {
		text := twelve(x).String()
		r.Efficiency = &text
	}
	return r, nil
}
