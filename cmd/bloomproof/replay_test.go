package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/bloomproof/bloomproof"
	approxfnr "github.com/bloomproof/bloomproof/approx/fnr"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// replayJSON replays and returns the fields.
func replayJSON(t *testing.T, stdin io.Reader, flags string) map[string]any {
	t.Helper()
	status, stdout, stderr := try(stdin, append(strings.Fields("replay -json "+flags), "-trace=-")...)
	if status != statusOK {
		t.Fatalf("%s: status %d: %s", flags, status, stderr)
	}
	return checkJSON(t, stdout)
}

func field(t *testing.T, object map[string]any, path string) float64 {
	t.Helper()
	var v any = object
	for name := range strings.SplitSeq(path, ".") {
		next, ok := v.(map[string]any)
		if !ok {
			t.Fatalf("no field %s", path)
		}
		v = next[name]
	}
	x, err := strconv.ParseFloat(fmt.Sprint(v), 64)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return x
}

// readShipped reads the text of the shipped trace, once for all tests.
var readShipped = sync.OnceValues(func() ([]byte, error) {
	f, err := os.Open(shipped)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
})

// shippedText returns the text of the shipped trace. Nobody changes it.
func shippedText(t *testing.T) []byte {
	t.Helper()
	text, err := readShipped()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// wholeLines returns the first part of a text, one in this many, up to the end of a line.
func wholeLines(text []byte, part int) []byte {
	if part == 1 {
		return text
	}
	at := len(text) / part
	return text[:bytes.IndexByte(text[at:], '\n')+at+1]
}

// variants are the settings of a recycling filter that read differently, with enough
// recycles on the shipped trace.
var variants = []string{
	"-m 8Ki -k 4 -sigma 4Ki",
	"-m 8Ki -k 4 -sigma 4Ki -retain -hashing classic",
	"-m 8Ki -k 4 -messages 700 -hashing partitioned -positions fresh",
	"-m 8Ki -k 4 -sigma 4Ki -phases 2",
	"-m 8Ki -k 4 -sigma 4Ki -phases 2 -copy=false -freeze before",
	"-m 8Ki -k 3 -sigma 4000 -phases 2 -positions fresh -retain",
	"-m 8Ki -k 4 -messages 800 -phases 2 -hashing partitioned",
}

// On the shipped trace no recorded key is ever called new, the counts add up, and the
// false positives are as many as the fills of the arrays say. Given the past, a new key
// is a false positive with the filter's rate, so their number less the sum of the rates
// has mean 0 and at most that sum as its variance; by Freedman's inequality it is off by
// more than d with probability at most 2 exp(-d^2/(2 (sum + d/3))), below 1e-6 for all
// the runs of this test together.
func TestReplayShipped(t *testing.T) {
	text := wholeLines(shippedText(t), longtest.More(6, 1))
	seeds := longtest.More(1, 4)
	want := bytes.Count(text, []byte("\n"))
	distinct := map[string]bool{}
	for line := range bytes.Lines(text) {
		distinct[string(line)] = true
	}
	for i, flags := range variants {
		for seed := range seeds {
			o := replayJSON(t, bytes.NewReader(text), fmt.Sprintf("%s -model lower -seed %d", flags, 100*i+seed)) // the quickest
			get := func(path string) float64 { return field(t, o, path) }
			if get("false_negatives_in_cycle") != 0 {
				t.Errorf("%s: %v recorded keys called new", flags, o["false_negatives_in_cycle"])
			}
			sum := get("true_positives") + get("false_positives") + get("true_negatives") + get("false_negatives")
			if sum != float64(want) || get("arrivals") != sum || get("distinct") != float64(len(distinct)) || get("new") != get("distinct") {
				t.Errorf("%s: %v arrivals, %v distinct, %v new, sum %v; want %d and %d", flags, o["arrivals"], o["distinct"], o["new"], sum, want, len(distinct))
			}
			if get("recycles") < 3 || get("false_positives") < 10 || get("lucky") < 1 {
				t.Errorf("%s: too little happened: %v", flags, o)
			}
			expected := get("given_fills.per_new") * get("new")
			d := math.Abs(get("false_positives") - expected)
			if p := 2 * math.Exp(-d*d/(2*(expected+d/3))); p < 1e-6/float64(len(variants)*4) {
				t.Errorf("%s: %v false positives, %.1f given the fills", flags, o["false_positives"], expected)
			}
			for path, mean := range map[string]float64{
				"fpr.per_arrival":   get("false_positives") / get("arrivals"),
				"fpr.per_new":       get("false_positives") / get("new"),
				"fpr.per_cycle_new": (get("false_positives") + get("lucky")) / get("cycle_new"),
				"fnr":               get("false_negatives") / get("arrivals"),
			} {
				if get(path+".mean") != mean || !(get(path+".low") < mean && mean < get(path+".high")) {
					t.Errorf("%s: %s is %v, want %v inside its interval", flags, path, get(path), mean)
				}
			}
		}
	}
}

// What the example of the README shows: the interval contains the model's value.
func TestReplayContainsModel(t *testing.T) {
	quick := longtest.More(" -model lower", "") // the quickest: what is given the fills is of none
	o := replayJSON(t, bytes.NewReader(wholeLines(shippedText(t), longtest.More(4, 1))), "-m 16Ki -k 4 -sigma 8Ki -phases 2"+quick)
	model := field(t, o, "given_fills.per_new")
	if low, high := field(t, o, "fpr.per_new.low"), field(t, o, "fpr.per_new.high"); !(low <= model && model <= high) {
		t.Errorf("model %v outside [%v, %v]", model, low, high)
	}
	if p, _ := o["given_fills"].(map[string]any); p["within"] != true {
		t.Errorf("given the fills: %v", p)
	}
}

// plain counts arrivals by a filter and three sets of keys, for copy-over and freeze
// after, and sums the rates before new and before cycle-new ones.
func plain(t *testing.T, text []byte, g bloomproof.Geometry, r bloomproof.Recycling, skip int) (n map[string]int, ofNew, ofCycleNew float64) {
	f, err := kernel.NewRecycling(g, r, kernel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n = map[string]int{}
	seen, active, frozen := map[string]bool{}, map[string]bool{}, map[string]bool{}
	i := 0
	for line := range bytes.Lines(text) {
		key := string(bytes.TrimSuffix(line, []byte("\n")))
		isNew, recorded, rate := !seen[key], active[key] || frozen[key], f.Rate()
		o := f.Observe([]byte(key))
		seen[key], active[key] = true, true
		if o.Recycled {
			frozen = map[string]bool{}
			if r.TwoPhase {
				frozen = active
			}
			active = map[string]bool{}
		}
		if i++; i <= skip {
			continue
		}
		if o.Recycled {
			n["recycles"]++
		}
		switch {
		case isNew && o.Repeat():
			n["false_positives"]++
		case isNew:
			n["true_negatives"]++
		case recorded && !o.Repeat():
			n["false_negatives_in_cycle"]++
		case !o.Repeat():
			n["false_negatives"]++
		default:
			n["true_positives"]++
			if !recorded {
				n["lucky"]++
			}
		}
		if isNew {
			ofNew += rate
		}
		if !recorded {
			ofCycleNew += rate
		}
	}
	return n, ofNew, ofCycleNew
}

// replay counts what a plain loop over the same filter counts, with and without a
// warm-up, on text, on a file, and compressed.
func TestReplayAgainstPlainLoop(t *testing.T) {
	text := slices.Clone(shippedText(t)[:longtest.More(60_000, 200_000)])
	text = append(text, "\n\nlast\r\n\nunended"...)
	lines := bytes.Count(text, []byte("\n")) + 1
	file := t.TempDir() + "/trace"
	if err := os.WriteFile(file, compress(t, string(text)), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, twoPhase := range []bool{false, true} {
		for _, warmup := range []struct {
			text string
			skip int
		}{{"0", 0}, {"0.3", lines * 3 / 10}, {"0.9999999", lines - 1}} {
			g := bloomproof.Geometry{M: 2048, K: 3}
			want, ofNew, ofCycleNew := plain(t, text, g, bloomproof.Recycling{Sigma: 1024, TwoPhase: twoPhase}, warmup.skip)
			flags := fmt.Sprintf("replay -json -m 2Ki -k 3 -sigma 1Ki -phases %s -warmup %s -trace %s", phasesWords.of(twoPhase), warmup.text, file)
			status, stdout, stderr := try(nil, strings.Fields(flags)...)
			if status != statusOK {
				t.Fatalf("%s: status %d: %s", flags, status, stderr)
			}
			got := checkJSON(t, stdout)
			for _, name := range []string{"recycles", "true_positives", "false_positives", "true_negatives", "false_negatives", "false_negatives_in_cycle", "lucky"} {
				if got[name] != json.Number(fmt.Sprint(want[name])) {
					t.Errorf("%s: %s is %v, want %d", flags, name, got[name], want[name])
				}
			}
			unseen := want["false_positives"] + want["true_negatives"]
			for path, of := range map[string]struct {
				sum   float64
				among int
			}{
				"per_arrival":   {ofNew, lines - warmup.skip},
				"per_new":       {ofNew, unseen},
				"per_cycle_new": {ofCycleNew, unseen + want["false_negatives"] + want["lucky"]},
			} {
				if of.among == 0 {
					continue // null, as TestGolden shows
				}
				if mean := field(t, got, "given_fills."+path); math.Abs(mean-of.sum/float64(of.among)) > 1e-12 {
					t.Errorf("%s: %s given the fills is %v, want %v", flags, path, mean, of.sum/float64(of.among))
				}
			}
			if field(t, got, "arrivals") != float64(lines-warmup.skip) || field(t, got, "warmup_arrivals") != float64(warmup.skip) || got["warmup"] != warmup.text {
				t.Errorf("%s: %v arrivals, %v before them, warmup %v", flags, got["arrivals"], got["warmup_arrivals"], got["warmup"])
			}
			if warmup.skip == 0 {
				delete(got, "per_second")
				delete(got["traffic"].(map[string]any), "halves") // the file is read twice
				other := replayJSON(t, bytes.NewReader(text), fmt.Sprintf("-m 2Ki -k 3 -sigma 1Ki -phases %s", phasesWords.of(twoPhase)))
				delete(other, "per_second")
				if x, ok := other["traffic"].(map[string]any); ok {
					delete(x, "halves")
				}
				if fmt.Sprint(got) != fmt.Sprint(other) {
					t.Errorf("file and standard input differ:\n%v\n%v", got, other)
				}
			}
		}
	}
}

// -target sizes the filter: its rate on new keys is at most the target, that of the next
// sigma is not, all arrays together have the bits of -m, and the replay is that of the
// filter so described.
func TestReplayTarget(t *testing.T) {
	const text = "a\nb\na\nc\nb\n"
	for _, phases := range []string{"1", "2"} {
		sized := replayJSON(t, strings.NewReader(text), "-m 3000 -target 0.02 -phases "+phases)
		arrays := field(t, sized, "phases")
		if m := field(t, sized, "m"); m*arrays != 3000 || field(t, sized, "total_m") != 3000 || sized["target"] != "0.02" {
			t.Errorf("phases %s: m %v, total %v, target %v", phases, sized["m"], sized["total_m"], sized["target"])
		}
		given := func(more int) map[string]any {
			return replayJSON(t, strings.NewReader(text), fmt.Sprintf("-m %v -k %v -sigma %.0f -phases %s",
				sized["m"], sized["k"], field(t, sized, "sigma")+float64(more), phases))
		}
		next := field(t, given(1), "predicted.all_new.fpr")
		if at := field(t, sized, "predicted.all_new.fpr"); !(at <= 0.02 && 0.02 < next) {
			t.Errorf("phases %s: rate %v at sigma, %v at sigma+1, target 0.02", phases, at, next)
		}
		same := given(0)
		for _, name := range []string{"target", "total_m", "per_second"} {
			delete(sized, name)
			delete(same, name)
		}
		if fmt.Sprint(sized) != fmt.Sprint(same) {
			t.Errorf("phases %s: sized and given differ:\n%v\n%v", phases, sized, same)
		}
	}
}

// Every route of fpr prints the same digits, which begin as Burns prints them (3.4) and
// as the chain over set bits gives them in a separate Python program.
func TestRoutesAgree(t *testing.T) {
	for _, c := range []struct{ flags, routes, begins string }{
		{"-m 64 -n 4 -k 10", "auto difference stirling recursive christensen grandi", "0.000615"},
		{"-m 64 -n 4 -k 9 -hashing classic", "auto difference recursive hypergeometric", "0.000455"},
		{"-m 1000 -n 20 -k 3", "auto difference stirling recursive christensen grandi", "0.000198064996311208"},
		{"-m 300 -n 12 -k 3 -hashing classic", "auto difference recursive hypergeometric", "0.00135960655205"},
	} {
		var first any
		for route := range strings.FieldsSeq(c.routes) {
			flags := "fpr -digits 40 -json " + c.flags + " -route " + route
			status, stdout, stderr := try(nil, strings.Fields(flags)...)
			if status != statusOK {
				t.Errorf("%s: status %d: %s", flags, status, stderr)
				continue
			}
			object := checkJSON(t, stdout)
			rate, _ := object["fpr"].(map[string]any)
			if first == nil {
				first = rate["mid"]
			}
			if want := strings.Replace(route, "auto", "difference", 1); object["route"] != want {
				t.Errorf("%s: route %v", flags, object["route"])
			}
			mid := fmt.Sprint(rate["mid"])
			digits := len(strings.TrimLeft(strings.ReplaceAll(mid, ".", ""), "0"))
			if rate["mid"] != first || !strings.HasPrefix(mid, c.begins) || digits != 40 {
				t.Errorf("%s: %v (%d digits), want %v, %s...", flags, mid, digits, first, c.begins)
			}
		}
	}
}

// The shipped trace from gzip through the real filter, truth and prediction included.
func BenchmarkReplay(b *testing.B) {
	for _, phases := range []string{"1", "2"} {
		b.Run("phases="+phases, func(b *testing.B) {
			arrivals := 0
			for b.Loop() {
				status, _, stderr := try(nil, "replay", "-trace", shipped, "-m", "65536", "-k", "7", "-sigma", "32768", "-phases", phases)
				if status != statusOK {
					b.Fatal(stderr)
				}
				arrivals += 789_684
			}
			b.ReportMetric(float64(arrivals)/b.Elapsed().Seconds(), "arrivals/s")
		})
	}
}

// A trace of independent arrivals whose popular keys stay is what the models are made for:
// the rates predicted from the trace are those measured, but for 3 %, and repeats come no
// sooner than in random order.
func TestReplayPredicts(t *testing.T) {
	n := longtest.More(40_000, 400_000)
	keys, err := sim.Keys(bloomproof.Workload{
		Popularity: bloomproof.Zipf(1, 300), Arrivals: bloomproof.ArrivalLast, Repeat: 0.9,
	}, rand.NewChaCha8([32]byte{1}))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for key := range keys {
		fmt.Fprintln(&text, key)
		if n--; n == 0 {
			break
		}
	}
	file := t.TempDir() + "/trace"
	if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		flags string
		valid bool
	}{{"", true}, {"-retain", true}, {"-phases 2", true}, {"-phases 2 -freeze before -retain", true}, {"-phases 2 -copy=false", false}} {
		line := "replay -json -m 1024 -k 4 -sigma 512 -positions fresh -warmup 0.25 -model best -trace " + file + " " + c.flags
		status, stdout, stderr := try(nil, strings.Fields(line)...)
		if status != statusOK {
			t.Fatalf("%s: status %d: %s", line, status, stderr)
		}
		o := checkJSON(t, stdout)
		p := o["predicted"].(map[string]any)
		if p["valid"] != c.valid || p["conservative"] != false || p["model"] == nil {
			t.Errorf("%s: predicted %v", line, p)
		}
		if !c.valid {
			continue
		}
		for _, rate := range []struct {
			measured, predicted string
			trials              float64
		}{
			{"fnr", "predicted.fnr", field(t, o, "arrivals")},
			{"fnr", "predicted.by_gaps.fnr.mean", field(t, o, "arrivals")},
			{"fpr.per_new", "predicted.by_gaps.fpr.per_new.mean", field(t, o, "new")},
			{"fpr.per_cycle_new", "predicted.by_gaps.fpr.per_cycle_new.mean", field(t, o, "cycle_new")},
			{"fpr.per_new", "predicted.fpr.per_new", field(t, o, "new")},
			{"fpr.per_cycle_new", "predicted.fpr.per_cycle_new", field(t, o, "cycle_new")},
		} {
			x, y := field(t, o, rate.measured+".mean"), field(t, o, rate.predicted)
			if d := math.Abs(x - y); d > 0.03*y+5*math.Sqrt(y/rate.trials) {
				t.Errorf("%s: %s is %v, predicted %v", line, rate.measured, x, y)
			}
		}
		if h := field(t, o, "traffic.halves.p"); h < 1e-6 {
			t.Errorf("%s: halves differ: %v", line, h)
		}
	}
}

// On the shipped trace words come sooner again than in random order: what is predicted is
// conservative, and said to be. Each model asked for is there.
func TestReplayModels(t *testing.T) {
	text := shippedText(t)
	one := replayJSON(t, bytes.NewReader(text[:10_000]), "-m 8Ki -k 4 -sigma 4Ki -model pins")["predicted"].(map[string]any)
	if note := fmt.Sprint(one["note"]); one["model"] != "pins" || one["valid"] != true || !strings.Contains(note, "fixed") || len(one["models"].(map[string]any)) != 1 {
		t.Errorf("-model pins: %v", one)
	}
	// The best model says of its settings what it says when it is asked for.
	for _, flags := range []string{"", "-phases 2 -positions fresh -copy=false", "-phases 2 -copy=false", "-phases 2", "-phases 2 -positions fresh"} {
		best := replayJSON(t, bytes.NewReader(text[:10_000]), "-m 1Ki -k 4 -sigma 512 -model best "+flags)["predicted"].(map[string]any)
		asked := replayJSON(t, bytes.NewReader(text[:10_000]), "-m 1Ki -k 4 -sigma 512 "+flags+" -model "+fmt.Sprint(best["model"]))["predicted"].(map[string]any)
		if best["fnr"] != asked["fnr"] || best["valid"] != asked["valid"] || best["note"] != asked["note"] {
			t.Errorf("%s: best is %v, asked for %v", flags, best, asked)
		}
	}
	// Slices are not in the models: the reason is told, and the rest is there.
	none := replayJSON(t, strings.NewReader("a\nb\na\n"), "-m 8Ki -k 4 -sigma 4Ki -hashing partitioned")["predicted"].(map[string]any)
	if none["model"] != nil || none["note"] == "" || none["fnr"] != nil {
		t.Errorf("partitioned: %v", none)
	}
	if testing.Short() {
		return // the golden files have the best one
	}
	o := replayJSON(t, bytes.NewReader(wholeLines(text, longtest.More(6, 1))), "-m 8Ki -k 4 -sigma 4Ki -positions fresh -model all")
	p := o["predicted"].(map[string]any)
	if p["conservative"] != true || field(t, o, "predicted.fnr") < 1.02*field(t, o, "fnr.high") {
		t.Errorf("predicted %v, measured %v", p, o["fnr"])
	}
	if x, y := field(t, o, "predicted.by_gaps.fnr.mean"), field(t, o, "fnr.mean"); math.Abs(x/y-1) > 0.02 {
		t.Errorf("by the gaps %v, measured %v", x, y)
	}
	models := p["models"].(map[string]any)
	for _, m := range approxfnr.Models() {
		x, ok := models[string(m)].(map[string]any)
		if !ok || x["fnr"] == nil && x["note"] == "" {
			t.Errorf("%v: %v", m, models[string(m)])
		}
	}
	if got := models[fmt.Sprint(p["model"])].(map[string]any)["fnr"]; got != p["fnr"] {
		t.Errorf("best is %v, its rate %v", got, p["fnr"])
	}
	if lower, upper := field(t, o, "predicted.models.lower.fnr"), field(t, o, "predicted.models.replacement.fnr"); !(lower < field(t, o, "predicted.fnr") && field(t, o, "predicted.fnr") < upper) {
		t.Errorf("best %v outside [%v, %v]", p["fnr"], lower, upper)
	}
}
