package conform

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/bloomproof/bloomproof/verify/conform/internal/families"
)

// A span says where a key of a batch begins and ends in the common buffer. If the field "null" is true, the key is a
// nil slice.
type span struct {
	from, to int
	null     bool
}

// The function "lend" returns the keys at the given spans of the buffer. Each key is a slice with a capacity (Go's cap)
// that extends to the end of the buffer.
func lend(buf []byte, spans []span) [][]byte {
	keys := make([][]byte, len(spans))
	for i, s := range spans {
		if !s.null {
			keys[i] = buf[s.from:s.to]
		}
	}
	return keys
}

// The list "layouts" has the ways in which the keys of a batch lie in memory. For each way, a function determines where
// key i begins and where it ends.
var layouts = []struct {
	name string
	next func(i, end int, draw uint64) span
}{
	{"8 bytes each", func(_, end int, _ uint64) span { return span{from: end, to: end + 8} }},
	{"13 bytes each", func(_, end int, _ uint64) span { return span{from: end, to: end + 13} }},
	{"mixed lengths", func(_, end int, draw uint64) span { return span{from: end, to: end + int(draw%41)} }},
	{"mixed lengths, some nil or empty", func(i, end int, draw uint64) span {
		return span{from: end, to: end + int(draw%9)*(i%3), null: i%7 == 0}
	}},
	{"parts of one buffer that overlap, some with one beginning", func(_, end int, draw uint64) span {
		return span{from: end / 16 * 16, to: end + 1 + int(draw%9)}
	}},
	{"mixed lengths, some long", func(i, end int, _ uint64) span {
		return span{from: end, to: end + []int{3, 255, 8, 256, 1, 257, 16, 1025, 0, 4097, 64}[i%11]}
	}},
}

// lentLengths are lengths of keys, in bytes. Keys of these lengths are passed to single calls. The key and the bytes
// around it must stay unchanged.
var lentLengths = []int{0, 1, 7, 8, 13, 16, 31, 64, 255}

// The method "lent" examines whether single calls leave the caller's memory unchanged. It checks the key, and the
// bytes before and after it, which may be other keys.
func (x *examination) lent(l Law) {
	f, d, ok := x.single()
	if !ok || x.s.piped {
		return
	}
	x.told[l] = true
	calls := []struct {
		name string
		call func(key []byte)
	}{
		{"Add", func(key []byte) { x.s.Add(f, key) }},
		{"Contains", func(key []byte) { x.s.Contains(f, key) }},
		{"TestAndAdd", func(key []byte) {
			if x.s.TestAndAdd != nil {
				x.s.TestAndAdd(f, key)
			}
		}},
	}
	const before, behind = 16, 64
	for i, n := range lentLengths {
		for _, c := range calls {
			buf := contents(0, before+n+behind, x.random(uint64(0x1e4d+i)))
			kept := bytes.Clone(buf)
			x.where = fmt.Sprintf("%v, a key of %d bytes within a larger buffer", d, n)
			if c.call(buf[before : before+n]); !bytes.Equal(buf, kept) {
				x.found(l, "%s changes the caller's bytes", c.name)
				return
			}
		}
	}
}

// batchSizes are the numbers of keys in the batches. Vector instructions process a certain number of keys together.
// Most batch sizes are close to such a number. The last is larger than the number of keys that most kernels process at
// once.
var batchSizes = []int{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 1500}

// batchKeys examines whether batches read keys as single calls do, for several arrangements of the keys in memory.
func (x *examination) batchKeys(l Law) {
	if x.s.AddBatch == nil && x.s.ContainsBatch == nil {
		return
	}
	rest := x.random(0xba7c)
	for _, layout := range layouts {
		for _, size := range batchSizes {
			if !x.wants(l) || size > 1000 && layout.next(1, 0, 0).to > 100 {
				continue
			}
			var spans []span
			end := 0
			for i := range 2 * size {
				s := layout.next(i, end, mix(rest.take(1)+rest.seed))
				spans, end = append(spans, s), max(end, s.to)
			}
			x.oneBatch(l, fmt.Sprintf("a batch of %d keys, %s", size, layout.name), spans, contents(0, end+64, rest))
		}
	}
}

// The spans say where the keys of a batch lie in the buffer buf. The method oneBatch adds every second key of the
// buffer to two filters. It adds these keys as a batch to the first filter, and one by one to the second. It looks up
// all keys in both filters. It also looks up a changed copy of each key. The copy differs from the key in one byte or
// in its length.
func (x *examination) oneBatch(l Law, what string, spans []span, buf []byte) {
	f, d, ok := x.single()
	if !ok {
		return
	}
	x.told[l] = true
	x.where = fmt.Sprintf("%v, %s", d, what)
	var added []span
	for i := 0; i < len(spans); i += 2 {
		added = append(added, spans[i])
	}
	keys, all := lend(buf, added), lend(buf, spans)
	if x.s.AddBatch != nil {
		lent := slices.Clone(buf)
		x.s.AddBatch(f, lend(lent, added))
		if !bytes.Equal(lent, buf) {
			x.found(l, "adding it writes to the keys")
			return
		}
		families.Repeated(lent[:0], 0xa5, len(lent))
		for i, key := range keys {
			if !x.s.Contains(f, key) {
				x.found(l, "key %d, %s, is not contained after it was added", i, shown(key))
				return
			}
		}
	} else {
		for _, key := range keys {
			x.s.Add(f, key)
		}
	}
	// The list "asked" has every key twice. The keys in the second half of the list are then changed. Each of them gets
	// another byte or another length.
	asked := slices.Concat(all, all)
	for i, key := range all {
		other := slices.Clone(key)
		if len(other) > 0 && i%4 > 0 {
			other[[]int{0, 0, len(other) / 2, len(other) - 1}[i%4]] ^= 0x80
		} else {
			other = append(other, 0)
		}
		asked[len(all)+i] = other
	}
	if x.s.ContainsBatch != nil {
		lent := slices.Clone(buf)
		got := x.s.ContainsBatch(f, slices.Concat(lend(lent, spans), asked[len(all):]))
		if len(got) != len(asked) {
			x.found(l, "%d answers about %d keys", len(got), len(asked))
			return
		}
		if !bytes.Equal(lent, buf) {
			x.found(l, "asking about it writes to the keys")
			return
		}
		for i, key := range asked {
			if want := x.s.Contains(f, key); got[i] != want {
				x.found(l, "key %d, %s, contained: %t, alone %t", i, shown(key), got[i], want)
				return
			}
		}
	}
	if x.s.AddBatch == nil || x.s.Seeded || x.s.OwnRate != nil {
		return
	}
	g, _, ok := x.single()
	if !ok {
		return
	}
	for _, key := range keys {
		x.s.Add(g, key)
	}
	for i, key := range asked {
		if a, b := x.s.Contains(f, key), x.s.Contains(g, key); a != b {
			x.found(l, "key %d, %s, contained: %t, and %t where keys are added one by one", i, shown(key), a, b)
			return
		}
	}
	if x.s.Bits != nil {
		if a, b := x.s.Bits(f), x.s.Bits(g); a != b {
			x.found(l, "%d bits are set, and %d where keys are added one by one", a, b)
		}
	}
}

// A subject may add a large batch with several goroutines. So large batches are added to a filter of partsBits bits. At
// effort 1 they have partsKeys keys in total. The batches are so large that all these goroutines work at the same time.
const (
	partsBatch = 1 << 16
	partsBits  = 1 << 18
	partsKeys  = 2_000_000
)

// batchesInParts examines whether a large batch loses keys. Such a batch loses keys if several goroutines add parts of
// it without atomic operations. Each further batch is another chance that two goroutines change a word at the same
// time.
func (x *examination) batchesInParts(l Law) {
	if x.s.AddBatch == nil || x.s.piped || x.s.OwnRate != nil {
		return
	}
	source := x.random(0xba7d)
	for done := 0; done < int(partsKeys*max(0.1, min(1, x.o.Effort))); done += partsBatch {
		f, d, ok := x.open(partsBits, 4)
		if !ok {
			return
		}
		x.told[l] = true
		x.where = fmt.Sprintf("%v, a batch of %d random keys", d, partsBatch)
		first := source.take(partsBatch)
		keys := make([][]byte, partsBatch)
		for i := range keys {
			keys[i] = bytes.Clone(source.key(first + uint64(i)))
		}
		x.s.AddBatch(f, keys)
		for i := range keys {
			if key := source.key(first + uint64(i)); !x.s.Contains(f, key) {
				x.found(l, "key %d, %s, is not contained after it was added", i, shown(key))
				return
			}
		}
	}
}
