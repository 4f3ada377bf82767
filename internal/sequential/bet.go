package sequential

import (
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/numeric"
)

// betSizes is half the number of gamblers in a BetTest or a CountTest. Half of the gamblers bet that the mean is above
// its upper limit. The other gamblers bet that the mean is below its lower limit.
const betSizes = 16

// A CountTest has rareSizes additional gamblers. Each of them bets that counts are too high. The first of these
// gamblers has odds of 2^21. From each of them to the next, the odds are halved. So an event that is expected once in
// 2^21 trials is noticed after its first few occurrences.
const rareSizes = 20

// The constant "slack" allows for rounding errors. It is large enough for a product of up to 2^30 factors.
const slack = 1 + 0x1p-20

// BetTest is a sequential test of samples in [0, 1]. The test examines the following claim: given all earlier samples,
// the mean of each sample is between lo and hi. The test does not need the variance. It takes any number of samples,
// and has a verdict after each of them.
//
// A gambler has a fortune, and bets a share c of this fortune against the claim. The share c is between 0 and 1. For
// some gamblers, this is a bet that the mean is above hi. After a sample x, the fortune of such a gambler is multiplied
// by:
//
//	1 + c (x - hi)/hi.
//
// The others bet that the mean is below lo. After a sample x, the fortune of such a gambler is multiplied by:
//
//	1 - c (x - lo)/(1 - lo).
//
// These factors are not negative. If the claim is true, the mean of each factor is at most 1. The test has 32 gamblers,
// and each begins with a fortune of 1/32. If the claim is true, the sum of their fortunes is a supermartingale. By
// Ville's inequality the probability that it ever reaches 1/alpha is at most alpha. The gamblers who bet above hi have
// 16 different shares c. The gamblers who bet below lo have the same 16 shares c. These shares are 0.9, 0.45, 0.225 and
// so on. Let var be the variance of a sample, and suppose that the mean is shifted by d. The test finds the shift after
// about this number of samples:
//
//	2 ln(32/alpha) var/d^2.
//
// This approximation is good if the number is large. A test that uses the variance needs about as many samples.
type BetTest struct {
	lo, hi   float64
	bar      float64
	up, down [betSizes]float64 // fortunes
	n        uint64
	sum      float64
	verdict  Verdict
}

// NewBetTest returns the test of lo <= mean <= hi. Its false-alarm probability is at most alpha, however many samples
// it gets.
//
// Source: Ville, Etude critique de la notion de collectif (1939). The bets are those of Waudby-Smith and Ramdas,
// Estimating means of bounded random variables by betting (2024). Here the shares c are fixed in advance.
// Domain: 0 <= lo <= hi <= 1, lo < 1, hi > 0; 1e-100 <= alpha < 1.
// Error: the false-alarm probability is at most alpha; TestBetTestCalibration measures it.
// Cost: O(1) for each sample, without allocation.
// Errors: *bloomproof.ParamError.
func NewBetTest(lo, hi, alpha float64) (*BetTest, error) {
	switch {
	case !(lo >= 0 && lo < 1):
		return nil, &bloomproof.ParamError{Param: "lo", Value: lo, Want: "at least 0 and below 1"}
	case !(hi > 0 && hi >= lo && hi <= 1):
		return nil, &bloomproof.ParamError{Param: "hi", Value: hi, Want: fmt.Sprintf("positive, at least lo = %v and at most 1", lo)}
	}
	if err := checkAlpha(alpha); err != nil {
		return nil, err
	}
	t := &BetTest{lo: lo, hi: hi, bar: slack * 2 * betSizes / alpha}
	for i := range t.up {
		t.up[i], t.down[i] = 1, 1
	}
	return t, nil
}

func checkAlpha(alpha float64) error {
	if !(alpha >= 1e-100 && alpha < 1) {
		return &bloomproof.ParamError{Param: "alpha", Value: alpha, Want: "between 1e-100 and 1, 1 excluded"}
	}
	return nil
}

// Add gives the test one sample and returns the verdict: Open, Above or Below. If the verdict is already Above or
// Below, Add ignores the sample. A sample outside [0, 1], or NaN, contradicts the claim. The verdict is then Above or
// Below at once. For NaN it is Above.
func (t *BetTest) Add(x float64) Verdict {
	if t.verdict != Open {
		return t.verdict
	}
	t.n++
	t.sum += x
	if !(x >= 0 && x <= 1) {
		t.verdict = Above
		if x < 0 {
			t.verdict = Below
		}
		return t.verdict
	}
	above, below := 0.0, 0.0
	gain, loss := (x-t.hi)/t.hi, (t.lo-x)/(1-t.lo)
	c := 0.9
	for i := range t.up {
		t.up[i] *= 1 + c*gain
		t.down[i] *= 1 + c*loss
		above += t.up[i]
		below += t.down[i]
		c /= 2
	}
	if above+below >= t.bar {
		t.verdict = Above
		if below > above {
			t.verdict = Below
		}
	}
	return t.verdict
}

// Verdict returns what the samples so far have shown.
func (t *BetTest) Verdict() Verdict { return t.verdict }

// N returns the number of samples taken.
func (t *BetTest) N() uint64 { return t.n }

// Mean returns the mean of the samples, or 0 before the first sample.
func (t *BetTest) Mean() float64 { return t.sum / float64(max(1, t.n)) }

// String returns the verdict with its figures, such as
// "above: mean 0.0213 of 4096 samples, claimed 0.02".
func (t *BetTest) String() string {
	return fmt.Sprintf("%v: mean %.6g of %d samples, claimed %s", t.verdict, t.Mean(), t.n, claimed(t.lo, t.hi))
}

// The function "claimed" returns a range as text. If the two ends are equal after rounding to six digits, the text is a
// single number.
func claimed(lo, hi float64) string {
	if a, b := fmt.Sprintf("%.6g", lo), fmt.Sprintf("%.6g", hi); a != b {
		return a + " to " + b
	}
	return fmt.Sprintf("%.6g", lo)
}

// CountTest is a sequential test of counts. The claim concerns each count X of N trials. Its parameter is a success
// probability p between lo and hi. The claim says that X deviates from N*p no more than a binomial variable does. More
// exactly, this inequality holds for every t, given all earlier counts:
//
//	E[e^(tX)] <= (1 - p + p e^t)^N.
//
// The claim holds if X is the number of successes in N independent trials with success probability p. It also holds if
// X is the number of successes in N draws without replacement. More generally, it holds for sums of N negatively
// associated variables (Joag-Dev and Proschan 1983). Each variable has values in [0, 1] and mean p. An example is the
// number of occupied urns among N urns. The test is like a BetTest. But each gambler has a number t instead of a share
// c. After a count X, the gambler's fortune is multiplied by:
//
//	e^(tX) (1 - p + p e^t)^-N.
//
// The number t is positive for 36 gamblers, and negative for the other 16 gamblers. N and p may change from count to
// count. The gamblers with the largest t detect that a rare event occurs too often. For example, suppose that the
// expected count is 0.01 and alpha is 1e-8. Then a count of 5 gives the verdict Above.
type CountTest struct {
	bar            float64
	up             [rareSizes + betSizes]float64 // logarithms of fortunes
	down           [betSizes]float64
	lo, hi         float64 // the range of p for the last count; the next two lines are computed from it
	gain, paidUp   [rareSizes + betSizes]float64
	loss, paidDown [betSizes]float64
	sum            float64
	expected       float64 // the expected sum of all counts if p = hi
	least          float64 // the expected sum of all counts if p = lo
	trials         float64
	n              uint64
	verdict        Verdict
}

// The constant "gamblers" is the number of gamblers of a CountTest.
const gamblers = rareSizes + 2*betSizes

// NewCountTest returns a test. Its false-alarm probability is at most alpha, however many counts it gets.
//
// Source: the inequality of Ville (see NewBetTest), and the moment generating function of Chernoff's bound.
// Domain: 1e-100 <= alpha < 1.
// Error: the false-alarm probability is at most alpha; TestCountTestCalibration measures it.
// Cost: O(1) for each count, without allocation.
// Errors: *bloomproof.ParamError.
func NewCountTest(alpha float64) (*CountTest, error) {
	if err := checkAlpha(alpha); err != nil {
		return nil, err
	}
	return &CountTest{bar: math.Log(slack * gamblers / alpha)}, nil
}

// Add adds one observation to the test: the count x in the given number of trials. It returns the verdict: Open, Above
// or Below. Once the verdict is not Open, further counts are ignored. A count outside [0, trials], or NaN, contradicts
// the claim. A count that is impossible for lo <= p <= hi also contradicts the claim.
func (t *CountTest) Add(x, trials, lo, hi float64) Verdict {
	if t.verdict != Open {
		return t.verdict
	}
	t.n++
	t.sum += x
	t.trials += trials
	t.least += lo * trials
	t.expected += hi * trials
	if !(x >= 0 && x <= trials) {
		t.verdict = Above
		if x < 0 {
			t.verdict = Below
		}
		return t.verdict
	}
	if lo != t.lo || hi != t.hi || t.n == 1 {
		t.lo, t.hi = lo, hi
		for i := range t.up {
			odds := math.Ldexp(2, rareSizes-i)
			t.gain[i], t.paidUp[i] = math.Log1p(odds), math.Log1p(hi*odds)
		}
		for i := range t.down {
			share := math.Ldexp(0.5, -i)
			t.loss[i], t.paidDown[i] = math.Log1p(-share), math.Log1p(-lo*share)
		}
	}
	most := math.Inf(-1)
	for i := range t.up {
		t.up[i] += x*t.gain[i] - trials*t.paidUp[i]
		most = max(most, t.up[i])
	}
	for i := range t.down {
		t.down[i] += x*t.loss[i] - trials*t.paidDown[i]
		most = max(most, t.down[i])
	}
	if most+math.Log(gamblers) < t.bar {
		return Open
	}
	above, below := math.Inf(-1), math.Inf(-1) // logarithms of sums
	for _, v := range t.up {
		above = logAdd(above, v)
	}
	for _, v := range t.down {
		below = logAdd(below, v)
	}
	if logAdd(above, below) >= t.bar {
		t.verdict = Above
		if below > above {
			t.verdict = Below
		}
	}
	return t.verdict
}

// logAdd returns log(e^x + e^y).
func logAdd(x, y float64) float64 {
	if x < y {
		x, y = y, x
	}
	if math.IsInf(x, 0) {
		return x
	}
	return x + math.Log1p(math.Exp(y-x))
}

// Verdict returns what the counts so far have shown.
func (t *CountTest) Verdict() Verdict { return t.verdict }

// N returns the number of counts taken.
func (t *CountTest) N() uint64 { return t.n }

// String returns the verdict with its figures, such as
// "above: 213 of 10000 in 3 counts, claimed 200".
func (t *CountTest) String() string {
	return fmt.Sprintf("%v: %.6g of %.6g in %d counts, claimed %s", t.verdict, t.sum, t.trials, t.n, claimed(t.least, t.expected))
}

// CountRange returns a range a <= X <= b for a count X of N trials. If the claim of CountTest is true for X, then X is
// below the range with probability at most alpha/2. The probability that X is above the range is also at most alpha/2.
// Both bounds follow from Chernoff's bound
//
//	P[X >= b] <= exp(-N D(b/N, hi)).
//
// The function D is:
//
//	D(q, p) = q ln(q/p) + (1-q) ln((1-q)/(1-p)).
//
// Source: Chernoff (1952), Hoeffding (1963).
// Domain: trials >= 0; 0 <= lo <= hi <= 1; 1e-100 <= alpha < 1.
// Error: each end of the range is moved outwards by 1e-9*trials, but stays in [0, trials]. The numbers a and b need not
// be whole.
// Cost: two bisections.
// Errors: *bloomproof.ParamError.
func CountRange(trials, lo, hi, alpha float64) (a, b float64, err error) {
	switch {
	case !(trials >= 0 && trials <= math.MaxUint64):
		return 0, 0, &bloomproof.ParamError{Param: "trials", Value: trials, Want: "between 0 and 2^64"}
	case !(lo >= 0 && lo <= hi && hi <= 1):
		return 0, 0, &bloomproof.ParamError{Param: "lo", Value: lo, Want: fmt.Sprintf("between 0 and hi = %v, which is at most 1", hi)}
	}
	if err := checkAlpha(alpha); err != nil {
		return 0, 0, err
	}
	bar := math.Log(2 / alpha)
	far := func(p, end float64) float64 { // the share nearest to p that is too far on the side of end
		in, out := p, end
		for range 60 {
			if mid := (in + out) / 2; trials*divergence(mid, p) > bar {
				out = mid
			} else {
				in = mid
			}
		}
		return out
	}
	return max(0, (far(lo, 0)-1e-9)*trials), min(trials, (far(hi, 1)+1e-9)*trials), nil
}

// The function "divergence" returns the number D(q, p), which the comment of CountRange defines. This number is
// infinite if p is 0 and q is not 0, or if p is 1 and q is not 1. It is computed as the sum of two deviances, which are
// accurate even if q is near p.
func divergence(q, p float64) float64 {
	term := func(q, p float64) float64 {
		switch {
		case q == p:
			return 0
		case p == 0:
			return math.Inf(1)
		case q == 0:
			return p
		}
		return numeric.Deviance(q, p)
	}
	return term(q, p) + term(1-q, 1-p)
}
