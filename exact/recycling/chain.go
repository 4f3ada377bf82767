package recycling

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// This file follows the Markov chain of the number of set bits. Each step places a single position of a message. This
// takes O(sigma k) steps, compared with O(sigma k^2) for the recursions of the paper. All terms are positive.
//
// The number of set bits at the beginning of a cycle is called start. The cycle ends when more than sigma of the m bits
// are set. The state (h,b) means that h positions of the current arrival are placed, and that b bits are set. Let
// U_h(b) be the expected number of visits of this state in a cycle. Let q_h(b) be the probability that the next
// position is a set bit. This probability is b/m for standard hashing and (b-h)/(m-h) for classic hashing. Let V_b be
// the expected number of arrivals that find b bits set. Let [b = start] be 1 if b equals start, and 0 otherwise. For b
// <= sigma, the first equation is:
//
//	U_0(b) = V_b = [b = start] + U_k(b).
//
// For h = 1..k, the other equations are:
//
//	U_h(b) = q_(h-1)(b) U_(h-1)(b) + (1 - q_(h-1)(b-1)) U_(h-1)(b-1).
//
// For each b these are k+1 equations that depend on each other cyclically. Let S be the part of U_k(b) that does not
// come from U_0(b). Then
//
//	U_0(b) = ([b = start] + S) / (1-rho(b)).
//
// Here rho(b) is the product of q_h(b) over h < k. The denominator is the product of 1-b/m and a factor H. The factor H
// is computed as a sum of products:
//
//	H = 1 + sum over l = 1..k-1 of (c_0 c_1 ... c_(l-1)).
//
// Here c_h is b/m for standard hashing and (b-h)/(m-h-1) for classic hashing. Near b = m, no digits are lost by
// cancellation.
//
// The errors are bounded as follows. Numbers are in fixed point, with n words of fraction and one word of integer part.
// One word is enough for the integer part, because 1/(1-rho(b)) is at most m/(m-b). Every step rounds down by less than
// an ulp. Each division by 1-rho uses a factor H that is rounded up. So all numbers are lower bounds. For each b, the
// errors of S and of H are less than k ulps. The error of each U_h is less than 1 ulp. The factor H is at least 1. The
// product U_0 (1-rho) is the probability that some arrival of the cycle finds b bits set and sets more bits. So it is
// at most 1. Together these errors make this product too small by at most 2k ulps. An error at b set bits also reduces
// the computed V for all larger numbers of set bits. On average, at most 1/(1-rho(b)) arrivals find b bits set. So the
// following number is an upper bound of the error of V_b:
//
//	5k (b+1) m/(m-b)   ulps.

// The cost of a chain is its number of steps, times the number of words of its fixed-point numbers. The constant
// chainLimit is the largest permitted cost. A step takes about 3 ns for each word. The constant chainWords limits the
// product of k and the number of words. The chain stores twice as many words as this product.
const (
	chainLimit = 1 << 34
	chainWords = 1 << 23
)

const (
	wordBits  = 64 // bits of a word of a fixed-point number
	wordBytes = wordBits / 8
	chainUlps = 5 // V_b is too small by at most chainUlps k (b+1) m/(m-b) ulps: see the top of this file
	chainRuns = 4 // number of products by a word for each position of a state: two for S and two for U_h
)

// A fixed value is a fixed-point number, with the least significant word first. The last word is the integer part.
type fixed []uint64

// The method "muladd" sets z to floor((x*a + y*c)/d), which must fit into z. The result z may be x or y. The argument t
// is scratch memory with as many words as z.
func (z fixed) muladd(x fixed, a uint64, y fixed, c, d uint64, t []uint64) {
	var carry uint64
	for i, w := range x {
		hi, lo := bits.Mul64(w, a)
		var over uint64
		t[i], over = bits.Add64(lo, carry, 0)
		carry = hi + over
	}
	top := carry
	carry = 0
	if c != 0 {
		for i, w := range y {
			hi, lo := bits.Mul64(w, c)
			lo, over := bits.Add64(lo, carry, 0)
			hi += over
			t[i], over = bits.Add64(t[i], lo, 0)
			carry = hi + over
		}
	}
	rest := top + carry // below d, because the quotient fits into z
	for i := len(z) - 1; i >= 0; i-- {
		z[i], rest = bits.Div64(rest, t[i], d)
	}
}

// The method "set" gives z the value x, which must be at least 0 and fit into z. The method uses the argument "buf" as
// temporary memory. This argument must have as many bytes as z.
func (z fixed) set(x *big.Int, buf []byte) {
	x.FillBytes(buf)
	for i := range z {
		z[i] = binary.BigEndian.Uint64(buf[len(buf)-wordBytes*(i+1):])
	}
}

// The method "int" returns z in ulps. The result is valid until ws is used again.
func (z fixed) int(ws *[]big.Word) *big.Int {
	w := (*ws)[:0]
	for _, v := range z {
		w = append(w, big.Word(v))
		if bits.UintSize < wordBits {
			w = append(w, big.Word(v>>(wordBits/2)))
		}
	}
	*ws = w
	return new(big.Int).SetBits(w)
}

// A hashChain holds the state of the computation for the current number b of set bits.
type hashChain struct {
	g         shape
	n         int     // words of fraction
	u, last   []fixed // U_h(b) and U_h(b-1)
	s, h      fixed
	t         []uint64
	buf       []byte
	ws        []big.Word
	m, k      *big.Int
	v, den, x *big.Int
}

func newHashChain(g shape, work uint) *hashChain {
	n := words(work)
	number := func() fixed { return make(fixed, n+1) }
	w := &hashChain{
		g: g, n: n, s: number(), h: number(), t: make([]uint64, n+1), buf: make([]byte, wordBytes*(n+1)),
		m: integer.Uint(g.M), k: integer.Uint(uint64(g.K)), v: new(big.Int), den: new(big.Int), x: new(big.Int),
	}
	for range g.K + 1 {
		w.u, w.last = append(w.u, number()), append(w.last, number())
	}
	return w
}

// Let q_h(b) be the probability that the next position is a set bit. The method "stay" returns this probability as a
// fraction, with the numerator a and the denominator d. For states that do not occur the numerator is 0.
func (w *hashChain) stay(b uint64, h int) (a, d uint64) {
	p := w.g.placed(h)
	return b - min(b, p), w.g.M - p
}

// The method "misses" returns an upper bound of m*(1-rho(b)) in ulps, where rho(b) is the rate of an array with b set
// bits. It computes the bound as (m-b)*H. The comment at the top of this file defines the factor H.
func (w *hashChain) misses(b uint64) *big.Int {
	h := w.h
	clear(h)
	h[w.n] = 1
	for l := w.g.K - 2; l >= 0; l-- {
		a, _ := w.stay(b, l)
		_, d := w.stay(b, l+1)
		h.muladd(h, a, nil, 0, d, w.t)
		h[w.n]++
	}
	w.den.Add(h.int(&w.ws), w.k)
	return w.den.Mul(w.den, w.x.SetUint64(w.g.M-b))
}

// Let V_b be the expected number of arrivals that find b bits set. The method "advance" returns V_b as a number of
// ulps. The result is valid until the next call. The argument "start" says whether a cycle begins with b set bits. The
// caller must call advance for b, b+1, ... in this order.
func (w *hashChain) advance(b uint64, start bool) *big.Int {
	w.u, w.last = w.last, w.u
	clear(w.s)
	for h := range w.g.K {
		w.position(w.s, w.s, b, h)
	}
	if start {
		w.s[w.n]++
	}
	w.v.Mul(w.s.int(&w.ws), w.m)
	w.v.Lsh(w.v, uint(wordBits*w.n))
	w.v.Quo(w.v, w.misses(b))
	w.u[0].set(w.v, w.buf)
	for h := range w.g.K {
		w.position(w.u[h+1], w.u[h], b, h)
	}
	return w.v
}

// Given U_h(b) as x, the method "position" sets z to U_(h+1)(b). The comment at the top of this file defines these
// numbers.
func (w *hashChain) position(z, x fixed, b uint64, h int) {
	a, d := w.stay(b, h)
	z.muladd(x, a, w.last[h], min(w.g.M-b+1, d), d, w.t)
}

// The function "words" returns the number of words of fraction for a working precision of work bits.
func words(work uint) int { return int(work+wordBits-1) / wordBits }

// chainSteps returns the cost of following the chain from the given number of set bits to the end of the cycle. The
// cost is the number of steps times the number of words in each fixed-point number.
func (c *Cycle) chainSteps(from uint64, work uint) float64 {
	steps := chainRuns * float64(c.r.Sigma-from+1) * float64(c.g.K) * float64(words(work)+1)
	if c.r.Retain {
		steps *= float64(len(c.starts()))
	}
	return steps
}

func (c *Cycle) affordable(from uint64, work uint) error {
	if steps := c.chainSteps(from, work); steps > chainLimit {
		return refuse.TooCostly("the chain", steps, chainLimit)
	}
	if held := float64(c.g.K) * float64(words(work)+1); held > chainWords {
		return refuse.TooCostly("a step of the chain", held, chainWords)
	}
	return fault.Part()
}

// runHashes returns a list of expected numbers for one cycle. The argument "start" is the number of set bits at the
// beginning of the cycle. The comment of the type "sums" describes the list.
func (c *Cycle) runHashes(start uint64, at []uint64, work uint) ([]*interval.Interval, error) {
	if err := c.affordable(start, work); err != nil {
		return nil, err
	}
	m, k, sigma := c.g.M, uint64(c.g.K), c.r.Sigma
	w := newHashChain(c.g, work)
	ulp := -wordBits * w.n
	found := make([]*interval.Interval, visits+len(at))
	for i := range found {
		found[i] = interval.New(work)
	}
	all, again, part, weight := new(big.Int), new(big.Int), new(big.Int), make(fixed, w.n+1)
	reach := uint64(0) // an upper bound of the sum of m/(m-b)
	for b := start; b <= sigma; b++ {
		v := w.advance(b, b == start)
		all.Add(all, v)
		for i, x := range at {
			if x == b {
				lost := integer.Uint(chainUlps * k)
				lost.Mul(lost, integer.Uint(b+1)).Mul(lost, integer.Uint((m-1)/(m-b)+1))
				lost.Add(lost, v)
				found[visits+i].SetScaled(v, lost, ulp)
			}
		}
		reach += (m-1)/(m-b) + 1
		c.weigh(weight, w, b, sigma)
		part.Mul(v, weight.int(&w.ws))
		again.Add(again, part)
	}
	lost := integer.Uint(chainUlps * k)
	// The variable "lost" becomes an upper bound of an error, in ulps. This is the error of the sum of V_b over b =
	// start..sigma. Its factor sigma+2 also covers the error of the variable "weight". Without this error, sigma+1
	// would suffice.
	lost.Mul(lost, integer.Uint(sigma+2)).Mul(lost, integer.Uint(reach))
	found[total].SetScaled(all, new(big.Int).Add(all, lost), ulp)
	lost.Lsh(lost, uint(wordBits*w.n))
	lost.Add(lost, again)
	found[repeats].SetScaled(again, lost, 2*ulp)
	found[repeats].Mul(found[repeats], c.rho(sigma, work))
	found[unit].SetUint64(1)
	return found, nil
}

// The method "rho" returns rho(b), the rate of an array with b set bits: equation (17) of Dozier-FP.
func (c *Cycle) rho(b uint64, work uint) *interval.Interval {
	f := field.Intervals(work)
	p := f.Int(1)
	for h := range c.g.K {
		skip := c.g.placed(h)
		p.Mul(p, f.Ratio(b-min(b, skip), c.g.M-skip))
	}
	return p
}

// Let V_b be the expected number of arrivals that find b bits set. The method "guard" returns the number of extra bits
// of precision for a result that depends mainly on V_b. There are two reasons for extra bits: sums over sigma*k steps
// lose bits, and V_b may be small. If many positions of arrivals are already set, V_b is about 1/k. Let D be the number
// of distinct positions of an arrival. For b below k, V_b is at least P[D = b]. This probability is at least
//
//	m(m-1)...(m-b+1) b^(k-b) / m^k.
func (c *Cycle) guard(b uint64) uint {
	m, k, x := float64(c.g.M), float64(c.g.K), float64(b)
	size := 0.0
	for i := range min(b, uint64(c.g.K)) {
		size += math.Log2(m / (m - float64(i)))
	}
	switch {
	case x >= 1 && x < k:
		size += (k - x) * math.Log2(m/x)
	case x >= k: // at least e positions must meet set bits; their number has a Poisson distribution with mean l
		all := k * math.Ceil(x/k)
		if e, l := all-x, all*all/(2*m); e > l {
			size += (e*math.Log(e/l) - e + l) / math.Ln2
		}
	}
	if c.route == exact.ClosedForm { // 1-f and the falling factorials cancel
		for h := range c.g.K {
			p := c.g.placed(h)
			size += math.Log2((m - float64(p)) / float64(max(1, c.r.Sigma-min(c.r.Sigma, p))))
		}
		size += 2*k + math.Log2(m)
	}
	// Consider a sum over the numbers b = 0..sigma of set bits. For each b, it loses chainUlps*k*(b+1) ulps for V_b,
	// and k more ulps for rho(b).
	steps := 2*bits.Len64(c.r.Sigma) + 3*bits.Len(uint(c.g.K))
	return uint(steps) + uint(size) + precision.Spare
}

// Suppose that b bits are set, and let N_b be the number of arrivals from then to the end of the cycle. The method
// "remaining" returns E[N_b]. It follows the chain backwards. Suppose that b bits are set and h positions of the
// current arrival are placed. Let B_h(b) be the expected number of further arrivals, including the current one. Then
// E[N_b] = B_0(b) and B_k(b) = 1 + E[N_b]. For b > sigma, B_h(b) is 1. For b <= sigma, the following equation holds:
//
//	B_h(b) = q_h(b) B_(h+1)(b) + (1-q_h(b)) B_(h+1)(b+1).
//
// Each B_h(b) is at least 1. So if a number B_h(b) is too small by one ulp, its relative error is at most one ulp. The
// loss for each b is 4k+1 ulps.
func (c *Cycle) remaining(from uint64, work uint) (*interval.Interval, error) {
	if err := c.affordable(from, work); err != nil {
		return nil, err
	}
	w := newHashChain(c.g, work)
	n := new(big.Int)
	for _, x := range w.u {
		x[w.n] = 1
	}
	for b := c.r.Sigma; ; b-- {
		w.u, w.last = w.last, w.u
		back := func(z, x fixed, h int) {
			a, d := w.stay(b, h)
			z.muladd(x, a, w.last[h+1], d-a, d, w.t)
		}
		clear(w.s)
		w.s[w.n] = 1
		for h := c.g.K - 1; h >= 0; h-- {
			back(w.s, w.s, h)
		}
		n.Mul(w.s.int(&w.ws), w.m)
		n.Lsh(n, uint(wordBits*w.n))
		n.Quo(n, w.misses(b))
		if b == from {
			lost := integer.Uint(chainUlps * uint64(c.g.K))
			lost.Mul(lost, integer.Uint(c.r.Sigma-b+2)).Mul(lost, n)
			// The bound uses the inequality 1/(1-x) <= 1+2x for x <= 1/2.
			lost.Rsh(lost, uint(wordBits*w.n-1))
			lost.Add(lost, n).Add(lost, integer.One)
			return interval.New(work).SetScaled(n, lost, -wordBits*w.n), nil
		}
		w.u[c.g.K].set(n, w.buf)
		w.u[c.g.K][w.n]++
		for h := c.g.K - 1; h >= 0; h-- {
			back(w.u[h], w.u[h+1], h)
		}
	}
}

// Let rho(b) be the rate of an array with b set bits. Let "most" be the largest number of set bits that an arrival of
// the cycle can find. The method "weigh" computes rho(b)/rho(most), and stores it in the argument "weight". The result
// is too small by at most k ulps.
func (c *Cycle) weigh(weight fixed, w *hashChain, b, most uint64) {
	clear(weight)
	weight[w.n] = 1
	for h := range c.g.K {
		p := c.g.placed(h)
		if b <= p || most <= p {
			clear(weight)
			return
		}
		weight.muladd(weight, b-p, nil, 0, most-p, w.t)
	}
}
