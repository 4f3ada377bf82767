package semantics

import (
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// frameRows is a part of the table. Its instruction forms occur only in kernels that keep many values in the stack
// frame.
var frameRows = []row{
	{"sub", "m64,i m64,r64 r64,m64", "", "DEST := DEST - SRC", sub},
	{"cmp", "m64,r64", "", "temp := SRC1 - SRC2; the flags as SUB", sub},
	{"inc", "m64", "", "DEST := DEST + 1; CF stays", inc},
	{"dec", "m64", "", "DEST := DEST - 1; CF stays", dec},
	{"div", "m64", "", "RAX := RDX:RAX / SRC, RDX := the remainder; here only with RDX = 0; all flags undefined", div},
	{"cmovl", "r64,m64", "", "temp := SRC; IF SF <> OF THEN DEST := temp", cmov},
	{"shrx", "r64,m64,r64", "bmi2", "DEST := SRC1 / 2 without sign as often as SRC2 AND 3FH says; no flags", shiftx((*pool).Lshr)},
	{"vmovdqa", "v256,m256 m256,v256 m128,v128", "avx", "DEST := SRC; a place that is no multiple of its size faults", vmovAligned},
	{"vmovdqa64", "v512,m512", "avx512f", "DEST := SRC; a place that is no multiple of 64 faults", vmovAligned},
	{"vpaddq", "v256,v256,m256", "avx2", "each word: DEST := SRC1 + SRC2", lanes2((*pool).Add)},
	{"vpmuludq", "v256,v256,m256", "avx2", "each word: DEST := SRC1[31:0] * SRC2[31:0]", lanes2(timesHalves)},
	{"vinserti128", "v256,v256,m128,i", "avx2", "DEST := SRC1; the half of DEST that IMM[0] names := SRC2", insert},
}

// The function "shiftx" returns a shift that changes no flags. The function f computes its result.
func shiftx(f func(p *pool, a, n *term.Term) *term.Term) func(*Machine, decode.Instruction) {
	return func(m *Machine, in decode.Instruction) {
		n := m.BvAnd(m.get(in.Args[2], 0), m.Value(64, 63))
		m.set(in.Args[0], f(m.Pool, m.get(in.Args[1], 0), n))
	}
}
