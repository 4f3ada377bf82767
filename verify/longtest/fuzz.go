package longtest

import (
	"flag"
	"sync"
)

// Fuzzing reports whether this process makes new inputs for a fuzz target, as "go test -fuzz" does. A process that runs
// a target on its seeds, or on an input that a fuzzer stored, does not.
var Fuzzing = sync.OnceValue(func() bool {
	f := flag.Lookup("test.fuzz")
	return f != nil && f.Value.String() != ""
})

// Part divides the n comparisons of a fuzz target among inputs. The function that it returns reports whether the target
// makes comparison i for this input. While a fuzzer makes inputs, each input has one comparison. The comparison depends
// on the sum of all bytes of the input, so a mutation of any byte leads to another comparison. An execution then costs
// a fraction of the time, and more inputs are tried. In all other processes each input has all comparisons.
//
// Domain: n >= 1.
func Part(n int, input ...byte) func(i int) bool {
	sum := 0
	for _, b := range input {
		sum += int(b)
	}
	return func(i int) bool { return !Fuzzing() || (sum+len(input))%n == i }
}
