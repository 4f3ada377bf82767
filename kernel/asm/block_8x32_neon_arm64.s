//go:build gc && !purego

#include "textflag.h"

// One position in each of the 8 words of 32 bits of a block of 256, NEON.
//
// Spec      the portable twin of each function.
// Requires  nothing beyond arm64.
// Touches   reads h[0:2n] and blocks of words; writes out[0:n], and those blocks where its
//           name has Add.
// Accepts   no keys, no block, odd len(h), any alignment, any ahead.
// Plan      That of block_8x64_neon_arm64.s, with a table of 32 bytes and two vectors.

#define LINE 5
#define AHEAD ahead+72(FP)
#define TOP 5
#define BLOCK [V16.B16, V17.B16]

// Position j has bits 5j to 5j+4.
DATA looks<>+0(SB)/8, $0x0201020101000100
DATA looks<>+8(SB)/8, $0x0504040304030302
DATA looks<>+16(SB)/8, $0x000400090006000b
DATA looks<>+24(SB)/8, $0x00080005000a0007
DATA looks<>+32(SB)/8, $0x0c00080004000000
DATA looks<>+40(SB)/8, $0x1c00180014001000
GLOBL looks<>(SB), RODATA|NOPTR, $48

#define FETCH PLDL1KEEP
#define BEGIN LOOKS
#define KEY(a, b, c) \
	MOVD.P 16(keys), t0; \
	FMOVD -8(keys), F0; \
	PLACE; \
	VLD1  (t0), BLOCK; \
	LOOK; \
	ANSWER

// func BlockContains8x32NEON(out []bool, words, h []uint64, ahead int) (found int)
// BlockContains8x32Portable: out[i] = the 8 positions of key i are set; how many are.
TEXT ·BlockContains8x32NEON(SB), NOSPLIT, $0-88
#include "block_loop_neon_arm64.h"
	MOVD  sum, found+80(FP)
	RET
#undef FETCH
#undef BEGIN
#undef KEY

// The lanes of 16 bits have positions 0, 4, 1, 5, 2, 6, 3 and 7, as their lowest bits.
DATA sets<>+0(SB)/8, $0x0403010003020100
DATA sets<>+8(SB)/8, $0x0504020104030201
DATA sets<>+16(SB)/8, $0x00ff00fb00fc0000
DATA sets<>+24(SB)/8, $0x00fd00f900fa00fe
GLOBL sets<>(SB), RODATA|NOPTR, $32

#define fives  V26
#define one    27
#define Vone   V27

#define SETS \
	MOVD  $sets<>(SB), t0; \
	VLD1  (t0), [V24.B16, V25.B16]; \
	VMOVI $31, fives.B16; \
	MOVD  $1, t0; \
	VDUP  t0, Vone.S4

// SET sets the bits of the key, and t0 to less the number of those that were set, in 32 bits.
#define SET \
	VLD1  (t0), BLOCK; \
	VTBL  Vwindows.B16, [V0.B16], V0.B16; \
	USHL8(0, shifts, 0); \
	VAND  fives.B16, V0.B16, V0.B16; \
	VUSHR $16, V0.S4, V1.S4; /* USHL looks at the lowest byte of a lane */ \
	USHL4(one, 0, 0); \
	USHL4(one, 1, 1); \
	VCMTST V0.S4, V16.S4, V2.S4; /* -1 where the word has the bit */ \
	VCMTST V1.S4, V17.S4, V3.S4; \
	VORR  V0.B16, V16.B16, V16.B16; \
	VORR  V1.B16, V17.B16, V17.B16; \
	VST1  BLOCK, (t0); \
	VADD  V2.S4, V3.S4, V2.S4; \
	VADDV V2.S4, V2; \
	FMOVS F2, t0

#define FETCH PSTL1KEEP
#define BEGIN \
	SETS; \
	LSL   $3, todo, sum
#define KEY(a, b, c) \
	MOVD.P 16(keys), t0; \
	FMOVD -8(keys), F0; \
	PLACE; \
	SET; \
	ADD   t0.SXTW, sum, sum; \
	CMNW  $8, t0; \
	CSET  NE, t0; \
	MOVB.P t0, 1(out)

// func BlockAdd8x32NEON(out []bool, words, h []uint64, ahead int) (fresh int)
// BlockAdd8x32Portable: sets the positions of the keys in turn, out[i] = key i found a bit
// clear; how many bits were clear: 8 a key, less those that were set.
TEXT ·BlockAdd8x32NEON(SB), NOSPLIT, $0-88
#include "block_loop_neon_arm64.h"
	MOVD  sum, fresh+80(FP)
	RET

// func BlockContains8x32OneNEON(words []uint64, h0, h1 uint64) bool
// BlockContains8x32Portable for the key h0, h1.
TEXT ·BlockContains8x32OneNEON(SB), NOSPLIT, $0-41
	LOOKS
	ONE
	FMOVD h1+32(FP), F0
	VLD1  (t0), BLOCK
	LOOK
	ALL
	MOVB  t0, ret+40(FP)
	RET

none:
	MOVB  ZR, ret+40(FP)
	RET

// func BlockAdd8x32OneNEON(words []uint64, h0, h1 uint64) (fresh int)
// BlockAdd8x32Portable for the key h0, h1.
TEXT ·BlockAdd8x32OneNEON(SB), NOSPLIT, $0-48
	SETS
	ONE
	FMOVD h1+32(FP), F0
	SET
	ADDW  $8, t0, t0
	MOVD  t0, fresh+40(FP)
	RET

none:
	MOVD  ZR, fresh+40(FP)
	RET
