package kernel

//lint:file-ignore U1000 the Rest forms are called from assembly

import (
	"unsafe"

	"github.com/bloomproof/bloomproof/kernel/asm"
)

// The file one_<arch>.go has the operations of a Filter on one key, which are listed below. Such an operation takes a
// few nanoseconds. Each function call inside the operation takes about one nanosecond. So the kernel is chosen when the
// filter is made. The operations are small, so the compiler can inline them.
//
//   - newOneKey(l, hash, im, words) returns the oneKey of a filter with these parts.
//   - containsKey(f, key, n) does the same as Contains, for the n bytes at key.
//   - addKey(f, key, n) does the same as Add, for the n bytes at key. It returns how many bits were clear; its caller
//     must count them.
//   - containsInBlock(f, h0, h1) does the same as ContainsHash, if the oneWay of the filter is not 0.
//   - addInBlock(f, h0, h1) does the same as AddHash, if the oneWay of the filter is not 0. It returns how many bits
//     were clear; its caller must count them.

// Operations on a single key need only some data of a filter. The type oneKey has these data.
type oneKey struct {
	asm.BlockArray
	flip  uint64 // HashFlip of the seed
	short bool   // the scheme is XXH3, so kernels can hash keys of 8 bytes
	way   oneWay
}

// A value of the type oneWay selects the assembly kernels that process the hash of one key. The value 0 means that no
// assembly kernel processes it.
type oneWay uint8

// The assembly requires that oneKey is the first field of Filter, and that BlockArray is the first field of oneKey.
// Otherwise the following declarations do not compile.
var (
	_ = [1]struct{}{}[unsafe.Offsetof(Filter{}.one)]
	_ = [1]struct{}{}[unsafe.Offsetof(oneKey{}.BlockArray)]
)

// containsKeyRest does the same as containsKey. It is for keys that the assembly cannot process.
func containsKeyRest(f *Filter, key *byte, n int) bool {
	return f.ContainsHash(f.hash.hash(unsafe.Slice(key, n)))
}

// addKeyRest does the same as addKey. It is for keys that the assembly cannot process.
func addKeyRest(f *Filter, key *byte, n int) uint64 {
	h := f.hash.hash(unsafe.Slice(key, n))
	return addHashRest(f, h.H0, h.H1)
}

// containsHashRest does the same as ContainsHash. It takes the hash as two words.
func containsHashRest(f *Filter, h0, h1 uint64) bool { return f.ContainsHash(Hash{h0, h1}) }

// addHashRest sets the bits at the positions of a hash, and returns how many of them were clear. The caller must add
// this number to the filter's number of set bits.
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
