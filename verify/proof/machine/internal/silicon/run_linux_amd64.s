#include "textflag.h"

// The layout of state, in bytes: GP at 0, flags at 128, MXCSR at 136, K at 144, V at 208.

// func backs() (done, taken uintptr)
TEXT ·backs(SB), NOSPLIT, $0-16
	LEAQ ·done(SB), AX
	MOVQ AX, done+0(FP)
	LEAQ ·jumped(SB), AX
	MOVQ AX, taken+8(FP)
	RET

// func run512()
// What stands at start runs with all registers as in before. It goes on at done or at jumped,
// and returns from there.
TEXT ·run512(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ SP, ·stack(SB)
	MOVQ BP, ·frame(SB)
	LDMXCSR ·before+136(SB)
	PUSHQ ·before+128(SB)
	POPFQ
	KMOVQ ·before+152(SB), K1
	KMOVQ ·before+160(SB), K2
	KMOVQ ·before+168(SB), K3
	KMOVQ ·before+176(SB), K4
	KMOVQ ·before+184(SB), K5
	KMOVQ ·before+192(SB), K6
	KMOVQ ·before+200(SB), K7
	VMOVDQU64 ·before+208(SB), Z0
	VMOVDQU64 ·before+272(SB), Z1
	VMOVDQU64 ·before+336(SB), Z2
	VMOVDQU64 ·before+400(SB), Z3
	VMOVDQU64 ·before+464(SB), Z4
	VMOVDQU64 ·before+528(SB), Z5
	VMOVDQU64 ·before+592(SB), Z6
	VMOVDQU64 ·before+656(SB), Z7
	VMOVDQU64 ·before+720(SB), Z8
	VMOVDQU64 ·before+784(SB), Z9
	VMOVDQU64 ·before+848(SB), Z10
	VMOVDQU64 ·before+912(SB), Z11
	VMOVDQU64 ·before+976(SB), Z12
	VMOVDQU64 ·before+1040(SB), Z13
	VMOVDQU64 ·before+1104(SB), Z14
	VMOVDQU64 ·before+1168(SB), Z15
	VMOVDQU64 ·before+1232(SB), Z16
	VMOVDQU64 ·before+1296(SB), Z17
	VMOVDQU64 ·before+1360(SB), Z18
	VMOVDQU64 ·before+1424(SB), Z19
	VMOVDQU64 ·before+1488(SB), Z20
	VMOVDQU64 ·before+1552(SB), Z21
	VMOVDQU64 ·before+1616(SB), Z22
	VMOVDQU64 ·before+1680(SB), Z23
	VMOVDQU64 ·before+1744(SB), Z24
	VMOVDQU64 ·before+1808(SB), Z25
	VMOVDQU64 ·before+1872(SB), Z26
	VMOVDQU64 ·before+1936(SB), Z27
	VMOVDQU64 ·before+2000(SB), Z28
	VMOVDQU64 ·before+2064(SB), Z29
	VMOVDQU64 ·before+2128(SB), Z30
	VMOVDQU64 ·before+2192(SB), Z31
	MOVQ ·before+0(SB), AX
	MOVQ ·before+8(SB), CX
	MOVQ ·before+16(SB), DX
	MOVQ ·before+24(SB), BX
	MOVQ ·before+40(SB), BP
	MOVQ ·before+48(SB), SI
	MOVQ ·before+56(SB), DI
	MOVQ ·before+64(SB), R8
	MOVQ ·before+72(SB), R9
	MOVQ ·before+80(SB), R10
	MOVQ ·before+88(SB), R11
	MOVQ ·before+96(SB), R12
	MOVQ ·before+104(SB), R13
	MOVQ ·before+112(SB), R14
	MOVQ ·before+120(SB), R15
	MOVQ ·before+32(SB), SP
	PUSHQ ·start(SB)
	BYTE $0xc3 // RET, to start
	POPQ AX // never: the assembler counts
	RET

// func run256()
// What stands at start runs with all registers as in before. It goes on at done or at jumped,
// and returns from there.
TEXT ·run256(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ SP, ·stack(SB)
	MOVQ BP, ·frame(SB)
	LDMXCSR ·before+136(SB)
	PUSHQ ·before+128(SB)
	POPFQ
	VMOVDQU ·before+208(SB), Y0
	VMOVDQU ·before+272(SB), Y1
	VMOVDQU ·before+336(SB), Y2
	VMOVDQU ·before+400(SB), Y3
	VMOVDQU ·before+464(SB), Y4
	VMOVDQU ·before+528(SB), Y5
	VMOVDQU ·before+592(SB), Y6
	VMOVDQU ·before+656(SB), Y7
	VMOVDQU ·before+720(SB), Y8
	VMOVDQU ·before+784(SB), Y9
	VMOVDQU ·before+848(SB), Y10
	VMOVDQU ·before+912(SB), Y11
	VMOVDQU ·before+976(SB), Y12
	VMOVDQU ·before+1040(SB), Y13
	VMOVDQU ·before+1104(SB), Y14
	VMOVDQU ·before+1168(SB), Y15
	MOVQ ·before+0(SB), AX
	MOVQ ·before+8(SB), CX
	MOVQ ·before+16(SB), DX
	MOVQ ·before+24(SB), BX
	MOVQ ·before+40(SB), BP
	MOVQ ·before+48(SB), SI
	MOVQ ·before+56(SB), DI
	MOVQ ·before+64(SB), R8
	MOVQ ·before+72(SB), R9
	MOVQ ·before+80(SB), R10
	MOVQ ·before+88(SB), R11
	MOVQ ·before+96(SB), R12
	MOVQ ·before+104(SB), R13
	MOVQ ·before+112(SB), R14
	MOVQ ·before+120(SB), R15
	MOVQ ·before+32(SB), SP
	PUSHQ ·start(SB)
	BYTE $0xc3 // RET, to start
	POPQ AX // never: the assembler counts
	RET

// Where a jump of the instruction goes to.
TEXT ·jumped(SB), NOSPLIT|NOFRAME, $0-0
	MOVB $1, ·taken(SB)
	JMP  ·done(SB)

// Where the instruction ends: no move changes a flag.
TEXT ·done(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ AX, ·after+0(SB)
	MOVQ CX, ·after+8(SB)
	MOVQ DX, ·after+16(SB)
	MOVQ BX, ·after+24(SB)
	MOVQ SP, ·after+32(SB)
	MOVQ BP, ·after+40(SB)
	MOVQ SI, ·after+48(SB)
	MOVQ DI, ·after+56(SB)
	MOVQ R8, ·after+64(SB)
	MOVQ R9, ·after+72(SB)
	MOVQ R10, ·after+80(SB)
	MOVQ R11, ·after+88(SB)
	MOVQ R12, ·after+96(SB)
	MOVQ R13, ·after+104(SB)
	MOVQ R14, ·after+112(SB)
	MOVQ R15, ·after+120(SB)
	MOVQ ·stack(SB), SP
	MOVQ ·frame(SB), BP
	PUSHFQ
	POPQ ·after+128(SB)
	STMXCSR ·after+136(SB)
	CLD
	CMPB ·wide(SB), $0
	JEQ  narrow
	KMOVQ K0, ·after+144(SB)
	KMOVQ K1, ·after+152(SB)
	KMOVQ K2, ·after+160(SB)
	KMOVQ K3, ·after+168(SB)
	KMOVQ K4, ·after+176(SB)
	KMOVQ K5, ·after+184(SB)
	KMOVQ K6, ·after+192(SB)
	KMOVQ K7, ·after+200(SB)
	VMOVDQU64 Z0, ·after+208(SB)
	VMOVDQU64 Z1, ·after+272(SB)
	VMOVDQU64 Z2, ·after+336(SB)
	VMOVDQU64 Z3, ·after+400(SB)
	VMOVDQU64 Z4, ·after+464(SB)
	VMOVDQU64 Z5, ·after+528(SB)
	VMOVDQU64 Z6, ·after+592(SB)
	VMOVDQU64 Z7, ·after+656(SB)
	VMOVDQU64 Z8, ·after+720(SB)
	VMOVDQU64 Z9, ·after+784(SB)
	VMOVDQU64 Z10, ·after+848(SB)
	VMOVDQU64 Z11, ·after+912(SB)
	VMOVDQU64 Z12, ·after+976(SB)
	VMOVDQU64 Z13, ·after+1040(SB)
	VMOVDQU64 Z14, ·after+1104(SB)
	VMOVDQU64 Z15, ·after+1168(SB)
	VMOVDQU64 Z16, ·after+1232(SB)
	VMOVDQU64 Z17, ·after+1296(SB)
	VMOVDQU64 Z18, ·after+1360(SB)
	VMOVDQU64 Z19, ·after+1424(SB)
	VMOVDQU64 Z20, ·after+1488(SB)
	VMOVDQU64 Z21, ·after+1552(SB)
	VMOVDQU64 Z22, ·after+1616(SB)
	VMOVDQU64 Z23, ·after+1680(SB)
	VMOVDQU64 Z24, ·after+1744(SB)
	VMOVDQU64 Z25, ·after+1808(SB)
	VMOVDQU64 Z26, ·after+1872(SB)
	VMOVDQU64 Z27, ·after+1936(SB)
	VMOVDQU64 Z28, ·after+2000(SB)
	VMOVDQU64 Z29, ·after+2064(SB)
	VMOVDQU64 Z30, ·after+2128(SB)
	VMOVDQU64 Z31, ·after+2192(SB)
	VZEROUPPER
	RET

narrow:
	VMOVDQU Y0, ·after+208(SB)
	VMOVDQU Y1, ·after+272(SB)
	VMOVDQU Y2, ·after+336(SB)
	VMOVDQU Y3, ·after+400(SB)
	VMOVDQU Y4, ·after+464(SB)
	VMOVDQU Y5, ·after+528(SB)
	VMOVDQU Y6, ·after+592(SB)
	VMOVDQU Y7, ·after+656(SB)
	VMOVDQU Y8, ·after+720(SB)
	VMOVDQU Y9, ·after+784(SB)
	VMOVDQU Y10, ·after+848(SB)
	VMOVDQU Y11, ·after+912(SB)
	VMOVDQU Y12, ·after+976(SB)
	VMOVDQU Y13, ·after+1040(SB)
	VMOVDQU Y14, ·after+1104(SB)
	VMOVDQU Y15, ·after+1168(SB)
	VZEROUPPER
	RET
