package main

import (
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bloomproof/bloomproof/bench"
)

// goroutineCounts are the numbers of goroutines that share a filter.
var goroutineCounts = []int{1, 2}

// goroutineChunks is the number of chunks of keys that each goroutine processes after a common start. Processing them
// takes at least a millisecond, so the time that the start takes is negligible.
const goroutineChunks = 8

// goroutineKey returns the name of a measurement with g goroutines.
func goroutineKey(s bench.Size, op string, g int, name string) string {
	return key("goroutines", s.Name, op, fmt.Sprint(g), name)
}

// The method goroutines measures the wall time of insertions and look-ups in filters that several goroutines share.
func (m *measured) goroutines(s bench.Size) error {
	type candidate struct {
		name   string
		filter bench.Concurrent
	}
	var filters []candidate
	for _, p := range bench.ConcurrentPeers() {
		f, err := p.New(s.M, bench.K)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		words := f.Words()
		bench.Advise(words, m.huge)
		for _, piece := range words {
			bench.Half(piece)
		}
		filters = append(filters, candidate{p.Name, f})
	}
	keys := make([][]*bench.Keys, goroutineCounts[len(goroutineCounts)-1])
	for g := range keys {
		for range goroutineChunks {
			keys[g] = append(keys[g], bench.NewKeys())
		}
	}
	k := bench.NewKeys()
	for i := uint64(0); i < added(s); i += bench.Chunk {
		k.Fill(func(j uint64) uint64 { return i + j })
		for _, c := range filters {
			c.filter.Add(k.Short)
		}
	}
	for _, op := range []string{"hit", "miss", "half", "add"} {
		var tasks []task
		for _, g := range goroutineCounts {
			if g > runtime.GOMAXPROCS(0) {
				continue
			}
			for _, c := range filters {
				next := newSequence(op, added(s))
				fresh := uint64(bench.FirstMiss) << 1
				if op == "add" {
					next = func(k *bench.Keys) {
						k.Fill(func(i uint64) uint64 { return fresh + i })
						fresh += bench.Chunk
					}
				}
				tasks = append(tasks, task{goroutineKey(s, op, g, c.name), func() float64 {
					return together(keys[:g], next, op, c.filter)
				}})
			}
		}
		m.inTurn(tasks)
	}
	for _, c := range filters {
		words := c.filter.Words()
		m.share[goroutineKey(s, "pages", 0, c.name)] = percent(bench.HugeShare(words[len(words)/2]))
	}
	return nil
}

// The function together returns the nanoseconds of wall time per key. The time runs from the start of the first
// goroutine to the end of the last one, and is divided by the number of keys of all goroutines.
func together(keys [][]*bench.Keys, next func(*bench.Keys), op string, f bench.Filter) float64 {
	for _, own := range keys {
		for _, k := range own {
			next(k)
		}
	}
	var waiting atomic.Int64
	waiting.Store(int64(len(keys)))
	starts, ends := make([]time.Time, len(keys)), make([]time.Time, len(keys))
	var done sync.WaitGroup
	for g, own := range keys {
		done.Add(1)
		go func() {
			defer done.Done()
			waiting.Add(-1)
			for waiting.Load() > 0 { // wait at most until the other goroutines run
				runtime.Gosched()
			}
			starts[g] = time.Now()
			found := 0
			for _, k := range own {
				if op == "add" {
					f.Add(k.Short)
				} else {
					found += f.Contains(k.Short)
				}
			}
			ends[g] = time.Now()
			runtime.KeepAlive(found)
		}()
	}
	done.Wait()
	first, last := starts[0], ends[0]
	for g := range keys {
		if starts[g].Before(first) {
			first = starts[g]
		}
		if ends[g].After(last) {
			last = ends[g]
		}
	}
	return float64(last.Sub(first).Nanoseconds()) / float64(len(keys)*goroutineChunks*bench.Chunk)
}

func (m *measured) printGoroutines(w io.Writer) {
	fmt.Fprintf(w, "\n### Filters that goroutines share: wall time, nanoseconds per key of all\n\n8-byte keys, hashing included; half of the bits are set at random; with %v goroutines.\n\n", goroutineCounts)
	fmt.Fprint(w, "| | huge pages |")
	for _, op := range []string{"add", "hit", "miss", "half"} {
		for _, g := range goroutineCounts {
			fmt.Fprintf(w, " %s, %d |", op, g)
		}
	}
	fmt.Fprint(w, "\n| --- | ---:")
	for range 4 * len(goroutineCounts) {
		fmt.Fprint(w, " | ---:")
	}
	fmt.Fprintln(w, " |")
	for _, s := range m.sizes {
		for _, p := range bench.ConcurrentPeers() {
			fmt.Fprintf(w, "| %s, %s | %s |", p.Name, sizeName(s), m.share[goroutineKey(s, "pages", 0, p.Name)])
			for _, op := range []string{"add", "hit", "miss", "half"} {
				for _, g := range goroutineCounts {
					fmt.Fprint(w, m.cell(goroutineKey(s, op, g, p.Name)))
				}
			}
			fmt.Fprintln(w)
		}
	}
}
