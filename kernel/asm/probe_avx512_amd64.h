// The derivation, AVX512: the mixing and the reduction of 8 states of streams. ALONG has
// 8 positions of one key in a vector, and operands in memory for what does not change, so
// that a call for one key is short. ACROSS has a position of each of 8 keys, and all in
// registers.

#define p      Z0 // positions
#define v0     Z1
#define v1     Z2
#define j      Z3 // along: {7, ..., 1, 0}, then 8 more each
#define start  Z4 // the state at j = 0
#define gamma  Z5 // increments of streams
#define state  Z6 // across: the streams
#define base   Z26 // j*step
#define stride Z27 // step
#define width  Z28 // span
#define mul1   Z29 // constants of mix
#define mul2   Z30
#define one    Z31 // 1

DATA from0<>+0(SB)/8, $0
DATA from0<>+8(SB)/8, $1
DATA from0<>+16(SB)/8, $2
DATA from0<>+24(SB)/8, $3
DATA from0<>+32(SB)/8, $4
DATA from0<>+40(SB)/8, $5
DATA from0<>+48(SB)/8, $6
DATA from0<>+56(SB)/8, $7
GLOBL from0<>(SB), RODATA|NOPTR, $64
DATA unit<>+0(SB)/8, $1
GLOBL unit<>(SB), RODATA|NOPTR, $8
DATA eight<>+0(SB)/8, $8
GLOBL eight<>(SB), RODATA|NOPTR, $8
DATA first<>+0(SB)/8, $0xbf58476d1ce4e5b9
GLOBL first<>(SB), RODATA|NOPTR, $8
DATA second<>+0(SB)/8, $0x94d049bb133111eb
GLOBL second<>(SB), RODATA|NOPTR, $8

// MIX sets the lanes of x to the high 52 bits of mix(x), which are z>>12 ^ z>>43 when its
// last step is z ^ z>>31. The constants are given with the instruction that takes them.
#define MIX(TIMES, c1, c2, x, t) \
	VPSRLQ $30, x, t; \
	VPXORQ x, t, t; \
	TIMES c1, t, t; \
	VPSRLQ $27, t, x; \
	VPXORQ x, t, t; \
	TIMES c2, t, t; \
	VPSRLQ $12, t, x; \
	VPSRLQ $43, t, t; \
	VPXORQ t, x, x

// KEY starts the stream of the key at from, at its first 8 positions.
#define KEY(from) \
	VPBROADCASTQ 8(from), gamma; \
	VMOVDQU64 from0<>(SB), j; \
	VPORQ.BCST unit<>(SB), gamma, gamma; \
	VPADDQ.BCST 0(from), gamma, start

// NEXT goes on to the key's next 8.
#define NEXT VPADDQ.BCST eight<>(SB), j, j

// ALONG sets the lanes of p to j*step + reduce(mix(start + j*gamma), span).
#define ALONG(span, step) \
	VPMULLQ gamma, j, v0; \
	VPADDQ start, v0, v0; \
	MIX(VPMULLQ.BCST, first<>(SB), second<>(SB), v0, v1); \
	VPMULLQ.BCST step, j, p; \
	VPMADD52HUQ.BCST span, v0, p

// CONSTANTS prepares for ACROSS.
#define CONSTANTS(span, step) \
	VPBROADCASTQ first<>(SB), mul1; \
	VPBROADCASTQ second<>(SB), mul2; \
	VPBROADCASTQ unit<>(SB), one; \
	VPBROADCASTQ span, width; \
	VPBROADCASTQ step, stride

// ACROSS sets the lanes of at to base + reduce(mix(from), span).
#define ACROSS(from, at, t, u) \
	VMOVDQA64 from, t; \
	MIX(VPMULLQ, mul1, mul2, t, u); \
	VMOVDQA64 base, at; \
	VPMADD52HUQ t, width, at
