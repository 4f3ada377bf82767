package conform

import (
	"errors"
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
)

// leastItems are the numbers of items that a subject's own sizing is asked for in turn, until it
// takes one: libraries refuse fewer than they were made for.
var leastItems = []uint64{1, 10, 100, 1000, 10000}

// order is what Make is asked for.
type order struct {
	items uint64
	rate  float64
}

// fresh returns a new filter of m bits and k positions. Where there is no New it is the one that
// Make sizes for a filter that has half of its bits set, m ln 2/k items at a rate of 2^-k, or for
// the fewest items that Make takes; Shape tells what it became. A shape that came of an order
// comes of the same again.
func (x *examination) fresh(m uint64, k int) (filter, error) {
	f, err := x.s.New(m, k)
	if !errors.Is(err, errNoNew) {
		return f, err
	}
	if o, ok := x.ordered[bloomproof.Geometry{M: m, K: k}]; ok {
		return x.s.Make(o.items, o.rate)
	}
	o := order{max(1, uint64(float64(m)*math.Ln2/float64(k))), math.Ldexp(1, -k)}
	if x.s.OwnRate != nil {
		o.items = m
	}
	f, err = x.s.Make(o.items, o.rate)
	if err != nil {
		err = fmt.Errorf("%d items at a rate of %.3g: %w", o.items, o.rate, err)
	}
	for _, items := range leastItems {
		if err != nil && items > o.items {
			if g, e := x.s.Make(items, o.rate); e == nil {
				f, err, o.items = g, nil, items
			}
		}
	}
	if err == nil && x.s.Shape != nil {
		x.remember(f, o)
	}
	return f, err
}

// remember notes what was ordered to get the shape of f.
func (x *examination) remember(f filter, o order) {
	m, k := x.s.Shape(f)
	if x.ordered == nil {
		x.ordered = map[bloomproof.Geometry]order{}
	}
	if shape := (bloomproof.Geometry{M: m, K: k}); x.ordered[shape].items == 0 {
		x.ordered[shape] = o
	}
}
