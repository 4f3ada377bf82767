package interleave

import "unsafe"

// The function "step" executes a synchronising operation on the location p. The goroutine waits until it is scheduled.
// The function "step" returns the cell of the location. In two cases the operation only changes memory, and the
// function "step" returns nil. The first case is a call outside of an exploration. The second case is a call after the
// explorer has abandoned the schedule.
func step(k kind, p unsafe.Pointer) *cell {
	x := active
	if x == nil || x.current == nil || x.abandoned {
		return nil
	}
	g, c := x.current, x.cell(p)
	g.next = op{k, c}
	if !g.yield(struct{}{}) {
		panic(abandoned{})
	}
	g.synchronise(k, c)
	return c
}

type abandoned struct{}

// The method "synchronise" updates the vector clocks as the memory model says, before the operation takes effect. The
// time of a goroutine advances with each of its operations. So the clock of an operation does not include later
// operations of the goroutine, even if another goroutine receives this clock.
func (g *goroutine) synchronise(k kind, c *cell) {
	switch k {
	case load, lock, surely, wait, announce, rlock, update, add:
		g.sync.join(&c.released)
	case drain:
		g.sync.join(&c.readersReleased)
	}
	switch k {
	case load:
		active.access(c, atomicRead)
	case store, update:
		active.access(c, atomicWrite)
	}
	switch k {
	case store, unlock, wunlock, add:
		c.released = g.sync
	case runlock:
		c.readersReleased.join(&g.sync)
	}
	switch k {
	case lock, surely:
		c.held = true
	case unlock:
		if !c.held {
			panic("unlock of unlocked mutex")
		}
		c.held = false
	case announce:
		c.pending = true
	case wunlock:
		if !c.pending {
			panic("unlock of unlocked mutex")
		}
		c.pending = false
	case rlock:
		c.readers++
	case runlock:
		c.readers--
	}
	if k != update { // the time of an update ends when it is known whether it wrote
		g.sync[g.id]++
	}
}

// The method "updated" ends a read-modify-write operation. The argument "wrote" says whether the operation wrote a
// value.
func (c *cell) updated(wrote bool) {
	if c == nil {
		return
	}
	g := active.current
	if wrote {
		c.released = g.sync
	}
	g.sync[g.id]++
}

// Go replaces the go statement.
func Go(do func()) {
	if x := active; x != nil && x.current != nil && !x.abandoned {
		x.start(do)
		return
	}
	do()
}

// Gosched replaces runtime.Gosched. It does nothing, because the exploration already switches goroutines before every
// synchronising operation.
func Gosched() {}

// LoadUint64 is called instead of the function atomic.LoadUint64.
func LoadUint64(p *uint64) uint64 {
	step(load, unsafe.Pointer(p))
	return *p
}

// StoreUint64 is called instead of the function atomic.StoreUint64.
func StoreUint64(p *uint64, v uint64) {
	step(store, unsafe.Pointer(p))
	*p = v
}

// OrUint64 is called instead of the function atomic.OrUint64.
func OrUint64(p *uint64, v uint64) uint64 {
	c := step(update, unsafe.Pointer(p))
	old := *p
	*p |= v
	c.updated(true)
	return old
}

// AddUint64 is called instead of the function atomic.AddUint64.
func AddUint64(p *uint64, v uint64) uint64 {
	c := step(update, unsafe.Pointer(p))
	*p += v
	c.updated(true)
	return *p
}

// CompareAndSwapUint64 is called instead of the function atomic.CompareAndSwapUint64.
func CompareAndSwapUint64(p *uint64, old, v uint64) bool {
	c := step(update, unsafe.Pointer(p))
	same := *p == old
	if same {
		*p = v
	}
	c.updated(same)
	return same
}

// Uint64 is used instead of the type atomic.Uint64.
type Uint64 struct{ v uint64 }

// Load is called instead of the method Load of atomic.Uint64.
func (x *Uint64) Load() uint64 { return LoadUint64(&x.v) }

// Store is called instead of the method Store of atomic.Uint64.
func (x *Uint64) Store(v uint64) { StoreUint64(&x.v, v) }

// Add is called instead of the method Add of atomic.Uint64.
func (x *Uint64) Add(v uint64) uint64 { return AddUint64(&x.v, v) }

// Or is called instead of the method Or of atomic.Uint64.
func (x *Uint64) Or(v uint64) uint64 { return OrUint64(&x.v, v) }

// CompareAndSwap is called instead of the method CompareAndSwap of atomic.Uint64.
func (x *Uint64) CompareAndSwap(old, v uint64) bool { return CompareAndSwapUint64(&x.v, old, v) }

// Bool is used instead of the type atomic.Bool.
type Bool struct{ v uint64 }

// Load is called instead of the method Load of atomic.Bool.
func (x *Bool) Load() bool { return LoadUint64(&x.v) != 0 }

// Store stores v.
func (x *Bool) Store(v bool) {
	n := uint64(0)
	if v {
		n = 1
	}
	StoreUint64(&x.v, n)
}

// Mutex is used instead of the type sync.Mutex.
type Mutex struct{ _ uint64 }

// Lock locks m.
func (m *Mutex) Lock() { step(lock, unsafe.Pointer(m)) }

// Unlock unlocks m.
func (m *Mutex) Unlock() { step(unlock, unsafe.Pointer(m)) }

// TryLock locks m or returns false. The comment of the package says when it returns false.
func (m *Mutex) TryLock() bool {
	x := active
	if x == nil || x.current == nil || x.abandoned {
		return true
	}
	if x.Spurious {
		if Choose(2) == 1 {
			return false
		}
		step(surely, unsafe.Pointer(m))
		return true
	}
	c := step(tryLock, unsafe.Pointer(m))
	if c.held {
		return false // a failed TryLock synchronises with nothing
	}
	c.held = true
	x.current.sync.join(&c.released)
	return true
}

// RWMutex replaces sync.RWMutex. As soon as a goroutine calls Lock, new readers must wait. The goroutine itself waits
// until the present readers have called RUnlock.
type RWMutex struct{ _ uint64 }

// Lock locks m for writing.
func (m *RWMutex) Lock() {
	step(announce, unsafe.Pointer(m))
	step(drain, unsafe.Pointer(m))
}

// Unlock unlocks m for writing.
func (m *RWMutex) Unlock() { step(wunlock, unsafe.Pointer(m)) }

// RLock locks m for reading.
func (m *RWMutex) RLock() { step(rlock, unsafe.Pointer(m)) }

// RUnlock unlocks m for reading.
func (m *RWMutex) RUnlock() { step(runlock, unsafe.Pointer(m)) }

// WaitGroup replaces sync.WaitGroup.
type WaitGroup struct{ _ uint64 }

// Add adds n to the number of goroutines for which Wait waits.
func (w *WaitGroup) Add(n int) {
	if c := step(add, unsafe.Pointer(w)); c != nil {
		c.count += n
	}
}

// Done subtracts 1 from the number of goroutines for which Wait waits.
func (w *WaitGroup) Done() { w.Add(-1) }

// Wait waits until a number of goroutines is 0. The methods Add and Done change this number.
func (w *WaitGroup) Wait() { step(wait, unsafe.Pointer(w)) }
