//go:build gc && !purego

#include "textflag.h"
#include "probe_ring_names_neon_arm64.h"

// The look-up of hashes with a ring of keys in flight, NEON (general registers, as all of
// this family). The ring is in probe_ring_neon_arm64.h.
//
// Spec      ContainsPortable.
// Requires  nothing beyond arm64.
// Touches   reads h, and the words of each key's positions up to its first clear bit;
//           writes one answer a key. A frame of 2 KiB.
// Accepts   n = 0, any alignment; positions within words.
// Plan      Up to 64 keys in flight, each with one word asked for. In turn each key's
//           word, for which the 63 other turns have passed, is tested, and the next one
//           asked for, or the slot goes to the next key. When the keys run out, the slots
//           that are left close ranks.

#define ARRAY words_base+24(FP)

#define PLACE \
	LSR   $6, p, p; \
	ADD   p<<3, words, p

#define TEST \
	LSR   $6, p, t; \
	MOVD  (words)(t<<3), t; \
	LSR   p, t, t; \
	AND   $1, t, t; \
	MOVB  t, (out)(key); \
	CMP   ZR, rest; \
	CSEL  EQ, t, ZR, u; \
	ADD   u, sum, sum

#define BEGIN

// func ContainsRingNEON(out []bool, words, h []uint64, k int, span, step uint64) (found int)
// ContainsPortable, asking for words to stay in every cache.
TEXT ·ContainsRingNEON(SB), 0, $2048-104
#define FETCH PLDL1KEEP
#include "probe_ring_neon_arm64.h"
	MOVD sum, found+96(FP)
	RET

// func ContainsRingNTANEON(out []bool, words, h []uint64, k int, span, step uint64) (found int)
// ContainsPortable, asking for words that will not be used again soon.
TEXT ·ContainsRingNTANEON(SB), 0, $2048-104
#define FETCH PLDL1STRM
#include "probe_ring_neon_arm64.h"
	MOVD sum, found+96(FP)
	RET
