package exact

import (
	"errors"
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// checkShape validates what all bounds take. Unlike a Geometry, the formulas accept any
// k with any m.
func checkShape(m uint64, k int, prec uint) error {
	if err := (bloomproof.Geometry{M: m, K: k}).Validate(); err != nil {
		return err
	}
	return precision.Check(prec)
}

// fill returns E[X]/m = 1 - (1-1/m)^N, m >= 2, with a relative error of a few units:
// expm1 turns a relative error d of its argument -a into a e^-a d / (1-e^-a) <= d.
// Fan (1) is its complement.
func fill(m uint64, n *big.Int, work uint) *interval.Interval {
	x := occupancy.LogEmpty(m, n, work)
	return x.Neg(x.Expm1(x))
}

// Bloom returns f_bloom, the rate of the mean number of set bits:
//
//	(1 - (1-1/m)^(kn))^k
//
// Source: Burns (57), there M; Fan (2).
// Domain: 1 <= m < 2^64 bits; 1 <= k <= 4096, k > m allowed; 0 <= n < 2^64; prec 1 to
// MaxPrec bits. It is at most the standard rate for all of them (Jensen), with equality
// for n = 0, m = 1 and k = 1 only, and at most the partitioned rate. Of the classic rate
// it is no bound for k > 1: at m = 4, n = 1, k = 2 it is 49/256, the rate 1/6.
// Error: relative width at most 2^-prec.
// Cost: one logarithm, one exponential, log2 k products.
// Errors: *bloomproof.ParamError.
func Bloom(m, n uint64, k int, prec uint) (Enclosure, error) {
	if err := checkShape(m, k, prec); err != nil {
		return Enclosure{}, err
	}
	switch {
	case n == 0:
		return exactlyInt(0, prec), nil
	case m == 1:
		return exactlyInt(1, prec), nil
	}
	nk := integer.Product(n, k)
	return probability(ziv(prec, prec+uint(bits.Len(uint(k)))+16, func(work uint) *interval.Interval {
		return interval.New(work).PowInt(fill(m, nk, work), big.NewInt(int64(k)))
	}))
}

// Exponential returns the textbook approximation
//
//	(1 - e^(-kn/m))^k
//
// Source: Burns (58), there E; Fan (2), (22), the limit of Bloom, Upper and the rate for
// many bits at the same kn/m, by (21) and (23).
// Domain: as Bloom. It is at most Bloom, since 1-1/m < e^(-1/m), and so at most the
// standard and the partitioned rate.
// Error: relative width at most 2^-prec.
// Cost: one exponential.
// Errors: *bloomproof.ParamError.
func Exponential(m, n uint64, k int, prec uint) (Enclosure, error) {
	if err := checkShape(m, k, prec); err != nil {
		return Enclosure{}, err
	}
	if n == 0 {
		return exactlyInt(0, prec), nil
	}
	x := new(big.Rat).SetFrac(integer.Product(n, k), new(big.Int).SetUint64(m))
	x.Neg(x)
	return probability(ziv(prec, prec+uint(bits.Len(uint(k)))+16, func(work uint) *interval.Interval {
		p := interval.New(work).SetRat(x)
		p.Neg(p.Expm1(p))
		return p.PowInt(p, big.NewInt(int64(k)))
	}))
}

// committeeFill returns 1 - (1-k/m)^n for k <= m, n >= 1.
func committeeFill(m, n uint64, k int, work uint) *interval.Interval {
	x := interval.New(work)
	if uint64(k) == m {
		return x.SetUint64(1)
	}
	x.SetRat(new(big.Rat).SetFrac(big.NewInt(int64(-k)), new(big.Int).SetUint64(m)))
	x.Mul(x.Log1p(x), interval.New(work).SetUint64(n))
	return x.Neg(x.Expm1(x))
}

// Upper returns U, Bloom's own approximation of the classic rate:
//
//	(1 - (1-k/m)^n)^k = (mu_C/m)^k
//
// Source: Burns (65); Fan (17), (18), (20).
// Domain: 1 <= k <= m, otherwise as Bloom. Printed for k <= (m-1)/2, but it is at least
// the classic and the standard rate for all k <= m: the printed proofs use Theorem 15
// with r <= k only, which needs no more (see Lower). Equality: k = 1 for both, k = m for
// classic. For k > m it bounds nothing: at m = 1, n = 2, k = 2 it is 0, the rate 1.
// All of this is decided on every filter up to m = 14, k = m+2, n = 8 by TestOrder and
// TestTheorem15.
// Error: relative width at most 2^-prec; exactly 1 for k = m, n >= 1.
// Cost: one logarithm, one exponential.
// Errors: *bloomproof.ParamError; ErrUndefined for k > m.
func Upper(m, n uint64, k int, prec uint) (Enclosure, error) {
	if err := checkShape(m, k, prec); err != nil {
		return Enclosure{}, err
	}
	switch {
	case uint64(k) > m:
		return Enclosure{}, refuse.Undefined("upper", "k exceeds m")
	case n == 0:
		return exactlyInt(0, prec), nil
	case uint64(k) == m:
		return exactlyInt(1, prec), nil
	}
	return probability(ziv(prec, prec+uint(bits.Len(uint(k)))+16, func(work uint) *interval.Interval {
		p := committeeFill(m, n, k, work)
		return p.PowInt(p, big.NewInt(int64(k)))
	}))
}

// Partitioned returns the rate of a partitioned filter, Upper where k divides m.
//
// Source: Fan (19).
// Domain: k divides m, otherwise as Bloom: for unequal slices it is the rate of no
// filter.
// Error, Cost: as Upper.
// Errors: *bloomproof.ParamError; ErrUndefined when k does not divide m.
func Partitioned(m, n uint64, k int, prec uint) (Enclosure, error) {
	if err := checkShape(m, k, prec); err != nil {
		return Enclosure{}, err
	}
	if m%uint64(k) != 0 {
		return Enclosure{}, refuse.Undefined("partitioned", "k does not divide m")
	}
	return Upper(m, n, k, prec)
}

// BoseUpper returns Bose's upper bound with the constant 1:
//
//	f_bloom (1 + t),   t = (k/p) sqrt((ln m - k ln p)/m),   p = 1 - (1-1/m)^(kn)
//
// Source: Fan (5), printed with O(t), and (6).
// Domain: n >= 1 and t < 1, condition (6) with any constant below 1; otherwise as Bloom.
// The order is asymptotic: that the constant 1 serves is checked by TestBoseUpper, not
// proven.
// Error: relative width at most 2^-prec.
// Cost: two logarithms, one exponential, one root.
// Errors: *bloomproof.ParamError; ErrUndefined outside the condition.
func BoseUpper(m, n uint64, k int, prec uint) (Enclosure, error) {
	if err := checkShape(m, k, prec); err != nil {
		return Enclosure{}, err
	}
	switch {
	case n == 0:
		return Enclosure{}, refuse.Undefined("bose_upper", "no bit is set")
	case m == 1:
		return exactlyInt(1, prec), nil
	}
	nk := integer.Product(n, k)
	outside := false
	e, err := ziv(prec, prec+uint(2*bits.Len(uint(k)))+24, func(work uint) *interval.Interval {
		t := boseTerm(m, nk, k, work)
		one := interval.New(work).SetUint64(1)
		if order, decided := t.Cmp(one); decided && order >= 0 {
			outside = true
			return one
		} else if !decided {
			return t.Sub(t, one) // contains 0, so the loop goes on
		}
		return one.Mul(one.Add(one, t), t.PowInt(fill(m, nk, work), big.NewInt(int64(k))))
	})
	if outside {
		return Enclosure{}, refuse.Undefined("bose_upper", "condition (6) does not hold")
	}
	return e, err
}

// boseTerm returns t of BoseUpper.
func boseTerm(m uint64, nk *big.Int, k int, work uint) *interval.Interval {
	nw := func() *interval.Interval { return interval.New(work) }
	p := fill(m, nk, work)
	lnp := nw().Exp(occupancy.LogEmpty(m, nk, work)) // log p = log1p(-(1-1/m)^N), accurate near p = 1
	if lnp.Neg(lnp); lnp.Hi().Cmp(big.NewFloat(-0.5)) < 0 {
		lnp.Log(p)
	} else {
		lnp.Log1p(lnp)
	}
	kk := nw().SetUint64(uint64(k))
	t := nw().Log(nw().SetUint64(m))
	t.Sub(t, lnp.Mul(lnp, kk))
	t.Sqrt(t.Quo(t, nw().SetUint64(m)))
	return t.Mul(t, kk.Quo(kk, p))
}

// EntropyPerBit returns Fan's entropy of one bit of the filter, in bits:
//
//	-(q log2 q + (1-q) log2(1-q)),   q = (1-1/m)^(kn)
//
// Source: Fan (11), from (10) with one minus.
// Domain: as Bloom; exactly 0 for n = 0 and for m = 1.
// Error: relative width at most 2^-prec.
// Cost: three logarithms, one exponential.
// Errors: *bloomproof.ParamError; ErrUndefined where q is below e^-1.4e9 and has no
// floating-point value, at kn > 1.4e9 m.
func EntropyPerBit(m, n uint64, k int, prec uint) (Enclosure, error) {
	if err := checkShape(m, k, prec); err != nil {
		return Enclosure{}, err
	}
	if n == 0 || m == 1 {
		return exactlyInt(0, prec), nil
	}
	nk := integer.Product(n, k)
	const most = 1_400_000_000
	if occupancy.LogEmpty(m, nk, 64).Lo().Cmp(big.NewFloat(-most)) < 0 {
		return Enclosure{}, refuse.Undefined("entropy_per_bit", "it is too small for a floating-point number")
	}
	// q has the relative error of its logarithm times that logarithm, below 2^31.
	return probability(ziv(prec, prec+48, func(work uint) *interval.Interval {
		nw := func() *interval.Interval { return interval.New(work) }
		a := occupancy.LogEmpty(m, nk, work)
		q := nw().Exp(a)
		p := nw().Expm1(a)
		p.Neg(p)
		// -(q a + p log(1-q)): both products are negative.
		lnp := nw().Log1p(nw().Neg(q))
		if q.Hi().Cmp(big.NewFloat(0.5)) > 0 {
			lnp.Log(p)
		}
		a.Add(a.Mul(a, q), p.Mul(p, lnp))
		return a.Quo(a.Neg(a), nw().Log(nw().SetUint64(2)))
	}))
}

// BoundSet holds the bounds and approximations of one rate; nil where one is undefined
// or bounds nothing.
type BoundSet struct {
	Bloom, Exponential, Taylor       *Enclosure
	Lower, LowerSimple, LowerClassic *Enclosure
	Upper, Partitioned, BoseUpper    *Enclosure
	EntropyPerBit                    *Enclosure
}

// Bounds returns all bounds and approximations that say something about the rate of a
// filter of shape g after n insertions. Beside those undefined for the parameters, nil
// are:
//
//	classic      Bloom, Exponential, Taylor, BoseUpper: of the standard rate
//	partitioned  Taylor, BoseUpper
//	standard     LowerClassic
//
// Domain, Error: as FPR.
// Errors: *bloomproof.ParamError.
func Bounds(g bloomproof.Geometry, n uint64, prec uint) (BoundSet, error) {
	var b BoundSet
	if err := valid(g); err != nil {
		return b, err
	}
	notClassic, standard := g.Hashing != bloomproof.Classic, g.Hashing == bloomproof.Standard
	for _, f := range []struct {
		to   **Enclosure
		says bool
		f    func(m, n uint64, k int, prec uint) (Enclosure, error)
	}{
		{&b.Bloom, notClassic, Bloom},
		{&b.Exponential, notClassic, Exponential},
		{&b.Taylor, standard, Taylor},
		{&b.Lower, true, Lower},
		{&b.LowerSimple, true, LowerSimple},
		{&b.LowerClassic, !standard, LowerClassic},
		{&b.Upper, true, Upper},
		{&b.Partitioned, true, Partitioned},
		{&b.BoseUpper, standard, BoseUpper},
		{&b.EntropyPerBit, true, EntropyPerBit},
	} {
		if !f.says {
			continue
		}
		e, err := f.f(g.M, n, g.K, prec)
		switch {
		case err == nil:
			*f.to = &e
		case !errors.Is(err, ErrUndefined):
			return BoundSet{}, err
		}
	}
	return b, nil
}
