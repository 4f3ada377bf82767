package recycling

import (
	"math"
	"math/big"
	mathbits "math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/fraction"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// The message-bounded rule ends a cycle at its N-th arrival that sets a bit. Let P_n(b) be the probability that b bits
// are set after n such arrivals. Then
//
//	P_(n+1)(b) = sum over x = 1..k of P_n(b-x) tau(b-x,b)/(1-rho(b-x)).
//
// Here tau(i,j) is the probability that an arrival changes the number of set bits from i to j, and rho(b) = tau(b,b).
// The mean number of arrivals up to and including the next arrival that sets a bit is 1/(1-rho(b)). Let V_b be the
// expected number of arrivals that find b bits set, and let f be the rate. Then V_b is a sum over n:
//
//	V_b = sum over n < N of P_n(b)/(1-rho(b)).
//
// The rate is a weighted mean of rho(b):
//
//	f = (sum of V_b rho(b)) / (sum of V_b).
//
// In this recursion n and b begin at 0. If the filter retains, n begins at 1, because the triggering message counts.
// Then the first value of b is the number of distinct positions of that message. In equation (3), the paper first takes
// the mean of rho over b. This gives only a bound (see naive.go).
//
// The sum of the true P_n(b) over b is 1. The computed P_n(b) are integers, rounded down. So 1 minus the computed sum
// is exactly the probability that is lost by rounding and by omitting the tails.

// messagesLimit is the largest number of steps for the distribution of the number of set bits. Each step takes about 50
// ns. The constant statesLimit is the largest number of bits that the messages of a cycle can set.
const (
	messagesLimit = 1 << 28
	statesLimit   = 1 << 20
	messagesSpare = 8 // extra bits, because a loss of some ulps at each end is permitted when the tails are cut off
)

// Absorbing reports whether the filter can reach a state in which it reports every arrival as a repeat and records
// nothing. In such a state it never recycles again. For standard and for classic hashing this is possible in the
// following cases:
//
//   - The filter is message-bounded, and N-1 messages can set all m bits, that is, (N-1)k >= m.
//   - There is no copy-over, and with freeze-after all m bits of the frozen array can become set. For a message-bounded
//     filter this means Nk >= m. For a bit-bounded filter it means sigma+k >= m, except for states that classic hashing
//     does not reach.
//   - There is no copy-over, positions are fixed, k is 1, and each of the m bits can become set in one of the two
//     arrays.
//
// In most of these cases, the filter can reach such a state in every cycle. The probability of this is positive. Then
// the long-run rate is 1, and the capacity does not exist. With fixed positions and without copy-over, there are
// exceptions. For some frozen arrays, the filter can never reach such a state. For example, let m = 6, k = 2 and sigma
// = 4. If 5 bits are frozen, then 5 bits are also frozen after every later cycle. If it depends on chance whether such
// a state is ever reached, FPR and Capacity return ErrUndefined.
//
// Source: derived here from the recycling rules; no paper states it.
// Domain: any cycle.
// Error: none.
// Cost: k steps.
// Errors: none.
func (c *Cycle) Absorbing() bool {
	if c.jointlyStuck() {
		return true
	}
	full := c.r.NoCopyOver && !c.r.FreezeBefore
	if c.r.Messages == 0 {
		return full && c.canFreeze(c.g.M, c.r.FreezeBefore)
	}
	most := (c.g.M-1)/uint64(c.g.K) + 1 // the least number of messages that can set all bits
	return c.r.Messages > most || full && c.r.Messages == most
}

// bitBounded returns an error unless c is a cycle of the bit-bounded rule.
func (c *Cycle) bitBounded() error {
	if c.r.Messages > 0 {
		return &bloomproof.ParamError{Param: "messages", Value: c.r.Messages, Want: "0 (the bit-bounded rule)"}
	}
	return nil
}

// mostBits returns the largest number of bits that n messages can set, which is min(n*k, m).
func (c *Cycle) mostBits(n uint64) uint64 {
	if n > c.g.M/uint64(c.g.K) {
		return c.g.M
	}
	return n * uint64(c.g.K)
}

// mostFrozen returns the largest number of bits that can be set in the frozen array of a message-bounded filter.
func (c *Cycle) mostFrozen() uint64 {
	if c.r.FreezeBefore {
		return c.mostBits(c.r.Messages - 1)
	}
	return c.mostBits(c.r.Messages)
}

// The method "counted" returns how many messages count towards N before the first arrival of a cycle.
func (c *Cycle) counted() uint64 {
	if c.r.Retain {
		return 1
	}
	return 0
}

// shortMessages reports whether the expected numbers of a message-bounded cycle are computed in rationals.
func (c *Cycle) shortMessages() bool {
	most := float64(c.mostBits(c.r.Messages - 1))
	size := (float64(c.r.Messages) + most) * float64(c.g.K) * math.Log2(float64(c.g.M)+1)
	return c.route == exact.Auto && c.g.K <= shortPositions && size*float64(len(c.starts())) <= shortStarts*shortBits && size <= shortBits
}

// rationalMessages computes expected numbers for a message-bounded cycle in rationals. Examples are the number of
// arrivals and the number of repeats. The result has the type "course".
func (c *Cycle) rationalMessages(start uint64) (course[*big.Rat], error) {
	law := map[uint64]*big.Rat{start: field.Rationals.Int(1)}
	l := course[*big.Rat]{arrivals: new(big.Rat), repeats: new(big.Rat)}
	most := c.mostBits(c.r.Messages - 1)
	seen := make([]*big.Rat, most+1) // seen[b] = V_b
	for b := range seen {
		seen[b] = new(big.Rat)
	}
	t := new(big.Rat)
	for n := c.counted(); n < c.r.Messages; n++ {
		next := map[uint64]*big.Rat{}
		l.edge = make([]*big.Rat, most+1)
		for b := range l.edge {
			l.edge[b] = new(big.Rat)
		}
		for b, p := range law {
			tau := transitions(field.Rationals, c.g, b, c.g.K)
			v := l.edge[b]
			v.Quo(p, t.Sub(field.Rationals.Int(1), tau[0]))
			seen[b].Add(seen[b], v)
			l.arrivals.Add(l.arrivals, v)
			l.repeats.Add(l.repeats, t.Mul(v, tau[0]))
			for x := 1; x < len(tau); x++ {
				add(next, b+uint64(x), new(big.Rat).Mul(v, tau[x]))
			}
		}
		law = next
	}
	l.shared = sharedSums(field.Rationals, c, start, 0, seen)
	return l, nil
}

func add[K comparable](m map[K]*big.Rat, key K, x *big.Rat) {
	if m[key] == nil {
		m[key] = new(big.Rat)
	}
	m[key].Add(m[key], x)
}

// guardMessages returns the number of extra bits that computations for the message-bounded rule need. In each of the N
// steps, probabilities at the ends of the distribution are omitted. Their sum is some ulps. The lost probability may
// belong to large numbers of set bits. At these numbers, the rate can be up to 2^k times the mean rate. If few bits are
// set, the factor is even larger.
func (c *Cycle) guardMessages() uint {
	return uint(2*mathbits.Len64(c.r.Messages)+mathbits.Len64(c.g.M)) + uint(c.g.K) + precision.Spare + messagesSpare
}

// The method "messages" computes expected numbers for a message-bounded cycle as intervals. Examples are the number of
// arrivals and the number of repeats. The result has the type "course".
func (c *Cycle) messages(start uint64, work uint) (course[*interval.Interval], error) {
	k := uint64(c.g.K)
	most := c.mostBits(c.r.Messages - 1)
	if most > statesLimit {
		return course[*interval.Interval]{}, refuse.TooCostly("the distribution of the set bits", float64(most), statesLimit)
	}
	if work <= fraction.Bits && precision.Fixed() {
		return c.kept.course(start, c.messagesOfTwoWords)
	}
	unit := new(big.Int).Lsh(integer.One, work)
	jumps := map[uint64][]*big.Int{} // jumps[b] has tau(b,b+x)/(1-rho(b)) for x = 1..k
	// The list "law" has the probabilities P_n(b) that b bits are set after n counted arrivals, for b = low, low+1, ...
	// The number "lack" is 1 minus the sum of these probabilities. The sum of the numbers "lack" over all n is stored
	// in the variable "lacks".
	low, law := start, []*big.Int{unit}
	var seen []*big.Int // seen[b-start] is the sum of P_n(b) over n
	lacks, lack, t := new(big.Int), new(big.Int), new(big.Int)
	steps := 0.0
	for n := c.counted(); ; n++ {
		lack.Set(unit)
		for uint64(len(seen)) < low-start+uint64(len(law)) {
			seen = append(seen, new(big.Int))
		}
		for i, p := range law {
			lack.Sub(lack, p)
			s := seen[low-start+uint64(i)]
			s.Add(s, p)
		}
		lacks.Add(lacks, lack)
		if n == c.r.Messages-1 {
			break
		}
		if steps += float64(k) * float64(len(law)); steps > messagesLimit {
			return course[*interval.Interval]{}, refuse.TooCostly("the distribution of the set bits", steps, messagesLimit)
		}
		next := make([]*big.Int, uint64(len(law))+k-1) // the next distribution, for b from low+1 on
		for i := range next {
			next[i] = new(big.Int)
		}
		for i, p := range law {
			b := low + uint64(i)
			jump, known := jumps[b]
			if !known {
				jump = c.jumps(b, work)
				jumps[b] = jump
			}
			for x, q := range jump {
				to := next[i+x]
				to.Add(to, t.Mul(p, q))
			}
		}
		for _, p := range next {
			p.Rsh(p, work)
		}
		delete(jumps, low)
		low++
		for len(next) > 1 && next[0].Sign() == 0 {
			next = next[1:]
			delete(jumps, low)
			low++
		}
		for len(next) > 1 && next[len(next)-1].Sign() == 0 {
			next = next[:len(next)-1]
		}
		law = next
	}

	f := field.Intervals(work)
	within := func(p, lack *big.Int) *interval.Interval { // returns the interval from p to p+lack
		return f.Zero().SetScaled(p, new(big.Int).Add(p, lack), -int(work))
	}
	none := new(big.Int)
	l := course[*interval.Interval]{arrivals: f.Int(0), repeats: f.Int(0), from: low, slack: within(none, lack)}
	var visits []*interval.Interval
	sums := func(b uint64, s *interval.Interval) { // adds the terms of b, where s is the sum of P_n(b) over n
		v, again := c.waits(b, f)
		again.Mul(again, s)
		l.repeats.Add(l.repeats, again)
		v.Mul(v, s)
		visits = append(visits, v)
		l.arrivals.Add(l.arrivals, v)
	}
	for i, p := range seen {
		sums(start+uint64(i), within(p, none))
	}
	for i, p := range law {
		v, _ := c.waits(low+uint64(i), f)
		v.Mul(v, within(p, none))
		l.edge = append(l.edge, v)
	}
	// Each number b of set bits contributes its probability times a factor to the sums. This factor grows with b. So
	// assigning the whole missing probability to the largest possible number of bits gives an upper bound.
	missing := within(none, lacks)
	sums(most, missing)
	if c.r.TwoPhase && !c.r.FreshPositions {
		last := len(visits) - 1
		l.shared = sharedSums(f, c, start, start, visits[:last])
		for e, s := range sharedSums(f, c, start, most, visits[last:]) {
			l.shared[e].Add(l.shared[e], s)
		}
	}
	return l, nil
}

// The method "waits" returns 1/(1-rho(b)) and rho(b)/(1-rho(b)) for b < m, where rho(b) is the rate of an array with b
// set bits. These are the mean numbers of arrivals and of repeats until the next bit is set.
func (c *Cycle) waits(b uint64, f field.Of[interval.Interval, *interval.Interval]) (arrivals, repeats *interval.Interval) {
	// Let q_i be the probability that position i of an arrival is a set bit. This loop computes 1-rho(b) as a sum over
	// h. Term h is (m-b)/(m-h), times the product of q_i over i < h.
	again, sum := f.Int(1), f.Int(0)
	for h := range c.g.K {
		p := c.g.placed(h)
		sum.Add(sum, f.Zero().Mul(again, f.Ratio(c.g.M-b, c.g.M-p)))
		again.Mul(again, f.Ratio(b-min(b, p), c.g.M-p))
	}
	return f.Zero().Quo(f.Int(1), sum), again.Quo(again, sum)
}

// Consider the next arrival that sets a bit. The probability that it sets exactly x bits is tau(b,b+x)/(1-rho(b)). For
// x = 1, 2, ..., the method "jumps" returns a lower bound of this probability, multiplied by 2^work. The method
// computes tau position by position and rounds down. Each tau loses less than k ulps, and their sum loses less than k^2
// ulps.
func (c *Cycle) jumps(b uint64, work uint) []*big.Int {
	last := int(min(uint64(c.g.K), c.g.M-b))
	tau := []*big.Int{new(big.Int).Lsh(integer.One, work)}
	t, a := new(big.Int), new(big.Int)
	for h := range c.g.K {
		if len(tau) <= last {
			tau = append(tau, new(big.Int))
		}
		p := c.g.placed(h)
		for d := len(tau) - 1; d >= 0; d-- {
			j := b + uint64(d)
			tau[d].Mul(tau[d], a.SetUint64(j-min(j, p)))
			if d > 0 {
				tau[d].Add(tau[d], t.Mul(tau[d-1], a.SetUint64(c.g.M-j+1)))
			}
			tau[d].Quo(tau[d], a.SetUint64(c.g.M-p))
		}
	}
	sum := big.NewInt(int64(c.g.K) * int64(c.g.K))
	for _, p := range tau[1:] {
		sum.Add(sum, p)
	}
	for _, p := range tau[1:] {
		p.Lsh(p, work)
		p.Quo(p, sum)
	}
	return tau[1:]
}
