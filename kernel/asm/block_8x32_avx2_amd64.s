//go:build gc && !purego

#include "go_asm.h"
#include "textflag.h"
#include "block_one_amd64.h"

// One position in each of the 8 words of 32 bits of a block of 256, AVX2.
//
// Spec      the portable twin of each function.
// Requires  avx2, popcnt.
// Touches   reads h[0:2n] and blocks of words; writes out[0:n], and those blocks where its
//           name has Add.
// Accepts   no keys, no block, odd len(h), any alignment, any ahead.
// Plan      The 8 bits of a key in one vector, compared with its block at once, no branch on
//           a bit; its block has been asked for so many keys before.

#define sum   CX // keys found, or bits found clear
#define pairs Y8 // shifts to the numbers of bits of words 0, 2, 4 and 6: {30, 20, 10, 0}
#define low5  Y10 // 31
#define one   Y11 // 1
#define zero  Y12
#define bits  Y0 // of the key
#define w     Y2

DATA shifts<>+0(SB)/8, $0
DATA shifts<>+8(SB)/8, $10
DATA shifts<>+16(SB)/8, $20
DATA shifts<>+24(SB)/8, $30
GLOBL shifts<>(SB), RODATA|NOPTR, $32
DATA fives<>+0(SB)/4, $31
GLOBL fives<>(SB), RODATA|NOPTR, $4
DATA unit<>+0(SB)/4, $1
GLOBL unit<>(SB), RODATA|NOPTR, $4

#define CONSTANTS \
	VMOVDQU shifts<>(SB), pairs; \
	VPBROADCASTD fives<>(SB), low5; \
	VPBROADCASTD unit<>(SB), one

// MASKS sets bits for the word of the stream at from. Bits 0 to 4 of a lane of 64 are for
// its lower word, bits 5 to 9 for the other.
#define MASKS(from) \
	VPBROADCASTQ from, bits; \
	VPSRLVQ pairs, bits, bits; \
	VPSLLQ $27, bits, Y1; \
	VPBLENDD $0xaa, Y1, bits, bits; \
	VPAND low5, bits, bits; \
	VPSLLVD bits, one, bits

// OLD sets bit j of AX to whether word j had the key's bit; bits is lost.
#define OLD \
	VPANDN bits, w, bits; \
	VPCMPEQD zero, bits, bits; \
	VMOVMSKPS bits, AX

#define SIZE 2
#define AHEAD ahead+72(FP)

#define BEGIN \
	CONSTANTS
#define KEY(a, b, c) \
	MASKS(8(keys)); \
	VMOVDQU (words)(DX*1), w; \
	VPTEST bits, w; /* carry: no bit is clear in w */ \
	SETCS (out); \
	ADCQ $0, sum; \
	INCQ out; \
	ADDQ $16, keys

// func BlockContains8x32AVX2(out []bool, words, h []uint64, ahead int) (found int)
// BlockContains8x32Portable: out[i] = the 8 positions of key i are set; how many are.
TEXT ·BlockContains8x32AVX2(SB), NOSPLIT, $8-88
	XORL sum, sum
#define FETCH PREFETCHT0
#include "block_loop_amd64.h"
	MOVQ sum, found+80(FP)
	VZEROUPPER
	RET

// func BlockContains8x32T1AVX2(out []bool, words, h []uint64, ahead int) (found int)
// BlockContains8x32Portable, with blocks that are brought into L2 only.
TEXT ·BlockContains8x32T1AVX2(SB), NOSPLIT, $8-88
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
	MOVQ todo, sum; \
	SHLQ $3, sum
#define KEY(a, b, c) \
	MASKS(8(keys)); \
	VMOVDQU (words)(DX*1), w; \
	VPOR bits, w, Y1; \
	VMOVDQU Y1, (words)(DX*1); \
	OLD; \
	CMPL AX, $0xff; \
	SETNE (out); \
	POPCNTL AX, AX; \
	SUBQ AX, sum; \
	INCQ out; \
	ADDQ $16, keys

// func BlockAdd8x32AVX2(out []bool, words, h []uint64, ahead int) (fresh int)
// BlockAdd8x32Portable: sets the positions of the keys in turn, out[i] = key i found a bit
// clear; how many bits were clear: 8 a key, less the words in which none was.
TEXT ·BlockAdd8x32AVX2(SB), NOSPLIT, $8-88
	XORL sum, sum
#define FETCH PREFETCHT0
#include "block_loop_amd64.h"
	MOVQ sum, fresh+80(FP)
	VZEROUPPER
	RET

// func BlockAdd8x32T1AVX2(out []bool, words, h []uint64, ahead int) (fresh int)
// BlockAdd8x32Portable, with blocks that are brought into L2 only.
TEXT ·BlockAdd8x32T1AVX2(SB), NOSPLIT, $8-88
	XORL sum, sum
#define FETCH PREFETCHT1
#include "block_loop_amd64.h"
	MOVQ sum, fresh+80(FP)
	VZEROUPPER
	RET

// func BlockContains8x32OneAVX2(a *BlockArray, h0, h1 uint64) bool
// BlockContains8x32Portable for the key h0, h1.
TEXT ·BlockContains8x32OneAVX2(SB), NOSPLIT, $0-25
	FIND
	CONSTANTS
	MASKS(h1+16(FP))
	VMOVDQU (words)(DX*1), w
	VPTEST bits, w
	SETCS ret+24(FP)
	VZEROUPPER
	RET

// func BlockAdd8x32OneAVX2(a *BlockArray, h0, h1 uint64) (fresh int)
// BlockAdd8x32Portable for the key h0, h1.
TEXT ·BlockAdd8x32OneAVX2(SB), NOSPLIT, $0-32
	FIND
	CONSTANTS
	MASKS(h1+16(FP))
	VMOVDQU (words)(DX*1), w
	VPOR bits, w, Y1
	VMOVDQU Y1, (words)(DX*1)
	VPXOR zero, zero, zero
	OLD
	XORL $0xff, AX
	POPCNTL AX, AX
	MOVQ AX, fresh+24(FP)
	VZEROUPPER
	RET
