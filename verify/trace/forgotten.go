package trace

// Forgotten returns two results for one part of a trace. The first result is the share of the arrivals that a filter
// forgets. In each cycle, some arrivals have keys that the active array has not recorded. The argument "capacity" is
// the number of these arrivals. An arrival is forgotten if it is a repeat of a key that no array has recorded. The
// filter may call such an arrival new or, by chance, a repeat. The second result is the number of arrivals in a cycle.
// Both results are computed from the gaps between the arrivals in the trace. So they remain right if keys arrive in
// bursts, or if popularities change.
//
// An arrival finds its key in the active array if the key has arrived since the cycle began. Suppose that cycles have v
// arrivals and begin at random. Then the key of an arrival with gap g is not recorded with probability min(1, g/v). Let
// n be the number of arrivals, and x the number of new arrivals among them. Then v is the solution of the following
// equation.
//
//	capacity = v (x + sum over the repeats of min(1, g/v)) / n.
//
// With two phases and copy-over, the frozen array may also have the key. The cycle of the frozen array began v arrivals
// earlier. Then the probability that no array has the key is min(1, max(0, g-v)/v). Some keys of the part also arrived
// in the warm-up. For such a key, the gap before its first arrival in the part is treated as longer than 2v.
//
// If the whole part has too few arrivals to fill a cycle, nothing is forgotten, and both results are 0.
// Domain: capacity above 0.
// Error: the method assumes that all cycles are equally long. It also assumes that their beginnings are independent of
// the arrivals. Gaps are counted in classes, which changes a gap by at most 1/16 of its length.
// Cost: about 2,000 steps.
func (e *Estimate) Forgotten(capacity float64, twoPhase bool) (share, cycle float64) {
	n := float64(e.Arrivals)
	g := &e.Correlation.gaps
	old := n - float64(e.New) - float64(g.total) // the number of gaps that began in the warm-up
	share, cycle = newForgetting(g, float64(e.New)+old, n).at(capacity, n, twoPhase)
	if cycle > 0 {
		share += old / n
	}
	return share, cycle
}

// The type "forgetting" holds the gaps before the arrivals in a part of a trace. A filter with a given capacity forgets
// a share of these arrivals. This share is computed from the gaps.
type forgetting struct {
	fresh, n float64 // the number of arrivals without a gap, and the number of all arrivals

	// The element sums[c] is the sum of all gaps in the classes below c. The element counts[c] is the number of these
	// gaps. In the sums, each gap is replaced by the middle of its class.
	sums, counts []float64
}

func newForgetting(g *gaps, fresh, n float64) *forgetting {
	f := &forgetting{fresh: fresh, n: n, sums: make([]float64, len(g.of)+1), counts: make([]float64, len(g.of)+1)}
	for c, x := range g.of {
		f.sums[c+1] = f.sums[c]
		if x > 0 {
			f.sums[c+1] += float64(float64(x) * classMiddle(c))
		}
		f.counts[c+1] = f.counts[c] + float64(x)
	}
	return f
}

// The method "capped" returns the sum of min(gap, most) over all gaps.
func (f *forgetting) capped(most float64) float64 {
	c := gapClass(uint64(most))
	if classMiddle(c) < most {
		c++
	}
	return f.sums[c] + most*(f.counts[len(f.counts)-1]-f.counts[c])
}

// The method "at" returns two numbers. The first is the share of the arrivals that the filter forgets although their
// key has arrived before. The second is the number of arrivals in a cycle. The argument "longest" is the greatest
// length of a cycle. Even a cycle of this length may record fewer keys than the capacity. Then both results are 0.
func (f *forgetting) at(capacity, longest float64, twoPhase bool) (share, cycle float64) {
	recorded := func(v float64) float64 { return (v*f.fresh + f.capped(v)) / f.n }
	if !(capacity > 0) || recorded(longest) < capacity {
		return 0, 0
	}
	lo, hi := 0., longest
	for range 50 {
		if mid := (lo + hi) / 2; recorded(mid) < capacity {
			lo = mid
		} else {
			hi = mid
		}
	}
	sum := f.capped(hi)
	if twoPhase {
		sum = f.capped(2*hi) - sum
	}
	return sum / hi / f.n, hi
}
