//go:build gc && !purego

#include "textflag.h"
#include "probe_positions_avx512_amd64.h"

// Contains, AVX512: in one form with gathers, for CPUs that are fast at them, and in one
// that loads the words one by one.
//
// Spec      ContainsPortable: out[i] = all k positions of key i are set; how many are.
// Requires  avx2, avx512f, avx512dq, avx512ifma.
// Touches   reads h[0:2n], words at positions and word 0; writes out[0:n].
// Accepts   n = 0, odd len(h), any k >= 1, any alignment; every position within words.
// Plan      A position of 8 or 16 keys a turn, no branch on its bit; every 8 turns, where
//           k > 8, a look whether any key is still in. Without gathers, the last 0 to 7
//           keys one by one, 8 positions a turn.

#define out   DI // next answer
#define words SI
#define keys  BX // next key
#define todo  R8 // keys to do
#define each  R9 // k
#define left  R10 // positions to do, less those of the turns
#define turns R11 // turns to the next look
#define slot  R12 // 64 bytes on the stack, for word numbers
#define hits AX
#define t0    R13
#define t1    DX
#define at    Z4 // numbers of the words of p
#define w     Z5 // words
#define all   Z6 // bit 0: whether the positions so far are set
#define sum   Z7 // keys found
#define evens Z8 // which words of two vectors are H0: {14, ..., 2, 0}
#define odds  Z9 // and H1
#define state1 Z10 // these for the second 8 keys
#define gamma1 Z11
#define p1    Z12
#define v1    Z13
#define at1   Z14
#define w1    Z15
#define all1  Z16
#define every K2 // all lanes
#define lanes K3 // those of this turn
#define clear K4 // positions found clear
#define go0   K5 // what a gather has to do
#define go1   K6

// STREAMS starts the streams of the 8 keys in v0 and p; x and g become state and gamma.
#define STREAMS(lo, hi, x, g) \
	VMOVDQA64 evens, x; \
	VPERMI2Q hi, lo, x; \
	VMOVDQA64 odds, g; \
	VPERMI2Q hi, lo, g; \
	VPORQ one, g, g

#define STREAMING \
	VMOVDQU64 upto8<>(SB), evens; \
	VPSLLQ $1, evens, odds; \
	VPSUBQ one, odds, odds; \
	VPSUBQ one, odds, evens

// WORDS sets the lanes of w to the words with the numbers at.
#define WORDS \
	VMOVDQA64 at, (slot); \
	MOVQ 0(slot), t0; \
	MOVQ 8(slot), t1; \
	VMOVQ (words)(t0*8), X5; \
	VMOVHPS (words)(t1*8), X5, X5; \
	MOVQ 16(slot), t0; \
	MOVQ 24(slot), t1; \
	VMOVQ (words)(t0*8), X10; \
	VMOVHPS (words)(t1*8), X10, X10; \
	MOVQ 32(slot), t0; \
	MOVQ 40(slot), t1; \
	VMOVQ (words)(t0*8), X11; \
	VMOVHPS (words)(t1*8), X11, X11; \
	MOVQ 48(slot), t0; \
	MOVQ 56(slot), t1; \
	VMOVQ (words)(t0*8), X12; \
	VMOVHPS (words)(t1*8), X12, X12; \
	VINSERTI128 $1, X10, Y5, Y5; \
	VINSERTI128 $1, X12, Y11, Y11; \
	VINSERTI64X4 $1, Y11, w, w

// ARGUMENTS loads them and goes to done when there is no key to do.
#define ARGUMENTS \
	MOVQ out_base+0(FP), out; \
	MOVQ out_len+8(FP), todo; \
	MOVQ words_base+24(FP), words; \
	MOVQ h_base+48(FP), keys; \
	MOVQ h_len+56(FP), t0; \
	MOVQ k+72(FP), each; \
	SHRQ $1, t0; \
	CMPQ t0, todo; \
	CMOVQLT t0, todo; \
	XORL hits, hits; \
	TESTQ todo, todo; \
	JEQ  done; \
	CONSTANTS(span+80(FP), step+88(FP))

// LOOK sets turns to the number of turns to the next look, 1 to 8.
#define LOOK \
	MOVL $8, turns; \
	CMPQ left, turns; \
	CMOVQLT left, turns; \
	SUBQ turns, left

// func ContainsAVX512(out []bool, words, h []uint64, k int, span, step uint64) (found int)
TEXT ·ContainsAVX512(SB), NOSPLIT, $128-104
	ARGUMENTS
	LEAQ 63(SP), slot
	ANDQ $~63, slot
	SUBQ $8, todo
	JLT  rest
	STREAMING
	VPXORQ sum, sum, sum

block: // todo+8 keys to do, todo >= 0; sum = keys found
	VMOVDQU64 (keys), v0
	VMOVDQU64 64(keys), p
	STREAMS(v0, p, state, gamma)
	VMOVDQA64 one, all
	VPXORQ base, base, base
	MOVQ each, left

look: // left >= 1
	LOOK

turn: // turns >= 1: all = whether the positions before are set
	VPADDQ gamma, state, state
	POSITION(state, v0, p)
	VPADDQ stride, base, base
	VPSRLQ $6, p, at
	WORDS
	VPRORVQ p, w, w
	VPANDQ w, all, all
	DECQ turns
	JNE  turn
	TESTQ left, left
	JEQ  answer
	VPTESTMQ all, all, lanes
	KORTESTW lanes, lanes
	JNE  look

answer:
	VPMOVQB all, (out)
	VPADDQ all, sum, sum
	ADDQ $8, out
	ADDQ $128, keys
	SUBQ $8, todo
	JGE  block

	VEXTRACTI64X4 $1, sum, Y10
	VPADDQ Y10, Y7, Y7             // sums {7+3, 6+2, 5+1, 4+0}
	VEXTRACTI128 $1, Y7, X10
	VPADDQ X10, X7, X7             // sums {7+5+3+1, 6+4+2+0}
	VPSHUFD $0xee, X7, X10
	VPADDQ X10, X7, X7
	VMOVQ X7, hits

rest:
	ADDQ $8, todo                  // 0 <= todo <= 7
	JEQ  none
	MOVQ each, CX
	ALONG
	KXNORB every, every, every

key: // todo >= 1
	KEY(keys)
	MOVQ each, left

along: // left >= 1: the positions before are set
	POSITION(state, v0, p)
	KMOVW every, lanes
	SUBQ $8, left
	JGT  whole
	KMOVW some, lanes
whole:
	VPSRLQ.Z $6, p, lanes, at      // word 0 for the others, whose positions may lie outside
	WORDS
	VPRORVQ p, w, w
	VPTESTNMQ one, w, lanes, clear
	XORL t0, t0
	KORTESTW clear, clear
	SETEQ t0
	JNE  told
	TESTQ left, left
	JLE  told
	NEXT
	JMP  along

told:
	MOVB t0, (out)
	ADDQ t0, hits
	INCQ out
	ADDQ $16, keys
	DECQ todo
	JNE  key

none:
	VZEROUPPER

done:
	MOVQ hits, found+96(FP)
	RET
