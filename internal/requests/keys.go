package requests

import (
	"crypto/rand"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// Keys assigns a number to each key. The first distinct key gets the number 0, the second gets 1, and so on. It tells
// keys apart by a 128-bit SipHash with a random secret. Among n keys, the probability that two are confused is
// n^2/2^129, even if an adversary chose the keys. Use NewKeys.
//
// Memory: 24 to 56 bytes for each key. The length of the key does not matter.
type Keys struct {
	hasher kernel.Hasher
	hashes []kernel.Hash // by number
	table  []uint64      // open addressing: upper bits of the hash, and below them the number + 1; 0 is free
}

const numberBits = 40 // 2^40 numbers, as many as a popularity may have

// NewHasher returns SipHash under a random secret. Errors: any error of crypto/rand.
func NewHasher() (kernel.Hasher, error) {
	var secret [16]byte
	if _, err := rand.Read(secret[:]); err != nil {
		return kernel.Hasher{}, err
	}
	f, err := kernel.New(bloomproof.Geometry{M: 1, K: 1}, kernel.Keyed(secret[:]))
	if err != nil {
		return kernel.Hasher{}, err
	}
	return f.Hasher(), nil
}

// NewKeys returns an empty Keys. Errors: any error of crypto/rand.
func NewKeys() (*Keys, error) {
	hasher, err := NewHasher()
	if err != nil {
		return nil, err
	}
	return &Keys{hasher: hasher, table: make([]uint64, 1<<10)}, nil
}

// Number returns the number of a key. The number of a new key is the count of the distinct keys that came before.
// Cost: O(1), about 50 ns.
func (k *Keys) Number(key []byte) uint64 {
	h := k.hasher.Bytes(key)
	i, tag := k.find(h)
	if e := k.table[i]; e != 0 {
		return e&(1<<numberBits-1) - 1
	}
	k.hashes = append(k.hashes, h)
	k.table[i] = tag | uint64(len(k.hashes))
	if 2*len(k.hashes) > len(k.table) {
		k.table = make([]uint64, 2*len(k.table))
		for number, h := range k.hashes {
			i, tag := k.find(h)
			k.table[i] = tag | uint64(number+1)
		}
	}
	return uint64(len(k.hashes) - 1)
}

// The method "find" looks for the hash h in the table. It returns the index i at which h is stored, or at which h must
// be inserted. It also returns the tag of h.
func (k *Keys) find(h kernel.Hash) (i, tag uint64) {
	mask := uint64(len(k.table) - 1)
	tag = h.H1 &^ (1<<numberBits - 1)
	for i = h.H0 & mask; ; i = (i + 1) & mask {
		e := k.table[i]
		if e == 0 || e&^(1<<numberBits-1) == tag && k.hashes[e&(1<<numberBits-1)-1] == h {
			return i, tag
		}
	}
}
