package main

import (
	"encoding/binary"
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel/compat/bip37"
	"github.com/bloomproof/bloomproof/kernel/compat/guava"
	"github.com/bloomproof/bloomproof/kernel/compat/redisbloom"
	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/like"
)

// compatFilter is a filter of this module with the positions and the serial form of another library.
type compatFilter[F any] interface {
	Geometry() bloomproof.Geometry
	Add(key []byte) bool
	Contains(key []byte) bool
	AddBatch(dst []bool, keys [][]byte) []bool
	ContainsBatch(dst []bool, keys [][]byte) []bool
	Bits() uint64
	Union(F) error
	Clear()
	Items() (float64, bool)
	Rate() float64
	MarshalBinary() ([]byte, error)
	UnmarshalBinary([]byte) error
}

// compat returns the subject for a filter of package kernel/compat. The rule in package verify/like determines m and k
// of the filter.
func compat[F compatFilter[F]](name string, make func(m uint64, k int) (F, error)) conform.Subject[F] {
	library, err := like.Find(name)
	if err != nil {
		panic(err)
	}
	return conform.Subject[F]{
		New: make,
		Size: func(n uint64, rate float64) (uint64, int) {
			m, k, ok := library.Own(n, rate)
			if _, err := make(m, k); !ok || err != nil {
				return 0, 0
			}
			return m, k
		},
		Shape: func(f F) (uint64, int) {
			g := f.Geometry()
			return g.M, g.K
		},
		Add:             func(f F, key []byte) { f.Add(key) },
		Contains:        F.Contains,
		AddBatch:        func(f F, keys [][]byte) { f.AddBatch(nil, keys) },
		ContainsBatch:   func(f F, keys [][]byte) []bool { return f.ContainsBatch(nil, keys) },
		TestAndAdd:      func(f F, key []byte) bool { return !f.Add(key) }, // no bit was new
		Bits:            F.Bits,
		Union:           F.Union,
		Reset:           F.Clear,
		Items:           func(f F) float64 { return bounded(f.Items()) },
		Rate:            F.Rate,
		Marshal:         F.MarshalBinary,
		Unmarshal:       F.UnmarshalBinary,
		ConcurrentReads: true,
	}
}

// bounded returns an estimate of a number of keys, or +Inf if the estimate is unbounded.
func bounded(n float64, ok bool) float64 {
	if !ok {
		return math.Inf(1)
	}
	return n
}

func guavaOfOurs() conform.Subject[*guava.Filter] {
	s := compat("guava", func(m uint64, k int) (*guava.Filter, error) { return guava.New((m+63)/64*64, k, guava.Mitz64) })
	s.Words = func(f *guava.Filter) []uint64 {
		data, _ := f.MarshalBinary() // never fails
		out := make([]uint64, f.Geometry().M/64)
		for i := range out {
			out[i] = binary.BigEndian.Uint64(data[len(data)-8*(len(out)-i):])
		}
		return out
	}
	return s
}

func bip37OfOurs() conform.Subject[*bip37.Filter] {
	const trailer = 4 + 4 + 1 // k, tweak, flags
	s := compat("bip37", func(m uint64, k int) (*bip37.Filter, error) {
		return bip37.New((m+7)/8*8, k, btcTweak, bip37.UpdateNone)
	})
	s.Words = func(f *bip37.Filter) []uint64 {
		data, _ := f.MarshalBinary() // never fails
		data = data[:len(data)-trailer]
		return words(data[len(data)-int(f.Geometry().M/8):])
	}
	return s
}

// expansion is the default of the option EXPANSION of the RedisBloom server. Each layer of a filter is larger than the
// preceding layer by this factor.
const expansion = 2

// redisBloomOfOurs returns a subject with a declared rate. This rate follows from the rates of the layers, each of
// which is computed as for a standard filter.
func redisBloomOfOurs() conform.Subject[*redisbloom.Filter] {
	return conform.Subject[*redisbloom.Filter]{
		Make: func(n uint64, rate float64) (*redisbloom.Filter, error) { return redisbloom.New(n, rate, expansion) },
		OwnRate: func(f *redisbloom.Filter, n uint64) float64 {
			logMissed := 0.0
			for _, l := range f.Layers() {
				m, k, taken := float64(l.Geometry.M), float64(l.Geometry.K), min(n, l.Capacity)
				logMissed += math.Log1p(-math.Pow(-math.Expm1(k*float64(taken)*math.Log1p(-1/m)), k))
				n -= taken
			}
			return -math.Expm1(logMissed)
		},
		Add: func(f *redisbloom.Filter, key []byte) {
			if _, err := f.Add(key); err != nil {
				panic(err)
			}
		},
		Contains: (*redisbloom.Filter).Contains,
		AddBatch: func(f *redisbloom.Filter, keys [][]byte) {
			if _, err := f.AddBatch(nil, keys); err != nil {
				panic(err)
			}
		},
		ContainsBatch: func(f *redisbloom.Filter, keys [][]byte) []bool { return f.ContainsBatch(nil, keys) },
		TestAndAdd: func(f *redisbloom.Filter, key []byte) bool {
			fresh, err := f.Add(key)
			if err != nil {
				panic(err)
			}
			return !fresh
		},
		Items:           func(f *redisbloom.Filter) float64 { return bounded(f.Items()) },
		Rate:            (*redisbloom.Filter).Rate,
		ConcurrentReads: true,
	}
}
