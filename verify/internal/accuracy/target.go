package accuracy

import (
	"errors"
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/approx/fnr"
	approxrecycling "github.com/bloomproof/bloomproof/approx/recycling"
	"github.com/bloomproof/bloomproof/exact"
	exactfnr "github.com/bloomproof/bloomproof/exact/fnr"
	exactrecycling "github.com/bloomproof/bloomproof/exact/recycling"
)

// Args are the arguments of a Target. The field Which selects a hashing, a kind of bound, or a rule.
type Args struct {
	M, N, Sigma uint64
	K, Which    int
}

// String returns the arguments as a row of a table.
func (a Args) String() string {
	return fmt.Sprintf("{%d, %d, %d, %d, %d}", a.M, a.N, a.Sigma, a.K, a.Which)
}

// A Target is an exported function that states an error bound. It belongs to package approx or to a package in a folder
// of approx.
type Target struct {
	Name  string // the name in the list of TestEveryErrorHasATarget
	Small bool   // true if exact is fast for small filters only
	Kinds int    // the number of different values of Which, if each is to be tried in the corners of the others
	// Share returns the error as a share of the stated bound, or 0 if there is nothing to compare.
	Share func(a Args) (float64, error)
}

// attackPrec is the precision of the witnesses in bits: their enclosures have a relative width of at most 2^-70. This
// is far below the smallest stated error bound. The smallest bound is 2u, where u = 2^-53.
const attackPrec = 70

// ofGroups returns a function that checks one number of a group. The argument "number" is the index of this number in
// the group. The result of the check is the error of this number as a share of its error bound. The field Which selects
// the group.
func ofGroups(number int, groups ...Group) func(a Args) (float64, error) {
	return func(a Args) (float64, error) {
		g := groups[a.Which%len(groups)]
		results, err := g.Check(Point{a.M, a.N, a.K}, attackPrec)
		if err != nil {
			return math.Inf(1), err
		}
		return results[min(number, len(results)-1)].share(), nil
	}
}

// The method "share" returns the error as a share of its bound, or 0 if there is no relative error.
func (r Result) share() float64 {
	if !r.Defined {
		return 0
	}
	return r.Error / r.Bound
}

// A function may have no value for its arguments. The function "refused" reports whether the error err has this
// meaning.
func refused(err error) bool {
	return noForecast(err) || errors.Is(err, bloomproof.ErrRange) || errors.Is(err, exact.ErrPrecision)
}

// The function "share" returns the relative error of got as a share of the argument "bound". The true value lies in the
// enclosure "want". For numbers below 2^-1000 the share is 0.
func share(got float64, want exact.Enclosure, bound float64) (float64, error) {
	return shareAbove(0x1p-1000, got, want, bound)
}

// The function shareAbove differs from the function "share" in one way: the number may also have an absolute error. If
// the number is below the argument "least", the absolute error can be the larger one. In that case, shareAbove returns
// 0 if got is at most 2*least, and otherwise an error.
func shareAbove(least, got float64, want exact.Enclosure, bound float64) (float64, error) {
	if want.Lo().Sign() == 0 || want.Float64() < least {
		if got > 2*least {
			return math.Inf(1), fmt.Errorf("got %v, want %v", got, want)
		}
		return 0, nil
	}
	x := wide(0).Sub(wide(got), want.Lo())
	off, _ := x.Quo(x, want.Lo()).Float64()
	s := math.Abs(off) / bound
	if !(s <= 1) {
		return math.Inf(1), fmt.Errorf("got %v, want %v: off by %.3g, stated are %.3g", got, want, off, bound)
	}
	return s, nil
}

// The number "got" is a result of approx, and the enclosure "want" is a result of exact. The function "pair" compares
// the two. If one of the packages refuses the arguments, there is nothing to compare. The function "pair" then returns
// 0. Other errors are returned.
func pair(got float64, err error, want exact.Enclosure, errWant error, bound float64) (float64, error) {
	switch {
	case err != nil && refused(err), errWant != nil && refused(errWant):
		return 0, nil
	case err != nil:
		return math.Inf(1), err
	case errWant != nil:
		return math.Inf(1), errWant
	}
	return share(got, want, bound)
}

// Targets returns all targets.
func Targets() []Target {
	var rates, bits, bounds, entropy []Group
	for _, h := range rateHashings {
		rates, bits = append(rates, Rate(h)), append(bits, SetBits(h))
	}
	for _, g := range Bounds() {
		if g.Names[0] == "EntropyPerBit" {
			entropy = append(entropy, g)
		} else {
			bounds = append(bounds, g)
		}
	}
	geometry := func(a Args) bloomproof.Geometry {
		return bloomproof.Geometry{M: a.M, K: a.K, Hashing: rateHashings[a.Which%3]}
	}
	logError := func(g bloomproof.Geometry) float64 { return 2*RateBound(g) + 4 }
	rateAt := func(o approx.Optimum) (float64, error) {
		if o.N == 0 || o.Rate > 0.999 {
			return 0, nil
		}
		want, _, err := exact.FPR(o.Geometry, o.N, attackPrec, exact.Auto)
		return pair(o.Rate, nil, want, err, RateBound(o.Geometry)*u)
	}
	return []Target{
		{Name: "approx.FPR", Share: ofGroups(0, rates...)},
		{Name: "approx.Complement", Share: ofGroups(1, rates...)},
		{Name: "approx.LogFPR", Share: ofGroups(2, rates...)},
		{Name: "approx.Bound", Share: ofGroups(0, bounds...)},
		{Name: "approx.Exponential", Share: func(a Args) (float64, error) {
			g := geometry(a)
			got, gap, err := approx.Exponential(g, a.N)
			if refused(err) || math.IsInf(gap, 1) || a.N == 0 {
				return 0, nil
			}
			want, _, errWant := exact.FPR(g, a.N, attackPrec, exact.Auto)
			if err == nil && errWant == nil {
				// The function approx.Exponential returns the error relative to the approximation. The function "pair"
				// needs the error relative to the exact rate.
				x, _ := wide(0).Quo(wide(got), want.Lo()).Float64()
				gap *= x
			}
			return pair(got, err, want, errWant, gap)
		}},
		{Name: "approx.EntropyPerBit", Share: ofGroups(0, entropy...)},
		{Name: "approx.SetBitsMean", Share: ofGroups(0, bits...)},
		{Name: "approx.SetBitsVariance", Share: ofGroups(1, bits...)},
		{Name: "approx.CorrectRate", Share: ofGroups(0, CorrectRate(bloomproof.Distinct), CorrectRate(bloomproof.Literal))},
		{Name: "approx.Efficiency", Share: func(a Args) (float64, error) {
			got, err := approx.Efficiency(geometry(a), a.N)
			want, errWant := exact.Efficiency(geometry(a), a.N, attackPrec)
			if err != nil || errWant != nil || want.Lo().Sign() <= 0 {
				return pair(got, err, want, errWant, 1)
			}
			r, err := between(got, want.Lo(), want.Hi(), nearest, logError(geometry(a))+5)
			if err != nil {
				return math.Inf(1), err
			}
			return r.share(), nil
		}},
		{Name: "approx.EstimateItems", Share: func(a Args) (float64, error) {
			set := a.N
			if set > a.M {
				set %= a.M + 1
			}
			got, err := approx.EstimateItems(geometry(a), set)
			want, errWant := exact.EstimateItems(geometry(a), set, attackPrec)
			return pair(got, err, want, errWant, 4*u)
		}},
		{Name: "approx.PeakEfficiency", Small: true, Share: func(a Args) (float64, error) {
			got, _, err := approx.PeakEfficiency(geometry(a))
			want, errWant := exact.PeakEfficiency(geometry(a), attackPrec)
			return pair(got, err, want.Efficiency, errWant, logError(geometry(a))*u+0x1p-50)
		}},
		{Name: "approx.OptimalK", Small: true, Share: func(a Args) (float64, error) {
			g := geometry(a)
			g.K = 0
			o, err := approx.OptimalK(g, a.N)
			if err != nil {
				return pair(0, err, exact.Enclosure{}, nil, 1)
			}
			return rateAt(o)
		}},
		{Name: "approx.MostItems", Small: true, Share: func(a Args) (float64, error) {
			o, err := approx.MostItems(geometry(a), target(a))
			if err != nil {
				return pair(0, err, exact.Enclosure{}, nil, 1)
			}
			return rateAt(o)
		}},
		{Name: "approx.LeastBits", Small: true, Share: func(a Args) (float64, error) {
			g := geometry(a)
			g.M = 0
			o, err := approx.LeastBits(g, a.N%1e4+1, target(a))
			if err != nil {
				return pair(0, err, exact.Enclosure{}, nil, 1)
			}
			return rateAt(o)
		}},
		{Name: "recycling.Cycle.FPR", Small: true, Kinds: 2 * len(Rules()), Share: ofCycle(0)},
		{Name: "recycling.Cycle.Capacity", Small: true, Kinds: 2 * len(Rules()), Share: ofCycle(1)},
		{Name: "recycling.Cycle.LogFPR", Small: true, Kinds: 2 * len(Rules()), Share: ofCycle(2)},
		{Name: "recycling.Cycle.State", Small: true, Kinds: stateKinds, Share: func(a Args) (float64, error) {
			return ofState(a, func(c *approxrecycling.Cycle, x *exactrecycling.Cycle, g bloomproof.Geometry, r bloomproof.Recycling, b uint64) (float64, error) {
				got, err := c.State(b)
				want, errWant := x.State(b, attackPrec)
				bound := (22*float64(g.K)+20)*u*float64(b+1) + c.Bound() + 0x1p-46
				if own := hashings[g.Hashing].independent && r.Retain && !r.FreshPositions; own {
					bound = max(bound, StateBound(g, r))
				}
				return faint(got, err, want, errWant, bound)
			})
		}},
		{Name: "recycling.Cycle.MessagesFrom", Small: true, Share: func(a Args) (float64, error) {
			return ofState(a, func(c *approxrecycling.Cycle, x *exactrecycling.Cycle, g bloomproof.Geometry, r bloomproof.Recycling, b uint64) (float64, error) {
				got, err := c.MessagesFrom(b)
				want, errWant := x.MessagesFrom(b, attackPrec)
				return pair(got, err, want, errWant, max((8*float64(g.K)+12)*u*float64(r.Sigma-b+1), 0x1p-46))
			})
		}},
		{Name: "recycling.Cycle.Frozen", Small: true, Kinds: stateKinds, Share: func(a Args) (float64, error) {
			return ofState(a, func(c *approxrecycling.Cycle, x *exactrecycling.Cycle, g bloomproof.Geometry, r bloomproof.Recycling, b uint64) (float64, error) {
				before := a.Which/2%2 == 0
				i := r.Sigma - min(r.Sigma, b%uint64(g.K+1))
				if !before {
					i = r.Sigma + 1 + b%uint64(g.K)
				}
				if i > g.M {
					return 0, nil
				}
				got, err := c.Frozen(i, before)
				want, errWant := x.Frozen(i, before, attackPrec)
				return faint(got, err, want, errWant, (12*float64(g.K)+4)*u+StateBound(g, r))
			})
		}},
		{Name: "recycling.NaiveRate", Small: true, Share: func(a Args) (float64, error) {
			g := bloomproof.Geometry{M: a.M, K: a.K}
			n := a.N%400 + 1
			got, err := approxrecycling.NaiveRate(g, n, []approxrecycling.Naive{"worst", "oracle", "average"}[a.Which%3])
			x, errWant := exactrecycling.New(g, bloomproof.Recycling{Messages: n})
			if errWant != nil {
				return pair(got, err, exact.Enclosure{}, errWant, 1)
			}
			want, errWant := []func(uint) (exact.Enclosure, error){x.Worst, x.Oracle, x.Average}[a.Which%3](attackPrec)
			ln := 0.0
			if errWant == nil && want.Lo().Sign() > 0 {
				ln = math.Abs(Ln(want.Lo()))
			}
			return pair(got, err, want, errWant, (100+(30+8*math.Log(float64(a.K)))*ln)*u)
		}},
		{Name: "recycling.NaiveMessages", Small: true, Share: func(a Args) (float64, error) {
			g, p := bloomproof.Geometry{M: a.M, K: a.K}, target(a)
			o, err := approxrecycling.NaiveMessages(g, "worst", false, p)
			if err != nil || o.N == 0 {
				return pair(0, err, exact.Enclosure{}, nil, 1)
			}
			want, errWant := exact.Bound(bloomproof.BoundBloom, g, o.N, attackPrec)
			return pair(o.Rate, nil, want, errWant, (100-(30+8*math.Log(float64(a.K)))*math.Log(o.Rate))*u)
		}},
		{Name: "recycling.MostMessages", Small: true, Share: ofOptimum(func(a Args, g bloomproof.Geometry) (approxrecycling.Optimum, error) {
			return approxrecycling.MostMessages(g, bloomproof.Recycling{}, target(a))
		})},
		{Name: "recycling.LeastBits", Small: true, Share: ofOptimum(func(a Args, g bloomproof.Geometry) (approxrecycling.Optimum, error) {
			g.M = 0
			return approxrecycling.LeastBits(g, a.N%200+1, bloomproof.Recycling{}, target(a))
		})},
		{Name: "fnr.System.Predict", Small: true, Share: ofForecast},
		{Name: "fnr.System.Absorbing", Small: true, Share: func(a Args) (float64, error) {
			g, r, w := lasting(a)
			c, err := fnr.New(g, r, w)
			if err != nil {
				return 0, nil
			}
			got, err := c.Absorbing()
			want, errWant := absorbing(g, r, w)
			if refused(err) || errWant != nil {
				return 0, nil
			}
			d := float64(w.Popularity.D)
			return shareAbove(0x1p-20, got, want, (8*float64(g.K)+8)*(d+1)*u+0x1p-50)
		}},
	}
}

// The function "target" returns a target rate between 0.9*10^-6 and 0.9. The fields N and Which of the arguments select
// it.
func target(a Args) float64 { return 0.9 * math.Pow(10, -float64((a.N+uint64(a.Which)*7)%61)/10) }

// The function "rule" returns a shape and a recycling rule. The arguments describe the shape. The field Which selects
// the rule.
func rule(a Args) (bloomproof.Geometry, bloomproof.Recycling) {
	rules := Rules()
	g := bloomproof.Geometry{M: a.M, K: a.K, Hashing: cycleHashings[a.Which%2]}
	return g, WithThreshold(rules[a.Which/2%len(rules)], g, a.Sigma)
}

// The function Cycle computes three results for a recycling filter. The argument "number" selects one of them. The
// function ofCycle returns a function. That function computes the error of the selected result as a share of its bound.
func ofCycle(number int) func(a Args) (float64, error) {
	const most = 5e3 // steps of exact; more are allowed if the filter is unusual
	return func(a Args) (float64, error) {
		g, r := rule(a)
		if r.Validate(g) != nil {
			return 0, nil
		}
		steps := most
		if a.Sigma < uint64(a.K) {
			steps = 3e5
		}
		results, err := Cycle(g, r, steps, attackPrec)
		if err != nil {
			return math.Inf(1), err
		}
		if x := results[number]; x.Defined {
			return x.Error / x.Bound, nil
		}
		return 0, nil
	}
}

// The function "faint" compares a probability in the same way as the function "pair". But if the probability is below
// 2^-900, approx may return 0.
func faint(got float64, err error, want exact.Enclosure, errWant error, bound float64) (float64, error) {
	if err == nil && errWant == nil {
		return shareAbove(0x1p-900, got, want, bound)
	}
	return pair(got, err, want, errWant, bound)
}

// StateBound returns an error bound for a single state of a cycle. It is the bound that the method Cycle.Frozen states,
// without the part (12k+4)u. Let u = 2^-53. Each state on a path adds (22k+20)u to the error of the path. Suppose that
// the positions are fixed and a message is retained. This message has a random number of distinct positions, at most k.
// Some of these numbers are probable, and the others are rare. If a cycle begins with a rare number, a path can follow
// this cycle. Let e be the error of one path. Each probable number adds at most 2e to the bound. Each rare number adds
// at most e. The last path also adds e. So the paths add at most (2k+2)e in total. The probability that a state ends a
// cycle adds less than the error of one state. The threshold sigma is at least 1. So StateBound uses 4(k+1) times the
// error of one path.
func StateBound(g bloomproof.Geometry, r bloomproof.Recycling) float64 {
	k := float64(g.K)
	if r.Sigma >= 1<<25 {
		return 0x1p-47 // no chain
	}
	path := (22*k + 20) * u * float64(r.Sigma+1)
	if r.Retain && !r.FreshPositions && hashings[g.Hashing].independent {
		path *= 4 * (k + 1)
	}
	return max(path, 0x1p-47)
}

// stateKinds is the number of kinds of filters that ofState distinguishes. There are two hashings, two ways to freeze,
// four rules and five sizes.
const stateKinds = 2 * 2 * 4 * 5

// ofState calls the function "compare" for a bit-bounded filter of one phase. The filter is in a state with b set bits.
// The function "compare" returns the error of a number as a share of its bound. This is also the result of ofState. The
// field Which selects the kind of filter. Filters that retain a message have few positions, because exact takes long
// for them. Their threshold is at least k. The number of bits is x 2^j, where x is below 1000 and j is at most 40. So
// for some filters, almost no cycle reaches the state with b set bits. Other filters are so large that approx uses
// closed formulas instead of a Markov chain. For single states, the closed formulas hold only from some threshold on.
// Some of these large filters have a threshold below this one, and some have a threshold above it.
func ofState(a Args, compare func(c *approxrecycling.Cycle, x *exactrecycling.Cycle, g bloomproof.Geometry, r bloomproof.Recycling, b uint64) (float64, error)) (float64, error) {
	g := bloomproof.Geometry{M: a.M, K: a.K, Hashing: cycleHashings[a.Which%2]}
	r := bloomproof.Recycling{Sigma: a.Sigma}
	rule, size := a.Which/4%4, a.Which/16%5
	switch rule {
	case 1, 2: // retains
		r.Retain, r.FreshPositions = true, rule == 2
		g.K = 1 + a.K%7
		g.M = max(a.M%1000, uint64(g.K)+1) << (10 * size)
		r.Sigma = min(uint64(g.K)+a.Sigma%16, g.M-1)
	case 3: // no chain
		g.Hashing, g.K = cycleHashings[0], 1+a.K%4
		g.M = 1<<(52+2*size) + a.M
		r.Sigma = uint64(math.Sqrt(float64(g.M)) * float64(g.K) * float64(1+a.N%80) / 16)
		r.Sigma = max(r.Sigma, 1<<25)
	}
	if r.Validate(g) != nil {
		return 0, nil
	}
	c, err := approxrecycling.New(g, r)
	if err != nil || steps(g, r) > 1e4 {
		return 0, nil
	}
	x, err := exactrecycling.New(g, r)
	if err != nil {
		return math.Inf(1), err
	}
	return compare(c, x, g, r, a.N%(r.Sigma+1))
}

// ofOptimum returns a function that calls the function "find". This function searches for a filter and returns its
// rate. The returned function compares this rate with the exact rate of the filter.
func ofOptimum(find func(a Args, g bloomproof.Geometry) (approxrecycling.Optimum, error)) func(a Args) (float64, error) {
	return func(a Args) (float64, error) {
		g := bloomproof.Geometry{M: a.M, K: a.K, Hashing: cycleHashings[a.Which%2]}
		o, err := find(a, g)
		if err != nil {
			return pair(0, err, exact.Enclosure{}, nil, 1)
		}
		g.M, g.K = o.M, o.K
		r := bloomproof.Recycling{Sigma: o.Sigma}
		c, err := approxrecycling.New(g, r)
		if err != nil || steps(g, r) > 1e4 {
			return 0, nil
		}
		x, err := exactrecycling.New(g, r)
		if err != nil {
			return math.Inf(1), err
		}
		want, err := x.FPR(attackPrec)
		return pair(o.Rate, nil, want, err, c.Bound())
	}
}

// The function "lasting" returns a filter, its rule and a workload. The workload has few messages, and no new message
// ever arrives.
func lasting(a Args) (bloomproof.Geometry, bloomproof.Recycling, bloomproof.Workload) {
	g := bloomproof.Geometry{M: a.M, K: a.K}
	d := a.N%12 + 2
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(float64(a.Which%4)/2, d), Repeat: 1}
	return g, bloomproof.Recycling{Sigma: a.Sigma, FreshPositions: true}, w
}

// A cycle never ends if all D messages of the workload together set at most sigma bits. The function "absorbing"
// returns the probability of this event.
func absorbing(g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload) (exact.Enclosure, error) {
	l, err := exact.Union(g.M, []exact.Committees{{Size: 1, Count: w.Popularity.D * uint64(g.K)}})
	if err != nil {
		return exact.Enclosure{}, err
	}
	return l.CDF(r.Sigma, attackPrec)
}

// ofForecast is for workloads of few messages. It compares the forecast of the exact model with the rates from package
// exact. The forecast states its own error bound.
func ofForecast(a Args) (float64, error) {
	g, r, w := lasting(a)
	if a.Which/4%2 == 1 {
		w.Repeat, w.Arrivals, w.Popularity.D = 0.5, bloomproof.ArrivalLast, min(w.Popularity.D, 5)
	}
	if w.Popularity.D > 6 || g.M > 40 {
		return 0, nil
	}
	c, err := fnr.New(g, r, w)
	if err != nil {
		return 0, nil
	}
	f, err := c.Predict(fnr.ModelExact)
	if err != nil {
		return pair(0, err, exact.Enclosure{}, nil, 1)
	}
	x, err := exactfnr.New(g, r, w)
	if err != nil || f.FNR == 0 {
		return 0, err
	}
	want, err := x.CycleRates(50, "groups")
	if err != nil {
		return pair(f.FNR, nil, exact.Enclosure{}, err, 1)
	}
	worst := 0.0
	for i, e := range []exact.Enclosure{want.FNR, want.FPR} {
		s, err := shareAbove(0x1p-30, []float64{f.FNR, f.FPR}[i], e, f.Bound)
		if err != nil {
			return s, err
		}
		worst = max(worst, s)
	}
	return worst, nil
}
