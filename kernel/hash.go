package kernel

import (
	"encoding/binary"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/dchest/siphash"
	"github.com/zeebo/xxh3"
)

// A scheme is a function that hashes a key to 128 bits. A snapshot says which scheme its filter has.
type scheme uint8

const (
	// The hash is XXH3-128 with a seed of 64 bits. The field H0 of a Hash is the low word of the result, and H1 is the
	// high word.
	schemeXXH3 scheme = iota
	// The hash is SipHash-2-4-128 with a secret key of 16 bytes. The field H0 of a Hash is the first word of the
	// result, and H1 is the second word.
	schemeSipHash
)

// String returns "xxh3" or "siphash".
func (s scheme) String() string {
	if s == schemeSipHash {
		return "siphash"
	}
	return "xxh3"
}

// Options are the settings that a constructor takes in addition to the geometry. The zero value is the default:
// XXH3-128 with seed 0, and the best implementation that the host can run. XXH3 is fast, but it is only for keys from
// trusted sources. An adversary can compute keys with equal hashes. For keys from an adversary, use the options that
// Keyed returns.
type Options struct {
	Seed   uint64 // seed of XXH3; filters with the same seed can be merged, and give the same results in every run
	Impl   string // the implementation to use: one of Impls, or "" for the best
	secret secret // the key that Keyed got
}

// A secret is the key of SipHash, as two words. It is nil if there is no key. The words are zero if Keyed was called
// with a key that is not allowed. The type has two levels of pointers, so that package fmt cannot print the key. The
// package follows at most one pointer, so it prints an address instead of the key.
type secret **[2]uint64

// Keyed returns options with SipHash-2-4-128 in place of XXH3. SipHash is a pseudorandom function. Use these options if
// keys come from strangers.
// Domain: key has 16 bytes, not all zero, from a cryptographic random source. Keyed copies the key. For any other key,
// the constructors return an error. The constructors also return an error if options have both a key and a Seed.
// Package fmt does not show the key when it prints the options or a filter. Errors and snapshots do not show the key.
// If options are encoded, for example as JSON, the key is lost.
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

// The constant "hidden" is the text that replaces a secret key in error messages.
const hidden = "(secret)"

// The method "open" returns the hasher and the implementation that the options determine. It returns a ParamError for
// options that are not allowed.
func (o Options) open() (Hasher, impl, error) {
	if err := o.validate(); err != nil {
		return Hasher{}, 0, err
	}
	im, err := resolve(o.Impl)
	return newHasher(o), im, err
}

// A Hasher computes the same hashes as a filter, with the filter's scheme and its seed or secret key. A Hash that it
// returns can be used any number of times. It is valid for all filters with the same scheme, seed and key. A Hasher
// also hashes keys that are strings or integers. The zero value of Hasher computes the same hashes as a filter with the
// zero Options.
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

// The method "equal" reports whether h and o give every key the same hash.
func (h *Hasher) equal(o *Hasher) bool {
	return h.scheme == o.scheme && h.seed == o.seed && (h.secret == nil || **h.secret == **o.secret)
}

// Bytes returns the hash of key.
// Cost: O(len(key)).
func (h Hasher) Bytes(key []byte) Hash { return h.hash(key) }

// String returns the hash of the bytes of key. It allocates nothing.
func (h Hasher) String(key string) Hash { return h.hash(bytesOf(key)) }

// Uint64 returns the hash of the 8 bytes of key, the lowest byte first. A call takes a few nanoseconds.
func (h Hasher) Uint64(key uint64) Hash { return h.hashWord(key) }

// The method "hash" does the same as Bytes.
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

// hashWord returns the hash of the 8 bytes of key, the lowest byte first.
func (h *Hasher) hashWord(key uint64) Hash {
	if h.scheme == schemeXXH3 {
		return xxh3Word(key, h.seed)
	}
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], key)
	return h.hash(b[:])
}

// xxh3Word hashes the 8 bytes of key, the lowest byte first, by XXH3-128 with the given seed.
func xxh3Word(key, seed uint64) Hash {
	lo, hi := asm.HashWord(key, seed)
	return Hash{lo, hi}
}

// The method "check" returns a number that identifies the hasher in a snapshot. The secret key cannot be computed from
// this number. For XXH3 this number is the seed. For SipHash it is the first word of the hash of a fixed text.
func (h *Hasher) check() uint64 {
	if h.scheme == schemeSipHash {
		return h.hash([]byte("bloomproof key check")).H0
	}
	return h.seed
}
