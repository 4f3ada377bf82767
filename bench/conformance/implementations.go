package main

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"github.com/bits-and-blooms/bloom/v3"
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/internal/subjects"
	"github.com/bloomproof/bloomproof/verify/conform"
	bloomfilter "github.com/holiman/bloomfilter/v2"
)

// implementation is a filter that the command examines, with one row in the table of the page.
type implementation struct {
	name     string
	declared string // how it is used, and the properties that it is assumed to declare
	language string
	module   string   // the Go module
	program  *program // the adaptor of a filter in another language
	examine  func(o conform.Options) (conform.Report, error)
	measure  func() ([]measured, error) // nil if the filter has no own rate
	huge     bool                       // true if filters of 2^33 bits and one position are possible
}

// entry returns the implementation for a subject. If some laws do not apply to the filter, the argument laws lists the
// laws that do, and only these laws are examined.
func entry[F any](name, module, declared string, s conform.Subject[F], laws ...conform.Law) implementation {
	e := implementation{name: name, language: "Go", module: module, declared: declared, examine: func(o conform.Options) (conform.Report, error) {
		if laws != nil {
			o.Laws = laws
		}
		s := s
		if o.Laws != nil && !slices.Contains(o.Laws, "union") {
			s.Union = nil // other laws would use Union too
		}
		return conform.Examine(s, o)
	}}
	if laws == nil {
		e.measure = func() ([]measured, error) { return measure(s, probesInGo) }
	}
	return e
}

// The function named large marks an implementation for which filters with more than 2^32 bits are examined, too.
func large(e implementation) implementation {
	e.huge = true
	return e
}

const (
	self  = "github.com/bloomproof/bloomproof"
	booms = "github.com/tylertreat/BoomFilters"
	blobs = "github.com/greatroar/blobloom"
)

func implementations() []implementation {
	return append([]implementation{
		large(entry("bloomproof", self, "`kernel.Filter`, standard hashing, XXH3-128", subjects.Filter(bloomproof.Standard))),
		large(entry("bloomproof classic", self, "`kernel.Filter`, classic hashing", subjects.Filter(bloomproof.Classic))),
		large(entry("bloomproof concurrent", self, "`kernel.ConcurrentFilter`, standard hashing", subjects.Concurrent(bloomproof.Standard))),
		entry("bloomproof parquet", self, "`kernel/compat/parquet`: "+splitBlock+"; the bitset, which has no checksum, as snapshot", parquetOfOurs()),
		entry("bloomproof bitsandblooms", self, "`kernel/compat/bitsandblooms`: standard; the names, positions and files of bits-and-blooms", bitsAndBloomsOfOurs()),
		entry("bloomproof holiman", self, "`kernel/compat/holiman`: standard; the names, positions and files of holiman; hashes by xxh3, fixed keys", holimanOfOurs()),
		entry("bloomproof guava", self, "`kernel/compat/guava`: standard; the positions, sizes and files of Guava's MURMUR128_MITZ_64; m is rounded up to a multiple of 64", guavaOfOurs()),
		entry("bloomproof bip37", self, "`kernel/compat/bip37`: standard; the positions, sizes and messages of Bitcoin; m is rounded up to a multiple of 8", bip37OfOurs()),
		entry("bloomproof redisbloom", self, "`kernel/compat/redisbloom`: the rate of its layers, as standard filters; the positions, sizes and growth of RedisBloom", redisBloomOfOurs()),
		large(entry("bits-and-blooms", "github.com/bits-and-blooms/bloom/v3", "standard; its own MurmurHash3-128", bitsAndBlooms(bloom.New))),
		large(entry("holiman", "github.com/holiman/bloomfilter/v2", "standard; hashes by xxh3, fixed keys; it takes a lock, so concurrent use is claimed", holiman(bloomfilter.NewWithKeys))),
		large(entry("blobloom", blobs, "blocks of 512 bits, standard within; hashes by xxh3", blob())),
		entry("blobloom sync", blobs, "`SyncFilter`: the same; concurrent use is claimed", blobSync()),
		large(entry("ristretto", "github.com/dgraph-io/ristretto/v2", "`z.Bloom`: standard; hashes by xxh3; m is rounded up to a power of two", ristretto())),
		large(entry("BoomFilters", booms, "`BloomFilter`: standard; m by way of n and rate; its own FNV-1", boomFilter())),
		entry("BoomFilters partitioned", booms, "`PartitionedBloomFilter`: partitioned; else the same", boomPartitioned()),
		entry("BoomFilters counting", booms, "`CountingBloomFilter` with 4 bits a count: standard; else the same", boomCounting()),
		entry("BoomFilters scalable", booms, "`ScalableBloomFilter`: the rate of its stages, as partitioned filters", boomScalable()),
		large(entry("steakknife", "github.com/steakknife/bloomfilter", "standard; hashes by xxh3, fixed keys; it takes a lock, so concurrent use is claimed", steakknife())),
		large(entry("ipfs", "github.com/ipfs/bbloom", "`bbloom`: standard; its own SipHash; m is rounded up to a power of two; the methods with TS, so concurrent use is claimed", ipfsBloom())),
		entry("AndreasBriese", "github.com/AndreasBriese/bbloom", "`bbloom`: standard; its own SipHash; m is rounded up to a power of two; the methods with TS, so concurrent use is claimed", andreasBloom()),
		entry("btcutil", "github.com/btcsuite/btcd/btcutil", "`bloom.Filter`: standard; BIP 37, its own MurmurHash3; concurrent use is claimed", btcutil()),
		large(entry("influxdb", "github.com/influxdata/influxdb", "`pkg/bloom`: standard; its own XXH64; m is rounded up to a power of two", influxBloom())),
		entry("goleveldb", "github.com/syndtr/goleveldb", "`leveldb/filter`, the format of LevelDB: the rate of the bits and positions that it has for its keys", levelDB()),
		entry("parquet-go", "github.com/parquet-go/parquet-go", splitBlock+"; the bitset, which has no checksum, as snapshot", parquetGo()),
		entry("arrow-go", "github.com/apache/arrow-go/v18", splitBlock+"; m is rounded up to a power of two", arrowGo()),
		entry("xorfilter", "github.com/FastFilter/xorfilter", "`BinaryFuse8`, no Bloom filter: a rate of 1/256; hashes by xxh3", binaryFuse()),
		entry("seiflotfy", "github.com/seiflotfy/cuckoofilter", "a cuckoo filter, no Bloom filter: only the laws that any filter of sets has; the order of keys shows in its snapshots, as in any cuckoo filter", cuckooFilter(),
			"no false negative", "reset", "snapshot", "corrupt snapshot", "hostile snapshot", "concurrent reads"),
	}, programs()...)
}

// The type measured is the measured rate of filters at a design point. The filters are sized for N items at the rate
// Asked, and contain N items.
type measured struct {
	N         uint64  `json:"n"`
	Asked     float64 `json:"asked"`
	M         uint64  `json:"m,omitempty"`
	K         int     `json:"k,omitempty"`
	Exact     float64 `json:"exact"` // the expected rate of the declared shape
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"deviation"` // the standard error, estimated from the differences between filters
}

// points lists the numbers of items and the rates of the design points.
var points = []measured{{N: 1000, Asked: 1e-2}, {N: 1000, Asked: 1e-3}, {N: 1000, Asked: 1e-4}, {N: 100_000, Asked: 1e-2}}

// These constants limit the work at a design point. The number of filters that are examined there is pointFilters. The
// number of look-ups, in all these filters together, is at most hitsEnough divided by the asked rate, so that about
// hitsEnough hits are expected. For an implementation in Go this number is also at most probesInGo. A design point is
// left out if fewer than hitsLeast hits are expected.
const (
	pointFilters = 20
	probesInGo   = 5_000_000
	hitsEnough   = 20_000
	hitsLeast    = 50
)

// measure returns the rate at each design point. It leaves out points for which the subject has no filter or the number
// of look-ups is too small.
func measure[F any](s conform.Subject[F], probes uint64) ([]measured, error) {
	var out []measured
	keys := keySource(0x9e3779b97f4a7c15)
	for _, p := range points {
		each := min(probes, uint64(hitsEnough/p.Asked)) / pointFilters
		if float64(each)*pointFilters*p.Asked < hitsLeast || p.N > probes/4 {
			continue
		}
		var sum, squares float64
		var refused error
		for range pointFilters {
			f, m, k, err := sized(s, p.N, p.Asked)
			if refused = err; err != nil {
				break
			}
			p.M, p.K = m, k
			for done := uint64(0); done < p.N; done += batchKeys {
				batch := keys.next(min(batchKeys, p.N-done))
				if s.AddBatch != nil {
					s.AddBatch(f, batch)
					continue
				}
				for _, key := range batch {
					s.Add(f, key)
				}
			}
			if p.Exact, err = expected(s, f, m, k, p.N); err != nil {
				return nil, err
			}
			hits := 0
			for done := uint64(0); done < each; done += batchKeys {
				batch := keys.next(min(batchKeys, each-done))
				if s.ContainsBatch != nil {
					for _, contained := range s.ContainsBatch(f, batch) {
						if contained {
							hits++
						}
					}
					continue
				}
				for _, key := range batch {
					if s.Contains(f, key) {
						hits++
					}
				}
			}
			x := float64(hits) / float64(each)
			sum += x
			squares += x * x
		}
		if refused != nil {
			continue
		}
		p.Mean = sum / pointFilters
		p.Deviation = math.Sqrt(max(0, squares/pointFilters-p.Mean*p.Mean) / (pointFilters - 1))
		out = append(out, p)
	}
	return out, nil
}

// sized returns a filter for n items at a rate. It uses the subject's own rule for m and k, or the best m and k if the
// subject has no rule.
func sized[F any](s conform.Subject[F], n uint64, rate float64) (f F, m uint64, k int, err error) {
	switch {
	case s.Make != nil:
		f, err = s.Make(n, rate)
	case s.Size != nil:
		m, k = s.Size(n, rate)
		f, err = s.New(m, k)
	default:
		k = int(math.Round(-math.Log2(rate)))
		m = uint64(math.Ceil(float64(n) * float64(k) / math.Ln2))
		if b := s.BlockBits; b > 0 {
			m += (b - m%b) % b
		}
		f, err = s.New(m, k)
	}
	if err == nil && s.Shape != nil {
		m, k = s.Shape(f)
	}
	return f, m, k, err
}

// expected returns the exact rate of the shape that the subject declares.
func expected[F any](s conform.Subject[F], f F, m uint64, k int, n uint64) (float64, error) {
	if s.OwnRate != nil {
		return s.OwnRate(f, n), nil
	}
	rate, _, err := exact.FPR(bloomproof.Geometry{M: m, K: k, Hashing: s.Hashing, Block: s.BlockBits}, n, 53, exact.Auto)
	if err != nil {
		return 0, errors.New("no model: " + err.Error())
	}
	return rate.Float64(), nil
}

// batchKeys is the number of keys that are drawn at a time.
const batchKeys = 500

// keySource is a stream of random keys of 8 bytes.
type keySource uint64

func (s *keySource) next(n uint64) [][]byte {
	bytes, out := make([]byte, 8*n), make([][]byte, n)
	for i := range out {
		*s += 0x9e3779b97f4a7c15
		z := uint64(*s)
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		out[i] = bytes[8*i : 8*i+8 : 8*i+8]
		binary.LittleEndian.PutUint64(out[i], z^z>>31)
	}
	return out
}
