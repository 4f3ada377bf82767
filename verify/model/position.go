package model

import (
	"math/big"
	"slices"
	"sort"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

var (
	one   = big.NewInt(1)
	word  = fromWord(1<<64 - 1) // arithmetic is modulo 2^64: on the low 64 bits
	mulA  = fromWord(0xbf58476d1ce4e5b9)
	mulB  = fromWord(0x94d049bb133111eb)
	stepA = fromWord(0x9e3779b97f4a7c15)
	stepB = fromWord(0xd1342543de82ef95)
)

func fromWord(x uint64) *big.Int { return new(big.Int).SetUint64(x) }

func mod(x *big.Int) *big.Int { return x.And(x, word) }

func add(x, y *big.Int) *big.Int { return mod(new(big.Int).Add(x, y)) }

func mul(x, y *big.Int) *big.Int { return mod(new(big.Int).Mul(x, y)) }

// The function "mix" computes mix(z) of docs/format.md, and stores it in z. Its argument t is for intermediate results:
// most of the time of a position would otherwise go into the allocation of numbers.
func mix(z, t *big.Int) *big.Int {
	fold := func(n uint) { z.Xor(z, t.Rsh(z, n)) }
	times := func(c *big.Int) { z.And(t.Mul(z, c), word) }
	fold(30)
	times(mulA)
	fold(27)
	times(mulB)
	fold(31)
	return z
}

// Cycle returns derive(h, c) of docs/format.md.
//
// Domain: any h and c.
// Cost: O(1).
func Cycle(h kernel.Hash, c uint64) kernel.Hash {
	if c == 0 {
		return h
	}
	at := fromWord(c)
	return kernel.Hash{
		H0: mix(add(fromWord(h.H0), mul(at, stepA)), new(big.Int)).Uint64(),
		H1: mix(add(fromWord(h.H1), mul(at, stepB)), new(big.Int)).Uint64(),
	}
}

// The type "words" yields the words x_0, x_1, ... of a key, as docs/format.md defines them.
type words struct {
	h           kernel.Hash
	sum, step   *big.Int // H0 plus the step for each word so far
	x, s, extra big.Int  // for intermediate results
}

// wordsOf returns the words of the hash h.
func wordsOf(h kernel.Hash) *words {
	return &words{h: h, sum: fromWord(h.H0), step: new(big.Int).Or(fromWord(h.H1), one)}
}

// The method "draw" returns the product of the next word and s, divided by 2^52 and rounded down.
func (w *words) draw(s uint64) uint64 {
	mod(w.sum.Add(w.sum, w.step))
	x := mix(w.x.Set(w.sum), &w.extra)
	x.Rsh(x, 12)
	return x.Rsh(w.extra.Mul(x, w.s.SetUint64(s)), 52).Uint64()
}

// Positions returns the k positions of h by the derivation of docs/format.md. It panics with a *bloomproof.ParamError
// if the model does not have the hashing.
//
// Domain: the geometry g is valid, with m <= 2^48. It has blocks only if docs/format.md specifies blocks for its
// hashing.
// Cost: O(k^2 log m).
func Positions(g bloomproof.Geometry, h kernel.Hash) []uint64 {
	return hashingOf(g).positions(g, wordsOf(h))
}

// The function "untaken" returns the position with the given rank, counted from 0, among the positions that are not in
// the list "taken".
func untaken(taken []uint64, rank uint64) uint64 {
	sorted := slices.Sorted(slices.Values(taken))
	// Count the free positions from 0 to p. The result is the first position p at which this count exceeds the argument
	// "rank".
	beyond := rank + uint64(len(taken))
	return rank + uint64(sort.Search(int(beyond-rank), func(d int) bool {
		p := rank + uint64(d)
		below := sort.Search(len(sorted), func(i int) bool { return sorted[i] > p })
		return p+1-uint64(below) > rank
	}))
}
