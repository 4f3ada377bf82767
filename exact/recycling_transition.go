package exact

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// transitionLimit bounds the work of a transition: k^2 steps times words.
const transitionLimit = 1 << 31

// Transition returns tau(i,j), the probability that one item takes a filter of shape g
// from i set bits to j, without recycling.
//
//	Recursive, the default  position after position: with h of them placed, the next one
//	                        meets a set bit with probability j/m standard, (j-h)/(m-h) classic
//	ClosedForm              C(m-i,d) times, with d = j-i,
//	                        standard  sum over l = 0..d of (-1)^l C(d,l) ((j-l)/m)^k
//	                        classic   C(i,k-d)/C(m,k)
//
// Source: Dozier-FP (4), (6), (8), (11), (13); the closed forms are Burns (14) for one item.
// Domain: g standard or classic; 0 <= i <= m; any j, 0 outside i..i+k; prec 1 to MaxPrec.
// Error: relative width at most 2^-prec; the rational itself for k log2 m <= 2^12.
// Cost: k (j-i) steps; by ClosedForm j-i powers, standard, and k products, classic.
// Errors: *bloomproof.ParamError; ErrTooCostly.
func Transition(g bloomproof.Geometry, i, j uint64, prec uint, route Route) (Enclosure, error) {
	if err := g.Validate(); err != nil {
		return Enclosure{}, err
	}
	if err := checkPrec(prec); err != nil {
		return Enclosure{}, err
	}
	route, err := among(route, Auto, []Route{Recursive, ClosedForm}, "transitions")
	switch {
	case err != nil:
		return Enclosure{}, err
	case g.Hashing == bloomproof.Partitioned:
		return Enclosure{}, &bloomproof.ParamError{Param: "hashing", Value: g.Hashing, Want: "standard or classic"}
	case i > g.M:
		return Enclosure{}, &bloomproof.ParamError{Param: "i", Value: i, Want: "at most m"}
	case j < i || j-i > uint64(g.K) || j > g.M || !canMove(g, i, j):
		return exactlyInt(0, prec), nil
	}
	d, k := float64(j-i), float64(g.K)
	if cost := k * max(d, 1) * (float64(prec)/64 + 2); cost > transitionLimit {
		return Enclosure{}, tooCostly("the transition", cost, transitionLimit)
	}
	if k*math.Log2(float64(g.M)) <= 1<<12 {
		return exactly(transition(rationals, g, i, j, route), prec), nil
	}
	first := prec + 32
	if route == ClosedForm { // tau is at least (d/m)^k C(m-i,d), what cancels at most 2^d
		first += uint(2*d + k*math.Log2(float64(j)/max(1, d)))
	}
	return probability(ziv(prec, first, func(work uint) *interval.Interval {
		return transition(intervals(work), g, i, j, route)
	}))
}

// canMove reports whether an item can take g from i to j set bits, i <= j <= min(i+k, m).
func canMove(g bloomproof.Geometry, i, j uint64) bool {
	return j >= uint64(g.K) || g.Hashing == bloomproof.Standard && j > 0
}

// transition is Transition in f's arithmetic.
func transition[T any, P number[T]](f field[T, P], g bloomproof.Geometry, i, j uint64, route Route) P {
	if route == Recursive {
		return transitions(f, g, i, int(j-i))[j-i]
	}
	d := j - i
	choose := f.zero().SetInt(chooseBig(g.M-i, d))
	if g.Hashing == bloomproof.Classic { // C(i,k-d)/C(m,k)
		p := f.int(1)
		p.Mul(choose, f.zero().SetInt(chooseBig(i, uint64(g.K)-d)))
		return p.Quo(p, f.zero().SetInt(chooseBig(g.M, uint64(g.K))))
	}
	sum := f.int(0)
	for l := range d + 1 {
		t := f.powInt(f.ratio(j-l, g.M), g.K)
		t.Mul(t, f.zero().SetInt(chooseBig(d, l)))
		if l&1 == 0 {
			sum.Add(sum, t)
		} else {
			sum.Sub(sum, t)
		}
	}
	return sum.Mul(sum, choose)
}

// chooseBig returns C(x,r), r <= MaxK, 0 for r > x.
func chooseBig(x, r uint64) *big.Int {
	if r > x {
		return new(big.Int)
	}
	return binomial(x, int(r))
}

// placed returns the number of positions that count against the next one, h of an item's
// positions placed: with classic hashing it avoids them.
func placed(g bloomproof.Geometry, h int) uint64 {
	if g.Hashing == bloomproof.Classic {
		return uint64(h)
	}
	return 0
}

// transitions returns tau(i,i), ..., tau(i,i+last), those with j <= m.
func transitions[T any, P number[T]](f field[T, P], g bloomproof.Geometry, i uint64, last int) []P {
	last = int(min(uint64(last), g.M-i))
	p := []P{f.int(1)}
	t := f.zero()
	for h := range g.K {
		if len(p) <= last {
			p = append(p, f.int(0))
		}
		left := f.uint(g.M - placed(g, h))
		for d := len(p) - 1; d >= 0; d-- {
			j := i + uint64(d)
			p[d].Mul(p[d], f.uint(j-min(j, placed(g, h))))
			if d > 0 {
				p[d].Add(p[d], t.Mul(p[d-1], f.uint(g.M-j+1)))
			}
			p[d].Quo(p[d], left)
		}
	}
	for len(p) <= last {
		p = append(p, f.int(0))
	}
	return p
}
