package kernel

import (
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel/asm/asmtest"
	"github.com/bloomproof/bloomproof/kernel/internal/host"
)

// TestRequired fails when an implementation that must be tested is not available.
func TestRequired(t *testing.T) {
	var have []string
	for _, im := range Impls() {
		have = append(have, im.String())
	}
	if err := asmtest.Require(have); err != nil {
		t.Error(err)
	}
}

func TestResolve(t *testing.T) {
	impls := Impls()
	if got, err := resolve(Auto); err != nil || got != impls[0] {
		t.Errorf("Auto: %v, %v, want %v", got, err, impls[0])
	}
	for im := Portable; im <= NEON+1; im++ {
		got, err := resolve(im)
		var pe *bloomproof.ParamError
		switch {
		case slices.Contains(impls, im):
			if err != nil || got != im {
				t.Errorf("%v: got %v, %v", im, got, err)
			}
		case !errors.As(err, &pe) || pe.Param != "impl" || pe.Value != im || !strings.HasSuffix(pe.Want, "portable"):
			t.Errorf("%v: got error %v", im, err)
		}
	}
	impls[0] = NEON + 1
	if Impls()[0] == NEON+1 {
		t.Error("Impls returned its own table")
	}
}

func TestHost(t *testing.T) {
	c := Host()
	if c.Arch != runtime.GOARCH || c.Forced != host.Forced() || c.Problem != host.Problem() {
		t.Errorf("got %+v", c)
	}
	for _, r := range append(asmtest.Select(asmtest.Probe(), "portable"), asmtest.ProbeRow{Op: "Count"}) {
		if im, impls := c.Kernels[r.Op], c.Impls[r.Op]; len(impls) == 0 || impls[len(impls)-1] != "portable" || im != impls[0] && assembly || im != "portable" && !assembly {
			t.Errorf("%s: %q, of %q", r.Op, im, impls)
		}
	}
	want := host.At(host.Popcount, Auto)
	if !assembly {
		want = Portable
	}
	for _, r := range asmtest.Select(asmtest.Transition(), "portable") {
		if got := c.Impls[r.Op]; !slices.Equal(got, names(host.Runs(host.Transition))) {
			t.Errorf("%s: runs %q, want %v", r.Op, got, host.Runs(host.Transition))
		}
	}
	for _, r := range asmtest.Select(asmtest.Hash(), "portable") {
		if got := c.Impls[r.Op]; !slices.Equal(got, names(host.Runs(host.Hash))) {
			t.Errorf("%s: runs %q, want %v", r.Op, got, host.Runs(host.Hash))
		}
	}
	for _, op := range ops {
		if c.Kernels[op.name] != want.String() {
			t.Errorf("%s: %q, want %v", op.name, c.Kernels[op.name], want)
		}
		if got := c.Impls[op.name]; !slices.Equal(got, names(host.Runs(host.Popcount))) {
			t.Errorf("%s: runs %q, want %v", op.name, got, host.Runs(host.Popcount))
		}
	}
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{`"arch":"`, `"features":[`, `"kernels":{"Add":"`, `"impls":{"Add":["`, `"forced":"`} {
		if !strings.Contains(string(text), field) {
			t.Errorf("no %s in %s", field, text)
		}
	}
}

func TestSelfTest(t *testing.T) {
	r := SelfTest(1)
	want := len(ops) * len(host.Runs(host.Popcount))
	for _, im := range host.Runs(host.Probe) {
		want += len(asmtest.Select(asmtest.Probe(), im.String()))
	}
	want += len(host.Runs(host.Transition)) * len(asmtest.Select(asmtest.Transition(), "portable"))
	want += len(host.Runs(host.Hash)) * len(asmtest.Select(asmtest.Hash(), "portable"))
	if r.Passed != want || r.Failed != 0 || len(r.Kernels) != want || len(r.Failures) != 0 {
		t.Errorf("want %d passed: %+v", want, r)
	}
	if r.Cases < 1000*len(r.Kernels)/2 {
		t.Errorf("only %d cases", r.Cases)
	}
	if r.Guarded != asmtest.Guarded() {
		t.Errorf("guarded %v", r.Guarded)
	}
}

// TestSelfTestFails asserts that a wrong kernel is counted, named and described.
func TestSelfTestFails(t *testing.T) {
	row := asmtest.Select(asmtest.Popcount(), "portable")[0]
	right := row.Got
	row.Impl, row.Got = "wrong", func(a, b []uint64) int { return right(a[:len(a)&^1], b) }
	var r SelfTestReport
	n, err := asmtest.Run(row, asmtest.Options{Seed: 1, Short: true})
	r.add(row.String(), n, err)
	if r.Passed != 0 || r.Failed != 1 || len(r.Failures) != 1 || !strings.Contains(r.Failures[0], "Count/wrong: got 0, want 1") {
		t.Errorf("got %+v", r)
	}
}
