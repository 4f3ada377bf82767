package exact

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
)

// TestPGF compares the generating function, by both routes, with its definition, and
// takes mean and second factorial moment from the distributions' own.
func TestPGF(t *testing.T) {
	points := []*big.Rat{big.NewRat(0, 1), big.NewRat(1, 3), big.NewRat(1, 1), big.NewRat(7, 2), big.NewRat(-2, 5)}
	eachTinyLaw(t, func(c lawCase) {
		for _, z := range points {
			want := c.expect(func(i int) *big.Rat { return ratPow(z, i) })
			e, err := c.PGF(z, 80, Auto)
			if r, ok := e.Rat(); err != nil || !ok || r.Cmp(want) != 0 {
				t.Fatalf("%s: E[(%v)^X] = %v, %v; the definition gives %v", c.name, z, e, err, want)
			}
			_, single := c.single()
			if _, union := c.union(); !union && !single || z.Sign() <= 0 {
				continue
			}
			if r := pgfIn(field.Rationals, c.Distribution, z); r.Cmp(want) != 0 {
				t.Fatalf("%s: the series of E[(%v)^X] gives %v, the definition %v", c.name, z, r, want)
			}
			if e, err := c.PGF(z, 80, Hypergeometric); err != nil || !e.Contains(want) || e.RelBits() < 80 {
				t.Fatalf("%s: E[(%v)^X] = %v, %v; the definition gives %v", c.name, z, e, err, want)
			}
		}
	})
	l, err := Committee(200, 7, 40)
	if err != nil {
		t.Fatal(err)
	}
	for _, z := range []*big.Rat{big.NewRat(9, 10), big.NewRat(5, 4)} {
		a, err1 := l.PGF(z, 300, Auto)
		b, err2 := l.PGF(z, 200, Hypergeometric)
		if err1 != nil || err2 != nil || !a.Overlaps(b) || b.RelBits() < 200 {
			t.Errorf("E[(%v)^X] = %v, %v and %v, %v", z, a, err1, b, err2)
		}
	}
	if _, err := l.PGF(nil, 80, Auto); err == nil {
		t.Error("no error for z = nil")
	}
	if l, _ := Occupancy(1<<40, 1<<36); true {
		if _, err := l.PGF(points[1], 80, Auto); !errors.Is(err, ErrTooCostly) {
			t.Errorf("2^36 balls: %v", err)
		}
	}
}

// TestFactorialSeries takes the union of committees from A(x) = product of C(x,k), which
// is Theorem 7, and what single departments leave out by Corollary 9.
func TestFactorialSeries(t *testing.T) {
	eachTinyLaw(t, func(c lawCase) {
		groups, ok := c.union()
		if !ok {
			return
		}
		var values []*big.Rat
		for x := range c.m + 1 {
			a := big.NewInt(1)
			for _, g := range groups {
				a.Mul(a, new(big.Int).Exp(integer.Binomial(x, int(g.size)), g.count, nil))
			}
			values = append(values, ratInt(a))
		}
		pmf, total, err := FactorialSeriesPMF(FactorialSeries(values))
		if err != nil || total.Cmp(values[c.m]) != 0 {
			t.Fatalf("%s: A(m) = %v, %v", c.name, total, err)
		}
		for i, p := range pmf {
			if p.Cmp(c.counts[i]) != 0 {
				t.Fatalf("%s: P[X=%d] = %v by its series, enumeration %v", c.name, i, p, c.counts[i])
			}
		}
	})
	for _, bad := range [][]*big.Rat{{}, {new(big.Rat)}, {big.NewRat(2, 1), big.NewRat(-1, 1)}} {
		if _, _, err := FactorialSeriesPMF(bad); !errors.Is(err, ErrUndefined) {
			t.Errorf("coefficients %v: %v", bad, err)
		}
	}
}

// TestMomentBounds holds p_r between its bounds for every r on every tiny distribution, and on
// large ones, and finds the smallest distribution where Lower, taken outside its domain, fails.
func TestMomentBounds(t *testing.T) {
	var outside []string // where the product of Lower exceeds p_r all the same
	eachTinyLaw(t, func(c lawCase) {
		mean := c.expect(func(i int) *big.Rat { return big.NewRat(int64(i), 1) })
		for r := range int(c.m) + 1 {
			p, err1 := c.Hit(r, 90, Auto)
			b, err2 := c.MomentBounds(r, 90)
			if err1 != nil || err2 != nil {
				t.Fatalf("%s r=%d: %v, %v", c.name, r, err1, err2)
			}
			checkBounds(t, fmt.Sprintf("%s r=%d", c.name, r), p, b)
			product := choosable(new(big.Rat).Quo(mean, big.NewRat(int64(c.m), 1)), int(c.m), r)
			if defined := mean.Cmp(big.NewRat(int64(r)-1, 1)) >= 0; defined != (b.Lower != nil) {
				t.Fatalf("%s r=%d: Lower is %v for the mean %v", c.name, r, b.Lower, mean)
			} else if defined && !b.Lower.Contains(product) {
				t.Fatalf("%s r=%d: Lower is %v, not %v", c.name, r, b.Lower, product)
			}
			if hit, _ := p.Rat(); hit.Cmp(product) < 0 {
				outside = append(outside, fmt.Sprintf("%s r=%d", c.name, r))
			}
			if !b.Upper.Contains(ratPow(new(big.Rat).Quo(mean, big.NewRat(int64(c.m), 1)), r)) {
				t.Fatalf("%s r=%d: Upper is %v", c.name, r, b.Upper)
			}
		}
	})
	const smallest = "intersection m=3 [[{1 3}] [{1 1}]] r=3"
	if len(outside) == 0 || outside[0] != smallest || !slices.Contains(outside, "occupancy m=4 balls=2 r=4") {
		t.Errorf("the product of Lower exceeds p_r at %q", outside)
	}
	for name, l := range largeLaws(t) {
		for _, r := range []int{0, 1, 5, 100} {
			p, err := l.Hit(r, 120, Auto)
			if errors.Is(err, ErrTooCostly) {
				continue
			}
			b, err2 := l.MomentBounds(r, 100)
			if err != nil || err2 != nil {
				t.Errorf("%s r=%d: %v, %v", name, r, err, err2)
				continue
			}
			checkBounds(t, fmt.Sprintf("%s r=%d", name, r), p, b)
		}
	}
}

func checkBounds(t *testing.T, what string, p Enclosure, b MomentBounds) {
	t.Helper()
	check := func(name string, low, high Enclosure) {
		t.Helper()
		if order, decided := low.Cmp(high); decided && order > 0 {
			t.Errorf("%s: %s: %v > %v", what, name, low, high)
		}
		for _, e := range []Enclosure{low, high} {
			if e.Sign() != 0 && e.RelBits() < 90 {
				t.Errorf("%s: %s has %d bits", what, name, e.RelBits())
			}
		}
	}
	check("upper", p, b.Upper)
	if b.Lower != nil {
		check("lower", *b.Lower, p)
	}
	if b.LowerBalls != nil {
		check("lower by balls", *b.LowerBalls, p)
	}
}
