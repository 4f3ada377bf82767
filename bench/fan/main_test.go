package main

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// The shipped files of the small sets are what the command writes today, byte by byte.
// The seeds are fixed, so what the tests below hold of them is no matter of chance.
func TestShipped(t *testing.T) {
	dir := t.TempDir()
	if err := run(dir, "kjv,0.85M", "../../cmd/bloomproof/testdata/kjv-words.txt.gz"); err != nil {
		t.Fatal(err)
	}
	for _, set := range []string{"kjv", "0.85M"} {
		for _, kind := range []string{"rates", "best-k", "counting"} {
			name := "fan-" + kind + "-" + set + ".csv"
			if !bytes.Equal(read(t, filepath.Join(dir, name)), read(t, shipped(name))) {
				t.Errorf("docs/figures/%s is out of date: run make fan", name)
			}
		}
	}
}

// The rates lie where the exact ones say: the share of points whose 99 % interval misses
// the exact rate is about a hundredth. The interval is of one filter, so that it may miss
// the mean over filters somewhat more often than that where filters are small.
func TestRatesMeetTheExactOnes(t *testing.T) {
	for set := range sizes {
		for _, c := range []struct{ name, low, high, mean string }{
			{"rates", "rate_low_99", "rate_high_99", "exact"},
			{"counting", "low_99", "high_99", "exact"},
		} {
			rows := table(t, shipped("fan-"+c.name+"-"+set+".csv"))
			missed := 0
			for _, row := range rows {
				if x := row[c.mean]; x < row[c.low] || x > row[c.high] {
					missed++
				}
			}
			if missed > len(rows)/12 {
				t.Errorf("%s %s: %d of %d intervals miss the exact rate", c.name, set, missed, len(rows))
			}
		}
	}
}

// The bounds of the paper enclose the exact rate: (18), (20) and (26).
func TestBoundsHold(t *testing.T) {
	for _, set := range []string{"500M", "7.5M", "0.85M", "1.15M", "kjv"} {
		for _, row := range table(t, shipped("fan-rates-"+set+".csv")) {
			if row["bloom"] > row["exact"] || row["upper"] < row["exact"] {
				t.Errorf("%s: bounds %g and %g, exact %g", set, row["bloom"], row["upper"], row["exact"])
			}
			if row["bose_upper"] < row["exact"] { // not so for NaN, where it is not defined
				t.Errorf("%s: Bose's bound %g, exact %g", set, row["bose_upper"], row["exact"])
			}
		}
		for _, row := range table(t, shipped("fan-counting-"+set+".csv")) {
			if row["lower"] > row["exact"] || row["upper"] < row["exact"] { // NaN where it bounds nothing
				t.Errorf("%s: bounds %g and %g, exact correct rate %g", set, row["lower"], row["upper"], row["exact"])
			}
		}
	}
}

// The best k by (9) and (15), rounded, is the exact one or its neighbour, and the exact
// one is never told apart from the measured one.
func TestBestK(t *testing.T) {
	for _, set := range []string{"500M", "7.5M", "0.85M", "1.15M", "kjv"} {
		for _, row := range table(t, shipped("fan-best-k-"+set+".csv")) {
			for _, formula := range []string{"formula_9", "formula_15"} {
				if math.Abs(math.Round(row[formula])-row["exact_best_k"]) > 1 {
					t.Errorf("%s, m %g, n %g: %s says %g, the exact rate %g", set, row["m"], row["n"], formula, row[formula], row["exact_best_k"])
				}
			}
			if k := row["exact_best_k"]; k < row["measured_least_k_99"] || k > row["measured_most_k_99"] {
				t.Errorf("%s, m %g, n %g: exact %g, measured %g to %g", set, row["m"], row["n"], k, row["measured_least_k_99"], row["measured_most_k_99"])
			}
		}
	}
}

func TestUnknownSet(t *testing.T) {
	if err := run(t.TempDir(), "1M", ""); err == nil {
		t.Error("no error for a set that does not exist")
	}
	if err := run(t.TempDir(), "kjv", "missing.gz"); err == nil {
		t.Error("no error for a trace that does not exist")
	}
}

func shipped(name string) string { return filepath.Join("..", "..", "docs", "figures", name) }

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// table returns the rows of a file, with NaN for what is empty or no number.
func table(t *testing.T, path string) (rows []map[string]float64) {
	t.Helper()
	all, err := csv.NewReader(bytes.NewReader(read(t, path))).ReadAll()
	if err != nil || len(all) < 2 {
		t.Fatalf("%s: %v", path, err)
	}
	for _, line := range all[1:] {
		row := map[string]float64{}
		for i, name := range all[0] {
			x, err := strconv.ParseFloat(line[i], 64)
			if err != nil {
				x = math.NaN()
			}
			row[name] = x
		}
		rows = append(rows, row)
	}
	return rows
}
