// What the kernels for one key begin with.

// FIND sets R8 to the array, SI to its words, and DX to where the block of h0 lies, in bytes
// after them. SIZE is log2 of the words of a block.
#define FIND \
	MOVQ a+0(FP), R8; \
	MOVQ h0+8(FP), AX; \
	MULQ BlockArray_blocks(R8); \
	MOVQ BlockArray_words(R8), SI; \
	SHLQ $(SIZE+3), DX
