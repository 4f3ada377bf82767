package fnr

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The statements of exact_small_error.go about blocks of ranks hold: the popularities within the ellipse on a grid, and
// |D| >= 0.085 for all arguments, by dividing their domain until a Lipschitz bound decides.
func TestEllipse(t *testing.T) {
	const rho = 4.5
	wide, high := (rho+1/rho)/2, (rho-1/rho)/2
	largest, least, angle := 0.0, math.Inf(1), 0.0
	for _, alpha := range []float64{1e-3, 0.2, 0.5, 0.8, 0.9, 0.99, 1, 1.01, 1.05, 1.1, 1.2, 1.4, 1.7, 2, 2.5, 3, 4, 5, 7, 10, 30, 100, 1000, 1 << 20} {
		g := math.Exp2(1/max(alpha, 1)) - 1
		// The pole z0 is at most -0.97-2/g. The farther it is, the less q varies, as for smaller blocks.
		for _, far := range []float64{1, 1.001, 1.03, 1.1, 1.5, 3, 30} {
			z0 := complex((-0.97-2/g)*far, 0)
			for i := range 2001 {
				sin, cos := math.Sincos(float64(i) * math.Pi / 1000)
				ln := complex(-alpha, 0) * (cmplx.Log(complex(wide*cos, high*sin)-z0) - cmplx.Log(-0.97-z0))
				q := cmplx.Exp(ln)
				largest, angle = max(largest, cmplx.Abs(q)), max(angle, math.Abs(imag(ln)))
				least = min(least, real(q))
			}
		}
	}
	t.Logf("|q| <= %.4g, Re q >= %.4g, angle <= %.4g degrees", largest, least, angle*180/math.Pi)
	if !(largest < 3.3-0.01 && least > 0.31+0.001 && angle < 50./180*math.Pi-0.001) {
		t.Error("q leaves the stated region")
	}
	if 1-2*3.3*troubleFrom < 0.14 || 1-2*math.Exp(-0.31*troubleTo) < 0.1 {
		t.Error("D is smaller than stated")
	}
	for _, w := range []float64{troubleFrom / 2, troubleTo} {
		if c := -math.Expm1(-w); c*(1-c) < 0.0589 || 0.0589*(mostNamed+1) < -faintTurn+0.3 {
			t.Errorf("the variance of a message is %g", c*(1-c))
		}
	}

	// D = 1-(1-e^(-w))(1-e^(ix)), w = r e^(ia), r <= 3.3 troubleTo, |a| <= 50 degrees, 0 <= x <= pi/2. Its derivatives
	// are at most 2 sin(x/2) e^(-Re w) r <= sqrt(2) r with respect to a, sqrt(2) with respect to r, and |1-e^(-w)| <= 2
	// with respect to x.
	type cell struct{ r, a, x, dr, da, dx float64 } // middle and half widths
	const top = 3.3 * troubleTo
	cells := []cell{{top / 2, 0, math.Pi / 4, top / 2, 50. / 180 * math.Pi, math.Pi / 4}}
	count := 0
	for len(cells) > 0 {
		c := cells[len(cells)-1]
		cells = cells[:len(cells)-1]
		if count++; count > 4_000_000 {
			t.Fatal("no certificate")
		}
		d := 1 - (1-cmplx.Exp(-cmplx.Rect(c.r, c.a)))*(1-cmplx.Rect(1, c.x))
		r, a, x := math.Sqrt2*c.dr, math.Sqrt2*(c.r+c.dr)*c.da, 2*c.dx
		if cmplx.Abs(d)-r-a-x > 0.085+1e-12 {
			continue
		}
		one, two := c, c
		switch {
		case r >= a && r >= x:
			one.dr, two.dr = c.dr/2, c.dr/2
			one.r, two.r = c.r-c.dr/2, c.r+c.dr/2
		case a >= x:
			one.da, two.da = c.da/2, c.da/2
			one.a, two.a = c.a-c.da/2, c.a+c.da/2
		default:
			one.dx, two.dx = c.dx/2, c.dx/2
			one.x, two.x = c.x-c.dx/2, c.x+c.dx/2
		}
		cells = append(cells, one, two)
	}
	t.Logf("%d cells", count)
}

// A double is a complex number of two words for each part.
type double struct{ re, im fm.Double }

func (a double) times(b double) double {
	return double{a.re.Mul(b.re).Sub(a.im.Mul(b.im)), a.re.Mul(b.im).Add(a.im.Mul(b.re))}
}

func (a double) power(n int) double {
	p := double{re: fm.Double{Hi: 1}}
	for ; n > 0; n /= 2 {
		if n%2 == 1 {
			p = p.times(a)
		}
		a = a.times(a)
	}
	return p
}

// circle returns e^(ix) for the x that the sums call 2 pi j/n, from the exact angle.
func circle(j, n int) double {
	const halvings = 8
	pi := fm.Double{Hi: math.Pi, Lo: 1.2246467991473515e-16}
	x := pi.MulFloat(2 * float64(j)).QuoFloat(float64(n) * (1 << halvings))
	one := fm.Double{Hi: 1}
	z, term := double{re: one}, double{re: one}
	for i := 1.0; i < 20; i++ {
		term = term.times(double{im: x.QuoFloat(i)})
		z = double{z.re.Add(term.re), z.im.Add(term.im)}
	}
	return z.power(1 << halvings)
}

// The values of the characteristic function are within their bounds of products over all messages, in two words.
func TestSmallWave(t *testing.T) {
	last, worst, skipped := bloomproof.ArrivalLast, 0.0, 0
	one := fm.Double{Hi: 1}
	for _, p := range []bloomproof.Popularity{
		bloomproof.Zipf(1, 3000), bloomproof.Zipf(2, 2000), bloomproof.Zipf(0.5, 300), bloomproof.Uniform(200),
		bloomproof.BiUniform(2, 0.4, 50), bloomproof.Weights([]float64{3, 1, 1}), bloomproof.Zipf(1, 1),
	} {
		q, total := make([]fm.Double, p.D), fm.Double{}
		for i := range q {
			if q[i] = (fm.Double{Hi: p.Weight(uint64(i))}); p.Alpha > 0 && i > 0 {
				q[i] = fm.Whole(uint64(i + 1)).Log().MulFloat(-p.Alpha).Exp().Unscaled()
			}
			total = total.Add(q[i])
		}
		for _, repeat := range []float64{1, 0.75, 0.5} {
			s, err := newPoisson(bloomproof.Workload{Popularity: p, Repeat: repeat, Arrivals: last})
			if err != nil {
				t.Fatal(err)
			}
			w := newSmallWave(p, s)
			for at := 0.3; at < 1e5; at *= longtest.More(11.0, 3.0) {
				w.at(at)
				const n = 60
				for j := 1; j <= n/2; j += 1 + j/4 {
					z := circle(j, n)
					want := double{re: one}
					move := double{z.re.Sub(one), z.im} // e^(ix)-1
					count := len(q)
					if repeat < 1 {
						count--
					}
					for i, q := range q[:count] {
						come := q.Quo(total).MulFloat(-repeat * 1).MulFloat(at).Expm1().Neg()
						if i > 0 && p.Alpha == 0 && p.Weights == nil && p.S == 0 {
							break
						}
						d := double{one.Add(come.Mul(move.re)), come.Mul(move.im)}
						if p.Alpha == 0 && p.Weights == nil && p.S == 0 {
							d = d.power(count)
						}
						want = want.times(d)
					}
					if repeat < 1 {
						l, b := 1-repeat, q[len(q)-1].Quo(total).MulFloat(repeat)
						// Integrate by the series of exponentials: e^(lt move) (1 + p move I), I = (1-e^(-Bt))/B.
						poisson := cmplx.Exp(complex(move.re.Hi, move.im.Hi) * complex(l*at, 0))
						rate := complex(l*z.re.Hi+b.Hi, l*z.im.Hi)
						fade := complex(at, 0)
						if cmplx.Abs(rate)*at > 1e-7 {
							fade = (1 - cmplx.Exp(-rate*complex(at, 0))) / rate
						}
						factor := poisson * (1 + complex(b.Hi, 0)*complex(move.re.Hi, move.im.Hi)*fade)
						want = want.times(double{fm.Double{Hi: real(factor)}, fm.Double{Hi: imag(factor)}})
					}
					exactly := complex(want.re.Hi, want.im.Hi)
					x := fm.TwoPi * float64(j) / n
					if w.skips(x) {
						if skipped++; cmplx.Abs(exactly) > math.Exp(faintTurn) {
							t.Errorf("%v p_r=%v t=%v x=%v: %v is skipped", p, repeat, at, x, exactly)
						}
						break
					}
					r, turn, off := w.value(x)
					difference := cmplx.Abs(cmplx.Rect(r, turn) - exactly)
					worst = max(worst, difference/off)
					if !(difference <= off && off < 1e-9) {
						t.Errorf("%v p_r=%v t=%v x=%v: %v at %v, want %v: off by %.3g, stated are %.3g", p, repeat, at, x, r, turn, exactly, difference, off)
					}
				}
			}
		}
	}
	t.Logf("worst: %.3g of the bound, %d skipped", worst, skipped)
	if worst < 1e-3 || skipped == 0 {
		t.Error("the bound is a thousand times the largest error")
	}
}

// law returns the coefficients P_i(t) of the generating function of N(t), for complex t.
func (s *poisson) law(t complex128, n int) []complex128 {
	p := make([]complex128, n)
	p[0] = 1
	for _, c := range s.all {
		stay := cmplx.Exp(complex(-c.q, 0) * t)
		for range int(c.n) {
			for i := n - 1; i >= 0; i-- {
				p[i] *= stay
				if i > 0 {
					p[i] += p[i-1] * (1 - stay)
				}
			}
		}
	}
	if s.fresh == 0 {
		return p
	}
	// The new messages and the last rank: B(x) = P[X = x, J = 0] is the integral over u in 0..t of l e^(-(l+q)u) times the
	// probability of x-1 more in t-u. Integration by parts gives B(x) = e^(-lt) (lt)^x/x! - (q/l) B(x+1). An error of the
	// last B shrinks in each step, because q < l.
	l, q := complex(s.fresh, 0), complex(s.last, 0)
	if s.last >= s.fresh {
		panic("the recurrence is not stable")
	}
	arrive := make([]complex128, n+200) // e^(-lt) (lt)^x/x!
	arrive[0] = cmplx.Exp(-l * t)
	for x := 1; x < len(arrive); x++ {
		arrive[x] = arrive[x-1] * l * t / complex(float64(x), 0)
	}
	both := make([]complex128, n)
	both[0] = cmplx.Exp(-(l + q) * t)
	both[1] = arrive[0] * (1 - cmplx.Exp(-q*t))
	none := complex(0, 0) // B(x)
	for x := len(arrive) - 1; x > 0; x-- {
		if none = arrive[x] - q/l*none; x < n {
			both[x] += none
		}
		if x+1 < n {
			both[x+1] += arrive[x] - none
		}
	}
	out := make([]complex128, n)
	for i, a := range p {
		for j := 0; i+j < n; j++ {
			out[i+j] += a * both[j]
		}
	}
	return out
}

// The bounds of exact_small_error.go are above what they bound, computed from the distribution of N itself.
func TestSmallBounds(t *testing.T) {
	last := bloomproof.ArrivalLast
	for _, x := range []struct {
		g     bloomproof.Geometry
		sigma uint64
		w     bloomproof.Workload
	}{
		{bloomproof.Geometry{M: 60, K: 2}, 20, bloomproof.Workload{Popularity: bloomproof.Uniform(40), Repeat: 1}},
		{bloomproof.Geometry{M: 60, K: 2}, 20, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 30), Repeat: 0.8, Arrivals: last}},
		{bloomproof.Geometry{M: 30, K: 3}, 15, bloomproof.Workload{Popularity: bloomproof.Zipf(2, 20), Repeat: 0.9, Arrivals: last}},
		{bloomproof.Geometry{M: 40, K: 1}, 10, bloomproof.Workload{Popularity: bloomproof.Uniform(2), Repeat: 0.3, Arrivals: last}},
	} {
		c, err := New(x.g, bloomproof.Recycling{Sigma: x.sigma, FreshPositions: true}, x.w)
		if err != nil {
			t.Fatal(err)
		}
		s, err := newPoisson(x.w)
		if err != nil {
			t.Fatal(err)
		}
		fill, err := c.filling()
		if err != nil {
			t.Fatal(err)
		}
		sums := newSmallSum(c, newSmallWave(x.w.Popularity, s), fill.rows, fill)
		const n = 150
		mean := func(of []float64, p []complex128) (sum complex128) {
			for i, f := range of {
				if i < n {
					sum += complex(f, 0) * p[i]
				}
			}
			return sum
		}
		for i := 1; i < len(sums.v); i++ {
			if off := 1 - sums.v[i]; off > sums.short[i]+1e-12 || sums.short[i] > 2*off+1e-12 {
				t.Errorf("%v: 1-v_%d = %g, stated %g", x.w, i, off, sums.short[i])
			}
		}
		// On the line Im y = pi/2, the sum of the bounds is above the integral, and |E[f]| below what the bounds say.
		const a, step, end = 3.0, 0.25, 12.0
		wholeV, wholeG := 0.0, 0.0
		for y := -12.0; y < 12; y += 0.01 {
			at := complex(a, 0) * cmplx.Log(1+cmplx.Rect(math.Exp(y), math.Pi/2))
			if real(at) > end {
				break
			}
			p := s.law(at, n)
			w := a / cmplx.Abs(1+cmplx.Rect(math.Exp(-y), -math.Pi/2))
			wholeV += 0.01 * w * cmplx.Abs(mean(sums.v, p))
			wholeG += 0.01 * w * cmplx.Abs(mean(sums.h, p))
		}
		errV, errG, rest, _ := sums.trapezoid(a, step, end, fm.Inf())
		factor := 2 / math.Expm1(math.Pi*math.Pi/step)
		if v, g := a*errV/factor, a*errG/factor; !(v > wholeV && v < 1e4*wholeV && g > wholeG) || rest <= 0 {
			t.Errorf("%v: the integrals are %g and %g, stated %g and %g", x.w, wholeV, wholeG, v, g)
		}
		laterV, laterG, never := sums.remaining()
		for _, at := range []float64{1, 5, 20, 60} {
			p := s.law(complex(at, 0), n)
			if off, stated := real(mean(sums.v, p)), sums.later(at); off > stated+1e-13 {
				t.Errorf("%v: E[v_N(%v)] = %g, stated %g", x.w, at, off, stated)
			}
			for _, size := range []int{10, 20, 40} {
				more := 0.0
				for _, p := range p[size:] {
					more += real(p)
				}
				if stated := sums.beyond(size, at); more > stated+1e-13 {
					t.Errorf("%v: P[N(%v) >= %d] = %g, stated %g", x.w, at, size, more, stated)
				}
			}
			// The integrals from here on, compared with the chance that the cycle goes on.
			v, g := 0.0, 0.0
			const dt = 0.25
			for u := at + dt; u < at+float64(longtest.More(60, 400)); u += dt {
				p := s.law(complex(u, 0), n)
				v, g = v+dt*real(mean(sums.v, p)), g+dt*real(mean(sums.h, p))
			}
			if alive := real(mean(sums.v, s.law(complex(at, 0), n))); v > alive*laterV+never+1e-9 || g > alive*laterG+never+1e-9 {
				t.Errorf("%v: after %v, %g and %g, stated %g and %g", x.w, at, v, g, alive*laterV, alive*laterG)
			}
			if !longtest.Enabled() && at > 1 {
				break
			}
		}
	}
}
