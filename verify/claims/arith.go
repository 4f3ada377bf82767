package claims

import (
	"errors"
	"math"
	"math/big"
)

// This file computes with rational numbers, directly by the definitions. Nothing is fast, and everything is exact.

func rat(p, q int) *big.Rat { return big.NewRat(int64(p), int64(q)) }
func whole(n int) *big.Rat  { return new(big.Rat).SetInt64(int64(n)) }

func add(x, y *big.Rat) *big.Rat { return new(big.Rat).Add(x, y) }
func sub(x, y *big.Rat) *big.Rat { return new(big.Rat).Sub(x, y) }
func mul(x, y *big.Rat) *big.Rat { return new(big.Rat).Mul(x, y) }
func quo(x, y *big.Rat) *big.Rat { return new(big.Rat).Quo(x, y) }

// pow returns x^n for any n >= 0, with 0^0 = 1.
func pow(x *big.Rat, n int) *big.Rat {
	e := big.NewInt(int64(n))
	num := new(big.Int).Exp(x.Num(), e, nil)
	den := new(big.Int).Exp(x.Denom(), e, nil)
	return new(big.Rat).SetFrac(num, den)
}

func ipow(x, n int) *big.Rat { return pow(whole(x), n) }

// sum returns the sum of f(i) over i = lo to hi.
func sum(lo, hi int, f func(i int) *big.Rat) *big.Rat {
	s := new(big.Rat)
	for i := lo; i <= hi; i++ {
		s.Add(s, f(i))
	}
	return s
}

// product returns the product of f(i) over i = lo to hi.
func product(lo, hi int, f func(i int) *big.Rat) *big.Rat {
	s := whole(1)
	for i := lo; i <= hi; i++ {
		s.Mul(s, f(i))
	}
	return s
}

// sign returns (-1)^i.
func sign(i int) *big.Rat {
	if i%2 == 0 {
		return whole(1)
	}
	return whole(-1)
}

// fall returns the falling factorial x (x-1) ... (x-r+1).
func fall(x *big.Rat, r int) *big.Rat {
	return product(0, r-1, func(i int) *big.Rat { return sub(x, whole(i)) })
}

func ifall(x, r int) *big.Rat { return fall(whole(x), r) }

// rise returns the rising factorial x (x+1) ... (x+r-1).
func rise(x *big.Rat, r int) *big.Rat {
	return product(0, r-1, func(i int) *big.Rat { return add(x, whole(i)) })
}

func fact(n int) *big.Rat { return ifall(n, n) }

// choose returns x (x-1) ... (x-r+1)/r! for real x and r >= 0, and 0 for r < 0.
func choose(x *big.Rat, r int) *big.Rat {
	if r < 0 {
		return new(big.Rat)
	}
	return quo(fall(x, r), fact(r))
}

func ichoose(n, r int) *big.Rat {
	if r < 0 {
		return new(big.Rat)
	}
	return new(big.Rat).SetInt(new(big.Int).Binomial(int64(n), int64(r)))
}

// stirling returns S(n,i), a Stirling number of the second kind, by the recursion of these numbers.
func stirling(n, i int) *big.Rat {
	if i < 0 || i > n {
		return new(big.Rat)
	}
	return new(big.Rat).SetInt(stirlingRow(n)[i])
}

// stirlingRow returns the list S(n,0) to S(n,n).
func stirlingRow(n int) []*big.Int {
	row := []*big.Int{big.NewInt(1)} // the row of n = 0: S(0,0)
	for r := 1; r <= n; r++ {
		next := make([]*big.Int, r+1)
		next[0] = new(big.Int)
		for j := 1; j <= r; j++ {
			next[j] = new(big.Int).Set(row[j-1])
			if j < r {
				next[j].Add(next[j], new(big.Int).Mul(big.NewInt(int64(j)), row[j]))
			}
		}
		row = next
	}
	return row
}

// nabla returns the r-th backward difference of f at x. It applies the definition of the difference, f(x) - f(x-1), r
// times.
func nabla(r int, f func(x int) *big.Rat, x int) *big.Rat {
	values := make([]*big.Rat, r+1) // begins as f(x), f(x-1), ...
	for i := range values {
		values[i] = f(x - i)
	}
	for ; r > 0; r-- {
		for i := range r {
			values[i] = sub(values[i], values[i+1])
		}
	}
	return values[0]
}

// delta returns the r-th forward difference of f at x.
func delta(r int, f func(x int) *big.Rat, x int) *big.Rat { return nabla(r, f, x+r) }

// first returns the first error that is not nil.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// hyper returns the generalised hypergeometric series with whole parameters at z. The series must end: some term must
// be 0 before a lower parameter makes a term infinite.
func hyper(upper, lower []int, z *big.Rat) (*big.Rat, error) {
	total, term := new(big.Rat), whole(1)
	for j := 0; term.Sign() != 0; j++ {
		if j > 10000 {
			return nil, errors.New("the series does not end")
		}
		total.Add(total, term)
		for _, a := range upper {
			term = mul(term, whole(a+j))
		}
		term = mul(term, quo(z, whole(j+1)))
		if term.Sign() == 0 {
			break
		}
		for _, b := range lower {
			if b+j == 0 {
				return nil, errors.New("a lower parameter ends the series first")
			}
			term = quo(term, whole(b+j))
		}
	}
	return total, nil
}

// gap returns (large - small)/|large|, which is at least 0 if and only if small <= large.
func gap(small, large *big.Rat) float64 {
	d := sub(large, small)
	if d.Sign() == 0 || large.Sign() == 0 {
		return float64(d.Sign())
	}
	x, _ := d.Quo(d, new(big.Rat).Abs(large)).Float64()
	if x == 0 {
		return float64(sub(large, small).Sign()) * math.SmallestNonzeroFloat64
	}
	return x
}

// strictGap returns gap(small, large) if the two numbers differ, and a negative number if they are equal.
func strictGap(small, large *big.Rat) float64 {
	if x := gap(small, large); x != 0 {
		return x
	}
	return -math.SmallestNonzeroFloat64
}
