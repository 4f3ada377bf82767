package kernel_test

import (
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

func TestSetOperationsRefuseOtherFilters(t *testing.T) {
	g := bloomproof.Geometry{M: 128, K: 4}
	classic := g
	classic.Hashing = bloomproof.Classic
	for _, c := range []struct {
		a, b  *kernel.Filter
		param string
	}{
		{mustNew(t, g, kernel.Options{}), mustNew(t, classic, kernel.Options{}), "geometry"},
		{mustNew(t, g, kernel.Options{}), mustNew(t, bloomproof.Geometry{M: 129, K: 4}, kernel.Options{}), "geometry"},
		{mustNew(t, g, kernel.Options{}), mustNew(t, bloomproof.Geometry{M: 128, K: 5}, kernel.Options{}), "geometry"},
		{mustNew(t, g, kernel.Options{}), mustNew(t, g, kernel.Options{Seed: 1}), "seed"},
		{mustNew(t, g, kernel.Options{}), mustNew(t, g, kernel.Keyed(sipKey[:])), "scheme"},
		{mustNew(t, g, kernel.Keyed([]byte{1, 15: 0})), mustNew(t, g, kernel.Keyed([]byte{15: 1})), "key"},
	} {
		for range 2 {
			c.a.AddHash(kernel.Hash{H0: 1})
			c.b.AddHash(kernel.Hash{H0: 2})
			before := c.a.Clone()
			paramError(t, "Union", c.a.Union(c.b), c.param)
			paramError(t, "Intersect", c.a.Intersect(c.b), c.param)
			_, _, err := c.a.IntersectionItems(c.b)
			paramError(t, "IntersectionItems", err, c.param)
			if !c.a.Equal(before) || c.a.Equal(c.b) {
				t.Errorf("%v changed by a refused operation with %v", c.a, c.b)
			}
			c.a, c.b = c.b, c.a
		}
		paramError(t, "Union with none", c.a.Union(nil), "filter")
		paramError(t, "Intersect with none", c.a.Intersect(nil), "filter")
		_, _, err := c.a.IntersectionItems(nil)
		paramError(t, "IntersectionItems with none", err, "filter")
	}
	n, err := kernel.NewCounting(g, 4, bloomproof.Distinct, kernel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	paramError(t, "Merge with none", n.Merge(nil), "filter")
}

// A union of full or filling filters has no bounded estimate, and says so.
func TestUnboundedEstimates(t *testing.T) {
	g := bloomproof.Geometry{M: 2, K: 1}
	low, high := kernel.Hash{}, kernel.Hash{}
	for h := uint64(0); positions(t, g, low)[0] != 0 || positions(t, g, high)[0] != 1; h++ {
		if positions(t, g, kernel.Hash{H0: h})[0] == 0 {
			low = kernel.Hash{H0: h}
		} else {
			high = kernel.Hash{H0: h}
		}
	}
	a, b := mustNew(t, g, kernel.Options{}), mustNew(t, g, kernel.Options{})
	a.AddHash(low)
	b.AddHash(high)
	for _, f := range []*kernel.Filter{a, b} {
		// One of two bits is set by one key: ln(1/2)/ln(1/2).
		if n, bounded := f.Items(); n != 1 || !bounded {
			t.Errorf("half full: %v, %t", n, bounded)
		}
	}
	if n, bounded, err := a.IntersectionItems(b); n != 0 || bounded || err != nil {
		t.Errorf("intersection with a full union: %v, %t, %v", n, bounded, err)
	}
	if n, bounded, err := a.IntersectionItems(a); n != 1 || !bounded || err != nil {
		t.Errorf("intersection with itself: %v, %t, %v", n, bounded, err)
	}
	if err := a.Union(b); err != nil {
		t.Fatal(err)
	}
	if n, bounded := a.Items(); n != 0 || bounded {
		t.Errorf("full: %v, %t", n, bounded)
	}
	if a.Clear(); a.Bits() != 0 || a.Rate() != 0 {
		t.Errorf("cleared: %v", a)
	}
	if n, bounded := a.Items(); n != 0 || !bounded {
		t.Errorf("empty: %v, %t", n, bounded)
	}
}
