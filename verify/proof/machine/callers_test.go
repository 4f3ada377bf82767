package main

import (
	"debug/elf"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/object"
)

// TestFramePointersARM64 asserts what the proofs of functions with a frame assume for arm64: at a call, the frame pointer
// is the stack pointer minus 8. The callers of the kernels are functions that the linker adds, which store the arguments on
// the stack. Before each call there must be the instruction that sets the frame pointer, and after it only stores. No data
// may have the address of a kernel, so that nothing else calls it.
func TestFramePointersARM64(t *testing.T) {
	longtest.Only(t, "it links a program for arm64, for which an empty cache has to compile the standard library: 20 seconds")
	f, err := object.Link(root, t.TempDir(), "arm64")
	if err != nil {
		t.Fatal(err)
	}
	kernels, sizes, calls := map[uint64]string{}, map[string]int{}, map[string]int{}
	for _, name := range f.Functions() {
		c, err := f.Function(name)
		if err != nil {
			t.Fatal(err)
		}
		kernels[c.Address], sizes[name] = name, len(c.Bytes)
	}
	program, err := elf.Open(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	for _, s := range program.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 || s.Type != elf.SHT_PROGBITS {
			continue
		}
		b, err := s.Data()
		if err != nil {
			t.Fatal(err)
		}
		if s.Flags&elf.SHF_EXECINSTR == 0 {
			for at := 0; at+8 <= len(b); at += 8 {
				if name := kernels[binary.LittleEndian.Uint64(b[at:])]; name != "" {
					t.Errorf("%s: the word at %#x is the address of %s", s.Name, s.Addr+uint64(at), name)
				}
			}
			continue
		}
		words := make([]uint32, len(b)/4)
		for i := range words {
			words[i] = binary.LittleEndian.Uint32(b[4*i:])
		}
		for i, w := range words {
			if w&0x7c000000 != 0x14000000 { // neither B nor BL
				continue
			}
			at := s.Addr + uint64(4*i)
			to := at + uint64(4*(int64(int32(w<<6))>>6))
			name := kernels[to]
			if name == "" || at-to < uint64(sizes[name]) { // a kernel begins again after the stack was enlarged
				continue
			}
			if calls[name]++; w>>31 == 0 || !framed(words[:i]) {
				t.Errorf("%#x: a call of %s without a frame pointer", at, name)
			}
		}
	}
	for _, name := range kernels {
		if calls[name] == 0 {
			t.Errorf("nothing calls %s", name)
		}
	}
}

// The function "framed" reports whether the last of the instructions that are no stores sets the frame pointer to the stack
// pointer minus 8.
func framed(code []uint32) bool {
	for _, w := range slices.Backward(code) {
		switch w & 0xffc00000 {
		case 0xf9000000, 0xa9000000, 0xfd000000, 0x6d000000: // STR and STP of registers X and D, which change no register
			continue
		}
		return w == 0xd10023fd // SUB X29, SP, #8
	}
	return false
}

// TestFramed asserts which instructions before a call are permitted.
func TestFramed(t *testing.T) {
	const sub, str, stp, ldr = 0xd10023fd, 0xf90047e0, 0xa90087e0, 0xf94037fd // ldr is of X29
	for _, c := range []struct {
		code []uint32
		want bool
	}{
		{[]uint32{sub}, true}, {[]uint32{ldr, sub, str, stp}, true},
		{nil, false}, {[]uint32{str}, false}, {[]uint32{sub, ldr}, false}, {[]uint32{sub, ldr, str}, false}, {[]uint32{sub + 1<<10, str}, false},
	} {
		if got := framed(c.code); got != c.want {
			t.Errorf("%#x: %v", c.code, got)
		}
	}
}
