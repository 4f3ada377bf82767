package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bloomproof/bloomproof/verify/internal/tools/campaign"
)

// A unit is a test binary of package kernel/asm. It contains some assembly files and the mutants of these files.
// Mutants that cannot be assembled are left out. A TEXT block is one assembly function. In a unit, a jump into a table
// replaces the instructions of this block. Entry 0 of the table is the original function, and entry i is its i-th
// mutant. When the binary starts, it reads environment variables. They select the function and the entry.
type unit struct {
	goarch  string
	sources []*source
	mutants []*mutant // those that can be assembled
	refused []*mutant // those that cannot
	entry   map[*mutant]int
	binary  string
}

// These environment variables control a test binary with mutants.
const (
	envFunction = "ASMMUTANT_FUNCTION"
	envEntry    = "ASMMUTANT_ENTRY"
	envSeconds  = "ASMMUTANT_SECONDS" // CPU seconds after which the system kills the process
	envZero     = "ASMMUTANT_ZERO"    // if not empty, registers are 0 instead of junk
)

// The function "build" makes a unit from the given mutants. It writes the files of the unit to the folder dir. The
// argument "root" is the module's folder.
func build(root, dir, goarch string, mutants []*mutant) (*unit, error) {
	u := &unit{goarch: goarch, mutants: slices.Clone(mutants), binary: filepath.Join(dir, "asm.test")}
	for _, m := range mutants {
		if !slices.Contains(u.sources, m.source) {
			u.sources = append(u.sources, m.source)
		}
	}
	// These files replace the files of the package during a build, because the go command gets the flag -overlay. The
	// package's own files are not changed.
	pkg := filepath.Join(root, "kernel", "asm")
	replace := map[string]string{}
	write := func(name, text string) error {
		path := filepath.Join(dir, name)
		replace[filepath.Join(pkg, name)] = path
		return os.WriteFile(path, []byte(text), 0o644)
	}
	if err := write("asmmutant_"+goarch+".go", u.chooser()); err != nil {
		return nil, err
	}
	// The assembler first reports lines that it cannot parse. If it can parse all lines, it reports the lines that it
	// cannot encode. So it must be run again after such lines are removed.
	for range 20 {
		lines := map[string][]*mutant{}
		u.entry = map[*mutant]int{}
		for _, s := range u.sources {
			name := filepath.Base(s.path)
			text, of, err := u.assembly(s)
			if err != nil {
				return nil, err
			}
			if err := write(name, text); err != nil {
				return nil, err
			}
			lines[name] = of
		}
		overlay, err := campaign.Overlay(dir, replace)
		if err != nil {
			return nil, err
		}
		out, err := u.command(root, "go", "build", "-asmflags=-e", "-overlay", overlay, "./kernel/asm").CombinedOutput()
		if err == nil {
			out, err = u.command(root, "go", "test", "-c", "-overlay", overlay, "-o", u.binary, "./kernel/asm").CombinedOutput()
			if err != nil {
				err = fmt.Errorf("go test -c: %w\n%s", err, out)
			}
			return u, err
		}
		if !u.drop(string(out), lines) {
			return nil, fmt.Errorf("go build: %w\n%.2000s", err, out)
		}
	}
	return nil, fmt.Errorf("the assembler never agrees")
}

func (u *unit) command(root string, args ...string) *exec.Cmd {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOARCH="+u.goarch, "GOOS=linux", "CGO_ENABLED=0")
	return cmd
}

// The function "top" returns the lines before the code. These are the build tag, a comment that tests read, and some
// #include lines. Only files of the assembler itself are included by such a line. The text already has the contents of
// all other included files.
func top(path string) (string, error) {
	text, err := os.ReadFile(path)
	lines := regexp.MustCompile(`\A(//.*\n|#include.*\n|\n)*`).FindString(string(text))
	return regexp.MustCompile(`(?m)^#include "(.*)"\n`).ReplaceAllStringFunc(lines, func(line string) string {
		if _, err := os.Stat(filepath.Join(filepath.Dir(path), strings.Split(line, `"`)[1])); err == nil {
			return ""
		}
		return line
	}), err
}

// The argument "complaints" is the output of the assembler. The method "drop" removes the mutants whose lines are
// reported there. It returns true if there were any. The map "lines" has a slice for each file. Each element of this
// slice belongs to a line of the file. It is the mutant that contains this line.
func (u *unit) drop(complaints string, lines map[string][]*mutant) bool {
	bad := map[*mutant]bool{}
	for _, c := range regexp.MustCompile(`(\w+\.s):(\d+)\b`).FindAllStringSubmatch(complaints, -1) {
		of := lines[c[1]]
		if n, _ := strconv.Atoi(c[2]); n >= 1 && n <= len(of) && of[n-1] != nil && !bad[of[n-1]] {
			bad[of[n-1]] = true
			u.refused = append(u.refused, of[n-1])
		}
	}
	u.mutants = slices.DeleteFunc(u.mutants, func(m *mutant) bool { return bad[m] })
	return len(bad) > 0
}

// The function "junk" returns the value that register i has when a function begins. In some runs the registers are 0
// instead. A function must not rely on the contents of registers. Otherwise a mutant could return the right
// result by chance, because its caller has left an argument in the register. The value is not a valid address.
func junk(i int) string { return fmt.Sprintf("$%#x", 0x5bad_0000_5bad_0001+uint64(i)<<32+uint64(i)<<4) }

// The method "jumps" returns the text of the functions of s. Each of these functions fills registers, and then jumps to
// the selected entry.
func (u *unit) jumps(s *source) string {
	var b strings.Builder
	line := func(format string, a ...any) { fmt.Fprintf(&b, "\t"+format+"\n", a...) }
	for _, f := range s.functions {
		fmt.Fprintf(&b, "\n%s\n", regexp.MustCompile(`\$-?\d+-`).ReplaceAllString(f.head, "$$0-"))
		if u.goarch == "arm64" {
			line("MOVD ·entryOf%s(SB), R0", f.name)
			line("MOVD $·tableOf%s(SB), R1", f.name)
			line("MOVD (R1)(R0<<3), R1")
			line("MOVD ·kept(SB), R26")
			for v := range 32 {
				line("MOVD %s, R0", junk(32+v))
				line("AND R26, R0, R0")
				line("VDUP R0, V%d.D2", v)
			}
			for r := range 26 {
				if r != 1 && r != 18 { // register 18 belongs to the system
					line("MOVD %s, R%d", junk(r), r)
					line("AND R26, R%d, R%[1]d", r)
				}
			}
			line("JMP (R1)")
			continue
		}
		line("MOVQ ·entryOf%s(SB), AX", f.name)
		line("LEAQ ·tableOf%s(SB), BX", f.name)
		line("MOVQ (BX)(AX*8), AX")
		switch _, impl := operation(f.name); impl {
		case "avx2":
			for v := range 16 {
				line("MOVQ %s, BX", junk(32+v))
				line("ANDQ ·kept(SB), BX")
				line("MOVQ BX, X%d", v)
				line("VPBROADCASTQ X%d, Y%[1]d", v)
			}
		case "avx512":
			for v := range 32 {
				line("MOVQ %s, BX", junk(32+v))
				line("ANDQ ·kept(SB), BX")
				line("VPBROADCASTQ BX, Z%d", v)
			}
			for k := 1; k < 8; k++ {
				line("MOVQ %s, BX", junk(k))
				line("ANDQ ·kept(SB), BX")
				line("KMOVW BX, K%d", k)
			}
		}
		for i, r := range strings.Fields("BX CX DX SI DI R8 R9 R10 R11 R12 R13 R15") {
			line("MOVQ %s, %s", junk(i), r)
			line("ANDQ ·kept(SB), %s", r)
		}
		line("JMP AX")
	}
	return b.String()
}

// The method "assembly" returns the text that replaces s: jumps, mutants and tables. For each line of this text, the
// slice "lines" has the mutant to which the line belongs.
func (u *unit) assembly(s *source) (text string, lines []*mutant, err error) {
	head, err := top(s.path)
	if err != nil {
		return "", nil, err
	}
	var b strings.Builder
	b.WriteString(head + u.jumps(s))
	lines = make([]*mutant, strings.Count(b.String(), "\n"))
	line := func(m *mutant, format string, a ...any) {
		fmt.Fprintf(&b, format+"\n", a...)
		lines = append(lines, m)
	}
	for _, d := range s.data {
		line(nil, "%s", d.code())
	}
	for i := range s.functions {
		f := &s.functions[i]
		entries := []*mutant{{source: s, function: f, at: -1}}
		for _, m := range u.mutants {
			if m.function == f {
				u.entry[m] = len(entries)
				entries = append(entries, m)
			}
		}
		for n, m := range entries {
			owner := m
			if n == 0 {
				owner = nil
			}
			for i, l := range m.lines(fmt.Sprintf("%s_%d", f.name, n)) {
				if i == 0 {
					l = argumentSize.ReplaceAllString(l, "-0")
				}
				line(owner, "%s", l)
			}
		}
		for n := range entries {
			line(nil, "DATA ·tableOf%s+%d(SB)/8, $·%[1]s_%[3]d(SB)", f.name, 8*n, n)
		}
		line(nil, "GLOBL ·tableOf%s(SB), RODATA|NOPTR, $%d", f.name, 8*len(entries))
	}
	return b.String(), lines, nil
}

// argumentSize matches the size of the arguments, which is at the end of a TEXT line. A mutant has no Go declaration
// that says which arguments are pointers. So it gets the size 0. Go needs such a declaration to move the stack when the
// function begins. No argument points to the stack. So Go can move the stack without such a declaration.
var argumentSize = regexp.MustCompile(`-\d+$`)

// The method "lines" returns the assembly source of the mutant's function. The argument "symbol" is the name of this
// function. A mutant that changes data gets its own copy of these data.
func (m *mutant) lines(symbol string) []string {
	f := m.function
	out := []string{strings.Replace(f.head, "·"+f.name, "·"+symbol, 1)}
	for at, s := range f.body {
		text := s.code()
		switch {
		case s.op == "PCALIGN": // it changes no result, and thousands of them take the assembler minutes
			continue
		case m.data:
			name := dataName(m.was())
			text = strings.ReplaceAll(text, name, renamed(name, symbol))
		case at == m.at && m.now == deleted:
			continue
		case at == m.at:
			text = words.ReplaceAllStringFunc(m.now, s.register)
		}
		out = append(out, text)
	}
	if !m.data {
		return out
	}
	name := dataName(m.was())
	for at, s := range m.source.data {
		if dataName(s) != name {
			continue
		}
		text := s.code()
		if at == m.at {
			text = m.now
		}
		out = append(out, strings.Replace(text, name, renamed(name, symbol), 1))
	}
	return out
}

// A mutant that changes data has its own copy of these data. The function "renamed" returns the name of this copy.
func renamed(name, symbol string) string {
	return strings.TrimSuffix(name, "<>") + "_of_" + symbol + "<>"
}

// The method "chooser" returns the Go file that selects the entry and limits the CPU time of the process.
func (u *unit) chooser() string {
	var b strings.Builder
	b.WriteString("package asm\n\nimport (\n\t\"os\"\n\t\"strconv\"\n\t\"syscall\"\n)\n\nvar (\n")
	for _, f := range u.functions() {
		fmt.Fprintf(&b, "\tentryOf%s uint64\n", f.name)
	}
	fmt.Fprintf(&b, "\tkept = ^uint64(0) // bits of the junk\n)\n\nfunc init() {\n\tentry, _ := strconv.ParseUint(os.Getenv(%q), 10, 64)\n\tswitch os.Getenv(%q) {\n", envEntry, envFunction)
	for _, f := range u.functions() {
		fmt.Fprintf(&b, "\tcase %q:\n\t\tentryOf%[1]s = entry\n", f.name)
	}
	fmt.Fprintf(&b, "\t}\n\tif os.Getenv(%q) != \"\" {\n\t\tkept = 0\n", envZero)
	fmt.Fprintf(&b, "\t}\n\t%s\n}\n", campaign.Limit(envSeconds))
	return b.String()
}

func (u *unit) functions() (out []*function) {
	for _, s := range u.sources {
		for i := range s.functions {
			out = append(out, &s.functions[i])
		}
	}
	return out
}
