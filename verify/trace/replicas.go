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

// Replicas tell what a recycling filter will do on a trace: several filters see it that have
// other hash functions.
//
// Small ones, of up to 2^16 bits in all arrays, are filters of kernel. So all that a hash function
// makes alike is in them: with fixed positions the keys of a loop meet the same bits in every cycle,
// a key that is called a repeat by chance is called so again, and without copy-over it is not
// recorded.
//
// Larger ones are imagined, without bits. The arrivals that a cycle takes have the mean and the
// variance of those of the filter: each cycle its own with fresh positions; with fixed ones all
// cycles of a replica differ by as much from the mean, as they do where all have the same keys. They
// forget as Ladder says. What the filter calls a repeat by chance is that of the bits that so many
// arrivals set in the mean. Without copy-over a key is recorded where it came last while no array
// had it, which each replica remembers itself; what the frozen array matches by chance is not
// recorded in that cycle, and with fixed positions in none.
//
// Memory: 16 bytes a key, and 80 without copy-over; 128 kB for small filters. Use NewReplicas.
type Replicas struct {
	law    cycleLaw
	rule   bloomproof.Recycling
	warmup uint64

	seen  uint64
	last  []lastArrivals // one for all with copy-over
	came  lastArrivals   // without it
	times []uint64       // that the first replica forgot each key, where that is asked for
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
	mean, deviation float64                 // of the length of a cycle
	frozenRate      float64                 // of the array as it froze
	filter          *kernel.RecyclingFilter // nil where lengths are drawn
	chance          float64                 // the variance of Lucky by the rates, at most
	Outcome
}

// Outcome is what one of Replicas has counted after the warm-up.
type Outcome struct {
	Arrivals, New  uint64
	Recycles       uint64
	Forgotten      uint64  // repeats of keys that no array has recorded
	Lucky          float64 // of them, those that are called repeats, in the mean where there are no bits
	FalsePositives float64 // of New, in the mean
}

const (
	replicas        = 16
	replicasOwnKeys = 8

	// The 0.995 quantiles of Student's t with 15 and 7 degrees of freedom.
	replicasT = 2.947
	ownKeysT  = 3.499

	rateSteps = 512 // of a cycle, in which the rate is taken to be a line

	// mostFilterBits are those of all arrays of a replica that is a filter: sixteen are in the cache.
	mostFilterBits = 1 << 16
)

// NewReplicas returns replicas of an empty filter of shape g (of each array) that recycles by r.
// Arrivals up to warmup are recorded and not counted.
// Domain: that of approx/recycling.New, whatever the positions and copy-over. Errors: those of it.
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

// giveBits makes filters of the replicas, each with a hash function of its own.
func (s *Replicas) giveBits(g bloomproof.Geometry) {
	for i := range s.each {
		f, err := kernel.NewRecycling(g, s.rule, kernel.Options{Seed: mix(uint64(i) + 1)})
		if err != nil {
			return // of a hashing whose rate alone is known
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
		if r.Retain { // an empty array retains nothing, and takes one more
			x.length++
		}
		s.each = append(s.each, x)
	}
	return s
}

func (s *Replicas) draw(r *replica) uint64 { return draw(s.rng, r.mean, r.deviation) }

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
// Cost: 20 to 150 ns on real traces; with bits up to 700 ns where most keys are forgotten.
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
				s.last[i][key] = last // it stays unrecorded
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

// falsePositive returns the rate of false positives of a replica.
func (s *Replicas) falsePositive(r *replica) float64 {
	if r.filter != nil {
		return r.filter.Rate()
	}
	rate := s.rate(r.taken)
	return rate + r.frozenRate*(1-rate)
}

// frozenMatches reports whether the frozen array of replica i, which has no bits, has a key by chance:
// in one cycle always or never, and with fixed positions in all.
func (s *Replicas) frozenMatches(i int, key uint64) bool {
	r := &s.each[i]
	x := mix(key+1) + uint64(i)
	if s.rule.FreshPositions {
		x += mix(r.start)
	}
	return float64(mix(x)>>11) < r.frozenRate*0x1p53
}

// weight returns by how many times the rate the variance of Lucky grows at most when replica i has
// forgotten a known key. With fixed positions the same keys may meet a key whenever it comes, so that
// its n arrivals are all lucky or none is: a variance of n^2 times the rate. A replica with bits shows
// that itself.
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

// count counts an arrival that no array of r has, known or not, which is called a repeat with some
// probability, and the variance of that by weight. It returns the probability that it is a false
// negative.
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

// Rate returns a ratio, in the mean over the replicas, and the interval of Student's t at 99 % for
// one more of them: for one filter, and not for the mean of many. It returns nil where a replica
// counted no trial. The hits must be linear to Lucky and FalsePositives.
//
// The chance that single arrivals are called repeats is in the interval too. The numbers of new
// ones are taken for Poisson's, since each has positions of its own. Those of forgotten ones are the
// replicas' own where they have bits. Where they have not, or where the replicas differ by less, they
// are taken for Poisson's; with fixed positions, for those of keys that are lucky always or never.
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
	spread := squares / (n - 1) * (1 + 1/n)
	if s.each[0].filter == nil {
		spread += lucky
	} else {
		spread = max(spread, lucky) // which it has in it
	}
	half := t * math.Sqrt(spread+luck)
	return &sim.Interval{Mean: mean, Low: max(mean-half, 0), High: min(mean+half, 1)}
}
