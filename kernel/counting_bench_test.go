package kernel_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/model"
)

// BenchmarkCounting is a filter of counters of 4 bits in L1 and in no cache, half of
// them not 0, by single calls and batches with ready-made hashes.
func BenchmarkCounting(b *testing.B) {
	for _, size := range benchBytes {
		for _, c := range []model.Counters{{Width: 4}, {Width: 4, Increment: bloomproof.Literal}} {
			g := bloomproof.Geometry{M: 2 * size, K: benchK}
			f := mustNewCounting(b, g, c, kernel.Options{})
			rng := rand.New(rand.NewPCG(1, 2))
			draw := func(n int) []kernel.Hash {
				hashes := make([]kernel.Hash, n)
				for i := range hashes {
					hashes[i] = kernel.Hash{H0: rng.Uint64(), H1: rng.Uint64()}
				}
				return hashes
			}
			const some = 1 << 12
			keys := draw(int(0.69 * float64(g.M) / benchK))
			out := make([]bool, 0, some)
			f.AddBatch(make([]bool, 0, len(keys)), kernel.KeysOf(keys))
			hits, misses := keys[:min(len(keys), 1<<17)], draw(1<<17)
			name := fmt.Sprintf("bytes=%d/increment=%v", size, c.Increment)
			for _, op := range []struct {
				name string
				keys []kernel.Hash
				do   func(h []kernel.Hash)
			}{
				{"hit/single", hits, func(h []kernel.Hash) {
					for i := range h {
						f.ContainsHash(h[i])
					}
				}},
				{"hit/batch", hits, func(h []kernel.Hash) { f.ContainsBatch(out, kernel.KeysOf(h)) }},
				{"miss/single", misses, func(h []kernel.Hash) {
					for i := range h {
						f.ContainsHash(h[i])
					}
				}},
				{"miss/batch", misses, func(h []kernel.Hash) { f.ContainsBatch(out, kernel.KeysOf(h)) }},
				{"count/single", hits, func(h []kernel.Hash) {
					for i := range h {
						f.CountHash(h[i])
					}
				}},
				{"remove+add/single", hits, func(h []kernel.Hash) {
					for i := range h {
						f.RemoveHash(h[i])
					}
					for i := range h {
						f.AddHash(h[i])
					}
				}},
				{"remove+add/batch", hits, func(h []kernel.Hash) {
					for i := range h {
						f.RemoveHash(h[i])
					}
					f.AddBatch(out, kernel.KeysOf(h))
				}},
			} {
				b.Run(name+"/"+op.name, func(b *testing.B) {
					at, n := 0, 0
					for b.Loop() {
						h := op.keys[at:min(at+some, len(op.keys))]
						op.do(h)
						n += len(h)
						if at += len(h); at == len(op.keys) {
							at = 0
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/key")
				})
			}
		}
	}
}
