package simulate

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/solve"
)

// ringed are operands of a look-up. first[s] holds, for each key, how many of its first positions are set in array s.
type ringed struct {
	words      []uint64 // of one array, or of a pair
	h          []uint64
	k          int
	span, step uint64
}

// fill draws keys and sets their first positions, so many as first says for each array and key. It draws again until
// the next position of each key is clear.
func fill(r *rand.Rand, k, words int, partitioned bool, first ...[]int) ringed {
	arrays := len(first)
	for {
		c := ringed{words: make([]uint64, arrays*words), h: make([]uint64, 2*len(first[0])+r.IntN(2)), k: k, span: uint64(64 * words)}
		if partitioned {
			c.span = uint64(64 * words / k)
			c.step = c.span
		}
		for i := range c.h {
			c.h[i] = r.Uint64()
		}
		pos := make([]uint64, len(first[0])*k)
		asm.PositionsPortable(pos, c.h, k, c.span, c.step)
		for s := range first {
			for i, some := range first[s] {
				for _, p := range pos[i*k:][:some] {
					c.words[uint64(arrays)*(p>>6)+uint64(s)] |= 1 << (p & 63)
				}
			}
		}
		clear := true
		for s := range first {
			for i, some := range first[s] {
				if some < k {
					p := pos[i*k+some]
					clear = clear && c.words[uint64(arrays)*(p>>6)+uint64(s)]>>(p&63)&1 == 0
				}
			}
		}
		if clear {
			return c
		}
	}
}

// ring compares the twins of rings with the portable function: ContainsRing and ContainsRing8 for one array,
// ContainsPairRing for two.
func ring(t *testing.T, r *rand.Rand, k, words int, first ...[]int) {
	t.Helper()
	c := fill(r, k, words, r.IntN(2) == 0, first...)
	n := len(first[0])
	args := map[string]any{"h": c.h, "k": c.k, "span": c.span, "step": c.step}
	want := make([]bool, n)
	names, found := []string{"ContainsRing", "ContainsRing8"}, 0
	var all []uint8
	if len(first) == 1 {
		found = asm.ContainsPortable(want, c.words, c.h, k, c.span, c.step)
		for i, b := range want {
			if all = append(all, 0); b {
				all[i] = 1
			}
		}
		args["words"] = c.words
	} else {
		names, all = []string{"ContainsPairRing"}, make([]uint8, n)
		asm.ContainsPairPortable(all, c.words, c.h, k, c.span, c.step)
		args["pair"] = c.words
	}
	for i := range n {
		for s := range first {
			if is := all[i]>>s&1 == 1; is != (first[s][i] == k) {
				t.Fatalf("key %d with the first positions %v of %d: %d", i, first, k, all[i])
			}
		}
	}
	for _, name := range names {
		out := make([]uint8, n+r.IntN(2))
		for i := range out {
			out[i] = uint8(r.IntN(2))
		}
		args["out"] = out
		got, _, domain := interpret(t, twins[name], args)
		if !domain || !slices.Equal(out[:n], all) || len(first) == 1 && got[0] != uint64(found) {
			t.Fatalf("%s of keys with the first positions %v of %d set: %v %v %v, of the portable function %v %d", name, first, k, domain, got, out, all, found)
		}
	}
}

// TestRingsArePortable asserts that the twins of rings end with what the portable functions store, for up to 3 keys with
// every number of first positions that are set, in every array; and for random such numbers of keys around the size of
// the ring and its multiples.
func TestRingsArePortable(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 7))
	for arrays := 1; arrays <= 2; arrays++ {
		for n := range 4 {
			for k := 1; k <= 3; k++ {
				first := make([][]int, arrays)
				for s := range first {
					first[s] = make([]int, n)
				}
				total := 1
				for range n * arrays {
					total *= k + 1
				}
				step := max(1, total/longtest.Of(20, 300, 5000)) // the others are skipped, from a random one on
				for at := r.IntN(step); at < total; at += step {
					rest := at
					for s := range first {
						for i := range first[s] {
							first[s][i], rest = rest%(k+1), rest/(k+1)
						}
					}
					ring(t, r, k, 16, first...)
				}
			}
		}
		for _, n := range []int{62, 63, 64, 65, 66, 88, 89, 95, 96, 97, 127, 128, 129, 150, 200} {
			for range longtest.Of(1, 2, 100) {
				k := 1 + r.IntN(6)
				first := make([][]int, arrays)
				for s := range first {
					first[s] = make([]int, n)
					for i := range first[s] {
						if first[s][i] = k; r.IntN(2) == 0 {
							first[s][i] = r.IntN(k + 1)
						}
					}
				}
				ring(t, r, k, 4096, first...)
			}
		}
	}
}

// TestRecords asserts that what a twin says about a word of its records may be assumed only for a word that was stored,
// and that it is claimed for each word that is stored, also on a path to the return. All functions return 1. So does the
// twin if this is right. Each function is tried with one array of records and with two, and early or not.
func TestRecords(t *testing.T) {
	for _, s := range solve.Solvers {
		longtest.Program(t, s[0])
	}
	register := func(n int) decode.Operand { return decode.Operand{Kind: decode.Register, Width: 64, Reg: n} }
	number := func(v uint64) decode.Operand { return decode.Operand{Kind: decode.Immediate, Value: v} }
	at := func(d uint64) decode.Operand {
		return decode.Operand{Kind: decode.Memory, Width: 64, Reg: 4, Base: true, Value: d}
	}
	try := func(t *testing.T, room uint64, arrays string, early bool, sec section) {
		sec.twin, sec.early = "Recorded", early
		store := func(v uint64) decode.Instruction {
			return decode.Instruction{Name: "mov", Args: []decode.Operand{at(room - 16), number(v)}}
		}
		load := decode.Instruction{Name: "mov", Args: []decode.Operand{register(0), at(room - 16)}}
		for _, c := range []struct {
			what, holds, twin string
			code              []decode.Instruction
			proved            bool
		}{
			{"a word that is stored and loaded", "v < 8", "\tring[0] = 7\n\treturn 1\n", []decode.Instruction{store(7), load}, true},
			{"another result", "v < 8", "\tring[0] = 7\n\treturn 0\n", []decode.Instruction{store(7), load}, false},
			{"a word for which it does not hold", "v < 8", "\treturn 0\n", []decode.Instruction{store(8), load}, false},
			{"a word that is not stored, where the twin goes on", "v < k", "loop:\n\tif k == 0 goto loop\n\tassume k == 0\n\treturn 0\n", []decode.Instruction{load}, false},
			{"a word that is not stored", "v < k", "\tassume k == 0\n\treturn 0\n", []decode.Instruction{load}, false},
		} {
			all, err := parseTwins("twin Recorded(k int) int\n" + arrays + "\tholds ring 0: " + c.holds + "\n" + c.twin)
			if err != nil {
				t.Fatal(err)
			}
			twins["Recorded"] = all["Recorded"]
			defer delete(twins, "Recorded")
			code := slices.Concat([]decode.Instruction{{Name: "sub", Args: []decode.Operand{register(4), number(room)}}}, c.code, []decode.Instruction{
				{Name: "add", Args: []decode.Operand{register(4), number(room)}},
				{Name: "mov", Args: []decode.Operand{at(16), number(1)}},
				{Name: "ret"},
			})
			for i := range code {
				code[i].Address, code[i].Bytes = uint64(i), make([]byte, 1)
			}
			const source = "// func Recorded(k int) int\nTEXT ·Recorded(SB), NOSPLIT, $16-16\n"
			p, err := execute("Recorded", source, sec, code, Link{})
			if err == nil {
				err = solve.All(p.Scripts())
			}
			if (err == nil) != c.proved {
				t.Errorf("%s, %d bytes, early %v: %v", c.what, room, early, err)
			}
			t.Log(c.what, room, early, err)
		}
	}
	at16, at24 := expression{}, expression{}
	for text, e := range map[string]*expression{"SP - 16": &at16, "SP - 24": &at24} {
		var err error
		if *e, err = parse(text); err != nil {
			t.Fatal(err)
		}
	}
	for _, early := range []bool{false, true} {
		try(t, 16, "\trecords ring 2 1\n", early, section{below: 16})
		try(t, 24, "\trecords more 1 1\n\trecords ring 2 1\n", early, section{places: []named{{"more", at24}, {"ring", at16}}})
	}
}

// TestRecordsUnderMask asserts that nothing is known of a word that no instruction loads, because its lane is not in the
// mask. The function returns 1. The mask has no lane, and the twin returns 0. But if the record's word 0 was below k, which
// is 0, every claim would hold.
func TestRecordsUnderMask(t *testing.T) {
	all, err := parseTwins("twin Masked(k int) int\n\trecords ring 8 1\n\tholds ring 0: v < k\n\tassume k == 0\n\treturn 0\n")
	if err != nil {
		t.Fatal(err)
	}
	twins["Masked"] = all["Masked"]
	defer delete(twins, "Masked")
	register := func(width, n int) decode.Operand { return decode.Operand{Kind: decode.Register, Width: width, Reg: n} }
	number := func(v uint64) decode.Operand { return decode.Operand{Kind: decode.Immediate, Value: v} }
	at := func(width int, d uint64) decode.Operand {
		return decode.Operand{Kind: decode.Memory, Width: width, Reg: 4, Base: true, Value: d}
	}
	code := []decode.Instruction{
		{Name: "mov", Args: []decode.Operand{register(64, 0), at(64, 8)}},
		{Name: "sub", Args: []decode.Operand{register(64, 4), number(64)}},
		{Name: "kmovb", Args: []decode.Operand{{Kind: decode.Mask, Width: 64, Reg: 1}, register(32, 0)}},
		{Name: "vmovdqu64", Args: []decode.Operand{{Kind: decode.Vector, Width: 512, Mask: 1, Zeroed: true}, at(512, 0)}},
		{Name: "add", Args: []decode.Operand{register(64, 4), number(64)}},
		{Name: "mov", Args: []decode.Operand{at(64, 16), number(1)}},
		{Name: "vzeroupper"},
		{Name: "ret"},
	}
	for i := range code {
		code[i].Address, code[i].Bytes = uint64(i), make([]byte, 1)
	}
	const source = "// func Masked(k int) int\nTEXT ·Masked(SB), NOSPLIT, $64-16\n"
	if p, err := execute("Masked", source, section{twin: "Masked", below: 64}, code, Link{}); err == nil {
		t.Errorf("%d claims", len(p.Obligations))
	} else if !strings.Contains(err.Error(), "a load under a mask from a word of a record") {
		t.Error(err)
	}
}
