package fnr

import (
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The bounds in the comment of listedError are below it, for every k and for all lengths of panels.
func TestListedError(t *testing.T) {
	quotient := func(r, k, rho float64, nodes int) float64 {
		w := r / 2 / (1 + r/2) // t, which increases with r
		a, b := (rho+1/rho)/2, (rho-1/rho)/2
		if a*w >= 1 {
			return math.Inf(1)
		}
		low := k * (b * w) * (b * w) / (2 * (1 - a*w) * (1 - a*w))
		high := k*(a-1)*w + k*(b*w)*(b*w)/2
		return 64. / 15 / 2 * math.Exp(max(low, high)+k*r) * math.Pow(rho, -2*float64(nodes)) / (1 - 1/(rho*rho))
	}
	// All terms increase with r, so the longest panels suffice. k r is largest, and r too, for k = 12; smaller and larger
	// k are tried as well.
	eight, three := 0.0, 0.0
	for k := 1.0; k <= 4096; k++ {
		eight = max(eight, quotient(min(listedLength, listedGrowth/k), k, 16, 8))
		three = max(three, quotient(shortPanel/k, k, 512, 3))
	}
	if rounding := 1 + 1e-12; !(rounding*eight <= listedError && rounding*three <= listedError/2) {
		t.Errorf("the quotients are %g and %g, stated are %g and %g", eight, three, listedError, listedError/2)
	}
	if eight < listedError/4 {
		t.Errorf("the quotient is %g, a fourth of the bound %g", eight, listedError)
	}
}

// closedForm returns the integrals of g and of g R over a listed curve in two words: the k-th power of 1-e^(-cm) is a
// sum of exponential functions, and m is linear between the points where m or R has a corner.
func (c *large) closedForm(s *listed, n, before float64) (times, lucky float64) {
	fresh := 1 - c.w.Repeat
	clear := message.Clear(c.g, 1)
	var all, hits fm.Double
	for low := 0.0; low < n; low++ {
		sum, rate, _ := s.stale(low)
		start, e := fresh*low+sum, fresh+rate
		ends := []float64{low, min(low+1, n)}
		if cut := math.Ceil(low+before) - before; cut > low && cut < ends[1] {
			ends = []float64{low, cut, ends[1]}
		}
		for i, a := range ends[:len(ends)-1] {
			b := ends[i+1]
			_, later, _ := s.stale((a+b)/2 + before)
			piece, choose := fm.Double{Hi: b}.AddFloat(-a), 1.0
			for j := 1; j <= c.g.K; j++ {
				choose = -choose * float64(c.g.K-j+1) / float64(j)
				// The integral of e^(-jcm) is e^(-jcm(a)) (e^(-jce(b-a)) - 1)/(-jce).
				slope := fm.Double{Hi: clear}.MulFloat(e).MulFloat(float64(j))
				from := fm.Double{Hi: e}.MulFloat(a - low).AddFloat(start).MulFloat(clear).MulFloat(float64(j))
				term := fm.Double{Hi: 1}.Add(from.Expm1()).Mul(slope.Mul(fm.Double{Hi: b}.AddFloat(-a)).Expm1()).Quo(slope)
				piece = piece.Add(term.MulFloat(choose))
			}
			all, hits = all.Add(piece), hits.Add(piece.MulFloat(later))
		}
	}
	return all.Hi, hits.Hi
}

// TestListedRest checks where the panels of a listed curve end towards n = 0, and the bound of the rest. The rest is much
// larger than listedRest, so the sums show where they end.
func TestListedRest(t *testing.T) {
	for _, w := range []bloomproof.Workload{
		{Popularity: bloomproof.Zipf(1, 30), Repeat: 0.9},
		{Popularity: bloomproof.Uniform(40), Repeat: 1},
	} {
		fresh := 1 - w.Repeat
		for _, k := range []int{1, 3, 20} {
			for _, most := range []float64{0.3, 0.01, 1e-6} {
				x := large{g: bloomproof.Geometry{M: 100, K: k}, w: w}
				traffic, err := newTraffic(w)
				if err != nil {
					t.Fatal(err)
				}
				rate := traffic.repeat * traffic.arrival(traffic.nothing())
				s := &listed{t: traffic, sums: []float64{0, rate}, rates: []float64{rate}}
				g := func(at float64) float64 { return x.match((fresh + rate) * at) }
				want, high := 0.0, 1.0
				for want == 0 || high*g(high) > most*want {
					low := high / (1 + min(1./8, 1.5/float64(k)))
					for i, node := range gaussNodes {
						want += (high - low) * gaussWeights[i] * g(low+(high-low)*node)
					}
					high = low
				}
				var got integrals
				x.sums(&got, s, 1, 0, most)
				if !(math.Abs(got.times/want-1) < sameDigits) || got.off != 0x1p-51+most {
					t.Errorf("%v, k = %d, a rest of %v: the sum is %v with the error %v, want %v", w, k, most, got.times, got.off, want)
				}
				var whole integrals
				if x.sums(&whole, s, 1, 0, listedRest); !(whole.times >= got.times && whole.times <= got.times*(1+most)) {
					t.Errorf("%v, k = %d: more than the rest %v is left out: %v of %v", w, k, most, got.times, whole.times)
				}
			}
		}
	}
}

// The integrals over a listed curve are within their bound of the closed form. One value of g for each arrival, in the
// middle between two integers, is not within the 1e-9 that was once stated without a proof. With one phase its error can
// be above 1e-8. With two phases it can be above 1e-4, because R(n+before) changes between two integers n.
func TestListedIntegrals(t *testing.T) {
	worst, midpoint := 0.0, map[float64]float64{}
	for _, k := range []int{1, 2, 4} {
		for _, w := range []bloomproof.Workload{
			{Popularity: bloomproof.Zipf(1, 300), Repeat: 0.9},
			{Popularity: bloomproof.Zipf(0.5, 1000), Repeat: 0.5, Arrivals: bloomproof.ArrivalUniform},
		} {
			c, err := New(bloomproof.Geometry{M: 1 << 13, K: k}, bloomproof.Recycling{Sigma: 1 << 12, FreshPositions: true}, w)
			if err != nil {
				t.Fatal(err)
			}
			x := c.asLarge()
			traffic, err := newTraffic(w)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []float64{0.7, 3.25, 500.5, 5000.25} {
				if n > 1000 && !longtest.Enabled() && k != 2 {
					continue
				}
				s := &listed{t: traffic, sums: []float64{0}}
				for g := traffic.nothing(); float64(len(s.rates)) < 2*n+3; {
					s.rates = append(s.rates, traffic.repeat*traffic.arrival(g))
					s.sums = append(s.sums, s.sums[len(s.sums)-1]+s.rates[len(s.rates)-1])
				}
				for _, before := range []float64{0, n, n + 0.5} {
					got := x.integrals(s, n, before)
					if got.off != 0x1p-51+0x1p-55 {
						t.Errorf("the error of the integrals is %v, want that of the panels and of the rest", got.off)
					}
					times, lucky := x.closedForm(s, n, before)
					stated := got.off + float64(16*(k+2)+64)*fm.Unit
					off := max(math.Abs(got.times/times-1), math.Abs(got.lucky/lucky-1))
					if worst = max(worst, off/stated); !(off <= stated && stated < 1e-13) {
						t.Errorf("k = %d, %v, n = %v and %v: %v and %v, want %v and %v: off by %.3g, stated are %.3g", k, w, n, before, got.times, got.lucky, times, lucky, off, stated)
					}
					middle := 0.0
					for low := 0.0; low < n; low++ {
						length := min(1, n-low)
						sum, _, _ := s.stale(low + length/2)
						_, rate, _ := s.stale(low + length/2 + before)
						middle += length * x.match((1-w.Repeat)*(low+length/2)+sum) * rate
					}
					if n > 1000 {
						t.Logf("k = %d, %v, n = %v and %v: the midpoints are off by %.2g", k, w, n, before, middle/lucky-1)
						midpoint[min(before, 1)] = max(midpoint[min(before, 1)], math.Abs(middle/lucky-1))
					}
				}
			}
		}
	}
	t.Logf("worst: %.2g of the bound", worst)
	if !(midpoint[0] > 1e-8 && midpoint[1] > 1e-4) {
		t.Errorf("the midpoints are within %.2g and %.2g", midpoint[0], midpoint[1])
	}
}
