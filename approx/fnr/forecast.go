package fnr

// How the false-negative rate of a model relates to the rate of the filter.
const (
	exactRate     = "exact"
	lowerBound    = "lower"
	upperBound    = "upper"
	approximation = "approximation"
)

// A Forecast holds the long-run numbers of a filter by one model. Rates are per arrival unless their names say
// otherwise.
type Forecast struct {
	FNR   float64 // false negatives: came before, recorded in no array, reported as new
	Lucky float64 // came before, recorded in no array, reported as repeats
	FPR   float64 // false positives: new, reported as repeats

	FPRPerNew      float64 // per new message; with p_r = 1, the rate that a new message would meet
	FPRPerCycleNew float64 // FPR + Lucky per arrival that is recorded in no array; 0 without
	Cycle          float64 // arrivals in a cycle; with two phases, while an array is active

	// Kind says how FNR relates to the rate of the filter. "exact", "lower" (a lower bound) and "upper" are used only
	// where that is proven; otherwise Kind is "approximation".
	Kind  string
	Valid bool   // false where the model was made for other settings than these
	Note  string // one sentence where Valid is false or caution is due; else empty

	// Bound bounds the relative errors, by rounding and by truncated sums, of the numbers above as the model defines
	// them. It does not bound the difference between the model and the filter. Lucky and the false-positive rates have
	// an additional error of up to 2^-72 for each message that a cycle holds, because states of smaller probability are
	// left out. For the false-positive rates when all messages are new, use package recycling.
	Bound float64

	// Apart is 0 for fresh positions. For fixed positions it is the largest relative change of the false-negative rate,
	// compared with fresh positions, in simulations of similar filters. It covers neither the other numbers nor the
	// difference between the model and filters with fresh positions. Where Valid is false nothing is known.
	Apart float64
}
