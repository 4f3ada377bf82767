package exact

import (
	"bufio"
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// TestReference compares with values that another program computed: the head of the
// file names it.
func TestReference(t *testing.T) {
	file, err := os.Open("testdata/fpr.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	half, _ := new(big.Rat).SetString("5e-60") // half a unit in the last digit, relative to 1.00...
	compared := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		if strings.HasPrefix(line, "#") {
			continue
		}
		var hashing, rate string
		var g bloomproof.Geometry
		var n uint64
		if _, err := fmt.Sscan(line, &hashing, &g.M, &n, &g.K, &rate); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if err := g.Hashing.UnmarshalText([]byte(hashing)); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		want, ok := new(big.Rat).SetString(rate)
		if !ok {
			t.Fatalf("%q: no number", line)
		}
		e, _, err := FPR(g, n, PrecFor(80), Auto)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		// The reference is rounded at its 60th digit, the enclosure is far narrower.
		lo, _ := e.Lo().Rat(nil)
		off := lo.Sub(lo, want)
		off.Quo(off, want)
		if off.Abs(off).Cmp(half) > 0 {
			t.Errorf("%v n=%d: %v, reference %s", g, n, e, rate)
		}
		compared++
	}
	if compared < 40 {
		t.Errorf("only %d reference values", compared)
	}
}
