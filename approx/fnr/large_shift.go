package fnr

import (
	"runtime"
	"sync"

	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// A shifting curve is the curve of a workload in which new messages move old messages to lower ranks. Let g_i(n) be the
// probability that the message at rank i is unrecorded after n arrivals. Let G_i(s) be the sum of e^(-sn) g_i(n) over
// n. An arrival changes g_i by an equation (see traffic). Let leave_i be p_r q_i + (1-p_r) Z_<=i. Then the equation
// becomes a recursion over the ranks:
//
//	(e^s - 1 + leave_i) G_i = e^s + move_i G_(i-1).
//
// Here q_i is the popularity of rank i, and p_r is the probability of a repeat. Z_<=i is the probability that a new
// message enters at rank i or before. Let R(j) be the probability that a repeat after j arrivals is unrecorded. The sum
// S(n) of p_r R(j) over j < n has the transform
//
//	F(s) = p_r (sum of q_i G_i)/(e^s - 1).
//
// F is evaluated at the points a + ikh, k = 0, 1, .... They lie on a vertical line in the complex plane. On this line
// the recursion loses no digits by cancellation. Then
//
//	S(n) = (h/pi) e^(an) Re(F(a)/2 + sum over k > 0 of F(a+ikh) e^(ikhn)).
//
// The error is e^(-2ap) S(n+2p) + ..., where p = pi/h. The reason is that the series has the period 2p in n, and S
// grows no faster than n. A contour that bends to the left, such as Talbot's, cannot be used. The values of the
// recursion overflow there. There are two reasons: the numbers leave_i lie close together, and the matrix of the
// recursion is far from normal. The series converges too slowly to be summed term by term. Instead, a continued
// fraction with the same first terms is evaluated (de Hoog, Knight and Stokes 1982). The continued fraction converges
// quickly at n if S is smooth near n. It must be smooth over distances of the order of n. S is smooth enough at n if n
// lies between about p/100 and p. A second line is used for smaller n, and further lines are used for even smaller n.
// Each line has its own number p. This number is an eighth of the number p of the previous line.
type shifting struct {
	t     *traffic
	lines []line
}

// The transform F(s) is inverted numerically (see shifting). A value of the type "line" holds the terms of this
// inversion. It is used for numbers n of arrivals up to p.
type line struct {
	p             float64
	sum, rate     fraction
	slope         fraction
	coarse        [2]fraction // the sum with fewer terms, to estimate the error
	damp, spacing float64
}

const (
	lineTerms   = 20 // the number of pairs of terms on the first line
	lineCoarser = 4  // the number of terms that each estimate leaves out
	lineDamp    = 12 // the product a p; e^-24 S(n+2p) remains, and rounding errors grow by e^12
	lineStep    = 8  // the factor from one line to the next

	lineError  = 4e-11 // e^-24 of S(n+2p), which is at most (1+2p/n) S(n)
	lineFloor  = 1e-10 // for rounding errors: e^12 u is 2e-11
	rateShare  = 128   // times the error of S(n)/n, the error of its derivative; not derived: TestLuckyOfShiftingRanks saw 110
	lineSafety = 4     // a factor for the change by fewer terms; not derived, but checked by TestCurves
)

// newShifting returns a curve for numbers of arrivals up to the argument "end". Below a certain fraction of this
// number, the curve is not accurate. With more lines of the curve, this fraction becomes smaller.
func newShifting(t *traffic, end float64, lines int) *shifting {
	s := &shifting{t: t}
	for range lines {
		s.lines = append(s.lines, newLine(t, end))
		end /= lineStep
	}
	return s
}

func newLine(t *traffic, p float64) line {
	x := line{p: p, damp: lineDamp / p, spacing: fm.TwoPi / 2 / p}
	const terms = 2*lineTerms + 1
	var points [terms]complex128
	for k := range points {
		points[k] = complex(x.damp, float64(k)*x.spacing)
	}
	f := t.transforms(points[:])
	var sum, rate, slope [terms]complex128
	for k, s := range points {
		grow := expm1(s)
		sum[k] = complex(t.repeat, 0) * f[k] / grow
		if k == 0 {
			sum[k] /= 2
		}
		rate[k] = s * sum[k]
		slope[k] = s * rate[k]
	}
	x.sum, x.rate, x.slope = newFraction(sum[:]), newFraction(rate[:]), newFraction(slope[:])
	for i := range x.coarse {
		x.coarse[i] = newFraction(sum[:terms-lineCoarser*(i+1)])
	}
	return x
}

func (x *line) at(n float64, f fraction) float64 {
	sin, cos := fm.SincosAny(n * x.spacing)
	return fm.Exp(x.damp*n) / x.p * real(f.at(complex(cos, sin)))
}

// expm1 returns e^s - 1, for Re s > 0.
func expm1(s complex128) complex128 {
	sin, cos := fm.SincosAny(imag(s))
	half, _ := fm.SincosAny(imag(s) / 2)
	grow := fm.Expm1(real(s))
	return complex(grow*cos-2*half*half, (1+grow)*sin)
}

// The method "transforms" returns the sum of q_i G_i over i, for each of the points. Here G_i is the transform of the
// probability that the message at rank i is unrecorded.
func (t *traffic) transforms(points []complex128) []complex128 {
	sums := make([]complex128, len(points))
	const width = 2
	next := make(chan int, len(points)/width+1)
	for at := 0; at < len(points); at += width {
		next <- at
	}
	close(next)
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(next)) {
		all.Add(1)
		go func() {
			defer all.Done()
			for at := range next {
				var s, sum [width]complex128
				n := copy(s[:], points[at:])
				if n < width {
					s[1] = s[0]
				}
				t.transform(&s, &sum)
				copy(sums[at:], sum[:n])
			}
		}()
	}
	all.Wait()
	return sums
}

// The method "transform" computes the same sums as the method "transforms". Each call handles two values of s. So the
// divisions for the two values overlap. Let G_i = e^s H_i. Then the recursion in the comment of shifting becomes
//
//	H_i = (1 + move_i H_(i-1))/(e^s - 1 + leave_i).
//
// The division does not depend on H_(i-1), so the processor can begin it early.
func (t *traffic) transform(s, sum *[2]complex128) {
	x, y := expm1(s[0]), expm1(s[1])
	xr, xi, yr, yi := real(x), imag(x), real(y), imag(y)
	xii, yii := xi*xi, yi*yi
	var gr, gi, hr, hi, sr, si, ur, ui float64 // H and the sums of q H at both points
	q := t.q
	move, zeta := t.move[:len(q)], t.zeta[:len(q)]
	for i, q := range q {
		w := move[i]
		leave := t.repeat*q + (w + t.fresh*zeta[i])
		dr := xr + leave
		inverse := 1 / (dr*dr + xii)
		dr, di := dr*inverse, xi*inverse
		er := yr + leave
		inverse = 1 / (er*er + yii)
		er, ei := er*inverse, yi*inverse
		gr, gi = 1+w*gr, w*gi
		gr, gi = gr*dr+gi*di, gi*dr-gr*di
		hr, hi = 1+w*hr, w*hi
		hr, hi = hr*er+hi*ei, hi*er-hr*ei
		sr += q * gr
		si += q * gi
		ur += q * hr
		ui += q * hi
	}
	sum[0] = (1 + x) * complex(sr, si)
	sum[1] = (1 + y) * complex(ur, ui)
}

// A value of the type "fraction" holds the coefficients d_0, d_1, ... of the continued fraction
//
//	d_0/(1 + d_1 z/(1 + d_2 z/(1 + ...))).
type fraction []complex128

// newFraction returns the continued fraction of the power series c_0 + c_1 z + .... It uses the quotient-difference
// scheme. The number of coefficients must be odd.
func newFraction(c []complex128) fraction {
	n := len(c)
	d := make(fraction, n)
	d[0] = c[0]
	e, q := make([]complex128, n), make([]complex128, n)
	for i := range n - 1 {
		q[i] = quotient(c[i+1], c[i])
	}
	for r := 1; 2*r < n; r++ {
		d[2*r-1] = -q[0]
		for i := range n - 2*r {
			e[i] = q[i+1] - q[i] + e[i+1]
		}
		d[2*r] = -e[0]
		for i := range n - 2*r - 1 {
			q[i] = quotient(q[i+1]*e[i+1], e[i])
		}
	}
	return d
}

// The function "quotient" returns x/y. For y = 0 the function returns 0, which ends the continued fraction.
func quotient(x, y complex128) complex128 {
	if y == 0 {
		return 0
	}
	return x / y
}

// The method "at" returns the value of the continued fraction for z. After the last coefficient d_n the continued
// fraction continues for ever. The further coefficients are d_(n-1), d_n, d_(n-1), d_n and so on.
func (d fraction) at(z complex128) complex128 {
	n := len(d) - 1
	h := (1 + (d[n-1]-d[n])*z) / 2
	x := 1 + d[n]*z/(h*h)
	root := fm.Sqrt((abs(x) + real(x)) / 2) // the root with positive real part
	w := complex(root, 0)
	if root > 0 {
		w = complex(root, imag(x)/(2*root))
	}
	tail := -h * (1 - w)
	value := 1 + tail
	for i := n - 1; i > 0; i-- {
		value = 1 + d[i]*z/value
	}
	return d[0] / value
}

func abs(x complex128) float64 { return fm.Sqrt(real(x)*real(x) + imag(x)*imag(x)) }

func (s *shifting) line(n float64) *line {
	i := 0
	for i+1 < len(s.lines) && n <= s.lines[i+1].p {
		i++
	}
	return &s.lines[i]
}

func (s *shifting) stale(n float64) (sum, rate, slope float64) {
	if n <= 0 {
		return 0, s.t.repeat, 0
	}
	x := s.line(n)
	// Among n arrivals, some are repeats of unrecorded messages. The result "sum" is the mean number of these repeats.
	// So it is at least 0 and at most p_r n.
	sum = min(max(x.at(n, x.sum), 0), s.t.repeat*n)
	rate = min(max(x.at(n, x.rate), 0), s.t.repeat)
	return sum, rate, min(x.at(n, x.slope), 0)
}

func (s *shifting) kept(_, n float64) (low, high float64) { return 0, min(1, s.t.repeat*n) }

// The method "err" returns the sum of three relative errors. The first error comes from the period of the series (see
// shifting). The second error is the rounding error. To estimate the third error, the method leaves out the last terms
// of the continued fraction. It multiplies the change of the value by lineSafety.
func (s *shifting) err(n float64) float64 {
	x := s.line(n)
	sum := x.at(n, x.sum)
	if sum <= 0 {
		return 1
	}
	off := 0.0
	for _, f := range x.coarse {
		off = max(off, fm.Abs(x.at(n, f)/sum-1))
	}
	return lineSafety*off + lineError*(1+2*x.p/n) + lineFloor
}

// The second result of the method "stale" is a rate. The method "rateError" estimates the absolute error of this rate.
func (s *shifting) rateError(n float64) float64 {
	sum, _, _ := s.stale(n)
	return min(rateShare*s.err(n)*sum/n, s.t.repeat)
}
