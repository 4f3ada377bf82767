package follow

import (
	"fmt"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/arm64"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// In a look-up in a block, the kernel moves the bit at each position to the highest bit of a lane. Then the instruction
// SMAXV combines all lanes. The twin moves this bit to the lowest bit of a word, and ANDs the words. The claim that the
// kernel and the twin have the same answer is split in two. By the first claim, the highest bit of each lane equals the
// lowest bit of some word. To find this word, the prover evaluates the terms for trial values of the variables. The
// second claim compares two answers. One is computed from the lanes, and the other is computed from the words. Suppose
// that the bits of the first claim are equal. Then the second claim says that the answers are equal for all values of
// the other bits.

// The instruction SMAXV combines the lanes of a vector. The method "look" appends these lanes to a list.
func (x *path) look(in arm64.Instruction) {
	v := in.Args[1]
	for _, w := range x.m.V[v.Reg] {
		x.lanes = append(x.lanes, x.m.Split(w, v.Width)...)
	}
}

// The method "cut" splits a claim into several claims. Each of these is a part. The twin combines several words by
// bitwise AND. If a part is about one of these words, the field "word" is the index of this word. Otherwise the field
// "word" is -1.
type part struct {
	claim *term.Term
	word  int
}

// The method "cut" splits a claim and returns the parts. If it cannot split the claim, it returns the claim alone. The
// argument "words" is the list of words that the twin combines by AND.
func (x *path) cut(claim *term.Term, words []*term.Term) []part {
	p := x.e.pool
	inside := map[*term.Term]bool{}
	var walk func(t *term.Term)
	walk = func(t *term.Term) {
		if t == nil || inside[t] {
			return
		}
		inside[t] = true
		for _, a := range t.Args {
			walk(a)
		}
	}
	if len(words) == 0 || len(x.lanes) == 0 {
		return []part{{claim, -1}}
	}
	walk(claim)
	rest := map[*term.Term]*term.Term{} // for a lane or a word, its deciding bit with other bits that are arbitrary
	var parts []part
	for i, l := range x.lanes {
		if !inside[l] || l.Op == term.Const {
			continue
		}
		high := p.Extract(l, l.Width-1, 1)
		for j, w := range words {
			low := p.Extract(w, 0, 1)
			if !inside[w] || !alike(high, low) {
				continue
			}
			b := p.Var(fmt.Sprintf("bit%d", j), 1)
			if w.Op == term.Const {
				b = low
			} else {
				rest[w] = p.Concat(p.Var(fmt.Sprintf("above%d", j), 63), b)
			}
			rest[l] = p.Concat(b, p.Var(fmt.Sprintf("below%d", i), l.Width-1))
			parts = append(parts, part{p.Eq(high, low), j})
			break
		}
	}
	if len(parts) == 0 {
		return []part{{claim, -1}}
	}
	return append(parts, part{p.Rewrite(claim, func(t *term.Term) *term.Term { return rest[t] }), -1})
}

// The method "cases" returns claims from which the given claim follows. The word x of the hash stream gives seven
// positions. The claim is about position j. A position has 9 bits. The upper 6 bits say in which byte of the block the
// position lies. There is a claim for each value of these 6 bits. The result does not contain claims that simplify to
// the constant "true".
func (x *path) cases(claim, word *term.Term, j int) (out []*term.Term) {
	for v := range uint64(64) {
		if c := x.e.pool.Known(claim, word, 9*j+3, 6, v); !c.Is(1) {
			out = append(out, c)
		}
	}
	return out
}

// If the claim is an equation a = b, "free" returns a stronger claim. The stronger claim does not assume the given
// conditions. In it, each function value and each variable in a and b is replaced by a new variable. If trial values
// refute the stronger claim, the method returns the claim unchanged. The second result is then false. The solvers need
// less time for the stronger claim. Its text is the same at all places of the code, so the solvers decide it only once.
func (x *path) free(claim *term.Term) (*term.Term, bool) {
	if claim.Op != term.Eq || claim.Args[0].Width < 1 || !alike(claim.Args[0], claim.Args[1]) {
		return claim, false
	}
	p := x.e.pool
	n := 0
	out := p.Rewrite(claim, func(t *term.Term) *term.Term {
		if t.Op != term.Var && t.Op != term.Apply {
			return nil
		}
		n++
		return p.Var(fmt.Sprintf("any%d", n), t.Width)
	})
	// After this replacement the claim may be false although it was true before.
	if out.Op != term.Eq || !alike(out.Args[0], out.Args[1]) {
		return claim, false
	}
	return out, true
}

// The function "alike" evaluates the terms a and b 40 times. Each time, the variables and functions in a and b have new
// random values. The result is true if a and b are equal each time.
func alike(a, b *term.Term) bool {
	as, bs := term.ListOf(a), term.ListOf(b)
	for seed := range uint64(40) {
		leaf := func(t *term.Term, args []uint64) uint64 {
			v := mixed(seed + uint64(t.Width)<<32)
			for _, c := range t.Name {
				v = mixed(v ^ uint64(c))
			}
			for _, a := range args {
				v = mixed(v ^ a)
			}
			switch v = mixed(v); v % 8 { // include extreme values, which can show a difference
			case 0, 1:
				return v % 2
			case 2:
				return v >> 8 & 63
			case 3:
				return ^uint64(0)
			}
			return v
		}
		if as.Eval(leaf) != bs.Eval(leaf) {
			return false
		}
	}
	return true
}

// The function "mixed" returns the next output of the generator SplitMix64 whose state is z.
func mixed(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
