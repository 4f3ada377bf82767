package conform_test

import (
	"fmt"
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/conform"
)

// pair is a filter of one's own: as a map of positions, which are those of double hashing.
type pair struct {
	m    uint64
	k    int
	bits map[uint64]bool
}

func (f *pair) positions(key []byte) []uint64 {
	a, b := uint64(14695981039346656037), uint64(1099511628211)
	for _, c := range key {
		a, b = (a^uint64(c))*1099511628211, (b+uint64(c))*0x9e3779b97f4a7c15
		b ^= b >> 29
	}
	out := make([]uint64, f.k)
	for i := range out {
		out[i] = (a%f.m + uint64(i)*(b%f.m)) % f.m
	}
	return out
}

func (f *pair) Insert(key string) {
	for _, p := range f.positions([]byte(key)) {
		f.bits[p] = true
	}
}

func (f *pair) Lookup(key string) bool {
	for _, p := range f.positions([]byte(key)) {
		if !f.bits[p] {
			return false
		}
	}
	return true
}

// A filter of one's own is described by functions and examined. This one finds its
// positions by double hashing, so that keys which share two share them all.
func ExampleExamine() {
	report, err := conform.Examine(conform.Subject[*pair]{
		New: func(m uint64, k int) (*pair, error) {
			return &pair{m: m, k: k, bits: map[uint64]bool{}}, nil
		},
		Add:      func(f *pair, key []byte) { f.Insert(string(key)) },
		Contains: func(f *pair, key []byte) bool { return f.Lookup(string(key)) },
	}, conform.Options{
		Shapes: []bloomproof.Geometry{{M: 97, K: 5}}, Laws: []conform.Law{"no false negative", "dependence"}, Effort: 0.02,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range report.Findings {
		fmt.Printf("broken: %s, in %s\n", f.Law, f.Case)
	}
	fmt.Println("kept:", report.Kept)
	// Output:
	// broken: dependence, in standard m=97 k=5, 1 random keys
	// kept: [no false negative]
}

// A program that fails is printed in Go, against the functions of the subject. This filter remembers the
// number of its set bits, and a reset leaves it.
func ExampleFinding() {
	type remembers struct {
		pair
		known uint64
	}
	report, err := conform.Examine(conform.Subject[*remembers]{
		New: func(m uint64, k int) (*remembers, error) {
			return &remembers{pair: pair{m: m, k: k, bits: map[uint64]bool{}}}, nil
		},
		Add: func(f *remembers, key []byte) {
			f.Insert(string(key))
			f.known = 0
		},
		Contains: func(f *remembers, key []byte) bool { return f.Lookup(string(key)) },
		Bits: func(f *remembers) uint64 {
			if f.known == 0 {
				f.known = uint64(len(f.bits))
			}
			return f.known
		},
		Reset: func(f *remembers) { clear(f.bits) },
	}, conform.Options{Laws: []conform.Law{"reset"}, Effort: 0.01})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range report.Findings {
		fmt.Println(f.Program)
	}
	// Output:
	// f, _ := New(64, 3)
	// Add(f, []byte("0"))
	// Bits(f)
	// Reset(f)
	// fmt.Println(Bits(f)) // got 3, want 0
}

// An exact set is no Bloom filter. It declares a rate of its own, and the laws of a Bloom filter's
// bits are left out. This one takes upper and lower case for the same.
func ExampleSubject_ownRate() {
	report, err := conform.Examine(conform.Subject[map[string]bool]{
		OwnRate:  func(map[string]bool, uint64) float64 { return 0 },
		New:      func(uint64, int) (map[string]bool, error) { return map[string]bool{}, nil },
		Add:      func(f map[string]bool, key []byte) { f[strings.ToLower(string(key))] = true },
		Contains: func(f map[string]bool, key []byte) bool { return f[strings.ToLower(string(key))] },
	}, conform.Options{Laws: []conform.Law{"no false negative", "rate", "place", "keys"}, Effort: 0.01})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range report.Findings {
		fmt.Println("broken:", f.Law)
	}
	fmt.Println("kept:", report.Kept)
	fmt.Println("not examined:", report.Untold)
	// Output:
	// broken: keys
	// kept: [no false negative rate]
	// not examined: [place]
}
