package semantics

import (
	"maps"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
)

// Entry is the table's entry for one instruction form. The form consists of an instruction's name and the kinds of its
// operands.
type Entry struct {
	Form    string // as returned by decode.Instruction.Form
	Feature string // the CPU feature that it needs, as in a Requires line; "" for none
	Manual  string // the operation as in Intel's manual, volume 2
	Rounds  bool   // it computes with float64 numbers, and may set exception flags of MXCSR, which no instruction reads
	do      func(*Machine, decode.Instruction)
}

// Lookup returns the table's entry for the given form. If there is no such entry, the second result is false.
func Lookup(form string) (Entry, bool) {
	e, ok := table[form]
	return e, ok
}

// Forms returns the sorted list of the forms that have entries in the table.
func Forms() []string { return slices.Sorted(maps.Keys(table)) }

// A row has the name of an instruction and some forms of this instruction. The other fields apply to these forms.
type row struct {
	name, operands, feature, manual string
	do                              func(*Machine, decode.Instruction)
}

// The list "rows" is the first part of the table. Each row has the name of an instruction, and the kinds of operands of
// its forms. All forms of a row perform the same operation. The row also has this operation. Package symbolic executes
// jumps and the return.
var rows = []row{
	{"mov", "r64,r64 r64,m64 r64,i r32,i r32,r32 m64,r64", "", "DEST := SRC", mov},
	{"lea", "r64,m", "", "DEST := EffectiveAddress(SRC)", lea},
	{"add", "r64,r64 r64,i r64,m64", "", "DEST := DEST + SRC", add},
	{"sub", "r64,r64 r64,i", "", "DEST := DEST - SRC", sub},
	{"cmp", "r64,r64 r64,i r32,i", "", "temp := SRC1 - SRC2; the flags as SUB", sub},
	{"inc", "r64", "", "DEST := DEST + 1; CF stays", inc},
	{"dec", "r64 r32", "", "DEST := DEST - 1; CF stays", dec},
	{"and", "r64,r64 r64,i r64,m64 r32,r32 r32,i", "", "DEST := DEST AND SRC; CF, OF := 0", logic((*pool).BvAnd)},
	{"or", "r64,i r64,m64", "", "DEST := DEST OR SRC; CF, OF := 0", logic((*pool).BvOr)},
	{"xor", "r64,m64 r64,r64 r32,r32", "", "DEST := DEST XOR SRC; CF, OF := 0", logic((*pool).BvXor)},
	{"test", "r64,r64 r32,r32", "", "temp := SRC1 AND SRC2; CF, OF := 0", logic((*pool).BvAnd)},
	{"test", "r32,i", "", "temp := SRC1 AND SRC2; CF, OF := 0", testLow},
	{"not", "r64", "", "DEST := NOT DEST; no flags", not},
	{"shl", "r64,i r64,r8", "", "DEST := DEST * 2 as often as COUNT AND 3FH says", shift((*pool).Shl)},
	{"shr", "r64,i", "", "DEST := DEST / 2 without sign as often as COUNT AND 3FH says", shift((*pool).Lshr)},
	{"popcnt", "r64,r64", "popcnt", "DEST := number of ones of SRC; ZF := SRC = 0, all others 0", popcnt},
	{"cmovl", "r64,r64", "", "IF SF <> OF THEN DEST := SRC", cmov},
	{"nop", "", "", "nothing", func(*Machine, decode.Instruction) {}},
	{"vzeroupper", "", "avx", "bits 128 and up of ZMM0 to ZMM15 := 0", vzeroupper},

	{"vmovdqu", "v256,m256 m256,v256 v128,m128 m128,v128", "avx", "DEST := SRC; the rest of a register := 0", vmov},
	{"vmovdqu64", "v512,m512 m512,v512 v512{k}{z},m512 m512{k},v512", "avx512f", "lane by lane under the mask: DEST := SRC", vmov},
	{"vmovq", "r64,v128", "avx", "DEST := SRC[63:0]", vmovq},
	{"vpand", "v256,v256,v256 v256,v256,m256", "avx2", "DEST := SRC1 AND SRC2", lanes2((*pool).BvAnd)},
	{"vpor", "v256,v256,v256 v256,v256,m256", "avx2", "DEST := SRC1 OR SRC2", lanes2((*pool).BvOr)},
	{"vpxor", "v256,v256,v256 v256,v256,m256", "avx2", "DEST := SRC1 XOR SRC2", lanes2((*pool).BvXor)},
	{"vpandn", "v256,v256,v256 v256,v256,m256", "avx2", "DEST := NOT SRC1 AND SRC2", lanes2(andNot)},
	{"vpandq", "v512,v512,v512 v512,v512,m512 v512{k}{z},v512,m512", "avx512f", "DEST := SRC1 AND SRC2", lanes2((*pool).BvAnd)},
	{"vporq", "v512,v512,v512 v512,v512,m512 v512{k}{z},v512,m512", "avx512f", "DEST := SRC1 OR SRC2", lanes2((*pool).BvOr)},
	{"vpxorq", "v512,v512,v512 v512,v512,m512 v512{k}{z},v512,m512", "avx512f", "DEST := SRC1 XOR SRC2", lanes2((*pool).BvXor)},
	{"vpandnq", "v512,v512,v512 v512,v512,m512 v512{k}{z},v512,m512", "avx512f", "DEST := NOT SRC1 AND SRC2", lanes2(andNot)},
	{"vpaddq", "v128,v128,v128", "avx", "each word: DEST := SRC1 + SRC2", lanes2((*pool).Add)},
	{"vpaddq", "v256,v256,v256", "avx2", "each word: DEST := SRC1 + SRC2", lanes2((*pool).Add)},
	{"vpaddq", "v512,v512,v512", "avx512f", "each word: DEST := SRC1 + SRC2", lanes2((*pool).Add)},
	{"vpaddb", "v256,v256,v256", "avx2", "each byte: DEST := SRC1 + SRC2", lanes2(addBytes)},
	{"vpsadbw", "v256,v256,v256", "avx2", "each word: DEST := sum of |SRC1 - SRC2| of its bytes", lanes2(sadBytes)},
	{"vpshufb", "v256,v256,v256", "avx2", "in each 128 bits: DEST[i] := SRC2[i] < 80H ? SRC1[SRC2[i] AND 0FH] : 0", vpshufb},
	{"vpshufd", "v128,v128,i", "avx", "doubleword i := SRC >> 32*(IMM >> 2i AND 3)", vpshufd},
	{"vpsrlw", "v256,v256,i", "avx2", "each 16 bits: DEST := COUNT > 15 ? 0 : SRC >> COUNT", vpsrlw},
	{"vpsllq", "v256,v256,i", "avx2", "each word: DEST := COUNT > 63 ? 0 : SRC << COUNT", vpsllq},
	{"vpopcntq", "v512,v512 v512,m512 v512{k}{z},m512", "avx512vpopcntdq", "each word: DEST := number of ones of SRC", vpopcntq},
	{"vextracti128", "v128,v256,i", "avx2", "DEST := SRC[127:0] or, by IMM[0], SRC[255:128]", extract},
	{"vextracti64x4", "v256,v512,i", "avx512f", "DEST := SRC[255:0] or, by IMM[0], SRC[511:256]", extract},
	{"vinserti64x4", "v512,v512,v256,i", "avx512f", "DEST := SRC1; the half of DEST that IMM[0] names := SRC2", insert},
	{"kmovw", "k64,r32", "avx512f", "DEST[15:0] := SRC[15:0], the rest 0", kmovw},
}

// The list "rounding" has the names of the instructions that compute with float64 numbers.
var rounding = []string{"vmulpd", "vaddpd", "vsubpd", "vcvtsi2sd"}

var table = func() map[string]Entry {
	out := map[string]Entry{}
	for _, r := range slices.Concat(rows, scalarRows, laneRows, wideRows, frameRows, packRows, floatRows, mutantRows) {
		operands := strings.Fields(r.operands)
		if r.operands == "" {
			operands = []string{""}
		}
		for _, o := range operands {
			form := strings.TrimSpace(r.name + " " + o)
			if _, twice := out[form]; twice {
				panic("two entries of " + form)
			}
			out[form] = Entry{form, r.feature, r.manual, slices.Contains(rounding, r.name), r.do}
		}
	}
	return out
}()
