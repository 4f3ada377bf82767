package claims

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	exactfnr "github.com/bloomproof/bloomproof/exact/fnr"
)

// messagesIn returns the distribution of the number of bits that i messages set in an empty array. It enumerates all
// outcomes.
func (f recycler) messagesIn(i int) []*big.Rat {
	size := 1
	if f.distinct {
		size = f.k
	} else {
		i *= f.k
	}
	l, err := union(f.m, repeat(size, i)...)
	if err != nil {
		panic(err) // cannot happen: the domains here keep m, k and i small
	}
	return l.pmf()
}

// psiBy1 returns psi(l,i) for l = 0 to sigma, computed by Dozier-FN (1). psi(l,i) is the probability that i messages
// fit and set l bits.
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

// fitsUrns is the condition that an array exists: with distinct positions it needs k <= m.
var fitsUrns = where("k <= m non-colliding", "positions m k", func(x point) bool { return x[0] == 0 || x[2] <= x[1] })

// fillings is the domain of arrays that fill message by message.
var fillings = domain{
	hashings, number("m", 1).by(4, 6).upTo(7), number("k", 1).by(2, 3).upTo(4), number("sigma", 0).below("m").by(3, 5).upTo(6), number("i", 0).by(3, 5).upTo(6), fitsUrns,
}

// everFits keeps the arrays in which i messages can fit.
var everFits = where("i messages can fit", "positions k sigma i", func(x point) bool {
	return x[3] == 0 || x[2] > 0 && (x[0] == 0 || x[2] >= x[1])
})

// filled turns a law on arrays into a law on the points of fillings. It skips points at which one more message cannot
// be enumerated.
func filled(law func(f recycler, i int) error) func(p point) error {
	return func(p point) error {
		if bits := float64((p.int(4)+1)*p.int(2)) * math.Log2(float64(p.int(1))); bits > 62 {
			return errOutside
		}
		return law(bitBounded(p.int(1), p.int(2), p.int(3), p[0] == 1, false), p.int(4))
	}
}

// given compares two values of the same mean over the number l of set bits, given that i messages fit. One value is the
// paper's sum phi(l|i) x(l). The other is found by enumeration.
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

// settledIn returns the distribution of how many of i messages set a bit in an array without a bound. The result joint
// follows that number jointly with the set bits. The result printed uses the recursion of Dozier-FN, section 4.1.2.
func (f recycler) settledIn(i int) (joint, printed []*big.Rat) {
	tau := forward(f.m, f.k, f.distinct)
	law := map[[2]int]*big.Rat{{0, 0}: whole(1)} // by the numbers of set bits and of messages that set a bit
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

// upper returns an error if x is clearly below truth, and lower returns one if x is clearly above truth.
func upper(x, truth float64) error {
	return holds(x >= truth*(1-slack), "%.6g below the rate %.6g", x, truth)
}

func lower(x, truth float64) error {
	return holds(x <= truth*(1+slack), "%.6g above the rate %.6g", x, truth)
}

// near returns an error unless x equals truth, up to slack.
func near(x, truth float64) error {
	return holds(math.Abs(x-truth) <= slack*math.Max(math.Abs(truth), 1e-3), "%.10g, not %.10g", x, truth)
}

// absence returns two numbers for each level. The first, fhat, is the probability that a repeat arrival meets a message
// that is not recorded, averaged over the arrivals of the level. The second is the mean number of these arrivals.
func (f fnrFilter) absence(w visitors) (fhat, time []float64) {
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

var dozierFN4Markov = []claim{
	fn4Average, fn4Independent, fnEq1, fnEq2, fnEq3, fnEq4, fn412Recursion, fn413Stop, fn414Example,
	fn414Monotone,
}

var fn4Average = claim{
	ID: "dozier-fn.4.average", Ref: "Section 4, before 4.1",
	Statement:      "f_n = sum_i Pi_i f_n[i] with f_n[i] = fhat_n[i] (1-gamma_k(i)), fhat_n[i] the likelihood that the message sampled from Q is a non-repeat",
	Verdict:        Misprint,
	Counterexample: "0.40 printed, 0.10 so",
	Repair:         "f_n[i] = p_r fhat_n[i] (1-gamma_k(i)), as the red transition of 4.1 has it",
	Argument: [2]string{
		"An arrival is sampled from Q with probability p_r only; a new message is no false negative.",
		"p_r = 0: nothing repeats, f_n = 0, but fhat_n[0] (1-gamma(0)) = 1.",
	},
	How: "levels of recorded messages, float64 sums of positive terms; fresh positions, fhat_n[i] the mean over all arrivals in state i, held sets included",
	parts: func() []part {
		law := func(printed bool) func(p point) error {
			return fnrLaw(false, false, func(f fnrFilter, w visitors) error {
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
		return []part{
			fails(tinyPoint(bloomproof.ArrivalPopularity, 1, 1), fnrFiltersOf(false), law(true)),
			holdsOn(fnrFiltersOf(false), law(false)),
		}
	},
}

var fn4Independent = claim{
	ID: "dozier-fn.4.independent", Ref: "Section 4, before 4.1, and footnote 2",
	Statement: "whether the message is a non-repeat and whether it gets lucky are independent given the number i of recorded messages; false positives occur at rate (1-p_r) gamma_k(i)",
	Verdict:   Confirmed,
	How:       "the chain over bits and recorded sets together (exact/fnr.System.Rates, certified) has the rates of bits and sets followed apart: false negatives, lucky ones, false positives, cycles; one and two phases in the tests",
	parts: func() []part {
		return []part{
			holdsOn(domain{retains, number("m", 3).by(3, 5), number("k", 1).by(1, 2), exactly("sigma", 2), arrivalLaws, either("Q", "Q = (3, 2, 1)/6"), between("p_r", 0, 1).at(1, 0.5).tried(0.01, 0.99), where("k <= sigma retaining", "trigger k sigma", func(x point) bool { return x[0] == 0 || x[1] <= x[2] })}, func(p point) error {
				f, w := newFNRFilter(p.int(1), p.int(2), p.int(3), false, p[0] == 1), newVisitors([]int{3, 2, 1}, bloomproof.Arrivals(p.int(4)), p.real(6))
				c, err := exactfnr.New(bloomproof.Geometry{M: uint64(f.m), K: f.k},
					bloomproof.Recycling{Sigma: uint64(p.int(3)), Retain: f.retain, FreshPositions: true},
					bloomproof.Workload{Popularity: bloomproof.Weights([]float64{3, 2, 1}), Arrivals: bloomproof.Arrivals(p.int(4)), Repeat: p.real(6)})
				if err != nil {
					return err
				}
				x, err := c.Rates(50)
				if err != nil {
					return err
				}
				got := f.run(w)
				return first(near(got.fnr, x.FNR.Float64()), near(got.lucky, x.Lucky.Float64()), near(got.fpr, x.FPR.Float64()), near(got.cycle, x.Cycle.Float64()))
			}).tried(2, 60),
		}
	},
}

var fnEq1 = claim{
	ID: "dozier-fn.eq1", Ref: "Section 4.1.1, (1)",
	Statement: "psi_k(l,i) = sum_{j=0}^k psi_k(l-j,i-1) tau_k(l-j,l) for l <= sigma and 0 beyond, psi_k(0,0) = 1, is the probability that i messages set l bits and did not exceed sigma",
	Verdict:   Confirmed,
	How:       "by enumeration of the sets of bits",
	parts: func() []part {
		return []part{
			holdsOn(fillings, filled(func(f recycler, i int) error {
				psi, law := f.psiBy1(i), f.messagesIn(i)
				for l := range psi {
					if err := same(psi[l], law[l]); err != nil {
						return fmt.Errorf("l=%d: %w", l, err)
					}
				}
				return nil
			})),
		}
	},
}

var fnEq2 = claim{
	ID: "dozier-fn.eq2", Ref: "Section 4.1.1, (2)",
	Statement:      "phi_k(l|i) = psi_k(l,i)/sum_{j<=sigma} psi_k(j,i) is the probability of l set bits, given that i messages are recorded",
	Verdict:        Conditional,
	Counterexample: "the first message recycles, 0/0",
	How:            "by enumeration; i messages can fit if sigma >= 1 colliding, sigma >= k non-colliding, or i = 0",
	parts: func() []part {
		law := func(f recycler, i int) error {
			for l := 0; l <= int(f.Sigma); l++ {
				is := func(b int) *big.Rat { return whole(count(b == l)) }
				if err := given(f, i, is, is); err != nil {
					return err
				}
			}
			return nil
		}
		return []part{
			fails(point{0, 1, 1, 0, 1}, fillings, filled(law)),
			holdsOn(with(fillings, everFits), filled(law)),
		}
	},
}

var fnEq3 = claim{
	ID: "dozier-fn.eq3", Ref: "Section 4.1.1, (3)",
	Statement: "rho(i) = sum_{sigma-k<l<=sigma} phi_k(l|i) sum_{j>sigma} tau_k(l,j) is the probability that a new message triggers a recycle event",
	Verdict:   Confirmed,
	How:       "by enumeration; j up to l+k",
	parts: func() []part {
		return []part{
			holdsOn(with(fillings, everFits), filled(func(f recycler, i int) error {
				tau, sigma := forward(f.m, f.k, f.distinct), int(f.Sigma)
				return given(f, i, func(l int) *big.Rat {
					if l <= sigma-f.k {
						return new(big.Rat)
					}
					return sum(sigma+1, l+f.k, func(j int) *big.Rat { return tau(f.k, l, j) })
				}, f.overflow)
			})),
		}
	},
}

var fnEq4 = claim{
	ID: "dozier-fn.eq4", Ref: "Section 4.1.1, (4)",
	Statement: "gamma_k(i) = sum_{0<=l<=sigma} phi_k(l|i) tau_k(l,l) is the probability that one more message adds no bit",
	Verdict:   Confirmed,
	How:       "by enumeration",
	parts: func() []part {
		return []part{
			holdsOn(with(fillings, everFits), filled(func(f recycler, i int) error {
				tau := forward(f.m, f.k, f.distinct)
				return given(f, i, func(l int) *big.Rat { return tau(f.k, l, l) }, f.match)
			})),
		}
	},
}

var fn412Recursion = claim{
	ID: "dozier-fn.4.1.2.recursion", Ref: "Section 4.1.2",
	Statement:      "phi^m(j|i) = phi^m(j-1|i-1)(1-gamma_k(i-1) + phi^m(j|i-1) gamma_k(i-1)) is the probability that j of i distinct messages set bits",
	Verdict:        Refuted,
	Counterexample: "P(j = 1) = 1/4; with the parenthesis closed after 1-gamma, the recursion gives 3/8",
	Repair:         "follow bits and bit-setting messages together: a message adds no bit with probability tau(l,l), which depends on how many did; the mean number of bit-setting messages is right",
	Argument: [2]string{
		"m = 2, k = 1: all three messages set one bit in all if they agree, with probability 1/4.",
		"gamma(2) = 3/4 is the mean of 1/2 (one message set a bit) and 1 (two did): given j = 1 it is 1/2, and 1/2 * 1/2 = 1/4.",
	},
	How: "bits and messages followed together; right for i <= 2",
	parts: func() []part {
		each := func(law func(i int, joint, printed []*big.Rat) error) func(p point) error {
			return func(p point) error {
				joint, printed := bitBounded(p.int(1), p.int(2), 0, p[0] == 1, false).settledIn(p.int(3))
				return law(p.int(3), joint, printed)
			}
		}
		sameCounts := func(_ int, joint, printed []*big.Rat) error {
			for j := range joint {
				if err := same(printed[j], joint[j]); err != nil {
					return fmt.Errorf("j=%d: %w", j, err)
				}
			}
			return nil
		}
		messages := domain{hashings, number("m", 1).by(4, 6), number("k", 1).by(2, 3), number("i", 0).by(4, 5), fitsUrns, through("message-bounded, before the bound")}
		return []part{
			fails(point{0, 2, 1, 3}, messages, each(sameCounts)),
			holdsOn(messages, each(func(_ int, joint, printed []*big.Rat) error { return same(mean(printed, whole), mean(joint, whole)) })).on("the mean"),
			holdsOn(with(messages, where("i <= 2", "i", func(x point) bool { return x[0] <= 2 })), each(sameCounts)).on("as printed"),
		}
	},
}

var fn413Stop = claim{
	ID: "dozier-fn.4.1.3.stop", Ref: "Section 4.1.3",
	Statement:      "the steady-state probability of state i is bounded by 1-rho(i-1); cut the process at the state i for which eps > 1-rho(i-1)",
	Verdict:        Refuted,
	Counterexample: "rho(i) = 1/2 for every i >= 1, so that eps = 1/2 is never met",
	Repair:         "cut where v_i = sum_l psi(l,i), which bounds Pi_i but for the factor 1/(1-p_r+p_r fhat[i]), is small: v_(i+1) = v_i (1-rho(i)) falls geometrically",
	Argument: [2]string{
		"m = 2, k = 1, sigma = 1: every message after the first sets the other bit with probability 1/2, however many came.",
		"1-rho(i) >= tau(sigma,sigma) > 0 for all i, because rho(i) is a mean of probabilities that are largest at l = sigma.",
	},
	How: "1-rho(i) >= tau(sigma,sigma), and v_(i+1) = v_i (1-rho(i)), all i until v_i < 1e-16; rho(i) does not go to 1: it grows to the probability of exceeding sigma from sigma bits",
	parts: func() []part {
		arrays := domain{number("m", 2).by(7, 12).upTo(100), number("k", 1).by(3, 4).upTo(8), number("sigma", 1).below("m").by(6, 11).upTo(60)}
		return []part{
			breaks(point{2, 1, 1}, arrays, func(p point) error { // the printed rule stops here for every eps > 0
				f := newFilling(p.int(0), p.int(1), p.int(2), false)
				last := len(f.v) - 1
				return holds(1-f.ends[last]/f.v[last] < 1e-6, "1-rho(%d) = %g", last, 1-f.ends[last]/f.v[last])
			}),
			comesOut("rho(i) = 1/2 there", func() error {
				f := newFilling(2, 1, 1, false)
				for i := 1; i < len(f.v); i++ {
					if err := near(f.ends[i]/f.v[i], 0.5); err != nil {
						return err
					}
				}
				return nil
			}),
			holdsOn(arrays, func(p point) error {
				f := newFilling(p.int(0), p.int(1), p.int(2), false)
				for i := 0; i+1 < len(f.v); i++ {
					rho := f.ends[i] / f.v[i]
					if err := first(
						holds(1-rho >= f.tau[p.int(2)][0]*(1-slack), "i=%d: 1-rho is %g", i, 1-rho),
						holds(math.Abs(f.v[i+1]-f.v[i]+f.ends[i]) < 1e-15, "i=%d: %g messages fit", i, f.v[i+1])); err != nil {
						return err
					}
				}
				return nil
			}),
		}
	},
}

var fn414Example = claim{
	ID: "dozier-fn.4.1.4.example", Ref: "Section 4.1.4",
	Statement: "P(R_{3,j} = 1) = q_j + sum_{l != j} q_l [q_j/(1-q_l) + sum_{k != j,l} q_k/(1-q_l) q_j/(1-q_l-q_k)] for D = 4; the order (0,1,2) has the probability q_0 q_1/(1-q_0) q_2/(1-q_0-q_1)",
	Verdict:   Confirmed,
	How:       "sampling from Q alone (p_r = 1), all q_j > 0: sets followed in rationals, all four messages",
	parts: func() []part {
		four := listsOf(4, []int{5, 5, 5, 5}, []int{9, 9, 9, 9}, 4)
		return []part{holdsOn(domain{four.variable("every Q of four messages"), where("", "Q", func(x point) bool { return len(four.weights(x[0])) == 4 })}, func(p point) error {
			q := popularity(four.weights(p[0]))
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
		})}
	},
}

var fn414Monotone = claim{
	ID: "dozier-fn.4.1.4.monotone", Ref: "Section 4.1.4",
	Statement: "P_{i,j} increases with i and decreases with j",
	Verdict:   Confirmed,
	How:       "sampling from Q alone (p_r = 1), in the wide sense: sets followed in rationals",
	parts: func() []part {
		return []part{
			holdsOn(domain{fewWeights.variable("every Q"), through("every i, j")}, weighted(func(q []*big.Rat) error {
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
			})),
		}
	},
}
