package cycle

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
	"github.com/bloomproof/bloomproof/kernel/vec"
)

const (
	mostStates = 1 << 25 // the most states of a chain; they take 256 MiB
	mostSteps  = 1 << 32 // the most pairs of state and position; they take about ten seconds
	mostWide   = 1 << 22 // the most pairs when numbers have exponents; they take about a second
)

// Chain computes a value of the type Numbers for a bit-bounded cycle. It follows the Markov chain whose states are the
// possible numbers of set bits.
func Chain(g bloomproof.Geometry, r bloomproof.Recycling) (Numbers, error) {
	sigma := r.Sigma
	e, err := entryOf(g, r)
	if err != nil {
		return Numbers{}, err
	}
	v, err := e.Visits(g, sigma)
	if err != nil {
		return Numbers{}, err
	}
	arrivals, hits := Sums(g, v)
	positives := message.HitAt(g, sigma)
	rare := hits < rareMean && positives.Hi > 0
	if rare {
		// If the number "hits" is below rareMean, this sum may lack states that matter. The probability of such a state
		// can be too small for a float64. Moreover, states with probabilities below 2^-900 are left out. The method
		// "wide" includes these states.
		if positives, _, err = e.wide(g, sigma); err != nil {
			return Numbers{}, err
		}
		hits = 0
	} else {
		positives = positives.Times(fm.Double{Hi: hits})
	}
	return Numbers{
		Arrivals: arrivals, Positives: positives, Enter: e, Visits: v, Wide: rare,
		Err: chainError(g, e, sigma, arrivals, hits),
	}, nil
}

// The function vec.Visits processes one state after another. It computes the mean number of visits to each state. The
// total probability flow from state to state should be 1. Rounding errors change it, and vec.Visits scales it back to
// 1. For k up to scaledRarely, vec.Visits scales the flow once after each group of scaledAfter states. For larger k,
// vec.Visits scales the flow after each state. If vec.Visits handles only one state at a time, it scales the flow after
// each state for any k.
const (
	scaledAfter  = 184
	scaledRarely = 12
)

// StateError bounds the relative error that the recursion for the visits makes at one state. The unit of the bound is u
// = 2^-53. This error includes the errors of the transition probabilities, of their sums and of the quotient of two
// sums. Each of the two sums goes over k positions. Each position counts as five operations. Six further operations are
// added.
func StateError(k int) float64 { return 10*float64(k) + 6 }

// PathError bounds the relative error that each state adds to the probability of a path through the states. The unit of
// the bound is u = 2^-53. It is twice StateError(k), plus k+3 for the scaling, plus a margin of k+5.
func PathError(k int) float64 { return 22*float64(k) + 20 }

// The function Sums has two results. Rounding errors cause a relative error of the quotient of these results. The
// function sumsError bounds this error. The unit of the bound is u = 2^-53. For each result this error is 2k+70. Other
// products add 10.
func sumsError(k int) float64 { return 4*float64(k) + 150 }

// chainError returns a bound of the sum of two relative errors. The first error is that of E[N], the mean number of
// arrivals of a cycle. The second error is that of the false-positive rate. Let rho(b) be the probability that a
// message finds all its positions set if b bits are set. The argument "hits" is the mean number of false positives,
// divided by rho(sigma).
//
// The recursion makes a relative error of at most z = StateError at each state. Let P_b <= 1 be the probability that a
// cycle visits state b. The computed numbers of visits would be exact for a slightly different probability flow. In the
// changed flow, each state b adds an amount y_b, which may be negative. The absolute value |y_b| is at most z P_b. The
// function vec.Visits scales the flow back to 1 after w = scaledAfter states. If k is above scaledRarely, the function
// vec.Visits scales the flow after each state. Scaling has an error of (k+3)u (u = 2^-53). At most sigma+1 states are
// visited. Add up all |y_b| and all scaling errors. The scale factors differ from 1 by at most this sum. So the
// probability of every path has a relative error of at most PathError times sigma+1. The same holds for E[N] and for
// the mean number of false positives.
//
// For many states another bound is better. The scaling subtracts y_b again in some later state x. The difference x-b is
// at most w+k. Consider a sum over the arrivals of a cycle. Let F_b be the mean of the rest of this sum when the cycle
// is in state b. Adding and removing y_b changes the computed mean by y_b (F_b - F_x). If the sum is the number of
// arrivals, F_b is E[N_b]. The comment at the top of closed.go explains V_0, c, c_r and l_r. It also has a formula for
// E[N_b]. Let B_0 be an upper bound of the sum of |c_r/l_r|. Let S be the sum of V_0 over the states from b to x. Then
// by this formula
//
//	|E[N_b] - E[N_x]| <= S + 2 B_0.
//
// Multiply the right side by P_b, and sum over all b. The first part of the right side is the sum of V_0. Each V_0 then
// has a factor W. This factor is the sum of P_b over w+k states. W is at most w+k. The sum of P_b over these states is
// also at most 2 B_0 plus c times the sum of 1/(m-b) over them. The second part of the right side is 2 B_0. The sum of
// 2 B_0 P_b over all b is at most 2 B_0 E[N]. The reason is that the sum of all P_b is the mean number of arrivals that
// set a bit.
//
// For the false positives, the first part is W times G. The number G of false positives follows from V_0. By summation
// by parts, G differs from the true number by at most 2 B_0 rho(sigma). The second part is (4 B_0 + 1) rho(sigma) E[N].
// Let k exceed the constant scaledRarely. Then the flow is scaled at each state. This scaling adds its error to y_b.
// Then |y_b| is at most (k^2+14k)u times the mean of P_b. This mean is at least 1/k. For classic hashing a bound B_0 is
// known only for m >= 2k^2.
//
// Suppose that the filter retains the triggering message. Then the state in which a cycle begins has a distribution
// with several entries. Multiply the relative error of the visits by twice the number of entries. The result is the
// relative error of this distribution. The absolute error of this distribution is z E[N] P[D < k]. Here D is the number
// of distinct positions of a message. The means F in two such states differ. The difference is bounded in the same way
// as F_b - F_x above.
func chainError(g bloomproof.Geometry, e Entry, sigma uint64, arrivals, hits float64) float64 {
	m, k, s := float64(g.M), float64(g.K), float64(sigma)
	path := PathError(g.K) * (s + 1)
	if n := len(e.Law); n > 1 {
		path *= 1 + 2*float64(n)
	}
	loss := 2 * path
	if factor, known := message.Poles(g); hits > 0 && known {
		per, w := StateError(g.K), scaledAfter+k
		if g.K > scaledRarely || g.M > vec.MaxM {
			per, w = k*k+14*k, 1+k
		}
		poles := (1 + fm.Log(k)) * factor // B_0
		window := min(w, w*m/(k*(m-s))+2*poles)
		sharp := window*(2+2*poles/hits) + 2*poles + (4*poles+1)*arrivals/hits
		if len(e.Law) > 1 {
			sharp += 4 * k * (1 + poles) * (1 + 1/hits)
		}
		loss = min(loss, per*sharp)
	}
	return fm.Unit * (loss + sumsError(g.K))
}

// Visits returns, for b = 0..sigma, the expected number of arrivals of a cycle that find b bits set. The first state of
// a cycle has the distribution e, and states up to sigma do not end the cycle.
func (e Entry) Visits(g bloomproof.Geometry, sigma uint64) ([]float64, error) {
	if err := CheckChain(g, sigma, 1); err != nil {
		return nil, err
	}
	v := make([]float64, sigma+1)
	copy(v[e.First:], e.Law)
	if g.M > vec.MaxM {
		visitsBeyond(g, v)
	} else {
		message.Vector(g).Visits(v)
	}
	return v, nil
}

// CheckChain considers the given number of passes over all states up to sigma. It returns ErrTooCostly if they would
// take too long.
func CheckChain(g bloomproof.Geometry, sigma uint64, passes int) error {
	if err := fault.Part(); err != nil {
		return err
	}
	if sigma >= mostStates || (sigma+1)*uint64(g.K)*uint64(passes) > mostSteps {
		return fmt.Errorf("%w: a chain of sigma+1 = 1+%d states, %d positions and %d beginnings, at most 2^25 states and 2^32 in all", refuse.ErrTooCostly, sigma, g.K, passes)
	}
	return nil
}

// visitsBeyond computes the same visits as vec.Message.Visits, with the same scaling. It is used if a float64 cannot
// represent m exactly. Let q be a number of positions of a message. The rounded value of m is used in place of m, and
// also in place of m-q. Fewer than 2^25 bits are set. So the rounding causes a relative error of at most u = 2^-53.
func visitsBeyond(g bloomproof.Geometry, v []float64) {
	m := float64(g.M)
	below := make([]float64, g.K) // visits to the next lower state, by position
	come := make([]float64, g.K)  // visits by arrivals that found fewer bits set, by position
	entered := 0.0
	for b := range v {
		free, before := (m-float64(b))/m, (m-float64(b)+1)/m
		in, stay, leave := 0.0, 1.0, 0.0
		for q := range come {
			set := float64(b-message.Taken(g, q)) / m
			in = in*set + below[q]*before
			come[q] = in
			leave += stay * free
			stay *= set
		}
		entered += v[b]
		v[b] = (v[b] + in) / leave
		below[0] = v[b]
		stay = v[b]
		crossed := v[b] // flow that leaves the state, in units of free
		for q := 1; q < g.K; q++ {
			stay *= float64(b-message.Taken(g, q-1)) / m
			below[q] = come[q-1] + stay
			crossed += below[q]
		}
		if crossed > 0 {
			scale := entered / (crossed * free)
			for q := range below {
				below[q] *= scale
			}
			v[b] = below[0]
		}
	}
}

// The method "wide" returns the mean number of false positives of a cycle. It also returns the visits to the states
// from which the cycle can end. It carries out the recursion of visitsBeyond on numbers of the type fm.Scaled. So both
// results can be arbitrarily small.
func (e Entry) wide(g bloomproof.Geometry, sigma uint64) (positives fm.Scaled, edge []fm.Scaled, err error) {
	if err := fault.Part(); err != nil {
		return fm.Scaled{}, nil, err
	}
	if (sigma+1)*uint64(g.K) > mostWide {
		return fm.Scaled{}, nil, fmt.Errorf("%w: (sigma+1) k = %d, at most 2^22 where states are too rare for a float64", refuse.ErrTooCostly, (sigma+1)*uint64(g.K))
	}
	below, come := make([]fm.Scaled, g.K), make([]fm.Scaled, g.K)
	for b := range sigma + 1 {
		free := fm.Whole(g.M - b)
		var in, enter fm.Scaled
		stay, leave := fm.Whole(1), fm.Double{}
		set := make([]fm.Double, g.K)
		for q := range come {
			t := uint64(message.Taken(g, q))
			left := fm.Whole(g.M - t)
			if b > t {
				set[q] = fm.Whole(b - t).Quo(left)
			}
			in = in.Times(set[q])
			if b > 0 {
				in = in.Add(below[q].Times(free.AddFloat(1).Quo(left)))
			}
			come[q] = in
			leave = leave.Add(stay.Mul(free.Quo(left)))
			stay = stay.Mul(set[q])
		}
		if at := b - e.First; b >= e.First && at < uint64(len(e.Law)) {
			enter = fm.Double{Hi: e.Law[at]}.Scale()
		}
		v := in.Add(enter).Times(fm.Whole(1).Quo(leave))
		below[0] = v
		through := v
		for q := 1; q < g.K; q++ {
			through = through.Times(set[q-1])
			below[q] = come[q-1].Add(through)
		}
		positives = positives.Add(v.Mul(message.HitAt(g, b)))
		if b+uint64(g.K) > sigma {
			edge = append(edge, v)
		}
	}
	return positives, edge, nil
}

// Sums returns two sums: the sum of v, and the sum of v[b] rho(b)/rho(sigma). The last state is sigma. Here rho(b)
// is the probability that a message finds all its positions set if b bits are set. Each of these two sums has a
// relative error of at most (2k+70)u (u = 2^-53), in addition to the errors of v. Terms with rho(b) below 2^-890
// rho(sigma) are left out.
func Sums(g bloomproof.Geometry, v []float64) (arrivals, hits float64) {
	sigma := float64(len(v) - 1)
	ratio := message.HitRatios(g, sigma)
	const faint = 620                                     // e^-620 = 2^-895
	low := max(1, int(sigma*fm.Exp(-faint/float64(g.K)))) // (low/sigma)^k = e^-faint
	const block = 64
	var all, found fm.Double
	for at := 0; at < len(v); at += block {
		a, h := 0.0, 0.0
		for i, x := range v[at:min(at+block, len(v))] {
			a += x
			if b := at + i; b >= low {
				h += x * ratio(float64(b))
			}
		}
		all, found = all.AddFloat(a), found.AddFloat(h)
	}
	return all.Hi, found.Hi
}
