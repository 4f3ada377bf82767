//go:build gc && !purego

#include "go_asm.h"
#include "textflag.h"
#include "block_one_amd64.h"
#include "block_stream_amd64.h"

// k independent positions in a block of 512 bits, AVX-512.
//
// Spec      the portable twin of each function.
// Requires  avx2, popcnt, avx512f, avx512vpopcntdq.
// Touches   reads h[0:2n]; reads and writes blocks of words; writes out[0:n].
// Accepts   no keys, no block, odd len(h), any k >= 1, any alignment, any ahead.
// Plan      The 7 positions of a word of the stream go to the stack, from where each comes to
//           all lanes; lane i shifts 1 by the position less 64i, which leaves 0 unless the
//           position is in word i. The bits of all positions of a key are set at once. Its
//           block has been asked for so many keys before.

#define left   R11 // words of the stream to do, but the last
#define slot   R14 // 64 bytes on the stack
#define shifts Z16 // to the positions: {63, 54, ..., 9, 0}
#define low9   Z17 // 511
#define starts Z18 // of words: {-448, ..., -64, 0}
#define one    Z19 // 1
#define zero   Z20
#define new    Z21 // bits found clear, by word
#define bits   Z6 // of the key
#define v0     Z0
#define v1     Z1
#define v2     Z2
#define none   K1 // lanes of the last word of the stream that have no position
#define some   K2 // words with a new bit

DATA ramp<>+0(SB)/8, $0
DATA ramp<>+8(SB)/8, $1
DATA ramp<>+16(SB)/8, $2
DATA ramp<>+24(SB)/8, $3
DATA ramp<>+32(SB)/8, $4
DATA ramp<>+40(SB)/8, $5
DATA ramp<>+48(SB)/8, $6
DATA ramp<>+56(SB)/8, $7
GLOBL ramp<>(SB), RODATA|NOPTR, $64
DATA unit<>+0(SB)/8, $1
GLOBL unit<>(SB), RODATA|NOPTR, $8
DATA low<>+0(SB)/8, $511
GLOBL low<>(SB), RODATA|NOPTR, $8

// CONSTANTS prepares for positions: k of them need more-16(SP) words of the stream before
// the last. AX, DX and t are lost.
#define CONSTANTS(k) \
	MOVQ k, AX; \
	DECQ AX; \
	XORL DX, DX; \
	MOVL $7, t; \
	DIVQ t; \
	MOVQ AX, more-16(SP); \
	VPBROADCASTQ DX, v0; \
	VMOVDQU64 ramp<>(SB), v1; \
	VPCMPUQ $1, v1, v0, none; /* lanes above (k-1)%7 */ \
	VPSLLQ $3, v1, shifts; \
	VPADDQ v1, shifts, shifts; \
	VPBROADCASTQ low<>(SB), low9; \
	VPBROADCASTQ unit<>(SB), one; \
	VPXORQ zero, zero, zero; \
	VPSLLQ $6, v1, starts; \
	VPSUBQ starts, zero, starts; \
	LEAQ 63(SP), slot; \
	ANDQ $~63, slot

// SPREAD sets v to 1 << (position - 64i) in lane i, or 0, for the position at d in slot.
#define SPREAD(d, v) \
	VPSUBQ.BCST d(slot), starts, v; \
	VPSLLVQ v, one, v

// PLACE adds the bits of the positions in the lanes of v0, of which there are 7, to bits.
#define PLACE \
	VPSUBQ v0, zero, v0; \
	VMOVDQU64 v0, (slot); \
	SPREAD(0, v0); \
	SPREAD(8, v1); \
	SPREAD(16, v2); \
	VPTERNLOGQ $0xfe, v0, v1, bits; \
	SPREAD(24, v0); \
	SPREAD(32, v1); \
	VPTERNLOGQ $0xfe, v0, v2, bits; \
	SPREAD(40, v0); \
	SPREAD(48, v2); \
	VPTERNLOGQ $0xfe, v0, v1, bits; \
	VPORQ v2, bits, bits

// KEYBITS sets the bits of the positions of the key with words at h0 and h1 in its block,
// DX bytes after words, and v0 to those that were clear.
#define KEYBITS(h0, h1, another, last) \
	VPBROADCASTQ h1, v0; \
	VPXORQ bits, bits, bits; \
	MOVQ more-16(SP), left; \
	TESTQ left, left; \
	JEQ  last; \
	MOVQ h1, state; \
another: /* left >= 1 */ \
	VPSRLVQ shifts, v0, v0; \
	VPANDQ low9, v0, v0; \
	PLACE; \
	WORD(h0); \
	VPBROADCASTQ AX, v0; \
	DECQ left; \
	JNE  another; \
last: \
	VPSRLVQ shifts, v0, v0; \
	VPANDQ low9, v0, v0; \
	VPTERNLOGQ $0xff, v0, v0, none, v0; /* -1, which is in no word */ \
	PLACE; \
	VMOVDQU64 (words)(DX*1), v0; \
	VPORQ bits, v0, v1; \
	VMOVDQU64 v1, (words)(DX*1); \
	VPANDNQ bits, v0, v0; \
	VPOPCNTQ v0, v2; \
	VPADDQ v2, new, new

// ADDUP sets to to the sum of the lanes of new.
#define ADDUP(to) \
	VEXTRACTI64X4 $1, new, Y0; \
	VMOVDQA64 new, v1; \
	VPADDQ Y0, Y1, Y0; \
	VEXTRACTI128 $1, Y0, X1; \
	VPADDQ X0, X1, X0; \
	VPSRLDQ $8, X0, X1; \
	VPADDQ X0, X1, X0; \
	VMOVQ X0, to

#define SIZE 3
#define AHEAD ahead+80(FP)
#define BEGIN CONSTANTS(k+72(FP))
#define KEY(another, last, c) \
	KEYBITS(0(keys), 8(keys), another, last); \
	VPTESTMQ v0, v0, some; \
	KORTESTW some, some; \
	SETNE (out); \
	INCQ out; \
	ADDQ $16, keys

// func BlockAdd512AVX512(out []bool, words, h []uint64, k, ahead int) (fresh int)
// BlockAdd512Portable: sets the positions of the keys in turn, out[i] = key i found a bit
// clear; how many bits were clear.
TEXT ·BlockAdd512AVX512(SB), NOSPLIT, $144-96
	VPXORQ new, new, new
#define FETCH PREFETCHT0
#include "block_loop_amd64.h"
	ADDUP(AX)
	MOVQ AX, fresh+88(FP)
	VZEROUPPER
	RET

// func BlockAdd512T1AVX512(out []bool, words, h []uint64, k, ahead int) (fresh int)
// BlockAdd512Portable, with blocks that are brought into L2 only.
TEXT ·BlockAdd512T1AVX512(SB), NOSPLIT, $144-96
	VPXORQ new, new, new
#define FETCH PREFETCHT1
#include "block_loop_amd64.h"
	ADDUP(AX)
	MOVQ AX, fresh+88(FP)
	VZEROUPPER
	RET

// The kernels for one key are of registers from Z16 on, after which no VZEROUPPER is due.

// Where the word of a position begins in the word of the stream, and where its bit does.
DATA numbers<>+0(SB)/8, $6
DATA numbers<>+8(SB)/8, $15
DATA numbers<>+16(SB)/8, $24
DATA numbers<>+24(SB)/8, $33
DATA numbers<>+32(SB)/8, $42
DATA numbers<>+40(SB)/8, $51
DATA numbers<>+48(SB)/8, $60
DATA numbers<>+56(SB)/8, $0
GLOBL numbers<>(SB), RODATA|NOPTR, $64
DATA places<>+0(SB)/8, $0
DATA places<>+8(SB)/8, $9
DATA places<>+16(SB)/8, $18
DATA places<>+24(SB)/8, $27
DATA places<>+32(SB)/8, $36
DATA places<>+40(SB)/8, $45
DATA places<>+48(SB)/8, $54
DATA places<>+56(SB)/8, $0
GLOBL places<>(SB), RODATA|NOPTR, $64

// Lane i has i where each of 7 positions has the number of its word: i * 0x1008040201008040.
DATA lane<>+0(SB)/8, $0
DATA lane<>+8(SB)/8, $0x1008040201008040
DATA lane<>+16(SB)/8, $0x2010080402010080
DATA lane<>+24(SB)/8, $0x30180c06030180c0
DATA lane<>+32(SB)/8, $0x4020100804020100
DATA lane<>+40(SB)/8, $0x5028140a05028140
DATA lane<>+48(SB)/8, $0x6030180c06030180
DATA lane<>+56(SB)/8, $0x70381c0e070381c0
GLOBL lane<>(SB), RODATA|NOPTR, $64

#define from Z22 // the word of the stream
#define ones Z23 // bits of the key
#define old  Z24 // its block
#define t0   Z25
#define t1   Z26
#define t2   Z27
#define clear K3 // positions found clear

// TESTED sets K1 to those positions of the word in from, of those in of, that are clear.
#define TESTED(of) \
	VPSRLVQ numbers<>(SB), from, t0; \
	VPSRLVQ places<>(SB), from, t1; \
	VPERMQ (words)(DX*1), t0, t0; \
	VPRORVQ t1, t0, t0; /* by the low 6 bits of the position */ \
	VPTESTNMQ.BCST unit<>(SB), t0, of, K1

// func BlockContains512OneAVX512(a *BlockArray, h0, h1 uint64) bool
// BlockContains512Portable for the key h0, h1: the words of 7 positions to 7 lanes by a
// permutation, and the bit of each to its lowest.
TEXT ·BlockContains512OneAVX512(SB), NOSPLIT, $0-25
	FIND
	VPBROADCASTQ h1+16(FP), from
	KMOVW BlockArray_mask(R8), K2
	CMPQ BlockArray_more(R8), $0
	JNE  more
	TESTED(K2)
	KORTESTW K1, K1
	SETEQ ret+24(FP)
	RET

more:
	MOVQ BlockArray_more(R8), left
	MOVQ h1+16(FP), state
	MOVL $0x7f, AX
	KMOVW AX, K4
	KXORW clear, clear, clear

another: // left >= 1
	TESTED(K4)
	KORW K1, clear, clear
	WORD(h0+8(FP))
	VPBROADCASTQ AX, from
	DECQ left
	JNE  another
	TESTED(K2)
	KORTESTW clear, K1
	SETEQ ret+24(FP)
	RET

// BIT sets v to the bit of the position in the low bits of x, in the lane of its word: in other
// lanes it is 64 and more, which shifts all out.
#define BIT(x, v) \
	VPANDQ.BCST low<>(SB), x, v; \
	VPSLLVQ v, one, v

// ONE is BIT for the position at from + at bits.
#define ONE(at, v) \
	VPSRLQ $at, from, v; \
	BIT(v, v)

// SEVEN adds the bits of the positions of the word in from to ones; with others in fill that is
// what is to be set in from before.
#define SEVEN \
	BIT(from, t0); \
	ONE(9, t1); \
	VPTERNLOGQ $0xfe, t0, t1, ones; \
	ONE(18, t0); \
	ONE(27, t1); \
	VPTERNLOGQ $0xfe, t0, t1, ones; \
	ONE(36, t0); \
	ONE(45, t1); \
	VPTERNLOGQ $0xfe, t0, t1, ones; \
	ONE(54, t0); \
	VPORQ t0, ones, ones

// func BlockAdd512OneAVX512(a *BlockArray, h0, h1 uint64) (fresh int)
// BlockAdd512Portable for the key h0, h1.
TEXT ·BlockAdd512OneAVX512(SB), NOSPLIT, $0-32
	FIND
	VPBROADCASTQ h1+16(FP), from
	VMOVDQU64 (words)(DX*1), old
	VPBROADCASTQ unit<>(SB), one
	VPXORQ ones, ones, ones
	CMPQ BlockArray_more(R8), $0
	JNE  more

last:
	VPXORQ lane<>(SB), from, from
	VPORQ.BCST BlockArray_fill(R8), from, from
	SEVEN
	VPORQ ones, old, t0
	VMOVDQU64 t0, (words)(DX*1)
	VPANDNQ ones, old, t0
	VPOPCNTQ t0, t0
	VPXOR X1, X1, X1
	VPMOVQB t0, X0
	VPSADBW X0, X1, X0
	VMOVQ X0, AX
	MOVQ AX, fresh+24(FP)
	RET

more:
	MOVQ BlockArray_more(R8), left
	MOVQ h1+16(FP), state

another: // left >= 1
	VPXORQ lane<>(SB), from, from
	SEVEN
	WORD(h0+8(FP))
	VPBROADCASTQ AX, from
	DECQ left
	JNE  another
	JMP  last
