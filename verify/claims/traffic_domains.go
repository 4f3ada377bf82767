package claims

import (
	"fmt"
	"math/big"
	"math/rand"
	"slices"

	"github.com/bloomproof/bloomproof"
)

// These are the domains of filters under traffic that repeats.

// someTraffic has the popularities of tiny traffic, in which two or more messages can repeat.
var someTraffic = listsOf(2, []int{2, 2, 1, 0}, []int{4, 4, 4, 3}, 8)

// arrivalLaws is the choice of the rank at which new messages enter.
var arrivalLaws = either("arrivals", "arrivals equal to Q", "uniform arrivals", "arrivals last", "arrivals first")

// fnrFilters are filters under traffic that repeats. They have one array and fresh positions. Tiny filters are visited
// one by one. The attack reaches larger filters, other popularities and other shares of repeats.
var fnrFilters = domain{
	number("m", 2).by(4, 8).upTo(64), number("k", 1).by(2, 3).upTo(5), number("sigma", 1).below("m").by(2, 6).upTo(20),
	someTraffic.variable("every Q"), arrivalLaws,
	between("p_r", 0, 1).less().at(3, 0.25, 0.5, 0.9).tried(1e-6, 1-1e-6),
}

// These constants are places among the variables of fnrFilters: the place of the arrivals, and the place of the
// probability p_r of a repeat.
const (
	placeOfArrivals = 4
	placeOfRepeat   = 5
)

// fnrFiltersOf returns the part of fnrFilters in which the filters retain, or the part in which they do not.
func fnrFiltersOf(retain bool) domain { return retaining(fnrFilters, retain) }

func retaining(d domain, retain bool) domain {
	d = with(d, retains.only(int64(count(retain))))
	if retain {
		d = with(d, where("k <= sigma", "k sigma", func(x point) bool { return x[0] <= x[1] }))
	}
	return d
}

// arriving restricts a domain such as fnrFilters to the given kinds of arrivals.
func arriving(d domain, kinds ...bloomproof.Arrivals) domain {
	var codes []int64
	for _, k := range kinds {
		codes = append(codes, int64(k))
	}
	d = slices.Clone(d)
	d[placeOfArrivals] = arrivalLaws.only(codes...)
	return d
}

// tinyRepeats are the filters of fnrFilters that do not retain, under traffic without new messages.
var tinyRepeats = func() domain {
	d := arriving(fnrFiltersOf(false), bloomproof.ArrivalPopularity)
	d[placeOfRepeat] = between("p_r", 1, 1).at(1, 1)
	return d
}()

// tinyPoint returns the point of fnrFilters that is the first counterexample to many claims.
func tinyPoint(arrivals bloomproof.Arrivals, weights ...int) point {
	return point{2, 1, 1, someTraffic.code(weights...), int64(arrivals), codeOf(0.25)}
}

// fnrLaw turns a law on a filter and its traffic into a law on the points of fnrFilters.
func fnrLaw(distinct, retain bool, law func(f fnrFilter, w visitors) error) func(p point) error {
	return func(p point) error {
		if !bitBounded(p.int(0), p.int(1), p.int(2), distinct, retain).valid() {
			return errOutside
		}
		return law(newFNRFilter(p.int(0), p.int(1), p.int(2), distinct, retain), newVisitors(someTraffic.weights(p[3]), bloomproof.Arrivals(p.int(4)), p.real(5)))
	}
}

// steppedTraffic returns lists of weights that fall by a constant step until they reach 1.
func steppedTraffic(quick, full, steps, heaviest, most int) *popularities {
	q := &popularities{most: most}
	for d := quick; d <= full; d++ {
		for w := 1; w <= heaviest; w++ {
			for step := 0; step <= steps; step++ {
				if step > 0 && w == 1 {
					continue
				}
				var weights []int
				for j := range d {
					weights = append(weights, max(1, w-step*j))
				}
				if d == quick {
					q.quick = append(q.quick, int64(len(q.table)))
				}
				q.table = append(q.table, weights)
			}
		}
	}
	return q
}

// manyMessages and sixMessages are made by steppedTraffic.
var (
	manyMessages = steppedTraffic(7, 9, 3, 9, 9)
	sixMessages  = steppedTraffic(6, 6, 1, 6, 7)
)

// lasting is the largest probability that a cycle never ends, for filters without new messages whose cycles count as
// ending. It is below slack.
const lasting = 1e-10

// endingCycles are filters whose cycles end although no new messages arrive.
func endingCycles(q *popularities, retain bool) domain {
	d := domain{
		number("m", 2).among(1, 24, 25, 26, 27, 28, 29, 30, 31, 32).upTo(64), number("k", 1).among(1, 3, 4).upTo(5),
		number("sigma", 1).below("m").among(4, 3, 4, 5, 6, 7, 8).upTo(12), q.variable("every Q"), between("p_r", 1, 1).at(1, 1),
		where("cycles end", "m k sigma Q", func(x point) bool {
			f := newFNRFilter(x.int(0), x.int(1), x.int(2), false, retain)
			return f.endless(newVisitors(q.weights(x[3]), bloomproof.ArrivalPopularity, 1)) <= lasting
		}),
	}
	return retaining(d, retain)
}

// repeatsOnly turns a law on a filter and its traffic into a law on the points of endingCycles.
func repeatsOnly(q *popularities, retain bool, law func(f fnrFilter, w visitors) error) func(p point) error {
	return func(p point) error {
		return law(newFNRFilter(p.int(0), p.int(1), p.int(2), false, retain), newVisitors(q.weights(p[3]), bloomproof.ArrivalPopularity, 1))
	}
}

// fewWeights are popularities of up to 5 messages. So few messages allow rational arithmetic.
var fewWeights = listsOf(1, []int{4, 3, 3, 2, 1}, []int{6, 5, 5, 4, 3}, 6)

// states are pairs of a popularity and a number i of recorded messages. The condition messagesFit demands that i is at
// most the number of messages.
var (
	states      = domain{fewWeights.variable("every Q"), number("i", 0).by(5, 6).upTo(8)}
	messagesFit = where("i <= D", "Q i", func(x point) bool { return x.int(1) <= len(fewWeights.weights(x[0])) })
)

// weighted turns a law on popularities into a law on points, and inState does so for a law on states.
func weighted(law func(q []*big.Rat) error) func(p point) error {
	return func(p point) error { return law(popularity(fewWeights.weights(p[0]))) }
}

func inState(law func(q []*big.Rat, i int) error) func(p point) error {
	return func(p point) error { return law(popularity(fewWeights.weights(p[0])), p.int(1)) }
}

// pairLists are pairs of non-increasing lists of weights with the same sum. The table has all pairs of lists of up to
// four weights. Codes beyond the table stand for random lists of 3 to 5 weights. In such a pair, the second list is the
// first list after weight was moved between its messages.
type pairLists struct {
	table [][2][]int
	quick []int64
}

// pairsOf returns the pairs of lists whose sum is at most full. A check at quick effort visits the pairs whose sum is
// at most quick.
func pairsOf(quick, full int) *pairLists {
	l := &pairLists{}
	for total := 3; total <= full; total++ {
		var lists [][]int
		for a := 1; a <= total; a++ {
			for b := 1; b <= a; b++ {
				for c := 0; c <= b; c++ {
					if d := total - a - b - c; d >= 0 && d <= c {
						lists = append(lists, []int{a, b, c, d})
					}
				}
			}
		}
		for _, q := range lists {
			for _, x := range lists {
				if total <= quick {
					l.quick = append(l.quick, int64(len(l.table)))
				}
				l.table = append(l.table, [2][]int{q, x})
			}
		}
	}
	return l
}

// of returns the pair of lists that a code stands for.
func (l *pairLists) of(code int64) (q, x []int) {
	if code < int64(len(l.table)) {
		return l.table[code][0], l.table[code][1]
	}
	rnd := rand.New(rand.NewSource(code))
	const longest, heaviest = 5, 60
	d := 3 + rnd.Intn(longest-2)
	q = make([]int, d)
	for j := range q {
		q[j] = 1 + rnd.Intn(heaviest)
	}
	descend := func(w []int) {
		slices.Sort(w)
		slices.Reverse(w)
	}
	descend(q)
	x = slices.Clone(q)
	for range 1 + rnd.Intn(2*d) {
		i, j := rnd.Intn(d), rnd.Intn(d)
		if i == j {
			continue
		}
		if i > j {
			i, j = j, i
		}
		moved := rnd.Intn(x[i] - x[j] + 1)
		if rnd.Intn(4) == 0 {
			moved = rnd.Intn(x[j]+1) - x[j] // negative: weight moves up the list
		}
		x[i], x[j] = x[i]-moved, x[j]+moved
		descend(x)
	}
	return q, x
}

// code returns the code of a pair that is in the table.
func (l *pairLists) code(q, x []int) int64 {
	return int64(slices.IndexFunc(l.table, func(p [2][]int) bool { return slices.Equal(p[0], q) && slices.Equal(p[1], x) }))
}

func (l *pairLists) variable(words string) variable {
	return listed("pair", words, func(code int64) string {
		q, x := l.of(code)
		return fmt.Sprintf("%v and %v", q, x)
	}, l.quick, codes(len(l.table)), int64(len(l.table)+generatedCodes-1))
}

// somePairs are the pairs of lists of weights that the claims use.
var somePairs = pairsOf(8, 14)

// ofPairs is the domain of the pairs that meet a condition.
func ofPairs(words string, holds func(q, x []int) bool) domain {
	return domain{somePairs.variable(""), where(words, "pair", func(p point) bool { return holds(somePairs.of(p[0])) })}
}

// pair turns a law on pairs into a law on points.
func pair(law func(q, x []int) error) func(p point) error {
	return func(p point) error { return law(somePairs.of(p[0])) }
}
