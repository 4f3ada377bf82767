package cycle

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
)

// This comment derives the closed form for a cycle in which all messages are new. Let V(b) be the expected number of
// arrivals of a cycle that find b bits set. Let q(j) be the probability that an arrival leaves j given bits clear. It
// is (1-j/m)^k, or C(m-j,k)/C(m,k) for classic hashing. Let X be the number of set bits after n arrivals at an empty
// filter. Then E[C(m-X,j)] = C(m,j) q(j)^n. Summing over n and inverting the binomial moments gives
//
//	V(b) = sum over j >= m-b of (-1)^(j-m+b) C(j,m-b) C(m,j)/(1-q(j)).
//
// As a function of j, 1/(1-q) has k poles. They lie at the points l_r with q(l_r) = 1, where r = 0, ..., k-1. Near l_r
// the function is about c_r/(j-l_r). The first point is l_0 = 0. For standard hashing l_r = m (1-w^r) and c_r = w^r
// m/k. Here w = e^(2 pi i/k). The contribution of a pole is V_r(b).
//
//	V_r(b) = c_r P_r(b)/(m-b-l_r).
//	P_r(b) = product over t < b of (m-t)/(m-t-l_r).
//
// If a cycle begins with d bits set, the product begins at t = d. The pole at 0 gives V_0(b) = c/(m-b) for every d.
// Here c is m/k, or 1/(H_m - H_(m-k)) for classic hashing, where H_m is a harmonic number. If a cycle begins with d
// bits set, let E[N_d] be the mean number of its arrivals. It is the sum of V(b) over b = d, ..., sigma. P_r oscillates
// and tends to 0 (see Truncation). Moreover P_r(b+1) - P_r(b) = l_r P_r(b)/(m-b-l_r). So
//
//	E[N_d] = c (H_(m-d) - H_(m-sigma-1)) + a + sum over r > 0 of (c_r/l_r) P_r(sigma+1).
//
// Here a is the value of 1/(1-q(j)) - c/j at j = 0. This value is -(sum over r > 0 of c_r/l_r). It equals (1 -
// p/e^2)/2. Here e is the sum of 1/(m-i) over the k positions, and p is the sum of 1/(m-i)^2. For standard hashing a =
// (k-1)/(2k).
//
// An arrival with d distinct positions finds them all set with probability C(b,d)/C(m,d). Let r_i be the product of
// (sigma+1-t)/(m-t) over t < i. Let R_d be the sum of r_i/i over i > d. Then
//
//	sum over b <= sigma of C(b,d)/C(m,d)/(m-b) = R_d.
//
// The reason is that the polynomial C(m,d)-C(b,d) has the factor m-b. Let D be the number of distinct positions of a
// message. Then the mean number of false positives in a cycle is c times the sum over d of P[D = d] R_d. Let g_d = H_m
// - H_(m-d). For the message that ends the cycle, the probability of D = d is c g_d times P[D = d]. For the visits V_0
// this probability follows from two facts. Exactly one arrival ends the cycle. If all messages have d distinct
// positions, c = 1/g_d. A filter that retains the triggering message begins each cycle with the message that ended the
// last cycle. If this message gets fresh positions, the distribution of its number D is the same as for an arbitrary
// message. So E[N] = E[N_0] - E[c g_D].

// closedNumbers returns the Numbers of a cycle, computed by the closed form. Their relative error is at most 30u (u =
// 2^-53) plus the argument "truncation". The closed form leaves out the poles r > 0. The argument "truncation" is the
// error that this causes.
func closedNumbers(g bloomproof.Geometry, r bloomproof.Recycling, truncation float64) Numbers {
	f := NewClosedForm(g)
	arrivals := f.Scale.Mul(fm.Harmonic(g.M-r.Sigma, g.M)).AddFloat(f.Offset)
	if r.Retain {
		for i, p := range f.Entry(r.FreshPositions).Law {
			arrivals = arrivals.Sub(f.share(f.least() + i).MulFloat(p))
		}
	}
	sums := HitSums(g.M, r.Sigma, f.most, len(f.distinct))
	positives := sums[0].Times(fm.Double{Hi: f.distinct[0]})
	for i, p := range f.distinct[1:] {
		positives = positives.Add(sums[i+1].Times(fm.Double{Hi: p}))
	}
	return Numbers{
		Arrivals:  arrivals.Hi,
		Positives: positives.Times(f.Scale),
		Err:       truncation + closedRounding*fm.Unit,
	}
}

// ClosedForm holds the constants of the closed form (see the top of this file) for a geometry.
type ClosedForm struct {
	m        uint64
	Scale    fm.Double // c
	Offset   float64   // a
	most     int       // the largest number of distinct positions of a message
	distinct []float64 // P[D = most-i], within 8u; the probability left out is below 2^-75
}

// NewClosedForm returns the closed form for g.
func NewClosedForm(g bloomproof.Geometry) ClosedForm {
	f := ClosedForm{m: g.M}
	f.Scale, f.Offset = message.Closed(g)
	f.most, f.distinct = message.Number(g)
	return f
}

// The method "least" returns the smallest d for which the field "distinct" has an entry. Here d is a number of distinct
// positions.
func (f ClosedForm) least() int { return f.most - len(f.distinct) + 1 }

// The method "share" returns c g_d (see the top of this file), which is about d/k. Let D be the number of distinct
// positions of a message. For the message that ends a cycle, the probability of D = d is P[D = d] times share(d).
func (f ClosedForm) share(d int) fm.Double {
	return f.Scale.Mul(fm.Harmonic(f.m-uint64(d)+1, f.m))
}

const (
	// closedRounding bounds the relative error of the closed form without the truncation error. The unit of the bound
	// is u = 2^-53. It has four parts. The distribution P[D = d] contributes 8u. The other parts are the errors of the
	// products and sums in two words, the rounding errors at the end, and a margin.
	closedRounding = 30

	// If r_k is above littleLeft, R_k is computed by subtracting the first k terms from R_0. The comment at the top of
	// this file defines r_k and R_k. This difference is at least R_0 times 2^-22/((k+1) ln(m/(m-sigma))). In two words
	// it has a relative error of 2^-90.
	littleLeft = 0x1p-22

	// The rest of a series is left out if it is below tailEnd times the sum of the terms before it.
	tailEnd = 0x1p-60
)

// HitSums returns R_d for d = most, most-1, ... (see the top of this file). The argument "count" is the number of
// these values of d. Each value has a relative error of at most 2^-54.
//
// In most cases R_most is computed by adding its terms. If r_most is above littleLeft and most <= sigma, R_most is
// instead computed from R_0, by subtracting the terms up to i = most. Here R_0 = H_m - H_(m-sigma-1). The other R_d follow from R_most by
// adding terms. The bound of the error uses three facts, with s = (sigma+1)/m. All quotients r_i/r_(i-1) are at most s.
// R_d is at least r_(d+1)/(d+1). If R_most is computed by subtraction, s^most is above e^-16.
func HitSums(m, sigma uint64, most, count int) []fm.Scaled {
	ratio := make([]fm.Double, most+1)   // r_i/r_(i-1)
	partial := make([]fm.Scaled, most+1) // r_i
	partial[0] = fm.Whole(1).Scale()
	for i := 1; i <= most; i++ {
		t := uint64(i - 1)
		if t > sigma {
			ratio[i] = fm.Double{}
		} else {
			ratio[i] = fm.Whole(sigma - t).AddFloat(1).Quo(fm.Whole(m - t))
		}
		partial[i] = partial[i-1].Times(ratio[i])
	}
	sums := make([]fm.Scaled, count)
	switch {
	case uint64(most) > sigma: // all terms of R_most are 0
	case partial[most].Exp == 0 && partial[most].Hi > littleLeft:
		rest := fm.Harmonic(m-sigma, m)
		for i := 1; i <= most; i++ {
			rest = rest.Sub(partial[i].Double.QuoFloat(float64(i)))
		}
		sums[0] = rest.Scale()
	default:
		sums[0] = partial[most].Times(hitTail(m, sigma, most, tailEnd))
	}
	for j := 1; j < count; j++ {
		d := most - j
		sums[j] = sums[j-1].Add(partial[d+1].Times(fm.Whole(1).QuoFloat(float64(d + 1))))
	}
	return sums
}

// hitTail returns R_d/r_d. Here R_d is the sum over i > d of r_i/i (see the top of this file). The rest of the sum is
// left out if it is below the argument "end" times the sum.
func hitTail(m, sigma uint64, d int, end float64) fm.Double {
	sum, product := fm.Double{}, fm.Whole(1)
	for t := uint64(d); t <= sigma; t++ {
		product = product.Mul(fm.Whole(sigma - t).AddFloat(1).Quo(fm.Whole(m - t)))
		term := product.QuoFloat(float64(t + 1))
		sum = sum.Add(term)
		// If all i+1 were equal, the remaining terms would add up to (sigma-t)/(m-sigma) times this term. The reason is
		// that the sum of C(s,j)/C(n,j) over j >= 1 is s/(n-s+1). As i+1 grows, they add up to less.
		if term.Hi*float64(m) < end*sum.Hi*float64(m-sigma) {
			break
		}
	}
	return sum
}
