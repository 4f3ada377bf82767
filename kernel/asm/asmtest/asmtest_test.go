package asmtest

import (
	"errors"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/host"
)

// TestGuarded asserts that the systems with mmap in package syscall have forbidden
// pages: without them reads outside the arguments would go unseen in silence.
func TestGuarded(t *testing.T) {
	mapped := slices.Contains([]string{"linux", "darwin", "freebsd", "netbsd", "openbsd", "dragonfly"}, runtime.GOOS)
	if Guarded() != mapped {
		t.Errorf("on %s: guarded %v, want %v", runtime.GOOS, Guarded(), mapped)
	}
}

// TestArena asserts that words lie flush against the front and the rear, and that a
// changed word is seen inside and outside the arguments.
func TestArena(t *testing.T) {
	a := newArena(100)
	defer a.free()
	w := []byte{1, 2, 3}
	if at := a.put(w, 0, false); at != 0 {
		t.Errorf("front: at %d", at)
	}
	mem := bytesOf(a.words)
	at := a.put(w, 0, true)
	if at+3 != len(mem) {
		t.Errorf("rear: at %d of %d", at, len(mem))
	}
	at = a.put(w, 5, false)
	if i, bad := a.changed(w, at); bad || at != 5 {
		t.Errorf("at %d: byte %d changed", at, i)
	}
	for i := range 5 + 3 + marginBytes {
		mem[i]++
		if j, bad := a.changed(w, at); !bad || j != i-5 {
			t.Errorf("byte %d was changed, seen: %v, as %d", i-5, bad, j)
		}
		mem[i]--
	}
}

// TestRandomWord asserts that empty, full, sparse and dense words all come up.
func TestRandomWord(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var seen [65]int
	for range 20000 {
		seen[bits.OnesCount64(RandomWord(r))]++
	}
	for ones, n := range seen {
		if n == 0 && (ones < 5 || ones > 59 || ones%8 == 0) {
			t.Errorf("no word with %d ones in 20000", ones)
		}
	}
}

func TestRequire(t *testing.T) {
	for _, c := range []struct {
		list string
		ok   bool
	}{{"", true}, {"popcnt", true}, {"avx2,popcnt", true}, {" avx2 , ", true}, {"avx512", false}, {"popcnt,neon", false}, {"POPCNT", false}} {
		if err := require(c.list, []string{"avx2", "popcnt", "portable"}); (err == nil) != c.ok {
			t.Errorf("%q: %v, want ok %v", c.list, err, c.ok)
		}
	}
}

// TestTouch asserts that the read-only loops read the first and the last word of their
// argument, and nothing outside it.
func TestTouch(t *testing.T) {
	a := newArena(1<<16 + 50)
	defer a.free()
	end := 8 * len(a.words)
	for _, impl := range host.Runs(host.Popcount) {
		touch := Touch(impl.String())
		read := func(at, n int) error { return guarded(func() { touch(a.at(at, n)) }) }
		for n := 0; n < 1<<16+50; n++ {
			if n == 140 {
				n = 1<<16 - 1
			}
			if err := errors.Join(read(0, n), read(end-8*n, n)); err != nil {
				t.Errorf("%v: length %d: %v", impl, n, err)
			}
			if n > 0 && Guarded() && (read(-8, n) == nil || read(end-8*n+8, n) == nil) {
				t.Errorf("%v: length %d: the first or the last word was not read", impl, n)
			}
		}
	}
}

// TestFailureOfPair asserts what a failure of two overlapping arguments prints.
func TestFailureOfPair(t *testing.T) {
	f := &Failure{Row: Row{Op: "OrInto", Impl: "avx2", Shape: Into}, Seed: 9, What: "got 1, want 2", c: testCase{
		words: [2][]uint64{{3, 0}, nil}, overlap: true, arg: [2]span{{8, 1}, {0, 1}}, rear: [2]bool{true, false},
	}}
	want := "OrInto/avx2: got 1, want 2 (seed 9)\n" +
		"  argument a: length 1, from byte 8 of 2 words that lie 0 bytes before the rear guard: 0x3 0x0\n" +
		"  argument b: length 1, from byte 0 of 2 words that lie 0 bytes after the front guard: the same array\n"
	if got := f.Error(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestEdgeKey asserts that the hashes of edges lead to the words that they are meant to:
// a few thousand more or less of which are another position, on both sides of the edge.
func TestEdgeKey(t *testing.T) {
	mix := func(z uint64) uint64 {
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	r := &probeRunner{rand: rand.New(rand.NewPCG(5, 6))}
	above, below := 0, 0
	for range 2000 {
		j, span := r.rand.IntN(9), 2+r.rand.Uint64N(1<<20)
		h0, h1 := r.edgeKey(j, span)
		x := mix(h0 + uint64(j+1)*(h1|1))
		hi, _ := bits.Mul64(x, span)
		more, _ := bits.Mul64(x+8191, span)
		less, _ := bits.Mul64(x-8191, span)
		if more == less {
			t.Fatalf("hash %#x, %#x: word %d is %#x, not at an edge of %d positions", h0, h1, j, x, span)
		}
		if hi == more {
			above++
		} else {
			below++
		}
	}
	if above < 600 || below < 400 {
		t.Errorf("%d words above and %d below an edge", above, below)
	}
}
