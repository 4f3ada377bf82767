package claims

import (
	"fmt"
	"math"
	"math/big"
)

// drains is the condition that a message-bounded filter cannot have all its bits set.
var drains = where("(N-1)k < M", "M k N", func(x point) bool { return (x[2]-1)*x[1] < x[0] })

// counting turns a law on message-bounded filters of one kind into a law on points (m, k, N).
func counting(distinct, retain bool, law func(f recycler, m, k, n int) error) func(p point) error {
	return func(p point) error {
		f := messageBounded(p.int(0), p.int(1), p.int(2), distinct, retain)
		if !f.valid() {
			return errOutside
		}
		return law(f, p.int(0), p.int(1), p.int(2))
	}
}

// oracleRate returns f_o by Dozier-FP (2): the mean of the rates of the first n messages.
func oracleRate(n int, rate func(i int) *big.Rat) *big.Rat {
	return quo(sum(1, n, rate), whole(n))
}

// actualRate returns f_a by Dozier-FP (3), from the rates of the first n messages. f_a is undefined if one of these
// rates is 1.
func actualRate(n int, rate func(i int) *big.Rat) (*big.Rat, error) {
	arrivals := new(big.Rat)
	for i := 1; i <= n; i++ {
		f := rate(i)
		if f.Cmp(whole(1)) == 0 {
			return nil, errOutside
		}
		arrivals.Add(arrivals, quo(whole(1), sub(whole(1), f)))
	}
	return sub(whole(1), quo(whole(n), arrivals)), nil
}

// before returns the rate of the i-th message by Dozier-FP (1), when i-1 other messages came before.
func before(m, k int) func(i int) *big.Rat {
	return func(i int) *big.Rat { return bloomRate(m, i-1, k) }
}

// trulyBefore returns the exact probability that the i-th message finds all its positions set.
func trulyBefore(m, k int, distinct bool) func(i int) *big.Rat {
	return func(i int) *big.Rat {
		if distinct {
			return rateC(m, i-1, k)
		}
		return rateS(m, i-1, k)
	}
}

// oracle returns the long run of the filter that recycles after its n-th message, even if that message sets no bit.
func (f recycler) oracle(n int) (longRun[arrays], error) {
	return inTheLongRun(arrays{}, func(s arrays) []chance[arrays] {
		var out []chance[arrays]
		f.positions().each(func(at int, p *big.Rat) {
			next := arrays{active: s.active | at, settled: s.settled + 1}
			c := chance[arrays]{to: next.canonical(), p: p}
			c.gains[arrivals] = 1
			c.gains[falsePositives] = count(next.active == s.active)
			if next.settled == n {
				c.to, c.gains[recycles] = arrays{}, 1
			}
			out = append(out, c)
		})
		return out
	})
}

// stages returns two numbers of the message-bounded filter for each i from 1 to N. Index 0 is for i = 1. The first
// number, p_i, is the probability that the message after the (i-1)-th bit-setting message sets no bit. The second,
// E[R_i], is the mean number of messages that set no bit between the (i-1)-th bit-setting message and the i-th.
func (f recycler) stages() (p, er []*big.Rat, err error) {
	a, err := f.average()
	if err != nil {
		return nil, nil, err
	}
	if a.gains[recycles].Sign() == 0 {
		return nil, nil, errOutside
	}
	n := int(f.Messages)
	p, er = make([]*big.Rat, n), make([]*big.Rat, n)
	entered := make([]*big.Rat, n)
	for i := range n {
		p[i], er[i], entered[i] = new(big.Rat), new(big.Rat), new(big.Rat)
	}
	for s, share := range a.share {
		er[s.settled].Add(er[s.settled], quo(mul(share, f.match(ones(s.active))), a.gains[recycles]))
		for _, c := range a.step(s) {
			if c.to.settled != s.settled || c.gains[recycles] == 1 {
				x := mul(share, c.p)
				entered[c.to.settled].Add(entered[c.to.settled], x)
				p[c.to.settled].Add(p[c.to.settled], mul(x, f.match(ones(c.to.active))))
			}
		}
	}
	for i := range n {
		if entered[i].Sign() > 0 {
			p[i].Quo(p[i], entered[i])
		}
	}
	return p, er, nil
}

// lowerBound is the law that a bound is at most the true rate of the message-bounded filter. The true rate is 1 if the
// filter can fill up before its N-th bit-setting message.
func lowerBound(distinct, retain bool, bound func(m, k, n int) (*big.Rat, error)) func(p point) error {
	return counting(distinct, retain, func(f recycler, m, k, n int) error {
		low, err := bound(m, k, n)
		if err != nil {
			return err
		}
		a, err := f.average()
		if err != nil {
			return err
		}
		return atMost(low, a.rate())
	})
}

// tally has the mean numbers of a filter's cycle.
type tally struct{ arrivals, positives float64 }

func (t tally) rate() float64 {
	if math.IsInf(t.arrivals, 1) {
		return 1
	}
	return t.positives / t.arrivals
}

// countedChain follows the number of set bits of a colliding, message-bounded filter in float64, in sums of positive
// terms. It returns the mean cycle for N = 1, 2, ..., last. If the filter can fill up, the last cycle that it returns
// is infinite.
func countedChain(m, k, last int) []tally {
	tau := floatKernel(m, k, false)
	law := make([]float64, m+k+1)
	law[0] = 1
	var cycles []tally
	var total tally
	for n := 1; n <= last; n++ {
		next := make([]float64, m+k+1)
		for b, x := range law {
			if x == 0 {
				continue
			}
			if b == m { // the filter can be full, and then stays full
				return append(cycles, tally{math.Inf(1), math.Inf(1)})
			}
			sets := 1 - tau[b][0]
			total.arrivals += x / sets
			total.positives += x / sets * tau[b][0]
			for d := 1; d <= k && b+d <= m; d++ {
				next[b+d] += x * tau[b][d] / sets
			}
		}
		cycles = append(cycles, total)
		law = next
	}
	return cycles
}

// bestCounted returns the largest mean number of arrivals in a cycle of a message-bounded filter that meets a rate,
// over all k up to last.
func bestCounted(m, last int, target float64) float64 {
	most := 0.0
	for k := 1; k <= last; k++ {
		for _, t := range countedChain(m, k, 2*m/k) {
			if t.rate() > target {
				break
			}
			most = max(most, t.arrivals)
		}
	}
	return most
}

var dozierFP3 = []claim{
	fp3Indicator, fpEq2, fpEq2Lower, fp3Fills, fp3Cycle, fp3Er, fp3Pi, fp3Lower, fp3Increasing,
	fpEq3, fp5aTighter, fp3Upper, fp3Tight,
}

var fp3Indicator = claim{
	ID: "dozier-fp.3.indicator", Ref: "Section III, first paragraph",
	Statement:      "E[F_i] = P(F_i = 1) of the i-th new arrival is solved directly by (1)",
	Verdict:        Misprint,
	Counterexample: "(1) at n = 1 is 1, but the first message meets an empty filter",
	Repair:         "(1) at n = i-1, which is exact for k = 1 and below P(F_i = 1) for k >= 2, M >= 2, i >= 2; exact is f_S at n = i-1 (non-colliding f_C)",
	Argument: [2]string{
		"The i-th arrival sees i-1 messages: F_1 = 0 always, and (1) at n = 0 is 0.",
		"(1) takes the mean of b/M before the k-th power (Jensen), so it is below the mean of (b/M)^k.",
	},
	How: "f_S and f_C at n = i-1 against the i-th message of a filter by enumeration, N = i",
	parts: func() []part {
		// P(F_N = 1) is the share of the cycles whose last message finds all its positions set, for the filter that
		// recycles after its N-th message.
		last := func(f recycler, n int) (*big.Rat, error) {
			a, err := f.oracle(n)
			if err != nil {
				return nil, err
			}
			x := new(big.Rat)
			for s, share := range a.share {
				if s.settled == n-1 {
					x.Add(x, quo(mul(share, f.match(ones(s.active))), a.gains[recycles]))
				}
			}
			return x, nil
		}
		law := func(distinct bool, want func(m, k, n int) *big.Rat) func(p point) error {
			return counting(distinct, false, func(f recycler, m, k, n int) error {
				x, err := last(f, n)
				return first(err, same(want(m, k, n), x))
			})
		}
		return []part{
			fails(point{1, 1, 1}, kindOf(countedFilters, false, false), law(false, func(m, k, n int) *big.Rat { return bloomRate(m, n, k) })),
			holdsOn(kindOf(countedFilters, false, false), law(false, func(m, k, n int) *big.Rat { return trulyBefore(m, k, false)(n) })),
			holdsOn(kindOf(countedFilters, true, false), law(true, func(m, k, n int) *big.Rat { return trulyBefore(m, k, true)(n) })),
			holdsOn(countedFilters, func(p point) error {
				low, f := before(p.int(0), p.int(1))(p.int(2)), trulyBefore(p.int(0), p.int(1), false)(p.int(2))
				if p[0] == 1 || p[1] == 1 || p[2] == 1 {
					return same(low, f)
				}
				return below(low, f)
			}).on("(1) at n = i-1"),
		}
	},
}

var fpEq2 = claim{
	ID: "dozier-fp.eq2", Ref: "Section III, (2)",
	Statement: "an oracle that inserts exactly N new messages has the rate f_o = sum_{i=1}^N E[F_i]/N",
	Verdict:   Confirmed,
	How:       "E[F_i] exact, f_S or f_C at n = i-1; N counts all new messages, the one that recycles included; the filter that recycles at its N-th message by enumeration",
	parts: func() []part {
		law := func(distinct bool) func(p point) error {
			return counting(distinct, false, func(f recycler, m, k, n int) error {
				a, err := f.oracle(n)
				if err != nil {
					return err
				}
				return same(oracleRate(n, trulyBefore(m, k, distinct)), a.rate())
			})
		}
		return []part{
			holdsOn(kindOf(countedFilters, false, false), law(false)),
			holdsOn(kindOf(countedFilters, true, false), law(true)),
		}
	},
}

var fpEq2Lower = claim{
	ID: "dozier-fp.eq2.lower", Ref: "Section III, (2), and V-A2, Figure 5",
	Statement:      "f_o, with (1) for E[F_i], is a lower bound of the rate of the filter that counts N bit-setting messages",
	Verdict:        Conditional,
	Counterexample: "(1) at n = i: f_o = 1, the filter recycles at each message and its rate is 0",
	How:            "(1) at n = i-1, non-colliding f_C at n = i-1 in its place; the true rates by enumeration",
	parts: func() []part {
		printed := func(m, k, n int) (*big.Rat, error) {
			return oracleRate(n, func(i int) *big.Rat { return bloomRate(m, i, k) }), nil
		}
		shifted := func(m, k, n int) (*big.Rat, error) { return oracleRate(n, before(m, k)), nil }
		classic := func(m, k, n int) (*big.Rat, error) { return oracleRate(n, trulyBefore(m, k, true)), nil }
		return []part{
			fails(point{1, 1, 1}, with(kindOf(countedFilters, false, false), through("(1) at n = i")), lowerBound(false, false, printed)),
			holdsOn(kindOf(countedFilters, false, false), lowerBound(false, false, shifted)),
			holdsOn(kindOf(countedFilters, false, true), lowerBound(false, true, shifted)),
			holdsOn(kindOf(countedFilters, true, false), lowerBound(true, false, classic)),
			holdsOn(kindOf(countedFilters, true, true), lowerBound(true, true, classic)),
		}
	},
}

var fp3Fills = claim{
	ID: "dozier-fp.3.fills", Ref: "Section III, third paragraph",
	Statement:      "the N-bounded filter recycles at its N-th bit-setting message, so a cycle has a rate below 1",
	Verdict:        Conditional,
	Counterexample: "the first message fills the filter, no second one can set a bit, and the rate is 1",
	How:            "the long run by enumeration: cycles end if (N-1)k < M, and the rate is 1 otherwise",
	parts: func() []part {
		law := func(fills func(m, k, n int) bool) func(distinct, retain bool) func(p point) error {
			return func(distinct, retain bool) func(p point) error {
				return counting(distinct, retain, func(f recycler, m, k, n int) error {
					a, err := f.average()
					if err != nil {
						return err
					}
					full := a.gains[recycles].Sign() == 0
					if full != (a.rate().Cmp(whole(1)) == 0) {
						return fmt.Errorf("fills: %v, rate %s", full, short(a.rate()))
					}
					return holds(full == fills(m, k, n), "fills: %v", full)
				})
			}
		}
		never := law(func(_, _, _ int) bool { return false })
		parts := []part{fails(point{1, 1, 2}, kindOf(countedFilters, false, false), never(false, false))}
		parts = append(parts, everyKind(with(countedFilters, drains), []bool{false}, never)...)
		for _, t := range everyKind(countedFilters, []bool{false}, law(func(m, k, n int) bool { return (n-1)*k >= m })) {
			parts = append(parts, t.on("otherwise the filter can fill"))
		}
		return parts
	},
}

var fp3Cycle = claim{
	ID: "dozier-fp.3.cycle", Ref: "Section III, third and fifth paragraphs",
	Statement: "the rate of the N-bounded filter is sum E[R_i]/sum (E[R_i] + 1), i = 1 to N",
	Verdict:   Confirmed,
	How:       "E[R_i] and the rate by enumeration; retaining, the retained message is no arrival of its cycle and the sums run from i = 2",
	parts: func() []part {
		return everyKind(with(countedFilters, drains), []bool{false, true}, func(distinct, retain bool) func(p point) error {
			return counting(distinct, retain, func(f recycler, m, k, n int) error {
				_, er, err := f.stages()
				if err != nil {
					return err
				}
				a, err := f.average()
				if err != nil {
					return err
				}
				from := count(retain)
				repeats := sum(from, n-1, func(i int) *big.Rat { return er[i] })
				return same(quo(repeats, add(repeats, whole(n-from))), a.rate())
			})
		})
	},
}

var fp3Er = claim{
	ID: "dozier-fp.3.er", Ref: "Section III, fourth paragraph",
	Statement:      "P(R_i > j) = p_i^(j+1), so E[R_i] = p_i/(1-p_i) and the rate is sum p_i/(1-p_i) over sum (1 + p_i/(1-p_i))",
	Verdict:        Refuted,
	Counterexample: "i = 2: p_2 = 1/3, so printed is 1/2; E[R_2] = (1/3)(1/8) + (2/3)(4/5) = 23/40",
	Repair:         "E[R_i] = E[p/(1-p)] over the bits at stage i, which is at least p_i/(1-p_i); the printed rate is a lower bound",
	Argument: [2]string{
		"After one message of two colliding positions in 3 bits, one bit is set (1/3) or two (2/3), and a match has probability 1/9 or 4/9.",
		"x/(1-x) is convex, so its mean is above its value at the mean p_2 = 1/3.",
	},
	How: "p_i and E[R_i] by enumeration; equal for k = 1, for i = 1 and, non-colliding, for i = 2, where there is one number of bits",
	parts: func() []part {
		law := func(distinct bool, compare func(k, i int, printed, er *big.Rat) error) func(p point) error {
			return counting(distinct, false, func(f recycler, m, k, n int) error {
				p, er, err := f.stages()
				if err != nil {
					return err
				}
				for i := 1; i <= n; i++ {
					if err := compare(k, i, quo(p[i-1], sub(whole(1), p[i-1])), er[i-1]); err != nil {
						return fmt.Errorf("i=%d: %w", i, err)
					}
				}
				return nil
			})
		}
		repaired := func(distinct bool) func(p point) error {
			return law(distinct, func(k, i int, printed, er *big.Rat) error {
				if k == 1 || i == 1 || distinct && i == 2 {
					return same(printed, er)
				}
				return atMost(printed, er)
			})
		}
		return []part{
			comesOut("p_2 = 1/3, E[R_2] = 23/40 there", func() error {
				p, er, err := messageBounded(3, 2, 2, false, false).stages()
				return first(err, same(p[1], rat(1, 3)), same(er[1], rat(23, 40)))
			}),
			fails(point{3, 2, 2}, kindOf(with(countedFilters, drains), false, false), law(false, func(_, _ int, printed, er *big.Rat) error { return same(printed, er) })),
			holdsOn(kindOf(with(countedFilters, drains), false, false), repaired(false)),
			holdsOn(kindOf(with(countedFilters, drains), true, false), repaired(true)),
		}
	},
}

var fp3Pi = claim{
	ID: "dozier-fp.3.pi", Ref: "Section III, fifth paragraph",
	Statement:      "the i-th bit-setting message is the j-th arrival with j >= i, so p_i = P(F_j = 1) for some j >= i",
	Verdict:        Refuted,
	Counterexample: "i = 3: p_3 = 2/3; P(F_j = 1) = 0, 1/3, 5/9, 19/27, ... for j = 1, 2, 3, 4",
	Repair:         "j is random and not independent of the bits, so p_i is none of these numbers; p_i >= P(F_i = 1) is true all the same (dozier-fp.3.lower)",
	Argument: [2]string{
		"With k = 1, two bits are set after two bit-setting messages, whatever j is: p_3 = 2/3.",
		"P(F_j = 1) = 1 - (2/3)^(j-1) has the value 5/9 at j = 3 and 19/27 at j = 4.",
	},
	How: "p_i by enumeration and all j while P(F_j = 1) <= p_i, which it grows beyond",
	parts: func() []part {
		law := counting(false, false, func(f recycler, m, k, n int) error {
			p, _, err := f.stages()
			if err != nil {
				return err
			}
			for i := 1; i <= n; i++ {
				j := i
				for trulyBefore(m, k, false)(j).Cmp(p[i-1]) < 0 {
					j++
				}
				if err := same(trulyBefore(m, k, false)(j), p[i-1]); err != nil {
					return fmt.Errorf("i=%d: between j=%d and %d: %w", i, j-1, j, err)
				}
			}
			return nil
		})
		return []part{
			fails(point{3, 1, 3}, kindOf(with(countedFilters, drains), false, false), law),
		}
	},
}

var fp3Lower = claim{
	ID: "dozier-fp.3.lower", Ref: "Section III, fifth paragraph",
	Statement: "p_i >= P(F_i = 1)",
	Verdict:   Confirmed,
	How:       "p_i by enumeration, P(F_i = 1) exactly; the bits after i-1 bit-setting messages are those after i-1 messages or more; so also by (1) at n = i-1",
	parts: func() []part {
		law := func(distinct bool) func(p point) error {
			return counting(distinct, false, func(f recycler, m, k, n int) error {
				p, _, err := f.stages()
				if err != nil {
					return err
				}
				for i := 1; i <= n; i++ {
					if err := atMost(trulyBefore(m, k, distinct)(i), p[i-1]); err != nil {
						return fmt.Errorf("i=%d: %w", i, err)
					}
				}
				return nil
			})
		}
		return []part{
			holdsOn(kindOf(with(countedFilters, drains), false, false), law(false)),
			holdsOn(kindOf(with(countedFilters, drains), true, false), law(true)),
		}
	},
}

var fp3Increasing = claim{
	ID: "dozier-fp.3.increasing", Ref: "Section III, fifth paragraph",
	Statement:      "P(F_i = 1) is increasing in i",
	Verdict:        Conditional,
	Counterexample: "P(F_2 = 1) = P(F_3 = 1) = 1",
	How:            "exact rates; not decreasing always",
	parts: func() []part {
		law := func(distinct bool) func(p point) (float64, error) {
			return func(p point) (float64, error) {
				f := trulyBefore(p.int(0), p.int(1), distinct)
				return strictGap(f(p.int(2)), f(p.int(2)+1)), nil
			}
		}
		printed := domain{number("M", 1).by(8, 16).upTo(60), number("k", 1).by(3, 5).upTo(12), number("i", 1).by(6, 10).upTo(40)}
		several := where("M >= 2", "M", func(x point) bool { return x[0] > 1 })
		room := where("k < M", "M k", func(x point) bool { return x[1] < x[0] })
		return []part{
			fails(point{1, 1, 2}, with(printed, hashings.only(0)), lawOf(law(false))),
			keeps(with(printed, hashings.only(0), several), law(false)),
			keeps(with(printed, hashings.only(1), room), law(true)),
		}
	},
}

var fpEq3 = claim{
	ID: "dozier-fp.eq3", Ref: "Section III, (3), and V-A2, Figure 5",
	Statement:      "f_a = sum_{i=1}^N f_i/(1-f_i) over sum_{i=1}^N (1 + f_i/(1-f_i)), f_i by (1), is a lower bound of the rate of the filter that counts N bit-setting messages",
	Verdict:        Conditional,
	Counterexample: "(1) at n = i: f_a = 1/2, the filter recycles at each message and its rate is 0",
	How:            "f_i by (1) at n = i-1, non-colliding by f_C at n = i-1, all below 1; N counts bit-setting messages only; the true rates by enumeration",
	parts: func() []part {
		below1 := where("f_1, ..., f_N below 1", "M k N positions", func(x point) bool { return x[2] == 1 || x[0] > 1 && !(x[3] == 1 && x[1] >= x[0]) })
		printed := func(m, k, n int) (*big.Rat, error) {
			return actualRate(n, func(i int) *big.Rat { return bloomRate(m, i, k) })
		}
		shifted := func(m, k, n int) (*big.Rat, error) { return actualRate(n, before(m, k)) }
		classic := func(m, k, n int) (*big.Rat, error) { return actualRate(n, trulyBefore(m, k, true)) }
		return []part{
			fails(point{2, 1, 1}, with(kindOf(countedFilters, false, false), below1, through("(1) at n = i")), lowerBound(false, false, printed)),
			holdsOn(with(kindOf(countedFilters, false, false), below1), lowerBound(false, false, shifted)),
			holdsOn(with(kindOf(countedFilters, false, true), below1), lowerBound(false, true, shifted)),
			holdsOn(with(kindOf(countedFilters, true, false), below1), lowerBound(true, false, classic)),
			holdsOn(with(kindOf(countedFilters, true, true), below1), lowerBound(true, true, classic)),
		}
	},
}

var fp5aTighter = claim{
	ID: "dozier-fp.5a.tighter", Ref: "Section V-A2, Figure 5",
	Statement: "f_a is a tighter lower bound than f_o",
	Verdict:   Confirmed,
	How:       "(1) at n = i-1, strictly for N >= 2; whatever the f_i are, 1-f_a is the harmonic mean of the 1-f_i, 1-f_o the arithmetic one, equal only if all f_i are",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("M", 2).by(8, 20).upTo(100), number("k", 1).by(3, 6).upTo(10), number("N", 1).by(6, 12).upTo(30)}, func(p point) error {
				m, k, n := p.int(0), p.int(1), p.int(2)
				actual, err := actualRate(n, before(m, k))
				if err != nil {
					return err
				}
				if n == 1 {
					return same(oracleRate(n, before(m, k)), actual)
				}
				return below(oracleRate(n, before(m, k)), actual)
			}),
		}
	},
}

var fp3Upper = claim{
	ID: "dozier-fp.3.upper", Ref: "Section III, last paragraph",
	Statement: "the lower bounds give an upper bound of the N that a rate allows",
	Verdict:   Confirmed,
	How:       "largest N with a rate of at most F: true <= by f_a <= by f_o; N in bit-setting messages, true rates by enumeration",
	parts: func() []part {
		const most = 6
		return []part{
			holdsOn(domain{number("M", 2).by(5, 8), number("k", 1).by(2, 3), between("F", 0, 1).above().less().at(3, 0.25, 0.5, 0.75, 1./12, 1./6, 1./3, 5./12, 7./12, 2./3, 5./6, 11./12).tried(1e-4, 0.99)}, func(p point) error {
				m, k, target := p.int(0), p.int(1), new(big.Rat).SetFloat64(p.real(2))
				largest := func(rate func(n int) (*big.Rat, error)) (int, error) {
					for n := 1; n <= most; n++ {
						x, err := rate(n)
						if err != nil {
							return 0, err
						}
						if x.Cmp(target) > 0 {
							return n - 1, nil
						}
					}
					return most, nil
				}
				truth, err1 := largest(func(n int) (*big.Rat, error) {
					a, err := messageBounded(m, k, n, false, false).average()
					if err != nil {
						return nil, err
					}
					return a.rate(), nil
				})
				actual, err2 := largest(func(n int) (*big.Rat, error) { return actualRate(n, before(m, k)) })
				oracle, err3 := largest(func(n int) (*big.Rat, error) { return oracleRate(n, before(m, k)), nil })
				return first(err1, err2, err3, holds(truth <= actual && actual <= oracle, "N = %d, %d, %d", truth, actual, oracle))
			}).tried(4, 200),
		}
	},
}

var fp3Tight = claim{
	ID: "dozier-fp.3.tight", Ref: "Section III, fifth paragraph",
	Statement:      "for the low rates used in practice E[R_i] tends to be very small, and the bound is expected to be tight",
	Verdict:        Conditional,
	Counterexample: "best k = 2, N = 689 by f_a: the filter can fill, and its true rate is 1",
	How:            "tight read as f_a (best k, largest N) of at least 0.97 of the true rate, and the mean of E[R_i] at most 0.011; the chain over set bits in float64 (positive terms)",
	parts: func() []part {
		tight := func(p point) (float64, error) {
			m, target := p.int(0), p.real(1)
			k, n := bestActual(m, target)
			cycles := countedChain(m, k, n)
			last := cycles[len(cycles)-1]
			ratio, repeats := actualFloat(m, k, n)/last.rate(), last.positives/float64(n)
			return min(ratio-0.97, 1-ratio, 0.011-repeats), nil
		}
		return []part{
			breaks(point{1000, codeOf(0.3)}, domain{number("M", 1000), between("F", 0, 1).above().less()}, lawOf(tight)),
			comesOut("k = 2, N = 689 at M = 1000, F = 0.3, where the filter can fill", func() error {
				k, n := bestActual(1000, 0.3)
				cycles := countedChain(1000, k, n)
				return holds(k == 2 && n == 689 && cycles[len(cycles)-1].rate() == 1, "k = %d, N = %d", k, n)
			}),
			keeps(sizing(1000, 2500, 1e-7, 0.01, 3, tenthsTo(2, 7)...), tight).tried(2, 100),
		}
	},
}
