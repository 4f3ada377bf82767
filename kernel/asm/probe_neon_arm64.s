//go:build gc && !purego

#include "textflag.h"

// The probe family, NEON. NEON has no products of 64 bits and no gather, so these are
// general registers; keys and positions are independent but for an addition, and the CPU
// overlaps them by itself.
//
// Spec      the portable twin of each function.
// Requires  nothing beyond arm64.
// Touches   reads its arguments and the words at the positions; writes out for the keys
//           it did, and those words where its name begins with Add.
// Accepts   no keys, odd lengths, any alignment; every position within the words.
// Plan      a key at a time, a position at a time.

#define out    R0  // next answer
#define words  R1  // word 0, or of a pair the first of words 0
#define keys   R2  // next key: its hash, or its first position
#define todo   R3  // keys to do
#define each   R4  // positions a key
#define width  R5  // m, or the bits of a slice
#define stride R6  // bits from one slice to the next, or 0
#define mul1   R7  // constants of mix
#define mul2   R8
#define state  R9  // of the stream
#define gamma  R10 // its increment
#define base   R11 // j*step
#define left   R12 // positions of this key to do
#define p      R13 // a position
#define w      R14 // a word, or its place
#define t0     R15
#define t1     R16
#define found  R19 // bits, or keys, that the result counts
#define one    R20
#define new    R21 // bits that this key found clear

#define CONSTANTS \
	MOVD $0xbf58476d1ce4e5b9, mul1; \
	MOVD $0x94d049bb133111eb, mul2

// KEY starts the stream of the next key.
#define KEY \
	LDP.P 16(keys), (state, gamma); \
	ORR   $1, gamma, gamma; \
	MOVD  ZR, base; \
	MOVD  each, left

// POSITION sets p to the next position of the key.
#define POSITION \
	ADD   gamma, state, state; \
	EOR   state>>30, state, p; \
	MUL   mul1, p, p; \
	EOR   p>>27, p, p; \
	MUL   mul2, p, p; \
	EOR   p>>31, p, p; \
	AND   $~0xfff, p, p; \
	UMULH width, p, p; \
	ADD   base, p, p; \
	ADD   stride, base, base

// BIT sets bit 0 of w to bit p of words.
#define BIT \
	LSR  $6, p, w; \
	MOVD (words)(w<<3), w; \
	LSR  p, w, w

// SET sets bit p of words, and t0 to 1 if it was clear, 0 if not.
#define SET \
	LSR  $6, p, t1; \
	MOVD (words)(t1<<3), w; \
	LSL  p, one, t0; \
	ORR  w, t0, t0; \
	MOVD t0, (words)(t1<<3); \
	EOR  w, t0, t0; \
	LSR  p, t0, t0

// func PositionsNEON(dst, h []uint64, k int, span, step uint64) int
TEXT ·PositionsNEON(SB), NOSPLIT, $0-80
	MOVD  dst_base+0(FP), out
	MOVD  dst_len+8(FP), t0
	MOVD  h_base+24(FP), keys
	MOVD  h_len+32(FP), todo
	MOVD  k+48(FP), each
	MOVD  span+56(FP), width
	MOVD  step+64(FP), stride
	CONSTANTS
	LSR   $1, todo, todo
	UDIV  each, t0, t0
	CMP   t0, todo
	CSEL  LT, todo, t0, todo       // n
	MOVD  todo, ret+72(FP)
	CBZ   todo, done

key: // todo >= 1
	KEY

position: // left >= 1
	POSITION
	MOVD.P p, 8(out)
	SUBS  $1, left, left
	BNE   position
	SUBS  $1, todo, todo
	BNE   key

done:
	RET

// func ContainsNEON(out []bool, words, h []uint64, k int, span, step uint64) int
TEXT ·ContainsNEON(SB), NOSPLIT, $0-104
	MOVD  out_base+0(FP), out
	MOVD  out_len+8(FP), t0
	MOVD  words_base+24(FP), words
	MOVD  h_base+48(FP), keys
	MOVD  h_len+56(FP), todo
	MOVD  k+72(FP), each
	MOVD  span+80(FP), width
	MOVD  step+88(FP), stride
	CONSTANTS
	MOVD  $1, one
	LSR   $1, todo, todo
	CMP   t0, todo
	CSEL  LT, todo, t0, todo       // n
	MOVD  ZR, found
	CBZ   todo, done

key: // todo >= 1
	KEY

position: // left >= 1, all positions before are set
	POSITION
	BIT
	TBZ   $0, w, miss
	SUBS  $1, left, left
	BNE   position
	ADD   $1, found
	MOVB.P one, 1(out)
	SUBS  $1, todo, todo
	BNE   key
	B     done

miss:
	MOVB.P ZR, 1(out)
	SUBS  $1, todo, todo
	BNE   key

done:
	MOVD  found, ret+96(FP)
	RET

// func AddNEON(out []bool, words, h []uint64, k int, span, step uint64) int
TEXT ·AddNEON(SB), NOSPLIT, $0-104
	MOVD  out_base+0(FP), out
	MOVD  out_len+8(FP), t0
	MOVD  words_base+24(FP), words
	MOVD  h_base+48(FP), keys
	MOVD  h_len+56(FP), todo
	MOVD  k+72(FP), each
	MOVD  span+80(FP), width
	MOVD  step+88(FP), stride
	CONSTANTS
	MOVD  $1, one
	LSR   $1, todo, todo
	CMP   t0, todo
	CSEL  LT, todo, t0, todo       // n
	MOVD  ZR, found
	CBZ   todo, done

key: // todo >= 1
	KEY
	MOVD  ZR, new

position: // left >= 1
	POSITION
	SET
	ADD   t0, new, new
	SUBS  $1, left, left
	BNE   position
	ADD   new, found, found
	CMP   ZR, new
	CSET  NE, t0
	MOVB.P t0, 1(out)
	SUBS  $1, todo, todo
	BNE   key

done:
	MOVD  found, ret+96(FP)
	RET

// func ContainsAtNEON(out []bool, words, pos []uint64, k int) int
TEXT ·ContainsAtNEON(SB), NOSPLIT, $0-88
	MOVD  out_base+0(FP), out
	MOVD  out_len+8(FP), t0
	MOVD  words_base+24(FP), words
	MOVD  pos_base+48(FP), keys
	MOVD  pos_len+56(FP), todo
	MOVD  k+72(FP), each
	UDIV  each, todo, todo
	CMP   t0, todo
	CSEL  LT, todo, t0, todo       // n
	MOVD  ZR, found
	CBZ   todo, done

key: // todo >= 1
	MOVD  each, left
	MOVD  $1, t0

position: // left >= 1, bit 0 of t0 = all positions before are set
	MOVD.P 8(keys), p
	BIT
	AND   w, t0, t0
	SUBS  $1, left, left
	BNE   position
	ADD   t0, found, found
	MOVB.P t0, 1(out)
	SUBS  $1, todo, todo
	BNE   key

done:
	MOVD  found, ret+80(FP)
	RET

// func AddAtNEON(out []bool, words, pos []uint64, k int) int
TEXT ·AddAtNEON(SB), NOSPLIT, $0-88
	MOVD  out_base+0(FP), out
	MOVD  out_len+8(FP), t0
	MOVD  words_base+24(FP), words
	MOVD  pos_base+48(FP), keys
	MOVD  pos_len+56(FP), todo
	MOVD  k+72(FP), each
	MOVD  $1, one
	UDIV  each, todo, todo
	CMP   t0, todo
	CSEL  LT, todo, t0, todo       // n
	MOVD  ZR, found
	CBZ   todo, done

key: // todo >= 1
	MOVD  each, left
	MOVD  ZR, new

position: // left >= 1
	MOVD.P 8(keys), p
	SET
	ADD   t0, new, new
	SUBS  $1, left, left
	BNE   position
	ADD   new, found, found
	CMP   ZR, new
	CSET  NE, t0
	MOVB.P t0, 1(out)
	SUBS  $1, todo, todo
	BNE   key

done:
	MOVD  found, ret+80(FP)
	RET

#define counts R22 // count of slice 0
#define slice  R23 // count of the position's slice
#define t2     R24

// func AddSlicesAtNEON(out []bool, words, pos, slices []uint64) int
TEXT ·AddSlicesAtNEON(SB), NOSPLIT, $0-104
	MOVD  out_base+0(FP), out
	MOVD  out_len+8(FP), t0
	MOVD  words_base+24(FP), words
	MOVD  pos_base+48(FP), keys
	MOVD  pos_len+56(FP), todo
	MOVD  slices_base+72(FP), counts
	MOVD  slices_len+80(FP), each
	MOVD  $1, one
	UDIV  each, todo, todo
	CMP   t0, todo
	CSEL  LT, todo, t0, todo       // n
	MOVD  ZR, found
	CBZ   todo, done

key: // todo >= 1
	MOVD  each, left
	MOVD  counts, slice
	MOVD  ZR, new

position: // left >= 1
	MOVD.P 8(keys), p
	SET
	ADD   t0, new, new
	MOVD  (slice), t2
	ADD   t0, t2, t2
	MOVD.P t2, 8(slice)
	SUBS  $1, left, left
	BNE   position
	ADD   new, found, found
	CMP   ZR, new
	CSET  NE, t0
	MOVB.P t0, 1(out)
	SUBS  $1, todo, todo
	BNE   key

done:
	MOVD  found, ret+96(FP)
	RET

#define both   R25 // bit s: all positions so far are set in array s

// BITS clears the bits of both whose array has bit p clear.
#define BITS \
	LSR  $6, p, w; \
	ADD  w<<4, words, w; \
	LDP  (w), (t0, t1); \
	LSR  p, t0, t0; \
	LSR  p, t1, t1; \
	BFI  $1, t1, $63, t0; \
	AND  t0, both, both

// func ContainsPairNEON(out []uint8, pair, h []uint64, k int, span, step uint64)
TEXT ·ContainsPairNEON(SB), NOSPLIT, $0-96
	MOVD  out_base+0(FP), out
	MOVD  out_len+8(FP), t0
	MOVD  pair_base+24(FP), words
	MOVD  h_base+48(FP), keys
	MOVD  h_len+56(FP), todo
	MOVD  k+72(FP), each
	MOVD  span+80(FP), width
	MOVD  step+88(FP), stride
	CONSTANTS
	LSR   $1, todo, todo
	CMP   t0, todo
	CSEL  LT, todo, t0, todo       // n
	CBZ   todo, done

key: // todo >= 1
	KEY
	MOVD  $3, both

position: // left >= 1, both != 0
	POSITION
	BITS
	CBZ   both, answer
	SUBS  $1, left, left
	BNE   position

answer:
	MOVB.P both, 1(out)
	SUBS  $1, todo, todo
	BNE   key

done:
	RET

// func ContainsPairAtNEON(out []uint8, pair, pos []uint64, k int)
TEXT ·ContainsPairAtNEON(SB), NOSPLIT, $0-80
	MOVD  out_base+0(FP), out
	MOVD  out_len+8(FP), t0
	MOVD  pair_base+24(FP), words
	MOVD  pos_base+48(FP), keys
	MOVD  pos_len+56(FP), todo
	MOVD  k+72(FP), each
	UDIV  each, todo, todo
	CMP   t0, todo
	CSEL  LT, todo, t0, todo       // n
	CBZ   todo, done

key: // todo >= 1
	MOVD  each, left
	MOVD  $3, both

position: // left >= 1
	MOVD.P 8(keys), p
	BITS
	SUBS  $1, left, left
	BNE   position
	MOVB.P both, 1(out)
	SUBS  $1, todo, todo
	BNE   key

done:
	RET

#define mine   R22 // byte offset of the array's words in the pair
#define other  R23 // that of the other array's
#define shared R24 // fresh bits that are set in the other array

// func AddPairAtNEON(pair, pos []uint64, side int) (fresh, overlap int)
TEXT ·AddPairAtNEON(SB), NOSPLIT, $0-72
	MOVD  pair_base+0(FP), words
	MOVD  pos_base+24(FP), keys
	MOVD  pos_len+32(FP), left
	MOVD  side+48(FP), mine
	LSL   $3, mine, mine
	EOR   $8, mine, other
	MOVD  $1, one
	MOVD  ZR, new
	MOVD  ZR, shared
	CBZ   left, done

position: // left >= 1
	MOVD.P 8(keys), p
	LSR   $6, p, t1
	ADD   t1<<4, words, t1
	MOVD  (t1)(mine), w
	LSL   p, one, t0
	ORR   w, t0, t0
	MOVD  t0, (t1)(mine)
	EOR   w, t0, t0                // the fresh bit, or 0
	MOVD  (t1)(other), w
	AND   t0, w, w                 // the fresh bit if the other array has it
	LSR   p, t0, t0
	LSR   p, w, w
	ADD   t0, new, new
	ADD   w, shared, shared
	SUBS  $1, left, left
	BNE   position

done:
	MOVD  new, fresh+56(FP)
	MOVD  shared, overlap+64(FP)
	RET

// func PrefetchNEON(words, pos []uint64)
TEXT ·PrefetchNEON(SB), NOSPLIT, $0-48
	MOVD  words_base+0(FP), words
	MOVD  pos_base+24(FP), keys
	MOVD  pos_len+32(FP), left
	CBZ   left, done

position: // left >= 1
	MOVD.P 8(keys), p
	LSR   $6, p, w
	ADD   w<<3, words, w
	PRFM  (w), PSTL1KEEP
	SUBS  $1, left, left
	BNE   position

done:
	RET
