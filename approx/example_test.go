package approx_test

import (
	"errors"
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
)

// The rate of a filter with ten bits an item and seven positions: the proven bounds
// around it are three parts in a million apart, so Bloom's formula may be trusted.
func Example() {
	const m, n, k = 10_000_004, 1_000_000, 7
	lower, _ := approx.Lower(m, n, k)
	bloom, _ := approx.Bloom(m, n, k)
	upper, err := approx.Upper(m, n, k)
	fmt.Printf("lower %.9f\nbloom %.9f\nupper %.9f\n", lower, bloom, upper)
	fmt.Println(err)
	// Output:
	// lower 0.008193696
	// bloom 0.008193708
	// upper 0.008193720
	// <nil>
}

// The exact model of a filter that is small for its 20 positions, in microseconds.
// Bloom's formula is 12 per cent below it.
func ExampleFPR() {
	g := bloomproof.Geometry{M: 512, K: 20}
	rate, _ := approx.FPR(g, 12)
	bloom, _ := approx.Bloom(512, 12, 20)
	fmt.Printf("%.12e\n%.12e\n", rate, bloom)
	// Output:
	// 3.357952558390e-09
	// 2.945102673891e-09
}

// A rate below the smallest float64 has a logarithm, and one next to 1 a complement.
func ExampleLogFPR() {
	ln, _ := approx.LogFPR(bloomproof.Geometry{M: 1 << 40, K: 64}, 1000)
	miss, _ := approx.Complement(bloomproof.Geometry{M: 1 << 20, K: 4}, 1<<24)
	fmt.Printf("e^%.10f\n1 - %.10e\n", ln, miss)
	// Output:
	// e^-1066.1919289053
	// 1 - 6.4150386106e-28
}

// A bound that does not exist is an error, never a number that looks like one.
func ExampleUpper() {
	_, err := approx.Upper(64, 4, 65)
	fmt.Println(errors.Is(err, approx.ErrUndefined))
	// Output:
	// true
}
