package cycle

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// The message-bounded rule ends a cycle at its N-th arrival that sets a bit. Let P_n(b) be the probability that b bits
// are set after n such arrivals. Let tau(a,b) be the probability that a message changes the number of set bits from a
// to b. Let rho(b) = tau(b,b). Let V(b) be the mean number of arrivals of a cycle that find b bits set. Then two
// equations hold.
//
//	P_(n+1)(b) = sum over x >= 1 of P_n(b-x) tau(b-x,b)/(1-rho(b-x)).
//	V(b) = sum over n < N of P_n(b)/(1-rho(b)).
//
// The recursion starts with n = 0 and no set bits. If the filter retains the triggering message, it starts with n = 1.
// The set bits are then the positions of the message that ended the last cycle. The distribution P_n is narrow. So
// entries at both ends of P_n are cut off if they are smaller than the largest entry times the constant "trimmed".
//
// All terms are positive. So each message adds a relative error of at most messageError. The mean numbers of arrivals
// and of false positives have a relative error of N times messageError, plus (2k+70)u (u = 2^-53). Some states are cut
// off, and the others are kept. Divide the contribution of each state by the probability of the state. At the lower
// end, the states that are cut off have smaller quotients than the kept states. Let B be the largest number of bits
// that N-1 messages can set. Consider the states that are cut off at the upper end. For arrivals, the quotient is at
// most N/(1-rho(B)). For false positives, the quotient is at most N rho(B)/(1-rho(B)).

const (
	mostMessageSteps = 1 << 31 // takes about five seconds

	// Multiply the largest entry of the distribution of set bits by the constant "trimmed". Entries smaller than this
	// product are cut off at both ends of the distribution. The sum of the probabilities that are cut off is included
	// in the error bound. The sum of these probabilities is far below the rounding errors. This holds even for rates
	// that come mainly from states with unusually many set bits.
	trimmed = 0x1p-200

	// Estimates of the cost assume that the distribution has courseWidth sqrt(m) states that are not cut off. On each
	// side, a normal distribution falls to 2^-200 of its largest value within 16.3 standard deviations from its mean.
	// The variance of the number of set bits is at most 0.102 m. So 10.4 sqrt(m) states remain. These numbers give a
	// factor of 10.4. The constant courseWidth is this factor, rounded up generously.
	courseWidth = 16
)

// messageError bounds the relative error that one message adds to the distribution of set bits. The unit of the bound
// is u = 2^-53. It counts seven operations for each position.
func messageError(k int) float64 { return 7*float64(k) + 10 }

// messageCourse describes a message-bounded cycle that begins with a given distribution of the set bits.
type messageCourse struct {
	visits []float64 // V(b) for b = 0, 1, ...
	low    uint64    // the first state of law
	law    []float64 // P_(N-1), from low on
	few    float64   // probability cut off at the lower end
	many   float64   // probability cut off at the upper end
	cut    float64   // the constant "trimmed", or another number in tests
}

// Messages returns the Numbers of a message-bounded cycle of one array. It also returns the distribution of the number
// of set bits when the array freezes.
func Messages(g bloomproof.Geometry, r bloomproof.Recycling) (Numbers, Frozen, error) {
	return messagesTo(g, r, trimmed)
}

// messagesTo returns the results of Messages. The argument "cut" replaces the constant "trimmed". Tests cut off more, so
// that the bound of what is cut off shows.
func messagesTo(g bloomproof.Geometry, r bloomproof.Recycling, cut float64) (Numbers, Frozen, error) {
	if err := fault.Part(); err != nil {
		return Numbers{}, Frozen{}, err
	}
	k := float64(g.K)
	states := min(float64(r.Messages-1)*k, float64(g.M)) + 1
	steps := float64(r.Messages) * min(states, courseWidth*fm.Sqrt(float64(g.M))+k) * k
	var starts Entry
	switch {
	case !r.Retain:
		starts = Entry{0, []float64{1}}
	case message.Avoids(g):
		starts = Entry{uint64(g.K), []float64{1}}
	default:
		starts = NewClosedForm(g).Entry(true)
	}
	if r.Retain && !r.FreshPositions {
		steps *= float64(len(starts.Law))
	}
	if steps > mostMessageSteps || states > mostStates {
		return Numbers{}, Frozen{}, fmt.Errorf("%w: about %.2g steps of %g messages, at most 2^31, through %g states, at most 2^25", refuse.ErrTooCostly, steps, float64(r.Messages), states)
	}
	if r.Retain && !r.FreshPositions && len(starts.Law) > 1 {
		starts = messageStarts(g, r, starts, cut)
	}
	c := follow(g, r, starts, cut)
	arrivals, _ := Sums(g, c.visits)
	most := c.visits
	for len(most) > 1 && most[len(most)-1] == 0 {
		most = most[:len(most)-1]
	}
	_, hits := Sums(g, most)
	at := message.HitAt(g, uint64(len(most)-1))
	last := uint64(states) - 1
	lost := c.many * float64(r.Messages) / message.Miss(g, last)
	loss := 3*c.few + lost/arrivals
	if lost > 0 && hits > 0 {
		loss += lost / hits * message.HitAt(g, last).Quo(at)
	}
	n := Numbers{
		Arrivals: arrivals, Recorded: arrivals, Enter: starts, Visits: c.visits,
		Positives: at.Times(fm.Double{Hi: hits}),
		Err:       fm.Unit*(2*messageError(g.K)*float64(r.Messages)*(1+2*float64(len(starts.Law)-1))+sumsError(g.K)) + loss,
	}
	return n, c.frozen(g, r.FreezeBefore), nil
}

// messageStarts considers the message that ends a cycle. It returns the distribution of the number D of its distinct
// positions. For an arbitrary message, D = d has the probability P[D = d]. For the message that ends a cycle, the
// probability of D = d is P[D = d] times a factor. This factor is
//
//	the sum over b of P_(N-1)(b)/(1-rho(b)) (1 - C(b,d)/C(m,d)).
func messageStarts(g bloomproof.Geometry, r bloomproof.Recycling, any Entry, cut float64) Entry {
	n := len(any.Law)
	law := make([][]float64, n)
	for i := range law {
		law[i] = make([]float64, n)
		c := follow(g, r, Entry{any.First + uint64(i), []float64{1}}, cut)
		for at, p := range c.law {
			b := c.low + uint64(at)
			v := p / message.Miss(g, b)
			for j := range n {
				d := message.Apart(g.M, int(any.First)+j)
				law[i][j] += v * any.Law[j] * message.Miss(d, b)
			}
		}
	}
	return Entry{any.First, stationary(law)}
}

// The function "follow" computes the messageCourse of a cycle that begins with the distribution start.
func follow(g bloomproof.Geometry, r bloomproof.Recycling, start Entry, cut float64) messageCourse {
	first := uint64(0)
	if r.Retain {
		first = 1
	}
	size := g.M // the length of visits
	if n := r.Messages - 1; n <= g.M/uint64(g.K) {
		size = min(g.M, max(n*uint64(g.K), start.First+uint64(len(start.Law))-1)+1)
	}
	c := messageCourse{visits: make([]float64, size), low: start.First, law: start.Law, cut: cut}
	var stay []float64
	for n := first; ; n++ {
		q := make([]float64, len(c.law), len(c.law)+g.K)
		for i, p := range c.law {
			q[i] = p / message.Miss(g, c.low+uint64(i))
			c.visits[c.low+uint64(i)] += q[i]
		}
		if n+1 == r.Messages {
			return c
		}
		stay = append(stay[:0], q...)
		c.low, c.law = c.trim(advanceFresh(g, c.low, q, stay))
	}
}

// The argument q of advanceFresh holds the mean numbers of arrivals that find low, low+1, ... bits set. Some of these
// arrivals set no bit. The function considers only the others. It returns the distribution of the number of set bits
// after an arrival that sets a bit. It overwrites q. The argument "stay" is a copy of q.
func advanceFresh(g bloomproof.Geometry, low uint64, q, stay []float64) (uint64, []float64) {
	moved := q
	clear(moved)
	for range min(uint64(g.K), g.M-low-uint64(len(q)-1)) {
		moved = append(moved, 0)
	}
	for at := range g.K {
		t := uint64(message.Taken(g, at))
		inverse := 1 / float64(g.M-t)
		below := 0.0 // flow from the next lower state
		for i := range moved {
			b := low + uint64(i)
			free := float64(g.M-b) * inverse
			set := max(0, (float64(b)-float64(t))*inverse)
			here := moved[i]
			moved[i] = here*set + below
			below = here * free
			if i < len(stay) {
				below += stay[i] * free
				stay[i] *= set
			}
		}
	}
	return low, moved
}

// The method "trim" cuts off entries at both ends if they are below c.cut times the largest entry. The probabilities cut
// off at the lower end are added to c.few. The probabilities cut off at the upper end are added to c.many.
func (c *messageCourse) trim(low uint64, law []float64) (uint64, []float64) {
	most := 0.0
	for _, p := range law {
		most = max(most, p)
	}
	few := c.cut * most
	for len(law) > 1 && law[0] < few {
		c.few += law[0]
		law = law[1:]
		low++
	}
	for len(law) > 1 && law[len(law)-1] < few {
		c.many += law[len(law)-1]
		law = law[:len(law)-1]
	}
	return low, law
}

// The method "frozen" returns the distribution of the number of set bits of the array when it freezes.
func (c messageCourse) frozen(g bloomproof.Geometry, freezeBefore bool) Frozen {
	low, law := c.low, c.law
	if !freezeBefore {
		q := make([]float64, len(law), len(law)+g.K)
		for i, p := range law {
			q[i] = p / message.Miss(g, low+uint64(i))
		}
		low, law = c.trim(advanceFresh(g, low, q, append([]float64(nil), q...)))
	}
	total := 0.0
	for _, p := range law {
		total += p
	}
	f := Frozen{First: low, Lost: c.many}
	for _, p := range law {
		f.Law = append(f.Law, p/total)
	}
	return f
}
