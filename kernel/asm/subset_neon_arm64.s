//go:build gc && !purego

#include "textflag.h"

// func SubsetNEON(a, b []uint64) bool
//
// Spec      SubsetPortable: no a[i]&^b[i] has a bit, i < n = min(len a, len b).
// Requires  nothing beyond arm64.
// Touches   reads a[0:n] and b[0:n].
// Accepts   n = 0, any alignment, any overlap.
// Plan      8 words a turn, ended by the first that has a bit; then 0 to 7 single words.

#define pa   R0 // next word of a
#define pb   R1 // next word of b
#define left R2 // words to do, less 8 inside turn
#define t0   R3
#define t1   R4

// OVER turns the words of v, a's, into those of a|b ^ b, which is a &^ b, with w, b's.
#define OVER(v, w) VORR w.B16, v.B16, v.B16; VEOR w.B16, v.B16, v.B16

TEXT ·SubsetNEON(SB), NOSPLIT, $0-49
	MOVD a_base+0(FP), pa
	MOVD a_len+8(FP), left
	MOVD b_base+24(FP), pb
	MOVD b_len+32(FP), t0
	CMP  left, t0
	CSEL LT, t0, left, left        // left = n
	SUBS $8, left, left
	BLT  tail

	PCALIGN $32
turn: // left >= 0: left+8 words to do, no bit before pa
	VLD1.P 64(pa), [V0.B16, V1.B16, V2.B16, V3.B16]
	VLD1.P 64(pb), [V4.B16, V5.B16, V6.B16, V7.B16]
	OVER(V0, V4)
	OVER(V1, V5)
	OVER(V2, V6)
	OVER(V3, V7)
	VORR V1.B16, V0.B16, V0.B16
	VORR V3.B16, V2.B16, V2.B16
	VORR V2.B16, V0.B16, V0.B16
	VMOV V0.D[0], t0
	VMOV V0.D[1], t1
	ORR  t1, t0, t0
	CBNZ t0, no
	SUBS $8, left, left
	BGE  turn

tail:
	ADD  $8, left                  // 0 <= left <= 7
	CBZ  left, yes

word: // left >= 1: no bit before pa
	MOVD.P 8(pa), t0
	MOVD.P 8(pb), t1
	BIC  t1, t0, t0
	CBNZ t0, no
	SUB  $1, left
	CBNZ left, word

yes:
	MOVD $1, t0
	MOVB t0, ret+48(FP)
	RET

no:
	MOVB ZR, ret+48(FP)
	RET
