// The loops of popcount_avx2_amd64.s. Before it: first, left; with FOLD and FOLDWORD
// also second, other; with DST, which of an operand of first and one of second is stored
// to, it stores. After it: sum.

#ifdef DST
#define LOAD(at, v) VMOVDQU at(first), v; FOLD(at, v); VMOVDQU v, DST(at(first), at(second))
#define WORD(w) MOVQ (first), w; FOLDWORD(w); MOVQ w, DST((first), (second)); POPCNTQ w, w
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

// LANES adds the ones of v to the lanes of sums, shifted left by s.
#define LANES(v, s, h) \
	NIBBLES(v, h); \
	VPADDB  h, v, v; \
	VPSADBW zero, v, v; \
	VPSLLQ  s, v, v; \
	VPADDQ  v, sums, sums

// CSA adds three bits at every place: low + v + w = 2*high + low. It spoils v and w.
#define CSA(high, low, v, w) \
	VPAND   v, w, high; \
	VPXOR   v, w, v; \
	VPAND   v, low, w; \
	VPXOR   v, low, low; \
	VPOR    w, high, high

// FOUR adds 4 vectors to ones and twos; high is what they carry.
#define FOUR(at, high) \
	LOAD(at+0, v0); \
	LOAD(at+32, v1); \
	CSA(h0, ones, v0, v1); \
	LOAD(at+64, v0); \
	LOAD(at+96, v1); \
	CSA(h1, ones, v0, v1); \
	CSA(high, twos, h0, h1)

#ifdef FOLD
	CMPQ    other, left
	CMOVQLT other, left            // left = n
#endif
	XORL    sum, sum
#ifdef DST
	// Where src trails dst by less than a vector, a vector would miss words that the
	// same vector stores: go word by word.
	LEAQ    DST((first), (second)), ahead
	ADDQ    ahead, ahead
	SUBQ    first, ahead
	SUBQ    second, ahead          // 2*dst - (dst + src)
	DECQ    ahead
	CMPQ    ahead, $31
	JCS     few
#endif
	SUBQ    $16, left
	JLT     tail
	VMOVDQU nibbles<>(SB), table
	VMOVDQU low<>(SB), nibble
	VPXOR   zero, zero, zero
	VPXOR   sums, sums, sums

	CMPQ    left, $112             // from 128 words up a block is worth its end
	JLT     turn
	SUBQ    $48, left
	VPXOR   ones, ones, ones
	VPXOR   twos, twos, twos
	VPXOR   fours, fours, fours
	VPXOR   eights, eights, eights

	PCALIGN $32
block: // left >= 0: left+64 words to do, sums + eights, fours, twos, ones = ones before first
	FOUR(0, c0)
	FOUR(128, c1)
	CSA(d0, fours, c0, c1)
	FOUR(256, c0)
	FOUR(384, c1)
	CSA(d1, fours, c0, c1)
	CSA(c0, eights, d0, d1)
	LANES(c0, $4, h0)
	ADDQ    $512, first
#ifdef FOLD
	ADDQ    $512, second
#endif
	SUBQ    $64, left
	JGE     block
	LANES(eights, $3, h0)
	LANES(fours, $2, h0)
	LANES(twos, $1, h0)
	LANES(ones, $0, h0)
	ADDQ    $48, left              // -16 <= left <= 47: left+16 words to do
	JLT     merge

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

merge:
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
#undef LANES
#undef CSA
#undef FOUR
#ifdef FOLD
#undef FOLD
#undef FOLDWORD
#endif
#ifdef DST
#undef DST
#endif
