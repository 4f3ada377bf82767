package bench

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/shapes"
	"github.com/bloomproof/bloomproof/kernel"
)

// Filter is what every filter is measured by. Each takes many keys a call and loops
// over them itself, so that no call through an interface is measured.
type Filter interface {
	// Add adds keys, Contains returns how many are contained; hashing is included.
	Add(keys [][]byte)
	Contains(keys [][]byte) int
}

// HashFilter is a Filter that also takes ready-made hashes.
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

// Batcher is a Filter with a second form, which takes its keys many at a time.
type Batcher interface {
	Filter
	// Batch returns the same filter through its batch methods.
	Batch() Filter
}

// Peer is one implementation under comparison, in one form.
type Peer struct {
	Name string
	Note string // how it is used, and what differs from its shape
	// Shape is the geometry whose rate the filter has, without M. K = 0 stands for as many
	// positions as are asked for; otherwise it has K positions, whatever is asked for.
	Shape  bloomproof.Geometry
	Coarse bool   // the rate is visibly off that of the shape
	Twos   bool   // the number of bits is a power of two
	Most   uint64 // bits that it can have; 0 for no limit
	Of     string // the peer that this one is the batch form of
	New    func(m uint64, k int) (Filter, error)
}

// Takes reports whether the peer can have m bits.
func (p Peer) Takes(m uint64) bool {
	return (p.Most == 0 || m <= p.Most) && (!p.Twos || m&(m-1) == 0)
}

// Geometry returns the geometry of the peer's filter of m bits when k positions are asked for.
func (p Peer) Geometry(m uint64, k int) bloomproof.Geometry {
	g := p.Shape
	g.M = m
	if g.K == 0 {
		g.K = k
	}
	return g
}

// The names of this module's forms among Peers, and of the peers that goals refer to.
const (
	Single   = "bloomproof"
	Batch    = "bloomproof batch"
	Any512   = "bloomproof blocks 512"  // k independent positions in a block of 512 bits
	Words512 = "bloomproof blocks 8x64" // one position in each of 8 words of 64 bits
	Words256 = "bloomproof blocks 8x32" // one position in each of 8 words of 32 bits
	InBatch  = " batch"                 // after the name of one of ours: its batch form
	Baseline = "bits-and-blooms"
	Blobloom = "blobloom"
	Parquet  = "parquet-go"
)

// The shapes with blocks.
var (
	any512   = shapes.Line()
	words512 = shapes.Words(64)
	words256 = shapes.Words(32)
)

// mostArrow is the limit of arrow-go: 128 MiB.
const mostArrow = 1 << 30

// Peers returns the implementations, ours first. All get the same m, and set k bits per
// key if their shape does not say otherwise.
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

// ours returns the two forms of our filter of a shape.
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
