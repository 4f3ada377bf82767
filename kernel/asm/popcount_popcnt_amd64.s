//go:build gc && !purego

#include "textflag.h"

// The popcount family, Popcnt. The loop is in popcount_popcnt_amd64.h, which each
// function includes after saying how it folds a word of second into one of first.
//
// Spec      the portable twin of each function, in one line above it.
// Requires  popcnt.
// Touches   reads its arguments up to the shorter length n; an Into writes dst[0:n].
// Accepts   n = 0, any alignment, any overlap.
// Plan      4 words a turn into two sums; then 0 to 3 single words.

#define first  SI // next word of the argument that is loaded
#define second DI // next word of the argument that is folded in
#define left   CX // words to do, less the words of a turn inside turn
#define other  DX // length of the second argument
#define sum    AX // ones found so far; the result
#define more BX // ones found in words 2, 3 of the turns
#define t0   R8
#define t1   R9
#define t2   R10
#define t3   R11

// func CountPopcnt(x []uint64) int
// CountPortable: ones of x[i], i < len(x).
TEXT ·CountPopcnt(SB), NOSPLIT, $0-32
	MOVQ x_base+0(FP), first
	MOVQ x_len+8(FP), left
#include "popcount_popcnt_amd64.h"
	MOVQ sum, ret+24(FP)
	RET

// func AndCountPopcnt(a, b []uint64) int
// AndCountPortable: ones of a[i]&b[i], i < n = min(len a, len b).
#define FOLD(at, w) ANDQ at(second), w
TEXT ·AndCountPopcnt(SB), NOSPLIT, $0-56
	MOVQ a_base+0(FP), first
	MOVQ a_len+8(FP), left
	MOVQ b_base+24(FP), second
	MOVQ b_len+32(FP), other
#include "popcount_popcnt_amd64.h"
	MOVQ sum, ret+48(FP)
	RET

// func OrCountPopcnt(a, b []uint64) int
// OrCountPortable: ones of a[i]|b[i], i < n = min(len a, len b).
#define FOLD(at, w) ORQ at(second), w
TEXT ·OrCountPopcnt(SB), NOSPLIT, $0-56
	MOVQ a_base+0(FP), first
	MOVQ a_len+8(FP), left
	MOVQ b_base+24(FP), second
	MOVQ b_len+32(FP), other
#include "popcount_popcnt_amd64.h"
	MOVQ sum, ret+48(FP)
	RET

// func XorCountPopcnt(a, b []uint64) int
// XorCountPortable: ones of a[i]^b[i], i < n = min(len a, len b).
#define FOLD(at, w) XORQ at(second), w
TEXT ·XorCountPopcnt(SB), NOSPLIT, $0-56
	MOVQ a_base+0(FP), first
	MOVQ a_len+8(FP), left
	MOVQ b_base+24(FP), second
	MOVQ b_len+32(FP), other
#include "popcount_popcnt_amd64.h"
	MOVQ sum, ret+48(FP)
	RET

// func AndNotCountPopcnt(a, b []uint64) int
// AndNotCountPortable: ones of a[i]&^b[i], i < n = min(len a, len b). The word loaded
// is b's: and-not complements the register, not the memory operand.
#define FOLD(at, w) NOTQ w; ANDQ at(second), w
TEXT ·AndNotCountPopcnt(SB), NOSPLIT, $0-56
	MOVQ a_base+0(FP), second
	MOVQ a_len+8(FP), left
	MOVQ b_base+24(FP), first
	MOVQ b_len+32(FP), other
#include "popcount_popcnt_amd64.h"
	MOVQ sum, ret+48(FP)
	RET

// func AndIntoPopcnt(dst, src []uint64) int
// AndIntoPortable: dst[i] &= src[i], i < n = min(len dst, len src); ones stored.
#define FOLD(at, w) ANDQ at(second), w
#define DST(x, y) x
TEXT ·AndIntoPopcnt(SB), NOSPLIT, $0-56
	MOVQ dst_base+0(FP), first
	MOVQ dst_len+8(FP), left
	MOVQ src_base+24(FP), second
	MOVQ src_len+32(FP), other
#include "popcount_popcnt_amd64.h"
	MOVQ sum, ret+48(FP)
	RET

// func OrIntoPopcnt(dst, src []uint64) int
// OrIntoPortable: dst[i] |= src[i], i < n = min(len dst, len src); ones stored.
#define FOLD(at, w) ORQ at(second), w
#define DST(x, y) x
TEXT ·OrIntoPopcnt(SB), NOSPLIT, $0-56
	MOVQ dst_base+0(FP), first
	MOVQ dst_len+8(FP), left
	MOVQ src_base+24(FP), second
	MOVQ src_len+32(FP), other
#include "popcount_popcnt_amd64.h"
	MOVQ sum, ret+48(FP)
	RET

// func AndNotIntoPopcnt(dst, src []uint64) int
// AndNotIntoPortable: dst[i] &^= src[i], i < n = min(len dst, len src); ones stored.
// The word loaded is src's, as in AndNotCount.
#define FOLD(at, w) NOTQ w; ANDQ at(second), w
#define DST(x, y) y
TEXT ·AndNotIntoPopcnt(SB), NOSPLIT, $0-56
	MOVQ dst_base+0(FP), second
	MOVQ dst_len+8(FP), left
	MOVQ src_base+24(FP), first
	MOVQ src_len+32(FP), other
#include "popcount_popcnt_amd64.h"
	MOVQ sum, ret+48(FP)
	RET
