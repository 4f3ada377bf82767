package like

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// sharing encloses the rate of a filter with blocks and one position in each of k words of a block, where
// the positions of a key are a function of h bits of its hash that takes all values as independent draws.
// Two keys with the same block and the same h bits are one. With f the rate of independent positions:
//
//	f - D <= rate <= f + S
//	S = 1 - (1 - 1/(2^h B))^n, that some key is one with the key looked up
//	D = n(n-1)/(2^(h+1) B^2) E[g(N+2)], N of Bin(n-2, 1/B), g(i) = (1 - (1-k/s)^i)^k
//
// for B = m/s blocks of s bits. Give the keys that are one with another their own independent positions:
// the bits of the key looked up are then set with probability f. This differs from the truth only where
// the bits are set so and two keys of the block are one, or where some key is one with the key looked
// up, in which case the truth is yes. D sums the first over pairs of keys, and given the pair there are
// N+2 keys in the block, whose words are set independently.
func sharing(h uint) rate {
	return func(g bloomproof.Geometry, n uint64, prec uint) (exact.Enclosure, error) {
		e, _, err := exact.FPR(g, n, prec, exact.Auto)
		if err != nil || n == 0 {
			return e, err
		}
		keys := new(big.Int).Lsh(new(big.Int).SetUint64(g.M/g.Block), h)
		s := new(big.Rat).SetFrac(new(big.Int).SetUint64(n), keys) // at least S
		lo, _ := e.Lo().Rat(nil)
		hi, _ := e.Hi().Rat(nil)
		lo.Sub(lo, ones(g, n, h))
		hi.Add(hi, s)
		if lo.Sign() < 0 {
			lo.SetInt64(0)
		}
		if one := big.NewRat(1, 1); hi.Cmp(one) > 0 {
			hi = one
		}
		return exact.NewEnclosure(
			new(big.Float).SetPrec(prec).SetMode(big.ToNegativeInf).SetRat(lo),
			new(big.Float).SetPrec(prec).SetMode(big.ToPositiveInf).SetRat(hi))
	}
}

// ones returns at least D of sharing. E[g(N+2)] = sum of (-1)^j C(k,j) q^2j (1-(1-q^j)/B)^(n-2), q = 1-k/s,
// is at least g(2), and its terms are below 2^k.
func ones(g bloomproof.Geometry, n uint64, h uint) *big.Rat {
	if n < 2 {
		return new(big.Rat)
	}
	// A term has a relative error below 4n 2^-work, and g(2) is at least (k/s)^k.
	lost := uint(math.Ceil(float64(g.K) * (1 + math.Log2(float64(g.Block)/float64(g.K)))))
	work := 64 + 64 + 8 + lost
	blocks := new(big.Rat).SetInt(new(big.Int).SetUint64(g.M / g.Block))
	q := big.NewRat(int64(g.Block)-int64(g.K), int64(g.Block))
	sum := new(big.Float).SetPrec(work)
	qj := big.NewRat(1, 1)
	for j := range g.K + 1 {
		base := new(big.Rat).Sub(big.NewRat(1, 1), qj)
		base.Sub(big.NewRat(1, 1), base.Quo(base, blocks))
		term := power(new(big.Float).SetPrec(work).SetRat(base), n-2)
		term.Mul(term, new(big.Float).SetPrec(work).SetRat(new(big.Rat).Mul(qj, qj)))
		term.Mul(term, new(big.Float).SetInt(new(big.Int).Binomial(int64(g.K), int64(j))))
		if j%2 == 1 {
			term.Neg(term)
		}
		sum.Add(sum, term)
		qj = new(big.Rat).Mul(qj, q)
	}
	d, _ := sum.Rat(nil)
	d.Mul(d, new(big.Rat).SetFrac64(1<<62+1, 1<<62)) // more than the error
	d.Mul(d, new(big.Rat).SetInt(new(big.Int).Mul(new(big.Int).SetUint64(n), new(big.Int).SetUint64(n-1))))
	d.Quo(d, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), h+1)))
	return d.Quo(d.Quo(d, blocks), blocks)
}

// power returns x^n, x >= 0, with the precision of x, each product rounded as x says: down or up where the
// result is to be a bound.
func power(x *big.Float, n uint64) *big.Float {
	p := new(big.Float).SetPrec(x.Prec()).SetMode(x.Mode()).SetInt64(1)
	for x = new(big.Float).Copy(x); n > 0; n >>= 1 {
		if n&1 == 1 {
			p.Mul(p, x)
		}
		x.Mul(x, x)
	}
	return p
}
