package asmtest

import (
	"math/bits"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/bloomproof/bloomproof/kernel/asm"
)

// derive returns the positions of the whole keys of c, with f in the place of the
// derivation when f is not nil.
func derive(c ProbeCall, f func(c ProbeCall, h0, h1 uint64, j int) uint64) []uint64 {
	pos := make([]uint64, len(c.Keys)/2*c.K)
	asm.PositionsPortable(pos, c.Keys, c.K, c.Span, c.Step)
	for i := range len(pos) {
		if key := i / c.K; f != nil {
			pos[i] = f(c, c.Keys[2*key], c.Keys[2*key+1], i%c.K)
		}
	}
	return pos
}

// containsBy, addBy and positionsBy are operations on hashes by another derivation.
func containsBy(f func(c ProbeCall, h0, h1 uint64, j int) uint64) ProbeFunc {
	return func(c ProbeCall) (int, int) {
		return asm.ContainsAtPortable(bools(c.Out), c.Words, derive(c, f), c.K), 0
	}
}

func addBy(f func(c ProbeCall, h0, h1 uint64, j int) uint64) ProbeFunc {
	return func(c ProbeCall) (int, int) {
		return asm.AddAtPortable(bools(c.Out), c.Words, derive(c, f), c.K), 0
	}
}

func positionsBy(f func(c ProbeCall, h0, h1 uint64, j int) uint64) ProbeFunc {
	return func(c ProbeCall) (int, int) {
		n := min(len(c.Keys)/2, len(c.Dst)/c.K)
		copy(c.Dst[:n*c.K], derive(c, f))
		return n, 0
	}
}

// right returns the j-th position of a hash.
func right(c ProbeCall, h0, h1 uint64, j int) uint64 {
	var pos [1]uint64 // the j-th word of this hash is the first of the one that begins j steps later
	asm.PositionsPortable(pos[:], []uint64{h0 + uint64(j)*(h1|1), h1}, 1, c.Span, c.Step)
	return uint64(j)*c.Step + pos[0]
}

// mixed returns the word of the stream from which the j-th position follows.
func mixed(h0, h1 uint64, j int) uint64 {
	z := h0 + uint64(j+1)*(h1|1)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func high(x, span uint64) uint64 { hi, _ := bits.Mul64(x, span); return hi }

// containsAt calls the twin with other positions, which f returns.
func containsAt(f func(c ProbeCall, pos []uint64) []uint64) ProbeFunc {
	return func(c ProbeCall) (int, int) {
		return asm.ContainsAtPortable(bools(c.Out), c.Words, f(c, slices.Clone(c.Keys)), c.K), 0
	}
}

// addInSteps adds a number of keys at a time, each step answered before it is set.
func addInSteps(step int) ProbeFunc {
	return func(c ProbeCall) (fresh, _ int) {
		n := min(len(c.Out), len(c.Keys)/c.K)
		for i := 0; i < n; i += step {
			j := min(i+step, n)
			out, pos := bools(c.Out[i:j]), c.Keys[i*c.K:j*c.K]
			asm.ContainsAtPortable(out, c.Words, pos, c.K)
			for o := range out {
				out[o] = !out[o]
			}
			fresh += asm.AddAtPortable(make([]bool, j-i), c.Words, pos, c.K)
		}
		return fresh, 0
	}
}

// then is a right kernel after which g spoils something.
func then(f ProbeFunc, g func(c ProbeCall, a *int)) ProbeFunc {
	return func(c ProbeCall) (int, int) {
		a, b := f(c)
		g(c, &a)
		return a, b
	}
}

func pastByte(b []uint8, i int) *uint8 {
	return (*uint8)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i))
}

var (
	contains       = hashesFunc(asm.ContainsPortable)
	add            = hashesFunc(asm.AddPortable)
	containsReady  = atFunc(asm.ContainsAtPortable)
	addReady       = atFunc(asm.AddAtPortable)
	containsPair   = pairFunc(asm.ContainsPairPortable)
	containsPairAt = pairAtFunc(asm.ContainsPairAtPortable)
	addPair        = sidedFunc(asm.AddPairAtPortable)
)

// promised reports whether this system has arrays with positions beyond 32 bits.
func promised() bool {
	a, ok := newSparse(farSize(testing.Short()) / 32)
	if ok {
		a.free()
	}
	return ok
}

// TestPromised asserts that Linux has them: without, positions beyond 32 bits would go
// untested in silence.
func TestPromised(t *testing.T) {
	if want := runtime.GOOS == "linux" && bits.UintSize == 64; promised() != want {
		t.Errorf("on %s: %v, want %v", runtime.GOOS, !want, want)
	}
}

// probeMutant is a kernel with a fault.
type probeMutant struct {
	name  string
	op    string
	guard bool // seen only where memory can be forbidden, or promised
	f     ProbeFunc
}

// probeMutants are kernels of the probe family broken on purpose, one fault each. The
// table must catch all of them.
var probeMutants = []probeMutant{
	{"whole batch tested before it is set", "AddAt", false, addInSteps(1 << 20)},
	{"eight keys tested before they are set", "AddAt", false, addInSteps(8)},
	{"two keys tested before they are set", "AddAt", false, addInSteps(2)},
	{"keys in reverse order", "AddAt", false, func(c ProbeCall) (int, int) {
		n := min(len(c.Out), len(c.Keys)/c.K)
		var pos []uint64
		for i := n - 1; i >= 0; i-- {
			pos = append(pos, c.Keys[i*c.K:(i+1)*c.K]...)
		}
		a := asm.AddAtPortable(bools(c.Out[:n]), c.Words, pos, c.K)
		slices.Reverse(c.Out[:n])
		return a, 0
	}},
	{"positions of a key tested before one is set", "AddAt", false, func(c ProbeCall) (int, int) {
		n := min(len(c.Out), len(c.Keys)/c.K)
		fresh := 0
		for i := range n {
			for _, p := range c.Keys[i*c.K : (i+1)*c.K] {
				fresh += int(^c.Words[p>>6] >> (p & 63) & 1)
			}
			asm.AddAtPortable(bools(c.Out[i:i+1]), c.Words, c.Keys[i*c.K:(i+1)*c.K], c.K)
		}
		return fresh, 0
	}},
	{"last key dropped", "Contains", false, func(c ProbeCall) (int, int) {
		if n := len(c.Keys) / 2; n%8 == 1 {
			c.Keys = c.Keys[:2*(n-1)]
		}
		return contains(c)
	}},
	{"last key dropped", "Add", false, func(c ProbeCall) (int, int) {
		if n := len(c.Keys) / 2; n%16 == 15 {
			c.Keys = c.Keys[:2*(n-1)]
		}
		return add(c)
	}},
	{"last position not looked at", "Contains", false, containsBy(func(c ProbeCall, h0, h1 uint64, j int) uint64 {
		return right(c, h0, h1, min(j, max(c.K-2, 0)))
	})},
	{"wrong mask at multiples of 8 positions", "ContainsAt", false, containsAt(func(c ProbeCall, pos []uint64) []uint64 {
		for i := range pos {
			if c.K%8 == 0 && i%c.K == c.K-1 {
				pos[i] = pos[i-1]
			}
		}
		return pos
	})},
	{"positions past the eighth under the mask of the first", "ContainsAt", false, containsAt(func(c ProbeCall, pos []uint64) []uint64 {
		for i := range pos {
			if i%c.K == 8 {
				pos[i] = pos[i]&^63 | pos[i-8]&63
			}
		}
		return pos
	})},
	{"bit number of 5 bits", "ContainsAt", false, containsAt(func(_ ProbeCall, pos []uint64) []uint64 {
		for i := range pos {
			pos[i] &^= 32
		}
		return pos
	})},
	{"number of positions in a byte", "AddAt", false, func(c ProbeCall) (int, int) {
		if c.K == 4096 {
			return 0, 0
		}
		return addReady(c)
	}},
	{"answers counted past the last key", "Contains", false, then(contains, func(c ProbeCall, a *int) {
		if n := min(len(c.Out), len(c.Keys)/2); n > 8 && n%8 == 3 {
			*a += int(c.Out[n-n%8-1]) // a lane of the step before
		}
	})},
	{"bits found, not keys", "ContainsAt", false, then(containsReady, func(c ProbeCall, a *int) { *a *= c.K })},
	{"answer is a number", "Add", false, then(add, func(c ProbeCall, _ *int) {
		for i := range min(len(c.Out), len(c.Keys)/2) {
			c.Out[i] *= 3
		}
	})},
	{"answer not stored for a miss", "Contains", false, func(c ProbeCall) (int, int) {
		out := c.Out
		c.Out = slices.Clone(out)
		a, _ := contains(c)
		for i, v := range c.Out {
			if v == 1 {
				out[i] = 1
			}
		}
		return a, 0
	}},
	{"answers of a ring under the slot's last key", "Contains", false, then(contains, func(c ProbeCall, _ *int) {
		if n := min(len(c.Out), len(c.Keys)/2); n > 64 {
			c.Out[n-1], c.Out[n-65] = c.Out[n-65], c.Out[n-1]
		}
	})},
	{"eight answers written", "Contains", false, then(contains, func(c ProbeCall, _ *int) {
		n := min(len(c.Out), len(c.Keys)/2)
		defer func() { _ = recover() }() // hidden where the page ends, so only canaries tell
		for ; n%8 != 0; n++ {
			*pastByte(c.Out, n) = 0
		}
	})},
	{"answers as many as keys", "ContainsAt", false, func(c ProbeCall) (int, int) {
		c.Out = unsafe.Slice(unsafe.SliceData(c.Out), len(c.Keys)/c.K)
		return containsReady(c)
	}},
	{"keys as many as answers", "ContainsAt", true, func(c ProbeCall) (int, int) {
		c.Keys = unsafe.Slice(unsafe.SliceData(c.Keys), len(c.Out)*c.K)
		for i, p := range c.Keys {
			if p>>6 >= uint64(len(c.Words)) {
				c.Keys = c.Keys[:i]
				break
			}
		}
		return containsReady(c)
	}},
	{"odd word of h read", "Add", true, func(c ProbeCall) (int, int) {
		peek(c.Keys, len(c.Keys)|1)
		return add(c)
	}},
	{"word before h read", "Contains", true, then(contains, func(c ProbeCall, _ *int) { peek(c.Keys, -1) })},
	{"word past words read", "ContainsAt", true, then(containsReady, func(c ProbeCall, _ *int) { peek(c.Words, len(c.Words)) })},
	{"word past pos read", "AddAt", true, func(c ProbeCall) (int, int) { peek(c.Keys, len(c.Keys)); return addReady(c) }},
	{"word past slices read", "AddSlicesAt", true, func(c ProbeCall) (int, int) {
		peek(c.Slices, len(c.Slices))
		return asm.AddSlicesAtPortable(bools(c.Out), c.Words, c.Keys, c.Slices), 0
	}},
	{"word past words read", "ContainsPairAt", true, then(containsPairAt, func(c ProbeCall, _ *int) { peek(c.Words, len(c.Words)) })},
	{"positions in whole vectors", "Positions", false, then(positionsBy(nil), func(c ProbeCall, a *int) {
		defer func() { _ = recover() }()
		for i := *a * c.K; i%8 != 0; i++ {
			*past(c.Dst, i) = 0
		}
	})},
	{"one position more than fits", "Positions", false, then(positionsBy(nil), func(c ProbeCall, a *int) {
		if *a < len(c.Keys)/2 && len(c.Dst) > *a*c.K {
			*a++
		}
	})},
	{"high product without the carry", "Positions", false, positionsBy(func(c ProbeCall, h0, h1 uint64, j int) uint64 {
		x := mixed(h0, h1, j) &^ 0xfff
		hi := (x>>32)*(c.Span>>32) + (x>>32)*(c.Span&(1<<32-1))>>32 + (x&(1<<32-1))*(c.Span>>32)>>32
		return uint64(j)*c.Step + hi
	})},
	{"span of 32 bits", "Positions", false, positionsBy(func(c ProbeCall, h0, h1 uint64, j int) uint64 {
		return uint64(j)*c.Step + high(mixed(h0, h1, j)&^0xfff, c.Span&(1<<32-1))
	})},
	{"high product of all 64 bits", "Positions", false, positionsBy(func(c ProbeCall, h0, h1 uint64, j int) uint64 {
		return uint64(j)*c.Step + high(mixed(h0, h1, j), c.Span)
	})},
	{"increment even", "Contains", false, containsBy(func(c ProbeCall, h0, h1 uint64, j int) uint64 {
		return right(c, h0-(h1&1^1)*uint64(j+1), h1, j)
	})},
	{"stream from the hash itself", "Add", false, addBy(func(c ProbeCall, h0, h1 uint64, j int) uint64 {
		return right(c, h0-(h1|1), h1, j)
	})},
	{"step ignored", "Contains", false, containsBy(func(c ProbeCall, h0, h1 uint64, j int) uint64 {
		return right(c, h0, h1, j) - uint64(j)*c.Step
	})},
	{"step ignored after the eighth position", "Add", false, addBy(func(c ProbeCall, h0, h1 uint64, j int) uint64 {
		if j < 8 {
			return right(c, h0, h1, j)
		}
		return right(c, h0, h1, j) - c.Step
	})},
	{"a bit counted in the slice before", "AddSlicesAt", false, func(c ProbeCall) (int, int) {
		a := asm.AddSlicesAtPortable(bools(c.Out), c.Words, c.Keys, c.Slices)
		if last := len(c.Slices) - 1; last > 0 && a > 0 {
			c.Slices[last]--
			c.Slices[last-1]++
		}
		return a, 0
	}},
	{"slices count keys", "AddSlicesAt", false, func(c ProbeCall) (int, int) {
		for j := range c.Slices {
			c.Slices[j] += uint64(min(len(c.Out), len(c.Keys)/c.K))
		}
		return asm.AddSlicesAtPortable(bools(c.Out), c.Words, c.Keys, make([]uint64, c.K)), 0
	}},
	{"sides exchanged", "ContainsPair", false, then(containsPair, func(c ProbeCall, _ *int) {
		for i := range min(len(c.Out), len(c.Keys)/2) {
			c.Out[i] = c.Out[i]>>1 | c.Out[i]<<1&2
		}
	})},
	{"both sides or none", "ContainsPairAt", false, then(containsPairAt, func(c ProbeCall, _ *int) {
		for i := range min(len(c.Out), len(c.Keys)/c.K) {
			c.Out[i] = c.Out[i] & (c.Out[i] >> 1) * 3
		}
	})},
	{"given up once one side fails", "ContainsPair", false, then(containsPair, func(c ProbeCall, _ *int) {
		for i := range min(len(c.Out), len(c.Keys)/2) {
			if c.Out[i] != 3 {
				c.Out[i] = 0
			}
		}
	})},
	{"positions of 32 bits", "ContainsAt", true, containsAt(func(_ ProbeCall, pos []uint64) []uint64 {
		for i := range pos {
			pos[i] = uint64(uint32(pos[i]))
		}
		return pos
	})},
	{"positions of 32 bits", "Add", true, addBy(func(c ProbeCall, h0, h1 uint64, j int) uint64 {
		return uint64(uint32(right(c, h0, h1, j)))
	})},
	{"positions of 32 bits", "AddPairAt", true, func(c ProbeCall) (int, int) {
		c.Keys = slices.Clone(c.Keys)
		for i := range c.Keys {
			c.Keys[i] = uint64(uint32(c.Keys[i]))
		}
		return addPair(c)
	}},
	{"span of 32 bits", "Contains", true, containsBy(func(c ProbeCall, h0, h1 uint64, j int) uint64 {
		return uint64(j)*c.Step + high(mixed(h0, h1, j)&^0xfff, uint64(uint32(c.Span)))
	})},
	{"step of 32 bits", "Add", true, addBy(func(c ProbeCall, h0, h1 uint64, j int) uint64 {
		return uint64(uint32(uint64(j)*c.Step)) + right(c, h0, h1, j) - uint64(j)*c.Step
	})},
	{"wrong side of a pair", "AddPairAt", false, func(c ProbeCall) (int, int) { c.Side ^= 1; return addPair(c) }},
	{"side ignored", "AddPairAt", false, func(c ProbeCall) (int, int) { c.Side = 0; return addPair(c) }},
	{"overlap counted in the own array", "AddPairAt", false, func(c ProbeCall) (int, int) {
		a, _ := addPair(c)
		return a, a
	}},
	{"overlap counted for old bits too", "AddPairAt", false, func(c ProbeCall) (int, int) {
		overlap := 0
		for _, p := range c.Keys {
			overlap += int(c.Words[p>>6<<1|uint64(c.Side^1)] >> (p & 63) & 1)
		}
		a, _ := addPair(c)
		return a, overlap
	}},
	{"results exchanged", "AddPairAt", false, func(c ProbeCall) (int, int) { a, b := addPair(c); return b, a }},
	{"four positions tested before they are set", "AddPairAt", false, func(c ProbeCall) (fresh, overlap int) {
		for pos := c.Keys; len(pos) > 0; pos = pos[min(4, len(pos)):] {
			four := pos[:min(4, len(pos))]
			for _, p := range four {
				i := p>>6<<1 | uint64(c.Side)
				found := ^c.Words[i] >> (p & 63) & 1
				fresh += int(found)
				overlap += int(found & (c.Words[i^1] >> (p & 63)))
			}
			asm.AddPairAtPortable(c.Words, four, c.Side)
		}
		return fresh, overlap
	}},
	{"hashes written", "Add", false, then(add, func(c ProbeCall, _ *int) {
		if len(c.Keys) > 0 {
			c.Keys[0] |= 1
		}
	})},
	{"words written by a test", "Contains", false, then(contains, func(c ProbeCall, _ *int) { c.Words[0] |= 1 })},
}

// TestProbeMutants asserts that the table catches every broken kernel, and that what it
// prints names the kernel and is small.
func TestProbeMutants(t *testing.T) { testProbeMutants(t, probeMutants) }

func testProbeMutants(t *testing.T, mutants []probeMutant) {
	for _, m := range mutants {
		t.Run(strings.ReplaceAll(m.op+" "+m.name, " ", "-"), func(t *testing.T) {
			if m.guard && !(Guarded() && promised()) {
				t.Log("no forbidden or promised memory on this system: this fault cannot be seen here")
				return
			}
			_, err := RunProbe(probeMutantRow(m.op, m.f), Options{Seed: 1, Short: true})
			if err == nil {
				t.Fatal("not caught")
			}
			text := err.Error()
			if !strings.HasPrefix(text, m.op+"/mutant: ") || !strings.Contains(text, "seed 1") || !strings.Contains(text, "length ") {
				t.Errorf("message lacks kernel, seed or length: %s", text)
			}
			if len(text) > 1500 {
				t.Errorf("message of %d bytes: %s", len(text), text)
			}
			if testing.Verbose() {
				t.Log(text)
			}
		})
	}
}

// probeMutantRow is the row of op with kernel f.
func probeMutantRow(op string, f ProbeFunc) ProbeRow {
	for _, r := range probeFamily {
		if r.op == op {
			return ProbeRow{op, "mutant", r.form, f, r.portable, blockShape{}}
		}
	}
	for _, r := range blockFamily {
		if r.op == op {
			return ProbeRow{op, "mutant", r.form, f, r.portable, r.blocks}
		}
	}
	panic("no operation " + op)
}
