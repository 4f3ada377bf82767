// Package asm holds the bit kernels: operations on []uint64 in assembly, their Go
// declarations, and a portable twin of each. It imports nothing of this module,
// reads no CPU flags, keeps no state and allocates nothing: package kernel decides
// which kernel runs.
//
// The popcount family, in every implementation (bit i is bit i&63 of word i>>6):
//
//	Count(x)              ones of x
//	AndCount(a, b)        ones of a & b, word by word to the shorter length
//	OrCount(a, b)         ones of a | b
//	XorCount(a, b)        ones of a ^ b
//	AndNotCount(a, b)     ones of a &^ b
//	AndInto(dst, src)     dst &= src, and the ones of what it stored
//	OrInto(dst, src)      dst |= src, and the ones of what it stored
//	AndNotInto(dst, src)  dst &^= src, and the ones of what it stored
//
// The probe family tests or sets the bits of a filter at the k positions of each key. A key is given either as a hash
// of two words, from which the positions follow (positions_portable.go), or as k positions already derived. A pair is
// two arrays interleaved word by word:
//
//	Positions(dst, h, k, span, step)             the positions of hashes
//	Contains(out, words, h, k, span, step)       whether all bits of each key are set
//	Add(out, words, h, k, span, step)            sets them, key by key: whether one was clear
//	ContainsAt, AddAt(out, words, pos, k)        the same at positions that are ready
//	AddSlicesAt(out, words, pos, slices)         AddAt, and the new bits by position of a key
//	ContainsPair(out, pair, h, k, span, step)    Contains in both arrays of a pair
//	ContainsPairAt(out, pair, pos, k)            the same at positions that are ready
//	AddPairAt(pair, pos, side)                   sets bits in one array: how many were clear,
//	                                             and how many of these the other array has
//	Prefetch(words, pos)                         asks for words; it changes nothing
//
// Not every implementation has a kernel for every operation. If a kernel is missing, the next lower implementation runs
// the operation. Some operations have several kernels, which differ only in speed. ContainsOne takes one key.
// ContainsGather loads by gathers. ContainsRing and ContainsPairRing are for arrays beyond L2: they keep 64 keys in
// flight (96 with AVX-512) and read no more words than an answer needs. The T1 forms of these two operations prefetch
// words into L2 only. The NTA forms prefetch them with the hint that they will not be used again soon. ContainsLevels
// and AddAhead are also for arrays beyond L2. ContainsLevels takes 256 keys and looks at 1, 2, 3 and then 4 further
// positions of the keys whose earlier positions were all set. AddAhead prefetches the words of the next keys before it
// sets the bits of the present keys.
//
// In the block family, all positions of a key lie in one block of the array, and a look-up reads only this block.
// block_portable.go defines how the hash determines the block and the positions:
//
//	BlockPositions(dst, h, ...)            the positions of hashes
//	BlockContains, BlockAdd(...)           for blocks of any power of two of bits
//	BlockContains512, BlockAdd512(...)     k independent positions in 512 bits
//	BlockContains8x64, BlockAdd8x64(...)   one position in each of the 8 words of 512 bits
//	BlockContains8x32, BlockAdd8x32(...)   one in each of 8 words of 32 bits
//
// The operations of the first two lines have no assembly kernels. The other operations have an argument that sets how
// many keys ahead they prefetch blocks. They also have forms for one key, such as BlockContains512One.
//
// The transition family, in every implementation except popcnt (float64; states are numbers of set bits):
//
//	TransitionRows(dst, ...)      what k positions do to each of many states, stored
//	TransitionSums(part, w, ...)  the same, summed with weights
//	TransitionStep(a, b, ...)     one position, for a distribution over states or for rows
//
// The hash family (XXH3-128 with a seed, of keys of 8 little-endian bytes each; popcnt and neon have no kernels of it,
// because scalar Go is no slower):
//
//	HashWords(dst, keys, seed)    two words a key; returns the number of keys that fit into dst
//
// One word names an implementation in file names, function suffixes, BLOOMPROOF_CPU
// and subtests: portable, popcnt, avx2, avx512 (amd64), neon (arm64).
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
//   - A call cannot be preempted: pass at most about 1 MiB, or some ten thousand positions, at a time.
//   - The caller must ensure that the host has the CPU features that the Requires line of the file names.
//   - The race detector does not see what assembly reads and writes.
//
// # Layout
//
// popcount_<impl>_<arch>.s has one TEXT for each operation that counts. Each TEXT defines how two words are combined
// and includes popcount_<impl>_<arch>.h, the one loop of that implementation. probe_<form>_<impl>_<arch>.s has one form
// of the probe family's operations. It includes the derivation or the ring that several forms share.
// block_<shape>_<impl>_<arch>.s has the operations on one shape of blocks, and includes the loop over keys.
// transition_<impl>_<arch>.s includes the recursion over the positions of a message, which AVX2 and AVX-512 share.
// hash_<impl>_<arch>.s includes nothing. The build tag purego leaves all assembly out.
package asm
