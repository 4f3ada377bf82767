package approx_test

import (
	"errors"
	"fmt"

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

// A bound that does not exist is an error, never a number that looks like one.
func ExampleUpper() {
	_, err := approx.Upper(64, 4, 65)
	fmt.Println(errors.Is(err, approx.ErrUndefined))
	// Output:
	// true
}
