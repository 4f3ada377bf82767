package exact

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// With doubleHashing, an item has a random start a and a random step b, which are independent. The start is uniform in
// 0..m-1, and the step is uniform in a set B of steps. The positions of the item are given by this formula:
//
//	a + ib mod m, 0 <= i < k.
//
// For a step b, let S = {0, b, ..., (k-1)b}. Let J be a set of positions. Let J - S be the set of all differences j - s
// mod m with j in J and s in S. An item with the step b hits at least one position in J if its start is in J - S. Let
// q_J be the probability that an item hits no position in J. Then
//
//	q_J = 1 - (1/(m|B|)) sum over b in B of |J - S|.
//
// If the same number is added to all members of J, q_J does not change. So it is enough to consider queries with the
// start 0. The time to find the terms (-1)^|J| q_J^n of the rate does not depend on m, for the following reasons.
//
// For most steps b of an item, the differences in J - S are distinct. Then |J - S| = k|J|. Let g be the step of the
// query. Let K = min(k, m/g) be the number of distinct positions of the query. Let J = {jg : j in T}, where T is a
// subset of 0..K-1. Consider two differences jg - ib and j'g - i'b with i >= i'. Let d = i-i' and e = j-j'. For d = 0
// the two differences are not equal, because the positions jg of the query are distinct. For d > 0 they are equal only
// if this equation holds:
//
//	d b = e g mod m.
//
// If gcd(d,m) divides eg, this equation has gcd(d,m) solutions b. Otherwise it has none. All solutions for 1 <= d < k
// and |e| < K together are called the special steps. There are about k^2 special steps. For each special step, the
// members of J - S are counted. Let lost(T) be the sum of k|J| - |J - S| over the special steps. Then
//
//	q_J = 1 - (k|J||B| - lost(T))/(m|B|).
//
// If the same number is added to all members of T, lost(T) does not change. So it is enough to consider the sets T that
// contain 0. Let T be such a set. There are K - max(T) numbers, including 0, that can be added to all members of T.
// Each of the resulting sets has the same terms as T. For the steps b and -b of an item, |J - S| is the same. The
// reason is as follows. An item with the step -b has the same k positions as an item with the step b, in reverse order.
//
// Many steps of a query have the same terms. Let u be a unit of the integers mod m. A set B of steps is a set of
// integers mod m. For each set B that is used here, multiplication by u permutes the members of B. It changes the step
// b' of the query to u b'. So the terms depend only on g = gcd(b',m), where g = m for b' = 0. The number of steps with
// the same g is phi(m/g), where phi is Euler's function. The terms can also be the same for two different values of g.
// To find these values, let p^x be a prime power in the factorization of m. Consider the equation d b = e g modulo p^x.
// Let p^v be the largest power of p that divides g, and let w = x-v.
//
//   - If p >= k, d has an inverse. So b/p^v = e/d mod p^w, or b = 0 if w = 0. All these primes together determine e/d
//     modulo u, where u is the product of their powers p^w. If another pair (d',e') gives the same value, de' - d'e is
//     a multiple of u, and its absolute value is at most 2(k-1)^2. If u is larger than this, de' - d'e is therefore 0,
//     and the terms do not depend on u.
//   - If p < k, let p^y be the largest power of p that divides d. This power is less than k. Suppose that p^y <= p^v.
//     If v > y, all solutions b are multiples of p, and dividing b and g by p gives the solutions for v-1 and x-1. So
//     all v above the largest y have the same terms as the v that equals the largest y. The solutions are b = e p^v/d +
//     t p^(x-y), t < p^y. Another pair (d',e') has this solution if p^v (de' - d'e) + d d' t p^(x-y) = 0 mod p^x d. For
//     p^w > 2(k-1)^2, a first summand other than 0 contains a smaller power of p than the second summand and than p^x
//     d. So it must be 0, and the remaining condition does not depend on w.
//
// TestDoubleKinds compares the result with the sum over all g.

type doubleHashing struct{ steps stepSet }

// The type stepSet identifies one of three sets of steps.
type stepSet uint8

const (
	allSteps     stepSet = iota // 0..m-1
	nonzeroSteps                // 1..m-1
	oddSteps                    // the odd steps, for an m that is a power of two
)

// The method "has" reports whether the step b is in the set. The step must be below m.
func (s stepSet) has(b uint64) bool {
	return s == allSteps || s == nonzeroSteps && b != 0 || s == oddSteps && b&1 == 1
}

// The method "queries" returns the number of possible steps of a query.
func (h doubleHashing) queries(g bloomproof.Geometry) *big.Int {
	switch h.steps {
	case nonzeroSteps:
		return integer.Uint(g.M - 1)
	case oddSteps:
		return integer.Uint(g.M / 2)
	}
	return integer.Uint(g.M)
}

func (h doubleHashing) outcomes(g bloomproof.Geometry) *big.Int {
	x := h.queries(g)
	return x.Mul(x, integer.Uint(g.M))
}

// The method "full" returns true if every item has all m positions, for every possible step. The positions of an item
// with the step b repeat after m/gcd(b,m) positions.
func (h doubleHashing) full(g bloomproof.Geometry) bool {
	return uint64(g.K) >= g.M && (g.M == 1 || h.steps == oddSteps || h.steps == nonzeroSteps && integer.Uint(g.M).ProbablyPrime(0))
}

// The method "hits" counts the outcomes that hit a given position. An item with a step b has min(k, m/gcd(b,m))
// distinct positions. Each of these positions equals the given position for exactly one start of the item.
func (h doubleHashing) hits(g bloomproof.Geometry) *big.Int {
	kinds, err := h.kinds(g)
	if err != nil { // cannot occur: check has refused such a geometry
		panic(err)
	}
	sum := new(big.Int)
	for _, x := range kinds {
		t := integer.Uint(x.count)
		sum.Add(sum, t.Mul(t, integer.Uint(min(uint64(g.K), g.M/x.g))))
	}
	return sum
}

func (h doubleHashing) check(g bloomproof.Geometry) error {
	_, err := h.kinds(g)
	return err
}

// Queries with different steps can have the same terms. A value of the type queryKind represents such steps. The field
// g is one of them. The field "count" is the number of these steps. The step g is a divisor of m, and g = m represents
// the step 0.
type queryKind struct{ g, count uint64 }

// The method "kinds" returns values of type queryKind. Each possible step of a query is represented by one of these
// values. It returns an error if finding the terms would take too long for this m and k.
func (h doubleHashing) kinds(g bloomproof.Geometry) ([]queryKind, error) {
	m, k := g.M, min(uint64(g.K), g.M) // after m positions the positions of an item repeat
	if k > mostPositions {
		return nil, refuse.TooCostly(fmt.Sprintf("the rate of %v", g), math.Exp2(float64(k)), 1<<mostPositions)
	}
	var kinds []queryKind
	switch {
	case k == 1 || h.steps == oddSteps: // only the start matters, or all steps are units
		kinds = []queryKind{{1, h.queries(g).Uint64()}}
	default:
		kinds = divisorKinds(m, k)
		if h.steps == nonzeroSteps {
			kinds = slices.DeleteFunc(kinds, func(x queryKind) bool { return x.g == m })
		}
	}
	cost := 0.0
	for _, x := range kinds {
		cost += visitCost * math.Exp2(float64(min(k, m/x.g))) * float64(len(h.special(m, k, x.g)))
		if cost > doubleLimit {
			return nil, refuse.TooCostly(fmt.Sprintf("the rate of %v", g), cost, doubleLimit)
		}
	}
	return kinds, nil
}

// visitCost is the time that the function "lose" takes for each set T and each special step. The unit is a nanosecond.
// Measured: 2 to 5.
const visitCost = 4

// divisorKinds returns values of type queryKind that together represent all steps 0..m-1.
func divisorKinds(m, k uint64) []queryKind {
	most := 2 * (k - 1) * (k - 1)
	kinds, rest := []queryKind{{1, 1}}, m
	for p := uint64(2); p < k; p++ {
		x := 0
		for ; rest%p == 0; rest /= p {
			x++
		}
		if x == 0 {
			continue
		}
		largest := uint64(0) // the largest y
		for q := p; q < k; q *= p {
			largest++
		}
		type alike struct{ v, power uint64 }
		of := map[alike]int{}
		var powers []queryKind
		for v, step, order := uint64(0), uint64(1), power(p, x); order > 0; v, step, order = v+1, step*p, order/p {
			key := alike{min(v, largest), min(order, most+1)}
			i, ok := of[key]
			if !ok {
				i = len(powers)
				of[key] = i
				powers = append(powers, queryKind{g: step})
			}
			powers[i].count += order - order/p // Euler's phi of order
		}
		kinds = products(kinds, powers)
	}
	var others []queryKind
	left := rest
	for u := uint64(1); u <= min(most, rest); u++ {
		if rest%u == 0 {
			others = append(others, queryKind{rest / u, phi(u)})
			left -= phi(u)
		}
	}
	if left > 0 {
		others = append(others, queryKind{1, left})
	}
	return products(kinds, others)
}

func products(a, b []queryKind) (all []queryKind) {
	for _, x := range a {
		for _, y := range b {
			all = append(all, queryKind{x.g * y.g, x.count * y.count})
		}
	}
	return all
}

// The function "power" returns p^x, which must be below 2^64.
func power(p uint64, x int) uint64 {
	r := uint64(1)
	for range x {
		r *= p
	}
	return r
}

// The function "phi" returns how many of the numbers 1..u are coprime to u.
func phi(u uint64) (n uint64) {
	for x := uint64(1); x <= u; x++ {
		if gcd(x, u) == 1 {
			n++
		}
	}
	return n
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// The method "special" returns the special steps for a query with the step g. It omits special steps that no item can
// have. The comment at the top of this file defines the special steps. If b is a special step, m-b is one too. The
// method returns only one of the two.
func (h doubleHashing) special(m, k, g uint64) []uint64 {
	found := map[uint64]bool{}
	for d := uint64(1); d < k; d++ {
		both := gcd(d, m)
		n := m / both
		inverse := new(big.Int).ModInverse(integer.Uint(d/both), integer.Uint(n)).Uint64()
		for e := range min(k, m/g) {
			eg := mulMod(e, g%m, m)
			if eg%both != 0 {
				continue
			}
			b := mulMod(eg/both, inverse, n)
			for range both {
				if h.steps.has(b) {
					found[min(b, m-b)] = true
				}
				b += n
			}
		}
	}
	steps := make([]uint64, 0, len(found))
	for b := range found {
		steps = append(steps, b)
	}
	slices.Sort(steps)
	return steps
}

// The method "terms" returns the terms of the sum for the rate. The terms are sorted by the size of their sets of
// positions, and the smallest sets are first.
func (h doubleHashing) terms(g bloomproof.Geometry) ([]term, error) {
	kinds, err := h.kinds(g)
	if err := cmp.Or(err, fault.Part()); err != nil {
		return nil, err
	}
	type class struct {
		size int
		lost uint32
	}
	m, k := g.M, min(uint64(g.K), g.M)
	weights := map[class]*big.Int{}
	for _, x := range kinds {
		positions := int(min(k, m/x.g))
		lost := make([]uint32, 1<<(positions-1)) // one entry for each set T that contains 0, indexed as in lose
		for _, b := range h.special(m, k, x.g) {
			weight := uint32(2)
			if b == 0 || b == m-b {
				weight = 1
			}
			lose(lost, weight, m, k, x.g, b, positions)
		}
		counts := map[class]uint64{{0, 0}: 1}
		for t, l := range lost {
			counts[class{1 + bits.OnesCount(uint(t)), l}] += uint64(positions - lastMember(t, positions))
		}
		for c, count := range counts {
			v := integer.Uint(count)
			v.Mul(v, integer.Uint(x.count))
			if w, ok := weights[c]; ok {
				v.Add(v, w)
			}
			weights[c] = v
		}
	}
	steps, all := h.queries(g), h.outcomes(g)
	var terms []term
	for c, w := range weights {
		hit := new(big.Int).Mul(steps, integer.Uint(k*uint64(c.size)))
		hit.Sub(hit, integer.Uint(uint64(c.lost)))
		terms = append(terms, term{c.size, hit.Sub(all, hit), w})
	}
	slices.SortFunc(terms, smallFirst)
	return terms, nil
}

// The argument b is a special step. The function "lose" changes each entry of the list "lost". It adds k|J| - |J - S|,
// multiplied by the argument "weight". There is one entry for each set T that contains 0. The comment at the top of
// this file defines T, J and S. The other possible members of T are 1, 2, .... The index of the entry for T has one bit
// for each possible member. The highest bit says whether 1 is in T. The next bit says whether 2 is in T, and so on.
func lose(lost []uint32, weight uint32, m, k, g, b uint64, positions int) {
	differences := differencesOf(m, k, g, b, positions)
	// Every set contains 0. Let T be the last visited set with i other members. The entry union[i] is the set of
	// differences for T. If the next set has i+1 other members, it consists of T and one larger member.
	union := make([][]uint64, positions)
	for i := range union {
		union[i] = make([]uint64, len(differences[0]))
	}
	for t := range lost {
		size, count := bits.OnesCount(uint(t)), 0
		if size == 0 {
			copy(union[0], differences[0])
		} else {
			last := differences[lastMember(t, positions)]
			for i, x := range union[size-1] {
				union[size][i] = x | last[i]
			}
		}
		for _, x := range union[size] {
			count += bits.OnesCount64(x)
		}
		lost[t] += weight * uint32(int(k)*(size+1)-count)
	}
}

// lastMember returns the largest member of the set with the index t.
func lastMember(t, positions int) int {
	if t == 0 {
		return 0
	}
	return positions - 1 - bits.TrailingZeros(uint(t))
}

// differencesOf assigns numbers to the distinct differences jg - ib. For each j it returns a bit set. This set contains
// the numbers that were assigned to the differences jg - ib with this j.
func differencesOf(m, k, g, b uint64, positions int) [][]uint64 {
	numbers := map[uint64]int{}
	sets := make([][]uint64, positions)
	for j := range sets {
		sets[j] = make([]uint64, (positions*int(k)+63)/64)
		x := mulMod(uint64(j), g%m, m)
		for range k {
			id, ok := numbers[x]
			if !ok {
				id = len(numbers)
				numbers[x] = id
			}
			sets[j][id/64] |= 1 << (id % 64)
			if x < b {
				x += m // may overflow 2^64, but then the subtraction below wraps back
			}
			x -= b
		}
	}
	for j := range sets {
		sets[j] = sets[j][:(len(numbers)+63)/64]
	}
	return sets
}

// mulMod returns x*y mod m.
func mulMod(x, y, m uint64) uint64 {
	hi, lo := bits.Mul64(x, y)
	return bits.Rem64(hi, lo, m)
}
