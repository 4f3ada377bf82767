// The loops of popcount_avx512_amd64.s. Before it: first, left; with FOLD also second,
// other; with dst and src, names of first and second, it stores. After it: sum.

// ONES sets the lanes of v to the ones of 8 words; SOME does so for the lanes of some,
// touching no other word, and sets the others to 0.
#ifdef dst
#define ONES(at, v) VMOVDQU64 at(first), v; FOLD at(second), v, v; VMOVDQU64 v, at(dst); VPOPCNTQ v, v
#define SOME(v) VMOVDQU64.Z (first), some, v; FOLD.Z (second), v, some, v; VMOVDQU64 v, some, (dst); VPOPCNTQ v, v
#else
#ifdef FOLD
#define ONES(at, v) VMOVDQU64 at(first), v; FOLD at(second), v, v; VPOPCNTQ v, v
#define SOME(v) VMOVDQU64.Z (first), some, v; FOLD.Z (second), v, some, v; VPOPCNTQ v, v
#else
#define ONES(at, v) VPOPCNTQ at(first), v
#define SOME(v) VPOPCNTQ.Z (first), some, v
#endif
#endif

// TURN adds the ones of 32 words at first to the lanes of sum0..sum3.
#define TURN \
	ONES(0, v0); \
	ONES(64, v1); \
	ONES(128, v2); \
	ONES(192, v3); \
	VPADDQ  v0, sum0, sum0; \
	VPADDQ  v1, sum1, sum1; \
	VPADDQ  v2, sum2, sum2; \
	VPADDQ  v3, sum3, sum3; \
	ADDQ    $256, first

#ifdef FOLD
	CMPQ    other, left
	CMOVQLT other, left            // left = n
#endif
	VPXORQ  sum0, sum0, sum0
#ifdef dst
	// Where src trails dst by less than a vector, a vector would miss words that the
	// same vector stores: go word by word.
	MOVQ    dst, ahead
	SUBQ    src, ahead
	DECQ    ahead
	CMPQ    ahead, $63
	JCS     trail
#endif
	SUBQ    $32, left
	JLT     tail
	VPXORQ  sum1, sum1, sum1
	VPXORQ  sum2, sum2, sum2
	VPXORQ  sum3, sum3, sum3

#ifndef FOLD
	// Words that come from beyond L2: fetch 4 KiB ahead (+16 % at 64 MiB; -12 % in L1;
	// nothing with two arguments).
	CMPQ    left, $65536
	JLT     turn

	PCALIGN $32
far: // left >= 0: left+32 words to do, the lanes of sum0..sum3 = ones before first
	PREFETCHT0 4096(first)
	PREFETCHT0 4160(first)
	PREFETCHT0 4224(first)
	PREFETCHT0 4288(first)
	TURN
	SUBQ    $32, left
	JGE     far
	JMP     merge
#endif

	PCALIGN $32
turn: // left >= 0: left+32 words to do, the lanes of sum0..sum3 = ones before first
	TURN
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
	ONES(0, v0)
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
#ifdef dst
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
#undef TURN
#ifdef FOLD
#undef FOLD
#endif
#ifdef dst
#undef dst
#undef src
#endif
