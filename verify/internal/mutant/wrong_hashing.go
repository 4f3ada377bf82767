package mutant

import (
	"encoding/binary"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/conform"
)

// The function "hashed" returns the place function that draws positions from a key's hash.
func hashed(p Positions) place {
	return func(dst []uint64, f *Plain, key []byte) []uint64 { return p(dst, f.g, hasher.Hasher().Bytes(key)) }
}

// The function "each" returns a function that computes the positions of a key. Every position is computed from one word
// of the key's hash stream.
func each(position func(m, word uint64) uint64) place {
	return hashed(func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
		start := len(dst)
		dst = ideal(dst, bloomproof.Geometry{M: 1 << 48, K: g.K}, h)
		for i := start; i < len(dst); i++ {
			dst[i] = position(g.M, dst[i])
		}
		return dst
	})
}

func wrongPositions() []Wrong {
	of := func(name string, law conform.Law, p place) Wrong {
		s := subject(p, p)
		s.Rate, s.RateFor, s.Items, s.Size = nil, nil, nil, nil // these are not examined here
		return Wrong{Name: name, Law: law, Also: byChance, Subject: s}
	}
	other := func(h bloomproof.Hashing) place {
		return hashed(func(dst []uint64, g bloomproof.Geometry, x kernel.Hash) []uint64 {
			g.Hashing = h
			if h == bloomproof.Partitioned {
				g.M -= g.M % uint64(g.K)
			}
			return ideal(dst, g, x)
		})
	}
	fewer := of("k-1 positions are looked up", "rate", nil)
	short := func(dst []uint64, f *Plain, key []byte) []uint64 {
		return shortProbe(dst, f.g, hasher.Hasher().Bytes(key))
	}
	fewer.Subject = subject(fair, short)
	fewer.Subject.Rate, fewer.Subject.RateFor = nil, nil
	cut := of("the hash is cut to 32 bits", "rate", hashed(func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
		return ideal(dst, g, kernel.Hash{H0: h.H0 & 0xffffffff})
	}))
	cut.Shapes = []bloomproof.Geometry{{M: 1<<23 - 15, K: 10}}
	distinct := of("classic hashing, said to be standard", "set bits", other(bloomproof.Classic))
	distinct.Shapes = []bloomproof.Geometry{{M: 129, K: 10}} // other shapes show it too, but later
	classic := of("standard hashing, said to be classic", "set bits", other(bloomproof.Standard))
	classic.Subject.Hashing = bloomproof.Classic
	return []Wrong{
		of("double hashing", "dependence", hashed(doubleHashing)),
		of("double hashing with an odd step", "dependence", hashed(func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
			h.H1 |= 1
			return doubleHashing(dst, g, h)
		})),
		of("enhanced double hashing", "dependence", hashed(func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
			a, b := h.H0%g.M, h.H1%g.M
			for i := range uint64(g.K) {
				dst = append(dst, a)
				a, b = (a+b)%g.M, (b+i+1)%g.M
			}
			return dst
		})),
		of("double hashing with a quadratic term", "dependence", hashed(func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
			for i := range uint64(g.K) {
				dst = append(dst, (h.H0%g.M+i*(h.H1%g.M)+i*i)%g.M)
			}
			return dst
		})),
		of("double hashing with the halves of 64 bits", "dependence", hashed(func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
			return doubleHashing(dst, g, kernel.Hash{H0: h.H0 >> 32, H1: h.H0 & 0xffffffff})
		})),
		of("positions in runs of three", "dependence", hashed(func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
			start := len(dst)
			dst = ideal(dst, g, h)
			for i := start; i < len(dst); i++ {
				if j := (i - start) % 3; j > 0 {
					dst[i] = (dst[i-1] + 1) % g.M
				}
			}
			return dst
		})),
		cut,
		of("positions of 16 bits", "set bits", each(func(m, w uint64) uint64 { return (w & 0xffff) * m >> 16 })),
		of("the product overflows 32 bits", "set bits", each(func(m, w uint64) uint64 { return uint64(uint32(w)*uint32(m)) % m })),
		of("modulo of a short word", "place", hashed(shortModulo)),
		of("modulo m-1: the last bit is never used", "place", each(func(m, w uint64) uint64 { return w % max(1, m-1) })),
		of("the mask of a power of two for any m", "place", each(func(m, w uint64) uint64 { return w & (m - 1) })),
		of("only whole words are used", "place", each(func(m, w uint64) uint64 { return w % max(1, m&^63) })),
		of("the first bit is shunned", "place", each(func(m, w uint64) uint64 {
			if p := w % m; p > 0 {
				return p
			}
			return w >> 40 % m
		})),
		of("the same bit twice", "set bits", hashed(sameTwice)),
		of("one position too few, added and looked up", "set bits", hashed(shortProbe)),
		of("one position too many", "set bits", hashed(func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
			g.K++
			return ideal(dst, g, h)
		})),
		distinct,
		of("partitioned hashing, said to be standard", "set bits", other(bloomproof.Partitioned)),
		classic,
		of("blocks of 64 bits that are not declared", "rate", hashed(func(dst []uint64, g bloomproof.Geometry, h kernel.Hash) []uint64 {
			f := &Plain{g: bloomproof.Geometry{M: g.M &^ 63, K: g.K}, block: 64}
			if g.M < 64 {
				return ideal(dst, g, h)
			}
			start := len(dst)
			dst = ideal(dst, bloomproof.Geometry{M: 64, K: g.K}, h)
			for i := start; i < len(dst); i++ {
				dst[i] += h.H1 >> 8 % (f.g.M / 64) * 64
			}
			return dst
		})),
		fewer,
	}
}

// wrongKeys returns filters with bad hashes for similar keys.
func wrongKeys() []Wrong {
	of := func(name string, change func(key []byte) []byte) Wrong {
		p := func(dst []uint64, f *Plain, key []byte) []uint64 { return fair(dst, f, change(key)) }
		return Wrong{Name: name, Law: "keys", Also: byChance, Subject: onlyBasic(subject(p, p))}
	}
	identity := func(dst []uint64, f *Plain, key []byte) []uint64 {
		if len(key) != 8 {
			return fair(dst, f, key)
		}
		for i := range uint64(f.g.K) {
			dst = append(dst, (binary.LittleEndian.Uint64(key)*(2*i+1)+i*0x9e3779b97f4a7c15)%f.g.M)
		}
		return dst
	}
	return []Wrong{
		of("the first 16 bytes of a key count", func(key []byte) []byte { return key[:min(len(key), 16)] }),
		of("the last 16 bytes of a key count", func(key []byte) []byte { return key[max(0, len(key)-16):] }),
		of("keys are padded with zeros and their length does not count", func(key []byte) []byte {
			return append(slices.Clone(key), make([]byte, (8-len(key)%8)%8)...)
		}),
		of("a zero byte ends a key", cString),
		of("keys of more than 128 bytes are cut", func(key []byte) []byte { return key[:min(len(key), 128)] }),
		{Name: "integers hash to themselves", Law: "keys", Subject: onlyBasic(subject(identity, identity))},
	}
}
