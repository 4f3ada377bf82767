package bloomfilter_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"errors"
	"hash/fnv"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	bloomfilter "github.com/bloomproof/bloomproof/kernel/compat/holiman"
	"github.com/bloomproof/bloomproof/verify"
	"github.com/bloomproof/bloomproof/verify/conform"
)

// hashes are those of the vectors.
func hashes(from, to uint64) (all []uint64) {
	for i := from; i < to; i++ {
		all = append(all, i*i*0x9e3779b97f4a7c15)
	}
	return all
}

// mustNew returns a filter with k hash keys. The first ones are those of the vectors.
func mustNew(t testing.TB, m uint64, k int) *bloomfilter.Filter {
	t.Helper()
	keys := []uint64{3, 1 << 60, 12345678901234567}
	for len(keys) < k {
		keys = append(keys, 1000+uint64(len(keys)))
	}
	f, err := bloomfilter.NewWithKeys(m, keys[:k])
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func binaryOf(t testing.TB, f *bloomfilter.Filter) []byte {
	t.Helper()
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The files hold what the library writes for these keys and hashes; a test of the bench module holds the
// library to them.
func TestVectors(t *testing.T) {
	for ending, form := range map[string]struct {
		write func(*bloomfilter.Filter) ([]byte, error)
		read  func(*bloomfilter.Filter, []byte) error
	}{
		"bin":  {(*bloomfilter.Filter).MarshalBinary, (*bloomfilter.Filter).UnmarshalBinary},
		"json": {(*bloomfilter.Filter).MarshalJSON, (*bloomfilter.Filter).UnmarshalJSON},
	} {
		want, err := os.ReadFile("testdata/m1000." + ending)
		if err != nil {
			t.Fatal(err)
		}
		made, read := mustNew(t, 1000, 3), new(bloomfilter.Filter)
		made.AddBatch(nil, hashes(0, 60))
		if got, err := form.write(made); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: written\n%q, %v, want\n%q", ending, got, err, want)
		}
		if err := form.read(read, want); err != nil || !read.IsCompatible(made) || read.N() != 60 {
			t.Errorf("%s: read as another filter, %v", ending, err)
		}
		if again, err := form.write(read); err != nil || !bytes.Equal(again, want) {
			t.Errorf("%s: written again as %q, %v", ending, again, err)
		}
	}
}

func TestForms(t *testing.T) {
	f, g := mustNew(t, 200, 3), new(bloomfilter.Filter)
	f.AddHash(1)
	whole := binaryOf(t, f)
	same := func(what string, err error, g *bloomfilter.Filter) {
		t.Helper()
		if err != nil || !bytes.Equal(binaryOf(t, g), whole) {
			t.Errorf("%s: another filter, %v", what, err)
		}
	}
	var stream bytes.Buffer
	n, sum, err := f.MarshallToWriter(&stream)
	if err != nil || n != stream.Len() || !bytes.HasSuffix(whole, sum[:]) || sum != sha512.Sum384(whole[:len(whole)-len(sum)]) {
		t.Errorf("%d of %d bytes written, %v", n, stream.Len(), err)
	}
	stream.WriteString("more")
	read, err := g.UnmarshalFromReader(&stream)
	if read != int64(n) || stream.String() != "more" {
		t.Errorf("%d bytes of %d read, %q left", read, n, stream.String())
	}
	same("stream", err, g)
	stream.Reset()
	g = new(bloomfilter.Filter)
	same("gob", errors.Join(gob.NewEncoder(&stream).Encode(f), gob.NewDecoder(&stream).Decode(g)), g)
	path := filepath.Join(t.TempDir(), "f.bf.gz")
	written, err := f.WriteFile(path)
	if written != int64(n) || err != nil {
		t.Errorf("%d bytes of %d in the file, %v", written, n, err)
	}
	g, read, err = bloomfilter.ReadFile(path)
	if read != int64(n) {
		t.Errorf("%d bytes of %d from the file", read, n)
	}
	same("file", err, g)
	if n, err := f.WriteFile(t.TempDir()); n != -1 || err == nil {
		t.Errorf("a folder is written: %d, %v", n, err)
	}
	if g, n, err := bloomfilter.ReadFile(path + "?"); g != nil || n != -1 || err == nil {
		t.Errorf("no file is read: %d, %v", n, err)
	}
}

// packed returns what gzip makes of data.
func packed(t *testing.T, data []byte) io.Reader {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return &b
}

// forged returns k, n, m and other words with a head and a sum that are right.
func forged(words ...uint64) []byte {
	data := []byte("\x00\x00\x00\x00\x00\x00\x00\x00v02\n")
	for _, x := range words {
		data = binary.LittleEndian.AppendUint64(data, x)
	}
	sum := sha512.Sum384(data)
	return append(data, sum[:]...)
}

// Data that no filter wrote is refused, and leaves the filter as it was.
func TestRefused(t *testing.T) {
	if err := new(bloomfilter.Filter).UnmarshalBinary(forged(1, 9, 64, 5, 1)); err != nil {
		t.Fatal(err) // the forger is right
	}
	f := mustNew(t, 100, 3)
	f.AddHash(7)
	whole := binaryOf(t, f)
	refused := func(what string, data []byte) {
		t.Helper()
		for form, read := range map[string]func() error{
			"binary": func() error { return f.UnmarshalBinary(data) },
			"gob":    func() error { return f.GobDecode(data) },
			"gzip":   func() error { _, err := f.ReadFrom(packed(t, data)); return err },
			"stream": func() error { _, err := f.UnmarshalFromReader(bytes.NewReader(data)); return err },
		} {
			if strings.HasSuffix(what, "more") && (form == "gzip" || form == "stream") {
				continue
			}
			if err := read(); !errors.Is(err, kernel.ErrCorrupt) || !bytes.Equal(binaryOf(t, f), whole) {
				t.Fatalf("%s, %s: %x: %v", what, form, data, err)
			}
		}
	}
	for i := range whole {
		refused("cut short", whole[:i])
		bad := bytes.Clone(whole)
		bad[i] ^= 1 << (i % 8)
		refused("a bit flipped", bad)
	}
	for what, data := range map[string][]byte{
		"a byte more":         append(bytes.Clone(whole), 0),
		"no key":              forged(0, 9, 64, 1),
		"no bit":              forged(1, 9, 0, 5),
		"one bit":             forged(1, 9, 1, 5, 1),
		"a bit beyond m":      forged(1, 9, 63, 5, 1<<63),
		"equal keys":          forged(2, 9, 64, 5, 5, 1),
		"k of many gigabytes": forged(1<<40, 9, 64, 5, 1),
		"largest k":           forged(math.MaxUint64, 9, 64, 5, 1),
		"m of many gigabytes": forged(1, 9, 1<<45, 5, 1),
		"largest m":           forged(1, 9, math.MaxUint64, 5, 1),
		"a word too many":     forged(1, 9, 64, 5, 1, 1),
	} {
		refused(what, data)
	}
	for _, text := range []string{
		``, `{}`, `[]`, `{"version":"v02\n"}`, `{"version":"v01\n","bits":[1],"keys":[5],"m":64,"n":1}`,
		`{"version":"v02\n","bits":[],"keys":[5],"m":64,"n":1}`, `{"version":"v02\n","bits":[1,1],"keys":[5],"m":64,"n":1}`,
		`{"version":"v02\n","bits":[1],"keys":[],"m":64,"n":1}`, `{"version":"v02\n","bits":[1],"keys":[5,5],"m":64,"n":1}`,
		`{"version":"v02\n","bits":[8],"keys":[5],"m":3,"n":1}`, `{"version":"v02\n","bits":[1],"keys":[5],"m":1e19,"n":1}`,
		`{"version":"v02\n","bits":[-1],"keys":[5],"m":64,"n":1}`, `{"version":"v02\n","bits":[1],"keys":[5],"m":18446744073709551615,"n":1}`,
	} {
		if err := json.Unmarshal([]byte(text), f); err == nil || !bytes.Equal(binaryOf(t, f), whole) {
			t.Errorf("%s: %v", text, err)
		}
		if err := f.UnmarshalJSON([]byte(text)); !errors.Is(err, kernel.ErrCorrupt) || !bytes.Equal(binaryOf(t, f), whole) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if err := f.UnmarshalBinary(forged(1<<40, 9, 64, 5, 1)); err == nil || !strings.Contains(err.Error(), "k = 1099511627776, m = 64") {
		t.Errorf("the error does not name k and m: %v", err)
	}
	broken := errors.New("broken")
	for room := range whole {
		if n, _, err := f.MarshallToWriter(&full{room, broken}); n != room || err != broken {
			t.Errorf("a writer that fails after %d bytes: %d, %v", room, n, err)
		}
	}
	if _, err := f.UnmarshalFromReader(io.MultiReader(bytes.NewReader(whole[:50]), failing{broken})); err != broken {
		t.Errorf("a reader that fails: %v", err)
	}
}

// A value of the type "full" is a writer that has room for a number of bytes.
type full struct {
	room int
	err  error
}

func (w *full) Write(b []byte) (int, error) {
	n := min(len(b), w.room)
	if w.room -= n; n < len(b) {
		return n, w.err
	}
	return n, nil
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestBatches(t *testing.T) {
	for _, f := range []*bloomfilter.Filter{mustNew(t, 5000, 3), mustNew(t, 77, 1), mustNew(t, 9000, 600)} {
		g, err := f.Copy()
		if err != nil {
			t.Fatal(err)
		}
		for i, fresh := range f.AddBatch([]bool{true}, hashes(0, 200))[1:] {
			h := hashes(uint64(i), uint64(i)+1)[0]
			if fresh == g.ContainsHash(h) {
				t.Fatalf("k=%d: AddBatch of hash %d = %t", f.K(), i, fresh)
			}
			g.AddHash(h)
		}
		if !bytes.Equal(binaryOf(t, f), binaryOf(t, g)) || f.N() != 200 {
			t.Fatalf("k=%d: the filters differ", f.K())
		}
		for i, got := range f.ContainsBatch([]bool{true}, hashes(0, 1000))[1:] {
			if want := g.ContainsHash(hashes(uint64(i), uint64(i)+1)[0]); got != want || i < 200 && !got {
				t.Fatalf("k=%d: ContainsBatch of hash %d = %t", f.K(), i, got)
			}
		}
	}
	f, all := mustNew(t, 1<<14, 3), hashes(0, 500)
	dst := make([]bool, 0, len(all))
	if n := testing.AllocsPerRun(5, func() {
		f.AddBatch(dst, all)
		f.ContainsBatch(dst, all)
		f.AddHash(1)
		f.ContainsHash(2)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestRatios compares the rates and ratios with their formulas.
func TestRatios(t *testing.T) {
	f := mustNew(t, 1000, 3)
	f.AddBatch(nil, hashes(0, 100))
	b := float64(f.Bits())
	if got := f.PreciseFilledRatio(); got != b/1000 || b < 200 || b > 300 {
		t.Errorf("a ratio of %v with %v bits", got, b)
	}
	if got, want := f.FalsePosititveProbability(), math.Pow(-math.Expm1(-3*100.5/999), 3); math.Abs(got/want-1) > 1e-12 {
		t.Errorf("a probability of %v, want %v", got, want)
	}
	if n := bloomfilter.CountBitsUint64s([]uint64{7, 1 << 63, 0, 5}); n != 6 {
		t.Errorf("%d bits, want 6", n)
	}
	if m := bloomfilter.OptimalM(1000, 0.01); m != 9586 {
		t.Errorf("m = %d", m)
	}
	var b2 bytes.Buffer
	written, err := f.WriteTo(&b2)
	if err != nil {
		t.Fatal(err)
	}
	data := b2.Bytes()
	var g bloomfilter.Filter
	if n, err := g.ReadFrom(bytes.NewReader(data)); err != nil || n != written || !bytes.Equal(binaryOf(t, &g), binaryOf(t, f)) {
		t.Errorf("%d bytes are read, %d were written: %v", n, written, err)
	}
	for _, part := range [][]byte{nil, data[:5], data[:len(data)/2], []byte("no gzip, but long enough")} {
		if n, err := g.ReadFrom(bytes.NewReader(part)); err == nil || n != -1 || !bytes.Equal(binaryOf(t, &g), binaryOf(t, f)) {
			t.Errorf("%d of %d bytes: %d, %v", len(part), len(data), n, err)
		}
		if h, n, err := bloomfilter.ReadFrom(bytes.NewReader(part)); err == nil || n != -1 || h != nil {
			t.Errorf("%d of %d bytes: %d, %v", len(part), len(data), n, err)
		}
	}
}

func TestUnion(t *testing.T) {
	f, g := mustNew(t, 1000, 3), mustNew(t, 1000, 3)
	key := fnv.New64a()
	key.Write([]byte("a"))
	f.Add(key)
	g.AddBatch(nil, []uint64{1, 2})
	u, err := f.Union(g)
	if err != nil || !u.Contains(key) || !u.ContainsHash(1) || u.N() != 3 || f.ContainsHash(1) {
		t.Errorf("a union: %v", err)
	}
	if err := f.UnionInPlace(f); err != nil || f.N() != 2 || !f.Contains(key) {
		t.Errorf("of itself: %v", err)
	}
	var bad *bloomproof.ParamError
	for _, other := range []*bloomfilter.Filter{mustNew(t, 1001, 3), mustNew(t, 1000, 2), mustNew(t, 1000, 5), new(bloomfilter.Filter)} {
		if _, err := f.Union(other); !errors.As(err, &bad) || f.IsCompatible(other) || other.IsCompatible(f) {
			t.Errorf("m=%d k=%d: %v", other.M(), other.K(), err)
		}
		if err := f.UnionInPlace(other); !errors.As(err, &bad) || f.N() != 2 {
			t.Errorf("in place, m=%d k=%d: %v", other.M(), other.K(), err)
		}
	}
	if e, err := f.NewCompatible(); err != nil || !e.IsCompatible(f) || e.Bits() != 0 || e.N() != 0 {
		t.Errorf("an empty one: %v", err)
	}
}

func TestParameters(t *testing.T) {
	many := make([]uint64, bloomproof.MaxK+1)
	for i := range many {
		many[i] = uint64(i)
	}
	var bad *bloomproof.ParamError
	for what, make := range map[string]func() (*bloomfilter.Filter, error){
		"m: one":      func() (*bloomfilter.Filter, error) { return bloomfilter.New(1, 1) },
		"m: large":    func() (*bloomfilter.Filter, error) { return bloomfilter.New(1<<48+1, 1) },
		"k: none":     func() (*bloomfilter.Filter, error) { return bloomfilter.New(100, 0) },
		"k: large":    func() (*bloomfilter.Filter, error) { return bloomfilter.New(100, math.MaxUint64) },
		"k: many":     func() (*bloomfilter.Filter, error) { return bloomfilter.NewWithKeys(100, many) },
		"origKeys: 2": func() (*bloomfilter.Filter, error) { return bloomfilter.NewWithKeys(100, []uint64{7, 8, 7}) },
		"p: NaN":      func() (*bloomfilter.Filter, error) { return bloomfilter.NewOptimal(100, math.NaN()) },
		"p: 0":        func() (*bloomfilter.Filter, error) { return bloomfilter.NewOptimal(100, 0) },
		"maxN: none":  func() (*bloomfilter.Filter, error) { return bloomfilter.NewOptimal(0, 0.01) },
		"maxN: large": func() (*bloomfilter.Filter, error) { return bloomfilter.NewOptimal(math.MaxUint64, 0.01) },
		"maxN: k":     func() (f *bloomfilter.Filter, err error) { return f, panicked(func() { bloomfilter.OptimalK(100, 0) }) },
		"p: negative": func() (f *bloomfilter.Filter, err error) {
			return f, panicked(func() { bloomfilter.OptimalM(100, -1) })
		},
	} {
		if f, err := make(); f != nil || !errors.As(err, &bad) || !strings.HasPrefix(what, bad.Param+":") {
			t.Errorf("%s: %v", what, err)
		}
	}
	f, err := bloomfilter.NewOptimal(1000, 0.01)
	g, err2 := bloomfilter.New(f.M(), f.K())
	if err := errors.Join(err, err2); err != nil || f.M() != 9586 || f.K() != 7 || f.IsCompatible(g) {
		t.Errorf("m=%d k=%d, %v", f.M(), f.K(), err)
	}
}

func panicked(call func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	call()
	return nil
}

// TestConformance gives the filters fixed keys, so that they can meet.
func TestConformance(t *testing.T) {
	verify.Conformance(t, conform.Subject[*bloomfilter.Filter]{
		New: func(m uint64, k int) (*bloomfilter.Filter, error) {
			keys := make([]uint64, k)
			for i := range keys {
				keys[i] = hashed([][]byte{{byte(i), byte(i >> 8)}})[0]
			}
			return bloomfilter.NewWithKeys(m, keys)
		},
		Shape:    func(f *bloomfilter.Filter) (uint64, int) { return f.M(), int(f.K()) },
		Add:      func(f *bloomfilter.Filter, key []byte) { f.AddHash(hashed([][]byte{key})[0]) },
		Contains: func(f *bloomfilter.Filter, key []byte) bool { return f.ContainsHash(hashed([][]byte{key})[0]) },
		AddBatch: func(f *bloomfilter.Filter, keys [][]byte) { f.AddBatch(nil, hashed(keys)) },
		ContainsBatch: func(f *bloomfilter.Filter, keys [][]byte) []bool {
			return f.ContainsBatch(nil, hashed(keys))
		},
		Bits:  (*bloomfilter.Filter).Bits,
		Union: (*bloomfilter.Filter).UnionInPlace,
		Items: func(f *bloomfilter.Filter) float64 {
			n, _ := f.Items()
			return n
		},
		Rate:            (*bloomfilter.Filter).Rate,
		Marshal:         (*bloomfilter.Filter).MarshalBinary,
		Unmarshal:       (*bloomfilter.Filter).UnmarshalBinary,
		ConcurrentReads: true,
		ConcurrentAdds:  true,
	}, conform.Options{Effort: 0.01, Shapes: []bloomproof.Geometry{{M: 4099, K: 5}, {M: 65537, K: 7}, {M: 1 << 17, K: 3}}})
}

// hashed returns good hashes of the keys.
func hashed(keys [][]byte) (all []uint64) {
	h := hasher.Hasher()
	for _, key := range keys {
		all = append(all, h.Bytes(key).H0)
	}
	return all
}

var hasher, _ = kernel.New(bloomproof.Geometry{M: 1, K: 1}, kernel.Options{})
