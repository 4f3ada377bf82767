package bloomproof

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// maxMessages is the largest number D of messages that a Popularity may have.
const maxMessages = 1 << 40

// Popularity is the distribution Q of repeat arrivals over D messages. The most popular message is the first
// (Dozier-FN, section 3.1). If Weights is set, Q is proportional to this list of weights. If S is set, Q is bi-uniform.
// Otherwise Q is Zipf's law with exponent Alpha. For Alpha = 0 it is uniform. Every kind except a list takes O(1)
// memory. Each constructor sets the fields of one kind.
type Popularity struct {
	D       uint64    // number of messages, 1 to 2^40
	Alpha   float64   // Zipf's law: exponent, finite, at least 0; otherwise 0
	S       uint64    // bi-uniform: messages of the popular class, 1 to D-1; otherwise 0
	PH      float64   // bi-uniform: probability of each message of the popular class, 1/D to 1/S (rounded); otherwise 0
	Weights []float64 // list: D relative weights, non-increasing, which need not sum to 1; otherwise nil
}

// Uniform returns the popularity q_j = 1/d of d messages.
func Uniform(d uint64) Popularity { return Popularity{D: d} }

// Zipf returns the popularity in which q_j is proportional to (j+1)^-alpha for 0 <= j < d.
func Zipf(alpha float64, d uint64) Popularity { return Popularity{D: d, Alpha: alpha} }

// BiUniform returns the popularity in which q_j has two values (Dozier-FN, section 4.2.4). For j < s it is ph. For the
// other j < d it is (1-s*ph)/(d-s).
func BiUniform(s uint64, ph float64, d uint64) Popularity { return Popularity{D: d, S: s, PH: ph} }

// Weights returns the popularity with q_j proportional to w[j]. It does not copy w, which must be non-increasing.
func Weights(w []float64) Popularity { return Popularity{D: uint64(len(w)), Weights: w} }

// Weight returns the weight of message j in O(1) time. Weights are relative. For uniform and bi-uniform popularities,
// the weights are the probabilities of the messages. Weight is 0 for j >= D.
func (p Popularity) Weight(j uint64) float64 {
	if j >= p.D {
		return 0
	}
	switch {
	case p.Weights != nil:
		return p.Weights[j]
	case j < p.S:
		return p.PH
	case p.S > 0:
		// The subtraction 1 - s*ph loses digits by cancellation. So FMA computes it with a single rounding. The value
		// ph may be a rounded 1/D or 1/S. In this case min and max keep the weight non-negative and at most ph.
		return min(max(math.FMA(-float64(p.S), p.PH, 1), 0)/float64(p.D-p.S), p.PH)
	case p.Alpha == 0:
		return 1 / float64(p.D)
	}
	return math.Pow(float64(j+1), -p.Alpha)
}

// The method "check" returns nil on two conditions. The fields of exactly one kind of popularity are set. Their values
// are in the ranges that Popularity states. Otherwise it returns a ParamError. Explicit weights must be finite,
// non-negative and non-increasing, with a positive, finite sum.
func (p Popularity) check() error {
	list, biUniform := p.Weights != nil, p.S != 0 || p.PH != 0
	switch {
	case p.D < 1 || p.D > maxMessages:
		return &ParamError{"D", p.D, "between 1 and 2^40 messages"}
	case !(p.Alpha >= 0) || math.IsInf(p.Alpha, 1):
		return &ParamError{"alpha", p.Alpha, "finite and at least 0"}
	case p.Alpha != 0 && (list || biUniform):
		return &ParamError{"alpha", p.Alpha, "0 unless the popularity is zipf"}
	case list && p.S != 0:
		return &ParamError{"s", p.S, "0 unless the popularity is biuniform"}
	case list && p.PH != 0:
		return &ParamError{"ph", p.PH, "0 unless the popularity is biuniform"}
	case list:
		return checkPopularities(p.Weights, p.D)
	case biUniform && (p.S < 1 || p.S >= p.D):
		return &ParamError{"s", p.S, fmt.Sprintf("between 1 and D-1 = %d", p.D-1)}
	case biUniform && !(p.PH >= 1/float64(p.D) && p.PH <= 1/float64(p.S)):
		return &ParamError{"ph", p.PH, fmt.Sprintf("between 1/%d and 1/%d", p.D, p.S)}
	}
	return nil
}

// checkPopularities returns nil if three conditions hold. There are d weights, checkWeights accepts them, and no weight
// is greater than the weight before it. Otherwise it returns a ParamError.
func checkPopularities(w []float64, d uint64) error {
	if uint64(len(w)) != d {
		return &ParamError{"D", d, fmt.Sprintf("the number of weights, %d", len(w))}
	}
	if err := checkWeights(w); err != nil {
		return err
	}
	for i := 1; i < len(w); i++ {
		if w[i] > w[i-1] {
			return &ParamError{fmt.Sprintf("weight %d", i), w[i], fmt.Sprintf("at most the weight before it, %v", w[i-1])}
		}
	}
	return nil
}

// checkWeights returns nil if all weights are finite and non-negative, and their sum is positive and finite. Otherwise
// it returns a ParamError.
func checkWeights(w []float64) error {
	sum := 0.0
	for i, x := range w {
		if !(x >= 0) || math.IsInf(x, 1) {
			return &ParamError{fmt.Sprintf("weight %d", i), x, "finite and at least 0"}
		}
		sum += x
	}
	if !(sum > 0) || math.IsInf(sum, 1) {
		return &ParamError{"sum of weights", sum, "positive and finite"}
	}
	return nil
}

// String returns p in the command line's form: "uniform:D", "zipf:ALPHA:D", "biuniform:S:PH:D" or "list:W,W,...". If p
// is a list, String writes only the first eight weights.
func (p Popularity) String() string {
	switch {
	case p.Weights != nil:
		return "list:" + listText(p.Weights)
	case p.S != 0 || p.PH != 0:
		return fmt.Sprintf("biuniform:%d:%v:%d", p.S, p.PH, p.D)
	case p.Alpha == 0:
		return fmt.Sprintf("uniform:%d", p.D)
	}
	return fmt.Sprintf("zipf:%v:%d", p.Alpha, p.D)
}

func listText(w []float64) string {
	const most = 8
	var parts []string
	for i, x := range w {
		if i == most {
			parts = append(parts, fmt.Sprintf("...(%d weights)", len(w)))
			break
		}
		parts = append(parts, strconv.FormatFloat(x, 'g', -1, 64))
	}
	return strings.Join(parts, ",")
}

// Arrivals is a distribution of ranks, called zeta. A new message enters the popularity order at a random rank with
// this distribution. The messages from that rank on move down by one rank, and the last message leaves the order. The
// paper does not specify zeta. The zero value means zeta = Q. A Workload may give another distribution by
// ArrivalWeights.
type Arrivals uint8

const (
	// With ArrivalPopularity a new message enters at rank j with probability q_j.
	ArrivalPopularity Arrivals = iota
	// With ArrivalUniform a new message enters at each of the D ranks with equal probability.
	ArrivalUniform
	// With ArrivalLast a new message enters as the least popular message.
	ArrivalLast
	// With ArrivalFirst a new message enters as the most popular message.
	ArrivalFirst
)

var arrivalNames = []string{"popularity", "uniform", "last", "first"}

// String returns "popularity", "uniform", "last" or "first".
func (a Arrivals) String() string { return enumText("Arrivals", arrivalNames, uint8(a)) }

// Workload is the traffic that a recycling filter sees (Dozier-FN, section 3.1). An arrival is a repeat with the
// probability in the field Repeat. The repeated message is drawn from Popularity. Any other arrival is a new message,
// whose rank is drawn from Arrivals.
type Workload struct {
	Popularity Popularity
	Arrivals   Arrivals

	// If ArrivalWeights is set, it replaces Arrivals. The field Arrivals must then be 0. ArrivalWeights has a relative
	// weight for each of the D ranks. The weights are finite and non-negative, and have a positive sum.
	ArrivalWeights []float64

	Repeat float64 // p_r, 0 to 1
}

// Validate returns a ParamError if the popularity or the distribution of arrivals is invalid. It also returns a
// ParamError if Repeat is not between 0 and 1.
func (w Workload) Validate() error {
	if err := w.Popularity.check(); err != nil {
		return err
	}
	if err := w.checkArrivals(); err != nil {
		return err
	}
	if !(w.Repeat >= 0 && w.Repeat <= 1) {
		return &ParamError{"repeat", w.Repeat, "between 0 and 1"}
	}
	return nil
}

// checkArrivals returns nil if the distribution of arrivals is one of the named distributions. It also returns nil if
// the distribution has D finite, non-negative weights with a positive, finite sum. Otherwise it returns a ParamError.
func (w Workload) checkArrivals() error {
	switch {
	case w.ArrivalWeights == nil:
		return enumCheck("arrivals", arrivalNames, uint8(w.Arrivals))
	case w.Arrivals != ArrivalPopularity:
		return &ParamError{"arrivals", w.Arrivals, "popularity where weights are given"}
	case uint64(len(w.ArrivalWeights)) != w.Popularity.D:
		return &ParamError{"arrivals", len(w.ArrivalWeights), fmt.Sprintf("a list of D = %d weights", w.Popularity.D)}
	}
	return checkWeights(w.ArrivalWeights)
}

// String returns, for example, "zipf:1:1000 arrivals=popularity repeat=0.9". A list of weights is written as
// "arrivals=list:W,W,...". Only its first eight weights are written.
func (w Workload) String() string {
	arrivals := w.Arrivals.String()
	if w.ArrivalWeights != nil {
		arrivals = "list:" + listText(w.ArrivalWeights)
	}
	return fmt.Sprintf("%v arrivals=%s repeat=%v", w.Popularity, arrivals, w.Repeat)
}
