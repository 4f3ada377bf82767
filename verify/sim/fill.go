package sim

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// Fill simulates the runs of the plan. It returns the counts of each run, in the order of the runs. Each run repeats
// three steps. It fills a filter with n distinct items, looks up n + 64 other items, and clears the filter. The papers
// of Burns and of Fan give the rates of such filters. In the plan, one filling counts as a cycle. The inserted items
// and the look-ups count as arrivals.
//
// Domain: the geometry g is valid, with m <= 2^48, or m <= 2^34 when Ideal is set. The number n is at most 2^40. The
// plan has the same domain as for Run.
// Cost: 10 ns for each item and each look-up. This figure is for hashed positions, k = 7 and a filter that fits into
// the cache. If p.Ideal is set, the cost is about 10 ns for each position.
// Errors: *bloomproof.ParamError; ctx.Err() when ctx ends.
func Fill(ctx context.Context, g bloomproof.Geometry, n uint64, p Plan) ([]Tally, error) {
	return filling{Geometry: g, Items: n, Ideal: p.Ideal}.simulate(ctx, p)
}

// FillCounting is Fill with a counter of 32 bits in place of each bit. Items increment the counters by the given
// rule. FillCounting also counts how often an item's smallest counter has the right value (equation (25) of Fan).
//
// The counters are plain integers, at the positions of package kernel or at ideal positions. An item's count is its
// smallest counter, as in the paper by Fan. If increments are literal, kernel.CountingFilter finds the count more
// accurately. The reason is that it knows how often an item hits each of its counters.
//
// Domain: the same as for Fill, but with m <= 2^30. The increment must be one of the named constants of its type.
// Cost: about 20 ns for each position of an inserted item, and 10 ns for each position of an item that is looked up.
// Errors: as for Fill.
func FillCounting(ctx context.Context, g bloomproof.Geometry, n uint64, increment bloomproof.Increment, p Plan) ([]Tally, error) {
	return filling{Geometry: g, Items: n, Counting: true, Increment: increment, Ideal: p.Ideal}.simulate(ctx, p)
}

// The type "filling" describes one of the repeated fillings of a run. It says which filter is filled, and with how many
// items.
type filling struct {
	Geometry  bloomproof.Geometry
	Items     uint64
	Counting  bool
	Increment bloomproof.Increment
	Ideal     bool
}

func (s filling) simulate(ctx context.Context, p Plan) ([]Tally, error) {
	if err := p.validate(); err != nil {
		return nil, err
	}
	if err := s.validate(); err != nil {
		return nil, err
	}
	meter := &meter{report: p.Progress}
	return replicate(ctx, p, func(ctx context.Context, i int) (Tally, error) {
		vessel, err := s.vessel(stream(p.Seed, i, "positions"))
		if err != nil {
			return Tally{}, err
		}
		var t Tally
		step := func(n uint64) error { meter.add(n); return ctx.Err() }
		for {
			err := vessel.fill(s.Items, s.Items+64, &t, step)
			t.TrueNegatives = t.Arrivals - t.FalsePositives
			t.mistaken = t.FalsePositives // each probe arrives only once
			if err != nil {
				return t, err
			}
			t.Recycles++
			if p.Cycles > 0 && t.Recycles >= p.Cycles || p.Arrivals > 0 && t.Items+t.Arrivals >= p.share() {
				return t, nil
			}
		}
	})
}

func (s filling) validate() error {
	if err := s.Geometry.Validate(); err != nil {
		return err
	}
	if s.Increment > bloomproof.Literal {
		return &bloomproof.ParamError{Param: "increment", Value: s.Increment, Want: "one of distinct, literal"}
	}
	if s.Items > 1<<40 {
		return &bloomproof.ParamError{Param: "n", Value: s.Items, Want: "at most 2^40 items in a simulation"}
	}
	if s.Counting && s.Geometry.M > 1<<30 {
		return &bloomproof.ParamError{Param: "m", Value: s.Geometry.M, Want: "at most 2^30 counters in a simulation"}
	}
	return nil
}

// The type "vessel" represents a filter that can be filled. The method "fill" adds its counts to t. From time to time
// it calls the function "step" with the number of insertions and look-ups that it has processed. It stops if this
// function returns an error.
type vessel interface {
	fill(items, probes uint64, t *Tally, step func(uint64) error) error
}

func (s filling) vessel(rng *rand.ChaCha8) (vessel, error) {
	switch {
	case s.Ideal:
		f, err := newIdeal(s.Geometry, bloomproof.Recycling{}, 0, rng)
		if err != nil {
			return nil, err
		}
		if s.Counting {
			return &counters{s: s, values: make([]uint32, s.Geometry.M), drawn: f}, nil
		}
		return f, nil
	case s.Counting:
		f, err := kernel.New(bloomproof.Geometry{M: 1, K: 1}, kernel.Options{Seed: rng.Uint64()})
		if err != nil {
			return nil, err
		}
		return &counters{s: s, values: make([]uint32, s.Geometry.M), hash: f}, nil
	}
	f, err := kernel.New(s.Geometry, kernel.Options{Seed: rng.Uint64()})
	if err != nil {
		return nil, err
	}
	return &plain{Filter: f}, nil
}

// The type "plain" implements the interface "vessel" with a kernel.Filter. It uses the batch methods of this filter.
type plain struct {
	*kernel.Filter
	next  uint64
	keys  [batch]uint64
	found [batch]bool
}

func (f *plain) fill(items, probes uint64, t *Tally, step func(uint64) error) error {
	f.Clear()
	t.Items += items
	t.Arrivals += probes
	for left := items; left > 0; {
		n := f.draw(left)
		f.AddBatch(f.found[:0], kernel.KeysOf(f.keys[:n]))
		left -= n
		if err := step(n); err != nil {
			return err
		}
	}
	for left := probes; left > 0; {
		n := f.draw(left)
		f.ContainsBatch(f.found[:0], kernel.KeysOf(f.keys[:n]))
		for _, yes := range f.found[:n] {
			if yes {
				t.FalsePositives++
			}
		}
		left -= n
		if err := step(n); err != nil {
			return err
		}
	}
	return nil
}

// The method "draw" sets f.keys to the next keys, which were never used before. It returns their number, which is at
// most the argument "left".
func (f *plain) draw(left uint64) uint64 {
	n := min(left, batch)
	for i := range f.keys[:n] {
		f.keys[i] = f.next
		f.next++
	}
	return n
}

// The type "ideal" implements the interface "vessel" by the method "fill". This method uses only the bits of the ideal
// filter. The filter is cleared at the beginning and never recycled.
func (f *ideal) fill(items, probes uint64, t *Tally, step func(uint64) error) error {
	clear(f.active)
	t.Items += items
	t.Arrivals += probes
	message := arrival{Slot: noSlot, New: true}
	for i := range items + probes {
		pos := f.positions(message, 0)
		switch {
		case i < items:
			f.set(pos)
		case all(f.active, pos):
			t.FalsePositives++
		}
		if i%batch == batch-1 {
			if err := step(batch); err != nil {
				return err
			}
		}
	}
	return nil
}

// The type "counters" represents a filter with a plain counter in place of each bit. The positions of items come from
// the filter in the field "hash", or are drawn at random.
type counters struct {
	s      filling
	values []uint32
	hash   *kernel.Filter
	drawn  *ideal
	next   uint64 // the next key
	pos    []uint64
}

func (c *counters) fill(items, probes uint64, t *Tally, step func(uint64) error) error {
	clear(c.values)
	t.Items += items
	t.Arrivals += probes
	// The items are visited twice. If the positions of the items are drawn, the second visit uses the same random
	// numbers and so draws the same positions.
	key := c.next
	var again rand.ChaCha8
	if c.drawn != nil {
		again = *c.drawn.rng
	}
	for phase := range 2 {
		for i := range items {
			pos, err := c.positions()
			if err != nil {
				return err
			}
			if phase == 0 {
				c.add(pos)
			} else if c.least(pos) == 1 {
				t.Correct++
			}
			if i%batch == batch-1 {
				if err := step(batch / 2); err != nil {
					return err
				}
			}
		}
		if phase == 0 {
			if c.next = key; c.drawn != nil {
				*c.drawn.rng = again
			}
		}
	}
	for i := range probes {
		pos, err := c.positions()
		if err != nil {
			return err
		}
		if c.least(pos) > 0 {
			t.FalsePositives++
		}
		if i%batch == batch-1 {
			if err := step(batch); err != nil {
				return err
			}
		}
	}
	return nil
}

// The method "positions" returns the positions of the next item, hashed or drawn.
func (c *counters) positions() ([]uint64, error) {
	if c.drawn != nil {
		return c.drawn.positions(arrival{Slot: noSlot}, 0), nil
	}
	var key [8]byte
	binary.LittleEndian.PutUint64(key[:], c.next)
	c.next++
	var err error
	c.pos, err = kernel.AppendPositions(c.pos[:0], c.s.Geometry, c.hash.Hasher().Bytes(key[:]))
	return c.pos, err
}

// The method "add" increments the counters at the positions in pos. Several positions of an item may be equal. The rule
// of increments says whether their counter then grows by 1 or by the number of these positions.
func (c *counters) add(pos []uint64) {
	for j, p := range pos {
		if c.s.Increment == bloomproof.Distinct && slices.Contains(pos[:j], p) {
			continue
		}
		if c.values[p] < 1<<32-1 {
			c.values[p]++
		}
	}
}

func (c *counters) least(pos []uint64) uint32 {
	least := c.values[pos[0]]
	for _, p := range pos[1:] {
		least = min(least, c.values[p])
	}
	return least
}
