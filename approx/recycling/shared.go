package recycling

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/cycle"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// addShared adds to n the false positives that only the frozen array reports. The filter must have fixed positions and
// retain the triggering message. The function considers the messages with at least low and at most high distinct
// positions. The element p[d] is the probability that a message has d distinct positions.
func addShared(n *cycle.Numbers, g bloomproof.Geometry, r bloomproof.Recycling, p []fm.Scaled, low, high int) error {
	enter := n.Enter
	if n.Visits == nil {
		enter = cycle.Entry{First: uint64(g.K), Law: []float64{1}}
		if !message.Avoids(g) {
			enter = cycle.NewClosedForm(g).Entry(r.FreshPositions)
		}
	}
	e := n.Edge(g, r.Sigma)
	for i := range enter.Law {
		s := enter.First + uint64(i)
		unknown, err := unknownFrom(n, g, r.Sigma, s, high)
		if err != nil {
			return err
		}
		ends := endsWith(g, r, e, int(s))
		var found fm.Scaled
		for d := low; d <= high; d++ {
			found = found.Add(ends.hits(d, unknown).Mul(p[d]))
		}
		if ends.rare {
			return fmt.Errorf("%w: how the frozen array comes to be is too rare for a float64", refuse.ErrTooCostly)
		}
		n.Positives = n.Positives.Add(found.Mul(p[s]))
	}
	return nil
}

// unknownFrom returns N_s minus the sum over b of V_s(b) C(b-s,e)/C(m-s,e), for e = 0..most. N_s is the mean number of
// arrivals of a cycle that begins with s bits set. V_s(b) is the mean number of these arrivals that find b bits set
// (see two_phase.go).
func unknownFrom(n *cycle.Numbers, g bloomproof.Geometry, sigma, s uint64, most int) ([]float64, error) {
	if n.Visits == nil {
		f := cycle.NewClosedForm(g)
		arrivals := f.Scale.Mul(fm.Harmonic(g.M-sigma, g.M-s)).AddFloat(f.Offset).Hi
		return unknownClosed(f, g.M-s, sigma-s, arrivals, most), nil
	}
	v, err := cycle.Entry{First: s, Law: []float64{1}}.Visits(g, sigma)
	if err != nil {
		return nil, err
	}
	arrivals, _ := cycle.Sums(g, v)
	return unknown(g.M-s, v[s:], arrivals, most), nil
}

// An ending describes the frozen array during a cycle. At the beginning of that cycle, the active array already
// contains the s positions of a message. This message ended the previous cycle.
type ending struct {
	m     uint64
	first uint64         // the least y
	p     [][]float64    // p[t][y-first] is the expected number of endings with t of the s positions and y other bits
	have  map[int]column // the columns for the e requested so far
	rare  bool           // true if the terms that matter are too small for a float64
}

// Let p(t,y) be the element p[t][y-first] of an ending, and let last be the largest possible y. For each number e of
// positions there is one value of the type "column". The element sum[t] of this column is the sum over y of p(t,y)
// C(y,e)/C(last,e). The field "at" is C(last,e)/C(m,e).
type column struct {
	sum []float64
	at  fm.Scaled
}

// endsWith considers cycles that begin with the s positions of a message. It returns the joint distribution of two
// numbers, t and y. The frozen array has t of these positions set, and it has y other set bits. The message with these
// s positions was the last arrival of the previous cycle. Suppose that this arrival found b bits set and x of its
// positions clear. Then the frozen array has b+x set bits, including all s positions. With FreezeBefore, the frozen
// array has only b set bits. Then s-x of the s positions are set in it. In both cases y = b+x-s. All terms are
// positive, so the relative error is at most (6k+20)u (u = 2^-53).
func endsWith(g bloomproof.Geometry, r bloomproof.Recycling, e cycle.Edge, s int) *ending {
	out := &ending{m: g.M, first: r.Sigma + 1 - uint64(s), p: make([][]float64, s+1), have: make(map[int]column)}
	for i, v := range e.Visits {
		b := e.First + uint64(i)
		room := int(r.Sigma - b)
		law := freshLaw(g.M, b, s)
		for x := room + 1; x <= s; x++ {
			t := s
			if r.FreezeBefore {
				t = s - x
			}
			for len(out.p[t]) < x-room {
				out.p[t] = append(out.p[t], 0)
			}
			out.p[t][x-room-1] += v * law[x]
		}
	}
	return out
}

// freshLaw considers d distinct positions in an array of m bits with b set bits. It returns the distribution of the
// number x of clear bits among the positions. The probability of x is C(m-b,x) C(b,d-x)/C(m,d). The function begins with
// the number 1 at the x closest to the mean. From there it multiplies by the quotients of successive probabilities, and
// stops at numbers below leastLaw. Finally it divides by the sum of the numbers. A number that is i steps away from the
// beginning has a relative error of at most 2iu (u = 2^-53). So the probabilities have a relative error of at most
// (4d+4)u.
func freshLaw(m, b uint64, d int) []float64 {
	p := make([]float64, d+1)
	clear, all := m-b, uint64(d)
	least, most := all-min(all, b), min(all, clear)
	start := min(max(uint64(float64(clear)/float64(m)*float64(d)), least), most)
	up := func(x uint64) (above, below fm.Double) { // the quotient of the probabilities of x+1 and x
		return fm.WholeProduct(clear-x, all-x), fm.WholeProduct(x+1, b+x+1-all)
	}
	p[start] = 1
	sum := fm.Whole(1)
	for x := start; x < most && p[x] >= leastLaw; x++ {
		above, below := up(x)
		p[x+1] = p[x] * above.Quo(below).Hi
		sum = sum.AddFloat(p[x+1])
	}
	for x := start; x > least && p[x] >= leastLaw; x-- {
		above, below := up(x - 1)
		p[x-1] = p[x] * below.Quo(above).Hi
		sum = sum.AddFloat(p[x-1])
	}
	for x := least; x <= most; x++ {
		p[x] /= sum.Hi
	}
	return p
}

// The method "column" returns the column for e, and computes it at the first request.
func (ends *ending) column(e int) column {
	if c, ok := ends.have[e]; ok {
		return c
	}
	at := message.Apart(ends.m, e)
	last := 0
	for _, law := range ends.p {
		last = max(last, len(law))
	}
	s := uint64(len(ends.p) - 1)
	most := min(ends.first+uint64(last)-1, ends.m-s) // there are at most m-s other bits
	ratio := message.HitRatios(at, float64(most))
	weights := make([]float64, last)
	for i := range weights {
		if y := ends.first + uint64(i); y <= most {
			weights[i] = ratio(float64(y))
		}
	}
	c := column{make([]float64, len(ends.p)), message.HitAt(at, most)}
	for t, law := range ends.p {
		for i, q := range law {
			c.sum[t] += q * weights[i]
		}
	}
	ends.have[e] = c
	return c
}

// The probabilities of the states that matter may be too small for a float64. The code assumes this if a sum over the
// states is below rareHits times the largest weight. The method "hits" then sets the field "rare".
const rareHits = 0x1p-800

// If the terms of a sum decrease quickly, the sum ends with the first term that is below negligibleHits times the sum.
const negligibleHits = 0x1p-60

// Numbers below leastLaw are soon subnormal and slow. The function freshLaw leaves out all further numbers.
const leastLaw = 0x1p-1000

// Consider cycles that begin with the s positions of a message. Suppose that messages with d distinct positions arrive.
// Some false positives of a cycle are reported only by the frozen array. Let F be the mean number of these false
// positives for the given s. The method "hits" returns F divided by the probability that a message has d distinct
// positions. In the frozen array, t <= s positions of the retained message are set. Suppose that j of the d positions
// are among these t positions. The other e = d-j positions must be among the other set bits of the frozen array. The
// column of e describes these bits. The factor of that column is C(t,j) C(m,e)/C(m,d). It is the product of two
// quotients.
//
//	The first quotient is C(t,j)/C(s,j).
//	The second quotient is C(s,j) d!/(e! (m-e) ... (m-d+1)).
//
// Suppose that the number y of other bits always exceeds 2k(k+1). Then each term of the sum over j is less than half of
// the previous term. The ratio of two successive terms is at most k^2/(y-d).
func (ends *ending) hits(d int, unknown []float64) fm.Scaled {
	s := len(ends.p) - 1
	width := uint64(s + 1)
	steep := ends.first > 2*width*width+2*width
	least := 0 // the least t with a positive probability
	for least < s && len(ends.p[least]) == 0 {
		least++
	}
	choose := make([]float64, s+1-least) // C(t,j)/C(s,j)
	for i := range choose {
		choose[i] = 1
	}
	var all fm.Scaled
	front := fm.Whole(1).Scale() // C(s,j) d!/e!/((m-e) ... (m-d+1))
	for j := range min(d, s+1) {
		e := d - j
		if j > 0 {
			for i := range choose {
				choose[i] *= max(0, float64(least+i-j+1)) / float64(s-j+1)
			}
			front = front.Times(fm.Whole(uint64(s - j + 1)).Mul(fm.Whole(uint64(e + 1))).Quo(fm.Whole(uint64(j)).Mul(fm.Whole(ends.m - uint64(e)))))
		}
		c := ends.column(e)
		sum := 0.0
		for i, x := range c.sum[least:] {
			sum += x * choose[i]
		}
		if j == 0 && sum < rareHits && c.at.Hi > 0 {
			ends.rare = true
		}
		if sum == 0 {
			continue
		}
		term := front.Mul(c.at).Times(fm.Double{Hi: sum * unknown[e]})
		all = all.Add(term)
		if steep && term.Quo(all) < negligibleHits {
			break
		}
	}
	return all
}
