//go:build gc && !purego

#include "textflag.h"

// The transition family, AVX2. The triangle is in transition_amd64.h.
//
// Spec      the portable twin of each function, in one line above it.
// Requires  avx2.
// Touches   TransitionRows writes n elements of k+1 rows of dst; TransitionSums reads w
//           and writes 8*(k+1) elements of part; TransitionStep reads a and b up to the
//           shorter length n and writes a[0:n].
// Accepts   any length and alignment; TransitionStep any overlap in which b does not
//           begin after a.
// Plan      4 states a turn; the last 1 to 3 go to the stack first. TransitionStep
//           downwards; the lowest 1 to 3 are stored under a mask. No masked loads, for which
//           QEMU 7 faults at lanes that are left out.

// lanes<>: the number of each lane.
DATA lanes<>+0(SB)/8, $0.0
DATA lanes<>+8(SB)/8, $1.0
DATA lanes<>+16(SB)/8, $2.0
DATA lanes<>+24(SB)/8, $3.0
GLOBL lanes<>(SB), RODATA|NOPTR, $32

// width<>: the number of lanes.
DATA width<>+0(SB)/8, $4.0
GLOBL width<>(SB), RODATA|NOPTR, $8

// masks<>: from byte 8*(4-n), a mask of the lowest n lanes.
DATA masks<>+0(SB)/8, $-1
DATA masks<>+8(SB)/8, $-1
DATA masks<>+16(SB)/8, $-1
DATA masks<>+24(SB)/8, $-1
DATA masks<>+32(SB)/8, $0
DATA masks<>+40(SB)/8, $0
DATA masks<>+48(SB)/8, $0
DATA masks<>+56(SB)/8, $0
GLOBL masks<>(SB), RODATA|NOPTR, $64

#define left CX // states to do
#define to   DI // where row 0 of this turn goes; the eight sums of d = 0
#define row  SI // where this d of the turn goes
#define step R8 // bytes from a row to the next
#define most DX // k
#define from BX // weights of this turn
#define half R10 // bytes from a sum to that of this turn's first state
#define t0   R9
#define h1   Y0 // the polynomials of degree 1 to 12, four states
#define h2   Y1
#define h3   Y2
#define h4   Y3
#define h5   Y4
#define h6   Y5
#define h7   Y6
#define h8   Y7
#define h9   Y8
#define h10  Y9
#define h11  Y10
#define h12  Y11
#define sets   Y12 // set bits of the states, d more than at the start
#define clears Y13 // clear bits of the states, d less
#define fresh  Y14 // scale times what d fresh bits choose from
#define term   Y15
#define freshx X14 // the low halves
#define termx  X15
#define few     stack-416(SP) // the rows of the last 1 to 3 states, 32 bytes each
#define units   one-448(SP)
#define wide    four-480(SP)  // 4 units
#define sets0   base-512(SP)  // sets for d = 0
#define clears0 bare-544(SP)  // clears for d = 0

#define NEXT VMULPD clears, fresh, fresh; VADDPD units, sets, sets; VSUBPD units, clears, clears

// STATES keeps units, wide, and with sets and clears the states of the first turn. term
// holds units, sets and clears what state 0 has. The sums are exact.
#define STATES \
	VMOVUPD      term, units; \
	VBROADCASTSD width<>(SB), fresh; \
	VMULPD       term, fresh, fresh; \
	VMOVUPD      fresh, wide; \
	VMULPD       lanes<>(SB), term, term; \
	VADDPD       term, sets, sets; \
	VSUBPD       term, clears, clears; \
	VMOVUPD      sets, sets0; \
	VMOVUPD      clears, clears0

// ONWARD keeps the states of the next turn.
#define ONWARD \
	VMOVUPD sets0, sets; \
	VMOVUPD clears0, clears; \
	VADDPD  wide, sets, sets; \
	VSUBPD  wide, clears, clears; \
	VMOVUPD sets, sets0; \
	VMOVUPD clears, clears0

// MASK sets mask to the lowest left lanes, 1 <= left <= 3, and left to -left.
#define MASK(mask) LEAQ masks<>+32(SB), t0; NEGQ left; VMOVDQU (t0)(left*8), mask

// func TransitionRowsAVX2(dst []float64, stride, k int, set, clear, unit, scale float64)
// TransitionRowsPortable: the ways of k positions to set d = 0..k fresh bits.
#define OUT(h) VMULPD h, fresh, term; VMOVUPD term, (row); ADDQ step, row
#define LAST VMOVUPD fresh, (row)
TEXT ·TransitionRowsAVX2(SB), NOSPLIT, $544-72
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
	VBROADCASTSD set+40(FP), sets
	VBROADCASTSD clear+48(FP), clears
	VBROADCASTSD unit+56(FP), term
	STATES

begin: // left >= 1 states to do
	MOVQ    to, row
	CMPQ    left, $4
	JGE     turn
	LEAQ    few, row
	MOVQ    step, half             // to be restored
	MOVL    $32, step

turn: // sets and clears are of this turn, row is where d = 0 goes
	VBROADCASTSD scale+64(FP), fresh
#include "transition_amd64.h"
	CMPQ    left, $4
	JLT     last
	ONWARD
	ADDQ    $32, to
	SUBQ    $4, left
	JGT     begin
	JMP     done

last: // 1 <= left <= 3 states lie in few
	MASK(Y0)
	LEAQ    few, row
copy: // most >= 0 rows to copy after this one, from row to to
	VMOVUPD (row), term
	VMASKMOVPD term, Y0, (to)
	ADDQ    $32, row
	ADDQ    half, to
	DECQ    most
	JGE     copy

done:
	VZEROUPPER
	RET
#undef OUT
#undef LAST

// func TransitionSumsAVX2(part, w []float64, k int, set, clear, unit, scale float64)
// TransitionSumsPortable: the same with weights, added up by j%8.
#define OUT(h) VMULPD h, fresh, term; VADDPD (row), term, term; VMOVUPD term, (row); ADDQ step, row
#define LAST VADDPD (row), fresh, fresh; VMOVUPD fresh, (row)
TEXT ·TransitionSumsAVX2(SB), NOSPLIT, $544-88
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
	TESTQ   left, left
	JEQ     done
	VBROADCASTSD set+56(FP), sets
	VBROADCASTSD clear+64(FP), clears
	VBROADCASTSD unit+72(FP), term
	STATES
	XORL    half, half
	MOVL    $64, step

begin: // left >= 1 states to do
	CMPQ    left, $4
	JLT     last
	LEAQ    (to)(half*1), row
	VBROADCASTSD scale+80(FP), fresh
	VMULPD  (from), fresh, fresh

turn: // sets, clears and fresh are of this turn, row is where d = 0 goes
#include "transition_amd64.h"
	CMPQ    left, $4
	JLT     back
	ONWARD
	XORQ    $32, half
	ADDQ    $32, from
	SUBQ    $4, left
	JGT     begin
	JMP     done

last: // 1 <= left <= 3: all sums of the turn to few, so that those of no state keep theirs
	ADDQ    half, to
	MOVQ    to, row
	LEAQ    few, t0
	MOVQ    most, half
fetch: // half >= 0 times four sums to fetch after this one, from row to t0
	VMOVUPD (row), term
	VMOVUPD term, (t0)
	ADDQ    $64, row
	ADDQ    $32, t0
	DECQ    half
	JGE     fetch
	LEAQ    few, row
	MOVL    $32, step
	VMOVSD  (from), freshx
	CMPL    left, $2
	JLT     weights
	VMOVHPD 8(from), freshx, freshx
	JEQ     weights
	VMOVSD  16(from), termx
	VINSERTF128 $1, termx, fresh, fresh
weights:
	VBROADCASTSD scale+80(FP), term
	VMULPD  term, fresh, fresh
	JMP     turn

back: // 1 <= left <= 3 lanes of few are sums
	MASK(Y0)
	LEAQ    few, row
copy: // most >= 0 times four sums to copy after this one, from row to to
	VMOVUPD (row), term
	VMASKMOVPD term, Y0, (to)
	ADDQ    $32, row
	ADDQ    $64, to
	DECQ    most
	JGE     copy

done:
	VZEROUPPER
	RET
#undef OUT
#undef LAST

// func TransitionStepAVX2(a, b []float64, set, clear, unit, scale float64)
// TransitionStepPortable: one position, from a[j] and b[j] to a[j].
#define pa   SI // the element of a after those to do
#define pb   DI // the element of b after those to do
#define va   Y0
#define vb   Y1
#define vax  X0 // the low halves
#define vbx  X1
#define lots Y2 // 4 units
#define low  Y3 // sets of the lowest elements
#define bare Y4 // clears of the lowest elements
#define mask Y5
TEXT ·TransitionStepAVX2(SB), NOSPLIT, $0-80
	MOVQ    a_base+0(FP), pa
	MOVQ    a_len+8(FP), left
	MOVQ    b_base+24(FP), pb
	MOVQ    b_len+32(FP), t0
	CMPQ    t0, left
	CMOVQLT t0, left               // left = n
	VBROADCASTSD set+48(FP), low
	VBROADCASTSD clear+56(FP), bare
	VBROADCASTSD unit+64(FP), lots
	VMULPD  lanes<>(SB), lots, term
	VADDPD  term, low, low
	VSUBPD  term, bare, bare
	LEAQ    (pa)(left*8), pa
	LEAQ    (pb)(left*8), pb
	SUBQ    $4, left
	JLT     last
	VCVTSI2SDQ left, X15, X15
	VBROADCASTSD X15, term
	VMULPD  lots, term, term
	VADDPD  term, low, sets
	VSUBPD  term, bare, clears
	VBROADCASTSD width<>(SB), term
	VMULPD  term, lots, lots
	VBROADCASTSD scale+72(FP), fresh

	PCALIGN $32
turn: // left >= 0: left+4 elements to do, sets and clears are of the highest 4
	VMULPD  -32(pa), sets, va
	VMULPD  -32(pb), clears, vb
	VADDPD  vb, va, va
	VMULPD  fresh, va, va
	VMOVUPD va, -32(pa)
	VSUBPD  lots, sets, sets
	VADDPD  lots, clears, clears
	SUBQ    $32, pa
	SUBQ    $32, pb
	SUBQ    $4, left
	JGE     turn

last:
	ADDQ    $4, left               // 0 <= left <= 3: the lowest elements
	JEQ     done
	MASK(mask)
	LEAQ    (pa)(left*8), pa
	LEAQ    (pb)(left*8), pb
	VMOVSD  (pa), vax
	VMOVSD  (pb), vbx
	CMPL    left, $-2
	JGT     lanes
	VMOVHPD 8(pa), vax, vax
	VMOVHPD 8(pb), vbx, vbx
	JEQ     lanes
	VMOVSD  16(pa), freshx
	VMOVSD  16(pb), termx
	VINSERTF128 $1, freshx, va, va
	VINSERTF128 $1, termx, vb, vb
lanes:
	VBROADCASTSD scale+72(FP), fresh
	VMULPD  low, va, va
	VMULPD  bare, vb, vb
	VADDPD  vb, va, va
	VMULPD  fresh, va, va
	VMASKMOVPD va, mask, (pa)

done:
	VZEROUPPER
	RET
