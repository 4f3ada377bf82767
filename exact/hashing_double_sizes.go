package exact

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// For some hashings, this package has a formula only for the rate f. For these hashings, the type rateSizes searches
// for the best sizes. The rate grows with n, because an item only sets bits. But a larger m can have a higher rate. For
// example, if m or m+1 is a prime, the rate for m+1 bits can be higher than the rate for m bits. Therefore the search
// needs a lower bound of the rate that falls as m grows. It excludes small m by the bound f >= h(k,P). In this bound, P
// = min(1/k, (k - D/m)/m) and D = C(k+1,3). The function h is defined by this formula:
//
//	h(k,P) = sum over j of (-1)^j C(k,j) (1-jP)^n.
//
// The bound is correct for m >= 2D/k. For these m, P falls as m grows.
//
// Proof: let E be the mean number of different positions of an item. An item hits a given position with the probability
// E/m. Consider the i-th and the j-th position of an item. They are equal for at most the fraction gcd(i-j,m)/m of all
// steps. This fraction is at most |i-j|/m. Add |i-j|/m over all pairs of i and j. The result is D/m. So E is at least k
// - D/m. Suppose that an item hits each position with probability P, and never hits two positions. Then h(k,P) is the
// probability that n items hit all positions of the query. The comment of pairedLaw proves that h(k,P) is a lower bound
// of f. For smaller m, let M = max(k, 2D/k). If m < M, an item hits a given position with probability 1/m or more, so f
// >= h(k, 1/M).
//
// The search begins with the smallest m that the bound does not exclude. It tries every larger m up to the answer,
// unless there are too many such m.
type rateSizes struct {
	l law
	g bloomproof.Geometry // the field M is not set
	n uint64
	p *big.Rat
}

// Some searches for sizes only compare the rates of filters. Their results can depend on unproven assumptions. These
// texts state the assumptions.
const (
	assumesUpper   = "the rate is as high as its upper bound"
	assumesOtherKM = "no other k needs fewer bits"
	assumesOtherKN = "no other k serves more items"
)

// A search tries several values of m one after another. For filters with k positions, mostTried returns the largest
// number of values that are tried.
func mostTried(k int) uint64 { return min(1<<11, max(16, uint64(1)<<20>>min(k, 20))) }

// ratesOf returns the formulas for the rate of g, and whether they exist. They exist under two conditions. First, g has
// no blocks. Second, for the hashing of g, this package has a formula only for the rate.
func ratesOf(g bloomproof.Geometry) (law, bool) {
	l, ok := rateHashings[g.Hashing]
	return l, ok && g.Block == 0
}

// The method "up" returns the smallest number of bits, from m on, that is permitted for k positions. It returns 0 if
// there is no such number.
func (s rateSizes) up(m uint64) uint64 {
	g := s.g
	for g.M = max(m, 1); g.Validate() != nil; {
		next := g.M + 1
		switch {
		case g.M < 2:
		case g.M%uint64(g.K) != 0 && (bloomproof.Geometry{M: uint64(g.K) * 2, K: g.K, Hashing: g.Hashing}).Validate() == nil:
			next = g.M + uint64(g.K) - g.M%uint64(g.K)
		default: // this hashing needs an m that is a power of two
			next = 1
			for next < g.M && next != 0 {
				next *= 2
			}
		}
		if next <= g.M {
			return 0
		}
		g.M = next
	}
	return g.M
}

// wideRate returns an enclosure of the rate. If the usual route is too costly, it uses the route "pairs", whose
// enclosure is wider.
func wideRate(l law, g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	e, err := rateAt(l, g, n, prec)
	if p, ok := l.(pairedLaw); ok && errors.Is(err, bloomproof.ErrTooCostly) {
		if e, failed := p.enclose(g, n, prec, routePairs); failed == nil {
			return e, nil
		}
	}
	return e, err
}

// The method "keeps" reports whether the rate of a filter of m bits with n items is at most the target rate p. If the
// enclosure of the rate is too wide to decide this, the result "known" is false.
func (s rateSizes) keeps(m, n uint64) (keeps, known bool, err error) {
	g := s.g
	g.M = m
	if p, ok := s.l.(pairedLaw); ok && n > 0 && !p.full(g) {
		if e, err := p.enclose(g, n, floatWork, routePairs); err == nil {
			if order, decided := e.Cmp(exactly(s.p, floatWork)); decided {
				return order <= 0, true, nil
			}
		}
	}
	order, err := cmpRate(s.l, g, n, s.p)
	if _, ok := s.l.(pairedLaw); ok && errors.Is(err, bloomproof.ErrTooCostly) {
		return false, false, nil
	}
	return order <= 0, true, err
}

// The method "excluded" reports whether a lower bound of the rate is above the target rate p. This bound is h(k, P)
// with P = hit/outcomes.
func (s rateSizes) excluded(hit, outcomes *big.Int) (bool, error) {
	if uint64(s.g.K) > s.n {
		return false, nil
	}
	var terms []term
	for j, w := range integer.BinomialRow(s.g.K) {
		missed := new(big.Int).Mul(hit, big.NewInt(int64(j)))
		terms = append(terms, term{j, missed.Sub(outcomes, missed), w})
	}
	share, _ := new(big.Rat).SetFrac(hit, outcomes).Float64()
	k := float64(s.g.K)
	cancels := uint(k - k*math.Log2(-math.Expm1(-float64(s.n)*share)))
	e, err := sumTerms(s.g, terms, outcomes, integer.One, s.n, floatWork, cancels, 0)
	if err != nil {
		return false, err
	}
	order, decided := e.Cmp(exactly(s.p, floatWork))
	return decided && order > 0, nil
}

// The method "from" returns a number of bits at which a search can begin. For every smaller number of bits, the lower
// bound proves that the rate is above p.
func (s rateSizes) from(guess uint64) (uint64, error) {
	k := uint64(s.g.K)
	lost := integer.Binomial(k+1, 3).Uint64()
	small := max(k, 2*lost/k+1)
	if no, err := s.excluded(integer.One, integer.Uint(small)); err != nil || !no {
		return 1, err
	}
	m, err := lastTrue(small, math.MaxUint64-1, guess, func(m uint64) (bool, error) {
		x := integer.Uint(m)
		outcomes := new(big.Int).Mul(x, x)
		hit := new(big.Int).Mul(x, integer.Uint(k))
		hit.Sub(hit, integer.Uint(lost))
		if most := new(big.Int).Quo(outcomes, integer.Uint(k)); hit.Cmp(most) > 0 {
			return s.excluded(integer.One, integer.Uint(k))
		}
		return s.excluded(hit, outcomes)
	})
	return m + 1, err
}

// The method "near" returns an m for which the rate is at most p. For the next smaller m, the rate is above p, or it
// could not be compared with p.
func (s rateSizes) near(guess uint64) (uint64, error) {
	m, err := lastTrue(0, math.MaxUint64-1, guess, func(m uint64) (bool, error) {
		m = s.up(m)
		if m == 0 {
			return false, nil
		}
		keeps, _, err := s.keeps(m, s.n)
		return !keeps, err
	})
	if err != nil {
		return 0, err
	}
	if m = s.up(m + 1); m == 0 {
		return 0, fmt.Errorf("m is above 2^64-1: %w", refuse.ErrRange)
	}
	return m, nil
}

// leastBits returns the smallest m for which the rate is at most p. It also returns the assumptions on which this
// result rests.
func (s rateSizes) leastBits(guess uint64) (m uint64, assumes string, err error) {
	if m, err = s.near(guess); err != nil {
		return 0, "", err
	}
	first, err := s.from(m)
	if err != nil {
		return 0, "", err
	}
	first = s.up(first)
	tried := []uint64{}
	for x := first; x != 0 && x < m && uint64(len(tried)) <= mostTried(s.g.K); x = s.up(x + 1) {
		tried = append(tried, x)
	}
	if uint64(len(tried)) <= mostTried(s.g.K) {
		for _, x := range tried {
			keeps, known, err := s.keeps(x, s.n)
			if err != nil {
				return 0, "", err
			}
			if keeps {
				return x, assumes, nil
			}
			if !known {
				assumes = assumesUpper
			}
		}
		return m, assumes, nil
	}
	// There are too many sizes from first to m to try them all. The loop tries only the sizes that are nearest to m.
	low := m
	for left := mostTried(s.g.K); left > 0 && low > first; left-- {
		step := uint64(1)
		for s.up(low-step) >= low && low-step > first {
			step++
		}
		low = s.up(low - step)
		keeps, known, err := s.keeps(low, s.n)
		if err != nil {
			return 0, "", err
		}
		if keeps {
			m, left = low, mostTried(s.g.K)
		} else if !known {
			assumes = assumesUpper
		}
	}
	missed := fmt.Sprintf("the rate is missed from m = %d to %d", first, low-1)
	if assumes != "" {
		missed = assumes + ", and " + missed
	}
	return m, missed, nil
}

// mostItems returns the largest n for which the rate is at most p. It also returns the assumptions on which this result
// rests.
func (s rateSizes) mostItems(m, guess uint64) (n uint64, assumes string, err error) {
	n, err = lastTrue(0, mostN, guess, func(n uint64) (bool, error) {
		if n == 0 {
			return true, nil
		}
		keeps, known, err := s.keeps(m, n)
		if !known {
			assumes = assumesUpper
		}
		return keeps, err
	})
	if err == nil && n == mostN {
		err = fmt.Errorf("n is 2^64-1 or more: %w", refuse.ErrRange)
	}
	return n, assumes, err
}

// standardOf returns g with standard hashing. Searches use the result only for their first guesses.
func standardOf(g bloomproof.Geometry) bloomproof.Geometry {
	g.Hashing = bloomproof.Standard
	return g
}

// checkRates checks the arguments of a search that computes only rates. It returns an error if the geometry g, the
// target rate p or the precision prec is not valid.
func checkRates(g bloomproof.Geometry, p *big.Rat, prec uint) error {
	_, err := checkSizing(standardOf(g), p, prec)
	return err
}

// The function "climb" lowers k by steps of 1 as long as the next k is better than the present k. The function "better"
// makes this comparison. If the first step is not an improvement, the function "climb" raises k in the same way. It
// returns the last k that is better than its predecessor, or the initial k.
func climb(k int, better func(k, than int) (bool, error)) (int, error) {
	for _, step := range []int{-1, 1} {
		moved := false
		for k+step >= 1 && k+step <= bloomproof.MaxK {
			ok, err := better(k+step, k)
			if errors.Is(err, bloomproof.ErrTooCostly) {
				break
			}
			if err != nil {
				return 0, err
			}
			if !ok {
				break
			}
			k, moved = k+step, true
		}
		if moved {
			break
		}
	}
	return k, nil
}

// For some hashings, this package has a formula only for the rate. For these hashings, leastBitsByRate computes the
// result of LeastBits.
func leastBitsByRate(l law, g bloomproof.Geometry, n uint64, p *big.Rat, prec uint) (Optimum, error) {
	g.M = 0
	if err := checkRates(g, p, prec); err != nil {
		return Optimum{}, err
	}
	guess, err := LeastBits(standardOf(g), n, p, searchPrec)
	if err != nil {
		return Optimum{}, err
	}
	assumesK := ""
	s := rateSizes{l, g, n, p}
	if g.K == 0 {
		assumesK = assumesOtherKM
		known := map[int]uint64{}
		near := func(k int) (uint64, error) {
			if m, ok := known[k]; ok {
				return m, nil
			}
			s.g.K = k
			m, err := s.near(guess.Geometry.M)
			known[k] = m
			return m, err
		}
		if s.g.K, err = climb(guess.Geometry.K, func(k, than int) (bool, error) {
			old, err := near(than)
			if err != nil {
				return false, err
			}
			m, err := near(k)
			return m < old, err
		}); err != nil {
			return Optimum{}, err
		}
	}
	if n == 0 {
		return s.optimum(s.up(1), 0, "", prec)
	}
	m, assumes, err := s.leastBits(guess.Geometry.M)
	if err != nil {
		return Optimum{}, err
	}
	if assumes != "" && assumesK != "" {
		assumes += ", and "
	}
	return s.optimum(m, n, assumes+assumesK, prec)
}

func (s rateSizes) optimum(m, n uint64, assumes string, prec uint) (Optimum, error) {
	g := s.g
	g.M = m
	e, err := wideRate(s.l, g, n, prec)
	return Optimum{Geometry: g, N: n, Last: g.K, Rate: e, Assumes: assumes}, err
}

// mostItemsByRate computes the result of MostItems for a hashing for which this package knows only the rate.
func mostItemsByRate(l law, g bloomproof.Geometry, p *big.Rat, prec uint) (Optimum, error) {
	if err := checkRates(g, p, prec); err != nil {
		return Optimum{}, err
	}
	if g.K > 0 {
		if err := valid(g); err != nil {
			return Optimum{}, err
		}
	}
	guess, err := MostItems(standardOf(g), p, searchPrec)
	if err != nil {
		return Optimum{}, err
	}
	s, assumes, assumesK := rateSizes{l, g, 0, p}, "", ""
	var n uint64
	if g.K == 0 {
		assumesK = assumesOtherKN
		s.g.K = max(1, guess.Geometry.K)
		for s.g.K > 1 && s.g.Validate() != nil {
			s.g.K--
		}
		items := func(k int) (uint64, error) {
			s.g.K = k
			if s.g.Validate() != nil {
				return 0, nil
			}
			n, _, err := s.mostItems(g.M, guess.N)
			return n, err
		}
		if s.g.K, err = climb(s.g.K, func(k, than int) (bool, error) {
			old, err := items(than)
			if err != nil {
				return false, err
			}
			n, err := items(k)
			return n > old, err
		}); err != nil {
			return Optimum{}, err
		}
		if err := valid(s.g); err != nil {
			return Optimum{}, err
		}
	}
	if n, assumes, err = s.mostItems(g.M, guess.N); err != nil {
		return Optimum{}, err
	}
	if assumes != "" && assumesK != "" {
		assumes += ", and "
	}
	return s.optimum(g.M, n, assumes+assumesK, prec)
}

// optimalKByRate computes the result of OptimalK for a hashing for which this package knows only the rate. It tries k =
// 1, 2, ... until three consecutive k are worse than the best k so far, and returns this best k.
func optimalKByRate(l law, g bloomproof.Geometry, n uint64, prec uint) (Optimum, error) {
	if err := precision.Check(prec); err != nil {
		return Optimum{}, err
	}
	const worseEnds = 3
	s := rateSizes{l: l, g: g}
	best := Optimum{}
	upper := false
	last, worse := 0, 0
	for k := 1; k <= bloomproof.MaxK && uint64(k) <= g.M && worse < worseEnds; k++ {
		s.g.K = k
		if s.g.Validate() != nil {
			if k == 1 {
				return Optimum{}, s.g.Validate()
			}
			continue
		}
		o, err := s.optimum(g.M, n, "", max(prec, floatWork))
		if errors.Is(err, bloomproof.ErrTooCostly) && last > 0 && (worse > 0 || k > last+1) {
			break
		}
		if err != nil {
			return Optimum{}, err
		}
		last = k
		if best.Last == 0 {
			best = o
			continue
		}
		order, decided := o.Rate.Cmp(best.Rate)
		switch {
		case !decided && rationalServes(l, o.Geometry, n) && rationalServes(l, best.Geometry, n):
			order = l.rational(o.Geometry, n).Cmp(l.rational(best.Geometry, n))
		case !decided && o.Rate.RelBits() >= floatWork && best.Rate.RelBits() >= floatWork:
			return Optimum{}, undecided(floatWork)
		case !decided:
			upper = true
			order = o.Rate.Hi().Cmp(best.Rate.Hi())
		}
		switch {
		case order < 0:
			best, worse = o, 0
		case order == 0 && best.Last == k-1:
			best.Last = k
		default:
			worse++
		}
	}
	if n > 0 {
		best.Assumes = fmt.Sprintf("no k above %d is better", last)
		if upper {
			best.Assumes = assumesUpper + ", and " + best.Assumes
		}
	}
	return best, nil
}
