package accuracy

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/fnr"
)

// The type "filling" describes how distinct messages fill an array. The element fits[i] is the probability v_i that i
// messages fit into the array. In each of the other lists, element i is the probability of two events: i messages fit,
// and the next message has some property. In the list "lucky", all positions of the next message are set. In the list
// "unlucky", at least one position of the next message is clear. In the list "ends", the next message ends the cycle.
type filling struct {
	fits, lucky, unlucky, ends []float64
	err                        float64 // the error of these numbers: (8k+8) for each message, and 4k+8
}

// newFilling returns the filling of a bit-bounded filter. Let P be the probability that more messages fit. The lists
// end where P is below about 2^-110.
func newFilling(g bloomproof.Geometry, sigma uint64) filling {
	const rest = 0x1p-110
	var f filling
	p := []float64{1}
	for {
		v, hit := 0.0, 0.0
		for b, x := range p {
			v += x
			hit += x * matches(g, float64(b))
		}
		for q := range g.K {
			left := float64(g.M) - taken(g, q)
			next := make([]float64, len(p)+1)
			for b, x := range p {
				set := max(0, float64(b)-taken(g, q)) / left
				next[b] += x * set
				next[b+1] += x * (1 - set)
			}
			p = next
		}
		end := 0.0
		for b := sigma + 1; b < uint64(len(p)); b++ {
			end += p[b]
		}
		p = p[:min(uint64(len(p)), sigma+1)]
		f.fits, f.lucky, f.unlucky, f.ends = append(f.fits, v), append(f.lucky, hit), append(f.unlucky, v-hit), append(f.ends, end)
		if v == 0 || end > 0 && (v-end)*v/end <= rest {
			break
		}
	}
	k := float64(g.K)
	f.err = ((8*k+8)*float64(len(f.fits)) + 4*k + 8) * u
	return f
}

func total(x []float64) (sum float64) {
	for _, y := range x {
		sum += y
	}
	return sum
}

// The sums in the Markov models leave out some states. The method "states" returns the number of the other states. At
// some arrivals of a cycle, the filter is in an omitted state. The method also returns a bound of the mean number of
// these arrivals.
func (f filling) states(w bloomproof.Workload, q []float64) (n int, lost float64) {
	const rest = 0x1p-60
	n, least, left := len(f.fits), 1-w.Repeat, 0x1p-110
	if w.Repeat == 1 {
		least = q[len(q)-1] / 4
		if len(q) <= n {
			n, left = len(q), 0
		}
	}
	for n > 1 && left+f.fits[n-1] <= rest*least {
		n--
		left += f.fits[n]
	}
	return n, left / least
}

// The type "small" describes a small filter under a workload of few messages. All its states and messages can be
// listed.
type small struct {
	g    bloomproof.Geometry
	r    bloomproof.Recycling
	w    bloomproof.Workload
	q    []float64
	zeta []float64
	off  float64 // error of q, in u
	fill filling
}

func newSmall(g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload) *small {
	x := &small{g: g, r: r, w: w, off: popularityError(w.Popularity), fill: newFilling(g, r.Sigma)}
	x.q, x.zeta = listed(w)
	return x
}

// The method "arrive" computes equation (24) of the paper Dozier-FN. The argument g is a list of probabilities. Element
// i is the probability that message i is unrecorded. The paper writes this probability as 1-h. The method returns these
// probabilities after one more arrival. It also returns the probability that this arrival is unrecorded if it is a
// repeat. In equation (24), each probability g is multiplied by a factor. Only the disabling model needs the arguments
// "back" and e. The method subtracts the argument "back" from this factor. It divides the probability after the arrival
// by e. For the other models, the argument "back" is 0 and e is 1.
func (x *small) arrive(g []float64, back, e float64) (next []float64, missing float64) {
	fresh, below, above := 1-x.w.Repeat, 0.0, 0.0
	next = make([]float64, len(g))
	for i, p := range g {
		missing += x.q[i] * p
		after := total(x.zeta[i+1:])
		next[i] = max(0, ((x.w.Repeat*(1-x.q[i])+fresh*after-back)*p+fresh*below*above)/e)
		below += x.zeta[i]
		above = p
	}
	return next, missing
}

func (x *small) nothing() []float64 { return slices.Repeat([]float64{1}, len(x.q)) }

// StatedSmall returns error bounds of forecasts for a bit-bounded filter. There is one bound for each model that lists
// all messages.
func StatedSmall(g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload) (all []Stated, err error) {
	c, err := fnr.New(g, r, w)
	if err != nil {
		return nil, err
	}
	x := newSmall(g, r, w)
	n, lost := x.fill.states(w, x.q)
	for _, m := range fnr.Models() {
		f, err := c.Predict(m)
		if noForecast(err) || err == nil && f.FNR == 0 { // the filter holds all messages
			continue
		}
		if err != nil {
			return nil, err
		}
		s := Stated{Of: fmt.Sprintf("fnr.Forecast.Bound of %v, %v, %v", g, r, w), Method: string(m), Bound: f.Bound}
		slack, markov := x.slack(m, n)
		switch {
		case markov:
			// A rate is a quotient of two sums of n products. Each product has three factors. The errors of these
			// factors come from the filling and from the probabilities of the model.
			s.Again = 3*(x.fill.err+slack+float64(n+8)*u) + 2*lost/f.Cycle
		case m == fnr.ModelExact && !r.TwoPhase && !x.equal():
			s.Again, s.most = x.exactly(f), mostExact
		case (m == fnr.ModelRenewal || m == "renewal-extended") && !r.TwoPhase && !r.Retain:
			s.Again = x.renewal(f, m != fnr.ModelRenewal)
		case m == "renewal-leave-one-out" && !r.Retain:
			own, err := c.Predict(fnr.ModelRenewal)
			if err != nil {
				return nil, err
			}
			s.Again = x.renewal(own, false) + x.leaveOneOut(f)
		default:
			continue
		}
		if r.TwoPhase {
			s.Method += ", two phases"
		}
		all = append(all, s)
	}
	return all, nil
}

func (x *small) equal() bool { return x.w.Repeat == 1 && x.q[0] == x.q[len(x.q)-1] }

// For the exact model, the method "exactly" returns the error bound. It leaves out the error of the trapezoidal rule,
// which is smaller. Let N be the number of messages that are recorded by the time t. Let phi be the characteristic
// function of N. Multiply phi by the Fourier transform of the list "fits". The mean of this product over n angles is
// the probability that the N messages fit. Phi is a product with one factor for each message. So each factor adds an
// error that is proportional to the absolute value of its logarithm. An error e of the popularities changes the time of
// a message's first arrival. Substitute t = a ln(1+e^y). The integral over t is then computed as a sum over y with the
// step 1/4. Let P be the probability that the cycle goes on. In package approx, this sum ends when P is below 10^-16.
// Here it ends a few terms earlier, when P is below 10^-13. The reason is that its rounding errors are larger. The
// function "later" bounds the sum of the omitted terms. The errors of these integrals are multiplied by 1-p_r. Then
// they are divided by the number of events of one kind: false negatives, lucky arrivals or false positives. The
// probabilities of the type "filling" also have an error. Four times this error is added.
func (x *small) exactly(f fnr.Forecast) float64 {
	rows, l := len(x.fill.fits), 1-x.w.Repeat
	old, last := x.q, 0.0
	if l == 0 {
		rows = min(rows, len(x.q))
	} else {
		old, last = x.q[:len(x.q)-1], x.w.Repeat*x.q[len(x.q)-1]
	}
	fits, lucky := x.fill.fits[:rows], x.fill.lucky[:rows]
	all, hits := total(fits), total(lucky)
	n := 2*rows + 100
	transform := func(of []float64, j int) (sum complex128) {
		for i, v := range of {
			sum += cmplx.Rect(v, -2*math.Pi*float64(i)*float64(j)/float64(n))
		}
		return sum
	}
	end := 1.0
	bend := 0.0
	for ; ; end *= 1.25 {
		mean := l * end
		if last > 0 {
			mean += last / (l + last) * -math.Expm1(-(l+last)*end)
		}
		bend = l / end
		for _, q := range old {
			p := x.w.Repeat * q
			mean -= math.Expm1(-p * end)
			bend += p * p / math.Expm1(p*end)
		}
		if mean >= all/2 {
			break
		}
	}
	h := math.Pi * math.Sqrt(2/(42*bend)) / 2
	e := (12*x.w.Popularity.Alpha + 32) * u
	offV, offG := 0.0, 0.0
	for y := -36.0; ; y += 0.25 {
		t := 4 * h * math.Log1p(math.Exp(y))
		come := make([]float64, len(old))
		mean, variance, move := l*t, 0.0, 0.0
		for i, q := range old {
			p := x.w.Repeat * q * t
			come[i] = -math.Expm1(-p)
			mean += come[i]
			variance += come[i] * (1 - come[i])
			move += p * (1 - come[i])
		}
		still, errV, errG := 0.0, 0.0, 0.0
		for j := range n/2 + 1 {
			angle := 2 * math.Pi * float64(j) / float64(n)
			z := cmplx.Rect(1, angle)
			dip := 1 - real(z)
			if math.Log1p(l*t)-dip*variance-l*t*min(1, dip) < -60 {
				break
			}
			phi, sizes, angles := complex(1, 0), 0.0, 0.0
			factor := func(d complex128) {
				phi *= d
				sizes += math.Abs(math.Log(cmplx.Abs(d)))
				angles += math.Abs(cmplx.Phase(d))
			}
			for _, c := range come {
				factor(1 + complex(c, 0)*(z-1))
			}
			listed := cmplx.Abs(phi)
			phi *= cmplx.Exp(complex(l*t, 0) * (z - 1))
			sizes += l * t * dip
			angles += l * t * imag(z)
			if last > 0 {
				both := complex(l, 0)*z + complex(last, 0)
				factor(1 + complex(last, 0)*(z-1)*(1-cmplx.Exp(-both*complex(t, 0)))/both)
			}
			off, near := 0.0, 2.0
			if dip > 1.5 {
				off, near = e+200*u, 12
			}
			if last > 0 {
				off += (5*e + 160*u) * listed
			}
			r := cmplx.Abs(phi)
			off += r * (e*cmplx.Abs(z-1)*(near*move+l*t) + u*(54*sizes+99*angles+3*near*angle*mean+16))
			share := 2 / float64(n)
			if j == 0 {
				off = 0
			}
			if j == 0 || 2*j == n {
				share /= 2
			}
			a, b := transform(fits, j), transform(lucky, j)
			still += share * real(phi*a)
			errV += share * (off*cmplx.Abs(a) + 7*u*r*all)
			errG += share * (off*cmplx.Abs(b) + 7*u*r*hits)
		}
		weight := h / (1 + math.Exp(-y))
		offV += weight * errV
		offG += weight * errG
		if t > end && still < 1e-13 {
			left := 1e-16 + errV
			for z := 0.01; z < 1; z += 0.01 { // Markov's inequality for z^N
				most := 0.0
				for i, v := range fits {
					most = max(most, v*math.Pow(z, -float64(i)))
				}
				left = min(left, most*math.Exp((z-1)*mean))
			}
			moreV, moreG := x.later(old, fits, lucky)
			offV += left * math.Exp(0.25) * moreV
			offG += left * math.Exp(0.25) * moreG
			break
		}
	}
	v, missed, luck, positive := f.Cycle, f.FNR*f.Cycle, f.Lucky*f.Cycle, f.FPRPerNew*f.Cycle
	share := max(1, all/missed)
	if luck > 0 {
		share = max(share, hits/luck)
	}
	off := max(l*(offV+offG)/missed, l*offG/max(luck, 1e-300), offG/positive)
	return offV/v + off + (16*u+4*x.fill.err)*share
}

// The method "later" returns the mean number of further arrivals in a cycle. It also returns how many of these find all
// their positions set. Both numbers are for the worst state of the cycle. In this state, the most popular messages are
// recorded.
func (x *small) later(old, fits, lucky []float64) (arrivals, hits float64) {
	all := total(old)
	for i, fit := range fits {
		if fit == 0 {
			continue
		}
		waitV, waitG := 0.0, 0.0
		for j := i; j < len(fits); j++ {
			rate := 1 - x.w.Repeat
			if j < len(old) {
				rate += x.w.Repeat * (all - total(old[:j]))
			}
			waitV += fits[j] / fit / rate
			waitG += slices.Max(lucky[j:]) / fit / rate
		}
		arrivals, hits = max(arrivals, waitV), max(hits, waitG)
	}
	return arrivals, hits
}

// In a Markov model of n states, one probability has an error. The method "slack" returns a bound of this error. With
// one array, this is the probability that a repeat is unrecorded. With two arrays, it is the probability that a repeat
// is in neither array.
func (x *small) slack(m fnr.Model, n int) (bound float64, markov bool) {
	d, other := float64(len(x.q)), n
	if x.r.TwoPhase {
		other = n + 1 // states of the frozen array
	}
	switch m {
	case "lower": // sums of up to D probabilities
		return (d + 1 + x.off + 4) * u, true
	case "biuniform": // seven roundings a step, and p_h and p_l
		return ((8+2*x.off)*float64(other) + 3*x.off + 40) * u, true
	case "replacement":
		draws := n
		if x.r.TwoPhase {
			draws += other
		}
		return x.drawn(draws), true
	case "pins":
		return x.drawn(x.pins(other)), true
	case "pins-arrivals":
		arrivals, condition := x.pinsArrivals(other)
		return missingError(x.w, arrivals) * u * (1 + condition), true
	case "disabling": // the errors of an arrival, of a subtraction and of the division by e
		return ((x.off+6+6)*float64(n)/x.leastLeft(n) + d) * u, true
	}
	return 0, false
}

// The method "phases" returns 2 if the error concerns two arrays together, and 1 otherwise.
func (x *small) phases() int {
	if x.r.TwoPhase {
		return 2
	}
	return 1
}

// Let P be the probability that a message was not among n draws. The method "drawn" returns a bound of the error of P.
// Let q_0 be the largest popularity. Each draw adds two terms to the bound: seven roundings, and twice the error of
// q_0. P is a sum over the D messages, so it is also rounded D times. If q_0 > 1/2, the sum of all popularities except
// q_0 is needed. The bound then includes the error of this sum. For 25 messages or more, P is interpolated. The bound
// then includes the error of the interpolation.
func (x *small) drawn(n int) float64 {
	bound := (7+2*x.off*x.q[0])*float64(n) + float64(len(x.q)) + x.off
	if others := total(x.q[1:]); x.q[0] > 0.5 && others > 0 {
		bound -= 4 * math.Log(others)
	}
	if len(x.q) > 24 {
		bound += 1 << 16
	}
	return bound * u
}

// Let d be the number of distinct messages in the last state of the model. Choose l so that the mean number of distinct
// messages is nearest to d after l draws. For one array, the method "pins" returns l+1. For two arrays, it returns
// 2l+1.
func (x *small) pins(n int) int {
	mean := func(l int) (sum float64) { // the mean number of distinct messages after l draws
		for _, q := range x.q {
			sum += 1 - math.Pow(1-q, float64(l))
		}
		return sum
	}
	last, l := float64(min(n, len(x.q))-1), 0
	for math.Abs(mean(l+1)-last) < math.Abs(mean(l)-last) {
		l++
	}
	return x.phases()*l + 1
}

// Let d be the number of distinct messages in the last of n states. Choose l so that the mean number of distinct
// messages reaches d after l arrivals. For one array, the method pinsArrivals returns a number slightly above l. For
// two arrays, it returns a number slightly above 2l. Let R be the probability that a repeat is unrecorded. It is a
// function of the number of distinct messages. This function has a condition number in each of the n states. The method
// also returns the largest of these numbers.
func (x *small) pinsArrivals(n int) (arrivals, condition float64) {
	if x.w.Repeat == 1 {
		n = min(n, len(x.q))
	}
	g := x.nothing()
	g, rate := x.arrive(g, 0, 1)
	distinct, at := 0.0, 0
	for i := 1; i < n; i++ {
		for {
			next, later := x.arrive(g, 0, 1)
			step := 1 - x.w.Repeat + x.w.Repeat*rate
			if distinct+step < float64(i) {
				distinct, rate, g = distinct+step, later, next
				at++
				continue
			}
			condition = max(condition, (rate-later)/later*float64(i)/step)
			break
		}
	}
	return float64(x.phases()*(at+1) + 2), condition
}

// In each state of the disabling model, an arrival changes the state with some probability. The method leastLeft
// returns the smallest of these probabilities over the first n states.
func (x *small) leastLeft(n int) float64 {
	g, least := x.nothing(), 1.0
	for range n {
		_, missing := x.arrive(g, 0, 1)
		e := 1 - x.w.Repeat + x.w.Repeat*missing
		least = min(least, e)
		g, _ = x.arrive(g, 1-e, e)
	}
	return least
}

// The type "followed" describes the arrivals of a cycle. For each arrival, the list "missing" has the probability R
// that a repeat is unrecorded. This list ends after some number of arrivals. The field "rest" is the mean number of
// later arrivals. After the last arrival, some number of messages are recorded. The field "law" is the distribution of
// this number.
type followed struct {
	missing []float64
	law     []float64
	rest    float64
}

// The method "follow" lets messages arrive, 32 at a time. It ends when few further arrivals of the cycle are expected.
// Their mean number is then at most 2^-46 times the sum of the list "levels". The element levels[n] is the probability
// that n messages fit.
func (x *small) follow(levels []float64) (c followed) {
	const rest = 0x1p-46
	fresh := 1 - x.w.Repeat
	tails := make([]float64, len(levels)+1)
	for n := len(levels) - 1; n >= 0; n-- {
		tails[n] = tails[n+1] + levels[n]
	}
	g := x.nothing()
	c.law = make([]float64, len(levels))
	c.law[0] = 1
	for {
		for range 32 {
			next, missing := x.arrive(g, 0, 1)
			c.missing = append(c.missing, missing)
			record(c.law, fresh+x.w.Repeat*missing)
			g = next
		}
		c.rest = 0
		if fresh > 0 {
			for n, p := range c.law {
				c.rest += p * tails[n] / fresh
			}
		} else {
			alive, each := 0.0, 0.0
			for n, p := range c.law {
				alive += p * levels[n]
			}
			for i, p := range g {
				each += p/x.q[i] + float64(len(c.missing))*p
			}
			c.rest = alive * each
		}
		if c.rest <= rest*tails[0] {
			return c
		}
	}
}

// The variable "law" has the distribution of the number of recorded messages. The function "record" updates it for one
// more arrival. This arrival is recorded with probability eta.
func record(law []float64, eta float64) {
	for n := len(law) - 1; n >= 0; n-- {
		law[n] *= 1 - eta
		if n > 0 {
			law[n] += eta * law[n-1]
		}
	}
}

// The method "renewal" returns a bound for one array that begins empty. The comment of renewal.bound derives this
// bound.
func (x *small) renewal(f fnr.Forecast, extended bool) float64 {
	wide := newFilling(x.g, min(x.r.Sigma+uint64(x.g.K), x.g.M-1))
	c := x.follow(wide.fits)
	j, rows := float64(len(c.missing)), float64(len(wide.fits))
	fresh := 1 - x.w.Repeat
	least := fresh + x.w.Repeat*slices.Min(c.missing)
	change := missingError(x.w, j) * u * rows // the change of all R together, while the cycle goes on
	loss := func(value float64, of filling, y []float64) float64 {
		varies, most, share, last := 0.0, 0.0, 0.0, 0.0
		for n := len(y) - 1; n >= 0; n-- {
			varies += math.Abs(y[n] - last)
			most, last = max(most, y[n]), y[n]
			if y[n] > 0 {
				share = max(share, y[n]/of.fits[n])
			}
		}
		return (change*min(varies/least, j*most) + c.rest*share) / value
	}
	v := f.Cycle
	loud := x.fill
	if extended {
		loud = wide
	}
	worst := loss(f.FPRPerNew*v, x.fill, x.fill.lucky)
	worst = max(worst, loss(f.Lucky*v/x.w.Repeat, x.fill, x.fill.lucky), loss(f.FNR*v/x.w.Repeat, loud, loud.unlucky))
	worst += loss(v, x.fill, x.fill.fits)
	forward := missingError(x.w, j)*u + c.rest/v // the second bound: all terms are positive
	for i, r := range c.missing {
		if i > 0 {
			forward += missingError(x.w, float64(i)) * u * max(1, min(r/(1-r), 1/u))
		}
	}
	never := 0.0
	if x.w.Repeat == 1 {
		for n, p := range c.law[:len(x.fill.fits)] {
			never += p * x.fill.fits[n]
		}
	}
	return 2*min(worst, forward) + 4*max(x.fill.err, loud.err) + (8*j*(1+never*j/v)+2*rows+100)*u
}

// The error of the leave-one-out model has two parts. The function leaveOneOut bounds one of them. The other part also
// occurs in the renewal model. For each message, the model computes the probability R that a repeat of another message
// is unrecorded. Each R has an error. The bound uses the largest of these errors for every message.
func (x *small) leaveOneOut(f fnr.Forecast) float64 {
	const out = 0x1p-60
	var classes []ranks
	for _, q := range x.q {
		if n := len(classes); n == 0 || classes[n-1].q != q {
			classes = append(classes, ranks{q: q})
		}
		classes[len(classes)-1].count++
	}
	longest, rest, worst := 0.0, 0.0, 0.0
	for i, own := range classes {
		others := slices.Clone(classes)
		if others[i].count--; others[i].count == 0 {
			others = slices.Delete(others, i, i+1)
		}
		law := make([]float64, len(x.fill.fits))
		law[0] = 1
		left := own.count
		for j := 1.0; ; j++ {
			later := 0.0
			for n, p := range law {
				later += p * x.fill.fits[n]
			}
			if later *= left; later <= out*own.count {
				rest += later
				break
			}
			missing := 0.0
			for _, o := range others {
				q := o.q / (1 - own.q)
				missing += o.count * q * math.Pow(max(0, 1-q), j-1)
			}
			record(law, min(missing, 1))
			left *= 1 - own.q
			longest = max(longest, j)
			off := 2*x.off + 2 // the error of q/(1-q_i)
			worst = max(worst, (off+6)*j+off+9+float64(len(others)))
		}
	}
	rows := float64(len(x.fill.fits))
	change := float64(len(x.q)) * worst * u * rows
	bound := (change+rest)/(f.FNR*f.Cycle) + (4*longest+rows)*u + x.fill.err
	if f.Lucky > 0 {
		bound += (change*slices.Max(x.fill.lucky) + rest) / (f.Lucky * f.Cycle)
	}
	return bound
}
