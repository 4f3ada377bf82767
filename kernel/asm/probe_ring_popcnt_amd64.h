// The ring of probe_ring_popcnt_amd64.s and probe_pairring_popcnt_amd64.s, included once
// a function. Before it these are defined:
//
//	ARRAY     the argument whose words are probed
//	WORD(i)   turns a position into the index of its word
//	FETCH     the instruction that asks for it
//	TEST      stores the answer of slot's key as far as it is known, loads key and z, and
//	          sets rest, with ZF, to the number of its positions to come, or to 0 when
//	          the answer is final
//	BEGIN     what is to be stored for a new key
//	SWITCH    BEGIN for key if ZF
//
// After it: all keys are answered, last = twice their number.

#ifndef RING
#define RING 64 // slots, of which each holds a key in flight:
#define SLOT 32 // its bytes
#define AT    0(slot)  // position whose word was asked for
#define STATE 8(slot)  // h0 + (j+1)*(h1|1) of it
#define AFTER 16(slot) // positions of the key after it
#define KEY   24(slot) // twice the key's number

#define slot  SI
#define end   DI  // of the slots in use
#define words BX
#define hash  R8
#define out   R9
#define next  R10 // twice the number of the next key
#define last  CX  // of next: at most this when the round may begin; in the drain, 2n
#define rest  R11
#define key   R12 // KEY
#define z     AX  // STATE
#define p     DX
#define t     R13
#define u     R15

// ASK takes the slot's key from state z to its next position, with rest-1 to come, and
// asks for the word. Its j*step is (k-1)*step - (rest-1)*step.
#define ASK \
	MOVQ  8(hash)(key*8), t; \
	ORQ   $1, t;    \
	ADDQ  t, z;     \
	MOVQ  z, STATE; \
	DECQ  rest;     \
	MOVQ  rest, AFTER; \
	MOVQ  z, t;     \
	SHRQ  $30, t;   \
	XORQ  t, z;     \
	IMULQ mul1-8(SP), z; \
	MOVQ  z, t;     \
	SHRQ  $27, t;   \
	XORQ  t, z;     \
	IMULQ mul2-16(SP), z; \
	MOVQ  z, t;     \
	SHRQ  $31, t;   \
	XORQ  t, z;     \
	ANDQ  $-4096, z; \
	MULQ  span+80(FP); \
	IMULQ step+88(FP), rest; \
	ADDQ  top-24(SP), p; \
	SUBQ  rest, p;  \
	MOVQ  p, AT;    \
	WORD(p);        \
	FETCH (words)(p*8)
#endif

	MOVQ  out_base+0(FP), out
	MOVQ  out_len+8(FP), last
	MOVQ  ARRAY, words
	MOVQ  h_base+48(FP), hash
	MOVQ  h_len+56(FP), t
	SHRQ  $1, t
	CMPQ  t, last
	CMOVQLT t, last                // last = n
	TESTQ last, last
	JEQ   done
	MOVQ  k+72(FP), rest
	DECQ  rest
	IMULQ step+88(FP), rest
	MOVQ  rest, top-24(SP)
	MOVQ  $0xbf58476d1ce4e5b9, z
	MOVQ  z, mul1-8(SP)
	MOVQ  $0x94d049bb133111eb, z
	MOVQ  z, mul2-16(SP)
	LEAQ  ring-2080(SP), slot
	MOVQ  $RING, end
	CMPQ  last, end
	CMOVQLT last, end
	IMUL3Q $SLOT, end, end
	ADDQ  slot, end                // min(n, RING) slots
	ADDQ  last, last
	XORL  next, next

fill: // slot < end
	MOVQ  next, key
	MOVQ  key, KEY
	MOVQ  (hash)(key*8), z
	MOVQ  k+72(FP), rest
	BEGIN
	ASK
	ADDQ  $2, next
	ADDQ  $SLOT, slot
	CMPQ  slot, end
	JNE   fill
	SUBQ  $(2*RING), last          // last < next when not all slots are in use

round: // all slots before end are in use
	LEAQ  ring-2080(SP), slot
	CMPQ  next, last
	JGT   drain

turn: // slot < end; for each slot to come in this round there is a next key
	TEST
	CMOVQEQ (hash)(next*8), z
	CMOVQEQ next, key
	CMOVQEQ k+72(FP), rest
	LEAQ  2(next), t
	CMOVQEQ t, next
	MOVQ  key, KEY
	SWITCH
	ASK
	ADDQ  $SLOT, slot
	CMPQ  slot, end
	JNE   turn
	JMP   round

drain:
	ADDQ  $(2*RING), last          // twice n

again: // slot <= end, and a slot is in use
	CMPQ  slot, end
	JNE   single
	LEAQ  ring-2080(SP), slot

single: // slot < end
	TEST
	JEQ   answered

ask: // slot holds key at state z, with rest positions to come
	ASK
	ADDQ  $SLOT, slot
	JMP   again

answered:
	CMPQ  next, last
	JEQ   empty
	MOVQ  next, key
	MOVQ  key, KEY
	MOVQ  (hash)(key*8), z
	MOVQ  k+72(FP), rest
	ADDQ  $2, next
	BEGIN
	JMP   ask

empty: // the last slot takes the place of this one
	SUBQ  $SLOT, end
	MOVUPS (end), X0
	MOVUPS 16(end), X1
	MOVUPS X0, (slot)
	MOVUPS X1, 16(slot)
	LEAQ  ring-2080(SP), t
	CMPQ  end, t
	JNE   again

done:
#undef FETCH
