package conform_test

import (
	"os"
	"runtime"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// Outside long runs the tests of this package have one processor: the go command runs other packages on the others.
// With two, the garbage collector and goroutines that wait for each other take a sixth more processor time.
// What needs several processors sets their number: package conform does so in its tests with concurrent calls.
// The flag -test.cpu overrides this number.
func init() {
	if os.Getenv(longtest.Env) == "" {
		runtime.GOMAXPROCS(1)
	}
}
