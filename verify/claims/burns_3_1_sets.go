package claims

import (
	"fmt"
	"math"
	"math/big"
)

var burns31 = []claim{
	burnsTable1Roles, burnsTable1Laws, burns3Collisionfree, burns3Asymptotics, burnsFig4, burns3Shape, burns31Union,
	burns31Positives, burnsEq49, burnsEq50,
}

var burnsTable1Roles = claim{
	ID: "burns.table1.roles", Ref: "Section 3, Table 1, classic column",
	Statement:      "a classic filter of n items is an urn model of k batches of n balls",
	Verdict:        Misprint,
	Counterexample: "one item sets 2 bits surely; two batches of one ball occupy 3/2 urns on average",
	Repair:         "n batches of k balls",
	Argument: [2]string{
		"An item is a batch: its k positions are distinct, those of different items may meet.",
		"The mean below it in the table, m (1-(1-k/m)^n), is k for n = 1.",
	},
	How: "the mean one batch after the other; the p.m.f. and the mean of the table by (14), (16), (4), (44)",
	parts: func() []part {
		return []part{
			fails(point{2, 1, 2}, domain{number("m", 1).by(6, 6), number("n", 0).under("m").by(4, 4), number("k", 0).under("m").by(4, 4)}, func(p point) error {
				m, n, k := p.int(0), p.int(1), p.int(2)
				return same(mean(occupied(m, repeat(n, k)...), whole), committeeMean(m, n, k))
			}),
			holdsOn(committees, committee(func(l setLaw, m, n, k int) error {
				return same(mean(l.pmf(), whole), committeeMean(m, n, k))
			})),
		}
	},
}

var burnsTable1Laws = claim{
	ID: "burns.table1.laws", Ref: "Section 3, Table 1",
	Statement: "X has the law C(m,i) Delta^i[C(x,k)^n] at 0 / C(m,k)^n in a classic filter, S(nk,i) ff(m,i)/m^(nk) in a standard one, and the means of (16) and (44)",
	Verdict:   Confirmed,
	How:       "by enumeration",
	parts: func() []part {
		return []part{
			holdsOn(enumerable, func(p point) error {
				m, n, k := p.int(0), p.int(1), p.int(2)
				l, err := union(m, repeat(1, n*k)...)
				if err != nil {
					return err
				}
				err = first(same(mean(l.pmf(), whole), standardMean(m, n*k)), eachPMF(l, func(i int) (*big.Rat, error) {
					return quo(mul(stirling(n*k, i), ifall(m, i)), ipow(m, n*k)), nil
				}))
				if err != nil || k > m {
					return err
				}
				return committee(func(l setLaw, m, n, k int) error {
					return eachPMF(l, func(i int) (*big.Rat, error) {
						return mul(ichoose(m, i), delta(i, func(x int) *big.Rat { return fit(x, m, repeat(k, n)) }, 0)), nil
					})
				})(p)
			}),
		}
	},
}

var burns3Collisionfree = claim{
	ID: "burns.3.collisionfree", Ref: "Section 3, after Table 1",
	Statement: "P_S(X = k | n = 1) = ff(m,k)/m^k, with limit 1 as m grows",
	Verdict:   Confirmed,
	How:       "by enumeration; the limit by 1 - k(k-1)/(2m) <= ff(m,k)/m^k <= 1, which rises in m",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 1).by(5, 7).upTo(12), number("k", 0).by(4, 4).upTo(8)}, func(p point) error {
				m, k := p.int(0), p.int(1)
				l, err := union(m, repeat(1, k)...)
				if err != nil || k > m {
					return first(err, same(ifall(m, k), new(big.Rat)))
				}
				return same(l.pmf()[k], quo(ifall(m, k), ipow(m, k)))
			}),
			holdsOn(domain{number("m", 1).by(100, 10000).upTo(1 << 30), number("k", 0).by(12, 12).upTo(40)}, func(p point) error {
				m, k := p.int(0), p.int(1)
				now, next := quo(ifall(m, k), ipow(m, k)), quo(ifall(m+1, k), ipow(m+1, k))
				return first(atMost(sub(whole(1), rat(k*(k-1), 2*m)), now), atMost(now, next), atMost(next, whole(1)))
			}).on("the limit"),
		}
	},
}

// hashingsAlike is the law that the rates of the classic and the standard filter differ by less than a tenth of the
// standard rate. At points where their ratio tends to 1, the law holds from some m on.
func hashingsAlike(p point) error {
	ratio, _ := quo(rateC(p.int(0), p.int(1), p.int(2)), rateS(p.int(0), p.int(1), p.int(2))).Float64()
	return holds(math.Abs(ratio-1) < 0.1, "f_C/f_S = %g", ratio)
}

// asymptoticRatios returns the parts for two limits of f_C/f_S, the classic rate divided by the standard rate, as m
// grows. In the first limit n and k are fixed. In the second n/m and k are fixed. The errors are of the order of nk^2/m
// and of k/n. The laws allow errors of 2nk^2/m and k/n.
func asymptoticRatios() []part {
	ratio := func(p point) *big.Rat {
		return quo(rateC(p.int(0), p.int(1), p.int(2)), rateS(p.int(0), p.int(1), p.int(2)))
	}
	return []part{
		keeps(domain{
			number("m", 1000).among(2, 1000, 1000000).upTo(1 << 40), number("n", 1).by(3, 6).upTo(20), number("k", 1).by(3, 6).upTo(12),
			where("m >= 10 nk^2", "m n k", func(x point) bool { return x[0] >= 10*x[1]*x[2]*x[2] }),
		}, func(p point) (float64, error) {
			m, n, k := p.int(0), p.int(1), p.int(2)
			limit := quo(ifall(n*k, k), ipow(n*k, k))
			off, _ := sub(quo(ratio(p), limit), whole(1)).Float64()
			return 2*float64(n*k*k)/float64(m) - math.Abs(off), nil
		}).on("n, k fixed"),
		keeps(domain{
			number("m", 16).among(2, 64, 256, 512).upTo(1200), number("n", 1).under("m").among(2, 16, 64, 128).upTo(400), number("k", 1).by(3, 5).upTo(8),
			where("kn <= 2m", "m n k", func(x point) bool { return x[1]*x[2] <= 2*x[0] }),
		}, func(p point) (float64, error) {
			off, _ := sub(ratio(p), whole(1)).Float64()
			return float64(p.int(2))/float64(p.int(1)) - math.Abs(off), nil
		}).on("n/m, k fixed: within k/n of 1").tried(4, 200),
	}
}

var burns3Asymptotics = claim{
	ID: "burns.3.asymptotics", Ref: "Section 3, before 3.1",
	Statement:      "for fixed k and increasing m >> k the asymptotic behavior of the standard Bloom filter is equivalent to the classic Bloom filter",
	Verdict:        Refuted,
	Counterexample: "f_C = 1/C(m,2) = 2.00e-6, f_S = 4.00e-6; f_C/f_S tends to 1/2",
	Repair:         "f_C/f_S tends to ff(nk,k)/(nk)^k as m grows with n and k fixed, and to 1 with n/m and k fixed; that an item's positions are distinct with a probability that tends to 1 is right, but the items that collide are those whose rates decide",
	Argument: [2]string{
		"m^k f_S tends to (nk)^k: each of the k positions finds one of the nk set bits. m^k f_C tends to k! C(nk,k) = ff(nk,k): the k positions find k different ones.",
		"n = 1, k = 2: an item matches in a classic filter if it has the same two bits, 2/m^2; in a standard one also if it has one of them twice, 4/m^2.",
	},
	How: "rationals",
	parts: func() []part {
		return append([]part{
			breaks(point{1000, 1, 2}, domain{number("m", 1), number("n", 1), number("k", 1).under("m"), through("m large against k")}, hashingsAlike),
			comesOut("f_C(1000,1,2) = 2.00e-6, f_S(1000,1,2) = 4.00e-6", func() error {
				return first(roundsRat(rateC(1000, 1, 2), "2.00e-6"), roundsRat(rateS(1000, 1, 2), "4.00e-6"))
			}),
		}, asymptoticRatios()...)
	},
}

var burnsFig4 = claim{
	ID: "burns.fig4", Ref: "Section 3, Figure 4",
	Statement: "a filter of m = 11 bits with n = 2 items and k = 3 positions can give a false positive",
	Verdict:   Confirmed,
	How:       "the rates are f_S = 0.0896, f_C = 0.0756",
	parts: func() []part {
		return []part{holdsOn(domain{exactly("m", 11), exactly("n", 2), exactly("k", 3)}, func(p point) error {
			s, c := rateS(p.int(0), p.int(1), p.int(2)), rateC(p.int(0), p.int(1), p.int(2))
			return first(below(new(big.Rat), c), below(c, s), roundsRat(s, "0.0896"), roundsRat(c, "0.0756"))
		})}
	},
}

var burns3Shape = claim{
	ID: "burns.3.shape", Ref: "Section 3, after Figure 4; Figure 6",
	Statement:      "increasing k first decreases the rate, which then increases to 1",
	Verdict:        Conditional,
	Counterexample: "f_S = 1/2 at k = 1, 5/8 at k = 2",
	How:            "where f(1) <= f(2) it increases from k = 1 on; the limit by f_S >= M and f_C(m,n,m) = 1",
	parts:          shapeParts,
}

var burns31Union = claim{
	ID: "burns.3.1.union", Ref: "Section 3.1",
	Statement:      "B_or of filters of n_1, ..., n_c items is a filter of n = n_1 + ... + n_c items",
	Verdict:        Conditional,
	Counterexample: "two filters of the same item: X = 1 surely, but two items give E[X] = 3/2",
	How:            "the law of or for disjoint sets by enumeration; sets that share items give a filter of as many as their union has",
	parts: func() []part {
		law := func(share bool) func(p point) error {
			return func(p point) error {
				m, k, n1, n2 := p.int(0), p.int(1), p.int(2), p.int(3)
				a, err := union(m, repeat(k, n1)...)
				if err != nil {
					return err
				}
				all, err := union(m, repeat(k, n1+n2)...)
				if err != nil {
					return err
				}
				if share { // the items of the second filter are the first n2 items of the first
					return eachPMF(all, func(i int) (*big.Rat, error) { return a.pmf()[i], nil })
				}
				b, err := union(m, repeat(k, n2)...)
				if err != nil {
					return err
				}
				or := make([]*big.Rat, m+1)
				for i := range or {
					or[i] = new(big.Rat)
				}
				for x, cx := range a.count {
					for y, cy := range b.count {
						or[ones(x|y)].Add(or[ones(x|y)], mul(a.share(cx), b.share(cy)))
					}
				}
				return eachPMF(all, func(i int) (*big.Rat, error) { return or[i], nil })
			}
		}
		items := either("items", "sets that share no item", "sets that share items")
		filters := func(shared int64) domain {
			return domain{number("m", 1).by(4, 6).upTo(8), number("k", 1).under("m").by(3, 3).upTo(5), number("n1", 1).by(2, 3).upTo(5), number("n2", 1).by(2, 3).upTo(5), items.only(shared)}
		}
		return []part{
			fails(point{2, 1, 1, 1, 1}, filters(1), law(true)),
			holdsOn(filters(0), law(false)),
		}
	},
}

var burns31Positives = claim{
	ID: "burns.3.1.positives", Ref: "Section 3.1",
	Statement: "what tests positive for some B_i tests positive for B_or; what tests positive for B_and does so for every B_i",
	Verdict:   Confirmed,
	How:       "all pairs of arrays and sets of positions",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 1).by(5, 6).upTo(7), through("all arrays of bits and positions")}, func(p point) error {
				for a := range 1 << p.int(0) {
					for b := range 1 << p.int(0) {
						for x := range 1 << p.int(0) {
							or := x&^(a|b) == 0
							and := x&^(a&b) == 0
							inA, inB := x&^a == 0, x&^b == 0
							if (inA || inB) && !or || and != (inA && inB) {
								return fmt.Errorf("arrays %b, %b, positions %b", a, b, x)
							}
						}
					}
				}
				return nil
			}),
		}
	},
}

var burnsEq49 = claim{
	ID: "burns.eq49", Ref: "Section 3.1, Corollary 21, (49)",
	Statement:      "E|B_and| = (1/m^(nk-1)) prod_i (m^(n_i k) - (m-1)^(n_i k)), n = n_1 + ... + n_c",
	Verdict:        Conditional,
	Counterexample: "c = 2 filters of the same item, k = 1: |B_and| = 1, the formula gives 1/2",
	How:            "by enumeration",
	parts: func() []part {
		return []part{
			breaks(point{2, 1, 1, 0, 0}, domain{number("m", 1), number("balls1", 1), number("balls2", 0), number("balls3", 0), either("items", "filters of the same items")}, func(p point) error {
				one, err := union(p.int(0), repeat(1, p.int(1))...)
				return first(err, same(mean(one.pmf(), whole), andMean(p.int(0), ballsOf(p))))
			}),
			holdsOn(disjointFilters, func(p point) error {
				balls := ballsOf(p)
				return crossing(p.int(0), each(balls), func(l setLaw) error { return same(mean(l.pmf(), whole), andMean(p.int(0), balls)) })
			}),
		}
	},
}

var burnsEq50 = claim{
	ID: "burns.eq50", Ref: "Section 3.1, Corollary 21, (50)",
	Statement:      "Var|B_and| = (1/m^(nk-1)) ((-1)^c prod_i (m^(n_i k) - (m-1)^(n_i k)) + (m-1) prod_i (m^(n_i k) - 2(m-1)^(n_i k) + (m-2)^(n_i k))) + (1/m^(2(nk-1))) prod_i (m^(n_i k) - (m-1)^(n_i k))^2",
	Verdict:        Misprint,
	Counterexample: "|B_and| = 1 surely, the formula gives 1 + 0 + 1 = 2",
	Repair:         "the factor +1 in place of (-1)^c, and the last term subtracted",
	Argument: [2]string{
		"Var X = E[X] + E[X(X-1)] - E[X]^2; by (39) E[X(X-1)] = m(m-1) prod nabla^2, E[X] = m prod nabla.",
		"All three products are of probabilities: the first two come with +, the square with -.",
	},
	How: "by enumeration",
	parts: func() []part {
		law := func(one func(c int) *big.Rat, last int) func(p point) error {
			return func(p point) error {
				m, balls := p.int(0), ballsOf(p)
				return crossing(m, each(balls), func(l setLaw) error {
					pairs := product(0, len(balls)-1, func(i int) *big.Rat { return powerRatio(m, balls[i], 2) })
					first := mul(one(len(balls)), andMean(m, balls))
					square := mul(whole(last), pow(andMean(m, balls), 2))
					return same(variance(l.pmf()), add(add(first, mul(whole(m*(m-1)), pairs)), square))
				})
			}
		}
		return []part{
			fails(point{1, 1, 0, 1, 0}, disjointFilters, law(sign, 1)),
			holdsOn(disjointFilters, law(func(int) *big.Rat { return whole(1) }, -1)),
		}
	},
}

// disjointFilters are one to three filters whose sets share no item. A filter is given by its number of balls n_i k,
// and a number of 0 ends the list.
var disjointFilters = domain{
	number("m", 1).by(4, 6).upTo(8), number("balls1", 1).by(3, 4).upTo(8), number("balls2", 0).by(3, 4).upTo(8), number("balls3", 0).by(2, 3).upTo(6),
	either("items", "sets that share no item"),
}

func ballsOf(p point) []int {
	balls := []int{p.int(1)}
	for _, b := range p[2:4] {
		if b > 0 {
			balls = append(balls, int(b))
		}
	}
	return balls
}

// each makes one department for each entry of balls. The department has that many single balls.
func each(balls []int) [][]int {
	var out [][]int
	for _, b := range balls {
		out = append(out, repeat(1, b))
	}
	return out
}

// andMean returns the value of Burns (49).
func andMean(m int, balls []int) *big.Rat {
	x := whole(m)
	for _, b := range balls {
		x = mul(x, quo(sub(ipow(m, b), ipow(m-1, b)), ipow(m, b)))
	}
	return x
}

// oneValley returns the last k from 1 to last at which the rate is least. It returns an error if the rate falls again
// after it has risen.
func oneValley(last int, rate func(k int) *big.Rat) (least int, err error) {
	least = 1
	rising := false
	before := rate(1)
	for k := 2; k <= last; k++ {
		now := rate(k)
		switch order := now.Cmp(before); {
		case order > 0:
			rising = true
		case order < 0 && rising:
			return 0, fmt.Errorf("falls again at k=%d", k)
		case order < 0:
			least = k
		}
		before = now
	}
	return least, nil
}

// mostRates is the largest number of rates that a check computes for one filter.
const mostRates = 50

func shapeParts() []part {
	filters := domain{burnsHashings, number("m", 2).by(8, 24).upTo(110), number("n", 1).under("m").by(8, 24).upTo(110)}
	falls := where("f(2) < f(1)", "hashing m n", func(x point) bool {
		f := constructions[x[0]].rate
		return f(x.int(1), x.int(2), 2).Cmp(f(x.int(1), x.int(2), 1)) < 0
	})
	valley := func(p point) error {
		m, n := p.int(1), p.int(2)
		last := 2*m/n + 6
		if last > mostRates {
			return errOutside
		}
		if p[0] == 1 {
			last = min(last, m)
		}
		if _, err := oneValley(last, func(k int) *big.Rat { return constructions[p[0]].rate(m, n, k) }); err != nil {
			return err
		}
		// By Bernoulli's inequality, f_S >= M >= 1 - k (1-1/m)^(nk), where f_S is the standard rate and M =
		// (1-(1-1/m)^(nk))^k.
		k := 20 * m
		return first(atMost(mul(whole(k), pow(rat(m-1, m), n*k)), rat(1, 100)), same(rateC(m, n, m), whole(1)))
	}
	return []part{
		fails(point{0, 2, 1}, filters, func(p point) error {
			f := constructions[p[0]].rate
			return below(f(p.int(1), p.int(2), 2), f(p.int(1), p.int(2), 1))
		}),
		holdsOn(with(filters, falls), valley).tried(2, 150),
		holdsOn(filters, valley).on("one valley: no k has a rate above those of both its neighbours").tried(2, 150),
		comesOut("m = 100, n = 20, k = 1..40 (Figure 6): one valley with best k 3 for both", func() error {
			for h := range 2 {
				k, err := oneValley(40, func(k int) *big.Rat { return constructions[h].rate(100, 20, k) })
				if err := first(err, holds(k == 3, "best k %d", k)); err != nil {
					return err
				}
			}
			return nil
		}),
	}
}
