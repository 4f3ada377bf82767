//go:build gc && !purego

#include "textflag.h"

// The popcount family, AVX2. The loop is in popcount_avx2_amd64.h, which each
// function includes after saying how it folds a word of second into one of first.
//
// Spec      the portable twin of each function, in one line above it.
// Requires  avx2, popcnt.
// Touches   reads its arguments up to the shorter length n; an Into writes dst[0:n].
// Accepts   n = 0, any alignment, any overlap.
// Plan      64 words a block by carry-save adders, ones of the carries alone counted; then
//           16 words a turn, ones of each nibble by table into byte counters; then 0 to 15
//           single words by POPCNT.

// nibbles<>: byte i of each 16 holds the ones of nibble i.
DATA nibbles<>+0(SB)/8, $0x0302020102010100
DATA nibbles<>+8(SB)/8, $0x0403030203020201
DATA nibbles<>+16(SB)/8, $0x0302020102010100
DATA nibbles<>+24(SB)/8, $0x0403030203020201
GLOBL nibbles<>(SB), RODATA|NOPTR, $32

// low<>: the low nibble of each byte.
DATA low<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA low<>+8(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA low<>+16(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA low<>+24(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL low<>(SB), RODATA|NOPTR, $32

#define first  SI // next word of the argument that is loaded
#define second DI // next word of the argument that is folded in
#define left   CX // words to do, less the words of a turn inside turn
#define other  DX // length of the second argument
#define sum    AX // ones found so far; the result
#define ahead  DX // bytes by which dst is ahead of src (other is done)
#define t0     R8
#define table  Y0 // ones of each nibble, twice
#define nibble Y1 // 32 times 0x0f
#define zero   Y2
#define sums   Y3 // four 64-bit sums
#define bytes  Y4 // 32 byte counters of this turn
#define v0     Y5
#define v1     Y6
#define h0     Y7
#define h1     Y8
#define ones   Y4 // bits of weight 1, 2, 4 and 8 at each place, of this block and those before
#define twos   Y9
#define fours  Y10
#define eights Y11
#define c0     Y12 // carries of weight 4, then 16
#define c1     Y13
#define d0     Y14 // carries of weight 8
#define d1     Y15

// func CountAVX2(x []uint64) int
// CountPortable: ones of x[i], i < len(x).
TEXT ·CountAVX2(SB), NOSPLIT, $0-32
	MOVQ x_base+0(FP), first
	MOVQ x_len+8(FP), left
#include "popcount_avx2_amd64.h"
	MOVQ sum, ret+24(FP)
	RET

// func AndCountAVX2(a, b []uint64) int
// AndCountPortable: ones of a[i]&b[i], i < n = min(len a, len b).
#define FOLD(at, v) VPAND at(second), v, v
#define FOLDWORD(w) ANDQ (second), w
TEXT ·AndCountAVX2(SB), NOSPLIT, $0-56
	MOVQ a_base+0(FP), first
	MOVQ a_len+8(FP), left
	MOVQ b_base+24(FP), second
	MOVQ b_len+32(FP), other
#include "popcount_avx2_amd64.h"
	MOVQ sum, ret+48(FP)
	RET

// func OrCountAVX2(a, b []uint64) int
// OrCountPortable: ones of a[i]|b[i], i < n = min(len a, len b).
#define FOLD(at, v) VPOR at(second), v, v
#define FOLDWORD(w) ORQ (second), w
TEXT ·OrCountAVX2(SB), NOSPLIT, $0-56
	MOVQ a_base+0(FP), first
	MOVQ a_len+8(FP), left
	MOVQ b_base+24(FP), second
	MOVQ b_len+32(FP), other
#include "popcount_avx2_amd64.h"
	MOVQ sum, ret+48(FP)
	RET

// func XorCountAVX2(a, b []uint64) int
// XorCountPortable: ones of a[i]^b[i], i < n = min(len a, len b).
#define FOLD(at, v) VPXOR at(second), v, v
#define FOLDWORD(w) XORQ (second), w
TEXT ·XorCountAVX2(SB), NOSPLIT, $0-56
	MOVQ a_base+0(FP), first
	MOVQ a_len+8(FP), left
	MOVQ b_base+24(FP), second
	MOVQ b_len+32(FP), other
#include "popcount_avx2_amd64.h"
	MOVQ sum, ret+48(FP)
	RET

// func AndNotCountAVX2(a, b []uint64) int
// AndNotCountPortable: ones of a[i]&^b[i], i < n = min(len a, len b). The word loaded
// is b's: and-not complements the register, not the memory operand.
#define FOLD(at, v) VPANDN at(second), v, v
#define FOLDWORD(w) NOTQ w; ANDQ (second), w
TEXT ·AndNotCountAVX2(SB), NOSPLIT, $0-56
	MOVQ a_base+0(FP), second
	MOVQ a_len+8(FP), left
	MOVQ b_base+24(FP), first
	MOVQ b_len+32(FP), other
#include "popcount_avx2_amd64.h"
	MOVQ sum, ret+48(FP)
	RET

// func AndIntoAVX2(dst, src []uint64) int
// AndIntoPortable: dst[i] &= src[i], i < n = min(len dst, len src); ones stored.
#define FOLD(at, v) VPAND at(second), v, v
#define FOLDWORD(w) ANDQ (second), w
#define DST(x, y) x
TEXT ·AndIntoAVX2(SB), NOSPLIT, $0-56
	MOVQ dst_base+0(FP), first
	MOVQ dst_len+8(FP), left
	MOVQ src_base+24(FP), second
	MOVQ src_len+32(FP), other
#include "popcount_avx2_amd64.h"
	MOVQ sum, ret+48(FP)
	RET

// func OrIntoAVX2(dst, src []uint64) int
// OrIntoPortable: dst[i] |= src[i], i < n = min(len dst, len src); ones stored.
#define FOLD(at, v) VPOR at(second), v, v
#define FOLDWORD(w) ORQ (second), w
#define DST(x, y) x
TEXT ·OrIntoAVX2(SB), NOSPLIT, $0-56
	MOVQ dst_base+0(FP), first
	MOVQ dst_len+8(FP), left
	MOVQ src_base+24(FP), second
	MOVQ src_len+32(FP), other
#include "popcount_avx2_amd64.h"
	MOVQ sum, ret+48(FP)
	RET

// func AndNotIntoAVX2(dst, src []uint64) int
// AndNotIntoPortable: dst[i] &^= src[i], i < n = min(len dst, len src); ones stored.
// The word loaded is src's, as in AndNotCount.
#define FOLD(at, v) VPANDN at(second), v, v
#define FOLDWORD(w) NOTQ w; ANDQ (second), w
#define DST(x, y) y
TEXT ·AndNotIntoAVX2(SB), NOSPLIT, $0-56
	MOVQ dst_base+0(FP), second
	MOVQ dst_len+8(FP), left
	MOVQ src_base+24(FP), first
	MOVQ src_len+32(FP), other
#include "popcount_avx2_amd64.h"
	MOVQ sum, ret+48(FP)
	RET
