package kernel

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel/asm/asmtest"
	"github.com/bloomproof/bloomproof/kernel/host"
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

// runs returns the implementations whose kernels of family f this host can run.
func runs(f host.Family) []Impl { return impls(host.Runs(f)) }

// TestImplOfHost asserts that both packages mean the same by an Impl and name it alike.
func TestImplOfHost(t *testing.T) {
	for im := Auto; im <= NEON+1; im++ {
		if im.String() != host.Impl(im).String() {
			t.Errorf("%d is %v here and %v there", im, im, host.Impl(im))
		}
	}
	if !slices.Equal(Impls(), impls(host.Impls())) {
		t.Errorf("%v here, %v there", Impls(), host.Impls())
	}
}
