package redisbloom

import (
	"encoding/binary"
	"testing"
)

// SMHasher's verification value of MurmurHash64A (rurban/smhasher main.cpp; Austin Appleby's method): the hash of the
// hashes of the keys {}, {0}, {0, 1}, ...; the i-th is hashed with the seed 256-i.
func TestMurmurHash64A(t *testing.T) {
	var key, hashes []byte
	for i := range 256 {
		hashes = binary.LittleEndian.AppendUint64(hashes, murmur64A(key, uint64(256-i)))
		key = append(key, byte(i))
	}
	if got, want := uint32(murmur64A(hashes, 0)), uint32(0x1F0D3804); got != want {
		t.Errorf("verification value %#x, want %#x", got, want)
	}
}
