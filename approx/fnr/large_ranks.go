package fnr

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// A class represents n messages with probability q each; n need not be an integer.
type class struct{ n, q float64 }

const (
	gramNodes   = 16      // the number of nodes in a block of ranks
	mostClasses = 1 << 24 // the most classes of a list
)

// classes returns the first d ranks of p as classes. Let f(q) be a power of q times (1-q)^t or e^(-qt), with t >= 0.
// Then the sum of f(q_i) over these ranks equals the sum of n f(q) over the classes, exactly or with the error given
// below. Messages of equal popularity form one class.
//
// For Zipf's law the ranks are divided into blocks within which q falls by at most a factor of 2. Each block is
// represented by the 16 nodes of Gauss's rule for sums over integers, which is exact for polynomials of degree 31. As a
// function of the rank x, q is analytic except at x = -1. The distance of a block from x = -1 is at least the length of
// the block. So a polynomial of degree 31 approximates q within (3+sqrt 8)^-32 = 2^-81. As a function of q, e^(-qt) is
// e^(-3Y/4) times a series of Chebyshev polynomials with the Bessel functions I_j(Y/4) as coefficients, where Y = qt at
// the first rank of the block. The terms beyond degree 31 are at most (Y/8)^32/32! e^(-Y/2) < 2^-67 for every t. That
// the rounding errors of the nodes and weights are small too is not proven. The largest error of a sum that was found
// is below 2^-44 of the sum, for alpha up to 8 (see steadyError).
func classes(p bloomproof.Popularity, d uint64) ([]class, error) {
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
	at := func(x float64) float64 { // x^-alpha
		w := fm.Exp(-alpha * fm.Log(x))
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

// gramRule returns nodes x and weights w such that the sum of f(j) over 0 <= j < n equals the sum of w f(x), for
// polynomials f of degree 31. The polynomials that are orthogonal over these integers are Gram's:
//
//	P_(j+1)(x) = (x - (n-1)/2) P_j(x) - b_j P_(j-1)(x),  b_j = j^2 (n^2-j^2)/(4 (4j^2-1)),
//
// The nodes are the eigenvalues of the symmetric matrix of that recursion. Bisection with the Sturm sequence of the
// matrix finds all of them and cannot miss one. The range of the nodes is scaled to -1..1 for this. The weight of a
// node is 1 divided by the sum of the squares of the normalised polynomials at the node.
func gramRule(n float64) (x, w [gramNodes]float64) {
	var b [gramNodes]float64
	for j := 1; j < gramNodes; j++ {
		i := float64(j)
		b[j] = i * i * (1 - i*i/(n*n)) / (4*i*i - 1)
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
				d = -at - b[j]/d
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
		at := (low + high) / 2
		before, p, sum := 0.0, 1.0, 1.0
		for j := 1; j < gramNodes; j++ {
			before, p = p, (at*p-fm.Sqrt(b[j-1])*before)/fm.Sqrt(b[j])
			sum += p * p
		}
		x[i], x[gramNodes-1-i] = (n-1)/2+at*n/2, (n-1)/2-at*n/2
		w[i], w[gramNodes-1-i] = n/sum, n/sum
	}
	return x, w
}
