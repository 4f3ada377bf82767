package bench

import (
	"fmt"

	"github.com/bits-and-blooms/bloom/v3"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/dgraph-io/ristretto/v2/z"
	"github.com/greatroar/blobloom"
	bloomfilter "github.com/holiman/bloomfilter/v2"
	"github.com/zeebo/xxh3"
)

type bitsAndBlooms struct{ f *bloom.BloomFilter }

func newBitsAndBlooms(m uint64, k int) (Filter, error) {
	return bitsAndBlooms{bloom.New(uint(m), uint(k))}, nil
}

// Add adds keys to a bloom.BloomFilter, which hashes them itself.
func (b bitsAndBlooms) Add(keys [][]byte) {
	for _, key := range keys {
		b.f.Add(key)
	}
}

// Contains returns how many of the keys the filter contains.
func (b bitsAndBlooms) Contains(keys [][]byte) (found int) {
	for _, key := range keys {
		if b.f.Test(key) {
			found++
		}
	}
	return found
}

// The filters below are called directly, each in its own loop. A common loop would need a call through a function value
// or an interface for every key, and the time of these calls would count against the peers.

type holiman struct{ f *bloomfilter.Filter }

// newHoliman returns a filter with fixed keys instead of random keys, so that runs are reproducible.
func newHoliman(m uint64, k int) (Filter, error) {
	keys := make([]uint64, k)
	for i := range keys {
		keys[i] = xxh3.HashSeed(nil, uint64(i)+1)
	}
	f, err := bloomfilter.NewWithKeys(m, keys)
	return holiman{f}, err
}

// Add adds keys to a bloomfilter.Filter, given their hashes.
func (p holiman) Add(keys [][]byte) {
	for _, key := range keys {
		p.f.AddHash(xxh3.Hash(key))
	}
}

// Contains returns how many of the keys the filter contains.
func (p holiman) Contains(keys [][]byte) (found int) {
	for _, key := range keys {
		if p.f.ContainsHash(xxh3.Hash(key)) {
			found++
		}
	}
	return found
}

// AddHashes adds keys. It uses only the first word of each hash.
func (p holiman) AddHashes(h []kernel.Hash) {
	for _, x := range h {
		p.f.AddHash(x.H0)
	}
}

// ContainsHashes looks up keys and returns the number of hits. It uses only the first word of each hash.
func (p holiman) ContainsHashes(h []kernel.Hash) (found int) {
	for _, x := range h {
		if p.f.ContainsHash(x.H0) {
			found++
		}
	}
	return found
}

type ristretto struct{ f *z.Bloom }

func newRistretto(m uint64, k int) (Filter, error) {
	if m&(m-1) != 0 {
		return nil, fmt.Errorf("ristretto takes a power of two, not %d bits", m)
	}
	return ristretto{z.NewBloomFilter(float64(m), float64(k))}, nil
}

// Add adds keys to a z.Bloom, given their hashes.
func (p ristretto) Add(keys [][]byte) {
	for _, key := range keys {
		p.f.Add(xxh3.Hash(key))
	}
}

// Contains returns how many of the keys the filter contains.
func (p ristretto) Contains(keys [][]byte) (found int) {
	for _, key := range keys {
		if p.f.Has(xxh3.Hash(key)) {
			found++
		}
	}
	return found
}

// AddHashes adds keys. It uses only the first word of each hash.
func (p ristretto) AddHashes(h []kernel.Hash) {
	for _, x := range h {
		p.f.Add(x.H0)
	}
}

// ContainsHashes looks up keys and returns the number of hits. It uses only the first word of each hash.
func (p ristretto) ContainsHashes(h []kernel.Hash) (found int) {
	for _, x := range h {
		if p.f.Has(x.H0) {
			found++
		}
	}
	return found
}

type blob struct{ f *blobloom.Filter }

// newBlobloom returns a filter with k+1 hashes. The first hash chooses the block, so k bits are set.
func newBlobloom(m uint64, k int) (Filter, error) {
	f := blobloom.New(m, k+1)
	if f.NumBits() != m {
		return nil, fmt.Errorf("blobloom holds %d bits, not %d", f.NumBits(), m)
	}
	return blob{f}, nil
}

// Add adds keys to a blobloom.Filter, given their hashes.
func (p blob) Add(keys [][]byte) {
	for _, key := range keys {
		p.f.Add(xxh3.Hash(key))
	}
}

// Contains returns how many of the keys the filter contains.
func (p blob) Contains(keys [][]byte) (found int) {
	for _, key := range keys {
		if p.f.Has(xxh3.Hash(key)) {
			found++
		}
	}
	return found
}

// AddHashes adds keys. It uses only the first word of each hash.
func (p blob) AddHashes(h []kernel.Hash) {
	for _, x := range h {
		p.f.Add(x.H0)
	}
}

// ContainsHashes looks up keys and returns the number of hits. It uses only the first word of each hash.
func (p blob) ContainsHashes(h []kernel.Hash) (found int) {
	for _, x := range h {
		if p.f.Has(x.H0) {
			found++
		}
	}
	return found
}
