//go:build gc && !purego

#include "textflag.h"

// func touchAVX512(x []uint64)
//
// Spec      reads every word of x and does nothing with it.
// Requires  avx512f.
// Touches   reads x[0:n].
// Accepts   n = 0, any alignment.
// Plan      32 words a turn in four loads; then single words.

#define next SI // next word of x
#define left CX // words to do, less 32 inside turn

TEXT ·touchAVX512(SB), NOSPLIT, $0-24
	MOVQ x_base+0(FP), next
	MOVQ x_len+8(FP), left
	SUBQ $32, left
	JLT  tail

	PCALIGN $32
turn: // left >= 0: left+32 words to do
	VMOVDQU64 0(next), Z0
	VMOVDQU64 64(next), Z1
	VMOVDQU64 128(next), Z2
	VMOVDQU64 192(next), Z3
	ADDQ $256, next
	SUBQ $32, left
	JGE  turn
	VZEROUPPER

tail:
	ADDQ $32, left // 0 <= left <= 31
	JEQ  done

word: // left >= 1
	MOVQ (next), AX
	ADDQ $8, next
	DECQ left
	JNE  word

done:
	RET
