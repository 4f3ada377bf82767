package verify_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel/compat/bip37"
	"github.com/bloomproof/bloomproof/kernel/compat/guava"
	"github.com/bloomproof/bloomproof/kernel/compat/parquet"
	"github.com/bloomproof/bloomproof/kernel/compat/redisbloom"
	"github.com/bloomproof/bloomproof/verify"
	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// compatible is what the filters of other libraries have in common.
type compatible[F any] interface {
	Geometry() bloomproof.Geometry
	Add(key []byte) bool
	Contains(key []byte) bool
	AddBatch(dst []bool, keys [][]byte) []bool
	ContainsBatch(dst []bool, keys [][]byte) []bool
	Bits() uint64
	Union(F) error
	Clear()
	Rate() float64
	Items() (float64, bool)
	MarshalBinary() ([]byte, error)
	UnmarshalBinary([]byte) error
}

// conforms holds filters of another library to the laws, in shapes that they have, but for what files without
// checksums cannot keep, and for the laws that double hashing breaks in small filters: a key's positions are an
// arithmetic progression.
func conforms[F compatible[F]](t *testing.T, name string, double bool, make func(m uint64, k int) (F, error), shapes ...bloomproof.Geometry) {
	t.Run(name, func(t *testing.T) {
		all := conform.Laws()
		if name == "guava-32" && !longtest.Enabled() { // it differs from guava in the positions alone
			all = withoutPrograms()
		}
		laws := slices.DeleteFunc(all, func(l conform.Law) bool {
			return l == "corrupt snapshot" || double && (l == "dependence" || l == "keys")
		})
		verify.Conformance(t, conform.Subject[F]{
			Hashing:   shapes[0].Hashing,
			BlockBits: shapes[0].Block,
			New:       make,
			Shape: func(f F) (uint64, int) {
				g := f.Geometry()
				return g.M, g.K
			},
			Add:             func(f F, key []byte) { f.Add(key) },
			Contains:        func(f F, key []byte) bool { return f.Contains(key) },
			AddBatch:        func(f F, keys [][]byte) { f.AddBatch(nil, keys) },
			ContainsBatch:   func(f F, keys [][]byte) []bool { return f.ContainsBatch(nil, keys) },
			TestAndAdd:      func(f F, key []byte) bool { return !f.Add(key) },
			Bits:            func(f F) uint64 { return f.Bits() },
			Union:           func(f, g F) error { return f.Union(g) },
			Reset:           func(f F) { f.Clear() },
			Rate:            func(f F) float64 { return f.Rate() },
			Items:           func(f F) float64 { n, _ := f.Items(); return n },
			Marshal:         func(f F) ([]byte, error) { return f.MarshalBinary() },
			Unmarshal:       func(f F, data []byte) error { return f.UnmarshalBinary(data) },
			ConcurrentReads: true,
		}, conform.Options{Effort: longtest.More(0.001, 0.1), Laws: laws, Shapes: shapes})
	})
}

// The filters of other libraries keep the laws that their derivation of positions lets them keep.
func TestCompatConformance(t *testing.T) {
	longtest.Only(t, "the tests of these packages hold each filter to what the library itself does")
	large := []bloomproof.Geometry{{M: 64, K: 1}, {M: 1 << 17, K: 2}, {M: 1 << 18, K: 7}, {M: 1 << 20, K: 3}, {M: 4100032, K: 10}}
	for name, s := range map[string]guava.Strategy{"guava": guava.Mitz64, "guava-32": guava.Mitz32} {
		conforms(t, name, true, func(m uint64, k int) (*guava.Filter, error) { return guava.New(m, k, s) }, large...)
	}
	conforms(t, "bip37", false, func(m uint64, k int) (*bip37.Filter, error) { return bip37.New(m, k, 99, bip37.UpdateNone) },
		bloomproof.Geometry{M: 8, K: 1}, bloomproof.Geometry{M: 1000, K: 5}, bloomproof.Geometry{M: 1 << 15, K: 3}, bloomproof.Geometry{M: 288_000, K: 10})
	split := bloomproof.Geometry{K: 8, Hashing: bloomproof.Partitioned, Block: 256}
	var blocks []bloomproof.Geometry
	for _, m := range []uint64{256, 768, 1 << 14, 1 << 18} {
		split.M = m
		blocks = append(blocks, split)
	}
	conforms(t, "parquet", false, func(m uint64, k int) (*parquet.Filter, error) {
		if k != 8 {
			return nil, errors.New("a key has 8 positions")
		}
		return parquet.New(int(m / 8))
	}, blocks...)
}

// A chain of RedisBloom is no single Bloom filter. What it does is held to what sets do; not its rate, which double
// hashing raises in small layers.
func TestRedisBloomConformance(t *testing.T) {
	added := func(fresh bool, err error) bool {
		if err != nil {
			panic(err)
		}
		return fresh
	}
	if testing.Short() {
		t.Skip("short: it examines RedisBloom's chain of filters; make test runs it")
	}
	laws := slices.DeleteFunc(conform.Laws(), func(l conform.Law) bool { return l == "rate" || l == "keys" })
	verify.Conformance(t, conform.Subject[*redisbloom.Filter]{
		OwnRate: func(f *redisbloom.Filter, _ uint64) float64 { return f.Rate() },
		// It must hold m keys, sixteen times its first capacity.
		New: func(m uint64, k int) (*redisbloom.Filter, error) {
			return redisbloom.New(max(1, m/16), math.Pow(2, -float64(k)), 2)
		},
		Add:           func(f *redisbloom.Filter, key []byte) { added(f.Add(key)) },
		Contains:      (*redisbloom.Filter).Contains,
		ContainsBatch: func(f *redisbloom.Filter, keys [][]byte) []bool { return f.ContainsBatch(nil, keys) },
		AddBatch: func(f *redisbloom.Filter, keys [][]byte) {
			if _, err := f.AddBatch(nil, keys); err != nil {
				panic(err)
			}
		},
		TestAndAdd:      func(f *redisbloom.Filter, key []byte) bool { return !added(f.Add(key)) },
		ConcurrentReads: true,
	}, conform.Options{Effort: longtest.More(0.001, 0.1), Laws: laws, Shapes: []bloomproof.Geometry{{M: 64, K: 2}, {M: 1 << 10, K: 4}, {M: 1 << 15, K: 7}}})
}
