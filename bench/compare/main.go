// Command compare measures the forms of package bench against each other in one process
// and prints tables of nanoseconds and ratios, and which goals they meet.
//
// Every measurement is taken in rounds; a round visits the implementations in one order,
// the next round in the other, and the median of the rounds is reported.
package main

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/bloomproof/bloomproof/bench"
	"github.com/klauspost/cpuid/v2"
)

// tried is what was done about goals that are missed, and what did not help.
//
//go:embed tried.md
var tried string

func main() {
	rounds := flag.Int("rounds", 10, "rounds of each measurement, at least 2")
	sizes := flag.String("sizes", "L1,L2,L3,DRAM", "sizes of filters, of L1, L2, L3, DRAM (16 GiB of memory)")
	out := flag.String("out", "", "write the tables to this file too")
	flag.Parse()
	if err := run(*rounds, *sizes, *out, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func run(rounds int, names, out string, w io.Writer) error {
	if rounds < 2 {
		return fmt.Errorf("-rounds: must be at least 2, got %d", rounds)
	}
	sizes, err := sizesNamed(names)
	if err != nil {
		return err
	}
	runtime.LockOSThread()
	m := &measured{rounds: rounds, ns: map[string]float64{}}
	m.words()
	for _, s := range sizes {
		if err := m.filters(s); err != nil {
			return err
		}
	}
	m.transitions()

	var b bytes.Buffer
	m.header(&b)
	m.printSummary(&b, sizes)
	m.printGoals(&b)
	b.WriteString(tried)
	m.printWords(&b)
	for _, s := range sizes {
		m.printFilters(&b, s)
	}
	m.printTransitions(&b)
	if _, err := w.Write(b.Bytes()); err != nil || out == "" {
		return err
	}
	return os.WriteFile(out, b.Bytes(), 0o644)
}

func sizesNamed(names string) (sizes []bench.Size, err error) {
	for _, name := range strings.Split(names, ",") {
		i := slices.IndexFunc(bench.Sizes, func(s bench.Size) bool { return s.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("-sizes: %q is none of L1, L2, L3, DRAM", name)
		}
		sizes = append(sizes, bench.Sizes[i])
	}
	return sizes, nil
}

// measured holds medians of nanoseconds by key: operation/size/keys/implementation.
type measured struct {
	rounds int
	ns     map[string]float64
}

func key(parts ...string) string { return strings.Join(parts, "/") }

// task is one thing to measure: f does some work and returns its nanoseconds per unit.
type task struct {
	key string
	f   func() float64
}

// inTurn runs every task once a round, in one order and then in the other, and stores
// the medians.
func (m *measured) inTurn(tasks []task) {
	all := make([][]float64, len(tasks))
	for r := range m.rounds {
		for i := range tasks {
			if r%2 == 1 {
				i = len(tasks) - 1 - i
			}
			all[i] = append(all[i], tasks[i].f())
		}
	}
	for i, t := range tasks {
		m.ns[t.key] = median(all[i])
	}
}

func median(x []float64) float64 {
	slices.Sort(x)
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// timed returns the nanoseconds that f takes, by units of work.
func timed(units int, f func()) float64 {
	start := now()
	f()
	return float64((now() - start).Nanoseconds()) / float64(units)
}

func (m *measured) header(w io.Writer) {
	level := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "GOAMD64" || s.Key == "GOARM64" {
				level = ", " + s.Key + "=" + s.Value
			}
		}
	}
	fmt.Fprintf(w, "# Comparison with other filters\n\nMade by `make bench` on %s; do not edit.\n\n", time.Now().UTC().Format(time.DateOnly))
	c := cpuid.CPU
	fmt.Fprintf(w, "- CPU: %s (family %d, model %d), %d processors; L1 %s, L2 %s, L3 %s\n", c.BrandName, c.Family, c.Model,
		runtime.NumCPU(), kib(c.Cache.L1D), kib(c.Cache.L2), kib(c.Cache.L3))
	fmt.Fprintf(w, "- Go: %s %s/%s%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, level)
	fmt.Fprintf(w, "- Medians of %d rounds, the order of the implementations turned round each time; one goroutine; %s.\n", m.rounds, clock)
}

func kib(bytes int) string {
	if bytes <= 0 {
		return "unknown"
	}
	return fmt.Sprintf("%d KiB", bytes>>10)
}
