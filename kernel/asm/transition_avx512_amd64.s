//go:build gc && !purego

#include "textflag.h"

// The transition family, AVX512. The triangle is in transition_amd64.h.
//
// Spec      the portable twin of each function, in one line above it.
// Requires  avx2, avx512f.
// Touches   TransitionRows writes n elements of k+1 rows of dst; TransitionSums reads w
//           and writes 8*(k+1) elements of part; TransitionStep reads a and b up to the
//           shorter length n and writes a[0:n].
// Accepts   any length and alignment; TransitionStep any overlap in which b does not
//           begin after a.
// Plan      8 states a turn, the last 1 to 7 under a mask; TransitionStep downwards.

// lanes<>: the number of each lane.
DATA lanes<>+0(SB)/8, $0.0
DATA lanes<>+8(SB)/8, $1.0
DATA lanes<>+16(SB)/8, $2.0
DATA lanes<>+24(SB)/8, $3.0
DATA lanes<>+32(SB)/8, $4.0
DATA lanes<>+40(SB)/8, $5.0
DATA lanes<>+48(SB)/8, $6.0
DATA lanes<>+56(SB)/8, $7.0
GLOBL lanes<>(SB), RODATA|NOPTR, $64

// width<>: the number of lanes.
DATA width<>+0(SB)/8, $8.0
GLOBL width<>(SB), RODATA|NOPTR, $8

#define left CX // states to do, less 8 inside turn
#define to   DI // where row 0 of this turn goes; the eight sums of d = 0
#define row  SI // where this d of the turn goes
#define step R8 // bytes from a row to the next
#define most DX // k
#define from BX // weights of this turn
#define t0   R9
#define some K1 // the lanes of this turn that are states
#define h1   Z0 // the polynomials of degree 1 to 12, eight states
#define h2   Z1
#define h3   Z2
#define h4   Z3
#define h5   Z4
#define h6   Z5
#define h7   Z6
#define h8   Z7
#define h9   Z8
#define h10  Z9
#define h11  Z10
#define h12  Z11
#define sets   Z12 // set bits of the states, d more than at the start
#define clears Z13 // clear bits of the states, d less
#define fresh  Z14 // scale times what d fresh bits choose from
#define term   Z15
#define units  Z16
#define wide   Z17 // 8 units
#define sets0   Z18 // sets for d = 0
#define clears0 Z19 // clears for d = 0
#define scales  Z20

#define NEXT VMULPD clears, fresh, fresh; VADDPD units, sets, sets; VSUBPD units, clears, clears

// STATES sets the lanes of sets0 to set+lane*unit, those of clears0 to clear-lane*unit,
// and wide. The sums are exact.
#define STATES \
	VBROADCASTSD width<>(SB), wide; \
	VMULPD       units, wide, wide; \
	VMULPD       lanes<>(SB), units, term; \
	VADDPD       term, sets0, sets0; \
	VSUBPD       term, clears0, clears0

// SOME sets some to the lowest left lanes, 1 <= left <= 7.
#define SOME MOVL $1, t0; SHLQ CX, t0; DECQ t0; KMOVW t0, some

// func TransitionRowsAVX512(dst []float64, stride, k int, set, clear, unit, scale float64)
// TransitionRowsPortable: the ways of k positions to set d = 0..k fresh bits.
#define OUT(h) VMULPD h, fresh, term; VMOVUPD term, some, (row); ADDQ step, row
#define LAST VMOVUPD fresh, some, (row)
TEXT ·TransitionRowsAVX512(SB), NOSPLIT, $0-72
	MOVQ    dst_base+0(FP), to
	MOVQ    dst_len+8(FP), left
	MOVQ    stride+24(FP), step
	MOVQ    k+32(FP), most
	CMPQ    most, $12
	JHI     done
	CMPQ    step, left
	JHI     done
	MOVQ    most, t0
	IMULQ   step, t0
	SUBQ    t0, left               // left = n
	JLE     done
	CMPQ    left, step
	JGT     done
	SHLQ    $3, step
	VBROADCASTSD set+40(FP), sets0
	VBROADCASTSD clear+48(FP), clears0
	VBROADCASTSD unit+56(FP), units
	VBROADCASTSD scale+64(FP), scales
	STATES
	KXNORW  some, some, some       // all lanes
	SUBQ    $8, left
	JLT     last

turn: // left >= 0: left+8 states to do, to is where the first goes
	MOVQ    to, row
	VMOVAPD sets0, sets
	VMOVAPD clears0, clears
	VMOVAPD scales, fresh
#include "transition_amd64.h"
	VADDPD  wide, sets0, sets0
	VSUBPD  wide, clears0, clears0
	ADDQ    $64, to
	SUBQ    $8, left
	JGE     turn

last:
	ADDQ    $8, left               // left <= 7; after the masked turn it is 0
	JEQ     done
	SOME
	XORL    left, left
	JMP     turn

done:
	VZEROUPPER
	RET
#undef OUT
#undef LAST

// func TransitionSumsAVX512(part, w []float64, k int, set, clear, unit, scale float64)
// TransitionSumsPortable: the same with weights, added up by j%8.
#define OUT(h) VMULPD h, fresh, term; VADDPD (row), term, term; VMOVUPD term, some, (row); ADDQ $64, row
#define LAST VADDPD (row), fresh, fresh; VMOVUPD fresh, some, (row)
TEXT ·TransitionSumsAVX512(SB), NOSPLIT, $0-88
	MOVQ    part_base+0(FP), to
	MOVQ    part_len+8(FP), t0
	MOVQ    w_base+24(FP), from
	MOVQ    w_len+32(FP), left
	MOVQ    k+48(FP), most
	CMPQ    most, $12
	JHI     done
	SHRQ    $3, t0
	CMPQ    t0, most
	JLE     done                   // fewer than k+1 times eight sums
	VBROADCASTSD set+56(FP), sets0
	VBROADCASTSD clear+64(FP), clears0
	VBROADCASTSD unit+72(FP), units
	VBROADCASTSD scale+80(FP), scales
	STATES
	KXNORW  some, some, some       // all lanes
	SUBQ    $8, left
	JLT     last

turn: // left >= 0: left+8 states to do, the weights of the first at from
	MOVQ    to, row
	VMOVAPD sets0, sets
	VMOVAPD clears0, clears
	VMULPD.Z (from), scales, some, fresh
#include "transition_amd64.h"
	VADDPD  wide, sets0, sets0
	VSUBPD  wide, clears0, clears0
	ADDQ    $64, from
	SUBQ    $8, left
	JGE     turn

last:
	ADDQ    $8, left               // left <= 7; after the masked turn it is 0
	JEQ     done
	SOME
	XORL    left, left
	JMP     turn

done:
	VZEROUPPER
	RET
#undef OUT
#undef LAST

// func TransitionStepAVX512(a, b []float64, set, clear, unit, scale float64)
// TransitionStepPortable: one position, from a[j] and b[j] to a[j].
#define pa   SI // the element of a after those to do
#define pb   DI // the element of b after those to do
#define va   Z0
#define vb   Z1
TEXT ·TransitionStepAVX512(SB), NOSPLIT, $0-80
	MOVQ    a_base+0(FP), pa
	MOVQ    a_len+8(FP), left
	MOVQ    b_base+24(FP), pb
	MOVQ    b_len+32(FP), t0
	CMPQ    t0, left
	CMOVQLT t0, left               // left = n
	VBROADCASTSD set+48(FP), sets0
	VBROADCASTSD clear+56(FP), clears0
	VBROADCASTSD unit+64(FP), units
	VBROADCASTSD scale+72(FP), scales
	STATES
	LEAQ    (pa)(left*8), pa
	LEAQ    (pb)(left*8), pb
	SUBQ    $8, left
	JLT     last
	VCVTSI2SDQ left, X15, X15
	VBROADCASTSD X15, term
	VMULPD  units, term, term
	VADDPD  term, sets0, sets
	VSUBPD  term, clears0, clears

	PCALIGN $32
turn: // left >= 0: left+8 elements to do, sets and clears are of the highest 8
	VMULPD  -64(pa), sets, va
	VMULPD  -64(pb), clears, vb
	VADDPD  vb, va, va
	VMULPD  scales, va, va
	VMOVUPD va, -64(pa)
	VSUBPD  wide, sets, sets
	VADDPD  wide, clears, clears
	SUBQ    $64, pa
	SUBQ    $64, pb
	SUBQ    $8, left
	JGE     turn

last:
	ADDQ    $8, left               // 0 <= left <= 7: the lowest elements
	JEQ     done
	SOME
	SHLQ    $3, left
	SUBQ    left, pa
	SUBQ    left, pb
	VMULPD.Z (pa), sets0, some, va
	VMULPD.Z (pb), clears0, some, vb
	VADDPD  vb, va, va
	VMULPD  scales, va, va
	VMOVUPD va, some, (pa)

done:
	VZEROUPPER
	RET
