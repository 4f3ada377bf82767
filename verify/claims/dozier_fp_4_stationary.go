package claims

import (
	"errors"
	"fmt"
	"math/big"
)

// visits returns the mean numbers of new arrivals of a cycle that see b = 0, ..., sigma
// bits in a non-retaining filter: (15), started with 1 at b = 0, where every cycle begins.
func visits(m, k, sigma int, distinct bool) []*big.Rat {
	tau := forward(m, k, distinct)
	v := []*big.Rat{whole(1)}
	for i := 1; i <= sigma; i++ {
		into := sum(max(0, i-k), i-1, func(j int) *big.Rat { return mul(v[j], tau(k, j, i)) })
		v = append(v, quo(into, sub(whole(1), tau(k, i, i))))
	}
	return v
}

// normalised returns x divided by its sum.
func normalised(x []*big.Rat) []*big.Rat {
	total := sum(0, len(x)-1, func(i int) *big.Rat { return x[i] })
	out := make([]*big.Rat, len(x))
	for i := range x {
		out[i] = quo(x[i], total)
	}
	return out
}

// rhoAt returns rho(i) by (17).
func rhoAt(m, k int, distinct bool, i int) *big.Rat {
	if distinct {
		return quo(ichoose(i, k), ichoose(m, k))
	}
	return pow(rat(i, m), k)
}

// law returns the probabilities of set bits that arrivals see, and the filter's rate.
func (f recycler) law() (pi []*big.Rat, rate *big.Rat, err error) {
	a, err := f.average()
	if err != nil {
		return nil, nil, err
	}
	return setBits(a, f.m), a.rate(), nil
}

// eachPi compares probabilities with those of the filter.
func eachPi(f recycler, want func(i int) *big.Rat) error {
	pi, _, err := f.law()
	if err != nil {
		return err
	}
	for i := 0; i <= int(f.Sigma); i++ {
		if err := same(want(i), pi[i]); err != nil {
			return fmt.Errorf("i=%d: %w", i, err)
		}
	}
	return nil
}

// balance16 examines (16) for 0 <= i <= k, multiplied by its denominator.
func balance16(f recycler) error {
	pi, _, err := f.law()
	if err != nil {
		return err
	}
	sigma := int(f.Sigma)
	for i := 0; i <= f.k; i++ {
		var rows [][]*big.Rat
		for j := 0; j <= sigma; j++ {
			rows = append(rows, f.next(j))
		}
		into := sum(1, i-1, func(j int) *big.Rat { return mul(pi[j], rows[j][i]) })
		into.Add(into, sum(sigma-f.k+1, sigma, func(j int) *big.Rat { return mul(pi[j], rows[j][i]) }))
		if err := same(mul(pi[i], sub(whole(1), rows[i][i])), into); err != nil {
			return fmt.Errorf("i=%d: %w", i, err)
		}
	}
	return nil
}

// within limits a law on (m, k, sigma) to a part of its domain.
func within(inside func(m, k, sigma int) bool, law func(p []int) error) func(p []int) error {
	return func(p []int) error {
		if !inside(p[0], p[1], p[2]) {
			return errOutside
		}
		return law(p)
	}
}

// oneHash are the filters of (19).
func oneHash(r *run) box {
	return box{{"m", 1, r.upto(8, 12)}, {"sigma", 0, r.upto(7, 11)}}
}

func dozierFP4Stationary() []Claim {
	return []Claim{
		{
			ID: "dozier-fp.4c.ergodic", Paper: DozierFP, Ref: "Section IV-C2",
			Statement:      "the chains of both non-retaining filters are clearly ergodic (on the states 0, ..., sigma)",
			Domain:         "colliding: all sigma < M; non-colliding: on the states 0, k, k+1, ..., sigma, or 0 alone for sigma < k",
			Verdict:        Conditional,
			Counterexample: "non-colliding, M = 2, k = 2, sigma = 1: state 1 is never entered",
			Checked:        "by enumeration: all those states have a positive share, and one of them can stay, so the period is 1: M <= 9, k <= 5",
			check: func(r *run) error {
				states := func(distinct bool, want func(i, k int) bool) func(p []int) error {
					return ofKind(distinct, false, func(f recycler, m, k, sigma int) error {
						pi, _, err := f.law()
						if err != nil {
							return err
						}
						stays := false
						for i := 0; i <= sigma; i++ {
							if (pi[i].Sign() > 0) != want(i, k) {
								return fmt.Errorf("state %d has the share %s", i, short(pi[i]))
							}
							stays = stays || pi[i].Sign() > 0 && f.next(i)[i].Sign() > 0
						}
						return holds(stays || sigma == 0, "no state can stay")
					})
				}
				every := func(int, int) bool { return true }
				return first(
					r.smallest([]int{2, 2, 1}, chainBox(r), states(true, every)),
					r.all(chainBox(r), states(false, every)),
					r.all(chainBox(r), states(true, func(i, k int) bool { return i == 0 || i >= k })))
			},
		},
		{
			ID: "dozier-fp.eq15", Paper: DozierFP, Ref: "Section IV-C2, (15)",
			Statement: "pi_i = sum_{j=max(0,i-k)}^{i-1} pi_j tau_k(j,i)/(1-tau_k(i,i)), non-retaining",
			Domain:    "1 <= i <= sigma, every sigma < M, colliding and non-colliding; for i = 0 it is the sum of the shares, 1, that counts",
			Verdict:   Confirmed,
			Checked:   "started with any pi_0 and divided by the sum, against the long run by enumeration: M <= 9, k <= 5",
			check: func(r *run) error {
				law := func(distinct bool) func(p []int) error {
					return ofKind(distinct, false, func(f recycler, m, k, sigma int) error {
						pi := normalised(visits(m, k, sigma, distinct))
						return eachPi(f, func(i int) *big.Rat { return pi[i] })
					})
				}
				return first(r.all(chainBox(r), law(false)), r.all(chainBox(r), law(true)))
			},
		},
		{
			ID: "dozier-fp.4c.references", Paper: DozierFP, Ref: "Section IV-C2",
			Statement:      "we apply (12) to compute pi_i; equation (12) now holds only for i > k; take the equations of (12) and (13)",
			Domain:         "the references",
			Verdict:        Misprint,
			Counterexample: "(12) and (13) are transition probabilities, without pi",
			Repair:         "(15), (15), and (15) with (16); in IV-E, pi_i for i > k comes from (15), not from (16)",
			Argument: [2]string{
				"(15) is the recursion of pi_i, and the only one without backward transitions, so it serves for i > k when retaining.",
				"(16) is for 0 <= i <= k, where the retained messages come in.",
			},
			Checked: "(15) for i > k in both retaining filters against the long run: M <= 9, k <= 5, k <= sigma < M",
			check: func(r *run) error {
				law := func(distinct bool) func(p []int) error {
					return ofKind(distinct, true, func(f recycler, m, k, sigma int) error {
						pi, _, err := f.law()
						if err != nil {
							return err
						}
						tau := forward(m, k, distinct)
						for i := k + 1; i <= sigma; i++ {
							into := sum(max(0, i-k), i-1, func(j int) *big.Rat { return mul(pi[j], tau(k, j, i)) })
							if err := same(pi[i], quo(into, sub(whole(1), tau(k, i, i)))); err != nil {
								return fmt.Errorf("i=%d: %w", i, err)
							}
						}
						return nil
					})
				}
				return first(r.all(chainBox(r), law(false)), r.all(chainBox(r), law(true)))
			},
		},
		{
			ID: "dozier-fp.4c.nonzero", Paper: DozierFP, Ref: "Section IV-C2, after (15)",
			Statement:      "for the non-colliding, non-retaining filter pi_i = 0 for i < k",
			Domain:         "i = 0 has a positive share; the sentence is true of the retaining filter",
			Verdict:        Refuted,
			Counterexample: "M = 1, k = 1, sigma = 0: pi_0 = 1",
			Repair:         "pi_0 = 1/E[N_0] > 0 and pi_i = 0 for 0 < i < k; retaining, pi_i = 0 for all i < k",
			Argument: [2]string{
				"Without retaining, every cycle starts with an empty filter, and its first message sees 0 bits.",
				"So a share pi_0 = 1/E[N_0] of the arrivals sees state 0; from there non-colliding positions lead to k bits at once.",
			},
			Checked: "by enumeration: M <= 9, k <= 5",
			check: func(r *run) error {
				law := func(retain, repaired bool) func(p []int) error {
					return ofKind(true, retain, func(f recycler, m, k, sigma int) error {
						a, err := f.average()
						if err != nil {
							return err
						}
						pi := setBits(a, m)
						for i := 0; i < min(k, sigma+1); i++ {
							want := whole(0)
							if i == 0 && repaired {
								want = quo(whole(1), a.capacity())
							}
							if err := same(pi[i], want); err != nil {
								return err
							}
						}
						return nil
					})
				}
				return first(
					r.smallest([]int{1, 1, 0}, chainBox(r), law(false, false)),
					r.all(chainBox(r), law(false, true)),
					r.all(chainBox(r), law(true, false)))
			},
		},
		{
			ID: "dozier-fp.eq16", Paper: DozierFP, Ref: "Section IV-C2, (16)",
			Statement:      "pi_i = (sum_{j=1}^{i-1} pi_j tau_k(j,i) + sum_{j=sigma-k+1}^sigma pi_j tau_k(j,i))/(1-tau_k(i,i)) for 0 <= i <= k, colliding, retaining",
			Domain:         "sigma >= 2k, where the sums have no state in common",
			Verdict:        Conditional,
			Counterexample: "M = 2, k = 1, sigma = 1: state 1 is in the second sum, so pi_1 (1-tau(1,1)) = 0 on the left is pi_1 tau(1,1) = 1 on the right",
			Checked:        "by enumeration; for sigma < 2k the sum over j != i, each once, holds: M <= 9, k <= 5, k <= sigma < M",
			check: func(r *run) error {
				law := ofKind(false, true, func(f recycler, _, _, _ int) error { return balance16(f) })
				large := func(_, k, sigma int) bool { return sigma >= 2*k }
				return first(
					r.smallest([]int{2, 1, 1}, chainBox(r), law),
					r.all(chainBox(r), within(large, law)),
					r.all(chainBox(r), ofKind(false, true, func(f recycler, m, k, sigma int) error {
						pi, _, err := f.law()
						if err != nil {
							return err
						}
						for i := 0; i <= sigma; i++ {
							into := sum(0, sigma, func(j int) *big.Rat {
								if j == i {
									return whole(0)
								}
								return mul(pi[j], f.reinserted(j, i))
							})
							if err := same(mul(pi[i], sub(whole(1), f.reinserted(i, i))), into); err != nil {
								return err
							}
						}
						return nil
					})))
			},
		},
		{
			ID: "dozier-fp.eq17", Paper: DozierFP, Ref: "Section IV-C3, (17)",
			Statement: "rho(i) = C(i,k)/C(M,k) non-colliding, (i/M)^k colliding",
			Domain:    "all 0 <= i <= M, k >= 1 (k <= M non-colliding)",
			Verdict:   Confirmed,
			Checked:   "by enumeration: M <= 10, k <= 5",
			check: func(r *run) error {
				return r.all(box{{"non-colliding", 0, 1}, {"m", 1, r.upto(6, 10)}, {"k", 1, r.upto(3, 5)}}, func(p []int) error {
					f := bitBounded(p[1], p[2], 0, p[0] == 1, false)
					if !f.valid() {
						return errOutside
					}
					for i := 0; i <= f.m; i++ {
						if err := same(rhoAt(f.m, f.k, f.distinct, i), f.match(i)); err != nil {
							return err
						}
					}
					return nil
				})
			},
		},
		{
			ID: "dozier-fp.eq18", Paper: DozierFP, Ref: "Section IV-C3, (18)",
			Statement: "f = sum_{i=0}^sigma pi_i rho(i) is the long-term average rate over all new arrivals",
			Domain:    "all four filters, every sigma < M (sigma >= k when retaining); traffic that is all new",
			Verdict:   Confirmed,
			Checked:   "the false positives per arrival of the long run by enumeration; non-retaining with pi of (15): M <= 9, k <= 5",
			check: func(r *run) error {
				return r.all(variants(r), func(p []int) error {
					f := variant(p)
					pi, rate, err := f.law()
					if err != nil {
						return err
					}
					if !f.Retain {
						pi = normalised(visits(f.m, f.k, int(f.Sigma), f.distinct))
					}
					return same(sum(0, int(f.Sigma), func(i int) *big.Rat { return mul(pi[i], rhoAt(f.m, f.k, f.distinct, i)) }), rate)
				})
			},
		},
		{
			ID: "dozier-fp.4c.retaining", Paper: DozierFP, Ref: "Section IV-B, for (18) and (23)",
			Statement: "non-retaining is the slightly simpler one to analyse (the retaining, non-colliding filter follows from it: f_nr = f_nn/(1-pi_0), E[N]_nr = E[N]_nn - 1)",
			Domain:    "non-colliding, k <= sigma < M; the identities in brackets are not printed",
			Verdict:   Confirmed,
			Checked:   "by enumeration: M <= 9, k <= 5",
			check: func(r *run) error {
				return r.all(chainBox(r), ofKind(true, true, func(f recycler, m, k, sigma int) error {
					kept, err1 := f.average()
					plain, err2 := bitBounded(m, k, sigma, true, false).average()
					if err := first(err1, err2); err != nil {
						return err
					}
					pi := setBits(plain, m)
					return first(
						same(kept.rate(), quo(plain.rate(), sub(whole(1), pi[0]))),
						same(kept.capacity(), sub(plain.capacity(), whole(1))))
				}))
			},
		},
		{
			ID: "dozier-fp.eq19", Paper: DozierFP, Ref: "Section IV-D, (19)",
			Statement: "colliding, non-retaining, k = 1: f = sum_{i=0}^sigma i/(M (M-i) sum_{j=0}^sigma 1/(M-j)), written f^i for f^1",
			Domain:    "sigma < M",
			Verdict:   Confirmed,
			Checked:   "the long run by enumeration, and 1 - (sigma+1)/(M (H_M - H_(M-sigma-1))): M <= 12",
			check: func(r *run) error {
				return r.all(oneHash(r), func(p []int) error {
					m, sigma := p[0], p[1]
					f := bitBounded(m, 1, sigma, false, false)
					_, rate, err := f.law()
					if err != nil {
						return err
					}
					harmonic := sum(0, sigma, func(j int) *big.Rat { return rat(1, m-j) })
					printed := sum(0, sigma, func(i int) *big.Rat { return quo(rat(i, m*(m-i)), harmonic) })
					return first(same(printed, rate), same(sub(whole(1), quo(rat(sigma+1, m), harmonic)), rate))
				})
			},
		},
		{
			ID: "dozier-fp.4e.kernel", Paper: DozierFP, Ref: "Section IV-E, first paragraph",
			Statement: "for the next k, tau_k(i,j) takes (sigma+k)k computations, so all take time O(M k^2), and one k holds sigma(k+1) values",
			Domain:    "k <= M: the entries of j in i..i+k are (sigma+1)(k+1), in all (sigma+1) k (k+3)/2 <= 2 M k^2",
			Verdict:   Confirmed,
			Checked:   "entries that are not 0 for every h <= k counted in the table of (4): M <= 40, k <= 8; not the best, hash by hash it is O(M k) in all",
			check: func(r *run) error {
				return r.all(box{{"m", 1, r.upto(14, 40)}, {"k", 1, r.upto(5, 8)}}, func(p []int) error {
					m, k := p[0], p[1]
					if k > m {
						return errOutside
					}
					sigma := m - 1
					tau := forward(m, k, false)
					entries := 0
					for h := 1; h <= k; h++ {
						for i := 0; i <= sigma; i++ {
							for j := i; j <= m; j++ {
								entries += count(tau(h, i, j).Sign() != 0)
							}
						}
					}
					return holds(entries <= (sigma+1)*k*(k+3)/2 && entries <= 2*m*k*k, "%d entries", entries)
				})
			},
		},
		{
			ID: "dozier-fp.4e.stationary", Paper: DozierFP, Ref: "Section IV-E, second paragraph",
			Statement: "pi_i of the non-retaining filter takes O(kM) time",
			Domain:    "all k, sigma < M, given tau_k: at most k products for each of sigma+1 states",
			Verdict:   Confirmed,
			Checked:   "the terms of (15), counted: sum_i min(i,k) = k sigma - k(k-1)/2 for sigma >= k: M <= 300, k <= 40",
			check: func(r *run) error {
				return r.all(box{{"m", 1, r.upto(60, 300)}, {"k", 1, r.upto(12, 40)}}, func(p []int) error {
					m, k := p[0], p[1]
					terms, sigma := 0, m-1
					for i := 1; i <= sigma; i++ {
						terms += i - max(0, i-k)
					}
					if sigma >= k && terms != k*sigma-k*(k-1)/2 {
						return fmt.Errorf("%d terms", terms)
					}
					return holds(terms <= k*m, "%d terms", terms)
				})
			},
		},
		{
			ID: "dozier-fp.4e.retaining", Paper: DozierFP, Ref: "Section IV-E, third paragraph",
			Statement: "pi_i of the retaining filter takes O(k^2 M) time, through O(M) row reductions of O(k) each for every i <= k",
			Domain:    "k <= sigma < M, given tau_k: k runs of (15), one for each number of bits that a cycle may start with, and a system of k equations",
			Verdict:   Confirmed,
			Checked:   "that procedure gives the long run, in at most k (k M) + k^3 <= 2 k^2 M products: M <= 9, k <= 5; enumeration",
			check: func(r *run) error {
				return r.all(chainBox(r), ofKind(false, true, func(f recycler, m, k, sigma int) error {
					got, products, err := fromStarts(f)
					if err != nil {
						return err
					}
					return first(
						holds(products <= 2*k*k*m, "%d products", products),
						eachPi(f, func(i int) *big.Rat { return got[i] }))
				}))
			},
		},
		{
			ID: "dozier-fp.4e.rate", Paper: DozierFP, Ref: "Section IV-E, fourth paragraph",
			Statement:      "C(i+1,k) = C(i,k) (i+1)/(i+1-k), so (18) takes O(M) time non-colliding, O(kM) colliding",
			Domain:         "i >= k; C(k,k) = 1 starts it",
			Verdict:        Conditional,
			Counterexample: "i = 0, k = 1: C(1,1) = 1, the right side is 0/0",
			Checked:        "i <= 200, 1 <= k <= 40; one factor for each i >= k is O(M), and a k-th power by k-1 products O(kM)",
			check: func(r *run) error {
				law := func(p []int) error {
					i, k := p[0], p[1]
					if i+1 == k {
						return errors.New("0/0")
					}
					return same(ichoose(i+1, k), mul(ichoose(i, k), rat(i+1, i+1-k)))
				}
				box := box{{"i", 0, r.upto(40, 200)}, {"k", 1, r.upto(12, 40)}}
				return first(r.smallest([]int{0, 1}, box, law), r.all(box, func(p []int) error {
					if p[0] < p[1] {
						return errOutside
					}
					return law(p)
				}))
			},
		},
		{
			ID: "dozier-fp.4e.overall", Paper: DozierFP, Ref: "Section IV-E, last paragraph",
			Statement: "the rate takes O(k^2 M) time overall",
			Domain:    "all four filters: the parts above are each at most 2 k^2 M products for k <= M",
			Verdict:   Confirmed,
			Checked:   "an upper bound that is not tight: non-retaining, hash by hash, 4 k (sigma+1) products give the same rate: M <= 9, k <= 5",
			check: func(r *run) error {
				return r.all(chainBox(r), ofKind(false, false, func(f recycler, m, k, sigma int) error {
					v, products := hashByHash(m, k, sigma)
					pi := normalised(v)
					_, rate, err := f.law()
					if err != nil {
						return err
					}
					return first(
						holds(products <= 4*k*(sigma+1), "%d products", products),
						same(sum(0, sigma, func(i int) *big.Rat { return mul(pi[i], rhoAt(m, k, false, i)) }), rate))
				}))
			},
		},
	}
}

// fromStarts returns the stationary law of a colliding, retaining filter: a cycle starts
// with d = 1, ..., k bits; the visits of each start follow by (15), the law of the start
// from where the cycles end. It counts products as Section IV-E does, tau being given.
func fromStarts(f recycler) (pi []*big.Rat, products int, err error) {
	m, k, sigma := f.m, f.k, int(f.Sigma)
	tau := forward(m, k, false)
	visits := make([][]*big.Rat, k+1)
	ends := make([][]*big.Rat, k) // from the start d+1 to the next start e+1
	for d := 1; d <= k; d++ {
		v := make([]*big.Rat, sigma+1)
		for i := range v {
			into := whole(count(i == d))
			for j := max(d, i-k); j < i; j++ {
				into.Add(into, mul(v[j], tau(k, j, i)))
				products++
			}
			v[i] = quo(into, sub(whole(1), tau(k, i, i)))
		}
		visits[d] = v
		row := make([]*big.Rat, k)
		for e := 1; e <= k; e++ {
			row[e-1] = sum(max(0, sigma-k+1), sigma, func(i int) *big.Rat {
				back := f.reinserted(i, e)
				if e >= i {
					back = sub(back, tau(k, i, e))
				}
				return mul(v[i], back)
			})
			products += k
		}
		ends[d-1] = row
	}
	products += k * k * k / 3
	start := stationary(ends)
	pi = make([]*big.Rat, sigma+1)
	for i := range pi {
		pi[i] = sum(1, k, func(d int) *big.Rat { return mul(start[d-1], visits[d][i]) })
		products += k
	}
	return normalised(pi), products, nil
}

// hashByHash returns the visits of a colliding, non-retaining filter by following one hash
// function after the other: x[h] is the mean number of times that b bits are set when h of
// a message's positions are. For a given b these k numbers form a ring, entered from b-1.
func hashByHash(m, k, sigma int) (v []*big.Rat, products int) {
	entered := make([]*big.Rat, k) // mean number of first moments at b bits with h positions done
	for h := range entered {
		entered[h] = whole(count(h == 0))
	}
	for b := 0; b <= sigma; b++ {
		stay, leave := rat(b, m), rat(m-b, m)
		// Once round the ring from h = 0: what stays adds up to x[0] (1 - stay^k).
		round, back := whole(1), new(big.Rat)
		for h := k - 1; h > 0; h-- {
			round = mul(round, stay)
			back = add(back, mul(round, entered[h]))
			products += 2
		}
		x := make([]*big.Rat, k)
		x[0] = quo(add(entered[0], back), sub(whole(1), mul(round, stay)))
		for h := 1; h < k; h++ {
			x[h] = add(entered[h], mul(stay, x[h-1]))
			products++
		}
		v = append(v, x[0])
		for h := range k {
			entered[(h+1)%k] = mul(leave, x[h])
			products++
		}
	}
	return v, products
}
