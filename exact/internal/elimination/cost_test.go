package elimination

import (
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestPattern counts the products of random chains' eliminations, by pattern and as
// they are computed.
func TestPattern(t *testing.T) {
	f := field.Rationals
	rng := rand.New(rand.NewPCG(11, 12))
	for range longtest.More(30, 60) {
		n := 2 + rng.IntN(40) + 60*rng.IntN(2) // one word, or two
		s, p := New(f, n), NewPattern(n)
		order := rng.Perm(n)
		for i := range 2 * n { // a circle, so that all are one class, and chords
			from, to := order[i%n], order[(i+1)%n]
			if i >= n {
				from, to = rng.IntN(n), rng.IntN(n)
			}
			s.Add(from, to, f.Int(1))
			p.Add(from, to)
		}
		s.Stationary(order, nil)
		if got := p.Products(order[1:], 1<<30); got != s.Steps {
			t.Fatalf("%d states: %d products by pattern, %d were computed", n, got, s.Steps)
		}
	}
}
