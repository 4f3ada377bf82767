package cycle

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// An Entry is the distribution of the state in which cycles begin. A state is a number of set bits. It holds the
// probabilities of the states First, First+1, ...
type Entry struct {
	First uint64
	Law   []float64
}

// entryOf returns the distribution of the state in which cycles begin.
func entryOf(g bloomproof.Geometry, r bloomproof.Recycling) (Entry, error) {
	switch {
	case !r.Retain:
		return Entry{0, []float64{1}}, nil
	case message.Avoids(g):
		return Entry{uint64(g.K), []float64{1}}, nil
	case r.FreshPositions:
		return NewClosedForm(g).Entry(r.FreshPositions), nil
	}
	return retainedEntry(g, r.Sigma)
}

const (
	rareEntry   = 0x1p-70 // a probability far below the rounding errors of the distribution
	mostEndings = 1 << 10 // the largest k for which k^3 steps are taken, in a second or two
)

// Consider a message that ends a cycle and is also the first message of the next cycle. retainedEntry returns the
// distribution of the number D of distinct positions of this message. The numbers D of successive cycles form a Markov
// chain. The result is the stationary distribution of this chain. Values of D that have a probability below rareEntry
// in every cycle are left out. The bound of this probability uses two facts. An arrival has D = d with probability P[D
// = d]. On average, at most k/(1-rho(sigma)) arrivals of a cycle find a state from which a cycle can end. There are k
// such states.
func retainedEntry(g bloomproof.Geometry, sigma uint64) (Entry, error) {
	most, w := message.Number(g)
	few := rareEntry * (1 - message.HitAt(g, sigma).Float64()) / float64(g.K)
	high, low := most, most-len(w)+1
	for low < high && w[most-low] < few {
		low++
	}
	for high > low && w[most-high] < few {
		high--
	}
	n := high - low + 1
	if n == 1 {
		return Entry{uint64(low), []float64{1}}, nil
	}
	if err := CheckChain(g, sigma, n); err != nil {
		return Entry{}, err
	}
	if g.K > mostEndings {
		return Entry{}, fmt.Errorf("%w: %d^3 steps for how a cycle ends, at most 2^30", refuse.ErrTooCostly, g.K)
	}
	first := sigma + 1 - uint64(g.K)  // sigma >= k when retaining
	ends := make([][]float64, 0, g.K) // ends[b-first][d] is the probability that d positions end the cycle at b bits
	for b := first; b <= sigma; b++ {
		ends = append(ends, exceed(g.M, b, int(sigma-b), high))
	}
	law := make([][]float64, n) // law[i][j] is the probability that a cycle that begins with D = low+i ends with D = low+j
	for i := range law {
		v, err := Entry{uint64(low + i), []float64{1}}.Visits(g, sigma)
		if err != nil {
			return Entry{}, err
		}
		law[i] = make([]float64, n)
		for j := range law[i] {
			d := low + j
			for b, e := range ends {
				law[i][j] += v[first+uint64(b)] * e[d]
			}
			law[i][j] *= w[most-d]
		}
	}
	return Entry{uint64(low), stationary(law)}, nil
}

// RareVisits is a limit for filters that retain the triggering message. The functions retainedEntry and
// ClosedForm.Entry leave out some improbable numbers of distinct positions. These numbers are called rare. Their total
// probability is at most 2^-70. A cycle is called rare if its first message has a rare number of distinct positions. A
// rare cycle visits a given state about once. So rare cycles add at most 2^-54 RareVisits to the mean number of visits
// to this state. They do not matter if this mean is at least RareVisits. If the mean is smaller, rare cycles must be
// included.
const RareVisits = 0x1p-16

// The function Rare is for bit-bounded filters that retain the triggering message. It returns the mean numbers of
// visits to the states 0..last. Some numbers of distinct positions are rare. The first message of a cycle can have such
// a number. The result includes such cycles. The Entry e holds the probabilities of all numbers that are not rare. The
// slice v holds the visits that follow from e, for the states up to sigma. If the closed form gives these visits, the
// slice v is nil. The argument "last" is at most sigma.
//
// Let the positions be fixed. The probability that a cycle ends with a message of D = d distinct positions is
//
//	P[D = d] [sum over b of V(b) Q(b,d)].
//
// Here Q(b,d) is the probability that more than sigma-b of d distinct positions are clear. Cycles that begin with a
// different rare number also contribute to this sum. The sum can be so small that their contribution matters. An
// example is a large m with k = 5, sigma = 7 and d = 1. There only the last state matters. A tenth of the visits to
// this state occur in cycles that begin with three set bits. So the function Rare alternates between two steps. The
// first step computes the probabilities of the rare numbers from the visits. The second step computes the visits from
// these probabilities. The function Rare stops when the relative changes of these probabilities are below 2^-50. All
// terms are positive. Consider sequences of successive cycles in which every cycle begins with a rare number. The n-th
// round includes all such sequences of at most n cycles. Consider a sequence in which a number occurs twice. Leave out
// the second occurrence and all numbers between the two occurrences. The result is a shorter sequence. Each sequence
// adds an amount to the result. The longer sequence adds less than 2^-50 times as much as the shorter one. So k rounds
// suffice. If a change is small, the rounds end earlier. The omitted part is then at most k 2^-50 times the result.
func (e Entry) Rare(g bloomproof.Geometry, r bloomproof.Recycling, v []float64, last uint64) ([]float64, error) {
	all := message.AllNumbers(g)
	law := make([]float64, g.K) // law[d-1] is the probability of D = d
	begin := func(share func(d int) float64) (changed bool) {
		for i := range law {
			x := all[i+1].Float64()
			if d := i + 1; d >= int(e.First) && d-int(e.First) < len(e.Law) {
				x = e.Law[d-int(e.First)]
			} else if x > 0 {
				x *= share(d)
			}
			changed = changed || x-law[i] > 0x1p-50*x
			law[i] = x
		}
		return changed
	}
	from := Entry{1, law}
	f := NewClosedForm(g)
	switch {
	case r.FreshPositions:
		begin(func(int) float64 { return 1 })
		return from.Visits(g, max(last, uint64(g.K)))
	case v == nil:
		begin(func(d int) float64 { return f.share(d).Hi })
		return from.Visits(g, max(last, uint64(g.K)))
	}
	first := r.Sigma + 1 - uint64(g.K)
	ends := make([][]float64, g.K) // ends[b-first][d] is the probability that d positions end the cycle at b bits
	for i := range ends {
		b := first + uint64(i)
		ends[i] = exceed(g.M, b, int(r.Sigma-b), g.K)
	}
	for range g.K {
		changed := begin(func(d int) float64 {
			sum := 0.0
			for i, x := range v[first:] {
				sum += x * ends[i][d]
			}
			return sum
		})
		if !changed {
			break
		}
		var err error
		if v, err = from.Visits(g, r.Sigma); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// The function "exceed" returns one probability for each d = 0..most. Suppose that b of the m bits are set. The
// probability for d is P[C > room], where C is the number of clear bits among d distinct positions. All terms are
// positive, so the relative error is at most 5d u (u = 2^-53).
func exceed(m, b uint64, room, most int) []float64 {
	out := make([]float64, most+1)
	p := make([]float64, room+1) // p[i] is the probability of i fresh positions
	p[0] = 1
	for d := range most {
		left := float64(m - uint64(d))
		out[d+1] = out[d]
		if d >= room {
			out[d+1] += p[room] * (float64(m-b-uint64(room)) / left)
		}
		for t := min(d+1, room); t >= 0; t-- {
			x := 0.0
			if set := b + uint64(t); t <= d && set > uint64(d) {
				x = p[t] * (float64(set-uint64(d)) / left)
			}
			if free := m - b; t > 0 && free >= uint64(t) {
				x += p[t-1] * (float64(free-uint64(t-1)) / left)
			}
			p[t] = x
		}
	}
	return out
}

// The function "stationary" returns the stationary distribution of a chain with the transition probabilities a. It uses
// the method of Grassmann, Taksar and Heyman, which needs no subtractions. The relative error of the result is at most
// the relative error of the off-diagonal entries, multiplied by twice the number of rows. The function overwrites its
// argument a.
func stationary(a [][]float64) []float64 {
	n := len(a)
	for s := n - 1; s > 0; s-- {
		leave := 0.0
		for j := range s {
			leave += a[s][j]
		}
		for i := range s {
			a[i][s] /= leave
			for j := range s {
				a[i][j] += a[i][s] * a[s][j]
			}
		}
	}
	law := make([]float64, n)
	law[0] = 1
	total := 1.0
	for s := 1; s < n; s++ {
		for i := range s {
			law[s] += law[i] * a[i][s]
		}
		total += law[s]
	}
	for i := range law {
		law[i] /= total
	}
	return law
}

// Entry returns the distribution of the state in which a cycle begins if the filter retains the triggering message.
func (f ClosedForm) Entry(fresh bool) Entry {
	n := len(f.distinct)
	e := Entry{uint64(f.least()), make([]float64, n)}
	for i, p := range f.distinct {
		if !fresh {
			p *= f.share(f.most - i).Hi
		}
		e.Law[n-1-i] = p
	}
	return e
}
