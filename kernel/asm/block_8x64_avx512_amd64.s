//go:build gc && !purego

#include "go_asm.h"
#include "textflag.h"
#include "block_one_amd64.h"

// One position in each of the 8 words of a block of 512 bits, AVX-512, for one key.
//
// Spec      the portable twin of each function.
// Requires  avx2, popcnt, avx512f, avx512vpopcntdq.
// Touches   reads and, where its name has Add, writes a block of the array.
// Accepts   any alignment.
// Plan      A word in each lane, its bit rotated to the lowest, or 1 to where the bit is. The
//           registers are those from Z16 on, after which no VZEROUPPER is due.

#define words SI
#define from  Z16 // the word of the stream, then bits
#define old   Z17 // the block
#define one   Z18

DATA shifts<>+0(SB)/8, $0
DATA shifts<>+8(SB)/8, $6
DATA shifts<>+16(SB)/8, $12
DATA shifts<>+24(SB)/8, $18
DATA shifts<>+32(SB)/8, $24
DATA shifts<>+40(SB)/8, $30
DATA shifts<>+48(SB)/8, $36
DATA shifts<>+56(SB)/8, $42
GLOBL shifts<>(SB), RODATA|NOPTR, $64
DATA unit<>+0(SB)/8, $1
GLOBL unit<>(SB), RODATA|NOPTR, $8

#define SIZE 3

// func BlockContains8x64OneAVX512(a *BlockArray, h0, h1 uint64) bool
// BlockContains8x64Portable for the key h0, h1.
TEXT ·BlockContains8x64OneAVX512(SB), NOSPLIT, $0-25
	FIND
	VPBROADCASTQ h1+16(FP), from
	VMOVDQU64 (words)(DX*1), old
	VPSRLVQ shifts<>(SB), from, from
	VPRORVQ from, old, old
	VPTESTNMQ.BCST unit<>(SB), old, K1
	KORTESTW K1, K1
	SETEQ ret+24(FP)
	RET

// func BlockAdd8x64OneAVX512(a *BlockArray, h0, h1 uint64) (fresh int)
// BlockAdd8x64Portable for the key h0, h1.
TEXT ·BlockAdd8x64OneAVX512(SB), NOSPLIT, $0-32
	FIND
	VPBROADCASTQ h1+16(FP), from
	VPBROADCASTQ unit<>(SB), one
	VMOVDQU64 (words)(DX*1), old
	VPSRLVQ shifts<>(SB), from, from
	VPROLVQ from, one, from
	VPTESTNMQ from, old, K1
	VPORQ from, old, old
	VMOVDQU64 old, (words)(DX*1)
	KMOVW K1, AX
	POPCNTL AX, AX
	MOVQ AX, fresh+24(FP)
	RET
