// The derivation on general registers.

#define out   DI // next answer
#define words SI
#define keys  BX // next key
#define todo  R8 // keys to do
#define left  R9 // positions of the key to do
#define state R10 // of the stream
#define gamma R11 // its increment
#define base  R12 // j*step
#define mul1  R13 // constants of mix
#define mul2  R14
#define w     AX
#define p     DX // a position

#define CONSTANTS \
	MOVQ $0xbf58476d1ce4e5b9, mul1; \
	MOVQ $0x94d049bb133111eb, mul2

// KEY starts the stream of the key at from.
#define KEY(from) \
	MOVQ 0(from), state; \
	MOVQ 8(from), gamma; \
	ORQ  $1, gamma; \
	XORL base, base

// POSITION sets p to the next position of the key. AX is lost.
#define POSITION(span, step) \
	ADDQ  gamma, state; \
	MOVQ  state, AX; \
	SHRQ  $30, AX; \
	XORQ  state, AX; \
	IMULQ mul1, AX; \
	MOVQ  AX, DX; \
	SHRQ  $27, DX; \
	XORQ  DX, AX; \
	IMULQ mul2, AX; \
	MOVQ  AX, DX; \
	SHRQ  $31, DX; \
	XORQ  DX, AX; \
	ANDQ  $-4096, AX; \
	MULQ  span; \
	ADDQ  base, DX; \
	ADDQ  step, base
