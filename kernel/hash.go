package kernel

import (
	"encoding/binary"
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/dchest/siphash"
	"github.com/zeebo/xxh3"
)

// Scheme is the function that hashes a key to 128 bits. It is part of a snapshot.
type Scheme uint8

const (
	// XXH3 is XXH3-128 with a 64-bit seed: H0 is its low word, H1 its high word. It
	// is fast and fit for trusted keys only: an adversary can compute collisions.
	XXH3 Scheme = iota
	// SipHash is SipHash-2-4-128, a pseudorandom function, with a secret 16-byte
	// key: H0 is its first word, H1 its second. Use it when keys may be hostile.
	SipHash
)

// String returns "xxh3" or "siphash".
func (s Scheme) String() string {
	switch s {
	case XXH3:
		return "xxh3"
	case SipHash:
		return "siphash"
	}
	return fmt.Sprintf("Scheme(%d)", uint8(s))
}

// Key is the secret key of the SipHash scheme. It prints as "(secret)" wherever
// package fmt asks a value how to print, which is under all verbs but %T and %p and
// not in an unexported field of another type, and is encoded so as text and in JSON.
// No filter, error or snapshot shows it.
type Key [16]byte

// Format prints "(secret)".
func (Key) Format(s fmt.State, _ rune) { _, _ = s.Write([]byte("(secret)")) }

// MarshalText returns "(secret)": logs and encoded Options do not show the key.
func (Key) MarshalText() ([]byte, error) { return []byte("(secret)"), nil }

// Options are the choices of a filter beside its geometry. The zero value is the
// default: XXH3 with seed 0 and the best implementation of the host.
type Options struct {
	Scheme Scheme
	Seed   uint64 // XXH3: filters of one seed can be merged and repeat their results
	Key    Key    // SipHash: secret, from a cryptographic random source; otherwise zero
	Impl   string // the bit kernels to use: one of Impls, or "" for the best
}

func (o Options) validate() error {
	switch {
	case o.Scheme > SipHash:
		return &bloomproof.ParamError{Param: "scheme", Value: o.Scheme, Want: "xxh3 or siphash"}
	case o.Scheme == XXH3 && o.Key != Key{}:
		return &bloomproof.ParamError{Param: "key", Value: o.Key, Want: "absent for the scheme xxh3"}
	case o.Scheme == SipHash && o.Key == Key{}:
		return &bloomproof.ParamError{Param: "key", Value: o.Key, Want: "a secret of 16 bytes, not all zero, for the scheme siphash"}
	case o.Scheme == SipHash && o.Seed != 0:
		return &bloomproof.ParamError{Param: "seed", Value: o.Seed, Want: "0 for the scheme siphash"}
	}
	return nil
}

// open returns what a filter makes of its options, or a ParamError.
func (o Options) open() (Hasher, impl, error) {
	if err := o.validate(); err != nil {
		return Hasher{}, 0, err
	}
	im, err := resolve(o.Impl)
	return newHasher(o), im, err
}

// Hasher hashes keys by the scheme of a filter, and its seed or secret key. A Hash that it
// makes is for that filter and for others of the same scheme, seed and key: it can be used
// many times, and for keys that are no []byte. The zero Hasher is that of the zero Options.
type Hasher struct {
	scheme Scheme
	seed   uint64
	secret **sipWords // SipHash, otherwise nil; of two pointers package fmt follows at most one
}

// sipWords is a Key as the words that SipHash takes.
type sipWords struct{ k0, k1 uint64 }

func newHasher(o Options) Hasher {
	h := Hasher{scheme: o.Scheme, seed: o.Seed}
	if o.Scheme == SipHash {
		words := &sipWords{binary.LittleEndian.Uint64(o.Key[:8]), binary.LittleEndian.Uint64(o.Key[8:])}
		h.secret = &words
	}
	return h
}

// equal reports whether h and o hash alike.
func (h *Hasher) equal(o *Hasher) bool {
	return h.scheme == o.scheme && h.seed == o.seed && (h.secret == nil || **h.secret == **o.secret)
}

// Bytes returns the hash of key. Cost: O(len(key)).
func (h Hasher) Bytes(key []byte) Hash { return h.hash(key) }

// String is Bytes for the bytes of key. It allocates nothing.
func (h Hasher) String(key string) Hash { return h.hash(bytesOf(key)) }

// Uint64 is Bytes for the 8 bytes of key, the lowest first. It takes a few ns.
func (h Hasher) Uint64(key uint64) Hash { return h.hashWord(key) }

// hash is Bytes.
func (h *Hasher) hash(key []byte) Hash {
	if h.scheme == SipHash {
		words := *h.secret
		a, b := siphash.Hash128(words.k0, words.k1, key)
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
	if h.scheme == XXH3 {
		return xxh3Word(key, h.seed)
	}
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], key)
	return h.hash(b[:])
}

// xxh3Word is XXH3-128 with a seed of the 8 little-endian bytes of key.
func xxh3Word(key, seed uint64) Hash {
	lo, hi := asm.HashWord(key, seed)
	return Hash{lo, hi}
}

// check identifies the hasher in a snapshot without giving a key away: the seed, or
// for SipHash the first word of the hash of a fixed label.
func (h *Hasher) check() uint64 {
	if h.scheme == SipHash {
		return h.hash([]byte("bloomproof key check")).H0
	}
	return h.seed
}
