package trace

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/requests"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/sim"
)

const (
	// The capacities of successive rungs grow by a constant factor. They double after rungsAnOctave rungs. To
	// interpolate a rate, a straight line is drawn through neighbouring rungs. The constant "window" is the number of
	// these rungs. The rate is computed for cycles of some length. The cycles of the neighbouring rungs are at most 9 %
	// shorter or longer than this.
	rungsAnOctave = 32
	window        = 9

	// windowT is the 0.995 quantile of Student's t with 7 degrees of freedom. A straight line with two parameters is
	// fitted to 9 rungs, so there are 9 - 2 degrees of freedom.
	windowT = 3.499

	// Keys are divided into groups at random. The differences between groups show how much the result would change with
	// another sample of keys. The constant normalT is the 0.995 quantile of the normal distribution.
	groups  = 16
	normalT = 2.576

	rungBlock = 16 // the number of rungs that are skipped at once

	// leastCapacity is the capacity of the first rung. Shorter cycles would end at nearly every arrival, and simulating
	// them would take much time.
	leastCapacity = 4
)

// The number of arrivals that a cycle takes has a mean and a variance. The constant halfFull is the variance divided by
// the mean. For a filter that recycles when it is half full, this quotient is 0.44/k; here k = 7. Because of this
// variance, cycles do not synchronise with a periodic trace. This constant affects the rates only in second order.
const halfFull = 0.44 / 7

// Ladder computes the share of a trace that a recycling filter forgets. One pass over the trace gives this share for
// filters of every capacity.
//
// With copy-over, the recorded keys depend only on the trace and on where cycles end. A key is recorded if its last
// arrival lies in the present cycle. With two phases, a key is also recorded if its last arrival lies in the previous
// cycle. A cycle ends when a certain number of distinct keys have arrived in it. Apart from random variation, this
// number is the capacity of the filter. So the ladder has many rungs, and each rung has a capacity. From rung to rung,
// the capacity grows by a constant factor. It doubles after 32 rungs. For each rung, the ladder counts the arrivals
// that a filter with such cycles forgets. The filter is empty at first. The count is exact for these cycles and for any
// order of the arrivals. It assumes neither stationarity nor independence.
//
// If the frozen array has a key and there is no copy-over, the key is not recorded again. So the last arrivals do not
// determine which keys are recorded. In this case each rung stores a time for each key. This is the time at which the
// key was recorded. The results are then only for filters with two phases.
//
// The result is approximate for three reasons. First, the capacity of a filter lies between the capacities of two
// rungs. Second, the cycles of the filter differ slightly in length. Third, these cycles begin at random arrivals. The
// cycles of neighbouring rungs do not begin at the same arrivals as the cycles of the filter. So the confidence
// interval follows from the differences between neighbouring rungs.
//
// Memory: a ladder takes 300 kB, 8 bytes for each key and 320 bytes for each rung. For d keys there are 32 log2 d
// rungs. Without copy-over, each rung takes 8 more bytes for each key. Use NewLadder.
type Ladder struct {
	rule   bloomproof.Recycling
	warmup uint64

	seen     uint64
	distinct uint64
	sampled  float64 // the share of the keys that the ladder sees
	next     uint64  // the number of distinct keys that ends the first cycle of the next rung
	last     lastArrivals
	rungs    []rung   // only rungs whose first cycle has ended
	latest   []uint64 // for each block of rungs, the largest of the starts in it
	own      []record // the records of each key; used without copy-over
	starts   []uint64 // for each rung, a copy of its field start
	jitter   float64  // variance of the arrivals in a cycle, divided by their mean: halfFull except in tests
	rng      *rand.Rand

	parts      stretches
	compared   []*forgetting // the quarters of the trace, up to arrival comparedAt
	apart      int
	comparedAt uint64
}

type rung struct {
	cycles
	mean, deviation float64           // mean and standard deviation of the length of a cycle
	forgotten       [2][groups]uint64 // forgotten arrivals with one phase and with two, for each group of keys
}

// The type "record" says when each rung recorded a key. If a rung was added after the key's last arrival, the time of
// the key's first arrival is used instead.
type record struct {
	first uint64
	at    []uint64
}

// NewLadder returns the ladder of an empty filter. The rule r says whether the filter retains the triggering message,
// when it freezes an array, and whether it has copy-over. The first arrivals are recorded but not counted; the argument
// "warmup" is their number.
// Errors: *bloomproof.ParamError for one phase without copy-over.
func NewLadder(r bloomproof.Recycling, warmup uint64) (*Ladder, error) {
	if r.NoCopyOver && !r.TwoPhase {
		return nil, &bloomproof.ParamError{Param: "copy", Value: false, Want: "true with one phase"}
	}
	return &Ladder{rule: r, warmup: warmup, next: leastCapacity, sampled: 1, jitter: halfFull, parts: stretches{length: 1}, rng: rand.New(rand.NewPCG(1, 2))}, nil
}

// The argument "place" is a position on the ladder. The rungs have the positions 0, 1, 2 and so on. A position between
// two rungs is not an integer. capacityOf returns the mean capacity of the cycles for the position "place".
func capacityOf(place float64) float64 { return leastCapacity * math.Exp2(place/rungsAnOctave) }

// Observe takes the next arrival. The argument is the number of the arrival's key, as in Estimator.Observe.
// Cost: about 1 us on real traces, and 2 us more without copy-over. The shortest cycles take most of this time.
func (l *Ladder) Observe(key uint64) {
	l.seen++
	last := l.last.exchange(key, l.seen)
	if l.seen > l.warmup {
		gap := uint64(0)
		if last > 0 {
			gap = l.seen - last
		}
		l.parts.add(l.seen-l.warmup-1, gap)
	}
	if l.rule.NoCopyOver {
		l.observeOwn(last, key)
	} else {
		l.observeLast(last, key)
	}
	if last == 0 {
		l.distinct++
		for l.distinct >= l.next {
			l.grow()
		}
	}
}

// observeLast processes an arrival if the rule has copy-over. In some of the rungs, the present cycle does not contain
// the key's last arrival. Only these rungs process the new arrival.
func (l *Ladder) observeLast(last, key uint64) {
	for b := range l.latest {
		if last >= l.latest[b] {
			continue
		}
		rungs := l.rungs[b*rungBlock : min((b+1)*rungBlock, len(l.rungs))]
		for i := range rungs {
			if r := &rungs[i]; last < r.start {
				l.unrecorded(b*rungBlock+i, last, key)
			}
		}
	}
}

// The method "unrecorded" processes an arrival in rung i. It is called only if the active array of this rung has not
// recorded the key.
func (l *Ladder) unrecorded(i int, last, key uint64) {
	r := &l.rungs[i]
	if last > 0 && l.seen > l.warmup {
		group := mix(key+1) % groups
		r.forgotten[0][group]++ // not used without copy-over
		if !r.has(last) {
			r.forgotten[1][group]++
		}
	}
	if r.take() {
		l.recycle(i)
	}
}

// observeOwn processes an arrival if the rule has no copy-over. In some rungs, no array has the key of the arrival.
// Only these rungs process the arrival.
func (l *Ladder) observeOwn(last, key uint64) {
	for key >= uint64(len(l.own)) {
		l.own = append(l.own, record{})
	}
	own := &l.own[key]
	if last == 0 {
		own.first = l.seen
		own.at = make([]uint64, len(l.rungs)) // 0 means that the key is not recorded
	}
	for len(own.at) < len(l.rungs) {
		own.at = append(own.at, own.first)
	}
	for i, at := range own.at {
		if at >= l.starts[i] {
			continue
		}
		r := &l.rungs[i]
		if r.has(at) {
			continue
		}
		own.at[i] = l.seen
		l.unrecorded(i, at, key)
	}
}

func (l *Ladder) recycle(i int) {
	r := &l.rungs[i]
	r.recycle(l.seen, draw(l.rng, r.mean, r.deviation), l.rule)
	b := i / rungBlock
	l.latest[b] = max(l.latest[b], r.start)
	l.starts[i] = r.start
}

// The method "grow" adds one rung to the ladder. The first cycle of this rung ends at the present arrival.
func (l *Ladder) grow() {
	i := len(l.rungs)
	if i%rungBlock == 0 {
		l.latest = append(l.latest, 0)
	}
	mean := capacityOf(float64(i))
	l.starts = append(l.starts, 0)
	l.rungs = append(l.rungs, rung{cycles: newCycles(0), mean: mean, deviation: math.Sqrt(l.jitter * mean)})
	l.recycle(i)
	l.next = uint64(math.Round(capacityOf(float64(i + 1))))
}

// Forgotten returns the share of the arrivals that a filter forgets. An arrival is forgotten if it is a repeat of a key
// that no array has recorded. The filter may call such an arrival new or, by chance, a repeat. In each cycle, some
// arrivals have keys that the active array has not recorded. The argument "capacity" is the mean number of such
// arrivals in a cycle. The method Capacity of approx/recycling.Cycle returns this mean for a filter.
//
// The share is interpolated between the 9 nearest rungs. It is assumed to be linear in the logarithm of the capacity.
// Suppose that one more filter of this capacity were simulated. The interval predicts the share for this filter. It is
// Student's t prediction interval with 99 % confidence. So it is about one filter, and not about the mean of many
// filters. For some traffic, such as traffic in a loop, the share changes abruptly at one capacity. Then the interval
// is as wide as this change.
// Domain: capacity at least 4/s, where s is the share of the keys that the ladder has seen (see Sampled). Without
// copy-over, two phases only.
// Errors: *bloomproof.ParamError, also if no arrival was counted.
func (l *Ladder) Forgotten(capacity float64, twoPhase bool) (sim.Interval, error) {
	if err := l.knows(capacity, twoPhase); err != nil {
		return sim.Interval{}, err
	}
	return between(l.at(l.place(capacity), twoPhase)), nil
}

// The function "between" returns the interval from mean-half to mean+half, limited to the range from 0 to 1.
func between(mean, half float64) sim.Interval {
	return sim.Interval{Mean: mean, Low: max(mean-half, 0), High: min(mean+half, 1)}
}

// The method "counted" returns an error if the ladder has counted no arrival. It also returns an error if the ladder
// has no answer for this number of phases.
func (l *Ladder) counted(twoPhase bool) error {
	if l.rule.NoCopyOver && !twoPhase {
		return &bloomproof.ParamError{Param: "phases", Value: 1, Want: "2 without copy-over"}
	}
	if l.seen <= l.warmup {
		return noArrivals(l.seen, Options{Warmup: l.warmup})
	}
	return nil
}

// The method "share" returns the share of the arrivals that rung i forgets. Sampling changes this share at random. The
// method also returns the standard deviation of this change. Let r be the share of the keys in the sample. A repeat is
// forgotten if the rung has no record of its key. Let f be the number of such repeats of a key. Let s be the sum of f^2
// over all keys of the sample. Then the estimated number of forgotten arrivals has the variance
//
//	s (1-r)/r^2.
//
// The sum s is estimated from the groups. To get the variance of the share, this variance is divided by the square of
// the number of arrivals. Both results are 0 if the first cycle of the rung has not ended.
func (l *Ladder) share(i int, twoPhase bool) (share, deviation float64) {
	if i >= len(l.rungs) {
		return 0, 0
	}
	counts := &l.rungs[i].forgotten[0]
	if twoPhase {
		counts = &l.rungs[i].forgotten[1]
	}
	sum, squares := 0., 0.
	for _, n := range counts {
		sum += float64(n)
		squares += float64(n) * float64(n)
	}
	all := l.sampled * float64(l.seen-l.warmup)
	spread := max(squares-sum*sum/groups, 0) * groups / (groups - 1)
	return sum / all, math.Sqrt((1-l.sampled)*spread) / all
}

// The argument "place" stands for a capacity. An integer is the number of a rung, and other numbers lie between two
// rungs. The method "at" returns the share of the arrivals that a filter of this capacity forgets. The second result is
// half the width of the interval for this share.
func (l *Ladder) at(place float64, twoPhase bool) (share, half float64) {
	first := max(int(math.Round(place))-window/2, 0)
	if first >= len(l.rungs) {
		return 0, 0
	}
	var y [window]float64
	mean, slope, spread := 0., 0., 0.
	for i := range y {
		y[i], _ = l.share(first+i, twoPhase)
		mean += y[i] / window
		x := float64(i - window/2)
		slope += x * y[i]
		spread += x * x
	}
	slope /= spread
	rest := 0.
	for i := range y {
		d := y[i] - mean - slope*float64(i-window/2)
		rest += d * d
	}
	x := place - float64(first+window/2)
	half = windowT * math.Sqrt(rest/(window-2)*(1+1./window+x*x/spread))
	if l.sampled < 1 {
		_, chosen := l.share(first+window/2, twoPhase)
		// The number of sampled keys in a cycle varies by chance around its mean. In the worst case, all cycles have
		// the same keys. Then the deviation from the mean is the same in every cycle.
		kept := capacityOf(place)
		scaled := slope * rungsAnOctave / math.Ln2 * math.Sqrt((1-l.sampled)/kept)
		half = math.Hypot(half, normalT*math.Hypot(chosen, scaled))
	}
	return min(max(mean+slope*x, 0), 1), half
}

// Capacity returns the least number c with the following property. Every filter with a capacity of at least c forgets
// at most the given share of the arrivals. The method "Capacity" uses the interpolation of Forgotten. The result is at
// least the capacity of the first rung.
// Domain: 0 < share < 1.
// Errors: *bloomproof.ParamError, also if no arrival was counted.
func (l *Ladder) Capacity(share float64, twoPhase bool) (float64, error) {
	return l.least(share, twoPhase, func(place float64) float64 {
		mean, _ := l.at(place, twoPhase)
		return mean
	})
}

// A place is the number of a rung, or a point between two rungs. The method "least" finds the largest place where the
// function "rate" exceeds the argument "share". It returns the capacity at this place.
func (l *Ladder) least(share float64, twoPhase bool, rate func(place float64) float64) (float64, error) {
	if !(share > 0 && share < 1) {
		return 0, &bloomproof.ParamError{Param: "share", Value: share, Want: "above 0 and below 1"}
	}
	if err := l.counted(twoPhase); err != nil {
		return 0, err
	}
	above := 0.
	// The search starts at the number of arrivals of the whole trace. A quarter of the trace is too short to fill a
	// filter of this capacity.
	for i := int(max(l.place(float64(l.seen)), 0)) + window; i >= 0; i-- {
		y := rate(float64(i))
		if y > share {
			return capacityOf(float64(i)+(y-share)/(y-above)) / l.sampled, nil
		}
		above = y
	}
	return leastCapacity / l.sampled, nil
}

// Sampled returns the share of a trace's keys that the ladder counts. It is 1 if the ladder counts all keys. After
// ReadLadder, it can be less than 1.
func (l *Ladder) Sampled() float64 { return l.sampled }

// The method "skip" counts an arrival whose key is not in the sample.
func (l *Ladder) skip() { l.seen++ }

// The type "samples" holds several ladders. The first is for all keys, the second for about half of the keys, the third
// for about a quarter, and so on. A ladder is dropped when it has too many keys. So the first of the remaining ladders
// describes a uniform sample of the whole trace.
type samples struct {
	rule   bloomproof.Recycling
	warmup uint64
	most   int
	hasher kernel.Hasher
	levels []*sampleLadder
}

type sampleLadder struct {
	*Ladder
	level   int // the ladder sees keys whose hashes have this many leading zeros
	numbers map[kernel.Hash]uint64
}

// ReadLadder reads the trace from r and returns its ladder. The memory of the ladder is bounded for any number of
// distinct keys. The argument "keys" limits the number of keys that the ladder counts. If the trace has more distinct
// keys, ReadLadder uses a uniform sample of them. It selects the sample by the keys' hashes. Apart from random
// variation, the sample has at least keys/4 keys. Each key of the sample represents several keys of the trace
// (Waldspurger et al., SHARDS, FAST 2015). The capacities and shares in the results are numbers for all keys of the
// trace, not for the sample. The interval of Forgotten includes the sampling error.
//
// The value of Options.Half must be 0.
//
// Cost: about 2 us per arrival. An arrival costs less if the sample contains only a small share of the keys. Memory: up
// to 350*keys bytes.
// Errors: the errors of NewLadder, and *bloomproof.ParamError if the argument "keys" is below 64. Errors of the reader
// r are returned in the same way as by Read.
func ReadLadder(ctx context.Context, r io.Reader, rule bloomproof.Recycling, o Options, keys int) (*Ladder, error) {
	if keys < minSketch || o.Half != 0 {
		return nil, &bloomproof.ParamError{Param: "keys", Value: keys, Want: fmt.Sprintf("at least %d, and no half", minSketch)}
	}
	hasher, err := requests.NewHasher()
	if err != nil {
		return nil, err
	}
	return readLadder(ctx, r, rule, o, keys, hasher)
}

// readLadder does what ReadLadder does, with the given hashing.
func readLadder(ctx context.Context, r io.Reader, rule bloomproof.Recycling, o Options, keys int, hasher kernel.Hasher) (*Ladder, error) {
	s := samples{rule: rule, warmup: o.Warmup, most: keys, hasher: hasher}
	if err := s.add(0); err != nil {
		return nil, err
	}
	if err := requests.EachLine(ctx, r, s.observe); err != nil {
		return nil, err
	}
	return s.levels[0].Ladder, nil
}

// The method "add" adds a ladder to s. This ladder counts only a sample of the keys. The share of the keys in the
// sample is 2^-level. The ladder of level 0 is added at the beginning. Any other ladder is added when a key of its
// sample first arrives. Before this arrival, the ladder would have nothing to count.
func (s *samples) add(level int) error {
	l, err := NewLadder(s.rule, s.warmup)
	if err != nil {
		return err
	}
	l.sampled = math.Ldexp(1, -level)
	if level > 0 {
		l.seen = s.levels[0].seen
	}
	s.levels = append(s.levels, &sampleLadder{l, level, make(map[kernel.Hash]uint64)})
	return nil
}

func (s *samples) observe(line []byte) error {
	h := s.hasher.Bytes(line)
	zeros := bits.LeadingZeros64(h.H1)
	for last := s.levels[len(s.levels)-1].level; last < zeros; last++ {
		if err := s.add(last + 1); err != nil {
			return err
		}
	}
	for _, l := range s.levels {
		if l.level > zeros {
			l.skip()
			continue
		}
		number, known := l.numbers[h]
		if !known {
			number = uint64(len(l.numbers))
			l.numbers[h] = number
		}
		l.Observe(number)
	}
	if len(s.levels[0].numbers) > s.most && len(s.levels) > 1 {
		s.levels = s.levels[1:]
	}
	return nil
}
