package host_test

import (
	"fmt"

	"github.com/bloomproof/bloomproof/kernel/host"
)

// The list ends with the portable implementation on every host.
func Example() {
	impls := host.Impls()
	fmt.Println(impls[len(impls)-1], host.Has(host.Portable), host.At(host.Probe, host.Portable))
	// Output: portable true portable
}
