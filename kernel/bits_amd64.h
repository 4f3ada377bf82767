// The body of each function of bits_amd64.s: jumps to POPCNT, AVX2 or AVX512 by the value
// of best, or to REST, in Go, when best is portable or the first argument may have to be
// handed over in parts. The frame is the kernel's: the arguments, then the result.

	MOVQ    n+8(FP), CX            // length of the first argument
	CMPQ    CX, $const_handover
	JHI     rest
	MOVBLZX ·best(SB), AX
	CMPB    AX, $const_avx512
	JNE     not512
	JMP     AVX512(SB)

not512:
	CMPB    AX, $const_avx2
	JNE     not2
	CMPQ    CX, $const_avx2Min
	JLT     popcnt
	JMP     AVX2(SB)

not2:
	CMPB    AX, $const_popcnt
	JNE     rest

popcnt:
	JMP     POPCNT(SB)

rest:
	JMP     REST(SB)

#undef POPCNT
#undef AVX2
#undef AVX512
#undef REST
