package cycle

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
	"github.com/bloomproof/bloomproof/kernel/vec"
)

const (
	mostStates = 1 << 25 // states of a chain: 256 MiB
	mostSteps  = 1 << 32 // states times positions that are followed: about ten seconds
	mostWide   = 1 << 22 // of them with exponents: about a second
)

// Chain returns the numbers of the chain.
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
	if hits < rareMean && positives.Hi > 0 {
		// The states that count are too rare for a float64, or those below 2^-900 count.
		if positives, _, err = e.wide(g, sigma); err != nil {
			return Numbers{}, err
		}
		hits = 0
	} else {
		positives = positives.Times(fm.Double{Hi: hits})
	}
	return Numbers{
		Arrivals: arrivals, Positives: positives, Enter: e, Visits: v,
		Err: chainError(g, e, sigma, arrivals, hits),
	}, nil
}

// scaledAfter is how many states vec.Visits follows before it scales the flow back, for k up to
// scaledRarely; beyond, and where a state is followed alone, it scales after each.
const (
	scaledAfter  = 184
	scaledRarely = 12
)

// StateError bounds in u what the row of a state, its sums and its quotient err by: five
// operations for each of two sums over k positions, and those of the ends.
func StateError(k int) float64 { return 10*float64(k) + 6 }

// PathError bounds in u what each state of a path adds to its error: twice StateError, and k+3
// for the scaling.
func PathError(k int) float64 { return 22*float64(k) + 20 }

// sumsError bounds in u what Sums and a quotient of them err by: twice 2k+70, and 10 for the
// products beyond.
func sumsError(k int) float64 { return 4*float64(k) + 150 }

// chainError bounds the relative errors of E[N] and of the rate together, given the false
// positives in units of rho(sigma).
//
// A state's row, sums and quotient err by at most z = StateError relative. What is computed are
// the visits of a flow into which state b feeds mass y_b of either sign, |y_b| at most z
// times the probability P_b <= 1 that b is visited. vec.Visits scales the flow back to one
// cycle after each w = scaledAfter states, beyond scaledRarely positions after each, which errs by
// (k+3)u. The number of states visited is at most sigma+1, and the scales differ from 1 by
// at most the sum of the |y_b| and what they err by: every path of a cycle errs by at most
// PathError (sigma+1) relative, and with it both expectations.
//
// For many states another bound is better. The scaling takes y_b out at some states x up to
// w+k above b, so an expectation F_b of what is still to come of a cycle changes by
// y_b (F_b - F_x). By the formula over closedNumbers, with B_0 >= the sum of |c_r/l_r|,
//
//	|E[N_b] - E[N_x]| <= sum of V_0 from b to x + 2 B_0.
//
// Summing the first over b, every V_0 counts W times, the sum of P_b over w+k states:
// at most those, and at most c times the sum of 1/(m-b) and 2 B_0. The second gives
// 2 B_0 E[N], as the sum of all P_b are the arrivals that set a bit. For the false positives
// the first part is W times theirs by V_0, which differ by 2 B_0 rho(sigma) at most (Abel's
// summation), and the second (4 B_0 + 1) rho(sigma) E[N]. Beyond scaledRarely positions, where each
// state's scale errs, y_b is (k^2+14k)u in units of the mean of P_b, at least 1/k. If
// classic, B_0 is known for m >= 2k^2.
//
// The law by which a retaining filter begins errs by twice its length times what the visits
// do; by absolute values by z E[N] times P[D < k], and beginnings differ as b and x do.
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

// Visits returns how many arrivals of a cycle that begins by the law e find b bits set,
// b = 0..sigma, without recycling below that.
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

// CheckChain returns ErrTooCostly when so many passes over the states up to sigma are.
func CheckChain(g bloomproof.Geometry, sigma uint64, passes int) error {
	if sigma >= mostStates || (sigma+1)*uint64(g.K)*uint64(passes) > mostSteps {
		return fmt.Errorf("%w: a chain of sigma+1 = 1+%d states, %d positions and %d beginnings, at most 2^25 states and 2^32 in all", refuse.ErrTooCostly, sigma, g.K, passes)
	}
	return nil
}

// visitsBeyond is vec.Message.Visits for more bits than a float64 tells apart, with its
// scaling. As fewer than 2^25 of them are set, whatever m is rounded to, and m less what a
// message has taken, is m within u.
func visitsBeyond(g bloomproof.Geometry, v []float64) {
	m := float64(g.M)
	below := make([]float64, g.K) // visits to the state below, by position
	come := make([]float64, g.K)  // by arrivals that found fewer bits set
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
		crossed := v[b] // what leaves the state, in units of free
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

// wide returns the false positives of a cycle as Sums does, and the visits to the states from
// which it can end, whatever their size: the recursion of visitsBeyond with exponents.
func (e Entry) wide(g bloomproof.Geometry, sigma uint64) (positives fm.Scaled, edge []fm.Scaled, err error) {
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

// Sums returns the sum of v and that of v[b] rho(b)/rho(sigma), sigma being the last state,
// each within (2k+70)u besides the errors of v. Terms below 2^-890 of rho(sigma) are not there.
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
