package main

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"math"
	"os"

	"github.com/bloomproof/bloomproof/kernel"
)

// set is one of the data sets. Its keys are distinct. The first keys are for insertions, and the other keys are for
// look-ups. The set also states the number of bits of the filters in the figures in which n or k varies.
type set struct {
	m     uint64
	items uint64
	trace [][]byte // distinct keys in the order of their first arrival; nil for numbered keys
	times []uint64 // how often each key arrives
}

// sizes are the numbers m of bits in section 6 of the paper. A filter has at most m/5 items.
var sizes = map[string]uint64{"500M": 500e6, "7.5M": 7.5e6, "0.85M": 0.85e6, "1.15M": 1.15e6}

func newSet(name, trace string) (*set, error) {
	if m, ok := sizes[name]; ok {
		return &set{m: m, items: m / 5}, nil
	}
	if name != "kjv" {
		return nil, fmt.Errorf("-sets: must be of 500M, 7.5M, 0.85M, 1.15M and kjv, got %q", name)
	}
	s, err := readTrace(trace)
	if err != nil {
		return nil, err
	}
	s.items = uint64(len(s.trace)) / 4 // three times as many keys remain for look-ups
	s.m = 5 * s.items
	if s.items < 10 {
		return nil, fmt.Errorf("-trace: must have 40 different keys, got %d", len(s.trace))
	}
	return s, nil
}

func readTrace(path string) (*set, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s := &set{}
	known := map[string]int{}
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		i, ok := known[lines.Text()]
		if !ok {
			i = len(s.trace)
			known[lines.Text()] = i
			s.trace = append(s.trace, []byte(lines.Text()))
			s.times = append(s.times, 0)
		}
		s.times[i]++
	}
	return s, lines.Err()
}

// hash returns the hash of key number i.
func (s *set) hash(i uint64) kernel.Hash {
	if s.trace != nil {
		return hasher.Hasher().Bytes(s.trace[i])
	}
	var key [8]byte
	binary.LittleEndian.PutUint64(key[:], i)
	return hasher.Hasher().Bytes(key[:])
}

// The method named often returns the multiplicity of item i in the multiset. This is its number of arrivals in the
// trace, or ceil(items/(i+1)^1.5) for the Zipf(1.5) distribution.
func (s *set) often(i uint64) uint64 {
	if s.trace != nil {
		return s.times[i]
	}
	return uint64(math.Ceil(float64(s.items) / math.Pow(float64(i+1), 1.5)))
}

// hasher computes the hashes for all filters of this program, which have the same seed.
var hasher = mustFilter()

func mustFilter() *kernel.Filter {
	f, err := kernel.New(smallest, kernel.Options{})
	if err != nil {
		panic(err)
	}
	return f
}

// chunk is the largest number of hashes that the method named chunks passes to its argument f at a time.
const chunk = 4096

// The method chunks calls f, chunk by chunk, with the hashes of the keys whose numbers are at least from and less than
// to.
func (s *set) chunks(from, to uint64, f func(hashes []kernel.Hash)) {
	hashes := make([]kernel.Hash, 0, chunk)
	for i := from; i < to; i++ {
		if hashes = append(hashes, s.hash(i)); len(hashes) == chunk {
			f(hashes)
			hashes = hashes[:0]
		}
	}
	f(hashes)
}
