//go:build gc && !purego

#include "textflag.h"
#include "probe_ring_names_neon_arm64.h"

// The look-up of hashes in a pair with a ring of keys in flight, NEON (general
// registers). The ring is in probe_ring_neon_arm64.h.
//
// Spec      ContainsPairPortable.
// Requires  nothing beyond arm64.
// Touches   reads h, and the words of each key's positions until a bit was clear in both
//           arrays; writes one answer a key, several times. A frame of 2 KiB.
// Accepts   n = 0, any alignment; positions within the pair.
// Plan      That of probe_ring_neon_arm64.s. A key's answer holds the arrays that had all
//           of its bits so far.

#define ARRAY pair_base+24(FP)

#define PLACE \
	LSR   $6, p, p; \
	ADD   p<<4, words, p

#define TEST \
	LSR   $6, p, t; \
	ADD   t<<4, words, t; \
	LDP   (t), (t, u); \
	LSR   p, t, t; \
	LSR   p, u, u; \
	BFI   $1, u, $63, t; \
	MOVBU (out)(key), both; \
	AND   t, both, both; \
	MOVB  both, (out)(key); \
	MOVD  both, t

#define BEGIN \
	MOVD  $3, both; \
	MOVB  both, (out)(key)

// func ContainsPairRingNEON(out []uint8, pair, h []uint64, k int, span, step uint64)
// ContainsPairPortable, asking for words to stay in every cache.
TEXT ·ContainsPairRingNEON(SB), 0, $2048-96
#define FETCH PLDL1KEEP
#include "probe_ring_neon_arm64.h"
	RET

// func ContainsPairRingNTANEON(out []uint8, pair, h []uint64, k int, span, step uint64)
// ContainsPairPortable, asking for words that will not be used again soon.
TEXT ·ContainsPairRingNTANEON(SB), 0, $2048-96
#define FETCH PLDL1STRM
#include "probe_ring_neon_arm64.h"
	RET
