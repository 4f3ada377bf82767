// Package accuracy compares every function of package approx with its counterpart in package exact. The value that
// package exact computes is called the witness. The comment of a function in approx states an error bound. The two
// values may differ by at most this bound. The tests of package verify check extreme and random arguments; the sweep
// (make sweep) checks millions of them.
package accuracy

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/exact"
)

// The fields of the type Point are the number of bits M, the number of items N and the number of positions K. Functions
// are compared at these arguments.
type Point struct {
	M, N uint64
	K    int
}

// String returns the point as Go source, for a row of a test's table.
func (p Point) String() string { return fmt.Sprintf("{%d, %d, %d}", p.M, p.N, p.K) }

func (p Point) lnK() float64 { return math.Log(float64(p.K)) }

// Result has the outcome of a check: the error and its bound. Both are divided by 2^-53 times the true value. The field
// Defined is false if the value is undefined or too small for a relative error.
type Result struct {
	Defined      bool
	Error, Bound float64
}

// A Group is a set of numbers that are checked together. One computation by package exact gives the true values of all
// these numbers.
type Group struct {
	Names []string
	// Check returns a result for each number in Names. If the error of a value of approx exceeds its bound, Check
	// returns an error. The enclosures that exact computes have a relative width of at most 2^-prec.
	Check func(p Point, prec uint) ([]Result, error)
}

// The type "function" has a function of package approx. It also has the function of package exact that computes the
// same number.
type function struct {
	name   string
	approx func(m, n uint64, k int) (float64, error)
	exact  func(m, n uint64, k int, prec uint) (exact.Enclosure, error)
	bound  func(p Point, lnValue float64) float64
}

// The function "bounded" returns the geometry of a filter of m bits and k positions. The given kind of bound is valid
// for the hashing of this geometry. The result ok is false if there is no such filter. For example, no classic filter
// has more positions than bits.
func bounded(kind bloomproof.Bound, m uint64, k int) (g bloomproof.Geometry, ok bool) {
	g = bloomproof.Geometry{M: m, K: k}
	if kind == bloomproof.BoundLowerClassic {
		g.Hashing = bloomproof.Classic
	}
	return g, g.Validate() == nil
}

// The function "by" returns a function that calls approx.Bound. The argument "kind" is the kind of bound. If no filter
// has m bits and k positions, the value is undefined.
func by(kind bloomproof.Bound) func(m, n uint64, k int) (float64, error) {
	return func(m, n uint64, k int) (float64, error) {
		g, ok := bounded(kind, m, k)
		if !ok {
			return 0, bloomproof.ErrUndefined
		}
		return approx.Bound(kind, g, n)
	}
}

func entropy(m, n uint64, k int) (float64, error) {
	return approx.EntropyPerBit(bloomproof.Geometry{M: m, K: k}, n)
}

// exactBy returns a function that calls exact.Bound. The argument "kind" is the kind of bound. If no filter has m bits
// and k positions, the value is undefined.
func exactBy(kind bloomproof.Bound) func(m, n uint64, k int, prec uint) (exact.Enclosure, error) {
	return func(m, n uint64, k int, prec uint) (exact.Enclosure, error) {
		g, ok := bounded(kind, m, k)
		if !ok {
			return exact.Enclosure{}, bloomproof.ErrUndefined
		}
		return exact.Bound(kind, g, n, prec)
	}
}

func exactEntropy(m, n uint64, k int, prec uint) (exact.Enclosure, error) {
	return exact.EntropyPerBit(bloomproof.Geometry{M: m, K: k}, n, prec)
}

// The false-positive rate has several kinds of bounds. The function Bounds returns one group for each kind.
func Bounds() []Group {
	h := func(p Point) float64 { return 20 + 8*p.lnK() }
	closed := func(Point, float64) float64 { return 2 }
	// lnBloom returns the logarithm ln p^k, where p is the expected fraction of set bits. The error bounds of Taylor
	// and BoseUpper below depend on this logarithm.
	lnBloom := func(p Point) float64 {
		e, err := exact.Bound(bloomproof.BoundBloom, bloomproof.Geometry{M: p.M, K: p.K}, p.N, 60)
		if err != nil || e.Lo().Sign() == 0 {
			return 0
		}
		return Ln(e.Lo())
	}
	binomial := func(condition func(Point) float64) func(Point, float64) float64 {
		return func(p Point, ln float64) float64 {
			return 8 + (40+12*p.lnK())*math.Abs(ln) + 12*condition(p)
		}
	}
	var groups []Group
	for _, f := range []function{
		{name: "Bloom", approx: by(bloomproof.BoundBloom), exact: exactBy(bloomproof.BoundBloom), bound: closed},
		{name: "Exponential", approx: by(bloomproof.BoundExponential), exact: exactBy(bloomproof.BoundExponential), bound: closed},
		{name: "Upper", approx: by(bloomproof.BoundUpper), exact: exactBy(bloomproof.BoundUpper), bound: closed},
		{name: "Partitioned", approx: by(bloomproof.BoundPartitioned), exact: exactBy(bloomproof.BoundPartitioned), bound: closed},
		{name: "Taylor", approx: by(bloomproof.BoundTaylor), exact: exactBy(bloomproof.BoundTaylor), bound: func(p Point, _ float64) float64 {
			return 120 + 20*p.lnK() + h(p)*math.Abs(lnBloom(p))
		}},
		{name: "BoseUpper", approx: by(bloomproof.BoundBose), exact: exactBy(bloomproof.BoundBose), bound: func(p Point, _ float64) float64 {
			return 24 + 4*p.lnK() + h(p)*math.Abs(lnBloom(p))
		}},
		{name: "EntropyPerBit", approx: entropy, exact: exactEntropy, bound: func(_ Point, ln float64) float64 {
			return 60 + 10*math.Abs(ln)
		}},
		{name: "Lower", approx: by(bloomproof.BoundLower), exact: exactBy(bloomproof.BoundLower), bound: func(p Point, ln float64) float64 {
			return 60 + 5*p.lnK() + (50+12*p.lnK())*math.Abs(ln)
		}},
		{name: "LowerSimple", approx: by(bloomproof.BoundLowerSimple), exact: exactBy(bloomproof.BoundLowerSimple), bound: binomial(func(p Point) float64 {
			if p.N == 0 {
				return 0
			}
			gap, mu := simpleGap(p)
			return mu / gap
		})},
		{name: "LowerClassic", approx: by(bloomproof.BoundLowerClassic), exact: exactBy(bloomproof.BoundLowerClassic), bound: binomial(func(p Point) float64 {
			if p.N == 0 {
				return 0
			}
			m, k := float64(p.M), float64(p.K)
			mu := -m * math.Expm1(float64(p.N)*math.Log1p(-k/m))
			return mu / max(1, mu-k+1) // mu >= k; 1 guards against rounding
		})},
	} {
		groups = append(groups, Group{Names: []string{f.name}, Check: func(p Point, prec uint) ([]Result, error) {
			r, err := f.check(p, prec)
			if err != nil {
				err = fmt.Errorf("%s%v: %w", f.name, p, err)
			}
			return []Result{r}, err
		}})
	}
	return groups
}

// Let mu = m (1-(1-1/m)^(kn)) be the mean number of set bits of a standard filter. The function simpleGap returns
// mu-k+1 and mu. It computes the power by repeated squaring, with additional bits of precision.
func simpleGap(p Point) (gap, mu float64) {
	num := func(x uint64) *big.Float { return new(big.Float).SetPrec(300).SetUint64(x) }
	m, one := num(p.M), num(1)
	base := num(0).Sub(one, num(0).Quo(one, m))
	balls := new(big.Int).Mul(new(big.Int).SetUint64(p.N), big.NewInt(int64(p.K)))
	q := num(1)
	for i := balls.BitLen() - 1; i >= 0; i-- {
		if q.Mul(q, q); balls.Bit(i) == 1 {
			q.Mul(q, base)
		}
	}
	q.Mul(m, q.Sub(one, q))
	mu, _ = q.Float64()
	gap, _ = q.Sub(q, num(uint64(p.K-1))).Float64()
	return gap, mu
}

// Ln returns ln |x| for x not 0. The exponent of x may be outside the range of float64.
func Ln(x *big.Float) float64 {
	mant := new(big.Float)
	e := x.MantExp(mant)
	f, _ := mant.Float64()
	return math.Log(math.Abs(f)) + float64(e)*math.Ln2
}

// The function "wide" returns x with 2200 bits of precision, enough for 1 + 2^-1074.
func wide(x float64) *big.Float { return new(big.Float).SetPrec(2200).SetFloat64(x) }

// The comment of package approx states the absolute error of results below 2^-1022. The constant fourSteps is this
// error, in units of 2^-1074.
const fourSteps = 4

// The method "check" compares the two packages at the point p. Package exact computes an enclosure [lo, hi]. The value
// of approx may differ from each number in this enclosure by at most the error bound. So the check is |approx - mid| +
// rad <= bound*lo. Here mid is the middle of the enclosure, and rad is half its width.
func (f function) check(p Point, prec uint) (Result, error) {
	got, errApprox := f.approx(p.M, p.N, p.K)
	want, errExact := f.exact(p.M, p.N, p.K, prec)
	undefined := errors.Is(errExact, bloomproof.ErrUndefined)
	if (errApprox != nil && !errors.Is(errApprox, bloomproof.ErrUndefined)) || (errExact != nil && !undefined) {
		return Result{}, fmt.Errorf("approx: %v, exact: %v", errApprox, errExact)
	}
	if undefined != (errApprox != nil) {
		switch f.name {
		case "LowerSimple": // the condition number says where it is undecided
			if gap, mu := simpleGap(p); math.Abs(gap)*0x1p53 <= 12*mu {
				return Result{}, nil
			}
		case "EntropyPerBit": // exact returns no number here, and approx returns 0
			if got == 0 {
				return Result{}, nil
			}
		}
		return Result{}, fmt.Errorf("approx: %g, %v; exact: %v, %v", got, errApprox, want, errExact)
	}
	if undefined {
		return Result{}, nil
	}
	lo := want.Lo()
	if lo.Sign() == 0 {
		if got != 0 || want.Hi().Sign() != 0 {
			return Result{}, fmt.Errorf("got %g, want 0", got)
		}
		return Result{Defined: true}, nil
	}
	return within(got, want, fourSteps, func(ln float64) float64 { return f.bound(p, ln) })
}

// The function "within" returns the error of the value "got". The value "want" is the true value, and must not be 0.
// The error may be at most bound(ln want)*u*want, where u = 2^-53. If the true value is below 2^-1022, the error may be
// larger. It may then exceed this limit by tiny*2^-1074, and the field Defined of the result is false.
func within(got float64, want exact.Enclosure, tiny float64, bound func(ln float64) float64) (Result, error) {
	return between(got, want.Lo(), want.Hi(), tiny, bound(Ln(want.Lo())))
}
