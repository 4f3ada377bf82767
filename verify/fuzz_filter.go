package verify

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof/internal/defaults"
	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/internal/program"
)

// FuzzFilter is the body of a fuzz target for a filter of one's own: programs of its
// operations against the sets of keys that it must contain, one by one and in
// batches, set operations, snapshots taken over and snapshots forged. Without fuzzing it runs some hundred of them, which are the seeds. It fails if New refuses the shapes of
// all seeds: nothing would be examined.
//
//	func FuzzMine(f *testing.F) { verify.FuzzFilter(f, subject) }
func FuzzFilter[F any](f *testing.F, s conform.Subject[F]) {
	f.Helper()
	if err := program.Check(s); err != nil {
		f.Fatal(err)
	}
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
	if !slices.ContainsFunc(seeds, func(data []byte) bool { return examines(s, data) }) {
		f.Fatalf("%q was not examined: New refuses the shapes of all %d seeds, of 1 to 4104 bits and 1 to 8 positions", "no false negative", len(seeds))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := program.Run(s, data); err != nil {
			t.Error(err)
		}
	})
}

// examines reports whether a program examines anything; one that panics does, and f.Fuzz
// reports it.
func examines[F any](s conform.Subject[F], data []byte) (examined bool) {
	defer func() { examined = examined || recover() != nil }()
	examined, err := program.Run(s, data)
	return examined || err != nil
}
