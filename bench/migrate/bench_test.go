package migrate

import (
	"encoding/binary"
	"fmt"
	"testing"

	peerbloom "github.com/bits-and-blooms/bloom/v3"
	bloom "github.com/bloomproof/bloomproof/kernel/compat/bitsandblooms"
	bloomfilter "github.com/bloomproof/bloomproof/kernel/compat/holiman"
)

// form is one way to add keys and to ask for them.
type form[K any] struct {
	name      string
	add, test func(keys []K)
}

// each calls do for every key.
func each[K any](do func(key K)) func(keys []K) {
	return func(keys []K) {
		for _, key := range keys {
			do(key)
		}
	}
}

// benchmark measures nanoseconds a key: additions, look-ups of the n keys that were added, and of others.
func benchmark[K any](b *testing.B, n int, keys []K, forms []form[K]) {
	const part = 1000
	added := min(n, len(keys)/2) / part * part
	for _, f := range forms {
		f.add(keys[:added])
	}
	for _, f := range forms {
		for _, c := range []struct {
			name string
			call func(keys []K)
			keys []K
		}{{"add", f.add, keys[:added]}, {"present", f.test, keys[:added]}, {"absent", f.test, keys[added:]}} {
			b.Run(fmt.Sprintf("n=%d/%s/%s", n, c.name, f.name), func(b *testing.B) {
				for i := 0; i < b.N; i += part {
					from := i % (len(c.keys) / part * part)
					c.call(c.keys[from : from+min(part, b.N-i)])
				}
			})
		}
	}
}

// The filters fit into the caches, or do not; they are sized for a rate of 1 %. Of the large one, a
// million keys are added.
var sizes = []int{1000, 20_000_000}

// random are numbers without a pattern.
func random() []uint64 {
	x := make([]uint64, 2_000_000)
	for i := range x {
		x[i] = uint64(i+1) * 0x9e3779b97f4a7c15
		x[i] = (x[i] ^ x[i]>>32) * 0xd6e8feb86659fd93
	}
	return x
}

func BenchmarkBitsAndBlooms(b *testing.B) {
	var keys [][]byte
	for _, x := range random() {
		keys = append(keys, binary.LittleEndian.AppendUint64(make([]byte, 8, 16), x))
	}
	out := make([]bool, 0, len(keys))
	for _, n := range sizes {
		m, k := bloom.EstimateParameters(uint(n), 0.01)
		ours, theirs := bloom.New(m, k), peerbloom.New(m, k)
		benchmark(b, n, keys, []form[[]byte]{
			{"library", each(func(key []byte) { theirs.Add(key) }), each(func(key []byte) { theirs.Test(key) })},
			{"single", each(func(key []byte) { ours.Add(key) }), each(func(key []byte) { ours.Test(key) })},
			{"batch", func(keys [][]byte) { ours.AddBatch(out, keys) }, func(keys [][]byte) { ours.ContainsBatch(out, keys) }},
		})
	}
}

func BenchmarkHoliman(b *testing.B) {
	keys := random()
	out := make([]bool, 0, len(keys))
	for _, n := range sizes {
		ours, theirs := pair(b, bloomfilter.OptimalM(uint64(n), 0.01), 7, 0)
		benchmark(b, n, keys, []form[uint64]{
			{"library", each(theirs.AddHash), each(func(h uint64) { theirs.ContainsHash(h) })},
			{"single", each(ours.AddHash), each(func(h uint64) { ours.ContainsHash(h) })},
			{"batch", func(keys []uint64) { ours.AddBatch(out, keys) }, func(keys []uint64) { ours.ContainsBatch(out, keys) }},
		})
	}
}
