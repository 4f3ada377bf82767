package verify_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify"
	"github.com/bloomproof/bloomproof/verify/internal/accuracy"
	"github.com/bloomproof/bloomproof/verify/internal/property"
	"github.com/leanovate/gopter/prop"
)

// value is a certified number for a point at a precision; ErrUndefined where the
// domain of the law ends.
type value func(p accuracy.Point, prec uint) (exact.Enclosure, error)

func rateOf(h bloomproof.Hashing) value {
	return func(p accuracy.Point, prec uint) (exact.Enclosure, error) {
		g := bloomproof.Geometry{M: p.M, K: p.K, Hashing: h}
		if g.Validate() != nil { // classic needs k <= m, partitioned k | m
			return exact.Enclosure{}, bloomproof.ErrUndefined
		}
		e, _, err := exact.FPR(g, p.N, prec, exact.Auto)
		return e, err
	}
}

// boundOf is a formula at the parameters of a point; lower_classic is that of a classic filter.
func boundOf(kind bloomproof.Bound) value {
	return func(p accuracy.Point, prec uint) (exact.Enclosure, error) {
		g := bloomproof.Geometry{M: p.M, K: p.K}
		if kind == bloomproof.BoundLowerClassic {
			if g.Hashing = bloomproof.Classic; g.Validate() != nil {
				return exact.Enclosure{}, bloomproof.ErrUndefined // k > m
			}
		}
		return exact.Bound(kind, g, p.N, prec)
	}
}

// ordering is the law less <= more wherever both are defined.
type ordering struct {
	law        string
	less, more value

	decided, undecided, outside int
}

// orderings are the laws of Burns, Corollary 23 and Theorem 15, and Fan, (18), each on
// the domain in which exact's comments say that it holds, which goes beyond the printed
// k <= (m-1)/2: that of its two sides.
func orderings() []*ordering {
	standard, classic, partitioned := rateOf(bloomproof.Standard), rateOf(bloomproof.Classic), rateOf(bloomproof.Partitioned)
	bloom, lower, upper := boundOf(bloomproof.BoundBloom), boundOf(bloomproof.BoundLower), boundOf(bloomproof.BoundUpper)
	return []*ordering{
		{law: "exponential <= bloom", less: boundOf(bloomproof.BoundExponential), more: bloom},
		{law: "bloom <= standard rate", less: bloom, more: standard},
		{law: "bloom <= partitioned rate, k | m", less: bloom, more: partitioned},
		{law: "standard rate <= partitioned rate, k | m", less: standard, more: partitioned},
		{law: "lower <= standard rate, k <= m", less: lower, more: standard},
		{law: "lower <= classic rate, k <= m", less: lower, more: classic},
		{law: "standard rate <= upper, k <= m", less: standard, more: upper},
		{law: "classic rate <= upper, k <= m", less: classic, more: upper},
		{law: "lower_simple <= lower, mu >= k-1", less: boundOf(bloomproof.BoundLowerSimple), more: lower},
		{law: "lower_classic <= classic rate, k <= m", less: boundOf(bloomproof.BoundLowerClassic), more: classic},
		{law: "standard rate <= bose_upper, condition (6)", less: standard, more: boundOf(bloomproof.BoundBose)},
	}
}

// check compares at 100 bits, and where that does not decide at 400. Only a proven
// violation is an error; sides that are equal, or closer than 2^-400, stay undecided.
func (o *ordering) check(p accuracy.Point) error {
	for _, prec := range []uint{100, 400} {
		a, errA := o.less(p, prec)
		b, errB := o.more(p, prec)
		if errors.Is(errA, bloomproof.ErrUndefined) || errors.Is(errB, bloomproof.ErrUndefined) {
			o.outside++
			return nil
		}
		if err := errors.Join(errA, errB); err != nil {
			return err
		}
		switch order, decided := a.Cmp(b); {
		case decided && order > 0:
			return fmt.Errorf("%v > %v", a, b)
		case decided:
			o.decided++
			return nil
		}
	}
	o.undecided++
	return nil
}

// Law: the bounds are ordered as claimed, over the whole range of sizes, judged by
// certified enclosures.
//
// Claims: burns.eq57, burns.eq58, burns.eq64, burns.eq65, burns.cor23.lower,
// burns.thm15.middle, fan.eq5.upper, fan.eq18.
func TestBoundsAreOrdered(t *testing.T) {
	laws := orderings()
	property.Check(t, "the bounds are ordered", prop.ForAll(
		func(m, k, parts, raw, load uint64) (bool, error) {
			if load%2 == 0 && m >= k { // make k divide m in half of the cases
				m -= m % k
			} else if load%5 == 0 {
				m = k + parts%8 // next to the edge k = m
			}
			p := accuracy.Point{M: m, N: spreadItems(m, k, raw, load/2), K: int(k)}
			for _, o := range laws {
				if err := o.check(p); err != nil {
					return false, fmt.Errorf("%s at %v: %w", o.law, p, err)
				}
			}
			return true, nil
		},
		verify.GenSize(1, math.MaxUint64), verify.GenSize(1, 64), verify.GenSize(0, math.MaxUint64),
		verify.GenSize(0, math.MaxUint64), verify.GenSize(0, 511),
	))
	for _, o := range laws {
		t.Logf("%-45s %4d decided, %3d closer than 2^-400, %4d outside the domain", o.law, o.decided, o.undecided, o.outside)
		if o.decided == 0 {
			t.Errorf("%s was never decided: the test shows nothing", o.law)
		}
	}
}
