package asm_test

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// blocked is a shape of blocks.
type blocked struct {
	k                 int
	span, step, block uint64
}

func (s blocked) String() string {
	if s.step == 0 {
		return fmt.Sprintf("%dx%d", s.k, s.block)
	}
	return fmt.Sprintf("%dx%d-of-%d", s.k, s.span, s.block)
}

var blockedShapes = []blocked{
	{1, 64, 0, 64}, {3, 64, 0, 64}, {4, 16, 16, 64}, // the smallest blocks
	{12, 64, 0, 64}, {9, 128, 0, 128}, // of which the stream has a second word
	{8, 32, 32, 256}, {9, 256, 0, 256},
	{4, 512, 0, 512}, {7, 512, 0, 512}, {11, 512, 0, 512}, {15, 512, 0, 512}, {8, 64, 64, 512}, {16, 32, 32, 512},
	{6, 4096, 0, 4096}, {4, 1024, 1024, 4096},
}

// hashes returns the hashes of n keys, XXH3-128 of consecutive numbers, two words each.
func hashes(first uint64, n int) []uint64 {
	h := make([]uint64, 2*n)
	for i := range n {
		h[2*i], h[2*i+1] = asm.HashWord(first+uint64(i), 0)
	}
	return h
}

// inBlock makes all keys of h lead to one block of so many: h0 becomes the word that has
// the share of the words that lead there that it had of all words.
func inBlock(h []uint64, number, blocks uint64) {
	first := leastFor(number, blocks)
	width := leastFor(number+1, blocks) - first // 0 for 2^64
	for i := 0; i < len(h) && width != 0; i += 2 {
		at, _ := bits.Mul64(h[i], width)
		h[i] = first + at
	}
}

// leastFor returns the least word that leads to block number, or 0 for that after the last.
func leastFor(number, blocks uint64) uint64 {
	if number >= blocks {
		return 0
	}
	least, rest := bits.Div64(number, 0, blocks)
	if rest > 0 {
		least++
	}
	return least
}

// blockedRate is the exact rate of n items in a number of blocks (Bin(n, 1/blocks) of them
// in the block of the query), by the difference of q(j), the probability that an item of
// the block misses j given places:
//
//	sum over r of P[r distinct places] sum over j of (-1)^j C(r,j) (1 - (1-q(j))/blocks)^n
func blockedRate(s blocked, blocks uint64, n int) float64 {
	const prec = 400
	num := func(x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }
	pow := func(x *big.Float, n int) *big.Float {
		z := num(1)
		for y := num(0).Set(x); n > 0; n >>= 1 {
			if n&1 != 0 {
				z.Mul(z, y)
			}
			y.Mul(y, y)
		}
		return z
	}
	distinct := make([]*big.Float, s.k+1) // by r
	for r := range distinct {
		distinct[r] = num(0)
	}
	if s.step != 0 {
		distinct[s.k] = num(1)
	} else {
		distinct[0] = num(1)
		size := num(float64(s.block))
		for range s.k {
			for r := s.k; r >= 0; r-- {
				distinct[r].Mul(distinct[r], num(float64(r)))
				if r > 0 {
					distinct[r].Add(distinct[r], num(0).Mul(distinct[r-1], num(float64(s.block)-float64(r-1))))
				}
				distinct[r].Quo(distinct[r], size)
			}
		}
	}
	sum := num(0)
	for r, p := range distinct {
		for j := 0; j <= r; j++ {
			var q *big.Float
			if s.step != 0 {
				q = pow(num(0).Quo(num(float64(s.span-1)), num(float64(s.span))), j)
			} else {
				q = pow(num(0).Quo(num(float64(s.block)-float64(j)), num(float64(s.block))), s.k)
			}
			miss := num(0).Sub(num(1), q)
			miss.Quo(miss, num(float64(blocks)))
			term := pow(miss.Sub(num(1), miss), n)
			term.Mul(term, p).Mul(term, num(0).SetInt(new(big.Int).Binomial(int64(r), int64(j))))
			if j&1 != 0 {
				term.Neg(term)
			}
			sum.Add(sum, term)
		}
	}
	f, _ := sum.Float64()
	return f
}

// maxZ is how many standard deviations a measured number may be from what is expected: of ten
// thousand uniform numbers one is beyond 5 with a probability of 0.6 %. The keys are fixed,
// so a test that passes once passes always.
const maxZ = 5

// derivation sets dst to the positions of the keys of h, s.k a key.
type derivation func(dst, h []uint64, s blocked, blocks uint64)

func ofBlocks(dst, h []uint64, s blocked, blocks uint64) {
	asm.BlockPositionsPortable(dst, h, s.k, s.span, s.step, s.block, blocks)
}

// rateZ returns by how many standard deviations the measured rate of a number of filters of
// n items is above the exact one. With 2^32 blocks all keys are in one block, and the filter
// has no other.
func rateZ(derive derivation, s blocked, blocks uint64, n, filters, queries int) (z, mean, want float64) {
	array := blocks
	if blocks == 1<<32 {
		array = 1
	}
	want = blockedRate(s, array, n)
	words := make([]uint64, array*s.block/64)
	out := make([]bool, n+queries)
	pos := make([]uint64, (n+queries)*s.k)
	var sum, squares float64
	for i := range filters {
		h := hashes(uint64(i*(n+queries)), n+queries)
		number := uint64(0)
		if array != blocks {
			number = uint64(i) * 0x9e3779b1 % blocks
			inBlock(h, number, blocks)
		}
		derive(pos, h, s, blocks)
		for j := range pos {
			pos[j] -= number * s.block
		}
		clear(words)
		asm.AddAtPortable(out[:n], words, pos[:n*s.k], s.k)
		x := float64(asm.ContainsAtPortable(out[:queries], words, pos[n*s.k:], s.k)) / float64(queries)
		sum, squares = sum+x, squares+x*x
	}
	mean = sum / float64(filters)
	variance := max(squares/float64(filters)-mean*mean, want/float64(queries))
	return (mean - want) / math.Sqrt(variance/float64(filters)), mean, want
}

// TestBlockRate compares the measured rate of false positives with the exact one.
func TestBlockRate(t *testing.T) {
	filters, worst := longtest.More(30, 300), 0.0
	for si, s := range blockedShapes {
		for bi, blocks := range []uint64{1, 2, 3, 1000, 1 << 32} {
			for li, load := range []float64{0.3, 1} { // of the keys that fill half of the bits
				if !longtest.Enabled() && (si+bi+li)%2 != 0 {
					continue
				}
				each, number := float64(s.block)*math.Ln2/float64(s.k), filters
				n := int(math.Ceil(load * each))
				if blocks <= 1000 {
					n = int(math.Ceil(load * each * float64(blocks)))
				}
				if blocks == 1000 {
					number = filters/20 + 3
				}
				z, mean, want := rateZ(ofBlocks, s, blocks, n, number, 1<<11)
				worst = max(worst, math.Abs(z))
				if math.Abs(z) > maxZ {
					t.Errorf("%v, %d blocks, %d items: rate %.6g, want %.6g (z = %.1f)", s, blocks, n, mean, want, z)
				}
			}
		}
	}
	t.Logf("largest |z| %.2f", worst)
}

// TestBlockRatePower asserts that TestBlockRate sees positions that are not independent:
// double hashing in a block, and those of the second word a copy of the first's.
func TestBlockRatePower(t *testing.T) {
	for name, derive := range map[string]derivation{
		"double hashing": func(dst, h []uint64, s blocked, blocks uint64) {
			ofBlocks(dst, h, s, blocks)
			for i := 0; i < len(dst); i += s.k {
				first, by := dst[i]%s.block, dst[i+1]|1
				for j := range s.k {
					dst[i+j] = dst[i]&^(s.block-1) | (first+uint64(j)*by)%s.block
				}
			}
		},
		"second word as the first": func(dst, h []uint64, s blocked, blocks uint64) {
			ofBlocks(dst, h, s, blocks)
			for i := 0; i < len(dst); i += s.k {
				copy(dst[i+7:i+s.k], dst[i:])
			}
		},
	} {
		if z, mean, want := rateZ(derive, blocked{11, 512, 0, 512}, 3, 97, longtest.More(700, 1000), 1<<11); math.Abs(z) <= maxZ {
			t.Errorf("%s: rate %.6g, want %.6g, z = %.1f", name, mean, want, z)
		} else {
			t.Logf("%s: z = %.1f", name, z)
		}
	}
}

// uniformZ returns the normal deviate that a chi-square test of counts of equally likely
// cells gives, by the approximation of Wilson and Hilferty.
func uniformZ(counts []int, n int) float64 {
	each, chi := float64(n)/float64(len(counts)), 0.0
	for _, c := range counts {
		chi += (float64(c) - each) * (float64(c) - each) / each
	}
	df := float64(len(counts) - 1)
	return (math.Cbrt(chi/df) - (1 - 2/(9*df))) / math.Sqrt(2/(9*df))
}

// TestBlockUniform asserts by chi-square that the number of a block, each position in it,
// pairs of positions, and a position together with the number of the block are uniform.
func TestBlockUniform(t *testing.T) {
	n, worst := longtest.More(1<<14, 1<<17), 0.0
	h := hashes(1<<40, n)
	for si, s := range blockedShapes {
		pos := make([]uint64, n*s.k)
		for bi, blocks := range []uint64{1, 2, 3, 1000, 1 << 32} {
			if !longtest.Enabled() && (si+bi)%2 != 0 {
				continue
			}
			ofBlocks(pos, h, s, blocks)
			// Cells are numbered by the digits of two numbers of a key, each below its base.
			check := func(name string, base, base2 uint64, cell, cell2 func(p []uint64) uint64) {
				counts := make([]int, base*base2)
				for i := range n {
					p := pos[i*s.k : (i+1)*s.k]
					counts[cell(p)*base2+cell2(p)]++
				}
				z := uniformZ(counts, n)
				worst = max(worst, math.Abs(z))
				if math.Abs(z) > maxZ {
					t.Errorf("%v, %d blocks: %s: z = %.1f", s, blocks, name, z)
				}
			}
			coarse := min(s.span, 16)
			at := func(j int, below uint64) func(p []uint64) uint64 {
				return func(p []uint64) uint64 { return p[j] % s.block % s.span % below }
			}
			some := min(blocks, 16)
			number := func(p []uint64) uint64 { return p[0] / s.block % some }
			none := func([]uint64) uint64 { return 0 }
			for j := range s.k {
				check(fmt.Sprintf("position %d", j), s.span, 1, at(j, s.span), none)
				if j > 0 {
					check(fmt.Sprintf("positions %d and %d", j-1, j), coarse, coarse, at(j-1, coarse), at(j, coarse))
					check(fmt.Sprintf("positions 0 and %d", j), coarse, coarse, at(0, coarse), at(j, coarse))
				}
				if blocks > 1 && blocks != 1000 { // 16 does not divide it
					check(fmt.Sprintf("block and position %d", j), some, coarse, number, at(j, coarse))
				}
			}
			if blocks == 1000 {
				check("block", blocks, 1, func(p []uint64) uint64 { return p[0] / s.block }, none)
			}
		}
	}
	t.Logf("largest |z| %.2f", worst)
}
