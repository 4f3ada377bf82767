package verify_test

import (
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify"
	"github.com/bloomproof/bloomproof/verify/conform"
)

// Filter and New stand for what a reader of docs/fuzzing.md has: a filter of his own.
type Filter struct{ bits *kernel.Filter }

func New(m uint64, k int) (*Filter, error) {
	f, err := kernel.New(bloomproof.Geometry{M: m, K: k}, kernel.Options{})
	return &Filter{f}, err
}

func (f *Filter) Add(key []byte) { f.bits.Add(key) }

func (f *Filter) Contains(key []byte) bool { return f.bits.Contains(key) }

// fuzzMine is FuzzMine of docs/fuzzing.md.
func fuzzMine(f *testing.F) {
	verify.FuzzFilter(f, conform.Subject[*Filter]{New: New, Add: (*Filter).Add, Contains: (*Filter).Contains})
}

var _ = fuzzMine
