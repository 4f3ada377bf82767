package recycling

import (
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

var standardHashing = hashing{
	is:       bloomproof.Standard,
	avoided:  0,
	fewest:   func(int) uint64 { return 1 },
	batches:  func(k int) (int64, int) { return int64(k), 1 },
	meanRate: true,
	closed:   func(uint64, int) bool { return true },
	poles:    func(s *closed) bool { s.standard(); return true },
	transitionRat: func(m uint64, k int, i, j uint64) *big.Rat {
		return standardTransition(field.Rationals, m, k, i, j)
	},
	transitionInterval: func(m uint64, k int, i, j uint64, work uint) *interval.Interval {
		return standardTransition(field.Intervals(work), m, k, i, j)
	},
}

// standardTransition returns the probability tau(i,j) of Transition for standard hashing. It is C(m-i,d) times the sum
// over l = 0..d of (-1)^l C(d,l) ((j-l)/m)^k, where d = j-i.
func standardTransition[T any, P field.Number[T]](f field.Of[T, P], m uint64, k int, i, j uint64) P {
	d := j - i
	sum := f.Int(0)
	for l := range d + 1 {
		t := f.PowInt(f.Ratio(j-l, m), k)
		t.Mul(t, f.Zero().SetInt(chooseBig(d, l)))
		if l&1 == 0 {
			sum.Add(sum, t)
		} else {
			sum.Sub(sum, t)
		}
	}
	return sum.Mul(sum, f.Zero().SetInt(chooseBig(m-i, d)))
}

// The method "standard" computes the poles and the coefficients of 1-rho for standard hashing. Let y = m-b. The falling
// factorials ff(y,s) satisfy (1-y/m) ff(y,s) = (1-s/m) ff(y,s) - ff(y,s+1)/m. Therefore (1-y/m)^i is a sum over s of
// terms c_(i,s) ff(y,s)/(-m)^s. This defines the coefficients c_(i,s). The coefficient c_(0,0) is 1. All other
// coefficients c_(0,s) are 0. The coefficients satisfy this recurrence:
//
//	c_(i+1,s) = (1-s/m) c_(i,s) + c_(i,s-1).
func (s *closed) standard() {
	m, k := s.g.M, s.g.K
	f := field.Intervals(s.work)
	s.first = f.Ratio(m, uint64(k))
	angle := interval.Angle(interval.New(s.work), uint64(k))
	for r := 1; 2*r <= k; r++ {
		turn := interval.NewComplex(s.work)
		turn.Im.Mul(angle, f.Int(int64(r)))
		turn.Exp(turn)
		if 2*r == k {
			turn = s.real(f.Int(-1))
		}
		x := interval.NewComplex(s.work).Scale(turn, f.Uint(m))
		s.poles = append(s.poles, pole{
			x:     x,
			a:     interval.NewComplex(s.work).Scale(x, f.Ratio(1, uint64(k))),
			p:     map[[2]uint64]*interval.Complex{},
			twice: 2*r < k,
		})
	}
	c := []*interval.Interval{f.Int(1)}
	for range k {
		c = append(c, f.Int(0))
		for i := len(c) - 1; i >= 0; i-- {
			part := interval.New(s.work).Sub(f.Int(1), f.Ratio(uint64(i), m))
			c[i].Mul(c[i], part)
			if i > 0 {
				c[i].Add(c[i], c[i-1])
			}
		}
	}
	for _, x := range c {
		x.Neg(x)
		s.div = append(s.div, x)
	}
}
