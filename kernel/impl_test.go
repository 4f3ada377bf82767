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
	if err := asmtest.Require(Impls()); err != nil {
		t.Error(err)
	}
}

func TestResolve(t *testing.T) {
	impls := hostImpls()
	if got, err := resolve(""); err != nil || got != impls[0] || auto.best() != got || portable.best() != portable {
		t.Errorf("no word: %v, %v, want %v", got, err, impls[0])
	}
	for im := auto; im <= neon+1; im++ {
		got, err := resolve(im.String())
		var pe *bloomproof.ParamError
		switch {
		case slices.Contains(impls, im):
			if err != nil || got != im {
				t.Errorf("%v: got %v, %v", im, got, err)
			}
		case !errors.As(err, &pe) || pe.Param != "impl" || pe.Value != im.String() || !strings.HasSuffix(pe.Want, "portable"):
			t.Errorf("%v: got error %v", im, err)
		}
	}
	words := Impls()
	if len(words) != len(impls) {
		t.Errorf("Impls returned %q, the host has %v", words, impls)
	}
	for i, word := range words {
		if got, err := resolve(word); err != nil || got != impls[i] {
			t.Errorf("%s: got %v, %v", word, got, err)
		}
	}
	if words[0] = "none"; Impls()[0] == "none" {
		t.Error("Impls returned its own table")
	}
}

// hostImpls returns what this host can run for some operation.
func hostImpls() []impl { return impls(host.Impls()) }

// runs returns the implementations whose kernels of family f this host can run.
func runs(f host.Family) []impl { return impls(host.Runs(f)) }

func impls(from []host.Impl) []impl {
	list := make([]impl, len(from))
	for i, im := range from {
		list[i] = impl(im)
	}
	return list
}

// TestImplOfHost asserts that both packages mean the same by each constant.
func TestImplOfHost(t *testing.T) {
	for here, there := range map[impl]host.Impl{auto: host.Auto, portable: host.Portable, popcnt: host.Popcnt, avx2: host.AVX2, avx512: host.AVX512, neon: host.NEON} {
		if here != impl(there) || here.String() != there.String() {
			t.Errorf("%d is %v here, and %d is %v there", here, here, there, there)
		}
	}
}
