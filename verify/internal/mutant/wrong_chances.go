package mutant

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/conform"
)

// wrongChances returns filters with a fault that affects only some keys, sizes or fill ratios.
func wrongChances() []Wrong {
	var all []Wrong
	with := func(w Wrong) { all = append(all, w) }
	of := func(name string, law conform.Law, add, probe place) Wrong {
		return Wrong{Name: name, Law: law, Also: byChance, Subject: onlyBasic(subject(add, probe))}
	}
	// The function "at" restricts the examination of a fault to one shape. The fault is visible at this shape, which
	// has m bits and k positions.
	at := func(w Wrong, m uint64, k int) Wrong {
		w.Shapes = []bloomproof.Geometry{{M: m, K: k}}
		return w
	}
	at1 := func(w Wrong) Wrong { // a fault that needs the default effort
		w.Effort = 1
		return w
	}
	blind := func(w Wrong) Wrong {
		w.Subject.Words = nil
		return w
	}

	with(Wrong{Name: "double hashing by two 32-bit hashes, for at least 1,000 items", Law: "rate", Also: byChance, Subject: libbloom(), Effort: 0.1})
	for _, bits := range []int{16, 24, 32, 40} {
		short := hashed(func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
			return ideal(dst, g, kernel.Hash{H0: h.H0 >> (64 - bits)})
		})
		w := of(fmt.Sprintf("a hash of %d bits", bits), "rate", short, short)
		switch bits {
		case 24:
			w = at(w, 65536, 7)
		case 32:
			w = at(w, 1<<25, 11)
			w.Effort = 0.1
		case 40:
			w = at(w, 1<<28, 11)
			w.Effort = 0.35
		}
		with(w)
	}

	// The function "fewer" returns a function that computes positions. It leaves out the last positions of some keys. A
	// key is affected with probability 1/share. The argument "left" is the number of omitted positions.
	fewer := func(share uint64, left int) place {
		return hashed(func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
			if h.H1%share == 0 {
				g.K = max(1, g.K-left)
			}
			return ideal(dst, g, h)
		})
	}
	with(at1(at(of("one probe fewer for one key in 256", "rate", fair, fewer(256, 1)), 4093, 2)))
	with(at1(at(of("one position fewer for one key in 256, added and looked up", "set bits", fewer(256, 1), fewer(256, 1)), 4093, 2)))
	with(at(of("one probe for one key in 1,000", "rate", fair, fewer(1000, 64)), 1021, 7))
	with(at(of("one key in 100,000 is contained", "rate", fair, hashed(func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
		if h.H1%100000 == 0 {
			return dst
		}
		return ideal(dst, g, h)
	})), 1021, 7))

	// The function "where" returns a function that computes positions. The new function first calls the argument "when"
	// with the shape of the filter. For the result true, the argument "yes" computes the positions. For the result
	// false, the argument "no" computes them.
	where := func(when func(g bloomproof.Geometry) bool, yes, no place) place {
		return func(dst []uint64, f *Plain, key []byte) []uint64 {
			if when(f.g) {
				return yes(dst, f, key)
			}
			return no(dst, f, key)
		}
	}
	above := func(m uint64) func(g bloomproof.Geometry) bool {
		return func(g bloomproof.Geometry) bool { return g.M > m }
	}
	both := func(name string, law conform.Law, when func(g bloomproof.Geometry) bool, yes place) Wrong {
		p := where(when, yes, fair)
		return of(name, law, p, p)
	}
	twice := hashed(sameTwice)
	short := hashed(shortProbe)
	with(at(both("positions are cut to 20 bits", "place", above(1<<20), each(func(m, w uint64) uint64 { return w % m & (1<<20 - 1) })), 1<<23-15, 10))
	with(at(blind(of("k-1 positions are looked up above 2^20 bits", "rate", fair, where(above(1<<20), short, fair))), 1<<21, 4))
	with(at(both("the upper half is used a little less above 2^20 bits", "place", above(1<<20), each(func(m, w uint64) uint64 {
		if p := w % m; p < m/2 || w>>40%16 > 0 {
			return p
		}
		return w >> 8 % m
	})), 1<<21, 4))
	with(both("the last position is the one before it unless m is a power of two", "set bits", func(g bloomproof.Geometry) bool { return g.M&(g.M-1) != 0 }, twice))
	with(both("the last position is the one before it where k is odd", "set bits", func(g bloomproof.Geometry) bool { return g.K%2 == 1 }, twice))
	most := func(k int) place {
		return hashed(func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
			g.K = min(g.K, k)
			return ideal(dst, g, h)
		})
	}
	with(at(of("at most 16 positions are looked up", "rate", fair, most(16)), 1024, 20))
	with(at(of("at most 8 positions are set and looked up", "set bits", most(8), most(8)), 129, 10))
	with(at(blind(both("double hashing above 8192 bits", "rate", above(8192), hashed(doubleHashing))), 23962, 17))
	with(at1(at(blind(both("enhanced double hashing above 8192 bits", "rate", above(8192), hashed(enhanced))), 23962, 17)))
	with(blind(both("double hashing with a step of 8 bits", "rate", above(0), hashed(func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
		h.H1 = h.H1&0xff + 1
		return doubleHashing(dst, g, h)
	}))))

	// The function "when" returns a filter with additional false positives. The argument "also" is a function of the
	// fraction of set bits and the right rate. This function returns the fraction of keys that are additional false
	// positives.
	when := func(name string, also func(fill, rate float64) float64) Wrong {
		w := of(name, "rate", fair, fair)
		w.Also = slices.Concat(w.Also, []conform.Law{"intersection", "snapshot"}) // these compare answers at two fills
		contains := w.Subject.Contains
		w.Subject.Contains = func(f *Plain, key []byte) bool {
			fill := f.share()
			return contains(f, key) || coin(key) < also(fill, math.Pow(fill, float64(f.g.K)))
		}
		w.Subject.TestAndAdd, w.Subject.ContainsBatch = nil, nil
		return w
	}
	with(at(when("a rate 5 % too high near half fill", func(fill, rate float64) float64 {
		if math.Abs(fill-0.5) > 0.05 {
			return 0
		}
		return 0.05 * rate / (1 - rate)
	}), 1024, 4))
	with(at(when("a filter nine tenths full contains everything", func(fill, _ float64) float64 { return math.Floor(fill + 0.1) }), 47, 3))
	with(at(when("one key in 2,000 is contained once a tenth is full", func(fill, _ float64) float64 {
		if fill < 0.1 {
			return 0
		}
		return 1.0 / 2000
	}), 1024, 20))

	sized := sizedWrong(short)
	with(Wrong{Name: "k-1 positions are looked up in a filter that was made for a rate", Law: "rate", Also: byChance, Subject: sized, Effort: 0.05})

	blocks := func(name string, law conform.Law, h bloomproof.Hashing, size uint64, p place) {
		w := of(name, law, p, p)
		s := Sound(h, size)
		w.Subject.Hashing, w.Subject.BlockBits, w.Subject.New = s.Hashing, s.BlockBits, s.New
		with(at(w, 1<<16, 7))
	}
	blocks("only the first 64 blocks are used", "set bits", bloomproof.Standard, 512, func(dst []uint64, f *Plain, key []byte) []uint64 {
		start := len(dst)
		dst = fair(dst, f, key)
		for i := start; i < len(dst); i++ {
			dst[i] %= 64 * f.block
		}
		return dst
	})
	blocks("the last slice of a block is that of the one before it", "set bits", bloomproof.Partitioned, 480, func(dst []uint64, f *Plain, key []byte) []uint64 {
		dst = fair(dst, f, key)
		if f.g.K > 1 {
			dst[len(dst)-1] = dst[len(dst)-2]
		}
		return dst
	})
	return all
}

// The function "enhanced" draws positions by enhanced double hashing. In this scheme, a step leads from one position to
// the next. After each use the step grows, first by 1, then by 2, and so on. All numbers are modulo m.
func enhanced(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
	a, b := h.H0%g.M, h.H1%g.M
	for i := range uint64(g.K) {
		dst = append(dst, a)
		a, b = (a+b)%g.M, (b+i+1)%g.M
	}
	return dst
}

// sizedWrong returns a filter. It has two constructors, New and Make. A filter of the constructor Make adds keys at the
// right positions. It looks keys up at positions that the function "probe" computes.
func sizedWrong(probe place) conform.Subject[*Plain] {
	s := onlyBasic(subject(fair, fair))
	contains, other, open := s.Contains, subject(fair, probe).Contains, s.New
	s.Make = func(n uint64, rate float64) (*Plain, error) {
		if n < 1 || !(rate > 0 && rate < 1) {
			return nil, errors.New("no such filter")
		}
		f, err := open(textbookSize(n, rate))
		if err == nil {
			f.added = map[string]bool{}
		}
		return f, err
	}
	s.Shape = func(f *Plain) (uint64, int) { return f.g.M, f.g.K }
	s.Contains = func(f *Plain, key []byte) bool {
		if f.added != nil {
			return other(f, key)
		}
		return contains(f, key)
	}
	s.TestAndAdd, s.ContainsBatch = nil, nil
	return s
}

// libbloom works like Debian's libbloom 1.6. It accepts 1,000 entries or more, and takes its sizes from the textbook
// formula. Its positions are a + i*b modulo the number of bits, where a and b are two hashes of the key. The sum a +
// i*b is computed in 32 bits.
func libbloom() conform.Subject[*Plain] {
	p := func(dst []uint64, f *Plain, key []byte) []uint64 {
		a := murmur2(key, 0x9747b28c)
		b := murmur2(key, a)
		for i := range uint32(f.g.K) {
			dst = append(dst, uint64(a+i*b)%f.g.M)
		}
		return dst
	}
	s := subject(p, p)
	return conform.Subject[*Plain]{
		Make: func(entries uint64, rate float64) (*Plain, error) {
			if entries < 1000 || !(rate > 0 && rate < 1) {
				return nil, errors.New("at least 1,000 entries at a rate between 0 and 1")
			}
			perEntry := -math.Log(rate) / 0.480453013918201
			return newPlain(uint64(float64(entries)*perEntry), int(math.Ceil(0.693147180559945*perEntry)), bloomproof.Standard, 0)
		},
		Shape: func(f *Plain) (uint64, int) { return f.g.M, f.g.K },
		Add:   s.Add, Contains: s.Contains, Bits: s.Bits, Reset: s.Reset,
	}
}

// murmur2 is the 32-bit hash of Austin Appleby's MurmurHash2.
func murmur2(key []byte, seed uint32) uint32 {
	const m, r = 0x5bd1e995, 24
	h := seed ^ uint32(len(key))
	for len(key) >= 4 {
		k := binary.LittleEndian.Uint32(key) * m
		k = (k ^ k>>r) * m
		h = h*m ^ k
		key = key[4:]
	}
	for i := len(key) - 1; i >= 0; i-- {
		h ^= uint32(key[i]) << (8 * i)
	}
	if len(key) > 0 {
		h *= m
	}
	h = (h ^ h>>13) * m
	return h ^ h>>15
}

// The function Hits returns a filter of standard hashing. The filter claims to contain the given share of all keys,
// whatever keys were added.
func Hits(share float64) conform.Subject[*Plain] {
	s := onlyBasic(subject(fair, fair))
	contains := s.Contains
	s.Contains = func(f *Plain, key []byte) bool { return contains(f, key) || coin(key) < share }
	s.TestAndAdd, s.ContainsBatch = nil, nil
	return s
}

// The function Progressions returns a filter that claims to use standard hashing. But for some keys, the positions form
// an arithmetic progression. The argument "share" is the share of these keys.
func Progressions(share float64) conform.Subject[*Plain] {
	p := func(dst []uint64, f *Plain, key []byte) []uint64 {
		if coin(key) < share {
			return hashed(doubleHashing)(dst, f, key)
		}
		return fair(dst, f, key)
	}
	return onlyBasic(subject(p, p))
}

// The function Half returns a filter that claims to use standard hashing. But its odd positions occur (1+excess) times
// as often as they should.
func Half(excess float64) conform.Subject[*Plain] {
	p := each(func(m, w uint64) uint64 {
		p := w % m
		if p%2 == 0 && p+1 < m && float64(w>>24)*0x1p-24 < excess {
			p++
		}
		return p
	})
	return onlyBasic(subject(p, p))
}
