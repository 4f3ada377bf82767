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
// Cost: about 50,000 steps.
func (e *Estimate) Forgotten(capacity float64, twoPhase bool) (share, cycle float64) {
	n := float64(e.Arrivals)
	g := &e.Correlation.gaps
	old := n - float64(e.New) - float64(g.total) // gaps that began in the warm-up
	recorded := func(v float64) float64 {
		return (v*(float64(e.New)+old) + g.capped(v)) / n
	}
	if !(capacity > 0) || recorded(n) < capacity {
		return 0, 0
	}
	lo, hi := 0., n
	for range 50 {
		if mid := (lo + hi) / 2; recorded(mid) < capacity {
			lo = mid
		} else {
			hi = mid
		}
	}
	sum := g.capped(hi)
	if twoPhase {
		sum = g.capped(2*hi) - sum
	}
	return (old + sum/hi) / n, hi
}

// capped returns the sum over the gaps of the smaller of gap and most, those of a class as
// its middle.
func (g *gaps) capped(most float64) float64 {
	sum := 0.0
	for c, n := range g.of {
		if n > 0 {
			sum += float64(n) * min(float64(classStart(c)+classStart(c+1)-1)/2, most)
		}
	}
	return sum
}
