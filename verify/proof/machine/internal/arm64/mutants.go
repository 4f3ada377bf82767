package arm64

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

// mutantRows is a part of the table. The instruction forms in this part do not occur in kernels. They occur in mutants.
// The file mutants.txt has instances of these forms. The function Extra returns these instances.
var mutantRows = []row{
	{"cmn", "x,x", "NZCV = flags of AddWithCarry(X[n], X[m], 0)", func(m *Machine, in Instruction) { m.sums(in, 0, true) }},
	{"tst", "x,i", "result = X[n] AND imm; NZCV = result<63>, IsZeroBit(result), 0, 0", tst},
	{"bic", "x,x,x", "X[d] = X[n] AND NOT X[m]", plain(func(p *pool, a, b bv) bv { return p.BvAnd(a, p.BvNot(b)) })},
	{"asr", "x,x,x x,x,i", "X[d] = ASR(X[n], operand2 MOD 64)", shift((*pool).Ashr)},
	{"ror", "x,x,x x,x,i", "X[d] = ROR(X[n], operand2 MOD 64)", shift(ror)},
	{"smulh", "x,x,x", "X[d] = (SInt(X[n]) * SInt(X[m]))<127:64>", smulh},
	{"ldrsb", "x,m+x", "X[t] = SignExtend(Mem[address, 1])", func(m *Machine, in Instruction) {
		m.set(in.Args[0], m.signed(m.Memory.Load(m, m.place(in, 1), 1, 8)[0], 64))
	}},
	{"addv", "f8,v8x8", "V[d] = Reduce(ReduceOp_ADD, V[n], esize)", reduce((*pool).Add)},
	{"uaddlv", "f64,v4x32", "V[d] = the sum of UInt(lanes of V[n]) in 2*esize bits", uaddlv},
}

//go:embed mutants.txt
var extra string

// Extra returns the instructions in mutants.txt. No kernel has an instruction of these forms. Their text is in the form
// that binutils prints.
func Extra() (out []Instruction, err error) {
	for line := range strings.Lines(extra) {
		code, text, ok := strings.Cut(strings.TrimSpace(line), " | ")
		if !ok {
			return nil, fmt.Errorf("mutants.txt: %q has not two columns", line)
		}
		word, err := strconv.ParseUint(code, 16, 32)
		if err != nil {
			return nil, fmt.Errorf("mutants.txt: %q: %w", line, err)
		}
		in := Instruction{Word: uint32(word), Text: text}
		if err := in.Parse(); err != nil {
			return nil, fmt.Errorf("mutants.txt: %q: %w", line, err)
		}
		out = append(out, in)
	}
	return out, nil
}

// The function "ror" returns a, rotated right by n bits, where n is below 64.
func ror(p *pool, a, n bv) bv {
	back := p.BvAnd(p.Sub(p.Value(64, 0), n), p.Value(64, 63))
	return p.BvOr(p.Lshr(a, n), p.Shl(a, back))
}

// The function "smulh" computes the upper half of a signed product from the upper half of the unsigned product. In the
// unsigned product, a negative factor -x counts as 2^64 - x.
func smulh(m *Machine, in Instruction) {
	a, b, zero := m.get(in.Args[1]), m.get(in.Args[2]), m.Value(64, 0)
	high := m.Sub(MulHigh(m.Pool, a, b), m.Ite(m.Negative(a), b, zero))
	m.set(in.Args[0], m.Sub(high, m.Ite(m.Negative(b), a, zero)))
}
