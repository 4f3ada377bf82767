package kernel_test

import (
	"fmt"
	"log"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// The programs of docs/tutorial.md.

func Example_tutorialFilter() {
	filter, err := kernel.New(bloomproof.Geometry{M: 95932, K: 7}, kernel.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for i := range 10_000 {
		filter.Add(fmt.Appendf(nil, "user-%d", i))
	}
	fmt.Println("user-4711:", filter.Contains([]byte("user-4711")))
	wrong := 0
	for i := 10_000; i < 1_010_000; i++ {
		if filter.Contains(fmt.Appendf(nil, "user-%d", i)) {
			wrong++
		}
	}
	fmt.Printf("of a million other keys %d are taken for known\n", wrong)
	// Output:
	// user-4711: true
	// of a million other keys 10335 are taken for known
}

func Example_tutorialRate() {
	filter, err := kernel.New(bloomproof.Geometry{M: 95932, K: 7}, kernel.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for i := range 10_000 {
		filter.Add(fmt.Appendf(nil, "user-%d", i))
	}
	items, _ := filter.Items()
	fmt.Printf("rate %.5f, about %.0f keys\n", filter.Rate(), items)
	// Output: rate 0.01019, about 10040 keys
}

func Example_tutorialStream() {
	rule := bloomproof.Recycling{Sigma: 9932}
	filter, err := kernel.NewRecycling(bloomproof.Geometry{M: 16384, K: 6}, rule, kernel.Options{})
	if err != nil {
		log.Fatal(err)
	}
	taken := 0
	for i := range 1_000_000 {
		if filter.Observe(fmt.Appendf(nil, "request-%d", i)).Repeat() {
			taken++
		}
	}
	fmt.Println(taken, "of a million new keys were taken for repeats, in", filter.State().Cycle, "cycles")
	// Output: 10053 of a million new keys were taken for repeats, in 392 cycles
}
