package approx

import (
	"slices"

	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// A target rate p above nearHalf is represented by its complement 1-p. A float64 holds this complement exactly.
const nearHalf = 0.5

// targetRate converts p exactly to the type rate. It requires 0 < p < 1.
func targetRate(p float64) rate {
	if p > nearHalf {
		return near1(1 - p)
	}
	return below1(fm.Double{Hi: p}.Scale())
}

// The method "scaled" returns the rate as a value of the type fm.Scaled. If the rate is represented by its complement,
// this adds a relative error of at most u = 2^-53.
func (r rate) scaled() fm.Scaled {
	if r.near1 {
		return fm.Whole(1).Sub(r.complement.Unscaled()).Scale()
	}
	return r.value
}

// The relative error of the complement of a rate is bounded (see Complement). It is at most complementFactor times the
// relative error of the rate, plus 40u (u = 2^-53). The constant complementError is above 40u.
const (
	complementFactor = 1.6
	complementError  = 0x1p-47
)

// The method "cmp" returns -1 if r is below s, and +1 if r is above s. It returns 0 if their difference may come from
// their errors. The argument e bounds the relative error of each rate. The method compares rates near 1 by their
// complements.
func (r rate) cmp(s rate, e float64) int {
	a, b := r.scaled(), s.scaled()
	if r.near1 && s.near1 {
		a, b = s.complement, r.complement
		e = complementFactor*e + complementError
	}
	switch {
	case a.Hi == 0 && b.Hi == 0:
		return 0
	case a.Hi == 0:
		return -1
	case b.Hi == 0:
		return 1
	}
	switch ratio := a.Quo(b); {
	case ratio < 1-2*e:
		return -1
	case ratio > 1+2*e:
		return 1
	}
	return 0
}

// atMost reports whether the computed values satisfy r <= s.
func (r rate) atMost(s rate) bool {
	if r.near1 && s.near1 {
		return !r.complement.Less(s.complement)
	}
	return r.float64() <= s.float64()
}

// bloomLn returns the logarithm of Bloom's formula (1-(1-1/m)^(kn))^k.
func bloomLn(m, n uint64, k int) float64 {
	return hitLn(missExponent(m, 1, balls(n, k)), k)
}

// upperLn returns the logarithm of the upper bound (1-(1-k/m)^n)^k.
func upperLn(m, n uint64, k int) float64 {
	if uint64(k) >= m {
		return 0
	}
	return hitLn(missExponent(m, k, float64(n)), k)
}

// A kSearch estimates the time of each rate that it computes. It ends when the sum of these times exceeds mostSpent
// microseconds.
const mostSpent = 1e6

// A kSearch looks for the k with the least false-positive rate, for given m and n.
type kSearch struct {
	h     *hashing
	m, n  uint64
	most  int // largest k
	rates map[int]rate
	spent float64 // estimated cost of the rates so far, in microseconds
}

func newKSearch(h *hashing, m, n uint64) *kSearch {
	h = h.at(m)
	return &kSearch{h: h, m: m, n: n, most: int(h.mostK(m)), rates: map[int]rate{}}
}

// BenchmarkFPR measures the time to compute a rate, in microseconds. For a filter with k positions, this time is about
// fixedCost plus k^2 times squareCost.
const (
	fixedCost  = 15
	squareCost = 1. / 150
)

// rateCost estimates how many microseconds it takes to compute a rate.
func rateCost(k int) float64 { return fixedCost + float64(k)*float64(k)*squareCost }

func (s *kSearch) rate(k int) rate {
	r, ok := s.rates[k]
	if !ok {
		r = s.h.rateOf(s.m, s.n, k)
		s.rates[k] = r
		s.spent += s.h.cost(k)
	}
	return r
}

// The method "valid" reports whether k positions are possible for a filter of s.m bits.
func (s *kSearch) valid(k int) bool {
	return k >= 1 && k <= s.most && s.h.allows(s.m, k)
}

// The method "nearest" returns the valid k nearest to x.
func (s *kSearch) nearest(x float64) int {
	k := int(min(max(1, x+0.5), float64(s.most)))
	for d := 0; ; d++ {
		if s.valid(k - d) {
			return k - d
		}
		if s.valid(k + d) {
			return k + d
		}
	}
}

// The method "next" returns the valid k that follows the given k, or 0 if there is none. The sign of step gives the
// direction.
func (s *kSearch) next(k, step int) int {
	for k += step; k >= 1 && k <= s.most; k += step {
		if s.valid(k) {
			return k
		}
	}
	return 0
}

// The method "best" returns the filter whose k gives the least rate.
func (s *kSearch) best() Optimum {
	second := s.next(1, 1)
	if s.n == 0 || s.h.bits(s.m) == 1 {
		return s.optimum(1, second, true)
	}
	if second == 0 || s.h.mostlySet(s.m, s.n, second) {
		return s.optimum(1, 0, true)
	}
	k := s.descend(s.nearest(s.h.startK(s.m, s.n)))
	rival, certain := 0, true
	for _, step := range []int{-1, 1} {
		for at := s.next(k, step); at != 0 && !s.excluded(at, k); at = s.next(at, step) {
			if s.spent > mostSpent {
				certain = false
				break
			}
			switch s.rate(at).cmp(s.rate(k), s.h.rateError(max(at, k))) {
			case 0:
				rival, certain = at, certain && rival == 0 // the rates of two k could not be told apart
			case -1: // descend stopped too early, because there are two minima
				k, rival, certain = at, 0, false
			}
		}
	}
	return s.optimum(k, rival, certain)
}

func (s *kSearch) optimum(k, rival int, certain bool) Optimum {
	return Optimum{Geometry: s.h.geometry(s.m, k), N: s.n, Rate: s.rate(k).float64(), Rival: rival, Certain: certain}
}

// The method "descend" returns a k at which the rate has a local minimum. It begins at the given k. The step size is
// doubled at first, and halved later.
func (s *kSearch) descend(k int) int {
	for moved := true; moved; {
		from := k
		k = s.descendOnce(k)
		moved = k != from
	}
	return k
}

func (s *kSearch) descendOnce(k int) int {
	for _, direction := range []int{-1, 1} {
		for step := direction; step != 0; {
			to := s.jump(k, step)
			if to != 0 && s.rate(to).cmp(s.rate(k), 0) < 0 {
				k, step = to, 2*step
			} else {
				step /= 2
			}
		}
	}
	return k
}

// The method "jump" limits k+step to the range from 1 to s.most. It returns this number if the number is valid and
// differs from k. Otherwise it returns the next valid k in the direction of step, or 0 if there is none.
func (s *kSearch) jump(k, step int) int {
	to := min(max(k+step, 1), s.most)
	if s.valid(to) && to != k {
		return to
	}
	direction := 1
	if step < 0 {
		direction = -1
	}
	return s.next(k, direction)
}

// The method "excluded" considers a range of k. The range begins at the argument "at" and extends away from the
// argument "best". The argument "best" is a value of k with a known rate. The method reports whether the rate for every
// k in the range is certainly larger than this known rate. It uses lower bounds of the rate. As a function of k, each
// lower bound has only one minimum. Suppose that such a bound exceeds the known rate at the beginning of the range.
// Then it exceeds the known rate in the whole range.
func (s *kSearch) excluded(at, best int) bool {
	least := s.rate(best).ln()
	return slices.ContainsFunc(s.h.lowersLn(s.m, s.n, at), func(ln float64) bool {
		return ln > least-lnError*least+2*s.h.rateError(best)
	})
}
