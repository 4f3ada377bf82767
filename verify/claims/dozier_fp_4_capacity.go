package claims

import (
	"fmt"
	"math/big"
)

// messagesFrom returns E[N_b], the mean number of further messages in a cycle with b bits set, for b = 0 to sigma+k. It
// applies Dozier-FP (23) from the largest b downwards. From the state zero on, E[N_b] is 0.
func messagesFrom(m, k, sigma, zero int, distinct bool) []*big.Rat {
	tau := forward(m, k, distinct)
	n := make([]*big.Rat, max(zero, sigma)+k+1)
	for b := len(n) - 1; b >= 0; b-- {
		if b >= zero {
			n[b] = new(big.Rat)
			continue
		}
		later := sum(1, k, func(j int) *big.Rat { return mul(tau(k, b, b+j), n[b+j]) })
		n[b] = quo(add(whole(1), later), sub(whole(1), tau(k, b, b)))
	}
	return n
}

// remaining returns the mean number of messages until a one-phase filter with b bits set recycles, including the last
// message. It follows a filter that starts each cycle with b bits set.
func remaining(f recycler, b int) (*big.Rat, error) {
	start := arrays{active: 1<<b - 1}
	a, err := inTheLongRun(start, func(s arrays) []chance[arrays] {
		out := f.step(s)
		for i := range out {
			if out[i].gains[recycles] == 1 {
				out[i].to = start
			}
		}
		return out
	})
	if err != nil {
		return nil, err
	}
	return a.capacity(), nil
}

// twoPhased returns f with two phases instead of one.
func twoPhased(f recycler, freezeBefore, fresh bool) recycler {
	f.TwoPhase, f.FreezeBefore, f.FreshPositions = true, freezeBefore, fresh
	return f
}

// printedFrozen returns F_i, the probability that an array freezes with i bits set, for i = 0 to m. It uses Dozier-FP
// (24) and (25). pi is the distribution of the number of set bits that arrivals see.
func printedFrozen(f recycler, pi []*big.Rat) []*big.Rat {
	sigma := int(f.Sigma)
	frozen := make([]*big.Rat, f.m+1)
	for i := range frozen {
		frozen[i] = new(big.Rat)
		if i <= sigma {
			frozen[i] = mul(pi[i], sum(sigma+1, i+f.k, func(j int) *big.Rat { return f.forwardMass(i, j) }))
		}
	}
	return normalised(frozen)
}

// fourTwoPhased is the domain of the filters with two arrays. At each point a law examines all four kinds.
var fourTwoPhased = with(twoFilters, through("colliding or not, retaining or not"))

// product26 returns the rate by Dozier-FP (26), given the distributions of the set bits of both arrays.
func product26(f recycler, pi, frozen []*big.Rat) *big.Rat {
	rho := func(law []*big.Rat) *big.Rat {
		return mean(law, func(i int) *big.Rat { return rhoAt(f.m, f.k, f.distinct, i) })
	}
	return sub(whole(1), mul(sub(whole(1), rho(pi)), sub(whole(1), rho(frozen))))
}

// sharedRate returns the rate of a non-retaining two-phase filter with fixed positions and copy-over. In this filter
// both arrays see the same D distinct positions of a message.
func sharedRate(f recycler, pi, frozen []*big.Rat) *big.Rat {
	each := func(law []*big.Rat, d int) *big.Rat {
		return mean(law, func(i int) *big.Rat { return quo(ifall(i, d), ifall(f.m, d)) })
	}
	distinct := f.positions().pmf()
	return sum(1, min(f.k, f.m), func(d int) *big.Rat {
		a, b := each(pi, d), each(frozen, d)
		return mul(distinct[d], sub(add(a, b), mul(a, b)))
	})
}

var dozierFP4Capacity = []claim{
	fp4fCycle, fpEq20, fpEq21, fpEq22, fpEq23, fp4f1Support, fpEq24, fpEq25, fp4f1Time, fpEq26,
	fp4f1Retaining,
}

var fp4fCycle = claim{
	ID: "dozier-fp.4f.cycle", Ref: "Section IV-F",
	Statement:      "E[N_0] is the mean number of messages of a cycle",
	Verdict:        Conditional,
	Counterexample: "a cycle has 2 new arrivals, E[N_0] = 3 counts the retained message again",
	How:            "by the repaired (22), (23): all new messages, bit-setting or not, the one that recycles included; retaining, a cycle starts with the bits of the last message and E[N_b] is averaged over those; arrivals per recycle of the long run by enumeration",
	parts: func() []part {
		law := func(distinct, retain bool) func(p point) error {
			return ofKind(distinct, retain, func(f recycler, m, k, sigma int) error {
				a, err := f.average()
				if err != nil {
					return err
				}
				return same(messagesFrom(m, k, sigma, sigma+1, distinct)[0], a.capacity())
			})
		}
		return []part{
			fails(point{2, 1, 1}, kindOf(bitFilters, false, true), law(false, true)),
			holdsOn(kindOf(bitFilters, false, false), law(false, false)),
			holdsOn(kindOf(bitFilters, true, false), law(true, false)),
		}
	},
}

var fpEq20 = messagesClaim("dozier-fp.eq20", "(20)", "N_b = 0 for b >= sigma", [2]string{
	"The rule of Section IV recycles when b > sigma: with sigma bits set the filter still takes messages.",
	"At M = 1, sigma = 0 the first message is sent at b = 0 bits, so N_0 = 1.",
})

var fpEq21 = claim{
	ID: "dozier-fp.eq21", Ref: "Section IV-F, (21)",
	Statement:      "N_b = (1 + sum_{j=1}^k X_{b,b+j} N_{b+j})/(1 - X_{b,b}) for b < sigma, as random variables",
	Verdict:        Misprint,
	Counterexample: "b = 1: with probability 1/2 the next message sets no bit, X_{1,1} = 1, and the right side is 1/0",
	Repair:         "N_b = 1 + sum_{j=0}^k X_{b,b+j} N'_{b+j} for b <= sigma, N' an independent copy of what follows; the quotient holds for the means, (23)",
	Argument: [2]string{
		"X_{b,b} is an indicator: where it is 1, the message after it starts the same count again, and N_b > N'_b.",
		"Taking means first gives E[N_b](1 - tau(b,b)) = 1 + sum_{j>=1} tau(b,b+j) E[N_{b+j}], and then the quotient.",
	},
	How: "the law of N_b up to 12 messages: P(N_b = n) = sum_j tau(b,b+j) P(N_{b+j} = n-1), against paths of the filter",
	parts: func() []part {
		small := kindOf(domain{number("M", 1).by(4, 6), number("k", 1).by(3, 3), number("sigma", 0).below("M").by(3, 5)}, false, false)
		return []part{
			breaks(point{2, 1, 1}, small, func(p point) error { // the quotient needs X_{b,b} = 0 with certainty
				return same(bitBounded(p.int(0), p.int(1), p.int(2), false, false).forwardMass(p.int(2), p.int(2)), new(big.Rat))
			}),
			comesOut("P(X_{1,1} = 1) = 1/2 there", func() error { return same(bitBounded(2, 1, 1, false, false).forwardMass(1, 1), rat(1, 2)) }),
			holdsOn(small, ofKind(false, false, lengthLaw)),
		}
	},
}

var fpEq22 = messagesClaim("dozier-fp.eq22", "(22)", "E[N_b] = 0 for b >= sigma", [2]string{
	"As (20): the rule recycles when b > sigma.",
	"As printed it is the capacity of the filter of sigma - 1, and 0 for sigma = 0, although every cycle has a message.",
})

var fpEq23 = claim{
	ID: "dozier-fp.eq23", Ref: "Section IV-F, (23)",
	Statement:      "E[N_b] = (1 + sum_{j=1}^k tau_k(b,b+j) E[N_{b+j}])/(1 - tau_k(b,b)) for b < sigma, tau without recycling",
	Verdict:        Misprint,
	Counterexample: "the equation has no b, and E[N_0] = 1 is left to (22), which says 0",
	Repair:         "for b <= sigma",
	Argument: [2]string{
		"At b = sigma the next message is still sent; it recycles or sets no bit.",
		"So E[N_sigma] = 1/(1 - tau(sigma,sigma)) >= 1.",
	},
	How: "every b <= sigma, with E[N_b] = 0 for b > sigma: messages until the next recycle by enumeration",
	parts: func() []part {
		law := func(distinct bool) func(p point) error {
			return ofKind(distinct, false, func(f recycler, m, k, sigma int) error {
				n := messagesFrom(m, k, sigma, sigma+1, distinct)
				for b := 0; b <= sigma; b++ {
					want, err := remaining(f, b)
					if err != nil {
						return err
					}
					if err := same(n[b], want); err != nil {
						return fmt.Errorf("b=%d: %w", b, err)
					}
				}
				return nil
			})
		}
		printed := ofKind(false, false, func(f recycler, m, k, sigma int) error {
			want, err := remaining(f, 0)
			if err != nil {
				return err
			}
			return same(messagesFrom(m, k, sigma, sigma, false)[0], want)
		})
		return []part{
			fails(point{1, 1, 0}, kindOf(bitFilters, false, false), printed),
			holdsOn(kindOf(bitFilters, false, false), law(false)),
			holdsOn(kindOf(bitFilters, true, false), law(true)),
		}
	},
}

var fp4f1Support = claim{
	ID: "dozier-fp.4f1.support", Ref: "Section IV-F1",
	Statement:      "F_i is nonzero only for i from sigma-k+1 to sigma",
	Verdict:        Conditional,
	Counterexample: "as Section II-C describes it (messages are added, then the roles switch), it freezes with 1 bit",
	How:            "the array at every freeze by enumeration; freeze after, i runs from sigma+1 to min(sigma+k, M)",
	parts: func() []part {
		law := func(freezeBefore bool, low, high func(k, sigma int) int) func(p point) error {
			return ofFourKinds(freezeBefore, func(f recycler, sigma int, a longRun[arrays]) error {
				for i, x := range frozenBits(a, f.m) {
					if x.Sign() > 0 && (i < low(f.k, sigma) || i > high(f.k, sigma)) {
						return fmt.Errorf("freezes with %d bits", i)
					}
				}
				return nil
			})
		}
		low, high := func(k, sigma int) int { return sigma - k + 1 }, func(_, sigma int) int { return sigma }
		return []part{
			fails(point{1, 1, 0}, with(fourTwoPhased, freezings.only(0)), law(false, low, high)),
			holdsOn(with(fourTwoPhased, freezings.only(1)), law(true, low, high)),
			holdsOn(with(fourTwoPhased, freezings.only(0)), law(false,
				func(_, sigma int) int { return sigma + 1 }, func(k, sigma int) int { return sigma + k })).on("freeze after, sigma+1 to sigma+k"),
		}
	},
}

var fpEq24 = frozenClaim("dozier-fp.eq24", "(24)", "F^_i = pi_i sum_{j=sigma+1}^{i+k} tau_k(i,j), in proportion to the steady-state probability of the frozen array having i bits")

var fpEq25 = frozenClaim("dozier-fp.eq25", "(25)", "F_i = F^_i/sum_{j=sigma-k+1}^sigma F^_j")

var fp4f1Time = claim{
	ID: "dozier-fp.4f1.time", Ref: "Section IV-F1",
	Statement:      "F_i is the steady-state probability of the frozen filter having i bits, as an arrival sees it",
	Verdict:        Conditional,
	Counterexample: "one bit is frozen at 1/21 of the freezes and seen by 2/45 of the arrivals, because a message that adds two bits is retained with two, and its cycle is shorter",
	How:            "both laws by enumeration: not retaining, the next cycle does not depend on what froze, so the law at freezes is that over arrivals",
	parts: func() []part {
		law := func(freezeBefore bool, distinct, retain bool) func(p point) error {
			return ofKind(distinct, retain, func(f recycler, m, _, _ int) error {
				a, err := twoPhased(f, freezeBefore, false).average()
				if err != nil {
					return err
				}
				seen := make([]*big.Rat, m+1)
				for i := range seen {
					seen[i] = new(big.Rat)
				}
				for s, p := range a.share {
					seen[ones(s.frozen)].Add(seen[ones(s.frozen)], p)
				}
				return sameLaw(seen, frozenBits(a, m))
			})
		}
		before, after := true, false
		return []part{
			fails(point{3, 2, 2}, with(kindOf(twoFilters, false, true), freezings.only(1)), law(before, false, true)),
			holdsOn(with(kindOf(twoFilters, false, false), freezings.only(1)), law(before, false, false)),
			holdsOn(with(kindOf(twoFilters, false, false), freezings.only(0)), law(after, false, false)),
			holdsOn(with(kindOf(twoFilters, true, false), freezings.only(1)), law(before, true, false)),
			holdsOn(with(kindOf(twoFilters, true, true), freezings.only(1)), law(before, true, true)),
		}
	},
}

var fpEq26 = claim{
	ID: "dozier-fp.eq26", Ref: "Section IV-F1, (26)",
	Statement:      "f^2 = 1 - (1 - sum pi_j rho(j))(1 - sum F_i rho(i)), the arrays sharing the k hash functions (II-C)",
	Verdict:        Refuted,
	Counterexample: "the rate is 1/5, (26) gives 17/80",
	Repair:         "non-retaining: f^2 = sum_d P(D=d) (A_d + B_d - A_d B_d), A_d = sum pi_i ff(i,d)/ff(M,d), B_d = sum F_i ff(i,d)/ff(M,d), D the number of distinct positions",
	Argument: [2]string{
		"A message with fewer distinct positions matches both arrays more easily, so the two matches are positively correlated.",
		"Given D they are independent, because the bits of the arrays come from other messages; hence the sum over d.",
	},
	How: "two arrays by enumeration; (26) as printed holds for non-colliding positions, freeze before, and for positions drawn anew for each array",
	parts: func() []part {
		law := func(distinct, freezeBefore, fresh, printed bool) func(p point) error {
			return ofKind(distinct, false, func(f recycler, m, _, _ int) error {
				a, err := twoPhased(f, freezeBefore, fresh).average()
				if err != nil {
					return err
				}
				pi, frozen := setBits(a, m), frozenBits(a, m)
				if printed {
					return same(product26(f, pi, printedFrozen(f, pi)), a.rate())
				}
				return same(sharedRate(f, pi, frozen), a.rate())
			})
		}
		before, after, fixed, fresh := true, false, false, true
		filters := func(d domain, distinct, freezeBefore, fresh bool) domain {
			return with(kindOf(d, distinct, false), freezings.only(int64(count(freezeBefore))), drawings.only(int64(count(fresh))))
		}
		small := domain{number("M", 1).by(3, 3), number("k", 1).by(2, 2), number("sigma", 0).below("M").by(2, 2)}
		return []part{
			fails(point{2, 2, 1}, filters(twoFilters, false, before, fixed), law(false, before, fixed, true)),
			comesOut("1/5 and 17/80 there", func() error {
				f := twoPhased(bitBounded(2, 2, 1, false, false), before, fixed)
				a, err := f.average()
				if err != nil {
					return err
				}
				pi := setBits(a, 2)
				return first(same(a.rate(), rat(1, 5)), same(product26(f, pi, printedFrozen(f, pi)), rat(17, 80)))
			}),
			holdsOn(filters(twoFilters, false, before, fixed), law(false, before, fixed, false)),
			holdsOn(filters(twoFilters, false, after, fixed), law(false, after, fixed, false)),
			holdsOn(filters(twoFilters, true, after, fixed), law(true, after, fixed, false)),
			holdsOn(filters(twoFilters, true, before, fixed), law(true, before, fixed, true)).on("as printed, non-colliding"),
			holdsOn(filters(small, false, before, fresh), law(false, before, fresh, true)).on("as printed, fresh positions"),
			holdsOn(filters(small, true, before, fresh), law(true, before, fresh, true)).on("as printed, fresh positions, non-colliding"),
		}
	},
}

var fp4f1Retaining = claim{
	ID: "dozier-fp.4f1.retaining", Ref: "Section IV-F1, (26) for the retaining filters",
	Statement:      "(26) gives the rate of the retaining two-phase filters",
	Verdict:        Refuted,
	Counterexample: "the rate is 1, (26) gives 3/4",
	Repair:         "the retained message is in the active array, and what froze says which positions it can have: the joint law of both arrays is needed",
	Argument: [2]string{
		"Freeze before, two bits: the frozen array has one, the retained message the other, so every message matches one of the two.",
		"Independent arrays of one bit each would leave a message unmatched with probability 1/4.",
	},
	How: "two arrays by enumeration, shared positions",
	parts: func() []part {
		printed := func(distinct bool) func(p point) error {
			return ofKind(distinct, true, func(f recycler, m, _, _ int) error {
				a, err := twoPhased(f, true, false).average()
				if err != nil {
					return err
				}
				pi := setBits(a, m)
				return same(product26(f, pi, frozenBits(a, m)), a.rate())
			})
		}
		one := func() error {
			a, err := twoPhased(bitBounded(2, 1, 1, false, true), true, false).average()
			if err != nil {
				return err
			}
			return same(a.rate(), whole(1))
		}
		return []part{
			comesOut("the rate is 1 there", one),
			fails(point{2, 1, 1}, with(kindOf(twoFilters, true, true), freezings.only(1)), printed(true)),
			fails(point{2, 1, 1}, with(kindOf(twoFilters, false, true), freezings.only(1)), printed(false)),
		}
	},
}

// sameLaw returns an error unless two distributions are equal.
func sameLaw(got, want []*big.Rat) error {
	for i := range want {
		if err := same(got[i], want[i]); err != nil {
			return fmt.Errorf("i=%d: %w", i, err)
		}
	}
	return nil
}

// lengthLaw compares two distributions of N_b, the number of further messages in a cycle with b bits set. One is by the
// paper's formula, and the other follows the paths of the filter. The comparison goes up to 12 messages.
func lengthLaw(f recycler, m, k, sigma int) error {
	tau := forward(m, k, false)
	const most = 12
	p := make([][]*big.Rat, most+1) // p[n][b] is P(N_b = n), for b <= sigma+k
	for n := range p {
		p[n] = make([]*big.Rat, sigma+k+1)
		for b := range p[n] {
			switch {
			case b > sigma:
				p[n][b] = whole(count(n == 0))
			case n == 0:
				p[n][b] = new(big.Rat)
			default:
				p[n][b] = sum(0, k, func(j int) *big.Rat { return mul(tau(k, b, b+j), p[n-1][b+j]) })
			}
		}
	}
	for b := 0; b <= sigma; b++ {
		alive := map[arrays]*big.Rat{{active: 1<<b - 1}: whole(1)}
		for n := 1; n <= most; n++ {
			next, over := map[arrays]*big.Rat{}, new(big.Rat)
			for s, x := range alive {
				for _, c := range f.step(s) {
					y := mul(x, c.p)
					switch {
					case c.gains[recycles] == 1:
						over.Add(over, y)
					case next[c.to] == nil:
						next[c.to] = y
					default:
						next[c.to].Add(next[c.to], y)
					}
				}
			}
			if err := same(p[n][b], over); err != nil {
				return fmt.Errorf("b=%d, %d messages: %w", b, n, err)
			}
			alive = next
		}
	}
	return nil
}

// messagesClaim returns the claim of Dozier-FP (20) or (22).
func messagesClaim(id, number, printed string, argument [2]string) claim {
	return claim{
		ID: id, Ref: "Section IV-F, " + number,
		Statement:      printed,
		Verdict:        Misprint,
		Counterexample: "a cycle has one message, printed are 0",
		Repair:         "for b > sigma; as printed, with (23), it is the capacity at sigma - 1",
		Argument:       argument,
		How:            "E[N_0] against arrivals per recycle by enumeration; printed at sigma = repaired at sigma - 1",
		parts: func() []part {
			law := func(distinct, printed bool) func(p point) error {
				return ofKind(distinct, false, func(f recycler, m, k, sigma int) error {
					zero := sigma + count(!printed)
					want, err := remaining(f, 0)
					if err != nil {
						return err
					}
					if err := same(messagesFrom(m, k, sigma, zero, distinct)[0], want); err != nil || sigma == 0 {
						return err
					}
					return same(messagesFrom(m, k, sigma, sigma, distinct)[0], messagesFrom(m, k, sigma-1, sigma, distinct)[0])
				})
			}
			return []part{
				fails(point{1, 1, 0}, kindOf(bitFilters, false, false), law(false, true)),
				holdsOn(kindOf(bitFilters, false, false), law(false, false)),
				holdsOn(kindOf(bitFilters, true, false), law(true, false)),
			}
		},
	}
}

// frozenClaim returns the claim of Dozier-FP (24) or (25).
func frozenClaim(id, number, printed string) claim {
	return claim{
		ID: id, Ref: "Section IV-F1, " + number,
		Statement:      printed,
		Verdict:        Conditional,
		Counterexample: "F_0 = 1 as printed, but the array freezes with 1 bit",
		How:            "the law of the array at the moments of freezing, by enumeration",
		parts: func() []part {
			law := func(freezeBefore bool) func(p point) error {
				return ofFourKinds(freezeBefore, func(f recycler, _ int, a longRun[arrays]) error {
					return sameLaw(printedFrozen(f, setBits(a, f.m)), frozenBits(a, f.m))
				})
			}
			return []part{
				fails(point{1, 1, 0}, with(fourTwoPhased, freezings.only(0)), law(false)),
				holdsOn(with(fourTwoPhased, freezings.only(1)), law(true)),
			}
		},
	}
}

// ofFourKinds turns check into a law on points (m, k, sigma). The law calls check for the two-phase filters that are
// colliding or not and retaining or not, with the long run of each.
func ofFourKinds(freezeBefore bool, check func(f recycler, sigma int, a longRun[arrays]) error) func(p point) error {
	return func(p point) error {
		for kind := range 4 {
			f := twoPhased(bitBounded(p.int(0), p.int(1), p.int(2), kind&1 == 1, kind&2 == 2), freezeBefore, false)
			if !f.valid() {
				continue
			}
			a, err := f.average()
			if err != nil {
				return err
			}
			if err := check(f, p.int(2), a); err != nil {
				return err
			}
		}
		return nil
	}
}
