package verify_test

// The Go blocks of README.md, which meta_test.go holds to these bodies. They stand
// here because verify is the one package of the library that may import all of them.

import (
	"fmt"
	"log"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/conform"
)

func Example_filter() {
	best, err := approx.LeastBits(bloomproof.Geometry{}, 5000, 0.002)
	if err != nil {
		log.Fatal(err)
	}
	filter, err := kernel.New(best.Geometry, kernel.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for i := range 5000 {
		filter.Add(fmt.Appendf(nil, "item %d", i))
	}
	fmt.Printf("%v: %t, %.6f\n", best.Geometry, filter.Contains([]byte("item 4711")), filter.Rate())
	// Output: standard m=64678 k=9: true, 0.002034
}

func Example_recycling() {
	rule := bloomproof.Recycling{Sigma: 512, TwoPhase: true}
	filter, err := kernel.NewRecycling(bloomproof.Geometry{M: 1024, K: 7}, rule, kernel.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for i := range 1000 {
		filter.Observe(fmt.Appendf(nil, "request %d", i))
	}
	fmt.Println(filter.Observe([]byte("request 999")).Repeat(), "after", filter.State().Cycle, "recycles")
	// Output: true after 9 recycles
}

func Example_conformance() {
	report, err := conform.Examine(conform.Subject[*kernel.Filter]{
		New: func(m uint64, k int) (*kernel.Filter, error) {
			return kernel.New(bloomproof.Geometry{M: m, K: k}, kernel.Options{})
		},
		Add:      func(f *kernel.Filter, key []byte) { f.Add(key) },
		Contains: func(f *kernel.Filter, key []byte) bool { return f.Contains(key) },
	}, conform.Options{Effort: 0.02})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("kept %q, broken %v\n", report.Kept, report.Findings)
	// Output: kept ["no false negative" "rate" "dependence" "keys"], broken []
}
