package main

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The figures are byte-stable, and the models of the ones in docs are those of today.
func TestFigures(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	for _, dir := range []string{a, b} {
		if err := run(dir, 50, 1000); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(a, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no figure was drawn: %v", err)
	}
	for _, path := range files {
		name := filepath.Base(path)
		x, y := contents(t, path), contents(t, filepath.Join(b, name))
		if !bytes.Equal(x, y) {
			t.Errorf("%s differs from run to run", name)
		}
		shipped := contents(t, filepath.Join("..", "..", "docs", "figures", name))
		if filepath.Ext(name) == ".csv" && models(x) != models(shipped) {
			t.Errorf("the models in docs/figures/%s are out of date: run make figures", name)
		}
	}
}

// models returns the columns of a CSV that hold no measurement.
func models(data []byte) string {
	rows, err := table(data)
	if err != nil || len(rows) == 0 {
		return "not a table"
	}
	var b strings.Builder
	for _, row := range rows {
		for i, x := range row {
			if !strings.HasPrefix(rows[0][i], "measured") {
				b.WriteString(x + ",")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// table reads a CSV with a note before it.
func table(data []byte) ([][]string, error) {
	r := csv.NewReader(bytes.NewReader(data))
	r.Comment = '#'
	return r.ReadAll()
}

func contents(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// In the figures of docs, the exact model lies in the 99 % interval of what was simulated
// of the traffic that it models, but for a point or two by chance.
func TestShippedIntervals(t *testing.T) {
	for name, c := range map[string]struct{ model, measured string }{
		"dozier-fp-3": {"f_sigma", "measured_pool"},
		"dozier-fp-4": {"f_sigma", "measured_new"},
		"dozier-fn-4": {"one", "measured_one"},
		"dozier-fn-6": {"two_0.01", "measured_two_0.01"},
	} {
		rows, err := table(contents(t, "../../docs/figures/"+name+".csv"))
		if err != nil {
			t.Fatal(err)
		}
		get := func(row []string, column string) float64 {
			i := slices.Index(rows[0], column)
			if i < 0 {
				t.Fatalf("%s: no column %s", name, column)
			}
			x, err := strconv.ParseFloat(row[i], 64)
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		outside := 0
		for _, row := range rows[1:] {
			if f := get(row, c.model); f < get(row, c.measured+"_low") || f > get(row, c.measured+"_high") {
				outside++
			}
		}
		if len(rows) < 8 || outside > 2 {
			t.Errorf("%s: the model is outside %d of %d intervals", name, outside, len(rows)-1)
		}
	}
}

// The real filter has the exact rate at every k: a mean over many filters lies within
// 4.5 standard errors of it (false alarm below 3e-4 for the 40 points together).
func TestMeasuredIsExact(t *testing.T) {
	points, err := bestKPoints(4000)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range points {
		for i, want := range []float64{p.standard, p.classic} {
			got := p.measured[i]
			if math.Abs(got.value-want) > 4.5*got.err {
				t.Errorf("k = %d, series %d: measured %v, exact %v, standard error %v", p.k, i, got.value, want, got.err)
			}
		}
	}
}

func TestBadFilters(t *testing.T) {
	if err := run(t.TempDir(), 1, 1000); err == nil || !strings.Contains(err.Error(), "-filters: must be at least 2") {
		t.Errorf("got %v", err)
	}
}

// Figures of traces are byte-stable; with independent arrivals the model is within 3 % or
// the interval; and on the shipped trace, whose words come in bursts, less is forgotten.
func TestTraceFigures(t *testing.T) {
	keys, err := readTrace("../../cmd/bloomproof/testdata/kjv-words.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	var files [2][]byte
	for i := range files {
		base := filepath.Join(t.TempDir(), "figure")
		if err := overTrace(base, "7", "kjv-words", keys[:20_000], 3); err != nil {
			t.Fatal(err)
		}
		files[i] = contents(t, base+".csv")
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("the figure differs from run to run")
	}
	for _, file := range [][]byte{files[0], contents(t, "../../docs/figures/dozier-fn-7-kjv-words.csv")} {
		rows, err := table(file)
		if err != nil {
			t.Fatal(err)
		}
		points := 0
		for _, row := range rows[1:] {
			for _, column := range []string{"one", "two"} {
				at := func(name string) float64 {
					x, err := strconv.ParseFloat(row[slices.Index(rows[0], name)], 64)
					if err != nil {
						return math.NaN()
					}
					return x
				}
				model, drawn := at(column), "measured_"+column+"_resampled"
				if math.IsNaN(model) {
					continue
				}
				points++
				if !(model > at(drawn+"_low")*0.97 && model < at(drawn+"_high")*1.03) {
					t.Errorf("%s at %s bits: model %v, resampled %v", column, row[0], model, at(drawn))
				}
				if x := at("measured_" + column + "_trace_high"); x > 1.1*model {
					t.Errorf("%s at %s bits: model %v, trace %v", column, row[0], model, x)
				}
			}
		}
		if points < 4 {
			t.Errorf("%d points", points)
		}
	}
}
