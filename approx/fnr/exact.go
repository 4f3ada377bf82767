package fnr

import (
	"errors"
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
	"github.com/bloomproof/bloomproof/approx/recycling"
)

// The rates of some filters can be computed exactly at any size. Let p_r be the probability that an arrival is a
// repeat. Let q_j be the popularity of rank j. Such a filter has one phase and fresh positions, and does not retain the
// triggering message. Old messages must keep their ranks, so either p_r = 1 or all new messages enter at the last rank.
// Let the messages arrive at the times of a Poisson process of rate 1. This does not change any mean over the arrivals.
// Then different messages arrive independently. Consider a filter that never recycles. Let N(t) be the number of
// messages that it has recorded by the time t. The number N(t) is a sum of three parts. The first part is a sum of
// independent indicators with the probabilities 1-e^(-p_r q_j t). The second part is a Poisson variable, the number of
// new messages. The third part is an indicator that depends on this Poisson variable. The third part is 1 if the old
// message at the last rank arrives before the first new message. Only then is that old message recorded. Let l = 1-p_r
// and p = p_r q_(D-1). Let B = lz + p. Add the last two parts. The probability generating function of their sum is:
//
//	e^(lt(z-1)) (z + (1-z) (lz + p e^(-Bt))/B).
//
// The number of set bits depends on the workload only through N. Let V be the mean number of arrivals in a cycle. Let
// f_n be the false-negative rate, and let f_p be the false-positive rate. Let v_i be the probability that i messages
// fit. Let gamma_i be the probability that the next message then sets no bit (fill.go). Let u_i = v_i (1-gamma_i). A
// repeat of an unrecorded message is called lucky if all positions of the message are set. The fraction of arrivals
// that are lucky repeats has the symbol "lucky". Let G be the integral of E[v_N(t) gamma_N(t)] over t. Then the
// following four equations hold.
//
//	V = integral of E[v_N(t)].
//	f_p V = (1-p_r) G.
//	f_n V = sum of u_i - (1-p_r) (V - G).
//	lucky V = sum of v_i gamma_i - (1-p_r) G.
//
// Each expectation is computed from values of the characteristic function of N(t). One such value is a product with one
// factor for each class of equally popular messages. So its cost does not depend on D.

// The method "exactly" returns the exact rates. It uses the formulas at the top of this file, or a model that is exact
// for the filter.
func (c *System) exactly() (Forecast, error) {
	switch {
	case c.w.Repeat == 0:
		return c.allNew()
	case !c.r.FreshPositions:
		return Forecast{}, fmt.Errorf("%w: exact rates are known for fresh positions", refuse.ErrUndefined)
	case c.r.NoCopyOver:
		return Forecast{}, fmt.Errorf("%w: exact rates are known with copy-over", refuse.ErrUndefined)
	}
	if c.holdsAll() {
		return Forecast{Valid: true, Note: noMore}, nil
	}
	equal := c.w.Repeat == 1 && c.equal()
	one := !c.r.TwoPhase
	if equal && (one || !c.r.Retain) {
		// If all messages that can arrive are equally popular, the rates do not depend on which messages are recorded.
		// The Markov model "uniform" is then exact.
		f, err := c.uniform()
		if err == nil || !errors.Is(err, refuse.ErrTooCostly) || !one || c.r.Retain {
			return f, err
		}
	}
	switch {
	case !one:
		return Forecast{}, fmt.Errorf("%w: of two phases it knows equal messages with p_r = 1, not retaining", refuse.ErrUndefined)
	case c.r.Retain:
		return Forecast{}, fmt.Errorf("%w: of retaining filters it knows equal messages with p_r = 1", refuse.ErrUndefined)
	case c.w.Repeat < 1 && !entersLast(c.w):
		return Forecast{}, fmt.Errorf("%w: exact rates are known for p_r = 1 and for arrivals at the last rank", refuse.ErrUndefined)
	}
	s, err := newPoisson(c.w)
	if err != nil {
		return Forecast{}, err
	}
	x := c.asLarge()
	l, err := x.load()
	if err != nil {
		return Forecast{}, err
	}
	if c.w.Repeat == 1 {
		if err := x.closed(l); err != nil {
			return Forecast{}, err
		}
	}
	if l.messages <= mostListedLaw {
		return c.exactSmall(s)
	}
	return c.exactLarge(s, x, l)
}

// allNew returns the rates for a workload without repeats, which are the same for every model.
func (c *System) allNew() (Forecast, error) {
	n, err := recycling.New(c.g, c.r)
	if err != nil {
		return Forecast{}, err
	}
	return Forecast{
		FPR: n.FPR(), FPRPerNew: n.FPR(), FPRPerCycleNew: n.FPR(), Cycle: n.Capacity(),
		Valid: true, Bound: n.Bound(),
	}, nil
}

// For cycles of up to mostListedLaw messages, the distribution of the set bits is computed message by message.
const mostListedLaw = 1 << 11

// A value of the type "poisson" holds the parameters of the distribution of N(t). N(t) is the number of messages
// recorded by the time t.
type poisson struct {
	all   []class // the classes of messages; q is the rate at which one message arrives
	fresh float64 // l = 1-p_r
	last  float64 // p = p_r q_(D-1), or 0 if p_r = 1
}

func newPoisson(w bloomproof.Workload) (*poisson, error) {
	s := &poisson{fresh: 1 - w.Repeat}
	d := w.Popularity.D
	if s.fresh > 0 {
		d--
	}
	var err error
	if s.all, err = classes(w.Popularity, d); err != nil {
		return nil, err
	}
	for i := range s.all {
		s.all[i].q *= w.Repeat
	}
	if s.fresh > 0 {
		q, err := classes(w.Popularity, w.Popularity.D)
		if err != nil {
			return nil, err
		}
		s.last = w.Repeat * lastWeight(w.Popularity, q)
	}
	return s, nil
}

// The method "moments" returns the mean and the variance of N(t), and the derivative of the mean. It also returns the
// sum of p^2/(e^(pt)-1) over the rates p of the messages. The function "step" computes a step of time from this sum.
func (s *poisson) moments(t float64) (mean, variance, rate, bend float64) {
	for i := len(s.all) - 1; i >= 0; i-- {
		c := s.all[i]
		stay, come := gone(-c.q*t), -fm.Expm1(-c.q*t)
		mean += c.n * come
		variance += c.n * come * stay
		rate += c.n * c.q * stay
		if come > 0 {
			bend += c.n * c.q * c.q * stay / come
		}
	}
	mean += s.fresh * t
	variance += s.fresh * t
	rate += s.fresh
	bend += s.fresh / t
	if s.last > 0 { // the terms for the last rank are approximate
		both := s.fresh + s.last
		mean -= s.last / both * fm.Expm1(-both*t)
		rate += s.last * gone(-both*t)
		variance += 0.25 // 1/4 is the largest variance of an indicator
	}
	return mean, variance, rate, bend
}

// A value of the type "wave" evaluates the characteristic function of N at angles x. The method "at" sets the time t of
// N(t).
type wave struct {
	s          *poisson
	t          float64
	come, stay []float64
}

func (s *poisson) wave() *wave {
	return &wave{s: s, come: make([]float64, len(s.all)), stay: make([]float64, len(s.all))}
}

// The function "step" permits an error of e^-stepExponent, which is below the rounding errors of the sums.
const stepExponent = 42

// mostArrivals is the largest number of arrivals that a cycle may have. The squares of larger numbers could exceed the
// range of float64.
const mostArrivals = 1e200

// termCost is the cost of one term of the method "log", expressed as a number of multiplications. The method computes
// one such term for each class of messages. Such terms make up most of the cost of exact rates.
const termCost = 8

// The method "terms" returns the number of terms that one call of the method "log" computes. Each of these terms
// costs termCost.
func (w *wave) terms() float64 { return float64(len(w.s.all) + 2) }

func (c *System) termsTooMany(terms float64) error {
	return fmt.Errorf("%w: %.2g terms of characteristic functions and more, at most %.2g", refuse.ErrTooCostly, terms, c.limit/termCost)
}

func (w *wave) at(t float64) {
	w.t = t
	for i, c := range w.s.all {
		w.come[i], w.stay[i] = -fm.Expm1(-c.q*t), gone(-c.q*t)
	}
}

// For 0 < x <= pi, the method "log" returns ln |E[e^(ixN)]| and the angle of E[e^(ixN)]. Consider a message of a given
// class. The probability that it has arrived is in the variable "come". The variable "stay" is 1-come. The factor of
// each class in E[e^(ixN)] is a power of 1 - come*(1 - e^(ix)). The squared absolute value of 1 - come*(1 - e^(ix)) is
// 1 - 4*come*stay*sin^2(x/2).
func (w *wave) log(x float64) (size, angle float64) {
	half, quarter := fm.SincosAny(x / 2) // sine and cosine of x/2
	sin := 2 * half * quarter
	dip := 2 * half * half // 1 - cos x
	for i, c := range w.s.all {
		come := w.come[i]
		if come == 0 {
			continue
		}
		if y := 2 * come * w.stay[i] * dip; y < 1 {
			size += c.n / 2 * fm.Log1p(-y)
		} else {
			return -fm.Inf(), 0
		}
		angle += c.n * fm.Atan2(come*sin, 1-come*dip)
	}
	l, p := w.s.fresh, w.s.last
	size -= l * w.t * dip
	angle += l * w.t * sin
	if p > 0 {
		z := complex(1-dip, sin)
		lz := complex(l, 0)*z + complex(p, 0)
		sin, cos := fm.SincosAny(imag(lz) * w.t)
		e := complex(gone(-real(lz)*w.t), 0) * complex(cos, -sin)
		j := z + (1-z)*(complex(l, 0)*z+complex(p, 0)*e)/lz
		size += fm.Log(abs(j))
		angle += fm.Atan2(imag(j), real(j))
	}
	return size, angle
}

// The function "step" returns a step h for the trapezoidal sum over t of E[f(N(t))], where |f| <= 1. Let L be the
// length of the time interval in which the expectation is not negligible. With this step the error of the sum is at
// most e^-stepExponent L. The argument "bend" is the sum b that the method "moments" returns for the first t. Consider
// a message with rate p. Consider the probabilities that it has arrived and that it has not arrived. At a complex time
// t+iy both are complex numbers. Their absolute values add up to slightly less than e^(p^2 y^2/(2 (e^(pt)-1))). So the
// absolute value of the expectation is at most e^(y^2 b/2). With y = 2 pi/(h b) the relative error is e^(-2 pi^2/(h^2
// b)).
func step(bend float64) float64 { return fm.TwoPi / 2 * fm.Sqrt(2/(stepExponent*bend)) }
