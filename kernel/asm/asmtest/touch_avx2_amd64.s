//go:build gc && !purego

#include "textflag.h"

// func touchAVX2(x []uint64)
//
// Spec      reads every word of x and does nothing with it.
// Requires  avx2.
// Touches   reads x[0:n].
// Accepts   n = 0, any alignment.
// Plan      16 words a turn in four loads; then 4 words a step; then 0 to 3 single words.

#define next SI // next word of x
#define left CX // words to do, less those of a turn or step inside it

TEXT ·touchAVX2(SB), NOSPLIT, $0-24
	MOVQ x_base+0(FP), next
	MOVQ x_len+8(FP), left
	SUBQ $16, left
	JLT  steps

	PCALIGN $32
turn: // left >= 0: left+16 words to do
	VMOVDQU 0(next), Y0
	VMOVDQU 32(next), Y1
	VMOVDQU 64(next), Y2
	VMOVDQU 96(next), Y3
	ADDQ $128, next
	SUBQ $16, left
	JGE  turn

steps:
	ADDQ $12, left // -4 <= left <= 11: left+4 words to do
	JLT  tail

step: // left >= 0: left+4 words to do
	VMOVDQU (next), Y0
	ADDQ $32, next
	SUBQ $4, left
	JGE  step

tail:
	VZEROUPPER
	ADDQ $4, left // 0 <= left <= 3
	JEQ  done

word: // 1 <= left <= 3
	MOVQ (next), AX
	ADDQ $8, next
	DECQ left
	JNE  word

done:
	RET
