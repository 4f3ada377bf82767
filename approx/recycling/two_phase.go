package recycling

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/cycle"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
)

// frozenError bounds the relative error of a mean over the distribution of the number of set bits in the frozen array.
// The bound does not include the error of the visits. Its unit is u = 2^-53. The bound is the sum of four parts. The
// error of the distribution is 12k+4. The error of rho is 2k. The error of the factor 1-rho in the weights is 3k. The
// fourth part consists of the rounding errors of the sums.
func frozenError(k int) float64 { return 20*float64(k) + 20 }

// The bound of lawError depends on the relative variation of the weight. If the closed form was used for the cycle,
// larger variations are replaced by mostSpread. This is allowed because all terms are positive. So the relative error
// of a mean is at most the relative error of the distribution.
const mostSpread = 1

// Let f be the distribution of the number of set bits in the frozen array. lawError considers a weight and its mean
// under the distribution f. It returns a bound of the relative error of this mean. The weight is proportional to rho,
// or to rho/(1-rho) if the argument "bare" is set. Consider the states from which a cycle can end. The error of f comes
// from the errors of the visits to these states (see chainError and visitsAt). The probabilities of f have the sum 1.
// So with a constant weight, errors of these probabilities would not change the mean. Consider the probability of a
// path through the states. Its relative error is another upper bound of this error (see PathError).
func lawError(n *cycle.Numbers, g bloomproof.Geometry, sigma uint64, f cycle.Frozen, bare bool) float64 {
	spread := 1/message.HitRatios(g, float64(f.Last()))(float64(f.First)) - 1
	if bare && f.Last() < g.M {
		spread = (spread+1)*message.Miss(g, f.First)/message.Miss(g, f.Last()) - 1
	}
	if len(f.Law) == 1 {
		spread = 0 // all weights may be 0
	}
	own := frozenError(g.K) * fm.Unit
	if n.Visits == nil {
		p := cycle.Poles(g, sigma-min(sigma, uint64(g.K)))
		return own + 2*p*min(spread, mostSpread)
	}
	path := cycle.PathError(g.K) * float64(sigma+1) * (1 + 2*float64(len(n.Enter.Law)))
	return own + fm.Unit*min(2*path, cycle.StateError(g.K)*n.Arrivals*spread*2)
}

// A two-phase filter has an active array with b set bits and a frozen array with f set bits. An arrival is reported as
// a repeat if all its positions are set in one of the arrays. In a filter with copy-over, the active array behaves like
// a filter with one phase. Let h(b,d) = C(b,d)/C(m,d) be the probability that d distinct positions are set if b of the
// m bits are set. Let D be the number of distinct positions of a message. Let f1 be the false-positive rate of the
// active array. Let phi = E[rho(f)] be the false-positive rate of the frozen array. Let f2 be the false-positive rate
// of the filter.
//
//	For fresh positions, f2 is 1 - (1-f1)(1-phi).
//
// Now let the positions be fixed, and let no message be retained. Then
//
//	f2 = f1 + sum over d of P[D = d] (1 - E[h(b,d)]) E[h(f,d)].
//
// The reason is that the set bits of the active array are independent of those of the frozen array. If the filter has
// fixed positions and retains the triggering message, both arrays contain bits of the message that ended the last
// cycle. The active array contains its s distinct positions, and the frozen array contains t of these positions. Let y
// be the number of other bits in the frozen array. Consider an arrival with d positions. Let j be the number of these
// positions among the t bits. The other e = d-j positions are among the other bits. Some arrivals of a cycle are
// reported as repeats only by the frozen array. The number of these arrivals is
//
//	sum over j < d of C(t,j) C(y,e)/C(m,d) (N_s - sum over b of V_s(b) C(b-s,e)/C(m-s,e)).
//
// Here N_s is the number of arrivals of the cycle. V_s(b) is the number of these arrivals that find b bits set in the
// active array. The sum over b has the closed form c R_e. Here c and R_e are those of a filter of m-s bits with the
// threshold sigma-s (see the top of internal/cycle/closed.go).
//
// Now consider a filter without copy-over and with fresh positions. Some arrivals find all their positions set in the
// frozen array. These arrivals do not change the active array. A cycle has E[1/(1-rho(f))] times as many arrivals as
// with copy-over. All additional arrivals are reported as repeats.

// addFrozen adds the effect of the frozen array to the arrivals and false positives of a cycle.
func addFrozen(n *cycle.Numbers, g bloomproof.Geometry, r bloomproof.Recycling, f cycle.Frozen) error {
	bare := r.NoCopyOver
	var known fm.Scaled // false positives by the frozen array
	if r.FreshPositions {
		hits, err := f.Hits(g, bare)
		if err != nil {
			return err
		}
		known = hits
		if bare {
			left := hits.Times(fm.Double{Hi: n.Arrivals})
			n.Positives = n.Positives.Add(left)
			n.Arrivals += left.Float64()
		} else {
			n.Positives = n.Positives.Add(hits.Times(fm.Double{Hi: n.Arrivals - n.Positives.Float64()}))
		}
	} else {
		p := message.AllNumbers(g)
		found, err := f.Found(g.M, p)
		if err != nil {
			return err
		}
		low, high := window(found)
		for _, x := range found[low : high+1] {
			known = known.Add(x)
		}
		if r.Retain {
			err = addShared(n, g, r, p, low, high)
		} else {
			unknown := unknownOf(n, g, r.Sigma, high)
			for d := low; d <= high; d++ {
				n.Positives = n.Positives.Add(found[d].Times(fm.Double{Hi: unknown[d]}))
			}
		}
		if err != nil {
			return err
		}
	}
	if r.Messages > 0 { // the distribution has the error of the sums
		n.Err *= 2
		n.Err += lost(g, r, f, known)
	} else {
		n.Err += lawError(n, g, r.Sigma, f, bare)
	}
	n.Err += n.Err
	return nil
}

// Some false positives are reported by the frozen array, but not by the active array. If the distribution f is cut off,
// the number of these false positives has a relative error. The function "lost" returns a bound of this error. The
// argument "known" is the fraction of arrivals that the frozen array reports, whether or not the active array reports
// them too. With fixed positions the relative error is at most k times the relative error of the argument "known", for
// the following reason. Let c_d be the probability that d positions are not all set in the active array. Then c_1 <=
// c_d <= d c_1.
func lost(g bloomproof.Geometry, r bloomproof.Recycling, f cycle.Frozen, known fm.Scaled) float64 {
	if f.Lost == 0 || known.Hi == 0 {
		return 0
	}
	messages, most := r.Messages, g.M // messages that set the bits of the frozen array
	if r.FreezeBefore {
		messages--
	}
	if messages <= g.M/uint64(g.K) {
		most = messages * uint64(g.K)
	}
	share := message.HitAt(g, most).Quo(known) * f.Lost * float64(g.K)
	if r.NoCopyOver {
		share /= message.Miss(g, most)
	}
	return share
}

// The function "window" returns the shortest range low..high of indices that includes nearly all of the sum of w. The
// number low is at least 1. The values of w below the range add up to less than cycle.Negligible times the sum of w.
// The same holds for the values above the range.
//
// The number w[d] is a fraction of the arrivals. These arrivals have d distinct positions, and the frozen array reports
// them. An arrival that the frozen array reports can be reported by the active array too. If one of the d distinct
// positions is clear in the active array, that array does not report the arrival. The probability of this event
// increases with d, but is at most d times the probability for one position. Suppose that the filter retains the
// triggering message. Then the frozen array contains bits of the message that ended the last cycle, and other bits. At
// least 1/(k+1) of the reports of the frozen array are due to the other bits. So it suffices to compute w for these
// other bits. At most 2^-76 of the sum is left out.
func window(w []fm.Scaled) (low, high int) {
	var sum fm.Scaled
	for _, x := range w {
		sum = sum.Add(x)
	}
	low, high = 1, len(w)-1
	if sum.Hi == 0 {
		return 1, 0
	}
	for left := w[low]; low < high && left.Quo(sum) < cycle.Negligible; left = left.Add(w[low]) {
		low++
	}
	for left := w[high]; low < high && left.Quo(sum) < cycle.Negligible; left = left.Add(w[high]) {
		high--
	}
	return low, high
}

// unknownOf returns one number for each d = 0..most. It is a mean number of arrivals of a cycle. An arrival counts if
// at least one of d distinct positions is clear in the active array at that time. This number is E[N] minus the sum
// over b of V(b) C(b,d)/C(m,d).
func unknownOf(n *cycle.Numbers, g bloomproof.Geometry, sigma uint64, most int) []float64 {
	if n.Visits != nil {
		return unknown(g.M, n.Visits, n.Recorded, most)
	}
	return unknownClosed(cycle.NewClosedForm(g), g.M, sigma, n.Recorded, most)
}

// The function "unknown" returns the argument "arrivals" minus the sum over b of v[b] C(b,d)/C(m,d), for d = 0..most.
// The sum has a relative error of at most (2d+70)u (u = 2^-53), in addition to the errors of v.
func unknown(m uint64, v []float64, arrivals float64, most int) []float64 {
	inverse := make([]float64, most+1)
	for d := range min(uint64(len(inverse)), m) { // beyond, nothing is found
		inverse[d] = 1 / float64(m-d)
	}
	const block = 64
	var found [block]float64 // v[b] C(b,d)/C(m,d)
	sums := make([]fm.Double, most+1)
	for at := 0; at < len(v); at += block {
		here := found[:copy(found[:], v[at:])]
		for d := range min(most, at+len(here)-1) + 1 {
			sum := 0.0
			for i, x := range here {
				sum += x
				if x *= float64(at+i-d) * inverse[d]; x < noVisits {
					x = 0
				}
				here[i] = x
			}
			sums[d] = sums[d].AddFloat(sum)
		}
	}
	out := make([]float64, most+1)
	for d, x := range sums {
		out[d] = fm.Whole(0).AddFloat(arrivals).Sub(x).Hi
	}
	return out
}

// Products v[b] C(b,d)/C(m,d) below noVisits are replaced by 0. Every cycle has at least one arrival, and these
// products are negligible compared with 1. The replacement avoids subnormal numbers, which are slow. It also avoids the
// negative products that occur for b < d.
const noVisits = 0x1p-900

// unknownClosed computes the same numbers as the function "unknown". It uses the closed form f of a larger filter, with
// M bits. In that filter, it considers cycles that begin with s = M-m set bits.
func unknownClosed(f cycle.ClosedForm, m, sigma uint64, arrivals float64, most int) []float64 {
	out := make([]float64, most+1)
	if most == 0 {
		return out
	}
	found := cycle.HitSums(m, sigma, most, most)
	for d := 1; d <= most; d++ {
		out[d] = arrivals - found[most-d].Times(f.Scale).Float64()
	}
	return out
}
