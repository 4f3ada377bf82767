//go:build gc && !purego

#include "textflag.h"

// The popcount family, NEON. The loop is in popcount_neon_arm64.h, which each
// function includes after saying how it folds a word of second into one of first.
//
// Spec      the portable twin of each function, in one line above it.
// Requires  nothing beyond arm64.
// Touches   reads its arguments up to the shorter length n; an Into writes dst[0:n].
// Accepts   n = 0, any alignment, any overlap.
// Plan      8 words a turn, ones of each byte, summed across into one sum; then 0 to 7
//           single words.

#define first  R0 // next word of the argument that is loaded (the one written, if any)
#define second R1 // next word of the argument that is folded in
#define left   R2 // words to do, less the words of a turn inside turn
#define other  R3 // length of the second argument
#define sum    R4 // ones found so far; the result
#define ahead R3 // bytes by which first is ahead of second (other is done)
#define here  R5 // where the words under way are stored

// func CountNEON(x []uint64) int
// CountPortable: ones of x[i], i < len(x).
TEXT ·CountNEON(SB), NOSPLIT, $0-32
	MOVD x_base+0(FP), first
	MOVD x_len+8(FP), left
#include "popcount_neon_arm64.h"
	MOVD sum, ret+24(FP)
	RET

// func AndCountNEON(a, b []uint64) int
// AndCountPortable: ones of a[i]&b[i], i < n = min(len a, len b).
#define FOLD(v, w, s) VAND w.s, v.s, v.s
TEXT ·AndCountNEON(SB), NOSPLIT, $0-56
	MOVD a_base+0(FP), first
	MOVD a_len+8(FP), left
	MOVD b_base+24(FP), second
	MOVD b_len+32(FP), other
#include "popcount_neon_arm64.h"
	MOVD sum, ret+48(FP)
	RET

// func OrCountNEON(a, b []uint64) int
// OrCountPortable: ones of a[i]|b[i], i < n = min(len a, len b).
#define FOLD(v, w, s) VORR w.s, v.s, v.s
TEXT ·OrCountNEON(SB), NOSPLIT, $0-56
	MOVD a_base+0(FP), first
	MOVD a_len+8(FP), left
	MOVD b_base+24(FP), second
	MOVD b_len+32(FP), other
#include "popcount_neon_arm64.h"
	MOVD sum, ret+48(FP)
	RET

// func XorCountNEON(a, b []uint64) int
// XorCountPortable: ones of a[i]^b[i], i < n = min(len a, len b).
#define FOLD(v, w, s) VEOR w.s, v.s, v.s
TEXT ·XorCountNEON(SB), NOSPLIT, $0-56
	MOVD a_base+0(FP), first
	MOVD a_len+8(FP), left
	MOVD b_base+24(FP), second
	MOVD b_len+32(FP), other
#include "popcount_neon_arm64.h"
	MOVD sum, ret+48(FP)
	RET

// func AndNotCountNEON(a, b []uint64) int
// AndNotCountPortable: ones of a[i]&^b[i], i < n = min(len a, len b).
#define FOLD(v, w, s) VAND v.s, w.s, w.s; VEOR v.s, w.s, v.s
TEXT ·AndNotCountNEON(SB), NOSPLIT, $0-56
	MOVD a_base+0(FP), first
	MOVD a_len+8(FP), left
	MOVD b_base+24(FP), second
	MOVD b_len+32(FP), other
#include "popcount_neon_arm64.h"
	MOVD sum, ret+48(FP)
	RET

// func AndIntoNEON(dst, src []uint64) int
// AndIntoPortable: dst[i] &= src[i], i < n = min(len dst, len src); ones stored.
#define FOLD(v, w, s) VAND w.s, v.s, v.s
#define INTO
TEXT ·AndIntoNEON(SB), NOSPLIT, $0-56
	MOVD dst_base+0(FP), first
	MOVD dst_len+8(FP), left
	MOVD src_base+24(FP), second
	MOVD src_len+32(FP), other
#include "popcount_neon_arm64.h"
	MOVD sum, ret+48(FP)
	RET

// func OrIntoNEON(dst, src []uint64) int
// OrIntoPortable: dst[i] |= src[i], i < n = min(len dst, len src); ones stored.
#define FOLD(v, w, s) VORR w.s, v.s, v.s
#define INTO
TEXT ·OrIntoNEON(SB), NOSPLIT, $0-56
	MOVD dst_base+0(FP), first
	MOVD dst_len+8(FP), left
	MOVD src_base+24(FP), second
	MOVD src_len+32(FP), other
#include "popcount_neon_arm64.h"
	MOVD sum, ret+48(FP)
	RET

// func AndNotIntoNEON(dst, src []uint64) int
// AndNotIntoPortable: dst[i] &^= src[i], i < n = min(len dst, len src); ones stored.
#define FOLD(v, w, s) VORR w.s, v.s, v.s; VEOR w.s, v.s, v.s
#define INTO
TEXT ·AndNotIntoNEON(SB), NOSPLIT, $0-56
	MOVD dst_base+0(FP), first
	MOVD dst_len+8(FP), left
	MOVD src_base+24(FP), second
	MOVD src_len+32(FP), other
#include "popcount_neon_arm64.h"
	MOVD sum, ret+48(FP)
	RET
