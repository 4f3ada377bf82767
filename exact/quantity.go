package exact

import (
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// Quantity names a result derived from a filter's rate f. Each is computed so that no
// digit is lost to cancellation, however near f is to 1, to Bloom or to Upper.
type Quantity uint8

const (
	Rate        Quantity = iota // f, as FPR
	Complement                  // 1 - f
	AboveBloom                  // f - bloom
	BelowUpper                  // U - f
	BloomRatio                  // f / bloom
	UpperRatio                  // U / f
	BloomExcess                 // f / bloom - 1
	UpperExcess                 // U / f - 1
)

var quantityNames = []string{"f", "1-f", "f-bloom", "U-f", "f/bloom", "U/f", "f/bloom-1", "U/f-1"}

// String returns the formula that q names.
func (q Quantity) String() string {
	if int(q) < len(quantityNames) {
		return quantityNames[q]
	}
	return fmt.Sprintf("Quantity(%d)", uint8(q))
}

// Quantities returns all quantities.
func Quantities() []Quantity {
	all := make([]Quantity, len(quantityNames))
	for i := range all {
		all[i] = Quantity(i)
	}
	return all
}

// leastExponent is where Derived reports ErrRange: below e^leastExponent. Exp has no
// lower bound but 0 from e^-1.4e9 on.
const leastExponent = -1_300_000_000

func outOfRange(name string) error {
	return fmt.Errorf("%s is below e^%d: %w", name, leastExponent, ErrRange)
}

// Derived returns a quantity of the rate f of a filter of shape g after n insertions.
//
//	1 - f = sum over j >= 1 of (-1)^(j+1) w_j q_j      where the filter is nearly full
//	U - f = sum over j >= 2 of (-1)^j C(k,j) (a^j - q_j), a = (1-k/m)^n, classic, there
//	U/bloom - 1 = expm1(k log1p((b-a)/(1-b))), b = (1-1/m)^(kn)       for partitioned
//
// with w_j, q_j of (56), (60); elsewhere differences of f, Bloom and Upper at the
// precision that their leading terms ask for.
//
// Source: Burns (56), (57), (60), (65); Fan (2), (18)-(20).
// Domain: as FPR. Quantities with U need k <= m. For classic hashing f - bloom can have
// either sign; it is 0 only for n = 0, m = 1 or k = 1: otherwise bloom has the
// denominator m^(nk^2), because (m-1)^(nk) has no factor of m, and f_C at most C(m,k)^n.
// Error: relative width at most 2^-prec; exactly 0 and 1 as such.
// Cost: as FPR at prec + log2 m bits; in nearly full filters far less.
// Errors: *bloomproof.ParamError; ErrUndefined for a ratio at n = 0 and for U with
// k > m; ErrRange below e^-1.3e9, where Log2 serves.
func Derived(q Quantity, g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	if q == Rate {
		e, _, err := FPR(g, n, prec, Auto)
		return e, err
	}
	if err := checkDerived(q, g, prec); err != nil {
		return Enclosure{}, err
	}
	if e, ok, err := simpleDerived(q, g, n, prec); ok {
		return e, err
	}
	d := derivation{g: g, n: n}
	e, err := d.enclose(q.String(), prec, prec+d.guard(q), func(work uint) scaledValue { return d.value(q, work) })
	if q == Complement {
		return probability(e, err)
	}
	return e, err
}

// enclose returns the number that value computes, with a relative width of at most
// 2^-prec; first is the working precision to start from.
func (d *derivation) enclose(name string, prec, first uint, value func(work uint) scaledValue) (Enclosure, error) {
	e, err := ziv(prec, first, func(work uint) *interval.Interval {
		v := value(work)
		switch {
		case d.err != nil:
			return v.x.SetUint64(1) // ends the loop
		case v.shift == nil:
			return v.x
		}
		if v.shift.Lo().Cmp(big.NewFloat(leastExponent)) < 0 {
			d.fail(outOfRange(name))
			return v.shift.SetUint64(1) // ends the loop
		}
		return v.x.Mul(v.x, interval.New(work).Exp(v.shift))
	})
	if d.err != nil {
		return Enclosure{}, d.err
	}
	return e, err
}

// Log2 returns the binary logarithm of a quantity, also where the quantity itself is
// beyond the range of big.Float.
//
//	log2 f = log1p(-(1-f))/ln 2,   log2(1-f) = log1p(-f)/ln 2   where these are better
//
// Source: as Derived.
// Domain: as Derived, where the quantity is positive.
// Error: relative width at most 2^-prec; exactly 0 where the quantity is 1 as such.
// Cost: as Derived, and two logarithms.
// Errors: as Derived; ErrUndefined where the quantity is not positive; ErrRange for
// log2 f where 1-f is below e^-1.3e9.
func Log2(q Quantity, g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	return logarithm(q, g, n, 2, prec)
}

// Log10 returns the decimal logarithm of a quantity: see Log2.
//
// Source, Domain, Error: as Log2.
// Cost, Errors: as Log2.
func Log10(q Quantity, g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	return logarithm(q, g, n, 10, prec)
}

func logarithm(q Quantity, g bloomproof.Geometry, n, base uint64, prec uint) (Enclosure, error) {
	if err := checkDerived(q, g, prec); err != nil {
		return Enclosure{}, err
	}
	if e, ok, err := simpleDerived(q, g, n, prec); ok {
		if err != nil {
			return Enclosure{}, err
		}
		if r, _ := e.Rat(); r.Cmp(big.NewRat(1, 1)) == 0 {
			return exactlyInt(0, prec), nil
		}
		return Enclosure{}, refuse.Undefined("logarithm of "+q.String(), "it is 0")
	}
	d := derivation{g: g, n: n}
	return d.logarithm(q, base, prec)
}

// logarithm returns the logarithm of a quantity that simpleDerived does not know.
func (d *derivation) logarithm(q Quantity, base uint64, prec uint) (Enclosure, error) {
	e, err := ziv(prec, prec+d.guard(q)+16, func(work uint) *interval.Interval {
		l := d.log(q, work)
		if d.err != nil {
			return l.SetUint64(1) // ends the loop
		}
		return l.Quo(l, interval.New(work).Log(interval.New(work).SetUint64(base)))
	})
	if d.err != nil {
		return Enclosure{}, d.err
	}
	return e, err
}

func checkDerived(q Quantity, g bloomproof.Geometry, prec uint) error {
	if int(q) >= len(quantityNames) {
		return &bloomproof.ParamError{Param: "quantity", Value: q, Want: fmt.Sprintf("between 0 and %d", len(quantityNames)-1)}
	}
	if err := valid(g); err != nil {
		return err
	}
	return precision.Check(prec)
}

// simpleDerived returns the quantities that are 0 or 1 or undefined; ok is false for
// all others.
func simpleDerived(q Quantity, g bloomproof.Geometry, n uint64, prec uint) (e Enclosure, ok bool, err error) {
	withU := q == BelowUpper || q == UpperRatio || q == UpperExcess
	// f = bloom or f = U.
	same := g.K == 1 || withU && (g.Hashing == bloomproof.Partitioned || g.Hashing == bloomproof.Classic && uint64(g.K) == g.M)
	switch {
	case withU && uint64(g.K) > g.M:
		return Enclosure{}, true, refuse.Undefined(q.String(), "k exceeds m")
	case n == 0 && q >= BloomRatio:
		return Enclosure{}, true, refuse.Undefined(q.String(), "the rate is 0")
	case n == 0 && q == Complement:
		return exactlyInt(1, prec), true, nil
	case n == 0, g.M == 1 && (q == Complement || q >= BloomExcess || q == AboveBloom || q == BelowUpper):
		return exactlyInt(0, prec), true, nil
	case g.M == 1:
		return exactlyInt(1, prec), true, nil
	case q <= Complement:
		if g.Hashing != bloomproof.Standard && uint64(g.K) == g.M { // every bit is set
			return exactlyInt(int64(1-q), prec), true, nil
		}
		return Enclosure{}, false, nil
	case !same:
		return Enclosure{}, false, nil
	case q == BloomRatio || q == UpperRatio:
		return exactlyInt(1, prec), true, nil
	}
	return exactlyInt(0, prec), true, nil
}
