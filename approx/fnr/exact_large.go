package fnr

import (
	"fmt"

	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// Let I be the number of messages that fit into an array. Let v_i be the probability that i messages fit into it. Let
// N(t) be the number of messages recorded by the time t. In a large filter, E[v_N(t)] = P[N(t) <= I] is nearly 1 at
// first. It then falls to 0 within a few standard deviations. The integral of P[N(t) <= I] over t is computed as a sum.
// This sum needs only the times at which the probability falls from 1 to 0. With standard hashing P[N(t) <= I] follows
// from a characteristic function. The reason is that i messages choose ki independent positions. They are like balls
// that are thrown into m bins one after the other. Let T be the number of balls thrown until sigma+1 bits are set. Then
// i messages fit if T > ki. T is a sum of independent geometric variables. With b bits set, a ball sets another bit
// with probability (m-b)/m. So Z = T - kN is a sum of independent variables. N messages fit if and only if Z is at
// least 1. This has the following probability:
//
//	P[Z >= 1] = 1/2 + 1/(2 pi) integral over 0 < x < pi of Im(E[e^(ixZ)] e^(-ix/2))/sin(x/2).
//
// The integral is computed by the midpoint rule with step h. The error is at most P[|Z - 1/2| > pi/h]. Let s be the
// standard deviation of Z. This probability is negligible if pi/h is at least s times the constant "aliased".
// E[e^(ixZ)] is negligible for x > farOut/s.
//
// The comment in exact.go defines the integral G. The method "integrals" computes G by the expansion for large filters.
// So G has the error of that expansion.

const (
	// The integrand P[N(t) <= I] falls from 1 to 0. Consider a time that is more than farOut standard deviations away
	// from the middle of this fall. There the integrand differs from 1 or from 0 by at most 1e-19. This estimate uses
	// the tail of a normal distribution, because the variables are sums of thousands of terms.
	farOut = 9

	// The first and the last time of the sum must lie far from the time at which the integrand is about 1/2. This
	// distance must be about farOut standard deviations or more. Neither time needs to be accurate. An error of
	// edgeShare times the standard deviation of N is permitted. A relative error of edgeDigits is permitted too.
	edgeShare  = 1e-3
	edgeDigits = 1e-14

	// The sum goes over the times at which P[N(t) <= I] falls from 1 to 0. It has at least fewestSteps steps.
	fewestSteps = 8

	// The integral of E[e^(ixZ)] over x (see the top of this file) is computed as a sum. The constant "aliased"
	// determines the step of x. Consider the probability that Z deviates from its mean by more than 20 standard
	// deviations. This probability is below e^-200, and it bounds the error of the sum.
	aliased = 20

	// A characteristic function is negligible if its logarithm is below faintWave. The number e^-45 is 3e-20.
	faintWave = -45

	// sumError is the relative error of the sums in this file. Where the characteristic functions are not negligible,
	// their angles are about 10^6. Each angle has a relative error of u = 2^-53. The constant sumError is an estimate,
	// and not proven (see Forecast.Estimated). TestExactLargeIsSmall compares these sums with the sums of exactSmall.
	// The differences that it found are below 1e-13.
	sumError = 1e-11

	// A computed number of false negatives is returned only if it is at least clearlyMore times its error.
	clearlyMore = 4
)

// A tally describes an approximation of the sum of a smooth function over many integers b < m. The approximation is a
// weighted sum of the function at a few nodes. The slice "left" holds m-b for each node b, because float64 cannot tell
// b from m if m is above 2^53. The slice "weight" holds the weights of the nodes.
type tally struct{ left, weight []float64 }

// ballSum returns the nodes for sums over b = 0..sigma of functions that are singular at b = m. The range of b is
// divided into blocks. If b is the largest number in a block, the block has m-b numbers. Only the block that begins at
// 0 can have fewer numbers. Each block has its own nodes.
func ballSum(m, sigma uint64) tally {
	var s tally
	for high := sigma + 1; high > 0; {
		n := min(high, max(m-high+1, 1))
		if n <= 2*gramNodes {
			for b := high - n; b < high; b++ {
				s.left, s.weight = append(s.left, float64(m-b)), append(s.weight, 1)
			}
		} else {
			x, w := gramRule(float64(n))
			for i := range x {
				// The nodes lie symmetrically: n-1-x[i] is also a node, with the same weight.
				s.left, s.weight = append(s.left, float64(m-high+1)+x[i]), append(s.weight, w[i])
			}
		}
		high -= n
	}
	return s
}

// The method "log" returns ln |E[e^(ixT)]|. The second result is phi - x (sigma+1), where phi is the angle of
// E[e^(ixT)]. The comment at the top of this file defines T, the number of balls thrown until sigma+1 bits are set. Let
// s = b/m. The product of E[e^(ixT)] and e^(-ix (sigma+1)) is itself a product. For each b = 0..sigma it has the factor
//
//	(1-s)/(1 - s e^(ix)).
func (s tally) log(m, x float64) (size, angle float64) {
	half, other := fm.SincosAny(x / 2)
	sin, dip := 2*half*other, 2*half*half
	for i, left := range s.left {
		free := left / m
		set := (m - left) / m
		// The term follows from |1 - s e^(ix)|^2 = (1-s)^2 + 2 s (1-cos x). Here s is the variable "set", and 1-s is
		// the variable "free".
		size -= s.weight[i] / 2 * fm.Log1p(2*set*dip/(free*free))
		angle += s.weight[i] * fm.Atan2(set*sin, free+set*dip)
	}
	return size, angle
}

// exactLarge returns the rates of a large filter.
func (c *System) exactLarge(s *poisson, x large, l load) (Forecast, error) {
	if message.Avoids(c.g) || c.r.Messages > 0 {
		return Forecast{}, fmt.Errorf("%w: %.3g messages in a cycle; with classic hashing and for the message-bounded rule, at most %d", refuse.ErrTooCostly, l.messages, mostListedLaw)
	}
	m, k := float64(c.g.M), float64(c.g.K)
	balls := ballSum(c.g.M, c.r.Sigma)
	mean, variance := 0.0, 0.0 // the mean and the variance of T
	for i, left := range balls.left {
		free := left / m
		mean += balls.weight[i] / free
		variance += balls.weight[i] * ((m - left) / m) / (free * free)
	}
	// The quotient of the mean of Z and its standard deviation depends on the time. The function "at" returns the time
	// at which this quotient equals the argument (see the top of this file).
	at := func(deviations float64) (t float64, ok bool) {
		low, high := 0.0, l.messages
		above := func(t float64) bool {
			n, v, _, _ := s.moments(t)
			return mean-k*n > deviations*fm.Sqrt(variance+k*k*v)
		}
		for above(high) {
			if low, high = high, 2*high; high > mostArrivals {
				return 0, false
			}
		}
		for high-low > edgeShare*fm.Sqrt(high) && high-low > edgeDigits*high {
			if mid := (low + high) / 2; above(mid) {
				low = mid
			} else {
				high = mid
			}
		}
		return low, true
	}
	start, starts := at(farOut)
	end, ends := at(-farOut)
	if !starts || !ends {
		return Forecast{}, fmt.Errorf("%w: more than 1e200 arrivals in a cycle", refuse.ErrUndefined)
	}
	_, _, _, bend := s.moments(start)
	h := min(step(bend), (end-start)/fewestSteps)
	_, v, _, _ := s.moments(start)
	_, later, _, _ := s.moments(end)
	deviation := fm.Sqrt(variance + k*k*max(v, later))
	h2 := fm.TwoPi / 2 / (aliased * deviation)
	w := s.wave()
	steps, terms := (end-start)/h, 0.0
	if least := steps * w.terms(); !(least <= c.limit/termCost) {
		return Forecast{}, c.termsTooMany(least)
	}
	ballSize, ballAngle := []float64{}, []float64{}
	for j := 0; ; j++ {
		angle := (float64(j) + 0.5) * h2
		if angle >= fm.TwoPi/2 {
			break
		}
		if terms += float64(len(balls.left)); terms > c.limit/termCost {
			return Forecast{}, c.termsTooMany(terms)
		}
		size, turn := balls.log(m, angle)
		if size < faintWave {
			break
		}
		ballSize, ballAngle = append(ballSize, size), append(ballAngle, turn+angle*float64(c.r.Sigma+1))
	}
	total := 0.5
	for i := 1.0; i < steps+1; i++ {
		w.at(start + h*i)
		sum := 0.0
		for j, size := range ballSize {
			angle := (float64(j) + 0.5) * h2
			terms += w.terms()
			a, turn := w.log(k * angle)
			if size += a; size < faintWave {
				if k*angle < 1 {
					break
				}
				continue
			}
			sin, _ := fm.SincosAny(ballAngle[j] - turn - angle/2)
			half, _ := fm.SincosAny(angle / 2)
			sum += fm.Exp(size) * sin / half
		}
		total += min(max(0.5+sum*h2/fm.TwoPi, 0), 1)
		if terms += w.terms(); terms > c.limit/termCost {
			return Forecast{}, c.termsTooMany(terms)
		}
	}
	v = start + h*total
	return c.exactFrom(s, x, l, v)
}

// exactFrom returns the rates, given the mean number v of arrivals in a cycle.
func (c *System) exactFrom(s *poisson, x large, l load, v float64) (Forecast, error) {
	if err := fault.Part(); err != nil {
		return Forecast{}, err
	}
	steady, err := newSteady(c.w)
	if err != nil {
		return Forecast{}, err
	}
	fresh := s.fresh
	n := solve(steady, fresh, l.messages, 0, fm.Inf())
	if fm.IsInf(n) {
		return Forecast{}, fmt.Errorf("%w: more than 1e200 arrivals in a cycle", refuse.ErrUndefined)
	}
	i := x.integrals(steady, n, 0)
	lucky, guests, jitter, thin := x.hits(l, i)
	offLucky := jitter*lucky + x.wild(l, i, steady, n, 0, jitter)
	missed := l.messages - fresh*v - lucky
	f := l.onePhase(missed, lucky, guests, fresh, l.messages, v)
	f.Valid = true
	off := (sumError+l.err)*l.messages + offLucky
	if !(missed > clearlyMore*off) {
		return Forecast{}, fmt.Errorf("%w: false negatives are too rare beside the errors of the sums, %.2g in a cycle", refuse.ErrUndefined, off)
	}
	rest := jitter
	if jitter > tellable {
		rest = thin + f.rareError(offLucky/v)
		f.Note = rareLucky
	}
	f.Bound = max(rest, off/missed) + sumError + l.err
	if !(rest+l.err <= tellable) {
		f.Valid, f.Bound, f.Note = false, 1, join(f.Note, tooLarge("the expansion"))
	}
	f.assume(f.Bound-l.err*(1+l.messages/missed), ofTransforms, ofExpansion)
	return f, nil
}
