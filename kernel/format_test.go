package kernel_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// formatVectors are the test vectors of docs/format.md, which says what they mean. They
// are written once for a version of the format: every build, also one for a big-endian
// host, must give the same.
const formatVectors = "../docs/format-vectors.json"

// blockVectors are those of version 2, which is for filters with blocks.
const blockVectors = "../docs/format-vectors-2.json"

// growingVectors are those of version 3, which is for growing filters.
const growingVectors = "../docs/format-vectors-3.json"

// growingBlockVectors are those of version 4, which is for growing filters with blocks.
const growingBlockVectors = "../docs/format-vectors-4.json"

// u64 is a word as 16 hexadecimal digits: not all of JSON's readers have integers of 64 bits.
type u64 uint64

func (x u64) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x", uint64(x)), nil }

func (x *u64) UnmarshalText(text []byte) error {
	_, err := fmt.Sscanf(string(text), "%x", (*uint64)(x))
	return err
}

type hashVector struct {
	Scheme string `json:"scheme"`
	Seed   u64    `json:"seed"`
	Secret string `json:"secret,omitempty"`
	Key    string `json:"key"`
	H0     u64    `json:"h0"`
	H1     u64    `json:"h1"`
}

type positionVector struct {
	H0        u64                `json:"h0"`
	H1        u64                `json:"h1"`
	Cycle     uint64             `json:"cycle"`
	Hashing   bloomproof.Hashing `json:"hashing"`
	M         uint64             `json:"m"`
	K         int                `json:"k"`
	Block     uint64             `json:"block,omitempty"`
	Positions []uint64           `json:"positions"` // of more than 32 the first 8
	Last      uint64             `json:"last"`
	Sum       u64                `json:"sum"` // of j times the j-th, from 1 on
}

type snapshotVector struct {
	Name      string             `json:"name"`
	Kind      string             `json:"kind"`
	Hashing   bloomproof.Hashing `json:"hashing"`
	M         uint64             `json:"m"`
	K         int                `json:"k"`
	Block     uint64             `json:"block,omitempty"`
	Scheme    string             `json:"scheme"`
	Seed      u64                `json:"seed"`
	Secret    string             `json:"secret,omitempty"`
	Recycling *recyclingVector   `json:"recycling,omitempty"`
	Counting  *countingVector    `json:"counting,omitempty"`
	Layers    []layerVector      `json:"layers,omitempty"`
	Arrivals  int                `json:"arrivals"`
	Keys      int                `json:"keys"`
	Doubled   int                `json:"doubled"`
	Snapshot  string             `json:"snapshot"`
}

type recyclingVector struct {
	Rule      string `json:"rule"`
	Bound     uint64 `json:"bound"`
	Retain    bool   `json:"retain"`
	Phases    string `json:"phases"`
	CopyOver  bool   `json:"copy"`
	Freeze    string `json:"freeze"`
	Positions string `json:"positions"`
}

// layerVector is a layer; hashing, m and k of a growing filter are those of its first.
type layerVector struct {
	Hashing bloomproof.Hashing `json:"hashing"`
	M       uint64             `json:"m"`
	K       int                `json:"k"`
	Block   uint64             `json:"block,omitempty"`
	Sigma   uint64             `json:"sigma"`
}

type countingVector struct {
	Width     int    `json:"width"`
	Increment string `json:"increment"`
}

// hashVectors has a key for each path of XXH3: 0, 1-3, 4-8, 9-16, 17-128 and 129-240 bytes,
// and beyond with less and more than one block of 1024.
func hashVectors(t *testing.T) (rows []hashVector) {
	for _, n := range []int{0, 1, 3, 4, 8, 9, 16, 17, 33, 65, 97, 128, 129, 144, 240, 241, 1024, 1025, 1091} {
		key := make([]byte, n)
		for i := range key {
			key[i] = byte(i * i % 251)
		}
		for _, o := range []kernel.Options{{}, {Seed: sampleSeed}, {Seed: ^uint64(0)}, kernel.Keyed(sipKey[:])} {
			h := mustNew(t, bloomproof.Geometry{M: 1, K: 1}, o).Hasher().Bytes(key)
			rows = append(rows, hashVector{kernel.SchemeOf(o), u64(o.Seed), secretOf(kernel.SchemeOf(o)), hex.EncodeToString(key), u64(h.H0), u64(h.H1)})
		}
	}
	return rows
}

func secretOf(scheme string) string {
	if scheme == "siphash" {
		return hex.EncodeToString(sipKey[:])
	}
	return ""
}

// vectorHashes are those of the vectors of positions.
var vectorHashes = []kernel.Hash{
	{H0: 1234567, H1: golden}, {}, {H1: 1}, {H0: ^uint64(0), H1: ^uint64(0)},
	{H0: 0x0123456789abcdef, H1: 0xfedcba9876543210}, {H0: 0x6a09e667f3bcc908, H1: 0xbb67ae8584caa73b},
}

// vectorOf is the vector of the positions of h in a cycle.
func vectorOf(t *testing.T, g bloomproof.Geometry, h kernel.Hash, cycle uint64) positionVector {
	pos := positions(t, g, h.Cycle(cycle))
	v := positionVector{u64(h.H0), u64(h.H1), cycle, g.Hashing, g.M, g.K, g.Block, pos, pos[len(pos)-1], 0}
	for j, p := range pos {
		v.Sum += u64(uint64(j+1) * p)
	}
	if len(pos) > 32 {
		v.Positions = pos[:8]
	}
	return v
}

// positionVectors are hashes and geometries that between them meet every rule of the
// derivation.
func positionVectors(t *testing.T) (rows []positionVector) {
	row := func(g bloomproof.Geometry, h kernel.Hash, cycle uint64) {
		rows = append(rows, vectorOf(t, g, h, cycle))
	}
	for _, h := range vectorHashes {
		for _, m := range []uint64{1, 2, 7, 64, 257, 1000, 65536, 1<<32 - 5, 1 << 40, 1<<48 - 59, 1 << 48} {
			row(bloomproof.Geometry{M: m, K: 5}, h, 0)
		}
		for _, m := range []uint64{5, 6, 9, 64, 1000, 1 << 48} {
			row(bloomproof.Geometry{M: m, K: 5, Hashing: bloomproof.Classic}, h, 0)
		}
		for _, m := range []uint64{5, 10, 65, 1000, 1<<48 - 1} {
			row(bloomproof.Geometry{M: m, K: 5, Hashing: bloomproof.Partitioned}, h, 0)
		}
		for _, c := range []uint64{1, 2, 1000, 1 << 40} {
			row(bloomproof.Geometry{M: 1000, K: 3}, h, c)
		}
		// The fallback is needed for most hashes in the first two of these.
		for _, m := range []uint64{4096, 4097, 8192, 1 << 30} {
			row(bloomproof.Geometry{M: m, K: 4096, Hashing: bloomproof.Classic}, h, 0)
		}
		row(bloomproof.Geometry{M: 4096 * 17, K: 4096, Hashing: bloomproof.Partitioned}, h, 0)
		row(bloomproof.Geometry{M: 1 << 36, K: 4096}, h, 0)
	}
	return rows
}

// blockPositionVectors are those with blocks: every shape of the tests, with one block, with
// 2^32, and as many as there may be.
func blockPositionVectors(t *testing.T) (rows []positionVector) {
	for _, h := range vectorHashes {
		for _, g := range blockGeometries {
			for _, blocks := range []uint64{1, 3, 1 << 32, kernel.MaxM / g.Block} {
				g.M = blocks * g.Block
				rows = append(rows, vectorOf(t, g, h, 0))
			}
		}
	}
	return rows
}

// blockSamples are the filters of the snapshot vectors with blocks.
func blockSamples(t *testing.T) (all []sample) {
	for i, g := range blockGeometries {
		o := optionSets[i%len(optionSets)]
		all = append(all, filterSample(t, fmt.Sprintf("blocks-%d", i), g, o, 1+int(g.M)/g.K/2))
	}
	for i, g := range blockGeometries {
		o, r := optionSets[(i+1)%len(optionSets)], blockRules(1 + min(29, (g.M-1)/uint64(g.K)/2))[i%2]
		f := mustNewRecycling(t, g, r, o)
		s := sample{fmt.Sprintf("recycling-blocks-%d", i), f, 100, 90, 0}
		for n := range s.arrivals {
			f.Observe(s.key(n))
		}
		all = append(all, s)
	}
	for i, g := range blockGeometries {
		if g.M > 512 { // format.py would take minutes
			continue
		}
		f := mustNewCounting(t, g, countings[i%4], optionSets[(i+2)%len(optionSets)])
		s := sample{fmt.Sprintf("counting-blocks-%d", i), f, 12, 9, 3}
		for n := range s.arrivals {
			f.Add(s.key(n))
		}
		for range s.doubled {
			if err := f.Merge(f); err != nil {
				t.Fatal(err)
			}
		}
		all = append(all, s)
	}
	return all
}

// formatSamples are the filters of the snapshot vectors: the samples, an empty filter, and one
// whose payload is longer than a block of XXH3.
func formatSamples(t *testing.T) []sample {
	return append(samples(t),
		filterSample(t, "filter-empty", bloomproof.Geometry{M: 64, K: 1}, kernel.Options{}, 0),
		filterSample(t, "filter-long", bloomproof.Geometry{M: 9001, K: 7}, kernel.Options{}, 700))
}

func snapshotVectors(t *testing.T, all []sample) (rows []snapshotVector) {
	for _, s := range all {
		data := mustMarshal(t, s.f)
		scheme := []string{"xxh3", "siphash"}[data[12]]
		v := snapshotVector{
			Name: s.name, Scheme: scheme, Secret: secretOf(scheme),
			Arrivals: s.arrivals, Keys: s.keys, Doubled: s.doubled, Snapshot: hex.EncodeToString(data),
		}
		if scheme == "xxh3" {
			v.Seed = u64(binary.LittleEndian.Uint64(data[32:]))
		}
		var g bloomproof.Geometry
		switch f := s.f.(type) {
		case *kernel.GrowingFilter:
			g = f.Layers()[0].Geometry
			v.Kind = "growing"
			for _, l := range f.Layers() {
				v.Layers = append(v.Layers, layerVector{l.Hashing, l.M, l.K, l.Block, l.Sigma})
			}
		case interface{ Geometry() bloomproof.Geometry }:
			g = f.Geometry()
		}
		v.Hashing, v.M, v.K, v.Block = g.Hashing, g.M, g.K, g.Block
		switch f := s.f.(type) {
		case *kernel.Filter:
			v.Kind = "filter"
		case *kernel.RecyclingFilter:
			r := f.Recycling()
			v.Kind = "recycling"
			v.Recycling = &recyclingVector{
				word(r.Messages > 0, "bit-bounded", "message-bounded"), r.Sigma + r.Messages, r.Retain,
				word(r.TwoPhase, "1", "2"), !r.NoCopyOver, word(r.FreezeBefore, "after", "before"),
				word(r.FreshPositions, "fixed", "fresh"),
			}
		case *kernel.CountingFilter:
			width, increment := f.Counting()
			v.Kind, v.Counting = "counting", &countingVector{width, increment.String()}
		}
		rows = append(rows, v)
	}
	return rows
}

// word returns the vectors' word for a setting.
func word(set bool, unset, text string) string {
	if set {
		return text
	}
	return unset
}

// lines is JSON with one vector a line.
func lines[T any](t *testing.T, name string, rows []T) string {
	t.Helper()
	var b strings.Builder
	for i, row := range rows {
		line, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			b.WriteString(",\n")
		}
		b.Write(line)
	}
	return fmt.Sprintf("%q: [\n%s\n]", name, b.String())
}

func TestFormatVectors(t *testing.T) {
	testVectors(t, formatVectors, 1, hashVectors(t), positionVectors(t), formatSamples(t))
	testVectors(t, blockVectors, 2, nil, blockPositionVectors(t), blockSamples(t))
	testVectors(t, growingVectors, 3, nil, nil, growingSamples(t))
	testVectors(t, growingBlockVectors, 4, nil, nil, growingBlockSamples(t))
}

// testVectors holds the vectors of a version to their file.
func testVectors(t *testing.T, file string, version int, hashes []hashVector, positions []positionVector, all []sample) {
	got := []byte(fmt.Sprintf("{\"version\": %d,\n", version) + strings.Join([]string{
		lines(t, "hashes", hashes),
		lines(t, "positions", positions),
		lines(t, "snapshots", snapshotVectors(t, all)),
	}, ",\n") + "}\n")
	if _, err := os.Stat(file); os.IsNotExist(err) && *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		a, b := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
		if len(a) != len(b) {
			t.Fatalf("%d lines, want the %d of %s", len(a), len(b), file)
		}
		for i := range a {
			if a[i] != b[i] {
				t.Errorf("line %d\n of the file %s\n computed    %s", i+1, b[i], a[i])
			}
		}
	}
}

// The snapshots of the file are read as the filters that were written.
func TestSnapshotGolden(t *testing.T) {
	testGolden(t, formatVectors, 1, formatSamples(t))
	testGolden(t, blockVectors, 2, blockSamples(t))
	testGolden(t, growingVectors, 3, growingSamples(t))
	testGolden(t, growingBlockVectors, 4, growingBlockSamples(t))
}

func testGolden(t *testing.T, vectors string, version int, all []sample) {
	text, err := os.ReadFile(vectors)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Version   int
		Snapshots []snapshotVector
	}
	if err := json.Unmarshal(text, &file); err != nil || file.Version != version {
		t.Fatal(file.Version, err)
	}
	for _, v := range file.Snapshots {
		data, err := hex.DecodeString(v.Snapshot)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(all, func(s sample) bool { return s.name == v.Name })
		got := like(t, all[i].f)
		if err := got.UnmarshalBinary(data); err != nil {
			t.Errorf("%s: %v", v.Name, err)
		} else if !equal(got, all[i].f) || got.String() != all[i].f.String() {
			t.Errorf("%s: read %v, want %v", v.Name, got, all[i].f)
		}
	}
}

// docs/format.py was written from docs/format.md alone. It hashes, derives, writes every
// snapshot and reads it again: what it needs to know is therefore on that page.
func TestFormatIsEnough(t *testing.T) {
	python := longtest.Program(t, "python3")
	files := map[string][3]int{
		formatVectors:       {len(hashVectors(t)), len(positionVectors(t)), len(formatSamples(t))},
		blockVectors:        {0, len(blockPositionVectors(t)), len(blockSamples(t))},
		growingVectors:      {0, 0, len(growingSamples(t))},
		growingBlockVectors: {0, 0, len(growingBlockSamples(t))},
	}
	if !longtest.Enabled() { // the other files have no hash functions; together they take seconds of Python
		files = map[string][3]int{formatVectors: files[formatVectors]}
	}
	// One process runs the program with each list of arguments: Python is slow to start.
	args := []string{"-c", `
import runpy, sys
for args in sys.argv[1:]:
    sys.argv = ["format.py"] + args.split("\n")
    runpy.run_path("../docs/format.py", run_name="__main__")
`}
	want := ""
	for _, file := range slices.Sorted(maps.Keys(files)) {
		args = append(args, file)
		want += fmt.Sprintf("%d hashes, %d positions, %d snapshots written and read\n", files[file][0], files[file][1], files[file][2])
	}
	// As its head says, it also asks a snapshot of ours for keys.
	f := mustNew(t, bloomproof.Geometry{M: 1000, K: 5}, kernel.Options{})
	f.Add([]byte("ash"))
	file := filepath.Join(t.TempDir(), "snapshot")
	if err := os.WriteFile(file, mustMarshal(t, f), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(python, append(args, file+"\nash\nbirch")...).CombinedOutput()
	if want += "ash True\nbirch False\n"; err != nil || string(out) != want {
		t.Errorf("it says %q, %v, want %q", out, err, want)
	}
}
