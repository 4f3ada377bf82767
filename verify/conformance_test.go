package verify_test

import (
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/subjects"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify"
	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// Our own filters pass first.
func TestOurFiltersConform(t *testing.T) {
	o := conform.Options{Effort: longtest.Of(0.02, 0.003, 0.05)}
	if !longtest.Enabled() {
		o.Shapes = []bloomproof.Geometry{{M: 97, K: 5}, {M: 1024, K: 4}}
	}
	if testing.Short() {
		o.Effort, o.Shapes = 0.05, []bloomproof.Geometry{{M: 97, K: 5}, {M: 1024, K: 4}}
		o.Laws = slices.DeleteFunc(conform.Laws(), func(l conform.Law) bool { return l == "corrupt snapshot" || l == "hostile snapshot" }) // slow
	}
	hashings := []bloomproof.Hashing{bloomproof.Standard, bloomproof.Partitioned, bloomproof.Classic}
	for _, h := range hashings[:longtest.More(1, 3)] {
		t.Run(h.String(), func(t *testing.T) {
			t.Run("filter", func(t *testing.T) { verify.Conformance(t, subjects.Filter(h), o) })
			if h == bloomproof.Standard {
				o := o
				if !longtest.Enabled() && !testing.Short() { // TestGeneratedFiltersFollowTheirModels and the fuzz targets run programs
					o.Shapes, o.Laws = o.Shapes[:1], withoutPrograms()
				}
				t.Run("concurrent", func(t *testing.T) { verify.Conformance(t, subjects.Concurrent(h), o) })
				t.Run("counting", func(t *testing.T) { verify.Conformance(t, countingSubject(h), o) })
			}
		})
	}
}

// withoutPrograms returns the laws that are examined without programs of operations, and with them most of the time.
func withoutPrograms() []conform.Law {
	programs := []conform.Law{"no false negative", "batch", "test and set", "union", "intersection", "reset", "snapshot"}
	return slices.DeleteFunc(conform.Laws(), func(l conform.Law) bool { return slices.Contains(programs, l) })
}

// countingSubject returns kernel.CountingFilter as a subject of Conformance. Its set bits
// are the counters that are not 0.
func countingSubject(h bloomproof.Hashing) conform.Subject[*kernel.CountingFilter] {
	return conform.Subject[*kernel.CountingFilter]{
		Hashing: h,
		New: func(m uint64, k int) (*kernel.CountingFilter, error) {
			return kernel.NewCounting(bloomproof.Geometry{M: m, K: k, Hashing: h}, 4, bloomproof.Distinct, kernel.Options{})
		},
		Add:             func(f *kernel.CountingFilter, key []byte) { f.Add(key) },
		Contains:        (*kernel.CountingFilter).Contains,
		Bits:            (*kernel.CountingFilter).Bits,
		Reset:           (*kernel.CountingFilter).Clear,
		Marshal:         (*kernel.CountingFilter).MarshalBinary,
		Unmarshal:       (*kernel.CountingFilter).UnmarshalBinary,
		Rate:            (*kernel.CountingFilter).Rate,
		ConcurrentReads: true,
	}
}

// FuzzOurFilter runs programs of operations on two filters, including forged snapshots, and
// compares the filters with the sets of keys that they must contain.
func FuzzOurFilter(f *testing.F) { verify.FuzzFilter(f, subjects.Filter(bloomproof.Standard)) }

// FuzzOurCountingFilter runs such programs of operations on two counting filters.
func FuzzOurCountingFilter(f *testing.F) {
	verify.FuzzFilter(f, countingSubject(bloomproof.Standard))
}
