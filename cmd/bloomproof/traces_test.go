package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/sim"
	"github.com/bloomproof/bloomproof/verify/stat"
)

var traces = flag.String("traces", "", "replay the traces of this directory and, with -update, write docs/traces.md")

const (
	tracesPage = "../../docs/traces.md"
	// The ends of the heads of the tables: what the traces are like, false positives, false
	// negatives.
	trafficHead   = "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
	tracesHead    = "| ---: | ---: | ---: | --- |\n"
	forgottenHead = "| ---: | ---: | ---: | :---: | :---: |\n"
)

// tracesFilters is the filter for each trace: small enough that it recycles often.
var tracesFilters = []struct {
	trace string
	bits  int // of each array; sigma is half of it
	seeds int
}{
	{"chloroplast-21mers", 8192, 10}, {"web07", 8192, 10}, {"weblog-urls", 1024, 10}, {"orm-busy", 8192, 5}, {"kjv-words", 8192, 10},
}

const forgottenSeeds = 4

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

// sample holds a pair of numbers for each run. Their ratio is what is asked for.
type sample [][2]float64

func (s *sample) add(x, y float64) { *s = append(*s, [2]float64{x, y}) }

// measuredOver adds up the runs of one row of the table.
type measuredOver struct {
	hits, fills sample
}

// interval is the mean over the seeds with the 99 % interval of Student's t.
func interval(t *testing.T, s sample) sim.Interval {
	t.Helper()
	mean, low, high, err := stat.RatioInterval(s, confidence)
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
		line := fmt.Sprintf("replay -json -trace %s -m %d -k 5 -sigma %d %s -seed %d -model lower", file, bits, bits/2, s.flags, seed)
		status, stdout, stderr := try(nil, strings.Fields(line)...)
		if status != statusOK {
			t.Fatalf("%s: status %d: %s", line, status, stderr)
		}
		o := checkJSON(t, stdout)
		get := func(path string) float64 { return field(t, o, path) }
		recycles += get("recycles") / float64(seeds)
		perNew.hits.add(get("false_positives"), get("new"))
		perNew.fills.add(get("given_fills.per_new")*get("new"), get("new"))
		perCycleNew.hits.add(get("false_positives")+get("lucky"), get("cycle_new"))
		perCycleNew.fills.add(get("given_fills.per_cycle_new")*get("cycle_new"), get("cycle_new"))
		if p, ok := o["predicted"].(map[string]any); ok && p["all_new"] != nil {
			allNew = get("predicted.all_new.fpr")
		}
	}
	of := func(m measuredOver) string {
		r := interval(t, m.hits)
		return fmt.Sprintf("%.2f ± %.2f | %.2f", 100*r.Mean, 100*(r.High-r.Mean), 100*interval(t, m.fills).Mean)
	}
	why, model := s.why, "-"
	if !math.IsNaN(allNew) {
		model = fmt.Sprintf("%.2f", 100*allNew)
	}
	if r := interval(t, perCycleNew.hits); r.Low <= allNew && allNew <= r.High {
		why = "agrees"
	}
	return fmt.Sprintf("| %s | %d | %s | %.0f | %s | %s | %s | %s |",
		nameOf(file), bits, s.name, recycles, of(perNew), of(perCycleNew), model, why)
}

// forgottenRow is a row of the table of false negatives: the second half of a trace, after
// the first as warm-up.
func forgottenRow(t *testing.T, file string, bits, seeds int, s tracesSetting) string {
	t.Helper()
	var fnr sample
	var first map[string]any
	for seed := range seeds {
		line := fmt.Sprintf("replay -json -trace %s -m %d -k 5 -sigma %d %s -seed %d -warmup 0.5 -model ", file, bits, bits/2, s.flags, seed)
		if seed > 0 {
			line += "lower" // the traffic is the same, and so is what is predicted
		} else {
			line += "best"
		}
		status, stdout, stderr := try(nil, strings.Fields(line)...)
		if status != statusOK {
			t.Fatalf("%s: status %d: %s", line, status, stderr)
		}
		o := checkJSON(t, stdout)
		fnr.add(field(t, o, "false_negatives"), field(t, o, "arrivals"))
		if seed == 0 {
			first = o
		}
	}
	r := interval(t, fnr)
	predicted, conservative := field(t, first, "predicted.fnr"), "no"
	p := first["predicted"].(map[string]any)
	if p["conservative"] == true {
		conservative = "yes"
	}
	made := "yes"
	if p["valid"] != true {
		made = "no"
	}
	return fmt.Sprintf("| %s | %s | %.2f ± %.2f | %.2f | %.2f | %v | %.2f | %.3f | %.3f | %s | %s |",
		nameOf(file), s.name, 100*r.Mean, 100*(r.High-r.Mean), 100*predicted, predicted/r.Mean, p["model"], 100*field(t, first, "predicted.by_gaps.fnr.mean"),
		field(t, first, "predicted.beyond_cycle"), field(t, first, "predicted.beyond_cycle_shuffled"), conservative, made)
}

// trafficRow is a row of the table of what the second halves of the traces are like.
func trafficRow(t *testing.T, file string) string {
	t.Helper()
	status, stdout, stderr := try(nil, strings.Fields("replay -json -m 64 -k 1 -sigma 32 -model lower -warmup 0.5 -trace "+file)...)
	if status != statusOK {
		t.Fatalf("%s: status %d: %s", file, status, stderr)
	}
	o := checkJSON(t, stdout)
	get := func(path string) float64 { return field(t, o, "traffic."+path) }
	return fmt.Sprintf("| %s | %.2f | %.0f | %.0f | %.3f, %.3f | %.2g | %.5g, %.5g | %.3f, %.3f |", nameOf(file),
		100*get("repeat"), get("ranks"), get("once"), get("halves.distance"), get("halves.noise"), get("halves.p"),
		get("gap"), get("gap_shuffled"), get("entropy"), get("entropy_shuffled"))
}

func nameOf(file string) string { return strings.TrimSuffix(filepath.Base(file), ".txt.gz") }

// The tables of docs/traces.md are what replay says: a row each of the shipped trace, or with
// -traces all of them.
func TestTraces(t *testing.T) {
	if *traces == "" {
		longtest.Only(t, "the rows are of whole replays, ten each")
	}
	page, err := os.ReadFile(tracesPage)
	if err != nil {
		t.Fatal(err)
	}
	if *traces == "" {
		for _, row := range []string{
			trafficRow(t, shipped), tracesRow(t, shipped, 8192, 10, tracesSettings[0]), forgottenRow(t, shipped, 8192, forgottenSeeds, tracesSettings[0]),
		} {
			if !strings.Contains(string(page), row+"\n") {
				t.Errorf("docs/traces.md lacks the row\n%s", row)
			}
		}
		return
	}
	var traffics, rows, forgotten []string
	for _, f := range tracesFilters {
		file := filepath.Join(*traces, f.trace+".txt.gz")
		traffics = append(traffics, trafficRow(t, file))
		for _, s := range tracesSettings {
			rows = append(rows, tracesRow(t, file, f.bits, f.seeds, s))
			forgotten = append(forgotten, forgottenRow(t, file, f.bits, forgottenSeeds, s))
		}
	}
	want := string(page)
	for _, table := range []struct {
		head string
		rows []string
	}{{trafficHead, traffics}, {tracesHead, rows}, {forgottenHead, forgotten}} {
		want = withTable(t, want, table.head, table.rows)
	}
	pageIs(t, string(page), want)
}

// pageIs fails if docs/traces.md is not as it should be, or with -update writes it.
func pageIs(t *testing.T, page, want string) {
	t.Helper()
	switch {
	case want == page:
	case *update:
		if err := os.WriteFile(tracesPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("docs/traces.md differs; it should be\n%s", want)
	}
}
