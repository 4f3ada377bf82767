package symbolic

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/semantics"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// Vector kernels add up the numbers of ones in one of three ways. For each of these ways, the solvers get claims that
// they can decide:
//
//   - By bytes, from vpsrlw (the high nibbles) to vpsadbw (the sum of bytes). Lanes get names at vpsrlw. At vpsadbw
//     each byte is a sum of parts, and a part depends on only one lane. Such a part is claimed to be the number of ones
//     in that byte of the lane, whatever the lane contains.
//   - By columns, if carry-save adders keep a weighted sum of the numbers of ones. A word that is computed only by and,
//     or, xor and not treats all 64 bits in the same way, so the claim is made for one bit.
//   - By prefixes, if an instruction returns the number of ones in a word, and words at several places are read one
//     after the other. The number of ones in word j is P(j+1) - P(j), where P is an arbitrary function with P(0) = 0.
//
// In the rest of the proof, package term adds and cancels sums modulo 2^64.

// The method "step" executes an instruction that is neither a jump nor a return.
func (x *path) step(in decode.Instruction) error {
	if in.Name == "vpsrlw" || in.Name == "vpsraw" { // the second only in mutants
		x.name(in.Args[1])
	}
	x.m.Memory = x
	if err := x.m.Step(in); err != nil {
		return err
	}
	if in.Name == "vpsadbw" {
		x.sumBytes(in.Args[0])
	}
	return nil
}

// The method "name" replaces the lanes of the register a by new variables. A claim with such variables must hold for
// all values of these variables.
func (x *path) name(a decode.Operand) {
	e := x.e
	for l := range a.Width / 64 {
		t := x.m.V[a.Reg][l]
		if _, named := e.named[t]; named || t.Op == term.Const {
			continue
		}
		n := e.pool.Var(fmt.Sprintf("lane%d", len(e.named)), 64)
		e.named[n] = t
		x.m.V[a.Reg][l] = n
	}
}

// The method "name" writes variables instead of the lanes of a register. The method sumBytes handles a sum of bytes
// that depend only on such variables. It replaces this sum by a sum of popcounts.
func (x *path) sumBytes(dst decode.Operand) {
	p, e := x.e.pool, x.e
	for l := range dst.Width / 64 {
		sum := x.m.V[dst.Reg][l]
		var parts []*term.Term // the lowest byte is last
		for t := sum; ; t = t.Args[0] {
			if t.Op != term.Add {
				parts = append(parts, t)
				break
			}
			parts = append(parts, t.Args[1])
		}
		leaves := term.Leaves(sum)
		if len(parts) != 8 || len(leaves) == 0 ||
			slices.ContainsFunc(parts, func(t *term.Term) bool { return t.Op != term.Zext || t.Args[0].Width != 8 }) ||
			slices.ContainsFunc(leaves, func(t *term.Term) bool { return e.named[t] == nil }) {
			continue // this sum is then not a sum of numbers of ones
		}
		word := p.Var("word", 64)
		apart := true
		for i, t := range parts {
			low := 8 * (7 - i)
			sums := ofWords(p, t.Args[0])
			apart = apart && len(sums) == len(leaves)
			for k, leaf := range leaves {
				if sums[leaf] == nil {
					apart = false
					continue
				}
				is := p.Rewrite(sums[leaf], func(t *term.Term) *term.Term { return map[*term.Term]*term.Term{leaf: word}[t] })
				x.claimBits(fmt.Sprintf("in lane %d, bits %d to %d have the ones of word %d of %d", l, low, low+7, k, len(leaves)),
					p.Eq(is, p.Ones(p.Extract(word, low, 8))))
			}
		}
		if !apart {
			continue
		}
		x.bytesOfWords(len(leaves))
		ones := p.Value(64, 0)
		for _, t := range leaves {
			ones = p.Add(ones, p.Ones(e.named[t]))
		}
		x.m.V[dst.Reg][l] = ones
	}
}

// Each byte of a sum depends on one word. The function ofWords groups the bytes by these words, and returns one sum for
// each word. If a byte depends on several words or on none, the result is nil.
func ofWords(p *term.Pool, sum *term.Term) map[*term.Term]*term.Term {
	out := map[*term.Term]*term.Term{}
	var walk func(t *term.Term) bool
	walk = func(t *term.Term) bool {
		if t.Op == term.Add {
			return walk(t.Args[0]) && walk(t.Args[1])
		}
		on := term.Leaves(t)
		if len(on) != 1 {
			return false
		}
		if out[on[0]] == nil {
			out[on[0]] = p.Value(t.Width, 0)
		}
		out[on[0]] = p.Add(out[on[0]], t)
		return true
	}
	if !walk(sum) {
		return nil
	}
	return out
}

// bytesOfWords makes two claims. Together they prove that the popcounts of bytes add up to the popcounts of words. A
// kernel adds the popcounts of corresponding bytes of several words. The first claim is that no byte has more than 8
// ones. So such a sum does not overflow. The second claim is that the ones in the bytes of a word add up to the ones in
// the word.
func (x *path) bytesOfWords(words int) {
	p := x.e.pool
	wide := func(t *term.Term) *term.Term { return p.Zext(t, 64) }
	each := func(t *term.Term) *term.Term { // the sum of the bits of a byte
		s := p.Value(64, 0)
		for _, b := range p.Split(t, 1) {
			s = p.Add(s, wide(b))
		}
		return s
	}
	b, w := p.Var("byte", 8), p.Var("word", 64)
	x.claimBits("a byte has at most 8 ones", p.Ule(p.Ones(b), p.Value(8, 8)))
	x.claimBits("the ones of a byte are the sum of its bits", p.Eq(wide(p.Ones(b)), each(b)))
	all := p.Value(64, 0)
	for _, b := range p.Split(w, 8) {
		all = p.Add(all, each(b))
	}
	x.claimBits("the ones of a word are the sum of the bits of its bytes", p.Eq(p.Ones(w), all))
	var given []*term.Term
	narrow, sum := p.Value(8, 0), p.Value(64, 0)
	for i := range words {
		c := p.Var(fmt.Sprintf("count%d", i), 8)
		given = append(given, p.Ule(c, p.Value(8, 8)))
		narrow, sum = p.Add(narrow, c), p.Add(sum, wide(c))
	}
	x.lemma("the ones of bytes at one place do not overflow", given, p.Eq(wide(narrow), sum), false)
}

func (x *path) claimBits(what string, c *term.Term) { x.lemma(what, nil, c, true) }

// The method "lemma" adds the obligation that c follows from the given conditions alone.
func (x *path) lemma(what string, given []*term.Term, c *term.Term, bitwise bool) {
	e := x.e
	var canonical []*term.Term
	for _, g := range given {
		canonical = append(canonical, e.pool.Canonical(g))
	}
	e.proof.Obligations = append(e.proof.Obligations,
		Obligation{fmt.Sprintf("from %s at %#x: %s", e.name(e.from), x.at, what), canonical, e.pool.Canonical(c), bitwise, ""})
}

// The method "about" returns some of the path's conditions. These conditions contain no variables except the
// variables of the claim c.
func (x *path) about(c *term.Term) []*term.Term {
	of := term.Leaves(c)
	return slices.DeleteFunc(slices.Clone(x.given), func(g *term.Term) bool {
		return slices.ContainsFunc(term.Leaves(g), func(t *term.Term) bool { return !slices.Contains(of, t) })
	})
}

// The method "solved" returns t with some terms replaced by sums. Some of the path's conditions are equations. By
// these equations, each sum is equal to the term that it replaces.
func (x *path) solved(t *term.Term) *term.Term {
	p := x.e.pool
	for _, g := range x.given {
		if g.Op != term.Eq || g.Args[0].Width != 64 {
			continue
		}
		l := term.Linearize(p.Canonical(g.Args[0])).Minus(term.Linearize(p.Canonical(g.Args[1])))
		var key *term.Term
		for k, f := range l.Of {
			if (f == 1 || f == ^uint64(0)) && (key == nil || p.Born(k) > p.Born(key)) {
				key = k
			}
		}
		if key == nil {
			continue
		}
		is := p.Linear(l)
		if l.Of[key] == 1 {
			is = p.Sub(key, is)
		} else {
			is = p.Add(key, is)
		}
		is = p.Canonical(is)
		t = p.Canonical(p.Rewrite(p.Canonical(t), func(t *term.Term) *term.Term {
			if t == key {
				return is
			}
			return nil
		}))
	}
	return t
}

// The method "equal" adds the claim that the 64-bit words a and b are equal. If a and b are sums of popcounts in
// different forms, the method "columns" makes this claim.
func (x *path) equal(what string, a, b *term.Term) error {
	p, e := x.e.pool, x.e
	if !e.inv.vectors() {
		x.claim(what, p.Eq(a, b))
		return nil
	}
	value := func(t *term.Term) term.Linear {
		return term.Linearize(p.Rewrite(t, func(t *term.Term) *term.Term { return e.named[t] }))
	}
	l := value(a).Minus(value(b))
	if e.prefix {
		l = term.Linearize(x.solved(p.Linear(e.twin.prefixes(p, e.memory, l))))
	}
	var ones []*term.Term
	for t := range l.Of {
		if t.Op == term.Ones {
			ones = append(ones, t)
		}
	}
	switch {
	case len(ones) == 0:
		x.claim(what, p.Eq(p.Linear(l), p.Value(64, 0)))
		return nil
	case len(ones) < len(l.Of) || l.Const != 0:
		return fmt.Errorf("from %s at %#x: %s: more than ones differ", e.name(e.from), x.at, what)
	}
	slices.SortFunc(ones, func(a, b *term.Term) int { return cmp.Compare(p.Born(a), p.Born(b)) })
	return x.columns(what, ones, l.Of)
}

// Consider a sum in which each term is the popcount of a word, times a factor. The method "columns" adds claims that
// together imply that this sum is 0. The claims say more: a similar sum is 0 for each bit position. In the sum for
// position p, each term is bit p of a word, times the factor of that word. If two groups of words have no common part,
// there are separate claims for each group.
func (x *path) columns(what string, ones []*term.Term, factor map[*term.Term]uint64) error {
	p, e := x.e.pool, x.e
	// The map "opaque" has the words that need not be expanded into their parts. These words belong to terms with a
	// negative factor. Some are words of the twin, and the others are words from earlier steps.
	opaque := map[*term.Term]bool{}
	for _, t := range ones {
		opaque[t.Args[0]] = int64(factor[t]) < 0
	}
	var of func(t *term.Term, seen map[*term.Term]bool, leaf func(*term.Term))
	of = func(t *term.Term, seen map[*term.Term]bool, leaf func(*term.Term)) {
		if seen[t] {
			return
		}
		seen[t] = true
		switch {
		case opaque[t] || !bitwise(t):
			leaf(t)
		default:
			for _, a := range t.Args {
				if a != nil {
					of(a, seen, leaf)
				}
			}
		}
	}
	group := map[*term.Term]int{} // for each leaf, the index of its group of words
	var groups [][]*term.Term
	for _, t := range ones {
		joined := []*term.Term{t}
		at := len(groups)
		groups = append(groups, nil)
		of(t.Args[0], map[*term.Term]bool{}, func(leaf *term.Term) {
			if g, ok := group[leaf]; ok && g != at {
				joined = append(joined, groups[g]...)
				groups[g] = nil
				for k, v := range group {
					if v == g {
						group[k] = at
					}
				}
			}
			group[leaf] = at
		})
		groups[at] = joined
	}
	for _, g := range groups {
		if len(g) == 0 {
			continue
		}
		slices.SortFunc(g, func(a, b *term.Term) int { return cmp.Compare(p.Born(a), p.Born(b)) })
		size := uint64(0)
		for _, t := range g {
			k := int64(factor[t])
			if k > 1<<16 || k < -1<<16 {
				return fmt.Errorf("from %s at %#x: %s: ones %d times", e.name(e.from), x.at, what, k)
			}
			size += uint64(max(k, -k))
		}
		width := bits.Len64(size) + 1 // enough bits for every such sum
		bit := map[*term.Term]*term.Term{}
		leaves := 0
		var column func(t *term.Term) *term.Term
		column = func(t *term.Term) *term.Term {
			if c, ok := bit[t]; ok {
				return c
			}
			var c *term.Term
			switch {
			case opaque[t] || !bitwise(t):
				c = p.Var(fmt.Sprintf("bit%d", leaves), 1)
				leaves++
			case t.Op == term.Const:
				c = p.Value(1, t.Value&1)
			case t.Op == term.BvNot:
				c = p.BvNot(column(t.Args[0]))
			case t.Op == term.BvAnd:
				c = p.BvAnd(column(t.Args[0]), column(t.Args[1]))
			case t.Op == term.BvOr:
				c = p.BvOr(column(t.Args[0]), column(t.Args[1]))
			default:
				c = p.BvXor(column(t.Args[0]), column(t.Args[1]))
			}
			bit[t] = c
			return c
		}
		sum := p.Value(width, 0)
		for _, t := range g {
			sum = p.Add(sum, p.Mul(p.Value(width, factor[t]), p.Zext(column(t.Args[0]), width)))
		}
		x.claimBits(what+": the bits at one place", p.Eq(sum, p.Value(width, 0)))
	}
	return nil
}

// The function "bitwise" reports whether t is an operation on single bits. Bit i of the result then depends only on bit
// i of each argument. It is the same function of these bits for all i.
func bitwise(t *term.Term) bool {
	switch t.Op {
	case term.Const:
		return t.Value == 0 || t.Value == term.Mask(t.Width)
	case term.BvNot, term.BvAnd, term.BvOr, term.BvXor:
		return true
	}
	return false
}

// The method "constant" returns the words at the given address in the program's read-only data. The argument
// "bits" is their total number of bits.
func (x *path) constant(at uint64, bits int) []*term.Term {
	b, err := x.e.data(at, bits/8)
	if err != nil {
		semantics.Fail("%v", err)
	}
	x.e.proof.Constants = append(x.e.proof.Constants, Constant{at, len(b)})
	out := make([]*term.Term, bits/64)
	for i := range out {
		v := uint64(0)
		for k := range 8 {
			v |= uint64(b[8*i+k]) << (8 * k)
		}
		out[i] = x.m.Value(64, v)
	}
	return out
}
