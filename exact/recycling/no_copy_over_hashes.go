package recycling

import (
	"math"
	"math/big"
	mathbits "math/bits"

	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// The file no_copy_over.go defines a Markov chain. In this file, each step of the chain places only one position of an
// arrival. This file is for bit-bounded filters that do not retain the triggering message. For each state and position,
// the code computes a few products with one-word integers. All terms are positive. As in no_copy_over.go, x bits are
// set in both arrays, y bits are set only in the active array, and f bits are set in the frozen array F. In the state
// (h,x,y), h positions of the current arrival are placed. Let G_h(x,y) be the expected number of visits of this state
// in a cycle with all placed positions in F. Let H_h(x,y) be the expected number of the other visits. In each of them,
// at least one placed position is outside F. Let l be the number of bits that cannot be the next position. It is 0 for
// standard hashing and h-1 for classic hashing. Let b = x+y. Then the numbers for h follow from the numbers for h-1.
// The recursion for G is:
//
//	(m-l) G_h(x,y) = (x-l) G(x,y) + (f-x+1) G(x-1,y).
//
// The recursion for H is:
//
//	(m-l) H_h(x,y) = (b-l) H(x,y) + y G(x,y)
//	               + (f-x+1) H(x-1,y) + (m-f-y+1) (G+H)(x,y-1).
//
// In these formulas, G and H without an index stand for G_(h-1) and H_(h-1). Let V be the expected number of arrivals
// at a state. At the beginning of an arrival, G_0 = V and H_0 = 0. An arrival counted by G_k is not recorded and leaves
// x and y unchanged. An arrival counted by H_k is recorded. Let S be the part of H_k(x,y) that comes from other states.
// Then
//
//	V = ([x = y = 0] + S)/r,   where r = 1 - rho(f) - rho(b) + rho(x).
//
// The errors are bounded as follows. All numbers are in fixed point. The probability r that an arrival is recorded is
// rounded up, and all other numbers are rounded down. So V, the expected number of arrivals at a state, is a lower
// bound. A cycle can end in several states, with b > sigma. For each of these states, the probability is H_k. The
// computed probability is also a lower bound. The true probabilities add up to 1. So the total loss by rounding is 1
// minus the sum of the computed probabilities. If a probability e is lost at some state, V does not include the
// arrivals that would follow from it. Let L be sigma+1 times the largest 1/r. The expected number of these arrivals is
// at most L*e, because each recorded arrival sets a bit. By the convexity of rho, r is least for b = sigma and the
// least possible x.
//
// The number of the b set bits in F is about b*f/m, up to a few standard deviations. States in which this number is far
// from b*f/m are improbable. If all numbers of a state are below 2^-work, they are set to 0. This loss has the same
// kind of bound as the loss by rounding.

// jointHashLimit is the limit for a product of three numbers. The first is the number of states of all cycles. The
// second is k. The third is the number of words in each fixed-point number. Each unit takes 40 ns.
const jointHashLimit = 1 << 29

// Let x be the number of bits that are set in both arrays. Its standard deviation changes during a cycle. Its mean over
// the cycle is about jointMean times its largest value.
const jointMean = 0.75

// An arrival is recorded with probability r = 1 - rho(f) - rho(b) + rho(x). The error of r is at most jointUlps*k ulps.
// In this formula, each value of rho has an error of at most k ulps.
const jointUlps = 3

// hashedJoint reports whether the cycles of c are computed by the code of this file. This code requires that the start
// of a cycle does not restrict the possible starts of the next cycle.
func (c *Cycle) hashedJoint() bool {
	return c.r.Messages == 0 && !c.r.Retain && c.r.Sigma >= 2*uint64(c.g.K) && c.r.Sigma+uint64(c.g.K) < c.g.M
}

// jointHashSteps returns two numbers. The first is the number of steps that the computation for c takes. The second is
// the working precision.
func (c *Cycle) jointHashSteps(prec uint) (steps float64, work uint) {
	m, k, sigma := float64(c.g.M), float64(c.g.K), float64(c.r.Sigma)
	work = prec + uint(k*math.Log2(m/(sigma+1-k))) + uint(4*mathbits.Len64(c.g.M)+2*mathbits.Len(uint(c.g.K))) + precision.Spare
	// Let x be the number of bits that are set in both arrays. For each b, only the values of x in a certain range are
	// considered. The variable "width" is the mean width of this range. The probability outside of the range is below
	// 2^-work.
	width := jointMean * 2 * math.Sqrt(2*math.Ln2*float64(work)*sigma*(sigma/m)*(1-sigma/m)*(1-sigma/m))
	return sigma * min(sigma/2, width) * k * k * float64(words(work)+1), work
}

// A jointPair has the numbers of one state. For h = 0..k, the field "all" holds the numbers G_h, and the field "rest"
// holds the numbers H_h. The comment at the top of this file defines them.
type jointPair struct{ all, rest []fixed }

// A jointHashes value follows the Markov chain of this file over one cycle. During this cycle, f bits of the frozen
// array are set.
type jointHashes struct {
	*hashChain
	cycle *Cycle
	f     uint64
	rows  [2][]jointPair // for even x and for odd x, indexed by y
	none  fixed          // 0, the value of a state that does not exist or is omitted
	tiny  int            // states whose numbers are all below 2^-tiny are omitted
	first uint64         // y of the first state of the present row
	last  uint64         // y after the last state of the previous row

	visited int   // number of states
	sum     fixed // scratch memory

	unit  *big.Int   // 1 in ulps
	rho   []*big.Int // rho(b) for b = 0..sigma, rounded down by less than k ulps
	miss  *big.Int   // 1 - rho(f)
	r     *big.Int   // r of the current state
	least *big.Int   // the least r so far, too large by at most 3k ulps

	arrivals *big.Int   // sum of V, in ulps
	repeats  *big.Int   // sum of V (1-r), in ulps of ulps
	ends     []*big.Int // probability that a cycle ends with sigma+1, sigma+2, ... bits

	// The next two fields are used only for the rule freeze-before. An arrival can end the cycle only if the number b
	// of set bits is large enough. For each such b, the map "beyond" has a probability. It is the probability that the
	// arrival would end the cycle if the arrays were independent. The list "frozen" has the probabilities that sigma,
	// sigma-1, ... bits are frozen at the end of the cycle.
	beyond map[uint64]*interval.Interval
	frozen []*interval.Interval
	field  field.Of[interval.Interval, *interval.Interval]
}

func newJointHashes(c *Cycle, f uint64, work uint) *jointHashes {
	k, sigma := c.g.K, c.r.Sigma
	j := &jointHashes{hashChain: newHashChain(c.g, work), cycle: c, f: f, field: field.Intervals(work)}
	number := func() fixed { return make(fixed, j.n+1) }
	j.none, j.sum = number(), number()
	for i := range j.rows {
		j.rows[i] = make([]jointPair, sigma+uint64(k)+2)
		for y := range j.rows[i] {
			for range k + 1 {
				at := &j.rows[i][y]
				at.all, at.rest = append(at.all, number()), append(at.rest, number())
			}
		}
	}
	j.unit = new(big.Int).Lsh(integer.One, uint(wordBits*j.n))
	for b := range sigma + 1 {
		j.rho = append(j.rho, j.matches(b))
	}
	j.miss = new(big.Int).Sub(j.unit, j.matches(f))
	j.least, j.r = new(big.Int).Set(j.unit), new(big.Int)
	j.tiny = int(work)
	inside := uint64(0) // the least x for which b = sigma is possible
	if outside := c.g.M - f; sigma > outside {
		inside = sigma - outside
	}
	j.recorded(inside, sigma)
	j.arrivals, j.repeats = new(big.Int), new(big.Int)
	for range k {
		j.ends = append(j.ends, new(big.Int))
		j.frozen = append(j.frozen, j.field.Int(0))
	}
	if c.r.FreezeBefore {
		j.beyond = map[uint64]*interval.Interval{}
		for _, b := range c.edge() {
			sum := j.field.Int(0)
			for q, p := range transitions(j.field, c.g, b, k) {
				if b+uint64(q) > sigma {
					sum.Add(sum, p)
				}
			}
			j.beyond[b] = sum
		}
	}
	return j
}

// The method "matches" returns rho(b), the probability that all positions of an arrival are among b set bits. The
// result is in ulps and rounded down.
func (j *jointHashes) matches(b uint64) *big.Int {
	z := make(fixed, j.n+1)
	z[j.n] = 1
	for h := range j.g.K {
		stay, of := j.stay(b, h)
		z.muladd(z, stay, nil, 0, of, j.t)
	}
	var words []big.Word
	return z.int(&words)
}

// The method "follow" visits all states of the cycle.
func (j *jointHashes) follow() {
	most := j.cycle.r.Sigma + uint64(j.g.K)
	for x := range min(j.f, most) + 1 {
		y, next, some := j.first, uint64(0), false
		for end := min(j.g.M-j.f, most-x); y <= end; y++ {
			j.visit(x, y)
			empty := j.drop(j.rows[x&1][y])
			if !some && !empty {
				next, some = y, true
			}
			if empty && y+1 >= j.last && (some || x > 0) {
				y++
				break
			}
		}
		if !some {
			return
		}
		j.first, j.last = next, y
	}
}

// If all numbers of a state are below 2^-tiny, the method "drop" sets them to 0 and returns true.
func (j *jointHashes) drop(at jointPair) bool {
	for _, list := range [][]fixed{at.all, at.rest} {
		for _, z := range list {
			for i := j.n; i >= 0; i-- {
				if z[i] == 0 {
					continue
				}
				if wordBits*(i-j.n)+mathbits.Len64(z[i]) > -j.tiny {
					return false
				}
				break
			}
		}
	}
	for h := range at.all {
		clear(at.all[h])
		clear(at.rest[h])
	}
	return true
}

// The method "place" computes G_h(x,y) and H_h(x,y) for h = 1..k. It uses the values for h = 0 and the values of
// earlier states. The comment at the top of this file defines these numbers.
func (j *jointHashes) place(x, y uint64) {
	b, m := x+y, j.g.M
	now, before := j.rows[x&1], j.rows[x&1^1]
	at := now[y]
	for h := range j.g.K {
		p := j.g.placed(h)
		left := m - p
		inside := min(j.f-x+1, left)    // number of positions that lead here from x-1
		outside := min(m-j.f-y+1, left) // number of positions that lead here from y-1
		stay, held := x-min(x, p), b-min(b, p)
		up, across := j.none, j.none // G and H of x-1
		if x > 0 && y < j.last {
			up, across = before[y].all[h], before[y].rest[h]
		}
		at.all[h+1].muladd(at.all[h], stay, up, inside, left, j.t)
		rest := at.rest[h+1]
		rest.muladd(at.rest[h], held, at.all[h], min(y, left), left, j.t)
		clear(j.sum)
		if y > j.first {
			j.sum.plus(now[y-1].all[h], now[y-1].rest[h])
		}
		j.sum.muladd(across, inside, j.sum, outside, left, j.t)
		rest.plus(rest, j.sum)
	}
}

// The method "visit" adds the expected numbers of arrivals and of repeats at the state (x, y) to the sums. If the cycle
// has ended in this state, the method instead adds the probability of the state to the list "ends".
func (j *jointHashes) visit(x, y uint64) {
	b, k, sigma := x+y, j.g.K, j.cycle.r.Sigma
	at := j.rows[x&1][y]
	j.visited++
	clear(at.all[0])
	clear(at.rest[0])
	j.place(x, y)
	come := at.rest[k]
	if b > sigma {
		end := j.ends[b-sigma-1]
		end.Add(end, come.int(&j.ws))
		return
	}
	if b == 0 {
		come[j.n]++
	}
	j.recorded(x, b)
	j.v.Lsh(come.int(&j.ws), uint(wordBits*j.n))
	j.v.Quo(j.v, j.r)
	j.arrivals.Add(j.arrivals, j.v)
	j.x.Sub(j.unit, j.r)
	j.x.Mul(j.x, j.v)
	j.repeats.Add(j.repeats, j.x)
	at.all[0].set(j.v, j.buf)
	j.place(x, y)
	if beyond, edge := j.beyond[b]; edge {
		j.freeze(b, x, beyond)
	}
}

// The method "recorded" sets the field r to 1 - rho(f) - rho(b) + rho(x), rounded up. This is the probability that an
// arrival is recorded.
func (j *jointHashes) recorded(x, b uint64) {
	j.r.Sub(j.miss, j.rho[b])
	j.r.Add(j.r, j.rho[x])
	j.r.Add(j.r, j.k)
	if j.r.Cmp(j.least) < 0 {
		j.least.Set(j.r)
	}
}

// The method "freeze" is called only for the rule freeze-before. Some of the arrivals at the present state are recorded
// and end the cycle. The method "freeze" adds their expected number to the probability that b bits are frozen. To
// compute this number, first assume that the arrays are independent. Under this assumption, compute the expected number
// of arrivals that end the cycle. Some of these arrivals have all positions in the frozen array. Subtract the expected
// number of these arrivals.
func (j *jointHashes) freeze(b, x uint64, beyond *interval.Interval) {
	k, sigma, f := j.g.K, j.cycle.r.Sigma, j.field
	p, all := f.Zero().Set(beyond), f.Zero()
	ways, of := choices(f, j.f-x, k), choices(f, j.g.M-x, k)
	for q, tau := range transitions(f, j.g, x, k) {
		if b+uint64(q) > sigma {
			all.Quo(tau, of[q])
			all.Mul(all, ways[q])
			p.Sub(p, all)
		}
	}
	all.SetScaled(j.v, j.v, -wordBits*j.n)
	p.Mul(p, all)
	to := j.frozen[sigma-b]
	to.Add(to, p)
}

// The method "sums" returns the expected numbers of arrivals and of repeats of the cycle. It also returns the
// distribution of the number of bits that are frozen at the end of the cycle. The list of this distribution begins with
// the most probable number. The comment at the top of this file derives the errors.
func (j *jointHashes) sums() (arrivals, repeats *interval.Interval, frozen []*interval.Interval) {
	lossy, ulp, shift := big.NewInt(jointUlps*int64(j.g.K)), -wordBits*j.n, uint(wordBits*j.n)
	lack := new(big.Int).Set(j.unit)
	for _, end := range j.ends {
		lack.Sub(lack, end)
	}
	// The variable "least" becomes a lower bound of the probability r that an arrival is recorded. The number L depends
	// on it. The comment at the top of this file defines L.
	least := new(big.Int).Sub(j.least, lossy)
	longest := new(big.Int).Mul(j.unit, integer.Uint(j.cycle.r.Sigma+1))
	longest.Quo(longest, least)
	longest.Add(longest, integer.One)
	missing := new(big.Int).Mul(longest, lack)
	most := new(big.Int).Add(j.arrivals, missing)
	arrivals = j.field.Zero().SetScaled(j.arrivals, most, ulp)
	// For each arrival, the probability 1-r of a repeat is too small by at most 3k ulps. The computed number of
	// arrivals is also too small. The error of the number of repeats takes both errors into account.
	lost := new(big.Int).Mul(j.arrivals, lossy)
	lost.Rsh(lost, shift)
	missing.Add(missing, lost)
	lost.Mul(missing, lossy)
	lost.Rsh(lost, shift)
	missing.Add(missing, lost)
	missing.Add(missing, integer.One)
	missing.Lsh(missing, shift)
	most.Add(j.repeats, missing)
	repeats = j.field.Zero().SetScaled(j.repeats, most, 2*ulp)
	slack := j.field.Zero().SetScaled(new(big.Int), lack, ulp)
	for i, x := range j.frozen {
		if !j.cycle.r.FreezeBefore {
			x.SetScaled(j.ends[i], j.ends[i], ulp)
		}
		x.Add(x, slack)
	}
	return arrivals, repeats, j.frozen
}

// The method "plus" sets z to x + y.
func (z fixed) plus(x, y fixed) {
	var carry uint64
	for i := range z {
		z[i], carry = mathbits.Add64(x[i], y[i], carry)
	}
}

// jointHashRun returns two long-run means for a cycle: the number of repeats, and the number of arrivals.
func (c *Cycle) jointHashRun(work uint) (repeats, arrivals *interval.Interval) {
	f := field.Intervals(work)
	var starts []uint64
	for i := range min(uint64(c.g.K), c.r.Sigma+1) {
		if !c.r.FreezeBefore {
			starts = append(starts, c.r.Sigma+1+i)
		} else {
			starts = append(starts, c.r.Sigma-i)
		}
	}
	chain := make([][]*interval.Interval, len(starts))
	all, again := make([]*interval.Interval, len(starts)), make([]*interval.Interval, len(starts))
	for i, frozen := range starts {
		j := newJointHashes(c, frozen, work)
		j.follow()
		all[i], again[i], chain[i] = j.sums()
	}
	repeats, arrivals = f.Int(0), f.Int(0)
	sum, t := f.Int(0), f.Zero()
	for i, p := range stationary(f, chain) {
		sum.Add(sum, p)
		repeats.Add(repeats, t.Mul(p, again[i]))
		arrivals.Add(arrivals, t.Mul(p, all[i]))
	}
	return repeats.Quo(repeats, sum), arrivals.Quo(arrivals, sum)
}
