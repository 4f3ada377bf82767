// Package xxh3 has the hash function of package kernel. The filters with faults import this package, because only
// package kernel may import the module github.com/zeebo/xxh3.
package xxh3

import "github.com/bloomproof/bloomproof/kernel"

// Uint128 is a hash of 128 bits.
type Uint128 struct{ Hi, Lo uint64 }

// Hash128 returns the hash of a key.
func Hash128(key []byte) Uint128 {
	h := kernel.Hasher{}.Bytes(key)
	return Uint128{Hi: h.H1, Lo: h.H0}
}

// Hash128Seed returns the hash of a key with a seed.
func Hash128Seed(key []byte, seed uint64) Uint128 {
	h := Hash128(key)
	return Uint128{Hi: h.Hi ^ seed*0x9e3779b97f4a7c15, Lo: h.Lo + seed}
}

// Hash returns a hash of 64 bits.
func Hash(key []byte) uint64 { return Hash128(key).Lo }

// HashSeed returns a hash of 64 bits with a seed.
func HashSeed(key []byte, seed uint64) uint64 { return Hash128Seed(key, seed).Lo }
