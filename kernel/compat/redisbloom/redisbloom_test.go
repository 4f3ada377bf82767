package redisbloom_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/texts"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/kernel/compat/redisbloom"
)

func mustNew(t testing.TB, capacity uint64, rate float64, expansion uint32) *redisbloom.Filter {
	t.Helper()
	f, err := redisbloom.New(capacity, rate, expansion)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// keyOf is key i of vectors.c.
func keyOf(i int) []byte { return fmt.Appendf(nil, "%d%0*d", i, i%20+1, 0) }

// joined returns the data of the chunks after the header, one after the other.
func joined(chunks []redisbloom.Chunk) (b []byte) {
	for _, c := range chunks[1:] {
		b = append(b, c.Data...)
	}
	return b
}

// equal reports whether both filters give the same chunks.
func equal(f, g *redisbloom.Filter) bool {
	return slices.EqualFunc(f.Chunks(), g.Chunks(), func(a, b redisbloom.Chunk) bool {
		return a.Iterator == b.Iterator && bytes.Equal(a.Data, b.Data)
	})
}

// sameHeader reports whether the headers are the same, but for the last bits of the numbers of bits a key, since
// logarithms differ in them.
func sameHeader(a, b []byte) bool {
	a, b = bytes.Clone(a), bytes.Clone(b)
	for at := 20 + 32; at+8 <= min(len(a), len(b)); at += 53 {
		x, y := math.Float64frombits(binary.LittleEndian.Uint64(a[at:])), math.Float64frombits(binary.LittleEndian.Uint64(b[at:]))
		if math.Abs(x/y-1) < 1e-15 {
			copy(a[at:at+8], b[at:])
		}
	}
	return bytes.Equal(a, b)
}

func TestVectorsOfRedisBloom(t *testing.T) {
	text, err := os.ReadFile("testdata/vectors.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 7 {
		t.Fatalf("%d lines", len(lines))
	}
	for _, line := range lines {
		fields := strings.Fields(line)
		var capacity uint64
		var rate float64
		var expansion uint32
		var n int
		if _, err := fmt.Sscan(strings.Join(fields[:4], " "), &capacity, &rate, &expansion, &n); err != nil {
			t.Fatal(err)
		}
		where := fmt.Sprintf("BF.RESERVE of %d keys at %g, expansion %d", capacity, rate, expansion)
		f := mustNew(t, capacity, rate, expansion)
		var added strings.Builder
		for i := range n {
			fresh, err := f.Add(keyOf(i))
			switch {
			case errors.Is(err, redisbloom.ErrFull):
				added.WriteByte('x')
			case err != nil:
				t.Fatal(err)
			case fresh:
				added.WriteByte('1')
			default:
				added.WriteByte('0')
			}
		}
		if added.String() != fields[4] {
			t.Errorf("%s: BF.ADD\n%s, want\n%s", where, &added, fields[4])
		}
		var dump []redisbloom.Chunk
		for _, field := range fields[6:] {
			at, data, _ := strings.Cut(field, ":")
			var c redisbloom.Chunk
			if _, err := fmt.Sscan(at, &c.Iterator); err != nil {
				t.Fatal(err)
			}
			if c.Data, err = hex.DecodeString(data); err != nil {
				t.Fatal(err)
			}
			dump = append(dump, c)
		}
		chunks := f.Chunks()
		if !sameHeader(chunks[0].Data, dump[0].Data) || !bytes.Equal(joined(chunks), joined(dump)) {
			t.Errorf("%s: other chunks: header\n%x, want\n%x", where, chunks[0].Data, dump[0].Data)
		}
		read, err := redisbloom.Load(append(dump, redisbloom.Chunk{}))
		if err != nil {
			t.Fatal(err)
		}
		if got := read.Chunks(); !bytes.Equal(got[0].Data, dump[0].Data) || !bytes.Equal(joined(got), joined(dump)) {
			t.Errorf("%s: what was read is written otherwise", where)
		}
		if read.Count() != f.Count() || read.Bits() != f.Bits() || read.Rate() != f.Rate() || read.Expansion() != expansion || !slices.Equal(read.Layers(), f.Layers()) {
			t.Errorf("%s: another filter was read", where)
		}
		keys := make([][]byte, n+60)
		for i := range keys {
			keys[i] = keyOf(i)
		}
		for i, in := range read.ContainsBatch(nil, keys) {
			want := i >= n && fields[5][max(i-n, 0)] == '1' || i < n && fields[4][i] != 'x'
			if in != want {
				t.Errorf("%s: key %d is contained: %t", where, i, in)
			}
		}
		again, err := redisbloom.Load(chunks)
		if err != nil || !equal(again, f) {
			t.Errorf("%s: the chunks give another filter, %v", where, err)
		}
	}
}

// Growth goes on in a filter that was loaded.
func TestGrowthAfterLoad(t *testing.T) {
	f := mustNew(t, 10, 0.01, 2)
	for i := range 25 {
		if i == 12 {
			g, err := redisbloom.Load(f.Chunks())
			if err != nil {
				t.Fatal(err)
			}
			f = g
		}
		if _, err := f.Add(keyOf(i)); err != nil {
			t.Fatal(err)
		}
	}
	whole := mustNew(t, 10, 0.01, 2)
	for i := range 25 {
		if _, err := whole.Add(keyOf(i)); err != nil {
			t.Fatal(err)
		}
	}
	if !equal(f, whole) || len(f.Layers()) != 2 {
		t.Error("a filter that was loaded grows otherwise")
	}
}

// fullHeader returns the header of a filter whose layers all have the same number of bytes and are full. Their rate is so
// near to 1 that a layer of one word has room for many keys.
func fullHeader(bytes, capacity uint64, expansion uint32, layers int) []byte {
	rate := 1 - 0x1p-53
	le := binary.LittleEndian
	b := le.AppendUint64(nil, capacity*uint64(layers))
	for _, x := range []uint32{uint32(layers), 5, expansion} {
		b = le.AppendUint32(b, x)
	}
	for range layers {
		for _, x := range []uint64{bytes, 8 * bytes, capacity, math.Float64bits(rate), math.Float64bits(-math.Log(rate) / 0.480453013918201)} {
			b = le.AppendUint64(b, x)
		}
		b = append(le.AppendUint64(le.AppendUint32(b, 1), capacity), 0)
	}
	return b
}

// A filter that was loaded can be full of so many keys that no further layer is possible.
func TestGrowthBeyond(t *testing.T) {
	for _, x := range []struct {
		capacity  uint64
		expansion uint32
		param     string
	}{
		{1 << 57, 256, "expansion"}, // the next capacity would be 2^65
		{1 << 34, 1 << 14, "layer"}, // the next layer would have more than 2^48 bits
		{1 << 34, 1 << 15, "layer"},
	} {
		f, err := redisbloom.Load([]redisbloom.Chunk{{Iterator: 1, Data: fullHeader(8, x.capacity, x.expansion, 1)}, {Iterator: 9, Data: make([]byte, 8)}})
		if err != nil {
			t.Fatal(err)
		}
		var bad *bloomproof.ParamError
		if _, err := f.Add([]byte("a")); !errors.As(err, &bad) || bad.Param != x.param || len(f.Layers()) != 1 {
			t.Errorf("a layer for %d times %d keys: %v", x.capacity, x.expansion, err)
		}
	}
}

// TestCapacityOfBits forges the capacity of a layer. The capacity times the bits per key, rounded down, must not be above
// the number of bits.
func TestCapacityOfBits(t *testing.T) {
	perKey := -math.Log(1-0x1p-53) / 0.480453013918201
	for part, want := range map[float64]bool{63.9: true, 64.4: true, 64.6: true, 64.9: true, 65.1: false, 65.6: false} {
		_, err := redisbloom.Load([]redisbloom.Chunk{{Iterator: 1, Data: fullHeader(8, uint64(part/perKey), 2, 1)}, {Iterator: 9, Data: make([]byte, 8)}})
		if want != (err == nil) || !want && !errors.Is(err, kernel.ErrCorrupt) {
			t.Errorf("%v of 64 bits: %v", part, err)
		}
	}
}

func TestParameters(t *testing.T) {
	var bad *bloomproof.ParamError
	for _, c := range []struct {
		param     string
		capacity  uint64
		rate      float64
		expansion uint32
	}{
		{"capacity", 0, 0.1, 2}, {"capacity", 1<<30 + 1, 0.1, 2}, {"rate", 1, 0, 2}, {"rate", 1, 0.26, 2}, {"rate", 1, -1, 2},
		{"rate", 1, math.NaN(), 2}, {"rate", 1, math.Inf(1), 2}, {"expansion", 1, 0.1, 32769},
		{"rate", 1, 5e-324, 2}, // half of it is 0
	} {
		if f, err := redisbloom.New(c.capacity, c.rate, c.expansion); f != nil || !errors.As(err, &bad) || bad.Param != c.param {
			t.Errorf("New(%d, %v, %d): %v", c.capacity, c.rate, c.expansion, err)
		}
	}
	var zero redisbloom.Filter
	if _, err := zero.Add(nil); !errors.Is(err, redisbloom.ErrFull) || zero.Contains(nil) || zero.Rate() != 0 {
		t.Errorf("the zero filter: %v", err)
	}
	least := mustNew(t, 1, 1e-323, 2) // the least rate with a half
	if fresh, err := least.Add([]byte("a")); err != nil || !fresh || !least.Contains([]byte("a")) {
		t.Errorf("at 1e-323: %t, %v", fresh, err)
	}
	if dst, err := mustNew(t, 1, 0.1, 0).AddBatch(nil, [][]byte{{1}, {1}, {2}, {3}}); !errors.Is(err, redisbloom.ErrFull) || !slices.Equal(dst, []bool{true, false}) {
		t.Errorf("a batch that fills: %v, %v", dst, err)
	}
}

// Chunks of the server may be of any length; other lists are refused, in memory in proportion to what is there.
func TestHostileChunks(t *testing.T) {
	f := mustNew(t, 100, 0.01, 2)
	for i := range 250 {
		if _, err := f.Add(keyOf(i)); err != nil {
			t.Fatal(err)
		}
	}
	good := f.Chunks()
	header := good[0].Data
	bits := good[1:]
	if len(bits) != 2 {
		t.Fatalf("%d layers", len(bits))
	}
	cut := func(sizes ...int) []redisbloom.Chunk {
		chunks, at := good[:1:1], int64(1)
		for data := joined(good); len(sizes) > 0; sizes = sizes[1:] {
			at += int64(sizes[0])
			chunks = append(chunks, redisbloom.Chunk{Iterator: at, Data: data[:sizes[0]]})
			data = data[sizes[0]:]
		}
		return chunks
	}
	first, second := len(bits[0].Data), len(bits[1].Data)
	for _, sizes := range [][]int{{first, second}, {1, first - 1, 3, second - 3}} {
		if g, err := redisbloom.Load(cut(sizes...)); err != nil || !equal(f, g) {
			t.Errorf("chunks of %v bytes: %v", sizes, err)
		}
	}
	with := func(at int, b ...byte) []redisbloom.Chunk {
		h := bytes.Clone(header)
		copy(h[at:], b)
		return append([]redisbloom.Chunk{{Iterator: 1, Data: h}}, bits...)
	}
	// The sum of the lengths of eight layers, modulo 2^64, is the length of their data.
	wrapped := []redisbloom.Chunk{{Iterator: 1, Data: fullHeader(1<<61+8, 1, 2, 8)}}
	for i := range int64(8) {
		wrapped = append(wrapped, redisbloom.Chunk{Iterator: 9 + 8*i, Data: make([]byte, 8)})
	}
	said := map[string]string{}
	nan := binary.LittleEndian.AppendUint64(nil, math.Float64bits(math.NaN()))
	for what, chunks := range map[string][]redisbloom.Chunk{
		"a layer of half a word": {{Iterator: 1, Data: fullHeader(4, 1, 2, 1)}, {Iterator: 5, Data: make([]byte, 4)}}, "eight layers of 2^61 bytes": wrapped,
		"nothing": nil, "the last alone": {{}}, "no header": bits, "half a header": {{1, header[:19]}}, "a header alone": good[:1],
		"across layers": cut(first+1, second-1), "an empty chunk": cut(first, 0, second), "empty chunks at the end": cut(first, second, 0),
		"too few": cut(first, second-1), "too many": append(cut(first, second), redisbloom.Chunk{Iterator: int64(first + second + 2), Data: []byte{0}}),
		"another iterator": append(cut(first), redisbloom.Chunk{Iterator: 5, Data: bits[1].Data}), "the other order": {good[0], good[2], good[1]},
		"more keys": with(0, 1, 1), "no layers": with(8, 0), "2^32-1 layers": with(8, 255, 255, 255, 255), "3 layers": with(8, 3),
		"hashes of 32 bits": with(12, 1), "rounded sizes": with(12, 4), "unknown options": with(12, 21),
		"an exabyte": with(20+6, 255, 255), "bits that are no 8 a byte": with(28, 1), "more bits than bytes": with(30, 1), "more keys in a layer": with(36, 255, 255), "no rate": with(44, make([]byte, 8)...),
		"a rate that is no number": with(44, nan...), "bits a key that are no number": with(52, nan...), "no hashes": with(60, 0), "2^31 hashes": with(63, 128),
		"a power of two": with(72, 3), "an expansion of 32,769": with(16, 1, 128), "a capacity beyond the bits": with(64, 120),
		"another rate": with(44, binary.LittleEndian.AppendUint64(nil, math.Float64bits(1e-300))...),
	} {
		var start, end runtime.MemStats
		runtime.ReadMemStats(&start)
		_, err := redisbloom.Load(chunks)
		runtime.ReadMemStats(&end)
		if said[what] = fmt.Sprint(err); !errors.Is(err, kernel.ErrCorrupt) {
			t.Errorf("%s: %v", what, err)
		}
		if n := end.TotalAlloc - start.TotalAlloc; n > 1<<16 {
			t.Errorf("%s: %d bytes of memory", what, n)
		}
	}
	texts.Same(t, said)
}

func TestCloneAndEqual(t *testing.T) {
	f := mustNew(t, 10, 0.01, 2)
	for i := range 25 {
		if _, err := f.Add(keyOf(i)); err != nil {
			t.Fatal(err)
		}
	}
	c := f.Clone()
	if !c.Equal(f) || !f.Equal(c) || !equal(f, c) {
		t.Error("a clone is another filter")
	}
	before := f.Chunks()
	if fresh, err := c.Add([]byte("new")); !fresh || err != nil {
		t.Fatal(fresh, err)
	}
	if f.Equal(c) || joined(before) == nil || !bytes.Equal(joined(before), joined(f.Chunks())) || f.Count()+1 != c.Count() {
		t.Error("an addition to the clone is one to both, or to neither")
	}
	for what, g := range map[string]*redisbloom.Filter{
		"capacity": mustNew(t, 11, 0.01, 2), "rate": mustNew(t, 10, 0.0101, 2), "expansion": mustNew(t, 10, 0.01, 3), "scaling": mustNew(t, 10, 0.005, 0),
	} {
		if g.Equal(mustNew(t, 10, 0.01, 2)) {
			t.Errorf("filters that differ in %s are equal", what)
		}
	}
}

// TestItems compares the estimate of the number of keys with the sum of those of the layers. The bits of a layer are the
// data of a chunk.
func TestItems(t *testing.T) {
	f := mustNew(t, 10, 0.01, 2)
	var keys [][]byte
	for i := range 25 {
		keys = append(keys, keyOf(i))
	}
	if fresh, err := f.AddBatch([]bool{false}, keys); err != nil || len(fresh) != 26 || fresh[0] || !fresh[1] {
		t.Fatalf("%v, %v", fresh, err)
	}
	want := 0.0
	for i, chunk := range f.Chunks()[1:] {
		set := 0
		for _, b := range chunk.Data {
			set += bits.OnesCount8(b)
		}
		g := f.Layers()[i].Geometry
		want += math.Log1p(-float64(set)/float64(g.M)) / (float64(g.K) * math.Log1p(-1/float64(g.M)))
	}
	if n, bounded := f.Items(); !bounded || math.Abs(n-want) > 1e-9 || math.Abs(n-25) > 3 || len(f.Layers()) != 2 {
		t.Errorf("%v keys in %d layers, want %v", n, len(f.Layers()), want)
	}
	full, err := redisbloom.Load([]redisbloom.Chunk{{Iterator: 1, Data: fullHeader(8, 100, 2, 1)}, {Iterator: 9, Data: bytes.Repeat([]byte{0xff}, 8)}})
	if err != nil {
		t.Fatal(err)
	}
	if n, bounded := full.Items(); n != 0 || bounded {
		t.Errorf("all bits are set: %v keys, bounded %t", n, bounded)
	}
	if n, bounded := new(redisbloom.Filter).Items(); n != 0 || !bounded {
		t.Errorf("no layer: %v keys, bounded %t", n, bounded)
	}
}

// A batch says what the keys say one by one, in a chain of some layers, of few and of very many positions.
func TestContainsBatch(t *testing.T) {
	for _, f := range []*redisbloom.Filter{mustNew(t, 100, 0.25, 2), mustNew(t, 20, 1e-30, 1), mustNew(t, 10, 1e-200, 2)} {
		for i := range 300 {
			if _, err := f.Add(keyOf(2 * i)); err != nil {
				t.Fatal(err)
			}
		}
		if len(f.Layers()) < 2 {
			t.Fatalf("%d layers", len(f.Layers()))
		}
		var keys [][]byte
		for i := range 1000 {
			keys = append(keys, keyOf(i))
		}
		got := f.ContainsBatch([]bool{true}, keys)
		if len(got) != 1+len(keys) || !got[0] {
			t.Fatalf("%d answers", len(got))
		}
		for i, key := range keys {
			if got[1+i] != f.Contains(key) {
				t.Errorf("%v, key %d: %t", f.Layers()[0], i, got[1+i])
			}
		}
	}
	if got := new(redisbloom.Filter).ContainsBatch(nil, [][]byte{{1}, {2}}); !slices.Equal(got, []bool{false, false}) {
		t.Error(got)
	}
}

// Look-ups in a chain that is larger than a cache, one by one and in batches.
func BenchmarkContains(b *testing.B) {
	f := mustNew(b, 1<<23, 0.01, 2)
	key := make([]byte, 8)
	const n = 1 << 24
	for i := range uint64(n) {
		binary.LittleEndian.PutUint64(key, i)
		if _, err := f.Add(key); err != nil {
			b.Fatal(err)
		}
	}
	for _, present := range []bool{false, true} {
		keys := make([][]byte, 1<<16)
		for i := range keys {
			x := uint64(i) * 255
			if !present {
				x = -x - 1
			}
			keys[i] = binary.LittleEndian.AppendUint64(nil, x)
		}
		dst := make([]bool, 0, len(keys))
		b.Run(fmt.Sprintf("present=%t/each", present), func(b *testing.B) {
			for i := range b.N {
				dst = append(dst[:0], f.Contains(keys[i%len(keys)]))
			}
		})
		b.Run(fmt.Sprintf("present=%t/batch", present), func(b *testing.B) {
			for i := 0; i < b.N; i += 1024 {
				dst = f.ContainsBatch(dst[:0], keys[i%len(keys):][:1024])
			}
		})
	}
}
