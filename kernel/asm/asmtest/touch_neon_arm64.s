//go:build gc && !purego

#include "textflag.h"

// func touchNEON(x []uint64)
//
// Spec      reads every word of x and does nothing with it.
// Requires  nothing beyond arm64.
// Touches   reads x[0:n].
// Accepts   n = 0, any alignment.
// Plan      8 words a turn in one load; then single words.

#define next R0 // next word of x
#define left R1 // words to do, less 8 inside turn

TEXT ·touchNEON(SB), NOSPLIT, $0-24
	MOVD x_base+0(FP), next
	MOVD x_len+8(FP), left
	SUBS $8, left, left
	BLT  tail

	PCALIGN $32
turn: // left >= 0: left+8 words to do
	VLD1.P 64(next), [V0.B16, V1.B16, V2.B16, V3.B16]
	SUBS $8, left, left
	BGE  turn

tail:
	ADD  $8, left // 0 <= left <= 7
	CBZ  left, done

word: // left >= 1
	MOVD.P 8(next), R2
	SUB  $1, left
	CBNZ left, word

done:
	RET
