package claims

import (
	"fmt"
	"math/big"
	"math/rand"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// rateBox are filters whose rate is found by enumeration.
func rateBox(r *run) box {
	return box{{"m", 1, r.upto(5, 7)}, {"n", 0, r.upto(3, 4)}, {"k", 1, r.upto(3, 4)}}
}

// enumerated returns the probability that a further item finds all its positions set,
// by going through the sets that n items leave and the positions of the item.
func enumerated(h bloomproof.Hashing, m, n, k int) (*big.Rat, error) {
	sizes, query := repeat(1, n*k), repeat(1, k)
	if h == bloomproof.Classic {
		sizes, query = repeat(k, n), []int{k}
	}
	state, err := union(m, sizes...)
	if err != nil {
		return nil, err
	}
	item, err := union(m, query...)
	if err != nil {
		return nil, err
	}
	f := new(big.Rat)
	for b, ways := range state.count {
		if ways == 0 {
			continue
		}
		hit := item.prob(func(mask int) bool { return mask&^b == 0 })
		f.Add(f, mul(state.share(ways), hit))
	}
	return f, nil
}

// rates runs law with the enumerated rate; k <= m for classic hashing.
func rates(h bloomproof.Hashing, law func(m, n, k int, rate *big.Rat) error) func(p []int) error {
	return func(p []int) error {
		m, n, k := p[0], p[1], p[2]
		if h == bloomproof.Classic && k > m {
			return errOutside
		}
		f, err := enumerated(h, m, n, k)
		if err != nil {
			return err
		}
		return law(m, n, k, f)
	}
}

// psi is the recursion of (55) and (63): psi(0,.) = 1 and psi(h,m) = psi(h-1,m) -
// q(h,m) psi(h-1,m-1).
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

// boundsBox are filters large enough to tell inequalities apart.
func boundsBox(r *run) box {
	return box{{"m", 1, r.upto(10, 24)}, {"n", 0, r.upto(5, 12)}, {"k", 1, r.upto(11, 25)}}
}

// bounded runs law where domain holds.
func bounded(domain func(m, n, k int) bool, law func(m, n, k int) error) func(p []int) error {
	return func(p []int) error {
		if !domain(p[0], p[1], p[2]) {
			return errOutside
		}
		return law(p[0], p[1], p[2])
	}
}

func anyK(_, _, _ int) bool  { return true }
func kFits(m, _, k int) bool { return k <= m }

func burns32Rates() []Claim {
	return []Claim{
		{
			ID: "burns.eq51", Paper: Burns, Ref: "Section 3.2, (51)",
			Statement: "the false-positive rate is the probability that all positions of an item that was not inserted are set",
			Domain:    "ideal hashing, standard and classic",
			Verdict:   Confirmed,
			Checked:   "a definition; its mean over all states and positions is f_S, f_C of (53), (59): m <= 7, n, k <= 4",
			check: func(r *run) error {
				return first(
					r.all(rateBox(r), rates(bloomproof.Standard, func(m, n, k int, f *big.Rat) error { return same(f, standardRate(m, n, k)) })),
					r.all(rateBox(r), rates(bloomproof.Classic, func(m, n, k int, f *big.Rat) error { return same(f, classicRate(m, n, k)) })))
			},
		},
		{
			ID: "burns.eq52", Paper: Burns, Ref: "Section 3.2.1, (52)",
			Statement: "P[all k independent positions set] = (|B|/m)^k, and P[all k distinct positions set] = C(|B|,k)/C(m,k), for a given array B",
			Domain:    "k >= 0, for distinct positions k <= m",
			Verdict:   Confirmed,
			Checked:   "every array and all positions: m <= 7, k <= 5",
			check: func(r *run) error {
				return r.all(box{{"m", 1, r.upto(5, 7)}, {"k", 0, r.upto(4, 5)}}, func(p []int) error {
					m, k := p[0], p[1]
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
				})
			},
		},
		{
			ID: "burns.eq53", Paper: Burns, Ref: "Section 3.2.1, (53)",
			Statement: "f_S = sum_{i=1}^m P[X = i] (i/m)^k = E[X^k]/m^k",
			Domain:    "m, k >= 1, n >= 0",
			Verdict:   Confirmed,
			Checked:   "against the enumeration of states and positions: m <= 7, n, k <= 4",
			check: func(r *run) error {
				return r.all(rateBox(r), rates(bloomproof.Standard, func(m, n, k int, f *big.Rat) error {
					pmf := occupied(m, repeat(1, n*k)...)
					return first(
						same(f, sum(1, m, func(i int) *big.Rat { return mul(pmf[i], pow(rat(i, m), k)) })),
						same(f, quo(classicPower(m, n*k, k), ipow(m, k))))
				}))
			},
		},
		{
			ID: "burns.eq54", Paper: Burns, Ref: "Section 3.2.1, (54), after Bose et al.",
			Statement: "f_S = m^(-(n+1)k) sum_{i=1}^m S(nk,i) ff(m,i) i^k",
			Domain:    "m, k >= 1, n >= 0",
			Verdict:   Confirmed,
			Checked:   "against the enumeration of states and positions: m <= 7, n, k <= 4; f_S(2,1,2) = 5/8",
			check: func(r *run) error {
				formula := func(m, n, k int) *big.Rat {
					s := sum(1, m, func(i int) *big.Rat { return mul(mul(stirling(n*k, i), ifall(m, i)), ipow(i, k)) })
					return quo(s, ipow(m, (n+1)*k))
				}
				return first(
					r.once(func() error { return same(formula(2, 1, 2), rat(5, 8)) }),
					r.all(rateBox(r), rates(bloomproof.Standard, func(m, n, k int, f *big.Rat) error { return same(f, formula(m, n, k)) })))
			},
		},
		{
			ID: "burns.eq55", Paper: Burns, Ref: "Section 3.2.1, (55), after Grandi",
			Statement:      "psi(h,m) = psi(h-1,m) - (1-1/m)^(kn+h+1) psi(h-1,m-1), f_S = psi(k,m)",
			Domain:         "psi(0,.) = 1, kn fixed",
			Verdict:        Misprint,
			Counterexample: "m = 1, n = 0, k = 1: f_S = 0, the formula gives 1 - 0; m = 2, n = 1, k = 1: f_S = 1/2, the formula gives 1 - 1/8",
			Repair:         "exponent kn+h-1",
			Argument: [2]string{
				"h = 1 gives psi(1,m) = f_S for k = 1 positions of kn balls: 1 - (1-1/m)^(kn), the share of occupied urns.",
				"By Theorem 3 each step from m to m-1 urns costs (1-1/m)^(kn), and (X/m)^(h-1) against (X/(m-1))^(h-1) the other h-1.",
			},
			Checked: "against the enumeration of states and positions: m <= 7, n, k <= 4",
			check: func(r *run) error {
				law := func(by int) func(p []int) error {
					return rates(bloomproof.Standard, func(m, n, k int, f *big.Rat) error {
						return same(f, psi(k, m, func(h, m int) *big.Rat { return pow(rat(m-1, m), k*n+h+by) }))
					})
				}
				return first(r.smallest([]int{1, 0, 1}, rateBox(r), law(1)), r.all(rateBox(r), law(-1)))
			},
		},
		{
			ID: "burns.eq55.step", Paper: Burns, Ref: "Section 3.2.1, after (55)",
			Statement: "E[(X/m)^k | m] = E[(X/m)^(k+1) | m] + (1-1/m)^(nk+k) E[(X/(m-1))^k | m-1], nk balls",
			Domain:    "m >= 2, n, k >= 0",
			Verdict:   Confirmed,
			Checked:   "m <= 10, nk <= 24, exponents k <= 6",
			check: func(r *run) error {
				return r.all(box{{"m", 2, r.upto(7, 10)}, {"n", 0, 4}, {"k", 0, r.upto(4, 6)}}, func(p []int) error {
					m, n, k := p[0], p[1], p[2]
					part := func(m, j int) *big.Rat { return quo(classicPower(m, n*k, j), ipow(m, j)) }
					return same(part(m, k), add(part(m, k+1), mul(pow(rat(m-1, m), n*k+k), part(m-1, k))))
				})
			},
		},
		{
			ID: "burns.eq56", Paper: Burns, Ref: "Section 3.2.1, Theorem 22, (56)",
			Statement: "f_S = m^(-(n+1)k) sum_{i=0}^k S(k,i) ff(m,i) sum_{j=0}^i (-1)^j C(i,j) (m-j)^(nk)",
			Domain:    "m, k >= 1, n >= 0",
			Verdict:   Confirmed,
			Checked:   "against the enumeration of states and positions: m <= 7, n, k <= 4; against (53) by the chain of occupied urns: m <= 40, n <= 8, k <= 10",
			check: func(r *run) error {
				return first(
					r.all(rateBox(r), rates(bloomproof.Standard, func(m, n, k int, f *big.Rat) error { return same(f, rateS(m, n, k)) })),
					r.all(box{{"m", 1, r.upto(12, 40)}, {"n", 0, r.upto(4, 8)}, {"k", 1, r.upto(5, 10)}}, func(p []int) error {
						return same(standardRate(p[0], p[1], p[2]), rateS(p[0], p[1], p[2]))
					}))
			},
		},
		{
			ID: "burns.taylor", Paper: Burns, Ref: "Section 3.2.1, after Theorem 22",
			Statement: "E[phi(X)] = E[sum_i phi^(i)(mu)/i! (X-mu)^i], phi(x) = (x/m)^k: the series ends at i = k",
			Domain:    "m, k >= 1, n >= 0",
			Verdict:   Confirmed,
			Checked:   "m <= 8, n <= 4, k <= 5",
			check: func(r *run) error {
				return r.all(box{{"m", 1, r.upto(6, 8)}, {"n", 1, r.upto(3, 4)}, {"k", 1, r.upto(4, 5)}}, func(p []int) error {
					m, n, k := p[0], p[1], p[2]
					pmf, mu := occupied(m, repeat(1, n*k)...), standardMean(m, n*k)
					series := sum(0, k, func(i int) *big.Rat {
						derivative := mul(ichoose(k, i), quo(pow(mu, k-i), ipow(m, k)))
						return mul(derivative, mean(pmf, func(x int) *big.Rat { return pow(sub(whole(x), mu), i) }))
					})
					return same(series, standardRate(m, n, k))
				})
			},
		},
		{
			ID: "burns.taylor.close", Paper: Burns, Ref: "Section 3.2.1, after Theorem 22",
			Statement: "phi(mu) + phi''(mu) Var X/2 is a close approximation of f_S",
			Domain:    "m large against k^2; for small m it can exceed 1",
			Verdict:   Confirmed,
			Checked:   "k = 7, m = 10 n = 10^2, 10^3, 10^4, 10^5: each relative error is less than 1/50 of the one before (it falls like 1/m^2), the first below 0.02",
			check: func(r *run) error {
				return r.once(func() error {
					last := rat(1, 1)
					for m := 100; m <= 100000; m *= 10 {
						f, err := rateOf(bloomproof.Standard, uint64(m), uint64(m/10), 7)
						if err != nil {
							return err
						}
						t, err := exact.Taylor(uint64(m), uint64(m/10), 7, exact.PrecFor(30))
						if err != nil {
							return err
						}
						now := relative(t, f)
						if err := below(now, quo(last, whole(50))); err != nil {
							return fmt.Errorf("m=%d: %w", m, err)
						}
						last = now
					}
					return nil
				})
			},
		},
		{
			ID: "burns.eq57", Paper: Burns, Ref: "Section 3.2.1, (57)",
			Statement: "M = (1-(1-1/m)^(kn))^k = phi(mu) <= f_S",
			Domain:    "m, k >= 1, n >= 0; equality for k = 1, m = 1 and n = 0 only",
			Verdict:   Confirmed,
			Checked:   "exhaustively: m <= 24, n <= 12, k <= 25",
			check: func(r *run) error {
				return r.all(boundsBox(r), bounded(anyK, func(m, n, k int) error {
					f := rateS(m, n, k)
					if k == 1 || m == 1 || n == 0 {
						return same(bloomRate(m, n, k), f)
					}
					return first(below(bloomRate(m, n, k), f), same(bloomRate(m, n, k), pow(quo(standardMean(m, n*k), whole(m)), k)))
				}))
			},
		},
		{
			ID: "burns.eq58", Paper: Burns, Ref: "Section 3.2.1, (58)",
			Statement: "E = (1-e^(-kn/m))^k <= M",
			Domain:    "m, k >= 1, n >= 0; equality for n = 0 only",
			Verdict:   Confirmed,
			Checked:   "for all n and k at once, as ln(1-1/m) < -1/m: m <= 10^5 (m = 1 is plain); E <= M <= f_S as enclosures on 200 random filters with m up to 2^40",
			check: func(r *run) error {
				return first(
					r.all(box{{"m", 2, r.upto(300, 100000)}}, func(p []int) error {
						_, hi := ln(rat(p[0]-1, p[0]))
						return below(hi, rat(-1, p[0]))
					}),
					r.sample(r.upto(10, 200), func(rnd *rand.Rand) error {
						m := 2 + rnd.Uint64()>>(24+rnd.Intn(38))
						n, k := 1+rnd.Uint64()%m, 2+rnd.Intn(20)
						e, err := exact.Exponential(m, n, k, exact.PrecFor(40))
						if err != nil {
							return err
						}
						b, err := exact.Bloom(m, n, k, exact.PrecFor(40))
						if err != nil {
							return err
						}
						f, err := rateOf(bloomproof.Standard, m, n, k)
						if err != nil {
							return err
						}
						return first(certain(e, b), certain(b, f))
					}))
			},
		},
		{
			ID: "burns.eq59", Paper: Burns, Ref: "Section 3.2.2, (59)",
			Statement: "f_C = E[C(X,k)]/C(m,k)",
			Domain:    "1 <= k <= m, n >= 0",
			Verdict:   Confirmed,
			Checked:   "against the enumeration of states and positions: m <= 7, n, k <= 4",
			check: func(r *run) error {
				return r.all(rateBox(r), rates(bloomproof.Classic, func(m, n, k int, f *big.Rat) error { return same(f, classicRate(m, n, k)) }))
			},
		},
		{
			ID: "burns.eq60", Paper: Burns, Ref: "Section 3.2.2, (60)",
			Statement: "f_C = sum_{i=0}^k (-1)^i C(k,i) [C(m-i,k)/C(m,k)]^n",
			Domain:    "1 <= k <= m, n >= 0",
			Verdict:   Confirmed,
			Checked:   "against the enumeration of states and positions: m <= 7, n, k <= 4; against (59) by the chain of occupied urns: m <= 30, n <= 8, all k",
			check: func(r *run) error {
				return first(
					r.all(rateBox(r), rates(bloomproof.Classic, func(m, n, k int, f *big.Rat) error { return same(f, rateC(m, n, k)) })),
					r.all(box{{"m", 1, r.upto(9, 30)}, {"n", 0, r.upto(4, 8)}, {"k", 1, r.upto(9, 30)}}, bounded(kFits, func(m, n, k int) error {
						return same(classicRate(m, n, k), rateC(m, n, k))
					})))
			},
		},
		{
			ID: "burns.eq61", Paper: Burns, Ref: "Section 3.2.2, (61)",
			Statement: "f_C = nabla^k[C(x,k)^n] at m / C(m,k)^n = rho_k(k,m)",
			Domain:    "1 <= k <= m, n >= 0",
			Verdict:   Confirmed,
			Checked:   "against the enumeration of states and positions: m <= 7, n, k <= 4",
			check: func(r *run) error {
				return r.all(rateBox(r), rates(bloomproof.Classic, func(m, n, k int, f *big.Rat) error {
					return first(same(f, committeePower(m, n, k, k)), same(f, rho(k, m, repeat(k, n))))
				}))
			},
		},
		{
			ID: "burns.eq62", Paper: Burns, Ref: "Section 3.2.2, (62)",
			Statement: "f_C = F[-k, k-m, ..., k-m; -m, ..., -m; 1] with n+1 upper and n lower parameters",
			Domain:    "1 <= k <= m, n >= 0",
			Verdict:   Confirmed,
			Checked:   "against the enumeration of states and positions: m <= 7, n, k <= 4",
			check: func(r *run) error {
				return r.all(rateBox(r), rates(bloomproof.Classic, func(m, n, k int, f *big.Rat) error {
					got, err := hyper(append(repeat(k-m, n), -k), repeat(-m, n), whole(1))
					return first(err, same(got, f))
				}))
			},
		},
		{
			ID: "burns.eq63", Paper: Burns, Ref: "Section 3.2.2, (63), after Grandi",
			Statement:      "psi(h,m) = psi(h-1,m) - (1-k/m)^n psi(h-1,m-1), f_C = psi(m,k)",
			Domain:         "psi(0,.) = 1, 1 <= k <= m, n >= 1",
			Verdict:        Misprint,
			Counterexample: "m = 2, n = 1, k = 1: f_C = 1/2, psi(2,1) = 1",
			Repair:         "f_C = psi(k,m)",
			Argument: [2]string{
				"The second argument of psi is the number of urns: with k urns the factor (1-k/k)^n is 0, so psi(h,k) = 1 for all h.",
				"psi(1,2) = 1 - (1-1/2)^1 = 1/2 is the share of set bits after one item.",
			},
			Checked: "against the enumeration of states and positions: m <= 7, n, k <= 4",
			check: func(r *run) error {
				law := func(swap bool) func(p []int) error {
					return rates(bloomproof.Classic, func(m, n, k int, f *big.Rat) error {
						h, urns := k, m
						if swap {
							h, urns = m, k
						}
						return same(f, psi(h, urns, func(_, m int) *big.Rat { return pow(rat(m-k, m), n) }))
					})
				}
				box := rateBox(r)
				box[1].Lo = 1
				return first(r.smallest([]int{2, 1, 1}, box, law(true)), r.all(rateBox(r), law(false)))
			},
		},
		{
			ID: "burns.cor23.lower", Paper: Burns, Ref: "Section 3.2.2, Corollary 23",
			Statement: "L <= f_S and L <= f_C, L = nabla^k[x^(nk)] at m / m^(nk)",
			Domain:    "1 <= k <= (m-1)/2 as printed; both hold for all 1 <= k <= m",
			Verdict:   Confirmed,
			Checked:   "exhaustively: m <= 24, n <= 12, 1 <= k <= m",
			check: func(r *run) error {
				return r.all(boundsBox(r), bounded(kFits, func(m, n, k int) error {
					l := powerRatio(m, n*k, k)
					return first(atMost(l, rateS(m, n, k)), atMost(l, rateC(m, n, k)))
				}))
			},
		},
		{
			ID: "burns.eq64", Paper: Burns, Ref: "Section 3.2.2, Corollary 23, (64)",
			Statement: "L = nabla^k[x^(nk)] at m / m^(nk) >= C(mu_S,k)/C(m,k), mu_S = m (1-(1-1/m)^(nk))",
			Domain:    "1 <= k <= (m-1)/2; beyond it fails first at m = 12, n = 1, k = 12, where mu_S < k-1",
			Verdict:   Confirmed,
			Checked:   "exhaustively: m <= 60, n <= 4, 1 <= k <= (m-1)/2; the failure is the first with k <= m",
			check: func(r *run) error {
				law := func(m, n, k int) error {
					return atMost(quo(choose(standardMean(m, n*k), k), ichoose(m, k)), powerRatio(m, n*k, k))
				}
				small := box{{"m", 1, r.upto(14, 60)}, {"n", 0, r.upto(3, 4)}, {"k", 1, r.upto(14, 60)}}
				return first(
					r.all(small, bounded(func(m, _, k int) bool { return 2*k <= m-1 }, law)),
					r.smallest([]int{12, 1, 12}, box{{"m", 1, 12}, {"n", 0, 3}, {"k", 1, 12}}, bounded(kFits, law)))
			},
		},
		{
			ID: "burns.eq65", Paper: Burns, Ref: "Section 3.2.2, Corollary 23, (65)",
			Statement: "f_S <= U and f_C <= U, U = (1-(1-k/m)^n)^k = (mu_C/m)^k",
			Domain:    "1 <= k <= (m-1)/2 as printed; both hold for all 1 <= k <= m, and fail for k > m",
			Verdict:   Confirmed,
			Checked:   "exhaustively: m <= 24, n <= 12, 1 <= k <= m; m = 1, n = 2, k = 2: U = 0, f_S = 1",
			check: func(r *run) error {
				return first(
					r.once(func() error { return below(upperRate(1, 2, 2), rateS(1, 2, 2)) }),
					r.all(boundsBox(r), bounded(kFits, func(m, n, k int) error {
						u := upperRate(m, n, k)
						return first(atMost(rateS(m, n, k), u), atMost(rateC(m, n, k), u), same(u, pow(quo(committeeMean(m, n, k), whole(m)), k)))
					})))
			},
		},
		{
			ID: "burns.cor23.proof", Paper: Burns, Ref: "Section 3.2.2, proof of Corollary 23",
			Statement: "U = m^(-k) sum_i S(k,i) ff(mu_C,i), and ff(mu_C,i) >= ff(m,i) nabla^i[x^(nk)] at m / m^(nk) for i <= k",
			Domain:    "1 <= k <= m",
			Verdict:   Confirmed,
			Checked:   "exhaustively: m <= 14, n <= 8, all k and i",
			check: func(r *run) error {
				box := box{{"m", 1, r.upto(7, 14)}, {"n", 0, r.upto(4, 8)}, {"k", 1, r.upto(7, 14)}}
				return r.all(box, bounded(kFits, func(m, n, k int) error {
					mu := committeeMean(m, n, k)
					u := quo(sum(0, k, func(i int) *big.Rat { return mul(stirling(k, i), fall(mu, i)) }), ipow(m, k))
					err := same(u, upperRate(m, n, k))
					for i := 0; i <= k && err == nil; i++ {
						err = atMost(mul(ifall(m, i), powerRatio(m, n*k, i)), fall(mu, i))
					}
					return err
				}))
			},
		},
		{
			ID: "burns.3.3.better", Paper: Burns, Ref: "Section 3.3",
			Statement:      "Bloom's original construction is more efficient than the standard filter: f_C < f_S for the same m, n, k",
			Domain:         "k >= 2, n >= 1 and kn <= 0.7 (m-1); it fails when the filter is filled much beyond its best: at m = 60 first at kn = 51 for n = 1, 52 for n = 2, 60 for n = 6",
			Verdict:        Conditional,
			Counterexample: "m = 3, n = 1, k = 2: both rates are 1/3; m = 3, n = 2, k = 2: f_C = 7/9 is above f_S = 55/81",
			Checked:        "exhaustively for k >= 2, kn <= 0.7 (m-1), m <= 40, n <= 14; the counterexamples; f_C = f_S for k = 1",
			check: func(r *run) error {
				law := func(m, n, k int) error {
					if k == 1 {
						return same(rateC(m, n, k), rateS(m, n, k))
					}
					return below(rateC(m, n, k), rateS(m, n, k))
				}
				box := box{{"m", 1, r.upto(16, 40)}, {"n", 1, r.upto(8, 14)}, {"k", 1, r.upto(11, 28)}}
				return first(
					r.once(func() error { return below(rateS(3, 2, 2), rateC(3, 2, 2)) }),
					r.smallest([]int{3, 1, 2}, box, bounded(func(m, _, k int) bool { return k < m }, law)),
					r.all(box, bounded(func(m, n, k int) bool { return 10*k*n <= 7*(m-1) || k == 1 }, law)))
			},
		},
		{
			ID: "burns.3.3.best", Paper: Burns, Ref: "Section 3.3",
			Statement: "the best classic filter has a lower rate than the best standard one: min_k f_C <= min_k f_S",
			Domain:    "m, n >= 1; strict where the best k of one of them is above 1, except m = 3, n = 1",
			Verdict:   Confirmed,
			Checked:   "exhaustively for n <= m <= 40",
			check: func(r *run) error {
				return r.all(box{{"m", 1, r.upto(14, 40)}, {"n", 1, r.upto(14, 40)}}, func(p []int) error {
					m, n := p[0], p[1]
					if n > m {
						return errOutside
					}
					kS, s := bestS(m, n)
					kC, c := bestC(m, n)
					if (kS[0] > 1 || kC[0] > 1) && m > 3 {
						return below(c, s)
					}
					return atMost(c, s)
				})
			},
		},
	}
}

// certain fails unless a <= b for certain.
func certain(a, b exact.Enclosure) error {
	if order, decided := a.Cmp(b); !decided || order > 0 {
		return fmt.Errorf("%v is not certainly at most %v", a, b)
	}
	return nil
}

// relative returns an upper bound of |a-b|/b for enclosures of positive values.
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
