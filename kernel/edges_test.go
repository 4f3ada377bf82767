package kernel

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// TestColumnsEqual compares arrays of all lengths up to three words, alone and in a pair.
func TestColumnsEqual(t *testing.T) {
	for n := range 4 {
		a := make([]uint64, n)
		for i := range a {
			a[i] = uint64(i) + 5
		}
		pair := make([]uint64, 2*n)
		for i, w := range a {
			pair[2*i], pair[2*i+1] = ^w, w
		}
		c, o := whole(a), whole(nil)
		if n > 0 {
			o = half(pair, 1)
		}
		if o.len() != n || !c.equal(o) || !o.equal(c) {
			t.Errorf("%d words: the array of a pair has %d words, or others", n, o.len())
		}
		if more := whole(append(slices.Clone(a), 0)); c.equal(more) || more.equal(c) {
			t.Errorf("%d words are equal to one more", n)
		}
		for i := range a {
			other := slices.Clone(a)
			other[i] ^= 1 << 63
			if d := whole(other); c.equal(d) || d.equal(o) {
				t.Errorf("%d words, another word %d: equal", n, i)
			}
		}
	}
}

// TestHashAt checks that one key of a batch has the hash that it has alone, for all types of keys.
func TestHashAt(t *testing.T) {
	h := newHasher(Options{Seed: 5})
	hashes := []Hash{{1, 2}, {3, 4}}
	keys := [][]byte{[]byte("12345678"), []byte("abcdefgh")}
	texts, words := []string{string(keys[0]), string(keys[1])}, []uint64{1, 1 << 60}
	for i := range 2 {
		for _, x := range []struct {
			got, want Hash
		}{
			{KeysOf(hashes).hashAt(&h, i), hashes[i]}, {KeysOf(keys).hashAt(&h, i), h.Bytes(keys[i])},
			{KeysOf(texts).hashAt(&h, i), h.Bytes(keys[i])}, {KeysOf(words).hashAt(&h, i), h.hashWord(words[i])},
		} {
			if x.got != x.want {
				t.Errorf("key %d: %v, want %v", i, x.got, x.want)
			}
		}
	}
}

// TestTally compares the numbers of counters that are not 0, or are full, with those of a loop, for all ranges.
func TestTally(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for _, width := range []int{4, 8, 16, 32} {
		f, err := NewCounting(bloomproof.Geometry{M: 67, K: 1}, width, bloomproof.Literal, Options{})
		if err != nil {
			t.Fatal(err)
		}
		per := 64 / uint64(width)
		most := uint64(1)<<width - 1
		values := make([]uint64, 67)
		for i := range values {
			values[i] = []uint64{0, 1, most, r.Uint64() & most}[r.IntN(4)]
			f.words[uint64(i)/per] |= values[i] << (uint64(i) % per * uint64(width))
		}
		for lo := range uint64(68) {
			for hi := range uint64(68) {
				nonZero, full := uint64(0), uint64(0)
				for i := lo; i < hi; i++ {
					if values[i] > 0 {
						nonZero++
					}
					if values[i] == most {
						full++
					}
				}
				if a, b := f.tally(lo, hi); a != nonZero || b != full {
					t.Fatalf("counters %d to %d of %d bits: %d and %d, want %d and %d", lo, hi, width, a, b, nonZero, full)
				}
			}
		}
	}
}

// TestFileEdges saves a file in the present directory, and asks for the flush of a directory that does not exist. A file
// that was closed is lost to the filter that maps it.
func TestFileEdges(t *testing.T) {
	t.Chdir(t.TempDir())
	f, err := New(bloomproof.Geometry{M: 1000, K: 3}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	f.Add([]byte("a key"))
	if err := SaveFile("here", f); err != nil {
		t.Fatal(err)
	}
	all, err := os.ReadDir(".")
	if err != nil || len(all) != 1 || all[0].Name() != "here" {
		t.Errorf("the files are %v, %v", all, err)
	}
	if got := new(Filter); LoadFile("here", got) != nil || !got.Equal(f) {
		t.Error("another filter is in the file")
	}
	if err := flushDirectory("none"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a directory that does not exist: %v", err)
	}
	if err := LoadFile(filepath.Join("here", "below"), f); err == nil {
		t.Error("a file is read below a file")
	}
	m, err := MapFilter("here", Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if m.at.file == nil {
		t.Skip("this host reads the file")
	}
	if err := m.Err(); err != nil {
		t.Errorf("an unchanged file: %v", err)
	}
	m.at.file.Close()
	if err := m.Err(); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "the mapped file: ") || m.Rate() != 1 || !m.Contains([]byte("another")) {
		t.Errorf("a file that was closed: %v, rate %v", err, m.Rate())
	}
}

// TestCloseFails checks that Close returns the error of the system.
func TestCloseFails(t *testing.T) {
	failed := errors.New("no such mapping")
	m := &MappedFilter{at: attachment{release: func() error { return failed }}}
	m.f.words = make([]uint64, 1)
	if err := m.Close(); err != failed {
		t.Errorf("the mapping is not released, but Close returns %v", err)
	}
	if err := m.Close(); err != nil {
		t.Errorf("a second call: %v", err)
	}
}

// TestProbed checks the size from which the operating system is asked for memory.
func TestProbed(t *testing.T) {
	for n, want := range map[uint64]bool{0: false, 1<<23 - 1: false, 1 << 23: true, 1 << 45: true} {
		if probed(n) != want {
			t.Errorf("%d words: %t", n, !want)
		}
	}
}

// TestCountingEqual compares filters with the same counters.
func TestCountingEqual(t *testing.T) {
	g := bloomproof.Geometry{M: 64, K: 3}
	made := func(g bloomproof.Geometry, width int, inc bloomproof.Increment, o Options) *CountingFilter {
		f, err := NewCounting(g, width, inc, o)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	f := made(g, 4, bloomproof.Distinct, Options{})
	other := made(g, 4, bloomproof.Distinct, Options{})
	if !f.Equal(other) {
		t.Error("the same filter is not equal")
	}
	other.Add(nil)
	for _, x := range []*CountingFilter{
		other, made(g, 4, bloomproof.Literal, Options{}), made(bloomproof.Geometry{M: 32, K: 3}, 8, bloomproof.Distinct, Options{}),
		made(bloomproof.Geometry{M: 63, K: 3}, 4, bloomproof.Distinct, Options{}), made(bloomproof.Geometry{M: 64, K: 4}, 4, bloomproof.Distinct, Options{}),
		made(g, 4, bloomproof.Distinct, Options{Seed: 1}), made(g, 8, bloomproof.Distinct, Options{}),
	} {
		if f.Equal(x) || x.Equal(f) {
			t.Errorf("%v is equal to %v", x, f)
		}
	}
}

// TestGrowingRefusals checks the errors of options and of layers that no host can hold.
func TestGrowingRefusals(t *testing.T) {
	small := bloomproof.Layer{Geometry: bloomproof.Geometry{M: 100, K: 3}, Sigma: 50}
	vast := bloomproof.Layer{Geometry: bloomproof.Geometry{M: 1<<48 - 100, K: 3}, Sigma: 50}
	for _, x := range []struct {
		layers []bloomproof.Layer
		o      Options
		param  string
	}{
		{[]bloomproof.Layer{small}, Options{Impl: "none"}, "impl"}, {[]bloomproof.Layer{small}, Keyed(nil), "key"}, {[]bloomproof.Layer{vast}, Options{}, "m"},
	} {
		var param *bloomproof.ParamError
		if f, err := NewGrowing(x.layers, x.o); f != nil || !errors.As(err, &param) || param.Param != x.param {
			t.Errorf("%v, %+v: %v, %v", x.layers, x.o, f, err)
		}
	}
	// The second layer does not fit into memory. So the first one takes all keys.
	f, err := NewGrowing([]bloomproof.Layer{small, vast}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		f.Add(fmt.Appendf(nil, "key %d", i))
	}
	if n := len(f.LayerBits()); n != 1 || !f.Contains([]byte("key 199")) || !f.Overfull() {
		t.Errorf("%d layers, overfull: %t", n, f.Overfull())
	}
}
