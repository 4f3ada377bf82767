package symbolic

import (
	"math"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// hashTwin returns the twin of a kernel whose name begins with HashWords. It restates the function HashWordsPortable of
// kernel/asm/hash_portable.go. The twin computes the product of two words from the products of their halves, as package
// math/bits does.
func hashTwin(kernel string) (Twin, bool) {
	if !strings.HasPrefix(kernel, "HashWords") {
		return Twin{}, false
	}
	return Twin{Name: kernel, Slices: 2, Stores: true, per: []uint64{2, 1}, words: []string{"seed"},
		names: func(p *term.Pool) map[string]*term.Term {
			seed := p.Var("seed", 64)
			return map[string]*term.Term{"seed": seed, "flip": flip(p, seed)}
		},
		step: func(p *term.Pool, load loader, memory, i *term.Term) *term.Term {
			key := load(memory, address(p, p.Var(base(1), 64), i))
			lo, hi := hash(p, p.BvXor(key, flip(p, p.Var("seed", 64))))
			two := p.Mul(p.Value(64, 2), i)
			memory = store(p, memory, address(p, p.Var(base(0), 64), two), lo)
			return store(p, memory, address(p, p.Var(base(0), 64), p.Add(two, p.Value(64, 1))), hi)
		},
	}, true
}

// The function "flip" returns what the function HashFlip of package kernel/asm returns for the seed.
func flip(p *term.Pool, seed *term.Term) *term.Term {
	const words = 0xdb979083e96dd4de ^ 0x1f67b3b7a4a44072
	b := p.Split(p.Extract(seed, 0, 32), 8)
	turned := p.Zext(p.Join(b[3], b[2], b[1], b[0]), 64)
	return p.Add(p.BvXor(seed, p.Shl(turned, p.Value(64, 32))), p.Value(64, words))
}

// The function "hash" returns what the function HashFlipped of package kernel/asm returns for the key.
func hash(p *term.Pool, key *term.Term) (lo, hi *term.Term) {
	const prime = 0x9e3779b185ebca87 + 8<<2
	value := func(v uint64) *term.Term { return p.Value(64, v) }
	upper := func(t *term.Term) *term.Term { return p.Lshr(t, value(32)) }
	lower := func(t *term.Term) *term.Term { return p.BvAnd(t, value(math.MaxUint32)) }
	mixed := func(t *term.Term, k uint64) *term.Term { return p.BvXor(t, p.Lshr(t, value(k))) }
	x0, x1, y0, y1 := lower(key), upper(key), value(prime&math.MaxUint32), value(prime>>32)
	w0 := p.Mul(x0, y0)
	t := p.Add(p.Mul(x1, y0), upper(w0))
	w1 := p.Add(lower(t), p.Mul(x0, y1))
	hi = p.Sum(64, p.Mul(x1, y1), upper(t), upper(w1))
	lo = p.Mul(key, value(prime))

	hi = p.Add(hi, p.Shl(lo, value(1)))
	lo = p.BvXor(lo, p.Lshr(hi, value(3)))
	lo = p.Mul(mixed(lo, 35), value(0x9fb21c651e98df25))
	hi = p.Mul(mixed(hi, 37), value(0x165667919e3779f9))
	return mixed(lo, 28), mixed(hi, 32)
}
