//go:build gc && !purego

#include "textflag.h"

// k independent positions in a block of 512 bits, NEON; an addition on general registers.
//
// Spec      the portable twin of each function.
// Requires  nothing beyond arm64.
// Touches   reads h[0:2n] and blocks of words; writes out[0:n], and those blocks where its
//           name has Add.
// Accepts   no keys, no block, odd len(h), any k >= 1, any alignment, any ahead.
// Plan      A look-up fetches the 7 bytes with the positions of a word of the stream from the
//           block at once, as from a table of 64, with no branch on a bit. An addition stores
//           a bit before it loads the next word, so repeated positions and keys are seen. The
//           block has been asked for so many keys before.

#define LINE 6
#define AHEAD ahead+80(FP)
#define TOP 9
#define BLOCK [V16.B16, V17.B16, V18.B16, V19.B16]

#define more   R10 // words of the stream that a key needs, but the last
#define each   R10 // or its positions
#define left   R11 // of those still to do
#define state  R12 // of the stream: h1 + i*(h0|1)
#define gamma  R13 // h0|1
#define mul1   R14 // constants of mix
#define mul2   R15
#define whole  V3 // and of the words of the stream so far, as LOOK leaves them
#define part   V28 // 1 at the top of the lanes that have no position of the last word

#define CONSTANTS \
	MOVD  $0xbf58476d1ce4e5b9, mul1; \
	MOVD  $0x94d049bb133111eb, mul2

// NEXT sets x to the next word of the stream.
#define NEXT(x) \
	ADD   gamma, state, state; \
	EOR   state>>30, state, x; \
	MUL   mul1, x, x; \
	EOR   x>>27, x, x; \
	MUL   mul2, x, x; \
	EOR   x>>31, x, x

// Position j of a word has bits 9j to 9j+8; lane 7 has position 0.
DATA looks<>+0(SB)/8, $0x0403030202010100
DATA looks<>+8(SB)/8, $0x0100070606050504
DATA looks<>+16(SB)/8, $0x0004000500060007
DATA looks<>+24(SB)/8, $0x0007000100020003
DATA looks<>+32(SB)/8, $0
DATA looks<>+40(SB)/8, $0
GLOBL looks<>(SB), RODATA|NOPTR, $48

// The 16 bytes from byte 14-2i on have 0 in the lanes of the first i positions.
DATA lanes<>+0(SB)/8, $0
DATA lanes<>+8(SB)/8, $0x8000000000000000
DATA lanes<>+16(SB)/8, $0x8000800080008000
DATA lanes<>+24(SB)/8, $0x8000800080008000
GLOBL lanes<>(SB), RODATA|NOPTR, $32

#define FETCH PLDL1KEEP
#define BEGIN \
	CONSTANTS; \
	LOOKS; \
	MOVD  k+72(FP), t0; \
	SUB   $1, t0, t0; \
	MOVD  $7, t1; \
	UDIV  t1, t0, more; \
	MSUB  t1, t0, more, t0; /* positions of the last word, less 1 */ \
	MOVD  $lanes<>+12(SB), t1; \
	SUB   t0<<1, t1, t1; \
	VLD1  (t1), [V28.B16]
#define KEY(another, last, c) \
	LDP.P 16(keys), (t0, state); \
	ORR   $1, t0, gamma; \
	FMOVD state, F0; \
	PLACE; \
	VLD1  (t0), BLOCK; \
	VMOVI $255, whole.B16; \
	MOVD  more, left; \
	CBZ   left, last; \
another: /* left >= 1 */ \
	LOOK; \
	VAND  V2.B16, whole.B16, whole.B16; \
	NEXT(t0); \
	FMOVD t0, F0; \
	SUBS  $1, left, left; \
	BNE   another; \
last: \
	LOOK; \
	VORR  part.B16, V2.B16, V2.B16; \
	VAND  whole.B16, V2.B16, V2.B16; \
	ANSWER

// func BlockContains512NEON(out []bool, words, h []uint64, k, ahead int) (found int)
// BlockContains512Portable: out[i] = the k positions of key i are set; how many are.
TEXT ·BlockContains512NEON(SB), NOSPLIT, $0-96
#include "block_loop_neon_arm64.h"
	MOVD  sum, found+88(FP)
	RET
#undef FETCH
#undef BEGIN
#undef KEY

#define x      R16 // the word of the stream, shifted to its next position
#define turns  R17 // positions that it still gives
#define was    R19 // sum before this key
#define w      R20 // the word of the position in the block
#define bit    R21
#define one    R22

// POSITIONS sets the bits of left positions of the key, and adds to sum those that were clear.
#define POSITIONS(word, set, done) \
word: /* left >= 1 */ \
	MOVD  $7, turns; \
	CMP   turns, left; \
	CSEL  LT, left, turns, turns; \
	SUB   turns, left, left; \
set: /* turns >= 1 */ \
	UBFX  $6, x, $3, t1; \
	MOVD  (t0)(t1<<3), w; \
	LSL   x, one, bit; \
	TST   bit, w; \
	CINC  EQ, sum, sum; \
	ORR   bit, w, w; \
	MOVD  w, (t0)(t1<<3); \
	LSR   $9, x, x; \
	SUBS  $1, turns, turns; \
	BNE   set; \
	CBZ   left, done; \
	NEXT(x); \
	B     word; \
done:

#define FETCH PSTL1KEEP
#define BEGIN \
	CONSTANTS; \
	MOVD  k+72(FP), each; \
	MOVD  $1, one
#define KEY(word, set, done) \
	LDP.P 16(keys), (t0, x); \
	ORR   $1, t0, gamma; \
	PLACE; \
	MOVD  x, state; \
	MOVD  each, left; \
	MOVD  sum, was; \
	POSITIONS(word, set, done) \
	CMP   was, sum; \
	CSET  NE, t0; \
	MOVB.P t0, 1(out)

// func BlockAdd512NEON(out []bool, words, h []uint64, k, ahead int) (fresh int)
// BlockAdd512Portable: sets the positions of the keys in turn, out[i] = key i found a bit
// clear; how many bits were clear.
TEXT ·BlockAdd512NEON(SB), NOSPLIT, $0-96
#include "block_loop_neon_arm64.h"
	MOVD  sum, fresh+88(FP)
	RET

// func BlockContains512OneNEON(words []uint64, h0, h1 uint64, k int) bool
// BlockContains512Portable for the key h0, h1.
TEXT ·BlockContains512OneNEON(SB), NOSPLIT, $0-49
	LOOKS
	ONE
	FMOVD h1+32(FP), F0
	VLD1  (t0), BLOCK
	VMOVI $255, whole.B16
	MOVD  k+40(FP), left
	CMP   $7, left
	BLE   last
	CONSTANTS
	MOVD  h0+24(FP), gamma
	MOVD  h1+32(FP), state
	ORR   $1, gamma, gamma

another: // left >= 8: positions to do
	LOOK
	VAND  V2.B16, whole.B16, whole.B16
	NEXT(t0)
	FMOVD t0, F0
	SUB   $7, left, left
	CMP   $7, left
	BGT   another

last: // 1 <= left <= 7
	MOVD  $lanes<>+14(SB), t1
	SUB   left<<1, t1, t1
	VLD1  (t1), [V28.B16]
	LOOK
	VORR  part.B16, V2.B16, V2.B16
	VAND  whole.B16, V2.B16, V2.B16
	ALL
	MOVB  t0, ret+48(FP)
	RET

none:
	MOVB  ZR, ret+48(FP)
	RET

// func BlockAdd512OneNEON(words []uint64, h0, h1 uint64, k int) (fresh int)
// BlockAdd512Portable for the key h0, h1.
TEXT ·BlockAdd512OneNEON(SB), NOSPLIT, $0-56
	CONSTANTS
	MOVD  $1, one
	MOVD  ZR, sum
	ONE
	MOVD  h0+24(FP), gamma
	MOVD  h1+32(FP), x
	ORR   $1, gamma, gamma
	MOVD  x, state
	MOVD  k+40(FP), left
	POSITIONS(set0, set1, set2)

none:
	MOVD  sum, fresh+48(FP)
	RET
