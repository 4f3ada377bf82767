package kernel

// AddBatch calls Add for each of the keys in turn and appends the results to dst. If a key occurs twice in the batch,
// the second Add finds it in the filter. AddBatch reads the bits of many keys at the same time.
// Cost: O(k) for each key; no allocation if k <= 64 and dst has room for the results.
func (f *ConcurrentFilter) AddBatch(dst []bool, keys Keys) []bool {
	f.f.mustBeMade()
	dst, out := extend(dst, keys.n)
	if keys.form == hashKeys {
		f.insertAll(out, keys.hashes())
		return dst
	}
	var buf [hashBlock]Hash
	for len(out) > 0 {
		h := keys.hash(&f.f.hash, f.f.im, buf[:])
		f.insertAll(out[:len(h)], h)
		out, keys = out[len(h):], keys.after(len(h))
	}
	return dst
}

// insertAll adds the hashes h, one after the other. It sets out[i] to the result that AddHash would return for h[i].
func (f *ConcurrentFilter) insertAll(out []bool, h []Hash) {
	l := &f.f.layout
	if l.size != 0 {
		for len(h) > 0 {
			n := min(len(h), farBlock)
			touchBlocks(f.column(), l, h[:n])
			var all uint64
			for i := range n {
				fresh := setBlockShared(f.f.words, l, h[i])
				out[i] = fresh > 0
				all += fresh
			}
			f.fresh.add(all)
			out, h = out[n:], h[n:]
		}
		return
	}
	k := l.k
	if k > scanK { // the positions of each key are processed as a batch
		for i := range h {
			out[i] = f.AddHash(h[i])
		}
		return
	}
	var buf [posBlock]uint64
	for len(h) > 0 {
		n := min(len(h), posBlock/k)
		pos := buf[:n*k]
		l.derive(f.f.im, pos, h[:n])
		touch(f.column(), pos)
		var all uint64
		for i := range n {
			fresh := setAllShared(f.f.words, pos[i*k:(i+1)*k])
			out[i] = fresh > 0
			all += fresh
		}
		f.fresh.add(all)
		out, h = out[n:], h[n:]
	}
}

// ContainsBatch appends to dst the result of Contains for each of the keys.
// Cost: O(k) for each key; no allocation if k <= 64 and dst has room for the results.
func (f *ConcurrentFilter) ContainsBatch(dst []bool, keys Keys) []bool {
	f.f.mustBeMade()
	dst, out := extend(dst, keys.n)
	if keys.form == hashKeys {
		lookUpAllShared(f.f.im, out, f.column(), &f.f.layout, keys.hashes())
		return dst
	}
	var buf [hashBlock]Hash
	for len(out) > 0 {
		h := keys.hash(&f.f.hash, f.f.im, buf[:])
		lookUpAllShared(f.f.im, out[:len(h)], f.column(), &f.f.layout, h)
		out, keys = out[len(h):], keys.after(len(h))
	}
	return dst
}
