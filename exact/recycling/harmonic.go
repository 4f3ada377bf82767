package recycling

import (
	"math/bits"

	"github.com/bloomproof/bloomproof/exact/internal/falling"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// The function "harmonics" returns the sum of 1/(m-j) over j = from..to-1, where to <= m. The last terms are added
// directly. Let psi be the digamma function. The sum of the other terms is psi(m-from+1) - psi(m-to+1). It is computed
// by this formula:
//
//	psi(x+1) = log x + 1/(2x) - sum over q = 1..p of B_2q/(2q) x^(-2q) - R.
//
// Here B_2q is a Bernoulli number, and R lies between 0 and the next term of the sum.
func harmonics(m, from, to uint64, work uint) *interval.Interval {
	f := field.Intervals(work)
	sum := f.Int(0)
	enough := falling.Far(work)
	for from < to && (m-to+1 < enough || to-from < 2*enough) {
		sum.Add(sum, f.Ratio(1, m-to+1))
		to--
	}
	if from == to {
		return sum
	}
	a, b := f.Uint(m-to), f.Uint(m-from)
	t := f.Uint(to - from)
	t.Quo(t, a)
	t.Log1p(t)
	sum.Add(sum, t)
	half := f.Ratio(1, 2)
	powers := [2]*interval.Interval{f.Zero().Quo(f.Int(1), b), f.Zero().Quo(f.Int(1), a)}
	squares := [2]*interval.Interval{}
	for i, p := range powers {
		squares[i] = f.Zero().Mul(p, p)
	}
	t.Sub(powers[0], powers[1])
	t.Mul(t, half)
	sum.Add(sum, t)
	for i := range powers {
		powers[i].Set(squares[i])
	}
	for q := 1; ; q++ {
		weight := f.Zero().SetRat(falling.BernoulliTerm(q)) // BernoulliTerm(q) (2q-1) is B_2q/(2q)
		weight.Mul(weight, f.Uint(uint64(2*q-1)))
		last := q > falling.MostTerms(work)
		var each [2]*interval.Interval
		for i := range powers {
			each[i] = f.Zero().Mul(weight, powers[i])
			powers[i].Mul(powers[i], squares[i])
		}
		if last = last || each[1].Lo().MantExp(nil) < -precision.Cut(work+uint(bits.Len64(m))); last {
			for i, x := range each {
				lo, hi := x.Lo(), x.Hi()
				if lo.Sign() > 0 {
					lo.SetInt64(0)
				} else {
					hi.SetInt64(0)
				}
				each[i].SetEnds(lo, hi)
			}
		}
		if sum.Sub(sum, t.Sub(each[0], each[1])); last {
			return sum
		}
	}
}
