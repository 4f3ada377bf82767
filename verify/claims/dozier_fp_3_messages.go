package claims

import (
	"fmt"
	"math"
	"math/big"
)

// messageBox are the message-bounded filters that are followed bit by bit.
func messageBox(r *run) box {
	return box{{"m", 1, r.upto(5, 8)}, {"k", 1, r.upto(3, 4)}, {"N", 1, r.upto(4, 6)}}
}

// counting examines a law on message-bounded filters of one kind, at (m, k, N).
func counting(distinct, retain bool, law func(f recycler, m, k, n int) error) func(p []int) error {
	return func(p []int) error {
		f := messageBounded(p[0], p[1], p[2], distinct, retain)
		if !f.valid() {
			return errOutside
		}
		return law(f, p[0], p[1], p[2])
	}
}

// oracleRate returns f_o (2) from the rates of the 1st to the N-th message.
func oracleRate(n int, rate func(i int) *big.Rat) *big.Rat {
	return quo(sum(1, n, rate), whole(n))
}

// actualRate returns f_a (3) from the rates of the 1st to the N-th message; it is undefined
// when one of them is 1.
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

// before returns the rate of the i-th message by (1), after i-1 others.
func before(m, k int) func(i int) *big.Rat {
	return func(i int) *big.Rat { return bloomRate(m, i-1, k) }
}

// trulyBefore returns the exact rate of the i-th message.
func trulyBefore(m, k int, distinct bool) func(i int) *big.Rat {
	return func(i int) *big.Rat {
		if distinct {
			return rateC(m, i-1, k)
		}
		return rateS(m, i-1, k)
	}
}

// oracle returns the long run of the filter that recycles after its n-th message, whether
// it set a bit or not.
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

// stages returns, for the message-bounded filter and i = 1 to N (from index 0), p_i, the
// probability that the first message after the (i-1)-th bit-setting one sets no bit, and
// E[R_i], the mean number of such messages until the i-th one sets a bit.
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

// lowerBound is the law that a bound is at most the true rate of the message-bounded
// filter, 1 where the filter can fill before its N-th bit-setting message.
func lowerBound(distinct, retain bool, bound func(m, k, n int) (*big.Rat, error)) func(p []int) error {
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

// tally is a cycle of a filter, on average.
type tally struct{ arrivals, positives float64 }

func (t tally) rate() float64 {
	if math.IsInf(t.arrivals, 1) {
		return 1
	}
	return t.positives / t.arrivals
}

// countedChain follows the set bits of a colliding, message-bounded filter in float64, sums
// of positive terms: a cycle for N = 1, 2, ..., last. It ends with a cycle without end where
// the filter can fill.
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
			if b == m { // the filter can be full, and stay so
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

// bestCounted returns the most arrivals of a cycle of a message-bounded filter that meets a
// rate, over all k up to last.
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

func dozierFP3Messages() []Claim {
	return []Claim{
		{
			ID: "dozier-fp.3.indicator", Paper: DozierFP, Ref: "Section III, first paragraph",
			Statement:      "E[F_i] = P(F_i = 1) of the i-th new arrival is solved directly by (1)",
			Domain:         "none: (1) is the rate after n messages, and too small for k >= 2",
			Verdict:        Misprint,
			Counterexample: "M = 1, k = 1, i = 1: (1) at n = 1 is 1, but the first message meets an empty filter",
			Repair:         "(1) at n = i-1, which is exact for k = 1 and below P(F_i = 1) for k >= 2, M >= 2, i >= 2; exact is f_S at n = i-1 (non-colliding f_C)",
			Argument: [2]string{
				"The i-th arrival sees i-1 messages: F_1 = 0 always, and (1) at n = 0 is 0.",
				"(1) takes the mean of b/M before the k-th power (Jensen), so it is below the mean of (b/M)^k.",
			},
			Checked: "f_S and f_C at n = i-1 against the i-th message of a filter by enumeration: M <= 8, k <= 4, i <= 6",
			check: func(r *run) error {
				// P(F_N = 1) is the share of cycles of the oracle's filter whose last message matches.
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
				law := func(distinct bool, want func(m, k, n int) *big.Rat) func(p []int) error {
					return counting(distinct, false, func(f recycler, m, k, n int) error {
						x, err := last(f, n)
						return first(err, same(want(m, k, n), x))
					})
				}
				return first(
					r.smallest([]int{1, 1, 1}, messageBox(r), law(false, func(m, k, n int) *big.Rat { return bloomRate(m, n, k) })),
					r.all(messageBox(r), law(false, func(m, k, n int) *big.Rat { return trulyBefore(m, k, false)(n) })),
					r.all(messageBox(r), law(true, func(m, k, n int) *big.Rat { return trulyBefore(m, k, true)(n) })),
					r.all(messageBox(r), func(p []int) error {
						low, f := before(p[0], p[1])(p[2]), trulyBefore(p[0], p[1], false)(p[2])
						if p[0] == 1 || p[1] == 1 || p[2] == 1 {
							return same(low, f)
						}
						return below(low, f)
					}))
			},
		},
		{
			ID: "dozier-fp.eq2", Paper: DozierFP, Ref: "Section III, (2)",
			Statement: "an oracle that inserts exactly N new messages has the rate f_o = sum_{i=1}^N E[F_i]/N",
			Domain:    "E[F_i] exact, f_S or f_C at n = i-1; N counts all new messages, the one that recycles included",
			Verdict:   Confirmed,
			Checked:   "the filter that recycles at its N-th message by enumeration, both hashings: M <= 8, k <= 4, N <= 6",
			check: func(r *run) error {
				law := func(distinct bool) func(p []int) error {
					return counting(distinct, false, func(f recycler, m, k, n int) error {
						a, err := f.oracle(n)
						if err != nil {
							return err
						}
						return same(oracleRate(n, trulyBefore(m, k, distinct)), a.rate())
					})
				}
				return first(r.all(messageBox(r), law(false)), r.all(messageBox(r), law(true)))
			},
		},
		{
			ID: "dozier-fp.eq2.lower", Paper: DozierFP, Ref: "Section III, (2), and V-A2, Figure 5",
			Statement:      "f_o, with (1) for E[F_i], is a lower bound of the rate of the filter that counts N bit-setting messages",
			Domain:         "(1) at n = i-1, colliding; non-colliding with f_C at n = i-1 in its place",
			Verdict:        Conditional,
			Counterexample: "(1) at n = i: M = 1, k = 1, N = 1: f_o = 1, the filter recycles at each message and its rate is 0",
			Checked:        "the true rates by enumeration, retaining or not (retaining from N = 2): M <= 8, k <= 4, N <= 6",
			check: func(r *run) error {
				printed := func(m, k, n int) (*big.Rat, error) {
					return oracleRate(n, func(i int) *big.Rat { return bloomRate(m, i, k) }), nil
				}
				shifted := func(m, k, n int) (*big.Rat, error) { return oracleRate(n, before(m, k)), nil }
				classic := func(m, k, n int) (*big.Rat, error) { return oracleRate(n, trulyBefore(m, k, true)), nil }
				return first(
					r.smallest([]int{1, 1, 1}, messageBox(r), lowerBound(false, false, printed)),
					r.all(messageBox(r), lowerBound(false, false, shifted)), r.all(messageBox(r), lowerBound(false, true, shifted)),
					r.all(messageBox(r), lowerBound(true, false, classic)), r.all(messageBox(r), lowerBound(true, true, classic)))
			},
		},
		{
			ID: "dozier-fp.3.fills", Paper: DozierFP, Ref: "Section III, third paragraph",
			Statement:      "the N-bounded filter recycles at its N-th bit-setting message, so a cycle has a rate below 1",
			Domain:         "(N-1)k < M",
			Verdict:        Conditional,
			Counterexample: "M = 1, k = 1, N = 2: the first message fills the filter, no second one can set a bit, and the rate is 1",
			Checked:        "the long run by enumeration: cycles end if (N-1)k < M, and the rate is 1 otherwise, both hashings: M <= 8, k <= 4, N <= 6",
			check: func(r *run) error {
				law := func(distinct, repaired bool) func(p []int) error {
					return counting(distinct, false, func(f recycler, m, k, n int) error {
						a, err := f.average()
						if err != nil {
							return err
						}
						fills := a.gains[recycles].Sign() == 0
						if fills != (a.rate().Cmp(whole(1)) == 0) {
							return fmt.Errorf("fills: %v, rate %s", fills, short(a.rate()))
						}
						return holds(fills == (repaired && (n-1)*k >= m), "fills: %v", fills)
					})
				}
				return first(r.smallest([]int{1, 1, 2}, messageBox(r), law(false, false)), r.all(messageBox(r), law(false, true)), r.all(messageBox(r), law(true, true)))
			},
		},
		{
			ID: "dozier-fp.3.cycle", Paper: DozierFP, Ref: "Section III, third and fifth paragraphs",
			Statement: "the rate of the N-bounded filter is sum E[R_i]/sum (E[R_i] + 1), i = 1 to N",
			Domain:    "non-retaining, where the filter cannot fill: (N-1)k < M; retaining, the retained message is no arrival of its cycle and the sums run from i = 2",
			Verdict:   Confirmed,
			Checked:   "E[R_i] and the rate by enumeration, both hashings, retaining or not: M <= 8, k <= 4, N <= 6",
			check: func(r *run) error {
				law := func(distinct, retain bool) func(p []int) error {
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
				}
				return first(
					r.all(messageBox(r), law(false, false)), r.all(messageBox(r), law(false, true)),
					r.all(messageBox(r), law(true, false)), r.all(messageBox(r), law(true, true)))
			},
		},
		{
			ID: "dozier-fp.3.er", Paper: DozierFP, Ref: "Section III, fourth paragraph",
			Statement:      "P(R_i > j) = p_i^(j+1), so E[R_i] = p_i/(1-p_i) and the rate is sum p_i/(1-p_i) over sum (1 + p_i/(1-p_i))",
			Domain:         "given the number of set bits; for k = 1, and for i <= 2 non-colliding, there is one such number",
			Verdict:        Refuted,
			Counterexample: "M = 3, k = 2, N = 2, i = 2: p_2 = 1/3, so printed is 1/2; E[R_2] = (1/3)(1/8) + (2/3)(4/5) = 23/40",
			Repair:         "E[R_i] = E[p/(1-p)] over the bits at stage i, which is at least p_i/(1-p_i); the printed rate is a lower bound",
			Argument: [2]string{
				"After one message of two colliding positions in 3 bits, one bit is set (1/3) or two (2/3), and a match has probability 1/9 or 4/9.",
				"x/(1-x) is convex, so its mean is above its value at the mean p_2 = 1/3.",
			},
			Checked: "p_i and E[R_i] by enumeration; equality for k = 1, E[R_i] >= p_i/(1-p_i) for all: M <= 8, k <= 4, N <= 6",
			check: func(r *run) error {
				law := func(distinct bool, compare func(k, i int, printed, er *big.Rat) error) func(p []int) error {
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
				repaired := func(distinct bool) func(p []int) error {
					return law(distinct, func(k, i int, printed, er *big.Rat) error {
						if k == 1 || i == 1 || distinct && i == 2 {
							return same(printed, er)
						}
						return atMost(printed, er)
					})
				}
				return first(
					r.once(func() error {
						p, er, err := messageBounded(3, 2, 2, false, false).stages()
						return first(err, same(p[1], rat(1, 3)), same(er[1], rat(23, 40)))
					}),
					r.smallest([]int{3, 2, 2}, messageBox(r), law(false, func(_, _ int, printed, er *big.Rat) error { return same(printed, er) })),
					r.all(messageBox(r), repaired(false)), r.all(messageBox(r), repaired(true)))
			},
		},
		{
			ID: "dozier-fp.3.pi", Paper: DozierFP, Ref: "Section III, fifth paragraph",
			Statement:      "the i-th bit-setting message is the j-th arrival with j >= i, so p_i = P(F_j = 1) for some j >= i",
			Domain:         "i <= 2, and i = 3 for some filters",
			Verdict:        Refuted,
			Counterexample: "M = 3, k = 1, N = 3, i = 3: p_3 = 2/3; P(F_j = 1) = 0, 1/3, 5/9, 19/27, ... for j = 1, 2, 3, 4",
			Repair:         "j is random and not independent of the bits, so p_i is none of these numbers; p_i >= P(F_i = 1) is true all the same (dozier-fp.3.lower)",
			Argument: [2]string{
				"With k = 1, two bits are set after two bit-setting messages, whatever j is: p_3 = 2/3.",
				"P(F_j = 1) = 1 - (2/3)^(j-1) has the value 5/9 at j = 3 and 19/27 at j = 4.",
			},
			Checked: "p_i by enumeration and all j while P(F_j = 1) <= p_i, which it grows beyond: M <= 8, k <= 4, N <= 6",
			check: func(r *run) error {
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
				return r.smallest([]int{3, 1, 3}, messageBox(r), law)
			},
		},
		{
			ID: "dozier-fp.3.lower", Paper: DozierFP, Ref: "Section III, fifth paragraph",
			Statement: "p_i >= P(F_i = 1)",
			Domain:    "all M, k, both hashings, where the filter cannot fill; also by (1) at n = i-1 colliding",
			Verdict:   Confirmed,
			Checked:   "p_i by enumeration, P(F_i = 1) exactly: M <= 8, k <= 4, N <= 6; the bits after i-1 bit-setting messages are those after i-1 messages or more",
			check: func(r *run) error {
				law := func(distinct bool) func(p []int) error {
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
				return first(r.all(messageBox(r), law(false)), r.all(messageBox(r), law(true)))
			},
		},
		{
			ID: "dozier-fp.3.increasing", Paper: DozierFP, Ref: "Section III, fifth paragraph",
			Statement:      "P(F_i = 1) is increasing in i",
			Domain:         "strictly, colliding for M >= 2, non-colliding for M > k; not decreasing always",
			Verdict:        Conditional,
			Counterexample: "M = 1, k = 1: P(F_2 = 1) = P(F_3 = 1) = 1",
			Checked:        "exact rates, both hashings: M <= 16, k <= 5, i <= 10",
			check: func(r *run) error {
				box := box{{"m", 1, r.upto(8, 16)}, {"k", 1, r.upto(3, 5)}, {"i", 1, r.upto(6, 10)}}
				law := func(distinct, strict bool) func(p []int) error {
					return func(p []int) error {
						m, k, i := p[0], p[1], p[2]
						if distinct && k > m {
							return errOutside
						}
						a, b := trulyBefore(m, k, distinct)(i), trulyBefore(m, k, distinct)(i+1)
						if strict || m > 1 && !(distinct && k == m) {
							return below(a, b)
						}
						return atMost(a, b)
					}
				}
				return first(r.smallest([]int{1, 1, 2}, box, law(false, true)), r.all(box, law(false, false)), r.all(box, law(true, false)))
			},
		},
		{
			ID: "dozier-fp.eq3", Paper: DozierFP, Ref: "Section III, (3), and V-A2, Figure 5",
			Statement:      "f_a = sum_{i=1}^N f_i/(1-f_i) over sum_{i=1}^N (1 + f_i/(1-f_i)), f_i by (1), is a lower bound of the rate of the filter that counts N bit-setting messages",
			Domain:         "f_i by (1) at n = i-1, colliding, M >= 2 (non-colliding with f_C at n = i-1 in place of (1), where that is below 1); N counts bit-setting messages only",
			Verdict:        Conditional,
			Counterexample: "(1) at n = i: M = 2, k = 1, N = 1: f_a = 1/2, the filter recycles at each message and its rate is 0",
			Checked:        "the true rates by enumeration, retaining or not: M <= 8, k <= 4, N <= 6",
			check: func(r *run) error {
				printed := func(m, k, n int) (*big.Rat, error) {
					return actualRate(n, func(i int) *big.Rat { return bloomRate(m, i, k) })
				}
				shifted := func(m, k, n int) (*big.Rat, error) { return actualRate(n, before(m, k)) }
				classic := func(m, k, n int) (*big.Rat, error) { return actualRate(n, trulyBefore(m, k, true)) }
				return first(
					r.smallest([]int{2, 1, 1}, messageBox(r), lowerBound(false, false, printed)),
					r.all(messageBox(r), lowerBound(false, false, shifted)), r.all(messageBox(r), lowerBound(false, true, shifted)),
					r.all(messageBox(r), lowerBound(true, false, classic)), r.all(messageBox(r), lowerBound(true, true, classic)))
			},
		},
		{
			ID: "dozier-fp.5a.tighter", Paper: DozierFP, Ref: "Section V-A2, Figure 5",
			Statement: "f_a is a tighter lower bound than f_o",
			Domain:    "the same f_i in both, all below 1, whatever they are: f_o <= f_a, equal only if all f_i are equal (N = 1)",
			Verdict:   Confirmed,
			Checked:   "(1) at n = i-1, strictly for N >= 2: 2 <= M <= 20, k <= 6, N <= 12; 1-f_a is the harmonic mean of the 1-f_i, 1-f_o the arithmetic one",
			check: func(r *run) error {
				return r.all(box{{"m", 2, r.upto(8, 20)}, {"k", 1, r.upto(3, 6)}, {"N", 1, r.upto(6, 12)}}, func(p []int) error {
					m, k, n := p[0], p[1], p[2]
					actual, err := actualRate(n, before(m, k))
					if err != nil {
						return err
					}
					if n == 1 {
						return same(oracleRate(n, before(m, k)), actual)
					}
					return below(oracleRate(n, before(m, k)), actual)
				})
			},
		},
		{
			ID: "dozier-fp.3.upper", Paper: DozierFP, Ref: "Section III, last paragraph",
			Statement: "the lower bounds give an upper bound of the N that a rate allows",
			Domain:    "largest N with a rate of at most F: true <= by f_a <= by f_o, for every F; N in bit-setting messages",
			Verdict:   Confirmed,
			Checked:   "F = 1/12, 2/12, ..., 11/12, true rates by enumeration: 2 <= M <= 8, k <= 3, N <= 6",
			check: func(r *run) error {
				most := r.upto(4, 6)
				return r.all(box{{"m", 2, r.upto(5, 8)}, {"k", 1, r.upto(2, 3)}, {"12F", 1, 11}}, func(p []int) error {
					m, k, target := p[0], p[1], rat(p[2], 12)
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
				})
			},
		},
		{
			ID: "dozier-fp.3.tight", Paper: DozierFP, Ref: "Section III, fifth paragraph",
			Statement:      "for the low rates used in practice E[R_i] tends to be very small, and the bound is expected to be tight",
			Domain:         "M >= 1000 and rates of at most 0.01: f_a (best k, largest N) is at least 0.97 of the true rate, and the mean of E[R_i] at most 0.011",
			Verdict:        Conditional,
			Counterexample: "M = 1000, F = 0.3, best k = 2, N = 689 by f_a: the filter can fill, and its true rate is 1",
			Checked:        "the chain over set bits in float64 (positive terms): M = 1000, 2000, F = 10^-2 to 10^-5",
			check: func(r *run) error {
				tight := func(m int, target float64) (ratio, repeats float64) {
					k, n := bestActual(m, target)
					cycles := countedChain(m, k, n)
					last := cycles[len(cycles)-1]
					return actualFloat(m, k, n) / last.rate(), last.positives / float64(n)
				}
				return first(
					r.once(func() error {
						k, n := bestActual(1000, 0.3)
						cycles := countedChain(1000, k, n)
						return holds(k == 2 && n == 689 && cycles[len(cycles)-1].rate() == 1, "k = %d, N = %d", k, n)
					}),
					r.all(box{{"thousand", 1, r.upto(1, 2)}, {"digits", 2, r.upto(4, 5)}}, func(p []int) error {
						ratio, repeats := tight(1000*p[0], math.Pow(10, -float64(p[1])))
						return holds(ratio >= 0.97 && ratio <= 1 && repeats <= 0.011, "f_a is %g of the rate, E[R] %g", ratio, repeats)
					}))
			},
		},
	}
}
