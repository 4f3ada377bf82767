// The loops of popcount_avx512_amd64.s. Before it: first, left; with FOLD also second,
// other; with DST, which of an operand of first and one of second is stored to, it
// stores, and FOLDY is FOLD in 256 bits. After it: sum.

// ONES sets the lanes of v to the ones of 8 words, x in first and y in second; SOME does
// so for the lanes of some, touching no other word, and sets the others to 0.
#ifdef DST
#define ONES(x, y, v) VMOVDQU64 x, v; FOLD y, v, v; VMOVDQU64 v, DST(x, y); VPOPCNTQ v, v
#define SOME(v) VMOVDQU64.Z (first), some, v; FOLD.Z (second), v, some, v; VMOVDQU64 v, some, DST((first), (second)); VPOPCNTQ v, v
#else
#ifdef FOLD
#define ONES(x, y, v) VMOVDQU64 x, v; FOLD y, v, v; VPOPCNTQ v, v
#define SOME(v) VMOVDQU64.Z (first), some, v; FOLD.Z (second), v, some, v; VPOPCNTQ v, v
#else
#define ONES(x, y, v) VPOPCNTQ x, v
#define SOME(v) VPOPCNTQ.Z (first), some, v
#endif
#endif

// HALVES is ONES by halves, of which v is the lower 256 bits of z.
#define HALVES(at, v, z) \
	VMOVDQU at+0(first), v; \
	VMOVDQU at+32(first), upper; \
	FOLDY   at+0(second), v, v; \
	FOLDY   at+32(second), upper, upper; \
	VMOVDQU v, DST(at+0(first), at+0(second)); \
	VMOVDQU upper, DST(at+32(first), at+32(second)); \
	VINSERTI64X4 $1, upper, z, z; \
	VPOPCNTQ z, z

// SUMS adds v0..v3 to sum0..sum3.
#define SUMS \
	VPADDQ  v0, sum0, sum0; \
	VPADDQ  v1, sum1, sum1; \
	VPADDQ  v2, sum2, sum2; \
	VPADDQ  v3, sum3, sum3

#ifdef FOLD
	CMPQ    other, left
	CMOVQLT other, left            // left = n
#endif
	VPXORQ  sum0, sum0, sum0
#ifdef DST
	// Where src trails dst by less than a vector, a vector would miss words that the
	// same vector stores: go word by word.
	LEAQ    DST((first), (second)), ahead
	ADDQ    ahead, ahead
	SUBQ    first, ahead
	SUBQ    second, ahead          // 2*dst - (dst + src)
	DECQ    ahead
	CMPQ    ahead, $63
	JCS     trail
#endif
	SUBQ    $32, left
	JLT     tail
	VPXORQ  sum1, sum1, sum1
	VPXORQ  sum2, sum2, sum2
	VPXORQ  sum3, sum3, sum3

	CMPQ    left, $(65536-32)
	JLT     turn
#ifdef DST
	// Words that come from beyond L2: move 32 bytes at a time. On a Zen 4 from DRAM 1.35
	// times as fast in 4 KiB pages, 1.03 in huge ones; 1.1 from L3, the same from L2.
	PCALIGN $32
far: // left >= 0: left+32 words to do, the lanes of sum0 and sum1 = ones before first
	HALVES(0, y0, v0)
	HALVES(64, y1, v1)
	VPADDQ  v0, sum0, sum0
	VPADDQ  v1, sum1, sum1
	ADDQ    $128, first
	ADDQ    $128, second
	SUBQ    $16, left
	JGE     far
	JMP     merge
#else
	// Words that come from beyond L2: read at distant places at once, so that the end of
	// a page holds up one of them. On a Zen 4 from DRAM, in 4 KiB pages: Count 1.25 and
	// AndCount 1.5 times as fast; the same from L2 and L3, as with huge pages.
	ADDQ    $32, left
	MOVQ    left, t0
	SHRQ    $5, t0                 // turns to do
	MOVQ    t0, apart
#ifdef FOLD
	SHLQ    $7, apart              // bytes of half their words
	PCALIGN $32
far: // t0 >= 1 turns to do, each 16 words at first and second and 16 words apart from them
	ONES(0(first), 0(second), v0)
	ONES(64(first), 64(second), v1)
	ONES(0(first)(apart*1), 0(second)(apart*1), v2)
	ONES(64(first)(apart*1), 64(second)(apart*1), v3)
	SUMS
	ADDQ    $128, first
	ADDQ    $128, second
	DECQ    t0
	JNE     far
	ADDQ    apart, first
	ADDQ    apart, second
#else
	SHLQ    $6, apart              // bytes of a quarter of their words
	LEAQ    (first)(apart*2), third
	PCALIGN $32
far: // t0 >= 1 turns to do, each 8 words at first and third and 8 words apart from them
	ONES((first), , v0)
	ONES((first)(apart*1), , v1)
	ONES((third), , v2)
	ONES((third)(apart*1), , v3)
	SUMS
	ADDQ    $64, first
	ADDQ    $64, third
	DECQ    t0
	JNE     far
	LEAQ    (third)(apart*1), first
#endif
	ANDQ    $31, left
	SUBQ    $32, left
	JMP     merge
#endif

	PCALIGN $32
turn: // left >= 0: left+32 words to do, the lanes of sum0..sum3 = ones before first
	ONES(0(first), 0(second), v0)
	ONES(64(first), 64(second), v1)
	ONES(128(first), 128(second), v2)
	ONES(192(first), 192(second), v3)
	SUMS
	ADDQ    $256, first
#ifdef FOLD
	ADDQ    $256, second
#endif
	SUBQ    $32, left
	JGE     turn

merge:
	VPADDQ  sum1, sum0, sum0
	VPADDQ  sum3, sum2, sum2
	VPADDQ  sum2, sum0, sum0

tail:
	ADDQ    $24, left              // -8 <= left <= 23: left+8 words to do
	JLT     last

step: // left >= 0: left+8 words to do, the lanes of sum0 = ones before first
	ONES((first), (second), v0)
	VPADDQ  v0, sum0, sum0
	ADDQ    $64, first
#ifdef FOLD
	ADDQ    $64, second
#endif
	SUBQ    $8, left
	JGE     step

last:
	ADDQ    $8, left               // 0 <= left <= 7
	JEQ     done
	MOVL    $1, t0
	SHLQ    CX, t0
	DECQ    t0
	KMOVW   t0, some               // the lowest left lanes
	SOME(v0)
	VPADDQ  v0, sum0, sum0
#ifdef DST
	JMP     done

trail:
	TESTQ   left, left
	JEQ     done
	MOVL    $1, t0
	KMOVW   t0, some
follow: // left >= 1: lane 0 of sum0 = ones before first
	SOME(v0)
	VPADDQ  v0, sum0, sum0
	ADDQ    $8, first
	ADDQ    $8, second
	DECQ    left
	JNE     follow
#endif

done:
	VEXTRACTI64X4 $1, sum0, Y4
	VPADDQ  Y4, Y0, Y0             // sums {7+3, 6+2, 5+1, 4+0}
	VEXTRACTI128 $1, Y0, X4
	VPADDQ  X4, X0, X0             // sums {7+5+3+1, 6+4+2+0}
	VPSHUFD $0xee, X0, X4
	VPADDQ  X4, X0, X0
	VMOVQ   X0, sum
	VZEROUPPER
#undef ONES
#undef SOME
#undef HALVES
#undef SUMS
#ifdef FOLD
#undef FOLD
#endif
#ifdef DST
#undef DST
#undef FOLDY
#endif
