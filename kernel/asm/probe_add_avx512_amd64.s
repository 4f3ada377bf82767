//go:build gc && !purego

#include "textflag.h"
#include "probe_avx512_amd64.h"

// func AddAVX512(out []bool, words, h []uint64, k int, span, step uint64) (fresh int)
//
// Spec      AddPortable: sets the positions of the keys in turn, out[i] = key i found a bit
//           clear; how many bits were clear.
// Requires  avx2, popcnt, avx512f, avx512dq, avx512ifma.
// Touches   reads h[0:2n]; reads and writes words at positions; writes out[0:n].
// Accepts   n = 0, odd len(h), any k >= 1, any alignment; every position within words.
// Plan      8 positions of a key in a vector, then one bit after the other, which leaves its
//           old value in the carry. A bit is stored before the next word is loaded, so
//           repeated positions and keys are seen.

#define out   DI // next answer
#define words SI
#define keys  BX // next key
#define todo  R8 // keys to do
#define left  R9 // positions of the key to do, less the 8 in slot
#define slot  R10 // positions on the stack, and their words' numbers 64 bytes further
#define next  R11 // where in slot the next one is
#define sum   AX // bits found clear by the keys before
#define new   R12 // and by this one
#define bit   CX
#define at    DX
#define w     R13

// SET sets the bit at next+d and adds 1 to new if it was clear: 1 less the carry.
#define SET(d) \
	MOVQ d(next), bit; \
	MOVQ 64+d(next), at; \
	MOVQ (words)(at*8), w; \
	BTSQ bit, w; \
	MOVQ w, (words)(at*8); \
	SBBQ $-1, new

TEXT ·AddAVX512(SB), NOSPLIT, $192-104
	MOVQ out_base+0(FP), out
	MOVQ out_len+8(FP), todo
	MOVQ words_base+24(FP), words
	MOVQ h_base+48(FP), keys
	MOVQ h_len+56(FP), at
	SHRQ $1, at
	CMPQ at, todo
	CMOVQLT at, todo               // n
	XORL sum, sum
	TESTQ todo, todo
	JEQ  done
	LEAQ 63(SP), slot
	ANDQ $~63, slot

key: // todo >= 1
	KEY(keys)
	MOVQ k+72(FP), left
	XORL new, new

derive: // left >= 1
	ALONG(span+80(FP), step+88(FP))
	VPSRLQ $6, p, v0
	VMOVDQA64 p, (slot)
	VMOVDQA64 v0, 64(slot)
	MOVQ slot, next
	SUBQ $8, left
	JLT  few
	SET(0)
	SET(8)
	SET(16)
	SET(24)
	SET(32)
	SET(40)
	SET(48)
	SET(56)
	TESTQ left, left
	JEQ  set
	NEXT
	JMP  derive

few: // left+8 positions in slot, 1 to 7: the low bits of left say how many
	TESTL $4, left
	JEQ  couple
	SET(0)
	SET(8)
	SET(16)
	SET(24)
	ADDQ $32, next
couple:
	TESTL $2, left
	JEQ  single
	SET(0)
	SET(8)
	ADDQ $16, next
single:
	TESTL $1, left
	JEQ  set
	SET(0)

set:
	ADDQ new, sum
	TESTQ new, new
	SETNE (out)
	INCQ out
	ADDQ $16, keys
	DECQ todo
	JNE  key
	VZEROUPPER

done:
	MOVQ sum, fresh+96(FP)
	RET
