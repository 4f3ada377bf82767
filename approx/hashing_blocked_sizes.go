package approx

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// blockedHashing returns the hashing that the searches use for filters whose blocks have the given number of bits. A
// search needs the rates for many n and many numbers of blocks, but only for a few k. For given k, one list of numbers
// is enough: the rates of one block with 0, 1, ... items. All rates that the search needs are weighted means of these
// numbers. The search stores this list, with one float64 for each rate.
func blockedHashing(in *hashing, bits uint64) *hashing {
	b := &blockSearch{in: in, bits: bits, tables: map[int]*blockTable{}}
	h := *in
	h.blocks, h.kDividesM = b, false // a number of bits of a block is possible with every k, or with none
	h.rate, h.rateError = b.rate, b.rateError
	h.mostK = func(uint64) uint64 { return in.mostK(bits) }
	h.leastM = func(int) uint64 { return 0 }
	h.startK = b.startK
	return &h
}

// blockSearch stores the rates that a search has computed for single blocks.
type blockSearch struct {
	in     *hashing
	bits   uint64 // number of bits of a block
	tables map[int]*blockTable
	most   uint64 // largest number of items of a block so far
	m, n   uint64
	loads  []load // loads for m and n
	err    error  // first error of a rate
}

// The comment of blockTable describes a recursion. stepCost is the approximate time of one step in microseconds.
const stepCost = 1e-3

// rateError bounds the relative error of the method "rate". Each draw of a bit contributes 3u (u = 2^-53) to this
// bound. The number of different bits of a key adds 4ku to this bound. Each weight contributes 12u, and so does the sum
// of the weights. If the error of blockedRate is larger, that error is the bound.
func (b *blockSearch) rateError(k int) float64 {
	return max(4*float64(k+4)*float64(b.most+2)*fm.Unit, b.in.rateError(k)+2*fm.Unit)
}

// startK returns the k at which the search begins. A search for a filter that is a single block would begin at the same
// k. This single block has more items than most blocks of the filter.
func (b *blockSearch) startK(m, n uint64) float64 {
	const above = 3 // standard deviations
	mean := float64(n) / float64(m/b.bits)
	return b.in.startK(b.bits, uint64(mean+above*fm.Sqrt(mean))+1)
}

// A table has rates for up to about mostTable items. Such a table takes eight megabytes.
const mostTable = 1 << 20

// Rates below leastTabled or above mostTabled are computed by blockedRate. For a rate f near 1, the rounded value in a
// table has too few digits of 1-f. Rates below leastTabled could underflow.
const (
	leastTabled = 1e-250
	mostTabled  = 0.5
)

// The method "rate" returns the rate of a filter of m bits with n >= 1 items. The filter consists of one or more
// blocks. On an error it sets b.err and returns 1.
func (b *blockSearch) rate(m, n uint64, k int) rate {
	blocks := m / b.bits
	if blocks == 1 {
		return b.in.rateOf(m, n, k)
	}
	mean := float64(n) / float64(blocks)
	if cost := (mean + 1) * float64(k) * float64(k) * stepCost; mean > mostTable || cost > mostSpent {
		b.err = fmt.Errorf("%w: the rates of a block of k = %d up to %.3g items, at most 2^20 items or 1 s", refuse.ErrTooCostly, k, mean)
		return near1(0)
	}
	t := b.tables[k]
	if t == nil {
		t = newBlockTable(b.in, b.bits, k)
		b.tables[k] = t
	}
	all, hits := 0.0, 0.0
	eachLoad(n, blocks, func(j uint64, w, left float64, up bool) bool {
		f := t.rate(j)
		all += w
		hits += w * f
		b.most = max(b.most, j)
		if up {
			return left > blockedEnd*hits
		}
		return left > blockedEnd
	})
	if f := hits / all; f >= leastTabled && f <= mostTabled {
		return below1(fm.Double{Hi: f}.Scale())
	}
	r, err := blockedRate(bloomproof.Geometry{M: m, K: k, Hashing: b.in.is, Block: b.bits}, n)
	if err != nil {
		b.err = err
		return near1(0)
	}
	return r
}

// eachLoad calls f for each possible number j of items in a block. Let B be the number of blocks. The first call is for
// j = n/B. The next calls are for larger and larger j. The later calls are for smaller and smaller j. Each call passes
// a weight w to f. These weights are proportional to the probabilities of Bin(n, 1/B). They are scaled such that w is 1
// for j = n/B. Consider the later calls in the same direction. The sum of their weights is at most "left", another
// argument of f. If f returns false, eachLoad stops in this direction.
func eachLoad(n, blocks uint64, f func(j uint64, w, left float64, up bool) bool) {
	others := float64(blocks - 1)
	start := n / blocks
	for _, up := range []bool{true, false} {
		w := 1.0
		for j := start; ; {
			r := 0.0 // the quotient of the next weight and this one
			if up && j < n {
				r = float64(n-j) / (float64(j+1) * others)
			} else if !up && j > 0 {
				r = float64(j) * others / (float64(n-j) + 1)
			}
			left := fm.Inf()
			if r < 1 {
				left = w * r / (1 - r)
			}
			if (up || j < start) && !f(j, w, left, up) || r == 0 {
				break
			}
			w *= r
			if up {
				j++
			} else {
				j--
			}
		}
	}
}

// A value of the type "load" has two fields: a number of items, and the logarithm of a probability p. A block contains
// at least this number of items with a probability of at least p.
type load struct {
	items uint64
	ln    float64
}

// lowersLn returns lower bounds of the logarithm of the rate f. As a function of k, each bound has only one minimum.
// Let N be the number of items of a block. Let f_i be the rate of a block with i items. The bounds follow from f >= P[N
// >= i] f_i.
func (b *blockSearch) lowersLn(m, n uint64, k int) []float64 {
	if b.m != m || b.n != n {
		b.m, b.n, b.loads = m, n, loadsOf(n, m/b.bits)
	}
	all := make([]float64, len(b.loads))
	for i, l := range b.loads {
		all[i] = l.ln + b.in.lowerLn(b.bits, l.items, k)
	}
	return all
}

// The function loadsOf returns possible numbers of items of a block. These are the number 1, and numbers near the mean
// at distances of half a standard deviation. Some of these numbers are unlikely. They are needed for a nearly empty
// filter, where blocks with several items can contribute most of the rate.
func loadsOf(n, blocks uint64) []load {
	const (
		below, above = 4, 8 // standard deviations
		apart        = 0.5
		margin       = 1e-9 // larger than the errors of the weights
		leastWeight  = 1e-300
	)
	var up, down []float64
	all := 0.0
	eachLoad(n, blocks, func(_ uint64, w, left float64, isUp bool) bool {
		all += w
		if isUp {
			up = append(up, w)
		} else {
			down = append(down, w)
		}
		return left > leastWeight
	})
	start := n / blocks
	first := start - uint64(len(down))
	deviation := fm.Sqrt(float64(start) + 1)
	var loads []load
	rest, next := 0.0, float64(start)+above*deviation
	for j := start + uint64(len(up)) - 1; j >= max(first, 1); j-- {
		if j >= start {
			rest += up[j-start]
		} else {
			rest += down[start-j-1]
		}
		if j == 1 || float64(j) <= next && float64(j) >= float64(start)-below*deviation {
			loads = append(loads, load{j, fm.Log(rest/all) - margin})
			next = float64(j) - apart*deviation
		}
	}
	return loads
}

// The methods below are used by the searches, for filters with and without blocks.

// The method "at" returns the hashing for filters of m bits. A filter of one block is treated as a filter without
// blocks.
func (h *hashing) at(m uint64) *hashing {
	if h.blocks != nil && m == h.blocks.bits {
		return h.blocks.in
	}
	return h
}

// The method "bits" returns the number of bits among which the positions of an item lie. These are all m bits, or the
// bits of one block.
func (h *hashing) bits(m uint64) uint64 {
	if h.blocks != nil {
		return h.blocks.bits
	}
	return m
}

// The method "step" returns the step between possible values of m, the number of bits of a filter. The filter has k
// positions for each item.
func (h *hashing) step(k int) uint64 {
	switch {
	case h.blocks != nil:
		return h.blocks.bits
	case h.kDividesM:
		return uint64(k)
	}
	return 1
}

// The method "allows" reports whether k divides the number of bits of the filter or block, if the hashing requires
// this.
func (h *hashing) allows(m uint64, k int) bool {
	divides := h.kDividesM || h.blocks != nil && h.blocks.in.kDividesM
	return !divides || h.bits(m)%uint64(k) == 0
}

// Some values of k are invalid for every number m of bits. nearK returns the value nearest to x among the other values
// of k.
func (h *hashing) nearK(x float64) int {
	if h.blocks != nil {
		return newKSearch(h, h.blocks.bits, 1).nearest(x)
	}
	return int(min(max(1, x+0.5), bloomproof.MaxK))
}

// The method "cost" estimates how many microseconds it takes to compute the rate of a filter with k positions.
func (h *hashing) cost(k int) float64 {
	if h.blocks != nil {
		return float64(k) * float64(k) * float64(h.blocks.most+1) * stepCost
	}
	return rateCost(k)
}

// lowersLn returns lower bounds of the logarithm of the rate. As a function of k, each bound has only one minimum.
func (h *hashing) lowersLn(m, n uint64, k int) []float64 {
	if h.blocks != nil {
		return h.blocks.lowersLn(m, n, k)
	}
	return []float64{h.lowerLn(m, n, k)}
}

// mostlySet reports whether the filter is so full that k = 1 certainly gives the least rate f. The argument "second" is
// the smallest other k that is allowed. Let u_k be the probability that a given bit is clear, if each item has k
// positions. Then 1-f is u_1 for k = 1 and at most k u_k for larger k. The number u_k decreases as k increases.
func (h *hashing) mostlySet(m, n uint64, second int) bool {
	if h.blocks != nil {
		one, _ := h.logUnset(m, 1)
		two, _ := h.logUnset(m, second)
		l1, l2 := float64(n)*one.Hi, float64(n)*two.Hi
		return l2+fm.Log(bloomproof.MaxK) < l1+lnError*(l1+l2)
	}
	return float64(n)*fm.Log1p(-1/float64(m)) < -fm.Ln2*(1+lnError)
}

// logUnset returns the logarithm of the probability that an item does not set a given bit. The result "all" is true if
// every item sets all bits.
func (h *hashing) logUnset(m uint64, k int) (ln fm.Double, all bool) {
	c := h.draws(h.bits(m), 1, k)
	blocks := m / h.bits(m)
	switch all = c.size == c.m; {
	case blocks == 1 && all:
		return ln, true
	case blocks == 1:
		return fm.LogMiss(c.size, c.m).Mul(c.count), false
	case all:
		return fm.LogMiss(1, blocks), false
	}
	set := fm.LogMiss(c.size, c.m).Mul(c.count).Expm1().Neg()
	return set.Quo(fm.Whole(blocks)).Neg().Log1p(), false
}

// The argument o is the result of a search. The method "found" returns o, but with the rate that FPR computes.
func (h *hashing) found(o Optimum) (Optimum, error) {
	if h.blocks == nil {
		return o, nil
	}
	if h.blocks.err != nil {
		return Optimum{}, h.blocks.err
	}
	o.Geometry.Block = h.blocks.bits // at looks for one block as for a filter without blocks
	var err error
	o.Rate, err = FPR(o.Geometry, o.N)
	return o, err
}

// A blockTable holds the rates of a block with 0, 1, ... items. Let p_i be the probability that i given bits are all
// set. Suppose that one more bit is drawn from r bits. Then p_i changes to
//
//	p_i' = p_i (1 - i/r) + p_(i-1) i/r.
//
// The rate is the mean of p_i over i. Here i is the number of different bits of a key. With slices the rate is a power
// of the rate of one slice. All terms are positive, and each draw adds a relative error of 3u (u = 2^-53). So the rate
// f_j of a block with j items has a relative error of 3u k (j+2).
type blockTable struct {
	c    committees
	p    []float64
	bits []float64 // bits[i] is the probability that a key has i different bits
	f    []float64
}

func newBlockTable(in *hashing, m uint64, k int) *blockTable {
	t := &blockTable{c: in.draws(m, 1, k)}
	draws := t.draws()
	t.p, t.bits = make([]float64, draws+1), make([]float64, draws+1)
	t.p[0] = 1
	t.bits[0] = 1
	for d := range draws {
		left := t.left(d)
		// An item draws its bits in batches of c.size different bits. So two bits can be equal only if they come from
		// different batches.
		for i := d; i >= 0; i-- {
			old := 0.0
			if t.c.size == 1 {
				old = min(float64(i), left)
			}
			t.bits[i+1] += t.bits[i] * ((left - old) / left)
			t.bits[i] *= old / left
		}
	}
	return t
}

// For each item, bits of a slice are drawn one by one. The method "draws" returns the number of these draws. The draws
// are numbered from 0. The method "left" returns the number of bits that are candidates in draw d.
func (t *blockTable) draws() int         { return int(t.c.count.Hi) * int(t.c.size) }
func (t *blockTable) left(d int) float64 { return float64(t.c.m - uint64(d)%t.c.size) }

// The method "rate" returns the rate of a block with j items.
func (t *blockTable) rate(j uint64) float64 {
	for uint64(len(t.f)) <= j {
		if len(t.f) > 0 {
			t.insert()
		}
		f := 0.0
		for i, p := range t.p {
			f += t.bits[i] * p
		}
		power := f
		for range t.c.slices - 1 {
			power *= f
		}
		t.f = append(t.f, power)
	}
	return t.f[j]
}

// The method "insert" adds an item to the block, and updates the probabilities p_i. It works backwards from the last
// draw of the item. Suppose that i given bits are set in the end. The last draw sets at most one of these bits. The
// earlier draws must have set all the other given bits.
func (t *blockTable) insert() {
	for d := t.draws() - 1; d >= 0; d-- {
		left := t.left(d)
		for i := len(t.p) - 1; i > 0; i-- {
			hit := min(float64(i), left)
			t.p[i] = t.p[i]*((left-hit)/left) + t.p[i-1]*(hit/left)
		}
	}
}
