package like

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// pairs is a derivation with known probabilities of one position and of two positions. Keys are
// independent, and the k positions of a key are X_0 to X_(k-1). pairs encloses the rate of any such
// derivation:
//
//	lo <= P(X_i = x) <= hi,    P(X_i = x and X_j = y) <= joint(level(i,j))    for all x, y and i != j.
//
// The first line is about the mean over i; a single i need not obey it.
//
// Let Q be the set of the positions of the queried key, and H the set of the places of Q that another key hits. Let
// g(r,p) = sum of (-1)^j C(r,j) (1-jp)^n over j = 0..r. This is the probability that n draws hit all of r given places,
// if each draw hits at most one of them, and each place with probability p. It grows with p. It also bounds the
// probability for places of different probabilities, if all of them are at most, or at least, p.
//
// Let the sum of the probabilities that a key hits a place of Q be at most 1. Give the places of H to different keys:
// for every H of h >= 2 places, take its probability p(H) from H, take it h-1 times from keys that hit nothing, and add
// it to each place of H alone. Then each place is hit as often as before, and never together with another one. On the
// way from this to the truth, let F(S) be the probability that n-1 keys hit all of S. The probability that n keys hit
// all of Q has the derivative
//
//	n times the sum over H of p(H) (F(Q-H) - sum over x in H of F(Q-x) + (h-1) F(Q)).
//
// If n-1 keys hit Q-H and miss u places of H, the bracket counts 1-h+h-1 = 0 for u = 0, 1-1 = 0 for u = 1, and 1 for
// u > 1. So the bracket is a probability, and not negative. The same argument shows that all F(S) grow on the way.
//
// Lower bound: f >= g(k,p), where p = k lo - sum over i < j of joint. By Bonferroni's inequality p is at most the
// probability that a key hits a given place. (Leave out hits until the probability is p, if kp <= 1.)
//
// Upper bound: let psi = sum over i != j of joint. The probability that a key hits two given places is at most psi, so
// the mean of C(h,2) over the H in r given places is at most C(r,2) psi. Let Phi(r) be at least the probability
// that n keys hit all of r given places, and let gamma(r) = g(r,p) for n-1 keys. Then
//
//	Phi(r) = g(r, k hi) + n C(r,2) psi max over 2 <= h <= r of G(r,h)/C(h,2)
//	G(r,h) = Phi(r-h) + (h-1) Phi(r) - h gamma(r-1).
//
// First use G(r,h) = Phi(r-h): either some key hits h >= 2 places and the others hit the rest, or no key does.
//
// The queried key has fewer than k places where some of its positions are equal. It has only c places
// if at least least(c) pairs are equal: the number of equal pairs when k is split into c parts as evenly as
// possible.
//
//	f <= g(k, k hi) + n T + C max over c < k of (Phi(c) - g(k, k hi))/least(c),
//
// with C = sum over i < j of P(X_i = X_j) <= m joint, and T at least the mean of G(k,h). T is the term of Phi, or a
// smaller bound: see plane.
type pairs struct {
	lo, hi *big.Rat
	joint  func(level uint64) *big.Rat
	level  func(i, j int) uint64
	plane  *plane // nil where positions are not of that form
}

// plane is what is known where X_i is a function of a + ib + c_i mod N, for independent uniform a and b of
// a key, constants c_i, and N = m or 2^w. A point (i,j) of the grid is a match if X_i of the other key is
// the j-th position of the queried key. Take one match for each place that is hit; no two of these have
// the same i or j. First let these h >= 2 points be in one line of L points. If S is an upper bound of the sum of the
// probabilities of the pairs in a line, its part of T is at most
//
//	S max over 2 <= h <= L of G(k,h)/C(h,2).
//
// If they are not in one line, at least C(h-1,2) of their triples are not (by induction: some point leaves
// points that are not in one line, and at least h-2 pairs of these are on different lines through it). So
// with S' the sum of the probabilities of all triples that are not in one line, the part of T is at most
//
//	S' max over 3 <= h <= k of G(k,h)/C(h-1,2).
type plane struct {
	// pair bounds the probability that two points that are l steps of a line apart are matches.
	// triple bounds it for three points with the differences (d1,e1) and (d2,e2) of different directions.
	pair   func(l uint64) *big.Rat
	triple func(d1, e1, d2, e2 int64) uint64 // times match
	match  *big.Rat
}

// Sizes of what is added up.
const (
	mostPaired = 255 // positions of a key
	mostPlanar = 24  // with a plane
	upBits     = 128 // of the numbers that are rounded up
)

// up returns x rounded up.
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

// capped returns x+y, at most 1.
func capped(x, y *big.Float) *big.Float {
	if x = upTo(0).Add(x, y); x.Cmp(upTo(1)) > 0 {
		return upTo(1)
	}
	return x
}

func choose2(h int) *big.Float { return upTo(float64(h) * float64(h-1) / 2) }

// largest returns the maximum of of(h)/over(h) over lo <= h <= hi, rounded up, or 0.
func largest(lo, hi int, of, over func(h int) *big.Float) *big.Float {
	most := upTo(0)
	for h := lo; h <= hi; h++ {
		if x := upTo(0); x.Quo(of(h), over(h)).Cmp(most) > 0 {
			most = x
		}
	}
	return most
}

// enclose returns the two bounds.
func (l pairs) enclose(g bloomproof.Geometry, n uint64) (exact.Enclosure, error) {
	if n == 0 {
		return exact.Enclosure{}, nil
	}
	k := g.K
	if k > mostPaired {
		return exact.Enclosure{}, fmt.Errorf("no bounds for more than %d positions: %w", mostPaired, bloomproof.ErrTooCostly)
	}
	within := new(big.Rat) // over i < j
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

// several returns T, given G(k,h).
func (p *plane) several(k int, gain func(h int) *big.Float) *big.Float {
	sum := upTo(0)
	pair := make([]*big.Float, k)
	for l := 1; l < k; l++ {
		pair[l] = up(p.pair(uint64(l)))
	}
	for points := 2; points <= k; points++ {
		lines := 0 // of so many points
		for d := 1; d < k; d++ {
			for e := 1; e < k; e++ {
				if gcd(uint64(d), uint64(e)) != 1 {
					continue
				}
				at := func(points int) int { return max(0, k-(points-1)*d) * max(0, k-(points-1)*e) } // first points
				lines += 2 * (at(points) - 2*at(points+1) + at(points+2))                             // e and -e
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
	// Every triple has been counted 6 times, as ordered ones.
	s := product(upTo(triples), up(p.match))
	return sum.Add(sum, product(s.Quo(s, upTo(6)), largest(3, k, gain, func(h int) *big.Float { return choose2(h - 1) })))
}

// hitAll returns bounds of g(r,p) for r = 0..k: lo, which may use a smaller p, and hi.
func hitAll(k int, p *big.Rat, n uint64) (lo, hi []*big.Float) {
	one := big.NewRat(1, 1)
	if p.Sign() <= 0 {
		for r := range k + 1 {
			lo, hi = append(lo, new(big.Float)), append(hi, upTo(1)) // bounds
			if r == 0 {
				lo[0].SetInt64(1)
			}
		}
		return lo, hi
	}
	// (1-jp)^n has an error below 4n 2^-work, and the sum has an error below 2^k (4n+k) 2^-work. About as many
	// bits cancel as 1/g has.
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
			// Bounds of fewer places and of no probability.
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

// ceil returns a/b rounded up, for b > 0.
func ceil(a, b *big.Int) *big.Int {
	q, r := new(big.Int).DivMod(a, b, new(big.Int))
	if r.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	return q
}

func integer(x uint64) *big.Int { return new(big.Int).SetUint64(x) }

// word describes a number of the given bits and how it becomes a position. The position is the remainder mod m. If the
// word has a sign, it is the remainder of x or of a number that is -x or -1-x, each for half of the words. The word may
// first be reduced by 2^bits - beyond, where beyond is at most half of 2^bits.
type word struct {
	bits   uint
	signed bool
	beyond int64
}

// in returns the most numbers of a class mod step, a power of two, that have a given remainder mod m.
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

// wrapped is the law of words of w bits that are sums of hashes and drop what overflows. The difference of
// the words i and j is a sum of hashes with factors, and is independent of the word j. level is a power of two
// that, times an odd number, is one of these factors. So the word i is uniform in a class mod level, whatever
// the word j is.
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

// stepped is the law of a + ib in words of w bits, with a and b of as many bits each.
//
// The words i and j differ by (i-j)b. A match needs that x-y, or x+y for two words of different signs, is one
// of the multiples of m, shifted by at most one, in its range: these are at most 2 (2^w/m + 1) numbers in all. For
// three points the sums x-y are linear in a, b and the hashes A, B of the key looked up, and take values of a
// subgroup uniformly. The index of this subgroup is a power of two, which divides the greatest common divisor of
// the minors of the three sums: for x-y of all three, the product of the elementary divisors of the differences
// (d,e); if the signs differ, two are equal, and a minor is 2d and another 2e for these two.
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

// residues is the law of a + ib + c_i mod m, with a and b the remainders mod m of hashes, as reductions says. For two
// positions there are at most gcd(i-j, m) pairs of a and b. In a line of points that are multiples of (d,e) apart, with
// d and e coprime, db - eB is uniform for uniform b and B, so l steps have gcd(l, m) solutions of m. For three points
// the same holds with the two elementary divisors of (d1,e1), (d2,e2). Other hashes have at most (m hi)^4 times the
// probability of uniform ones.
func residues(m uint64, h uint, parts int64) pairs {
	lo, hi := reductions(m, h, parts)
	square := new(big.Rat).Mul(hi, hi)
	most := new(big.Rat).SetInt(integer(m))
	four := new(big.Rat).Mul(square, square)
	four.Mul(four, most) // times m
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

// fourWords is the level of bits-and-blooms: words of one parity share a start. Two words of the same step differ by a
// multiple of it, and two words of different steps by multiples of both.
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

// secondIsStep is the level of a, b, and a + ib for i > 1.
func secondIsStep(i, j int) uint64 {
	switch {
	case min(i, j) == 1, i+j == 1:
		return 1
	}
	return pow2(apart(i, j))
}

// reductions returns the least and the largest probability of a remainder mod m of h bits. The numbers may be divided
// into several equal parts, and each part may start with any remainder.
func reductions(m uint64, h uint, parts int64) (lo, hi *big.Rat) {
	all := new(big.Int).Lsh(big.NewInt(1), h)
	part := new(big.Int).Div(all, big.NewInt(parts))
	down, above := new(big.Int).Div(part, integer(m)), ceil(part, integer(m))
	return new(big.Rat).SetFrac(down.Mul(down, big.NewInt(parts)), all), new(big.Rat).SetFrac(above.Mul(above, big.NewInt(parts)), all)
}

// paired is the rate of a law that depends on m.
func paired(law func(m uint64) pairs) rate {
	return func(g bloomproof.Geometry, n uint64, _ uint) (exact.Enclosure, error) { return law(g.M).enclose(g, n) }
}
