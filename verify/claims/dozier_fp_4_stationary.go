package claims

import (
	"errors"
	"fmt"
	"math/big"
)

// visits describes a non-retaining filter. For b = 0, ..., sigma it returns the mean number of new arrivals in a cycle
// that see b bits set. It uses Dozier-FP (15), starting with 1 at b = 0, where every cycle begins.
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

// rhoAt returns rho(i), the probability that a new message finds all its positions among i set bits. It uses Dozier-FP
// (17).
func rhoAt(m, k int, distinct bool, i int) *big.Rat {
	if distinct {
		return quo(ichoose(i, k), ichoose(m, k))
	}
	return pow(rat(i, m), k)
}

// law returns the distribution of the number of set bits that arrivals see, and the filter's rate.
func (f recycler) law() (pi []*big.Rat, rate *big.Rat, err error) {
	a, err := f.average()
	if err != nil {
		return nil, nil, err
	}
	return setBits(a, f.m), a.rate(), nil
}

// eachPi returns an error unless want(i) is pi_i for every i: the probability that an arrival at the filter sees i bits
// set.
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

// balance16 examines Dozier-FP (16) for 0 <= i <= k, after multiplication by its denominator.
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

var dozierFP4Stationary = []claim{
	fp4cErgodic, fpEq15, fp4cReferences, fp4cNonzero, fpEq16, fpEq17, fpEq18, fp4cRetaining, fpEq19,
	fp4eKernel, fp4eStationary, fp4eRetaining, fp4eRate, fp4eOverall,
}

var fp4cErgodic = claim{
	ID: "dozier-fp.4c.ergodic", Ref: "Section IV-C2",
	Statement:      "the chains of both non-retaining filters are clearly ergodic (on the states 0, ..., sigma)",
	Verdict:        Conditional,
	Counterexample: "state 1 is never entered",
	How:            "all those states have a positive share, and one of them can stay, so the period is 1; non-colliding, the states are 0, k, k+1, ..., sigma, or 0 alone for sigma < k",
	parts: func() []part {
		states := func(distinct bool, want func(i, k int) bool) func(p point) error {
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
		return []part{
			fails(point{2, 2, 1}, kindOf(bitFilters, true, false), states(true, every)),
			holdsOn(kindOf(bitFilters, false, false), states(false, every)),
			holdsOn(kindOf(bitFilters, true, false), states(true, func(i, k int) bool { return i == 0 || i >= k })).on("non-colliding, the states 0 and from k on"),
		}
	},
}

var fpEq15 = claim{
	ID: "dozier-fp.eq15", Ref: "Section IV-C2, (15)",
	Statement: "pi_i = sum_{j=max(0,i-k)}^{i-1} pi_j tau_k(j,i)/(1-tau_k(i,i)), non-retaining",
	Verdict:   Confirmed,
	How:       "started with any pi_0 and divided by the sum, against the long run by enumeration; for i = 0 it is the sum of the shares, 1, that counts",
	parts: func() []part {
		law := func(distinct bool) func(p point) error {
			return ofKind(distinct, false, func(f recycler, m, k, sigma int) error {
				pi := normalised(visits(m, k, sigma, distinct))
				return eachPi(f, func(i int) *big.Rat { return pi[i] })
			})
		}
		return []part{
			holdsOn(kindOf(bitFilters, false, false), law(false)).in(through("1 <= i <= sigma")),
			holdsOn(kindOf(bitFilters, true, false), law(true)).in(through("1 <= i <= sigma")),
		}
	},
}

var fp4cReferences = claim{
	ID: "dozier-fp.4c.references", Ref: "Section IV-C2",
	Statement:      "we apply (12) to compute pi_i; equation (12) now holds only for i > k; take the equations of (12) and (13)",
	Verdict:        Misprint,
	Counterexample: "(12) for pi_2 gives 0, which (15) has as 2/3 of the arrivals: (12) and (13) are transition probabilities, without pi",
	Repair:         "(15), (15), and (15) with (16); in IV-E, pi_i for i > k comes from (15), not from (16)",
	Argument: [2]string{
		"(15) is the recursion of pi_i, and the only one without backward transitions, so it serves for i > k when retaining.",
		"(16) is for 0 <= i <= k, where the retained messages come in.",
	},
	How: "(15) for i > k in both retaining filters against the long run by enumeration",
	parts: func() []part {
		law := func(distinct, retain bool) func(p point) error {
			return ofKind(distinct, retain, func(f recycler, m, k, sigma int) error {
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
		parts := []part{breaks(point{3, 1, 2}, kindOf(bitFilters, true, true), ofKind(true, true, func(f recycler, m, k, sigma int) error {
			pi, _, err := f.law() // (12) is about state 0 and is a transition from i = sigma
			return first(err, same(returning(m, k, sigma, true, 0), pi[sigma]))
		}))}
		return append(parts, everyKind(bitFilters, []bool{true}, law)...)
	},
}

var fp4cNonzero = claim{
	ID: "dozier-fp.4c.nonzero", Ref: "Section IV-C2, after (15)",
	Statement:      "for the non-colliding, non-retaining filter pi_i = 0 for i < k",
	Verdict:        Refuted,
	Counterexample: "pi_0 = 1",
	Repair:         "pi_0 = 1/E[N_0] > 0 and pi_i = 0 for 0 < i < k; retaining, pi_i = 0 for all i < k",
	Argument: [2]string{
		"Without retaining, every cycle starts with an empty filter, and its first message sees 0 bits.",
		"So a share pi_0 = 1/E[N_0] of the arrivals sees state 0; from there non-colliding positions lead to k bits at once.",
	},
	How: "by enumeration; the sentence is true of the retaining filter",
	parts: func() []part {
		law := func(retain, repaired bool) func(p point) error {
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
		return []part{
			fails(point{1, 1, 0}, kindOf(bitFilters, true, false), law(false, false)),
			holdsOn(kindOf(bitFilters, true, false), law(false, true)),
			holdsOn(kindOf(bitFilters, true, true), law(true, false)).on("as printed, retaining"),
		}
	},
}

var fpEq16 = claim{
	ID: "dozier-fp.eq16", Ref: "Section IV-C2, (16)",
	Statement:      "pi_i = (sum_{j=1}^{i-1} pi_j tau_k(j,i) + sum_{j=sigma-k+1}^sigma pi_j tau_k(j,i))/(1-tau_k(i,i)) for 0 <= i <= k, colliding, retaining",
	Verdict:        Conditional,
	Counterexample: "state 1 is in the second sum, so pi_1 (1-tau(1,1)) = 0 on the left is pi_1 tau(1,1) = 1 on the right",
	How:            "by enumeration: from sigma = 2k on the sums have no state in common",
	parts: func() []part {
		law := ofKind(false, true, func(f recycler, _, _, _ int) error { return balance16(f) })
		retaining := kindOf(bitFilters, false, true)
		return []part{
			fails(point{2, 1, 1}, retaining, law),
			holdsOn(with(retaining, where("sigma >= 2k", "sigma k", func(x point) bool { return x[0] >= 2*x[1] })), law),
			holdsOn(retaining, ofKind(false, true, func(f recycler, m, k, sigma int) error {
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
			})).on("the sum over j != i, each once"),
		}
	},
}

var fpEq17 = claim{
	ID: "dozier-fp.eq17", Ref: "Section IV-C3, (17)",
	Statement: "rho(i) = C(i,k)/C(M,k) non-colliding, (i/M)^k colliding",
	Verdict:   Confirmed,
	How:       "by enumeration",
	parts: func() []part {
		return []part{holdsOn(domain{hashings, number("M", 1).by(6, 10).upTo(14), number("k", 1).by(3, 5).upTo(7), fitsHashing, through("0 <= i <= M")}, func(p point) error {
			f := bitBounded(p.int(1), p.int(2), 0, p[0] == 1, false)
			for i := 0; i <= f.m; i++ {
				if err := same(rhoAt(f.m, f.k, f.distinct, i), f.match(i)); err != nil {
					return err
				}
			}
			return nil
		})}
	},
}

var fpEq18 = claim{
	ID: "dozier-fp.eq18", Ref: "Section IV-C3, (18)",
	Statement: "f = sum_{i=0}^sigma pi_i rho(i) is the long-term average rate over all new arrivals",
	Verdict:   Confirmed,
	How:       "traffic that is all new: the false positives per arrival of the long run by enumeration; not retaining with pi of (15)",
	parts: func() []part {
		return everyKind(bitFilters, []bool{false, true}, func(distinct, retain bool) func(p point) error {
			return ofKind(distinct, retain, func(f recycler, m, k, sigma int) error {
				pi, rate, err := f.law()
				if err != nil {
					return err
				}
				if !retain {
					pi = normalised(visits(m, k, sigma, distinct))
				}
				return same(sum(0, sigma, func(i int) *big.Rat { return mul(pi[i], rhoAt(m, k, distinct, i)) }), rate)
			})
		})
	},
}

var fp4cRetaining = claim{
	ID: "dozier-fp.4c.retaining", Ref: "Section IV-B, for (18) and (23)",
	Statement: "non-retaining is the slightly simpler one to analyse (the retaining, non-colliding filter follows from it: f_nr = f_nn/(1-pi_0), E[N]_nr = E[N]_nn - 1)",
	Verdict:   Confirmed,
	How:       "by enumeration; the identities in brackets are not printed",
	parts: func() []part {
		return []part{
			holdsOn(kindOf(bitFilters, true, true), ofKind(true, true, func(f recycler, m, k, sigma int) error {
				kept, err1 := f.average()
				plain, err2 := bitBounded(m, k, sigma, true, false).average()
				if err := first(err1, err2); err != nil {
					return err
				}
				pi := setBits(plain, m)
				return first(
					same(kept.rate(), quo(plain.rate(), sub(whole(1), pi[0]))),
					same(kept.capacity(), sub(plain.capacity(), whole(1))))
			})),
		}
	},
}

var fpEq19 = claim{
	ID: "dozier-fp.eq19", Ref: "Section IV-D, (19)",
	Statement: "colliding, non-retaining, k = 1: f = sum_{i=0}^sigma i/(M (M-i) sum_{j=0}^sigma 1/(M-j)), written f^i for f^1",
	Verdict:   Confirmed,
	How:       "the long run by enumeration, and 1 - (sigma+1)/(M (H_M - H_(M-sigma-1)))",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("M", 1).by(8, 12), number("sigma", 0).below("M").by(7, 11)}, func(p point) error {
				m, sigma := p.int(0), p.int(1)
				f := bitBounded(m, 1, sigma, false, false)
				_, rate, err := f.law()
				if err != nil {
					return err
				}
				harmonic := sum(0, sigma, func(j int) *big.Rat { return rat(1, m-j) })
				printed := sum(0, sigma, func(i int) *big.Rat { return quo(rat(i, m*(m-i)), harmonic) })
				return first(same(printed, rate), same(sub(whole(1), quo(rat(sigma+1, m), harmonic)), rate))
			}),
		}
	},
}

var fp4eKernel = claim{
	ID: "dozier-fp.4e.kernel", Ref: "Section IV-E, first paragraph",
	Statement: "for the next k, tau_k(i,j) takes (sigma+k)k computations, so all take time O(M k^2), and one k holds sigma(k+1) values",
	Verdict:   Confirmed,
	How:       "the entries of j in i..i+k are (sigma+1)(k+1), in all (sigma+1) k (k+3)/2 <= 2 M k^2: entries that are not 0 for every h <= k counted in the table of (4), sigma = M-1; not the best, hash by hash it is O(M k) in all",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("M", 1).by(14, 40), number("k", 1).under("M").by(5, 8)}, func(p point) error {
				m, k := p.int(0), p.int(1)
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
			}),
		}
	},
}

var fp4eStationary = claim{
	ID: "dozier-fp.4e.stationary", Ref: "Section IV-E, second paragraph",
	Statement: "pi_i of the non-retaining filter takes O(kM) time",
	Verdict:   Confirmed,
	How:       "given tau_k, at most k products for each of sigma+1 states: the terms of (15), counted: sum_i min(i,k) = k sigma - k(k-1)/2 for sigma >= k",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("M", 1).by(60, 300).upTo(5000), number("k", 1).by(12, 40).upTo(100), through("sigma = M-1")}, func(p point) error {
				m, k := p.int(0), p.int(1)
				terms, sigma := 0, m-1
				for i := 1; i <= sigma; i++ {
					terms += i - max(0, i-k)
				}
				if sigma >= k && terms != k*sigma-k*(k-1)/2 {
					return fmt.Errorf("%d terms", terms)
				}
				return holds(terms <= k*m, "%d terms", terms)
			}),
		}
	},
}

var fp4eRetaining = claim{
	ID: "dozier-fp.4e.retaining", Ref: "Section IV-E, third paragraph",
	Statement: "pi_i of the retaining filter takes O(k^2 M) time, through O(M) row reductions of O(k) each for every i <= k",
	Verdict:   Confirmed,
	How:       "given tau_k: k runs of (15), one for each number of bits that a cycle may start with, and a system of k equations; that procedure gives the long run by enumeration, in at most k (k M) + k^3 <= 2 k^2 M products",
	parts: func() []part {
		return []part{
			holdsOn(kindOf(bitFilters, false, true), ofKind(false, true, func(f recycler, m, k, sigma int) error {
				got, products, err := fromStarts(f)
				if err != nil {
					return err
				}
				return first(
					holds(products <= 2*k*k*m, "%d products", products),
					eachPi(f, func(i int) *big.Rat { return got[i] }))
			})),
		}
	},
}

var fp4eRate = claim{
	ID: "dozier-fp.4e.rate", Ref: "Section IV-E, fourth paragraph",
	Statement:      "C(i+1,k) = C(i,k) (i+1)/(i+1-k), so (18) takes O(M) time non-colliding, O(kM) colliding",
	Verdict:        Conditional,
	Counterexample: "C(1,1) = 1, the right side is 0/0",
	How:            "C(k,k) = 1 starts it; one factor for each i >= k is O(M), and a k-th power by k-1 products O(kM)",
	parts: func() []part {
		law := func(p point) error {
			i, k := p.int(0), p.int(1)
			if i+1 == k {
				return errors.New("0/0")
			}
			return same(ichoose(i+1, k), mul(ichoose(i, k), rat(i+1, i+1-k)))
		}
		all := domain{number("i", 0).by(40, 200).upTo(1000), number("k", 1).by(12, 40).upTo(200)}
		return []part{
			fails(point{0, 1}, all, law),
			holdsOn(with(all, where("i >= k", "i k", func(x point) bool { return x[0] >= x[1] })), law),
		}
	},
}

var fp4eOverall = claim{
	ID: "dozier-fp.4e.overall", Ref: "Section IV-E, last paragraph",
	Statement: "the rate takes O(k^2 M) time overall",
	Verdict:   Confirmed,
	How:       "all four filters: the parts above are each at most 2 k^2 M products for k <= M; an upper bound that is not tight: not retaining, hash by hash, 4 k (sigma+1) products give the same rate",
	parts: func() []part {
		return []part{
			holdsOn(kindOf(bitFilters, false, false), ofKind(false, false, func(f recycler, m, k, sigma int) error {
				v, products := hashByHash(m, k, sigma)
				pi := normalised(v)
				_, rate, err := f.law()
				if err != nil {
					return err
				}
				return first(
					holds(products <= 4*k*(sigma+1), "%d products", products),
					same(sum(0, sigma, func(i int) *big.Rat { return mul(pi[i], rhoAt(m, k, false, i)) }), rate))
			})),
		}
	},
}

// fromStarts returns the stationary distribution of a colliding, retaining filter. A cycle starts with d = 1, ..., k
// bits set. For each start, the visits follow by Dozier-FP (15). The distribution of the start follows from where the
// cycles end. Products are counted as in Dozier-FP, section IV-E, where the transition probabilities are given.
func fromStarts(f recycler) (pi []*big.Rat, products int, err error) {
	m, k, sigma := f.m, f.k, int(f.Sigma)
	tau := forward(m, k, false)
	visits := make([][]*big.Rat, k+1)
	ends := make([][]*big.Rat, k) // ends[d][e] leads from the start d+1 to the next start e+1
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

// hashByHash returns the visits of a colliding, non-retaining filter. It follows one hash function after another. x[h]
// is the mean number of times that b bits are set after h positions of a message. While b stays the same, h goes from 0
// to k-1 and then begins again at 0, as in a ring. The filter enters this ring from b-1.
func hashByHash(m, k, sigma int) (v []*big.Rat, products int) {
	entered := make([]*big.Rat, k) // entered[h] is the mean number of times that the filter reaches b bits at h positions
	for h := range entered {
		entered[h] = whole(count(h == 0))
	}
	for b := 0; b <= sigma; b++ {
		stay, leave := rat(b, m), rat(m-b, m)
		// Go once around the ring. x[0] is the sum of three terms: what enters at h = 0, what enters at another h and
		// stays until h = 0, and stay^k x[0]. So the first two terms sum to x[0] (1 - stay^k).
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
