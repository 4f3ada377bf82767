package recycling

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/field"
)

// A cycle is computed in rationals only if the numbers have at most shortBits bits.
const shortBits = 1 << 12

// A cycle is computed in rationals only within these further limits. The constants shortStates and shortPositions limit
// the number of states and the number of positions. Each possible start of a cycle needs numbers of a certain length.
// The constant shortStarts limits the sum of these lengths. The unit of this sum is shortBits. At each limit the
// computation takes milliseconds.
const (
	shortStates    = 1 << 16
	shortPositions = 64
	shortStarts    = 4
)

// The method "short" reports whether c is computed in rationals. Let V_b be the expected number of arrivals that find b
// bits set. The method "short" estimates the length of the common denominator of these numbers. Let rho(b) be the rate
// of an array with b set bits. The common denominator is the product of the denominators of 1-rho(b).
func (c *Cycle) short() bool {
	size := float64(c.r.Sigma+1) * float64(c.g.K) * math.Log2(float64(c.g.M)+1)
	return c.route == exact.Auto && c.r.Sigma < shortStates && c.g.K <= shortPositions && size*float64(len(c.starts())) <= shortStarts*shortBits && size <= shortBits
}

// runRational returns a list of expected numbers for one cycle. The argument "start" is the number of set bits at the
// beginning of the cycle. The comment of the type "sums" describes the list. Let V_b be the expected number of arrivals
// that find b bits set. The method computes V_b message by message. It uses equation (15) of Dozier-FP:
//
//	V_b = [ [b = start] + sum over j < b of V_j tau(j,b) ] / (1 - tau(b,b)).
func (c *Cycle) runRational(start uint64, at []uint64) ([]*big.Rat, error) {
	if err := fault.Part(); err != nil {
		return nil, err
	}
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

// Suppose that b bits are set, and let N_b be the number of arrivals from then to the end of the cycle. The method
// messagesRational computes E[N_b] by equations (20) to (23) of Dozier-FP:
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
