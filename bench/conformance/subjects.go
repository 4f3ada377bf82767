package main

import (
	"bytes"
	"errors"
	"math"

	"github.com/bits-and-blooms/bitset"
	"github.com/bits-and-blooms/bloom/v3"
	ourbloom "github.com/bloomproof/bloomproof/kernel/compat/bitsandblooms"
	ourfilter "github.com/bloomproof/bloomproof/kernel/compat/holiman"
	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/dgraph-io/ristretto/v2/z"
	"github.com/greatroar/blobloom"
	bloomfilter "github.com/holiman/bloomfilter/v2"
	cuckoo "github.com/seiflotfy/cuckoofilter"
	boom "github.com/tylertreat/BoomFilters"
	"github.com/zeebo/xxh3"
)

// bitsAndBloomsFilter is a filter of the library bits-and-blooms, or of the package of this module that has the same
// exported names.
type bitsAndBloomsFilter[F any] interface {
	Cap() uint
	K() uint
	Add([]byte) F
	Test([]byte) bool
	TestAndAdd([]byte) bool
	BitSet() *bitset.BitSet
	Merge(F) error
	ClearAll() F
	ApproximatedSize() uint32
	MarshalBinary() ([]byte, error)
	UnmarshalBinary([]byte) error
}

func bitsAndBlooms[F bitsAndBloomsFilter[F]](make func(m, k uint) F) conform.Subject[F] {
	return conform.Subject[F]{
		New:        func(m uint64, k int) (F, error) { return make(uint(m), uint(k)), nil },
		Shape:      func(f F) (uint64, int) { return uint64(f.Cap()), int(f.K()) },
		Add:        func(f F, key []byte) { f.Add(key) },
		Contains:   F.Test,
		TestAndAdd: F.TestAndAdd,
		Bits:       func(f F) uint64 { return uint64(f.BitSet().Count()) },
		Words:      func(f F) []uint64 { return f.BitSet().Words() },
		Union:      F.Merge,
		Reset:      func(f F) { f.ClearAll() },
		Items:      func(f F) float64 { return float64(f.ApproximatedSize()) },
		Size: func(n uint64, rate float64) (uint64, int) {
			m, k := bloom.EstimateParameters(uint(n), rate)
			return uint64(m), int(k)
		},
		Marshal:         F.MarshalBinary,
		Unmarshal:       F.UnmarshalBinary,
		ConcurrentReads: true,
	}
}

func bitsAndBloomsOfOurs() conform.Subject[*ourbloom.BloomFilter] {
	s := bitsAndBlooms(ourbloom.New)
	s.AddBatch = func(f *ourbloom.BloomFilter, keys [][]byte) { f.AddBatch(nil, keys) }
	s.ContainsBatch = func(f *ourbloom.BloomFilter, keys [][]byte) []bool { return f.ContainsBatch(nil, keys) }
	s.Rate = (*ourbloom.BloomFilter).Rate
	return s
}

// holimanFilter is a filter of the library of holiman, or of the package of this module that has the same exported
// names.
type holimanFilter[F any] interface {
	M() uint64
	K() uint64
	AddHash(uint64)
	ContainsHash(uint64) bool
	PreciseFilledRatio() float64
	FalsePosititveProbability() float64
	UnionInPlace(F) error
	MarshalBinary() ([]byte, error)
	UnmarshalBinary([]byte) error
}

// holiman returns a subject whose filters have fixed hash keys. By default the library draws the hash keys of each
// filter at random, and filters with different hash keys cannot be united.
func holiman[F holimanFilter[F]](make func(m uint64, keys []uint64) (F, error)) conform.Subject[F] {
	return conform.Subject[F]{
		New:      func(m uint64, k int) (F, error) { return make(m, fixedKeys(k)) },
		Shape:    func(f F) (uint64, int) { return f.M(), int(f.K()) },
		Add:      func(f F, key []byte) { f.AddHash(xxh3.Hash(key)) },
		Contains: func(f F, key []byte) bool { return f.ContainsHash(xxh3.Hash(key)) },
		Bits:     func(f F) uint64 { return uint64(math.Round(f.PreciseFilledRatio() * float64(f.M()))) },
		Union:    F.UnionInPlace,
		Size: func(n uint64, rate float64) (uint64, int) {
			m := bloomfilter.OptimalM(n, rate)
			return m, int(bloomfilter.OptimalK(m, n))
		},
		Rate:            F.FalsePosititveProbability,
		Marshal:         F.MarshalBinary,
		Unmarshal:       F.UnmarshalBinary,
		ConcurrentReads: true,
		ConcurrentAdds:  true,
	}
}

func holimanOfOurs() conform.Subject[*ourfilter.Filter] {
	s := holiman(ourfilter.NewWithKeys)
	hashed := func(keys [][]byte) (all []uint64) {
		for _, key := range keys {
			all = append(all, xxh3.Hash(key))
		}
		return all
	}
	s.AddBatch = func(f *ourfilter.Filter, keys [][]byte) { f.AddBatch(nil, hashed(keys)) }
	s.ContainsBatch = func(f *ourfilter.Filter, keys [][]byte) []bool { return f.ContainsBatch(nil, hashed(keys)) }
	s.Items = func(f *ourfilter.Filter) float64 {
		n, _ := f.Items()
		return n
	}
	s.Rate = (*ourfilter.Filter).Rate
	return s
}

// blob returns a subject that requests k+1 hashes, because the first hash chooses the block.
func blob() conform.Subject[*blobloom.Filter] {
	// As documented, the library panics with a string if the sizes or the numbers of hashes differ.
	pair := func(op func(f, g *blobloom.Filter)) func(f, g *blobloom.Filter) error {
		return func(f, g *blobloom.Filter) (err error) {
			defer func() {
				switch x := recover().(type) {
				case nil:
				case string:
					err = errors.New(x)
				default:
					panic(x)
				}
			}()
			op(f, g)
			return nil
		}
	}
	return conform.Subject[*blobloom.Filter]{
		BlockBits: blobloom.BlockBits,
		New:       func(m uint64, k int) (*blobloom.Filter, error) { return blobloom.New(m, k+1), nil },
		Add:       func(f *blobloom.Filter, key []byte) { f.Add(xxh3.Hash(key)) },
		Contains:  func(f *blobloom.Filter, key []byte) bool { return f.Has(xxh3.Hash(key)) },
		Union:     pair((*blobloom.Filter).Union),
		Intersect: pair((*blobloom.Filter).Intersect),
		Reset:     (*blobloom.Filter).Clear,
		Items:     (*blobloom.Filter).Cardinality,
		RateFor:   func(m uint64, k int, n uint64) float64 { return blobloom.FPRate(n, m, k+1) },
		Size: func(n uint64, rate float64) (uint64, int) {
			m, hashes := blobloom.Optimize(blobloom.Config{Capacity: n, FPRate: rate})
			return m, hashes - 1
		},
		Marshal: func(f *blobloom.Filter) ([]byte, error) {
			var b bytes.Buffer
			_, err := blobloom.Dump(&b, f, "")
			return b.Bytes(), err
		},
		Unmarshal: func(f *blobloom.Filter, data []byte) error {
			r := bytes.NewReader(data)
			l, err := blobloom.NewLoader(r)
			if err != nil {
				return err
			}
			g, err := l.Load(nil)
			if err == nil && r.Len() > 0 {
				err = errMore
			}
			if err == nil {
				*f = *g
			}
			return err
		},
		ConcurrentReads: true,
	}
}

type bloomOfRistretto struct {
	*z.Bloom
	m uint64
	k int
}

func ristretto() conform.Subject[*bloomOfRistretto] {
	return conform.Subject[*bloomOfRistretto]{
		New: func(m uint64, k int) (*bloomOfRistretto, error) {
			size := uint64(512)
			for size < m {
				size *= 2
			}
			return &bloomOfRistretto{z.NewBloomFilter(float64(size), float64(k)), size, k}, nil
		},
		Shape:      func(f *bloomOfRistretto) (uint64, int) { return f.m, f.k },
		Add:        func(f *bloomOfRistretto, key []byte) { f.Add(xxh3.Hash(key)) },
		Contains:   func(f *bloomOfRistretto, key []byte) bool { return f.Has(xxh3.Hash(key)) },
		TestAndAdd: func(f *bloomOfRistretto, key []byte) bool { return !f.AddIfNotHas(xxh3.Hash(key)) },
		Reset:      func(f *bloomOfRistretto) { f.Clear() },
		Marshal:    func(f *bloomOfRistretto) ([]byte, error) { return f.JSONMarshal(), nil },
		Unmarshal: func(f *bloomOfRistretto, data []byte) error {
			g, err := z.JSONUnmarshal(data)
			if err == nil {
				f.Bloom = g
				f.m, f.k, err = shapeInJSON(data)
			}
			return err
		},
		ConcurrentReads: true,
	}
}

func boomFilter() conform.Subject[*boom.BloomFilter] {
	return conform.Subject[*boom.BloomFilter]{
		Make: func(n uint64, rate float64) (*boom.BloomFilter, error) {
			return boom.NewBloomFilter(uint(n), rate), nil
		},
		New: func(m uint64, k int) (*boom.BloomFilter, error) {
			n, rate, err := boomSize(m, k)
			return boom.NewBloomFilter(n, rate), err
		},
		Shape:           func(f *boom.BloomFilter) (uint64, int) { return uint64(f.Capacity()), int(f.K()) },
		Add:             func(f *boom.BloomFilter, key []byte) { f.Add(key) },
		Contains:        (*boom.BloomFilter).Test,
		TestAndAdd:      (*boom.BloomFilter).TestAndAdd,
		Reset:           func(f *boom.BloomFilter) { f.Reset() },
		Marshal:         (*boom.BloomFilter).GobEncode,
		Unmarshal:       (*boom.BloomFilter).GobDecode,
		ConcurrentReads: false, // each look-up writes to a hash.Hash64 of the filter
	}
}

// cuckooFilter returns a subject with room for more keys than the examination adds to a Bloom filter of m bits. The
// room is needed because Insert refuses keys when the filter is full.
func cuckooFilter() conform.Subject[*cuckoo.Filter] {
	return conform.Subject[*cuckoo.Filter]{
		New: func(m uint64, _ int) (*cuckoo.Filter, error) {
			if m > 1<<17 {
				return nil, errors.New("not examined at this size")
			}
			return cuckoo.NewFilter(uint(4 * m)), nil
		},
		Add:      func(f *cuckoo.Filter, key []byte) { f.Insert(key) },
		Contains: (*cuckoo.Filter).Lookup,
		Reset:    (*cuckoo.Filter).Reset,
		Marshal:  func(f *cuckoo.Filter) ([]byte, error) { return f.Encode(), nil },
		Unmarshal: func(f *cuckoo.Filter, data []byte) error {
			g, err := cuckoo.Decode(data)
			if err == nil {
				*f = *g
			}
			return err
		},
		ConcurrentReads: true,
	}
}
