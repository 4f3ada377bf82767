package bench

import (
	"math/bits"

	"github.com/bits-and-blooms/bitset"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/kernel/asm/asmtest"
	"github.com/bloomproof/bloomproof/kernel/host"
	viant "github.com/viant/vec/bits"
)

// WordsPeer is an implementation that counts ones. Each form is prepared once for its arguments and then called many
// times.
type WordsPeer struct {
	Name     string
	Count    func(a []uint64) func() int
	AndCount func(a, b []uint64) func() int // nil if the implementation has no AndCount
}

// Limit is the name of a loop that reads its arguments and computes nothing.
const Limit = "read limit"

// WordsPeers returns the implementations. The first is ours, and the last is the read limit.
func WordsPeers() []WordsPeer {
	touch := asmtest.Touch(host.At(host.Popcount, host.Auto).String())
	return []WordsPeer{
		{Single,
			func(a []uint64) func() int { return func() int { return kernel.Count(a) } },
			func(a, b []uint64) func() int { return func() int { return kernel.AndCount(a, b) } }},
		{"bitset",
			func(a []uint64) func() int { s := bitset.From(a); return func() int { return int(s.Count()) } },
			func(a, b []uint64) func() int {
				s, t := bitset.From(a), bitset.From(b)
				return func() int { return int(s.IntersectionCardinality(t)) }
			}},
		{"viant/vec", func(a []uint64) func() int { return func() int { return viant.Count(a) } }, nil},
		{"math/bits",
			func(a []uint64) func() int { return func() int { return plainCount(a) } },
			func(a, b []uint64) func() int { return func() int { return plainAndCount(a, b) } }},
		{Limit,
			func(a []uint64) func() int { return func() int { touch(a); return 0 } },
			func(a, b []uint64) func() int { return func() int { touch(a); touch(b); return 0 } }},
	}
}

func plainCount(a []uint64) (n int) {
	for _, w := range a {
		n += bits.OnesCount64(w)
	}
	return n
}

func plainAndCount(a, b []uint64) (n int) {
	for i, w := range a {
		n += bits.OnesCount64(w & b[i])
	}
	return n
}

// WordsSize is a size of one argument of the counting functions.
type WordsSize struct {
	Name  string
	Words int
}

// WordsSizes range from one cache line to main memory.
var WordsSizes = []WordsSize{
	{"64 B", 8}, {"256 B", 32}, {"1 KiB", 128}, {"32 KiB", 1 << 12}, {"1 MiB", 1 << 17}, {"64 MiB", 1 << 23}, {"512 MiB", 1 << 26},
}
