package occupancy

import (
	"math"

	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// mostWithin is the largest number of nodes that the method Within uses. With so many nodes, the method takes up to ten
// seconds.
const mostWithin = 1 << 16

// Within returns the probability that the first group hits every urn that contains a ball of the second group. The
// relative width is at most 2^-bits. Each urn is empty, or it is hit by the first group and by any number of balls of
// the second group. This gives the probability:
//
//	N[0]!N[1]! m^-(N[0]+N[1]) [u^N[0] v^N[1]] (1 + (e^u-1) e^v)^m.
//
// Here [u^n v^l] stands for the coefficient of u^n v^l. Let v = s e^(i angle). Then |e^v| = e^(s cos angle) falls as
// the angle grows from 0 to pi. All coefficients of 1 + (e^u-1) e^v are at least 0. For any a and b, |1+ab| is at most
// 1+|a||b|. So the errors are bounded in the same way as for the method Exactly. Few nodes suffice if there are about
// as many balls as urns.
func (o Pair) Within(bits uint) (*interval.Interval, error) {
	p := &pairSum{Pair: o, pairFunction: covered{o.M}, most: mostWithin}
	return p.narrow(bits, func(work uint) *interval.Interval { return interval.New(work) })
}

// The type "covered" represents the integrand of the method Within. For m urns this is (1+ab)^m with a = e^u-1 and b =
// e^v.
type covered struct {
	m uint64
}

func (f covered) powers(r [2]float64) (d [2]float64) {
	b := math.Exp(r[1])
	per := float64(f.m) / (1 + math.Expm1(r[0])*b)
	d[0] = r[0] * math.Exp(r[0]) * b * per
	d[1] = r[1] * math.Expm1(r[0]) * b * per
	return d
}

func (covered) less() uint64 { return 0 }

func (f covered) factors(a, b *interval.Complex, work uint) []pairFactor {
	c := interval.NewComplex(work).Mul(a, b)
	c.Re.Add(&c.Re, interval.New(work).SetUint64(1))
	return []pairFactor{{c, f.m}}
}
