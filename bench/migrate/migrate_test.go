package migrate

import (
	"bytes"
	"encoding"
	"encoding/gob"
	"encoding/json"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	peerbloom "github.com/bits-and-blooms/bloom/v3"
	bloom "github.com/bloomproof/bloomproof/kernel/compat/bitsandblooms"
	bloomfilter "github.com/bloomproof/bloomproof/kernel/compat/holiman"
	peerbloomfilter "github.com/holiman/bloomfilter/v2"
)

var update = flag.Bool("update", false, "write the vectors of kernel/compat anew")

// key is of 0 to 79 bytes.
func key(i int) []byte { return bytes.Repeat([]byte{byte(i), byte(i >> 8), 3, byte(7 * i)}, 20)[:i%80] }

// coded has a binary form, one in JSON, and by gob.
type coded interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
	json.Marshaler
	json.Unmarshaler
	gob.GobEncoder
	gob.GobDecoder
}

// forms returns the forms of f.
func forms(t *testing.T, f coded) (binary, text, stream []byte) {
	t.Helper()
	binary, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if text, err = json.Marshal(f); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(f); err != nil {
		t.Fatal(err)
	}
	return binary, text, b.Bytes()
}

// same demands that ours and theirs are written byte for byte the same, and that each reads what the
// other wrote, into the filters that zero makes. The streams of gob number their types, differently for
// each type of a process.
func same(t *testing.T, ours, theirs coded, zero func() (ours, theirs coded)) {
	t.Helper()
	binary, text, stream := forms(t, ours)
	binary2, text2, stream2 := forms(t, theirs)
	if !bytes.Equal(binary, binary2) || !bytes.Equal(text, text2) {
		t.Fatalf("the forms differ:\n%x\n%x\n%s\n%s", binary, binary2, text, text2)
	}
	for what, read := range map[string]func(f coded) error{
		"binary":             func(f coded) error { return f.UnmarshalBinary(binary) },
		"json":               func(f coded) error { return json.Unmarshal(text, f) },
		"gob":                func(f coded) error { return gob.NewDecoder(bytes.NewReader(stream)).Decode(f) },
		"gob of the library": func(f coded) error { return gob.NewDecoder(bytes.NewReader(stream2)).Decode(f) },
	} {
		a, b := zero()
		for _, f := range []coded{a, b} {
			if err := read(f); err != nil {
				t.Fatalf("%s: %T: %v", what, f, err)
			}
			if again, err := f.MarshalBinary(); err != nil || !bytes.Equal(again, binary) {
				t.Errorf("%s: %T is another filter when read, %v", what, f, err)
			}
		}
	}
}

func zeroBlooms() (ours, theirs coded) { return new(bloom.BloomFilter), new(peerbloom.BloomFilter) }

// Filters of the same calls are the same bit for bit, and so are their forms.
func TestBitsAndBlooms(t *testing.T) {
	for _, m := range []uint{0, 1, 2, 63, 64, 65, 100, 1000, 1 << 12, 99991} {
		for _, k := range []uint{0, 1, 2, 3, 4, 7, 30, 600} {
			ours, theirs := bloom.New(m, k), peerbloom.New(m, k)
			same(t, ours, theirs, zeroBlooms)
			for i := range 100 {
				a, b := ours.TestAndAdd(key(i)), theirs.TestAndAdd(key(i))
				if i%2 > 0 {
					a, b = ours.TestOrAdd(key(i+1)), theirs.TestOrAdd(key(i+1))
				}
				if a != b {
					t.Fatalf("m=%d k=%d: key %d is %t here, %t there", m, k, i, a, b)
				}
			}
			same(t, ours, theirs, zeroBlooms)
			copied, clone := ours.Copy(), bloom.New(m, k)
			if err := clone.Merge(ours); err != nil || !copied.Equal(ours) || !clone.Equal(ours) {
				t.Errorf("m=%d k=%d: a copy differs, %v", m, k, err)
			}
			same(t, copied, theirs.Copy(), zeroBlooms)
			full := ours.Bits() == uint64(ours.Cap()) // there the library's estimate has no meaning
			if a, b := ours.ApproximatedSize(), theirs.ApproximatedSize(); a != b && !full {
				t.Errorf("m=%d k=%d: %d keys here, %d there", m, k, a, b)
			}
			for i := range 300 {
				at, want := bloom.Locations(key(i), ours.K()), peerbloom.Locations(key(i), theirs.K())
				if !slices.Equal(at, want) {
					t.Fatalf("positions of %x: %v here, %v there", key(i), at, want)
				}
				if a, b := ours.Test(key(i)), theirs.Test(key(i)); a != b || ours.TestLocations(at) != b {
					t.Fatalf("m=%d k=%d: key %d is %t here, %t there", m, k, i, a, b)
				}
			}
			same(t, ours.ClearAll(), theirs.ClearAll(), zeroBlooms)
		}
	}
	for _, n := range []uint{1, 10, 1000} {
		if a, b := bloom.EstimateFalsePositiveRate(8*n, 3, n), peerbloom.EstimateFalsePositiveRate(8*n, 3, n); a != b {
			t.Errorf("n=%d: a rate of %v here, %v there", n, a, b)
		}
	}
}

// A filter over the caller's words changes them as the library's does, also where they are too few or
// more than m.
func TestBitsAndBloomsFrom(t *testing.T) {
	for _, words := range []int{1, 2, 16, 40} {
		for _, m := range []uint{uint(64 * words), 1000} {
			a, b := make([]uint64, words), make([]uint64, words)
			ours, theirs := bloom.FromWithM(a, m, 5), peerbloom.FromWithM(b, m, 5)
			if m == uint(64*words) {
				ours, theirs = bloom.From(a, 5), peerbloom.From(b, 5)
			}
			for i := range 40 {
				if found := ours.Test(key(i)); found != theirs.Test(key(i)) || ours.ContainsBatch(nil, [][]byte{key(i)})[0] != found {
					t.Fatalf("%d words, m=%d: key %d differs", words, m, i)
				}
				ours.AddBatch(nil, [][]byte{key(i)})
				theirs.Add(key(i))
			}
			if !slices.Equal(a, b) || !ours.BitSet().Equal(theirs.BitSet()) || ours.Cap() != theirs.Cap() {
				t.Errorf("%d words, m=%d: the bits differ", words, m)
			}
			same(t, ours, theirs, zeroBlooms)
		}
	}
}

func zeroHolimans() (ours, theirs coded) {
	return new(bloomfilter.Filter), new(peerbloomfilter.Filter)
}

// pair returns filters of ours and of the library with the same keys, which hold n hashes.
func pair(t testing.TB, m uint64, k, n int) (*bloomfilter.Filter, *peerbloomfilter.Filter) {
	t.Helper()
	random := rand.New(rand.NewPCG(m, uint64(k)))
	keys := make([]uint64, k)
	for i := range keys {
		keys[i] = random.Uint64()
	}
	ours, err := bloomfilter.NewWithKeys(m, keys)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := peerbloomfilter.NewWithKeys(m, keys)
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		h := random.Uint64()
		ours.AddHash(h)
		theirs.AddHash(h)
	}
	return ours, theirs
}

func TestHoliman(t *testing.T) {
	for _, m := range []uint64{2, 3, 63, 64, 65, 100, 1000, 1 << 12, 99991, 1 << 18} {
		for _, k := range []int{1, 2, 5, 20, 600} {
			same0, same1 := pair(t, m, k, 0)
			same(t, same0, same1, zeroHolimans)
			ours, theirs := pair(t, m, k, 50)
			same(t, ours, theirs, zeroHolimans)
			for i := range uint64(300) {
				h := i * 0x9e3779b97f4a7c15
				if ours.ContainsHash(h) != theirs.ContainsHash(h) {
					t.Fatalf("m=%d k=%d: %x differs", m, k, h)
				}
			}
			if a, b := ours.FalsePosititveProbability(), theirs.FalsePosititveProbability(); a != b {
				t.Errorf("m=%d k=%d: a rate of %v here, %v there", m, k, a, b)
			}
			if a, b := ours.PreciseFilledRatio(), theirs.PreciseFilledRatio(); a != b {
				t.Errorf("m=%d k=%d: %v filled here, %v there", m, k, a, b)
			}
			other, peer := pair(t, m, k, 7)
			joined, err := ours.Union(other)
			union, err2 := theirs.Union(peer)
			if err := errors.Join(err, err2, ours.UnionInPlace(other), theirs.UnionInPlace(peer)); err != nil {
				t.Fatal(err)
			}
			same(t, joined, union, zeroHolimans)
			same(t, ours, theirs, zeroHolimans)
			var a, b bytes.Buffer
			n, err := ours.WriteTo(&a)
			n2, err2 := theirs.WriteTo(&b)
			if err := errors.Join(err, err2); err != nil || n != n2 || !bytes.Equal(a.Bytes(), b.Bytes()) {
				t.Errorf("m=%d k=%d: packed to %d bytes here, %d there, %v", m, k, a.Len(), b.Len(), err)
			}
			read, _, err := bloomfilter.ReadFrom(&b)
			reread, _, err2 := peerbloomfilter.ReadFrom(&a)
			if err := errors.Join(err, err2); err != nil {
				t.Fatal(err)
			}
			same(t, read, reread, zeroHolimans)
		}
	}
}

// The libraries' sizes are ours, so that a program goes on with the m and k that it had.
func TestSizes(t *testing.T) {
	for _, n := range []uint{1, 2, 10, 999, 1 << 20, 1e9} {
		for _, p := range []float64{0.5, 0.1, 0.01, 1e-3, 1e-6, 1e-9} {
			m, k := bloom.EstimateParameters(n, p)
			pm, pk := peerbloom.EstimateParameters(n, p)
			if m != pm || k != pk {
				t.Errorf("n = %d, p = %v: m %d, k %d, in the library %d, %d", n, p, m, k, pm, pk)
			}
			hm := bloomfilter.OptimalM(uint64(n), p)
			hk := bloomfilter.OptimalK(hm, uint64(n))
			if pm, pk := peerbloomfilter.OptimalM(uint64(n), p), peerbloomfilter.OptimalK(hm, uint64(n)); hm != pm || hk != pk {
				t.Errorf("n = %d, p = %v: m %d, k %d, in the library %d, %d", n, p, hm, hk, pm, pk)
			}
		}
	}
}

// The files that the packages are tested by are what the libraries write.
func TestVectors(t *testing.T) {
	theirs := peerbloom.New(1000, 4)
	for i := range 60 {
		theirs.Add(bytes.Repeat([]byte{byte(i)}, i))
	}
	peer, err := peerbloomfilter.NewWithKeys(1000, []uint64{3, 1 << 60, 12345678901234567})
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint64(60) {
		peer.AddHash(i * i * 0x9e3779b97f4a7c15)
	}
	for name, f := range map[string]coded{"bitsandblooms": theirs, "holiman": peer} {
		binary, text, _ := forms(t, f)
		for ending, want := range map[string][]byte{"bin": binary, "json": text} {
			path := filepath.Join("../../kernel/compat", name, "testdata", "m1000."+ending)
			if *update {
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, want, 0o644)); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s is not what the library writes, %v", path, err)
			}
		}
	}
}

// Goroutines that add, ask and unite two filters both ways lose nothing and do not block
// each other for good.
func TestHolimanGoroutines(t *testing.T) {
	a, err := bloomfilter.New(1<<16, 5)
	if err != nil {
		t.Fatal(err)
	}
	b, err := a.NewCompatible()
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for g := range 4 {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := range 200 {
				a.AddHash(uint64(1000*g + i))
				if !a.ContainsHash(uint64(1000*g + i)) {
					t.Errorf("lost %d", i)
				}
				if i%50 == 0 {
					if err := errors.Join(a.UnionInPlace(b), b.UnionInPlace(a)); err != nil {
						t.Error(err)
					}
				}
			}
		}()
	}
	group.Wait()
	for g := range 4 {
		for i := range 200 {
			if !a.ContainsHash(uint64(1000*g+i)) || a.Bits() == 0 {
				t.Errorf("lost %d", 1000*g+i)
			}
		}
	}
	allocs := testing.AllocsPerRun(100, func() { a.AddHash(7); a.ContainsHash(8) })
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}
