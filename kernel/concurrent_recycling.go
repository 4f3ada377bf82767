package kernel

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// ConcurrentRecycling is a RecyclingFilter that any number of goroutines may use at once. Use NewRecycling and
// RecyclingFilter.Concurrent. Used by one goroutine it does what a RecyclingFilter does, bit for bit.
//
// A recycle has exclusive use of the filter, so every observation belongs to one cycle as a whole. Within a cycle:
//
//   - A message that was recorded in the active array is a repeat for every later Observe and Contains: for each one
//     that begins after the recording Observe returned (in the sense of Go's memory model).
//   - The bits are set one by one. Among all observations that set a bit, exactly one set it first and has it in
//     NewBits; an observation is Active if it was first for none. If several goroutines observe one new message at the
//     same time, at least one is told that it is new. With k = 1 exactly one is; otherwise several may be, each having
//     set other bits, and each of these counts as a message.
//   - Frozen says what the frozen array holds, which does not change within a cycle.
//
// The recycles are exactly those of a RecyclingFilter. An observation that could pass the bound, because fewer than k
// bits or no message are left, takes exclusive use of the filter. So one trigger ends a cycle: its N-th bit-setting
// message, or the message whose bits passed sigma. No other arrival comes between the trigger's observation and the
// recycle. Only the trigger is retained, and FreezeBefore leaves out only the trigger's bits. The CycleState is exact.
// The bits of a cycle are those of its messages, in whatever order they came.
//
// A method that takes exclusive use waits for the observations under way, and others wait for it. That costs O(1) for
// each processor, and O(m/64) where the arrays are cleared or copied. Setting a bit costs more than in a
// RecyclingFilter: with two processors and arrays that fit their caches, a RecyclingFilter behind a mutex is no slower.
type ConcurrentRecycling struct {
	f     RecyclingFilter // when all lanes are locked, its counts are those of its bits
	need  uint64          // room that a message may take
	lanes []lane

	// A goroutine that wants all lanes locks gate for writing and sets closed; others then wait at the gate. Without
	// the gate, a lane that is released would be taken again before the goroutine that waits for it runs, for every
	// lane.
	gate   sync.RWMutex
	closed atomic.Bool

	_    [linePair]byte
	room atomic.Uint64 // what no lane has taken
}

// A lane is where goroutines enter. While a goroutine holds a lane it may set bits in the active array, and no other
// goroutine recycles. The lane's counts hold what was done under it since all lanes were last locked. To recycle is to
// hold all lanes.
//
// Room is the number of bits, or of messages, that the cycle can still take without passing the bound. A lane takes
// portions of the filter's room, and records a message only when its own room suffices for any message. So only the
// holder of all lanes can pass a bound, and the lanes rarely contend.
type lane struct {
	laneState
	_ [(linePair - unsafe.Sizeof(laneState{})%linePair) % linePair]byte
}

type laneState struct {
	sync.Mutex
	room            uint64
	active, overlap counts
	messages        uint64
	arrivals        uint64
}

// Concurrent returns f as a filter that many goroutines may use. It takes over f's memory: f must not be used
// afterwards and then behaves as if no constructor had made it. To keep f, use f.Clone().Concurrent(). OnRecycle is
// then called by the goroutine whose observation triggers the recycle, by one goroutine at a time. It must not use the
// filter, which waits for it. Memory: 128 bytes, and 16k more for Partitioned, for each processor; their number is
// rounded up to a power of two, at most 64.
// Cost: O(1).
func (f *RecyclingFilter) Concurrent() *ConcurrentRecycling {
	f.mustBeMade()
	c := &ConcurrentRecycling{f: *f, need: 1, lanes: make([]lane, parts())}
	*f = RecyclingFilter{}
	if c.f.r.Messages == 0 {
		c.need = uint64(c.f.g.K)
	}
	for i := range c.lanes {
		c.lanes[i].active, c.lanes[i].overlap = c.f.newCounts(), c.f.newCounts()
	}
	c.room.Store(c.f.room())
	return c
}

// Filter returns a copy as a RecyclingFilter, for snapshots: the state between two observations, with the same
// OnRecycle. It takes exclusive use of the filter.
// Cost: O(m/64).
func (c *ConcurrentRecycling) Filter() (f *RecyclingFilter) {
	c.mustBeMade()
	c.alone(func() { f = c.f.Clone() })
	return f
}

// mustBeMade panics for a filter that no constructor made.
func (c *ConcurrentRecycling) mustBeMade() {
	if c.lanes == nil {
		panic("kernel: a filter must be made by NewRecycling and RecyclingFilter.Concurrent")
	}
}

// enter locks and returns a lane: the lane of the goroutine's place, or the next free one.
func (c *ConcurrentRecycling) enter() *lane {
	c.mustBeMade()
	if c.closed.Load() {
		c.gate.RLock()
		//lint:ignore SA2001 all that is wanted is to have waited
		c.gate.RUnlock()
	}
	at := place(len(c.lanes))
	for i := range c.lanes {
		if l := &c.lanes[(at+i)&(len(c.lanes)-1)]; l.TryLock() {
			return l
		}
	}
	l := &c.lanes[at]
	l.Lock()
	return l
}

// alone calls do while no other goroutine is inside. c.f then has all observations, as if it had made them itself.
func (c *ConcurrentRecycling) alone(do func()) {
	c.gate.Lock()
	c.closed.Store(true)
	for i := range c.lanes {
		c.lanes[i].Lock()
		c.lanes[i].settle(&c.f)
	}
	defer func() {
		c.room.Store(c.f.room())
		for i := range c.lanes {
			c.lanes[i].Unlock()
		}
		c.closed.Store(false)
		c.gate.Unlock()
	}()
	do()
}

// settle moves the lane's counts to f and gives up its room.
func (l *lane) settle(f *RecyclingFilter) {
	l.room = 0
	l.active.moveTo(&f.active.counts)
	l.overlap.moveTo(&f.overlap)
	f.messages += l.messages
	f.arrivals += l.arrivals
	l.messages, l.arrivals = 0, 0
}

// roomShare says how much of the room a lane takes at a time: one part in roomShare of its equal share among all lanes.
// So lanes that come later find room, and each lane asks for room a few dozen times in a cycle.
const roomShare = 4

// reserve makes sure that l has room for a message, and reports whether it has.
func (c *ConcurrentRecycling) reserve(l *lane) bool {
	for l.room < c.need {
		left := c.room.Load()
		if left < c.need {
			return false
		}
		portion := max(c.need, left/uint64(roomShare*len(c.lanes)))
		if c.room.CompareAndSwap(left, left-portion) {
			l.room += portion
		}
	}
	return true
}

// Hasher returns the hasher of the filter's keys.
func (c *ConcurrentRecycling) Hasher() Hasher { return c.f.hash }

// Observe classifies the arrival of key as a repeat or new, records it, and recycles when the rule says so.
// Cost: O(k), and O(m/64) at a recycle.
func (c *ConcurrentRecycling) Observe(key []byte) Observation {
	return c.ObserveHash(c.f.hash.hash(key))
}

// ObserveHash is Observe for a ready-made hash.
func (c *ConcurrentRecycling) ObserveHash(h Hash) Observation {
	l := c.enter()
	f := &c.f
	var buf [scanK]uint64
	pos := f.appendPositions(buf[:0], f.in(h, f.cycle))
	known := f.r.FreshPositions && c.freshFrozen(h)
	o, done := c.observe(l, pos, known)
	l.Unlock()
	if !done {
		o = c.observeAlone(h)
	}
	return o
}

// freshFrozen reports whether the frozen array has h when positions are fresh.
func (c *ConcurrentRecycling) freshFrozen(h Hash) bool {
	f := &c.f
	_, frozen := f.columns()
	return f.r.TwoPhase && containsShared(frozen, &f.layout, f.in(h, f.cycle-1))
}

// observe observes a message in the lane l. If that could pass the bound, it does nothing and returns done = false. pos
// are the message's positions in the active array. known says whether the frozen array has the message, if positions
// are fresh.
func (c *ConcurrentRecycling) observe(l *lane, pos []uint64, known bool) (o Observation, done bool) {
	f := &c.f
	active, frozen := f.columns()
	o.Active, o.Frozen = containsAllShared(active, pos), known
	if f.pair != nil {
		o.Frozen = containsAllShared(frozen, pos)
	}
	if !o.Active && !(o.Frozen && f.r.NoCopyOver) {
		if !c.reserve(l) {
			return o, false
		}
		for j, p := range pos {
			if setShared(active.word(p), p) == 0 {
				continue
			}
			o.NewBits++
			l.active.add(j, 1)
			if f.pair != nil {
				l.overlap.add(j, getShared(frozen.word(p), p))
			}
		}
		o.Active = o.NewBits == 0 // others were faster
		l.recorded(f, o.NewBits)
	}
	l.arrivals++
	return o, true
}

// recorded counts a message that was the first to set the given number of bits.
func (l *lane) recorded(f *RecyclingFilter, fresh uint64) {
	if fresh == 0 {
		return
	}
	l.messages++
	if f.r.Messages == 0 {
		l.room -= fresh
	} else {
		l.room--
	}
}

// observeAlone observes h while no other goroutine is inside.
func (c *ConcurrentRecycling) observeAlone(h Hash) (o Observation) {
	c.alone(func() { o = c.f.ObserveHash(h) })
	return o
}

// Contains reports whether Observe would call key a repeat.
func (c *ConcurrentRecycling) Contains(key []byte) bool { return c.ContainsHash(c.f.hash.hash(key)) }

// ContainsHash is Contains for a ready-made hash.
func (c *ConcurrentRecycling) ContainsHash(h Hash) bool {
	l := c.enter()
	f := &c.f
	active, frozen := f.columns()
	known := containsShared(active, &f.layout, f.in(h, f.cycle)) ||
		f.r.TwoPhase && containsShared(frozen, &f.layout, f.in(h, f.cycle-1))
	l.Unlock()
	return known
}

// State returns the state of the present cycle, between two observations. Like Rate, String and Filter it takes
// exclusive use of the filter.
// Cost: O(1) for each processor.
func (c *ConcurrentRecycling) State() (s CycleState) {
	c.alone(func() { s = c.f.State() })
	return s
}

// Rate returns the probability that a message that never arrived before is called a repeat, given the present bits, as
// RecyclingFilter.Rate does.
// Cost: that of State and of RecyclingFilter.Rate.
func (c *ConcurrentRecycling) Rate() (r float64) {
	c.alone(func() { r = c.f.Rate() })
	return r
}

// String returns the geometry, the rule, the scheme and the state of the cycle.
func (c *ConcurrentRecycling) String() (s string) {
	c.alone(func() { s = c.f.String() })
	return s
}
