package fnr

import (
	"fmt"

	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// The state of a Markov model is the number i of distinct messages that a cycle has recorded (Dozier-FN, section 4).
// Let p_r be the probability of a repeat. Let fhat[i] be the model's probability that a repeat is an unrecorded
// message. An arrival leaves state i with probability e_i = 1-p_r + p_r fhat[i]. Let v_i be the probability that i
// messages fit into an array. Let u_i be the probability that they fit and the next message sets a bit. Let v_i
// gamma(i) be the probability that they fit and the next message sets no bit. Then the mean number of arrivals of a
// cycle in state i is v_i/e_i. The states are i >= 1 if the filter retains the triggering message, and i >= 0
// otherwise. Let V be the mean number of arrivals in a cycle. Let f_n be the false-negative rate, and let f_p be the
// false-positive rate.
//
//	V = sum of v_i/e_i.
//	The product f_n V is p_r times the sum of (u_i/e_i) fhat[i].
//	The product f_p V is (1-p_r) times the sum of v_i gamma(i)/e_i.
//
// Consider a filter with two phases, copy-over and fresh positions. In this filter the active array fills like a single
// array. Let r_j be the probability that a cycle ends in state j. Then r_j is also a probability for the frozen array.
// It is the probability that this array has recorded j messages. Equation (12) of Dozier-FN has Pi_j rho(j) in place of
// r_j. This is wrong. Suppose that the frozen array has recorded j messages. Then a message that is in neither array
// finds all its positions set in the frozen array with probability gF_j. A false negative is a repeat of a message that
// both arrays lack. So sums over messages replace the products of averages in equations (13) to (15). Let q be the
// popularity of a message. Let S_i be the set of the first i recorded messages. Let G(i,j) be the sum of q P(not in
// S_i) P(not in S_j) over the messages. Let H_i be the sum of r_j (1-gF_j) G(i,j) over j. Then
//
//	f_n V = p_r sum over i of (u_i/e_i) H_i.
//
// The message that triggers recycling is treated as follows. Suppose first that the array freezes after recording this
// message. Then gF_j includes the bits of this message, and G(i,j+1) replaces G(i,j). Now suppose that the array
// freezes before recording this message. Then the message is in neither array. This message has a position that is
// clear in the frozen array. So the frozen array never reports a repeat of this message as recorded. So the probability
// G(i,j) that a repeat is in neither array has two parts. In the first part, the repeat finds all its positions set in
// the frozen array. This part is gF_j G(i,j+1). In the second part, the repeat finds a clear position in the frozen
// array. The second part is therefore the difference G(i,j) - gF_j G(i,j+1). If the filter retains the triggering
// message, this message is the first message of S_i. It does not matter whether the array freezes before or after it
// records that message. Then G(i,j) becomes G(i-1,j+1).

// The interface "recorded" is a model of the set of messages that an array has recorded.
type recorded interface {
	// The method "alone" returns fhat[i] for all i < n. This is the probability that a repeat is unrecorded if i
	// messages are recorded.
	alone(n int) ([]float64, error)
	// The method "beside" returns, for all i < n, the sum over j of w[j] G(i,j). Let one array have recorded i
	// messages, and another array j messages. Then G(i,j) is the probability that neither array has recorded the
	// message of a repeat.
	beside(w []float64, n int) ([]float64, error)
	// The method "slack" bounds the relative errors of the results of the methods "alone" and "beside".
	slack() float64
}

// These constants limit the sums over pairs of states. A pair consists of a state of the active array and a state of
// the frozen array. The possible states of the frozen array form a range. At each end of this range, states with a
// total probability of at most pairsCut are left out. The constant mostPairs is the largest number of pairs. The
// computation for mostPairs pairs takes some seconds.
const (
	pairsCut  = 0x1p-90
	mostPairs = 1 << 31
)

// At most a fraction markovRest of the arrivals of a cycle are in states that are left out. Forecast.Bound includes
// this fraction. The fraction is below the rounding errors.
const markovRest = 0x1p-60

// If the probability that a cycle never ends is above mostlyStuck, no forecast is returned.
const mostlyStuck = 0.5

// The method "states" returns the number of states to sum over. A cycle also has arrivals in the other states. The
// method returns a bound on their mean number as well. If all arrivals repeat one of D messages (p_r = 1), only the
// states i < D exist. In each state before D at least one message is unrecorded. The popularity of that message is at
// least the smallest popularity. In every model, the probability that an arrival is recorded is at least a quarter of
// the smallest popularity.
func (c *System) states(f *filling, t *traffic) (n int, lost float64) {
	n, rest, least := len(f.rows), f.rest, 1-c.w.Repeat
	if d := len(t.q); c.w.Repeat == 1 {
		least = t.q[d-1] / 4
		if d <= n {
			n, rest = d, 0
		}
	}
	for n > 1 && rest+f.rows[n-1].fits <= markovRest*least {
		n--
		rest += f.rows[n].fits
	}
	return n, rest / least
}

// frozenLaw returns r_j (1-gF_j) and r_j gF_j for all j. The argument "rows" lists states. Suppose that a cycle ended
// in one of these states. Then r_j is the probability that it ended in state j. The number gF_j is the probability that
// an unrecorded message then finds all its positions set in the frozen array. The index j is the number of messages
// that the ended cycle recorded. This number includes the triggering message if either array holds that message.
func (c *System) frozenLaw(rows []filled) (loud, quiet []float64) {
	loud, quiet = make([]float64, len(rows)+1), make([]float64, len(rows)+1)
	all := 0.0
	for j, row := range rows {
		all += row.ends
		n := j + 1
		if c.lostTrigger() {
			n = j
		}
		if c.r.FreezeBefore {
			loud[n], quiet[n] = row.unluckyBefore, row.luckyBefore
		} else {
			loud[n], quiet[n] = row.unluckyAfter, row.luckyAfter
		}
	}
	for j := range loud {
		loud[j] /= all
		quiet[j] /= all
	}
	return loud, quiet
}

// The message that ended a cycle can be missing in both arrays. The function lostTrigger reports whether this happens.
func (c *System) lostTrigger() bool {
	return c.r.FreezeBefore && !c.r.Retain
}

// Call a repeat lost if neither array holds its message. For each i < n, the method "beside" computes two
// probabilities. Both are probabilities of lost repeats. For loud[i], at least one position of the repeat is clear in
// the frozen array. For quiet[i], all positions of the repeat are set in the frozen array. The result "frozen" is the
// probability that a new message finds all its positions set in the frozen array.
func (c *System) beside(model recorded, n int, rows []filled) (loud, quiet []float64, frozen float64, err error) {
	w, lucky := c.frozenLaw(rows)
	for _, p := range lucky {
		frozen += p
	}
	if loud, err = model.beside(w, n); err != nil {
		return nil, nil, 0, err
	}
	if quiet, err = model.beside(lucky, n); err != nil {
		return nil, nil, 0, err
	}
	if c.r.Retain { // the states begin with 1
		copy(loud[1:], loud[:n-1])
		copy(quiet[1:], quiet[:n-1])
	}
	if !c.lostTrigger() {
		return loud, quiet, frozen, nil
	}
	copy(lucky[1:], lucky[:len(lucky)-1]) // this drops the last element, which is 0
	lucky[0] = 0
	others, err := model.beside(lucky, n)
	for i, x := range others {
		loud[i] += max(0, quiet[i]-x) // the triggering message
		quiet[i] = min(x, quiet[i])
	}
	return loud, quiet, frozen, err
}

// The method "markov" returns the forecast of the Markov model. The argument "model" is the model of the recorded
// messages.
func (c *System) markov(model recorded) (Forecast, error) {
	if err := fault.Part(); err != nil {
		return Forecast{}, err
	}
	f, e := c.filling()
	if e != nil {
		return Forecast{}, e
	}
	t, e := c.traffic()
	if e != nil {
		return Forecast{}, e
	}
	n, lost := c.states(f, t)
	first := 0
	if c.r.Retain {
		first = 1
	}
	stuck := c.endless(f)
	if first >= n || stuck > mostlyStuck {
		return Forecast{}, recyclesNoMore(float64(len(t.q)), "")
	}
	alone, e := model.alone(n)
	if e != nil {
		return Forecast{}, e
	}
	rows := f.rows[:n]
	// Both lists hold probabilities of repeats whose messages are in neither array. For the list "loud", a position of
	// the repeat is clear in the frozen array. For the list "quiet", all positions of the repeat are set in that array.
	loud, quiet := alone, make([]float64, n)
	frozen := 0.0 // the probability that a new message finds all its positions set in the frozen array
	if c.r.TwoPhase {
		if loud, quiet, frozen, e = c.beside(model, n, rows); e != nil {
			return Forecast{}, e
		}
	}
	repeat, fresh := c.w.Repeat, 1-c.w.Repeat
	var x Forecast
	missing := 0.0 // the share of repeat arrivals whose message is in neither array
	for i := first; i < n; i++ {
		row := rows[i]
		e := fresh + repeat*alone[i]
		x.Cycle += row.fits / e
		x.FNR += row.unlucky / e * loud[i]
		x.Lucky += (row.lucky*(loud[i]+quiet[i]) + row.unlucky*quiet[i]) / e
		x.FPRPerNew += (row.lucky + row.unlucky*frozen) / e
		missing += row.fits / e * (loud[i] + quiet[i])
	}
	x.FNR *= repeat / x.Cycle
	x.Lucky *= repeat / x.Cycle
	x.FPRPerNew /= x.Cycle
	x.FPR = fresh * x.FPRPerNew
	if all := fresh + repeat*missing/x.Cycle; all > 0 {
		x.FPRPerCycleNew = (x.FPR + x.Lucky) / all
	}
	// A rate is a quotient of two sums. Each of the two sums has n terms, which are products. Up to three factors of a
	// product have an error. For each such factor, it is the error of a row or the error of the model. One further
	// factor is 1/e_i (see the top of this file).
	x.Bound = 3*(f.err+model.slack()+float64(n+8)*fm.Unit) + 2*lost/x.Cycle
	x.Valid, x.Note = c.made(stuck)
	return x, nil
}

// lowerModel assumes that the most popular messages are recorded.
type lowerModel struct {
	tail []float64 // tail[i] is the sum of q_j over j >= i
	off  float64   // the value of the field "off" in the traffic
}

// The method "lower" is the model of equation (5) of Dozier-FN. In this model, fhat[i] is tail_i, the total popularity
// of all ranks from i on. For i >= D, tail_i is 0. Of two arrays, the one with more recorded messages contains all
// messages of the other. So G(i,j) = tail_max(i,j).
func (c *System) lower() (Forecast, error) {
	t, err := c.traffic()
	if err != nil {
		return Forecast{}, err
	}
	tail := make([]float64, len(t.q)+1)
	for j := len(t.q) - 1; j >= 0; j-- {
		tail[j] = tail[j+1] + t.q[j]
	}
	return c.markov(lowerModel{tail, t.off})
}

// The method "slack" bounds the relative errors of popularities and of their sums.
func (x lowerModel) slack() float64 { return (float64(len(x.tail)) + x.off + 4) * fm.Unit }

func (x lowerModel) at(i int) float64 { return x.tail[min(i, len(x.tail)-1)] }

func (x lowerModel) alone(n int) ([]float64, error) {
	fhat := make([]float64, n)
	for i := range fhat {
		fhat[i] = x.at(i)
	}
	return fhat, nil
}

func (x lowerModel) beside(w []float64, n int) ([]float64, error) {
	larger := 0.0 // the sum of w_j tail_j over j >= i
	out := make([]float64, n)
	for j := len(w) - 1; j >= 0; j-- {
		larger += w[j] * x.at(j)
		if j < n {
			out[j] = larger
		}
	}
	smaller := 0.0
	for i := range out {
		out[i] += smaller * x.at(i)
		smaller += w[i]
	}
	return out, nil
}

// uniformModel assumes that all messages are equally popular.
type uniformModel struct{ d float64 }

// The method "uniform" is the model of equation (7) of Dozier-FN. If i messages are recorded, a repeat is
// unrecorded with probability fhat[i] = max(0, 1-i/D). If two arrays hold i and j messages, a repeat is in neither
// array with probability G(i,j) = fhat[i] fhat[j].
func (c *System) uniform() (Forecast, error) {
	t, err := c.traffic()
	if err != nil {
		return Forecast{}, err
	}
	return c.markov(uniformModel{float64(len(t.q))})
}

func (x uniformModel) slack() float64 { return 4 * fm.Unit }

func (x uniformModel) at(i int) float64 { return max(0, x.d-float64(i)) / x.d }

func (x uniformModel) alone(n int) ([]float64, error) {
	fhat := make([]float64, n)
	for i := range fhat {
		fhat[i] = x.at(i)
	}
	return fhat, nil
}

func (x uniformModel) beside(w []float64, n int) ([]float64, error) {
	mean := 0.0
	for j, p := range w {
		mean += p * x.at(j)
	}
	out, _ := x.alone(n)
	for i := range out {
		out[i] *= mean
	}
	return out, nil
}

// For each i < n, the function "pairs" returns the sum over j of w[j] times both(i,j).
func pairs(w []float64, n int, both func(i, j int) float64) ([]float64, error) {
	if err := fault.Part(); err != nil {
		return nil, err
	}
	all := 0.0
	for _, p := range w {
		all += p
	}
	law := lane{0, w}
	law.trim(pairsCut * all)
	if float64(len(law.p))*float64(n) > mostPairs {
		return nil, fmt.Errorf("%w: %d states of one array with %d of the other, at most 2^31 together", refuse.ErrTooCostly, n, len(law.p))
	}
	out := make([]float64, n)
	for i := range out {
		for j, p := range law.p {
			out[i] += p * both(i, int(law.first)+j)
		}
	}
	return out, nil
}
