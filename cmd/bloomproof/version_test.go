package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// The version is the one of CITATION.cff, which a test of the root package holds to the
// changelog.
func TestVersionIsCited(t *testing.T) {
	cff, err := os.ReadFile("../../CITATION.cff")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^version: (\S+)$`).FindSubmatch(cff)
	if m == nil || string(m[1]) != version {
		t.Errorf("CITATION.cff has %q, bloomproof version prints %s", m, version)
	}
}

func TestVersion(t *testing.T) {
	status, stdout, stderr := try(nil, "version", "-json")
	if status != statusOK || stderr != "" {
		t.Fatalf("status %d, stderr %q", status, stderr)
	}
	if _, same, _ := try(nil, "--version", "-json"); same != stdout {
		t.Errorf("--version prints %s", same)
	}
	object := checkJSON(t, stdout)
	for field, want := range map[string]string{"version": version, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH} {
		if object[field] != want {
			t.Errorf("%s is %v, want %s", field, object[field], want)
		}
	}
	if kernels, _ := object["kernels"].([]any); len(kernels) == 0 {
		t.Errorf("kernels are %v", object["kernels"])
	}

	level := "GO" + strings.ToUpper(runtime.GOARCH)
	info := &debug.BuildInfo{GoVersion: "go1.99", Main: debug.Module{Version: "v0.1.0"}, Settings: []debug.BuildSetting{
		{Key: "-tags", Value: "purego"}, {Key: "CGO_ENABLED", Value: "0"}, {Key: level, Value: "v3"},
		{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-11-22T12:00:00Z"}, {Key: "vcs.modified", Value: "true"},
	}}
	r := versionOf(info, cpuReport{Kernels: map[string]string{"Count": "avx2", "AndCount": "avx2", "Add": "portable"}})
	modified := true
	want := versionReport{
		Version: version, Module: "v0.1.0", Revision: "abc", Time: "2026-11-22T12:00:00Z", Modified: &modified, Go: "go1.99",
		OS: runtime.GOOS, Arch: runtime.GOARCH, Level: level + "=v3", Tags: "purego", Kernels: []string{"avx2", "portable"},
	}
	got, _ := json.Marshal(r)
	wanted, _ := json.Marshal(want)
	if string(got) != string(wanted) {
		t.Errorf("%s\nwant\n%s", got, wanted)
	}
	var out strings.Builder
	r.print(&out)
	if text := out.String(); !strings.Contains(text, "abc of 2026-11-22T12:00:00Z, with changes\n") || !strings.Contains(text, level+"=v3 purego\n") {
		t.Errorf("printed %q", text)
	}
}

// The manual has every command and topic, its lines are text or the macros of man(7), and
// without those it is what help prints.
func TestManual(t *testing.T) {
	status, page, stderr := try(nil, "help", "-man")
	if status != statusOK || stderr != "" {
		t.Fatalf("status %d, stderr %q", status, stderr)
	}
	macros := []string{".TH", ".SH", ".SS", ".B", ".I", ".nf", ".fi"}
	unescape := strings.NewReplacer(`\e`, `\`, `\-`, "-", `\(aq`, "'", `\(ga`, "`", `\(ha`, "^", `\(ti`, "~", `\&`, "")
	var text strings.Builder
	for line := range strings.Lines(page) {
		switch {
		case line[0] == '.':
			if !slices.Contains(macros, strings.Fields(line)[0]) {
				t.Errorf("%q begins with no macro of man(7)", line)
			}
		case line[0] == '\'':
			t.Errorf("%q would be taken for a macro", line)
		default:
			text.WriteString(unescape.Replace(line))
			if rest := strings.Trim(unescape.Replace(line), "\n"); strings.Count(roff(rest), `\`) != strings.Count(line, `\`) {
				t.Errorf("%q is not escaped as it must be", line)
			}
		}
	}
	var all []string
	for _, c := range commands() {
		all = append(all, c.name)
	}
	for _, tp := range topics {
		all = append(all, tp.name)
		if _, ok := find(tp.name); ok {
			t.Errorf("%s is a command and a topic", tp.name)
		}
	}
	for _, name := range all {
		_, help, _ := try(nil, "help", name)
		if help == "" || !strings.Contains(text.String(), help) {
			t.Errorf("the manual lacks what help %s prints", name)
		}
	}
	if _, err := exec.LookPath("groff"); err == nil {
		cmd := exec.Command("groff", "-man", "-ww", "-Tutf8")
		cmd.Stdin = strings.NewReader(page)
		var errs strings.Builder
		cmd.Stderr = &errs
		if _, err := cmd.Output(); err != nil || errs.Len() > 0 {
			t.Errorf("groff: %v\n%s", err, errs.String())
		}
	}
}

// Lines of topics fit a terminal of 100 columns.
func TestTopicWidth(t *testing.T) {
	for _, tp := range topics {
		for line := range strings.Lines(tp.text) {
			if len(line) > 100 {
				t.Errorf("%s: %q has %d columns", tp.name, line, len(line))
			}
		}
	}
}
