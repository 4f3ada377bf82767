package trace

// Forgotten returns what a filter whose cycles take capacity arrivals that no array has
// recorded forgets of the part, from the gaps that its keys in fact leave, so that bursts
// and popularities that move are in it: the share of all arrivals that are repeats of keys
// which are recorded in no array, lucky or not, and the arrivals of a cycle.
//
// An arrival is recorded in the active array when its key arrived there since the cycle
// began. In a cycle of v arrivals, which begins anywhere, one with gap g finds it unrecorded
// with probability min(1, g/v), so that with n arrivals, of which x are new,
//
//	capacity = v (x + sum over the repeats of min(1, g/v)) / n
//
// gives v; with two phases and copy-over the array frozen v arrivals before has it too,
// unless g exceeds v by as much: min(1, max(0, g-v)/v). The first arrivals in the part of
// keys that are known from the warm-up are taken for gaps above 2v.
//
// Where all arrivals of the part together are less than capacity, nothing is forgotten in
// it: 0 and 0.
// Domain: capacity above 0. Error: all cycles are taken to be equally long, and their
// beginnings to be independent of the arrivals; of the gaps 1/16 as of their classes.
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

// forgetting is what the gaps of n arrivals say of filters of every capacity.
type forgetting struct {
	fresh, n float64 // arrivals without a gap, and all

	// Of the gaps below each class, those of a class as its middle.
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

// at returns the share of the arrivals that leave a gap and are forgotten, and the arrivals of a
// cycle; 0 and 0 where no cycle of at most longest arrivals takes as many keys.
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
