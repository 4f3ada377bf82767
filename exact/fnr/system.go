package fnr

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/elimination"
	"github.com/bloomproof/bloomproof/exact/internal/enclose"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// System is a recycling filter under a workload that repeats messages (Dozier-FN). Its methods compute two long-run
// frequencies. The first is the frequency of repeats that the filter reports as new. The second is the frequency of new
// messages that it reports as repeats. A System is immutable and safe for concurrent use. Use New to make a System.
//
// The methods are for different filters.
//
// The method Rates is for tiny filters with any rule and any workload. It builds a Markov chain whose states hold
// everything that the future depends on (situation.go, chain.go). It solves the chain by elimination without
// subtraction (internal/elimination). The method Lasting is for filters that can stop recycling. It returns the
// conditional rates of filters that never stop recycling (lasting.go). The method CycleRates is for filters of
// practical size (cycles.go). The method CycleBounds is also for filters of practical size, if new messages enter at
// any rank (bounds.go).
type System struct {
	g shape
	r bloomproof.Recycling
	w bloomproof.Workload
}

// New returns the filter of geometry g that recycles by the rule r, under the workload w. The numbers of w are taken as
// exact. In particular, each weight has exactly the value of its float64. The same holds for the probability of a
// repeat. Zipf's (j+1)^-alpha is not rounded.
//
// Source: Dozier-FN, section 3.
// Domain: g is valid and has standard or classic hashing; r is valid for g; w is valid.
// Error: none.
// Cost: none.
// Errors: *bloomproof.ParamError.
func New(g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload) (*System, error) {
	states, err := newStates(g, r)
	if err != nil {
		return nil, err
	}
	if err := w.Validate(); err != nil {
		return nil, err
	}
	return &System{states.g, r, w}, nil
}

// Rates are long-run means over arrivals. With fixed positions there can be several closed sets of situations: a filter
// never leaves such a set. The hash functions decide which closed set the filter finally enters. In this case the rates
// are also means over the hash functions.
type Rates struct {
	// FNR is the number of false negatives per arrival. A false negative is a message that came before, is recorded in
	// no array, and is reported as new.
	FNR exact.Enclosure
	// Lucky is the number of lucky messages per arrival. A message is called lucky under three conditions. It came
	// before, it is recorded in no array, and it is reported as a repeat.
	Lucky exact.Enclosure
	FPR   exact.Enclosure // per arrival: false positives, which are new messages that are reported as repeats

	FPRPerNew *exact.Enclosure // false positives per new message; nil if no new messages arrive
	// FPRPerCycleNew considers only the arrivals that are recorded in no array. It is the fraction of them that the
	// filter reports as repeats. So it is the sum of the fields FPR and Lucky, divided by the frequency of these
	// arrivals. It is nil if there are no such arrivals.
	FPRPerCycleNew *exact.Enclosure
	Cycle          *exact.Enclosure // arrivals per cycle; nil if no filter recycles for ever

	// Absorbing is the probability that, from some time on, the filter never recycles again. This happens if all
	// messages that can arrive are recorded. With the message-bounded rule, this also happens if all bits are set
	// before the last message of a cycle.
	Absorbing exact.Enclosure
}

// These constants limit the size of the elimination. The constant eliminationLimit limits the number of products of
// intervals. The constant rationalProducts limits the number of products of rationals. A product of intervals takes
// about 1 us at 100 bits. The rationals become longer during the elimination.
const (
	maxListed          = 1 << 16 // the largest number of ranks, including ranks of popularity 0
	eliminationLimit   = 1 << 22
	rationalProducts   = 1 << 12
	rationalSituations = 64
)

// The methods add spareBits bits to the required precision. These bits cover the rounding errors of sums of positive
// terms. If the resulting enclosure is too wide, they compute it again with more bits. Some methods subtract an
// integral from another integral, or from 1. They use subtractingBits extra bits.
const (
	spareBits       = 64
	subtractingBits = 96
)

// Rates returns the long-run rates of a tiny filter, for every rule and workload. It solves a Markov chain. A state of
// the chain has three parts: the number of bits of each kind, the messages recorded in each array, and the number of
// messages that set bits. Rates finds the states that can follow from the empty filter. It solves the chain without
// subtraction. Only the number of bits of each kind matters, so the chain is far smaller than the chain of bit
// patterns. The chain names a message by its rank, because the probability of its next arrival depends only on its
// rank.
//
// With fresh positions, the positions of a message in different cycles are independent. With fixed positions, the
// positions of a message are part of the state as long as the message can arrive again.
//
// Source: Dozier-FN, sections 3.1-3.3 with the semantics of kernel.RecyclingFilter; derived here.
// Domain: the same as for New; prec is from 1 to MaxPrec. If arrivals can be repeats, at most 8 messages may have a
// positive popularity.
// Error: the relative widths are at most 2^-prec. For the smallest chains with rational workloads, the rates are exact rational
// numbers.
// Cost: some seconds for chains within the limits. Let D be the number of messages. With fresh positions and one phase,
// Rates takes 0.3 s for (m, k, sigma, D) = (8, 2, 4, 5). It takes 4 s for (64, 3, 30, 5). With fresh positions and two
// phases, Rates takes 1 s for (m, k, sigma, D) = (8, 2, 4, 3). It takes 17 s for (8, 2, 4, 5). With fixed positions and
// one phase, Rates takes 0.3 s for (m, k, sigma, D) = (8, 2, 4, 2). It takes 20 s for (6, 2, 3, 3). With fixed
// positions and two phases, Rates takes 4 s for (m, k, sigma, D) = (6, 2, 3, 2).
// Errors: *bloomproof.ParamError; ErrTooCostly above a limit. The chain may have at most 2^13 situations and 2^17 moves
// between them. The computation may take at most 2^22 products. Random positions may have at most 2^20 different
// outcomes. At most 8 messages and 256 positions are permitted.
func (c *System) Rates(prec uint) (*Rates, error) {
	if err := precision.Check(prec); err != nil {
		return nil, err
	}
	chain, err := c.chain()
	if err != nil {
		return nil, err
	}
	return c.rates(chain, prec, false)
}

// rates solves the chain. If the argument "lasting" is true, it excludes the classes in which the filter no longer
// recycles.
func (c *System) rates(chain *chain, prec uint, lasting bool) (*Rates, error) {
	products := chain.products(eliminationLimit)
	if len(chain.moves) <= rationalSituations && products <= rationalProducts && rationalPopularity(c.w.Popularity) {
		f := field.Rationals
		events := eventWeights(f, c.w, chain.ranks, func(j uint64) *big.Rat { return ratWeight(c.w.Popularity, j) })
		m := solve(f, chain, events, lasting)
		return enclosed(f, m, c.w.Repeat, func(x *big.Rat) exact.Enclosure { return enclose.Rational(x, prec) }), nil
	}
	// All terms are positive, so each product adds only a few rounding errors.
	for work := precision.First(prec, prec+spareBits); work < prec+precision.MaxGuard; work += prec + spareBits {
		if err := chain.affordable(products, work); err != nil {
			return nil, err
		}
		f := field.Intervals(work)
		m := solve(f, chain, eventWeights(f, c.w, chain.ranks, weightAt(c.w.Popularity, work)), lasting)
		if x, good := c.enclosed(m, f, prec); good {
			return x, nil
		}
	}
	return nil, fmt.Errorf("solving the chain of a tiny filter: %w", exact.ErrPrecision)
}

// The method "enclosed" returns the means as rates, and reports whether their enclosures are narrow enough.
func (c *System) enclosed(m *means[*interval.Interval], f field.Of[interval.Interval, *interval.Interval], prec uint) (x *Rates, good bool) {
	good = true
	x = enclosed(f, m, c.w.Repeat, func(x *interval.Interval) exact.Enclosure {
		good = good && x.Valid() && precision.Enough(x.RelBits(), prec)
		return enclose.Interval(x)
	})
	return x, good
}

func (c *System) chain() (*chain, error) {
	n := tracked(c.w)
	if n > maxTracked {
		return nil, fmt.Errorf("the chain of a tiny filter tells %d messages apart, the workload has %d: %w", maxTracked, n, refuse.ErrTooCostly)
	}
	if d := c.w.Popularity.D; d > maxListed {
		return nil, fmt.Errorf("the chain of a tiny filter lists %d ranks, the workload has %d: %w", maxListed, d, refuse.ErrTooCostly)
	}
	f := field.Intervals(interval.DefaultPrec) // only the signs are needed
	weights := eventWeights(f, c.w, int(n), weightAt(c.w.Popularity, interval.DefaultPrec))
	return chainOf(c.g, c.r, int(n), func(e event) bool { return weights[e].Sign() > 0 })
}

// The type "means" holds the long-run means of a chain, per arrival.
type means[P any] struct {
	tally     [tallies]P
	counted   [tallies]bool // whether any arrival counts, so that the mean is not exactly 0
	absorbing P
}

// The function "solve" returns the long-run means of a chain that starts at situation 0, for the given probabilities of
// the events. In some classes of the chain, the filter recycles for ever. If the argument "lasting" is true, the means
// are conditional on the event that the chain ends in such a class. The method chain.products counts the products that
// the function "solve" takes.
func solve[T any, P field.Number[T]](f field.Of[T, P], c *chain, events []P, lasting bool) *means[P] {
	m := &means[P]{absorbing: f.Int(0)}
	for t := range m.tally {
		m.tally[t] = f.Int(0)
	}
	ends := c.lastClasses()
	shares := []P{f.Int(1)}
	if len(ends) > 1 {
		shares = absorption(f, c, events, ends)
	}
	if lasting {
		sum := f.Int(0)
		for n, class := range ends {
			if !c.counts(class, recycles) {
				shares[n].Set(f.Int(0))
			}
			sum.Add(sum, shares[n])
		}
		for _, x := range shares {
			x.Quo(x, sum)
		}
	}
	for n, class := range ends {
		x := solveClass(f, c, events, class)
		for t := range m.tally {
			m.tally[t].Add(m.tally[t], f.Zero().Mul(shares[n], x[t]))
			m.counted[t] = m.counted[t] || c.counts(class, tally(t)) && !(lasting && !c.counts(class, recycles))
		}
		if !c.counts(class, recycles) {
			m.absorbing.Add(m.absorbing, shares[n])
		}
	}
	return m
}

// Every move and every gain refers to an event. Let p be the conditional probability of the move or gain, given this
// event. The function "weigh" returns the product of p and the probability of the event.
func weigh[T any, P field.Number[T]](f field.Of[T, P], p *big.Rat, event P) P {
	x, d := f.Zero(), f.Zero()
	x.SetInt(p.Num())
	x.Quo(x, d.SetInt(p.Denom()))
	x.Mul(x, event)
	return x
}

// solveClass returns the means over a class that the chain cannot leave.
func solveClass[T any, P field.Number[T]](f field.Of[T, P], c *chain, events []P, class []int) []P {
	s := elimination.New(f, len(c.moves))
	for _, i := range class {
		for _, m := range c.moves[i] {
			s.Add(i, m.to, weigh(f, m.p, events[m.e]))
		}
	}
	x := s.Stationary(c.byProgress(class), nil)
	return meansOver(f, c, events, class, x)
}

// meansOver returns the mean of each tally. The argument x is a distribution of situations, and it need not be
// normalised.
func meansOver[T any, P field.Number[T]](f field.Of[T, P], c *chain, events []P, class []int, x map[int]P) []P {
	var sums [tallies]P
	for t := range sums {
		sums[t] = f.Int(0)
	}
	all := f.Int(0)
	for _, i := range class {
		all.Add(all, x[i])
		for _, g := range c.gains[i] {
			w := weigh(f, g.p, events[g.e])
			w.Mul(w, x[i])
			sums[g.t].Add(sums[g.t], w)
		}
	}
	for _, s := range sums {
		s.Quo(s, all)
	}
	return sums[:]
}

// The function "absorption" returns one probability for each class in the argument "ends". It is the probability that
// the chain ends in this class.
func absorption[T any, P field.Number[T]](f field.Of[T, P], c *chain, events []P, ends [][]int) []P {
	n := len(c.moves)
	s := elimination.New(f, n+len(ends))
	end := make([]int, n)
	for i, class := range ends {
		for _, v := range class {
			end[v] = n + i
		}
	}
	var before []int
	for i := range n {
		if end[i] != 0 {
			continue
		}
		before = append(before, i)
		for _, m := range c.moves[i] {
			to := m.to
			if end[to] != 0 {
				to = end[to]
			}
			s.Add(i, to, weigh(f, m.p, events[m.e]))
		}
	}
	for _, v := range slices.Backward(c.byProgress(before)) {
		if v != 0 {
			s.Eliminate(v)
		}
	}
	sum := f.Int(0)
	shares := make([]P, len(ends))
	for i := range ends {
		shares[i] = f.Int(0)
		if w := s.Weights[0][n+i]; w != nil {
			shares[i].Set(w)
		}
		sum.Add(sum, shares[i])
	}
	for _, x := range shares {
		x.Quo(x, sum)
	}
	return shares
}

// The function "enclosed" converts the means m into rates.
func enclosed[T any, P field.Number[T]](f field.Of[T, P], m *means[P], repeat float64, wrap func(P) exact.Enclosure) *Rates {
	part := func(x P) exact.Enclosure { e, _ := enclose.Probability(wrap(x), nil); return e }
	ratio := func(x, y P) *exact.Enclosure {
		e := wrap(f.Zero().Quo(x, y))
		return &e
	}
	x := &Rates{
		FNR: part(m.tally[falseNegative]), Lucky: part(m.tally[lucky]), FPR: part(m.tally[falsePositive]),
		Absorbing: part(m.absorbing),
	}
	if repeat < 1 {
		p := new(big.Rat).SetFloat64(repeat)
		p.Sub(big.NewRat(1, 1), p)
		x.FPRPerNew = ratio(m.tally[falsePositive], weigh(f, p, f.Int(1)))
	}
	if m.counted[cycleNew] {
		x.FPRPerCycleNew = ratio(f.Zero().Add(m.tally[falsePositive], m.tally[lucky]), m.tally[cycleNew])
	}
	if m.counted[recycles] {
		x.Cycle = ratio(f.Int(1), m.tally[recycles])
	}
	return x
}
