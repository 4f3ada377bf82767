package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// What docs/figures.md says in numbers of the figures is what their data say.
func TestCaptions(t *testing.T) {
	page := strings.Join(strings.Fields(string(contents(t, "../../docs/figures.md"))), " ")
	says := func(format string, args ...any) {
		t.Helper()
		if text := fmt.Sprintf(format, args...); !strings.Contains(page, text) {
			t.Errorf("docs/figures.md does not say %q", text)
		}
	}
	type row func(column string) float64
	data := func(names ...string) (rows []row) {
		for _, name := range names {
			all, err := table(shipped(t, name+".csv"))
			if err != nil {
				t.Fatal(err)
			}
			for _, cells := range all[1:] {
				rows = append(rows, func(column string) float64 {
					if column == "of the trace" {
						return float64(strings.Count(cells[0], "kjv"))
					}
					return number(all[0], cells, column)
				})
			}
		}
		return rows
	}
	count := func(rows []row, of func(row) bool) (n int) {
		for _, r := range rows {
			if of(r) {
				n++
			}
		}
		return n
	}
	at := func(rows []row, column string, x float64) row {
		i := slices.IndexFunc(rows, func(r row) bool { return r(column) == x })
		if i < 0 {
			t.Fatalf("no %s = %v", column, x)
		}
		return rows[i]
	}

	blocked, excess := data("blocks-bits"), data("blocks-rate")
	dearer := func(rate float64) float64 {
		cell := at(blocked, "rate", rate)
		return 100 * (cell("block_512")/cell("standard") - 1)
	}
	says("| 0.01 | %.0f %% | %.2f times as high |", dearer(1e-2), at(excess, "rate", 1e-2)("block_512"))
	says("| 10^-4 | %.0f %% | %.1f times as high |", dearer(1e-4), at(excess, "rate", 1e-4)("block_512"))
	says("| 10^-8 | %.0f %% | %.0f times as high |", dearer(1e-8), at(excess, "rate", 1e-8)("block_512"))

	doubled := data("double-hashing")
	costs := func(k, m float64) float64 {
		i := slices.IndexFunc(doubled, func(r row) bool { return r("k") == k && r("m") == m })
		return 100 * doubled[i]("double-zero")
	}
	says("| 7 | %.0f %% | %.3f %% |", costs(7, 1024), costs(7, 1<<20))
	says("| 12 | %.0f %% | %.2f %% |", costs(12, 1024), costs(12, 1<<20))

	small := data("small-filters")
	r := at(small, "m", 64)
	says("At m = 64 the textbook's rate is %.0f %% too low", 100*(1-r("textbook")/r("exact")))
	says("At m = 64 the measured rate of bits-and-blooms is %.1f times the exact rate. At m = 1024 it is %.1f times the exact rate.",
		r("measured_bits_and_blooms")/r("exact"), at(small, "m", 1024)("measured_bits_and_blooms")/at(small, "m", 1024)("exact"))
	last := func(prefix string) (m float64) { // at which the library is seen to differ
		for _, r := range small {
			if f := r(prefix + "exact"); f < r("measured_"+prefix+"bits_and_blooms_low") || f > r("measured_"+prefix+"bits_and_blooms_high") {
				m = r("m")
			}
		}
		return m
	}
	says("From m = %v on, no difference from the exact rate was seen. The CSV", 2*last(""))
	more := func(prime float64) float64 {
		r := at(small, "prime", prime)
		return 100 * (r("measured_prime_bits_and_blooms")/r("prime_exact") - 1)
	}
	says("At m = 61 the rate of bits-and-blooms is %.0f %% above the exact rate. At m = 251 it is %.0f %% above the exact rate.", more(61), more(251))
	says("For primes from m = %v on, no difference from the exact rate was seen. ![", at(small, "m", 2*last("prime_"))("prime"))

	best := data("burns-8")
	says("is at least 1 for %d values of n. For %d of these n, the standard filter's best k is above the estimate",
		count(best, func(r row) bool { return r("textbook") >= 1 }),
		count(best, func(r row) bool { return r("textbook") >= 1 && r("standard") > r("textbook") }))

	ks := data("fan-5", "fan-6")
	says("At %d of the %d points it differs", count(ks, func(r row) bool { return r("measured") != r("exact") }), len(ks))
	missed := func(model, measured string) func(row) bool {
		return func(r row) bool { return r(model) < r(measured+"_low") || r(model) > r(measured+"_high") }
	}
	rates := data("fan-7", "fan-9", "fan-11")
	if n := count(rates, missed("exact", "measured")); n != 0 {
		t.Errorf("%d intervals miss the exact rate", n)
	}
	says("the intervals of all %d points contain the exact rate", len(rates))
	counts := data("fan-13", "fan-14", "fan-15")
	if n := count(counts, missed("exact_distinct", "measured_distinct")); n != 1 {
		t.Errorf("%d intervals miss the exact correct rate", n)
	}
	says("Of the %d measured intervals, %d contain the exact share", len(counts), len(counts)-1)
	var means []string
	for _, name := range []string{"fan-8", "fan-10", "fan-12"} {
		sum, n := 0.0, 0.0
		for _, r := range data(name) {
			if r("of the trace") == 0 {
				sum, n = sum+r("bose_upper")/r("upper"), n+1
			}
		}
		hundreds := int(math.Round(sum / n / 100))
		means = append(means, fmt.Sprintf("%d,%d00", hundreds/10, hundreds%10))
	}
	says("| here | %s | %s | %s |", means[0], means[1], means[2])

	for name, peaks := range map[string][]int{"burns-9": {15, 16, 19, 20}, "burns-10": {10, 11, 15, 16}} {
		efficiencies := data(name)
		for _, k := range peaks {
			top := 0.0
			for _, r := range efficiencies {
				top = max(top, r(fmt.Sprintf("k_%d", k)))
			}
			says("%.4f for k = %d", top, k)
		}
	}
}
