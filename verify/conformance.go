package verify

import (
	"testing"

	"github.com/bloomproof/bloomproof/verify/conform"
)

// Subject is somebody's Bloom filter under examination: functions that make and use it, and
// the hashing that it declares. See conform.Subject.
type Subject[F any] = conform.Subject[F]

// ConformanceOptions are the choices of an examination. The zero value is the default.
type ConformanceOptions = conform.Options

// Examine tells which laws of Bloom filters a subject keeps and which it breaks, each
// with the smallest case in which that was seen. A filter that keeps them all is accused
// with probability at most 1e-6, if its hash is as good as a random function: see package
// conform.
//
// Errors: *bloomproof.ParamError for a subject or options that are no good.
func Examine[F any](s Subject[F], o ConformanceOptions) (conform.Report, error) {
	return conform.Examine(s, o)
}

// Conformance is Examine as a test: one subtest a law, which fails where the law is broken
// and is skipped where the subject shows nothing of it. It fails as well if no false negative was
// not examined, because New refuses the shapes (see Report.Err). The seed is that of the flag
// -verify.seed unless the options have one, and is logged; with -short the effort is a
// tenth.
func Conformance[F any](t *testing.T, s Subject[F], o ConformanceOptions) {
	t.Helper()
	if o.Seed == 0 {
		o.Seed = uint64(*seedFlag)
	}
	if o.Effort == 0 && testing.Short() {
		o.Effort = 0.1
	}
	report, err := Examine(s, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		t.Run(string(f.Law), func(t *testing.T) { t.Errorf("%s: %s", f.Case, f.Text) })
	}
	for _, l := range report.Kept {
		t.Run(string(l), func(*testing.T) {})
	}
	if err := report.Err(); err != nil && len(report.Findings) == 0 {
		t.Errorf("%v; ConformanceOptions.Shapes asks for other shapes", err)
	}
	for _, l := range report.Untold {
		t.Run(string(l), func(t *testing.T) { t.Skip("the subject shows nothing of it") })
	}
	for _, n := range report.Notes {
		t.Log(n)
	}
	t.Logf("seed: -verify.seed=%d; a filter that keeps the laws is accused with probability at most %g", report.Seed, report.FalseAlarm)
}
