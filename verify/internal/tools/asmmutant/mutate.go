package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A mutant is a function with one change.
type mutant struct {
	source   *source
	function *function
	at       int    // the index of the statement in function.body, or in source.data
	data     bool   // the change is in source.data
	label    string // the last label before the statement
	now      string // the statement with its aliases after the change, or deleted
}

// If a mutant only deletes a statement, reports show this text instead of a new statement.
const deleted = "(deleted)"

func (m *mutant) was() statement {
	if m.data {
		return m.source.data[m.at]
	}
	return m.function.body[m.at]
}

// String returns the place of the mutant in the assembly, and its change.
func (m *mutant) String() string {
	return fmt.Sprintf("%s:%d: %s, %s: %v -> %s", m.was().file, m.was().line, m.function.name, m.label, m.was(), m.now)
}

// The method "mutants" returns every mutant of every function of s, in the order of the text. It leaves out changes
// without effect on the text, and repeated changes.
func (s *source) mutants() (out []*mutant) {
	for i := range s.functions {
		f := &s.functions[i]
		f.used = f.registers()
		label := "start"
		for at, st := range f.body {
			if st.label != "" {
				label = st.label
				continue
			}
			for _, now := range f.changes(st) {
				out = append(out, &mutant{source: s, function: f, at: at, label: label, now: now})
			}
		}
		for at, st := range s.data {
			if st.op != "DATA" || !f.uses(dataName(st)) {
				continue
			}
			for _, c := range constants(st.args[1]) {
				out = append(out, &mutant{source: s, function: f, at: at, data: true, label: "data", now: "DATA " + st.args[0] + ", " + c})
			}
		}
	}
	return out
}

// dataName returns the symbol of a DATA or GLOBL line, such as ones<>.
func dataName(s statement) string {
	return regexp.MustCompile(`^[^+(]+`).FindString(s.args[0])
}

func (f *function) uses(symbol string) bool {
	return slices.ContainsFunc(f.body, func(s statement) bool {
		return slices.ContainsFunc(s.args, func(a string) bool {
			return strings.HasPrefix(strings.TrimPrefix(a, "$"), symbol)
		})
	})
}

// The variable "speed" matches instructions that affect nothing except speed. These are not mutated.
var speed = regexp.MustCompile(`^(PREFETCH\w*|PRFM|PCALIGN|VZEROUPPER|NOP|RET|NO_LOCAL_POINTERS|FUNCDATA|PCDATA)$`)

// The method "changes" returns the statements that can replace s.
func (f *function) changes(s statement) []string {
	if speed.MatchString(s.op) {
		return nil
	}
	out := []string{deleted}
	add := func(op string, args []string) {
		now := statement{op: op, args: args}.String()
		if now != s.String() && !slices.Contains(out, now) {
			out = append(out, now)
		}
	}
	base, suffix, suffixed := strings.Cut(s.op, ".")
	for _, op := range neighbours[base] {
		if strings.Contains(base, "XOR") && strings.Contains(op, "ANDN") && zeroes(s.args) {
			continue // x &^ x is also 0
		}
		if suffixed {
			op += "." + suffix
		}
		add(op, s.args)
	}
	if suffix == "Z" {
		add(base, s.args) // merging instead of zeroing
	}
	if conditional.MatchString(s.op) && strings.HasPrefix(s.op, "J") {
		add("JMP", s.args)
	}
	for i, a := range s.args {
		with := func(b string) {
			args := slices.Clone(s.args)
			args[i] = b
			add(s.op, args)
		}
		for _, b := range f.operand(s, a) {
			with(b)
		}
	}
	for i := range len(s.args) - 1 {
		if i == 0 && commutative[base] {
			continue
		}
		args := slices.Clone(s.args)
		args[i], args[i+1] = args[i+1], args[i]
		add(s.op, args)
	}
	return out
}

// The function "zeroes" reports whether the exclusive or of these operands is always 0.
func zeroes(args []string) bool {
	return len(slices.Compact(slices.Clone(args))) == 1
}

var (
	memory  = regexp.MustCompile(`^([^()\s]*|\([^()]+\))\((\w+)\)(?:\((\w+)\*(\d)\))?$`)
	integer = regexp.MustCompile(`^-?(0x[0-9a-fA-F]+|[0-9]+)$`)
	sum     = regexp.MustCompile(`^-?\d\w*(\+\d\w*)*$`)
	frame   = regexp.MustCompile(`^([\pL_]\w*\+)(\d+)$`) // x_len+8 of x_len+8(FP)
	lanes   = regexp.MustCompile(`^(\w+)(\.[BHSDQ]\w*(?:\[\d+\])?)$`)
)

// The method "operand" returns the replacements for the operand a of the statement s.
func (f *function) operand(s statement, a string) (out []string) {
	if strings.HasPrefix(a, "$") {
		return constants(a)
	}
	if m := memory.FindStringSubmatch(a); m != nil {
		offset, base, index, scale := m[1], m[2], m[3], m[4]
		join := func(offset, base, index, scale string) {
			t := offset + "(" + base + ")"
			if index != "" {
				t += "(" + index + "*" + scale + ")"
			}
			out = append(out, t)
		}
		switch {
		case base == "SB":
		case base == "FP":
			if n := frame.FindStringSubmatch(offset); n != nil {
				at, _ := strconv.Atoi(n[2])
				join(n[1]+strconv.Itoa(at+8), base, index, scale)
				if at >= 8 {
					join(n[1]+strconv.Itoa(at-8), base, index, scale)
				}
			}
		case offset == "" || sum.MatchString(offset):
			at := int64(0)
			for _, term := range strings.Split(offset, "+") {
				n, _ := strconv.ParseInt(term, 0, 64)
				at += n
			}
			join(strconv.FormatInt(at+8, 10), base, index, scale)
			join(strconv.FormatInt(at-8, 10), base, index, scale)
		default: // an expression
			join("("+offset+"+8)", base, index, scale)
			join("("+offset+"-8)", base, index, scale)
		}
		if r := f.other(s, base); r != "" {
			join(offset, r, index, scale)
		}
		if index != "" {
			if r := f.other(s, index); r != "" {
				join(offset, base, r, scale)
			}
			for _, n := range map[string][]string{"1": {"2"}, "2": {"1", "4"}, "4": {"2", "8"}, "8": {"1", "4"}}[scale] {
				join(offset, base, index, n)
			}
		}
		return out
	}
	if m := lanes.FindStringSubmatch(a); m != nil {
		if r := f.other(s, m[1]); r != "" {
			out = append(out, r+m[2])
		}
		return out
	}
	if n, ok := conditions[a]; ok {
		return []string{n}
	}
	if r := f.other(s, a); r != "" {
		out = append(out, r)
	}
	return out
}

// The function "constants" returns the replacements of the immediate operand a: a+1, a-1, 0 and 2a.
func constants(a string) (out []string) {
	text := strings.TrimPrefix(a, "$")
	if strings.HasSuffix(text, "(SB)") || strings.Contains(text, ".") {
		return nil
	}
	if !integer.MatchString(text) {
		return []string{"$(" + text + "+1)", "$(" + text + "-1)", "$0", "$(" + text + "*2)"}
	}
	if strings.HasPrefix(text, "-") {
		v, _ := strconv.ParseInt(text, 0, 64)
		return []string{fmt.Sprintf("$%d", v+1), fmt.Sprintf("$%d", v-1), "$0", fmt.Sprintf("$%d", 2*v)}
	}
	v, _ := strconv.ParseUint(text, 0, 64)
	form := "$%d"
	if strings.HasPrefix(text, "0x") {
		form = "$%#x"
	}
	for _, w := range []uint64{v + 1, v - 1, 0, 2 * v} {
		if n := fmt.Sprintf(form, w); w != v && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// The type "named" holds a register, its class, and the first name that a function uses for the register.
type named struct{ word, register, class string }

// The method "registers" returns the registers that f uses, in the order of first use.
func (f *function) registers() (out []named) {
	for _, s := range f.body {
		for _, a := range s.args {
			for _, w := range words.FindAllString(a, -1) {
				r := s.register(w)
				class := classOf(r)
				if class != "" && class != "fixed" && !slices.ContainsFunc(out, func(n named) bool { return n.register == r }) {
					out = append(out, named{w, r, class})
				}
			}
		}
	}
	return out
}

// The method "other" returns another register that f uses. It is the next register of the same class as the register in
// the argument "word". The result is "" if this argument is not a register of f. It is also "" if f uses no other
// register of this class.
func (f *function) other(s statement, word string) string {
	r := s.register(word)
	class := classOf(r)
	var same []named
	for _, n := range f.used {
		if n.class == class && s.register(n.word) == n.register {
			same = append(same, n)
		}
	}
	at := slices.IndexFunc(same, func(n named) bool { return n.register == r })
	if at < 0 || len(same) < 2 {
		return ""
	}
	return same[(at+1)%len(same)].word
}

// The variable "conditional" matches instructions that depend on flags.
var conditional = regexp.MustCompile(`^(J|SET|CMOV[WLQ])(LT|LE|GE|GT|EQ|NE|CS|CC|HI|LS|MI|PL|OS|OC|PS|PC)$`)

// For each instruction, the variable "neighbours" has the instructions that replace it. An instruction and its
// replacements take the same operands.
var neighbours = map[string][]string{}

// No mutant exchanges the first two operands of an instruction in the set "commutative". For some of these instructions
// the exchange has no effect. The others have only two operands. Other mutants already change the second register of
// these instructions.
var commutative = map[string]bool{}

// On arm64, some instructions have a condition as an operand. The variable "conditions" maps each condition to the one
// that replaces it.
var conditions = map[string]string{
	"EQ": "NE", "NE": "EQ", "LT": "GE", "GE": "LT", "LE": "GT", "GT": "LE",
	"HS": "LO", "LO": "HS", "HI": "LS", "LS": "HI", "CS": "CC", "CC": "CS", "MI": "PL", "PL": "MI",
}

func init() {
	// There are two mutants for the condition of a jump or move. One has the negation of the condition. The other has a
	// condition that differs from the original only if both sides of the comparison are equal.
	for c, to := range map[string][]string{
		"LT": {"GE", "LE"}, "LE": {"GT", "LT"}, "GE": {"LT", "GT"}, "GT": {"LE", "GE"},
		"CS": {"CC", "LS"}, "CC": {"CS", "HI"}, "HI": {"LS", "CC"}, "LS": {"HI", "CS"},
		"EQ": {"NE"}, "NE": {"EQ"}, "MI": {"PL"}, "PL": {"MI"}, "OS": {"OC"}, "OC": {"OS"}, "PS": {"PC"}, "PC": {"PS"},
	} {
		for _, prefix := range []string{"J", "SET", "CMOVW", "CMOVL", "CMOVQ"} {
			for _, t := range to {
				neighbours[prefix+c] = append(neighbours[prefix+c], prefix+t)
			}
		}
		for _, t := range to { // arm64
			b := strings.NewReplacer("CS", "HS", "CC", "LO").Replace
			neighbours["B"+b(c)] = append(neighbours["B"+b(c)], "B"+b(t))
			if b(c) != c {
				neighbours["B"+c] = append(neighbours["B"+c], "B"+b(t))
			}
		}
	}
	for _, row := range strings.Split(strings.TrimSpace(rows), "\n") {
		from, to, _ := strings.Cut(row, ":")
		for _, op := range strings.Fields(from) {
			for _, n := range strings.Fields(to) {
				if n != op && !slices.Contains(neighbours[op], n) {
					neighbours[op] = append(neighbours[op], n)
				}
			}
		}
	}
	for _, op := range strings.Fields(symmetric) {
		commutative[op] = true
	}
}

// Each row has a colon. Take one instruction in front of the colon, and one behind it. Each such pair gives a mutant.
// In this mutant, the second instruction replaces the first.
const rows = `
ADDQ: SUBQ ADDL
ADDL: SUBL
SUBQ: ADDQ SUBL
SUBL: ADDL
ADCQ: ADDQ SBBQ
SBBQ: SUBQ ADCQ
INCQ: DECQ
DECQ: INCQ
INCL: DECL
DECL: INCL
NEGQ: NOTQ
NOTQ: NEGQ
ANDQ ORQ XORQ: ANDQ ORQ XORQ
ANDL ORL XORL: ANDL ORL XORL
ANDNQ: ANDQ
SHLQ SHRQ SARQ: SHLQ SHRQ SARQ
SHLL SHRL SARL: SHLL SHRL SARL
SHLXQ SHRXQ SARXQ: SHLXQ SHRXQ SARXQ
ROLQ: RORQ
RORQ: ROLQ
RORXQ: SHRQ
BTQ BTSQ BTRQ BTCQ: BTQ BTSQ BTRQ BTCQ
BTL BTSL BTRL BTCL: BTL BTSL BTRL BTCL
MULQ: IMULQ
MULXQ: MULXL
CMPQ: CMPL TESTQ
CMPL: TESTL
TESTQ: CMPQ TESTL
TESTL: CMPL
POPCNTQ: POPCNTL
TZCNTQ LZCNTQ BSFQ BSRQ: TZCNTQ LZCNTQ BSFQ BSRQ
MOVBLZX: MOVBLSX MOVWLZX
MOVBQZX: MOVBQSX MOVWQZX
MOVLQZX: MOVLQSX
MOVB: MOVL
VPADDB: VPSUBB VPADDW
VPADDW: VPSUBW VPADDB
VPADDD: VPSUBD VPADDQ
VPADDQ: VPSUBQ VPADDD
VPSUBB: VPADDB
VPSUBW: VPADDW
VPSUBD: VPADDD VPSUBQ
VPSUBQ: VPADDQ VPSUBD
VPAND VPOR VPXOR VPANDN: VPAND VPOR VPXOR VPANDN
VPANDQ VPORQ VPXORQ VPANDNQ: VPANDQ VPORQ VPXORQ VPANDNQ
VPANDD VPORD VPXORD VPANDND: VPANDD VPORD VPXORD VPANDND
VANDPD VORPD VXORPD VANDNPD: VANDPD VORPD VXORPD VANDNPD
VPSLLW VPSRLW VPSRAW: VPSLLW VPSRLW VPSRAW
VPSLLD VPSRLD VPSRAD: VPSLLD VPSRLD VPSRAD VPSRLQ
VPSLLQ VPSRLQ: VPSLLQ VPSRLQ VPSRLD
VPSRAQ: VPSRLQ
VPSLLVQ VPSRLVQ: VPSLLVQ VPSRLVQ
VPROLQ VPRORQ: VPROLQ VPRORQ
VPMULUDQ: VPMULDQ VPMULLD
VPMULLQ: VPMULUDQ
VPMADD52LUQ VPMADD52HUQ: VPMADD52LUQ VPMADD52HUQ
VPSADBW: VPADDB
VPOPCNTQ: VPOPCNTD
VPOPCNTD: VPOPCNTQ
VPMINUQ VPMAXUQ: VPMINUQ VPMAXUQ
VPCMPEQQ: VPCMPGTQ VPCMPEQD
VPCMPGTQ: VPCMPEQQ VPCMPGTD
VPCMPEQD: VPCMPEQQ
VPCMPEQB: VPCMPEQW
VPTESTMQ VPTESTNMQ: VPTESTMQ VPTESTNMQ
VPTESTMD VPTESTNMD: VPTESTMD VPTESTNMD
VPTEST: VTESTPD
VPUNPCKLQDQ VPUNPCKHQDQ: VPUNPCKLQDQ VPUNPCKHQDQ
VPUNPCKLDQ VPUNPCKHDQ: VPUNPCKLDQ VPUNPCKHDQ
VUNPCKLPD VUNPCKHPD: VUNPCKLPD VUNPCKHPD
VPBROADCASTQ: VPBROADCASTD
VBROADCASTSD: VBROADCASTSS
VPGATHERQQ: VPGATHERQD VPGATHERDQ
VPSCATTERQQ: VPSCATTERDQ
VPSRLDQ VPSLLDQ: VPSRLDQ VPSLLDQ
VMOVMSKPD: VMOVMSKPS
VPBLENDD: VPBLENDW
KANDW KORW KXORW KANDNW KXNORW: KANDW KORW KXORW KANDNW KXNORW
KANDB KORB KXORB KANDNB KXNORB: KANDB KORB KXORB KANDNB KXNORB
KNOTW: KMOVW
KNOTB: KMOVB
KSHIFTLW KSHIFTRW: KSHIFTLW KSHIFTRW
VADDPD VSUBPD VMULPD VDIVPD VMAXPD VMINPD: VADDPD VSUBPD VMULPD VDIVPD
VADDSD VSUBSD VMULSD VDIVSD: VADDSD VSUBSD VMULSD VDIVSD
ADDSD SUBSD MULSD DIVSD: ADDSD SUBSD MULSD DIVSD
VFMADD132PD VFMADD213PD VFMADD231PD: VFMADD132PD VFMADD213PD VFMADD231PD
VFMADD231PD: VFMSUB231PD VFNMADD231PD
VFMADD213PD: VFMSUB213PD VFNMADD213PD
VFMADD132PD: VFMSUB132PD VFNMADD132PD
VFNMADD231PD: VFMADD231PD VFNMSUB231PD
VFNMADD213PD: VFMADD213PD VFNMSUB213PD
VFMADD231SD: VFMSUB231SD VFNMADD231SD
VFMADD213SD: VFMSUB213SD VFNMADD213SD
VFNMADD231SD: VFMADD231SD
VFNMADD213SD: VFMADD213SD
ADD: SUB
SUB: ADD
ADDS: SUBS ADD
SUBS: ADDS SUB
AND ORR EOR BIC ORN: AND ORR EOR BIC ORN
ANDS: BICS AND
LSL LSR ASR ROR: LSL LSR ASR ROR
CMP: CMN TST
TST: CMP
MUL: UMULH
UMULH: SMULH MUL
MADD: MSUB
MSUB: MADD
CBZ: CBNZ
CBNZ: CBZ
CBZW: CBNZW
TBZ: TBNZ
TBNZ: TBZ
CSEL: CSINC
CSET: CSETM
CINC: CNEG
NEG: MVN
MVN: NEG
MOVBU: MOVB MOVHU
RBIT: REV
CLZ: RBIT
VADD: VSUB
VSUB: VADD
VAND VORR VEOR VBIC: VAND VORR VEOR VBIC
VUSHR VSHL VSSHR: VUSHR VSHL
VCNT: VRBIT
VUADDLV: VADDV
VADDV: VUADDLV
VUADDW VUADDW2: VUADDW VUADDW2
VUMAXV: VUMINV
VCMEQ: VCMTST
VCMTST: VCMEQ
VZIP1 VZIP2 VUZP1 VUZP2 VTRN1 VTRN2: VZIP1 VZIP2
VFMLA: VFMLS
VFMLS: VFMLA
FADDD FSUBD FMULD FDIVD FNMULD: FADDD FSUBD FMULD FDIVD
FMADDD FMSUBD FNMADDD FNMSUBD: FMADDD FMSUBD FNMADDD FNMSUBD
`

const symmetric = `
VPADDB VPADDW VPADDD VPADDQ VPAND VPOR VPXOR VPANDQ VPORQ VPXORQ VPANDD VPORD VPXORD VPMULUDQ VPMULDQ VPMULLQ
VPMADD52LUQ VPMADD52HUQ VFMADD231PD VFNMADD231PD VFMSUB231PD VPMINUQ VPMAXUQ VPCMPEQQ VPCMPEQD VPSADBW VADDPD VMULPD VADDSD VMULSD KANDW KORW KXORW KXNORW KANDB KORB KXORB
TESTQ TESTL VPTESTMQ VPTESTNMQ KORTESTW KTESTW KORTESTB
AND ORR EOR ADD ADDS MUL UMULH SMULH VADD VAND VORR VEOR FADDD FMULD
ADDQ ADDL ADCQ ANDQ ANDL ORQ ORL XORQ XORL IMULQ
`
