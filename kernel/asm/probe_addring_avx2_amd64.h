// The additions of probe_add_avx2_amd64.s, included once a function. Before it these are
// defined:
//
//	ROWS     how many rows of 8 positions the ring has
//	FETCH8   asks for the words at the 8 positions at row

	MOVQ out_base+0(FP), out
	MOVQ out_len+8(FP), todo
	MOVQ words_base+24(FP), words
	MOVQ h_base+48(FP), keys
	MOVQ h_len+56(FP), t
	MOVQ $0, fresh+96(FP)
	SHRQ $1, t
	CMPQ t, todo
	CMOVQLT t, todo                // n
	TESTQ todo, todo
	JEQ  done
	LEAQ 63(SP), slot
	ANDQ $~63, slot
	CONSTANTS8(span+80(FP), step+88(FP))
	MOVQ todo, some
	MOVL $ROWS, t
	XORL DX, DX
	DIVQ k+72(FP)
	MOVQ t, free                   // groups that the ring has room for
	TESTQ t, t
	JEQ  many
	IMULQ k+72(FP), t
	SHLQ $6, t
	LEAQ SLOT(slot), row
	ADDQ row, t
	MOVQ t, end
	MOVQ row, oldest

next: // todo >= 1: keys to add, of which some are not in the ring
	CMPQ free, $0
	JEQ  add
	CMPQ some, $0
	JLE  add

	// 8 more keys come into the ring.
	CMPQ some, $8
	JLT  few
streams:
	KEYS8(keys)
	ADDQ $128, keys
	SUBQ $8, some
	DECQ free
	MOVQ k+72(FP), left
turn: // left >= 1
	POSITION8(whole)
ready:
	VMOVDQA p, (row)
	VMOVDQA q, 32(row)
ask:
	FETCH8
asked:
	ADDQ $64, row
	DECQ left
	JNE  turn
	LEAQ SLOT(slot), t
	CMPQ row, end
	CMOVQEQ t, row
	JMP  next

add: // the oldest 8 keys of the ring, or the last
	MOVL $8, left
	CMPQ todo, left
	CMOVQLT todo, left
	SUBQ left, todo
	MOVQ oldest, first
key: // left >= 1
	MOVQ first, at
	MOVQ k+72(FP), count
	XORL new, new
set: // count >= 1: positions of the key at at
	MOVQ (at), w
	MOVQ w, t
	SHRQ $6, t
	MOVQ (words)(t*8), old
	BTSQ w, old
	MOVQ old, (words)(t*8)
	SBBQ $-1, new                  // new + 1 - carry
	ADDQ $64, at
	DECQ count
	JNE  set
	ADDQ new, fresh+96(FP)
	TESTQ new, new
	SETNE (out)
	INCQ out
	ADDQ $8, first
	DECQ left
	JNE  key
	MOVQ k+72(FP), t
	SHLQ $6, t
	ADDQ oldest, t
	LEAQ SLOT(slot), w
	CMPQ t, end
	CMOVQEQ w, t
	MOVQ t, oldest
	INCQ free
	TESTQ todo, todo
	JNE  next
	VZEROUPPER

done:
	RET

few: // 1 <= some <= 7
	FEW8(some, copy)
	JMP  streams

whole:
	ANY8
	JMP  ready

many: // more positions than the ring has rows: todo >= 1
	MOVQ 0(keys), first
	MOVQ 8(keys), row
	ORQ  $1, row
	XORL new, new
	XORL left, left
each: // left positions are set
	ADDQ row, first
	MOVQ first, t
	SHRQ $30, t
	XORQ first, t
	MOVQ $0xbf58476d1ce4e5b9, w
	IMULQ w, t
	MOVQ t, w
	SHRQ $27, w
	XORQ w, t
	MOVQ $0x94d049bb133111eb, w
	IMULQ w, t
	MOVQ t, w
	SHRQ $31, w
	XORQ w, t
	ANDQ $-4096, t
	MULQ span+80(FP)
	MOVQ step+88(FP), t
	IMULQ left, t
	ADDQ t, w
	MOVQ w, t
	SHRQ $6, t
	MOVQ (words)(t*8), old
	BTSQ w, old
	MOVQ old, (words)(t*8)
	SBBQ $-1, new
	INCQ left
	CMPQ left, k+72(FP)
	JNE  each
	ADDQ new, fresh+96(FP)
	TESTQ new, new
	SETNE (out)
	INCQ out
	ADDQ $16, keys
	DECQ todo
	JNE  many
	VZEROUPPER
	RET
#undef ROWS
#undef FETCH8
