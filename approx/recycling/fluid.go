package recycling

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// Fluid returns the false-positive rate and the capacity in the limit of large m at fixed s = sigma/m. If the argument
// "corrected" is set, the result includes the corrections x/m and y/m. They are known for one phase only. Let L =
// -ln(1-s), and let I be the sum over j > k of s^j/j.
//
//	The corrected rate is I/L (1 + x/m).
//	The corrected capacity is m L/k (1 + y/m).
//	The number x is (s^k/(1-s) - e s^k)/(2I) - (k + 1/(1-s))/(2L) + r k/L.
//	The number y is (k + 1/(1-s))/(2L) - r k/L - e/2.
//
// Here e is k-1 for classic hashing, and 0 otherwise. The number r is 1 if the filter retains the triggering message,
// and 0 otherwise. For k = 7 and s = 1/2, x is 2.33. For two phases, the limit of the rate is 1-(1-I/L)(1-s^k). It does
// not depend on copy-over. Without copy-over the capacity is divided by 1-s^k.
//
// For large m these formulas follow from the formulas at the top of internal/cycle/closed.go. By the Euler-Maclaurin
// formula, the difference of harmonic numbers H_m - H_(m-sigma-1) is L + (1 + 1/(1-s))/(2m). The factor c is (m/k) (1 -
// e/(2m)). So E[N_0] = (m/k) (1 - e/(2m)) (L + (1 + 1/(1-s))/(2m)) + (k-1)/(2k). The mean number of false positives in
// a cycle is c times the following number. For standard hashing it is the sum of (b/m)^k/(m-b) over b <= sigma. This
// sum is I + s^k/(1-s)/(2m). For classic hashing it is the sum over i > k of r_i/i. This sum is I + (s^k/(1-s) - e
// s^k)/(2m). Here r_i = s^i (1 + a/m) with a = i/s - (1/s-1) i(i-1)/2. If a filter retains the triggering message, it
// has one arrival fewer per cycle. The number of false positives is the same. All errors are O(1/m^2) at fixed s < 1
// and k.
//
// Source: Dozier-FP, equations (18) and (23), in the limit of large m.
// Domain: the same as for New, sigma >= 1.
// Error: at fixed s and k, corrected values have an error of O(1/m^2), and other values have an error of O(1/m). Let z
// = (k/s + 1/(1-s))/m. For m >= 2^18 TestFluid checks that the corrected values have a relative error of at most 3 z^2.
// For classic hashing this limit is k times as large. The methods FPR and Capacity take as long as Fluid, and their
// errors have proven bounds.
// Cost: the number of steps is the smaller of k and 45/(1-s).
// Errors: ErrUndefined for sigma = 0 and for message-bounded filters. If the filter has two phases and the argument
// "corrected" is true, the error is ErrUndefined too.
func (c *Cycle) Fluid(corrected bool) (rate, capacity float64, err error) {
	two := c.r.TwoPhase
	if c.r.Sigma == 0 || two && corrected { // Sigma is 0 for message-bounded filters too
		return 0, 0, refuse.ErrUndefined
	}
	m, k := float64(c.g.M), float64(c.g.K)
	s := fm.Whole(c.r.Sigma).Quo(fm.Whole(c.g.M))
	l := fm.LogMiss(c.r.Sigma, c.g.M).Neg()
	power := s.Scale().Pow(c.g.K)
	hits := fluidHits(s, power, l, c.g.K)
	rate, capacity = hits.Times(fm.Whole(1).Quo(l)).Float64(), m*l.Hi/k
	if two {
		full := power.Float64()
		rate += full * (1 - rate)
		if c.r.NoCopyOver {
			capacity /= message.Miss(bloomproof.Geometry{M: c.g.M, K: c.g.K}, c.r.Sigma)
		}
	}
	if !corrected {
		return rate, capacity, nil
	}
	full := m / float64(c.g.M-c.r.Sigma) // 1/(1-s)
	y := (k + full) / (2 * l.Hi)
	if c.r.Retain {
		y -= k / l.Hi
	}
	e := 0.0
	if message.Avoids(c.g) {
		e = k - 1
	}
	x := power.Quo(hits)*(full-e)/2 - y
	return rate * (1 + x/m), capacity * (1 + (y-e/2)/m), nil
}

const (
	// If s^k is above littleLeft, the sum I (see fluidHits) is computed by subtracting the first k terms s^j/j from L.
	// The numbers are computed in two words with a relative error of 2^-100. The subtraction loses at most 22 + log2 k
	// bits.
	littleLeft = 0x1p-22
	// If s^k is at most littleLeft, the terms of the sum I are added. A term s^j/j is left out if its power s^j is
	// below tailEnd times the power of the first term. For 1-s >= 2^-6 the sum of the terms that are left out is below
	// 2^-64. For smaller 1-s the first k terms are subtracted from L.
	tailEnd = 0x1p-70
)

// fluidHits returns I = sum over j > k of s^j/j. The argument "power" is s^k, and the argument l is L = -ln(1-s). It
// subtracts the first k terms from L if enough digits remain. Otherwise it sums the series of I term by term.
func fluidHits(s fm.Double, power fm.Scaled, l fm.Double, k int) fm.Scaled {
	if power.Exp == 0 && power.Hi > littleLeft {
		p := fm.Whole(1)
		for i := 1; i <= k; i++ {
			p = p.Mul(s)
			l = l.Sub(p.QuoFloat(float64(i)))
		}
		return l.Scale()
	}
	sum, p := fm.Double{}, fm.Whole(1)
	for i := k + 1; p.Hi > tailEnd; i++ {
		p = p.Mul(s)
		sum = sum.Add(p.QuoFloat(float64(i)))
	}
	return power.Times(sum)
}
