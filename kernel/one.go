package kernel

//lint:file-ignore U1000 the Rest forms are called from assembly

import (
	"unsafe"

	"github.com/bloomproof/bloomproof/kernel/asm"
)

// The operations of a Filter on one key, which are listed below, are in one_<arch>.go. An operation on a key takes a
// few nanoseconds, and each function call takes one nanosecond. So the kernel is chosen when the filter is made, and
// the operations on keys are small enough to be inlined in their callers.
//
//	newOneKey(l, hash, im, words)  what follows from the parts of a filter
//	containsKey(f, key, n)         Contains of the n bytes at key
//	addKey(f, key, n)              Add, which its caller counts: the number of bits that were clear
//	containsInBlock(f, h0, h1)     ContainsHash, when there is a way
//	addInBlock(f, h0, h1)          AddHash, which its caller counts, when there is a way

// oneKey holds the data of a filter that the operations on one key need.
type oneKey struct {
	asm.BlockArray
	flip  uint64 // HashFlip of the seed
	short bool   // the scheme is XXH3, so kernels can hash keys of 8 bytes
	way   oneWay
}

// oneWay says which assembly kernels process one hash; its value 0 means that no kernel does.
type oneWay uint8

// The assembly requires that oneKey is the first field of a Filter, and that BlockArray is the first field of oneKey.
// If they were not, the following declarations would not compile.
var (
	_ = [1]struct{}{}[unsafe.Offsetof(Filter{}.one)]
	_ = [1]struct{}{}[unsafe.Offsetof(oneKey{}.BlockArray)]
)

// containsKeyRest does the same as containsKey, for keys that the assembly does not handle.
func containsKeyRest(f *Filter, key *byte, n int) bool {
	return f.ContainsHash(f.hash.hash(unsafe.Slice(key, n)))
}

// addKeyRest does the same as addKey, for keys that the assembly does not handle.
func addKeyRest(f *Filter, key *byte, n int) uint64 {
	h := f.hash.hash(unsafe.Slice(key, n))
	return addHashRest(f, h.H0, h.H1)
}

// containsHashRest does the same as ContainsHash, and takes the hash as two words.
func containsHashRest(f *Filter, h0, h1 uint64) bool { return f.ContainsHash(Hash{h0, h1}) }

// addHashRest sets the bits of a hash and returns how many of them were clear. Its caller adds this number to the
// filter's count of set bits.
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
