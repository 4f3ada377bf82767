// The loop of popcount_popcnt_amd64.s. Before it: first, left; with FOLD also second,
// other; with DST, which of an operand of first and one of second is stored to, it stores.
// After it: sum.
// A word is folded and stored before the next one is loaded, as in the portable twin, so
// any overlap gives what the twin gives.

#ifdef DST
#define WORD(at, w) MOVQ at(first), w; FOLD(at, w); MOVQ w, DST(at(first), at(second)); POPCNTQ w, w
#else
#ifdef FOLD
#define WORD(at, w) MOVQ at(first), w; FOLD(at, w); POPCNTQ w, w
#else
#define WORD(at, w) MOVQ at(first), w; POPCNTQ w, w
#endif
#endif

#ifdef FOLD
	CMPQ    other, left
	CMOVQLT other, left            // left = n
#endif
	XORL    sum, sum
	XORL    more, more
	SUBQ    $4, left
	JLT     tail

	PCALIGN $32
turn: // left >= 0: left+4 words to do, sum+more = ones before first
	WORD(0, t0)
	WORD(8, t1)
	WORD(16, t2)
	WORD(24, t3)
	ADDQ    t0, sum
	ADDQ    t2, more
	ADDQ    t1, sum
	ADDQ    t3, more
	ADDQ    $32, first
#ifdef FOLD
	ADDQ    $32, second
#endif
	SUBQ    $4, left
	JGE     turn
	ADDQ    more, sum

tail:
	ADDQ    $4, left               // 0 <= left <= 3
	JEQ     done

word: // 1 <= left <= 3: sum = ones before first
	WORD(0, t0)
	ADDQ    t0, sum
	ADDQ    $8, first
#ifdef FOLD
	ADDQ    $8, second
#endif
	DECQ    left
	JNE     word

done:
#undef WORD
#ifdef FOLD
#undef FOLD
#endif
#ifdef DST
#undef DST
#endif
