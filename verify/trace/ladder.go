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
	// An octave of cycle lengths has rungsAnOctave rungs. A rate is read from a line through window rungs, those of
	// cycles up to 9 % shorter and longer.
	rungsAnOctave = 32
	window        = 9

	// windowT is the 0.995 quantile of Student's t with window-2 degrees of freedom.
	windowT = 3.499

	// Keys are divided into groups at random. The differences between groups show what another sample of keys would
	// give. normalT is the 0.995 quantile of the normal distribution.
	groups  = 16
	normalT = 2.576

	rungBlock = 16 // rungs that are passed over together

	// leastCapacity is the capacity of the first rung. Shorter cycles end at nearly every arrival, which takes time.
	leastCapacity = 4
)

// halfFull is the variance of the number of arrivals that a cycle takes, divided by its mean. This is 0.44/k for a
// filter that recycles half full, here for k = 7. It only keeps the cycles from going in step with a trace that repeats
// itself. A rate depends on it in second order.
const halfFull = 0.44 / 7

// Ladder tells what a recycling filter forgets of a trace, for every number of arrivals that its cycles may take. It
// needs one pass over the trace.
//
// What a filter with copy-over has recorded depends only on the trace and on where its cycles end. A key is recorded if
// its last arrival lies in the present cycle or, with two phases, in the cycle before. Apart from chance, a cycle ends
// when a certain number of distinct keys have come in it: the capacity of the filter. So the ladder has a rung for each
// capacity of a geometric grid, 32 an octave. On each rung it counts the arrivals that such cycles forget, beginning
// with an empty filter. This is exact for these cycles, whatever the order of arrivals: neither stationarity nor
// independence is assumed.
//
// Without copy-over, a key that the frozen array has is not recorded again. So what is recorded depends on more than
// last arrivals, and each rung remembers when it recorded each key. It then counts for two phases only.
//
// An interval states what is approximate: the capacity of a filter lies between rungs, its cycles differ a little in
// length, and they begin at random places. The cycles of neighbouring rungs begin elsewhere, and show how much this
// matters.
//
// Memory: 8 bytes a key, 320 bytes a rung, and 300 kB; d keys have 32 log2 d rungs. Without copy-over also 8 bytes for
// each key and rung. Use NewLadder.
type Ladder struct {
	rule   bloomproof.Recycling
	warmup uint64

	seen     uint64
	distinct uint64
	sampled  float64 // share of the keys that are shown to the ladder
	next     uint64  // distinct keys that end the first cycle of the next rung
	last     lastArrivals
	rungs    []rung   // the first cycle of the others has not ended
	latest   []uint64 // the largest start of each block of rungs
	own      []record // of each key, without copy-over
	starts   []uint64 // of the rungs
	jitter   float64  // halfFull, except in tests
	rng      *rand.Rand

	parts      stretches
	compared   []*forgetting // quarters of the trace, up to the arrival comparedAt
	apart      int
	comparedAt uint64
}

type rung struct {
	cycles
	mean, deviation float64           // of the length of a cycle
	forgotten       [2][groups]uint64 // arrivals, with one phase and with two, of each group of keys
}

// record has, for each rung, when it recorded a key. For rungs that began after the key's last arrival it is when the
// key first came.
type record struct {
	first uint64
	at    []uint64
}

// NewLadder returns the ladder of an empty filter that retains, freezes and copies over as r says. The first warmup
// arrivals are recorded but not counted.
// Errors: *bloomproof.ParamError for one phase without copy-over.
func NewLadder(r bloomproof.Recycling, warmup uint64) (*Ladder, error) {
	if r.NoCopyOver && !r.TwoPhase {
		return nil, &bloomproof.ParamError{Param: "copy", Value: false, Want: "true with one phase"}
	}
	return &Ladder{rule: r, warmup: warmup, next: leastCapacity, sampled: 1, jitter: halfFull, parts: stretches{length: 1}, rng: rand.New(rand.NewPCG(1, 2))}, nil
}

// capacityOf returns the mean number of arrivals of the cycles at a place: of a rung, or of a point between two rungs.
func capacityOf(place float64) float64 { return leastCapacity * math.Exp2(place/rungsAnOctave) }

// Observe takes the next arrival: the number of its key, as Estimator.Observe.
// Cost: about 1 us on real traces, most of it on the shortest cycles; without copy-over 2 us more.
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

// observeLast gives an arrival, with copy-over, to the rungs whose present cycle does not have the last arrival of its
// key.
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

// unrecorded gives rung i an arrival that its active array has not recorded.
func (l *Ladder) unrecorded(i int, last, key uint64) {
	r := &l.rungs[i]
	if last > 0 && l.seen > l.warmup {
		group := mix(key+1) % groups
		r.forgotten[0][group]++ // not asked for without copy-over
		if !r.has(last) {
			r.forgotten[1][group]++
		}
	}
	if r.take() {
		l.recycle(i)
	}
}

// observeOwn gives an arrival, without copy-over, to the rungs that have its key in no array.
func (l *Ladder) observeOwn(last, key uint64) {
	for key >= uint64(len(l.own)) {
		l.own = append(l.own, record{})
	}
	own := &l.own[key]
	if last == 0 {
		own.first = l.seen
		own.at = make([]uint64, len(l.rungs)) // 0: no rung has it
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

// grow adds the rung whose first cycle ends now.
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

// Forgotten returns the share of the arrivals that a filter forgets: repeats of keys that are recorded in no array,
// whether the filter calls them new or, by luck, repeats. Its cycles take, in the mean, capacity arrivals that its
// active array has not recorded, as approx/recycling.Cycle.Capacity counts them.
//
// The share is read from a straight line, over the logarithm of the capacity, through the 9 rungs around it. The
// interval is Student's t at 99 % for one more rung among them, so it is about one filter and not about the mean of
// many. Where the share falls by a step, as on a loop, the interval is as wide as the step.
// Domain: 4 <= capacity; of a sample, 4 divided by its share; two phases without copy-over. Errors:
// *bloomproof.ParamError, also if no arrival was counted.
func (l *Ladder) Forgotten(capacity float64, twoPhase bool) (sim.Interval, error) {
	if err := l.knows(capacity, twoPhase); err != nil {
		return sim.Interval{}, err
	}
	return between(l.at(l.place(capacity), twoPhase)), nil
}

// between returns the interval of a share.
func between(mean, half float64) sim.Interval {
	return sim.Interval{Mean: mean, Low: max(mean-half, 0), High: min(mean+half, 1)}
}

// counted returns an error if the ladder has no answer for these phases, or has counted no arrival.
func (l *Ladder) counted(twoPhase bool) error {
	if l.rule.NoCopyOver && !twoPhase {
		return &bloomproof.ParamError{Param: "phases", Value: 1, Want: "2 without copy-over"}
	}
	if l.seen <= l.warmup {
		return noArrivals(l.seen, Options{Warmup: l.warmup})
	}
	return nil
}

// share returns what rung i forgets, and the standard deviation that the choice of the sample causes. With a share r of
// the keys, f forgotten repeats of each key, and the square of f taken from the groups,
//
//	variance = (1-r)/r^2 sum of f^2.
//
// Both are 0 if the first cycle of the rung has not ended.
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

// at returns the share forgotten at a place between the rungs, and half the width of its interval.
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
		// The keys of a cycle in the sample stand for more or fewer keys than the capacity says; in the worst case they
		// are the same in each cycle.
		kept := capacityOf(place)
		scaled := slope * rungsAnOctave / math.Ln2 * math.Sqrt((1-l.sampled)/kept)
		half = math.Hypot(half, normalT*math.Hypot(chosen, scaled))
	}
	return min(max(mean+slope*x, 0), 1), half
}

// Capacity returns the least capacity from which on no filter forgets more than a share of the arrivals, by the lines
// of Forgotten. It is at least the capacity of the first rung.
// Domain: 0 < share < 1. Errors: *bloomproof.ParamError; the same where no arrival was counted.
func (l *Ladder) Capacity(share float64, twoPhase bool) (float64, error) {
	return l.least(share, twoPhase, func(place float64) float64 {
		mean, _ := l.at(place, twoPhase)
		return mean
	})
}

// least returns the capacity at the last place where a rate exceeds share.
func (l *Ladder) least(share float64, twoPhase bool, rate func(place float64) float64) (float64, error) {
	if !(share > 0 && share < 1) {
		return 0, &bloomproof.ParamError{Param: "share", Value: share, Want: "above 0 and below 1"}
	}
	if err := l.counted(twoPhase); err != nil {
		return 0, err
	}
	above := 0.
	// The search starts at a capacity that no quarter fills: as many keys as the whole trace has arrivals.
	for i := int(max(l.place(float64(l.seen)), 0)) + window; i >= 0; i-- {
		y := rate(float64(i))
		if y > share {
			return capacityOf(float64(i)+(y-share)/(y-above)) / l.sampled, nil
		}
		above = y
	}
	return leastCapacity / l.sampled, nil
}

// Sampled returns the share of the keys that were shown to the ladder: 1, or less after ReadLadder.
func (l *Ladder) Sampled() float64 { return l.sampled }

// skip passes over an arrival of a key that is not in the sample.
func (l *Ladder) skip() { l.seen++ }

// samples are ladders of all keys, of about half of them, of a quarter and so on. A ladder is dropped when it has had
// too many keys. So the first that is left is of an even sample of the whole trace.
type samples struct {
	rule   bloomproof.Recycling
	warmup uint64
	most   int
	hasher kernel.Hasher
	levels []*sampleLadder
}

type sampleLadder struct {
	*Ladder
	level   int // of keys whose hashes have this many leading zeros
	numbers map[kernel.Hash]uint64
}

// ReadLadder shows the trace that r holds to a ladder. Its memory is bounded, whatever the number of distinct keys. If
// there are more distinct keys than keys, it keeps an even sample of them by their hashes, which is, apart from chance,
// at least a quarter of keys. Each key of the sample stands for several (Waldspurger et al., SHARDS, FAST 2015).
// Capacities and shares are those of all keys. The interval of Forgotten includes the error of the sample.
//
// Options.Half must be 0.
//
// Cost: about 2 us an arrival, and less where few keys are in the sample. Memory: up to 350 bytes
// for each of keys.
// Errors: those of NewLadder; those of r as for Read; *bloomproof.ParamError for keys below 64.
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

// readLadder is ReadLadder with the given hashing.
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

// add begins a ladder. All but the first begin at their first key, before which they have nothing to count.
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
