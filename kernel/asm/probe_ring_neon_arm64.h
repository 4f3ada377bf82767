// The ring of probe_ring_neon_arm64.s, included once a function. Before it these are
// defined:
//
//	ARRAY  the argument whose words are probed
//	PLACE  turns position p into the address of its word
//	FETCH  the hint that asks for it
//	TEST   stores the answer of slot's key as far as it is known, and sets t to 1 when
//	       the key may still be found, to 0 when the answer is final
//	BEGIN  what is to be stored for a new key
//
// After it: all keys are answered; sum = those that TEST counted.

	MOVD  out_base+0(FP), out
	MOVD  out_len+8(FP), last
	MOVD  ARRAY, words
	MOVD  h_base+48(FP), hash
	MOVD  h_len+56(FP), t
	MOVD  k+72(FP), each
	MOVD  span+80(FP), width
	MOVD  step+88(FP), stride
	MOVD  $0xbf58476d1ce4e5b9, mul1
	MOVD  $0x94d049bb133111eb, mul2
	LSR   $1, t, t
	CMP   t, last
	CSEL  LT, last, t, last        // last = n
	MOVD  ZR, sum
	CBZ   last, done
	SUB   $1, each, top
	MUL   stride, top, top
	MOVD  $ring-2048(SP), slot
	MOVD  $RING, end
	CMP   end, last
	CSEL  LT, last, end, end
	ADD   end<<5, slot, end        // min(n, RING) slots
	MOVD  ZR, next

fill: // slot < end
	MOVD  next, key
	MOVD  each, rest
	ADD   key<<4, hash, u
	MOVD  (u), z
	BEGIN
	ASK
	ADD   $1, next
	ADD   $SLOT, slot
	CMP   slot, end
	BNE   fill

round: // a slot is in use
	MOVD  $ring-2048(SP), slot

turn: // slot < end
	LDP   (slot), (p, z)
	LDP   16(slot), (rest, key)
	TEST
	CBZ   t, answered
	CBZ   rest, answered

ask: // slot holds key at state z, with rest positions to come
	ASK
	ADD   $SLOT, slot
	CMP   slot, end
	BNE   turn
	B     round

answered:
	CMP   next, last
	BEQ   empty
	MOVD  next, key
	MOVD  each, rest
	ADD   key<<4, hash, t
	MOVD  (t), z
	ADD   $1, next
	BEGIN
	B     ask

empty: // the last slot takes the place of this one
	SUB   $SLOT, end
	LDP   (end), (p, z)
	LDP   16(end), (rest, key)
	STP   (p, z), (slot)
	STP   (rest, key), 16(slot)
	CMP   slot, end
	BNE   turn                     // the slot that was moved here is next
	MOVD  $ring-2048(SP), t
	CMP   t, end
	BNE   round

done:
#undef FETCH
