//go:build gc && !purego

#include "textflag.h"
#include "probe_avx512_amd64.h"

// func ContainsAVX512(out []bool, words, h []uint64, k int, span, step uint64) (found int)
//
// Spec      ContainsPortable: out[i] = all k positions of key i are set; how many are.
// Requires  avx2, popcnt, avx512f, avx512dq, avx512ifma.
// Touches   reads h[0:2n], words at positions and word 0; writes out[0:n].
// Accepts   n = 0, odd len(h), any k >= 1, any alignment; every position within words.
// Plan      A position of 8 keys a turn, the words loaded one by one, no branch on a bit.
//           Up to k = 12 a turn looks at words of 8 keys and derives positions of the next
//           8: numbers are read from the stack as they were written only if that was long
//           ago. Beyond, each 8 keys by themselves, with a look every 8 turns whether any is
//           still in. The last 0 to 7 keys one by one, 8 positions a turn.

#define out    DI // next answer
#define words  SI
#define keys   BX // next key
#define todo   R8 // keys to do
#define left   R9 // positions to do, less those of the turns
#define turns  R10 // turns to the next look
#define slot   R11 // positions on the stack, 64 bytes for 8
#define off    R9 // bytes from slot to those of the turn
#define size   DX // bytes of k turns
#define sum    AX // keys found
#define t0     R12
#define t1     R13
#define w      Z7 // words
#define all    Z11 // bit 0: whether the positions so far are set
#define hits   Z12 // keys found
#define evens  Z13 // which words of two vectors are H0: {14, ..., 2, 0}
#define odds   Z14 // and H1
#define some   K1 // lanes that matter
#define clear  K2 // those whose bit is clear

// POSITION and NUMBER turn what was read from slot into the number of a word.
#define POSITION(r) SHRQ $6, r
#define NUMBER(r)

// TWO sets the lanes of x to two words, by what is d bytes from from on.
#define TWO(READ, d, from, x) \
	MOVQ d from, t0; \
	MOVQ 8+d from, t1; \
	READ(t0); \
	READ(t1); \
	VMOVQ (words)(t0*8), x; \
	VMOVHPS (words)(t1*8), x, x

// WORDS sets the lanes of w to 8 words, by what is from from on.
#define WORDS(READ, from) \
	TWO(READ, 0, from, X7); \
	TWO(READ, 16, from, X8); \
	TWO(READ, 32, from, X9); \
	TWO(READ, 48, from, X10); \
	VINSERTI128 $1, X8, Y7, Y7; \
	VINSERTI128 $1, X10, Y9, Y9; \
	VINSERTI64X4 $1, Y9, w, w

// STREAMS starts the streams of the 8 keys from keys on.
#define STREAMS \
	VMOVDQU64 (keys), v0; \
	VMOVDQU64 64(keys), v1; \
	VMOVDQA64 evens, state; \
	VPERMI2Q v1, v0, state; \
	VMOVDQA64 odds, gamma; \
	VPERMI2Q v1, v0, gamma; \
	VPORQ one, gamma, gamma; \
	VPXORQ base, base, base

// DERIVE sets the lanes of p, and of to, to the next positions of 8 keys.
#define DERIVE(to) \
	VPADDQ gamma, state, state; \
	ACROSS(state, p, v0, v1); \
	VPADDQ stride, base, base; \
	VMOVDQA64 p, to

// LOOK clears the lanes of all whose bit is clear, at the 8 positions in p and from from on.
#define LOOK(from) \
	WORDS(POSITION, from); \
	VPRORVQ p, w, w; \
	VPANDQ w, all, all

// ANSWER stores what all says of 8 keys.
#define ANSWER \
	VPMOVQB all, (out); \
	VPADDQ all, hits, hits; \
	ADDQ $8, out

TEXT ·ContainsAVX512(SB), 0, $896-104
	MOVQ out_base+0(FP), out
	MOVQ out_len+8(FP), todo
	MOVQ words_base+24(FP), words
	MOVQ h_base+48(FP), keys
	MOVQ h_len+56(FP), t0
	SHRQ $1, t0
	CMPQ t0, todo
	CMOVQLT t0, todo               // n
	LEAQ 63(SP), slot
	ANDQ $~63, slot
	XORL sum, sum
	SUBQ $8, todo
	JLT  rest
	CONSTANTS(span+80(FP), step+88(FP))
	VMOVDQU64 from0<>(SB), evens
	VPADDQ evens, evens, evens
	VPADDQ one, evens, odds
	VPXORQ hits, hits, hits

	MOVQ k+72(FP), size
	CMPQ size, $12
	JHI  block
	SHLQ $6, size
	STREAMS
	XORL off, off

first: // off < size
	DERIVE((slot)(off*1))
	ADDQ $64, off
	CMPQ off, size
	JNE  first

next: // todo+8 keys to do, todo >= 0: the positions of 8 are derived
	ADDQ $128, keys
	VMOVDQA64 one, all
	XORL off, off
	SUBQ $8, todo
	JLT  final
	STREAMS

both: // off < size
	VMOVDQA64 (slot)(off*1), p
	LOOK((slot)(off*1))
	DERIVE((slot)(off*1))
	ADDQ $64, off
	CMPQ off, size
	JNE  both
	ANSWER
	JMP  next

final: // off < size
	VMOVDQA64 (slot)(off*1), p
	LOOK((slot)(off*1))
	ADDQ $64, off
	CMPQ off, size
	JNE  final
	ANSWER
	JMP  summed

block: // todo+8 keys to do, todo >= 0
	STREAMS
	VMOVDQA64 one, all
	MOVQ k+72(FP), left

look: // left >= 1
	MOVL $8, turns
	CMPQ left, turns
	CMOVQLT left, turns
	SUBQ turns, left

turn: // turns >= 1: all = whether the positions before are set
	DERIVE((slot))
	LOOK((slot))
	DECQ turns
	JNE  turn
	TESTQ left, left
	JEQ  answer
	VPTESTMQ all, all, some
	KORTESTW some, some
	JNE  look

answer:
	ANSWER
	ADDQ $128, keys
	SUBQ $8, todo
	JGE  block

summed: // -8 <= todo < 0
	VEXTRACTI64X4 $1, hits, Y0
	VPADDQ Y0, Y12, Y12            // {7+3, 6+2, 5+1, 4+0}
	VEXTRACTI128 $1, Y12, X0
	VPADDQ X0, X12, X12            // {7+5+3+1, 6+4+2+0}
	VPSHUFD $0xee, X12, X0
	VPADDQ X0, X12, X12
	VMOVQ X12, sum

rest:
	ADDQ $8, todo                  // 0 <= todo <= 7
	JEQ  done

key: // todo >= 1
	KEY(keys)
	MOVQ k+72(FP), left

along: // left >= 1: the positions before are set
	ALONG(span+80(FP), step+88(FP))
	VPCMPUQ.BCST $1, k+72(FP), j, some // j < k
	VPSRLQ.Z $6, p, some, v0       // word 0 for the others, whose positions may lie outside
	VMOVDQA64 v0, (slot)
	WORDS(NUMBER, (slot))
	VPRORVQ p, w, w
	VPTESTNMQ.BCST unit<>(SB), w, some, clear
	XORL t0, t0
	KORTESTW clear, clear
	SETEQ t0
	JNE  told
	SUBQ $8, left
	JLE  told
	NEXT
	JMP  along

told:
	MOVB t0, (out)
	ADDQ t0, sum
	INCQ out
	ADDQ $16, keys
	DECQ todo
	JNE  key

done:
	MOVQ sum, found+96(FP)
	VZEROUPPER
	RET
