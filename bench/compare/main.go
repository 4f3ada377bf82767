// Command compare measures the peers, which are the implementations of filters that package bench lists. It prints
// tables of nanoseconds and ratios. It also prints which of the project's goals for the ratios are met.
//
// Every measurement is taken in rounds. Successive rounds visit the implementations in opposite orders. The median of
// the rounds is reported. All filters of a table have the same kind of pages. Peers in C++ are included if their
// headers are found: see cpp/README.md.
//
// There are tables for each family of CPUs. A family is defined by the vector instructions that the kernels use:
// AVX-512, AVX2, NEON or none. The flag -out names a file. In this file the program replaces the tables of the family
// of this CPU, and keeps the tables of other families. With BLOOMPROOF_CPU=avx2 a CPU with AVX-512 is measured as a CPU
// of the family AVX2. Its tables state this, and do not replace the tables of a CPU without AVX-512.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bloomproof/bloomproof/bench"
	"github.com/klauspost/cpuid/v2"
)

// settings has the values of the flags.
type settings struct {
	rounds    int
	sizes     []bench.Size
	rateSizes []bench.Size
	rates     []float64
	positives uint64
	probes    uint64
	huge      bool
	parts     []string
	out       string
}

// These are the parts of a run.
const (
	partWords       = "words"
	partFilters     = "filters"
	partRates       = "rates"
	partGoroutines  = "goroutines"
	partTransitions = "transitions"
)

var allParts = []string{partWords, partFilters, partRates, partGoroutines, partTransitions}

func main() {
	rounds := flag.Int("rounds", 10, "rounds of each measurement, at least 2")
	sizes := flag.String("sizes", "L1,L2,L3,DRAM", "sizes of filters with equal k, of L1, L2, L3, DRAM (16 GiB of memory)")
	rateSizes := flag.String("rate-sizes", "L1,L2,L3", "sizes of filters with equal rates; of DRAM it takes hours, since filters are filled by their keys")
	rates := flag.String("rates", "1e-2,1e-4,1e-6", "the false-positive rates of filters with equal rates")
	positives := flag.Uint64("positives", 1000, "expected false positives of the measurement of a rate: 1000 give an interval of 6 % each way, 100 of 20 %")
	probes := flag.Uint64("probes", 1e8, "look-ups that the measurement of a rate takes at most")
	pages := flag.String("pages", "huge", "the pages of all filters that have room for a huge one: huge or small")
	parts := flag.String("parts", strings.Join(allParts, ","), "what to measure")
	out := flag.String("out", "", "put the tables of this family of CPUs into this file too")
	flag.Parse()
	s, err := settingsOf(*rounds, *sizes, *rateSizes, *rates, *positives, *probes, *pages, *parts, *out)
	if err == nil {
		err = run(s, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

// mostProbes limits the number of look-ups of one measurement, so that stat.ClopperPearson accepts it as a number of
// trials.
const mostProbes = 1 << 40

func settingsOf(rounds int, sizes, rateSizes, rates string, positives, probes uint64, pages, parts, out string) (s settings, err error) {
	s = settings{rounds: rounds, positives: positives, probes: probes, huge: pages == "huge", parts: strings.Split(parts, ","), out: out}
	if rounds < 2 {
		return s, fmt.Errorf("-rounds: must be at least 2, got %d", rounds)
	}
	if positives < 1 {
		return s, fmt.Errorf("-positives: must be at least 1, got %d", positives)
	}
	if probes < 1 || probes >= mostProbes {
		return s, fmt.Errorf("-probes: must be from 1 to 2^40-1, got %d", probes)
	}
	if !slices.Contains([]string{"huge", "small"}, pages) {
		return s, fmt.Errorf("-pages: %q is neither huge nor small", pages)
	}
	for _, p := range s.parts {
		if !slices.Contains(allParts, p) {
			return s, fmt.Errorf("-parts: %q is none of %s", p, strings.Join(allParts, ", "))
		}
	}
	if s.sizes, err = sizesNamed("-sizes", sizes); err != nil {
		return s, err
	}
	if s.rateSizes, err = sizesNamed("-rate-sizes", rateSizes); err != nil {
		return s, err
	}
	for _, r := range strings.Split(rates, ",") {
		p, err := strconv.ParseFloat(r, 64)
		if err != nil || !(0 < p && p < 1) {
			return s, fmt.Errorf("-rates: %q is no rate between 0 and 1", r)
		}
		s.rates = append(s.rates, p)
	}
	return s, nil
}

func sizesNamed(flag, names string) (sizes []bench.Size, err error) {
	for _, name := range strings.Split(names, ",") {
		i := slices.IndexFunc(bench.Sizes, func(s bench.Size) bool { return s.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("%s: %q is none of L1, L2, L3, DRAM", flag, name)
		}
		sizes = append(sizes, bench.Sizes[i])
	}
	return sizes, nil
}

func run(s settings, w io.Writer) error {
	runtime.LockOSThread()
	m := newMeasured(s)
	if err := m.startCPP(); err != nil {
		return err
	}
	defer m.stopCPP()
	if err := m.measure(); err != nil {
		return err
	}
	var b bytes.Buffer
	m.print(&b, time.Since(m.start))
	if _, err := w.Write(b.Bytes()); err != nil || s.out == "" {
		return err
	}
	return writeFamily(s.out, family(), b.String())
}

// The method named has reports whether the flags select a part of the run.
func (s settings) has(part string) bool { return slices.Contains(s.parts, part) }

func (m *measured) measure() error {
	if m.has(partWords) {
		m.progress("words")
		if err := m.words(); err != nil {
			return err
		}
	}
	if m.has(partFilters) {
		for _, s := range m.sizes {
			m.progress("filters of %s", sizeName(s))
			if err := m.filters(s); err != nil {
				return err
			}
			debug.FreeOSMemory()
		}
	}
	if m.has(partRates) {
		for _, s := range m.rateSizes {
			for _, target := range m.rates {
				m.progress("filters of %s with a rate of %g", sizeName(s), target)
				if err := m.equalRate(s, target); err != nil {
					return err
				}
				debug.FreeOSMemory()
			}
		}
	}
	if m.has(partGoroutines) {
		for _, s := range m.sizes {
			m.progress("goroutines, %s", sizeName(s))
			if err := m.goroutines(s); err != nil {
				return err
			}
			debug.FreeOSMemory()
		}
	}
	if m.has(partTransitions) {
		m.progress("transitions")
		m.transitions()
	}
	return nil
}

func (m *measured) print(w io.Writer, took time.Duration) {
	m.header(w, took)
	if m.has(partFilters) {
		m.printSummary(w)
	}
	if m.has(partRates) {
		m.printRateSummary(w)
	}
	m.printGoals(w)
	if m.has(partWords) {
		m.printWords(w)
	}
	if m.has(partFilters) {
		for _, s := range m.sizes {
			m.printFilters(w, s)
		}
	}
	if m.has(partRates) {
		m.printRates(w)
	}
	if m.has(partGoroutines) {
		m.printGoroutines(w)
	}
	if m.has(partTransitions) {
		m.printTransitions(w)
	}
}

func (m *measured) header(w io.Writer, took time.Duration) {
	level := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "GOAMD64" || s.Key == "GOARM64" {
				level = ", " + s.Key + "=" + s.Value
			}
		}
	}
	fmt.Fprintf(w, "## CPUs with %s\n\nMade by `make bench` on %s; do not edit.\n\n", family(), time.Now().UTC().Format(time.DateOnly))
	c := cpuid.CPU
	fmt.Fprintf(w, "- CPU: %s (family %d, model %d), %d processors; L1 %s, L2 %s, L3 %s\n", c.BrandName, c.Family, c.Model,
		runtime.NumCPU(), kib(c.Cache.L1D), kib(c.Cache.L2), kib(c.Cache.L3))
	fmt.Fprint(w, loweredSaid())
	fmt.Fprintf(w, "- Go: %s %s/%s%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, level)
	fmt.Fprintf(w, "- Medians of %d rounds, with the order of the implementations reversed after each round; one goroutine unless a table says otherwise; %s. The run took %.0f minutes.\n",
		m.rounds, clock, took.Minutes())
	fmt.Fprintf(w, "- Pages: %s\n", m.pagesSaid())
	if m.cpp == nil {
		fmt.Fprintf(w, "- C++: %s\n", m.noCPP)
	} else {
		fmt.Fprintf(w, "- C++: %s; in a separate process, measured in the same rounds as the Go libraries; with the hash ready, which is not hashed again\n", m.cpp.version)
	}
}

// pagesSaid returns text about the memory pages that hold the filters.
func (m *measured) pagesSaid() string {
	if runtime.GOOS != "linux" {
		return "as the system gives them"
	}
	setting, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	if err != nil {
		setting = []byte("unknown")
	}
	kind := "small pages (of 4 KiB on amd64) for all filters"
	if m.huge {
		kind = "all filters of 64 MiB and 1 GiB, ours and the peers', ask for huge pages (of 2 MiB)"
	}
	return fmt.Sprintf("%s; smaller filters have what the system gives. The system's setting: %s. The tables say what large filters got.",
		kind, strings.TrimSpace(string(setting)))
}

func kib(bytes int) string {
	if bytes <= 0 {
		return "unknown"
	}
	return fmt.Sprintf("%d KiB", bytes>>10)
}
