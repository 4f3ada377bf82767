// A position of each of 8 keys in two vectors, included before probe_positions_avx2_amd64.h:
// what it keeps in registers for ANY positions is in memory here.

#define state0 Y0 // of the streams of keys 0 to 3
#define gamma0 Y1
#define state1 Y11 // of those of keys 4 to 7
#define gamma1 Y12
#define u0     Y13
#define u1     Y14

// slot is on the stack, at a multiple of 32 bytes, and has SLOT bytes.
#define widthh 0(slot)
#define base   32(slot)
#define stride 64(slot)
#define BUFFER 96 // 8 hashes
#define SLOT   224

// CONSTANTS8 loads what does not change for positions within span, step from one another,
// and sets any to whether they are ANY. t and v0 are lost.
#define CONSTANTS8(span, step) \
	MOVQ span, t; \
	SHRQ $32, t; \
	ORQ  step, t; \
	MOVQ t, any; \
	CONSTANTS(span); \
	VPSRLQ $32, width, v0; \
	VMOVDQA v0, widthh; \
	VPBROADCASTQ step, v0; \
	VMOVDQA v0, stride

// KEYS8 starts the streams of the 8 keys at from.
#define KEYS8(from) \
	VMOVDQU 0(from), p; \
	VMOVDQU 32(from), q; \
	VMOVDQU 64(from), u0; \
	VMOVDQU 96(from), u1; \
	VPUNPCKLQDQ q, p, state0; \
	VPUNPCKHQDQ q, p, gamma0; \
	VPUNPCKLQDQ u1, u0, state1; \
	VPUNPCKHQDQ u1, u0, gamma1; \
	VPERMQ $0xd8, state0, state0; /* {3, 1, 2, 0} to {3, 2, 1, 0} */ \
	VPERMQ $0xd8, gamma0, gamma0; \
	VPERMQ $0xd8, state1, state1; \
	VPERMQ $0xd8, gamma1, gamma1; \
	VPCMPEQQ v0, v0, v0; \
	VPSRLQ $63, v0, v0; \
	VPOR v0, gamma0, gamma0; \
	VPOR v0, gamma1, gamma1; \
	VPXOR v0, v0, v0; \
	VMOVDQA v0, base

// FEW8 sets keys to a copy of the n next keys, 1 to 7. What lies after them serves as keys
// too, as the positions of any key are within span. t and v0 are lost.
#define FEW8(n, copy) \
	MOVQ n, t; \
	SHLQ $4, t; \
copy: /* t >= 16: bytes to copy */ \
	VMOVDQU -16(keys)(t*1), X3; \
	VMOVDQA X3, BUFFER-16(slot)(t*1); \
	SUBQ $16, t; \
	JNE  copy; \
	LEAQ BUFFER(slot), keys

// TIMES8 is TIMES for x and y.
#define TIMES8(low, high, x, y) \
	VPSRLQ $32, x, v0; \
	VPSRLQ $32, y, u0; \
	VPMULUDQ high, x, v1; \
	VPMULUDQ high, y, u1; \
	VPMULUDQ low, v0, v0; \
	VPMULUDQ low, u0, u0; \
	VPMULUDQ low, x, x; \
	VPMULUDQ low, y, y; \
	VPADDQ v1, v0, v0; \
	VPADDQ u1, u0, u0; \
	VPSLLQ $32, v0, v0; \
	VPSLLQ $32, u0, u0; \
	VPADDQ v0, x, x; \
	VPADDQ u0, y, y

// POSITION8 sets p and q to the next positions, at label whole if they are ANY. The two
// vectors take turns: a CPU sees too few instructions ahead to do so by itself.
#define POSITION8(whole) \
	VPADDQ gamma0, state0, state0; \
	VPADDQ gamma1, state1, state1; \
	VPSRLQ $30, state0, p; \
	VPSRLQ $30, state1, q; \
	VPXOR state0, p, p; \
	VPXOR state1, q, q; \
	TIMES8(mul1, mul1h, p, q); \
	VPSRLQ $27, p, v0; \
	VPSRLQ $27, q, u0; \
	VPXOR v0, p, p; \
	VPXOR u0, q, q; \
	TIMES8(mul2, mul2h, p, q); \
	VPSRLQ $12, p, v0; \
	VPSRLQ $12, q, u0; \
	VPSRLQ $43, p, p; \
	VPSRLQ $43, q, q; \
	VPXOR v0, p, p; \
	VPXOR u0, q, q; \
	CMPQ any, $0; \
	JNE  whole; \
	VPSRLQ $32, p, v0; \
	VPSRLQ $32, q, u0; \
	VPMULUDQ width, p, p; \
	VPMULUDQ width, q, q; \
	VPMULUDQ width, v0, v0; \
	VPMULUDQ width, u0, u0; \
	VPSRLQ $32, p, p; \
	VPSRLQ $32, q, q; \
	VPADDQ v0, p, p; \
	VPADDQ u0, q, q; \
	VPSRLQ $20, p, p; \
	VPSRLQ $20, q, q

// ANY8 is what POSITION8 does at label whole.
#define ANY8 \
	ANY(p); \
	ANY(q); \
	VMOVDQA base, v0; \
	VPADDQ stride, v0, v0; \
	VMOVDQA v0, base
