// The ring of probe_ring_avx512_amd64.s, included once a function. Before it FETCH is the
// instruction that asks for a word.

	MOVQ out_base+0(FP), out
	MOVQ out_len+8(FP), n
	MOVQ words_base+24(FP), words
	MOVQ h_base+48(FP), from
	MOVQ h_len+56(FP), t0
	MOVQ $0, found+96(FP)
	SHRQ $1, t0
	CMPQ t0, n
	CMOVQLT t0, n
	TESTQ n, n
	JEQ  done

	XORL t0, t0
	MOVQ n, t1
	REP; STOSB
	MOVQ out_base+0(FP), out

	LEAQ 63(SP), ring
	ANDQ $~63, ring
	CONSTANTS(span+80(FP), step+88(FP))
	VPBROADCASTQ n, keys
	VPBROADCASTQ k+72(FP), each
	VPSUBQ one, each, top
	VPMULLQ stride, top, top
	VMOVDQU64 from0<>(SB), lanes
	VPADDQ lanes, lanes, evens
	VPADDQ one, evens, odds

	LEAQ 7(n), end
	SHRQ $3, end                   // vectors that n keys fill
	MOVL $VECTORS, t0
	CMPQ t0, end
	CMOVQLT t0, end
	SHLQ $6, end
	VPXORQ v0, v0, v0
	XORL i, i
empty: // i < end: before it, lanes are of key n, and have no position to come
	VMOVDQA64 keys, PLACE(i*1)
	VMOVDQA64 v0, REST(i*1)
	VMOVDQA64 v0, NUMBER(i*1)
	ADDQ $64, i
	CMPQ i, end
	JNE  empty

	LEAQ LIST, list
	LEAQ (8*FOUND-64)(list), full
	XORL next, next
	MOVQ n, todo
	XORL i, i

	PCALIGN $32
turn: // todo >= 1, i < end
	PAIR(0, X7)
	PAIR(16, X10)
	PAIR(32, X11)
	PAIR(48, X12)
	VINSERTI128 $1, X10, Y7, Y7
	VINSERTI128 $1, X12, Y11, Y11
	VINSERTI64X4 $1, Y11, w, w
	VMOVDQA64 REST(i*1), rest
	VMOVDQA64 PLACE(i*1), place
	VPRORVQ AT(i*1), w, w
	VPTESTMQ one, w, set
	VMOVDQA64 STATE(i*1), state
	VMOVDQA64 GAMMA(i*1), gamma
	VPTESTMQ rest, rest, set, over
	KNOTB over, over
	KTESTB over, over
	JEQ  ask

	VPTESTNMQ rest, rest, set, in
	VPCMPUQ $1, keys, place, in, in // of keys < n
	VPCOMPRESSQ place, in, v0
	VMOVDQU64 v0, (list)
	KMOVB in, t0
	POPCNTL t0, t0
	LEAQ (list)(t0*8), list
	VPCMPUQ $1, keys, place, over, in
	KMOVB in, t0
	POPCNTL t0, t0
	SUBQ t0, todo
	MOVQ n, t1
	SUBQ next, t1                  // keys to come
	MOVQ $-1, t0
	CMPQ t1, $8
	JGE  some
	ADDL t1, t1
	MOVL $1, t0
	SHLQ CX, t0
	DECQ t0                        // the lowest 2*t1 bits
some:
	KMOVB t0, half0
	SHRQ $8, t0
	KMOVB t0, half1
	VMOVDQU64.Z (from), half0, v0
	VMOVDQU64.Z 64(from), half1, v1
	VMOVDQA64 evens, p
	VPERMI2Q v1, v0, p
	VPERMT2Q v1, odds, v0
	VPORQ one, v0, v0
	VPEXPANDQ p, over, state
	VPEXPANDQ v0, over, gamma
	VPBROADCASTQ next, v0
	VPADDQ lanes, v0, v0
	VPEXPANDQ v0, over, place
	VMOVDQA64 each, over, rest
	KMOVB over, t0
	POPCNTL t0, t0
	ADDQ t0, next
	SHLQ $4, t0
	ADDQ t0, from
	CMPQ next, n
	CMOVQGT n, next

ask:
	VPSUBQ one, rest, rest
	VPADDQ gamma, state, state
	VPMULLQ stride, rest, base
	VPSUBQ base, top, base
	ACROSS(state, p, v0, v1)
	VMOVDQA64 state, STATE(i*1)
	VMOVDQA64 gamma, GAMMA(i*1)
	VMOVDQA64 place, PLACE(i*1)
	VMOVDQA64 rest, REST(i*1)
	VMOVDQA64 p, AT(i*1)
	VPSRLQ $6, p, p
	VMOVDQA64 p, NUMBER(i*1)
	ASK(0)
	ASK(8)
	ASK(16)
	ASK(24)
	ASK(32)
	ASK(40)
	ASK(48)
	ASK(56)
	ADDQ $64, i
	XORL t0, t0
	CMPQ i, end
	CMOVQEQ t0, i
	CMPQ list, full
	JHI  write
	TESTQ todo, todo
	JNE  turn

write: // the answers of the keys in the list
	LEAQ LIST, t1
	MOVQ list, t0
	SUBQ t1, t0
	SHRQ $3, t0
	ADDQ t0, found+96(FP)
	JMP  written
answer: // t1 < list
	MOVQ (t1), t0
	MOVB $1, (out)(t0*1)
	ADDQ $8, t1
written:
	CMPQ t1, list
	JNE  answer
	LEAQ LIST, list
	TESTQ todo, todo
	JNE  turn

done:
	VZEROUPPER
#undef FETCH
