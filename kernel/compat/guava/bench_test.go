package guava_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/compat/guava"
)

// Look-ups in a filter that is larger than a cache, at half fill: one by one, and in batches.
func BenchmarkContains(b *testing.B) {
	const m, k = 1 << 28, 7
	f := mustNew(b, m, k, guava.Mitz64)
	key := make([]byte, 8)
	for i := range uint64(m / 10) {
		binary.LittleEndian.PutUint64(key, i)
		f.Add(key)
	}
	for _, present := range []bool{false, true} {
		keys := make([][]byte, 1<<16)
		for i := range keys {
			x := uint64(i) * 389
			if !present {
				x = -x - 1
			}
			keys[i] = binary.LittleEndian.AppendUint64(nil, x)
		}
		dst := make([]bool, 0, len(keys))
		b.Run(fmt.Sprintf("present=%t/each", present), func(b *testing.B) {
			for i := range b.N {
				dst = append(dst[:0], f.Contains(keys[i%len(keys)]))
			}
		})
		b.Run(fmt.Sprintf("present=%t/batch", present), func(b *testing.B) {
			for i := 0; i < b.N; i += 1024 {
				dst = f.ContainsBatch(dst[:0], keys[i%len(keys):][:1024])
			}
		})
	}
}
