package verify_test

import (
	"fmt"
	"os"
	"reflect"

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
		verify.GenGeometry(1<<20, 0),
	))
	properties.Run(gopter.NewFormatedReporter(false, 80, os.Stdout))
	// Output:
	// ! k is at most m: Falsified after 20 passed tests.
	// > Labels of failing property: more positions than bits
	// ARG_0: standard m=1 k=2
	// ARG_0_ORIGINAL (6 shrinks): standard m=1 k=64
}

// A recycling rule is generated for the filter that it governs, which FlatMap generates too.
func ExampleGenRecycling() {
	type governed struct {
		g bloomproof.Geometry
		r bloomproof.Recycling
	}
	filters := verify.GenGeometry(1<<10, 8).FlatMap(func(v any) gopter.Gen {
		g := v.(bloomproof.Geometry)
		return verify.GenRecycling(g).Map(func(r bloomproof.Recycling) governed { return governed{g, r} })
	}, reflect.TypeFor[governed]())
	properties := gopter.NewProperties(gopter.DefaultTestParametersWithSeed(1))
	properties.Property("no cycle sets more bits than there are", prop.ForAll(
		func(f governed) bool { return f.r.Sigma < f.g.M }, filters,
	))
	properties.Run(gopter.NewFormatedReporter(false, 80, os.Stdout))
	// Output:
	// + no cycle sets more bits than there are: OK, passed 100 tests.
}

// Sizes come by exponent, so that small ones are met as often as large ones, and both ends
// of the range are met.
func ExampleGenSize() {
	draw := verify.GenSize(0, 1<<64-1)
	parameters := gopter.DefaultGenParameters().CloneWithSeed(1)
	small, large := 0, 0
	for range 1000 {
		switch n := draw(parameters).Result.(uint64); {
		case n < 1<<32:
			small++
		default:
			large++
		}
	}
	fmt.Println(small > 400, large > 400)
	// Output: true true
}

// What must hold for each way of hashing is tried on all of them.
func ExampleGenEnum() {
	properties := gopter.NewProperties(gopter.DefaultTestParametersWithSeed(1))
	properties.Property("a name is read as what it was written for", prop.ForAll(
		func(h bloomproof.Hashing) bool {
			var read bloomproof.Hashing
			return read.UnmarshalText([]byte(h.String())) == nil && read == h
		},
		verify.GenEnum[bloomproof.Hashing](),
	))
	properties.Run(gopter.NewFormatedReporter(false, 80, os.Stdout))
	// Output:
	// + a name is read as what it was written for: OK, passed 100 tests.
}

// Weights fall from one message to the next, whatever the popularity; the least workload
// for which a wrong law fails is named.
func ExampleGenWorkload() {
	properties := gopter.NewProperties(gopter.DefaultTestParametersWithSeed(1))
	properties.Property("the first message is more popular than the second", prop.ForAll(
		func(w bloomproof.Workload) bool { return w.Popularity.Weight(0) > w.Popularity.Weight(1) },
		verify.GenWorkload(1000),
	))
	properties.Run(gopter.NewFormatedReporter(false, 80, os.Stdout))
	// Output:
	// ! the first message is more popular than the second: Falsified after 0 passed
	//    tests.
	// ARG_0: uniform:2 arrivals=popularity repeat=0
	// ARG_0_ORIGINAL (12 shrinks): biuniform:542:0.001:1000 arrivals=popularity
	//    repeat=0.979
}
