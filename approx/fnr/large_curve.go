package fnr

import (
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// A curve is made for one kind of arrivals. It gives the mean number of arrivals of this kind among the first n
// arrivals of a cycle. The number n may be any real number >= 0.
type curve interface {
	// The method "stale" returns how many of the first n arrivals, on average, are repeats of unrecorded messages.
	// Let p_r be the probability of a repeat. Let R(j) be the probability that a repeat after j arrivals is unrecorded.
	// Then this number is the sum of p_r R(j) over 0 <= j < n. It also returns the first two derivatives of the sum.
	// The first derivative is about p_r R(n).
	stale(n float64) (sum, rate, slope float64)
	// If the filter retains the triggering message, each cycle begins with one recorded message: the message that ended
	// the cycle before. The argument "cycle" is the number of arrivals of that earlier cycle. This recorded message
	// reduces the result of stale(n). The reduction is a number between the results "low" and "high".
	kept(cycle, n float64) (low, high float64)
	// The method "err" returns an upper bound of the relative error of the first result of stale(n), for n >= 1.
	err(n float64) float64
}

// A steady curve describes workloads in which old messages keep their ranks. It also describes workloads that can be
// treated in the same way. There are three such workloads. In the first such workload, no new messages arrive. In the
// second workload, new messages enter only at the last rank. So only the message at that rank changes. In the third
// workload, all ranks that can arrive are equally popular, and new messages enter at each of them with equal
// probability. Consider one message, and let p be the probability that an arrival is this message. Then this message is
// among the first n arrivals with probability 1-(1-p)^n.
type steady struct {
	all   []class // the classes; q is the probability that an arrival is a given message of the class
	fresh float64 // 1-p_r
	// The message at the last rank is an old message until the first new message arrives. The field "last" is the
	// probability that the next message is this old one. The field "leave" is the sum of the fields "last" and "fresh".
	last, leave float64
	off         float64 // a bound of the relative error of the sum of stale
}

// For exponents of Zipf's law above steepAlpha, the errors of popularities do not grow further. All ranks except the
// first then have a popularity below 2^-steepAlpha, which is 0 in float64.
const steepAlpha = 1 << 20

// newSteady returns the steady curve of a workload, or nil if new messages move old messages to other ranks.
func newSteady(w bloomproof.Workload) (*steady, error) {
	p := w.Popularity
	alpha := min(p.Alpha, steepAlpha)
	s := &steady{fresh: 1 - w.Repeat, off: (12*alpha + 25) * fm.Unit}
	d := p.D
	switch {
	case w.Repeat == 0:
		return &steady{fresh: 1}, nil
	case w.Repeat == 1:
	case entersLast(w):
		d--
	case equalRanks(w):
		// Let n be the number of ranks that can arrive. Let g_i be the probability that message i is unrecorded after t
		// arrivals. If these ranks are equally popular, g_i is (1-1/n)^t for all i. The reason is equation (24) of
		// Dozier-FN. In this equation, two events have a total probability of 1/n. The arrival records message i, or a
		// new message replaces message i.
		n := float64(comers(p))
		s.all = []class{{w.Repeat * n, 1 / n}}
		return s, nil
	default:
		return nil, nil
	}
	all, err := classes(p, d)
	if err != nil {
		return nil, err
	}
	for i := range all {
		all[i].q *= w.Repeat
	}
	s.all = all
	if d < p.D {
		q, err := classes(p, p.D)
		if err != nil {
			return nil, err
		}
		s.last = w.Repeat * lastWeight(p, q)
		s.leave = s.fresh + s.last
		s.off = (36*alpha + 60) * fm.Unit
	}
	return s, nil
}

// lastWeight returns the popularity of the last rank. The argument "all" holds the classes of all ranks.
func lastWeight(p bloomproof.Popularity, all []class) float64 {
	if p.Alpha > 0 {
		return power(float64(p.D), p.Alpha) / classWeight(zipfClasses(p.Alpha, p.D))
	}
	if p.Weights != nil && p.Weights[p.D-1] < faint*p.Weights[0] {
		return 0
	}
	return all[len(all)-1].q
}

// entersLast reports whether new messages enter at the last rank only.
func entersLast(w bloomproof.Workload) bool {
	switch {
	case w.Arrivals == bloomproof.ArrivalLast:
		return true
	case w.ArrivalWeights != nil:
		for _, x := range w.ArrivalWeights[:w.Popularity.D-1] {
			if x > 0 {
				return false
			}
		}
		return true
	}
	return w.Popularity.D == 1
}

// Consider the ranks that can arrive. equalRanks reports whether all of them have the same probability, both for
// repeats and for new messages. It does not matter in which form the workload states these probabilities.
func equalRanks(w bloomproof.Workload) bool {
	p := w.Popularity
	n := comers(p)
	if p.Weight(0) != p.Weight(n-1) {
		return false
	}
	switch {
	case w.ArrivalWeights != nil:
		for i, x := range w.ArrivalWeights {
			if uint64(i) < n && x != w.ArrivalWeights[0] || uint64(i) >= n && x != 0 {
				return false
			}
		}
		return true
	case w.Arrivals == bloomproof.ArrivalUniform:
		return n == p.D
	}
	return w.Arrivals == bloomproof.ArrivalPopularity || n == 1 && w.Arrivals == bloomproof.ArrivalFirst
}

// The method "stale" adds a term n (1-(1-q)^t) for each class. These terms are positive. Here n is the number of
// messages in the class, and q is the probability of each message. The argument of the method "stale" is t. Such a term
// has four errors, where u = 2^-53. The error from ln(1-q) is at most 1.02u. The product of ln(1-q) and t adds an error
// of at most u. The exponential function adds 1.1u, and the product with n adds u. The first two errors are relative
// errors of the exponent y in 1-e^-y. They cause at most the same relative error in 1-e^-y, because this function is
// concave in y. The sum is computed in two words. Let alpha be the exponent of Zipf's law, or 0 for other popularities.
// The relative error of the sum is at most (12 alpha + 25)u. This includes the errors of the classes and the error of
// the product of q and p_r.
//
// The term of the last rank is (last/leave) (1-(1-leave)^t). The number "last" has a relative error of (12 alpha +
// 13)u. The relative error of the number "leave" is larger than that by two rounding errors. In the term, the error of
// "last" counts once, and the error of "leave" counts twice. The reason is that 1-(1-x)^t is concave in x. Together
// with the errors of the functions, the relative error of the term is at most (36 alpha + 60)u.
func (s *steady) stale(n float64) (sum, rate, slope float64) {
	var total fm.Double
	for i := len(s.all) - 1; i >= 0; i-- {
		c := s.all[i]
		if c.q >= 1 {
			if n > 0 {
				total = total.AddFloat(c.n)
			}
			continue
		}
		l := fm.Log1p(-c.q)
		stay := gone(n * l)
		total = total.AddFloat(-c.n * fm.Expm1(n*l))
		rate -= c.n * l * stay
		slope -= c.n * l * l * stay
	}
	if s.last > 0 && s.leave < 1 {
		l := fm.Log1p(-s.leave)
		scale, stay := s.last/s.leave, gone(n*l)
		total = total.AddFloat(-scale * fm.Expm1(n*l))
		rate -= scale * l * stay
		slope -= scale * l * l * stay
	} else if s.last > 0 && n > 0 {
		total = total.AddFloat(s.last)
	}
	return total.Hi, rate, slope
}

// For x below goneFrom, e^x is replaced by 0. So products of two such values are never subnormal.
const goneFrom = -300

// The function "gone" returns e^x, or 0 if x is below goneFrom.
func gone(x float64) float64 {
	if x < goneFrom {
		return 0
	}
	return fm.Exp(x)
}

// The method "kept" considers the classes of messages at the end of the cycle. At the end of the cycle, unrecorded
// messages of each class arrive at a certain rate. The message that ended the cycle can be from any class. The
// probability of a class is proportional to its rate.
func (s *steady) kept(cycle, n float64) (low, high float64) {
	share, total := 0.0, s.fresh
	for i := len(s.all) - 1; i >= 0; i-- {
		c := s.all[i]
		if c.q >= 1 {
			continue
		}
		l := fm.Log1p(-c.q)
		at := c.n * c.q * gone(cycle*l)
		total += at
		share -= at * fm.Expm1(n*l)
	}
	if total == 0 {
		return 0, 1
	}
	// Suppose that a new message ended the cycle. This message is at the last rank until the next new message arrives.
	if s.last > 0 && s.leave < 1 {
		share -= s.fresh * s.last / s.leave * fm.Expm1(n*fm.Log1p(-s.leave))
	}
	share /= total
	return share, share
}

func (s *steady) err(float64) float64 { return s.off }

// A listed curve holds a list of values, one for each integer number of arrivals. Between two neighbouring integers the
// curve is linear.
type listed struct {
	t     *traffic
	sums  []float64
	rates []float64 // rates[n] is sums[n+1]-sums[n], without the rounding of the sums
}

const (
	// Multiply the number of ranks by the number of arrivals. A listed curve is computed only if this product is at
	// most mostListed. For D = 2 ranks a list then holds at most 5.6 million arrivals. Predict states the cost.
	mostListed = 1 << 24

	// A list of at most shortList arrivals is always computed. A shifting curve is not accurate for so few arrivals,
	// because its sums are not smooth there. For D = 2^22 ranks, such a list takes about a second.
	shortList = 256
)

// The method "listable" returns the largest number of arrivals that a listed curve can hold.
func (t *traffic) listable() float64 { return max(mostListed/float64(len(t.q)+1), shortList) }

// newListed returns the listed curve of the traffic t. Let n be the number of arrivals after which the mean number of
// recorded messages is y. The curve extends to times*n arrivals, where "times" is an argument. A list can cost more
// than mostListed. If such a list would have more than shortList arrivals, the function returns nil.
func newListed(t *traffic, y, times float64) *listed {
	most := t.listable()
	if !(y*times <= most) { // n >= y, because no arrival records more than one message
		return nil
	}
	g, sums, rates := t.nothing(), []float64{0}, []float64{}
	end := most
	for n := 0.0; n <= end; n++ {
		sum := sums[len(sums)-1]
		if end == most && t.fresh*n+sum >= y {
			if end = times*n + 2; end > most {
				return nil
			}
		}
		if len(rates) == cap(rates) { // doubling leaves less garbage than the function "append"
			rates, sums = slices.Grow(rates, len(rates)+16), slices.Grow(sums, len(sums)+16)
		}
		rates = append(rates, t.repeat*t.arrival(g))
		sums = append(sums, sum+rates[len(rates)-1])
	}
	if end == most {
		return nil
	}
	return &listed{t, sums, rates}
}

func (s *listed) stale(n float64) (sum, rate, slope float64) {
	i := min(int(max(n, 0)), len(s.rates)-1)
	rate = s.rates[i]
	if i > 0 {
		slope = min(rate-s.rates[i-1], 0)
	}
	return s.sums[i] + (n-float64(i))*rate, rate, slope
}

// The method "near" returns the smallest and the largest rate between n-1 and n+1 arrivals. The rates do not increase.
func (s *listed) near(n float64) (low, high float64) {
	_, low, _ = s.stale(n + 1)
	_, high, _ = s.stale(n - 1)
	return low, high
}

// The method "kept" uses a simple bound. Among n arrivals, at most p_r n on average are repeats of the recorded
// message.
func (s *listed) kept(_, n float64) (low, high float64) { return 0, min(1, s.t.repeat*n) }

// The method "err" returns an upper bound for each of two relative errors. The first error is that of R, the
// probability that a repeat is unrecorded. The second is the relative error of a sum of n values of R.
func (s *listed) err(n float64) float64 { return (s.t.missingError(n) + n) * fm.Unit }
