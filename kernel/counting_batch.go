package kernel

// AddBatch calls Add for each of the keys in turn and appends the results to dst. If a key occurs twice in the batch,
// the second Add finds it in the filter. In filters larger than the caches AddBatch is faster than single calls of Add.
// The reason is that it reads the counters of many keys at the same time.
// Cost: O(k) for each key. If dst has room for the results, there is no allocation.
func (f *CountingFilter) AddBatch(dst []bool, keys Keys) []bool {
	mustBeMade(f.words)
	dst, out := extend(dst, keys.n)
	if keys.form == hashKeys {
		f.addAll(out, keys.hashes())
		return dst
	}
	var buf [hashBlock]Hash
	for len(out) > 0 {
		h := keys.hash(&f.hash, f.im, buf[:])
		f.addAll(out[:len(h)], h)
		out, keys = out[len(h):], keys.after(len(h))
	}
	return dst
}

// ContainsBatch appends to dst the result of Contains for each of the keys.
// Cost: O(k) for each key. If dst has room for the results, there is no allocation.
func (f *CountingFilter) ContainsBatch(dst []bool, keys Keys) []bool {
	mustBeMade(f.words)
	dst, out := extend(dst, keys.n)
	if keys.form == hashKeys {
		f.lookUpAll(out, keys.hashes())
		return dst
	}
	var buf [hashBlock]Hash
	for len(out) > 0 {
		h := keys.hash(&f.hash, f.im, buf[:])
		f.lookUpAll(out[:len(h)], h)
		out, keys = out[len(h):], keys.after(len(h))
	}
	return dst
}

// addAll increments the counters of the keys with hashes h, one key after the other. It sets out[i] to true if one of
// the counters of h[i] was 0, otherwise to false.
func (f *CountingFilter) addAll(out []bool, h []Hash) {
	if f.g.K > scanK { // the positions of one key are processed as a batch
		for i := range h {
			out[i] = f.AddHash(h[i])
		}
		return
	}
	var buf [posBlock]uint64
	for len(h) > 0 {
		n := min(len(h), posBlock/f.g.K)
		pos := buf[:n*f.g.K]
		f.derive(f.im, pos, h[:n])
		f.place(pos)
		prefetch(f.im, f.words, pos)
		for i := range n {
			out[i] = f.increase(f.distinct(pos[i*f.g.K : (i+1)*f.g.K]))
		}
		out, h = out[n:], h[n:]
	}
}

// lookUpAll sets out[i] to true if no counter of h[i] is 0, otherwise to false.
func (f *CountingFilter) lookUpAll(out []bool, h []Hash) {
	if f.g.K > scanK || len(f.words) <= closeWords {
		for i := range h {
			out[i] = f.ContainsHash(h[i])
		}
		return
	}
	var buf, ask [posBlock]uint64
	for len(h) > 0 {
		n := min(len(h), posBlock/f.g.K)
		pos := buf[:n*f.g.K]
		f.draw(f.im, pos, h[:n])
		f.place(pos)
		f.lookUpBlock(out[:n], pos, ask[:])
		if !f.settled {
			for i := range n {
				// The draws of a key are its first k random positions. The slice pos holds the draws of each key. If
				// the draws of a key are all different, they are its positions.
				out[i] = out[i] && (!repeats(pos[i*f.g.K:(i+1)*f.g.K]) || f.containsPositions(h[i]))
			}
		}
		out, h = out[n:], h[n:]
	}
}

// In an array of at most closeWords words, single look-ups are as fast as batch look-ups. This number of words takes 1
// MiB, which is the size of the L2 cache on the measured hosts. Reads from an array of this size hardly wait for
// memory.
const closeWords = 1 << 17

// A batch look-up first reads firstProbes counters of each key. It reads the other counters of the key only if none of
// these is 0. For example, suppose that half of all counters are above 0. Then a look-up reads the other counters for
// only a quarter of the absent keys.
const firstProbes = 2

// lookUpBlock sets out[i] to true if no counter of key i is 0, otherwise to false. These counters begin at the bits
// places[i*k:(i+1)*k]. The slice "ask" is a buffer. It is as long as the slice "places".
func (f *CountingFilter) lookUpBlock(out []bool, places, ask []uint64) {
	k := f.g.K
	first := min(k, firstProbes)
	asked := ask[:0]
	for i := range out {
		asked = append(asked, places[i*k:i*k+first]...)
	}
	prefetch(f.im, f.words, asked)
	asked = ask[:0]
	for i := range out {
		out[i] = f.above(places[i*k : i*k+first])
		if out[i] {
			asked = append(asked, places[i*k+first:(i+1)*k]...)
		}
	}
	prefetch(f.im, f.words, asked)
	for i := range out {
		out[i] = out[i] && f.above(places[i*k+first:(i+1)*k])
	}
}

// The function call f.above(places) reports whether no counter of one key is 0. The slice "places" has the bit offsets
// of these counters.
func (f *CountingFilter) above(places []uint64) bool {
	for _, i := range places {
		if f.at(i) == 0 {
			return false
		}
	}
	return true
}
