package recycling

import (
	"math/big"
	"sync"

	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/fraction"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// This file computes the expected numbers of arrivals and repeats of message-bounded cycles. It uses numbers of two
// words, which suffice for about 20 digits. The computation takes a twentieth of the time that messages.go takes. As in
// messages.go, the probabilities P_n(b) are rounded down. The lost probability is exactly 1 minus their sum. Let s_b be
// the sum of P_n(b) over n. Each counted message sets a bit, so s_b is also a probability. The expected number of
// arrivals that find b bits set is V_b = s_b/(1-rho(b)).
//
// Every arrival between two counted arrivals is reported as a repeat. So the following equation holds:
//
//	sum of V_b = N + sum of V_b rho(b).
//
// If the filter retains the triggering message, N-1 replaces N. Therefore only sums of V_b w(b) must be computed, with
// weights w(b) that increase with b. Each weight w(b) is divided by the weight for the largest number of set bits. The
// computed (1-rho(b)) m is too large by at most k ulps (hashChain.misses). So the following number is an upper bound of
// the error of a term:
//
//	(3k+5) m/(m-b)   ulps.
//
// The factor 3k+5 covers four errors. The weight w is a product of k factors, and its error is at most k ulps. The
// multiplication of w by s_b adds an error of 3 ulps. The division adds an error of 1 ulp. The error of the method
// "misses" adds at most 2k ulps. The result of misses is at least m-b, because 1/(1-rho) <= m/(m-b).

// wordsLimit is the largest number of steps with numbers of two words. For longer numbers, messagesLimit is the limit.
// A step takes about 3 ns.
const wordsLimit = 1 << 33

// Two words must have at least wordsSpare more bits than the required precision. Otherwise the code of this file is not
// used.
const wordsSpare = 40

// keptCourses stores the expected numbers of cycles that were computed in two words. FPR and Capacity share them.
type keptCourses struct {
	mu sync.Mutex
	of map[uint64]course[*interval.Interval] // indexed by the start
}

// The method "course" returns the stored expected numbers of a cycle. The argument "start" is the number of set bits at
// the beginning of the cycle. If none are stored, it calls the function "make" to compute them.
func (kept *keptCourses) course(start uint64, make func(start uint64) (course[*interval.Interval], error)) (course[*interval.Interval], error) {
	if kept == nil {
		return make(start)
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	l, known := kept.of[start]
	if !known {
		var err error
		if l, err = make(start); err != nil {
			return l, err
		}
		if kept.of == nil {
			kept.of = map[uint64]course[*interval.Interval]{}
		}
		kept.of[start] = l
	}
	// The sums are copied, because callers change them.
	l.arrivals, l.repeats = interval.New(fraction.Bits).Set(l.arrivals), interval.New(fraction.Bits).Set(l.repeats)
	return l, nil
}

// messagesOfTwoWords computes the course of a message-bounded cycle. The course holds expected values, such as the
// number of arrivals and the number of repeats. The function computes with numbers of two words.
func (c *Cycle) messagesOfTwoWords(start uint64) (course[*interval.Interval], error) {
	if err := fault.Part(); err != nil {
		return course[*interval.Interval]{}, err
	}
	k := int(c.g.K)
	low, law := start, []fraction.Number{fraction.AlmostOne}
	var seen []fraction.Number // seen[b-start] = s_b
	var jumps []fraction.Number
	made := start // the next number of bits whose jumps are to be computed
	lacks, lack := new(big.Int), fraction.Number{}
	w := newHashChain(c.g, fraction.Bits)
	var next []fraction.Number
	steps := 0.0
	for n := c.counted(); ; n++ {
		for uint64(len(seen)) < low-start+uint64(len(law)) {
			seen = append(seen, fraction.Number{})
		}
		sum := fraction.Number{}
		for i, p := range law {
			sum = sum.Plus(p)
			s := &seen[low-start+uint64(i)]
			*s = s.Plus(p)
		}
		lack = fraction.Number{}.Minus(sum) // 1 minus the sum; 1 is 2^128 ulps, which wraps to 0
		lacks.Add(lacks, lack.Int())
		if n == c.r.Messages-1 {
			break
		}
		if steps += float64(k) * float64(len(law)); steps > wordsLimit {
			return course[*interval.Interval]{}, refuse.TooCostly("the distribution of the set bits", steps, wordsLimit)
		}
		for ; made < low+uint64(len(law)); made++ {
			jumps = c.appendJumps(jumps, w, made)
		}
		next = append(next[:0], make([]fraction.Number, len(law)+k-1)...) // the next distribution, for b from low+1 on
		for i, p := range law {
			to := next[i : i+k]
			for x, q := range jumps[i*k : (i+1)*k] {
				to[x] = to[x].Plus(p.Mul(q))
			}
		}
		from := 0
		for from < len(next)-1 && next[from] == (fraction.Number{}) {
			from++
		}
		to := len(next)
		for to > from+1 && next[to-1] == (fraction.Number{}) {
			to--
		}
		low += 1 + uint64(from)
		jumps = jumps[min((1+from)*k, len(jumps)):]
		made = max(made, low)
		law, next = next[from:to], law
	}
	return c.ofVisits(start, low, seen, law, lacks, lack, w), nil
}

// Consider the next arrival that sets a bit. The probability that it sets exactly x bits is tau(b,b+x)/(1-rho(b)). The
// method appendJumps appends lower bounds of this probability for x = 1..k. The method "jumps" computes the same
// numbers to any precision.
func (c *Cycle) appendJumps(all []fraction.Number, w *hashChain, b uint64) []fraction.Number {
	for _, x := range w.u {
		clear(x)
	}
	w.u[0][w.n] = 1
	for h := range c.g.K {
		p := c.g.placed(h)
		for d := min(uint64(h)+1, c.g.M-b) + 1; d > 0; {
			d--
			j := b + d
			if d > 0 {
				w.u[d].muladd(w.u[d], j-min(j, p), w.u[d-1], c.g.M-j+1, c.g.M-p, w.t)
			} else {
				w.u[0].muladd(w.u[0], j-min(j, p), nil, 0, c.g.M-p, w.t)
			}
		}
	}
	sum := w.v.SetUint64(uint64(c.g.K) * uint64(c.g.K)) // becomes an upper bound of 1-rho(b) in ulps
	for _, x := range w.u[1:] {
		sum.Add(sum, x.int(&w.ws))
	}
	for _, x := range w.u[1:] {
		w.x.Lsh(x.int(&w.ws), fraction.Bits)
		all = append(all, fraction.OfInt(w.den.Quo(w.x, sum)))
	}
	return all
}

// ofVisits returns expected numbers for one cycle as a value of the type "course". Examples are the number of arrivals
// and the number of repeats. The argument "seen" has a probability s_b for b = start, start+1, ... It is the
// probability that b bits are set at some time before the last counted message. The argument "law" is the distribution
// of the number of set bits before the last counted message. It has the probabilities of the numbers low, low+1, ...
// The argument "lacks" is the total missing probability of all distributions. The probabilities in "law" add up to less
// than 1. Their sum is 1 minus the argument "lack".
func (c *Cycle) ofVisits(start, low uint64, seen, law []fraction.Number, lacks *big.Int, lack fraction.Number, w *hashChain) course[*interval.Interval] {
	f := field.Intervals(fraction.Bits)
	ulps := func(from, to *big.Int) *interval.Interval { return f.Zero().SetScaled(from, to, -fraction.Bits) }
	none := new(big.Int)
	most := c.mostBits(c.r.Messages - 1)
	l := course[*interval.Interval]{from: low, slack: ulps(none, lack.Int())}

	// The list "sums" has sums of V_b w(b), where V_b is the expected number of arrivals that find b bits set. For the
	// first sum, the weight w(b) is rho(b). There is one more sum for each e. In this sum, the weight is h'(b-s,e). The
	// file two_phase.go defines h'.
	sums := make([]*big.Int, 1, c.g.K+2)
	if c.r.TwoPhase && !c.r.FreshPositions {
		sums = sums[:c.g.K+2]
	}
	for i := range sums {
		sums[i] = new(big.Int)
	}
	weight, top := make(fixed, w.n+1), new(big.Int)
	add := func(sum *big.Int, s fraction.Number) { // adds one term of a sum
		if weight[w.n] == 0 {
			s = s.Mul(fraction.OfInt(weight.int(&w.ws)))
		}
		w.x.Mul(s.Int(), w.m)
		w.x.Lsh(w.x, fraction.Bits)
		sum.Add(sum, w.x.Quo(w.x, top))
	}
	for i, s := range seen {
		b := start + uint64(i)
		top.Set(w.misses(b))
		c.weigh(weight, w, b, most)
		add(sums[0], s)
		if len(sums) == 1 {
			continue
		}
		clear(weight)
		weight[w.n] = 1
		for e, sum := range sums[1:] {
			add(sum, s)
			skip := start + uint64(e)
			if b <= skip || e == c.g.K {
				break
			}
			weight.muladd(weight, b-skip, nil, 0, most-skip, w.t)
		}
	}
	reach := integer.Uint((c.g.M-1)/(c.g.M-most) + 1)
	lost := integer.Uint(uint64(3*c.g.K + 5))
	lost.Mul(lost, reach).Mul(lost, integer.Uint(uint64(len(seen))))
	// All weights w(b) increase with the number b of set bits. So assigning the whole missing probability to the
	// largest possible number of bits gives an upper bound.
	lost.Add(lost, w.x.Mul(lacks, reach))
	scaled := func(sum *big.Int, weight *interval.Interval) *interval.Interval {
		x := ulps(sum, new(big.Int).Add(sum, lost))
		return x.Mul(x, weight)
	}
	l.repeats = scaled(sums[0], c.rho(most, fraction.Bits))
	l.arrivals = f.Zero().Add(f.Uint(c.r.Messages-c.counted()), l.repeats)
	scale := f.Int(1)
	for e, sum := range sums[1:] {
		l.shared = append(l.shared, scaled(sum, scale))
		skip := start + uint64(e)
		scale.Mul(scale, f.Ratio(most-min(most, skip), c.g.M-min(c.g.M-1, skip)))
	}
	for i, p := range law {
		v, _ := c.waits(low+uint64(i), f)
		l.edge = append(l.edge, v.Mul(v, ulps(p.Int(), p.Int())))
	}
	return l
}
