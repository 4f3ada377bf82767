package approx

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The series for large filters have terms that are far below their first terms, and slacks that are far below their
// sums. The tests of this file exaggerate them. They choose numbers outside the domain of the series, such as few bits
// or a large bound of the terms left out. They compute the sums and the conditions a second time.

func exaggerating(t *testing.T, seed uint64) (r *rand.Rand, between func(low, high float64) float64) {
	if testing.Short() {
		t.Skip("-short leaves this test out, because it takes seconds under an emulator; make test runs it")
	}
	r = rand.New(rand.NewPCG(seed, 2))
	return r, func(low, high float64) float64 { return low * math.Exp(r.Float64()*math.Log(high/low)) }
}

// A powerSeries holds the coefficients of a power series up to a fixed power.
type powerSeries []float64

func (a powerSeries) times(b powerSeries) powerSeries {
	c := make(powerSeries, len(a))
	for i := range c {
		for j := range i + 1 {
			c[i] += a[j] * b[i-j]
		}
	}
	return c
}

// The method "exp" returns e^a - the coefficients of a must begin with 0 - as the sum of a^j/j!.
func (a powerSeries) exp() powerSeries {
	sum, power := make(powerSeries, len(a)), make(powerSeries, len(a))
	power[0] = 1
	for j := range a {
		for i := range sum {
			sum[i] += power[i]
		}
		power = power.times(a)
		for i := range power {
			power[i] /= float64(j + 1)
		}
	}
	return sum
}

// The function derivatives returns the derivatives of H(s) at 0. H(s) is the sum of w[y] (1 + x(1-e^-s))^y over y.
func derivatives(w []float64, x float64, terms int) []float64 {
	base, power, sum := make(powerSeries, terms), make(powerSeries, terms), make(powerSeries, terms)
	base[0], power[0] = 1, 1
	c := -x
	for i := 1; i < terms; i++ {
		c /= -float64(i)
		base[i] = c
	}
	for _, p := range w {
		for i := range sum {
			sum[i] += p * power[i]
		}
		power = power.times(base)
	}
	factorial := 1.0
	for i := range sum {
		factorial *= max(1, float64(i))
		sum[i] *= factorial
	}
	return sum
}

// TestExaggeratedStandardSum compares the numbers c_d, F and the sum of the series for standard hashing with the
// definitions in the comment of standardLarge, for filters of few bits.
func TestExaggeratedStandardSum(t *testing.T) {
	r, between := exaggerating(t, 41)
	for range longtest.More(200, 2000) {
		k := 2 + r.IntN(9)
		m := math.Floor(between(float64(4*k*k), 4000))
		tau := between(0.05, 4)
		p := -math.Expm1(-tau)
		l := largeStandard{m: m, k: float64(k), tau: tau, x: (1 - p) / p, positions: k, p: fm.Double{Hi: p}}
		// The probabilities that k balls occupy y urns, and the weights w(y).
		urns := []float64{1}
		falling := 1.0
		for ball := range k {
			next := make([]float64, len(urns)+1)
			for y, q := range urns {
				next[y] += q * float64(y) / m
				next[y+1] += q * (1 - float64(y)/m)
			}
			urns = next
			falling *= 1 - float64(ball)/m
		}
		sum := 0.0
		for y := range urns {
			urns[y] *= math.Pow(p, float64(y-k)) // a share of h(tau)/p^k
			sum += urns[y]
		}
		for y := range urns {
			urns[y] /= sum
		}
		apart, more := l.front()
		if math.Abs(1+apart-falling) > 1e-13 || math.Abs((1+more)*falling/sum-1) > 1e-13 {
			t.Errorf("m = %v, k = %d, tau = %v: F is 1%+.15g, and the c_d have the sum 1%+.15g, computed again %.15g and %.15g", m, k, tau, apart, more, falling, sum/falling)
		}
		terms := 4 + 2*r.IntN(5)
		g := derivatives(urns, l.x, terms)
		e := make(powerSeries, terms) // N (ln(1+l/m) - l/m)
		for i := 2; i < terms; i++ {
			e[i] = m * tau * math.Pow(-1, float64(i+1)) / (float64(i) * math.Pow(m, float64(i)))
		}
		e = e.exp()
		want, size := 0.0, 0.0
		for i := 1; i < terms; i++ {
			want += e[i] * g[i]
			size += math.Abs(e[i] * g[i])
		}
		if got := l.sum(terms, more); !(math.Abs(got-want) <= 1e-11*size) {
			t.Errorf("m = %v, k = %d, tau = %v: the sum of %d terms is %.15g, computed again %.15g", m, k, tau, terms, got, want)
		}
	}
}

// TestExaggeratedClassicSum compares the sum of the series for classic hashing with its definition in the comment of
// classicLarge. The means of even powers are drawn, and so large that each of them shows in the numbers S_r.
func TestExaggeratedClassicSum(t *testing.T) {
	r, between := exaggerating(t, 42)
	for range longtest.More(200, 2000) {
		k := 2 + r.IntN(9)
		a := between(50, 5000)
		l := largeClassic{k: float64(k), balls: a * between(0.05, 4), x: between(0.05, 5), inverse: 1 / a, means: &[5]float64{1}}
		for d := 1; d < 5; d++ {
			l.means[d] = between(1e-4, 1) * math.Pow(a, 2*float64(d))
		}
		terms := 4 + 2*r.IntN(5)
		e := make(powerSeries, terms)
		for i := 2; i < terms; i++ { // (-1)^(i-1) S_i/i
			choose := 1.0 // C(i+2d-1,2d)
			for d := range 5 {
				for j := 2*d - 1; d > 0 && j <= 2*d; j++ {
					choose *= float64(i+j-1) / float64(j)
				}
				e[i] += choose * l.means[d] * math.Pow(a, -2*float64(d))
			}
			e[i] *= math.Pow(-1, float64(i-1)) * l.balls * math.Pow(a, -float64(i)) / float64(i)
		}
		e = e.exp()
		only := make([]float64, k+1)
		only[k] = 1
		g := derivatives(only, l.x, terms)
		want, size := 0.0, 0.0
		for i := 1; i < terms; i++ {
			want += e[i] * g[i]
			size += math.Abs(e[i] * g[i])
		}
		if got := l.sum(terms); !(math.Abs(got-want) <= 1e-11*size) {
			t.Errorf("a = %v, k = %d, %v balls, x = %v: the sum of %d terms is %.15g, computed again %.15g", a, k, l.balls, l.x, terms, got, want)
		}
	}
}

// TestExaggeratedOrdered compares the condition for a rate between its bounds with the formulas in the comments of
// standardLarge and of "ordered". The rate is just inside or just outside of the condition. The bound of the terms left
// out is drawn.
func TestExaggeratedOrdered(t *testing.T) {
	r, between := exaggerating(t, 43)
	shows := map[string]float64{}
	for range longtest.More(2000, 20000) {
		k := float64(2 + r.IntN(60))
		m, tau := between(1, 1e19), between(1e-9, 5)
		if r.IntN(3) == 0 { // the bounds of the rate are close to each other
			m, tau = between(1e3, 1e8), between(1e-9, 1e-3)
		}
		p := -math.Expm1(-tau)
		x := math.Exp(-tau) / p
		y := k * x
		l := largeStandard{m: m, k: k, tau: tau, x: x, y: y, b: k * k / (p * m)}
		rest := []float64{0, between(1e-25, 1e-3)}[r.IntN(2)]
		slacks := map[string]float64{"e_i g_i": 0x1p-43 * (tau * y * (y + 1) / (2 * m)), "F and c_d": 0x1p-44 * l.b, "power": 0x1p-61 * k, "rest": 2 * rest}
		slack := 0.0
		for _, s := range slacks {
			slack += s
		}
		for name, s := range slacks {
			shows[name] = max(shows[name], s/slack)
		}
		low := y * tau / (2 * m)
		least, most := low*(1+2*low+2/m), low*k*(1-k*tau/m)
		if !(most-slack > (least+slack)*(1+1e-6)) {
			if most-slack < (least+slack)*(1-1e-6) && (l.ordered((least+slack)*(1+1e-9), rest) || l.ordered((least+most)/2, rest)) {
				t.Errorf("m = %v, k = %v, tau = %v, rest %v: a rate is said to lie between bounds that are too close", m, k, tau, rest)
			}
			continue
		}
		for _, c := range []struct {
			c    float64
			want bool
		}{
			{least + slack*(1-1e-6) - 1e-13*least, false}, {least + slack*(1+1e-6) + 1e-13*least, true},
			{most - slack*(1+1e-6) - 1e-13*most, true}, {most - slack*(1-1e-6) + 1e-13*most, false},
		} {
			if got := l.ordered(c.c, rest); got != c.want {
				t.Errorf("m = %v, k = %v, tau = %v, rest %v: c = %v is between its bounds: %t", m, k, tau, rest, c.c, got)
			}
		}
	}
	for name, share := range shows {
		if share < 0.4 {
			t.Errorf("the slack of %s is at most %.2g of all", name, share)
		}
	}
}

// TestExaggeratedNodes compares the number of nodes of contour integrals, and the radius and distance from the mean that
// it follows from, with the comments of mass and newContourLiteral.
func TestExaggeratedNodes(t *testing.T) {
	r, between := exaggerating(t, 48)
	for range longtest.More(300, 3000) {
		n, off := between(4, 1e15), between(1e-3, 1e6)
		if r.IntN(2) == 0 {
			off = -off
		}
		c := contourStandard{n: n, off: off}
		// The tail of a Poisson variable with the mean N beyond x standard deviations is below e^-a, where x is the root
		// of x^2/(2N+2x/3) = a. The distance of the mean from N is added.
		a := 46 + math.Log(n)/2
		x := a/3 + math.Sqrt(a*a/9+2*a*n)
		if d := x * x / (2*n + 2*x/3) / a; math.Abs(d-1) > 1e-12 {
			t.Fatal(d)
		}
		if got := c.half(); got != math.Floor(x/2+math.Abs(off)+1) {
			t.Errorf("N = %v, off %v: %v nodes on each side, want %v", n, off, got, math.Floor(x/2+math.Abs(off)+1))
		}
		// The fields that follow from the mean of the weights, for weights that are drawn.
		c = contourAt(uint64(between(8, 1e6)), fm.Whole(uint64(between(2, 1e6))), between(1e-3, 3))
		c.most, c.w = 30, make([]float64, 1+r.IntN(20))
		sum, mean := 0.0, 0.0
		for j := range c.w {
			c.w[j] = r.Float64()
			sum += c.w[j]
		}
		for j := range c.w {
			c.w[j] /= sum
			mean += float64(j) * c.w[j]
		}
		d, scale := c.centred(), c.n+c.m*c.r
		for name, x := range map[string][2]float64{"drift": {d.drift, c.n - c.m*c.r - c.b*(30-float64(d.centre))}, "off": {d.off, c.n - c.m*c.r - c.b*(30-mean)}} {
			if !(math.Abs(x[0]-x[1]) <= 1e-13*scale) || math.Abs(float64(d.centre)-mean) > 0.5+1e-9 {
				t.Errorf("%+v: %s is %v, computed again %v; the centre is %d, the mean %v", c, name, x[0], x[1], d.centre, mean)
			}
		}
		m, k := uint64(between(8, 1e6)), 1+r.IntN(20)
		balls := fm.WholeProduct(uint64(between(2, 1e6)), uint64(k))
		alone := make([]fm.Double, k+1) // the probabilities W(s) are drawn
		for s := range alone {
			alone[s] = fm.Double{Hi: between(1e-30, 1)}
		}
		c = newContourLiteral(m, balls, alone)
		p, most := -math.Expm1(-c.r), 0.0
		sum = 0
		for s, w := range alone {
			sum += w.Hi * math.Pow(p, float64(s))
		}
		for s, w := range alone {
			share := w.Hi * math.Pow(p, float64(s)) / sum
			if math.Abs(math.Log2(share)+80) < 1e-6 {
				most = math.NaN() // it may count or not
			}
			if share > 0x1p-80 {
				most = max(most, math.Abs(c.gap.Hi-c.b*float64(s)))
			}
			if !(math.Abs(c.w[k-s]/share-1) < 1e-11) {
				t.Errorf("m = %d, %v balls: the weight of s = %d is %v, want %v", m, balls.Hi, s, c.w[k-s], share)
			}
		}
		if !math.IsNaN(most) && !(math.Abs(c.off-most) <= 1e-9*most+1e-13*balls.Hi) {
			t.Errorf("m = %d, %v balls: the mean is up to %v from N, computed again %v", m, balls.Hi, c.off, most)
		}
		if f := c.front.Float64(); !(math.Abs(f/sum-1) < 1e-11) {
			t.Errorf("m = %d, %v balls: the sum of the weights is %v, computed again %v", m, balls.Hi, f, sum)
		}
	}
}

// TestExaggeratedSharp compares the results of leastSharp with the formula in its comment.
func TestExaggeratedSharp(t *testing.T) {
	r, between := exaggerating(t, 49)
	decides := [2]int{}
	for range longtest.More(300, 3000) {
		k, q := r.IntN(65), between(1e-12, 1)
		a, b := math.Pow(2, -27)*math.Pow(1+q, float64(k)), math.Pow(2, float64(k)-78)
		if a > b {
			decides[0]++
		} else {
			decides[1]++
		}
		// The error of q changes the first part by a factor of 1.0000001.
		if got := leastSharp(q, k); !(got >= a*(1+1e-7)+b*(1-1e-12)) || !(got <= (a+b)*(1+2e-5)) {
			t.Errorf("q = %v, k = %d: %v, want a little more than %v + %v", q, k, got, a, b)
		}
	}
	if min(decides[0], decides[1]) < 3 {
		t.Errorf("the parts decided so often: %v", decides)
	}
}

// TestOrderedTouches checks rates that are exactly at the ends of the condition in the comment of "ordered". All numbers
// are sums of few powers of two.
func TestOrderedTouches(t *testing.T) {
	l := largeStandard{m: 1024, k: 32, tau: 1, y: 1}
	low, slack := 0x1p-11, 0x1p-53+0x1p-56
	least, most := low*(1+2*low+2./1024), low*32*(1-32./1024)
	for c, want := range map[float64]bool{least + slack: false, math.Nextafter(least+slack, 1): true, most - slack: false, math.Nextafter(most-slack, 0): true} {
		if l.ordered(c, 0) != want {
			t.Errorf("c = %v: the rate is certainly between its bounds: %t", c, !want)
		}
	}
}

// TestNearer checks a step towards the radius of a contour integral, for a mean that grows in proportion to the radius.
// The step goes at least 3/10 of the way on a logarithmic scale, and never too far.
func TestNearer(t *testing.T) {
	r, between := exaggerating(t, 51)
	for range 300 {
		n, mean, radius := between(4, 1e9), 0.0, between(1e-3, 5)
		if mean = n * between(0.3, 3); r.IntN(4) == 0 {
			mean = n * between(0.999, 1.001)
		}
		step, all := math.Log(nearer(radius, n, n-mean)/radius), math.Log(n/mean)
		if !(step/all >= 0.3 && step/all <= 1+1e-9) {
			t.Errorf("N = %v, mean %v: the step is %v, of %v", n, mean, step, all)
		}
	}
}

// TestExaggeratedLeftOut compares the bounds of the terms that the series for large filters leave out with the formulas
// in the comments of standardLarge and classicLarge.
func TestExaggeratedLeftOut(t *testing.T) {
	_, between := exaggerating(t, 52)
	falls := map[bool]int{}
	for range longtest.More(300, 3000) {
		y, tau, spread := between(1e-3, 60), between(1e-6, 5), between(100, 1e12)
		s := largeStandard{y: y, tau: tau, spread: spread}
		c := largeClassic{y: y, t: between(1e-8, 1), growth: between(1e-8, 1)}
		for terms := 4; terms <= mostMoments; terms += 2 {
			i := float64(terms)
			q := 5.437 * math.Pow(tau*(y+i/2), 2) / (i * (spread - 1))
			if got, want := s.leftOut(terms), 4*math.Pow(q, i/2); !(math.Abs(got-want) <= 1e-9*want) {
				t.Errorf("%+v: %d terms leave out %v, computed again %v", s, terms, got, want)
			}
			x := 3.8 * c.t * math.Pow(y+i/2, 2) / i
			if math.Abs(x/leastFall-1) < 1e-9 {
				continue
			}
			want := 1.0 // no bound is known
			if falls[x <= leastFall]++; x <= leastFall {
				want = 5.17 * math.Sqrt(i) * math.Pow(c.growth*math.Pow(y+i/2, 2)/i, i/2)
			}
			if got := c.leftOut(terms); !(math.Abs(got-want) <= 1e-9*want) {
				t.Errorf("%+v: %d terms leave out %v, computed again %v", c, terms, got, want)
			}
		}
	}
	if 5.437 < 2*math.E || math.Min(float64(falls[true]), float64(falls[false])) < 20 {
		t.Errorf("a bound was known so often: %v", falls)
	}
}

// TestLiteralOfFew checks the correct rate where it is so small that one term suffices: the mean number of the item's k
// balls that lie alone.
func TestLiteralOfFew(t *testing.T) {
	for _, x := range []struct {
		m, n uint64
		k    int
	}{{5, 80, 3}, {9, 90, 5}, {3, 70, 2}, {2, 40, 3}} {
		want := float64(x.k) * math.Exp((float64(x.n)*float64(x.k)-1)*math.Log1p(-1/float64(x.m)))
		if got := literalRate(x.m, x.n, x.k); want > onlyFirst || !(math.Abs(got/want-1) < 1e-12) {
			t.Errorf("%+v: %v, want %v", x, got, want)
		}
	}
}
