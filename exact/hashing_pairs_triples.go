package exact

import (
	"math/big"
	"math/bits"
	"slices"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
)

// This file counts the solutions of the equations for three matches. The type pairedLaw in hashing_pairs.go uses these
// numbers.

// The method "triple" returns gcd(e,m) gcd(e',m), where e and e' are the elementary divisors of two equations. The
// first equation has the coefficients a and the right side "right". The second equation has the coefficients b and the
// right side "right2". If the equations are found to contradict each other, the method "triple" returns 0. It looks for
// a contradiction only if a and b are multiples of the same row vector.
func (p *pairBounds) triple(a, b [4]int64, right, right2 int64) (hi, lo uint64) {
	m := p.g.M
	first := uint64(0)
	for i := range a {
		first = gcd(first, gcd(magnitude(a[i]), magnitude(b[i])))
	}
	minors := uint64(0)
	for i := range a {
		for j := range i {
			minors = gcd(minors, magnitude(a[i]*b[j]-a[j]*b[i]))
		}
	}
	if minors == 0 {
		// Here a = x w and b = y w for a row w and two numbers x and y. So both equations contain the same linear
		// combination of the words.
		at := slices.IndexFunc(a[:], func(x int64) bool { return x != 0 })
		both := int64(gcd(magnitude(a[at]), magnitude(b[at])))
		left := new(big.Int).Mul(big.NewInt(b[at]/both), big.NewInt(right))
		left.Sub(left, new(big.Int).Mul(big.NewInt(a[at]/both), big.NewInt(right2)))
		if left.Mod(left, integer.Uint(m)).Sign() != 0 {
			return 0, 0
		}
		return bits.Mul64(gcd(first, m), m)
	}
	return bits.Mul64(gcd(first, m), gcd(minors/first, m))
}

func magnitude(x int64) uint64 { return uint64(max(x, -x)) }

// The type count128 adds up numbers below 2^128. Its method "add" takes the high and the low 64 bits of such a number.
type count128 struct{ sum *big.Int }

func (c count128) add(hi, lo uint64) {
	if hi == 0 {
		c.sum.Add(c.sum, integer.Uint(lo))
		return
	}
	x := new(big.Int).Lsh(integer.Uint(hi), 64)
	c.sum.Add(c.sum, x.Add(x, integer.Uint(lo)))
}

// A match is a pair (i,j). The method "triples" considers triples of matches whose three values of i are different. It
// returns two sums over such triples. Each term is a product gcd(e,m) gcd(e',m). The comment of pairedLaw defines e and
// e' for a triple. The first sum is over the triples with three different j. The copy of the query is one of the items,
// and the first sum omits its triples. The second sum is over the triples in which two j are equal and the third is
// different.
func (p *pairBounds) triples() (different, mixed *big.Int) {
	different, mixed = new(big.Int), new(big.Int)
	m := p.g.M
	pair := func(i, i2, j, j2 int) (row [4]int64, right int64) {
		x, y := p.row(i2, i), p.row(j2, j)
		return [4]int64{x[0], x[1], -y[0], -y[1]}, p.between(j2, j) - p.between(i2, i)
	}
	for i3 := range p.k {
		for i2 := range i3 {
			for i := range i2 {
				for j := range p.k {
					for j2 := range p.k {
						a, right := pair(i, i2, j, j2)
						for j3 := range p.k {
							equal := j == j2 && j == j3
							if equal {
								continue
							}
							b, right2 := pair(i, i3, j, j3)
							hi, lo := p.triple(a, b, right, right2)
							if j != j2 && j != j3 && j2 != j3 {
								count128{different}.add(hi, lo)
								if i == j && i2 == j2 && i3 == j3 { // m^d of the counted solutions are the same item
									same := integer.Uint(1)
									if p.d == 1 {
										same.SetUint64(m)
									}
									different.Sub(different, same)
								}
							} else {
								count128{mixed}.add(hi, lo)
							}
						}
					}
				}
			}
		}
	}
	return different, mixed
}
