package exact

import (
	"math"
	"math/big"
	"sort"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
)

// The interface sizer has the methods that the searches for sizes need. A sizer represents all filters with one
// hashing. They differ only in m and k. Two types have these methods: plain for filters without blocks, and
// blockedSizes for filters with blocks of one size.
type sizer interface {
	law
	// The method "shape" returns the geometry with m bits and k positions. The method "allows" reports whether this
	// geometry is valid.
	shape(m uint64, k int) bloomproof.Geometry
	allows(m uint64, k int) bool
	// stepM does the same as sizes.stepM, with one exception: the result "least" may be 0. A filter of 0 bits does not
	// exist, so no statement is then made about the smallest filter.
	stepM(k int) (step, least uint64)
	// Consider all k with the lowest rate. The method bestK returns the smallest and the largest of these k.
	bestK(s *kSearch) (k, last int, assumes string, err error)
	// The method guessItems approximates the largest n for which the rate f is at most p. The method guessBits
	// approximates the smallest m for which the rate with n >= 1 items is at most p.
	guessItems(g bloomproof.Geometry, p *big.Rat) uint64
	guessBits(n uint64, k int, p *big.Rat) uint64
	// The comments of the interface "sizes" describe the method leastBitsAnyK.
	leastBitsAnyK(n uint64, p *big.Rat) (m uint64, assumes string, err error)
}

// The type "plain" represents filters without blocks. All these filters have the same hashing.
type plain struct{ hashing }

func (h plain) shape(m uint64, k int) bloomproof.Geometry {
	return bloomproof.Geometry{M: m, K: k, Hashing: h.is()}
}

// mostKSearch limits an estimated time, in nanoseconds. This is the time for computing the rates of all k that are not
// excluded.
const mostKSearch = 1e9

// The type kSearch searches for the best k for a filter of m bits with n items.
type kSearch struct {
	of   sizer
	m, n uint64
	ks   []int // all allowed k in increasing order
	know map[int]Enclosure
}

func newKSearch(of sizer, m, n uint64) *kSearch {
	s := &kSearch{of: of, m: m, n: n, know: map[int]Enclosure{}}
	for k := 1; k <= bloomproof.MaxK; k++ {
		if of.allows(m, k) {
			s.ks = append(s.ks, k)
		}
	}
	return s
}

func (s *kSearch) geometry(k int) bloomproof.Geometry { return s.of.shape(s.m, k) }

// The method "nearest" returns the largest permitted number of positions that is at most k. If all permitted numbers
// are above k, it returns the smallest permitted number.
func (s *kSearch) nearest(k int) int { return s.ks[max(0, sort.SearchInts(s.ks, k+1)-1)] }

// The method "rate" returns the rate for k positions, with a relative width of at most 2^-prec.
func (s *kSearch) rate(k int, prec uint) (Enclosure, error) {
	if e, ok := s.know[k]; ok && e.RelBits() >= int(prec) {
		return e, nil
	}
	e, err := rateAt(s.of, s.geometry(k), s.n, prec)
	s.know[k] = e
	return e, err
}

// The method "compare" compares the rate for j positions with the rate for k positions. The result is the sign of the
// first rate minus the second rate.
func (s *kSearch) compare(j, k int) (int, error) {
	precs := comparePrecs(s.m)
	for i, prec := range precs {
		a, err := s.rate(j, prec)
		if err != nil {
			return 0, err
		}
		b, err := s.rate(k, prec)
		if err != nil {
			return 0, err
		}
		if order, decided := a.Cmp(b); decided {
			return order, nil
		}
		if i > 0 && rationalServes(s.of, s.geometry(j), s.n) && rationalServes(s.of, s.geometry(k), s.n) {
			return s.of.rational(s.geometry(j), s.n).Cmp(s.of.rational(s.geometry(k), s.n)), nil
		}
	}
	return 0, undecided(precs[len(precs)-1])
}

// The method "best" returns the smallest k with the lowest rate, and the largest k with the same rate. The result
// "assumes" is the text of the unproven assumption on which these two numbers rest. It is empty if there is no such
// assumption.
func (s *kSearch) best() (k, last int, assumes string, err error) {
	if s.n == 0 || s.m == 1 {
		return 1, s.ks[len(s.ks)-1], "", nil
	}
	return s.of.bestK(s)
}

func (h plain) bestK(s *kSearch) (k, last int, assumes string, err error) {
	if s.mostlySet() {
		return 1, 1, "", nil
	}
	if k, last, ok := h.oneItem(s); ok {
		return k, last, "", nil
	}
	at, err := s.localMin(max(0, sort.SearchInts(s.ks, s.nearest(h.guessK(s)))))
	if err != nil {
		return 0, 0, "", err
	}
	k = s.ks[at]
	limit, err := s.rate(k, searchPrec)
	if err != nil {
		return 0, 0, "", err
	}
	top := interval.New(floatWork).Set(limit.interval())
	top.Log(top)
	below, above := s.window(h.lower(s), top.Hi())
	const perBound = 2000 // measured time of sharpLower in nanoseconds, for each position of an item
	var left []int        // indices of the k that are not excluded
	cost := 0.0
	for i, j := range s.ks {
		if j <= below || j >= above {
			continue
		}
		if cost >= mostKSearch {
			return s.withTies([]int{at + 1}, k, assumesUnimodal)
		}
		cost += perBound * float64(j)
		if !h.excluded(s, j, limit) {
			left = append(left, i)
			cost += h.cost(s.geometry(j), s.n)
		}
	}
	if cost >= mostKSearch {
		return s.withTies([]int{at + 1}, k, assumesUnimodal)
	}
	return s.withTies(left, k, "")
}

// mostlySet reports whether (1-1/m)^n is certainly at most 1/2. If this is so, k = 1 is best. The file
// verify/proof/theorems/search.v proves this. The theorems are standard_half_full, classic_half_full and
// partitioned_half_full.
func (s *kSearch) mostlySet() bool {
	l := occupancy.LogEmpty(s.m, new(big.Int).SetUint64(s.n), floatWork)
	l.Add(l, ln2Interval(floatWork))
	return l.Hi().Sign() <= 0
}

// withTies compares the rate for k with the rates for some elements of s.ks. The argument "indices" has the indices of
// these elements. Several of these numbers of positions can have the same lowest rate. The method returns the smallest
// and the largest of them.
func (s *kSearch) withTies(indices []int, k int, assumes string) (first, last int, _ string, err error) {
	first, last = k, k
	for _, i := range indices {
		if i >= len(s.ks) || s.ks[i] == k {
			continue
		}
		switch order, err := s.compare(s.ks[i], first); {
		case err != nil:
			return 0, 0, "", err
		case order < 0:
			first, last = s.ks[i], s.ks[i]
		case order == 0:
			first, last = min(first, s.ks[i]), max(last, s.ks[i])
		}
	}
	return first, last, assumes, nil
}

// localMin returns the index of a local minimum of the rate. A local minimum is defined by two conditions. The rate is
// below the rate for the previous permitted k. It is at most the rate for the next permitted k. The argument "at" is
// the index from which the search starts. It moves towards smaller rates with growing steps, and then bisects.
func (s *kSearch) localMin(at int) (int, error) {
	var failed error
	last := len(s.ks) - 1
	falls := func(i int) bool { // reports whether the rate falls from i to i+1
		if failed != nil || i >= last {
			return false
		}
		order, err := s.compare(s.ks[i+1], s.ks[i])
		failed = err
		return order < 0
	}
	low, high := -1, at // invariant: falls(low) is true or low = -1, and falls(high) is false
	if falls(at) {
		low = at
		for step := 1; ; step *= 2 {
			x := min(low+step, last)
			if !falls(x) {
				high = x
				break
			}
			low = x
		}
	} else {
		for step := 1; high > 0; step *= 2 {
			x := max(high-step, 0)
			if falls(x) {
				low = x
				break
			}
			high = x
		}
	}
	for high-low > 1 {
		if x := (low + high) / 2; falls(x) {
			low = x
		} else {
			high = x
		}
	}
	return high, failed
}

// For any numbers a and b, a rangeBound gives a lower bound of the rates of all k from a to b. The bound is
// factor*(1-q_a)^b. Here q_a is the probability that a given bit is unset if k = a. If "a" grows, this probability
// falls.
type rangeBound struct {
	logUnset func(a int) *interval.Interval // returns ln q_a, or nil if q_a = 0
	guess    func(a int) float64            // returns about ln q_a; no result depends on it
	factor   *interval.Interval             // the logarithm of the factor, or nil for a factor of 1
}

// The method "bloom" returns the bound for standard hashing and m >= 2, with q_a = (1-1/m)^(na). Theorem standard_range
// of verify/proof/theorems/search.v proves this bound.
func (s *kSearch) bloom() rangeBound {
	m, n := float64(s.m), float64(s.n)
	return rangeBound{
		logUnset: func(a int) *interval.Interval {
			return occupancy.LogEmpty(s.m, integer.Product(s.n, a), floatWork)
		},
		guess: func(a int) float64 { return n * float64(a) * math.Log1p(-1/m) },
	}
}

// The method "upper" returns the bound with q_a = (1-a/m)^n. This bound follows from the formula of BoundUpper for n
// items. For n = s.n it is a lower bound of the partitioned rates (theorem partitioned_range of
// verify/proof/theorems/search.v). For n = s.n-1 it is a lower bound of the classic rates (theorem classic_range of the
// same file).
func (s *kSearch) upper(n uint64) rangeBound {
	m := float64(s.m)
	return rangeBound{
		logUnset: func(a int) *interval.Interval {
			if uint64(a) == s.m {
				return nil
			}
			return logCommitteesUnset(s.geometry(a), n, floatWork)
		},
		guess: func(a int) float64 { return float64(n) * math.Log1p(-float64(a)/m) },
	}
}

// The method "log" returns the logarithm of the bound for all k from a to b.
func (r rangeBound) log(a, b int) *interval.Interval {
	x := r.logUnset(a)
	if x == nil {
		x = interval.New(floatWork) // the logarithm of 1
	} else {
		x = logPower(x, b)
	}
	if r.factor != nil {
		x.Add(x, r.factor)
	}
	return x
}

// logGuess computes an approximation of the result of the method "log". It computes in float64.
func (r rangeBound) logGuess(a, b int) float64 {
	x := float64(b) * math.Log1p(-math.Exp(r.guess(a)))
	if r.factor != nil {
		f, _ := r.factor.Lo().Float64()
		x += f
	}
	return x
}

// logPower sets x to k log(1-e^x), and returns x.
func logPower(x *interval.Interval, k int) *interval.Interval {
	x.Exp(x)
	x.Neg(x)
	x.Log1p(x)
	return x.Mul(x, interval.New(floatWork).SetUint64(uint64(k)))
}

// The method "window" returns two numbers, "below" and "above". For two ranges of k, the given lower bound proves that
// the rate is larger than e^limit. The first range contains all k up to the number "below". The second range contains
// all k from the number "above" on.
func (s *kSearch) window(lower rangeBound, limit *big.Float) (below, above int) {
	bound := interval.New(floatWork).SetEnds(limit, limit)
	about, _ := limit.Float64()
	last := len(s.ks) - 1
	search := func(ends func(i, j int) (a, b int)) int {
		return outermost(last+1, func(i, j int) bool {
			a, b := ends(i, j)
			return lower.logGuess(a, b) > about
		}, func(i, j int) bool {
			a, b := ends(i, j)
			order, decided := lower.log(a, b).Cmp(bound)
			return decided && order > 0
		})
	}
	if i := search(func(i, j int) (a, b int) { return s.ks[i], s.ks[j] }); i > 0 {
		below = s.ks[i-1]
	}
	above = s.ks[last] + 1
	if i := search(func(i, j int) (a, b int) { return s.ks[last-j], s.ks[last-i] }); i > 0 {
		above = s.ks[last+1-i]
	}
	return below, above
}

// The function "outermost" returns the smallest number x from 0 to most-1 that is not certainly excluded. If all of
// these numbers are excluded, it returns the argument "most". It searches upwards from 0. The function "out" reports
// whether all numbers from i to j are certainly excluded. The function "likely" guesses the result of the function
// "out". It takes nearly no time. The result of outermost does not depend on these guesses.
func outermost(most int, likely, out func(i, j int) bool) int {
	x := 0
	for x < most {
		step := most - x
		// Choose the longest step for which the function "likely" returns true. If the step were longer, the function
		// "out" would probably return false.
		if !likely(x, most-1) {
			step = sort.Search(most-x, func(i int) bool { return !likely(x, x+i) })
		}
		for step = max(step, 1); !out(x, x+step-1); step /= 2 {
			if step == 1 {
				return x
			}
		}
		x += step
	}
	return x
}

// The method "excluded" reports whether a lower bound proves that the rate for k positions is above limit. The method
// sharpLower returns this bound.
func (h plain) excluded(s *kSearch, k int, limit Enclosure) bool {
	e, ok := h.sharpLower(s.geometry(k), s.n, searchPrec)
	if !ok {
		return false
	}
	order, decided := e.Cmp(limit)
	return decided && order > 0
}

// The following functions compute, in floating point, the guesses from which searches start. The results of the
// searches do not depend on these guesses.

// logRate approximates ln f, where f is the rate. It corrects the value of BoundBloom or BoundUpper for the variance of
// the number of set bits. The correction is of first order in 1/m (see excessBits).
func logRate(h hashing, m, n float64, k int) float64 {
	p := h.fillGuess(m, n, k)
	return float64(k)*math.Log(p) + excessGuess(h, m, n*float64(k)/m, p, k)
}

// excessGuess approximates log(f/p^k), where f is the rate and p is the fill. The argument a = kn/m is the number of
// positions of all items divided by the number of bits.
func excessGuess(h hashing, m, a, p float64, k int) float64 {
	if p == 0 {
		return 0
	}
	return h.excessGuess(m, a, p, k)
}

// guessK approximates the best k.
func (h plain) guessK(s *kSearch) int {
	const around = 2 // the best k lies between the textbook's k divided by around and the textbook's k
	m, n := float64(s.m), float64(s.n)
	centre := min(math.Ln2*m/n, bloomproof.MaxK)
	best, least := 1, math.Inf(1)
	for k := max(1, int(centre/around)); k <= min(int(centre)+around, bloomproof.MaxK); k++ {
		if h.full(s.geometry(k)) {
			break
		}
		if x := logRate(h, m, n, k); x < least {
			best, least = k, x
		}
	}
	return best
}

// logMomentGuess approximates ln E[(X/m)^k], where X is the number of urns that a*m balls occupy among m urns. It uses
// the same saddle point as the method Within of occupancy.Pair. Suppose that k further balls all hit occupied urns. Let
// w be the fraction of occupied urns under this condition. Let u and s be the two variables of the saddle point. Then
// three equations hold:
//
//	u/(1-e^-u) = a/w,   w/(1-w) = (e^u-1) e^s   and   s = k/(m w).
func logMomentGuess(m, a float64, k int) float64 {
	const bisections = 48
	b := float64(k) / m
	low, high := 0.0, min(1, a)
	var w, u, s float64
	for range bisections {
		w = (low + high) / 2
		s = b / w
		u = a / w
		for range bisections { // solves u = (a/w) (1-e^-u)
			next := u - (u+math.Expm1(-u)*a/w)/(1-math.Exp(-u)*a/w)
			if math.Abs(next-u) <= 1e-14*u {
				break
			}
			u = next
		}
		if math.Log(w/(1-w)) < math.Log(math.Expm1(u))+s {
			low = w
		} else {
			high = w
		}
	}
	// The numbers uu, ss and us are second derivatives of the exponent at the saddle point, divided by m. They are
	// taken with respect to log u and log s.
	hit := w / -math.Expm1(-u)
	uu := u*hit + u*u*hit*(1-hit)
	ss := s*w + s*s*w*(1-w)
	us := u * s * hit * (1 - w)
	return -m*(math.Log1p(-w)+a*math.Log(u/a)+b*math.Log(s/b)+a+b) + math.Log(a*b/(uu*ss-us*us))/2
}

// guessHashes approximates the best number k of positions for n items and the rate p. With the best k, the filter needs
// the fewest bits.
func (h plain) guessHashes(n uint64, p *big.Rat) int {
	const rounds = 3
	k := hashesFor(p)
	for range rounds {
		s := newKSearch(h, h.guessBits(n, k, p), n)
		if s.m <= 1 {
			break
		}
		k = s.nearest(h.guessK(s))
	}
	return k
}

// hashesFor returns log2(1/p), rounded to an integer. This number is close to the best k for the rate p.
func hashesFor(p *big.Rat) int {
	x, _ := logTarget(p, floatWork).Lo().Float64()
	return int(min(max(1, math.Round(-x/math.Ln2)), bloomproof.MaxK))
}

// guessItems approximates the largest n for which the rate f is at most p. After this number of insertions, a given bit
// is unset with a probability of about 1 - p^(1/k). In the second of two iterations, p is corrected for the variance of
// the number of set bits.
func (h plain) guessItems(g bloomproof.Geometry, p *big.Rat) uint64 {
	per := h.logUnset(g, 1, guessWork)
	x := interval.New(guessWork)
	m := float64(g.M)
	for _, correct := range []bool{false, true} {
		a, _ := x.Lo().Float64()
		x.Quo(logUnfilled(h, g, p, correct, m, a*float64(g.K)/m), per)
	}
	n, _ := x.Lo().Uint64() // 0 if x is not Valid
	return n
}

// correctRounds is the number of iterations in which guessBits improves its guess. The number of set bits has a
// variance. All iterations except the first adjust the target rate because of this variance.
const correctRounds = 6

// guessBits approximates the smallest m for which the rate f is at most p. The variable "size" is the number of
// distinct bits that one draw sets. If the draw is from all m bits, it leaves a given bit unset with probability
// 1-size/m. If the draw is from a slice of m/k bits, this probability is 1 - k*size/m.
func (h plain) guessBits(n uint64, k int, p *big.Rat) uint64 {
	g := bloomproof.Geometry{M: uint64(k), K: k, Hashing: h.is()}
	size, draws := h.draws(g, integer.Uint(n))
	_, slices := h.slices(g)
	x := interval.New(guessWork)
	share := interval.New(guessWork).SetUint64(size * uint64(slices))
	times := interval.New(guessWork).SetInt(draws)
	for i := range correctRounds {
		correct := i > 0
		m, _ := x.Lo().Float64()
		x.Quo(logUnfilled(h, g, p, correct, m, float64(n)*float64(k)/m), times)
		x.Expm1(x)
		x.Neg(x)
		x.Quo(share, x)
	}
	m, _ := x.Lo().Uint64()
	return m
}

// logUnfilled returns log(1 - p^(1/k)). This is the logarithm of a fraction of unset bits. At this fraction, the rate
// is about p. Let R be the rate divided by the value of BoundBloom or BoundUpper. If the argument "correct" is true, p
// is first divided by an estimate of R. This estimate is for m bits and a = kn/m, where n is the number of items.
func logUnfilled(h hashing, g bloomproof.Geometry, p *big.Rat, correct bool, m, a float64) *interval.Interval {
	y := logTarget(p, guessWork)
	if correct {
		by := excessGuess(h, m, a, -math.Expm1(-a), g.K)
		if lnp, _ := y.Lo().Float64(); by < -lnp/2 && by > lnp/2 { // the condition is false if by is NaN
			y.Sub(y, interval.New(guessWork).SetEnds(big.NewFloat(by), big.NewFloat(by)))
		}
	}
	y.Quo(y, interval.New(guessWork).SetUint64(uint64(g.K)))
	if y.Hi().Cmp(big.NewFloat(-math.Ln2)) < 0 { // here p^(1/k) < 1/2
		y.Exp(y)
		y.Neg(y)
		return y.Log1p(y)
	}
	y.Expm1(y)
	y.Neg(y)
	return y.Log(y)
}
