package states

import (
	"math"
	"math/bits"
)

func counts() []Fault {
	// After a call of the function "count", the function Bits returns the value of a counter. The function "add" adds a
	// key. It returns the number that is added to the counter.
	count := func(s *subject, add func(f *Filter, key []byte) uint64) {
		s.Add = func(f *Filter, key []byte) { f.bits += add(f, key) }
		singly(s)
		alone(s)
		s.Bits = func(f *Filter) uint64 { return f.bits }
		after(s, onUnion|onIntersect|onReset|onRead, func(f *Filter) { f.bits = f.ones() })
	}
	return []Fault{
		fault("count", "the count of bits counts a new bit as often as the key has it", func(s *subject) {
			count(s, func(f *Filter, key []byte) (n uint64) {
				for _, p := range f.positions(key) {
					if !f.has(p) {
						n++
					}
				}
				f.add(key)
				return n
			})
		}),
		fault("count", "an intersection leaves the running count of bits", func(s *subject) {
			intersect := s.Intersect
			count(s, func(f *Filter, key []byte) (n uint64) {
				for _, p := range f.positions(key) {
					if !f.set(p) {
						n++
					}
				}
				return n
			})
			s.Intersect = intersect
		}),
		fault("count", "a full piece of 65,536 bits counts as 0", func(s *subject) {
			s.Bits = func(f *Filter) (n uint64) {
				var piece uint16
				for i, w := range f.words {
					if i%1024 == 0 {
						n, piece = n+uint64(piece), 0
					}
					piece += uint16(bits.OnesCount64(w))
				}
				return n + uint64(piece)
			}
		}),
		fault("count", "above 2^20 bits the count is that of every 16th word, times 16", func(s *subject) {
			s.Bits = func(f *Filter) (n uint64) {
				if f.m <= 1<<20 {
					return f.ones()
				}
				for i := 0; i < len(f.words); i += 16 {
					n += 16 * uint64(bits.OnesCount64(f.words[i]))
				}
				return min(n, f.m)
			}
		}),
		fault("count", "a union adds the counts of bits", func(s *subject) {
			union := s.Union
			count(s, func(f *Filter, key []byte) (n uint64) {
				for _, p := range f.positions(key) {
					if !f.set(p) {
						n++
					}
				}
				return n
			})
			s.Union = func(f, g *Filter) error {
				sum := f.bits + g.bits
				if err := union(f, g); err != nil {
					return err
				}
				f.bits = min(sum, f.m)
				return nil
			}
		}),
	}
}

func estimates() []Fault {
	// The function "number" replaces the method Items. The new method returns the number of additions. The argument c
	// is a set of kinds of calls. After a call of such a kind, the method returns an estimate instead.
	number := func(s *subject, c calls) {
		alone(s)
		s.Items = func(f *Filter) float64 { return f.value }
		after(s, onAdd|onTest, func(f *Filter) { f.value++ })
		after(s, c, func(f *Filter) { f.value = f.estimate() })
	}
	const others = onBatch | onUnion | onIntersect | onReset | onRead
	return []Fault{
		fault("items", "the number of items does not count a batch", func(s *subject) {
			number(s, others&^onBatch)
		}),
		fault("items", "a union leaves the number of items", func(s *subject) {
			number(s, others&^onUnion)
		}),
		fault("items", "a snapshot that is read leaves the number of items", func(s *subject) {
			number(s, others&^onRead)
		}),
		fault("items", "the number of items is estimated from 16 bits of the count", func(s *subject) {
			s.Items = func(f *Filter) float64 {
				return estimateItems(f.m, f.k, uint64(uint16(f.ones())))
			}
		}),
		fault("items", "the number of items is estimated with m rounded up to whole words", func(s *subject) {
			s.Items = func(f *Filter) float64 {
				return estimateItems(wordsFor(f.m)*64, f.k, f.ones())
			}
		}),
		fault("rate", "above 2^20 bits the rate follows the number of calls", func(s *subject) {
			alone(s)
			rate := s.Rate
			after(s, onAdd|onTest, func(f *Filter) { f.items++ })
			after(s, others, func(f *Filter) { f.items = uint64(math.Round(min(f.estimate(), 1<<40))) })
			s.Rate = func(f *Filter) float64 {
				if f.m <= 1<<20 {
					return rate(f)
				}
				return rateFor(f.m, f.k, f.items)
			}
		}),
		fault("rate", "TestAndAdd leaves the remembered rate", func(s *subject) {
			alone(s)
			rate := s.Rate
			s.Rate = func(f *Filter) float64 {
				if !f.known {
					f.known, f.value = true, rate(f)
				}
				return f.value
			}
			after(s, onAny&^onTest, forget)
		}),
		fault("rate", "the rate has 32 bits on its way, and is 0 below 1e-45", func(s *subject) {
			s.Rate = func(f *Filter) float64 {
				fill := float32(f.ones()) / float32(f.m)
				rate := float32(1)
				for range f.k {
					rate *= fill
				}
				return float64(rate)
			}
		}),
		fault("rate", "above 2^20 bits the rate to expect has 1-1/m in 32 bits", func(s *subject) {
			s.RateFor = func(m uint64, k int, n uint64) float64 {
				if m <= 1<<20 {
					return rateFor(m, k, n)
				}
				empty := math.Pow(float64(float32(1-1/float64(m))), float64(n)*float64(k))
				return math.Pow(1-empty, float64(k))
			}
		}),
		fault("size", "the k that is advised is rounded down", func(s *subject) {
			s.Size = func(n uint64, rate float64) (m uint64, k int) {
				m = uint64(math.Ceil(float64(n) * -math.Log(rate) / (math.Ln2 * math.Ln2)))
				m = max(m, 1)
				return m, min(max(int(float64(m)/float64(max(n, 1))*math.Ln2), 1), mostPositions)
			}
		}),
		fault("size", "above 2^20 bits the m that is advised is a power of two", func(s *subject) {
			s.Size = func(n uint64, rate float64) (m uint64, k int) {
				if m, k = size(n, rate); m > 1<<20 && m < 1<<63 {
					m = 1 << bits.Len64(m-1)
				}
				return m, k
			}
		}),
		fault("size", "the k that is advised is at most 16, and the m is not that of 16", func(s *subject) {
			s.Size = func(n uint64, rate float64) (m uint64, k int) {
				m, k = size(n, rate)
				return m, min(k, 16)
			}
		}),
	}
}
