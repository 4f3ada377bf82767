package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bloomproof/bloomproof/kernel/host"
	"github.com/bloomproof/bloomproof/verify/internal/tools/campaign"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The ending of a function's name stands for an implementation. The variable "suffixes" has the endings and their
// implementations.
var suffixes = []struct{ suffix, impl string }{
	{"Popcnt", "popcnt"}, {"AVX2", "avx2"}, {"AVX512", "avx512"}, {"NEON", "neon"},
}

// The function "operation" returns an operation and an implementation. Both follow from the function's name.
func operation(function string) (op, impl string) {
	for _, s := range suffixes {
		if op, ok := strings.CutSuffix(function, s.suffix); ok {
			return op, s.impl
		}
	}
	return function, ""
}

// The type "target" describes how to run the tests of one function.
type target struct {
	function string
	pattern  string        // for -test.run
	seconds  map[round]int // the CPU seconds that a mutant gets
}

// The type "round" describes one way to run the tests. The tests are short or long. At the beginning of a function, the
// registers contain junk or 0.
type round struct {
	long bool // all cases, or the short tests
	zero bool // 0 in the registers, or junk
}

// The tests run in several rounds. The variable "rounds" lists them in order. A mutant survives if it survives all
// these rounds.
var rounds = []round{{}, {long: true, zero: true}}

// The method "examine" runs the tests of one unchanged function. It measures the time that they take. These tests must
// pass. The slice "tests" has the names of the tests that have subtests for operations.
func (u *unit) examine(function string, tests []string) (target, error) {
	op, impl := operation(function)
	sub := fmt.Sprintf("op=%s/impl=%s", op, impl)
	pattern := fmt.Sprintf("^(%s)$/^op=%s$/^impl=%s$", strings.Join(tests, "|"), op, impl)
	t := target{function, pattern, map[round]int{}}
	for _, r := range rounds {
		t.seconds[r] = 600
		out, used, err := u.run(t, 0, r, "-test.v")
		if err != nil {
			return target{}, fmt.Errorf("%s fails as it is: %w\n%.2000s", function, err, out)
		}
		if !strings.Contains(out, "/"+sub+" ") {
			return target{}, fmt.Errorf("no test of package kernel/asm has a subtest %s", sub)
		}
		t.seconds[r] = 1 + int(5*used/time.Second)
	}
	return t, nil
}

// operationTests returns the names of some tests of package kernel/asm. The code of these tests contains a string that
// begins with "op=".
func operationTests(root string) (names []string, err error) {
	paths, err := filepath.Glob(filepath.Join(root, "kernel", "asm", "*_test.go"))
	if err != nil {
		return nil, err
	}
	for _, p := range paths {
		f, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			test, ok := d.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(test.Name.Name, "Test") {
				continue
			}
			ast.Inspect(test, func(n ast.Node) bool {
				s, ok := n.(*ast.BasicLit)
				if ok && strings.HasPrefix(s.Value, `"op=`) && !slices.Contains(names, test.Name.Name) {
					names = append(names, test.Name.Name)
				}
				return true
			})
		}
	}
	return names, nil
}

// The method "test" runs the tests on the mutant m.
func (u *unit) test(t target, m *mutant) (campaign.Outcome, error) {
	for _, r := range rounds {
		_, _, err := u.run(t, u.entry[m], r)
		if o, err := campaign.Judge(err); err != nil || o != campaign.Survived {
			return o, err
		}
	}
	return campaign.Survived, nil
}

// The method "run" runs the test binary, and returns its output and the CPU time that it took. In this run, a mutant
// replaces the function with the name t.function. The argument "entry" is the number of the mutant. The number 0 stands
// for the unchanged function.
func (u *unit) run(t target, entry int, r round, args ...string) (out string, used time.Duration, err error) {
	seconds := t.seconds[r]
	args = append([]string{u.binary, "-test.run", t.pattern, "-test.timeout", "0", fmt.Sprintf("-test.short=%v", !r.long)}, args...)
	if u.goarch != runtime.GOARCH {
		args = append([]string{emulator}, args...)
	}
	env := []string{envFunction + "=" + t.function, envEntry + "=" + strconv.Itoa(entry),
		envSeconds + "=" + strconv.Itoa(seconds), "GOMAXPROCS=1", "GOTRACEBACK=none",
		host.EnvCheck + "=off"} // the check at start would replace the mutant by Go code
	if r.long {
		env = append(env, longtest.Env+"=1")
	}
	if r.zero {
		env = append(env, envZero+"=1")
	}
	return campaign.Run("", env, seconds, args...)
}

// The constant "emulator" is the program that runs arm64 binaries on other hosts.
const emulator = "qemu-aarch64-static"
