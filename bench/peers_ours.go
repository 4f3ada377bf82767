package bench

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"github.com/bloomproof/bloomproof/kernel"
)

type single struct{ f *kernel.Filter }

// Batch returns the batch form of the filter.
func (s single) Batch() Filter { return &batch{f: s.f} }

// Add adds keys one at a time.
func (s single) Add(keys [][]byte) {
	for _, key := range keys {
		s.f.Add(key)
	}
}

// Contains looks up keys one at a time and returns the number of hits.
func (s single) Contains(keys [][]byte) (found int) {
	for _, key := range keys {
		if s.f.Contains(key) {
			found++
		}
	}
	return found
}

// AddHashes adds hashes one at a time.
func (s single) AddHashes(h []kernel.Hash) {
	for _, x := range h {
		s.f.AddHash(x)
	}
}

// ContainsHashes looks up hashes one at a time and returns the number of hits.
func (s single) ContainsHashes(h []kernel.Hash) (found int) {
	for _, x := range h {
		if s.f.ContainsHash(x) {
			found++
		}
	}
	return found
}

type batch struct {
	f   *kernel.Filter
	out []bool
}

// count returns how many elements are true. In memory the value true is the byte 1. The function therefore counts the
// ones of 8 elements at once, and the time for this is negligible.
func count(out []bool) (n int) {
	bytes := unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(out))), len(out))
	for ; len(bytes) >= 8; bytes = bytes[8:] {
		n += bits.OnesCount64(binary.LittleEndian.Uint64(bytes))
	}
	for _, b := range bytes {
		n += int(b)
	}
	return n
}

// Add adds all keys in one call.
func (b *batch) Add(keys [][]byte) { b.out = b.f.AddBatch(b.out[:0], kernel.KeysOf(keys)) }

// Contains looks up all keys in one call and returns the number of hits.
func (b *batch) Contains(keys [][]byte) int {
	b.out = b.f.ContainsBatch(b.out[:0], kernel.KeysOf(keys))
	return count(b.out)
}

// AddHashes adds all hashes in one call.
func (b *batch) AddHashes(h []kernel.Hash) { b.out = b.f.AddBatch(b.out[:0], kernel.KeysOf(h)) }

// ContainsHashes looks up all hashes in one call and returns the number of hits.
func (b *batch) ContainsHashes(h []kernel.Hash) int {
	b.out = b.f.ContainsBatch(b.out[:0], kernel.KeysOf(h))
	return count(b.out)
}

// AddUint64s adds all keys of 8 bytes in one call.
func (b *batch) AddUint64s(keys []uint64) { b.out = b.f.AddBatch(b.out[:0], kernel.KeysOf(keys)) }

// ContainsUint64s looks up all keys of 8 bytes in one call and returns the number of hits.
func (b *batch) ContainsUint64s(keys []uint64) int {
	b.out = b.f.ContainsBatch(b.out[:0], kernel.KeysOf(keys))
	return count(b.out)
}
