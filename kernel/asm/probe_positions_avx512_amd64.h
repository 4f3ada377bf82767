// The derivation, AVX512: 8 positions of one key in a vector, or one position of each of
// 8 keys. Its users name a general register t0.

#define one    Z31 // 1 in every lane
#define mul1   Z30 // constants of mix
#define mul2   Z29
#define width  Z28 // span
#define stride Z27 // what base grows by
#define base   Z26 // j*step
#define first  Z25 // {7, ..., 1, 0}*step
#define ramp   Z24 // {8, ..., 2, 1}
#define state  Z0  // of the streams
#define gamma  Z1  // their increments
#define p      Z2  // positions
#define v0     Z3
#define some   K1  // the lanes in use of the last vector of a key

DATA upto8<>+0(SB)/8, $1
DATA upto8<>+8(SB)/8, $2
DATA upto8<>+16(SB)/8, $3
DATA upto8<>+24(SB)/8, $4
DATA upto8<>+32(SB)/8, $5
DATA upto8<>+40(SB)/8, $6
DATA upto8<>+48(SB)/8, $7
DATA upto8<>+56(SB)/8, $8
GLOBL upto8<>(SB), RODATA|NOPTR, $64

// CONSTANTS loads what does not change: span and step are arguments of the function.
#define CONSTANTS(span, step) \
	MOVQ $0xbf58476d1ce4e5b9, t0; \
	VPBROADCASTQ t0, mul1; \
	MOVQ $0x94d049bb133111eb, t0; \
	VPBROADCASTQ t0, mul2; \
	MOVL $1, t0; \
	VPBROADCASTQ t0, one; \
	VPBROADCASTQ span, width; \
	VPBROADCASTQ step, stride

// ALONG prepares for 8 positions of one key in a vector. CX holds k, and is lost.
#define ALONG \
	DECQ CX; \
	ANDQ $7, CX; \
	MOVL $2, t0; \
	SHLQ CX, t0; \
	DECQ t0; \
	KMOVW t0, some; \
	VMOVDQU64 upto8<>(SB), ramp; \
	VPMULLQ ramp, stride, first; \
	VPSUBQ stride, first, first; \
	VPSLLQ $3, stride, stride

// KEY starts the first 8 positions of the key at keys.
#define KEY(keys) \
	VPBROADCASTQ 0(keys), state; \
	VPBROADCASTQ 8(keys), gamma; \
	VPORQ one, gamma, gamma; \
	VPMULLQ ramp, gamma, v0; \
	VPADDQ v0, state, state; \
	VMOVDQA64 first, base

// NEXT goes on to its next 8.
#define NEXT \
	VPSLLQ $3, gamma, v0; \
	VPADDQ v0, state, state; \
	VPADDQ stride, base, base

// POSITION sets the lanes of at to base + reduce(mix(from), span); t is lost. The high 52
// bits of z ^ z>>31 are z>>12 ^ z>>43.
#define POSITION(from, t, at) \
	VPSRLQ $30, from, t; \
	VPXORQ from, t, t; \
	VPMULLQ mul1, t, t; \
	VPSRLQ $27, t, at; \
	VPXORQ at, t, t; \
	VPMULLQ mul2, t, t; \
	VPSRLQ $12, t, at; \
	VPSRLQ $43, t, t; \
	VPXORQ at, t, t; \
	VMOVDQA64 base, at; \
	VPMADD52HUQ t, width, at
