package vec

import (
	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/kernel/host"
)

// Visits replaces the numbers in v. Before the call, v[b] is the expected number of cycles that begin in state b, with
// b set bits. After the call, v[b] is the expected number of arrivals in state b. The equation is, for 0 <= b < len(v):
//
//	V(b) = v(b) + sum over d >= 0 of V(b-d) tau(b-d, d).
//
// Here v(b) is v[b] before the call, and V(b) is v[b] after it. The function tau(i, d) is the probability that a
// message sets d more bits if i bits are set before it. If each cycle begins with an empty filter, v is 1, 0, 0, ...
// before the call. A filter recycles at a certain number of set bits. The result does not depend on this number, if it
// is at least len(v). If a filter recycles when more than sigma bits are set, its capacity is the sum of V(b) for all b
// <= sigma. Visits panics if len(v) > M: the number of arrivals in the state of a full filter would be infinite.
//
// The numbers in v must not be negative.
//
// Error: relative, at most 25*K*(b+1)*u, where u = 2^-53. The largest error that the tests found for any b is 130*u. In
// addition there is an absolute error of at most:
//
//	(b+1) K^2 2^-1060 M/(M-b) max(1, S).
//
// Here S is the sum of the numbers in v before the call. For more than 12 positions there is a further absolute error,
// because numbers below 2^-1000 are replaced by zero. It is at most:
//
//	(b+1) K 2^-997 M/(M-b) max(1, S).
//
// Cost: for up to 12 independent positions, each state takes K^2/2 + 2 K multiplications and equally many additions.
// Vector instructions compute most of these. For up to 12 distinct positions the cost is 3 K^2. For more than 12
// positions, independent or distinct, the cost is 9 K. If K > 64, there is one allocation.
func (x Message) Visits(v []float64) { x.visitsBy(host.Auto, v) }

func (x Message) visitsBy(im host.Impl, v []float64) {
	x.check(0, len(v), x.M-1)
	if x.K <= asm.TransitionMaxK {
		x.visitsByRows(im, v)
	} else {
		x.visitsByPosition(v)
	}
}

// The constant "visited" is the number of states that are processed together. It is not a power of two, because all
// rows would then use the same few sets of the cache.
const visited = 8 * 23

// visitsByRows computes the visits with one step for each message. It processes blocks of states whose rows stay in the
// cache.
func (x Message) visitsByRows(im host.Impl, v []float64) {
	var memory [(asm.TransitionMaxK + 1) * visited]float64
	rows := memory[:(x.K+1)*visited]
	var come [visited + asm.TransitionMaxK]float64 // arrivals that come from lower states
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

// The function "visit" replaces v by the expected numbers of visits to the states of one block. The slice "rows" has
// the values that Message.rows stores for these states. Some arrivals move the filter from one of these states to a
// higher state. Each higher state has an element in the slice "come". The function adds the expected number of these
// arrivals to this element.
func visit(v, rows, come []float64) {
	k := len(come) - len(v)
	first := 0.0 // the arrivals that come from the next lower state with one fresh bit
	for j := range v {
		leave := 0.0 // 1 - tau(b, 0), without cancellation
		for at := visited + j; at < len(rows); at += visited {
			leave += rows[at]
		}
		// Only the following three operations need the result for the next lower state.
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

// The function "conserve" multiplies all numbers in flow by the same factor. Their sum then equals the argument
// "entered". This is the exact sum, because a cycle that reaches a state leaves it exactly once, for a higher state. So
// rounding errors do not accumulate.
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

// The function visitsByPosition replaces numbers below the constant "negligible" by 0. Otherwise many numbers would be
// subnormal if K is large, and many CPUs multiply such numbers slowly. In each phase of a state, the function replaces
// at most two numbers. One is a part of the expected visits. The other is a probability, and it is multiplied by at most
// S M/(M-b) visits. On average, a visit that is left out would be followed by at most M/(M-b) visits to state b.
const negligible = 0x1p-1000

// fewPhases is the number of phases for which visitsByPosition reserves memory on the stack. They take 2 KiB.
const fewPhases = 64

// A value of the type phase describes a message after its first q positions. The function visitsByPosition computes its
// fields.
type phase struct {
	scale  float64 // 1 divided by the number of bits from which the next position chooses
	visits float64 // expected visits to the state; before the update, to the next lower state
	come   float64 // expected visits by arrivals that were not in the state before
	stay   float64 // the probability that all positions so far find their bits set
}

// visitsByPosition computes the visits with one step for each position. Its cost is therefore proportional to K and not
// to K^2. The positions of a message are processed in phases. In phase q, the first q positions have been processed. In
// each phase, some arrivals reach a state from the next lower state. The probability that a message leaves the state
// unchanged is the same at each visit. So the expected number of visits is the sum of a geometric series. This sum is
// the expected number of arrivals that come to the state, divided by the probability of leaving it.
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
		free := float64(x.M - uint64(b))   // the number of clear bits
		come, stay, leave := 0.0, 1.0, 0.0 // leave is 1-stay, without cancellation
		for q := range phases {
			p := &phases[q]
			set := float64(b-x.taken(q)) * p.scale
			if come = float64(come*set) + float64(p.visits*((free+1)*p.scale)); come < negligible {
				come = 0
			}
			leave += float64(stay * (free * p.scale))
			if stay *= set; stay < negligible {
				stay = 0
			}
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
		if crossed > 0 { // rescale as conserve does
			for q := range phases {
				phases[q].visits *= entered / crossed
			}
		}
		v[b] = phases[0].visits
	}
}
