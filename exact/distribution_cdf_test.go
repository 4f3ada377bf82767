package exact

import (
	"errors"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestCDFSmall holds sums and quantiles to the exact chain, and to the probabilities of
// intersections.
func TestCDFSmall(t *testing.T) {
	hold := func(name string, l Distribution, pmf []*big.Rat) {
		t.Helper()
		sum := new(big.Rat)
		for i, p := range pmf {
			before := new(big.Rat).Set(sum)
			sum.Add(sum, p)
			if e, err := l.CDF(uint64(i), 60); err != nil || !e.Contains(sum) || sum.Sign() > 0 && e.RelBits() < 60 {
				t.Errorf("%s: P[X <= %d] is %v, %v; the probabilities sum to %v", name, i, e, err, sum)
			}
			if p.Sign() == 0 || sum.Cmp(big.NewRat(1, 1)) == 0 {
				continue
			}
			middle := new(big.Rat).Add(before, sum)
			middle.Quo(middle, big.NewRat(2, 1))
			for _, x := range []*big.Rat{middle, sum} {
				if got, err := l.Quantile(x); err != nil || got != uint64(i) {
					t.Errorf("%s: the quantile of %v is %d, %v; want %d", name, x, got, err, i)
				}
			}
		}
	}
	for _, c := range []struct{ m, n, k int }{{1, 3, 1}, {12, 9, 1}, {20, 4, 9}, {40, 9, 3}}[:longtest.More(3, 4)] {
		l, err := committeeOf(uint64(c.m), uint64(c.k), uint64(c.n))
		if err != nil {
			t.Fatal(err)
		}
		hold("committee", l, outcomes.Chain(c.m, c.n, c.k))
	}
	l, err := Intersection(15, []Committees{{3, 2}, {4, 1}}, []Committees{{5, 1}})
	if err != nil {
		t.Fatal(err)
	}
	var pmf []*big.Rat
	for i := range uint64(16) {
		e, err := l.PMF(i, 60, Auto)
		p, ok := e.Rat()
		if err != nil || !ok {
			t.Fatal(err)
		}
		pmf = append(pmf, p)
	}
	hold("intersection", l, pmf)
}

// TestCDFLarge holds probabilities and sums at filter size to one another, and the quantiles to the
// sums.
func TestCDFLarge(t *testing.T) {
	for _, c := range []struct{ m, k, n uint64 }{{3000, 1, 6100}, {1 << 40, 1, 762_123_384_785}, {1 << 23, 7, 800_000}, {1<<64 - 1, 1, 1 << 63}}[:longtest.More(1, 4)] {
		l, err := committeeOf(c.m, c.k, c.n)
		if err != nil {
			t.Fatal(err)
		}
		p := big.NewRat(999, 1000)
		i, err := l.Quantile(p)
		if err != nil {
			t.Fatal(c, err)
		}
		prec := longtest.More[uint](32, 90)
		at, err := l.CDF(i, prec)
		if err != nil {
			t.Fatal(c, err)
		}
		before, err := l.CDF(i-1, prec)
		if err != nil {
			t.Fatal(c, err)
		}
		one, err := l.PMF(i, prec-20, Auto)
		if err != nil || one.RelBits() < int(prec-20) {
			t.Fatal(c, err)
		}
		difference := interval.New(100).Sub(at.interval(), before.interval())
		if !around(difference).Overlaps(one) {
			t.Errorf("%v: P[X = %d] is %v, the sums differ by %v", c, i, one, around(difference))
		}
		if x, _ := at.interval().CmpRat(p); x < 0 {
			t.Errorf("%v: P[X <= %d] is %v", c, i, at)
		}
		if x, _ := before.interval().CmpRat(p); x >= 0 {
			t.Errorf("%v: P[X <= %d] is %v", c, i-1, before)
		}
	}
}

// TestCDFIntersection holds the median of a large intersection to the sums beside it.
func TestCDFIntersection(t *testing.T) {
	longtest.Only(t, "TestPairSmall and TestPairLarge hold the parts")
	l, err := Intersection(1<<40, []Committees{{1, 762_123_384_785}}, []Committees{{1, 1 << 39}})
	if err != nil {
		t.Fatal(err)
	}
	half := big.NewRat(1, 2)
	i, err := l.Quantile(half)
	if err != nil {
		t.Fatal(err)
	}
	for less, want := range []int{1, -1} {
		e, err := l.CDF(i-uint64(less), 40)
		if order, decided := e.interval().CmpRat(half); err != nil || !decided || order != want || e.RelBits() < 40 {
			t.Errorf("P[X <= %d] is %v, %v", i-uint64(less), e, err)
		}
	}
}

func TestCDFRefuses(t *testing.T) {
	balls := []Committees{{1, 1 << 39}}
	l, err := Intersection(1<<40, balls, balls, balls)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.CDF(1<<38, 60); !errors.Is(err, bloomproof.ErrTooCostly) {
		t.Errorf("a large intersection: %v", err)
	}
	if _, err := l.Quantile(big.NewRat(1, 2)); !errors.Is(err, bloomproof.ErrTooCostly) {
		t.Errorf("the quantile of a large intersection: %v", err)
	}
	for _, p := range []*big.Rat{nil, new(big.Rat), big.NewRat(1, 1)} {
		var bad *bloomproof.ParamError
		if _, err := l.Quantile(p); !errors.As(err, &bad) {
			t.Errorf("the quantile of %v: %v", p, err)
		}
	}
}
