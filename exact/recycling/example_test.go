package recycling_test

import (
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/recycling"
)

// What the settings of a two-phase filter do to its rate and its capacity; without copy-over
// a false positive of the frozen array is not recorded, so the cycles are longer.
func ExampleCycle_FPR_twoPhase() {
	g := bloomproof.Geometry{M: 60, K: 3}
	for _, r := range []bloomproof.Recycling{
		{Sigma: 30},
		{Sigma: 30, TwoPhase: true},
		{Sigma: 30, TwoPhase: true, FreshPositions: true},
		{Sigma: 30, TwoPhase: true, NoCopyOver: true},
		{Sigma: 30, TwoPhase: true, NoCopyOver: true, FreshPositions: true},
	} {
		c, err := recycling.New(g, r)
		if err != nil {
			fmt.Println(err)
			return
		}
		rate, err := c.FPR(exact.PrecFor(8))
		if err != nil {
			fmt.Println(err)
			return
		}
		capacity, err := c.Capacity(exact.PrecFor(8))
		if err != nil {
			fmt.Println(err)
			return
		}
		_, f, _, _ := rate.Decimal(8)
		_, n, _, _ := capacity.Decimal(8)
		fmt.Printf("%v: %s, %s arrivals a cycle\n", r, f, n)
	}
	// Output:
	// bit-bounded sigma=30 retain=false phases=1 copy=true freeze=after positions=fixed: 0.038931609, 14.697666 arrivals a cycle
	// bit-bounded sigma=30 retain=false phases=2 copy=true freeze=after positions=fixed: 0.17751832, 14.697666 arrivals a cycle
	// bit-bounded sigma=30 retain=false phases=2 copy=true freeze=after positions=fresh: 0.17791423, 14.697666 arrivals a cycle
	// bit-bounded sigma=30 retain=false phases=2 copy=false freeze=after positions=fixed: 0.17959716, 17.287622 arrivals a cycle
	// bit-bounded sigma=30 retain=false phases=2 copy=false freeze=after positions=fresh: 0.17800376, 17.184339 arrivals a cycle
}

// The message-bounded rule: what the paper's averages say, and the rate that they bound.
// With 16 messages of 4 positions the 60 bits can fill up before the last, and stay so.
func ExampleCycle_Average() {
	for _, n := range []uint64{10, 16} {
		c, err := recycling.New(bloomproof.Geometry{M: 60, K: 4}, bloomproof.Recycling{Messages: n})
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, f := range []func(uint) (exact.Enclosure, error){c.Oracle, c.Average, c.FPR, c.Worst} {
			e, err := f(exact.PrecFor(8))
			if err != nil {
				fmt.Println(err)
				return
			}
			_, x, _, _ := e.Decimal(8)
			fmt.Print(x, " ")
		}
		fmt.Println(c.Absorbing())
	}
	// Output:
	// 0.011551961 0.011753615 0.012390976 0.057393935 false
	// 0.047370668 0.050416482 1.0000000 0.18851519 true
}

// A filter that starts anew when half its bits are set.
func ExampleNew() {
	g := bloomproof.Geometry{M: 1 << 16, K: 7}
	c, err := recycling.New(g, bloomproof.Recycling{Sigma: 1 << 15})
	if err != nil {
		panic(err)
	}
	rate, err := c.FPR(60)
	if err != nil {
		panic(err)
	}
	capacity, err := c.Capacity(60)
	if err != nil {
		panic(err)
	}
	fmt.Println(rate, capacity)
	// Output: 0.0012772284683783723 6490.0848041416104
}

func ExampleTransition() {
	p, err := recycling.Transition(bloomproof.Geometry{M: 10, K: 2}, 4, 5, 60, exact.Auto)
	if err != nil {
		panic(err)
	}
	fmt.Println(p.Rat())
	// Output: 27/50 true
}

// In 99 of 100 cycles the filter clears itself after at most so many arrivals.
func ExampleCycle_LengthQuantile() {
	c, err := recycling.New(bloomproof.Geometry{M: 1 << 16, K: 7}, bloomproof.Recycling{Sigma: 1 << 15})
	if err != nil {
		panic(err)
	}
	for _, p := range []*big.Rat{big.NewRat(1, 100), big.NewRat(99, 100)} {
		n, err := c.LengthQuantile(p)
		if err != nil {
			panic(err)
		}
		fmt.Println(n)
	}
	// Output:
	// 6443
	// 6537
}
