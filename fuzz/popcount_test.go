package fuzz

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm/asmtest"
	"github.com/bloomproof/bloomproof/kernel/host"
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
		scale = 16
	}
	c.same = data[0]&1 != 0
	c.a = [2]int{int(data[1] & 63), scale * int(data[2])}
	c.b = [2]int{int(data[3] & 63), scale*int(data[4]) + int(data[5])%9}
	salt := uint64(data[6])
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
	f.Fuzz(func(t *testing.T, data []byte) {
		c, words, ok := decodePopcount(data)
		if !ok {
			return
		}
		for _, r := range rows {
			cases.Add(1)
			want, wantWords := runPopcount(r.Want, c, words)
			got, gotWords := runPopcount(r.Got, c, words)
			if got != want {
				t.Errorf("%v: got %d, want %d for %+v", r, got, want, c)
			}
			for i := range words {
				if !slices.Equal(gotWords[i], wantWords[i]) {
					t.Errorf("%v: array %d differs for %+v", r, i, c)
				}
			}
		}
	})
}

// runPopcount calls f on a copy of words and returns its result and the copy.
func runPopcount(f asmtest.Func, c popcountCall, words [2][]uint64) (int, [2][]uint64) {
	w := [2][]uint64{slices.Clone(words[0]), slices.Clone(words[1])}
	second := w[1]
	if c.same {
		second = w[0]
	}
	return f(w[0][c.a[0]:c.a[0]+c.a[1]], second[c.b[0]:c.b[0]+c.b[1]]), w
}
