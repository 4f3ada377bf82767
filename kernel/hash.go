package kernel

import (
	"encoding/binary"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/dchest/siphash"
	"github.com/zeebo/xxh3"
)

// scheme is the function that hashes a key to 128 bits. It is part of a snapshot.
type scheme uint8

const (
	// The hash is XXH3-128 with a 64-bit seed. H0 is its low word, and H1 is its high word.
	schemeXXH3 scheme = iota
	// The hash is SipHash-2-4-128 with a secret 16-byte key. H0 is its first word, and H1 is its second word.
	schemeSipHash
)

// String returns "xxh3" or "siphash".
func (s scheme) String() string {
	if s == schemeSipHash {
		return "siphash"
	}
	return "xxh3"
}

// Options are what the maker of a filter can choose in addition to its geometry. The zero value is the default:
// XXH3-128 with seed 0 and the best implementation of the host. XXH3 is fast and fit for trusted keys only: an
// adversary can compute collisions. Keyed returns options for keys that may be hostile.
type Options struct {
	Seed   uint64 // seed of XXH3; filters with the same seed can be merged, and give the same results in every run
	Impl   string // the implementation to use: one of Impls, or "" for the best
	secret secret // the key that Keyed got
}

// secret is a key, as the two words that SipHash takes. The pointer is nil if there is no key, and the words are zero
// for a key that was refused. It is a pointer to a pointer because package fmt follows at most one pointer, and so
// prints an address.
type secret **[2]uint64

// Keyed returns options with SipHash-2-4-128, a pseudorandom function, in place of XXH3. Use it when keys come from
// strangers.
// Domain: a key of 16 bytes, not all zero, from a cryptographic random source. It is copied. The constructors refuse
// options with any other key, and options with both a key and a Seed. The key is not shown when package fmt prints the
// options or a filter, nor in an error or a snapshot. When encoded, as in JSON, the options have no key.
func Keyed(key []byte) Options {
	words := new([2]uint64)
	if len(key) == 16 {
		words[0], words[1] = binary.LittleEndian.Uint64(key[:8]), binary.LittleEndian.Uint64(key[8:])
	}
	return Options{secret: &words}
}

func (o Options) validate() error {
	switch {
	case o.secret != nil && **o.secret == [2]uint64{}:
		return &bloomproof.ParamError{Param: "key", Value: hidden, Want: "16 bytes, not all zero"}
	case o.secret != nil && o.Seed != 0:
		return &bloomproof.ParamError{Param: "seed", Value: o.Seed, Want: "0 with a secret key"}
	}
	return nil
}

// hidden stands for a secret key in errors.
const hidden = "(secret)"

// The method open returns the hasher and the implementation that the options choose, or a ParamError.
func (o Options) open() (Hasher, impl, error) {
	if err := o.validate(); err != nil {
		return Hasher{}, 0, err
	}
	im, err := resolve(o.Impl)
	return newHasher(o), im, err
}

// Hasher hashes keys as a filter does: by the filter's scheme, and its seed or secret key. A Hash that it makes is
// valid for that filter and for others with the same scheme, seed and key. A Hash can be used many times. A Hasher also
// hashes keys that are not a []byte. The zero Hasher is the hasher of the zero Options.
type Hasher struct {
	scheme scheme
	seed   uint64
	secret secret // the key of SipHash; nil for XXH3
}

func newHasher(o Options) Hasher {
	h := Hasher{seed: o.Seed, secret: o.secret}
	if o.secret != nil {
		h.scheme = schemeSipHash
	}
	return h
}

// equal reports whether h and o give every key the same hash.
func (h *Hasher) equal(o *Hasher) bool {
	return h.scheme == o.scheme && h.seed == o.seed && (h.secret == nil || **h.secret == **o.secret)
}

// Bytes returns the hash of key.
// Cost: O(len(key)).
func (h Hasher) Bytes(key []byte) Hash { return h.hash(key) }

// String returns the hash of the bytes of key. It allocates nothing.
func (h Hasher) String(key string) Hash { return h.hash(bytesOf(key)) }

// Uint64 returns the hash of the 8 bytes of key, the lowest first. It takes a few ns.
func (h Hasher) Uint64(key uint64) Hash { return h.hashWord(key) }

// The method hash returns the hash of key, as Bytes does.
func (h *Hasher) hash(key []byte) Hash {
	if h.scheme == schemeSipHash {
		words := *h.secret
		a, b := siphash.Hash128(words[0], words[1], key)
		return Hash{a, b}
	}
	if len(key) == 8 {
		return xxh3Word(binary.LittleEndian.Uint64(key), h.seed)
	}
	x := xxh3.Hash128Seed(key, h.seed)
	return Hash{x.Lo, x.Hi}
}

// hashWord returns the hash of the 8 little-endian bytes of key.
func (h *Hasher) hashWord(key uint64) Hash {
	if h.scheme == schemeXXH3 {
		return xxh3Word(key, h.seed)
	}
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], key)
	return h.hash(b[:])
}

// xxh3Word returns XXH3-128, with the given seed, of the 8 little-endian bytes of key.
func xxh3Word(key, seed uint64) Hash {
	lo, hi := asm.HashWord(key, seed)
	return Hash{lo, hi}
}

// check returns a number that identifies the hasher in a snapshot without revealing a key. For XXH3 it is the seed, and
// for SipHash the first word of the hash of a fixed label.
func (h *Hasher) check() uint64 {
	if h.scheme == schemeSipHash {
		return h.hash([]byte("bloomproof key check")).H0
	}
	return h.seed
}
