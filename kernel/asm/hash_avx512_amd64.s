//go:build gc && !purego

#include "textflag.h"

// func HashWordsAVX512(dst, keys []uint64, seed uint64) int
//
// Spec      HashWordsPortable: dst[2i], dst[2i+1] = the hash of keys[i]; the number n of
//           keys done.
// Requires  avx2, avx512f, avx512dq.
// Touches   reads keys[0:n]; writes dst[0:2n].
// Accepts   n = 0, odd len(dst), any alignment.
// Plan      8 keys a turn, the last 1 to 7 under masks. The high word of a product of 128
//           bits is made of four products of 64.

#define dst   DI // where the next hashes go
#define keys  SI // the next key
#define todo  CX // keys to do, less 8
#define t0    AX
#define x     Z0 // keys
#define xh    Z1 // their high halves
#define ll    Z2 // low half times low half, then the low word
#define hl    Z3 // x's high half times the low one
#define lh    Z4
#define hi    Z5 // high half times high half, then the high word
#define t     Z6
#define salt  Z16 // what the keys are xored with
#define prime Z17
#define upper Z18 // prime >> 32
#define mul1  Z19
#define mul2  Z20
#define order Z21
#define halves K1 // the high halves of lanes
#define lows  K2 // the low ones
#define some  K3 // the last keys
#define front K4 // words of their hashes
#define rear  K5

// Keys in the order in which the words of their hashes, interleaved within 128 bits, are in
// place: {7, 3, 6, 2, 5, 1, 4, 0}.
DATA swap<>+0(SB)/8, $0
DATA swap<>+8(SB)/8, $4
DATA swap<>+16(SB)/8, $1
DATA swap<>+24(SB)/8, $5
DATA swap<>+32(SB)/8, $2
DATA swap<>+40(SB)/8, $6
DATA swap<>+48(SB)/8, $3
DATA swap<>+56(SB)/8, $7
GLOBL swap<>(SB), RODATA|NOPTR, $64

// HASH sets ll and hi to the two words of the hashes of the keys x.
#define HASH \
	VPXORQ salt, x, x; \
	VPSRLQ $32, x, xh; \
	VPMULUDQ prime, x, ll; \
	VPMULUDQ prime, xh, hl; \
	VPMULUDQ upper, x, lh; \
	VPMULUDQ upper, xh, hi; \
	VPSRLQ $32, ll, t; \
	VPADDQ t, hl, hl; \
	VMOVDQA32.Z hl, lows, t; \
	VPADDQ t, lh, lh; \
	VPSRLQ $32, hl, hl; \
	VPADDQ hl, hi, hi; \
	VPSRLQ $32, lh, t; \
	VPADDQ t, hi, hi; \
	VPSHUFD $0xa0, lh, halves, ll; \
	VPADDQ ll, ll, t; \
	VPADDQ t, hi, hi; \
	VPSRLQ $3, hi, t; \
	VPXORQ t, ll, ll; \
	VPSRLQ $35, ll, t; \
	VPXORQ t, ll, ll; \
	VPMULLQ mul1, ll, ll; \
	VPSRLQ $37, hi, t; \
	VPXORQ t, hi, hi; \
	VPMULLQ mul2, hi, hi; \
	VPSRLQ $28, ll, t; \
	VPXORQ t, ll, ll; \
	VPSRLQ $32, hi, t; \
	VPXORQ t, hi, hi

TEXT ·HashWordsAVX512(SB), NOSPLIT, $0-64
	MOVQ dst_base+0(FP), dst
	MOVQ dst_len+8(FP), todo
	MOVQ keys_base+24(FP), keys
	MOVQ keys_len+32(FP), t0
	SHRQ $1, todo
	CMPQ t0, todo
	CMOVQLT t0, todo               // n
	MOVQ todo, ret+56(FP)
	MOVQ seed+48(FP), t0
	MOVL t0, DX
	BSWAPL DX
	SHLQ $32, DX
	XORQ DX, t0
	MOVQ $0xc4f023344dc994ac, DX
	ADDQ DX, t0
	VPBROADCASTQ t0, salt
	MOVQ $0x9e3779b185ebcaa7, t0
	VPBROADCASTQ t0, prime
	VPSRLQ $32, prime, upper
	MOVQ $0x9fb21c651e98df25, t0
	VPBROADCASTQ t0, mul1
	MOVQ $0x165667919e3779f9, t0
	VPBROADCASTQ t0, mul2
	VMOVDQU64 swap<>(SB), order
	MOVL $0xaaaa, t0
	KMOVW t0, halves
	KNOTW halves, lows
	SUBQ $8, todo
	JLT  last

turn: // todo >= 0
	VPERMQ (keys), order, x
	HASH
	VPUNPCKLQDQ hi, ll, x
	VPUNPCKHQDQ hi, ll, xh
	VMOVDQU64 x, (dst)
	VMOVDQU64 xh, 64(dst)
	ADDQ $64, keys
	ADDQ $128, dst
	SUBQ $8, todo
	JGE  turn

last: // todo+8 keys, 0 to 7
	ADDQ $8, todo
	JEQ  done
	MOVL $1, t0
	SHLL CX, t0
	DECL t0                        // a bit a key
	KMOVW t0, some
	VMOVDQU64.Z (keys), some, x
	VPERMQ x, order, x
	HASH
	ADDL CX, CX
	MOVL $1, t0
	SHLL CX, t0
	DECL t0                        // a bit a word
	KMOVW t0, front
	KSHIFTRW $8, front, rear
	VPUNPCKLQDQ hi, ll, x
	VPUNPCKHQDQ hi, ll, xh
	VMOVDQU64 x, front, (dst)
	VMOVDQU64 xh, rear, 64(dst)

done:
	VZEROUPPER
	RET
