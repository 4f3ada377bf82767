// One turn of TransitionRows and TransitionSums, for a vector of states, as in
// transition_amd64.h. Before it: most = k, sets and clears at the states, fresh = scale.
// It defines nothing; it uses
//
//	OUT(h)  stores or adds h*fresh for this d, and goes to the next
//	LAST    the same for d = k, where h = 1
//
// A lane of h<i> is the polynomial of degree i in the set bits of the states so far: first
// the powers of one state, as far as k; then it enters the triangle there, so that one
// piece of code serves every k. At out<i>, degree i is what remains of k.

#define NEXT FMUL2(fresh, clears, fresh); FADD2(sets, units, sets); FSUB2(clears, units, clears)
#define POWER(below, h) FMUL2(below, sets, h)
#define GROW(below, h) FMUL2(below, sets, term); FADD2(h, term, h)
#define GROW1 FADD2(h1, sets, h1)
#define GROW2 GROW1; GROW(h1, h2)
#define GROW3 GROW2; GROW(h2, h3)
#define GROW4 GROW3; GROW(h3, h4)
#define GROW5 GROW4; GROW(h4, h5)
#define GROW6 GROW5; GROW(h5, h6)
#define GROW7 GROW6; GROW(h6, h7)
#define GROW8 GROW7; GROW(h7, h8)
#define GROW9 GROW8; GROW(h8, h9)
#define GROW10 GROW9; GROW(h9, h10)
#define GROW11 GROW10; GROW(h10, h11)

	CBZ  most, out0
	VORR Vsets.B16, Vsets.B16, V1.B16 // h1 = sets
	CMP  $2, most
	BLT  out1
	POWER(h1, h2)
	BEQ  out2
	CMP  $4, most
	POWER(h2, h3)
	BLT  out3
	POWER(h3, h4)
	BEQ  out4
	CMP  $6, most
	POWER(h4, h5)
	BLT  out5
	POWER(h5, h6)
	BEQ  out6
	CMP  $8, most
	POWER(h6, h7)
	BLT  out7
	POWER(h7, h8)
	BEQ  out8
	CMP  $10, most
	POWER(h8, h9)
	BLT  out9
	POWER(h9, h10)
	BEQ  out10
	CMP  $12, most
	POWER(h10, h11)
	BLT  out11
	POWER(h11, h12)

	OUT(h12)
	NEXT
	GROW11
out11:
	OUT(h11)
	NEXT
	GROW10
out10:
	OUT(h10)
	NEXT
	GROW9
out9:
	OUT(h9)
	NEXT
	GROW8
out8:
	OUT(h8)
	NEXT
	GROW7
out7:
	OUT(h7)
	NEXT
	GROW6
out6:
	OUT(h6)
	NEXT
	GROW5
out5:
	OUT(h5)
	NEXT
	GROW4
out4:
	OUT(h4)
	NEXT
	GROW3
out3:
	OUT(h3)
	NEXT
	GROW2
out2:
	OUT(h2)
	NEXT
	GROW1
out1:
	OUT(h1)
	FMUL2(fresh, clears, fresh)
out0:
	LAST
#undef NEXT
#undef POWER
#undef GROW
#undef GROW1
#undef GROW2
#undef GROW3
#undef GROW4
#undef GROW5
#undef GROW6
#undef GROW7
#undef GROW8
#undef GROW9
#undef GROW10
#undef GROW11
