// Package integer has the functions on big.Int that several formulas of package exact use.
package integer

import "math/big"

// One is the number 1. It must not be changed.
var One = big.NewInt(1)

// Uint returns x as a big.Int.
func Uint(x uint64) *big.Int { return new(big.Int).SetUint64(x) }

// Product returns n*k, the number of positions of n items. It can have up to 76 bits.
func Product(n uint64, k int) *big.Int {
	x := Uint(n)
	return x.Mul(x, big.NewInt(int64(k)))
}

// Power returns x^n.
func Power(x *big.Int, n uint64) *big.Int {
	return new(big.Int).Exp(x, new(big.Int).SetUint64(n), nil)
}

// Binomial returns the binomial coefficient C(x, r) for r >= 0.
func Binomial(x uint64, r int) *big.Int {
	z := big.NewInt(1)
	f := new(big.Int)
	for i := range r {
		if x < uint64(i) {
			return z.SetInt64(0)
		}
		z.Mul(z, f.SetUint64(x-uint64(i)))
		z.Quo(z, f.SetUint64(uint64(i)+1))
	}
	return z
}

// BinomialRow returns the binomial coefficients C(k,0)..C(k,k).
func BinomialRow(k int) []*big.Int {
	w := []*big.Int{big.NewInt(1)}
	f := new(big.Int)
	for j := 1; j <= k; j++ {
		x := new(big.Int).Mul(w[j-1], f.SetInt64(int64(k-j+1)))
		x.Quo(x, f.SetInt64(int64(j)))
		w = append(w, x)
	}
	return w
}
