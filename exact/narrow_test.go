package exact

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// narrowOf checks that a number is known to prec bits, and that it is x.
func narrowOf(t *testing.T, name string, e Enclosure, err error, prec uint, x *big.Rat) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if e.RelBits() < int(prec) || !e.Contains(x) {
		t.Errorf("%s to %d bits is %v, known to %d bits", name, prec, e, e.RelBits())
	}
}

// TestLongDenominators checks numbers that have too many digits for rationals, but that are counted exactly.
func TestLongDenominators(t *testing.T) {
	const n = 9000
	l, err := Union(2, []Committees{{1, 2 * n}})
	if err != nil {
		t.Fatal(err)
	}
	if l.small() {
		t.Fatal("the denominator is short")
	}
	one := ratPow(big.NewRat(1, 2), 2*n-1) // the probability that all balls fall into the same urn
	two := new(big.Rat).Sub(big.NewRat(1, 1), one)
	all, err := l.PMFs(40)
	if err != nil || len(all) != 2 {
		t.Fatalf("%d probabilities, %v", len(all), err)
	}
	narrowOf(t, "P[X = 1]", all[0], nil, 40, one)
	narrowOf(t, "P[X = 2]", all[1], nil, 40, two)
	// There is no integral for three departments with different numbers of balls.
	if l, err = Intersection(2, []Committees{{1, n}}, []Committees{{1, n + 1}}, []Committees{{1, n + 2}}); err != nil {
		t.Fatal(err)
	}
	both := big.NewRat(1, 1) // the probability that each department hits both urns
	for i := range 3 {
		q := ratPow(big.NewRat(1, 2), n+i-1)
		both.Mul(both, q.Sub(big.NewRat(1, 1), q))
	}
	p := new(big.Rat).Sub(big.NewRat(1, 1), both)
	for _, prec := range []uint{3, 40} {
		e, err := l.CDF(1, prec)
		narrowOf(t, "P[X <= 1]", e, err, prec, p)
	}
}

// TestFewBits checks numbers that are computed with little precision.
func TestFewBits(t *testing.T) {
	g := bloomproof.Geometry{M: 16, K: 2}
	long, err := EstimateIntersection(g, 8, 7, 4, 200)
	if err != nil {
		t.Fatal(err)
	}
	x, _ := long.Lo().Rat(nil)
	for _, prec := range []uint{1, 40} {
		e, err := EstimateIntersection(g, 8, 7, 4, prec)
		narrowOf(t, "EstimateIntersection", e, err, prec, x)
		third, err := NewRational(big.NewRat(1, 3), prec+4)
		if err != nil {
			t.Fatal(err)
		}
		narrowOf(t, "3/3", times(around(third.interval()), 3, prec), nil, prec, big.NewRat(1, 1))
	}
}

// TestCutCollisions leaves out probable collisions. The enclosure must then be wide enough.
func TestCutCollisions(t *testing.T) {
	m, n, r := uint64(1000), big.NewInt(900), 40
	want, err := momentKSum(m, n, r, 60)
	if err != nil {
		t.Fatal(err)
	}
	defer precision.Starve(precision.Starving{Guard: -1, Cut: 5})()
	if got, _ := momentIntegral(m, n, r, 60); got.RelBits() > 20 || !got.Overlaps(want) {
		t.Errorf("%v, known to %d bits, want %v", got, got.RelBits(), want)
	}
}

// TestMissedMoments computes a probability from moments with errors. The enclosure must then be wide enough.
func TestMissedMoments(t *testing.T) {
	l, err := Union(12, []Committees{{3, 8}})
	if err != nil {
		t.Fatal(err)
	}
	defer precision.Starve(precision.Starving{Guard: -1})()
	const empty, lost = 2, 20
	for _, shift := range []int64{-1, 1} { // the moments are too large or too small
		e, err := l.pmfByMoments(empty, 9, l.outLog2(), 40, func(last int, scale uint) ratios {
			p := l.misses(last, scale)
			p.missed = new(big.Int).Lsh(integer.One, scale-lost)
			for _, v := range p.v {
				v.Add(v, new(big.Int).Mul(p.missed, big.NewInt(shift)))
				shift = -shift
			}
			return p
		})
		narrowOf(t, "a probability from moments", e, err, 0, l.pmfRational(12-empty))
	}
}

// TestRefusedBound checks the text about a bound that does not exist.
func TestRefusedBound(t *testing.T) {
	_, err := Bound("none", bloomproof.Geometry{M: 16, K: 2}, 3, 20)
	var bad *bloomproof.ParamError
	if !errors.As(err, &bad) || !strings.HasPrefix(bad.Want, "one of "+string(bloomproof.BoundBloom)) || !strings.Contains(bad.Want, " for ") {
		t.Errorf("%v", err)
	}
}
