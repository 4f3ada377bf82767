package accuracy

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/fnr"
	approxrecycling "github.com/bloomproof/bloomproof/approx/recycling"
)

// Some models have no forecast for some filters. The function noForecast reports whether an error says only this. If it
// does, the check of the bounds leaves out this forecast.
func noForecast(err error) bool {
	var bad *bloomproof.ParamError
	return errors.As(err, &bad) || errors.Is(err, bloomproof.ErrUndefined) || errors.Is(err, bloomproof.ErrTooCostly)
}

// The type "setting" has a recycling filter, a workload, and the curve of the workload.
type setting struct {
	g bloomproof.Geometry
	r bloomproof.Recycling
	w bloomproof.Workload
	c curve
}

// newSetting returns the setting of a filter of shape g with the rule r under the workload w. If messages change their
// ranks, the argument "arrivals" must be the approximate number of arrivals in a cycle.
func newSetting(g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload, arrivals float64) setting {
	s := setting{g: g, r: r, w: w}
	if w.Repeat == 1 || w.Arrivals == bloomproof.ArrivalLast {
		s.c = newSteadyCurve(w)
	} else {
		s.c = newMovingCurve(w, int(2.3*arrivals)+2)
	}
	return s
}

// mostStated is the largest error bound of a valid forecast for large filters. If the bound would be larger, the
// forecast is not valid, and its stated bound is 1.
const mostStated = 0.25

// StatedLarge returns the error bound of each forecast that comes from the expansion for large filters. These are the
// forecasts of the renewal models, of the fluid model and of the exact model.
func StatedLarge(g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload, models ...fnr.Model) (all []Stated, err error) {
	c, err := fnr.New(g, r, w)
	if err != nil {
		return nil, err
	}
	for _, m := range models {
		equal := w.Repeat == 1 && w.Popularity.Weight(0) == w.Popularity.Weight(w.Popularity.D-1)
		if m == fnr.ModelExact && (setting{g: g, r: r}.messages() < 1<<11 || r.Messages > 0 || equal) {
			continue // the model lists the messages, or is a Markov model
		}
		f, err := c.Predict(m)
		if noForecast(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		x := newSetting(g, r, w, f.Cycle)
		s := Stated{Of: fmt.Sprintf("fnr.Forecast.Bound of %v, %v, %v", g, r, w), Method: string(m) + ", large", Bound: f.Bound}
		switch m {
		case "fluid":
			s.Again = x.fluid(f)
		case fnr.ModelExact:
			s.Again, err = x.exactly(f)
		default:
			x.r.Retain = m == fnr.ModelRenewalRetaining
			s.Again, err = x.expansion(f)
			if m == "renewal-extended" && err == nil {
				wide := x
				wide.r.Sigma = min(r.Sigma+uint64(g.K), g.M-1)
				var at fnr.Forecast
				if at, err = forecastOf(wide, fnr.ModelRenewal); err == nil {
					var more float64
					more, err = wide.expansion(at)
					own, _ := forecastOf(x, fnr.ModelRenewal)
					s.Again, _ = x.expansion(own)
					s.Again = min(s.Again+more, 1)
				}
			}
		}
		if err != nil {
			return nil, err
		}
		if s.Again > mostStated && !f.Valid && strings.Contains(f.Note, "Bound does not hold") {
			s.Again = 1
		}
		if r.TwoPhase {
			s.Method += ", two phases"
		}
		all = append(all, s)
	}
	return all, nil
}

func forecastOf(x setting, m fnr.Model) (fnr.Forecast, error) {
	c, err := fnr.New(x.g, x.r, x.w)
	if err != nil {
		return fnr.Forecast{}, err
	}
	return c.Predict(m)
}

// The method "fluid" returns the error of the fluid model. Take the difference of two sums over the curve. Subtract the
// number of lucky arrivals (see jitter). The result is the number of false negatives. Four numbers have errors: the two
// sums, the number of lucky arrivals, and the length of the cycle. The curve can be a steadyCurve. Then the integrals
// that count lucky arrivals have an error of 2^-37. For other curves, the logarithm of the integrand is nearly linear
// between two integers. Then an integral has an error of 2^-51 in each interval between two integers. Another error of
// 2^-55 comes from the beginning of the first interval. The other errors are roundings. The rates near the end of the
// cycle are needed. So one arrival is added to the approximate number of arrivals.
func (x setting) fluid(f fnr.Forecast) float64 {
	n, before := f.Cycle, 0.0
	if x.r.TwoPhase {
		before = n
	}
	start, startRate, _ := x.c.stale(before)
	end, endRate, _ := x.c.stale(before + n)
	_, rate, _ := x.c.stale(n)
	frozen := 0.0
	if x.r.TwoPhase {
		frozen = math.Pow(-math.Expm1(x.messages()*clearOf(x.g, 1)), float64(x.g.K))
		endRate = max(startRate, endRate)
	}
	const u = 1. / (1 << 53)
	off := x.c.err(n + before)
	panels := 1. / (1 << 37)
	if _, steady := x.c.(*steadyCurve); !steady {
		panels = 17. / (1 << 55)
	}
	sums := (panels + float64(x.g.K+2)*(off+28*u) + 64*u) / (1 - frozen)
	cycle := (off + 20*u) * x.messages() / (1 - x.w.Repeat + rate)
	hits := max(f.Lucky*n-frozen*(end-start), 0) / (1 - frozen)
	missed := off*(start+end) + 2*endRate*cycle + sums*hits
	return missed/(f.FNR*n) + cycle/n + 2*sums
}

// The type "filledBy" describes the array at the end of a cycle. All messages of this cycle are new. The field
// "messages" is their number. The field "lucky" is the number of these messages that set no bit. The field "err" is the
// relative error of both numbers.
type filledBy struct{ messages, lucky, err float64 }

func (x setting) filled() (filledBy, error) {
	r := bloomproof.Recycling{Sigma: x.r.Sigma, Messages: x.r.Messages, FreshPositions: true}
	c, err := approxrecycling.New(x.g, r)
	if err != nil {
		return filledBy{}, err
	}
	a := filledBy{messages: c.Capacity(), lucky: c.FPR() * c.Capacity()}
	a.err = c.Bound() * a.messages / (a.messages - a.lucky)
	return a, nil
}

// The method "messages" returns approximately the number of messages that fit into the array.
func (x setting) messages() float64 {
	return math.Log1p(-float64(x.r.Sigma)/float64(x.g.M)) / clearOf(x.g, 1)
}

// The method "spread" returns the variance of the number of messages that fit into the array. The variance is computed
// as a quotient. Let n be the number of set bits after a.messages messages. The numerator is the variance of n. Let b
// be the mean number of bits that one more message newly sets. The denominator is b^2.
func (x setting) spread(a filledBy) float64 {
	if x.r.Messages > 0 {
		return a.lucky
	}
	m, one, two := float64(x.g.M), clearOf(x.g, 1), clearOf(x.g, 2)
	p := math.Exp(a.messages * one)
	both := math.Exp(a.messages * two)
	// The variance is m*p + m*(m-1)*both - (m*p)^2. The next line computes it without cancellation. Here p is the
	// probability that a given bit is clear. The variable "both" is the probability that two given bits are clear.
	variance := m*p*(1-p) + m*(m-1)*p*p*math.Expm1(math.Log(both)-2*math.Log(p))
	return max(variance/(m*p*one*m*p*one), 0)
}

// Some repeats are of messages that are not recorded. If all positions of such a repeat are set, it is a lucky arrival.
// The number of set bits is random. This causes an error in the number of lucky arrivals. The method "jitter" returns
// the relative size of this error. It is about 4(k+1)/y, where y is the number of recorded messages.
func (x setting) jitter(i cycleIntegrals, y float64) float64 {
	if i.lucky > 0 {
		return 4 * float64(x.g.K+1) * i.few / i.lucky
	}
	return 4 * float64(x.g.K+1) / y
}

// If the jitter is above 1, the order of magnitude of this error is unknown. Lucky arrivals then come mostly when few
// messages are recorded. In this case, the number of lucky arrivals has an additional error. The method "early" returns
// it. This error is an upper bound of the number of lucky arrivals for random numbers of recorded messages (see
// cycleIntegrals.random). The argument "at" has the integrals for these arrivals. The argument i has the integrals of a
// single cycle.
func (x setting) early(jitter float64, a filledBy, i, at cycleIntegrals) float64 {
	if jitter <= 1 || i.all == 0 {
		return 0
	}
	return a.lucky * at.random / i.all
}

// The method "rest" returns the error of the numbers other than FNR and Cycle. The comments of Forecast.Bound and of
// "hits" in approx/fnr/large.go describe it. Usually this error is the jitter. If the jitter is above mostStated, it is
// not used. Then two errors are added. The first is the jitter of the false positives, whose rate is the same
// throughout a cycle. The second is the argument "off". It is the error of the number of lucky arrivals, divided by
// Lucky + FNR FPRPerNew. With two phases, FPRPerCycleNew also depends on Lucky: its numerator is Lucky + FPR.
func (x setting) rest(f fnr.Forecast, jitter float64, i cycleIntegrals, off float64) float64 {
	if jitter <= mostStated {
		return jitter
	}
	thin := 4 * float64(x.g.K+1) * i.thin / i.times
	size := f.Lucky + f.FNR*f.FPRPerNew
	if x.r.TwoPhase {
		size = min(size, f.Lucky+f.FPR)
	}
	return thin + off/f.Cycle/size
}

// The method "expansion" returns the error bound of the expansion in approx/fnr/large.go. The comment of that file
// defines the symbols. The error of V, the mean number of arrivals in a cycle, has four terms. Let n2 be the second
// derivative of n. The first term is s^2/2 |n2(c-s) - n2(c+s)|. Let y be the number of recorded messages. The second
// term is n2 s^2/2 (0.01 + 10/y). A retained message changes V. The third term is this change. The fourth term is the
// error of c. The error of the number of false negatives has three terms. The first is the product of the error of V
// and the rate of unrecorded arrivals. The second is the error of the number of lucky arrivals (see jitter). The third
// is the error of the curve.
func (x setting) expansion(f fnr.Forecast) (float64, error) {
	a, err := x.filled()
	if err != nil {
		return 0, err
	}
	y := a.messages
	if x.r.Retain {
		y--
	}
	fresh, v := 1-x.w.Repeat, f.Cycle
	bend := func(n float64) float64 { // n''
		_, rate, slope := x.c.stale(n)
		return -slope / math.Pow(fresh+rate, 3)
	}
	s2 := 0.0
	n := v
	var i cycleIntegrals
	for range 2 { // V is n plus a small term
		i = integrate(x.g, x.w, x.c, n, 0)
		s2 = max(x.spread(a)+y-i.squares, 0)
		n = v - bend(n)*s2/2
	}
	sum, rate, _ := x.c.stale(n)
	e, s := fresh+rate, math.Sqrt(s2)
	shift := bend(n) * s2 / 2
	third := math.Abs(bend(n+s/e)-bend(max(n-s/e, 1))) * s2 / 2
	kept := 0.0
	if x.r.Retain {
		kept = x.c.keeps()
	}
	off := third + (0.01+10/y)*shift + kept/e + a.err*y/e
	jitter := x.jitter(i, y)
	lucky := jitter*a.lucky*i.lucky/i.all + x.early(jitter, a, i, i)
	own := lucky // the error of the number of lucky arrivals that Lucky counts
	wrong := off*max(fresh, rate) + lucky + x.c.err(n)*sum
	if x.r.TwoPhase {
		end, endRate, endSlope := x.c.stale(2 * v)
		start, startRate, startSlope := x.c.stale(v)
		turn := math.Abs(endSlope-startSlope/2) * s2 / (e * e)
		off++ // the arrival between the cycles
		wrong = off*(startRate-endRate) + (0.1+10/y)*turn + lucky + x.c.err(2*v)*end + x.c.err(v)*start
		if x.r.FreezeBefore && !x.r.Retain {
			wrong += min(1, x.w.Repeat*v) / 2 // the message that ended the cycle
		}
		// The number Lucky also includes repeats in the next cycle. If the frozen array matches, all these repeats are
		// lucky.
		both := integrate(x.g, x.w, x.c, n, v)
		frozen := math.Pow(-math.Expm1(x.messages()*clearOf(x.g, 1)), float64(x.g.K))
		own = (1 - frozen) * (jitter*a.lucky*both.lucky/i.all + x.early(jitter, a, i, both))
	}
	if wrong > f.FNR*v/4 {
		return 1, nil
	}
	return min(1, max(x.rest(f, jitter, i, own), wrong/(f.FNR*v))+2*off/v), nil
}

// The method "exactly" returns the bound of the exact model. Let e be the error of the number of messages in a cycle.
// The sums of this model have the relative error 10^-11 + e. The method "jitter" returns the relative error of the
// number of lucky arrivals.
func (x setting) exactly(f fnr.Forecast) (float64, error) {
	a, err := x.filled()
	if err != nil {
		return 0, err
	}
	const sums = 1e-11
	i := integrate(x.g, x.w, x.c, f.Cycle, 0)
	jitter := x.jitter(i, a.messages)
	lucky := jitter*f.Lucky*f.Cycle + x.early(jitter, a, i, i)
	off := (sums+a.err)*a.messages + lucky
	return max(x.rest(f, jitter, i, lucky), off/(f.FNR*f.Cycle)) + sums + a.err, nil
}
