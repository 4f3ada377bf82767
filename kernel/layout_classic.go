package kernel

import (
	"slices"

	"github.com/bloomproof/bloomproof"
)

// In classic hashing the positions of a key are the first k distinct numbers in this sequence:
//
//	reduce(x_0, m), reduce(x_1, m), ....
//
// Here x_0, x_1, ... are the words of the key's stream, and reduce(x, m) maps a word x to a number below m. The first k
// numbers of the sequence are called the draws. If no two draws are equal, they are the positions. If m is much larger
// than k^2, few keys have two equal draws.
var classicLayout = layoutEntry{bloomproof.Classic, func(g bloomproof.Geometry) layout {
	return layout{
		g:     g,
		shape: shape{k: g.K, span: g.M},
		rate:  classicRate,
		items: distinctItems,
	}
}, nil}

// classicRate returns C(b,k)/C(m,k). This is the probability that the k distinct positions of a new key are all among
// the b set bits. Equation Burns (59) is the expected value of this probability. The cost is O(k).
func classicRate(g bloomproof.Geometry, b uint64) float64 {
	r := 1.0
	for i := range uint64(g.K) {
		if b <= i {
			return 0
		}
		r *= float64(b-i) / float64(g.M-i)
	}
	return r
}

// distinctItems estimates the number of keys in a filter with b set bits. It is for hashings in which the positions of
// a key are distinct. It returns ln(1-b/m) / ln(1-k/m).
func distinctItems(l *layout, b uint64) float64 {
	return log1mRatio(b, l.g.M) / log1mRatio(uint64(l.k), l.g.M)
}

// mayRepeat reports whether two of the k draws of h may be equal. If two draws are equal, the result is always true.
// Otherwise it is true with a probability of about k (k-1) (2k-1)/24576. For k = 7 this is 2.2 %. If the result is
// false, the draws are the positions. So for nearly all keys, a look-up need not derive the positions separately. The
// method mayRepeat remembers two residues modulo 64 for each draw. Storing the draws in a buffer would take longer.
func (l *layout) mayRepeat(h Hash) bool {
	state, gamma := h.H0, h.H1|1
	var low, high, twice uint64 // bit i of low is set if a draw p had p&63 = i, and bit i of high if p>>6&63 = i
	for k := l.k; k > 0; k-- {
		state += gamma
		p := reduce(word(state), l.span)
		twice |= low >> (p & 63) & (high >> (p >> 6 & 63))
		low |= 1 << (p & 63)
		high |= 1 << (p >> 6 & 63)
	}
	return twice&1 != 0
}

// Before the call, the slice pos has the k draws of each hash of h. The number k is at most scanK. The method
// replaceRepeats replaces each repeated draw by another position. Afterwards pos has the positions of each hash.
func (l *layout) replaceRepeats(pos []uint64, h []Hash) {
	k, m := l.k, l.span
	for i := range h {
		if at := pos[i*k : (i+1)*k : (i+1)*k]; repeats(at) {
			s := newStream(h[i])
			appendDistinct(at[:0], m, k, &s)
		}
	}
}

// The function "repeats" reports whether two of the positions are equal.
func repeats(pos []uint64) bool {
	seen := uint64(0) // bit i is set if an earlier position has the low 6 bits i
	for i, p := range pos {
		if seen>>(p&63)&1 != 0 && slices.Contains(pos[:i], p) {
			return true
		}
		seen |= 1 << (p & 63)
	}
	return false
}

// The following constants are used to find positions that repeat. For k <= scanK, classic hashing compares a new
// position with the earlier ones. For larger k it looks the new position up in a table of the earlier ones. The table
// is on the stack. It is small if k <= smallK, and otherwise large. So clearing the table never takes longer than
// deriving the positions. A table has at least tableRoom slots for each position. So a search seldom has to look at a
// second slot.
const (
	smallK    = 512
	tableRoom = 4
)

// The function "draws" returns the largest number of words of a key's stream that classic hashing uses. If these words
// do not give k distinct positions, classic hashing chooses the missing positions by rank (appendByRank). The page
// docs/format.md specifies this limit.
func draws(k int) int { return 8*k + 64 }

// appendDistinct appends k distinct positions below m to dst. The positions are derived from the stream s.
func appendDistinct(dst []uint64, m uint64, k int, s *stream) []uint64 {
	start := len(dst)
	switch {
	case k <= scanK:
		seen := uint64(0) // bit i is set if an earlier position has the low 6 bits i
		for left := draws(k); left > 0 && len(dst)-start < k; left-- {
			p := reduce(s.next(), m)
			if seen>>(p&63)&1 == 0 || !slices.Contains(dst[start:], p) {
				dst = append(dst, p)
				seen |= 1 << (p & 63)
			}
		}
	case k <= smallK:
		var table [tableRoom * smallK]uint64
		dst = drawDistinct(dst, table[:], m, k, s)
	default:
		var table [tableRoom * bloomproof.MaxK]uint64
		dst = drawDistinct(dst, table[:], m, k, s)
	}
	if len(dst)-start < k {
		dst = appendByRank(dst, start, m, k, s)
	}
	return dst
}

// drawDistinct derives positions below m from the words of the stream s. It appends each new position to dst, and omits
// positions that it has derived before. It stops when it has appended k positions, or has used draws(k) words. The
// table records the positions found. At the call, all its entries must be zero. Its length must be a power of two, and
// at least 2*k.
func drawDistinct(dst, table []uint64, m uint64, k int, s *stream) []uint64 {
	mask := uint64(len(table) - 1)
	found := 0
	for left := draws(k); left > 0 && found < k; left-- {
		p := reduce(s.next(), m)
		slot := spread(p) >> 8 & mask
		for table[slot] != 0 && table[slot] != p+1 { // p+1, as 0 is an empty slot
			slot = (slot + 1) & mask
		}
		if table[slot] == 0 {
			table[slot] = p + 1
			dst = append(dst, p)
			found++
		}
	}
	return dst
}

// appendByRank chooses the positions that drawDistinct did not find. It adds positions below m to dst[start:] until
// there are k. Each new position is chosen by its rank among the positions that are not in dst[start:] yet.
func appendByRank(dst []uint64, start int, m uint64, k int, s *stream) []uint64 {
	taken := slices.Clone(dst[start:])
	slices.Sort(taken)
	for len(taken) < k {
		p := reduce(s.next(), m-uint64(len(taken)))
		// At first p is the rank of the new position among the free positions. The loop examines the taken positions in
		// increasing order. It adds 1 to p as long as the taken position is at most p.
		at := 0
		for at < len(taken) && taken[at] <= p {
			p++
			at++
		}
		taken = slices.Insert(taken, at, p)
		dst = append(dst, p)
	}
	return dst
}
