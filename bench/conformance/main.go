// Command conformance examines this module's filters and their peers by conform.Examine and
// writes what it finds as a page: docs/conformance.md.
package main

import (
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/internal/defaults"
	"github.com/bloomproof/bloomproof/verify/conform"
)

func main() {
	out := flag.String("out", "", "file to write; nothing for standard output")
	seed := flag.Uint64("seed", defaults.Seed, "seed of the keys")
	effort := flag.Float64("effort", 1, "work on the laws of chance, relative to the default")
	only := flag.String("only", "", "name of the one implementation to examine")
	huge := flag.Bool("huge", false, "examine some at 2^33 bits too: two GiB of memory")
	flag.Parse()
	if err := run(*out, *only, conform.Options{Seed: *seed, Effort: *effort, Huge: *huge}); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func run(out, only string, o conform.Options) error {
	var page strings.Builder
	if err := write(&page, only, o); err != nil {
		return err
	}
	if out == "" {
		_, err := os.Stdout.WriteString(page.String())
		return err
	}
	return os.WriteFile(out, []byte(page.String()), 0o644)
}

func write(w io.Writer, only string, o conform.Options) error {
	all := implementations()
	if only != "" {
		all = slices.DeleteFunc(all, func(e implementation) bool { return e.name != only })
	}
	small := o
	small.Huge = false
	var reports []conform.Report
	for _, e := range all {
		r, err := e.examine(small)
		if err == nil && len(r.Findings) == 0 {
			err = r.Err() // too little was examined
		}
		if err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		reports = append(reports, r)
	}
	fmt.Fprintf(w, "# Conformance of Bloom filters in Go\n\n"+
		"What `conform.Examine` finds out about filters of Go libraries, as they are used by the adaptors in\n"+
		"`bench/conformance/subjects.go`. A law that is not kept is a difference between a filter and the exact model\n"+
		"of what it is taken to declare, or from what the law asks; it need not be a fault: many formats have no\n"+
		"checksum by choice, double hashing is a known approximation that is good where m is large, and a stated rate\n"+
		"or size may be meant for large filters only. The laws are those of package `verify/conform`. A filter that\n"+
		"keeps them all would be accused with probability at most %g. Made by\n"+
		"`make conformance` on %s (%s, seed %d, effort %g).\n\n",
		reports[0].FalseAlarm, time.Now().UTC().Format(time.DateOnly), runtime.Version(), reports[0].Seed, o.Effort)
	fmt.Fprint(w, "| filter | version | used as |\n| --- | --- | --- |\n")
	for _, e := range all {
		fmt.Fprintf(w, "| %s | %s | %s |\n", e.name, version(e.module), e.declared)
	}

	fmt.Fprint(w, "\n## Laws\n\n`+` kept, `x` broken, blank where the filter shows nothing of it.\n\n| law |")
	for _, e := range all {
		fmt.Fprintf(w, " %s |", e.name)
	}
	fmt.Fprint(w, "\n| --- |"+strings.Repeat(" :-: |", len(all))+"\n")
	for _, l := range conform.Laws() {
		fmt.Fprintf(w, "| %s |", l)
		for _, r := range reports {
			fmt.Fprintf(w, "%s|", mark(r, l))
		}
		fmt.Fprintln(w)
	}

	fmt.Fprint(w, "\n## Measured rate over exact rate\n\nOver many filters with random keys, with the standard error. The exact rate is that of the hashing that is\n"+
		"declared, of the m and k that the filter has when these are asked for.\n\n| filter |")
	for _, c := range ratios {
		fmt.Fprintf(w, " m=%d k=%d, rate %g |", c.m, c.k, c.load)
	}
	fmt.Fprint(w, "\n| --- |"+strings.Repeat(" ---: |", len(ratios))+"\n")
	for _, e := range all {
		if e.ratio == nil {
			continue
		}
		fmt.Fprintf(w, "| %s |", e.name)
		for _, c := range ratios {
			measured, deviation, err := e.ratio(c.m, c.k, c.load)
			if err != nil {
				fmt.Fprint(w, " |")
				continue
			}
			fmt.Fprintf(w, " %.3f ± %.3f |", measured, deviation)
		}
		fmt.Fprintln(w)
	}

	if o.Huge {
		if err := writeHuge(w, all, o); err != nil {
			return err
		}
	}

	fmt.Fprint(w, "\n## Findings\n\nOne for each law that is broken: the smallest case of the grid in which it was seen.\n")
	for i, e := range all {
		if len(reports[i].Findings) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n### %s\n\n", e.name)
		for _, f := range reports[i].Findings {
			fmt.Fprintf(w, "- **%s**: %s: %s\n", f.Law, f.Case, f.Text)
		}
	}
	return nil
}

// hugeLaws are those that are examined above 2^32 bits.
var hugeLaws = []conform.Law{"no false negative", "rate", "set bits", "place"}

// writeHuge examines those that have filters of 2^33 bits, one at a time.
func writeHuge(w io.Writer, all []implementation, o conform.Options) error {
	fmt.Fprint(w, "\n## Above 2^32 bits\n\nA filter of 2^33 bits and one position an item, with half a million keys, and two million others looked up:\n"+
		"positions or sizes that are cut to 32 bits would double its rate.\n\n| filter |")
	for _, l := range hugeLaws {
		fmt.Fprintf(w, " %s |", l)
	}
	fmt.Fprint(w, "\n| --- |"+strings.Repeat(" :-: |", len(hugeLaws))+"\n")
	var findings strings.Builder
	o.Laws, o.Shapes = hugeLaws, []bloomproof.Geometry{} // nothing beside it
	for _, e := range all {
		if !e.huge {
			continue
		}
		r, err := e.examine(o)
		if err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		debug.FreeOSMemory()
		fmt.Fprintf(w, "| %s |", e.name)
		for _, l := range hugeLaws {
			fmt.Fprintf(w, "%s|", mark(r, l))
		}
		fmt.Fprintln(w)
		for _, f := range r.Findings {
			fmt.Fprintf(&findings, "- %s: %v\n", e.name, f)
		}
		for _, n := range r.Notes {
			fmt.Fprintf(&findings, "- %s: %s\n", e.name, n)
		}
	}
	if findings.Len() > 0 {
		fmt.Fprintln(w)
	}
	_, err := io.WriteString(w, findings.String())
	return err
}

// mark is what a report says of a law.
func mark(r conform.Report, l conform.Law) string {
	switch {
	case broken(r, l):
		return " x "
	case slices.Contains(r.Kept, l):
		return " + "
	}
	return " "
}

// ratios are the cases of the table of rates.
var ratios = []struct {
	m    uint64
	k    int
	load float64
}{{512, 3, 0.05}, {1024, 7, 0.1}, {1 << 16, 7, 0.05}, {1 << 20, 7, 0.01}}

// ratio returns the measured rate over the exact one of a filter that is filled up to a rate
// of about load, and its standard error among filters.
func ratio[F any](s conform.Subject[F], m uint64, k int, load float64) (mean, deviation float64, err error) {
	var sum, squares float64
	filters := int(max(8, min(2000, 20_000_000/m)))
	var key [8]byte
	next := uint64(1 << 40)
	take := func() []byte {
		next++
		z := next * 0x9e3779b97f4a7c15
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		binary.LittleEndian.PutUint64(key[:], z^z>>27)
		return key[:]
	}
	for range filters {
		f, err := s.New(m, k)
		if err != nil {
			return 0, 0, err
		}
		g := bloomproof.Geometry{M: m, K: k, Hashing: s.Hashing}
		if s.Shape != nil {
			g.M, g.K = s.Shape(f)
		}
		n := uint64(math.Round(-math.Log1p(-math.Pow(load, 1/float64(g.K))) * float64(g.M) / float64(g.K)))
		for range n {
			s.Add(f, take())
		}
		hits, probes := 0, max(2*n, 2000)
		for range probes {
			if s.Contains(f, take()) {
				hits++
			}
		}
		g.Block = s.BlockBits
		rate, _, err := exact.FPR(g, n, 53, exact.Auto)
		if err != nil {
			return 0, 0, err
		}
		x := float64(hits) / float64(probes) / rate.Float64()
		sum += x
		squares += x * x
	}
	n := float64(filters)
	mean = sum / n
	return mean, math.Sqrt(max(0, squares/n-mean*mean) / (n - 1)), nil
}

// version returns the version of a module in this build.
func version(module string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, d := range info.Deps {
		if d.Path == module && d.Replace == nil {
			return d.Version
		}
	}
	return "this"
}

// broken reports whether there is a finding about the law.
func broken(r conform.Report, l conform.Law) bool {
	return slices.ContainsFunc(r.Findings, func(f conform.Finding) bool { return f.Law == l })
}
