package kernel_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// The vectors of XXH3-128 are those that the reference implementation publishes
// (xxHash 0.8, cli/xsum_sanity_check.c and tests/sanity_test_vectors.h), with the
// buffer that it defines; they were computed again with Debian's libxxhash 0.8.1
// (XXH3_128bits_withSeed), which added the rows with seed 2^64-1. One length for each
// path of the algorithm: 0, 1-3, 4-8, 9-16, 17-128, 129-240, and beyond, with less
// and more than one block of 1024 bytes.
var xxh3Vectors = []struct {
	n            int
	seed, lo, hi uint64
}{
	{0, 0x0000000000000000, 0x6001c324468d497f, 0x99aa06d3014798d8},
	{0, 0x000000009e3779b1, 0x5444f7869c671ab0, 0x92220ae55e14ab50},
	{0, 0xffffffffffffffff, 0x2d10110a247d19dd, 0x5334ec22748b5fcd},
	{1, 0x0000000000000000, 0xc44bdff4074eecdb, 0xa6cd5e9392000f6a},
	{1, 0x000000009e3779b1, 0xb53d5557e7f76f8d, 0x89b99554ba22467c},
	{1, 0x9e3779b185ebca8d, 0x032be332dd766ef8, 0x20e49abcc53b3842},
	{3, 0x0000000000000000, 0x54247382a8d6b94d, 0x20efc49ff02422ea},
	{3, 0xffffffffffffffff, 0x7e33e09c7e7755a2, 0x11cc7a3ee5d75753},
	{4, 0x0000000000000000, 0x2e7d8d6876a39fe9, 0x970d585ac632bf8e},
	{4, 0x9e3779b185ebca8d, 0xbfaf51f1e67e0b0f, 0x3d53e5dfd837d927},
	{8, 0x0000000000000000, 0x64c69cab4bb21dc5, 0x47a7f080d82bb456},
	{8, 0x9e3779b185ebca8d, 0x7b29471dc729b5ff, 0xf50cec145bcd5c5a},
	{8, 0xffffffffffffffff, 0x2ea0f2ed59b3be31, 0xc32a951319a38122},
	{9, 0x0000000000000000, 0xed7ccbc501eb7501, 0x564ef6078950d457},
	{16, 0x0000000000000000, 0x562980258a998629, 0xc68c368ecf8a9c05},
	{16, 0x9e3779b185ebca8d, 0x0346d13a7a5498c7, 0x6ffcb80cd33085c8},
	{17, 0x0000000000000000, 0xabbc12d11973d7db, 0x955fa78643ed3669},
	{17, 0xffffffffffffffff, 0x91977a58848337d4, 0xabc6bf2e914a9efa},
	{128, 0x0000000000000000, 0xebb15e34a7fb5ab1, 0x39992220e045260a},
	{128, 0x9e3779b185ebca8d, 0x8394f5c51f1d8246, 0xa0f7ccb68ee02add},
	{129, 0x0000000000000000, 0x86c9e3bc8f0a3b5c, 0x03815fc91f1b30b6},
	{129, 0x9e3779b185ebca8d, 0xd4aae26fcec7dc03, 0xad559266067c0bf3},
	{240, 0x0000000000000000, 0x5c9aae94c8ebe5a0, 0xaa4202daa2769dc8},
	{240, 0xffffffffffffffff, 0x47c68227992ac8fe, 0xad7306e2d8651215},
	{241, 0x0000000000000000, 0xc5a639ecd2030e5e, 0x99a80ecf0ecfc647},
	{241, 0x9e3779b185ebca8d, 0xdda9b0a161d4829a, 0xec64afae6a137582},
	{403, 0x0000000000000000, 0xcdeb804d65c6dea4, 0x1b6de21e332dd73d},
	{403, 0x9e3779b185ebca8d, 0x6259f6ecfd6443fd, 0xbed311971e0be8f2},
	{1024, 0x0000000000000000, 0xdd85c9b5c1109c5c, 0x0d30d24071c64c57},
	{1024, 0xffffffffffffffff, 0xf6ca4f0156d35de7, 0x26a1eea2455b4e6d},
	{2048, 0x0000000000000000, 0xdd59e2c3a5f038e0, 0xf736557fd47073a5},
	{2048, 0x000000009e3779b1, 0x230d43f30206260b, 0x7fb03f7e7186c3ea},
	{4160, 0x0000000000000000, 0x4f323b15321e94e1, 0x67140711c1e3e335},
	{4160, 0x9e3779b185ebca8d, 0x1bf6f5faf9eecabd, 0xee430626ba3b2f3c},
}

func TestXXH3Vectors(t *testing.T) {
	buffer := make([]byte, 4160)
	for i, x := 0, uint64(2654435761); i < len(buffer); i++ {
		buffer[i] = byte(x >> 56)
		x *= 11400714785074694797
	}
	for _, v := range xxh3Vectors {
		f := mustNew(t, bloomproof.Geometry{M: 1, K: 1}, kernel.Options{Seed: v.seed})
		if got, want := f.Hasher().Bytes(buffer[:v.n]), (kernel.Hash{H0: v.lo, H1: v.hi}); got != want {
			t.Errorf("%d bytes, seed %#x: %#x, want %#x", v.n, v.seed, got, want)
		}
	}
}

// The vectors of SipHash-2-4-128, key 00 01 ... 0f and message 00 01 ... of n bytes,
// were computed with OpenSSL 3.0 (openssl mac -macopt hexkey:... -macopt size:16
// SIPHASH); the first two are also the first two that its authors publish.
var sipVectors = map[int]string{
	0:  "a3817f04ba25a8e66df67214c7550293",
	1:  "da87c1d86b99af44347659119b22fc45",
	15: "5493e99933b0a8117e08ec0f97cfc3d9",
	63: "5150d1772f50834a503e069a973fbd7c",
}

func TestSipHashVectors(t *testing.T) {
	f := mustNew(t, bloomproof.Geometry{M: 1, K: 1}, kernel.Keyed(sipKey[:]))
	r, err := kernel.NewRecycling(bloomproof.Geometry{M: 2, K: 1}, bloomproof.Recycling{}, kernel.Keyed(sipKey[:]))
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range sipVectors {
		message := make([]byte, n)
		for i := range message {
			message[i] = byte(i)
		}
		b, err := hex.DecodeString(want)
		if err != nil {
			t.Fatal(err)
		}
		word := func(at int) (x uint64) { // little-endian, as the reference writes its output
			for i := 7; i >= 0; i-- {
				x = x<<8 | uint64(b[at+i])
			}
			return x
		}
		h := kernel.Hash{H0: word(0), H1: word(8)}
		if got := f.Hasher().Bytes(message); got != h {
			t.Errorf("%d bytes: %#x, want %#x", n, got, h)
		}
		if got := r.Hasher().Bytes(message); got != h {
			t.Errorf("recycling, %d bytes: %#x, want %#x", n, got, h)
		}
	}
}

// A key is printed by nothing: not by the verbs of fmt, on whatever holds it, nor by
// an error, nor does a snapshot hold it, in any order or base.
func TestKeyIsNeverPrinted(t *testing.T) {
	key := [16]byte{0xde, 0xad, 0xbe, 0xef, 0xca, 0xfe, 0xf0, 0x0d, 0xab, 0xad, 0x1d, 0xea, 0xfe, 0xed, 0xfa, 0xce}
	o := kernel.Keyed(key[:])
	g := bloomproof.Geometry{M: 64, K: 2}
	f := mustNew(t, g, o)
	r, err := kernel.NewRecycling(g, bloomproof.Recycling{}, o)
	if err != nil {
		t.Fatal(err)
	}
	errs := []error{
		f.Union(mustNew(t, g, kernel.Keyed([]byte{1, 15: 0}))),
		f.Union(mustNew(t, g, kernel.Options{})),
	}
	seeded := o
	seeded.Seed = 1
	for _, bad := range []kernel.Options{seeded, kernel.Keyed(key[:15]), kernel.Keyed(append(key[:], 1))} {
		_, err := kernel.New(g, bad)
		errs = append(errs, err)
	}
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	more, err := r.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	errs = append(errs, new(kernel.Filter).UnmarshalBinary(data), new(kernel.RecyclingFilter).UnmarshalBinary(more))

	var texts []string
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "% x", "%d", "%o", "%b", "%c", "%U", "%T", "%t", "%e", "%p"} {
		for _, v := range []any{o, &o, []kernel.Options{o}, map[string]any{"o": o}, struct{ O kernel.Options }{o}, f.Hasher(), *f, f, *r, r, []any{f, *f, r, *r}, struct{ F kernel.Filter }{*f}} {
			texts = append(texts, fmt.Sprintf(verb, v))
		}
		for _, err := range errs {
			if err == nil {
				t.Fatal("an error was expected")
			}
			texts = append(texts, fmt.Sprintf(verb, err))
		}
	}
	for _, err := range errs {
		var p *bloomproof.ParamError
		if errors.As(err, &p) {
			texts = append(texts, fmt.Sprintf("%#v", *p), p.Error())
		}
	}
	leaks := keyTexts(key)
	for _, text := range texts {
		for _, leak := range leaks {
			if strings.Contains(strings.ToLower(text), leak) {
				t.Errorf("%q shows %q of the key", text, leak)
			}
		}
	}
	for _, snapshot := range [][]byte{data, more} {
		for _, part := range [][]byte{key[:8], key[8:], {0x0d, 0xf0, 0xfe, 0xca}, {0xce, 0xfa, 0xed, 0xfe}} {
			if bytes.Contains(snapshot, part) {
				t.Errorf("a snapshot holds %x of the key", part)
			}
		}
	}
	if text, err := json.Marshal(o); err != nil || string(text) != `{"Seed":0,"Impl":""}` {
		t.Errorf("in JSON, options with a key are %s, %v", text, err)
	}
	clear(key[:])
	if again := mustNew(t, g, o); !again.Equal(f) {
		t.Error("the options have the caller's key, not a copy")
	}
}

// keyTexts returns how parts of the key would look: as bytes and as the words that
// SipHash takes, in the bases that verbs have.
func keyTexts(key [16]byte) []string {
	var texts []string
	for _, format := range []string{"%x", "%d", "%o", "%b"} {
		for _, half := range [][]byte{key[:8], key[8:]} {
			word := uint64(0)
			for i := 7; i >= 0; i-- {
				word = word<<8 | uint64(half[i])
			}
			texts = append(texts, strings.Trim(fmt.Sprintf(format, half), "[]"), fmt.Sprintf(format, word))
		}
	}
	for _, text := range []string{"%x", "0x%x"} {
		texts = append(texts, fmt.Sprintf(text, key[0])+", "+fmt.Sprintf(text, key[1]))
	}
	return append(texts, "222, 173", "222 173", "de ad")
}
