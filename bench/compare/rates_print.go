package main

import (
	"fmt"
	"io"

	"github.com/bloomproof/bloomproof/bench"
)

const rateColumns = "| rate, measured | bits a key | k | cache lines: hit, miss |"

// The method settle has filled the filter r. The method cells returns the table cells that describe this filter.
func (r rated) cells() string {
	return fmt.Sprintf(" %s (%s to %s) | %.2f | %d | %s, %s |", short3(r.rate), short3(r.low), short3(r.high),
		r.bits(), r.k, lines3(r.hit), lines3(r.miss))
}

// bits returns the number of bits of the filter per key.
func (r rated) bits() float64 { return float64(r.size.M) / float64(r.n) }

func short3(x float64) string { return fmt.Sprintf("%.3g", x) }

func lines3(x float64) string { return fmt.Sprintf("%.3g", x) }

// cell returns a time as text, or "" if there is no measurement.
func (m *measured) cell(key string) string {
	if ns, ok := m.ns[key]; ok {
		return fmt.Sprintf(" %.1f |", ns)
	}
	return " |"
}

// summarySize and summaryRate are the size and the rate of the filters in the README's table of filters with equal
// rates.
const (
	summarySize = "L3"
	summaryRate = 1e-2
)

// printRateSummary prints the README's table of filters with equal rates.
func (m *measured) printRateSummary(w io.Writer) {
	rows := ""
	for _, r := range m.rated {
		if r.size.Name != summarySize || r.target != summaryRate {
			continue
		}
		for _, form := range r.forms {
			if _, ok := m.ns[rateKey(r.size, r.target, "hit", short, form)]; !ok {
				continue
			}
			rows += fmt.Sprintf("| %s |%s", form, r.cells())
			for _, op := range append(patterns, "add") {
				rows += m.cell(rateKey(r.size, r.target, op, short, form))
			}
			rows += "\n"
		}
	}
	if rows == "" {
		return
	}
	var size bench.Size
	for _, s := range bench.Sizes {
		if s.Name == summarySize {
			size = s
		}
	}
	fmt.Fprintf(w, "\n### Summary at equal rate\n\nThe times are in nanoseconds per 8-byte key, and include the hashing. Each filter has %s and a rate of %g.\n\n", sizeName(size), summaryRate)
	fmt.Fprintf(w, "| at equal rate %s hit | miss | half | add |\n| --- | --- | ---: | ---: | --- | ---: | ---: | ---: | ---: |\n%s", rateColumns, rows)
}

// printRates prints all tables that compare filters with equal rates.
func (m *measured) printRates(w io.Writer) {
	fmt.Fprintf(w, "\n### Filters at equal rate\n\nEach filter holds so many keys that it has the given rate. This rate is measured on the same filter that is timed, with %d expected false positives or %.0e look-ups, whichever is less. In brackets is the interval of the measured rate at %.0f %% confidence. ",
		m.positives, float64(m.probes), 100*rateConfidence)
	fmt.Fprint(w, "The numbers of cache lines are expected values, computed from k, the measured share of set bits and the address at which the filter begins. An insert touches as many cache lines as a hit.\n")
	var last rated
	for _, r := range m.rated {
		if r.size != last.size || r.target != last.target {
			m.rateHead(w, r.size, r.target)
			last = r
		}
		for _, form := range r.forms {
			for _, keys := range rateForms {
				if _, ok := m.ns[rateKey(r.size, r.target, "hit", keys, form)]; !ok {
					continue
				}
				fmt.Fprintf(w, "| %s | %s | %s |%s", form, keys, r.share, r.cells())
				for _, op := range append(patterns, "add") {
					fmt.Fprint(w, m.cell(rateKey(r.size, r.target, op, keys, form)))
				}
				fmt.Fprintln(w)
			}
		}
	}
}

// rateHead prints the head of a table, and the row with the times of the loop oneLine.
func (m *measured) rateHead(w io.Writer, s bench.Size, target float64) {
	fmt.Fprintf(w, "\n#### %s, a rate of %g: nanoseconds per key\n\n| | keys | huge pages %s hit | miss | half | add |\n| --- | --- | ---: | --- | ---: | ---: | --- | ---: | ---: | ---: | ---: |\n| %s | %s | | | | | 1, 1 |",
		sizeName(s), target, rateColumns, oneLine, ready)
	for _, op := range append(patterns, "add") {
		fmt.Fprint(w, m.cell(rateKey(s, target, op, ready, oneLine)))
	}
	fmt.Fprintln(w)
}
