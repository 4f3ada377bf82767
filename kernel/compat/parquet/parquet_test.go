package parquet_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/cespare/xxhash/v2"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/texts"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/kernel/compat/internal/zero"
	"github.com/bloomproof/bloomproof/kernel/compat/parquet"
)

// specified is the filter of the format's specification, in its words and in its order.
type specified [][8]uint32

func (z specified) positions(x uint64) (block int, mask [8]uint32) {
	salt := [8]uint32{0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31}
	for i := range salt {
		y := uint32(x) * salt[i]
		mask[i] |= 1 << (y >> 27)
	}
	return int((x >> 32) * uint64(len(z)) >> 32), mask
}

func (z specified) insert(x uint64) (fresh bool) {
	block, mask := z.positions(x)
	for i, w := range mask {
		fresh = fresh || z[block][i]|w != z[block][i]
		z[block][i] |= w
	}
	return fresh
}

func (z specified) check(x uint64) bool {
	block, mask := z.positions(x)
	for i, w := range mask {
		if z[block][i]&w == 0 {
			return false
		}
	}
	return true
}

func (z specified) bitset() (b []byte) {
	for _, block := range z {
		for _, w := range block {
			b = append(b, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
		}
	}
	return b
}

func mustNew(t testing.TB, bytes int) *parquet.Filter {
	t.Helper()
	f, err := parquet.New(bytes)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// keys are of 0 to 23 bytes.
func keys(from, n int) [][]byte {
	all := make([][]byte, n)
	for i := range all {
		all[i] = []byte(fmt.Sprintf("%d%0*d", from+i, i%20, 0))
	}
	return all
}

func TestIsTheSpecifiedFilter(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, blocks := range []int{1, 2, 3, 7, 64, 1000} {
		f, z := mustNew(t, 32*blocks), make(specified, blocks)
		for range 12 * blocks {
			x := random.Uint64()
			if got, want := f.AddHash(x), z.insert(x); got != want {
				t.Fatalf("%d blocks: AddHash(%#x) = %t, want %t", blocks, x, got, want)
			}
		}
		more := keys(0, 300)
		for i, got := range f.AddBatch(nil, more) {
			if want := z.insert(xxhash.Sum64(more[i])); got != want {
				t.Fatalf("%d blocks: AddBatch of %q = %t, want %t", blocks, more[i], got, want)
			}
		}
		if f.Add([]byte("one more")) != z.insert(xxhash.Sum64String("one more")) {
			t.Fatalf("%d blocks: Add differs", blocks)
		}
		if !bytes.Equal(f.AppendBitset(nil), z.bitset()) {
			t.Fatalf("%d blocks: the bitsets differ", blocks)
		}
		read, err := parquet.FromBitset(z.bitset())
		if err != nil {
			t.Fatal(err)
		}
		asked := append(more, keys(300, 4000)...)
		batch := read.ContainsBatch(nil, asked)
		for i, key := range asked {
			x := xxhash.Sum64(key)
			if want := z.check(x); read.Contains(key) != want || batch[i] != want || f.ContainsHash(x) != want {
				t.Fatalf("%d blocks: %q is %t here", blocks, key, !want)
			}
		}
		if read.Rate() != f.Rate() {
			t.Errorf("%d blocks: the rate is %v as read, %v as made", blocks, read.Rate(), f.Rate())
		}
	}
}

// The file holds what parquet-go writes for these keys; a test of the bench module holds
// parquet-go to it.
func TestBitsetOfParquetGo(t *testing.T) {
	text, err := os.ReadFile("testdata/parquet-go.hex")
	if err != nil {
		t.Fatal(err)
	}
	want, err := hex.DecodeString(strings.Join(strings.Fields(string(text)), ""))
	if err != nil {
		t.Fatal(err)
	}
	f := mustNew(t, len(want))
	f.AddBatch(nil, keys(0, 60))
	if got := f.AppendBitset(nil); !bytes.Equal(got, want) {
		t.Errorf("got\n%x\nwant\n%x", got, want)
	}
}

func TestParameters(t *testing.T) {
	var bad *bloomproof.ParamError
	for _, n := range []int{-32, 0, 1, 31, 33, 48, 1<<31 - 1} {
		if _, err := parquet.New(n); !errors.As(err, &bad) || bad.Param != "bytes" {
			t.Errorf("New(%d): %v", n, err)
		}
	}
	for _, n := range []int{0, 31, 33} {
		if _, err := parquet.FromBitset(make([]byte, n)); !errors.As(err, &bad) {
			t.Errorf("a bitset of %d bytes: %v", n, err)
		}
	}
	f := mustNew(t, 64)
	f.Add([]byte("a"))
	before := f.AppendBitset(nil)
	if err := f.Union(mustNew(t, 96)); !errors.As(err, &bad) || !bytes.Equal(before, f.AppendBitset(nil)) {
		t.Errorf("a union of two sizes: %v", err)
	}
	g := mustNew(t, 64)
	g.Add([]byte("b"))
	if err := f.Union(g); err != nil || !f.Contains([]byte("a")) || !f.Contains([]byte("b")) {
		t.Errorf("after a union a key is lost, or %v", err)
	}
}

func TestEveryContentIsAFilter(t *testing.T) {
	full := bytes.Repeat([]byte{255}, 320)
	f, err := parquet.FromBitset(full)
	if err != nil || !f.Contains(nil) || f.Rate() != 1 || !bytes.Equal(f.AppendBitset(nil), full) {
		t.Errorf("all set: %v", err)
	}
	if _, bounded := f.Items(); bounded {
		t.Error("a full filter has a bounded number of items")
	}
	full[0] = 0 // the bitset is copied
	if !bytes.Equal(f.AppendBitset(nil)[:1], []byte{255}) {
		t.Error("the filter changes with the slice it was made from")
	}
}

func TestBatchesDoNotAllocate(t *testing.T) {
	f, k := mustNew(t, 1<<14), keys(0, 1000)
	dst := make([]bool, 0, len(k))
	if n := testing.AllocsPerRun(5, func() { f.AddBatch(dst, k); f.ContainsBatch(dst, k) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// The header is Thrift's. A test of the bench module compares it with parquet-go's.
func TestHeader(t *testing.T) {
	for blocks, want := range map[int]string{1: "1540", 2: "158001", 100: "158032", 1 << 15: "1580808001"} {
		f := mustNew(t, 32*blocks)
		f.AddBatch(nil, keys(0, 50))
		head, err := hex.DecodeString(want + "1c1c0000" + "1c1c0000" + "1c1c0000" + "00")
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		n, err := f.WriteTo(&b)
		if err != nil || n != int64(len(head)+32*blocks) || !bytes.Equal(b.Bytes(), append(head, f.AppendBitset(nil)...)) {
			t.Fatalf("%d blocks: %d bytes, %v: %x", blocks, n, err, b.Bytes()[:len(head)])
		}
		b.WriteString("what follows")
		var g parquet.Filter
		if read, err := g.ReadFrom(iotest.HalfReader(&b)); err != nil || read != n || g.Bits() != f.Bits() || !bytes.Equal(g.AppendBitset(nil), f.AppendBitset(nil)) || b.String() != "what follows" {
			t.Errorf("%d blocks: read %d bytes, %v; %q is left", blocks, read, err, b.String())
		}
		data, err := f.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if h := mustNew(t, 32); h.UnmarshalBinary(data) != nil || !h.Equal(f) {
			t.Errorf("%d blocks: another filter is read from %d bytes", blocks, len(data))
		}
	}
}

// What is no filter of a file is refused by the error for damage, in memory in proportion to what is there, and leaves
// the filter as it was.
func TestHostileHeaders(t *testing.T) {
	f := mustNew(t, 64)
	f.Add([]byte("a"))
	good, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	const tail = "\x1c\x1c\x00\x00\x1c\x1c\x00\x00\x1c\x1c\x00\x00\x00"
	bits := strings.Repeat("\x01", 64)
	before := f.Clone()
	said := map[string]string{}
	for what, text := range map[string]string{
		"nothing": "", "a byte": "\x15", "half a length": "\x15\x80", "a header alone": string(good[:16]), "cut": string(good[:len(good)-1]),
		"more": string(good) + "\x00", "another field": "\x25" + string(good[1:]), "an i64": "\x16" + string(good[1:]),
		"no bytes": "\x15\x00" + tail, "-64 bytes": "\x15\x7f" + tail + bits, "33 bytes": "\x15\x42" + tail + bits[:33],
		"2^31-32 bytes": "\x15\xc0\xff\xff\xff\x0f" + tail + bits, "2^31 bytes": "\x15\x80\x80\x80\x80\x10" + tail + bits,
		"a long length": "\x15\x80\x81\x00" + tail + bits, "an endless length": "\x15" + strings.Repeat("\xff", 20),
		"another algorithm": "\x15\x80\x01\x1c\x2c" + tail[2:] + bits, "another hash": "\x15\x80\x01" + tail[:5] + "\x2c" + tail[6:] + bits,
		"compressed": "\x15\x80\x01" + tail[:9] + "\x2c" + tail[10:] + bits,
	} {
		var start, end runtime.MemStats
		runtime.ReadMemStats(&start)
		err := f.UnmarshalBinary([]byte(text))
		runtime.ReadMemStats(&end)
		if said[what] = fmt.Sprint(err); !errors.Is(err, kernel.ErrCorrupt) || !bytes.Equal(f.AppendBitset(nil), before.AppendBitset(nil)) {
			t.Errorf("%s: %v", what, err)
		}
		if n := end.TotalAlloc - start.TotalAlloc; n > 1<<17 {
			t.Errorf("%s: %d bytes of memory", what, n)
		}
	}
	texts.Same(t, said)
	failure := errors.New("of the reader")
	for _, after := range []int{0, 1, 2, 5, 16, 20} {
		r := io.MultiReader(bytes.NewReader(good[:after]), iotest.ErrReader(failure))
		if n, err := f.ReadFrom(r); !errors.Is(err, failure) || n != int64(after) {
			t.Errorf("a reader that fails after %d bytes: %d, %v", after, n, err)
		}
	}
	if f.Clear(); f.Bits() != 0 || before.Bits() == 0 {
		t.Error("Clear left bits, or took those of a copy")
	}
}

func TestZero(t *testing.T) { zero.Test(t, &parquet.Filter{}, mustNew(t, 32)) }
