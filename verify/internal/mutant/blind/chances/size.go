package chances

import (
	"math"
	"math/bits"

	"github.com/bloomproof/bloomproof/verify/conform"
)

// The function "sized" returns a copy of the correct subject with one change. The argument "size" replaces the function
// Size.
func sized(size func(n uint64, rate float64) (uint64, int)) conform.Subject[*Filter] {
	s := Sound()
	s.Size = size
	return s
}

// The function "rated" returns a copy of the correct subject with one change. The argument "rate" replaces the function
// RateFor.
func rated(rate func(m uint64, k int, n uint64) float64) conform.Subject[*Filter] {
	s := Sound()
	s.RateFor = rate
	return s
}

// Textbooks advise a number of bits for each item, and a number of positions. The function "textbook" returns both
// numbers.
func textbook(rate float64) (perItem, k float64) {
	return -math.Log(rate) / (math.Ln2 * math.Ln2), -math.Log2(rate)
}

func sizeFaults() []Fault {
	return []Fault{
		{"the advised m has 32 bits", "size", sized(func(n uint64, rate float64) (uint64, int) {
			m, k := size(n, rate)
			return max(uint64(uint32(m)), 1), k
		})},
		{"the advised m ends at 2^31-1", "size", sized(func(n uint64, rate float64) (uint64, int) {
			m, k := size(n, rate)
			return min(m, math.MaxInt32), k
		})},
		{"Size takes n for a number of 32 bits", "size", sized(func(n uint64, rate float64) (uint64, int) {
			return size(uint64(uint32(n)), rate)
		})},
		{"the advised k ends at 16, and m is that of the best k", "size", sized(func(n uint64, rate float64) (uint64, int) {
			m, k := size(n, rate)
			return m, min(k, 16)
		})},
		{"up to 10 items are sized by the textbook", "size", sized(func(n uint64, rate float64) (uint64, int) {
			if n > 10 {
				return size(n, rate)
			}
			b, k := textbook(rate)
			return uint64(max(math.Ceil(float64(n)*b), 1)), max(int(math.Round(k)), 1)
		})},
		{"one item is sized by the textbook", "size", sized(func(n uint64, rate float64) (uint64, int) {
			if n != 1 {
				return size(n, rate)
			}
			b, k := textbook(rate)
			return uint64(max(math.Ceil(b), 1)), max(int(math.Round(k)), 1)
		})},
		{"the bits an item are whole before k is taken from them", "size", sized(func(n uint64, rate float64) (uint64, int) {
			m, _ := size(n, rate)
			return m, max(int(float64(m/max(n, 1))*math.Ln2), 1)
		})},
		{"the bits an item are rounded to the nearest whole number", "size", sized(func(n uint64, rate float64) (uint64, int) {
			b, _ := textbook(rate)
			b = max(math.Round(b), 1)
			return uint64(float64(max(n, 1)) * b), max(int(math.Round(b*math.Ln2)), 1)
		})},
		{"the advised k is 0 above a rate of 0.7", "size", sized(func(n uint64, rate float64) (uint64, int) {
			m, k := size(n, rate)
			if _, ideal := textbook(rate); ideal < 0.5 {
				k = 0
			}
			return m, k
		})},
		{"rates below 1e-6 are taken for 1e-6", "size", sized(func(n uint64, rate float64) (uint64, int) {
			return size(n, max(rate, 1e-6))
		})},
		{"from 65,536 items on m is a power of two, which wastes up to half", "size", sized(func(n uint64, rate float64) (uint64, int) {
			m, k := size(n, rate)
			if n >= 1<<16 && m < 1<<62 {
				m = 1 << bits.Len64(m-1)
			}
			return m, k
		})},
		{"from 2^20 items on m is 3 % too small, for want of digits in a logarithm", "size", sized(func(n uint64, rate float64) (uint64, int) {
			m, k := size(n, rate)
			if n < 1<<20 {
				return m, k
			}
			return uint64(float64(m) * 0.48 / (0.69 * 0.72)), k
		})},
		{"RateFor is Bloom's formula, which is too low for small filters", "stated rate", rated(func(m uint64, k int, n uint64) float64 {
			return math.Pow(-math.Expm1(float64(n)*float64(k)*math.Log1p(-1/float64(m))), float64(k))
		})},
		{"RateFor multiplies k and n in 32 bits", "stated rate", rated(func(m uint64, k int, n uint64) float64 {
			kn := uint64(uint32(k) * uint32(n))
			if n>>32 == 0 && kn == uint64(k)*n {
				return rateFor(m, k, n)
			}
			return rateFor(m, k, kn/uint64(k))
		})},
		{"RateFor has single precision", "stated rate", rated(func(m uint64, k int, n uint64) float64 {
			if m < 1<<12 {
				return rateFor(m, k, n)
			}
			zero := math.Pow(float64(1-1/float32(m)), float64(n)*float64(k))
			return math.Pow(1-zero, float64(k))
		})},
		{"RateFor takes no collisions into account below a load of 1/10", "stated rate", rated(func(m uint64, k int, n uint64) float64 {
			if load := float64(k) * float64(n) / float64(m); m > 1<<12 && load < 0.1 {
				return math.Pow(load, float64(k))
			}
			return rateFor(m, k, n)
		})},
		{"RateFor ends at k = 16", "stated rate", rated(func(m uint64, k int, n uint64) float64 { return rateFor(m, min(k, 16), n) })},
		{"Rate divides by all bits of the words", "stated rate", func() conform.Subject[*Filter] {
			s := Sound()
			s.Rate = func(f *Filter) float64 {
				return math.Pow(float64(setBits(f))/float64(64*len(f.words)), float64(f.k))
			}
			return s
		}()},
		{"Rate counts one set bit too many", "stated rate", func() conform.Subject[*Filter] {
			s := Sound()
			s.Rate = func(f *Filter) float64 {
				return math.Pow(float64(min(setBits(f)+1, f.m))/float64(f.m), float64(f.k))
			}
			return s
		}()},
		{"Rate counts a sample of 1,024 words", "stated rate", func() conform.Subject[*Filter] {
			s := Sound()
			s.Rate = func(f *Filter) float64 {
				if len(f.words) <= 1024 {
					return rate(f)
				}
				g := &Filter{m: 1024 * 64, k: f.k, words: f.words[:1024]}
				return rate(g)
			}
			return s
		}()},
		{"Items takes no collisions into account below a quarter of set bits", "items", func() conform.Subject[*Filter] {
			s := Sound()
			s.Items = func(f *Filter) float64 {
				if b := setBits(f); b < f.m/4 {
					return float64(b) / float64(f.k)
				}
				return items(f)
			}
			return s
		}()},
		{"Items ends at 2^20", "items", func() conform.Subject[*Filter] {
			s := Sound()
			s.Items = func(f *Filter) float64 { return min(items(f), 1<<20) }
			return s
		}()},
	}
}
