// The loop over keys, included once a function. Before it these are defined:
//
//	SIZE    log2 of the words of a block
//	AHEAD   the argument that says how many keys ahead blocks are asked for
//	FETCH   the instruction that asks for a block
//	BEGIN   what is to be done once, when there is a key
//	KEY(a, b, c)  answers the key at keys, whose block is DX bytes after words, at out,
//	        and goes on with both; a, b and c are names for its labels. AX, DX and R11 are
//	        its own.
//
// After it: all keys are answered; label done is where it goes without a key or a block.

#ifndef out
#define out    DI  // next answer
#define words  SI
#define keys   BX  // next key
#define next   R10 // next key to ask for
#define todo   R9  // keys to do
#define blocks R8  // blocks of words

// LINE sets DX to where the block of the key at from lies.
#define LINE(from) \
	MOVQ (from), AX; \
	MULQ blocks; \
	SHLQ $(SIZE+3), DX

#define ASK \
	LINE(next); \
	FETCH (words)(DX*1); \
	ADDQ $16, next
#endif

	MOVQ out_base+0(FP), out
	MOVQ out_len+8(FP), todo
	MOVQ words_base+24(FP), words
	MOVQ words_len+32(FP), blocks
	MOVQ h_base+48(FP), keys
	MOVQ h_len+56(FP), AX
	SHRQ $SIZE, blocks
	JEQ  done
	SHRQ $1, AX
	CMPQ AX, todo
	CMOVQLT AX, todo               // n
	TESTQ todo, todo
	JEQ  done
	BEGIN
	MOVQ keys, next
	MOVQ AHEAD, AX
	CMPQ todo, AX
	CMOVQLT todo, AX
	MOVQ AX, far-8(SP)
	TESTQ AX, AX
	JLE  rest
	SUBQ AX, todo
	MOVQ AX, R11

fetch: // R11 >= 1
	ASK
	DECQ R11
	JNE  fetch
	TESTQ todo, todo
	JEQ  asked

	PCALIGN $32
turn: // todo >= 1: keys to ask for
	ASK
key: // that after those before it, of those that are asked for
	LINE(keys)
	KEY(turn0, turn1, turn2)
	DECQ todo
	JNE  turn

asked: // all words are asked for
	MOVQ far-8(SP), todo

	PCALIGN $32
rest: // todo >= 1
	LINE(keys)
	KEY(rest0, rest1, rest2)
	DECQ todo
	JNE  rest

done:
#undef FETCH
