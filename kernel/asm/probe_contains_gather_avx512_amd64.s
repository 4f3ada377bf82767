//go:build gc && !purego

#include "textflag.h"
#include "probe_avx512_amd64.h"

// func ContainsGatherAVX512(out []bool, words, h []uint64, k int, span, step uint64) (found int)
//
// Spec      ContainsPortable: out[i] = all k positions of key i are set; how many are.
// Requires  avx2, popcnt, avx512f, avx512dq, avx512ifma.
// Touches   reads h[0:2n] and words at positions; writes out[0:n].
// Accepts   n = 0, odd len(h), any k >= 1, any alignment; every position within words.
// Plan      A position of 16 keys a turn in two chains, which hide each other's latency; no
//           branch on a bit, and every 8 turns, where k > 8, a look whether any key is
//           still in. Fewer keys at the end are under masks, with the key 0, 0 for those
//           that are not there, whose positions are as good as any.

#define out   DI // next answer
#define words SI
#define keys  BX // next key
#define todo  R8 // keys to do
#define each  R9 // k
#define left  R10 // positions to do, less those of the turns
#define turns R11 // turns to the next look
#define t0    R12
#define evens  Z7 // which words of two vectors are H0: {14, ..., 2, 0}
#define odds   Z8 // and H1
#define all    Z9 // bit 0: whether the positions so far are set
#define w      Z10 // words
#define hits   Z11 // keys found
#define state1 Z12 // these for the second 8 keys
#define gamma1 Z13
#define p1     Z14
#define v2     Z15
#define v3     Z16
#define all1   Z17
#define w1     Z18
#define keys0  K1 // the first 8 keys that are there
#define keys1  K2 // the second 8
#define go     K3 // what a gather has to do
#define go1    K4
#define half0  K5 // words of h that are there: of the first 4 of 8 keys
#define half1  K6 // of the next 4

// STREAMS starts the streams of the 8 keys at from. The low bits of t0 say which words are
// there; it loses 8 of them.
#define STREAMS(from, x, g, v) \
	KMOVB t0, half0; \
	SHRQ $8, t0; \
	KMOVB t0, half1; \
	VMOVDQU64.Z from(keys), half0, v; \
	VMOVDQU64.Z from+64(keys), half1, g; \
	VMOVDQA64 evens, x; \
	VPERMI2Q g, v, x; \
	VPERMT2Q g, odds, v; \
	VPORQ one, v, g

// GATHER sets the lanes of x to the words of the positions at. It merges into x and
// clears the mask.
#define GATHER(at, number, x, mask) \
	VPSRLQ $6, at, number; \
	KXNORB mask, mask, mask; \
	VPXORQ x, x, x; \
	VPGATHERQQ (words)(number*8), mask, x

TEXT ·ContainsGatherAVX512(SB), NOSPLIT, $0-104
	MOVQ out_base+0(FP), out
	MOVQ out_len+8(FP), todo
	MOVQ words_base+24(FP), words
	MOVQ h_base+48(FP), keys
	MOVQ h_len+56(FP), t0
	MOVQ k+72(FP), each
	SHRQ $1, t0
	CMPQ t0, todo
	CMOVQLT t0, todo               // n
	XORL AX, AX
	TESTQ todo, todo
	JEQ  done
	CONSTANTS(span+80(FP), step+88(FP))
	VMOVDQU64 from0<>(SB), evens
	VPADDQ evens, evens, evens
	VPADDQ one, evens, odds
	VPXORQ hits, hits, hits

block: // todo >= 1 keys to do
	MOVQ $-1, t0
	CMPQ todo, $16
	JGE  there
	LEAQ (todo*2), CX
	MOVL $1, t0
	SHLQ CX, t0
	DECQ t0                        // the lowest 2*todo bits
there:
	STREAMS(0, state, gamma, v0)
	SHRQ $8, t0
	STREAMS(128, state1, gamma1, v2)
	VMOVDQA64 one, all
	VMOVDQA64 one, all1
	VPXORQ base, base, base
	MOVQ each, left

look: // left >= 1
	MOVL $8, turns
	CMPQ left, turns
	CMOVQLT left, turns
	SUBQ turns, left

turn: // turns >= 1: all, all1 = whether the positions before are set
	VPADDQ gamma, state, state
	VPADDQ gamma1, state1, state1
	ACROSS(state, p, v0, v1)
	ACROSS(state1, p1, v2, v3)
	VPADDQ stride, base, base
	GATHER(p, v0, w, go)
	GATHER(p1, v2, w1, go1)
	VPRORVQ p, w, w
	VPRORVQ p1, w1, w1
	VPANDQ w, all, all
	VPANDQ w1, all1, all1
	DECQ turns
	JNE  turn
	TESTQ left, left
	JEQ  answer
	VPORQ all, all1, w
	VPTESTMQ w, w, go
	KORTESTW go, go
	JNE  look

answer:
	CMPQ todo, $16
	JLT  last
	VPMOVQB all, (out)
	VPMOVQB all1, 8(out)
	VPADDQ all, hits, hits
	VPADDQ all1, hits, hits
	ADDQ $16, out
	ADDQ $256, keys
	SUBQ $16, todo
	JNE  block
	JMP  total

last: // 1 <= todo <= 15
	MOVL $1, t0
	MOVQ todo, CX
	SHLQ CX, t0
	DECQ t0                        // the lowest todo bits
	KMOVB t0, keys0
	SHRQ $8, t0
	KMOVB t0, keys1
	VPMOVQB all, keys0, (out)
	VPMOVQB all1, keys1, 8(out)
	VPADDQ all, hits, keys0, hits
	VPADDQ all1, hits, keys1, hits

total:
	VEXTRACTI64X4 $1, hits, Y0
	VPADDQ Y0, Y11, Y11            // {7+3, 6+2, 5+1, 4+0}
	VEXTRACTI128 $1, Y11, X0
	VPADDQ X0, X11, X11            // {7+5+3+1, 6+4+2+0}
	VPSHUFD $0xee, X11, X0
	VPADDQ X0, X11, X11
	VMOVQ X11, AX
	VZEROUPPER

done:
	MOVQ AX, found+96(FP)
	RET
