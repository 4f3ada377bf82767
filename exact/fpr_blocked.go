package exact

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// Blocked is the shape of a blocked Bloom filter: an item chooses one of Blocks blocks,
// each as likely as another, and has all its positions in it. A block is a filter of
// shape Block, so m = Blocks times Block.M.
type Blocked struct {
	Blocks uint64 // 1 to 2^64-1
	Block  bloomproof.Geometry
}

// Validate returns a ParamError unless there is a block and its shape is valid.
func (b Blocked) Validate() error {
	if b.Blocks < 1 {
		return &bloomproof.ParamError{Param: "blocks", Value: b.Blocks, Want: "between 1 and 2^64-1"}
	}
	return valid(b.Block)
}

// String returns, for example, "blocks=64 of classic m=512 k=7".
func (b Blocked) String() string { return fmt.Sprintf("blocks=%d of %v", b.Blocks, b.Block) }

// FPRBlocked returns the expected false-positive rate of a blocked filter after n
// insertions of distinct items with ideal hashing, and the route that was taken. With f_i
// the rate of one block after i insertions, B blocks of s bits and N ~ Bin(n, 1/B) the
// number of items in the block of the query, it is
//
//	Mixture     E[f_N] = sum over i of C(n,i) (1/B)^i (1-1/B)^(n-i) f_i
//	Difference  sum over j of (-1)^j w_j (1 - (1-q_j)/B)^n
//
// where f_i = sum (-1)^j w_j q_j^i is Burns (56), (60), or Fan (19) expanded, q_j the
// probability that an item leaves j given bits of a block alone (for partitioned hashing
// j given slices one bit each), and E[q^N] = (1 - (1-q)/B)^n.
//
// Source: the mixture is that of Putze, Sanders and Singler, Cache-, Hash- and
// Space-Efficient Bloom Filters (2007), with the binomial distribution for their Poisson and exact
// rates of the blocks.
// Domain: b valid; n any number of items; prec 1 to MaxPrec bits.
// Error: relative width at most 2^-prec. n = 0 gives exactly 0. With Auto or Difference the
// rational itself is computed where its denominator has fewer than 5000 digits.
// Cost: Difference takes k+1 powers with exponent n at prec + log2(1/f) + k + log2 n bits,
// and for standard hashing k^2/2 additions of k log2 s bits; Mixture one rate of a block
// for each number of items that matters, about n/B + 12 sqrt(n/B) at 64 bits. For blocks of
// 512 bits, k = 8, 50 items a block and 50 digits: 0.3 ms and 40 ms.
// Errors: *bloomproof.ParamError; ErrTooCostly beyond 2^32 steps of Difference, or 4096
// terms of Mixture.
func FPRBlocked(b Blocked, n uint64, prec uint, route Route) (Enclosure, Route, error) {
	if err := b.Validate(); err != nil {
		return Enclosure{}, 0, err
	}
	if err := precision.Check(prec); err != nil {
		return Enclosure{}, 0, err
	}
	route, err := refuse.Among(route, Auto, []Route{Difference, Mixture}, "a blocked filter")
	if err != nil {
		return Enclosure{}, 0, err
	}
	if n == 0 {
		return exactlyInt(0, prec), route, nil
	}
	var e Enclosure
	switch {
	case route == Mixture:
		e, err = b.mixture(n, prec)
	case b.rationalBits(n) < precision.RationalMost:
		e = exactly(blockedDifference(field.Rationals, b, n), prec)
	default:
		e, err = b.difference(n, prec)
	}
	e, err = probability(e, err)
	return e, route, err
}

// rationalBits returns about log2 of the denominator of the rate before reduction.
func (b Blocked) rationalBits(n uint64) float64 {
	g := b.Block
	item := rationalBits(g, 1) // an upper bound of what an item takes, and the query once
	return float64(n)*(math.Log2(float64(b.Blocks))+item) + float64(g.K)*math.Log2(float64(g.M)+1)
}

// weights returns w_0, w_1, ... over den.
func (b Blocked) weights() (w []*big.Int, den *big.Int) {
	if b.Block.Hashing != bloomproof.Standard {
		return integer.BinomialRow(b.Block.K), integer.One
	}
	w, _ = momentWeights(b.Block.M, b.Block.K, 0, 0)
	return w, new(big.Int).Exp(new(big.Int).SetUint64(b.Block.M), big.NewInt(int64(b.Block.K)), nil)
}

// difference is Difference in intervals.
func (b Blocked) difference(n uint64, prec uint) (Enclosure, error) {
	k, s := float64(b.Block.K), float64(b.Block.M)
	load := max(1, float64(n)/float64(b.Blocks)) * k
	cancel := -k * math.Log2(-math.Expm1(load*math.Log1p(-1/(s+1)))) // about, to begin with
	cancel += max(0, math.Log2(float64(b.Blocks)/float64(n))) + k
	first := prec + uint(cancel) + uint(bits.Len64(n)) + 32
	words := float64(first) / 64
	const most = 1 << 32
	cost := k * float64(bits.Len64(n)) * productCost(words)
	if b.Block.Hashing == bloomproof.Standard {
		cost += k * k / 2 * (80 + k*math.Log2(s+1)/32)
	}
	if cost > most {
		return Enclosure{}, refuse.TooCostly(fmt.Sprintf("the rate of %v", b), cost, most)
	}
	return ziv(prec, first, func(work uint) *interval.Interval {
		f := field.Intervals(work)
		return blockedDifference(f, b, n)
	})
}

// blockedDifference is Difference in one kind of numbers.
func blockedDifference[T any, P field.Number[T]](f field.Of[T, P], b Blocked, n uint64) P {
	g := b.Block
	w, den := b.weights()
	sum, q := f.Zero(), f.Int(1)
	blocks, others, items := f.Uint(b.Blocks), f.Uint(b.Blocks-1), new(big.Int).SetUint64(n)
	for j, weight := range w {
		u := uint64(j)
		switch {
		case j == 0:
		case g.Hashing == bloomproof.Standard:
			q = f.PowInt(f.Ratio(g.M-u, g.M), g.K)
		case g.Hashing == bloomproof.Partitioned:
			q.Mul(q, f.Ratio(g.M/uint64(g.K)-1, g.M/uint64(g.K)))
		case g.M-u+1 <= uint64(g.K):
			q = f.Zero() // j bits leave no room for k others
		default:
			q.Mul(q, f.Ratio(g.M-u+1-uint64(g.K), g.M-u+1))
		}
		t := f.Zero()
		t.Quo(t.Add(q, others), blocks)
		t = f.Pow(t, items)
		t.Mul(t, f.Zero().SetInt(weight))
		if j&1 == 0 {
			sum.Add(sum, t)
		} else {
			sum.Sub(sum, t)
		}
	}
	return sum.Quo(sum, f.Zero().SetInt(den))
}

// mixture is Mixture; it ends where the numbers of items that are left weigh less than
// 2^-(prec+8) of the sum, as f_i <= 1 and their probabilities fall faster than a geometric
// series.
func (b Blocked) mixture(n uint64, prec uint) (Enclosure, error) {
	if b.Blocks == 1 {
		return rate1(b.Block, n, prec)
	}
	const most = 4096
	if mean := float64(n) / float64(b.Blocks); mean > most {
		return Enclosure{}, refuse.TooCostly("the mixture over the items of a block", mean, most)
	}
	return zivErr(prec, prec+uint(bits.Len64(n))+32, func(work uint) (*interval.Interval, error) {
		f := field.Intervals(work)
		p := f.Pow(f.Ratio(b.Blocks-1, b.Blocks), new(big.Int).SetUint64(n)) // P[N = i]
		sum := f.Zero()
		for i := uint64(0); i < n; {
			// P[N = i+1]/P[N = i]; it falls with i.
			ratio := f.Ratio(n-i, i+1)
			ratio.Quo(ratio, f.Uint(b.Blocks-1))
			if tail := f.Int(1); i > 0 && ratio.Hi().Cmp(big.NewFloat(1)) < 0 {
				tail.Quo(f.Zero().Mul(p, ratio), tail.Sub(tail, ratio))
				if enough := f.Zero().MulPow2(sum, -int(prec)-8); tail.Hi().Cmp(enough.Lo()) <= 0 {
					return sum.Add(sum, tail.SetEnds(new(big.Float), tail.Hi())), nil
				}
			}
			if i++; i > most {
				return nil, refuse.TooCostly("the mixture over the items of a block", float64(i), most)
			}
			p.Mul(p, ratio)
			r, err := rate1(b.Block, i, work)
			if err != nil {
				return nil, err
			}
			sum.Add(sum, f.Zero().Mul(p, r.interval()))
		}
		return sum, nil
	})
}

// rate1 is rate, which is 1 for blocks of one bit.
func rate1(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	if g.M == 1 {
		return exactlyInt(1, prec), nil
	}
	return rate(g, n, prec)
}
