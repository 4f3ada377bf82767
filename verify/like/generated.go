package like

import (
	"math/big"
	mathbits "math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// The type "generated" is for positions that come from a random generator. The generator multiplies its state by a
// constant factor a, modulo a prime p. The type computes the rate of such a filter. The first state is nearly uniform.
// If a few hashes are left out, the first state is uniformly distributed on the numbers from 1 to p-1. Each state of
// the generator determines one position. For the state x, this is x-1 mod m.
//
// Let x be a state with the position u. The next state is a*x mod p. Let v be its position. Let T_u = ceil((p-1-u)/m).
// Then two whole numbers t and s satisfy these equations and bounds.
//
//	x = 1 + u + mt            with 0 <= t < T_u,
//	ax = 1 + v + ms mod p     with 0 <= s < T_v.
//
// Therefore s = a*t + (a(1+u) - 1 - v)/m modulo p. In this formula, division by m is multiplication by the inverse of
// m. For some values of t, s is less than T_v. The number of these values is a difference of two sums. The terms of the
// sums have the form floor((a*t+c)/p). Euclid's algorithm computes such a sum in few steps. For two positions per key
// this gives the probability of each pair of positions. Let w(u,v) be the number of hashes with the positions u and v.
// Let P(u) be the share of hashes that hit u. Let P(u,v) be the share of hashes that hit u or v. The number of hashes
// is called "all". Then
//
//	f = sum of w(u,v)/all (1 - (1-P(u))^n - (1-P(v))^n + (1-P(u,v))^n).
//
// If u = v, the expression in parentheses is 1 - (1-P(u))^n. For more than two positions, the rate follows from the
// bounds of the type "pairs".
type generated struct {
	prime, factor uint64
	each          uint64      // the number of hashes that lead to each first state
	others        [][2]uint64 // the first two states of the other hashes; a generator stays in state 0
}

const mostTabled = 512 // in bits, so that the table of pairs takes less than a second

func (l generated) rate(g bloomproof.Geometry, n uint64, prec uint) (exact.Enclosure, error) {
	if g.K > 2 || g.M > mostTabled {
		return l.law(g.M).enclose(g, n)
	}
	return ofPairs(l.table(g.M, g.K), n, prec)
}

// The method "at" returns the position that belongs to a state of the generator. The filter has m bits.
func (l generated) at(state, m uint64) uint64 { return (max(1, state) - 1) % m }

// The method "table" returns the number w(u,v) for each pair of positions u and v. This is the number of hashes that
// have these two positions. If keys have only one position u, the table treats it as the pair (u,u).
func (l generated) table(m uint64, k int) [][]uint64 {
	w := make([][]uint64, m)
	inverse := new(big.Int).ModInverse(integer(m%l.prime), integer(l.prime)).Uint64()
	times := func(a, b uint64) uint64 {
		hi, lo := mathbits.Mul64(a, b)
		return mathbits.Rem64(hi, lo, l.prime)
	}
	states := func(u uint64) uint64 { return (l.prime - 1 - u + m - 1) / m }
	for u := range w {
		u := uint64(u)
		w[u] = make([]uint64, m)
		if k == 1 {
			w[u][u] = l.each * states(u)
			continue
		}
		for v := range m {
			shift := times(inverse, (times(l.factor, 1+u)+l.prime-(1+v)%l.prime)%l.prime)
			all := floorSum(states(u), l.prime, l.factor, shift+l.prime)
			w[u][v] = l.each * (all - floorSum(states(u), l.prime, l.factor, shift+l.prime-states(v)))
		}
	}
	for _, x := range l.others {
		w[l.at(x[0], m)][l.at(x[min(k, 2)-1], m)]++
	}
	return w
}

// floorSum returns the sum of floor((a*t+c)/p) over 0 <= t < n.
func floorSum(n, p, a, c uint64) (sum uint64) {
	for n > 0 {
		sum += n * (n - 1) / 2 * (a / p)
		sum += n * (c / p)
		a, c = a%p, c%p
		top := a*n + c
		n, c = top/p, top%p
		a, p = p, a
	}
	return sum
}

// ofPairs returns the rate for keys with two positions. The element w[u][v] is the number of hashes with the positions
// u and v.
func ofPairs(w [][]uint64, n uint64, prec uint) (exact.Enclosure, error) {
	if n == 0 {
		return exact.Enclosure{}, nil
	}
	all, hit := uint64(0), make([]uint64, len(w))
	for u, row := range w {
		for v, x := range row {
			all += x
			hit[u] += x
			if u != v {
				hit[v] += x
			}
		}
	}
	// The variable "work" is the precision of the numbers, in bits. So an n-th power has a relative error below
	// 4n*2^-work. Each pair of positions needs at most 3 powers and 4 roundings. The weights of the pairs add up to 1.
	// Let f be the rate. The variable "all" is the number of hashes. About log2(1/f) bits are lost by cancellation. The
	// rate f is at least the sum of (w(u,v)/all)^2 over all pairs.
	roundings := mathbits.Len64(n) + 2*mathbits.Len(uint(len(w))) + 8
	work := prec + 2*uint(mathbits.Len64(all)) + uint(roundings) + 32
	missed := func(hashes uint64) *big.Float {
		return power(new(big.Float).SetPrec(work).SetRat(new(big.Rat).SetFrac(integer(all-hashes), integer(all))), n)
	}
	single := make([]*big.Float, len(w))
	for u := range w {
		single[u] = missed(hit[u])
	}
	sum := new(big.Float).SetPrec(work)
	both := map[uint64]*big.Float{} // for each number of hashes, the value of missed
	for u, row := range w {
		for v, x := range row {
			if x == 0 {
				continue
			}
			term := new(big.Float).SetPrec(work).SetInt64(1)
			term.Sub(term, single[u])
			if u != v {
				either := hit[u] + hit[v] - x - w[v][u]
				if both[either] == nil {
					both[either] = missed(either)
				}
				term.Sub(term, single[v])
				term.Add(term, both[either])
			}
			sum.Add(sum, term.Mul(term, new(big.Float).SetPrec(work).SetUint64(x)))
		}
	}
	sum.Quo(sum, new(big.Float).SetPrec(work).SetUint64(all))
	slack := new(big.Float).SetMantExp(big.NewFloat(1), roundings-int(work))
	down := new(big.Float).SetPrec(work).SetMode(big.ToNegativeInf).Sub(sum, slack)
	if down.Sign() < 0 {
		down.SetInt64(0)
	}
	above := new(big.Float).SetPrec(work).SetMode(big.ToPositiveInf).Add(sum, slack)
	if one := big.NewFloat(1); above.Cmp(one) > 0 {
		above = one
	}
	return exact.NewEnclosure(down, above)
}

// The method "law" returns bounds for the probabilities of pairs of positions. They hold for any number of positions
// per key.
func (l generated) law(m uint64) pairs {
	all := integer(l.each*(l.prime-1) + uint64(len(l.others)))
	few, many := integer((l.prime-1)/m), integer((l.prime-1+m-1)/m)
	share := func(states *big.Rat, more int) *big.Rat {
		x := new(big.Rat).Mul(states, new(big.Rat).SetInt(integer(l.each)))
		x.Add(x, new(big.Rat).SetInt64(int64(more)))
		if x.Quo(x, new(big.Rat).SetInt(all)); x.Cmp(big.NewRat(1, 1)) > 0 {
			x.SetInt64(1)
		}
		return x
	}
	return pairs{
		lo: share(new(big.Rat).SetInt(few), 0), hi: share(new(big.Rat).SetInt(many), len(l.others)),
		level: apart,
		joint: func(d uint64) *big.Rat {
			p := integer(l.prime)
			factor := new(big.Int).Exp(integer(l.factor), integer(d), p)
			_, x := lattice{big.NewInt(1), factor, p}.points(many, many)
			return share(x, len(l.others))
		},
	}
}
