package follow

import (
	"fmt"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/arm64"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// In a look-up in a block the kernel has the bit at each position as the highest bit of a lane, and SMAXV looks at all
// lanes. The twin has that bit as the lowest bit of a word, and ANDs the words. The claim that both give the same
// answer is split in two. First, the highest bit of each lane is the lowest bit of one of the words; trial values show
// which one. Second, the answers computed from lanes and words agree, whatever these bits and the other bits are.

// look records the lanes that SMAXV looks at.
func (x *path) look(in arm64.Instruction) {
	v := in.Args[1]
	for _, w := range x.m.V[v.Reg] {
		x.lanes = append(x.lanes, x.m.Split(w, v.Width)...)
	}
}

// cut returns a claim split into parts, or unchanged if it cannot be split.
func (x *path) cut(claim *term.Term, words []*term.Term) []*term.Term {
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
		return []*term.Term{claim}
	}
	walk(claim)
	bit := map[*term.Term]*term.Term{} // of a lane or a word
	rest := map[*term.Term]*term.Term{}
	var parts []*term.Term
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
			if bit[w] == nil {
				bit[w], rest[w] = b, p.Concat(p.Var(fmt.Sprintf("above%d", j), 63), b)
			}
			b = bit[w]
			rest[l] = p.Concat(b, p.Var(fmt.Sprintf("below%d", i), l.Width-1))
			parts = append(parts, p.Eq(high, low))
			break
		}
	}
	if len(parts) == 0 {
		return []*term.Term{claim}
	}
	return append(parts, p.Rewrite(claim, func(t *term.Term) *term.Term { return rest[t] }))
}

// free returns a claim a = b without what is given: for all values of what a and b depend on. It does so only if that
// claim seems to hold. The text of such a claim is the same wherever it is made, so the solvers have less to do, and do
// it once.
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
	// With the functions replaced it may no longer hold.
	if out.Op != term.Eq || !alike(out.Args[0], out.Args[1]) {
		return claim, false
	}
	return out, true
}

// alike reports whether a and b have equal values for many trial inputs.
func alike(a, b *term.Term) bool {
	for seed := range uint64(40) {
		leaf := func(t *term.Term, args []uint64) uint64 {
			v := mixed(seed + uint64(t.Width)<<32)
			for _, c := range t.Name {
				v = mixed(v ^ uint64(c))
			}
			for _, a := range args {
				v = mixed(v ^ a)
			}
			switch v = mixed(v); v % 8 { // so that all are not alike for want of a value that tells
			case 0, 1:
				return v % 2
			case 2:
				return v >> 8 & 63
			case 3:
				return ^uint64(0)
			}
			return v
		}
		if term.Eval(a, leaf) != term.Eval(b, leaf) {
			return false
		}
	}
	return true
}

// mixed is the finaliser of SplitMix64, of the next state.
func mixed(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
