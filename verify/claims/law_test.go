package claims

import (
	"fmt"
	"math/big"
	"testing"
)

// The chain of occupied agrees with the enumeration of union, and the means of both
// with sums over all outcomes written out by hand.
func TestLaws(t *testing.T) {
	for m := 1; m <= 6; m++ {
		for _, sizes := range everyUrn {
			if largest(sizes) > m {
				continue
			}
			l, err := union(m, sizes...)
			if err != nil {
				t.Fatal(err)
			}
			chain := occupied(m, sizes...)
			if err := eachPMF(l, func(i int) (*big.Rat, error) { return chain[i], nil }); err != nil {
				t.Errorf("m=%d, sizes %v: %v", m, sizes, err)
			}
		}
	}
	// Two balls in two urns: {1,1}, {1,2}, {2,1}, {2,2}.
	l, err := union(2, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(l.count, l.total, l.pmf(), variance(l.pmf())); got != "[0 1 1 2] 4 [0/1 1/2 1/2] 1/4" {
		t.Error(got)
	}
	if got := fmt.Sprint(standardRate(2, 1, 2), classicRate(4, 1, 2)); got != "5/8 1/6" {
		t.Error(got)
	}
	if _, err := union(17, 1); err == nil {
		t.Error("17 urns enumerated")
	}
	if _, err := union(16, repeat(8, 6)...); err == nil {
		t.Error("12870^6 outcomes enumerated")
	}
}
