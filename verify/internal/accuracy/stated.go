package accuracy

import (
	"cmp"
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
)

// The type Stated has two values of the same error bound. Package approx has returned the first. The second was
// computed independently.
type Stated struct {
	Of     string  // the function and its arguments
	Method string  // the method by which approx computed the value; each method has its own derivation
	Bound  float64 // as approx returned it
	Again  float64 // as computed from the documentation
	most   float64 // the largest permitted value of Bound/Again; 0 stands for mostShare
}

// The files stated_NAME.go compute the bounds again from the formulas that the comments of approx derive. They share no
// code with approx. The formulas depend on quantities such as the length of a cycle, the states of an array, or the
// arrivals of a workload. These facts come from package exact. For small filters they can also come from sums over all
// terms.
//
// A bound below the value of its formula would not be proven. A bound above this value would be too wide. The constant
// againError covers the errors of this second computation. They have two causes. First, all messages in a block of
// neighbouring ranks get the same popularity. Second, Simpson's rule approximates the integrals. The largest quotient of
// a bound and its formula was 1.0039, so the tests permit up to mostShare.
const (
	againError = 1e-3
	mostShare  = 1.005
)

// Some bounds are above their formulas, because package approx rounds parts of them up. The comment of each constant
// says which parts, and what the largest quotient was.
const (
	mostExact      = 2    // the end of an integral, for which the formula is smaller: 1.82
	mostClosedForm = 1.3  // k/(sigma-k), for which Truncation has k(k+1)/sigma: 9/7
	mostChain      = 1.11 // the margin of PathError, k+5: 1.0994
	mostMessages   = 1.15 // the number of states in which a cycle can begin: 1.1372
)

// Check compares the bound with the value of its formula. It returns an error if the bound is smaller than this value.
// It also returns an error if the bound is too large.
func (s Stated) Check() error {
	share, most := s.Bound/s.Again, cmp.Or(s.most, mostShare)
	if !(share >= 1-againError && share < most) || math.IsInf(s.Again, 0) {
		return fmt.Errorf("%s by %s: the stated bound is %.5g, computed again it is %.5g: %.4f times that, want between 1 and %v", s.Of, s.Method, s.Bound, s.Again, share, most)
	}
	return nil
}

// u = 2^-53 is the unit in which error bounds are stated.
const u = 0x1p-53

// A position of a message may have to differ from the earlier positions of the message. The function "taken" returns
// the number of bits that position q cannot choose for this reason.
func taken(g bloomproof.Geometry, q int) float64 {
	if hashings[g.Hashing].independent {
		return 0
	}
	return float64(q)
}

// The function "matches" returns the probability rho(b) for b set bits. It is the probability that a message finds all
// its positions set.
func matches(g bloomproof.Geometry, b float64) float64 {
	p := 1.0
	for q := range g.K {
		t := taken(g, q)
		p *= max(0, b-t) / (float64(g.M) - t)
	}
	return p
}

// The function "positions" returns the distribution of the number of distinct positions of a message.
func positions(g bloomproof.Geometry) []float64 {
	p := []float64{1}
	for q := range g.K {
		next := make([]float64, len(p)+1)
		for d, x := range p {
			old := max(0, float64(d)-taken(g, q)) / (float64(g.M) - taken(g, q))
			next[d] += x * old
			next[d+1] += x * (1 - old)
		}
		p = next
	}
	return p
}
