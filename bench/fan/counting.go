package main

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/stat"
)

// countingK is the number k of positions in figures 13 and 14 of the paper.
const countingK = 6

// mostReads is the largest number of items whose counts are read at one point of a figure. If there are more items, the
// first ones are read.
const mostReads = 2_000_000

// The type correct is one point of figures 13 to 15. It has the number of items whose counts were correct in one
// filter, and the values of the formulas. The counters have 32 bits and do not saturate.
type correct struct {
	increment    bloomproof.Increment
	m, n         uint64
	k            int
	reads, right uint64
	low, high    float64
	exact        float64
	below, above float64 // the bounds of equation (26)
}

// The method counting measures all points of figures 13 to 15 for both rules of increment. It varies n, then m, then k,
// as the method rates does.
func (s *set) counting() ([]correct, error) {
	var out []correct
	for _, inc := range []bloomproof.Increment{bloomproof.Distinct, bloomproof.Literal} {
		add := func(m uint64, k int, ns ...uint64) error {
			points, err := s.measureCounts(inc, m, k, ns)
			out = append(out, points...)
			return err
		}
		var ns []uint64
		for tenths := uint64(1); tenths <= 10; tenths++ {
			ns = append(ns, s.items*tenths/10)
		}
		if err := add(s.m, countingK, ns...); err != nil {
			return nil, err
		}
		for tenths := uint64(5); tenths <= 15; tenths++ {
			if tenths == 10 { // the loop above has measured this point
				continue
			}
			if err := add(s.m/10*tenths, countingK, s.items/2); err != nil {
				return nil, err
			}
		}
		for k := leastK; k <= mostK; k++ {
			if k == countingK {
				continue
			}
			if err := add(s.m, k, s.items/2); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// measureCounts inserts items of the multiset, each as often as it occurs there. Whenever the number of inserted items
// reaches one of the numbers in ns, it reads the counts of items.
func (s *set) measureCounts(inc bloomproof.Increment, m uint64, k int, ns []uint64) ([]correct, error) {
	g := bloomproof.Geometry{M: m, K: k}
	f, err := kernel.NewCounting(g, 32, inc, kernel.Options{})
	if err != nil {
		return nil, err
	}
	var out []correct
	var answers []bool
	arrivals := make([]kernel.Hash, 0, chunk)
	insert := func() {
		answers = f.AddBatch(answers[:0], kernel.KeysOf(arrivals))
		arrivals = arrivals[:0]
	}
	have := uint64(0)
	for _, n := range ns {
		for ; have < n; have++ {
			h := s.hash(have)
			for range s.often(have) {
				if arrivals = append(arrivals, h); len(arrivals) == chunk {
					insert()
				}
			}
		}
		insert()
		c := correct{increment: inc, m: m, n: n, k: k, reads: min(n, mostReads)}
		for i := range c.reads {
			if count, _ := f.CountHash(s.hash(i)); count == s.often(i) {
				c.right++
			}
		}
		if c.low, c.high, err = stat.ClopperPearson(c.right, c.reads, confidence); err != nil {
			return nil, err
		}
		e, err := exact.CorrectRate(g, n, inc, 64)
		if err != nil {
			return nil, err
		}
		c.exact = e.Float64()
		below, above, err := exact.CorrectRateBounds(g, n, inc, 64)
		if err != nil {
			return nil, err
		}
		c.below, c.above = value(below), value(above)
		out = append(out, c)
	}
	return out, nil
}

func countingRows(points []correct) [][]string {
	rows := [][]string{{"increment", "m", "n", "k", "counts_read", "right", "correct_rate", "low_99", "high_99", "exact", "lower", "upper"}}
	for _, c := range points {
		row := []string{c.increment.String(), integer(c.m), integer(c.n), integer(uint64(c.k)), integer(c.reads), integer(c.right)}
		for _, x := range []float64{float64(c.right) / float64(c.reads), c.low, c.high, c.exact, c.below, c.above} {
			row = append(row, real(x))
		}
		rows = append(rows, row)
	}
	return rows
}
