// Package redisbloom implements the Bloom filter of Redis. Before version 8 of Redis, this filter was in a separate
// module called RedisBloom. The filters of this package have the same positions and sizes as the filters of Redis, and
// grow in the same way. The package writes the chunks that the command BF.SCANDUMP returns. It reads the chunks that
// the command BF.LOADCHUNK accepts.
//
// # Layers
//
// A filter is a chain of layers. The command BF.RESERVE sets a capacity and a false-positive rate. The capacity is a
// number of keys. The first layer is sized for this capacity and half of this rate. If the filter is NONSCALING, the
// first layer is sized for the whole rate. When a layer has as many keys as its capacity, the next layer is added. The
// capacity of the next layer is larger by a factor called the expansion. Its rate is half the rate of the layer before
// it. A key is added to the last layer, unless one of the layers already contains it.
//
// Consider a layer for n keys and a rate of p. It has m bits, and a key has k positions in it. Let b = -ln(p)/ln^2 2.
// The product n b is rounded down to an integer, and then up to a multiple of 64. The result is m. The number k is b ln
// 2, rounded up.
//
// # Positions
//
// Let a be MurmurHash64A(key, seed 0xc6a4a7935bd1e995), and let b be MurmurHash64A(key, seed a). A key has k positions
// in a layer with m bits. For i = 0 to k-1, position i is:
//
//	(a + i b mod 2^64) mod m.
//
// Bit j of a layer is bit j&7 of byte j>>3.
//
// This package cannot unite two filters. A layer is full when it has a certain number of keys. The bits of two layers
// do not show how many keys both layers contain. So the number of keys in their union would be unknown.
//
// # Chunks
//
// The first chunk is a header, and its numbers are little-endian. The other chunks are the bytes of the layers, in
// their order. No chunk has bytes of two layers. Chunks from a server have at most 16 MiB.
//
//	8 bytes   the number of keys.
//	4 bytes   the number of layers.
//	4 bytes   options: 13 if the filter is NONSCALING, otherwise 5.
//	4 bytes   the expansion.
//
// These fields follow for each layer:
//
//	8 bytes   the number of bytes.
//	8 bytes   m, which is 8 times that number.
//	8 bytes   the number of keys.
//	8 bytes   the rate, as float64.
//	8 bytes   b, as float64.
//	4 bytes   k.
//	8 bytes   the number of keys for which the layer is sized.
//	1 byte    0.
//
// Filters with other options are refused. Versions of RedisBloom before 2.0 made such filters. Their sizes are powers
// of two, or their hashes have 32 bits. Chunks have no checksums, so all values of the bits are accepted.
//
// # Rates
//
// The positions are derived by double hashing. Package verify/like computes the false-positive rate of one layer with
// such positions, under the name redisbloom. The rate of the whole filter is the probability that at least one layer
// contains a new key.
package redisbloom

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel/compat/internal/array"
)

// These are the limits of the arguments of BF.RESERVE.
const (
	maxCapacity  = 1 << 30
	maxExpansion = 1 << 15
	maxRate      = 0.25
	minRate      = 1e-323 // the least number whose half is not 0; the first layer of a chain has half of the rate
)

// noRound, force64 and noScaling are options of a filter. The other two constants are the values that RedisBloom uses
// for ln 2 and for its square.
const (
	noRound    = 1
	force64    = 4
	noScaling  = 8
	ln2        = 0.693147180559945
	ln2Squared = 0.480453013918201
)

// A NONSCALING filter can be full. ErrFull is the error that Add then returns.
var ErrFull = errors.New("redisbloom: the filter is full and does not scale")

// Filter is a filter as in RedisBloom. Many goroutines may read a filter at the same time. A goroutine that changes a
// filter needs exclusive use of it. The zero Filter contains no keys and accepts none, so use New or Load.
type Filter struct {
	layers    []layer
	options   uint32
	expansion uint32
}

// The type "layer" is one layer of a filter.
type layer struct {
	bits     array.Bits
	count    uint64 // the number of keys in the layer
	capacity uint64
	rate     float64
	perKey   float64 // the number of bits per key
}

// A Layer describes one layer of a filter. The layer's false-positive rate follows from m, k and the number of keys.
type Layer struct {
	Geometry bloomproof.Geometry
	Count    uint64  // the number of keys in the layer
	Capacity uint64  // the number of keys for which the layer is sized
	Rate     float64 // the rate for which the layer is sized
}

// New returns an empty filter. The command BF.RESERVE makes the same filter on a server. If the expansion is 0, the
// filter has the option NONSCALING. A server uses the expansion 2 by default.
// Domain: 1 <= capacity <= 2^30; 1e-323 <= rate <= 0.25; expansion <= 32,768. A server replaces larger rates by 0.25.
// Memory: m/8 bytes.
// Error: m and k are computed with float64 numbers. A server does the same, but the last bit of a logarithm may differ
// there. Then m can differ by 64.
// Errors: *bloomproof.ParamError if an argument is outside its domain, or if the host has too little memory for m bits.
func New(capacity uint64, rate float64, expansion uint32) (*Filter, error) {
	switch {
	case capacity == 0 || capacity > maxCapacity:
		return nil, &bloomproof.ParamError{Param: "capacity", Value: capacity, Want: fmt.Sprintf("between 1 and %d", maxCapacity)}
	case !(rate >= minRate && rate <= maxRate):
		return nil, &bloomproof.ParamError{Param: "rate", Value: rate, Want: fmt.Sprintf("between %v and %v", minRate, maxRate)}
	case expansion > maxExpansion:
		return nil, &bloomproof.ParamError{Param: "expansion", Value: expansion, Want: fmt.Sprintf("at most %d", maxExpansion)}
	}
	f := &Filter{options: force64 | noRound, expansion: expansion}
	if expansion == 0 {
		f.options |= noScaling
	} else {
		rate /= 2
	}
	if err := f.grow(capacity, rate); err != nil {
		return nil, err
	}
	return f, nil
}

// The method "grow" adds a layer with the given capacity and rate.
func (f *Filter) grow(capacity uint64, rate float64) error {
	perKey := bitsPerKey(rate)
	m := float64(capacity) * perKey
	if !(rate > 0 && m < 1<<48) {
		return &bloomproof.ParamError{Param: "layer", Value: len(f.layers), Want: "a layer of less than 2^48 bits for a rate above 0"}
	}
	bits, err := array.New(bloomproof.Geometry{M: (max(1, uint64(m)) + 63) / 64 * 64, K: positions(perKey)})
	if err != nil {
		return err
	}
	f.layers = append(f.layers, layer{bits, 0, capacity, rate, perKey})
	return nil
}

func bitsPerKey(rate float64) float64 { return -math.Log(rate) / ln2Squared }

func positions(perKey float64) int { return int(math.Ceil(ln2 * perKey)) }

// hashOf returns two numbers from which the positions of key are derived. The first position is derived from "start".
// For each further position, "step" is added to this number.
func hashOf(key []byte) (start, step uint64) {
	start = murmur64A(key, murmurM)
	return start, murmur64A(key, start)
}

// murmurM is the factor in the multiplications of MurmurHash64A.
const murmurM = 0xc6a4a7935bd1e995

// murmur64A returns the hash of key by the function MurmurHash64A, which Austin Appleby designed.
func murmur64A(key []byte, seed uint64) uint64 {
	h := seed ^ uint64(len(key))*murmurM
	for ; len(key) >= 8; key = key[8:] {
		x := binary.LittleEndian.Uint64(key) * murmurM
		h = (h ^ (x^x>>47)*murmurM) * murmurM
	}
	if len(key) > 0 {
		for i, b := range key {
			h ^= uint64(b) << (8 * i)
		}
		h *= murmurM
	}
	h = (h ^ h>>47) * murmurM
	return h ^ h>>47
}

// The method "contains" reports whether the bits at all positions of a key are set in layer l. The arguments "at" and
// "step" are the results of hashOf for the key. Position i of the key is (at + i*step) mod m. The sum is computed
// modulo 2^64.
func (l *layer) contains(at, step uint64) bool {
	g := l.bits.Geometry()
	for range g.K {
		if !l.bits.Has(at % g.M) {
			return false
		}
		at += step
	}
	return true
}

// The method "add" adds to layer l a key that the layer does not contain. Its arguments have the same meaning as
// those of the method "contains".
func (l *layer) add(at, step uint64) {
	g := l.bits.Geometry()
	for range g.K {
		l.bits.Set(at % g.M)
		at += step
	}
	l.count++
}

func (f *Filter) contains(at, step uint64) bool {
	for i := len(f.layers) - 1; i >= 0; i-- {
		if f.layers[i].contains(at, step) {
			return true
		}
	}
	return false
}

// Add adds key and returns true if the filter does not contain key. Otherwise Add changes nothing and returns false.
// The command BF.ADD does the same. If the last layer is full, Add adds a layer before it adds key.
// Errors: ErrFull; *bloomproof.ParamError if the host has too little memory for another layer. After an error the
// filter is unchanged.
func (f *Filter) Add(key []byte) (fresh bool, err error) {
	at, step := hashOf(key)
	if f.contains(at, step) {
		return false, nil
	}
	if len(f.layers) == 0 {
		return false, ErrFull
	}
	if last := f.layers[len(f.layers)-1]; last.count >= last.capacity {
		if f.options&noScaling != 0 {
			return false, ErrFull
		}
		if last.capacity > math.MaxUint64/max(1, uint64(f.expansion)) || f.expansion == 0 {
			return false, &bloomproof.ParamError{Param: "expansion", Value: f.expansion, Want: "at least 1, and a capacity below 2^64"}
		}
		if err := f.grow(last.capacity*uint64(f.expansion), last.rate/2); err != nil {
			return false, err
		}
	}
	f.layers[len(f.layers)-1].add(at, step)
	return true, nil
}

// Contains reports whether one of the layers contains key. If so, key may have been added. Contains always returns true
// for a key that was added. The command BF.EXISTS does the same.
func (f *Filter) Contains(key []byte) bool { return f.contains(hashOf(key)) }

// AddBatch calls Add for each of the keys in turn and appends the results to dst. It stops at the first error. It
// processes the keys one by one, because each key can change the layer to which the next key is added.
func (f *Filter) AddBatch(dst []bool, keys [][]byte) ([]bool, error) {
	for _, key := range keys {
		fresh, err := f.Add(key)
		if err != nil {
			return dst, err
		}
		dst = append(dst, fresh)
	}
	return dst, nil
}

// lookedUp is the number of keys that ContainsBatch looks up together.
const lookedUp = 64

// ContainsBatch looks up the keys, and appends one result for each key to dst. The results are the same as those of
// Contains. It reads the bits of many keys at the same time. It allocates nothing if dst has room for the results.
func (f *Filter) ContainsBatch(dst []bool, keys [][]byte) []bool {
	for part := range slices.Chunk(keys, lookedUp) {
		dst = f.lookUp(dst, part)
	}
	return dst
}

// The method lookUp does the same as ContainsBatch. The number of keys must be at most lookedUp.
func (f *Filter) lookUp(dst []bool, keys [][]byte) []bool {
	type absent struct {
		start, step uint64
		key         int
	}
	var buf [lookedUp]absent
	left := buf[:len(keys)]
	for i, key := range keys {
		left[i].start, left[i].step = hashOf(key)
		left[i].key = len(dst)
		dst = append(dst, false)
	}
	for i := len(f.layers) - 1; i >= 0 && len(left) > 0; i-- { // the last layer has the most keys
		l := &f.layers[i]
		g, words := l.bits.Geometry(), l.bits.Words()
		d, rest := array.By(g.M), left[:0]
		var in [lookedUp]bool
		for j, a := range left { // first read two bits of every key, because reads that do not wait for a test overlap
			x, y := d.Mod(a.start), d.Mod(a.start+a.step)
			if g.K == 1 {
				y = x
			}
			in[j] = words[x>>6]>>(x&63)&(words[y>>6]>>(y&63))&1 != 0
		}
		for j, a := range left {
			found := in[j]
			for k, at := 2, a.start+2*a.step; found && k < g.K; k, at = k+1, at+a.step {
				x := d.Mod(at)
				found = words[x>>6]>>(x&63)&1 != 0
			}
			if dst[a.key] = found; !found {
				rest = append(rest, a)
			}
		}
		left = rest
	}
	return dst
}

// Clone returns a copy that is independent of f.
func (f *Filter) Clone() *Filter {
	c := *f
	c.layers = slices.Clone(f.layers)
	for i := range c.layers {
		c.layers[i].bits = f.layers[i].bits.Clone()
	}
	return &c
}

// Equal reports whether f and g have the same layers, the same expansion and the same options. Equal layers have the
// same bits, numbers of keys, capacities and rates.
func (f *Filter) Equal(g *Filter) bool {
	return f.options == g.options && f.expansion == g.expansion && slices.EqualFunc(f.layers, g.layers, func(a, b layer) bool {
		return a.count == b.count && a.capacity == b.capacity && a.rate == b.rate && a.perKey == b.perKey && a.bits.Equal(&b.bits)
	})
}

// Count returns the number of keys that the filter did not contain when they were added. The command BF.CARD returns
// the same number.
func (f *Filter) Count() (n uint64) {
	for i := range f.layers {
		n += f.layers[i].count
	}
	return n
}

// Expansion returns the capacity of the next layer divided by the capacity of the last layer. If the filter has the
// option NONSCALING, Expansion returns 0.
func (f *Filter) Expansion() uint32 {
	if f.options&noScaling != 0 {
		return 0
	}
	return f.expansion
}

// Layers returns a description of each layer, the oldest first.
func (f *Filter) Layers() []Layer {
	all := make([]Layer, len(f.layers))
	for i, l := range f.layers {
		all[i] = Layer{l.bits.Geometry(), l.count, l.capacity, l.rate}
	}
	return all
}

// Bits returns the number of set bits in all layers together.
func (f *Filter) Bits() (n uint64) {
	for i := range f.layers {
		n += f.layers[i].bits.Bits()
	}
	return n
}

// Rate returns the following number, with one factor for each layer:
//
//	1 - (1-(b1/m1)^k1) (1-(b2/m2)^k2) ....
//
// Layer i has mi bits, and bi of these bits are set. A key has ki positions in layer i. If positions were independent,
// this would be the probability that a new key is found in the filter, given the bits that are set now. With
// RedisBloom's positions this probability is higher. Package verify/like computes the difference for given values of m
// and k.
// Error: relative, at most 2^-44, for rates above 1e-300.
func (f *Filter) Rate() float64 {
	logNo := 0.0
	for i := range f.layers {
		logNo += math.Log1p(-f.layers[i].bits.Rate())
	}
	return -math.Expm1(logNo)
}

// Items estimates how many distinct keys were added, by the method of moments for independent positions. The estimate
// is a sum over the layers. The summand of a layer with m bits and b set bits is:
//
//	ln(1-b/m) / (k ln(1-1/m)).
//
// If all bits of a layer are set, any larger number of keys is possible too. The result "bounded" is then false. The
// result of Count is more accurate if keys were added one by one and the false-positive rate is low.
func (f *Filter) Items() (n float64, bounded bool) {
	for i := range f.layers {
		of, bounded := f.layers[i].bits.Items()
		if !bounded {
			return 0, false
		}
		n += of
	}
	return n, true
}
