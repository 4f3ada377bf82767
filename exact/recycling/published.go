package recycling

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/enclose"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// FPRPrinted returns the rate by the formulas of Dozier-FP as they are printed. It differs from FPR in these cases:
//
//   - With classic hashing, pi_i is 0 for i < k, also without retaining (the text after equation (15)).
//   - With retaining, equations (10) and (14) insert another message than the triggering message after a recycle.
//   - With two phases, equation (26) gives the rate 1 - (1-f1) (1 - sum of F_i rho(i)). Here F_i is the value of
//     equations (24) and (25), which do not count the bits of the triggering message. The equation is the same for all
//     kinds of positions, with and without copy-over.
//
// In the first two cases, the printed formulas use the states of a cycle that begins without a retained message. The
// first arrival of the cycle is an exception.
//
// Source: Dozier-FP, equations (15) to (18) and (24) to (26).
// Domain: the bit-bounded rule. In two cases the formulas are contradictory, and the error is ErrUndefined. In the
// first case, sigma is less than 2k and the filter retains the triggering message. Equation (16) then counts states
// twice. In the second case, hashing is classic and sigma is less than k. Then no state remains.
// Error, Cost: the same as for FPR with one phase.
// Errors: *bloomproof.ParamError; ErrUndefined; ErrTooCostly.
func (c *Cycle) FPRPrinted(prec uint) (exact.Enclosure, error) {
	base, err := c.printed(prec)
	if err != nil {
		return exact.Enclosure{}, err
	}
	k := uint64(c.g.K)
	switch {
	case c.r.Retain && c.r.Sigma < 2*k:
		return exact.Enclosure{}, refuse.Undefined("printed rate", "(16) counts states twice for sigma < 2k")
	case c.g.avoided == 1 && c.r.Sigma < k:
		return exact.Enclosure{}, refuse.Undefined("printed rate", "distinct positions leave no state for sigma < k")
	}
	if base.short() {
		f, err := printedRate(field.Rationals, c, base, base.runRational)
		if err != nil {
			return exact.Enclosure{}, err
		}
		return enclose.Rational(f, prec), nil
	}
	if !base.reaches(1 + c.g.placed(c.g.K-1)) { // sigma = 0 with standard hashing: no arrival finds its positions set
		return enclose.Int(0, prec), nil
	}
	base = base.chosen(c.r.Sigma, prec)
	return enclose.Probability(enclose.ZivErr(prec, prec+base.guard(c.r.Sigma), func(work uint) (*interval.Interval, error) {
		return printedRate(field.Intervals(work), c, base, base.runAt(work))
	}))
}

// printedRate computes the result of FPRPrinted. The argument f determines whether it computes with intervals or with
// rationals. The argument "base" is the Cycle on which the printed formulas are based. The function "run" returns
// expected numbers for this Cycle.
func printedRate[T any, P field.Number[T]](f field.Of[T, P], c, base *Cycle, run sums[P]) (P, error) {
	edge := base.edge()
	s, err := overCycle(f, base, edge, run)
	if err != nil {
		return nil, err
	}
	if c.r.Retain || c.g.avoided == 1 {
		s[total].Sub(s[total], f.Int(1)) // only the first arrival finds state 0
	}
	active := s[repeats]
	active.Quo(active, s[total])
	if !c.r.TwoPhase {
		return active, nil
	}
	frozen, all, t := f.Int(0), f.Int(0), f.Zero()
	for i, b := range edge {
		tau := transitions(f, c.g, b, c.g.K)
		end := f.Int(0)
		for d := range tau {
			if b+uint64(d) > c.r.Sigma {
				end.Add(end, tau[d])
			}
		}
		end.Mul(end, s[visits+i])
		all.Add(all, end)
		frozen.Add(frozen, t.Mul(end, tau[0]))
	}
	frozen.Quo(frozen, all)
	t.Sub(f.Int(1), active)
	t.Mul(t, frozen)
	return active.Add(active, t), nil
}

// CapacityPrinted returns E[N_0] by equations (22) and (23) of Dozier-FP as they are printed. In these formulas, N_b is
// 0 for b >= sigma. It should be 0 only for b > sigma. The formulas also assume that every cycle begins with an empty
// array. So the result is the capacity of another filter. This filter does not retain the triggering message. Its
// threshold is sigma-1 instead of sigma. For sigma = 0 the result is 0.
//
// Source: Dozier-FP, equations (20) to (23).
// Domain: the bit-bounded rule.
// Error, Cost: the same as for Capacity with one phase.
// Errors: *bloomproof.ParamError; ErrTooCostly.
func (c *Cycle) CapacityPrinted(prec uint) (exact.Enclosure, error) {
	base, err := c.printed(prec)
	if err != nil {
		return exact.Enclosure{}, err
	}
	if c.r.Sigma == 0 {
		return enclose.Int(0, prec), nil
	}
	base.r.Sigma--
	return base.Capacity(prec)
}

// The method "printed" returns the Cycle on which the printed formulas for c are based. This Cycle has one phase and
// does not retain the triggering message.
func (c *Cycle) printed(prec uint) (*Cycle, error) {
	if err := c.bitBounded(); err != nil {
		return nil, err
	}
	return &Cycle{g: c.g, r: bloomproof.Recycling{Sigma: c.r.Sigma}, route: c.route}, precision.Check(prec)
}
