package kernel

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// ConcurrentRecycling is a RecyclingFilter that any number of goroutines may use at once. Use NewRecycling and
// RecyclingFilter.Concurrent. If only one goroutine uses it, it does what a RecyclingFilter does, bit for bit.
//
// A recycle has exclusive use of the filter, so no observation extends over two cycles. Within a cycle:
//
//   - Once an Observe has recorded a message in the active array and has returned, every later Observe or Contains
//     calls the message a repeat. ("Later" has the sense of Go's memory model.)
//   - The bits are set one by one. If several observations set the same bit, exactly one of them set it first, and
//     counts it in NewBits. An observation is Active if it was the first to set none of its bits. If several goroutines
//     observe one new message at the same time, at least one is told that it is new. With k = 1 exactly one of them is
//     told so. With larger k several may be, because each of them was the first to set a different bit; each then
//     counts as a message.
//   - Frozen reports whether the frozen array has the message. The frozen array does not change within a cycle.
//
// The filter recycles exactly when a RecyclingFilter would. The bound of the rule is a number of messages or of set
// bits. An observation that could pass the bound takes exclusive use of the filter. So exactly one message, the
// trigger, ends a cycle. If N messages are the bound, the trigger is the N-th message that sets a bit; if sigma set
// bits are the bound, it is the message that brings their number above sigma. No other arrival comes between the
// observation of the trigger and the recycle. The trigger is the only message that a rule can retain, and the only one
// whose bits FreezeBefore leaves out. The CycleState has exact counts. The bits of a cycle are the bits of its
// messages, in whatever order they came.
//
// A method that takes exclusive use waits for the observations under way, and other methods wait for it. Taking
// exclusive use costs O(1) for each processor. Clearing or copying the arrays costs O(m/64) in addition. Setting a bit
// costs more than in a RecyclingFilter. With two processors and arrays that fit in their caches, a RecyclingFilter
// behind a mutex is equally fast.
type ConcurrentRecycling struct {
	f     RecyclingFilter // its counts agree with its bits while all lanes are locked
	need  uint64          // the largest amount of room that one message can take
	lanes []lane

	// A goroutine that wants to lock all lanes first locks gate for writing and sets closed; other goroutines then wait
	// for gate. Without gate, they would take each released lane again before the goroutine that waits for it runs.
	gate   sync.RWMutex
	closed atomic.Bool

	_    [linePair]byte
	room atomic.Uint64 // the room that no lane has taken
}

// Each lane of the filter has a lock, and a goroutine uses the filter only while it holds a lane. Meanwhile it may set
// bits in the active array, and no other goroutine recycles, because a goroutine that recycles holds all lanes. The
// lane counts what the goroutines that held it have done since all lanes were last locked.
//
// The filter's room is the number of bits, or of messages, that the cycle can still take without passing the bound. A
// lane reserves portions of this room for itself. A goroutine that holds one lane records a message only when the
// lane's own room suffices for any message. So only a goroutine that holds all lanes can pass the bound, and goroutines
// rarely wait for each other.
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

// Concurrent returns f as a filter that many goroutines may use. It takes over f's memory. After the call f must not be
// used: it behaves like a filter that no constructor made. To keep f, use f.Clone().Concurrent(). OnRecycle is then
// called by the goroutine whose observation triggers the recycle. Calls of OnRecycle never overlap. OnRecycle must not
// use the filter, because the filter waits for OnRecycle to return. Memory: 128 bytes for each processor, and 16k bytes
// more for Partitioned. The number of processors is rounded up to a power of two, at most 64.
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

// Filter returns a copy as a RecyclingFilter, for snapshots. The copy has the state of the filter between two
// observations, and the same OnRecycle. It takes exclusive use of the filter.
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

// enter locks a lane and returns it. It looks for a free lane, beginning with the lane that the function place gives
// for this goroutine.
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

// The method alone calls the function do while no other goroutine holds a lane. Meanwhile c.f includes all
// observations, as if c.f itself had made them.
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

// settle adds the lane's counts to the counts of f, and sets the lane's room to 0.
func (l *lane) settle(f *RecyclingFilter) {
	l.room = 0
	l.active.moveTo(&f.active.counts)
	l.overlap.moveTo(&f.overlap)
	f.messages += l.messages
	f.arrivals += l.arrivals
	l.messages, l.arrivals = 0, 0
}

// When a lane needs room, it takes the room that is left in the filter, divided by the number of lanes and by
// roomShare. So lanes that come later still find room, and each lane asks for room only a few dozen times in a cycle.
const roomShare = 4

// reserve reports whether the lane l has room for any message. If the lane has too little room, reserve first takes
// more from the filter's room.
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
func (c *ConcurrentRecycling) Hasher() Hasher {
	c.mustBeMade()
	return c.f.hash
}

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

// In a filter that draws fresh positions in each cycle, freshFrozen reports whether the bits at all positions of h are
// set in the frozen array.
func (c *ConcurrentRecycling) freshFrozen(h Hash) bool {
	f := &c.f
	_, frozen := f.columns()
	return f.r.TwoPhase && containsShared(frozen, &f.layout, f.in(h, f.cycle-1))
}

// observe records the arrival of a message in the lane l. If recording the message could pass the bound, observe does
// nothing and returns done = false. The slice pos holds the message's positions in the active array. If positions are
// fresh in each cycle, known says whether the bits at all positions of the message are set in the frozen array.
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
		o.Active = o.NewBits == 0 // other goroutines set these bits first
		l.recorded(f, o.NewBits)
	}
	l.arrivals++
	return o, true
}

// recorded counts a message in the lane's counts. The number fresh says how many bits the message was the first to set.
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

// observeAlone observes h while no other goroutine holds a lane.
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
// Cost: the cost of State and of RecyclingFilter.Rate.
func (c *ConcurrentRecycling) Rate() (r float64) {
	c.alone(func() { r = c.f.Rate() })
	return r
}

// String returns the geometry, the rule, the scheme and the state of the cycle.
func (c *ConcurrentRecycling) String() (s string) {
	c.alone(func() { s = c.f.String() })
	return s
}
