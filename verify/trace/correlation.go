package trace

import (
	"maps"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sort"
)

// Correlation shows how much the arrivals in a part of a trace differ from independent arrivals. It has two numbers,
// Gap and Entropy. For comparison, it also has both numbers for the same arrivals in random order. If repeats come
// sooner than in random order, more of the repeated messages are still in the filter. A model that assumes independent
// arrivals then gives a false-negative rate that is too high.
type Correlation struct {
	// Gap is the median distance, in arrivals, from an arrival of a key to the key's next arrival. Both arrivals must be
	// in the part. Its relative error is at most 6 %. It is 0 if there are no such pairs of arrivals. Gaps is the number
	// of these pairs.
	Gap, GapShuffled float64
	Gaps             uint64

	// Entropy says how hard it is to predict the request that follows a given request (Dozier-FN, section 7.2). For
	// each key, the frequencies of its successors are counted. The entropy of these frequencies is divided by the
	// logarithm of the number of distinct successors. The result is 0 for a key with one distinct successor. Entropy is
	// the mean of these results over all keys that have a successor. It is 0 if each key always has the same successor.
	// It is 1 if all successors of each key are equally frequent. The paper names no normalisation. With this
	// normalisation Entropy is 0.2 to 0.6 for the traces that this project uses. The paper gives 0.39 to 0.59 for its
	// own traces. Rare keys make Entropy low in any order of the arrivals, so compare it with EntropyShuffled. The mean
	// is over a uniform sample of the keys. A pair consists of a key and its successor. If there are fewer than 2^18
	// distinct pairs, the sample has all keys. The standard error is at most 0.5/sqrt(r) for r keys.
	Entropy, EntropyShuffled float64

	rows uint64 // the number of keys over which Entropy is a mean

	gaps     gaps
	shuffled shuffled
}

// The method Beyond returns the share of the gaps that are longer than the given number of arrivals. The result
// "shuffled" is the share that is expected if the arrivals are in random order. If there are no gaps, both results
// are 0.
func (c *Correlation) Beyond(arrivals float64) (share, shuffled float64) {
	if c.Gaps == 0 {
		return 0, 0
	}
	return 1 - c.gaps.within(arrivals), 1 - c.shuffled.within(arrivals)
}

// The type "gaps" holds the number of gaps of each size. Sizes are divided into sixteen classes for each factor of two.
type gaps struct {
	of    [16 * 64]uint64
	total uint64
}

func (g *gaps) add(gap uint64) {
	g.of[gapClass(gap)]++
	g.total++
}

// gapClass returns the class of a gap. Each gap below 32 has its own class. For a larger gap g, the smallest gap of its
// class is at least 15/16*g.
func gapClass(gap uint64) int {
	if gap < 32 {
		return int(gap)
	}
	shift := bits.Len64(gap) - 5
	return shift*16 + int(gap>>shift)
}

// classStart returns the smallest gap that belongs to class c.
func classStart(c int) uint64 {
	if c < 32 {
		return uint64(c)
	}
	shift := c/16 - 1
	return uint64(c-16*shift) << shift
}

// classMiddle returns the mean of the smallest and the largest gap that belong to class c.
func classMiddle(c int) float64 { return float64(classStart(c)+classStart(c+1)-1) / 2 }

// The gaps are counted in classes. The method "median" returns the middle of the class that contains the median.
func (g *gaps) median() float64 {
	if g.total == 0 {
		return 0
	}
	sum := uint64(0)
	for c, n := range g.of {
		if sum += n; 2*sum >= g.total {
			return classMiddle(c)
		}
	}
	return 0
}

// The argument "most" is the length of a gap. The method "within" returns the share of the gaps with at most this
// length. Gaps are counted in classes of similar length. If the argument lies between the ends of a class, a
// proportional part of the class is counted.
func (g *gaps) within(most float64) float64 {
	sum := 0.0
	for c, n := range g.of {
		if n > 0 {
			start, end := float64(classStart(c)), float64(classStart(c+1))
			sum += float64(n) * min(max((most+1-start)/(end-start), 0), 1)
		}
	}
	return sum / max(float64(g.total), 1)
}

// The type "shuffled" represents the distribution of the gaps if the arrivals come in random order. If c of the n
// arrivals are arrivals of one key, this key has c-1 gaps. Each gap is above g with probability C(n-g, c)/C(n, c). This
// probability lies between (1-g/(n-c+1))^c and (1-g/n)^c.
type shuffled struct {
	n, gaps float64
	counts  []uint64 // the distinct numbers of arrivals of a key that are above 1
	keys    []float64
}

func newShuffled(keys []seenKey, arrivals uint64) shuffled {
	s := shuffled{n: float64(arrivals)}
	of := make(map[uint64]float64)
	for _, k := range keys {
		if k.count > 1 {
			of[k.count]++
			s.gaps += float64(k.count - 1)
		}
	}
	s.counts = slices.Sorted(maps.Keys(of))
	for _, c := range s.counts {
		s.keys = append(s.keys, of[c])
	}
	return s
}

// The method "within" assumes that the arrivals are in random order. It returns the probability that a gap is at most
// g.
func (s shuffled) within(g float64) float64 {
	sum := 0.0
	if s.gaps == 0 {
		return sum
	}
	log := math.Log1p(-min(g/s.n, 1))
	for i, c := range s.counts {
		sum -= s.keys[i] * float64(c-1) * math.Expm1(float64(c)*log)
	}
	return sum / s.gaps
}

// The method "median" returns the smallest g such that at least half of the gaps are at most g.
func (s shuffled) median() float64 {
	if s.gaps == 0 {
		return 0
	}
	return float64(sort.Search(int(s.n), func(g int) bool { return s.within(float64(g)) >= 0.5 }))
}

// The type "transitions" counts how often one key comes directly after another key, or after itself. The first key of
// such a pair must be in a sample of the keys. If there are too many pairs, the sample is halved.
type transitions struct {
	before uint64 // the key of the last arrival plus 1
	level  int    // keys whose mixed number has this many leading zeros are in the sample
	pairs  int
	table  []pair // a hash table with open addressing; a pair with count 0 is a free place
}

type pair struct{ from, to, count uint64 }

const maxPairs = 1 << 18

// The function "mix" maps a number to 64 bits without a visible pattern (the finalizer of SplitMix64).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (t *transitions) sampled(key uint64) bool {
	return mix(key+0x9e3779b97f4a7c15)>>(64-t.level) == 0
}

func (t *transitions) observe(key uint64) {
	from := t.before - 1
	first := t.before == 0
	t.before = key + 1
	if first || !t.sampled(from) {
		return
	}
	if 2*t.pairs >= len(t.table) {
		t.grow()
	}
	if p := t.find(from, key); p.count > 0 {
		p.count++
	} else if t.sampled(from) { // grow may have halved the sample
		*p = pair{from, key, 1}
		t.pairs++
	}
}

func (t *transitions) find(from, to uint64) *pair {
	mask := uint64(len(t.table) - 1)
	for i := mix(from<<32^from>>32^to) & mask; ; i = (i + 1) & mask {
		if p := &t.table[i]; p.count == 0 || p.from == from && p.to == to {
			return p
		}
	}
}

// The method "grow" makes room for more pairs of keys. It doubles the table, or removes half of the keys from the
// sample.
func (t *transitions) grow() {
	old := t.table
	if t.pairs < maxPairs {
		t.table = make([]pair, max(1<<10, 2*len(old)))
	} else {
		t.table = make([]pair, len(old))
		t.level++
	}
	t.pairs = 0
	for _, p := range old {
		if p.count > 0 && t.sampled(p.from) {
			*t.find(p.from, p.to) = p
			t.pairs++
		}
	}
}

// The method "entropies" returns the mean entropy of the rows, and the sizes of the rows. A row has the successors of
// one key.
func (t *transitions) entropies() (mean float64, sizes []uint64) {
	var all []pair
	for _, p := range t.table {
		if p.count > 0 {
			all = append(all, p)
		}
	}
	sort.Slice(all, func(i, j int) bool {
		if all[i].from != all[j].from {
			return all[i].from < all[j].from
		}
		return all[i].to < all[j].to
	})
	var counts []uint64
	for i, p := range all {
		counts = append(counts, p.count)
		if i+1 == len(all) || all[i+1].from != p.from {
			h, size := entropy(counts)
			mean += h
			sizes = append(sizes, size)
			counts = counts[:0]
		}
	}
	return mean / math.Max(float64(len(sizes)), 1), sizes
}

// The function "entropy" returns two numbers. Dividing the counts by their sum gives the probabilities of a
// distribution. The first number is the entropy of this distribution, divided by the largest possible entropy. The
// second number is the sum of the counts.
func entropy(counts []uint64) (h float64, size uint64) {
	sum := 0.0
	for _, c := range counts {
		size += c
		sum += float64(c) * math.Log(float64(c))
	}
	if len(counts) < 2 {
		return 0, size
	}
	n := float64(size)
	return max((math.Log(n)-sum/n)/math.Log(float64(len(counts))), 0), size
}

// If a row has more than longRow successors, the mean entropy hardly depends on the number of successors.
const longRow = 1 << 14

// shuffledEntropy returns the mean entropy of rows that have the given sizes. It assumes that each successor in a row
// is an independent random draw from the list "keys". For each size up to longRow, a few random rows are drawn. The
// mean is estimated from these rows.
func shuffledEntropy(keys []seenKey, sizes []uint64) float64 {
	if len(sizes) == 0 {
		return 0
	}
	upTo := make([]uint64, len(keys)) // the number of arrivals of keys 0 to i
	total := uint64(0)
	for i, k := range keys {
		total += k.count
		upTo[i] = total
	}
	// To draw a key, the number of an arrival is drawn. This number is the variable "at", which is below total. The
	// list upTo is then searched for the key of this arrival. The search starts at first[part]. Here part is
	// at*parts/total, rounded down. The number of parts is equal to the number of keys. So the search takes one step on
	// average.
	parts := uint64(len(keys))
	first := make([]int, parts)
	key := 0
	for part := range parts {
		hi, lo := bits.Mul64(part, total)
		for least, _ := bits.Div64(hi, lo, parts); upTo[key] <= least; {
			key++
		}
		first[part] = key
	}
	slices.Sort(sizes)
	rng := rand.New(rand.NewPCG(1, 2))
	mean := 0.0
	times := make([]uint64, len(keys)) // how often the row has each key
	var row []int                      // the keys that the row has
	var counts []uint64
	for rest := sizes; len(rest) > 0; {
		size := rest[0]
		rows := sort.Search(len(rest), func(i int) bool { return rest[i] > size })
		rest = rest[rows:]
		if size == 1 {
			continue
		}
		size = min(size, longRow)
		draws := min(max(1, 4096/size), uint64(rows)*16)
		sum := 0.0
		for range draws {
			row, counts = row[:0], counts[:0]
			for range size {
				at := rng.Uint64N(total)
				hi, lo := bits.Mul64(at, parts)
				part, _ := bits.Div64(hi, lo, total)
				key := first[part]
				for upTo[key] <= at {
					key++
				}
				if times[key] == 0 {
					row = append(row, key)
				}
				times[key]++
			}
			for _, key := range row {
				counts = append(counts, times[key])
				times[key] = 0
			}
			h, _ := entropy(counts)
			sum += h
		}
		mean += sum / float64(draws) * float64(rows)
	}
	return mean / float64(len(sizes))
}

func correlation(e *Estimator) Correlation {
	c := Correlation{gaps: e.gaps, shuffled: newShuffled(e.keys, e.seen-e.o.Warmup)}
	c.Gaps = c.gaps.total
	c.Gap, c.GapShuffled = c.gaps.median(), c.shuffled.median()
	var sizes []uint64
	c.Entropy, sizes = e.steps.entropies()
	c.EntropyShuffled = shuffledEntropy(e.keys, sizes)
	c.rows = uint64(len(sizes))
	return c
}
