//go:build gc && !purego

#include "go_asm.h"
#include "textflag.h"
#include "block_one_amd64.h"
#include "block_stream_amd64.h"

// k independent positions in a block of 512 bits, on general registers.
//
// Spec      the portable twin of each function.
// Requires  popcnt.
// Touches   reads h[0:2n]; reads and writes blocks of words; writes out[0:n].
// Accepts   no keys, no block, odd len(h), any k >= 1, any alignment, any ahead.
// Plan      A position a turn, whose bit leaves its old value in the carry; it is stored
//           before the next word is loaded, so repeated positions and keys are seen. The
//           block has been asked for so many keys before. Building the bits of a key in
//           vectors of AVX2, and setting them at once, took as long.

#define left  R11 // positions to do
#define turns CX // positions that the word of the stream still gives
#define x     R13 // the word of the stream, shifted to its next position
#define new   R14 // bits of this key found clear
#define line  DX // the block

// SETBIT sets the bit of the position in the low 9 bits of x and adds 1 to new if it was
// clear: 1 less the carry.
#define SETBIT \
	MOVQ x, AX; \
	SHRQ $3, AX; \
	ANDL $0x38, AX; /* where the word of the position lies */ \
	MOVQ (line)(AX*1), t; \
	BTSQ x, t; \
	MOVQ t, (line)(AX*1); \
	SBBQ $-1, new; \
	SHRQ $9, x

// POSITIONS sets the bits of the positions of the key with words at h0 and h1, and adds to new
// those that were clear.
#define POSITIONS(h0, h1, k, word, set, done) \
	MOVQ k, left; \
	MOVQ h1, x; \
	MOVQ x, state; \
word: /* left >= 1 */ \
	MOVL $7, turns; \
	CMPQ left, turns; \
	CMOVQLT left, turns; \
	SUBQ turns, left; \
set: /* turns >= 1 */ \
	SETBIT; \
	DECQ turns; \
	JNE  set; \
	TESTQ left, left; \
	JEQ  done; \
	WORD(h0); \
	MOVQ AX, x; \
	JMP  word; \
done:

#define SIZE 3
#define AHEAD ahead+80(FP)
#define BEGIN
#define KEY(word, set, done) \
	ADDQ words, line; \
	XORL new, new; \
	POSITIONS(0(keys), 8(keys), k+72(FP), word, set, done) \
	ADDQ new, fresh+88(FP); \
	TESTQ new, new; \
	SETNE (out); \
	INCQ out; \
	ADDQ $16, keys

// func BlockAdd512Popcnt(out []bool, words, h []uint64, k, ahead int) (fresh int)
// BlockAdd512Portable: sets the positions of the keys in turn, out[i] = key i found a bit
// clear; how many bits were clear.
TEXT ·BlockAdd512Popcnt(SB), NOSPLIT, $8-96
	MOVQ $0, fresh+88(FP)
#define FETCH PREFETCHT0
#include "block_loop_amd64.h"
	RET

// func BlockAdd512T1Popcnt(out []bool, words, h []uint64, k, ahead int) (fresh int)
// BlockAdd512Portable, with blocks that are brought into L2 only.
TEXT ·BlockAdd512T1Popcnt(SB), NOSPLIT, $8-96
	MOVQ $0, fresh+88(FP)
#define FETCH PREFETCHT1
#include "block_loop_amd64.h"
	RET

// func BlockAdd512OnePopcnt(a *BlockArray, h0, h1 uint64) (fresh int)
// BlockAdd512Portable for the key h0, h1.
TEXT ·BlockAdd512OnePopcnt(SB), NOSPLIT, $0-32
	FIND
	XORL new, new
	ADDQ words, line
	POSITIONS(h0+8(FP), h1+16(FP), BlockArray_k(R8), set0, set1, set2)
	MOVQ new, fresh+24(FP)
	RET
