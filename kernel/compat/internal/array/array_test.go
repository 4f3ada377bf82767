package array

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

func TestModIsRemainder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	divisors := []uint64{1, 2, 3, 5, 7, 63, 64, 65, 1 << 31, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1<<48 - 59, 1 << 48, 1<<63 - 1, 1 << 63, 1<<63 + 1, math.MaxUint64 - 1, math.MaxUint64}
	for range 300 {
		divisors = append(divisors, random.Uint64()>>random.IntN(64)|1)
	}
	for _, m := range divisors {
		d := By(m)
		for i := range uint64(40) {
			top := math.MaxUint64 / m * m // the largest multiple
			for _, x := range []uint64{i, math.MaxUint64 - i, m + i, m - i, 2*m - i, top + i, top - i, top - m + i, random.Uint64()} {
				if got := d.Mod(x); got != x%m {
					t.Fatalf("%d mod %d = %d", x, m, got)
				}
			}
		}
	}
}

// Batches are single keys in turn, also where keys of a batch share bits.
func TestBatches(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, k := range []int{1, 2, 3, 7} {
		words, single := make([]uint64, 5), make([]uint64, 5)
		for range 30 {
			at := make([]uint64, k*random.IntN(12))
			for i := range at {
				at[i] = random.Uint64N(320)
			}
			want := []bool{true}
			for key := range slices.Chunk(at, k) {
				want = append(want, SetAll(single, key))
			}
			if got := Add([]bool{true}, words, at, k); !slices.Equal(got, want) || !slices.Equal(words, single) {
				t.Fatalf("k=%d: Add of %v: %v, want %v", k, at, got, want)
			}
			for i := range at {
				at[i] = (at[i] + random.Uint64N(3)/2) % 320
			}
			want = []bool{false}
			for key := range slices.Chunk(at, k) {
				all := true
				for _, p := range key {
					all = all && words[p/64]&(1<<(p%64)) != 0
				}
				want = append(want, all)
			}
			if got := Contains([]bool{false}, words, at, k); !slices.Equal(got, want) {
				t.Fatalf("k=%d: Contains of %v: %v, want %v", k, at, got, want)
			}
		}
	}
}

// What is estimated from the number of set bits is what package kernel says of a filter with those bits.
func TestEstimates(t *testing.T) {
	for _, m := range []uint64{1, 2, 64, 65, 1000} {
		words := make([]uint64, (m+63)/64)
		f, err := kernel.New(bloomproof.Geometry{M: m, K: 5}, kernel.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for b := uint64(0); ; b++ {
			if err := f.SetWords(words); err != nil {
				t.Fatal(err)
			}
			if got := Count(words, m); got != b {
				t.Fatalf("m=%d: %d bits of %d are counted", m, got, b)
			}
			close := func(a, b float64) bool { return math.Abs(a-b) <= 1e-13*b }
			n, bounded := Items(b, m, 5)
			if want, ok := f.Items(); bounded != ok || !close(n, want) {
				t.Errorf("m=%d b=%d: %v items, %t, want %v, %t", m, b, n, bounded, want, ok)
			}
			if got := Rate(b, m, 5); !close(got, f.Rate()) {
				t.Errorf("m=%d b=%d: a rate of %v, want %v", m, b, got, f.Rate())
			}
			if b == m {
				break
			}
			words[b/64] |= 1 << (b % 64)
		}
	}
	const m = 1 << 60 // one clear bit of so many: 1 - b/m is 0 in float64
	if n, bounded := Items(m-1, m, 1); !bounded || math.Abs(n/(60*math.Ln2*m)-1) > 1e-12 {
		t.Errorf("%v items, %t, with one clear bit of 2^60", n, bounded)
	}
	if got := Count([]uint64{math.MaxUint64, math.MaxUint64}, 70); got != 70 {
		t.Errorf("%d bits below 70", got)
	}
}

// A length that the stream does not have costs no memory, and not a byte too many is read.
func TestRead(t *testing.T) {
	for _, n := range []int{0, 1, 511, 512, 513, 5000} {
		words := make([]uint64, n)
		for i := range words {
			words[i] = uint64(i) * 0x9e3779b97f4a7c15
		}
		for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
			var b bytes.Buffer
			done, err := Write(&b, words, order)
			if err != nil || done != int64(8*n) || b.Len() != 8*n {
				t.Fatalf("%d words: %d bytes written, %v", n, done, err)
			}
			b.WriteString("more")
			got, done, err := Read(&b, uint64(n), order)
			if err != nil || done != int64(8*n) || !slices.Equal(got, words) || b.String() != "more" {
				t.Fatalf("%d words: %d bytes read, %q left, %v", n, done, b.String(), err)
			}
			if cap(got) > 2*n+chunk {
				t.Errorf("%d words have room for %d", n, cap(got))
			}
		}
	}
	const long = 100_000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, done, err := Read(io.LimitReader(zeros{}, long), math.MaxUint64, binary.LittleEndian)
	runtime.ReadMemStats(&after)
	if done != long || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%d bytes of %d read, %v", done, long, err)
	}
	allocated := after.TotalAlloc - before.TotalAlloc
	if allocated > 6*long {
		t.Errorf("%d bytes allocated for a stream of %d", allocated, long)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}
