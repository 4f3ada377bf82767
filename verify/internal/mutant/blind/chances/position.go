package chances

import (
	"encoding/binary"
	"math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind/xxh3"
)

// The function "changed" returns a function of the type "placer". The returned function draws the right positions, and
// the argument "change" then changes each of them.
func changed(change func(f *Filter, i int, x uint64) uint64) placer {
	return func(f *Filter, key []byte) (p places) {
		h := xxh3.Hash128(key)
		for i := range f.k {
			p[i] = change(f, i, word(h, i))
		}
		return p
	}
}

func positionFaults() []Fault {
	return append(dependentFaults(), biasFaults()...)
}

// dependentFaults returns filters whose positions depend on one another.
func dependentFaults() []Fault {
	return []Fault{
		{"double hashing is said to be standard", "position",
			placed(Sound(), func(f *Filter, key []byte) (p places) {
				h := xxh3.Hash128(key)
				for i := range f.k {
					p[i] = (h.Lo%f.m + uint64(i)*(h.Hi%f.m)) % f.m
				}
				return p
			})},
		{"enhanced double hashing is said to be standard", "position",
			placed(Sound(), func(f *Filter, key []byte) (p places) {
				h := xxh3.Hash128(key)
				x, y := h.Lo%f.m, h.Hi%f.m
				for i := range f.k {
					p[i] = x
					x = (x + y) % f.m
					y = (y + uint64(i) + 1) % f.m
				}
				return p
			})},
		{"double hashing flips negative sums, as Guava did in 32 bits", "position",
			placed(bare(), func(f *Filter, key []byte) (p places) {
				h := xxh3.Hash(key)
				a, b := int32(h), int32(h>>32)
				for i := range f.k {
					c := a + int32(i+1)*b
					if c < 0 {
						c = ^c
					}
					p[i] = uint64(c) % f.m
				}
				return p
			})},
		{"one hash of 32 bits and its rotation step through the filter, as in LevelDB", "position",
			placed(bare(), func(f *Filter, key []byte) (p places) {
				h := uint32(xxh3.Hash(key))
				delta := bits.RotateLeft32(h, 15)
				for i := range f.k {
					p[i] = uint64(h) % f.m
					h += delta
				}
				return p
			})},
		{"four words of hash make all positions, so that there are progressions from k = 9 on", "position",
			placed(Sound(), func(f *Filter, key []byte) (p places) {
				g := xxh3.Hash128(key)
				h := [4]uint64{g.Lo, g.Hi, mix(g.Lo ^ golden), mix(g.Hi ^ golden)}
				for i := range f.k {
					u := uint64(i)
					p[i] = (h[u%2] + u*h[2+((u+u%2)%4)/2]) % f.m
				}
				return p
			})},
		{"positions are windows of one hash of 64 bits, each 3 bits further", "position",
			placed(Sound(), func(f *Filter, key []byte) (p places) {
				h := xxh3.Hash(key)
				for i := range f.k {
					p[i] = reduce(bits.RotateLeft64(h, 3*i), f.m)
				}
				return p
			})},
		{"the positions from the 17th on are the first again", "position",
			placed(Sound(), changed(func(f *Filter, i int, x uint64) uint64 { return reduce(x, f.m) }).cycled(16))},
		{"above k = 8 the seeds of the positions are pairs, so that two positions are one", "position",
			placed(bare(), func(f *Filter, key []byte) places {
				p := soundPlaces(f, key)
				if f.k > 8 {
					p[f.k-1] = p[f.k-2]
				}
				return p
			})},
		{"two positions stand in one word", "position",
			placed(Sound(), func(f *Filter, key []byte) places {
				p := soundPlaces(f, key)
				for i := 1; i < f.k; i += 2 {
					if q := p[i-1]&^63 | p[i]&63; q < f.m {
						p[i] = q
					}
				}
				return p
			})},
		{"a second position is the neighbour of the first, from 2^20 bits on", "position",
			placed(Sound(), func(f *Filter, key []byte) places {
				p := soundPlaces(f, key)
				if f.k > 1 && f.m >= 1<<20 {
					p[1] = (p[0] + 1) % f.m
				}
				return p
			})},
		{"a key has its positions in 512 bits, undeclared, from 65,536 bits on", "position",
			placed(Sound(), blocked(512, 1<<16))},
		{"a key has its positions in 512 bits, undeclared, in a filter that can only add and look up", "position",
			placed(bare(), blocked(512, 1<<16))},
		{"a key has its positions in a page of 4 KiB, undeclared, from 2^20 bits on", "position",
			placed(Sound(), blocked(1<<15, 1<<20))},
		{"half of a key's positions stand in one half of the filter, undeclared", "position",
			placed(Sound(), changed(func(f *Filter, i int, x uint64) uint64 {
				if half := f.m / 2; f.m%2 == 0 && f.k%2 == 0 {
					return uint64(i%2)*half + reduce(x, half)
				}
				return reduce(x, f.m)
			}))},
		{"the positions of a key are all different, which standard hashing does not promise", "position",
			placed(Sound(), func(f *Filter, key []byte) places { return distinct(f, key, f.k) })},
		{"classic hashing tries only once more when two positions of a key are one", "position",
			declared(func(f *Filter, key []byte) places { return distinct(f, key, 1) })},
		{"partitioned hashing gives the first two parts the same offset", "position",
			partitioned(func(f *Filter, key []byte) places {
				p, part := soundPlaces(f, key), f.m/uint64(f.k)
				for i := range f.k {
					p[i] = uint64(i)*part + p[i]%part
				}
				if f.k > 1 {
					p[1] = part + p[0]
				}
				return p
			})},
		{"a declared block and the first position in it come from the same bits", "position",
			blockedDeclared()},
	}
}

// The method "cycled" returns a placer. It draws at most n positions, and repeats them as often as needed.
func (place placer) cycled(n int) placer {
	return func(f *Filter, key []byte) places {
		p := place(f, key)
		for i := n; i < f.k; i++ {
			p[i] = p[i-n]
		}
		return p
	}
}

// The function "blocked" returns a placer that draws all positions of a key from one block of the array. It does so
// only if m is a multiple of the block size. Also, m must be at least the argument "from".
func blocked(block, from uint64) placer {
	return func(f *Filter, key []byte) (p places) {
		if f.m < from || f.m%block != 0 {
			return soundPlaces(f, key)
		}
		h := xxh3.Hash128(key)
		first := reduce(word(h, maxK), f.m/block) * block
		for i := range f.k {
			p[i] = first + reduce(word(h, i), block)
		}
		return p
	}
}

// The function "distinct" draws the positions of a key. If a drawn position equals an earlier position of the key, the
// function draws again. Each position is drawn again at most 64*tries times. If the argument "tries" is 1, each
// position is drawn again at most once.
func distinct(f *Filter, key []byte, tries int) places {
	h, p, drawn := xxh3.Hash128(key), soundPlaces(f, key), f.k
	for i := range f.k {
		for again := 0; again < 64*tries && uint64(f.k) <= f.m; again++ {
			if tries == 1 && again == 1 || !in(p[:i], p[i]) {
				break
			}
			p[i] = reduce(word(h, drawn), f.m)
			drawn++
		}
	}
	return p
}

func in(p []uint64, x uint64) bool {
	for _, y := range p {
		if x == y {
			return true
		}
	}
	return false
}

// The function "declared" returns a subject that declares classic hashing. The function "place" draws the positions of
// its keys.
func declared(place placer) conform.Subject[*Filter] {
	s := placed(bare(), place)
	s.Hashing = bloomproof.Classic
	before := s.New
	s.New = func(m uint64, k int) (*Filter, error) {
		if uint64(k) > m {
			return nil, errShape
		}
		return before(m, k)
	}
	return s
}

// The function "partitioned" returns a subject for partitioned hashing. The function "place" draws the positions of its
// keys.
func partitioned(place placer) conform.Subject[*Filter] {
	s := placed(bare(), place)
	s.Hashing = bloomproof.Partitioned
	s.Bits, s.Words = setBits, Sound().Words
	before := s.New
	s.New = func(m uint64, k int) (*Filter, error) {
		if k < 1 || m%uint64(k) != 0 {
			return nil, errShape
		}
		return before(m, k)
	}
	return s
}

func blockedDeclared() conform.Subject[*Filter] {
	const block = 512
	s := placed(bare(), func(f *Filter, key []byte) (p places) {
		h := xxh3.Hash128(key)
		x := word(h, 0)
		first := x % (f.m / block) * block
		for i := range f.k {
			p[i] = first + x%block
			x = word(h, i+1)
		}
		return p
	})
	s.BlockBits = block
	s.Bits, s.Words = setBits, Sound().Words
	before := s.New
	s.New = func(m uint64, k int) (*Filter, error) {
		if m%block != 0 {
			return nil, errShape
		}
		return before(m, k)
	}
	return s
}

// biasFaults returns filters in which some bits are set more often than others, or never.
func biasFaults() []Fault {
	return []Fault{
		{"positions beyond m are drawn again twice and folded then", "bias",
			placed(Sound(), changed(func(f *Filter, _ int, x uint64) uint64 {
				mask := uint64(1)<<bits.Len64(f.m-1) - 1
				for range 2 {
					if x&mask < f.m {
						break
					}
					x = mix(x)
				}
				return x & mask % f.m
			}))},
		{"a position is a hash of 24 bits modulo m", "bias",
			placed(Sound(), changed(func(f *Filter, _ int, x uint64) uint64 { return x >> 40 % f.m }))},
		{"a position is a fraction in single precision times m", "bias",
			placed(Sound(), changed(func(f *Filter, _ int, x uint64) uint64 {
				return min(uint64(float32(x>>40)/(1<<24)*float32(f.m)), f.m-1)
			}))},
		{"the first bit is never set", "bias",
			placed(Sound(), changed(func(f *Filter, _ int, x uint64) uint64 {
				if f.m == 1 {
					return 0
				}
				return 1 + reduce(x, f.m-1)
			}))},
		{"the last word is never used where it is not whole", "bias",
			placed(Sound(), changed(func(f *Filter, _ int, x uint64) uint64 {
				if f.m < 64 {
					return reduce(x, f.m)
				}
				return reduce(x, f.m&^63)
			}))},
		{"the filter has m rounded up to a multiple of 64 bits, and says m", "bias",
			placed(bare(), changed(func(f *Filter, _ int, x uint64) uint64 { return reduce(x, (f.m+63)&^63) }))},
		{"the filter has m rounded up to a power of two, and does not say so", "bias", func() conform.Subject[*Filter] {
			s := bare()
			s.New = func(m uint64, k int) (*Filter, error) {
				if m < 1 || m > maxM {
					return nil, errShape
				}
				return newFilter(1<<bits.Len64(m-1), k)
			}
			return s
		}()},
		{"the index of a word has 16 bits", "bias",
			placed(Sound(), changed(func(f *Filter, _ int, x uint64) uint64 {
				pos := reduce(x, f.m)
				return uint64(uint16(pos>>6))<<6 | pos&63
			}))},
		{"a position has 25 bits", "bias",
			placed(Sound(), changed(func(f *Filter, _ int, x uint64) uint64 { return reduce(x, f.m) & (1<<25 - 1) }))},
		{"k = 1 takes a position of 16 bits", "bias",
			placed(Sound(), changed(func(f *Filter, _ int, x uint64) uint64 {
				if f.k == 1 {
					x = x &^ (1<<48 - 1)
				}
				return reduce(x, f.m)
			}))},
		{"the mask of a bit has 32 bits, and its sign spreads to 64", "bias", func() conform.Subject[*Filter] {
			s := Sound()
			mask := func(pos uint64) uint64 { return uint64(int64(int32(1) << (pos & 31))) }
			s.Add = func(f *Filter, key []byte) {
				p := f.place(f, key)
				for _, pos := range p[:f.k] {
					f.words[pos>>6] |= mask(pos)
				}
			}
			s.Contains = func(f *Filter, key []byte) bool {
				p := f.place(f, key)
				for _, pos := range p[:f.k] {
					if f.words[pos>>6]&mask(pos) == 0 {
						return false
					}
				}
				return true
			}
			s.ConcurrentAdds = false
			s.AddBatch, s.ContainsBatch, s.TestAndAdd = nil, nil, nil
			return s
		}()},
		{"the word and the bit in it come from the same high bits", "bias",
			placed(Sound(), changed(func(f *Filter, _ int, x uint64) uint64 {
				return min(reduce(x, (f.m+63)/64)<<6|x>>58, f.m-1)
			}))},
		{"the last position has a hash of 12 bits", "bias",
			placed(Sound(), changed(func(f *Filter, i int, x uint64) uint64 {
				if i == f.k-1 {
					x = x >> 52 << 52
				}
				return reduce(x, f.m)
			}))},
		{"one key in 512 has one position", "few probes",
			placed(Sound(), fewer(512, 1))},
		{"one key in 64 has half of its positions", "few probes",
			placed(bare(), func(f *Filter, key []byte) places { return fewer(64, (f.k+1)/2)(f, key) })},
		{"the probes end at a word of hash whose low byte is 0", "few probes",
			placed(Sound(), func(f *Filter, key []byte) places {
				h, p := xxh3.Hash128(key), soundPlaces(f, key)
				for i := 1; i < f.k; i++ {
					if byte(word(h, i)) == 0 {
						p[i] = p[0]
					}
				}
				return p
			})},
		{"the empty key has no position", "few probes", func() conform.Subject[*Filter] {
			s := Sound()
			s.Add = func(f *Filter, key []byte) {
				if len(key) > 0 {
					add(f, key)
				}
			}
			s.Contains = func(f *Filter, key []byte) bool { return len(key) == 0 || contains(f, key) }
			s.AddBatch, s.ContainsBatch, s.TestAndAdd = nil, nil, nil
			return s
		}()},
		{"a key of four bytes has two positions", "few probes",
			placed(Sound(), func(f *Filter, key []byte) places {
				p := soundPlaces(f, key)
				if len(key) == 4 {
					for i := 2; i < f.k; i++ {
						p[i] = p[binary.LittleEndian.Uint32(key)%2]
					}
				}
				return p
			})},
	}
}

// The function "fewer" returns a placer. For some keys, this placer computes only n different positions. On average,
// such keys are a fraction 1/share of all keys.
func fewer(share uint64, n int) placer {
	return func(f *Filter, key []byte) places {
		p := soundPlaces(f, key)
		if word(xxh3.Hash128(key), maxK)%share == 0 {
			for i := n; i < f.k; i++ {
				p[i] = p[0]
			}
		}
		return p
	}
}
