package kernel_test

import (
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// brokenRecycling is a concurrent filter of one phase with a message bound and a fault.
// All its memory is accessed by sync/atomic or under its lock, so the race detector finds
// nothing wrong with it.
type brokenRecycling struct {
	fault     fault
	g         bloomproof.Geometry
	most      uint64
	onRecycle func(kernel.CycleState)

	mu                        sync.RWMutex // held for writing to recycle
	words                     []atomic.Uint64
	messages, arrivals, cycle atomic.Uint64
	bits                      atomic.Uint64
}

const (
	checkThenAct fault = "who saw the bound reached recycles, though another may have done so"
	letOthersIn  fault = "others record between the message that reaches the bound and the recycle"
	noLock       fault = "the array is cleared while others set bits"
	lateCount    fault = "a message is counted when others may have recycled"
	lateBits     fault = "a message is counted, and its bits are set when others may have recycled"
	lostArrivals fault = "arrivals are counted by reading the count and writing it"
)

func (f *brokenRecycling) ObserveHash(h kernel.Hash) (o kernel.Observation) {
	alone := f.fault == faultless || f.fault == lateBits || f.fault == lostArrivals
	lock, unlock := f.mu.RLock, f.mu.RUnlock
	if alone {
		lock, unlock = f.mu.Lock, f.mu.Unlock
	}
	if n := f.arrivals.Load(); f.fault == lostArrivals {
		runtime.Gosched()
		f.arrivals.Store(n + 1)
	}
	lock()
	pos := distinctPositions(f.g, h)
	for _, p := range pos {
		w, bit := &f.words[p>>6], uint64(1)<<(p&63)
		switch {
		case f.fault == noLock:
			runtime.Gosched()
		case f.fault == lateBits:
			bit = 0
		}
		o.NewBits += ^w.Or(bit) >> (p & 63) & 1
	}
	o.Active = o.NewBits == 0
	if f.fault == lateCount {
		unlock()
		runtime.Gosched()
		lock()
	}
	if f.fault != lostArrivals {
		f.arrivals.Add(1)
	}
	f.bits.Add(o.NewBits)
	if o.NewBits > 0 {
		o.Recycled = f.messages.Add(1) >= f.most
	}
	if alone && o.Recycled {
		f.recycle()
	}
	unlock()
	if f.fault == lateBits {
		runtime.Gosched()
		for _, p := range pos {
			f.words[p>>6].Or(1 << (p & 63))
		}
	}
	if alone || !o.Recycled {
		return o
	}
	runtime.Gosched()
	if f.fault != noLock {
		f.mu.Lock()
		defer f.mu.Unlock()
	}
	if o.Recycled = f.fault == checkThenAct || f.messages.Load() >= f.most; o.Recycled {
		f.recycle()
	}
	return o
}

func (f *brokenRecycling) recycle() {
	f.onRecycle(kernel.CycleState{Cycle: f.cycle.Load(), Bits: f.bits.Load(), Messages: f.messages.Load(), Arrivals: f.arrivals.Load()})
	for i := range f.words {
		f.words[i].Store(0)
	}
	f.bits.Store(0)
	f.messages.Store(0)
	f.arrivals.Store(0)
	f.cycle.Add(1)
}

func (f *brokenRecycling) ContainsHash(h kernel.Hash) bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	for _, p := range distinctPositions(f.g, h) {
		if f.words[p>>6].Load()>>(p&63)&1 == 0 {
			return false
		}
	}
	return true
}

func (f *brokenRecycling) Recount() (n uint64) {
	for i := range f.words {
		n += uint64(bits.OnesCount64(f.words[i].Load()))
	}
	return n
}

func (f *brokenRecycling) State() kernel.CycleState {
	return kernel.CycleState{Cycle: f.cycle.Load(), Bits: f.bits.Load(), Messages: f.messages.Load(), Arrivals: f.arrivals.Load()}
}

// The examination catches every fault, and only faults.
func TestConcurrentRecyclingMutants(t *testing.T) {
	manyProcs(t)
	for _, fault := range []fault{faultless, checkThenAct, letOthersIn, noLock, lateCount, lateBits, lostArrivals} {
		rounds := uint64(40)
		if fault == faultless {
			rounds = 5
		}
		caught := error(nil)
		for round := uint64(0); round < rounds && caught == nil; round++ {
			e := &observing{
				g: bloomproof.Geometry{M: 3000, K: 4}, keys: 5000,
				r: bloomproof.Recycling{Messages: 20},
			}
			var events sync.Mutex // for the fault without a lock
			e.f = &brokenRecycling{
				fault: fault, g: e.g, most: e.r.Messages, words: make([]atomic.Uint64, (e.g.M+63)/64),
				onRecycle: func(end kernel.CycleState) {
					events.Lock()
					defer events.Unlock()
					e.onRecycle(end)
				},
			}
			caught = e.examine(6, 500, round)
		}
		t.Logf("%q: %v", fault, caught)
		if (caught != nil) != (fault != faultless) {
			t.Errorf("fault %q: the examination says %v", fault, caught)
		}
	}
}
