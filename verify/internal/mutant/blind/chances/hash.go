package chances

import (
	"encoding/binary"
	"hash/crc32"
	"hash/fnv"
	"math/bits"

	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind/xxh3"
)

// The function "expanded" returns a placer that draws all positions of a key from a hash of 64 bits or fewer.
func expanded(hash func(key []byte) uint64) placer {
	return func(f *Filter, key []byte) (p places) {
		h := hash(key)
		for i := range f.k {
			p[i] = reduce(mix(mix(h)+uint64(i)*golden), f.m)
		}
		return p
	}
}

func hashFaults() []Fault {
	return []Fault{
		{"the hash has 32 bits, well expanded", "hash",
			placed(Sound(), expanded(func(key []byte) uint64 { return xxh3.Hash(key) >> 32 }))},
		{"the hash has 32 bits, in a filter that can only add and look up", "hash",
			placed(bare(), expanded(func(key []byte) uint64 { return uint64(crc32.ChecksumIEEE(key)) }))},
		{"the hash has 40 bits", "hash",
			placed(Sound(), expanded(func(key []byte) uint64 { return xxh3.Hash(key) >> 24 }))},
		{"a hash of 32 bits is cut into halves of 16 bits, and all that follows has 16 bits", "hash",
			placed(Sound(), func(f *Filter, key []byte) (p places) {
				h := xxh3.Hash(key)
				a, b := uint16(h), uint16(h>>16)
				for i := range f.k {
					p[i] = reduce(uint64(mix(uint64(a)))<<48, f.m)
					a += b | 1
				}
				return p
			})},
		{"the hash is h*31+b in 32 bits", "hash",
			placed(Sound(), expanded(func(key []byte) uint64 {
				var h uint32
				for _, b := range key {
					h = h*31 + uint32(b)
				}
				return uint64(h)<<32 | uint64(uint32(len(key)))
			}))},
		{"the hash is h*31+b in 64 bits", "hash",
			placed(Sound(), expanded(func(key []byte) uint64 {
				h := uint64(len(key))
				for _, b := range key {
					h = h*31 + uint64(b)
				}
				return h
			}))},
		{"keys of more than 64 bytes are hashed by each eighth byte", "hash",
			placed(Sound(), func(f *Filter, key []byte) (p places) {
				if len(key) <= 64 {
					return soundPlaces(f, key)
				}
				var few []byte
				for i := 0; i < len(key); i += 8 {
					few = append(few, key[i])
				}
				return soundPlaces(f, binary.LittleEndian.AppendUint64(few, uint64(len(key))))
			})},
		{"keys of 8 bytes are numbers, and the stream of x+1 is that of x from its second word on", "hash",
			placed(Sound(), func(f *Filter, key []byte) (p places) {
				if len(key) != 8 {
					return soundPlaces(f, key)
				}
				x := binary.LittleEndian.Uint64(key)
				for i := range f.k {
					p[i] = reduce(mix(x+uint64(i)), f.m)
				}
				return p
			})},
		{"keys of 8 bytes are multiplied by a constant and reduced by their high bits", "hash",
			placed(bare(), func(f *Filter, key []byte) (p places) {
				if len(key) != 8 {
					return soundPlaces(f, key)
				}
				x := binary.LittleEndian.Uint64(key) + 1
				for i := range f.k {
					x *= golden
					p[i] = reduce(x, f.m)
				}
				return p
			})},
		{"the index of the position is appended to the key, and CRC-32 is linear", "hash",
			placed(Sound(), func(f *Filter, key []byte) (p places) {
				h := crc32.Checksum(key, crc32.MakeTable(crc32.Castagnoli))
				for i := range f.k {
					p[i] = uint64(crc32.Update(h, crc32.MakeTable(crc32.Castagnoli), []byte{byte(i)})) % f.m
				}
				return p
			})},
		{"the index of the position is appended to the key, and FNV-1a only multiplies it", "hash",
			placed(Sound(), func(f *Filter, key []byte) (p places) {
				for i := range f.k {
					h := fnv.New64a()
					h.Write(key)
					h.Write([]byte{byte(i)})
					p[i] = h.Sum64() % f.m
				}
				return p
			})},
		{"one FNV-1a hash of 64 bits is reduced by its high bits", "hash",
			placed(bare(), func(f *Filter, key []byte) (p places) {
				h := fnv.New64a()
				h.Write(key)
				x := h.Sum64()
				for i := range f.k {
					p[i] = reduce(x, f.m)
					x = mix(x + golden)
				}
				return p
			})},
		{"one key in 64 loses the upper half of its hash", "hash",
			placed(Sound(), expanded(func(key []byte) uint64 {
				h := xxh3.Hash(key)
				if bits.TrailingZeros64(h) >= 6 {
					h = uint64(uint16(h >> 6))
				}
				return h
			}))},
	}
}
