package main

import (
	"bytes"
	"errors"
	"math"

	"github.com/bits-and-blooms/bloom/v3"
	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/dgraph-io/ristretto/v2/z"
	"github.com/greatroar/blobloom"
	bloomfilter "github.com/holiman/bloomfilter/v2"
	cuckoo "github.com/seiflotfy/cuckoofilter"
	boom "github.com/tylertreat/BoomFilters"
	"github.com/zeebo/xxh3"
)

func bitsAndBlooms() conform.Subject[*bloom.BloomFilter] {
	return conform.Subject[*bloom.BloomFilter]{
		New:        func(m uint64, k int) (*bloom.BloomFilter, error) { return bloom.New(uint(m), uint(k)), nil },
		Shape:      func(f *bloom.BloomFilter) (uint64, int) { return uint64(f.Cap()), int(f.K()) },
		Add:        func(f *bloom.BloomFilter, key []byte) { f.Add(key) },
		Contains:   (*bloom.BloomFilter).Test,
		TestAndAdd: (*bloom.BloomFilter).TestAndAdd,
		Bits:       func(f *bloom.BloomFilter) uint64 { return uint64(f.BitSet().Count()) },
		Words:      func(f *bloom.BloomFilter) []uint64 { return f.BitSet().Words() },
		Union:      (*bloom.BloomFilter).Merge,
		Reset:      func(f *bloom.BloomFilter) { f.ClearAll() },
		Items:      func(f *bloom.BloomFilter) float64 { return float64(f.ApproximatedSize()) },
		Size: func(n uint64, rate float64) (uint64, int) {
			m, k := bloom.EstimateParameters(uint(n), rate)
			return uint64(m), int(k)
		},
		Marshal:         (*bloom.BloomFilter).MarshalBinary,
		Unmarshal:       (*bloom.BloomFilter).UnmarshalBinary,
		ConcurrentReads: true,
	}
}

// holiman gives the filter fixed keys in place of random ones, so that its filters can meet.
func holiman() conform.Subject[*bloomfilter.Filter] {
	return conform.Subject[*bloomfilter.Filter]{
		New: func(m uint64, k int) (*bloomfilter.Filter, error) {
			return bloomfilter.NewWithKeys(m, fixedKeys(k))
		},
		Shape:    func(f *bloomfilter.Filter) (uint64, int) { return f.M(), int(f.K()) },
		Add:      func(f *bloomfilter.Filter, key []byte) { f.AddHash(xxh3.Hash(key)) },
		Contains: func(f *bloomfilter.Filter, key []byte) bool { return f.ContainsHash(xxh3.Hash(key)) },
		Bits:     func(f *bloomfilter.Filter) uint64 { return uint64(math.Round(f.PreciseFilledRatio() * float64(f.M()))) },
		Union:    (*bloomfilter.Filter).UnionInPlace,
		Size: func(n uint64, rate float64) (uint64, int) {
			m := bloomfilter.OptimalM(n, rate)
			return m, int(bloomfilter.OptimalK(m, n))
		},
		Rate:            (*bloomfilter.Filter).FalsePosititveProbability,
		Marshal:         (*bloomfilter.Filter).MarshalBinary,
		Unmarshal:       (*bloomfilter.Filter).UnmarshalBinary,
		ConcurrentReads: true,
		ConcurrentAdds:  true,
	}
}

// blob asks for k+1 hashes: the first chooses the block.
func blob() conform.Subject[*blobloom.Filter] {
	// Other sizes and other numbers of hashes are answered by a panic with a text, as documented.
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
		ConcurrentReads: false, // a hash.Hash64 of the filter's own is written by each look-up
	}
}

// cuckooFilter has room for more keys than a Bloom filter of m bits is given in any case: its
// Insert refuses keys where there is none.
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
