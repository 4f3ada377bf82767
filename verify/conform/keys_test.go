package conform

import (
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The keys of a family are different, as its rate demands, and the same again for the same seed.
func TestFamiliesHaveDifferentKeys(t *testing.T) {
	for _, f := range append(structured(), randomKeys) {
		for _, seed := range []uint64{0, 20040927} {
			n := min(f.most, longtest.Of[uint64](5000, 20_000, 200_000))
			seen := make(map[string]bool, n)
			for i := range n {
				key := string(f.append(nil, seed, i))
				if seen[key] {
					t.Fatalf("%s: key %d, %s, was there before", f.name, i, shown([]byte(key)))
				}
				seen[key] = true
			}
			for i := f.most - 3; f.most > 1<<32 && i < f.most; i++ {
				if key := string(f.append(nil, seed, i)); seen[key] {
					t.Fatalf("%s: key %d, %s, was there before", f.name, i, shown([]byte(key)))
				}
			}
		}
	}
}
