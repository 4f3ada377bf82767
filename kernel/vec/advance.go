package vec

import "github.com/bloomproof/bloomproof/kernel/host"

// The constant "advanced" is the number of positions whose effect is computed in one pass over a distribution. With so
// many positions, reading and writing the distribution takes little time compared with computing.
const advanced = 64

// Advance computes the effect of one message on the distribution p over states. Element p[j] is the probability of
// state first+j. The new value of p[j] is:
//
//	sum over d of p[j-d] tau(first+j-d, d).
//
// Here tau(i, d) is the probability that a message sets d more bits if i bits are set before it. The probabilities of
// states beyond the last one are lost. The sum of p is then the probability that the new state is not beyond the last
// one. To lose nothing, append K zeros to p before the call: a message sets at most K bits. With K = 1, Advance
// computes the effect of one position. It panics if first+len(p)-1 > M.
//
// Error: relative, at most 4*K*u, where u = 2^-53. In addition there is an absolute error of at most K^2*2^-1071.
// Cost: 3*K products and K sums for each state. The slice p is read and written once for every 64 positions.
func (x Message) Advance(p []float64, first uint64) { x.advanceBy(host.Auto, p, first) }

func (x Message) advanceBy(im host.Impl, p []float64, first uint64) {
	x.check(first, len(p), x.M)
	unit := x.unit()
	for q := 0; q < x.K; q += advanced {
		// The element below[i] is for the state just below this block. It is the probability of this state before
		// position q+i.
		var below [advanced]float64
		const block = 1 << 10 // a block of 8 KiB stays in the L1 cache for all positions
		for j := 0; j < len(p); j += block {
			x.advance(im, p[j:min(j+block, len(p))], first+uint64(j), q, unit, below[:min(advanced, x.K-q)])
		}
	}
}

// The method "advance" computes the effect of the positions q to q+len(below)-1 of the message. The slice p has the
// probabilities of the states from i on.
func (x Message) advance(im host.Impl, p []float64, i uint64, q int, unit float64, below []float64) {
	clear := float64(x.M-i) * unit // the number of clear bits of the lowest state, in units
	for at, left := range below {
		set, scale := x.set(i, q+at, unit), x.scale(q+at, unit)
		below[at] = p[len(p)-1]
		transitionStep(im, p[1:], p, set+unit, clear, unit, scale)
		p[0] = float64((float64(p[0]*set) + float64(left*(clear+unit))) * scale)
	}
}
