package main

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/FastFilter/xorfilter"
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/greatroar/blobloom"
	"github.com/syndtr/goleveldb/leveldb/filter"
	boom "github.com/tylertreat/BoomFilters"
	"github.com/zeebo/xxh3"
)

func blobSync() conform.Subject[*blobloom.SyncFilter] {
	return conform.Subject[*blobloom.SyncFilter]{
		BlockBits:       blobloom.BlockBits,
		New:             func(m uint64, k int) (*blobloom.SyncFilter, error) { return blobloom.NewSync(m, k+1), nil },
		Add:             func(f *blobloom.SyncFilter, key []byte) { f.Add(xxh3.Hash(key)) },
		Contains:        func(f *blobloom.SyncFilter, key []byte) bool { return f.Has(xxh3.Hash(key)) },
		Items:           (*blobloom.SyncFilter).Cardinality,
		ConcurrentReads: true,
		ConcurrentAdds:  true,
	}
}

// The other filters of the library BoomFilters have the same hash function and the same rule for m and k as the type
// boomFilter.

func boomPartitioned() conform.Subject[*boom.PartitionedBloomFilter] {
	return conform.Subject[*boom.PartitionedBloomFilter]{
		Hashing: bloomproof.Partitioned,
		Make: func(n uint64, rate float64) (*boom.PartitionedBloomFilter, error) {
			return boom.NewPartitionedBloomFilter(uint(n), rate), nil
		},
		New: func(m uint64, k int) (*boom.PartitionedBloomFilter, error) {
			n, rate, err := boomSize(m, k)
			return boom.NewPartitionedBloomFilter(n, rate), err
		},
		Shape: func(f *boom.PartitionedBloomFilter) (uint64, int) {
			k := f.K()
			return uint64((f.Capacity() + k - 1) / k * k), int(k)
		},
		Add:        func(f *boom.PartitionedBloomFilter, key []byte) { f.Add(key) },
		Contains:   (*boom.PartitionedBloomFilter).Test,
		TestAndAdd: (*boom.PartitionedBloomFilter).TestAndAdd,
		Reset:      func(f *boom.PartitionedBloomFilter) { f.Reset() },
		Marshal:    (*boom.PartitionedBloomFilter).GobEncode,
		Unmarshal:  (*boom.PartitionedBloomFilter).GobDecode,
	}
}

func boomCounting() conform.Subject[*boom.CountingBloomFilter] {
	return conform.Subject[*boom.CountingBloomFilter]{
		Make: func(n uint64, rate float64) (*boom.CountingBloomFilter, error) {
			return boom.NewDefaultCountingBloomFilter(uint(n), rate), nil
		},
		New: func(m uint64, k int) (*boom.CountingBloomFilter, error) {
			n, rate, err := boomSize(m, k)
			return boom.NewDefaultCountingBloomFilter(n, rate), err
		},
		Shape:      func(f *boom.CountingBloomFilter) (uint64, int) { return uint64(f.Capacity()), int(f.K()) },
		Add:        func(f *boom.CountingBloomFilter, key []byte) { f.Add(key) },
		Contains:   (*boom.CountingBloomFilter).Test,
		TestAndAdd: (*boom.CountingBloomFilter).TestAndAdd,
		Reset:      func(f *boom.CountingBloomFilter) { f.Reset() },
		Marshal:    (*boom.CountingBloomFilter).GobEncode,
		Unmarshal:  (*boom.CountingBloomFilter).GobDecode,
	}
}

// boomSize returns a number of items and a rate for which the library creates a filter of about m bits and k positions.
func boomSize(m uint64, k int) (n uint, rate float64, err error) {
	n, rate = max(1, uint(float64(m)*math.Ln2/float64(k))), math.Exp2(-float64(k))
	if got := boom.OptimalK(rate); int(got) != k {
		err = fmt.Errorf("a rate of %g gives %d positions", rate, got)
	}
	return n, rate, err
}

// tightening is the default ratio of the rates of successive stages of a scalable filter.
const tightening = 0.8

type scalable struct {
	*boom.ScalableBloomFilter
	n    uint
	rate float64
}

// boomScalable returns a subject whose declared rate is computed from the rates of its stages. Each stage is a
// partitioned filter. A stage ends, and the next one begins, after the number of additions that sets half of the bits
// of the stage.
func boomScalable() conform.Subject[*scalable] {
	return conform.Subject[*scalable]{
		Make: func(n uint64, rate float64) (*scalable, error) {
			return &scalable{boom.NewScalableBloomFilter(uint(n), rate, tightening), uint(n), rate}, nil
		},
		OwnRate: func(f *scalable, n uint64) float64 {
			missed := 1.0
			for rate := f.rate; n > 0; rate *= tightening {
				k := float64(boom.OptimalK(rate))
				slice := math.Ceil(float64(boom.OptimalM(f.n, rate)) / k)
				stage := min(n, uint64(math.Ceil(slice*math.Ln2)))
				missed *= 1 - math.Pow(-math.Expm1(float64(stage)*math.Log1p(-1/slice)), k)
				n -= stage
			}
			return 1 - missed
		},
		Add:        func(f *scalable, key []byte) { f.ScalableBloomFilter.Add(key) },
		Contains:   func(f *scalable, key []byte) bool { return f.Test(key) },
		TestAndAdd: func(f *scalable, key []byte) bool { return f.ScalableBloomFilter.TestAndAdd(key) },
		Reset:      func(f *scalable) { f.ScalableBloomFilter.Reset() },
		Marshal:    func(f *scalable) ([]byte, error) { return f.GobEncode() },
		Unmarshal:  func(f *scalable, data []byte) error { return f.GobDecode(data) },
	}
}

// levels is a filter in the format of LevelDB. Such a filter is generated from all its keys. The type levels generates
// it again at the first look-up after an addition.
type levels struct {
	filter.Filter
	gen     filter.FilterGenerator
	keys    [][]byte
	bits, k int // bits per key, and the number of positions
	data    *bytes.Buffer
}

// The type allocating is a bytes.Buffer with the method Alloc that goleveldb needs.
type allocating struct{ *bytes.Buffer }

// Alloc returns n bytes. The library requires an allocator.
func (a allocating) Alloc(n int) []byte {
	start := a.Len()
	a.Write(make([]byte, n))
	return a.Bytes()[start:]
}

// levelDB returns a subject with a declared rate. For a filter with n keys, this rate is computed from the numbers of
// bits and positions that such a filter has.
func levelDB() conform.Subject[*levels] {
	return conform.Subject[*levels]{
		Make: func(_ uint64, rate float64) (*levels, error) {
			perKey := int(math.Ceil(-math.Log(rate) / (math.Ln2 * math.Ln2)))
			f := filter.NewBloomFilter(perKey)
			return &levels{Filter: f, gen: f.NewGenerator(), bits: perKey, k: min(max(1, perKey*69/100), 30)}, nil
		},
		OwnRate: func(f *levels, n uint64) float64 {
			if n == 0 {
				return 0
			}
			m := (max(64, n*uint64(f.bits)) + 7) / 8 * 8
			rate, _, err := exact.FPR(bloomproof.Geometry{M: m, K: f.k}, n, 53, exact.Auto)
			if err != nil {
				return math.NaN()
			}
			return rate.Float64()
		},
		Add: func(f *levels, key []byte) { f.keys, f.data = append(f.keys, bytes.Clone(key)), nil },
		Contains: func(f *levels, key []byte) bool {
			if f.data == nil {
				f.data = new(bytes.Buffer)
				if len(f.keys) > 0 {
					for _, key := range f.keys {
						f.gen.Add(key)
					}
					f.gen.Generate(allocating{f.data})
				}
			}
			return f.Filter.Contains(f.data.Bytes(), key)
		},
		Reset: func(f *levels) { f.keys, f.data = nil, nil },
	}
}

// fuse is a binary fuse filter. Such a filter is built from all its keys. The type fuse builds it again at the first
// look-up after an addition.
type fuse struct {
	hashes []uint64
	f      *xorfilter.BinaryFuse8
}

// binaryFuse returns a subject that declares the rate of 8-bit fingerprints.
func binaryFuse() conform.Subject[*fuse] {
	return conform.Subject[*fuse]{
		Make: func(uint64, float64) (*fuse, error) { return new(fuse), nil },
		OwnRate: func(f *fuse, n uint64) float64 {
			if n == 0 {
				return 0
			}
			return 1. / 256
		},
		Add: func(f *fuse, key []byte) { f.hashes, f.f = append(f.hashes, xxh3.Hash(key)), nil },
		Contains: func(f *fuse, key []byte) bool {
			if f.f == nil && len(f.hashes) > 0 {
				var err error
				if f.f, err = xorfilter.PopulateBinaryFuse8(slices.Clone(f.hashes)); err != nil {
					panic(err)
				}
			}
			return f.f != nil && f.f.Contains(xxh3.Hash(key))
		},
		Reset: func(f *fuse) { *f = fuse{} },
	}
}
