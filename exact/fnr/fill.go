package fnr

import (
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/field"
)

// A states value describes how the bits fill during a cycle of a recycling filter, by the number i of distinct recorded
// messages (Dozier-FN, section 4.1). It does not matter which messages are recorded, so the states do not depend on the
// workload.
type states struct {
	g shape
	r bloomproof.Recycling
}

// newStates returns the states of the active array of a filter of geometry g and rule r. It returns a ParamError if r
// is not valid for g, and if the hashing is neither standard nor classic.
func newStates(g bloomproof.Geometry, r bloomproof.Recycling) (*states, error) {
	if err := r.Validate(g); err != nil {
		return nil, err
	}
	s, err := shapeOf(g)
	if err != nil {
		return nil, err
	}
	return &states{s, r}, nil
}

// fillLimit is the largest number of steps of a filler, which take about 0.2 us each at 100 bits.
const fillLimit = 1 << 25

// From longBits on, the measured time of a product is proportional to the number of bits to the power longPower.
const (
	longBits  = 256
	longPower = 1.3
)

// atPrecision returns the cost of the given number of steps at a precision, in units of steps at up to longBits bits.
func atPrecision(steps float64, work uint) float64 {
	return steps * math.Pow(max(1, float64(work)/longBits), longPower)
}

// steps returns the number of steps that a filler takes for i+1 messages.
func (c *states) steps(i uint64) float64 {
	k := float64(c.g.K)
	n := float64(i) + 1
	most := min(n*k, float64(c.g.M))
	count := 1.0
	if c.r.Messages == 0 {
		most = min(most, float64(c.r.Sigma)+k)
	} else {
		count = min(n, float64(c.r.Messages))
	}
	return n * k * (most + 1) * count
}

// A filler follows the distribution of an array from message to message. It applies the recursion (1) position by
// position, which takes k terms for each number of bits instead of k^2/2. It separates the outcomes in which a message
// sets no bit from the others, so that 1 - gamma and rho, (3) and (4), need no subtraction. Weights are not divided by
// the number of outcomes. So weights that are rationals are integers.
//
// For the message-bounded rule the state consists of the number of bits and the number of messages that set bits. The
// recursion printed in 4.1.2 multiplies by gamma(i), which is wrong, because gamma(i) is not the conditional
// probability given the number of messages that set bits.
//
// Source: Dozier-FN (1)-(4); 4.1.2, corrected.
type filler[T any, P field.Number[T]] struct {
	f     field.Of[T, P]
	g     shape
	r     bloomproof.Recycling
	rows  [][]P // rows[s][l]: weight of l set bits; s = 0, or the messages that set bits
	scale P     // total weight of all outcomes so far
	each  P     // number of outcomes of a message

	hits, clears []P // l and m-l
}

func newFiller[T any, P field.Number[T]](f field.Of[T, P], g shape, r bloomproof.Recycling) *filler[T, P] {
	w := &filler[T, P]{f: f, g: g, r: r, rows: [][]P{{f.Int(1)}}, scale: f.Int(1), each: f.Int(1)}
	for t := range uint64(g.K) {
		w.each.Mul(w.each, f.Uint(g.M-w.g.placed(t)))
	}
	return w
}

// next lets one more distinct message arrive. It returns three weights of outcomes: quiet if the message sets no bit,
// loud if it sets a bit, and over if it makes the filter recycle. The outcomes of the third kind are removed from the
// rows.
func (w *filler[T, P]) next() (quiet, loud, over P) {
	quiet, loud, over = w.f.Int(0), w.f.Int(0), w.f.Int(0)
	w.scale.Mul(w.scale, w.each)
	rows := make([][]P, len(w.rows), len(w.rows)+1)
	for s, row := range w.rows {
		none, some := w.message(row)
		for _, x := range none {
			quiet.Add(quiet, x)
		}
		for _, x := range some {
			loud.Add(loud, x)
		}
		rows[s] = w.plus(rows[s], none)
		if w.r.Messages == 0 {
			fit := int(min(uint64(len(some)), w.r.Sigma+1))
			for _, x := range some[fit:] {
				over.Add(over, x)
			}
			rows[s] = w.plus(rows[s], some[:fit])
			continue
		}
		if uint64(s)+1 == w.r.Messages {
			for _, x := range some {
				over.Add(over, x)
			}
			continue
		}
		if s+1 == len(rows) {
			rows = append(rows, nil)
		}
		rows[s+1] = w.plus(rows[s+1], some)
	}
	w.rows = rows
	return quiet, loud, over
}

// plus returns x + y; the lengths may differ, and x is overwritten.
func (w *filler[T, P]) plus(x, y []P) []P {
	for l, v := range y {
		if l == len(x) {
			x = append(x, w.f.Int(0))
		}
		x[l].Add(x[l], v)
	}
	return x
}

// message applies the k positions of a message to row. The result none has the outcomes in which all its positions were
// already set. The result some has the other outcomes.
func (w *filler[T, P]) message(row []P) (none, some []P) {
	for _, x := range row {
		none = append(none, w.f.Zero().Set(x))
	}
	some = make([]P, min(uint64(len(row)+w.g.K), max(w.g.M+1, w.g.M)))
	for l := range some {
		some[l] = w.f.Int(0)
	}
	for l := uint64(len(w.hits)); l < uint64(len(some)); l++ {
		w.hits, w.clears = append(w.hits, w.f.Uint(l)), append(w.clears, w.f.Uint(w.g.M-l))
	}
	t := w.f.Zero()
	for pos := range w.g.K {
		placed := int(w.g.placed(uint64(pos)))
		for l := len(some) - 1; l >= 0; l-- {
			some[l].Mul(some[l], w.hits[max(l-placed, 0)])
			if l == 0 {
				break
			}
			t.Set(some[l-1])
			if l <= len(none) {
				t.Add(t, none[l-1])
			}
			t.Mul(t, w.clears[l-1])
			some[l].Add(some[l], t)
		}
		for l, x := range none {
			x.Mul(x, w.hits[max(l-placed, 0)])
		}
	}
	return none, some
}

// matched returns the joint probability of three events. The current messages fit. One more message ends the cycle. The
// newly drawn positions of another message are all set in the array that then freezes. That array has the bits that the
// triggering message found (freeze-before) or the bits that it left.
func (w *filler[T, P]) matched() P {
	least := uint64(0) // the fewest bits from which one more message can end the cycle
	row := w.rows[len(w.rows)-1]
	if w.r.Messages == 0 {
		least = w.r.Sigma + 1 - min(w.r.Sigma+1, uint64(w.g.K))
	} else if uint64(len(w.rows)) < w.r.Messages {
		row = nil
	}
	sum, t := w.f.Int(0), w.f.Zero()
	for l := least; l < uint64(len(row)); l++ {
		ends := w.f.Int(0)
		for x, p := range w.taus(l) {
			bits := l + uint64(x)
			switch {
			case x == 0 || w.r.Messages == 0 && bits <= w.r.Sigma:
				continue
			case !w.r.FreezeBefore:
				p = t.Mul(p, w.full(bits))
			}
			ends.Add(ends, p)
		}
		if w.r.FreezeBefore {
			ends.Mul(ends, w.full(l))
		}
		sum.Add(sum, ends.Mul(ends, row[l]))
	}
	return sum.Quo(sum, w.scale)
}

// taus returns tau(l,l+x) for x = 0..k.
func (w *filler[T, P]) taus(l uint64) []P {
	after := []P{w.f.Int(1)}
	t := w.f.Zero()
	for pos := range w.g.K {
		placed := w.g.placed(uint64(pos))
		after = append(after, w.f.Int(0))
		for x := len(after) - 1; x >= 0; x-- {
			set := min(l+uint64(x), w.g.M)
			after[x].Mul(after[x], w.f.Ratio(set-min(set, placed), w.g.M-placed))
			if x > 0 {
				after[x].Add(after[x], t.Mul(after[x-1], w.f.Ratio(w.g.M-min(set-1, w.g.M), w.g.M-placed)))
			}
		}
	}
	return after
}

// full returns rho(l).
func (w *filler[T, P]) full(l uint64) P {
	all := w.f.Int(1)
	for pos := range w.g.K {
		placed := w.g.placed(uint64(pos))
		all.Mul(all, w.f.Ratio(l-min(l, placed), w.g.M-placed))
	}
	return all
}
