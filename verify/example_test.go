package verify_test

import (
	"fmt"
	"os"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify"
	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"
)

// A law that looks right is tried on every kind of filter, and the smallest one that
// breaks it is named: a filter may have more positions than bits.
func ExampleGenGeometry() {
	properties := gopter.NewProperties(gopter.DefaultTestParametersWithSeed(1))
	properties.Property("k is at most m", prop.ForAll(
		func(g bloomproof.Geometry) string {
			if uint64(g.K) <= g.M {
				return ""
			}
			return "more positions than bits"
		},
		verify.GenGeometry(verify.GeometryOptions{MaxM: 1 << 20}),
	))
	properties.Run(gopter.NewFormatedReporter(false, 80, os.Stdout))
	// Output:
	// ! k is at most m: Falsified after 14 passed tests.
	// > Labels of failing property: more positions than bits
	// ARG_0: standard m=1 k=2
	// ARG_0_ORIGINAL (12 shrinks): standard m=1 k=2487
}

// A recycling rule is generated for the filter that it governs.
func ExampleGenRecyclingFilter() {
	draw := verify.GenRecyclingFilter(verify.GeometryOptions{MaxM: 1 << 10, MaxK: 8})
	parameters := gopter.DefaultGenParameters().CloneWithSeed(1)
	for range 3 {
		f := draw(parameters).Result.(verify.RecyclingFilter)
		fmt.Printf("%v: %v: %v\n", f.Geometry, f.Recycling, f.Validate())
	}
	// Output:
	// partitioned m=65 k=1: bit-bounded sigma=1 retain=true phases=2 copy=true freeze=after positions=fixed: <nil>
	// classic m=88 k=8: bit-bounded sigma=15 retain=true phases=1 copy=true freeze=after positions=fresh: <nil>
	// classic m=16 k=4: message-bounded messages=134217729 retain=true phases=1 copy=true freeze=after positions=fresh: <nil>
}
