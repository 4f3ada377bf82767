// Package field lets one formula be computed in rationals and in intervals.
package exact

import (
	"math/big"

	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// number is what a formula is computed with: *big.Rat for the rational itself, or *interval.Interval.
type number[T any] interface {
	*T
	Add(x, y *T) *T
	Sub(x, y *T) *T
	Mul(x, y *T) *T
	Quo(x, y *T) *T
	Set(x *T) *T
	SetInt(x *big.Int) *T
}

// field makes numbers of one kind and precision.
type field[T any, P number[T]] struct{ zero func() P }

// rationals makes rationals.
var rationals = field[big.Rat, *big.Rat]{func() *big.Rat { return new(big.Rat) }}

// intervals makes intervals of work bits.
func intervals(work uint) field[interval.Interval, *interval.Interval] {
	return field[interval.Interval, *interval.Interval]{func() *interval.Interval { return interval.New(work) }}
}

// int returns v.
func (f field[T, P]) int(v int64) P { return f.zero().SetInt(big.NewInt(v)) }

// uint returns v.
func (f field[T, P]) uint(v uint64) P { return f.zero().SetInt(new(big.Int).SetUint64(v)) }

// ratio returns a/b.
func (f field[T, P]) ratio(a, b uint64) P { return f.zero().Quo(f.uint(a), f.uint(b)) }

// pow returns x^n, with 0^0 = 1.
func (f field[T, P]) pow(x P, n *big.Int) P {
	r := f.int(1)
	for i := n.BitLen() - 1; i >= 0; i-- {
		if r.Mul(r, r); n.Bit(i) == 1 {
			r.Mul(r, x)
		}
	}
	return r
}

// powInt returns x^n, with 0^0 = 1.
func (f field[T, P]) powInt(x P, n int) P { return f.pow(x, big.NewInt(int64(n))) }
