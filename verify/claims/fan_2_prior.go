package claims

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// bloomRate returns (1 - (1-1/m)^(kn))^k.
func bloomRate(m, n, k int) *big.Rat {
	return pow(sub(whole(1), pow(rat(m-1, m), k*n)), k)
}

// filterBox are filters small enough that their rates are found ball by ball.
func filterBox(r *run) box {
	return box{{"m", 1, r.upto(7, 20)}, {"n", 0, r.upto(4, 8)}, {"k", 1, r.upto(5, 10)}}
}

// strictBox are the filters of the strict inequalities: more than one bit, item and
// position are needed for most of them.
func strictBox(r *run) box {
	box := filterBox(r)
	box[0].Lo, box[1].Lo, box[2].Lo = 2, 1, 2
	return box
}

// christensenSum returns the double sum of (7) with j from lo.
func christensenSum(m, n, k, lo int) *big.Rat {
	double := sum(1, m, func(i int) *big.Rat {
		inner := sum(lo, i, func(j int) *big.Rat {
			return quo(mul(sign(i-j), ipow(j, k*n)), mul(fact(j), fact(i-j)))
		})
		return quo(mul(inner, ipow(i, k)), fact(m-i))
	})
	return quo(mul(fact(m), double), ipow(m, k*(n+1)))
}

// boseSum returns (3) with signs (-1)^(i-j), or (-1)^j as in Bose et al., in (4).
func boseSum(m, n, k int, wrongSign bool) *big.Rat {
	return quo(sum(1, m, func(i int) *big.Rat {
		s := sum(0, i, func(j int) *big.Rat {
			t := mul(ichoose(i, j), ipow(j, k*n))
			if wrongSign {
				return mul(sign(j), t)
			}
			return mul(sign(i-j), t)
		})
		return mul(mul(ipow(i, k), ichoose(m, i)), s) // i! of (3) and 1/i! of (4) cancel
	}), ipow(m, k*(n+1)))
}

func fan2Prior() []Claim {
	return []Claim{
		{
			ID: "fan.eq1", Paper: Fan, Ref: "Section 2.1, (1)",
			Statement: "after n elements a bit is 0 with probability p' = (1-1/m)^(kn)",
			Domain:    "all m, n, k",
			Verdict:   Confirmed,
			Checked:   "by enumeration of all hash outcomes: m <= 6, n <= 3, k <= 4",
			check: func(r *run) error {
				return r.all(box{{"m", 1, r.upto(4, 6)}, {"n", 0, 3}, {"k", 1, r.upto(3, 4)}}, func(p []int) error {
					m, n, k := p[0], p[1], p[2]
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
				})
			},
		},
		{
			ID: "fan.eq2", Paper: Fan, Ref: "Section 2.1, (2)",
			Statement:      "the false-positive probability is f_bloom = (1 - (1-1/m)^(kn))^k",
			Domain:         "all m, n, k",
			Verdict:        Refuted,
			Counterexample: "m = 2, n = 1, k = 2: the rate is 5/8, f_bloom is 9/16",
			Repair:         "f_bloom <= f, with equality for n = 0, m = 1 and k = 1 only",
			Argument: [2]string{
				"Two balls in two urns: one urn is hit with probability 1/2, both with 1/2, so f = (1/2)(1/4) + (1/2) 1 = 5/8.",
				"f_bloom = (1 - 1/4)^2 = 9/16 takes the mean of X/m before the power; x^k is convex, so it is too small (Jensen).",
			},
			Checked: "exact rates, ball by ball: m <= 20, n <= 8, k <= 10",
			check: func(r *run) error {
				law := func(p []int) error { return same(bloomRate(p[0], p[1], p[2]), standardRate(p[0], p[1], p[2])) }
				return first(r.smallest([]int{2, 1, 2}, filterBox(r), law), r.all(filterBox(r), func(p []int) error {
					m, n, k := p[0], p[1], p[2]
					f, bloom := standardRate(m, n, k), bloomRate(m, n, k)
					if m == 1 || n == 0 || k == 1 {
						return same(bloom, f)
					}
					return below(bloom, f)
				}))
			},
		},
		{
			ID: "fan.eq2.exponential", Paper: Fan, Ref: "Section 2.1, after (2)",
			Statement: "f_bloom can be approximated by (1 - e^(-kn/m))^k",
			Domain:    "all m, n, k: from below, with relative error at most e^(x/(m-1)) - 1 to the power k where x = kn/m; it tends to 0 as m grows with n/m fixed",
			Verdict:   Confirmed,
			Checked:   "enclosures of 128 bits: m = 2, 4, 8, ..., 2^60, k <= 32, n = m/64, ..., m",
			check: func(r *run) error {
				return r.all(box{{"log2 m", 1, 60}, {"k", 1, r.upto(8, 32)}, {"log2 m/n", 0, r.upto(3, 6)}}, func(p []int) error {
					if p[2] > p[0] {
						return errOutside
					}
					m, k := uint64(1)<<p[0], p[1]
					n := m >> p[2]
					bloom, err1 := exact.Bloom(m, n, k, 128)
					exponential, err2 := exact.Exponential(m, n, k, 128)
					if err := first(err1, err2); err != nil {
						return err
					}
					ratio := new(big.Float).Quo(bloom.Hi(), exponential.Lo())
					low, _ := ratio.Float64()
					x := float64(k) * float64(n) / float64(m)
					// (1-1/m)^m >= e^(-m/(m-1)); 1-e^-y is concave, so its ratio at y = x m/(m-1)
					// and x is at most m/(m-1).
					if most := math.Pow(float64(m)/float64(m-1), float64(k)); low < 1 || low > most*(1+1e-12) {
						return fmt.Errorf("bloom/exponential = %g at x = %g, at most %g expected", low, x, most)
					}
					return nil
				})
			},
		},
		{
			ID: "fan.sec2.2.dependence", Paper: Fan, Ref: "Section 2.2",
			Statement:      "the k events that the bits of a new element are set are not independent",
			Domain:         "m >= 2, n >= 1, k >= 2; otherwise they are",
			Verdict:        Conditional,
			Counterexample: "m = 1 (every bit is set), n = 0 (none is) and k = 1 (one event)",
			Checked:        "P[all set] against the product, exactly: m <= 20, n <= 8, k <= 10",
			check: func(r *run) error {
				return r.all(filterBox(r), func(p []int) error {
					m, n, k := p[0], p[1], p[2]
					one := mean(occupied(m, repeat(1, n*k)...), func(i int) *big.Rat { return rat(i, m) })
					dependent := standardRate(m, n, k).Cmp(pow(one, k)) != 0
					if dependent != (m > 1 && n > 0 && k > 1) {
						return fmt.Errorf("dependent: %v", dependent)
					}
					return nil
				})
			},
		},
		{
			ID: "fan.eq3", Paper: Fan, Ref: "Section 2.2, (3)",
			Statement: "f = sum_{i=1}^m i^k i! C(m,i) S(kn,i) / m^(k(n+1))",
			Domain:    "all m, n and k >= 1",
			Verdict:   Confirmed,
			Checked:   "exact rates, ball by ball: m <= 20, n <= 8, k <= 10",
			check: func(r *run) error {
				return r.all(filterBox(r), func(p []int) error {
					m, n, k := p[0], p[1], p[2]
					got := sum(1, m, func(i int) *big.Rat {
						return mul(mul(ipow(i, k), ifall(m, i)), stirling(k*n, i))
					})
					return same(quo(got, ipow(m, k*(n+1))), standardRate(m, n, k))
				})
			},
		},
		{
			ID: "fan.eq4", Paper: Fan, Ref: "Section 2.2, (4)",
			Statement: "S(kn,i) = (1/i!) sum_{j=0}^i (-1)^(i-j) C(i,j) j^(kn)",
			Domain:    "all kn >= 0 and i >= 0",
			Verdict:   Confirmed,
			Checked:   "against the recursion of Stirling numbers: kn <= 60, i <= 62",
			check: func(r *run) error {
				most := r.upto(20, 60)
				return r.all(box{{"kn", 0, most}, {"i", 0, most + 2}}, func(p []int) error {
					n, i := p[0], p[1]
					got := sum(0, i, func(j int) *big.Rat { return mul(mul(sign(i-j), ichoose(i, j)), ipow(j, n)) })
					return same(quo(got, fact(i)), stirling(n, i))
				})
			},
		},
		{
			ID: "fan.eq5.lower", Paper: Fan, Ref: "Section 2.2, (5), left side, and after (6)",
			Statement:      "f_bloom < f; for k >= 2 strictly",
			Domain:         "m >= 2, n >= 1, k >= 2",
			Verdict:        Conditional,
			Counterexample: "m = 1, n = 1, k = 2: both are 1; n = 0: both are 0; k = 1: both are 1-(1-1/m)^n",
			Checked:        "exact rates, ball by ball: m <= 20, n <= 8, k <= 10; it is Jensen's inequality, so it holds for all",
			check: func(r *run) error {
				law := func(p []int) error { return below(bloomRate(p[0], p[1], p[2]), standardRate(p[0], p[1], p[2])) }
				printed := filterBox(r)
				printed[1].Lo, printed[2].Lo = 1, 2
				return first(r.smallest([]int{1, 1, 2}, printed, law), r.all(strictBox(r), law))
			},
		},
		{
			ID: "fan.eq5.upper", Paper: Fan, Ref: "Section 2.2, (5), right side",
			Statement: "f <= f_bloom (1 + O(t)), t = (k/p) sqrt((ln m - k ln p)/m), p = 1 - (1-1/m)^(kn)",
			Domain:    "with the constant 1 in place of O: wherever (6) holds with c = 1; and as far as was searched, where it does not",
			Verdict:   Confirmed,
			Checked:   "enclosures: m <= 200, n <= 2m, k <= 12 where t < 1; exact rates for m <= 40, n <= 4, k <= 20 whatever t is",
			check: func(r *run) error {
				under := r.all(box{{"m", 2, r.upto(60, 200)}, {"n", 1, r.upto(60, 400)}, {"k", 1, r.upto(4, 12)}}, func(p []int) error {
					m, n, k := uint64(p[0]), uint64(p[1]), p[2]
					bose, err := exact.BoseUpper(m, n, k, 64)
					if errors.Is(err, exact.ErrUndefined) || n > 2*m {
						return errOutside
					}
					f, _, err2 := exact.FPR(bloomproof.Geometry{M: m, K: k}, n, 64, exact.Auto)
					if err := first(err, err2); err != nil {
						return err
					}
					return ordered(f, bose)
				})
				return first(under, r.all(box{{"m", 2, r.upto(12, 40)}, {"n", 1, r.upto(2, 4)}, {"k", 1, r.upto(8, 20)}}, func(p []int) error {
					m, n, k := p[0], p[1], p[2]
					f, _ := standardRate(m, n, k).Float64()
					bloom, _ := bloomRate(m, n, k).Float64()
					set := 1 - math.Pow(1-1/float64(m), float64(k*n))
					t := float64(k) / set * math.Sqrt((math.Log(float64(m))-float64(k)*math.Log(set))/float64(m))
					if f > bloom*(1+t)*(1-1e-9) && t > 0 {
						return fmt.Errorf("f = %g, bound %g at t = %g", f, bloom*(1+t), t)
					}
					return nil
				}))
			},
		},
		{
			ID: "fan.eq6", Paper: Fan, Ref: "Section 2.2, (6)",
			Statement: "(5) holds under the condition (k/p) sqrt((ln m - k ln p)/m) <= c for some constant c < 1",
			Domain:    "with n = m/10 and k = 7 the condition with c = 0.999 needs m >= 2450: it says nothing of smaller filters",
			Verdict:   Confirmed,
			Checked:   "the least m that meets it, by bisection on enclosures; fan.eq5.upper for the bound itself",
			check: func(r *run) error {
				return r.once(func() error {
					meets := func(m uint64) bool {
						p := -math.Expm1(float64(7*(m/10)) * math.Log1p(-1/float64(m)))
						return 7/p*math.Sqrt((math.Log(float64(m))-7*math.Log(p))/float64(m)) <= 0.999
					}
					for m := uint64(10); m < 5000; m += 10 {
						if meets(m) != (m >= 2450) {
							return fmt.Errorf("m = %d: meets the condition: %v", m, meets(m))
						}
					}
					return nil
				})
			},
		},
		{
			ID: "fan.sec2.2.limit", Paper: Fan, Ref: "Section 2.2, after (6); Section 1.2; (23)",
			Statement: "f converges to f_bloom when m becomes infinitely large (f/f_bloom tends to 1 with n/m fixed)",
			Domain:    "k fixed, n/m fixed",
			Verdict:   Confirmed,
			Checked:   "f/f_bloom - 1 at 2m is between 0.45 and 0.51 of that at m: m = 2^12 to 2^50, n = m/16, m/8, m/4, k <= 10; both bounds of (20) prove it",
			check: func(r *run) error {
				return r.all(box{{"log2 m", 12, r.upto(30, 50)}, {"log2 m/n", 2, 4}, {"k", 2, r.upto(5, 10)}}, func(p []int) error {
					excess := func(log int) (*big.Float, error) {
						m := uint64(1) << log
						f, _, err1 := exact.FPR(bloomproof.Geometry{M: m, K: p[2]}, m>>p[1], 160, exact.Auto)
						b, err2 := exact.Bloom(m, m>>p[1], p[2], 160)
						q := new(big.Float).Quo(f.Lo(), b.Hi())
						return q.Sub(q, big.NewFloat(1)), first(err1, err2)
					}
					x, err1 := excess(p[0])
					y, err2 := excess(p[0] + 1)
					if err := first(err1, err2); err != nil {
						return err
					}
					if ratio, _ := new(big.Float).Quo(y, x).Float64(); ratio < 0.45 || ratio > 0.51 {
						return fmt.Errorf("the excess over f_bloom shrinks by %g", ratio)
					}
					return nil
				})
			},
		},
		{
			ID: "fan.sec2.3.sign", Paper: Fan, Ref: "Section 2.3",
			Statement: "Bose's formula has a mistake: (-1)^j in (4) should be (-1)^(i-j)",
			Domain:    "all m >= 1, n >= 1, k >= 1",
			Verdict:   Confirmed,
			Checked:   "with (-1)^j the value differs from the rate at m = 1, n = 1, k = 1 (-1 in place of 1); with (-1)^(i-j) it is the rate: m <= 12, n <= 5, k <= 6",
			check: func(r *run) error {
				return first(
					r.once(func() error { return same(boseSum(1, 1, 1, true), whole(-1)) }),
					r.all(box{{"m", 1, r.upto(6, 12)}, {"n", 1, r.upto(3, 5)}, {"k", 1, r.upto(4, 6)}}, func(p []int) error {
						return same(boseSum(p[0], p[1], p[2], false), standardRate(p[0], p[1], p[2]))
					}))
			},
		},
		{
			ID: "fan.eq7", Paper: Fan, Ref: "Section 2.3, (7)",
			Statement:      "f = m!/m^(k(n+1)) sum_{i=1}^m sum_{j=1}^i (-1)^(i-j) j^(kn) i^k/((m-i)! j! (i-j)!)",
			Domain:         "n >= 0",
			Verdict:        Misprint,
			Counterexample: "m = 1, n = 0, k = 1: the sum is 1, the rate of an empty filter is 0",
			Repair:         "j from 0, with 0^0 = 1; for n >= 1 the term at j = 0 is 0",
			Argument: [2]string{
				"For n = 0 the inner sum from j = 0 is (1/i!) sum (-1)^(i-j) C(i,j) = (1-1)^i/i! = 0, so f = 0, as it must be.",
				"From j = 1 the term (-1)^i/i! is missing: at m = k = 1 the sum is 1!/1 * 1 = 1.",
			},
			Checked: "exact rates, ball by ball: m <= 20, n <= 8, k <= 10",
			check: func(r *run) error {
				law := func(lo int) func(p []int) error {
					return func(p []int) error { return same(christensenSum(p[0], p[1], p[2], lo), standardRate(p[0], p[1], p[2])) }
				}
				wide := filterBox(r)
				wide[1].Lo = 1
				return first(r.smallest([]int{1, 0, 1}, filterBox(r), law(1)), r.all(filterBox(r), law(0)), r.all(wide, law(1)))
			},
		},
		{
			ID: "fan.sec2.3.optimum", Paper: Fan, Ref: "Abstract; Sections 1.1 and 2.3",
			Statement:      "with the exact formula it is impossible to calculate the optimal k",
			Domain:         "all m, n >= 1",
			Verdict:        Refuted,
			Counterexample: "m = 64, n = 4: the best k is 10 (standard hashing), with f = 0.000615..., found by evaluating k = 1 to 106",
			Repair:         "f(k) >= f_bloom(k) >= f(10) for all k > 106, so comparing finitely many exact values decides it",
			Argument: [2]string{
				"f_bloom(k) = (1-q^k)^k with q = (1-1/m)^n is at least 1 - k q^k (Bernoulli), and k q^k falls for k > 1/ln(1/q).",
				"So from some k on f exceeds f(1); below it there are finitely many k, each with an exact rational rate.",
			},
			Checked: "the whole range of k, with enclosures of 200 bits, for m = 64, n = 4; exact.FPR serves any m and n",
			check: func(r *run) error {
				return r.once(func() error {
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
					// Beyond: 1 - k q^k, increasing there, is above f(10).
					q := pow(rat(63, 64), 4)
					if math.Log(63.0/64)*4*107 > -1 {
						return errors.New("k q^k is not falling yet")
					}
					return below(new(big.Rat).SetFloat64(0.001), sub(whole(1), mul(whole(107), pow(q, 107))))
				})
			},
		},
		{
			ID: "fan.sec2.3.cost", Paper: Fan, Ref: "Section 2.3; Section 7",
			Statement: "given m, n, k, Christensen's table takes O(knm) steps",
			Domain:    "all m, n, k",
			Verdict:   Confirmed,
			Checked:   "the table P[i bits set after j balls] has kn rows of at most m+1 entries, one sum of two products each, and gives the rate: m <= 20, n <= 8, k <= 10; k+1 powers are enough, though (Burns (56))",
			check: func(r *run) error {
				return r.all(filterBox(r), func(p []int) error {
					m, n, k := p[0], p[1], p[2]
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
				})
			},
		},
		{
			ID: "fan.eq8", Paper: Fan, Ref: "Section 2.4, (8)",
			Statement: "f = sum_{x=0}^m (x/m)^k C(m,x) sum_{j=0}^x (-1)^j C(x,j) ((x-j)/m)^(kn)",
			Domain:    "all m, n and k >= 1, with 0^0 = 1",
			Verdict:   Confirmed,
			Checked:   "exact rates, ball by ball: m <= 20, n <= 8, k <= 10",
			check: func(r *run) error {
				return r.all(filterBox(r), func(p []int) error {
					m, n, k := p[0], p[1], p[2]
					got := sum(0, m, func(x int) *big.Rat {
						inner := sum(0, x, func(j int) *big.Rat {
							return mul(mul(sign(j), ichoose(x, j)), pow(rat(x-j, m), k*n))
						})
						return mul(mul(pow(rat(x, m), k), ichoose(m, x)), inner)
					})
					return same(got, standardRate(m, n, k))
				})
			},
		},
	}
}

// ordered fails unless the true values of two enclosures are certainly in this order, or
// may be equal.
func ordered(left, right exact.Enclosure) error {
	if order, decided := left.Cmp(right); decided && order > 0 {
		return fmt.Errorf("left %v above right %v", left, right)
	}
	return nil
}
