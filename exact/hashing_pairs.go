package exact

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/big"
	"math/bits"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// The type pairedLaw extends doubleLaw for hashings of type linearDraws. It has a second route, called "pairs", for
// filters with too many outcomes to count. This route computes a lower and an upper bound of the rate. The bounds
// follow from the pairs of positions at which an item and a query match.
//
// The symbols A, V, L_i, P_i, q_j and the matches (i,j) are defined in the comment of linearDraws. Let W = m^d be the
// number of queries, and let M = m^(d+1) be the number of outcomes of an item. Let c_j be the number of matches of an
// item at the query's position j. The symbol c_i has a different meaning: it is a constant of linearDraws. One item has
// the same start and the same words as the query. This item is called the copy of the query. Assume that the query has
// k different positions. The last paragraph drops this assumption. The set of these positions is Q.
//
// First consider pairs of matches. The values of (L_i' - L_i) V are the multiples of g = gcd(L_i' - L_i, m). Each of
// these multiples occurs for the same number of vectors V. Consider the items that match at (i,j) and (i',j'). Let
// delta = q_j' - q_j - (c_i' - c_i). If g divides delta, the number of these items is m^(d-1) g. Otherwise it is 0. Let
// G be the least common multiple of all g. Reduce the words of the query modulo G. The reduced words determine whether
// g divides delta. Queries with the same words modulo G form a class. There are G^d classes. Let j, j' be a pair of
// positions. Add the numbers of these items over all i != i'. The sum is written as rho(j,j') m^(d-1).
//
// For each class, a multiset of artificial outcomes is defined. It is called the reference. For each pair j, j', the
// reference contains rho(j,j') m^(d-1) - 1 outcomes that hit only j and j'. One outcome hits all positions. Let N be
// the number of true outcomes that hit a given position. For each position j, the reference also contains outcomes that
// hit only j. With these outcomes, exactly N outcomes of the reference hit j. Some items contribute equally to the
// reference and to the true outcomes. There are two kinds of these items. An item of the first kind has matches for
// only one or two values of i. An item of the second kind has all its matches at the same j. Let x be any other item,
// except the copy of the query. Let H be the set of positions that x hits, and let r be the number of its matches. The
// outcomes of the reference are divided among the items. Let j and j' be two positions in H. Of the outcomes that hit
// only j and j', the share of x is c_j c_j'. Of the outcomes that hit only j, the share of x is 1 - c_j (r-c_j). This
// share can be negative. Now consider a mixture of the reference and the true outcomes. Let the weight of the true
// outcomes grow from 0 to 1. Draw n-1 items from this mixture. For a set S of positions, let F(S) be the probability
// that these items hit all positions in S. The derivative of the rate with respect to the weight is n/M times a sum
// over all such items x. The term for x is:
//
//	F(Q-H) - sum over j<j' of H of c_j c_j' F(Q-j-j') + sum over j of H of (c_j(r-c_j) - 1) F(Q-j) - ... F(Q).
//
// The coefficient of F(Q) makes the sum of all coefficients 0.
//
// Consider the event that n-1 items hit all positions in Q-H and miss exactly u positions of H. In this expression, the
// probability of this event is multiplied by a coefficient. The coefficient is 0 for u = 0 and for u = 1, and it is 1
// for u > 2. For u = 2 the coefficient is 1 - c_j c_j', where j and j' are the two missed positions. So the expression
// has an upper and a lower bound:
//
//   - The expression is at most F(Q-H). If H has fewer than three positions, it is at most 0. If H has three or more
//     positions, x has at least C(|H|,3) triples of matches with three different i and three different j.
//   - The expression is at least -sum over j<j' of (c_j c_j' - 1) F(Q-j-j'). The number c_j c_j' - 1 is at most the
//     number of certain triples of matches. These triples have three different i. Either two of the matches are at j
//     and one is at j', or one is at j and two are at j'.
//
// Next consider triples of matches. Three given matches occur together if the words of the query and of the item
// satisfy two linear equations modulo m. Let e and e' be the elementary divisors of the matrix of coefficients. The
// equations have either m^(2d-2) gcd(e,m) gcd(e',m) solutions or no solution. Consider the fraction of the outcomes
// that have a given triple of matches. On average over all queries, this fraction is at most gcd(e,m) gcd(e',m)/m^3.
//
// Next consider the number N. An item with k' different positions hits a given position for k' values of its start. Let
// p be the number of pairs of equal positions of this item. Let t be the number of triples of equal positions. Then k-p
// <= k' <= k-p+t. The sums of p and t over all V are computed by the same equations as above. This gives bounds of N.
// The rate of the reference grows with N.
//
// The last part is a function Phi with F(S) <= Phi(|S|). Suppose that an item hits each position with probability N/M,
// and never hits two positions. Let h(r) be the probability that n such items hit r given positions. The function Phi
// is defined by a recursion:
//
//	Phi(r) = h(r) + n C(r,2) psi max over 2 <= h <= r of Phi(r-h)/C(h,2).
//
// The reason is that either some item hits h >= 2 of the r positions, or no item hits more than one of them. The number
// psi is an upper bound of the probability that an outcome hits two given positions. The bound holds for the true
// outcomes and for the outcomes of the reference. The number psi is the sum of g m^(d-1) over all i != i', divided by
// M.
//
// Finally, consider queries with equal positions. The method "repeats" counts them. If a query has r different
// positions, its rate is at least h(r) and at most Phi(r). The lower bound h(r) is proved as follows. Consider an
// outcome that hits a set H of several positions. Replace it by an outcome that hits no position. For each position of
// H, take another outcome that hits no position. Replace the latter by an outcome that hits only the position of H. By
// the argument above with c_j = 1, these changes lower the probability that n items hit all positions.
type pairedLaw struct{ doubleLaw }

const routePairs Route = "pairs"

func (pairedLaw) routes() []Route { return []Route{routeDifference, routePairs} }

func (l pairedLaw) enclose(g bloomproof.Geometry, n uint64, prec uint, route Route) (Enclosure, error) {
	if route == routePairs {
		p := pairBounds{linearDraws: l.draws.(linearDraws), g: g, n: n, k: g.K, cancels: l.cancels(g, n)}
		return p.enclose(prec)
	}
	return l.doubleLaw.enclose(g, n, prec, route)
}

// These constants are the limits and the precision of the route "pairs".
const (
	mostPairedPositions = 20
	mostPairedSets      = 1 << 24 // largest permitted number of sets of positions, summed over all classes
	pairsWork           = 128     // precision, in bits, of the numbers that are added
)

// pairBounds computes the numbers that the comment of pairedLaw defines.
type pairBounds struct {
	linearDraws
	g       bloomproof.Geometry
	n       uint64
	k       int
	cancels uint

	outcomes, queries   *big.Int             // M and W
	hitLow, hitHigh     *big.Int             // a lower and an upper bound of N
	lowRates, highRates []*interval.Interval // h(r) computed with hitLow and with hitHigh
	phi                 []*interval.Interval
}

func (p *pairBounds) row(i, j int) [2]int64 { // returns L_i - L_j
	r := [2]int64{int64(i - j)}
	if p.d == 2 {
		r[1] = p.slope(int64(i)) - p.slope(int64(j))
	}
	return r
}

// The method "divisor" returns gcd(L_i - L_j, m), where L_i are the vectors of linearDraws.
func (p *pairBounds) divisor(i, j int) uint64 {
	r := p.row(i, j)
	return gcd(gcd(magnitude(r[0]), magnitude(r[1])), p.g.M)
}

func (p *pairBounds) between(i, j int) int64 { return p.constant(int64(i)) - p.constant(int64(j)) }

// The method "scaled" returns x*m^e, or x if e is 0 or less.
func (p *pairBounds) scaled(x *big.Int, e int) *big.Int {
	for range e {
		x = new(big.Int).Mul(x, integer.Uint(p.g.M))
	}
	return x
}

// An item can have equal positions. The method "own" counts the pairs of equal positions, over all vectors V of the
// item's words. It also returns an upper bound of the number of triples of equal positions.
func (p *pairBounds) own() (pairs, triples *big.Int) {
	pairs, triples = new(big.Int), new(big.Int)
	for i := range p.k {
		for j := range i {
			x := p.divisor(i, j)
			if residue(p.between(j, i), p.g.M)%x == 0 {
				pairs.Add(pairs, integer.Uint(x))
			}
			for h := range j {
				r, r2 := p.row(j, h), p.row(i, h)
				hi, lo := p.triple([4]int64{r[0], r[1]}, [4]int64{r2[0], r2[1]}, p.between(h, j), p.between(h, i))
				count128{triples}.add(hi, lo)
			}
		}
	}
	pairs = p.scaled(pairs, p.d-1)
	if p.d == 1 { // the number is m^(d-2) gcd(e,m) gcd(e',m), where one factor is m
		triples.Quo(triples, integer.Uint(p.g.M))
	}
	return pairs, triples
}

// For each number r below k, the method "repeats" returns the number of queries with exactly r different positions. If
// the result "exact" is false, these numbers are not known. But their sum is at most the number of pairs that the
// method "own" returns.
func (p *pairBounds) repeats() (queries map[int]*big.Int, exact bool) {
	queries = map[int]*big.Int{}
	add := func(positions int, count *big.Int) {
		if queries[positions] == nil {
			queries[positions] = new(big.Int)
		}
		queries[positions].Add(queries[positions], count)
	}
	m := p.g.M
	if p.d == 1 {
		found := newMatches(p.g)
		constants := p.constants(p.g, 0)
		words := map[uint64]bool{}
		for i := range p.k {
			for j := range i {
				step := found.steps[i-j]
				r := subMod(constants[j], constants[i], m)
				if r%step.both != 0 {
					continue
				}
				word := mulMod(r/step.both, step.inverse, m/step.both)
				for range step.both {
					words[word] = true
					word += m / step.both
				}
			}
		}
		for word := range words {
			positions := map[uint64]bool{}
			x := uint64(0)
			for _, c := range constants {
				positions[addMod(x, c, m)] = true
				x = addMod(x, word, m)
			}
			add(len(positions), integer.One)
		}
		return queries, true
	}
	if m <= 2*uint64(p.k) || !integer.Uint(m).ProbablyPrime(0) {
		return queries, false
	}
	// P_i = P_j is equivalent to (i-j)(2 V_1 + (i+j-1) V_2) = 0 mod m. Suppose that the second factor is 0. For each
	// value of i+j, the vectors V for which this factor is 0 form a line.
	add(1, integer.One)
	for sum := 1; sum <= 2*p.k-3; sum++ {
		equal := 0
		for j := range p.k {
			if i := sum - j; i > j && i < p.k {
				equal++
			}
		}
		add(p.k-equal, integer.Uint(m-1))
	}
	return queries, true
}

// The method "up" returns the upper end of x, or 1 if this end is above 1.
func (p *pairBounds) up(x *interval.Interval) *interval.Interval {
	hi := x.Hi()
	if hi.Cmp(big.NewFloat(1)) > 0 {
		hi.SetInt64(1)
	}
	return interval.New(pairsWork).SetEnds(hi, hi)
}

func (p *pairBounds) number(x *big.Int) *interval.Interval { return interval.New(pairsWork).SetInt(x) }

func (p *pairBounds) product(x ...*interval.Interval) *interval.Interval {
	z := p.number(integer.One)
	for _, y := range x {
		z.Mul(z, y)
	}
	return z
}

func (p *pairBounds) ratio(x *interval.Interval, n int64) *interval.Interval {
	return interval.New(pairsWork).Quo(x, p.number(big.NewInt(n)))
}

func choose2(x int) int64 { return int64(x) * int64(x-1) / 2 }
func choose3(x int) int64 { return choose2(x) * int64(x-2) / 3 }

// The method "sum" returns the sum of the given terms, which is the rate of one query.
func (p *pairBounds) sum(terms []term) (*interval.Interval, error) {
	e, err := sumTerms(p.g, terms, p.outcomes, integer.One, p.n, floatWork, p.cancels, 0)
	if err != nil {
		return nil, err
	}
	return interval.New(pairsWork).Set(e.interval()), nil
}

// The comment of pairedLaw defines a function h. The method "alone" returns the numbers h(0), ..., h(k). The argument
// "hit" is the number N of outcomes that hit a given position.
func (p *pairBounds) alone(hit *big.Int) (rates []*interval.Interval, err error) {
	for r := range p.k + 1 {
		var terms []term
		for j, w := range integer.BinomialRow(r) {
			missed := new(big.Int).Mul(hit, big.NewInt(int64(j)))
			terms = append(terms, term{j, missed.Sub(p.outcomes, missed), w})
		}
		x := interval.New(pairsWork) // stays 0 if there are fewer items than positions
		if uint64(r) <= p.n {
			if x, err = p.sum(terms); err != nil {
				return nil, err
			}
		}
		rates = append(rates, x)
	}
	return rates, nil
}

// The method "enclose" returns an enclosure whose ends are a lower and an upper bound of the rate. The upper end can
// exceed 1.
func (p *pairBounds) enclose(prec uint) (Enclosure, error) {
	name := fmt.Sprintf("the bounds of the rate of %v", p.g)
	if p.k > mostPairedPositions {
		return Enclosure{}, refuse.TooCostly(name, float64(p.k), mostPairedPositions)
	}
	p.outcomes, p.queries = p.linearDraws.outcomes(p.g), p.linearDraws.queries(p.g)
	equal, three := p.own()
	p.hitLow = new(big.Int).Mul(p.queries, big.NewInt(int64(p.k)))
	p.hitLow.Sub(p.hitLow, equal)
	p.hitHigh = new(big.Int).Add(p.hitLow, three)
	if most := new(big.Int).Mul(p.hitHigh, big.NewInt(int64(p.k))); p.hitLow.Sign() <= 0 || most.Cmp(p.outcomes) > 0 {
		return Enclosure{}, refuse.Undefined(name, "they need more bits for a position")
	}
	var err error
	if p.lowRates, err = p.alone(p.hitLow); err != nil {
		return Enclosure{}, err
	}
	if p.highRates, err = p.alone(p.hitHigh); err != nil {
		return Enclosure{}, err
	}
	psi := new(big.Int)
	for i := range p.k {
		for j := range i {
			psi.Add(psi, integer.Uint(2*p.divisor(i, j)))
		}
	}
	items := p.number(integer.Uint(p.n))
	share := func(x *big.Int) *interval.Interval {
		return interval.New(pairsWork).Quo(p.number(x), p.number(p.outcomes))
	}
	p.phi = []*interval.Interval{p.number(integer.One)}
	for r := 1; r <= p.k; r++ {
		most := interval.New(pairsWork)
		for h := 2; h <= r; h++ {
			if x := p.ratio(p.phi[r-h], choose2(h)); x.Hi().Cmp(most.Hi()) > 0 {
				most = x
			}
		}
		x := p.product(items, p.number(big.NewInt(choose2(r))), share(p.scaled(psi, p.d-1)), most)
		p.phi = append(p.phi, p.up(x.Add(x, p.highRates[r])))
	}
	lo, hi, least, most, err := p.reference(name)
	if err != nil {
		return Enclosure{}, err
	}
	// So far, lo and hi are bounds for the reference. The true outcomes can have another rate. The next lines add
	// bounds of the difference.
	different, mixed := p.triples()
	cube := integer.Power(integer.Uint(p.g.M), 3)
	third := func(x *big.Int) *interval.Interval { return interval.New(pairsWork).Quo(p.number(x), p.number(cube)) }
	gain := interval.New(pairsWork)
	for h := 3; h <= p.k; h++ {
		if x := p.ratio(p.phi[p.k-h], choose3(h)); x.Hi().Cmp(gain.Hi()) > 0 {
			gain = x
		}
	}
	hi.Add(hi, p.product(items, third(different), gain))
	lo.Sub(lo, p.product(items, third(mixed), p.phi[max(0, p.k-2)]))
	// Correct the bounds for the queries with equal positions.
	queries, exact := p.repeats()
	part := func(x *big.Int) *interval.Interval {
		return interval.New(pairsWork).Quo(p.number(x), p.number(p.queries))
	}
	for _, r := range slices.Sorted(maps.Keys(queries)) {
		count := queries[r]
		x := interval.New(pairsWork).Sub(p.phi[r], least)
		hi.Add(hi, x.Mul(x, part(count)))
		x = interval.New(pairsWork).Sub(p.lowRates[r], most)
		lo.Add(lo, x.Mul(x, part(count)))
	}
	if !exact {
		excess := interval.New(pairsWork)
		for r := 1; r < p.k; r++ {
			each, more := p.k/r, p.k%r
			pairs := int64(more*each) + int64(r)*choose2(each)
			x := interval.New(pairsWork).Sub(p.phi[r], least)
			if x = p.ratio(x, pairs); x.Hi().Cmp(excess.Hi()) > 0 {
				excess = x
			}
		}
		hi.Add(hi, excess.Mul(excess, part(equal)))
		if x := interval.New(pairsWork).Sub(p.lowRates[p.k], most); x.Lo().Sign() < 0 {
			lo.Add(lo, x.Mul(x, part(equal)))
		}
	}
	low := lo.Lo()
	if low.Sign() < 0 {
		low.SetInt64(0)
	}
	return NewEnclosure(low, hi.Hi())
}

// The method "reference" computes the rate of the reference, averaged over all classes. The result lo is computed with
// the lower bound of N. The result hi is computed with the upper bound of N. The results "least" and "most" are the
// smallest and the largest rate of a class.
func (p *pairBounds) reference(name string) (lo, hi, least, most *interval.Interval, err error) {
	common := uint64(1) // becomes G
	for i := range p.k {
		for j := range i {
			x := p.divisor(i, j)
			common *= x / gcd(common, x)
			if float64(common) > mostPairedSets {
				break
			}
		}
	}
	classes := common
	if p.d == 2 {
		classes *= common
	}
	if cost := float64(classes) * float64(uint64(1)<<p.k); cost > mostPairedSets {
		return nil, nil, nil, nil, refuse.TooCostly(name, cost, mostPairedSets)
	}
	// The comment of pairedLaw defines the number rho(j,j'). The number depends only on the difference of the positions
	// j and j' modulo G. If this difference is x, the number is stored in rhos[x].
	rhos := make([]int, common)
	for distance := range rhos {
		for i := range p.k {
			for i2 := range p.k {
				if i == i2 {
					continue
				}
				if x := int64(p.divisor(i, i2)); (int64(distance)-p.between(i2, i))%x == 0 {
					rhos[distance] += int(x)
				}
			}
		}
	}
	type class struct{ size, pairs int }
	lo, hi = interval.New(pairsWork), interval.New(pairsWork)
	known := map[string][2]*interval.Interval{}
	alike := map[string]uint64{} // the number of classes that have the same list of rho
	for c := range classes {
		words := [2]int64{int64(c % common), int64(c / common)}
		var key []byte
		for j := range p.k {
			for j2 := range j {
				row := p.row(j2, j)
				distance := (row[0]*words[0] + row[1]*words[1] + p.between(j2, j)) % int64(common)
				if distance < 0 {
					distance += int64(common)
				}
				key = binary.LittleEndian.AppendUint16(key, uint16(rhos[distance]))
			}
		}
		alike[string(key)]++
	}
	for _, key := range slices.Sorted(maps.Keys(alike)) {
		count := alike[key]
		rho := make([][]int, p.k)
		for j := range rho {
			rho[j] = make([]int, p.k)
		}
		for j := range p.k {
			for j2 := range j {
				x := int(binary.LittleEndian.Uint16([]byte(key)))
				key, rho[j][j2], rho[j2][j] = key[2:], x, x
			}
		}
		// To count the outcomes that hit at least one position in a set J, begin with |J| N. Subtract the sum of
		// rho(j,j') m^(d-1) over all pairs in J. Then add C(|J|-1,2), because one outcome hits all positions.
		counts := map[class]int64{}
		within := make([]int32, 1<<p.k) // the sum of rho over the pairs of J
		for set := range within {
			if set > 0 {
				last := bits.Len(uint(set)) - 1
				rest := set &^ (1 << last)
				within[set] = within[rest]
				for j := range last {
					if rest>>j&1 == 1 {
						within[set] += int32(rho[last][j])
					}
				}
			}
			counts[class{bits.OnesCount(uint(set)), int(within[set])}]++
		}
		for j := range p.k { // checks the outcomes that hit only j
			both := -int64(p.k - 1)
			alone := new(big.Int).Sub(p.hitLow, integer.One)
			sum := int64(0)
			for _, x := range rho[j] {
				sum += int64(x)
			}
			alone.Sub(alone, p.scaled(big.NewInt(sum), p.d-1))
			if alone.Sub(alone, big.NewInt(both)).Sign() < 0 {
				return nil, nil, nil, nil, refuse.Undefined(name, "they need more bits for a position")
			}
		}
		var keys []class
		for x := range counts {
			keys = append(keys, x)
		}
		slices.SortFunc(keys, func(a, b class) int {
			if a.size != b.size {
				return a.size - b.size
			}
			return b.pairs - a.pairs
		})
		text := ""
		for _, x := range keys {
			text += fmt.Sprint(x.size, x.pairs, counts[x], " ")
		}
		rates, ok := known[text]
		if !ok {
			for side, hit := range []*big.Int{p.hitLow, p.hitHigh} {
				var terms []term
				for _, x := range keys {
					missed := new(big.Int).Mul(hit, big.NewInt(int64(x.size)))
					missed.Sub(missed, p.scaled(big.NewInt(int64(x.pairs)), p.d-1))
					if x.size > 0 {
						missed.Add(missed, big.NewInt(choose2(x.size)-int64(x.size-1)))
					}
					terms = append(terms, term{x.size, missed.Sub(p.outcomes, missed), big.NewInt(counts[x])})
				}
				if rates[side], err = p.sum(terms); err != nil {
					return nil, nil, nil, nil, err
				}
			}
			known[text] = rates
		}
		of := p.number(integer.Uint(count))
		lo.Add(lo, p.product(of, rates[0]))
		hi.Add(hi, p.product(of, rates[1]))
		if least == nil || rates[0].Lo().Cmp(least.Lo()) < 0 {
			least = rates[0]
		}
		if most == nil || rates[1].Hi().Cmp(most.Hi()) > 0 {
			most = rates[1]
		}
	}
	all := p.number(integer.Uint(classes))
	return lo.Quo(lo, all), hi.Quo(hi, all), least, most, nil
}
