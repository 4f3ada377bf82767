package verify

import (
	"testing"

	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/internal/property"
)

// Conformance runs conform.Examine as a test, with one subtest for each law that a filter must obey. A subtest fails if
// its law is broken, and is skipped if the law was not examined. If the subject's function New refuses every shape, the
// law "no false negative" is not examined, and the test fails (see conform.Report.Err). If the options have no seed,
// the flag -verify.seed gives the seed. The seed is logged. With -short the effort is divided by ten. The examination
// runs in this process, so that debuggers and coverage see the filter. To run the examination in a process of its own,
// set Options.Child to Child(t).
func Conformance[F any](t *testing.T, s conform.Subject[F], o conform.Options) {
	t.Helper()
	if o.Seed == 0 {
		o.Seed = uint64(property.Seed())
	}
	if o.Effort == 0 && testing.Short() {
		o.Effort = 0.1
	}
	report, err := conform.Examine(s, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		t.Run(string(f.Law), func(t *testing.T) { t.Errorf("%s: %s\n%s", f.Case, f.Text, f.Program) })
	}
	for _, l := range report.Kept {
		t.Run(string(l), func(*testing.T) {})
	}
	if err := report.Err(); err != nil && len(report.Findings) == 0 {
		t.Errorf("%v; Options.Shapes asks for other shapes", err)
	}
	for _, l := range report.Untold {
		t.Run(string(l), func(t *testing.T) { t.Skip("the subject shows nothing of it") })
	}
	for _, n := range report.Notes {
		t.Log(n)
	}
	t.Logf("seed: -verify.seed=%d; a filter that keeps the laws is accused with probability at most %g", report.Seed, report.FalseAlarm)
}
