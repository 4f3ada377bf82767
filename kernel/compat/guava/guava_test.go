package guava_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/kernel/compat/guava"
	"github.com/bloomproof/bloomproof/kernel/compat/internal/zero"
)

func mustNew(t testing.TB, m uint64, k int, s guava.Strategy) *guava.Filter {
	t.Helper()
	f, err := guava.New(m, k, s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func mustMarshal(t testing.TB, f *guava.Filter) []byte {
	t.Helper()
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// keyOf is key i of Vectors.java, as the funnel gives it.
func keyOf(funnel string, i int) []byte {
	text := fmt.Sprintf("key %d%s", i, strings.Repeat("é😀", i%9))
	switch funnel {
	case "chars":
		return guava.Chars(text)
	case "int":
		return binary.LittleEndian.AppendUint32(nil, uint32(-int32(i)*0x01234567))
	case "long":
		return binary.LittleEndian.AppendUint64(nil, uint64(-int64(i)*0x0123456789abcdef))
	}
	return []byte(text)
}

// said writes the answers as Vectors.java does.
func said(answers []bool) string {
	var b strings.Builder
	for _, a := range answers {
		fmt.Fprintf(&b, "%d", map[bool]int{true: 1}[a])
	}
	return b.String()
}

func TestVectorsOfGuava(t *testing.T) {
	text, err := os.ReadFile("testdata/vectors.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 40 {
		t.Fatalf("%d lines", len(lines))
	}
	for _, line := range lines {
		var funnel, fresh, has, form string
		var s guava.Strategy
		var k, longs, n int
		var fpp float64
		if _, err := fmt.Sscan(line, &funnel, &s, &k, &longs, &n, &fresh, &has, &fpp, &form); err != nil {
			t.Fatal(err)
		}
		keys := make([][]byte, n+60)
		for i := range keys {
			keys[i] = keyOf(funnel, i)
		}
		where := fmt.Sprintf("%s, strategy %d, k = %d, %d longs", funnel, s, k, longs)
		f := mustNew(t, uint64(64*longs), k, s)
		if got := said(f.AddBatch(nil, keys[:n])); got != fresh {
			t.Errorf("%s: put %s, want %s", where, got, fresh)
		}
		want, err := hex.DecodeString(form)
		if err != nil {
			t.Fatal(err)
		}
		if got := mustMarshal(t, f); !bytes.Equal(got, want) {
			t.Errorf("%s: wrote\n%x, want\n%x", where, got, want)
		}
		var read guava.Filter
		if err := read.UnmarshalBinary(want); err != nil {
			t.Fatal(err)
		}
		if !read.Equal(f) || read.Geometry() != f.Geometry() || read.Strategy() != s || read.Bits() != f.Bits() {
			t.Errorf("%s: another filter was read", where)
		}
		if got := said(read.ContainsBatch(nil, keys[n:])); got != has {
			t.Errorf("%s: mightContain %s, want %s", where, got, has)
		}
		if got := read.Rate(); math.Abs(got/fpp-1) > 1e-13 {
			t.Errorf("%s: rate %v, expectedFpp %v", where, got, fpp)
		}
		for i, in := range read.ContainsBatch(nil, keys[:n]) {
			if !in || read.Add(keys[i]) {
				t.Errorf("%s: key %d was lost", where, i)
			}
		}
	}
}

func TestParameters(t *testing.T) {
	var bad *bloomproof.ParamError
	for _, c := range []struct {
		param string
		m     uint64
		k     int
		s     guava.Strategy
	}{
		{"m", 0, 1, guava.Mitz64}, {"m", 65, 1, guava.Mitz64}, {"m", 1 << 37, 1, guava.Mitz64}, {"m", 1 << 63, 1, guava.Mitz64},
		{"k", 64, 0, guava.Mitz64}, {"k", 64, 256, guava.Mitz64}, {"k", 64, -1, guava.Mitz64}, {"strategy", 64, 1, 2},
	} {
		if _, err := guava.New(c.m, c.k, c.s); !errors.As(err, &bad) || bad.Param != c.param {
			t.Errorf("New(%d, %d, %d): %v", c.m, c.k, c.s, err)
		}
	}
	f := mustNew(t, 128, 3, guava.Mitz64)
	f.Add([]byte("a"))
	before := f.Clone()
	for param, g := range map[string]*guava.Filter{
		"geometry": mustNew(t, 64, 3, guava.Mitz64), "strategy": mustNew(t, 128, 3, guava.Mitz32),
	} {
		if err := f.Union(g); !errors.As(err, &bad) || bad.Param != param || !f.Equal(before) {
			t.Errorf("a union of filters that differ in %s: %v", param, err)
		}
	}
	if err := f.Union(mustNew(t, 128, 4, guava.Mitz64)); !errors.As(err, &bad) {
		t.Errorf("a union of filters that differ in k: %v", err)
	}
}

// Forms that are none are refused, by the error for damage, in memory in proportion to what is there, and
// leave the filter as it was.
func TestHostileForms(t *testing.T) {
	f := mustNew(t, 64*5000, 3, guava.Mitz64)
	f.Add([]byte("a"))
	good := mustMarshal(t, f)
	forms := map[string][]byte{
		"none": {}, "half a header": good[:5], "a header": good[:6], "cut": good[:len(good)-1], "more": append(bytes.Clone(good), 0),
	}
	for name, head := range map[string][]byte{
		"strategy 2": {2, 3, 0, 0, 0, 1}, "strategy -1": {255, 3, 0, 0, 0, 1}, "no positions": {1, 0, 0, 0, 0, 1},
		"no longs": {1, 3, 0, 0, 0, 0}, "negative": {1, 3, 255, 255, 255, 255}, "2^31 longs": {1, 3, 128, 0, 0, 0}, "2^31-1 longs": {1, 3, 127, 255, 255, 255},
	} {
		forms[name] = append(head, good[6:]...)
	}
	before := f.Clone()
	for name, data := range forms {
		var start, end runtime.MemStats
		runtime.ReadMemStats(&start)
		err := f.UnmarshalBinary(data)
		_, errStream := f.ReadFrom(bytes.NewReader(data))
		runtime.ReadMemStats(&end)
		if !errors.Is(err, kernel.ErrCorrupt) || name != "more" && !errors.Is(errStream, kernel.ErrCorrupt) || !f.Equal(before) {
			t.Errorf("%s: %v; %v", name, err, errStream)
		}
		if n := end.TotalAlloc - start.TotalAlloc; n > uint64(8*len(data)+1<<18) {
			t.Errorf("%s: %d bytes of memory for %d", name, n, len(data))
		}
	}
	failure := errors.New("of the reader")
	for _, after := range []int{0, 3, 6, 100} {
		r := io.MultiReader(bytes.NewReader(good[:after]), iotest.ErrReader(failure))
		if n, err := f.ReadFrom(r); !errors.Is(err, failure) || n != int64(after) || !f.Equal(before) {
			t.Errorf("a reader that fails after %d bytes: %d, %v", after, n, err)
		}
	}
}

func TestStreams(t *testing.T) {
	f := mustNew(t, 64*5000, 3, guava.Mitz32)
	f.Add([]byte("a"))
	var b bytes.Buffer
	n, err := f.WriteTo(&b)
	if err != nil || n != 6+8*5000 || !bytes.Equal(b.Bytes(), mustMarshal(t, f)) {
		t.Fatalf("wrote %d bytes, %v", n, err)
	}
	b.WriteString("what follows")
	var g guava.Filter
	if read, err := g.ReadFrom(iotest.HalfReader(&b)); err != nil || read != n || !g.Equal(f) || b.String() != "what follows" {
		t.Errorf("read %d bytes, %v; %q is left", read, err, b.String())
	}
}

// TestContains checks that a key is found if and only if all its positions are set, one by one and in a batch.
func TestContains(t *testing.T) {
	f := mustNew(t, 640, 5, guava.Mitz64)
	var keys [][]byte
	for i := range 200 {
		keys = append(keys, keyOf("long", i))
	}
	f.AddBatch(nil, keys[:50])
	found := 0
	for i, in := range f.ContainsBatch(nil, keys) {
		if f.Contains(keys[i]) != in || i < 50 && !in {
			t.Errorf("key %d: in a batch it is in the filter: %t", i, in)
		}
		if in {
			found++
		}
		g := f.Clone()
		if fresh := g.Add(keys[i]); fresh == in || fresh == g.Equal(f) {
			t.Errorf("key %d: it is in the filter: %t, and new: %t", i, in, fresh)
		}
	}
	if found > 100 {
		t.Errorf("%d of 200 keys are in a filter of 50", found)
	}
}

func TestZero(t *testing.T) { zero.Test(t, &guava.Filter{}, mustNew(t, 64, 3, guava.Mitz64)) }
