package asmtest

// plainArena returns an arena with at least n words, without forbidden pages. The words lie inside a larger array,
// between canaries. So an argument never lies at the edge of an allocation.
func plainArena(n int) arena {
	w := make([]uint64, max(n, 1)+2*margin)
	return arena{words: w[margin : len(w)-margin : len(w)-margin], free: func() {}}
}
