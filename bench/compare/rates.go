package main

import (
	"fmt"
	"math"
	"math/big"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/bench"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/stat"
)

// The type rated is a filter that was filled up to a given rate, with its measurements.
type rated struct {
	size      bench.Size
	target    float64
	name      string   // the name of the filter
	forms     []string // the names of its forms
	k         int
	n         uint64  // the number of keys in the filter
	rate      float64 // the measured rate
	low, high float64 // the interval of the rate with confidence rateConfidence
	hit, miss float64 // cache lines that a look-up reads
	share     string  // the share of the memory in huge pages
}

// rateConfidence is the confidence of the intervals that the tables print for measured rates. The constant correctAt is
// the confidence of another interval. If the target rate lies outside this interval, the filter is corrected: it is
// filled again with another number of keys. This confidence is so high that chance rarely causes a correction in a run
// with some hundred filters.
const (
	rateConfidence = 0.95
	correctAt      = 0.9999
)

// corrections is the largest number of corrections of a filter. A correction fills the filter again with another number
// of keys. Let f be the rate and n the number of keys. Because ln f is almost linear in ln n, one correction is enough
// if the rate is wrong by a factor of two.
const corrections = 2

// The constant restored is the size, in 64-bit words, of the largest filter in which the timed insertions are undone.
// In larger filters these insertions have little effect on the rate.
const restored = 8 << 20 / 8

// holder is a filter in Go or in C++ that can be filled.
type holder interface {
	clear()
	add(first, n uint64) // adds n keys from number first on
	positives(first, n uint64) uint64
	ones() uint64
	address() uint64
	hugeShare() (float64, bool)
}

// The type local is a filter in Go, used in its fastest form.
type local struct {
	f     bench.Filter
	words []uint64
	keys  *bench.Keys
}

// chunksOf calls f with the keys whose numbers are first to first+n-1, chunk by chunk.
func (l local) chunksOf(first, n uint64, f func(keys [][]byte)) {
	for i := uint64(0); i < n; i += bench.Chunk {
		l.keys.FillShort(func(j uint64) uint64 { return first + i + j })
		f(l.keys.Short[:min(bench.Chunk, n-i)])
	}
}

func (l local) clear() { clear(l.words) }

func (l local) add(first, n uint64) { l.chunksOf(first, n, l.f.Add) }

func (l local) positives(first, n uint64) (found uint64) {
	l.chunksOf(first, n, func(keys [][]byte) { found += uint64(l.f.Contains(keys)) })
	return found
}

func (l local) ones() uint64 { return uint64(kernel.Count(l.words)) }

func (l local) address() uint64 { return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(l.words)))) }

func (l local) hugeShare() (float64, bool) { return bench.HugeShare(l.words) }

// The type distant is a filter in C++.
type distant struct {
	p *program
	r remotePeer
}

func (d distant) clear() { d.p.ask("clear", quoted(d.r.name)) }

func (d distant) add(first, n uint64) { d.p.ask("add", quoted(d.r.name), first, n) }

func (d distant) positives(first, n uint64) uint64 {
	return uint64(d.p.number("positives", quoted(d.r.name), first, n))
}

func (d distant) ones() uint64 { return uint64(d.p.number("ones", quoted(d.r.name))) }

func (d distant) address() uint64 { return d.p.memory[d.r.name][0] }

func (d distant) hugeShare() (float64, bool) { return d.p.hugeShare(d.r) }

// equalRate measures all filters of a size. The number of keys in each filter is chosen such that the filter has the
// target rate.
func (m *measured) equalRate(s bench.Size, target float64) error {
	plans := planner{m: s.M, target: target, known: map[bloomproof.Geometry]exact.Optimum{}}
	ks := func(p bench.Peer) int { return plans.of(p.Shape).Geometry.K }
	filters, err := m.candidates(s.M, ks)
	if err != nil || plans.err != nil {
		return errorsOf(err, plans.err)
	}
	base := len(m.rated)
	var groups [][]filling // the fillings of a group run one after the other
	for i, c := range filters {
		if c.Of != "" {
			last := &groups[len(groups)-1][0]
			last.forms = append(last.forms, c.Name)
			continue
		}
		h := local{c.filter, bench.Memory(c.filter), bench.NewKeys()}
		if i+1 < len(filters) && filters[i+1].Of == c.Name {
			h.f = filters[i+1].filter
		}
		groups = append(groups, []filling{{rated{size: s, target: target, name: c.Name, forms: []string{c.Name}}, h, plans.of(c.Shape)}})
	}
	remote, err := m.remoteFillings(s, target, &plans)
	if err != nil {
		return err
	}
	groups = append(groups, remote) // one program holds all of them
	err = inParallel(len(groups), func(i int) (err error) {
		for j := range groups[i] {
			f := &groups[i][j]
			if f.rated, err = m.settle(*f); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, g := range groups {
		for _, f := range g {
			m.rated = append(m.rated, f.rated)
		}
	}
	m.progress("look-ups and inserts")
	m.rateLookups(s, target, filters, m.rated[base:])
	m.rateInserts(s, target, filters)
	return m.cpp.close()
}

// filling is a filter that will be filled up to a target rate.
type filling struct {
	rated
	holder holder
	plan   exact.Optimum
}

// inParallel calls f with each i from n-1 down to 0 and returns the first error. The number of simultaneous calls is
// the number of processors.
func inParallel(n int, f func(i int) error) error {
	errs := make([]error, n)
	var left atomic.Int64
	left.Store(int64(n))
	var done sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		done.Add(1)
		go func() {
			defer done.Done()
			for i := left.Add(-1); i >= 0; i = left.Add(-1) {
				errs[i] = f(int(i))
			}
		}()
	}
	done.Wait()
	return errorsOf(errs...)
}

// errorsOf returns the first error.
func errorsOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// remoteFillings creates a value of the type filling for each C++ filter.
func (m *measured) remoteFillings(s bench.Size, target float64, plans *planner) (all []filling, err error) {
	if m.cpp != nil {
		m.cpp.memory = map[string][2]uint64{}
	}
	for _, r := range m.cpp.peers() {
		if r.of != "" {
			last := &all[len(all)-1]
			last.forms = append(last.forms, r.name)
			continue
		}
		shape := r.shape
		if shape.K == 0 {
			shape.K = nearest(boostKs, plans.of(shape).Geometry.K)
		}
		o := plans.of(shape)
		if plans.err != nil {
			return nil, plans.err
		}
		if m.cpp.make(r, s.M, o.Geometry.K, m.huge); m.cpp.err != nil {
			return nil, m.cpp.err
		}
		all = append(all, filling{rated{size: s, target: target, name: r.name, forms: []string{r.name}}, distant{m.cpp, r}, o})
	}
	return all, nil
}

// The function named nearest returns the element of list that is nearest to x.
func nearest(list []int, x int) int {
	return slices.MinFunc(list, func(a, b int) int { return max(a-x, x-a) - max(b-x, x-b) })
}

// planner computes the largest number of keys with which a filter of a given shape does not exceed a given rate. It
// computes this once for each shape.
type planner struct {
	m      uint64
	target float64
	known  map[bloomproof.Geometry]exact.Optimum
	err    error
}

// planBits is the precision, in bits, of the rates that a planner computes.
const planBits = 53

// The method named of returns the filter of the given shape that can hold the most keys at the target rate, and this
// number of keys. If the field K of the shape is 0, the filter has the value of k for which this number is largest.
func (p *planner) of(shape bloomproof.Geometry) exact.Optimum {
	if o, ok := p.known[shape]; ok || p.err != nil {
		return o
	}
	g := shape
	g.M = p.m
	o, err := exact.MostItems(g, new(big.Rat).SetFloat64(p.target), planBits)
	if err == nil && o.N == 0 {
		err = fmt.Errorf("%v holds no key at a rate of %g", g, p.target)
	}
	p.known[shape], p.err = o, err
	return o
}

// Keys are numbered, and probeKeys is the number of the first key that is looked up to measure a rate. No timing uses
// keys from this number on.
const probeKeys = bench.FirstMiss << 3

// The method settle fills a filter up to the target rate. At first it computes the number of keys from the exact rate
// of the shape. Then it measures the rate, and corrects the number of keys if the target lies outside the confidence
// interval with confidence correctAt. Each measurement looks up new keys.
func (m *measured) settle(f filling) (r rated, err error) {
	r, h, g := f.rated, f.holder, f.plan.Geometry
	r.n, r.k = f.plan.N, g.K
	probes := uint64(min(math.Ceil(float64(m.positives)/r.target), float64(m.probes)))
	there := uint64(0) // the number of keys in the filter
	h.clear()
	for try := uint64(0); ; try++ {
		if r.n < there {
			h.clear()
			there = 0
		}
		h.add(there, r.n-there)
		there = r.n
		found := h.positives(probeKeys+try*probes, probes)
		if r.low, r.high, err = stat.ClopperPearson(found, probes, rateConfidence); err != nil {
			return r, err
		}
		r.rate = float64(found) / float64(probes)
		m.progress("  %s: a rate of %.3g with %d keys", r.name, r.rate, r.n)
		low, high, err := stat.ClopperPearson(found, probes, correctAt)
		if err != nil {
			return r, err
		}
		if try == corrections || low <= r.target && r.target <= high {
			break
		}
		slope, err := steepness(g, r.n)
		if err != nil {
			return r, err
		}
		r.n = max(1, uint64(math.Round(float64(r.n)*math.Pow(r.target/((float64(found)+1)/float64(probes)), 1/slope))))
	}
	r.hit, r.miss = linesOf(g, float64(h.ones())/float64(r.size.M), h.address())
	r.share = percent(h.hugeShare())
	return r, nil
}

// steepness returns the derivative d ln f/d ln n of the rate f at n keys.
func steepness(g bloomproof.Geometry, n uint64) (float64, error) {
	more := n + n/100 + 1
	f, err := approx.LogFPR(g, n)
	if err != nil {
		return 0, err
	}
	h, err := approx.LogFPR(g, more)
	return (h - f) / math.Log(float64(more)/float64(n)), err
}

// cacheLine is the size of a cache line in bytes, on nearly all CPUs.
const cacheLine = 64

// linesOf returns the expected number of cache lines that a look-up reads, for a key that the filter contains (hit) and
// for another key (miss). The filter begins at the given address and has the given share of set bits. In a filter of L
// lines without blocks, a hit with k positions reads L*(1 - (1-1/L)^k) lines on average. A miss reads the positions up
// to the first clear bit; their mean number is (1 - share^k)/(1 - share). In a filter with blocks, hits and misses both
// read the lines of one block.
func linesOf(g bloomproof.Geometry, share float64, address uint64) (hit, miss float64) {
	if g.Block > 0 {
		size := g.Block / 8
		blocks := max(1, cacheLine/size)
		lines := uint64(0)
		for i := range blocks {
			first := address%cacheLine + i*size
			lines += (first+size-1)/cacheLine - first/cacheLine + 1
		}
		both := float64(lines) / float64(blocks)
		return both, both
	}
	distinct := func(positions float64) float64 {
		all := math.Ceil(float64(g.M) / 8 / cacheLine)
		return -all * math.Expm1(positions*math.Log1p(-1/all))
	}
	k := float64(g.K)
	if share < 1 {
		return distinct(k), distinct(-math.Expm1(k*math.Log(share)) / (1 - share))
	}
	return distinct(k), distinct(k)
}

// rateKey returns the name of a measurement for which all filters have the target rate.
func rateKey(s bench.Size, target float64, op, form, name string) string {
	return key("rate", s.Name, fmt.Sprintf("%g", target), op, form, name)
}

// rateForms are the forms of keys for the measurements with filters of equal rate.
var rateForms = []string{short, ready}

// rateLookups measures look-ups in the filters that the method settle has filled.
func (m *measured) rateLookups(s bench.Size, target float64, filters []candidate, settled []rated) {
	keys := [2]*bench.Keys{bench.NewKeys(), bench.NewKeys()}
	count := func(name string) uint64 {
		i := slices.IndexFunc(settled, func(r rated) bool { return slices.Contains(r.forms, name) })
		return settled[i].n
	}
	for _, pattern := range patterns {
		var tasks []task
		for _, form := range rateForms {
			for _, c := range filters {
				if ask := contains(c.filter, form); ask != nil {
					next := newSequence(pattern, count(c.Name))
					tasks = append(tasks, task{rateKey(s, target, pattern, form, c.Name), func() float64 { return perKey(keys, next, ask) }})
				}
			}
		}
		for _, r := range m.cpp.peers() {
			n := count(r.name)
			tasks = append(tasks, task{rateKey(s, target, pattern, ready, r.name), func() float64 { return m.cpp.time(r, pattern, n) }})
		}
		words := bench.Memory(filters[0].filter)
		tasks = append(tasks, newLines(s, pattern, words, 1).task(rateKey(s, target, pattern, ready, oneLine), keys, newSequence(pattern, count(filters[0].Name))))
		m.inTurn(tasks)
	}
}

// rateInserts measures insertions into the filters that the method settle has filled.
func (m *measured) rateInserts(s bench.Size, target float64, filters []candidate) {
	k := bench.NewKeys()
	fresh := uint64(bench.FirstMiss) << 1
	var tasks []task
	for _, c := range filters {
		words := bench.Memory(c.filter)
		var kept []uint64
		if len(words) <= restored {
			kept = slices.Clone(words)
		}
		for _, form := range rateForms {
			put := add(c.filter, form)
			if put == nil {
				continue
			}
			tasks = append(tasks, task{rateKey(s, target, "add", form, c.Name), func() float64 {
				var spent time.Duration
				for range chunks {
					k.Fill(func(i uint64) uint64 { return fresh + i })
					fresh += bench.Chunk
					start := now()
					put(k)
					spent += now() - start
				}
				copy(words, kept)
				return float64(spent.Nanoseconds()) / (chunks * bench.Chunk)
			}})
		}
	}
	for _, r := range m.cpp.peers() {
		tasks = append(tasks, task{rateKey(s, target, "add", ready, r.name), func() float64 { return m.cpp.time(r, "add", 0) }})
	}
	m.inTurn(tasks)
}
