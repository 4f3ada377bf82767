//go:build gc && !purego

#include "textflag.h"
#include "probe_positions_avx2_amd64.h"
#include "probe_along_avx2_amd64.h"

// func AddOneAVX2(words []uint64, h0, h1 uint64, k int, span, step uint64) (fresh int)
//
// Spec      AddPortable for the key h0, h1: sets its k positions; how many bits were clear.
// Requires  avx2, popcnt, bmi2.
// Touches   reads and writes words at positions.
// Accepts   any k >= 1; every position within words.
// Plan      8 positions a turn, derived 4 in a vector, then set one after the other. A bit is
//           stored before the next word is loaded, so repeated positions are seen.

#define new   AX // bits found clear
#define t     CX
#define w     DX

// SET sets the position at and adds 1 to new if it was clear: 1 less the carry.
#define SET(at) \
	MOVQ at, t; \
	SHRQ $6, t; \
	MOVQ (words)(t*8), w; \
	BTSQ at, w; \
	MOVQ w, (words)(t*8); \
	SBBQ $-1, new

TEXT ·AddOneAVX2(SB), NOSPLIT, $0-72
	MOVQ words_base+0(FP), words
	MOVQ k+40(FP), left
	CONSTANTS(span+48(FP))
	CONSTANTSANY(step+56(FP))
	XORL new, new
	KEY(h0+24(FP), h1+32(FP), span+48(FP), step+56(FP))
	JNE  start

turn: // left >= 1: the positions before are set
	EIGHT(whole)
ready:
	CMPQ left, $4
	JLT  few
	FOUR
	SET(a)
	SET(b)
	SET(c)
	SET(d)
	SUBQ $4, left
	JEQ  done
	VMOVDQA q, p
	CMPQ left, $4
	JLT  few
	FOUR
	SET(a)
	SET(b)
	SET(c)
	SET(d)
	SUBQ $4, left
	JNE  turn
	JMP  done

few: // 1 <= left <= 3
	VMOVQ px, a
	SET(a)
	CMPQ left, $2
	JLT  done
	VPEXTRQ $1, px, b
	SET(b)
	CMPQ left, $2
	JEQ  done
	VEXTRACTI128 $1, p, px
	VMOVQ px, c
	SET(c)

done:
	MOVQ new, fresh+64(FP)
	VZEROUPPER
	RET

start:
	KEYANY
	JMP  turn

whole:
	EIGHTANY
	JMP  ready
