package conform_test

import (
	"testing"

	"github.com/bloomproof/bloomproof/verify/conform/internal/families"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The keys of a family are different, as its rate demands, and the same again for the same seed.
func TestFamiliesHaveDifferentKeys(t *testing.T) {
	for _, f := range append(families.Structured(), families.Random) {
		for _, seed := range []uint64{0, 20040927} {
			n := min(f.Most, longtest.Of[uint64](5000, 10_000, 200_000))
			seen := make(map[string]bool, n)
			for i := range n {
				key := string(f.Append(nil, seed, i))
				if seen[key] {
					t.Fatalf("%s: key %d, %q, was there before", f.Name, i, key)
				}
				seen[key] = true
			}
			for i := f.Most - 3; f.Most > 1<<32 && i < f.Most; i++ {
				if key := string(f.Append(nil, seed, i)); seen[key] {
					t.Fatalf("%s: key %d, %q, was there before", f.Name, i, key)
				}
			}
		}
	}
}
