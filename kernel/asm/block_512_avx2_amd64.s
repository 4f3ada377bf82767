//go:build gc && !purego

#include "go_asm.h"
#include "textflag.h"
#include "block_one_amd64.h"
#include "block_stream_amd64.h"

// k independent positions in a block of 512 bits, AVX2.
//
// Spec      the portable twin of each function.
// Requires  avx2, popcnt.
// Touches   reads h[0:2n] and blocks of words; writes out[0:n].
// Accepts   no keys, no block, odd len(h), any k >= 1, any alignment, any ahead.
// Plan      The 7 positions of a word of the stream in 7 lanes of a vector, for which the
//           permutation of the block's 16 words of 32 bits fetches the words at once, no
//           branch on a bit; the block has been asked for so many keys before.

#define sum    CX // keys found
#define left   R11 // words of the stream to do, but the last
#define lows   Y8 // shifts to the positions in the lower halves of lanes: {27, 18, 9, 0}
#define highs  Y9 // and in the upper halves, 32 bits further: {31, 22, 13, 4}
#define low5   Y10 // 31
#define whole  Y11 // 1 in the lanes of the positions of a word
#define part   Y12 // 1 in those of the last
#define zero   Y13
#define miss   Y14 // bits found clear
#define bits   Y0 // the word of the stream, then bits that are looked for

DATA shifts<>+0(SB)/8, $0
DATA shifts<>+8(SB)/8, $9
DATA shifts<>+16(SB)/8, $18
DATA shifts<>+24(SB)/8, $27
DATA shifts<>+32(SB)/8, $4
DATA shifts<>+40(SB)/8, $13
DATA shifts<>+48(SB)/8, $22
DATA shifts<>+56(SB)/8, $31
GLOBL shifts<>(SB), RODATA|NOPTR, $64
DATA fives<>+0(SB)/4, $31
GLOBL fives<>(SB), RODATA|NOPTR, $4

// Row i of lanes has 1 in the lanes of the first i positions: position 0 has lane 0, 1 lane
// 2, 2 lane 4, 3 lane 6, 4 lane 1, 5 lane 3, 6 lane 5.
DATA lanes<>+0(SB)/8, $0
DATA lanes<>+8(SB)/8, $0
DATA lanes<>+16(SB)/8, $0
DATA lanes<>+24(SB)/8, $0
DATA lanes<>+32(SB)/8, $1
DATA lanes<>+40(SB)/8, $0
DATA lanes<>+48(SB)/8, $0
DATA lanes<>+56(SB)/8, $0
DATA lanes<>+64(SB)/8, $1
DATA lanes<>+72(SB)/8, $1
DATA lanes<>+80(SB)/8, $0
DATA lanes<>+88(SB)/8, $0
DATA lanes<>+96(SB)/8, $1
DATA lanes<>+104(SB)/8, $1
DATA lanes<>+112(SB)/8, $1
DATA lanes<>+120(SB)/8, $0
DATA lanes<>+128(SB)/8, $1
DATA lanes<>+136(SB)/8, $1
DATA lanes<>+144(SB)/8, $1
DATA lanes<>+152(SB)/8, $1
DATA lanes<>+160(SB)/8, $0x100000001
DATA lanes<>+168(SB)/8, $1
DATA lanes<>+176(SB)/8, $1
DATA lanes<>+184(SB)/8, $1
DATA lanes<>+192(SB)/8, $0x100000001
DATA lanes<>+200(SB)/8, $0x100000001
DATA lanes<>+208(SB)/8, $1
DATA lanes<>+216(SB)/8, $1
DATA lanes<>+224(SB)/8, $0x100000001
DATA lanes<>+232(SB)/8, $0x100000001
DATA lanes<>+240(SB)/8, $0x100000001
DATA lanes<>+248(SB)/8, $1
GLOBL lanes<>(SB), RODATA|NOPTR, $256

#define CONSTANTS \
	VMOVDQU shifts<>+0(SB), lows; \
	VMOVDQU shifts<>+32(SB), highs; \
	VPBROADCASTD fives<>(SB), low5

// SPLIT sets AX to the number of words that k positions need but the last, and part for
// those that this gives, 1 to 7. DX and t are lost.
#define SPLIT(k) \
	MOVQ k, AX; \
	DECQ AX; \
	XORL DX, DX; \
	MOVL $7, t; \
	DIVQ t; \
	INCQ DX; \
	SHLQ $5, DX; \
	LEAQ lanes<>(SB), t; \
	VMOVDQU (t)(DX*1), part; \
	VMOVDQU 224(t), whole

// LOOK turns the word of the stream in the lanes of bits into the bits of its positions that
// are clear in the block at DX, in the lanes that are 1 in those.
#define LOOK(those) \
	VPSRLVQ lows, bits, Y1; \
	VPSRLVQ highs, bits, bits; \
	VPBLENDD $0xaa, bits, Y1, bits; /* positions in the low 9 bits of each lane */ \
	VPSRLD $5, bits, Y1; \
	VPSLLD $23, bits, Y2; \
	VPERMD (words)(DX*1), Y1, Y3; \
	VPERMD 32(words)(DX*1), Y1, Y4; \
	VPAND low5, bits, bits; \
	VBLENDVPS Y2, Y4, Y3, Y3; \
	VPSLLVD bits, those, bits; \
	VPANDN bits, Y3, bits

// NEXT goes on to the next word of the stream of the key whose first word is at h0.
#define NEXT(h0) \
	WORD(h0); \
	VMOVQ AX, X0; \
	VPBROADCASTQ X0, bits

#define SIZE 3
#define AHEAD ahead+80(FP)
#define BEGIN \
	CONSTANTS; \
	SPLIT(k+72(FP)); \
	MOVQ AX, more-16(SP); \
	VPXOR zero, zero, zero
#define KEY(another, last, c) \
	VPBROADCASTQ 8(keys), bits; \
	VMOVDQA zero, miss; \
	MOVQ more-16(SP), left; \
	TESTQ left, left; \
	JEQ  last; \
	MOVQ 8(keys), state; \
another: \
	LOOK(whole); \
	VPOR bits, miss, miss; \
	NEXT(0(keys)); \
	DECQ left; \
	JNE  another; \
last: \
	LOOK(part); \
	VPOR bits, miss, miss; \
	VPTEST miss, zero; /* carry: miss is 0 */ \
	SETCS (out); \
	ADCQ $0, sum; \
	INCQ out; \
	ADDQ $16, keys

// func BlockContains512AVX2(out []bool, words, h []uint64, k, ahead int) (found int)
// BlockContains512Portable: out[i] = the k positions of key i are set; how many are.
TEXT ·BlockContains512AVX2(SB), NOSPLIT, $16-96
	XORL sum, sum
#define FETCH PREFETCHT0
#include "block_loop_amd64.h"
	MOVQ sum, found+88(FP)
	VZEROUPPER
	RET

// func BlockContains512T1AVX2(out []bool, words, h []uint64, k, ahead int) (found int)
// BlockContains512Portable, with blocks that are brought into L2 only.
TEXT ·BlockContains512T1AVX2(SB), NOSPLIT, $16-96
	XORL sum, sum
#define FETCH PREFETCHT1
#include "block_loop_amd64.h"
	MOVQ sum, found+88(FP)
	VZEROUPPER
	RET

// func BlockContains512OneAVX2(a *BlockArray, h0, h1 uint64) bool
// BlockContains512Portable for the key h0, h1.
TEXT ·BlockContains512OneAVX2(SB), NOSPLIT, $0-25
	FIND
	MOVQ BlockArray_k(R8), left
	CONSTANTS
	VPBROADCASTQ h1+16(FP), bits
	VPXOR miss, miss, miss
	LEAQ lanes<>(SB), t
	CMPQ left, $7
	JLE  last
	VMOVDQU 224(t), whole
	MOVQ h1+16(FP), state

another: // left >= 8: positions to do
	LOOK(whole)
	VPOR bits, miss, miss
	NEXT(h0+8(FP))
	SUBQ $7, left
	CMPQ left, $7
	JGT  another
	LEAQ lanes<>(SB), t

last: // 1 <= left <= 7
	SHLQ $5, left
	VMOVDQU (t)(left*1), part
	LOOK(part)
	VPOR bits, miss, miss
	VPTEST miss, miss
	SETEQ ret+24(FP)
	VZEROUPPER
	RET
