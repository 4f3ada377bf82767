package claims

import (
	"fmt"
	"math"
	"slices"

	"github.com/bloomproof/bloomproof"
)

// without returns the traffic w without message i, and without new messages.
func (w visitors) without(i int) visitors {
	out := visitors{repeat: 1}
	for j, q := range w.q {
		if j != i {
			out.q = append(out.q, q/(1-w.q[i]))
		}
	}
	return out
}

// besides returns, for j = 1, 2, ..., the probability that the j-th arrival is a false negative, by Dozier-FN (34)-(37)
// for p_r = 1. It uses the true distribution of the recorded messages, given that message i did not come. The exponent
// is j or j-1.
func (f fnrFilter) besides(w visitors, arrivals, exponent int) []float64 {
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

// falling returns an error unless the following probability falls with j: that arrival j, a repeat, is a false
// negative, given that the cycle has a j-th arrival.
func (x renewed) falling() error {
	for j := 1; j < len(x.alive) && x.alive[j] > 1e-10; j++ {
		before, after := x.absent[j-1]*x.sets[j-1]/x.alive[j-1], x.absent[j]*x.sets[j]/x.alive[j]
		if after > before*(1+slack) {
			return fmt.Errorf("j=%d: %g after %g", j+1, after, before)
		}
	}
	return nil
}

// A cutFactor is the factor c_m of (39) or (41).
type cutFactor func(f fnrFilter, w visitors, x renewed, m int) float64

// sides calls compare with both sides of (39) or (41) for each m. If upTo is true, the sides are the sums up to m, and
// otherwise the sums from m on. m goes up to 12, or up to the arrival by which all cycles have ended.
func (f fnrFilter) sides(w visitors, upTo bool, factor cutFactor, compare func(m int, alpha, bound float64) error) error {
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
		if err := compare(m, alpha, factor(f, w, x, m)*beta); err != nil {
			return fmt.Errorf("m=%d: %w", m, err)
		}
	}
	return nil
}

// cut is the law of (39) or (41) for one filter.
func (f fnrFilter) cut(w visitors, upTo bool, factor cutFactor) error {
	return f.sides(w, upTo, factor, func(_ int, alpha, bound float64) error {
		if upTo {
			return lower(bound, alpha)
		}
		return upper(bound, alpha)
	})
}

// cut is the law of (39) or (41) on the points of fnrFilters.
func cut(upTo bool, factor cutFactor) func(p point) error {
	return fnrLaw(false, false, func(f fnrFilter, w visitors) error { return f.cut(w, upTo, factor) })
}

// byState is the factor c_m as printed, P(eta_m = 1)(1-gamma_k(m)), where only repeats count for eta_m = 1. The factor
// byArrival is the probability that the m-th arrival is a false negative, given that the cycle has an m-th arrival.
func byState(f fnrFilter, w visitors, x renewed, m int) float64 {
	return w.repeat * x.absent[m-1] * (1 - f.gamma(m))
}

func byArrival(_ fnrFilter, w visitors, x renewed, m int) float64 {
	return w.repeat * x.absent[m-1] * x.sets[m-1] / x.alive[m-1]
}

// disabled returns h(s) for s = 0, 1, ... by Dozier-FN (42)-(43). If printed is false, it leaves out the repeats that
// change nothing.
func (w visitors) disabled(states int, printed bool) [][]float64 {
	h := make([]float64, len(w.q))
	out := [][]float64{h}
	for range states {
		missing := w.enabled(h)
		leaves := 1 - w.repeat + w.repeat*missing
		fresh := visitors{q: w.q, zeta: w.zeta}.disable(h) // h after an arrival that is certainly new
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

var dozierFNEAppendix = []claim{
	fnEq28, fnEq34, fnEq35, fnEq36, fnEq37, fnThm7, fnEq38, fnEq39, fnEq40, fnEq41, fnEq42, fnEq43,
}

var fnEq28 = claim{
	ID: "dozier-fn.eq28", Ref: "Section 5.2.1, (28)",
	Statement:      "the numerator of (27) over j + j' <= m is p_r sum_{s=0}^m sum_{j=0}^s sum_l P(B_{l,j-1} = 1)(1-tau_k(l,l)) zeta_{s-j} P(eta_s = 1)",
	Verdict:        Misprint,
	Counterexample: "j = 0 at s = 0 asks for B_{l,-1}, the bits after -1 arrivals; s = 2 has one term, j = j' = 1, printed are three",
	Repair:         "j from 1 to s-1: both filters have a first arrival; the numerator itself as repaired for (27)",
	Argument: [2]string{
		"(27) has j >= 1 and j' >= 1, so s = j + j' >= 2 and 1 <= j <= s-1.",
		"For s = 2 only j = j' = 1 is left; printed are j = 0, 1, 2.",
	},
	How: "both orders term by term with the model's numbers, m = 8",
	parts: func() []part {
		orders := func(lowest, highest func(s int) int) func(p point) error {
			return fnrLaw(false, false, func(f fnrFilter, w visitors) error {
				x, m := f.renewal(w, f.sigma, nil), followedArrivals
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
				for s := 0; s <= m; s++ {
					for j := lowest(s); j <= highest(s); j++ {
						if j < 1 || s-j < 1 {
							return fmt.Errorf("the bits after %d arrivals and zeta_%d", j-1, s-j)
						}
						bySum += x.sets[j-1] * zeta(s-j) * eta[s-1]
					}
				}
				return near(bySum, byRow)
			})
		}
		return []part{
			fails(tinyPoint(bloomproof.ArrivalPopularity, 1, 1), ending(fnrFiltersOf(false)), orders(func(int) int { return 0 }, func(s int) int { return s })),
			holdsOn(ending(fnrFiltersOf(false)), orders(func(int) int { return 1 }, func(s int) int { return s - 1 })).tried(4, 200),
		}
	},
}

var fnEq34 = claim{
	ID: "dozier-fn.eq34", Ref: "Appendix E, (34)",
	Statement:      "P(C_j = 1) = sum_i (1-q_i)^j q_i sum_{l=0}^{sigma+k} P(B_{l,j-1} = 1 | S_{-i,j-1} = 1)(1-tau_k(l,l))",
	Verdict:        Misprint,
	Counterexample: "j = 1: the first arrival of a cycle sets a bit surely, printed 1/2",
	Repair:         "exponent j-1: message i has not come among the j-1 arrivals before; then it is exact",
	Argument: [2]string{
		"The condition S_{-i,j-1} is on j-1 arrivals, whose probability is (1-q_i)^(j-1), as in (18).",
		"j = 1: nothing came before, so the factor must be 1.",
	},
	How: "the true law of B, the sum to sigma: sets and bits followed arrival by arrival, with all messages and without each",
	parts: func() []part {
		law := func(exponent int) func(p point) error {
			return fnrLaw(false, false, func(f fnrFilter, w visitors) error {
				return alike(f.besides(w, followedArrivals, exponent), f.follow(w, followedArrivals).negatives)
			})
		}
		return []part{fails(tinyRepeat(1, 1), tinyRepeats, law(1)), holdsOn(tinyRepeats, law(0)).tried(4, 200)}
	},
}

var fnEq35 = claim{
	ID: "dozier-fn.eq35", Ref: "Appendix E, (35)",
	Statement: "P(eta_j^(-i) = 1) = sum_m (1-q'_m)^(j-1) q'_m, q' being Q without element i",
	Verdict:   Confirmed,
	How:       "sets followed arrival by arrival without each message",
	parts: func() []part {
		return []part{holdsOn(tinyRepeats, fnrLaw(false, false, func(f fnrFilter, w visitors) error {
			for i := range w.q {
				u := w.without(i)
				for j, x := range f.follow(u, followedArrivals).absent {
					if err := near(u.replaced(j), x); err != nil {
						return err
					}
				}
			}
			return nil
		})).tried(4, 100)}
	},
}

var fnEq36 = claim{
	ID: "dozier-fn.eq36", Ref: "Appendix E, (36)",
	Statement:      "P(B^(-i)_{l,j} = 1) = (1-P(eta_j^(-i) = 1)) P(B^(-i)_{l,j-1} = 1) + P(eta_j^(-i) = 1) sum_m P(B^(-i)_{l-m,j-1} = 1) tau_k(l-m,l) for l <= sigma (printed with the first parenthesis closed after the product)",
	Verdict:        Refuted,
	Counterexample: "j = 3: without i one of two equal messages alone is recorded with probability 1/4, by (36) with 3/8",
	Repair:         "as (19), an approximation (mean field), with the parenthesis closed after P(eta = 1)",
	Argument: [2]string{
		"Without element i it is (19) for the D-1 other messages, so dozier-fn.eq19 is its counterexample.",
		"As printed, 1 - P(eta) P(B) + ... is above 1 where B is 0.",
	},
	How: "sets, arrival by arrival",
	parts: func() []part {
		law := func(j int) func(p point) error {
			return fnrLaw(false, false, func(f fnrFilter, w visitors) error {
				u := w.without(0)
				y := f.follow(u, j+1)
				return alike(counted(renewed{absent: y.absent}.etas(u, j)), y.recorded[j])
			})
		}
		return []part{
			fails(tinyRepeat(1, 1, 1), tinyRepeats, law(3)),
			comesOut("1/4 and 3/8 there", func() error {
				f, u := newFNRFilter(4, 1, 2, false, false), newVisitors([]int{1, 1, 1}, bloomproof.ArrivalPopularity, 1).without(0)
				y := f.follow(u, 4)
				return first(near(y.recorded[3][1], 0.25), near(counted(renewed{absent: y.absent}.etas(u, 3))[1], 0.375))
			}),
			holdsOn(tinyRepeats, law(2)).on("as printed, j <= 2").tried(4, 200),
		}
	},
}

var fnEq37 = claim{
	ID: "dozier-fn.eq37", Ref: "Appendix E, (37)",
	Statement:      "P(C_j = 1) = sum_i (1-q_i)^j q_i sum_{l=0}^{sigma+k} P(B^(-i)_{l,j-1} = 1)(1-tau_k(l,l))",
	Verdict:        Misprint,
	Counterexample: "j = 1: the first arrival of a cycle sets a bit surely, printed 1/2",
	Repair:         "exponent j-1, the sum to sigma: exact for j <= 3, an approximation beyond, through (36)",
	Argument: [2]string{
		"As (34): j-1 arrivals came before the j-th.",
		"j = 1: sum q_i (1-tau(0,0)) = 1, printed sum q_i (1-q_i).",
	},
	How: "j <= 3 with (36) and exponent j-1 against sets followed arrival by arrival",
	parts: func() []part {
		law := func(exponent, arrivals int) func(p point) error {
			return fnrLaw(false, false, func(f fnrFilter, w visitors) error {
				truth := f.follow(w, arrivals).negatives
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
								got += q * math.Pow(1-q, float64(j+exponent)) * p * f.unlucky[n]
							}
						}
					}
					if err := near(got, truth[j]); err != nil {
						return fmt.Errorf("j=%d: %w", j+1, err)
					}
				}
				return nil
			})
		}
		return []part{
			fails(tinyRepeat(1, 1), tinyRepeats, law(1, 1)),
			holdsOn(tinyRepeats, law(0, 3)).on("repaired, j <= 3").tried(4, 200),
		}
	},
}

var fnThm7 = claim{
	ID: "dozier-fn.thm7", Ref: "Appendix E, Theorem 7",
	Statement:      "P(B_{l+k,j}) >= P(B^(-i)_{l,j})",
	Verdict:        Refuted,
	Counterexample: "j = 0, l = 0, k = 1: no bit is set, so that P(B_{1,0}) = 0 and P(B^(-i)_{0,0}) = 1",
	Repair:         "of the sums, which the proof is about: the true laws have sum_{l<=sigma+k} P(B_{l,j}) >= sum_{l<=sigma} P(B^(-i)_{l,j}), B carried to sigma+k",
	Argument: [2]string{
		"The proof shows that at most one message more is recorded, which may set any number of bits up to k, not just k.",
		"It compares the probabilities not to exceed a bound; for single l they can be in any order.",
	},
	How: "true laws, arrival by arrival, without each message",
	parts: func() []part {
		room := where("sigma+k < m", "m k sigma", func(x point) bool { return x[2]+x[1] < x[0] })
		return []part{
			breaks(tinyRepeat(1, 1), tinyRepeats, fnrLaw(false, false, func(f fnrFilter, w visitors) error { // the case l = 0, j = 0
				empty := f.next([]float64{1}, f.carried(), 0)
				return holds(empty[f.k] >= empty[0], "%g below %g", empty[f.k], empty[0])
			})),
			holdsOn(with(tinyRepeats, room), fnrLaw(false, false, func(f fnrFilter, w visitors) error {
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
				all := f.follow(w, followedArrivals)
				for i := range w.q {
					rest := f.follow(w.without(i), followedArrivals)
					for j := range all.recorded {
						if err := lower(fits(f.v, rest.recorded[j]), fits(larger.v, all.recorded[j])); err != nil {
							return fmt.Errorf("j=%d: %w", j, err)
						}
					}
				}
				return nil
			})).tried(4, 150),
		}
	},
}

var fnEq38 = claim{
	ID: "dozier-fn.eq38", Ref: "Appendix E.1, (38)",
	Statement:      "alpha(1,m) = sum_{j=1}^m E[C_j] = sum_{l=0}^{sigma+k} P(B_{l,j-1} = 1) P(eta_j = 1)(1-gamma_k(j))",
	Verdict:        Misprint,
	Counterexample: "two arrivals: 0.3125; the term of j = 2 alone is at most 0.125",
	Repair:         "sum_{j=1}^m sum_l P(B_{l,j-1} = 1) P(eta_j = 1)(1-tau_k(l,l)), as (21)",
	Argument: [2]string{
		"j is bound by the sum in the middle, and free on the right.",
		"After j arrivals fewer than j messages may be recorded, so that 1-gamma(j) is too small.",
	},
	How: "the luck of the j-th arrival, given that it occurs, is at most gamma(j-1)",
	parts: func() []part {
		c := func(x renewed, w visitors, j int) float64 { return w.repeat * x.absent[j-1] * x.sets[j-1] }
		return []part{
			breaks(tinyPoint(bloomproof.ArrivalPopularity, 1, 1), fnrFiltersOf(false), fnrLaw(false, false, func(f fnrFilter, w visitors) error {
				x := f.renewal(w, f.sigma, nil)
				return near(c(x, w, 2), c(x, w, 1)+c(x, w, 2))
			})),
			comesOut("0.3125, and at most 0.125, there", func() error {
				f, w := newFNRFilter(2, 1, 1, false, false), newVisitors([]int{1, 1}, bloomproof.ArrivalPopularity, 0.25)
				x := f.renewal(w, f.sigma, nil)
				return first(near(c(x, w, 1)+c(x, w, 2), 0.3125), holds(c(x, w, 2) <= 0.125, "%g", c(x, w, 2)))
			}),
			holdsOn(ending(fnrFiltersOf(false)), fnrLaw(false, false, func(f fnrFilter, w visitors) error {
				x := f.renewal(w, f.sigma, nil)
				for j := 1; j < min(followedArrivals, len(x.alive), len(f.v)) && x.alive[j] > 1e-10; j++ {
					if luck := 1 - x.sets[j]/x.alive[j]; luck > f.gamma(j)+1e-9 {
						return fmt.Errorf("j=%d: luck %g above %g", j+1, luck, f.gamma(j))
					}
				}
				return nil
			})).on("the luck").tried(4, 200),
		}
	},
}

var fnEq39 = claim{
	ID: "dozier-fn.eq39", Ref: "Appendix E.1, (39)",
	Statement: "alpha(1,m) >= P(eta_m = 1)(1-gamma_k(m)) beta(1,m)",
	Verdict:   Confirmed,
	How:       "for false negatives p_r sum_i q_i (1-h_i) in place of P(eta); with gamma_k(m) as printed, and with the luck of the m-th arrival, which is the sharper: m <= 12 while cycles of weight 1e-9 are left",
	parts: func() []part {
		model := with(ending(fnrFiltersOf(false)), through("the model with sums to sigma"))
		return []part{
			holdsOn(model, cut(true, byState)).tried(4, 200),
			holdsOn(model, cut(true, byArrival)).on("with the luck of the m-th arrival").tried(4, 200),
		}
	},
}

var fnEq40 = claim{
	ID: "dozier-fn.eq40", Ref: "Appendix E.1, (40)",
	Statement:      "alpha(m+1,inf) = sum_{j>m} E[C_j] = sum_{l=0}^{sigma+k} P(B_{l,j-1} = 1) P(eta_j = 1)(1-gamma_k(j))",
	Verdict:        Misprint,
	Counterexample: "no sum over j, gamma_k of a number of arrivals: the term of j = 2 is not the sum from j = 2 on",
	Repair:         "sum_{j>m} sum_l P(B_{l,j-1} = 1) P(eta_j = 1)(1-tau_k(l,l))",
	Argument: [2]string{
		"j is bound by the sum in the middle, and free on the right.",
		"After j arrivals fewer than j messages may be recorded, so that 1-gamma(j) is too small.",
	},
	How: "no term as repaired is larger, given that its arrival occurs, than the one before (which (23) needs)",
	parts: func() []part {
		return []part{
			breaks(tinyPoint(bloomproof.ArrivalPopularity, 1, 1), fnrFiltersOf(false), fnrLaw(false, false, func(f fnrFilter, w visitors) error {
				x := f.renewal(w, f.sigma, nil)
				all := 0.0
				for j := 1; j < len(x.sets); j++ {
					all += x.absent[j] * x.sets[j]
				}
				return near(x.absent[1]*x.sets[1], all)
			})),
			holdsOn(ending(fnrFiltersOf(false)), fnrLaw(false, false, func(f fnrFilter, w visitors) error {
				return f.renewal(w, f.sigma, nil).falling()
			})).tried(4, 200),
		}
	},
}

var fnEq41 = claim{
	ID: "dozier-fn.eq41", Ref: "Appendix E.1, (41)",
	Statement:      "alpha(m+1,inf) <= P(eta_m = 1)(1-gamma_k(m)) beta(m+1,inf)",
	Verdict:        Refuted,
	Counterexample: "m = 12: 0.00631, and by (41) at most 0.00489",
	Repair:         "with the luck of the m-th arrival, given that it occurs, in place of gamma_k(m)",
	Argument: [2]string{
		"After m arrivals fewer than m messages may be recorded. In the cycles that go on, luck can then stay below gamma_k(m).",
		"Here the popular message is soon recorded. Later repeats are nearly all of it, and P(eta_j = 1) hardly falls.",
	},
	How: "for false negatives p_r sum_i q_i (1-h_i) in place of P(eta): m <= 12 while cycles of weight 1e-9 are left",
	parts: func() []part {
		f, w := newFNRFilter(5, 1, 4, false, false), newVisitors([]int{1000, 1, 1}, bloomproof.ArrivalLast, 0.75)
		model := with(ending(fnrFiltersOf(false)), through("the model with sums to sigma"))
		return []part{
			breaks(point{0}, domain{either("filter", "M = 5, k = 1, sigma = 4, Q = (1000, 1, 1)/1002, arrivals last, p_r = 3/4")}, func(point) error {
				return f.cut(w, false, byState)
			}),
			comesOut("the two numbers", func() error {
				return f.sides(w, false, byState, func(m int, alpha, bound float64) error {
					if m < 12 {
						return nil
					}
					return first(near(alpha, 0.00631066842), near(bound, 0.00488726140))
				})
			}),
			holdsOn(model, cut(false, byArrival)).tried(4, 200),
		}
	},
}

var fnEq42 = claim{
	ID: "dozier-fn.eq42", Ref: "Appendix G.2, (42)",
	Statement:      "h_i(j+1) = p_r/((1-p_r) + p_r fhat[j]) (h_i(j) + (1-h_i(j)) q_i) + (43) is the probability that the message at rank i is disabled in state j+1",
	Verdict:        Refuted,
	Counterexample: "h_i(1) = 1/2, h_i(2) = 3/2",
	Repair:         "h_i(j) fhat[j] in place of h_i(j): the message that leaves the state is not one that was disabled. Then sum_i h_i(j) = j for p_r = 1, but single h_i can exceed 1 (Q = (2/3, 1/3): h_0(2) = 7/6): a mean-field approximation for mild Q",
	Argument: [2]string{
		"Given that the self-loop is not taken, a repeat is of a message that is not disabled: q_i (1-h_i)/fhat for i, and h_i stays what it is.",
		"p_r = 1, Q = (1/2, 1/2): in state 2 both are recorded, h = 1; printed (1/2 + 1/4)/(1/2) = 3/2.",
	},
	How: "sum_i h_i(j) = j for p_r = 1, j < D",
	parts: func() []part {
		totals := func(printed bool, states int) func(p point) error {
			return fnrLaw(false, false, func(_ fnrFilter, w visitors) error {
				for j, h := range w.disabled(len(w.q)-1+states, printed) {
					total := 0.0
					for _, x := range h {
						total += x
					}
					if err := near(total, float64(j)); err != nil {
						return err
					}
				}
				return nil
			})
		}
		return []part{
			fails(tinyRepeat(1, 1), tinyRepeats, totals(true, 1)),
			comesOut("3/2 there, 1 by the repair; 7/6 for Q = (2/3, 1/3)", func() error {
				w := newVisitors([]int{1, 1}, bloomproof.ArrivalPopularity, 1)
				return first(near(w.disabled(2, true)[2][0], 1.5), near(w.disabled(2, false)[2][0], 1), near(newVisitors([]int{2, 1}, bloomproof.ArrivalPopularity, 1).disabled(2, false)[2][0], 7.0/6))
			}),
			holdsOn(tinyRepeats, totals(false, 0)),
		}
	},
}

var fnEq43 = claim{
	ID: "dozier-fn.eq43", Ref: "Appendix G.2, (43)",
	Statement: "a transition is a new arrival with probability (1-p_r)/((1-p_r) + p_r fhat[j]), and h_i(j+1) is then d_i + h_{i-1}(j) sum_{i'<i} d_i' + h_i(j) sum_{i'>i} d_i'",
	Verdict:   Confirmed,
	How:       "d is the law of new arrivals: sets followed, each arrival a new message",
	parts: func() []part {
		fresh := slices.Clone(fnrFiltersOf(false))
		fresh[placeOfRepeat] = between("p_r", 0, 0).at(1, 0)
		return []part{holdsOn(fresh, fnrLaw(false, false, func(f fnrFilter, w visitors) error {
			y := f.follow(w, followedArrivals).absent
			for j, h := range w.disabled(followedArrivals-1, false) {
				if err := near(w.enabled(h), y[j]); err != nil {
					return fmt.Errorf("j=%d: %w", j, err)
				}
			}
			return nil
		}))}
	},
}
