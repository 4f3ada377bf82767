package fuzz

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm/asmtest"
	"github.com/bloomproof/bloomproof/kernel/host"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// popcountRows are the kernels that this host can run, each with its specification.
func popcountRows() []asmtest.Row {
	return asmtest.Select(asmtest.Popcount(), runs(host.Popcount)...)
}

// runs returns the implementations of a family that this host can run.
func runs(f host.Family) (names []string) {
	for _, im := range host.Runs(f) {
		names = append(names, im.String())
	}
	return names
}

// popcountCall is a call of the popcount family that bytes decode to.
type popcountCall struct {
	a, b [2]int // first word and length of the arguments inside words
	same bool   // both arguments lie in one array
	long bool   // lengths go beyond 255 words
	// The specification of the portable functions goes bit by bit. It takes milliseconds for
	// long arguments, so a fuzzer has it for one of 16 long inputs.
	naive bool
}

// decodePopcount reads a head of 7 bytes and fills two arrays of words with the rest,
// repeated. Assembly gives the fuzzer no coverage, so lengths (to 255 words and, when a
// flag is set, 16 times that), offsets and distances vary with single bytes.
func decodePopcount(data []byte) (c popcountCall, words [2][]uint64, ok bool) {
	const head = 7
	if len(data) <= head {
		return c, words, false
	}
	scale := 1
	if data[0]&2 != 0 {
		c.long, scale = true, 16
	}
	c.same = data[0]&1 != 0
	c.a = [2]int{int(data[1] & 63), scale * int(data[2])}
	c.b = [2]int{int(data[3] & 63), scale*int(data[4]) + int(data[5])%9}
	salt := uint64(data[6])
	c.naive = longtest.Part(16, data...)(0)
	pattern := append(slices.Clone(data[head:]), make([]byte, -(len(data)-head)&7)...)
	for i := range words {
		n := max(c.a[0]+c.a[1], c.b[0]+c.b[1]) + 8
		w := make([]uint64, n)
		for j := range w {
			at := (8*j + 8*i*int(salt)) % len(pattern)
			w[j] = binary.LittleEndian.Uint64(pattern[at:])
		}
		words[i] = w
	}
	return c, words, true
}

// FuzzPopcount: every implementation of every operation gives the result of its
// specification and leaves the same words, for any lengths, offsets and overlap.
func FuzzPopcount(f *testing.F) {
	rows := popcountRows()
	var want, got popcountMemory
	f.Fuzz(func(t *testing.T, data []byte) {
		c, words, ok := decodePopcount(data)
		if !ok {
			return
		}
		op, count := "", 0
		for _, r := range rows {
			if r.Impl == "portable" && c.long && !c.naive {
				continue
			}
			cases.Add(1)
			if r.Op != op {
				op, count = r.Op, want.run(r.Want, c, words)
			}
			if n := got.run(r.Got, c, words); n != count {
				t.Errorf("%v: got %d, want %d for %+v", r, n, count, c)
			}
			for i := range words {
				if !slices.Equal(got[i], want[i]) {
					t.Errorf("%v: array %d differs for %+v", r, i, c)
				}
			}
			if r.Impl == "portable" {
				op = "" // the assembly of the operation has another specification
			}
		}
	})
}

// popcountMemory is the memory for two arrays of words, which all executions use again.
type popcountMemory [2][]uint64

// run calls f on a copy of words, and returns its result. The copy stays in m.
func (m *popcountMemory) run(f asmtest.Func, c popcountCall, words [2][]uint64) int {
	for i := range m {
		m[i] = append(m[i][:0], words[i]...)
	}
	second := m[1]
	if c.same {
		second = m[0]
	}
	return f(m[0][c.a[0]:c.a[0]+c.a[1]], second[c.b[0]:c.b[0]+c.b[1]])
}
