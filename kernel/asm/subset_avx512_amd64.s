//go:build gc && !purego

#include "textflag.h"

// func SubsetAVX512(a, b []uint64) bool
//
// Spec      SubsetPortable: no a[i]&^b[i] has a bit, i < n = min(len a, len b).
// Requires  avx2, avx512f, avx512vpopcntdq.
// Touches   reads a[0:n] and b[0:n].
// Accepts   n = 0, any alignment, any overlap.
// Plan      32 words a turn, ended by the first that has a bit; then 8 words a step; then
//           0 to 7 words under a mask.

#define pa   SI // next word of a
#define pb   DI // next word of b
#define left CX // words to do, less those of a turn or step inside it
#define t0   R8
#define v0   Z0
#define v1   Z1
#define v2   Z2
#define v3   Z3
#define some K1 // the lanes of a vector that are inside the arguments
#define bad  K2 // the lanes that have a bit

// OVER sets v to a &^ b of 8 words.
#define OVER(at, v) VMOVDQU64 at(pb), v; VPANDNQ at(pa), v, v

TEXT ·SubsetAVX512(SB), NOSPLIT, $0-49
	MOVQ    a_base+0(FP), pa
	MOVQ    a_len+8(FP), left
	MOVQ    b_base+24(FP), pb
	MOVQ    b_len+32(FP), t0
	CMPQ    t0, left
	CMOVQLT t0, left               // left = n
	SUBQ    $32, left
	JLT     steps

	PCALIGN $32
turn: // left >= 0: left+32 words to do, no bit before pa
	OVER(0, v0)
	OVER(64, v1)
	OVER(128, v2)
	OVER(192, v3)
	VPORQ   v1, v0, v0
	VPORQ   v3, v2, v2
	VPORQ   v2, v0, v0
	VPTESTMQ v0, v0, bad
	KORTESTW bad, bad
	JNE     no
	ADDQ    $256, pa
	ADDQ    $256, pb
	SUBQ    $32, left
	JGE     turn

steps:
	ADDQ    $24, left              // -8 <= left <= 23: left+8 words to do
	JLT     tail

step: // left >= 0: left+8 words to do, no bit before pa
	OVER(0, v0)
	VPTESTMQ v0, v0, bad
	KORTESTW bad, bad
	JNE     no
	ADDQ    $64, pa
	ADDQ    $64, pb
	SUBQ    $8, left
	JGE     step

tail:
	ADDQ    $8, left               // 0 <= left <= 7
	JEQ     yes
	MOVL    $1, t0
	SHLQ    CX, t0
	DECQ    t0
	KMOVW   t0, some               // the lowest left lanes
	VMOVDQU64.Z (pb), some, v0
	VPANDNQ.Z (pa), v0, some, v0
	VPTESTMQ v0, v0, bad
	KORTESTW bad, bad
	JNE     no

yes:
	VZEROUPPER
	MOVB    $1, ret+48(FP)
	RET

no:
	VZEROUPPER
	MOVB    $0, ret+48(FP)
	RET
