package migrate

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"hash"
	"hash/fnv"
	"io"
	"math"
	"path/filepath"
	"testing"

	peerbloom "github.com/bits-and-blooms/bloom/v3"
	bloom "github.com/bloomproof/bloomproof/kernel/compat/bitsandblooms"
	bloomfilter "github.com/bloomproof/bloomproof/kernel/compat/holiman"
	peerbloomfilter "github.com/holiman/bloomfilter/v2"
)

// stored is what the filters of both libraries are written and read by.
type stored interface {
	io.WriterTo
	io.ReaderFrom
	MarshalBinary() ([]byte, error)
	UnmarshalBinary([]byte) error
	json.Marshaler
	json.Unmarshaler
	gob.GobEncoder
	gob.GobDecoder
}

// bloomAPI is what a program may call of a filter of either bloom package.
type bloomAPI[F any] interface {
	Cap() uint
	K() uint
	Add([]byte) F
	AddString(string) F
	Test([]byte) bool
	TestString(string) bool
	TestAndAdd([]byte) bool
	TestAndAddString(string) bool
	TestOrAdd([]byte) bool
	TestOrAddString(string) bool
	Merge(F) error
	Copy() F
	ClearAll() F
	Equal(F) bool
	ApproximatedSize() uint32
	stored
}

// journal is what a program saw.
type journal []string

func (j *journal) note(format string, args ...any) { *j = append(*j, fmt.Sprintf(format, args...)) }

// bloomProgram is one program for both packages. The filters are so large that a false
// positive has a probability below 1e-9, so all that it notes is certain.
func bloomProgram[F bloomAPI[F]](t *testing.T, make func(m, k uint) F, locate func(f F, key []byte) bool, zero func() F) (j journal) {
	key := func(i int) []byte { return fmt.Appendf(nil, "key %d", i) }
	f := make(1<<20, 5)
	j.note("m %d, k %d; without either: %d, %d", f.Cap(), f.K(), make(0, 0).Cap(), make(0, 0).K())
	for i := range 1000 {
		j.note("%v %v", f.Test(key(i)), f.Add(key(i)).Test(key(i)))
	}
	j.note("%v", f.AddString("a").AddString("").TestString("a"))
	j.note("%v %v %v %v", f.TestAndAdd([]byte("b")), f.TestAndAdd([]byte("b")), f.TestOrAdd([]byte("c")), f.TestOrAdd([]byte("c")))
	j.note("%v %v %v %v", f.TestAndAddString("d"), f.TestString("d"), f.TestOrAddString("e"), f.TestString("e"))
	j.note("nil and empty: %v %v", f.Test(nil), f.Test([]byte{}))
	j.note("by locations: %v %v", locate(f, key(1)), locate(f, key(-1)))
	n := float64(f.ApproximatedSize())
	j.note("about 1006 keys: %v", math.Abs(n-1006) < 2)

	g := f.Copy()
	j.note("equal %v", g.Equal(f))
	g.AddString("only g")
	j.note("equal %v, %v %v", g.Equal(f), f.TestString("only g"), g.TestString("only g"))
	j.note("merged: %v, equal %v, %v", f.Merge(g), f.Equal(g), f.TestString("only g"))
	j.note("merged others: %v %v", f.Merge(make(1<<18, 5)) != nil, f.Merge(make(1<<20, 4)) != nil)

	again := func(name string, err error, h F) { j.note("%s: %v, equal %v", name, err, err == nil && h.Equal(f)) }
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	h := zero()
	again("binary", h.UnmarshalBinary(data), h)
	var stream bytes.Buffer
	wrote, err := f.WriteTo(&stream)
	j.note("wrote all: %v, %v", wrote == int64(stream.Len()), err)
	stream.WriteString("what follows")
	h = zero()
	read, err := h.ReadFrom(&stream)
	again("stream", err, h)
	j.note("read all: %v, left %q", read == wrote, stream.String())
	if err = gob.NewEncoder(&stream).Encode(f); err == nil {
		stream.Next(len("what follows"))
		h = zero()
		err = gob.NewDecoder(&stream).Decode(h)
	}
	again("gob", err, h)
	if data, err = json.Marshal(f); err == nil {
		h = zero()
		err = json.Unmarshal(data, h)
	}
	again("json", err, h)

	before := f.Copy()
	for _, bad := range [][]byte{nil, data[:1], []byte("x")} {
		j.note("refused: %v", f.UnmarshalBinary(bad) != nil && f.UnmarshalJSON(bad) != nil)
	}
	j.note("unchanged: %v", f.Equal(before))
	j.note("cleared: %v %v %d", f.ClearAll().Test(key(1)), f.Equal(make(1<<20, 5)), f.ApproximatedSize())
	return j
}

func TestBloomProgram(t *testing.T) {
	ours := bloomProgram(t, bloom.New, func(f *bloom.BloomFilter, key []byte) bool {
		return f.TestLocations(bloom.Locations(key, f.K()))
	}, func() *bloom.BloomFilter { return new(bloom.BloomFilter) })
	theirs := bloomProgram(t, peerbloom.New, func(f *peerbloom.BloomFilter, key []byte) bool {
		return f.TestLocations(peerbloom.Locations(key, f.K()))
	}, func() *peerbloom.BloomFilter { return new(peerbloom.BloomFilter) })
	compare(t, ours, theirs)
}

func compare(t *testing.T, ours, theirs journal) {
	t.Helper()
	if len(ours) < 20 || len(ours) != len(theirs) {
		t.Fatalf("notes: %d and %d", len(ours), len(theirs))
	}
	for i := range ours {
		if ours[i] != theirs[i] {
			t.Errorf("note %d: %q here, %q there", i, ours[i], theirs[i])
		}
	}
}

// holimanAPI is what a program may call of a filter of either bloomfilter package.
type holimanAPI[F any] interface {
	M() uint64
	K() uint64
	N() uint64
	Add(hash.Hash64)
	AddHash(uint64)
	Contains(hash.Hash64) bool
	ContainsHash(uint64) bool
	Copy() (F, error)
	NewCompatible() (F, error)
	IsCompatible(F) bool
	Union(F) (F, error)
	UnionInPlace(F) error
	PreciseFilledRatio() float64
	FalsePosititveProbability() float64
	MarshallToWriter(io.Writer) (int, [48]byte, error)
	UnmarshalFromReader(io.Reader) (int64, error)
	WriteFile(string) (int64, error)
	stored
}

// holimanPackage is what a package has beside its filters.
type holimanPackage[F any] struct {
	new      func(m, k uint64) (F, error)
	optimal  func(n uint64, p float64) (F, error)
	keys     func(m uint64, keys []uint64) (F, error)
	zero     func() F
	readFile func(string) (F, int64, error)
	readFrom func(io.Reader) (F, int64, error)
	count    func([]uint64) int
}

// holimanProgram is one program for both packages, as certain as bloomProgram.
func holimanProgram[F holimanAPI[F]](t *testing.T, p holimanPackage[F]) (j journal) {
	must := func(f F, err error) F {
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	key := func(i int) hash.Hash64 {
		h := fnv.New64a()
		fmt.Fprintf(h, "key %d", i)
		return h
	}
	f := must(p.keys(1<<20, []uint64{1, 2, 3, 4, 5}))
	for i := range 1000 {
		before := f.Contains(key(i))
		f.Add(key(i))
		j.note("%v %v", before, f.Contains(key(i)))
	}
	for i := range uint64(1000) {
		f.AddHash(i)
		j.note("%v", f.ContainsHash(i))
	}
	j.note("m %d, k %d, n %d; ones %d", f.M(), f.K(), f.N(), p.count([]uint64{1, 3, math.MaxUint64}))
	j.note("filled: %v", f.PreciseFilledRatio()*(1<<20) <= 10000)
	want := must(p.optimal(1000, 0.01))
	j.note("optimal: m %d, k %d, rate at 0 is below 1e-9: %v", want.M(), want.K(), want.FalsePosititveProbability() < 1e-9)

	for _, bad := range []func() (F, error){
		func() (F, error) { return p.new(1, 1) },
		func() (F, error) { return p.new(100, 0) },
		func() (F, error) { return p.keys(100, nil) },
		func() (F, error) { return p.keys(100, []uint64{7, 8, 7}) },
	} {
		_, err := bad()
		j.note("refused: %v", err != nil)
	}

	g := must(f.NewCompatible())
	other := must(p.keys(1<<20, []uint64{1, 2, 3, 4, 6}))
	random := [2]F{must(p.new(1<<20, 5)), must(p.new(1<<20, 5))}
	j.note("compatible %v %v %v %v, n %d", f.IsCompatible(g), f.IsCompatible(f), f.IsCompatible(other), random[0].IsCompatible(random[1]), g.N())
	g.AddHash(1 << 60)
	u := must(f.Union(g))
	j.note("union: %v %v, n %d, %v", u.ContainsHash(1<<60), u.Contains(key(3)), u.N(), f.ContainsHash(1<<60))
	_, err := f.Union(other)
	j.note("refused: %v %v", err != nil, f.UnionInPlace(other) != nil)
	j.note("in place: %v %v, n %d", f.UnionInPlace(g), f.ContainsHash(1<<60), f.N())
	c := must(f.Copy())
	c.AddHash(1 << 61)
	j.note("copy: %v %v, n %d %d", c.ContainsHash(1<<61), f.ContainsHash(1<<61), c.N(), f.N())

	again := func(name string, err error, h F) {
		j.note("%s: %v, %v %v, n %d", name, err, h.IsCompatible(f), h.ContainsHash(1<<60) && h.Contains(key(3)), h.N())
	}
	var stream bytes.Buffer
	wrote, sum, err := f.MarshallToWriter(&stream)
	j.note("wrote %v, the sum at the end: %v, %v", wrote == stream.Len(), bytes.HasSuffix(stream.Bytes(), sum[:]), err)
	data, err := f.MarshalBinary()
	j.note("as MarshalBinary does: %v, %v", bytes.Equal(data, stream.Bytes()), err)
	h := p.zero()
	read, err := h.UnmarshalFromReader(&stream)
	again("reader", err, h)
	j.note("read all: %v", read == int64(wrote))
	h = p.zero()
	again("binary", h.UnmarshalBinary(data), h)
	if err = gob.NewEncoder(&stream).Encode(f); err == nil {
		h = p.zero()
		err = gob.NewDecoder(&stream).Decode(h)
	}
	again("gob", err, h)
	document, err := json.Marshal(f)
	if err == nil {
		h = p.zero()
		err = json.Unmarshal(document, h)
	}
	again("json", err, h)
	stream.Reset()
	n, err := f.WriteTo(&stream)
	j.note("wrote %v, %v", n == int64(wrote), err)
	packed := bytes.Clone(stream.Bytes())
	h = p.zero()
	n, err = h.ReadFrom(&stream)
	again("gzip", err, h)
	j.note("read %v", n == int64(wrote))
	h, _, err = p.readFrom(bytes.NewReader(packed))
	again("gzip", err, h)
	name := filepath.Join(t.TempDir(), "f.bf.gz")
	n, err = f.WriteFile(name)
	j.note("wrote %v, %v", n == int64(wrote), err)
	h, n, err = p.readFile(name)
	again("file", err, h)
	j.note("read %v", n == int64(wrote))
	_, n, err = p.readFile(name + "no such")
	j.note("no file: %d %v", n, err != nil)
	for _, bad := range [][]byte{nil, data[:100], append(bytes.Clone(data[:len(data)-1]), ^data[len(data)-1])} {
		h := p.zero()
		n, err := h.ReadFrom(bytes.NewReader(bad))
		j.note("refused: %v, %d %v", h.UnmarshalBinary(bad) != nil, n, err != nil)
	}
	return j
}

func TestHolimanProgram(t *testing.T) {
	ours := holimanProgram(t, holimanPackage[*bloomfilter.Filter]{
		bloomfilter.New, bloomfilter.NewOptimal, bloomfilter.NewWithKeys,
		func() *bloomfilter.Filter { return new(bloomfilter.Filter) },
		bloomfilter.ReadFile, bloomfilter.ReadFrom, bloomfilter.CountBitsUint64s,
	})
	theirs := holimanProgram(t, holimanPackage[*peerbloomfilter.Filter]{
		peerbloomfilter.New, peerbloomfilter.NewOptimal, peerbloomfilter.NewWithKeys,
		func() *peerbloomfilter.Filter { return new(peerbloomfilter.Filter) },
		peerbloomfilter.ReadFile, peerbloomfilter.ReadFrom, peerbloomfilter.CountBitsUint64s,
	})
	compare(t, ours, theirs)
}
