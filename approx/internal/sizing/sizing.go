// Package sizing has functions that all searches for the best parameters of a filter use. One function is a bisection
// that begins at a guess. Another function improves a guess by a secant method. The others check arguments.
package sizing

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// Check validates the geometry and the target rate of a search. M = 0 means any m, and K = 0 means the best k.
func Check(g bloomproof.Geometry, p float64) error {
	if err := fault.Part(); err != nil {
		return err
	}
	if g.K < 0 || g.K > bloomproof.MaxK {
		return &bloomproof.ParamError{Param: "k", Value: g.K, Want: fmt.Sprintf("between 1 and %d, or 0 for the best", bloomproof.MaxK)}
	}
	if !(p > 0 && p < 1) {
		return &bloomproof.ParamError{Param: "p", Value: p, Want: "between 0 and 1, exclusive"}
	}
	g.K = max(g.K, 1)
	if g.M == 0 {
		g.M = uint64(g.K)
		if g.Block != 0 {
			g.M = g.Block
		}
	}
	return g.Validate()
}

// LastTrue returns the last x of [low, high] for which the function "ok" returns true. At the lower end of this
// interval, the function must return true. If it returns false for some x, it must return false for all larger x. The
// search starts at the argument "guess" with steps that double, and continues by bisection.
func LastTrue(low, high uint64, guess float64, ok func(uint64) bool) uint64 {
	x := high
	if guess < float64(high) {
		x = uint64(max(guess, float64(low)))
	}
	x = min(max(x, low), high)
	if x == low || ok(x) {
		for low = x; ; {
			step := uint64(1)
			for high-low > step && ok(low+step) {
				low += step
				step *= 2
			}
			if step == 1 {
				if high-low == 1 && ok(high) {
					return high
				}
				return low
			}
		}
	}
	for step := uint64(1); ; step *= 2 {
		high = x // ok(x) is false
		if x-low <= step {
			break
		}
		if x -= step; ok(x) {
			low = x
			break
		}
	}
	for high-low > 1 {
		if mid := low + (high-low)/2; ok(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// Outward returns the integers from 1 to most, ordered by their distance from start.
func Outward(start, most int) []int {
	all := []int{start}
	for d := 1; len(all) < most; d++ {
		if start-d >= 1 {
			all = append(all, start-d)
		}
		if start+d <= most {
			all = append(all, start+d)
		}
	}
	return all
}

// Meet improves an approximate solution x of the equation f(x) = p. It takes some steps of the secant method for ln
// f(z) as a function of ln z, starting from z = x. It stops early if a z is not in [1, 2^63], or if f(z) is 0. LastTrue
// uses the result as a guess.
func Meet(x, p float64, f func(float64) float64) float64 {
	const (
		low, high = 1, 0x1p63
		steps     = 5   // each step multiplies the number of correct digits by 1.6, from one to more than ten
		first     = 0.1 // the largest change of ln x in the first step
	)
	at := func(x float64) (u, v float64) { return fm.Log(x), fm.Log(f(x) / p) }
	if !(x >= low && x <= high/2) {
		return x
	}
	u, v := at(x)
	next := x * fm.Exp(max(-first, min(first, -v)))
	for range steps {
		if !(next >= low && next <= high) || fm.IsInf(v) {
			break
		}
		x = next
		u1, v1 := at(x)
		if v1 == v || u1 == u || v1 == 0 {
			break
		}
		next = fm.Exp(u1 - v1*(u1-u)/(v1-v))
		u, v = u1, v1
	}
	return x
}
