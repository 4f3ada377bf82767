package exact

import (
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// Optimum is a filter that is best in one of its parameters.
type Optimum struct {
	M, N uint64
	// K to Last have the same rate and no other k a smaller one; a partitioned filter has
	// those of them that divide M.
	K, Last int
	Rate    Enclosure
	Proof   Proof
}

// Proof says what the choice of k in an Optimum rests on. All comparisons are certain,
// and what is said of n and m needs no more: the rate grows with n and falls with m.
type Proof uint8

const (
	// Proven: every k was compared, or excluded by a lower bound of its rate.
	Proven Proof = iota
	// AssumesUnimodal: the neighbours are worse, and the rate is taken to fall up to its
	// minimum in k and to rise after it, which is not proven for standard and classic
	// hashing.
	AssumesUnimodal
)

// String says what the proof rests on.
func (p Proof) String() string {
	if p == Proven {
		return "proven"
	}
	return "assumes one minimum in k"
}

// OptimalK returns the k of least rate for m bits and n items, up to 4096 and, for
// classic hashing, up to m; for partitioned hashing among those that divide m.
//
//	k* = argmin over k of f(m, n, k)
//
// No k but one near the answer can be better, because
//
//	k = 1 is best for (1-1/m)^n <= 1/2: 1-f < k (1-1/m)^(nk) <= (1-1/m)^n for k > 1;
//	f_S(k) >= bloom(k) = exp(ln y ln(1-y)/ln x), y = x^k, x = (1-1/m)^n: one minimum
//	f_C(k) >= ((mu_C-k+1)/(m-k+1))^k >= U(m, n-1, k), which has one minimum in k too
//	f_P(k) = U(m, n, k)
//	f_C(1 item, k) = 1/C(m,k)
//
// U(m,n,k) has one minimum in real k: with t = 1-k/m and s = t^n the sign of its
// derivative is that of 1 - R, R = -(1-s) ln(1-s) t/(s n (1-t)), and R increases with t.
//
// Source: Burns (67), with argmin for min.
// Domain: 1 <= m < 2^64, 0 <= n < 2^64, prec 1 to MaxPrec. n = 0 and m = 1 make all k
// equal.
// Error: k is certain as Proof says; the relative width of the rate is at most 2^-prec.
// Cost: about 10 rates, and those that the bounds do not exclude: about 1.4 k/sqrt(n) of
// them, as long as they take about a second; otherwise Proof is AssumesUnimodal. 1 ms for
// (2^40, 3*10^10).
// Errors: *bloomproof.ParamError; ErrPrecision where two rates agree to thousands of bits
// and are too large as rationals.
func OptimalK(h bloomproof.Hashing, m, n uint64, prec uint) (Optimum, error) {
	if err := valid(bloomproof.Geometry{M: m, K: 1, Hashing: h}); err != nil {
		return Optimum{}, err
	}
	if err := precision.Check(prec); err != nil {
		return Optimum{}, err
	}
	s := newKSearch(h, m, n)
	o := Optimum{M: m, N: n}
	var err error
	if o.K, o.Last, o.Proof, err = s.best(); err != nil {
		return Optimum{}, err
	}
	o.Rate, _, err = FPR(s.geometry(o.K), n, prec, Auto)
	return o, err
}

// checkSizing validates what MostItems and LeastBits take; m = 0 stands for any m.
func checkSizing(h bloomproof.Hashing, m uint64, k int, p *big.Rat, prec uint) error {
	if k < 0 || k > bloomproof.MaxK {
		return &bloomproof.ParamError{Param: "k", Value: k, Want: fmt.Sprintf("between 1 and %d, or 0 for the best", bloomproof.MaxK)}
	}
	g := bloomproof.Geometry{M: m, K: max(1, k), Hashing: h}
	if m == 0 {
		g.M = uint64(g.K)
	}
	if err := valid(g); err != nil {
		return err
	}
	if err := checkTarget(p); err != nil {
		return err
	}
	return precision.Check(prec)
}

// MostItems returns the largest n with a rate of at most p for a filter of m bits with k
// positions an item, or with the best k for that n where k = 0.
//
//	n_max = the largest n with min over k of f(m, n, k) <= p
//
// Source: Burns 3.4, before (66), which has the first n beyond.
// Domain: 1 <= m < 2^64, 0 < p < 1, prec 1 to MaxPrec. 0 where even one item is too
// many. More insertions set more bits, so f grows with n, and so does its minimum over k:
// f <= p at n and f > p at n+1 prove the answer.
// Error: the answer is certain; K as OptimalK; the relative width of the rate is at most
// 2^-prec.
// Cost: about 4 rates for a k; about three times OptimalK for the best.
// Errors: *bloomproof.ParamError; ErrRange where the answer is 2^64-1 or more;
// ErrPrecision as OptimalK.
func MostItems(h bloomproof.Hashing, m uint64, k int, p *big.Rat, prec uint) (Optimum, error) {
	if m < 1 {
		return Optimum{}, &bloomproof.ParamError{Param: "m", Value: m, Want: "between 1 and 2^64-1"}
	}
	if err := checkSizing(h, m, k, p, prec); err != nil {
		return Optimum{}, err
	}
	if k > 0 {
		n, err := mostItems(bloomproof.Geometry{M: m, K: k, Hashing: h}, p)
		if err != nil {
			return Optimum{}, err
		}
		return fixedK(bloomproof.Geometry{M: m, K: k, Hashing: h}, n, prec)
	}
	if m == 1 { // the rate is 1 for any item
		return OptimalK(h, m, 0, prec)
	}
	k = newKSearch(h, m, 1).nearest(hashesFor(p))
	n, proof := uint64(0), Proven
	for {
		more, err := mostItems(bloomproof.Geometry{M: m, K: k, Hashing: h}, p)
		if err != nil {
			return Optimum{}, err
		}
		n = max(n, more)
		s := newKSearch(h, m, n+1)
		var beyond Proof
		if k, _, beyond, err = s.best(); err != nil {
			return Optimum{}, err
		}
		order, err := cmpRate(s.geometry(k), n+1, p)
		if err != nil {
			return Optimum{}, err
		}
		if order > 0 {
			proof = max(proof, beyond)
			break
		}
	}
	o, err := OptimalK(h, m, n, prec)
	o.Proof = max(o.Proof, proof)
	return o, err
}

// fixedK returns the Optimum of a k that was given.
func fixedK(g bloomproof.Geometry, n uint64, prec uint) (Optimum, error) {
	e, _, err := FPR(g, n, prec, Auto)
	return Optimum{M: g.M, N: n, K: g.K, Last: g.K, Rate: e}, err
}

// mostItems returns the largest n with f <= p.
func mostItems(g bloomproof.Geometry, p *big.Rat) (uint64, error) {
	const most = 1<<64 - 1
	if g.M == 1 || g.Hashing != bloomproof.Standard && uint64(g.K) == g.M {
		return 0, nil
	}
	n, err := lastTrue(0, most, guessItems(g, p), func(n uint64) (bool, error) {
		order, err := cmpRate(g, n, p)
		return order <= 0, err
	})
	if err == nil && n == most {
		err = fmt.Errorf("n is 2^64-1 or more: %w", ErrRange)
	}
	return n, err
}

// LeastBits returns the smallest m with a rate of at most p for n items and k positions
// an item, or with the best k for that m where k = 0. For partitioned hashing m is a
// multiple of k.
//
//	m_min = the smallest m with min over k of f(m, n, k) <= p
//
// f falls with m: with B the bits that all n items and the one looked up take, f is
// E[h(B)], h(b) = product over t < k of b S(nk+t,b)/S(nk+t+1,b) for standard hashing, and
// 1/h(b) = sum over i of C(k,i) c(b-i)/c(b), c(b) the ways for n committees of k to cover
// b, for classic hashing. B grows with m (one position at a time falls on a new bit with
// probability 1-b/m), and h falls with b because b! S(N,b) and c(b) are log-concave: the
// polynomials sum of b! S(N,b) x^b and sum of c(b) x^b, which E: C(x,b) -> x^b makes of x^N
// and C(x,k)^n, have real zeros only (Wagner 1992, Total positivity of Hadamard products).
//
// Source: Burns 3.4, before (66), which has the last m below.
// Domain: 0 <= n < 2^64, 0 < p < 1, prec 1 to MaxPrec.
// Error, Cost: as MostItems.
// Errors: *bloomproof.ParamError; ErrRange where the answer is above 2^64-1;
// ErrPrecision as OptimalK.
func LeastBits(h bloomproof.Hashing, n uint64, k int, p *big.Rat, prec uint) (Optimum, error) {
	if err := checkSizing(h, 0, k, p, prec); err != nil {
		return Optimum{}, err
	}
	switch {
	case k > 0:
		m, err := leastBits(h, n, k, p)
		if err != nil {
			return Optimum{}, err
		}
		return fixedK(bloomproof.Geometry{M: m, K: k, Hashing: h}, n, prec)
	case n == 0:
		return OptimalK(h, 1, 0, prec)
	}
	m, proof, err := leastBitsAnyK(h, n, p)
	if err != nil {
		return Optimum{}, err
	}
	o, err := OptimalK(h, m, n, prec)
	o.Proof = max(o.Proof, proof)
	return o, err
}

func leastBitsAnyK(h bloomproof.Hashing, n uint64, p *big.Rat) (uint64, Proof, error) {
	k := hashesFor(p)
	m, err := leastBits(h, n, k, p)
	if err != nil {
		return 0, Proven, err
	}
	if h == bloomproof.Partitioned {
		// All k that can do with less lie between two: U(m-1, n, k) has one minimum in k.
		s := newKSearch(bloomproof.Classic, m-1, n)
		below, above := s.window(s.logUpper(n), logTarget(p, 64).Hi(), k)
		for k := below + 1; k < above; k++ {
			less, err := leastBits(h, n, k, p)
			if err != nil {
				return 0, Proven, err
			}
			m = min(m, less)
		}
		return m, Proven, nil
	}
	for {
		s := newKSearch(h, m-1, n)
		k, _, proof, err := s.best()
		if err != nil {
			return 0, proof, err
		}
		order, err := cmpRate(s.geometry(k), n, p)
		if err != nil || order > 0 {
			return m, proof, err
		}
		if m, err = leastBits(h, n, k, p); err != nil {
			return 0, proof, err
		}
	}
}

// leastBits returns the smallest m with f <= p.
func leastBits(h bloomproof.Hashing, n uint64, k int, p *big.Rat) (uint64, error) {
	const most = 1<<64 - 1
	unit, least := uint64(1), uint64(1)
	switch h {
	case bloomproof.Classic:
		least = uint64(k)
	case bloomproof.Partitioned:
		unit = uint64(k)
	}
	if n == 0 {
		return least * unit, nil
	}
	// At m = least the rate is 1.
	x, err := lastTrue(least, most/unit, guessBits(h, n, k, p)/unit, func(x uint64) (bool, error) {
		order, err := cmpRate(bloomproof.Geometry{M: x * unit, K: k, Hashing: h}, n, p)
		return order > 0, err
	})
	if err == nil && x == most/unit {
		err = fmt.Errorf("m is above 2^64-1: %w", ErrRange)
	}
	return (x + 1) * unit, err
}

// logTarget returns ln p.
func logTarget(p *big.Rat, work uint) *interval.Interval {
	if p.Cmp(big.NewRat(1, 2)) < 0 {
		return interval.New(work).Log(interval.New(work).SetRat(p))
	}
	x := interval.New(work).SetRat(new(big.Rat).Sub(p, big.NewRat(1, 1)))
	return x.Log1p(x)
}
