package claims

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
)

// The bounds of Dozier-FN, section 4.2, hold for filters of every size that have fresh positions, do not retain, and
// receive no new messages. The reason is this. Let v_i be the probability that i messages fit, and u_i the probability
// that they fit and the next message sets a bit. Let T_i be the mean number of arrivals in state i, in which i messages
// are recorded. Then the false-negative rate is f_n = sum u_i / sum v_i T_i. Only the T_i depend on the popularity Q,
// and f_n falls as any of them grows.
//
//   - Take a model with fhat[i] >= the fhat[i] of the sampled sets. It has T_i' = 1/fhat[i] <= T_i, by
//     Jensen's inequality: T_i = E[1/(1-q(S))] over the sets S in which the filter enters state i.
//   - Let arrivals come at the times of a Poisson process. Then message j has come by time t with probability
//     1-exp(-q_j t), independently of the other messages. The sum of v_i T_i is the integral of E[v_N(t)], where N(t)
//     is the number of messages that have come by t. Now move popularity from a message to a less popular one, at most
//     until the two are level. The probability that neither has come stays the same, and the probability that both have
//     come grows. So N(t) grows, and so does f_n. Hence f_n(Q) <= f_n(Q') wherever Q majorizes Q'.
//
// The lower bound holds under every workload, because f_n = (sum u_i - (1-p_r) sum u_i T_i)/sum v_i T_i falls as any
// T_i grows. T_i is at most 1/(1-p_r+p_r tail_i), because i recorded messages hold at most the i highest ranks.

// These are the proofs that parts of claims name (see part.by).
var (
	jensenProof = &proof{
		words: "Jensen's inequality: states last longer with held than with sampled messages",
		file:  "verify/claims/dozier_fn_4_states.go", mark: "Jensen's inequality: T_i = E[1/(1-q(S))]",
	}
	majorizationProof = &proof{
		words: "f_n does not fall where Q is evened out",
		file:  "verify/claims/dozier_fn_4_states.go", mark: "Hence f_n(Q) <= f_n(Q') wherever Q majorizes Q'",
	}
	lowerBoundProof = &proof{
		words: "f_n falls as a state's mean number of arrivals grows, and i messages hold at most the i highest ranks",
		file:  "verify/claims/dozier_fn_4_states.go", mark: "The lower bound holds under every workload",
	}
)

var dozierFN4States = []claim{
	fnEq5, fnEq5Lower, fn422Text, fnEq6, fnEq6Upper, fnEq7, fnEq7Upper, fn423Worst, fnEq8, fnEq9,
	fn424Lemma1, fn424Lemma2, fn424Tightest, fn424Footnote, fn425Resampling, fnEq10, fnEq11,
}

var fnEq5 = claim{
	ID: "dozier-fn.eq5", Ref: "Section 4.2.1, (5)",
	Statement:      "fhat^l[i] = (sum_{i<=j<D} q_j)(1 - sum_{l=0}^{i-1} q_l) is the likelihood of a non-repeat if the i most popular messages are recorded",
	Verdict:        Misprint,
	Counterexample: "1/4 printed, 1/2 so",
	Repair:         "either factor alone: they are equal; the square is a weaker lower bound",
	Argument: [2]string{
		"1 - sum_{l<i} q_l = sum_{i<=j<D} q_j: the same probability, printed twice.",
		"A sample is none of the i recorded messages with that probability, not with its square.",
	},
	How: "rationals, sampling from Q, 0 for i >= D; the repaired form is the least of 1-q(S) over all sets of at most i messages",
	parts: func() []part {
		return []part{
			fails(point{fewWeights.code(1, 1), 1}, states, inState(func(q []*big.Rat, i int) error {
				tail := sub(whole(1), within1(q, i))
				return same(mul(tail, tail), tail)
			})),
			holdsOn(states, inState(func(q []*big.Rat, i int) error {
				least := whole(1)
				for set := range 1 << len(q) {
					if x := outside(q, set); ones(set) <= i && x.Cmp(least) < 0 {
						least = x
					}
				}
				return same(sub(whole(1), within1(q, i)), least)
			})),
		}
	},
}

var fnEq5Lower = claim{
	ID: "dozier-fn.eq5.lower", Ref: "Sections 4.2.1 and 4.2.5, (5)",
	Statement: "the Markov model with fhat^l is a lower bound of the false-negative rate; held sets are no issue for it",
	Verdict:   Confirmed,
	How:       "exact rates (levels of recorded messages, float64 sums of positive terms), one phase, fresh positions, bit-bounded",
	parts: func() []part {
		law := func(f fnrFilter, w visitors) error { return lower(f.markov(w, w.tail), f.run(w).fnr) }
		var parts []part
		for _, retain := range []bool{false, true} {
			parts = append(parts,
				holdsOn(fnrFiltersOf(retain), fnrLaw(false, retain, law)).by(lowerBoundProof),
				holdsOn(endingCycles(manyMessages, retain), repeatsOnly(manyMessages, retain, law)).by(lowerBoundProof).on("p_r = 1").tried(2, 100))
		}
		return parts
	},
}

var fn422Text = claim{
	ID: "dozier-fn.4.2.2.text", Ref: "Section 4.2.2",
	Statement:      "the sampling-with-replacement bound of P(R_{i,j} = 1) is P^s_{i,j} = (1-q_j)^i",
	Verdict:        Misprint,
	Counterexample: "nothing is recorded, (1-q_0)^0 = 1",
	Repair:         "P^s_{i,j} = 1-(1-q_j)^i, a lower bound of P(R_{i,j} = 1); the display (6) has it right",
	Argument: [2]string{
		"(1-q_j)^i is the probability that i draws are all other messages than j.",
		"i = 0: no message is recorded, so the probability must be 0.",
	},
	How: "rationals, every message: 1-(1-q_j)^i <= P(R_{i,j} = 1), i draws with replacement",
	parts: func() []part {
		law := func(printed bool) func(p point) error {
			return inState(func(q []*big.Rat, i int) error {
				in := included(q, i)
				for j := range q {
					x := pow(sub(whole(1), q[j]), i)
					if !printed {
						x = sub(whole(1), x)
					}
					if err := atMost(x, in[j]); err != nil {
						return err
					}
				}
				return nil
			})
		}
		fit := with(states, messagesFit)
		return []part{fails(point{fewWeights.code(1), 0}, fit, law(true)), holdsOn(fit, law(false))}
	},
}

var fnEq6 = claim{
	ID: "dozier-fn.eq6", Ref: "Section 4.2.2, (6)",
	Statement: "fhat^s[i] = sum_j q_j (1-q_j)^i is at least the likelihood that a sample is none of i distinct messages sampled before",
	Verdict:   Confirmed,
	How:       "sampling from Q alone, sets followed in rationals; the first i draws are among the draws until i are distinct",
	parts: func() []part {
		return []part{keeps(with(states, messagesFit), func(p point) (float64, error) {
			q := popularity(fewWeights.weights(p[0]))
			return gap(unseen(q, p.int(1)), replacedRat(q, p.int(1))), nil
		})}
	},
}

var fnEq6Upper = claim{
	ID: "dozier-fn.eq6.upper", Ref: "Sections 4.2 and 4.2.2, (6)",
	Statement:      "the Markov model with fhat^s is an upper bound of the false-negative rate",
	Verdict:        Conditional,
	Counterexample: "0.102 against 0.110",
	How:            "exact rates (levels of recorded messages, float64 sums of positive terms)",
	parts: func() []part {
		law := func(f fnrFilter, w visitors) error { return upper(f.markov(w, w.replaced), f.run(w).fnr) }
		return []part{
			fails(tinyPoint(bloomproof.ArrivalLast, 1, 1), fnrFiltersOf(false), fnrLaw(false, false, law)),
			holdsOn(endingCycles(manyMessages, false), repeatsOnly(manyMessages, false, law)).by(jensenProof),
			holdsOn(endingCycles(manyMessages, true), repeatsOnly(manyMessages, true, law)).on("no counterexample retaining"),
			holdsOn(arriving(fnrFiltersOf(false), bloomproof.ArrivalPopularity, bloomproof.ArrivalFirst), fnrLaw(false, false, law)).on("no counterexample where new messages enter by Q or first"),
			holdsOn(arriving(fnrFiltersOf(true), bloomproof.ArrivalPopularity, bloomproof.ArrivalFirst), fnrLaw(false, true, law)).on("nor so, retaining"),
		}
	},
}

var fnEq7 = claim{
	ID: "dozier-fn.eq7", Ref: "Section 4.2.3, (7)",
	Statement:      "fhat^u[i] = sum_j (1-i/D)/D = 1-i/D",
	Verdict:        Misprint,
	Counterexample: "-1 (two new messages)",
	Repair:         "max(0, 1-i/D): new messages take the state beyond D",
	Argument: [2]string{
		"States count new messages too, so i is not bounded by D; a probability is not negative.",
		"i <= D: each of the D messages is recorded with probability i/D, by symmetry.",
	},
	How: "rationals",
	parts: func() []part {
		law := func(p point) error {
			d, i := p.int(0), p.int(1)
			x := sub(whole(1), rat(i, d))
			if i > d {
				return atMost(whole(0), x)
			}
			return same(x, unseen(popularity(repeat(1, d)), i))
		}
		all := domain{number("D", 1).by(6, 9), number("i", 0).by(9, 9)}
		return []part{
			fails(point{1, 2}, all, law),
			holdsOn(with(all, where("i <= D", "i D", func(x point) bool { return x[0] <= x[1] })), law),
		}
	},
}

var fnEq7Upper = claim{
	ID: "dozier-fn.eq7.upper", Ref: "Sections 4.2 and 4.2.3, (7)",
	Statement:      "the Markov model with fhat^u is an upper bound of the false-negative rate",
	Verdict:        Conditional,
	Counterexample: "0.0925 against 0.0996",
	How:            "exact rates (levels of recorded messages, float64 sums of positive terms)",
	parts: func() []part {
		law := func(f fnrFilter, w visitors) error { return upper(f.markov(w, w.even), f.run(w).fnr) }
		return []part{
			fails(tinyPoint(bloomproof.ArrivalPopularity, 1, 1), fnrFiltersOf(false), fnrLaw(false, false, law)),
			holdsOn(endingCycles(manyMessages, false), repeatsOnly(manyMessages, false, law)).by(jensenProof),
			holdsOn(endingCycles(manyMessages, true), repeatsOnly(manyMessages, true, law)).on("no counterexample retaining"),
		}
	},
}

var fn423Worst = claim{
	ID: "dozier-fn.4.2.3.worst", Ref: "Section 4.2.3",
	Statement:      "the false-negative rate for an arbitrary Q of D messages is at most that for the uniform distribution, with the same p_r and N",
	Verdict:        Conditional,
	Counterexample: "0.117 against 0.110",
	How:            "exact rates of both, N equal to Q (uniform for the uniform one), uniform, first, last; exact rates (levels of recorded messages, float64 sums of positive terms)",
	parts: func() []part {
		law := func(kind bloomproof.Arrivals) func(f fnrFilter, w visitors) error {
			return func(f fnrFilter, w visitors) error {
				return upper(f.run(w.uniformly(kind)).fnr, f.run(w).fnr)
			}
		}
		each := func(retain bool) func(p point) error {
			return func(p point) error {
				return fnrLaw(false, retain, law(bloomproof.Arrivals(p.int(placeOfArrivals))))(p)
			}
		}
		return []part{
			fails(tinyPoint(bloomproof.ArrivalLast, 2, 1), fnrFiltersOf(false), each(false)),
			holdsOn(endingCycles(manyMessages, false), repeatsOnly(manyMessages, false, law(bloomproof.ArrivalPopularity))).by(majorizationProof),
			holdsOn(arriving(fnrFiltersOf(false), bloomproof.ArrivalPopularity, bloomproof.ArrivalUniform, bloomproof.ArrivalFirst), each(false)).on("no counterexample for the other laws of arrivals"),
			holdsOn(arriving(fnrFiltersOf(true), bloomproof.ArrivalPopularity, bloomproof.ArrivalUniform, bloomproof.ArrivalFirst), each(true)).on("nor so, retaining"),
		}
	},
}

var fnEq8 = claim{
	ID: "dozier-fn.eq8", Ref: "Section 4.2.4, (8)",
	Statement:      "fhat^b[i] = sum_{j<s} q_j (1 - sum_{l=0}^{i-1} p_h C(s-1,l) p_h^l p_l^(i-1-l)) + sum_{s<=j<D} q_j (1 - sum_{l=0}^i p_l C(s,l) p_h^l p_l^(i-1-l))",
	Verdict:        Refuted,
	Counterexample: "at i = 0 nothing is recorded and fhat is 1, (8) gives 1/2",
	Repair:         "with a of the s popular messages among i recorded, W(i,a) = (s-a) p_h + (D-s-i+a) p_l; P_(i+1)(a+1) += P_i(a) (s-a) p_h/W, P_(i+1)(a) += P_i(a) (D-s-i+a) p_l/W; fhat^b[i] = sum_a P_i(a) W(i,a)",
	Argument: [2]string{
		"The binomial terms C(s-1,l) p_h^l p_l^(i-1-l) are no probabilities: the messages of the other class are not chosen among, and nothing is divided by what is left.",
		"D = 2, s = 1, p_h = p_l = 1/2, i = 1: the other message is recorded with probability 1/2, so fhat = 1/2.",
	},
	How: "the repair is the likelihood by sets in rationals",
	parts: func() []part {
		all := with(biuniforms, through("0 <= i <= D"))
		return []part{fails(point{2, 1, 1, 1}, all, everyState(eq8)), holdsOn(all, everyState(urns)).tried(4, 100)}
	},
}

var fnEq9 = claim{
	ID: "dozier-fn.eq9", Ref: "Section 4.2.4, (9)",
	Statement:      "(8) = s sum_{l=0}^{i-1} C(s-1,l) p_h^(l+2) p_l^(i-1-l) + (D-s) sum_{l=0}^i C(s,l) p_h^l p_l^(i+1-l)",
	Verdict:        Misprint,
	Counterexample: "i = 1: (8) is 1/4, (9) is 3/4; fhat is 1/2",
	Repair:         "(8) = 1 - that; neither is fhat (dozier-fn.eq8)",
	Argument: [2]string{
		"(8) has 1 - sum in both brackets, and s p_h + (D-s) p_l = 1: in (9) the ones are gone.",
		"D = 2, s = 1, i = 1, p_h = p_l = 1/2: (9) is 1/4 + (1/4 + 1/4).",
	},
	How: "rationals",
	parts: func() []part {
		law := func(repaired bool) func(p point) error {
			return twoClasses(func(d, s int, ph, pl *big.Rat) error {
				for i := 0; i <= d; i++ {
					x := eq9(d, s, i, ph, pl)
					if repaired {
						x = sub(whole(1), x)
					}
					if err := same(x, eq8(d, s, i, ph, pl)); err != nil && (repaired || i > 0) {
						return fmt.Errorf("i=%d: %w", i, err)
					}
				}
				return nil
			})
		}
		all := with(biuniforms, through("0 <= i <= D"))
		half := rat(1, 2)
		return []part{
			fails(point{2, 1, 1, 1}, all, law(false)),
			comesOut("(9) is 3/4 there", func() error { return same(eq9(2, 1, 1, half, half), rat(3, 4)) }),
			holdsOn(all, law(true)),
		}
	},
}

var fn424Lemma1 = claim{
	ID: "dozier-fn.4.2.4.lemma1", Ref: "Section 4.2.4, Lemma 1",
	Statement:      "the rate of a bi-uniform B upper bounds that of Q when for some t the elements satisfy q'_j >= q_j for j <= t and q'_j < q_j for j > t, q' of B",
	Verdict:        Misprint,
	Counterexample: "at i = 1 fhat is 3/4 for Q, 1/2 for B",
	Repair:         "q_j >= q'_j for j <= t and q_j < q'_j for j > t, where t is not before B falls: Q is the steeper one, as in Corollary 5 of appendix D",
	Argument: [2]string{
		"A steeper distribution is easier to remember: with all weight on one message nothing is missed.",
		"After one message the next one is another with probability 1/2 of two equal messages, 3/4 of four.",
	},
	How: "rationals, every state, sampling from Q alone; the filter's exact rate, two messages of each weight, p_r = 1, not retaining",
	parts: func() []part {
		steepB := ofPairs("B bi-uniform, at least as large as Q up to some t, smaller beyond", func(q, b []int) bool {
			return twoLevels(b) && dominates(b, q) > 0
		})
		flatB := func(words string, least func(b []int) int) domain {
			return ofPairs("B bi-uniform, Q at least as large up to some t"+words+", smaller beyond", func(q, b []int) bool {
				return twoLevels(b) && dominates(q, b) >= least(b)
			})
		}
		return []part{
			fails(point{somePairs.code([]int{1, 1, 1, 1}, []int{2, 2, 0, 0})}, steepB, pair(alwaysLess)),
			holdsOn(flatB(" not before B falls", upperLevel), pair(alwaysLess)),
			comesOut("for a smaller t, the state i = 3 for Q = (972, 30, 9, 9), B = (500, 500, 10, 10)", latestState),
			holdsOn(flatB("", func([]int) int { return 1 }), pair(func(q, b []int) error { return lower(holdsFew(q), holdsFew(b)) })).by(majorizationProof).on("the filter's rate").tried(2, 200),
		}
	},
}

var fn424Lemma2 = claim{
	ID: "dozier-fn.4.2.4.lemma2", Ref: "Section 4.2.4, Lemma 2",
	Statement: "of two bi-uniform distributions with the same s, that with the larger p_h has the lower false-negative rate",
	Verdict:   Confirmed,
	How:       "rationals, strictly, sampling from Q alone; the filter's exact rate, p_r = 1, not retaining, where it follows by majorization, on four messages twice over",
	parts: func() []part {
		return []part{
			holdsOn(with(biuniforms, number("higher", 2).by(4, 6).upTo(200), where("higher > high", "higher high", func(x point) bool { return x[0] > x[1] }), through("1 <= i < D")), func(p point) error {
				return twoClasses(func(d, s int, ph, pl *big.Rat) error {
					total := s*p.int(4) + (d-s)*p.int(3)
					for i := 1; i < d; i++ {
						if err := below(urns(d, s, i, rat(p.int(4), total), rat(p.int(3), total)), urns(d, s, i, ph, pl)); err != nil {
							return fmt.Errorf("i=%d: %w", i, err)
						}
					}
					return nil
				})(p)
			}),
			holdsOn(domain{number("s", 1).to(3).by(3, 3), number("low", 1).by(2, 2).upTo(40), number("high", 1).by(3, 6).upTo(60), where("high >= low", "high low", func(x point) bool { return x[0] >= x[1] })}, func(p point) error {
				rate := func(high int) float64 {
					return holdsFew(append(repeat(high, p.int(0)), repeat(p.int(1), 4-p.int(0))...))
				}
				return lower(rate(p.int(2)+1), rate(p.int(2)))
			}).by(majorizationProof).on("the filter's rate"),
		}
	},
}

var fn424Tightest = claim{
	ID: "dozier-fn.4.2.4.tightest", Ref: "Section 4.2.4, after Lemma 2",
	Statement: "the tightest bi-uniform upper bound by Lemma 1 has p_h = q_{s-1} for an s with q_{s-1} >= 1/D: the smallest of their rates",
	Verdict:   Confirmed,
	How:       "rationals: Q dominates p_h = q_{s-1} and no larger p_h; the mean of q_0, ..., q_{s-1} as p_h, which Q majorizes, is tighter, and as good a bound for p_r = 1, not retaining: the rates of both against the exact one",
	parts: func() []part {
		return []part{
			holdsOn(with(states, where("1 <= i = s < D, q_{s-1} > 1/D", "Q i", func(x point) bool {
				w := fewWeights.weights(x[0])
				total := 0
				for _, y := range w {
					total += y
				}
				return x[1] >= 1 && x.int(1) < len(w) && w[x.int(1)-1]*len(w) > total
			})), inState(func(q []*big.Rat, s int) error {
				even := rat(1, len(q))
				low := quo(sub(whole(1), mul(whole(s), q[s-1])), whole(len(q)-s))
				crossed := false
				for j := range q {
					x := low
					if j < s {
						x = q[s-1] // here any larger p_h is above q_{s-1}
					}
					less := q[j].Cmp(x) < 0
					if crossed && !less || less && j < s {
						return fmt.Errorf("no dominance at j=%d", j)
					}
					crossed = crossed || less
				}
				return atMost(low, even)
			})),
			holdsOn(endingCycles(manyMessages, false), repeatsOnly(manyMessages, false, func(f fnrFilter, w visitors) error {
				truth, d := f.run(w).fnr, len(w.q)
				for s := 1; s < d; s++ {
					top := 1 - w.tail(s)
					mean := f.markov(w, biuniform(s, d, top/float64(s), (1-top)/float64(d-s)))
					if err := upper(mean, truth); err != nil {
						return err
					}
					if q := w.q[s-1]; q >= 1/float64(d) {
						lemma := f.markov(w, biuniform(s, d, q, (1-float64(s)*q)/float64(d-s)))
						if err := first(upper(lemma, truth), upper(lemma, mean)); err != nil {
							return err
						}
					}
				}
				return nil
			})).by(majorizationProof).on("the rates"),
		}
	},
}

var fn424Footnote = claim{
	ID: "dozier-fn.4.2.4.footnote", Ref: "Section 4.2.4, footnote 4",
	Statement:      "that a distribution which another majorizes has the larger false-negative rate was hypothesised, but there are counterexamples",
	Verdict:        Conditional,
	Counterexample: "Q majorizes the other, and at i = 3 fhat is 0.02935 for Q, 0.02925 for the other; their filter rates are in order",
	How:            "the likelihood in one state; the filter's rate, 24 bits, k = 3, sigma = 4, p_r = 1, not retaining, on the messages twice over",
	parts: func() []part {
		more := ofPairs("Q majorizes X and is not X", func(q, x []int) bool { return majorizes(q, x) && !majorizes(x, q) })
		a, b := []int{36, 2, 1, 1}, []int{28, 10, 1, 1}
		return []part{
			breaks(point{0, 3}, domain{either("pair", "(36, 2, 1, 1)/40 and (28, 10, 1, 1)/40"), number("i", 0)}, func(p point) error {
				return atMost(unseen(popularity(a), p.int(1)), unseen(popularity(b), p.int(1)))
			}),
			comesOut("that pair majorizes, and its filter rates are in order", func() error {
				return first(holds(majorizes(a, b), "no majorization"), lower(holdsFew(a), holdsFew(b)))
			}),
			holdsOn(more, pair(func(q, x []int) error { return lower(holdsFew(q), holdsFew(x)) })).by(majorizationProof).tried(2, 200),
		}
	},
}

var fn425Resampling = claim{
	ID: "dozier-fn.4.2.5.resampling", Ref: "Section 4.2.5",
	Statement:      "resampling the i recorded messages at each self-loop upper-bounds the rate of the process that keeps them",
	Verdict:        Conditional,
	Counterexample: "0.0925 against 0.0996; retaining, p_r = 1, m = 64, k = 4, sigma = 8, Zipf(1) of 8: too low by 1.1 %",
	How:            "exact rates (levels of recorded messages, float64 sums of positive terms)",
	parts: func() []part {
		law := func(f fnrFilter, w visitors) error {
			s := w.sampled()
			return upper(f.markov(w, func(i int) float64 { return s[min(i, len(w.q))] }), f.run(w).fnr)
		}
		return []part{
			fails(tinyPoint(bloomproof.ArrivalPopularity, 1, 1), fnrFiltersOf(false), fnrLaw(false, false, law)),
			holdsOn(endingCycles(manyMessages, false), repeatsOnly(manyMessages, false, law)).by(jensenProof),
			comesOut("a share of 0.989, retaining", func() error {
				f, w := newFNRFilter(64, 4, 8, false, true), zipfVisitors(1, 8, 1)
				s := w.sampled()
				share := f.markov(w, func(i int) float64 { return s[min(i, 8)] }) / f.run(w).fnr
				return holds(math.Abs(share-0.989) < 0.001, "a share of %g", share)
			}),
		}
	},
}

var fnEq10 = claim{
	ID: "dozier-fn.eq10", Ref: "Section 4.2.6, (10)",
	Statement:      "the mean number of distinct messages among l draws with replacement is E[X] = sum_j q_j (1-q_j^l)/(1-q_j)",
	Verdict:        Misprint,
	Counterexample: "4/3 printed, 5/3 so",
	Repair:         "sum_j 1-(1-q_j)^l, which is the sum of E[Y_l] = sum_j q_j (1-q_j)^(l-1), right as printed above it",
	Argument: [2]string{
		"sum_{t=1}^l q (1-q)^(t-1) = 1-(1-q)^l; with q and 1-q exchanged it would be q (1-q^l)/(1-q).",
		"Three equal messages: two draws differ with probability 2/3, so 5/3 distinct ones; it agrees for two equal ones.",
	},
	How: "by enumeration of the draws; the sentence on E[Y_l] too",
	parts: func() []part {
		three := listsOf(2, []int{3, 3, 2}, []int{4, 4, 4}, 4)
		draws := domain{three.variable("every Q"), number("l", 1).by(4, 6)}
		law := func(form func(q *big.Rat, l int) *big.Rat) func(p point) error {
			return func(p point) error {
				q, l := popularity(three.weights(p[0])), p.int(1)
				return same(sum(0, len(q)-1, func(j int) *big.Rat { return form(q[j], l) }), distinctDraws(q, l))
			}
		}
		rest := func(q *big.Rat) *big.Rat { return sub(whole(1), q) }
		return []part{
			fails(point{three.code(1, 1, 1), 2}, draws, law(func(q *big.Rat, l int) *big.Rat { return quo(mul(q, rest(pow(q, l))), rest(q)) })),
			holdsOn(draws, law(func(q *big.Rat, l int) *big.Rat { return rest(pow(rest(q), l)) })),
			holdsOn(draws, law(func(q *big.Rat, l int) *big.Rat {
				return sum(1, l, func(t int) *big.Rat { return mul(q, pow(rest(q), t-1)) })
			})).on("E[Y_l]"),
		}
	},
}

var fnEq11 = claim{
	ID: "dozier-fn.eq11", Ref: "Section 4.2.6, (11)",
	Statement:      "with the number l*(i) of draws whose mean number of distinct messages is closest to i, fhat^a[i] = sum_j (1-q_j)^l* q_j approximates the rate",
	Verdict:        Conditional,
	Counterexample: "less than half the exact rate",
	How:            "certified exact rates (exact/fnr.System.CycleRates), p_r = 1, s of 100 messages have half of the popularity: within 3 %; blind to new messages",
	parts: func() []part {
		steep := with(domain{number("m", 2), number("k", 1), number("sigma", 1).below("m"), either("Q", "Q = (4, 1)/5"), arrivalLaws, between("p_r", 0, 1)})
		return []part{
			breaks(point{8, 2, 5, 0, int64(bloomproof.ArrivalLast), codeOf(0.25)}, steep, func(p point) error {
				f, w := newFNRFilter(p.int(0), p.int(1), p.int(2), false, false), newVisitors([]int{4, 1}, bloomproof.Arrivals(p.int(4)), p.real(5))
				x, truth := f.markov(w, w.pins(w.drawn)), f.run(w).fnr
				return holds(x >= truth/2, "%g against %g", x, truth)
			}),
			holdsOn(domain{exactly("m", 1000), exactly("k", 5), exactly("sigma", 100), exactly("D", 100), number("s", 3).to(12).by(5, 12), exactly("p_r", 1)}, func(p point) error {
				f, q := newFNRFilter(1000, 5, 100, false, false), bloomproof.BiUniform(uint64(p.int(4)), 0.5/float64(p.int(4)), 100)
				truth, err := f.groupsExactly(q)
				if err != nil {
					return err
				}
				w := weighing(q)
				x := f.markov(w, w.pins(w.drawn))
				return holds(math.Abs(x/truth-1) < 0.03, "%g against %g", x, truth)
			}).tried(0, 0),
		}
	},
}
