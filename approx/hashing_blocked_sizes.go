package approx

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// blockedHashing returns what the searches know of filters with blocks of so many bits. A search
// asks for the rates of many n and numbers of blocks with few k, and each is a mean of the same
// rates of a block: these are kept, in one word each.
func blockedHashing(in *hashing, bits uint64) *hashing {
	b := &blockSearch{in: in, bits: bits, tables: map[int]*blockTable{}}
	h := *in
	h.blocks, h.kDividesM = b, false // a number of bits goes with any k, or with none
	h.rate, h.rateError = b.rate, b.rateError
	h.mostK = func(uint64) uint64 { return in.mostK(bits) }
	h.leastM = func(int) uint64 { return 0 }
	h.startK = b.startK
	return &h
}

// blockSearch has the rates of blocks that a search has computed.
type blockSearch struct {
	in     *hashing
	bits   uint64 // of a block
	tables map[int]*blockTable
	most   uint64 // items of a block so far
	m, n   uint64
	loads  []load // of m and n
	err    error  // that a rate had
}

// stepCost is about how many microseconds a step of a blockTable takes.
const stepCost = 1e-3

// rateError counts 3u for each draw, 4ku for the bits of a key, and 12u for each weight and what it
// adds to; or it is that of blockedRate.
func (b *blockSearch) rateError(k int) float64 {
	return max(4*float64(k+4)*float64(b.most+2)*fm.Unit, b.in.rateError(k)+2*fm.Unit)
}

// startK is that of a block with more items than most.
func (b *blockSearch) startK(m, n uint64) float64 {
	const above = 3 // standard deviations
	mean := float64(n) / float64(m/b.bits)
	return b.in.startK(b.bits, uint64(mean+above*fm.Sqrt(mean))+1)
}

// mostTable is how many items a table goes to, and somewhat more: eight megabytes.
const mostTable = 1 << 20

// Rates outside are left to blockedRate: near 1 their complement would be lost, and a table ends at
// the smallest float64.
const (
	leastTabled = 1e-250
	mostTabled  = 0.5
)

// rate returns the rate of m >= block bits, n >= 1; 1 where err is set.
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

// eachLoad calls f for the numbers of items of a block, from n/B up and then down, with weights
// that begin at 1 and have the quotients of Bin(n, 1/B); left bounds the weights beyond. It stops
// a direction where f says so.
func eachLoad(n, blocks uint64, f func(j uint64, w, left float64, up bool) bool) {
	others := float64(blocks - 1)
	start := n / blocks
	for _, up := range []bool{true, false} {
		w := 1.0
		for j := start; ; {
			r := 0.0 // the next quotient
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

// A load is a number of items of a block, and the logarithm of a lower bound of the probability
// that a block has as many or more.
type load struct {
	items uint64
	ln    float64
}

// lowersLn returns lower bounds of ln f, each with one minimum in k: f is at least P[N >= i] f_i.
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

// loadsOf returns loads around the mean, half of a standard deviation apart, and 1. Unlikely ones are
// among them: of a nearly empty filter, blocks of several items can have most of the rate.
func loadsOf(n, blocks uint64) []load {
	const (
		below, above = 4, 8 // standard deviations
		apart        = 0.5
		margin       = 1e-9 // above the errors of the weights
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

// What the searches ask, with blocks and without.

// at returns what is known of filters of m bits: of one block, those without.
func (h *hashing) at(m uint64) *hashing {
	if h.blocks != nil && m == h.blocks.bits {
		return h.blocks.in
	}
	return h
}

// bits returns how many of m bits an item chooses from.
func (h *hashing) bits(m uint64) uint64 {
	if h.blocks != nil {
		return h.blocks.bits
	}
	return m
}

// step returns the step between the numbers of bits that go with k.
func (h *hashing) step(k int) uint64 {
	switch {
	case h.blocks != nil:
		return h.blocks.bits
	case h.kDividesM:
		return uint64(k)
	}
	return 1
}

// allows reports whether k divides the bits that it has to.
func (h *hashing) allows(m uint64, k int) bool {
	divides := h.kDividesM || h.blocks != nil && h.blocks.in.kDividesM
	return !divides || h.bits(m)%uint64(k) == 0
}

// nearK returns the k nearest to x that some number of bits allows.
func (h *hashing) nearK(x float64) int {
	if h.blocks != nil {
		return newKSearch(h, h.blocks.bits, 1).nearest(x)
	}
	return int(min(max(1, x+0.5), bloomproof.MaxK))
}

// cost returns about how many microseconds a rate takes.
func (h *hashing) cost(k int) float64 {
	if h.blocks != nil {
		return float64(k) * float64(k) * float64(h.blocks.most+1) * stepCost
	}
	return rateCost(k)
}

// lowersLn returns lower bounds of ln f, each with one minimum in k.
func (h *hashing) lowersLn(m, n uint64, k int) []float64 {
	if h.blocks != nil {
		return h.blocks.lowersLn(m, n, k)
	}
	return []float64{h.lowerLn(m, n, k)}
}

// mostlySet reports whether k = 1 is best for certain, so many bits are set; second is the next k.
// With blocks, and u_k the probability that a given bit is unset, 1-f is u_1 for k = 1 and at most
// k u_k for others, and u_k falls with k.
func (h *hashing) mostlySet(m, n uint64, second int) bool {
	if h.blocks != nil {
		one, _ := h.logUnset(m, 1)
		two, _ := h.logUnset(m, second)
		l1, l2 := float64(n)*one.Hi, float64(n)*two.Hi
		return l2+fm.Log(bloomproof.MaxK) < l1+lnError*(l1+l2)
	}
	return float64(n)*fm.Log1p(-1/float64(m)) < -fm.Ln2*(1+lnError)
}

// logUnset returns the logarithm of the probability that an item leaves a given bit unset, or that
// it sets all.
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

// found returns what a search found, with the rate of FPR.
func (h *hashing) found(o Optimum) (Optimum, error) {
	if h.blocks == nil {
		return o, nil
	}
	if h.blocks.err != nil {
		return Optimum{}, h.blocks.err
	}
	var err error
	o.Rate, err = FPR(o.Geometry, o.N)
	return o, err
}

// A blockTable has the rates of a block of 0, 1, ... items. p_i, the probability that i given bits
// are all set, changes with a draw that leaves r bits to draw from by
//
//	p_i' = p_i (1 - i/r) + p_(i-1) i/r,
//
// and the rate is the mean of p_i over the number of bits i of a key, or the power of that of a
// slice. All terms are positive and err by 3u a draw: f_j by 3u k (j+2).
type blockTable struct {
	c    committees
	p    []float64
	bits []float64 // P[i bits of a key]
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
		// A draw is new but for the bits of other batches.
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

// draws returns how many bits an item draws in a slice, and left among how many it draws bit d.
func (t *blockTable) draws() int         { return int(t.c.count.Hi) * int(t.c.size) }
func (t *blockTable) left(d int) float64 { return float64(t.c.m - uint64(d)%t.c.size) }

// rate returns that of a block of j items.
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

// insert adds an item, whose last draw comes first: p_i after it is what it leaves to those before.
func (t *blockTable) insert() {
	for d := t.draws() - 1; d >= 0; d-- {
		left := t.left(d)
		for i := len(t.p) - 1; i > 0; i-- {
			hit := min(float64(i), left)
			t.p[i] = t.p[i]*((left-hit)/left) + t.p[i-1]*(hit/left)
		}
	}
}
