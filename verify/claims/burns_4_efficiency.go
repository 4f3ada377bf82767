package claims

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
)

// cutDown encloses n ln(1/f), which is m ln 2 times the efficiency (n/m) log2(1/f).
type cutDown struct{ lo, hi *big.Rat }

func cutDownOf(n int, f *big.Rat) cutDown {
	lo, hi := ln(f)
	return cutDown{mul(whole(-n), hi), mul(whole(-n), lo)}
}

// above reports whether c is certainly above d.
func (c cutDown) above(d cutDown) bool { return c.lo.Cmp(d.hi) > 0 }

// atPeak returns the n of the largest efficiency for a given k, over all n up to beyond
// twice the one of the textbook, and the largest.
func atPeak(m, k int, rate func(m, n, k int) *big.Rat) (at int, peak cutDown) {
	for n := 1; n <= 2*m/k+3; n++ {
		if c := cutDownOf(n, rate(m, n, k)); n == 1 || c.above(peak) {
			at, peak = n, c
		}
	}
	return at, peak
}

// fill returns E[(X/m)^r] of n balls in m urns.
func fill(m, n, r int) *big.Rat { return quo(classicPower(m, n, r), ipow(m, r)) }

func hoelderBox(r *Run) Box {
	return Box{{"m", 1, r.Upto(8, 16)}, {"n", 1, r.Upto(10, 24)}, {"k", 1, r.Upto(5, 10)}}
}

// overfilled are pairs of numbers of items that lie around the real peak of M.
func overfilledBox(r *Run) Box {
	return Box{{"m", 8, r.Upto(20, 48)}, {"k", 1, r.Upto(3, 6)}, {"n", 2, r.Upto(14, 40)}, {"d", 1, r.Upto(10, 30)}}
}

func burns4Efficiency() []Claim {
	return []Claim{
		{
			ID: "burns.4.range", Paper: Burns, Ref: "Section 4, after Walker",
			Statement:      "0 < efficiency <= 1, efficiency = (n/m) log2(1/p)",
			Domain:         "p < 1: m >= 2, and k < m for classic hashing. The upper bound holds for all filters",
			Verdict:        Conditional,
			Counterexample: "m = 1, n = 1, k = 1: the rate is 1, the efficiency 0",
			Checked:        "f^n >= 2^-m and f < 1, both hashings, exhaustively: m <= 24, n <= 12, k <= 25",
			Check: func(r *Run) error {
				box := boundsBox(r)
				box[1].Lo = 1
				positive := func(m, n, k int) error { return below(rateS(m, n, k), whole(1)) }
				return first(
					r.Smallest([]int{1, 1, 1}, box, bounded(anyK, positive)),
					r.All(box, bounded(anyK, func(m, n, k int) error {
						least := quo(whole(1), ipow(2, m))
						err := atMost(least, pow(rateS(m, n, k), n))
						if m > 1 {
							err = first(err, positive(m, n, k))
						}
						if k <= m {
							err = first(err, atMost(least, pow(rateC(m, n, k), n)))
						}
						if k < m {
							err = first(err, below(rateC(m, n, k), whole(1)))
						}
						return err
					})))
			},
		},
		{
			ID: "burns.eq69", Paper: Burns, Ref: "Section 4.1, Corollary 25, (69)",
			Statement: "efficiency_S = (nk/m) log2 m - (n/m) log2 E[X_S^k]",
			Domain:    "m, k >= 1, n >= 1",
			Verdict:   Confirmed,
			Checked:   "as f_S = E[X^k]/m^k against the enumeration of states and positions: m <= 7, n, k <= 4",
			Check: func(r *Run) error {
				return r.All(rateBox(r), rates(bloomproof.Standard, func(m, n, k int, f *big.Rat) error {
					return same(mul(f, ipow(m, k)), classicPower(m, n*k, k))
				}))
			},
		},
		{
			ID: "burns.eq70", Paper: Burns, Ref: "Section 4.1, Corollary 25, (70)",
			Statement: "efficiency_C = (n/m) log2 C(m,k) - (n/m) log2 E[C(X_C,k)]",
			Domain:    "1 <= k <= m, n >= 1",
			Verdict:   Confirmed,
			Checked:   "as f_C = E[C(X,k)]/C(m,k) against the enumeration of states and positions: m <= 7, n, k <= 4",
			Check: func(r *Run) error {
				return r.All(rateBox(r), rates(bloomproof.Classic, func(m, n, k int, f *big.Rat) error {
					return same(mul(f, ichoose(m, k)), mean(occupied(m, repeat(k, n)...), func(i int) *big.Rat { return ichoose(i, k) }))
				}))
			},
		},
		{
			ID: "burns.4.1.peak-bloom", Paper: Burns, Ref: "Section 4.1, peak efficiency by M",
			Statement: "with M for f the peak efficiency over n is ln 2/(m ln(m/(m-1))) at n = ln 2/(k ln(m/(m-1))), for each k",
			Domain:    "m >= 2, 1 <= k <= m, n real",
			Verdict:   Confirmed,
			Checked:   "with y = (1-1/m)^(kn) the efficiency is ln y ln(1-y)/(m ln 2 ln(m/(m-1))), which does not contain k: ln y ln(1-y) < (ln 2)^2 for y = i/d, d <= 60, y not 1/2; and for whole n: m <= 40, k <= 8",
			Check: func(r *Run) error {
				_, top := squareOfLn2()
				return first(checkHalf(r), r.All(Box{{"m", 2, r.Upto(12, 40)}, {"k", 1, r.Upto(4, 8)}}, func(p []int) error {
					m, k := p[0], p[1]
					_, step := ln(rat(m, m-1))
					for n := 1; n <= 2*m/k+2; n++ {
						if err := atMost(mul(cutDownOf(n, bloomRate(m, n, k)).hi, step), top); err != nil && (m > 2 || n*k > 1) {
							return fmt.Errorf("n=%d: %w", n, err)
						}
					}
					return nil
				}))
			},
		},
		{
			ID: "burns.4.1.peak-exponential", Paper: Burns, Ref: "Section 4.1, peak efficiency by E",
			Statement: "with E for f the peak efficiency over n is ln 2 at n = (m/k) ln 2, for each k",
			Domain:    "m, k >= 1, n real",
			Verdict:   Confirmed,
			Checked:   "with y = e^(-kn/m) the efficiency is ln y ln(1-y)/ln 2, which contains neither k nor m: ln y ln(1-y) < (ln 2)^2 for y = i/d, d <= 60, y not 1/2",
			Check:     checkHalf,
		},
		{
			ID: "burns.4.1.near", Paper: Burns, Ref: "Section 4.1",
			Statement: "ln(m/(m-1)) is approximately 1/m",
			Domain:    "m >= 2: 1/m < ln(m/(m-1)) < 1/(m-1)",
			Verdict:   Confirmed,
			Checked:   "the two bounds: m <= 10^5",
			Check: func(r *Run) error {
				return r.All(Box{{"m", 2, r.Upto(300, 100000)}}, func(p []int) error {
					lo, hi := ln(rat(p[0], p[0]-1))
					return first(below(rat(1, p[0]), lo), below(hi, rat(1, p[0]-1)))
				})
			},
		},
		{
			ID: "burns.4.1.bounded", Paper: Burns, Ref: "Section 4.1",
			Statement: "the efficiency of a standard filter is at most ln 2",
			Domain:    "m, n, k >= 1",
			Verdict:   Confirmed,
			Checked:   "exhaustively: m <= 40, n <= 40, k <= 2 m/n + 3",
			Check: func(r *Run) error {
				lo, _ := squareOfLn2()
				return r.All(Box{{"m", 1, r.Upto(14, 40)}, {"n", 1, r.Upto(14, 40)}}, func(p []int) error {
					m, n := p[0], p[1]
					for k := 1; k <= 2*m/n+3; k++ {
						if f := rateS(m, n, k); cutDownOf(n, f).hi.Cmp(mul(whole(m), lo)) > 0 {
							return fmt.Errorf("k=%d: rate %s", k, short(f))
						}
					}
					return nil
				})
			},
		},
		{
			ID: "burns.eq71", Paper: Burns, Ref: "Section 4.1.1, Theorem 26, (71)",
			Statement: "efficiency_S(m, n/k, k) > efficiency_S(m, n/(k+1), k+1), n the number of balls",
			Domain:    "m, n >= 2, k >= 1; equality for n = 1 and m = 1",
			Verdict:   Confirmed,
			Checked:   "as E[(X/m)^k]^(k+1) < E[(X/m)^(k+1)]^k, exhaustively: m <= 16, n <= 24 balls, k <= 10",
			Check: func(r *Run) error {
				return r.All(hoelderBox(r), func(p []int) error {
					m, n, k := p[0], p[1], p[2]
					left, right := pow(fill(m, n, k), k+1), pow(fill(m, n, k+1), k)
					if m == 1 || n == 1 {
						return same(left, right)
					}
					return below(left, right)
				})
			},
		},
		{
			ID: "burns.eq72", Paper: Burns, Ref: "Section 4.1.1, proof of Theorem 26, (72)",
			Statement: "f_S(m, n/(k+1), k+1)^(1/(k+1)) = E[(X/m)^(k+1)]^(1/(k+1)) = E[X^(k+1)]^(1/(k+1))/m, n balls",
			Domain:    "(k+1) divides n",
			Verdict:   Confirmed,
			Checked:   "f_S by (56) against the moment of n balls: m <= 16, n <= 24, k <= 10",
			Check: func(r *Run) error {
				return r.All(hoelderBox(r), func(p []int) error {
					m, n, k := p[0], p[1], p[2]
					if n%(k+1) != 0 {
						return errOutside
					}
					return same(rateS(m, n/(k+1), k+1), fill(m, n, k+1))
				})
			},
		},
		{
			ID: "burns.eq73", Paper: Burns, Ref: "Section 4.1.1, proof of Theorem 26, (73)",
			Statement: "E[X^(k+1)]^(1/(k+1)) >= E[X^k]^(1/k), and E[(Z/m)^k] = f_S(m, n/k, k) for as many balls",
			Domain:    "k >= 1",
			Verdict:   Confirmed,
			Checked:   "E[X^k]^(k+1) <= E[X^(k+1)]^k, exhaustively: m <= 16, n <= 24, k <= 10",
			Check: func(r *Run) error {
				return r.All(hoelderBox(r), func(p []int) error {
					m, n, k := p[0], p[1], p[2]
					err := atMost(pow(classicPower(m, n, k), k+1), pow(classicPower(m, n, k+1), k))
					if n%k == 0 {
						err = first(err, same(rateS(m, n/k, k), fill(m, n, k)))
					}
					return err
				})
			},
		},
		{
			ID: "burns.eq73.equality", Paper: Burns, Ref: "Section 4.1.1, after (73)",
			Statement:      "equality holds in (73) when P[X = i | m, n, k] is a constant for i in [m], e.g. when n = 1",
			Domain:         "m, n >= 1",
			Verdict:        Refuted,
			Counterexample: "m = 2, n = 2, k = 1: P[X = 1] = P[X = 2] = 1/2, but E[X] = 3/2 and E[X^2]^(1/2) = (5/2)^(1/2) = 1.58",
			Repair:         "equality holds when X itself is a constant, P[X = i] = 1 for one i: for n = 1 or m = 1 only",
			Argument: [2]string{
				"Hoelder's inequality is an equality for a constant variable, not for a uniform one.",
				"For n = 1, X = 1 surely, and P[X = i] is 1, 0, 0, ...: not a constant in i for m >= 2.",
			},
			Checked: "the counterexample; equality exactly for n = 1 or m = 1: m <= 16, n <= 24, k <= 10",
			Check: func(r *Run) error {
				pmf := occupied(2, 1, 1)
				return first(
					r.Once(func() error {
						return first(same(pmf[1], pmf[2]), same(classicPower(2, 2, 1), rat(3, 2)), same(classicPower(2, 2, 2), rat(5, 2)))
					}),
					r.All(hoelderBox(r), func(p []int) error {
						m, n, k := p[0], p[1], p[2]
						equal := pow(classicPower(m, n, k), k+1).Cmp(pow(classicPower(m, n, k+1), k)) == 0
						return holds(equal == (n == 1 || m == 1), "equality: %v", equal)
					}))
			},
		},
		{
			ID: "burns.4.1.monotone", Paper: Burns, Ref: "Sections 1.2, 1.3 and 4.1.1",
			Statement:      "the peak efficiency over n of a standard filter decreases as k increases",
			Domain:         "n real, n k the number of balls (Theorem 26); for whole numbers n of items it fails",
			Verdict:        Conditional,
			Counterexample: "m = 7: the peak is 0.5911 for k = 3 and 0.5947 for k = 4, both at n = 1",
			Checked:        "for any numbers of balls: by Theorem 26 each is beaten by k = 1, 2, ... with as many; m <= 16, n <= 24, k <= 10; the smallest counterexample among k and k+1",
			Check:          checkStandardPeaks,
		},
		{
			ID: "burns.eq74", Paper: Burns, Ref: "Section 4.1.1, Corollary 27, (74)",
			Statement: "the largest efficiency of a standard filter of m bits is 1/(m log2(m/(m-1))), at k = 1, n = 1/log2(m/(m-1)) and p = 1/2 only",
			Domain:    "m >= 2, n real; a whole n reaches it for m = 2 only",
			Verdict:   Confirmed,
			Checked:   "n ln(1/f_S) ln(m/(m-1)) < (ln 2)^2 for whole n and every k, except m = 2, n = k = 1, where f = 1/2: m <= 40, n <= 40, k <= 2 m/n + 3",
			Check: func(r *Run) error {
				top, _ := squareOfLn2()
				return first(
					r.Once(func() error { return same(rateS(2, 1, 1), rat(1, 2)) }),
					r.All(Box{{"m", 2, r.Upto(14, 40)}, {"n", 1, r.Upto(14, 40)}}, func(p []int) error {
						m, n := p[0], p[1]
						_, step := ln(rat(m, m-1))
						for k := 1; k <= 2*m/n+3; k++ {
							if m == 2 && n == 1 && k == 1 {
								continue
							}
							if err := below(mul(cutDownOf(n, rateS(m, n, k)).hi, step), top); err != nil {
								return fmt.Errorf("k=%d: %w", k, err)
							}
						}
						return nil
					}))
			},
		},
		{
			ID: "burns.cor27.proof", Paper: Burns, Ref: "Section 4.1.1, proof of Corollary 27",
			Statement: "g(n) = (1-x^n)^(-n), x = 1-1/m, has g'(n) = (x^n ln x^n - (1-x^n) ln(1-x^n))/(1-x^n)^(n+1), 0 only at x^n = 1/2",
			Domain:    "m >= 2, n > 0 real",
			Verdict:   Confirmed,
			Checked:   "the bracket y ln y - (1-y) ln(1-y) is negative below y = 1/2 and positive above (y falls as n grows, so g rises, then falls): y = i/d, d <= 60; the derivative by ln g = -n ln(1-x^n)",
			Check: func(r *Run) error {
				return r.All(Box{{"d", 3, r.Upto(20, 60)}, {"i", 1, 60}}, func(p []int) error {
					y := rat(p[1], p[0])
					if p[1] >= p[0] || 2*p[1] == p[0] {
						return errOutside
					}
					z := sub(whole(1), y)
					lo, hi := ln(y)
					lo2, hi2 := ln(z)
					if 2*p[1] > p[0] {
						return below(new(big.Rat), sub(mul(y, lo), mul(z, hi2)))
					}
					return below(sub(mul(y, hi), mul(z, lo2)), new(big.Rat))
				})
			},
		},
		{
			ID: "burns.cor27.one", Paper: Burns, Ref: "Section 4.1.1, proof of Corollary 27, first display",
			Statement: "efficiency_S(m,n,1) = ln (1-(1-1/m)^n)^(-n)/(m ln 2)",
			Domain:    "m, n >= 1",
			Verdict:   Confirmed,
			Checked:   "as f_S(m,n,1) = 1-(1-1/m)^n: m <= 60, n <= 60",
			Check: func(r *Run) error {
				return r.All(Box{{"m", 1, r.Upto(20, 60)}, {"n", 1, r.Upto(20, 60)}}, func(p []int) error {
					m, n := p[0], p[1]
					return same(standardRate(m, n, 1), sub(whole(1), pow(rat(m-1, m), n)))
				})
			},
		},
		{
			ID: "burns.fig9", Paper: Burns, Ref: "Section 4.1.1, Figure 9",
			Statement: "m = 100: the largest efficiency of a standard filter is 0.69, at n = 69, k = 1",
			Domain:    "m = 100, k = 1..20",
			Verdict:   Confirmed,
			Checked:   "k = 1, every n <= 203; k = 2..20 by Theorem 26, and k = 2, 3 again",
			Check: func(r *Run) error {
				return r.Once(func() error {
					n, peak := atPeak(100, 1, rateS)
					l, _ := ln(whole(2))
					err := first(holds(n == 69, "peak at n=%d", n), roundsRat(quo(peak.lo, mul(whole(100), l)), "0.69"))
					for k := 2; k <= 3 && err == nil; k++ {
						_, other := atPeak(100, k, rateS)
						err = holds(peak.above(other), "k=%d is not below", k)
					}
					return err
				})
			},
		},
		{
			ID: "burns.conj28", Paper: Burns, Ref: "Section 4.1.2, Conjecture 28, first part",
			Statement:      "the peak efficiency over n of a classic filter increases with k: eps*_C(m,k) < eps*_C(m,k+1)",
			Domain:         "1 <= k <= m/2 - 1, n whole",
			Verdict:        Refuted,
			Counterexample: "m = 9, k = 1: 0.6538 (n = 6) for k = 1, 0.6531 (n = 2) for k = 2",
			Repair:         "for real n >= 1 no counterexample was found",
			Argument: [2]string{
				"k = 1, n = 6: f = 1 - (8/9)^6 = 0.50672, efficiency (6/9) log2(1/f) = 0.65381.",
				"k = 2: n = 2, 3, 4 give f = 1 - 2 (7/9)^n + (21/36)^n = 0.13040, 0.25756, 0.38391 and 0.65310, 0.65234, 0.61384.",
			},
			Checked: "the smallest counterexample, all n; a second at m = 12, k = 1; real n from 1 in steps of 1/16: m <= 40, by (60) with powers of 500 bits",
			Check: func(r *Run) error {
				_, k1 := atPeak(12, 1, rateC)
				_, k2 := atPeak(12, 2, rateC)
				return first(
					r.Once(func() error { return holds(k1.above(k2), "m=12 is none") }),
					r.Smallest([]int{9, 1}, Box{{"m", 2, 12}, {"k", 1, 5}}, func(p []int) error {
						m, k := p[0], p[1]
						if 2*k > m-2 {
							return errOutside
						}
						_, now := atPeak(m, k, rateC)
						_, next := atPeak(m, k+1, rateC)
						return holds(next.above(now), "peak not above that of k")
					}),
					r.All(Box{{"m", 4, r.Upto(16, 40)}, {"k", 1, r.Upto(7, 19)}}, func(p []int) error {
						m, k := p[0], p[1]
						if 2*k > m-2 {
							return errOutside
						}
						now, next := realPeak(m, k), realPeak(m, k+1)
						return holds(now < next, "real peaks %v and %v", now, next)
					}))
			},
		},
		{
			ID: "burns.4.1.2.smallest", Paper: Burns, Ref: "Section 4.1.2, before Conjecture 28",
			Statement:      "a single position per item realises the smallest peak efficiency of a classic filter",
			Domain:         "1 <= k <= m/2, n whole",
			Verdict:        Refuted,
			Counterexample: "m = 9: 0.6538 for k = 1, 0.6531 for k = 2",
			Repair:         "for real n >= 1 no counterexample was found (burns.conj28)",
			Argument: [2]string{
				"k = 1, n = 6: f = 1 - (8/9)^6 = 0.50672, efficiency (6/9) log2(1/f) = 0.65381.",
				"k = 2, n = 2: f = 1 - 2 (7/9)^2 + (21/36)^2 = 0.13040, efficiency (2/9) log2(1/f) = 0.65310; n = 1, 3, 4 give less.",
			},
			Checked: "the smallest counterexample, all n; the printed statement for m <= 8",
			Check: func(r *Run) error {
				return r.Smallest([]int{9}, Box{{"m", 2, 9}}, func(p []int) error {
					_, one := atPeak(p[0], 1, rateC)
					for k := 2; 2*k <= p[0]; k++ {
						if _, other := atPeak(p[0], k, rateC); one.above(other) {
							return fmt.Errorf("the peak of k=%d is below", k)
						}
					}
					return nil
				})
			},
		},
		{
			ID: "burns.eq75", Paper: Burns, Ref: "Section 4.1.2, Conjecture 28, (75)",
			Statement: "the largest efficiency of a classic filter is (1/m) log2 C(m,m/2), at n = 1, k = m/2 and p = 1/C(m,m/2) only",
			Domain:    "m even, n whole; for odd m >= 5 it is at n = 1 with both k = (m-1)/2 and k = (m+1)/2, for m = 3 at n = 2, k = 1",
			Verdict:   Open,
			Checked:   "every n >= 1 and k, m <= 40, odd m included",
			Check: func(r *Run) error {
				return r.All(Box{{"m", 2, r.Upto(14, 40)}, {"k", 1, r.Upto(14, 40)}}, func(p []int) error {
					m, k := p[0], p[1]
					if k >= m || m == 3 {
						return errOutside
					}
					peak := cutDownOf(1, quo(whole(1), ichoose(m, m/2)))
					if err := same(rateC(m, 1, k), quo(whole(1), ichoose(m, k))); err != nil {
						return err
					}
					for n := 1; n <= 2*m/k+3; n++ {
						if n == 1 && (k == m/2 || k == m-m/2) {
							continue
						}
						if !peak.above(cutDownOf(n, rateC(m, n, k))) {
							return fmt.Errorf("n=%d is not below", n)
						}
					}
					return nil
				})
			},
		},
		{
			ID: "burns.4.1.2.one", Paper: Burns, Ref: "Section 4.1.2, after Conjecture 28",
			Statement: "eps*_C(m,1) = eps*_S(m,1) < ln 2",
			Domain:    "m >= 2",
			Verdict:   Confirmed,
			Checked:   "f_C(m,n,1) = f_S(m,n,1) for all n <= 2m+3, and the peak below ln 2: m <= 40",
			Check: func(r *Run) error {
				lo, _ := squareOfLn2()
				return r.All(Box{{"m", 2, r.Upto(14, 40)}}, func(p []int) error {
					m := p[0]
					for n := 0; n <= 2*m+3; n++ {
						if err := same(rateC(m, n, 1), rateS(m, n, 1)); err != nil {
							return err
						}
					}
					_, peak := atPeak(m, 1, rateC)
					return below(peak.hi, mul(whole(m), lo))
				})
			},
		},
		{
			ID: "burns.eq76", Paper: Burns, Ref: "Section 4.1.2, Remark 29, (76)",
			Statement:      "for given m and k the peak efficiency of a classic filter is at about n = (m/k - 1) ln 2",
			Domain:         "6k <= m: the true n is less than 1 away. For k above about m/5 the peak is at n = 1, whatever (76) says",
			Verdict:        Conditional,
			Counterexample: "m = 24, k = 6: the peak is at n = 1; (76) gives 2.08",
			Checked:        "exhaustively for 6k <= m <= 48; the counterexample is the smallest of a distance of 1 or more with k <= m/2",
			Check: func(r *Run) error {
				near := func(m, k int) error {
					n, _ := atPeak(m, k, rateC)
					l, h := ln(whole(2))
					x := rat(m-k, k)
					return first(below(whole(n-1), mul(x, h)), below(mul(x, l), whole(n+1)))
				}
				return first(
					r.Smallest([]int{24, 6}, Box{{"m", 2, 24}, {"k", 1, 12}}, func(p []int) error {
						if 2*p[1] > p[0] {
							return errOutside
						}
						return near(p[0], p[1])
					}),
					r.All(Box{{"m", 6, r.Upto(20, 48)}, {"k", 1, r.Upto(3, 8)}}, func(p []int) error {
						if 6*p[1] > p[0] {
							return errOutside
						}
						return near(p[0], p[1])
					}))
			},
		},
		{
			ID: "burns.eq77", Paper: Burns, Ref: "Section 4.1.2, Remark 29, (77)",
			Statement: "for given m and n, k = m ln 2/(n + ln 2) is close to the peak efficiency of a classic filter",
			Domain:    "m >= 2, n <= m, k rounded, at least 1: at least 90 % of it; at least 96 % for n >= 2. For n = 1 the best k is m/2, not 0.41 m",
			Verdict:   Confirmed,
			Checked:   "exhaustively: n <= m <= 40",
			Check: func(r *Run) error {
				l, _ := ln(whole(2))
				return r.All(Box{{"m", 2, r.Upto(14, 40)}, {"n", 1, r.Upto(14, 40)}}, func(p []int) error {
					m, n := p[0], p[1]
					if n > m {
						return errOutside
					}
					_, f := bestC(m, n)
					x := add(quo(mul(whole(m), l), add(whole(n), l)), rat(1, 2))
					k := max(1, int(new(big.Int).Quo(x.Num(), x.Denom()).Int64()))
					share := rat(96, 100)
					if n == 1 {
						share = rat(90, 100)
					}
					return atMost(mul(share, cutDownOf(n, f).hi), cutDownOf(n, rateC(m, n, k)).lo)
				})
			},
		},
		{
			ID: "burns.cor30.standard", Paper: Burns, Ref: "Section 4.1.2, Corollary 30",
			Statement: "eps*_S(m) = 1/(m log2(m/(m-1))) increases strictly with limit ln 2 = 0.6931",
			Domain:    "m >= 2",
			Verdict:   Confirmed,
			Checked:   "m ln(m/(m-1)) falls strictly and lies between 1 and m/(m-1): m <= 10^4",
			Check: func(r *Run) error {
				l, _ := ln(whole(2))
				return first(
					r.Once(func() error { return roundsRat(l, "0.6931") }),
					r.All(Box{{"m", 2, r.Upto(300, 10000)}}, func(p []int) error {
						m := p[0]
						lo, hi := ln(rat(m, m-1))
						_, next := ln(rat(m+1, m))
						return first(below(mul(whole(m+1), next), mul(whole(m), lo)), below(whole(1), mul(whole(m), lo)), below(mul(whole(m), hi), rat(m, m-1)))
					}))
			},
		},
		{
			ID: "burns.cor30.classic", Paper: Burns, Ref: "Section 4.1.2, Corollary 30",
			Statement: "eps*_C(m) = (1/m) log2 C(m,m/2) increases strictly with limit 1, by C(2m,m) ~ 4^m/sqrt(pi m)",
			Domain:    "m even",
			Verdict:   Confirmed,
			Checked:   "C(m,m/2)^(m+2) < C(m+2,m/2+1)^m; 2^m/sqrt(2m) <= C(m,m/2) <= 2^m sqrt(2/(3m+2)), whose ratio to 2^m/sqrt(pi m/2) is between 0.88 and 1.03: m <= 1000",
			Check: func(r *Run) error {
				return r.All(Box{{"m/2", 1, r.Upto(40, 500)}}, func(p []int) error {
					h := p[0]
					c, next := ichoose(2*h, h), ichoose(2*h+2, h+1)
					square := quo(mul(c, c), ipow(16, h)) // (C/4^h)^2 is about 1/(pi h)
					return first(
						below(pow(c, h+1), pow(next, h)),
						atMost(rat(1, 4*h), square), atMost(square, rat(1, 3*h+1)))
				})
			},
		},
		{
			ID: "burns.fig10", Paper: Burns, Ref: "Section 4.1.2, Figure 10",
			Statement: "m = 100: the largest efficiency of a classic filter is 0.96, at n = 1, k = 50",
			Domain:    "m = 100",
			Verdict:   Confirmed,
			Checked:   "(1/100) log2 C(100,50), against n = 1 and every k, and n = 2..4 with k = 10..50",
			Check: func(r *Run) error {
				return r.Once(func() error {
					l, _ := ln(whole(2))
					peak := cutDownOf(1, rateC(100, 1, 50))
					err := roundsRat(quo(peak.lo, mul(whole(100), l)), "0.96")
					for k := 1; k < 100 && err == nil; k++ {
						if k != 50 {
							err = holds(peak.above(cutDownOf(1, rateC(100, 1, k))), "k=%d is not below", k)
						}
					}
					for n := 2; n <= 4 && err == nil; n++ {
						for k := 10; k <= 50 && err == nil; k += 5 {
							err = holds(peak.above(cutDownOf(n, rateC(100, n, k))), "n=%d k=%d is not below", n, k)
						}
					}
					return err
				})
			},
		},
		{
			ID: "burns.eq78", Paper: Burns, Ref: "Section 4.2, Theorem 31, (78)",
			Statement: "(1-e^(-kx))^k = (1-e^(-(k+1)x))^(k+1) at x = 0 and at one x > 0",
			Domain:    "k >= 1",
			Verdict:   Confirmed,
			Checked:   "with z = e^x: the difference is positive for 1 < z below the root of z^(k+1) = z + 1 and negative above, on 400 points up to 4, and within 2^-60 of the root: k <= 12",
			Check:     checkValley,
		},
		{
			ID: "burns.eq79", Paper: Burns, Ref: "Section 4.2, Theorem 31, (79)",
			Statement: "x = ln of the nested root z = (1 + (1 + (1 + ...)^(1/(k+1)))^(1/(k+1)))^(1/(k+1)), the root of z^(k+1) - z - 1 = 0",
			Domain:    "k >= 1",
			Verdict:   Confirmed,
			Checked:   "for 1 <= z below the root, z < (1+z)^(1/(k+1)) < root, so the nested roots rise to it; the root is that of (78), as above: k <= 12",
			Check:     checkValley,
		},
		{
			ID: "burns.4.2.valleys", Paper: Burns, Ref: "Section 4.2",
			Statement: "for given m the efficiency of the best k, as a function of n, is lowest where k and k+1 are equally efficient",
			Domain:    "2 <= n <= m ln 2: every n that is less efficient than both neighbours lies at a change of the best k",
			Verdict:   Confirmed,
			Checked:   "standard and classic, m <= 48",
			Check: func(r *Run) error {
				return r.All(Box{{"classic", 0, 1}, {"m", 4, r.Upto(22, 48)}}, func(p []int) error {
					m := p[1]
					type point struct {
						k   int
						eff cutDown
					}
					var points []point
					for n := 1; textbook(m, n-1, 1) && n <= m; n++ {
						k, f := bestS(m, n)
						if p[0] == 1 {
							k, f = bestC(m, n)
						}
						points = append(points, point{k[0], cutDownOf(n, f)})
					}
					for i := 1; i+1 < len(points); i++ {
						a, b, c := points[i-1], points[i], points[i+1]
						if a.eff.above(b.eff) && c.eff.above(b.eff) && a.k == c.k {
							return fmt.Errorf("n=%d: valley within k=%d", i+1, b.k)
						}
					}
					return nil
				})
			},
		},
		{
			ID: "burns.4.3", Paper: Burns, Ref: "Section 4.3",
			Statement:      "a classic filter of one item is compressed to at most log2 C(m,k) bits, so its efficiency is 1 for all k <= m/2",
			Domain:         "bits counted as log2 C(m,k); in whole bits only where C(m,k) is a power of 2",
			Verdict:        Conditional,
			Counterexample: "m = 3, k = 1: three arrays need 2 bits, and the efficiency is (1/2) log2 3 = 0.79",
			Checked:        "f_C = 1/C(m,k); the least whole number of bits is log2 C(m,k) for powers of 2 only: 1 <= k <= m/2, m <= 200",
			Check: func(r *Run) error {
				whole2 := func(p []int) error {
					m, k := p[0], p[1]
					if 2*k > m {
						return errOutside
					}
					return same(ichoose(m, k), ipow(2, bitsFor(ichoose(m, k).Num())))
				}
				box := Box{{"m", 2, r.Upto(40, 200)}, {"k", 1, r.Upto(20, 100)}}
				return first(
					r.Smallest([]int{3, 1}, box, whole2),
					r.All(box, func(p []int) error {
						m, k := p[0], p[1]
						if 2*k > m {
							return errOutside
						}
						b := bitsFor(ichoose(m, k).Num())
						return first(same(rateC(m, 1, k), quo(whole(1), ichoose(m, k))), atMost(ichoose(m, k), ipow(2, b)), below(ipow(2, max(b-1, 0)), mul(whole(2), ichoose(m, k))))
					}))
			},
		},
	}
}

// realPeak returns the largest efficiency of a classic filter over n = 1, 17/16, 18/16,
// ... to beyond the peak, by (60) with the real powers of its ratios. The terms are at
// most 2^k and the powers are right to some 490 of 500 bits, so the result is as good
// as a float64.
func realPeak(m, k int) float64 {
	const prec = 500
	roots := make([]*big.Float, k+1)
	for i := range roots {
		roots[i] = new(big.Float).SetPrec(prec).SetRat(quo(ichoose(m-i, k), ichoose(m, k)))
		for range 4 {
			roots[i].Sqrt(roots[i])
		}
	}
	powers := make([]*big.Float, k+1)
	for i := range powers {
		powers[i] = new(big.Float).SetPrec(prec).SetInt64(1)
	}
	peak := 0.0
	for j := 1; j <= 16*(2*m/k+1); j++ {
		f := new(big.Float).SetPrec(prec)
		for i, p := range powers {
			p.Mul(p, roots[i])
			term := new(big.Float).SetPrec(prec).SetRat(mul(sign(i), ichoose(k, i)))
			f.Add(f, term.Mul(term, p))
		}
		if j < 16 {
			continue
		}
		mantissa := new(big.Float)
		e := f.MantExp(mantissa)
		x, _ := mantissa.Float64()
		peak = max(peak, -float64(j)/16/float64(m)*(math.Log2(x)+float64(e)))
	}
	return peak
}

// bitsFor returns the least b with x <= 2^b.
func bitsFor(x *big.Int) int { return new(big.Int).Sub(x, big.NewInt(1)).BitLen() }

func checkStandardPeaks(r *Run) error {
	return first(
		r.Smallest([]int{7, 3}, Box{{"m", 2, 8}, {"k", 1, 7}}, func(p []int) error {
			_, now := atPeak(p[0], p[1], rateS)
			_, next := atPeak(p[0], p[1]+1, rateS)
			return holds(now.above(next), "peak not above that of k+1")
		}),
		r.All(hoelderBox(r), func(p []int) error {
			m, n, k := p[0], p[1], p[2]
			return atMost(pow(fill(m, n, k), k+1), pow(fill(m, n, k+1), k))
		}))
}

// checkValley decides (78) and (79).
func checkValley(r *Run) error {
	return r.All(Box{{"k", 1, r.Upto(6, 12)}}, func(p []int) error {
		k := p[0]
		trinomial := func(z *big.Rat) int { return sub(pow(z, k+1), add(z, whole(1))).Sign() }
		difference := func(z *big.Rat) int {
			y := quo(whole(1), z)
			left := pow(sub(whole(1), pow(y, k)), k)
			return left.Cmp(pow(sub(whole(1), pow(y, k+1)), k+1))
		}
		lo, hi := whole(1), whole(2) // trinomial(1) < 0, trinomial(2) > 0 or, for k = 1, above 0
		for range 62 {
			middle := quo(add(lo, hi), whole(2))
			if trinomial(middle) < 0 {
				lo = middle
			} else {
				hi = middle
			}
		}
		var points []*big.Rat
		for i := 1; i <= 400; i++ {
			points = append(points, add(whole(1), rat(3*i, 400)))
		}
		if difference(whole(1)) != 0 {
			return fmt.Errorf("x = 0 is no solution")
		}
		for _, z := range append(points, lo, hi) {
			if trinomial(z) != -difference(z) {
				return fmt.Errorf("z=%s: the trinomial has sign %d, the difference %d", short(z), trinomial(z), difference(z))
			}
		}
		return nil
	})
}
