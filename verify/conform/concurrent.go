package conform

import (
	"bytes"
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/conform/internal/families"
	"github.com/bloomproof/bloomproof/verify/conform/internal/limits"
)

// The constant "workers" is the number of goroutines that work at the same time. A small host has fewer processors than
// this. So some goroutines are interrupted in the middle of a call.
const workers = 8

// A storm is a set of concurrent calls: several goroutines share the same work. The list "processors" has the values of
// GOMAXPROCS for successive storms. With the value 2, two goroutines run in parallel if there are two processors. With
// the value 8, the operating system interrupts threads in the middle of calls. The value 1 is not used. With this
// value, only Go's scheduler would interrupt goroutines, about a hundred times a second.
var processors = []int{2, 8, 4}

// In a storm, many goroutines share the work on a list of filters. When a goroutine is ready for work, it takes the
// next part of the work on the first unfinished filter. So all running goroutines work on the same filter.
type storm struct {
	filters, parts int
	work           func(filter, part int)
	_              [64]byte // next has a cache line of its own
	next           atomic.Int64
	_              [64]byte
	taken          []uint8 // which goroutine took each part
}

// A goroutine that begins work on a filter waits until another goroutine begins work on the same filter. While the
// goroutine waits, it checks repeatedly whether another has begun. The constant "meeting" is the largest number of
// these checks. All these checks together take about a microsecond. On a busy host, a longer wait would take processor
// time from the other goroutines.
const meeting = 500

// The argument s is a storm, which is a set of concurrent calls. The method "rage" makes these calls. During the calls,
// GOMAXPROCS is p, or p+1 if stirred is true. The goroutines take the parts of the work in order. The result is the
// number of changes between goroutines. A change is counted whenever one goroutine takes the next part of the work
// after another goroutine. The other goroutine was then interrupted, or was still at work on its part. If stirred is
// true, all goroutines are interrupted from time to time, at any point of their code. They then continue in another
// order. A panic of a goroutine becomes a panic of the caller.
func (x *examination) rage(s *storm, p int, stirred bool) (changes int) {
	n := workers
	if stirred {
		n, p = p, p+1 // the caller needs a processor to interrupt the others
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(p))
	total := int64(s.filters * s.parts)
	s.taken = make([]uint8, total)
	var end sync.WaitGroup
	var trouble atomic.Value
	for w := range n {
		end.Add(1)
		go func() {
			defer end.Done()
			defer func() {
				if p := recover(); p != nil {
					trouble.CompareAndSwap(nil, fmt.Sprint(p))
					s.next.Store(total)
				}
			}()
			for {
				at := s.next.Add(1) - 1
				if at >= total {
					return
				}
				s.taken[at] = uint8(w)
				if int(at)%s.parts == 0 {
					for i := 0; i < meeting && s.next.Load() == at+1; i++ {
					}
				}
				s.work(int(at)/s.parts, int(at)%s.parts)
			}
		}()
	}
	done := make(chan struct{})
	go func() {
		end.Wait()
		close(done)
	}()
	for i := 0; stirred && i < int(total) && s.next.Load() < total; i++ { // stir at most once for each part
		nap()
		var m runtime.MemStats
		runtime.ReadMemStats(&m) // stops the world, which interrupts all goroutines
	}
	const ticks = 20 // a pause of the host counts as one tick
	tick := time.NewTicker(limits.Patience / ticks)
	defer tick.Stop()
	last, still := int64(0), 0
	for waiting := true; waiting; {
		select {
		case <-done:
			waiting = false
		case <-tick.C:
			if now := s.next.Load(); now != last {
				last, still = now, 0
			} else if still++; still == ticks {
				s.next.Store(total) // this makes the other goroutines end
				panic(hung{})
			}
		}
	}
	if p := trouble.Load(); p != nil {
		panic(p)
	}
	for i, w := range s.taken[1:] {
		if w != s.taken[i] {
			changes++
		}
	}
	return changes
}

// A storm is a test with concurrent calls. If one of these calls does not return, the test panics with a value of the
// type "hung".
type hung struct{}

// String returns the text that a finding shows for this panic.
func (hung) String() string { return doesNotReturn }

// The type "overlap" has two totals for one law: the number of concurrent calls, and the number of changes. The method
// "rage" counts the changes.
type overlap struct{ calls, changes uint64 }

// Storms for a law are repeated until one of two limits is reached. The first limit, enoughChanges, is for the number
// of changes that the method "rage" counts. The second limit, mostCalls, is for the number of calls. On a busy host,
// there may be few changes by then. If the number of changes is between leastChanges and fewChanges, the limit of calls
// is 4*mostCalls instead. The values of these three constants are for an examination with effort 1. For another effort,
// they are multiplied by the effort. An effort below 1/20 counts as 1/20, and an effort above 10 counts as 10. If there
// are fewer than leastChanges changes, the limit of calls is at least mostCalls for every effort. The number
// leastChanges is the same for every effort. If the number of changes is smaller than this, the report says that the
// law was not examined. Suppose that a fault shows in one of a hundred changes. With fewer than leastChanges changes,
// an examination misses this fault with a probability above 1 %.
const (
	enoughChanges = 100_000
	fewChanges    = 20_000
	mostCalls     = 6_000_000
	leastChanges  = 460
)

// A storm is a set of concurrent calls. The method "left" reports whether the examination of a law needs another storm.
// The argument is the effort of the examination.
func (o overlap) left(effort float64) bool {
	share := min(max(effort, 0.05), 10)
	calls, changes := float64(o.calls)/share, float64(o.changes)/share
	switch {
	case o.changes < leastChanges:
		return o.calls < mostCalls || calls < mostCalls
	case changes < fewChanges:
		return calls < 4*mostCalls
	}
	return changes < enoughChanges && calls < mostCalls
}

// The method "stormed" records two numbers for a law: the number of concurrent calls and the number of changes. If
// there were too few changes, it writes a note instead.
func (x *examination) stormed(l Law, o overlap, what string) {
	if o.calls == 0 {
		return
	}
	x.where = fmt.Sprintf("%d goroutines, %d %s, %d changes of hand", workers, o.calls, what, o.changes)
	if o.changes < leastChanges {
		x.note("%s: too few to say anything", x.where)
		return
	}
	x.told[l] = true
	x.power(l, 0, "calls that go wrong, of those that another goroutine interrupts", -math.Log1p(-powerProbability)/float64(o.changes))
}

// raceShapes are the shapes of the filters that are tested with concurrent calls. Successive storms use successive
// shapes. Most are small, so that many goroutines access each word.
var raceShapes = []bloomproof.Geometry{{M: 1 << 10, K: 4}, {M: 1 << 13, K: 12}, {M: 1 << 10, K: 4}, {M: 1 << 16, K: 7}}

// The constant "part" is the number of keys that a goroutine takes at a time. Because this number is small, all
// goroutines can work on one filter. But the number is large enough that goroutines are interrupted before they finish
// a part.
const part = 16

// raceKeys are families of keys for concurrent calls. Successive storms use successive families.
var raceKeys = []family{randomKeys, randomKeys, families.Integers, families.Lengths}

// The type "row" holds filters of one shape. The field "in" lists the keys that are added to the filters of the row.
// The field "out" lists equally many other keys, which are not added.
type row struct {
	fs      []filter
	in, out [][]byte
}

// The constants of type "turn" name the kinds of rounds. One kind is called "full": in such a round, keys are added
// until half of the bits are set. In a round of kind firstUse, there are many new filters with a few keys each. So
// several goroutines often make the first use of a filter at the same time. In a round of kind sameKeys, there are a
// few filters with a few keys each. The same keys are used again and again.
type turn int

const (
	full turn = iota
	firstUse
	sameKeys
)

// The method "row" returns the data for a round of kind t. The argument "calls" limits the number of additions: about
// this many additions are enough to fill all filters of the row. Only rounds of kind "full" use it.
func (x *examination) row(l Law, round, calls int, t turn) (r row, ok bool) {
	s := raceShapes[round%len(raceShapes)]
	f, d, ok := x.open(s.M, s.K)
	if !ok {
		return
	}
	n := max(2, uint64(float64(d.m())*math.Ln2/float64(d.g.K)))
	filters := max(2, calls/int(n))
	switch t {
	case firstUse:
		n, filters = 4, 256
	case sameKeys:
		n, filters = 2, 4
	}
	keys := &source{family: raceKeys[round%len(raceKeys)], seed: mix(x.o.Seed ^ mix(uint64(round)<<16|uint64(slices.Index(Laws(), l))))}
	n = min(n, keys.Most/2)
	for i := range n {
		r.in, r.out = append(r.in, bytes.Clone(keys.key(i))), append(r.out, bytes.Clone(keys.key(n+i)))
	}
	for ok && len(r.fs) < filters {
		r.fs = append(r.fs, f)
		f, _, ok = x.open(s.M, s.K)
	}
	x.where = fmt.Sprintf("%v, %d %s, %d goroutines", d, n, keys.Name, workers)
	x.mark(l)
	return r, ok
}

// The type "trouble" has the text of the first fault that any goroutine of a storm finds.
type trouble struct{ text atomic.Pointer[string] }

func (t *trouble) add(format string, args ...any) {
	if t.text.Load() == nil {
		text := fmt.Sprintf(format, args...)
		t.text.CompareAndSwap(nil, &text)
	}
}

// concurrentReads starts many goroutines that look up keys in a filter. The goroutines also call the functions that
// return numbers such as the number of set bits. concurrentReads compares the results of all these calls with the
// results of a single goroutine. In programs built with the race detector, this also finds functions that write to the
// filter.
func (x *examination) concurrentReads(l Law) {
	if !x.s.ConcurrentReads {
		return
	}
	var o overlap
	for round := 0; o.left(x.o.Effort) && x.wants(l); round++ {
		t := []turn{full, sameKeys, full, firstUse}[round%4]
		passes := 3
		if t == sameKeys {
			passes = 4000
		}
		r, ok := x.row(l, round, 8000, t)
		if !ok {
			return
		}
		if r.fs, ok = x.fillAlone(r, t == firstUse); !ok {
			return
		}
		var keys [][]byte // contained keys and new keys in turn
		for i := range r.in {
			if keys = append(keys, r.in[i]); !x.s.Seeded { // seeded filters give other answers about new keys
				keys = append(keys, r.out[i])
			}
		}
		want := make([]bool, len(keys))
		for i, key := range keys {
			want[i] = x.s.Contains(r.fs[0], key)
		}
		var look []func(filter) string
		if !x.s.Seeded {
			look = x.look(r.fs[0])
		}
		first := t == firstUse && round%8 == 3 // all goroutines look up one key in a new filter, for each filter another key
		var wrong trouble
		s := &storm{filters: len(r.fs), parts: passes*((len(keys)+part-1)/part) + 1}
		s.work = func(i, p int) {
			f := r.fs[i]
			if p == s.parts/2 || first && p < workers {
				for j := range look {
					if diff := look[(j+i)%len(look)](f); diff != "" {
						wrong.add("%s", diff)
					}
				}
			}
			var batch [part][]byte
			for j := range batch {
				batch[j] = keys[(p*part+j)%len(keys)]
			}
			if p%4 == 3 && x.s.ContainsBatch != nil && !x.report.broken(lawBatch) {
				got := x.s.ContainsBatch(f, batch[:])
				for j := range batch {
					if at := (p*part + j) % len(keys); len(got) != part || got[j] != want[at] {
						wrong.add("%q contained in a batch: %t, alone %t", keys[at], !want[at], want[at])
					}
				}
				return
			}
			for j, key := range batch {
				if at := (p*part + j) % len(keys); x.s.Contains(f, key) != want[at] {
					wrong.add("%q contained: %t, alone %t", key, !want[at], want[at])
				}
			}
		}
		o.changes += uint64(x.rage(s, processors[round%len(processors)], round%2 == 0))
		o.calls += uint64(s.filters * s.parts * part)
		if w := wrong.text.Load(); w != nil {
			x.found(l, "%s", *w)
		}
	}
	x.stormed(l, o, "look-ups")
}

// fillAlone adds all keys of the row r to each filter of r. It uses only the calling goroutine. It returns the filters.
// If the argument "read" is true and the subject has snapshots, only the first filter gets the keys in this way. The
// other filters then read the snapshot of the first filter. In this case fillAlone returns all filters except the
// first. If a snapshot cannot be read, fillAlone reports false. The law "snapshot" finds that fault.
func (x *examination) fillAlone(r row, read bool) ([]filter, bool) {
	read = read && x.s.Marshal != nil && x.s.Unmarshal != nil
	for i, f := range r.fs {
		if read && i == 1 {
			break
		}
		for _, key := range r.in {
			x.s.Add(f, key)
		}
	}
	if !read {
		return r.fs, true
	}
	data, err := x.s.Marshal(r.fs[0])
	for _, f := range r.fs[1:] {
		if err == nil {
			err = x.s.Unmarshal(f, bytes.Clone(data))
		}
	}
	return r.fs[1:], err == nil
}

// A filter can return numbers about itself, such as its number of set bits. The method "look" returns one function for
// each such number of the filter f. The argument of such a function is another filter with the same keys. The function
// compares the number of one filter with the number of the other.
func (x *examination) look(f filter) (all []func(filter) string) {
	if x.s.Bits != nil {
		want := x.s.Bits(f)
		all = append(all, func(f filter) string { return differs("set bits", x.s.Bits(f), want) })
	}
	if x.s.Items != nil {
		want := fmt.Sprint(x.s.Items(f))
		all = append(all, func(f filter) string { return differs("items", fmt.Sprint(x.s.Items(f)), want) })
	}
	if x.s.Rate != nil {
		want := fmt.Sprint(x.s.Rate(f))
		all = append(all, func(f filter) string { return differs("rate", fmt.Sprint(x.s.Rate(f)), want) })
	}
	if x.s.Marshal != nil {
		data, err := x.s.Marshal(f)
		again, e := x.s.Marshal(f)
		if want := string(data); err == nil && e == nil && string(again) == want { // else "snapshot" finds the fault
			all = append(all, func(f filter) string {
				if got, err := x.s.Marshal(f); err != nil || string(got) != want {
					return "its snapshot is not the one that one goroutine gets"
				}
				return ""
			})
		}
	}
	return all
}

func differs[T comparable](what string, got, want T) string {
	if got == want {
		return ""
	}
	return fmt.Sprintf("%s: %v, alone %v", what, got, want)
}

// The type "addition" describes one way to add keys from several goroutines. The function "add" adds the keys of a part
// to the filter f. If it finds a fault, it calls wrong.add to record it.
type addition struct {
	name string
	able func(x *examination) bool
	add  func(x *examination, f filter, keys [][]byte, wrong *trouble)
}

var additions = []addition{
	{"Add", func(*examination) bool { return true }, func(x *examination, f filter, keys [][]byte, _ *trouble) {
		for _, key := range keys {
			x.s.Add(f, key)
		}
	}},
	{"Add and Contains", func(x *examination) bool { return x.s.ConcurrentReads }, func(x *examination, f filter, keys [][]byte, wrong *trouble) {
		for _, key := range keys {
			x.s.Contains(f, key) // another goroutine may be adding the key at this time
			x.s.Add(f, key)
			if !x.s.Contains(f, key) {
				wrong.add("%q is not contained after its addition, while others add", key)
			}
		}
	}},
	{"AddBatch", func(x *examination) bool { return x.s.AddBatch != nil && !x.report.broken(lawBatch) }, func(x *examination, f filter, keys [][]byte, _ *trouble) {
		x.s.AddBatch(f, keys[:len(keys)/2])
		x.s.AddBatch(f, keys[len(keys)/2:])
	}},
	{"TestAndAdd", func(x *examination) bool { return x.s.TestAndAdd != nil && !x.report.broken(lawTestAndSet) }, func(x *examination, f filter, keys [][]byte, wrong *trouble) {
		for i, key := range keys {
			x.s.TestAndAdd(f, key)
			if i%4 == 3 && !x.s.TestAndAdd(f, key) {
				wrong.add("%q is new for TestAndAdd after its addition, while others add", key)
			}
		}
	}},
}

// In concurrentAdds many goroutines add keys to the same filters, and one goroutine alone adds the keys to another
// filter. Then the filters are compared. No key may be lost, neither during the additions nor afterwards. Each filter
// must have the same bits, and the same number of set bits, as the filter that one goroutine filled.
func (x *examination) concurrentAdds(l Law) {
	if !x.s.ConcurrentAdds {
		return
	}
	var ways []addition
	for _, a := range additions {
		if a.able(x) && x.addsAlone(a) {
			ways = append(ways, a)
		}
	}
	var o overlap
	for round := 0; o.left(x.o.Effort) && x.wants(l); round++ {
		t := full
		if round%4 == 3 {
			t = firstUse
		}
		r, ok := x.row(l, round, 48_000, t)
		if !ok {
			return
		}
		x.addAtOnce(l, r, round, ways, t, &o)
	}
	x.stormed(l, o, "additions")
}

// addsAlone reports whether a way to add gives the right result when only one goroutine adds. A wrong result in this
// case does not break the law "concurrent adds". Other laws find this fault.
func (x *examination) addsAlone(a addition) bool {
	f, _, ok := x.open(raceShapes[0].M, raceShapes[0].K)
	if !ok {
		return false
	}
	var wrong trouble
	keys := x.random(0xa10e)
	var all [][]byte
	for i := range uint64(100) {
		all = append(all, bytes.Clone(keys.key(i)))
	}
	a.add(x, f, all, &wrong)
	return wrong.text.Load() == nil && !slices.ContainsFunc(all, func(key []byte) bool { return !x.s.Contains(f, key) })
}

// addAtOnce fills the filters of a row. One goroutine fills the last filter, and many goroutines fill each of the
// others. In most rounds two goroutines add each key at the same time.
func (x *examination) addAtOnce(l Law, r row, round int, ways []addition, t turn, o *overlap) {
	twice := round%3 != 0
	fs, alone := r.fs[:len(r.fs)-1], r.fs[len(r.fs)-1]
	for _, key := range r.in {
		x.s.Add(alone, key)
	}
	counts := x.s // counts lacks the functions whose results depend on how often a key was added
	if twice {
		before := x.numbers(alone)
		for _, key := range r.in {
			x.s.Add(alone, key)
		}
		if x.numbers(alone) != before {
			counts.Items, counts.Rate = nil, nil
		}
	}
	size := part
	if t == firstUse {
		size = 2
	}
	chunks := slices.Collect(slices.Chunk(r.in, size))
	parts := len(chunks)
	if twice {
		parts *= 2
	}
	done := make([]atomic.Bool, len(fs)*parts)
	var wrong trouble
	s := &storm{filters: len(fs), parts: parts}
	s.work = func(i, p int) {
		way := ways[(round/4+i)%len(ways)]
		if i%8 == 7 { // use all ways at the same time
			way = ways[p%len(ways)]
		}
		chunk := func(p int) [][]byte {
			if twice {
				p /= 2
			}
			return chunks[p]
		}
		way.add(x, fs[i], chunk(p), &wrong)
		if other := p + 2; x.s.ConcurrentReads && p%4 == 0 && other < parts {
			for _, key := range chunk(other) { // another goroutine may be adding these keys
				if x.s.Contains(fs[i], key); done[i*parts+other].Load() && !x.s.Contains(fs[i], key) {
					wrong.add("%q is not contained after another goroutine's addition, while others add", key)
				}
			}
		}
		done[i*parts+p].Store(true)
	}
	o.changes += uint64(x.rage(s, processors[round%len(processors)], round%2 == 0))
	o.calls += uint64(len(fs) * len(r.in) * parts / len(chunks))
	if w := wrong.text.Load(); w != nil {
		x.found(l, "%s", *w)
		return
	}
	for _, f := range fs {
		for _, key := range r.in {
			if !x.s.Contains(f, key) {
				x.found(l, "%q is lost", key)
				return
			}
		}
		diff := x.miscounted(f)
		if !x.s.Seeded && x.s.OwnRate == nil && diff == "" {
			all := x.s
			x.s = counts
			if diff = x.same(f, alone, nil, 0, 0); diff != "" {
				diff += " as when one goroutine adds"
			}
			x.s = all
		}
		if diff != "" {
			x.found(l, "%s", diff)
			return
		}
	}
}

// The method "numbers" asks the subject for the number of keys in a filter, and for the false-positive rate of the
// filter. It returns both answers as texts.
func (x *examination) numbers(f filter) [2]string {
	var said [2]string
	if x.s.Items != nil {
		said[0] = fmt.Sprint(x.s.Items(f))
	}
	if x.s.Rate != nil {
		said[1] = fmt.Sprint(x.s.Rate(f))
	}
	return said
}

// The method "miscounted" counts the bits that are set in the words of a filter. It compares this number with the
// number of set bits that the filter states. If the two numbers differ, it returns a description of the difference.
// Otherwise it returns the empty string.
func (x *examination) miscounted(f filter) string {
	if x.s.Bits == nil || x.s.Words == nil {
		return ""
	}
	set := uint64(0)
	for _, w := range x.s.Words(f) {
		set += uint64(bits.OnesCount64(w))
	}
	if got := x.s.Bits(f); got != set {
		return fmt.Sprintf("%d set bits are told, there are %d", got, set)
	}
	return ""
}
