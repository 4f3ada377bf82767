package exact

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// These constants limit the time and the memory that PMF and PMFs may use.
const (
	maxTerms  = 1 << 11 // the largest number of terms of a sum over occupied or empty urns
	scaleMost = 1 << 21 // the largest number of bits of a fixed-point sum
	lawsLimit = 1 << 33 // the longest time that PMFs, or the computation of one rational, may take, in nanoseconds
)

// PMF returns P[X = i].
//
// Routes: difference is the default. For balls, the routes "stirling" and "recursive" exist. For unions, the route
// "hypergeometric" exists. If each department has one committee, the routes "recursive" and "hypergeometric" exist.
//
// The default route uses the following formulas.
//
//   - For unions, the result is C(m,i) Delta^i [product of C(x,k)] at 0, divided by the product of C(m,k). This equals
//     C(m,i) [product of C(i,k)/C(m,k)] times a probability. It is the probability that committees of i people leave
//     none out. If Delta^i has too many terms, PMF computes the sum over the empty urns.
//   - If each department has one committee, PMF uses the same formula for the people that each department leaves out.
//   - For large unions of committees of one size, the difference is computed as an integral (see occupancy).
//   - For large intersections of two groups of balls, PMF computes two integrals (see occupancy.Pair).
//   - For other intersections, the result is the sum over r >= i of (-1)^(r-i) C(r,i) E[C(X,r)].
//
// In the last formula, the sum over r ends where further terms are too small to matter at the required precision. The
// true value lies between two consecutive partial sums (Bonferroni).
//
// Source: Burns (3). Equations (14), (17), (18), (30), (37), (38) and (40) give the route "difference". Equation (4)
// gives the route "stirling". Equations (12) and (34) give the route "recursive". Equations (24) and (31) give the
// route "hypergeometric".
// Domain: any i; the result is 0 for i outside Range.
// Error: relative width at most 2^-prec. The result is an exact rational if the number of outcomes has at most 5000
// digits and i is at most 512.
// Cost: i powers at prec + log2(1/p) + i bits. Suppose that committees of the same sizes are chosen from a group of
// only i people. Then p is the probability that each person of this group is in at least one committee. An intersection
// needs about e E[X] + prec terms, where e = 2.718. For balls and 50 digits, PMF takes 2 ms at i = 200 and 0.3 s at i =
// 2000. For example, let the intersection have two departments and E[X] = 70. Then PMF takes 0.2 s for i = 70 and 50
// digits. If both i and the number of empty urns are in the thousands or more, PMF computes an integral. For balls in
// 2^40 urns, the integral takes 20 ms at 50 digits.
// Errors: *bloomproof.ParamError; ErrTooCostly where more than 2048 terms are needed; ErrRange. For unions of
// committees of one size, ErrTooCostly is rare.
func (l Distribution) PMF(i uint64, prec uint, route Route) (Enclosure, error) {
	if err := l.check(prec); err != nil {
		return Enclosure{}, err
	}
	route, err := refuse.Among(route, Auto, l.pmfRoutes(), "the probabilities of this distribution")
	if err != nil {
		return Enclosure{}, err
	}
	least, most := l.Range()
	switch {
	case i < least || i > most:
		return exactlyInt(0, prec), nil
	case least == most:
		return exactlyInt(1, prec), nil
	case route != routeDifference:
		return probability(l.pmfWitness(i, prec, route))
	case most <= rationalUrns && l.small():
		return exactly(l.pmfRational(i), prec), nil
	}
	groups, isUnion := l.union()
	switch other, single := l.complement(); {
	case single && !isUnion && l.m-i <= min(most, maxTerms):
		return other.PMF(l.m-i, prec, routeDifference)
	case isUnion && i <= maxTerms:
		return probability(l.pmfUnion(groups, i, prec))
	}
	if o, ok := l.alike(); ok && !o.Crowded() {
		x, err := o.Exactly(i, prec)
		if err != nil {
			return Enclosure{}, err
		}
		return probability(around(x), nil)
	}
	out := l.outLog2()
	if isUnion || out < l.hitLog2(1) {
		return probability(l.pmfByMoments(l.m-i, l.m-least, out, prec, l.misses))
	}
	e, err := probability(l.pmfByMoments(i, most, l.hitLog2(1), prec, l.hits))
	if o, ok := l.pair(); ok && errors.Is(err, refuse.ErrTooCostly) && 0 < i && i < most {
		var x *interval.Interval
		if x, err = o.Exactly(i, prec); err == nil {
			return probability(around(x), nil)
		}
	}
	return e, err
}

// outLog2 returns about log2 of the probability that a given urn is not occupied.
func (l Distribution) outLog2() float64 {
	x := l.first2(floatWork).out
	if x.Sign() <= 0 {
		return math.Inf(-1)
	}
	lo := x.Lo()
	mant, _ := new(big.Float).SetMantExp(lo, -lo.MantExp(nil)).Float64()
	return math.Log2(mant) + float64(lo.MantExp(nil))
}

// The method "misses" returns the probabilities that 0, 1, ..., last given urns are all unoccupied. For a union
// these are the probabilities that no committee hits any of the given urns. For an intersection, the probability for i
// urns is the sum over j of (-1)^j C(i,j) p_j. The method "hits" returns the numbers p_j.
func (l Distribution) misses(last int, scale uint) ratios {
	if groups, ok := l.union(); ok {
		return vacancies(l.m, groups, last, scale)
	}
	p := l.hits(last, scale)
	p.differences(nil)
	return p
}

// pmfUnion returns P[X = i] for an i >= 1 in Range. This probability is C(m,i) [product of C(i,k)/C(m,k)] p. Suppose
// that committees of the same sizes are chosen from a group of only i people. Then p is the probability that each
// person of this group is in at least one committee.
func (l Distribution) pmfUnion(groups []group, i uint64, prec uint) (Enclosure, error) {
	inside := Distribution{m: i, departments: [][]group{groups}}
	if err := inside.affordable(int(i), prec, routeDifference); err != nil {
		return Enclosure{}, err
	}
	choose := integer.Binomial(l.m, int(i))
	wide := uint(l.countBits()) + 16
	return ziv(prec, inside.hitBits(int(i), prec), func(work uint) *interval.Interval {
		x := inside.differenceAt(int(i), work).enclosure(0, prec+16)
		p := interval.New(prec + wide)
		for _, g := range groups {
			p.SetInt(integer.Binomial(i, int(g.size)))
			p.Quo(p, interval.New(prec+wide).SetInt(integer.Binomial(l.m, int(g.size))))
			p.PowInt(p, g.count)
			x.Mul(x, p)
		}
		return x.Mul(x, p.SetInt(choose))
	})
}

// pmfByMoments returns P[Y = i], where Y is a random number of urns with Y <= most. The binomial moments of Y are
// E[C(Y,r)] = C(m,r) p_r. The argument p is a function that returns the list p_0, p_1, ..., p_last. They must satisfy
// p_r <= p_1^r. The argument log2 is an approximation of log2 p_1. The result is
//
//	sum over r >= i of (-1)^(r-i) C(r,i) C(m,r) p_r.
//
// The partial sums are alternately too large and too small. The reason is as follows. The sum of all terms with r >=
// i+j is the mean of a product of two factors. One factor is C(Y,i). The other factor is an alternating sum of the
// binomial coefficients C(Y-i,j), C(Y-i,j+1), .... It equals (-1)^j C(Y-i-1,j-1).
func (l Distribution) pmfByMoments(i, most uint64, log2 float64, prec uint, p func(last int, scale uint) ratios) (Enclosure, error) {
	// Let mean = m p_1. The term for r = i+j is at most (mean^i/i!) (mean^j/j!). The whole sum is about e^-mean times
	// the first term.
	logMean := math.Log2(float64(l.m)) + log2
	mean := math.Exp2(logMean)
	if mean > maxTerms || i > maxTerms {
		return Enclosure{}, refuse.TooCostly("a sum over urns", max(mean, float64(i)), maxTerms)
	}
	factorial, _ := math.Lgamma(float64(i) + 1)
	small := max(0, factorial/math.Ln2-float64(i)*logMean)
	if small > scaleMost {
		return Enclosure{}, refuse.TooCostly("a sum over urns", small, scaleMost)
	}
	first := prec + 2*sumGuard + uint(3*mean+small)
	cost := 0.0 // the total time of all iterations
	return zivErr(prec, first, func(work uint) (*interval.Interval, error) {
		terms, size := 0, 0.0
		for ; size > -float64(work)-8 && i+uint64(terms) < most; terms++ {
			size += logMean - math.Log2(float64(terms+1))
		}
		last := int(i) + terms
		if last > maxTerms {
			return nil, refuse.TooCostly("a sum over urns", float64(last), maxTerms)
		}
		// p_r has the weight C(r,i) C(m,r) in the sum. The differences from which p_r is computed lose up to r bits.
		// The sum over r loses further bits.
		weight := integer.Binomial(l.m, int(i)) // C(r,i) C(m,r) = C(m,i) C(m-i,r-i)
		weights := make([]*big.Int, 0, terms+1)
		long := 0
		f := new(big.Int)
		for j := range uint64(terms) + 1 {
			weights = append(weights, new(big.Int).Set(weight))
			long = max(long, weight.BitLen())
			weight.Mul(weight, f.SetUint64(l.m-i-j))
			weight.Quo(weight, f.SetUint64(j+1))
		}
		scale := work + uint(long) + uint(last+l.countBits()) + 16
		if _, ok := l.union(); !ok {
			scale += 2 * uint(last) // for the differences in misses, and for the sums over shared committees
		}
		if scale > scaleMost {
			return nil, refuse.TooCostly("a sum over urns", float64(scale), scaleMost)
		}
		if cost += l.hitsCost(last, scale); cost > hitsLimit/2 {
			return nil, refuse.TooCostly("a sum over urns", cost, hitsLimit/2)
		}
		q := p(last, scale)
		sum, before, missed := new(big.Int), new(big.Int), new(big.Int)
		for j, w := range weights {
			before.Set(sum)
			missed.Add(missed, f.Mul(w, q.missed))
			if f.Mul(w, q.v[int(i)+j]); j&1 == 0 {
				sum.Add(sum, f)
			} else {
				sum.Sub(sum, f)
			}
		}
		if uint64(last) == most {
			before.Set(sum)
		}
		if before.Cmp(sum) > 0 {
			before, sum = sum, before
		}
		return interval.New(prec+8).SetScaled(before.Sub(before, missed), sum.Add(sum, missed), -int(scale)), nil
	})
}

// The method "listable" returns an error if it would take too long to list all probabilities exactly. It also
// returns an error if the numerators of the probabilities are too long.
func (l Distribution) listable() error {
	_, most := l.Range()
	size := l.logOutcomes()
	if size > maxRatBits {
		return refuse.TooCostly("the exact distribution", size, maxRatBits)
	}
	words := size/wordBits + float64(most)
	if cost := l.hitsCost(int(min(most, 1<<30)), uint(wordBits*words)); cost > lawsLimit {
		return refuse.TooCostly("the exact distribution", cost, lawsLimit)
	}
	return nil
}

// pmfRational returns P[X = i] as an exact rational, for i in Range.
func (l Distribution) pmfRational(i uint64) *big.Rat {
	if groups, ok := l.union(); ok {
		num := vacancies(i, groups, int(i), 0).difference().v[0]
		num.Mul(num, integer.Binomial(l.m, int(i)))
		return new(big.Rat).SetFrac(num, vacancies(l.m, groups, 0, 0).den)
	}
	num, den := l.counts()
	return new(big.Rat).SetFrac(num[i], den)
}

// The method "counts" returns, for each number i, the number of outcomes with exactly i occupied urns. It also
// returns the number of all outcomes.
func (l Distribution) counts() (count []*big.Int, all *big.Int) {
	_, most := l.Range()
	last := int(most)
	if groups, ok := l.union(); ok {
		// Let "most" be the upper end of Range, and let a set of most-i urns be given. The entry a.v[i] is the number
		// of outcomes in which all occupied urns are in this set.
		a := vacancies(most, groups, last, 0)
		count = make([]*big.Int, last+1)
		for j, x := range a.v {
			count[last-j] = x
		}
		for i := 1; i <= last; i++ {
			for s := last; s >= i; s-- {
				count[s].Sub(count[s], count[s-1])
			}
		}
		choose := newBinomials(l.m)
		for _, x := range count {
			x.Mul(x, choose.next())
		}
		return count, vacancies(l.m, groups, 0, 0).den
	}
	// The binomial moments are the coefficients of the polynomial E[(1+t)^X] in t. A Taylor shift by -1, which replaces
	// t by t-1, turns these coefficients into the probabilities P[X = i].
	p := l.hits(last, 0)
	choose := newBinomials(l.m)
	for _, x := range p.v {
		x.Mul(x, choose.next())
	}
	for i := range last {
		for s := last - 1; s >= i; s-- {
			p.v[s].Sub(p.v[s], p.v[s+1])
		}
	}
	return p.v, p.den
}

// The type "binomials" produces the binomial coefficients C(m,0), C(m,1), ... in this order.
type binomials struct {
	m, r   uint64
	choose *big.Int
	factor big.Int
}

func newBinomials(m uint64) *binomials { return &binomials{m: m} }

// The method "next" returns the next coefficient. The following call of "next" overwrites the result.
func (b *binomials) next() *big.Int {
	if b.choose == nil {
		b.choose = big.NewInt(1)
		return b.choose
	}
	b.choose.Mul(b.choose, b.factor.SetUint64(b.m-b.r))
	b.r++
	return b.choose.Quo(b.choose, b.factor.SetUint64(b.r))
}

// PMFs returns P[X = i] for all i in Range, from the least to the largest.
//
// Source, Domain: these are the same as for PMF by the route "difference". PMFs counts the outcomes for every value of
// X exactly. This gives all probabilities at once.
// Error: each result has the error that PMF states.
// Cost: about i^2/2 subtractions, where i is the largest number in Range. Each of these numbers has about as many
// digits as the number of outcomes. For 1000 balls in 1000 urns this takes 0.4 s. If it would take too long, PMFs calls
// PMF for each probability.
// Errors: as for PMF; ErrTooCostly if the calls of PMF together take more than 10 s.
func (l Distribution) PMFs(prec uint) ([]Enclosure, error) {
	if err := l.check(prec); err != nil {
		return nil, err
	}
	least, most := l.Range()
	if most-least > 1<<20 {
		return nil, refuse.TooCostly("all probabilities", float64(most-least), 1<<20)
	}
	all := make([]Enclosure, 0, most-least+1)
	if l.listable() != nil {
		return l.pmfsEach(all, prec)
	}
	count, den := l.counts()
	small := l.small()
	for _, x := range count[least:] {
		if small {
			all = append(all, exactly(new(big.Rat).SetFrac(x, den), prec))
			continue
		}
		p := interval.New(prec + 8).SetInt(x)
		all = append(all, around(p.Quo(p, interval.New(prec+8).SetInt(den))))
	}
	return all, nil
}

// pmfsEach computes the probabilities one by one. It appends them to the argument "all".
func (l Distribution) pmfsEach(all []Enclosure, prec uint) ([]Enclosure, error) {
	least, most := l.Range()
	terms := float64(min(most, maxTerms))
	cost := float64(most-least+1) * terms * float64(l.powerSteps()) * productCost((float64(prec)+2*terms)/wordBits)
	if cost > lawsLimit {
		return nil, refuse.TooCostly("all probabilities", cost, lawsLimit)
	}
	for i := least; ; i++ {
		e, err := l.PMF(i, prec, routeDifference)
		if err != nil {
			return nil, fmt.Errorf("probability of %d: %w", i, err)
		}
		if all = append(all, e); i == most {
			return all, nil
		}
	}
}
