package trace

import (
	"cmp"
	"math"
	"slices"

	"github.com/bloomproof/bloomproof/internal/numeric"
)

// The constant "classes" is the largest number of classes of keys in the chi-square test.
const classes = 64

// Stationarity compares two halves of a trace. It compares how popular the keys are in the first half and in the second
// half. Only the counted part of the trace is divided into halves.
type Stationarity struct {
	New [2]uint64 // new messages in each half; far fewer in the second half mean that the trace has just begun

	// Distance is the total variation distance between the popularities in the two halves. This is half the sum, over
	// all keys, of |share of the key in the first half - share in the second half|. Distance is 0 if both halves have
	// the same popularities. It is 1 if no key occurs in both halves. Noise is a distance that chance alone can cause.
	// In a random order of the arrivals, the mean value of Distance is at most Noise.
	Distance, Noise float64

	// ChiSquare is the statistic of a chi-square test. The test compares the two halves for homogeneity. Each class of
	// the test has keys of similar total count. Each class except the last covers at least 1/64 of the arrivals.
	// Freedom is the number of degrees of freedom of ChiSquare. Suppose that arrivals are independent and that the
	// halves have the same popularities. Then P is the probability that ChiSquare is larger than this value by chance.
	// If arrivals come in bursts, P is too small. In this case, compare Distance with Noise.
	ChiSquare float64
	Freedom   uint64
	P         float64
}

func stationarity(keys []seenKey, half, arrivals uint64) (*Stationarity, error) {
	s := new(Stationarity)
	var in []seenKey
	for _, k := range keys {
		if k.count == 0 {
			continue
		}
		in = append(in, k)
		if k.state == entered {
			if k.early > 0 {
				s.New[0]++
			} else {
				s.New[1]++
			}
		}
	}
	slices.SortFunc(in, func(a, b seenKey) int { return cmp.Compare(b.count, a.count) })
	n, h := float64(arrivals), float64(half)
	apart := n / (2 * h * (n - h)) // the factor from |early - count h/n| to a part of Distance
	p := h / n
	var count, early, lastCount, lastNoise float64
	for i, k := range in {
		c := float64(k.count)
		s.Distance += math.Abs(float64(k.early)-c*p) * apart
		if c != lastCount {
			lastCount, lastNoise = c, meanDeviation(k.count, p)*apart
		}
		s.Noise += lastNoise
		count += c
		early += float64(k.early)
		// Keys with equal counts are in the order of their first arrivals. The classes must not depend on this order.
		if i+1 < len(in) && (count*classes < n || in[i+1].count == k.count) {
			continue
		}
		d := early - count*p
		s.ChiSquare += d * d / (count * p * (1 - p))
		s.Freedom++
		count, early = 0, 0
	}
	s.Freedom-- // because the totals of the halves are given
	s.P = 1
	if s.Freedom > 0 {
		p, err := numeric.ChiSquareTail(s.ChiSquare, s.Freedom)
		if err != nil {
			return nil, err
		}
		s.P = p
	}
	return s, nil
}

// meanDeviation returns E|X - cp|, where X has the binomial distribution of c trials with probability p. It uses the
// formula of de Moivre:
//
//	2 a (1-p) C(c,a) p^a (1-p)^(c-a), where a = floor(cp)+1.
//
// If X instead counts arrivals in random order, its distribution is hypergeometric. Then the mean deviation is smaller
// (Hoeffding, JASA 58 (1963), theorem 4).
func meanDeviation(c uint64, p float64) float64 {
	n := float64(c)
	a := math.Floor(n*p) + 1
	lc, _ := math.Lgamma(n + 1)
	la, _ := math.Lgamma(a + 1)
	lb, _ := math.Lgamma(n - a + 1)
	return 2 * a * (1 - p) * math.Exp(lc-la-lb+a*math.Log(p)+(n-a)*math.Log1p(-p))
}
