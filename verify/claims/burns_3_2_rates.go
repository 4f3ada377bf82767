package claims

import (
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof/exact"
)

// psi computes the recursion of Burns (55) and (63): psi(0,.) = 1, and psi(h,m) = psi(h-1,m) - q(h,m) psi(h-1,m-1).
func psi(h, m int, q func(h, m int) *big.Rat) *big.Rat {
	if h == 0 {
		return whole(1)
	}
	f := q(h, m)
	if f.Sign() == 0 {
		return psi(h-1, m, q)
	}
	return sub(psi(h-1, m, q), mul(f, psi(h-1, m-1, q)))
}

// smallFilters are large enough to distinguish the inequalities. The filters in fittingFilters also have k <= m.
var (
	smallFilters   = domain{number("m", 1).by(10, 24).upTo(300), number("n", 0).by(5, 12).upTo(80), number("k", 1).by(11, 25).upTo(60)}
	fittingFilters = domain{smallFilters[0], smallFilters[1], number("k", 1).under("m").by(10, 24).upTo(60)}
)

// onFilter turns a law on filters (m, n, k) into a law on points of a domain.
func onFilter(law func(m, n, k int) error) func(p point) error {
	return func(p point) error { return law(p.int(0), p.int(1), p.int(2)) }
}

var burns32 = []claim{
	burnsEq51, burnsEq52, burnsEq53, burnsEq54, burnsEq55, burnsEq55Step, burnsEq56, burnsTaylor,
	burnsTaylorClose, burnsEq57, burnsEq58, burnsEq59, burnsEq60, burnsEq61, burnsEq62, burnsEq63,
	burnsCor23Lower, burnsEq64, burnsEq65, burnsCor23Proof, burns33Better, burns33Best, burns33Asymptotics,
}

var burnsEq51 = claim{
	ID: "burns.eq51", Ref: "Section 3.2, (51)",
	Statement: "the false-positive rate is the probability that all positions of an item that was not inserted are set",
	Verdict:   Confirmed,
	How:       "a definition (ideal hashing); its mean over all states and positions is f_S, f_C of (53), (59)",
	parts: func() []part {
		return []part{
			holdsOn(with(enumerable, burnsHashings.only(0)), standardFilter.rates(func(m, n, k int, f *big.Rat) error { return same(f, standardRate(m, n, k)) })),
			holdsOn(with(classicEnumerable, burnsHashings.only(1)), classicFilter.rates(func(m, n, k int, f *big.Rat) error { return same(f, classicRate(m, n, k)) })),
		}
	},
}

var burnsEq52 = claim{
	ID: "burns.eq52", Ref: "Section 3.2.1, (52)",
	Statement: "P[all k independent positions set] = (|B|/m)^k, and P[all k distinct positions set] = C(|B|,k)/C(m,k), for a given array B",
	Verdict:   Confirmed,
	How:       "every array and all positions; for distinct positions k <= m",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 1).by(5, 7).upTo(9), number("k", 0).by(4, 5).upTo(9), through("all arrays B")}, func(p point) error {
				m, k := p.int(0), p.int(1)
				item, err := union(m, repeat(1, k)...)
				if err != nil {
					return err
				}
				var distinct setLaw
				if k <= m {
					if distinct, err = union(m, k); err != nil {
						return err
					}
				}
				for b := range 1 << m {
					hit := func(mask int) bool { return mask&^b == 0 }
					if err := same(item.prob(hit), pow(rat(ones(b), m), k)); err != nil {
						return err
					}
					if k > m {
						continue
					}
					if err := same(distinct.prob(hit), quo(ichoose(ones(b), k), ichoose(m, k))); err != nil {
						return err
					}
				}
				return nil
			}),
		}
	},
}

var burnsEq53 = claim{
	ID: "burns.eq53", Ref: "Section 3.2.1, (53)",
	Statement: "f_S = sum_{i=1}^m P[X = i] (i/m)^k = E[X^k]/m^k",
	Verdict:   Confirmed,
	How:       "against the enumeration of states and positions",
	parts: func() []part {
		return []part{
			holdsOn(enumerable, standardFilter.rates(func(m, n, k int, f *big.Rat) error {
				pmf := occupied(m, repeat(1, n*k)...)
				return first(
					same(f, sum(1, m, func(i int) *big.Rat { return mul(pmf[i], pow(rat(i, m), k)) })),
					same(f, quo(classicPower(m, n*k, k), ipow(m, k))))
			})),
		}
	},
}

var burnsEq54 = claim{
	ID: "burns.eq54", Ref: "Section 3.2.1, (54), after Bose et al.",
	Statement: "f_S = m^(-(n+1)k) sum_{i=1}^m S(nk,i) ff(m,i) i^k",
	Verdict:   Confirmed,
	How:       "against the enumeration of states and positions",
	parts: func() []part {
		formula := func(m, n, k int) *big.Rat {
			s := sum(1, m, func(i int) *big.Rat { return mul(mul(stirling(n*k, i), ifall(m, i)), ipow(i, k)) })
			return quo(s, ipow(m, (n+1)*k))
		}
		return []part{
			comesOut("f_S(2,1,2) = 5/8", func() error { return same(formula(2, 1, 2), rat(5, 8)) }),
			holdsOn(enumerable, standardFilter.rates(func(m, n, k int, f *big.Rat) error { return same(f, formula(m, n, k)) })),
		}
	},
}

var burnsEq55 = claim{
	ID: "burns.eq55", Ref: "Section 3.2.1, (55), after Grandi",
	Statement:      "psi(h,m) = psi(h-1,m) - (1-1/m)^(kn+h+1) psi(h-1,m-1), f_S = psi(k,m)",
	Verdict:        Misprint,
	Counterexample: "f_S = 0, the formula gives 1 - 0; m = 2, n = 1, k = 1: f_S = 1/2, the formula gives 1 - 1/8",
	Repair:         "exponent kn+h-1",
	Argument: [2]string{
		"h = 1 gives psi(1,m) = f_S for k = 1 positions of kn balls: 1 - (1-1/m)^(kn), the share of occupied urns.",
		"By Theorem 3 each step from m to m-1 urns costs (1-1/m)^(kn), and (X/m)^(h-1) against (X/(m-1))^(h-1) the other h-1.",
	},
	How: "against the enumeration of states and positions",
	parts: func() []part {
		law := func(by int) func(p point) error {
			return standardFilter.rates(func(m, n, k int, f *big.Rat) error {
				return same(f, psi(k, m, func(h, m int) *big.Rat { return pow(rat(m-1, m), k*n+h+by) }))
			})
		}
		return []part{
			fails(point{1, 0, 1}, enumerable, law(1)),
			holdsOn(enumerable, law(-1)),
		}
	},
}

var burnsEq55Step = claim{
	ID: "burns.eq55.step", Ref: "Section 3.2.1, after (55)",
	Statement: "E[(X/m)^k | m] = E[(X/m)^(k+1) | m] + (1-1/m)^(nk+k) E[(X/(m-1))^k | m-1], nk balls",
	Verdict:   Confirmed,
	How:       "nk balls one after the other",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 2).by(7, 10).upTo(30), number("n", 0).by(4, 4).upTo(12), number("k", 0).by(4, 6).upTo(10)}, func(p point) error {
				m, n, k := p.int(0), p.int(1), p.int(2)
				part := func(m, j int) *big.Rat { return quo(classicPower(m, n*k, j), ipow(m, j)) }
				return same(part(m, k), add(part(m, k+1), mul(pow(rat(m-1, m), n*k+k), part(m-1, k))))
			}),
		}
	},
}

var burnsEq56 = claim{
	ID: "burns.eq56", Ref: "Section 3.2.1, Theorem 22, (56)",
	Statement: "f_S = m^(-(n+1)k) sum_{i=0}^k S(k,i) ff(m,i) sum_{j=0}^i (-1)^j C(i,j) (m-j)^(nk)",
	Verdict:   Confirmed,
	How:       "against the enumeration of states and positions, and against (53) by the chain of occupied urns",
	parts: func() []part {
		return []part{
			holdsOn(enumerable, standardFilter.rates(func(m, n, k int, f *big.Rat) error { return same(f, rateS(m, n, k)) })),
			holdsOn(domain{number("m", 1).by(12, 40).upTo(120), number("n", 0).by(4, 8).upTo(24), number("k", 1).by(5, 10).upTo(16)}, func(p point) error {
				return same(standardRate(p.int(0), p.int(1), p.int(2)), rateS(p.int(0), p.int(1), p.int(2)))
			}),
		}
	},
}

var burnsTaylor = claim{
	ID: "burns.taylor", Ref: "Section 3.2.1, after Theorem 22",
	Statement: "E[phi(X)] = E[sum_i phi^(i)(mu)/i! (X-mu)^i], phi(x) = (x/m)^k: the series ends at i = k",
	Verdict:   Confirmed,
	How:       "central moments one ball after the other",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 1).by(6, 8).upTo(24), number("n", 0).by(3, 4).upTo(12), number("k", 1).by(4, 5).upTo(10)}, func(p point) error {
				m, n, k := p.int(0), p.int(1), p.int(2)
				pmf, mu := occupied(m, repeat(1, n*k)...), standardMean(m, n*k)
				series := sum(0, k, func(i int) *big.Rat {
					derivative := mul(ichoose(k, i), quo(pow(mu, k-i), ipow(m, k)))
					return mul(derivative, mean(pmf, func(x int) *big.Rat { return pow(sub(whole(x), mu), i) }))
				})
				return same(series, standardRate(m, n, k))
			}),
		}
	},
}

var burnsTaylorClose = claim{
	ID: "burns.taylor.close", Ref: "Section 3.2.1, after Theorem 22",
	Statement: "phi(mu) + phi''(mu) Var X/2 is a close approximation of f_S",
	Verdict:   Confirmed,
	How:       "for small m it can exceed 1; k = 7, m = 10n: from m to 10m the relative error falls to less than a 50th (it falls like 1/m^2)",
	parts: func() []part {
		miss := func(m int) (*big.Rat, error) {
			f, err1 := standardFilter.enclosed(uint64(m), uint64(m/10), 7)
			t, err2 := taylorAt(uint64(m), uint64(m/10), 7, exact.PrecFor(30))
			if err := first(err1, err2); err != nil {
				return nil, err
			}
			return relative(t, f), nil
		}
		return []part{
			holdsOn(domain{exactly("k", 7), number("m/10", 10).among(2, 10, 100, 1000).upTo(3000), through("m large against k^2")}, func(p point) error {
				now, err1 := miss(10 * p.int(1))
				next, err2 := miss(100 * p.int(1))
				return first(err1, err2, below(next, quo(now, whole(50))))
			}).tried(2, 60),
			comesOut("below 0.02 at m = 100", func() error {
				x, err := miss(100)
				return first(err, below(x, rat(1, 50)))
			}),
		}
	},
}

var burnsEq57 = claim{
	ID: "burns.eq57", Ref: "Section 3.2.1, (57)",
	Statement: "M = (1-(1-1/m)^(kn))^k = phi(mu) <= f_S",
	Verdict:   Confirmed,
	How:       "rationals; equality for k = 1, m = 1 and n = 0 only",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 1).by(10, 24).upTo(300), number("n", 0).by(5, 12).upTo(40), number("k", 1).by(8, 25).upTo(25)}, onFilter(func(m, n, k int) error {
				f := rateS(m, n, k)
				if k == 1 || m == 1 || n == 0 {
					return same(bloomRate(m, n, k), f)
				}
				return first(below(bloomRate(m, n, k), f), same(bloomRate(m, n, k), pow(quo(standardMean(m, n*k), whole(m)), k)))
			})),
		}
	},
}

var burnsEq58 = claim{
	ID: "burns.eq58", Ref: "Section 3.2.1, (58)",
	Statement: "E = (1-e^(-kn/m))^k <= M",
	Verdict:   Confirmed,
	How:       "equality for n = 0 only; for all n and k at once, as ln(1-1/m) < -1/m (m = 1 is plain); E <= M <= f_S as enclosures",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 2).by(300, 100000).upTo(1 << 50), through("n >= 0, k >= 1")}, func(p point) error {
				_, hi := ln(rat(p.int(0)-1, p.int(0)))
				return below(hi, rat(-1, p.int(0)))
			}),
			holdsOn(domain{number("m", 2).upTo(1 << 40), number("n", 1).under("m").upTo(1 << 40), number("k", 2).upTo(40)}, func(p point) error {
				m, n, k := uint64(p.int(0)), uint64(p.int(1)), p.int(2)
				e, err1 := exponentialAt(m, n, k, exact.PrecFor(40))
				b, err2 := bloomAt(m, n, k, exact.PrecFor(40))
				f, err3 := standardFilter.enclosed(m, n, k)
				return first(err1, err2, err3, certain(e, b), certain(b, f))
			}).on("E <= M <= f_S"),
		}
	},
}

var burnsEq59 = claim{
	ID: "burns.eq59", Ref: "Section 3.2.2, (59)",
	Statement: "f_C = E[C(X,k)]/C(m,k)",
	Verdict:   Confirmed,
	How:       "against the enumeration of states and positions",
	parts: func() []part {
		return []part{
			holdsOn(classicEnumerable, classicFilter.rates(func(m, n, k int, f *big.Rat) error { return same(f, classicRate(m, n, k)) })),
		}
	},
}

var burnsEq60 = claim{
	ID: "burns.eq60", Ref: "Section 3.2.2, (60)",
	Statement: "f_C = sum_{i=0}^k (-1)^i C(k,i) [C(m-i,k)/C(m,k)]^n",
	Verdict:   Confirmed,
	How:       "against the enumeration of states and positions, and against (59) by the chain of occupied urns",
	parts: func() []part {
		return []part{
			holdsOn(classicEnumerable, classicFilter.rates(func(m, n, k int, f *big.Rat) error { return same(f, rateC(m, n, k)) })),
			holdsOn(domain{number("m", 1).by(9, 30).upTo(100), number("n", 0).by(4, 8).upTo(24), number("k", 1).under("m").by(9, 30).upTo(40)}, onFilter(func(m, n, k int) error {
				return same(classicRate(m, n, k), rateC(m, n, k))
			})),
		}
	},
}

var burnsEq61 = claim{
	ID: "burns.eq61", Ref: "Section 3.2.2, (61)",
	Statement: "f_C = nabla^k[C(x,k)^n] at m / C(m,k)^n = rho_k(k,m)",
	Verdict:   Confirmed,
	How:       "against the enumeration of states and positions",
	parts: func() []part {
		return []part{
			holdsOn(classicEnumerable, classicFilter.rates(func(m, n, k int, f *big.Rat) error {
				return first(same(f, committeePower(m, n, k, k)), same(f, rho(k, m, repeat(k, n))))
			})),
		}
	},
}

var burnsEq62 = claim{
	ID: "burns.eq62", Ref: "Section 3.2.2, (62)",
	Statement: "f_C = F[-k, k-m, ..., k-m; -m, ..., -m; 1] with n+1 upper and n lower parameters",
	Verdict:   Confirmed,
	How:       "against the enumeration of states and positions",
	parts: func() []part {
		return []part{
			holdsOn(classicEnumerable, classicFilter.rates(func(m, n, k int, f *big.Rat) error {
				got, err := hyper(append(repeat(k-m, n), -k), repeat(-m, n), whole(1))
				return first(err, same(got, f))
			})),
		}
	},
}

var burnsEq63 = claim{
	ID: "burns.eq63", Ref: "Section 3.2.2, (63), after Grandi",
	Statement:      "psi(h,m) = psi(h-1,m) - (1-k/m)^n psi(h-1,m-1), f_C = psi(m,k)",
	Verdict:        Misprint,
	Counterexample: "f_C = 1/2, psi(2,1) = 1",
	Repair:         "f_C = psi(k,m)",
	Argument: [2]string{
		"The second argument of psi is the number of urns: with k urns the factor (1-k/k)^n is 0, so psi(h,k) = 1 for all h.",
		"psi(1,2) = 1 - (1-1/2)^1 = 1/2 is the share of set bits after one item.",
	},
	How: "against the enumeration of states and positions",
	parts: func() []part {
		law := func(swap bool) func(p point) error {
			return classicFilter.rates(func(m, n, k int, f *big.Rat) error {
				h, urns := k, m
				if swap {
					h, urns = m, k
				}
				return same(f, psi(h, urns, func(_, m int) *big.Rat { return pow(rat(m-k, m), n) }))
			})
		}
		return []part{
			fails(point{2, 1, 1}, domain{classicEnumerable[0], number("n", 1).by(3, 4).upTo(5), classicEnumerable[2]}, law(true)),
			holdsOn(classicEnumerable, law(false)),
		}
	},
}

var burnsCor23Lower = claim{
	ID: "burns.cor23.lower", Ref: "Section 3.2.2, Corollary 23",
	Statement: "L <= f_S and L <= f_C, L = nabla^k[x^(nk)] at m / m^(nk)",
	Verdict:   Confirmed,
	How:       "rationals; printed for k <= (m-1)/2",
	parts: func() []part {
		return []part{keeps(fittingFilters, func(p point) (float64, error) {
			m, n, k := p.int(0), p.int(1), p.int(2)
			l := powerRatio(m, n*k, k)
			return min(gap(l, rateS(m, n, k)), gap(l, rateC(m, n, k))), nil
		})}
	},
}

var burnsEq64 = claim{
	ID: "burns.eq64", Ref: "Section 3.2.2, Corollary 23, (64)",
	Statement: "L = nabla^k[x^(nk)] at m / m^(nk) >= C(mu_S,k)/C(m,k), mu_S = m (1-(1-1/m)^(nk))",
	Verdict:   Confirmed,
	How:       "rationals; beyond, mu_S < k-1",
	parts: func() []part {
		law := func(p point) (float64, error) {
			m, n, k := p.int(0), p.int(1), p.int(2)
			return gap(quo(choose(standardMean(m, n*k), k), ichoose(m, k)), powerRatio(m, n*k, k)), nil
		}
		half := where("k <= (m-1)/2", "m k", func(x point) bool { return 2*x[1] <= x[0]-1 })
		return []part{
			keeps(domain{number("m", 1).by(14, 60).upTo(300), number("n", 0).by(3, 4).upTo(80), number("k", 1).under("m").by(7, 30).upTo(60), half}, law),
			fails(point{12, 1, 12}, domain{number("m", 1).by(12, 12), number("n", 0).by(3, 3), number("k", 1).under("m").by(12, 12)}, lawOf(law)).on("with k <= m"),
		}
	},
}

var burnsEq65 = claim{
	ID: "burns.eq65", Ref: "Section 3.2.2, Corollary 23, (65)",
	Statement: "f_S <= U and f_C <= U, U = (1-(1-k/m)^n)^k = (mu_C/m)^k",
	Verdict:   Confirmed,
	How:       "rationals; printed for k <= (m-1)/2",
	parts: func() []part {
		law := func(p point) (float64, error) {
			m, n, k := p.int(0), p.int(1), p.int(2)
			u := upperRate(m, n, k)
			if k > m {
				return gap(rateS(m, n, k), u), nil
			}
			return min(gap(rateS(m, n, k), u), gap(rateC(m, n, k), u)), same(u, pow(quo(committeeMean(m, n, k), whole(m)), k))
		}
		return []part{
			keeps(fittingFilters, law),
			breaks(point{1, 2, 2}, smallFilters, lawOf(law)).on("k > m"),
		}
	},
}

var burnsCor23Proof = claim{
	ID: "burns.cor23.proof", Ref: "Section 3.2.2, proof of Corollary 23",
	Statement: "U = m^(-k) sum_i S(k,i) ff(mu_C,i), and ff(mu_C,i) >= ff(m,i) nabla^i[x^(nk)] at m / m^(nk) for i <= k",
	Verdict:   Confirmed,
	How:       "rationals",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 1).by(7, 14).upTo(60), number("n", 0).by(4, 8).upTo(24), number("k", 1).under("m").by(7, 14).upTo(24), through("0 <= i <= k")}, onFilter(func(m, n, k int) error {
				mu := committeeMean(m, n, k)
				u := quo(sum(0, k, func(i int) *big.Rat { return mul(stirling(k, i), fall(mu, i)) }), ipow(m, k))
				err := same(u, upperRate(m, n, k))
				for i := 0; i <= k && err == nil; i++ {
					err = atMost(mul(ifall(m, i), powerRatio(m, n*k, i)), fall(mu, i))
				}
				return err
			})),
		}
	},
}

var burns33Better = claim{
	ID: "burns.3.3.better", Ref: "Section 3.3",
	Statement:      "Bloom's original construction is more efficient than the standard filter: f_C < f_S for the same m, n, k",
	Verdict:        Conditional,
	Counterexample: "both rates are 1/3; m = 3, n = 2, k = 2: f_C = 7/9 is above f_S = 55/81",
	How:            "rationals, strictly; it fails when the filter is filled much beyond its best: at m = 60 first at kn = 51 for n = 1, 52 for n = 2, 60 for n = 6",
	parts: func() []part {
		printed := domain{number("m", 2).by(16, 40), number("n", 1).by(8, 14), number("k", 2).below("m").by(11, 28)}
		law := onFilter(func(m, n, k int) error { return below(rateC(m, n, k), rateS(m, n, k)) })
		filters := domain{number("m", 2).by(16, 40).upTo(300), number("n", 1).by(8, 14).upTo(100), number("k", 2).under("m").by(11, 28).upTo(60)}
		gap := func(p point) (float64, error) {
			m, n, k := p.int(0), p.int(1), p.int(2)
			return strictGap(rateC(m, n, k), rateS(m, n, k)), nil
		}
		return []part{
			fails(point{3, 1, 2}, printed, law),
			breaks(point{3, 2, 2}, printed, law),
			keeps(with(filters, where("2 (m-k)^n >= m^n", "m n k", func(x point) bool {
				return ipow(int(x[0]), int(x[1])).Cmp(mul(whole(2), ipow(int(x[0]-x[2]), int(x[1])))) <= 0
			})), gap),
			keeps(with(filters, where("kn <= 0.7 (m-1)", "m n k", func(x point) bool { return 10*x[2]*x[1] <= 7*(x[0]-1) })), gap).on("kn <= 0.7 (m-1)"),
			holdsOn(domain{number("m", 1).by(16, 40).upTo(300), number("n", 0).by(8, 14).upTo(100), exactly("k", 1)}, onFilter(func(m, n, k int) error {
				return same(rateC(m, n, k), rateS(m, n, k))
			})).on("k = 1: equal"),
		}
	},
}

var burns33Best = claim{
	ID: "burns.3.3.best", Ref: "Section 3.3",
	Statement: "the best classic filter has a lower rate than the best standard one: min_k f_C <= min_k f_S",
	Verdict:   Confirmed,
	How:       "rationals; strict where the best k of one of them is above 1, except m = 3, n = 1",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 1).by(14, 40).upTo(200), number("n", 1).under("m").by(14, 40).upTo(200)}, func(p point) error {
				m, n := p.int(0), p.int(1)
				if 2*m/n > mostRates {
					return errOutside
				}
				kS, s := bestS(m, n)
				kC, c := bestC(m, n)
				if (kS[0] > 1 || kC[0] > 1) && m > 3 {
					return below(c, s)
				}
				return atMost(c, s)
			}),
		}
	},
}

var burns33Asymptotics = claim{
	ID: "burns.3.3.asymptotics", Ref: "Section 3.3, reasons for the misattribution",
	Statement:      "the false-positive rate approximations and asymptotics of both constructions coincide for large filters",
	Verdict:        Refuted,
	Counterexample: "f_C/f_S = 0.50000",
	Repair:         "they coincide where n grows with m: f_C/f_S tends to 1 with n/m and k fixed, to ff(nk,k)/(nk)^k with n and k fixed",
	Argument: [2]string{
		"n = 1, k = 2: f_C = 1/C(m,2), and m^2 f_S = 4 - 2/m: one item sets two bits, or one with probability 1/m.",
		"So f_C/f_S = (2/(m(m-1)))/((4 - 2/m)/m^2) tends to 1/2, however large the filter is.",
	},
	How: "rationals",
	parts: func() []part {
		return append([]part{
			breaks(point{1 << 20, 1, 2}, domain{number("m", 1), number("n", 1), number("k", 1).under("m"), through("m large")}, hashingsAlike),
			comesOut("f_C/f_S = 0.50000 there", func() error {
				return roundsRat(quo(rateC(1<<20, 1, 2), rateS(1<<20, 1, 2)), "0.50000")
			}),
		}, asymptoticRatios()...)
	},
}

// certain returns an error unless the enclosures prove a <= b.
func certain(a, b exact.Enclosure) error {
	if order, decided := a.Cmp(b); !decided || order > 0 {
		return fmt.Errorf("%v is not certainly at most %v", a, b)
	}
	return nil
}

// relative returns an upper bound of |a-b|/b for two positive values that are given by enclosures.
func relative(a, b exact.Enclosure) *big.Rat {
	lo, _ := b.Lo().Rat(nil)
	worst := new(big.Rat)
	for _, x := range []*big.Float{a.Lo(), a.Hi()} {
		for _, y := range []*big.Float{b.Lo(), b.Hi()} {
			p, _ := x.Rat(nil)
			q, _ := y.Rat(nil)
			if d := sub(p, q); d.Abs(d).Cmp(worst) > 0 {
				worst = d
			}
		}
	}
	return quo(worst, lo)
}
