//go:build gc && !purego

#include "textflag.h"

// The look-up of hashes with a ring of keys in flight, which is in
// probe_ring_popcnt_amd64.h.
//
// Spec      ContainsPortable.
// Requires  popcnt.
// Touches   reads h, and the words of each key's positions up to its first clear bit;
//           writes one answer a key. A frame of 2 KiB.
// Accepts   n = 0, any k >= 1, any alignment; positions within words.
// Plan      Up to 64 keys in flight, each with one word asked for. In turn each key's
//           word, for which the 63 other turns have passed, is tested, and the next one
//           asked for, or the slot goes to the next key. Which of them is chosen without
//           a branch: it would be mispredicted for about every key that is not there.
//           When the keys run out, the slots that are left close ranks.

#define ARRAY words_base+24(FP)
#define WORD(i) SHRQ $6, i

#define TEST \
	MOVQ  AT, p;    \
	MOVQ  KEY, key; \
	MOVQ  AFTER, rest; \
	MOVQ  STATE, z; \
	MOVQ  p, t;     \
	WORD(t);        \
	MOVQ  (words)(t*8), t; \
	MOVQ  key, u;   \
	SHRQ  $1, u;    \
	BTQ   p, t;     \
	SETCS (out)(u*1); \
	SBBQ  u, u;     \
	ANDQ  u, rest

#define BEGIN
#define SWITCH

// FOUND sets t to the number of ones among the last/2 bytes of out, which are 0 or 1.
#define FOUND \
	XORL  t, t;     \
	MOVQ  last, rest; \
	SHRQ  $1, rest; \
	SUBQ  $8, rest; \
	JLT   bytes;    \
eight: /* rest >= 0: rest+8 bytes to do */ \
	POPCNTQ (out), u; \
	ADDQ  u, t;     \
	ADDQ  $8, out;  \
	SUBQ  $8, rest; \
	JGE   eight;    \
bytes: \
	ADDQ  $8, rest; \
	JEQ   counted;  \
byte: /* 1 <= rest <= 7 */ \
	MOVBQZX (out), u; \
	ADDQ  u, t;     \
	INCQ  out;      \
	DECQ  rest;     \
	JNE   byte;     \
counted:

// func ContainsRingPopcnt(out []bool, words, h []uint64, k int, span, step uint64) (found int)
// ContainsPortable, asking for words to stay in every cache.
TEXT ·ContainsRingPopcnt(SB), 0, $2080-104
#define FETCH PREFETCHT0
#include "probe_ring_popcnt_amd64.h"
	FOUND
	MOVQ t, found+96(FP)
	RET

// func ContainsRingT1Popcnt(out []bool, words, h []uint64, k int, span, step uint64) (found int)
// ContainsPortable, asking for words to stay in L2 and beyond.
TEXT ·ContainsRingT1Popcnt(SB), 0, $2080-104
#define FETCH PREFETCHT1
#include "probe_ring_popcnt_amd64.h"
	FOUND
	MOVQ t, found+96(FP)
	RET

// func ContainsRingNTAPopcnt(out []bool, words, h []uint64, k int, span, step uint64) (found int)
// ContainsPortable, asking for words that will not be used again soon.
TEXT ·ContainsRingNTAPopcnt(SB), 0, $2080-104
#define FETCH PREFETCHNTA
#include "probe_ring_popcnt_amd64.h"
	FOUND
	MOVQ t, found+96(FP)
	RET
