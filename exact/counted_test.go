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

// TestCounted compares every route with the rates that Coq computes from the definitions: the head of the file names
// the theorems.
func TestCounted(t *testing.T) {
	file, err := os.Open("testdata/counted.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	compared := map[string]int{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		if strings.HasPrefix(line, "#") {
			continue
		}
		var hashing string
		var g bloomproof.Geometry
		var n uint64
		var positives, outcomes big.Int
		if _, err := fmt.Sscan(line, &hashing, &g.M, &g.Block, &n, &g.K, &positives, &outcomes); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if err := g.Hashing.UnmarshalText([]byte(hashing)); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		everyRoute(t, g, n, new(big.Rat).SetFrac(&positives, &outcomes))
		compared[fmt.Sprint(hashing, " in blocks: ", g.Block > 0)]++
	}
	for kind, n := range compared {
		if n < 50 {
			t.Errorf("only %d rates of %s", n, kind)
		}
	}
	if len(compared) != 6 {
		t.Errorf("the kinds are %v", compared)
	}
}
