package claims

import (
	"fmt"
	"math/big"
	"math/rand"

	"github.com/bloomproof/bloomproof"
)

// redBlack is a red-black Markov model of appendix A on a few states.
type redBlack struct {
	x, y, z []*big.Rat
	p       [][]*big.Rat // p[i][j], j != i
}

// red returns the long-run rate of red transitions.
func (m redBlack) red() *big.Rat {
	n := len(m.x)
	one := whole(1)
	moves := make([][]*big.Rat, n)
	for i := range moves {
		loop := mul(sub(one, m.x[i]), m.y[i])
		for j := range n {
			if i == j {
				moves[i] = append(moves[i], loop)
			} else {
				moves[i] = append(moves[i], mul(m.p[i][j], sub(one, loop)))
			}
		}
	}
	law := stationary(moves)
	return sum(0, n-1, func(i int) *big.Rat {
		return mul(law[i], mul(mul(m.x[i], m.y[i]), sub(one, m.z[i])))
	})
}

// drawModel returns a random model of 2 to 4 states, without bias.
func drawModel(rnd *rand.Rand) redBlack {
	n := 2 + rnd.Intn(3)
	var m redBlack
	for i := range n {
		m.x = append(m.x, rat(1+rnd.Intn(9), 10))
		m.y = append(m.y, rat(1+rnd.Intn(9), 10))
		m.z = append(m.z, new(big.Rat))
		row, total := make([]*big.Rat, n), 0
		weights := make([]int, n)
		for j := range n {
			if j != i {
				weights[j] = 1 + rnd.Intn(5)
				total += weights[j]
			}
		}
		for j := range n {
			row[j] = rat(weights[j], total)
		}
		m.p = append(m.p, row)
	}
	return m
}

// raised returns the model with larger x where the dice say so.
func (m redBlack) raised(rnd *rand.Rand) redBlack {
	up := m
	up.x = nil
	for _, x := range m.x {
		up.x = append(up.x, add(x, mul(sub(whole(1), x), rat(rnd.Intn(3), 3))))
	}
	return up
}

// coinBox are three coins, chosen with the weights P and showing heads with p/6.
func coinBox(r *run) box {
	most := r.upto(2, 4)
	return box{{"P1", 1, most}, {"P2", 1, most}, {"P3", 0, most}, {"6p1", 1, 6}, {"6p2", 1, 6}, {"6p3", 1, 6}}
}

// crossed limits pairs to those of which the first dominates the other and is not it.
func crossed(law func(q, x []int, cross int) error) func(p []int) error {
	return pair(func(q, x []int) error {
		cross := dominates(q, x)
		if cross == 0 || fmt.Sprint(q) == fmt.Sprint(x) {
			return errOutside
		}
		return law(q, x, cross)
	})
}

// bothIncluded calls law with P_Q^K and P_X^K for 1 <= K < number of messages that can come.
func bothIncluded(q, x []int, law func(k int, inQ, inX []*big.Rat) error) error {
	a, err1 := sorted(q)
	b, err2 := sorted(x)
	if err := first(err1, err2); err != nil {
		return err
	}
	for k := 1; k < min(len(a), len(b)); k++ {
		if err := law(k, included(popularity(q), k), included(popularity(x), k)); err != nil {
			return fmt.Errorf("after %d: %w", k, err)
		}
	}
	return nil
}

// fromUniform are the sums of the proof of Theorem 5 for a Q and i: S_1 and the steps from
// Dozier-FN (29)-(33), right and as printed.
type fromUniform struct {
	s1, t1, t2, steps30, printed29, printed30, last *big.Rat
}

func proofSums(q []*big.Rat, i int) fromUniform {
	d := len(q)
	in, share := included(q, i), rat(i, d)
	k := 0
	for k < d && in[k].Cmp(share) >= 0 {
		k++
	}
	at := func(j int) *big.Rat { return q[min(j, d-1)] }
	top := func(f func(j int) *big.Rat) *big.Rat {
		return sum(0, k-1, func(j int) *big.Rat { return mul(f(j), sub(in[j], share)) })
	}
	rest := func(f func(j int) *big.Rat, printed bool) *big.Rat {
		return sum(k, d-1, func(j int) *big.Rat {
			p := in[j]
			if printed {
				p = mul(q[j], p)
			}
			return mul(f(j), sub(share, p))
		})
	}
	own := func(j int) *big.Rat { return q[j] }
	before, after := func(int) *big.Rat { return at(max(0, k-1)) }, func(int) *big.Rat { return at(k) }
	out := fromUniform{t1: top(own), t2: rest(own, false)}
	out.s1 = sum(0, d-1, func(j int) *big.Rat { return mul(q[j], sub(in[j], share)) })
	out.printed29 = sub(out.t1, rest(own, true))
	out.steps30 = sub(top(before), rest(after, false))
	out.printed30 = sub(top(before), rest(after, true))
	out.last = mul(at(k), sum(0, d-1, func(j int) *big.Rat { return sub(in[j], share) }))
	return out
}

// withProof examines a law on distributions and states with the proof's sums.
func withProof(law func(s fromUniform) error) func(p []int) error {
	return inState(func(q []*big.Rat, i int) error {
		if i < 1 || i >= len(q) {
			return errOutside
		}
		return law(proofSums(q, i))
	})
}

func dozierFNAModels() []Claim {
	return []Claim{
		{
			ID: "dozier-fn.a.sum", Paper: DozierFN, Ref: "Appendix A, transitions",
			Statement: "(1-x_i) y_i + sum_{j != i} p_ij (1-y_i) + sum_{j != i} p_ij x_i y_i = 1",
			Domain:    "0 <= x_i, y_i <= 1, sum_{j != i} p_ij = 1",
			Verdict:   Confirmed,
			Checked:   "10,000 random models of 2 to 4 states in rationals",
			check: func(r *run) error {
				return r.sample(r.upto(200, 10000), func(rnd *rand.Rand) error {
					m := drawModel(rnd)
					for i := range m.x {
						out := sum(0, len(m.x)-1, func(j int) *big.Rat { return m.p[i][j] })
						one, xy := whole(1), mul(m.x[i], m.y[i])
						if err := same(add(mul(sub(one, m.x[i]), m.y[i]), add(mul(out, sub(one, m.y[i])), mul(out, xy))), one); err != nil {
							return err
						}
					}
					return nil
				})
			},
		},
		{
			ID: "dozier-fn.thm3", Paper: DozierFN, Ref: "Appendix A, Theorem 3, and section 4.2",
			Statement: "of two red-black Markov models that are identical but for x_i(BM_1) >= x_i(BM_2), R(BM_1) >= R(BM_2)",
			Domain:    "irreducible models",
			Verdict:   Confirmed,
			Checked:   "10,000 random pairs of 2 to 4 states in rationals",
			check: func(r *run) error {
				return r.sample(r.upto(300, 10000), func(rnd *rand.Rand) error {
					m := drawModel(rnd)
					return atMost(m.red(), m.raised(rnd).red())
				})
			},
		},
		{
			ID: "dozier-fn.cor1", Paper: DozierFN, Ref: "Appendix A, Corollary 1",
			Statement: "with a bias 1-z_i against red transitions in both models R(BM_1) >= R(BM_2) still",
			Domain:    "irreducible models, any 0 <= z_i <= 1; proven: both pass the same states in the same law, BM_1 stays shorter in each and leaves it red with the larger probability x y (1-z)/((1-y) + x y)",
			Verdict:   Confirmed,
			Checked:   "10,000 random pairs of 2 to 4 states in rationals; (6) above (5) in the filter's model: m <= 8, k <= 3, sigma <= 6, up to 4 messages, p_r = 1/4, 1/2, 9/10, retaining or not",
			check: func(r *run) error {
				law := func(f forgetter, w visitors) error {
					return lower(f.markov(w, w.tail), f.markov(w, w.replaced))
				}
				return first(
					r.sample(r.upto(300, 10000), func(rnd *rand.Rand) error {
						m := drawModel(rnd)
						for i := range m.z {
							m.z[i] = rat(rnd.Intn(5), 4)
						}
						return atMost(m.red(), m.raised(rnd).red())
					}),
					r.all(lossyBox(r), lossy(false, false, law)), r.all(lossyBox(r), lossy(false, true, law)))
			},
		},
		{
			ID: "dozier-fn.cor1.conditional", Paper: DozierFN, Ref: "Appendix A, proof of Corollary 1",
			Statement:      "given that no self-loop is taken, the transition is red with probability x y/((1-y)(1-z) + x y)",
			Domain:         "0 < z <= 1, y > 0",
			Verdict:        Misprint,
			Counterexample: "x = y = z = 1/2: printed 1/2, but 1/6 so",
			Repair:         "x y (1-z)/((1-y) + x y), which grows with x as well",
			Argument: [2]string{
				"Red has the probability x y (1-z) by the text, and not looping 1-y + x y, whatever z is.",
				"x = y = z = 1/2: 1/8 of 3/4 is 1/6; z = 1: nothing is red, printed is 1.",
			},
			Checked: "rationals, x, y, z multiples of 1/6: from the two unconditional probabilities",
			check: func(r *run) error {
				box := box{{"6x", 1, 6}, {"6y", 1, 6}, {"6z", 0, 6}}
				law := func(printed bool) func(p []int) error {
					return func(p []int) error {
						x, y, z, one := rat(p[0], 6), rat(p[1], 6), rat(p[2], 6), whole(1)
						xy := mul(x, y)
						red := mul(xy, sub(one, z))
						leaves := sub(one, mul(sub(one, x), y))
						claimed := quo(red, add(sub(one, y), xy))
						if printed {
							claimed = quo(xy, add(mul(sub(one, y), sub(one, z)), xy))
						}
						return same(claimed, quo(red, leaves))
					}
				}
				return first(r.smallest([]int{1, 1, 1}, box, law(true)), r.all(box, law(false)))
			},
		},
		{
			ID: "dozier-fn.cor2", Paper: DozierFN, Ref: "Appendix A, Corollary 2",
			Statement:      "the Markov model of false negatives is a red-black Markov model: y_i = p_r, x_i = fhat, z_i = gamma_k(i), p_{i,i+1} = 1-rho(i), the rest to 0 or 1",
			Domain:         "states that no trigger leads back to themselves: j != i; else the transition from the first state to itself is one more that is red or black, which the proof of Theorem 3 allows",
			Verdict:        Conditional,
			Counterexample: "retaining, m = 2, k = 1, sigma = 1: in state 1 a trigger leads to state 1, with rho(1) = 1/2",
			Checked:        "rho(1) of that filter; the long run of the model, solved as a chain, is (14) with Pi_i as 4.1.3 has it: m <= 6, k <= 2, sigma <= 4, non-retaining",
			check: func(r *run) error {
				return first(
					r.once(func() error {
						f := newFilling(2, 1, 1, false)
						return near(f.ends[1]/f.v[1], 0.5)
					}),
					r.all(box{{"m", 2, r.upto(4, 6)}, {"k", 1, 2}, {"sigma", 1, r.upto(2, 4)}, {"w1", 1, 3}}, func(p []int) error {
						if p[2] >= p[0] {
							return errOutside
						}
						f, w := newForgetter(p[0], p[1], p[2], false, false), newVisitors([]int{p[3], 1}, bloomproof.ArrivalPopularity, 0.5)
						n := min(len(f.v), 40)
						chain := make([][]float64, n)
						for i := range chain {
							chain[i] = make([]float64, n)
							leaves := 1 - w.repeat + w.repeat*w.replaced(i)
							rho := 1.0 // the last state kept is left for the first
							if i+1 < n {
								rho = f.ends[i] / f.v[i]
								chain[i][i+1] = leaves * (1 - rho)
							}
							chain[i][i] += 1 - leaves
							chain[i][0] += leaves * rho
						}
						rate := 0.0
						for i, share := range floatStationary(chain) {
							rate += share * w.repeat * w.replaced(i) * (1 - f.gamma(i))
						}
						want := f.markov(w, w.replaced)
						return holds(rate > want-1e-6 && rate < want+1e-6, "%g, not %g", rate, want)
					}))
			},
		},
		{
			ID: "dozier-fn.a.lemma1", Paper: DozierFN, Ref: "Appendix A, Lemma 1",
			Statement: "a message sampled with popularity q_j now had popularity q_j' with j' <= j in earlier arrivals",
			Domain:    "since it entered; every arrival law",
			Verdict:   Confirmed,
			Checked:   "every set of ranks and rank of entry: no message moves to a higher rank: D <= 10",
			check: func(r *run) error {
				return r.all(box{{"D", 1, r.upto(7, 10)}}, func(p []int) error {
					w := visitors{q: make([]float64, p[0])}
					for j := range p[0] {
						for enters := range p[0] {
							if after := w.makeRoom(1<<j, enters); after != 0 && after < 1<<j {
								return fmt.Errorf("from %d with entry at %d to set %b", j, enters, after)
							}
						}
					}
					return nil
				})
			},
		},
		{
			ID: "dozier-fn.cor3", Paper: DozierFN, Ref: "Appendix A, Corollary 3",
			Statement:      "equations (6), (7) and (9) further upper-bound as p_r decreases",
			Domain:         "none in general; (6) has no counterexample where new messages enter by Q or first (dozier-fn.eq6.upper)",
			Verdict:        Refuted,
			Counterexample: "m = 2, k = 1, sigma = 1, Q = (1/2, 1/2), new messages enter last: (6) is above the rate at p_r = 9/10 and 7 % below it at p_r = 1/4; (7) is 7 % below at p_r = 1/4 even if they enter by Q",
			Repair:         "for small p_r states count messages that are recorded and can hardly repeat: a model has to take them out of i, as (24) does",
			Argument: [2]string{
				"State i counts new messages; those that enter last are unpopular or evicted at once, so the i recorded ones cover less of Q than i samples from Q.",
				"p_r near 0, new messages last: in state i only the last rank is recorded, q_D-1 of Q, while (7) takes i/D as covered.",
			},
			Checked: "exact rates at the point; the head of dozier_fn_4_states.go for p_r = 1",
			check: func(r *run) error {
				return r.once(func() error {
					f := newForgetter(2, 1, 1, false, false)
					at := func(repeat float64, law bloomproof.ArrivalKind) (six, seven float64) {
						w := newVisitors([]int{1, 1}, law, repeat)
						truth := f.run(w).fnr
						return f.markov(w, w.replaced) / truth, f.markov(w, w.even) / truth
					}
					high, _ := at(0.9, bloomproof.ArrivalLast)
					low, _ := at(0.25, bloomproof.ArrivalLast)
					_, even := at(0.25, bloomproof.ArrivalPopularity)
					return first(
						holds(high > 1, "a share of %g", high),
						holds(low > 0.92 && low < 0.94, "a share of %g", low),
						holds(even > 0.92 && even < 0.94, "a share of %g", even))
				})
			},
		},
		{
			ID: "dozier-fn.thm4", Paper: DozierFN, Ref: "Appendix B, Theorem 4",
			Statement: "coins that are drawn anew for each flip show heads at least as often as coins that are held after tails",
			Domain:    "every p_i > 0; equal if all p_i are (the strict inequality of the proof fails then)",
			Verdict:   Confirmed,
			Checked:   "rationals: three coins, weights <= 4, p multiples of 1/6; sum P_i p_i against 1/sum P_i/p_i (Jensen)",
			check: func(r *run) error {
				return r.all(coinBox(r), func(p []int) error {
					chosen := popularity(p[:3])
					random := sum(0, 2, func(i int) *big.Rat { return mul(chosen[i], rat(p[3+i], 6)) })
					held := quo(whole(1), sum(0, 2, func(i int) *big.Rat { return quo(chosen[i], rat(p[3+i], 6)) }))
					return atMost(held, random)
				})
			},
		},
		{
			ID: "dozier-fn.c.lemma2", Paper: DozierFN, Ref: "Appendix C, Lemma 2",
			Statement: "sum_j P_X^K(j) = K, sampling K elements without replacement",
			Domain:    "K at most the number of messages with q_j > 0",
			Verdict:   Confirmed,
			Checked:   "sets in rationals: up to 5 messages, weights <= 6",
			check: func(r *run) error {
				return r.all(stateBox(r), inState(func(q []*big.Rat, i int) error {
					if i > len(q) {
						return errOutside
					}
					in := included(q, i)
					return same(sum(0, len(q)-1, func(j int) *big.Rat { return in[j] }), whole(i))
				}))
			},
		},
		{
			ID: "dozier-fn.c.lemma3", Paper: DozierFN, Ref: "Appendix C, Lemma 3",
			Statement: "P_Q^K(j) is non-increasing in j",
			Domain:    "every Q, K",
			Verdict:   Confirmed,
			Checked:   "sets in rationals: up to 5 messages, weights <= 6",
			check: func(r *run) error {
				return r.all(stateBox(r), inState(func(q []*big.Rat, i int) error {
					in := included(q, i)
					for j := 1; j < len(q); j++ {
						if err := atMost(in[j], in[j-1]); err != nil {
							return err
						}
					}
					return nil
				}))
			},
		},
		{
			ID: "dozier-fn.thm5", Paper: DozierFN, Ref: "Appendix C, Theorem 5",
			Statement: "the uniform distribution over D elements has the largest false-negative rate in state i",
			Domain:    "sampling from Q alone, i <= D",
			Verdict:   Confirmed,
			Checked:   "sets in rationals: up to 5 messages, weights <= 6",
			check: func(r *run) error {
				return r.all(stateBox(r), inState(func(q []*big.Rat, i int) error {
					if i > len(q) {
						return errOutside
					}
					return atMost(unseen(q, i), sub(whole(1), rat(i, len(q))))
				}))
			},
		},
		{
			ID: "dozier-fn.eq29", Paper: DozierFN, Ref: "Appendix C, (29)",
			Statement:      "S_1 = sum_{j<=k} q_j (P_Q^i(j) - i/D) - sum_{j>k} q_j (i/D - q_j P_Q^i(j))",
			Domain:         "k the last j with P_Q^i(j) >= i/D, S_1 = sum_j q_j (P_Q^i(j) - i/D)",
			Verdict:        Misprint,
			Counterexample: "Q = (2/3, 1/3), i = 1: S_1 = 1/18, printed -1/54",
			Repair:         "i/D - P_Q^i(j) in the second bracket",
			Argument: [2]string{
				"The second sum must be minus the terms of S_1 with j > k, and those have no second q_j.",
				"Q = (2/3, 1/3), i = 1: 2/3 * 1/6 - 1/3 * 1/6 = 1/18; with q_j P = 1/9 it is 1/9 - 1/3 * 7/18 = -1/54.",
			},
			Checked: "rationals: up to 5 messages, weights <= 6, 1 <= i < D",
			check: func(r *run) error {
				return first(
					r.smallest([]int{2, 1, 0, 0, 0, 1}, stateBox(r), withProof(func(s fromUniform) error { return same(s.printed29, s.s1) })),
					r.all(stateBox(r), withProof(func(s fromUniform) error { return same(sub(s.t1, s.t2), s.s1) })))
			},
		},
		{
			ID: "dozier-fn.eq30", Paper: DozierFN, Ref: "Appendix C, (30)",
			Statement:      ">= sum_{j<=k} q_k (P_Q^i(j) - i/D) - sum_{j>k} q_{k+1} (i/D - q_j P_Q^i(j))",
			Domain:         "as (29); a lower bound of S_1",
			Verdict:        Misprint,
			Counterexample: "as (29): the second q_j",
			Repair:         "i/D - P_Q^i(j): then it is at most S_1",
			Argument: [2]string{
				"Each term of the first sum falls as q_j becomes q_k, each of the second grows as q_j becomes q_{k+1}.",
				"With the second q_j the chain does not lead to (32): for Q = (2/3, 1/3), i = 1, (32) is 0 and the printed (30) is -1/54.",
			},
			Checked: "rationals: up to 5 messages, weights <= 6, 1 <= i < D: repaired, S_1 >= (30); printed, it is not always >= (32)",
			check: func(r *run) error {
				return first(
					r.once(func() error { // P of the last message below its share: (30) as printed is below (32)
						return below(proofSums(popularity([]int{2, 1}), 1).printed30, proofSums(popularity([]int{2, 1}), 1).last)
					}),
					r.all(stateBox(r), withProof(func(s fromUniform) error { return atMost(s.steps30, s.s1) })))
			},
		},
		{
			ID: "dozier-fn.eq31", Paper: DozierFN, Ref: "Appendix C, (31)",
			Statement:      "= q_k sum_{j<=k} (P_Q^i(j) - i/D) - q_{k+1} sum_{j>k} (i/D - q_j P_Q^i(j))",
			Domain:         "equal to (30), which has the same slip",
			Verdict:        Misprint,
			Counterexample: "as (29): the second q_j",
			Repair:         "i/D - P_Q^i(j)",
			Argument: [2]string{
				"q_k and q_{k+1} do not depend on j and leave the sums: the step from (30) is right.",
				"Q = (2/3, 1/3), i = 1: 2/3 * 1/6 - 1/3 * (1/2 - 1/9) = -1/54 printed, 1/18 repaired.",
			},
			Checked: "the numbers by hand; the repaired sum is between (32) and S_1: up to 5 messages, weights <= 6, 1 <= i < D",
			check: func(r *run) error {
				return first(
					r.once(func() error {
						s := proofSums(popularity([]int{2, 1}), 1)
						return first(same(s.printed30, rat(-1, 54)), same(s.steps30, rat(1, 18)))
					}),
					r.all(stateBox(r), withProof(func(s fromUniform) error { return first(atMost(s.last, s.steps30), atMost(s.steps30, s.s1)) })))
			},
		},
		{
			ID: "dozier-fn.eq32", Paper: DozierFN, Ref: "Appendix C, (32)",
			Statement: ">= q_{k+1} sum_{j=1}^D (P_Q^i(j) - i/D)",
			Domain:    "of (31) as repaired",
			Verdict:   Confirmed,
			Checked:   "rationals: up to 5 messages, weights <= 6, 1 <= i < D",
			check: func(r *run) error {
				return r.all(stateBox(r), withProof(func(s fromUniform) error { return atMost(s.last, s.steps30) }))
			},
		},
		{
			ID: "dozier-fn.eq33", Paper: DozierFN, Ref: "Appendix C, (33)",
			Statement: "(32) = 0",
			Domain:    "by Lemma 2 of appendix C",
			Verdict:   Confirmed,
			Checked:   "rationals: up to 5 messages, weights <= 6, 1 <= i < D",
			check: func(r *run) error {
				return r.all(stateBox(r), withProof(func(s fromUniform) error { return same(s.last, whole(0)) }))
			},
		},
		{
			ID: "dozier-fn.d.lemma4", Paper: DozierFN, Ref: "Appendix D, Lemma 4",
			Statement:      "a reordering of the sampling sequence samples the same set of K distinct elements",
			Domain:         "the set of all that the sequence samples, which has K elements; not its first K distinct ones, of which the proof of Lemma 5 speaks",
			Verdict:        Conditional,
			Counterexample: "K = 1: the sequences (1, 2) and (2, 1) have first distinct elements 1 and 2",
			Checked:        "all sequences of up to 5 draws from 3 elements with all their transpositions",
			check: func(r *run) error {
				return r.all(box{{"length", 1, r.upto(4, 5)}}, func(p []int) error {
					total := 1
					for range p[0] {
						total *= 3
					}
					for s := range total {
						draws := make([]int, p[0])
						for i, x := 0, s; i < p[0]; i, x = i+1, x/3 {
							draws[i] = x % 3
						}
						set := func() int {
							all := 0
							for _, d := range draws {
								all |= 1 << d
							}
							return all
						}
						before := set()
						for i := range draws {
							for j := range i {
								draws[i], draws[j] = draws[j], draws[i]
								if set() != before {
									return fmt.Errorf("%v", draws)
								}
							}
						}
					}
					return nil
				})
			},
		},
		{
			ID: "dozier-fn.d.lemma5", Paper: DozierFN, Ref: "Appendix D, Lemma 5",
			Statement: "if Q dominates X with crossover point j', then P_Q^K(i) >= P_X^K(i) for i <= j'",
			Domain:    "non-increasing Q and X; the printed proof is not followed here",
			Verdict:   Open,
			Checked:   "no counterexample: all pairs of up to four messages with sums of weights <= 14 in rationals",
			check: func(r *run) error {
				return r.all(pairBox(r), crossed(func(q, x []int, cross int) error {
					return bothIncluded(q, x, func(_ int, inQ, inX []*big.Rat) error {
						for i := range cross {
							if err := atMost(inX[i], inQ[i]); err != nil {
								return fmt.Errorf("i=%d: %w", i, err)
							}
						}
						return nil
					})
				}))
			},
		},
		{
			ID: "dozier-fn.cor4", Paper: DozierFN, Ref: "Appendix D, Corollary 4",
			Statement: "if Q dominates X with crossover point j', then P_Q^K semi-dominates P_X^K with a crossover point j'' >= j' for all K",
			Domain:    "as Lemma 5, of which it is another wording",
			Verdict:   Open,
			Checked:   "no counterexample: all pairs of up to four messages with sums of weights <= 14 in rationals",
			check: func(r *run) error {
				return r.all(pairBox(r), crossed(func(q, x []int, cross int) error {
					return bothIncluded(q, x, func(_ int, inQ, inX []*big.Rat) error {
						at := 0
						for at < len(inQ) && inQ[at].Cmp(inX[at]) >= 0 {
							at++
						}
						return holds(at >= cross, "semi-dominates up to %d, not %d", at, cross)
					})
				}))
			},
		},
		{
			ID: "dozier-fn.thm6", Paper: DozierFN, Ref: "Appendix D, Theorem 6",
			Statement: "if Q dominates X to j' and X is flat beyond, the false-negative rate of Q is lower than that of X",
			Domain:    "of the filter's exact rate for p_r = 1, not retaining: proven, because Q majorizes X (head of dozier_fn_4_states.go); in each state it rests on Lemma 5, and no counterexample is known",
			Verdict:   Confirmed,
			Checked:   "in every state in rationals, and the filter's rate, two messages of each weight: all pairs of up to four messages with sums of weights <= 14",
			check: func(r *run) error {
				return r.all(pairBox(r), crossed(func(q, x []int, cross int) error {
					for j := cross + 1; j < len(x); j++ {
						if x[j] != x[cross] {
							return errOutside
						}
					}
					return first(alwaysLess(q, x), lower(holdsFew(q), holdsFew(x)))
				}))
			},
		},
		{
			ID: "dozier-fn.cor5", Paper: DozierFN, Ref: "Appendix D, Corollary 5",
			Statement: "for a bi-uniform X that Q dominates, with p_h <= q_s where X falls to p_l, the false-negative rate of X is larger than that of Q",
			Domain:    "as Theorem 6; at least as large (equal for Q = X)",
			Verdict:   Confirmed,
			Checked:   "in every state in rationals, and the filter's rate, two messages of each weight: all pairs of up to four messages with sums of weights <= 14",
			check: func(r *run) error {
				return r.all(pairBox(r), crossed(func(q, x []int, _ int) error {
					if !twoLevels(x) {
						return errOutside
					}
					return first(alwaysLess(q, x), lower(holdsFew(q), holdsFew(x)))
				}))
			},
		},
	}
}
