package fnr

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// A value of the type "class" represents n messages, each with probability q. The number n need not be an integer.
type class struct{ n, q float64 }

const (
	gramNodes   = 16      // the number of nodes in a block of ranks
	mostClasses = 1 << 24 // the largest number of classes in a list

	newtonNodes = 3      // two steps of Newton's method, and the values at the result
	mostSteep   = 0x1p17 // see gramRule
)

// The function "classes" returns the first d ranks of p as classes. Let f(q) be q or 1-(1-q)^t with t >= 1. The sum of
// f(q_i) over these ranks equals the sum of n f(q) over the classes. The relative error is at most (12 alpha + 18)u (u
// = 2^-53). Here alpha is 0 except for Zipf's law. Messages of equal popularity form one class.
//
// For Zipf's law the ranks are divided into blocks. Within a block, q falls by at most a factor of 2. Each block is
// represented by the 16 nodes of Gauss's rule for sums over integers. This rule is exact for polynomials of degree 31
// and has positive weights. Let z be the variable that runs from -1 to 1 in a block. The number of ranks in a block is
// at most g times its first rank. Here g = 2^(1/max(alpha,1)) - 1. So q is proportional to (z-z0)^-alpha with a number
// z0 that is below -0.97 - 2/g. This function is analytic in the ellipse with the foci -1 and 1 and the half axes 2.6
// and 2.4. In this ellipse |q| is below 6 times the largest value Q in the block. The angle of q is below 60 degrees.
// Both are largest for alpha = 1. The block begins at rank 33 or later, so Q < 1/33 and |q| < 0.19. Hence |1-q| < 1 and
// Re ln(1-q) < 0 in the ellipse. So
//
//	|1-(1-q)^t| < min(2, t |ln(1-q)|) < min(2, 6.7 t Q).
//
// For real q in the block, 1-(1-q)^t is at least 1 - e^(-tQ/2). This is above 0.39 min(1, t Q). Let M be 18 times the
// least value of f in the block. Then |f| is below M inside the ellipse. The same holds for f(q) = q. The Chebyshev
// series of f, cut off after degree 31, has an error below 2M 5^-31/4. The sum and Gauss's rule both have this error.
// Together the two errors are below 2^-67 of the sum.
//
// Now consider rounding errors. The function f is concave, and f(0) = 0. Suppose that q or n has a relative error e.
// Then the product n f(q) has a relative error of at most |e|. The relative rounding error of a node is at most 6u. So
// q = x^-alpha has an error of (6 alpha + 1)u. The number n has an error of 4u (see gramRule). Each q is divided by the
// sum of all q. This sum has an error of (6 alpha + 8)u. The division adds u.
func classes(p bloomproof.Popularity, d uint64) ([]class, error) {
	if err := fault.Part(); err != nil {
		return nil, err
	}
	var all []class
	switch {
	case d == 0:
		return nil, nil
	case p.S > 0:
		high := min(d, p.S)
		all = append(all, class{float64(high), p.Weight(0)})
		if d > high {
			all = append(all, class{float64(d - high), p.Weight(p.S)})
		}
		return all, nil
	case p.Weights == nil && p.Alpha == 0:
		return []class{{float64(d), 1 / float64(p.D)}}, nil
	case p.Weights == nil:
		all = zipfClasses(p.Alpha, d)
		whole := all
		if d < p.D {
			whole = zipfClasses(p.Alpha, p.D)
		}
		total := classWeight(whole)
		for i := range all {
			all[i].q /= total
		}
		return all, nil
	}
	total := 0.0
	weight := func(i uint64) float64 { return p.Weights[i] / p.Weights[0] } // the sum does not overflow
	{
		var sum fm.Double
		for i := range p.D {
			sum = sum.AddFloat(weight(i))
		}
		total = sum.Hi
	}
	for i := uint64(0); i < d && p.Weights[i] > 0; i++ {
		q := weight(i) / total
		if q < faint {
			break
		}
		if last := len(all) - 1; last >= 0 && all[last].q == q {
			all[last].n++
			continue
		}
		if len(all) == mostClasses {
			return nil, fmt.Errorf("%w: more than 2^24 different popularities", refuse.ErrTooCostly)
		}
		all = append(all, class{1, q})
	}
	return all, nil
}

func classWeight(all []class) float64 {
	var sum fm.Double
	for i := len(all) - 1; i >= 0; i-- {
		sum = sum.AddFloat(all[i].n * all[i].q)
	}
	return sum.Hi
}

// zipfClasses returns the classes of the weights (j+1)^-alpha, j < d.
func zipfClasses(alpha float64, d uint64) []class {
	var all []class
	at := func(x float64) float64 {
		w := power(x, alpha)
		if w < faint {
			return 0
		}
		return w
	}
	grow := fm.Exp(fm.Ln2/max(alpha, 1)) - 1
	for first := uint64(1); first <= d; {
		n := min(uint64(float64(first)*grow), d-first+1)
		if n <= 2*gramNodes {
			all = append(all, class{1, at(float64(first))})
			first++
		} else {
			x, w := gramRule(float64(n))
			for i := range x {
				all = append(all, class{w[i], at(float64(first) + x[i])})
			}
			first += n
		}
		if all[len(all)-1].q == 0 {
			break
		}
	}
	return all
}

// The function "power" returns x^-alpha for x >= 1, with a relative error of at most u(1+2^-30).
func power(x, alpha float64) float64 {
	if x == 1 {
		return 1
	}
	return fm.Double{Hi: x}.Log().MulFloat(-alpha).Exp().Float64()
}

// gramRule returns nodes x and weights w for n > 32. For a polynomial f of degree 31, the sum of w f(x) over all nodes
// equals the sum of f(j) over 0 <= j < n. The polynomials that are orthogonal over these integers are called Gram
// polynomials. Let b_j = j^2 (1-j^2/n^2)/(4j^2-1). Scaled to the range -1..1, the Gram polynomials satisfy the
// recursion
//
//	P_(j+1)(z) = z P_j(z) - b_j P_(j-1)(z).
//
// The mean of P_j^2 over the integers is h_j = b_1 ... b_j. Consider the symmetric matrix with the entries sqrt(b_j)
// next to its diagonal and zeros elsewhere. The nodes are its eigenvalues. Bisection with the Sturm sequence of the
// matrix finds all of these eigenvalues. Newton's method then computes them to two words, about 106 bits. The weight of
// a node is n/K, where K is the sum of P_j^2/h_j at the node.
//
// First consider the errors of the bisection. The bisection computes a sequence of numbers. Without rounding errors, a
// slightly different matrix would give the same sequence. Each b_j of that matrix has a relative error of at most 5u (u
// = 2^-53). All entries are positive and the norm is below 1, so the eigenvalues differ by at most 2.5u. The width of
// the last interval of the bisection adds to this error. The sum is below 2^-50.
//
// Next consider the errors of Newton's method. For j <= 16, |P_j| is below 19, because b_j <= 1/3. Each step of the
// recursion has an error of at most 10*19 v (v = 2^-106). Later steps enlarge this error by a factor of less than 19.
// So P_j has an error below 2^-90. The derivative P_j' is below 16^2 * 19 by Markov's inequality, and has an error
// below 2^-77. The second derivative is bounded by |P_16"| < 2^19. For n > 32, h_15 > 2^-31.2. At a node, K = P_16'
// P_15/h_15 (Christoffel and Darboux). Moreover, K is at least 1 and at least P_15^2/h_15. So |P_16'| >= sqrt(h_15) >
// 2^-16. So the first step of Newton's method leaves an error below 2^(-100+19+16-1) = 2^-66. The second step leaves an
// error below 2^(-90+16+1) = 2^-73.
//
// Last consider the errors of the weights. The relative rounding error of K is below 2^-60. The error of the node
// changes K by 2^-73 |K'|, where K' is computed too. If |K'| <= 2^17 K, this change of K is below (u/8) K. The function
// gramRule checks this condition. In practice |K'| is at most about 100 K. Then n/K has a relative error of at most 4u.
// This holds even if n is the rounded number of ranks. Rounding changes a node x by at most 3u x.
func gramRule(n float64) (x, w [gramNodes]float64) {
	var b, h [gramNodes]fm.Double
	h[0] = fm.Double{Hi: 1}
	for j := 1; j < gramNodes; j++ {
		i := float64(j)
		share := fm.Double{Hi: i}.QuoFloat(n)
		b[j] = fm.Double{Hi: 1}.Sub(share.Mul(share)).MulFloat(i * i).QuoFloat(4*i*i - 1)
		h[j] = h[j-1].Mul(b[j])
	}
	below := func(at float64) int { // the number of eigenvalues below at
		count, d := 0, 1.0
		for j := range gramNodes {
			if d == 0 {
				d = 0x1p-60 // any number that is negligible compared with the matrix: Sturm's sequence counts it once
			}
			if j == 0 {
				d = -at
			} else {
				d = -at - b[j].Hi/d
			}
			if d < 0 {
				count++
			}
		}
		return count
	}
	for i := range gramNodes / 2 {
		low, high := -1.0, 0.0
		for range 60 { // the bits of a float64 and a margin
			if mid := (low + high) / 2; below(mid) > i {
				high = mid
			} else {
				low = mid
			}
		}
		at := fm.Double{Hi: (low + high) / 2}
		var last, k, slope fm.Double // the node before the last step, K and K'/2
		for range newtonNodes {
			before, p := fm.Double{}, fm.Double{Hi: 1} // P_(j-1) and P_j
			rise, steep := fm.Double{}, fm.Double{}    // their derivatives
			k, slope = p, fm.Double{}
			for j := range gramNodes {
				if j > 0 {
					k = k.Add(p.Mul(p).Quo(h[j]))
					slope = slope.Add(p.Mul(steep).Quo(h[j]))
				}
				before, p, rise, steep = p, at.Mul(p).Sub(b[j].Mul(before)), steep, p.Add(at.Mul(steep)).Sub(b[j].Mul(rise))
			}
			last = at
			at = at.Sub(p.Quo(steep))
		}
		at, w[i] = last, n/k.Hi
		if !(2*fm.Abs(slope.Hi) <= mostSteep*k.Hi) {
			panic("fnr: a weight of Gauss's rule is not accurate")
		}
		x[i], x[gramNodes-1-i] = (n-1)/2+at.Hi*n/2, (n-1)/2-at.Hi*n/2
		w[gramNodes-1-i] = w[i]
	}
	return x, w
}
