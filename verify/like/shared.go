package like

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// The function "sharing" encloses the rate of a filter with blocks. A key has one position in each of k words of a
// block, and these words together have s bits. A number x of w bits is a part of the key's hash. There are B blocks.
// The key selects the block with the number floor(x*B/2^w). Let p_b be the probability of block b. Let e be 2^w mod B,
// and let q be floor(2^w/B). Exactly e blocks have the probability p_b = (q+1)/2^w. The other blocks have the
// probability p_b = q/2^w. Another part of the hash has h bits. The positions are a function of this part. All
// combinations of positions occur equally often. Call two keys equal if they have the same block and the same h bits.
// Let f be the rate that the filter would have if the positions of different keys were independent. The blocks keep
// their probabilities. Let g(i) = (1 - (1-k/s)^i)^k. Let N_b have the distribution Bin(n, p_b). Let M_b have the
// distribution Bin(n-2, p_b). Then the true rate has these bounds.
//
//	f - D <= rate <= f + S.
//
// The numbers f, S and D have the following values.
//
//	f = sum of p_b E[g(N_b)],
//	S = sum of p_b (1 - (1 - p_b/2^h)^n),
//	D = sum of p_b^3 n(n-1)/2^(h+1) E[g(M_b+2)].
//
// S is an upper bound of the probability that some key is equal to the queried key. Here is the proof of the bounds.
// Suppose that each key that is equal to another key gets new, independent positions. The bits of the queried key are
// then all set with probability f. This changes the answer only in two cases. In the first case, two keys of the block
// are equal. In addition, all bits of the query are set after the change. In the second case, some key is equal to the
// queried key, and the true answer is yes. D is an upper bound of the probability of the first case. It is a sum over
// pairs of keys. Given a pair of equal keys in block b, the block has M_b+2 keys. They set the query's bits in the
// words of the block independently.
func sharing(w, h uint) rate {
	return func(g bloomproof.Geometry, n uint64, prec uint) (exact.Enclosure, error) {
		if n == 0 {
			return exact.Enclosure{}, nil
		}
		one := big.NewRat(1, 1)
		spare := new(big.Rat).SetFrac(one.Num(), new(big.Int).Lsh(one.Num(), prec+2)) // the relative error that filled may have
		values, blocks := new(big.Int).Lsh(one.Num(), w), integer(g.M/g.Block)
		few, over := new(big.Int).DivMod(values, blocks, new(big.Int))
		lo, hi := new(big.Rat), new(big.Rat)
		for _, x := range []struct{ blocks, values *big.Int }{
			{over, new(big.Int).Add(few, one.Num())}, {blocks.Sub(blocks, over), few},
		} {
			p := new(big.Rat).SetFrac(x.values, values)
			share := new(big.Rat).SetFrac(x.blocks.Mul(x.blocks, x.values), values)
			if share.Sign() == 0 {
				continue
			}
			f := filled(g, n, 0, p, prec+2)
			off := new(big.Rat).Mul(f, spare)
			pair := new(big.Rat).Quo(p, new(big.Rat).SetInt(new(big.Int).Lsh(one.Num(), h)))
			least := new(big.Rat).Sub(f, off)
			if n > 1 {
				pairs := new(big.Int).Mul(integer(n), integer(n-1))
				d := filled(g, n-2, 2, p, prec+2)
				d.Mul(d, new(big.Rat).Add(one, spare)).Mul(d, pair).Mul(d, p)
				least.Sub(least, d.Mul(d, new(big.Rat).SetFrac(pairs, big.NewInt(2))))
			}
			most := f.Add(f, off).Add(f, pair.Mul(pair, new(big.Rat).SetInt(integer(n)))) // at least S
			lo.Add(lo, least.Mul(least, share))
			hi.Add(hi, most.Mul(most, share))
		}
		if lo.Sign() < 0 {
			lo.SetInt64(0)
		}
		if hi.Cmp(one) > 0 {
			hi = one
		}
		return exact.NewEnclosure(
			new(big.Float).SetPrec(prec).SetMode(big.ToNegativeInf).SetRat(lo),
			new(big.Float).SetPrec(prec).SetMode(big.ToPositiveInf).SetRat(hi))
	}
}

// The function "filled" returns the mean of g(N+more), where N has the binomial distribution Bin(n,p). The comment of
// the function "sharing" defines g. The relative error is below 2^-prec. Let q = 1-k/s. Then this mean is
//
//	the sum of (-1)^j C(k,j) q^(j*more) (1-(1-q^j)p)^n over 0 <= j <= k.
//
// If n or the argument "more" is above 0, this sum is at least p*(k/s)^k.
func filled(g bloomproof.Geometry, n uint64, more int, p *big.Rat, prec uint) *big.Rat {
	// The variable "work" is the precision of the numbers, in bits. The terms have a relative error below 2^(67-work).
	// The sum of their absolute values is at most 2^k.
	lost := uint(math.Ceil(float64(g.K)*(1+math.Log2(float64(g.Block)/float64(g.K))))) + uint(p.Denom().BitLen())
	work := prec + 67 + lost
	q := big.NewRat(int64(g.Block)-int64(g.K), int64(g.Block))
	sum := new(big.Float).SetPrec(work)
	qj := big.NewRat(1, 1)
	for j := range g.K + 1 {
		base := new(big.Rat).Sub(big.NewRat(1, 1), qj)
		base.Sub(big.NewRat(1, 1), base.Mul(base, p))
		term := power(new(big.Float).SetPrec(work).SetRat(base), n)
		term.Mul(term, power(new(big.Float).SetPrec(work).SetRat(qj), uint64(more)))
		term.Mul(term, new(big.Float).SetInt(new(big.Int).Binomial(int64(g.K), int64(j))))
		if j%2 == 1 {
			term.Neg(term)
		}
		sum.Add(sum, term)
		qj = new(big.Rat).Mul(qj, q)
	}
	x, _ := sum.Rat(nil)
	return x
}

// The function "power" returns x^n with the precision of x. The argument x must not be negative. The function rounds
// each product in the rounding mode of x, so the result can be a lower or an upper bound.
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
