package bip37_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/texts"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/kernel/compat/bip37"
	"github.com/bloomproof/bloomproof/kernel/compat/internal/zero"
)

func mustNew(t testing.TB, m uint64, k int, tweak uint32) *bip37.Filter {
	t.Helper()
	f, err := bip37.New(m, k, tweak, bip37.UpdateAll)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func mustHex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func mustMarshal(t testing.TB, f *bip37.Filter) []byte {
	t.Helper()
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The vectors of Bitcoin Core's src/test/bloom_tests.cpp: bloom_create_insert_serialize, the same with a tweak, and
// bloom_create_insert_key, whose public key and its hash follow from the private key there. A test of the
// bench module holds btcd's filter to this package, at all sizes.
func TestVectorsOfBitcoinCore(t *testing.T) {
	three := []string{"99108ad8ed9bb6274d3980bab5a85c048f0950c8", "b5a2c786d9ef4658287ced5914b37a1b4aa32eee", "b9300670b4c5366e95b2699e8b18bc75e5f729c5"}
	for _, c := range []struct {
		k       int
		tweak   uint32
		keys    []string
		absent  string
		message string
	}{
		{5, 0, three, "19108ad8ed9bb6274d3980bab5a85c048f0950c8", "03614e9b050000000000000001"},
		{5, 2147483649, three, "19108ad8ed9bb6274d3980bab5a85c048f0950c8", "03ce4299050000000100008001"},
		{8, 0, []string{
			"045b81f0017e2091e2edcd5eecf10d5bdd120a5514cb3ee65b8447ec18bfc4575c6d5bf415e54e03b1067934a0f0ba76b01c6b9ab227142ee1d543764b69d901e0",
			"477abbacd4113f2e6b100526222eedd953c26a64",
		}, "00", "038fc16b080000000000000001"},
	} {
		f := mustNew(t, 24, c.k, c.tweak)
		for _, key := range c.keys {
			if !f.Add(mustHex(t, key)) || !f.Contains(mustHex(t, key)) || f.Add(mustHex(t, key)) {
				t.Errorf("%s was lost, or is new twice", key)
			}
		}
		if f.Contains(mustHex(t, c.absent)) {
			t.Errorf("%s is contained", c.absent)
		}
		want := mustHex(t, c.message)
		if got := mustMarshal(t, f); !bytes.Equal(got, want) {
			t.Errorf("message %x, want %x", got, want)
		}
		var read bip37.Filter
		if err := read.UnmarshalBinary(want); err != nil {
			t.Fatal(err)
		}
		if !read.Equal(f) || read.Tweak() != c.tweak || read.Flags() != bip37.UpdateAll || read.Geometry() != f.Geometry() || read.Bits() != f.Bits() {
			t.Error("another filter was read")
		}
	}
}

func TestParameters(t *testing.T) {
	var bad *bloomproof.ParamError
	for _, c := range []struct {
		param string
		m     uint64
		k     int
	}{{"m", 0, 1}, {"m", 12, 1}, {"m", 288_008, 1}, {"k", 8, 0}, {"k", 8, 51}, {"k", 8, -1}} {
		if _, err := bip37.New(c.m, c.k, 0, 0); !errors.As(err, &bad) || bad.Param != c.param {
			t.Errorf("New(%d, %d): %v", c.m, c.k, err)
		}
	}
	f := mustNew(t, 64, 3, 1)
	f.Add([]byte("a"))
	before := f.Clone()
	for param, g := range map[string]*bip37.Filter{"geometry": mustNew(t, 72, 3, 1), "tweak": mustNew(t, 64, 3, 2)} {
		if err := f.Union(g); !errors.As(err, &bad) || bad.Param != param || !f.Equal(before) {
			t.Errorf("a union of filters that differ in %s: %v", param, err)
		}
	}
}

// Bodies of all lengths come back, those about the change of the length's form and the largest among them.
func TestLengths(t *testing.T) {
	for _, n := range []uint64{1, 7, 8, 9, 252, 253, 254, 256, 35_999, 36_000} {
		f := mustNew(t, 8*n, 4, 7)
		for i := range n {
			f.Add([]byte{byte(i), byte(i >> 8)})
		}
		data := mustMarshal(t, f)
		head := uint64(1)
		if n > 252 {
			head = 3
		}
		var g bip37.Filter
		if err := g.UnmarshalBinary(data); err != nil || !g.Equal(f) || uint64(len(data)) != n+head+9 {
			t.Errorf("%d bytes of bits: %d in all, %v", n, len(data), err)
		}
	}
}

func TestHostileMessages(t *testing.T) {
	f := mustNew(t, 8*300, 3, 1)
	f.Add([]byte("a"))
	good := mustMarshal(t, f)
	change := func(at int, to ...byte) []byte {
		return append(append(bytes.Clone(good[:at]), to...), good[at+len(to):]...)
	}
	before := f.Clone()
	said := map[string]string{}
	for name, data := range map[string][]byte{
		"none": {}, "no bits": mustHex(t, "00050000000000000001"), "no bits in 11 bytes": mustHex(t, "0000050000000000000001"), "cut": good[:len(good)-1],
		"more": append(bytes.Clone(good), 0), "no functions": change(303, 0, 0, 0, 0), "51 functions": change(303, 51), "2^24+3 functions": change(306, 1),
		"32 bits": change(0, 0xfe), "64 bits": change(0, 0xff), "36,001 bytes": append([]byte{0xfd, 0xa1, 0x8c}, make([]byte, 36_001+9)...),
		"a long form of a short length": append([]byte{0xfd, 1, 0, 0}, good[303:]...), "a length alone": mustHex(t, "fd00010000000000000000"),
	} {
		err := f.UnmarshalBinary(data)
		if said[name] = fmt.Sprint(err); !errors.Is(err, kernel.ErrCorrupt) || !f.Equal(before) {
			t.Errorf("%s: %v", name, err)
		}
	}
	texts.Same(t, said)
}

// A position has a probability between floor(2^32/m)/2^32 and ceil(2^32/m)/2^32. The bits of only one of both kinds
// can be set: Rate is then off by the most, which is within its stated error at all m and k.
func TestErrorOfRate(t *testing.T) {
	const all = 1 << 32
	worst := 0.0
	for m := uint64(8); m <= 288_000; m += 8 {
		low, high := float64(all/m*m)/all, float64((all+m-1)/m*m)/all // of the true probability to b/m, for b set bits
		for _, k := range []float64{1, 2, 50} {
			off := max(math.Expm1(-k*math.Log(low)), -math.Expm1(-k*math.Log(high)), math.Expm1(k*math.Log(high)))
			worst = max(worst, off/(k*float64(m)/all))
		}
	}
	if worst > 1.01 || worst < 1 {
		t.Errorf("Rate is off by up to %v k m 2^-32, 1.01 of it is stated, for more than 1", worst)
	}
}

func TestZero(t *testing.T) { zero.Test(t, &bip37.Filter{}, mustNew(t, 64, 3, 0)) }
