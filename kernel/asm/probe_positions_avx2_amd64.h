// The derivation, AVX2: 4 positions of one key in a vector, or one position of each of 4
// keys. A product of 64 bits is made of three of 32.

#define state  Y0 // of the streams
#define gamma  Y1 // their increments
#define p      Y2 // positions
#define px     X2 // the lower half of p
#define v0     Y3
#define v1     Y4
#define q      Y5 // the positions after p, 4 further
#define mul1   Y6 // constants of mix: the low halves,
#define mul1h  Y7 // and the high ones
#define mul2   Y8
#define mul2h  Y9
#define width  Y10 // span
#ifndef widthh
#define widthh Y11 // its high half
#define base   Y12 // j*step
#define stride Y13 // what base grows by
#endif

DATA low1<>+0(SB)/8, $0x1ce4e5b9
GLOBL low1<>(SB), RODATA|NOPTR, $8
DATA high1<>+0(SB)/8, $0xbf58476d
GLOBL high1<>(SB), RODATA|NOPTR, $8
DATA low2<>+0(SB)/8, $0x133111eb
GLOBL low2<>(SB), RODATA|NOPTR, $8
DATA high2<>+0(SB)/8, $0x94d049bb
GLOBL high2<>(SB), RODATA|NOPTR, $8

// CONSTANTS loads what does not change, for PLAIN positions within span.
#define CONSTANTS(span) \
	VPBROADCASTQ low1<>(SB), mul1; \
	VPBROADCASTQ high1<>(SB), mul1h; \
	VPBROADCASTQ low2<>(SB), mul2; \
	VPBROADCASTQ high2<>(SB), mul2h; \
	VPBROADCASTQ span, width

// CONSTANTSANY loads what ANY ones need beyond that.
#define CONSTANTSANY(step) \
	VPSRLQ $32, width, widthh; \
	VPBROADCASTQ step, stride

// TIMES sets the lanes of x to x*(low + 2^32 high); v0 and v1 are lost.
#define TIMES(low, high, x) \
	VPSRLQ $32, x, v0; \
	VPMULUDQ low, v0, v0; \
	VPMULUDQ high, x, v1; \
	VPADDQ v1, v0, v0; \
	VPSLLQ $32, v0, v0; \
	VPMULUDQ low, x, x; \
	VPADDQ v0, x, x

// MIXED sets the lanes of x to the high 52 bits of mix(state).
#define MIXED(state, x) \
	VPSRLQ $30, state, x; \
	VPXOR state, x, x; \
	TIMES(mul1, mul1h, x); \
	VPSRLQ $27, x, v0; \
	VPXOR v0, x, x; \
	TIMES(mul2, mul2h, x); \
	VPSRLQ $12, x, v0; \
	VPSRLQ $43, x, x; \
	VPXOR v0, x, x

// With x = xh 2^32 + xl and span = sh 2^32 + sl, x*span >> 52 is
// (xh*sl + xl*sh + (xl*sl >> 32)) >> 20 + xh*sh << 12, and no sum exceeds 2^53.

// PLAIN sets the lanes of p, which are x, to reduce(x, span) for span < 2^32, where sh is 0:
// positions with step = 0.
#define PLAIN(p) \
	VPSRLQ $32, p, v0; \
	VPMULUDQ width, p, p; \
	VPSRLQ $32, p, p; \
	VPMULUDQ width, v0, v0; \
	VPADDQ v0, p, p; \
	VPSRLQ $20, p, p

// ANY sets them to base + reduce(x, span) for every span and step.
#define ANY(p) \
	VPSRLQ $32, p, v0; \
	VPMULUDQ width, p, v1; \
	VPSRLQ $32, v1, v1; \
	VPMULUDQ widthh, p, p; \
	VPADDQ p, v1, v1; \
	VPMULUDQ width, v0, p; \
	VPADDQ p, v1, v1; \
	VPSRLQ $20, v1, v1; \
	VPMULUDQ widthh, v0, v0; \
	VPSLLQ $12, v0, v0; \
	VPADDQ base, v1, p; \
	VPADDQ v0, p, p
