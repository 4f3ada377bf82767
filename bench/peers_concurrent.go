package bench

import (
	"sync"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/greatroar/blobloom"
	"github.com/zeebo/xxh3"
)

// Concurrent is a Filter that many goroutines may use at once.
type Concurrent interface {
	Filter
	// Words returns the bits of the filter, in one piece or several.
	Words() [][]uint64
}

// ConcurrentPeer is a filter for many goroutines in the comparison.
type ConcurrentPeer struct {
	Name, Note string
	Shape      bloomproof.Geometry // the shape, as for Peer
	New        func(m uint64, k int) (Concurrent, error)
}

// These are the names of the ConcurrentPeers that the goals of command compare refer to.
const (
	Shared  = "bloomproof concurrent"
	Sharded = "64 locked shards"
)

// shards is the number of locked filters among which the keys are divided.
const shards = 64

// ConcurrentPeers returns the implementations, ours first.
func ConcurrentPeers() []ConcurrentPeer {
	shared := func(shape bloomproof.Geometry, batched bool) func(m uint64, k int) (Concurrent, error) {
		return func(m uint64, k int) (Concurrent, error) {
			one, err := kernel.New(Peer{Shape: shape}.Geometry(m, k), kernel.Options{})
			if err != nil {
				return nil, err
			}
			f := one.Concurrent()
			if batched {
				return sharedBatch{f}, nil
			}
			return sharedSingle{f}, nil
		}
	}
	return []ConcurrentPeer{
		{Shared, "kernel.ConcurrentFilter, a key at a time", bloomproof.Geometry{}, shared(bloomproof.Geometry{}, false)},
		{Shared + InBatch, "the same through its batch methods", bloomproof.Geometry{}, shared(bloomproof.Geometry{}, true)},
		{Shared + " blocks 512", "the same with blocks, a key at a time", any512, shared(any512, false)},
		{Shared + " blocks 512" + InBatch, "the same through its batch methods", any512, shared(any512, true)},
		{Sharded, "kernel.Filter, each with m/64 bits and a sync.Mutex", bloomproof.Geometry{}, newLocked},
		{"blobloom sync", "blobloom.SyncFilter with xxh3", any512, newBlobloomSync},
	}
}

type sharedSingle struct{ f *kernel.ConcurrentFilter }

// Words returns the bits.
func (s sharedSingle) Words() [][]uint64 { return [][]uint64{Memory(s)} }

// Add adds keys one at a time.
func (s sharedSingle) Add(keys [][]byte) {
	for _, key := range keys {
		s.f.Add(key)
	}
}

// Contains looks up keys one at a time and returns the number of hits.
func (s sharedSingle) Contains(keys [][]byte) (found int) {
	for _, key := range keys {
		if s.f.Contains(key) {
			found++
		}
	}
	return found
}

// sharedBatch has no buffer for answers, because goroutines would have to share it. Each call allocates the answers,
// which takes little time compared with the look-ups of a chunk.
type sharedBatch struct{ f *kernel.ConcurrentFilter }

// Words returns the bits.
func (s sharedBatch) Words() [][]uint64 { return [][]uint64{Memory(s)} }

// Add adds all keys in one call.
func (s sharedBatch) Add(keys [][]byte) {
	s.f.AddBatch(make([]bool, 0, len(keys)), kernel.KeysOf(keys))
}

// Contains looks up all keys in one call and returns the number of hits.
func (s sharedBatch) Contains(keys [][]byte) int {
	return count(s.f.ContainsBatch(make([]bool, 0, len(keys)), kernel.KeysOf(keys)))
}

// shard is a filter with its lock, on separate cache lines.
type shard struct {
	sync.Mutex
	f *kernel.Filter
	_ [64 - 16]byte
}

// The type locked is the alternative to a ConcurrentFilter: several filters, each behind a lock.
type locked struct {
	hasher kernel.Hasher
	shard  []shard
}

func newLocked(m uint64, k int) (Concurrent, error) {
	l := &locked{shard: make([]shard, shards)}
	for i := range l.shard {
		f, err := kernel.New(bloomproof.Geometry{M: m / shards, K: k}, kernel.Options{})
		if err != nil {
			return nil, err
		}
		l.shard[i].f = f
	}
	l.hasher = l.shard[0].f.Hasher()
	return l, nil
}

// Words returns the bits of all shards.
func (l *locked) Words() (words [][]uint64) {
	for i := range l.shard {
		words = append(words, Memory(single{l.shard[i].f}))
	}
	return words
}

// The method named of returns the shard of a key.
func (l *locked) of(h kernel.Hash) *shard { return &l.shard[h.H1>>58] }

// Add adds keys one at a time, each to its shard.
func (l *locked) Add(keys [][]byte) {
	for _, key := range keys {
		h := l.hasher.Bytes(key)
		s := l.of(h)
		s.Lock()
		s.f.AddHash(h)
		s.Unlock()
	}
}

// Contains looks up keys one at a time and returns the number of hits.
func (l *locked) Contains(keys [][]byte) (found int) {
	for _, key := range keys {
		h := l.hasher.Bytes(key)
		s := l.of(h)
		s.Lock()
		if s.f.ContainsHash(h) {
			found++
		}
		s.Unlock()
	}
	return found
}

type blobloomSync struct{ f *blobloom.SyncFilter }

func newBlobloomSync(m uint64, k int) (Concurrent, error) {
	return blobloomSync{blobloom.NewSync(m, k+1)}, nil // k+1 hashes, because the first chooses the block
}

// Words returns the bits.
func (s blobloomSync) Words() [][]uint64 { return [][]uint64{Memory(s)} }

// Add adds keys to a blobloom.SyncFilter, given their hashes.
func (s blobloomSync) Add(keys [][]byte) {
	for _, key := range keys {
		s.f.Add(xxh3.Hash(key))
	}
}

// Contains returns how many of the keys the filter contains.
func (s blobloomSync) Contains(keys [][]byte) (found int) {
	for _, key := range keys {
		if s.f.Has(xxh3.Hash(key)) {
			found++
		}
	}
	return found
}
