//go:build gc && !purego

#include "textflag.h"
#include "probe_across_avx2_amd64.h"
#include "probe_positions_avx2_amd64.h"

// The addition of hashes, with the ring of probe_addring_avx2_amd64.h.
//
// Spec      AddPortable: sets the positions of the keys in turn, out[i] = key i found a bit
//           clear; how many bits were clear.
// Requires  avx2, popcnt, bmi2.
// Touches   reads h[0:2n]; reads and writes words at positions; writes out[0:n]. A frame of
//           up to 8 KiB.
// Accepts   n = 0, odd len(h), any k >= 1, any alignment; every position within words.
// Plan      The positions of 8 keys at a time, 4 in a vector, go into a ring, and their words
//           are asked for; the oldest keys of the ring are set, one position after the other.
//           A bit is stored before the next word is loaded, so repeated positions and keys
//           are seen. The last 1 to 7 keys are completed to 8 by what is on the stack, whose
//           words are asked for but not set. Where 8 keys have more positions than the ring
//           has room for: one position after the other, as AddPopcnt.

#define words  SI
#define keys   DI // next key that is not in the ring
#define left   BX // positions, or keys, to do
#define slot   CX // on the stack; after SLOT bytes the ring: k rows of 8 positions for 8 keys
#define t      AX
#define w      DX // a position
#define todo   R8 // keys to add
#define out    R9 // next answer
#define row    R10 // next row of the ring to fill
#define first  R11 // where the key's first position is
#define at     R12 // where its next one is
#define count  R13 // positions of the key to do
#define new    R14 // bits that it found clear
#define old    R15 // a word
#define any    kind-8(SP) // not 0: ANY positions
#define some   rest-16(SP) // keys that are not in the ring
#define free   room-24(SP) // for groups of 8 keys in the ring
#define oldest group-32(SP) // in the ring
#define end    wrap-40(SP) // of the ring

// ASK asks for the word at the position d bytes into the row.
#define ASK(d) \
	MOVQ d(row), t; \
	SHRQ $6, t; \
	FETCH (words)(t*8)

#define ASK8 \
	ASK(0); \
	ASK(8); \
	ASK(16); \
	ASK(24); \
	ASK(32); \
	ASK(40); \
	ASK(48); \
	ASK(56)

// func AddAVX2(out []bool, words, h []uint64, k int, span, step uint64) (fresh int)
TEXT ·AddAVX2(SB), 0, $2376-104
#define ROWS 32
#define FETCH8
#include "probe_addring_avx2_amd64.h"

// func AddAheadAVX2(out []bool, words, h []uint64, k int, span, step uint64) (fresh int)
TEXT ·AddAheadAVX2(SB), 0, $8520-104
#define ROWS 128
#define FETCH PREFETCHT1
#define FETCH8 ASK8
#include "probe_addring_avx2_amd64.h"
#undef FETCH
