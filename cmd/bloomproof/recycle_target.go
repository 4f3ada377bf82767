package main

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/bloomproof/bloomproof"
	approxrecycling "github.com/bloomproof/bloomproof/approx/recycling"
	"github.com/bloomproof/bloomproof/exact"
	exactrecycling "github.com/bloomproof/bloomproof/exact/recycling"
)

// targetReport is the answer of the command "recycle" with the flag -target.
type targetReport struct {
	cycleReport
	Target string `json:"target"`
	TotalM count  `json:"total_m"` // total bits of all arrays
	Proof  string `json:"proof"`
	naiveSizes
}

// naiveSizes has the answers of the three formulas of Dozier-FP that package approx/recycling calls naive. A field is
// nil if its formula gives more than 2^64-2 messages.
type naiveSizes struct {
	Average *naiveSize `json:"average"`
	Oracle  *naiveSize `json:"oracle"`
	Worst   *naiveSize `json:"worst"`
}

// naiveSize is the answer of one naive formula.
type naiveSize struct {
	N        count  `json:"n"`
	K        int    `json:"k"`
	Capacity twelve `json:"capacity"` // the number of arrivals of a cycle by the formula
	Share    twelve `json:"share"`    // Capacity divided by the capacity of the best threshold
	Certain  bool   `json:"certain"`  // true if rounding errors cannot have changed n and k
}

// These texts name the assumptions of an answer.
const (
	grows  = "the rate is taken to grow with sigma"
	notAll = "not every k was compared"
	equal  = "capacities equal to 1000 digits are taken for equal"
)

// recycleTarget finds the best threshold. Package approx finds candidates, and exact rates decide between them.
func recycleTarget(c *call) (report, error) {
	target, p, text := c.rate("target")
	c.need("m")
	r := c.recycling(true, false)
	arrays := arraysOf(r)
	total := c.number("m", arrays, 1<<64-1, arrays)
	g := bloomproof.Geometry{M: total / arrays, K: int(c.number("k", 1, bloomproof.MaxK, 0))}
	c.enum("hashing", &g.Hashing)
	digits := c.digits()
	if c.err != nil {
		return nil, c.err
	}
	defer newProgress(c.stderr).clock("searching")()
	prec := exact.PrecFor(digits)
	s := threshold{g: g, r: r, target: target, near: p, prec: max(prec, 64), rates: map[place]exact.Enclosure{}}
	o, err := s.candidates()
	if err != nil {
		return nil, outOfRange("target", err)
	}
	best, proof, err := s.best(o)
	if err != nil {
		return nil, outOfRange("target", err)
	}
	base, err := describe(best.cycle, best.g, best.r, best.rate, digits)
	if err != nil {
		return nil, err
	}
	capacity, err := enclose(best.capacity, digits)
	if err != nil {
		return nil, err
	}
	base.Capacity = &capacity
	naive, err := naiveOf(g, r.TwoPhase, p, best.capacity.Float64())
	if err != nil {
		return nil, err
	}
	return targetReport{base, text, count(total), proof, naive}, nil
}

// naiveOf returns the answers of the naive formulas for arrays of geometry g. The argument "capacity" is the number of
// arrivals of a cycle with the best threshold.
func naiveOf(g bloomproof.Geometry, twoPhase bool, rate, capacity float64) (naiveSizes, error) {
	var t naiveSizes
	for _, x := range []struct {
		to **naiveSize
		of approxrecycling.Naive
	}{{&t.Average, "average"}, {&t.Oracle, "oracle"}, {&t.Worst, "worst"}} {
		n, err := approxrecycling.NaiveMessages(bloomproof.Geometry{M: g.M, K: g.K}, x.of, twoPhase, rate)
		if errors.Is(err, bloomproof.ErrRange) {
			continue
		}
		if err != nil {
			return naiveSizes{}, err
		}
		arrivals := float64(n.N)
		if x.of == "average" && n.N > 0 {
			f, err := approxrecycling.NaiveRate(bloomproof.Geometry{M: n.Geometry.M, K: n.Geometry.K}, n.N, x.of)
			if err != nil {
				return naiveSizes{}, err
			}
			arrivals /= 1 - f
		}
		*x.to = &naiveSize{count(n.N), n.Geometry.K, twelve(arrivals), twelve(arrivals / capacity), n.Certain}
	}
	return t, nil
}

// The type "threshold" searches for the largest sigma whose exact rate is at most the target.
type threshold struct {
	g      bloomproof.Geometry // K is 0 at first, and then the k of a candidate
	r      bloomproof.Recycling
	target *big.Rat
	near   float64 // the target as a float64 above 0 and below 1
	prec   uint    // the precision with which rates and capacities are computed first
	rates  map[place]exact.Enclosure
}

// The type "place" represents a pair of numbers: the k and the sigma of a filter.
type place struct {
	k     int
	sigma uint64
}

// The method "candidates" returns the answer of package approx. If approx has no model for the settings, the answer
// is the k that is best in the limit of large m. The rivals of this k are then the neighbouring values of k.
func (s threshold) candidates() (approxrecycling.Optimum, error) {
	o, err := approxrecycling.MostMessages(s.g, s.r, s.near)
	var param *bloomproof.ParamError
	switch {
	case errors.Is(err, bloomproof.ErrUndefined):
		if o.Excluded && s.g.K == 0 {
			return o, errNoSigma
		}
		return o, nil
	case errors.As(err, &param) && s.r.TwoPhase:
		// The error can mean that approx has no model for two phases, or that a parameter is wrong. In the first case
		// approx has an answer for the same filter with one phase.
		one := bloomproof.Recycling{Retain: s.r.Retain}
		if _, oneErr := approxrecycling.MostMessages(s.g, one, s.near); errors.As(oneErr, &param) {
			return o, err
		}
		return s.fluidCandidates(), nil
	}
	return o, err
}

func (s threshold) fluidCandidates() approxrecycling.Optimum {
	if s.g.K > 0 {
		return approxrecycling.Optimum{K: s.g.K, Excluded: true}
	}
	most := uint64(bloomproof.MaxK)
	if s.r.Retain {
		most = min(most, s.g.M-1)
	}
	best, capacity := 1, 0.0
	for k := 1; k <= int(most); k++ {
		if (bloomproof.Geometry{M: s.g.M, K: k, Hashing: s.g.Hashing}).Validate() != nil {
			continue
		}
		n := s.fluidCapacity(k)
		if n < capacity {
			break
		}
		best, capacity = k, n
	}
	o := approxrecycling.Optimum{K: best}
	for k := max(1, best-2); k <= min(int(most), best+2); k++ {
		if k != best {
			o.Rivals = append(o.Rivals, k)
		}
	}
	return o
}

// For the given k and the target, fluidCapacity returns the limit of the capacity for large m.
func (s threshold) fluidCapacity(k int) float64 {
	s.g.K, s.r.Sigma = k, s.fluidSigma(k)
	_, n, _ := fluid(s.g, s.r)
	return n
}

// For the given k, fluidSigma approximates the largest sigma whose rate is at most the target. It uses the limit of the
// rate for large m.
func (s threshold) fluidSigma(k int) uint64 {
	s.g.K = k
	low, high := uint64(0), s.g.M-1
	if s.r.Retain {
		low = min(uint64(k), high)
	}
	for high-low > 1 {
		s.r.Sigma = low + (high-low)/2
		if f, _, ok := fluid(s.g, s.r); !ok || f <= s.near {
			low = s.r.Sigma
		} else {
			high = s.r.Sigma
		}
	}
	return low
}

// For a given k, the method "guess" returns the sigma at which the search for the largest sigma starts.
func (s threshold) guess(k int) uint64 {
	if o, err := approxrecycling.MostMessages(bloomproof.Geometry{M: s.g.M, K: k, Hashing: s.g.Hashing}, s.r, s.near); err == nil {
		return o.Sigma
	}
	return s.fluidSigma(k)
}

// The type "found" stores a pair of k and sigma. The rate of this filter is at most the target. With the same k and any
// larger sigma, the rate would be above the target. The type also stores the cycle of this filter.
type found struct {
	place
	cycle          *exactrecycling.Cycle
	g              bloomproof.Geometry // the geometry of the cycle
	r              bloomproof.Recycling
	rate, capacity exact.Enclosure
}

// At most mostRivals values of k are compared. If a filter is so small that a cycle has only one or two messages,
// thousands of values of k have nearly the same capacity.
const mostRivals = 32

// The method "best" returns the best filter whose k is o.K or one of o.Rivals.
func (s threshold) best(o approxrecycling.Optimum) (found, string, error) {
	if len(o.Rivals) > mostRivals {
		o.Rivals, o.Excluded = o.Rivals[:mostRivals], false
	}
	var rests []string
	if s.restsOnGrowth() {
		rests = append(rests, grows)
	}
	certain := true
	var best found
	for _, k := range append([]int{max(o.K, 1)}, o.Rivals...) {
		s.g.K = k
		a, err := s.largest(s.guess(k))
		if err == error(errNoSigma) && len(o.Rivals) > 0 {
			continue
		}
		if err != nil {
			return found{}, "", err
		}
		if best.k == 0 {
			best = a
			continue
		}
		order, sure, err := s.compare(a, best)
		if err != nil {
			return found{}, "", err
		}
		certain = certain && sure
		if order > 0 || order == 0 && a.k < best.k {
			best = a
		}
	}
	if best.k == 0 {
		return found{}, "", errNoSigma
	}
	if !o.Excluded || best.k == o.K && best.sigma < o.Sigma || best.k != o.K && !o.Certain {
		rests = append(rests, notAll)
	}
	if !certain {
		rests = append(rests, equal)
	}
	if rests == nil {
		rests = []string{"proven"}
	}
	return best, strings.Join(rests, "; "), nil
}

// restsOnGrowth reports whether the answer assumes, without a proof, that the rate increases with sigma.
func (s threshold) restsOnGrowth() bool {
	return s.r.NoCopyOver || s.r.Retain && (s.g.Hashing != bloomproof.Classic || s.r.TwoPhase)
}

// errNoSigma is the error if the rate exceeds the target for every threshold.
var errNoSigma = &usageError{"target", "must be larger: every sigma has a larger rate"}

// The method "comparing" returns a list of precisions in bits, for comparisons of numbers. A rate is compared with the
// target, and a capacity with another capacity. These rates and capacities are computed with each of the precisions in
// turn, until the result of the comparison is certain.
func (s threshold) comparing() []uint { return []uint{s.prec, 4 * s.prec, max(16*s.prec, 3400)} }

// The method "largest" finds the largest sigma for which the rate is at most the target. The search starts from guess.
func (s threshold) largest(guess uint64) (found, error) {
	low, high := uint64(0), s.g.M-1
	if s.r.Retain {
		low = uint64(s.g.K)
	}
	if low > high {
		return found{}, errNoSigma
	}
	guess = min(max(guess, low), high)
	ok, err := s.atMost(guess)
	if err != nil {
		return found{}, err
	}
	// Steps of doubling length find an interval [a, b) that contains the answer. Bisection then halves this interval.
	a, b := guess, guess
	for step := uint64(1); ; step *= 2 {
		if ok {
			if a = b; a == high {
				b = high + 1
				break
			}
			b += min(step, high-b)
		} else {
			if b = a; b == low {
				return found{}, errNoSigma
			}
			a -= min(step, a-low)
		}
		next := b
		if !ok {
			next = a
		}
		here, err := s.atMost(next)
		if err != nil {
			return found{}, err
		}
		if here != ok {
			break
		}
	}
	for b-a > 1 {
		mid := a + (b-a)/2
		here, err := s.atMost(mid)
		if err != nil {
			return found{}, err
		}
		if here {
			a = mid
		} else {
			b = mid
		}
	}
	s.r.Sigma = a
	c, err := exactrecycling.New(s.g, s.r)
	if err != nil {
		return found{}, err
	}
	at := place{s.g.K, a}
	n, err := c.Capacity(s.prec)
	return found{at, c, s.g, s.r, s.rates[at], n}, err
}

// atMost decides whether the rate at sigma is at most the target.
func (s threshold) atMost(sigma uint64) (bool, error) {
	s.r.Sigma = sigma
	c, err := exactrecycling.New(s.g, s.r)
	if err != nil {
		return false, err
	}
	for _, prec := range s.comparing() {
		f, err := c.FPR(prec)
		if err != nil {
			return false, err
		}
		if prec == s.prec {
			s.rates[place{s.g.K, sigma}] = f
		}
		if r, ok := f.Rat(); ok {
			return r.Cmp(s.target) <= 0, nil
		}
		lo, _ := f.Lo().Rat(nil)
		hi, _ := f.Hi().Rat(nil)
		switch {
		case hi.Cmp(s.target) <= 0:
			return true, nil
		case lo.Cmp(s.target) > 0:
			return false, nil
		}
	}
	return false, &usageError{"target", fmt.Sprintf("cannot be told from the rate at sigma = %d, to 1000 digits", sigma)}
}

// The method "compare" compares two capacities. It returns their order, and whether this order is certain. The order is
// 0 if the two fractions are equal. It is also 0 if the capacities agree to 1000 digits.
func (s threshold) compare(a, b found) (order int, certain bool, err error) {
	for _, prec := range s.comparing() {
		var n [2]exact.Enclosure
		for i, x := range []found{a, b} {
			s.g.K, s.r.Sigma = x.k, x.sigma
			c, err := exactrecycling.New(s.g, s.r)
			if err != nil {
				return 0, false, err
			}
			if n[i], err = c.Capacity(prec); err != nil {
				return 0, false, err
			}
		}
		x, ok1 := n[0].Rat()
		y, ok2 := n[1].Rat()
		if ok1 && ok2 {
			return x.Cmp(y), true, nil
		}
		if order, ok := n[0].Cmp(n[1]); ok {
			return order, true, nil
		}
	}
	return 0, false, nil
}

func (r targetReport) print(w io.Writer) {
	fmt.Fprintf(w, "filter\t%s\n", r.filter())
	fmt.Fprintf(w, "memory\t%d bits\ntarget\t%s\n", r.TotalM, r.Target)
	fmt.Fprintf(w, "rate\t%s\ncapacity\t%s\nproof\t%s\n", r.FPR.Mid, orDash(mid(r.Capacity)), r.Proof)
	r.naiveSizes.print(w)
}

func (r naiveSizes) print(w io.Writer) {
	fmt.Fprint(w, "\nnaive\tn\tk\tcapacity\tof the best\n")
	for _, x := range []struct {
		name string
		size *naiveSize
	}{{"average (3)", r.Average}, {"oracle (2)", r.Oracle}, {"worst (1)", r.Worst}} {
		if x.size == nil {
			fmt.Fprintf(w, "%s\t-\t-\t-\t-\n", x.name)
			continue
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%v\t%.2f %%\n", x.name, x.size.N, x.size.K, x.size.Capacity, 100*float64(x.size.Share))
	}
}

// The function "mid" returns the midpoint of e, or nil if e is nil.
func mid(e *enclosure) *string {
	if e == nil {
		return nil
	}
	return &e.Mid
}
