//go:build gc && !purego

#include "textflag.h"
#include "probe_across_avx2_amd64.h"
#include "probe_positions_avx2_amd64.h"

// func ContainsLevelsAVX2(out []bool, words, h []uint64, k int, span, step uint64) (found int)
//
// Spec      ContainsPortable: out[i] = all k positions of key i are set; how many are.
// Requires  avx2, popcnt, bmi2.
// Touches   reads h[0:2n] and words at positions; writes out[0:n]. A frame of 11 KiB.
// Accepts   n = 0, odd len(h), 1 <= k < 2^32, any alignment; every position within words.
// Plan      256 keys at a time, level by level. First the first position of each key, of 8
//           keys a turn, 4 in a vector, whose words are asked for; then their bits are looked
//           at, and the keys that have them stay listed, without a branch on a bit. The next 2
//           positions of the keys that are listed follow, then 3, and then 4 at a time. So
//           most words of keys that are not there are not read, and many words are on their
//           way at once.

#define KEYS  256

#define words SI
#define hash  DI // of the first of the keys
#define out   R15 // its answer
#define left  BX // rows to do
#define slot  CX // on the stack
#define t     AX
#define w     DX
#define rows  R8 // positions of a key at this level
#define in    R9 // keys that are listed
#define at    R10 // in the list
#define row   R11 // positions of a key, which lie KEYS apart
#define some  R12 // keys that stay listed
#define set   R13 // bit 0: whether the key's positions so far are set
#define any   kind-8(SP) // not 0: ANY positions
#define todo  rest-16(SP) // keys to do
#define these now-24(SP) // of the block
#define past  before-32(SP) // positions of the levels before
#define LIST  BUFFER // 16 times the number of each, KEYS and 7
#define ROWS  (LIST+8*KEYS+64) // 4 of KEYS positions

// HASHES starts the streams of the 8 keys at at of the list after their first past
// positions.
#define HASHES \
	MOVQ LIST+0(slot)(at*8), t; \
	VMOVDQU (hash)(t*1), X2; \
	MOVQ LIST+8(slot)(at*8), t; \
	VMOVDQU (hash)(t*1), X5; \
	MOVQ LIST+32(slot)(at*8), t; \
	VMOVDQU (hash)(t*1), X13; \
	MOVQ LIST+40(slot)(at*8), t; \
	VMOVDQU (hash)(t*1), X14; \
	MOVQ LIST+16(slot)(at*8), t; \
	VINSERTI128 $1, (hash)(t*1), p, p; \
	MOVQ LIST+24(slot)(at*8), t; \
	VINSERTI128 $1, (hash)(t*1), q, q; \
	MOVQ LIST+48(slot)(at*8), t; \
	VINSERTI128 $1, (hash)(t*1), u0, u0; \
	MOVQ LIST+56(slot)(at*8), t; \
	VINSERTI128 $1, (hash)(t*1), u1, u1; \
	VPUNPCKLQDQ q, p, state0; \
	VPUNPCKHQDQ q, p, gamma0; \
	VPUNPCKLQDQ u1, u0, state1; \
	VPUNPCKHQDQ u1, u0, gamma1; \
	VPCMPEQQ v0, v0, v0; \
	VPSRLQ $63, v0, v0; \
	VPOR v0, gamma0, gamma0; \
	VPOR v0, gamma1, gamma1; \
	VPBROADCASTQ past, p; \
	SKIP(gamma0, state0); \
	SKIP(gamma1, state1); \
	MOVQ step+88(FP), t; \
	IMULQ past, t; \
	VMOVQ t, px; \
	VPBROADCASTQ px, p; \
	VMOVDQA p, base

// SKIP adds p*gamma to state, for p < 2^32.
#define SKIP(gamma, state) \
	VPSRLQ $32, gamma, v0; \
	VPMULUDQ p, v0, v0; \
	VPMULUDQ p, gamma, v1; \
	VPSLLQ $32, v0, v0; \
	VPADDQ v1, state, state; \
	VPADDQ v0, state, state

// LOOK clears bit 0 of set unless the position of the key in row i is set.
#define LOOK(i) \
	MOVQ ROWS+8*KEYS*i(slot)(at*8), w; \
	MOVQ w, t; \
	SHRQ $6, t; \
	SHRXQ w, (words)(t*8), w; \
	ANDQ w, set

// ASK asks for the word at the position d bytes into the row.
#define ASK(d) \
	MOVQ d(row), t; \
	SHRQ $6, t; \
	PREFETCHT1 (words)(t*8)

TEXT ·ContainsLevelsAVX2(SB), 0, $10488-104
	MOVQ out_len+8(FP), t
	MOVQ out_base+0(FP), out
	MOVQ words_base+24(FP), words
	MOVQ h_base+48(FP), hash
	MOVQ h_len+56(FP), w
	MOVQ $0, found+96(FP)
	SHRQ $1, w
	CMPQ w, t
	CMOVQLT w, t
	MOVQ t, todo                   // n
	TESTQ t, t
	JEQ  done
	LEAQ 63(SP), slot
	ANDQ $~63, slot
	CONSTANTS8(span+80(FP), step+88(FP))

block: // todo >= 1
	MOVL $KEYS, in
	CMPQ todo, in
	CMOVQLT todo, in
	MOVQ in, these
	XORL at, at
	XORL t, t
number: // at < in: the keys before are listed, and answered by false
	MOVQ t, LIST(slot)(at*8)
	MOVB $0, (out)(at*1)
	ADDQ $16, t
	INCQ at
	CMPQ at, in
	JNE  number
	MOVQ $0, past
	XORL rows, rows

level: // in >= 1 keys are listed, whose first past positions are set; past < k
	CMPQ rows, $4
	ADCQ $0, rows                  // 1, 2, 3, 4, 4, ...
	MOVQ k+72(FP), t
	SUBQ past, t
	CMPQ t, rows
	CMOVQLT t, rows
	MOVQ LIST(slot), t
	MOVQ t, LIST+0(slot)(in*8)     // so that there are 8 in the last turn
	MOVQ t, LIST+8(slot)(in*8)
	MOVQ t, LIST+16(slot)(in*8)
	MOVQ t, LIST+24(slot)(in*8)
	MOVQ t, LIST+32(slot)(in*8)
	MOVQ t, LIST+40(slot)(in*8)
	MOVQ t, LIST+48(slot)(in*8)
	XORL at, at

derive: // at < in: the positions of the keys before are there
	HASHES
	LEAQ ROWS(slot)(at*8), row
	MOVQ rows, left
turn: // left >= 1
	POSITION8(whole)
ready:
	VMOVDQA p, (row)
	VMOVDQA q, 32(row)
ask:
	ASK(0)
	ASK(8)
	ASK(16)
	ASK(24)
	ASK(32)
	ASK(40)
	ASK(48)
	ASK(56)
asked:
	ADDQ $(8*KEYS), row
	DECQ left
	JNE  turn
	ADDQ $8, at
	CMPQ at, in
	JLT  derive

	ADDQ rows, past
	XORL at, at
	XORL some, some
look: // at < in: some of the keys before have all bits of the level, and stay listed
	MOVL $1, set
	LOOK(0)
	CMPQ rows, $2
	JLT  looked
	LOOK(1)
	CMPQ rows, $3
	JLT  looked
	LOOK(2)
	CMPQ rows, $4
	JLT  looked
	LOOK(3)
looked:
	MOVQ LIST(slot)(at*8), t
	MOVQ t, LIST(slot)(some*8)
	ADDQ set, some
	INCQ at
	CMPQ at, in
	JNE  look
	MOVQ some, in
	TESTQ in, in
	JEQ  answered
	MOVQ past, t
	CMPQ t, k+72(FP)
	JNE  level

	ADDQ in, found+96(FP)
answer: // in >= 1: listed keys to answer by true
	MOVQ LIST-8(slot)(in*8), t
	SHRQ $4, t
	MOVB $1, (out)(t*1)
	DECQ in
	JNE  answer

answered:
	MOVQ these, t
	ADDQ t, out
	SUBQ t, todo
	SHLQ $4, t
	ADDQ t, hash
	CMPQ todo, $0
	JNE  block
	VZEROUPPER

done:
	RET

whole:
	ANY8
	JMP  ready
