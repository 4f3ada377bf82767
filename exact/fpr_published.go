package exact

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// These constants limit the number of steps in the inner loops of the published routes. So each route takes at most
// some seconds. A step of the route "stirling" is a product and a sum at the requested precision. A step of the routes
// "christensen" and "grandi" takes 1 us or more, because their working precision grows with m. A step of the route
// "recursive" consists of two products. They are computed with k bits more than the requested precision.
const (
	stirlingLimit  = 1 << 21 // limit of nk min(m, nk)
	setBitsLimit   = 1 << 17 // limit of min(m, nk)^2, which allows 362 set bits
	recursionLimit = 1 << 18 // limit of k^2
	powerLimit     = 1 << 30 // limit of nk log2 m for christensen, the number of bits of its largest power
)

// The function "published" computes the rate by one of the published formulas, in interval arithmetic. The argument
// "in" is a function. It evaluates the formula with a working precision of "work" bits.
func published(h hashing, g bloomproof.Geometry, n uint64, prec uint, route Route, in func(work uint) *interval.Interval) (Enclosure, error) {
	m, k := float64(g.M), float64(g.K)
	nk := float64(n) * k
	most := min(m, nk) // largest possible number of set bits
	var cost, limit float64
	switch route {
	case routeStirling:
		cost, limit = nk*most, stirlingLimit
	case routeChristensen, routeGrandi:
		cost, limit = most*most, setBitsLimit
		if size := nk * math.Log2(m); route == routeChristensen && cost <= limit && size > powerLimit {
			cost, limit = size, powerLimit // this route computes j^nk as printed, and not (j/m)^nk
		}
	case Recursive, routeHypergeometric:
		cost, limit = k*k, recursionLimit
	}
	if cost > limit {
		return Enclosure{}, refuse.TooCostly(fmt.Sprintf("route %v", route), cost, limit)
	}
	cancel := 0.0
	switch route {
	case routeChristensen, routeGrandi:
		cancel = setBitsCancel(m, nk, k, most) - h.log2Lower(g, n)
	case Recursive, routeHypergeometric:
		cancel = k - h.log2Lower(g, n)
	}
	first := prec + uint(max(0, cancel)) + uint(math.Log2(nk+1)) + 2*uint(math.Log2(most+k+2)) + 16
	return ziv(prec, first, in)
}

// The routes "christensen" and "grandi" compute double sums. The function setBitsCancel approximates log2 of the
// largest term of these sums. The term for the indices i and j is C(m,i) C(i,j) (j/m)^nk (i/m)^k.
func setBitsCancel(m, nk, k, most float64) float64 {
	worst := 0.0
	for i := 1.0; i <= most; i++ {
		lm, _ := math.Lgamma(m + 1)
		li, _ := math.Lgamma(i + 1)
		lr, _ := math.Lgamma(m - i + 1)
		c := lm - li - lr
		if m > 1e6 { // the difference of float64 numbers would have no correct digits
			c = i * math.Log(m)
		}
		worst = max(worst, c/math.Ln2+i+(nk+k)*math.Log2(i/m))
	}
	return worst
}

// stirlingSum evaluates Burns (54):
//
//	f = m^-(nk+k) sum_i S(nk,i) m(m-1)...(m-i+1) i^k.
//
// This is Bose's formula with falling factorials in place of m^i.
func stirlingSum[T any, P field.Number[T]](f field.Of[T, P], m uint64, nk, k int) P {
	last := int(min(m, uint64(nk)))
	s := stirlingNumbers(f, nk, last)
	sum, falling, t := f.Int(0), f.Int(1), f.Zero()
	for i := 1; i <= last; i++ {
		falling.Mul(falling, f.Uint(m-uint64(i)+1))
		t.Mul(s[i], falling)
		t.Mul(t, f.PowInt(f.Int(int64(i)), k))
		sum.Add(sum, t)
	}
	return sum.Quo(sum, f.PowInt(f.Uint(m), nk+k))
}

// christensenSum evaluates Fan (7) in this form:
//
//	f = m!/m^(nk+k) sum_i sum_(j<=i) (-1)^(i-j) j^(nk) i^k / ((m-i)! j! (i-j)!).
//
// Here the sum over j begins with j = 0. The outer sum ends at i = min(m, nk), because nk positions cannot set more
// bits. For larger i the inner sum over j is 0.
func christensenSum[T any, P field.Number[T]](f field.Of[T, P], m uint64, nk *big.Int, k int) P {
	last := lastBit(m, nk)
	powers := make([]P, last+1) // j^nk
	factorial := make([]P, last+1)
	for j := range powers {
		powers[j] = f.Pow(f.Int(int64(j)), nk)
		if factorial[j] = f.Int(1); j > 0 {
			factorial[j].Mul(f.Int(int64(j)), factorial[j-1])
		}
	}
	sum, falling, t := f.Int(0), f.Int(1), f.Zero() // falling = m!/(m-i)!
	for i := 1; i <= last; i++ {
		falling.Mul(falling, f.Uint(m-uint64(i)+1))
		inner := f.Int(0)
		for j := 0; j <= i; j++ {
			t.Mul(factorial[j], factorial[i-j])
			t.Quo(powers[j], t)
			if (i-j)&1 == 0 {
				inner.Add(inner, t)
			} else {
				inner.Sub(inner, t)
			}
		}
		inner.Mul(inner, falling)
		inner.Mul(inner, f.PowInt(f.Int(int64(i)), k))
		sum.Add(sum, inner)
	}
	return sum.Quo(sum, f.Pow(f.Uint(m), new(big.Int).Add(nk, big.NewInt(int64(k)))))
}

func lastBit(m uint64, nk *big.Int) int {
	if nk.IsUint64() && nk.Uint64() < m {
		m = nk.Uint64()
	}
	return int(m)
}

// grandiSum evaluates Fan (8), the gamma transform:
//
//	f = sum_x (x/m)^k C(m,x) sum_j (-1)^j C(x,j) ((x-j)/m)^nk.
//
// The outer sum ends at x = min(m, nk), for the same reason as in christensenSum.
func grandiSum[T any, P field.Number[T]](f field.Of[T, P], m uint64, nk *big.Int, k int) P {
	last := lastBit(m, nk)
	powers := make([]P, last+1) // (y/m)^nk
	row := make([]P, last+1)    // C(x, j), Pascal's triangle
	for y := range powers {
		powers[y] = f.Pow(f.Ratio(uint64(y), m), nk)
		row[y] = f.Int(0)
	}
	row[0] = f.Int(1)
	sum, choose, t := f.Int(0), f.Int(1), f.Zero() // choose = C(m, x)
	for x := 1; x <= last; x++ {
		for j := x; j >= 1; j-- {
			row[j].Add(row[j], row[j-1])
		}
		choose.Mul(choose, f.Uint(m-uint64(x)+1))
		choose.Quo(choose, f.Int(int64(x)))
		inner := f.Int(0)
		for j := 0; j <= x; j++ {
			t.Mul(row[j], powers[x-j])
			if j&1 == 0 {
				inner.Add(inner, t)
			} else {
				inner.Sub(inner, t)
			}
		}
		inner.Mul(inner, choose)
		inner.Mul(inner, f.PowInt(f.Ratio(uint64(x), m), k))
		sum.Add(sum, inner)
	}
	return sum
}

// standardRecursion evaluates equation (55) of Burns. A misprint in this equation is corrected. The number N = kn is
// fixed. The recursion is
//
//	psi(h,x) = psi(h-1,x) - (1-1/x)^(N+h-1) psi(h-1,x-1).
//
// It starts with psi(0,x) = 1 for all x, and the rate is f = psi(k,m).
//
// At x = 1, psi(h-1,x-1) is multiplied by 0. So no smaller x is needed.
func standardRecursion[T any, P field.Number[T]](f field.Of[T, P], m uint64, nk *big.Int, k int) P {
	depth := int(min(uint64(k), m-1)) // psi(h, m-d) is needed for d <= min(k-h, m-1)
	psi, base, factor := make([]P, depth+1), make([]P, depth+1), make([]P, depth+1)
	for d := range psi {
		x := m - uint64(d)
		psi[d] = f.Int(1)
		base[d] = f.Ratio(x-1, x)
		factor[d] = f.Pow(base[d], nk) // (1-1/x)^(N+h-1) for h = 1
	}
	t := f.Zero()
	for h := 1; h <= k; h++ {
		for d := 0; d <= min(k-h, depth); d++ {
			if d < depth {
				psi[d].Sub(psi[d], t.Mul(factor[d], psi[d+1]))
			}
			factor[d].Mul(factor[d], base[d])
		}
	}
	return psi[0]
}

// classicRecursion evaluates Burns (63) without its misprint. The recursion is
//
//	psi(h,x) = psi(h-1,x) - (1-k/x)^n psi(h-1,x-1).
//
// It starts with psi(0,x) = 1 for all x, and the rate is f = psi(k,m).
//
// At x = k the factor of psi(h-1,x-1) is 0, so no smaller x is needed.
func classicRecursion[T any, P field.Number[T]](f field.Of[T, P], m, n uint64, k int) P {
	depth := int(min(uint64(k), m-uint64(k)))
	psi, factor := make([]P, depth+1), make([]P, depth+1)
	for d := range psi {
		x := m - uint64(d)
		psi[d] = f.Int(1)
		factor[d] = f.Pow(f.Ratio(x-uint64(k), x), new(big.Int).SetUint64(n))
	}
	t := f.Zero()
	for h := 1; h <= k; h++ {
		for d := 0; d <= min(k-h, depth-1); d++ {
			psi[d].Sub(psi[d], t.Mul(factor[d], psi[d+1]))
		}
	}
	return psi[0]
}

// hypergeometricSum evaluates the series (62) of Burns:
//
//	(n+1)F(n)[-k, k-m, ..., k-m; -m, ..., -m; 1].
//
// The ratio of consecutive terms is:
//
//	t_(j+1)/t_j = (j-k)/(j+1) ((k-m+j)/(j-m))^n.
func hypergeometricSum[T any, P field.Number[T]](f field.Of[T, P], m, n uint64, k int) P {
	sum, term, t := f.Int(1), f.Int(1), f.Zero()
	for j := range k {
		u := uint64(j)
		if m-u == uint64(k) {
			break // the upper parameter k-m+j is 0, so the series ends
		}
		ratio := f.Pow(f.Ratio(m-u-uint64(k), m-u), new(big.Int).SetUint64(n))
		ratio.Mul(ratio, t.Quo(f.Int(int64(j-k)), f.Int(int64(j+1))))
		term.Mul(term, ratio)
		sum.Add(sum, term)
	}
	return sum
}
