package recycling

import (
	"fmt"
	"math/bits"

	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/falling"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// This file computes two expected numbers for a cycle in closed form, without approximation: the arrivals and the false
// positives. The work is O(k^2) for any m and sigma. Equation numbers are those of Dozier-FP. The falling factorial
// y(y-1)...(y-s+1) is written ff(y,s).
//
// Consider an array that is never cleared. Until more than sigma bits are set, it behaves like the array of the filter.
// Let V_b be the expected number of arrivals that find b bits set. For b <= sigma, V_b is the sum over n of the
// probability that b bits are set after n arrivals. By equation (14) of Burns, this probability is a forward difference
// of the powers rho(x)^n over x = 0..b. Here rho(x) is the rate of an array with x set bits. It is a polynomial of
// degree k. The sum of rho(x)^n over n is 1/(1-rho(x)). Let x_r be the k roots of rho(x) = 1, with x_0 = m. Then
//
//	1/(1-rho(x)) = sum over r of A_r/(x_r-x),   where A_r = 1/rho'(x_r).
//
// The forward difference of each term of this sum is a product. For a cycle that begins with d set bits, this gives a
// formula for V_b:
//
//	V_b = sum over r of A_r P_r(b)/(x_r-b).
//
// Here P_r(b) is the following product:
//
//	P_r(b) = product over d <= j < b of (m-j)/(x_r-j).
//
// With standard hashing x_r = m e^(2 pi i r/k) and A_r = x_r/k. An arrival then corresponds to k draws of a coupon
// collector, and the set bits correspond to the different coupons drawn. For classic hashing see hashing_classic.go.
// P_0(b) is 1. The numbers P_r(b) for r >= 1 decrease like exp(-(1-cos(2 pi r/k)) b^2/(2m)).
//
// Every sum of such terms over b telescopes. The reason is that P_r(b) - P_r(b+1) = P_r(b) (x_r-m)/(x_r-b). So the mean
// number E[N] of arrivals of a cycle has a closed form:
//
//	E[N] = A_0 (H_(m-d) - H_(m-sigma-1)) + sum over r >= 1 of A_r (1-P_r(sigma+1))/(x_r-m).
//
// Here H_n is a harmonic number.
//
// The number S of arrivals that set a bit is N minus the number of false positives. Its mean is:
//
//	E[S] = sum over b of V_b (1-rho(b))
//	     = sum over r of A_r [sum over b of P_r(b) h_r(b)].
//
// Here h_r(b) = (1-rho(b))/(x_r-b) is a polynomial of degree k-1. Let y = m-b. Then h_r(b) is the sum of h_rs ff(y,s)
// over s < k. The polynomial 1-rho is divided by x_r-b. Horner's scheme does this and gives the coefficients h_rs. The
// following identity holds:
//
//	ff(y,s) (x_r-b+1) P_r(b) - ff(y-1,s) (x_r-b) P_r(b+1) = (s+1+x_r-m) ff(y,s) P_r(b).
//
// Add P_r(b) h_r(b) over b = d..sigma. The result is the sum over s of the following terms:
//
//	h_rs [ff(m-d,s) (x_r-d+1) - ff(m-sigma-1,s) (x_r-sigma) P_r(sigma+1)] / (s+1+x_r-m).
//
// For k = 1 this is equation (19) of Dozier-FP: E[N] = m (H_m - H_(m-sigma-1)) and E[S] = sigma+1.

// closedLimit is the largest permitted cost of the closed form, in steps of the chain. This number of steps takes about
// 30 s.
const closedLimit = 1 << 33

// These are the measured costs of the closed form. Their unit is the time of one complex product of short numbers (1.5
// us), except for closedProduct and closedLongWords.
const (
	// closedProduct is the time of one complex product of short numbers. Its unit is the time of one step of the chain
	// (3 ns). If the numbers are longer, with closedLongWords words, a product takes twice as long.
	closedProduct   = 500
	closedLongWords = 8
	closedLogs      = 250 // for each pole, the logarithms of two products, for short numbers
	closedLogsWord  = 50  // additional cost of these logarithms for each word
	closedStart     = 3   // for each start, pole and position
	closedEdge      = 2   // with several starts, the additional cost for V_b where a cycle can end
	closedShared    = 2   // additional cost for each pair of positions, if both arrays share positions
)

// A pole is a root x other than m of the equation rho(x) = 1. The comment at the top of this file defines rho. The type
// "pole" also stores A = 1/rho'(x), and the values of P(b) that have been computed so far. The key of such a value
// consists of two numbers. One is the number of set bits at the start of the cycle. The other is b. If the field
// "twice" is true, the pole also represents its conjugate.
type pole struct {
	x, a  *interval.Complex
	p     map[[2]uint64]*interval.Complex
	twice bool
}

// A closed value holds the constants of the closed form at one working precision.
type closed struct {
	*Cycle
	work  uint
	first *interval.Interval   // A_0
	div   []*interval.Interval // 1-rho = sum over s = 0..k of div_s ff(y,s)/(-m)^s
	poles []pole
}

// newClosed prepares the computation of results with an accuracy of work bits. It chooses a higher precision for two
// reasons. First, P(b) is a product of b factors for each pole. Second, the logarithm of P(b) can be as large as
// b*log(m). The comment at the top of this file defines P(b).
func (c *Cycle) newClosed(work uint) (*closed, error) {
	if err := fault.Part(); err != nil {
		return nil, err
	}
	work += uint(bits.Len64(c.r.Sigma) + bits.Len64(c.g.M))
	if cost := c.closedSteps(work); cost > closedLimit {
		return nil, refuse.TooCostly("the closed form", cost, closedLimit)
	}
	s := &closed{Cycle: c, work: work}
	if !c.g.poles(s) {
		return nil, fmt.Errorf("the roots of rho = 1 are not told apart: %w", exact.ErrPrecision)
	}
	return s, nil
}

// closedSteps returns the measured cost of the closed form. The unit is the time of one step of the chain. For each
// pole, the closed form needs the logarithms of two products. It also needs complex products for each pole. If all
// cycles begin with the same number of set bits, there are 3k such products. Otherwise there are 5k such products for
// each possible number of set bits at the beginning of a cycle. A complex product takes about 1.5 us for short numbers.
func (c *Cycle) closedSteps(work uint) float64 {
	k, words := float64(c.g.K), float64(work)/wordBits
	starts := float64(len(c.starts()))
	each := closedLogs + closedLogsWord*words + closedStart*starts*k
	if starts > 1 {
		each += closedEdge * k * starts
	}
	if c.r.TwoPhase && !c.r.FreshPositions { // the method "shared" is needed
		each += closedShared * k * k * starts
	}
	each += c.g.poleSteps * k
	return k / 2 * each * closedProduct * (1 + words/closedLongWords)
}

func (s *closed) real(x *interval.Interval) *interval.Complex {
	return interval.NewComplex(s.work).SetReal(x)
}

func (s *closed) uint(x uint64) *interval.Complex {
	return s.real(interval.New(s.work).SetUint64(x))
}

// The method "product" returns the number P_r(b), which the comment at the top of this file defines. The root x_r is
// the root that the pole p stores. The cycle begins with d set bits, and d <= b.
func (s *closed) product(p *pole, d, b uint64) *interval.Complex {
	key := [2]uint64{d, b}
	if known := p.p[key]; known != nil {
		return known
	}
	f := field.Intervals(s.work)
	v, k := interval.NewComplex(s.work), uint64(s.g.K)
	switch sigma := s.r.Sigma; {
	case b <= sigma && sigma-b < k: // uses P(b) = P(b+1) (x-b)/(m-b)
		v.Sub(p.x, s.uint(b))
		v.Scale(v, f.Ratio(1, s.g.M-b))
		v.Mul(v, s.product(p, d, b+1))
	case d > 0 && d <= k: // uses the same recursion for the start
		v.Sub(p.x, s.uint(d-1))
		v.Scale(v, f.Ratio(1, s.g.M-d+1))
		v.Mul(v, s.product(p, d-1, b))
	default:
		// If x lies to the left of 0, x-j comes close to the branch cut of the logarithm. In this case the falling
		// factorial ff(x,n) is computed as (-1)^n ff(n-1-x,n).
		n, from := b-d, interval.NewComplex(s.work).Sub(p.x, s.uint(d))
		left := from.Re.Sign() < 0
		if left {
			v.Add(from, s.uint(1))
			from.Sub(s.uint(n), v)
		}
		v.Sub(falling.Log(s.uint(s.g.M-d), n, s.work), falling.Log(from, n, s.work))
		if v.Exp(v); left && n&1 == 1 {
			v.Scale(v, f.Int(-1))
		}
	}
	p.p[key] = v
	return v
}

// The method "both" returns the contribution of p to a real sum. If the pole p also represents its conjugate, the
// contribution of the conjugate is included.
func (p *pole) both(z *interval.Complex) *interval.Interval {
	if p.twice {
		return z.Re.MulPow2(&z.Re, 1)
	}
	return &z.Re
}

// The method "run" returns a list of expected numbers for one cycle. The argument "start" is the number of set bits at
// the beginning of the cycle. The comment of the type "sums" describes the list.
func (s *closed) run(start uint64, at []uint64) ([]*interval.Interval, error) {
	f := field.Intervals(s.work)
	found := make([]*interval.Interval, visits+len(at))
	for i := range found {
		found[i] = f.Int(0)
	}
	end := s.r.Sigma + 1
	found[unit].SetUint64(1)
	found[total].Mul(s.first, harmonics(s.g.M, start, end, s.work))
	setting := s.telescoped(s.div, s.uint(s.g.M), s.uint(1), start) // becomes E[S]
	setting.Scale(setting, s.first)
	found[repeats].Sub(found[total], &setting.Re)
	for i, b := range at {
		if b >= start {
			found[visits+i].Quo(s.first, f.Uint(s.g.M-b))
		}
	}
	for i := range s.poles {
		p := &s.poles[i]
		last := s.product(p, start, end)
		z := interval.NewComplex(s.work).Sub(p.x, s.uint(s.g.M))
		z.Inv(z)
		z.Mul(z, interval.NewComplex(s.work).Sub(s.uint(1), last))
		z.Mul(z, p.a)
		part := p.both(z)
		found[total].Add(found[total], part)
		z = s.telescoped(s.div, p.x, last, start)
		z.Mul(z, p.a)
		found[repeats].Add(found[repeats], interval.New(s.work).Sub(part, p.both(z)))
		for i, b := range at {
			if b < start {
				continue
			}
			z := interval.NewComplex(s.work).Sub(p.x, s.uint(b))
			z.Inv(z)
			z.Mul(z, s.product(p, start, b))
			z.Mul(z, p.a)
			found[visits+i].Add(found[visits+i], p.both(z))
		}
	}
	return found, nil
}

// For each e = 0..k, the method "shared" returns a sum over b. Its terms are V_b h'(b-start,e). The method requires m
// >= 2k. V_b is the expected number of arrivals that find b bits set. The comment at the top of two_phase.go defines
// h'. Consider the sets of e elements that can be chosen from m-start elements. Let y = m-b elements be given. Some of
// these sets contain none of the given elements. Their fraction is:
//
//	h'(b-start,e) = sum over j of C(e,j) (m^j/ff(m-start,j)) ff(y,j)/(-m)^j.
//
// The comment at the top of this file applies Horner's scheme to the polynomial 1-rho. This method applies the scheme
// to another polynomial in b: h'(b-start,e) - h'(x_r-start,e). In both cases the divisor is x_r-b.
func (s *closed) shared(start uint64) []*interval.Interval {
	f := field.Intervals(s.work)
	m, end := s.g.M, s.r.Sigma+1
	all := harmonics(m, start, end, s.work)
	scales := []*interval.Interval{f.Int(1)} // scales[j] = m^j/ff(m-start,j)
	at := make([]*interval.Complex, len(s.poles))
	for i := range at {
		at[i] = s.uint(1) // becomes h'(x_r-start,e)
	}
	sums := make([]*interval.Interval, s.g.K+1)
	for e := range sums {
		if e > 0 {
			below := start + uint64(e) - 1
			scales = append(scales, f.Zero().Mul(scales[e-1], f.Ratio(m, m-below)))
			for i, p := range s.poles {
				z := interval.NewComplex(s.work).Sub(p.x, s.uint(below))
				z.Scale(z, f.Ratio(1, m-below))
				at[i].Mul(at[i], z)
			}
		}
		div := make([]*interval.Interval, e+1)
		for j := range div {
			div[j] = f.Zero().SetInt(integer.Binomial(uint64(e), j))
			div[j].Mul(div[j], scales[j])
			div[j].Neg(div[j])
		}
		z := s.telescoped(div, s.uint(m), s.uint(1), start)
		sums[e] = f.Zero().Sub(all, &z.Re)
		sums[e].Mul(sums[e], s.first)
		for i := range s.poles {
			p := &s.poles[i]
			last := s.product(p, start, end)
			z := interval.NewComplex(s.work).Sub(p.x, s.uint(m))
			z.Inv(z)
			z.Mul(z, interval.NewComplex(s.work).Sub(s.uint(1), last))
			z.Mul(z, at[i])
			z.Sub(z, s.telescoped(div, p.x, last, start))
			z.Mul(z, p.a)
			sums[e].Add(sums[e], p.both(z))
		}
	}
	return sums
}

// Let x be a root. The argument "last" is P(sigma+1) for this root. The method "telescoped" returns the sum over b =
// start..sigma of P(b) (g(b)-g(x))/(x-b). Let y = m-b. The polynomial g has the coefficients div_s:
//
//	g(b) = sum over s of div_s ff(y,s)/(-m)^s.
//
// The polynomial g is either 1-rho, which is 0 at x, or another polynomial.
func (s *closed) telescoped(div []*interval.Interval, x, last *interval.Complex, start uint64) *interval.Complex {
	f := field.Intervals(s.work)
	m, end, k := s.g.M, s.r.Sigma+1, len(div)-1
	// The quotient is the sum over s of h_s ff(y,s)/(-m)^s. The coefficients h_s follow from the coefficients g_s of g:
	//	h_s = (h_(s+1) (s+1+x-m) - g_(s+1))/m.
	shift := func(n int) *interval.Complex {
		z := interval.NewComplex(s.work).Sub(x, s.uint(m))
		return z.Add(z, s.uint(uint64(n)))
	}
	h := make([]*interval.Complex, k)
	next := interval.NewComplex(s.work)
	for n := k - 1; n >= 0; n-- {
		next = interval.NewComplex(s.work).Mul(next, shift(n+1))
		next.Sub(next, s.real(div[n+1]))
		next.Scale(next, f.Ratio(1, m))
		h[n] = next
	}
	lead := interval.NewComplex(s.work).Sub(x, s.uint(start))
	lead.Add(lead, s.uint(1))
	tail := interval.NewComplex(s.work).Sub(x, s.uint(end-1))
	tail.Mul(tail, last)
	sum := interval.NewComplex(s.work)
	for n := range h {
		z := interval.NewComplex(s.work).Sub(lead, tail)
		z.Mul(z, h[n])
		d := shift(n + 1)
		d.Inv(d)
		z.Mul(z, d)
		sum.Add(sum, z)
		// Let ff be the falling factorial. The variables "lead" and "tail" have the factor ff(y,n)/(-m)^n. For the next
		// n, this factor must become ff(y,n+1)/(-m)^(n+1). The two variables belong to the two ends of the sum over b.
		y, yEnd := m-start, m-end
		if y <= uint64(n) {
			break // all further terms are 0
		}
		lead.Scale(lead, f.Zero().Neg(f.Ratio(y-uint64(n), m)))
		tail.Scale(tail, f.Zero().Neg(f.Ratio(yEnd-min(yEnd, uint64(n)), m)))
	}
	return sum
}
