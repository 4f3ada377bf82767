// The positions of one key, included after probe_positions_avx2_amd64.h: 8 in two vectors.

#define words SI
#define left  BX // positions to do
#define any   DI // not 0: ANY positions
#define a     R8 // a position; so are b, c and d
#define b     R9
#define c     R10
#define d     R11

DATA shifts<>+0(SB)/8, $0
DATA shifts<>+8(SB)/8, $1
DATA shifts<>+16(SB)/8, $1
DATA shifts<>+24(SB)/8, $2
GLOBL shifts<>(SB), RODATA|NOPTR, $32
DATA unit<>+0(SB)/8, $1
GLOBL unit<>(SB), RODATA|NOPTR, $8

// RAMP sets the lanes of to to {4, 3, 2, 1}*x, where those of x are equal. The lanes of v1
// but one must be 0, and stay so.
#define RAMP(x, to) \
	VPSLLVQ shifts<>(SB), x, to; \
	VPBLENDD $0x30, x, v1, v1; \
	VPADDQ v1, to, to

// KEY starts the stream of the key with words at h0 and h1, after CONSTANTS and CONSTANTSANY,
// and sets any to whether its positions are ANY, and the zero flag to whether not.
#define KEY(h0, h1, span, step) \
	VPBROADCASTQ h1, gamma; \
	VPBROADCASTQ unit<>(SB), v0; \
	VPBROADCASTQ h0, state; \
	VPOR v0, gamma, gamma; \
	MOVQ span, any; \
	SHRQ $32, any; \
	ORQ  step, any; \
	VPXOR v1, v1, v1; \
	RAMP(gamma, v0); \
	VPADDQ v0, state, state; \
	VPSLLQ $2, gamma, gamma

// KEYANY completes it, at once, for ANY ones.
#define KEYANY \
	RAMP(stride, base); \
	VPSUBQ stride, base, base; \
	VPSLLQ $2, stride, stride

// EIGHT sets p and q to the next 8 positions of the key, at label whole if they are ANY, and
// goes on to those after them.
#define EIGHT(whole) \
	MIXED(state, p); \
	VPADDQ gamma, state, state; \
	MIXED(state, q); \
	VPADDQ gamma, state, state; \
	TESTQ any, any; \
	JNE  whole; \
	PLAIN(p); \
	PLAIN(q)

// EIGHTANY is what EIGHT does at label whole.
#define EIGHTANY \
	ANY(p); \
	VPADDQ stride, base, base; \
	ANY(q); \
	VPADDQ stride, base, base

// FOUR sets a, b, c and d to the lanes of p; its upper half is lost.
#define FOUR \
	VMOVQ px, a; \
	VPEXTRQ $1, px, b; \
	VEXTRACTI128 $1, p, px; \
	VMOVQ px, c; \
	VPEXTRQ $1, px, d
