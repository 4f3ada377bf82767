package chances

import (
	"encoding/binary"
	"math"

	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind/xxh3"
)

func hangFaults() []Fault {
	return []Fault{
		{"a union repeats a word for ever where there is nothing new in it", "hang", func() conform.Subject[*Filter] {
			s := Sound()
			s.Union = func(f, g *Filter) error {
				if f.m != g.m || f.k != g.k {
					return errShape
				}
				for i, w := range g.words {
					for w != 0 {
						before := f.words[i]
						f.words[i] |= w
						if f.words[i] == before {
							continue
						}
						break
					}
				}
				return nil
			}
			return s
		}()},
		{"a union of a filter with itself waits for itself", "hang", func() conform.Subject[*Filter] {
			s := Sound()
			s.Union = func(f, g *Filter) error {
				f.mu.Lock()
				defer f.mu.Unlock()
				g.mu.Lock()
				defer g.mu.Unlock()
				return union(f, g)
			}
			return s
		}()},
		{"a snapshot that is refused leaves the filter locked", "hang", func() conform.Subject[*Filter] {
			s := Sound()
			s.Unmarshal = func(f *Filter, b []byte) error {
				f.mu.Lock()
				if err := unmarshal(f, b); err != nil {
					return err
				}
				f.mu.Unlock()
				return nil
			}
			s.Marshal = func(f *Filter) ([]byte, error) {
				f.mu.RLock()
				defer f.mu.RUnlock()
				return marshal(f)
			}
			s.Contains = func(f *Filter, key []byte) bool {
				f.mu.RLock()
				defer f.mu.RUnlock()
				return contains(f, key)
			}
			return s
		}()},
		{"a batch of more than 1,024 keys fills a channel that nobody reads", "hang", func() conform.Subject[*Filter] {
			s := Sound()
			s.AddBatch = func(f *Filter, keys [][]byte) {
				queue := make(chan places, 1024)
				for _, key := range keys {
					queue <- f.place(f, key)
				}
				close(queue)
				for p := range queue {
					for _, pos := range p[:f.k] {
						f.put(pos)
					}
				}
			}
			return s
		}()},
		{"a batch of no keys waits for the first", "hang", func() conform.Subject[*Filter] {
			s := Sound()
			s.ContainsBatch = func(f *Filter, keys [][]byte) []bool {
				answers, yes := make(chan bool), make([]bool, 0, len(keys))
				go func() {
					for _, key := range keys {
						answers <- contains(f, key)
					}
				}()
				for {
					yes = append(yes, <-answers)
					if len(yes) >= len(keys) {
						return yes
					}
				}
			}
			return s
		}()},
		{"Items bisects to 1e-10, which a number above 2^19 does not reach", "hang", func() conform.Subject[*Filter] {
			s := Sound()
			s.Items = func(f *Filter) float64 {
				b, low, high := float64(setBits(f)), 0.0, 64*float64(f.m)
				each := float64(f.k) * math.Log1p(-1/float64(f.m))
				for high-low > 1e-10 {
					if mid := (low + high) / 2; -math.Expm1(each*mid)*float64(f.m) < b {
						low = mid
					} else {
						high = mid
					}
				}
				return low
			}
			return s
		}()},
		{"classic hashing repeats 32 draws until it has k positions, which are not always in them", "hang",
			declared(func(f *Filter, key []byte) (p places) {
				h := xxh3.Hash128(key)
				for i, n := 0, 0; i < f.k; n++ {
					x := reduce(word(h, n&31), f.m)
					if f.k > 30 {
						x = reduce(word(h, n), f.m)
					}
					if !in(p[:i], x) {
						p[i] = x
						i++
					}
				}
				return p
			})},
		{"Size tries each m from 1 on", "slow", sized(func(n uint64, rate float64) (uint64, int) {
			_, k := size(n, rate)
			m := uint64(1)
			for rateFor(m, k, n) > rate {
				m++
			}
			return m, k
		})},
		{"reading a snapshot counts the words of its m one by one, before the checksum", "hang", func() conform.Subject[*Filter] {
			s := Sound()
			s.Unmarshal = func(f *Filter, b []byte) error {
				if len(b) < header+trail {
					return errCorrupt
				}
				words, left := 0, binary.LittleEndian.Uint64(b[8:])
				for ; left > 64; left -= 64 {
					words++
				}
				if words > len(b) && left != 0 {
					return errCorrupt
				}
				return unmarshal(f, b)
			}
			return s
		}()},
		{"TestAndAdd on a full filter looks for a bit to set for ever", "hang", func() conform.Subject[*Filter] {
			s := Sound()
			s.TestAndAdd = func(f *Filter, key []byte) bool {
				was := testThenAdd(f, key)
				// The field "seed" is the index of a word with a bit that is still clear. The next call begins its
				// search there.
				for f.words[f.seed%uint64(len(f.words))] == math.MaxUint64 {
					f.seed++
				}
				return was
			}
			s.ConcurrentAdds = false
			return s
		}()},
	}
}
