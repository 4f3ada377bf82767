package claims

import (
	"fmt"
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

func hoelderBox(r *run) box {
	return box{{"m", 1, r.upto(8, 16)}, {"n", 1, r.upto(10, 24)}, {"k", 1, r.upto(5, 10)}}
}

// overfilled are pairs of numbers of items that lie around the real peak of M.
func overfilledBox(r *run) box {
	return box{{"m", 8, r.upto(20, 48)}, {"k", 1, r.upto(3, 6)}, {"n", 2, r.upto(14, 40)}, {"d", 1, r.upto(10, 30)}}
}

func burns411Standard() []Claim {
	return []Claim{
		{
			ID: "burns.4.range", Paper: Burns, Ref: "Section 4, after Walker",
			Statement:      "0 < efficiency <= 1, efficiency = (n/m) log2(1/p)",
			Domain:         "p < 1: m >= 2, and k < m for classic hashing. The upper bound holds for all filters",
			Verdict:        Conditional,
			Counterexample: "m = 1, n = 1, k = 1: the rate is 1, the efficiency 0",
			Checked:        "f^n >= 2^-m and f < 1, both hashings, exhaustively: m <= 24, n <= 12, k <= 25",
			check: func(r *run) error {
				box := boundsBox(r)
				box[1].Lo = 1
				positive := func(m, n, k int) error { return below(rateS(m, n, k), whole(1)) }
				return first(
					r.smallest([]int{1, 1, 1}, box, bounded(anyK, positive)),
					r.all(box, bounded(anyK, func(m, n, k int) error {
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
			check: func(r *run) error {
				return r.all(rateBox(r), rates(bloomproof.Standard, func(m, n, k int, f *big.Rat) error {
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
			check: func(r *run) error {
				return r.all(rateBox(r), rates(bloomproof.Classic, func(m, n, k int, f *big.Rat) error {
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
			check: func(r *run) error {
				_, top := squareOfLn2()
				return first(checkHalf(r), r.all(box{{"m", 2, r.upto(12, 40)}, {"k", 1, r.upto(4, 8)}}, func(p []int) error {
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
			check:     checkHalf,
		},
		{
			ID: "burns.4.1.near", Paper: Burns, Ref: "Section 4.1",
			Statement: "ln(m/(m-1)) is approximately 1/m",
			Domain:    "m >= 2: 1/m < ln(m/(m-1)) < 1/(m-1)",
			Verdict:   Confirmed,
			Checked:   "the two bounds: m <= 10^5",
			check: func(r *run) error {
				return r.all(box{{"m", 2, r.upto(300, 100000)}}, func(p []int) error {
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
			check: func(r *run) error {
				lo, _ := squareOfLn2()
				return r.all(box{{"m", 1, r.upto(14, 40)}, {"n", 1, r.upto(14, 40)}}, func(p []int) error {
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
			check: func(r *run) error {
				return r.all(hoelderBox(r), func(p []int) error {
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
			check: func(r *run) error {
				return r.all(hoelderBox(r), func(p []int) error {
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
			check: func(r *run) error {
				return r.all(hoelderBox(r), func(p []int) error {
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
			check: func(r *run) error {
				pmf := occupied(2, 1, 1)
				return first(
					r.once(func() error {
						return first(same(pmf[1], pmf[2]), same(classicPower(2, 2, 1), rat(3, 2)), same(classicPower(2, 2, 2), rat(5, 2)))
					}),
					r.all(hoelderBox(r), func(p []int) error {
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
			check:          checkStandardPeaks,
		},
		{
			ID: "burns.eq74", Paper: Burns, Ref: "Section 4.1.1, Corollary 27, (74)",
			Statement: "the largest efficiency of a standard filter of m bits is 1/(m log2(m/(m-1))), at k = 1, n = 1/log2(m/(m-1)) and p = 1/2 only",
			Domain:    "m >= 2, n real; a whole n reaches it for m = 2 only",
			Verdict:   Confirmed,
			Checked:   "n ln(1/f_S) ln(m/(m-1)) < (ln 2)^2 for whole n and every k, except m = 2, n = k = 1, where f = 1/2: m <= 40, n <= 40, k <= 2 m/n + 3",
			check: func(r *run) error {
				top, _ := squareOfLn2()
				return first(
					r.once(func() error { return same(rateS(2, 1, 1), rat(1, 2)) }),
					r.all(box{{"m", 2, r.upto(14, 40)}, {"n", 1, r.upto(14, 40)}}, func(p []int) error {
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
			check: func(r *run) error {
				return r.all(box{{"d", 3, r.upto(20, 60)}, {"i", 1, 60}}, func(p []int) error {
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
			check: func(r *run) error {
				return r.all(box{{"m", 1, r.upto(20, 60)}, {"n", 1, r.upto(20, 60)}}, func(p []int) error {
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
			check: func(r *run) error {
				return r.once(func() error {
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
	}
}

func checkStandardPeaks(r *run) error {
	return first(
		r.smallest([]int{7, 3}, box{{"m", 2, 8}, {"k", 1, 7}}, func(p []int) error {
			_, now := atPeak(p[0], p[1], rateS)
			_, next := atPeak(p[0], p[1]+1, rateS)
			return holds(now.above(next), "peak not above that of k+1")
		}),
		r.all(hoelderBox(r), func(p []int) error {
			m, n, k := p[0], p[1], p[2]
			return atMost(pow(fill(m, n, k), k+1), pow(fill(m, n, k+1), k))
		}))
}
