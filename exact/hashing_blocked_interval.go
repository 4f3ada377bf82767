package exact

import (
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
)

// In a filter with blocks, the numbers of items in the blocks depend on each other. So the distribution of the number X
// of set bits is costly to compute. But the moments of X are cheap to compute. For b > E X, Markov's inequality bounds
// a tail probability by a moment:
//
//	P[X >= b] <= E(X - E X)^6 / (b - E X)^6.
//
// For b < E X, the same expression is a bound of P[X <= b].
//
// Suppose that X is nearly normal. Then the sixth moment gives a bound of 2.5 % at 2.9 standard deviations from the
// mean. At 2.0 standard deviations from the mean, the tail probability itself is 2.5 %. The fourth moment would give a
// bound of 2.5 % at 3.3 standard deviations. The second moment would give this bound at 6.3 standard deviations.
const tailOrder = 6

// The method "tails" returns the functions of type tails for a filter with two or more blocks. These functions use the
// bound by the sixth moment in place of the tail probabilities.
func (l blocked) tails(g bloomproof.Geometry, b uint64, half *big.Rat) tails {
	const wider = 1.5 // width of the interval divided by its width for a normal variable with known tails
	whole := bloomproof.Geometry{M: g.M, K: g.K, Hashing: g.Hashing}
	plain, _ := l.in.logUnset(whole, 1, floatWork).Lo().Float64()
	own, _ := l.logUnset(g, 1, floatWork).Lo().Float64()
	z := wider * occupancy.NormalQuantile(half)
	return tails{
		guess: func(side float64) uint64 {
			return wholeGuess(float64(l.in.alike(whole, 1).Guess(b, 0, side*z)) * (plain / own))
		},
		fewer: func(n uint64) (bool, error) { return l.refutes(g, n, b, 1, half), nil },
		more:  func(n uint64) (bool, error) { return l.refutes(g, n, b, -1, half), nil },
	}
}

// The sixth moment gives a bound of a tail probability. The method "refutes" returns true if this bound is at most p.
// For side = 1 the tail probability is P[X >= b], and b must be above the mean of X. For side = -1 it is P[X <= b], and
// b must be below the mean of X.
func (l blocked) refutes(g bloomproof.Geometry, n, b uint64, side int, p *big.Rat) bool {
	unset, moment := l.unsetMoment(g, n)
	far := interval.New(unset.Prec()).SetUint64(g.M - b)
	far.Sub(unset, far) // b - E[X]
	if side < 0 {
		far.Neg(far)
	}
	if far.Lo().Sign() <= 0 {
		return false
	}
	far.PowInt(far, big.NewInt(tailOrder))
	far.Mul(far, interval.New(far.Prec()).SetRat(p))
	order, decided := moment.Cmp(far)
	return decided && order <= 0
}

// unsetMoment returns the mean u and a central moment of the number U of unset bits. The order of this moment is
// tailOrder. Let F_j = E[U(U-1)...(U-j+1)], and let S(i,j) be the Stirling numbers of the second kind. Then the moments
// of U follow from two formulas. The first gives the moments about 0:
//
//	E[U^i] = sum over j of S(i,j) F_j.
//
// The second gives the central moments:
//
//	E(U - u)^r = sum over i of C(r,i) E[U^i] (-u)^(r-i).
//
// Cancellation between the terms costs precision. If the remaining precision is too low for a decision, ItemsInterval
// does not exclude the number n of items.
func (l blocked) unsetMoment(g bloomproof.Geometry, n uint64) (mean, moment *interval.Interval) {
	const guard = 64
	work := guard + uint((tailOrder+2)*bits.Len64(g.M)) + itemBits(n)
	nw := func() *interval.Interval { return interval.New(work) }
	factorial := l.unsetFactorials(g, n, work)
	raw := []*interval.Interval{nw().SetUint64(1)}
	stirling := []int64{1} // S(i,0..i)
	for i := 1; i <= tailOrder; i++ {
		next := make([]int64, i+1)
		sum := nw()
		for j := 1; j <= i; j++ {
			next[j] = stirling[j-1]
			if j < i {
				next[j] += int64(j) * stirling[j]
			}
			sum.Add(sum, nw().Mul(nw().SetInt(big.NewInt(next[j])), factorial[j]))
		}
		stirling, raw = next, append(raw, sum)
	}
	mean, moment = raw[1], nw()
	minus, power := nw().Neg(mean), nw().SetUint64(1)
	for i := tailOrder; i >= 0; i-- {
		t := nw().Mul(raw[i], power)
		moment.Add(moment, t.Mul(t, nw().SetInt(integer.Binomial(tailOrder, i))))
		power.Mul(power, minus)
	}
	return mean, moment
}

// unsetFactorials returns the factorial moments F_0, F_1, ... of U up to order tailOrder. The quotient F_j/j! is a sum
// over all sets of j bits. The term for a set J is the probability that all bits in J are unset. This probability is (1
// - s)^n, where s is the sum of (1-q)/B over the B blocks. Here q is the probability that an item in the block sets no
// bit in J.
func (l blocked) unsetFactorials(g bloomproof.Geometry, n uint64, work uint) []*interval.Interval {
	blocks, block := split(g)
	nw := func() *interval.Interval { return interval.New(work) }
	factorial := make([]*interval.Interval, tailOrder+1)
	inBlock := l.shares(block, work)
	items := integer.Uint(n)
	for j := range factorial {
		factorial[j] = nw()
		spread(inBlock, blocks, j, func(counts []uint64, ways *big.Int) {
			x := nw()
			for i, c := range counts {
				if c > 0 {
					x.Add(x, nw().Mul(nw().SetUint64(c), nw().Sub(nw().SetUint64(1), inBlock[i].spared)))
				}
			}
			x.Quo(x, nw().SetUint64(blocks))
			x.Sub(nw().SetUint64(1), x)
			x.PowInt(x, items)
			factorial[j].Add(factorial[j], x.Mul(x, nw().SetInt(ways)))
		})
		factorial[j].Mul(factorial[j], nw().SetInt(new(big.Int).MulRange(1, int64(j))))
	}
	return factorial
}

// A place is a slice or a block. The type "share" describes a choice of some bits of one place. The field "bits" is the
// number of bits that are chosen. The field "ways" is the number of possible choices with this number of bits. The
// field "spared" is the probability that an item sets none of the chosen bits.
type share struct {
	bits   int
	ways   *big.Int
	spared *interval.Interval
}

// The method "shares" returns a list of values of type share for a block, one for each number of bits from 1 to
// tailOrder. It computes them from the values of type share for a slice of this block.
func (l blocked) shares(block bloomproof.Geometry, work uint) []share {
	nw := func() *interval.Interval { return interval.New(work) }
	width, slices := l.in.slices(block)
	size, draws := l.in.draws(block, integer.One)
	var inSlice []share
	spared := nw().SetUint64(1) // probability that one draw sets none of i bits: the product of (w-i-size)/(w-i)
	for i := uint64(0); i < min(width, tailOrder); i++ {
		left := width - i
		spared.Mul(spared, nw().SetRat(new(big.Rat).SetFrac(integer.Uint(left-min(left, size)), integer.Uint(left))))
		bits := int(i) + 1
		inSlice = append(inSlice, share{bits, integer.Binomial(width, bits), nw().PowInt(spared, draws)})
	}
	if slices == 1 {
		return inSlice
	}
	var all []share
	for j := 1; j <= tailOrder; j++ {
		spread(inSlice, uint64(slices), j, func(counts []uint64, ways *big.Int) {
			x := nw().SetUint64(1)
			for i, c := range counts {
				x.Mul(x, nw().PowInt(inSlice[i].spared, integer.Uint(c)))
			}
			all = append(all, share{j, new(big.Int).Set(ways), x})
		})
	}
	return all
}

// The function "spread" enumerates the ways to distribute a number of bits over several places. The elements of the
// argument "shares" describe the possible choices of bits in one place. It is also possible to choose no bit in a
// place. The function calls f once for each possible list "counts". In counts[i] places, the bits are chosen as
// shares[i] describes. The second argument of f is the number of ways to choose bits with these counts.
func spread(shares []share, places uint64, bits int, f func(counts []uint64, ways *big.Int)) {
	counts := make([]uint64, len(shares))
	var walk func(at, left int, free uint64, ways *big.Int)
	walk = func(at, left int, free uint64, ways *big.Int) {
		if left == 0 {
			f(counts, ways)
			return
		}
		for ; at < len(shares); at++ {
			s := shares[at]
			w := new(big.Int).Set(ways)
			for c := 1; c*s.bits <= left && uint64(c) <= free; c++ {
				// In one more free place, bits are chosen as s describes. There are now c such places. The order of
				// these c places does not matter, so the number of choices is divided by c.
				w.Mul(w, integer.Uint(free-uint64(c)+1))
				w.Mul(w, s.ways)
				w.Quo(w, big.NewInt(int64(c)))
				counts[at] = uint64(c)
				walk(at+1, left-c*s.bits, free-uint64(c), w)
			}
			counts[at] = 0
		}
	}
	walk(0, bits, places, big.NewInt(1))
}
