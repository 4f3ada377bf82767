package claims

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// entropyOf returns -sum p log2 p in float64, which is enough to tell apart what the
// checks here compare.
func entropyOf(probabilities ...*big.Rat) float64 {
	h := 0.0
	for _, p := range probabilities {
		if x, _ := p.Float64(); x > 0 {
			h -= x * math.Log2(x)
		}
	}
	return h
}

// arrayEntropy returns the entropy of all m bits of a filter, by enumeration.
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

// clearProbability returns p' = (1-1/m)^(kn).
func clearProbability(m, n, k int) *big.Rat { return pow(rat(m-1, m), k*n) }

// fromHalf returns |p' - 1/2|: the entropy (11) falls as it grows.
func fromHalf(m, n, k int) *big.Rat {
	d := sub(clearProbability(m, n, k), rat(1, 2))
	return d.Abs(d)
}

// bestOf returns the k from 1 to most whose value is least, the first of them.
func bestOf(most int, value func(k int) *big.Rat) (k int) {
	var least *big.Rat
	for i := 1; i <= most; i++ {
		if v := value(i); least == nil || v.Cmp(least) < 0 {
			k, least = i, v
		}
	}
	return k
}

// enoughK is a k beyond the best one: twice (9), at least 3.
func enoughK(m, n int) int { return 3 + int(2*math.Ln2*float64(m)/float64(n)) }

// shapes are (m, n) for which the best k is looked for.
func shapes(r *run) box { return box{{"m", 2, r.upto(9, 24)}, {"n", 1, r.upto(4, 8)}} }

// closestInteger fails unless the best k is real rounded down or up, at least 1.
func closestInteger(m, n int, real float64) error {
	rate := func(k int) *big.Rat { return standardRate(m, n, k) }
	best := rate(bestOf(enoughK(m, n), rate))
	down, up := max(1, int(math.Floor(real))), max(1, int(math.Ceil(real)))
	if rate(down).Cmp(best) != 0 && rate(up).Cmp(best) != 0 {
		return fmt.Errorf("neither %d nor %d is the best k", down, up)
	}
	return nil
}

func fan3Entropy() []Claim {
	return []Claim{
		{
			ID: "fan.eq9", Paper: Fan, Ref: "Section 3, (9)",
			Statement: "k* = (m/n) ln 2 is the extremum of the asymptotic formula (1 - e^(-kn/m))^k",
			Domain:    "all m, n; k real; it is the minimum",
			Verdict:   Confirmed,
			Checked:   "the logarithm k ln(1-e^(-kn/m)) is least at k*, where it is -k* ln 2: 1000 points around it for n/m = 2^-1 to 2^-20. With p = e^(-kn/m) it is -(m/n) ln p ln(1-p), which is symmetric in p and 1-p and has one extremum",
			check: func(r *run) error {
				return r.all(box{{"log2 m/n", 1, 20}, {"step", -500, 500}}, func(p []int) error {
					perItem := math.Exp2(float64(p[0]))
					at := func(k float64) float64 { return k * math.Log(-math.Expm1(-k/perItem)) }
					least := -perItem * math.Ln2 * math.Ln2
					k := perItem * math.Ln2 * (1 + float64(p[1])/501)
					if v := at(k); v < least*(1+1e-14) || (p[1] != 0) != (v > least*(1-1e-14)) {
						return fmt.Errorf("ln f = %g, at k* %g", v, least)
					}
					return nil
				})
			},
		},
		{
			ID: "fan.eq9.best", Paper: Fan, Ref: "Section 1.1; Section 3",
			Statement:      "(9), rounded down or up, is the best k of a filter",
			Domain:         "all m, n >= 1",
			Verdict:        Refuted,
			Counterexample: "m = 6, n = 1: (9) is 4.16, and the best k is 3",
			Repair:         "the best k of the exact rate, by comparing it at neighbours; (9) misses where m is small",
			Argument: [2]string{
				"m = 6, n = 1: f(3) = 661/7776 = 0.0850, f(4) = 2849/31104 = 0.0916, f(5) is larger still.",
				"The exact rate exceeds f_bloom, and by more the larger k is; so its minimum lies at a smaller k.",
			},
			Checked: "exact rates: m <= 24, n <= 8; smallest counterexample by search",
			check: func(r *run) error {
				return r.smallest([]int{6, 1}, shapes(r), func(p []int) error {
					return closestInteger(p[0], p[1], float64(p[0])/float64(p[1])*math.Ln2)
				})
			},
		},
		{
			ID: "fan.eq10", Paper: Fan, Ref: "Section 3.1, (10)",
			Statement:      "E = - sum p_i log2(1/p_i)",
			Domain:         "any distribution",
			Verdict:        Misprint,
			Counterexample: "a fair bit: the printed sum is -1, the entropy is 1",
			Repair:         "E = sum p_i log2(1/p_i) = - sum p_i log2 p_i",
			Argument: [2]string{
				"Every log2(1/p_i) is at least 0, so the printed E is never positive.",
				"(11), which the paper derives from it, has the right sign.",
			},
			Checked: "uniform distributions of 1 to 64 events: log2 of their number",
			check: func(r *run) error {
				return r.all(box{{"events", 1, 64}}, func(p []int) error {
					printed, right := 0.0, 0.0
					for range p[0] {
						x := 1 / float64(p[0])
						printed -= x * math.Log2(1/x)
						right += x * math.Log2(1/x)
					}
					if math.Abs(right-math.Log2(float64(p[0]))) > 1e-12 || printed > 0 {
						return fmt.Errorf("printed %g, right %g", printed, right)
					}
					return nil
				})
			},
		},
		{
			ID: "fan.eq11", Paper: Fan, Ref: "Section 3.1, (11)",
			Statement: "the entropy of one bit of the filter is e' = -(p' log2 p' + (1-p') log2(1-p'))",
			Domain:    "all m, n, k, for one bit by itself",
			Verdict:   Confirmed,
			Checked:   "against the law of a bit by enumeration, m <= 6, n <= 3, k <= 4; exact.EntropyPerBit encloses it",
			check: func(r *run) error {
				return r.all(box{{"m", 2, r.upto(4, 6)}, {"n", 1, 3}, {"k", 1, r.upto(3, 4)}}, func(p []int) error {
					m, n, k := p[0], p[1], p[2]
					l, err := union(m, repeat(1, k*n)...)
					if err != nil {
						return err
					}
					clear := l.prob(func(mask int) bool { return mask&1 == 0 })
					h := entropyOf(clear, sub(whole(1), clear))
					e, err := exact.EntropyPerBit(uint64(m), uint64(n), k, 64)
					if err == nil && math.Abs(e.Float64()-h) > 1e-12 {
						err = fmt.Errorf("entropy %g, enclosure %v", h, e)
					}
					return err
				})
			},
		},
		{
			ID: "fan.eq11.array", Paper: Fan, Ref: "Section 3.1; after (11)",
			Statement:      "the entropy of the m bits is E = m e', so an m-bit sequence reaches the maximum entropy per bit of 1 when p' = 1/2",
			Domain:         "all m, n, k",
			Verdict:        Refuted,
			Counterexample: "m = 2, n = 1, k = 1: p' = 1/2, and the array has 1 bit of entropy, not 2",
			Repair:         "E < m e' for m >= 2 and kn >= 1, because the bits are dependent; the true value is H(X) + E[log2 C(m,X)]",
			Argument: [2]string{
				"One ball in two urns leaves 10 or 01, each with probability 1/2: one bit of entropy in all.",
				"Entropies add up for independent bits only; here one bit tells the other.",
			},
			Checked: "by enumeration: m <= 8, kn <= 12",
			check: func(r *run) error {
				law := func(p []int) error {
					h, err := arrayEntropy(p[0], p[1], 1)
					if err != nil {
						return err
					}
					one := clearProbability(p[0], p[1], 1)
					if sum := float64(p[0]) * entropyOf(one, sub(whole(1), one)); math.Abs(h-sum) > 1e-9 {
						return fmt.Errorf("entropy %g, m e' = %g", h, sum)
					}
					return nil
				}
				box := box{{"m", 1, r.upto(6, 8)}, {"kn", 1, r.upto(8, 12)}}
				return first(r.smallest([]int{2, 1}, box, law), r.all(box, func(p []int) error {
					if err := law(p); (err == nil) != (p[0] == 1) {
						return fmt.Errorf("m e' is the entropy: %v", err == nil)
					}
					l, err := union(p[0], repeat(1, p[1])...)
					if err != nil {
						return err
					}
					h, _ := arrayEntropy(p[0], p[1], 1)
					pmf := l.pmf()
					want := entropyOf(pmf...)
					for i, q := range pmf {
						x, _ := q.Float64()
						c, _ := ichoose(p[0], i).Float64()
						want += x * math.Log2(c)
					}
					if math.Abs(h-want) > 1e-9 {
						return fmt.Errorf("H(X) + E log2 C(m,X) = %g, entropy %g", want, h)
					}
					return nil
				}))
			},
		},
		{
			ID: "fan.lemma1", Paper: Fan, Ref: "Section 3.3, Lemma 1",
			Statement: "for fixed n and k the rate gets smaller as m grows",
			Domain:    "n >= 1, k >= 1 (for n = 0 it is 0)",
			Verdict:   Confirmed,
			Checked:   "exact rates of standard filters: m <= 60, n <= 6, k <= 8, strictly; the printed proof is of f_bloom only",
			check: func(r *run) error {
				return r.all(box{{"n", 1, r.upto(3, 6)}, {"k", 1, r.upto(4, 8)}, {"m", 2, r.upto(14, 60)}}, func(p []int) error {
					return below(standardRate(p[2], p[0], p[1]), standardRate(p[2]-1, p[0], p[1]))
				})
			},
		},
		{
			ID: "fan.sec3.2", Paper: Fan, Ref: "Section 3.2 (called an open question there)",
			Statement:      "after compression without loss a Bloom filter is still a Bloom filter",
			Domain:         "all m, n, k",
			Verdict:        Refuted,
			Counterexample: "m = 2, n = 1, k = 1: see fan.thm1",
			Repair:         "the compressed text can be expanded and asked; it is no array whose bits k hash functions set and test",
			Argument: [2]string{
				"The filter has two states, 10 and 01, so it compresses to one bit.",
				"A Bloom filter of one bit that holds an item answers yes to every key; this one answers no to half of them.",
			},
			Checked: "the counterexample; fan.thm1 has the general form",
			check: func(r *run) error {
				return r.once(func() error {
					h, err := arrayEntropy(2, 1, 1)
					if err == nil && math.Abs(h-1) > 1e-12 {
						err = fmt.Errorf("entropy %g", h)
					}
					return first(err, same(standardRate(2, 1, 1), rat(1, 2)), same(standardRate(1, 1, 1), whole(1)))
				})
			},
		},
		{
			ID: "fan.thm1", Paper: Fan, Ref: "Section 3.3, Theorem 1",
			Statement:      "a filter (m, n, k) whose entropy is not at the maximum has an equivalent filter (m', n, k) with m' < m that gives the same answers",
			Domain:         "all m, n, k",
			Verdict:        Refuted,
			Counterexample: "m = 2, n = 1, k = 1 has 1 bit of entropy of 2; with m' = 1 every key is answered yes, with m = 2 half of them",
			Repair:         "equal answers need equal rates, and by fan.lemma1 every smaller m' has a larger rate: there never is one",
			Argument: [2]string{
				"Equivalent filters answer every key alike, so they have the same rate; f(2,1,1) = 1/2 and f(1,1,1) = 1.",
				"The functions of (12) depend on the stored bits, through g^-1; those of a Bloom filter depend on the key alone.",
			},
			Checked: "f(m') > f(m) for all m' < m, exactly: m <= 30, n <= 5, k <= 6",
			check: func(r *run) error {
				return first(
					r.once(func() error {
						return first(same(standardRate(2, 1, 1), rat(1, 2)), same(standardRate(1, 1, 1), whole(1)))
					}),
					r.all(box{{"m", 2, r.upto(10, 30)}, {"n", 1, r.upto(3, 5)}, {"k", 1, r.upto(4, 6)}}, func(p []int) error {
						return below(standardRate(p[0], p[1], p[2]), standardRate(p[0]-1, p[1], p[2]))
					}))
			},
		},
		shiftClaim("fan.eq12", "Section 3.3, (12)", "v << h >> (|v| - h - 1), v = g^-1(In(v2)), is bit h of the m-bit string v, 0 <= h < m"),
		shiftClaim("fan.eq13", "Section 3.3, (13)", "v << h >> (m - h - 1) is bit h of the m-bit string v, 0 <= h < m"),
		{
			ID: "fan.thm2", Paper: Fan, Ref: "Section 3.3, Theorem 2; abstract",
			Statement:      "the entropy (11) is at its maximum if and only if the rate is at its minimum (over k, for m and n given)",
			Domain:         "all m, n",
			Verdict:        Refuted,
			Counterexample: "m = 5, n = 2: the entropy is largest at k = 2, the rate 229/625 there and 9/25 = 225/625 at k = 1",
			Repair:         "of f_bloom, over real k, it is true: p' = 1/2 is its minimum",
			Argument: [2]string{
				"m = 5, n = 2: p' = (4/5)^2 = 0.64 at k = 1 and 0.4096 at k = 2; the second is nearer to 1/2.",
				"Exact rates: f(1) = 1 - 16/25 = 225/625, f(2) = 229/625. The proof rests on fan.thm1, which is false.",
			},
			Checked: "exact rates and |p' - 1/2|: m <= 24, n <= 8; smallest counterexample by search. f_bloom: on a fine grid of real k",
			check: func(r *run) error {
				exactly := r.smallest([]int{5, 2}, shapes(r), func(p []int) error {
					m, n := p[0], p[1]
					rate := func(k int) *big.Rat { return standardRate(m, n, k) }
					byRate := bestOf(enoughK(m, n), rate)
					byEntropy := bestOf(enoughK(m, n), func(k int) *big.Rat { return fromHalf(m, n, k) })
					return same(rate(byEntropy), rate(byRate))
				})
				return first(exactly, r.all(box{{"m", 2, 100}, {"n", 1, 20}, {"step", -99, 99}}, func(p []int) error {
					q := float64(p[1]) * math.Log1p(-1/float64(p[0]))
					at := func(k float64) float64 { return k * math.Log(-math.Expm1(k*q)) }
					half := -math.Ln2 / q
					if k := half * (1 + float64(p[2])/100); p[2] != 0 && at(k) <= at(half) {
						return fmt.Errorf("ln f_bloom(%g) = %g, at p' = 1/2 %g", k, at(k), at(half))
					}
					return nil
				}))
			},
		},
		{
			ID: "fan.eq14", Paper: Fan, Ref: "Section 3.4, (14) and (15)",
			Statement: "p' = (1-1/m)^(k* n) = 1/2 where k* = -(ln 2/n)/ln(1-1/m)",
			Domain:    "m >= 2, n >= 1, k* real",
			Verdict:   Confirmed,
			Checked:   "m <= 1000, n <= 20, in float64 to 1e-12",
			check: func(r *run) error {
				return r.all(box{{"m", 2, r.upto(200, 1000)}, {"n", 1, 20}}, func(p []int) error {
					m, n := float64(p[0]), float64(p[1])
					k := -math.Ln2 / n / math.Log1p(-1/m)
					if x := math.Exp(k * n * math.Log1p(-1/m)); math.Abs(x-0.5) > 1e-12 {
						return fmt.Errorf("p' = %g", x)
					}
					return nil
				})
			},
		},
		{
			ID: "fan.eq15", Paper: Fan, Ref: "Section 3.4, (15)",
			Statement:      "the best k is k* = -(ln 2/n)/ln(1-1/m)",
			Domain:         "all m >= 2, n >= 1, rounded down or up",
			Verdict:        Refuted,
			Counterexample: "m = 6, n = 1: k* = 3.80, and rounding gives 4; rounded down it is the best, 3. m = 8, n = 1: k* = 5.19, and the best k is 4",
			Repair:         "it is the real minimum of f_bloom; the best k of the exact rate lies below it where m is small",
			Argument: [2]string{
				"m = 8, n = 1: k* = -ln 2/ln(7/8) = 5.19; f(4) = 74957/2097152 = 0.03574, f(5) = 5033911/134217728 = 0.03751.",
				"The proof takes fan.thm2, which is false of the exact rate.",
			},
			Checked: "exact rates: m <= 24, n <= 8; smallest counterexample to both roundings by search",
			check: func(r *run) error {
				return first(
					r.smallest([]int{8, 1}, shapes(r), func(p []int) error {
						return closestInteger(p[0], p[1], -math.Ln2/float64(p[1])/math.Log1p(-1/float64(p[0])))
					}),
					r.once(func() error {
						return first(same(standardRate(8, 1, 4), rat(74957, 2097152)), same(standardRate(8, 1, 5), rat(5033911, 134217728)))
					}))
			},
		},
		{
			ID: "fan.eq15.close", Paper: Fan, Ref: "Section 3.4, after (15)",
			Statement: "(15) is very close to (9)",
			Domain:    "m >= 2: (9) - (15) is between (1/2) ln 2/n and 0.5574 ln 2/n",
			Verdict:   Confirmed,
			Checked:   "m = 2 to 2^50 by factors of 2^(1/4), in float64 where m < 10^7 and by the series m + 1/ln(1-1/m) = 1/2 + 1/(12 m) + ... beyond",
			check: func(r *run) error {
				return r.all(box{{"4 log2 m", 4, 200}}, func(p []int) error {
					m := math.Round(math.Exp2(float64(p[0]) / 4))
					d := m + 1/math.Log1p(-1/m)
					if m > 1e7 {
						d = 0.5 + 1/(12*m)
					}
					if d < 0.5-1e-8 || d > 0.5574 {
						return fmt.Errorf("n/ln 2 times the difference is %g", d)
					}
					return nil
				})
			},
		},
		{
			ID: "fan.thm3", Paper: Fan, Ref: "Section 3.4, Theorem 3",
			Statement:      "as a function of k the rate has one minimum only",
			Domain:         "all m, n",
			Verdict:        Refuted,
			Counterexample: "m = 3, n = 1: f(1) = f(2) = 1/3",
			Repair:         "the rate falls, then rises, with at most one tie, between neighbours: no other tie than m = 3, n = 1 was found",
			Argument: [2]string{
				"One ball in three urns: f(1) = 1/3. Two balls: one urn with probability 1/3, two with 2/3.",
				"f(2) = (1/3)(1/9) + (2/3)(4/9) = 9/27 = 1/3. Every other k has a larger rate: f(3) = 103/243.",
			},
			Checked: "exact rates, falling then rising: m <= 40, n <= 8, k to twice the best; larger m by enclosures: m = 2^8 to 2^40",
			check: func(r *run) error {
				law := func(strict bool) func(p []int) error {
					return func(p []int) error {
						m, n := p[0], p[1]
						rising := false
						last := standardRate(m, n, 1)
						for k := 2; k <= min(enoughK(m, n), 24); k++ {
							f := standardRate(m, n, k)
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
				small := box{{"m", 2, r.upto(9, 40)}, {"n", 1, r.upto(4, 8)}}
				return first(
					r.smallest([]int{3, 1}, small, law(true)),
					r.all(small, law(false)),
					r.once(func() error { return same(standardRate(3, 1, 3), rat(103, 243)) }),
					r.all(box{{"log2 m", 8, r.upto(16, 40)}, {"m/n", 3, r.upto(8, 24)}}, func(p []int) error {
						m := uint64(1) << p[0]
						n := m / uint64(p[1])
						rising := false
						var last exact.Enclosure
						for k := 1; k <= 2*p[1]; k++ {
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
					}))
			},
		},
	}
}

// shiftClaim is the claim that two shifts find a bit of a string, Fan (12) and (13).
func shiftClaim(id, ref, statement string) Claim {
	return Claim{
		ID: id, Paper: Fan, Ref: ref,
		Statement:      statement,
		Domain:         "all v, in a word of m bits or a wider one",
		Verdict:        Misprint,
		Counterexample: "m = 2, h = 1, v = 01: the result is 2, no bit at all",
		Repair:         "v << h >> (m-1) in a word of m bits, with bit 0 the highest",
		Argument: [2]string{
			"v << h in a word of m bits brings bit h to the top, bit 0 being the highest; m-1 places then bring it to the end.",
			"Shifting back by m-h-1 leaves it h places too high: m = 2, h = 1, v = 01 gives 10.",
		},
		Checked: "all v and h, m <= 16",
		check: func(r *run) error {
			law := func(back func(m, h int) int) func(p []int) error {
				return func(p []int) error {
					m, h, v := p[0], p[1], p[2]
					if h >= m || v >= 1<<m {
						return errOutside
					}
					got := (v << h & (1<<m - 1)) >> back(m, h)
					if want := v >> (m - 1 - h) & 1; got != want {
						return fmt.Errorf("%d, bit %d", got, want)
					}
					return nil
				}
			}
			most := r.upto(8, 16)
			box := box{{"m", 1, most}, {"h", 0, most - 1}, {"v", 0, 1<<most - 1}}
			return first(
				r.smallest([]int{2, 1, 1}, box, law(func(m, h int) int { return m - h - 1 })),
				r.all(box, law(func(m, h int) int { return m - 1 })))
		},
	}
}
