package claims

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/bloomproof/bloomproof"
	exactfnr "github.com/bloomproof/bloomproof/exact/fnr"
)

// replacedRat returns the value of Dozier-FN (6): the probability that a draw from q is none of i draws with
// replacement.
func replacedRat(q []*big.Rat, i int) *big.Rat {
	return sum(0, len(q)-1, func(j int) *big.Rat { return mul(q[j], pow(sub(whole(1), q[j]), i)) })
}

// within1 returns the total probability of the i most popular messages.
func within1(q []*big.Rat, i int) *big.Rat {
	return sum(0, min(i, len(q))-1, func(j int) *big.Rat { return q[j] })
}

// biuniforms is the domain of popularities in which s messages have weight high and D-s messages have weight low.
var biuniforms = domain{number("D", 2).by(5, 7).upTo(8), number("s", 1).below("D").by(3, 5).upTo(7), number("high", 1).by(4, 6).upTo(200), number("low", 1).under("high").by(2, 3).upTo(200)}

// twoClasses turns a law on bi-uniform popularities into a law on the points of biuniforms.
func twoClasses(law func(d, s int, ph, pl *big.Rat) error) func(p point) error {
	return func(p point) error {
		d, s, high, low := p.int(0), p.int(1), p.int(2), p.int(3)
		total := s*high + (d-s)*low
		return law(d, s, rat(high, total), rat(low, total))
	}
}

func twoClassList(d, s int, ph, pl *big.Rat) []*big.Rat {
	var q []*big.Rat
	for j := range d {
		if j < s {
			q = append(q, ph)
		} else {
			q = append(q, pl)
		}
	}
	return q
}

// powInt returns x^n for any n. If n < 0, x must not be 0.
func powInt(x *big.Rat, n int) *big.Rat {
	if n < 0 {
		return quo(whole(1), pow(x, -n))
	}
	return pow(x, n)
}

// eq8 and eq9 return Dozier-FN (8) and (9) in their printed forms.
func eq8(d, s, i int, ph, pl *big.Rat) *big.Rat {
	part := func(last, classes int, p *big.Rat) *big.Rat {
		return sum(0, last, func(l int) *big.Rat {
			return mul(mul(p, ichoose(classes, l)), mul(pow(ph, l), powInt(pl, i-1-l)))
		})
	}
	return add(
		mul(mul(whole(s), ph), sub(whole(1), part(i-1, s-1, ph))),
		mul(mul(whole(d-s), pl), sub(whole(1), part(i, s, pl))))
}

func eq9(d, s, i int, ph, pl *big.Rat) *big.Rat {
	return add(
		mul(whole(s), sum(0, i-1, func(l int) *big.Rat {
			return mul(ichoose(s-1, l), mul(pow(ph, l+2), powInt(pl, i-1-l)))
		})),
		mul(whole(d-s), sum(0, i, func(l int) *big.Rat {
			return mul(ichoose(s, l), mul(pow(ph, l), powInt(pl, i+1-l)))
		})))
}

// urns returns fhat[i] of the bi-uniform distribution: the probability that a repeat is none of i recorded messages. It
// follows the number of recorded messages that have the high popularity.
func urns(d, s, i int, ph, pl *big.Rat) *big.Rat {
	law := []*big.Rat{whole(1)} // the distribution of that number
	leaves := func(n, a int) (high, low *big.Rat) {
		return mul(whole(s-a), ph), mul(whole(d-s-n+a), pl)
	}
	for n := range i {
		next := make([]*big.Rat, n+2)
		for a := range next {
			next[a] = new(big.Rat)
		}
		for a, p := range law {
			if p.Sign() == 0 {
				continue
			}
			high, low := leaves(n, a)
			w := add(high, low)
			next[a+1].Add(next[a+1], quo(mul(p, high), w))
			next[a].Add(next[a], quo(mul(p, low), w))
		}
		law = next
	}
	return sum(0, i, func(a int) *big.Rat {
		if law[a].Sign() == 0 {
			return new(big.Rat)
		}
		high, low := leaves(i, a)
		return mul(law[a], add(high, low))
	})
}

// everyState returns the law that the printed form gives the true fhat[i], the probability that a repeat is none of i
// recorded messages, on biuniforms, for 0 <= i <= D.
func everyState(printed func(d, s, i int, ph, pl *big.Rat) *big.Rat) func(p point) error {
	return twoClasses(func(d, s int, ph, pl *big.Rat) error {
		q := twoClassList(d, s, ph, pl)
		for i := 0; i <= d; i++ {
			if err := same(printed(d, s, i, ph, pl), unseen(q, i)); err != nil {
				return fmt.Errorf("i=%d: %w", i, err)
			}
		}
		return nil
	})
}

// dominates returns the crossover point if the first sequence dominates the second, and 0 if it does not. To dominate,
// the first sequence must be at least as large up to the crossover point, and smaller after it.
func dominates(a, b []int) int {
	cross := 0
	for cross < len(a) && a[cross] >= b[cross] {
		cross++
	}
	for i := cross; i < len(a); i++ {
		if a[i] >= b[i] {
			return 0
		}
	}
	return cross
}

// upperLevel returns the number of weights that are larger than the last one, and 1 if there is none.
func upperLevel(w []int) int {
	return max(1, slices.Index(w, w[len(w)-1]))
}

// majorizes reports whether a majorizes b. This means that for each i, the sum of the first i weights of a is at least
// the sum of the first i weights of b. Neither list may increase.
func majorizes(a, b []int) bool {
	x, y := 0, 0
	for i := range a {
		x, y = x+a[i], y+b[i]
		if x < y {
			return false
		}
	}
	return true
}

// alwaysLess compares two popularities. It returns an error unless the following holds for every number i of recorded
// messages: the probability that a repeat is unrecorded is at most as large under the first as under the second.
func alwaysLess(a, b []int) error {
	p, q := popularity(a), popularity(b)
	for i := range a {
		if err := atMost(unseen(p, i), unseen(q, i)); err != nil {
			return fmt.Errorf("i=%d: %w", i, err)
		}
	}
	return nil
}

// holdsFew returns the false-negative rate of a filter of 24 bits that holds few messages. No message is new. Each of
// the given weights belongs to two messages.
func holdsFew(a []int) float64 {
	var weights []int
	for _, x := range a {
		weights = append(weights, x, x)
	}
	return newFNRFilter(24, 3, 4, false, false).run(newVisitors(weights, bloomproof.ArrivalPopularity, 1)).fnr
}

// uniformly returns the traffic w with all popularities made equal.
func (w visitors) uniformly(law bloomproof.Arrivals) visitors {
	u := visitors{repeat: w.repeat, zeta: w.zeta}
	for range w.q {
		u.q = append(u.q, 1/float64(len(w.q)))
	}
	if law == bloomproof.ArrivalPopularity {
		u.zeta = u.q
	}
	return u
}

// distinctDraws returns the mean number of distinct messages among l draws. It enumerates all sequences of draws.
func distinctDraws(q []*big.Rat, l int) *big.Rat {
	var total func(set, l int) *big.Rat
	total = func(set, l int) *big.Rat {
		if l == 0 {
			return whole(ones(set))
		}
		return sum(0, len(q)-1, func(j int) *big.Rat { return mul(q[j], total(set|1<<j, l-1)) })
	}
	return total(0, l)
}

// zipfVisitors returns Zipf traffic. The rank at which a new message enters has the same distribution Q as the ranks of
// repeats.
func zipfVisitors(alpha float64, d int, repeat float64) visitors {
	w := visitors{repeat: repeat}
	total := 0.0
	for j := range d {
		w.q = append(w.q, math.Pow(float64(j+1), -alpha))
		total += w.q[j]
	}
	for j := range d {
		w.q[j] /= total
	}
	w.zeta = w.q
	return w
}

// entering returns the traffic w with another distribution of the rank at which new messages enter.
func (w visitors) entering(law bloomproof.Arrivals) visitors {
	w.zeta = make([]float64, len(w.q))
	for j := range w.zeta {
		switch law {
		case bloomproof.ArrivalPopularity:
			w.zeta[j] = w.q[j]
		case bloomproof.ArrivalUniform:
			w.zeta[j] = 1 / float64(len(w.q))
		case bloomproof.ArrivalLast:
			w.zeta[j] = float64(count(j == len(w.q)-1))
		case bloomproof.ArrivalFirst:
			w.zeta[j] = float64(count(j == 0))
		}
	}
	return w
}

// weighing returns traffic of the given popularity without new messages.
func weighing(p bloomproof.Popularity) visitors {
	w := visitors{repeat: 1}
	for j := range p.D {
		w.q = append(w.q, p.Weight(j))
	}
	w.zeta = w.q
	return w
}

// certified returns the false-negative rate that package exact computes for a filter that does not retain, if all
// arrivals are repeats.
func (f fnrFilter) certified(q bloomproof.Popularity, rates func(c *exactfnr.System) (*exactfnr.Rates, error)) (float64, error) {
	x, err := f.known(bloomproof.Workload{Popularity: q, Repeat: 1}, rates)
	if err != nil {
		return 0, err
	}
	return x.FNR.Float64(), nil
}

// least returns a proven lower bound of the false-negative rate of a filter that does not retain, if some arrivals are
// new messages.
func (f fnrFilter) least(w bloomproof.Workload) (float64, error) {
	x, err := f.known(w, (*exactfnr.System).CycleBounds)
	if err != nil {
		return 0, err
	}
	least, _ := x.FNR.Lo().Float64()
	return least, nil
}

// known returns the rates that package exact computes for a filter that does not retain.
func (f fnrFilter) known(w bloomproof.Workload, rates func(c *exactfnr.System) (*exactfnr.Rates, error)) (*exactfnr.Rates, error) {
	c, err := exactfnr.New(bloomproof.Geometry{M: uint64(f.m), K: f.k}, bloomproof.Recycling{Sigma: uint64(f.sigma), FreshPositions: true}, w)
	if err != nil {
		return nil, err
	}
	return rates(c)
}

// groupsExactly and repeatsExactly return the certified false-negative rate. The first is fast, and needs a bi-uniform
// popularity. The second takes a minute, for any other popularity.
func (f fnrFilter) groupsExactly(q bloomproof.Popularity) (float64, error) {
	return f.certified(q, func(c *exactfnr.System) (*exactfnr.Rates, error) { return c.CycleRates(30, "groups") })
}

func (f fnrFilter) repeatsExactly(q bloomproof.Popularity) (float64, error) {
	return f.certified(q, func(c *exactfnr.System) (*exactfnr.Rates, error) { return c.CycleRates(30, "times") })
}

// twoLevels reports whether the list has at most two different weights.
func twoLevels(w []int) bool {
	last := w[len(w)-1]
	for _, x := range w {
		if x != w[0] && x != last {
			return false
		}
	}
	return true
}
