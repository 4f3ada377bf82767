// Command fan repeats the experiments of section 6 of Fan et al., "On the evolutionary of Bloom filter false
// positives", with the filters of package kernel. It inserts n keys and looks up 3n other keys. It writes the measured
// rate together with the exact rate and the bounds that the paper compares. Counting filters hold multisets with
// Zipf(1.5) frequencies. For these filters it writes the measured share of correct counts together with the exact share
// and the bounds of equation (26).
//
//	go run ./fan                  all sets: an hour of one core, 6 GB
//	go run ./fan -sets 0.85M,kjv  those two: seconds
//
// Three files are written for each set of keys. SET stands for the name of the set:
//
//	fan-rates-SET.csv     figures 7 to 12: m, n, k varied, all combinations of the paper
//	fan-best-k-SET.csv    figures 5 and 6: the best k, measured, exact, by (9) and by (15)
//	fan-counting-SET.csv  figures 13 to 15
//
// The command named figures draws these files. If fan is run again, it writes the same files. The keys of the paper are
// not available. So four sets have the sizes of the paper's sets but consist of numbered keys. A fifth set is the trace
// in this repository.
package main

import (
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

func main() {
	dir := flag.String("dir", "../docs/figures", "write the files to this directory")
	names := flag.String("sets", "500M,7.5M,0.85M,1.15M,kjv", "the sets, by name, with commas between them")
	trace := flag.String("trace", "../cmd/bloomproof/testdata/kjv-words.txt.gz", "the trace of the set kjv: a key a line")
	flag.Parse()
	if err := run(*dir, *names, *trace); err != nil {
		fmt.Fprintln(os.Stderr, "fan:", err)
		os.Exit(1)
	}
}

func run(dir, names, trace string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, name := range strings.Split(names, ",") {
		s, err := newSet(name, trace)
		if err != nil {
			return err
		}
		save := func(kind string, rows [][]string) error {
			return write(filepath.Join(dir, "fan-"+kind+"-"+name+".csv"), rows)
		}
		rates, err := s.rates()
		if err != nil {
			return err
		}
		if err := save("rates", rateRows(rates)); err != nil {
			return err
		}
		best, err := s.bestK(rates)
		if err != nil {
			return err
		}
		if err := save("best-k", bestKRows(best)); err != nil {
			return err
		}
		counting, err := s.counting()
		if err != nil {
			return err
		}
		if err := save("counting", countingRows(counting)); err != nil {
			return err
		}
	}
	return nil
}

func write(path string, rows [][]string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := csv.NewWriter(f).WriteAll(rows); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func integer(n uint64) string { return strconv.FormatUint(n, 10) }

// real returns x as text with 7 digits, or "" for NaN.
func real(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 7, 64)
}
