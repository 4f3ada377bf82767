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
// arrivals that its cycles take: several imagined filters without bits see the trace, each with cycles of
// lengths of its own. They forget as Ladder says. What the filter calls a repeat by chance
// is that of the bits that so many arrivals set in the mean.
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

	course       []Stretch
	courseLength uint64
}

// cycleLaw is what replicas know of a filter.
type cycleLaw struct {
	mean, deviation float64 // of the arrivals in a cycle that the active array has not recorded

	// rate returns the false-positive rate of an array that took so many of them.
	rate func(taken uint64) float64
}

// lawOf returns the law of a filter. The mean is that of approx/recycling. With s the share of the
// bits that end a cycle, which takes T positions, T has mean -m ln(1-s) and variance
// m (s/(1-s) + ln(1-s)) but for terms of 1/m: those of the coupon collector. Message-bounded, the
// arrivals beyond N are the false positives, nearly a Poisson number.
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
		log := math.Log1p(-(float64(r.Sigma) + 0.5) / m)
		law.deviation = -law.mean * math.Sqrt((math.Expm1(-log)+log)/m) / log
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

type replica struct {
	cycles
	frozenRate float64 // of the array as it froze
	Outcome
}

// Outcome is what one of Replicas has counted after the warm-up.
type Outcome struct {
	Arrivals, New  uint64
	Forgotten      uint64  // repeats of keys that no array has recorded
	Lucky          float64 // of them, those that are called repeats, in the mean
	FalsePositives float64 // of New, in the mean
}

// Stretch is a part of a trace.
type Stretch struct {
	From, Arrivals uint64  // the number of the first, from 0, the warm-up included
	FalseNegatives float64 // forgotten and called new, in the mean over the replicas
}

const (
	replicas        = 16
	replicasOwnKeys = 8

	// The 0.995 quantiles of Student's t with 15 and 7 degrees of freedom.
	replicasT = 2.947
	ownKeysT  = 3.499

	rateSteps = 512 // of a cycle, in which the rate is taken to be a line

	firstStretch  = 1000
	mostStretches = 16
)

// NewReplicas returns replicas of an empty filter of shape g (of each array) that recycles by r. Arrivals up to
// warmup are recorded and not counted.
// Domain: that of approx/recycling.New, whatever the positions and copy-over. Errors: those of it.
func NewReplicas(g bloomproof.Geometry, r bloomproof.Recycling, warmup uint64) (*Replicas, error) {
	law, err := lawOf(g, r)
	if err != nil {
		return nil, err
	}
	return newReplicas(law, r, warmup), nil
}

func newReplicas(law cycleLaw, r bloomproof.Recycling, warmup uint64) *Replicas {
	s := &Replicas{law: law, step: 1 + uint64(law.mean/rateSteps), rule: r, warmup: warmup, rng: rand.New(rand.NewPCG(3, 4)), courseLength: firstStretch}
	n, own := replicas, 1
	if r.NoCopyOver {
		n, own = replicasOwnKeys, replicasOwnKeys
	}
	s.last = make([]lastArrivals, own)
	for range n {
		s.each = append(s.each, replica{cycles: newCycles(s.draw())})
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

// Observe takes the next arrival: the number of its key, as Estimator.Observe.
// Cost: 10 to 100 ns.
func (s *Replicas) Observe(key uint64) {
	s.seen++
	counted := s.seen > s.warmup
	missed := 0.
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
		}
	}
	if counted {
		s.note(missed / float64(len(s.each)))
	}
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

// note adds an arrival to the course. Stretches are joined in pairs when they become many.
func (s *Replicas) note(missed float64) {
	if n := len(s.course); n == 0 || s.course[n-1].Arrivals == s.courseLength {
		if n == mostStretches {
			for i := range n / 2 {
				a, b := s.course[2*i], s.course[2*i+1]
				s.course[i] = Stretch{a.From, a.Arrivals + b.Arrivals, a.FalseNegatives + b.FalseNegatives}
			}
			s.course, s.courseLength = s.course[:n/2], 2*s.courseLength
		}
		s.course = append(s.course, Stretch{From: s.seen - 1})
	}
	x := &s.course[len(s.course)-1]
	x.Arrivals++
	x.FalseNegatives += missed
}

// Rate returns a ratio, in the mean over the replicas, and the interval of Student's t at 99 % for one more of them: for
// one filter, and not for the mean of many. It returns nil where a replica counted no trial.
// The interval is of the chance where cycles end. What it leaves out is the chance that single keys are
// called repeats: that of about as many trials.
func (s *Replicas) Rate(of func(Outcome) (hits, trials float64)) *sim.Interval {
	n := float64(len(s.each))
	mean, square := 0., 0.
	for _, r := range s.each {
		hits, trials := of(r.Outcome)
		if trials == 0 {
			return nil
		}
		x := hits / trials
		mean += x / n
		square += x * x / n
	}
	t := replicasT
	if len(s.each) == replicasOwnKeys {
		t = ownKeysT
	}
	half := t * math.Sqrt(max(square-mean*mean, 0)*n/(n-1)*(1+1/n))
	return &sim.Interval{Mean: mean, Low: max(mean-half, 0), High: min(mean+half, 1)}
}

// Course returns up to 16 stretches of as many arrivals each, a thousand or a power of two times as
// many, but for the last.
func (s *Replicas) Course() []Stretch { return s.course }
