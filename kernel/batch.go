package kernel

import "slices"

// A batch of keys is processed piece by piece. The hashes and positions of a piece are in arrays on the stack. An array
// must be big enough to keep many memory reads in flight at the same time. It must also be small enough to stay in the
// L1 cache (32 KiB), and zeroing it must take less time than processing one key.
const (
	// hashBlock is the number of keys hashed at a time. Their hashes take 2 KiB; zeroing them costs less than 1 ns a
	// key.
	hashBlock = 128
	// hashFew is the largest batch that is hashed in a smaller array, of 256 bytes. For so few keys the zeroing of 2
	// KiB is noticeable: with eight keys, each takes 12.9 ns with the large array and 11.3 ns with the small one.
	hashFew = 16
	// hashMany is the smallest batch that is hashed in a larger array, of 16 KiB. A batch look-up in a filter larger
	// than the L2 cache works on 64 to 96 keys at the same time. If it got only 128 keys at a time, it would spend most
	// of its time on starting and finishing.
	hashMany = 1024
	// posBlock is the number of positions derived at a time; they take 4 KiB. They are the positions of 8 to 512 keys.
	// Reading the bits at all of them takes more memory reads than the processor can have in flight.
	posBlock = 512
	// scanK is the largest number of positions of one key that fits into the buffers on the stack (512 bytes). Keys
	// with at most scanK positions need no allocation. A key with more positions is processed as a batch by itself.
	scanK = 64
	// shortK is the largest number of positions of one key for which a look-up uses a buffer of 128 bytes. Zeroing 512
	// bytes is noticeable: a look-up in a ConcurrentFilter of 32 KiB takes 40 ns with a buffer of 512 bytes and 31 ns
	// with one of 128.
	shortK = 16
	// The constant few is the smallest batch that is processed as a batch; the keys of smaller batches are processed
	// one by one. An AVX2 vector holds one position of each of four keys; with fewer keys some of its lanes are idle.
	few = 4
)

// extend lengthens dst by n elements. It returns the whole slice, and the part that has the n new elements.
func extend[T any](dst []T, n int) (all, more []T) {
	all = slices.Grow(dst, n)[:len(dst)+n]
	return all, all[len(dst):]
}

// AddBatch calls Add for each of the keys in turn and appends the results to dst: a key that repeats in the batch is
// seen as a repeat. AddBatch is several times as fast as single calls, because the reads of many keys are under way at
// once.
// Cost: O(k) a key; no allocation when dst has room and k <= 64.
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
// Cost: O(k) a key; no allocation when dst has room and k <= 64.
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

// lookUpKeys hashes the keys into buf, and sets out[i] to whether the filter contains key i.
func (f *Filter) lookUpKeys(out []bool, keys Keys, buf []Hash) {
	for len(out) > 0 {
		h := keys.hash(&f.hash, f.im, buf)
		f.lookUpAll(f.im, &f.layout, out[:len(h)], h)
		out, keys = out[len(h):], keys.after(len(h))
	}
}

// insertAll sets the bits at the positions of the hashes h, one hash after the other, and sets out[i] to whether a bit
// of h[i] was clear before.
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

// insertBlocks does the same as insertAll, but only for layouts that are not plain (layout.plain) and for k <= scanK.
// It processes as many keys at a time as buf has room for positions.
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

// lookUpAll sets out[i] to whether the bits at all positions of the hash h[i] are set.
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

// settleAll completes a look-up in a layout in which a position that repeats is replaced by another (layout.settled is
// false). The draws of a hash are its positions before any is replaced. On entry out[i] says whether the bits at all
// draws of h[i] are set. If no draw of a hash repeats, its draws are its positions; otherwise settleAll looks at the
// positions too.
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
