// The words of a key's stream after the first, on general registers.

#define state R12 // of the stream: h1 + i*(h0|1)
#define t     R15

// WORD sets AX to the next word of the stream of the key whose first word is at h0.
#define WORD(h0) \
	MOVQ  h0, t; \
	ORQ   $1, t; \
	ADDQ  t, state; \
	MOVQ  state, AX; \
	SHRQ  $30, AX; \
	XORQ  state, AX; \
	MOVQ  $0xbf58476d1ce4e5b9, t; \
	IMULQ t, AX; \
	MOVQ  AX, t; \
	SHRQ  $27, t; \
	XORQ  t, AX; \
	MOVQ  $0x94d049bb133111eb, t; \
	IMULQ t, AX; \
	MOVQ  AX, t; \
	SHRQ  $31, t; \
	XORQ  t, AX
