//go:build gc && !purego

#include "textflag.h"

// func SubsetAVX2(a, b []uint64) bool
//
// Spec      SubsetPortable: no a[i]&^b[i] has a bit, i < n = min(len a, len b).
// Requires  avx2, popcnt.
// Touches   reads a[0:n] and b[0:n].
// Accepts   n = 0, any alignment, any overlap.
// Plan      16 words a turn, ended by the first that has a bit; then 4 words a step; then
//           0 to 3 single words.

#define pa   SI // next word of a
#define pb   DI // next word of b
#define left CX // words to do, less those of a turn or step inside it
#define t0   R8
#define v0   Y0
#define v1   Y1
#define v2   Y2
#define v3   Y3

// OVER sets v to a &^ b of 4 words.
#define OVER(at, v) VMOVDQU at(pb), v; VPANDN at(pa), v, v

TEXT ·SubsetAVX2(SB), NOSPLIT, $0-49
	MOVQ    a_base+0(FP), pa
	MOVQ    a_len+8(FP), left
	MOVQ    b_base+24(FP), pb
	MOVQ    b_len+32(FP), t0
	CMPQ    t0, left
	CMOVQLT t0, left               // left = n
	SUBQ    $16, left
	JLT     steps

	PCALIGN $32
turn: // left >= 0: left+16 words to do, no bit before pa
	OVER(0, v0)
	OVER(32, v1)
	OVER(64, v2)
	OVER(96, v3)
	VPOR    v1, v0, v0
	VPOR    v3, v2, v2
	VPOR    v2, v0, v0
	VPTEST  v0, v0
	JNE     no
	ADDQ    $128, pa
	ADDQ    $128, pb
	SUBQ    $16, left
	JGE     turn

steps:
	ADDQ    $12, left              // -4 <= left <= 11: left+4 words to do
	JLT     tail

step: // left >= 0: left+4 words to do, no bit before pa
	OVER(0, v0)
	VPTEST  v0, v0
	JNE     no
	ADDQ    $32, pa
	ADDQ    $32, pb
	SUBQ    $4, left
	JGE     step

tail:
	ADDQ    $4, left               // 0 <= left <= 3
	JEQ     yes

word: // 1 <= left <= 3: no bit before pa
	MOVQ    (pb), t0
	NOTQ    t0
	TESTQ   t0, (pa)
	JNE     no
	ADDQ    $8, pa
	ADDQ    $8, pb
	DECQ    left
	JNE     word

yes:
	VZEROUPPER
	MOVB    $1, ret+48(FP)
	RET

no:
	VZEROUPPER
	MOVB    $0, ret+48(FP)
	RET
