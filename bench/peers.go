package bench

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/shapes"
	"github.com/bloomproof/bloomproof/kernel"
)

// Filter is the interface by which every filter is measured. Each method takes many keys per call and loops over them
// itself, so that the measurement does not include calls through an interface.
type Filter interface {
	// Add adds keys. Contains returns the number of keys that the filter contains. Both methods include the hashing of
	// the keys.
	Add(keys [][]byte)
	Contains(keys [][]byte) int
}

// HashFilter is a Filter that also takes precomputed hashes.
type HashFilter interface {
	Filter
	AddHashes(h []kernel.Hash)
	ContainsHashes(h []kernel.Hash) int
}

// Uint64Filter is a Filter that also takes keys of 8 bytes as integers.
type Uint64Filter interface {
	Filter
	AddUint64s(keys []uint64)
	ContainsUint64s(keys []uint64) int
}

// Batcher is a Filter with a second form, which processes many keys at a time.
type Batcher interface {
	Filter
	// Batch returns the same filter with its batch methods.
	Batch() Filter
}

// Peer is one form of an implementation in the comparison.
type Peer struct {
	Name string
	Note string // how it is used, and how it differs from its shape
	// Shape is a geometry whose rate equals the rate of the filter. The field M is not set. If the field K is 0, the
	// filter can have any number of positions. Otherwise it always has K positions.
	Shape  bloomproof.Geometry
	Coarse bool   // the rate differs visibly from the rate of the shape
	Twos   bool   // the number of bits must be a power of two
	Most   uint64 // the largest number of bits; 0 for no limit
	Of     string // for a batch form, the name of the basic peer
	New    func(m uint64, k int) (Filter, error)
}

// Takes reports whether the peer can have m bits.
func (p Peer) Takes(m uint64) bool {
	return (p.Most == 0 || m <= p.Most) && (!p.Twos || m&(m-1) == 0)
}

// Geometry returns the geometry of a filter of the peer with m bits, if k positions are requested.
func (p Peer) Geometry(m uint64, k int) bloomproof.Geometry {
	g := p.Shape
	g.M = m
	if g.K == 0 {
		g.K = k
	}
	return g
}

// These are the names of this module's entries among Peers, and of the other peers that the goals of command compare
// refer to.
const (
	Single   = "bloomproof"
	Batch    = "bloomproof batch"
	Any512   = "bloomproof blocks 512"  // k independent positions in a block of 512 bits
	Words512 = "bloomproof blocks 8x64" // one position in each of 8 words of 64 bits
	Words256 = "bloomproof blocks 8x32" // one position in each of 8 words of 32 bits
	InBatch  = " batch"                 // the suffix of the names of our batch forms
	Baseline = "bits-and-blooms"
	Blobloom = "blobloom"
	Parquet  = "parquet-go"
)

// These are the shapes of the filters with blocks.
var (
	any512   = shapes.Line()
	words512 = shapes.Words(64)
	words256 = shapes.Words(32)
)

// mostArrow is the largest number of bits of a filter of arrow-go. They take 128 MiB.
const mostArrow = 1 << 30

// Peers returns the implementations, ours first. All have the same m, and set k bits per key if their shape does not
// specify another number.
func Peers() []Peer {
	peers := ours(Single, "kernel.Filter, standard hashing, XXH3-128", bloomproof.Geometry{})
	peers = append(peers, ours(Any512, "Block 512, k independent positions", any512)...)
	peers = append(peers, ours(Words512, "Block 512, Partitioned, K = 8", words512)...)
	peers = append(peers, ours(Words256, "Block 256, Partitioned, K = 8: the shape of Parquet's", words256)...)
	return append(peers,
		Peer{Name: Baseline, Note: "bloom/v3, MurmurHash3-128 of its own", New: newBitsAndBlooms},
		Peer{Name: "holiman", Note: "bloomfilter/v2 with xxh3; takes a lock at each call", New: newHoliman},
		Peer{Name: "ristretto", Note: "z.Bloom with xxh3; double hashing, m a power of two", Coarse: true, Twos: true, New: newRistretto},
		Peer{Name: Blobloom, Note: "v0.8.1 with xxh3", Shape: any512, New: newBlobloom},
		Peer{Name: Parquet, Note: "split-block filter with xxh3", Shape: words256, New: newParquet},
		Peer{Name: Parquet + InBatch, Note: "the same through InsertBulk; it has no look-up of many keys", Shape: words256, Of: Parquet, New: newParquetBulk},
		Peer{Name: "arrow-go", Note: "v18 split-block filter with xxh3, called through its interface; at most 128 MiB", Shape: words256, Twos: true, Most: mostArrow, New: newArrow},
		Peer{Name: "arrow-go" + InBatch, Note: "the same through InsertBulk; its CheckBulk panics in this version", Shape: words256, Twos: true, Most: mostArrow, Of: "arrow-go", New: newArrowBulk},
	)
}

// ours returns the two forms of this module's filter with the given shape.
func ours(name, note string, shape bloomproof.Geometry) []Peer {
	make := func(batched bool) func(m uint64, k int) (Filter, error) {
		return func(m uint64, k int) (Filter, error) {
			f, err := kernel.New(Peer{Shape: shape}.Geometry(m, k), kernel.Options{})
			if batched {
				return &batch{f: f}, err
			}
			return single{f}, err
		}
	}
	return []Peer{
		{Name: name, Note: note + "; a key at a time", Shape: shape, New: make(false)},
		{Name: name + InBatch, Note: "the same filter through its batch methods", Shape: shape, Of: name, New: make(true)},
	}
}
