//go:build gc && !purego

#include "textflag.h"

// func SubsetPopcnt(a, b []uint64) bool
//
// Spec      SubsetPortable: no a[i]&^b[i] has a bit, i < n = min(len a, len b).
// Requires  popcnt.
// Touches   reads a[0:n] and b[0:n].
// Accepts   n = 0, any alignment, any overlap.
// Plan      4 words a turn, ended by the first that has a bit; then 0 to 3 single words.

#define pa   SI // next word of a
#define pb   DI // next word of b
#define left CX // words to do, less 4 inside turn
#define t0   R8
#define t1   R9
#define t2   R10
#define t3   R11

TEXT ·SubsetPopcnt(SB), NOSPLIT, $0-49
	MOVQ    a_base+0(FP), pa
	MOVQ    a_len+8(FP), left
	MOVQ    b_base+24(FP), pb
	MOVQ    b_len+32(FP), t0
	CMPQ    t0, left
	CMOVQLT t0, left               // left = n
	SUBQ    $4, left
	JLT     tail

	PCALIGN $32
turn: // left >= 0: left+4 words to do, no bit before pa
	MOVQ    0(pb), t0
	MOVQ    8(pb), t1
	MOVQ    16(pb), t2
	MOVQ    24(pb), t3
	NOTQ    t0
	NOTQ    t1
	NOTQ    t2
	NOTQ    t3
	ANDQ    0(pa), t0
	ANDQ    8(pa), t1
	ANDQ    16(pa), t2
	ANDQ    24(pa), t3
	ORQ     t1, t0
	ORQ     t3, t2
	ORQ     t2, t0
	JNE     no
	ADDQ    $32, pa
	ADDQ    $32, pb
	SUBQ    $4, left
	JGE     turn

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
	MOVB    $1, ret+48(FP)
	RET

no:
	MOVB    $0, ret+48(FP)
	RET
