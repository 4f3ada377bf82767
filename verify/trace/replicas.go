package trace

import (
	"math"
	"math/rand/v2"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/approx/recycling"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// Replicas tell what a recycling filter will do on a trace, from the mean and the variance of the
// arrivals that its cycles take: several imagined filters without bits see the trace, each with
// cycles of lengths of its own. They forget as Ladder says. What the filter calls a repeat by
// chance is that of the bits that so many arrivals set in the mean.
//
// Without copy-over a key is recorded where it came last while no array had it, which each
// replica remembers itself.
//
// Memory: 8 bytes a key, and 64 without copy-over. Use NewReplicas.
type Replicas struct {
	law    cycleLaw
	rule   bloomproof.Recycling
	warmup uint64

	seen  uint64
	last  []lastArrivals // one for all with copy-over
	each  []replica
	step  uint64
	rates []float64 // of false positives of an array that took so many times step arrivals
	rng   *rand.Rand
}

// cycleLaw is what replicas know of a filter.
type cycleLaw struct {
	mean, deviation float64 // of the arrivals in a cycle that the active array has not recorded

	// rate returns the false-positive rate of an array that took so many of them.
	rate func(taken uint64) float64
}

// lawOf returns the law of a filter. The mean is that of approx/recycling. A position sets a bit
// with probability 1-b/m when b are set, so the positions of a cycle have the mean and the variance
// of the coupon collector,
//
//	sum over b <= sigma of 1/(1-b/m) and of (b/m)/(1-b/m)^2,
//
// for which integrals are taken; the arrivals have the same deviation over their mean.
// Message-bounded, the arrivals beyond N are the false positives, nearly a Poisson number.
func lawOf(g bloomproof.Geometry, r bloomproof.Recycling) (cycleLaw, error) {
	// What the frozen array matches is left out without copy-over: it takes no room. Both positions
	// set as many bits.
	r.FreshPositions, r.NoCopyOver = true, false
	c, err := recycling.New(g, r)
	if err != nil {
		return cycleLaw{}, err
	}
	law := cycleLaw{mean: c.Capacity()}
	if r.Messages > 0 {
		law.deviation = math.Sqrt(max(law.mean-float64(r.Messages), 0))
	} else {
		m := float64(g.M)
		mean, variance := collector((float64(r.Sigma) + 0.5) / m)
		before, _ := collector(-0.5 / m)
		_, less := collector(0.5 / m) // an empty array has no variance
		law.deviation = law.mean * math.Sqrt(max(variance-less, 0)/m) / (mean - before)
	}
	law.rate = func(taken uint64) float64 {
		rate, err := approx.FPR(g, taken)
		if err != nil {
			return 0 // for none taken
		}
		return rate
	}
	return law, nil
}

// collector returns the integrals of 1/(1-x) and x/(1-x)^2 from 0 to x.
func collector(x float64) (mean, variance float64) {
	log := math.Log1p(-x)
	return -log, x/(1-x) + log
}

type replica struct {
	cycles
	frozenRate float64 // of the array as it froze
	Outcome
}

// Outcome is what one of Replicas has counted after the warm-up.
type Outcome struct {
	Arrivals, New  uint64
	Recycles       uint64
	Forgotten      uint64  // repeats of keys that no array has recorded
	Lucky          float64 // of them, those that are called repeats, in the mean
	FalsePositives float64 // of New, in the mean
}

const (
	replicas        = 16
	replicasOwnKeys = 8

	// The 0.995 quantiles of Student's t with 15 and 7 degrees of freedom.
	replicasT = 2.947
	ownKeysT  = 3.499

	rateSteps = 512 // of a cycle, in which the rate is taken to be a line
)

// NewReplicas returns replicas of an empty filter of shape g (of each array) that recycles by r.
// Arrivals up to warmup are recorded and not counted.
// Domain: that of approx/recycling.New, whatever the positions and copy-over. Errors: those of it.
func NewReplicas(g bloomproof.Geometry, r bloomproof.Recycling, warmup uint64) (*Replicas, error) {
	law, err := lawOf(g, r)
	if err != nil {
		return nil, err
	}
	return newReplicas(law, r, warmup), nil
}

func newReplicas(law cycleLaw, r bloomproof.Recycling, warmup uint64) *Replicas {
	s := &Replicas{law: law, step: 1 + uint64(law.mean/rateSteps), rule: r, warmup: warmup, rng: rand.New(rand.NewPCG(3, 4))}
	n, own := replicas, 1
	if r.NoCopyOver {
		n, own = replicasOwnKeys, replicasOwnKeys
	}
	s.last = make([]lastArrivals, own)
	for range n {
		first := s.draw()
		if r.Retain { // an empty array retains nothing, and takes one more
			first++
		}
		s.each = append(s.each, replica{cycles: newCycles(first)})
	}
	return s
}

func (s *Replicas) draw() uint64 { return draw(s.rng, s.law.mean, s.law.deviation) }

// rate returns the rate of false positives of an array: between two multiples of step on a line.
func (s *Replicas) rate(taken uint64) float64 {
	i := taken / s.step
	for uint64(len(s.rates)) <= i+1 {
		s.rates = append(s.rates, s.law.rate(uint64(len(s.rates))*s.step))
	}
	low := s.rates[i]
	return low + (s.rates[i+1]-low)*float64(taken%s.step)/float64(s.step)
}

// Observe takes the next arrival: the number of its key, as Estimator.Observe. It returns the share
// of the replicas that miss it: the probability of a false negative; 0 in the warm-up.
// Cost: 20 to 150 ns on real traces.
func (s *Replicas) Observe(key uint64) (missed float64) {
	s.seen++
	counted := s.seen > s.warmup
	last := uint64(0)
	for i := range s.each {
		r := &s.each[i]
		if i < len(s.last) {
			last = s.last[i].exchange(key, s.seen)
		}
		if counted {
			r.Arrivals++
		}
		if last >= r.start {
			continue
		}
		frozen := s.rule.TwoPhase && r.has(last)
		if counted && !frozen {
			missed += s.count(r, last > 0)
		}
		if frozen && s.rule.NoCopyOver {
			s.last[i][key] = last
			continue
		}
		if r.take() {
			r.frozenRate = 0
			if s.rule.TwoPhase {
				r.frozenRate = s.rate(r.taken)
			}
			r.recycle(s.seen, s.draw(), s.rule)
			if counted {
				r.Recycles++
			}
		}
	}
	return missed / float64(len(s.each))
}

// count counts an arrival that no array of r has, known or not. It returns the probability that
// it is a false negative.
func (s *Replicas) count(r *replica, known bool) float64 {
	rate := s.rate(r.taken)
	rate += r.frozenRate * (1 - rate)
	if !known {
		r.New++
		r.FalsePositives += rate
		return 0
	}
	r.Forgotten++
	r.Lucky += rate
	return 1 - rate
}

// Rate returns a ratio, in the mean over the replicas, and the interval of Student's t at 99 % for
// one more of them: for one filter, and not for the mean of many. It returns nil where a replica
// counted no trial. The interval is of the chance where cycles end, and of the chance that single
// arrivals are called repeats, as if each had its own: of Lucky and FalsePositives, to which the
// hits must be linear, the numbers of a filter are taken for Poisson's.
func (s *Replicas) Rate(of func(Outcome) (hits, trials float64)) *sim.Interval {
	var rates []float64
	mean, luck := 0., 0.
	for _, r := range s.each {
		hits, trials := of(r.Outcome)
		if trials == 0 {
			return nil
		}
		rates = append(rates, hits/trials)
		for _, one := range []Outcome{{Lucky: 1}, {FalsePositives: 1}} {
			o := r.Outcome
			o.Lucky += one.Lucky
			o.FalsePositives += one.FalsePositives
			more, _ := of(o)
			moved := (more - hits) / trials
			luck += moved * moved * (r.Lucky*one.Lucky + r.FalsePositives*one.FalsePositives) / float64(len(s.each))
		}
		mean += (hits/trials - rates[0]) / float64(len(s.each)) // from the first one, so that equal ones have no variance
	}
	mean += rates[0]
	squares := 0.
	for _, x := range rates {
		squares += (x - mean) * (x - mean)
	}
	n := float64(len(rates))
	t := replicasT
	if len(s.each) == replicasOwnKeys {
		t = ownKeysT
	}
	half := t * math.Sqrt(squares/(n-1)*(1+1/n)+luck)
	return &sim.Interval{Mean: mean, Low: max(mean-half, 0), High: min(mean+half, 1)}
}
