package main

import (
	"fmt"
	"io"
	"math/bits"
	"math/rand/v2"
	"os"
	"runtime"
	"time"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/bench"
	"github.com/bloomproof/bloomproof/kernel"
)

// The ways in which keys come.
const (
	short   = "8-byte keys"
	long    = "30-byte keys"
	ready   = "hash ready"
	integer = "uint64 keys"
)

var forms = []string{short, long, ready, integer}

// patterns are what look-ups ask for: keys that were added, that were not, and either
// by chance.
var patterns = []string{"hit", "miss", "half"}

// lineLimit reads the words that a look-up with early exit needs, their places being
// ready, and computes nothing: the ceiling.
const lineLimit = "line limit"

// bulk is the loading of many ready hashes at once.
const bulk = "bloomproof bulk"

// chunks is the number of chunks of keys that one measurement of look-ups takes.
const chunks = 8

// candidate is a peer with its filter.
type candidate struct {
	name   string
	filter bench.Filter
}

func candidates(s bench.Size) (all []candidate, err error) {
	for _, p := range bench.Peers() {
		f, err := p.New(s.M, bench.K)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		all = append(all, candidate{p.Name, f})
	}
	return all, nil
}

// filters measures inserts and look-ups at one size.
func (m *measured) filters(s bench.Size) error {
	fmt.Fprintf(os.Stderr, "filters of %s\n", sizeName(s))
	filters, err := candidates(s)
	if err != nil {
		return err
	}
	if small(s) {
		err = m.fill(s)
	} else {
		// Adding to half of the bits of a large filter would take some peers minutes.
		for _, c := range filters {
			bench.Half(bench.Memory(c.filter))
		}
		m.inserts(s, filters)
	}
	if err != nil {
		return err
	}
	m.lookups(s, filters)
	if !small(s) {
		return m.bulk(s)
	}
	return nil
}

// small reports whether filters are filled key by key.
func small(s bench.Size) bool { return s.M <= 1<<23 }

// added is the number of keys, of each length, that are there to be found: half of what
// sets half of the bits, at most 2^20.
func added(s bench.Size) uint64 {
	return min(bench.Items(s.M)/2, 1<<20) / bench.Chunk * bench.Chunk
}

// contains returns the function of f that looks up keys of a form and counts those it finds; nil
// when f does not take that form.
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

// add is contains for inserts.
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

// fill measures inserts into filters that go from empty to half full.
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
			f, words := f, bench.Memory(f)
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
	m.inTurn(tasks)
	return nil
}

// inserts measures inserts into filters that are half full.
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
			tasks = append(tasks, task{key("add", s.Name, form, c.name), func() float64 {
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
	m.inTurn(tasks)
}

// lookups measures look-ups in filters of which half of the bits are set, or that get
// there by the keys that are to be found.
func (m *measured) lookups(s bench.Size, filters []candidate) {
	keys := [2]*bench.Keys{bench.NewKeys(), bench.NewKeys()} // one warms up, one is measured
	for i := uint64(0); i < added(s); i += bench.Chunk {
		keys[0].Fill(func(j uint64) uint64 { return i + j })
		for _, c := range filters {
			c.filter.Add(keys[0].Short)
			c.filter.Add(keys[0].Long)
		}
	}
	for _, pattern := range patterns {
		var tasks []task
		for _, form := range forms {
			for _, c := range filters {
				if ask := contains(c.filter, form); ask != nil {
					next := newSequence(pattern, added(s))
					tasks = append(tasks, task{key(pattern, s.Name, form, c.name), func() float64 {
						return perKey(keys, next, ask)
					}})
				}
			}
		}
		next, lines := newSequence(pattern, added(s)), newLines(s, pattern, bench.Memory(filters[0].filter))
		tasks = append(tasks, task{key(pattern, s.Name, ready, lineLimit), func() float64 {
			var at [2][]uint64
			return perKey(keys, func(k *bench.Keys) {
				next(k)
				which := 0
				if k == keys[1] {
					which = 1
				}
				at[which] = lines.places(at[which][:0], k)
			}, func(k *bench.Keys) int {
				if k == keys[1] {
					return lines.read(at[1])
				}
				return lines.read(at[0])
			})
		}})
		m.inTurn(tasks)
	}
}

// perKey returns the nanoseconds a key that ask takes for chunks of keys made by next;
// half of the chunks warm up.
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

// newSequence returns the function that fills keys with the next ones of a pattern, of
// which the first n numbers were added.
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

// lines reads words of a filter.
type lines struct {
	g       bloomproof.Geometry
	pattern string
	words   []uint64
	pos     []uint64
	rand    *rand.Rand
}

func newLines(s bench.Size, pattern string, words []uint64) *lines {
	return &lines{bloomproof.Geometry{M: s.M, K: bench.K}, pattern, words, nil, rand.New(rand.NewPCG(5, 6))}
}

// places appends the words that keys need: all K for a hit, and for a miss those up to
// the first clear bit, half of the bits being set.
func (l *lines) places(at []uint64, k *bench.Keys) []uint64 {
	for _, h := range k.Hashes {
		l.pos, _ = kernel.AppendPositions(l.pos[:0], l.g, h)
		n := bench.K
		if l.pattern == "miss" || l.pattern == "half" && l.rand.Uint32()&1 == 0 {
			n = min(bits.TrailingZeros64(l.rand.Uint64())+1, bench.K)
		}
		for _, p := range l.pos[:n] {
			at = append(at, p>>6)
		}
	}
	return at
}

// read reads the words at the given places.
func (l *lines) read(at []uint64) int {
	or := uint64(0)
	for _, i := range at {
		or |= l.words[i]
	}
	return int(or & 1)
}

// bulk measures the loading of many ready hashes into an empty filter.
func (m *measured) bulk(s bench.Size) error {
	f, err := kernel.New(bloomproof.Geometry{M: s.M, K: bench.K}, kernel.Options{})
	if err != nil {
		return err
	}
	r := rand.NewPCG(7, 8)
	h := make([]kernel.Hash, min(bench.Items(s.M), 1<<26))
	for i := range h {
		h[i] = kernel.Hash{H0: r.Uint64(), H1: r.Uint64()}
	}
	f.AddBulk(kernel.KeysOf(h)) // the memory of the filter is there from now on
	t := task{key("add", s.Name, ready, bulk), func() float64 {
		f.Clear()
		return timed(len(h), func() { f.AddBulk(kernel.KeysOf(h)) })
	}}
	rounds := m.rounds
	m.rounds = 2
	m.inTurn([]task{t})
	m.rounds = rounds
	return nil
}

func (m *measured) printFilters(w io.Writer, s bench.Size) {
	fmt.Fprintf(w, "\n## Filters of %s: nanoseconds per key\n\n", sizeName(s))
	if small(s) {
		fmt.Fprintf(w, "Inserts go from an empty filter to half of the bits.")
	} else {
		fmt.Fprintf(w, "Half of the bits are set at random before inserts and look-ups; the bulk load starts empty.")
	}
	fmt.Fprintf(w, " In brackets: how many times as fast as %s with %s.\n\n| |", bench.Baseline, short)
	names := []string{}
	for _, p := range bench.Peers() {
		names = append(names, p.Name)
	}
	names = append(names, lineLimit, bulk)
	for _, n := range names {
		fmt.Fprintf(w, " %s |", n)
	}
	fmt.Fprint(w, "\n| --- |")
	for range names {
		fmt.Fprint(w, " ---: |")
	}
	for _, op := range append([]string{"add"}, patterns...) {
		for _, form := range forms {
			fmt.Fprintf(w, "\n| %s, %s |", op, form)
			for _, n := range names {
				ns, ok := m.ns[key(op, s.Name, form, n)]
				if !ok {
					fmt.Fprint(w, " |")
					continue
				}
				fmt.Fprintf(w, " %.1f", ns)
				if n != bench.Baseline {
					fmt.Fprintf(w, " (%.1f)", m.ns[key(op, s.Name, short, bench.Baseline)]/ns)
				}
				fmt.Fprint(w, " |")
			}
		}
	}
	fmt.Fprintln(w)
}
