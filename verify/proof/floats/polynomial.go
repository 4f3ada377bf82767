package main

import (
	"maps"
	"math/big"
	"slices"
	"strings"
)

// A polynomial has a coefficient for each product of variables. The key of a product is the sorted list of its
// variables, separated by spaces: "r r t" stands for r^2 t.
type polynomial map[string]*big.Rat

// The type "ideal" is the arithmetic without rounding. Its values are polynomials. Their variables have values at the
// beginning of the interpreted function.
type ideal struct{ sums *int }

func variable(name string) polynomial { return polynomial{name: big.NewRat(1, 1)} }

func (ideal) number(x float64) polynomial {
	if x == 0 {
		return polynomial{}
	}
	return polynomial{"": new(big.Rat).SetFloat64(x)}
}

func (ideal) add(x, y polynomial) polynomial {
	z := maps.Clone(x)
	for k, v := range y {
		c := new(big.Rat).Set(v)
		if w, ok := z[k]; ok {
			c.Add(c, w)
		}
		if z[k] = c; c.Sign() == 0 {
			delete(z, k)
		}
	}
	return z
}

func (ideal) neg(x polynomial) polynomial {
	z := polynomial{}
	for k, v := range x {
		z[k] = new(big.Rat).Neg(v)
	}
	return z
}

func (i ideal) mul(x, y polynomial) polynomial {
	z := polynomial{}
	for k, v := range x {
		for l, w := range y {
			names := append(strings.Fields(k), strings.Fields(l)...)
			slices.Sort(names)
			z = i.add(z, polynomial{strings.Join(names, " "): new(big.Rat).Mul(v, w)})
		}
	}
	return z
}

func (ideal) quo(x, y polynomial) polynomial {
	c, ok := y[""]
	if !ok || len(y) != 1 {
		panic(stop("a polynomial is divided by another"))
	}
	z := polynomial{}
	for k, v := range x {
		z[k] = new(big.Rat).Quo(v, c)
	}
	return z
}

// The method "sum" returns x + y as a sum of two terms. The first is a new variable hi. The second is lo = x + y - hi.
// If a result depends only on hi + lo, the variable cancels. Otherwise it remains in the result.
func (i ideal) sum(x, y polynomial) (hi, lo polynomial) {
	*i.sums++
	hi = variable("sum" + strings.Repeat("'", *i.sums))
	return hi, i.add(i.add(x, y), i.neg(hi))
}
