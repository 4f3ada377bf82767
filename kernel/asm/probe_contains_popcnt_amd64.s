//go:build gc && !purego

#include "textflag.h"
#include "probe_positions_popcnt_amd64.h"

// func ContainsPopcnt(out []bool, words, h []uint64, k int, span, step uint64) (found int)
//
// Spec      ContainsPortable: out[i] = all k positions of key i are set; how many are.
// Requires  popcnt.
// Touches   reads h[0:2n] and words at positions; writes out[0:n].
// Accepts   n = 0, odd len(h), any k >= 1, any alignment; every position within words.
// Plan      A position a turn, to the first that is clear.

#define sum R15 // keys found

TEXT ·ContainsPopcnt(SB), NOSPLIT, $0-104
	MOVQ  out_base+0(FP), out
	MOVQ  out_len+8(FP), todo
	MOVQ  words_base+24(FP), words
	MOVQ  h_base+48(FP), keys
	MOVQ  h_len+56(FP), left
	SHRQ  $1, left
	CMPQ  left, todo
	CMOVQLT left, todo             // n
	XORL  sum, sum
	TESTQ todo, todo
	JEQ   done
	CONSTANTS

key: // todo >= 1
	KEY(keys)
	MOVQ  k+72(FP), left

turn: // left >= 1: the positions before are set
	POSITION(span+80(FP), step+88(FP))
	MOVQ  p, w
	SHRQ  $6, w
	MOVQ  (words)(w*8), w
	BTQ   p, w
	JCC   miss
	DECQ  left
	JNE   turn

	MOVB  $1, (out)
	INCQ  sum
	INCQ  out
	ADDQ  $16, keys
	DECQ  todo
	JNE   key
	JMP   done

miss:
	MOVB  $0, (out)
	INCQ  out
	ADDQ  $16, keys
	DECQ  todo
	JNE   key

done:
	MOVQ  sum, found+96(FP)
	RET
