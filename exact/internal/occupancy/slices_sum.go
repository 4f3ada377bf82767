package occupancy

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// The method "rational" returns P[X = b]. It computes the convolution of the distributions of all slices.
func (x Slices) rational(b uint64) *big.Rat {
	slice := make([]*big.Rat, x.S+1)
	for i := range slice {
		slice[i] = Distribution{M: x.S, N: integer.Uint(x.N), K: 1}.ExactlyRational(uint64(i))
	}
	p, t := []*big.Rat{big.NewRat(1, 1)}, new(big.Rat)
	for range x.K {
		next := make([]*big.Rat, len(p)+len(slice)-1)
		for i := range next {
			next[i] = new(big.Rat)
		}
		for i, a := range p {
			for j, c := range slice {
				next[i+j].Add(next[i+j], t.Mul(a, c))
			}
		}
		p = next
	}
	return p[b]
}

// For met >= 1, the method "meetings" returns P[X <= n*k-met], with an absolute width of about 2^-bits. If the argument
// "exactly" is true, it returns P[X = n*k-met] instead. Let J be the number of balls that fell on another ball. The
// method first computes P[J = j] for j = 0..met. This computation adds positive terms only. P[X <= n*k-met] is 1 - P[J
// < met].
func (x Slices) meetings(met uint64, exactly bool, bits uint) *interval.Interval {
	work := bits + workSpare
	w := func() *interval.Interval { return interval.New(work) }
	p := make([]*interval.Interval, met+1) // p[d] is the probability that d balls of one slice fell on another ball
	for d := range p {
		p[d] = w()
	}
	p[0].SetUint64(1)
	s, t := w().SetUint64(x.S), w()
	for n := range x.N { // applies equation (12) of Burns, where d is n minus the number of set bits
		for d := min(met, n); ; d-- {
			t.SetUint64(x.S - min(x.S, n-d)) // the number of unset bits
			t.Quo(t, s)
			p[d].Mul(p[d], t)
			if d == 0 {
				break
			}
			t.SetUint64(n - d + 1)
			t.Quo(t, s)
			t.Mul(t, p[d-1])
			p[d].Add(p[d], t)
		}
	}
	product := []*interval.Interval{w().SetUint64(1)}
	for i := kBits - 1; i >= 0; i-- {
		if product = x.times(product, product, met, work); x.K>>i&1 == 1 {
			product = x.times(product, p, met, work)
		}
	}
	if exactly {
		return product[met]
	}
	less := w()
	for _, q := range product[:met] {
		less.Add(less, q)
	}
	return less.Sub(w().SetUint64(1), less)
}

// The method "empties" returns approximately the mean number of unset bits.
func (x Slices) empties() float64 {
	return float64(x.S) * float64(x.K) * math.Exp(float64(x.N)*math.Log1p(-1/float64(x.S)))
}

// emptiesSum returns P[X <= b] with an absolute width of about 2^-goal. If the argument "exactly" is true, it returns
// P[X = b] instead. It uses the same method as Distribution.EmptiesSum. In place of C(m,j) r_j^n it uses S_j, the mean
// number of ways to choose j unset bits. S_j is the coefficient of u^j in this polynomial:
//
//	(sum over i of C(s,i) (1-i/s)^n u^i)^k.
func (x Slices) emptiesSum(b uint64, exactly bool, goal uint) *interval.Interval {
	mean := x.empties()
	work := goal + uint(termBits*mean) + 2*workSpare
	w := func() *interval.Interval { return interval.New(work) }
	e := x.S*uint64(x.K) - b
	// For every number j of unset bits above the variable "last", 2^j S_j is about 2^-goal or less. The terms for these
	// j are omitted.
	last := e + leastDegrees
	for log := -float64(goal); float64(last) < mostDegrees; last++ {
		if j := float64(last); j > 2*mean && j*math.Log2(2*mean*math.E/j) < log {
			break
		}
	}
	slice := make([]*interval.Interval, 0, last+1)
	items := integer.Uint(x.N)
	choose, t := w().SetUint64(1), w()
	for i := uint64(0); i <= min(last, x.S); i++ {
		p := w().SetUint64(x.S - i)
		p.Quo(p, t.SetUint64(x.S))
		p.PowInt(p, items)
		p.Mul(p, choose)
		slice = append(slice, p)
		t.SetUint64(x.S - i)
		choose.Mul(choose, t)
		t.SetUint64(i + 1)
		choose.Quo(choose, t)
	}
	product := []*interval.Interval{w().SetUint64(1)}
	for i := kBits - 1; i >= 0; i-- {
		if product = x.times(product, product, last, work); x.K>>i&1 == 1 {
			product = x.times(product, slice, last, work)
		}
	}
	sum, ways := w(), big.NewInt(1) // ways becomes C(j-1,e-1) or C(j,e)
	f := new(big.Int)
	for j := e; ; j++ {
		if j >= uint64(len(product)) { // all computed terms are added
			return sum
		}
		t.Mul(product[j], w().SetInt(ways))
		if j == last {
			hi := t.Hi()
			return sum.Add(sum, t.SetEnds(new(big.Float).Neg(hi), hi))
		}
		if (j-e)&1 == 0 {
			sum.Add(sum, t)
		} else {
			sum.Sub(sum, t)
		}
		more := j
		if exactly {
			more++
		}
		ways.Mul(ways, f.SetUint64(more))
		ways.Quo(ways, new(big.Int).SetUint64(j-e+1))
	}
}

// The method "times" returns the product of the polynomials a and b up to degree last.
func (x Slices) times(a, b []*interval.Interval, last uint64, work uint) []*interval.Interval {
	c := make([]*interval.Interval, min(uint64(len(a)+len(b)-1), last+1))
	for i := range c {
		c[i] = interval.New(work)
	}
	t := interval.New(work)
	for i, p := range a {
		for j := 0; j < len(b) && i+j < len(c); j++ {
			c[i+j].Add(c[i+j], t.Mul(p, b[j]))
		}
	}
	return c
}
