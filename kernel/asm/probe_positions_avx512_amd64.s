//go:build gc && !purego

#include "textflag.h"
#include "probe_avx512_amd64.h"

// func PositionsAVX512(dst, h []uint64, k int, span, step uint64) int
//
// Spec      PositionsPortable: dst[i*k+j] = position j of key i; the number n of keys done.
// Requires  avx2, popcnt, avx512f, avx512dq, avx512ifma.
// Touches   reads h[0:2n]; writes dst[0:n*k].
// Accepts   n = 0, odd len(h), any k >= 1, any alignment.
// Plan      8 positions of a key a turn, the last 1 to 8 of a key under a mask.

#define dst  DI // where the next positions go
#define keys SI // the next key
#define todo R8 // keys to do
#define each R9 // k
#define left R10 // positions of the key to do, less 8 after a turn
#define t0   R11
#define some K1 // the lanes in use of the last vector of a key

TEXT ·PositionsAVX512(SB), NOSPLIT, $0-80
	MOVQ dst_base+0(FP), dst
	MOVQ h_base+24(FP), keys
	MOVQ h_len+32(FP), todo
	MOVQ k+48(FP), each
	MOVQ dst_len+8(FP), AX
	XORL DX, DX
	DIVQ each
	SHRQ $1, todo
	CMPQ AX, todo
	CMOVQLT AX, todo               // n
	MOVQ todo, ret+72(FP)
	TESTQ todo, todo
	JEQ  done
	LEAQ -1(each), CX
	ANDQ $7, CX
	MOVL $2, t0
	SHLQ CX, t0
	DECQ t0                        // the lowest (k-1)%8 + 1 bits
	KMOVW t0, some

key: // todo >= 1
	KEY(keys)
	MOVQ each, left

turn: // left >= 1: j is that of the next positions of the key
	ALONG(span+56(FP), step+64(FP))
	SUBQ $8, left
	JLE  last
	VMOVDQU64 p, (dst)
	ADDQ $64, dst
	NEXT
	JMP  turn

last: // -7 <= left <= 0
	VMOVDQU64 p, some, (dst)
	LEAQ 64(dst)(left*8), dst
	ADDQ $16, keys
	DECQ todo
	JNE  key
	VZEROUPPER

done:
	RET
