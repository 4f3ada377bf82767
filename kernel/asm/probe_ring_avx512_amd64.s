//go:build gc && !purego

#include "textflag.h"
#include "probe_avx512_amd64.h"

// The look-up of hashes with a ring of vectors of keys in flight, which is in
// probe_ring_avx512_amd64.h.
//
// Spec      ContainsPortable: out[i] = all k positions of key i are set; how many are.
// Requires  avx2, popcnt, avx512f, avx512dq, avx512ifma.
// Touches   reads h[0:2n], words at positions and word 0; writes out[0:n]. A frame of 6 KiB.
// Accepts   n = 0, odd len(h), any k >= 1, any alignment; every position within words.
// Plan      A ring of 12 vectors of 8 keys in flight: a word of each was asked for. In turn
//           the words of a vector are tested, keys whose answer is now known give their
//           lanes to the next keys, and the words at the next positions are asked for. When
//           the keys run out, lanes go to keys numbered n and more, which count for nothing.
//           Answers are 0 until found to be 1.

#define VECTORS 12
#define FOUND   128 // found keys whose answers are not written, at most

#define out   DI
#define words SI
#define from  BX // the next key
#define next  R8 // its number, n at most
#define n     R9
#define ring  R10 // 6 arrays on the stack
#define i     R11 // bytes from an array's first vector to the present one
#define end   R12 // and to its end
#define full  R13 // where the list of found keys is to be emptied
#define list  R15 // its end
#define todo  DX // keys without a final answer
#define t0    AX
#define t1    CX
#define w     Z7 // words
#define place Z8 // numbers of keys
#define rest  Z9 // positions to come
#define evens Z13 // which words of two vectors are H0: {14, ..., 2, 0}
#define odds  Z14 // and H1
#define lanes Z15 // {7, ..., 1, 0}
#define keys  Z16 // n
#define each  Z17 // k
#define top   Z18 // (k-1)*step
#define set   K1 // lanes whose bit is set
#define in    K2 // and that have no more to come
#define over  K3 // lanes for the next keys
#define half0 K4 // words of h that are there: of the first 4 of 8 keys
#define half1 K5 // of the next 4

#define STATE  (0*64*VECTORS)(ring)
#define GAMMA  (1*64*VECTORS)(ring)
#define PLACE  (2*64*VECTORS)(ring)
#define REST   (3*64*VECTORS)(ring)
#define AT     (4*64*VECTORS)(ring) // present positions
#define NUMBER (5*64*VECTORS)(ring) // and those of their words
#define LIST   (6*64*VECTORS)(ring)

// ASK asks for the word of the lane d bytes into the vector.
#define ASK(d) MOVQ d+NUMBER(i*1), t0; FETCH (words)(t0*8)

// PAIR loads the words of the lanes d and d+8 bytes into the vector.
#define PAIR(d, x) \
	MOVQ d+NUMBER(i*1), t0; \
	MOVQ d+8+NUMBER(i*1), t1; \
	VMOVQ (words)(t0*8), x; \
	VMOVHPS (words)(t1*8), x, x

// func ContainsRingAVX512(out []bool, words, h []uint64, k int, span, step uint64) (found int)
// ContainsPortable, asking for words to stay in every cache.
TEXT ·ContainsRingAVX512(SB), 0, $5696-104
#define FETCH PREFETCHT0
#include "probe_ring_avx512_amd64.h"
	RET

// func ContainsRingT1AVX512(out []bool, words, h []uint64, k int, span, step uint64) (found int)
// ContainsPortable, asking for words to come to L2.
TEXT ·ContainsRingT1AVX512(SB), 0, $5696-104
#define FETCH PREFETCHT1
#include "probe_ring_avx512_amd64.h"
	RET
