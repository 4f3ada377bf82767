package asmtest

import (
	"math/bits"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// hashBy is a kernel in which hash gives the hash of key i.
func hashBy(hash func(i int, key, seed uint64) (lo, hi uint64)) HashFunc {
	return func(dst, keys []uint64, seed uint64) int {
		n := min(len(dst)/2, len(keys))
		for i, key := range keys[:n] {
			dst[2*i], dst[2*i+1] = hash(i, key, seed)
		}
		return n
	}
}

// hashed is the hash of key, with a product that mul makes.
func hashed(key, seed uint64, mul func(x, y uint64) (hi, lo uint64)) (lo, hi uint64) {
	seed ^= uint64(bits.ReverseBytes32(uint32(seed))) << 32
	hi, lo = mul(key^(hashSecret+seed), 0x9e3779b185ebcaa7)
	hi += lo << 1
	lo ^= hi >> 3
	lo = (lo ^ lo>>35) * 0x9fb21c651e98df25
	hi = (hi ^ hi>>37) * 0x165667919e3779f9
	return lo ^ lo>>28, hi ^ hi>>32
}

// halves returns the products of the halves of x and y.
func halves(x, y uint64) (ll, hl, lh, hh uint64) {
	const low = 1<<32 - 1
	return x & low * (y & low), x >> 32 * (y & low), x & low * (y >> 32), x >> 32 * (y >> 32)
}

// hashMutants are kernels of the hash family broken on purpose, one fault each. The table
// must catch all of them.
var hashMutants = []struct {
	name  string
	guard bool // seen only where forbidden pages surround the arguments
	f     HashFunc
}{
	{"no carry from the product of low halves", false, hashBy(func(_ int, key, seed uint64) (uint64, uint64) {
		return hashed(key, seed, func(x, y uint64) (uint64, uint64) {
			_, hl, lh, hh := halves(x, y)
			return hh + hl>>32 + (lh+hl&(1<<32-1))>>32, x * y
		})
	})},
	{"no carry between the middle products", false, hashBy(func(_ int, key, seed uint64) (uint64, uint64) {
		return hashed(key, seed, func(x, y uint64) (uint64, uint64) {
			ll, hl, lh, hh := halves(x, y)
			hl += ll >> 32
			return hh + hl>>32 + lh>>32, x * y
		})
	})},
	{"high word wrong for a single factor", false, hashBy(func(_ int, key, seed uint64) (uint64, uint64) {
		return hashed(key, seed, func(x, y uint64) (uint64, uint64) {
			hi, lo := bits.Mul64(x, y)
			if x == 1<<63 {
				hi--
			}
			return hi, lo
		})
	})},
	{"signed product", false, hashBy(func(_ int, key, seed uint64) (uint64, uint64) {
		return hashed(key, seed, func(x, y uint64) (uint64, uint64) {
			hi, lo := bits.Mul64(x, y)
			if int64(x) < 0 {
				hi -= y
			}
			return hi, lo
		})
	})},
	{"words of a hash exchanged", false, hashBy(func(_ int, key, seed uint64) (uint64, uint64) {
		lo, hi := asm.HashWord(key, seed)
		return hi, lo
	})},
	{"seed not spread", false, hashBy(func(_ int, key, seed uint64) (uint64, uint64) {
		return asm.HashWord(key, seed^uint64(bits.ReverseBytes32(uint32(seed)))<<32)
	})},
	{"seed of 32 bits", false, hashBy(func(_ int, key, seed uint64) (uint64, uint64) {
		return asm.HashWord(key, uint64(uint32(seed)))
	})},
	{"keys 2 and 3 of four exchanged", false, func(dst, keys []uint64, seed uint64) int {
		n := asm.HashWordsPortable(dst, keys, seed)
		for i := 0; i+4 <= n; i += 4 {
			dst[2*i+2], dst[2*i+3], dst[2*i+4], dst[2*i+5] = dst[2*i+4], dst[2*i+5], dst[2*i+2], dst[2*i+3]
		}
		return n
	}},
	{"last key dropped", false, func(dst, keys []uint64, seed uint64) int {
		if len(keys)%8 == 7 {
			keys = keys[:len(keys)-1]
		}
		return asm.HashWordsPortable(dst, keys, seed)
	}},
	{"last key counted and not hashed", false, func(dst, keys []uint64, seed uint64) int {
		n := min(len(keys), len(dst)/2)
		asm.HashWordsPortable(dst, keys[:n&^1], seed)
		return n
	}},
	{"half a hash written", false, func(dst, keys []uint64, seed uint64) int {
		n := asm.HashWordsPortable(dst, keys, seed)
		if 2*n+1 == len(dst) && n < len(keys) {
			dst[2*n], _ = asm.HashWord(keys[n], seed)
		}
		return n
	}},
	{"last turn stored whole", false, func(dst, keys []uint64, seed uint64) int {
		n := asm.HashWordsPortable(dst, keys, seed)
		for i := 2 * n; i < len(dst) && i&7 != 0; i++ {
			dst[i] = 0
		}
		return n
	}},
	{"length in 32 bits", false, func(dst, keys []uint64, seed uint64) int {
		return asm.HashWordsPortable(dst[:uint32(len(dst))], keys[:min(uint64(len(keys)), 1<<32-1)], seed)
	}},
	{"turn of keys read whole", true, func(dst, keys []uint64, seed uint64) int {
		if len(keys)%4 == 3 {
			peek(keys, len(keys))
		}
		return asm.HashWordsPortable(dst, keys, seed)
	}},
	{"keys written", false, func(dst, keys []uint64, seed uint64) int {
		n := asm.HashWordsPortable(dst, keys, seed)
		if n == 9 {
			keys[0] ^= 1
		}
		return n
	}},
	{"only many turns wrong", false, hashBy(func(i int, key, seed uint64) (uint64, uint64) {
		lo, hi := asm.HashWord(key, seed)
		return lo ^ uint64(i)>>12, hi
	})},
}

// TestHashMutants asserts that the table catches every broken kernel, and that what it
// prints names the kernel and is small.
func TestHashMutants(t *testing.T) {
	for _, m := range hashMutants {
		t.Run(strings.ReplaceAll(m.name, " ", "-"), func(t *testing.T) {
			if m.guard && !Guarded() {
				t.Log("no forbidden pages on this system: this fault cannot be seen here")
				return
			}
			if bits.UintSize == 32 && m.name == "length in 32 bits" {
				return // an int has no more
			}
			for _, short := range longtest.More([]bool{true}, []bool{true, false}) {
				_, err := RunHash(hashMutant(m.f), Options{Seed: 1, Short: short})
				if err == nil {
					t.Fatalf("short=%v: not caught", short)
				}
				text := err.Error()
				if !strings.HasPrefix(text, "HashWords/mutant: ") || !strings.Contains(text, "seed 1") || !strings.Contains(text, "length ") {
					t.Errorf("message lacks kernel, seed or length: %s", text)
				}
				if len(text) > 1500 {
					t.Errorf("message of %d bytes: %s", len(text), text)
				}
			}
		})
	}
}

// hashMutant is the row of kernel f.
func hashMutant(f HashFunc) HashRow {
	return HashRow{"HashWords", "mutant", f, asm.HashWordsPortable}
}

// TestHashLawful asserts that what the mutants are made from is right.
func TestHashLawful(t *testing.T) {
	n, err := RunHash(hashMutant(hashBy(func(_ int, key, seed uint64) (uint64, uint64) {
		return hashed(key, seed, bits.Mul64)
	})), Options{Seed: 2, Short: true})
	if err != nil || n < 500 {
		t.Errorf("%d cases: %v", n, err)
	}
}

// TestHashMinimise asserts that a failure is cut down to the keys that matter.
func TestHashMinimise(t *testing.T) {
	_, err := RunHash(hashMutant(func(dst, keys []uint64, seed uint64) int {
		n := asm.HashWordsPortable(dst, keys, seed)
		if n > 10 && keys[4] != 0 && seed != 0 {
			dst[7]++
		}
		return n
	}), Options{Seed: 7, Short: true})
	f, ok := err.(*HashFailure)
	if !ok {
		t.Fatalf("got %v", err)
	}
	if len(f.c.keys) != 11 || len(f.c.dst) != 22 || f.c.seed != 1 {
		t.Errorf("%d keys, room for %d words, seed %#x; want 11, 22 and 1: %v", len(f.c.keys), len(f.c.dst), f.c.seed, err)
	}
	for j, key := range f.c.keys {
		if (key != 0) != (j == 4) {
			t.Errorf("key %d is %#x, want only key 4 to be other than 0", j, key)
		}
	}
}
