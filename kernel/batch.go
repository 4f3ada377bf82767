package kernel

import "slices"

// The batch methods divide a batch into pieces. The hashes and positions of the keys in a piece are in arrays on the
// stack. Each array must be large enough to keep many memory reads in flight. It must also be small enough to stay in
// the L1 cache (32 KiB). Setting the array to zero must take less time than processing one key.
const (
	// hashBlock is the number of keys that are hashed at a time. Their hashes take 2 KiB. Setting these 2 KiB to zero
	// takes less than 1 ns for each key.
	hashBlock = 128
	// A batch of at most hashFew keys uses an array of only 256 bytes for the hashes. For so few keys, setting 2 KiB to
	// zero takes a noticeable time. In a batch of eight keys, each key takes 12.9 ns with the large array and 11.3 ns
	// with the small one.
	hashFew = 16
	// A batch look-up of at least hashMany keys uses an array of 16 KiB for the hashes. A batch look-up in a filter
	// larger than the L2 cache works on 64 to 96 keys at the same time. With only 128 keys in each array, most of the
	// time would be spent on starting and finishing this work.
	hashMany = 1024
	// Positions are derived in groups of posBlock positions. They are the positions of 8 to 512 keys, and they take 4
	// KiB. A processor can have fewer than 512 memory reads in flight.
	posBlock = 512
	// scanK is the largest number of positions of one key that fit in the buffers on the stack. Such a buffer has 512
	// bytes. For keys with at most scanK positions, no memory is allocated. A key with more positions is processed
	// alone.
	scanK = 64
	// If a key has at most shortK positions, its look-up uses a buffer of 128 bytes. Setting a larger buffer to zero
	// takes a noticeable time. The following times are for a look-up in a ConcurrentFilter of 32 KiB. It takes 40 ns
	// with a buffer of 512 bytes, and 31 ns with a buffer of 128 bytes.
	shortK = 16
	// The constant "few" is the smallest number of keys that are processed together. The keys of smaller batches are
	// processed one by one. An AVX2 vector has room for four positions, each from a different key. With fewer keys,
	// part of the vector would be unused.
	few = 4
)

// The function "extend" lengthens dst by n elements. It returns the whole lengthened slice and the slice of its n
// new elements.
func extend[T any](dst []T, n int) (all, more []T) {
	all = slices.Grow(dst, n)[:len(dst)+n]
	return all, all[len(dst):]
}

// AddBatch calls Add for each of the keys in turn and appends the results to dst. If a key occurs twice in the batch,
// the filter already contains it at the second occurrence. AddBatch is several times as fast as single calls of Add,
// because it reads the bits of many keys at the same time.
// Cost: O(k) for each key; no allocation if k <= 64 and dst has room for the results.
func (f *Filter) AddBatch(dst []bool, keys Keys) []bool {
	f.mustBeMade()
	dst, out := extend(dst, keys.n)
	switch {
	case keys.form == hashKeys:
		f.insertAll(f.im, &f.layout, out, keys.hashes())
	case keys.n < few:
		for i := range out {
			out[i] = f.AddHash(keys.hashAt(&f.hash, i))
		}
	default:
		f.addKeys(out, keys)
	}
	return dst
}

func (f *Filter) addKeys(out []bool, keys Keys) {
	if len(out) <= hashFew {
		var buf [hashFew]Hash
		f.insertAll(f.im, &f.layout, out, keys.hash(&f.hash, f.im, buf[:]))
		return
	}
	var buf [hashBlock]Hash
	for len(out) > 0 {
		h := keys.hash(&f.hash, f.im, buf[:])
		f.insertAll(f.im, &f.layout, out[:len(h)], h)
		out, keys = out[len(h):], keys.after(len(h))
	}
}

// ContainsBatch appends to dst the result of Contains for each of the keys.
// Cost: O(k) for each key; no allocation if k <= 64 and dst has room for the results.
func (f *Filter) ContainsBatch(dst []bool, keys Keys) []bool {
	f.mustBeMade()
	dst, out := extend(dst, keys.n)
	switch {
	case keys.form == hashKeys:
		f.lookUpAll(f.im, &f.layout, out, keys.hashes())
	case keys.n < few:
		for i := range out {
			out[i] = f.ContainsHash(keys.hashAt(&f.hash, i))
		}
	default:
		f.containsKeys(out, keys)
	}
	return dst
}

func (f *Filter) containsKeys(out []bool, keys Keys) {
	switch {
	case len(out) <= hashFew:
		var buf [hashFew]Hash
		f.lookUpKeys(out, keys, buf[:])
	case len(out) < hashMany:
		var buf [hashBlock]Hash
		f.lookUpKeys(out, keys, buf[:])
	default:
		var buf [hashMany]Hash
		f.lookUpKeys(out, keys, buf[:])
	}
}

// lookUpKeys hashes the keys into buf, and sets out[i] to true if the filter contains key i, otherwise to false.
func (f *Filter) lookUpKeys(out []bool, keys Keys, buf []Hash) {
	for len(out) > 0 {
		h := keys.hash(&f.hash, f.im, buf)
		f.lookUpAll(f.im, &f.layout, out[:len(h)], h)
		out, keys = out[len(h):], keys.after(len(h))
	}
}

// insertAll sets the bits at the positions of the hashes h, one hash after the other. It sets out[i] to true if a bit
// of h[i] was clear before, otherwise to false.
func (a *array) insertAll(im impl, l *layout, out []bool, h []Hash) {
	switch {
	case l.size != 0:
		a.bits += uint64(addAllInBlocks(im, out, a.words, h, l))
	case len(h) < few, l.k > scanK && !l.plain(): // the positions of each key are processed as a batch
		for i := range h {
			out[i] = a.insert(l, h[i]) > 0
		}
	case l.plain():
		a.bits += uint64(addAll(im, out, a.words, h, l.shape))
	case len(h)*l.k <= scanK:
		var buf [scanK]uint64
		a.insertBlocks(im, l, out, h, buf[:])
	default:
		var buf [posBlock]uint64
		a.insertBlocks(im, l, out, h, buf[:])
	}
}

// insertBlocks does the same as insertAll, but only if l.plain() is false and k <= scanK. It processes several keys at
// a time, as many as fit in buf with all their positions.
func (a *array) insertBlocks(im impl, l *layout, out []bool, h []Hash, buf []uint64) {
	for len(h) > 0 {
		n := min(len(h), len(buf)/l.k)
		pos := buf[:n*l.k]
		l.derive(im, pos, h[:n])
		prefetch(im, a.words, pos)
		if a.slices != nil {
			a.bits += uint64(addSlicesAt(im, out[:n], a.words, pos, a.slices))
		} else {
			a.bits += uint64(addAt(im, out[:n], a.words, pos, l.k))
		}
		out, h = out[n:], h[n:]
	}
}

// lookUpAll sets out[i] to true if the bits at all positions of the hash h[i] are set, otherwise to false.
func (a *array) lookUpAll(im impl, l *layout, out []bool, h []Hash) {
	switch {
	case l.size != 0:
		containsAllInBlocks(im, out, a.words, h, l)
		return
	case len(h) < few:
		for i := range h {
			out[i] = a.contains(l, h[i])
		}
		return
	}
	if containsAll(im, out, a.words, h, l.shape) > 0 && !l.settled {
		a.settleAll(im, l, out, h)
	}
}

// settleAll completes the look-up of keys in a filter. It is for layouts whose field "settled" is false. The draws of a
// hash are its first k random positions. In such a layout, a draw that equals another draw of the same hash is replaced
// by a further position. Before the call, out[i] is true if the bits at all draws of h[i] are set. If all draws of a
// hash are different, they are its positions. If some are equal, settleAll also reads the bits at the positions of the
// hash.
func (a *array) settleAll(im impl, l *layout, out []bool, h []Hash) {
	if l.k > scanK {
		for i := range h {
			out[i] = out[i] && a.contains(l, h[i])
		}
		return
	}
	var buf [posBlock]uint64
	k := l.k
	for len(h) > 0 {
		n := min(len(h), posBlock/k)
		if slices.Contains(out[:n], true) {
			pos := buf[:n*k]
			positions(im, pos, h[:n], l.shape)
			for i := range n {
				if out[i] && repeats(pos[i*k:(i+1)*k]) {
					out[i] = a.contains(l, h[i])
				}
			}
		}
		out, h = out[n:], h[n:]
	}
}
