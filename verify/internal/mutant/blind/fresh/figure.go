package fresh

import (
	"math"
	"math/bits"
	"sync/atomic"
)

// figureFaults returns filters that advise wrong sizes or state wrong numbers.
func figureFaults() []Fault {
	return []Fault{
		{"a test and set has 16 bits for the number of the word", "size", word16()},
		{"the advised k is rounded down where m is for the best one", "size", flooredK()},
		{"the advised m is a product in 32 bits, of the items and hundredths of a bit an item", "size", product32()},
		{"from 65,536 bits on the rate to expect has 1-1/m in single precision", "rate", singleRate()},
		{"bits are counted by 2,048 words in 16 bits", "count", count16()},
	}
}

func word16() subject {
	s := Sound()
	s.TestAndAdd = func(f *Filter, key []byte) bool {
		lo, hi := hash(key)
		present := true
		for i := range f.k {
			p := position(f, lo, hi, i)
			word, mask := uint16(p>>6), uint64(1)<<(p&63)
			if atomic.OrUint64(&f.words[word], mask)&mask == 0 {
				present = false
			}
		}
		return present
	}
	return s
}

// flooredK has a fault that was reported in jedisct1/rust-bloom-filter #45.
func flooredK() subject {
	s := Sound()
	s.Size = func(n uint64, rate float64) (m uint64, k int) {
		if m, k = size(n, rate); k < 2 {
			return m, k
		}
		n = max(n, 1)
		m = uint64(math.Ceil(-float64(n) * math.Log(rate) / (math.Ln2 * math.Ln2)))
		return m, max(int(float64(m)/float64(n)*math.Ln2), 1)
	}
	return s
}

func product32() subject {
	s := Sound()
	s.Size = func(n uint64, rate float64) (m uint64, k int) {
		m, k = size(n, rate)
		if m == 0 || n == 0 {
			return m, k
		}
		hundredths := (100*m + n - 1) / n // hundredths of a bit per item, rounded up
		return (uint64(uint32(n)*uint32(hundredths)) + 99) / 100, k
	}
	return s
}

func singleRate() subject {
	s := Sound()
	s.RateFor = func(m uint64, k int, n uint64) float64 {
		if m < 65536 {
			return rateFor(m, k, n)
		}
		q := 1 - 1/float32(m)
		return math.Pow(1-math.Pow(float64(q), float64(k)*float64(n)), float64(k))
	}
	return s
}

func count16() subject {
	const part = 2048
	s := Sound()
	s.Bits = func(f *Filter) uint64 {
		var total uint64
		for i := 0; i < len(f.words); i += part {
			var n uint16
			for _, w := range f.words[i:min(i+part, len(f.words))] {
				n += uint16(bits.OnesCount64(w))
			}
			total += uint64(n)
		}
		return total
	}
	return s
}
