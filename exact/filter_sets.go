package exact

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// Filters of one shape and one hash function that hold several sets S_1..S_c, and their
// bitwise OR and AND. The items are counted per set; shared items are in all the sets and
// counted in each.

// checkSets validates the sets of items that filters of shape g hold.
func checkSets(g bloomproof.Geometry, items []uint64, shared uint64, prec uint) error {
	if err := valid(g); err != nil {
		return err
	}
	if err := precision.Check(prec); err != nil {
		return err
	}
	if len(items) == 0 || len(items) > MaxGroups {
		return &bloomproof.ParamError{Param: "items", Value: len(items), Want: fmt.Sprintf("the items of 1 to %d sets", MaxGroups)}
	}
	if least := slices.Min(items); shared > least {
		return &bloomproof.ParamError{Param: "shared", Value: shared, Want: fmt.Sprintf("at most %d, the items of the smallest set", least)}
	}
	return nil
}

// distinct returns the number of items in the union of the sets.
func distinct(items []uint64, shared uint64) (uint64, error) {
	n := shared
	for _, x := range items {
		var carry uint64
		if n, carry = bits.Add64(n, x-shared, 0); carry != 0 {
			return 0, &bloomproof.ParamError{Param: "items", Value: x, Want: "such that the sets have at most 2^64-1 items together"}
		}
	}
	return n, nil
}

// UnionFPR returns the expected false-positive rate of B_or, the bitwise OR of filters
// that hold the sets. It is the filter of the union of the sets: no item of the union is
// lost, and B_or answers yes wherever one of the filters does.
//
// Source: Burns 3.1; FPR with the number of distinct items.
// Domain: g valid; 1 to 4096 sets of 0 to 2^64-1 items each, and together; shared items at
// most those of the smallest set.
// Error, Cost: as FPR.
// Errors: *bloomproof.ParamError.
func UnionFPR(g bloomproof.Geometry, items []uint64, shared uint64, prec uint) (Enclosure, error) {
	if err := checkSets(g, items, shared, prec); err != nil {
		return Enclosure{}, err
	}
	n, err := distinct(items, shared)
	if err != nil {
		return Enclosure{}, err
	}
	e, _, err := FPR(g, n, prec, Auto)
	return e, err
}

// UnionMean returns the mean of the number of set bits of B_or.
//
// Source: Burns 3.1 with (42), (44); for partitioned hashing k times that of a slice.
// Domain, Errors: as UnionFPR.
// Error, Cost: as Distribution.Mean.
func UnionMean(g bloomproof.Geometry, items []uint64, shared uint64, prec uint) (Enclosure, error) {
	return setBits(g, items, shared, prec, unionLaw, Distribution.Mean)
}

// UnionVariance returns the variance of the number of set bits of B_or.
//
// Source: Burns 3.1 with (43), (45); for partitioned hashing k times that of a slice.
// Domain: as UnionFPR.
// Error, Cost: as Distribution.Variance.
// Errors: as UnionFPR and Distribution.Variance.
func UnionVariance(g bloomproof.Geometry, items []uint64, shared uint64, prec uint) (Enclosure, error) {
	return setBits(g, items, shared, prec, unionLaw, Distribution.Variance)
}

// IntersectionMean returns the mean of the number of set bits of B_and, the bitwise AND of
// filters that hold the sets. With q = (1-1/m)^k (standard) or 1-k/m (classic),
//
//	m [1 - q^shared (1 - product of (1 - q^(items-shared)))]
//
// Source: Burns (49), there standard and nothing shared; (42) for classic filters. What is
// shared is our addition: a bit is empty if no shared item sets it and some set's own
// items do not.
// Domain, Errors: as UnionFPR, but for the items together, which have no limit.
// Error, Cost: as Distribution.Mean.
func IntersectionMean(g bloomproof.Geometry, items []uint64, shared uint64, prec uint) (Enclosure, error) {
	return setBits(g, items, shared, prec, intersectionLaw, Distribution.Mean)
}

// IntersectionVariance returns the variance of the number of set bits of B_and.
//
// Source: Burns (50), there standard and nothing shared, with +1 for its (-1)^c and its
// last term subtracted; otherwise as IntersectionMean.
// Domain: as IntersectionMean.
// Error, Cost: as Distribution.Variance.
// Errors: as IntersectionMean and Distribution.Variance.
func IntersectionVariance(g bloomproof.Geometry, items []uint64, shared uint64, prec uint) (Enclosure, error) {
	return setBits(g, items, shared, prec, intersectionLaw, Distribution.Variance)
}

// IntersectionFPR returns the expected false-positive rate of B_and for an item that is in
// none of the sets:
//
//	standard     E[(X/m)^k] = m^-k sum over i of S(k,i) (m)_i p_i
//	classic      E[C(X,k)]/C(m,k) = p_k
//	partitioned  (p_1 of a slice of m/k bits)^k
//
// with p_i the probability that i given bits are all set: Distribution.Hit. Where nothing is shared,
// p_i is the product of those of the filters, so the classic and partitioned rates are the
// products of the filters' rates, and the standard one is at least the product: both
// filters are more easily passed with few distinct positions. B_and has all bits of the
// filter of the intersection of the sets, and by chance more: its rate is at least
// FPR(g, shared), and at most that of each filter.
//
// Source: Burns (39) with r = k (classic), and (6), (53) (standard); no paper states the
// rate. What is shared is our addition: see IntersectionMean.
// Domain: as IntersectionMean.
// Error: relative width at most 2^-prec; exactly 0 if a set is empty.
// Cost: as Distribution.Hit with r = k, and for standard k^2/2 additions of Stirling numbers; with
// shared items k^2 products more. Measured for 50 digits: 0.2 ms for k = 7, 0.7 s for
// k = 1000.
// Errors: *bloomproof.ParamError; ErrTooCostly, with shared items from k of about 800 on.
func IntersectionFPR(g bloomproof.Geometry, items []uint64, shared uint64, prec uint) (Enclosure, error) {
	if err := checkSets(g, items, shared, prec); err != nil {
		return Enclosure{}, err
	}
	l := intersectionLaw(g, items, shared)
	switch g.Hashing {
	case bloomproof.Standard:
		return l.scaledMoment(g.K, prec, Difference)
	case bloomproof.Classic:
		return l.Hit(g.K, prec, Difference)
	}
	p, err := l.Hit(1, prec+uint(bits.Len(uint(g.K)))+4, Difference)
	if err != nil {
		return Enclosure{}, err
	}
	if r, ok := p.Rat(); ok && float64(g.K)*l.logOutcomes() <= precision.RationalMost {
		return exactly(r.SetFrac(integer.Power(r.Num(), uint64(g.K)), integer.Power(r.Denom(), uint64(g.K))), prec), nil
	}
	return probability(around(interval.New(prec+8).PowInt(p.interval(), big.NewInt(int64(g.K)))), nil)
}

// setBits returns a quantity of the number of set bits, which adds up over the slices of
// a partitioned filter.
func setBits(g bloomproof.Geometry, items []uint64, shared uint64, prec uint, law func(g bloomproof.Geometry, items []uint64, shared uint64) Distribution, of func(l Distribution, prec uint) (Enclosure, error)) (Enclosure, error) {
	if err := checkSets(g, items, shared, prec); err != nil {
		return Enclosure{}, err
	}
	e, err := of(law(g, items, shared), prec+2)
	if err != nil || g.Hashing != bloomproof.Partitioned {
		return e, err
	}
	if r, ok := e.Rat(); ok {
		return exactly(r.Mul(r, big.NewRat(int64(g.K), 1)), prec), nil
	}
	x := interval.New(prec + 8).SetUint64(uint64(g.K))
	return around(x.Mul(x, e.interval())), nil
}

// itemGroups returns what n items occupy, in one slice for partitioned hashing.
func itemGroups(g bloomproof.Geometry, n *big.Int) []group {
	switch {
	case n.Sign() == 0:
		return nil
	case g.Hashing == bloomproof.Standard:
		return []group{{1, new(big.Int).Mul(n, big.NewInt(int64(g.K)))}}
	case g.Hashing == bloomproof.Classic:
		return []group{{uint64(g.K), n}}
	}
	return []group{{1, n}}
}

// urns returns the bits that a distribution is about: those of a slice for partitioned hashing.
func urns(g bloomproof.Geometry) uint64 {
	if g.Hashing == bloomproof.Partitioned {
		return g.M / uint64(g.K)
	}
	return g.M
}

// unionLaw is the distribution of the set bits of B_or, in one slice for partitioned hashing.
func unionLaw(g bloomproof.Geometry, items []uint64, shared uint64) Distribution {
	n, t := new(big.Int).SetUint64(shared), new(big.Int)
	for _, x := range items {
		n.Add(n, t.SetUint64(x-shared))
	}
	return Distribution{m: urns(g), departments: [][]group{itemGroups(g, n)}}
}

// intersectionLaw is that of B_and.
func intersectionLaw(g bloomproof.Geometry, items []uint64, shared uint64) Distribution {
	l := Distribution{m: urns(g), shared: itemGroups(g, new(big.Int).SetUint64(shared))}
	for _, x := range items {
		l.departments = append(l.departments, itemGroups(g, new(big.Int).SetUint64(x-shared)))
	}
	return l
}
