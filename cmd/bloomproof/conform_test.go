package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The programs of docs keep the laws. Each is an adaptor of at most 40 lines.
func TestConformPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("short: it starts compilers and interpreters of other languages, which takes seconds; package conform tests the protocol without them")
	}
	t.Chdir("../..")
	dir := t.TempDir()
	for _, c := range []struct {
		name, source string
		build, run   []string // from the top of the repository; the first word is what must be installed
		shows        []conform.Law
	}{
		{"C", "docs/pipe.c", []string{"cc", "-O1", "-Wall", "-Werror", "-o", filepath.Join(dir, "c"), "docs/pipe.c"}, []string{filepath.Join(dir, "c")}, nil},
		{"Python", "docs/pipe.py", nil, []string{"python3", "docs/pipe.py"}, []conform.Law{"place", "union", "reset", "snapshot", "corrupt snapshot"}},
		{"JavaScript", "docs/pipe.js", nil, []string{"node", "docs/pipe.js"}, []conform.Law{"place", "union", "reset", "snapshot", "corrupt snapshot"}},
		{"Java", "docs/Pipe.java", nil, []string{"java", "docs/Pipe.java"}, []conform.Law{"reset", "snapshot", "corrupt snapshot"}},
		{"Rust", "docs/pipe.rs", []string{"rustc", "--edition", "2021", "-O", "-o", filepath.Join(dir, "rust"), "docs/pipe.rs"}, []string{filepath.Join(dir, "rust")}, []conform.Law{"snapshot", "corrupt snapshot"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if text, err := os.ReadFile(c.source); err != nil || bytes.Count(text, []byte("\n")) > 40 {
				t.Errorf("%s: %v, or more than 40 lines", c.source, err)
			}
			if c.name != "C" {
				longtest.Only(t, "it takes seconds, most of it the program's own")
			}
			if len(c.build) > 0 {
				if out, err := exec.Command(longtest.Program(t, c.build[0]), c.build[1:]...).CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			} else {
				longtest.Program(t, c.run[0])
			}
			if !longtest.Enabled() { // the command has more effort for its least
				var questions, answers strings.Builder
				for id, shape := range []string{"97 5", "1024 4", "100003 1", "8 16"} {
					fmt.Fprintf(&questions, "new %d %s\n", id, shape)
					fmt.Fprintf(&answers, "ok %s\n", shape)
				}
				for i := range 10 { // the law of false negatives asks thousands of questions in turn
					id, keys := i%4, ""
					for key := range 50 {
						keys += fmt.Sprintf(" %x", fmt.Sprint("key ", i, key))
					}
					fmt.Fprintf(&questions, "add %d%s\nhas %d%s\n", id, keys, id, keys)
					fmt.Fprintf(&answers, "ok\n%s\n", strings.Repeat("1", 50))
				}
				program := exec.Command(c.run[0], c.run[1:]...)
				program.Stdin = strings.NewReader(questions.String())
				if out, err := program.Output(); err != nil || string(out) != answers.String() {
					t.Errorf("%v\n%s\nwant\n%s", err, out, answers.String())
				}
				o := conform.Options{Effort: 0.0005, Laws: []conform.Law{"rate", "set bits"}, Shapes: []bloomproof.Geometry{{M: 97, K: 5}, {M: 1024, K: 4}}}
				p := patience{20 * time.Second, 2 * time.Minute}
				if r, err := examineProgram(t.Context(), c.run, os.Stderr, p, declared{}, o); err != nil || r.Err() != nil || len(r.Kept) != len(o.Laws) {
					t.Errorf("%v, kept %q\n%v", err, r.Kept, r.Findings)
				}
				hashing, block := bloomproof.Partitioned, uint64(256)
				o.Laws, o.Shapes = []conform.Law{"rate", "set bits", "dependence", "keys"}, nil
				r, err := examineProgram(t.Context(), c.run, os.Stderr, p, declared{&hashing, &block}, o)
				if err != nil || r.Err() == nil {
					t.Errorf("as blocks of 256 bits: %v, %v", err, r.Kept)
				}
				return
			}
			status, out, stderr := try(nil, append([]string{"conform", "-effort", "1", "-json", "--"}, c.run...)...)
			checkJSON(t, out)
			var r struct {
				Findings   []conform.Finding
				Kept       []conform.Law
				FalseAlarm string `json:"false_alarm"`
				Block      uint64
			}
			if err := json.Unmarshal([]byte(out), &r); err != nil || status != statusOK || len(r.Findings) > 0 || r.FalseAlarm != "1e-06" || r.Block != 0 {
				t.Errorf("status %d, %v\n%s%s", status, err, out, stderr)
			}
			for _, l := range append(c.shows, "no false negative", "rate", "set bits", "dependence", "keys") {
				if !slices.Contains(r.Kept, l) {
					t.Errorf("%q was not examined", l)
				}
			}
			if c.name != "C" {
				return
			}
			// It has no slices and no blocks.
			status, out, stderr = try(nil, append([]string{"conform", "-effort", "1", "-hashing", "partitioned", "-block", "256", "--"}, c.run...)...)
			if status != statusFailed || !strings.Contains(out, "block=256") || !strings.Contains(out, "examined as partitioned") {
				t.Errorf("as blocks of 256 bits: status %d\n%s%s", status, out, stderr)
			}
		})
	}
}

// containsAllEnv makes TestConformContainsAll such a program.
const containsAllEnv = "BLOOMPROOF_CONTAINS_ALL"

// A program whose filters contain everything breaks a law.
func TestConformContainsAll(t *testing.T) {
	if os.Getenv(containsAllEnv) != "" {
		answerQuestions(os.Stdin, os.Stdout, "", func(m, k string) bool { return true }, "1")
		os.Exit(0)
	}
	if testing.Short() {
		t.Skip("short, as under an emulator, which cannot start the test binary again")
	}
	longtest.Only(t, "TestConformReport accuses the same filter, in this process")
	t.Setenv(containsAllEnv, "1")
	file := filepath.Join(t.TempDir(), "report.txt")
	status, out, stderr := try(nil, "conform", "-effort", "1", "-report", file, "--", os.Args[0], "-test.run=^TestConformContainsAll$")
	if status != statusFailed || !strings.Contains(out, "an empty filter contains a key") {
		t.Errorf("status %d\n%s%s", status, out, stderr)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != out {
		t.Errorf("%v, the file has\n%s\nand standard output\n%s", err, text, out)
	}
}

// -report writes what was found, in the format of the suffix, or leaves what there was.
func TestConformReport(t *testing.T) {
	questions, in := io.Pipe()
	out, answers := io.Pipe()
	go answerQuestions(questions, answers, "", func(m, k string) bool { return true }, "1")
	r, err := examinePipe(func() (io.ReadWriteCloser, error) { return conversation{out, in}, nil }, declared{}, conform.Options{Effort: longtest.More(0.001, 0.01), Shapes: []bloomproof.Geometry{{M: 97, K: 5}}})
	if err != nil || len(r.Findings) == 0 {
		t.Fatal(err, r)
	}
	dir := t.TempDir()
	write := func(file string) error {
		f, err := newReportFile(filepath.Join(dir, file))
		if err != nil {
			return err
		}
		defer f.drop()
		return f.put(func(w io.Writer) error { return reportFormats[filepath.Ext(file)](w, r) })
	}
	read := func(file string) []byte {
		if err := write(file); err != nil {
			t.Error(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Error(err)
		}
		return text
	}
	if text := string(read("report.txt")); !strings.Contains(text, r.Findings[0].String()) {
		t.Error(text)
	}
	text := read("report.json")
	checkJSON(t, string(text))
	var object struct {
		Findings []conform.Finding `json:"findings"`
	}
	if err := json.Unmarshal(text, &object); err != nil || !slices.Equal(object.Findings, r.Findings) {
		t.Errorf("%v\n%s", err, text)
	}
	var suite junitSuite
	if err := xml.Unmarshal(read("report.xml"), &suite); err != nil {
		t.Fatal(err)
	}
	failures := 0
	for i, c := range suite.Cases {
		if c.Name != string(conform.Laws()[i]) {
			t.Errorf("test case %d is %s", i, c.Name)
		}
		if c.Failure != nil {
			failures++
		}
		if c.Skipped != nil && !strings.HasPrefix(c.Skipped.Message, "the program does not know ") && !strings.HasPrefix(c.Name, "concurrent ") {
			t.Errorf("%s is skipped: %s", c.Name, c.Skipped.Message)
		}
	}
	if len(suite.Cases) != len(conform.Laws()) || suite.Tests != len(suite.Cases) || failures != len(r.Findings) || suite.Failures != failures || suite.Skipped == 0 {
		t.Errorf("%+v", suite)
	}

	if err := os.MkdirAll(filepath.Join(dir, "taken.xml", "kept"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"taken.xml", "none/report.xml"} {
		var failed *ioError
		if err := write(file); !errors.As(err, &failed) || failed.param != "report" {
			t.Errorf("%s: %v", file, err)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 4 {
		t.Errorf("%v, %v are left", err, left)
	}
}

// answerQuestions is a program with standard filters of the shapes that there are, which say 0 or 1 of
// every key.
func answerQuestions(questions io.Reader, answers io.Writer, has string, offers func(m, k string) bool, of string) {
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

// conversation is a talk with serve.
type conversation struct {
	io.Reader
	io.WriteCloser
}

// A program that contains nothing is found, although it has one shape alone, which only programs of
// operations ask for.
func TestConformOneShape(t *testing.T) {
	questions, in := io.Pipe()
	out, answers := io.Pipe()
	go answerQuestions(questions, answers, " reset", func(m, k string) bool { return m == "1000" && k == "5" }, "0")
	r, err := examinePipe(func() (io.ReadWriteCloser, error) { return conversation{out, in}, nil }, declared{}, conform.Options{Effort: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	r.print(&text)
	if r.Err() == nil || !strings.Contains(text.String(), "no false negative: standard m=1000 k=5") {
		t.Errorf("error %v\n%s", r.Err(), text.String())
	}
	var junit bytes.Buffer
	if err := writeJUnit(&junit, r); err != nil || !strings.Contains(junit.String(), `failures="1"`) {
		t.Errorf("%v\n%s", err, junit.String())
	}
}

// A program that hangs in the middle of a law breaks it, and is started again.
func TestConformHangs(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil || testing.Short() {
		t.Skip("short, or no sh as on Windows: the program is a shell script that hangs for seconds")
	}
	const script = `while read c id rest; do case $c in
hello) echo ok standard 0 union;;
new) echo ok $rest;;
has) for key in $rest; do printf 1; done; echo;;
union) exec sleep 100;;
*) echo ok;;
esac; done`
	r, err := examineProgram(t.Context(), []string{shell, "-c", script}, io.Discard, patience{20 * time.Second, time.Second}, declared{}, conform.Options{Effort: 0.01, Laws: []conform.Law{"union"}})
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Law != "union" || !strings.Contains(r.Findings[0].Text, "no answer within 1s") {
		t.Errorf("%v, %v", err, r.Findings)
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
		{"endless greetings", "while :; do echo ok standard 0; done", "answer to \"new"},
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
