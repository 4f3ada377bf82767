package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

func TestMain(m *testing.M) { ptest.Main(m) }

var builds = []buildFn{
	{bloomproof.Geometry{M: 100_003, K: 5}, 0},
	{bloomproof.Geometry{M: 1000, K: 9, Hashing: bloomproof.Classic}, 1},
	{bloomproof.Geometry{M: 70_000, K: 7, Hashing: bloomproof.Partitioned}, 1<<64 - 1},
}

// serial returns the snapshot of one filter to which all keys were added.
func serial(t *testing.T, b buildFn, keys []string) []byte {
	t.Helper()
	f, err := kernel.New(b.Geometry, kernel.Options{Seed: b.Seed})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		f.Add([]byte(key))
	}
	snapshot, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return snapshot
}

func write(t *testing.T, path string, lines []string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// What the pipelines write, on Beam's local runner, is bit for bit the filter that is built
// serially, and they answer as that does.
func TestPipelines(t *testing.T) {
	for _, b := range builds {
		dir := t.TempDir()
		var keys, queries []string
		for shard := range 7 {
			var lines []string
			for i := range 100 * shard { // the first is empty, others share keys
				lines = append(lines, fmt.Sprintf("key %d", 80*shard+i))
			}
			if shard > 0 {
				write(t, filepath.Join(dir, fmt.Sprintf("keys-%d.txt", shard)), lines)
			} else if err := os.WriteFile(filepath.Join(dir, "keys-0.txt"), nil, 0o666); err != nil {
				t.Fatal(err)
			}
			keys = append(keys, lines...)
		}
		for i := range 3000 {
			queries = append(queries, fmt.Sprintf("key %d", i))
		}
		write(t, filepath.Join(dir, "queries.txt"), queries)
		snapshot, answers := filepath.Join(dir, "all.bloom"), filepath.Join(dir, "answers.txt")
		err := run(context.Background(), b, filepath.Join(dir, "keys-*.txt"), snapshot, filepath.Join(dir, "queries.txt"), answers)
		if err != nil {
			t.Fatal(err)
		}

		got, err := os.ReadFile(snapshot)
		if err != nil {
			t.Fatal(err)
		}
		want := serial(t, b, keys)
		if !bytes.Equal(got, want) {
			t.Errorf("%v: the snapshot is another", b.Geometry)
		}
		f := new(kernel.Filter)
		if err := f.UnmarshalBinary(want); err != nil {
			t.Fatal(err)
		}
		queries = slices.DeleteFunc(queries, func(q string) bool { return !f.Contains([]byte(q)) })
		text, err := os.ReadFile(answers)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		slices.Sort(lines)
		slices.Sort(queries)
		if len(queries) < 1000 || len(queries) == 3000 && b.Geometry.M > 1000 || !slices.Equal(lines, queries) {
			t.Errorf("%v: %d answers, want %d", b.Geometry, len(lines), len(queries))
		}
		left, err := filepath.Glob(filepath.Join(dir, "all.bloom?*"))
		if err != nil || len(left) > 0 {
			t.Errorf("left behind: %v %v", left, err)
		}
	}
}

// However a runner cuts the keys into bundles, in whatever order it unites what they made, and
// whatever it sends over the network meanwhile, the filter is the same.
func TestAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		b := builds[r.IntN(len(builds))]
		keys := make([]string, r.IntN(300))
		for i := range keys {
			keys[i] = fmt.Sprint(r.IntN(200))
		}
		parts := []*kernel.Filter{}
		for rest := keys; len(parts) == 0 || len(rest) > 0; {
			f, err := b.CreateAccumulator()
			if err != nil {
				t.Fatal(err)
			}
			n := r.IntN(len(rest) + 1)
			for _, key := range rest[:n] {
				f = b.AddInput(f, key)
			}
			parts, rest = append(parts, f), rest[n:]
		}
		for len(parts) > 1 {
			r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
			snapshot, err := encode(parts[0])
			if err != nil {
				t.Fatal(err)
			}
			f, err := decode(snapshot)
			if err == nil {
				f, err = b.MergeAccumulators(f, parts[1])
			}
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts[2:], f)
		}
		if got, err := encode(parts[0]); err != nil || !bytes.Equal(got, serial(t, b, keys)) {
			t.Fatalf("%v, %d keys: another filter, %v", b.Geometry, len(keys), err)
		}
	}
}

// A key and a union are added in place: a worker has one filter a bundle, and two while it
// unites.
func TestInPlace(t *testing.T) {
	b := buildFn{Geometry: bloomproof.Geometry{M: 1 << 24, K: 7}}
	f, err := b.CreateAccumulator()
	if err != nil {
		t.Fatal(err)
	}
	g, err := b.CreateAccumulator()
	if err != nil {
		t.Fatal(err)
	}
	bytes := testing.Benchmark(func(t *testing.B) {
		for t.Loop() {
			if h, err := b.MergeAccumulators(b.AddInput(f, "a key of some length, so long that it needs memory"), g); h != f || err != nil {
				t.Fatal(err)
			}
		}
	}).AllocedBytesPerOp()
	if bytes > 128 {
		t.Errorf("%d bytes for a key and a union", bytes)
	}
}

// What cannot be built is refused before there is work, and what is damaged is not asked.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	keys, snapshot := filepath.Join(dir, "keys.txt"), filepath.Join(dir, "all.bloom")
	write(t, keys, []string{"a", "b"})
	var param *bloomproof.ParamError
	if err := run(t.Context(), buildFn{}, keys, snapshot, "", ""); !errors.As(err, &param) {
		t.Errorf("no geometry: %v", err)
	}
	for _, args := range [][4]string{{keys, "", "", ""}, {"", snapshot, "", ""}, {"", snapshot, keys, ""}} {
		if err := run(t.Context(), builds[0], args[0], args[1], args[2], args[3]); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
	if _, err := decode([]byte("x")); !errors.Is(err, kernel.ErrCorrupt) {
		t.Errorf("no snapshot: %v", err)
	}
	bad := serial(t, builds[0], nil)
	bad[len(bad)-8] ^= 1
	if err := os.WriteFile(snapshot, bad, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := (&askFn{Path: snapshot}).Setup(); !errors.Is(err, kernel.ErrCorrupt) {
		t.Errorf("a damaged snapshot: %v", err)
	}
}
