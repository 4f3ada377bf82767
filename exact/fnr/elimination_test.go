package fnr

import (
	"errors"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/elimination"
	"github.com/bloomproof/bloomproof/exact/internal/field"
)

// TestProductsOfChain holds what is counted before a chain is solved against the products
// that solving takes: one class, several, and the class of Lasting.
func TestProductsOfChain(t *testing.T) {
	f := field.Intervals(64)
	for _, c := range []struct {
		g      bloomproof.Geometry
		r      bloomproof.Recycling
		d      uint64
		repeat float64
	}{
		{bloomproof.Geometry{M: 6, K: 2}, bloomproof.Recycling{Sigma: 3, FreshPositions: true}, 3, 0.9},
		{bloomproof.Geometry{M: 5, K: 2}, bloomproof.Recycling{Sigma: 2}, 2, 0.9},
		{bloomproof.Geometry{M: 4, K: 2}, bloomproof.Recycling{Sigma: 3}, 2, 1},
		{bloomproof.Geometry{M: 4, K: 2}, bloomproof.Recycling{Sigma: 2, TwoPhase: true}, 1, 0.5},
	} {
		x, err := New(c.g, c.r, bloomproof.Workload{Popularity: bloomproof.Zipf(1, c.d), Repeat: c.repeat})
		if err != nil {
			t.Fatal(err)
		}
		chain, err := x.chain()
		if err != nil {
			t.Fatal(err)
		}
		events := eventWeights(f, x.w, chain.ranks, weightAt(x.w.Popularity, 64))
		most := 0
		ends := chain.lastClasses()
		for _, class := range ends {
			s := elimination.New(f, len(chain.moves))
			for _, i := range class {
				for _, m := range chain.moves[i] {
					s.Add(i, m.to, weigh(f, m.p, events[m.e]))
				}
			}
			s.Stationary(chain.byProgress(class), nil)
			if got := chain.classProducts(class, 1<<30); got != s.Steps {
				t.Errorf("%v: %d products of a class by pattern, %d were computed", c, got, s.Steps)
			}
			most = max(most, s.Steps)
		}
		if got := chain.products(1 << 30); got < most || len(ends) == 1 && got != most {
			t.Errorf("%v: %d products by pattern, %d were computed", c, got, most)
		}
	}
}

// TestRefusedBeforeWork asks for a chain that is small enough to be listed and too large
// to be solved: it is refused by counting alone, in few words of memory, with the number
// of situations and the limit.
func TestRefusedBeforeWork(t *testing.T) {
	x, err := New(bloomproof.Geometry{M: 8, K: 2}, bloomproof.Recycling{Sigma: 4},
		bloomproof.Workload{Popularity: bloomproof.Zipf(1, 3), Repeat: 0.9})
	if err != nil {
		t.Fatal(err)
	}
	chain, err := x.chain()
	if err != nil {
		t.Fatal(err)
	}
	products := chain.products(eliminationLimit)
	if products <= eliminationLimit {
		t.Fatalf("%d products, which is within the limit", products)
	}
	err = chain.affordable(products, 64)
	if !errors.Is(err, bloomproof.ErrTooCostly) {
		t.Fatalf("%d products: %v", products, err)
	}
	for _, part := range []string{"2836 situations", "4194304"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
	if _, got := x.rates(chain, 64, false); got == nil || !strings.Contains(got.Error(), "2836 situations") {
		t.Errorf("the rates: %v", got)
	}
	// The work of counting: words of memory, some 1 ns each.
	p := elimination.NewPattern(len(chain.moves))
	for v, moves := range chain.moves {
		for _, m := range moves {
			p.Add(v, m.to)
		}
	}
	const mostWords = 1 << 25
	if p.Products(chain.byProgress(chain.lastClasses()[0])[1:], eliminationLimit); p.Words > mostWords {
		t.Errorf("%d words are combined, more than %d", p.Words, mostWords)
	}
}
