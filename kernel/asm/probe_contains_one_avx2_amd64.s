//go:build gc && !purego

#include "textflag.h"
#include "probe_positions_avx2_amd64.h"
#include "probe_along_avx2_amd64.h"

// func ContainsOneAVX2(words []uint64, h0, h1 uint64, k int, span, step uint64) bool
//
// Spec      ContainsPortable for the key h0, h1: whether all its k positions are set.
// Requires  avx2, popcnt, bmi2.
// Touches   reads words at positions.
// Accepts   any k >= 1; every position within words.
// Plan      8 positions a turn, derived 4 in a vector, then looked at on general registers,
//           without a branch on a bit within a turn.

#define found AX // 1 if the positions so far are set, and 0
#define t     CX

// LOOK clears found unless the position at is set.
#define LOOK(at) \
	MOVQ at, t; \
	SHRQ $6, t; \
	MOVQ (words)(t*8), t; \
	BTQ  at, t; \
	SBBQ t, t; /* -1 if it is set */ \
	ANDL t, found

TEXT ·ContainsOneAVX2(SB), NOSPLIT, $0-65
	MOVQ words_base+0(FP), words
	MOVQ k+40(FP), left
	CONSTANTS(span+48(FP))
	CONSTANTSANY(step+56(FP))
	KEY(h0+24(FP), h1+32(FP), span+48(FP), step+56(FP))
	MOVL $1, found
	JNE  start

turn: // left >= 1: the positions before are set
	EIGHT(whole)
ready:
	CMPQ left, $4
	JLT  few
	FOUR
	LOOK(a)
	LOOK(b)
	LOOK(c)
	LOOK(d)
	SUBQ $4, left
	JEQ  answer
	VMOVDQA q, p
	CMPQ left, $4
	JLT  few
	FOUR
	LOOK(a)
	LOOK(b)
	LOOK(c)
	LOOK(d)
	SUBQ $4, left
	JEQ  answer
	TESTL found, found
	JNE  turn
	JMP  answer

few: // 1 <= left <= 3
	VMOVQ px, a
	LOOK(a)
	CMPQ left, $2
	JLT  answer
	VPEXTRQ $1, px, b
	LOOK(b)
	CMPQ left, $2
	JEQ  answer
	VEXTRACTI128 $1, p, px
	VMOVQ px, c
	LOOK(c)

answer:
	MOVB found, ret+64(FP)
	VZEROUPPER
	RET

start:
	KEYANY
	JMP  turn

whole:
	EIGHTANY
	JMP  ready
