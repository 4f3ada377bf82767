// Package kernel holds the Bloom filters of Bloomproof and the bit operations that they use. docs/sizing.md and
// docs/recycling.md help to choose a filter and its size.
//
// # What every filter keeps
//
// A [Filter] ([New]) and a [RecyclingFilter] ([NewRecycling]) have m bits; a [CountingFilter] ([NewCounting]) has m
// counters. All give each key k positions by standard, classic or partitioned hashing (bloomproof.Geometry). They may
// have blocks: all positions of a key are then in one block, of a power of two from 64 to 4096 bits or counters. Blocks
// can be combined with standard or partitioned hashing, and with recycling filters that recycle after a number of
// messages, have one phase and do not retain the triggering message. A [GrowingFilter] ([NewGrowing]) is a chain of
// filters, with or without blocks, that takes any number of keys. All filters promise:
//
//   - No false negatives. A key that was added is contained until the filter is cleared. A message that a
//     RecyclingFilter recorded is a repeat until its bits are recycled, by the rule of its bloomproof.Recycling. In a
//     CountingFilter a key is contained until it was removed as often as it was added, so long as no key is removed
//     that was not added.
//   - Reproducible bits. Bit i is bit i&63 of word i>>6, and bits from m on are zero. The bits depend only on the keys,
//     the geometry and the scheme with its seed or key: every implementation ([Impls]) and every host gives the same.
//   - Errors, not surprises. A parameter outside its domain is refused with a *bloomproof.ParamError; nothing is
//     rounded or clamped, and after an error the receiver is as it was. A method that hashes,
//     adds, looks up or writes panics if no constructor made its filter. Other methods then answer as for a filter of
//     0 bits. A method that reads a snapshot needs no constructor.
//   - Counts in O(1). The filter keeps the number of set bits up to date (Bits, State); a CountingFilter keeps the
//     number of counters that are not 0. Recount of a Filter counts its bits anew, and must agree.
//
// # What there is, and why
//
// [New] makes a filter for a set, [NewCounting] for keys that are removed again, [NewRecycling] for a stream whose old
// keys expire by a rule, and [NewGrowing] for an unknown number of keys. The method Concurrent makes a filter that many
// goroutines may change. [MapFilter] opens a file. Each method below exists on the types for which it makes sense.
//
//   - Add and Contains, or Observe and Remove, do the main work; Count says how often a key was added.
//   - AddHash, ContainsHash, ObserveHash, RemoveHash and CountHash do the same for keys that are not bytes, and let a
//     key be hashed once for many filters.
//   - AddBatch, ContainsBatch and ObserveBatch are several times as fast; AddBulk fills filters larger than the caches.
//   - [Stats] is for monitoring: it has the figures of every filter in one form, for expvar or Prometheus. Bits,
//     Saturated, State and OnRecycle give further figures. Rate is for alarms: it is the false-positive rate that
//     follows from the present bits.
//   - Items and IntersectionItems estimate how many keys were added to one filter, and to both of two.
//   - Union, Intersect and Merge combine filters that were filled separately; SetWords takes bits from elsewhere.
//   - Recount, Verify and Err detect damaged memory and files; Equal compares replicas.
//   - Clone, Clear, Filter and AppendWords copy, reuse and convert.
//   - MarshalBinary, AppendBinary, UnmarshalBinary, WriteTo and ReadFrom are the standard library's interfaces for
//     storage; [ErrCorrupt] distinguishes damaged data from a wrong call.
//   - Geometry, Recycling and Counting say what a snapshot held. [Hasher] makes the filter's hashes, of Bytes, a String
//     or a Uint64. String is for logs, and does not print the bits.
//   - Layers and LayerBits describe the layers of a growing filter; Overfull says that its promised rate may be exceeded.
//   - [Observation] says what became of an arrival (Repeat is the verdict); [CycleState] says where a recycling filter
//     stands.
//   - [Options], [Keyed] and [Impls] choose the seed, a secret key, and the machine code to use.
//   - [AppendPositions] derives the positions of a hash, for programs that check the derivation or port it.
//   - Count and the seven other functions under "Operations on words" are the bit operations of the filters. They take
//     any slices of words.
//
// # What Rate means
//
// Rate is the probability that a key never seen is called contained, given the bits that are set now. The probability
// is over the positions of a new key, not over how the filter was filled. Before anything was added it is 0. The
// false-positive rate f of the papers is the expectation of Rate over all sets of n keys; packages exact and approx
// compute f.
//
// # Hashing
//
// A key is hashed once to 128 bits, its [Hash], from which all positions follow.
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
// Add, Contains, Observe, Remove and Count take a key as bytes. AddHash, ContainsHash and the like take the [Hash] of
// a key. A filter's [Hasher] computes the Hash from bytes, a string (String, which allocates nothing) or an integer
// (Uint64). One Hash serves all filters that have the same scheme, seed and key. AddBatch, ContainsBatch, ObserveBatch
// and AddBulk take [Keys], which [KeysOf] makes from a slice of byte slices, strings, integers or hashes.
//
// # Batches
//
// Batch methods give the results of the single calls in turn: a key that repeats in a batch is seen as a repeat, and a
// filter recycles at the arrival that triggers it. They append the results to a slice and return it, as append does.
// They allocate nothing when the slice has room and k <= 64. They are faster because they hash the keys of a batch,
// derive their positions and read their bits in parallel; a hundred keys or so are enough to gain that speed. AddBulk
// returns no answers, and fills very large filters faster still.
//
// # Operations on words
//
// [Count], [AndCount], [OrCount], [XorCount] and [AndNotCount] count the ones of a slice of words, or of two slices
// combined bit by bit. [AndInto], [OrInto] and [AndNotInto] also store the combined words in the first slice. If
// AndNotCount(a, b) is 0, every bit that is set in a is set in b. The filters' counts and set operations use these
// functions. Slices of words may start anywhere and overlap in any way. If two slices differ in length, the end of the
// longer one is ignored. Nothing is allocated.
//
// # Concurrency
//
// Any number of goroutines may call the methods that change nothing. A method that changes a filter (Add, Observe and
// their batches, AddBulk, Remove, Clear, Union, Intersect, Merge, ReadFrom, UnmarshalBinary) needs exclusive use.
//
// Concurrent turns a [Filter] into a [ConcurrentFilter], and a [RecyclingFilter] into a [ConcurrentRecycling]. Both may
// be used by many goroutines at once. A ConcurrentFilter has no locks; it loses no bit, and every call that begins
// after an Add has returned finds its key. A ConcurrentRecycling locks out other goroutines only for a recycle. So
// every observation falls into one cycle, and each cycle ends exactly as in a RecyclingFilter. The comments of the two
// types say which answers are possible when calls overlap. The command "make interleavings" runs their code for small
// arrays and up to three goroutines, in every order that Go's memory model permits. It finds no data race and no answer
// that the comments exclude. To take a snapshot, copy them to a Filter or a RecyclingFilter (method Filter).
//
// The race detector sees memory accesses by Go code, and none by assembly. Only Go code accesses the words of the two
// concurrent filters, by sync/atomic; assembly only derives positions for them. Assembly does read and write the words
// of the other filters, and the race detector does not see these accesses. So it may not notice that two goroutines use
// such a filter at the same time, although only one may. Builds with the race detector therefore use the portable
// operations, whose accesses it sees.
//
// # Snapshots
//
// A [Filter], a [RecyclingFilter], a [CountingFilter] and a [GrowingFilter] implement encoding.BinaryMarshaler and
// BinaryUnmarshaler (and BinaryAppender), io.WriterTo and io.ReaderFrom. A snapshot holds the geometry, the rule, the
// scheme, the seed and the bits, little-endian and with checksums. If the scheme has a secret key, the snapshot holds a
// check value of the key and not the key. A state has one encoding only: two filters are in the same state (Equal)
// exactly when their snapshots have the same bytes. The checksums detect accidental damage, not malice. Reading refuses
// fields and counts that no filter can have, and takes memory in proportion to the bytes that it reads. But anyone who
// can write a snapshot can set any bits in it. The format has version 1, version 2 for filters with blocks, and
// versions 3 and 4 for growing filters. All four are fixed: later releases read and write them. docs/format.md
// specifies them, and has a reader and writer in Python.
//
// [MapFilter] opens the snapshot of a Filter in a file immediately, whatever its size, by the mmap system call. It
// returns a [MappedFilter], for look-ups only, which uses the words where they are in the file. MapFilter checks the
// header, and trusts the payload until Verify is called. If another process truncates the file or writes to it, Err
// returns an error, and the program does not end.
//
// # Memory
//
// On Linux, arrays of 8 MiB and more are aligned and marked so that the system can back them with huge pages of 2 MiB,
// if it is allowed to (the setting madvise or always in /sys/kernel/mm/transparent_hugepage/enabled). Look-ups then
// wait less for memory, and the first touch of the memory costs a quarter of what it costs otherwise. This memory
// belongs to the Go heap, like that of any slice.
//
// # Position derivation
//
// The k positions of a hash come from a SplitMix64 stream. A multiplication and a shift reduce each of its words to [0,
// m); classic hashing takes the first k distinct results. With blocks the first word of the hash chooses the block. The
// positions are bits of the second word, or of a stream that is computed from it. Every implementation derives the same
// positions. docs/format.md specifies the derivation and has test vectors. That page also proves that the rates differ
// from the rates for independent positions by at most 1e-6.
package kernel
