package claims

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	exactfnr "github.com/bloomproof/bloomproof/exact/fnr"
)

// messagesIn returns the law of the bits that i messages set in an empty array, by
// enumeration.
func (f recycler) messagesIn(i int) []*big.Rat {
	size := 1
	if f.distinct {
		size = f.k
	} else {
		i *= f.k
	}
	l, err := union(f.m, repeat(size, i)...)
	if err != nil {
		panic(err) // m, k and i are those of the boxes here
	}
	return l.pmf()
}

// psiBy1 returns psi(l,i) for l = 0 to sigma by (1).
func (f recycler) psiBy1(i int) []*big.Rat {
	sigma := int(f.Sigma)
	tau := forward(f.m, f.k, f.distinct)
	psi := make([]*big.Rat, sigma+1)
	for l := range psi {
		psi[l] = whole(count(l == 0))
	}
	for range i {
		next := make([]*big.Rat, sigma+1)
		for l := range next {
			next[l] = sum(0, min(f.k, l), func(j int) *big.Rat { return mul(psi[l-j], tau(f.k, l-j, l)) })
		}
		psi = next
	}
	return psi
}

// fillBox are the arrays that are filled message by message.
func fillBox(r *run) box {
	return box{{"non-colliding", 0, 1}, {"m", 1, r.upto(4, 6)}, {"k", 1, r.upto(2, 3)}, {"sigma", 0, r.upto(3, 5)}, {"i", 0, r.upto(3, 5)}}
}

// filled examines a law on fillBox.
func filled(law func(f recycler, i int) error) func(p []int) error {
	return func(p []int) error {
		f := bitBounded(p[1], p[2], p[3], p[0] == 1, false)
		if !f.valid() {
			return errOutside
		}
		return law(f, p[4])
	}
}

// given compares sum phi(l|i) x(l) with the same mean by enumeration, given that i messages
// fit.
func given(f recycler, i int, byPaper, byHand func(l int) *big.Rat) error {
	psi, law, sigma := f.psiBy1(i), f.messagesIn(i), int(f.Sigma)
	fits := sum(0, sigma, func(l int) *big.Rat { return law[l] })
	all := sum(0, sigma, func(l int) *big.Rat { return psi[l] })
	if all.Sign() == 0 {
		return fmt.Errorf("%d messages never fit: 0/0", i)
	}
	return same(
		quo(sum(0, sigma, func(l int) *big.Rat { return mul(psi[l], byPaper(l)) }), all),
		quo(sum(0, sigma, func(l int) *big.Rat { return mul(law[l], byHand(l)) }), fits))
}

// everFit limits a law on fillBox to arrays that i messages can fit in.
func everFit(law func(f recycler, i int) error) func(f recycler, i int) error {
	return func(f recycler, i int) error {
		if i > 0 && (f.Sigma == 0 || f.distinct && int(f.Sigma) < f.k) {
			return errOutside
		}
		return law(f, i)
	}
}

// settledIn returns the law of the number of i messages that set a bit in an array without
// a bound: jointly with the bits, or by the recursion of 4.1.2.
func (f recycler) settledIn(i int) (joint, printed []*big.Rat) {
	tau := forward(f.m, f.k, f.distinct)
	law := map[[2]int]*big.Rat{{0, 0}: whole(1)} // of bits and setting messages
	printed = []*big.Rat{whole(1)}
	for n := range i {
		gamma := mean(f.messagesIn(n), func(l int) *big.Rat { return tau(f.k, l, l) })
		next := make([]*big.Rat, n+2)
		for j := range next {
			next[j] = new(big.Rat)
			if j > 0 {
				next[j].Add(next[j], mul(printed[j-1], sub(whole(1), gamma)))
			}
			if j <= n {
				next[j].Add(next[j], mul(printed[j], gamma))
			}
		}
		printed = next
		step := map[[2]int]*big.Rat{}
		for s, p := range law {
			for l := s[0]; l <= min(f.m, s[0]+f.k); l++ {
				to := [2]int{l, s[1] + count(l > s[0])}
				if step[to] == nil {
					step[to] = new(big.Rat)
				}
				step[to].Add(step[to], mul(p, tau(f.k, s[0], l)))
			}
		}
		law = step
	}
	joint = make([]*big.Rat, i+1)
	for j := range joint {
		joint[j] = new(big.Rat)
	}
	for s, p := range law {
		joint[s[1]].Add(joint[s[1]], p)
	}
	return joint, printed
}

// someTraffic are the popularities of tiny traffic, two messages and more that can repeat.
var someTraffic = listsOf(2, []int{2, 2, 1, 0}, []int{4, 4, 4, 3}, 8)

// arrivalLaws says at which rank new messages enter.
var arrivalLaws = either("arrivals", "arrivals equal to Q", "uniform arrivals", "arrivals last", "arrivals first")

// forgetting are filters under traffic that repeats: tiny ones one by one, larger ones, other
// popularities and other p_r by attack.
var forgetting = domain{
	number("m", 2).by(4, 8).upTo(64), number("k", 1).by(2, 3).upTo(5), number("sigma", 1).below("m").by(2, 6).upTo(20),
	someTraffic.variable("every Q"), arrivalLaws,
	between("p_r", 0, 1).less().at(3, 0.25, 0.5, 0.9).tried(1e-6, 1-1e-9),
}

// forgets gives a law on a filter and its traffic on the points of such a domain.
func forgets(distinct, retain bool, law func(f forgetter, w visitors) error) func(p []int) error {
	return func(p []int) error {
		if !bitBounded(p[0], p[1], p[2], distinct, retain).valid() {
			return errOutside
		}
		return law(newForgetter(p[0], p[1], p[2], distinct, retain), newVisitors(someTraffic.weights(p[3]), bloomproof.ArrivalKind(p[4]), realOf(p[5])))
	}
}

// lossyBox are tiny filters under tiny traffic: weights w1 >= w2 >= ... (0: no such message),
// the law of new arrivals by number (0 equal to Q, 1 uniform, 2 last, 3 first), and
// p_r = 1/4, 1/2, 9/10.
func lossyBox(r *run) box {
	return box{
		{"m", 2, r.upto(4, 8)}, {"k", 1, r.upto(2, 3)}, {"sigma", 1, r.upto(2, 6)},
		{"w1", 1, r.upto(2, 4)}, {"w2", 1, r.upto(2, 4)}, {"w3", 0, r.upto(1, 4)}, {"w4", 0, r.upto(0, 3)},
		{"arrivals", 0, 3}, {"20p_r", 5, 18},
	}
}

// lossy examines a law on lossyBox.
func lossy(distinct, retain bool, law func(f forgetter, w visitors) error) func(p []int) error {
	return func(p []int) error {
		if p[8] != 5 && p[8] != 10 && p[8] != 18 {
			return errOutside
		}
		if !bitBounded(p[0], p[1], p[2], distinct, retain).valid() {
			return errOutside
		}
		weights, err := sorted(p[3:7])
		if err != nil {
			return err
		}
		return law(newForgetter(p[0], p[1], p[2], distinct, retain), newVisitors(weights, bloomproof.ArrivalKind(p[7]), float64(p[8])/20))
	}
}

// arriving limits a law to the given arrival laws.
func arriving(law func(p []int) error, kinds ...bloomproof.ArrivalKind) func(p []int) error {
	return func(p []int) error {
		for _, k := range kinds {
			if p[7] == int(k) {
				return law(p)
			}
		}
		return errOutside
	}
}

// repeatBox1 are filters under traffic without new messages: eight messages, with weights
// that fall from w1 by steps.
func repeatBox1(r *run) box {
	return box{{"m", 24, r.upto(24, 32)}, {"k", 3, r.upto(3, 4)}, {"sigma", 3, r.upto(6, 8)}, {"D", 7, r.upto(7, 9)}, {"w1", 1, r.upto(6, 9)}, {"step", 0, 3}}
}

// repeatsOnly examines a law on repeatBox1, where a cycle lasts for ever with probability
// below 1e-10.
func repeatsOnly(retain bool, law func(f forgetter, w visitors) error) func(p []int) error {
	return func(p []int) error {
		var weights []int
		for j := range p[3] {
			weights = append(weights, max(1, p[4]-p[5]*j))
		}
		if p[5] > 0 && weights[0] == 1 {
			return errOutside
		}
		f, w := newForgetter(p[0], p[1], p[2], false, retain), newVisitors(weights, bloomproof.ArrivalPopularity, 1)
		if f.endless(w) > 1e-10 {
			return errOutside
		}
		return law(f, w)
	}
}

// upper and lower fail unless x is clearly not below, not above truth.
func upper(x, truth float64) error {
	return holds(x >= truth*(1-slack), "%.6g below the rate %.6g", x, truth)
}

func lower(x, truth float64) error {
	return holds(x <= truth*(1+slack), "%.6g above the rate %.6g", x, truth)
}

// near fails unless x is truth, up to slack.
func near(x, truth float64) error {
	return holds(math.Abs(x-truth) <= slack*math.Max(math.Abs(truth), 1e-3), "%.10g, not %.10g", x, truth)
}

// absence returns, level by level, the mean probability that a repeat arrival meets a message
// that is not recorded, over the arrivals of the level, and their number.
func (f forgetter) absence(w visitors) (fhat, time []float64) {
	at := newWatched(1 << len(w.q))
	at.add(0, 1, 1)
	_, to := f.levels(w)
	for range to {
		next := newWatched(len(at.plain))
		l := w.pass(at, func(active, _, rank int, p, kept float64) { next.add(active|1<<rank, p, kept) })
		fhat = append(fhat, l.absent/(w.repeat*l.time))
		time = append(time, l.time)
		at = next
	}
	return fhat, time
}

func dozierFN4Markov() []Claim {
	return []Claim{
		{
			ID: "dozier-fn.4.average", Paper: DozierFN, Ref: "Section 4, before 4.1",
			Statement:      "f_n = sum_i Pi_i f_n[i] with f_n[i] = fhat_n[i] (1-gamma_k(i)), fhat_n[i] the likelihood that the message sampled from Q is a non-repeat",
			Domain:         "fresh positions; fhat_n[i] the mean over all arrivals in state i, held sets included",
			Verdict:        Misprint,
			Counterexample: "m = 2, k = 1, sigma = 1, Q = (1/2, 1/2), arrivals equal to Q, p_r = 1/4: 0.40 printed, 0.10 so",
			Repair:         "f_n[i] = p_r fhat_n[i] (1-gamma_k(i)), as the red transition of 4.1 has it",
			Argument: [2]string{
				"An arrival is sampled from Q with probability p_r only; a new message is no false negative.",
				"p_r = 0: nothing repeats, f_n = 0, but fhat_n[0] (1-gamma(0)) = 1.",
			},
			Checked: "levels of recorded messages, float64 sums of positive terms: m <= 8, k <= 3, sigma <= 6, up to 4 messages of weights <= 4, four arrival laws, p_r = 1/4, 1/2, 9/10",
			check: func(r *run) error {
				law := func(printed bool) func(p []int) error {
					return lossy(false, false, func(f forgetter, w visitors) error {
						fhat, time := f.absence(w)
						rate, cycle := 0.0, 0.0
						for i := range fhat {
							repeats := w.repeat
							if printed {
								repeats = 1
							}
							rate += f.v[i] * time[i] * repeats * fhat[i] * (1 - f.gamma(i))
							cycle += f.v[i] * time[i]
						}
						return near(rate/cycle, f.run(w).fnr)
					})
				}
				return first(
					r.smallest([]int{2, 1, 1, 1, 1, 0, 0, 0, 5}, lossyBox(r), law(true)),
					r.all(lossyBox(r), law(false)))
			},
		},
		{
			ID: "dozier-fn.4.independent", Paper: DozierFN, Ref: "Section 4, before 4.1, and footnote 2",
			Statement: "whether the message is a non-repeat and whether it gets lucky are independent given the number i of recorded messages; false positives occur at rate (1-p_r) gamma_k(i)",
			Domain:    "fresh positions",
			Verdict:   Confirmed,
			Checked:   "the chain over bits and recorded sets together (exact/fnr.System.Rates, certified) has the rates of bits and sets followed apart: false negatives, lucky ones, false positives, cycles; retaining or not, one and two phases in the tests",
			check: func(r *run) error {
				return r.all(box{{"retaining", 0, 1}, {"m", 3, r.upto(3, 5)}, {"k", 1, r.upto(1, 2)}, {"arrivals", 0, 3}}, func(p []int) error {
					f, w := newForgetter(p[1], p[2], 2, false, p[0] == 1), newVisitors([]int{3, 2, 1}, bloomproof.ArrivalKind(p[3]), 0.5)
					c, err := exactfnr.New(bloomproof.Geometry{M: uint64(f.m), K: f.k},
						bloomproof.Recycling{Sigma: 2, Retain: f.retain, Positions: bloomproof.Fresh},
						bloomproof.Workload{Popularity: bloomproof.Weights([]float64{3, 2, 1}), Arrivals: bloomproof.Arrivals{Kind: bloomproof.ArrivalKind(p[3])}, Repeat: 0.5})
					if err != nil {
						return err
					}
					x, err := c.Rates(50)
					if err != nil {
						return err
					}
					got := f.run(w)
					return first(near(got.fnr, x.FNR.Float64()), near(got.lucky, x.Lucky.Float64()), near(got.fpr, x.FPR.Float64()), near(got.cycle, x.Cycle.Float64()))
				})
			},
		},
		{
			ID: "dozier-fn.eq1", Paper: DozierFN, Ref: "Section 4.1.1, (1)",
			Statement: "psi_k(l,i) = sum_{j=0}^k psi_k(l-j,i-1) tau_k(l-j,l) for l <= sigma and 0 beyond, psi_k(0,0) = 1, is the probability that i messages set l bits and did not exceed sigma",
			Domain:    "colliding and non-colliding, every sigma < m",
			Verdict:   Confirmed,
			Checked:   "by enumeration of the sets of bits: m <= 6, k <= 3, i <= 5",
			check: func(r *run) error {
				return r.all(fillBox(r), filled(func(f recycler, i int) error {
					psi, law := f.psiBy1(i), f.messagesIn(i)
					for l := range psi {
						if err := same(psi[l], law[l]); err != nil {
							return fmt.Errorf("l=%d: %w", l, err)
						}
					}
					return nil
				}))
			},
		},
		{
			ID: "dozier-fn.eq2", Paper: DozierFN, Ref: "Section 4.1.1, (2)",
			Statement:      "phi_k(l|i) = psi_k(l,i)/sum_{j<=sigma} psi_k(j,i) is the probability of l set bits, given that i messages are recorded",
			Domain:         "i messages can fit: sigma >= 1 colliding, sigma >= k non-colliding, or i = 0",
			Verdict:        Conditional,
			Counterexample: "m = 1, k = 1, sigma = 0, i = 1: the first message recycles, 0/0",
			Checked:        "by enumeration: m <= 6, k <= 3, i <= 5",
			check: func(r *run) error {
				law := func(f recycler, i int) error {
					for l := 0; l <= int(f.Sigma); l++ {
						is := func(b int) *big.Rat { return whole(count(b == l)) }
						if err := given(f, i, is, is); err != nil {
							return err
						}
					}
					return nil
				}
				return first(
					r.smallest([]int{0, 1, 1, 0, 1}, fillBox(r), filled(law)),
					r.all(fillBox(r), filled(everFit(law))))
			},
		},
		{
			ID: "dozier-fn.eq3", Paper: DozierFN, Ref: "Section 4.1.1, (3)",
			Statement: "rho(i) = sum_{sigma-k<l<=sigma} phi_k(l|i) sum_{j>sigma} tau_k(l,j) is the probability that a new message triggers a recycle event",
			Domain:    "where (2) is defined; j up to l+k",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 6, k <= 3, i <= 5",
			check: func(r *run) error {
				return r.all(fillBox(r), filled(everFit(func(f recycler, i int) error {
					tau, sigma := forward(f.m, f.k, f.distinct), int(f.Sigma)
					return given(f, i, func(l int) *big.Rat {
						if l <= sigma-f.k {
							return new(big.Rat)
						}
						return sum(sigma+1, l+f.k, func(j int) *big.Rat { return tau(f.k, l, j) })
					}, f.overflow)
				})))
			},
		},
		{
			ID: "dozier-fn.eq4", Paper: DozierFN, Ref: "Section 4.1.1, (4)",
			Statement: "gamma_k(i) = sum_{0<=l<=sigma} phi_k(l|i) tau_k(l,l) is the probability that one more message adds no bit",
			Domain:    "where (2) is defined",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 6, k <= 3, i <= 5",
			check: func(r *run) error {
				return r.all(fillBox(r), filled(everFit(func(f recycler, i int) error {
					tau := forward(f.m, f.k, f.distinct)
					return given(f, i, func(l int) *big.Rat { return tau(f.k, l, l) }, f.match)
				})))
			},
		},
		{
			ID: "dozier-fn.4.1.2.recursion", Paper: DozierFN, Ref: "Section 4.1.2",
			Statement:      "phi^m(j|i) = phi^m(j-1|i-1)(1-gamma_k(i-1) + phi^m(j|i-1) gamma_k(i-1)) is the probability that j of i distinct messages set bits",
			Domain:         "message-bounded filters, before the bound",
			Verdict:        Refuted,
			Counterexample: "m = 2, k = 1, i = 3: P(j = 1) = 1/4; with the parenthesis closed after 1-gamma, the recursion gives 3/8",
			Repair:         "follow bits and bit-setting messages together: a message adds no bit with probability tau(l,l), which depends on how many did; the mean number of bit-setting messages is right",
			Argument: [2]string{
				"m = 2, k = 1: all three messages set one bit in all if they agree, with probability 1/4.",
				"gamma(2) = 3/4 is the mean of 1/2 (one message set a bit) and 1 (two did): given j = 1 it is 1/2, and 1/2 * 1/2 = 1/4.",
			},
			Checked: "bits and messages followed together: m <= 6, k <= 3, i <= 5; right for i <= 2",
			check: func(r *run) error {
				box := box{{"non-colliding", 0, 1}, {"m", 1, r.upto(4, 6)}, {"k", 1, r.upto(2, 3)}, {"i", 0, r.upto(4, 5)}}
				each := func(law func(i int, joint, printed []*big.Rat) error) func(p []int) error {
					return func(p []int) error {
						f := bitBounded(p[1], p[2], 0, p[0] == 1, false)
						if !f.valid() {
							return errOutside
						}
						joint, printed := f.settledIn(p[3])
						return law(p[3], joint, printed)
					}
				}
				alike := func(_ int, joint, printed []*big.Rat) error {
					for j := range joint {
						if err := same(printed[j], joint[j]); err != nil {
							return fmt.Errorf("j=%d: %w", j, err)
						}
					}
					return nil
				}
				return first(
					r.smallest([]int{0, 2, 1, 3}, box, each(alike)),
					r.all(box, each(func(i int, joint, printed []*big.Rat) error {
						if i <= 2 {
							return alike(i, joint, printed)
						}
						return same(mean(printed, whole), mean(joint, whole))
					})))
			},
		},
		{
			ID: "dozier-fn.4.1.3.stop", Paper: DozierFN, Ref: "Section 4.1.3",
			Statement:      "the steady-state probability of state i is bounded by 1-rho(i-1); cut the process at the state i for which eps > 1-rho(i-1)",
			Domain:         "rho(i) does not go to 1: it grows to the probability of exceeding sigma from sigma bits, below 1 for sigma >= 1",
			Verdict:        Refuted,
			Counterexample: "m = 2, k = 1, sigma = 1: rho(i) = 1/2 for every i >= 1, so that eps = 1/2 is never met",
			Repair:         "cut where v_i = sum_l psi(l,i), which bounds Pi_i but for the factor 1/(1-p_r+p_r fhat[i]), is small: v_(i+1) = v_i (1-rho(i)) falls geometrically",
			Argument: [2]string{
				"m = 2, k = 1, sigma = 1: every message after the first sets the other bit with probability 1/2, however many came.",
				"1-rho(i) >= tau(sigma,sigma) > 0 for all i, because rho(i) is a mean of probabilities that are largest at l = sigma.",
			},
			Checked: "1-rho(i) >= tau(sigma,sigma), and v_(i+1) = v_i (1-rho(i)): m <= 12, k <= 4, every sigma < m, all i until v_i < 1e-16",
			check: func(r *run) error {
				return first(
					r.once(func() error {
						f := newFilling(2, 1, 1, false)
						for i := 1; i < len(f.v); i++ {
							if err := near(f.ends[i]/f.v[i], 0.5); err != nil {
								return err
							}
						}
						return nil
					}),
					r.all(box{{"m", 2, r.upto(7, 12)}, {"k", 1, r.upto(3, 4)}, {"sigma", 1, r.upto(6, 11)}}, func(p []int) error {
						if p[2] >= p[0] {
							return errOutside
						}
						f := newFilling(p[0], p[1], p[2], false)
						for i := 0; i+1 < len(f.v); i++ {
							rho := f.ends[i] / f.v[i]
							if err := first(
								holds(1-rho >= f.tau[p[2]][0]*(1-slack), "i=%d: 1-rho is %g", i, 1-rho),
								holds(math.Abs(f.v[i+1]-f.v[i]+f.ends[i]) < 1e-15, "i=%d: %g messages fit", i, f.v[i+1])); err != nil {
								return err
							}
						}
						return nil
					}))
			},
		},
		{
			ID: "dozier-fn.4.1.4.example", Paper: DozierFN, Ref: "Section 4.1.4",
			Statement: "P(R_{3,j} = 1) = q_j + sum_{l != j} q_l [q_j/(1-q_l) + sum_{k != j,l} q_k/(1-q_l) q_j/(1-q_l-q_k)] for D = 4; the order (0,1,2) has the probability q_0 q_1/(1-q_0) q_2/(1-q_0-q_1)",
			Domain:    "sampling from Q alone (p_r = 1); all q_j > 0",
			Verdict:   Confirmed,
			Checked:   "sets followed in rationals, all four messages: weights <= 9",
			check: func(r *run) error {
				return r.all(box{{"w1", 1, r.upto(5, 9)}, {"w2", 1, r.upto(5, 9)}, {"w3", 1, r.upto(5, 9)}, {"w4", 1, r.upto(5, 9)}}, func(p []int) error {
					if _, err := sorted(p); err != nil {
						return err
					}
					q := popularity(p)
					in := included(q, 3)
					for j := range q {
						printed := new(big.Rat).Set(q[j])
						for l := range q {
							if l == j {
								continue
							}
							rest := sub(whole(1), q[l])
							inner := quo(q[j], rest)
							for k := range q {
								if k != j && k != l {
									inner.Add(inner, mul(quo(q[k], rest), quo(q[j], sub(rest, q[k]))))
								}
							}
							printed.Add(printed, mul(q[l], inner))
						}
						if err := same(printed, in[j]); err != nil {
							return fmt.Errorf("j=%d: %w", j, err)
						}
					}
					return nil
				})
			},
		},
		{
			ID: "dozier-fn.4.1.4.monotone", Paper: DozierFN, Ref: "Section 4.1.4",
			Statement: "P_{i,j} increases with i and decreases with j",
			Domain:    "sampling from Q alone (p_r = 1); in the wide sense",
			Verdict:   Confirmed,
			Checked:   "sets followed in rationals: up to 5 messages, weights <= 5",
			check: func(r *run) error {
				return r.all(weightBox(r), weighted(func(q []*big.Rat) error {
					before := included(q, 0)
					for i := 1; i <= len(q); i++ {
						in := included(q, i)
						for j := range q {
							if err := atMost(before[j], in[j]); err != nil {
								return fmt.Errorf("i=%d j=%d: %w", i, j, err)
							}
							if j > 0 {
								if err := atMost(in[j], in[j-1]); err != nil {
									return fmt.Errorf("i=%d j=%d: %w", i, j, err)
								}
							}
						}
						before = in
					}
					return nil
				}))
			},
		},
	}
}

// weightBox are popularity distributions of up to 5 messages.
func weightBox(r *run) box {
	return box{{"w1", 1, r.upto(4, 6)}, {"w2", 0, r.upto(3, 5)}, {"w3", 0, r.upto(3, 5)}, {"w4", 0, r.upto(2, 4)}, {"w5", 0, r.upto(1, 3)}}
}

// weighted examines a law on weightBox.
func weighted(law func(q []*big.Rat) error) func(p []int) error {
	return func(p []int) error {
		weights, err := sorted(p)
		if err != nil {
			return err
		}
		return law(popularity(weights))
	}
}
