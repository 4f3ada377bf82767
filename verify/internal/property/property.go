// Package property runs the property tests of this module. These tests use one worker, and a seed that can be set and
// is shown in the report.
package property

import (
	"flag"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/internal/defaults"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/leanovate/gopter"
)

// The flag -verify.seed exists only in test binaries. Other programs that import this package do not have it.
var seedFlag = func() *int64 {
	if testing.Testing() {
		return flag.Int64("verify.seed", defaults.Seed, "seed of the property tests")
	}
	seed := int64(defaults.Seed)
	return &seed
}()

// Seed returns the seed of this run, the value of the flag -verify.seed.
func Seed() int64 { return *seedFlag }

// Parameters returns the parameters of a property test: the number of workers, the seed, and the number of cases. There
// is one worker, because a run with several workers is not reproducible. The seed is the value of the flag
// -verify.seed, and is logged. There are 60 cases. A long run has 500 cases, and a run with -short has 50.
func Parameters(t testing.TB) *gopter.TestParameters {
	t.Helper()
	p := gopter.DefaultTestParametersWithSeed(*seedFlag)
	p.MinSuccessfulTests = longtest.Of(50, 60, 500)
	t.Logf("seed: -verify.seed=%d", p.Seed())
	return p
}

// Check runs the property as a part of test t. If the property fails, Check prints the shrunk arguments. It also prints
// the seed, so that the test can be repeated.
func Check(t *testing.T, law string, property gopter.Prop) {
	t.Helper()
	parameters := Parameters(t)
	properties := gopter.NewProperties(parameters)
	properties.Property(law, property)
	var report strings.Builder
	kept := properties.Run(gopter.NewFormatedReporter(false, 100, &report))
	t.Log(report.String())
	if !kept {
		t.Errorf("law broken: %s (repeat with -verify.seed=%d)", law, parameters.Seed())
	}
}
