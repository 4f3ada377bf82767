package kernel_test

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/texts"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/model"
	"github.com/zeebo/xxh3"
)

// coded is what all filters offer to be written and read.
type coded interface {
	MarshalBinary() ([]byte, error)
	UnmarshalBinary([]byte) error
	io.WriterTo
	io.ReaderFrom
	String() string
}

func mustMarshal(tb testing.TB, f coded) []byte {
	tb.Helper()
	data, err := f.MarshalBinary()
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// like returns an empty filter of the kind of f and of another shape, with the key of the
// tests if f has one, as a receiver of snapshots.
func like(tb testing.TB, f coded) coded {
	tb.Helper()
	var o kernel.Options
	if strings.Contains(f.String(), "siphash") {
		o = kernel.Keyed(sipKey[:])
	}
	g := bloomproof.Geometry{M: 77, K: 3}
	switch f.(type) {
	case *kernel.Filter:
		return mustNew(tb, g, o)
	case *kernel.CountingFilter:
		return mustNewCounting(tb, g, model.Counters{Width: 16}, o)
	case *kernel.GrowingFilter:
		return mustNewGrowing(tb, []bloomproof.Layer{{Geometry: g, Sigma: 30}}, o)
	}
	return mustNewRecycling(tb, g, bloomproof.Recycling{Sigma: 30}, o)
}

func mustNewRecycling(tb testing.TB, g bloomproof.Geometry, r bloomproof.Recycling, o kernel.Options) *kernel.RecyclingFilter {
	tb.Helper()
	f, err := kernel.NewRecycling(g, r, o)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// sample is a filter with its name in docs/format-vectors.json, and how it was filled:
// arrival i was of the key "key " and the number i modulo keys, and in the end the counters
// were doubled so often.
type sample struct {
	name                    string
	f                       coded
	arrivals, keys, doubled int
}

// sampleKey is the key of arrival i.
func (s sample) key(i int) []byte { return fmt.Appendf(nil, "key %d", i%s.keys) }

// sampleSeed is the seed of the samples of scheme XXH3.
const sampleSeed = 0x0123456789abcdef

// filterSample is a Filter of so many keys.
func filterSample(tb testing.TB, name string, g bloomproof.Geometry, o kernel.Options, keys int) sample {
	f := mustNew(tb, g, o)
	s := sample{name, f, keys, max(keys, 1), 0}
	for n := range keys {
		f.Add(s.key(n))
	}
	return s
}

// samples returns filters of every kind, hashing and scheme: the recycling ones in the
// middle of a cycle, of rules that between them set every field and flag; the counting
// ones of every width and rule, with counters that are saturated.
func samples(tb testing.TB) (all []sample) {
	schemes := []kernel.Options{{Seed: sampleSeed}, kernel.Keyed(sipKey[:])}
	for i, h := range hashings {
		for _, o := range schemes {
			all = append(all, filterSample(tb, fmt.Sprintf("filter-%v-%v", h, kernel.SchemeOf(o)), bloomproof.Geometry{M: 201, K: 3, Hashing: h}, o, 40))
		}
		rules := model.Rules(60, 17)
		for j, o := range schemes {
			for n := range 3 {
				r := rules[(i*14+j*7+n*13)%len(rules)]
				f := mustNewRecycling(tb, bloomproof.Geometry{M: 129, K: 3, Hashing: h}, r, o)
				s := sample{fmt.Sprintf("recycling-%v-%v-%d", h, kernel.SchemeOf(o), n), f, 100, 90, 0}
				for n := range s.arrivals {
					f.Observe(s.key(n))
				}
				all = append(all, s)
			}
		}
		for j, c := range countings {
			// The last counters share a word with unused bits, but for a width of 32.
			f := mustNewCounting(tb, bloomproof.Geometry{M: 42, K: 3, Hashing: h}, c, schemes[(i+j/2+j)%2])
			s := sample{fmt.Sprintf("counting-%v-%d-%v", h, c.Width, c.Increment), f, 12, 9, 3}
			for n := range s.arrivals {
				f.Add(s.key(n))
			}
			for range s.doubled { // eight times what it had: beyond 4 bits for some
				if err := f.Merge(f); err != nil {
					tb.Fatal(err)
				}
			}
			all = append(all, s)
		}
	}
	return all
}

func TestSamplesReachEveryFlag(t *testing.T) {
	or, and, rules := byte(0), byte(255), 0
	partly := 0 // counting filters of which some counters are saturated
	for _, s := range samples(t) {
		if f, counting := s.f.(*kernel.CountingFilter); counting && 0 < f.Saturated() && f.Saturated() < f.Bits() {
			partly++
		}
		if data := mustMarshal(t, s.f); data[10] == 2 {
			or |= data[14]
			and &= data[14]
			rules |= 1 << data[13]
		}
	}
	if or != 31 || and != 0 || rules != 3 {
		t.Errorf("flags set somewhere %05b, everywhere %05b, rules %02b: want 11111, 0, 11", or, and, rules)
	}
	if partly < 6 {
		t.Errorf("%d counting filters are partly saturated, want those of 4 bits with any hashing and rule", partly)
	}
}

func equal(a, b coded) bool {
	switch a := a.(type) {
	case *kernel.Filter:
		return a.Equal(b.(*kernel.Filter))
	case *kernel.CountingFilter:
		return a.Equal(b.(*kernel.CountingFilter))
	case *kernel.GrowingFilter:
		return a.Equal(b.(*kernel.GrowingFilter))
	}
	return a.(*kernel.RecyclingFilter).Equal(b.(*kernel.RecyclingFilter))
}

func clone(f coded) coded {
	switch f := f.(type) {
	case *kernel.Filter:
		return f.Clone()
	case *kernel.CountingFilter:
		return f.Clone()
	case *kernel.GrowingFilter:
		return f.Clone()
	}
	return f.(*kernel.RecyclingFilter).Clone()
}

// Arrays of one chunk of words and its neighbours in size, through both forms.
func TestSnapshotChunks(t *testing.T) {
	for _, n := range []uint64{1, kernel.ChunkWords - 1, kernel.ChunkWords, kernel.ChunkWords + 1, 2*kernel.ChunkWords + 3} {
		g := bloomproof.Geometry{M: 64*n - 5, K: 4}
		f := mustNewRecycling(t, g, bloomproof.Recycling{Messages: 300, TwoPhase: true}, kernel.Options{})
		for i := range uint64(500) {
			f.ObserveHash(kernel.Hash{H0: i * golden, H1: i})
		}
		data := mustMarshal(t, f)
		if want := kernel.HeaderSize + 16*int(n); len(data) != want {
			t.Errorf("%d words: %d bytes, want %d", n, len(data), want)
		}
		var stream bytes.Buffer
		if n, err := f.WriteTo(&stream); err != nil || n != int64(len(data)) || !bytes.Equal(stream.Bytes(), data) {
			t.Errorf("WriteTo wrote %d bytes, %v, of %d", n, err, len(data))
		}
		for _, r := range []io.Reader{bytes.NewReader(data), iotest.HalfReader(bytes.NewReader(data)), iotest.DataErrReader(bytes.NewReader(data))} {
			var got kernel.RecyclingFilter
			if n, err := got.ReadFrom(r); err != nil || n != int64(len(data)) || !got.Equal(f) {
				t.Errorf("ReadFrom read %d bytes, %v", n, err)
			}
		}
	}
}

// AppendBinary gives what MarshalBinary does, behind what is there.
func TestSnapshotAppend(t *testing.T) {
	for _, s := range append(samples(t), append(growingSamples(t), growingBlockSamples(t)...)...) {
		got, err := s.f.(encoding.BinaryAppender).AppendBinary([]byte("before"))
		if want := append([]byte("before"), mustMarshal(t, s.f)...); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %x, %v, want %x", s.name, got, err, want)
		}
	}
}

// ReadFrom takes one snapshot from a stream, and not a byte more.
func TestSnapshotStreamOfMany(t *testing.T) {
	var stream bytes.Buffer
	all := append(samples(t), append(growingSamples(t), growingBlockSamples(t)...)...)
	for _, s := range all {
		if _, err := s.f.WriteTo(&stream); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range all {
		got := like(t, s.f)
		if _, err := got.ReadFrom(&stream); err != nil || !equal(got, s.f) {
			t.Fatalf("%s: %v, %v", s.name, got, err)
		}
	}
}

// refused ends the test unless data is refused with an error that is want, in both
// forms, and leaves the receiver as it was. Trailing bytes are none of ReadFrom's. The
// result is the text of the error.
func refused(t *testing.T, what string, f coded, data []byte, want error, stream bool) (text string) {
	t.Helper()
	got := like(t, f)
	before := clone(got)
	err := got.UnmarshalBinary(data)
	if !matches(err, want) {
		t.Fatalf("%s: error %v, want %v", what, err, want)
	}
	if !strings.HasPrefix(err.Error(), "bloomproof: ") {
		t.Fatalf("%s: the error %q does not say whose it is", what, err)
	}
	if stream {
		n, err := got.ReadFrom(bytes.NewReader(data))
		if !matches(err, want) || n > int64(len(data)) {
			t.Fatalf("%s: ReadFrom read %d bytes with error %v, want %v", what, n, err, want)
		}
	}
	if !equal(got, before) {
		t.Fatalf("%s: the receiver changed", what)
	}
	return err.Error()
}

func TestSnapshotEveryByteCounts(t *testing.T) {
	blocks := filterSample(t, "blocks", bloomproof.Geometry{M: 1024, K: 8, Hashing: bloomproof.Partitioned, Block: 512}, kernel.Options{}, 30)
	for si, s := range append(append(samples(t), blocks), append(growingSamples(t), growingBlockSamples(t)...)...) {
		data := mustMarshal(t, s.f)
		step := longtest.Of(16, 8, 1)
		for at := range data {
			for flip := 1; flip < 256; flip *= 2 {
				if !longtest.Enabled() && flip != 1<<((at+si)%8) {
					continue
				}
				bad := slices.Clone(data)
				bad[at] ^= byte(flip)
				refused(t, fmt.Sprintf("%s, byte %d ^ %#x", s.name, at, flip), s.f, bad, kernel.ErrCorrupt, (at+si)%step == 0 && (flip == 1 || step > 1))
			}
		}
		for n := range data {
			if !longtest.Enabled() && (n+si)%5 != 0 && n != kernel.HeaderSize && n != len(data)-1 {
				continue
			}
			refused(t, fmt.Sprintf("%s, cut to %d bytes", s.name, n), s.f, data[:n], kernel.ErrCorrupt, true)
		}
		refused(t, s.name+", one byte more", s.f, append(slices.Clone(data), 0), kernel.ErrCorrupt, false)
		refused(t, s.name+", twice", s.f, append(slices.Clone(data), data...), kernel.ErrCorrupt, false)
		for i, other := range []coded{new(kernel.Filter), new(kernel.RecyclingFilter), new(kernel.CountingFilter), new(kernel.GrowingFilter)} {
			if int(data[10]) != i+1 {
				refused(t, s.name+", read as another kind", other, data, kernel.ErrCorrupt, true)
			}
		}
	}
}

// forge changes words of a snapshot and makes both checksums right again.
func forge(data []byte, change func(b []byte)) []byte {
	b := slices.Clone(data)
	change(b)
	binary.LittleEndian.PutUint64(b[112:], xxh3.Hash(b[kernel.HeaderSize:]))
	binary.LittleEndian.PutUint64(b[120:], xxh3.Hash(b[:120]))
	return b
}

func put(at int, x uint64) func([]byte) {
	return func(b []byte) { binary.LittleEndian.PutUint64(b[at:], x) }
}

func putByte(at int, x byte) func([]byte) { return func(b []byte) { b[at] = x } }

// What checksums do not catch, since whoever forges a snapshot makes them right.
func TestSnapshotRefusesForgeries(t *testing.T) {
	xxh := kernel.Options{}
	filter := mustNew(t, bloomproof.Geometry{M: 100, K: 3}, xxh)
	filter.AddHash(kernel.Hash{H0: 5})
	one := mustNewRecycling(t, bloomproof.Geometry{M: 100, K: 3}, bloomproof.Recycling{Sigma: 40}, xxh)
	two := mustNewRecycling(t, bloomproof.Geometry{M: 100, K: 3}, bloomproof.Recycling{
		Messages: 10, TwoPhase: true}, xxh)
	retaining := mustNewRecycling(t, bloomproof.Geometry{M: 100, K: 3}, bloomproof.Recycling{Sigma: 40, Retain: true}, xxh)
	for i := range uint64(25) {
		for _, f := range []*kernel.RecyclingFilter{one, two, retaining} {
			f.ObserveHash(kernel.Hash{H0: i * golden, H1: i})
		}
	}
	counting := mustNewCounting(t, bloomproof.Geometry{M: 100, K: 3}, model.Counters{Width: 4}, xxh)
	wide := mustNewCounting(t, bloomproof.Geometry{M: 101, K: 3}, model.Counters{Width: 32}, xxh)
	for range 15 {
		counting.AddHash(kernel.Hash{H0: 5})
		wide.AddHash(kernel.Hash{H0: 5})
	}
	counting.AddHash(kernel.Hash{H0: 6})
	classic := mustNew(t, bloomproof.Geometry{M: 100, K: 3, Hashing: bloomproof.Classic}, xxh)
	said := map[string]string{}
	for what, c := range map[string]struct {
		f      coded
		change func([]byte)
	}{
		"m = 0":                                 {filter, put(24, 0)},
		"m = 2^48+1":                            {filter, put(24, 1<<48+1)},
		"m = 2^64-1":                            {filter, put(24, 1<<64-1)},
		"m less than the bits":                  {filter, put(24, 1)},
		"another m, of as many words":           {filter, put(24, 65)},
		"k = 0":                                 {filter, put(16, 0)},
		"k = 4097":                              {filter, put(16, 4097)},
		"k beyond 16 bits":                      {filter, put(16, 3|1<<16)},
		"k > m, classic":                        {classic, put(16, 101)},
		"k no divisor, partitioned":             {filter, putByte(11, 2)},
		"hashing 3":                             {filter, putByte(11, 3)},
		"scheme 2":                              {filter, putByte(12, 2)},
		"version 0":                             {filter, putByte(8, 0)},
		"version 2":                             {filter, putByte(8, 2)},
		"version 257":                           {filter, putByte(9, 1)},
		"kind 0":                                {filter, putByte(10, 0)},
		"kind 3, with counters of 0 bits":       {filter, putByte(10, 3)},
		"kind 4":                                {filter, putByte(10, 4)},
		"counters of 0 bits":                    {counting, putByte(14, 0)},
		"counters of 1 bit":                     {counting, putByte(14, 1)},
		"counters of 5 bits":                    {counting, putByte(14, 5)},
		"counters of 8 bits":                    {counting, putByte(14, 8)},
		"counters of 64 bits":                   {counting, putByte(14, 64)},
		"increment 2":                           {counting, putByte(13, 2)},
		"counters, one too few":                 {counting, put(40, counting.Bits()-1)},
		"counters, one too many":                {counting, put(40, counting.Bits()+1)},
		"counters, more than m":                 {counting, put(40, 101)},
		"saturated, one too few":                {counting, put(48, counting.Saturated()-1)},
		"saturated, one too many":               {counting, put(48, counting.Saturated()+1)},
		"saturated, more than not 0":            {counting, put(48, counting.Bits()+1)},
		"counters with sigma":                   {counting, put(56, 1)},
		"counters with a cycle":                 {counting, put(64, 1)},
		"counters with messages":                {counting, put(72, 1)},
		"counters with arrivals":                {counting, put(80, 1)},
		"counter m, not counted":                {counting, func(b []byte) { b[len(b)-6] = 1 }},
		"counter m, counted":                    {counting, func(b []byte) { b[len(b)-6] = 1; put(40, counting.Bits()+1)(b) }},
		"the last bit, counted":                 {wide, func(b []byte) { b[len(b)-1] = 0x80; put(40, wide.Bits()+1)(b) }},
		"counters, of which some vanish":        {wide, func(b []byte) { clear(b[kernel.HeaderSize:]) }},
		"magic":                                 {filter, putByte(0, 'b')},
		"a filter with a rule":                  {filter, putByte(13, 1)},
		"a filter that retains":                 {filter, putByte(14, 1)},
		"a filter with sigma":                   {filter, put(56, 1)},
		"a filter with a cycle":                 {filter, put(64, 1)},
		"a filter with messages":                {filter, put(72, 1)},
		"a filter with arrivals":                {filter, put(80, 1)},
		"a filter with frozen bits":             {filter, put(48, 1)},
		"byte 15":                               {filter, putByte(15, 1)},
		"byte 20":                               {filter, putByte(20, 1)},
		"byte 88":                               {filter, put(88, 1)},
		"byte 111":                              {filter, putByte(111, 1)},
		"one bit too few":                       {filter, put(40, filter.Bits()-1)},
		"one bit too many":                      {filter, put(40, filter.Bits()+1)},
		"more bits than m":                      {filter, put(40, 101)},
		"a bit past m, counted":                 {filter, func(b []byte) { b[kernel.HeaderSize+15] |= 0x80; put(40, filter.Bits()+1)(b) }},
		"the bit m, not counted":                {filter, func(b []byte) { b[kernel.HeaderSize+12] |= 0x10 }},
		"rule 2":                                {one, putByte(13, 2)},
		"flag 32":                               {one, putByte(14, 32)},
		"one phase, no copy-over":               {one, putByte(14, 4)},
		"one phase, freeze before":              {one, putByte(14, 8)},
		"one phase, frozen bits":                {one, put(48, 1)},
		"sigma = m":                             {one, put(56, 100)},
		"more bits than sigma":                  {one, put(56, one.State().Bits-1)},
		"sigma < k, retaining":                  {retaining, put(56, 2)},
		"N = 0":                                 {two, put(56, 0)},
		"N reached":                             {two, put(56, two.State().Messages)},
		"messages = N":                          {two, put(72, 10)},
		"messages 2^64-1":                       {two, put(72, 1<<64-1)},
		"no message, but bits":                  {two, put(72, 0)},
		"more messages than bits":               {one, put(72, one.State().Bits+1)},
		"fewer messages than bits need":         {one, put(72, (one.State().Bits-1)/3)},
		"frozen bits in cycle 0":                {two, put(64, 0)},
		"a frozen bit too many":                 {two, put(48, two.State().FrozenBits+1)},
		"a bit moved between arrays":            {two, func(b []byte) { put(40, two.State().Bits+1)(b); put(48, two.State().FrozenBits-1)(b) }},
		"frozen bits beyond m":                  {two, func(b []byte) { b[len(b)-1] |= 0x80; put(48, two.State().FrozenBits+1)(b) }},
		"a second array that is not there":      {one, putByte(14, 2)},
		"a second array that should not be":     {two, putByte(14, 0)},
		"fewer arrivals than messages":          {one, put(80, one.State().Messages-1)},
		"fewer arrivals than messages, retains": {retaining, put(80, retaining.State().Messages-2)},
		"retaining, without a retained message": {retaining, func(b []byte) {
			clear(b[kernel.HeaderSize:])
			put(40, 0)(b)
			put(72, 0)(b)
		}},
		"a cycle that no filter has reached":   {two, put(64, 1<<63)},
		"arrivals that no filter has reached":  {two, put(80, 1<<63)},
		"a key check where a seed should be 0": {filter, putByte(12, 1)},
	} {
		want := kernel.ErrCorrupt
		if what == "a key check where a seed should be 0" {
			want = errKey // the check value is not that of the receiver's key
		}
		data := mustMarshal(t, c.f)
		said[what] = refused(t, what, c.f, forge(data, c.change), want, true)
		if got := like(t, c.f); got.UnmarshalBinary(forge(data, func([]byte) {})) != nil || !equal(got, c.f) {
			t.Fatalf("%s: the forgery is refused even without the change", what)
		}
	}
	texts.Same(t, said)
}

// Counters without bits would need no payload, and be out of its bounds.
func TestSnapshotRefusesCountersWithoutBits(t *testing.T) {
	f := mustNewCounting(t, bloomproof.Geometry{M: 100, K: 3}, model.Counters{Width: 4}, kernel.Options{})
	data := mustMarshal(t, f)[:kernel.HeaderSize]
	refused(t, "no bits", f, forge(data, putByte(14, 0)), kernel.ErrCorrupt, true)
}

// errKey stands for the ParamError of a key where an error to match is asked for.
var errKey = errors.New("a ParamError for the key")

// matches is errors.Is that knows errKey.
func matches(err, want error) bool {
	var p *bloomproof.ParamError
	if want == errKey {
		return errors.As(err, &p) && p.Param == "key" && p.Want != ""
	}
	return errors.Is(err, want)
}

func TestSnapshotKey(t *testing.T) {
	g := bloomproof.Geometry{M: 64, K: 2}
	keyed := kernel.Keyed(sipKey[:])
	wrong := kernel.Keyed([]byte{1, 15: 0})
	for _, kind := range []struct {
		with func(kernel.Options) coded
		zero func() coded
	}{
		{func(o kernel.Options) coded { return mustNew(t, g, o) }, func() coded { return new(kernel.Filter) }},
		{func(o kernel.Options) coded { return mustNewRecycling(t, g, bloomproof.Recycling{Sigma: 9}, o) }, func() coded { return new(kernel.RecyclingFilter) }},
		{func(o kernel.Options) coded { return mustNewCounting(t, g, model.Counters{Width: 4}, o) }, func() coded { return new(kernel.CountingFilter) }},
	} {
		data := mustMarshal(t, kind.with(keyed))
		for what, f := range map[string]coded{"zero": kind.zero(), "no key": kind.with(kernel.Options{}), "seed": kind.with(kernel.Options{Seed: 4}), "wrong key": kind.with(wrong)} {
			before := f.String()
			err := f.UnmarshalBinary(data)
			if !matches(err, errKey) || errors.Is(err, kernel.ErrCorrupt) || f.String() != before {
				t.Errorf("%s: %v, %v", what, err, f)
			}
			if _, err := f.ReadFrom(bytes.NewReader(data)); !matches(err, errKey) || f.String() != before {
				t.Errorf("%s, stream: %v, %v", what, err, f)
			}
		}
		if err := kind.with(keyed).UnmarshalBinary(data); err != nil {
			t.Errorf("right key: %v", err)
		}
		// A key is not given up for a seed.
		f := kind.with(keyed)
		before := f.String()
		if err := f.UnmarshalBinary(mustMarshal(t, kind.with(kernel.Options{}))); !matches(err, errKey) || f.String() != before {
			t.Errorf("a keyed filter reads an unkeyed snapshot: %v, %v", err, f)
		}
		// A corrupt keyed snapshot is corrupt before it needs a key.
		data[130] ^= 1
		if err := kind.zero().UnmarshalBinary(data); !errors.Is(err, kernel.ErrCorrupt) {
			t.Errorf("corrupt: %v", err)
		}
	}
}

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Memory grows with the bytes read and not with what the header claims: forged
// headers that claim up to 2^48 bits, with valid checksums, and payloads that end.
func TestSnapshotMemoryIsBounded(t *testing.T) {
	for si, s := range samples(t) {
		if !longtest.Enabled() && si%3 != 0 { // still each kind, hashing and scheme
			continue
		}
		data := mustMarshal(t, s.f)
		for _, m := range []uint64{1 << 20, 3 << 30, 3 << 46} {
			for _, payload := range []int{0, 1, 8 * kernel.ChunkWords, 40 * kernel.ChunkWords} {
				bad := forge(append(data[:kernel.HeaderSize:kernel.HeaderSize], make([]byte, payload)...), func(b []byte) {
					put(24, m)(b)
					for at := 40; at < 56; at += 8 {
						put(at, 0)(b)
					}
					put(72, 0)(b)
				})
				got := like(t, s.f)
				n := allocated(func() {
					if err := got.UnmarshalBinary(bad); !errors.Is(err, kernel.ErrCorrupt) {
						t.Errorf("%s m=%d: %v", s.name, m, err)
					}
					if _, err := got.ReadFrom(bytes.NewReader(bad)); !errors.Is(err, kernel.ErrCorrupt) {
						t.Errorf("%s m=%d, stream: %v", s.name, m, err)
					}
				})
				// Two readings, each of a buffer and of words that double as they grow.
				if most := uint64(2 * (6*len(bad) + 128<<10)); n > most {
					t.Errorf("%s m=%d, %d bytes: %d bytes allocated, more than %d", s.name, m, len(bad), n, most)
				}
			}
		}
	}
}

var errTest = errors.New("test error")

// The error of a reader or writer comes through as it is, wherever it strikes.
func TestSnapshotReaderAndWriterErrors(t *testing.T) {
	for si, s := range append(samples(t), growingSamples(t)...) {
		data := mustMarshal(t, s.f)
		for n := 0; n <= len(data); n++ {
			if !longtest.Enabled() && (n+si)%8 != 0 && n != kernel.HeaderSize && n < len(data)-1 {
				continue
			}
			got := like(t, s.f)
			before := clone(got)
			read, err := got.ReadFrom(io.MultiReader(bytes.NewReader(data[:n]), iotest.ErrReader(errTest)))
			if n < len(data) && (!errors.Is(err, errTest) || errors.Is(err, kernel.ErrCorrupt) || read != int64(n) || !equal(got, before)) {
				t.Fatalf("%s: reader that fails after %d bytes: read %d, %v", s.name, n, read, err)
			}
			if n == len(data) && (err != nil || !equal(got, s.f)) {
				t.Fatalf("%s: %v", s.name, err)
			}
			wrote, err := s.f.WriteTo(&failAfter{n})
			if n < len(data) && (!errors.Is(err, errTest) || wrote != int64(n)) || n == len(data) && err != nil {
				t.Fatalf("%s: writer that fails after %d bytes: wrote %d, %v", s.name, n, wrote, err)
			}
		}
	}
}

// failAfter takes that many bytes and then fails.
type failAfter struct{ left int }

func (w *failAfter) Write(p []byte) (int, error) {
	if len(p) <= w.left {
		w.left -= len(p)
		return len(p), nil
	}
	n := w.left
	w.left = 0
	return n, errTest
}
