package kernel

import (
	"fmt"
)

// ConcurrentFilter is a Filter that many goroutines may use at the same time, without locks. They may add keys and look
// up keys. Use New and Filter.Concurrent to make one.
//
// Each bit is set by an atomic operation, so concurrent calls lose no bit. In a filter with blocks, a key may have
// several bits in one word. A single atomic operation sets these bits. The methods return the following:
//
//   - Once an Add of a key has returned, every later Contains of the key returns true. ("Later" has the sense of Go's
//     memory model.) While an Add is running, some of the key's bits may be set.
//   - If several calls set the same bit, exactly one of them set it first. Add reports whether it was the first for at
//     least one bit of its key. If several goroutines add one key at the same time and one bit of this key was clear
//     before, at least one of their calls returns true. With k = 1 exactly one of them returns true. With larger k
//     several of them may return true, because each was the first to set a different bit. An Add may return false
//     before another Add, which set the bits, has returned.
//   - A true answer of Contains does not synchronise goroutines: it orders no other memory accesses.
//
// The filter is at rest when all calls of Add and other adding methods have returned. Its bits are then the same as
// those of a Filter to which the same keys were added. The order of the additions does not matter. While keys are being
// added, Bits may return less than the present number of set bits. It counts every bit that was set by a completed Add.
// It never counts a clear bit. Rate counts the set bits in the same way. So while keys are being added, Rate may be too
// low.
type ConcurrentFilter struct {
	f     Filter // its counts are from before the filter was shared
	fresh tally  // number of bits set since then
}

// Concurrent returns a ConcurrentFilter with the bits of f. The new filter takes over f's memory. The call makes f a
// zero Filter, so f must not be used after it. To keep f, use f.Clone().Concurrent().
// Memory: 1 KiB for each processor, at most 8 KiB. The number of processors is rounded up to a power of two.
// Cost: O(1).
func (f *Filter) Concurrent() *ConcurrentFilter {
	f.mustBeMade()
	c := &ConcurrentFilter{*f, newTally()}
	*f = Filter{}
	return c
}

// The method "column" returns the array of the filter's bits.
func (f *ConcurrentFilter) column() column { return whole(f.f.words) }

// Filter returns a new Filter with a copy of the bits. The new Filter can be intersected, written as a snapshot, and
// used for estimates. The copy contains every key whose Add returned before the call. If a key is being added during
// the call, the copy may lack some or all of this key's bits. The method counts the set bits of the copy anew, so that
// the counts agree with the copy's bits.
// Cost: O(m/64).
func (f *ConcurrentFilter) Filter() *Filter {
	f.f.mustBeMade()
	a := array{makeWords(len(f.f.words)), f.f.newCounts()}
	copyShared(a.words, f.f.words)
	a.recount(&f.f.layout, f.f.im)
	c := newFilter(f.f.layout, f.f.hash, f.f.im, a)
	return &c
}

// Hasher returns the hasher of the filter's keys.
func (f *ConcurrentFilter) Hasher() Hasher { return f.f.Hasher() }

// Add adds key to the filter. It reports whether this call was the first to set at least one of the bits at key's
// positions.
func (f *ConcurrentFilter) Add(key []byte) bool { return f.AddHash(f.f.hash.hash(key)) }

// AddHash does the same as Add, for a key that is already hashed.
func (f *ConcurrentFilter) AddHash(h Hash) bool {
	f.f.mustBeMade()
	var fresh uint64
	switch l := &f.f.layout; {
	case l.size != 0:
		fresh = setBlockShared(f.f.words, l, h)
	case l.settled:
		fresh = setDrawsShared(f.f.words, l.shape, h)
	default:
		var buf [scanK]uint64
		fresh = setAllShared(f.f.words, l.appendPositions(buf[:0], h))
	}
	f.fresh.add(fresh)
	return fresh > 0
}

// Contains reports whether the bits at all positions of key are set. After a call of Add for the key has returned, the
// answer is always true. For a key that was never added, the answer is true with the probability that Rate returns.
func (f *ConcurrentFilter) Contains(key []byte) bool { return f.ContainsHash(f.f.hash.hash(key)) }

// ContainsHash does the same as Contains, for a key that is already hashed.
func (f *ConcurrentFilter) ContainsHash(h Hash) bool {
	f.f.mustBeMade()
	return containsShared(f.column(), &f.f.layout, h)
}

// Bits returns the number of set bits. The comment of ConcurrentFilter says what Bits returns while other goroutines
// add keys.
// Cost: 8 memory reads for each processor, but at most 64 reads in all.
func (f *ConcurrentFilter) Bits() uint64 { return f.f.bits + f.fresh.sum() }

// Rate returns the probability that a new key is found in the filter, given the bits that are set now. It uses the same
// formulas as Filter.Rate.
// Cost: the cost of Bits, plus O(log k) with standard hashing and O(k) with classic hashing. With partitioned hashing
// the cost is O(m/64), because the set bits of each slice are counted anew. In a filter with blocks, Rate costs the
// same as Filter.Rate.
func (f *ConcurrentFilter) Rate() float64 {
	_, rate := f.present()
	return rate
}

// The method "present" returns two results: the number of set bits, and the rate that follows from these bits.
func (f *ConcurrentFilter) present() (set uint64, rate float64) {
	switch {
	case f.f.size != 0:
		rate = f.f.blockRate(func(dst []uint64, from int) {
			copyShared(dst, f.f.words[from:])
			set += uint64(count(portable, dst))
		})
		return set, rate
	case f.f.sliced == 0:
		set = f.Bits()
		return set, f.f.rateOf(&counts{bits: set})
	}
	slice := f.f.step
	rate = 1
	for j := range uint64(f.f.sliced) {
		b := rangeCountShared(f.f.words, j*slice, (j+1)*slice)
		set += b
		rate *= f.f.shareOf(b)
	}
	return set, rate
}

// Union adds all keys of g to f. Other goroutines may add keys to f at the same time. When Union returns, f contains
// the keys of g.
// Cost: O(m/64).
// Errors: *bloomproof.ParamError if f and g differ in geometry, scheme, seed or key. After an error, f is unchanged.
func (f *ConcurrentFilter) Union(g *Filter) error {
	if err := f.f.compatible(g); err != nil {
		return err
	}
	f.fresh.add(orShared(f.f.words, g.words))
	return nil
}

// String returns a text with the geometry, the scheme and the number of set bits.
func (f *ConcurrentFilter) String() string {
	return fmt.Sprintf("%v %v bits=%d", f.f.g, f.f.hash.scheme, f.Bits())
}
