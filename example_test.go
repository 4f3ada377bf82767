package bloomproof_test

import (
	"errors"
	"fmt"

	"github.com/bloomproof/bloomproof"
)

// The shape of a filter is a value: it can be printed, compared and validated.
func ExampleGeometry() {
	g := bloomproof.Geometry{M: 1 << 20, K: 7, Hashing: bloomproof.Classic}
	fmt.Println(g, g.Validate())

	g.Hashing = bloomproof.Partitioned
	fmt.Println(g.Validate())
	// Output:
	// classic m=1048576 k=7 <nil>
	// bloomproof: k must be a divisor of m = 1048576 for partitioned hashing, got 7
}

// A rejected parameter is named by the error.
func ExampleParamError() {
	err := bloomproof.Geometry{M: 1024, K: 5000}.Validate()
	var pe *bloomproof.ParamError
	if errors.As(err, &pe) {
		fmt.Printf("-%s=%v must be %s\n", pe.Param, pe.Value, pe.Want)
	}
	// Output:
	// -k=5000 must be between 1 and 4096
}

// A two-phase filter that freezes its active array when more than half of the bits
// are set.
func ExampleRecycling() {
	g := bloomproof.Geometry{M: 1 << 16, K: 7}
	r := bloomproof.Recycling{Sigma: g.M / 2, TwoPhase: true}
	fmt.Println(r, r.Validate(g))

	r.Sigma = g.M
	fmt.Println(r.Validate(g))
	// Output:
	// bit-bounded sigma=32768 retain=false phases=2 copy=true freeze=after positions=fixed <nil>
	// bloomproof: sigma must be less than m = 65536, got 65536
}

// Nine of ten arrivals repeat one of a thousand messages by Zipf's law; a new message
// enters as the least popular one.
func ExampleWorkload() {
	w := bloomproof.Workload{
		Popularity: bloomproof.Zipf(1, 1000),
		Arrivals:   bloomproof.ArrivalLast,
		Repeat:     0.9,
	}
	fmt.Println(w, w.Validate())
	// Output:
	// zipf:1:1000 arrivals=last repeat=0.9 <nil>
}

// Enumerations read and write their names, so they serve as flags and in JSON.
func ExampleHashing_UnmarshalText() {
	var h bloomproof.Hashing
	fmt.Println(h.UnmarshalText([]byte("partitioned")), h)
	fmt.Println(h.UnmarshalText([]byte("blocked")), h)
	// Output:
	// <nil> partitioned
	// bloomproof: hashing must be one of standard, classic, partitioned, double, double-zero, double-odd, double-partitioned, enhanced-double, triple, got "blocked" partitioned
}
