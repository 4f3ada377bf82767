// The loop of popcount_neon_arm64.s. Before it: first, left; with FOLD also second,
// other. After it: sum.

// SUM adds the ones of the bytes of V0 to V3, at most 8 each, to V16's low lane. The
// 16 bytes of V0 add up to at most 16*32 = 512, for which VUADDLV has 16 bits.
#define SUM \
	VCNT    V0.B16, V0.B16; \
	VCNT    V1.B16, V1.B16; \
	VCNT    V2.B16, V2.B16; \
	VCNT    V3.B16, V3.B16; \
	VADD    V1.B16, V0.B16, V0.B16; \
	VADD    V3.B16, V2.B16, V2.B16; \
	VADD    V2.B16, V0.B16, V0.B16; \
	VUADDLV V0.B16, V0; \
	VADD    V0, V16, V16

#ifdef FOLD
	CMP     left, other
	CSEL    LT, other, left, left  // left = n
#endif
	VEOR    V16.B16, V16.B16, V16.B16
#ifdef INTO
	// Where src trails dst by less than a turn, the turn would miss words that it
	// stores itself: go word by word.
	SUB     second, first, ahead
	SUB     $1, ahead
	CMP     $63, ahead
	BLO     few
#endif
	SUBS    $8, left, left
	BLT     tail

	PCALIGN $32
turn: // left >= 0: left+8 words to do, V16 = ones before first
#ifdef INTO
	MOVD    first, here
#endif
	VLD1.P  64(first), [V0.B16, V1.B16, V2.B16, V3.B16]
#ifdef FOLD
	VLD1.P  64(second), [V4.B16, V5.B16, V6.B16, V7.B16]
	FOLD(V0, V4, B16)
	FOLD(V1, V5, B16)
	FOLD(V2, V6, B16)
	FOLD(V3, V7, B16)
#endif
#ifdef INTO
	VST1    [V0.B16, V1.B16, V2.B16, V3.B16], (here)
#endif
	SUM
	SUBS    $8, left, left
	BGE     turn

tail:
	ADD     $8, left               // 0 <= left <= 7
few:
	CBZ     left, done

word: // left >= 1: V16 = ones before first
#ifdef INTO
	MOVD    first, here
#endif
	VLD1.P  8(first), [V0.B8]
#ifdef FOLD
	VLD1.P  8(second), [V4.B8]
	FOLD(V0, V4, B8)
#endif
#ifdef INTO
	VST1    [V0.B8], (here)
#endif
	VCNT    V0.B8, V0.B8
	VUADDLV V0.B8, V0              // at most 64
	VADD    V0, V16, V16
	SUB     $1, left
	CBNZ    left, word

done:
	VMOV    V16.D[0], sum
#undef SUM
#ifdef FOLD
#undef FOLD
#endif
#ifdef INTO
#undef INTO
#endif
