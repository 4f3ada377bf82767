//go:build gc && !purego

#include "textflag.h"
#include "probe_across_avx2_amd64.h"
#include "probe_positions_avx2_amd64.h"

// func ContainsAVX2(out []bool, words, h []uint64, k int, span, step uint64) (found int)
//
// Spec      ContainsPortable: out[i] = all k positions of key i are set; how many are.
// Requires  avx2, popcnt, bmi2.
// Touches   reads h[0:2n] and words at positions; writes out[0:n].
// Accepts   n = 0, odd len(h), any k >= 1, any alignment; every position within words.
// Plan      A position of 8 keys a turn, derived 4 in a vector and looked at on general
//           registers, no branch on a bit; every 8 positions a look whether any key is still
//           in. The last 1 to 7 keys are completed to 8 by what is on the stack, whose
//           answers are not stored.

#define words SI
#define keys  DI // next key
#define left  BX // positions to do
#define slot  CX // on the stack; after SLOT bytes the positions of the turn
#define t     AX
#define w     DX
#define any   kind-8(SP) // not 0: ANY positions
#define todo  some-16(SP) // keys to do
#define next  look-24(SP) // of left: where keys are looked at
#define in0   R8 // whether the positions of key 0 of 8 so far are set
#define in1   R9
#define in2   R10
#define in3   R11
#define in4   R12
#define in5   R13
#define in6   R14
#define in7   R15

// LOOK clears in unless the position at d is set.
#define LOOK(d, in) \
	MOVQ SLOT+d(slot), w; \
	MOVQ w, t; \
	SHRQ $6, t; \
	SHRXQ w, (words)(t*8), w; \
	ANDQ w, in

// PUT stores the answer of key i.
#define PUT(i, in) \
	MOVB in, i(t); \
	ADDQ in, found+96(FP)

// LAST is PUT if there are more than i keys.
#define LAST(i, in) \
	CMPQ todo, $i; \
	JEQ  end; \
	PUT(i, in)

TEXT ·ContainsAVX2(SB), 0, $376-104
	MOVQ out_len+8(FP), t
	MOVQ words_base+24(FP), words
	MOVQ h_base+48(FP), keys
	MOVQ h_len+56(FP), w
	MOVQ $0, found+96(FP)
	SHRQ $1, w
	CMPQ w, t
	CMOVQLT w, t
	MOVQ t, todo                   // n
	TESTQ t, t
	JEQ  done
	LEAQ 31(SP), slot
	ANDQ $~31, slot
	CONSTANTS8(span+80(FP), step+88(FP))

block: // todo >= 1
	CMPQ todo, $8
	JLT  few
streams:
	KEYS8(keys)
	MOVQ k+72(FP), left
	MOVQ left, next
	MOVL $1, in0
	MOVL $1, in1
	MOVL $1, in2
	MOVL $1, in3
	MOVL $1, in4
	MOVL $1, in5
	MOVL $1, in6
	MOVL $1, in7
	JMP  look

turn: // left >= 1
	POSITION8(whole)
ready:
	VMOVDQA p, SLOT(slot)
	VMOVDQA q, SLOT+32(slot)
	LOOK(0, in0)
	LOOK(8, in1)
	LOOK(16, in2)
	LOOK(24, in3)
	LOOK(32, in4)
	LOOK(40, in5)
	LOOK(48, in6)
	LOOK(56, in7)
	DECQ left
	JEQ  answer
	CMPQ left, next
	JGT  turn

look: // left = next
	SUBQ $8, next
	MOVQ in0, t
	ORQ  in1, t
	ORQ  in2, t
	ORQ  in3, t
	ORQ  in4, t
	ORQ  in5, t
	ORQ  in6, t
	ORQ  in7, t
	JNE  turn

answer:
	MOVQ out_base+0(FP), t
	CMPQ todo, $8
	JLT  last
	PUT(0, in0)
	PUT(1, in1)
	PUT(2, in2)
	PUT(3, in3)
	PUT(4, in4)
	PUT(5, in5)
	PUT(6, in6)
	PUT(7, in7)
	ADDQ $8, t
	MOVQ t, out_base+0(FP)
	ADDQ $128, keys
	SUBQ $8, todo
	JNE  block
	JMP  end

few: // 1 <= todo <= 7
	FEW8(todo, copy)
	JMP  streams

whole:
	ANY8
	JMP  ready

last: // 1 <= todo <= 7
	PUT(0, in0)
	LAST(1, in1)
	LAST(2, in2)
	LAST(3, in3)
	LAST(4, in4)
	LAST(5, in5)
	LAST(6, in6)

end:
	VZEROUPPER

done:
	RET
