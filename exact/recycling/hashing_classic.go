package recycling

import (
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// classicNewton is the measured cost of finding a root by Newton's method. The unit is the time of k complex products.
const classicNewton = 30

var classicHashing = hashing{
	is:        bloomproof.Classic,
	avoided:   1,
	fewest:    func(k int) uint64 { return uint64(k) },
	batches:   func(k int) (int64, int) { return 1, k },
	meanRate:  false, // at m = 4, n = 1, k = 2 formula (1) gives 49/256, and the rate is 1/6
	closed:    func(m uint64, k int) bool { return m/2 >= uint64(k) },
	poles:     func(s *closed) bool { return s.classic() },
	poleSteps: classicNewton,
	transitionRat: func(m uint64, k int, i, j uint64) *big.Rat {
		return classicTransition(field.Rationals, m, k, i, j)
	},
	transitionInterval: func(m uint64, k int, i, j uint64, work uint) *interval.Interval {
		return classicTransition(field.Intervals(work), m, k, i, j)
	},
}

// classicTransition returns the probability tau(i,j) of Transition for classic hashing. It is C(m-i,d) C(i,k-d)/C(m,k),
// where d = j-i.
func classicTransition[T any, P field.Number[T]](f field.Of[T, P], m uint64, k int, i, j uint64) P {
	p := f.Zero()
	p.SetInt(chooseBig(m-i, j-i))
	p.Mul(p, f.Zero().SetInt(chooseBig(i, uint64(k)-(j-i))))
	return p.Quo(p, f.Zero().SetInt(chooseBig(m, uint64(k))))
}

// The method "classic" computes the poles and the coefficients of 1-rho for classic hashing. Let ff(y,s) be the falling
// factorial y(y-1)...(y-s+1). Let y = m-b, and rho(x) = ff(x,k)/ff(m,k). Then 1-rho is this sum:
//
//	1-rho = sum over s = 1..k of (-1)^(s+1) C(k,s) ff(y,s)/ff(m,s).
//
// The coefficient of a pole x is:
//
//	A = 1/(sum over i < k of 1/(x-i)).
//
// Let w = e^(2 pi i/k). The roots of rho = 1 are the number m, and pairs of conjugates x_r. They are near (m-(k-1)/2)
// w^r + (k-1)/2. If k is even, k-1-m is a root too. The real parts of x_r decrease with r. Each root is enclosed by a
// step of the interval Newton method. Let F = rho-1, and let X be a rectangle around z. Suppose that X contains the
// rectangle N:
//
//	N = z - F(z)/F'(X).
//
// Then F has a root in N, by Brouwer's theorem. If the rectangles of all roots are disjoint, all k roots are found. The
// method "classic" reports whether this succeeded.
func (s *closed) classic() bool {
	m, k := s.g.M, s.g.K
	f := field.Intervals(s.work)
	sum := f.Int(0)
	c := f.Int(1) // becomes C(k,n) m^n/ff(m,n)
	s.div = append(s.div, f.Int(-1))
	for i := range uint64(k) {
		sum.Add(sum, f.Ratio(1, m-i))
		c.Mul(c, f.Ratio(uint64(k)-i, i+1))
		c.Mul(c, f.Ratio(m, m-i))
		s.div = append(s.div, f.Zero().Neg(c))
	}
	s.first = f.Zero().Quo(f.Int(1), sum)
	var before *interval.Interval
	for r := 1; 2*r <= k; r++ {
		x := s.real(f.Zero().Sub(f.Int(int64(k-1)), f.Uint(m)))
		if 2*r < k {
			if x = s.root(r); x == nil || x.Im.Sign() <= 0 {
				return false
			}
		}
		if before != nil {
			if order, decided := before.Cmp(&x.Re); !decided || order <= 0 {
				return false
			}
		}
		before = &x.Re
		_, slope := s.rising(x, s.work)
		s.poles = append(s.poles, pole{x: x, a: slope.Inv(slope), p: map[[2]uint64]*interval.Complex{}, twice: 2*r < k})
	}
	return true
}

// The method "rising" returns rho(x) for classic hashing, and its logarithmic derivative rho'(x)/rho(x).
func (s *closed) rising(x *interval.Complex, work uint) (rho, slope *interval.Complex) {
	f := field.Intervals(work)
	rho, slope = interval.NewComplex(work).SetReal(f.Int(1)), interval.NewComplex(work)
	for i := range uint64(s.g.K) {
		z := interval.NewComplex(work).SetReal(f.Uint(i))
		z.Sub(x, z)
		rho.Mul(rho, z)
		rho.Scale(rho, f.Ratio(1, s.g.M-i))
		z.Inv(z)
		slope.Add(slope, z)
	}
	return rho, slope
}

// Each step of Newton's method doubles the number of correct digits. The first guess may have no correct digit.
// Doubling needs a certain number of steps. The number of permitted steps is larger by rootTries. The root must lie in
// a rectangle. Its width is 2^-rootBits times the permitted error.
const (
	rootTries = 8
	rootBits  = 8
)

// The method "root" returns the r-th root of rho(x) = 1, or nil if it cannot prove that there is a root.
func (s *closed) root(r int) *interval.Complex {
	// If a rectangle is rotated k times, its enclosure grows by a factor of 2^(k/2). So k more bits are used.
	work := s.work + uint(s.g.K+2*bits.Len(uint(s.g.K))) + precision.Spare
	f := field.Intervals(work)
	half := f.Ratio(uint64(s.g.K-1), 2)
	z := interval.NewComplex(work)
	z.Im.Mul(interval.Angle(f.Zero(), uint64(s.g.K)), f.Int(int64(r)))
	z.Exp(z)
	z.Scale(z, f.Zero().Sub(f.Uint(s.g.M), half))
	z.Re.Add(&z.Re, half)
	one := interval.NewComplex(work).SetReal(f.Int(1))
	// The function "step" returns F(at)/F'(around), the step of Newton's method, for F = rho-1.
	step := func(at, around *interval.Complex) *interval.Complex {
		rho, slope := s.rising(around, work)
		slope.Mul(slope, rho)
		slope.Inv(slope)
		if at != around {
			rho, _ = s.rising(at, work)
		}
		rho.Sub(rho, one)
		return slope.Mul(rho, slope)
	}
	at := corner(z, work)
	for range bits.Len(work) + rootTries {
		move := step(at, at)
		if move.Re.Sign() == 0 && move.Im.Sign() == 0 {
			break // the approximation is as accurate as rounding permits
		}
		at = corner(z.Sub(at, move), work)
	}
	// The rectangle around the approximation must contain the root. Relative to m, its width is at most
	// 4*2^-(s.work+rootBits).
	reach := new(big.Float).SetMantExp(big.NewFloat(1), bits.Len64(s.g.M)-int(s.work)-rootBits)
	around := interval.NewComplex(work)
	wide := f.Zero().SetEnds(new(big.Float).Neg(reach), reach)
	around.Re.Add(&at.Re, wide)
	around.Im.Add(&at.Im, wide)
	z.Sub(at, step(at, around))
	if !z.Valid() || !around.Re.Contains(&z.Re) || !around.Im.Contains(&z.Im) {
		return nil
	}
	return z
}

// The function "corner" returns one point of the rectangle z.
func corner(z *interval.Complex, work uint) *interval.Complex {
	at := interval.NewComplex(work)
	re, im := z.Re.Lo(), z.Im.Lo()
	at.Re.SetEnds(re, re)
	at.Im.SetEnds(im, im)
	return at
}
