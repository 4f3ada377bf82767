//go:build gc && !purego

#include "textflag.h"

// The look-up of hashes in a pair with a ring of keys in flight, which is in
// probe_ring_popcnt_amd64.h.
//
// Spec      ContainsPairPortable.
// Requires  popcnt.
// Touches   reads h, and the words of each key's positions until a bit was clear in both
//           arrays; writes one answer a key, several times. A frame of 2 KiB.
// Accepts   n = 0, any k >= 1, any alignment; positions within the pair.
// Plan      That of probe_ring_popcnt_amd64.s. A key's answer holds the arrays that had
//           all of its bits so far. The words of both lie side by side, in one line
//           unless the pair is misaligned.

#define ARRAY pair_base+24(FP)
#define WORD(i) SHRQ $6, i; ADDQ i, i
#define alive u // the key's answer

#define TEST \
	MOVQ  AT, p;    \
	MOVQ  KEY, key; \
	MOVQ  AFTER, rest; \
	MOVQ  p, t;     \
	WORD(t);        \
	MOVQ  (words)(t*8), u; \
	MOVQ  8(words)(t*8), t; \
	XORL  z, z;     \
	BTQ   p, t;     \
	ADCL  z, z;     \
	BTQ   p, u;     \
	ADCL  z, z;     \
	MOVQ  key, t;   \
	SHRQ  $1, t;    \
	MOVBLZX (out)(t*1), alive; \
	ANDL  z, alive; \
	MOVB  alive, (out)(t*1); \
	MOVQ  STATE, z; \
	MOVL  alive, t; \
	NEGQ  t;        \
	SBBQ  t, t;     \
	ANDQ  t, rest

#define BEGIN \
	MOVQ  key, t;   \
	SHRQ  $1, t;    \
	MOVB  $3, (out)(t*1)

#define SWITCH \
	CMOVQEQ both-32(SP), alive; \
	MOVQ  key, t;   \
	SHRQ  $1, t;    \
	MOVB  alive, (out)(t*1)

// func ContainsPairRingPopcnt(out []uint8, pair, h []uint64, k int, span, step uint64)
// ContainsPairPortable, asking for words to stay in every cache.
TEXT ·ContainsPairRingPopcnt(SB), 0, $2080-96
	MOVQ $3, both-32(SP)
#define FETCH PREFETCHT0
#include "probe_ring_popcnt_amd64.h"
	RET

// func ContainsPairRingT1Popcnt(out []uint8, pair, h []uint64, k int, span, step uint64)
// ContainsPairPortable, asking for words to stay in L2 and beyond.
TEXT ·ContainsPairRingT1Popcnt(SB), 0, $2080-96
	MOVQ $3, both-32(SP)
#define FETCH PREFETCHT1
#include "probe_ring_popcnt_amd64.h"
	RET

// func ContainsPairRingNTAPopcnt(out []uint8, pair, h []uint64, k int, span, step uint64)
// ContainsPairPortable, asking for words that will not be used again soon.
TEXT ·ContainsPairRingNTAPopcnt(SB), 0, $2080-96
	MOVQ $3, both-32(SP)
#define FETCH PREFETCHNTA
#include "probe_ring_popcnt_amd64.h"
	RET
