// One turn of TransitionRows and TransitionSums, for a vector of states. Before it:
// most = k, sets and clears at the states, fresh = scale. It defines nothing; it uses
//
//	OUT(h)  stores or adds h*fresh for this d, and goes to the next
//	LAST    the same for d = k, where h = 1
//	NEXT    fresh *= clears, then a unit more in sets and a unit less in clears
//
// A lane of h<i> is the polynomial of degree i in the set bits of the states so far: first
// the powers of one state, as far as k; then it enters the triangle there, so that one
// piece of code serves every k. At out<i>, degree i is what remains of k.

#define POWER(below, h) VMULPD below, sets, h
#define GROW(below, h) VMULPD below, sets, term; VADDPD term, h, h
#define GROW1 VADDPD sets, h1, h1
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

	TESTL most, most
	JEQ   out0
	VMOVAPD sets, h1
	CMPL  most, $2
	JLT   out1
	POWER(h1, h2)
	JEQ   out2
	CMPL  most, $4
	POWER(h2, h3)
	JLT   out3
	POWER(h3, h4)
	JEQ   out4
	CMPL  most, $6
	POWER(h4, h5)
	JLT   out5
	POWER(h5, h6)
	JEQ   out6
	CMPL  most, $8
	POWER(h6, h7)
	JLT   out7
	POWER(h7, h8)
	JEQ   out8
	CMPL  most, $10
	POWER(h8, h9)
	JLT   out9
	POWER(h9, h10)
	JEQ   out10
	CMPL  most, $12
	POWER(h10, h11)
	JLT   out11
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
	VMULPD clears, fresh, fresh
out0:
	LAST
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
