package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/sim"
	"github.com/bloomproof/bloomproof/verify/stat"
)

var traces = flag.String("traces", "", "replay the traces of this directory and, with -update, write docs/traces.md")

const (
	tracesPage = "../../docs/traces.md"
	tracesHead = "| ---: | ---: | ---: | --- |\n" // the end of the table's head
)

// tracesFilters is the filter for each trace: small enough that it recycles often.
var tracesFilters = []struct {
	trace string
	bits  int // of each array; sigma is half of it
	seeds int
}{
	{"chloroplast-21mers", 8192, 10}, {"web07", 8192, 10}, {"weblog-urls", 1024, 10}, {"orm-busy", 8192, 5}, {"kjv-words", 8192, 10},
}

var tracesSettings = []tracesSetting{
	{"one", "", "a"},
	{"two, fixed", "-phases 2", "b"},
	{"two, fixed, no copy-over", "-phases 2 -copy=false", "c"},
	{"two, fresh", "-phases 2 -positions fresh", "b"},
	{"two, fresh, no copy-over", "-phases 2 -positions fresh -copy=false", "c"},
}

// tracesSetting is a filter's setting; why is the reason, explained on the page, for which
// its rate on a trace differs from that on new messages.
type tracesSetting struct{ name, flags, why string }

// measuredOver adds up the runs of one row of the table.
type measuredOver struct {
	hits, fills stat.Sums
}

// interval is the mean over the seeds with the 99 % interval of Student's t.
func interval(t *testing.T, s *stat.Sums) sim.Interval {
	t.Helper()
	mean, low, high, err := s.Ratio(confidence)
	if err != nil {
		t.Fatal(err)
	}
	return sim.Interval{Mean: mean, Low: low, High: high}
}

// tracesRow is a row of the table of docs/traces.md.
func tracesRow(t *testing.T, file string, bits, seeds int, s tracesSetting) string {
	t.Helper()
	recycles := 0.0
	var perNew, perCycleNew measuredOver
	allNew := math.NaN() // where there is no model
	for seed := range seeds {
		line := fmt.Sprintf("replay -json -trace %s -m %d -k 5 -sigma %d %s -seed %d", file, bits, bits/2, s.flags, seed)
		status, stdout, stderr := try(nil, strings.Fields(line)...)
		if status != statusOK {
			t.Fatalf("%s: status %d: %s", line, status, stderr)
		}
		o := checkJSON(t, stdout)
		get := func(path string) float64 { return field(t, o, path) }
		recycles += get("recycles") / float64(seeds)
		perNew.hits.Add(get("false_positives"), get("new"))
		perNew.fills.Add(get("given_fills.per_new")*get("new"), get("new"))
		perCycleNew.hits.Add(get("false_positives")+get("lucky"), get("cycle_new"))
		perCycleNew.fills.Add(get("given_fills.per_cycle_new")*get("cycle_new"), get("cycle_new"))
		if p, ok := o["predicted"].(map[string]any); ok && p["all_new"] != nil {
			allNew = get("predicted.all_new.fpr")
		}
	}
	of := func(m measuredOver) string {
		r := interval(t, &m.hits)
		return fmt.Sprintf("%.2f ± %.2f | %.2f", 100*r.Mean, 100*(r.High-r.Mean), 100*interval(t, &m.fills).Mean)
	}
	why, model := s.why, "-"
	if !math.IsNaN(allNew) {
		model = fmt.Sprintf("%.2f", 100*allNew)
	}
	if r := interval(t, &perCycleNew.hits); r.Low <= allNew && allNew <= r.High {
		why = "agrees"
	}
	return fmt.Sprintf("| %s | %d | %s | %.0f | %s | %s | %s | %s |",
		strings.TrimSuffix(filepath.Base(file), ".txt.gz"), bits, s.name, recycles, of(perNew), of(perCycleNew), model, why)
}

// The table of docs/traces.md is what replay says: two rows of the shipped trace, or with
// -traces all of them.
func TestTraces(t *testing.T) {
	if testing.Short() {
		t.Skip("short: the rows are of whole replays, ten each; the long tests replay two of them")
	}
	page, err := os.ReadFile(tracesPage)
	if err != nil {
		t.Fatal(err)
	}
	if *traces == "" {
		for _, s := range tracesSettings[:2] {
			if row := tracesRow(t, shipped, 8192, 10, s); !strings.Contains(string(page), row+"\n") {
				t.Errorf("docs/traces.md lacks the row\n%s", row)
			}
		}
		return
	}
	var rows []string
	for _, f := range tracesFilters {
		for _, s := range tracesSettings {
			rows = append(rows, tracesRow(t, filepath.Join(*traces, f.trace+".txt.gz"), f.bits, f.seeds, s))
		}
	}
	table := strings.Join(rows, "\n") + "\n"
	head, rest, ok := strings.Cut(string(page), tracesHead)
	if !ok {
		t.Fatal("docs/traces.md has no table")
	}
	_, tail, _ := strings.Cut(rest, "\n\n")
	want := head + tracesHead + table + "\n" + tail
	switch {
	case want == string(page):
	case *update:
		if err := os.WriteFile(tracesPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("docs/traces.md differs; its table is\n%s", table)
	}
}
