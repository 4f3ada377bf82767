// Package field lets the same code compute a formula in rationals and in intervals.
package field

import (
	"math/big"

	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// Number is the type of the numbers in which a formula is computed. It is *big.Rat for exact rationals, or
// *interval.Interval.
type Number[T any] interface {
	*T
	Add(x, y *T) *T
	Sub(x, y *T) *T
	Mul(x, y *T) *T
	Quo(x, y *T) *T
	Set(x *T) *T
	SetInt(x *big.Int) *T
}

// The type Of is a source of new numbers. All numbers of a source have the same kind and the same precision. They are
// either rationals or intervals.
type Of[T any, P Number[T]] struct{ Zero func() P }

// Rationals makes rationals.
var Rationals = Of[big.Rat, *big.Rat]{func() *big.Rat { return new(big.Rat) }}

// Intervals returns a value that creates intervals. The argument "work" is the precision of these intervals in bits.
func Intervals(work uint) Of[interval.Interval, *interval.Interval] {
	return Of[interval.Interval, *interval.Interval]{func() *interval.Interval { return interval.New(work) }}
}

// Int returns v as a number.
func (f Of[T, P]) Int(v int64) P { return f.Zero().SetInt(big.NewInt(v)) }

// Uint returns v as a number.
func (f Of[T, P]) Uint(v uint64) P { return f.Zero().SetInt(new(big.Int).SetUint64(v)) }

// Ratio returns a/b.
func (f Of[T, P]) Ratio(a, b uint64) P { return f.Zero().Quo(f.Uint(a), f.Uint(b)) }

// Pow returns x^n, with 0^0 = 1.
func (f Of[T, P]) Pow(x P, n *big.Int) P {
	r := f.Int(1)
	for i := n.BitLen() - 1; i >= 0; i-- {
		if r.Mul(r, r); n.Bit(i) == 1 {
			r.Mul(r, x)
		}
	}
	return r
}

// PowInt returns x^n, with 0^0 = 1.
func (f Of[T, P]) PowInt(x P, n int) P { return f.Pow(x, big.NewInt(int64(n))) }
