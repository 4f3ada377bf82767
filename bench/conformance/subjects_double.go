package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"hash"
	"math"
	"math/bits"

	andreas "github.com/AndreasBriese/bbloom"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/conform"
	btcbloom "github.com/btcsuite/btcd/btcutil/bloom"
	"github.com/btcsuite/btcd/wire"
	influx "github.com/influxdata/influxdb/pkg/bloom"
	ipfs "github.com/ipfs/bbloom"
	"github.com/steakknife/bloomfilter"
	"github.com/zeebo/xxh3"
)

// powerOfTwo returns the size to which both bbloom libraries round a filter of m bits.
func powerOfTwo(m uint64) uint64 { return 1 << bits.Len64(max(512, m)-1) }

// errMore is the error of adaptors that read a snapshot from a stream and find data after its end.
var errMore = errors.New("the snapshot goes on")

// shapeInJSON returns m and k from a snapshot of the bbloom family, which includes ristretto.
func shapeInJSON(data []byte) (m uint64, k int, err error) {
	var s struct {
		FilterSet []byte
		SetLocs   int
	}
	err = json.Unmarshal(data, &s)
	return powerOfTwo(8 * uint64(len(s.FilterSet))), s.SetLocs, err
}

type bloomOfIPFS struct {
	*ipfs.Bloom
	m uint64
	k int
}

func ipfsBloom() conform.Subject[*bloomOfIPFS] {
	return conform.Subject[*bloomOfIPFS]{
		New: func(m uint64, k int) (*bloomOfIPFS, error) {
			f, err := ipfs.New(float64(m), float64(k))
			return &bloomOfIPFS{f, powerOfTwo(m), k}, err
		},
		Make: func(n uint64, rate float64) (*bloomOfIPFS, error) {
			f, err := ipfs.New(float64(n), rate)
			if err != nil {
				return nil, err
			}
			m := -float64(n) * math.Log(rate) / (math.Ln2 * math.Ln2) // the same formula as in New
			return &bloomOfIPFS{f, powerOfTwo(uint64(m)), int(math.Ceil(math.Ln2 * m / float64(n)))}, nil
		},
		Shape:      func(f *bloomOfIPFS) (uint64, int) { return f.m, f.k },
		Add:        func(f *bloomOfIPFS, key []byte) { f.AddTS(key) },
		Contains:   func(f *bloomOfIPFS, key []byte) bool { return f.HasTS(key) },
		TestAndAdd: func(f *bloomOfIPFS, key []byte) bool { return !f.AddIfNotHasTS(key) },
		Bits:       func(f *bloomOfIPFS) uint64 { return uint64(math.Round(f.FillRatioTS() * float64(f.m))) },
		Reset:      func(f *bloomOfIPFS) { f.ClearTS() },
		Marshal:    func(f *bloomOfIPFS) ([]byte, error) { return f.JSONMarshalTS(), nil },
		Unmarshal: func(f *bloomOfIPFS, data []byte) error {
			g, err := ipfs.JSONUnmarshal(data)
			if err == nil {
				f.Bloom = g
				f.m, f.k, err = shapeInJSON(data)
			}
			return err
		},
		ConcurrentReads: true,
		ConcurrentAdds:  true,
	}
}

type bloomOfAndreas struct {
	*andreas.Bloom
	m uint64
	k int
}

// andreasBloom returns a subject without snapshots, because JSONUnmarshal of the library does not return an error.
func andreasBloom() conform.Subject[*bloomOfAndreas] {
	return conform.Subject[*bloomOfAndreas]{
		New: func(m uint64, k int) (*bloomOfAndreas, error) {
			if k < 2 {
				return nil, errors.New("a number below 2 is taken for a rate")
			}
			f := andreas.New(float64(m), float64(k))
			return &bloomOfAndreas{&f, powerOfTwo(m), k}, nil
		},
		Shape:           func(f *bloomOfAndreas) (uint64, int) { return f.m, f.k },
		Add:             func(f *bloomOfAndreas, key []byte) { f.AddTS(key) },
		Contains:        func(f *bloomOfAndreas, key []byte) bool { return f.HasTS(key) },
		TestAndAdd:      func(f *bloomOfAndreas, key []byte) bool { return !f.AddIfNotHasTS(key) },
		Reset:           func(f *bloomOfAndreas) { f.Clear() },
		ConcurrentReads: true,
		ConcurrentAdds:  true,
	}
}

// influxBloom returns a subject whose filters are not shared among goroutines, because a look-up temporarily writes to
// its key. The subject has no snapshots, because the bytes of a filter do not contain the number of positions.
func influxBloom() conform.Subject[*influx.Filter] {
	return conform.Subject[*influx.Filter]{
		New:      func(m uint64, k int) (*influx.Filter, error) { return influx.NewFilter(m, uint64(k)), nil },
		Shape:    func(f *influx.Filter) (uint64, int) { return 8 * uint64(len(f.Bytes())), int(f.K()) },
		Add:      (*influx.Filter).Insert,
		Contains: (*influx.Filter).Contains,
		Bits:     func(f *influx.Filter) uint64 { return uint64(kernel.Count(words(f.Bytes()))) },
		Words:    func(f *influx.Filter) []uint64 { return words(f.Bytes()) },
		Union:    (*influx.Filter).Merge,
		Size: func(n uint64, rate float64) (uint64, int) {
			m, k := influx.Estimate(n, rate)
			return m, int(k)
		},
	}
}

// btcTweak is the seed of the hash of all filters of btcutil. All filters have the same seed, because filters with
// different seeds cannot be united.
const btcTweak = 1

// mostBtc is the size in bits of the largest filter that the Bitcoin protocol permits.
const mostBtc = 8 * wire.MaxFilterLoadFilterSize

func btcutil() conform.Subject[*btcbloom.Filter] {
	data := func(f *btcbloom.Filter) []byte { return f.MsgFilterLoad().Filter }
	return conform.Subject[*btcbloom.Filter]{
		New: func(m uint64, k int) (*btcbloom.Filter, error) {
			if m > mostBtc || k > wire.MaxFilterLoadHashFuncs {
				return nil, errors.New("more than the protocol allows")
			}
			return btcbloom.LoadFilter(wire.NewMsgFilterLoad(make([]byte, (m+7)/8), uint32(k), btcTweak, wire.BloomUpdateNone)), nil
		},
		Make: func(n uint64, rate float64) (*btcbloom.Filter, error) {
			if float64(n)*-math.Log(rate)/(math.Ln2*math.Ln2) > mostBtc {
				return nil, errors.New("more than the protocol allows")
			}
			return btcbloom.NewFilter(uint32(n), btcTweak, rate, wire.BloomUpdateNone), nil
		},
		Shape: func(f *btcbloom.Filter) (uint64, int) {
			return 8 * uint64(len(data(f))), int(f.MsgFilterLoad().HashFuncs)
		},
		Add:      (*btcbloom.Filter).Add,
		Contains: (*btcbloom.Filter).Matches,
		Bits:     func(f *btcbloom.Filter) uint64 { return uint64(kernel.Count(words(data(f)))) },
		Words:    func(f *btcbloom.Filter) []uint64 { return words(data(f)) },
		Marshal: func(f *btcbloom.Filter) ([]byte, error) {
			var b bytes.Buffer
			err := f.MsgFilterLoad().BtcEncode(&b, wire.ProtocolVersion, wire.BaseEncoding)
			return b.Bytes(), err
		},
		Unmarshal: func(f *btcbloom.Filter, data []byte) error {
			var m wire.MsgFilterLoad
			r := bytes.NewReader(data)
			err := m.BtcDecode(r, wire.ProtocolVersion, wire.BaseEncoding)
			if err == nil && r.Len() > 0 {
				err = errMore
			}
			if err == nil {
				f.Reload(&m)
			}
			return err
		},
		ConcurrentReads: true,
		ConcurrentAdds:  true,
	}
}

// The type hashed is a hash.Hash64 with a precomputed sum, as in the README of the library steakknife.
type hashed struct {
	hash.Hash64
	sum uint64
}

// Sum64 returns the hash. The library requires a hash.Hash64.
func (h hashed) Sum64() uint64 { return h.sum }

// steakknife returns a subject whose filters have fixed hash keys. By default the library draws the hash keys of each
// filter at random, and filters with different hash keys cannot be united.
func steakknife() conform.Subject[*bloomfilter.Filter] {
	of := func(key []byte) hashed { return hashed{sum: xxh3.Hash(key)} }
	return conform.Subject[*bloomfilter.Filter]{
		New: func(m uint64, k int) (*bloomfilter.Filter, error) {
			return bloomfilter.NewWithKeys(m, fixedKeys(k))
		},
		Shape:    func(f *bloomfilter.Filter) (uint64, int) { return f.M(), int(f.K()) },
		Add:      func(f *bloomfilter.Filter, key []byte) { f.Add(of(key)) },
		Contains: func(f *bloomfilter.Filter, key []byte) bool { return f.Contains(of(key)) },
		Bits:     func(f *bloomfilter.Filter) uint64 { return uint64(math.Round(f.PreciseFilledRatio() * float64(f.M()))) },
		Union:    (*bloomfilter.Filter).UnionInPlace,
		Rate:     (*bloomfilter.Filter).FalsePosititveProbability,
		Size: func(n uint64, rate float64) (uint64, int) {
			m := bloomfilter.OptimalM(n, rate)
			return m, int(bloomfilter.OptimalK(m, n))
		},
		Marshal:         (*bloomfilter.Filter).MarshalBinary,
		Unmarshal:       (*bloomfilter.Filter).UnmarshalBinary,
		ConcurrentReads: true,
		ConcurrentAdds:  true,
	}
}

// fixedKeys returns k different words.
func fixedKeys(k int) []uint64 {
	keys := make([]uint64, k)
	for i := range keys {
		keys[i] = xxh3.HashSeed(nil, uint64(i)+1)
	}
	return keys
}
