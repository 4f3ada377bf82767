package kernel

import "iter"

// Stats has numbers that describe the state of a filter at one moment, for monitoring. Package encoding/json can encode
// them, so expvar.Func can publish them. For other systems, such as Prometheus, the method All yields their names and
// values. Each type of filter has a method Stats, whose comment says which bits and keys the numbers describe.
//
// Bits, Fill, Items and Rate agree with one another: all four follow from the same set bits. This is so even if other
// goroutines change the filter at the same time.
// Error: Fill is Bits/M, rounded once, so its relative error is at most 2^-53. Items and Rate have the same errors as
// the methods Items and Rate of a Filter or GrowingFilter.
type Stats struct {
	M       uint64  `json:"m"`       // bits; in a CountingFilter counters
	K       int     `json:"k"`       // positions of a key
	Bits    uint64  `json:"bits"`    // set bits; in a CountingFilter counters that are not 0
	Fill    float64 `json:"fill"`    // Bits / M
	Items   float64 `json:"items"`   // estimated number of distinct keys, or 0 if the estimate has no bound
	Bounded bool    `json:"bounded"` // whether the estimate has a bound, as in Filter.Items
	Rate    float64 `json:"rate"`    // probability that a new key is contained, given the set bits
	Bytes   uint64  `json:"bytes"`   // memory of the bits or counters, or length of a MappedFilter's bits in its file
}

// All yields the name of each field, as in JSON, and its value as a float64. It leaves out the field Bounded. If
// Bounded is false, it also leaves out the field Items. All values are exact, because M and Bytes are below 2^53.
func (s Stats) All() iter.Seq2[string, float64] {
	return func(yield func(string, float64) bool) {
		_ = yield("m", float64(s.M)) && yield("k", float64(s.K)) && yield("bits", float64(s.Bits)) && yield("fill", s.Fill) &&
			(!s.Bounded || yield("items", s.Items)) && yield("rate", s.Rate) && yield("bytes", float64(s.Bytes))
	}
}

// The method "stats" returns the Stats of an array that has b set bits and the given number of words.
func (l *layout) stats(b uint64, rate float64, words int) Stats {
	s := Stats{M: l.g.M, K: l.g.K, Bits: b, Fill: float64(b) / float64(l.g.M), Rate: rate, Bytes: 8 * uint64(words)}
	s.Items, s.Bounded = l.itemsOf(b)
	return s
}

// Stats returns numbers that describe the filter.
// Cost: the same as for Rate.
func (f *Filter) Stats() Stats {
	f.mustBeMade()
	return f.stats(f.bits, f.Rate(), len(f.words))
}

// Stats returns numbers that describe the filter. Items estimates how many distinct keys are in the filter. The
// estimate is valid if Remove was called only for keys that were in the filter. The method Saturated returns the number
// of saturated counters.
// Cost: the same as for Rate.
func (f *CountingFilter) Stats() Stats {
	mustBeMade(f.words)
	return f.stats(f.bits, f.Rate(), len(f.words))
}

// Stats returns numbers that describe the filter. M, K, Bits, Fill and Items describe the active array. Rate and Bytes
// describe both arrays. Items estimates how many distinct messages are in the active array. The method State says more
// about the present cycle.
// Cost: the same as for Rate.
func (f *RecyclingFilter) Stats() Stats {
	f.mustBeMade()
	return f.stats(f.active.bits, f.Rate(), len(f.pair)+len(f.active.words)+len(f.frozen.words))
}

// Stats returns numbers that describe all layers in use. The field K, unlike the other numbers, describes only the open
// layer.
// Cost: the same as for Rate.
func (f *GrowingFilter) Stats() Stats {
	open, _ := f.open()
	s := Stats{K: open.g.K}
	for _, l := range f.layers {
		s.M += l.g.M
		s.Bits += l.bits
		s.Bytes += 8 * uint64(len(l.words))
	}
	s.Fill = float64(s.Bits) / float64(s.M)
	s.Items, s.Bounded, s.Rate = f.estimate()
	return s
}

// Stats returns numbers that describe the filter. Other goroutines may add keys during the call. The numbers then
// include some of the bits that these goroutines set. The comment of ConcurrentFilter says which of these bits are
// counted.
// Cost: the same as for Rate.
func (f *ConcurrentFilter) Stats() Stats {
	f.f.mustBeMade()
	bits, rate := f.present()
	return f.f.stats(bits, rate, len(f.f.words))
}

// Stats returns numbers that describe the filter between two observations. They are the same as for
// RecyclingFilter.Stats.
// Cost: the cost of State plus the cost of RecyclingFilter.Rate.
func (c *ConcurrentRecycling) Stats() (s Stats) {
	c.mustBeMade()
	c.alone(func() { s = c.f.Stats() })
	return s
}

// Stats returns numbers that describe the filter. Bits is the number of set bits that the header of the file states.
// Once Err returns an error, Rate is 1.
// Cost: the same as for Rate.
func (m *MappedFilter) Stats() Stats {
	f := m.open()
	return f.stats(f.bits, m.Rate(), len(f.words))
}
