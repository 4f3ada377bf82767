package exact

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// 1-f is the probability that at least one of the positions looked up is unset. By
// inclusion and exclusion it is the sum over j >= 1 of (-1)^(j+1) w_j q_j, where q_j is
// the probability that j given bits are unset and w_j the mean number of j-subsets of
// the positions: C(k,j) for distinct ones, E[C(Y,j)] for standard hashing, Y the
// occupancy of k balls. Sums up to some j are bounds on alternating sides (Bonferroni),
// so what follows a term is at most the next one. w_j <= C(k,j) and q_j <= q_1^j, since
// occupied bits are negatively associated.

// alternating returns t(1) - t(2) + t(3) - ..., t(j) >= 0, whose rest after any term is
// at most the next term in size and on its side, up to t(last) or where t(j) is below
// 2^-work t(1). At least half of t(1) must remain.
func alternating(last int, work uint, t func(j int) *interval.Interval) *interval.Interval {
	sum := interval.New(work)
	var small *big.Float
	for j := 1; j <= last; j++ {
		x := t(j)
		if small == nil {
			small = x.Lo()
			small.SetMantExp(small, -int(work))
		} else if x.Hi().Cmp(small) <= 0 {
			rest := interval.New(work).SetEnds(new(big.Float), x.Hi())
			if j&1 == 0 {
				rest.Neg(rest)
			}
			return sum.Add(sum, rest)
		}
		if j&1 == 0 {
			sum.Sub(sum, x)
		} else {
			sum.Add(sum, x)
		}
	}
	return sum
}

// unsetSum returns (1-f)/q, q the probability that a given bit is unset, for a nearly
// full filter.
func (d *derivation) unsetSum(h bloomproof.Hashing, work uint) *interval.Interval {
	nw := func() *interval.Interval { return interval.New(work) }
	n := nw().SetInt(integer.Product(d.n, 1))
	m, k := d.g.M, uint64(d.g.K)
	switch h {
	case bloomproof.Partitioned:
		return d.bloomSum(h, work)
	case bloomproof.Classic:
		c := nw().SetUint64(1)
		q := nw().SetUint64(1)
		return alternating(int(min(k, m-k)), work, func(j int) *interval.Interval {
			u := uint64(j)
			c.Quo(c.Mul(c, nw().SetUint64(k-u+1)), nw().SetUint64(u))
			if j > 1 { // q_j/q_(j-1) = ((m-k-j+1)/(m-j+1))^n
				f := nw().SetRat(new(big.Rat).SetFrac(big.NewInt(-int64(k)), new(big.Int).SetUint64(m-u+1)))
				q.Mul(q, nw().Exp(f.Mul(f.Log1p(f), n)))
			}
			return nw().Mul(c, q)
		})
	}
	nk := nw().SetInt(d.balls())
	w := subsetWeights(m, d.g.K, d.unsetTerms(work), work)
	least := nw()
	return alternating(int(min(k, m-1)), work, func(j int) *interval.Interval {
		switch {
		case j == 1:
			least.SetEnds(new(big.Float), w[1].Hi())
			return w[1]
		case j >= len(w): // the terms before were to be enough; they decrease
			return least
		}
		// q_j/q_1 = ((m-j)/(m-1))^(nk)
		f := nw().SetRat(new(big.Rat).SetFrac(big.NewInt(int64(1-j)), new(big.Int).SetUint64(m-1)))
		x := nw().Mul(w[j], nw().Exp(f.Mul(f.Log1p(f), nk)))
		least.SetEnds(new(big.Float), x.Hi())
		return x
	})
}

// bloomSum returns (1 - (1-q)^k)/q, q = (1-1/m)^(kn) for standard hashing, which makes
// it that of Bloom, and (1-k/m)^n for the others, which makes it that of Upper.
func (d *derivation) bloomSum(h bloomproof.Hashing, work uint) *interval.Interval {
	nw := func() *interval.Interval { return interval.New(work) }
	q := nw().Exp(d.logUnset(h, work))
	t := nw().SetUint64(1)
	return alternating(d.g.K, work, func(j int) *interval.Interval {
		t.Quo(t.Mul(t, nw().SetUint64(uint64(d.g.K-j+1))), nw().SetUint64(uint64(j)))
		if j > 1 {
			t.Mul(t, q)
		}
		return nw().Set(t)
	})
}

// unsetTerms returns a number of terms after which those of unsetSum are below 2^-work
// of the first: term j+1 is at most y^j/j! of it, y = kq <= 1/2, up to k and up to m-1.
func (d *derivation) unsetTerms(work uint) int {
	least := min(uint64(d.g.K), d.g.M-1)
	y, _ := d.logUnset(bloomproof.Standard, 64).Hi().Float64()
	perTerm := -(y + math.Log(float64(d.g.K))) / math.Ln2
	j := 1
	for sum := 0.0; uint64(j) < least && sum < float64(work)+8; j++ {
		sum += perTerm + math.Log2(float64(j+1))
	}
	return j
}

// subsetWeights returns w_0..w_last, w_j = E[C(Y,j)] for Y the occupancy of r balls in
// m urns: the recurrence of momentWeights, with relative errors.
func subsetWeights(m uint64, r, last int, work uint) []*interval.Interval {
	wide := work + 2*uint(math.Ilogb(float64(r+1))) + 8
	nw := func() *interval.Interval { return interval.New(wide) }
	w := make([]*interval.Interval, last+1)
	factors := make([]*interval.Interval, last+1)
	for j := range w {
		w[j], factors[j] = nw(), nw().SetUint64(m-uint64(j))
	}
	w[0].SetUint64(1)
	t := nw()
	for step := range r {
		for j := min(step+1, last); j > 0; j-- {
			w[j].Add(w[j].Mul(w[j], factors[j]), t.Mul(w[j-1], factors[j-1]))
		}
		w[0].Mul(w[0], factors[0])
	}
	all := nw().PowInt(nw().SetUint64(m), big.NewInt(int64(r)))
	for _, x := range w {
		x.Quo(x, all)
	}
	return w
}

// belowUpperFull returns U - f for classic hashing and a nearly full filter, k < m. With
// a = (1-k/m)^n = q_1, U = sum over j of (-1)^j C(k,j) a^j and f the same with q_j:
//
//	U - f = sum over j >= 2 of (-1)^j C(k,j) (a^j - q_j),
//	q_j/a^j = product over i < j of (1 - ik/((m-i)(m-k)))^n.
//
// The first term is far above the next, but has itself nothing to do with what follows:
// after term j the two sums miss at most C(k,j+1) a^(j+1) each, on the same side.
func (d *derivation) belowUpperFull(work uint) scaledValue {
	nw := func() *interval.Interval { return interval.New(work) }
	m, k := d.g.M, uint64(d.g.K)
	n := nw().SetUint64(d.n)
	la := d.logUnset(bloomproof.Classic, work)
	a := nw().Exp(la)
	c := nw().SetUint64(k) // C(k,j) a^(j-2), once j >= 2
	logs, sum := nw(), nw()
	for j := uint64(2); j <= k; j++ {
		c.Quo(c.Mul(c, nw().SetUint64(k-j+1)), nw().SetUint64(j))
		if j > 2 {
			c.Mul(c, a)
		}
		if sum.Sign() > 0 && c.Hi().MantExp(nil) < sum.Lo().MantExp(nil)-int(work) {
			rest := nw().SetEnds(new(big.Float).Neg(c.Hi()), c.Hi())
			sum.Add(sum, rest)
			break
		}
		x := nw().Set(c)
		if i := j - 1; i < m-k {
			// ik/((m-i)(m-k)) < 1
			f := new(big.Int).Mul(new(big.Int).SetUint64(m-i), new(big.Int).SetUint64(m-k))
			l := nw().SetRat(new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(-int64(k)), new(big.Int).SetUint64(i)), f))
			logs.Add(logs, l.Log1p(l))
			x.Mul(x, l.Neg(l.Expm1(l.Mul(logs, n))))
		}
		if j&1 == 0 {
			sum.Add(sum, x)
		} else {
			sum.Sub(sum, x)
		}
	}
	return scaledValue{sum, la.MulPow2(la, 1)}
}
