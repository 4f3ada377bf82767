package approx

import (
	"sync"

	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/occupancy"
)

// This file evaluates differences of order y as sums of positive terms. These sums give the rates of certain filters.
// In such a filter, m is not small compared with k. At most about 95 % of the bits are set.

// Let g(v) be a polynomial, and let D be the operator d/dv. The y-th forward difference of g at 0 is the value of (e^D
// - 1)^y g at 0. The operator e^(yD/2) shifts the argument by y/2. Moreover (e^D - 1)^y equals e^(yD/2) D^y
// (sinh(D/2)/(D/2))^y. So this difference is the value at v = y/2 of the following sum:
//
//	the sum over j of s(y,j) D^(y+2j) g.
//
// The number s(y,j) is the coefficient of t^(2j) in (sinh(t/2)/(t/2))^y. It is positive, because all coefficients of
// the series of sinh are positive. The sum is finite, and exact. Suppose that all zeros of g are real and above y/2.
// Then (-1)^i times the i-th derivative of g at y/2 is not negative for any i. So all terms have the sign (-1)^y, and
// no digits cancel.
//
// As a function of t^2, (sinh(t/2)/(t/2))^y is entire, has the order 1/2, and has only negative zeros. So it is a
// product with one factor for each zero. It follows that the quotients s(y,j+1)/s(y,j) decrease as j increases.

// The tables of the s(y,j) have mostCentral columns. A sum over j has at most mostTerms(k) terms. This number is even.
// Sums end at a term that is at most centralEnd times the sum.
const (
	mostCentral = 56
	centralEnd  = 0x1p-57
)

func mostTerms(k int) int { return 24 + k/4*2 }

// These sums are used if the number of balls minus k is at most centralLoad*far (see inCentral).
const centralLoad = 3

// The function inCentral reports whether a filter lies in the domain of standardCentral and classicCentral. In both
// functions, g(v) is a power of x or a sum of such powers. The formula above is applied to each power. Here x is the
// distance of v from a point. This point is m in standardCentral, and A in classicCentral. The argument "far" is the
// value of x at v = k/2. In this domain three numbers are integers below 2^53: m, the number of balls, and twice the
// argument "far". The product of 3 and "far" is rounded. So the number of balls minus k may be slightly more than 3
// times "far". The number of balls minus k, divided by "far", is at most 3(1+2^-53).
func inCentral(m uint64, balls float64, k int, far float64) bool {
	return k <= occupancy.TableK && m >= 4*uint64(k) && m < 1<<52 &&
		balls < 0x1p53 && balls-float64(k) <= float64(centralLoad*far)
}

type centralTable [occupancy.TableK + 1][mostCentral]float64

// The function "centrals" returns the table of the s(y,j). Each has a relative error of at most 1.01u (u = 2^-53). Each
// number s(y,j) is a central factorial number multiplied by y!/(y+2j)!. These numbers satisfy the recurrence
//
//	s(y,j) (y+2j)(y+2j-1) = y(y-1) s(y-2,j) + (y^2/4) s(y,j-1).
//
// Let z = (2 sinh(t/2))^y. The recurrence follows from the second derivative of z, which is y(y-1) (2 sinh(t/2))^(y-2)
// + (y^2/4) z.
//
// The smallest number in the table, except 0, is s(1,55). It is about 2^-709. For arguments as small as this, fm.Double
// states no bounds. The bounds of fm.Double hold for the table too, because no result underflows. Even the rounding
// errors of the second words are about 2^-815. TestCentralTables checks every number in the table.
var centrals = sync.OnceValue(func() *centralTable {
	t := new(centralTable)
	var two [occupancy.TableK + 1][mostCentral]fm.Double
	two[0][0], t[0][0] = fm.Whole(1), 1
	for y := 1; y < len(two); y++ {
		two[y][0], t[y][0] = fm.Whole(1), 1
		for j := 1; j < mostCentral; j++ {
			x := two[y][j-1].MulFloat(float64(y*y) / 4)
			if y > 1 {
				x = x.Add(two[y-2][j].MulFloat(float64(y * (y - 1))))
			}
			two[y][j] = x.QuoFloat(float64((y + 2*j) * (y + 2*j - 1)))
			t[y][j] = two[y][j].Hi
		}
	}
	return t
})

// centralSum returns the sum over j of
//
//	s(y,j) a(a-1)...(a-2j+1) c^(-2j).
//
// The argument s is the list s(y,0), s(y,1), ... The integer a lies between 0 and 2^53. The quotient a/c is at most
// 3(1+u), where u = 2^-53. The argument "inverse" is 1/c^2, with a relative error of at most 2u. The last term of the
// sum meets two conditions. First, it is at most the argument "least". Second, it is at most half of the preceding
// term. The result ok is false if s is too short.
//
// Error: the relative error is at most (4 + len(s)/2 + 1.65y)u. In addition there is an absolute error of at most 1.01
// times the argument "least". Let x(j) be the factor of s(y,j). The quotient x(j+1)/x(j) has an error of 4u, and each
// product with it adds u. So x(j) has an error of 5ju. As j grows, the quotients x(j+1)/x(j) decrease. The first of
// them is at most (a/c)^2. Consider the mean of j, with the terms as weights. This mean is at most the mean for x(j) =
// (a/c)^(2j). For a/c = 3 this value is half of y ((3/2) coth(3/2) - 1). This is less than 0.3287y. For a/c = 3(1+u) it
// is larger, but less than 0.33y. The table and the product with x(j) contribute an error of 2.01u. The additions
// contribute (len(s)/2 + 1)u. The quotients of successive terms decrease. So the terms left out are at most 1.01 times
// the last term.
func centralSum(s []float64, a, inverse, least float64) (sum float64, ok bool) {
	x, odd := 1.0, 0.0
	for j := 1; j < len(s); j += 2 {
		p := float64(a*(a-1)) * inverse
		first := float64(s[j-1] * x)
		second := float64(s[j] * float64(x*p))
		sum += first
		odd += second
		if second <= least && 2*second <= first {
			return sum + odd, true
		}
		x *= p * float64(float64((a-2)*(a-3))*inverse) // 0 from the first j on for which a(a-1)... has a factor 0
		a -= 4
	}
	return 0, false
}
