package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/internal/mutant"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// A run that was stopped goes on where it ended, shards make up the whole, and the summary does
// not depend on their order.
func TestResumeAndShards(t *testing.T) {
	if testing.Short() {
		t.Skip("short: it makes twelve examinations; make test-tools runs it")
	}
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	make := func(name, shard string, levels uint64) {
		t.Helper()
		if err := start(&bytes.Buffer{}, plan{levels: levels, levelEffort: 0.001}, shard, "level", file(name), false, nil); err != nil {
			t.Fatal(err)
		}
	}
	summary := func(names ...string) string {
		t.Helper()
		for i, name := range names {
			names[i] = file(name)
		}
		var b bytes.Buffer
		if err := start(&b, plan{levels: 5, levelEffort: 0.001}, "", "", "", true, names); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	make("whole", "1/1", 4)
	make("a", "1/2", 4)
	make("b", "2/2", 4)
	make("part", "1/1", 2)
	text, err := os.ReadFile(file("part"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file("part"), append(text, `{"part":"lev`...), 0o666); err != nil { // cut short
		t.Fatal(err)
	}
	make("part", "1/1", 4)
	want := summary("whole")
	if !strings.Contains(want, "probability 0.01: 4 seeds at effort 0.001") || !strings.Contains(want, "races 0 of 0, level 4 of 5, ") {
		t.Fatal(want)
	}
	for _, names := range [][]string{{"a", "b"}, {"b", "a"}, {"part"}, {"a", "whole"}} {
		if got := summary(names...); got != want {
			t.Errorf("%v:\n%s\nwant\n%s", names, got, want)
		}
	}
}

// The summary fails for a sound filter that is accused, at the default or too often at a larger
// level, and for a wrong one that is accused of nothing or of something else.
func TestSummaryFails(t *testing.T) {
	w := mutant.Wrongs()[0]
	found := func(l conform.Law) []conform.Finding { return []conform.Finding{{Law: l}} }
	often := []result{}
	for seed := range uint64(20) {
		often = append(often, result{key: key{partLevel, "standard", 1, seed}, Level: 0.01, Found: found("rate")})
	}
	for _, row := range []struct {
		done []result
		err  string
	}{
		{[]result{{key: key{partSound, "standard", 1, 7}}}, ""},
		{[]result{{key: key{partSound, "standard", 1, 7}, Found: found("rate")}}, "standard, seed 7, is accused"},
		{often[:1], ""},
		{often, "at a false-alarm probability of 0.01 20 of 20"},
		{[]result{{key: key{partWrong, w.Name, 1, 7}, Found: found(w.Law)}}, ""},
		{[]result{{key: key{partWrong, w.Name, 1, 7}}}, "is accused under \"dependence\" in 0 of 1"},
		{[]result{{key: key{partWrong, w.Name, 1, 7}, Found: append(found(w.Law), found("union")...)}}, "what does not follow: union"},
	} {
		err := summarize(&bytes.Buffer{}, plan{}, row.done)
		if (row.err == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), row.err) {
			t.Errorf("%v: error %v, want %q", row.done[0], err, row.err)
		}
	}
}

// Runs are found again by what they record.
func TestPower(t *testing.T) {
	longtest.Only(t, "some thirty examinations")
	name := filepath.Join(t.TempDir(), "power")
	var b bytes.Buffer
	if err := start(&b, plan{powers: 1, effortMax: 0.1}, "1/1", "power", name, false, nil); err != nil {
		t.Fatal(err)
	}
	for _, f := range faults() {
		if !regexp.MustCompile(regexp.QuoteMeta(f.name) + ` +0\.1 +[01]/1 `).MatchString(b.String()) {
			t.Errorf("%s is not in\n%s", f.name, b.String())
		}
	}
	if !regexp.MustCompile(`rate \+20 %, bits counted +0\.1 +1/1`).MatchString(b.String()) {
		t.Errorf("a rate that is 20 %% too high is not found\n%s", b.String())
	}
}

func TestErrors(t *testing.T) {
	for _, row := range []struct{ shard, only, resume, want string }{
		{"0/1", "sound", "x", "-shard"},
		{"2/1", "sound", "x", "-shard"},
		{"one", "sound", "x", "-shard"},
		{"1/1", "sound", "", "-resume"},
		{"1/1", "sound,gravity", "x", "gravity"},
	} {
		if err := start(&bytes.Buffer{}, plan{}, row.shard, row.only, row.resume, false, nil); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%v: error %v", row, err)
		}
	}
}

// often100 reports whether found of runs are as many as racy filters must be accused in.
func often100(found, runs string) bool {
	f, err1 := strconv.ParseFloat(found, 64)
	n, err2 := strconv.ParseFloat(runs, 64)
	return err1 == nil && err2 == nil && f >= often*n
}

// summary.txt is of the wrong filters that there are, each accused under its law in every run,
// and of the faults.
func TestRecord(t *testing.T) {
	const again = "run make soak and go run ./verify/internal/tools/soak -summary .bin/soak.jsonl >verify/internal/tools/soak/summary.txt"
	text, err := os.ReadFile("summary.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^  (\S.*?) +(\d+)/(\d+)  (.*)$`).FindAllStringSubmatch(string(text), -1)
	byName := map[string][]string{}
	for _, r := range rows {
		byName[r[1]] = r
	}
	wrongs := mutant.Wrongs()
	for _, w := range wrongs {
		r := byName[w.Name]
		if r == nil || r[2] != r[3] && !(racy(w) && often100(r[2], r[3])) || !strings.HasPrefix(r[4], string(w.Law)+" ") {
			t.Errorf("%s: %q in summary.txt: %s", w.Name, r, again)
		}
	}
	if len(rows) != len(wrongs) {
		t.Errorf("%d wrong filters in summary.txt, there are %d: %s", len(rows), len(wrongs), again)
	}
	for _, f := range faults() {
		if !strings.Contains(string(text), "\n"+f.name+" ") {
			t.Errorf("%s is not in summary.txt: %s", f.name, again)
		}
	}
}
