//go:build gc && !purego

#include "textflag.h"

// func HashWordsAVX2(dst, keys []uint64, seed uint64) int
//
// Spec      HashWordsPortable: dst[2i], dst[2i+1] = the hash of keys[i]; the number n of
//           keys done.
// Requires  avx2.
// Touches   reads keys[0:n]; writes dst[0:2n].
// Accepts   n = 0, odd len(dst), any alignment.
// Plan      4 keys a turn; of the last 1 to 3, what is asked for. Products are made of those
//           of 32 bits: four for both words of one, three for the low word.

#define dst   DI // where the next hashes go
#define keys  SI // the next key
#define todo  CX // keys to do, less 4
#define t0    AX
#define t1    DX
#define x     Y0 // keys
#define xh    Y1 // their high halves
#define ll    Y2 // low half times low half, then the low word
#define hl    Y3 // x's high half times the low one
#define lh    Y4
#define hi    Y5 // high half times high half, then the high word
#define t     Y6
#define u     Y7
#define salt  Y8 // what the keys are xored with
#define prime Y9
#define upper Y10 // prime >> 32
#define mul1  Y11
#define mul1h Y12 // its high half
#define mul2  Y13
#define mul2h Y14
#define none  Y15 // 0

// TIMES sets the lanes of z to z*(low + 2^32 high).
#define TIMES(low, high, z) \
	VPSRLQ $32, z, t; \
	VPMULUDQ low, t, t; \
	VPMULUDQ high, z, u; \
	VPADDQ u, t, t; \
	VPSLLQ $32, t, t; \
	VPMULUDQ low, z, z; \
	VPADDQ t, z, z

// HASH sets x to the hashes of the first two keys and xh to those of the others. It takes
// the keys in x in the order in which the words of their hashes, interleaved within 128
// bits, are in place.
#define HASH \
	VPERMQ $0xd8, x, x; \
	VPXOR salt, x, x; \
	VPSRLQ $32, x, xh; \
	VPMULUDQ prime, x, ll; \
	VPMULUDQ prime, xh, hl; \
	VPMULUDQ upper, x, lh; \
	VPMULUDQ upper, xh, hi; \
	VPSRLQ $32, ll, t; \
	VPADDQ t, hl, hl; \
	VPBLENDD $0x55, hl, none, t; \
	VPADDQ t, lh, lh; \
	VPSRLQ $32, hl, hl; \
	VPADDQ hl, hi, hi; \
	VPSRLQ $32, lh, t; \
	VPADDQ t, hi, hi; \
	VPSLLQ $32, lh, lh; \
	VPBLENDD $0xaa, lh, ll, ll; \
	VPADDQ ll, ll, t; \
	VPADDQ t, hi, hi; \
	VPSRLQ $3, hi, t; \
	VPXOR t, ll, ll; \
	VPSRLQ $35, ll, t; \
	VPXOR t, ll, ll; \
	TIMES(mul1, mul1h, ll); \
	VPSRLQ $37, hi, t; \
	VPXOR t, hi, hi; \
	TIMES(mul2, mul2h, hi); \
	VPSRLQ $28, ll, t; \
	VPXOR t, ll, ll; \
	VPSRLQ $32, hi, t; \
	VPXOR t, hi, hi; \
	VPUNPCKLQDQ hi, ll, x; \
	VPUNPCKHQDQ hi, ll, xh

// SPREAD sets the lanes of y, whose first is lane, to the word t0.
#define SPREAD(lane, y) \
	VMOVQ t0, lane; \
	VPBROADCASTQ lane, y

TEXT ·HashWordsAVX2(SB), NOSPLIT, $0-64
	MOVQ dst_base+0(FP), dst
	MOVQ dst_len+8(FP), todo
	MOVQ keys_base+24(FP), keys
	MOVQ keys_len+32(FP), t0
	SHRQ $1, todo
	CMPQ t0, todo
	CMOVQLT t0, todo               // n
	MOVQ todo, ret+56(FP)
	MOVQ seed+48(FP), t0
	MOVL t0, t1
	BSWAPL t1
	SHLQ $32, t1
	XORQ t1, t0
	MOVQ $0xc4f023344dc994ac, t1
	ADDQ t1, t0
	SPREAD(X8, salt)
	MOVQ $0x9e3779b185ebcaa7, t0
	SPREAD(X9, prime)
	VPSRLQ $32, prime, upper
	MOVQ $0x9fb21c651e98df25, t0
	SPREAD(X11, mul1)
	VPSRLQ $32, mul1, mul1h
	MOVQ $0x165667919e3779f9, t0
	SPREAD(X13, mul2)
	VPSRLQ $32, mul2, mul2h
	VPXOR none, none, none
	SUBQ $4, todo
	JLT  last

turn: // todo >= 0
	VMOVDQU (keys), x
	HASH
	VMOVDQU x, (dst)
	VMOVDQU xh, 32(dst)
	ADDQ $32, keys
	ADDQ $64, dst
	SUBQ $4, todo
	JGE  turn

last: // todo+4 keys, 0 to 3
	ADDQ $4, todo
	JEQ  done
	CMPQ todo, $2
	JLT  load1
	VMOVDQU (keys), X0
	JEQ  loaded
	VMOVQ 16(keys), X1
	VINSERTI128 $1, X1, x, x
	JMP  loaded
load1:
	VMOVQ (keys), X0
loaded:
	HASH
	VMOVDQU X0, (dst)
	JLT  done                      // the flags are still those of todo against 2
	VEXTRACTI128 $1, x, 16(dst)
	JEQ  done
	VMOVDQU X1, 32(dst)

done:
	VZEROUPPER
	RET
