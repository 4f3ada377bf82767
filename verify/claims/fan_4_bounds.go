package claims

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// upperRate returns (1 - (1-k/m)^n)^k, an upper bound of the rate.
func upperRate(m, n, k int) *big.Rat {
	return pow(sub(whole(1), pow(rat(m-k, m), n)), k)
}

// errorRatio returns (upper - lower)/lower, the paper's beta. Here upper is the given bound, and lower is f_bloom.
func errorRatio(bound func(m, n uint64, k int, prec uint) (exact.Enclosure, error), m, n uint64, k int) (float64, error) {
	upper, err1 := bound(m, n, k, 192)
	lower, err2 := bloomAt(m, n, k, 192)
	if err := first(err1, err2); err != nil {
		return 0, err
	}
	d := new(big.Float).Sub(upper.Lo(), lower.Hi())
	beta, _ := d.Quo(d, lower.Hi()).Float64()
	return beta, nil
}

var fan4 = []claim{
	fanEq16, fanEq17, fanEq18, fanEq20, fanEq19, fanEq21, fanEq22, fanEq23, fanFig2, fanFig3,
	fanFig4,
}

var fanEq16 = claim{
	ID: "fan.eq16", Ref: "Section 4, (16)",
	Statement: "in a filter of k partitions a bit is 0 after n elements with probability (1-k/m)^n",
	Verdict:   Confirmed,
	How:       "a partition of m/k bits and n balls, by enumeration",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m/k", 1).by(6, 6).upTo(10), number("n", 0).by(5, 8).upTo(14), number("k", 1).by(6, 6).upTo(20), through("k divides m")}, func(p point) error {
				l, err := union(p.int(0), repeat(1, p.int(1))...)
				if err != nil {
					return err
				}
				m, k := p.int(0)*p.int(2), p.int(2)
				return same(l.prob(func(mask int) bool { return mask&1 == 0 }), pow(rat(m-k, m), p.int(1)))
			}),
		}
	},
}

var fanEq17 = claim{
	ID: "fan.eq17", Ref: "Section 4, Lemma 2, (17)",
	Statement: "(1-k/m)^n < (1-1/m)^(kn)",
	Verdict:   Confirmed,
	How:       "exactly; it is Bernoulli's inequality; printed for m > k, n > 1",
	parts: func() []part {
		return []part{keeps(domain{number("m", 2).by(20, 60).upTo(400), number("n", 1).by(8, 20).upTo(100), number("k", 2).under("m").by(20, 60).upTo(400)}, func(p point) (float64, error) {
			m, n, k := p.int(0), p.int(1), p.int(2)
			if k*n > 4000 {
				return 0, errOutside // the check would take too long
			}
			return strictGap(pow(rat(m-k, m), n), pow(rat(m-1, m), k*n)), nil
		})}
	},
}

var fanEq18 = claim{
	ID: "fan.eq18", Ref: "Section 4, (18)",
	Statement:      "f_partition > f > f_bloom",
	Verdict:        Conditional,
	Counterexample: "all three are 0; for n = 0 or k = 1 all three are equal; for k not a divisor of m there is no such partitioned filter",
	How:            "the rate of k partitions from the law of one, against the exact rate. The printed proof compares probabilities of a single bit, which is not enough",
	parts: func() []part {
		law := func(p point) (float64, error) {
			m, n, k := p.int(0)*p.int(2), p.int(1), p.int(2)
			hit := mean(occupied(p.int(0), repeat(1, n)...), func(i int) *big.Rat { return rat(i, p.int(0)) })
			f := rateS(m, n, k)
			return min(strictGap(f, pow(hit, k)), strictGap(bloomRate(m, n, k), f)), nil
		}
		return []part{
			fails(point{1, 0, 1}, domain{number("m/k", 1).by(3, 4), number("n", 0).by(4, 6), number("k", 1).by(4, 5), through("k divides m")}, lawOf(law)),
			keeps(domain{number("m/k", 1).by(3, 4).upTo(20), number("n", 1).by(4, 6).upTo(20), number("k", 2).by(4, 5).upTo(10), through("k divides m")}, law),
		}
	},
}

var fanEq20 = claim{
	ID: "fan.eq20", Ref: "Section 4, (20)",
	Statement:      "(1-(1-k/m)^n)^k > f > (1-(1-1/m)^(nk))^k",
	Verdict:        Conditional,
	Counterexample: "all three are 0; for k = 1 or n = 0 all three are equal; m = 1, n = 1, k = 2: the bound is (1-(-1))^2 = 4, and for n = 2 it is 0, the rate 1: for k > m it bounds nothing",
	How:            "exact rates, ball by ball. The printed proof compares probabilities of a single bit, which is not enough; Burns' Theorem 15 gives it",
	parts: func() []part {
		law := func(p point) (float64, error) {
			f := rateS(p.int(0), p.int(1), p.int(2))
			return min(strictGap(f, upperRate(p.int(0), p.int(1), p.int(2))), strictGap(bloomRate(p.int(0), p.int(1), p.int(2)), f)), nil
		}
		return []part{
			fails(point{1, 0, 1}, balledFilters, lawOf(law)),
			breaks(point{1, 2, 2}, balledFilters, lawOf(law)),
			keeps(domain{number("m", 2).by(7, 20).upTo(100), number("n", 1).by(4, 8).upTo(40), number("k", 2).under("m").by(5, 10).upTo(20)}, law),
			comesOut("the bound is 4 and 0 at m = 1, k = 2, n = 1 and 2", func() error {
				return first(same(upperRate(1, 2, 2), whole(0)), same(standardRate(1, 2, 2), whole(1)), same(upperRate(1, 1, 2), whole(4)))
			}),
		}
	},
}

var fanEq19 = claim{
	ID: "fan.eq19", Ref: "Section 4, (19)",
	Statement:      "the rate of a partitioned filter is (1-(1-k/m)^n)^k",
	Verdict:        Conditional,
	Counterexample: "no partitions are equal; those of 1 and 2 bits have the rate 1 * 1/2, the formula says 4/9",
	How:            "the product over partitions of the chance that a bit of it is set, by enumeration",
	parts: func() []part {
		return []part{
			breaks(point{3, 1, 2}, domain{number("m", 1), number("n", 0), number("k", 1)}, func(p point) error {
				// Each of the k partitions has floor(m/k) or ceil(m/k) bits.
				rate := whole(1)
				for i := range p.int(2) {
					bits := (p.int(0) + i) / p.int(2)
					rate = mul(rate, sub(whole(1), pow(rat(bits-1, bits), p.int(1))))
				}
				return same(rate, upperRate(p.int(0), p.int(1), p.int(2)))
			}),
			comesOut("4/9 at m = 3, n = 1, k = 2", func() error { return same(upperRate(3, 1, 2), rat(4, 9)) }),
			holdsOn(domain{number("m/k", 1).by(6, 6).upTo(10), number("n", 0).by(5, 8).upTo(14), number("k", 1).by(6, 6).upTo(20), through("k divides m")}, func(p point) error {
				l, err := union(p.int(0), repeat(1, p.int(1))...)
				if err != nil {
					return err
				}
				hit := mean(l.pmf(), func(i int) *big.Rat { return rat(i, p.int(0)) })
				return same(pow(hit, p.int(2)), upperRate(p.int(0)*p.int(2), p.int(1), p.int(2)))
			}),
		}
	},
}

var fanEq21 = claim{
	ID: "fan.eq21", Ref: "Section 4, (21)",
	Statement: "(1-1/x)^(-x) tends to e as x grows",
	Verdict:   Confirmed,
	How:       "(1-1/x)^(-x)/e is between 1 and 1 + 1/x, by enclosures",
	parts: func() []part {
		return []part{holdsOn(domain{number("x", 2).among(4, 2, 3, 10, 1000, 1<<30, 1<<60).upTo(1 << 60)}, func(p point) error {
			// At k = 1, n = m = x, f_bloom is 1-(1-1/x)^x and its exponential form is 1-1/e.
			x := uint64(p.int(0))
			b, err1 := bloomAt(x, x, 1, 256)
			e, err2 := exponentialAt(x, x, 1, 256)
			if err := first(err1, err2); err != nil {
				return err
			}
			miss := func(f *big.Float) *big.Float { return new(big.Float).Sub(big.NewFloat(1), f) }
			ratio, _ := new(big.Float).Quo(miss(e.Lo()), miss(b.Hi())).Float64()
			return holds(ratio >= 1 && ratio <= 1+1/float64(x)+1e-15, "ratio %g", ratio)
		}).tried(20, 2000)}
	},
}

var fanEq22 = claim{
	ID: "fan.eq22", Ref: "Section 4, (22)",
	Statement:      "the limit of (1-(1-1/m)^(nk))^k as m grows is (1-e^(-nk/m))^k",
	Verdict:        Misprint,
	Counterexample: "the left side is 1/4, the right side 1-e^(-1/4) = 0.221; it depends on m, and with n and k fixed both tend to 0",
	Repair:         "the quotient of the two sides tends to 1, with n/m fixed as with n fixed",
	Argument: [2]string{
		"With n, k fixed, (1-1/m)^(nk) tends to 1, so the left side tends to 0.",
		"1 <= quotient <= (m/(m-1))^k: see fan.eq2.exponential; it tends to 1.",
	},
	How: "the quotient of the two sides is between 1 and (m/(m-1))^k",
	parts: func() []part {
		large := domain{number("m", 2).among(3, 4, 1<<20, 1<<40, 1<<60).upTo(1 << 60), number("n", 1).under("m").upTo(1 << 60), number("k", 1).by(8, 32).upTo(40)}
		return []part{
			breaks(point{4, 1, 1}, domain{number("m", 1), number("n", 1), number("k", 1), through("the limit n, k fixed")}, func(p point) error {
				f, _ := bloomRate(p.int(0), p.int(1), p.int(2)).Float64()
				return holds(math.Abs(f+math.Expm1(-1.0/4)) < 0.01, "%g is not the limit", f)
			}),
			holdsOn(large, func(p point) error {
				return quotientNearOne(bloomAt, exponentialAt, uint64(p.int(0)), uint64(p.int(1)), p.int(2))
			}).tried(20, 2000),
		}
	},
}

var fanEq23 = claim{
	ID: "fan.eq23", Ref: "Section 4, (23)",
	Statement:      "the limit of f as m grows is (1-e^(-nk/m))^k",
	Verdict:        Misprint,
	Counterexample: "f = 1/4, the right side 0.221: as (22)",
	Repair:         "f/(1-e^(-nk/m))^k tends to 1, with n/m fixed as with n fixed",
	Argument: [2]string{
		"With n, k fixed every rate tends to 0, as n k of infinitely many bits are set.",
		"Divided by (1-e^(-nk/m))^k both bounds of (20) tend to 1, and f lies between them.",
	},
	How: "the quotient less 1 at 2m is between 0.45 and 0.55 of that at m, with n/m fixed or n = 1",
	parts: func() []part {
		excess := func(m, n uint64, k int) (*big.Float, error) {
			f, _, err1 := exact.FPR(bloomproof.Geometry{M: m, K: k}, n, 192, exact.Auto)
			e, err2 := exponentialAt(m, n, k, 192)
			if err := first(err1, err2); err != nil {
				return nil, err
			}
			q := new(big.Float).Quo(f.Lo(), e.Hi())
			return q.Sub(q, big.NewFloat(1)), nil
		}
		return []part{
			breaks(point{4, 1, 1}, domain{number("m", 1), number("n", 1), number("k", 1), through("the limit n, k fixed")}, func(p point) error {
				f, _ := rateS(p.int(0), p.int(1), p.int(2)).Float64()
				return holds(math.Abs(f+math.Expm1(-1.0/4)) < 0.01, "%g is not the limit", f)
			}),
			holdsOn(domain{number("m", 1024).among(2, 1<<10, 1<<20, 1<<50).upTo(1 << 50), number("k", 2).to(10).by(6, 10), either("n", "n = 1", "n = m/16", "n = m/4", "n = m")}, func(p point) error {
				m, k := uint64(p.int(0)), p.int(1)
				n, next := uint64(1), uint64(1)
				if p[2] > 0 {
					n = m / []uint64{16, 4, 1}[p.int(2)-1]
					next = 2 * n
				}
				x, err1 := excess(m, n, k)
				y, err2 := excess(2*m, next, k)
				if err := first(err1, err2); err != nil {
					return err
				}
				ratio, _ := new(big.Float).Quo(y, x).Float64()
				return holds(x.Sign() > 0 && ratio > 0.45 && ratio < 0.55, "the excess shrinks by %g", ratio)
			}).tried(8, 400),
		}
	},
}

var fanFig2 = claim{
	ID: "fan.fig2", Ref: "Section 4, Figure 2 and after it",
	Statement: "for k = 7 and m = 10n the upper bound (19) and f_bloom converge relatively fast, for n = 9",
	Verdict:   Confirmed,
	How:       "the upper bound exceeds f_bloom by 18 % at n = 9, by 1.5 % at n = 100; Bose's is not even defined there (its t is above 1 until m = 2450)",
	parts: func() []part {
		return []part{
			holdsOn(domain{exactly("k", 7), number("n", 9).to(100).among(2, 9, 100), through("m = 10n")}, func(point) error {
				at9, err1 := errorRatio(upperAt, 90, 9, 7)
				at100, err2 := errorRatio(upperAt, 1000, 100, 7)
				if err := first(err1, err2); err != nil {
					return err
				}
				if at9 < 0.180 || at9 > 0.181 || at100 < 0.0146 || at100 > 0.0147 {
					return fmt.Errorf("beta = %g at n = 9, %g at n = 100", at9, at100)
				}
				if _, err := boseAt(1000, 100, 7, 64); !errors.Is(err, bloomproof.ErrUndefined) {
					return fmt.Errorf("bound of Bose at m = 1000: %v", err)
				}
				return nil
			}).tried(0, 0),
		}
	},
}

var fanFig3 = claim{
	ID: "fan.fig3", Ref: "Section 4, Figure 3 and after it",
	Statement: "beta = (upper - lower)/lower of the bound (19) decreases polynomially at a constant speed; Bose's is slower",
	Verdict:   Confirmed,
	How:       "as 1.45/n, Bose's as sqrt(ln m/m): from n to 10n beta falls by 9.9 to 10.1, Bose's by 2.8 to 3.2",
	parts: func() []part {
		return []part{
			holdsOn(domain{exactly("k", 7), number("n", 1000).among(3, 1000, 1000000, 1000000000).upTo(1e12), through("m = 10n")}, func(p point) error {
				n := uint64(p.int(1))
				ours, err1 := errorRatio(upperAt, 10*n, n, 7)
				next, err2 := errorRatio(upperAt, 100*n, 10*n, 7)
				bose, err3 := errorRatio(boseAt, 10*n, n, 7)
				boseNext, err4 := errorRatio(boseAt, 100*n, 10*n, 7)
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
			}).tried(3, 200),
		}
	},
}

var fanFig4 = claim{
	ID: "fan.fig4", Ref: "Section 4, Figure 4 and after it",
	Statement: "for m = 10000, n = 1000 the error of using f_bloom increases with k, and the bound (19) is much closer than Bose's",
	Verdict:   Confirmed,
	How:       "beta increases with k for both; Bose's is 130 (k = 20) to 4300 (k = 2) times as large",
	parts: func() []part {
		return []part{
			holdsOn(domain{exactly("m", 10000), exactly("n", 1000), number("k", 2).to(20).by(20, 20)}, func(p point) error {
				k := p.int(2)
				var beta [2][2]float64
				for i, bound := range []func(m, n uint64, k int, prec uint) (exact.Enclosure, error){upperAt, boseAt} {
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
			}),
		}
	},
}

// quotientNearOne returns an error unless a/b is between 1 and (m/(m-1))^k.
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
