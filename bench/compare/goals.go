package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/bloomproof/bloomproof/bench"
)

// goal requires that the ratio over/under of two measurements is at least the number least. If over lists several
// measurements, the smallest of them is used. Measurements that were not taken are ignored.
type goal struct {
	text  string
	over  []string // keys of measurements
	under string
	least float64
}

// The function named one returns a list with one key.
func one(key string) []string { return []string{key} }

// goals returns the goals of the project for a family of CPUs. The goals depend on no other property of the machine.
// The argument named counts is true if libpopcnt is measured.
func goals(family string, counts bool) []goal {
	var all []goal
	switch family {
	case avx512:
		all = goalsAVX512(counts)
	case avx2:
		all = goalsAVX2()
	}
	return append(all, goalsBlocks()...)
}

// goalsOfCounts returns the goals for counting ones. The goals are multiples of the speed of the library libpopcnt. For
// arrays larger than the L2 cache there are also goals that are multiples of the read limit, which is the speed of a
// loop that only reads memory. If libpopcnt is not measured, its speed for arrays of at most 1 MiB is estimated as a
// share of the read limit. This share was measured on another machine.
func goalsOfCounts(measured bool) (all []goal) {
	for _, c := range []struct {
		size     string
		least    float64 // the goal, as a multiple of the speed of libpopcnt
		had      float64 // the speed of libpopcnt, as a share of the read limit
		beyondL2 bool
	}{
		{"64 B", 0.75, 35. / 38, false}, {"256 B", 0.75, 92. / 93, false}, {"1 KiB", 0.9, 156. / 270, false},
		{"32 KiB", 1, 183. / 345, false}, {"1 MiB", 1.1, 127. / 161, false}, {"64 MiB", 1.2, 0, true}, {"512 MiB", 1.2, 0, true},
	} {
		over := func(name, as string, least float64) {
			all = append(all, goal{"count, " + c.size + ": " + as, one(key("count", c.size, name)), key("count", c.size, bench.Single), least})
		}
		if measured {
			over(libpopcnt, "over "+libpopcnt, c.least)
		} else if !c.beyondL2 {
			over(bench.Limit, "of the read limit", c.least*c.had)
		}
		if c.beyondL2 {
			over(bench.Limit, "of the read limit", 0.95)
		}
	}
	return all
}

// goalsAVX512 returns the goals for CPUs with AVX-512.
func goalsAVX512(counts bool) []goal {
	all := goalsOfCounts(counts)
	all = append(all,
		goal{"count, 32 KiB: over bitset", one(key("count", "32 KiB", "bitset")), key("count", "32 KiB", bench.Single), 8},
		goal{"count, 32 KiB: over viant/vec", one(key("count", "32 KiB", "viant/vec")), key("count", "32 KiB", bench.Single), 3},
		goal{"and-count, 32 KiB: over bitset", one(key("and-count", "32 KiB", "bitset")), key("and-count", "32 KiB", bench.Single), 6},
		goal{"and-count, 1 MiB: over bitset", one(key("and-count", "1 MiB", "bitset")), key("and-count", "1 MiB", bench.Single), 4.5},
		goal{"and-count, 64 MiB: over bitset", one(key("and-count", "64 MiB", "bitset")), key("and-count", "64 MiB", bench.Single), 1.6},
		goal{"and-count, 512 MiB: over a plain loop", one(key("and-count", "512 MiB", "math/bits")), key("and-count", "512 MiB", bench.Single), 1},
	)
	for _, size := range []struct {
		name                                string
		hit, miss, half, add, batch, stream float64
	}{
		{"L1", 7, 7, 7, 4, 0, 0}, {"L2", 7, 7, 7, 4, 0, 0},
		{"L3", 6.5, 18, 9, 4, 6, 0}, {"DRAM", 4, 11, 4.5, 4, 3, 10},
	} {
		over := func(op string) []string { return one(key(op, size.name, short, bench.Baseline)) }
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
					one(key(pattern, size.name, ready, lineLimit)), key(pattern, size.name, ready, bench.Batch), 0.9})
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

// goalsAVX2 returns the goals for CPUs with AVX2 and without AVX-512. All filters have the same kind of pages.
func goalsAVX2() (all []goal) {
	for _, size := range []struct {
		name            string
		hit, miss, half float64
	}{{"L1", 6, 6, 6}, {"L2", 5, 5, 5}, {"L3", 6, 13, 6}} {
		for i, pattern := range patterns {
			all = append(all, goal{"batch, " + size.name + ", " + pattern + ": over " + bench.Baseline,
				one(key(pattern, size.name, short, bench.Baseline)), key(pattern, size.name, short, bench.Batch),
				[]float64{size.hit, size.miss, size.half}[i]})
		}
	}
	for _, s := range bench.Sizes {
		for _, op := range append([]string{"add"}, patterns...) {
			var free []string
			for _, p := range bench.Peers() {
				if p.Shape.Block == 0 && !strings.HasPrefix(p.Name, bench.Single) {
					free = append(free, key(op, s.Name, short, p.Name))
				}
			}
			all = append(all, goal{"single " + op + ", " + s.Name + ": over the fastest Go filter with free positions",
				free, key(op, s.Name, short, bench.Single), 1})
		}
		all = append(all,
			goal{"batched inserts, hash ready, " + s.Name + ": over Boost's bulk form",
				one(key("add", s.Name, ready, boostFilter+inBulk)), key("add", s.Name, ready, bench.Batch), 1 / 1.1})
		for _, g := range goroutineCounts {
			all = append(all, goal{fmt.Sprintf("inserts of %d goroutines, %s: over %s", g, s.Name, bench.Sharded),
				one(goroutineKey(s, "add", g, bench.Sharded)), goroutineKey(s, "add", g, bench.Shared), 1})
		}
	}
	return all
}

// bitsKey returns the name of the measurement of the bits per key that a filter needs to have the target rate.
func bitsKey(s bench.Size, target float64, name string) string {
	return key("bits", s.Name, fmt.Sprintf("%g", target), name)
}

// goalsBlocks returns the goals for filters with blocks on any CPU, at equal rates of 1e-2 and 1e-4. One shape of
// blocks must meet all these goals for time and for memory. It has blocks of 512 bits with k independent positions.
func goalsBlocks() (all []goal) {
	for _, target := range []float64{1e-2, 1e-4} {
		at := fmt.Sprintf(", a rate of %g", target)
		for _, s := range bench.Sizes {
			beyondL1, beyondL2 := s.Name != "L1", s.Name != "L1" && s.Name != "L2"
			for _, op := range append([]string{"add"}, patterns...) {
				measure := func(form, name string) string { return rateKey(s, target, op, form, name) }
				if beyondL2 && op != "add" {
					all = append(all, goal{"blocks, batch, hash ready, " + s.Name + ", " + op + at + ": of the line limit",
						one(measure(ready, oneLine)), measure(ready, bench.Any512+bench.InBatch), 1 / 1.3})
				}
				if beyondL1 {
					all = append(all, goal{"blocks, batch, " + s.Name + ", " + op + at + ": over " + bench.Parquet,
						one(measure(short, bench.Parquet)), measure(short, bench.Any512+bench.InBatch), 5})
				}
				all = append(all,
					goal{"blocks, single, " + s.Name + ", " + op + at + ": over " + bench.Parquet + " and " + bench.Blobloom,
						[]string{measure(short, bench.Parquet), measure(short, bench.Blobloom)}, measure(short, bench.Any512), 1},
					goal{"blocks, single, hash ready, " + s.Name + ", " + op + at + ": over Boost's",
						[]string{measure(ready, boost64), measure(ready, boost32)}, measure(ready, bench.Any512), 1 / 1.5})
			}
		}
		most := map[float64]float64{1e-2: 1.06, 1e-4: 1.15}[target]
		for _, s := range bench.Sizes {
			if s.Name != "L3" {
				continue // bits per key hardly depend on the size
			}
			all = append(all, goal{"blocks, " + s.Name + at + ": bits a key of the standard filter",
				one(bitsKey(s, target, bench.Single)), bitsKey(s, target, bench.Any512), 1 / most})
		}
	}
	return all
}

// The goals refer to some measurements that are not times. The method derive adds these measurements.
func (m *measured) derive() {
	for _, r := range m.rated {
		m.ns[bitsKey(r.size, r.target, r.name)] = r.bits()
	}
}

// The method named least returns the smallest of the measurements with the given names. It ignores names without a
// measurement.
func (m *measured) least(keys []string) (least float64, ok bool) {
	for _, k := range keys {
		if x, known := m.ns[k]; known && (!ok || x < least) {
			least, ok = x, true
		}
	}
	return least, ok
}

func (m *measured) printGoals(w io.Writer) {
	var met, of int
	rows := ""
	m.derive()
	for _, g := range goals(family(), m.cpp.has(libpopcnt)) {
		over, ok := m.least(g.over)
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
	fmt.Fprintf(w, "\n### Goals: %d of %d met here\n\n", met, of)
	fmt.Fprintf(w, "| ratio | goal | here | |\n| --- | ---: | ---: | --- |\n%s", rows)
}

// printSummary prints the table that the README repeats.
func (m *measured) printSummary(w io.Writer) {
	fmt.Fprint(w, "\n### Summary\n\nNanoseconds per 8-byte key, hashing included. In brackets: the time of "+bench.Baseline+" divided by the time before the brackets.\n\n")
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
		for _, s := range m.sizes {
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
