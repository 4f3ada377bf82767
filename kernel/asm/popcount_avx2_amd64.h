// The loop of popcount_avx2_amd64.s. Before it: first, left; with FOLD and FOLDWORD
// also second, other; with dst and src, names of first and second, it stores. After it:
// sum.

#ifdef dst
#define LOAD(at, v) VMOVDQU at(first), v; FOLD(at, v); VMOVDQU v, at(dst)
#define WORD(w) MOVQ (first), w; FOLDWORD(w); MOVQ w, (dst); POPCNTQ w, w
#else
#ifdef FOLD
#define LOAD(at, v) VMOVDQU at(first), v; FOLD(at, v)
#define WORD(w) MOVQ (first), w; FOLDWORD(w); POPCNTQ w, w
#else
#define LOAD(at, v) VMOVDQU at(first), v
#define WORD(w) MOVQ (first), w; POPCNTQ w, w
#endif
#endif

// NIBBLES turns the bytes of v into the ones of their low nibbles, and those of h into
// the ones of their high nibbles: at most 4 each.
#define NIBBLES(v, h) \
	VPSRLW  $4, v, h; \
	VPAND   nibble, v, v; \
	VPAND   nibble, h, h; \
	VPSHUFB v, table, v; \
	VPSHUFB h, table, h

#ifdef FOLD
	CMPQ    other, left
	CMOVQLT other, left            // left = n
#endif
	XORL    sum, sum
#ifdef dst
	// Where src trails dst by less than a vector, a vector would miss words that the
	// same vector stores: go word by word.
	MOVQ    dst, ahead
	SUBQ    src, ahead
	DECQ    ahead
	CMPQ    ahead, $31
	JCS     few
#endif
	SUBQ    $16, left
	JLT     tail
	VMOVDQU ones<>(SB), table
	VMOVDQU low<>(SB), nibble
	VPXOR   zero, zero, zero
	VPXOR   sums, sums, sums

	PCALIGN $32
turn: // left >= 0: left+16 words to do, sums = ones before first
	LOAD(0, v0)
	NIBBLES(v0, h0)
	LOAD(32, v1)
	NIBBLES(v1, h1)
	VPADDB  v0, h0, bytes          // at most 8 a byte and vector: 32 at the end
	VPADDB  v1, h1, v1
	VPADDB  v1, bytes, bytes
	LOAD(64, v0)
	NIBBLES(v0, h0)
	LOAD(96, v1)
	NIBBLES(v1, h1)
	VPADDB  v0, h0, v0
	VPADDB  v1, h1, v1
	VPADDB  v0, bytes, bytes
	VPADDB  v1, bytes, bytes
	VPSADBW zero, bytes, bytes
	VPADDQ  bytes, sums, sums
	ADDQ    $128, first
#ifdef FOLD
	ADDQ    $128, second
#endif
	SUBQ    $16, left
	JGE     turn

	VEXTRACTI128 $1, sums, X5
	VPADDQ  X5, X3, X3             // sums {3+1, 2+0}
	VPSHUFD $0xee, X3, X5
	VPADDQ  X5, X3, X3
	VMOVQ   X3, sum
	VZEROUPPER

tail:
	ADDQ    $16, left              // 0 <= left <= 15
few:
	TESTQ   left, left
	JEQ     done

word: // left >= 1: sum = ones before first
	WORD(t0)
	ADDQ    t0, sum
	ADDQ    $8, first
#ifdef FOLD
	ADDQ    $8, second
#endif
	DECQ    left
	JNE     word

done:
#undef LOAD
#undef WORD
#undef NIBBLES
#ifdef FOLD
#undef FOLD
#undef FOLDWORD
#endif
#ifdef dst
#undef dst
#undef src
#endif
