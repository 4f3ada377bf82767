package like

import (
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// The type "rotated" describes words of w bits. The first word is uniform. To get the next word, a word is rotated left
// by r bits. Then c times the first word is added. Word i selects one of m bits by multiply-shift. So the words that
// select a given bit are consecutive numbers. There are floor(2^w/m) or floor(2^w/m)+1 such words.
//
// Read the r highest bits of v as a number t. Rotation of v gives the remainder of 2^r v + t modulo 2^w. Let h be the
// first word. Let t_i be the number t for word i. Let A_0 = 1 and A_(i+1) = 2^r A_i + c. Let E_0 = E_1 = 1 and E_i =
// 2^(r(i-1)). Word i has the following form. The number e is at least 0 and less than E_i.
//
//	A_i h + 2^(r(i-1)) t_0 + e.
//
// First bound the probability of one position. Consider each of the 2^r values of t_0. Then h is in an interval of
// 2^(w-r) numbers. Subtract the number 2^(r(i-1))*t_0 + e from the interval of word i. The result is an interval for
// A_i*h. So the bounds follow from the number of points (h, A_i*h) in a rectangle. Let l_i be the length of the
// interval of word i. For the upper bound, one side of the rectangle has the length l_i + E_i - 1. For the lower bound,
// this side has the length l_i - E_i + 1. For two positions i and j, the point (A_i*h, A_j*h) is in a rectangle. One
// side of this rectangle has the length l_i + 2^(ri) - 1. The other side has the length l_j + 2^(rj) - 1. If 2^r is
// even and c is odd, A_i is odd. Then A_i*h takes each value once. The bounds are useful if 2^(r(k-1)) is much smaller
// than 2^w/m.
type rotated struct {
	w, r   uint
	factor uint64
}

func (l rotated) rate(g bloomproof.Geometry, n uint64, _ uint) (exact.Enclosure, error) {
	return l.law(g.M, g.K).enclose(g, n)
}

// The method "law" returns the bounds (see the type "pairs") for k positions. The bounds lo and hi hold for the mean
// over the positions.
func (l rotated) law(m uint64, k int) pairs {
	one := big.NewInt(1)
	all := new(big.Int).Lsh(one, l.w)
	short, long := new(big.Int).Div(all, integer(m)), ceil(all, integer(m))
	var factors []*big.Int
	a := big.NewInt(1)
	for range k {
		factors = append(factors, a)
		a = new(big.Int).Lsh(a, l.r)
		a.Mod(a.Add(a, integer(l.factor)), all)
	}
	spread := func(power int) *big.Int { // returns 2^(r power) - 1
		x := new(big.Int).Lsh(one, l.r*uint(max(0, power)))
		return x.Sub(x, one)
	}
	lo, hi := new(big.Rat), new(big.Rat) // sums over i of the numbers of words
	part := new(big.Int).Rsh(all, l.r)
	parts := new(big.Rat).SetInt(new(big.Int).Lsh(one, l.r))
	for i, factor := range factors {
		if i == 0 {
			lo.Add(lo, new(big.Rat).SetInt(short))
			hi.Add(hi, new(big.Rat).SetInt(long))
			continue
		}
		of := lattice{one, factor, all}
		if least := new(big.Int).Sub(short, spread(i-1)); least.Sign() > 0 {
			x, _ := of.points(part, least)
			lo.Add(lo, x.Mul(x, parts))
		}
		_, x := of.points(part, new(big.Int).Add(long, spread(i-1)))
		hi.Add(hi, x.Mul(x, parts))
	}
	mean := new(big.Rat).SetFrac(one, new(big.Int).Mul(all, big.NewInt(int64(k))))
	const most = mostPaired + 1
	return pairs{
		lo: lo.Mul(lo, mean), hi: hi.Mul(hi, mean),
		level: func(i, j int) uint64 { return uint64(min(i, j)*most + max(i, j)) },
		joint: func(level uint64) *big.Rat {
			i, j := int(level/most), int(level%most)
			ratio := new(big.Int).ModInverse(factors[i], all)
			_, x := lattice{one, ratio.Mul(ratio, factors[j]), all}.points(new(big.Int).Add(long, spread(i)), new(big.Int).Add(long, spread(j)))
			x.Quo(x, new(big.Rat).SetInt(all))
			if certain := big.NewRat(1, 1); x.Cmp(certain) > 0 {
				return certain
			}
			return x
		},
	}
}
