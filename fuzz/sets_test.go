package fuzz

import (
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// FuzzSets asks for the union and the intersection of filters whose sets share items: of one
// set, both are the filter itself; the union is the filter of all items, whose mean and
// variance are those of its law; the intersection is between the filter of what is shared and
// each of the filters; and entropy and codes of the array are ordered as they must be.
func FuzzSets(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &source{data}
		g := bloomproof.Geometry{M: max(1, s.near(11)), K: s.below(8) + 1, Hashing: bloomproof.Hashing(s.below(3))}
		if g.Hashing == bloomproof.Partitioned {
			g.M = max(1, g.M/uint64(g.K)) * uint64(g.K)
		}
		if g.Validate() != nil {
			g.M += uint64(g.K)
		}
		shared, prec := s.near(8), uint(s.below(100))+1
		items := make([]uint64, s.below(4)+1)
		all := shared
		for i := range items {
			own := s.near(9)
			items[i], all = shared+own, all+own
		}
		type number = func(bloomproof.Geometry, []uint64, uint64, uint) (exact.Enclosure, error)
		get := func(what string, f number) (exact.Enclosure, bool) {
			return asked(t, g.String()+": "+what, prec, func(prec uint) (exact.Enclosure, error) { return f(g, items, shared, prec) })
		}
		rate := func(n uint64) exact.Enclosure {
			e, _, err := exact.FPR(g, n, prec+5, exact.Auto)
			if err != nil {
				t.Fatalf("%v n=%d: %v", g, n, err)
			}
			return e
		}
		same := func(what string, a, b exact.Enclosure, ok bool) {
			if ok && !a.Overlaps(b) {
				t.Fatalf("%v %v, %d shared: %s is %v, not %v", g, items, shared, what, a, b)
			}
		}
		part := longtest.Part(3, data...)
		if part(0) {
			and, ok := get("IntersectionFPR", exact.IntersectionFPR)
			if ok && len(items) == 1 {
				same("rate of one set", and, rate(items[0]), true)
			}
			if ok {
				ordered(t, "shared items, intersection", rate(shared), and)
				for _, n := range items {
					ordered(t, "intersection, a filter", and, rate(n))
				}
			}
		}
		if part(1) && g.M <= 64 && all <= 64 {
			checkEntropy(t, g, all, prec)
		}
		if !part(2) {
			return
		}
		bits := func(what string, f func(prec uint) (mean, variance exact.Enclosure, err error)) (mean, variance exact.Enclosure, ok bool) {
			mean, ok1 := asked(t, g.String()+": the mean of "+what, prec, func(prec uint) (exact.Enclosure, error) {
				e, _, err := f(prec)
				return e, err
			})
			variance, ok2 := asked(t, g.String()+": the variance of "+what, prec, func(prec uint) (exact.Enclosure, error) {
				_, e, err := f(prec)
				return e, err
			})
			return mean, variance, ok1 && ok2
		}
		orMean, orVariance, ok1 := bits("SetBits", func(prec uint) (mean, variance exact.Enclosure, err error) { return exact.SetBits(g, all, prec) })
		andMean, _, ok2 := bits("IntersectionBits", func(prec uint) (mean, variance exact.Enclosure, err error) {
			return exact.IntersectionBits(g, items, shared, prec)
		})
		if ok1 && ok2 {
			ordered(t, "means of intersection and union", andMean, orMean)
		}
		if l, err := lawOf(g, all); err == nil {
			of, ok := asked(t, "Mean", prec, l.Mean)
			same("mean of the union", orMean, of, ok && ok1)
			v, ok := asked(t, "Variance", prec, l.Variance)
			same("variance of the union", orVariance, v, ok && ok1)
		}
	})
}

// lawOf returns the law of the set bits of a filter that is not partitioned.
func lawOf(g bloomproof.Geometry, n uint64) (exact.Distribution, error) {
	switch g.Hashing {
	case bloomproof.Standard:
		return exact.Union(g.M, []exact.Committees{{Size: 1, Count: n * uint64(g.K)}})
	case bloomproof.Classic:
		return exact.Union(g.M, []exact.Committees{{Size: uint64(g.K), Count: n}})
	}
	return exact.Distribution{}, bloomproof.ErrUndefined
}

// checkEntropy: the entropy is at most the mean length of a code, and at most m bits.
func checkEntropy(t *testing.T, g bloomproof.Geometry, n uint64, prec uint) {
	get := func(what string, f func(bloomproof.Geometry, uint64, uint) (exact.Enclosure, error)) (exact.Enclosure, bool) {
		return asked(t, g.String()+": "+what, prec, func(prec uint) (exact.Enclosure, error) { return f(g, n, prec) })
	}
	h, ok1 := get("ArrayEntropy", exact.ArrayEntropy)
	if w := h.Float64(); ok1 && w > float64(g.M)*(1+1e-12) {
		t.Fatalf("%v n=%d: an entropy of %v bits", g, n, h)
	}
}
