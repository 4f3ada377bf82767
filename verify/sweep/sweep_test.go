package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/accuracy"
)

// A sample of the sweep: the first points of block 0 of every quantity.
func TestSample(t *testing.T) {
	count := 400
	if testing.Short() {
		count = 60
	}
	for _, g := range groups() {
		for _, r := range examine(g, 0, count) {
			if r.Failed != "" || r.Points < count/10 {
				t.Errorf("%s: %d points of %d; %s", r.Name, r.Points, count, r.Failed)
			}
		}
	}
}

// A run that was stopped goes on where it ended, shards make up the whole, and the
// summary does not depend on their order.
func TestResumeAndShards(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	run := func(name, shard string, points float64) {
		t.Helper()
		if err := start(points, shard, "Exponential", file(name), false, 2, nil); err != nil {
			t.Fatal(err)
		}
	}
	run("whole", "1/1", 3000)
	run("a", "1/2", 3000)
	run("b", "2/2", 3000)
	run("part", "1/1", 1000)
	text, err := os.ReadFile(file("part"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file("part"), append(text, `{"name":"Expo`...), 0o666); err != nil { // cut short
		t.Fatal(err)
	}
	run("part", "1/1", 3000)
	want := summaryOf(t, file("whole"))
	if !strings.Contains(want, "Exponential") || !strings.Contains(want, " 3000 ") {
		t.Fatalf("summary:\n%s", want)
	}
	for _, files := range [][]string{{file("a"), file("b")}, {file("b"), file("a")}, {file("part")}, {file("a"), file("whole")}} {
		if got := summaryOf(t, files...); got != want {
			t.Errorf("%v:\n%s\nwant\n%s", files, got, want)
		}
	}
}

func summaryOf(t *testing.T, files ...string) string {
	t.Helper()
	done, err := read(files)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := summarize(&b, done); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A value beyond its bound is told, and told again from the file.
func TestFailure(t *testing.T) {
	g := accuracy.Group{Names: []string{"wrong"}, Check: func(p accuracy.Point, _ uint) ([]accuracy.Result, error) {
		if p == accuracy.Draw(seed, 3) {
			return nil, os.ErrInvalid
		}
		return []accuracy.Result{{Defined: true, Error: 1, Bound: 2}}, nil
	}}
	rows := examine(g, 0, 10)
	if rows[0].Failed == "" || rows[0].Points != 9 {
		t.Errorf("%+v", rows)
	}
	if err := summarize(&bytes.Buffer{}, rows); err == nil {
		t.Error("a failed block is no error")
	}
}
