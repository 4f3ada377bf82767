package verify_test

import (
	"math/big"
	"slices"
	"sync"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify"
	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// growingSubject returns kernel.GrowingFilter as a subject of Conformance. It is no Bloom filter of m
// bits: its rate is its own. It begins for a quarter of the m keys that it must hold.
func growingSubject(h bloomproof.Hashing) conform.Subject[*kernel.GrowingFilter] {
	var made sync.Map // layers by shape: the search for them would take most of the time
	return conform.Subject[*kernel.GrowingFilter]{
		OwnRate: func(f *kernel.GrowingFilter, _ uint64) float64 { return f.Rate() },
		New: func(m uint64, k int) (*kernel.GrowingFilter, error) {
			shape := bloomproof.Geometry{M: m, K: k}
			if layers, ok := made.Load(shape); ok {
				return kernel.NewGrowing(layers.([]bloomproof.Layer), kernel.Options{})
			}
			rate := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), uint(k)))
			layers, err := exact.Growing{Hashing: h, Items: max(1, m/4), Rate: rate, Growth: 2, Tighten: big.NewRat(4, 5)}.Layers()
			if err != nil {
				return nil, err
			}
			layers = layers[:5] // a long list only makes its snapshots slow to examine
			made.Store(shape, layers)
			return kernel.NewGrowing(layers, kernel.Options{})
		},
		Add:             func(f *kernel.GrowingFilter, key []byte) { f.Add(key) },
		Contains:        (*kernel.GrowingFilter).Contains,
		AddBatch:        func(f *kernel.GrowingFilter, keys [][]byte) { f.AddBatch(nil, kernel.KeysOf(keys)) },
		ContainsBatch:   func(f *kernel.GrowingFilter, keys [][]byte) []bool { return f.ContainsBatch(nil, kernel.KeysOf(keys)) },
		TestAndAdd:      func(f *kernel.GrowingFilter, key []byte) bool { return !f.Add(key) },
		Bits:            (*kernel.GrowingFilter).Bits,
		Reset:           (*kernel.GrowingFilter).Clear,
		Rate:            (*kernel.GrowingFilter).Rate,
		Marshal:         (*kernel.GrowingFilter).MarshalBinary,
		Unmarshal:       (*kernel.GrowingFilter).UnmarshalBinary,
		ConcurrentReads: true,
		Items: func(f *kernel.GrowingFilter) float64 {
			n, _ := f.Items()
			return n
		},
	}
}

func TestGrowingConformance(t *testing.T) {
	o := conform.Options{Effort: longtest.Of(0.01, 0.01, 0.1)}
	if testing.Short() {
		o.Shapes = []bloomproof.Geometry{{M: 97, K: 5}}
		o.Laws = slices.DeleteFunc(conform.Laws(), func(l conform.Law) bool { return l == "corrupt snapshot" || l == "hostile snapshot" }) // slow
	}
	verify.Conformance(t, growingSubject(bloomproof.Standard), o)
}

// FuzzOurGrowingFilter does programs of operations on two growing filters.
func FuzzOurGrowingFilter(f *testing.F) { verify.FuzzFilter(f, growingSubject(bloomproof.Standard)) }
