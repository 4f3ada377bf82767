package exact

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// Committees describes several committees of the same size. The field "Count" is the number of committees. The field
// "Size" is the number of members of each committee. Every committee is a uniformly random subset of m people and is
// independent of the other committees. Other comments call a person an urn. A committee of one person corresponds to a
// ball that falls into this urn.
type Committees struct{ Size, Count uint64 }

// Distribution is the probability distribution of X, the number of occupied urns among m urns: see (1) of Burns. A
// department is a list of committees. An urn is occupied by a department if it is in at least one committee of the
// list. An urn is occupied if it is in at least one committee of every department. Union and Intersection construct
// Distributions. A Distribution is immutable and can be copied.
//
// Let p_r be the probability that r given urns are all occupied. All formulas for this distribution follow from p_r.
// The number p_r is a product over the departments. Each factor is a sum:
//
//	p_r = product over the departments of sum over j of (-1)^j C(r,j) q_j.
//
// The number q_j is the probability that no committee of the department contains any of j given urns. Let k be the size
// of a committee. Then q_j is the product:
//
//	q_j = product over the department's committees of C(m-j,k)/C(m,k).
//
// The method "hit" computes p_r.
type Distribution struct {
	m           uint64
	departments [][]group
	// The field "shared" lists the committees that belong to every department. In terms of Bloom filters, a department
	// is a filter, and these committees are the items that all filters contain.
	shared []group
}

// A group represents all committees of one size in a department. The field "count" is the number of these committees,
// which is above 0.
type group struct {
	size  uint64
	count *big.Int
}

// maxGroups limits the number of committee sizes in a Distribution. A size that occurs in several departments counts
// once for each of them. Above this limit, every method would take seconds.
const maxGroups = 4096

// Union considers m people and the committees of all departments. It returns the distribution of the number of people
// who are in at least one committee. Section 2.3.1 of Burns treats this number. By (20) of Burns the distribution
// depends only on the sizes of the committees. It does not depend on how the committees are divided into departments.
// Burns 2.1 treats one department with n committees of size 1, that is, n balls. This is the classic occupancy problem.
// Burns 2.2 treats one department with n committees of size k.
//
// Errors: *bloomproof.ParamError for m = 0, no departments, a committee size below 1 or above m, or more than 4096
// sizes.
func Union(m uint64, departments ...[]Committees) (Distribution, error) {
	all, err := newDistribution(m, departments)
	if err != nil {
		return Distribution{}, err
	}
	return Distribution{m: m, departments: [][]group{merge(slices.Concat(all.departments...))}}, nil
}

// Intersection considers m people. A person counts if each department has a committee with this person. Intersection
// returns the distribution of the number of people who count. Section 2.3.3 of Burns treats this number. Section 2.3.2
// treats the case that each department has one committee. If a department has no committees, the intersection is empty.
//
// Errors: as for Union.
func Intersection(m uint64, departments ...[]Committees) (Distribution, error) {
	return newDistribution(m, departments)
}

func newDistribution(m uint64, departments [][]Committees) (Distribution, error) {
	if err := checkCount("m", m); err != nil {
		return Distribution{}, err
	}
	sizes := 0
	for _, d := range departments {
		sizes += 1 + len(d)
	}
	if len(departments) == 0 || sizes > 2*maxGroups {
		return Distribution{}, &bloomproof.ParamError{Param: "departments", Value: len(departments), Want: fmt.Sprintf("at least one, with at most %d committee sizes", maxGroups)}
	}
	l := Distribution{m: m}
	for _, d := range departments {
		groups := make([]group, 0, len(d))
		for _, c := range d {
			if c.Size < 1 || c.Size > m {
				return Distribution{}, &bloomproof.ParamError{Param: "size", Value: c.Size, Want: fmt.Sprintf("between 1 and %d, the number of urns", m)}
			}
			groups = append(groups, group{c.Size, new(big.Int).SetUint64(c.Count)})
		}
		l.departments = append(l.departments, merge(groups))
	}
	return l, nil
}

// The function "merge" returns one group for each size, in ascending order of the size, and drops empty groups.
func merge(groups []group) []group {
	slices.SortStableFunc(groups, func(a, b group) int {
		switch {
		case a.size < b.size:
			return -1
		case a.size > b.size:
			return 1
		}
		return 0
	})
	var merged []group
	for _, g := range groups {
		switch last := len(merged) - 1; {
		case g.count.Sign() == 0:
		case last >= 0 && merged[last].size == g.size:
			merged[last].count = new(big.Int).Add(merged[last].count, g.count)
		default:
			merged = append(merged, g)
		}
	}
	return merged
}

// The method "check" returns an error if prec is not valid, or if l is the zero Distribution. No constructor returns
// the zero Distribution.
func (l Distribution) check(prec uint) error {
	if l.m == 0 {
		return &bloomproof.ParamError{Param: "distribution", Value: "zero", Want: "made by Union or Intersection"}
	}
	return precision.Check(prec)
}

// Range returns the least and the largest number of occupied urns that have a positive probability. Every number
// between them has a positive probability too. For the zero Distribution, Range returns 0, 0.
func (l Distribution) Range() (least, most uint64) {
	// Each department leaves some people without a committee. The intersection is smallest if these sets have as few
	// common members as possible.
	most = l.m
	var free uint64 // number of people without a committee in some department, at most m
	for _, d := range l.departments {
		lo, hi := span(l.m, d)
		most = min(most, hi)
		free += min(l.m-free, l.m-lo)
	}
	lo, hi := span(l.m, l.shared)
	return max(lo, l.m-free), hi + min(l.m-hi, most)
}

// For one department, the function "span" returns the least and the largest possible number of occupied urns.
func span(m uint64, groups []group) (least, most uint64) {
	sum, t := new(big.Int), new(big.Int)
	for _, g := range groups {
		least = g.size // the groups are in ascending order
		t.SetUint64(g.size)
		t.Mul(t, g.count)
		sum.Add(sum, t)
	}
	if most = m; sum.IsUint64() {
		most = min(m, sum.Uint64())
	}
	return least, most
}

// If the distribution has only one department, the method "union" returns the groups of its committees, and true.
// Otherwise it returns false.
func (l Distribution) union() ([]group, bool) {
	if len(l.departments) == 1 && len(l.shared) == 0 {
		return l.departments[0], true
	}
	return nil, false
}

// The method "classic" returns true if the distribution describes a classic occupancy problem. Such a problem has one
// department, whose committees all have the size 1. If the method returns true, it also returns the number of balls.
func (l Distribution) classic() (balls *big.Int, ok bool) {
	groups, ok := l.union()
	switch {
	case !ok || len(groups) > 1:
		return nil, false
	case len(groups) == 0:
		return new(big.Int), true
	}
	return groups[0].count, groups[0].size == 1
}

// If each department has only one committee, the method "single" returns the sizes of these committees, and true.
func (l Distribution) single() (sizes []uint64, ok bool) {
	for _, d := range l.departments {
		if len(d) != 1 || !d[0].count.IsUint64() || d[0].count.Uint64() != 1 {
			return nil, false
		}
		sizes = append(sizes, d[0].size)
	}
	return sizes, len(l.shared) == 0
}

// Suppose that each department has only one committee. Then the method "complement" returns the distribution of m - X,
// and its second result is true. The number m - X counts the people who are missing from at least one of these
// committees. Its distribution is equation (29) of Burns with m-k_d in place of k_d on the right side. Here k_d is the
// size of the committee of department d.
func (l Distribution) complement() (Distribution, bool) {
	sizes, ok := l.single()
	if !ok {
		return Distribution{}, false
	}
	var groups []group
	for _, k := range sizes {
		if k < l.m {
			groups = append(groups, group{l.m - k, integer.One})
		}
	}
	return Distribution{m: l.m, departments: [][]group{merge(groups)}}, true
}

// The method "all" returns a list of lists of committees. The first list has the shared committees, and each
// further list has the committees of one department.
func (l Distribution) all() [][]group { return append([][]group{l.shared}, l.departments...) }

// logOutcomes returns about log2 of the number of outcomes. An outcome is one choice of all committees. The number of
// outcomes is a common denominator of the probabilities of the distribution.
func (l Distribution) logOutcomes() float64 {
	sum := 0.0
	for _, d := range l.all() {
		for _, g := range d {
			n, _ := new(big.Float).SetInt(g.count).Float64()
			sum += n * log2Binomial(l.m, g.size)
		}
	}
	return sum
}

// log2Binomial returns log2 C(m,k) or a somewhat larger number.
func log2Binomial(m, k uint64) float64 {
	if k = min(k, m-k); k == 0 {
		return 0
	}
	if m < 1<<20 {
		lg := func(x uint64) float64 { v, _ := math.Lgamma(float64(x) + 1); return v }
		return (lg(m) - lg(k) - lg(m-k)) / math.Ln2
	}
	return float64(k) * math.Log2(math.E*float64(m)/float64(k))
}

// Let r of m urns be given. Let P be the probability that the committees in the argument "groups" hit all given urns.
// The function hitLog2 estimates a lower bound of P. It returns the binary logarithm of this estimate. The argument r
// must not exceed the number of urns that the committees can hit.
//
// The result is the larger of two estimates. The first estimate is C(mu,r)/C(m,r), where mu is the mean number of hit
// urns. For mu > r-1 it is a lower bound by Jensen's inequality. The second estimate is the probability that N
// independent balls hit all r urns. Here N is the sum of the sizes of the committees. This estimate is a lower bound
// because the members of a committee are distinct. They hit at least as many urns as the same number of independent
// balls. Let [z^N] denote the coefficient of z^N. Then the second estimate is
//
//	N! m^-N [z^N] (e^z - 1)^r e^((m-r)z).
//
// This number is approximated by the saddle-point method. Let y = r z/(e^z-1). The saddle point is z = (N-y)/m, and the
// estimate is
//
//	(1-e^-z)^r exp(-y - N log(1-y/N)).
func hitLog2(m uint64, groups []group, r uint64) float64 {
	if r == 0 {
		return 0
	}
	urns, want := float64(m), float64(r)
	var balls, logEmpty float64
	for _, g := range groups {
		n, _ := new(big.Float).SetInt(g.count).Float64()
		balls += n * float64(g.size)
		logEmpty += n * math.Log1p(-float64(g.size)/urns)
	}
	jensen := math.Inf(-1)
	if mu := -urns * math.Expm1(logEmpty); mu > want-1 && r <= 1<<16 {
		jensen = 0
		for i := range r {
			jensen += math.Log2((mu - float64(i)) / (urns - float64(i)))
		}
	}
	const (
		bisections = 100    // more steps than the precision of a float64 needs
		leastRoot  = 1e-300 // a small number whose logarithm is finite
		series     = 1e-4   // below this, cancellation in log1p costs more than the third term of its series
		whole      = 1e-9   // if 1-t is smaller than this, the root lies at the end of the interval
	)
	low, high := 0.0, min(want, balls)
	z := 0.0
	for range bisections {
		y := (low + high) / 2
		if z = (balls - y) / urns; y < want*z/math.Expm1(z) {
			low = y
		} else {
			high = y
		}
	}
	z = max(z, leastRoot)
	t := low / balls
	tail := -low - balls*math.Log1p(-t)
	if t < series {
		tail = balls * t * t * (0.5 + t/3)
	}
	saddle := want*math.Log(-math.Expm1(-z)) + tail
	if t > 1-whole { // r = N, so the probability is N!/m^N
		saddle = balls * (math.Log(balls/urns) - 1)
	}
	return min(0, max(jensen, saddle/math.Ln2))
}

// hitLog2 returns about log2 of a lower bound of the probability that r given urns are all occupied. It tries several
// ways to divide the r urns into two parts. In the first part, the shared committees hit all urns. In the second part,
// each department hits all urns with its other committees. It returns the largest of the estimates.
func (l Distribution) hitLog2(r uint64) float64 {
	rest := l.m
	for _, d := range l.departments {
		_, most := span(l.m, d)
		rest = min(rest, most)
	}
	_, most := span(l.m, l.shared)
	best := math.Inf(-1)
	for _, i := range []uint64{0, r / 2, min(r, most), r - min(r, rest)} {
		if i > most || r-i > rest {
			continue
		}
		log2 := hitLog2(l.m, l.shared, i)
		for _, d := range l.departments {
			log2 += hitLog2(l.m, d, r-i)
		}
		best = max(best, log2)
	}
	return best
}

// countBits returns a number of extra bits of working precision. These bits cover all rounding errors of one product of
// powers. Let c be the largest count. Let d be the number of groups plus the number of departments. The result is the
// bit length of c plus the bit length of d.
func (l Distribution) countBits() int {
	length, groups := 1, 1
	for _, d := range l.all() {
		groups += 1 + len(d)
		for _, g := range d {
			length = max(length, g.count.BitLen())
		}
	}
	return length + bits.Len(uint(groups))
}

// powerSteps estimates the number of multiplications needed to compute one power for each group.
func (l Distribution) powerSteps() int {
	steps := 0
	for _, d := range l.all() {
		for _, g := range d {
			steps += g.count.BitLen()
		}
	}
	return steps
}
