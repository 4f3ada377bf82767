package kernel

// ObserveBatch calls Observe for each of the keys in turn and appends the results to dst: a key that repeats in the
// batch is seen as a repeat. Other goroutines may observe between any two keys.
// Cost: O(k) a key, and O(m/64) a recycle; no allocation when dst has room and k <= 64.
func (c *ConcurrentRecycling) ObserveBatch(dst []Observation, keys Keys) []Observation {
	c.mustBeMade()
	dst, out := extend(dst, keys.n)
	if keys.form == hashKeys {
		c.observeAll(out, keys.hashes())
		return dst
	}
	var buf [hashBlock]Hash
	for len(out) > 0 {
		h := keys.hash(&c.f.hash, c.f.im, buf[:])
		c.observeAll(out[:len(h)], h)
		out, keys = out[len(h):], keys.after(len(h))
	}
	return dst
}

// observeAll sets out[i] to the observation made at the arrival of h[i].
func (c *ConcurrentRecycling) observeAll(out []Observation, h []Hash) {
	if c.f.g.K > scanK { // the positions of one key are processed as a batch
		for i := range h {
			out[i] = c.ObserveHash(h[i])
		}
		return
	}
	for len(h) > 0 {
		l := c.enter()
		n, done := c.observeBlock(l, out, h)
		l.Unlock()
		out, h = out[n:], h[n:]
		if !done {
			out[0] = c.observeAlone(h[0])
			out, h = out[1:], h[1:]
		}
	}
}

// observeBlock observes the first messages of h in the lane l, and returns how many it observed. The result done is
// false when the next message could pass the bound.
func (c *ConcurrentRecycling) observeBlock(l *lane, out []Observation, h []Hash) (n int, done bool) {
	f := &c.f
	k := f.k
	h = h[:min(len(h), posBlock/k, hashBlock)]
	var buf [posBlock]uint64
	var cycle [hashBlock]Hash // the hashes of the messages in one cycle
	var known [hashBlock]bool // whether the frozen array has the message, if positions are fresh
	active, frozen := f.columns()
	if f.r.FreshPositions {
		if f.r.TwoPhase {
			lookUpAllShared(f.im, known[:len(h)], frozen, &f.layout, f.allIn(cycle[:], h, f.cycle-1))
		}
		h = f.allIn(cycle[:], h, f.cycle)
	}
	pos := buf[:len(h)*k]
	f.derive(f.im, pos, h)
	touch(active, pos)
	for i := range h {
		if out[i], done = c.observe(l, pos[i*k:(i+1)*k], known[i]); !done {
			return i, false
		}
	}
	return len(h), true
}

// allIn returns the hashes from which the positions of the hashes h in the given cycle follow. If positions are fresh
// in each cycle, it computes these hashes in buf; otherwise it returns h itself.
func (f *RecyclingFilter) allIn(buf, h []Hash, cycle uint64) []Hash {
	if !f.r.FreshPositions {
		return h
	}
	buf = buf[:len(h)]
	for i := range h {
		buf[i] = h[i].inCycle(cycle)
	}
	return buf
}

// ContainsBatch appends to dst the result of Contains for each of the keys. Other goroutines may observe between any
// two keys.
// Cost: O(k) a key; no allocation when dst has room and k <= 64.
func (c *ConcurrentRecycling) ContainsBatch(dst []bool, keys Keys) []bool {
	c.mustBeMade()
	dst, out := extend(dst, keys.n)
	var buf [hashBlock]Hash
	for len(out) > 0 {
		h := keys.hash(&c.f.hash, c.f.im, buf[:])
		c.lookUpBlock(out[:len(h)], h)
		out, keys = out[len(h):], keys.after(len(h))
	}
	return dst
}

// lookUpBlock sets out[i] to whether an arrival of h[i] would be called a repeat, for at
// most hashBlock messages in one cycle.
func (c *ConcurrentRecycling) lookUpBlock(out []bool, h []Hash) {
	l := c.enter()
	f := &c.f
	var cycle [hashBlock]Hash
	active, frozen := f.columns()
	lookUpAllShared(f.im, out, active, &f.layout, f.allIn(cycle[:], h, f.cycle))
	if f.r.TwoPhase {
		var known [hashBlock]bool
		lookUpAllShared(f.im, known[:len(h)], frozen, &f.layout, f.allIn(cycle[:], h, f.cycle-1))
		for i := range out {
			out[i] = out[i] || known[i]
		}
	}
	l.Unlock()
}
