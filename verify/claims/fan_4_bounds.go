package claims

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// upperRate returns (1 - (1-k/m)^n)^k.
func upperRate(m, n, k int) *big.Rat {
	return pow(sub(whole(1), pow(rat(m-k, m), n)), k)
}

// fitting leaves out the points with k > m.
func fitting(law func(m, n, k int) error) func(p []int) error {
	return func(p []int) error {
		if p[2] > p[0] {
			return errOutside
		}
		return law(p[0], p[1], p[2])
	}
}

// errorRatio returns (upper - lower)/lower of a bound and f_bloom, the paper's beta.
func errorRatio(bound func(m, n uint64, k int, prec uint) (exact.Enclosure, error), m, n uint64, k int) (float64, error) {
	upper, err1 := bound(m, n, k, 192)
	lower, err2 := exact.Bloom(m, n, k, 192)
	if err := first(err1, err2); err != nil {
		return 0, err
	}
	d := new(big.Float).Sub(upper.Lo(), lower.Hi())
	beta, _ := d.Quo(d, lower.Hi()).Float64()
	return beta, nil
}

func fan4Bounds() []Claim {
	return []Claim{
		{
			ID: "fan.eq16", Paper: Fan, Ref: "Section 4, (16)",
			Statement: "in a filter of k partitions a bit is 0 after n elements with probability (1-k/m)^n",
			Domain:    "k divides m",
			Verdict:   Confirmed,
			Checked:   "a partition of m/k bits and n balls, by enumeration: m/k <= 6, n <= 8, k <= 6",
			check: func(r *run) error {
				return r.all(box{{"m/k", 1, 6}, {"n", 0, r.upto(5, 8)}, {"k", 1, 6}}, func(p []int) error {
					l, err := union(p[0], repeat(1, p[1])...)
					if err != nil {
						return err
					}
					m, k := p[0]*p[2], p[2]
					return same(l.prob(func(mask int) bool { return mask&1 == 0 }), pow(rat(m-k, m), p[1]))
				})
			},
		},
		{
			ID: "fan.eq17", Paper: Fan, Ref: "Section 4, Lemma 2, (17)",
			Statement: "(1-k/m)^n < (1-1/m)^(kn)",
			Domain:    "m > k > 1, n > 1 as printed; it holds for n = 1 and k = m too",
			Verdict:   Confirmed,
			Checked:   "2 <= k <= m <= 60, 1 <= n <= 20, exactly; it is Bernoulli's inequality",
			check: func(r *run) error {
				return r.all(box{{"m", 2, r.upto(20, 60)}, {"n", 1, r.upto(8, 20)}, {"k", 2, r.upto(20, 60)}}, fitting(func(m, n, k int) error {
					return below(pow(rat(m-k, m), n), pow(rat(m-1, m), k*n))
				}))
			},
		},
		{
			ID: "fan.eq18", Paper: Fan, Ref: "Section 4, (18)",
			Statement:      "f_partition > f > f_bloom",
			Domain:         "k divides m, k >= 2, n >= 1",
			Verdict:        Conditional,
			Counterexample: "k = 1 or n = 0: all three are equal; k not a divisor of m: there is no such partitioned filter",
			Checked:        "the rate of k partitions from the law of one, against the exact rate: m/k <= 4, n <= 6, k <= 5. The printed proof compares probabilities of a single bit, which is not enough",
			check: func(r *run) error {
				return r.all(box{{"m/k", 1, r.upto(3, 4)}, {"n", 1, r.upto(4, 6)}, {"k", 2, r.upto(4, 5)}}, func(p []int) error {
					m, n, k := p[0]*p[2], p[1], p[2]
					hit := mean(occupied(p[0], repeat(1, n)...), func(i int) *big.Rat { return rat(i, p[0]) })
					f := standardRate(m, n, k)
					return first(below(f, pow(hit, k)), below(bloomRate(m, n, k), f))
				})
			},
		},
		{
			ID: "fan.eq20", Paper: Fan, Ref: "Section 4, (20)",
			Statement:      "(1-(1-k/m)^n)^k > f > (1-(1-1/m)^(nk))^k",
			Domain:         "m >= k >= 2, n >= 1",
			Verdict:        Conditional,
			Counterexample: "k = 1 or n = 0: all three are equal. m = 1, n = 1, k = 2: the bound is (1-(-1))^2 = 4, and for n = 2 it is 0, the rate 1: for k > m it bounds nothing",
			Checked:        "exact rates: m <= 20, n <= 8, k <= min(10, m). The printed proof compares probabilities of a single bit, which is not enough; Burns' Theorem 15 gives it",
			check: func(r *run) error {
				return first(
					r.all(strictBox(r), fitting(func(m, n, k int) error {
						f := standardRate(m, n, k)
						return first(below(f, upperRate(m, n, k)), below(bloomRate(m, n, k), f))
					})),
					r.once(func() error {
						return first(same(upperRate(1, 2, 2), whole(0)), same(standardRate(1, 2, 2), whole(1)), same(upperRate(1, 1, 2), whole(4)))
					}))
			},
		},
		{
			ID: "fan.eq19", Paper: Fan, Ref: "Section 4, (19)",
			Statement:      "the rate of a partitioned filter is (1-(1-k/m)^n)^k",
			Domain:         "k divides m",
			Verdict:        Conditional,
			Counterexample: "m = 3, k = 2: no partitions are equal; those of 1 and 2 bits have the rate 1 * 1/2 at n = 1, the formula says 4/9",
			Checked:        "the product over partitions of the chance that a bit of it is set, by enumeration: m/k <= 6, n <= 8, k <= 6",
			check: func(r *run) error {
				return first(
					r.all(box{{"m/k", 1, 6}, {"n", 0, r.upto(5, 8)}, {"k", 1, 6}}, func(p []int) error {
						l, err := union(p[0], repeat(1, p[1])...)
						if err != nil {
							return err
						}
						hit := mean(l.pmf(), func(i int) *big.Rat { return rat(i, p[0]) })
						return same(pow(hit, p[2]), upperRate(p[0]*p[2], p[1], p[2]))
					}),
					r.once(func() error { return same(upperRate(3, 1, 2), rat(4, 9)) }))
			},
		},
		{
			ID: "fan.eq21", Paper: Fan, Ref: "Section 4, (21)",
			Statement: "(1-1/x)^(-x) tends to e as x grows",
			Domain:    "x to infinity",
			Verdict:   Confirmed,
			Checked:   "(1-1/x)^(-x)/e is between 1 and 1 + 1/x, by enclosures: x = 2 to 2^60",
			check: func(r *run) error {
				return r.all(box{{"log2 x", 1, 60}}, func(p []int) error {
					// f_bloom and its exponential form at k = 1, n = m = x are
					// 1-(1-1/x)^x and 1-1/e.
					x := uint64(1) << p[0]
					b, err1 := exact.Bloom(x, x, 1, 256)
					e, err2 := exact.Exponential(x, x, 1, 256)
					if err := first(err1, err2); err != nil {
						return err
					}
					miss := func(f *big.Float) *big.Float { return new(big.Float).Sub(big.NewFloat(1), f) }
					ratio, _ := new(big.Float).Quo(miss(e.Lo()), miss(b.Hi())).Float64()
					if ratio < 1 || ratio > 1+1/float64(x)+1e-15 {
						return fmt.Errorf("ratio %g", ratio)
					}
					return nil
				})
			},
		},
		{
			ID: "fan.eq22", Paper: Fan, Ref: "Section 4, (22)",
			Statement:      "the limit of (1-(1-1/m)^(nk))^k as m grows is (1-e^(-nk/m))^k",
			Domain:         "n, k fixed",
			Verdict:        Misprint,
			Counterexample: "the right side depends on m; with n and k fixed the limit is 0",
			Repair:         "the quotient of the two sides tends to 1, with n/m fixed as with n fixed",
			Argument: [2]string{
				"With n, k fixed, (1-1/m)^(nk) tends to 1, so the left side tends to 0.",
				"1 <= quotient <= (m/(m-1))^k: see fan.eq2.exponential; it tends to 1.",
			},
			Checked: "the quotient, n = 1 and n = m, k <= 32, m = 2^2 to 2^60; the left side at n = 1 below (k/m)^k",
			check: func(r *run) error {
				return r.all(box{{"log2 m", 2, 60}, {"k", 1, r.upto(8, 32)}, {"n = m", 0, 1}}, func(p []int) error {
					m, k := uint64(1)<<p[0], p[1]
					n := uint64(1)
					if p[2] == 1 {
						n = m
					}
					return quotientNearOne(exact.Bloom, exact.Exponential, m, n, k)
				})
			},
		},
		{
			ID: "fan.eq23", Paper: Fan, Ref: "Section 4, (23)",
			Statement:      "the limit of f as m grows is (1-e^(-nk/m))^k",
			Domain:         "n, k fixed",
			Verdict:        Misprint,
			Counterexample: "as (22): the right side depends on m",
			Repair:         "f/(1-e^(-nk/m))^k tends to 1, with n/m fixed as with n fixed",
			Argument: [2]string{
				"With n, k fixed every rate tends to 0, as n k of infinitely many bits are set.",
				"Divided by (1-e^(-nk/m))^k both bounds of (20) tend to 1, and f lies between them.",
			},
			Checked: "the quotient less 1 at 2m is between 0.45 and 0.55 of that at m: m = 2^10 to 2^50, n = 1, m/16, m/4, m, k = 2 to 10",
			check: func(r *run) error {
				return r.all(box{{"log2 m", 10, r.upto(20, 50)}, {"k", 2, r.upto(6, 10)}, {"n", 0, 3}}, func(p []int) error {
					excess := func(log int) (*big.Float, error) {
						m := uint64(1) << log
						n := []uint64{1, m / 16, m / 4, m}[p[2]]
						f, _, err1 := exact.FPR(bloomproof.Geometry{M: m, K: p[1]}, n, 192, exact.Auto)
						e, err2 := exact.Exponential(m, n, p[1], 192)
						q := new(big.Float).Quo(f.Lo(), e.Hi())
						return q.Sub(q, big.NewFloat(1)), first(err1, err2)
					}
					x, err1 := excess(p[0])
					y, err2 := excess(p[0] + 1)
					if err := first(err1, err2); err != nil {
						return err
					}
					if ratio, _ := new(big.Float).Quo(y, x).Float64(); x.Sign() <= 0 || ratio < 0.45 || ratio > 0.55 {
						return fmt.Errorf("the excess shrinks by %g", ratio)
					}
					return nil
				})
			},
		},
		{
			ID: "fan.fig2", Paper: Fan, Ref: "Section 4, Figure 2 and after it",
			Statement: "for k = 7 and m = 10n the upper bound (19) and f_bloom converge relatively fast, for n = 9",
			Domain:    "k = 7, m = 10n",
			Verdict:   Confirmed,
			Checked:   "the upper bound exceeds f_bloom by 18 % at n = 9, by 1.5 % at n = 100; Bose's is not even defined there (its t is above 1 until m = 2450)",
			check: func(r *run) error {
				return r.once(func() error {
					at9, err1 := errorRatio(exact.Upper, 90, 9, 7)
					at100, err2 := errorRatio(exact.Upper, 1000, 100, 7)
					if err := first(err1, err2); err != nil {
						return err
					}
					if at9 < 0.180 || at9 > 0.181 || at100 < 0.0146 || at100 > 0.0147 {
						return fmt.Errorf("beta = %g at n = 9, %g at n = 100", at9, at100)
					}
					if _, err := exact.BoseUpper(1000, 100, 7, 64); !errors.Is(err, exact.ErrUndefined) {
						return fmt.Errorf("bound of Bose at m = 1000: %v", err)
					}
					return nil
				})
			},
		},
		{
			ID: "fan.fig3", Paper: Fan, Ref: "Section 4, Figure 3 and after it",
			Statement: "beta = (upper - lower)/lower of the bound (19) decreases polynomially at a constant speed; Bose's is slower",
			Domain:    "k = 7, m = 10n: as 1.45/n, Bose's as sqrt(ln m/m)",
			Verdict:   Confirmed,
			Checked:   "from n to 10n beta falls by 9.9 to 10.1, Bose's by 2.8 to 3.2: n = 10^3 to 10^12",
			check: func(r *run) error {
				return r.all(box{{"log10 n", 3, 12}}, func(p []int) error {
					n := uint64(1)
					for range p[0] {
						n *= 10
					}
					ours, err1 := errorRatio(exact.Upper, 10*n, n, 7)
					next, err2 := errorRatio(exact.Upper, 100*n, 10*n, 7)
					bose, err3 := errorRatio(exact.BoseUpper, 10*n, n, 7)
					boseNext, err4 := errorRatio(exact.BoseUpper, 100*n, 10*n, 7)
					if err := first(err1, err2, err3, err4); err != nil {
						return err
					}
					if q := ours / next; q < 9.9 || q > 10.1 {
						return fmt.Errorf("beta falls by %g", q)
					}
					if q := bose / boseNext; q < 2.8 || q > 3.2 {
						return fmt.Errorf("beta of Bose falls by %g", q)
					}
					return nil
				})
			},
		},
		{
			ID: "fan.fig4", Paper: Fan, Ref: "Section 4, Figure 4 and after it",
			Statement: "for m = 10000, n = 1000 the error of using f_bloom increases with k, and the bound (19) is much closer than Bose's",
			Domain:    "k = 1 to 20",
			Verdict:   Confirmed,
			Checked:   "beta increases with k for both; Bose's is 130 (k = 20) to 4300 (k = 2) times as large",
			check: func(r *run) error {
				return r.all(box{{"k", 2, 20}}, func(p []int) error {
					k := p[0]
					var beta [2][2]float64
					for i, bound := range []func(m, n uint64, k int, prec uint) (exact.Enclosure, error){exact.Upper, exact.BoseUpper} {
						for j := range 2 {
							var err error
							if beta[i][j], err = errorRatio(bound, 10000, 1000, k-1+j); err != nil {
								return err
							}
						}
						if beta[i][0] >= beta[i][1] {
							return fmt.Errorf("beta falls from %g to %g", beta[i][0], beta[i][1])
						}
					}
					if q := beta[1][1] / beta[0][1]; q < 130 || q > 4400 {
						return fmt.Errorf("beta of Bose is %g times as large", q)
					}
					return nil
				})
			},
		},
	}
}

// quotientNearOne fails unless a/b is between 1 and (m/(m-1))^k.
func quotientNearOne(a, b func(m, n uint64, k int, prec uint) (exact.Enclosure, error), m, n uint64, k int) error {
	x, err1 := a(m, n, k, 192)
	y, err2 := b(m, n, k, 192)
	if err := first(err1, err2); err != nil {
		return err
	}
	most, _ := pow(new(big.Rat).SetFrac(new(big.Int).SetUint64(m), new(big.Int).SetUint64(m-1)), k).Float64()
	if q, _ := new(big.Float).Quo(x.Hi(), y.Lo()).Float64(); q < 1 || q > most*(1+1e-15) {
		return fmt.Errorf("quotient %g, at most %g", q, most)
	}
	return nil
}
