package recycling

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/field"
)

// shortBits is the largest length of numbers, in bits, for which a cycle is computed in rationals.
const shortBits = 1 << 12

// These are more limits for computing a cycle in rationals. They limit the number of states, the number of positions,
// and the total length of the numbers of all starts, in units of shortBits. At each limit the computation takes
// milliseconds.
const (
	shortStates    = 1 << 16
	shortPositions = 64
	shortStarts    = 4
)

// short reports whether c is computed in rationals. Let V_b be the expected number of arrivals that find b bits set.
// The method short estimates the length of the common denominator of these numbers, which is the product of the
// denominators of 1-rho(b), where rho(b) is the rate of an array with b set bits.
func (c *Cycle) short() bool {
	size := float64(c.r.Sigma+1) * float64(c.g.K) * math.Log2(float64(c.g.M)+1)
	return c.route == exact.Auto && c.r.Sigma < shortStates && c.g.K <= shortPositions && size*float64(len(c.starts())) <= shortStarts*shortBits && size <= shortBits
}

// runRational returns expected numbers of a cycle that begins with start set bits. The comment of the type named sums
// describes the list. It computes V_b, the expected number of arrivals that find b bits set, message by message by
// equation (15) of Dozier-FP:
//
//	V_b = [ [b = start] + sum over j < b of V_j tau(j,b) ] / (1 - tau(b,b)).
func (c *Cycle) runRational(start uint64, at []uint64) ([]*big.Rat, error) {
	in := make([]*big.Rat, c.r.Sigma+1) // in[b] is the probability that the start or an arrival leads to b bits
	for b := range in {
		in[b] = new(big.Rat)
	}
	in[start].SetInt64(1)
	all, again, t := new(big.Rat), new(big.Rat), new(big.Rat)
	for b := start; b <= c.r.Sigma; b++ {
		v := in[b]
		if v.Sign() == 0 {
			continue
		}
		tau := transitions(field.Rationals, c.g, b, c.g.K)
		v.Quo(v, t.Sub(field.Rationals.Int(1), tau[0]))
		all.Add(all, v)
		again.Add(again, t.Mul(v, tau[0])) // tau[0] = tau(b,b) is rho(b)
		for d := 1; d < len(tau) && b+uint64(d) <= c.r.Sigma; d++ {
			in[b+uint64(d)].Add(in[b+uint64(d)], t.Mul(v, tau[d]))
		}
	}
	s := []*big.Rat{all, again, field.Rationals.Int(1)}
	for _, b := range at {
		s = append(s, new(big.Rat).Set(in[b]))
	}
	return s, nil
}

// messagesRational evaluates equations (20) to (23) of Dozier-FP for E[N_b], the expected number of arrivals from b set
// bits to the end of the cycle:
//
//	E[N_b] = (1 + sum over d >= 1 of tau(b,b+d) E[N_(b+d)]) / (1 - tau(b,b)).
func (c *Cycle) messagesRational(from uint64) *big.Rat {
	n := map[uint64]*big.Rat{}
	t := new(big.Rat)
	for b := c.r.Sigma; ; b-- {
		tau := transitions(field.Rationals, c.g, b, c.g.K)
		n[b] = field.Rationals.Int(1)
		for d := 1; d < len(tau) && b+uint64(d) <= c.r.Sigma; d++ {
			n[b].Add(n[b], t.Mul(tau[d], n[b+uint64(d)]))
		}
		if n[b].Quo(n[b], t.Sub(field.Rationals.Int(1), tau[0])); b == from {
			return n[b]
		}
	}
}
