package claims

import (
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof"
)

// excess encloses f(142)/f(k) - 1 and the share of efficiency lost, for m = 1024, n = 5.
func excess(h bloomproof.Hashing, k int) (rate, lost [2]*big.Rat, err error) {
	best, err := rateOf(h, 1024, 5, k)
	if err != nil {
		return rate, lost, err
	}
	text, err := rateOf(h, 1024, 5, 142)
	if err != nil {
		return rate, lost, err
	}
	bl, _ := best.Lo().Rat(nil)
	bh, _ := best.Hi().Rat(nil)
	tl, _ := text.Lo().Rat(nil)
	th, _ := text.Hi().Rat(nil)
	rate = [2]*big.Rat{sub(quo(tl, bh), whole(1)), sub(quo(th, bl), whole(1))}
	// The share is 1 - ln f(142)/ln f(k).
	logs := func(x *big.Rat) *big.Rat { lo, _ := ln(x); return lo }
	lost = [2]*big.Rat{sub(whole(1), quo(logs(tl), logs(bh))), sub(whole(1), quo(logs(th), logs(bl)))}
	return rate, lost, nil
}

// percent fails unless both ends, as per cent, round to want.
func percent(x [2]*big.Rat, want string) error {
	return first(roundsRat(mul(x[0], whole(100)), want), roundsRat(mul(x[1], whole(100)), want))
}

func burns5Discussion() []Claim {
	return []Claim{
		{
			ID: "burns.1.2.overestimates", Paper: Burns, Ref: "Sections 1.2 and 5",
			Statement:      "the common optimum k = (m/n) ln 2 overshoots the best k of both filters",
			Domain:         "n = 1, m >= 3; rounded up it was never exceeded (burns.conj24.high)",
			Verdict:        Conditional,
			Counterexample: "m = 8, n = 3: the best k is 2 for both, (8/3) ln 2 = 1.85",
			Checked:        "n = 1, 3 <= m <= 64; the counterexample; m = 1024, n = 5 in burns.5.best",
			check: func(r *run) error {
				return first(
					r.once(func() error {
						kS, _ := bestS(8, 3)
						kC, _ := bestC(8, 3)
						return holds(least(kS) == 2 && least(kC) == 2 && !textbook(8, 3, 2), "best k %v, %v", kS, kC)
					}),
					r.all(box{{"m", 3, r.upto(20, 64)}}, func(p []int) error {
						kS, _ := bestS(p[0], 1)
						kC, _ := bestC(p[0], 1)
						return holds(textbook(p[0], 1, most(kS)) && textbook(p[0], 1, least(kC)), "best k %v, %v", kS, kC)
					}))
			},
		},
		{
			ID: "burns.5.best", Paper: Burns, Ref: "Section 5",
			Statement: "m = 1024, n = 5: k_S* = 133, k_C* = 124, and the estimate is 142",
			Domain:    "m = 1024, n = 5",
			Verdict:   Confirmed,
			Checked:   "certified comparison of the rates for k = 110..150; (1024/5) ln 2 = 141.96",
			check: func(r *run) error {
				return r.once(func() error {
					l, _ := ln(whole(2))
					return first(bestIs(bloomproof.Standard, 1024, 5, 110, 150, 133), bestIs(bloomproof.Classic, 1024, 5, 110, 150, 124), roundsRat(mul(rat(1024, 5), l), "142"))
				})
			},
		},
		{
			ID: "burns.5.standard", Paper: Burns, Ref: "Section 5",
			Statement: "k = 142 for 133 increases the rate of the standard filter by 15.7 %",
			Domain:    "m = 1024, n = 5",
			Verdict:   Confirmed,
			Checked:   "the ratio of the enclosures, rounded as printed",
			check: func(r *run) error {
				return r.once(func() error {
					rate, _, err := excess(bloomproof.Standard, 133)
					return first(err, percent(rate, "15.7"))
				})
			},
		},
		{
			ID: "burns.5.standard-efficiency", Paper: Burns, Ref: "Section 5",
			Statement: "k = 142 for 133 decreases the efficiency of the standard filter by 0.2 %",
			Domain:    "m = 1024, n = 5; of itself, not in percentage points (0.10)",
			Verdict:   Confirmed,
			Checked:   "the ratio of the enclosures, 0.15 %, rounded as printed",
			check: func(r *run) error {
				return r.once(func() error {
					_, lost, err := excess(bloomproof.Standard, 133)
					return first(err, percent(lost, "0.15"), percent(lost, "0.2"))
				})
			},
		},
		{
			ID: "burns.5.classic", Paper: Burns, Ref: "Section 5",
			Statement: "k = 142 for 124 increases the rate of the classic filter by 106.9 % and decreases its efficiency by 0.7 %",
			Domain:    "m = 1024, n = 5",
			Verdict:   Confirmed,
			Checked:   "the ratios of the enclosures, rounded as printed",
			check: func(r *run) error {
				return r.once(func() error {
					rate, lost, err := excess(bloomproof.Classic, 124)
					return first(err, percent(rate, "106.9"), percent(lost, "0.7"))
				})
			},
		},
		{
			ID: "burns.5.order", Paper: Burns, Ref: "Section 5",
			Statement:      "these rates are of the order of 10^-43",
			Domain:         "the classic filter: 9.1e-44 and 1.9e-43 for k = 124 and 142",
			Verdict:        Conditional,
			Counterexample: "the standard filter: 2.9e-42 and 3.4e-42 for k = 133 and 142",
			Checked:        "the four rates, rounded",
			check: func(r *run) error {
				for _, row := range []struct {
					h    bloomproof.Hashing
					k    int
					want string
				}{
					{bloomproof.Classic, 124, "9.1e-44"}, {bloomproof.Classic, 142, "1.9e-43"},
					{bloomproof.Standard, 133, "2.9e-42"}, {bloomproof.Standard, 142, "3.4e-42"},
				} {
					err := r.once(func() error {
						f, err := rateOf(row.h, 1024, 5, row.k)
						if err != nil {
							return err
						}
						lo, _ := f.Lo().Rat(nil)
						hi, _ := f.Hi().Rat(nil)
						return first(roundsRat(lo, row.want), roundsRat(hi, row.want))
					})
					if err != nil {
						return err
					}
				}
				return nil
			},
		},
		{
			ID: "burns.5.underfilled", Paper: Burns, Ref: "Section 5",
			Statement:      "the expected number of set bits at the best k is slightly less than m/2",
			Domain:         "m/n >= 1/ln 2",
			Verdict:        Refuted,
			Counterexample: "m = 8, n = 3: the best k is 2, and 8 (1 - (7/8)^6) = 4.41 bits are set; the first with n = 1 is m = 2 with exactly 1",
			Repair:         "it is below (m+n)/2, because a whole k can lie above (m/n) ln 2, but by less than 1; m = 1024, n = 5 as in the text is below m/2",
			Argument: [2]string{
				"Where (m/n) ln 2 is rounded up the filter is filled beyond one half, as for m = 1000, n = 100, k = 7: 504 bits.",
				"kn is below m ln 2 + n, so about n positions lie beyond those that fill one half; each sets a new bit with probability at most 1/2.",
			},
			Checked: "standard filters: the counterexamples; below (m+n)/2 exhaustively for n <= m <= 64",
			check: func(r *run) error {
				set := func(m, n int) *big.Rat {
					k, _ := bestS(m, n)
					return standardMean(m, n*least(k))
				}
				return first(
					r.once(func() error {
						return first(same(set(2, 1), whole(1)), below(whole(4), set(8, 3)), roundsRat(set(8, 3), "4.41"),
							bestIs(bloomproof.Standard, 1000, 100, 1, 12, 7), roundsRat(standardMean(1000, 700), "504"), below(standardMean(1024, 5*133), whole(512)))
					}),
					r.all(optimumBox(r), conjecture(true, func(m, n int, _, _ []int) error { return below(set(m, n), rat(m+n, 2)) })))
			},
		},
		{
			ID: "burns.5.overfilling", Paper: Burns, Ref: "Section 5",
			Statement:      "the efficiency lost by overfilling a filter is greater than by underfilling the same filter",
			Domain:         "given m and k, n above and below the peak",
			Verdict:        Refuted,
			Counterexample: "m = 100, k = 7, peak at n = 10: the efficiency is 0.681 at n = 10, 0.662 at n = 13 and 0.660 at n = 7",
			Repair:         "underfilling by as many items loses more: with t = kn/m and E for f, the efficiency t log2(1/(1-e^-t)) is the same for e^-t = y and 1-y, and y lies farther above the peak t = ln 2 than 1-y below",
			Argument: [2]string{
				"t ln(1/(1-e^-t)) = ln y ln(1-y) is symmetric in y = e^-t and 1-y; e.g. t = ln 4 and t = ln(4/3) are equally efficient.",
				"ln 4 - ln 2 = 0.69 and ln 2 - ln(4/3) = 0.41; in general -ln y - ln(1-y) > 2 ln 2 because y (1-y) < 1/4.",
			},
			Checked: "standard filters: n+d is more efficient than n-d for the whole n below the peak of M, d >= 2: 8 <= m <= 48, k <= 6; with E, for every y by the argument",
			check: func(r *run) error {
				return first(
					r.once(func() error {
						peak, _ := atPeak(100, 7, rateS)
						eff := func(n int) *big.Rat {
							l, _ := ln(whole(2))
							return quo(cutDownOf(n, rateS(100, n, 7)).lo, mul(whole(100), l))
						}
						return first(holds(peak == 10, "peak at %d", peak), roundsRat(eff(10), "0.681"), roundsRat(eff(13), "0.662"), roundsRat(eff(7), "0.660"))
					}),
					r.all(overfilledBox(r), func(p []int) error {
						m, k, n, d := p[0], p[1], p[2], p[3]
						// n is the whole number below the peak of M: (1-1/m)^(kn) >= 1/2 > (1-1/m)^(k(n+1)).
						half := rat(1, 2)
						if d < 2 || d >= n || pow(rat(m-1, m), k*n).Cmp(half) < 0 || pow(rat(m-1, m), k*(n+1)).Cmp(half) >= 0 {
							return errOutside
						}
						return holds(cutDownOf(n+d, rateS(m, n+d, k)).above(cutDownOf(n-d, rateS(m, n-d, k))), "n+d is not more efficient")
					}))
			},
		},
		{
			ID: "burns.xref", Paper: Burns, Ref: "Sections 3.1, 3.2.1, 4.1.1, 4.3 and 5, cross-references",
			Statement:      "Taylor's approximation is computed by (17), Corollary 21 follows from Lemma 17, Corollary 27 from Lemma 26, the compression of 4.3 from Corollary 28",
			Domain:         "the text",
			Verdict:        Misprint,
			Counterexample: "(17) is Sprott's p.m.f., which contains no variance; there is no Lemma 17 or 26, no Corollary 28",
			Repair:         "Corollary 17 ((44), (45)), Corollary 17, Theorem 26, Conjecture 28",
			Argument: [2]string{
				"mu + Var phi''/2 needs the mean and the variance of n k balls: (44) and (45).",
				"17 is a corollary, 26 a theorem and 28 a conjecture, which what rests on it inherits.",
			},
			Checked: "that (45) is the variance the approximation needs: E[(X-mu)^2] of nk balls, m <= 8, nk <= 12",
			check: func(r *run) error {
				return r.all(box{{"m", 2, r.upto(6, 8)}, {"nk", 0, r.upto(8, 12)}}, func(p []int) error {
					m, n := p[0], p[1]
					one, two := pow(rat(m-1, m), n), pow(rat(m-2, m), n)
					byEq45 := sub(mul(whole(m), sub(one, two)), mul(ipow(m, 2), sub(mul(one, one), two)))
					if got := variance(occupied(m, repeat(1, n)...)); got.Cmp(byEq45) != 0 {
						return fmt.Errorf("variance %s, (45) %s", short(got), short(byEq45))
					}
					return nil
				})
			},
		},
	}
}
