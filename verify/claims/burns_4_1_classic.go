package claims

import (
	"fmt"
	"math"
	"math/big"
)

func burns412Classic() []Claim {
	return []Claim{
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
			check: func(r *run) error {
				_, k1 := atPeak(12, 1, rateC)
				_, k2 := atPeak(12, 2, rateC)
				return first(
					r.once(func() error { return holds(k1.above(k2), "m=12 is none") }),
					r.smallest([]int{9, 1}, box{{"m", 2, 12}, {"k", 1, 5}}, func(p []int) error {
						m, k := p[0], p[1]
						if 2*k > m-2 {
							return errOutside
						}
						_, now := atPeak(m, k, rateC)
						_, next := atPeak(m, k+1, rateC)
						return holds(next.above(now), "peak not above that of k")
					}),
					r.all(box{{"m", 4, r.upto(16, 40)}, {"k", 1, r.upto(7, 19)}}, func(p []int) error {
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
			check: func(r *run) error {
				return r.smallest([]int{9}, box{{"m", 2, 9}}, func(p []int) error {
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
			check: func(r *run) error {
				return r.all(box{{"m", 2, r.upto(14, 40)}, {"k", 1, r.upto(14, 40)}}, func(p []int) error {
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
			check: func(r *run) error {
				lo, _ := squareOfLn2()
				return r.all(box{{"m", 2, r.upto(14, 40)}}, func(p []int) error {
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
			check: func(r *run) error {
				near := func(m, k int) error {
					n, _ := atPeak(m, k, rateC)
					l, h := ln(whole(2))
					x := rat(m-k, k)
					return first(below(whole(n-1), mul(x, h)), below(mul(x, l), whole(n+1)))
				}
				return first(
					r.smallest([]int{24, 6}, box{{"m", 2, 24}, {"k", 1, 12}}, func(p []int) error {
						if 2*p[1] > p[0] {
							return errOutside
						}
						return near(p[0], p[1])
					}),
					r.all(box{{"m", 6, r.upto(20, 48)}, {"k", 1, r.upto(3, 8)}}, func(p []int) error {
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
			check: func(r *run) error {
				l, _ := ln(whole(2))
				return r.all(box{{"m", 2, r.upto(14, 40)}, {"n", 1, r.upto(14, 40)}}, func(p []int) error {
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
			check: func(r *run) error {
				l, _ := ln(whole(2))
				return first(
					r.once(func() error { return roundsRat(l, "0.6931") }),
					r.all(box{{"m", 2, r.upto(300, 10000)}}, func(p []int) error {
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
			check: func(r *run) error {
				return r.all(box{{"m/2", 1, r.upto(40, 500)}}, func(p []int) error {
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
			check: func(r *run) error {
				return r.once(func() error {
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
