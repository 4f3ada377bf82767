package verify

import (
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/verify/conform"
)

// FuzzFilter is the body of a fuzz target for a filter of one's own: programs of its
// operations against the sets of keys that it must contain, as conform.Run does them. Without
// fuzzing it runs some hundred of them, which are the seeds.
//
//	func FuzzMine(f *testing.F) { verify.FuzzFilter(f, subject) }
func FuzzFilter[F any](f *testing.F, s Subject[F]) {
	f.Helper()
	if err := s.Check(); err != nil {
		f.Fatal(err)
	}
	r := rand.New(rand.NewPCG(defaultSeed, 0))
	for size := 4; size < 400; size += 1 + size/16 {
		for range 4 {
			data := make([]byte, size)
			for i := range data {
				data[i] = byte(r.Uint32())
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := conform.Run(s, data); err != nil {
			t.Error(err)
		}
	})
}
