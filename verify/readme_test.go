package verify_test

// The Go blocks of README.md, which meta_test.go holds to these bodies. They stand
// here because verify is the one package of the library that may import all of them.

import (
	"fmt"
	"log"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/conform"
)

func Example_filter() {
	g := bloomproof.Geometry{M: 1 << 16, K: 7}
	filter, err := kernel.New(g, kernel.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for i := range 5000 {
		filter.Add(fmt.Appendf(nil, "item %d", i))
	}
	fmt.Println(filter.Contains([]byte("item 4711")))

	// The expected rate of such filters, to 20 digits, and that of this one as it is.
	rate, _, err := exact.FPR(g, 5000, exact.PrecFor(20), exact.Auto)
	if err != nil {
		log.Fatal(err)
	}
	lo, _, hi, err := rate.Decimal(20)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("expected: between %s\n              and %s\n", lo, hi)
	fmt.Printf("this filter:      %.6f\n", filter.Rate())
	// Output:
	// true
	// expected: between 0.0020770223035759342998
	//               and 0.0020770223035759342999
	// this filter:      0.002097
}

func Example_recycling() {
	g := bloomproof.Geometry{M: 1024, K: 7}
	rule := bloomproof.Recycling{Sigma: 512, TwoPhase: true}
	filter, err := kernel.NewRecycling(g, rule, kernel.Options{})
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
	}, conform.Options{Effort: 0.1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("kept %q, broken %v\n", report.Kept, report.Findings)
	// Output:
	// kept ["no false negative" "rate" "dependence" "keys"], broken []
}
