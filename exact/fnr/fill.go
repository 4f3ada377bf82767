package fnr

import (
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/field"
)

// A value of the type "states" describes how the bits of a recycling filter fill during a cycle (Dozier-FN, section
// 4.1). The numbers in it depend on i, the number of distinct recorded messages. They do not depend on which messages
// are recorded. So they do not depend on the workload either.
type states struct {
	g shape
	r bloomproof.Recycling
}

// newStates returns the states of the active array of a filter with the geometry g and the recycling rule r. It returns
// a ParamError if r is not valid for g, or if the hashing is neither standard nor classic.
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

// fillLimit is the largest number of steps that a filler may take. A step takes about 0.2 us at a precision of 100
// bits.
const fillLimit = 1 << 25

// The time of a product of two numbers of b bits was measured. For b >= longBits it is proportional to b^longPower.
const (
	longBits  = 256
	longPower = 1.3
)

// The unit of cost is a step at a precision of up to longBits bits. At higher precision, a step costs more. The
// argument "steps" is a number of steps at a precision of "work" bits. The function atPrecision returns their total
// cost in this unit.
func atPrecision(steps float64, work uint) float64 {
	return steps * math.Pow(max(1, float64(work)/longBits), longPower)
}

// The method "steps" returns the number of steps that a filler takes for i+1 messages.
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

// A filler computes the distribution of the set bits of an array, message by message. It applies the recursion of
// equation (1) of Dozier-FN to single positions. This takes k terms for each number of set bits, instead of k^2/2.
// Outcomes in which a message sets no bit are counted separately. So no subtraction is needed for the probabilities 1 -
// gamma in equation (3) and rho in equation (4). The probabilities are stored as weights, which are not divided by the
// number of outcomes. So in rational arithmetic the weights are integers.
//
// For the message-bounded rule, the state has two numbers: how many bits are set, and how many messages set bits. The
// recursion printed in section 4.1.2 multiplies by gamma(i). This is the probability that a message sets no bit after i
// distinct messages. This is wrong, because the probability also depends on the number of messages that have set bits.
//
// Source: Dozier-FN, equations (1) to (4); section 4.1.2, corrected.
type filler[T any, P field.Number[T]] struct {
	f     field.Of[T, P]
	g     shape
	r     bloomproof.Recycling
	rows  [][]P // rows[s][l]: weight of l set bits; s is the number of messages that set bits, or 0 if bit-bounded
	scale P     // total weight of all outcomes so far
	each  P     // number of outcomes of one message

	hits, clears []P // hits[l] = l and clears[l] = m-l
}

func newFiller[T any, P field.Number[T]](f field.Of[T, P], g shape, r bloomproof.Recycling) *filler[T, P] {
	w := &filler[T, P]{f: f, g: g, r: r, rows: [][]P{{f.Int(1)}}, scale: f.Int(1), each: f.Int(1)}
	for t := range uint64(g.K) {
		w.each.Mul(w.each, f.Uint(g.M-w.g.placed(t)))
	}
	return w
}

// The method "next" adds one more distinct message. The result "quiet" is the total weight of the outcomes in which the
// message sets no bit. The result "loud" is the total weight of the outcomes in which the message sets a bit. The
// result "over" is the total weight of the outcomes in which the filter recycles. After the call, the field w.rows has
// only the outcomes in which the filter does not recycle.
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

// The method "plus" returns the sum of the lists x and y, entry by entry. Their lengths may differ, and x is
// overwritten.
func (w *filler[T, P]) plus(x, y []P) []P {
	for l, v := range y {
		if l == len(x) {
			x = append(x, w.f.Int(0))
		}
		x[l].Add(x[l], v)
	}
	return x
}

// The method "message" places the k positions of a message in an array. Let the array have l set bits before this. The
// entry row[l] of the argument "row" is the weight of this case. In some outcomes all positions were already set. The
// result "none" lists the weights of these outcomes. The result "some" lists the weights of the other outcomes.
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

// The method "matched" returns the probability that three events happen together. First, the current messages fit.
// Second, one more message ends the cycle. Third, all positions of another message are set in the array that is then
// frozen. These positions are drawn anew. With freeze-before, the frozen array has the bits that were set before the
// triggering message. Otherwise it has the bits that are set after this message.
func (w *filler[T, P]) matched() P {
	least := uint64(0) // the least number of bits at which one more message can end the cycle
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

// Let tau(l,l+x) be the probability that a message increases the number of set bits from l to l+x. The method "taus"
// returns these probabilities for x = 0..k.
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

// The method "full" returns rho(l). If l bits are set, this is the probability that all positions of a message are set.
func (w *filler[T, P]) full(l uint64) P {
	all := w.f.Int(1)
	for pos := range w.g.K {
		placed := w.g.placed(uint64(pos))
		all.Mul(all, w.f.Ratio(l-min(l, placed), w.g.M-placed))
	}
	return all
}
