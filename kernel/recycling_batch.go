package kernel

// ObserveBatch calls Observe for each of the keys in turn and appends the results to dst. A key that repeats in the
// batch is seen as a repeat. The filter recycles, and calls OnRecycle, at the arrival that triggers it.
// Cost: O(k) a key, and O(m/64) a recycle; no allocation when dst has room and k <= 64.
func (f *RecyclingFilter) ObserveBatch(dst []Observation, keys Keys) []Observation {
	f.mustBeMade()
	dst, out := extend(dst, keys.n)
	switch {
	case keys.form == hashKeys:
		f.observeAll(out, keys.hashes())
	case keys.n < few:
		for i := range out {
			out[i] = f.ObserveHash(keys.hashAt(&f.hash, i))
		}
	default:
		f.observeKeys(out, keys)
	}
	return dst
}

func (f *RecyclingFilter) observeKeys(out []Observation, keys Keys) {
	if len(out) <= hashFew {
		var buf [hashFew]Hash
		f.observeAll(out, keys.hash(&f.hash, f.im, buf[:]))
		return
	}
	var buf [hashBlock]Hash
	for len(out) > 0 {
		h := keys.hash(&f.hash, f.im, buf[:])
		f.observeAll(out[:len(h)], h)
		out, keys = out[len(h):], keys.after(len(h))
	}
}

const (
	// observeBlock is the largest number of keys that are observed at a time. With k = 8 their positions fill posBlock.
	observeBlock = 64
	// observeMin is the smallest number of keys that are looked up in parallel when a recycle is near. The keys that
	// follow the recycle in the batch must be looked up again, so looking up more keys beforehand would be wasted work.
	observeMin = 8
	// pairBlock is the number of keys that are looked up in a pair of arrays at a time. It is enough to fill the ring
	// of a pipeline a few times.
	pairBlock = 256
)

// observeAll sets out[i] to the observation made at the arrival of h[i].
func (f *RecyclingFilter) observeAll(out []Observation, h []Hash) {
	switch {
	case f.g.K > scanK || len(h) < few:
		for i := range h {
			out[i] = f.ObserveHash(h[i])
		}
	case len(h)*f.g.K <= scanK:
		var pos [scanK]uint64
		f.observeBlocks(out, h, pos[:])
	default:
		var pos [posBlock]uint64
		f.observeBlocks(out, h, pos[:])
	}
}

// observeBlocks does the same as observeAll for k <= scanK. It processes as many keys at a time as blockSize returns,
// or fewer if pos has too little room.
func (f *RecyclingFilter) observeBlocks(out []Observation, h []Hash, pos []uint64) {
	b := observer{pos: pos}
	for len(h) > 0 {
		n := f.observe(&b, out, h[:min(len(h), f.blockSize(), len(pos)/f.g.K)])
		out, h = out[n:], h[n:]
	}
}

// blockSize returns the number of keys to observe at a time. A recycle ends a block, because earlier look-ups are then
// out of date. So blocks are short when a recycle is near.
func (f *RecyclingFilter) blockSize() int {
	room := f.room()
	if f.r.Messages == 0 {
		room /= uint64(f.g.K)
	}
	return int(min(max(observeMin, room), observeBlock))
}

// observer is the memory for processing a block of arrivals. It holds their positions in the active array, and says
// which arrivals had all positions set in each array when the block began.
type observer struct {
	pos    []uint64
	both   [observeBlock]uint8 // for a pair of arrays: bit s says whether array s has the key
	active [observeBlock]bool
	frozen [observeBlock]bool
}

// observe records the arrivals h[0], h[1], ... and sets out[i] to the observation at h[i]. It stops after an arrival
// that made the filter recycle, and returns the number of arrivals recorded.
//
// All arrivals are looked up first, in parallel. Within a cycle bits are only set, and the frozen array does not
// change. So a position that was set at the look-up is still set when the key is observed. Only a key that was not in
// the active array must be looked up again.
func (f *RecyclingFilter) observe(b *observer, out []Observation, h []Hash) int {
	k := f.g.K
	pos := b.pos[:len(h)*k]
	f.lookAhead(b, pos, h)
	for i := range h {
		f.arrivals++
		o := Observation{Active: b.active[i], Frozen: b.frozen[i]}
		at := pos[i*k : (i+1)*k]
		switch {
		case o.Active:
		case o.Frozen && f.r.NoCopyOver:
			o.Active = f.activeHas(at)
		case f.r.FreezeBefore && f.ending():
			o = f.recordListed(o, h[i], at)
		case f.pair != nil:
			o.NewBits = f.pairInsertAt(at).fresh()
			o = f.recorded(o, h[i], nil)
		default:
			o.NewBits = f.active.insertAt(at)
			o = f.recorded(o, h[i], nil)
		}
		out[i] = o
		if o.Recycled {
			return i + 1
		}
	}
	return len(h)
}

// lookAhead sets pos to the positions of the hashes h in the active array. It records in b which hashes have all
// positions set in the active array, and which have all set in the frozen array.
func (f *RecyclingFilter) lookAhead(b *observer, pos []uint64, h []Hash) {
	n := len(h)
	switch {
	case f.pair != nil:
		f.derive(f.im, pos, h)
		containsPairAt(f.im, b.both[:n], f.pair, pos, f.g.K)
		for i, both := range b.both[:n] {
			b.active[i] = both>>f.side&1 != 0
			b.frozen[i] = both>>(f.side^1)&1 != 0
		}
		return
	case f.r.FreshPositions:
		var buf [observeBlock]Hash
		if f.r.TwoPhase {
			f.frozen.lookUpAll(f.im, &f.layout, b.frozen[:n], f.inAll(buf[:n], h, f.cycle-1))
		}
		f.derive(f.im, pos, f.inAll(buf[:n], h, f.cycle))
	default:
		f.derive(f.im, pos, h)
	}
	containsAt(f.im, b.active[:n], f.active.words, pos, f.g.K)
}

// inAll sets buf[i] to the hash from which the positions of h[i] in the given cycle follow when positions are fresh,
// and returns buf.
func (f *RecyclingFilter) inAll(buf, h []Hash, cycle uint64) []Hash {
	for i := range h {
		buf[i] = f.in(h[i], cycle)
	}
	return buf
}

// activeHas reports whether the bits at pos are all set in the active array.
func (f *RecyclingFilter) activeHas(pos []uint64) bool {
	active, _ := f.columns()
	for _, p := range pos {
		if *active.word(p)>>(p&63)&1 == 0 {
			return false
		}
	}
	return true
}

// ContainsBatch appends to dst the result of Contains for each of the keys.
// Cost: O(k) a key; no allocation when dst has room and k <= 64.
func (f *RecyclingFilter) ContainsBatch(dst []bool, keys Keys) []bool {
	f.mustBeMade()
	dst, out := extend(dst, keys.n)
	switch {
	case keys.form == hashKeys:
		f.lookUpAll(out, keys.hashes())
	case keys.n < few:
		for i := range out {
			out[i] = f.ContainsHash(keys.hashAt(&f.hash, i))
		}
	default:
		f.containsKeys(out, keys)
	}
	return dst
}

func (f *RecyclingFilter) containsKeys(out []bool, keys Keys) {
	if len(out) <= hashFew {
		var buf [hashFew]Hash
		f.lookUpAll(out, keys.hash(&f.hash, f.im, buf[:]))
		return
	}
	var buf [hashBlock]Hash
	for len(out) > 0 {
		h := keys.hash(&f.hash, f.im, buf[:])
		f.lookUpAll(out[:len(h)], h)
		out, keys = out[len(h):], keys.after(len(h))
	}
}

// lookUpAll sets out[i] to whether an arrival of h[i] would be called a repeat.
func (f *RecyclingFilter) lookUpAll(out []bool, h []Hash) {
	switch {
	case len(h) < few:
		for i := range h {
			out[i] = f.ContainsHash(h[i])
		}
	case f.pair != nil:
		f.lookUpPair(out, h)
	case !f.r.FreshPositions:
		f.active.lookUpAll(f.im, &f.layout, out, h)
	default:
		f.lookUpFresh(out, h)
	}
}

func (f *RecyclingFilter) lookUpPair(out []bool, h []Hash) {
	var both [pairBlock]uint8
	for len(h) > 0 {
		n := min(len(h), len(both))
		containsPair(f.im, both[:n], f.pair, h[:n], f.shape)
		for i, in := range both[:n] {
			out[i] = in != 0 && (f.settled || pairHas(f.pair, &f.layout, h[i]) != 0)
		}
		out, h = out[n:], h[n:]
	}
}

func (f *RecyclingFilter) lookUpFresh(out []bool, h []Hash) {
	var buf [hashBlock]Hash
	var frozen [hashBlock]bool
	for len(h) > 0 {
		n := min(len(h), hashBlock)
		f.active.lookUpAll(f.im, &f.layout, out[:n], f.inAll(buf[:n], h[:n], f.cycle))
		if f.r.TwoPhase {
			f.frozen.lookUpAll(f.im, &f.layout, frozen[:n], f.inAll(buf[:n], h[:n], f.cycle-1))
			for i, in := range frozen[:n] {
				out[i] = out[i] || in
			}
		}
		out, h = out[n:], h[n:]
	}
}
