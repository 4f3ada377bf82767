package trace

// Forgotten returns what a filter forgets of the part, if its cycles take capacity arrivals that no array has recorded.
// The share is that of all arrivals that are repeats of keys recorded in no array, whether the filter calls them new
// or, by luck, repeats. The second result is the number of arrivals of a cycle. Both are computed from the gaps that
// the keys really have, so bursts and changing popularities are taken into account.
//
// An arrival finds its key in the active array if the key has arrived since the cycle began. In a cycle of v arrivals
// that begins anywhere, an arrival with gap g finds its key unrecorded with probability min(1, g/v). So with n
// arrivals, x of them new,
//
//	capacity = v (x + sum over the repeats of min(1, g/v)) / n
//
// gives v. With two phases and copy-over, the frozen array, which is v arrivals older, may have the key as well. Then
// the probability of no record is min(1, max(0, g-v)/v). Keys known from the warm-up have their first arrivals in the
// part counted as gaps above 2v.
//
// If all arrivals of the part together are less than capacity, nothing is forgotten in it, and both results are 0.
// Domain: capacity above 0. Error: all cycles are assumed to be equally long, and their beginnings to be independent of
// the arrivals; gaps are counted in classes, to 1/16.
// Cost: about 2,000 steps.
func (e *Estimate) Forgotten(capacity float64, twoPhase bool) (share, cycle float64) {
	n := float64(e.Arrivals)
	g := &e.Correlation.gaps
	old := n - float64(e.New) - float64(g.total) // gaps that began in the warm-up
	share, cycle = newForgetting(g, float64(e.New)+old, n).at(capacity, n, twoPhase)
	if cycle > 0 {
		share += old / n
	}
	return share, cycle
}

// forgetting has the gaps of n arrivals, from which the share that a filter of any capacity forgets follows.
type forgetting struct {
	fresh, n float64 // arrivals without a gap, and all

	// Sums and numbers of the gaps below each class. A gap counts as the middle of its class.
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

// capped returns the sum over the gaps of the smaller of gap and most.
func (f *forgetting) capped(most float64) float64 {
	c := gapClass(uint64(most))
	if classMiddle(c) < most {
		c++
	}
	return f.sums[c] + most*(f.counts[len(f.counts)-1]-f.counts[c])
}

// at returns the share of the arrivals that end a gap and are forgotten, and the number of arrivals of a cycle. It
// returns 0 and 0 if no cycle of at most longest arrivals takes capacity keys.
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
