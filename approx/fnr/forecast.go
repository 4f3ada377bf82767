package fnr

// What a model's false-negative rate is to that of the filter.
const (
	exactRate     = "exact"
	lowerBound    = "lower"
	upperBound    = "upper"
	approximation = "approximation"
)

// A Forecast is what a model says of a filter in the long run. Rates are per arrival
// unless their names say otherwise.
type Forecast struct {
	FNR   float64 // false negatives: came before, recorded in no array, called new
	Lucky float64 // as such, called a repeat
	FPR   float64 // false positives: new, called a repeat

	FPRPerNew      float64 // per new message; with p_r = 1, what one would meet
	FPRPerCycleNew float64 // FPR + Lucky per arrival that is recorded in no array; 0 without
	Cycle          float64 // arrivals in a cycle; with two phases in the time that an array is active

	// Kind says what FNR is to that of the filter: "exact", "lower" (at most it) and "upper" only
	// where that is proven, else "approximation".
	Kind  string
	Valid bool   // false where the model was made for other settings than these
	Note  string // one sentence where Valid is false or caution is due; else empty

	// Bound bounds the relative errors, by rounding and by sums that end, of the numbers
	// above as the model defines them; nothing is said of how far the model is from the
	// filter. Lucky and the rates of false positives err besides by up to 2^-72 for each
	// message that a cycle holds, because states of smaller probability are left out: what
	// matters for smaller rates is not what matters for FNR. For those of new messages alone
	// take package recycling.
	Bound float64

	// Apart is 0 for fresh positions. For fixed ones it is by how much of itself FNR is off, at most,
	// by simulations of filters like this one; it says nothing of the other numbers, nor of how far
	// the model is from filters with fresh positions. Where Valid is false nothing is known.
	Apart float64
}
