package approx

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// drawLarge draws filters of at least least bits with about as many balls as bits.
func drawLarge(r *rand.Rand, least float64) (m, n uint64, k int) {
	for {
		k = 2 + r.IntN(63)
		m = uint64(least * math.Exp(r.Float64()*math.Log(0x1p60/least)))
		n = uint64(float64(m) / float64(k) * math.Exp(8*r.Float64()-6))
		if n > 1 && uint64(k) <= m {
			return m, n, k
		}
	}
}

// Where the series for large filters is defined it agrees with the contour integral, and lies between the bounds where
// it says so, for nearly all filters.
func TestStandardLarge(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 7))
	defined, sures := 0, 0
	for range 3000 {
		m, n, k := drawLarge(r, 50)
		balls := fm.WholeProduct(n, uint64(k))
		f, sure, ok := standardLarge(m, balls, k)
		if !ok {
			continue
		}
		defined++
		got, want := f.Float64(), newContourStandard(m, balls, k).value().Float64()
		if d := math.Abs(got-want) / want; !(d <= 40*fm.Unit) {
			t.Errorf("m=%d n=%d k=%d: %v, by the integral %v: %.3g u", m, n, k, got, want, d/fm.Unit)
		}
		if !sure {
			continue
		}
		sures++
		if low, high := bloomRate(m, n, k).float64(), upperRate(m, n, k).float64(); !(low <= got && got <= high) {
			t.Errorf("m=%d n=%d k=%d: %v is said to lie between %v and %v", m, n, k, got, low, high)
		}
	}
	if defined < 1500 || sures < defined*95/100 {
		t.Errorf("the series is defined for %d filters, and %d rates are known to be in order", defined, sures)
	}
}

// With too few terms the series is wrong by at most the bound of what it leaves out, which is not far too large.
func TestStandardLargeLeftOut(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 8))
	seen := 0
	for range 40000 {
		m, n, k := drawLarge(r, 50)
		var l largeStandard
		if m > 1e5 || !l.init(m, fm.WholeProduct(n, uint64(k)), k) || l.leftOut(mostMoments) > momentsEnd || l.spread < 8*mostMoments+8 {
			continue
		}
		_, more := l.front()
		all := l.sum(mostMoments, more)
		for terms := 4; terms < 12; terms += 2 {
			wrong, bound := math.Abs(l.sum(terms, more)-all), l.leftOut(terms)
			if wrong > bound+1e-15 {
				t.Errorf("m=%d n=%d k=%d: %d terms are wrong by %g, bound %g", m, n, k, terms, wrong, bound)
			}
			if terms == 4 && wrong > bound/100 {
				seen++
			}
		}
	}
	if seen < 200 {
		t.Errorf("the bound is near the error for %d filters only", seen)
	}
}

// The rounding errors that the comment of standardLarge adds up, from the recursion for A_i.
func TestStandardLargeErrorsDerivedTwice(t *testing.T) {
	const first = 0.35
	second := func(i int) float64 {
		switch i {
		case 1:
			return 0.174
		case 3:
			return 0.087
		}
		return 0.116
	}
	a := []float64{1, 0, 1} // the A_i in units of a
	sum := 0.0
	for i := 2; i < mostMoments; i++ {
		sum += float64(13*i+70) * a[i]
		next := first * a[i]
		if i > 2 {
			next += second(i) * a[i-1]
		}
		a = append(a, next)
	}
	if sum > 210 || sum < 105 {
		t.Errorf("the errors of the e_i g_i add up to %g u a, stated are 210 u a", sum)
	}
	apart, more := 0.0, 0.0 // of the d-th terms, at b = 1
	term := 1.0
	for d := 1; d <= 15; d++ {
		term *= 0.5 / float64(d)
		apart += float64(2*d+3)*term + 0.5
		more += float64(5*d+3)*term + 0.65
	}
	if apart > 12 || apart < 6 || more > 16 || more < 8 {
		t.Errorf("the errors of F and of the c_d add up to %g u b and %g u b", apart, more)
	}
	total := 1.7*12 + 16 + 0.174*1.7*210
	if 2*total > 512 || total > 100 || total < 50 {
		t.Errorf("the error of c is %g u, stated are 100 u", total)
	}
}
