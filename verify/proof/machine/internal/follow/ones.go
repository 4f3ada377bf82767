package follow

import (
	"cmp"
	"slices"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/arm64"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// In the kernels, the instruction UADDLV adds up the popcounts of bytes. In mutants, ADDV does. The function sumBytes replaces this result by
// a sum with one popcount for each word. It makes two claims that justify this. The first claim is that no byte has
// more than 8 ones. So the sums in 8 and in 16 bits do not overflow. The second claim is that the popcount of a word is
// the sum of the popcounts of its bytes.
func (x *path) sumBytes(in arm64.Instruction) {
	p := x.e.pool
	dst := &x.m.V[in.Args[0].Reg][0]
	if (*dst).Op != term.Zext {
		return
	}
	lanes := terms((*dst).Args[0])
	if (*dst).Args[0].Width == 8 { // a mutant adds up all counts in 8 bits
		lanes = []*term.Term{*dst}
	}
	counts := map[*term.Term]*[8]int{} // for each word, how often the ones of each byte occur
	most := 0
	for _, l := range lanes {
		if l.Op != term.Zext || l.Args[0].Width != 8 {
			return
		}
		parts := terms(l.Args[0])
		most = max(most, len(parts))
		for _, b := range parts {
			if b.Op != term.Ones || b.Args[0].Op != term.Extract || b.Args[0].Lo%8 != 0 || b.Args[0].Args[0].Width != 64 {
				return
			}
			w := b.Args[0].Args[0]
			if counts[w] == nil {
				counts[w] = new([8]int)
			}
			counts[w][b.Args[0].Lo/8]++
		}
	}
	if most > 31 || len(lanes) > 16 {
		return
	}
	var of []*term.Term
	for w, c := range counts {
		for _, n := range c {
			if n != c[0] {
				return
			}
		}
		of = append(of, w)
	}
	slices.SortFunc(of, func(a, b *term.Term) int { return cmp.Compare(p.Born(a), p.Born(b)) })
	sum := p.Value(64, 0)
	for _, w := range of {
		sum = p.Add(sum, p.Mul(p.Value(64, uint64(counts[w][0])), p.Ones(w)))
	}
	x.lemmas(most, len(lanes))
	*dst = sum
}

// The function "terms" returns the summands of t, or t itself if it is not a sum.
func terms(t *term.Term) []*term.Term {
	if t.Op == term.Add {
		return append(terms(t.Args[0]), terms(t.Args[1])...)
	}
	return []*term.Term{t}
}

// After an instruction EOR, a lane of a vector may have the form a ^ a&b or b ^ (a|b). The function andNot replaces
// both forms by a &^ b, which is the form in the twins. It claims that the old form and the new form are equal.
func (x *path) andNot(in arm64.Instruction) {
	if form := in.Form(); form != "eor v16x8,v16x8,v16x8" && form != "eor v8x8,v8x8,v8x8" {
		return
	}
	p := x.e.pool
	without := func(a, b *term.Term) *term.Term { return p.BvAnd(a, p.BvNot(b)) }
	a, b := p.Var("word", 64), p.Var("word2", 64)
	for i, t := range x.m.V[in.Args[0].Reg] {
		if t.Op != term.BvXor {
			continue
		}
		for _, o := range [2][2]*term.Term{{t.Args[0], t.Args[1]}, {t.Args[1], t.Args[0]}} {
			u, v := o[0], o[1]
			if v.Op != term.BvAnd && v.Op != term.BvOr || v.Args[0] != u && v.Args[1] != u {
				continue
			}
			other := v.Args[0]
			if other == u {
				other = v.Args[1]
			}
			if v.Op == term.BvAnd {
				x.claim("a ^ a&b is a &^ b", nil, p.Eq(p.BvXor(a, p.BvAnd(a, b)), without(a, b)), true)
				x.m.V[in.Args[0].Reg][i] = without(u, other)
			} else {
				x.claim("b ^ (a|b) is a &^ b", nil, p.Eq(p.BvXor(b, p.BvOr(a, b)), without(a, b)), true)
				x.m.V[in.Args[0].Reg][i] = without(other, u)
			}
			break
		}
	}
}

// The method "lemmas" adds a claim. By this claim, the numbers of ones in the bytes add up to the number of ones in the
// words. The kernel first adds these numbers in lanes of 8 bits, at most atOnce numbers at a time. It then adds the
// results in lanes of 16 bits.
func (x *path) lemmas(atOnce, lanes int) {
	p := x.e.pool
	each := func(t *term.Term) *term.Term { // the sum of the bits of a byte
		s := p.Value(64, 0)
		for _, b := range p.Split(t, 1) {
			s = p.Add(s, p.Zext(b, 64))
		}
		return s
	}
	b, w := p.Var("byte", 8), p.Var("word", 64)
	x.claim("a byte has at most 8 ones", nil, p.Ule(p.Ones(b), p.Value(8, 8)), true)
	x.claim("the ones of a byte are the sum of its bits", nil, p.Eq(p.Zext(p.Ones(b), 64), each(b)), true)
	all := p.Value(64, 0)
	for _, b := range p.Split(w, 8) {
		all = p.Add(all, each(b))
	}
	x.claim("the ones of a word are the sum of the bits of its bytes", nil, p.Eq(p.Ones(w), all), true)
	sums := func(name string, n, width, wide int, most uint64) {
		var given []*term.Term
		narrow, sum := p.Value(wide, 0), p.Value(64, 0)
		for i := range n {
			c := p.Var(name+string(rune('a'+i)), width)
			given = append(given, p.Ule(c, p.Value(width, most)))
			narrow, sum = p.Add(narrow, p.Zext(c, wide)), p.Add(sum, p.Zext(c, 64))
		}
		x.claim(name+"s do not overflow", given, p.And(p.Eq(p.Zext(narrow, 64), sum), p.Ule(sum, p.Value(64, uint64(n)*most))), false)
	}
	sums("count", atOnce, 8, 8, 8)
	sums("total", lanes, 8, 16, uint64(8*atOnce))
}
