package claims

import (
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
)

// without returns the traffic of repeats only that never has message i.
func (w visitors) without(i int) visitors {
	out := visitors{repeat: 1}
	for j, q := range w.q {
		if j != i {
			out.q = append(out.q, q/(1-w.q[i]))
		}
	}
	return out
}

// besides returns for j = 1, 2, ... the probability that the j-th arrival is a false negative
// by Dozier-FN (34)-(37), p_r = 1, with the true law of the recorded messages given that message i did not
// come: with the exponent j, or j-1.
func (f forgetter) besides(w visitors, arrivals, exponent int) []float64 {
	out := make([]float64, arrivals)
	for i, q := range w.q {
		var y followed
		if len(w.q) > 1 {
			y = f.follow(w.without(i), arrivals)
		}
		for j := range out {
			missed := f.unlucky[0]
			switch {
			case j > 0 && len(w.q) == 1:
				missed = 0
			case j > 0:
				missed = 0
				for n, p := range y.recorded[j] {
					if n < len(f.unlucky) {
						missed += p * f.unlucky[n]
					}
				}
			}
			out[j] += q * math.Pow(1-q, float64(j+exponent)) * missed
		}
	}
	return out
}

// falling fails unless the false negatives at arrival j are a smaller and smaller part of
// the cycles that have it.
func (x renewed) falling() error {
	for j := 1; j < len(x.alive) && x.alive[j] > 1e-10; j++ {
		before, after := x.absent[j-1]*x.sets[j-1]/x.alive[j-1], x.absent[j]*x.sets[j]/x.alive[j]
		if after > before*(1+slack) {
			return fmt.Errorf("j=%d: %g after %g", j+1, after, before)
		}
	}
	return nil
}

// cut examines Dozier-FN (38)-(41), (39) or (41) with a factor c_m, at m <= 12 while cycles are left: sums up to m,
// or from there on.
func cut(upTo bool, factor func(f forgetter, w visitors, x renewed, m int) float64) func(p []int) error {
	return lossy(false, false, func(f forgetter, w visitors) error {
		x := f.renewal(w, f.sigma, nil)
		n := len(x.alive)
		for m := 1; m < min(n, 13, len(f.v)) && x.alive[m-1] > 1e-9; m++ {
			alpha, beta := 0.0, 0.0
			from, to := 0, m
			if !upTo {
				from, to = m, n
			}
			for j := from; j < to; j++ {
				alpha += w.repeat * x.absent[j] * x.sets[j]
				beta += x.alive[j]
			}
			c := factor(f, w, x, m)
			if upTo && alpha < c*beta*(1-slack) || !upTo && alpha > c*beta*(1+slack) {
				return fmt.Errorf("m=%d: %g against %g", m, alpha, c*beta)
			}
		}
		return nil
	})
}

// byState is the factor as printed, P(eta_m = 1)(1-gamma_k(m)), of repeats; byArrival that of
// the m-th arrival itself.
func byState(f forgetter, w visitors, x renewed, m int) float64 {
	return w.repeat * x.absent[m-1] * (1 - f.gamma(m))
}

func byArrival(_ forgetter, w visitors, x renewed, m int) float64 {
	return w.repeat * x.absent[m-1] * x.sets[m-1] / x.alive[m-1]
}

// disabled returns h(s) for s = 0, 1, ... by Dozier-FN (42)-(43), as printed or with the repeats
// that change nothing left out.
func (w visitors) disabled(states int, printed bool) [][]float64 {
	h := make([]float64, len(w.q))
	out := [][]float64{h}
	for range states {
		missing := w.enabled(h)
		leaves := 1 - w.repeat + w.repeat*missing
		fresh := visitors{q: w.q, zeta: w.zeta}.disable(h) // a new message for certain
		next := make([]float64, len(h))
		for i, x := range h {
			stays := x * missing
			if printed {
				stays = x
			}
			next[i] = (w.repeat*(stays+(1-x)*w.q[i]) + (1-w.repeat)*fresh[i]) / leaves
		}
		h = next
		out = append(out, h)
	}
	return out
}

func dozierFNEAppendix() []Claim {
	const grid = "m <= 8, k <= 3, sigma <= 6, up to 4 messages of weights <= 4"
	const gridNew = grid + ", four arrival laws, p_r = 1/4, 1/2, 9/10"
	return []Claim{
		{
			ID: "dozier-fn.eq28", Paper: DozierFN, Ref: "Section 5.2.1, (28)",
			Statement:      "the numerator of (27) over j + j' <= m is p_r sum_{s=0}^m sum_{j=0}^s sum_l P(B_{l,j-1} = 1)(1-tau_k(l,l)) zeta_{s-j} P(eta_s = 1)",
			Domain:         "the order of summation",
			Verdict:        Misprint,
			Counterexample: "s = 0: j = 0 asks for B_{l,-1}, the bits after -1 arrivals",
			Repair:         "j from 1 to s-1: both filters have a first arrival; the numerator itself as repaired for (27)",
			Argument: [2]string{
				"(27) has j >= 1 and j' >= 1, so s = j + j' >= 2 and 1 <= j <= s-1.",
				"For s = 2 only j = j' = 1 is left; printed are j = 0, 1, 2.",
			},
			Checked: "both orders term by term with the model's numbers: " + gridNew + ", m <= 10",
			check: func(r *run) error {
				return r.all(lossyBox(r), lossy(false, false, func(f forgetter, w visitors) error {
					x, m := f.renewal(w, f.sigma, nil), steps(r)
					if len(x.alive) < m+1 {
						return errOutside
					}
					eta := x.etas(w, m)
					zeta := func(j int) float64 { return x.sets[j-1] - x.sets[j] }
					byRow, bySum := 0.0, 0.0
					for j := 1; j < m; j++ {
						for froze := 1; j+froze <= m; froze++ {
							byRow += x.sets[j-1] * zeta(froze) * eta[j+froze-1]
						}
					}
					for s := 2; s <= m; s++ {
						for j := 1; j <= s-1; j++ {
							bySum += x.sets[j-1] * zeta(s-j) * eta[s-1]
						}
					}
					return near(bySum, byRow)
				}))
			},
		},
		{
			ID: "dozier-fn.eq34", Paper: DozierFN, Ref: "Appendix E, (34)",
			Statement:      "P(C_j = 1) = sum_i (1-q_i)^j q_i sum_{l=0}^{sigma+k} P(B_{l,j-1} = 1 | S_{-i,j-1} = 1)(1-tau_k(l,l))",
			Domain:         "p_r = 1, not retaining, the true law of B, the sum to sigma",
			Verdict:        Misprint,
			Counterexample: "Q = (1), j = 1: the first arrival of a cycle sets a bit, printed 0",
			Repair:         "exponent j-1: message i has not come among the j-1 arrivals before; then it is exact",
			Argument: [2]string{
				"The condition S_{-i,j-1} is on j-1 arrivals, whose probability is (1-q_i)^(j-1), as in (18).",
				"j = 1: nothing came before, so the factor must be 1.",
			},
			Checked: "sets and bits followed arrival by arrival, with all messages and without each: " + grid + ", j <= 8",
			check: func(r *run) error {
				law := func(exponent int) func(p []int) error {
					return onlyRepeats(func(f forgetter, w visitors) error {
						n := r.upto(4, 8)
						return alike(f.besides(w, n, exponent), f.follow(w, n).negatives)
					})
				}
				return first(
					r.smallest([]int{2, 1, 1, 1, 1, 0, 0, 0, 5}, lossyBox(r), law(1)),
					r.all(lossyBox(r), law(0)))
			},
		},
		{
			ID: "dozier-fn.eq35", Paper: DozierFN, Ref: "Appendix E, (35)",
			Statement: "P(eta_j^(-i) = 1) = sum_m (1-q'_m)^(j-1) q'_m, q' being Q without element i",
			Domain:    "p_r = 1, not retaining, D >= 2",
			Verdict:   Confirmed,
			Checked:   "sets followed arrival by arrival without each message: " + grid + ", j <= 10",
			check: func(r *run) error {
				return r.all(lossyBox(r), onlyRepeats(func(f forgetter, w visitors) error {
					if len(w.q) < 2 {
						return errOutside
					}
					for i := range w.q {
						u := w.without(i)
						for j, x := range f.follow(u, steps(r)).absent {
							if err := near(u.replaced(j), x); err != nil {
								return err
							}
						}
					}
					return nil
				}))
			},
		},
		{
			ID: "dozier-fn.eq36", Paper: DozierFN, Ref: "Appendix E, (36)",
			Statement:      "P(B^(-i)_{l,j} = 1) = (1-P(eta_j^(-i) = 1)) P(B^(-i)_{l,j-1} = 1) + P(eta_j^(-i) = 1) sum_m P(B^(-i)_{l-m,j-1} = 1) tau_k(l-m,l) for l <= sigma (printed with the first parenthesis closed after the product)",
			Domain:         "j <= 2",
			Verdict:        Refuted,
			Counterexample: "Q = (1/3, 1/3, 1/3), j = 3: without i one of two equal messages alone is recorded with probability 1/4, by (36) with 3/8",
			Repair:         "as (19), an approximation (mean field), with the parenthesis closed after P(eta = 1)",
			Argument: [2]string{
				"Without element i it is (19) for the D-1 other messages, so dozier-fn.eq19 is its counterexample.",
				"As printed, 1 - P(eta) P(B) + ... is above 1 where B is 0.",
			},
			Checked: "the counterexample by sets, arrival by arrival; j <= 2: " + grid,
			check: func(r *run) error {
				law := func(u visitors, f forgetter, j int) error {
					y := f.follow(u, j+1)
					return alike(counted(renewed{absent: y.absent}.etas(u, j)), y.recorded[j])
				}
				return first(
					r.once(func() error {
						f, u := newForgetter(4, 1, 2, false, false), newVisitors([]int{1, 1, 1}, bloomproof.ArrivalPopularity, 1).without(0)
						y := f.follow(u, 4)
						return first(near(y.recorded[3][1], 0.25), near(counted(renewed{absent: y.absent}.etas(u, 3))[1], 0.375))
					}),
					r.all(lossyBox(r), onlyRepeats(func(f forgetter, w visitors) error {
						if len(w.q) < 2 {
							return errOutside
						}
						return law(w.without(0), f, 2)
					})))
			},
		},
		{
			ID: "dozier-fn.eq37", Paper: DozierFN, Ref: "Appendix E, (37)",
			Statement:      "P(C_j = 1) = sum_i (1-q_i)^j q_i sum_{l=0}^{sigma+k} P(B^(-i)_{l,j-1} = 1)(1-tau_k(l,l))",
			Domain:         "p_r = 1, not retaining",
			Verdict:        Misprint,
			Counterexample: "Q = (1), j = 1: the first arrival of a cycle sets a bit, printed 0",
			Repair:         "exponent j-1, the sum to sigma: exact for j <= 3, an approximation beyond, through (36)",
			Argument: [2]string{
				"As (34): j-1 arrivals came before the j-th.",
				"j = 1: sum q_i (1-tau(0,0)) = 1, printed sum q_i (1-q_i).",
			},
			Checked: "j <= 3 with (36) and exponent j-1 against sets followed arrival by arrival: " + grid,
			check: func(r *run) error {
				return first(
					r.once(func() error {
						f, w := newForgetter(2, 1, 1, false, false), newVisitors([]int{1}, bloomproof.ArrivalPopularity, 1)
						return first(near(f.besides(w, 1, 1)[0], 0), near(f.follow(w, 1).negatives[0], 1))
					}),
					r.all(lossyBox(r), onlyRepeats(func(f forgetter, w visitors) error {
						if len(w.q) < 2 {
							return errOutside
						}
						truth := f.follow(w, 3).negatives
						for j := range truth {
							got := 0.0
							for i, q := range w.q {
								u := w.without(i)
								var eta []float64
								for t := range j {
									eta = append(eta, u.replaced(t))
								}
								for n, p := range counted(eta) {
									if n < len(f.unlucky) {
										got += q * math.Pow(1-q, float64(j)) * p * f.unlucky[n]
									}
								}
							}
							if err := near(got, truth[j]); err != nil {
								return fmt.Errorf("j=%d: %w", j+1, err)
							}
						}
						return nil
					})))
			},
		},
		{
			ID: "dozier-fn.thm7", Paper: DozierFN, Ref: "Appendix E, Theorem 7",
			Statement:      "P(B_{l+k,j}) >= P(B^(-i)_{l,j})",
			Domain:         "all l, j, i",
			Verdict:        Refuted,
			Counterexample: "j = 0, l = 0, k >= 1: no bit is set, so that P(B_{k,0}) = 0 and P(B^(-i)_{0,0}) = 1",
			Repair:         "of the sums, which the proof is about: the true laws have sum_{l<=sigma+k} P(B_{l,j}) >= sum_{l<=sigma} P(B^(-i)_{l,j}), B carried to sigma+k",
			Argument: [2]string{
				"The proof shows that at most one message more is recorded, which may set any number of bits up to k, not just k.",
				"It compares the probabilities not to exceed a bound; for single l they can be in any order.",
			},
			Checked: "true laws, arrival by arrival, without each message: " + grid + ", sigma+k < m, j <= 10",
			check: func(r *run) error {
				return r.all(lossyBox(r), onlyRepeats(func(f forgetter, w visitors) error {
					if len(w.q) < 2 || f.sigma+f.k >= f.m {
						return errOutside
					}
					larger := newFilling(f.m, f.k, f.sigma+f.k, false)
					fits := func(v, numbers []float64) float64 {
						x := 0.0
						for n, p := range numbers {
							if n < len(v) {
								x += p * v[n]
							}
						}
						return x
					}
					all := f.follow(w, steps(r))
					for i := range w.q {
						rest := f.follow(w.without(i), steps(r))
						for j := range all.recorded {
							if err := lower(fits(f.v, rest.recorded[j]), fits(larger.v, all.recorded[j])); err != nil {
								return fmt.Errorf("j=%d: %w", j, err)
							}
						}
					}
					return nil
				}))
			},
		},
		{
			ID: "dozier-fn.eq38", Paper: DozierFN, Ref: "Appendix E.1, (38)",
			Statement:      "alpha(1,m) = sum_{j=1}^m E[C_j] = sum_{l=0}^{sigma+k} P(B_{l,j-1} = 1) P(eta_j = 1)(1-gamma_k(j))",
			Domain:         "the sum over j has gone, and gamma_k is a function of recorded messages, not of arrivals",
			Verdict:        Misprint,
			Counterexample: "m = 2, k = 1, sigma = 1, Q = (1/2, 1/2), arrivals equal to Q, p_r = 1/4, two arrivals: 0.3125; the term of j = 2 alone is at most 0.125",
			Repair:         "sum_{j=1}^m sum_l P(B_{l,j-1} = 1) P(eta_j = 1)(1-tau_k(l,l)), as (21)",
			Argument: [2]string{
				"j is bound by the sum in the middle, and free on the right.",
				"After j arrivals fewer than j messages may be recorded, so that 1-gamma(j) is too small.",
			},
			Checked: "the luck of the j-th arrival, given that it occurs, is at most gamma(j-1): " + gridNew + ", j <= 10",
			check: func(r *run) error {
				return first(
					r.once(func() error {
						f, w := newForgetter(2, 1, 1, false, false), newVisitors([]int{1, 1}, bloomproof.ArrivalPopularity, 0.25)
						x := f.renewal(w, f.sigma, nil)
						c := func(j int) float64 { return w.repeat * x.absent[j-1] * x.sets[j-1] }
						return first(near(c(1)+c(2), 0.3125), holds(c(2) <= 0.125, "%g", c(2)))
					}),
					r.all(lossyBox(r), lossy(false, false, func(f forgetter, w visitors) error {
						x := f.renewal(w, f.sigma, nil)
						for j := 1; j < min(steps(r), len(x.alive), len(f.v)) && x.alive[j] > 1e-10; j++ {
							if luck := 1 - x.sets[j]/x.alive[j]; luck > f.gamma(j)+1e-9 {
								return fmt.Errorf("j=%d: luck %g above %g", j+1, luck, f.gamma(j))
							}
						}
						return nil
					})))
			},
		},
		{
			ID: "dozier-fn.eq39", Paper: DozierFN, Ref: "Appendix E.1, (39)",
			Statement: "alpha(1,m) >= P(eta_m = 1)(1-gamma_k(m)) beta(1,m)",
			Domain:    "the model with sums to sigma; for false negatives p_r sum_i q_i (1-h_i) in place of P(eta)",
			Verdict:   Confirmed,
			Checked:   "with gamma_k(m) as printed, and with the luck of the m-th arrival, which is the sharper: " + gridNew + ", m <= 12 while cycles of weight 1e-9 are left",
			check: func(r *run) error {
				return first(r.all(lossyBox(r), cut(true, byState)), r.all(lossyBox(r), cut(true, byArrival)))
			},
		},
		{
			ID: "dozier-fn.eq40", Paper: DozierFN, Ref: "Appendix E.1, (40)",
			Statement:      "alpha(m+1,inf) = sum_{j>m} E[C_j] = sum_{l=0}^{sigma+k} P(B_{l,j-1} = 1) P(eta_j = 1)(1-gamma_k(j))",
			Domain:         "as (38)",
			Verdict:        Misprint,
			Counterexample: "as (38): no sum over j, gamma_k of a number of arrivals",
			Repair:         "sum_{j>m} sum_l P(B_{l,j-1} = 1) P(eta_j = 1)(1-tau_k(l,l))",
			Argument: [2]string{
				"j is bound by the sum in the middle, and free on the right.",
				"After j arrivals fewer than j messages may be recorded, so that 1-gamma(j) is too small.",
			},
			Checked: "the terms as repaired add up with (38) to the whole, and none is larger, given that its arrival occurs, than the one before (which (23) needs): " + gridNew,
			check: func(r *run) error {
				return r.all(lossyBox(r), lossy(false, false, func(f forgetter, w visitors) error {
					return f.renewal(w, f.sigma, nil).falling()
				}))
			},
		},
		{
			ID: "dozier-fn.eq41", Paper: DozierFN, Ref: "Appendix E.1, (41)",
			Statement: "alpha(m+1,inf) <= P(eta_m = 1)(1-gamma_k(m)) beta(m+1,inf)",
			Domain:    "the model with sums to sigma; for false negatives p_r sum_i q_i (1-h_i) in place of P(eta); the reason given needs the luck of the m-th arrival in place of gamma_k(m), which is larger",
			Verdict:   Confirmed,
			Checked:   "with gamma_k(m) as printed, and with the luck of the m-th arrival: " + gridNew + ", m <= 12 while cycles of weight 1e-9 are left",
			check: func(r *run) error {
				return first(r.all(lossyBox(r), cut(false, byState)), r.all(lossyBox(r), cut(false, byArrival)))
			},
		},
		{
			ID: "dozier-fn.eq42", Paper: DozierFN, Ref: "Appendix G.2, (42)",
			Statement:      "h_i(j+1) = p_r/((1-p_r) + p_r fhat[j]) (h_i(j) + (1-h_i(j)) q_i) + (43) is the probability that the message at rank i is disabled in state j+1",
			Domain:         "p_r = 0",
			Verdict:        Refuted,
			Counterexample: "p_r = 1, Q = (1/2, 1/2): h_i(1) = 1/2, h_i(2) = 3/2",
			Repair:         "h_i(j) fhat[j] in place of h_i(j): the message that leaves the state is not one that was disabled. Then sum_i h_i(j) = j for p_r = 1, but single h_i can exceed 1 (Q = (2/3, 1/3): h_0(2) = 7/6): a mean-field approximation for mild Q",
			Argument: [2]string{
				"Given that the self-loop is not taken, a repeat is of a message that is not disabled: q_i (1-h_i)/fhat for i, and h_i stays what it is.",
				"p_r = 1, Q = (1/2, 1/2): in state 2 both are recorded, h = 1; printed (1/2 + 1/4)/(1/2) = 3/2.",
			},
			Checked: "sum_i h_i(j) = j for p_r = 1: " + grid + ", j < D; both numbers",
			check: func(r *run) error {
				return first(
					r.once(func() error {
						w := newVisitors([]int{1, 1}, bloomproof.ArrivalPopularity, 1)
						return first(near(w.disabled(2, true)[2][0], 1.5), near(w.disabled(2, false)[2][0], 1), near(newVisitors([]int{2, 1}, bloomproof.ArrivalPopularity, 1).disabled(2, false)[2][0], 7.0/6))
					}),
					r.all(lossyBox(r), onlyRepeats(func(_ forgetter, w visitors) error {
						for j, h := range w.disabled(len(w.q)-1, false) {
							total := 0.0
							for _, x := range h {
								total += x
							}
							if err := near(total, float64(j)); err != nil {
								return err
							}
						}
						return nil
					})))
			},
		},
		{
			ID: "dozier-fn.eq43", Paper: DozierFN, Ref: "Appendix G.2, (43)",
			Statement: "a transition is a new arrival with probability (1-p_r)/((1-p_r) + p_r fhat[j]), and h_i(j+1) is then d_i + h_{i-1}(j) sum_{i'<i} d_i' + h_i(j) sum_{i'>i} d_i'",
			Domain:    "exact for p_r = 0; d is the law of new arrivals",
			Verdict:   Confirmed,
			Checked:   "sets followed, each arrival a new message: " + grid + ", four arrival laws, j <= 10",
			check: func(r *run) error {
				return r.all(lossyBox(r), lossy(false, false, func(f forgetter, w visitors) error {
					w.repeat = 0
					y := f.follow(w, steps(r)).absent
					for j, h := range w.disabled(steps(r)-1, false) {
						if err := near(w.enabled(h), y[j]); err != nil {
							return fmt.Errorf("j=%d: %w", j, err)
						}
					}
					return nil
				}))
			},
		},
	}
}
