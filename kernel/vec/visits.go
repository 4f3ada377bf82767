package vec

import (
	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/kernel/host"
)

// Visits replaces what enters by what visits: v[b] holds, at first, how many arrivals are
// expected to begin a cycle in the state of b bits set, and in the end, how many arrivals
// find b bits set,
//
//	V(b) = v(b) + sum over d >= 0 of V(b-d) tau(b-d, d),   0 <= b < len(v)
//
// For a filter that is empty when a cycle begins, v is 1, 0, 0, ...; then V does not
// depend on where the filter recycles, as long as it does so at len(v) bits or more, and
// the sum of V to sigma is its capacity. It panics unless len(v) <= M: of a full filter
// there would be infinitely many visits.
//
// The numbers that enter are not negative.
//
// Error: relative at most 25 K (b+1) u; the tests meet 130 u, whatever b. Besides,
// (b+1) K^2 2^-1060 M/(M-b) max(1, all that enters).
// Cost: K^2/2 + 2 K products and sums a state for up to 12 independent positions, most of
// them in vectors; 3 K^2 for distinct ones; 9 K for more than 12 of either, and an
// allocation where K > 64.
func (x Message) Visits(v []float64) { x.visitsBy(host.Auto, v) }

func (x Message) visitsBy(im host.Impl, v []float64) {
	x.check(0, len(v), x.M-1)
	if x.K <= asm.TransitionMaxK {
		x.visitsByRows(im, v)
	} else {
		x.visitsByPosition(v)
	}
}

// visited is how many states are followed at a time. It is not a power of two, or the
// rows would share sets of the cache.
const visited = 8 * 23

// visitsByRows follows the filter message by message, in blocks whose rows stay in the
// cache.
func (x Message) visitsByRows(im host.Impl, v []float64) {
	var memory [(asm.TransitionMaxK + 1) * visited]float64
	rows := memory[:(x.K+1)*visited]
	var come [visited + asm.TransitionMaxK]float64 // arrivals from the states below
	entered := 0.0
	for b := 0; b < len(v); b += visited {
		block := v[b:min(b+visited, len(v))]
		x.rows(im, rows, visited, len(block), uint64(b))
		for _, p := range block {
			entered += p
		}
		visit(block, rows, come[:len(block)+x.K])
		conserve(come[len(block):][:x.K], entered)
		copy(come[:], come[len(block):][:x.K])
		clear(come[x.K:])
	}
}

// visit follows the states of v, with their rows, and adds what leaves them to come.
func visit(v, rows, come []float64) {
	k := len(come) - len(v)
	first := 0.0 // what one fresh bit brings from the state below
	for j := range v {
		leave := 0.0 // 1 - tau(b, 0), without cancellation
		for at := visited + j; at < len(rows); at += visited {
			leave += rows[at]
		}
		// Only these three operations wait for the state below.
		visits := ((v[j] + come[j]) + first) * (1 / leave)
		v[j] = visits
		at := visited + j
		first = float64(visits * rows[at])
		to := come[j+1:][:k]
		for d := 1; d < len(to); d++ {
			at += visited
			to[d] += float64(visits * rows[at])
		}
	}
	come[len(v)] += first
}

// conserve makes the sum of flow what it must be: every cycle that has entered a state
// leaves it for the next ones once. What the roundings made of that does not add up.
func conserve(flow []float64, entered float64) {
	crossed := 0.0
	for _, p := range flow {
		crossed += p
	}
	if crossed > 0 {
		for i := range flow {
			flow[i] = float64(flow[i] * (entered / crossed))
		}
	}
}

// fewPhases is the number of phases for which visitsByPosition has room on the stack, 2 KiB.
const fewPhases = 64

// phase is what visitsByPosition knows of the arrivals of which a number of positions
// have been followed.
type phase struct {
	scale  float64 // one bit over those that the next position chooses from
	visits float64 // expected visits to the state, until then to the one below
	come   float64 // expected visits by arrivals that were not in the state before
	stay   float64 // the probability that all positions so far find their bits set
}

// visitsByPosition follows the filter position by position, so that its cost grows with
// K, not its square. The arrivals that a state sees for the first time in some phase come
// from the state below; those that begin in it make a geometric sum.
func (x Message) visitsByPosition(v []float64) {
	var small [fewPhases]phase
	phases := small[:]
	if x.K > len(small) {
		phases = make([]phase, x.K)
	}
	phases = phases[:x.K]
	for q := range phases {
		phases[q].scale = 1 / float64(x.M-uint64(x.taken(q)))
	}
	entered := 0.0
	for b := range v {
		free := float64(x.M - uint64(b))   // clear bits
		come, stay, leave := 0.0, 1.0, 0.0 // leave is 1-stay, without cancellation
		for q := range phases {
			p := &phases[q]
			set := float64(b-x.taken(q)) * p.scale
			come = float64(come*set) + float64(p.visits*((free+1)*p.scale))
			leave += float64(stay * (free * p.scale))
			stay *= set
			p.come, p.stay = come, stay
		}
		entered += v[b]
		first := (v[b] + come) / leave
		visits, crossed := first, 0.0
		for q := range phases {
			p := &phases[q]
			p.visits = visits
			crossed += float64(visits * (free * p.scale))
			visits = p.come + float64(p.stay*first)
		}
		if crossed > 0 { // as conserve does
			for q := range phases {
				phases[q].visits *= entered / crossed
			}
		}
		v[b] = phases[0].visits
	}
}
