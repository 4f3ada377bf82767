// Names for probe_ring_neon_arm64.h, included once a file.

#define RING 64 // slots, of which each holds a key in flight:
#define SLOT 32 // its bytes: position asked for, state of its stream, positions of the
                // key after it, number of the key

#define out    R0
#define words  R1
#define hash   R2
#define last   R3  // n
#define each   R4  // k
#define width  R5  // m, or the bits of a slice
#define stride R6  // bits from one slice to the next, or 0
#define mul1   R7
#define mul2   R8
#define top    R9  // (k-1)*step
#define slot   R10
#define end    R11 // of the slots in use
#define next   R12 // number of the next key
#define key    R13 // that of the slot's
#define rest   R14 // positions to come
#define z      R15 // state
#define p      R16 // position, then its place
#define t      R17
#define u      R19
#define sum    R20 // keys that were found
#define both   R21

// ASK takes the slot's key from state z to its next position, with rest-1 to come, and
// asks for the word.
#define ASK \
	ADD   key<<4, hash, t; \
	MOVD  8(t), t; \
	ORR   $1, t, t; \
	ADD   t, z, z; \
	SUB   $1, rest; \
	EOR   z>>30, z, p; \
	MUL   mul1, p, p; \
	EOR   p>>27, p, p; \
	MUL   mul2, p, p; \
	EOR   p>>31, p, p; \
	AND   $~0xfff, p, p; \
	UMULH width, p, p; \
	ADD   top, p, p; \
	MSUB  rest, p, stride, p; \
	STP   (p, z), (slot); \
	STP   (rest, key), 16(slot); \
	PLACE; \
	PRFM  (p), FETCH
