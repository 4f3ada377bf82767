//go:build gc && !purego

#include "textflag.h"
#include "probe_positions_avx2_amd64.h"

// func PositionsAVX2(dst, h []uint64, k int, span, step uint64) int
//
// Spec      PositionsPortable: dst[i*k+j] = position j of key i; the number n of keys done.
// Requires  avx2, popcnt, bmi2.
// Touches   reads h[0:2n]; writes dst[0:n*k].
// Accepts   n = 0, odd len(h), any k >= 1, any alignment.
// Plan      4 positions of a key a turn; of the last 4, the 1 to 4 that are asked for.

#define dst  DI // where the next positions go
#define keys SI // the next key
#define todo R8 // keys to do
#define each R9 // k
#define left R10 // positions of the key to do, less 4 after a turn
#define wide R11 // span >> 32
#define first Y14 // {3, 2, 1, 0}*step
#define one  Y15
#define v2   Y5

DATA shifts<>+0(SB)/8, $0
DATA shifts<>+8(SB)/8, $1
DATA shifts<>+16(SB)/8, $1
DATA shifts<>+24(SB)/8, $2
GLOBL shifts<>(SB), RODATA|NOPTR, $32

// RAMP sets the lanes of to to {4, 3, 2, 1}*x, where those of x are equal.
#define RAMP(x, to) \
	VPSLLVQ shifts<>(SB), x, to; \
	VPXOR v1, v1, v1; \
	VPBLENDD $0x30, x, v1, v1; \
	VPADDQ v1, to, to

// POSITION sets the lanes of p to base + reduce(mix(state), span), as MIXED and ANY. Where
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

TEXT ·PositionsAVX2(SB), NOSPLIT, $0-80
	MOVQ dst_base+0(FP), dst
	MOVQ h_base+24(FP), keys
	MOVQ h_len+32(FP), todo
	MOVQ k+48(FP), each
	MOVQ span+56(FP), wide
	MOVQ dst_len+8(FP), AX
	XORL DX, DX
	DIVQ each
	SHRQ $1, todo
	CMPQ AX, todo
	CMOVQLT AX, todo               // n
	MOVQ todo, ret+72(FP)
	TESTQ todo, todo
	JEQ  done
	SHRQ $32, wide
	CONSTANTS(span+56(FP))
	CONSTANTSANY(step+64(FP))
	VPCMPEQQ one, one, one
	VPSRLQ $63, one, one
	RAMP(stride, first)
	VPSUBQ stride, first, first
	VPSLLQ $2, stride, stride

key: // todo >= 1
	VPBROADCASTQ 0(keys), state
	VPBROADCASTQ 8(keys), gamma
	VPOR one, gamma, gamma
	RAMP(gamma, v0)
	VPADDQ v0, state, state
	VPSLLQ $2, gamma, gamma
	VMOVDQA first, base
	MOVQ each, left

turn: // left >= 1: lanes of state and base are for the next positions of the key
	POSITION(wide)
	SUBQ $4, left
	JLT  last
	VMOVDQU p, (dst)
	ADDQ $32, dst
	VPADDQ gamma, state, state
	VPADDQ stride, base, base
	TESTQ left, left
	JNE  turn
	JMP  next

last: // -3 <= left <= -1
	VMOVQ X2, (dst)
	CMPQ left, $-2
	JLT  end
	VPEXTRQ $1, X2, 8(dst)
	JEQ  end
	VEXTRACTI128 $1, p, X3
	VMOVQ X3, 16(dst)
end:
	LEAQ 32(dst)(left*8), dst

next:
	ADDQ $16, keys
	DECQ todo
	JNE  key
	VZEROUPPER

done:
	RET
