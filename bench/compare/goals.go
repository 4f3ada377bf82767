package main

import (
	"fmt"
	"io"

	"github.com/bloomproof/bloomproof/bench"
)

// goal asks that one measurement be a multiple of another: over/under >= least.
type goal struct {
	text        string
	over, under string // keys of measurements
	least       float64
}

// goals are those that the project set itself. Where they speak of libpopcnt, a C
// library that is not here, the multiple is that of the read limit which libpopcnt had
// on the machine where both were measured.
func goals() []goal {
	var all []goal
	libpopcnt := map[string]float64{ // of the read limit; times the goal's multiple of libpopcnt
		"64 B": 0.75 * 35 / 38, "256 B": 0.75 * 92 / 93, "1 KiB": 0.9 * 156 / 270,
		"32 KiB": 183. / 345, "1 MiB": 1.1 * 127 / 161, "64 MiB": 0.95, "512 MiB": 0.95,
	}
	for _, s := range bench.WordsSizes {
		all = append(all, goal{"count, " + s.Name + ": of the read limit",
			key("count", s.Name, bench.Limit), key("count", s.Name, bench.Single), libpopcnt[s.Name]})
	}
	all = append(all,
		goal{"count, 32 KiB: over bitset", key("count", "32 KiB", "bitset"), key("count", "32 KiB", bench.Single), 8},
		goal{"count, 32 KiB: over viant/vec", key("count", "32 KiB", "viant/vec"), key("count", "32 KiB", bench.Single), 3},
		goal{"and-count, 32 KiB: over bitset", key("and-count", "32 KiB", "bitset"), key("and-count", "32 KiB", bench.Single), 6},
		goal{"and-count, 1 MiB: over bitset", key("and-count", "1 MiB", "bitset"), key("and-count", "1 MiB", bench.Single), 4.5},
		goal{"and-count, 64 MiB: over bitset", key("and-count", "64 MiB", "bitset"), key("and-count", "64 MiB", bench.Single), 1.6},
		goal{"and-count, 512 MiB: over a plain loop", key("and-count", "512 MiB", "math/bits"), key("and-count", "512 MiB", bench.Single), 1},
	)
	for _, size := range []struct {
		name                                string
		hit, miss, half, add, batch, stream float64
	}{
		{"L1", 7, 7, 7, 4, 0, 0}, {"L2", 7, 7, 7, 4, 0, 0},
		{"L3", 6.5, 18, 9, 4, 6, 0}, {"DRAM", 4, 11, 4.5, 4, 3, 10},
	} {
		over := func(op string) string { return key(op, size.name, short, bench.Baseline) }
		for i, pattern := range patterns {
			least := []float64{size.hit, size.miss, size.half}[i]
			all = append(all, goal{"batch, " + size.name + ", " + pattern + ": over " + bench.Baseline,
				over(pattern), key(pattern, size.name, short, bench.Batch), least})
			if size.name == "L1" || size.name == "L2" {
				all = append(all, goal{"batch of integers, " + size.name + ", " + pattern + ": over " + bench.Baseline,
					over(pattern), key(pattern, size.name, integer, bench.Batch), 12})
			}
			if size.name == "DRAM" {
				all = append(all, goal{"batch, hash ready, DRAM, " + pattern + ": of the line limit",
					key(pattern, size.name, ready, lineLimit), key(pattern, size.name, ready, bench.Batch), 0.9})
			}
		}
		all = append(all, goal{"single insert, " + size.name + ": over " + bench.Baseline, over("add"), key("add", size.name, short, bench.Single), size.add})
		if size.batch > 0 {
			all = append(all, goal{"batched inserts, " + size.name + ": over " + bench.Baseline, over("add"), key("add", size.name, short, bench.Batch), size.batch})
		}
		if size.stream > 0 {
			all = append(all, goal{"bulk load, " + size.name + ": over " + bench.Baseline, over("add"), key("add", size.name, ready, bulk), size.stream})
		}
	}
	return append(all, transitionGoals()...)
}

func (m *measured) printGoals(w io.Writer) {
	var met, of int
	rows := ""
	for _, g := range goals() {
		over, ok := m.ns[g.over]
		under, also := m.ns[g.under]
		if !ok || !also {
			continue
		}
		of++
		ratio, verdict := over/under, "met"
		if ratio >= g.least {
			met++
		} else {
			verdict = fmt.Sprintf("**missed** by %.0f %%", 100*(1-ratio/g.least))
		}
		rows += fmt.Sprintf("| %s | %.2f | %.2f | %s |\n", g.text, g.least, ratio, verdict)
	}
	fmt.Fprintf(w, "\n## Goals: %d of %d met here\n\n", met, of)
	fmt.Fprintf(w, "| ratio | goal | here | |\n| --- | ---: | ---: | --- |\n%s", rows)
}

// printSummary prints the table that the README repeats.
func (m *measured) printSummary(w io.Writer, sizes []bench.Size) {
	fmt.Fprint(w, "\n## Summary\n\nNanoseconds per 8-byte key, hashing included; in brackets, "+bench.Baseline+" divided by it.\n\n")
	columns := []string{bench.Single, bench.Batch, bench.Baseline, "holiman", "ristretto"}
	fmt.Fprint(w, "| k = 7 |")
	for _, c := range columns {
		fmt.Fprintf(w, " %s |", c)
	}
	fmt.Fprint(w, "\n| --- |")
	for range columns {
		fmt.Fprint(w, " ---: |")
	}
	fmt.Fprintln(w)
	for _, op := range append([]string{"add"}, patterns...) {
		for _, s := range sizes {
			fmt.Fprintf(w, "| %s, %s |", op, sizeName(s))
			for _, c := range columns {
				ns := m.ns[key(op, s.Name, short, c)]
				fmt.Fprintf(w, " %.1f", ns)
				if c != bench.Baseline {
					fmt.Fprintf(w, " (%.1f)", m.ns[key(op, s.Name, short, bench.Baseline)]/ns)
				}
				fmt.Fprint(w, " |")
			}
			fmt.Fprintln(w)
		}
	}
}

// sizeName returns the size of a filter in bytes.
func sizeName(s bench.Size) string {
	for _, unit := range []struct {
		shift uint
		name  string
	}{{33, "GiB"}, {23, "MiB"}, {13, "KiB"}} {
		if n := s.M >> unit.shift; n > 0 {
			return fmt.Sprintf("%d %s", n, unit.name)
		}
	}
	return fmt.Sprintf("%d bits", s.M)
}
