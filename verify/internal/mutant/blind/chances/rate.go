package chances

import (
	"sync/atomic"

	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind/xxh3"
)

// The function "skipping" returns a subject. Its Contains leaves out the last position of some keys. The function
// "thousandths" returns the number of such keys in a thousand.
func skipping(thousandths func(f *Filter) uint64) conform.Subject[*Filter] {
	s := bare()
	s.Add = func(f *Filter, key []byte) {
		p := f.place(f, key)
		for _, pos := range p[:f.k] {
			if !f.put(pos) {
				atomic.AddUint64(&f.set, 1)
			}
		}
	}
	s.Bits = setBits
	s.Contains = func(f *Filter, key []byte) bool {
		p, k := f.place(f, key), f.k
		if word(xxh3.Hash128(key), maxK)%1000 < thousandths(f) && f.set > 0 {
			k--
		}
		return f.hasAll(p[:k])
	}
	return s
}

// The method "fill" returns the share of the filter's m bits that are set.
func (f *Filter) fill() float64 { return float64(f.set) / float64(f.m) }

// The function "when" returns x if the argument "yes" is true, and 0 otherwise.
func when(yes bool, x uint64) uint64 {
	if yes {
		return x
	}
	return 0
}

func rateFaults() []Fault {
	return []Fault{
		{"the rate is 10 % too high when about half of the bits are set", "rate",
			skipping(func(f *Filter) uint64 { return when(f.fill() > 0.45 && f.fill() < 0.55, 100) })},
		{"the rate is 30 % and more too high when less than a tenth of the bits is set", "rate",
			skipping(func(f *Filter) uint64 { return when(f.fill() < 0.1, 34) })},
		{"the rate is twice what it should be below 256 bits", "rate",
			skipping(func(f *Filter) uint64 { return when(f.m < 256, 1000) })},
		{"the rate is 13 % too high where m is no power of two", "rate",
			skipping(func(f *Filter) uint64 { return when(f.m&(f.m-1) != 0, 125) })},
		{"the rate is 30 % too high above k = 12", "rate",
			skipping(func(f *Filter) uint64 { return when(f.k > 12, 300) })},
		{"the rate is twice what it should be from 2^22 bits on", "rate",
			skipping(func(f *Filter) uint64 { return when(f.m >= 1<<22, 1000) })},
		{"the rate is 30 % too high for k = 1 alone", "rate",
			skipping(func(f *Filter) uint64 { return when(f.k == 1, 200) })},
		{"a filter with nine tenths of its bits set contains everything", "rate", func() conform.Subject[*Filter] {
			s := skipping(func(f *Filter) uint64 { return 0 })
			has := s.Contains
			s.Contains = func(f *Filter, key []byte) bool { return f.fill() > 0.9 || has(f, key) }
			return s
		}()},
		{"each 1,000th look-up in a filter with keys says yes", "rate", func() conform.Subject[*Filter] {
			s := skipping(func(f *Filter) uint64 { return 0 })
			has := s.Contains
			var asked atomic.Uint64
			s.Contains = func(f *Filter, key []byte) bool {
				return has(f, key) || f.set > 0 && asked.Add(1)%1000 == 0
			}
			return s
		}()},
	}
}
