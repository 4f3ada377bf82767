//go:build gc && !purego

#include "textflag.h"

// The probe family at positions that are ready, one word at a time.
//
// Spec      the portable twin of each function, in one line above it.
// Requires  popcnt.
// Touches   reads k positions a key and the words that hold them; writes one answer a
//           key, the words (Add...) and slices (AddSlicesAt).
// Accepts   n = 0, any k >= 1, any alignment; positions within words.
// Plan      One position a turn, without a branch on its bit: BT and BTS leave the bit in
//           the carry, which is added. A bit is stored before the next word is loaded, so
//           repeated positions and keys are seen. BT and BTS of a register take a
//           position modulo 64; of memory they would take ten times as long.

#define out   DI // next answer
#define room  R8 // answers to do
#define words SI
#define pos   BX // next position
#define left  R9 // positions to do
#define each  R10 // positions a key
#define end   R11 // end of the key's positions
#define p     CX
#define w     DX
#define v     R12
#define bit   R13
#define sum   AX // bits of this key found set, or clear
#define total R15

// WORD loads the word of the position at pos.
#define WORD MOVQ (pos), p; MOVQ p, w; SHRQ $6, w; MOVQ (words)(w*8), w

// KEY goes to done when there is no further key, or no room for its answer.
#define KEY \
	SUBQ each, left; \
	JLT  done;    \
	DECQ room;    \
	JLT  done;    \
	LEAQ (pos)(each*8), end; \
	XORL sum, sum

// func ContainsAtPopcnt(out []bool, words, pos []uint64, k int) (found int)
// ContainsAtPortable: out[i] = all bits at pos[i*k:(i+1)*k] are set; how many are.
TEXT ·ContainsAtPopcnt(SB), NOSPLIT, $0-88
	MOVQ  out_base+0(FP), out
	MOVQ  out_len+8(FP), room
	MOVQ  words_base+24(FP), words
	MOVQ  pos_base+48(FP), pos
	MOVQ  pos_len+56(FP), left
	MOVQ  k+72(FP), each
	XORL  total, total

key: // total = keys found
	KEY

turn: // pos < end: sum = ones of this key's positions before pos
	WORD
	BTQ   p, w
	ADCQ  $0, sum
	ADDQ  $8, pos
	CMPQ  pos, end
	JNE   turn

	XORL  w, w
	CMPQ  sum, each
	SETEQ w
	MOVB  w, (out)
	ADDQ  w, total
	INCQ  out
	JMP   key

done:
	MOVQ  total, found+80(FP)
	RET

// func AddAtPopcnt(out []bool, words, pos []uint64, k int) (fresh int)
// AddAtPortable: sets the bits at pos, out[i] = one of key i's was clear; how many were.
TEXT ·AddAtPopcnt(SB), NOSPLIT, $0-88
	MOVQ  out_base+0(FP), out
	MOVQ  out_len+8(FP), room
	MOVQ  words_base+24(FP), words
	MOVQ  pos_base+48(FP), pos
	MOVQ  pos_len+56(FP), left
	MOVQ  k+72(FP), each
	XORL  total, total

key: // total = bits found clear
	KEY

turn: // pos < end: sum = bits found clear at this key's positions before pos
	MOVQ  (pos), p
	MOVQ  p, v
	SHRQ  $6, v
	MOVQ  (words)(v*8), w
	BTSQ  p, w
	MOVQ  w, (words)(v*8)
	SBBQ  $-1, sum                 // sum + 1 - carry
	ADDQ  $8, pos
	CMPQ  pos, end
	JNE   turn

	ADDQ  sum, total
	TESTQ sum, sum
	SETNE (out)
	INCQ  out
	JMP   key

done:
	MOVQ  total, fresh+80(FP)
	RET

// func AddSlicesAtPopcnt(out []bool, words, pos, slices []uint64) (fresh int)
// AddSlicesAtPortable: AddAtPortable, and slices[j] += clear bits at j-th positions.
#define slice R14 // what belongs to the position
TEXT ·AddSlicesAtPopcnt(SB), NOSPLIT, $0-104
	MOVQ  out_base+0(FP), out
	MOVQ  out_len+8(FP), room
	MOVQ  words_base+24(FP), words
	MOVQ  pos_base+48(FP), pos
	MOVQ  pos_len+56(FP), left
	MOVQ  slices_len+80(FP), each
	XORL  total, total

key: // total = bits found clear
	KEY
	MOVQ  slices_base+72(FP), slice

turn: // pos < end: sum = bits found clear at this key's positions before pos
	MOVQ  (pos), p
	MOVQ  p, v
	SHRQ  $6, v
	MOVQ  (words)(v*8), w
	XORL  bit, bit
	BTSQ  p, w
	SETCC bit
	MOVQ  w, (words)(v*8)
	ADDQ  bit, (slice)
	ADDQ  bit, sum
	ADDQ  $8, slice
	ADDQ  $8, pos
	CMPQ  pos, end
	JNE   turn

	ADDQ  sum, total
	TESTQ sum, sum
	SETNE (out)
	INCQ  out
	JMP   key

done:
	MOVQ  total, fresh+96(FP)
	RET

// func ContainsPairAtPopcnt(out []uint8, pair, pos []uint64, k int)
// ContainsPairAtPortable: bit s of out[i] = all bits at pos[i*k:(i+1)*k] of array s are set.
#define other R15 // ones of this key in array 1
TEXT ·ContainsPairAtPopcnt(SB), NOSPLIT, $0-80
	MOVQ  out_base+0(FP), out
	MOVQ  out_len+8(FP), room
	MOVQ  pair_base+24(FP), words
	MOVQ  pos_base+48(FP), pos
	MOVQ  pos_len+56(FP), left
	MOVQ  k+72(FP), each

key:
	KEY
	XORL  other, other

turn: // pos < end: sum, other = ones of this key's positions before pos, in arrays 0, 1
	MOVQ  (pos), p
	MOVQ  p, v
	SHRQ  $6, v
	ADDQ  v, v
	MOVQ  (words)(v*8), w
	BTQ   p, w
	ADCQ  $0, sum
	MOVQ  8(words)(v*8), w
	BTQ   p, w
	ADCQ  $0, other
	ADDQ  $8, pos
	CMPQ  pos, end
	JNE   turn

	CMPQ  sum, each
	SETEQ w
	CMPQ  other, each
	SETEQ v
	LEAL  (w)(v*2), w
	MOVB  w, (out)
	INCQ  out
	JMP   key

done:
	RET

// func AddPairAtPopcnt(pair, pos []uint64, side int) (fresh, overlap int)
// AddPairAtPortable: sets the bits at pos in array side; how many were clear, and of
// those how many are set in the other array.
#define base  DI // word 0 of array side
#define twin  R8 // word 0 of the other one
#define both  R15 // fresh bits that the other array has
TEXT ·AddPairAtPopcnt(SB), NOSPLIT, $0-72
	MOVQ  pair_base+0(FP), base
	MOVQ  pos_base+24(FP), pos
	MOVQ  pos_len+32(FP), left
	MOVQ  side+48(FP), v
	LEAQ  (base)(v*8), w
	XORQ  $1, v
	LEAQ  (base)(v*8), twin
	MOVQ  w, base
	LEAQ  (pos)(left*8), end
	XORL  sum, sum
	XORL  both, both
	CMPQ  pos, end
	JEQ   done

turn: // pos < end: sum, both = fresh bits found at the positions before pos
	MOVQ  (pos), p
	MOVQ  p, v
	SHRQ  $6, v
	ADDQ  v, v
	MOVQ  (base)(v*8), w
	XORL  bit, bit
	BTSQ  p, w
	SETCC bit
	MOVQ  w, (base)(v*8)
	ADDQ  bit, sum
	MOVQ  (twin)(v*8), w
	BTQ   p, w
	SBBQ  w, w                     // all ones if the other array has it
	ANDQ  bit, w
	ADDQ  w, both
	ADDQ  $8, pos
	CMPQ  pos, end
	JNE   turn

done:
	MOVQ  sum, fresh+56(FP)
	MOVQ  both, overlap+64(FP)
	RET

// ASKALL asks for the words at the left positions from pos on.
#define ASKALL(fetch) \
	LEAQ  (pos)(left*8), end; \
	CMPQ  pos, end; \
	JEQ   done;     \
turn: /* pos < end */ \
	MOVQ  (pos), w; \
	SHRQ  $6, w;    \
	fetch (words)(w*8); \
	ADDQ  $8, pos;  \
	CMPQ  pos, end; \
	JNE   turn

// func PrefetchPopcnt(words, pos []uint64)
// Asks for the words that hold the positions; changes nothing.
TEXT ·PrefetchPopcnt(SB), NOSPLIT, $0-48
	MOVQ  words_base+0(FP), words
	MOVQ  pos_base+24(FP), pos
	MOVQ  pos_len+32(FP), left
	ASKALL(PREFETCHT0)

done:
	RET

// func PrefetchT1Popcnt(words, pos []uint64)
// Asks for them to come to L2, which may have more misses under way than L1: an addition
// of 7 positions to 64 MiB takes 36 ns on Zen 4, with PREFETCHT0 125.
TEXT ·PrefetchT1Popcnt(SB), NOSPLIT, $0-48
	MOVQ  words_base+0(FP), words
	MOVQ  pos_base+24(FP), pos
	MOVQ  pos_len+32(FP), left
	ASKALL(PREFETCHT1)

done:
	RET
