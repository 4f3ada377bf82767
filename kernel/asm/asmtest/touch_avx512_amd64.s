//go:build gc && !purego

#include "textflag.h"

// func touchAVX512(x []uint64)
//
// Spec      reads every word of x and does nothing with it.
// Requires  avx512f.
// Touches   reads x[0:n].
// Accepts   n = 0, any alignment.
// Plan      32 words a turn in four loads, from 512 KiB up at four places at once; then 8
//           words a step; then 0 to 7 words under a mask.

#define next  SI // next word of x
#define third DI // the third place of reading
#define left  CX // words to do, less those of a turn or step inside it
#define apart DX // bytes from one place of reading to the next
#define t0    AX
#define some  K1 // the lanes of a vector that are inside x

TEXT ·touchAVX512(SB), NOSPLIT, $0-24
	MOVQ x_base+0(FP), next
	MOVQ x_len+8(FP), left
	SUBQ $32, left
	JLT  steps
	CMPQ left, $(65536-32)
	JLT  turn
	ADDQ $32, left
	MOVQ left, t0
	SHRQ $5, t0                    // turns to do
	MOVQ t0, apart
	SHLQ $6, apart                 // bytes of a quarter of their words
	LEAQ (next)(apart*2), third

	PCALIGN $32
far: // t0 >= 1 turns to do, each 8 words at next and third and 8 words apart from them
	VMOVDQU64 (next), Z0
	VMOVDQU64 (next)(apart*1), Z1
	VMOVDQU64 (third), Z2
	VMOVDQU64 (third)(apart*1), Z3
	ADDQ $64, next
	ADDQ $64, third
	DECQ t0
	JNE  far
	LEAQ (third)(apart*1), next
	ANDQ $31, left
	SUBQ $32, left
	JMP  steps

	PCALIGN $32
turn: // left >= 0: left+32 words to do
	VMOVDQU64 0(next), Z0
	VMOVDQU64 64(next), Z1
	VMOVDQU64 128(next), Z2
	VMOVDQU64 192(next), Z3
	ADDQ $256, next
	SUBQ $32, left
	JGE  turn

steps:
	ADDQ $24, left                 // -8 <= left <= 23: left+8 words to do
	JLT  last

step: // left >= 0: left+8 words to do
	VMOVDQU64 (next), Z0
	ADDQ $64, next
	SUBQ $8, left
	JGE  step

last:
	ADDQ $8, left                  // 0 <= left <= 7
	JEQ  done
	MOVL $1, t0
	SHLQ CX, t0
	DECQ t0
	KMOVW t0, some                 // the lowest left lanes
	VMOVDQU64.Z (next), some, Z0

done:
	VZEROUPPER
	RET
