package trace_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/bloomproof/bloomproof/verify/trace"
)

func ExampleRead() {
	const requests = "/\n/style.css\n/\n/about\n/\n/style.css\n"
	e, err := trace.Read(context.Background(), strings.NewReader(requests), trace.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d arrivals, %d distinct, of which %d once\n", e.Arrivals, e.Distinct, e.Once)
	fmt.Println(e.Workload)
	// Output:
	// 6 arrivals, 3 distinct, of which 1 once
	// list:2,1,0 arrivals=list:1,1,1 repeat=0.5
}
