package approx

import (
	"errors"
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
	"github.com/bloomproof/bloomproof/approx/internal/sizing"
)

// Optimum is the result of a search. It describes the filter with the least rate, the most items or the fewest bits.
type Optimum struct {
	Geometry bloomproof.Geometry // can be passed to kernel.New
	N        uint64              // number of items
	Rate     float64
	Rival    int // another k whose rate is the same within the errors of FPR, or 0 if there is none
	// Certain reports that no error of FPR can change the answer. One exception is possible: Rival may be better than
	// K. It is true if two conditions hold. The first condition is about each k other than K and Rival. For this k, the
	// rate or a lower bound of the rate exceeds the rate for K by more than the errors. The second condition is about
	// the target rate, if there is one. The rate for K differs from the target rate by more than its error.
	Certain bool
}

// OptimalK returns the filter of g.M bits whose k gives the least false-positive rate for n items. It considers all k
// up to 4096. For classic hashing k must be at most m, and for partitioned hashing k must divide m. The result has
//
//	k* = argmin over k of FPR(m, n, k).
//
// The search begins with k = (m/n) ln 2 and goes from there to a local minimum. Lower bounds of the rate exclude all k
// that are far from this minimum. Each of the following bounds has only one minimum as a function of k:
//
//	f_S(k) >= (1-(1-1/m)^(nk))^k,
//	f_C(k) >= (1-(1-k/m)^(n-1))^k.
//
// Here f_S and f_C are the rates for standard and classic hashing. The bound of f_C follows from f_C >= C(mu,k)/C(m,k)
// (Burns, Theorem 15). Here mu is the mean number of set bits. If (1-1/m)^n <= 1/2, k = 1 is best. The reason is that
// 1-f < k (1-1/m)^(nk) <= (1-1/m)^n for k > 1. With blocks, f >= P[N >= i] f_i. Here N is the random number of items of
// a block, and f_i is the rate of a block with i items. The bounds above are then applied to f_i.
//
// Source: Burns, equation (67), with argmin in place of min.
// Domain: g is valid except that its K is 0; 0 <= n < 2^64. For n = 0, and for m = 1, all k have the same rate.
// Error: the error of the rate is the same as for FPR. The field Certain says whether such errors could change K.
// Cost: computing about 6 rates, and one rate for each further k that the bounds do not exclude. About 1.4 k/sqrt(n)
// values of k are not excluded. If this would take more than a second, it stops and Certain is false. The measured time
// is below 0.3 ms for m = 2^40 and n = 3*10^10. For filters with blocks, a table is computed once for each k. The table
// has the rates of a block with 0, 1, ... items. This takes about 1 ms for blocks of 512 bits and rates up to 1/2. For
// larger rates, the search also calls FPR.
// Errors: *bloomproof.ParamError. With blocks, there are two reasons for ErrTooCostly: a block has more than 2^20
// items, or the rates for one k would take more than a second.
func OptimalK(g bloomproof.Geometry, n uint64) (Optimum, error) {
	if g.K != 0 {
		return Optimum{}, &bloomproof.ParamError{Param: "k", Value: g.K, Want: "0, which is looked for"}
	}
	g.K = 1
	h, err := searched(g)
	if err != nil {
		return Optimum{}, err
	}
	return h.found(newKSearch(h, g.M, n).best())
}

// MostItems returns the largest n for which a filter of shape g has a rate of at most p. With g.K = 0 it uses the best
// k for that n. The rate increases with n.
//
// Source: Burns, section 3.4, before equation (66), which gives the first n whose rate exceeds p.
// Domain: g is valid, except that g.K may be 0; 0 < p < 1. The answer is N = 0 if even one item is too many.
// Error: the error of the rate is the same as for FPR. The field Certain says whether such errors could change N or K.
// Cost: computing about 10 rates for a given k. For the best k it is about 4 times the cost of OptimalK. For m = 2^40
// it is below 1 ms. With blocks see OptimalK.
// Errors: *bloomproof.ParamError; ErrRange if the answer is 2^64-1 or more. With blocks, ErrTooCostly is returned in
// the same cases as by OptimalK.
func MostItems(g bloomproof.Geometry, p float64) (Optimum, error) {
	if g.M < 1 {
		return Optimum{}, &bloomproof.ParamError{Param: "m", Value: g.M, Want: "between 1 and 2^64-1"}
	}
	h, err := sized(g, p)
	if err != nil {
		return Optimum{}, err
	}
	m, k, target := g.M, g.K, targetRate(p)
	if k > 0 {
		n, certain, err := h.mostItems(m, k, target)
		if err != nil {
			return Optimum{}, err
		}
		return h.found(h.fixedK(m, n, k, certain))
	}
	if m == 1 {
		return newKSearch(h, m, 0).best(), nil
	}
	k = newKSearch(h, m, 1).nearest(-fm.Log(p) / fm.Ln2)
	var n uint64
	certain := true
	for {
		more, sure, err := h.mostItems(m, k, target)
		if err != nil {
			return Optimum{}, err
		}
		n, certain = max(n, more), certain && sure
		beyond := newKSearch(h, m, n+1).best()
		next := h.rateOf(m, n+1, beyond.Geometry.K)
		if next.atMost(target) {
			k = beyond.Geometry.K
			continue
		}
		// The result n is certain only under one condition: for every k, the rate with n+1 items must be above p. It
		// does not suffice that this rate is above p for one k.
		certain = certain && beyond.Certain && next.cmp(target, h.rateError(beyond.Geometry.K)) > 0
		o := newKSearch(h, m, n).best()
		o.Certain = certain && o.Certain
		return h.found(o)
	}
}

// LeastBits returns the smallest m for which a filter with n items has a rate of at most p. The filter has the k, the
// hashing and the block size of g. With g.K = 0 it uses the best k for that m. For partitioned hashing m is a multiple
// of k; with blocks m is a multiple of the block size. The rate decreases as m increases.
//
// Source: Burns, section 3.4, before equation (66), which gives the largest m whose rate exceeds p.
// Domain: g is valid except that its M is 0 and its K may be 0; 0 <= n < 2^64; 0 < p < 1.
// Error, Cost: the same as for MostItems.
// Errors: *bloomproof.ParamError; ErrRange if the answer is above 2^64-1. With blocks, ErrTooCostly is returned in the
// same cases as by OptimalK.
func LeastBits(g bloomproof.Geometry, n uint64, p float64) (Optimum, error) {
	if g.M != 0 {
		return Optimum{}, &bloomproof.ParamError{Param: "m", Value: g.M, Want: "0, which is looked for"}
	}
	h, err := sized(g, p)
	if err != nil {
		return Optimum{}, err
	}
	k, target := g.K, targetRate(p)
	switch {
	case k > 0:
		m, certain, err := h.leastBits(n, k, target)
		if err != nil {
			return Optimum{}, err
		}
		return h.found(h.fixedK(m, n, k, certain))
	case n == 0:
		return h.found(newKSearch(h, h.step(1), 0).best())
	}
	k = h.nearK(-fm.Log(p) / fm.Ln2)
	m, certain, err := h.leastBits(n, k, target)
	if err != nil {
		return Optimum{}, err
	}
	if h.kDividesM {
		// As a function of real k, (1-(1-k/m)^n)^k has only one minimum. So any k that needs fewer bits lies near the k
		// found.
		for _, step := range []int{-1, 1} {
			for at := k + step; at >= 1 && at <= bloomproof.MaxK && upperLn(m, n, at) <= fm.Log(p)*(1-lnError); at += step {
				less, sure, err := h.leastBits(n, at, target)
				if errors.Is(err, refuse.ErrRange) {
					continue // this k needs more bits
				}
				if err != nil {
					return Optimum{}, err
				}
				if less < m {
					m, certain = less, sure
				}
			}
		}
		o := newKSearch(h, m, n).best()
		o.Certain = o.Certain && certain
		return o, nil
	}
	for step := h.step(1); m > step; {
		below := newKSearch(h, m-step, n).best()
		next := h.rateOf(m-step, n, below.Geometry.K)
		if !next.atMost(target) {
			certain = certain && below.Certain && next.cmp(target, h.rateError(below.Geometry.K)) > 0
			break
		}
		if m, certain, err = h.leastBits(n, below.Geometry.K, target); err != nil {
			return Optimum{}, err
		}
	}
	o := newKSearch(h, m, n).best()
	o.Certain = certain && o.Certain
	return h.found(o)
}

// The function "sized" validates the arguments of MostItems and LeastBits, and returns the formulas for the hashing of
// g.
func sized(g bloomproof.Geometry, p float64) (*hashing, error) {
	if err := sizing.Check(g, p); err != nil {
		return nil, err
	}
	g.K = max(g.K, 1)
	if g.M == 0 {
		g.M = max(g.Block, uint64(g.K))
	}
	return searched(g)
}

// The method "geometry" returns the geometry with m bits and k positions for each item.
func (h *hashing) geometry(m uint64, k int) bloomproof.Geometry {
	g := bloomproof.Geometry{M: m, K: k, Hashing: h.is}
	if h.blocks != nil {
		g.Block = h.blocks.bits
	}
	return g
}

// fixedK returns the Optimum for a search in which the caller gave k.
func (h *hashing) fixedK(m, n uint64, k int, certain bool) Optimum {
	return Optimum{Geometry: h.geometry(m, k), N: n, Rate: h.rateOf(m, n, k).float64(), Certain: certain}
}

// mostItems returns the largest n for which the rate is at most p, and reports whether this n is certain.
func (h *hashing) mostItems(m uint64, k int, p rate) (n uint64, certain bool, err error) {
	if err := fault.Part(); err != nil {
		return 0, false, err
	}
	const most = 1<<64 - 1
	if one := h.draws(m, 1, k); one.size == one.m && h.bits(m) == m { // one item sets all bits
		return 0, true, nil
	}
	at := func(n uint64) rate { return h.rateOf(m, n, k) }
	// Guess the n for which (1-(1-k/m)^n)^k = p, and improve it by Newton's method for ln f = ln p.
	kf := float64(k)
	set := fm.Exp(p.ln() / kf) // the fill, which is the rate of one position
	each := -fm.Log1p(-kf / float64(m))
	if uint64(k) >= m {
		each = -kf * fm.Log1p(-1/float64(m))
	}
	clear := -fm.Expm1(p.ln() / kf)
	guess := refine(-fm.Log(clear)/each, 0, kf*each*clear/set, p, at)
	n = sizing.LastTrue(0, most, guess, func(n uint64) bool { return at(n).atMost(p) })
	if n == most {
		return 0, false, fmt.Errorf("n is 2^64-1 or more: %w", refuse.ErrRange)
	}
	e := h.rateError(k)
	return n, (n == 0 || at(n).cmp(p, e) < 0) && at(n+1).cmp(p, e) > 0, nil
}

// leastBits returns the smallest m for which the rate is at most p, and reports whether this m is certain.
func (h *hashing) leastBits(n uint64, k int, p rate) (m uint64, certain bool, err error) {
	if err := fault.Part(); err != nil {
		return 0, false, err
	}
	const most = 1<<64 - 1
	unit := h.step(k)
	least := h.leastM(k) / unit
	if n == 0 {
		return max(least, 1) * unit, true, nil
	}
	at := func(x uint64) rate {
		if x == 0 {
			return near1(0)
		}
		return h.rateOf(x*unit, n, k)
	}
	// Guess the m for which (1-e^(-kn/m))^k = p, and improve it by Newton's method for ln f = ln p.
	kf := float64(k)
	t := -fm.Log(-fm.Expm1(p.ln() / kf))
	guess := kf * float64(n) / t / float64(unit)
	slope := -kf * t / fm.Expm1(t) / guess
	guess = refine(guess, float64(least), slope, p, at)
	// If m is equal to the variable "least", the rate is 1. So the function that is passed to LastTrue returns true for
	// this m.
	x := sizing.LastTrue(least, most/unit, guess, func(x uint64) bool { return !at(x).atMost(p) })
	if x == most/unit {
		return 0, false, fmt.Errorf("m is above 2^64-1: %w", refuse.ErrRange)
	}
	e := h.rateError(k)
	return (x + 1) * unit, at(x).cmp(p, e) > 0 && at(x+1).cmp(p, e) < 0, nil
}

// The constant "refinements" is the number of steps of Newton's method that improve a guess. Each step squares the
// relative error. A guess above mostGuess is not improved, because the improved guess might not fit into a uint64.
const (
	refinements = 3
	mostGuess   = 0x1p63
)

// The function "refine" returns an x that is nearer to the solution of ln f(x) = ln p. The argument "at" is the
// function f. The argument "slope" is the derivative of ln f at the given x.
func refine(x, least, slope float64, p rate, at func(uint64) rate) float64 {
	for range refinements {
		if !(x > least && x < mostGuess) {
			break
		}
		next := x - (at(uint64(x)).ln()-p.ln())/slope
		x = min(max(next, x/2), 2*x)
	}
	return x
}
