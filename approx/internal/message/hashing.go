package message

import (
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// A hashing describes one way to draw the k positions of a message. The packages of recycling filters use it. Each
// hashing is defined in a file hashing_NAME.go of its own. Code in other files of these packages does not depend on
// which hashing a filter has.
type hashing struct {
	is bloomproof.Hashing

	avoided int                // 1 if a position differs from the earlier positions of its message, otherwise 0
	fewest  func(k int) uint64 // the least number of distinct positions

	hitAt      func(m, b uint64, k int) fm.Scaled                      // HitAt
	ratios     func(at float64, k int) func(b float64) float64         // HitRatios
	clear      func(m float64, k int, j float64) float64               // Clear
	number     func(m uint64, k int) (most int, w []float64)           // Number
	allNumbers func(m uint64, k int) []fm.Scaled                       // AllNumbers
	closed     func(m uint64, k int) (scale fm.Double, offset float64) // Closed
	poles      func(m uint64, k int) (factor float64, known bool)      // Poles
}

// The slice hashings lists the known hashings. The array byValue holds the same hashings, indexed by the value of
// bloomproof.Hashing. This array makes access fast in loops over states.
var (
	hashings = []*hashing{&standardHashing, &classicHashing}
	byValue  [256]*hashing
)

func init() {
	for _, h := range hashings {
		byValue[h.is] = h
	}
}

// Known returns an error if no formulas of recycling filters are known for the hashing or the blocks of g. The other
// functions of this package require a valid geometry for which Known returns no error.
func Known(g bloomproof.Geometry) error {
	if err := fault.Part(); err != nil {
		return err
	}
	if g.Block != 0 {
		return &bloomproof.ParamError{Param: "block", Value: g.Block, Want: "0 for recycling filters"}
	}
	if slices.ContainsFunc(hashings, func(h *hashing) bool { return h.is == g.Hashing }) {
		return nil
	}
	var names []string
	for _, h := range hashings {
		names = append(names, h.is.String())
	}
	return &bloomproof.ParamError{Param: "hashing", Value: g.Hashing, Want: strings.Join(names, " or ") + " for recycling filters"}
}

// The function named "of" looks up the hashing of a geometry.
func of(g bloomproof.Geometry) *hashing { return byValue[g.Hashing] }

// Avoids reports whether the k positions of a message are always distinct.
func Avoids(g bloomproof.Geometry) bool { return of(g).avoided != 0 }

// Taken returns the number of bits that position q of a message cannot choose. Earlier positions of the message have
// chosen these bits. The first position has q = 0.
func Taken(g bloomproof.Geometry, q int) int { return of(g).avoided * q }

// Fewest returns the least number of distinct positions that a message can have.
func Fewest(g bloomproof.Geometry) uint64 { return of(g).fewest(g.K) }

// MostK returns the largest k of a filter of g.M bits.
func MostK(g bloomproof.Geometry) int {
	if Avoids(g) {
		return int(min(g.M, bloomproof.MaxK))
	}
	return bloomproof.MaxK
}

// HitAt returns rho(b), the probability that a new message finds all its positions set if b bits are set.
func HitAt(g bloomproof.Geometry, b uint64) fm.Scaled { return of(g).hitAt(g.M, b, g.K) }

// HitRatios returns the function that gives rho(b)/rho(a) for b > 0. Here rho(b) is the result of HitAt for b set bits.
// The argument "at" is the number a of set bits. The relative error of rho(b)/rho(a) is at most 2k u, where u = 2^-53.
func HitRatios(g bloomproof.Geometry, at float64) func(b float64) float64 {
	return of(g).ratios(at, g.K)
}

// Clear returns the logarithm of the probability that a message leaves j given bits clear.
func Clear(g bloomproof.Geometry, j float64) float64 { return of(g).clear(float64(g.M), g.K, j) }

// Number returns the distribution of the number D of distinct positions of a message. The element w[j] is the
// probability of D = most-j. This element has a relative error of at most 8u (u = 2^-53). The total probability of the
// values of D that are left out is below 2^-75.
func Number(g bloomproof.Geometry) (most int, w []float64) { return of(g).number(g.M, g.K) }

// AllNumbers returns, for d = 0..k, the probability P[D = d] that a message has d distinct positions. It includes even
// the smallest probabilities.
func AllNumbers(g bloomproof.Geometry) []fm.Scaled { return of(g).allNumbers(g.M, g.K) }

// Closed returns the coefficient c of the pole of 1/(1-q) at 0, and the constant term a. The comment at the top of
// cycle/closed.go defines both.
func Closed(g bloomproof.Geometry) (c fm.Double, a float64) { return of(g).closed(g.M, g.K) }

// Poles returns an upper bound of S/S_0, and reports whether such a bound is known. Here S is the sum of |c_r/l_r| over
// r = 1, ..., k-1. S_0 is this sum for standard hashing. The comment at the top of cycle/closed.go defines c_r and l_r.
func Poles(g bloomproof.Geometry) (factor float64, known bool) { return of(g).poles(g.M, g.K) }

// Apart returns the geometry of a filter of m bits in which every message has d distinct positions.
func Apart(m uint64, d int) bloomproof.Geometry {
	return bloomproof.Geometry{M: m, K: d, Hashing: classicHashing.is}
}
