package claims

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// bloomRate returns Bloom's formula (1 - (1-1/m)^(kn))^k.
func bloomRate(m, n, k int) *big.Rat {
	return pow(sub(whole(1), pow(rat(m-1, m), k*n)), k)
}

// balledFilters are filters that are small enough to compute their rates ball by ball. strictFilters is the domain of
// the strict inequalities. Most of these need more than one bit, item and position.
var (
	balledFilters = domain{number("m", 1).by(7, 20).upTo(50), number("n", 0).by(4, 8).upTo(16), number("k", 1).by(5, 10).upTo(14)}
	strictFilters = domain{number("m", 2).by(7, 20).upTo(50), number("n", 1).by(4, 8).upTo(16), number("k", 2).by(5, 10).upTo(14)}
)

// boseT returns the t of Fan (5).
func boseT(m, n, k int) float64 {
	p := -math.Expm1(float64(k) * float64(n) * math.Log1p(-1/float64(m)))
	return float64(k) / p * math.Sqrt((math.Log(float64(m))-float64(k)*math.Log(p))/float64(m))
}

// optimumFound returns an error unless k = 10 has the least exact rate at m = 64, n = 4.
func optimumFound() error {
	rate := func(k int) (exact.Enclosure, error) {
		e, _, err := exact.FPR(bloomproof.Geometry{M: 64, K: k}, 4, 200, exact.Auto)
		return e, err
	}
	best, err := rate(10)
	if err != nil {
		return err
	}
	for k := 1; k <= 106; k++ {
		f, err := rate(k)
		if err != nil {
			return err
		}
		if order, decided := f.Cmp(best); k != 10 && (!decided || order <= 0) {
			return fmt.Errorf("k = %d is as good as 10", k)
		}
	}
	// For k >= 107 the rate is above 1 - k q^k, with q = (63/64)^4. This bound grows with k, and is above the rate
	// f(10).
	q := pow(rat(63, 64), 4)
	if math.Log(63.0/64)*4*107 > -1 {
		return errors.New("k q^k is not falling yet")
	}
	return below(new(big.Rat).SetFloat64(0.001), sub(whole(1), mul(whole(107), pow(q, 107))))
}

// christensenSum returns the double sum of Fan (7), where j starts at lo.
func christensenSum(m, n, k, lo int) *big.Rat {
	double := sum(1, m, func(i int) *big.Rat {
		inner := sum(lo, i, func(j int) *big.Rat {
			return quo(mul(sign(i-j), ipow(j, k*n)), mul(fact(j), fact(i-j)))
		})
		return quo(mul(inner, ipow(i, k)), fact(m-i))
	})
	return quo(mul(fact(m), double), ipow(m, k*(n+1)))
}

// boseSum returns Fan (3) with the signs (-1)^(i-j). If wrongSign is true, it uses (-1)^j, as Bose et al. do in (4).
func boseSum(m, n, k int, wrongSign bool) *big.Rat {
	return quo(sum(1, m, func(i int) *big.Rat {
		s := sum(0, i, func(j int) *big.Rat {
			t := mul(ichoose(i, j), ipow(j, k*n))
			if wrongSign {
				return mul(sign(j), t)
			}
			return mul(sign(i-j), t)
		})
		return mul(mul(ipow(i, k), ichoose(m, i)), s) // i! of (3) cancels 1/i! of (4)
	}), ipow(m, k*(n+1)))
}

var fan2 = []claim{
	fanEq1, fanEq2, fanEq2Exponential, fanSec22Dependence, fanEq3, fanEq4, fanEq5Lower, fanEq5Upper,
	fanEq6, fanSec22Limit, fanSec23Sign, fanEq7, fanSec23Optimum, fanSec23Cost, fanEq8,
}

var fanEq1 = claim{
	ID: "fan.eq1", Ref: "Section 2.1, (1)",
	Statement: "after n elements a bit is 0 with probability p' = (1-1/m)^(kn)",
	Verdict:   Confirmed,
	How:       "by enumeration of all hash outcomes",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 1).by(4, 6).upTo(9), number("n", 0).by(3, 3).upTo(5), number("k", 1).by(3, 4).upTo(5)}, func(p point) error {
				m, n, k := p.int(0), p.int(1), p.int(2)
				l, err := union(m, repeat(1, k*n)...)
				if err != nil {
					return err
				}
				for b := range m {
					clear := l.prob(func(mask int) bool { return mask>>b&1 == 0 })
					if err := same(clear, pow(rat(m-1, m), k*n)); err != nil {
						return err
					}
				}
				return nil
			}),
		}
	},
}

var fanEq2 = claim{
	ID: "fan.eq2", Ref: "Section 2.1, (2)",
	Statement:      "the false-positive probability is f_bloom = (1 - (1-1/m)^(kn))^k",
	Verdict:        Refuted,
	Counterexample: "the rate is 5/8, f_bloom is 9/16",
	Repair:         "f_bloom <= f, with equality for n = 0, m = 1 and k = 1 only",
	Argument: [2]string{
		"Two balls in two urns: one urn is hit with probability 1/2, both with 1/2, so f = (1/2)(1/4) + (1/2) 1 = 5/8.",
		"f_bloom = (1 - 1/4)^2 = 9/16 takes the mean of X/m before the power; x^k is convex, so it is too small (Jensen).",
	},
	How: "exact rates, ball by ball",
	parts: func() []part {
		law := func(p point) error {
			return same(bloomRate(p.int(0), p.int(1), p.int(2)), standardRate(p.int(0), p.int(1), p.int(2)))
		}
		return []part{
			fails(point{2, 1, 2}, balledFilters, law),
			holdsOn(balledFilters, func(p point) error {
				m, n, k := p.int(0), p.int(1), p.int(2)
				f, bloom := standardRate(m, n, k), bloomRate(m, n, k)
				if m == 1 || n == 0 || k == 1 {
					return same(bloom, f)
				}
				return below(bloom, f)
			}),
		}
	},
}

var fanEq2Exponential = claim{
	ID: "fan.eq2.exponential", Ref: "Section 2.1, after (2)",
	Statement: "f_bloom can be approximated by (1 - e^(-kn/m))^k",
	Verdict:   Confirmed,
	How:       "from below, by a factor of at most (m/(m-1))^k, which tends to 1 as m grows: enclosures of 128 bits",
	parts: func() []part {
		return []part{holdsOn(domain{number("m", 2).among(1, 2, 1<<10, 1<<30, 1<<60).upTo(1 << 60), number("n", 1).under("m").upTo(1 << 60), number("k", 1).by(8, 32).upTo(64)}, func(p point) error {
			return quotientNearOne(bloomAt, exponentialAt, uint64(p.int(0)), uint64(p.int(1)), p.int(2))
		}).tried(60, 4000)}
	},
}

var fanSec22Dependence = claim{
	ID: "fan.sec2.2.dependence", Ref: "Section 2.2",
	Statement:      "the k events that the bits of a new element are set are not independent",
	Verdict:        Conditional,
	Counterexample: "one event; n = 0 (none is set) and m = 1 (every bit is set) are the others",
	How:            "P[all set] against the product",
	parts: func() []part {
		dependent := func(p point) error {
			m, n, k := p.int(0), p.int(1), p.int(2)
			one := mean(occupied(m, repeat(1, n*k)...), func(i int) *big.Rat { return rat(i, m) })
			return holds(standardRate(m, n, k).Cmp(pow(one, k)) != 0, "independent")
		}
		return []part{
			fails(point{1, 0, 1}, balledFilters, dependent),
			holdsOn(strictFilters, dependent),
			holdsOn(with(balledFilters, where("k = 1, n = 0 or m = 1", "m n k", func(x point) bool { return x[0] == 1 || x[1] == 0 || x[2] == 1 })), func(p point) error {
				return holds(dependent(p) != nil, "dependent")
			}).on("otherwise they are independent"),
		}
	},
}

var fanEq3 = claim{
	ID: "fan.eq3", Ref: "Section 2.2, (3)",
	Statement: "f = sum_{i=1}^m i^k i! C(m,i) S(kn,i) / m^(k(n+1))",
	Verdict:   Confirmed,
	How:       "exact rates, ball by ball",
	parts: func() []part {
		return []part{
			holdsOn(balledFilters, func(p point) error {
				m, n, k := p.int(0), p.int(1), p.int(2)
				got := sum(1, m, func(i int) *big.Rat {
					return mul(mul(ipow(i, k), ifall(m, i)), stirling(k*n, i))
				})
				return same(quo(got, ipow(m, k*(n+1))), standardRate(m, n, k))
			}),
		}
	},
}

var fanEq4 = claim{
	ID: "fan.eq4", Ref: "Section 2.2, (4)",
	Statement: "S(kn,i) = (1/i!) sum_{j=0}^i (-1)^(i-j) C(i,j) j^(kn)",
	Verdict:   Confirmed,
	How:       "against the recursion of Stirling numbers",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("kn", 0).by(20, 60).upTo(120), number("i", 0).by(22, 62).upTo(130)}, func(p point) error {
				n, i := p.int(0), p.int(1)
				got := sum(0, i, func(j int) *big.Rat { return mul(mul(sign(i-j), ichoose(i, j)), ipow(j, n)) })
				return same(quo(got, fact(i)), stirling(n, i))
			}),
		}
	},
}

var fanEq5Lower = claim{
	ID: "fan.eq5.lower", Ref: "Section 2.2, (5), left side, and after (6)",
	Statement:      "f_bloom < f; for k >= 2 strictly",
	Verdict:        Conditional,
	Counterexample: "both are 1; n = 0: both are 0; k = 1: both are 1-(1-1/m)^n",
	How:            "exact rates, ball by ball; it is Jensen's inequality",
	parts: func() []part {
		law := func(p point) error {
			return below(bloomRate(p.int(0), p.int(1), p.int(2)), standardRate(p.int(0), p.int(1), p.int(2)))
		}
		printed := domain{balledFilters[0], number("n", 1).by(4, 8), number("k", 2).by(5, 10)}
		return []part{
			fails(point{1, 1, 2}, printed, law),
			holdsOn(strictFilters, law),
		}
	},
}

var fanEq5Upper = claim{
	ID: "fan.eq5.upper", Ref: "Section 2.2, (5), right side",
	Statement:      "f <= f_bloom (1 + O(t)), t = (k/p) sqrt((ln m - k ln p)/m), p = 1 - (1-1/m)^(kn)",
	Verdict:        Conditional,
	Counterexample: "f is 220 times f_bloom, 1 + t is 53, and the bound is 4 times too small; 532 times for m = 80, k = 120; (6) asks for t <= c < 1",
	How:            "with the constant 1 in place of O",
	parts: func() []part {
		return []part{
			breaks(point{40, 1, 60}, domain{number("m", 2), number("n", 1), number("k", 1)}, func(p point) error {
				f, _ := standardRate(p.int(0), p.int(1), p.int(2)).Float64()
				bloom, _ := bloomRate(p.int(0), p.int(1), p.int(2)).Float64()
				t := boseT(p.int(0), p.int(1), p.int(2))
				return holds(f <= bloom*(1+t)*(1+1e-9), "f = %g, bound %g at t = %g", f, bloom*(1+t), t)
			}),
			holdsOn(domain{number("m", 2).by(60, 200).upTo(1 << 40), number("n", 1).by(20, 100).upTo(1 << 40), number("k", 1).by(4, 12).upTo(30), where("t < 1", "m n k", func(x point) bool { return boseT(x.int(0), x.int(1), x.int(2)) < 1 })}, func(p point) error {
				m, n, k := uint64(p.int(0)), uint64(p.int(1)), p.int(2)
				bose, err := boseAt(m, n, k, 64)
				if errors.Is(err, bloomproof.ErrUndefined) {
					return errOutside
				}
				f, _, err2 := exact.FPR(bloomproof.Geometry{M: m, K: k}, n, 64, exact.Auto)
				return first(err, err2, ordered(f, bose))
			}),
		}
	},
}

var fanEq6 = claim{
	ID: "fan.eq6", Ref: "Section 2.2, (6)",
	Statement: "(5) holds under the condition (k/p) sqrt((ln m - k ln p)/m) <= c for some constant c < 1",
	Verdict:   Confirmed,
	How:       "with n = m/10 and k = 7 the condition with c = 0.999 needs m >= 2450: it says nothing of smaller filters; fan.eq5.upper has the bound itself",
	parts: func() []part {
		return []part{holdsOn(domain{exactly("k", 7), number("n", 1).by(499, 499).upTo(1 << 40), through("m = 10n")}, func(p point) error {
			m := 10 * p.int(1)
			meets := boseT(m, p.int(1), 7) <= 0.999
			return holds(meets == (m >= 2450), "m = %d: meets the condition: %v", m, meets)
		})}
	},
}

var fanSec22Limit = claim{
	ID: "fan.sec2.2.limit", Ref: "Section 2.2, after (6); Section 1.2; (23)",
	Statement: "f converges to f_bloom when m becomes infinitely large (f/f_bloom tends to 1 with n/m fixed)",
	Verdict:   Confirmed,
	How:       "f/f_bloom - 1 at 2m is between 0.45 and 0.51 of that at m; both bounds of (20) prove it",
	parts: func() []part {
		excess := func(m, n uint64, k int) (*big.Float, error) {
			f, _, err1 := exact.FPR(bloomproof.Geometry{M: m, K: k}, n, 160, exact.Auto)
			b, err2 := bloomAt(m, n, k, 160)
			if err := first(err1, err2); err != nil {
				return nil, err
			}
			q := new(big.Float).Quo(f.Lo(), b.Hi())
			return q.Sub(q, big.NewFloat(1)), nil
		}
		return []part{holdsOn(domain{number("m", 4096).among(2, 1<<12, 1<<30, 1<<50).upTo(1 << 50), number("m/n", 4).to(16).by(5, 16), number("k", 2).to(10).by(5, 10)}, func(p point) error {
			m, n := uint64(p.int(0)), uint64(p.int(0)/p.int(1))
			x, err1 := excess(m, n, p.int(2))
			y, err2 := excess(2*m, 2*n, p.int(2))
			if err := first(err1, err2); err != nil {
				return err
			}
			ratio, _ := new(big.Float).Quo(y, x).Float64()
			return holds(ratio > 0.45 && ratio < 0.51, "the excess over f_bloom shrinks by %g", ratio)
		}).tried(10, 600)}
	},
}

var fanSec23Sign = claim{
	ID: "fan.sec2.3.sign", Ref: "Section 2.3",
	Statement: "Bose's formula has a mistake: (-1)^j in (4) should be (-1)^(i-j)",
	Verdict:   Confirmed,
	How:       "with (-1)^(i-j) it is the rate",
	parts: func() []part {
		return []part{
			comesOut("with (-1)^j the value is -1 in place of 1 at m = 1, n = 1, k = 1", func() error { return same(boseSum(1, 1, 1, true), whole(-1)) }),
			holdsOn(domain{number("m", 1).by(6, 12).upTo(30), number("n", 1).by(3, 5).upTo(9), number("k", 1).by(4, 6).upTo(9)}, func(p point) error {
				return same(boseSum(p.int(0), p.int(1), p.int(2), false), standardRate(p.int(0), p.int(1), p.int(2)))
			}),
		}
	},
}

var fanEq7 = claim{
	ID: "fan.eq7", Ref: "Section 2.3, (7)",
	Statement:      "f = m!/m^(k(n+1)) sum_{i=1}^m sum_{j=1}^i (-1)^(i-j) j^(kn) i^k/((m-i)! j! (i-j)!)",
	Verdict:        Misprint,
	Counterexample: "the sum is 1, the rate of an empty filter is 0",
	Repair:         "j from 0, with 0^0 = 1; for n >= 1 the term at j = 0 is 0",
	Argument: [2]string{
		"For n = 0 the inner sum from j = 0 is (1/i!) sum (-1)^(i-j) C(i,j) = (1-1)^i/i! = 0, so f = 0, as it must be.",
		"From j = 1 the term (-1)^i/i! is missing: at m = k = 1 the sum is 1!/1 * 1 = 1.",
	},
	How: "exact rates, ball by ball",
	parts: func() []part {
		law := func(lo int) func(p point) error {
			return func(p point) error {
				return same(christensenSum(p.int(0), p.int(1), p.int(2), lo), standardRate(p.int(0), p.int(1), p.int(2)))
			}
		}
		return []part{
			fails(point{1, 0, 1}, balledFilters, law(1)),
			holdsOn(balledFilters, law(0)).tried(2, 60),
			holdsOn(domain{balledFilters[0], number("n", 1).by(4, 8).upTo(12), balledFilters[2]}, law(1)).on("as printed, n >= 1").tried(2, 60),
		}
	},
}

var fanSec23Optimum = claim{
	ID: "fan.sec2.3.optimum", Ref: "Abstract; Sections 1.1 and 2.3",
	Statement:      "with the exact formula it is impossible to calculate the optimal k",
	Verdict:        Refuted,
	Counterexample: "the best k is 10 (standard hashing), with f = 0.000615..., found by evaluating k = 1 to 106",
	Repair:         "f(k) >= f_bloom(k) >= f(10) for all k > 106, so comparing finitely many exact values decides it",
	Argument: [2]string{
		"f_bloom(k) = (1-q^k)^k with q = (1-1/m)^n is at least 1 - k q^k (Bernoulli), and k q^k falls for k > 1/ln(1/q).",
		"So from some k on f exceeds f(1); below it there are finitely many k, each with an exact rational rate.",
	},
	How: "the whole range of k, with enclosures of 200 bits; exact.FPR serves any m and n",
	parts: func() []part {
		return []part{breaks(point{64, 4}, domain{number("m", 1), number("n", 1)}, func(point) error {
			if err := optimumFound(); err != nil {
				return nil // the optimum was not found, so nothing refutes the claim
			}
			return errors.New("the best k is 10")
		})}
	},
}

var fanSec23Cost = claim{
	ID: "fan.sec2.3.cost", Ref: "Section 2.3; Section 7",
	Statement: "given m, n, k, Christensen's table takes O(knm) steps",
	Verdict:   Confirmed,
	How:       "the table P[i bits set after j balls] has kn rows of at most m+1 entries, one sum of two products each, and gives the rate; k+1 powers are enough, though (Burns (56))",
	parts: func() []part {
		return []part{
			holdsOn(balledFilters, func(p point) error {
				m, n, k := p.int(0), p.int(1), p.int(2)
				row := make([]*big.Rat, m+1)
				for i := range row {
					row[i] = new(big.Rat)
				}
				row[0].SetInt64(1)
				steps := 0
				for range k * n {
					for i := m; i >= 0; i-- {
						row[i] = mul(row[i], rat(i, m))
						if i > 0 {
							row[i] = add(row[i], mul(row[i-1], rat(m-i+1, m)))
						}
						steps++
					}
				}
				if steps > k*n*(m+1) {
					return fmt.Errorf("%d steps", steps)
				}
				return same(mean(row, func(i int) *big.Rat { return pow(rat(i, m), k) }), standardRate(m, n, k))
			}),
		}
	},
}

var fanEq8 = claim{
	ID: "fan.eq8", Ref: "Section 2.4, (8)",
	Statement: "f = sum_{x=0}^m (x/m)^k C(m,x) sum_{j=0}^x (-1)^j C(x,j) ((x-j)/m)^(kn)",
	Verdict:   Confirmed,
	How:       "exact rates, ball by ball, with 0^0 = 1",
	parts: func() []part {
		return []part{
			holdsOn(balledFilters, func(p point) error {
				m, n, k := p.int(0), p.int(1), p.int(2)
				got := sum(0, m, func(x int) *big.Rat {
					inner := sum(0, x, func(j int) *big.Rat {
						return mul(mul(sign(j), ichoose(x, j)), pow(rat(x-j, m), k*n))
					})
					return mul(mul(pow(rat(x, m), k), ichoose(m, x)), inner)
				})
				return same(got, standardRate(m, n, k))
			}),
		}
	},
}

// ordered returns an error if the enclosures prove left > right.
func ordered(left, right exact.Enclosure) error {
	if order, decided := left.Cmp(right); decided && order > 0 {
		return fmt.Errorf("left %v above right %v", left, right)
	}
	return nil
}
