package semantics

import (
	_ "embed"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// mutantRows is a part of the table. The instruction forms in this part do not occur in kernels. They occur in mutants
// that were proved. The file mutants.txt has instances of these forms. The function Extra returns these instances.
var mutantRows = []row{
	{"add", "r32,i", "", "DEST := DEST + SRC", add},
	{"sub", "r32,i r32,r32", "", "DEST := DEST - SRC", sub},
	{"cmp", "r32,r32", "", "temp := SRC1 - SRC2; the flags as SUB", sub},
	{"inc", "r32", "", "DEST := DEST + 1; CF stays", inc},
	{"test", "r64,i", "", "temp := SRC1 AND SRC2; CF, OF := 0", logic((*pool).BvAnd)},
	{"or", "r64,r64", "", "DEST := DEST OR SRC; CF, OF := 0", logic((*pool).BvOr)},
	{"sar", "r64,i", "", "DEST := DEST / 2 with sign, rounded down, as often as COUNT AND 3FH says", shift((*pool).Ashr)},
	{"imul", "r64", "", "RDX:RAX := RAX * SRC with sign; SF, ZF undefined, and here CF, OF too", imulWide},
	{"cmovle", "r64,r64", "", "IF ZF OR SF <> OF THEN DEST := SRC", cmov},
	{"cmovge", "r64,r64", "", "IF SF = OF THEN DEST := SRC", cmov},
	{"vpaddd", "v256,v256,v256", "avx2", "each doubleword: DEST := SRC1 + SRC2", lanes2(parts(32, (*pool).Add))},
	{"vpaddw", "v256,v256,v256", "avx2", "each 16 bits: DEST := SRC1 + SRC2", lanes2(parts(16, addByBytes))},
	{"vpsraw", "v256,v256,i", "avx2", "each 16 bits: DEST := SRC / 2^COUNT with sign, rounded down, as of COUNT = 15 from there on", vpsraw},
	{"btr", "r64,r64", "", "CF := bit SRC AND 3FH of DEST, which becomes 0; ZF stays; SF, OF undefined", bt},
	{"btc", "r64,r64", "", "CF := bit SRC AND 3FH of DEST, which is inverted; ZF stays; SF, OF undefined", bt},
	{"vpmulld", "v256,v256,v256", "avx2", "each doubleword: DEST := SRC1 * SRC2 mod 2^32", lanes2(parts(32, (*pool).Mul))},
	{"cmovne", "r64,r64", "", "IF NOT ZF THEN DEST := SRC", cmov},
	{"adc", "r64,r64", "", "DEST := DEST + SRC + CF", adc},
	{"add", "m64,i", "", "DEST := DEST + SRC", add},
	{"test", "m64,r64", "", "temp := SRC1 AND SRC2; CF, OF := 0", logic((*pool).BvAnd)},
	{"sarx", "r64,m64,r64", "bmi2", "DEST := SRC1 / 2 with sign, rounded down, as often as SRC2 AND 3FH says; no flags", shiftx((*pool).Ashr)},
	{"vpaddd", "v128,v128,v128", "avx", "each doubleword: DEST := SRC1 + SRC2", lanes2(parts(32, (*pool).Add))},
	{"vpaddd", "v512,v512,v512", "avx512f", "each doubleword: DEST := SRC1 + SRC2", lanes2(parts(32, (*pool).Add))},
	{"vpmuldq", "v256,v256,v256 v256,v256,m256", "avx2", "each word: DEST := SRC1[31:0] * SRC2[31:0] with signs", lanes2(signedHalves)},
	{"vpsrad", "v256,v256,i", "avx2", "each doubleword: DEST := SRC >> COUNT with the sign", moved((*pool).Ashr)},
	{"vpsrld", "v512,v512,i", "avx512f", "each doubleword: DEST := COUNT > 31 ? 0 : SRC >> COUNT", moved((*pool).Lshr)},
	{"vmovdqa32", "v512{k},v512", "avx512f", "doubleword by doubleword under the mask: DEST := SRC; others stay", doublewords(func(j int) int { return j })},
}

//go:embed mutants.txt
var extra string

// Extra returns the instructions in mutants.txt. No kernel has an instruction of these forms. Their text is in the form
// that binutils prints.
func Extra() (out []decode.Instruction, err error) {
	for line := range strings.Lines(extra) {
		code, text, ok := strings.Cut(strings.TrimSpace(line), " | ")
		if !ok {
			return nil, fmt.Errorf("mutants.txt: %q has not two columns", line)
		}
		in := decode.Instruction{Text: text}
		if in.Bytes, err = hex.DecodeString(code); err != nil {
			return nil, fmt.Errorf("mutants.txt: %q: %w", line, err)
		}
		if err := in.Parse(); err != nil {
			return nil, fmt.Errorf("mutants.txt: %q: %w", line, err)
		}
		out = append(out, in)
	}
	return out, nil
}

// The function addByBytes adds numbers of 16 bits byte by byte. Solvers find sooner that a carry is 0 if it has a term of
// its own.
func addByBytes(p *pool, a, b *term.Term) *term.Term {
	x, y := p.Split(a, 8), p.Split(b, 8)
	low := p.Add(x[0], y[0])
	carry := p.Ite(p.Ult(low, x[0]), p.Value(8, 1), p.Value(8, 0))
	return p.Concat(p.Sum(8, x[1], y[1], carry), low)
}

// The function "signedHalves" returns the product of the lower halves of two words. The halves are signed numbers.
func signedHalves(p *pool, a, b *term.Term) *term.Term {
	n := p.Value(64, 32)
	return p.Mul(p.Ashr(p.Shl(a, n), n), p.Ashr(p.Shl(b, n), n))
}

func vpsraw(m *Machine, in decode.Instruction) {
	k := m.Value(16, min(in.Args[2].Value&0xff, 15))
	out := m.words(in.Args[1])
	for i, w := range out {
		parts := m.Split(w, 16)
		for j, t := range parts {
			parts[j] = m.Ashr(t, k)
		}
		out[i] = m.Join(parts...)
	}
	m.put(in.Args[0].Reg, out)
}

// imulWide multiplies signed numbers. It first computes the unsigned product. The upper half of the signed product is
// computed from the upper half of the unsigned product. In the unsigned product, a negative factor -x counts as 2^64 -
// x.
func imulWide(m *Machine, in decode.Instruction) {
	a, b := m.GP[0], m.get(in.Args[0], 0)
	zero := m.Value(64, 0)
	high := m.Sub(m.MulHi(a, b), m.Ite(m.Negative(a), b, zero))
	m.GP[0], m.GP[2] = m.Mul(a, b), m.Sub(high, m.Ite(m.Negative(b), a, zero))
	m.Flags = Flags{}
}
