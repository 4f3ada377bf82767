// Package subjects has our own filters as subjects of the conformance suite. Our tests and the benchmark module use it.
package subjects

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/conform"
)

// Filter returns kernel.Filter as a subject. It is also an example of a subject that has nearly all optional functions.
func Filter(h bloomproof.Hashing) conform.Subject[*kernel.Filter] {
	return conform.Subject[*kernel.Filter]{
		Hashing: h,
		New: func(m uint64, k int) (*kernel.Filter, error) {
			return kernel.New(bloomproof.Geometry{M: m, K: k, Hashing: h}, kernel.Options{})
		},
		Add:           func(f *kernel.Filter, key []byte) { f.Add(key) },
		Contains:      (*kernel.Filter).Contains,
		AddBatch:      func(f *kernel.Filter, keys [][]byte) { f.AddBatch(nil, kernel.KeysOf(keys)) },
		ContainsBatch: func(f *kernel.Filter, keys [][]byte) []bool { return f.ContainsBatch(nil, kernel.KeysOf(keys)) },
		TestAndAdd:    func(f *kernel.Filter, key []byte) bool { return !f.Add(key) }, // no bit was new
		Bits:          (*kernel.Filter).Bits,
		Words:         func(f *kernel.Filter) []uint64 { return f.AppendWords(nil) },
		Union:         (*kernel.Filter).Union,
		Intersect:     (*kernel.Filter).Intersect,
		Reset:         (*kernel.Filter).Clear,
		Items: func(f *kernel.Filter) float64 {
			n, _ := f.Items()
			return n
		},
		Rate: (*kernel.Filter).Rate,
		RateFor: func(m uint64, k int, n uint64) float64 {
			f, err := approx.FPR(bloomproof.Geometry{M: m, K: k, Hashing: h}, n)
			if err != nil {
				return -1 // no rate is negative
			}
			return f
		},
		Size: func(n uint64, rate float64) (uint64, int) {
			o, err := approx.LeastBits(bloomproof.Geometry{Hashing: h}, n, rate)
			if err != nil {
				return 0, 0 // no filter has 0 bits
			}
			return o.Geometry.M, o.Geometry.K
		},
		Marshal:         (*kernel.Filter).MarshalBinary,
		Unmarshal:       (*kernel.Filter).UnmarshalBinary,
		ConcurrentReads: true,
	}
}

// Concurrent returns kernel.ConcurrentFilter as a subject, to which several goroutines may add keys at once.
func Concurrent(h bloomproof.Hashing) conform.Subject[*kernel.ConcurrentFilter] {
	return conform.Subject[*kernel.ConcurrentFilter]{
		Hashing: h,
		New: func(m uint64, k int) (*kernel.ConcurrentFilter, error) {
			f, err := kernel.New(bloomproof.Geometry{M: m, K: k, Hashing: h}, kernel.Options{})
			if err != nil {
				return nil, err
			}
			return f.Concurrent(), nil
		},
		Add:      func(f *kernel.ConcurrentFilter, key []byte) { f.Add(key) },
		Contains: (*kernel.ConcurrentFilter).Contains,
		AddBatch: func(f *kernel.ConcurrentFilter, keys [][]byte) { f.AddBatch(nil, kernel.KeysOf(keys)) },
		ContainsBatch: func(f *kernel.ConcurrentFilter, keys [][]byte) []bool {
			return f.ContainsBatch(nil, kernel.KeysOf(keys))
		},
		TestAndAdd: func(f *kernel.ConcurrentFilter, key []byte) bool { return !f.Add(key) },
		Bits:       (*kernel.ConcurrentFilter).Bits,
		Words:      func(f *kernel.ConcurrentFilter) []uint64 { return f.Filter().AppendWords(nil) },
		Union:      func(f, g *kernel.ConcurrentFilter) error { return f.Union(g.Filter()) },
		Reset: func(f *kernel.ConcurrentFilter) {
			empty := f.Filter()
			empty.Clear()
			*f = *empty.Concurrent()
		},
		Items: func(f *kernel.ConcurrentFilter) float64 {
			n, _ := f.Filter().Items()
			return n
		},
		Rate:            (*kernel.ConcurrentFilter).Rate,
		ConcurrentReads: true,
		ConcurrentAdds:  true,
	}
}
