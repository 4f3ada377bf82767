package claims

import (
	"fmt"
	"math/big"
	"math/rand"
	"slices"

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

// crossingPairs are pairs of which the first dominates the other and is not it.
var crossingPairs = ofPairs("Q dominates X, both non-increasing, Q not X", func(q, x []int) bool { return dominates(q, x) > 0 && !slices.Equal(q, x) })

// crossed gives a law on them.
func crossed(law func(q, x []int, cross int) error) func(p point) error {
	return pair(func(q, x []int) error { return law(q, x, dominates(q, x)) })
}

// biasProof is the proof of Corollary 1. Both models pass the same states in the same law,
// BM_1 stays shorter in each and leaves it red with the larger probability
// x y (1-z)/((1-y) + x y).
var biasProof = &proof{
	words: "both pass the same states in the same law, BM_1 stays shorter in each and leaves it red with the larger probability x y (1-z)/((1-y) + x y)",
	file:  "verify/claims/dozier_fn_a_models.go", mark: "// biasProof is the proof of Corollary 1.",
}

// asChain is the law that the Markov model with (6), solved as a chain of at most 40 states,
// has the rate of the sums.
func (f forgetter) asChain(w visitors) error {
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
}

// transposed is the law that no transposition of any sequence of draws from three elements
// changes what it samples.
func transposed(sampled func(draws []int) int) func(p point) error {
	return func(p point) error {
		total := 1
		for range p.int(0) {
			total *= 3
		}
		for s := range total {
			draws := make([]int, p.int(0))
			for i, x := 0, s; i < p.int(0); i, x = i+1, x/3 {
				draws[i] = x % 3
			}
			before := sampled(draws)
			for i := range draws {
				for j := range i {
					draws[i], draws[j] = draws[j], draws[i]
					if sampled(draws) != before {
						return fmt.Errorf("%v", draws)
					}
				}
			}
		}
		return nil
	}
}

// bothIncluded calls law with P_Q^K and P_X^K for 1 <= K < number of messages that can come.
func bothIncluded(q, x []int, law func(k int, inQ, inX []*big.Rat) error) error {
	a, b := slices.DeleteFunc(slices.Clone(q), func(w int) bool { return w == 0 }), slices.DeleteFunc(slices.Clone(x), func(w int) bool { return w == 0 })
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

// proofStates are the distributions and states of that proof.
var proofStates = with(states, where("1 <= i < D", "Q i", func(x point) bool { return x[1] >= 1 && x.int(1) < len(fewWeights.weights(x[0])) }))

// withProof gives a law on the proof's sums.
func withProof(law func(s fromUniform) error) func(p point) error {
	return inState(func(q []*big.Rat, i int) error { return law(proofSums(q, i)) })
}

var dozierFNAModels = []claim{
	fnASum, fnThm3, fnCor1, fnCor1Conditional, fnCor2, fnALemma1, fnCor3, fnThm4, fnCLemma2,
	fnCLemma3, fnThm5, fnEq29, fnEq30, fnEq31, fnEq32, fnEq33, fnDLemma4, fnDLemma5, fnCor4, fnThm6,
	fnCor5,
}

var fnASum = claim{
	ID: "dozier-fn.a.sum", Ref: "Appendix A, transitions",
	Statement: "(1-x_i) y_i + sum_{j != i} p_ij (1-y_i) + sum_{j != i} p_ij x_i y_i = 1",
	Verdict:   Confirmed,
	How:       "random models of 2 to 4 states in rationals",
	parts: func() []part {
		return []part{
			holdsOn(domain{draws("0 <= x_i, y_i <= 1, sum_{j != i} p_ij = 1", 200, 10000)}, drawing(func(rnd *rand.Rand) error {
				m := drawModel(rnd)
				for i := range m.x {
					out := sum(0, len(m.x)-1, func(j int) *big.Rat { return m.p[i][j] })
					one, xy := whole(1), mul(m.x[i], m.y[i])
					if err := same(add(mul(sub(one, m.x[i]), m.y[i]), add(mul(out, sub(one, m.y[i])), mul(out, xy))), one); err != nil {
						return err
					}
				}
				return nil
			})),
		}
	},
}

var fnThm3 = claim{
	ID: "dozier-fn.thm3", Ref: "Appendix A, Theorem 3, and section 4.2",
	Statement: "of two red-black Markov models that are identical but for x_i(BM_1) >= x_i(BM_2), R(BM_1) >= R(BM_2)",
	Verdict:   Confirmed,
	How:       "random pairs of 2 to 4 states in rationals",
	parts: func() []part {
		return []part{
			holdsOn(domain{draws("irreducible models", 300, 10000)}, drawing(func(rnd *rand.Rand) error {
				m := drawModel(rnd)
				return atMost(m.red(), m.raised(rnd).red())
			})),
		}
	},
}

var fnCor1 = claim{
	ID: "dozier-fn.cor1", Ref: "Appendix A, Corollary 1",
	Statement: "with a bias 1-z_i against red transitions in both models R(BM_1) >= R(BM_2) still",
	Verdict:   Confirmed,
	How:       "random pairs of 2 to 4 states in rationals; (6) above (5) in the filter's model",
	parts: func() []part {
		law := func(f forgetter, w visitors) error {
			return lower(f.markov(w, w.tail), f.markov(w, w.replaced))
		}
		return []part{
			holdsOn(domain{draws("irreducible models, any 0 <= z_i <= 1", 300, 10000)}, drawing(func(rnd *rand.Rand) error {
				m := drawModel(rnd)
				for i := range m.z {
					m.z[i] = rat(rnd.Intn(5), 4)
				}
				return atMost(m.red(), m.raised(rnd).red())
			})).by(biasProof),
			holdsOn(forgettingOf(false), forgets(false, false, law)).on("(6) above (5)"),
			holdsOn(forgettingOf(true), forgets(false, true, law)).on("(6) above (5), retaining"),
		}
	},
}

var fnCor1Conditional = claim{
	ID: "dozier-fn.cor1.conditional", Ref: "Appendix A, proof of Corollary 1",
	Statement:      "given that no self-loop is taken, the transition is red with probability x y/((1-y)(1-z) + x y)",
	Verdict:        Misprint,
	Counterexample: "printed 1/31, 5/186 so",
	Repair:         "x y (1-z)/((1-y) + x y), which grows with x as well",
	Argument: [2]string{
		"Red has the probability x y (1-z) by the text, and not looping 1-y + x y, whatever z is.",
		"x = y = z = 1/2: 1/8 of 3/4 is 1/6; z = 1: nothing is red, printed is 1.",
	},
	How: "rationals, from the two unconditional probabilities",
	parts: func() []part {
		models := domain{number("x", 1).to(60).over(60).among(6, 10, 20, 30, 40, 50, 60), number("y", 1).to(60).over(60).among(6, 10, 20, 30, 40, 50, 60), number("z", 0).to(60).over(60).among(7, 0, 10, 20, 30, 40, 50, 60)}
		law := func(printed bool) func(p point) error {
			return func(p point) error {
				x, y, z, one := rat(p.int(0), 60), rat(p.int(1), 60), rat(p.int(2), 60), whole(1)
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
		return []part{fails(point{10, 10, 10}, models, law(true)), holdsOn(models, law(false))}
	},
}

var fnCor2 = claim{
	ID: "dozier-fn.cor2", Ref: "Appendix A, Corollary 2",
	Statement:      "the Markov model of false negatives is a red-black Markov model: y_i = p_r, x_i = fhat, z_i = gamma_k(i), p_{i,i+1} = 1-rho(i), the rest to 0 or 1",
	Verdict:        Conditional,
	Counterexample: "in state 1 a trigger leads to state 1, with rho(1) = 1/2",
	How:            "states that no trigger leads back to themselves, j != i (else the transition from the first state to itself is one more that is red or black, which the proof of Theorem 3 allows): the long run of the model, solved as a chain, is (14) with Pi_i as 4.1.3 has it",
	parts: func() []part {
		return []part{
			breaks(point{2, 1, 1}, retaining(domain{number("m", 2), number("k", 1), number("sigma", 1).below("m")}, true), func(p point) error { // a trigger retains one message
				f := newFilling(p.int(0), p.int(1), p.int(2), false)
				return near(f.ends[1]/f.v[1], 0)
			}),
			holdsOn(retaining(domain{number("m", 2).by(4, 6).upTo(12), number("k", 1).by(2, 2).upTo(3), number("sigma", 1).below("m").by(2, 4).upTo(8), someTraffic.variable("every Q")}, false), func(p point) error {
				f, w := newForgetter(p.int(0), p.int(1), p.int(2), false, false), newVisitors(someTraffic.weights(p[3]), bloomproof.ArrivalPopularity, 0.5)
				return f.asChain(w)
			}).tried(4, 200),
		}
	},
}

var fnALemma1 = claim{
	ID: "dozier-fn.a.lemma1", Ref: "Appendix A, Lemma 1",
	Statement: "a message sampled with popularity q_j now had popularity q_j' with j' <= j in earlier arrivals",
	Verdict:   Confirmed,
	How:       "since it entered: every set of ranks and rank of entry, no message moves to a higher rank",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("D", 1).by(7, 10).upTo(30), through("every law of arrivals")}, func(p point) error {
				w := visitors{q: make([]float64, p.int(0))}
				for j := range p.int(0) {
					for enters := range p.int(0) {
						if after := w.makeRoom(1<<j, enters); after != 0 && after < 1<<j {
							return fmt.Errorf("from %d with entry at %d to set %b", j, enters, after)
						}
					}
				}
				return nil
			}),
		}
	},
}

var fnCor3 = claim{
	ID: "dozier-fn.cor3", Ref: "Appendix A, Corollary 3",
	Statement:      "equations (6), (7) and (9) further upper-bound as p_r decreases",
	Verdict:        Refuted,
	Counterexample: "(6) is above the rate at p_r = 9/10 and 7 % below it here; (7) is 7 % below at p_r = 1/4 even if they enter by Q",
	Repair:         "for small p_r states count messages that are recorded and can hardly repeat: a model has to take them out of i, as (24) does",
	Argument: [2]string{
		"State i counts new messages; those that enter last are unpopular or evicted at once, so the i recorded ones cover less of Q than i samples from Q.",
		"p_r near 0, new messages last: in state i only the last rank is recorded, q_D-1 of Q, while (7) takes i/D as covered.",
	},
	How: "exact rates; (6) has no counterexample where new messages enter by Q or first (dozier-fn.eq6.upper), for p_r = 1 both are proven",
	parts: func() []part {
		at := func(f forgetter, weights []int, law bloomproof.ArrivalKind, repeat float64) (six, seven float64) {
			w := newVisitors(weights, law, repeat)
			truth := f.run(w).fnr
			return f.markov(w, w.replaced) / truth, f.markov(w, w.even) / truth
		}
		return []part{
			breaks(tinyPoint(bloomproof.ArrivalLast, 1, 1), forgettingOf(false), func(p point) error {
				f, weights, law := newForgetter(p.int(0), p.int(1), p.int(2), false, false), someTraffic.weights(p[3]), bloomproof.ArrivalKind(p.int(placeOfArrivals))
				here, _ := at(f, weights, law, p.real(placeOfRepeat))
				high, _ := at(f, weights, law, 0.9)
				return holds(here >= high, "%g, %g at p_r = 9/10", here, high)
			}),
			comesOut("shares above 1 and 0.93 by (6), 0.93 by (7)", func() error {
				f, weights := newForgetter(2, 1, 1, false, false), []int{1, 1}
				high, _ := at(f, weights, bloomproof.ArrivalLast, 0.9)
				low, _ := at(f, weights, bloomproof.ArrivalLast, 0.25)
				_, even := at(f, weights, bloomproof.ArrivalPopularity, 0.25)
				return first(
					holds(high > 1, "a share of %g", high),
					holds(low > 0.92 && low < 0.94, "a share of %g", low),
					holds(even > 0.92 && even < 0.94, "a share of %g", even))
			}),
		}
	},
}

var fnThm4 = claim{
	ID: "dozier-fn.thm4", Ref: "Appendix B, Theorem 4",
	Statement: "coins that are drawn anew for each flip show heads at least as often as coins that are held after tails",
	Verdict:   Confirmed,
	How:       "rationals: sum P_i p_i against 1/sum P_i/p_i (Jensen), equal if all p_i are (the strict inequality of the proof fails then)",
	parts: func() []part {
		heads := func(name string) variable { return number(name, 1).to(60).over(60).among(6, 10, 20, 30, 40, 50, 60) }
		three := listsOf(2, []int{2, 2, 2}, []int{4, 4, 4}, 3)
		coins := domain{three.variable("three coins or two, chosen by any P"), heads("p1"), heads("p2"), heads("p3"), where("", "Q", func(x point) bool { return len(three.weights(x[0])) <= 3 })}
		return []part{keeps(coins, func(p point) (float64, error) {
			chosen := popularity(three.weights(p[0]))
			last := len(chosen) - 1
			random := sum(0, last, func(i int) *big.Rat { return mul(chosen[i], rat(p.int(1+i), 60)) })
			held := quo(whole(1), sum(0, last, func(i int) *big.Rat { return quo(chosen[i], rat(p.int(1+i), 60)) }))
			return gap(held, random), nil
		})}
	},
}

var fnCLemma2 = claim{
	ID: "dozier-fn.c.lemma2", Ref: "Appendix C, Lemma 2",
	Statement: "sum_j P_X^K(j) = K, sampling K elements without replacement",
	Verdict:   Confirmed,
	How:       "sets in rationals, K = i",
	parts: func() []part {
		return []part{
			holdsOn(with(states, messagesFit), inState(func(q []*big.Rat, i int) error {
				in := included(q, i)
				return same(sum(0, len(q)-1, func(j int) *big.Rat { return in[j] }), whole(i))
			})),
		}
	},
}

var fnCLemma3 = claim{
	ID: "dozier-fn.c.lemma3", Ref: "Appendix C, Lemma 3",
	Statement: "P_Q^K(j) is non-increasing in j",
	Verdict:   Confirmed,
	How:       "sets in rationals, K = i",
	parts: func() []part {
		return []part{
			holdsOn(states, inState(func(q []*big.Rat, i int) error {
				in := included(q, i)
				for j := 1; j < len(q); j++ {
					if err := atMost(in[j], in[j-1]); err != nil {
						return err
					}
				}
				return nil
			})),
		}
	},
}

var fnThm5 = claim{
	ID: "dozier-fn.thm5", Ref: "Appendix C, Theorem 5",
	Statement: "the uniform distribution over D elements has the largest false-negative rate in state i",
	Verdict:   Confirmed,
	How:       "sampling from Q alone: sets in rationals",
	parts: func() []part {
		return []part{keeps(with(states, messagesFit), func(p point) (float64, error) {
			q := popularity(fewWeights.weights(p[0]))
			return gap(unseen(q, p.int(1)), sub(whole(1), rat(p.int(1), len(q)))), nil
		})}
	},
}

var fnEq29 = claim{
	ID: "dozier-fn.eq29", Ref: "Appendix C, (29)",
	Statement:      "S_1 = sum_{j<=k} q_j (P_Q^i(j) - i/D) - sum_{j>k} q_j (i/D - q_j P_Q^i(j))",
	Verdict:        Misprint,
	Counterexample: "S_1 = 1/18, printed -1/54",
	Repair:         "i/D - P_Q^i(j) in the second bracket",
	Argument: [2]string{
		"The second sum must be minus the terms of S_1 with j > k, and those have no second q_j.",
		"Q = (2/3, 1/3), i = 1: 2/3 * 1/6 - 1/3 * 1/6 = 1/18; with q_j P = 1/9 it is 1/9 - 1/3 * 7/18 = -1/54.",
	},
	How: "rationals; k the last j with P_Q^i(j) >= i/D, S_1 = sum_j q_j (P_Q^i(j) - i/D)",
	parts: func() []part {
		return []part{
			fails(point{fewWeights.code(2, 1), 1}, proofStates, withProof(func(s fromUniform) error { return same(s.printed29, s.s1) })),
			holdsOn(proofStates, withProof(func(s fromUniform) error { return same(sub(s.t1, s.t2), s.s1) })),
		}
	},
}

var fnEq30 = claim{
	ID: "dozier-fn.eq30", Ref: "Appendix C, (30)",
	Statement:      ">= sum_{j<=k} q_k (P_Q^i(j) - i/D) - sum_{j>k} q_{k+1} (i/D - q_j P_Q^i(j))",
	Verdict:        Misprint,
	Counterexample: "(30) as printed is -1/54, below (32): the second q_j, as in (29)",
	Repair:         "i/D - P_Q^i(j): then it is at most S_1",
	Argument: [2]string{
		"Each term of the first sum falls as q_j becomes q_k, each of the second grows as q_j becomes q_{k+1}.",
		"With the second q_j the chain does not lead to (32): for Q = (2/3, 1/3), i = 1, (32) is 0 and the printed (30) is -1/54.",
	},
	How: "rationals: repaired, S_1 >= (30); printed, it is not always >= (32)",
	parts: func() []part {
		return []part{
			fails(point{fewWeights.code(2, 1), 1}, proofStates, withProof(func(s fromUniform) error { return atMost(s.last, s.printed30) })),
			holdsOn(proofStates, withProof(func(s fromUniform) error { return atMost(s.steps30, s.s1) })),
		}
	},
}

var fnEq31 = claim{
	ID: "dozier-fn.eq31", Ref: "Appendix C, (31)",
	Statement:      "= q_k sum_{j<=k} (P_Q^i(j) - i/D) - q_{k+1} sum_{j>k} (i/D - q_j P_Q^i(j))",
	Verdict:        Misprint,
	Counterexample: "-1/54 printed, 1/18 repaired: as (29), the second q_j",
	Repair:         "i/D - P_Q^i(j)",
	Argument: [2]string{
		"q_k and q_{k+1} do not depend on j and leave the sums: the step from (30) is right.",
		"Q = (2/3, 1/3), i = 1: 2/3 * 1/6 - 1/3 * (1/2 - 1/9) = -1/54 printed, 1/18 repaired.",
	},
	How: "the repaired sum is between (32) and S_1",
	parts: func() []part {
		return []part{
			breaks(point{fewWeights.code(2, 1), 1}, proofStates, withProof(func(s fromUniform) error { return same(s.printed30, s.steps30) })),
			comesOut("-1/54 and 1/18 there", func() error {
				s := proofSums(popularity([]int{2, 1}), 1)
				return first(same(s.printed30, rat(-1, 54)), same(s.steps30, rat(1, 18)))
			}),
			holdsOn(proofStates, withProof(func(s fromUniform) error { return first(atMost(s.last, s.steps30), atMost(s.steps30, s.s1)) })),
		}
	},
}

var fnEq32 = claim{
	ID: "dozier-fn.eq32", Ref: "Appendix C, (32)",
	Statement: ">= q_{k+1} sum_{j=1}^D (P_Q^i(j) - i/D)",
	Verdict:   Confirmed,
	How:       "rationals, of (31) as repaired",
	parts: func() []part {
		return []part{
			holdsOn(proofStates, withProof(func(s fromUniform) error { return atMost(s.last, s.steps30) })),
		}
	},
}

var fnEq33 = claim{
	ID: "dozier-fn.eq33", Ref: "Appendix C, (33)",
	Statement: "(32) = 0",
	Verdict:   Confirmed,
	How:       "rationals, by Lemma 2 of appendix C",
	parts: func() []part {
		return []part{
			holdsOn(proofStates, withProof(func(s fromUniform) error { return same(s.last, whole(0)) })),
		}
	},
}

var fnDLemma4 = claim{
	ID: "dozier-fn.d.lemma4", Ref: "Appendix D, Lemma 4",
	Statement:      "a reordering of the sampling sequence samples the same set of K distinct elements",
	Verdict:        Conditional,
	Counterexample: "K = 1: the sequences (1, 2) and (2, 1) have first distinct elements 1 and 2",
	How:            "all sequences of draws from 3 elements with all their transpositions: the set of all that the sequence samples, which has K elements; not its first K distinct ones, of which the proof of Lemma 5 speaks",
	parts: func() []part {
		return []part{
			breaks(point{2}, domain{number("length", 1), through("the first K distinct elements, K = 1")}, transposed(func(draws []int) int { return draws[0] })),
			holdsOn(domain{number("length", 1).by(4, 5).upTo(7), through("the set of all")}, transposed(func(draws []int) int {
				all := 0
				for _, d := range draws {
					all |= 1 << d
				}
				return all
			})),
		}
	},
}

var fnDLemma5 = claim{
	ID: "dozier-fn.d.lemma5", Ref: "Appendix D, Lemma 5",
	Statement: "if Q dominates X with crossover point j', then P_Q^K(i) >= P_X^K(i) for i <= j'",
	Verdict:   Open,
	How:       "no counterexample in rationals; the printed proof is not followed here",
	parts: func() []part {
		return []part{holdsOn(crossingPairs, crossed(func(q, x []int, cross int) error {
			return bothIncluded(q, x, func(_ int, inQ, inX []*big.Rat) error {
				for i := range cross {
					if err := atMost(inX[i], inQ[i]); err != nil {
						return fmt.Errorf("i=%d: %w", i, err)
					}
				}
				return nil
			})
		})).tried(6, 3000)}
	},
}

var fnCor4 = claim{
	ID: "dozier-fn.cor4", Ref: "Appendix D, Corollary 4",
	Statement: "if Q dominates X with crossover point j', then P_Q^K semi-dominates P_X^K with a crossover point j'' >= j' for all K",
	Verdict:   Open,
	How:       "no counterexample in rationals; another wording of Lemma 5",
	parts: func() []part {
		return []part{holdsOn(crossingPairs, crossed(func(q, x []int, cross int) error {
			return bothIncluded(q, x, func(_ int, inQ, inX []*big.Rat) error {
				at := 0
				for at < len(inQ) && inQ[at].Cmp(inX[at]) >= 0 {
					at++
				}
				return holds(at >= cross, "semi-dominates up to %d, not %d", at, cross)
			})
		})).tried(6, 3000)}
	},
}

var fnThm6 = claim{
	ID: "dozier-fn.thm6", Ref: "Appendix D, Theorem 6",
	Statement: "if Q dominates X to j' and X is flat beyond, the false-negative rate of Q is lower than that of X",
	Verdict:   Confirmed,
	How:       "the filter's exact rate for p_r = 1, not retaining, where Q majorizes X, two messages of each weight; in every state, in rationals, it rests on Lemma 5, and no counterexample is known",
	parts: func() []part {
		flat := with(crossingPairs, where("X flat beyond the crossover", "pair", func(p point) bool {
			q, x := somePairs.of(p[0])
			cross := dominates(q, x)
			for j := cross + 1; j < len(x); j++ {
				if x[j] != x[cross] {
					return false
				}
			}
			return true
		}))
		return []part{
			holdsOn(flat, pair(func(q, x []int) error { return lower(holdsFew(q), holdsFew(x)) })).by(majorizationProof).tried(2, 200),
			holdsOn(flat, pair(alwaysLess)).on("in every state"),
		}
	},
}

var fnCor5 = claim{
	ID: "dozier-fn.cor5", Ref: "Appendix D, Corollary 5",
	Statement: "for a bi-uniform X that Q dominates, with p_h <= q_s where X falls to p_l, the false-negative rate of X is larger than that of Q",
	Verdict:   Confirmed,
	How:       "as Theorem 6; at least as large (equal for Q = X)",
	parts: func() []part {
		flat := with(crossingPairs, where("X bi-uniform", "pair", func(p point) bool {
			_, x := somePairs.of(p[0])
			return twoLevels(x)
		}))
		return []part{
			holdsOn(flat, pair(func(q, x []int) error { return lower(holdsFew(q), holdsFew(x)) })).by(majorizationProof).tried(2, 200),
			holdsOn(flat, pair(alwaysLess)).on("in every state"),
		}
	},
}
