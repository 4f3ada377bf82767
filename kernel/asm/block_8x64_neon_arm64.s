//go:build gc && !purego

#include "textflag.h"

// One position in each of the 8 words of a block of 512 bits, NEON.
//
// Spec      the portable twin of each function.
// Requires  nothing beyond arm64.
// Touches   reads h[0:2n] and blocks of words; writes out[0:n], and those blocks where its
//           name has Add.
// Accepts   no keys, no block, odd len(h), any alignment, any ahead.
// Plan      A look-up fetches the 8 bytes with the positions of a key from its block at once,
//           as from a table of 64; an addition has the 8 bits in four vectors. No branch on a
//           bit; the block has been asked for so many keys before.

#define LINE 6
#define AHEAD ahead+72(FP)
#define TOP 6
#define BLOCK [V16.B16, V17.B16, V18.B16, V19.B16]

// Position j has bits 6j to 6j+5.
DATA looks<>+0(SB)/8, $0x0302020101000100
DATA looks<>+8(SB)/8, $0x0605050404030403
DATA looks<>+16(SB)/8, $0x000800060004000a
DATA looks<>+24(SB)/8, $0x000800060004000a
DATA looks<>+32(SB)/8, $0x1800100008000000
DATA looks<>+40(SB)/8, $0x3800300028002000
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

// func BlockContains8x64NEON(out []bool, words, h []uint64, ahead int) (found int)
// BlockContains8x64Portable: out[i] = the 8 positions of key i are set; how many are.
TEXT ·BlockContains8x64NEON(SB), NOSPLIT, $0-88
#include "block_loop_neon_arm64.h"
	MOVD  sum, found+80(FP)
	RET
#undef FETCH
#undef BEGIN
#undef KEY

// The lanes of 16 bits have positions 0, 2, 4, 6, 1, 3, 5 and 7, as their lowest bits.
DATA sets<>+0(SB)/8, $0x0504040302010100
DATA sets<>+8(SB)/8, $0x0605040303020100
DATA sets<>+16(SB)/8, $0x00fc000000fc0000
DATA sets<>+24(SB)/8, $0x00fe00fa00fe00fa
GLOBL sets<>(SB), RODATA|NOPTR, $32

#define sixes  V26
#define one    27
#define Vone   V27

#define SETS \
	MOVD  $sets<>(SB), t0; \
	VLD1  (t0), [V24.B16, V25.B16]; \
	VMOVI $63, sixes.B16; \
	MOVD  $1, t0; \
	VDUP  t0, Vone.D2

// SET sets the bits of the key, and t0 to less the number of those that were set.
#define SET \
	VLD1  (t0), BLOCK; \
	VTBL  Vwindows.B16, [V0.B16], V0.B16; \
	USHL8(0, shifts, 0); \
	VAND  sixes.B16, V0.B16, V0.B16; \
	VUSHR $16, V0.D2, V1.D2; /* USHL looks at the lowest byte of a lane */ \
	VUSHR $32, V0.D2, V2.D2; \
	VUSHR $48, V0.D2, V3.D2; \
	USHL2(one, 0, 0); \
	USHL2(one, 1, 1); \
	USHL2(one, 2, 2); \
	USHL2(one, 3, 3); \
	VCMTST V0.D2, V16.D2, V4.D2; /* -1 where the word has the bit */ \
	VCMTST V1.D2, V17.D2, V5.D2; \
	VCMTST V2.D2, V18.D2, V6.D2; \
	VCMTST V3.D2, V19.D2, V7.D2; \
	VORR  V0.B16, V16.B16, V16.B16; \
	VORR  V1.B16, V17.B16, V17.B16; \
	VORR  V2.B16, V18.B16, V18.B16; \
	VORR  V3.B16, V19.B16, V19.B16; \
	VST1  BLOCK, (t0); \
	VADD  V4.D2, V5.D2, V4.D2; \
	VADD  V6.D2, V7.D2, V6.D2; \
	VADD  V4.D2, V6.D2, V4.D2; \
	VADDP V4.D2, V4.D2, V4.D2; \
	FMOVD F4, t0

#define FETCH PSTL1KEEP
#define BEGIN \
	SETS; \
	LSL   $3, todo, sum
#define KEY(a, b, c) \
	MOVD.P 16(keys), t0; \
	FMOVD -8(keys), F0; \
	PLACE; \
	SET; \
	ADD   t0, sum, sum; \
	CMN   $8, t0; \
	CSET  NE, t0; \
	MOVB.P t0, 1(out)

// func BlockAdd8x64NEON(out []bool, words, h []uint64, ahead int) (fresh int)
// BlockAdd8x64Portable: sets the positions of the keys in turn, out[i] = key i found a bit
// clear; how many bits were clear: 8 a key, less those that were set.
TEXT ·BlockAdd8x64NEON(SB), NOSPLIT, $0-88
#include "block_loop_neon_arm64.h"
	MOVD  sum, fresh+80(FP)
	RET

// func BlockContains8x64OneNEON(words []uint64, h0, h1 uint64) bool
// BlockContains8x64Portable for the key h0, h1.
TEXT ·BlockContains8x64OneNEON(SB), NOSPLIT, $0-41
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

// func BlockAdd8x64OneNEON(words []uint64, h0, h1 uint64) (fresh int)
// BlockAdd8x64Portable for the key h0, h1.
TEXT ·BlockAdd8x64OneNEON(SB), NOSPLIT, $0-48
	SETS
	ONE
	FMOVD h1+32(FP), F0
	SET
	ADD   $8, t0, t0
	MOVD  t0, fresh+40(FP)
	RET

none:
	MOVD  ZR, fresh+40(FP)
	RET
