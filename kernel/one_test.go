package kernel_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestOneKey holds Add, Contains and Bits of every implementation, for keys of 8 bytes and of
// others, to a set of positions.
func TestOneKey(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(*seedFlag), 3))
	for ii, im := range kernel.Impls() {
		for gi, g := range []bloomproof.Geometry{
			{M: 512 * 9, K: 1, Block: 512}, {M: 512 * 9, K: 7, Block: 512}, {M: 512 * 9, K: 8, Block: 512}, {M: 512, K: 15, Block: 512},
			{M: 512 * 9, K: 8, Block: 512, Hashing: bloomproof.Partitioned}, {M: 256 * 9, K: 8, Block: 256, Hashing: bloomproof.Partitioned},
			{M: 1024 * 9, K: 5, Block: 1024}, {M: 4001, K: 7}, {M: 4001, K: 7, Hashing: bloomproof.Classic}, {M: 4000, K: 5, Hashing: bloomproof.Partitioned},
		} {
			for i, o := range optionSets {
				if !longtest.Enabled() && (ii+gi+i)%len(optionSets) != 0 {
					continue
				}
				o.Impl = im
				f := mustNew(t, g, o)
				set := map[uint64]bool{}
				for j := range int(g.M) / 8 {
					key := make([]byte, 8)
					if j%4 == 3 {
						key = make([]byte, r.IntN(12))
					}
					for b := range key {
						key[b] = byte(r.Uint32())
					}
					had, before := true, len(set)
					for _, p := range positions(t, g, f.Hasher().Bytes(key)) {
						had = had && set[p]
						set[p] = true
					}
					what := fmt.Sprintf("%s, %v, options %d, key %d, %x", im, g, i, j, key)
					if got := f.Contains(key); got != had {
						t.Fatalf("%s: contained %t, want %t", what, got, had)
					}
					if got, want := f.Clone().Add(key), len(set) > before; got != want {
						t.Fatalf("%s: a clone's Add says %t, want %t", what, got, want)
					}
					if f.Bits() != uint64(before) || f.Recount() != uint64(before) {
						t.Fatalf("%s: adding to a clone changed the filter", what)
					}
					if got, want := f.Add(key), len(set) > before; got != want || f.Bits() != uint64(len(set)) || f.Recount() != f.Bits() {
						t.Fatalf("%s: Add says %t, %d bits, want %t, %d", what, got, f.Bits(), want, len(set))
					}
					if !f.Contains(key) {
						t.Fatalf("%s: not contained once added", what)
					}
				}
			}
		}
	}
}

// TestOneKeyStackGrows lets the stack grow, and move, below a call that jumped on into Go.
func TestOneKeyStackGrows(t *testing.T) {
	f := mustNew(t, bloomproof.Geometry{M: 4001, K: 7, Hashing: bloomproof.Classic}, kernel.Options{})
	var down func(depth int) int
	down = func(depth int) int {
		key := [9]byte{byte(depth), byte(depth >> 8)}
		n := 8 + depth&1
		if f.Add(key[:n]); !f.Contains(key[:n]) {
			t.Errorf("depth %d: not contained", depth)
		}
		if depth == 0 {
			return 0
		}
		return down(depth-1) + int(key[0])
	}
	done := make(chan bool)
	go func() { // with a stack of its own
		down(1 << 10)
		close(done)
	}()
	<-done
}

// Assembly leaves keys to Go by a jump, with a hash in place of the key's address. So a call must
// be right wherever the stack grows and the collector looks at it: at every depth of a fresh stack,
// with collections all the while.
func TestOneKeyGrowsStacks(t *testing.T) {
	least := longtest.More[int64](8, 30) // collections
	var collected atomic.Int64
	stop := make(chan bool)
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
				collected.Add(1)
			}
		}
	}()
	defer close(stop)
	var filters []*kernel.Filter
	for _, g := range []bloomproof.Geometry{{M: 1000, K: 7}, {M: 1001, K: 5, Hashing: bloomproof.Classic}, {M: 4096, K: 7, Block: 512}, {M: 4096, K: 7, Block: 1024}} {
		filters = append(filters, mustNew(t, g, kernel.Options{}))
	}
	for round := byte(0); collected.Load() < least; round++ {
		for _, f := range filters {
			for depth := range 100 {
				done := make(chan bool)
				go func() {
					done <- deeper(depth, func() bool {
						key := make([]byte, 8+22*(depth&1))
						key[0], key[1] = byte(depth), round
						f.Add(key)
						return f.Contains(key)
					})
				}()
				if !<-done {
					t.Fatalf("%v: a key is lost at depth %d", f, depth)
				}
			}
		}
	}
}

// deeper calls f with some more of the stack in use.
//
//go:noinline
func deeper(depth int, f func() bool) bool {
	var room [40]byte
	if depth == 0 {
		return f()
	}
	room[depth%len(room)] = 1
	return deeper(depth-1, f) && room[depth%len(room)] == 1
}
