package interleave

import (
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"runtime"
	"strings"
	"unsafe"
)

// MaxGoroutines is the largest number of goroutines of a program.
const MaxGoroutines = 6

// Program is the program that is explored. It must be deterministic: with the same schedule and the same choices it
// executes the same operations. When a schedule is run again, the same goroutines must be enabled, and the same choices
// must occur. Otherwise the exploration ends with ErrDiverged.
type Program struct {
	Goroutines []func()
	Check      func() error // called when all goroutines have ended
}

// Options say how to explore a program.
type Options struct {
	Whole    bool // explore every interleaving, without reduction
	Spurious bool // TryLock may fail although the lock is free
	Places   int  // the number of values that a call of Place chooses from; 0: each goroutine has its own place
	Lanes    int  // the number that Parts returns
	MaxSteps int  // the most operations of a schedule; 0 for a default
	Most     int  // the most schedules; 0 for no limit

	// Seen has the number of schedules of each class. If Seen is nil, no schedules are counted. Executions that differ
	// only in the order of independent operations belong to one class. The keys are hashes of the classes.
	Seen map[uint64]int
}

// defaultSteps is far above the number of operations of any program that is explored. A program with more operations is
// assumed to run for ever.
const defaultSteps = 2000

// Report has the results of an exploration.
type Report struct {
	Schedules int    // complete executions
	Pruned    int    // executions that were given up because equivalent ones were explored
	Steps     int    // synchronising operations of all executions
	Longest   int    // synchronising operations of the longest schedule
	Cut       bool   // true if Options.Most was reached before everything was explored
	Err       error  // the first failure, at which the exploration ended
	Trace     string // the operations up to the failure
}

// An exploration finds these failures, in addition to the errors that Program.Check returns.
var (
	ErrRace     = errors.New("data race")
	ErrDeadlock = errors.New("deadlock")
	ErrEndless  = errors.New("no end within the bound")
	ErrPanic    = errors.New("panic")
	ErrDiverged = errors.New("the program is not deterministic")
)

// A clock says what happened before an event. For each goroutine, the clock has the number of operations of this
// goroutine that happened before the event.
type clock [MaxGoroutines]uint16

func (c *clock) join(d *clock) {
	for i := range c {
		c[i] = max(c[i], d[i])
	}
}

// The type "kind" has the kinds of operations.
type kind uint8

const (
	load kind = iota
	rlock
	runlock
	wait
	// All kinds below are writes. Two operations on one object are dependent if at least one of them is a write.
	store
	update // read-modify-write
	lock
	tryLock // succeeds or fails by the state of the lock
	surely  // a TryLock that succeeds
	unlock
	announce // the first half of RWMutex.Lock: it keeps new readers out
	drain    // the second half of RWMutex.Lock: it waits until no reader is left
	wunlock
	add // WaitGroup.Add
)

var kindNames = [...]string{"Load", "RLock", "RUnlock", "Wait", "Store", "RMW", "Lock", "TryLock", "TryLock", "Unlock", "Lock", "Lock.", "Unlock", "Add"}

func dependent(a, b kind) bool { return a >= store || b >= store }

// coEnabled reports whether operations of these kinds on one object can both be enabled in the same state. If coEnabled
// wrongly returns true, the exploration is still correct.
func coEnabled(a, b kind) bool {
	frees := func(k kind) bool { return k == unlock || k == wunlock || k == runlock }
	takes := func(k kind) bool { return k == lock || k == surely || k == announce || k == rlock }
	switch {
	case takes(a) && frees(b) && b != runlock || takes(b) && frees(a) && a != runlock: // one needs the lock to be free, the other needs it to be held
		return false
	case a == drain || b == drain: // only one writer can wait; new readers are kept out, and drain is enabled only when no reader is left
		return false
	}
	return true
}

// An op is the next operation of a goroutine.
type op struct {
	kind kind
	cell *cell
}

// An event is an operation that has been executed.
type event struct {
	op
	goroutine int
	seq       uint16 // its number among the operations of its goroutine, counted from 1
	node      int    // the node at which it was chosen
	before    clock  // the operations on which it depends, and itself
}

// A cell stores what the explorer knows about a memory location or a lock.
type cell struct {
	held, pending bool
	readers       int
	count         int // WaitGroup

	released, readersReleased clock // the clocks that a read or a lock synchronises with
	writes, all               clock // the operations on which later operations depend
	events                    []int // indices in the trace

	last [classes]clock // the last accesses of each class, in the time of their goroutines
}

func (c *cell) enabled(k kind) bool {
	switch k {
	case lock, surely:
		return !c.held
	case announce, rlock:
		return !c.pending
	case drain:
		return c.readers == 0
	case wait:
		return c.count == 0
	}
	return true
}

// The type "goroutine" represents an explored goroutine. It runs as a coroutine that yields before each synchronising
// operation.
type goroutine struct {
	id      int
	resume  func() (struct{}, bool)
	stop    func()
	yield   func(struct{}) bool
	next    op
	done    bool
	seq     uint16
	depends clock // the operations on which its next operation depends because of program order
	sync    clock // the operations that happen before its present one, by the memory model; its own count begins at 1
	choices uint64
}

// A node is a point of the search at which there is a choice. The choice is either the goroutine that runs next, or the
// result of a call of Choose.
type node struct {
	alternatives, taken int // the number of results of a choice, and the present one; alternatives is 0 if the node chooses a goroutine

	goroutine                        int
	enabled, backtrack, sleep, ended uint32 // sets of goroutines; those in ended are fully explored
}

// An explorer is an exploration that is in progress. Only one exists at a time.
type explorer struct {
	Options
	report Report
	stack  []node
	depth  int

	goroutines []*goroutine
	current    *goroutine
	trace      []event
	cells      map[unsafe.Pointer]*cell
	pool       []*cell // its first len(cells) elements are in use
	failure    error
	abandoned  bool
}

// The variable "active" is the exploration that is in progress. The operations of this package belong to it.
var active *explorer

// Explore runs all schedules of a program. For each schedule it calls the argument "program" and runs the new Program
// that this function returns. It ends when all schedules have been explored, or at the first failure.
func Explore(o Options, program func() Program) Report {
	if active != nil {
		panic("interleave: explorations do not nest")
	}
	if o.MaxSteps == 0 {
		o.MaxSteps = defaultSteps
	}
	x := &explorer{Options: o, cells: map[unsafe.Pointer]*cell{}}
	active = x
	defer func() { active = nil }()
	for {
		x.run(program)
		x.report.Longest = max(x.report.Longest, len(x.trace))
		x.report.Steps += len(x.trace)
		if x.report.Err != nil || !x.advance() {
			return x.report
		}
		if x.Most > 0 && x.report.Schedules+x.report.Pruned >= x.Most {
			x.report.Cut = true
			return x.report
		}
	}
}

// The method "advance" moves the search to the next schedule. It returns false if none is left.
func (x *explorer) advance() bool {
	for len(x.stack) > 0 {
		n := &x.stack[len(x.stack)-1]
		if n.alternatives > 0 {
			if n.taken++; n.taken < n.alternatives {
				return true
			}
		} else {
			n.ended |= 1 << n.goroutine
			if !x.Whole {
				n.sleep |= 1 << n.goroutine
			}
			if left := n.backtrack &^ n.ended &^ n.sleep; left != 0 {
				n.goroutine = bits.TrailingZeros32(left)
				return true
			}
		}
		x.stack = x.stack[:len(x.stack)-1]
	}
	return false
}

// The method "run" executes one schedule. The stack of nodes determines the first steps of the schedule. Its later
// steps are arbitrary.
func (x *explorer) run(program func() Program) {
	x.depth, x.trace, x.goroutines = 0, x.trace[:0], x.goroutines[:0]
	x.failure, x.abandoned, x.current = nil, false, nil
	clear(x.cells)
	p := program()
	defer x.abandon()
	for _, do := range p.Goroutines {
		x.start(do)
	}
	sleep := uint32(0)
	for x.failure == nil {
		alive, enabled := uint32(0), uint32(0)
		for _, g := range x.goroutines {
			if !g.done {
				alive |= 1 << g.id
				if g.next.cell.enabled(g.next.kind) {
					enabled |= 1 << g.id
				}
			}
		}
		fresh := x.depth == len(x.stack)
		if !fresh && (x.stack[x.depth].alternatives > 0 || x.stack[x.depth].enabled != enabled) {
			x.fail(ErrDiverged)
			break
		}
		if fresh && !x.Whole {
			x.reverse(alive)
		}
		switch {
		case alive == 0:
			x.report.Schedules++
			if x.Seen != nil {
				x.Seen[x.class()]++
			}
			if err := x.check(p.Check); err != nil {
				x.fail(err)
			}
			x.settle()
			return
		case enabled == 0:
			for _, g := range x.goroutines {
				if !g.done && g.next.kind == surely {
					x.report.Pruned++
					return
				}
			}
			x.fail(ErrDeadlock)
		case fresh && enabled&^sleep == 0:
			x.report.Pruned++
			return
		case len(x.trace) >= x.MaxSteps:
			x.fail(fmt.Errorf("%w of %d operations", ErrEndless, x.MaxSteps))
		}
		if x.failure != nil {
			break
		}
		if fresh {
			first := bits.TrailingZeros32(enabled &^ sleep)
			n := node{goroutine: first, enabled: enabled, sleep: sleep, backtrack: 1 << first}
			if x.Whole {
				n.backtrack = enabled
			}
			x.stack = append(x.stack, n)
		}
		n := &x.stack[x.depth]
		g := x.goroutines[n.goroutine]
		sleep = 0
		for _, q := range x.goroutines {
			if n.sleep>>q.id&1 != 0 && q != g && (q.next.cell != g.next.cell || !dependent(q.next.kind, g.next.kind)) {
				sleep |= 1 << q.id
			}
		}
		x.execute(g)
	}
	x.settle()
}

// The method "check" calls Program.Check. During this call, the operations of this package only change memory, and the
// exploration does not record these operations.
func (x *explorer) check(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w in the check: %v", ErrPanic, r)
		}
	}()
	return f()
}

func (x *explorer) fail(err error) {
	if x.failure == nil {
		x.failure = err
	}
}

// The method "settle" writes the failure of the schedule, if there is one, into the report.
func (x *explorer) settle() {
	if x.failure == nil {
		return
	}
	x.report.Err = x.failure
	var b strings.Builder
	names := map[*cell]int{}
	for _, e := range x.trace {
		if _, ok := names[e.cell]; !ok {
			names[e.cell] = len(names)
		}
		fmt.Fprintf(&b, "%c:%s(%d) ", 'A'+e.goroutine, kindNames[e.kind], names[e.cell])
	}
	x.report.Trace = strings.TrimSpace(b.String())
}

// The method "abandon" ends the remaining goroutines. While the goroutines end, their operations only change memory,
// and the exploration does not record these operations.
func (x *explorer) abandon() {
	x.abandoned = true
	for _, g := range x.goroutines {
		g.stop()
	}
}

// The method "start" adds a goroutine, and runs it up to its first operation.
func (x *explorer) start(do func()) {
	if len(x.goroutines) == MaxGoroutines {
		panic("interleave: too many goroutines")
	}
	g := &goroutine{id: len(x.goroutines)}
	parent := x.current
	if parent != nil {
		g.depends, g.sync = parent.depends, parent.sync
		parent.sync[parent.id]++
	}
	g.sync[g.id] = 1
	g.resume, g.stop = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			if r := recover(); r != nil && !x.abandoned {
				x.fail(fmt.Errorf("%w: %v at %s", ErrPanic, r, caller()))
			}
			g.done = true
		}()
		g.yield = yield
		do()
	})
	x.goroutines = append(x.goroutines, g)
	x.current = g
	g.resume()
	x.current = parent
}

// A goroutine waits before each of its operations. The method "execute" lets g execute one operation. Then g runs until
// it waits again.
func (x *explorer) execute(g *goroutine) {
	x.depth++
	c, k := g.next.cell, g.next.kind
	g.seq++
	g.depends[g.id] = g.seq
	if k >= store {
		g.depends.join(&c.all)
		c.writes.join(&g.depends)
	} else {
		g.depends.join(&c.writes)
	}
	c.all.join(&g.depends)
	c.events = append(c.events, len(x.trace))
	x.trace = append(x.trace, event{g.next, g.id, g.seq, x.depth - 1, g.depends})
	x.current = g
	g.resume()
	x.current = nil
}

// The method "reverse" considers the next operation of each goroutine in the set "alive". It looks for executed
// operations whose order with this next operation can be reversed. For each of them, it adds a schedule in which the
// next operation comes first.
func (x *explorer) reverse(alive uint32) {
	for ; alive != 0; alive &= alive - 1 {
		g := x.goroutines[bits.TrailingZeros32(alive)]
		var found []int
	events:
		for i := len(g.next.cell.events) - 1; i >= 0; i-- {
			at := g.next.cell.events[i]
			e := &x.trace[at]
			if e.seq <= g.depends[e.goroutine] || !dependent(e.kind, g.next.kind) || !coEnabled(e.kind, g.next.kind) {
				continue
			}
			for _, later := range found {
				if x.trace[later].before[e.goroutine] >= e.seq {
					continue events
				}
			}
			found = append(found, at)
			x.backtrack(at, g)
		}
	}
}

// The argument "at" is the index of an event. In the search tree, the state before this event is a node. The method
// "backtrack" adds a branch to this node. The new branch begins with the later events that do not depend on this event.
// Then it executes the next operation of g.
func (x *explorer) backtrack(at int, g *goroutine) {
	e := &x.trace[at]
	n := &x.stack[e.node]
	var first [MaxGoroutines]*event // the first event of each goroutine that does not depend on e
	conflicts := false              // whether one of these must come before the operation of g
	for i := at + 1; i < len(x.trace); i++ {
		f := &x.trace[i]
		if f.before[e.goroutine] >= e.seq {
			continue
		}
		if first[f.goroutine] == nil {
			first[f.goroutine] = f
		}
		if f.goroutine != g.id && (f.cell == g.next.cell && dependent(f.kind, g.next.kind) || f.seq <= g.depends[f.goroutine]) {
			conflicts = true
		}
	}
	initials := uint32(0)
	for q, f := range first {
		if f == nil {
			continue
		}
		ok := true
		for r, h := range first {
			ok = ok && (r == q || h == nil || f.before[r] < h.seq)
		}
		if ok {
			initials |= 1 << q
		}
	}
	if first[g.id] == nil && !conflicts {
		initials |= 1 << g.id
	}
	if initials&(n.backtrack|n.sleep) != 0 {
		return
	}
	q := uint32(1) << g.id
	if initials&q == 0 {
		q = initials & -initials
	}
	if n.enabled&q != 0 {
		n.backtrack |= q
	} else {
		n.backtrack |= n.enabled
	}
}

// The method "class" returns a hash of the facts that equivalent executions share. These facts are the choices, the
// operations, and the dependencies between operations.
func (x *explorer) class() (h uint64) {
	mix := func(h, v uint64) uint64 {
		h = (h ^ v) * 0x9e3779b97f4a7c15
		return h ^ h>>29
	}
	for i := range x.trace {
		e := &x.trace[i]
		v := mix(uint64(e.goroutine)<<32|uint64(e.kind)<<16|uint64(e.seq), 1)
		for _, n := range e.before {
			v = mix(v, uint64(n))
		}
		h += v
	}
	for _, g := range x.goroutines {
		h += mix(g.choices, uint64(g.id))
	}
	return h
}

// Choose returns a number from 0 to n-1. The exploration tries each of these numbers in a schedule of its own. Outside
// of an exploration Choose returns 0.
func Choose(n int) int {
	x := active
	if x == nil || x.current == nil || x.abandoned || n < 2 {
		return 0
	}
	if x.depth == len(x.stack) {
		x.stack = append(x.stack, node{alternatives: n})
	}
	if x.stack[x.depth].alternatives != n {
		x.fail(ErrDiverged)
		return 0
	}
	taken := x.stack[x.depth].taken
	x.depth++
	g := x.current
	g.choices = (g.choices+uint64(taken)+1)*31 + uint64(g.seq)
	return taken
}

// Place is called instead of the function "place" of package kernel. It returns a number below n. Different goroutines
// usually get different numbers.
func Place(n int) int {
	x := active
	switch {
	case x == nil || x.current == nil:
		return 0
	case x.Places == 0:
		return x.current.id % n
	}
	return Choose(min(n, x.Places))
}

// Parts is called instead of the function "parts" of package kernel. It returns the option Lanes of the exploration, or
// 1 if this option is not set.
func Parts() int {
	if active == nil {
		return 1
	}
	return max(1, active.Lanes)
}

// Wrong reports whether the exploration uses variant i of the rewritten code. The variants are wrong on purpose.
func Wrong(i int) bool { return i == Variant }

// Variant is the number of the wrong variant that Wrong chooses, or 0 for no variant.
var Variant int

// The function "caller" returns the place in the code at which the failing operation was called. On the call stack,
// this is the nearest place outside of the packages "interleave" and "runtime".
func caller() string {
	var pc [40]uintptr
	frames := runtime.CallersFrames(pc[:runtime.Callers(2, pc[:])])
	for {
		f, more := frames.Next()
		if !strings.Contains(f.Function, "internal/interleave.") && !strings.HasPrefix(f.Function, "runtime.") {
			return fmt.Sprintf("%s:%d", f.File[strings.LastIndexByte(f.File, '/')+1:], f.Line)
		}
		if !more {
			return "?"
		}
	}
}
