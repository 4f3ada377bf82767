package main

import (
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof/internal/truth"
	"github.com/bloomproof/bloomproof/verify/stat"
)

// The type "sampled" describes the sample of keys that fits into the memory limit.
type sampled struct {
	Keys      count      `json:"keys"`
	Share     decimal    `json:"share"`               // the probability that a key is in the sample
	Intervals *estimates `json:"intervals,omitempty"` // intervals of the counts; nil if the sample has all keys
}

// The type "estimates" has counts that were estimated from a sample.
type estimates struct {
	Distinct       rate `json:"distinct"`
	TruePositives  rate `json:"true_positives"`
	FalsePositives rate `json:"false_positives"`
	TrueNegatives  rate `json:"true_negatives"`
	FalseNegatives rate `json:"false_negatives"`
	Lucky          rate `json:"lucky"`
	New            rate `json:"new"`
	CycleNew       rate `json:"cycle_new"`
}

// Each key of the sample has a count. The type perKey has the sum of these counts, and the sum of their squares.
type perKey struct{ sum, squares float64 }

func (p *perKey) add(n uint64) {
	x := float64(n)
	p.sum += x
	p.squares += x * x
}

// The sample contains the given share of all keys. The method "total" estimates the sum of the counts of all keys. The
// estimate is at least the sum of the counts in the sample. It is at most the argument "most".
//
// The estimate is unbiased. The confidence interval comes from a simplified model of the counts in the sample. In this
// model all counts have the same value, p.squares/p.sum. The number of counts has a Poisson distribution. The sum of
// the counts then has the variance that was estimated from the sample. The interval is then made narrower by the factor
// sqrt(1-share). The reason is that the sample contains the given share of all keys.
func (p perKey) total(share, most float64) (rate, error) {
	each := 1.0
	if p.sum > 0 {
		each = p.squares / p.sum
	}
	keys := p.sum / each
	const many = 1 << 39 // a number of trials so large that a binomial number is practically a Poisson number
	low, _, err := stat.ClopperPearson(uint64(keys), many, confidence)
	if err != nil {
		return rate{}, err
	}
	_, high, err := stat.ClopperPearson(uint64(math.Ceil(keys)), many, confidence)
	if err != nil {
		return rate{}, err
	}
	mean, narrower := min(p.sum/share, most), math.Sqrt(1-share)
	end := func(keys float64) decimal {
		return decimal(min(max(mean+narrower*(keys*each/share-mean), p.sum), most))
	}
	return rate{decimal(mean), end(low * many), end(high * many)}, nil
}

// The method "less" returns the difference whole - x as a rate with its interval.
func (x rate) less(whole float64) rate {
	return rate{decimal(whole) - x.Mean, decimal(whole) - x.High, decimal(whole) - x.Low}
}

// The method "over" returns x divided by n, as a rate with its interval.
func (x rate) over(n uint64) *rate {
	if n == 0 {
		return nil
	}
	d := decimal(n)
	return &rate{x.Mean / d, x.Low / d, x.High / d}
}

func (x rate) count() count { return count(math.Round(float64(x.Mean))) }

// The method "estimate" stores in r the counts and rates that are estimated from a sample of the keys.
func (r *replayReport) estimate(s *truth.Sample) error {
	var distinct, unseen, falsePositives, trueNegatives, falseNegatives, lucky, cycleNew perKey
	var first, later sum // the sums of the rates of the filter before each cycle-new arrival
	s.Each(func(m *truth.Message) {
		isNew, hit := uint64(0), uint64(0)
		if m.New {
			isNew = 1
			first.add(float64(m.First))
		}
		if m.FalsePositive {
			hit = 1
		}
		distinct.add(1)
		unseen.add(isNew)
		falsePositives.add(hit)
		trueNegatives.add(isNew - hit)
		falseNegatives.add(uint64(m.FalseNegatives))
		lucky.add(uint64(m.Lucky))
		cycleNew.add(isNew + uint64(m.FalseNegatives) + uint64(m.Lucky))
		later.add(float64(m.Later))
	})
	share, arrivals := s.Share(), float64(s.Arrivals)
	e := &estimates{}
	for _, x := range []struct {
		to   *rate
		of   perKey
		most float64
	}{
		{&e.Distinct, distinct, arrivals + float64(r.WarmupArrivals)}, {&e.New, unseen, arrivals},
		{&e.FalsePositives, falsePositives, float64(s.Positives)}, {&e.TrueNegatives, trueNegatives, arrivals - float64(s.Positives)},
		{&e.FalseNegatives, falseNegatives, arrivals - float64(s.Positives)}, {&e.Lucky, lucky, float64(s.Positives)},
		{&e.CycleNew, cycleNew, arrivals},
	} {
		var err error
		if *x.to, err = x.of.total(share, x.most); err != nil {
			return err
		}
	}
	e.TruePositives = e.FalsePositives.less(float64(s.Positives))
	r.Sample.Intervals = e
	r.Distinct, r.New, r.CycleNew = e.Distinct.count(), e.New.count(), e.CycleNew.count()
	r.TruePositives, r.FalsePositives, r.Lucky = e.TruePositives.count(), e.FalsePositives.count(), e.Lucky.count()
	r.TrueNegatives, r.FalseNegatives, r.InCycle = e.TrueNegatives.count(), e.FalseNegatives.count(), count(s.InCycle)

	r.FPR.PerArrival, r.FNR = e.FalsePositives.over(s.Arrivals), e.FalseNegatives.over(s.Arrivals)
	var err error
	if r.FPR.PerNew, err = measure(uint64(falsePositives.sum), uint64(unseen.sum)); err != nil {
		return err
	}
	if r.FPR.PerCycleNew, err = clustered(s, falsePositives.sum+lucky.sum, cycleNew.sum); err != nil {
		return err
	}
	if n := s.Arrivals; n > 0 {
		r.GivenFills.PerArrival = some(first.total / share / float64(n))
	}
	r.GivenFills.PerNew = first.over(uint64(unseen.sum))
	first.add(later.total)
	r.GivenFills.PerCycleNew = first.over(uint64(cycleNew.sum))
	return nil
}

// The hits and the trials come from the sample s. From these, the function "clustered" computes the rate of false
// positives per cycle-new arrival. The hits of one key are not independent. So the Clopper-Pearson interval is computed
// for an effective number of independent trials (Korn and Graubard, Survey Methodology 24, 1998). This number is chosen
// so that the variance of the share of hits remains the same.
func clustered(s *truth.Sample, hits, trials float64) (*rate, error) {
	if trials == 0 {
		return nil, nil
	}
	mean, variance := hits/trials, 0.0
	s.Each(func(m *truth.Message) {
		x, n := float64(m.Lucky), float64(m.Lucky)+float64(m.FalseNegatives)
		if m.New {
			n++
		}
		if m.FalsePositive {
			x++
		}
		variance += (x - mean*n) * (x - mean*n)
	})
	effective := trials
	if variance > 0 {
		effective = min(trials, mean*(1-mean)*trials*trials/variance)
	}
	n := max(uint64(effective), 1)
	low, _, err := stat.ClopperPearson(uint64(mean*float64(n)), n, confidence)
	if err != nil {
		return nil, err
	}
	_, high, err := stat.ClopperPearson(min(uint64(math.Ceil(mean*float64(n))), n), n, confidence)
	if err != nil {
		return nil, err
	}
	return &rate{decimal(mean), decimal(low), decimal(high)}, nil
}

// The method "counted" returns a count as text, with its interval if the count was estimated.
func (r *replayReport) counted(n count, of func(*estimates) rate) string {
	if r.Sample == nil || r.Sample.Intervals == nil {
		return fmt.Sprint(n)
	}
	x := of(r.Sample.Intervals)
	return fmt.Sprintf("%d (%.0f to %.0f)", n, math.Floor(float64(x.Low)), math.Ceil(float64(x.High)))
}
