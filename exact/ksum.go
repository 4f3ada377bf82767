package exact

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// In this file, the sums in equations (56) and (60) of Burns are called k-sums. For the rate, r = k. The sums are
// alternating sums of this form:
//
//	f = sum over j = 0..r of (-1)^j w_j q_j.
//
// Here w_j >= 0, 0 <= q_j <= 1 and w_0 q_0 = 1. Each q_j is a power of a fraction that depends on j, such as (1-j/m)^N.
// The first term is 1, so it is enough to bound absolute errors. The sums are computed in fixed point with integers.
// These integers are rounded down, and their rounding errors are bounded. The number of bits that cancel can be
// estimated in advance: it is log2(1/f) plus log2 of the sum of the w_j. Jensen's inequality gives an estimate of
// log2(1/f).

// powFixed returns two numbers, v and "missed", for 0 <= a <= b, b > 0 and n >= 1. The number (a/b)^n * 2^scale lies in
// [v, v+missed].
//
// The power is computed by squaring, from the top bit of n down. The leading bits of n form an exponent e. The exponent
// is so small that a^e and b^e have no more bits than the result. The power (a/b)^e is computed from these two integers
// and rounded once. Then the power is squared for each of the remaining bits of n. A 1-bit also requires a
// multiplication by a/b. If the error of a power y <= 1 is d units, the error of its square is at most 2d units.
// Rounding adds one unit. A multiplication by a/b <= 1 adds one more unit. Suppose that the error is d units before a
// bit of n is processed. Then it is at most 2d+2 units afterwards. Suppose that the error is 1 unit before the last t
// bits are processed. Then it is less than 2^(t+2) units afterwards.
func powFixed(a, b uint64, n *big.Int, scale uint) (v, missed *big.Int) {
	if a == b {
		return new(big.Int).Lsh(integer.One, scale), new(big.Int)
	}
	if scale <= 64*shortWords {
		return powShort(a, b, n, scale)
	}
	num, den := new(big.Int).SetUint64(a), new(big.Int).SetUint64(b)
	shift := uint(bits.TrailingZeros64(b))
	pow2 := b&(b-1) == 0
	first := max(1, bits.Len(scale/uint(den.BitLen()))-1) // 2^first times the length of b is at most scale
	left := max(0, n.BitLen()-first)
	e := new(big.Int).Rsh(n, uint(left))
	v = new(big.Int).Exp(num, e, nil)
	if v.Lsh(v, scale); pow2 {
		v.Rsh(v, shift*uint(e.Uint64()))
	} else {
		v.Quo(v, e.Exp(den, e, nil))
	}
	square := new(big.Int)
	for i := left - 1; i >= 0 && v.Sign() > 0; i-- {
		v.Rsh(square.Mul(v, v), scale)
		if n.Bit(i) == 0 {
			continue
		}
		if v.Mul(v, num); pow2 {
			v.Rsh(v, shift)
		} else {
			v.Quo(v, den)
		}
	}
	return v, new(big.Int).Lsh(integer.One, uint(left)+2)
}

// shortWords is the largest number of words for which powShort is faster than math/big.
const shortWords = 6

// powShort computes the same as powFixed, for a < b and few words. The power is a fixed-point number, and its fraction
// fills complete words. So a product is rounded by dropping words, without shifts.
func powShort(a, b uint64, n *big.Int, scale uint) (v, missed *big.Int) {
	var power [shortWords]uint64
	var square [2 * shortWords]uint64
	words := int(scale+63) / 64
	y, z := power[:words], square[:2*words]
	quoWords(y, y, a, b) // a/b
	length := n.BitLen()
	for i := length - 2; i >= 0; i-- {
		squareWords(z, y)
		copy(y, z[words:])
		if n.Bit(i) == 1 {
			var top uint64
			for j, x := range y {
				high, low := bits.Mul64(x, a)
				low, carry := bits.Add64(low, top, 0)
				y[j], top = low, high+carry
			}
			quoWords(y, y, top, b)
		}
	}
	// The top bit of n was processed before the loop, with one rounding. The loop processed the other length-1 bits. So
	// the error is below 2^(length+1) units of 2^-(64 words), by the comment of powFixed. The shift of v to the given
	// scale rounds v down, which adds one unit to its error. Shifting the error bound rounds it down, so one more unit
	// is added to it.
	spare := uint(64*words) - scale
	v = integer.SetWords(new(big.Int), y)
	missed = new(big.Int).Lsh(integer.One, uint(length)+1)
	if spare > 0 {
		v.Rsh(v, spare)
		missed.Add(missed.Rsh(missed, spare), two)
	}
	return v, missed
}

// quoWords divides a number by b, rounds the quotient down, and sets z to it. The highest word of the dividend is the
// argument "top", and the other words are in x. The argument "top" must be below b.
func quoWords(z, x []uint64, top, b uint64) {
	for i := len(x) - 1; i >= 0; i-- {
		z[i], top = bits.Div64(top, x[i], b)
	}
}

// squareWords sets z to x^2, where z has twice as many words as x.
func squareWords(z, x []uint64) {
	clear(z)
	// First add up the products of two different words. The square contains each of these products twice.
	for i, y := range x {
		var above uint64
		row := z[2*i+1 : i+len(x)+1]
		for j, w := range x[i+1:] {
			high, low := bits.Mul64(w, y)
			low, carry := bits.Add64(low, above, 0)
			high += carry
			row[j], carry = bits.Add64(row[j], low, 0)
			above = high + carry
		}
		row[len(row)-1] = above
	}
	var twice, carry uint64
	for i, y := range x {
		high, low := bits.Mul64(y, y)
		even, odd := z[2*i], z[2*i+1]
		z[2*i], carry = bits.Add64(low, even<<1|twice, carry)
		z[2*i+1], carry = bits.Add64(high, odd<<1|even>>63, carry)
		twice = odd >> 63
	}
}

// The type altSum accumulates an alternating sum. Each term is the product of a weight and a power. The weight and the
// power are not known exactly. For each of them, a lower bound is given. A bound of the error of this lower bound is
// also given.
type altSum struct {
	sum, below, above big.Int // the true sum is in [sum-below, sum+above]
	product, highest  big.Int // scratch
}

// The method "add" adds the term (-1)^j w' q'. Here the weight w' lies in [w, w+missW], and the power q' lies in [q,
// q+missQ].
func (s *altSum) add(j int, w, missW, q, missQ *big.Int) {
	// Let w' = w+e and q' = q+d, where 0 <= e <= missW and 0 <= d <= missQ. Then w' q' exceeds w q by at most (w +
	// missW) missQ + missW q.
	open := &s.above
	if t := s.product.Mul(w, q); j&1 == 0 {
		s.sum.Add(&s.sum, t)
	} else {
		s.sum.Sub(&s.sum, t)
		open = &s.below
	}
	open.Add(open, s.product.Mul(s.highest.Add(w, missW), missQ))
	if missW.Sign() > 0 {
		open.Add(open, s.product.Mul(missW, q))
	}
}

// The method "enclosure" returns an interval that contains the sum times 2^-scale.
func (s *altSum) enclosure(prec, scale uint) *interval.Interval {
	lo := new(big.Int).Sub(&s.sum, &s.below)
	hi := new(big.Int).Add(&s.sum, &s.above)
	return interval.New(prec).SetScaled(lo, hi, -int(scale))
}

// momentWeights returns the weights c_0..c_last of the following sum:
//
//	sum_j (-1)^j c_j ((m-j)/m)^N = m^r E[(X/m)^r].
//
// The results are scaled and rounded. If x_j is the result for c_j, the number c_j 2^(scale - shift*r) lies in [x_j,
// x_j + missed].
//
// Here X is the number of urns that N balls occupy among m urns. Let Y be the number of urns that t balls occupy. The
// mean A_t = E[x^Y] is a polynomial in x. Let A_t' be its derivative. Then A_(t+1) = x A_t + x(1-x)/m A_t'. Write m^t
// A_t in powers of 1-x, and let c_(t,j) be the absolute value of the coefficient of (1-x)^j. These numbers satisfy the
// following recurrence:
//
//	c_(t+1,j) = (m-j) c_(t,j) + (m-j+1) c_(t,j-1),   where c_(0,0) = 1.
//
// All terms of the recurrence are positive. If the argument "shift" is 0, the weights are exact integers, and
// differenceWeights computes them. Otherwise shift must be the length of m in bits. The result of each step of the
// recurrence is divided by 2^shift, which is above m, and rounded. A step changes an error e to at most 2e + 1. So the
// error after r steps is less than 2^(r+1). The cost is min(r,m) r/2 steps, each with one addition and one product with
// a single word.
func momentWeights(m uint64, r int, scale, shift uint) (c []*big.Int, missed *big.Int) {
	if shift == 0 {
		c, _ = differenceWeights(m, r)
		return c, new(big.Int)
	}
	// The rows hold d_j = (m-j) c_(t,j) in fixed point. The first row is for j = -1, and all its words are 0. Since
	// c_(t,j) is at most C(t,j) m^t, the sum d_j + d_(j-1) is below 2^(scale+r).
	last, words := int(min(uint64(r), m)), int(scale+uint(r))/64+1
	rows := make([]uint64, (last+2)*words)
	row := func(j int) []uint64 { return rows[(j+1)*words:][:words] }
	factor := func(j int) uint64 { return (m - uint64(j)) << (64 - shift) } // 2^64 (m-j)/2^shift
	d := row(0)
	d[scale/64] = 1 << (scale % 64)
	addMulWords(d, row(-1), factor(0))
	for step := 1; step < r; step++ {
		for j := min(step, last); j >= 0; j-- {
			addMulWords(row(j), row(j-1), factor(j))
		}
	}
	c = make([]*big.Int, last+1)
	before, t := new(big.Int), new(big.Int)
	for j := range c {
		integer.SetWords(t, row(j))
		c[j] = before.Add(before, t)
		before, t = t, new(big.Int)
	}
	return c, new(big.Int).Lsh(integer.One, uint(r)+1)
}

// addMulWords sets z to (z+x) y/2^64, rounded down, where x has as many words as z. The sum z+x must not need more
// words.
func addMulWords(z, x []uint64, y uint64) {
	x = x[:len(z)]
	sum, carry := bits.Add64(z[0], x[0], 0)
	above, _ := bits.Mul64(sum, y)
	for i := 1; i < len(z); i++ {
		sum, carry = bits.Add64(z[i], x[i], carry)
		high, low := bits.Mul64(sum, y)
		low, more := bits.Add64(low, above, 0)
		z[i-1], above = low, high+more
	}
	z[len(z)-1] = above
}

// differenceWeights returns the exact weights c_j and the powers p_j = (m-j)^r, for j = 0..min(r,m). The comment of
// momentWeights defines c_j. Let X be the number of urns that N balls occupy among m urns, and let V = m-X be the
// number of empty urns. Newton's formula with backward differences of x^r at x = m gives
//
//	X^r = (m-V)^r = sum over j of (-1)^j C(V,j) nabla^j m^r.
//
// The mean of C(V,j) is C(m,j) ((m-j)/m)^N. Hence c_j = C(m,j) nabla^j m^r. No difference of x^r is negative for 0 <= x
// <= m. Therefore all differences of the same order can be stored in one long number, one after the other. Each
// difference occupies a field of this long number. A field has as many words as m^r needs. Subtracting two such long
// numbers gives the long number for the next order. The reason is that no field borrows from another field.
func differenceWeights(m uint64, r int) (c, powers []*big.Int) {
	last := int(min(uint64(r), m))
	powers = make([]*big.Int, last+1)
	for j := range powers {
		powers[j] = integer.Power(integer.Uint(m-uint64(j)), uint64(r))
	}
	field := len(powers[0].Bits())
	row, next := make([]big.Word, (last+1)*field), make([]big.Word, (last+1)*field)
	for j, p := range powers {
		copy(row[j*field:], p.Bits())
	}
	c = make([]*big.Int, last+1)
	choose, t := big.NewInt(1), new(big.Int) // C(m,j)
	first, second, difference := new(big.Int), new(big.Int), new(big.Int)
	for j := 0; ; j++ {
		c[j] = new(big.Int).Mul(choose, first.SetBits(row[:field]))
		if j == last {
			return c, powers
		}
		choose.Mul(choose, t.SetUint64(m-uint64(j)))
		choose.Quo(choose, t.SetUint64(uint64(j)+1))
		// Field i of the next row is the difference of the fields i and i+1 of this row.
		first.SetBits(row[:len(row)-field])
		second.SetBits(row[field:])
		next = next[:len(row)-field]
		difference.SetBits(next[:0]).Sub(first, second) // uses the memory of next
		clear(next[copy(next, difference.Bits()):])
		row, next = next, row
	}
}

// differenceBits returns the working precision of momentKSum, in bits. It includes the number of bits that cancel. This
// number is computed from the bound E[(X/m)^r] >= (E[X]/m)^r, where X is the number of urns that the balls occupy.
func differenceBits(m uint64, n *big.Int, r int, prec uint) uint {
	balls, _ := new(big.Float).SetInt(n).Float64()
	fill := -math.Expm1(balls * math.Log1p(-1/float64(m)))
	cancel := uint(math.Ceil(-float64(r)*math.Log2(fill))) + uint(min(uint64(r), m))
	return prec + cancel + uint(n.BitLen()) + uint(bits.Len(uint(r))) + 8
}

// momentKSum returns E[(X/m)^r] by equation (56) of Burns, for m >= 2, N >= 1 and r >= 1. Here X is the number of urns
// that N balls occupy. It first computes the weight of each power ((m-j)/m)^N. So each power is computed only once.
func momentKSum(m uint64, n *big.Int, r int, prec uint) (Enclosure, error) {
	first := differenceBits(m, n, r, prec)
	return ziv(prec, first, func(work uint) *interval.Interval {
		w := cutWeights(m, r, work)
		var s altSum
		standardPowers(m, n, len(w.c)-1, work, func(j int, q, missQ *big.Int) {
			s.add(j, w.c[j], w.missed, q, missQ)
		})
		return w.over(m, r, s.enclosure(prec+8, work+w.scale))
	})
}

// The type "weights" holds the results of momentWeights, at a scale that suits the working precision.
type weights struct {
	c            []*big.Int
	missed       *big.Int
	scale, shift uint
}

// cutWeights returns the weights of momentWeights for the moment of order r. The weights are rounded only if they are
// longer than the sum needs. Rounding lowers a weight by at most 2^(r+1) units in its last place. One such unit changes
// the sum by at most (2^length/m)^r, where 2^length >= m. There are r+1 weights.
func cutWeights(m uint64, r int, work uint) weights {
	length := uint(bits.Len64(m))
	log := big.NewInt(0).Exp(new(big.Int).SetUint64(m), big.NewInt(int64(r)), nil).BitLen()
	w := weights{scale: work + uint(r) + uint(int(length)*r-log+1) + uint(bits.Len(uint(r))) + 4, shift: length}
	if length*uint(r) <= w.scale+w.scale/2 {
		w.scale, w.shift = 0, 0
	}
	w.c, w.missed = momentWeights(m, r, w.scale, w.shift)
	return w
}

// The method "over" returns x/m^r, where x is a sum computed with these weights.
func (w weights) over(m uint64, r int, x *interval.Interval) *interval.Interval {
	mr := new(big.Int).Exp(new(big.Int).SetUint64(m), big.NewInt(int64(r)), nil)
	x.MulPow2(x, int(w.shift)*r)
	return x.Quo(x, interval.New(x.Prec()).SetInt(mr))
}

// For j = 0..last, classicPowers calls the function "use" with the arguments j, q and "missed". Let q_j =
// C(m-j,k)^n/C(m,k)^n. Then the number q_j 2^scale lies in [q, q+missed]. The function classicPowers stops before the
// first q_j that is 0. It computes the q_j one after the other by the formula q_(j+1) = q_j ((m-k-j)/(m-j))^n. The
// error of q_j is at most the sum of the errors of its factors, plus one unit for each factor.
func classicPowers(m uint64, n *big.Int, k, last int, scale uint, use func(j int, q, missed *big.Int)) {
	q := new(big.Int).Lsh(integer.One, scale)
	missed := new(big.Int)
	for j := 0; ; j++ {
		use(j, q, missed)
		u := uint64(j)
		if j == last || m-u <= uint64(k) {
			return
		}
		p, missP := powFixed(m-u-uint64(k), m-u, n, scale)
		q.Mul(q, p)
		q.Rsh(q, scale)
		missed.Add(missed, missP).Add(missed, integer.One)
	}
}

// classicKSum returns the classic rate E[C(X,k)]/C(m,k) by equation (60) of Burns, for 1 <= k <= m and n >= 1.
func classicKSum(m, n uint64, k int, prec uint) (Enclosure, error) {
	return classicMoment(m, n, k, k, classicLog2(m, n, k), prec, func() ([]*big.Int, *big.Int) {
		return integer.BinomialRow(k), integer.One
	})
}

// classicLog2 returns an approximation of log2 of C(mu,k)/C(m,k), where mu >= k is the mean number of set bits. The
// exact logarithm is a lower bound of log2 of the classic rate. The reason is that C(x,k) is convex for x >= k-1.
func classicLog2(m, n uint64, k int) float64 {
	mf := float64(m)
	mu := max(float64(k), -mf*math.Expm1(float64(n)*math.Log1p(-float64(k)/mf)))
	sum := 0.0
	for i := range k {
		sum += math.Log2((mu - float64(i)) / (mf - float64(i)))
	}
	return min(0, sum)
}

// classicMoment returns sum_j (-1)^j w_j [C(m-j,k)/C(m,k)]^n / den. The sum of the weights w_j must be at most the
// product of 4^last and den. The argument "log2" is an approximate lower bound of log2 of the result.
func classicMoment(m, n uint64, k, last int, log2 float64, prec uint, weights func() (w []*big.Int, den *big.Int)) (Enclosure, error) {
	w, den := weights()
	total := new(big.Int)
	for _, x := range w {
		total.Add(total, x)
	}
	exp := new(big.Int).SetUint64(n)
	spread := uint(max(0, total.BitLen()-den.BitLen()+1))
	first := prec + uint(math.Ceil(-log2)) + spread + uint(exp.BitLen()+bits.Len(uint(last))) + 8
	return ziv(prec, first, func(work uint) *interval.Interval {
		var s altSum
		none := new(big.Int)
		classicPowers(m, exp, k, last, work, func(j int, q, missed *big.Int) {
			s.add(j, w[j], none, q, missed)
		})
		x := s.enclosure(prec+8, work)
		return x.Quo(x, interval.New(prec+8).SetInt(den))
	})
}
