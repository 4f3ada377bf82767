//go:build gc && !purego

#include "textflag.h"
#include "probe_avx512_amd64.h"

// func ContainsRingAVX512(out []bool, words, h []uint64, k int, span, step uint64) (found int)
//
// Spec      ContainsPortable: out[i] = all k positions of key i are set; how many are.
// Requires  avx2, popcnt, avx512f, avx512dq, avx512ifma.
// Touches   reads h[0:2n], words at positions and word 0; writes out[0:n]. A frame of 6 KiB.
// Accepts   n = 0, odd len(h), any k >= 1, any alignment; every position within words.
// Plan      A ring of 12 vectors of 8 keys in flight: a word of each was asked for. In turn
//           the words of a vector are tested, keys whose answer is now known give their
//           lanes to the next keys, and the words at the next positions are asked for. When
//           the keys run out, lanes go to keys numbered n and more, which count for nothing.
//           Answers are 0 until found to be 1.

#define VECTORS 12
#define FOUND   128 // found keys whose answers are not written, at most

#define out   DI
#define words SI
#define from  BX // the next key
#define next  R8 // its number, n at most
#define n     R9
#define ring  R10 // 6 arrays on the stack
#define i     R11 // bytes from an array's first vector to the present one
#define end   R12 // and to its end
#define full  R13 // where the list of found keys is to be emptied
#define list  R15 // its end
#define todo  DX // keys without a final answer
#define t0    AX
#define t1    CX
#define w     Z7 // words
#define place Z8 // numbers of keys
#define rest  Z9 // positions to come
#define evens Z13 // which words of two vectors are H0: {14, ..., 2, 0}
#define odds  Z14 // and H1
#define lanes Z15 // {7, ..., 1, 0}
#define keys  Z16 // n
#define each  Z17 // k
#define top   Z18 // (k-1)*step
#define set   K1 // lanes whose bit is set
#define in    K2 // and that have no more to come
#define over  K3 // lanes for the next keys
#define half0 K4 // words of h that are there: of the first 4 of 8 keys
#define half1 K5 // of the next 4

#define STATE  (0*64*VECTORS)(ring)
#define GAMMA  (1*64*VECTORS)(ring)
#define PLACE  (2*64*VECTORS)(ring)
#define REST   (3*64*VECTORS)(ring)
#define AT     (4*64*VECTORS)(ring) // present positions
#define NUMBER (5*64*VECTORS)(ring) // and those of their words
#define LIST   (6*64*VECTORS)(ring)

// ASK asks for the word of the lane d bytes into the vector. It shall come to L2, where more
// reads of memory can be under way than L1 allows.
#define ASK(d) MOVQ d+NUMBER(i*1), t0; PREFETCHT1 (words)(t0*8)

// PAIR loads the words of the lanes d and d+8 bytes into the vector.
#define PAIR(d, x) \
	MOVQ d+NUMBER(i*1), t0; \
	MOVQ d+8+NUMBER(i*1), t1; \
	VMOVQ (words)(t0*8), x; \
	VMOVHPS (words)(t1*8), x, x

TEXT ·ContainsRingAVX512(SB), 0, $5696-104
	MOVQ out_base+0(FP), out
	MOVQ out_len+8(FP), n
	MOVQ words_base+24(FP), words
	MOVQ h_base+48(FP), from
	MOVQ h_len+56(FP), t0
	MOVQ $0, found+96(FP)
	SHRQ $1, t0
	CMPQ t0, n
	CMOVQLT t0, n
	TESTQ n, n
	JEQ  done

	XORL t0, t0
	MOVQ n, t1
	REP; STOSB
	MOVQ out_base+0(FP), out

	LEAQ 63(SP), ring
	ANDQ $~63, ring
	CONSTANTS(span+80(FP), step+88(FP))
	VPBROADCASTQ n, keys
	VPBROADCASTQ k+72(FP), each
	VPSUBQ one, each, top
	VPMULLQ stride, top, top
	VMOVDQU64 from0<>(SB), lanes
	VPADDQ lanes, lanes, evens
	VPADDQ one, evens, odds

	LEAQ 7(n), end
	SHRQ $3, end                   // vectors that n keys fill
	MOVL $VECTORS, t0
	CMPQ t0, end
	CMOVQLT t0, end
	SHLQ $6, end
	VPXORQ v0, v0, v0
	XORL i, i
empty: // i < end: before it, lanes are of key n, and have no position to come
	VMOVDQA64 v0, STATE(i*1)
	VMOVDQA64 v0, GAMMA(i*1)
	VMOVDQA64 keys, PLACE(i*1)
	VMOVDQA64 v0, REST(i*1)
	VMOVDQA64 v0, AT(i*1)
	VMOVDQA64 v0, NUMBER(i*1)
	ADDQ $64, i
	CMPQ i, end
	JNE  empty

	LEAQ LIST, list
	LEAQ (8*FOUND-64)(list), full
	XORL next, next
	MOVQ n, todo
	XORL i, i

	PCALIGN $32
turn: // todo >= 1, i < end
	PAIR(0, X7)
	PAIR(16, X10)
	PAIR(32, X11)
	PAIR(48, X12)
	VINSERTI128 $1, X10, Y7, Y7
	VINSERTI128 $1, X12, Y11, Y11
	VINSERTI64X4 $1, Y11, w, w
	VMOVDQA64 REST(i*1), rest
	VMOVDQA64 PLACE(i*1), place
	VPRORVQ AT(i*1), w, w
	VPTESTMQ one, w, set
	VMOVDQA64 STATE(i*1), state
	VMOVDQA64 GAMMA(i*1), gamma
	VPTESTMQ rest, rest, set, over
	KNOTB over, over
	KTESTB over, over
	JEQ  ask

	VPTESTNMQ rest, rest, set, in
	VPCMPUQ $1, keys, place, in, in // of keys < n
	VPCOMPRESSQ place, in, v0
	VMOVDQU64 v0, (list)
	KMOVB in, t0
	POPCNTL t0, t0
	LEAQ (list)(t0*8), list
	VPCMPUQ $1, keys, place, over, in
	KMOVB in, t0
	POPCNTL t0, t0
	SUBQ t0, todo
	MOVQ n, t1
	SUBQ next, t1                  // keys to come
	MOVQ $-1, t0
	CMPQ t1, $8
	JGE  some
	ADDL t1, t1
	MOVL $1, t0
	SHLQ CX, t0
	DECQ t0                        // the lowest 2*t1 bits
some:
	KMOVB t0, half0
	SHRQ $8, t0
	KMOVB t0, half1
	VMOVDQU64.Z (from), half0, v0
	VMOVDQU64.Z 64(from), half1, v1
	VMOVDQA64 evens, p
	VPERMI2Q v1, v0, p
	VPERMT2Q v1, odds, v0
	VPORQ one, v0, v0
	VPEXPANDQ p, over, state
	VPEXPANDQ v0, over, gamma
	VPBROADCASTQ next, v0
	VPADDQ lanes, v0, v0
	VPEXPANDQ v0, over, place
	VMOVDQA64 each, over, rest
	KMOVB over, t0
	POPCNTL t0, t0
	ADDQ t0, next
	SHLQ $4, t0
	ADDQ t0, from
	CMPQ next, n
	CMOVQGT n, next

ask:
	VPSUBQ one, rest, rest
	VPADDQ gamma, state, state
	VPMULLQ stride, rest, base
	VPSUBQ base, top, base
	ACROSS(state, p, v0, v1)
	VMOVDQA64 state, STATE(i*1)
	VMOVDQA64 gamma, GAMMA(i*1)
	VMOVDQA64 place, PLACE(i*1)
	VMOVDQA64 rest, REST(i*1)
	VMOVDQA64 p, AT(i*1)
	VPSRLQ $6, p, p
	VMOVDQA64 p, NUMBER(i*1)
	ASK(0)
	ASK(8)
	ASK(16)
	ASK(24)
	ASK(32)
	ASK(40)
	ASK(48)
	ASK(56)
	ADDQ $64, i
	XORL t0, t0
	CMPQ i, end
	CMOVQEQ t0, i
	CMPQ list, full
	JHI  write
	TESTQ todo, todo
	JNE  turn

write: // the answers of the keys in the list
	LEAQ LIST, t1
	MOVQ list, t0
	SUBQ t1, t0
	SHRQ $3, t0
	ADDQ t0, found+96(FP)
	JMP  written
answer: // t1 < list
	MOVQ (t1), t0
	MOVB $1, (out)(t0*1)
	ADDQ $8, t1
written:
	CMPQ t1, list
	JNE  answer
	LEAQ LIST, list
	TESTQ todo, todo
	JNE  turn
	VZEROUPPER

done:
	RET
