package kernel_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/model"
)

// ways are the two ways to have the words of a snapshot file.
var ways = []struct {
	name string
	open func(string, kernel.Options) (*kernel.MappedFilter, error)
}{{"mapped", kernel.MapFilter}, {"read", kernel.ReadFilter}}

func writeFile(tb testing.TB, data []byte) (path string) {
	tb.Helper()
	path = filepath.Join(tb.TempDir(), "filter")
	overwrite(tb, path, data)
	return path
}

func overwrite(tb testing.TB, path string, data []byte) {
	tb.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		tb.Fatal(err)
	}
}

// closing closes m when the test ends.
func closing(tb testing.TB, m *kernel.MappedFilter) {
	tb.Cleanup(func() {
		if err := m.Close(); err != nil {
			tb.Error(err)
		}
	})
}

// A mapped filter answers as the filter that was written, whatever its shape and scheme.
func TestMappedIsTheFilter(t *testing.T) {
	for gi, g := range append(slices.Concat(batchGeometries, blockGeometries), bloomproof.Geometry{M: 1<<23 + 8, K: 8, Hashing: bloomproof.Partitioned}) {
		for oi, o := range optionSets {
			if !longtest.Enabled() && (gi+oi)%3 != 0 {
				continue
			}
			f := mustNew(t, g, o)
			rng := rand.New(rand.NewPCG(uint64(*seedFlag), uint64(gi)))
			b := newKeyBatch(rng, 40, 100)
			f.AddBatch(nil, kernel.KeysOf(b.keys))
			f.AddBatch(nil, kernel.KeysOf(b.hashes))
			path := writeFile(t, mustMarshal(t, f))
			for _, way := range ways {
				what := fmt.Sprintf("%v scheme=%v %s", g, kernel.SchemeOf(o), way.name)
				m, err := way.open(path, o)
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				closing(t, m)
				if m.Geometry() != g || m.Rate() != f.Rate() || m.String() != f.String() {
					t.Errorf("%s: %v rate %v, want %v rate %v", what, m, m.Rate(), f, f.Rate())
				}
				if !slices.Equal(m.AppendWords(nil), f.AppendWords(nil)) {
					t.Errorf("%s: other words", what)
				}
				if err := m.Verify(); err != nil {
					t.Errorf("%s: %v", what, err)
				}
				ask := newKeyBatch(rng, 300, 400)
				for _, form := range containsForms(m, f) {
					form.compare(t, what, ask, same)
				}
				for i, key := range ask.keys {
					if m.Contains(key) != f.Contains(key) || m.ContainsHash(ask.hashes[i]) != f.ContainsHash(ask.hashes[i]) || m.Hasher().Bytes(key) != f.Hasher().Bytes(key) {
						t.Fatalf("%s: other answers for key %q", what, key)
					}
				}
			}
		}
	}
}

// cannotMap ends the test unless both ways refuse the file with an error that is want.
func cannotMap(t *testing.T, what, path string, o kernel.Options, want error) (last error) {
	t.Helper()
	for _, way := range ways {
		m, err := way.open(path, o)
		if m != nil || !matches(err, want) {
			t.Fatalf("%s, %s: %v, error %v, want %v", what, way.name, m, err, want)
		}
		last = err
	}
	return last
}

func TestMapFilterRefuses(t *testing.T) {
	g := bloomproof.Geometry{M: 1000, K: 3}
	o := kernel.Options{Seed: 77}
	f := mustNew(t, g, o)
	f.AddHash(kernel.Hash{H0: 1})
	data := mustMarshal(t, f)
	dir := t.TempDir()
	file := func(data []byte) string { // no mapping of a refused file is left, so one file is enough
		overwrite(t, filepath.Join(dir, "refused"), data)
		return filepath.Join(dir, "refused")
	}
	for at := range kernel.HeaderSize {
		for flip := 1; flip < 256; flip *= 2 {
			if !longtest.Enabled() && flip != 1<<(at%8) {
				continue
			}
			bad := slices.Clone(data)
			bad[at] ^= byte(flip)
			cannotMap(t, fmt.Sprintf("byte %d ^ %#x", at, flip), file(bad), o, kernel.ErrCorrupt)
		}
	}
	for n := range data {
		cannotMap(t, fmt.Sprintf("cut to %d bytes", n), file(data[:n]), o, kernel.ErrCorrupt)
	}
	cannotMap(t, "one byte more", writeFile(t, append(slices.Clone(data), 0)), o, kernel.ErrCorrupt)
	cannotMap(t, "m too large for the file", writeFile(t, forge(data, put(24, 1<<48))), o, kernel.ErrCorrupt)
	cannotMap(t, "m too small for the file", writeFile(t, forge(data, put(24, 64))), o, kernel.ErrCorrupt)
	cannotMap(t, "more bits than m", writeFile(t, forge(data, put(40, 1001))), o, kernel.ErrCorrupt)

	for _, other := range []coded{
		mustNewRecycling(t, g, bloomproof.Recycling{Sigma: 99}, o), mustNewCounting(t, g, model.Counters{Width: 4}, o),
	} {
		name := strings.TrimPrefix(fmt.Sprintf("%T", other), "*kernel.")
		if err := cannotMap(t, name, writeFile(t, mustMarshal(t, other)), o, kernel.ErrCorrupt); !strings.Contains(err.Error(), name) {
			t.Errorf("the error %q does not name a %s", err, name)
		}
	}

	path := writeFile(t, data)
	keyed := kernel.Keyed(sipKey[:])
	cannotMap(t, "a key for a snapshot without one", path, keyed, errKey)
	keyedPath := writeFile(t, mustMarshal(t, mustNew(t, g, keyed)))
	cannotMap(t, "no key", keyedPath, kernel.Options{}, errKey)
	cannotMap(t, "wrong key", keyedPath, kernel.Keyed([]byte{1, 15: 0}), errKey)

	cannotMap(t, "no file", filepath.Join(t.TempDir(), "none"), o, fs.ErrNotExist)
	for _, way := range ways {
		if m, err := way.open(t.TempDir(), o); err == nil || m != nil {
			t.Errorf("a directory, %s: %v, %v", way.name, m, err)
		}
		for param, o := range map[string]kernel.Options{"key": kernel.Keyed(nil), "impl": {Impl: "sse"}, "seed": {Seed: 78}} {
			m, err := way.open(path, o)
			paramError(t, way.name, err, param)
			if m != nil {
				t.Errorf("%s: a filter beside the error", param)
			}
		}
		// The seed need not be known, but is used.
		m, err := way.open(path, kernel.Options{})
		if err != nil {
			t.Fatal(err)
		}
		closing(t, m)
		if m.Hasher().Bytes([]byte("a")) != f.Hasher().Bytes([]byte("a")) {
			t.Errorf("%s: it hashes with another seed", way.name)
		}
	}
}

// On a big-endian host a file is read, not mapped.
var bigEndian = binary.NativeEndian.Uint16([]byte{1, 0}) != 1

// What the payload holds is not looked at before Verify, which finds every changed byte,
// and what checksums do not tell.
func TestMappedVerify(t *testing.T) {
	g := bloomproof.Geometry{M: 1000, K: 3}
	f := mustNew(t, g, kernel.Options{})
	for i := range uint64(100) {
		f.AddHash(kernel.Hash{H0: i * golden, H1: i})
	}
	data := mustMarshal(t, f)
	bad := map[string][]byte{
		"a bit too many for the count": forge(data, put(40, f.Bits()-1)),
		"a bit too few for the count":  forge(data, put(40, f.Bits()+1)),
		"bytes exchanged": func() []byte {
			b := slices.Clone(data)
			other := kernel.HeaderSize
			for b[other] == b[kernel.HeaderSize] {
				other++
			}
			b[kernel.HeaderSize], b[other] = b[other], b[kernel.HeaderSize]
			return b
		}(),
		"a bit from m on": forge(data, func(b []byte) { b[len(b)-1] |= 0x80; put(40, f.Bits()+1)(b) }),
	}
	one := mustMarshal(t, mustNew(t, bloomproof.Geometry{M: 65, K: 3}, kernel.Options{})) // its last word has one bit
	bad["a bit from 65 on"] = forge(one, func(b []byte) { b[len(b)-8] |= 2; put(40, 1)(b) })
	for at := kernel.HeaderSize; at < len(data)-8; at++ {
		b := slices.Clone(data)
		b[at] ^= 1 << (at % 8)
		bad[fmt.Sprintf("byte %d changed", at)] = b
	}
	for what, b := range bad {
		m, err := kernel.MapFilter(writeFile(t, b), kernel.Options{})
		if bigEndian && strings.HasPrefix(what, "a bit from") && errors.Is(err, kernel.ErrCorrupt) {
			continue // seen when the file is read
		}
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		closing(t, m)
		for i := range uint64(100) {
			m.ContainsHash(kernel.Hash{H0: i * golden, H1: i})
		}
		if err := m.Verify(); !errors.Is(err, kernel.ErrCorrupt) {
			t.Errorf("%s: Verify says %v", what, err)
		}
	}
}

func TestMappedAfterClose(t *testing.T) {
	for _, h := range hashings {
		path := writeFile(t, mustMarshal(t, mustNew(t, bloomproof.Geometry{M: 999, K: 3, Hashing: h}, kernel.Options{})))
		m, err := kernel.MapFilter(path, kernel.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := m.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		}
		for _, m := range []*kernel.MappedFilter{m, new(kernel.MappedFilter)} {
			uses := map[string]func(){
				"Contains":      func() { m.Contains(nil) },
				"ContainsHash":  func() { m.ContainsHash(kernel.Hash{}) },
				"ContainsBatch": func() { m.ContainsBatch(nil, kernel.Keys{}) },
				"AppendWords":   func() { m.AppendWords(nil) },
				"Verify":        func() { _ = m.Verify() },
			}
			if m.Geometry().Hashing == bloomproof.Partitioned {
				uses["Rate"] = func() { m.Rate() }
			}
			for what, use := range uses {
				func() {
					defer func() {
						if p := fmt.Sprint(recover()); !strings.Contains(p, "MapFilter") || !strings.Contains(p, "closed") {
							t.Errorf("%s: panic %q does not say what is wrong", what, p)
						}
					}()
					use()
				}()
			}
		}
	}
}

// A file of 1 GiB that is nearly all hole is there without being read, and a look-up
// touches its pages alone.
func TestMappedIsNotRead(t *testing.T) {
	if bigEndian {
		t.Skip("a big-endian host reads the file")
	}
	g := bloomproof.Geometry{M: 1 << 33, K: 3}
	small := mustNew(t, bloomproof.Geometry{M: 64, K: 3}, kernel.Options{})
	head := forge(mustMarshal(t, small)[:kernel.HeaderSize], put(24, g.M))
	path := writeFile(t, head)
	if err := os.Truncate(path, kernel.HeaderSize+int64(g.M/8)); err != nil {
		t.Skip("the file system takes no file of 1 GiB, nearly all hole: ", err)
	}
	read, resident := proc("io", "rchar:"), proc("status", "RssFile:")
	var m *kernel.MappedFilter
	if n := allocated(func() {
		var err error
		if m, err = kernel.MapFilter(path, kernel.Options{}); err != nil {
			t.Fatal(err)
		}
	}); n > 64<<10 {
		t.Errorf("%d bytes of memory were allocated", n)
	}
	closing(t, m)
	for i := range uint64(100) {
		if m.ContainsHash(kernel.Hash{H0: i * golden, H1: i}) {
			t.Fatal("a filter without bits contains a key")
		}
	}
	if n := proc("io", "rchar:") - read; n > 64<<10 {
		t.Errorf("%d bytes were read", n)
	}
	if n := proc("status", "RssFile:") - resident; n > 64<<10 {
		t.Errorf("%d KiB of the file are in memory", n)
	}
}

// proc returns a number that Linux tells of this process, or 0 on other systems.
func proc(file, field string) (n int) {
	data, err := os.ReadFile("/proc/self/" + file)
	if err != nil {
		return 0
	}
	if _, rest, ok := strings.Cut("\n"+string(data), "\n"+field); ok {
		_, _ = fmt.Sscan(rest, &n)
	}
	return n
}

func TestMappedMakesNoGarbage(t *testing.T) {
	for _, h := range hashings {
		f := mustNew(t, bloomproof.Geometry{M: 4900, K: 7, Hashing: h}, kernel.Options{})
		m, err := kernel.MapFilter(writeFile(t, mustMarshal(t, f)), kernel.Options{})
		if err != nil {
			t.Fatal(err)
		}
		closing(t, m)
		b := newKeyBatch(rand.New(rand.NewPCG(1, 2)), 300, 200)
		bools := make([]bool, 0, 3*len(b.keys))
		if n := testing.AllocsPerRun(5, func() {
			m.ContainsBatch(m.ContainsBatch(m.ContainsBatch(bools, kernel.KeysOf(b.keys)), kernel.KeysOf(b.words)), kernel.KeysOf(b.hashes))
			m.Contains(b.keys[0])
			m.ContainsHash(b.hashes[0])
			m.Rate()
		}); n != 0 {
			t.Errorf("%v: %v allocations", h, n)
		}
	}
}
