//go:build gc && !purego && !race

#include "go_asm.h"
#include "textflag.h"

// The kernels for one key have arguments and results where the functions here have them, so that
// these jump to a kernel, which returns to their caller. The rest goes to Go. A hash may stand where
// the key's address stood: nothing looks at the stack before the function that is jumped to
// has begun, and by its arguments that is a number (TestOneKeyGrowsStacks).

DATA factors<>+0(SB)/8, $0x9e3779b185ebcaa7
DATA factors<>+8(SB)/8, $0x9fb21c651e98df25
DATA factors<>+16(SB)/8, $0x165667919e3779f9
GLOBL factors<>(SB), RODATA|NOPTR, $24

// HASH puts the hash of a key of 8 bytes, asm.HashWord, in place of key and n, or goes on to rest
// with other keys and schemes. R8 is the filter.
#define HASH \
	MOVQ f+0(FP), R8; \
	CMPQ n+16(FP), $8; \
	JNE  rest; \
	CMPB (Filter_one+oneKey_short)(R8), $0; \
	JEQ  rest; \
	MOVQ key+8(FP), BX; \
	MOVQ (Filter_one+oneKey_flip)(R8), AX; \
	XORQ (BX), AX; \
	MULQ factors<>+0(SB); \
	LEAQ (DX)(AX*2), DX; \
	MOVQ DX, CX; \
	SHRQ $3, CX; \
	XORQ CX, AX; \
	MOVQ AX, CX; \
	SHRQ $35, CX; \
	XORQ CX, AX; \
	IMULQ factors<>+8(SB), AX; \
	MOVQ AX, CX; \
	SHRQ $28, CX; \
	XORQ CX, AX; \
	MOVQ AX, key+8(FP); \
	MOVQ DX, CX; \
	SHRQ $37, CX; \
	XORQ CX, DX; \
	IMULQ factors<>+16(SB), DX; \
	MOVQ DX, CX; \
	SHRQ $32, CX; \
	XORQ CX, DX; \
	MOVQ DX, n+16(FP)

// CONTAINS goes on to the look-up of the filter's way.
#define CONTAINS \
	MOVBLZX (Filter_one+oneKey_way)(R8), R9; \
	CMPB R9, $const_way512AVX512; \
	JNE  not1; \
	JMP  github·com∕bloomproof∕bloomproof∕kernel∕asm·BlockContains512OneAVX512(SB); \
not1: \
	CMPB R9, $const_way8x64AVX512; \
	JNE  not2; \
	JMP  github·com∕bloomproof∕bloomproof∕kernel∕asm·BlockContains8x64OneAVX512(SB); \
not2: \
	CMPB R9, $const_way512AVX2; \
	JNE  not3; \
	JMP  github·com∕bloomproof∕bloomproof∕kernel∕asm·BlockContains512OneAVX2(SB); \
not3: \
	CMPB R9, $const_way8x64AVX2; \
	JNE  not4; \
	JMP  github·com∕bloomproof∕bloomproof∕kernel∕asm·BlockContains8x64OneAVX2(SB); \
not4: \
	CMPB R9, $const_way8x32AVX2; \
	JNE  not5; \
	JMP  github·com∕bloomproof∕bloomproof∕kernel∕asm·BlockContains8x32OneAVX2(SB); \
not5: \
	JMP  ·containsHashRest(SB)

// ADD goes on to the addition of the filter's way.
#define ADD \
	MOVBLZX (Filter_one+oneKey_way)(R8), R9; \
	CMPB R9, $const_way512AVX512; \
	JNE  not1; \
	JMP  github·com∕bloomproof∕bloomproof∕kernel∕asm·BlockAdd512OneAVX512(SB); \
not1: \
	CMPB R9, $const_way8x64AVX512; \
	JNE  not2; \
	JMP  github·com∕bloomproof∕bloomproof∕kernel∕asm·BlockAdd8x64OneAVX512(SB); \
not2: \
	CMPB R9, $const_way512AVX2; \
	JNE  not3; \
	JMP  github·com∕bloomproof∕bloomproof∕kernel∕asm·BlockAdd512OnePopcnt(SB); \
not3: \
	CMPB R9, $const_way8x64AVX2; \
	JNE  not4; \
	JMP  github·com∕bloomproof∕bloomproof∕kernel∕asm·BlockAdd8x64OneAVX2(SB); \
not4: \
	CMPB R9, $const_way8x32AVX2; \
	JNE  not5; \
	JMP  github·com∕bloomproof∕bloomproof∕kernel∕asm·BlockAdd8x32OneAVX2(SB); \
not5: \
	JMP  ·addHashRest(SB)

// func containsKey(f *Filter, key *byte, n int) bool
TEXT ·containsKey(SB), NOSPLIT, $0-25
	HASH
	CONTAINS

rest:
	JMP  ·containsKeyRest(SB)

// func addKey(f *Filter, key *byte, n int) (fresh uint64)
TEXT ·addKey(SB), NOSPLIT, $0-32
	HASH
	ADD

rest:
	JMP  ·addKeyRest(SB)

// func containsInBlock(f *Filter, h0, h1 uint64) bool
TEXT ·containsInBlock(SB), NOSPLIT, $0-25
	MOVQ f+0(FP), R8
	CONTAINS

// func addInBlock(f *Filter, h0, h1 uint64) (fresh uint64)
TEXT ·addInBlock(SB), NOSPLIT, $0-32
	MOVQ f+0(FP), R8
	ADD
