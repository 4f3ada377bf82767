package fnr

import (
	"sync"

	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// A value of the type "draws" holds R(l) for all l that were requested so far. R(l) is the probability that a draw from
// the popularity Q was not among the l draws before it. This probability is the sum of q (1-q)^l over the messages,
// where q is the popularity of a message. Equal popularities form one class. A sum over many classes with similar q is
// replaced by a sum over a few nodes.
type draws struct {
	mu   sync.Mutex
	rate []float64
	left []float64 // q (1-q)^l times the number of messages of the class
	miss []float64 // 1-q
}

// Let t = -ln(1-q) for the popularity q of a class. Choose an interval [a,b] such that b/a is at most the constant
// "alike". Let N be the constant "nodes". Consider the classes with a t in [a,b]. If there are more than N, they are
// replaced by N Chebyshev nodes. For every l, the interpolation error of e^(-lt) is then at most 2^-73. The reason is
// that it is at most
//
//	2 e^(-la) (l(b-a)/4)^N/N!.
//
// Some of the weights at the nodes are negative. Their absolute values add up to at most 4 times the weights of the
// classes.
const (
	alike = 1.5
	nodes = 24
)

// The method "drawn" returns the values R(0), ..., R(n-1) (see the type "draws"), and perhaps further values. Each
// value has a relative error of at most drawnError. The argument t is the traffic of the system.
func (c *System) drawn(t *traffic, n int) ([]float64, error) {
	x := &c.draws
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.left == nil {
		x.start(t.q)
	}
	if err := movable(float64(n), len(x.left)); err != nil {
		return nil, err
	}
	for len(x.rate) < n {
		x.rate = append(x.rate, x.next())
	}
	return x.rate, nil
}

func (x *draws) start(q []float64) {
	var left, rate []float64 // the weight and the t of each class
	for j, p := range q {
		if j > 0 && p == q[j-1] {
			left[len(left)-1] += p
			continue
		}
		left = append(left, p)
		rate = append(rate, -fm.Log1p(-min(p, 0.5)))
	}
	if q[0] > 0.5 {
		others := 0.0
		for _, p := range q[1:] {
			others += p
		}
		rate[0] = fm.Inf()
		if others > 0 {
			rate[0] = -fm.Log(others)
		}
	}
	for a := 0; a < len(left); {
		b := a + 1
		for b < len(left) && rate[a] <= alike*rate[b] {
			b++
		}
		if b-a > nodes {
			x.interpolate(left[a:b], rate[a:b])
		} else {
			x.left = append(x.left, left[a:b]...)
			for _, t := range rate[a:b] {
				x.miss = append(x.miss, fm.Exp(-t))
			}
		}
		a = b
	}
}

// The method "interpolate" replaces many similar classes by a few nodes. It uses the barycentric form of interpolation.
func (x *draws) interpolate(left, rate []float64) {
	var at, scale, sum, part [nodes]float64
	middle, half := (rate[0]+rate[len(rate)-1])/2, (rate[0]-rate[len(rate)-1])/2
	for k := range at {
		sin, cos := fm.SincosAny(fm.TwoPi * float64(2*k+1) / (4 * nodes))
		at[k], scale[k] = middle+half*cos, sin
		if k%2 == 1 {
			scale[k] = -sin
		}
	}
	for j, t := range rate {
		all := 0.0
		for k := range part {
			if t == at[k] {
				clear(part[:])
				part[k], all = 1, 1
				break
			}
			part[k] = scale[k] / (t - at[k])
			all += part[k]
		}
		for k, p := range part {
			sum[k] += left[j] * (p / all)
		}
	}
	for k, t := range at {
		x.left = append(x.left, sum[k])
		x.miss = append(x.miss, fm.Exp(-t))
	}
}

// The method "next" makes one more draw. Let l be the number of draws before it. The method returns R(l), the
// probability that the new draw differs from each of them.
func (x *draws) next() float64 {
	for len(x.left) > 0 && fm.Abs(x.left[0]) < faint {
		x.left, x.miss = x.left[1:], x.miss[1:] // the most popular classes become negligible first
	}
	left, miss := x.left, x.miss[:len(x.left)]
	var s0, s1, s2, s3 float64
	n := len(left) &^ 3
	for j := 0; j < n; j += 4 {
		a, b, c, d := left[j], left[j+1], left[j+2], left[j+3]
		s0 += a
		s1 += b
		s2 += c
		s3 += d
		left[j], left[j+1], left[j+2], left[j+3] = a*miss[j], b*miss[j+1], c*miss[j+2], d*miss[j+3]
	}
	for j := n; j < len(left); j++ {
		s0 += left[j]
		left[j] *= miss[j]
	}
	return (s0 + s1) + (s2 + s3)
}

// interpolationError bounds the relative error of R(l) from interpolation. The unit of the bound is u = 2^-53. The
// bound has two parts. The first part is 2^-73 times the sum of the absolute weights of the nodes. This sum is at most
// 4 times the sum of the weights of the classes. Let t = -ln(1-q) for the smallest popularity q. The first part is
// small while l t <= ln(2D). For these l, some message has probably not been drawn yet. The second part consists of the
// rounding errors of the weights, about 100u each.
const interpolationError = 1 << 16

// drawnError bounds the relative error of R(n-1). Each draw multiplies the term of a message by 1-q = e^-t. The error
// of this factor has four parts (u = 2^-53). One rounding adds u, Exp adds 4u, and Log1p adds 2u t. The fourth part is
// 2q times the error of q. Here t <= ln 2, and the last part exists only for 1-q >= 1/2. The sum adds D roundings. If
// the popularity q_0 of the first message is above 1/2, 1-q_0 is computed as the sum of the other popularities. After l
// draws, compare the term of this message with R(l). The quotient is at most e^(-t(l-1)). The relative error of the
// term is 2 l t times the relative error of q. So this term changes the relative error of R(l) by at most 4t times the
// relative error of q.
func (t *traffic) drawnError(n int) float64 {
	l, rest := float64(n), t.off
	if t.q[0] > 0.5 {
		others := 0.0
		for _, q := range t.q[1:] {
			others += q
		}
		if others > 0 {
			rest -= 4 * fm.Log(others)
		}
	}
	if len(t.q) > nodes {
		rest += interpolationError
	}
	return ((7+2*t.off*t.q[0])*l + float64(len(t.q)) + rest) * fm.Unit
}

// Draws and arrivals are computed in batches. The constant "ahead" is the number of draws or arrivals in a batch.
const ahead = 64

// replacementModel assumes that the recorded messages are drawn with replacement.
type replacementModel struct {
	c    *System
	t    *traffic
	most int // the largest number of draws that was used
}

// The method "replacement" computes the model of equation (6) of Dozier-FN. After i draws, a message of popularity q is
// unrecorded with probability (1-q)^i. The number fhat[i] of the model is the mean of (1-q)^i, where q is the
// popularity of a random repeat. Suppose that one array records the messages of i draws. Another array records the
// messages of j different draws. Then a repeat is in neither array with probability G(i,j) = fhat[i+j].
func (c *System) replacement() (Forecast, error) {
	t, err := c.traffic()
	if err != nil {
		return Forecast{}, err
	}
	return c.markov(&replacementModel{c: c, t: t})
}

func (x *replacementModel) slack() float64 { return x.t.drawnError(x.most) }

func (x *replacementModel) alone(n int) ([]float64, error) {
	x.most = n
	return x.c.drawn(x.t, n)
}

func (x *replacementModel) beside(w []float64, n int) ([]float64, error) {
	x.most = n + len(w)
	rate, err := x.c.drawn(x.t, x.most)
	if err != nil {
		return nil, err
	}
	return pairs(w, n, func(i, j int) float64 { return rate[i+j] })
}

// pinsModel assumes that the recorded messages are the distinct messages among some number of draws. Let i be the
// number of recorded messages. The number of draws is chosen so that the mean number of distinct messages is i.
type pinsModel struct {
	c    *System
	t    *traffic
	most int // the largest number of draws that was used
}

// The method "pins" computes the model of equations (10) and (11) of Dozier-FN. If i messages are recorded, a repeat is
// unrecorded with probability fhat[i] = R(l). R(l) is the probability that a draw is not among the l draws before it.
// So R(0) + ... + R(l-1) is the mean number of distinct messages among l draws. The number l = l(i) is the number of
// draws for which this mean is closest to i. If two numbers are equally close, l(i) is the smaller one. Equation (10)
// has a different expression for the mean. If two arrays hold i and j messages, a repeat is in neither array with
// probability G(i,j) = R(l(i)+l(j)). For i >= D the mean stays below i for every number of draws. In this case fhat[i]
// = 0.
func (c *System) pins() (Forecast, error) {
	t, err := c.traffic()
	if err != nil {
		return Forecast{}, err
	}
	return c.markov(&pinsModel{c: c, t: t})
}

func (x *pinsModel) slack() float64 { return x.t.drawnError(x.most) }

// The method "counts" returns l(i) for all i < min(n, D). About i distinct messages occur among l(i) draws. It also
// returns the list R(0), R(1), .... This list extends at least to R(times*l(i)) for the last i.
func (x *pinsModel) counts(n, times int) (l []int, rate []float64, err error) {
	l = make([]int, min(n, len(x.t.q)))
	at := 0
	var distinct fm.Double // the mean number of distinct messages after the draws so far
	for i := range l {
		for {
			if at >= len(rate) {
				if rate, err = x.c.drawn(x.t, at+ahead); err != nil {
					return nil, nil, err
				}
			}
			next := distinct.AddFloat(rate[at])
			if fm.Abs(next.Hi-float64(i)) >= fm.Abs(distinct.Hi-float64(i)) {
				break
			}
			at++
			distinct = next
		}
		l[i] = at
	}
	x.most = times*at + 1
	rate, err = x.c.drawn(x.t, x.most)
	return l, rate, err
}

func (x *pinsModel) alone(n int) ([]float64, error) {
	l, rate, err := x.counts(n, 1)
	if err != nil {
		return nil, err
	}
	fhat := make([]float64, n)
	for i, l := range l {
		fhat[i] = rate[l]
	}
	return fhat, nil
}

func (x *pinsModel) beside(w []float64, n int) ([]float64, error) {
	l, rate, err := x.counts(max(n, len(w)), 2)
	if err != nil {
		return nil, err
	}
	return pairs(w, n, func(i, j int) float64 {
		if max(i, j) >= len(l) {
			return 0
		}
		return rate[l[i]+l[j]]
	})
}

// pinsArrivalsModel counts arrivals, including new messages. It stops when the mean number of distinct messages is i,
// the number of recorded messages.
type pinsArrivalsModel struct {
	c         *System
	t         *traffic
	most      int     // the largest number of arrivals that was used
	condition float64 // the condition number of R(m^-1(i)) as a function of the values of m
}

// The model pinsArrivals is the same as the model "pins", except that it counts arrivals in place of draws. The
// arrivals include new messages. Let p_r be the probability of a repeat. Let R(j) be the probability that a repeat
// after j arrivals is unrecorded (equation (24) of Dozier-FN). Let m(l) be the mean number of distinct messages after l
// arrivals. This is the sum of 1-p_r + p_r R(j) over j < l. Between integer numbers of arrivals, R and m are linear.
// Let m^-1 be the inverse function of m. Then fhat[i] = R(m^-1(i)) and G(i,j) = R(m^-1(i) + m^-1(j)). The comment of
// the method "pins" explains fhat and G. If p_r = 1 and i >= D, the mean number of distinct messages never reaches i.
// In this case fhat[i] = 0.
func (c *System) pinsArrivals() (Forecast, error) {
	t, err := c.traffic()
	if err != nil {
		return Forecast{}, err
	}
	return c.markov(&pinsArrivalsModel{c: c, t: t})
}

// The method "slack" bounds the relative error of R(m^-1(i)) (see pinsArrivals). It includes the effect of the error of
// m^-1(i).
func (x *pinsArrivalsModel) slack() float64 {
	return x.t.missingError(float64(x.most)) * fm.Unit * (1 + x.condition)
}

// The method "arrivals" returns two lists. For each i < n, the list l contains m^-1(i). This is the number of arrivals
// after which the mean number of distinct messages is i. If p_r = 1, it contains these numbers only for i < D. The list
// "rate" contains R(0), R(1) and further values of R. Let x be the last number in the list l. The list "rate" also
// contains values of R for numbers above times*x.
func (x *pinsArrivalsModel) arrivals(n, times int) (l, rate []float64, err error) {
	t := x.t
	if t.fresh == 0 {
		n = min(n, len(t.q))
	}
	// A new message is recorded when it comes. So a repeat finds its message unrecorded at most D times. This holds for
	// any number of arrivals. Therefore j arrivals have at most D + (1-p_r) j distinct messages.
	if least := float64(times) * (float64(n-1) - float64(len(t.zeta))) / t.fresh; least > 0 {
		if err := movable(least, len(t.q)); err != nil {
			return nil, nil, err
		}
	}
	l = make([]float64, n)
	at := 0
	var distinct fm.Double // m(at)
	for i := 1; i < n; i++ {
		for {
			if at+1 >= len(rate) {
				if rate, err = x.c.rates(x.t, at+1+ahead); err != nil {
					return nil, nil, err
				}
			}
			step := t.fresh + t.repeat*rate[at]
			if next := distinct.AddFloat(step); next.Hi < float64(i) {
				at++
				distinct = next
				continue
			}
			l[i] = float64(at) + distinct.Neg().AddFloat(float64(i)).Hi/step
			if fall := rate[at] - rate[at+1]; rate[at+1] > 0 {
				x.condition = max(x.condition, fall/rate[at+1]*float64(i)/step)
			}
			break
		}
	}
	x.most = times*(at+1) + 2
	rate, err = x.c.rates(x.t, x.most)
	return l, rate, err
}

// The function "between" interpolates linearly between the elements of the list "rate". It returns the value at the
// real number l.
func between(rate []float64, l float64) float64 {
	at := int(l)
	part := l - float64(at)
	return (1-part)*rate[at] + part*rate[at+1]
}

func (x *pinsArrivalsModel) alone(n int) ([]float64, error) {
	l, rate, err := x.arrivals(n, 1)
	if err != nil {
		return nil, err
	}
	fhat := make([]float64, n)
	for i, l := range l {
		fhat[i] = between(rate, l)
	}
	return fhat, nil
}

func (x *pinsArrivalsModel) beside(w []float64, n int) ([]float64, error) {
	l, rate, err := x.arrivals(max(n, len(w)), 2)
	if err != nil {
		return nil, err
	}
	return pairs(w, n, func(i, j int) float64 {
		if max(i, j) >= len(l) {
			return 0
		}
		return between(rate, l[i]+l[j])
	})
}
