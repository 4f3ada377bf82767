package bloom_test

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/bits"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bits-and-blooms/bitset"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/texts"
	"github.com/bloomproof/bloomproof/kernel"
	bloom "github.com/bloomproof/bloomproof/kernel/compat/bitsandblooms"
	"github.com/bloomproof/bloomproof/verify"
	"github.com/bloomproof/bloomproof/verify/conform"
)

// keys are those of the vectors: i bytes of value i.
func keys(from, to int) (all [][]byte) {
	for i := from; i < to; i++ {
		all = append(all, bytes.Repeat([]byte{byte(i)}, i))
	}
	return all
}

// The files hold what the library writes for these keys; a test of the bench module holds the library to
// them.
func TestVectors(t *testing.T) {
	for ending, form := range map[string]struct {
		write func(*bloom.BloomFilter) ([]byte, error)
		read  func(*bloom.BloomFilter, []byte) error
	}{
		"bin":  {(*bloom.BloomFilter).MarshalBinary, (*bloom.BloomFilter).UnmarshalBinary},
		"json": {func(f *bloom.BloomFilter) ([]byte, error) { return json.Marshal(f) }, (*bloom.BloomFilter).UnmarshalJSON},
	} {
		want, err := os.ReadFile("testdata/m1000." + ending)
		if err != nil {
			t.Fatal(err)
		}
		made, read := bloom.New(1000, 4), new(bloom.BloomFilter)
		made.AddBatch(nil, keys(0, 60))
		if got, err := form.write(made); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: written\n%q, %v, want\n%q", ending, got, err, want)
		}
		if err := form.read(read, want); err != nil || !read.Equal(made) {
			t.Errorf("%s: read as another filter, %v", ending, err)
		}
		if again, err := form.write(read); err != nil || !bytes.Equal(again, want) {
			t.Errorf("%s: written again as %q, %v", ending, again, err)
		}
	}
}

func TestForms(t *testing.T) {
	f := bloom.New(200, 3)
	f.AddString("a")
	var stream bytes.Buffer
	if n, err := f.WriteTo(&stream); err != nil || n != int64(stream.Len()) {
		t.Errorf("%d of %d bytes written, %v", n, stream.Len(), err)
	}
	size := int64(stream.Len())
	stream.WriteString("more")
	g := new(bloom.BloomFilter)
	if n, err := g.ReadFrom(&stream); err != nil || n != size || stream.String() != "more" || !g.Equal(f) {
		t.Errorf("%d bytes read, %q left, %v", n, stream.String(), err)
	}
	stream.Reset()
	if err := errors.Join(gob.NewEncoder(&stream).Encode(f), gob.NewDecoder(&stream).Decode(g)); err != nil || !g.Equal(f) {
		t.Errorf("gob: %v", err)
	}
	data, err := json.Marshal(*f) // by value
	if err != nil {
		t.Fatal(err)
	}
	other := strings.NewReplacer("-", "+", "_", "/").Replace(string(data))
	if err := g.ClearAll().UnmarshalJSON([]byte(other)); err != nil || !g.Equal(f) {
		t.Errorf("json in the other alphabet: %v", err)
	}
	if data, err := new(bloom.BloomFilter).MarshalBinary(); err != nil || !errors.Is(g.UnmarshalBinary(data), kernel.ErrCorrupt) || !g.Equal(f) {
		t.Errorf("a filter that nobody made: %x, %v", data, err)
	}
	// The words of the bits follow the setting of package bitset, m and k do not.
	bitset.LittleEndian()
	defer bitset.BigEndian()
	data, err = f.MarshalBinary()
	if err != nil || !bytes.HasPrefix(data, []byte{7: 200, 15: 3, 16: 200}) || g.ClearAll().UnmarshalBinary(data) != nil || !g.Equal(f) {
		t.Errorf("little-endian: %x, %v", data, err)
	}
}

// numbers are big-endian words.
func numbers(all ...uint64) (data []byte) {
	for _, x := range all {
		data = binary.BigEndian.AppendUint64(data, x)
	}
	return data
}

// Data that no filter wrote is refused, and leaves the filter as it was.
func TestRefused(t *testing.T) {
	whole, err := bloom.New(130, 3).AddString("a").MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	bad := map[string][]byte{
		"no m":                   numbers(0, 3, 64, 1),
		"no k":                   numbers(64, 0, 64, 1),
		"k above 4096":           numbers(64, 4097, 64, 1),
		"largest k":              numbers(64, math.MaxUint64, 64, 1),
		"largest m":              numbers(math.MaxUint64, 3, 64, 1),
		"m of many gigabytes":    numbers(1<<40, 3, 64, 1),
		"m above twice the bits": append(numbers(1<<16+1, 3, 1<<15-1), make([]byte, 1<<12)...),
		"a bit past the length":  numbers(64, 1, 3, 1<<3),
		"most bits":              numbers(64, 3, math.MaxUint64, 1),
		"many bits":              numbers(64, 3, 1<<62, 1),
		"a word more":            append(bytes.Clone(whole), 1, 2, 3, 4, 5, 6, 7, 8),
		"a byte more":            append(bytes.Clone(whole), 0),
	}
	said := map[string]string{}
	for i := range whole {
		if i == 1 { // the others have been refused
			clear(bad)
		}
		bad["cut short"] = whole[:i]
		f := bloom.New(64, 2).AddString("kept")
		before := f.Copy()
		for what, data := range bad {
			err := f.UnmarshalBinary(data)
			if !errors.Is(err, kernel.ErrCorrupt) || !f.Equal(before) {
				t.Fatalf("%s: %x: %v", what, data, err)
			}
			said[what] = err.Error()
			if err := f.GobDecode(data); !errors.Is(err, kernel.ErrCorrupt) || !f.Equal(before) {
				t.Fatalf("gob, %s: %v", what, err)
			}
			if strings.HasSuffix(what, "more") {
				continue
			}
			if _, err := f.ReadFrom(bytes.NewReader(data)); !errors.Is(err, kernel.ErrCorrupt) || !f.Equal(before) {
				t.Fatalf("stream, %s: %v", what, err)
			}
		}
	}
	if bits.UintSize == 64 { // with other words, other numbers are too large
		texts.Same(t, said)
	}
	f := bloom.New(64, 2).AddString("kept")
	before := f.Copy()
	for _, text := range []string{
		``, `{`, `[]`, `{}`, `{"m":64,"k":3}`, `{"m":64,"k":3,"b":null}`, `{"m":64,"k":3,"b":""}`, `{"m":64,"k":3,"b":"*"}`,
		`{"m":-1,"k":3,"b":"AAAAAAAAAAA="}`, `{"m":1e30,"k":3,"b":"AAAAAAAAAAA="}`, `{"m":64,"k":3,"b":17}`,
		`{"m":0,"k":3,"b":"AAAAAAAAAAA="}`, `{"m":64,"k":5000,"b":"AAAAAAAAAAA="}`, `{"m":1000000,"k":5,"b":"AAAAAAAAAAA="}`,
		`{"m":64,"k":3,"b":"AAAAAAAAAEAAAAAAAAAA"}`, `{"m":64,"k":3,"b":"_________________w=="}`, `{"m":1,"k":1,"b":"AAAAAAAAAAAA"}`,
	} {
		if err := json.Unmarshal([]byte(text), f); err == nil || !f.Equal(before) {
			t.Errorf("%s: %v", text, err)
		}
		if err := f.UnmarshalJSON([]byte(text)); !errors.Is(err, kernel.ErrCorrupt) || !f.Equal(before) {
			t.Errorf("%s: %v", text, err)
		}
	}
	broken := errors.New("broken")
	if _, err := f.ReadFrom(io.MultiReader(bytes.NewReader(whole[:20]), failing{broken})); err != broken || !f.Equal(before) {
		t.Errorf("a reader that fails: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// Filters whose bits are not m, which FromWithM and its like make, are read.
func TestOtherLengths(t *testing.T) {
	for _, c := range []struct {
		words int
		m     uint
	}{{0, 1}, {0, 1000}, {1, 1 << 16}, {1025, 1 << 17}, {4, 100}} {
		f, g := bloom.FromWithM(make([]uint64, c.words), c.m, 3), new(bloom.BloomFilter)
		data, err := f.MarshalBinary()
		if err == nil {
			err = g.UnmarshalBinary(data)
		}
		if err != nil || !g.Equal(f) || g.Test([]byte("a")) || !g.AddString("a").TestString("a") || g.Bits() < 1 {
			t.Errorf("%d words, m=%d: %v", c.words, c.m, err)
		}
	}
	for _, f := range []*bloom.BloomFilter{bloom.From(nil, 3), new(bloom.BloomFilter), bloom.From([]uint64{1}, 0)} {
		if f.Test([]byte("a")); f.Rate() < 0 || f.Bits() > 1 {
			t.Errorf("m=%d k=%d: %v", f.Cap(), f.K(), f.Rate())
		}
		f.ContainsBatch(nil, keys(0, 3))
	}
	if f := bloom.From([]uint64{1}, 0); !slices.Equal(f.AddBatch(nil, keys(0, 3)), make([]bool, 3)) || f.Bits() != 1 {
		t.Errorf("a filter whose keys have no positions has %d bits", f.Bits())
	}
	f := bloom.From(nil, 3)
	if got := f.Rate(); got != 0 {
		t.Errorf("the rate without bits is %v", got)
	}
	if f.AddString("a"); f.Rate() != 1 || f.Bits() != 1 || !f.TestString("b") {
		t.Errorf("after a key at position 0: rate %v, %d bits", f.Rate(), f.Bits())
	}
}

func TestBatches(t *testing.T) {
	short := make([]uint64, 1) // fewer bits than m
	for _, f := range []*bloom.BloomFilter{bloom.New(5000, 7), bloom.New(77, 1), bloom.New(9000, 600), bloom.FromWithM(short, 300, 2)} {
		g := f.Copy()
		for i, got := range f.AddBatch([]bool{true}, keys(0, 200))[1:] {
			if want := !g.TestAndAdd(keys(i, i+1)[0]); got != want {
				t.Fatalf("m=%d k=%d: AddBatch of key %d = %t", f.Cap(), f.K(), i, got)
			}
		}
		if f.Cap() != 300 && !f.Equal(g) {
			t.Fatalf("m=%d k=%d: the bits differ", f.Cap(), f.K())
		}
		for i, got := range f.ContainsBatch([]bool{true}, keys(0, 1000))[1:] {
			if want := g.Test(keys(i, i+1)[0]); got != want || i < 200 && !got {
				t.Fatalf("m=%d k=%d: ContainsBatch of key %d = %t", f.Cap(), f.K(), i, got)
			}
		}
	}
	f, all := bloom.New(1<<14, 7), keys(0, 200)
	dst := make([]bool, 0, len(all))
	if n := testing.AllocsPerRun(5, func() {
		f.AddBatch(dst, all)
		f.ContainsBatch(dst, all)
		f.Add(all[50])
		f.Test(all[51])
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestOtherForms checks the methods for strings, and the numbers from which the positions of a key follow.
func TestOtherForms(t *testing.T) {
	f, g := bloom.New(300, 5), bloom.New(300, 5)
	missed := 0
	for i, key := range keys(0, 40) {
		locs := bloom.Locations(key, 5)
		in := f.Test(key)
		if f.K() != 5 || len(locs) != 5 || f.TestLocations(locs) != in || f.TestString(string(key)) != in {
			t.Errorf("key %d: numbers %v, k = %d", i, locs, f.K())
		}
		all := true
		for _, x := range locs {
			all = all && f.BitSet().Test(uint(x%300))
		}
		if all != in {
			t.Errorf("key %d: not all positions %v are set, and it is in the filter: %t", i, locs, in)
		}
		if !in {
			missed++
		}
		add := []func() bool{
			func() bool { return g.TestAndAddString(string(key)) }, func() bool { return g.TestOrAdd(key) }, func() bool { return g.TestOrAddString(string(key)) },
		}[i%3]
		if f.TestAndAdd(key) != in || add() != in || !f.Equal(g) || !g.Test(key) || !f.TestLocations(locs) {
			t.Errorf("key %d is not added as the others", i)
		}
	}
	if missed < 20 {
		t.Errorf("only %d keys were new", missed)
	}
	if m, k := bloom.EstimateParameters(1000, 0.01); m != 9586 || k != 7 {
		t.Errorf("m = %d, k = %d for 1000 keys", m, k)
	}
	if m, k := bloom.EstimateParameters(3, 1); m != 0 || k != 0 {
		t.Errorf("m = %d, k = %d for the rate 1", m, k)
	}
	broken := errors.New("broken")
	for n := range 56 { // 16 bytes of m and k, 8 of the length, 40 of bits; the last 8 may be in a buffer
		if done, err := f.WriteTo(&full{n, broken}); done > int64(n) || !errors.Is(err, broken) || n < 16 && done != int64(n) {
			t.Errorf("a writer that fails after %d bytes: %d, %v", n, done, err)
		}
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

// TestEqual compares filters with the same bits.
func TestEqual(t *testing.T) {
	f := bloom.FromWithM([]uint64{5}, 60, 3)
	for _, g := range []*bloom.BloomFilter{bloom.FromWithM([]uint64{5}, 59, 3), bloom.FromWithM([]uint64{5}, 60, 2), bloom.FromWithM([]uint64{6}, 60, 3)} {
		if f.Equal(g) || g.Equal(f) {
			t.Errorf("m = %d, k = %d: equal", g.Cap(), g.K())
		}
	}
	if !f.Equal(bloom.FromWithM([]uint64{5}, 60, 3)) {
		t.Error("the same filter is not equal")
	}
}

func TestParameters(t *testing.T) {
	for name, call := range map[string]func(){
		"k": func() { bloom.New(100, bloomproof.MaxK+1) },
		"p": func() { bloom.NewWithEstimates(100, math.NaN()) },
		"n": func() { bloom.EstimateParameters(math.MaxUint, 1e-9) },
	} {
		func() {
			defer func() {
				var bad *bloomproof.ParamError
				err, _ := recover().(error)
				if !errors.As(err, &bad) || bad.Param != name {
					t.Errorf("%s: %v", name, err)
				}
			}()
			call()
		}()
	}
	for _, f := range []*bloom.BloomFilter{bloom.From(nil, 3), bloom.From(nil, 3).AddString("a"), bloom.From([]uint64{0}, 0), bloom.From([]uint64{1}, 0)} {
		if n := f.ApproximatedSize(); n != math.MaxUint32 {
			t.Errorf("%d bits, %d positions: %d keys", f.Cap(), f.K(), n)
		}
	}
	estimated := bloom.New(1000, 3)
	for i := range uint32(40) {
		estimated.Add(binary.BigEndian.AppendUint32(nil, i))
		b := float64(estimated.BitSet().Count())
		if n, want := estimated.ApproximatedSize(), math.Round(-1000./3*math.Log1p(-b/1000)); float64(n) != want {
			t.Errorf("%v of 1000 bits, 3 positions: %d keys, want %v", b, n, want)
		}
	}
	found := 0
	for i := range uint32(100_000) { // as EstimateFalsePositiveRate does
		if estimated.Test(binary.BigEndian.AppendUint32(nil, i+41)) {
			found++
		}
	}
	if got := bloom.EstimateFalsePositiveRate(1000, 3, 40); got != float64(found)/100_000 || found < 50 {
		t.Errorf("a simulated rate of %v, want %d of 100,000", got, found)
	}
	if f := bloom.NewWithEstimates(0, 0.01).AddString("a"); f.Cap() != 1 || !f.TestString("a") || f.ApproximatedSize() != math.MaxUint32 {
		t.Error("a filter for no keys")
	}
	var bad *bloomproof.ParamError
	f := bloom.New(100, 3)
	if err := f.Merge(bloom.New(101, 3)); !errors.As(err, &bad) || bad.Param != "m" {
		t.Errorf("other m: %v", err)
	}
	if err := f.Merge(bloom.New(100, 4)); !errors.As(err, &bad) || bad.Param != "k" {
		t.Errorf("other k: %v", err)
	}
	data := make([]uint64, 4)
	if g := bloom.From(data, 2).AddString("a"); g.Cap() != 256 || kernel.Count(data) == 0 || !slices.Equal(g.BitSet().Words(), data) {
		t.Error("From does not share the words")
	}
}

// The filter keeps the laws that its format and its derivation permit: without a check sum some changes of
// data go unnoticed, and at small m its positions are visibly no independent ones.
func TestConformance(t *testing.T) {
	laws := slices.DeleteFunc(conform.Laws(), func(l conform.Law) bool { return l == "corrupt snapshot" })
	verify.Conformance(t, conform.Subject[*bloom.BloomFilter]{
		New:           func(m uint64, k int) (*bloom.BloomFilter, error) { return bloom.New(uint(m), uint(k)), nil },
		Add:           func(f *bloom.BloomFilter, key []byte) { f.Add(key) },
		Contains:      (*bloom.BloomFilter).Test,
		AddBatch:      func(f *bloom.BloomFilter, keys [][]byte) { f.AddBatch(nil, keys) },
		ContainsBatch: func(f *bloom.BloomFilter, keys [][]byte) []bool { return f.ContainsBatch(nil, keys) },
		TestAndAdd:    (*bloom.BloomFilter).TestAndAdd,
		Bits:          (*bloom.BloomFilter).Bits,
		Words:         func(f *bloom.BloomFilter) []uint64 { return f.BitSet().Words() },
		Union:         (*bloom.BloomFilter).Merge,
		Reset:         func(f *bloom.BloomFilter) { f.ClearAll() },
		Items: func(f *bloom.BloomFilter) float64 {
			n, _ := f.Items()
			return n
		},
		Rate:            (*bloom.BloomFilter).Rate,
		Marshal:         (*bloom.BloomFilter).MarshalBinary,
		Unmarshal:       (*bloom.BloomFilter).UnmarshalBinary,
		ConcurrentReads: true,
	}, conform.Options{Effort: 0.01, Laws: laws, Shapes: []bloomproof.Geometry{{M: 4099, K: 5}, {M: 65537, K: 7}, {M: 1 << 17, K: 3}}})
}
