package semantics

import (
	"math"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// floatRows is a part of the table. It has the instructions that compute with float64 numbers. It also has other
// instructions that occur only in kernels with such numbers. In a Go program, MXCSR selects rounding to nearest. So the
// table describes this rounding.
var floatRows = []row{
	{"vmulpd", "v512,v512,v512 v512,v512,m512 v512{k}{z},v512,m512", "avx512f", "each word: DEST := SRC1 * SRC2 of float64 numbers", lanes2(FMul)},
	{"vaddpd", "v512,v512,v512 v512,v512,m512", "avx512f", "each word: DEST := SRC1 + SRC2 of float64 numbers", lanes2(FAdd)},
	{"vsubpd", "v512,v512,v512", "avx512f", "each word: DEST := SRC1 - SRC2 of float64 numbers", lanes2(FSub)},
	{"vmulpd", "v256,v256,v256 v256,v256,m256", "avx", "each word: DEST := SRC1 * SRC2 of float64 numbers", lanes2(FMul)},
	{"vaddpd", "v256,v256,v256 v256,v256,m256", "avx", "each word: DEST := SRC1 + SRC2 of float64 numbers", lanes2(FAdd)},
	{"vsubpd", "v256,v256,v256 v256,v256,m256", "avx", "each word: DEST := SRC1 - SRC2 of float64 numbers", lanes2(FSub)},
	{"vcvtsi2sd", "v128,v128,r64", "avx", "DEST[63:0] := SRC2 as a float64, DEST[127:64] := SRC1[127:64]", vcvtsi2sd},
	{"vbroadcastsd", "v256,v128", "avx2", "each word: DEST := SRC[63:0]", broadcast},
	{"vbroadcastsd", "v512,v128 v512,m64", "avx512f", "each word: DEST := SRC[63:0]", broadcast},
	{"vbroadcastsd", "v256,m64", "avx", "each word: DEST := SRC", broadcast},
	{"vmovapd", "v256,v256", "avx", "DEST := SRC; the rest of a register := 0", vmov},
	{"vmovupd", "v256,m256 m256,v256", "avx", "DEST := SRC; the rest of a register := 0", vmov},
	{"vmovsd", "v128,m64", "avx", "DEST[63:0] := SRC, the rest 0", vmovsd},
	{"vmovhpd", "v128,v128,m64", "avx", "DEST := SRC1[63:0] below SRC2", vmovhps},
	{"vinsertf128", "v256,v256,v128,i", "avx", "DEST := SRC1; the half of DEST that IMM[0] names := SRC2", insert},
	{"vmaskmovpd", "m256,v256,v256", "avx", "each word for which bit 63 of SRC1's word is 1: DEST := SRC2", vmaskmovpd},
	{"vmovapd", "v512,v512", "avx512f", "DEST := SRC", vmov},
	{"vmovupd", "m512,v512 m512{k},v512", "avx512f", "lane by lane under the mask: DEST := SRC", vmov},
	{"kxnorw", "k64,k64,k64", "avx512f", "DEST[15:0] := SRC1[15:0] XNOR SRC2[15:0], the rest 0", masks2(func(p *pool, a, b *term.Term) *term.Term { return p.BvNot(p.BvXor(a, b)) })},
}

// The function "float" returns an operation on float64 numbers. The solvers see this operation as an unknown function
// with the given name. They know only that equal operands give equal results. If the operands are constants, the
// function f computes the result. If one or both operands are NaN, the result is the first NaN operand, changed to a
// quiet NaN. If there is no such operand but the result is NaN, the processor returns the NaN with the sign bit set.
func float(name string, f func(a, b float64) float64) func(*pool, *term.Term, *term.Term) *term.Term {
	const quiet, none = 1 << 51, 0xfff8000000000000
	return func(p *pool, a, b *term.Term) *term.Term {
		if a.Op != term.Const || b.Op != term.Const {
			return p.Apply(name, 64, a, b)
		}
		x, y := math.Float64frombits(a.Value), math.Float64frombits(b.Value)
		r := f(x, y)
		switch {
		case x != x:
			return p.Value(64, a.Value|quiet)
		case y != y:
			return p.Value(64, b.Value|quiet)
		case r != r:
			return p.Value(64, none)
		}
		return p.Value(64, math.Float64bits(r))
	}
}

// For float64 numbers a and b, FAdd returns a+b, FSub returns a-b, and FMul returns a*b.
var (
	FAdd = float("fadd", func(a, b float64) float64 { return a + b })
	FSub = float("fsub", func(a, b float64) float64 { return a - b })
	FMul = float("fmul", func(a, b float64) float64 { return float64(a * b) })
)

// FInt converts a signed integer to a float64.
func FInt(p *term.Pool, a *term.Term) *term.Term {
	if a.Op == term.Const {
		return p.Value(64, math.Float64bits(float64(int64(a.Value))))
	}
	return p.Apply("fint", 64, a)
}

func vmovsd(m *Machine, in decode.Instruction) {
	m.put(in.Args[0].Reg, []*term.Term{m.get(in.Args[1], 64), m.Value(64, 0)})
}

// vmaskmovpd executes a store under a mask. The bits of the mask must be constants.
func vmaskmovpd(m *Machine, in decode.Instruction) {
	at, by := m.Address(in.Args[0]), m.words(in.Args[1])
	for i, w := range m.words(in.Args[2]) {
		switch c := m.Negative(by[i]); {
		case c.Is(1):
			m.Memory.Store(m, m.Add(at, m.Value(64, uint64(8*i))), []*term.Term{w})
		case !c.Is(0):
			Fail("bit 63 of word %d of the mask is not known", i)
		}
	}
}

func vcvtsi2sd(m *Machine, in decode.Instruction) {
	m.put(in.Args[0].Reg, []*term.Term{FInt(m.Pool, m.get(in.Args[2], 64)), m.V[in.Args[1].Reg][1]})
}
