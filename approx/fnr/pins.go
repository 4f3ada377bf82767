package fnr

import (
	"sync"

	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// draws is R(l) = sum of q (1-q)^l, the probability that a draw from Q was not among l draws
// before it, for as many l as have been asked for. Equal popularities are one class, and of
// many that are alike the sums are taken by interpolation.
type draws struct {
	mu   sync.Mutex
	rate []float64
	left []float64 // q (1-q)^l times the messages of the class
	miss []float64 // 1-q
}

// Classes whose t = -ln(1-q) differ by a factor of at most alike, [a,b], are taken together
// where there are more than nodes of them. Between Chebyshev's nodes e^(-lt) errs by
// 2 (l(b-a)/4)^nodes/nodes! e^(-la) <= 2^-73, whatever l is; the weights at the nodes are not
// all positive, their absolute values are at most 4 times those of the classes.
const (
	alike = 1.5
	nodes = 24
)

// drawn returns R(0), ..., R(n-1), and perhaps more, within drawnError.
func (c *System) drawn(n int) ([]float64, error) {
	t, err := c.traffic()
	if err != nil {
		return nil, err
	}
	x := &c.draws
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.left == nil {
		x.start(t.q)
	}
	if err := movable(n, len(x.left)); err != nil {
		return nil, err
	}
	for len(x.rate) < n {
		x.rate = append(x.rate, x.next())
	}
	return x.rate, nil
}

func (x *draws) start(q []float64) {
	var left, rate []float64 // of the classes: weight, and t
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

// interpolate appends nodes in the place of classes, in the barycentric form.
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

// next lets one more draw be made, and returns R before it.
func (x *draws) next() float64 {
	for len(x.left) > 0 && fm.Abs(x.left[0]) < faint {
		x.left, x.miss = x.left[1:], x.miss[1:] // the popular ones get small first
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

// interpolationError bounds in u what interpolation adds to R: 2^-73 of each node's weight, 4
// times those of the classes, count as long as a message is likely to be missing, l t <= ln(2D)
// for the least t, and the weights' own roundings, some hundred each.
const interpolationError = 1 << 16

// drawnError bounds the relative error of R(n-1). A draw multiplies by e^-t, t = -ln(1-q): a
// rounding, 4u by Exp, 2u of t <= ln 2 by Log1p, and 1-q >= 1/2 errs by 2 q times the error of
// q. The sum adds D. Where q_0 > 1/2, 1-q_0 is the sum of the others, and after l draws that message is
// e^(-t(l-1)) of R at most, which 2 l t errs by: 4t in all.
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

// ahead is how many draws or arrivals more than needed are made at a time.
const ahead = 64

// replacementModel draws the recorded messages with replacement.
type replacementModel struct {
	c    *System
	t    *traffic
	most int // draws
}

// replacement is the model of (6), P(not in S_i) = (1-q)^i: fhat[i] is the mean of that over
// repeat arrivals, and G(i,j) = fhat[i+j].
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
	return x.c.drawn(n)
}

func (x *replacementModel) beside(w []float64, n int) ([]float64, error) {
	x.most = n + len(w)
	rate, err := x.c.drawn(x.most)
	if err != nil {
		return nil, err
	}
	return pairs(w, n, func(i, j int) float64 { return rate[i+j] })
}

// pinsModel draws until so many messages are distinct in the mean.
type pinsModel struct {
	c    *System
	t    *traffic
	most int // draws
}

// pins is the model of (10) and (11): fhat[i] = R(l) with the number of draws l for which the
// mean number of distinct messages, R(0) + ... + R(l-1), is the closest to i, the smaller of
// two; (10) has something else for that mean. G(i,j) = R(l(i)+l(j)). No number of draws is
// close to i >= D, and fhat[i] = 0.
func (c *System) pins() (Forecast, error) {
	t, err := c.traffic()
	if err != nil {
		return Forecast{}, err
	}
	return c.markov(&pinsModel{c: c, t: t})
}

func (x *pinsModel) slack() float64 { return x.t.drawnError(x.most) }

// counts returns l(i), i < min(n, D), and R up to times the last.
func (x *pinsModel) counts(n, times int) (l []int, rate []float64, err error) {
	l = make([]int, min(n, len(x.t.q)))
	at := 0
	var distinct fm.Double // after so many draws
	for i := range l {
		for {
			if at >= len(rate) {
				if rate, err = x.c.drawn(at + ahead); err != nil {
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
	rate, err = x.c.drawn(x.most)
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

// pinsArrivalsModel counts arrivals until so many messages are distinct in the mean.
type pinsArrivalsModel struct {
	c         *System
	t         *traffic
	most      int     // arrivals
	condition float64 // of R(m^-1(i)) as a function of the values of m
}

// pinsArrivals is pins where new messages arrive too: after l arrivals the mean number of
// distinct messages is m(l), the sum of 1-p_r + p_r R(j) over j < l with R that of (24).
// fhat[i] = R(m^-1(i)) and G(i,j) = R(m^-1(i) + m^-1(j)), with m and R linear between whole
// numbers of arrivals. With p_r = 1 no number of arrivals serves for i >= D: fhat[i] = 0.
func (c *System) pinsArrivals() (Forecast, error) {
	t, err := c.traffic()
	if err != nil {
		return Forecast{}, err
	}
	return c.markov(&pinsArrivalsModel{c: c, t: t})
}

// slack is that of R and of m^-1.
func (x *pinsArrivalsModel) slack() float64 {
	return x.t.missingError(float64(x.most)) * fm.Unit * (1 + x.condition)
}

// arrivals returns m^-1(i), i < n, those that there are, and R up to times the last.
func (x *pinsArrivalsModel) arrivals(n, times int) (l, rate []float64, err error) {
	t := x.t
	if t.fresh == 0 {
		n = min(n, len(t.q))
	}
	l = make([]float64, n)
	at := 0
	var distinct fm.Double // m(at)
	for i := 1; i < n; i++ {
		for {
			if at+1 >= len(rate) {
				if rate, err = x.c.rates(at + 1 + ahead); err != nil {
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
	rate, err = x.c.rates(x.most)
	return l, rate, err
}

// between returns R(l), linear between whole l.
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
