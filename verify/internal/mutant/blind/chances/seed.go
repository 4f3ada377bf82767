package chances

import (
	"encoding/binary"
	"math/rand/v2"
	"sync/atomic"

	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind/xxh3"
)

// processSeed is a random seed that differs from process to process.
var processSeed = rand.Uint64()

// One of the faults needs a count of the filters that were made with it. This count is in the variable "filters".
var filters atomic.Uint64

func seededPlaces(f *Filter, key []byte) (p places) {
	h := xxh3.Hash128Seed(key, f.seed)
	for i := range f.k {
		p[i] = reduce(word(h, i), f.m)
	}
	return p
}

// In the filter that the function "seeded" returns, the positions depend on a seed. For each new filter, the function
// New calls the function "seed" to draw this seed.
func seeded(seed func() uint64) conform.Subject[*Filter] {
	return made(placed(Sound(), seededPlaces), func(f *Filter) { f.seed = seed() })
}

// marshalSeed returns the result of "marshal", followed by the seed and a second checksum.
func marshalSeed(f *Filter) ([]byte, error) {
	b, err := marshal(f)
	b = binary.LittleEndian.AppendUint64(b, f.seed)
	return binary.LittleEndian.AppendUint64(b, xxh3.Hash(b)), err
}

func unmarshalSeed(f *Filter, b []byte) error {
	n := len(b) - 16
	if n < 0 || binary.LittleEndian.Uint64(b[n+8:]) != xxh3.Hash(b[:n+8]) {
		return errCorrupt
	}
	if err := unmarshal(f, b[:n]); err != nil {
		return err
	}
	f.seed = binary.LittleEndian.Uint64(b[n:])
	return nil
}

func seedFaults() []Fault {
	return []Fault{
		{"the seed is drawn when the process starts and is absent from the snapshot: another process must read it", "seed, two processes",
			seeded(func() uint64 { return processSeed })},
		{"each filter draws a seed, which union does not compare", "seed", func() conform.Subject[*Filter] {
			s := seeded(rand.Uint64)
			s.Marshal, s.Unmarshal, s.Intersect = marshalSeed, unmarshalSeed, nil
			return s
		}()},
		{"each filter draws a seed, which intersection does not compare", "seed", func() conform.Subject[*Filter] {
			s := seeded(rand.Uint64)
			s.Marshal, s.Unmarshal, s.Union = marshalSeed, unmarshalSeed, nil
			return s
		}()},
		{"each filter draws a seed, which is absent from the snapshot", "seed", func() conform.Subject[*Filter] {
			s := seeded(rand.Uint64)
			s.Union, s.Intersect = nil, nil
			return s
		}()},
		{"the seed changes with each eighth filter, which union does not see", "seed",
			seeded(func() uint64 { return filters.Add(1) / 8 })},
		{"a reset filter takes a new seed, which is absent from the snapshot", "seed", func() conform.Subject[*Filter] {
			s := seeded(func() uint64 { return 0 })
			s.Reset = func(f *Filter) {
				clear(f.words)
				f.seed = mix(f.seed + golden)
			}
			s.Union, s.Intersect, s.Words = nil, nil, nil
			return s
		}()},
		{"a reset filter takes a new seed, which union does not compare", "seed", func() conform.Subject[*Filter] {
			s := seeded(func() uint64 { return 0 })
			s.Reset = func(f *Filter) {
				clear(f.words)
				f.seed = mix(f.seed + golden)
			}
			s.Marshal, s.Unmarshal = marshalSeed, unmarshalSeed
			return s
		}()},
		{"the first key sets the seed, and a union into an empty filter does not", "seed", func() conform.Subject[*Filter] {
			s := seeded(func() uint64 { return 0 })
			s.Add = func(f *Filter, key []byte) {
				atomic.StoreUint64(&f.seed, 1)
				add(f, key)
			}
			s.AddBatch, s.TestAndAdd = nil, nil
			s.Reset = func(f *Filter) {
				clear(f.words)
				f.seed = 0
			}
			s.Marshal, s.Unmarshal = marshalSeed, unmarshalSeed
			return s
		}()},
		{"the seed is the number of words, and a snapshot of another length does not change it", "seed",
			made(placed(Sound(), seededPlaces), func(f *Filter) { f.seed = uint64(len(f.words)) })},
	}
}
