//go:build gc && !purego

#include "textflag.h"
#include "probe_positions_avx2_amd64.h"

// func ContainsAVX2(out []bool, words, h []uint64, k int, span, step uint64) (found int)
//
// Spec      ContainsPortable: out[i] = all k positions of key i are set; how many are.
// Requires  avx2, popcnt.
// Touches   reads h[0:2n] and words at positions; writes out[0:n].
// Accepts   n = 0, odd len(h), any k >= 1, any alignment; every position within words.
// Plan      A position of 4 keys a turn, no branch on its bit; every 8 turns, where k > 8, a
//           look whether any key is still in. The last 1 to 3 keys are loaded one by one,
//           with the key 0, 0 for those that are not there, whose positions are as good
//           as any.

#define out   DI // next answer
#define words SI
#define keys  BX // next key
#define todo  R8 // keys to do
#define wide  R9 // span >> 32
#define left  R10 // positions to do, less those of the turns
#define turns R11 // turns to the next look
#define slot  R12 // 32 bytes on the stack, for word numbers
#define t0    R13
#define t1    DX
#define sum   AX // keys found
#define all   Y14 // bit 0: whether the positions so far are set
#define one   Y15
#define px    X2 // the low halves
#define v0x   X3

TEXT ·ContainsAVX2(SB), NOSPLIT, $64-104
	MOVQ out_base+0(FP), out
	MOVQ out_len+8(FP), todo
	MOVQ words_base+24(FP), words
	MOVQ h_base+48(FP), keys
	MOVQ h_len+56(FP), t0
	MOVQ span+80(FP), wide
	SHRQ $1, t0
	CMPQ t0, todo
	CMOVQLT t0, todo               // n
	XORL sum, sum
	TESTQ todo, todo
	JEQ  done
	SHRQ $32, wide
	LEAQ 31(SP), slot
	ANDQ $~31, slot
	CONSTANTS(span+80(FP), step+88(FP))
	VPCMPEQQ one, one, one
	VPSRLQ $63, one, one

block: // todo >= 1
	CMPQ todo, $4
	JLT  few
	VMOVDQU (keys), p
	VMOVDQU 32(keys), v0
streams:
	VPUNPCKLQDQ v0, p, state       // of keys {3, 1, 2, 0}
	VPUNPCKHQDQ v0, p, gamma
	VPERMQ $0xd8, state, state     // {3, 2, 1, 0}
	VPERMQ $0xd8, gamma, gamma
	VPOR one, gamma, gamma
	VMOVDQA one, all
	VPXOR base, base, base
	MOVQ k+72(FP), left

look: // left >= 1
	MOVL $8, turns
	CMPQ left, turns
	CMOVQLT left, turns
	SUBQ turns, left

turn: // turns >= 1: all = whether the positions before are set
	VPADDQ gamma, state, state
	POSITION(wide)
	VPADDQ stride, base, base
	VPSRLQ $6, p, v0
	VPSLLQ $6, v0, v1
	VPXOR v1, p, p                 // the low 6 bits
	VMOVDQA v0, (slot)
	MOVQ 0(slot), t0
	MOVQ 8(slot), t1
	VMOVQ (words)(t0*8), v0x
	VMOVHPS (words)(t1*8), v0x, v0x
	MOVQ 16(slot), t0
	MOVQ 24(slot), t1
	VMOVQ (words)(t0*8), X4
	VMOVHPS (words)(t1*8), X4, X4
	VINSERTI128 $1, X4, v0, v0
	VPSRLVQ p, v0, v0
	VPAND v0, all, all
	DECQ turns
	JNE  turn
	TESTQ left, left
	JEQ  answer
	VPTEST all, all
	JNE  look

answer:
	VPSLLQ $63, all, all
	VMOVMSKPD all, t0              // bit i: key i
	CMPQ todo, $4
	JLT  last
	IMUL3L $0x204081, t0, t1       // bit i at 0, 7, 14 and 21 places above i
	ANDL $0x01010101, t1           // bit i in byte i alone
	MOVL t1, (out)
	POPCNTL t0, t0
	ADDQ t0, sum
	ADDQ $4, out
	ADDQ $64, keys
	SUBQ $4, todo
	JNE  block
	JMP  end

few: // 1 <= todo <= 3
	VMOVDQU (keys), px
	VPXOR v0, v0, v0
	CMPQ todo, $2
	JLT  streams
	VINSERTI128 $1, 16(keys), p, p
	JEQ  streams
	VMOVDQU 32(keys), v0x
	JMP  streams

last: // 1 <= todo <= 3
	MOVL t0, t1
	ANDL $1, t1
	MOVB t1, (out)
	ADDQ t1, sum
	INCQ out
	SHRL $1, t0
	DECQ todo
	JNE  last

end:
	VZEROUPPER

done:
	MOVQ sum, found+96(FP)
	RET
