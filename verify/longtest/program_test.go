package longtest

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// .ci/missing has the list of programs, and .ci/run installs each of them.
func TestPrograms(t *testing.T) {
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	_, list, _ := strings.Cut(read("../../.ci/missing"), "\nfor program in ")
	list, _, ok := strings.Cut(list, "; do")
	if !ok || !slices.Equal(strings.Fields(list), programs) {
		t.Errorf(".ci/missing has %q, want %q", strings.Fields(list), programs)
	}
	installs := read("../../.ci/run")
	for _, program := range programs {
		command := map[string]string{"cc": "gcc"}[program] // whose package has cc
		if command == "" {
			command = program
		}
		if program != "bash" && !strings.Contains(installs, "command -v "+command+" ") {
			t.Errorf(".ci/run does not install %s", program)
		}
	}
	if !slices.IsSorted(programs) {
		t.Errorf("not sorted: %q", programs)
	}
}

// .ci/missing names the programs that are missing, and only those.
func TestMissing(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("short, or no shell as on Windows: it runs a script")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := func() string {
		script := exec.Command(bash, "../../.ci/missing")
		script.Env = []string{"PATH=" + dir}
		text, err := script.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		return string(text)
	}
	if text := run(); !strings.Contains(text, "missing here: "+strings.Join(programs, " ")+"\n") {
		t.Errorf("without programs it says %q", text)
	}
	for _, program := range programs {
		if program == "z3" || program == "cc" {
			continue
		}
		if err := os.WriteFile(dir+"/"+program, nil, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if text := run(); !strings.Contains(text, "missing here: cc z3\n") {
		t.Errorf("without cc and z3 it says %q", text)
	}
	for _, program := range []string{"z3", "cc"} {
		if err := os.WriteFile(dir+"/"+program, nil, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if text := run(); strings.Contains(text, "missing here") {
		t.Errorf("with all programs it says %q", text)
	}
}
