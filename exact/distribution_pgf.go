package exact

import (
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// PGF returns the probability generating function E[z^X] at a rational z, with 0^0 = 1.
//
// Routes: Difference, the default, is the sum over the exact probabilities; Hypergeometric,
// for z > 0, is
//
//	unions         z^m nF(n-1)[-(m-k_1), ..., -(m-k_n); -m, ..., -m; 1 - 1/z]
//	one committee  cF(c-1)[-k_1, ..., -k_c; -m, ..., -m; 1 - z]
//	a department
//
// Source: Burns (28), divided by A(m), which the print omits; hypergeometric (26), (33),
// whose terms solve the differential equation (35).
// Domain: distributions whose number of outcomes has at most MaxRatBits bits, with some thousand
// occupied urns at most; numerator and denominator of z of at most 64 bits.
// Error: relative width at most 2^-prec; the rational itself where it has few enough digits.
// Cost: as PMFs, and a power of z for each urn.
// Errors: *bloomproof.ParamError; ErrTooCostly outside the domain.
func (l Distribution) PGF(z *big.Rat, prec uint, route Route) (Enclosure, error) {
	if err := l.check(prec); err != nil {
		return Enclosure{}, err
	}
	routes := []Route{Difference}
	_, union := l.union()
	if _, single := l.single(); (union || single) && z != nil && z.Sign() > 0 {
		routes = append(routes, Hypergeometric)
	}
	route, err := refuse.Among(route, Auto, routes, "the generating function of this distribution")
	if err != nil {
		return Enclosure{}, err
	}
	if z == nil || z.Num().BitLen() > 64 || z.Denom().BitLen() > 64 {
		return Enclosure{}, &bloomproof.ParamError{Param: "z", Value: z, Want: "a fraction of 64-bit integers"}
	}
	if err := l.listable(); err != nil {
		return Enclosure{}, err
	}
	if route == Hypergeometric {
		if l.m > maxTerms {
			return Enclosure{}, refuse.TooCostly("route hypergeometric", float64(l.m), maxTerms)
		}
		// (1-z)^j grows where the terms alternate.
		first := prec + 2*uint(l.m) + uint(l.m)*uint(z.Num().BitLen()+z.Denom().BitLen()) + uint(l.countBits()) + 64
		return ziv(prec, first, func(work uint) *interval.Interval {
			f := field.Intervals(work)
			return pgfIn(f, l, z)
		})
	}
	// sum of count_i a^i b^(most-i) / (all b^most), z = a/b, by Horner's rule
	count, all := l.counts()
	sum, scale, t := new(big.Int), big.NewInt(1), new(big.Int)
	for i := len(count) - 1; i >= 0; i-- {
		sum.Mul(sum, z.Num())
		sum.Add(sum, t.Mul(count[i], scale))
		if i > 0 {
			scale.Mul(scale, z.Denom())
		}
	}
	all.Mul(all, scale)
	if all.BitLen() < precision.RationalMost {
		return exactly(new(big.Rat).SetFrac(sum, all), prec), nil
	}
	x := interval.New(prec + 8).SetInt(sum)
	return around(x.Quo(x, interval.New(prec+8).SetInt(all))), nil
}

// pgfIn evaluates the hypergeometric series of PGF in f's arithmetic, z > 0.
func pgfIn[T any, P field.Number[T]](f field.Of[T, P], l Distribution, z *big.Rat) P {
	at, x := f.Zero(), f.Zero()
	sum, term, t := f.Int(1), f.Int(1), f.Zero()
	at.Quo(at.SetInt(z.Num()), t.SetInt(z.Denom()))
	if groups, ok := l.union(); ok {
		// t_(j+1)/t_j = (m-j)/(j+1) [product of (m-k-j)/(m-j)] (1/z - 1)
		x.Sub(x.Quo(f.Int(1), at), f.Int(1))
		for j := uint64(0); l.m-j > largest(groups); j++ {
			term.Mul(term, t.Quo(f.Uint(l.m-j), f.Uint(j+1)))
			term.Mul(term, vacantRatio(f, l.m-j, groups))
			sum.Add(sum, term.Mul(term, x))
		}
		return sum.Mul(sum, f.Pow(at, new(big.Int).SetUint64(l.m)))
	}
	// t_(j+1)/t_j = (m-j)/(j+1) [product of (k-j)/(m-j)] (z - 1)
	sizes, _ := l.single()
	x.Sub(at, f.Int(1))
	_, most := l.Range()
	for j := range most {
		term.Mul(term, t.Quo(f.Uint(l.m-j), f.Uint(j+1)))
		for _, k := range sizes {
			term.Mul(term, f.Ratio(k-j, l.m-j))
		}
		sum.Add(sum, term.Mul(term, x))
	}
	return sum
}

// FactorialSeries returns the coefficients of A(x) = sum over i of a_i x(x-1)...(x-i+1)
// from its values A(0), A(1), ...: a_i = Delta^i A(0) / i!.
//
// Source: Burns (27), where "m^i a_i" has a falling factorial.
func FactorialSeries(values []*big.Rat) []*big.Rat {
	a := make([]*big.Rat, len(values))
	for i, v := range values {
		a[i] = new(big.Rat).Set(v)
	}
	for i := range a {
		for s := len(a) - 1; s > i; s-- {
			a[s].Sub(a[s], a[s-1])
		}
	}
	factorial := big.NewRat(1, 1)
	for i, x := range a {
		if i > 0 {
			factorial.Mul(factorial, big.NewRat(int64(i), 1))
		}
		x.Quo(x, factorial)
	}
	return a
}

// FactorialSeriesPMF returns P[X = i] = m(m-1)...(m-i+1) a_i / A(m), i = 0..m, of the
// factorial series distribution with the coefficients a_0..a_m, and A(m). The union of
// committees is one (Theorem 7): A(x) = product of C(x,k).
//
// Source: Burns (28), whose generating function lacks the divisor A(m).
// Errors: ErrUndefined for a negative coefficient or A(m) = 0.
func FactorialSeriesPMF(a []*big.Rat) (pmf []*big.Rat, total *big.Rat, err error) {
	total = new(big.Rat)
	falling := big.NewRat(1, 1)
	for i, x := range a {
		if x.Sign() < 0 {
			return nil, nil, refuse.Undefined("factorial series distribution", "a coefficient is negative")
		}
		pmf = append(pmf, new(big.Rat).Mul(falling, x))
		total.Add(total, pmf[i])
		falling.Mul(falling, big.NewRat(int64(len(a)-1-i), 1))
	}
	if total.Sign() == 0 {
		return nil, nil, refuse.Undefined("factorial series distribution", "A(m) is 0")
	}
	for _, p := range pmf {
		p.Quo(p, total)
	}
	return pmf, total, nil
}
