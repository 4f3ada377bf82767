package recycling

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/cycle"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
)

// frozenError bounds in u what the frozen law errs by besides the visits, 12k+4, and the weights,
// 2k for rho and 3k for 1-rho, with the sums.
func frozenError(k int) float64 { return 20*float64(k) + 20 }

// mostSpread is the spread beyond which it does not count: all terms are positive, so the mean of
// any weight errs by no more than the law does.
const mostSpread = 1

// lawError bounds the relative error of a mean over the frozen law of a weight that is
// proportional to rho, or to rho/(1-rho) if bare, given what the visits err by at the edge
// (see chainError and visitsAt). As the law sums to 1, an error counts only as far as the
// weight varies. The path of a cycle errs by so much besides, at the most.
func lawError(n *cycle.Numbers, g bloomproof.Geometry, sigma uint64, f cycle.Frozen, bare bool) float64 {
	spread := 1/message.HitRatios(g, float64(f.Last()))(float64(f.First)) - 1
	if bare && f.Last() < g.M {
		spread = (spread+1)*message.Miss(g, f.First)/message.Miss(g, f.Last()) - 1
	}
	own := frozenError(g.K) * fm.Unit
	if n.Visits == nil {
		p := cycle.Poles(g, sigma-min(sigma, uint64(g.K)))
		return own + 2*p*min(spread, mostSpread)
	}
	path := cycle.PathError(g.K) * float64(sigma+1) * (1 + 2*float64(len(n.Enter.Law)))
	return own + fm.Unit*min(2*path, cycle.StateError(g.K)*n.Arrivals*spread*2)
}

// A two-phase filter has an active array of b bits and a frozen one of f. An arrival is
// called a repeat when all of its positions are set in one of them. With copy-over the
// active array does what it does with one phase. With h(b,d) = C(b,d)/C(m,d), f1 the rate
// of the active array and phi = E[rho(f)],
//
//	fresh positions                 f2 = 1 - (1-f1)(1-phi)
//	fixed positions, not retaining  f2 = f1 + sum over d of P[D = d] (1 - E[h(b,d)]) E[h(f,d)]
//
// for what both know of a message are its positions among the bits of both, two random sets
// to each other. Retaining, both contain bits of the message that ended the last cycle:
// its s distinct positions in the active one, t of them in the frozen one. With y the
// frozen array's other bits, j positions of d among the t and e = d-j others,
//
//	sum over j < d of C(t,j) C(y,e)/C(m,d) (N_s - sum over b of V_s(b) C(b-s,e)/C(m-s,e))
//
// arrivals of a cycle are repeats to the frozen array alone, N_s its arrivals. In closed
// form the sum over b is c R_e of m-s bits and sigma-s (see closedNumbers).
//
// Without copy-over and with fresh positions what the frozen array knows leaves the active
// one as it is: a cycle has E[1/(1-rho(f))] times as many arrivals, and all that were left
// out were called repeats.

// addFrozen adds what the frozen array knows to the arrivals and false positives of a cycle.
func addFrozen(n *cycle.Numbers, g bloomproof.Geometry, r bloomproof.Recycling, f cycle.Frozen) error {
	bare := r.NoCopyOver
	var known fm.Scaled // by the frozen array
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
	if r.Messages > 0 { // the distribution errs as the sums do
		n.Err *= 2
		n.Err += lost(g, r, f, known)
	} else {
		n.Err += lawError(n, g, r.Sigma, f, bare)
	}
	n.Err += n.Err
	return nil
}

// lost bounds what the false positives to the frozen array, a share known of the arrivals but
// for what the active array knows, lack because of what f lost: with fixed positions that is
// at least 1/k of it, with d positions of a message the active array has at least 1/d of
// what it has with one.
func lost(g bloomproof.Geometry, r bloomproof.Recycling, f cycle.Frozen, known fm.Scaled) float64 {
	if f.Lost == 0 || known.Hi == 0 {
		return 0
	}
	messages, most := r.Messages, g.M // that set the bits of the frozen array
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

// window returns the shortest range of w, low <= high, 1 <= low, beyond which at either end
// less than cycle.Negligible of its sum lies.
//
// A message of d distinct positions is unknown to the active array with a probability that
// grows with d and is at most d times that of one position: a union of d events. Retaining,
// what the frozen array has beside the bits of the trigger is at least 1/(k+1) of what it
// has. So w may be what the frozen array finds, and what is left out is 2^-76 of the sum that
// is taken.
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

// unknownOf returns for d = 0..most how many arrivals of a cycle there are that find
// not all of d distinct positions set: E[N] less the sum over b of V(b) C(b,d)/C(m,d).
func unknownOf(n *cycle.Numbers, g bloomproof.Geometry, sigma uint64, most int) []float64 {
	if n.Visits != nil {
		return unknown(g.M, n.Visits, n.Recorded, most)
	}
	return unknownClosed(cycle.NewClosedForm(g), g.M, sigma, n.Recorded, most)
}

// unknown returns arrivals less the sum over b of v[b] C(b,d)/C(m,d), for d = 0..most, the sum
// within (2d+70)u besides the errors of v.
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

// noVisits are so few that they do not count beside the arrival that every cycle has: products
// with them would be subnormal, which is slow. What is below 0 is where b < d.
const noVisits = 0x1p-900

// unknownClosed is unknown in closed form, for the cycles of a filter of which s = M-m bits are
// set from the beginning, whose closed form is f.
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
