package claims

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
)

// Why the bounds of section 4.2 hold for a filter without new messages that does not retain,
// whatever its size (fresh positions): with T_i the mean number of arrivals in state i, f_n =
// sum u_i / sum v_i T_i, where only the T_i depend on Q, and fall.
//
//   - A model with fhat[i] >= that of the sampled sets has T_i' = 1/fhat[i] <= T_i, by
//     Jensen's inequality: T_i = E[1/(1-q(S))] over the sets S in which state i is entered.
//   - Let arrivals come at the times of a Poisson process: message j has come by t with
//     probability 1-exp(-q_j t), independently, and sum v_i T_i is the integral of E[v_N(t)],
//     N(t) the number that have. Moving popularity from a message to a less popular one, until
//     they are level, leaves the probability that neither has come and raises that of both:
//     N(t) grows, and so does f_n. Hence f_n(Q) <= f_n(Q') wherever Q majorizes Q'.
//
// The lower bound holds under every workload: f_n = (sum u_i - (1-p_r) sum u_i T_i)/sum v_i T_i
// falls as any T_i grows, and T_i is at most 1/(1-p_r+p_r tail_i), because i recorded messages
// hold at most the i highest ranks.

func dozierFN4States() []Claim {
	const grid = "exact rates (levels of recorded messages, float64 sums of positive terms): m <= 8, k <= 3, sigma <= 6, up to 4 messages of weights <= 4, four arrival laws, p_r = 1/4, 1/2, 9/10"
	const gridOne = "p_r = 1: m = 24 to 32, k = 3, 4, sigma <= 8, 7 to 9 messages whose weights fall by steps"
	return []Claim{
		{
			ID: "dozier-fn.eq5", Paper: DozierFN, Ref: "Section 4.2.1, (5)",
			Statement:      "fhat^l[i] = (sum_{i<=j<D} q_j)(1 - sum_{l=0}^{i-1} q_l) is the likelihood of a non-repeat if the i most popular messages are recorded",
			Domain:         "sampling from Q; 0 for i >= D",
			Verdict:        Misprint,
			Counterexample: "Q = (1/2, 1/2), i = 1: 1/4 printed, 1/2 so",
			Repair:         "either factor alone: they are equal; the square is a weaker lower bound",
			Argument: [2]string{
				"1 - sum_{l<i} q_l = sum_{i<=j<D} q_j: the same probability, printed twice.",
				"A sample is none of the i recorded messages with that probability, not with its square.",
			},
			Checked: "rationals: up to 5 messages, weights <= 6, i <= 6; the repaired form is the least of 1-q(S) over all sets of at most i messages",
			check: func(r *run) error {
				return first(
					r.smallest([]int{1, 1, 0, 0, 0, 1}, stateBox(r), inState(func(q []*big.Rat, i int) error {
						tail := sub(whole(1), within1(q, i))
						return same(mul(tail, tail), tail)
					})),
					r.all(stateBox(r), inState(func(q []*big.Rat, i int) error {
						least := whole(1)
						for set := range 1 << len(q) {
							if x := outside(q, set); ones(set) <= i && x.Cmp(least) < 0 {
								least = x
							}
						}
						return same(sub(whole(1), within1(q, i)), least)
					})))
			},
		},
		{
			ID: "dozier-fn.eq5.lower", Paper: DozierFN, Ref: "Sections 4.2.1 and 4.2.5, (5)",
			Statement: "the Markov model with fhat^l is a lower bound of the false-negative rate; held sets are no issue for it",
			Domain:    "one phase, fresh positions, bit-bounded, retaining or not, every workload; proven: f_n = (sum u_i - (1-p_r) sum u_i T_i)/sum v_i T_i falls as a state's mean number of arrivals T_i grows, and T_i <= 1/(1-p_r+p_r tail_i)",
			Verdict:   Confirmed,
			Checked:   grid + "; " + gridOne + "; retaining or not",
			check: func(r *run) error {
				law := func(f forgetter, w visitors) error { return lower(f.markov(w, w.tail), f.run(w).fnr) }
				return first(
					r.all(lossyBox(r), lossy(false, false, law)), r.all(lossyBox(r), lossy(false, true, law)),
					r.all(repeatBox1(r), repeatsOnly(false, law)), r.all(repeatBox1(r), repeatsOnly(true, law)))
			},
		},
		{
			ID: "dozier-fn.4.2.2.text", Paper: DozierFN, Ref: "Section 4.2.2",
			Statement:      "the sampling-with-replacement bound of P(R_{i,j} = 1) is P^s_{i,j} = (1-q_j)^i",
			Domain:         "i draws with replacement",
			Verdict:        Misprint,
			Counterexample: "Q = (1), i = 0: nothing is recorded, (1-q_0)^0 = 1",
			Repair:         "P^s_{i,j} = 1-(1-q_j)^i, a lower bound of P(R_{i,j} = 1); the display (6) has it right",
			Argument: [2]string{
				"(1-q_j)^i is the probability that i draws are all other messages than j.",
				"i = 0: no message is recorded, so the probability must be 0.",
			},
			Checked: "rationals, every message: 1-(1-q_j)^i <= P(R_{i,j} = 1), up to 5 messages, weights <= 6",
			check: func(r *run) error {
				law := func(printed bool) func(p []int) error {
					return inState(func(q []*big.Rat, i int) error {
						if i > len(q) {
							return errOutside
						}
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
				return first(
					r.smallest([]int{1, 0, 0, 0, 0, 0}, stateBox(r), law(true)),
					r.all(stateBox(r), law(false)))
			},
		},
		{
			ID: "dozier-fn.eq6", Paper: DozierFN, Ref: "Section 4.2.2, (6)",
			Statement: "fhat^s[i] = sum_j q_j (1-q_j)^i is at least the likelihood that a sample is none of i distinct messages sampled before",
			Domain:    "sampling from Q alone; i <= D",
			Verdict:   Confirmed,
			Checked:   "sets followed in rationals: up to 5 messages, weights <= 6; the first i draws are among the draws until i are distinct",
			check: func(r *run) error {
				return r.all(stateBox(r), inState(func(q []*big.Rat, i int) error {
					if i > len(q) {
						return errOutside
					}
					return atMost(unseen(q, i), replacedRat(q, i))
				}))
			},
		},
		{
			ID: "dozier-fn.eq6.upper", Paper: DozierFN, Ref: "Sections 4.2 and 4.2.2, (6)",
			Statement:      "the Markov model with fhat^s is an upper bound of the false-negative rate",
			Domain:         "p_r = 1, not retaining: proven (head of dozier_fn_4_states.go); no counterexample retaining, nor where new messages enter by Q or first",
			Verdict:        Conditional,
			Counterexample: "m = 2, k = 1, sigma = 1, Q = (1/2, 1/2), new messages enter last, p_r = 1/4: 0.102 against 0.110",
			Checked:        grid + " (arrivals by Q and first only, retaining or not); " + gridOne + ", retaining or not",
			check: func(r *run) error {
				law := func(f forgetter, w visitors) error { return upper(f.markov(w, w.replaced), f.run(w).fnr) }
				mild := []bloomproof.ArrivalKind{bloomproof.ArrivalPopularity, bloomproof.ArrivalFirst}
				return first(
					r.smallest([]int{2, 1, 1, 1, 1, 0, 0, 2, 5}, lossyBox(r), lossy(false, false, law)),
					r.all(lossyBox(r), arriving(lossy(false, false, law), mild...)), r.all(lossyBox(r), arriving(lossy(false, true, law), mild...)),
					r.all(repeatBox1(r), repeatsOnly(false, law)), r.all(repeatBox1(r), repeatsOnly(true, law)))
			},
		},
		{
			ID: "dozier-fn.eq7", Paper: DozierFN, Ref: "Section 4.2.3, (7)",
			Statement:      "fhat^u[i] = sum_j (1-i/D)/D = 1-i/D",
			Domain:         "i <= D",
			Verdict:        Misprint,
			Counterexample: "D = 1, i = 2 (two new messages): -1",
			Repair:         "max(0, 1-i/D): new messages take the state beyond D",
			Argument: [2]string{
				"States count new messages too, so i is not bounded by D; a probability is not negative.",
				"i <= D: each of the D messages is recorded with probability i/D, by symmetry.",
			},
			Checked: "rationals: D <= 9; i <= D is right",
			check: func(r *run) error {
				law := func(p []int) error {
					d, i := p[0], p[1]
					x := sub(whole(1), rat(i, d))
					if i > d {
						return atMost(whole(0), x)
					}
					var even []*big.Rat
					for range d {
						even = append(even, rat(1, d))
					}
					return same(x, unseen(even, i))
				}
				box := box{{"D", 1, r.upto(6, 9)}, {"i", 0, 9}}
				return first(
					r.smallest([]int{1, 2}, box, law),
					r.all(box, func(p []int) error {
						if p[1] > p[0] {
							return errOutside
						}
						return law(p)
					}))
			},
		},
		{
			ID: "dozier-fn.eq7.upper", Paper: DozierFN, Ref: "Sections 4.2 and 4.2.3, (7)",
			Statement:      "the Markov model with fhat^u is an upper bound of the false-negative rate",
			Domain:         "p_r = 1, not retaining: proven (head of dozier_fn_4_states.go); no counterexample retaining",
			Verdict:        Conditional,
			Counterexample: "m = 2, k = 1, sigma = 1, Q = (1/2, 1/2), arrivals equal to Q, p_r = 1/4: 0.0925 against 0.0996",
			Checked:        gridOne + ", retaining or not",
			check: func(r *run) error {
				law := func(f forgetter, w visitors) error { return upper(f.markov(w, w.even), f.run(w).fnr) }
				return first(
					r.smallest([]int{2, 1, 1, 1, 1, 0, 0, 0, 5}, lossyBox(r), lossy(false, false, law)),
					r.all(repeatBox1(r), repeatsOnly(false, law)), r.all(repeatBox1(r), repeatsOnly(true, law)))
			},
		},
		{
			ID: "dozier-fn.4.2.3.worst", Paper: DozierFN, Ref: "Section 4.2.3",
			Statement:      "the false-negative rate for an arbitrary Q of D messages is at most that for the uniform distribution, with the same p_r and N",
			Domain:         "p_r = 1, not retaining: proven for every Q that majorizes another (head of dozier_fn_4_states.go); no counterexample for N equal to Q (uniform for the uniform one), uniform, first",
			Verdict:        Conditional,
			Counterexample: "m = 2, k = 1, sigma = 1, Q = (2/3, 1/3), new messages enter last, p_r = 1/4: 0.117 against 0.110",
			Checked:        "exact rates of both: " + grid + ", retaining or not; " + gridOne,
			check: func(r *run) error {
				law := func(kind bloomproof.ArrivalKind) func(f forgetter, w visitors) error {
					return func(f forgetter, w visitors) error {
						return upper(f.run(w.uniformly(kind)).fnr, f.run(w).fnr)
					}
				}
				each := func(retain bool) func(p []int) error {
					return func(p []int) error {
						kind := bloomproof.ArrivalKind(p[7])
						return lossy(false, retain, law(kind))(p)
					}
				}
				mild := []bloomproof.ArrivalKind{bloomproof.ArrivalPopularity, bloomproof.ArrivalUniform, bloomproof.ArrivalFirst}
				return first(
					r.smallest([]int{2, 1, 1, 2, 1, 0, 0, 2, 5}, lossyBox(r), each(false)),
					r.all(lossyBox(r), arriving(each(false), mild...)), r.all(lossyBox(r), arriving(each(true), mild...)),
					r.all(repeatBox1(r), repeatsOnly(false, law(bloomproof.ArrivalPopularity))))
			},
		},
		{
			ID: "dozier-fn.eq8", Paper: DozierFN, Ref: "Section 4.2.4, (8)",
			Statement:      "fhat^b[i] = sum_{j<s} q_j (1 - sum_{l=0}^{i-1} p_h C(s-1,l) p_h^l p_l^(i-1-l)) + sum_{s<=j<D} q_j (1 - sum_{l=0}^i p_l C(s,l) p_h^l p_l^(i-1-l))",
			Domain:         "bi-uniform distributions, 1 <= s < D, 0 <= i <= D",
			Verdict:        Refuted,
			Counterexample: "D = 2, s = 1, p_h = p_l = 1/2: at i = 0 nothing is recorded and fhat is 1, (8) gives 1/2",
			Repair:         "with a of the s popular messages among i recorded, W(i,a) = (s-a) p_h + (D-s-i+a) p_l; P_(i+1)(a+1) += P_i(a) (s-a) p_h/W, P_(i+1)(a) += P_i(a) (D-s-i+a) p_l/W; fhat^b[i] = sum_a P_i(a) W(i,a)",
			Argument: [2]string{
				"The binomial terms C(s-1,l) p_h^l p_l^(i-1-l) are no probabilities: the messages of the other class are not chosen among, and nothing is divided by what is left.",
				"D = 2, s = 1, p_h = p_l = 1/2, i = 1: the other message is recorded with probability 1/2, so fhat = 1/2.",
			},
			Checked: "the repair is the likelihood by sets in rationals: D <= 7, s <= 5, weights <= 6, all states",
			check: func(r *run) error {
				return first(
					r.smallest([]int{2, 1, 1, 1}, biuniformBox(r), everyState(eq8)),
					r.all(biuniformBox(r), everyState(urns)))
			},
		},
		{
			ID: "dozier-fn.eq9", Paper: DozierFN, Ref: "Section 4.2.4, (9)",
			Statement:      "(8) = s sum_{l=0}^{i-1} C(s-1,l) p_h^(l+2) p_l^(i-1-l) + (D-s) sum_{l=0}^i C(s,l) p_h^l p_l^(i+1-l)",
			Domain:         "bi-uniform distributions, 1 <= s < D, 0 <= i <= D",
			Verdict:        Misprint,
			Counterexample: "D = 2, s = 1, p_h = p_l = 1/2, i = 1: (8) is 1/4, (9) is 3/4; fhat is 1/2",
			Repair:         "(8) = 1 - that; neither is fhat (dozier-fn.eq8)",
			Argument: [2]string{
				"(8) has 1 - sum in both brackets, and s p_h + (D-s) p_l = 1: in (9) the ones are gone.",
				"D = 2, s = 1, i = 1, p_h = p_l = 1/2: (9) is 1/4 + (1/4 + 1/4).",
			},
			Checked: "rationals: D <= 7, s <= 5, weights <= 6, all states",
			check: func(r *run) error {
				law := func(repaired bool) func(p []int) error {
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
				half := rat(1, 2)
				return first(
					r.once(func() error { return same(eq9(2, 1, 1, half, half), rat(3, 4)) }),
					r.smallest([]int{2, 1, 1, 1}, biuniformBox(r), law(false)),
					r.all(biuniformBox(r), law(true)))
			},
		},
		{
			ID: "dozier-fn.4.2.4.lemma1", Paper: DozierFN, Ref: "Section 4.2.4, Lemma 1",
			Statement:      "the rate of a bi-uniform B upper bounds that of Q when for some t the elements satisfy q'_j >= q_j for j <= t and q'_j < q_j for j > t, q' of B",
			Domain:         "in every state, sampling from Q alone",
			Verdict:        Misprint,
			Counterexample: "B = (1/2, 1/2, 0, 0), Q = (1/4, 1/4, 1/4, 1/4): at i = 1 fhat is 1/2 for B, 3/4 for Q",
			Repair:         "q_j >= q'_j for j <= t and q_j < q'_j for j > t: Q is the steeper one, as in Corollary 5 of appendix D",
			Argument: [2]string{
				"A steeper distribution is easier to remember: with all weight on one message nothing is missed.",
				"After one message the next one is another with probability 1/2 of two equal messages, 3/4 of four.",
			},
			Checked: "rationals, four messages, sums of weights <= 14, every state; the filter's exact rate, two messages of each weight, p_r = 1, not retaining",
			check: func(r *run) error {
				dominating := func(printed bool, law func(q, b []int) error) func(p []int) error {
					return pair(func(q, b []int) error {
						steep, flat := q, b
						if printed {
							steep, flat = b, q
						}
						if !twoLevels(b) || dominates(steep, flat) == 0 {
							return errOutside
						}
						return law(q, b)
					})
				}
				return first(
					r.smallest([]int{4, 1, 1, 1, 2, 2, 0}, pairBox(r), dominating(true, alwaysLess)),
					r.all(pairBox(r), dominating(false, alwaysLess)),
					r.all(pairBox(r), dominating(false, func(q, b []int) error { return lower(holdsFew(q), holdsFew(b)) })))
			},
		},
		{
			ID: "dozier-fn.4.2.4.lemma2", Paper: DozierFN, Ref: "Section 4.2.4, Lemma 2",
			Statement: "of two bi-uniform distributions with the same s, that with the larger p_h has the lower false-negative rate",
			Domain:    "in every state 1 <= i < D (equal in state 0), sampling from Q alone; the filter's exact rate for p_r = 1, not retaining, where it follows by majorization",
			Verdict:   Confirmed,
			Checked:   "rationals: D <= 7, s <= 5, weights <= 6, every state, strictly; the filter's rate on four messages twice over",
			check: func(r *run) error {
				return first(
					r.all(append(biuniformBox(r), span{"high2", 1, r.upto(4, 6)}), func(p []int) error {
						if p[4] <= p[2] {
							return errOutside
						}
						return twoClasses(func(d, s int, ph, pl *big.Rat) error {
							total := s*p[4] + (d-s)*p[3]
							for i := 1; i < d; i++ {
								if err := below(urns(d, s, i, rat(p[4], total), rat(p[3], total)), urns(d, s, i, ph, pl)); err != nil {
									return fmt.Errorf("i=%d: %w", i, err)
								}
							}
							return nil
						})(p)
					}),
					r.all(box{{"s", 1, 3}, {"low", 1, 2}, {"high", 1, r.upto(3, 6)}}, func(p []int) error {
						rate := func(high int) float64 {
							var w []int
							for j := range 4 {
								if j < p[0] {
									w = append(w, high)
								} else {
									w = append(w, p[1])
								}
							}
							return holdsFew(w)
						}
						if p[2] < p[1] {
							return errOutside
						}
						return lower(rate(p[2]+1), rate(p[2]))
					}))
			},
		},
		{
			ID: "dozier-fn.4.2.4.tightest", Paper: DozierFN, Ref: "Section 4.2.4, after Lemma 2",
			Statement: "the tightest bi-uniform upper bound by Lemma 1 has p_h = q_{s-1} for an s with q_{s-1} >= 1/D: the smallest of their rates",
			Domain:    "bi-uniform distributions that Q dominates; the mean of q_0, ..., q_{s-1} as p_h, which Q majorizes, is tighter, and as good a bound for p_r = 1, not retaining",
			Verdict:   Confirmed,
			Checked:   "rationals: Q dominates p_h = q_{s-1} and no larger p_h, four messages, weights <= 4; the rates of both against the exact one: " + gridOne,
			check: func(r *run) error {
				return first(
					r.all(stateBox(r), inState(func(q []*big.Rat, i int) error {
						s := i
						if s < 1 || s >= len(q) {
							return errOutside
						}
						even := rat(1, len(q))
						if q[s-1].Cmp(even) <= 0 {
							return errOutside
						}
						low := quo(sub(whole(1), mul(whole(s), q[s-1])), whole(len(q)-s))
						crossed := false
						for j := range q {
							x := low
							if j < s {
								x = q[s-1] // any larger p_h is above q_{s-1} here
							}
							less := q[j].Cmp(x) < 0
							if crossed && !less || less && j < s {
								return fmt.Errorf("no dominance at j=%d", j)
							}
							crossed = crossed || less
						}
						return atMost(low, even)
					})),
					r.all(repeatBox1(r), repeatsOnly(false, func(f forgetter, w visitors) error {
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
					})))
			},
		},
		{
			ID: "dozier-fn.4.2.4.footnote", Paper: DozierFN, Ref: "Section 4.2.4, footnote 4",
			Statement:      "that a distribution which another majorizes has the larger false-negative rate was hypothesised, but there are counterexamples",
			Domain:         "the likelihood in one state; not the filter's exact rate for p_r = 1 without retaining, which does not fall when Q is evened out (proof: head of dozier_fn_4_states.go)",
			Verdict:        Conditional,
			Counterexample: "Q = (36, 2, 1, 1)/40 majorizes (28, 10, 1, 1)/40: at i = 3 fhat is 0.02935 for Q, 0.02925 for the other; their filter rates, 24 bits, k = 3, sigma = 4, are in order",
			Checked:        "that pair; the filter's rate for all pairs on four messages twice over, sums of weights <= 14",
			check: func(r *run) error {
				return first(
					r.once(func() error {
						a, b := []int{36, 2, 1, 1}, []int{28, 10, 1, 1}
						return first(
							holds(majorizes(a, b), "no majorization"),
							below(unseen(popularity(b), 3), unseen(popularity(a), 3)),
							lower(holdsFew(a), holdsFew(b)))
					}),
					r.all(pairBox(r), majorizing(func(q, x []int) error { return lower(holdsFew(q), holdsFew(x)) })))
			},
		},
		{
			ID: "dozier-fn.4.2.5.resampling", Paper: DozierFN, Ref: "Section 4.2.5",
			Statement:      "resampling the i recorded messages at each self-loop upper-bounds the rate of the process that keeps them",
			Domain:         "p_r = 1, not retaining: proven (Jensen's inequality, head of dozier_fn_4_states.go)",
			Verdict:        Conditional,
			Counterexample: "arrivals equal to Q, Q = (1/2, 1/2), m = 2, k = 1, sigma = 1, p_r = 1/4: 0.0925 against 0.0996; retaining, p_r = 1, m = 64, k = 4, sigma = 8, Zipf(1) of 8: too low by 1.1 %",
			Checked:        gridOne + "; the counterexamples",
			check: func(r *run) error {
				law := func(f forgetter, w visitors) error {
					s := w.sampled()
					return upper(f.markov(w, func(i int) float64 { return s[min(i, len(w.q))] }), f.run(w).fnr)
				}
				return first(
					r.smallest([]int{2, 1, 1, 1, 1, 0, 0, 0, 5}, lossyBox(r), lossy(false, false, law)),
					r.all(repeatBox1(r), repeatsOnly(false, law)),
					r.once(func() error {
						f, w := newForgetter(64, 4, 8, false, true), zipfVisitors(1, 8, 1)
						s := w.sampled()
						share := f.markov(w, func(i int) float64 { return s[min(i, 8)] }) / f.run(w).fnr
						return holds(math.Abs(share-0.989) < 0.001, "a share of %g", share)
					}))
			},
		},
		{
			ID: "dozier-fn.eq10", Paper: DozierFN, Ref: "Section 4.2.6, (10)",
			Statement:      "the mean number of distinct messages among l draws with replacement is E[X] = sum_j q_j (1-q_j^l)/(1-q_j)",
			Domain:         "l >= 1",
			Verdict:        Misprint,
			Counterexample: "Q = (1/3, 1/3, 1/3), l = 2: 4/3 printed, 5/3 so",
			Repair:         "sum_j 1-(1-q_j)^l, which is the sum of E[Y_l] = sum_j q_j (1-q_j)^(l-1), right as printed above it",
			Argument: [2]string{
				"sum_{t=1}^l q (1-q)^(t-1) = 1-(1-q)^l; with q and 1-q exchanged it would be q (1-q^l)/(1-q).",
				"Three equal messages: two draws differ with probability 2/3, so 5/3 distinct ones; it agrees for two equal ones.",
			},
			Checked: "by enumeration of the draws: up to 3 messages, weights <= 4, l <= 6; the sentence on E[Y_l] too",
			check: func(r *run) error {
				box := box{{"w1", 1, r.upto(3, 4)}, {"w2", 1, r.upto(3, 4)}, {"w3", 0, r.upto(2, 4)}, {"l", 1, r.upto(4, 6)}}
				law := func(form func(q *big.Rat, l int) *big.Rat) func(p []int) error {
					return func(p []int) error {
						weights, err := sorted(p[:3])
						if err != nil {
							return err
						}
						q, l := popularity(weights), p[3]
						return same(sum(0, len(q)-1, func(j int) *big.Rat { return form(q[j], l) }), distinctDraws(q, l))
					}
				}
				rest := func(q *big.Rat) *big.Rat { return sub(whole(1), q) }
				return first(
					r.smallest([]int{1, 1, 1, 2}, box, law(func(q *big.Rat, l int) *big.Rat { return quo(mul(q, rest(pow(q, l))), rest(q)) })),
					r.all(box, law(func(q *big.Rat, l int) *big.Rat { return rest(pow(rest(q), l)) })),
					r.all(box, law(func(q *big.Rat, l int) *big.Rat {
						return sum(1, l, func(t int) *big.Rat { return mul(q, pow(rest(q), t-1)) })
					})))
			},
		},
		{
			ID: "dozier-fn.eq11", Paper: DozierFN, Ref: "Section 4.2.6, (11)",
			Statement:      "with the number l*(i) of draws whose mean number of distinct messages is closest to i, fhat^a[i] = sum_j (1-q_j)^l* q_j approximates the rate",
			Domain:         "p_r = 1, filters that hold more than a few messages, not too steep: within 3 % at m = 1000, k = 5, sigma = 100, 100 messages, 3 to 12 of which have half of the popularity; blind to new messages",
			Verdict:        Conditional,
			Counterexample: "m = 8, k = 2, sigma = 5, Q = (4, 1)/5, new messages enter last, p_r = 1/4: less than half the exact rate",
			Checked:        "certified exact rates (exact/fnr.System.Grouped); the counterexample",
			check: func(r *run) error {
				return first(
					r.once(func() error {
						f, w := newForgetter(8, 2, 5, false, false), newVisitors([]int{4, 1}, bloomproof.ArrivalLast, 0.25)
						x, truth := f.markov(w, w.pins(w.drawn)), f.run(w).fnr
						return holds(x < truth/2, "%g against %g", x, truth)
					}),
					r.all(box{{"s", 3, r.upto(5, 12)}}, func(p []int) error {
						f, q := newForgetter(1000, 5, 100, false, false), bloomproof.BiUniform(uint64(p[0]), 0.5/float64(p[0]), 100)
						truth, err := f.groupsExactly(q)
						if err != nil {
							return err
						}
						w := weighing(q)
						x := f.markov(w, w.pins(w.drawn))
						return holds(math.Abs(x/truth-1) < 0.03, "%g against %g", x, truth)
					}))
			},
		},
	}
}
