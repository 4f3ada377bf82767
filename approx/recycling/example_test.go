package recycling_test

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/recycling"
)

// A CDN keeps one bit array of a mebibyte and clears it when half of the bits are set. How
// many new objects does it see between two clears, and what share of them does it mistake
// for old ones? The closed form says it in microseconds, the chain through four million states
// in 30 ms.
func ExampleNew() {
	g := bloomproof.Geometry{M: 1 << 23, K: 7}
	c, err := recycling.New(g, bloomproof.Recycling{Sigma: 1 << 22})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.6f arrivals, %.10e false\n", c.Capacity(), c.FPR())
	// Output:
	// 830649.212003 arrivals, 1.2771833588e-03 false
}

// How far the textbook's limit of many bits is off, and its first correction.
func ExampleCycle_Fluid() {
	g := bloomproof.Geometry{M: 1 << 12, K: 7}
	c, _ := recycling.New(g, bloomproof.Recycling{Sigma: 1 << 11})
	limit, _, _ := c.Fluid(false)
	corrected, _, _ := c.Fluid(true)
	fmt.Printf("%.1e %.1e\n", limit/c.FPR()-1, corrected/c.FPR()-1)
	// Output:
	// -5.7e-04 -4.8e-07
}

// What is still to come when a quarter of the bits are set, and what share of the arrivals
// meets just that state.
func ExampleCycle_MessagesFrom() {
	g := bloomproof.Geometry{M: 4096, K: 4}
	c, _ := recycling.New(g, bloomproof.Recycling{Sigma: 2048})
	left, _ := c.MessagesFrom(1024)
	share, _ := c.State(1024)
	fmt.Printf("%.6f of %.6f, %.6e\n", left, c.Capacity(), share)
	// Output:
	// 415.987949 of 710.532728, 4.691316e-04
}

// A filter of a megabyte that clears itself may call one new message in a hundred a repeat,
// in the long run. How many messages does a cycle take, and how many if the rate of the last
// one is bounded instead?
func ExampleMostMessages() {
	const m, rate = 1 << 23, 0.01
	best, err := recycling.MostMessages(bloomproof.Geometry{M: m}, bloomproof.Recycling{}, rate)
	if err != nil {
		panic(err)
	}
	worst, err := recycling.NaiveMessages(bloomproof.Geometry{M: m}, "worst", false, rate)
	if err != nil {
		panic(err)
	}
	fmt.Printf("k = %d, sigma = %d, %.1f messages\n", best.K, best.Sigma, best.Capacity)
	fmt.Printf("k = %d, %d messages\n", worst.Geometry.K, worst.N)
	// Output:
	// k = 6, sigma = 5085549, 1303066.9 messages
	// k = 7, 874455 messages
}

// Two arrays of half the memory: what both know of a message counts once. With fixed
// positions they see the same ones, with fresh positions the product (26) is exact.
func ExampleNew_twoPhase() {
	g := bloomproof.Geometry{M: 1 << 22, K: 7}
	r := bloomproof.Recycling{Sigma: 1 << 21, TwoPhase: true}
	fixed, _ := recycling.New(g, r)
	r.FreshPositions = true
	fresh, _ := recycling.New(g, r)
	r.NoCopyOver = true
	left, _ := recycling.New(g, r)
	fmt.Printf("fixed    %.10e of %.3f\nfresh    %.10e of %.3f\nno copy  %.10e of %.3f\n",
		fixed.FPR(), fixed.Capacity(), fresh.FPR(), fresh.Capacity(), left.FPR(), left.Capacity())
	// Output:
	// fixed    9.0797707628e-03 of 415324.927
	// fresh    9.0797708258e-03 of 415324.927
	// no copy  9.0797708258e-03 of 418595.230
}

// A filter that is cleared at every thousandth message that sets a bit: the paper's f_a is
// below the true rate.
func ExampleNew_messages() {
	g := bloomproof.Geometry{M: 10_000, K: 7}
	c, _ := recycling.New(g, bloomproof.Recycling{Messages: 1000})
	average, _ := recycling.NaiveRate(g, 1000, "average")
	fmt.Printf("%.8f, f_a = %.8f\n", c.FPR(), average)
	// Output:
	// 0.00134944, f_a = 0.00134358
}
