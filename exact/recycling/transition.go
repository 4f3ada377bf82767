package recycling

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/enclose"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// transitionLimit is the largest permitted cost of a transition. The cost is k^2 times the number of words in each
// number.
const transitionLimit = 1 << 31

// Transition returns tau(i,j), the probability that one item changes the number of set bits from i to j. The filter has
// the geometry g and does not recycle.
//
//   - The route Recursive, the default, goes position by position. Suppose that h positions are placed and j bits are
//     set. Then the probability that the next position is a set bit is j/m for standard hashing and (j-h)/(m-h) for
//     classic hashing.
//   - The route ClosedForm multiplies C(m-i,d), where d = j-i, by another factor. For standard hashing this factor is
//     the sum over l = 0..d of (-1)^l C(d,l) ((j-l)/m)^k. For classic hashing it is C(i,k-d)/C(m,k).
//
// Source: Dozier-FP, equations (4), (6), (8), (11) and (13); the closed forms are equation (14) of Burns for one item.
// Domain: g standard or classic; 0 <= i <= m; any j; prec is from 1 to MaxPrec. The result is exactly 0 for j outside
// i..i+k.
// Error: relative width at most 2^-prec. For k*log2(m) <= 2^12 the result is a rational.
// Cost: k (j-i) steps; ClosedForm takes j-i powers for standard hashing and k products for classic hashing.
// Errors: *bloomproof.ParamError; ErrTooCostly.
func Transition(g bloomproof.Geometry, i, j uint64, prec uint, route exact.Route) (exact.Enclosure, error) {
	s, err := shapeOf(g)
	if err != nil {
		return exact.Enclosure{}, err
	}
	if err := precision.Check(prec); err != nil {
		return exact.Enclosure{}, err
	}
	route, err = refuse.Among(route, exact.Auto, []exact.Route{exact.Recursive, exact.ClosedForm}, "transitions")
	switch {
	case err != nil:
		return exact.Enclosure{}, err
	case i > g.M:
		return exact.Enclosure{}, &bloomproof.ParamError{Param: "i", Value: i, Want: "at most m"}
	case j < i || j-i > uint64(g.K) || j > g.M || !canMove(s, i, j):
		return enclose.Int(0, prec), nil
	}
	d, k := float64(j-i), float64(g.K)
	if cost := k * max(d, 1) * (float64(prec)/wordBits + 2); cost > transitionLimit {
		return exact.Enclosure{}, refuse.TooCostly("the transition", cost, transitionLimit)
	}
	if k*math.Log2(float64(g.M)) <= shortBits {
		if route == exact.ClosedForm {
			return enclose.Rational(s.transitionRat(s.M, s.K, i, j), prec), nil
		}
		return enclose.Rational(transitions(field.Rationals, s, i, int(j-i))[j-i], prec), nil
	}
	first := prec + 2*precision.Spare
	if route == exact.ClosedForm { // tau is at least (d/m)^k C(m-i,d), and cancellation loses at most d bits
		first += uint(2*d + k*math.Log2(float64(j)/max(1, d)))
	}
	return enclose.Probability(enclose.Ziv(prec, first, func(work uint) *interval.Interval {
		if route == exact.ClosedForm {
			return s.transitionInterval(s.M, s.K, i, j, work)
		}
		return transitions(field.Intervals(work), s, i, int(j-i))[j-i]
	}))
}

// canMove reports whether an item can change the number of set bits of g from i to j, for i <= j <= min(i+k, m).
func canMove(g shape, i, j uint64) bool { return j >= g.least() }

// chooseBig returns the binomial coefficient C(x,r) for r <= MaxK. It is 0 for r > x.
func chooseBig(x, r uint64) *big.Int {
	if r > x {
		return new(big.Int)
	}
	return integer.Binomial(x, int(r))
}

// The function "transitions" returns tau(i,j) for j = i, ..., min(i+last, m). The function Transition defines tau.
func transitions[T any, P field.Number[T]](f field.Of[T, P], g shape, i uint64, last int) []P {
	last = int(min(uint64(last), g.M-i))
	p := []P{f.Int(1)}
	t := f.Zero()
	for h := range g.K {
		if len(p) <= last {
			p = append(p, f.Int(0))
		}
		left := f.Uint(g.M - g.placed(h))
		for d := len(p) - 1; d >= 0; d-- {
			j := i + uint64(d)
			p[d].Mul(p[d], f.Uint(j-min(j, g.placed(h))))
			if d > 0 {
				p[d].Add(p[d], t.Mul(p[d-1], f.Uint(g.M-j+1)))
			}
			p[d].Quo(p[d], left)
		}
	}
	for len(p) <= last {
		p = append(p, f.Int(0))
	}
	return p
}
