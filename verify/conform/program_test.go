package conform_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/internal/mutant"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// operations are the laws that programs examine.
var operations = []conform.Law{"no false negative", "batch", "test and set", "union", "intersection", "reset", "snapshot"}

var gotWant = regexp.MustCompile(`// got (.*), want`)

// What is printed compiles against the functions of a subject, runs, and prints what was found.
func TestProgramsRun(t *testing.T) {
	longtest.Only(t, "it compiles and links what is printed; TestProgramsAreShort looks at the same programs")
	var b strings.Builder
	var want []string
	b.WriteString("package main\n\nimport (\n\t\"bytes\"\n\t\"encoding/binary\"\n\t\"fmt\"\n\t\"slices\"\n\t\"strconv\"\n\n\t\"github.com/bloomproof/bloomproof/verify/internal/mutant\"\n)\n\n" +
		"func main() {\n\t_, _, _, _ = bytes.Equal, binary.LittleEndian, strconv.Itoa, slices.Equal[[]int]\n\twrongs := mutant.Wrongs()\n")
	for i, w := range mutant.Wrongs() {
		// Programs print neither what the caller does with its memory afterwards, nor what other filters did before.
		memory := []string{"filters that were read from equal snapshots in turn have one array", "a batch is read up to the capacity of short keys", "a batch is kept and added at the next look-up"}
		if i%4 > 0 || slices.Contains(memory, w.Name) || w.Huge || w.Endless || w.Shapes != nil || !slices.Contains(operations, w.Law) {
			continue
		}
		report, err := conform.Examine(w.Subject, conform.Options{Effort: 0.01, Laws: []conform.Law{w.Law}})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range report.Findings {
			if m := gotWant.FindStringSubmatch(f.Program); m != nil {
				want = append(want, fmt.Sprintf("%s: %s", w.Name, m[1]))
				fmt.Fprintf(&b, "\tfmt.Print(%q)\n\tfunc() {\n\t\ts := wrongs[%d].Subject\n", w.Name+": ", i)
				for _, name := range []string{"New", "Add", "Contains", "AddBatch", "ContainsBatch", "TestAndAdd", "Bits", "Words", "Union", "Intersect", "Reset", "Items", "Rate", "Marshal", "Unmarshal"} {
					fmt.Fprintf(&b, "\t\t%s := s.%s\n\t\t_ = %s\n", name, name, name)
				}
				fmt.Fprintf(&b, "%s\n\t}()\n", f.Program)
			}
		}
	}
	b.WriteString("}\n")
	dir, err := filepath.Abs("../internal/printed") // which is there for the compiler alone
	if err != nil {
		t.Fatal(err)
	}
	source, overlay, program := filepath.Join(t.TempDir(), "main.go"), filepath.Join(t.TempDir(), "overlay.json"), filepath.Join(t.TempDir(), "printed.exe")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(dir, "main.go"): source}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{source: []byte(b.String()), overlay: replace} {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-ldflags=-s -w", "-overlay", overlay, "-o", program, "../internal/printed")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, b.String())
	}
	out, err := exec.Command(program).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(want) < 10 || strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%d programs print\n%s\nwant\n%s", len(want), strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A program has as few steps and keys as fail.
func TestProgramsAreShort(t *testing.T) {
	for name, want := range map[string]string{
		"a reset clears the count only":                      "f, _ := New(64, 3)\nAdd(f, []byte(\"0\"))\nReset(f)\nfmt.Println(Contains(f, []byte(\"0\"))) // got true, want false",
		"union leaves the count as it was":                   "f, _ := New(64, 3)\nAdd(f, []byte(\"0\"))\ng, _ := New(64, 3)\nUnion(g, f)\nfmt.Println(Bits(g)) // got 0, want 3",
		"a batch leaves out what is left of a multiple of 4": "f, _ := New(64, 3)\nAddBatch(f, [][]byte{[]byte(\"0\")})\nfmt.Println(Contains(f, []byte(\"0\"))) // got false, want true",
		"reading consumes the caller's bytes":                "f, _ := New(64, 3)\ndata, _ := Marshal(f)\nkept := bytes.Clone(data)\nUnmarshal(f, data)\nfmt.Println(bytes.Equal(data, kept)) // got false, want true",
	} {
		for _, w := range mutant.Wrongs() {
			if w.Name != name {
				continue
			}
			report, err := conform.Examine(w.Subject, conform.Options{Effort: 0.01, Laws: []conform.Law{w.Law}})
			if err != nil || len(report.Findings) != 1 || report.Findings[0].Program != want {
				t.Errorf("%s: %v\n%v\n%s", name, err, report, report.Findings[0].Program)
			}
		}
	}
}

// A program that panics is a finding that says where, and so is one that any bytes encode.
func TestProgramsPanic(t *testing.T) {
	s := mutant.Sound(bloomproof.Standard, 0)
	reset := s.Reset
	s.Reset = func(f *mutant.Plain) {
		if s.Contains(f, []byte("7")) {
			panic("7 is there")
		}
		reset(f)
	}
	report, err := conform.Examine(s, conform.Options{Effort: 0.03, Laws: []conform.Law{"reset"}})
	if err != nil || len(report.Findings) != 1 || !strings.Contains(report.Findings[0].Program, "Reset(f) // panics: 7 is there") {
		t.Errorf("%v\n%v", err, report)
	}
	found, r := 0, rand.New(rand.NewPCG(1, 2))
	for range 300 {
		data := []byte{9, 2, 3}
		for range 60 {
			data = append(data, byte(r.Uint32()))
		}
		report, err := conform.ExamineProgram(s, data)
		if err != nil {
			t.Fatal(err)
		}
		if len(report.Findings) > 0 && report.Findings[0].Law == "reset" {
			found++
		}
	}
	if found == 0 {
		t.Error("no program that bytes encode resets a filter that has the key 7")
	}
}
