package approx

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// Where the series for large classic filters is defined it agrees with the other methods.
func TestClassicLarge(t *testing.T) {
	cases := 2500
	if longtest.Enabled() {
		cases = 50000
	}
	r := rand.New(rand.NewPCG(31, 7))
	defined, worst := 0, 0.0
	var at [3]uint64
	for range cases {
		m, n, k := drawLarge(r, 300)
		q := math.Exp(float64(n) * math.Log1p(-float64(k)/float64(m)))
		if float64(k)*q <= nearlyFull {
			continue
		}
		f, ok := classicLarge(m, n, k)
		if !ok {
			continue
		}
		defined++
		want := newContourClassic(m, n, k).value()
		if float64(k)*math.Log((1+q)/(1-q)) <= mostGrowth {
			want = classicMiss(m, n, k).Neg().AddFloat(1).Scale()
		}
		if d := math.Abs(f.Quo(want) - 1); d > worst {
			worst, at = d, [3]uint64{m, n, uint64(k)}
		}
	}
	t.Logf("defined for %d of %d; they differ by up to %.3g u, at %v", defined, cases, worst/fm.Unit, at)
	if !(worst <= 60*fm.Unit) || defined < cases/2 {
		t.Errorf("defined for %d of %d; they differ by up to %.3g u, at %v", defined, cases, worst/fm.Unit, at)
	}
}

// With too few terms the series is wrong by at most the bound of what it leaves out, which is not far too large.
func TestClassicLargeLeftOut(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 8))
	seen := 0
	for range 40000 {
		m, n, k := drawLarge(r, 300)
		var l largeClassic
		if m > 1e6 || !l.init(m, fm.WholeProduct(n, uint64(k)), k) || l.leftOut(mostMoments) > classicEnd {
			continue
		}
		all := l.sum(mostMoments)
		for terms := 4; terms < 12; terms += 2 {
			wrong, bound := math.Abs(l.sum(terms)-all), l.leftOut(terms)
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

// The rounding errors that the comment of classicLarge adds up, from the recursion for the e_i. In units of u, sums[r]
// has an error of 3r+6, and g_i one of 7i+5 relative to the sum of S(i,j) y^j. Moreover each product has one, each sum
// one for each of its terms, and each quotient one. A bound of e_i times that sum is a[i].
func TestClassicLargeErrorsDerivedTwice(t *testing.T) {
	// Q_I is at most the 2/I-th power of classicEnd/(5.17 sqrt I), so t (y+I/2)^2 is at most Q_I I/e.
	most := 0.0
	for i := 4.0; i <= mostMoments; i += 2 {
		most = max(most, i/math.E*math.Pow(classicEnd/(5.17*math.Sqrt(i)), 2/i))
	}
	const leastFar = 31 // J is at least this number, and N at least nine times it
	narrow := math.Sqrt(most / (9 * leastFar))
	if most > 0.41 || 2*narrow > 0.08 {
		t.Fatalf("t (y+I/2)^2 may be %v, and (y+i)/mu %v", most, 2*narrow)
	}
	a, errors := []float64{1, 0}, []float64{0, 0}
	sum, sizes := 0.0, 0.0
	for i := 2; i < mostMoments; i++ {
		// t (y+i-1)(y+i-2)/i is at most its value for large y or for y = 0.
		least := float64((i-1)*(i-2)) / (mostMoments * mostMoments / 4)
		factor := most * max(1, least) / float64(i)
		term, worst := 0.0, 0.0
		for r := 2; r <= i; r++ {
			term += factor * math.Pow(2*narrow, float64(r-2)) * a[i-r]
			if a[i-r] > 0 {
				worst = max(worst, errors[i-r]+float64(3*r+6+1))
			}
		}
		a, errors = append(a, term), append(errors, worst+float64(i)+1)
		sizes += term
		sum += (errors[i] + float64(7*i+5) + 2 + mostMoments) * term
	}
	if sum > 16 || sum < 8 || sizes > 1.0/3 {
		t.Errorf("the rounding errors add up to %g u, and the terms to %g", sum, sizes)
	}
	// The sums for S_r end at d = 8, and are multiplied by at most factor(r) in c.
	left := 0.0
	for r := 2.0; r <= 20; r++ {
		choose := 1.0 // C(r+9,10)
		for i := range 10 {
			choose *= (r + float64(i)) / float64(i+1)
		}
		left += 1.3 * choose / 11 * math.Pow(63, -10) * most * math.Pow(2*narrow, r-2) / r
	}
	if left > fm.Unit/8 {
		t.Errorf("the ends of the sums for S_r contribute %g u", left/fm.Unit)
	}
}
