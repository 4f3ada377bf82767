package symbolic

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/semantics"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// blockTwin restates BlockContainsPortable or BlockAddPortable of kernel/asm/block_portable.go for one key. The key has
// one position in each of the 8 parts of a block.
type blockTwin struct {
	adds bool
	bits int // the bits of a part, 32 or 64; the number of a bit is log bits of the key's second word
	log  int
}

var blockName = regexp.MustCompile(`^Block(Contains|Add)8x(32|64)One(AVX2|AVX512)$`)

// BlockFile returns the name of the assembly file that contains the kernel with the given name. ExecuteBlock has a
// reference implementation (twin) for some kernels. The second result says whether it has one for this kernel.
func BlockFile(name string) (file string, ok bool) {
	m := blockName.FindStringSubmatch(name)
	if m == nil {
		return "", false
	}
	return fmt.Sprintf("block_8x%s_%s_amd64.s", m[2], strings.ToLower(m[3])), true
}

func blockTwinOf(name string) blockTwin {
	m := blockName.FindStringSubmatch(name)
	t := blockTwin{m[1] == "Add", 32, 5}
	if m[2] == "64" {
		t.bits, t.log = 64, 6
	}
	return t
}

// The method "words" returns the number of 64-bit words in a block.
func (t blockTwin) words() int { return 8 * t.bits / 64 }

// The method "run" executes the twin. It returns the new words of the block and the twin's result. The result of a
// look-up is 1 if all bits of the key are set, and 0 if not. The result of an addition is the number of these bits that
// were clear.
func (t blockTwin) run(p *term.Pool, block []*term.Term, h1 *term.Term) (after []*term.Term, result *term.Term) {
	after = slices.Clone(block)
	one, all, fresh := p.Value(64, 1), p.Value(64, 1), p.Value(64, 0)
	for j := range 8 {
		w := j * t.bits / 64
		number := p.BvAnd(p.Lshr(h1, p.Value(64, uint64(t.log*j))), p.Value(64, uint64(t.bits-1)))
		number = p.Add(number, p.Value(64, uint64(j*t.bits%64)))
		bit := p.BvAnd(p.Lshr(after[w], number), one)
		all = p.BvAnd(all, bit)
		fresh = p.Add(fresh, p.BvXor(bit, one))
		if t.adds {
			after[w] = p.BvOr(after[w], p.Shl(one, number))
		}
	}
	if t.adds {
		return after, fresh
	}
	return after, all
}

// The type "block" represents the memory that a kernel for one key accesses. This memory has the kernel's arguments and
// the constants of the program. It also has the fields of the array and one block of the array. Let h0 be the first
// word of the hash, and let b be the number of blocks. Then the index of the block is the upper half of the product
// h0*b. This index is less than b, as verify/proof/smt proves for the function reduce.
type block struct {
	twin   blockTwin
	p      *term.Pool
	data   Data
	used   []Constant
	words  []*term.Term
	result *term.Term
}

// A word of the block begins at the address "at". The method "word" returns the index of this word in the block. The
// block must contain n words that begin with this word. Otherwise the method fails.
func (b *block) word(at *term.Term, n int) int {
	p := b.p
	l := term.Linearize(at)
	number := p.MulHi(p.Var("h0", 64), p.Var("blocks", 64))
	other := p.MulHi(p.Var("blocks", 64), p.Var("h0", 64))
	size := 8 * uint64(len(b.words))
	before := l.Const > size // also if it is before the block: the sums are modulo 2^64
	if len(l.Of) != 2 || l.Of[p.Var("words", 64)] != 1 || l.Of[number]+l.Of[other] != size || l.Const%8 != 0 || before || l.Const+8*uint64(n) > size {
		semantics.Fail("%d words at %s are not inside the key's block", n, at)
	}
	return int(l.Const / 8)
}

// Load returns the value at an address; the argument "width" is the number of its bits. The value can be an argument, a
// field of the array, a constant, or words of the block.
func (b *block) Load(m *semantics.Machine, at *term.Term, width int) []*term.Term {
	p := b.p
	if at.Op == term.Const {
		raw, err := b.data(at.Value, width/8)
		if err != nil {
			semantics.Fail("%v", err)
		}
		b.used = append(b.used, Constant{at.Value, len(raw)})
		lane := min(width, 64)
		var out []*term.Term
		for i := 0; i < width; i += lane {
			v := uint64(0)
			for k := range lane / 8 {
				v |= uint64(raw[i/8+k]) << (8 * k)
			}
			out = append(out, m.Value(lane, v))
		}
		return out
	}
	for from, names := range map[*term.Term]map[uint64]string{
		p.Var("gp4", 64): {8: "array", 16: "h0", 24: "h1"}, p.Var("array", 64): {0: "words", 8: "blocks"},
	} {
		d := term.Linearize(at).Minus(term.Linearize(from))
		if name := names[d.Const]; len(d.Of) == 0 && name != "" && width == 64 {
			return []*term.Term{p.Var(name, 64)}
		}
	}
	if width%64 != 0 {
		semantics.Fail("a load of %d bits at %s", width, at)
	}
	w := b.word(at, width/64)
	return slices.Clone(b.words[w : w+width/64])
}

// Store stores the result of the kernel, or words of the block.
func (b *block) Store(_ *semantics.Machine, at *term.Term, lanes []*term.Term) {
	d := term.Linearize(at).Minus(term.Linearize(b.p.Var("gp4", 64)))
	width := 8 // the width of a truth value
	if b.twin.adds {
		width = 64
	}
	switch {
	case len(d.Of) == 0 && d.Const == 32 && len(lanes) == 1 && lanes[0].Width == width:
		b.result = lanes[0]
	case len(d.Of) > 0 && b.twin.adds && lanes[0].Width == 64:
		copy(b.words[b.word(at, len(lanes)):], lanes)
	default:
		semantics.Fail("a store at %s", at)
	}
}

// ExecuteBlock returns the claims that must be proved about the kernel with the given name. This kernel must process
// one key and have no jumps.
func ExecuteBlock(name string, code []decode.Instruction, data Data) (proof Proof, err error) {
	if err := frameless(code); err != nil {
		return proof, err
	}
	p := term.NewPool()
	b := &block{twin: blockTwinOf(name), p: p, data: data}
	for i := range b.twin.words() {
		b.words = append(b.words, p.Var(fmt.Sprintf("word%d", i), 64))
	}
	before := slices.Clone(b.words)
	m := semantics.Machine{Pool: p, Memory: b}
	for i := range m.GP {
		m.GP[i] = p.Var(fmt.Sprintf("gp%d", i), 64)
	}
	for i := range m.V {
		for l := range m.V[i] {
			m.V[i][l] = p.Var(fmt.Sprintf("v%d_%d", i, l), 64)
		}
	}
	for i := range m.K {
		m.K[i] = p.Var(fmt.Sprintf("k%d", i), 64)
	}
	for i, in := range code {
		if i == len(code)-1 && in.Name == "ret" {
			break
		}
		if in.Name[0] == 'j' || in.Name == "ret" || i == len(code)-1 {
			return proof, fmt.Errorf("%#x: %s: a jump, or a return that is not the end", in.Address, in.Text)
		}
		if x, ok := semantics.Lookup(in.Form()); ok && x.Feature != "" && !slices.Contains(proof.Features, x.Feature) {
			proof.Features = append(proof.Features, x.Feature)
		}
		if err := m.Step(in); err != nil {
			return proof, fmt.Errorf("%#x: %s: %w", in.Address, in.Text, err)
		}
	}
	slices.Sort(proof.Features)
	if b.result == nil || m.Upper {
		return proof, fmt.Errorf("no result is stored, or upper halves of vectors may be set at the return")
	}
	claim := func(what string, c *term.Term) {
		proof.Obligations = append(proof.Obligations, Obligation{what, nil, c, true, ""})
	}
	after, result := b.twin.run(p, before, p.Var("h1", 64))
	for i := range after {
		claim(fmt.Sprintf("word %d of the block", i), p.Eq(b.words[i], after[i]))
	}
	claim("the result is the twin's", p.Eq(p.Zext(b.result, 64), result))
	claim("the stack pointer is the caller's", p.Eq(m.GP[4], p.Var("gp4", 64)))
	claim("the frame pointer is the caller's", p.Eq(m.GP[5], p.Var("gp5", 64)))
	proof.Paths, proof.Constants = 1, b.used
	return proof, nil
}
