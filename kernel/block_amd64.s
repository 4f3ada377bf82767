//go:build gc && !purego && !race

#include "go_asm.h"
#include "textflag.h"

// The operations on one key in blocks jump to the kernel, which has the same arguments and
// returns to the caller: a call in Go between them would cost a quarter of the time. The array
// that kernels take is the first field of oneBlock.

// func containsOneInBlock(one *oneBlock, h0, h1 uint64) bool
TEXT ·containsOneInBlock(SB), NOSPLIT, $0-25
	MOVQ one+0(FP), AX
	MOVBLZX oneBlock_way(AX), AX
	CMPB AX, $const_way512AVX512
	JNE  not0
	JMP  github·com∕bloomproof∕bloomproof∕kernel∕asm·BlockContains512OneAVX512(SB)

not0:
	CMPB AX, $const_way8x64AVX512
	JNE  not1
	JMP  github·com∕bloomproof∕bloomproof∕kernel∕asm·BlockContains8x64OneAVX512(SB)

not1:
	CMPB AX, $const_way512AVX2
	JNE  not2
	JMP  github·com∕bloomproof∕bloomproof∕kernel∕asm·BlockContains512OneAVX2(SB)

not2:
	CMPB AX, $const_way8x64AVX2
	JNE  not3
	JMP  github·com∕bloomproof∕bloomproof∕kernel∕asm·BlockContains8x64OneAVX2(SB)

not3:
	JMP  github·com∕bloomproof∕bloomproof∕kernel∕asm·BlockContains8x32OneAVX2(SB)

// func addOneInBlock(one *oneBlock, h0, h1 uint64) (fresh uint64)
TEXT ·addOneInBlock(SB), NOSPLIT, $0-32
	MOVQ one+0(FP), AX
	MOVBLZX oneBlock_way(AX), AX
	CMPB AX, $const_way512AVX512
	JNE  not0
	JMP  github·com∕bloomproof∕bloomproof∕kernel∕asm·BlockAdd512OneAVX512(SB)

not0:
	CMPB AX, $const_way8x64AVX512
	JNE  not1
	JMP  github·com∕bloomproof∕bloomproof∕kernel∕asm·BlockAdd8x64OneAVX512(SB)

not1:
	CMPB AX, $const_way512AVX2
	JNE  not2
	JMP  github·com∕bloomproof∕bloomproof∕kernel∕asm·BlockAdd512OnePopcnt(SB)

not2:
	CMPB AX, $const_way8x64AVX2
	JNE  not3
	JMP  github·com∕bloomproof∕bloomproof∕kernel∕asm·BlockAdd8x64OneAVX2(SB)

not3:
	JMP  github·com∕bloomproof∕bloomproof∕kernel∕asm·BlockAdd8x32OneAVX2(SB)
