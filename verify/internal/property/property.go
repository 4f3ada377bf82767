// Package property runs the property tests of this module: with one worker, a seed that can be
// given, and a report that names it.
package property

import (
	"flag"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/internal/defaults"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/leanovate/gopter"
)

// The flag exists in test binaries only, so that programs that import this package
// keep their flags to themselves.
var seedFlag = func() *int64 {
	if testing.Testing() {
		return flag.Int64("verify.seed", defaults.Seed, "seed of the property tests")
	}
	seed := int64(defaults.Seed)
	return &seed
}()

// Seed returns the seed of this run, that of the flag -verify.seed.
func Seed() int64 { return *seedFlag }

// Parameters returns the parameters of a property test: one worker (several are not
// reproducible), the seed of the flag -verify.seed, which it logs, and 150 cases: 500 in a
// long run, 100 with -short.
func Parameters(t testing.TB) *gopter.TestParameters {
	t.Helper()
	p := gopter.DefaultTestParametersWithSeed(*seedFlag)
	p.MinSuccessfulTests = longtest.Of(100, 150, 500)
	t.Logf("seed: -verify.seed=%d", p.Seed())
	return p
}

// Check runs the property and reports into t's output. On failure it prints the
// shrunk arguments and the seed that repeats them.
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
