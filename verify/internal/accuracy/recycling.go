package accuracy

import (
	"errors"
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
	approxrecycling "github.com/bloomproof/bloomproof/approx/recycling"
	"github.com/bloomproof/bloomproof/exact"
	exactrecycling "github.com/bloomproof/bloomproof/exact/recycling"
)

// Recyclings returns a group for each recycling rule. A group is about filters for which every arrival is a new
// message. The two numbers of a group are the rate and the capacity E[N] of such a filter. The hashing is standard or
// classic. Some of the rules retain the last message of a cycle. Bit-bounded filters have one or two phases. Two-phase
// filters freeze the array before or after the last message of a cycle is recorded. Some two-phase filters have fresh
// positions, and some of these have no copy-over. Message-bounded filters have one phase, or two phases and fresh
// positions. The threshold sigma is N mod M, where M and N are fields of the type Point. A message-bounded cycle has 2
// + sigma/K messages. Before a comparison, the number of steps that package exact needs is estimated. If the estimate
// is above the argument "most", the value is not compared.
func Recyclings(most float64) []Group {
	var groups []Group
	for i, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for _, retain := range []bool{false, true} {
			keep := ""
			if retain {
				keep = " keep"
			}
			one := bloomproof.Recycling{Retain: retain}
			two := one
			two.TwoPhase = true
			before := two
			before.FreezeBefore = true
			fresh := two
			fresh.FreshPositions = true
			left := fresh
			left.NoCopyOver = true
			messages := one
			messages.Messages = 1
			pairs := fresh
			pairs.Messages = 1
			for _, x := range []struct {
				name string
				r    bloomproof.Recycling
			}{{"one", one}, {"two", two}, {"before", before}, {"fresh", fresh}, {"no copy", left}, {"messages", messages}, {"pairs", pairs}} {
				groups = append(groups, recycling([]string{"std ", "cls "}[i]+x.name+keep, h, x.r, most))
			}
		}
	}
	return groups
}

func recycling(name string, h bloomproof.Hashing, r bloomproof.Recycling, most float64) Group {
	return Group{
		Names: []string{"rate " + name, "E[N] " + name},
		Check: func(p Point, prec uint) ([]Result, error) {
			r := r
			if r.Sigma = p.N % p.M; r.Messages > 0 {
				r.Messages, r.Sigma = 2+r.Sigma/uint64(p.K), 0
			}
			g := bloomproof.Geometry{M: p.M, K: p.K, Hashing: h}
			out, err := Cycle(g, r, most, prec)
			return out[:2], err
		},
	}
}

// The function "steps" estimates how long package exact takes to compute a cycle. The unit is the time for one step of
// the Markov chain. For filters of one phase with standard hashing, the estimate includes the time for the closed form.
func steps(g bloomproof.Geometry, r bloomproof.Recycling) float64 {
	k := float64(g.K)
	if r.Messages > 0 { // as many messages as states, at worst
		return 40 * k * float64(r.Messages) * float64(r.Messages)
	}
	all := k * (float64(r.Sigma) + k*k)
	if !r.TwoPhase && hashings[g.Hashing].independent {
		all = min(all, 300*k*k)
	}
	if r.Retain && hashings[g.Hashing].independent {
		all *= 3 * k
	}
	if r.Retain && r.TwoPhase && !r.FreshPositions {
		all += k * k * k * k // for every first state and every message
	}
	return all
}

// Package exact computes with rational numbers if they are short. If a message has more than rationalK positions,
// intervals are faster than rational numbers. Suppose that package exact computes with intervals. For thresholds of up
// to chainSigma bits, the Markov chain is not slower than the closed form.
const (
	rationalK  = 16
	chainSigma = 1 << 10
)

// Cycle returns three results for a filter whose arrivals are all new. They are for the rate, for the capacity E[N] and
// for the logarithm of the rate. If the error of package approx exceeds the stated bound, Cycle returns an error. The
// function "steps" estimates how many steps package exact needs. If the estimate is above the argument "most", Cycle
// compares no values.
func Cycle(g bloomproof.Geometry, r bloomproof.Recycling, most float64, prec uint) (out [3]Result, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%v, %v: %w", g, r, err)
		}
	}()
	got, errGot := approxrecycling.New(g, r)
	want, errWant := exactrecycling.New(g, r)
	if errWant != nil {
		var invalid *bloomproof.ParamError
		if !errors.As(errGot, &invalid) {
			return out, fmt.Errorf("approx: %v, exact: %w", errGot, errWant)
		}
		return out, nil
	}
	if errors.Is(errGot, bloomproof.ErrTooCostly) {
		return out, nil
	}
	if want.Absorbing() != errors.Is(errGot, bloomproof.ErrUndefined) {
		return out, fmt.Errorf("absorbing: %t, but %v", want.Absorbing(), errGot)
	}
	if errGot != nil || steps(g, r) > most {
		return out, nil
	}
	if g.K > rationalK && r.Sigma < chainSigma {
		if want, err = want.Via(exact.Recursive); err != nil {
			return out, err
		}
	}
	for i, x := range []struct {
		got  float64
		want func(prec uint) (exact.Enclosure, error)
	}{{got.FPR(), want.FPR}, {got.Capacity(), want.Capacity}} {
		e, err := x.want(prec)
		if errors.Is(err, bloomproof.ErrTooCostly) {
			continue
		}
		if err != nil {
			return out, err
		}
		if e.Lo().Sign() == 0 {
			if x.got != 0 {
				return out, fmt.Errorf("got %v, want 0", x.got)
			}
			out[i] = Result{Defined: true, Bound: 1}
			continue
		}
		if out[i], err = within(x.got, e, 1, func(float64) float64 { return got.Bound() * 0x1p53 }); err != nil {
			return out, err
		}
		if i == 0 {
			if out[2], err = logarithm(got, e); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

// The function "logarithm" returns the error of the logarithm of a rate. Its bound is the sum of three terms. The first
// term is the error bound of the rate. The second is 4u times the logarithm. The third is the error of Ln. Here u =
// 2^-53. In the result, the error and the bound are absolute, in units of u.
func logarithm(got *approxrecycling.Cycle, rate exact.Enclosure) (Result, error) {
	ln, err := got.LogFPR()
	if err != nil {
		return Result{}, fmt.Errorf("logarithm of %v: %w", rate, err)
	}
	want := Ln(rate.Lo())
	bound := got.Bound() + 0x1p-53*(4+lnError)*math.Abs(want)
	if e := math.Abs(ln - want); !(e <= bound) {
		return Result{}, fmt.Errorf("ln f is %v, want %v; error %.3g, allowed %.3g", ln, want, e, bound)
	}
	return Result{Defined: true, Error: math.Abs(ln-want) * 0x1p53, Bound: bound * 0x1p53}, nil
}

// lnError is a bound of the relative error of Ln, in units of u = 2^-53. The function Ln computes a sum of two terms.
// The first is a value of math.Log, and the second is a product with math.Ln2. The error of math.Log is 2u. The product
// is rounded, and so is the sum. The two terms of the sum have the same sign, so each of them is at most as large as
// the result.
const lnError = 5
