package approx

import "github.com/bloomproof/bloomproof/approx/internal/fm"

// The function classicSparse accepts at most these numbers of positions and items. It also requires n k^2 <=
// mostSparseWork, so that it takes at most about a microsecond.
const (
	mostSparseK    = 23
	mostSparseN    = 32
	mostSparseWork = 2500
)

// classicSparse computes the rate f of a classic filter with few items, where kn <= m/4 and n >= 2. The result ok is
// false if there are too many items or positions, or if m > 2^53.
//
// It follows the number of clear bits among the k positions of the queried item. Suppose that j
// of them are clear. The next item sets h of these j positions with the probability
//
//	T(j,h) = C(j,h) C(m-j,k-h)/C(m,k).
//
// The rate f is the probability that none of the k positions is clear after n items. All terms are positive. Each
// T(j,h) is multiplied by scale^h, where scale is a power of 2 near m/k. This keeps all numbers in the range of
// float64, and multiplies f by scale^k.
//
// Error: relative, at most (3n + 5k + 2)u (u = 2^-53). T(j,0) is the product of (m-k-i)/(m-i) over i < j. This product
// is computed in two words and rounded once. T(j,h) has an error of (1+4h)u, because the quotient T(j,h+1)/T(j,h) has
// an error of 3u. The rate f is a sum over paths that begin at k and end at 0. Each path contributes a product of n
// numbers T(j,h). Along such a path the numbers h add up to k. At each step the terms are added from the largest h on.
// So each term is rounded by at most h+1 additions. Each step of a path adds three errors. The number T contributes 1 +
// 4h, the product contributes 1, and the additions contribute at most h+1. The error of a path is at most the sum of
// the contributions of all its steps.
func classicSparse(m, n uint64, k int) (f fm.Scaled, ok bool) {
	kk := uint64(k)
	if k > mostSparseK || n > mostSparseN || n*kk*kk > mostSparseWork || m < 4*n*kk || m > 1<<53 {
		return f, false
	}
	var table [(mostSparseK + 1) * (mostSparseK + 2) / 2]float64 // T(j,h) at index j(j+1)/2 + h
	scale, log2 := 1.0, 0
	for ; scale < float64(m)/float64(k); log2++ {
		scale *= 2
	}
	clear := fm.Whole(1)
	row := table[:]
	mf, kf := float64(m), float64(k)
	for j := range k + 1 {
		jf := float64(j)
		t := clear.Hi
		for h := range j + 1 {
			row[h] = t
			hf := float64(h)
			t *= (jf - hf) * (kf - hf) * scale / ((hf + 1) * (mf - (jf + kf - hf - 1)))
		}
		row = row[j+1:]
		clear = clear.MulFloat(float64(m - kk - uint64(j))).QuoFloat(float64(m - uint64(j)))
	}
	var p [mostSparseK + 1]float64 // p[j] belongs to j clear bits
	p[k] = 1
	for range n {
		var next [mostSparseK + 1]float64
		for j := k; j >= 0; j-- {
			if x := p[j]; x != 0 {
				for h, t := range table[j*(j+1)/2:][:j+1] {
					next[j-h] += float64(x * t)
				}
			}
		}
		p = next
	}
	f = fm.Double{Hi: p[0]}.Scale()
	f.Exp -= k * log2
	return f, true
}
