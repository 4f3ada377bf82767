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
	g, n := bloomproof.Geometry{M: 10_000_004, K: 7}, uint64(1_000_000)
	lower, _ := approx.Bound(bloomproof.BoundLower, g, n)
	bloom, _ := approx.Bound(bloomproof.BoundBloom, g, n)
	upper, err := approx.Bound(bloomproof.BoundUpper, g, n)
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
	bloom, _ := approx.Bound(bloomproof.BoundBloom, g, 12)
	fmt.Printf("%.12e\n%.12e\n", rate, bloom)
	// Output:
	// 3.357952558390e-09
	// 2.945102673891e-09
}

// The usual approximation, with a bound of how far it is from the true rate.
func ExampleExponential() {
	rate, gap, _ := approx.Exponential(bloomproof.Geometry{M: 1e6, K: 7}, 1e5)
	fmt.Printf("%.8f, at most %.2g %% from the true rate\n", rate, 100*gap)
	// Output:
	// 0.00819372, at most 0.0017 % from the true rate
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
func ExampleBound() {
	_, err := approx.Bound(bloomproof.BoundUpper, bloomproof.Geometry{M: 64, K: 65}, 4)
	fmt.Println(errors.Is(err, bloomproof.ErrUndefined))
	// Output:
	// true
}

// How many items fit into a gibibit at a rate of one in a million? The textbook's
// m (ln 2)^2/ln(1/p) says 37,340,820; with the best whole k it is 135 fewer.
func ExampleMostItems() {
	o, _ := approx.MostItems(bloomproof.Geometry{M: 1 << 30}, 1e-6)
	fmt.Printf("%d items with k = %d: rate %.12g, certain %v\n", o.N, o.Geometry.K, o.Rate, o.Certain)
	// Output:
	// 37340685 items with k = 20: rate 9.99999792124e-07, certain true
}

// For small filters the ln 2 rule misses: it says k = 11 for 64 bits and 4 items.
func ExampleOptimalK() {
	o, _ := approx.OptimalK(bloomproof.Geometry{M: 64}, 4)
	rule, _ := approx.FPR(bloomproof.Geometry{M: 64, K: 11}, 4)
	fmt.Printf("k = %d: %.4g, k = 11: %.4g\n", o.Geometry.K, o.Rate, rule)
	// Output:
	// k = 10: 0.0006154, k = 11: 0.0006248
}

// The number of set bits of a nearly empty filter hardly varies: now and then two of its
// seven positions meet.
func ExampleSetBitsVariance() {
	g := bloomproof.Geometry{M: 1 << 40, K: 7}
	mean, _ := approx.SetBitsMean(g, 1)
	variance, _ := approx.SetBitsVariance(g, 1)
	fmt.Printf("7 - %.4g, variance %.10g\n", 7-mean, variance)
	// Output:
	// 7 - 1.91e-11, variance 1.909938874e-11
}

// What a filter's set bits say of the number of items in it.
func ExampleEstimateItems() {
	g := bloomproof.Geometry{M: 1 << 20, K: 7}
	n, _ := approx.EstimateItems(g, 500_000)
	fmt.Printf("%.1f\n", n)
	// Output:
	// 97047.5
}

// If an item counts twice where its positions meet, a small counting filter is right
// less often.
func ExampleCorrectRate() {
	g := bloomproof.Geometry{M: 64, K: 8}
	distinct, _ := approx.CorrectRate(g, 6, bloomproof.Distinct)
	literal, _ := approx.CorrectRate(g, 6, bloomproof.Literal)
	fmt.Printf("%.6f %.6f\n", distinct, literal)
	// Output:
	// 0.997396 0.993890
}
