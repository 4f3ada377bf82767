// Package kernel holds the Bloom filters of Bloomproof and the bit operations that
// they stand on. Which filter, and how large, is the matter of docs/sizing.md and
// docs/recycling.md.
//
// # What every filter keeps
//
// A Filter (New) and a RecyclingFilter (NewRecycling) have m bits, a CountingFilter
// (NewCounting) has m counters, and all give each key k positions by standard, classic or
// partitioned hashing (bloomproof.Geometry). They may have blocks, with a key's positions all in
// one: of a power of two from 64 to 4096 bits or counters, with standard or partitioned hashing; of the
// recycling filters those that are message-bounded, have one phase and do not retain.
// A GrowingFilter (NewGrowing) is a chain of filters, with blocks or without, that takes any number of keys.
// They promise:
//
//   - No false negatives. A key that was added is contained until the filter is
//     cleared; a message that a RecyclingFilter recorded is a repeat until its bits are
//     recycled, by the rule of its bloomproof.Recycling; in a CountingFilter a key is
//     contained until it was removed as often as it was added, so long as no key is
//     removed that was not added.
//   - Reproducible bits. Bit i is bit i&63 of word i>>6, and bits from m on are zero.
//     The bits follow from the keys, the geometry and the scheme with its seed or key
//     alone: every implementation (Impls) and every host has the same.
//   - Errors, not surprises. A parameter outside its domain is refused with a
//     *bloomproof.ParamError, and nothing is rounded or clamped; after an error the
//     receiver is as it was. A filter that no constructor made panics, except when a
//     snapshot is read into it.
//   - Counts in O(1). The number of set bits is kept up to date (Bits, State), in a
//     CountingFilter as the number of counters that are not 0. A Filter counts them anew by
//     Recount, which must agree.
//
// # What there is, and why
//
// New, NewCounting, NewRecycling, NewGrowing and Concurrent make filters: for a set, one that removes
// keys, one that forgets by a rule, one for nobody knows how many keys, and those that many goroutines
// change. MapFilter opens a file.
// Every name below is on the types for which it has a meaning.
//
//   - Add and Contains, or Observe and Remove, are the work; Count says how often a key was added.
//   - AddHash, ContainsHash, ObserveHash, RemoveHash and CountHash do it for keys that are no
//     bytes, and hash once for many filters.
//   - AddBatch, ContainsBatch and ObserveBatch are several times as fast; AddBulk fills what is
//     larger than the caches.
//   - Bits, Saturated, State and OnRecycle are for monitoring, Rate for alarms: it tells what
//     the bits are worth now.
//   - Items, IntersectionItems estimate how many keys there are, here and in two filters.
//   - Union, Intersect and Merge combine filters that were filled apart; SetWords takes bits from elsewhere.
//   - Recount and Verify find damaged memory and files; Equal holds replicas to each other.
//   - Clone, Clear, Filter and AppendWords copy, reuse and convert.
//   - MarshalBinary, AppendBinary, UnmarshalBinary, WriteTo and ReadFrom are the interfaces of the
//     standard library for what is kept; ErrCorrupt tells damage from a wrong call.
//   - Geometry, Recycling and Counting say what a snapshot held; Hasher makes its hashes, of
//     Bytes, a String or a Uint64; String is for logs, and keeps the bits out of them.
//   - Layers and LayerBits say of what a growing filter consists, and Overfull that its promise ended.
//   - Observation says what became of an arrival (Repeat is the verdict), CycleState where a
//     recycling filter stands.
//   - Options, Keyed and Impls choose the seed, a secret key, and the machine code to use.
//   - AppendPositions is the derivation itself, for those who check or port it.
//   - Count and the seven others of "Operations on words" are what the filters run on, for
//     words of one's own.
//
// # What Rate means
//
// Rate is the probability that a key never seen is called contained, given the bits
// that are set now: over a new key's positions, not over how the filter was filled.
// Before anything was added it is 0. The false-positive rate f of the papers is its
// expectation over the n keys added; packages exact and approx compute that.
//
// # Hashing
//
// A key is hashed once to 128 bits, its Hash, from which all positions follow.
//
//   - XXH3, the default, is XXH3-128 with a seed. It is fast, and filters with the same
//     seed can be merged on any host. It is for keys that nobody chooses to do harm: who
//     knows the seed can make keys that collide.
//   - SipHash is SipHash-2-4-128 with a secret key (Keyed): use it when keys come from
//     strangers. No filter, error or snapshot shows the key. SECURITY.md says what
//     each scheme withstands.
//   - Ready-made hashes must look uniform and independent in all 128 bits (bit 0 of H1
//     alone is not used); should they not, the rates are wrong, and nothing else: no hash
//     makes an operation slow or unsafe.
//
// # Keys
//
// Add, Contains, Observe, Remove and Count take a key as bytes. AddHash, ContainsHash and
// so on take its Hash, for keys that are none: a filter's Hasher makes it of bytes, a
// string (String, which allocates nothing) or an integer (Uint64), once for all filters
// that have the same scheme, seed and key. AddBatch, ContainsBatch, ObserveBatch and
// AddBulk take Keys, which KeysOf makes of a slice of any of the four.
//
// # Batches
//
// Batch methods give the results of the single calls in turn: a key that repeats in a
// batch is seen as a repeat, and a filter recycles at the arrival that triggers it. They
// append the results to a slice and return it, as append does, and allocate nothing when
// it has room and k <= 64. They are faster as the keys of a batch are hashed, derived and
// looked up side by side; some hundred keys are enough for that. AddBulk, which answers
// for no key, builds very large filters faster still.
//
// # Operations on words
//
// Count, AndCount, OrCount, XorCount and AndNotCount count the ones of one slice of words
// or of two combined; AndInto, OrInto and AndNotInto also store what they combined;
// a is within b when AndNotCount(a, b) is 0. The filters' counts and set operations run on them. Words may start
// anywhere and overlap in any way; of two slices the words that both have are used;
// nothing is allocated.
//
// # Concurrency
//
// Any number of goroutines may call the methods that change nothing. A method that
// changes a filter (Add, Observe and their batches, AddBulk, Remove, Clear, Union,
// Intersect, Merge, ReadFrom, UnmarshalBinary) needs it for itself.
//
// Concurrent makes of a Filter a ConcurrentFilter and of a RecyclingFilter a
// ConcurrentRecycling, which may be used by many goroutines at once. The first has no
// locks; it loses no bit, and a key is contained for all that comes after its Add. The second locks out others for a
// recycle alone, so that every observation falls into one cycle, and each cycle ends
// exactly as that of a RecyclingFilter. Their comments say which answers are possible
// when goroutines meet. Their snapshots are those of a Filter and a RecyclingFilter, to
// which they are copied (Filter).
//
// The race detector sees accesses from Go, and none from assembly. The words that
// several goroutines change are accessed from Go alone, by sync/atomic; assembly only
// derives positions for them. Assembly that reads and writes the words of the other
// filters is not seen: a filter that is used by two goroutines against the rule above
// may then go unnoticed. Builds with the race detector use the portable operations,
// which it does see.
//
// # Snapshots
//
// A Filter, a RecyclingFilter, a CountingFilter and a GrowingFilter implement encoding.BinaryMarshaler and
// BinaryUnmarshaler (and BinaryAppender), io.WriterTo and io.ReaderFrom. A snapshot holds the geometry, the
// rule, the scheme, the seed and the bits, little-endian and with checksums; of a secret
// key it holds a check value. A state has one encoding: filters are in the same state (Equal)
// when their snapshots have the same bytes. The checksums find accidents. Against malice,
// reading refuses fields and counts that no filter has, and takes memory in proportion to
// the bytes that are there; but whoever may write a snapshot may set any bits.
// The format is version 1, version 2 for filters with blocks, and versions 3 and 4 for growing filters. All are
// fixed: later releases read and write them. They are specified in docs/format.md, which also has a reader
// and writer in Python.
//
// MapFilter opens the snapshot of a Filter in a file at once, whatever its size, by the
// mmap system call: a MappedFilter, for look-ups only, uses the words where they are in
// the file. It checks the header, and trusts the payload until Verify is called.
//
// # Memory
//
// On Linux arrays of 8 MiB and more are placed so, and marked, that the system can back
// them with huge pages of 2 MiB, if it is allowed to (the setting madvise or always in
// /sys/kernel/mm/transparent_hugepage/enabled): look-ups then wait less, and the first
// touch of the memory costs a quarter. It is memory of the Go heap like any other.
//
// # Position derivation
//
// The k positions of a hash come from a SplitMix64 stream, whose words a multiplication
// and a shift reduce to [0, m); classic hashing takes the first k distinct ones. With blocks
// the first word of the hash chooses the block, and bits of the second, or of a stream from it,
// are the positions. Every implementation gives the same. docs/format.md specifies it, says why the rates are
// those of independent positions to within 1e-6, and has test vectors.
package kernel
