package main

import (
	"slices"
	"strings"
	"testing"

	approxfnr "github.com/bloomproof/bloomproof/approx/fnr"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

func fnrJSON(t *testing.T, flags string) map[string]any {
	t.Helper()
	status, stdout, stderr := try(nil, strings.Fields("fnr -json "+flags)...)
	if status != statusOK {
		t.Fatalf("%s: status %d: %s", flags, status, stderr)
	}
	return checkJSON(t, stdout)
}

// Every model has a value or a reason, whatever the rule and the workload; the best one is
// among them.
func TestFnrAnswers(t *testing.T) {
	for _, rule := range []string{"-sigma 20", "-messages 6", "-sigma 20 -retain", "-messages 6 -retain -hashing classic"} {
		for _, phases := range []string{"", "-positions fixed", "-phases 2", "-phases 2 -copy=false -freeze before", "-phases 2 -freeze before -positions fixed"} {
			for _, workload := range []string{"zipf:1:30 -repeat 0.9", "uniform:12 -repeat 1", "biuniform:2:0.3:9 -repeat 0 -arrivals last"} {
				flags := "-m 40 -k 3 " + rule + " " + phases + " -popularity " + workload
				object := fnrJSON(t, flags)
				models, _ := object["models"].(map[string]any)
				reasons, _ := object["unavailable"].(map[string]any)
				for _, m := range approxfnr.Models() {
					if (models[string(m)] == nil) == (reasons[string(m)] == nil) {
						t.Errorf("%s: %v has %v and %v", flags, m, models[string(m)], reasons[string(m)])
					}
				}
				if best, _ := object["best"].(string); models[best] == nil {
					t.Errorf("%s: the best of %v is %q", flags, models, best)
				}
			}
		}
	}
}

// The exact chain says what simulations of the same flags measure.
func TestFnrIsSimulated(t *testing.T) {
	cycles := longtest.More(" -cycles 200", " -cycles 2000")
	for i, flags := range []string{
		"-m 8 -k 2 -sigma 4 -popularity zipf:1:3 -repeat 0.9",
		"-m 8 -k 2 -sigma 4 -popularity zipf:1:2 -repeat 0.9 -phases 2 -copy=false -retain -arrivals first",
		"-m 6 -k 1 -messages 3 -popularity list:2,1 -repeat 0.5 -positions fixed -hashing classic",
		"-m 60 -k 3 -sigma 30 -popularity zipf:1:60 -repeat 1 -retain",
		"-m 60 -k 3 -sigma 30 -popularity zipf:1:60 -repeat 1 -phases 2 -freeze before",
	} {
		if testing.Short() && i%2 == 1 || !longtest.Enabled() && i > 2 { // which take more than all others
			continue
		}
		object := fnrJSON(t, flags+" -model exact")
		measured := simulateJSON(t, flags+cycles+" -ideal")
		for _, path := range []string{"fnr", "fpr.per_arrival", "fpr.per_new", "fpr.per_cycle_new", "cycle"} {
			if path == "fpr.per_new" && object["fpr"].(map[string]any)["per_new"] == nil {
				continue
			}
			from := path
			if path == "fnr" {
				from = "models.exact.fnr"
			}
			want := field(t, object, from)
			low, high := field(t, measured, path+".low"), field(t, measured, path+".high")
			if want < low || want > high {
				t.Errorf("%s: %s is %v, measured [%v, %v]", flags, path, want, low, high)
			}
		}
	}
}

// Where new messages enter by popularity the exact rate is between bounds, and simulations reach them.
func TestFnrBounds(t *testing.T) {
	const flags = "-m 1000 -k 5 -sigma 200 -popularity zipf:1:100 -repeat 0.9"
	object := fnrJSON(t, flags+" -model exact")
	measured := simulateJSON(t, flags+" -cycles 500")
	low, high := field(t, object, "models.exact.bounds.low"), field(t, object, "models.exact.bounds.high")
	if middle := field(t, object, "models.exact.fnr"); middle < low || middle > high || high > 1.05*low {
		t.Errorf("%v, bounds %v and %v", middle, low, high)
	}
	if field(t, measured, "fnr.low") > high || field(t, measured, "fnr.high") < low {
		t.Errorf("measured %v, bounds %v and %v", measured["fnr"], low, high)
	}
}

// Models of other filters are computed, and said to be of others; the best is not one of them
// where there is another.
func TestFnrBest(t *testing.T) {
	for _, c := range []struct{ flags, best string }{
		{"-sigma 200 -retain", "renewal-retaining"},
		{"-sigma 200", "disabling"},
		{"-sigma 200 -phases 2 -positions fixed", "disabling"},
		{"-sigma 200 -retain -model renewal", "renewal"},
		{"-sigma 200 -arrivals last", "exact"},
	} {
		object := fnrJSON(t, "-m 400 -k 3 -popularity zipf:1:100 -repeat 0.9 "+c.flags)
		if object["best"] != c.best {
			t.Errorf("%s: the best is %v, want %s", c.flags, object["best"], c.best)
		}
		m := object["models"].(map[string]any)["renewal"].(map[string]any)
		fixed := strings.Contains(c.flags, "fixed")
		if valid := !strings.Contains(c.flags, "-retain"); m["valid"] != valid || (m["note"] == "") != (valid && !fixed) || (m["fixed_error"] != nil) != fixed {
			t.Errorf("%s: renewal is valid: %v, %v", c.flags, m["valid"], m["note"])
		}
	}
}

// With fixed positions the model exact has proven bounds, which hold the simulated mean and are
// narrow; a model for fresh positions has an error, and none where no filter like it was simulated.
func TestFnrFixed(t *testing.T) {
	const flags = "-m 200 -k 3 -sigma 100 -popularity uniform:300 -repeat 1 -positions fixed"
	object := fnrJSON(t, flags+" -model exact")
	low, high := field(t, object, "models.exact.bounds.low"), field(t, object, "models.exact.bounds.high")
	if low > high || high > 1.02*low || object["best"] != "exact" {
		t.Errorf("got %v", object)
	}
	if x := field(t, object, "models.exact.fnr"); x < low || x > high {
		t.Errorf("%v is not between %v and %v", x, low, high)
	}
	measured := simulateJSON(t, flags+" -runs 40 -arrivals-total 400000")
	if x, y := field(t, measured, "fnr.low"), field(t, measured, "fnr.high"); x > high || y < low {
		t.Errorf("simulated %v to %v, proven %v to %v", x, y, low, high)
	}
	if object = fnrJSON(t, flags+" -model renewal"); field(t, object, "models.renewal.fixed_error") != 0.01 {
		t.Errorf("got %v", object)
	}
	object = fnrJSON(t, strings.Replace(flags, "-k 3", "-k 1", 1)+" -phases 2 -model renewal")
	if x := object["models"].(map[string]any)["renewal"].(map[string]any); x["valid"] != false || x["fixed_error"] != nil {
		t.Errorf("got %v", object)
	}
	_, _, stderr := try(nil, strings.Fields("fnr "+strings.Replace(flags, "uniform:300", "uniform:45", 1)+" -model exact")...)
	if !strings.Contains(stderr, "all messages can fit") {
		t.Errorf("got %q", stderr)
	}
}

// Where all messages fit, what is exact is that nothing is forgotten in the end.
func TestFnrHoldsAll(t *testing.T) {
	object := fnrJSON(t, "-m 1000 -k 4 -sigma 500 -popularity uniform:20 -repeat 1")
	if object["best"] != "exact" || field(t, object, "models.exact.fnr") != 0 || object["absorbing"] != true || field(t, object, "absorbing_per_cycle") < 0.999 {
		t.Errorf("got %v", object)
	}
	object = fnrJSON(t, "-m 1000 -k 4 -sigma 500 -popularity uniform:400 -repeat 1")
	if object["absorbing"] != true || field(t, object, "absorbing_per_cycle") > 1e-9 || field(t, object, "models.exact.fnr") < 0.1 {
		t.Errorf("got %v", object)
	}
}

// Where every message is forgotten at once, there are arrivals recorded in no array: they have
// a rate, though it is 0.
func TestFnrNoLuck(t *testing.T) {
	object := fnrJSON(t, "-m 1 -k 4096 -sigma 0 -popularity uniform:1 -repeat 1")
	if field(t, object, "fpr.per_cycle_new") != 0 || object["fpr"].(map[string]any)["per_new"] != nil {
		t.Errorf("got %v", object)
	}
	object = replayJSON(t, strings.NewReader("a\nb\na\nb\na\n"), "-m 1 -k 1 -sigma 0 -positions fresh")
	if field(t, object, "fpr.per_cycle_new.mean") != 0 || field(t, object, "predicted.fpr.per_cycle_new") != 0 {
		t.Errorf("got %v", object)
	}
}

// A chain that is too large is refused with its size and the limit; that there is no formula
// either is said after it.
func TestFnrExactTooLarge(t *testing.T) {
	longtest.Only(t, "TestRefusedBeforeWork of exact/fnr asks the package for the same chain")
	const flags = "fnr -m 8 -k 2 -sigma 4 -popularity zipf:1:3 -repeat 0.9 -positions fixed -model exact"
	status, stdout, stderr := try(nil, strings.Fields(flags)...)
	if status != statusUsage || stdout != "" {
		t.Fatalf("status %d, %q", status, stdout)
	}
	for _, part := range []string{"2836 situations", "at most 4194304", "known for fresh positions"} {
		if !strings.Contains(stderr, part) {
			t.Errorf("%q does not say %q", stderr, part)
		}
	}
}

// Every model can be asked for, in the order of the paper.
func TestAllModels(t *testing.T) {
	if got, want := slices.Sorted(slices.Values(allModels())), slices.Sorted(slices.Values(approxfnr.Models())); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// What stops the exact rates of a large filter is said, and not that it is no tiny one.
func TestFNRSaysWhatIsCostly(t *testing.T) {
	status, _, stderr := try(nil, strings.Fields("fnr -model exact -m 1000 -k 5 -messages 3 -repeat 1 -popularity zipf:5:1000 -phases 2")...)
	if status != 2 || !strings.Contains(stderr, "last messages are rare") {
		t.Errorf("status %d: %q", status, stderr)
	}
}
