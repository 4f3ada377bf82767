//go:build gc && !purego

#include "go_asm.h"
#include "textflag.h"
#include "block_one_amd64.h"

// One position in each of the 8 words of a block of 512 bits, AVX2.
//
// Spec      the portable twin of each function.
// Requires  avx2, popcnt.
// Touches   reads h[0:2n] and blocks of words; writes out[0:n], and those blocks where its
//           name has Add.
// Accepts   no keys, no block, odd len(h), any alignment, any ahead.
// Plan      The 8 bits of a key in two vectors, compared with its block at once, no branch on
//           a bit; its block has been asked for so many keys before.

#define sum   CX // keys found
#define lows  Y8 // shifts to the numbers of bits of words 0 to 3: {18, 12, 6, 0}
#define highs Y9 // and of words 4 to 7: {42, 36, 30, 24}
#define low6  Y10 // 63
#define one   Y11 // 1
#define zero  Y12
#define old   Y13 // less bits of each word found set, by the keys before
#define bits0 Y0 // of the key, in words 0 to 3
#define bits1 Y1 // in words 4 to 7
#define w0    Y2
#define w1    Y3

DATA shifts<>+0(SB)/8, $0
DATA shifts<>+8(SB)/8, $6
DATA shifts<>+16(SB)/8, $12
DATA shifts<>+24(SB)/8, $18
DATA shifts<>+32(SB)/8, $24
DATA shifts<>+40(SB)/8, $30
DATA shifts<>+48(SB)/8, $36
DATA shifts<>+56(SB)/8, $42
GLOBL shifts<>(SB), RODATA|NOPTR, $64
DATA sixes<>+0(SB)/8, $63
GLOBL sixes<>(SB), RODATA|NOPTR, $8
DATA unit<>+0(SB)/8, $1
GLOBL unit<>(SB), RODATA|NOPTR, $8

#define CONSTANTS \
	VMOVDQU shifts<>+0(SB), lows; \
	VMOVDQU shifts<>+32(SB), highs; \
	VPBROADCASTQ sixes<>(SB), low6; \
	VPBROADCASTQ unit<>(SB), one

// MASKS sets bits0 and bits1 for the word of the stream at from.
#define MASKS(from) \
	VPBROADCASTQ from, bits0; \
	VPSRLVQ highs, bits0, bits1; \
	VPSRLVQ lows, bits0, bits0; \
	VPAND low6, bits1, bits1; \
	VPAND low6, bits0, bits0; \
	VPSLLVQ bits1, one, bits1; \
	VPSLLVQ bits0, one, bits0

// LOAD loads the block.
#define LOAD \
	VMOVDQU (words)(DX*1), w0; \
	VMOVDQU 32(words)(DX*1), w1

// NEW leaves of bits0 and bits1 those that are clear in the block.
#define NEW \
	VPANDN bits0, w0, bits0; \
	VPANDN bits1, w1, bits1

// SET stores the block with the bits of the key.
#define SET \
	VPOR bits0, w0, Y4; \
	VPOR bits1, w1, Y5; \
	VMOVDQU Y4, (words)(DX*1); \
	VMOVDQU Y5, 32(words)(DX*1)

// OLD subtracts from old the words of which no bit is new.
#define OLD \
	VPCMPEQQ zero, bits0, w0; \
	VPCMPEQQ zero, bits1, w1; \
	VPADDQ w0, old, old; \
	VPADDQ w1, old, old

// ADDUP sets to to the sum of the lanes of old.
#define ADDUP(to) \
	VEXTRACTI128 $1, old, X0; \
	VPADDQ X0, X13, X0; \
	VPSRLDQ $8, X0, X1; \
	VPADDQ X0, X1, X0; \
	VMOVQ X0, to

#define SIZE 3
#define AHEAD ahead+72(FP)

#define BEGIN \
	CONSTANTS; \
	VPXOR zero, zero, zero
#define KEY(a, b, c) \
	MASKS(8(keys)); \
	LOAD; \
	NEW; \
	VPOR bits0, bits1, bits0; \
	VPTEST bits0, zero; /* carry: bits0 is 0 */ \
	SETCS (out); \
	ADCQ $0, sum; \
	INCQ out; \
	ADDQ $16, keys

// func BlockContains8x64AVX2(out []bool, words, h []uint64, ahead int) (found int)
// BlockContains8x64Portable: out[i] = the 8 positions of key i are set; how many are.
TEXT ·BlockContains8x64AVX2(SB), NOSPLIT, $8-88
	XORL sum, sum
#define FETCH PREFETCHT0
#include "block_loop_amd64.h"
	MOVQ sum, found+80(FP)
	VZEROUPPER
	RET

// func BlockContains8x64T1AVX2(out []bool, words, h []uint64, ahead int) (found int)
// BlockContains8x64Portable, with blocks that are brought into L2 only.
TEXT ·BlockContains8x64T1AVX2(SB), NOSPLIT, $8-88
	XORL sum, sum
#define FETCH PREFETCHT1
#include "block_loop_amd64.h"
	MOVQ sum, found+80(FP)
	VZEROUPPER
	RET
#undef BEGIN
#undef KEY

#define BEGIN \
	CONSTANTS; \
	VPXOR zero, zero, zero; \
	MOVQ todo, sum
#define KEY(a, b, c) \
	MASKS(8(keys)); \
	LOAD; \
	SET; \
	NEW; \
	OLD; \
	VPOR bits0, bits1, bits0; \
	VPTEST bits0, zero; /* carry: bits0 is 0 */ \
	SETCC (out); \
	INCQ out; \
	ADDQ $16, keys

// func BlockAdd8x64AVX2(out []bool, words, h []uint64, ahead int) (fresh int)
// BlockAdd8x64Portable: sets the positions of the keys in turn, out[i] = key i found a bit
// clear; how many bits were clear: 8 a key, less the words of which none was.
TEXT ·BlockAdd8x64AVX2(SB), NOSPLIT, $8-88
	XORL sum, sum
	VPXOR old, old, old
#define FETCH PREFETCHT0
#include "block_loop_amd64.h"
	ADDUP(AX)
	LEAQ (AX)(sum*8), AX
	MOVQ AX, fresh+80(FP)
	VZEROUPPER
	RET

// func BlockAdd8x64T1AVX2(out []bool, words, h []uint64, ahead int) (fresh int)
// BlockAdd8x64Portable, with blocks that are brought into L2 only.
TEXT ·BlockAdd8x64T1AVX2(SB), NOSPLIT, $8-88
	XORL sum, sum
	VPXOR old, old, old
#define FETCH PREFETCHT1
#include "block_loop_amd64.h"
	ADDUP(AX)
	LEAQ (AX)(sum*8), AX
	MOVQ AX, fresh+80(FP)
	VZEROUPPER
	RET

// func BlockContains8x64OneAVX2(a *BlockArray, h0, h1 uint64) bool
// BlockContains8x64Portable for the key h0, h1: shifts the bit of each word to its highest.
TEXT ·BlockContains8x64OneAVX2(SB), NOSPLIT, $0-25
	FIND
	VPBROADCASTQ h1+16(FP), bits0
	VMOVDQU (words)(DX*1), w0
	VMOVDQU 32(words)(DX*1), w1
	VPBROADCASTQ sixes<>(SB), low6
	VPSRLVQ shifts<>+32(SB), bits0, bits1
	VPSRLVQ shifts<>+0(SB), bits0, bits0
	VPANDN low6, bits0, bits0      // 63 less the number of the bit
	VPANDN low6, bits1, bits1
	VPSLLVQ bits0, w0, w0
	VPSLLVQ bits1, w1, w1
	VPAND w0, w1, w0
	VMOVMSKPD w0, AX
	CMPL AX, $15
	SETEQ ret+24(FP)
	VZEROUPPER
	RET

// func BlockAdd8x64OneAVX2(a *BlockArray, h0, h1 uint64) (fresh int)
// BlockAdd8x64Portable for the key h0, h1.
TEXT ·BlockAdd8x64OneAVX2(SB), NOSPLIT, $0-32
	FIND
	CONSTANTS
	MASKS(h1+16(FP))
	LOAD
	SET
	NEW
	VPXOR zero, zero, zero
	VPCMPEQQ zero, bits0, bits0
	VPCMPEQQ zero, bits1, bits1
	VPACKSSDW bits1, bits0, bits0  // 32 bits a word
	VMOVMSKPS bits0, AX
	XORL $0xff, AX
	POPCNTL AX, AX
	MOVQ AX, fresh+24(FP)
	VZEROUPPER
	RET
