package claims

import (
	"fmt"
	"math"
	"math/big"
)

var burns412 = []claim{
	burnsConj28, burns412Smallest, burnsEq75, burns412One, burnsEq76, burnsEq77, burnsCor30Standard,
	burnsCor30Classic, burnsFig10,
}

var burnsConj28 = claim{
	ID: "burns.conj28", Ref: "Section 4.1.2, Conjecture 28, first part",
	Statement:      "the peak efficiency over n of a classic filter increases with k: eps*_C(m,k) < eps*_C(m,k+1)",
	Verdict:        Refuted,
	Counterexample: "0.6538 (n = 6) for k = 1, 0.6531 (n = 2) for k = 2",
	Repair:         "for real n >= 1 no counterexample was found",
	Argument: [2]string{
		"k = 1, n = 6: f = 1 - (8/9)^6 = 0.50672, efficiency (6/9) log2(1/f) = 0.65381.",
		"k = 2: n = 2, 3, 4 give f = 1 - 2 (7/9)^n + (21/36)^n = 0.13040, 0.25756, 0.38391 and 0.65310, 0.65234, 0.61384.",
	},
	How: "all n; a second counterexample at m = 12, k = 1; real n from 1 in steps of 1/16 by (60) with powers of 500 bits",
	parts: func() []part {
		half := where("k <= m/2 - 1", "m k", func(x point) bool { return 2*x[1] <= x[0]-2 })
		law := func(p point) error {
			_, now := atPeak(p.int(0), p.int(1), rateC)
			_, next := atPeak(p.int(0), p.int(1)+1, rateC)
			return holds(next.above(now), "peak not above that of k")
		}
		printed := domain{number("m", 2).by(12, 12), number("k", 1).by(5, 5), half, through("n whole")}
		return []part{
			fails(point{9, 1}, printed, law),
			breaks(point{12, 1}, printed, law),
			keeps(domain{number("m", 4).by(16, 40).upTo(64), number("k", 1).by(7, 19).upTo(31), half}, func(p point) (float64, error) {
				return realPeak(p.int(0), p.int(1)+1) - realPeak(p.int(0), p.int(1)), nil
			}).on("real n >= 1").tried(2, 60),
		}
	},
}

var burns412Smallest = claim{
	ID: "burns.4.1.2.smallest", Ref: "Section 4.1.2, before Conjecture 28",
	Statement:      "a single position per item realises the smallest peak efficiency of a classic filter",
	Verdict:        Refuted,
	Counterexample: "0.6538 for k = 1, 0.6531 for k = 2",
	Repair:         "for real n >= 1 no counterexample was found (burns.conj28)",
	Argument: [2]string{
		"k = 1, n = 6: f = 1 - (8/9)^6 = 0.50672, efficiency (6/9) log2(1/f) = 0.65381.",
		"k = 2, n = 2: f = 1 - 2 (7/9)^2 + (21/36)^2 = 0.13040, efficiency (2/9) log2(1/f) = 0.65310; n = 1, 3, 4 give less.",
	},
	How: "all n",
	parts: func() []part {
		return []part{
			fails(point{9}, domain{number("m", 2).by(9, 9), through("1 <= k <= m/2, n whole")}, func(p point) error {
				_, one := atPeak(p.int(0), 1, rateC)
				for k := 2; 2*k <= p.int(0); k++ {
					if _, other := atPeak(p.int(0), k, rateC); one.above(other) {
						return fmt.Errorf("the peak of k=%d is below", k)
					}
				}
				return nil
			}),
		}
	},
}

var burnsEq75 = claim{
	ID: "burns.eq75", Ref: "Section 4.1.2, Conjecture 28, (75)",
	Statement: "the largest efficiency of a classic filter is (1/m) log2 C(m,m/2), at n = 1, k = m/2 and p = 1/C(m,m/2) only",
	Verdict:   Open,
	How:       "every n >= 1; the law includes odd m >= 5, where it is at n = 1 with both k = (m-1)/2 and k = (m+1)/2 (for m = 3 at n = 2, k = 1)",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 2).by(14, 40).upTo(70), number("k", 1).below("m").by(14, 40).upTo(60), where("m not 3", "m", func(x point) bool { return x[0] != 3 }), through("n whole")}, func(p point) error {
				m, k := p.int(0), p.int(1)
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
			}).tried(3, 60),
		}
	},
}

var burns412One = claim{
	ID: "burns.4.1.2.one", Ref: "Section 4.1.2, after Conjecture 28",
	Statement: "eps*_C(m,1) = eps*_S(m,1) < ln 2",
	Verdict:   Confirmed,
	How:       "f_C(m,n,1) = f_S(m,n,1) for all n <= 2m+3, and the peak below ln 2",
	parts: func() []part {
		lo, _ := squareOfLn2()
		return []part{
			holdsOn(domain{number("m", 2).by(14, 40).upTo(200)}, func(p point) error {
				m := p.int(0)
				for n := 0; n <= 2*m+3; n++ {
					if err := same(rateC(m, n, 1), rateS(m, n, 1)); err != nil {
						return err
					}
				}
				_, peak := atPeak(m, 1, rateC)
				return below(peak.hi, mul(whole(m), lo))
			}).tried(2, 40),
		}
	},
}

var burnsEq76 = claim{
	ID: "burns.eq76", Ref: "Section 4.1.2, Remark 29, (76)",
	Statement:      "for given m and k the peak efficiency of a classic filter is at about n = (m/k - 1) ln 2",
	Verdict:        Conditional,
	Counterexample: "the peak is at n = 1; (76) gives 2.08",
	How:            "the true n is less than 1 away; for k above about m/5 the peak is at n = 1, whatever (76) says",
	parts: func() []part {
		near := func(p point) error {
			m, k := p.int(0), p.int(1)
			n, _ := atPeak(m, k, rateC)
			l, h := ln(whole(2))
			x := rat(m-k, k)
			return first(below(whole(n-1), mul(x, h)), below(mul(x, l), whole(n+1)))
		}
		return []part{
			fails(point{24, 6}, domain{number("m", 2).by(24, 24), number("k", 1).by(12, 12), where("k <= m/2", "m k", func(x point) bool { return 2*x[1] <= x[0] })}, near),
			holdsOn(domain{number("m", 6).by(20, 48).upTo(120), number("k", 1).by(3, 8).upTo(20), where("6k <= m", "m k", func(x point) bool { return 6*x[1] <= x[0] })}, near).tried(2, 60),
		}
	},
}

var burnsEq77 = claim{
	ID: "burns.eq77", Ref: "Section 4.1.2, Remark 29, (77)",
	Statement: "for given m and n, k = m ln 2/(n + ln 2) is close to the peak efficiency of a classic filter",
	Verdict:   Confirmed,
	How:       "k rounded, at least 1, has at least 90 % of the peak efficiency, 96 % for n >= 2; for n = 1 the best k is m/2, not 0.41 m",
	parts: func() []part {
		l, _ := ln(whole(2))
		return []part{
			holdsOn(domain{number("m", 2).by(14, 40).upTo(120), number("n", 1).under("m").by(14, 40).upTo(120)}, func(p point) error {
				m, n := p.int(0), p.int(1)
				if 2*m/n > mostRates && m > 40 {
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
			}),
		}
	},
}

var burnsCor30Standard = claim{
	ID: "burns.cor30.standard", Ref: "Section 4.1.2, Corollary 30",
	Statement: "eps*_S(m) = 1/(m log2(m/(m-1))) increases strictly with limit ln 2 = 0.6931",
	Verdict:   Confirmed,
	How:       "m ln(m/(m-1)) falls strictly and lies between 1 and m/(m-1)",
	parts: func() []part {
		l, _ := ln(whole(2))
		return []part{
			comesOut("ln 2 = 0.6931", func() error { return roundsRat(l, "0.6931") }),
			holdsOn(domain{number("m", 2).by(300, 10000).upTo(1 << 50)}, func(p point) error {
				m := p.int(0)
				lo, hi := ln(rat(m, m-1))
				_, next := ln(rat(m+1, m))
				return first(below(mul(whole(m+1), next), mul(whole(m), lo)), below(whole(1), mul(whole(m), lo)), below(mul(whole(m), hi), rat(m, m-1)))
			}),
		}
	},
}

var burnsCor30Classic = claim{
	ID: "burns.cor30.classic", Ref: "Section 4.1.2, Corollary 30",
	Statement: "eps*_C(m) = (1/m) log2 C(m,m/2) increases strictly with limit 1, by C(2m,m) ~ 4^m/sqrt(pi m)",
	Verdict:   Confirmed,
	How:       "C(m,m/2)^(m+2) < C(m+2,m/2+1)^m; 2^m/sqrt(2m) <= C(m,m/2) <= 2^m sqrt(2/(3m+2)), whose ratio to 2^m/sqrt(pi m/2) is between 0.88 and 1.03",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m/2", 1).by(40, 500).upTo(1500)}, func(p point) error {
				h := p.int(0)
				c, next := ichoose(2*h, h), ichoose(2*h+2, h+1)
				square := quo(mul(c, c), ipow(16, h)) // (C/4^h)^2 is about 1/(pi h)
				return first(
					below(pow(c, h+1), pow(next, h)),
					atMost(rat(1, 4*h), square), atMost(square, rat(1, 3*h+1)))
			}).tried(4, 40),
		}
	},
}

var burnsFig10 = claim{
	ID: "burns.fig10", Ref: "Section 4.1.2, Figure 10",
	Statement: "m = 100: the largest efficiency of a classic filter is 0.96, at n = 1, k = 50",
	Verdict:   Confirmed,
	How:       "(1/100) log2 C(100,50), against n = 1 and every k, and n = 2..4 with k = 10..50",
	parts: func() []part {
		return []part{
			holdsOn(domain{exactly("m", 100)}, func(point) error {
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
			}),
		}
	},
}

// realPeak returns the largest efficiency of a classic filter over n = 1, 17/16, 18/16, ... up to 2m/k + 1. The last n
// is beyond the peak. The rate is Burns (60) with its ratios raised to the power n. Each term is at most 2^k. Each
// power is correct to about 490 of its 500 bits. A float64 has only 53.
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

// bitsFor returns the least b such that x <= 2^b.
func bitsFor(x *big.Int) int { return new(big.Int).Sub(x, big.NewInt(1)).BitLen() }
