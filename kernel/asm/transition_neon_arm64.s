//go:build gc && !purego

#include "textflag.h"

// The transition family, NEON. The triangle is in transition_neon_arm64.h.
//
// Spec      the portable twin of each function, in one line above it.
// Requires  nothing beyond arm64.
// Touches   TransitionRows writes n elements of k+1 rows of dst; TransitionSums reads w
//           and writes 8*(k+1) elements of part; TransitionStep reads a and b up to the
//           shorter length n and writes a[0:n].
// Accepts   any length and alignment; TransitionStep any overlap in which b does not
//           begin after a.
// Plan      2 states a turn; a last one goes to the stack first. TransitionStep downwards.

// Go's assembler lacks these; their operands are numbers of registers.
#define FMUL2(n, m, d) WORD $(0x6e60dc00 | m<<16 | n<<5 | d) // FMUL Vd.2D, Vn.2D, Vm.2D
#define FADD2(n, m, d) WORD $(0x4e60d400 | m<<16 | n<<5 | d) // FADD Vd.2D, Vn.2D, Vm.2D
#define FSUB2(n, m, d) WORD $(0x4ee0d400 | m<<16 | n<<5 | d) // FSUB Vd.2D, Vn.2D, Vm.2D

#define to   R0 // where row 0 of this turn goes; the eight sums of d = 0
#define row  R1 // where this d of the turn goes
#define left R2 // states to do
#define step R3 // bytes from a row to the next
#define most R4 // k
#define from R5 // weights of this turn
#define part R6 // bytes from a sum to that of this turn's first state
#define t0   R7
#define h1  1 // the polynomials of degree 1 to 12, two states
#define h2  2
#define h3  3
#define h4  4
#define h5  5
#define h6  6
#define h7  7
#define h8  8
#define h9  9
#define h10 10
#define h11 11
#define h12 12
#define sets   16 // set bits of the states, d more than at the start
#define Vsets  V16
#define clears 17 // clear bits of the states, d less
#define Vclears V17
#define fresh  18 // scale times what d fresh bits choose from
#define Vfresh V18
#define term   19
#define Vterm  V19
#define units  20
#define Vunits V20
#define wide   21 // 2 units
#define sets0  22 // sets for d = 0
#define Vsets0 V22
#define clears0 23 // clears for d = 0
#define Vclears0 V23
#define Vscales V24

// STATES sets lane 1 of sets0 and clears0 to one unit more and less than lane 0, and
// wide. The sums are exact.
#define STATES \
	VDUP V20.D[0], Vunits.D2; \
	VDUP V22.D[0], Vsets0.D2; \
	VDUP V23.D[0], Vclears0.D2; \
	VEOR Vterm.B16, Vterm.B16, Vterm.B16; \
	VMOV V20.D[0], Vterm.D[1]; \
	FADD2(sets0, term, sets0); \
	FSUB2(clears0, term, clears0); \
	FADD2(units, units, wide)

// func TransitionRowsNEON(dst []float64, stride, k int, set, clear, unit, scale float64)
// TransitionRowsPortable: the ways of k positions to set d = 0..k fresh bits.
#define OUT(h) FMUL2(h, fresh, term); VST1.P [Vterm.D2], (row)(step)
#define LAST VST1 [Vfresh.D2], (row)
TEXT ·TransitionRowsNEON(SB), NOSPLIT, $208-72
	MOVD  dst_base+0(FP), to
	MOVD  dst_len+8(FP), left
	MOVD  stride+24(FP), step
	MOVD  k+32(FP), most
	CMP   $12, most
	BHI   done
	CMP   left, step
	BHI   done
	MUL   step, most, t0
	SUBS  t0, left, left           // left = n
	BLE   done
	CMP   step, left
	BGT   done
	LSL   $3, step, step
	FMOVD set+40(FP), F22
	FMOVD clear+48(FP), F23
	FMOVD unit+56(FP), F20
	FMOVD scale+64(FP), F24
	VDUP  V24.D[0], Vscales.D2
	STATES

begin: // left >= 1 states to do
	MOVD  to, row
	CMP   $2, left
	BGE   turn
	MOVD  $few-208(SP), row
	MOVD  step, t0                 // to be restored
	MOVD  $16, step

turn: // row is where d = 0 goes
	VORR  Vsets0.B16, Vsets0.B16, Vsets.B16
	VORR  Vclears0.B16, Vclears0.B16, Vclears.B16
	VORR  Vscales.B16, Vscales.B16, Vfresh.B16
#include "transition_neon_arm64.h"
	FADD2(sets0, wide, sets0)
	FSUB2(clears0, wide, clears0)
	SUBS  $2, left, left
	BLT   last
	ADD   $16, to
	BGT   begin
	B     done

last: // one state lies in few
	MOVD  $few-208(SP), row
copy: // most >= 0 rows to copy after this one, from row to to
	FMOVD (row), F19
	FMOVD F19, (to)
	ADD   $16, row
	ADD   t0, to
	SUBS  $1, most, most
	BGE   copy

done:
	RET
#undef OUT
#undef LAST

// func TransitionSumsNEON(part, w []float64, k int, set, clear, unit, scale float64)
// TransitionSumsPortable: the same with weights, added up by j%8.
#define OUT(h) FMUL2(h, fresh, term); VLD1 (row), [V25.D2]; FADD2(25, term, term); VST1.P [Vterm.D2], (row)(step)
#define LAST VLD1 (row), [V25.D2]; FADD2(25, fresh, fresh); VST1 [Vfresh.D2], (row)
TEXT ·TransitionSumsNEON(SB), NOSPLIT, $208-88
	MOVD  part_base+0(FP), to
	MOVD  part_len+8(FP), t0
	MOVD  w_base+24(FP), from
	MOVD  w_len+32(FP), left
	MOVD  k+48(FP), most
	CMP   $12, most
	BHI   done
	LSR   $3, t0, t0
	CMP   most, t0
	BLE   done                     // fewer than k+1 times eight sums
	CBZ   left, done
	FMOVD set+56(FP), F22
	FMOVD clear+64(FP), F23
	FMOVD unit+72(FP), F20
	FMOVD scale+80(FP), F24
	VDUP  V24.D[0], Vscales.D2
	STATES
	MOVD  $0, part
	MOVD  $64, step

begin: // left >= 1 states to do
	ADD   part, to, row
	CMP   $2, left
	BLT   last
	VLD1.P 16(from), [Vfresh.D2]

turn: // fresh holds the weights, row is where d = 0 goes
	FMUL2(fresh, 24, fresh)
	VORR  Vsets0.B16, Vsets0.B16, Vsets.B16
	VORR  Vclears0.B16, Vclears0.B16, Vclears.B16
#include "transition_neon_arm64.h"
	FADD2(sets0, wide, sets0)
	FSUB2(clears0, wide, clears0)
	SUBS  $2, left, left
	BLT   back
	ADD   $16, part
	AND   $48, part
	BGT   begin
	B     done

last: // one state: its sums to lane 0 of few, so that those of no state keep theirs
	MOVD  row, to
	MOVD  $few-208(SP), t0
	MOVD  most, part
fetch: // part >= 0 sums to fetch after this one, from row to t0
	FMOVD (row), F19
	FMOVD F19, (t0)
	ADD   $64, row
	ADD   $16, t0
	SUBS  $1, part, part
	BGE   fetch
	MOVD  $few-208(SP), row
	MOVD  $16, step
	FMOVD (from), F18              // its weight in lane 0 of fresh
	B     turn

back: // lane 0 of few is a sum
	MOVD  $few-208(SP), row
copy: // most >= 0 sums to copy after this one, from row to to
	FMOVD (row), F19
	FMOVD F19, (to)
	ADD   $16, row
	ADD   $64, to
	SUBS  $1, most, most
	BGE   copy

done:
	RET
#undef OUT
#undef LAST

// func TransitionStepNEON(a, b []float64, set, clear, unit, scale float64)
// TransitionStepPortable: one position, from a[j] and b[j] to a[j].
#define pa   R8 // the element of a after those to do
#define pb   R9 // the element of b after those to do
TEXT ·TransitionStepNEON(SB), NOSPLIT, $0-80
	MOVD  a_base+0(FP), pa
	MOVD  a_len+8(FP), left
	MOVD  b_base+24(FP), pb
	MOVD  b_len+32(FP), t0
	CMP   left, t0
	CSEL  LT, t0, left, left       // left = n
	FMOVD set+48(FP), F22
	FMOVD clear+56(FP), F23
	FMOVD unit+64(FP), F20
	FMOVD scale+72(FP), F24
	ADD   left<<3, pa, pa
	ADD   left<<3, pb, pb
	SUBS  $2, left, left
	BLT   last
	SCVTFD left, F19
	FMULD F20, F19, F19
	FADDD F19, F22, F16            // low lanes of the highest 2 elements
	FSUBD F19, F23, F17
	VDUP  V16.D[0], Vsets.D2
	VDUP  V17.D[0], Vclears.D2
	VDUP  V24.D[0], V25.D2
	VDUP  V20.D[0], V26.D2
	VEOR  Vterm.B16, Vterm.B16, Vterm.B16
	VMOV  V20.D[0], Vterm.D[1]
	FADD2(sets, term, sets)
	FSUB2(clears, term, clears)
	FADD2(26, 26, 26)              // 2 units

	PCALIGN $32
turn: // left >= 0: left+2 elements to do, sets and clears are of the highest 2
	SUB   $16, pa
	SUB   $16, pb
	VLD1  (pa), [V1.D2]
	VLD1  (pb), [V2.D2]
	FMUL2(1, sets, 1)
	FMUL2(2, clears, 2)
	FADD2(1, 2, 1)
	FMUL2(1, 25, 1)
	VST1  [V1.D2], (pa)
	FSUB2(sets, 26, sets)
	FADD2(clears, 26, clears)
	SUBS  $2, left, left
	BGE   turn

last:
	ADDS  $2, left, left           // 0 <= left <= 1: the lowest element
	BEQ   done
	FMOVD -8(pa), F1
	FMOVD -8(pb), F2
	FMULD F22, F1, F1
	FMULD F23, F2, F2
	FADDD F2, F1, F1
	FMULD F24, F1, F1
	FMOVD F1, -8(pa)

done:
	RET
