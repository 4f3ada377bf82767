package truth_test

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/truth"
	"github.com/bloomproof/bloomproof/kernel"
)

// A filter that clears itself after every third distinct message forgets "a" once.
func ExampleTruth() {
	g := bloomproof.Geometry{M: 1 << 20, K: 4}
	rule := bloomproof.Recycling{Messages: 3}
	f, err := kernel.NewRecycling(g, rule, kernel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	known := truth.Of(rule)
	var n truth.Counts
	for _, key := range []string{"a", "b", "a", "c", "a", "a"} {
		o := f.Observe([]byte(key))
		class := known.Observe(uint64(key[0]-'a'), o)
		n.Add(class, o)
		fmt.Printf("%s %v repeat=%t\n", key, class, o.Repeat())
	}
	fmt.Printf("%d arrivals, %d distinct, %d false negative\n", n.Arrivals, known.Distinct(), n.FalseNegatives)
	// Output:
	// a new repeat=false
	// b new repeat=false
	// a recorded repeat=true
	// c new repeat=false
	// a forgotten repeat=false
	// a recorded repeat=true
	// 6 arrivals, 3 distinct, 1 false negative
}
