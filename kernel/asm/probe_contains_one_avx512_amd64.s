//go:build gc && !purego

#include "textflag.h"
#include "probe_avx512_amd64.h"

// func ContainsOneAVX512(words []uint64, h0, h1 uint64, k int, span, step uint64) bool
//
// Spec      ContainsPortable for the key h0, h1: whether all its k positions are set.
// Requires  avx2, popcnt, avx512f, avx512dq, avx512ifma.
// Touches   reads words at positions and word 0.
// Accepts   any k >= 1; every position within words.
// Plan      8 positions a turn, the words loaded one by one, no branch on a bit but between
//           turns. It is ContainsAVX512 for one key, with fewer arguments and without a loop
//           over keys.

#define words SI
#define left  BX // positions to do, less those of the turns
#define slot  DI // 64 bytes on the stack, for numbers of words
#define t0    CX
#define t1    DX
#define w     Z7 // words
#define some  K1 // lanes that matter
#define clear K2 // those whose bit is clear

// TWO sets the lanes of x to the words whose numbers are d bytes from slot on.
#define TWO(d, x) \
	MOVQ d(slot), t0; \
	MOVQ d+8(slot), t1; \
	VMOVQ (words)(t0*8), x; \
	VMOVHPS (words)(t1*8), x, x

TEXT ·ContainsOneAVX512(SB), NOSPLIT, $128-65
	MOVQ words_base+0(FP), words
	MOVQ k+40(FP), left
	VPBROADCASTQ h1+32(FP), gamma
	VMOVDQU64 from0<>(SB), j
	VPORQ.BCST unit<>(SB), gamma, gamma
	VPADDQ.BCST h0+24(FP), gamma, start
	LEAQ 63(SP), slot
	ANDQ $~63, slot

turn: // left >= 1: the positions before are set
	ALONG(span+48(FP), step+56(FP))
	VPCMPUQ.BCST $1, k+40(FP), j, some // j < k
	VPSRLQ.Z $6, p, some, v0       // word 0 for the others, whose positions may lie outside
	VMOVDQA64 v0, (slot)
	TWO(0, X7)
	TWO(16, X8)
	TWO(32, X9)
	TWO(48, X10)
	VINSERTI128 $1, X8, Y7, Y7
	VINSERTI128 $1, X10, Y9, Y9
	VINSERTI64X4 $1, Y9, w, w
	VPRORVQ p, w, w
	VPTESTNMQ.BCST unit<>(SB), w, some, clear
	SUBQ $8, left
	JLE  answer
	KORTESTW clear, clear
	JNE  answer
	NEXT
	JMP  turn

answer:
	KORTESTW clear, clear
	SETEQ ret+64(FP)
	VZEROUPPER
	RET
