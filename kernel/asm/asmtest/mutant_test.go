package asmtest

import (
	"math/bits"
	"strings"
	"testing"
	"unsafe"

	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// past returns word i of x without a bounds check.
func past(x []uint64, i int) *uint64 {
	return (*uint64)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(x)), 8*i))
}

// peek reads word i of x, which the compiler must not leave out, and returns 0.
func peek(x []uint64, i int) int {
	peeked = *past(x, i)
	return 0
}

var peeked uint64

// mutants are kernels broken on purpose, one fault each, in the form in which SIMD
// kernels break. The table must catch all of them.
var mutants = []struct {
	name  string
	op    string
	guard bool // seen only where forbidden pages surround the arguments
	f     Func
}{
	{"tail off by one", "Count", false, one(func(x []uint64) int {
		if len(x)%4 == 3 {
			return asm.CountPortable(x[:len(x)-1])
		}
		return asm.CountPortable(x)
	})},
	{"last word of whole blocks dropped", "AndCount", false, func(a, b []uint64) int {
		n := min(len(a), len(b))
		if n > 0 && n%32 == 0 {
			n--
		}
		return asm.AndCountPortable(a[:n], b[:n])
	}},
	{"word counted twice", "OrCount", false, func(a, b []uint64) int {
		n := asm.OrCountPortable(a, b)
		if len(a) == 73 && len(b) >= 73 {
			n += bits.OnesCount64(a[64] | b[64])
		}
		return n
	}},
	{"byte counter flushed one word late", "Count", false, one(func(x []uint64) int {
		total := 0
		for len(x) > 0 {
			var lane uint8 // ones of byte 0, flushed after 32 words where 31 are the most
			step := x[:min(32, len(x))]
			for _, w := range step {
				lane += uint8(bits.OnesCount8(uint8(w)))
				total += bits.OnesCount64(w &^ 0xff)
			}
			total += int(lane)
			x = x[len(step):]
		}
		return total
	})},
	{"16-bit counter", "XorCount", false, func(a, b []uint64) int {
		return int(uint16(asm.XorCountPortable(a, b)))
	}},
	{"stale lane in the masked tail", "Count", false, one(func(x []uint64) int {
		n := asm.CountPortable(x)
		if whole := len(x) / 8 * 8; whole > 0 && len(x)%8 == 5 {
			n += bits.OnesCount64(x[whole-1]) // lane 7 of the turn before
		}
		return n
	})},
	{"stale counter from the call before", "Count", false, func() Func {
		last := 0
		return func(x, _ []uint64) int {
			n := asm.CountPortable(x)
			if len(x) == 0 {
				return last
			}
			last = n
			return n
		}
	}()},
	{"arguments exchanged", "AndNotCount", false, func(a, b []uint64) int { return asm.AndNotCountPortable(b, a) }},
	{"length of the first argument", "AndCount", true, func(a, b []uint64) int {
		n := 0
		for i := range a {
			n += bits.OnesCount64(a[i] & *past(b, i))
		}
		return n
	}},
	{"one word read past the end", "Count", true, one(func(x []uint64) int {
		if len(x)%16 == 15 {
			return asm.CountPortable(x) + peek(x, len(x))
		}
		return asm.CountPortable(x)
	})},
	{"one word read before the start", "OrCount", true, func(a, b []uint64) int {
		return asm.OrCountPortable(a, b) + peek(b, -1)
	}},
	{"aligned vector read around the arguments", "Count", true, one(func(x []uint64) int {
		n := asm.CountPortable(x)
		if len(x) > 0 {
			end := uintptr(unsafe.Pointer(&x[0]))/8 + uintptr(len(x))
			n += peek(x, len(x)+int(-end&7)) // first word of the next vector
		}
		return n
	})},
	{"stray write past the end", "OrInto", false, func(dst, src []uint64) int {
		n := asm.OrIntoPortable(dst, src)
		if k := min(len(dst), len(src)); k%8 == 7 {
			defer func() { _ = recover() }() // hidden where the page ends, so only canaries tell
			*past(dst, k) = 0
		}
		return n
	}},
	{"write past the shorter length", "AndInto", false, func(dst, src []uint64) int {
		n := asm.AndIntoPortable(dst, src)
		clear(dst[min(len(dst), len(src)):])
		return n
	}},
	{"source written", "OrInto", false, func(dst, src []uint64) int {
		return asm.OrIntoPortable(src[:min(len(dst), len(src))], dst) + 0*copy(dst, src)
	}},
	{"result counted but last vector not stored", "OrInto", false, func(dst, src []uint64) int {
		n := min(len(dst), len(src))
		ones := asm.OrCountPortable(dst[:n], src[:n])
		asm.OrIntoPortable(dst[:n/8*8], src)
		return ones
	}},
	{"ones counted before the store", "AndInto", false, func(dst, src []uint64) int {
		n := asm.CountPortable(dst[:min(len(dst), len(src))])
		asm.AndIntoPortable(dst, src)
		return n
	}},
	{"length cut to 32 bits", "Count", true, one(func(x []uint64) int { return asm.CountPortable(x[:uint32(len(x))]) })},
	{"length cut to 32 bits where word goes by word", "OrInto", true, func(dst, src []uint64) int {
		n := min(len(dst), len(src))
		if lead := uintptr(unsafe.Pointer(unsafe.SliceData(dst))) - uintptr(unsafe.Pointer(unsafe.SliceData(src))); lead-1 < 31 {
			n = int(uint32(n))
		}
		return asm.OrIntoPortable(dst[:n], src[:n])
	}},
	{"only long inputs wrong", "Count", false, one(func(x []uint64) int {
		n := asm.CountPortable(x)
		if len(x) > 1<<16 {
			n -= int(x[1<<16] & 1)
		}
		return n
	})},
	{"complement of the wrong argument stored", "AndNotInto", false, func(dst, src []uint64) int {
		n := 0
		for i := range min(len(dst), len(src)) {
			n += bits.OnesCount64(dst[i] &^ src[i])
			dst[i] = src[i] &^ dst[i]
		}
		return n
	}},
	{"overlap ignored: four words loaded before four are stored", "OrInto", false, func(dst, src []uint64) int {
		n, ones := min(len(dst), len(src)), 0
		for i := 0; i < n; i += 4 {
			var v [4]uint64
			k := copy(v[:], src[i:min(i+4, n)])
			ones += asm.OrIntoPortable(dst[i:i+k], v[:k])
		}
		return ones
	}},
}

// TestMutants asserts that the table catches every broken kernel, and that what it
// prints names the kernel and is small.
func TestMutants(t *testing.T) {
	for _, m := range mutants {
		t.Run(strings.ReplaceAll(m.name, " ", "-"), func(t *testing.T) {
			if m.guard && !Guarded() {
				t.Log("no forbidden pages on this system: this fault cannot be seen here")
				return
			}
			if bits.UintSize == 32 && strings.Contains(m.name, "32 bits") {
				return // an int has no more
			}
			for _, short := range longtest.More([]bool{true}, []bool{true, false}) {
				_, err := Run(mutantRow(m.op, m.f), Options{Seed: 1, Short: short})
				if err == nil {
					t.Fatalf("short=%v: not caught", short)
				}
				text := err.Error()
				if !strings.HasPrefix(text, m.op+"/mutant: ") || !strings.Contains(text, "seed 1") || !strings.Contains(text, "length ") {
					t.Errorf("message lacks kernel, seed or length: %s", text)
				}
				if len(text) > 1500 {
					t.Errorf("message of %d bytes: %s", len(text), text)
				}
			}
		})
	}
}

// TestOddPlaces asserts that a kernel that rounds the address of an argument down to
// whole words is caught.
func TestOddPlaces(t *testing.T) {
	if !unaligned {
		t.Log("this CPU reads whole words only where they may lie: no case has others")
		return
	}
	for _, op := range []string{"Count", "XorCount"} {
		_, err := Run(mutantRow(op, func(a, b []uint64) int {
			p := unsafe.Pointer(unsafe.SliceData(a))
			return popcountTwin(op)(unsafe.Slice((*uint64)(unsafe.Add(p, -int(uintptr(p)&7))), len(a)), b)
		}), Options{Seed: 1, Short: true})
		f, ok := err.(*Failure)
		if !ok || f.c.off[0]&7 == 0 {
			t.Errorf("%s: not caught where it is wrong: %v", op, err)
		}
	}
}

// mutantRow is the row of op with kernel f.
func mutantRow(op string, f Func) Row {
	for _, r := range Select(Popcount(), "portable") {
		if r.Op == op {
			return Row{op, "mutant", r.Shape, f, popcountTwin(op)}
		}
	}
	panic("no operation " + op)
}

func popcountTwin(op string) Func {
	for _, f := range popcountFamily {
		if f.op == op {
			return f.portable
		}
	}
	return nil
}

// TestMinimise asserts that a failure is cut down to the words that matter.
func TestMinimise(t *testing.T) {
	row := mutantRow("Count", one(func(x []uint64) int {
		n := asm.CountPortable(x)
		if len(x) >= 21 && x[20]>>63 != 0 {
			n--
		}
		return n
	}))
	_, err := Run(row, Options{Seed: 7, Short: true})
	f, ok := err.(*Failure)
	if !ok {
		t.Fatalf("got %v", err)
	}
	if n := f.c.arg[0].n; n != 21 || len(f.c.words[0]) != 21 {
		t.Errorf("length %d, want 21", n)
	}
	for i, w := range f.c.words[0] {
		if (w != 0) != (i == 20) {
			t.Errorf("word %d is %#x, want only word 20 to be set", i, w)
		}
	}
	if f.What != "got 0, want 1" && !strings.HasPrefix(f.What, "got ") {
		t.Errorf("what: %q", f.What)
	}
}

// TestSameCases asserts that a seed fixes the cases: what a failure prints can be run
// again.
func TestSameCases(t *testing.T) {
	hash := func(seed uint64) (h uint64) {
		row := mutantRow("OrCount", func(a, b []uint64) int {
			for _, w := range a[:min(len(a), len(b))] {
				h = (h ^ w) * 0x9e37_79b9_7f4a_7c15
			}
			h = (h ^ uint64(len(b))) * 0x9e37_79b9_7f4a_7c15
			return asm.OrCountPortable(a, b)
		})
		if _, err := Run(row, Options{Seed: seed, Short: true}); err != nil {
			t.Error(err)
		}
		return h
	}
	if a, b := hash(3), hash(3); a != b {
		t.Errorf("seed 3 gave %#x, then %#x", a, b)
	}
	if a, b := hash(3), hash(4); a == b {
		t.Errorf("seeds 3 and 4 gave the same cases")
	}
}
