package trace

import (
	"encoding/binary"
	"math"
	"math/rand/v2"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/approx/recycling"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// Replicas predict the errors of a recycling filter on a trace: the trace is replayed through several filters with
// different hash functions.
//
// If the arrays of a filter have at most 2^16 bits in total, each replica is a real filter of package kernel. So the
// simulation includes all effects of a fixed hash function. An example is a trace that repeats the same keys in a loop.
// With fixed positions, a key then finds the same bits set in every cycle. If a key is a false positive in one cycle,
// the filter calls it a repeat again in the next cycle. Without copy-over, such a key is not recorded.
//
// For larger filters, the bits are not simulated. The number of arrivals in a cycle is drawn at random. The mean and
// the variance of this number are the same as for a real filter. With fresh positions each cycle draws its own number.
// With fixed positions, a replica draws one number and uses it for all its cycles. This is so in a real filter if all
// cycles have the same keys. A replica forgets keys by the same rules as in the type Ladder. The false-positive rate
// follows from the arrivals in the cycle so far. Their number determines the mean number of set bits. Without
// copy-over, a key is recorded only when it arrives and no array has it. Each replica stores the number of the last
// such arrival of each key. If the frozen array matches a key by chance, the key is not recorded in this cycle. With
// fixed positions, it is then recorded in no cycle.
//
// Memory: 16 bytes for each key, or 80 bytes without copy-over. The bits of small filters take 128 kB. Use NewReplicas.
type Replicas struct {
	law    cycleLaw
	rule   bloomproof.Recycling
	warmup uint64

	seen  uint64
	last  []lastArrivals // the last arrivals; with copy-over all replicas share one list
	came  lastArrivals   // used without copy-over
	times []uint64       // how often the first replica forgot each key, if asked for
	each  []replica
	step  uint64
	rates []float64 // rates[i] is the false-positive rate of an array that has taken i times step arrivals
	rng   *rand.Rand
}

// Replicas of a large filter are simulated without bits. For this simulation, cycleLaw has the necessary data about the
// real filter.
type cycleLaw struct {
	mean, deviation float64 // of the number of arrivals in a cycle that the active array has not recorded

	// The function in the field "rate" returns the false-positive rate of an array after the given number of arrivals.
	// These arrivals are counted in the same way as for the field "mean".
	rate func(taken uint64) float64
}

// lawOf returns the cycleLaw of a filter. The filter recycles by the rule r, and its arrays have shape g. The mean is
// from approx/recycling. If b bits are set, the next position sets a further bit with probability 1-b/m. So the number
// of positions in a cycle is distributed as in the coupon collector's problem. Its mean and its variance are sums over
// all b <= sigma. The mean is the sum of 1/(1-b/m). The variance is the sum of (b/m)/(1-b/m)^2.
//
// These sums are computed by integrals. Divide the standard deviation of this number of positions by its mean. For the
// number of arrivals in a cycle, this quotient has the same value. Suppose that the rule ends a cycle after N recorded
// messages. Then all other arrivals of the cycle are false positives. Their number is nearly Poisson distributed.
func lawOf(g bloomproof.Geometry, r bloomproof.Recycling) (cycleLaw, error) {
	// Without copy-over, an arrival that matches the frozen array sets no bits. So such arrivals are not counted. Fresh
	// positions set as many bits as fixed positions.
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
		_, less := collector(0.5 / m) // subtracting less leaves an empty array no variance
		law.deviation = law.mean * math.Sqrt(max(variance-less, 0)/m) / (mean - before)
	}
	law.rate = func(taken uint64) float64 {
		rate, err := approx.FPR(g, taken)
		if err != nil {
			return 0 // no arrivals were taken
		}
		return rate
	}
	return law, nil
}

// The function "collector" returns the integrals of 1/(1-t) and of t/(1-t)^2 over t from 0 to x.
func collector(x float64) (mean, variance float64) {
	log := math.Log1p(-x)
	return -log, x/(1-x) + log
}

type replica struct {
	cycles
	mean, deviation float64                 // mean and standard deviation of the length of a cycle
	frozenRate      float64                 // the false-positive rate of the frozen array
	filter          *kernel.RecyclingFilter // nil in a replica without bits
	chance          float64                 // an upper bound of the variance of Lucky, from the rates
	Outcome
}

// Outcome has the counts of one replica after the warm-up.
type Outcome struct {
	Arrivals, New  uint64
	Recycles       uint64
	Forgotten      uint64  // the number of repeats of keys that no array has recorded
	Lucky          float64 // how many of Forgotten are called repeats; an expected number if there are no bits
	FalsePositives float64 // how many of New are called repeats; an expected number
}

const (
	replicas        = 16
	replicasOwnKeys = 8

	// The constants replicasT and ownKeysT are the 0.995 quantiles of Student's t with 15 and with 7 degrees of
	// freedom.
	replicasT = 2.947
	ownKeysT  = 3.499

	rateSteps = 512 // the number of parts of a cycle; in each the rate is interpolated linearly

	// The bits of a replica are simulated if all its arrays together have at most mostFilterBits bits. Sixteen such
	// replicas fit into the cache.
	mostFilterBits = 1 << 16
)

// NewReplicas returns several simulations of the same filter. The filter is empty at first. The filter recycles by the
// rule r, and each of its arrays has shape g. The first arrivals are recorded but not counted; the argument "warmup" is
// their number.
// Domain: the same as for approx/recycling.New. Positions may be fixed or fresh, and copy-over is optional.
// Errors: the errors of approx/recycling.New.
func NewReplicas(g bloomproof.Geometry, r bloomproof.Recycling, warmup uint64) (*Replicas, error) {
	law, err := lawOf(g, r)
	if err != nil {
		return nil, err
	}
	s := newReplicas(law, r, warmup)
	if arrays := 1 + map[bool]uint64{true: 1}[r.TwoPhase]; g.M <= mostFilterBits/arrays {
		s.giveBits(g)
	}
	return s, nil
}

// giveBits turns the replicas into real filters, each with its own hash function.
func (s *Replicas) giveBits(g bloomproof.Geometry) {
	for i := range s.each {
		f, err := kernel.NewRecycling(g, s.rule, kernel.Options{Seed: mix(uint64(i) + 1)})
		if err != nil {
			return // for this hashing only the rate is known
		}
		s.each[i].filter = f
	}
}

func newReplicas(law cycleLaw, r bloomproof.Recycling, warmup uint64) *Replicas {
	s := &Replicas{law: law, step: 1 + uint64(law.mean/rateSteps), rule: r, warmup: warmup, rng: rand.New(rand.NewPCG(3, 4))}
	n, own := replicas, 1
	if r.NoCopyOver {
		n, own = replicasOwnKeys, replicasOwnKeys
	}
	s.last = make([]lastArrivals, own)
	for range n {
		x := replica{mean: law.mean, deviation: law.deviation}
		if !r.FreshPositions {
			x.mean, x.deviation = law.mean+law.deviation*s.rng.NormFloat64(), 0
		}
		x.cycles = newCycles(s.draw(&x))
		if r.Retain { // the first array has no retained message, and takes one more
			x.length++
		}
		s.each = append(s.each, x)
	}
	return s
}

func (s *Replicas) draw(r *replica) uint64 { return draw(s.rng, r.mean, r.deviation) }

// The method "rate" returns the false-positive rate of an array that has taken the given number of arrivals. It
// interpolates linearly between the rates for multiples of s.step.
func (s *Replicas) rate(taken uint64) float64 {
	i := taken / s.step
	for uint64(len(s.rates)) <= i+1 {
		s.rates = append(s.rates, s.law.rate(uint64(len(s.rates))*s.step))
	}
	low := s.rates[i]
	return low + (s.rates[i+1]-low)*float64(taken%s.step)/float64(s.step)
}

// Observe takes the next arrival. The argument is the number of the arrival's key, as in Estimator.Observe. Observe
// returns the share of the replicas for which the arrival is a false negative. During the warm-up it returns 0.
// Cost: 20 to 150 ns on real traces. If the bits are simulated and most keys are forgotten, an arrival takes up to 700
// ns.
func (s *Replicas) Observe(key uint64) (missed float64) {
	s.seen++
	counted := s.seen > s.warmup
	var name [8]byte
	binary.LittleEndian.PutUint64(name[:], key)
	last, known := uint64(0), false
	if s.rule.NoCopyOver {
		known = s.came.exchange(key, s.seen) > 0
	}
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
		if frozen && s.rule.NoCopyOver {
			s.last[i][key] = last
			continue
		}
		rate := s.falsePositive(r)
		called, ended := rate, false
		if r.filter == nil {
			if s.rule.NoCopyOver && s.frozenMatches(i, key) {
				called = 1
				s.last[i][key] = last
			} else {
				ended = r.take()
			}
		} else {
			o := r.filter.Observe(name[:])
			if called, ended = 0, o.Recycled; o.Repeat() {
				called = 1
			}
			if s.rule.NoCopyOver && o.Frozen && !o.Active {
				s.last[i][key] = last // the key stays unrecorded
			}
		}
		if counted && !frozen {
			again := known || last > 0
			missed += r.count(again, rate, called, s.weight(i, key, again))
		}
		if ended {
			r.frozenRate = 0
			if s.rule.TwoPhase && r.filter == nil {
				r.frozenRate = s.rate(r.taken)
			}
			r.recycle(s.seen, s.draw(r), s.rule)
			if counted {
				r.Recycles++
			}
		}
	}
	return missed / float64(len(s.each))
}

// falsePositive returns the present false-positive rate of a replica. This is the probability that it calls an
// unrecorded key a repeat.
func (s *Replicas) falsePositive(r *replica) float64 {
	if r.filter != nil {
		return r.filter.Rate()
	}
	rate := s.rate(r.taken)
	return rate + r.frozenRate*(1-rate)
}

// The simulation does not store the bits of replica i. The frozen array of this replica may match a key by chance. The
// method frozenMatches decides whether this happens. The answer is the same throughout a cycle. With fixed positions,
// it is the same in all cycles.
func (s *Replicas) frozenMatches(i int, key uint64) bool {
	r := &s.each[i]
	x := mix(key+1) + uint64(i)
	if s.rule.FreshPositions {
		x += mix(r.start)
	}
	return float64(mix(x)>>11) < r.frozenRate*0x1p53
}

// Suppose that a known key arrives and that replica i has forgotten this key. Then the variance of the count in the
// field Lucky grows. The method "weight" returns an upper bound for this growth, divided by the false-positive rate.
// With fixed positions, the answers for a key may depend on one another. The reason is the other keys in the array.
// They may be the same each time the key arrives. In the extreme case, the filter gives the same answer for all n
// arrivals of the key. Then the variance is n^2 times the rate. If the bits are simulated, this effect occurs in the
// simulation itself.
func (s *Replicas) weight(i int, key uint64, known bool) float64 {
	if s.rule.FreshPositions || s.each[i].filter != nil || !known {
		return 1
	}
	for key >= uint64(len(s.times)) {
		s.times = append(s.times, 0)
	}
	if i == 0 {
		s.times[key]++
	}
	return 2*float64(max(s.times[key], 1)) - 1
}

// The method "count" counts an arrival of a key that no array of r has recorded. The argument "known" says whether the
// key has arrived before. The argument "called" is the probability that the filter reports the arrival as a repeat. If
// the key has arrived before, the product rate*weight is added to the variance of the field Lucky. The result is the
// probability that the arrival is a false negative.
func (r *replica) count(known bool, rate, called, weight float64) float64 {
	if !known {
		r.New++
		r.FalsePositives += rate
		return 0
	}
	r.Forgotten++
	r.Lucky += called
	r.chance += rate * weight
	return 1 - called
}

// Rate returns the mean of a ratio over the replicas. The interval predicts the ratio that a further replica would
// have. It is Student's t prediction interval with 99 % confidence. So it is for one filter, and not for the mean of
// many filters. Rate returns nil if a replica counted no trial. The hits must be linear in Lucky and FalsePositives.
//
// The number of arrivals that are called repeats is random. The interval includes this randomness. Each new key has its
// own positions. So for new keys, this number is assumed to be Poisson distributed. For forgotten keys, the variance of
// this number is assumed. If the bits of the replicas are simulated, the replicas also show this variance directly. The
// assumed variance is then a lower bound. If the bits are not simulated, the assumed variance is added. With fresh
// positions, the number is assumed to be Poisson distributed. With fixed positions, the filter is assumed to give the
// same answer at all arrivals of a key.
func (s *Replicas) Rate(of func(Outcome) (hits, trials float64)) *sim.Interval {
	var rates []float64
	mean, luck, lucky := 0., 0., 0.
	for _, r := range s.each {
		hits, trials := of(r.Outcome)
		if trials == 0 {
			return nil
		}
		rates = append(rates, hits/trials)
		moved := func(change func(o *Outcome)) float64 {
			o := r.Outcome
			change(&o)
			more, _ := of(o)
			return (more - hits) / trials * (more - hits) / trials / float64(len(s.each))
		}
		luck += moved(func(o *Outcome) { o.FalsePositives++ }) * r.FalsePositives
		lucky += moved(func(o *Outcome) { o.Lucky++ }) * r.chance
		mean += (hits/trials - rates[0]) / float64(len(s.each)) // the differences from the first rate are added, so that equal rates have no variance
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
	spread := squares / (n - 1) * (1 + 1/n)
	if s.each[0].filter == nil {
		spread += lucky
	} else {
		spread = max(spread, lucky) // the differences between the replicas already include this variance
	}
	half := t * math.Sqrt(spread+luck)
	return &sim.Interval{Mean: mean, Low: max(mean-half, 0), High: min(mean+half, 1)}
}
