package verify

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof/internal/defaults"
	"github.com/bloomproof/bloomproof/verify/conform"
)

// FuzzFilter is the body of a fuzz target for a filter of your own. The fuzzed inputs are programs, which are lists of
// the filter's operations. The function conform.ExamineProgram runs each program. It shortens a program that fails, and
// prints the shortened program. Without fuzzing, FuzzFilter runs only its seeds, which are a few hundred programs. Each
// seed needs a filter of some shape. If the subject's function New refuses all these shapes, nothing is examined, and
// FuzzFilter fails.
//
//	func FuzzMine(f *testing.F) { verify.FuzzFilter(f, subject) }
func FuzzFilter[F any](f *testing.F, s conform.Subject[F]) {
	f.Helper()
	var seeds [][]byte
	r := rand.New(rand.NewPCG(defaults.Seed, 0))
	for size := 4; size < 400; size += 1 + size/16 {
		for range 4 {
			data := make([]byte, size)
			for i := range data {
				data[i] = byte(r.Uint32())
			}
			seeds = append(seeds, data)
			f.Add(data)
		}
	}
	if _, err := conform.ExamineProgram(s, nil); err != nil {
		f.Fatal(err)
	}
	if !slices.ContainsFunc(seeds, func(data []byte) bool {
		report, err := conform.ExamineProgram(s, data)
		return err == nil && !slices.Contains(report.Untold, "no false negative")
	}) {
		f.Fatalf("%q was not examined: New refuses the shapes of all %d seeds, of 1 to 4104 bits and 1 to 8 positions", "no false negative", len(seeds))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		report, err := conform.ExamineProgram(s, data)
		if err != nil {
			t.Fatal(err)
		}
		for _, finding := range report.Findings {
			t.Errorf("%v\n%s", finding, finding.Program)
		}
	})
}
