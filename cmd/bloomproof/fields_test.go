package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What scripts rely on: the fields of the JSON objects by their paths, and what each holds. A
// path ends in ? where the value may be null. Fields may be added, but none of these go.
const (
	isCount     = `^\d+$`
	isDecimal   = `^-?\d+(\.\d+)?(e[+-]?\d+)?$`
	isWord      = `^[a-zA-Z][-a-zA-Z0-9. ]*$`
	isBool      = `^(true|false)$`
	isText      = `(?s)^.*$`
	isEnclosure = "enclosure"
	isInterval  = "interval"
)

var fields = []struct {
	args  string
	holds map[string]string // by fields that hold alike
}{
	{"fpr -m 100 -k 5 -n 10 -bounds", map[string]string{
		"hashing route": isWord, "m k n": isCount, "fpr": isEnclosure,
		"bounds.bloom bounds.exponential bounds.taylor bounds.lower bounds.lower_simple bounds.lower_classic? bounds.upper bounds.partitioned bounds.bose_upper? bounds.entropy_per_bit": isDecimal,
	}},
	{"fpr -m 100 -k 5 -n 10 -bounds -hashing classic", map[string]string{"bounds.lower_classic": isDecimal, "bounds.bloom? bounds.exponential?": isDecimal}},
	{"size -m 64 -n 4", map[string]string{
		"hashing": isWord, "m k n heuristic.m heuristic.k heuristic.n": isCount, "fpr heuristic.fpr": isEnclosure, "efficiency": isDecimal,
	}},
	{"size -n 100 -fpr 0.01 -quick", map[string]string{"m k n": isCount, "fpr": isEnclosure, "quick": "^true$", "proof": isText}},
	{"size -m 64 -n 4 -confidence 0.9", map[string]string{"confidence": "^0.9$", "fpr fpr_at_confidence heuristic.fpr_at_confidence": isEnclosure}},
	{"fpr -m 64 -k 3 -n 4 -block 32", map[string]string{"block m k n": isCount, "fpr": isEnclosure, "theorems.0": isText}},
	{"size -n 100 -fpr 0.01 -hashing classic", map[string]string{"theorems.0": isText}},
	{"size -n 100 -fpr 0.01 -block 64", map[string]string{
		"block m k n alternatives.0.block alternatives.0.k alternatives.0.m alternatives.0.lines_per_lookup": isCount,
		"alternatives.0.hashing": isWord, "alternatives.0.bits_per_key": isDecimal, "fpr": isEnclosure,
	}},
	{"estimate -m 64 -k 4 -bits 20 -block 32", map[string]string{"n": isEnclosure, "block n_low n_high": isCount}},
	{"fpr -like parquet -m 512 -n 4", map[string]string{"like hashing law route": isWord, "block m k n": isCount, "fpr independent": isEnclosure, "assumes": isText}},
	{"size -like parquet -n 100 -fpr 0.01", map[string]string{
		"like hashing law": isWord, "block m k n own.m own.k": isCount, "fpr own.fpr": isEnclosure, "assumes proof": isText,
	}},
	{"estimate -like parquet -m 512 -bits 20", map[string]string{"like law": isWord, "n": isEnclosure, "n_low n_high": isCount, "assumes": isText}},
	{"like", map[string]string{
		"filters.0.name filters.0.law": isWord, "filters.0.version filters.0.source filters.0.hash filters.0.positions filters.0.sizing filters.0.assumes filters.0.finding": isText,
	}},
	{"efficiency -m 64 -k 3 -n 4", map[string]string{"n k": isCount, "efficiency": isEnclosure}},
	{"efficiency -m 64 -peak", map[string]string{"n k": isCount, "efficiency": isEnclosure}},
	{"occupancy -m 64 -balls 9 -stat variance", map[string]string{"value": isEnclosure}},
	{"occupancy -m 64 -kind intersection -committees 3x2+4x1,5x1 -stat pmf -i 2", map[string]string{"value": isEnclosure}},
	{"occupancy -m 64 -balls 9 -stat cdf -i 8", map[string]string{"value": isEnclosure, "i": isCount}},
	{"occupancy -m 64 -balls 9 -stat quantile -confidence 0.9", map[string]string{"confidence": "^0.9$", "quantile": isCount}},
	{"occupancy -m 9 -balls 3 -stat pmf", map[string]string{"pmf.0.i": isCount, "pmf.0.p": isEnclosure}},
	{"estimate -m 64 -k 4 -bits 20", map[string]string{"n": isEnclosure, "n_ml n_low n_high": isCount}},
	{"estimate -m 64 -k 4 -bits 64", map[string]string{"unbounded": "^true$"}},
	{"estimate -n 9 -k 2 -bits 7", map[string]string{"m": isEnclosure, "biased": isBool}},
	{"counting -m 64 -k 4 -n 9", map[string]string{"correct": isEnclosure, "lower upper": isDecimal}},
	{"growing -n 9 -fpr 0.1 -after 3,20", map[string]string{
		"hashing": isWord, "n growth layers_made layers.0.m layers.0.k layers.0.sigma layers.0.bits layers.0.keys layers.0.one after.0.n": isCount,
		"bound after.0.fpr": isEnclosure, "target tighten layers.0.ratio": isDecimal, "proof": isText,
	}},
	{"growing -n 3 -fpr 0.3 -block 64 -after 2 -layers 1", map[string]string{"bound": isEnclosure, "after.0.fpr": isEnclosure, "after.0.law": isWord}},
	{"recycle -m 64 -k 4 -sigma 32", map[string]string{
		"fpr capacity": isEnclosure, "fpr_printed capacity_printed fluid.fpr fluid.capacity": isDecimal,
		"hashing freeze positions": isWord, "m k sigma phases": isCount, "retain copy": isBool,
	}},
	{"recycle -m 64 -k 4 -messages 9", map[string]string{"fpr": isEnclosure, "oracle average worst": isDecimal, "absorbing": isBool, "messages": isCount}},
	{"recycle -m 64 -target 0.1", map[string]string{
		"k sigma average.n average.k oracle.n oracle.k worst.n worst.k": isCount, "fpr capacity": isEnclosure,
	}},
	{"recycle -m 64 -k 3 -target 0.1 -trace - -confidence 0.9", map[string]string{
		"confidence": "^0.9$", "fnr_at_confidence fnr_next_low fnr_next_high": isDecimal,
		"fnr fnr_low fnr_high workload_fpr.per_arrival workload_fpr.per_new cycle": isDecimal, "model": "^gaps$", "valid": isBool,
	}},
	{"recycle -m 2Ki -k 5 -target 1% -copy=false -positions fresh -trace -", map[string]string{
		"fnr fnr_low fnr_high workload_fpr.per_new cycle": isDecimal, "model": "^gaps$", "copy": isBool, "target": "^1%$",
	}},
	{"fnr -m 64 -k 4 -sigma 32 -popularity uniform:9 -repeat 0.5", map[string]string{
		"models.renewal.fnr models.lower.fnr models.replacement.fnr models.uniform.fnr models.biuniform.fnr models.pins.fnr models.pins-arrivals.fnr models.renewal-extended.fnr models.renewal-retaining.fnr models.disabling.fnr models.fluid.fnr": isDecimal,
		"models.lower.kind":  `^(lower|upper|approximation|exact)$`,
		"models.lower.valid": isBool,
		"models.lower.note":  isText,
		"best":               isWord,
		"fpr.per_arrival fpr.per_new fpr.per_cycle_new cycle": isDecimal,
		"absorbing": isBool,
	}},
	{"fnr -m 64 -k 4 -sigma 32 -popularity uniform:60 -repeat 1 -model renewal-leave-one-out", map[string]string{"models.renewal-leave-one-out.fnr": isDecimal}},
	{"fnr -m 64 -k 4 -sigma 32 -popularity uniform:60 -repeat 1 -model exact", map[string]string{"models.exact.fnr": isDecimal}},
	{"fnr -m 100 -k 3 -sigma 50 -popularity uniform:200 -repeat 1 -model exact -positions fixed", map[string]string{
		"models.exact.fnr models.exact.bounds.low models.exact.bounds.high models.exact.fixed_spread fpr.per_arrival fpr.per_cycle_new cycle": isDecimal,
	}},
	{"fnr -m 1000 -k 4 -sigma 500 -popularity uniform:900 -repeat 0.9 -model renewal -positions fixed", map[string]string{"models.renewal.fixed_error": isDecimal}},
	{"recycle -m 1000 -target 0.05 -popularity zipf:1:200 -repeat 0.9", map[string]string{"fixed_error": isDecimal}},
	{"simulate -m 64 -k 4 -sigma 32 -cycles 3 -runs 3 -popularity uniform:9 -repeat 0.5", map[string]string{
		"fpr.per_arrival fpr.per_new fpr.per_cycle_new fpr.count_first fpr.count_each fnr": isInterval, "confidence": "^0.99$", "seed": isCount,
	}},
	{"simulate -m 64 -k 4 -n 9 -increment distinct -cycles 3 -runs 3", map[string]string{"fpr.per_arrival": isInterval}},
	{"replay -trace - -m 64 -k 4 -sigma 32", map[string]string{
		"arrivals distinct recycles true_positives false_positives true_negatives false_negatives false_negatives_in_cycle lucky": isCount,
		"fpr.per_arrival fpr.per_new fpr.per_cycle_new fnr":                                                                       isInterval,
		"per_second predicted.fpr.per_arrival predicted.fpr.per_new predicted.fpr.per_cycle_new predicted.fnr":                    isDecimal,
		"course.0.from course.0.arrivals course.0.recycles":                                                                       isCount, "course.0.fpr course.0.fnr course.0.predicted": isDecimal,
		"predicted.fnr_low predicted.fnr_high": isDecimal, "predicted.by_gaps.fnr": isInterval, "predicted.model": "^gaps$",
	}},
	{"replay -m 64 -k 4 -sigma 4 -time-field 1 -window 1m -field 2 -trace testdata/timed.txt", map[string]string{
		"time.window time.like time.span time.keys_mean time.cycle.mean time.cycle.shortest time.cycle.longest": isDecimal, "time.keys time.disordered": isCount, "time.fnr": isInterval,
	}},
	{"replay -trace - -m 64 -k 4 -sigma 32 -memory 4Ki", map[string]string{"sample.keys": isCount, "sample.share": isDecimal}},
	{"claims -id burns.eq6", map[string]string{
		"claims.0.id claims.0.paper claims.0.ref claims.0.statement claims.0.domain claims.0.counterexample claims.0.checked": isText,
		"claims.0.theorem": `^$`,
		"claims.0.verdict": `^(confirmed|conditional|refuted|misprint|open)$`,
	}},
	{"cpu", map[string]string{"arch": "^[a-z0-9]+$", "features": "array", "kernels.Count": isWord, "forced": isText, "check": "^(passed|failed|off|none)$"}},
	{"fpr -m 64 -k 0 -n 4", map[string]string{"error.parameter": "^k$", "error.message": isText}},
}

func TestFields(t *testing.T) {
	for _, c := range fields {
		arrivals := "a\nb\na\nc\nd\na\nb\n"
		if strings.HasPrefix(c.args, "recycle") {
			arrivals = squares(6000) // fewer are too short a trace
		}
		_, stdout, _ := try(strings.NewReader(arrivals), append(strings.Fields(c.args), "-json")...)
		object := checkJSON(t, stdout)
		for names, holds := range c.holds {
			for _, path := range strings.Fields(names) {
				path, nullable := strings.CutSuffix(path, "?")
				if v, ok := at(object, strings.Split(path, ".")); !ok {
					t.Errorf("%s: no field %s", c.args, path)
				} else if why := differs(v, holds); why != "" && !(v == nil && nullable) {
					t.Errorf("%s: %s is %v: %s", c.args, path, v, why)
				}
			}
		}
	}
	var tested []string
	for _, c := range fields {
		tested = append(tested, strings.Fields(c.args)[0])
	}
	for _, cmd := range commands() {
		switch cmd.name {
		case "selftest", "conform", "version", "serve", "completion": // each has a test of its own
		default:
			if !slices.Contains(tested, cmd.name) {
				t.Errorf("the fields of %s are not tested", cmd.name)
			}
		}
	}
}

// at returns the value at a path of fields and indices.
func at(v any, path []string) (any, bool) {
	for _, p := range path {
		switch x := v.(type) {
		case map[string]any:
			y, ok := x[p]
			if !ok {
				return nil, false
			}
			v = y
		case []any:
			if p != "0" || len(x) == 0 {
				return nil, false
			}
			v = x[0]
		default:
			return nil, false
		}
	}
	return v, true
}

// differs says why v does not hold what it should.
func differs(v any, holds string) string {
	switch holds {
	case isEnclosure, isInterval:
		names := map[string][]string{isEnclosure: {"lo", "hi", "mid"}, isInterval: {"mean", "low", "high"}}[holds]
		for _, name := range names {
			x, ok := at(v, []string{name})
			if !ok {
				return "no " + name
			}
			if why := differs(x, isDecimal); why != "" {
				return name + ": " + why
			}
		}
		return ""
	case "array":
		if _, ok := v.([]any); !ok {
			return "no array"
		}
		return ""
	}
	text := fmt.Sprint(v)
	_, number := v.(json.Number)
	_, truth := v.(bool)
	switch {
	case v == nil:
		return "null"
	case number != (holds == isCount && len(text) <= 16), truth != (holds == isBool || holds == "^true$"):
		return "of another type"
	case !regexp.MustCompile(holds).MatchString(text):
		return "not " + holds
	}
	return ""
}
