// Package kernel holds the Bloom filters of Bloomproof and the bit operations that they use. The pages docs/sizing.md
// and docs/recycling.md help to choose a filter and its size.
//
// # What every filter keeps
//
// A [Filter] ([New]) and a [RecyclingFilter] ([NewRecycling]) have m bits. A [CountingFilter] ([NewCounting]) has m
// counters. These three types derive k positions from each key, by standard, classic or partitioned hashing
// (bloomproof.Geometry). They may have blocks. If a filter has blocks, all positions of a key are in one block. The
// number of bits or counters in a block is a power of two from 64 to 4096. Blocks need standard or partitioned hashing.
// A recycling filter can have blocks only under three conditions. It recycles after a number of messages, it has one
// phase, and it does not retain the triggering message. A [GrowingFilter] ([NewGrowing]) takes any number of keys. It
// is a chain of filters, with or without blocks. All filters promise:
//
//   - No false negatives. A key that was added is contained until the filter is cleared. A message that a
//     RecyclingFilter recorded is a repeat until a recycle clears its bits, by the rule of the filter's
//     bloomproof.Recycling. In a CountingFilter a key is contained until it was removed as often as it was added, so
//     long as no key is removed that was not added.
//   - Reproducible bits. Bit i is bit i&63 of word i>>6, and bits from m on are zero. The bits depend only on the keys,
//     the geometry and the scheme with its seed or key: every implementation ([Impls]) and every host gives the same
//     bits.
//   - Errors, not surprises. A parameter outside its domain is refused with a *bloomproof.ParamError; nothing is
//     rounded or clamped, and after an error the receiver is unchanged. A method that hashes, adds, looks up or writes
//     panics if no constructor made its filter. The other methods of such a filter answer as for a filter of 0 bits. A
//     method that reads a snapshot needs no constructor.
//   - Counts in O(1). The filter keeps the number of set bits up to date (Bits, State); a CountingFilter keeps the
//     number of counters that are not 0. The method Recount of a Filter counts the set bits anew, and must return the
//     same number.
//
// # What there is, and why
//
// Use [New] for a set. Use [NewCounting] for a set from which keys are removed. Use [NewRecycling] for a stream whose
// old keys expire by a rule. Use [NewGrowing] for an unknown number of keys. The method Concurrent makes a filter that
// many goroutines may change at the same time. [MapFilter] opens a filter that is stored in a file. Each type of filter
// has only those of the following methods that are useful for it.
//
//   - Add, Contains, Observe and Remove do the main work; Count estimates how many more times a key was added than
//     removed.
//   - AddHash, ContainsHash, ObserveHash, RemoveHash and CountHash do the same for keys that are not bytes, and let a
//     key be hashed once for many filters.
//   - AddBatch, ContainsBatch and ObserveBatch are several times as fast as single calls; AddBulk fills filters larger
//     than the caches.
//   - [Stats] is for monitoring: it has the figures of every filter in one form, for expvar or Prometheus. Bits,
//     Saturated, State and OnRecycle give further figures. Rate is for alarms: it is the false-positive rate that
//     follows from the present bits.
//   - Items estimates how many keys were added to a filter. IntersectionItems estimates how many keys were added to
//     both of two filters.
//   - Union, Intersect and Merge combine filters that were filled separately; SetWords takes bits from elsewhere.
//   - Recount, Verify and Err detect damaged memory and files; Equal compares replicas.
//   - Clone, Clear, Filter and AppendWords copy a filter, make it empty, and convert it.
//   - MarshalBinary, AppendBinary, UnmarshalBinary, WriteTo and ReadFrom are the standard library's interfaces for
//     storage; [ErrCorrupt] distinguishes damaged data from a wrong call.
//   - Geometry, Recycling and Counting return the parameters of a filter, for example after it was read from a
//     snapshot. [Hasher] computes the hashes that the filter uses. The method String of a filter is for logs, and does
//     not print the bits.
//   - Layers and LayerBits describe the layers of a growing filter; Overfull says that its rate may exceed the limit.
//   - [Observation] says how an arrival was classified (method Repeat) and how many bits it set; [CycleState] describes
//     a cycle of a recycling filter.
//   - [Options], [Keyed] and [Impls] choose the seed, a secret key, and the machine code to use.
//   - [AppendPositions] derives the positions of a hash, for programs that check the derivation or port it.
//   - Count and the seven other functions under "Operations on words" are the bit operations of the filters. They take
//     any slices of words.
//
// # What Rate means
//
// Consider a key that was never added. Rate is the probability that this key is found in the filter, given the bits
// that are set now. Only the positions of the new key are random here. The bits of the filter are fixed. For an empty
// filter it is 0. In the papers, the false-positive rate f is the expectation of Rate over all sets of n keys. The
// packages exact and approx compute f.
//
// # Hashing
//
// A key is hashed once to 128 bits, its [Hash]. All its positions are derived from this hash.
//
//   - XXH3, the default, is XXH3-128 with a seed. It is fast, and filters with the same seed can be merged on any host.
//     Use it for keys that no adversary chooses: whoever knows the seed can construct keys that collide.
//   - SipHash is SipHash-2-4-128 with a secret key ([Keyed]). Use it when keys come from strangers. No filter, error or
//     snapshot shows the key. SECURITY.md says what each scheme withstands.
//   - Ready-made hashes must look uniform and independent in all 128 bits (bit 0 of H1 alone is not used). If they do
//     not, only the rates are wrong: no hash makes an operation slow or unsafe.
//
// # Keys
//
// The methods Add, Contains, Observe, Remove and Count take a key as a slice of bytes. AddHash, ContainsHash and the
// other methods whose names end in Hash take the [Hash] of a key. A filter's [Hasher] computes the Hash of a key.
// Hasher.Bytes hashes a slice of bytes, and Hasher.Uint64 hashes an integer. Hasher.String hashes a string without an
// allocation. One Hash serves all filters that have the same scheme, seed and key. AddBatch, ContainsBatch,
// ObserveBatch and AddBulk take [Keys]. The function [KeysOf] makes Keys from a slice of byte slices, strings, integers
// or hashes.
//
// # Batches
//
// A batch method gives the same results as single calls for the keys in turn. If a key occurs twice in a batch, the
// second occurrence is a repeat. A recycling filter recycles in the middle of a batch, at the arrival that triggers the
// recycle. Batch methods append the results to a slice and return it, as append does. They allocate nothing if the
// slice has room for the results and k <= 64. They are faster than single calls because they hash many keys, derive
// many positions and read many bits in parallel. About a hundred keys are enough to gain that speed. AddBulk fills very
// large filters faster than AddBatch does. AddBulk does not say which keys were new.
//
// # Operations on words
//
// [Count] counts the ones of a slice of words. [AndCount], [OrCount], [XorCount] and [AndNotCount] combine two slices
// bit by bit, and count the ones of the result. [AndInto], [OrInto] and [AndNotInto] also store the result in the first
// slice. If AndNotCount(a, b) is 0, the slice b has every bit that a has. The filters use these functions to count and
// combine their bits. Slices of words may begin at any word of an array, and may overlap in any way. If two slices
// differ in length, the words at the end of the longer one are ignored. These functions allocate nothing.
//
// # Concurrency
//
// Any number of goroutines may use a filter at the same time if they call only methods that do not change it. A method
// that changes a filter needs exclusive use of it. Such methods are Add, AddBulk, Observe, the batch forms of Add and
// Observe, Remove, Clear, Union, Intersect, Merge, ReadFrom and UnmarshalBinary.
//
// The method Concurrent turns a [Filter] into a [ConcurrentFilter], and a [RecyclingFilter] into a
// [ConcurrentRecycling]. Many goroutines may use these two types at the same time. A ConcurrentFilter has no locks.
// Concurrent additions lose no bit, and a look-up that begins after an Add has returned finds the added key. In a
// ConcurrentRecycling, a goroutine sometimes excludes all others. It does so while it recycles, and while it makes an
// observation that could end the cycle. It also does so while it calls a method that reads the whole filter. Therefore
// each observation belongs to exactly one cycle, and each cycle ends as in a RecyclingFilter. The comments of the two
// types say which answers are possible when calls overlap in time. The command "make interleavings" tests both types
// with small arrays and up to three goroutines. It runs them in every order of steps that Go's memory model permits. It
// found no data race, and no answer that contradicts the comments. To write a snapshot of a ConcurrentFilter or a
// ConcurrentRecycling, first copy it by its method Filter. The copy is a Filter or a RecyclingFilter.
//
// The race detector sees the memory accesses of Go code, but not those of assembly. In the two concurrent filters, only
// Go code accesses the words, by means of sync/atomic. In these filters, assembly is used only to derive the positions
// of keys. In the other filters, assembly also reads and writes the words. If one goroutine changed such a filter while
// another used it, the race detector could miss this mistake. Builds with the race detector therefore use the portable
// operations, which are Go code.
//
// # Snapshots
//
// A [Filter], a [RecyclingFilter], a [CountingFilter] and a [GrowingFilter] implement five interfaces. BinaryMarshaler,
// BinaryAppender and BinaryUnmarshaler are in package encoding. WriterTo and ReaderFrom are in package io. A snapshot
// holds the geometry, the rule, the scheme, the seed and the bits. It is little-endian and has checksums. If the scheme
// has a secret key, the snapshot does not contain this key. It contains only a check value that is computed from the
// key. Each state of a filter has only one encoding. So two filters are in the same state (Equal) exactly when their
// snapshots have the same bytes. The checksums detect accidental damage. They do not protect against an attacker. The
// methods that read a snapshot return an error for fields and counts that no filter can have. The memory that they
// allocate is proportional to the number of bytes that they read. But whoever can write a snapshot can set any bits in
// it. Filters without blocks have version 1 of the format, and filters with blocks have version 2. Growing filters have
// versions 3 and 4. All four versions are fixed: later releases will read and write them. The page docs/format.md
// specifies them, and has a reader and a writer in Python.
//
// [MapFilter] opens a file with the snapshot of a Filter. It uses the system call mmap, so it takes no longer for a
// large file than for a small one. It returns a [MappedFilter], which is for look-ups only. A MappedFilter reads the
// words in the file without copying them. MapFilter checks the header of the snapshot. It does not check the words. The
// method Verify checks them. If another process truncates the file or writes to it, the method Err returns an error.
// The program does not crash.
//
// # Memory
//
// On Linux, arrays of 8 MiB and more are aligned to 2 MiB. They are marked so that the system can use huge pages of 2
// MiB for them. The system does so if the file /sys/kernel/mm/transparent_hugepage/enabled has the setting madvise or
// always. Look-ups then wait less for memory. The first access to each part of the memory takes a quarter of the time
// that it takes with small pages. This memory belongs to the Go heap, like the memory of any slice.
//
// # Position derivation
//
// The hash of a key determines a SplitMix64 stream of words. The k positions of the key are derived from these words. A
// multiplication and a shift turn each word into a number from 0 to m-1. Classic hashing takes the first k distinct
// numbers. In a filter with blocks, the first word of the hash determines the block of the key. The positions in this
// block come from the bits of the second word, or from a stream. Both words of the hash determine this stream. Every
// implementation derives the same positions. The page docs/format.md specifies the derivation and has test vectors.
// That page also compares the false-positive rate with the rate of independent random positions. It proves that their
// relative difference is below 1e-6 for k <= 44 and m <= 2^40. For larger k this holds for m <= 2^36.
package kernel
