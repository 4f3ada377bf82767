package verify_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/internal/witness"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// witnessGuard is how many bits more than an enclosure a witness has, so that its own error is a
// millionth of the width at most.
const witnessGuard = 20

// contains returns an error unless the enclosure contains a number that is known with a relative
// error of at most 2^-bits.
func contains(e exact.Enclosure, w *big.Float, bits uint) error {
	wide := func() *big.Float { return new(big.Float).SetPrec(w.Prec() + 64) }
	err := wide().SetMantExp(wide().Abs(w), -int(bits))
	if wide().Add(w, err).Cmp(e.Lo()) < 0 || wide().Sub(w, err).Cmp(e.Hi()) > 0 {
		return fmt.Errorf("[%.40g, %.40g] does not contain %.40g", e.Lo(), e.Hi(), w)
	}
	return nil
}

// ratio returns a/b with a relative error of at most 2^-bits.
func ratio(a, b uint64, bits uint) *big.Float {
	x, y := new(big.Float).SetUint64(a), new(big.Float).SetUint64(b)
	return new(big.Float).SetPrec(bits+1).Quo(x, y)
}

// witnessed is a number of exact that is one elementary function and rational operations, and
// the same from bigfloat, with a relative error of at most 2^-bits.
type witnessed struct {
	name  string
	exact func(m, n uint64, k int, prec uint) (exact.Enclosure, error)
	again func(m, n uint64, k int, bits uint) (*big.Float, error)
}

func witnessedNumbers() []witnessed {
	one := big.NewFloat(1)
	// lessOne returns 1-x, for x in (0, 1).
	lessOne := func(x *big.Float) *big.Float { return new(big.Float).SetPrec(x.Prec()+200).Sub(one, x) }
	// logLess returns ln(1-x) for a rational x in (0, 1), through log1p where x is small.
	logLess := func(x *big.Rat, bits uint) (*big.Float, error) {
		wide := bits + 70 // ln(1-t) for t = 1/m loses log2 m of them
		if x.Cmp(big.NewRat(1, 256)) < 0 {
			return witness.Log1p(new(big.Float).SetPrec(wide).SetRat(new(big.Rat).Neg(x)), bits+4)
		}
		return witness.Log(new(big.Float).SetPrec(wide).SetRat(new(big.Rat).Sub(big.NewRat(1, 1), x)), bits+4)
	}
	return []witnessed{
		{
			// 1 - e^(-n/m)
			"exp", func(m, n uint64, _ int, prec uint) (exact.Enclosure, error) {
				return exact.Bound(bloomproof.BoundExponential, bloomproof.Geometry{M: m, K: 1}, n, prec)
			},
			func(m, n uint64, _ int, bits uint) (*big.Float, error) {
				wide := bits + 70 // x = n/m > 2^-64 is lost in 1-e^-x, and x is below 2^6
				x := ratio(n, m, wide+10)
				e, err := witness.Exp(x.Neg(x), wide)
				if err != nil {
					return nil, err
				}
				return lessOne(e), nil
			},
		},
		{
			// (1 - (1-k/m)^n)^k
			"pow", func(m, n uint64, k int, prec uint) (exact.Enclosure, error) {
				m -= m % uint64(k)
				e, _, err := exact.FPR(bloomproof.Geometry{M: m, K: k, Hashing: bloomproof.Partitioned}, n, prec, exact.Auto)
				return e, err
			},
			func(m, n uint64, k int, bits uint) (*big.Float, error) {
				m -= m % uint64(k)
				wide := bits + 90                              // k/m and 1-(1-k/m)^n may be 2^-64
				base := lessOne(ratio(uint64(k), m, wide+140)) // its error grows n-fold
				unset, err := witness.Pow(base, new(big.Float).SetUint64(n), wide)
				if err != nil {
					return nil, err
				}
				return witness.Pow(lessOne(unset), big.NewFloat(float64(k)), bits+4)
			},
		},
		{
			// ln (1 - (1-1/m)^n)
			"log", func(m, n uint64, _ int, prec uint) (exact.Enclosure, error) {
				return exact.LogFPR(bloomproof.Geometry{M: m, K: 1}, n, prec)
			},
			func(m, n uint64, _ int, bits uint) (*big.Float, error) {
				unset := new(big.Rat).SetFrac(new(big.Int).SetUint64(m-1), new(big.Int).SetUint64(m)) // 1-1/m
				q := big.NewRat(1, 1)
				for range n {
					q.Mul(q, unset)
				}
				return logLess(q, bits)
			},
		},
		{
			// ln (1-b/m) / ln (1-1/m)
			"log1p", func(m, n uint64, _ int, prec uint) (exact.Enclosure, error) {
				return exact.EstimateItems(bloomproof.Geometry{M: m, K: 1}, min(n, m-1), prec)
			},
			func(m, n uint64, _ int, bits uint) (*big.Float, error) {
				part := func(b uint64) *big.Rat {
					return new(big.Rat).SetFrac(new(big.Int).SetUint64(b), new(big.Int).SetUint64(m))
				}
				x, err := logLess(part(min(n, m-1)), bits+4)
				if err != nil {
					return nil, err
				}
				y, err := logLess(part(1), bits+4)
				if err != nil {
					return nil, err
				}
				return x.Quo(x, y), nil
			},
		},
	}
}

// The exponential, logarithms and powers of exact contain what bigfloat computes in another way,
// and an enclosure that is off by its own width does not.
//
// Claims: none, these are no formulas of the papers.
func TestWitness(t *testing.T) {
	draws := 150
	if !longtest.Enabled() {
		draws = 30
	}
	r := rand.New(rand.NewPCG(20040927, 0))
	caught := 0
	for _, number := range witnessedNumbers() {
		points := 0
		for range draws {
			m := max(64, uint64(math.Exp2(6+58*r.Float64())))
			k := 1 + r.IntN(40)
			n := 1 + r.Uint64N(6)
			if number.name == "exp" || number.name == "pow" { // n k/m from 2^-40 to 32
				load := math.Exp2(45*r.Float64() - 40)
				load = max(load, 64/float64(m))
				k = min(k, 1+int(600/(1-math.Log(min(load, 1))))) // the k-th power is in the domain
				n = uint64(min(max(1, load*float64(m)/float64(k)), 0x1p63))
			} else if r.IntN(2) == 0 {
				m = 2 + r.Uint64N(40)
			}
			prec := []uint{8, 53, 64, 150, 600}[r.IntN(5)]
			e, err := number.exact(m, n, k, prec)
			if err != nil {
				t.Fatal(err)
			}
			w, err := number.again(m, n, k, prec+witnessGuard)
			if err != nil {
				t.Fatalf("%s at m=%d n=%d k=%d: %v", number.name, m, n, k, err)
			}
			if err := contains(e, w, prec+witnessGuard); err != nil {
				t.Errorf("%s at m=%d n=%d k=%d, %d bits: %v", number.name, m, n, k, prec, err)
			}
			points++
			// Three widths above: as wrong as 2^-prec in the last bits.
			width := new(big.Float).SetPrec(w.Prec()+64).Sub(e.Hi(), e.Lo())
			if width.Sign() > 0 && contains(e, width.Add(w, width.Mul(width, big.NewFloat(3))), prec+witnessGuard) != nil {
				caught++
			} else if width.Sign() > 0 {
				t.Errorf("%s at m=%d n=%d k=%d, %d bits: contains what is three widths off", number.name, m, n, k, prec)
			}
		}
		t.Logf("%s: %d numbers", number.name, points)
	}
	if caught < draws {
		t.Errorf("%d enclosures had a width", caught)
	}
}
