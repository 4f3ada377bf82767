package vec_test

import (
	"fmt"

	"github.com/bloomproof/bloomproof/kernel/vec"
)

// A filter of 4 bits, 2 of them set, gets a message of 2 positions: both find set bits
// once in four times, and both find clear ones that differ once in eight.
func ExampleMessage_Rows() {
	tau := make([]float64, 3)
	vec.Message{M: 4, K: 2}.Rows(tau, 2)
	fmt.Println(tau)
	// Output: [0.25 0.625 0.125]
}

// The rate of false positives of a filter of 1000 bits that recycles when more than half
// of them are set, over all arrivals of a cycle, and how many arrivals that is.
func ExampleMessage_Visits() {
	x := vec.Message{M: 1000, K: 7}
	visits := make([]float64, 501)
	visits[0] = 1 // a cycle begins with an empty filter
	x.Visits(visits)

	capacity := 0.0
	for _, v := range visits {
		capacity += v
	}
	sums := make([]float64, x.K+1)
	x.Sums(sums, visits, 0)
	fmt.Printf("capacity %.3f, rate %.3g\n", capacity, sums[0]/capacity)
	// Output: capacity 99.664, rate 0.00128
}

// The number of set bits of a filter of 16 bits after three messages of 4 different
// positions.
func ExampleMessage_Advance() {
	p := make([]float64, 13)
	p[0] = 1
	for range 3 {
		vec.Message{M: 16, K: 4, Distinct: true}.Advance(p, 0)
	}
	fmt.Printf("%.4f\n", p[4:])
	// Output: [0.0000 0.0001 0.0035 0.0414 0.1869 0.3587 0.2985 0.1004 0.0105]
}

// The same number, of a filter with 8 or 9 set bits equally likely: the weighted chances
// of 0, 1 and 2 fresh bits.
func ExampleMessage_Sums() {
	sums := make([]float64, 3)
	vec.Message{M: 16, K: 2}.Sums(sums, []float64{0.5, 0.5}, 8)
	fmt.Printf("%.4f\n", sums)
	// Output: [0.2832 0.5254 0.1914]
}
