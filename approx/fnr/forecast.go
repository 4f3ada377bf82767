package fnr

import "strings"

// These are the values of Forecast.Kind. They say whether the false-negative rate of a model is exact, a bound or an
// approximation.
const (
	exactRate     = "exact"
	lowerBound    = "lower"
	upperBound    = "upper"
	approximation = "approximation"
)

// A Forecast holds the results of one model for a filter: the long-run rates, and the length of the cycles. Rates are
// per arrival unless their names say otherwise. A filter may eventually stop recycling (see Absorbing). In this case
// ModelExact returns the final rate, which is 0. All numbers of the Forecast are then 0, and Note says why.
type Forecast struct {
	FNR   float64 // false negatives: repeats that no array has recorded and that the filter reports as new
	Lucky float64 // repeats that no array has recorded and that the filter reports as repeats
	FPR   float64 // false positives: new messages that the filter reports as repeats

	FPRPerNew float64 // per new message; for p_r = 1 the rate that a new message would have

	// FPRPerCycleNew is FPR + Lucky per arrival that no array has recorded, or 0 without such arrivals. Their share of
	// all arrivals is FNR + Lucky + 1-p_r, except in the model "renewal-extended". That model includes in FNR the states
	// with more than sigma set bits, but not in this share.
	FPRPerCycleNew float64

	Cycle float64 // the number of arrivals in a cycle; with two phases, while an array is active

	// Kind says how FNR relates to the true false-negative rate of the filter. The values "exact", "lower" (a lower
	// bound) and "upper" (an upper bound) are used only where that is proven. Otherwise Kind is "approximation".
	Kind string
	// Valid is false in three cases. In the first case, the model was made for other settings. In the second case, its
	// FNR is above p_r (1+Bound), where p_r is the share of repeats. In the third case, the errors of the sums are so
	// large that they do not give a rate. In this case the field Bound is 1. The field Note says whether FNR is still
	// an upper bound.
	Valid bool
	Note  string // the reasons if Valid is false or if caution is necessary; otherwise empty

	// Bound is an upper bound of the relative errors of the fields above, compared with the exact values of the model.
	// These errors come from rounding, from truncated sums, and from terms that an expansion leaves out. If Note says
	// that FNR is only an upper bound, Bound does not hold for FNR. If new messages shift the ranks, the field Assumes
	// says so. In this case the field Lucky can be far below the errors of these sums. The same is true for large
	// filters if most repeats of unrecorded messages arrive early in a cycle; Note then says so. In both cases, let x
	// be Lucky + FNR*FPRPerNew. Then the error of the field Lucky is at most x times Bound. A number below 2^-900 has
	// an additional error of at most 2^-900, because parts of it can be below the range of float64. The field Bound
	// does not cover the difference between the model and the filter. Lucky and the false-positive rates have an
	// additional error, because states of small probability are left out. It is at most 2^-72 for each message that a
	// cycle holds. If all messages are new, use package approx/recycling for the false-positive rates.
	Bound float64

	// Estimated is the part of Bound that rests on estimates. The field Assumes describes in a few words what was
	// estimated. If Assumes is empty, Estimated is 0 and all of Bound is proven, by arguments in comments. Large
	// filters are computed by expansions. Sums over shifting ranks are computed by continued fractions. The sizes of
	// the terms that these methods leave out are estimated with a margin, and not proven. The estimates are compared
	// with sums that leave nothing out.
	Estimated float64
	Assumes   string

	// For fresh positions, the field Apart is 0. For fixed positions, the field comes from simulations of similar
	// filters. In these simulations, fixed positions changed the false-negative rate, compared with fresh positions.
	// The field Apart is the largest relative change that the simulations showed. It says nothing about the other
	// numbers of the forecast. Filters with fresh positions also differ from the model. The field does not cover this
	// difference. If Valid is false, this difference is unknown, and so is the change that fixed positions cause.
	Apart float64
}

// The method "restrict" moves rates into the range of their true values, [0, 1] or less. Sums and differences can leave
// this range by their errors. The argument is p_r.
//
// No model has a negative rate. So the change reduces the errors, with one exception: in the model "renewal-extended",
// FNR can be above p_r by its definition. Let b be the field Bound. Suppose that FNR is p_r (1+e) with e <= b. Then the
// value of the model is at most p_r (1+e)/(1-b). So the relative error of p_r is at most (b+e)/(1+e). If e is above b,
// the model fails, and the method Predict says so.
func (f *Forecast) restrict(repeat float64) {
	for _, x := range []*float64{&f.FNR, &f.Lucky, &f.FPR, &f.FPRPerNew, &f.FPRPerCycleNew} {
		*x = max(*x, 0) // also not -0
	}
	if e := f.FNR/repeat - 1; e > 0 && e <= f.Bound {
		f.FNR, f.Bound = repeat, (f.Bound+e)/(1+e)
	}
	f.Lucky = min(f.Lucky, repeat)
	f.FPR = min(f.FPR, 1-repeat)
	f.FPRPerNew, f.FPRPerCycleNew = min(f.FPRPerNew, 1), min(f.FPRPerCycleNew, 1)
}

// onlyAbove returns the note of a forecast whose false-negative rate is only an upper bound.
func onlyAbove(sums string, estimated bool) string {
	an := "an"
	if estimated {
		an = "an estimated"
	}
	return "the error of " + sums + " is above a quarter of the false negatives: FNR is only " + an + " upper bound"
}

// rareLucky is the Note of some forecasts. In these forecasts, most lucky arrivals come at the beginning of a cycle.
const rareLucky = "the error of Lucky is at most Bound (Lucky + FNR FPRPerNew), because the expansion does not tell so few lucky arrivals"

// tooLarge returns the note of a forecast that has no useful bound of its errors.
func tooLarge(sums string) string {
	return "the errors of " + sums + " are too large: Bound does not hold"
}

// If ranks shift, the field Lucky has an error. The argument "off" is a bound of this error. The method luckyError
// returns the least Bound that covers this error.
func (f *Forecast) luckyError(off float64) float64 {
	if off < leastSum {
		return 0
	}
	return max(off/(f.Lucky+f.FNR*f.FPRPerNew), off/(f.Lucky+f.FPR)) // the second is for FPRPerCycleNew
}

// The method rareError returns the least value of the field Bound that covers an error of Lucky. The argument "off" is
// this error. The method assumes that this error changes no other field of the forecast.
func (f *Forecast) rareError(off float64) float64 {
	if off < leastSum {
		return 0
	}
	return off / (f.Lucky + f.FNR*f.FPRPerNew)
}

// The function "join" combines two notes into one note. Either of them can be empty.
func join(note, more string) string {
	if note == "" || more == "" {
		return note + more
	}
	return note + "; " + more
}

// These are the estimated errors that Forecast.Assumes can name.
const (
	ofExpansion  = "the sizes of the terms that the expansion for large filters leaves out"
	ofTransforms = "the errors of sums of characteristic functions"
	ofIntegrals  = "the errors of integrals over ranks that shift"
	ofFractions  = "the convergence of the sums for ranks that shift"
)

// The method "assume" sets the fields Estimated and Assumes. It keeps Estimated between 0 and Bound.
func (f *Forecast) assume(estimated float64, what ...string) {
	f.Estimated, f.Assumes = min(max(estimated, 0), f.Bound), strings.Join(what, "; ")
}

// The error bounds of a curve can depend on estimates. The function "estimates" lists the estimates for the curve m. If
// the error bounds are proven, the list is nil. Otherwise it contains ofFractions.
func estimates(m curve) []string {
	if _, ok := m.(*shifting); ok {
		return []string{ofFractions}
	}
	return nil
}
