package conform

import (
	"errors"
	"fmt"
	"slices"
)

// The type "programs" has the data of an examination about programs.
type programs struct {
	work       uint64 // the approximate number of look-ups and additions
	counted    [ops]bool
	emptyKnown bool // true if an empty filter contains nothing
	grounds    map[shapeOf]ground
	blamed     map[Law]bool
}

// Programs use filters of several shapes. An examination determines some facts about each shape. A value of the type
// "ground" holds these facts about one shape.
type ground struct {
	ok     bool
	differ bool // true if the subject really makes another shape for other()
	name   string
}

// The method "ground" returns what is known about the filters of a shape. The first call for a shape examines new
// filters to find this out.
func (x *examination) ground(s shapeOf) ground {
	if g, ok := x.programs.grounds[s]; ok {
		return g
	}
	g := ground{name: fmt.Sprintf("m=%d k=%d", s.m, s.k)}
	if s.n > 0 {
		g.name = fmt.Sprintf("of %d items at a rate of %g", s.n, s.rate)
	}
	if f, err := x.newFilter(s); err != nil {
		x.note("%s was refused: %v", g.name, err)
	} else if d, err := x.model(f, s.m, s.k); err != nil {
		x.note("%s is no model: %v", g.name, err)
	} else {
		g.ok = true
		if x.s.OwnRate == nil {
			g.name = d.String()
		}
		if other, err := x.newFilter(s.other()); err == nil {
			g.differ = true
			if x.s.Shape != nil {
				m, k := x.s.Shape(f)
				om, ok := x.s.Shape(other)
				g.differ = m != om || k != ok
			}
		}
	}
	x.programs.grounds[s] = g
	return g
}

// The variable programShapes lists the shapes of the filters in programs. Most are small. The size 1024 is a multiple
// of the size 64. No other size is a multiple of another one. One shape has at least 65,536 bits, and the last shape
// has more than 65,536 words.
var programShapes = []shapeOf{
	{m: 64, k: 3}, {m: 1000, k: 5}, {m: 1024, k: 4}, {m: 129, k: 1}, {m: 4093, k: 20}, {m: 70001, k: 7}, {m: 5000011, k: 7},
}

// The variable programShapes is a list of shapes. The method programShapes returns the shapes of this list that the
// subject can make. The last one is large.
func (x *examination) programShapes() (all []shapeOf) {
	take := func(s shapeOf) {
		if !slices.Contains(all, s) && x.ground(s).ok {
			all = append(all, s)
		}
	}
	if x.hasNew() {
		for _, s := range programShapes {
			s.m = x.rounded(s.m, s.k)
			if k := x.nearest(s.k); !x.ground(s).ok && k != s.k {
				s.m, s.k = x.rounded(s.m, k), k
			}
			take(s)
		}
	}
	for _, g := range x.o.Shapes {
		if len(all) == 0 && x.hasNew() {
			take(shapeOf{m: x.rounded(g.M, g.K), k: g.K})
		}
	}
	if !x.hasNew() {
		for _, n := range []uint64{10, 100, 1000, 10000, 500000} {
			take(shapeOf{n: n, rate: 0.01})
		}
	}
	return all
}

// hasNew reports whether filters are made by New. Otherwise they are made by Make.
func (x *examination) hasNew() bool {
	_, err := x.s.New(64, 3)
	return !errors.Is(err, errNoNew)
}

// The method "begin" initialises the data about programs.
func (x *examination) begin() {
	x.programs = programs{grounds: map[shapeOf]ground{}, blamed: map[Law]bool{}}
}

// The method "learn" finds out whether snapshots and estimates change when a key is added again. They do so in counting
// filters. In this case filters with the same bits may have different snapshots and estimates.
func (x *examination) learn(s shapeOf) {
	p := &program{shape: s}
	r := x.runner(p)
	var pair [2]filter
	for i := range pair {
		f, err := r.anew(false)
		if err != nil {
			return
		}
		for range 1 + i {
			x.s.Add(f, r.key(0))
		}
		pair[i] = f
	}
	x.programs.emptyKnown = x.s.OwnRate == nil
	if x.s.OwnRate != nil {
		if f, err := x.newFilter(s); err == nil {
			x.programs.emptyKnown = x.s.OwnRate(f, 0) == 0
		}
	}
	if x.s.Items != nil {
		x.programs.counted[opItems] = !equal(x.s.Items(pair[0]), x.s.Items(pair[1]))
	}
	if x.s.Rate != nil {
		x.programs.counted[opRate] = !equal(x.s.Rate(pair[0]), x.s.Rate(pair[1]))
	}
	if x.s.Marshal != nil {
		a, _ := x.s.Marshal(pair[0])
		b, _ := x.s.Marshal(pair[1])
		x.programs.counted[opMarshal] = !slices.Equal(a, b)
	}
}
