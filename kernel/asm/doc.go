// Package asm has the bit kernels, which are operations on []uint64 in assembly, and the Go declarations of these
// kernels. For each operation it also has a portable twin, which is the same operation in Go. It imports no other
// package of this module, keeps no state and allocates nothing. It does not examine which instructions the CPU has.
// Package kernel/host does so, and package kernel chooses the kernels.
//
// The popcount family has the following operations in every implementation. Bit i of an array is bit i&63 of word i>>6.
//
//	Count(x)              counts the ones of x.
//	AndCount(a, b)        counts the ones of a & b, up to the shorter length.
//	OrCount(a, b)         counts the ones of a | b.
//	XorCount(a, b)        counts the ones of a ^ b.
//	AndNotCount(a, b)     counts the ones of a &^ b.
//	AndInto(dst, src)     does dst &= src, and counts the ones that it stored.
//	OrInto(dst, src)      does dst |= src, and counts the ones that it stored.
//	AndNotInto(dst, src)  does dst &^= src, and counts the ones that it stored.
//
// The probe family reads or sets the bits of a filter at the k positions of each key. A key is given either by its hash
// or by its k positions. The hash is two words from which the positions are derived (positions_portable.go). A pair is
// a slice that holds two arrays. The words of the two arrays alternate.
//
//	Positions(dst, h, k, span, step)             derives the positions of hashes.
//	Contains(out, words, h, k, span, step)       reports whether all bits of each key are set.
//	Add(out, words, h, k, span, step)            sets these bits, and reports for each key whether one was clear.
//	ContainsAt, AddAt(out, words, pos, k)        do the same as Contains and Add, for given positions.
//	AddSlicesAt(out, words, pos, slices)         does the same as AddAt, and counts the new bits of each slice.
//	ContainsPair(out, pair, h, k, span, step)    does the same as Contains in both arrays of a pair.
//	ContainsPairAt(out, pair, pos, k)            does the same as ContainsPair, for given positions.
//	AddPairAt(pair, pos, side)                   sets bits in one array, and counts the bits that were clear. It also
//	                                             counts those of these bits that are set in the other array.
//	Prefetch(words, pos)                         prefetches words; it changes nothing.
//
// Some implementations have no kernel for some of these operations. If a kernel is missing, the kernel of the next
// lower implementation is used instead. Some operations have several kernels, which give the same results at different
// speeds. ContainsOne looks up one key. ContainsGather reads several words at a time by gather instructions.
// ContainsRing and ContainsPairRing are for arrays larger than the L2 cache. They work on 64 keys at the same time, or
// on 96 keys with AVX-512. They read only the words that are needed for an answer. Both operations have variants. The
// variants with T1 in their names prefetch words into the L2 cache and not into the L1 cache. The variants with NTA in
// their names prefetch words with a hint. The hint says that these words will not be used again soon. ContainsLevels
// and AddAhead are also for arrays larger than the L2 cache. ContainsLevels works on 256 keys at the same time. It
// reads the bits of a key in rounds. The first three rounds read 1 bit, 2 bits and 3 bits. Each further round reads 4
// bits. A round includes only the keys whose bits were all set in the earlier rounds. AddAhead prefetches the words of
// the next keys before it sets the bits of the present keys.
//
// In the block family, all positions of a key lie in one block of the array. A look-up reads only this block. The file
// block_portable.go defines how the block and the positions follow from the hash.
//
//	BlockPositions(dst, h, ...)            derives the positions of hashes.
//	BlockContains and BlockAdd             take blocks of any size that is a power of two.
//	BlockContains512 and BlockAdd512       take blocks of 512 bits with k independent positions.
//	BlockContains8x64 and BlockAdd8x64     take blocks of 8 words of 64 bits with one position in each.
//	BlockContains8x32 and BlockAdd8x32     take blocks of 8 words of 32 bits with one position in each.
//
// BlockPositions, BlockContains and BlockAdd have no assembly kernels. The other operations prefetch blocks in advance.
// Their argument "ahead" says how many keys in advance a block is prefetched. These operations also have variants for
// one key, such as BlockContains512One.
//
// The transition family has the following operations on float64 numbers, in every implementation except popcnt. A state
// is a number of set bits.
//
//	TransitionRows(dst, ...)      stores the effect of k positions on each of many states.
//	TransitionSums(part, w, ...)  computes weighted sums of these values.
//	TransitionStep(a, b, ...)     applies one position to a distribution over states, or to rows.
//
// The hash family computes hashes of keys of 8 bytes. It uses XXH3-128 with a seed. A key is a word, and its lowest
// byte is hashed first. The implementations popcnt and neon have no kernels of this family, because they would be no
// faster than the Go code.
//
//	HashWords(dst, keys, seed)    writes two words for each key. It returns the number of keys that fit into dst.
//
// Each implementation has one name: portable, popcnt, avx2 and avx512 (on amd64), neon (on arm64). The name is used in
// file names, at the end of function names, in BLOOMPROOF_CPU and in the names of subtests.
//
// # Rules
//
//   - The portable twin is the specification and is compiled everywhere.
//   - A kernel is a total function. It takes any length including 0, any alignment and any overlap. If the lengths of
//     its arguments differ, it uses the shorter length. It returns the same result as its twin. The caller must respect
//     two restrictions. In the probe family k must be at least 1 and positions must lie within the words. In the probe
//     and hash families the memory that is written must not overlap any other argument.
//   - No byte outside the slices is read, not even within the same page. No byte outside dst[:min(len(dst), len(src))]
//     is written. Only the answers to the given keys are written.
//   - Go cannot preempt a goroutine during a call. So pass at most about 1 MiB, or some ten thousand positions, in one
//     call.
//   - The caller must ensure that the host has the CPU features that the Requires line of the file names.
//   - The race detector does not see the memory accesses of assembly.
//
// # Layout
//
// The file popcount_<impl>_<arch>.s has one assembly function (TEXT) for each operation that counts bits. Each function
// defines how two words are combined. The file includes popcount_<impl>_<arch>.h, which has the only loop of that
// implementation. The file probe_<form>_<impl>_<arch>.s has one variant of the operations of the probe family. It
// includes code that several variants use. Such code derives positions, or loops over a ring of keys. The file
// block_<shape>_<impl>_<arch>.s has the operations for one kind of blocks, and includes the loop over keys. The file
// transition_<impl>_<arch>.s includes the recursion over the positions of a message. AVX2 and AVX-512 share this
// recursion. The file hash_<impl>_<arch>.s includes no other file. With the build tag purego, no assembly is compiled.
package asm
