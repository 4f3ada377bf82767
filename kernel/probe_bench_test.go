package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel/asm/asmtest"
	"github.com/bloomproof/bloomproof/kernel/host"
)

// probeBench is a half-full array, or pair, of 7 positions a key, and hashes of which
// none, half or all are there: in the array, and in array 0 of the pair.
type probeBench struct {
	shape shape
	words []uint64
	load  map[string][]Hash
}

// newProbeBench fills an array of a number of bytes. There are enough keys that their
// words do not stay in a cache that the array exceeds.
func newProbeBench(bytes int) probeBench {
	const k = 7
	f := probeBench{mustLayout(bloomproof.Geometry{M: 8 * uint64(bytes), K: k}).shape, makeWords(bytes / 8), map[string][]Hash{}}
	r := rand.New(rand.NewPCG(1, uint64(bytes)))
	for i := range f.words {
		f.words[i] = r.Uint64()
	}
	keys := func() []Hash {
		h := make([]Hash, min(1<<20, max(1<<12, bytes/64)))
		for i := range h {
			h[i] = Hash{r.Uint64(), r.Uint64()}
		}
		return h
	}
	hit, miss, half := keys(), keys(), keys()
	addAll(portable, make([]bool, len(hit)), f.words, hit, f.shape)
	pos := make([]uint64, k*len(hit))
	positions(portable, pos, hit, shape{k, f.shape.span / 2, 0})
	addPairAt(portable, f.words, pos, 0)
	for i := range half {
		if r.Uint32()&1 != 0 {
			half[i] = hit[i]
		}
	}
	f.load["hit"], f.load["miss"], f.load["half"] = hit, miss, half
	return f
}

// BenchmarkProbe measures the kernels that the host can run, without the dispatch, on
// arrays inside L1, L2, a large L3 and beyond, 4096 keys a call.
func BenchmarkProbe(b *testing.B) {
	const batch = 1 << 12
	var names []string
	for _, im := range runs(host.Probe) {
		names = append(names, im.String())
	}
	out, dst := make([]uint8, batch), make([]uint64, 7*batch)
	for _, bytes := range []int{1 << 15, 1 << 19, 1 << 24, 1 << 26, 1 << 30} {
		var f probeBench
		for _, load := range []string{"hit", "miss", "half"} {
			for _, row := range asmtest.Select(asmtest.Probe(), names...) {
				b.Run(fmt.Sprintf("op=%s/load=%s/bytes=%d/impl=%s", row.Op, load, bytes, row.Impl), func(b *testing.B) {
					if f.words == nil {
						f = newProbeBench(bytes)
					}
					h, s := f.load[load], f.shape
					c := asmtest.ProbeCall{Out: out, Words: f.words, K: s.k, Span: s.span, Side: 1}
					group := 2
					switch {
					case row.Form.Has(asmtest.Derives):
						c.Dst = dst
					case !row.Form.Has(asmtest.Hashes):
						h = h[:min(len(h), 1<<17)]
						group = s.k
					}
					if row.Form.Has(asmtest.Pair) {
						c.Span /= 2
					}
					if row.Form.Has(asmtest.Slices) {
						c.Slices = make([]uint64, s.k)
					}
					keys := hashWords(h)
					if group != 2 {
						keys = make([]uint64, s.k*len(h))
						positions(portable, keys, h, shape{s.k, c.Span, 0})
					}
					if row.Form.Has(asmtest.Sets) {
						c.Words = append(makeWords(0), c.Words...)
					}
					b.ResetTimer()
					i := 0
					for b.Loop() {
						c.Keys = keys[i*group : (i+batch)*group]
						row.Got(c)
						if i += batch; i == len(h) {
							i = 0
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/batch, "ns/key")
				})
			}
		}
	}
}
