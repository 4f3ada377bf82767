package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// valid are flags with which each command runs, by command.
var valid = map[string][]string{
	"fpr":        {"-m", "64", "-k", "4", "-n", "10"},
	"size":       {"-m", "64", "-n", "4"},
	"efficiency": {"-m", "64", "-k", "4", "-n", "10"},
	"estimate":   {"-m", "64", "-k", "4", "-bits", "10"},
	"occupancy":  {"-m", "64", "-balls", "10"},
	"counting":   {"-m", "64", "-k", "4", "-n", "10"},
	"growing":    {"-n", "9", "-fpr", "0.1", "-after", "3"},
	"recycle":    {"-m", "64", "-k", "4", "-sigma", "32"},
	"fnr":        {"-m", "64", "-k", "4", "-sigma", "32", "-phases", "2", "-popularity", "uniform:9", "-repeat", "0.5"},
	"simulate":   {"-m", "64", "-k", "4", "-sigma", "32", "-phases", "2", "-popularity", "uniform:9", "-repeat", "0.5", "-runs", "2", "-cycles", "2"},
	"replay":     {"-trace", "-", "-m", "64", "-k", "4", "-sigma", "32", "-phases", "2"},
	"claims":     {"-run", "-paper", "burns", "-id", "burns.fig1"},
	"cpu":        {},
	"like":       {},
	"selftest":   {},
	"serve":      {},
	"version":    {},
	"completion": {"bash"},
}

// fnrFlags are flags with which recycle looks at the false-negative rate.
var fnrFlags = []string{"-m", "64", "-target", "0.1", "-fnr", "0.1", "-popularity", "uniform:9", "-repeat", "0.5"}

// absurd are values that no flag of that kind takes.
var absurd = map[string][]string{
	"address": {"", "8080", ":8080", "127.0.0.1", "localhost:", "[::1", "127.0.0.1:65536", "127.0.0.1:99999", "127.0.0.1:-1", "127.0.0.1:no-such-port"},
	"number": {
		"", "-1", "-0", "+5", "1.5", "1e-9", "NaN", "Inf", "-Inf", "abc", "0x10", "1_00", "18446744073709551616", "2^64", "2^2000000000",
		"1e400", "1e99999999999999999999", "9999999999999999999999", "--", "-json", "\n", "a\nb", "\x00", "\xff\xfe", "٣", strings.Repeat("9", 100000), "2^64Ki", "Ki", "^", "1;2", "$(id)", "%s%n",
	},
	"small":       {"0", "4097", "2^32", "4294967297", "2^63", "2^64-1"},
	"digits":      {"0", "10001", "2^32", "2^63", "2^64-1"},
	"size":        {"0"},
	"keys":        {"0", "63", "1073741825", "2^64-1"},
	"filter":      {"2^48", "281474976710657", "2^64-1"},
	"enum":        {"", "Standard", "standard ", "0", "-1", "all", "\n", "\x00", strings.Repeat("x", 100000)},
	"shard":       {"1", "0/1", "2/1", "1/-1", "1/2/3", "1/x", "1.0/2", "1/9999999999999999999999"},
	"list":        {",", "3x2,", "3x2+", "+", "x", "3x", "x2", "3x2x1", "0x1", "65x1", "3x2;4x1", "3 x 2", strings.Repeat("3x2,", 30000)},
	"numbers":     {",", "1,", "1,,2", "1;2", "1, 2", "3x2", strings.Repeat("1,", 16) + "1", strings.Repeat("1,", 30000)},
	"layers":      {"0", "65", "2^64-1"},
	"model":       {"", "Renewal", "markov", "renewal ", "0", "all,exact", "\n", strings.Repeat("x", 100000)},
	"boolean":     {"", "maybe", "2", "-1", "yes", "\n", strings.Repeat("t", 100000)},
	"fraction":    {"", "1", "1.0", "1.5", "-0.1", "-1", "NaN", "Inf", "1e1", "1e999999999", "1e-999999999", "1/2", "5.", "0x1p-3", "\n", strings.Repeat("0.", 50000)},
	"probability": {"", "1.5", "-0.1", "NaN", "Inf", "1e1", "1/2", "5.", "0x1p-3", "\n", strings.Repeat("0.", 50000)},
	"arrivals":    {"", "list", "list:1,2,3", "zipf:1:9", "rank", "uniform:9"},
	"popularity":  {"", "zipf", "zipf:1", "zipf:-1:9", "zipf:1:0", "zipf:1:9:9", "zipf:1e999:9", "uniform:0", "uniform:2^64-1", "uniform", "biuniform:3:0.9:10", "biuniform:3:0.2", "list:", "list:0.1,0.2", "list:x", "list:0,0", "list:1,,1", "Zipf:1:9", "\n", "\x00", strings.Repeat("zipf:", 30000)},
	"many":        {"uniform:2^27"},
	"field":       {"0", "1048577", "2^32", "2^64-1"},
	"duration":    {"", "0", "-1h", "1", "1x", "d", "0d", "-1d", "NaNd", "Infd", "1e99d", "1e99h", "\n", strings.Repeat("9", 100000) + "h"},
	"half":        {"0.4999", "1e-99"},
	"page":        {"", "page", "page.json", "page.HTML", ".", "/", "\n", "html", "page.html ", strings.Repeat("x", 100000)},
	"nothing":     {""},
	"memory":      {"0", "4095", "281474976710657", "2^64-1"},
	"expression":  {"", "(", "[a", "no group", "a(?:b)", "a\nb", "(?P<x", strings.Repeat("(", 100000)},
	"suffix":      {"", "report", "report.html", "report.XML", ".", "/", "\n", "xml", "report.xml ", strings.Repeat("x", 100000)},
	"file":        {"", "testdata/none", "testdata", "/dev/null/x", "a\nb", "\x00", strings.Repeat("x", 100000)},
}

// kinds are the kinds of absurd values that each flag must reject.
var kinds = map[string][]string{
	"fpr -m": {"number", "size"}, "fpr -k": {"number", "small"}, "fpr -n": {"number"}, "fpr -digits": {"number", "digits"},
	"fpr -hashing": {"enum"}, "fpr -block": {"number"}, "fpr -like": {"enum"}, "fpr -route": {"enum"}, "fpr -bounds": {"boolean"}, "fpr -json": {"boolean"},
	"size -m": {"number", "size"}, "size -n": {"number", "size"}, "size -fpr": {"fraction"}, "size -k": {"number", "small"},
	"size -confidence": {"fraction"}, "size -hashing": {"enum"}, "size -block": {"number"}, "size -like": {"enum"}, "size -digits": {"number", "digits"}, "size -json": {"boolean"}, "size -quick": {"boolean"},
	"efficiency -m": {"number", "size"}, "efficiency -k": {"number", "small"}, "efficiency -n": {"number", "size"}, "efficiency -peak": {"boolean"},
	"efficiency -hashing": {"enum"}, "efficiency -digits": {"number", "digits"}, "efficiency -json": {"boolean"},
	"estimate -m": {"number", "size"}, "estimate -k": {"number", "small"}, "estimate -bits": {"number"}, "estimate -hashing": {"enum"}, "estimate -block": {"number"}, "estimate -like": {"enum"},
	"estimate -n": {"number", "size"}, "estimate -digits": {"number", "digits"}, "estimate -json": {"boolean"},
	"counting -m": {"number", "size"}, "counting -k": {"number", "small"}, "counting -n": {"number", "size"}, "counting -increment": {"enum"},
	"counting -hashing": {"enum"}, "counting -digits": {"number", "digits"}, "counting -json": {"boolean"},
	"growing -n": {"number", "size", "filter"}, "growing -fpr": {"fraction"}, "growing -growth": {"number", "size"}, "growing -tighten": {"fraction"}, "growing -hashing": {"enum"}, "growing -block": {"number"},
	"growing -after": {"number", "numbers"}, "growing -layers": {"number", "layers"}, "growing -digits": {"number", "digits"}, "growing -json": {"boolean"}, "growing -csv": {"boolean"},
	"occupancy -m": {"number", "size"}, "occupancy -kind": {"enum"}, "occupancy -balls": {"number"}, "occupancy -k": {"number", "size"}, "occupancy -n": {"number", "size"},
	"occupancy -committees": {"number", "list"}, "occupancy -stat": {"enum"}, "occupancy -r": {"number", "small"}, "occupancy -i": {"number"}, "occupancy -confidence": {"fraction"},
	"occupancy -route": {"enum"}, "occupancy -digits": {"number", "digits"}, "occupancy -json": {"boolean"},
	"replay -trace": {"file"}, "replay -m": {"number", "size", "filter"}, "replay -k": {"number", "small"},
	"replay -sigma": {"number"}, "replay -messages": {"number"}, "replay -hashing": {"enum"}, "replay -phases": {"enum"},
	"replay -target": {"fraction"}, "replay -freeze": {"enum"}, "replay -positions": {"enum"}, "replay -retain": {"boolean"}, "replay -copy": {"boolean"},
	"replay -warmup": {"fraction"}, "replay -model": {"model"}, "replay -seed": {"number"}, "replay -json": {"boolean"},
	"replay -field": {"number", "field"}, "replay -separator": {"nothing"}, "replay -regexp": {"expression"}, "replay -memory": {"number", "memory"}, "replay -report": {"page"}, "recycle -report": {"page"},
	"fpr -csv": {"boolean"}, "size -csv": {"boolean"}, "efficiency -csv": {"boolean"}, "occupancy -csv": {"boolean"}, "estimate -csv": {"boolean"}, "counting -csv": {"boolean"},
	"recycle -csv": {"boolean"}, "fnr -csv": {"boolean"}, "simulate -csv": {"boolean"}, "replay -csv": {"boolean"},
	"replay -time-field": {"number", "field"}, "replay -window": {"duration"},
	"recycle -field": {"number", "field"}, "recycle -separator": {"nothing"}, "recycle -regexp": {"expression"},
	"recycle -m": {"number", "size"}, "recycle -k": {"number", "small"}, "recycle -sigma": {"number"}, "recycle -messages": {"number"}, "recycle -target": {"fraction"},
	"recycle -hashing": {"enum"}, "recycle -phases": {"enum"}, "recycle -retain": {"boolean"}, "recycle -copy": {"boolean"}, "recycle -freeze": {"enum"},
	"recycle -positions": {"enum"}, "recycle -digits": {"number", "digits"}, "recycle -json": {"boolean"},
	"recycle -fnr": {"fraction"}, "recycle -confidence": {"fraction", "half"}, "recycle -repeat": {"probability"}, "recycle -popularity": {"popularity"}, "recycle -arrivals": {"enum", "arrivals"}, "recycle -frontier": {"boolean"}, "recycle -trace": {"file"}, "recycle -warmup": {"fraction"}, "recycle -keys": {"number", "keys"}, "recycle -memory": {"number", "memory"}, "recycle -model": {"model"},
	"fnr -m": {"number", "size"}, "fnr -k": {"number", "small"}, "fnr -sigma": {"number"}, "fnr -messages": {"number"}, "fnr -hashing": {"enum"},
	"fnr -phases": {"enum"}, "fnr -retain": {"boolean"}, "fnr -copy": {"boolean"}, "fnr -freeze": {"enum"}, "fnr -positions": {"enum"}, "fnr -model": {"model"},
	"fnr -repeat": {"probability"}, "fnr -popularity": {"popularity"}, "fnr -arrivals": {"enum", "arrivals"}, "fnr -json": {"boolean"},
	"simulate -m": {"number", "size", "filter"}, "simulate -k": {"number", "small"}, "simulate -hashing": {"enum"}, "simulate -block": {"number"}, "simulate -n": {"number"}, "simulate -increment": {"enum"},
	"simulate -sigma": {"number"}, "simulate -messages": {"number"}, "simulate -phases": {"enum"}, "simulate -retain": {"boolean"}, "simulate -copy": {"boolean"},
	"simulate -freeze": {"enum"}, "simulate -positions": {"enum"}, "simulate -repeat": {"probability"}, "simulate -popularity": {"popularity", "many"}, "simulate -arrivals": {"enum", "arrivals"},
	"simulate -cycles": {"number", "size"}, "simulate -arrivals-total": {"number", "size"}, "simulate -runs": {"number", "size"}, "simulate -seed": {"number"}, "simulate -ideal": {"boolean"}, "simulate -json": {"boolean"},
	"claims -paper": {"enum"}, "claims -id": {"enum"}, "claims -run": {"boolean"}, "claims -effort": {"enum"}, "claims -shard": {"enum", "shard"}, "claims -json": {"boolean"},
	"conform -hashing": {"enum"}, "conform -block": {"number"}, "conform -effort": {"number", "size"}, "conform -report": {"suffix"}, "conform -seed": {"number", "size"}, "conform -json": {"boolean"},
	"like -json": {"boolean"}, "cpu -json": {"boolean"}, "selftest -json": {"boolean"}, "serve -addr": {"address"}, "serve -json": {"boolean"}, "version -json": {"boolean"}, "completion -json": {"boolean"},
}

// Every flag of every command answers absurd values with status 2 (3 for files), one
// clear line that names it, and with -json the same in an object.
func TestAbsurdFlags(t *testing.T) {
	few := fewWords(t)
	tested := map[string]bool{}
	for _, cmd := range commands() {
		for _, f := range cmd.allFlags() {
			name := cmd.name + " -" + f.name
			tested[name] = true
			if kinds[name] == nil {
				t.Errorf("%s is not in the table", name)
			}
			for _, kind := range kinds[name] {
				for i, bad := range absurd[kind] {
					flags := valid[cmd.name]
					if cmd.name == "recycle" && slices.Contains([]string{"fnr", "repeat", "popularity", "arrivals", "frontier"}, f.name) {
						flags = fnrFlags
					} else if cmd.name == "recycle" && (slices.Contains([]string{"trace", "confidence", "warmup", "keys", "memory", "model", "field", "separator", "regexp", "report"}, f.name)) {
						flags = []string{"-m", "64", "-target", "0.1", "-trace", few}
					}
					if f.name == "window" {
						flags = append(slices.Clone(flags), "-time-field", "1", "-field", "2")
					}
					args := append([]string{cmd.name}, flags...)
					args = append(args, "-"+f.name+"="+bad)
					want := statusUsage
					if kind == "file" && bad != "" {
						want = statusIO
					}
					rejected(t, args, f.name, want)
					if f.name != "json" && (longtest.Enabled() || (len(tested)+i)%4 == 0) { // all refusals become JSON in one place
						rejected(t, append(args, "--json"), f.name, want)
					}
				}
			}
		}
	}
	for name := range kinds {
		if !tested[name] {
			t.Errorf("%s is in the table and not in the program", name)
		}
	}
}

// rejected runs args and checks how they are refused; param is what the line names.
func rejected(t *testing.T, args []string, param string, status int) {
	t.Helper()
	what := quote(strings.Join(args, " "))
	got, stdout, stderr := try(strings.NewReader("a\nb\n"), args...)
	if got != status {
		t.Errorf("%s: status %d, want %d (%s)", what, got, status, quote(stderr))
		return
	}
	line, more, _ := strings.Cut(stderr, "\n")
	if more != "" || line == "" || len(line) > 400 {
		t.Errorf("%s: want one line of at most 400 bytes, got %q", what, quote(stderr))
	}
	for _, r := range line {
		if !unicode.IsPrint(r) {
			t.Errorf("%s: %q in %q", what, r, line)
			break
		}
	}
	prefix := "bloomproof " + args[0] + ": "
	if _, ok := find(args[0]); !ok && !isHelp(args[0]) {
		prefix = "bloomproof: "
	}
	name := "-" + param + ": "
	if param == "command" || param == "arguments" {
		name = param + ": "
	}
	if !strings.HasPrefix(line, prefix+name) {
		t.Errorf("%s: %q does not begin with %q", what, line, prefix+name)
	}
	if !wantsJSON(args) {
		if stdout != "" {
			t.Errorf("%s: %q on standard output", what, quote(stdout))
		}
		return
	}
	object, _ := checkJSON(t, stdout)["error"].(map[string]any)
	if object["parameter"] != param || line != prefix+name+object["message"].(string) {
		t.Errorf("%s: %v on standard output, %q on standard error", what, object, line)
	}
}

// fewWords returns the name of a file with the first thousands of lines of the shipped trace.
func fewWords(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "trace.gz")
	if err := os.WriteFile(file, compress(t, string(wholeLines(shippedText(t), 100))), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// Combinations that are wrong together, missing flags, and what is no flag at all.
func TestWrongCommandLines(t *testing.T) {
	few := fewWords(t)
	for _, c := range []struct {
		args, param string
		status      int
	}{
		{"fpr", "m", 2},
		{"estimate -m 64 -k 3", "bits", 2},
		{"estimate -m 64 -bits 3", "k", 2},
		{"estimate -m 64 -k 3 -bits 65", "bits", 2},
		{"estimate -m 64 -k 3 -bits 2 -hashing classic", "bits", 2},
		{"estimate -n 5 -m 64 -bits 3", "m", 2},
		{"estimate -n 5 -bits 3 -hashing classic", "hashing", 2},
		{"estimate -n 5 -bits 6", "bits", 2},
		{"estimate -n 5 -bits 3 -digits 1001", "digits", 2},
		{"fpr -m 64", "k", 2},
		{"fpr -m 64 -k 4", "n", 2},
		{"fpr -m 8 -k 9 -n 1 -hashing classic", "k", 2},
		{"fpr -m 8 -k 3 -n 1 -hashing partitioned", "k", 2},
		{"fpr -m 64 -k 4 -n 1 -route hypergeometric", "route", 2},
		{"fpr -m 64 -k 4 -n 1 -route stirling -hashing classic", "route", 2},
		{"fpr -m 2^40 -k 4 -n 2^40 -route stirling", "route", 2},
		{"fpr -m 2^40 -k 4 -n 2^40 -route christensen", "route", 2},
		{"fpr -m 2^64-1 -k 4 -n 2^64-1 -route grandi", "route", 2},
		{"fpr -m 2^40 -k 4096 -n 2^40 -route recursive", "route", 2},
		{"fpr -m 64 -k 4 -n 1 -block 48", "block", 2},
		{"fpr -m 64 -k 9 -n 1 -block 8 -hashing classic", "k", 2},
		{"fpr -m 64 -k 4 -n 1 -block 8 -route stirling", "route", 2},
		{"size -m 100 -n 4 -block 64", "block", 2},
		{"size -n 4 -fpr 0.1 -k 3 -block 64 -hashing partitioned", "k", 2},
		{"estimate -n 4 -k 3 -bits 2 -block 8", "block", 2},
		{"estimate -m 1e9 -k 4096 -bits 1", "bits", 2},
		{"fpr -like parquet -m 257 -n 4", "m", 2},
		{"fpr -like parquet -m 256 -k 7 -n 4", "k", 2},
		{"fpr -like bip37 -m 256 -n 4", "k", 2},
		{"fpr -like parquet -m 256 -n 4 -block 256", "block", 2},
		{"fpr -like parquet -m 256 -n 4 -route difference", "route", 2},
		{"fpr -like parquet -n 4", "m", 2},
		{"size -like parquet -n 4 -fpr 0.1 -confidence 0.9", "confidence", 2},
		{"size -n 1000 -fpr 1e-3 -confidence 0.99999999999999999999999999", "confidence", 2},
		{"size -m 1000 -n 100 -confidence 1e-26", "confidence", 2},
		{"recycle -m 1000000 -k 4096 -messages 50", "k", 2},
		{"size -like parquet -n 4 -fpr 0.1 -hashing standard", "hashing", 2},
		{"size -like bip37 -n 1e6 -fpr 0.1", "fpr", 2},
		{"size -like parquet -m 257 -fpr 0.1", "m", 2},
		{"estimate -like parquet -n 4 -bits 2", "like", 2},
		{"estimate -like parquet -m 300 -bits 2", "m", 2},
		{"estimate -like guava -m 640 -k 3 -bits 2", "like", 2},
		{"estimate -like ristretto -m 1024 -k 3 -bits 2", "like", 2},
		{"fpr -like rbloom -m 64000 -k 10 -n 10", "n", 2},
		{"fpr -like ristretto -m 2^33 -k 10 -n 10", "n", 2},
		{"fpr -m 64 -k 4 -n 1 extra", "arguments", 2},
		{"fpr -m 64 -k 4 -n 1 -bounds false", "arguments", 2},
		{"fpr -m 64 -k 4 -n 1 -sigma 3", "sigma", 2},
		{"fpr -m 64 -k 4 -n", "n", 2},
		{"fpr ---m 64", "arguments", 2},
		{"fpr -=64", "arguments", 2},
		{"fpr - 64", "arguments", 2},
		{"fpr -m 64 -json -n 1 -k 0", "k", 2},
		{"fpr -nonsense -json", "nonsense", 2},
		{"occupancy -m 64", "balls", 2},
		{"occupancy -balls 5", "m", 2},
		{"occupancy -m 64 -kind committee -k 5", "n", 2},
		{"occupancy -m 64 -kind committee -k 65 -n 2", "k", 2},
		{"occupancy -m 64 -kind committee -k 5 -n 2 -balls 3", "balls", 2},
		{"occupancy -m 64 -kind union", "committees", 2},
		{"occupancy -m 64 -kind union -committees 65x1", "committees", 2},
		{"occupancy -m 64 -kind intersection -committees 3x2,,4x1", "committees", 2},
		{"occupancy -m 64 -balls 5 -stat moment", "r", 2},
		{"occupancy -m 64 -balls 5 -stat mean -i 3", "i", 2},
		{"occupancy -m 64 -balls 5 -stat variance -route stirling", "route", 2},
		{"occupancy -m 64 -balls 5 -stat pmf -route stirling", "route", 2},
		{"occupancy -m 64 -kind committee -k 5 -n 2 -stat pmf -i 7 -route stirling", "route", 2},
		{"occupancy -m 2^40 -balls 2^40 -stat pmf", "i", 2},
		{"occupancy -m 2^40 -balls 2^40 -stat pmf -i 2^39", "i", 2},
		{"occupancy -m 2 -balls 2^64-1 -stat pmf -i 1", "i", 2},
		{"recycle", "sigma", 2},
		{"recycle -sigma 9", "m", 2},
		{"recycle -m 64 -sigma 9", "k", 2},
		{"recycle -m 64 -k 4", "sigma", 2},
		{"recycle -m 64 -k 4 -sigma 9 -messages 3", "messages", 2},
		{"recycle -m 64 -k 4 -sigma 9 -target 0.1", "sigma", 2},
		{"recycle -m 64 -k 4 -messages 9 -target 0.1", "messages", 2},
		{"recycle -m 64 -k 4 -sigma 64", "sigma", 2},
		{"recycle -m 64 -k 4 -sigma 3 -retain", "sigma", 2},
		{"recycle -m 64 -k 4 -messages 1 -retain", "messages", 2},
		{"recycle -m 64 -k 4 -sigma 9 -copy=false", "copy", 2},
		{"recycle -m 64 -k 4 -sigma 9 -freeze before", "freeze", 2},
		{"recycle -m 64 -k 4 -sigma 9 -hashing partitioned", "hashing", 2},
		{"recycle -m 4 -k 5 -sigma 3 -hashing classic", "k", 2},
		{"recycle -target 0.1", "m", 2},
		{"recycle -m 64 -target 0", "target", 2},
		{"recycle -m 64 -target 0.1 -hashing partitioned", "hashing", 2},
		{"recycle -m 64 -target 0.1 -copy=false", "copy", 2},
		{"recycle -m 2^40 -k 4 -messages 2^36", "messages", 2},
		{"recycle -m 2^64-1 -k 4096 -sigma 2^63 -phases 2 -copy=false", "sigma", 2},
		{"recycle -m 4 -k 4 -target 0.1 -retain", "m", 2},
		{"recycle -m 64 -k 60 -target 1e-300 -retain", "target", 2},
		{"recycle -m 2^64-1 -k 4096 -sigma 2^30", "sigma", 2},
		{"fnr", "sigma", 2},
		{"fnr -m 64 -k 4", "sigma", 2},
		{"fnr -m 64 -k 4 -sigma 9", "popularity", 2},
		{"fnr -m 64 -k 4 -sigma 9 -popularity uniform:9", "repeat", 2},
		{"fnr -m 64 -k 4 -sigma 9 -messages 3 -popularity uniform:9 -repeat 0.5", "messages", 2},
		{"fnr -m 64 -k 4 -sigma 64 -popularity uniform:9 -repeat 0.5", "sigma", 2},
		{"fnr -m 64 -k 4 -sigma 3 -retain -popularity uniform:9 -repeat 0.5", "sigma", 2},
		{"fnr -m 64 -k 4 -messages 1 -retain -popularity uniform:9 -repeat 0.5", "messages", 2},
		{"fnr -m 64 -k 4 -sigma 9 -copy=false -popularity uniform:9 -repeat 0.5", "copy", 2},
		{"fnr -m 64 -k 4 -sigma 9 -hashing partitioned -popularity uniform:9 -repeat 0.5", "hashing", 2},
		{"fnr -m 4 -k 5 -sigma 3 -hashing classic -popularity uniform:9 -repeat 0.5", "k", 2},
		{"fnr -m 64 -k 4 -sigma 9 -popularity zipf:1:2^40 -repeat 0.5", "popularity", 2},
		{"fnr -m 64 -k 4 -messages 2^63 -popularity uniform:9 -repeat 0.5", "model", 2},
		{"fnr -m 64 -k 4 -sigma 9 -popularity file:testdata/none -repeat 0.5", "popularity", 3},
		{"fnr -m 64 -k 4 -sigma 9 -popularity uniform:3 -arrivals file:testdata/none -repeat 0.5", "arrivals", 3},
		{"fnr -m 64 -k 4 -messages 9 -popularity uniform:9 -repeat 0.5 -model renewal-extended", "messages", 2},
		{"fnr -m 64 -k 4 -sigma 9 -popularity zipf:1:2^23 -repeat 0.5 -model pins", "popularity", 2},
		{"recycle -m 64 -k 4 -sigma 9 -popularity uniform:9 -repeat 0.5", "target", 2},
		{"recycle -target 0.1 -popularity uniform:9 -repeat 0.5", "fnr", 2},
		{"recycle -target 0.1 -m 64 -fnr 0.1", "popularity", 2},
		{"recycle -target 0.1 -fnr 0 -popularity uniform:9 -repeat 0.5", "fnr", 2},
		{"recycle -target 0.1 -m 64 -trace - -repeat 0.5", "repeat", 2},
		{"recycle -target 0.1 -m 64 -trace - -warmup 0.5", "warmup", 2},
		{"recycle -target 0.1 -m 64 -trace - -model pins", "model", 2},
		{"recycle -target 0.1 -m 64 -trace - -memory 1Mi -keys 100", "keys", 2},
		{"recycle -target 0.1 -m 64 -trace - -memory 35199", "memory", 2},
		{"recycle -target 0.1 -m 64 -memory 1Mi -popularity uniform:9 -repeat 0.5", "memory", 2},
		{"recycle -target 0.1 -m 64 -trace - -copy=false -memory 447999", "memory", 2},
		{"recycle -target 0.1 -m 64 -copy=false -trace -", "copy", 2},
		{"recycle -target 0.1 -m 64 -popularity uniform:9 -repeat 0.5 -model gaps", "model", 2},
		{"recycle -target 0.01 -m 9 -trace -", "m", 2},
		{"recycle -target 0.1 -m 64 -warmup 0.5 -popularity uniform:9 -repeat 0.5", "warmup", 2},
		{"recycle -target 0.1 -m 64 -trace testdata/none", "trace", 3},
		{"recycle -target 0.1 -m 64 -keys 100 -popularity uniform:9 -repeat 0.5", "keys", 2},
		{"recycle -target 0.1 -m 64 -sigma 9 -popularity uniform:9 -repeat 0.5", "sigma", 2},
		{"recycle -target 0.1 -m 2^64-1 -k 4096 -popularity uniform:2^40 -repeat 0.5", "target", 2},
		{"recycle -target 1e-300 -m 3 -k 2 -popularity uniform:9 -repeat 0.5 -retain", "target", 2},
		{"simulate", "m", 2},
		{"simulate -m 64 -k 4", "n", 2},
		{"simulate -m 64 -k 4 -n 3 -retain", "retain", 2},
		{"simulate -m 64 -k 4 -n 3 -positions fresh", "positions", 2},
		{"simulate -m 64 -k 4 -n 3 -sigma 9", "n", 2},
		{"simulate -m 64 -k 4 -increment literal -sigma 9", "increment", 2},
		{"simulate -m 64 -k 4 -sigma 64", "sigma", 2},
		{"simulate -m 64 -k 4 -sigma 3 -messages 3", "messages", 2},
		{"simulate -m 64 -k 4 -repeat 0.5", "sigma", 2},
		{"simulate -m 64 -k 4 -sigma 9 -repeat 0.5", "popularity", 2},
		{"simulate -m 64 -k 4 -sigma 9 -popularity uniform:9", "repeat", 2},
		{"simulate -m 64 -k 4 -sigma 9 -arrivals last", "popularity", 2},
		{"simulate -m 64 -k 4 -sigma 9 -cycles 3 -arrivals-total 9", "arrivals-total", 2},
		{"simulate -m 64 -k 4 -messages 99", "cycles", 2},
		{"simulate -m 64 -k 4 -sigma 9 -copy=false", "copy", 2},
		{"simulate -m 2^40 -k 4 -sigma 9 -ideal", "m", 2},
		{"simulate -m 2^40 -k 4 -n 9 -increment distinct", "m", 2},
		{"simulate -m 8Ki -k 4096 -sigma 8000 -ideal -popularity uniform:2^20 -repeat 0.5", "popularity", 2},
		{"simulate -m 64 -k 4 -sigma 9 -popularity file:testdata/none -repeat 0.5", "popularity", 3},
		{"simulate -m 64 -k 4 -sigma 9 -popularity file:testdata/README.md -repeat 0.5", "popularity", 3},
		{"simulate -m 64 -k 4 -sigma 9 -popularity uniform:3 -arrivals file:testdata/none -repeat 0.5", "arrivals", 3},
		{"replay", "trace", 2},
		{"replay -trace - -m 64 -target 0.1 -sigma 3", "sigma", 2},
		{"replay -trace - -m 64 -target 0.1 -messages 3", "messages", 2},
		{"replay -trace - -target 0.1", "m", 2},
		{"replay -trace - -m 1 -phases 2 -target 0.1", "m", 2},
		{"replay -trace - -m 2^49 -target 0.1", "m", 2},
		{"replay -trace - -m 64 -target 1e-400", "target", 2},
		{"replay -trace - -m 64 -target 0.99999999999999999999", "target", 2},
		{"replay -trace - -m 2^33 -k 4096 -target 1e-9 -retain", "target", 2},
		{"replay -trace - -m 64 -target 0.1 -hashing partitioned", "hashing", 2},
		{"replay -m 64 -k 4 -sigma 32", "trace", 2},
		{"replay -trace - -k 4 -sigma 32", "m", 2},
		{"replay -trace - -m 64 -sigma 32", "k", 2},
		{"replay -trace - -m 64 -k 4", "sigma", 2},
		{"replay -trace - -m 64 -k 4 -sigma 3 -messages 3", "messages", 2},
		{"replay -trace - -m 64 -k 4 -sigma 64", "sigma", 2},
		{"replay -trace - -m 64 -k 4 -sigma 2^64-1", "sigma", 2},
		{"replay -trace - -m 64 -k 4 -sigma 3 -retain", "sigma", 2},
		{"replay -trace - -m 64 -k 4 -messages 0", "messages", 2},
		{"replay -trace - -m 64 -k 4 -messages 1 -retain", "messages", 2},
		{"replay -trace - -m 64 -k 4 -sigma 32 -copy=false", "copy", 2},
		{"replay -trace - -m 64 -k 4 -sigma 32 -freeze before", "freeze", 2},
		{"replay -trace - -m 64 -k 65 -sigma 32 -hashing classic", "k", 2},
		{"replay -trace - -m 64 -k 4 -sigma 32 -warmup 0.5", "warmup", 2},
		{"replay -trace - -m 64 -k 4 -sigma 32 -target 0.1", "sigma", 2},
		{"replay -trace testdata/none -m 64 -k 4 -sigma 32 -json", "trace", 3},
		{"replay -trace - -m 64 -k 4 -sigma 32 -separator ,", "separator", 2},
		{"replay -trace - -m 64 -k 4 -sigma 32 -report testdata/none/page.html", "report", 3},
		{"recycle -m 64 -k 4 -sigma 32 -report page.html", "report", 2},
		{"growing -n 1000 -fpr 0.01 -after 1,000", "after", 2},
		{"fpr -m 1..2..3 -k 4 -n 1", "m", 2},
		{"fpr -m 9..3 -k 4 -n 1", "m", 2},
		{"fpr -m 64 -k 4 -n 0..10000", "n", 2},
		{"fpr -m 64 -k 4 -n 1..9/0", "n", 2},
		{"fpr -m 64 -k 4 -n 1..9*1", "n", 2},
		{"fpr -m 100..200*1.000001 -k 3 -n 4", "m", 2},
		{"fpr -m 64 -k 4 -n 0..9*2", "n", 2},
		{"fpr -m 64 -k 4 -n 9..1*2", "n", 2},
		{"fpr -m 64 -k 4 -n 1..9/2*2", "n", 2},
		{"fpr -m 64 -k 1..3 -n 1..3", "n", 2},
		{"fpr -m 64 -k 4095..4097 -n 1", "k", 2},
		{"fpr -m 64 -k 1..3 -n 1 -digits 3..5", "digits", 2},
		{"size -n 100 -fpr 0.1..0.2", "fpr", 2},
		{"fpr -m 64 -k 1..2 -n 3 -csv -json", "csv", 2},
		{"replay -trace - -m 64 -k 4 -sigma 1..3", "sigma", 2},
		{"replay -trace FEW -m 64 -k 4 -sigma 1..3 -report page.html", "report", 2},
		{"replay -trace - -m 64 -k 4 -sigma 32 -window 1h", "window", 2},
		{"replay -trace - -m 64 -k 4 -sigma 32 -field 1 -time-field 2", "window", 2},
		{"replay -trace - -m 64 -k 4 -sigma 32 -window 1h -time-field 2", "time-field", 2},
		{"replay -trace - -m 64 -k 4 -sigma 32 -field 1 -time-field 2 -window 1h -memory 1Mi", "memory", 2},
		{"replay -trace FEW -m 64 -k 4 -sigma 32 -field 1 -time-field 1 -window 1h", "field", 2},
		{"replay -trace - -m 64 -k 4 -sigma 32 -regexp (.) -field 1", "field", 2},
		{"replay -trace - -m 64 -k 4 -sigma 32 -regexp (.) -separator ,", "separator", 2},
		{"replay -trace FEW -m 64 -k 4 -sigma 32 -field 2", "field", 2},
		{"replay -trace FEW -m 64 -k 4 -sigma 32 -regexp (Q)", "regexp", 2},
		{"recycle -m 64 -target 0.1 -trace FEW -field 2", "field", 2},
		{"recycle -m 64 -target 0.1 -popularity uniform:9 -repeat 0.5 -field 2", "field", 2},
		{"replay -trace testdata -m 64 -k 4 -sigma 32", "trace", 3},
		{"claims -id burns.eq", "id", 2},
		{"claims -paper fan -id burns.eq6", "id", 2},
		{"claims -effort full", "effort", 2},
		{"claims -shard 1/2 -id burns.eq6", "shard", 2},
		{"cpu -m 64", "m", 2},
		{"selftest now", "arguments", 2},
		{"completion", "arguments", 2},
		{"completion tcsh", "arguments", 2},
		{"completion bash zsh", "arguments", 2},
		{"completion bash -shell zsh", "shell", 2},
		{"help nothing", "command", 2},
		{"help fpr fpr", "arguments", 2},
		{"nothing", "command", 2},
		{"Fpr", "command", 2},
		{"-json", "command", 2},
		{"nothing -json", "command", 2},
	} {
		if strings.HasPrefix(c.args, "recycle -m 64 -k 60 -target 1e-300") && !longtest.Enabled() {
			continue // a longer search for what recycle-target-none-json of TestGolden shows
		}
		rejected(t, strings.Fields(strings.ReplaceAll(c.args, "FEW", few)), c.param, c.status)
	}
	rejected(t, []string{""}, "command", 2)
	rejected(t, []string{"a\nb\x1b[31m" + strings.Repeat("c", 100000)}, "command", 2)
	rejected(t, []string{"fpr", "-a\nb"}, "a\ufffdb", 2)
}

// Help goes to standard output with status 0.
func TestHelp(t *testing.T) {
	for _, args := range []string{"help", "-h", "-help", "--help", "help help", "help fpr", "fpr -h", "replay -m 0 -help", "cpu --help", "selftest -h"} {
		status, stdout, stderr := try(nil, strings.Fields(args)...)
		if status != statusOK || stderr != "" || !strings.Contains(stdout, "Example") {
			t.Errorf("%s: status %d, stderr %q, stdout %q", args, status, stderr, stdout)
		}
	}
}

// The lines of each worked example are what the program prints.
func TestExamples(t *testing.T) {
	for _, cmd := range commands() {
		if slices.Contains([]string{"cpu", "selftest", "version", "conform", "serve"}, cmd.name) {
			continue // they tell of the host, of the build, and of another program, or do not end
		}
		lines := strings.Split(strings.TrimSpace(cmd.example), "\n")
		if cmd.name == "growing" && !longtest.Enabled() {
			continue // it takes a second; TestGolden has quicker calls
		}
		args := strings.Fields(lines[0])[2:] // without $ bloomproof
		status, stdout, stderr := tryOnce(args...)
		if status != statusOK {
			t.Fatalf("%s: status %d: %s", lines[0], status, stderr)
		}
		rest := "\n" + stdout
		for _, line := range lines[1:] {
			line = strings.TrimPrefix(line, "  ")
			if line == "..." {
				continue
			}
			_, after, ok := strings.Cut(rest, "\n"+line+"\n")
			if !ok {
				t.Errorf("%s: no line %q in\n%s", cmd.name, line, rest)
				break
			}
			rest = "\n" + after
		}
	}
}

// Corrupt traces end with status 3 and one line.
func TestCorruptTrace(t *testing.T) {
	dir := t.TempDir()
	whole := compress(t, strings.Repeat("key\n", 100))
	for name, data := range map[string][]byte{
		"cut.gz":   whole[:len(whole)/2],
		"bad.gz":   append([]byte{0x1f, 0x8b}, "nonsense nonsense"...),
		"long.txt": bytes.Repeat([]byte("x"), 1<<20+1),
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
		args := []string{"replay", "-trace", file, "-m", "64", "-k", "4", "-sigma", "32"}
		rejected(t, args, "trace", statusIO)
		rejected(t, append(args, "-json"), "trace", statusIO)
		rejected(t, append(args, "-warmup", "0.5"), "trace", statusIO)
	}
}

// failing is a full disk.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestFailingOutput(t *testing.T) {
	for _, args := range []string{"help", "fpr -h", "cpu", "fpr -m 64 -k 4 -n 1 -json", "fpr -m 0 -k 4 -n 1 -json"} {
		var stderr bytes.Buffer
		status := run(context.Background(), strings.Fields(args), nil, failing{}, &stderr)
		if status != statusIO {
			t.Errorf("%s: status %d, want %d", args, status, statusIO)
		}
		if line := stderr.String(); strings.Count(line, "\n") != 1 {
			t.Errorf("%s: stderr %q", args, line)
		}
	}
}

// An interrupt ends a replay even while its input does not come.
func TestInterrupt(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(context.Background())
	var stdout, stderr bytes.Buffer
	done := make(chan int)
	go func() {
		done <- run(ctx, strings.Fields("replay -trace - -m 64 -k 4 -sigma 32"), r, &stdout, &stderr)
	}()
	if _, err := io.WriteString(w, strings.Repeat("key\n", 1000)); err != nil {
		t.Fatal(err)
	}
	cancel()
	select {
	case status := <-done:
		if status != statusIO || stdout.Len() > 0 || !strings.HasPrefix(stderr.String(), "bloomproof replay: interrupted after ") {
			t.Errorf("status %d, stdout %q, stderr %q", status, stdout.String(), stderr.String())
		}
	case <-time.After(30 * time.Second):
		t.Fatal("not interrupted")
	}
}

// Progress is shown after a second, at most once a second, and wiped.
func TestProgress(t *testing.T) {
	var b bytes.Buffer
	p := &progress{w: &b, last: time.Now()}
	p.show("too early")
	p.done()
	if b.Len() > 0 {
		t.Errorf("printed %q within the first second", b.String())
	}
	p.last = p.last.Add(-time.Minute)
	p.show("%d arrivals", 5)
	p.show("too early")
	p.done()
	if want := "\r\x1b[K5 arrivals\r\x1b[K"; b.String() != want {
		t.Errorf("printed %q, want %q", b.String(), want)
	}
	if p := newProgress(&b); p.w != nil {
		t.Error("a buffer is no terminal")
	}
	newProgress(&b).clock("working")() // returns at once
	for share, want := range map[float64]string{0: "[....................]", 0.5: "[##########..........]", 1: "[####################]"} {
		if got := bar(share); got != want {
			t.Errorf("bar(%v) is %s", share, got)
		}
	}
}
