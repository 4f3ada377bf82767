package like

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// The type "pairs" describes how positions are derived. It has bounds for the probability of each position and of
// each pair of positions. Keys are independent, and the k positions of a key are X_0 to X_(k-1). The method "enclose"
// returns bounds of the rate. These bounds hold if two conditions are true for all x, y and i != j:
//
//	lo <= P(X_i = x) <= hi,
//	P(X_i = x and X_j = y) <= joint(level(i,j)).
//
// The first condition need not hold for each i, only for the mean over i.
//
// Let Q be the set of the positions of the queried key. The elements of Q are called places. Let H be the set of the
// places that another key hits. Let g(r,p) be the sum of (-1)^j C(r,j) (1-jp)^n over j = 0..r. Suppose that a draw hits
// each place with probability p, and never hits two places together. Then g(r,p) is the probability that n draws hit
// all of r given places. It grows with p. Now suppose that the places have different probabilities. If all these
// probabilities are at most p, g(r,p) is an upper bound. If all are at least p, g(r,p) is a lower bound.
//
// A key hits each place with some probability. Add up these probabilities for all places in Q. Assume that the sum is
// at most 1. Change the distribution of H so that each key hits at most one place. Let p(H) be the probability of a set
// H. For every set H of h >= 2 places, subtract p(H) from the probability of H. Lower the probability that a key hits
// no place by (h-1)*p(H). For each place of H, add p(H) to the probability that a key hits only this place. Then each
// place is hit with the same probability as before, and never together with another one. Consider the straight line
// from this changed distribution back to the true one. Let F(S) be the probability that n-1 keys hit all of S. Let Q-H
// be the set Q without the places of H. Let Q-x be the set Q without the place x. The probability that n keys hit all
// of Q changes along this line. Its derivative is
//
//	n times the sum over H of p(H) (F(Q-H) - sum over x in H of F(Q-x) + (h-1) F(Q)).
//
// Consider the event that n-1 keys hit all of Q-H and miss exactly u places of H. The outer parentheses contain the
// probability of this event, multiplied by a coefficient. For u = 0 this coefficient is 1-h+h-1 = 0. For u = 1 it is
// 1-1 = 0. For u > 1 it is 1. So only the events with u > 1 remain. So the value of the outer parentheses is the
// probability that one of these events occurs. A probability is not negative. In the same way, the probability F(S)
// grows along this line for every set S.
//
// The lower bound of the rate f is g(k,p). Here p is k*lo minus the sum of joint(level(i,j)) over i < j. By
// Bonferroni's inequality p is at most the probability that a key hits a given place. The assumption above needs the
// condition k*p <= 1. If it holds, some hits are removed first. After this, a key hits each place with probability p,
// and the assumption holds.
//
// For the upper bound, let psi be the sum of joint(level(i,j)) over i != j. The probability that a key hits two given
// places is at most psi. Let h be the number of places that a key hits among r given places. Then the mean of C(h,2) is
// at most C(r,2)*psi. Let Phi(r) be an upper bound of the probability that n keys hit all of r given places. The
// function g(r,p) was defined for n draws. Let gamma(r) be the same function for n-1 draws. Here p is the same number
// as in the lower bound. Let
//
//	G(r,h) = Phi(r-h) + (h-1) Phi(r) - h gamma(r-1).
//
// Let M(r) be the maximum of G(r,h)/C(h,2) over 2 <= h <= r. Then Phi(r) has the following value.
//
//	Phi(r) = g(r, k hi) + n C(r,2) psi M(r).
//
// Phi(r) is on both sides, because G(r,h) contains it. So a first value of Phi(r) is computed with Phi(r-h) in place of
// G(r,h). This is valid because one of two cases holds. In the first case, some key hits h >= 2 places, and the other
// keys hit the remaining places. In the second case, each key hits at most one place.
//
// The queried key has fewer than k places if some of its positions are equal. Divide k positions among c places as
// evenly as possible. Let least(c) be the number of pairs of equal positions. Every key with c places has at least this
// many pairs of equal positions. Let M be the maximum of (Phi(c) - g(k, k hi))/least(c) over c < k. Then the rate has
// the following upper bound.
//
//	f <= g(k, k hi) + n T + C M.
//
// Here C is the sum of P(X_i = X_j) over i < j. T is an upper bound of the mean of G(k,h). C is at most m times the sum
// of joint(level(i,j)). The second term of Phi(k) is an upper bound of n*T. There is a second upper bound of the rate,
// derived in the comment of the type "plane". The smaller bound is used.
type pairs struct {
	lo, hi *big.Rat
	joint  func(level uint64) *big.Rat
	level  func(i, j int) uint64
	plane  *plane // nil if positions do not have the form that plane needs
}

// The type "plane" has additional bounds for one case. In this case, X_i is a function of (a + i*b + c_i) mod N. The
// numbers a and b are independent and uniform for each key. The c_i are constants, and N is m or 2^w. Consider the grid
// of the points (i,j) with i and j from 0 to k-1. A point is a match if X_i of the other key is the j-th position of
// the queried key. For each place that the other key hits, choose one match. No two of the chosen points have the same
// i or the same j. Let h >= 2 be the number of the chosen points. First assume that they are on one line, which has L
// points of the grid. Add up the probabilities of all pairs of points on this line. Let S be an upper bound of this
// sum. Let M1 be the maximum of G(k,h)/C(h,2) over 2 <= h <= L. Then this line contributes at most S*M1 to T.
//
// If the points are not on one line, at least C(h-1,2) of their triples are not on one line. This is proved by
// induction. Choose a point so that the other points are not on one line. Remove the chosen point. Consider pairs of
// the other points. In at least h-2 of these pairs, the two points and the removed point are not on one line. Let S' be
// the sum of the probabilities of all triples that are not on one line. Let M2 be the maximum of G(k,h)/C(h-1,2) over 3
// <= h <= k. Then these points contribute at most S'*M2 to T.
type plane struct {
	// Suppose that two points on one line are l steps apart. The function "pair" returns an upper bound of the
	// probability that both are matches. Consider three points that are not on one line. The vectors from the first
	// point to the other two are (d1,e1) and (d2,e2). Multiply the field "match" by the result of the function
	// "triple". This product is an upper bound of the probability that all three are matches.
	pair   func(l uint64) *big.Rat
	triple func(d1, e1, d2, e2 int64) uint64 // the probability is this number times match
	match  *big.Rat
}

// Two of these constants limit the number of positions. The third is the precision of the sums.
const (
	mostPaired = 255 // the largest number of positions of a key
	mostPlanar = 24  // the largest number of positions of a key if there is a plane
	upBits     = 128 // the precision of the numbers that are rounded up
)

// The function "up" returns x, rounded up to upBits bits.
func up(x *big.Rat) *big.Float {
	return new(big.Float).SetPrec(upBits).SetMode(big.ToPositiveInf).SetRat(x)
}

func upTo(x float64) *big.Float { return up(new(big.Rat).SetFloat64(x)) }

func product(x ...*big.Float) *big.Float {
	p := upTo(1)
	for _, f := range x {
		p.Mul(p, f)
	}
	return p
}

// The function "capped" returns the probability bound x+y, rounded up, or 1 if the sum is larger.
func capped(x, y *big.Float) *big.Float {
	if x = upTo(0).Add(x, y); x.Cmp(upTo(1)) > 0 {
		return upTo(1)
	}
	return x
}

func choose2(h int) *big.Float { return upTo(float64(h) * float64(h-1) / 2) }

// The function "largest" returns the largest quotient f(h)/g(h) for h from lo to hi, rounded up. The functions f and g
// are the third and the fourth argument. If no quotient is positive, the result is 0.
func largest(lo, hi int, of, over func(h int) *big.Float) *big.Float {
	most := upTo(0)
	for h := lo; h <= hi; h++ {
		if x := upTo(0); x.Quo(of(h), over(h)).Cmp(most) > 0 {
			most = x
		}
	}
	return most
}

// The method "enclose" returns a lower and an upper bound of the rate.
func (l pairs) enclose(g bloomproof.Geometry, n uint64) (exact.Enclosure, error) {
	if n == 0 {
		return exact.Enclosure{}, nil
	}
	k := g.K
	if k > mostPaired {
		return exact.Enclosure{}, fmt.Errorf("no bounds for more than %d positions: %w", mostPaired, bloomproof.ErrTooCostly)
	}
	within := new(big.Rat) // the sum over i < j
	joint := map[uint64]*big.Rat{}
	for i := range k {
		for j := range i {
			level := l.level(i, j)
			if joint[level] == nil {
				joint[level] = l.joint(level)
			}
			within.Add(within, joint[level])
		}
	}
	rat := func(x int) *big.Rat { return new(big.Rat).SetInt64(int64(x)) }
	least := new(big.Rat).Mul(rat(k), l.lo) // p of the lower bound
	least.Sub(least, within)
	lower, _ := hitAll(k, least, n)
	single := new(big.Rat).Mul(rat(k), l.hi)
	floor, all := hitAll(k, single, n)
	gamma, _ := hitAll(k, least, n-1)

	items, psi := up(new(big.Rat).SetInt(new(big.Int).SetUint64(n))), product(upTo(2), up(within))
	several := func(r int, gain func(h int) *big.Float) *big.Float {
		return product(items, choose2(r), psi, largest(2, r, gain, choose2))
	}
	phi := []*big.Float{upTo(1)}
	for r := 1; r <= k; r++ {
		phi = append(phi, capped(all[r], several(r, func(h int) *big.Float { return phi[r-h] })))
	}
	gain := func(r int) func(h int) *big.Float {
		return func(h int) *big.Float {
			x := upTo(0).Add(phi[r-h], product(upTo(float64(h-1)), phi[r]))
			hits := new(big.Float).SetPrec(upBits).SetMode(big.ToNegativeInf).SetInt64(int64(h))
			return x.Sub(x, hits.Mul(hits, gamma[r-1]))
		}
	}
	for r := 1; r <= k; r++ {
		if x := capped(all[r], several(r, gain(r))); x.Cmp(phi[r]) < 0 {
			phi[r] = x
		}
	}
	t := several(k, gain(k))
	if l.plane != nil && k <= mostPlanar {
		if planar := product(items, l.plane.several(k, gain(k))); planar.Cmp(t) < 0 {
			t = planar
		}
	}
	upper := capped(all[k], t)
	equal := product(up(new(big.Rat).SetInt(new(big.Int).SetUint64(g.M))), up(within))
	fewer := largest(1, k-1, func(c int) *big.Float {
		return upTo(0).Sub(phi[c], floor[k])
	}, func(c int) *big.Float {
		each, more := k/c, k%c
		return upTo(float64(more*each + c*(each*(each-1)/2)))
	})
	return exact.NewEnclosure(lower[k], capped(upper, equal.Mul(equal, fewer)))
}

// The method "several" returns the bound T, which accounts for keys that hit several places. The comment of the type
// "pairs" defines T. The function "gain" returns G(k,h) for its argument h.
func (p *plane) several(k int, gain func(h int) *big.Float) *big.Float {
	sum := upTo(0)
	pair := make([]*big.Float, k)
	for l := 1; l < k; l++ {
		pair[l] = up(p.pair(uint64(l)))
	}
	for points := 2; points <= k; points++ {
		lines := 0 // the number of lines with so many points
		for d := 1; d < k; d++ {
			for e := 1; e < k; e++ {
				if gcd(uint64(d), uint64(e)) != 1 {
					continue
				}
				at := func(points int) int { return max(0, k-(points-1)*d) * max(0, k-(points-1)*e) } // the number of first points
				lines += 2 * (at(points) - 2*at(points+1) + at(points+2))                             // for the directions e and -e
			}
		}
		pairs := upTo(0)
		for l := 1; l < points; l++ {
			pairs.Add(pairs, product(upTo(float64(points-l)), pair[l]))
		}
		sum.Add(sum, product(upTo(float64(lines)), pairs, largest(2, points, gain, choose2)))
	}
	triples := 0.0 // an integer below 2^53
	differences := int64(k - 1)
	span := func(x, y int64) int64 { return int64(k) - (max(0, x, y) - min(0, x, y)) }
	for d1 := -differences; d1 <= differences; d1++ {
		for d2 := -differences; d2 <= differences; d2++ {
			wide := span(d1, d2)
			if wide <= 0 || d1 == 0 || d2 == 0 || d1 == d2 {
				continue
			}
			for e1 := -differences; e1 <= differences; e1++ {
				for e2 := -differences; e2 <= differences; e2++ {
					high := span(e1, e2)
					if high <= 0 || e1 == 0 || e2 == 0 || e1 == e2 || d1*e2 == d2*e1 {
						continue
					}
					triples += float64(wide * high * int64(p.triple(d1, e1, d2, e2)))
				}
			}
		}
	}
	// Every triple of points has been counted 6 times, once in each order.
	s := product(upTo(triples), up(p.match))
	return sum.Add(sum, product(s.Quo(s, upTo(6)), largest(3, k, gain, func(h int) *big.Float { return choose2(h - 1) })))
}

// hitAll returns bounds of g(r,p) for r = 0..k. The comment of the type "pairs" defines g. If r > 0 and either p <= 0
// or r*p > 1, the bounds are 0 and 1.
func hitAll(k int, p *big.Rat, n uint64) (lo, hi []*big.Float) {
	one := big.NewRat(1, 1)
	if p.Sign() <= 0 {
		for r := range k + 1 {
			lo, hi = append(lo, new(big.Float)), append(hi, upTo(1)) // 0 and 1
			if r == 0 {
				lo[0].SetInt64(1)
			}
		}
		return lo, hi
	}
	// The variable "work" is the precision of the numbers, in bits. So (1-j*p)^n has an error below 4n*2^-work. The sum
	// has an error below 2^k*(4n+k)*2^-work. About log2(1/g) bits are lost by cancellation.
	near, _ := p.Float64()
	missed := float64(n) * math.Log1p(-min(near, 0.5))
	small := math.Max(-128, math.Log2(-math.Expm1(missed)))
	work := uint(64+upBits+2*k) + uint(float64(k)*(2-small))
	err := new(big.Float).SetPrec(upBits).SetMode(big.ToPositiveInf).SetUint64(n)
	err.Add(product(err, upTo(4)), upTo(float64(k)))
	err.SetMantExp(err, k-int(work))
	powers := make([]*big.Float, k+1)
	sure := k // the largest r with rp <= 1
	for j := range powers {
		x := new(big.Rat).Mul(p, new(big.Rat).SetInt64(int64(j)))
		if x.Sub(one, x).Sign() < 0 {
			sure = j - 1
			break
		}
		powers[j] = power(new(big.Float).SetPrec(work).SetRat(x), n)
	}
	var row []*big.Int // binomial coefficients
	for r := range k + 1 {
		row = append(row, big.NewInt(1))
		for j := r - 1; j > 0; j-- {
			row[j].Add(row[j], row[j-1])
		}
		if r > sure {
			// The formula is valid for r*p <= 1. For larger r only the bounds 0 and 1 are known.
			lo, hi = append(lo, new(big.Float)), append(hi, upTo(1))
			continue
		}
		if uint64(r) > n {
			lo, hi = append(lo, new(big.Float)), append(hi, upTo(0))
			continue
		}
		sum := new(big.Float).SetPrec(work)
		for j := range r + 1 {
			x := new(big.Float).SetPrec(work).SetInt(row[j])
			x.Mul(x, powers[j])
			if j&1 == 1 {
				x.Neg(x)
			}
			sum.Add(sum, x)
		}
		down := new(big.Float).SetPrec(upBits).SetMode(big.ToNegativeInf).Sub(sum, err)
		if down.Sign() < 0 {
			down.SetInt64(0)
		}
		above := upTo(0).Add(sum, err)
		if above.Cmp(upTo(1)) > 0 {
			above = upTo(1)
		}
		lo, hi = append(lo, down), append(hi, above)
	}
	return lo, hi
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func apart(i, j int) uint64 { return uint64(max(i-j, j-i)) }

// The function "ceil" returns a/b, rounded up to a whole number, for b > 0.
func ceil(a, b *big.Int) *big.Int {
	q, r := new(big.Int).DivMod(a, b, new(big.Int))
	if r.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	return q
}

func integer(x uint64) *big.Int { return new(big.Int).SetUint64(x) }

// The type "word" describes a number with a given width in bits. The remainder of this number mod m is a position. If
// words are signed, their range has two halves. For a word x in one half, the position is the remainder of x mod m. In
// the other half, the position is the remainder of -x or of -1-x. Some words are first reduced modulo another number.
// This number is 2^bits minus the field "beyond". The field "beyond" is at most half of 2^bits.
type word struct {
	bits   uint
	signed bool
	beyond int64
}

// The method "in" returns an upper bound of a number of words. These words are in one residue class modulo step, and
// have the same remainder modulo m. The argument "step" is a power of two.
func (w word) in(m, step uint64) *big.Int {
	halves := uint(0)
	if w.signed {
		halves = 1
	}
	both := integer(m)
	both.Mul(both, integer(step/gcd(m, step)))
	most := ceil(new(big.Int).Lsh(big.NewInt(1), w.bits-halves), both)
	most.Lsh(most, halves)
	if w.beyond > 0 {
		most.Add(most, ceil(big.NewInt(w.beyond), both))
	}
	return most
}

// pow2 returns the largest power of two that divides x > 0.
func pow2(x uint64) uint64 { return x & -x }

// The function "wrapped" returns the bounds (see the type "pairs") for positions that come from words of w bits. The
// words are sums of hashes modulo 2^w. The difference of word i and word j is a sum of hashes, each multiplied by an
// integer. It is independent of word j. The function "level" returns a power of two. One of these integers is an odd
// multiple of this power. So, given word j, word i is uniform in a residue class modulo this power of two.
func wrapped(w word, m uint64, level func(i, j int) uint64) pairs {
	all := new(big.Int).Lsh(big.NewInt(1), w.bits)
	hi := new(big.Rat).SetFrac(w.in(m, 1), all)
	halves := uint(0)
	if w.signed {
		halves = 1
	}
	whole := new(big.Int).Lsh(big.NewInt(1), w.bits-halves)
	whole.Sub(whole, big.NewInt(w.beyond))
	lo := new(big.Int).Div(whole, integer(m))
	return pairs{
		lo: new(big.Rat).SetFrac(lo.Lsh(lo, halves), all), hi: hi, level: level,
		joint: func(level uint64) *big.Rat {
			x := w.in(m, level)
			return new(big.Rat).Mul(hi, new(big.Rat).SetFrac(x.Mul(x, integer(level)), all))
		},
	}
}

// The function "stepped" returns the bounds (see the type "pairs") for the positions a + i*b. Here a and b are uniform
// words of w bits, and the sum is computed in such words.
//
// Words i and j of a key differ by (i-j)*b. Let x be a word of one key and y a word of another. If they have the same
// sign, they match only if m divides x-y. If their signs differ, they match only if m divides x+y or m divides x+y+1.
// At most 2*(2^w/m + 1) values of x-y or of x+y satisfy this condition. For three points there are three such numbers,
// one for each point. Let A and B be the hashes of the queried key. Each of the three numbers is a linear form in a, b,
// A and B. Their values are uniform on a subgroup. Let g be the greatest common divisor of the minors of these three
// linear forms. The index of the subgroup is a power of two that divides g. Suppose that all three forms are of the
// kind x-y. Then g is the product of the elementary divisors of the differences (d,e). If the signs differ, two of the
// three points have the same sign. Let (d,e) be the difference of these two points. Then one minor is 2d, and another
// is 2e.
func stepped(w word, m uint64) pairs {
	l := wrapped(w, m, func(i, j int) uint64 { return pow2(apart(i, j)) })
	all := new(big.Int).Lsh(big.NewInt(1), w.bits)
	values := new(big.Int).Div(all, integer(m))
	values.Add(values, big.NewInt(1))
	match := new(big.Rat).SetFrac(values.Lsh(values, 1), all)
	l.plane = &plane{
		pair: func(steps uint64) *big.Rat { return l.joint(pow2(steps)) },
		triple: func(d1, e1, d2, e2 int64) uint64 {
			index := pow2(magnitude(d1*e2 - d2*e1))
			if w.signed {
				index = max(index, 2*pow2(gcd(magnitude(d1), magnitude(e1))), 2*pow2(gcd(magnitude(d2), magnitude(e2))),
					2*pow2(gcd(magnitude(d1-d2), magnitude(e1-e2))))
			}
			return index
		},
		match: new(big.Rat).Mul(match, new(big.Rat).Mul(match, match)),
	}
	return l
}

func magnitude(x int64) uint64 { return uint64(max(x, -x)) }

// The function "residues" returns the bounds (see the type "pairs") for the positions (a + i*b + c_i) mod m. Here a and
// b are hashes of h bits, reduced modulo m. Fix a value for position i and a value for position j. At most gcd(i-j, m)
// pairs (a, b) give these two values. Consider a line of points. Their differences are multiples of (d,e), where d and
// e are coprime. Let B be the step of the queried key. If b and B are uniform, d*b - e*B is also uniform. This number
// has m possible values. Take two points that are l steps apart. For at most gcd(l, m) of these values, both points are
// matches. For three points, consider the matrix with the rows (d1,e1) and (d2,e2). The same argument applies to its
// two elementary divisors. If the remainders are not uniform, the probabilities are larger by a factor of at most
// (m*hi)^4.
func residues(m uint64, h uint, parts int64) pairs {
	lo, hi := reductions(m, h, parts)
	square := new(big.Rat).Mul(hi, hi)
	most := new(big.Rat).SetInt(integer(m))
	four := new(big.Rat).Mul(square, square)
	four.Mul(four, most) // relative to uniform remainders
	times := func(x *big.Rat, y uint64) *big.Rat { return new(big.Rat).Mul(x, new(big.Rat).SetInt(integer(y))) }
	return pairs{
		lo: lo, hi: hi,
		level: func(i, j int) uint64 { return gcd(apart(i, j), m) },
		joint: func(level uint64) *big.Rat { return times(square, level) },
		plane: &plane{
			pair: func(l uint64) *big.Rat { return times(new(big.Rat).Mul(four, most), gcd(l, m)) },
			triple: func(d1, e1, d2, e2 int64) uint64 {
				first := gcd(gcd(magnitude(d1), magnitude(e1)), gcd(magnitude(d2), magnitude(e2)))
				return gcd(first, m) * gcd(magnitude(d1*e2-d2*e1)/first, m)
			},
			match: four,
		},
	}
}

// The function fourWords returns the level of a pair of words. The numbers of these words are i and j. The comment of
// the function "wrapped" defines the level. This function is for the library bits-and-blooms. There, word i and word j
// have the same start if i and j are both even or both odd. Two words with the same step differ by a multiple of this
// step. Consider two words with the different steps s and t. Their difference is the sum of a multiple of s and a
// multiple of t.
func fourWords(i, j int) uint64 {
	step := func(i int) int { return (i + i%2) % 4 / 2 }
	switch {
	case i%2 != j%2:
		return 1
	case step(i) == step(j):
		return pow2(apart(i, j))
	}
	return pow2(gcd(uint64(i), uint64(j)))
}

// The function secondIsStep returns the level of a pair of words. The numbers of these words are i and j. The comment
// of the function "wrapped" defines the level. The words of a key are a, b, and a + i*b for each i > 1.
func secondIsStep(i, j int) uint64 {
	switch {
	case min(i, j) == 1, i+j == 1:
		return 1
	}
	return pow2(apart(i, j))
}

// The function "reductions" returns the least and the largest probability of a remainder mod m. The reduced numbers are
// uniform and have h bits. The numbers may be divided into several equal parts. The first number of a part may have any
// remainder mod m.
func reductions(m uint64, h uint, parts int64) (lo, hi *big.Rat) {
	all := new(big.Int).Lsh(big.NewInt(1), h)
	part := new(big.Int).Div(all, big.NewInt(parts))
	down, above := new(big.Int).Div(part, integer(m)), ceil(part, integer(m))
	return new(big.Rat).SetFrac(down.Mul(down, big.NewInt(parts)), all), new(big.Rat).SetFrac(above.Mul(above, big.NewInt(parts)), all)
}

// The function "law" returns bounds of the probabilities of positions in filters of m bits (see the type "pairs"). From
// these bounds, the function "paired" makes a function that encloses the rate.
func paired(law func(m uint64) pairs) rate {
	return func(g bloomproof.Geometry, n uint64, _ uint) (exact.Enclosure, error) { return law(g.M).enclose(g, n) }
}
