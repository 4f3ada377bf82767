package numeric_test

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/numeric"
)

// binomialTail returns P[Bin(n, x) >= a] as an exact rational; x is dyadic like every
// float64, so the sum is one over integers.
func binomialTail(n, a int64, x float64) *big.Rat {
	p := new(big.Rat).SetFloat64(x)
	hit, den := p.Num(), p.Denom()
	miss := new(big.Int).Sub(den, hit)
	// term = C(n, i) hit^i miss^(n-i), from i = n down; one exact division a step.
	term := new(big.Int).Exp(hit, big.NewInt(n), nil)
	sum := new(big.Int)
	for i := n; i >= a; i-- {
		sum.Add(sum, term)
		term.Mul(term, big.NewInt(i))
		term.Mul(term, miss)
		term.Quo(term, new(big.Int).Mul(big.NewInt(n-i+1), hit))
	}
	return new(big.Rat).SetFrac(sum, new(big.Int).Exp(den, big.NewInt(n), nil))
}

// relative returns |got/want - 1|.
func relative(got float64, want *big.Rat) float64 {
	w := new(big.Float).SetPrec(200).SetRat(want)
	g := new(big.Float).SetPrec(200).SetFloat64(got)
	q := g.Quo(g, w)
	d, _ := q.Sub(q, big.NewFloat(1)).Float64()
	return math.Abs(d)
}

func TestIncompleteBetaExact(t *testing.T) {
	sizes := []int64{1, 2, 3, 7, 16, 40, 150, 400, 1199}
	if testing.Short() {
		sizes = sizes[:7]
	}
	worst, cases := 0.0, 0
	for _, n := range sizes {
		for _, a := range []int64{1, 2, n / 10, n / 3, n / 2, n - 1, n} {
			if a < 1 || a > n {
				continue
			}
			mean := float64(a) / float64(n+1)
			for _, x := range []float64{0x1p-20, mean / 2, mean * 0.9, mean, mean * 1.05, (1 + mean) / 2, 1 - 0x1p-20} {
				x = float64(float32(x)) // few digits keep the rationals small
				if x <= 0 || x >= 1 {
					continue
				}
				want := binomialTail(n, a, x)
				rest := new(big.Rat).Sub(big.NewRat(1, 1), want)
				lower, upper, err := numeric.IncompleteBeta(float64(a), float64(n-a+1), x)
				if err != nil {
					t.Fatal(err)
				}
				got, exact := lower, want
				if want.Cmp(rest) > 0 {
					got, exact = upper, rest
				}
				if f, _ := exact.Float64(); f < 1e-290 {
					continue
				}
				cases++
				e := relative(got, exact)
				worst = max(worst, e)
				if e > 1e-12 {
					t.Errorf("I_%v(%d, %d): smaller tail %v, relative error %.2g", x, a, n-a+1, got, e)
				}
			}
		}
	}
	t.Logf("largest relative error %.2g in %d cases", worst, cases)
}

// For huge n the tail from a on is summed with 400 bits until its terms, which fall by
// a factor below 1 past the mean, no longer matter.
func TestIncompleteBetaLarge(t *testing.T) {
	const prec = 400
	worst := 0.0
	for _, n := range []uint64{1e5, 1e8, 1e11, 1<<40 - 2000} {
		for _, a := range []uint64{1, 3, 40, 900} {
			for _, share := range []float64{0.5, 0.9, 0.999} {
				x := share * float64(a) / float64(n)
				p := new(big.Float).SetPrec(prec).SetFloat64(x)
				miss := new(big.Float).SetPrec(prec).Sub(big.NewFloat(1), p)
				odds := new(big.Float).Quo(p, miss)
				term := new(big.Float).SetPrec(prec).SetInt64(1)
				for e, square := n, new(big.Float).Set(miss); e > 0; e >>= 1 {
					if e&1 == 1 {
						term.Mul(term, square)
					}
					square.Mul(square, square)
				}
				sum := new(big.Float).SetPrec(prec)
				for i := uint64(0); i < 3*a+300; i++ {
					if i >= a {
						sum.Add(sum, term)
					}
					term.Mul(term, odds)
					term.Mul(term, new(big.Float).SetUint64(n-i))
					term.Quo(term, new(big.Float).SetUint64(i+1))
				}
				want, _ := sum.Rat(nil)
				lower, _, err := numeric.IncompleteBeta(float64(a), float64(n-a+1), x)
				if err != nil {
					t.Fatal(err)
				}
				e := relative(lower, want)
				worst = max(worst, e)
				if e > 1e-11 {
					t.Errorf("I_%v(%d, %d) = %v, relative error %.2g", x, a, n-a+1, lower, e)
				}
			}
		}
	}
	t.Logf("largest relative error %.2g", worst)
}

func TestIncompleteBetaErrors(t *testing.T) {
	beta := func(a, b, x float64) error { _, _, err := numeric.IncompleteBeta(a, b, x); return err }
	for _, row := range []struct {
		param string
		err   error
	}{{"a", beta(0.5, 1, 0.5)}, {"b", beta(1, math.Inf(1), 0.5)}, {"x", beta(1, 1, math.NaN())}} {
		var p *bloomproof.ParamError
		if !errors.As(row.err, &p) || p.Param != row.param {
			t.Errorf("error %v, want one about %s", row.err, row.param)
		}
	}
}
