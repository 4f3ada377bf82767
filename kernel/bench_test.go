package kernel_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// Filters that fit in L1, and that fit in no cache: 32 KiB and 64 MiB, half full.
var benchBytes = []uint64{32 << 10, 64 << 20}

const benchK = 7

// benchKeys are 8-byte keys: so many that the bits they touch are not in cache unless
// the filter is.
func benchKeys(from uint64, n int) [][]byte {
	keys := make([][]byte, n)
	all := make([]byte, 8*n)
	for i := range keys {
		keys[i] = all[8*i : 8*i+8]
		binary.LittleEndian.PutUint64(keys[i], from+uint64(i))
	}
	return keys
}

// eachShape runs f for every hashing and size. The number of keys fills half the bits.
func eachShape(b *testing.B, f func(b *testing.B, g bloomproof.Geometry, n int)) {
	for _, size := range benchBytes {
		for _, h := range hashings {
			g := bloomproof.Geometry{M: 8 * size / benchK * benchK, K: benchK, Hashing: h}
			b.Run(fmt.Sprintf("bytes=%d/hashing=%v", size, h), func(b *testing.B) {
				f(b, g, int(0.69*float64(g.M)/benchK))
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/key")
			})
		}
	}
}

func benchFilter(b *testing.B, g bloomproof.Geometry, n int) *kernel.Filter {
	f := mustNew(b, g, kernel.Options{})
	var key [8]byte
	for i := range uint64(n) {
		binary.LittleEndian.PutUint64(key[:], i)
		f.Add(key[:])
	}
	return f
}

func BenchmarkAdd(b *testing.B) {
	eachShape(b, func(b *testing.B, g bloomproof.Geometry, n int) {
		f := mustNew(b, g, kernel.Options{})
		keys := benchKeys(0, min(n, 1<<20))
		i := 0
		for b.Loop() {
			f.Add(keys[i])
			if i++; i == len(keys) {
				i = 0
			}
		}
	})
}

// BenchmarkBlock is of filters with blocks beside one without, and of keys that they hold;
// batch=1 is AddHash and ContainsHash, and the hashes are ready.
func BenchmarkBlock(b *testing.B) {
	for _, size := range benchBytes {
		for _, g := range []bloomproof.Geometry{
			{K: benchK}, {K: benchK, Block: 512},
			{K: 8, Block: 512, Hashing: bloomproof.Partitioned},
			{K: 8, Block: 256, Hashing: bloomproof.Partitioned},
			{K: benchK, Block: 1024},
		} {
			g.M = 8 * size
			hashes := make([]kernel.Hash, min(int(0.69*float64(g.M)/float64(g.K)), 1<<20)&^255)
			f := mustNew(b, g, kernel.Options{})
			for i := range hashes {
				hashes[i] = f.Hasher().Uint64(uint64(i))
			}
			f.AddBatch(nil, kernel.KeysOf(hashes))
			for _, op := range []string{"contains", "add"} {
				for _, batch := range []int{1, 256} {
					b.Run(fmt.Sprintf("bytes=%d/%v/%s/batch=%d", size, g, op, batch), func(b *testing.B) {
						out := make([]bool, 0, batch)
						for i := 0; b.Loop(); i = (i + batch) % len(hashes) {
							switch {
							case batch == 1 && op == "add":
								f.AddHash(hashes[i])
							case batch == 1:
								f.ContainsHash(hashes[i])
							case op == "add":
								f.AddBatch(out, kernel.KeysOf(hashes[i:i+batch]))
							default:
								f.ContainsBatch(out, kernel.KeysOf(hashes[i:i+batch]))
							}
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batch), "ns/key")
					})
				}
			}
		}
	}
}

func BenchmarkContains(b *testing.B) {
	for _, hit := range []bool{true, false} {
		b.Run(fmt.Sprintf("hit=%t", hit), func(b *testing.B) {
			eachShape(b, func(b *testing.B, g bloomproof.Geometry, n int) {
				f := benchFilter(b, g, n)
				from := uint64(0)
				if !hit {
					from = 1 << 40
				}
				keys := benchKeys(from, min(n, 1<<20))
				i, found := 0, 0
				for b.Loop() {
					if f.Contains(keys[i]) {
						found++
					}
					if i++; i == len(keys) {
						i = 0
					}
				}
				if hit && found != b.N {
					b.Fatalf("%d of %d keys found", found, b.N)
				}
			})
		})
	}
}

// BenchmarkObserve is of arrivals in the middle of a cycle, half of them repeats of one of
// the last 2^16; batch=1 is Observe.
func BenchmarkObserve(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	keys := benchKeys(0, 1<<21)
	for i := range keys {
		if i&1 == 1 {
			copy(keys[i], keys[i-min(i, 1+2*r.IntN(1<<15))])
		}
	}
	for _, twoPhase := range []bool{false, true} {
		for _, batch := range []int{1, 8, 256} {
			b.Run(fmt.Sprintf("two=%t/batch=%d", twoPhase, batch), func(b *testing.B) {
				eachShape(b, func(b *testing.B, g bloomproof.Geometry, _ int) {
					f := mustNewRecycling(b, g, bloomproof.Recycling{Sigma: g.M / 2, TwoPhase: twoPhase}, kernel.Options{})
					f.FillRandom(r)
					seen := make([]kernel.Observation, 0, batch)
					i := 0
					for b.Loop() {
						switch {
						case batch == 1:
							f.Observe(keys[i])
							i++
						case i%batch == 0: // an iteration is a key
							f.ObserveBatch(seen, kernel.KeysOf(keys[i:i+batch]))
							fallthrough
						default:
							i++
						}
						if i == len(keys) {
							i = 0
						}
					}
				})
			})
		}
	}
}

// BenchmarkAddBulk is of loads into a filter that is a quarter full, of as many keys as
// bring it to half, but at most 2^25.
func BenchmarkAddBulk(b *testing.B) {
	for _, size := range []uint64{16 << 20, 64 << 20, 1 << 30} {
		g := bloomproof.Geometry{M: 8 * size, K: benchK}
		r := rand.New(rand.NewPCG(1, 2))
		hashes := make([]kernel.Hash, min(g.M*2/5/benchK, 1<<25))
		for i := range hashes {
			hashes[i] = kernel.Hash{H0: r.Uint64(), H1: r.Uint64()}
		}
		for _, how := range []string{"bulk", "batch", "single"} {
			b.Run(fmt.Sprintf("bytes=%d/how=%s", size, how), func(b *testing.B) {
				f := mustNew(b, g, kernel.Options{})
				f.FillRandom(r)
				out := make([]bool, 0, 4096)
				for b.Loop() {
					switch how {
					case "bulk":
						f.AddBulk(kernel.KeysOf(hashes))
					case "batch":
						for part := range slices.Chunk(hashes, cap(out)) {
							f.AddBatch(out, kernel.KeysOf(part))
						}
					case "single":
						for _, h := range hashes {
							f.AddHash(h)
						}
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(hashes)), "ns/key")
			})
		}
	}
}

// No operation on a key allocates while k <= 64, whatever hashing, scheme or rule.
func TestOperationsDoNotAllocate(t *testing.T) {
	for _, h := range hashings {
		for _, k := range []int{1, 7, 64} {
			for _, o := range optionSets {
				g := bloomproof.Geometry{M: 64 * 64, K: k, Hashing: h}
				if h == bloomproof.Partitioned {
					g.M = 64 * uint64(k)
				}
				f := mustNew(t, g, o)
				other := f.Clone()
				shared := f.Clone().Concurrent()
				var filters []*kernel.RecyclingFilter
				var sharedFilters []*kernel.ConcurrentRecycling
				for _, r := range []bloomproof.Recycling{
					{Sigma: g.M / 2}, {Sigma: g.M / 2, Retain: g.M/2 >= uint64(k), TwoPhase: true, FreezeBefore: true},
					{Messages: 3, Retain: true, TwoPhase: true, FreshPositions: true},
				} {
					filters = append(filters, mustNewRecycling(t, g, r, o))
					sharedFilters = append(sharedFilters, filters[len(filters)-1].Clone().Concurrent())
				}
				for _, n := range []int{0, 8, 200, 2000} {
					key := make([]byte, n)
					i := byte(0)
					for what, op := range map[string]func(){
						"Add":      func() { f.Add(key) },
						"Contains": func() { f.Contains(key) },
						"Rate":     func() { f.Rate(); f.Bits(); f.Items(); f.Recount() },
						"Union":    func() { _ = f.Union(other) },
						"Clear":    func() { other.Clear() },
						"concurrent Observe": func() {
							for _, c := range sharedFilters {
								c.Observe(key)
								c.Contains(key)
								c.Rate()
								c.State()
							}
						},
						"concurrent": func() {
							shared.Add(key)
							shared.Contains(key)
							_ = shared.Union(other)
							shared.Rate()
							shared.Recount()
						},
						"Observe": func() {
							for _, r := range filters {
								r.Observe(key)
								r.Contains(key)
								r.Rate()
							}
						},
					} {
						allocs := testing.AllocsPerRun(20, func() {
							if i++; n > 0 {
								key[0] = i
							}
							op()
						})
						if allocs != 0 {
							t.Errorf("%v scheme=%v key of %d bytes: %s makes %v allocations", g, kernel.SchemeOf(o), n, what, allocs)
						}
					}
				}
			}
		}
	}
}

// BenchmarkConcurrent lets as many goroutines as there are processors (-cpu) share a
// filter, behind a mutex or made for it: what a key costs in all, of ready-made hashes
// and batches of 256. Half of the keys were there at the start, and all are after the
// first turn.
func BenchmarkConcurrent(b *testing.B) {
	const batch = 256
	for _, size := range benchBytes {
		g := bloomproof.Geometry{M: 8 * size, K: benchK}
		n := int(0.69 * float64(g.M) / benchK)
		hashes := make([]kernel.Hash, min(n, 1<<20)/batch*batch)
		for i := range hashes {
			hashes[i] = idHash(uint64(i))
		}
		half := mustNew(b, g, kernel.Options{})
		for i := range uint64(n) / 2 {
			half.AddHash(idHash(2 * i))
		}
		type filter interface {
			AddHash(kernel.Hash) bool
			ContainsHash(kernel.Hash) bool
			AddBatch([]bool, kernel.Keys) []bool
			ContainsBatch([]bool, kernel.Keys) []bool
		}
		for _, op := range []string{"add", "contains", "add-batch", "contains-batch"} {
			for name, open := range map[string]func() filter{
				"mutex":      func() filter { return &lockedFilter{f: half.Clone()} },
				"concurrent": func() filter { return half.Clone().Concurrent() },
			} {
				b.Run(fmt.Sprintf("op=%s/bytes=%d/filter=%s", op, size, name), func(b *testing.B) {
					f := open()
					var next atomic.Uint64
					b.ResetTimer()
					b.RunParallel(func(p *testing.PB) {
						out := make([]bool, 0, batch)
						var h []kernel.Hash
						for p.Next() {
							if len(h) == 0 {
								at := int(next.Add(batch)) % len(hashes)
								h = hashes[at : at+batch]
								switch op {
								case "add-batch":
									out = f.AddBatch(out[:0], kernel.KeysOf(h))
								case "contains-batch":
									out = f.ContainsBatch(out[:0], kernel.KeysOf(h))
								}
							}
							switch op {
							case "add":
								f.AddHash(h[0])
							case "contains":
								f.ContainsHash(h[0])
							}
							h = h[1:]
						}
					})
				})
			}
		}
	}
}

// BenchmarkConcurrentObserve is BenchmarkConcurrent for recycling filters of two phases
// with fixed positions, of which three of four arrivals are new.
func BenchmarkConcurrentObserve(b *testing.B) {
	const batch = 256
	for _, size := range benchBytes {
		g := bloomproof.Geometry{M: 4 * size, K: benchK}
		r := bloomproof.Recycling{Sigma: g.M / 2, TwoPhase: true}
		half := mustNewRecycling(b, g, r, kernel.Options{})
		half.FillRandom(rand.New(rand.NewPCG(1, 2)))
		type filter interface {
			ObserveHash(kernel.Hash) kernel.Observation
			ObserveBatch([]kernel.Observation, kernel.Keys) []kernel.Observation
		}
		for _, op := range []string{"observe", "observe-batch"} {
			for name, open := range map[string]func() filter{
				"mutex":      func() filter { return &lockedRecycling{f: half.Clone()} },
				"concurrent": func() filter { return half.Clone().Concurrent() },
			} {
				b.Run(fmt.Sprintf("op=%s/bytes=%d/filter=%s", op, size, name), func(b *testing.B) {
					f := open()
					var next atomic.Uint64
					b.ResetTimer()
					b.RunParallel(func(p *testing.PB) {
						out := make([]kernel.Observation, 0, batch)
						hashes := make([]kernel.Hash, batch)
						at := batch
						for p.Next() {
							if at == batch {
								from := next.Add(batch * 3 / 4)
								for i := range hashes {
									hashes[i] = idHash(from + uint64(i)) // a quarter is the next one's too
								}
								if at = 0; op == "observe-batch" {
									out = f.ObserveBatch(out[:0], kernel.KeysOf(hashes))
								}
							}
							if op == "observe" {
								f.ObserveHash(hashes[at])
							}
							at++
						}
					})
				})
			}
		}
	}
}

type lockedRecycling struct {
	mu sync.Mutex
	f  *kernel.RecyclingFilter
}

func (l *lockedRecycling) ObserveHash(h kernel.Hash) kernel.Observation {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.f.ObserveHash(h)
}

func (l *lockedRecycling) ObserveBatch(dst []kernel.Observation, keys kernel.Keys) []kernel.Observation {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.f.ObserveBatch(dst, keys)
}

// lockedFilter is what one would do without a concurrent filter.
type lockedFilter struct {
	mu sync.Mutex
	f  *kernel.Filter
}

func (l *lockedFilter) AddHash(h kernel.Hash) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.f.AddHash(h)
}

func (l *lockedFilter) ContainsHash(h kernel.Hash) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.f.ContainsHash(h)
}

func (l *lockedFilter) AddBatch(dst []bool, keys kernel.Keys) []bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.f.AddBatch(dst, keys)
}

func (l *lockedFilter) ContainsBatch(dst []bool, keys kernel.Keys) []bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.f.ContainsBatch(dst, keys)
}
