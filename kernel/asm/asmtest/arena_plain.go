package asmtest

// plainArena returns at least n words without forbidden pages. They lie inside a larger array, between canaries, so the
// arguments never lie at the edge of an allocation.
func plainArena(n int) arena {
	w := make([]uint64, max(n, 1)+2*margin)
	return arena{words: w[margin : len(w)-margin : len(w)-margin], free: func() {}}
}
