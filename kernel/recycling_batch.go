package kernel

// ObserveBatch calls Observe for each of the keys in turn and appends the results to dst. If a key occurs twice in the
// batch, the second Observe finds that it is a repeat. If a key of the batch triggers a recycle, the filter calls
// OnRecycle and recycles before it observes the next key.
// Cost: O(k) for each key, and O(m/64) for each recycle. There is no allocation if k <= 64 and dst has room for the
// results.
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
	// observeBlock is the largest number of keys that are observed together. If k = 8, these keys have posBlock
	// positions in total.
	observeBlock = 64
	// observeMin is the smallest number of keys that are looked up in parallel when a recycle is near. A recycle
	// changes the arrays, so the keys that follow in the batch must then be looked up again. So it would waste time to
	// look up more keys in advance.
	observeMin = 8
	// pairBlock is the number of keys that are looked up together in a pair of arrays. It is several times the number
	// of keys on which a pipeline works at the same time.
	pairBlock = 256
)

// observeAll observes the messages with the hashes h, and sets out[i] to the result for h[i].
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

// observeBlocks does the same as observeAll for k <= scanK. It observes the keys in groups. The method blockSize
// returns the size of a group. A group is smaller if pos has no room for the positions of so many keys.
func (f *RecyclingFilter) observeBlocks(out []Observation, h []Hash, pos []uint64) {
	b := observer{pos: pos}
	for len(h) > 0 {
		n := f.observe(&b, out, h[:min(len(h), f.blockSize(), len(pos)/f.g.K)])
		out, h = out[n:], h[n:]
	}
}

// blockSize returns the number of keys that are to be observed together, as one block. A recycle ends a block, because
// look-ups made before the recycle are no longer valid. So blocks are short when a recycle may be near.
func (f *RecyclingFilter) blockSize() int {
	room := f.room()
	if f.r.Messages == 0 {
		room /= uint64(f.g.K)
	}
	return int(min(max(observeMin, room), observeBlock))
}

// An observer has the memory that is needed to observe one block of messages. It has the positions of these messages in
// the active array. For each message it says whether the bits at all its positions were set when the block began. It
// says this for the active array and for the frozen array.
type observer struct {
	pos    []uint64
	both   [observeBlock]uint8 // for a pair of arrays: bit s says whether array s has the key
	active [observeBlock]bool
	frozen [observeBlock]bool
}

// The method "observe" records the arrivals of the messages h[0], h[1], ... in this order. It sets out[i] to the
// observation of h[i]. It stops after a message that made the filter recycle, and returns the number of messages that
// it recorded.
//
// It first looks up all messages, in parallel. Within a cycle no bit is cleared, and the frozen array does not change.
// So a bit that was set at the look-up is still set when the message is observed. Therefore a message that was found in
// the active array needs no second look-up there. Any other message may need one, because earlier messages of the batch
// may have set its bits.
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

// lookAhead sets pos to the positions of the messages h in the active array. It records in b whether each message is in
// the active array, and whether it is in the frozen array. A message is in an array if the bits at all its positions
// are set there.
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

// inAll sets buf[i] to the hash from which the positions of h[i] in the given cycle are derived. It returns buf. It is
// used if messages have new positions in each cycle.
func (f *RecyclingFilter) inAll(buf, h []Hash, cycle uint64) []Hash {
	for i := range h {
		buf[i] = f.in(h[i], cycle)
	}
	return buf
}

// activeHas reports whether the bits at all positions in pos are set in the active array.
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
// Cost: O(k) for each key. There is no allocation if k <= 64 and dst has room for the results.
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

// lookUpAll sets out[i] to the result of ContainsHash(h[i]).
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
