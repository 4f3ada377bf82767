package claims

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// entropyOf returns -sum p log2 p in float64. Its precision suffices to distinguish the values that the checks here
// compare.
func entropyOf(probabilities ...*big.Rat) float64 {
	h := 0.0
	for _, p := range probabilities {
		if x, _ := p.Float64(); x > 0 {
			h -= x * math.Log2(x)
		}
	}
	return h
}

// arrayEntropy returns the entropy of all m bits of a filter. It enumerates all arrays.
func arrayEntropy(m, n, k int) (float64, error) {
	l, err := union(m, repeat(1, k*n)...)
	if err != nil {
		return 0, err
	}
	var p []*big.Rat
	for set := range 1 << m {
		p = append(p, l.prob(func(mask int) bool { return mask == set }))
	}
	return entropyOf(p...), nil
}

// clearProbability returns p' = (1-1/m)^(kn), the probability that a bit is clear.
func clearProbability(m, n, k int) *big.Rat { return pow(rat(m-1, m), k*n) }

// fromHalf returns |p' - 1/2|, where p' is the probability that a bit is clear. The entropy Fan (11) falls as this
// difference grows.
func fromHalf(m, n, k int) *big.Rat {
	d := sub(clearProbability(m, n, k), rat(1, 2))
	return d.Abs(d)
}

// bestOf returns the k from 1 to most whose value is least. If there is a tie, it returns the smallest k.
func bestOf(most int, value func(k int) *big.Rat) (k int) {
	var least *big.Rat
	for i := 1; i <= most; i++ {
		if v := value(i); least == nil || v.Cmp(least) < 0 {
			k, least = i, v
		}
	}
	return k
}

// enoughK returns a k beyond the best one. It is 3 more than twice the k of Fan (9).
func enoughK(m, n int) int { return 3 + int(2*math.Ln2*float64(m)/float64(n)) }

// shapes is the domain of the pairs (m, n) for which checks search for the best k.
var shapes = domain{number("m", 2).by(9, 24).upTo(60), number("n", 1).by(4, 8).upTo(40)}

// manyItems keeps the filters whose best k is small compared with the number of items. In these filters the rates at k
// and k+1 differ by more than the error of the approximation Fan (9).
var manyItems = where("m <= n^2", "m n", func(x point) bool { return x[0] <= x[1]*x[1] })

// closestInteger returns an error unless the best k is the number real, rounded down or up. 0 counts as 1.
func closestInteger(m, n int, real float64) error {
	rate := func(k int) *big.Rat { return rateS(m, n, k) }
	best := rate(bestOf(enoughK(m, n), rate))
	down, up := max(1, int(math.Floor(real))), max(1, int(math.Ceil(real)))
	if rate(down).Cmp(best) != 0 && rate(up).Cmp(best) != 0 {
		return fmt.Errorf("neither %d nor %d is the best k", down, up)
	}
	return nil
}

var fan3 = []claim{
	fanEq9, fanEq9Best, fanEq10, fanEq11, fanEq11Array, fanLemma1, fanSec32, fanThm1, fanEq12,
	fanEq13, fanThm2, fanEq14, fanEq15, fanEq15Close, fanThm3,
}

var fanEq9 = claim{
	ID: "fan.eq9", Ref: "Section 3, (9)",
	Statement: "k* = (m/n) ln 2 is the extremum of the asymptotic formula (1 - e^(-kn/m))^k",
	Verdict:   Confirmed,
	How:       "k real; it is the minimum: the logarithm k ln(1-e^(-kn/m)) is least at k*, where it is -k* ln 2. With p = e^(-kn/m) it is -(m/n) ln p ln(1-p), which is symmetric in p and 1-p and has one extremum",
	parts: func() []part {
		return []part{holdsOn(domain{between("m/n", 0, math.Inf(1)).above().at(2, 2, 10, 1<<20).tried(1e-3, 1e12), between("k/k*", 0, math.Inf(1)).above().at(4, 0.5, 0.99, 1, 1.01, 0.1, 1.9, 3).tried(1e-3, 20)}, func(p point) error {
			perItem, x := p.real(0), p.real(1)
			k := perItem * math.Ln2 * x
			v, least := k*math.Log(-math.Expm1(-k/perItem)), -perItem*math.Ln2*math.Ln2
			const rounding = 1e-14
			if v < least*(1+rounding) || math.Abs(x-1) > 1e-3 && v <= least*(1-rounding) {
				return fmt.Errorf("ln f = %g, at k* %g", v, least)
			}
			return nil
		})}
	},
}

var fanEq9Best = claim{
	ID: "fan.eq9.best", Ref: "Section 1.1; Section 3",
	Statement:      "(9), rounded down or up, is the best k of a filter",
	Verdict:        Conditional,
	Counterexample: "(9) is 4.16, and the best k is 3",
	How:            "the paper itself calls the formula below (9) not fully correct; exact rates",
	parts: func() []part {
		law := func(p point) error {
			return closestInteger(p.int(0), p.int(1), float64(p.int(0))/float64(p.int(1))*math.Ln2)
		}
		return []part{
			fails(point{6, 1}, shapes, law),
			holdsOn(with(shapes, manyItems), law),
		}
	},
}

var fanEq10 = claim{
	ID: "fan.eq10", Ref: "Section 3.1, (10)",
	Statement:      "E = - sum p_i log2(1/p_i)",
	Verdict:        Misprint,
	Counterexample: "a fair bit: the printed sum is -1, the entropy is 1",
	Repair:         "E = sum p_i log2(1/p_i) = - sum p_i log2 p_i",
	Argument: [2]string{
		"Every log2(1/p_i) is at least 0, so the printed E is never positive.",
		"(11), which the paper derives from it, has the right sign.",
	},
	How: "uniform distributions: log2 of the number of events",
	parts: func() []part {
		sum := func(p point) (printed, right float64) {
			for range p.int(0) {
				x := 1 / float64(p.int(0))
				printed -= x * math.Log2(1/x)
				right += x * math.Log2(1/x)
			}
			return printed, right
		}
		events := domain{number("events", 1).by(64, 64).upTo(5000), through("equally likely")}
		return []part{
			fails(point{2}, events, func(p point) error {
				printed, _ := sum(p)
				return holds(math.Abs(printed-math.Log2(float64(p.int(0)))) < 1e-9, "printed %g", printed)
			}),
			holdsOn(events, func(p point) error {
				_, right := sum(p)
				return holds(math.Abs(right-math.Log2(float64(p.int(0)))) < 1e-9, "right %g", right)
			}),
		}
	},
}

var fanEq11 = claim{
	ID: "fan.eq11", Ref: "Section 3.1, (11)",
	Statement: "the entropy of one bit of the filter is e' = -(p' log2 p' + (1-p') log2(1-p'))",
	Verdict:   Confirmed,
	How:       "one bit by itself, against the law of a bit by enumeration; exact.EntropyPerBit encloses it",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 2).by(4, 6).upTo(9), number("n", 1).by(3, 3).upTo(5), number("k", 1).by(3, 4).upTo(5)}, func(p point) error {
				m, n, k := p.int(0), p.int(1), p.int(2)
				l, err := union(m, repeat(1, k*n)...)
				if err != nil {
					return err
				}
				clear := l.prob(func(mask int) bool { return mask&1 == 0 })
				h := entropyOf(clear, sub(whole(1), clear))
				e, err := exact.EntropyPerBit(bloomproof.Geometry{M: uint64(m), K: k}, uint64(n), 64)
				if err == nil && math.Abs(e.Float64()-h) > 1e-12 {
					err = fmt.Errorf("entropy %g, enclosure %v", h, e)
				}
				return err
			}),
		}
	},
}

var fanEq11Array = claim{
	ID: "fan.eq11.array", Ref: "Section 3.1; after (11)",
	Statement:      "the entropy of the m bits is E = m e', so an m-bit sequence reaches the maximum entropy per bit of 1 when p' = 1/2",
	Verdict:        Refuted,
	Counterexample: "p' = 1/2, and the array has 1 bit of entropy, not 2",
	Repair:         "E < m e' for m >= 2 and kn >= 1, because the bits are dependent; the true value is H(X) + E[log2 C(m,X)]",
	Argument: [2]string{
		"One ball in two urns leaves 10 or 01, each with probability 1/2: one bit of entropy in all.",
		"Entropies add up for independent bits only; here one bit tells the other.",
	},
	How: "by enumeration",
	parts: func() []part {
		law := func(p point) error {
			h, err := arrayEntropy(p.int(0), p.int(1), 1)
			if err != nil {
				return err
			}
			one := clearProbability(p.int(0), p.int(1), 1)
			if sum := float64(p.int(0)) * entropyOf(one, sub(whole(1), one)); math.Abs(h-sum) > 1e-9 {
				return fmt.Errorf("entropy %g, m e' = %g", h, sum)
			}
			return nil
		}
		box := domain{number("m", 1).by(6, 8).upTo(10), number("kn", 1).by(8, 12).upTo(16)}
		return []part{
			fails(point{2, 1}, box, law),
			holdsOn(box, func(p point) error {
				if err := law(p); (err == nil) != (p[0] == 1) {
					return fmt.Errorf("m e' is the entropy: %v", err == nil)
				}
				l, err := union(p.int(0), repeat(1, p.int(1))...)
				if err != nil {
					return err
				}
				h, _ := arrayEntropy(p.int(0), p.int(1), 1)
				pmf := l.pmf()
				want := entropyOf(pmf...)
				for i, q := range pmf {
					x, _ := q.Float64()
					c, _ := ichoose(p.int(0), i).Float64()
					want += x * math.Log2(c)
				}
				if math.Abs(h-want) > 1e-9 {
					return fmt.Errorf("H(X) + E log2 C(m,X) = %g, entropy %g", want, h)
				}
				return nil
			}),
		}
	},
}

var fanLemma1 = claim{
	ID: "fan.lemma1", Ref: "Section 3.3, Lemma 1",
	Statement: "for fixed n and k the rate gets smaller as m grows",
	Verdict:   Confirmed,
	How:       "exact rates of standard filters, strictly; the printed proof is of f_bloom only",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("n", 1).by(3, 6).upTo(12), number("k", 1).by(4, 8).upTo(12), number("m", 2).by(14, 60).upTo(90)}, func(p point) error {
				return below(standardRate(p.int(2), p.int(0), p.int(1)), standardRate(p.int(2)-1, p.int(0), p.int(1)))
			}).tried(4, 200),
		}
	},
}

var fanSec32 = claim{
	ID: "fan.sec3.2", Ref: "Section 3.2 (called an open question there)",
	Statement:      "after compression without loss a Bloom filter is still a Bloom filter",
	Verdict:        Refuted,
	Counterexample: "the array has one bit of entropy, and a filter of one bit has the rate 1, not 1/2",
	Repair:         "the compressed text can be expanded and asked; it is no array whose bits k hash functions set and test",
	Argument: [2]string{
		"The filter has two states, 10 and 01, so it compresses to one bit.",
		"A Bloom filter of one bit that holds an item answers yes to every key; this one answers no to half of them.",
	},
	How: "fan.thm1 has the general form",
	parts: func() []part {
		return []part{breaks(point{2, 1, 1}, domain{number("m", 1), number("n", 1), number("k", 1)}, func(p point) error {
			h, err := arrayEntropy(p.int(0), p.int(1), p.int(2))
			return first(err, same(standardRate(int(math.Ceil(h-1e-12)), p.int(1), p.int(2)), standardRate(p.int(0), p.int(1), p.int(2))))
		})}
	},
}

var fanThm1 = claim{
	ID: "fan.thm1", Ref: "Section 3.3, Theorem 1",
	Statement:      "a filter (m, n, k) whose entropy is not at the maximum has an equivalent filter (m', n, k) with m' < m that gives the same answers",
	Verdict:        Refuted,
	Counterexample: "1 bit of entropy of 2; with m' = 1 every key is answered yes, with m = 2 half of them",
	Repair:         "equal answers need equal rates, and by fan.lemma1 every smaller m' has a larger rate: there never is one",
	Argument: [2]string{
		"Equivalent filters answer every key alike, so they have the same rate; f(2,1,1) = 1/2 and f(1,1,1) = 1.",
		"The functions of (12) depend on the stored bits, through g^-1; those of a Bloom filter depend on the key alone.",
	},
	How: "f(m') > f(m) for all m' < m: f(m-1) > f(m), exactly",
	parts: func() []part {
		filters := domain{number("m", 2).by(10, 30).upTo(60), number("n", 1).by(3, 5).upTo(12), number("k", 1).by(4, 6).upTo(12)}
		return []part{
			fails(point{2, 1, 1}, filters, func(p point) error {
				return same(standardRate(p.int(0), p.int(1), p.int(2)), standardRate(p.int(0)-1, p.int(1), p.int(2)))
			}),
			keeps(filters, func(p point) (float64, error) {
				return strictGap(standardRate(p.int(0), p.int(1), p.int(2)), standardRate(p.int(0)-1, p.int(1), p.int(2))), nil
			}).tried(4, 100),
		}
	},
}

var fanEq12 = shiftClaim("fan.eq12", "Section 3.3, (12)", "v << h >> (|v| - h - 1), v = g^-1(In(v2)), is bit h of the m-bit string v, 0 <= h < m")

var fanEq13 = shiftClaim("fan.eq13", "Section 3.3, (13)", "v << h >> (m - h - 1) is bit h of the m-bit string v, 0 <= h < m")

var fanThm2 = claim{
	ID: "fan.thm2", Ref: "Section 3.3, Theorem 2; abstract",
	Statement:      "the entropy (11) is at its maximum if and only if the rate is at its minimum (over k, for m and n given)",
	Verdict:        Refuted,
	Counterexample: "the entropy is largest at k = 2, the rate 229/625 there and 9/25 = 225/625 at k = 1",
	Repair:         "of f_bloom, over real k, it is true: p' = 1/2 is its minimum",
	Argument: [2]string{
		"m = 5, n = 2: p' = (4/5)^2 = 0.64 at k = 1 and 0.4096 at k = 2; the second is nearer to 1/2.",
		"Exact rates: f(1) = 1 - 16/25 = 225/625, f(2) = 229/625. The proof rests on fan.thm1, which is false.",
	},
	How: "exact rates and |p' - 1/2|; f_bloom over real k",
	parts: func() []part {
		return []part{
			fails(point{5, 2}, shapes, func(p point) error {
				m, n := p.int(0), p.int(1)
				rate := func(k int) *big.Rat { return standardRate(m, n, k) }
				byRate := bestOf(enoughK(m, n), rate)
				byEntropy := bestOf(enoughK(m, n), func(k int) *big.Rat { return fromHalf(m, n, k) })
				return same(rate(byEntropy), rate(byRate))
			}),
			holdsOn(domain{number("m", 2).by(30, 100).upTo(1 << 40), number("n", 1).by(5, 20).upTo(1 << 30), between("k/k*", 0, math.Inf(1)).above().at(4, 0.5, 0.99, 1.01, 1.9, 0.1).tried(1e-2, 10)}, func(p point) error {
				q := float64(p.int(1)) * math.Log1p(-1/float64(p.int(0)))
				at := func(k float64) float64 { return k * math.Log(-math.Expm1(k*q)) }
				half := -math.Ln2 / q
				k := half * p.real(2)
				const rounding = 1e-14
				return holds(math.Abs(p.real(2)-1) < 1e-6 || at(k) > at(half)*(1+rounding), "ln f_bloom(%g) = %g, at p' = 1/2 %g", k, at(k), at(half))
			}).on("f_bloom over real k, p' = 1/2 at k*"),
		}
	},
}

var fanEq14 = claim{
	ID: "fan.eq14", Ref: "Section 3.4, (14) and (15)",
	Statement: "p' = (1-1/m)^(k* n) = 1/2 where k* = -(ln 2/n)/ln(1-1/m)",
	Verdict:   Confirmed,
	How:       "in float64 to 1e-12, k* real",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 2).by(200, 1000).upTo(1 << 40), number("n", 1).by(20, 20).upTo(1 << 40)}, func(p point) error {
				m, n := float64(p.int(0)), float64(p.int(1))
				k := -math.Ln2 / n / math.Log1p(-1/m)
				if x := math.Exp(k * n * math.Log1p(-1/m)); math.Abs(x-0.5) > 1e-12 {
					return fmt.Errorf("p' = %g", x)
				}
				return nil
			}),
		}
	},
}

var fanEq15 = claim{
	ID: "fan.eq15", Ref: "Section 3.4, (15)",
	Statement:      "the best k is k* = -(ln 2/n)/ln(1-1/m)",
	Verdict:        Refuted,
	Counterexample: "k* = 5.19, and the best k is 4; m = 6, n = 1: k* = 3.80, and rounding gives 4, rounded down it is the best, 3",
	Repair:         "it is the real minimum of f_bloom; the best k of the exact rate lies below it where m is small",
	Argument: [2]string{
		"m = 8, n = 1: k* = -ln 2/ln(7/8) = 5.19; f(4) = 74957/2097152 = 0.03574, f(5) = 5033911/134217728 = 0.03751.",
		"The proof takes fan.thm2, which is false of the exact rate.",
	},
	How: "exact rates, rounded down or up",
	parts: func() []part {
		return []part{
			fails(point{8, 1}, shapes, func(p point) error {
				return closestInteger(p.int(0), p.int(1), -math.Ln2/float64(p.int(1))/math.Log1p(-1/float64(p.int(0))))
			}),
			comesOut("f(4) = 74957/2097152, f(5) = 5033911/134217728", func() error {
				return first(same(standardRate(8, 1, 4), rat(74957, 2097152)), same(standardRate(8, 1, 5), rat(5033911, 134217728)))
			}),
		}
	},
}

var fanEq15Close = claim{
	ID: "fan.eq15.close", Ref: "Section 3.4, after (15)",
	Statement: "(15) is very close to (9)",
	Verdict:   Confirmed,
	How:       "(9) - (15) is between (1/2) ln 2/n and 0.5574 ln 2/n: float64 where m < 10^7, the series m + 1/ln(1-1/m) = 1/2 + 1/(12 m) + ... beyond",
	parts: func() []part {
		return []part{holdsOn(domain{number("m", 2).by(1000, 100000).upTo(1 << 50), through("n >= 1")}, func(p point) error {
			m := float64(p.int(0))
			d := m + 1/math.Log1p(-1/m)
			if m > 1e7 {
				d = 0.5 + 1/(12*m)
			}
			return holds(d >= 0.5-1e-8 && d <= 0.5574, "n/ln 2 times the difference is %g", d)
		})}
	},
}

var fanThm3 = claim{
	ID: "fan.thm3", Ref: "Section 3.4, Theorem 3",
	Statement:      "as a function of k the rate has one minimum only",
	Verdict:        Refuted,
	Counterexample: "every k is a minimum, f = 1; m = 3, n = 1: f(1) = f(2) = 1/3",
	Repair:         "for m >= 2 the rate falls, then rises, with at most one tie, between neighbours: no other tie than m = 3, n = 1 was found; for m = 1 all k tie, with the rate 1",
	Argument: [2]string{
		"One ball in three urns: f(1) = 1/3. Two balls: one urn with probability 1/3, two with 2/3.",
		"f(2) = (1/3)(1/9) + (2/3)(4/9) = 9/27 = 1/3. Every other k has a larger rate: f(3) = 103/243.",
	},
	How:   "exact rates, falling then rising, k to twice the best; larger m by enclosures",
	parts: oneMinimum,
}

// shiftClaim returns the claim that two shifts find a bit of a string, Fan (12) and (13).
func shiftClaim(id, ref, statement string) claim {
	return claim{
		ID: id, Ref: ref,
		Statement:      statement,
		Verdict:        Misprint,
		Counterexample: "v = 01: the result is 2, no bit at all",
		Repair:         "v << h >> (m-1) in a word of m bits, with bit 0 the highest",
		Argument: [2]string{
			"v << h in a word of m bits brings bit h to the top, bit 0 being the highest; m-1 places then bring it to the end.",
			"Shifting back by m-h-1 leaves it h places too high: m = 2, h = 1, v = 01 gives 10.",
		},
		How: "in a word of m bits or a wider one",
		parts: func() []part {
			law := func(back func(m, h int) int) func(p point) error {
				return func(p point) error {
					m, h, v := p.int(0), p.int(1), p.int(2)
					got := (v << h & (1<<m - 1)) >> back(m, h)
					if want := v >> (m - 1 - h) & 1; got != want {
						return fmt.Errorf("%d, bit %d", got, want)
					}
					return nil
				}
			}
			words := domain{
				number("m", 1).by(8, 16).upTo(60), number("h", 0).below("m").by(7, 15).upTo(59), number("v", 0).by(1<<8-1, 1<<16-1).upTo(1<<60 - 1),
				where("v < 2^m", "m v", func(x point) bool { return x[1]>>x[0] == 0 }),
			}
			return []part{
				fails(point{2, 1, 1}, words, law(func(m, h int) int { return m - h - 1 })),
				holdsOn(words, law(func(m, h int) int { return m - 1 })),
			}
		},
	}
}

// tieless is the law that the rate falls and then rises. Unless strict is true, it allows a tie at m = 3, n = 1.
func tieless(strict bool) func(p point) error {
	return func(p point) error {
		m, n := p.int(0), p.int(1)
		rising := false
		last := rateS(m, n, 1)
		for k := 2; k <= min(enoughK(m, n), 24); k++ {
			f := rateS(m, n, k)
			order := f.Cmp(last)
			switch {
			case order < 0 && rising:
				return fmt.Errorf("falls again at k = %d", k)
			case order == 0 && (strict || rising || m != 3 || n != 1):
				return fmt.Errorf("tie of k = %d and %d", k-1, k)
			}
			rising, last = order >= 0, f
		}
		return nil
	}
}

// enclosedValley is the law that the rates of a large filter fall and then rise. Enclosures certify the order.
func enclosedValley(p point) error {
	m, n := uint64(p.int(0)), uint64(p.int(0)/p.int(1))
	rising := false
	var last exact.Enclosure
	for k := 1; k <= 2*p.int(1); k++ {
		f, _, err := exact.FPR(bloomproof.Geometry{M: m, K: k}, n, 128, exact.Auto)
		if err != nil {
			return err
		}
		if k > 1 {
			order, decided := f.Cmp(last)
			if !decided || order == 0 || order < 0 && rising {
				return fmt.Errorf("order %d, decided %v at k = %d", order, decided, k)
			}
			rising = order > 0
		}
		last = f
	}
	return nil
}

func oneMinimum() []part {
	printed := domain{number("m", 1).by(9, 40), number("n", 1).by(4, 8)}
	return []part{
		fails(point{1, 1}, printed, tieless(true)),
		breaks(point{3, 1}, printed, tieless(true)),
		holdsOn(domain{number("m", 2).by(9, 40).upTo(120), number("n", 1).by(4, 8).upTo(60)}, tieless(false)),
		holdsOn(domain{number("m", 1).to(1), number("n", 1).by(4, 8).upTo(40), number("k", 1).by(5, 10).upTo(30)}, func(p point) error {
			return same(rateS(p.int(0), p.int(1), p.int(2)), whole(1))
		}).on("m = 1"),
		comesOut("f(3,1,3) = 103/243", func() error { return same(rateS(3, 1, 3), rat(103, 243)) }),
		holdsOn(domain{number("m", 256).among(1, 1<<8, 1<<16, 1<<40).upTo(1 << 40), number("m/n", 3).by(8, 24)}, enclosedValley).on("larger filters").tried(2, 150),
	}
}
