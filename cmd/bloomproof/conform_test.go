package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The programs of docs, a filter each in C and in Python, keep the laws.
func TestConformPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("short: a C compiler and Python take seconds, most of it their own; the protocol is tested in package conform")
	}
	t.Run("C", func(t *testing.T) {
		cc := installed(t, "cc")
		program := filepath.Join(t.TempDir(), "pipe")
		if out, err := exec.Command(cc, "-O1", "-Wall", "-Werror", "-o", program, "../../docs/pipe.c").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		status, out, stderr := try(nil, "conform", "-effort", "1", "-json", "--", program)
		checkJSON(t, out)
		var r conformReport
		if err := json.Unmarshal([]byte(out), &r); err != nil || status != statusOK || len(r.Kept) != 5 || len(r.Findings) > 0 || r.FalseAlarm != "1e-06" || r.Block != 0 {
			t.Errorf("status %d, %v\n%s%s", status, err, out, stderr)
		}
		// It has no slices and no blocks.
		status, out, stderr = try(nil, "conform", "-effort", "1", "-hashing", "partitioned", "-block", "256", "--", program)
		if status != statusFailed || !strings.Contains(out, "broken") || !strings.Contains(out, "partitioned block=256") {
			t.Errorf("as blocks of 256 bits: status %d\n%s%s", status, out, stderr)
		}
	})
	t.Run("Python", func(t *testing.T) {
		longtest.Only(t, "Python takes seconds")
		python := installed(t, "python3")
		status, out, stderr := try(nil, "conform", "-effort", "1", "--", python, "../../docs/pipe.py")
		if status != statusOK || !strings.Contains(out, "union, reset") {
			t.Errorf("status %d\n%s%s", status, out, stderr)
		}
	})
}

// containsAllEnv makes TestConformContainsAll such a program.
const containsAllEnv = "BLOOMPROOF_CONTAINS_ALL"

// A program whose filters contain everything breaks a law.
func TestConformContainsAll(t *testing.T) {
	if os.Getenv(containsAllEnv) != "" {
		serve(os.Stdin, os.Stdout, "", func(m, k string) bool { return true }, "1")
		os.Exit(0)
	}
	if testing.Short() {
		t.Skip("short, as under an emulator, which cannot start the test binary again")
	}
	t.Setenv(containsAllEnv, "1")
	status, out, stderr := try(nil, "conform", "-effort", "1", "--", os.Args[0], "-test.run=^TestConformContainsAll$")
	if status != statusFailed || !strings.Contains(out, "an empty filter contains a key") {
		t.Errorf("status %d\n%s%s", status, out, stderr)
	}
}

// serve is a program with standard filters of the shapes that there are, which say 0 or 1 of
// every key.
func serve(questions io.Reader, answers io.Writer, has string, offers func(m, k string) bool, of string) {
	lines := bufio.NewScanner(questions)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		answer := "ok"
		switch f := strings.Fields(lines.Text()); {
		case f[0] == "hello":
			answer = "ok standard 0" + has
		case f[0] == "new" && offers(f[2], f[3]):
			answer = "ok " + f[2] + " " + f[3]
		case f[0] == "new":
			answer = "no such shape"
		case f[0] == "has":
			answer = strings.Repeat(of, len(f)-2)
		}
		fmt.Fprintln(answers, answer)
	}
}

// A program that ends, or is none, is an error.
func TestConformFailures(t *testing.T) {
	if shell, err := exec.LookPath("sh"); err == nil {
		status, _, stderr := try(nil, "conform", "--", shell, "-c", "exit 7")
		if status != statusIO || stderr == "" {
			t.Errorf("a program that ends: status %d, %s", status, stderr)
		}
	}
	if status, _, stderr := try(nil, "conform", "--", filepath.Join(t.TempDir(), "none")); status != statusIO || stderr == "" {
		t.Errorf("no program: status %d, %s", status, stderr)
	}
}

// A program that offers a filter only where no false negative is looked for has not been
// examined. This one contains nothing, and has the one shape where reset is examined.
func TestConformUnexamined(t *testing.T) {
	questions, in := io.Pipe()
	out, answers := io.Pipe()
	go serve(questions, answers, " reset", func(m, k string) bool { return m == "1000" && k == "5" }, "0")
	talk := &talk{in: in, out: out, timer: time.NewTimer(time.Hour)}
	r, err := examinePipe(talk, time.Hour, declared{}, conform.Options{Effort: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	r.print(&text)
	if r.Err() == nil || !strings.Contains(text.String(), "failed\t\"no false negative\" was not examined") {
		t.Errorf("error %v\n%s", r.Err(), text.String())
	}
	if err := in.Close(); err != nil {
		t.Error(err)
	}
}

// A program that writes without end, keeps silent or offers no filter is an error, and soon.
func TestConformEnds(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("the programs are shell scripts, and this host has no sh: ", err)
	}
	for _, c := range []struct{ name, script, want string }{
		{"endless nonsense", "while :; do echo y; done", "answer to hello"},
		{"endless greetings", "while :; do echo ok standard 0; done", "answer to new"},
		{"no greeting", "exec sleep 100", "no answer within 300ms"},
		{"no answer", "read x; echo ok standard 0; sleep 5; exit", "no answer within 400ms"},
		{"half an answer", "read x; echo ok standard 0; read x; printf ok; exec sleep 100", "no answer within 400ms"},
		{"no filter", "read x; echo ok standard 0; while read c i; do test $c = new && echo ok 0 0 || echo ok; done", "no filter could be examined: \"no false negative\" was not examined: m=47 k="},
		{"all refused", "read x; echo ok standard 0; while read c; do echo no way; done", "was refused: refused way"},
	} {
		start := time.Now()
		_, err := examineProgram(t.Context(), []string{shell, "-c", c.script}, io.Discard, patience{300 * time.Millisecond, 400 * time.Millisecond}, declared{}, conform.Options{Effort: 0.01})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("%s: took %v", c.name, d)
		}
	}
}
