package kernel

//lint:file-ignore U1000 the Rest forms are called from assembly

import (
	"unsafe"

	"github.com/bloomproof/bloomproof/kernel/asm"
)

// The operations of a Filter on one key, in one_<arch>.go. A key takes a few nanoseconds, and each call takes one of
// them. So the kernel is chosen when the filter is made, and the operations on keys are small enough to be inlined in
// their callers.
//
//	newOneKey(l, hash, im, words)  what follows from the parts of a filter
//	containsKey(f, key, n)         Contains of the n bytes at key
//	addKey(f, key, n)              Add, which its caller counts: the number of bits that were clear
//	containsInBlock(f, h0, h1)     ContainsHash, when there is a way
//	addInBlock(f, h0, h1)          AddHash, which its caller counts, when there is a way

// oneKey is what the operations on one key take from a filter.
type oneKey struct {
	asm.BlockArray
	flip  uint64 // HashFlip of the seed
	short bool   // the scheme is XXH3: kernels hash keys of 8 bytes
	way   oneWay
}

// oneWay is the kernels for one hash; 0 is none.
type oneWay uint8

// Assembly expects oneKey to be the first field of a filter, and the array the first field of that.
var (
	_ = [1]struct{}{}[unsafe.Offsetof(Filter{}.one)]
	_ = [1]struct{}{}[unsafe.Offsetof(oneKey{}.BlockArray)]
)

// containsKeyRest is containsKey for any key.
func containsKeyRest(f *Filter, key *byte, n int) bool {
	return f.ContainsHash(f.hash.hash(unsafe.Slice(key, n)))
}

// addKeyRest is addKey for any key.
func addKeyRest(f *Filter, key *byte, n int) uint64 {
	h := f.hash.hash(unsafe.Slice(key, n))
	return addHashRest(f, h.H0, h.H1)
}

// containsHashRest is ContainsHash.
func containsHashRest(f *Filter, h0, h1 uint64) bool { return f.ContainsHash(Hash{h0, h1}) }

// addHashRest is AddHash, which its caller counts.
func addHashRest(f *Filter, h0, h1 uint64) (fresh uint64) {
	if f.plain() {
		return addOne(f.im, f.words, Hash{h0, h1}, f.shape)
	}
	if f.size == 0 && f.words != nil {
		fresh = f.insert(&f.layout, Hash{h0, h1})
	} else {
		before := f.bits
		f.AddHash(Hash{h0, h1})
		fresh = f.bits - before
	}
	f.bits -= fresh
	return fresh
}
