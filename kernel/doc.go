// Package kernel holds the Bloom filters of Bloomproof and the bit operations that
// they stand on.
//
// # What every filter keeps
//
// A Filter (New) and a RecyclingFilter (NewRecycling) have m bits, a CountingFilter
// (NewCounting) has m counters, and all give each key k positions by standard, classic or
// partitioned hashing (bloomproof.Geometry); each is a Set. They promise:
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
//   - Counts in O(1). Bits is kept up to date, in a CountingFilter as the number of
//     counters that are not 0.
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
//   - SipHash is SipHash-2-4-128 with a secret key: use it when keys come from
//     strangers. No filter, error or snapshot shows the key.
//   - AddHash, ContainsHash and ObserveHash take ready-made hashes. These must look
//     uniform and independent in all 128 bits (bit 0 of H1 alone is not used); should
//     they not, the rates are wrong, and nothing else: no hash makes an operation slow
//     or unsafe.
//
// # Batches
//
// Batch methods (AddBatch, ContainsBatch, ObserveBatch and their forms for ready-made
// hashes and for keys of 8 bytes) give the results of the single calls in turn: a key
// that repeats in a batch is seen as a repeat, and a filter recycles at the arrival that
// triggers it. They append the results to a slice and return it, as append does, and
// allocate nothing when it has room and k <= 64. They are faster as the keys of a batch
// are hashed, derived and looked up side by side; some hundred keys are enough for that.
// AddBulk, which answers for no key, builds very large filters faster still.
//
// # Operations on words
//
// Count, AndCount, OrCount, XorCount and AndNotCount count the ones of one slice of words
// or of two combined; AndInto, OrInto and AndNotInto also store what they combined;
// Subset compares and RangeCount counts between two bits. They are what the filters'
// recounts and set operations run on. Words may start anywhere and overlap in any way;
// of two slices the words that both have are used; nothing is allocated.
//
// # Concurrency
//
// Any number of goroutines may call the methods that change nothing. A method that
// changes a filter (Add, Observe and their batches, AddBulk, Remove, Clear, Union,
// Intersect, Merge, ReadFrom, UnmarshalBinary) needs it for itself.
//
// A ConcurrentFilter (NewConcurrent) and a ConcurrentRecycling (NewConcurrentRecycling)
// may be used by many goroutines at once. The first has no locks; it loses no bit, and a
// key is contained for all that comes after its Add. The second locks out others for a
// recycle alone, so that every observation falls into one cycle, and each cycle ends
// exactly as that of a RecyclingFilter. Their comments say which answers are possible
// when goroutines meet. Their snapshots are those of a Filter and a RecyclingFilter, to
// which and from which they are copied.
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
// These filters implement encoding.BinaryMarshaler, BinaryAppender, BinaryUnmarshaler,
// io.WriterTo and io.ReaderFrom. A snapshot holds the geometry, the rule, the scheme,
// the seed and the bits, little-endian and with checksums, in one encoding per state;
// of a secret key it holds a check value. The checksums find accidents. Against
// malice, reading refuses fields and counts that no filter has, and takes memory in
// proportion to the bytes that are there; but whoever may write a snapshot may set
// any bits.
// The format, version 0, may change until version 1 (see the top of snapshot.go).
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
// # Position derivation, version 0
//
// This is the whole specification; every implementation gives these positions.
// Arithmetic is on 64-bit words, modulo 2^64.
//
//	mix(z):        z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
//	               z = (z ^ z>>27) * 0x94d049bb133111eb
//	               return z ^ z>>31
//	stream(h):     x_j = floor(mix(H0 + (j+1)*(H1|1)) / 2^12),  j = 0, 1, 2, ...
//	reduce(x, s):  floor(x*s / 2^52)                             for x < 2^52, s <= 2^48
//
//	standard:      p_j = reduce(x_j, m), j < k
//	partitioned:   p_j = j*s + reduce(x_j, s), j < k, with s = m/k
//	classic:       the first k distinct values of reduce(x_j, m) among j < 8k+64, in
//	               the order of their first appearance. Should these be only c < k:
//	               for c, c+1, ..., k-1 in turn, with the next x of the stream, the
//	               position of rank reduce(x, m-c), counted from 0, among the m-c
//	               positions not yet taken.
//	cycle(h, 0):   h
//	cycle(h, c):   H0' = mix(H0 + c*0x9e3779b97f4a7c15), H1' = mix(H1 + c*0xd1342543de82ef95)
//
// The stream is SplitMix64 (Steele, Lea, Flood 2014) with state H0 and increment
// H1|1, of which the high 52 bits are used. All increments being odd, the 64-bit words
// of a stream are distinct, whatever the hash; the mixing breaks the linear dependence
// that makes the rate of double hashing wrong at small m.
//
// A position i is reached by floor(2^52/m) or ceil(2^52/m) values of x, so
// |P(p_j = i) - 1/m| < 2^-52. Relative to 1/m that is a deviation of mean 0 and mean
// square v <= (m/2^52)^2/4. The rate is symmetric in the positions' probabilities and
// moves in second order only: by at most 3kv/2 relative, a limit that is neared when
// the filter is nearly empty (a new item's k positions meet the N = kn balls through
// products of sums of p^(s+1), s the number that meet one ball, of mean effect
// k(1 + (k-1)/2N) v); the tests compute it exactly for short words. That is below
// 1e-6 up to m = 2^40 for k <= 44, and up to m = 2^36 for every k.
//
// But for that deviation, the draws of classic hashing treat all positions alike, so
// the set of the first c distinct ones is uniform among the c-subsets, whether or not
// 8k+64 draws suffice, and the fallback extends a uniform c-subset to a uniform
// k-subset.
package kernel
