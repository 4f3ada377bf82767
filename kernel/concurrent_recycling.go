package kernel

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// ConcurrentRecycling is a RecyclingFilter that any number of goroutines may use at the same time. Use NewRecycling and
// RecyclingFilter.Concurrent to make one. If only one goroutine uses a ConcurrentRecycling, its results and its bits
// are the same as those of a RecyclingFilter.
//
// While the filter recycles, no other goroutine can use it. So each observation is made within one cycle. Within a
// cycle:
//
//   - Once an Observe has recorded a message in the active array and has returned, every later Observe or Contains
//     calls the message a repeat. ("Later" has the sense of Go's memory model.)
//   - The bits are set one by one. If several observations set the same bit, exactly one of them set it first, and
//     counts it in NewBits. An observation is Active if other observations had set all its bits before. If several
//     goroutines observe one new message at the same time, at least one of them is told that it is new. With k = 1
//     exactly one of them is told so. With larger k several of them may be told so, because each was the first to set a
//     different bit. Each of these observations then counts as a message.
//   - Frozen reports whether the frozen array has the message. The frozen array does not change within a cycle.
//
// The filter recycles exactly when a RecyclingFilter would recycle. The rule of the filter bounds either the number of
// messages or the number of set bits. During an observation that could pass this bound, no other goroutine can use the
// filter. So exactly one message ends a cycle, and this message is called the trigger. If the rule bounds the number of
// messages of a cycle by N, the trigger is the N-th message that sets a bit. If the rule bounds the number of set bits
// by sigma, the trigger is the first message after which more than sigma bits are set. No other message arrives between
// the observation of the trigger and the recycle. If the rule retains a message, this message is always the trigger. If
// the rule has FreezeBefore, the frozen array keeps all bits of the cycle except those that the trigger set. All
// numbers in CycleState are exact. The order of the messages of a cycle does not affect the bits.
//
// Some methods need exclusive use of the filter. Such a method first waits until all observations in progress are
// complete. Meanwhile other methods wait. Exclusive use costs O(1) for each processor. It costs O(m/64) more if the
// method clears or copies the arrays. Setting a bit takes longer than in a RecyclingFilter. On two processors, this
// filter is as fast as a RecyclingFilter with a mutex if the arrays fit in the caches.
type ConcurrentRecycling struct {
	f     RecyclingFilter // its counts agree with its bits while all lanes are locked
	need  uint64          // the largest amount of room that one message can take
	lanes []lane

	// To lock all lanes, a goroutine first locks the mutex "gate" for writing and sets the flag "closed" to true. Other
	// goroutines then wait for the mutex "gate" before they look for a lane. Without the gate, another goroutine could
	// lock a lane as soon as it is unlocked. The goroutine that needs all lanes would then have to wait again.
	gate   sync.RWMutex
	closed atomic.Bool

	_    [linePair]byte
	room atomic.Uint64 // the room that no lane has taken
}

// A lane is a lock, and the filter has several lanes. A goroutine uses the filter only while it holds one of them.
// While it holds a lane, it may set bits in the active array. Meanwhile no other goroutine can recycle, because a
// goroutine that recycles holds all lanes. A lane also counts the bits, messages and arrivals that goroutines add while
// they hold it. The counts begin at 0 whenever one goroutine holds all lanes.
//
// The rule bounds the number of set bits or the number of messages of a cycle. The room of the filter is the number of
// bits or messages that can still be added without passing this bound. Each lane reserves some of this room in advance.
// Suppose that a goroutine holds a single lane. It records a message only if the lane has reserved enough room for any
// possible message. So only a goroutine that holds all lanes can pass the bound. Goroutines with different lanes rarely
// have to wait for each other.
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

// Concurrent returns a ConcurrentRecycling with the state of f. The new filter takes over f's memory. The call makes f
// a zero RecyclingFilter, so f must not be used after it. To keep f, use f.Clone().Concurrent(). If f has a function
// OnRecycle, it is called by the goroutine whose observation triggers a recycle. Calls of OnRecycle never overlap.
// OnRecycle must not use the filter, because the filter waits for OnRecycle to return.
// Memory: 128 bytes for each processor. Partitioned hashing without blocks takes 16*k additional bytes for each
// processor. The number of processors is rounded up to a power of two, at most 64.
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

// Filter returns a copy of the filter as a RecyclingFilter, for snapshots. The copy has the state of the filter between
// two observations. It has the same function OnRecycle. The method needs exclusive use of the filter.
// Cost: O(m/64).
func (c *ConcurrentRecycling) Filter() (f *RecyclingFilter) {
	c.mustBeMade()
	c.alone(func() { f = c.f.Clone() })
	return f
}

// mustBeMade panics if no constructor made the filter.
func (c *ConcurrentRecycling) mustBeMade() {
	if c.lanes == nil {
		panic("kernel: a filter must be made by NewRecycling and RecyclingFilter.Concurrent")
	}
}

// The method "enter" locks a lane and returns it. It tries the lanes in order. It begins with the lane whose number the
// function "place" returns. It takes the first lane that is free. If none is free, it waits for the lane that it tried
// first.
func (c *ConcurrentRecycling) enter() *lane {
	c.mustBeMade()
	if c.closed.Load() {
		c.gate.RLock()
		//lint:ignore SA2001 the lock is taken only to wait for it
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

// The method "alone" calls the function "do" while no other goroutine holds a lane. During this call c.f includes the
// observations of all goroutines.
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

// The method "settle" adds the counts of the lane to the counts of f, and sets the lane's room to 0.
func (l *lane) settle(f *RecyclingFilter) {
	l.room = 0
	l.active.moveTo(&f.active.counts)
	l.overlap.moveTo(&f.overlap)
	f.messages += l.messages
	f.arrivals += l.arrivals
	l.messages, l.arrivals = 0, 0
}

// When a lane needs room, it takes a portion of the filter's remaining room. The size of a portion is the remaining
// room, divided by roomShare and by the number of lanes. But a portion always has enough room for one message. So a
// portion usually leaves some room for the other lanes. In each cycle, a lane takes only a few dozen portions.
const roomShare = 4

// The method "reserve" ensures that the lane l has enough room for any message. If the lane has too little room, it
// takes a portion of the filter's remaining room. If the filter has too little room left, the method returns false.
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

// Observe handles the arrival of key: it finds out whether key is a repeat or new. It records the arrival, and recycles
// the filter if the rule says so.
// Cost: O(k), and O(m/64) more for a recycle.
func (c *ConcurrentRecycling) Observe(key []byte) Observation {
	return c.ObserveHash(c.f.hash.hash(key))
}

// ObserveHash does the same as Observe, for a key that is already hashed.
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

// freshFrozen is used if keys get new positions in each cycle. In a filter with one phase it returns false. In a filter
// with two phases, it derives the positions of h in the previous cycle. It reports whether the bits at all these
// positions are set in the frozen array.
func (c *ConcurrentRecycling) freshFrozen(h Hash) bool {
	f := &c.f
	_, frozen := f.columns()
	return f.r.TwoPhase && containsShared(frozen, &f.layout, f.in(h, f.cycle-1))
}

// The method "observe" records the arrival of a message, and counts it in the lane l. If the message could pass the
// bound of the rule, the method "observe" records nothing and returns done = false. The slice pos has the positions of
// the message in the active array. The argument "known" says whether the frozen array contains the message. It is
// needed only if keys get new positions in each cycle.
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

// The method "recorded" adds a message to the counts of the lane. The argument "fresh" is the number of clear bits
// that the message set.
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

// Contains reports whether Observe would classify the key as a repeat.
func (c *ConcurrentRecycling) Contains(key []byte) bool { return c.ContainsHash(c.f.hash.hash(key)) }

// ContainsHash does the same as Contains, for a key that is already hashed.
func (c *ConcurrentRecycling) ContainsHash(h Hash) bool {
	l := c.enter()
	f := &c.f
	active, frozen := f.columns()
	known := containsShared(active, &f.layout, f.in(h, f.cycle)) ||
		f.r.TwoPhase && containsShared(frozen, &f.layout, f.in(h, f.cycle-1))
	l.Unlock()
	return known
}

// State returns the state of the present cycle. State, Rate, String and Filter each run between two observations and
// need exclusive use of the filter.
// Cost: O(1) for each processor.
func (c *ConcurrentRecycling) State() (s CycleState) {
	c.alone(func() { s = c.f.State() })
	return s
}

// Rate returns the probability that a new message is called a repeat, given the bits that are set now. A new message is
// one that never arrived before. It uses the same formulas as RecyclingFilter.Rate.
// Cost: the cost of State plus the cost of RecyclingFilter.Rate.
func (c *ConcurrentRecycling) Rate() (r float64) {
	c.alone(func() { r = c.f.Rate() })
	return r
}

// String returns a text with the geometry, the rule, the scheme and the state of the cycle.
func (c *ConcurrentRecycling) String() (s string) {
	c.alone(func() { s = c.f.String() })
	return s
}
