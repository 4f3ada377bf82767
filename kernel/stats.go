package kernel

import "iter"

// Stats are the figures of a filter at one moment, for monitoring. Package encoding/json encodes them, so expvar.Func
// can publish them. For other systems, such as Prometheus, the method All returns them as names and numbers. Each kind
// of filter has a method Stats. Its comment says which bits and keys the figures describe.
//
// Bits, Fill, Items and Rate are consistent with one another: they follow from the same set bits, even while other
// goroutines change the filter.
// Error: Fill is Bits/M, rounded once: its relative error is at most 2^-53. Items and Rate have the errors that the
// methods Items and Rate of a Filter or GrowingFilter state.
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

// All returns the names of the fields, as in JSON, with their values as float64. It leaves out Bounded, and also Items
// if Bounded is false. All values are exact, because M and Bytes are below 2^53.
func (s Stats) All() iter.Seq2[string, float64] {
	return func(yield func(string, float64) bool) {
		_ = yield("m", float64(s.M)) && yield("k", float64(s.K)) && yield("bits", float64(s.Bits)) && yield("fill", s.Fill) &&
			(!s.Bounded || yield("items", s.Items)) && yield("rate", s.Rate) && yield("bytes", float64(s.Bytes))
	}
}

// The method stats returns the figures of an array of the given number of words, in which b bits are set.
func (l *layout) stats(b uint64, rate float64, words int) Stats {
	s := Stats{M: l.g.M, K: l.g.K, Bits: b, Fill: float64(b) / float64(l.g.M), Rate: rate, Bytes: 8 * uint64(words)}
	s.Items, s.Bounded = l.itemsOf(b)
	return s
}

// Stats returns the filter's figures.
// Cost: the same as for Rate.
func (f *Filter) Stats() Stats {
	f.mustBeMade()
	return f.stats(f.bits, f.Rate(), len(f.words))
}

// Stats returns the filter's figures. Items estimates how many distinct keys are in the filter. The estimate assumes
// that every removed key was in the filter. Saturated has the number of saturated counters.
// Cost: the same as for Rate.
func (f *CountingFilter) Stats() Stats {
	mustBeMade(f.words)
	return f.stats(f.bits, f.Rate(), len(f.words))
}

// Stats returns the filter's figures. M, K, Bits, Fill and Items describe the active array. Rate and Bytes describe
// both arrays. Items estimates how many distinct messages are in the active array. State says more about the cycle.
// Cost: the same as for Rate.
func (f *RecyclingFilter) Stats() Stats {
	f.mustBeMade()
	return f.stats(f.active.bits, f.Rate(), len(f.pair)+len(f.active.words)+len(f.frozen.words))
}

// Stats returns the figures of all layers in use, except that K is the K of the open layer.
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

// Stats returns the filter's figures. Other goroutines may be adding keys at the same time. The figures then include
// some of the bits that they set, as the comment of ConcurrentFilter says for Bits.
// Cost: the same as for Rate.
func (f *ConcurrentFilter) Stats() Stats {
	f.f.mustBeMade()
	bits, rate := f.present()
	return f.f.stats(bits, rate, len(f.f.words))
}

// Stats returns the filter's figures at a moment between two observations. They are the same as for
// RecyclingFilter.Stats.
// Cost: the cost of State and of RecyclingFilter.Rate.
func (c *ConcurrentRecycling) Stats() (s Stats) {
	c.mustBeMade()
	c.alone(func() { s = c.f.Stats() })
	return s
}

// Stats returns the filter's figures. Bits is the number that the header of the file states. After an error (Err) Rate
// is 1.
// Cost: the same as for Rate.
func (m *MappedFilter) Stats() Stats {
	f := m.open()
	return f.stats(f.bits, m.Rate(), len(f.words))
}
