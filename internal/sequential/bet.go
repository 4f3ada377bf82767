package sequential

import (
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/numeric"
)

// betSizes is how many stakes of each direction a BetTest and a CountTest play.
const betSizes = 16

// rareSizes is how many more stakes upwards a CountTest plays, each with the double odds of the one
// after it. The odds are 2^21 at most: what is expected once in so many trials is seen at its first
// few hits.
const rareSizes = 20

// slack pays for the roundings of a product of up to 2^30 factors.
const slack = 1 + 0x1p-20

// BetTest is a sequential test of the claim that the mean of samples of [0, 1] is between
// lo and hi, given all samples before. It needs no variance and has no last sample: it may
// be asked after each one for ever.
//
// A gambler who stakes the share c of what he has against the claim multiplies it by
//
//	1 + c (x - hi)/hi    upwards,    1 - c (x - lo)/(1 - lo)    downwards,    0 < c < 1,
//
// which is not negative and has a mean of at most 1 if the claim is true. So has the
// fortune of 32 gamblers who began with 1/32 each: it is a supermartingale, and Ville's
// inequality says that it ever reaches 1/alpha with probability at most alpha. The stakes
// are 0.9, 0.45, ..., halved 15 times: a shift of d is found in about 2 ln(32/alpha) var/d^2 samples
// where that is many, as by a test that knows the variance.
type BetTest struct {
	lo, hi   float64
	bar      float64
	up, down [betSizes]float64 // fortunes
	n        uint64
	sum      float64
	verdict  Verdict
}

// NewBetTest returns the test of lo <= mean <= hi with false-alarm probability at most
// alpha, whenever it is ended.
//
// Source: Ville, Etude critique de la notion de collectif (1939); the bets are those of
// Waudby-Smith and Ramdas, Estimating means of bounded random variables by betting (2024),
// with stakes fixed in advance.
// Domain: 0 <= lo <= hi <= 1, lo < 1, hi > 0; 1e-100 <= alpha < 1.
// Error: the false-alarm probability is at most alpha; TestBetTestCalibration measures it.
// Cost: a sample costs O(1), no allocation.
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

// Add gives the test one sample and returns the verdict, Open, Above or Below. Once it is
// not Open, further samples are ignored. A sample outside [0, 1], or NaN, breaks the claim
// by itself: Above or Below at once, Above for NaN.
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

// Mean returns the mean of the samples, 0 before the first.
func (t *BetTest) Mean() float64 { return t.sum / float64(max(1, t.n)) }

// String returns the verdict with its figures, such as
// "above: mean 0.0213 of 4096 samples, claimed 0.02".
func (t *BetTest) String() string {
	return fmt.Sprintf("%v: mean %.6g of %d samples, claimed %s", t.verdict, t.Mean(), t.n, claimed(t.lo, t.hi))
}

// claimed prints a range, or the one number that it is for a reader.
func claimed(lo, hi float64) string {
	if a, b := fmt.Sprintf("%.6g", lo), fmt.Sprintf("%.6g", hi); a != b {
		return a + " to " + b
	}
	return fmt.Sprintf("%.6g", lo)
}

// CountTest is a sequential test of counts: that each X among N is no further from N p, for
// a p between lo and hi, than a binomial variable,
//
//	E[e^(tX)] <= (1 - p + p e^t)^N    for every t, given all counts before.
//
// That is true of N independent trials of probability p, of N trials without replacement,
// and of any sum of N negatively associated variables of [0, 1] with mean p (Joag-Dev and
// Proschan 1983), such as the occupied urns among N when balls fall into them. The test is
// a BetTest whose gamblers multiply their fortune by e^(tX) (1 - p + p e^t)^-N, with 36 positive
// values of t and 16 negative ones; N and p may change from count to count. The largest t are
// about what hardly ever happens: where 0.01 is expected, a count of 5 is above at alpha = 1e-8.
type CountTest struct {
	bar            float64
	up             [rareSizes + betSizes]float64 // logarithms of fortunes
	down           [betSizes]float64
	lo, hi         float64 // of the last count, and what follows from them:
	gain, paidUp   [rareSizes + betSizes]float64
	loss, paidDown [betSizes]float64
	sum            float64
	expected       float64 // of hi
	least          float64 // of lo
	trials         float64
	n              uint64
	verdict        Verdict
}

// gamblers is how many there are in a CountTest.
const gamblers = rareSizes + 2*betSizes

// NewCountTest returns a test with false-alarm probability at most alpha, whenever it is
// ended.
//
// Source: Ville as for NewBetTest; Chernoff's moment generating function.
// Domain: 1e-100 <= alpha < 1.
// Error: the false-alarm probability is at most alpha; TestCountTestCalibration measures it.
// Cost: a count costs O(1), no allocation.
// Errors: *bloomproof.ParamError.
func NewCountTest(alpha float64) (*CountTest, error) {
	if err := checkAlpha(alpha); err != nil {
		return nil, err
	}
	return &CountTest{bar: math.Log(slack * gamblers / alpha)}, nil
}

// Add gives the test a count x among trials and returns the verdict, Open, Above or Below.
// Once it is not Open, further counts are ignored. A count outside [0, trials], or NaN,
// breaks the claim by itself, and so does one that lo <= p <= hi makes impossible.
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

// CountRange returns the range a <= X <= b that a count as in CountTest leaves with
// probability at most alpha: alpha/2 on either side, by Chernoff's bound
//
//	P[X >= b] <= exp(-N D(b/N, hi)),    D(q, p) = q ln(q/p) + (1-q) ln((1-q)/(1-p)).
//
// Source: Chernoff (1952), Hoeffding (1963).
// Domain: trials >= 0; 0 <= lo <= hi <= 1; 1e-100 <= alpha < 1.
// Error: rounded outwards by 1e-9 trials; a and b are real numbers of [0, trials].
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

// divergence returns D(q, p), infinite where p makes q impossible. Its terms are deviances,
// which keep their digits where q is near p.
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
