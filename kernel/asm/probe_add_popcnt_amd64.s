//go:build gc && !purego

#include "textflag.h"
#include "probe_positions_popcnt_amd64.h"

// func AddPopcnt(out []bool, words, h []uint64, k int, span, step uint64) (fresh int)
//
// Spec      AddPortable: sets the positions of the keys in turn, out[i] = key i found a bit
//           clear; how many bits were clear.
// Requires  popcnt.
// Touches   reads h[0:2n]; reads and writes words at positions; writes out[0:n].
// Accepts   n = 0, odd len(h), any k >= 1, any alignment; every position within words.
// Plan      A position a turn, whose bit leaves its old value in the carry. It is stored
//           before the next word is loaded, so repeated positions and keys are seen.

#define new CX // bits that this key found clear
#define old R15 // a word

TEXT ·AddPopcnt(SB), NOSPLIT, $0-104
	MOVQ  out_base+0(FP), out
	MOVQ  out_len+8(FP), todo
	MOVQ  words_base+24(FP), words
	MOVQ  h_base+48(FP), keys
	MOVQ  h_len+56(FP), left
	SHRQ  $1, left
	CMPQ  left, todo
	CMOVQLT left, todo             // n
	MOVQ  $0, fresh+96(FP)
	TESTQ todo, todo
	JEQ   done
	CONSTANTS

key: // todo >= 1; fresh = bits found clear by the keys before
	KEY(keys)
	MOVQ  k+72(FP), left
	XORL  new, new

turn: // left >= 1: new = bits found clear at the positions before
	POSITION(span+80(FP), step+88(FP))
	MOVQ  p, w
	SHRQ  $6, w
	MOVQ  (words)(w*8), old
	BTSQ  p, old
	MOVQ  old, (words)(w*8)
	SBBQ  $-1, new                 // new + 1 - carry
	DECQ  left
	JNE   turn

	ADDQ  new, fresh+96(FP)
	TESTQ new, new
	SETNE (out)
	INCQ  out
	ADDQ  $16, keys
	DECQ  todo
	JNE   key

done:
	RET
