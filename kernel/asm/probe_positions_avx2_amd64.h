// The derivation, AVX2: 4 positions of one key in a vector, or one position of each of 4
// keys. A product of 64 bits is made of three of 32.

#define state  Y0 // of the streams
#define gamma  Y1 // their increments
#define p      Y2 // positions
#define v0     Y3
#define v1     Y4
#define v2     Y5
#define mul1   Y6 // constants of mix: the low halves,
#define mul1h  Y7 // and the high ones
#define mul2   Y8
#define mul2h  Y9
#define width  Y10 // span
#define widthh Y11 // its high half
#define base   Y12 // j*step
#define stride Y13 // what base grows by

DATA low1<>+0(SB)/8, $0x1ce4e5b9
GLOBL low1<>(SB), RODATA|NOPTR, $8
DATA high1<>+0(SB)/8, $0xbf58476d
GLOBL high1<>(SB), RODATA|NOPTR, $8
DATA low2<>+0(SB)/8, $0x133111eb
GLOBL low2<>(SB), RODATA|NOPTR, $8
DATA high2<>+0(SB)/8, $0x94d049bb
GLOBL high2<>(SB), RODATA|NOPTR, $8
// CONSTANTS loads what does not change: span and step are arguments of the function.
#define CONSTANTS(span, step) \
	VPBROADCASTQ low1<>(SB), mul1; \
	VPBROADCASTQ high1<>(SB), mul1h; \
	VPBROADCASTQ low2<>(SB), mul2; \
	VPBROADCASTQ high2<>(SB), mul2h; \
	VPBROADCASTQ span, width; \
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

// POSITION sets the lanes of p to base + reduce(mix(state), span). With x = xh 2^32 + xl
// the 52 bits of the mix and span = sh 2^32 + sl, x*span >> 52 is
// (xh*sl + xl*sh + (xl*sl >> 32)) >> 20 + xh*sh << 12, and no sum exceeds 2^53. Where
// span < 2^32, so that wide is 0, sh is 0.
#define POSITION(wide) \
	VPSRLQ $30, state, p; \
	VPXOR state, p, p; \
	TIMES(mul1, mul1h, p); \
	VPSRLQ $27, p, v0; \
	VPXOR v0, p, p; \
	TIMES(mul2, mul2h, p); \
	VPSRLQ $12, p, v0; \
	VPSRLQ $43, p, p; \
	VPXOR v0, p, p; \
	VPSRLQ $32, v0, v0; /* xh: z>>43 has none of its bits */ \
	VPMULUDQ width, p, v1; \
	VPSRLQ $32, v1, v1; \
	VPMULUDQ width, v0, v2; \
	VPADDQ v2, v1, v1; \
	VMOVDQA base, v2; \
	TESTQ wide, wide; \
	JEQ  narrow; \
	VPMULUDQ widthh, p, p; \
	VPADDQ p, v1, v1; \
	VPMULUDQ widthh, v0, v0; \
	VPSLLQ $12, v0, v0; \
	VPADDQ v0, v2, v2; \
narrow: \
	VPSRLQ $20, v1, v1; \
	VPADDQ v2, v1, p
