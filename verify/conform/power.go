package conform

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof/internal/sequential"
)

// weakPower is the relative deviation that the tests of a statistical law must be able to find. The value 1 means a
// rate twice as large as the right one. If the tests of a law would not find this deviation, the law counts as not
// examined.
const weakPower = 1

// chanceLaws are the statistical laws for which a report states the power.
var chanceLaws = []Law{lawRate, lawSetBits, lawPlace, lawDependence, lawKeys}

// These are kinds of faults. For each kind, a report states the size of the smallest fault that the examination would
// have found. For most kinds the size is a relative deviation from the model, upwards or downwards. For some kinds it
// is a share of the look-ups or of the keys.
const (
	faultHigh  = "rate above the model"
	faultLow   = "rate below the model"
	faultHits  = "hits that the model does not explain, of all probes"
	faultBits  = "set bits off the model"
	faultTwice = "keys two of whose positions are one"
	faultHalf  = "a half of the places favoured"
	faultStep  = "keys whose positions form a progression"
)

// The map mainFault has one kind of fault for each law. The summary of a report says how large a fault of this kind
// must be for the examination to find it.
var mainFault = map[Law]string{lawRate: faultHigh, lawSetBits: faultBits, lawPlace: faultHalf, lawDependence: faultStep, lawKeys: faultHigh}

// The type "bets" is a BetTest that also keeps the sums from which its power is computed.
type bets struct {
	*sequential.BetTest
	lo, hi, alpha float64
	squares       float64
}

func newBets(lo, hi, alpha float64) (*bets, error) {
	t, err := sequential.NewBetTest(lo, hi, alpha)
	return &bets{BetTest: t, lo: lo, hi: hi, alpha: alpha}, err
}

// Add passes a sample to the test, and adds it to the sums.
func (b *bets) Add(v float64) sequential.Verdict {
	b.squares += v * v
	return b.BetTest.Add(v)
}

// The constant "gamblers" is the number of gamblers in a BetTest. The initial fortune is divided among them. The method
// "power" estimates the smallest shift of the mean that the test finds. The estimate neglects the third moment of the
// samples, and also the effect of cutting samples off. To allow for these two effects, the estimate is multiplied by
// betMargin.
const (
	gamblers  = 32
	betMargin = 1.15
)

// The method "power" returns the ends of a range. If the true mean is outside this range, the test refutes the claim.
// This assumes the same number of samples and the same variance. Each gambler has a number c. Some gamblers bet that
// the true mean is above hi. The others bet that it is below lo. A sample x multiplies the gambler's fortune by a
// factor. For a bet on a mean above hi, let a = hi. Then this is the factor:
//
//	1 + c (x - hi)/a.
//
// For a bet on a mean below lo, let a = 1 - lo. Then this is the factor:
//
//	1 - c (x - lo)/a.
//
// Let g be the distance from the claimed mean to the true mean, divided by a. Let v be the variance of a sample,
// divided by a^2. On average, each sample increases the logarithm of the fortune by this amount:
//
//	c*g - c^2*(v + g^2)/2.
//
// The standard deviation of this growth is c*sqrt(v).
func (b *bets) power() between {
	n := float64(b.N())
	variance := max(0, b.squares/n-b.Mean()*b.Mean())
	bar := math.Log(gamblers / b.alpha)
	found := func(shift, unit float64) bool {
		g, v := shift/unit, variance/(unit*unit)
		for c := 0.9; c > 1e-5; c /= 2 {
			if v := v * (1 + min(1, g)); n*(c*g-c*c*(v+g*g)/2)-sigmas*c*math.Sqrt(n*v) > bar {
				return true
			}
		}
		return false
	}
	least := func(most, unit float64) float64 {
		if !found(most, unit) {
			return math.Inf(1)
		}
		in, out := 0.0, most
		for range 40 {
			if mid := (in + out) / 2; found(mid, unit) {
				out = mid
			} else {
				in = mid
			}
		}
		if out *= betMargin; out > most {
			return math.Inf(1)
		}
		return out
	}
	return between{b.lo - least(b.lo, 1-b.lo), b.hi + least(1-b.hi, b.hi)}
}

// The constant "sigmas" is the number that a standard normal variable exceeds with probability 0.01.
const sigmas = 2.3264

// Consider a CountTest. It tests the claim that a probability lies between lo and hi. The function countPower returns
// the two ends of a range of true probabilities. If the true probability is outside this range, the test rejects the
// claim with probability at least 0.99. The reason is Chernoff's bound. For such a true probability, the count passes
// the test with probability at most 0.01.
func countPower(trials, lo, hi, alpha float64) between {
	verdict := func(x float64) sequential.Verdict {
		t, err := sequential.NewCountTest(alpha)
		if err != nil {
			return sequential.Open
		}
		return t.Add(x, trials, lo, hi)
	}
	// The function "crossing" searches a range for numbers v that satisfy the condition is(v). The arguments "in" and
	// "out" are the two ends of this range. The result is the number with this condition that is closest to the end
	// "in". If is(out) is false, the result is infinity.
	crossing := func(in, out float64, steps int, is func(v float64) bool) float64 {
		if !is(out) {
			return math.Inf(1)
		}
		for i := 0; i < steps && math.Abs(out-in) > tooFine*math.Abs(out); i++ {
			if mid := (in + out) / 2; is(mid) {
				out = mid
			} else {
				in = mid
			}
		}
		return out
	}
	miss := math.Log(1 / (1 - powerProbability))
	out := between{math.Inf(-1), math.Inf(1)}
	if x := math.Ceil(crossing(trials*hi, trials, 64, func(x float64) bool { return verdict(math.Ceil(x)) == sequential.Above })); x <= trials {
		out.hi = crossing(x/trials, 1, 60, func(p float64) bool { return trials*kullback((x-1)/trials, p) > miss })
	}
	if x := math.Floor(crossing(trials*lo, 0, 64, func(x float64) bool { return verdict(math.Floor(x)) == sequential.Below })); x >= 0 && !math.IsInf(x, 1) {
		if p := crossing(x/trials, 0, 60, func(p float64) bool { return trials*kullback((x+1)/trials, p) > miss }); !math.IsInf(p, 1) {
			out.lo = p
		}
	}
	return out
}

// tooFine is a relative precision. A search with this precision finds how large a fault must be for a test to find it.
// A report does not print the size of a fault with more digits than this.
const tooFine = 1e-4

// jumpPower computes the power of a test on n samples. Each sample is either 0 or equal to the argument "jump". The
// claim is that their mean is at most hi. Let p be the probability that a sample is a jump. The result is the least p
// that the test can detect. For this p, the test rejects the claim with probability powerProbability. In the test,
// several gamblers bet against the claim. The test rejects the claim when one of them has won enough. First, jumpPower
// computes the least number of jumps for which this happens. From this number it computes p as countPower does.
func jumpPower(n, hi, jump, alpha float64) float64 {
	bar := math.Log(gamblers / alpha)
	need := math.Inf(1)
	for c := 0.9; c > 1e-5; c /= 2 {
		up, down := math.Log1p(c*(jump-hi)/hi), math.Log1p(-c)
		need = min(need, math.Ceil((bar-n*down)/(up-down)))
	}
	if need > n {
		return math.Inf(1)
	}
	in, out := (need-1)/n, 1.0
	for range 60 {
		if mid := (in + out) / 2; n*kullback((need-1)/n, mid) > math.Log(1/(1-powerProbability)) {
			out = mid
		} else {
			in = mid
		}
	}
	return out
}

// The function "kullback" returns the Kullback-Leibler divergence of two Bernoulli distributions. It is the divergence
// of the distribution with parameter q from the one with parameter p.
func kullback(q, p float64) float64 {
	term := func(q, p float64) float64 {
		if q <= 0 {
			return 0
		}
		return q * math.Log(q/p)
	}
	return term(q, p) + term(1-q, 1-p)
}

// For each kind of fault, the method "power" records the smallest fault that the tests of this cell would have found.
func (t *tests) power() {
	if t.filters == 0 && t.asked == 0 {
		return
	}
	x := t.x
	state := func(l Law, fault string, least float64) {
		if x.wants(l) && x.told[l] && least >= 0 && !math.IsInf(least, 1) {
			x.power(l, t.d.m(), fault, least)
		}
	}
	off := func(p between, mean float64) (below, above float64) { return 1 - p.lo/mean, p.hi/mean - 1 }

	mid := (t.rate.lo + t.rate.hi) / 2
	below, above, floor := math.Inf(1), math.Inf(1), math.Inf(1)
	take := func(p between, mean float64) {
		b, a := off(p, mean)
		below, above, floor = min(below, b), min(above, a), min(floor, p.hi-mean)
	}
	if t.trials > 0 {
		p := t.expected / t.trials
		take(countPower(t.trials, p, p, x.alpha), p)
	}
	if t.few {
		take(countPower(float64(t.asked*t.q), t.given.lo, t.given.hi, x.alpha/2), mid)
	} else if t.byRate != nil && t.byRate.N() > 1 {
		p, width := t.byRate.power(), t.cut.hi-t.cut.lo
		take(between{t.cut.lo + width*p.lo, t.cut.lo + width*p.hi}, mid)
	}
	if above > weakPower {
		state(t.rateLaw, faultHits, floor)
	} else {
		state(t.rateLaw, faultHigh, above)
		state(t.rateLaw, faultLow, below)
	}
	if t.filters == 0 {
		return
	}
	fill := (t.fill.lo + t.fill.hi) / 2
	count, _ := t.d.units()
	below, above = off(countPower(float64(t.filters)*count, t.fill.lo, t.fill.hi, x.alpha), fill)
	least := max(below, above)
	if b := t.bySet; b != nil && b.N() > 1 {
		if t.distinct {
			state(t.setLaw, faultTwice, jumpPower(float64(b.N()), 1-b.lo, 1, b.alpha)-1+b.hi)
		} else {
			p := b.power()
			mean := fill * float64(t.d.m())
			width := t.set.hi - t.set.lo
			b, a := off(between{t.set.lo + width*p.lo, t.set.lo + width*p.hi}, mean)
			least = min(least, max(b, a))
		}
	}
	state(t.setLaw, faultBits, least)
	if i := slices.IndexFunc(t.regions, func(r region) bool { return 3*r.size >= float64(t.d.m()) }); i >= 0 { // the region is about half of the places
		r, high := t.regions[i], math.Inf(1)
		if r.count != nil {
			high = countPower(float64(t.filters)*r.size, t.fill.lo, t.fill.hi, x.alpha/float64(len(t.regions))).hi
		} else if r.bet != nil && r.bet.N() > 1 {
			high = r.bet.power().hi
		}
		if high < 1 { // bits that are chosen 1+e times as often are set with probability 1 - (1-fill)^(1+e)
			state(t.placeLaw, faultHalf, math.Log1p(-high)/math.Log1p(-fill)-1)
		}
	}
	if b := t.byStep; b != nil && b.N() > 1 {
		// Suppose that the k positions of a key form one arithmetic progression. Then floor((k-1)^2/4) triples of these
		// positions are arithmetic progressions.
		k := float64(t.d.g.K)
		share := math.Floor((k-1)*(k-1)/4) / (k * (k - 1) * (k - 2) / 6)
		if share > t.stepMean {
			state(t.stepLaw(), faultStep, jumpPower(float64(b.N()), b.hi, share, b.alpha))
		}
	}
}

// The argument "least" is the size of the smallest fault of its kind that the current cell can find. The method "power"
// records this size. Of several sizes for the same kind and the same shape, it keeps only the smallest.
func (x *examination) power(l Law, m uint64, fault string, least float64) {
	p := Power{l, x.where, m, fault, least}
	i := slices.IndexFunc(x.report.Power, func(q Power) bool {
		return q.Law == l && q.Fault == fault && q.M == m && shapeIn(q) == shapeIn(p)
	})
	switch {
	case i < 0:
		x.report.Power = append(x.report.Power, p)
	case least < x.report.Power[i].Least:
		x.report.Power[i] = p
	}
}

// The method "weak" finds the laws whose tests had too little power, and marks them as not examined.
func (x *examination) weak() {
	for _, l := range chanceLaws {
		if !x.told[l] || !x.wants(l) || x.s.OwnRate != nil {
			continue
		}
		least := math.Inf(1)
		for _, p := range x.report.Power {
			if p.Law == l {
				least = min(least, p.Least)
			}
		}
		if least > weakPower {
			x.note("%s: too little power at effort %g: a deviation would have been found from %.3g times what is right", l, x.o.Effort, 1+least)
			delete(x.told, l)
		}
	}
}

// powerLine returns one line of the report. For each law, this line states the smallest fault that the examination
// would have found. The size of this fault depends on the shape of the filters. The line states the size for the best
// shape. If the size for the worst shape is larger, the line states this size too. The line also states the size of the
// largest filters that were examined.
func (r Report) powerLine() string {
	most := uint64(0)
	for _, p := range r.Power {
		most = max(most, p.M)
	}
	var parts []string
	say := func(l Law, words string, of func(fault string) bool) {
		all := slices.DeleteFunc(slices.Clone(r.Power), func(p Power) bool { return p.Law != l || !of(p.Fault) })
		if len(all) == 0 || slices.Contains(r.Untold, l) {
			return
		}
		slices.SortStableFunc(all, func(a, b Power) int { return cmp.Compare(a.Least, b.Least) })
		best, worst := all[0], all[len(all)-1]
		text := fmt.Sprintf(words, 100*best.Least) + " at " + shapeIn(best)
		if worst.Least > best.Least {
			text += fmt.Sprintf(", %.2g %% at %s", 100*worst.Least, shapeIn(worst))
		}
		parts = append(parts, text)
	}
	for _, l := range chanceLaws {
		say(l, string(l)+" within %.2g %%", func(fault string) bool { return fault == mainFault[l] })
	}
	say(lawRate, "hits without cause from %.2g %% of the keys on", func(fault string) bool { return fault == faultHits })
	if len(parts) == 0 {
		return "power: nothing is said of chance"
	}
	return fmt.Sprintf("power: %s; nothing is said beyond %d bits", strings.Join(parts, "; "), most)
}

// shapeIn returns the part of a case that names the shape, for example "m=97 k=5".
func shapeIn(p Power) string {
	shape, _, _ := strings.Cut(p.Case, ",")
	if i := strings.Index(shape, "m="); i >= 0 {
		shape = shape[i:]
	}
	return shape
}
