package kernel

// ObserveBatch calls Observe for each of the keys in turn and appends the results to dst. If a key occurs twice in the
// batch, the second Observe finds that it is a repeat. The batch is not atomic. Other goroutines may observe keys
// between two keys of the batch.
// Cost: O(k) for each key, and O(m/64) for each recycle; no allocation if k <= 64 and dst has room for the results.
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

// observeAll observes the messages with the hashes h, and sets out[i] to the result for h[i].
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

// observeBlock observes messages with the hashes h, and counts them in the lane l. It stops before the first message
// that could end the cycle, and then returns done = false. The result n is the number of messages that it observed.
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

// The slice h has the hashes of some messages. For each message, the method allIn returns another hash. The message's
// positions in the given cycle are derived from this hash. If keys get new positions in each cycle, allIn computes the
// returned hashes in buf. Otherwise it returns h itself.
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

// ContainsBatch looks up the keys, and appends one result for each key to dst. The batch is not atomic. Other
// goroutines may observe keys between two keys of the batch.
// Cost: O(k) for each key; no allocation if k <= 64 and dst has room for the results.
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

// lookUpBlock sets out[i] to true if the message with hash h[i] would be called a repeat, otherwise to false. All
// look-ups are made in the same cycle. There may be at most hashBlock hashes.
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
