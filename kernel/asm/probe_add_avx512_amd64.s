//go:build gc && !purego

#include "textflag.h"
#include "probe_positions_avx512_amd64.h"

// func AddAVX512(out []bool, words, h []uint64, k int, span, step uint64) (fresh int)
//
// Spec      AddPortable: sets the positions of the keys in turn, out[i] = key i found a bit
//           clear; how many bits were clear.
// Requires  avx2, avx512f, avx512dq, avx512ifma.
// Touches   reads h[0:2n]; reads and writes words at positions; writes out[0:n].
// Accepts   n = 0, odd len(h), any k >= 1, any alignment; every position within words.
// Plan      8 positions of a key in a vector, then one bit a turn, which leaves its old
//           value in the carry. A bit is stored before the next word is loaded, so
//           repeated positions and keys are seen.

#define out   DI // next answer
#define words SI
#define keys  BX // next key
#define todo  R8 // keys to do
#define each  R9 // k
#define left  R10 // positions of the key to do, less those in slot
#define turns R11 // positions in slot to do
#define slot  R12 // 64 bytes on the stack, for positions
#define sum   AX // bits found clear by the keys before
#define new   DX // and by this one
#define t0    R13
#define bit   CX
#define w     R14

TEXT ·AddAVX512(SB), NOSPLIT, $128-104
	MOVQ out_base+0(FP), out
	MOVQ out_len+8(FP), todo
	MOVQ words_base+24(FP), words
	MOVQ h_base+48(FP), keys
	MOVQ h_len+56(FP), t0
	MOVQ k+72(FP), each
	SHRQ $1, t0
	CMPQ t0, todo
	CMOVQLT t0, todo               // n
	XORL sum, sum
	TESTQ todo, todo
	JEQ  done
	CONSTANTS(span+80(FP), step+88(FP))
	VMOVDQU64 upto8<>(SB), ramp
	VPMULLQ ramp, stride, first
	VPSUBQ stride, first, first
	VPSLLQ $3, stride, stride
	LEAQ 63(SP), slot
	ANDQ $~63, slot

key: // todo >= 1
	KEY(keys)
	MOVQ each, left
	XORL new, new

derive: // left >= 1
	POSITION(state, v0, p)
	VMOVDQA64 p, (slot)
	MOVL $8, turns
	CMPQ left, turns
	CMOVQLT left, turns
	SUBQ turns, left

turn: // turns >= 1
	MOVQ -8(slot)(turns*8), bit
	MOVQ bit, w
	SHRQ $6, w
	MOVQ (words)(w*8), t0
	BTSQ bit, t0
	MOVQ t0, (words)(w*8)
	SBBQ $-1, new                  // new + 1 - carry
	DECQ turns
	JNE  turn
	TESTQ left, left
	JEQ  set
	NEXT
	JMP  derive

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
