package exact

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// For N balls and m urns, the sum in equation (56) of Burns needs the powers q_j = (1-j/m)^N for j = 0..k. If m is
// large, q_j is close to e^(-jN/m). It would have this value if the balls arrived by a Poisson process. The numbers
// e^(-jN/m) form a geometric sequence. The ratio of q_j to e^(-jN/m) is a function of x = j/m:
//
//	F(x) = (1-x)^N e^(Nx) = sum over i of kappa_i x^i.
//
// Let G = e^(-N/m). This power series can be used for all j, because q_j = G^j F(j/m). The first coefficients are
// kappa_0 = 1 and kappa_1 = 0. The equation (1-x) F'(x) = -N x F(x) implies a recurrence for the others:
//
//	(i+1) kappa_(i+1) = i kappa_i - N kappa_(i-1).
//
// So each q_j requires two long products and one evaluation of a polynomial by Horner's rule. The polynomial is
// evaluated at j, which fits into one word. Without the series, a power requires about log2 N long products. The number
// G is computed as q_1/F(1/m). The number q_1 is computed as a power, without the series.
//
// The coefficients are scaled as follows. Let R be a power of 2 with j < R for all j. The type poissonSeries holds a
// table of the numbers b_i = kappa_i (R/m)^i in fixed point. Each step of Horner's rule multiplies by j/R < 1. Let
// alpha = R/m and beta = N (R/m)^2. Then the numbers b_i satisfy the following recurrence:
//
//	(i+1) b_(i+1) = i alpha b_i - beta b_(i-1).
//
// The series is used for alpha <= 1/4 and beta <= 1/16.
//
// The errors are bounded as follows. The number b_i is stored as the integer b_i 2^w, and one unit is 2^-w. Let e_i
// bound the error of b_i, in units. Then e_0 = e_1 = 0. To compute b_(i+1), the function newPoissonSeries rounds at
// most three times. Let d >= 4 be the denominator of alpha in lowest terms. The function rounds once before it divides
// by (i+1) d. It rounds at most once more before it divides by i+1 >= 2. It rounds once at the end. So the following
// bound holds for i >= 1:
//
//	e_(i+1) <= alpha e_i + beta e_(i-1)/2 + 1/8 + 1/2 + 1 <= e_i/4 + e_(i-1)/8 + 13/8.
//
// Hence e_i <= 3 for all i. A step of Horner's rule multiplies an error by j/R < 1, rounds once, and adds b_i. So the
// computed sum of T terms of the series has an error of at most 4T units.
//
// The omitted terms are bounded as follows. Let M_i be the larger of the two numbers |b_i| and |b_(i-1)|. For i >= 1
// the recurrence gives |b_(i+1)| <= (alpha + beta/2) M_i <= 3/8 M_i. So |b_(i+2)| <= 3/8 M_i too. The absolute values
// of all terms after b_i add up to at most 2 M_i (3/8)/(1 - 3/8) < 2 M_i. M_2 = |b_2| = beta/2. So all M_i with i >= 2
// are at most 1/32.
//
// The range of the numbers is as follows. Add up b_i and all later terms. The absolute value of the sum is at most
//
//	|b_i| + |b_(i+1)| + 2 M_(i+1) <= 4 max(|b_i|, |b_(i+1)|).
//
// So the sum has at most 2 bits more than the larger of |b_i| and |b_(i+1)|. The logarithm of F(x) is -N (x^2/2 + x^3/3
// + ...). For x < alpha it lies between -beta/2/(1-alpha) and 0. The first of these numbers is at least -1/24. So 0.95
// <= F(x) <= 1.

// The type poissonSeries holds the table of the numbers b_i in fixed point. Each number is stored in two's complement.
type poissonSeries struct {
	rows [][]uint64 // the b_i; a row is not longer than the row before it
	w    uint       // b_i 2^w is stored; a multiple of 64
	r    uint       // log2 R
	miss *big.Int   // a bound of the error of a result of the method at, in units of 2^-w
	acc  []uint64   // memory that the method "at" uses for its sum
}

// newPoissonSeries returns the table for m urns, n balls and the powers q_j with j <= last. The numbers of the table
// have w bits after the point. Here w is the least multiple of 64 that is at least the argument "scale". The function
// poissonMay must return true for m, n and last.
func newPoissonSeries(m uint64, n *big.Int, last int, scale uint) *poissonSeries {
	s := &poissonSeries{w: (scale + 63) / 64 * 64, r: uint(bits.Len(uint(last)))}
	common := min(s.r, uint(bits.TrailingZeros64(m)))
	num, den := s.r-common, m>>common // alpha = 2^num/den
	urns, balls := integer.Uint(den), new(big.Int).Lsh(n, 2*num)
	before, b := new(big.Int).Lsh(integer.One, s.w), new(big.Int) // b_(i-1) and b_i
	table := []*big.Int{before}
	t, f := new(big.Int), new(big.Int)
	shift := uint(bits.TrailingZeros64(den))
	pow2 := den == 1<<shift
	over := func(z *big.Int, i uint64) { // divides z by i*den, with one rounding or two
		if f.SetUint64(i); pow2 {
			z.Rsh(z, shift)
		} else {
			f.Mul(f, urns)
		}
		if i > 1 || !pow2 {
			z.Quo(z, f)
		}
	}
	for i := uint64(1); ; i++ {
		if longest := max(b.BitLen(), before.BitLen()); i > 1 && longest <= int(s.w)-precision.Cut(s.w) {
			// Here M_i < 2^longest + 3 units. The term b_i and all later terms are omitted. The absolute value of b_i
			// is at most M_i.
			s.miss = t.Lsh(integer.One, uint(longest))
			s.miss.Add(s.miss, f.SetUint64(3)).Mul(s.miss, big.NewInt(3))
			s.miss.Add(s.miss, f.SetInt64(4*int64(len(table))))
			break
		}
		table = append(table, b)
		// If alpha = c/d, then b_(i+1) = (i c b_i - (N c^2 b_(i-1))/d) / ((i+1) d).
		over(t.Mul(before, balls), 1)
		next := new(big.Int).Mul(b, f.SetUint64(i<<num))
		over(next.Sub(next, t), i+1)
		before, b = b, next
	}
	s.store(table)
	return s
}

// The method "store" writes the numbers b_i into the field "rows", one number into each row. Row i has enough bits for
// the sum of b_i and all later numbers. This sum needs 2 bits more than the larger of |b_i| and |b_(i+1)|, and one bit
// for the sign. It needs one more bit for the rounding errors, which are far below 2^60 units.
func (s *poissonSeries) store(table []*big.Int) {
	size := make([]int, len(table))
	total, later := 0, 0
	for i := len(table) - 1; i >= 0; i-- {
		length := table[i].BitLen()
		size[i] = (max(length, later)+4)/64 + 1
		if i+1 < len(table) {
			size[i] = max(size[i], size[i+1])
		}
		later = length
		total += size[i]
	}
	words := make([]uint64, total)
	s.rows = make([][]uint64, len(table))
	for i, b := range table {
		s.rows[i], words = words[:size[i]:size[i]], words[size[i]:]
		integer.PutWords(s.rows[i], b)
	}
	s.acc = make([]uint64, size[0])
}

// The method "at" sets f to an approximation of F(j/m) 2^w for 0 <= j < R, and returns f. The field "miss" is an upper
// bound of the error of this approximation.
func (s *poissonSeries) at(f *big.Int, j int) *big.Int {
	y := uint64(j) << (64 - s.r) // 2^64 j/R
	top := len(s.rows) - 1
	length := copy(s.acc, s.rows[top])
	for i := top - 1; i >= 0; i-- {
		for sign := uint64(int64(s.acc[length-1]) >> 63); length < len(s.rows[i]); length++ {
			s.acc[length] = sign
		}
		hornerStep(s.acc[:length], s.rows[i], y)
	}
	return integer.SetWords(f, s.acc[:length])
}

// hornerStep sets a to floor(a y/2^64) + b, where a and b have the same length and are stored in two's complement.
func hornerStep(a, b []uint64, y uint64) {
	top := len(a) - 1
	b = b[:len(a)]
	above, _ := bits.Mul64(a[0], y)
	negative := uint64(int64(a[top])>>63) & y // a negative a is stored as a + 2^(64 len(a))
	var sum uint64
	i := 1
	for ; i+1 < len(a); i += 2 { // two words in each iteration, because this loop takes most of the time
		high0, low0 := bits.Mul64(a[i], y)
		high1, low1 := bits.Mul64(a[i+1], y)
		var carry uint64
		low0, carry = bits.Add64(low0, above, 0)
		low1, carry = bits.Add64(low1, high0, carry)
		above = high1 + carry
		a[i-1], sum = bits.Add64(low0, b[i-1], sum)
		a[i], sum = bits.Add64(low1, b[i], sum)
	}
	if i < len(a) {
		high, low := bits.Mul64(a[i], y)
		low, carry := bits.Add64(low, above, 0)
		above = high + carry
		a[i-1], sum = bits.Add64(low, b[i-1], sum)
	}
	a[top] = above - negative + b[top] + sum
}

// standardPowers calls use(j, q, missed) for j = 0..last, for m >= 1 urns and n >= 1 balls. The integers q and missed
// enclose the power q_j = (1-j/m)^n: the number q_j 2^scale lies in [q, q+missed]. The function standardPowers stops
// before the first q_j that is 0. The function that is passed as the argument "use" must not change or keep its own
// arguments.
func standardPowers(m uint64, n *big.Int, last int, scale uint, use func(j int, q, missed *big.Int)) {
	last = int(min(uint64(last), m-1))
	use(0, new(big.Int).Lsh(integer.One, scale), new(big.Int))
	if poissonMay(m, n, last) && poissonCheaper(m, n, last, scale) {
		poissonPowers(m, n, last, scale, use)
		return
	}
	for j := 1; j <= last; j++ {
		q, missed := powFixed(m-uint64(j), m, n, scale)
		use(j, q, missed)
	}
}

// poissonPowers does the same as standardPowers for j = 1..last, and computes the powers from the series of type
// poissonSeries.
func poissonPowers(m uint64, n *big.Int, last int, scale uint, use func(j int, q, missed *big.Int)) {
	// The number g is a lower bound of G. Both numbers are at most 1. So the error of the computed power g^j is at most
	// j times the error of g, plus j units for the roundings.
	s := newPoissonSeries(m, n, last, scale+uint(bits.Len(uint(last)))+4)
	q1, missQ := powFixed(m-1, m, n, s.w)
	g, missG := s.poisson(q1, missQ)
	missG.Add(missG, integer.One)
	power, missPower := new(big.Int).Set(g), new(big.Int).Set(missG)
	f, q, missed, product := new(big.Int), new(big.Int), new(big.Int), new(big.Int)
	for j := 1; ; j++ {
		// The number that the method "at" returns differs from F(j/m) by at most miss units. The variable "power" is at
		// most G^j, and G^j is at most 1. The next lines multiply this variable by the lower bound of F(j/m). The
		// product is too small by at most 2*miss + missPower units.
		s.at(f, j)
		product.Mul(power, f.Sub(f, s.miss))
		q.Rsh(product, 2*s.w-scale)
		missed.Lsh(s.miss, 1)
		missed.Add(missed, missPower)
		missed.Rsh(missed, s.w-scale)
		use(j, q, missed.Add(missed, two)) // one unit for each of the two shifts to the given scale
		if j == last {
			return
		}
		power.Rsh(product.Mul(power, g), s.w)
		missPower.Add(missPower, missG)
	}
}

// poissonMay reports whether the series can be used for m urns, n balls and the powers q_j with j <= last. The
// conditions are that alpha = R/m is at most 1/4 and that beta = n (R/m)^2 is at most 1/16.
func poissonMay(m uint64, n *big.Int, last int) bool {
	r := uint(bits.Len(uint(last)))
	beta := new(big.Int).Lsh(n, 2*r+4) // 16 beta m^2
	square := integer.Uint(m)
	return last > 0 && m>>(r+2) > 0 && beta.Cmp(square.Mul(square, square)) <= 0
}

// powerCost estimates the time, in nanoseconds, of powFixed for the denominator m.
func powerCost(m uint64, n *big.Int, scale uint) float64 {
	const shortStep, shortProduct = 12, 2 // the times of a bit of the exponent and of a product of two words in powShort
	if words := float64((scale + 63) / 64); words <= shortWords {
		return float64(n.BitLen()) * (shortStep + shortProduct*words*words)
	}
	words := float64(scale) / wordBits
	first := bits.Len(scale / uint(bits.Len64(m)))
	return float64(max(0, n.BitLen()-first)+2) * (productCost(words) + wordCost*words)
}

// A list of powers can be computed by poissonPowers. It can also be computed by calling powFixed once for each power.
// poissonCheaper estimates whether poissonPowers is faster. The function poissonMay must return true for the arguments
// m, n and last.
func poissonCheaper(m uint64, n *big.Int, last int, scale uint) bool {
	const (
		rowCost     = 8   // the time of a step of Horner's rule, in nanoseconds
		rowWordCost = 0.6 // the time of each word in such a step; on average, a row has half as many words as the first row
		iterations  = 4   // how often the estimate of the number of terms is improved
	)
	r := bits.Len(uint(last))
	alpha := math.Ldexp(1/float64(m), r)
	balls, _ := new(big.Float).SetInt(n).Float64()
	perPair := -math.Log2(balls * alpha * alpha / 2)
	// Two numbers are compared: (beta/2)^(i/2)/(i/2)! and alpha^i. The term b_i is about as large as the larger number.
	terms := 2.0
	for range iterations {
		perTerm := min((perPair+math.Log2(max(1, terms/2/math.E)))/2, -math.Log2(alpha))
		terms = float64(scale)/perTerm + 2
	}
	words := float64(scale)/wordBits + 1
	product := productCost(words)
	power := powerCost(m, n, scale)
	table := terms * (4*callCost + 2*wordCost*words)
	each := terms*(rowCost+rowWordCost*words) + 2*product
	return table+power+2*product+float64(last)*each < float64(last)*power
}

var two = big.NewInt(2)

// The method "poisson" returns two numbers, g and "miss". The number G = e^(-N/m) lies in [g, g+miss]. The power q_1
// must lie in [q1, q1+missQ]. The method uses only the ends of this interval.
//
// Let A be the number that the method "at" returns for F(1/m), and let a be a bound of the error of A. Let g =
// q1/(A+a). Then G = q_1/F(1/m) is at least g. Also, G is at most (q1+missQ)/(A-a). The second of these bounds exceeds
// the first by at most:
//
//	missQ/(A-a) + 2a q1/((A-a)(A+a)) <= 2 missQ + 4a.
//
// This inequality has two reasons. First, the lower bound q1 is at most q_1, and q_1 <= F(1/m) <= A+a. Second, A-a >=
// F(1/m) - 2a >= 1/2. Let t be the number of terms of the series. The last of these inequalities is true because a is
// at most 3/16 + (9 + 4t) 2^-w. This follows from newPoissonSeries. In newPoissonSeries, M_i is at most 1/32, so
// 2^longest 2^-w is at most 1/16.
func (s *poissonSeries) poisson(q1, missQ *big.Int) (g, miss *big.Int) {
	f := s.at(new(big.Int), 1)
	g = new(big.Int).Lsh(q1, s.w)
	g.Quo(g, f.Add(f, s.miss))
	miss = new(big.Int).Lsh(s.miss, 1)
	miss.Add(miss, missQ)
	miss.Lsh(miss, 1)
	return g, miss.Add(miss, integer.One)
}
