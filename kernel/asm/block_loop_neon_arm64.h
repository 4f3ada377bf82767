// The loop over keys, included once a function. Before it these are defined:
//
//	LINE    log2 of the bytes of a block
//	BLOCK   the registers that hold one
//	TOP     how many bits a position has
//	AHEAD   the argument that says how many keys ahead blocks are asked for
//	FETCH   how a block is asked for
//	BEGIN   what is to be done once, when there is a key
//	KEY(a, b, c)  answers the key at keys, at out, and goes on with both; a, b and c are
//	        names for its labels. The registers from t0 on are its own.
//
// After it: all keys are answered; label done is where it goes without a key or a block, and
// sum is 0 unless BEGIN or KEY changed it.

#ifndef out
#define out    R0 // next answer
#define words  R1
#define keys   R2 // next key
#define todo   R3 // keys to do
#define blocks R4 // blocks of words
#define next   R5 // next key to ask for
#define far    R6 // keys that are asked for and not done
#define sum    R7
#define t0     R8
#define t1     R9

// PLACE sets t0 to where the block of the key of word t0 lies.
#define PLACE \
	UMULH blocks, t0, t0; \
	ADD   t0<<LINE, words, t0

// ONE sets t0 to where the block of the key of a function of one key lies; without a block it
// goes to none.
#define ONE \
	MOVD  words_base+0(FP), words; \
	MOVD  words_len+8(FP), blocks; \
	MOVD  h0+24(FP), t0; \
	LSR   $(LINE-3), blocks, blocks; \
	CBZ   blocks, none; \
	PLACE

#define ASK \
	MOVD.P 16(next), t0; \
	PLACE; \
	PRFM  (t0), FETCH

// Go's assembler lacks these; their operands are numbers of registers.
#define USHL8(n, m, d) WORD $(0x6e604400 | m<<16 | n<<5 | d) // USHL Vd.8H, Vn.8H, Vm.8H
#define USHL4(n, m, d) WORD $(0x6ea04400 | m<<16 | n<<5 | d) // USHL Vd.4S, Vn.4S, Vm.4S
#define USHL2(n, m, d) WORD $(0x6ee04400 | m<<16 | n<<5 | d) // USHL Vd.2D, Vn.2D, Vm.2D
#define BIC16(n, m, d) WORD $(0x4e601c00 | m<<16 | n<<5 | d) // BIC Vd.16B, Vn.16B, Vm.16B
#define SMAX8(n, d)    WORD $(0x4e70a800 | n<<5 | d)         // SMAXV Hd, Vn.8H

// A look-up has a position of the key at the top of each lane of 16 bits. The position's low 3
// bits are the number of a bit in a byte of the block. Its other bits are the low ones of that
// byte's number, whose high ones are at the top of the lane in place.
#define windows  24 // numbers of the two bytes of the word of the stream that have the position
#define Vwindows V24
#define shifts   25 // by how many bits the position goes up from there
#define Vplace   V26 // the byte's number in the high byte of each lane; only its low bits change
#define sevens   27
#define Vsevens  V27

// LOOKS loads these from the file's looks, in this order.
#define LOOKS \
	MOVD  $looks<>(SB), t0; \
	VLD1  (t0), [V24.B16, V25.B16, V26.B16]; \
	VMOVI $7, Vsevens.B16

// LOOK sets the highest bit of each lane of V2 to the block's bit at that lane's position, for
// the word of the stream in V0.
#define LOOK \
	VTBL  Vwindows.B16, [V0.B16], V1.B16; \
	USHL8(1, shifts, 1); \
	VSRI  $(11-TOP), V1.H8, Vplace.H8; \
	VTBL  Vplace.B16, BLOCK, V2.B16; /* the byte is the lane's higher one */ \
	VUSHR $(16-TOP), V1.H8, V1.H8; \
	BIC16(sevens, 1, 1); /* 7 less the number of the bit */ \
	USHL8(2, 1, 2)

// ALL sets t0 to whether the highest bits of all lanes of V2 are 1.
#define ALL \
	SMAX8(2, 2); /* negative if they are */ \
	VMOV  V2.H[0], t0; \
	LSR   $15, t0, t0

// ANSWER answers ALL, and adds it to sum.
#define ANSWER \
	ALL; \
	ADD   t0, sum, sum; \
	MOVB.P t0, 1(out)
#endif

	MOVD  out_base+0(FP), out
	MOVD  out_len+8(FP), todo
	MOVD  words_base+24(FP), words
	MOVD  words_len+32(FP), blocks
	MOVD  h_base+48(FP), keys
	MOVD  h_len+56(FP), t0
	MOVD  ZR, sum
	LSR   $(LINE-3), blocks, blocks
	CBZ   blocks, done
	LSR   $1, t0, t0
	CMP   t0, todo
	CSEL  GT, t0, todo, todo       // n
	CBZ   todo, done
	MOVD  keys, next
	BEGIN
	MOVD  AHEAD, far
	CMP   todo, far
	CSEL  GT, todo, far, far
	CMP   $0, far
	BLE   rest
	SUB   far, todo, todo
	MOVD  far, t1

fetch: // t1 >= 1
	ASK
	SUBS  $1, t1, t1
	BNE   fetch
	CBZ   todo, asked

	PCALIGN $32
turn: // todo >= 1: keys to ask for
	ASK
key: // that after those before it, of those that are asked for
	KEY(turn0, turn1, turn2)
	SUBS  $1, todo, todo
	BNE   turn

asked: // all blocks are asked for
	MOVD  far, todo

	PCALIGN $32
rest: // todo >= 1
	KEY(rest0, rest1, rest2)
	SUBS  $1, todo, todo
	BNE   rest

done:
