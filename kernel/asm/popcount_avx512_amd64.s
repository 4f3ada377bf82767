//go:build gc && !purego

#include "textflag.h"

// The popcount family, AVX512. The loop is in popcount_avx512_amd64.h, which each
// function includes after saying how it folds a word of second into one of first.
//
// Spec      the portable twin of each function, in one line above it.
// Requires  avx2, avx512f, avx512vpopcntdq.
// Touches   reads its arguments up to the shorter length n; an Into writes dst[0:n].
// Accepts   n = 0, any alignment, any overlap.
// Plan      32 words a turn into four vector sums, from 512 KiB up at four places at once
//           or, when storing, by halves of vectors; then 8 words a step; then 0 to 7 words
//           under a mask.

#define first  SI // next word of the argument that is loaded
#define second DI // next word of the argument that is folded in
#define left   CX // words to do, less the words of a turn inside turn
#define other  DX // length of the second argument
#define sum    AX // ones found so far; the result
#define ahead DX // bytes by which dst is ahead of src (other is done)
#define apart DX // bytes from one place of reading to the next (other is done)
#define third R9 // the third place of reading
#define t0    R8
#define sum0  Z0 // eight 64-bit sums each
#define sum1  Z1
#define sum2  Z2
#define sum3  Z3
#define v0    Z4
#define v1    Z5
#define v2    Z6
#define v3    Z7
#define y0    Y4 // the lower halves of v0 and v1
#define y1    Y5
#define upper Y8 // 256 bits on their way to an upper half
#define some  K1 // the lanes of a vector that are inside the arguments

// func CountAVX512(x []uint64) int
// CountPortable: ones of x[i], i < len(x).
TEXT ·CountAVX512(SB), NOSPLIT, $0-32
	MOVQ x_base+0(FP), first
	MOVQ x_len+8(FP), left
#include "popcount_avx512_amd64.h"
	MOVQ sum, ret+24(FP)
	RET

// func AndCountAVX512(a, b []uint64) int
// AndCountPortable: ones of a[i]&b[i], i < n = min(len a, len b).
#define FOLD VPANDQ
TEXT ·AndCountAVX512(SB), NOSPLIT, $0-56
	MOVQ a_base+0(FP), first
	MOVQ a_len+8(FP), left
	MOVQ b_base+24(FP), second
	MOVQ b_len+32(FP), other
#include "popcount_avx512_amd64.h"
	MOVQ sum, ret+48(FP)
	RET

// func OrCountAVX512(a, b []uint64) int
// OrCountPortable: ones of a[i]|b[i], i < n = min(len a, len b).
#define FOLD VPORQ
TEXT ·OrCountAVX512(SB), NOSPLIT, $0-56
	MOVQ a_base+0(FP), first
	MOVQ a_len+8(FP), left
	MOVQ b_base+24(FP), second
	MOVQ b_len+32(FP), other
#include "popcount_avx512_amd64.h"
	MOVQ sum, ret+48(FP)
	RET

// func XorCountAVX512(a, b []uint64) int
// XorCountPortable: ones of a[i]^b[i], i < n = min(len a, len b).
#define FOLD VPXORQ
TEXT ·XorCountAVX512(SB), NOSPLIT, $0-56
	MOVQ a_base+0(FP), first
	MOVQ a_len+8(FP), left
	MOVQ b_base+24(FP), second
	MOVQ b_len+32(FP), other
#include "popcount_avx512_amd64.h"
	MOVQ sum, ret+48(FP)
	RET

// func AndNotCountAVX512(a, b []uint64) int
// AndNotCountPortable: ones of a[i]&^b[i], i < n = min(len a, len b). The word loaded
// is b's: and-not complements the register, not the memory operand.
#define FOLD VPANDNQ
TEXT ·AndNotCountAVX512(SB), NOSPLIT, $0-56
	MOVQ a_base+0(FP), second
	MOVQ a_len+8(FP), left
	MOVQ b_base+24(FP), first
	MOVQ b_len+32(FP), other
#include "popcount_avx512_amd64.h"
	MOVQ sum, ret+48(FP)
	RET

// func AndIntoAVX512(dst, src []uint64) int
// AndIntoPortable: dst[i] &= src[i], i < n = min(len dst, len src); ones stored.
#define FOLD  VPANDQ
#define FOLDY VPAND
#define DST(x, y) x
TEXT ·AndIntoAVX512(SB), NOSPLIT, $0-56
	MOVQ dst_base+0(FP), first
	MOVQ dst_len+8(FP), left
	MOVQ src_base+24(FP), second
	MOVQ src_len+32(FP), other
#include "popcount_avx512_amd64.h"
	MOVQ sum, ret+48(FP)
	RET

// func OrIntoAVX512(dst, src []uint64) int
// OrIntoPortable: dst[i] |= src[i], i < n = min(len dst, len src); ones stored.
#define FOLD  VPORQ
#define FOLDY VPOR
#define DST(x, y) x
TEXT ·OrIntoAVX512(SB), NOSPLIT, $0-56
	MOVQ dst_base+0(FP), first
	MOVQ dst_len+8(FP), left
	MOVQ src_base+24(FP), second
	MOVQ src_len+32(FP), other
#include "popcount_avx512_amd64.h"
	MOVQ sum, ret+48(FP)
	RET

// func AndNotIntoAVX512(dst, src []uint64) int
// AndNotIntoPortable: dst[i] &^= src[i], i < n = min(len dst, len src); ones stored.
// The word loaded is src's, as in AndNotCount.
#define FOLD  VPANDNQ
#define FOLDY VPANDN
#define DST(x, y) y
TEXT ·AndNotIntoAVX512(SB), NOSPLIT, $0-56
	MOVQ dst_base+0(FP), second
	MOVQ dst_len+8(FP), left
	MOVQ src_base+24(FP), first
	MOVQ src_len+32(FP), other
#include "popcount_avx512_amd64.h"
	MOVQ sum, ret+48(FP)
	RET
