package bench

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/bits-and-blooms/bloom/v3"
	btcbloom "github.com/btcsuite/btcd/btcutil/bloom"
	"github.com/btcsuite/btcd/wire"
	"github.com/dgraph-io/ristretto/v2/z"
	"github.com/greatroar/blobloom"
	bloomfilter "github.com/holiman/bloomfilter/v2"
	"github.com/zeebo/xxh3"

	"github.com/bloomproof/bloomproof/verify/like"
)

// likeMaxZ is 5: with fewer than 100 comparisons a false alarm has a probability below 1e-4.
const likeMaxZ = 5

// running is a filter of a library that package like describes.
type running struct {
	add func(key []byte)
	has func(key []byte) bool
}

type arrowBloom interface {
	metadata.BloomFilterBuilder
	metadata.BloomFilter
}

// libraries make filters of m bits and k positions, and choose sizes.
var libraries = []struct {
	name string
	make func(m uint64, k int) running
	size func(n uint64, rate float64) (uint64, int)
}{
	{"bits-and-blooms", func(m uint64, k int) running {
		f := bloom.New(uint(m), uint(k))
		return running{add: func(key []byte) { f.Add(key) }, has: f.Test}
	}, func(n uint64, rate float64) (uint64, int) {
		m, k := bloom.EstimateParameters(uint(n), rate)
		return uint64(m), int(k)
	}},
	{"holiman", func(m uint64, k int) running {
		f, err := bloomfilter.New(m, uint64(k))
		if err != nil {
			panic(err)
		}
		return running{add: func(key []byte) { f.AddHash(xxh3.Hash(key)) }, has: func(key []byte) bool { return f.ContainsHash(xxh3.Hash(key)) }}
	}, func(n uint64, rate float64) (uint64, int) {
		m := bloomfilter.OptimalM(n, rate)
		return m, int(bloomfilter.OptimalK(m, n))
	}},
	{"blobloom", func(m uint64, k int) running {
		f := blobloom.New(m, k+1)
		return running{add: func(key []byte) { f.Add(xxh3.Hash(key)) }, has: func(key []byte) bool { return f.Has(xxh3.Hash(key)) }}
	}, func(n uint64, rate float64) (uint64, int) {
		m, hashes := blobloom.Optimize(blobloom.Config{Capacity: n, FPRate: rate})
		return m, max(1, hashes-1)
	}},
	{"ristretto", func(m uint64, k int) running {
		f := z.NewBloomFilter(float64(m), float64(k))
		return running{add: func(key []byte) { f.Add(xxh3.Hash(key)) }, has: func(key []byte) bool { return f.Has(xxh3.Hash(key)) }}
	}, func(n uint64, rate float64) (uint64, int) {
		var s struct {
			FilterSet []byte
			SetLocs   int
		}
		if err := json.Unmarshal(z.NewBloomFilter(float64(n), rate).JSONMarshal(), &s); err != nil {
			panic(err)
		}
		return 8 * uint64(len(s.FilterSet)), s.SetLocs
	}},
	{"arrow-go", func(m uint64, _ int) running {
		f := metadata.NewBloomFilter(uint32(m/8), 128<<20, memory.DefaultAllocator).(arrowBloom)
		return running{add: func(key []byte) { f.InsertHash(f.Hasher().Sum64(key)) }, has: func(key []byte) bool { return f.CheckHash(f.Hasher().Sum64(key)) }}
	}, func(n uint64, rate float64) (uint64, int) {
		f := metadata.NewBloomFilterFromNDVAndFPP(uint32(n), rate, 128<<20, memory.DefaultAllocator)
		return uint64(f.Size()) * 8, 8
	}},
	{"bip37", func(m uint64, k int) running {
		f := btcbloom.LoadFilter(wire.NewMsgFilterLoad(make([]byte, m/8), uint32(k), 7, wire.BloomUpdateNone))
		return running{add: f.Add, has: f.Matches}
	}, nil}, // btcutil divides as floats, where Bitcoin Core divides whole numbers
}

// The sizes that the libraries choose are those that package like says.
func TestLikeOwnSizes(t *testing.T) {
	for _, l := range libraries {
		if l.size == nil {
			continue
		}
		f, err := like.Find(l.name)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []uint64{10, 100, 999, 5000, 100_000, 1_000_000, 1_800_000} {
			for _, rate := range []float64{0.3, 0.1, 0.05, 0.03, 0.01, 0.002, 0.001, 1e-4, 1e-6} {
				wantM, wantK := l.size(n, rate)
				if m, k, ok := f.Own(n, rate); !ok || m != wantM || k != wantK {
					t.Errorf("%s n=%d p=%g: m=%d k=%d, want %d, %d", l.name, n, rate, m, k, wantM, wantK)
				}
			}
		}
	}
}

// The measured rates of the libraries are within what package like answers: at small sizes and at
// design points.
func TestLikeRates(t *testing.T) {
	const queries = 2048
	worst := 0.0
	for _, l := range libraries {
		f, err := like.Find(l.name)
		if err != nil {
			t.Fatal(err)
		}
		type shape struct {
			m uint64
			k int
			n uint64
		}
		shapes := []shape{{512, 8, 20}, {512, 4, 60}, {1024, 8, 100}, {2048, 3, 300}, {8192, 8, 700}}
		if l.size != nil { // what the library chooses itself
			for n, rate := range map[uint64]float64{50: 0.1, 300: 0.02} {
				m, k := l.size(n, rate)
				shapes = append(shapes, shape{m, k, n})
			}
		}
		for _, c := range shapes {
			e, err := f.Rate(c.m, c.k, c.n, 60)
			if err != nil {
				if l.name == "arrow-go" && c.k != 8 {
					continue
				}
				t.Fatal(err)
			}
			const filters = 150
			var sum, squares float64
			for run := range filters {
				key := func(i uint64) []byte {
					return binary.LittleEndian.AppendUint64(nil, uint64(run+1)<<40|i)
				}
				r := l.make(c.m, c.k)
				for i := range c.n {
					r.add(key(i))
				}
				hits := 0.0
				for i := range uint64(queries) {
					if r.has(key(c.n + i)) {
						hits++
					}
				}
				sum, squares = sum+hits/queries, squares+hits/queries*hits/queries
			}
			mean := sum / filters
			lo, hi := e.Bounds()
			rate := min(max(mean, lo), hi) // the nearest that is permitted
			variance := max(squares/filters-mean*mean, rate*(1-rate)/queries) / (filters - 1)
			zscore := (mean - rate) / math.Sqrt(variance)
			worst = max(worst, math.Abs(zscore))
			if math.Abs(zscore) > likeMaxZ {
				t.Errorf("%s m=%d k=%d n=%d: %.6g, want %.6g to %.6g (z = %.1f)", l.name, c.m, c.k, c.n, mean, lo, hi, zscore)
			}
			t.Logf("%s m=%d k=%d n=%d: %.6g in %.6g to %.6g", l.name, c.m, c.k, c.n, mean, lo, hi)
		}
	}
	t.Logf("largest |z| outside %.2f", worst)
}
