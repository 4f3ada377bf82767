package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/solve"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/symbolic"
)

// The list "narrower" fixes some values in claims about ContainsRingAVX512. If such a claim is false, z3 finds the other
// values quickly. There are 8 keys with one position each. Of these keys, 8 or 4 have begun. The filter has one word. The
// slices and the stack do not overlap.
var narrower = func() (out []map[string]uint64) {
	for _, begun := range []uint64{8, 4} {
		out = append(out, map[string]uint64{
			"k": 1, "step": 0, "span": 64, "len_words": 1, "len_out": 8, "len_h": 16, "twin_n": 8, "twin_top": 0, "twin_end": 1,
			"twin_vec": 0, "twin_held": 0, "twin_next": begun, "twin_from": begun, "SP": 1 << 20, "out": 1 << 30, "h": 1 << 31, "words": 1 << 32,
		})
	}
	return out
}()

// TestFaultsRejected asserts that functions that are proved are not with a fault of each class:
// in the header (a feature left out of the Requires line, a bound one too small, another
// signature), in the invariants, and in the code (a load or a store one place too far, another
// condition, the frame or stack pointer lost, the direction flag set, no VZEROUPPER).
func TestFaultsRejected(t *testing.T) {
	for _, name := range []string{"objdump", "llvm-objdump", "z3", "cvc5"} {
		longtest.Program(t, name)
	}
	longtest.Only(t, "it runs solvers for seconds to minutes")
	session := solve.Session{Proved: map[string]bool{}, Narrow: narrower}
	defer session.Close()
	refute := func(p symbolic.Proof) error { return session.Refute(p.Scripts()) }
	b, err := os.ReadFile("report.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := parseReport(string(b))
	if err != nil {
		t.Fatal(err)
	}
	program, err := linked()
	if err != nil {
		t.Fatal(err)
	}
	now := t // the test of the present fault
	text := func(name string) (file, string, string, []decode.Instruction) {
		i := slices.IndexFunc(files, func(f file) bool { return f.names.MatchString(name) })
		stem := filepath.Join(root, "kernel", "asm", files[i].stem)
		var out [2]string
		for i, end := range []string{".s", ".inv"} {
			b, err := os.ReadFile(stem + end)
			if err != nil {
				now.Fatal(err)
			}
			out[i] = string(b)
		}
		c, err := program.Function(name)
		if err != nil {
			now.Fatal(err)
		}
		code, err := decode.Both(program.Path, c.Address, len(c.Bytes))
		if err != nil {
			now.Fatal(err)
		}
		if code, err = decode.WithoutCheck(code, program.Name); err != nil {
			now.Fatal(err)
		}
		return files[i], out[0], out[1], code
	}
	// known adds the claims about the function without a fault to those that are not asked, if the report says that they
	// are proved. So only the claims that a fault changes are asked.
	known := func(name string) {
		f, source, inv, code := text(name)
		if _, err := proveFrom(func(p symbolic.Proof) error {
			_, scripts := p.Scripts()
			hash := solve.Hash(scripts)
			if slices.ContainsFunc(rows, func(r result) bool { return r.claims == hash && strings.HasPrefix(r.verdict, proved) }) {
				for _, s := range scripts {
					session.Proved[s] = true
				}
			}
			return nil
		}, f, name, source, inv, code, program.ReadOnly); err != nil {
			now.Fatal(err)
		}
	}
	executed := map[string]bool{}
	// instruction returns the index of the first one whose text begins so.
	instruction := func(code []decode.Instruction, begins string) *decode.Instruction {
		i := slices.IndexFunc(code, func(in decode.Instruction) bool {
			return strings.HasPrefix(strings.Join(strings.Fields(in.Text), " "), begins)
		})
		if i < 0 {
			now.Fatalf("no instruction %s", begins)
		}
		code[i].Args = slices.Clone(code[i].Args)
		return &code[i]
	}
	nop := func(in *decode.Instruction) { in.Name, in.Args = "nop", nil }
	replace := func(s *string, old, new string) {
		if !strings.Contains(*s, old) {
			now.Fatalf("no %q", old)
		}
		*s = strings.Replace(*s, old, new, 1)
	}
	for _, c := range []struct {
		name, fault string
		make        func(source, inv *string, code []decode.Instruction)
	}{
		{"CountPopcnt", "a Requires line without popcnt", func(s, _ *string, _ []decode.Instruction) { replace(s, "Requires  popcnt", "Requires  avx") }},
		{"CountAVX2", "no vzeroupper", func(_, _ *string, code []decode.Instruction) {
			for i := range code {
				if code[i].Name == "vzeroupper" {
					nop(&code[i])
				}
			}
		}},
		{"AddPopcnt", "a bound one key too small", func(s, _ *string, _ []decode.Instruction) { replace(s, "h[0:2n]", "h[0:n]") }},
		{"AddPopcnt", "another signature", func(s, _ *string, _ []decode.Instruction) {
			replace(s, "words, h []uint64, k int", "h, words []uint64, k int")
		}},
		{"AddPopcnt", "a wrong invariant", func(_, inv *string, _ []decode.Instruction) { replace(inv, "rbx = h + 16*i", "rbx = h + 8*i") }},
		{"AddPopcnt", "a measure that stays", func(_, inv *string, _ []decode.Instruction) { replace(inv, "measure n - i, left", "measure n - i, k") }},
		{"AddPopcnt", "a load of a word too far", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "mov r15,QWORD PTR [rsi+rax*8]").Args[1].Value += 8
		}},
		{"AddPopcnt", "a store of a byte too far", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "setne BYTE PTR [rdi]").Args[0].Value++
		}},
		{"AddPopcnt", "a bit that is not set", func(_, _ *string, code []decode.Instruction) { instruction(code, "bts").Name = "bt" }},
		{"AddPopcnt", "a condition turned", func(_, _ *string, code []decode.Instruction) { instruction(code, "jne").Name = "je" }},
		{"AddPopcnt", "the direction flag set", func(_, _ *string, code []decode.Instruction) {
			in := instruction(code, "inc rdi")
			in.Name, in.Args = "std", nil
		}},
		{"PrefetchPopcnt", "the frame pointer lost", func(_, _ *string, code []decode.Instruction) {
			in := instruction(code, "shr rdx,0x6")
			in.Args[0].Reg = 5
		}},
		{"PrefetchPopcnt", "the stack pointer moved", func(_, _ *string, code []decode.Instruction) {
			in := instruction(code, "shr rdx,0x6")
			in.Name, in.Args = "push", []decode.Operand{{Kind: decode.Register, Width: 64, Reg: 2}}
		}},
		{"PrefetchPopcnt", "a position too many", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "lea").Args[1].Value += 8
		}},
		{"BlockContains8x64AVX2", "a wrong lane of an invariant", func(_, inv *string, _ []decode.Instruction) { replace(inv, "v8 = 0, 6, 12, 18", "v8 = 0, 6, 12, 19") }},
		{"BlockAdd8x64AVX2", "a block too far", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vmovdqu YMMWORD PTR [rsi+rdx*1+0x20],ymm5").Args[0].Value += 64
		}},
		{"BlockAdd8x64AVX2", "bits that are not set", func(_, _ *string, code []decode.Instruction) { nop(instruction(code, "vpor ymm5,")) }},
		{"BlockAdd8x64AVX2", "no vzeroupper", func(_, _ *string, code []decode.Instruction) { nop(instruction(code, "vzeroupper")) }},
		{"BlockContains8x64AVX2", "a store into what is only read", func(_, _ *string, code []decode.Instruction) {
			in := instruction(code, "vmovdqu ymm2,YMMWORD PTR [rsi+rdx*1]")
			in.Args[0], in.Args[1] = in.Args[1], in.Args[0]
		}},
		{"BlockContains8x64AVX2", "an answer turned", func(_, _ *string, code []decode.Instruction) { instruction(code, "setb").Name = "setae" }},
		{"BlockContains8x64AVX2", "a Requires line without avx2", func(s, _ *string, _ []decode.Instruction) { replace(s, "Requires  avx2", "Requires  avx") }},
		{"BlockContains512OneAVX2", "the word of another position", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vpsrld").Args[2].Value++
		}},
		{"BlockContains512OneAVX2", "a load of a word too far", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vpermd").Args[2].Value += 8
		}},
		{"BlockContains512OneAVX2", "the words lost", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "shr r15,0x1b").Args[0].Reg = 6
		}},
		{"BlockContains512AVX2", "a table of other rows", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "shl rdx,0x5").Args[1].Value++
		}},
		{"BlockContains512AVX2", "an answer turned", func(_, _ *string, code []decode.Instruction) { instruction(code, "setb").Name = "setae" }},
		{"BlockContains512AVX2", "the hashes lost", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "shr r15,0x1b").Args[0].Reg = 3
		}},
		{"BlockContains512OneAVX512", "a bit not rotated", func(_, _ *string, code []decode.Instruction) { nop(instruction(code, "vprorvq")) }},
		{"BlockContains512OneAVX512", "a load of a word too far", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vpermq").Args[2].Value += 8
		}},
		{"BlockAdd512OneAVX512", "the bits of a position left out", func(_, _ *string, code []decode.Instruction) { nop(instruction(code, "vporq zmm23")) }},
		{"BlockAdd512OneAVX512", "a block too far", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vmovdqu64 ZMMWORD PTR [rsi+rdx*1]").Args[0].Value += 64
		}},
		{"BlockAdd512OneAVX512", "the array lost", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "shr r15,0x1b").Args[0].Reg = 8
		}},
		{"BlockAdd512AVX512", "the bits of a position left out", func(_, _ *string, code []decode.Instruction) { nop(instruction(code, "vporq zmm6")) }},
		{"BlockAdd512AVX512", "a wrong lane of an invariant", func(_, inv *string, _ []decode.Instruction) {
			replace(inv, "z16 = 0, 9, 18, 27", "z16 = 0, 9, 18, 28")
		}},
		{"AddAVX512", "a bit that is not set", func(_, _ *string, code []decode.Instruction) { instruction(code, "bts").Name = "bt" }},
		{"AddAVX512", "a frame that is larger than declared", func(s, _ *string, _ []decode.Instruction) { replace(s, "$192-104", "$128-104") }},
		{"AddAVX512", "a store of a word too far", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "mov QWORD PTR [rsi+rdx*8],r13").Args[0].Value += 8
		}},
		{"AddAVX512", "another multiplier of the stream", func(_, _ *string, code []decode.Instruction) { nop(instruction(code, "vpmullq")) }},
		{"ContainsOneAVX512", "a bit not rotated", func(_, _ *string, code []decode.Instruction) { nop(instruction(code, "vprorvq")) }},
		{"ContainsOneAVX512", "positions that are no key's", func(_, _ *string, code []decode.Instruction) {
			to := &instruction(code, "vpsrlq zmm1{k1}{z}").Args[0]
			to.Mask, to.Zeroed = 0, false
		}},
		{"ContainsOneAVX512", "a slot that is not aligned", func(_, _ *string, code []decode.Instruction) { nop(instruction(code, "and rdi")) }},
		{"ContainsOneAVX2", "a load of a word too far", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "mov rcx,QWORD PTR [rsi+rcx*8]").Args[1].Value += 8
		}},
		{"ContainsOneAVX2", "the wrong number of turns", func(_, _ *string, code []decode.Instruction) { instruction(code, "sub rbx,0x4").Args[1].Value++ }},
		{"AddOneAVX2", "a store of a word too far", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "mov QWORD PTR [rsi+rcx*8],rdx").Args[0].Value += 8
		}},
		{"AddOneAVX2", "a wrong invariant", func(_, inv *string, _ []decode.Instruction) { replace(inv, "v1 = 4*g", "v1 = 8*g") }},
		{"AddOneAVX2", "the words lost", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "shr rcx,0x6").Args[0].Reg = 6
		}},
		{"ContainsGatherAVX512", "a word too far", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vpgatherqq zmm10").Args[1].Value += 8
		}},
		{"ContainsGatherAVX512", "no mask on the hashes", func(_, _ *string, code []decode.Instruction) {
			from := &instruction(code, "vmovdqu64 zmm13{k6}{z}").Args[0]
			from.Mask, from.Zeroed = 0, false
		}},
		{"ContainsGatherAVX512", "the answer of another key", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vpmovqb QWORD PTR [rdi+0x8],zmm17").Args[1].Reg = 9
		}},
		{"ContainsGatherAVX512", "an answer too many", func(_, _ *string, code []decode.Instruction) {
			to := &instruction(code, "vpmovqb QWORD PTR [rdi+0x8]{k2}").Args[0]
			to.Mask = 1
		}},
		{"ContainsGatherAVX512", "keys found that are not there", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vpaddq zmm11{k2}").Args[0].Mask = 1
		}},
		{"ContainsGatherAVX512", "words of another size than the domain's", func(_, inv *string, _ []decode.Instruction) {
			replace(inv, "fact base <= 64 * len(words) - span", "fact base <= 65 * len(words) - span")
		}},
		{"TransitionStepAVX512", "a store of a word too far", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vmovupd ZMMWORD PTR [rsi-0x40]").Args[0].Value += 8
		}},
		{"TransitionStepAVX512", "the second product left out", func(_, _ *string, code []decode.Instruction) {
			nop(instruction(code, "vaddpd zmm0"))
		}},
		{"TransitionStepAVX512", "lanes that are no states", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vmovupd ZMMWORD PTR [rsi]{k1}").Args[0].Mask = 0
		}},
		{"TransitionStepAVX512", "facts that contradict one another", func(_, inv *string, _ []decode.Instruction) {
			replace(inv, "fact !less(left, 0)", "fact !less(left, 0)\nfact less(left, 0)")
		}},
		{"TransitionStepAVX2", "a store of a word too far", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vmovupd YMMWORD PTR [rsi-0x20]").Args[0].Value += 8
		}},
		{"TransitionStepAVX2", "the second product left out", func(_, _ *string, code []decode.Instruction) {
			nop(instruction(code, "vaddpd ymm0"))
		}},
		{"TransitionStepAVX2", "a lane that is no state", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vmovdqu ymm5").Args[1].Value -= 8
		}},
		{"TransitionStepAVX2", "the third state of the first", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vinsertf128 ymm0").Args[2].Reg = 0
		}},
		{"TransitionSumsAVX512", "a store of a word too far", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vmovupd ZMMWORD PTR [rsi]{k1},zmm15").Args[0].Value += 8
		}},
		{"TransitionSumsAVX512", "lanes that are no states", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vmovupd ZMMWORD PTR [rsi]{k1},zmm15").Args[0].Mask = 0
		}},
		{"TransitionSumsAVX512", "a polynomial that does not grow", func(_, _ *string, code []decode.Instruction) {
			nop(instruction(code, "vaddpd zmm0,zmm0,zmm12"))
		}},
		{"TransitionSumsAVX512", "a wrong fact of an invariant", func(_, inv *string, _ []decode.Instruction) {
			replace(inv, "k < len(part) >> 3", "k < len(part) >> 4")
		}},
		{"TransitionRowsAVX512", "a store of a word too far", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vmovupd ZMMWORD PTR [rsi]{k1},zmm14").Args[0].Value += 8
		}},
		{"TransitionRowsAVX512", "lanes that are no states", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vmovupd ZMMWORD PTR [rsi]{k1},zmm14").Args[0].Mask = 0
		}},
		{"TransitionRowsAVX512", "rows of another stride", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "shl r8,0x3").Args[1].Value++
		}},
		{"TransitionRowsAVX512", "a position too many", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "cmp rdx,0xc").Args[1].Value++
		}},
		{"TransitionRowsAVX512", "a condition turned", func(_, _ *string, code []decode.Instruction) { instruction(code, "jg").Name = "jge" }},
		{"TransitionRowsAVX512", "clear bits with the wrong sign", func(_, _ *string, code []decode.Instruction) {
			in := instruction(code, "vsubpd zmm19,zmm19,zmm15")
			in.Args[1], in.Args[2] = in.Args[2], in.Args[1]
		}},
		{"TransitionRowsAVX512", "a wrong fact of an invariant", func(_, inv *string, _ []decode.Instruction) {
			replace(inv, "fact len(dst) == n + k*stride", "fact len(dst) == n + k*stride + stride")
		}},
		{"TransitionRowsAVX2", "a store of a word too far", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vmovupd YMMWORD PTR [rsi],ymm14").Args[0].Value += 8
		}},
		{"TransitionRowsAVX2", "a frame that is larger than declared", func(s, _ *string, _ []decode.Instruction) { replace(s, "$544-72", "$536-72") }},
		{"TransitionRowsAVX2", "a lane that is no state", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vmovdqu ymm0").Args[1].Value -= 8
		}},
		{"TransitionRowsAVX2", "a row that is not copied", func(_, _ *string, code []decode.Instruction) {
			code[slices.IndexFunc(code, func(in decode.Instruction) bool { return in.Name == "dec" })+1].Name = "jg"
		}},
		{"TransitionRowsAVX2", "rows copied to another stride", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "add rdi,r10").Args[1].Reg = 8
		}},
		{"TransitionRowsAVX2", "rows that do not fit the frame", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "mov r8d,0x20").Args[1].Value = 64
		}},
		{"TransitionRowsAVX2", "states that do not go on", func(_, _ *string, code []decode.Instruction) {
			nop(instruction(code, "vaddpd ymm12,ymm12,YMMWORD PTR [rsp+0x40]"))
		}},
		{"TransitionRowsAVX2", "a wrong row of an invariant", func(_, inv *string, _ []decode.Instruction) {
			replace(inv, "when $ <= k: stack(32*$ - 424) = r$_0, r$_1, r$_2", "when $ <= k: stack(32*$ - 424) = r$_0, r$_2, r$_2")
		}},
		{"TransitionSumsAVX2", "a store of a word too far", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vmovupd YMMWORD PTR [rsi],ymm14").Args[0].Value += 8
		}},
		{"TransitionSumsAVX2", "sums that are not added", func(_, _ *string, code []decode.Instruction) {
			nop(instruction(code, "vaddpd ymm14,ymm14,YMMWORD PTR [rsi]"))
		}},
		{"TransitionSumsAVX2", "the sums of other states", func(_, _ *string, code []decode.Instruction) { nop(instruction(code, "xor r10,0x20")) }},
		{"TransitionSumsAVX2", "weights a word too far", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vmulpd ymm14,ymm14,YMMWORD PTR [rbx]").Args[2].Value += 8
		}},
		{"TransitionSumsAVX2", "no weight of the third state", func(_, _ *string, code []decode.Instruction) { nop(instruction(code, "vinsertf128")) }},
		{"TransitionSumsAVX2", "a row that is not fetched", func(_, _ *string, code []decode.Instruction) {
			code[slices.IndexFunc(code, func(in decode.Instruction) bool { return in.Name == "dec" })+1].Name = "jg"
		}},
		{"TransitionSumsAVX2", "a lane that is no state", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vmovdqu ymm0").Args[1].Value -= 8
		}},
		{"TransitionSumsAVX2", "a wrong fact of an invariant", func(_, inv *string, _ []decode.Instruction) {
			replace(inv, "fact 8*k + 8 <= len(part)", "fact 8*k + 16 <= len(part)")
		}},
		{"TransitionSumsAVX2", "a case left out", func(_, inv *string, _ []decode.Instruction) {
			replace(inv, "cases few 1 1\n", "")
		}},
		{"ContainsRingPopcnt", "a key too many in flight", func(_, _ *string, code []decode.Instruction) { instruction(code, "mov rdi,0x40").Args[1].Value++ }},
		{"ContainsRingPopcnt", "a round for which keys are missing", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "sub rcx,0x80").Args[1].Value -= 2
		}},
		{"ContainsRingPopcnt", "a load of a word too far", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "mov r13,QWORD PTR [rbx+r13*8]").Args[1].Value += 8
		}},
		{"ContainsRingPopcnt", "the answer of the key after it", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "setb BYTE PTR [r9+r15*1]").Args[0].Value++
		}},
		{"ContainsRingPopcnt", "a state for a position", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "mov QWORD PTR [rsi],rdx").Args[1].Reg = 0
		}},
		{"ContainsRingPopcnt", "half of a record left behind", func(_, _ *string, code []decode.Instruction) {
			nop(instruction(code, "movups XMMWORD PTR [rsi+0x10],xmm1"))
		}},
		{"ContainsRingPopcnt", "bits beyond the answers counted", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "popcnt r15,QWORD PTR [r9]").Args[1].Value++
		}},
		{"ContainsRingPopcnt", "a frame that the check does not cover", func(_, _ *string, code []decode.Instruction) { code[0].Room -= 8 }},
		{"ContainsRingPopcnt", "a record filled too early", func(_, inv *string, _ []decode.Instruction) { replace(inv, "filled ring slot", "filled ring slot + 1") }},
		{"ContainsRingPopcnt", "records elsewhere in the frame", func(_, inv *string, _ []decode.Instruction) { replace(inv, "SP - 2088", "SP - 2080") }},
		{"ContainsRingAVX512", "a vector too many in flight", func(_, _ *string, code []decode.Instruction) { instruction(code, "mov eax,0xc").Args[1].Value++ }},
		{"ContainsRingAVX512", "a load of a word too far", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vmovq xmm7,QWORD PTR [rsi+rax*8]").Args[1].Value += 8
		}},
		{"ContainsRingAVX512", "an answer that is no key's", func(_, inv *string, _ []decode.Instruction) { replace(inv, "filled list held", "filled list held + 1") }},
		{"ContainsRingAVX512", "a frame that the check does not cover", func(_, _ *string, code []decode.Instruction) { code[0].Room -= 8 }},
		{"ContainsRingAVX512", "no mask on the hashes", func(_, _ *string, code []decode.Instruction) {
			from := &instruction(code, "vmovdqu64 zmm1{k4}{z}").Args[0]
			from.Mask, from.Zeroed = 0, false
		}},
		{"ContainsRingAVX512", "keys taken that are not there", func(_, _ *string, code []decode.Instruction) { nop(instruction(code, "cmovg r8")) }},
		{"ContainsRingAVX512", "the list emptied late", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "lea r13,").Args[1].Value += 64
		}},
		{"ContainsPairRingPopcnt", "the word of the other array", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "mov r15,QWORD PTR [rbx+r13*8]").Args[1].Value += 8
		}},
		{"ContainsPairRingPopcnt", "a key that begins in one array", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "mov BYTE PTR [r9+r13*1],0x3").Args[1].Value = 1
		}},
		{"ContainsPairRingPopcnt", "an answer that forgets", func(_, _ *string, code []decode.Instruction) { nop(instruction(code, "and r15d,eax")) }},
		{"ContainsPairRingPopcnt", "another condition", func(_, _ *string, code []decode.Instruction) { instruction(code, "jg").Name = "jge" }},
		{"ContainsPairRingPopcnt", "the pair lost", func(_, _ *string, code []decode.Instruction) { instruction(code, "shr r13,0x6").Args[0].Reg = 3 }},
		{"ContainsAVX2", "a load of a word too far", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "shrx rdx,QWORD PTR [rsi+rax*8],rdx").Args[1].Value += 8
		}},
		{"ContainsAVX2", "a hash copied too far", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vmovdqa XMMWORD PTR [rcx+rax*1+0x50]").Args[0].Value += 16
		}},
		{"ContainsAVX2", "the answer of another key", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "mov BYTE PTR [rax+0x1],r9b").Args[1].Reg = 8
		}},
		{"ContainsAVX2", "the argument words lost", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "mov QWORD PTR [rsp+0x188],rax").Args[0].Value += 24
		}},
		{"ContainsAVX2", "a step left out", func(_, _ *string, code []decode.Instruction) {
			nop(instruction(code, "vpaddq ymm3,ymm3,YMMWORD PTR [rcx+0x40]"))
		}},
		{"ContainsAVX2", "another condition", func(_, _ *string, code []decode.Instruction) { instruction(code, "jg").Name = "jge" }},
		{"ContainsAVX2", "words of another size than the domain's", func(_, inv *string, _ []decode.Instruction) {
			replace(inv, "fact span + room == 64 * len(words)", "fact span + room == 65 * len(words)")
		}},
		{"AddAVX2", "a bit that is not set", func(_, _ *string, code []decode.Instruction) { instruction(code, "bts").Name = "bt" }},
		{"AddAVX2", "a ring of more rows than its frame has", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "mov eax,0x20").Args[1].Value++
		}},
		{"AddAVX2", "a position of the next row", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "mov rdx,QWORD PTR [r12]").Args[1].Value += 64
		}},
		{"AddAVX2", "a ring without an end", func(_, _ *string, code []decode.Instruction) { nop(instruction(code, "cmove r10")) }},
		{"AddAVX2", "a condition for a word too many", func(_, inv *string, _ []decode.Instruction) {
			replace(inv, "< used) || ring[16 + cell]", "<= used) || ring[16 + cell]")
		}},
		{"AddAVX2", "a condition for words beyond the ring", func(_, inv *string, _ []decode.Instruction) {
			replace(inv, "each !(cell >> 3 < end && ", "each !(")
		}},
		{"ContainsLevelsAVX2", "a position of another key", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "mov rdx,QWORD PTR [rcx+r10*8+0x10a0]").Args[1].Value += 8
		}},
		{"ContainsLevelsAVX2", "the answer of the key after it", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "mov BYTE PTR [r15+rax*1],0x1").Args[0].Value++
		}},
		{"ContainsLevelsAVX2", "a key that stays listed", func(_, _ *string, code []decode.Instruction) { nop(instruction(code, "and r13,rdx")) }},
		{"ContainsLevelsAVX2", "a list that is too short", func(_, _ *string, code []decode.Instruction) {
			nop(instruction(code, "mov QWORD PTR [rcx+r9*8+0x90],rax"))
		}},
		{"ContainsLevelsAVX2", "positions of the level before", func(_, _ *string, code []decode.Instruction) {
			nop(instruction(code, "add QWORD PTR [rsp+0x28d8],r8"))
		}},
		{"ContainsAVX512", "a load of a word too far", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vmovhps xmm7,xmm7,QWORD PTR [rsi+r13*8]").Args[2].Value += 8
		}},
		{"ContainsAVX512", "a bit not rotated", func(_, _ *string, code []decode.Instruction) { nop(instruction(code, "vprorvq")) }},
		{"ContainsAVX512", "positions of the turn before", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "vmovdqa64 zmm0,ZMMWORD PTR [r11+r9*1]").Args[1].Value -= 64
		}},
		{"ContainsAVX512", "more positions than the frame has room for", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "cmp rdx,0xc").Args[1].Value++
		}},
		{"ContainsAVX512", "positions that are no key's", func(_, _ *string, code []decode.Instruction) {
			to := &instruction(code, "vpsrlq zmm1{k1}{z}").Args[0]
			to.Mask, to.Zeroed = 0, false
		}},
		{"BlockAdd512OnePopcnt", "a block too far", func(_, _ *string, code []decode.Instruction) {
			instruction(code, "mov r15,QWORD PTR [rdx+rax*1]").Args[1].Value += 64
		}},
	} {
		t.Run(c.name+" with "+c.fault, func(t *testing.T) {
			now = t
			if !executed[c.name] {
				executed[c.name] = true
				known(c.name)
			}
			f, source, inv, code := text(c.name)
			c.make(&source, &inv, code)
			if _, err := proveFrom(refute, f, c.name, source, inv, code, program.ReadOnly); err == nil {
				t.Error("it is proved")
			} else {
				t.Log(err)
			}
		})
	}
}
