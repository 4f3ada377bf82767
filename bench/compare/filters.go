package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/bench"
	"github.com/bloomproof/bloomproof/kernel"
)

// These are the forms in which a filter gets its keys.
const (
	short   = "8-byte keys"
	long    = "30-byte keys"
	ready   = "hash ready"
	integer = "uint64 keys"
)

var forms = []string{short, long, ready, integer}

// patterns names the kinds of keys that are looked up: keys in the filter ("hit"), keys not in the filter ("miss"), and
// a random mixture of these two kinds ("half").
var patterns = []string{"hit", "miss", "half"}

// bulk is the name of the measurement that loads many precomputed hashes at once.
const bulk = "bloomproof bulk"

// chunks is the number of chunks of keys in one measurement of look-ups.
const chunks = 8

// candidate is one of the compared implementations, with its filter.
type candidate struct {
	bench.Peer
	filter bench.Filter
}

// candidates returns all peers that can have filters of the given number of bits, each with such a filter. The two
// forms of a peer share one filter, and all filters have the same kind of pages.
func (m *measured) candidates(bits uint64, k func(bench.Peer) int) (all []candidate, err error) {
	for _, p := range bench.Peers() {
		if !p.Takes(bits) {
			continue
		}
		if i := slices.IndexFunc(all, func(c candidate) bool { return c.Name == p.Of }); i >= 0 {
			all = append(all, candidate{p, all[i].filter.(bench.Batcher).Batch()})
			continue
		}
		f, err := p.New(bits, k(p))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		bench.Advise([][]uint64{bench.Memory(f)}, m.huge)
		all = append(all, candidate{p, f})
	}
	return all, nil
}

// equalK returns the same k for all peers.
func equalK(bench.Peer) int { return bench.K }

// The method filters measures insertions and look-ups at one size.
func (m *measured) filters(s bench.Size) error {
	filters, err := m.candidates(s.M, equalK)
	if err != nil {
		return err
	}
	if err := m.cpp.open(s.M, bench.K, m.huge); err != nil {
		return err
	}
	if small(s) {
		if err := m.fill(s); err != nil {
			return err
		}
	} else {
		// Setting half of the bits of a large filter by adding keys would take some peers minutes.
		for _, c := range filters {
			if c.Of == "" {
				bench.Half(bench.Memory(c.filter))
			}
		}
		m.inserts(s, filters)
	}
	m.lookups(s, filters)
	m.shares(s, filters)
	if err := m.cpp.close(); err != nil {
		return err
	}
	if !small(s) {
		return m.bulk(s)
	}
	return nil
}

// The method shares records which share of each filter is in huge pages.
func (m *measured) shares(s bench.Size, filters []candidate) {
	for _, c := range filters {
		m.share[key(s.Name, c.Name)] = percent(bench.HugeShare(bench.Memory(c.filter)))
	}
	for _, p := range m.cpp.peers() {
		m.share[key(s.Name, p.name)] = percent(m.cpp.hugeShare(p))
	}
}

// percent returns a share as text, or "" if ok is false, which means that the share is unknown.
func percent(share float64, ok bool) string {
	if !ok {
		return ""
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}

// small reports whether filters of this size are filled key by key.
func small(s bench.Size) bool { return s.M <= 1<<23 }

// Before the look-ups of a filter are measured, keys are added to it. The function added returns the number of added
// keys of each length. If n keys would set half of the bits, it returns about n/2, but at most 2^20.
func added(s bench.Size) uint64 {
	return min(bench.Items(s.M)/2, 1<<20) / bench.Chunk * bench.Chunk
}

// contains returns a function that looks up keys in f and counts the hits. The argument form names the form in which
// the keys are given. It returns nil if f does not take this form.
func contains(f bench.Filter, form string) func(*bench.Keys) int {
	switch form {
	case short:
		return func(k *bench.Keys) int { return f.Contains(k.Short) }
	case long:
		return func(k *bench.Keys) int { return f.Contains(k.Long) }
	case ready:
		if f, ok := f.(bench.HashFilter); ok {
			return func(k *bench.Keys) int { return f.ContainsHashes(k.Hashes) }
		}
	case integer:
		if f, ok := f.(bench.Uint64Filter); ok {
			return func(k *bench.Keys) int { return f.ContainsUint64s(k.Words) }
		}
	}
	return nil
}

// The function add returns a function that adds keys to f. The argument form names the form in which the keys are
// given. It returns nil if f does not take this form.
func add(f bench.Filter, form string) func(*bench.Keys) {
	switch form {
	case short:
		return func(k *bench.Keys) { f.Add(k.Short) }
	case long:
		return func(k *bench.Keys) { f.Add(k.Long) }
	case ready:
		if f, ok := f.(bench.HashFilter); ok {
			return func(k *bench.Keys) { f.AddHashes(k.Hashes) }
		}
	case integer:
		if f, ok := f.(bench.Uint64Filter); ok {
			return func(k *bench.Keys) { f.AddUint64s(k.Words) }
		}
	}
	return nil
}

// The method fill measures insertions while filters go from empty to half full.
func (m *measured) fill(s bench.Size) error {
	k := bench.NewKeys()
	n := max(bench.Items(s.M)/bench.Chunk, 1)
	var tasks []task
	for _, form := range forms {
		for _, p := range bench.Peers() {
			f, err := p.New(s.M, bench.K)
			if err != nil {
				return fmt.Errorf("%s: %w", p.Name, err)
			}
			words := bench.Memory(f)
			put := add(f, form)
			if put == nil {
				continue
			}
			tasks = append(tasks, task{key("add", s.Name, form, p.Name), func() float64 {
				clear(words)
				var spent time.Duration
				for c := range n {
					k.Fill(func(i uint64) uint64 { return c*bench.Chunk + i })
					start := now()
					put(k)
					spent += now() - start
				}
				return float64(spent.Nanoseconds()) / float64(n*bench.Chunk)
			}})
		}
	}
	for _, p := range m.cpp.peers() {
		tasks = append(tasks, task{key("add", s.Name, ready, p.name), func() float64 { return m.cpp.timeFill(p, n*bench.Chunk) }})
	}
	m.inTurn(tasks)
	return nil
}

// The method inserts measures insertions into filters that are half full.
func (m *measured) inserts(s bench.Size, filters []candidate) {
	k := bench.NewKeys()
	fresh := uint64(bench.FirstMiss) << 1
	var tasks []task
	for _, form := range forms {
		for _, c := range filters {
			put := add(c.filter, form)
			if put == nil {
				continue
			}
			tasks = append(tasks, task{key("add", s.Name, form, c.Name), func() float64 {
				var spent time.Duration
				for range chunks {
					k.Fill(func(i uint64) uint64 { return fresh + i })
					fresh += bench.Chunk
					start := now()
					put(k)
					spent += now() - start
				}
				return float64(spent.Nanoseconds()) / (chunks * bench.Chunk)
			}})
		}
	}
	for _, p := range m.cpp.peers() {
		tasks = append(tasks, task{key("add", s.Name, ready, p.name), func() float64 { return m.cpp.time(p, "add", 0) }})
	}
	m.inTurn(tasks)
}

// remoteLookups returns the tasks that measure look-ups of the C++ peers.
func (m *measured) remoteLookups(s bench.Size, pattern string) (tasks []task) {
	for _, p := range m.cpp.peers() {
		tasks = append(tasks, task{key(pattern, s.Name, ready, p.name), func() float64 { return m.cpp.time(p, pattern, added(s)) }})
	}
	return tasks
}

// The method lookups measures look-ups in filters with half of the bits set. In small filters the added keys set these
// bits.
func (m *measured) lookups(s bench.Size, filters []candidate) {
	keys := [2]*bench.Keys{bench.NewKeys(), bench.NewKeys()} // one for the warm-up, one for the measurement
	for i := uint64(0); i < added(s); i += bench.Chunk {
		keys[0].Fill(func(j uint64) uint64 { return i + j })
		for _, c := range filters {
			if c.Of == "" {
				c.filter.Add(keys[0].Short)
				c.filter.Add(keys[0].Long)
			}
		}
	}
	m.cpp.addAll(added(s))
	for _, pattern := range patterns {
		var tasks []task
		for _, form := range forms {
			for _, c := range filters {
				if ask := contains(c.filter, form); ask != nil {
					next := newSequence(pattern, added(s))
					tasks = append(tasks, task{key(pattern, s.Name, form, c.Name), func() float64 {
						return perKey(keys, next, ask)
					}})
				}
			}
		}
		words := bench.Memory(filters[0].filter)
		tasks = append(tasks,
			newLines(s, pattern, words, bench.K).task(key(pattern, s.Name, ready, lineLimit), keys, newSequence(pattern, added(s))),
			newLines(s, pattern, words, 1).task(key(pattern, s.Name, ready, oneLine), keys, newSequence(pattern, added(s))))
		tasks = append(tasks, m.remoteLookups(s, pattern)...)
		m.inTurn(tasks)
	}
}

// perKey returns the nanoseconds per key that the function ask takes. The function named next fills the chunks with
// keys. Half of the chunks are for the warm-up.
func perKey(keys [2]*bench.Keys, next func(*bench.Keys), ask func(*bench.Keys) int) float64 {
	var spent time.Duration
	found := 0
	for range chunks {
		next(keys[0])
		next(keys[1])
		found += ask(keys[0])
		start := now()
		found += ask(keys[1])
		spent += now() - start
	}
	runtime.KeepAlive(found)
	return float64(spent.Nanoseconds()) / (chunks * bench.Chunk)
}

// newSequence returns a function that fills its argument with the next keys of a pattern. The first n keys of the
// pattern are in the filter.
func newSequence(pattern string, n uint64) func(*bench.Keys) {
	hit, miss := uint64(0), uint64(bench.FirstMiss)
	r := rand.New(rand.NewPCG(3, 4))
	return func(k *bench.Keys) {
		k.Fill(func(uint64) uint64 {
			if pattern == "hit" || pattern == "half" && r.Uint32()&1 == 0 {
				hit++
				return (hit - 1) % n
			}
			miss++
			return miss - 1
		})
	}
}

// The method bulk measures the loading of many precomputed hashes into an empty filter.
func (m *measured) bulk(s bench.Size) error {
	f, err := kernel.New(bloomproof.Geometry{M: s.M, K: bench.K}, kernel.Options{})
	if err != nil {
		return err
	}
	words := bench.Memory(f)
	bench.Advise([][]uint64{words}, m.huge)
	r := rand.NewPCG(7, 8)
	h := make([]kernel.Hash, min(bench.Items(s.M), 1<<26))
	for i := range h {
		h[i] = kernel.Hash{H0: r.Uint64(), H1: r.Uint64()}
	}
	f.AddBulk(kernel.KeysOf(h)) // after this call the memory of the filter is allocated
	t := task{key("add", s.Name, ready, bulk), func() float64 {
		f.Clear()
		return timed(len(h), func() { f.AddBulk(kernel.KeysOf(h)) })
	}}
	rounds := m.rounds
	m.rounds = 2
	m.inTurn([]task{t})
	m.rounds = rounds
	m.share[key(s.Name, bulk)] = percent(bench.HugeShare(words))
	return nil
}

func (m *measured) printFilters(w io.Writer, s bench.Size) {
	fmt.Fprintf(w, "\n### Filters of %s: nanoseconds per key\n\n", sizeName(s))
	if small(s) {
		fmt.Fprintf(w, "Inserts fill an empty filter until half of its bits are set.")
	} else {
		fmt.Fprintf(w, "Half of the bits are set at random before inserts and look-ups; the bulk load starts empty.")
	}
	fmt.Fprintf(w, " In brackets: how many times as fast as %s with %s. k is %d in filters whose k can be chosen, and 8 in the others.\n\n", bench.Baseline, short, bench.K)
	fmt.Fprint(w, "| | keys | huge pages | add | hit | miss | half |\n| --- | --- | ---: | ---: | ---: | ---: | ---: |\n")
	var names []string
	for _, p := range bench.Peers() {
		names = append(names, p.Name)
	}
	for _, p := range remotePeers {
		names = append(names, p.name)
	}
	names = append(names, lineLimit, oneLine, bulk)
	for _, n := range names {
		for _, form := range forms {
			cells, any := "", false
			for _, op := range append([]string{"add"}, patterns...) {
				ns, ok := m.ns[key(op, s.Name, form, n)]
				if !ok {
					cells += " |"
					continue
				}
				any = true
				cells += fmt.Sprintf(" %.1f", ns)
				if n != bench.Baseline {
					cells += fmt.Sprintf(" (%.1f)", m.ns[key(op, s.Name, short, bench.Baseline)]/ns)
				}
				cells += " |"
			}
			if any {
				fmt.Fprintf(w, "| %s | %s | %s |%s\n", n, form, m.share[key(s.Name, n)], cells)
			}
		}
	}
}
