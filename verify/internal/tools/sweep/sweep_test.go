package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/internal/accuracy"
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

// summary.txt is what the sweep says of the present code: it has every quantity, and where
// it has seen the worst error, that error is found again.
func TestSummary(t *testing.T) {
	text, err := os.ReadFile("summary.txt")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`(?m)^(\w+(?: \w+)?) +\d+ +\d+ +([\d.]+) +\S+ +\{(\d+), (\d+), (\d+)\}`)
	stated := map[string][]string{}
	for _, r := range row.FindAllStringSubmatch(string(text), -1) {
		stated[r[1]] = r[2:]
	}
	for _, g := range groups() {
		for i, name := range g.Names {
			r := stated[name]
			if r == nil {
				t.Errorf("%s is missing", name)
				continue
			}
			var p accuracy.Point
			var worst float64
			if _, err := fmt.Sscan(strings.Join(r, " "), &worst, &p.M, &p.N, &p.K); err != nil {
				t.Fatal(err)
			}
			results, err := g.Check(p, prec)
			if err != nil {
				t.Error(err)
				continue
			}
			// Elementary functions differ between architectures.
			if got := results[i].Error; runtime.GOARCH == "amd64" && math.Abs(got-worst) > 0.006+0.001*worst {
				t.Errorf("%s at %v: %.2f u, summary.txt has %.2f u", name, p, got, worst)
			}
		}
	}
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
