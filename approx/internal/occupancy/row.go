// Package occupancy computes the distribution of the number of urns that k balls occupy.
package occupancy

import (
	"sync"

	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// k balls fall into m urns. Let Y be the number of occupied urns. A Row is the distribution of Y, tilted by p^Y:
//
//	P[Y = i] p^i = S(k,i) m(m-1)...(m-i+1)/m^k p^i = total w[most-i] p^k
//
// with weights w that sum to 1. Each w, and total, is within 8u (u = 2^-53). The terms left out at the ends of w are
// below 2^-75 of the sum.
type Row struct {
	Most  int       // largest i
	W     []float64 // w[j] is the weight of i = most-j occupied urns
	Total fm.Scaled
}

// The table keeps Stirling numbers for k up to tableK.
const tableK = 64

const (
	// A row from the table ends at a term that is below tableEnd times the sum and below falling times the term before
	// it. The ratios of successive terms decrease. So the terms left out add up to less than 1/(1-falling) = 10 times
	// that term, or 2^-76 of the sum.
	tableEnd = 0x1p-80
	falling  = 0.9

	// rowEnd is the size, relative to the largest state, below which states of a recursive row are cut off. 4096 balls
	// have 2^24 states, so the total cut off is 2^-76.
	rowEnd = 0x1p-100

	// A recursive row is scaled by shrink = 2^-shrinkBits if it exceeds 2^shrinkBits.
	shrinkBits = 300
)

// stirlingTable returns the Stirling numbers of the second kind S(k,i) for i <= k <= tableK, each within 2u (u =
// 2^-53).
var stirlingTable = sync.OnceValue(func() *[tableK + 1][tableK + 1]float64 {
	t := new([tableK + 1][tableK + 1]float64)
	row := make([]fm.Double, tableK+1)
	row[0] = fm.Whole(1)
	t[0][0] = 1
	for k := 1; k <= tableK; k++ {
		for i := k; i > 0; i-- {
			row[i] = row[i].MulFloat(float64(i)).Add(row[i-1])
			t[k][i] = row[i].Hi
		}
		row[0] = fm.Double{}
	}
	return t
})

// New returns the row of k balls among m urns, tilted by p <= 1 with 2 m p > min(m,k). It is accurate enough for sums
// of w[j] i^power.
//
// With x = 1/(m p) and i = k-j, the terms are S(k,i) x^j times F(i). F(i) is the probability that i balls fall into i
// different urns.
func New(m uint64, k int, p fm.Double, power int) Row {
	x := fm.Whole(1).Quo(fm.Whole(m).Mul(p))
	if k <= tableK {
		return tableRow(m, k, x)
	}
	return recursiveRow(m, k, x, power)
}

// tableRow takes the Stirling numbers S from the table. Powers and products have two words. So the error of a term
// consists of 2u (u = 2^-53) from S, one rounding, and the error of the division by the total. Together these are below
// 8u.
func tableRow(m uint64, k int, x fm.Double) Row {
	var apart [tableK + 1]fm.Double // F(i)
	apart[0] = fm.Whole(1)
	mf := fm.Whole(m)
	most := int(min(m, uint64(k)))
	for i := 1; i <= most; i++ {
		apart[i] = apart[i-1].Mul(fm.Whole(m - uint64(i-1)).Quo(mf))
	}
	s := &stirlingTable()[k]
	w := make([]float64, 0, tableK)
	power, total := fm.Whole(1), fm.Double{}
	for range k - most {
		power = power.Mul(x)
	}
	for i := most; i > 0; i-- {
		term := power.Mul(apart[i]).MulFloat(s[i])
		w = append(w, term.Hi)
		total = total.Add(term)
		// The Stirling numbers, the F(i) and the powers are log-concave, so the ratios of successive terms decrease.
		if last := len(w) - 1; last > 0 && term.Hi < total.Hi*tableEnd && term.Hi < falling*w[last-1] {
			break
		}
		power = power.Mul(x)
	}
	for j := range w {
		w[j] /= total.Hi
	}
	return Row{most, w, total.Scale()}
}

// recursiveRow adds k balls one by one. For b balls in i = b-j urns,
//
//	A_(b+1)(j) = A_b(j) (m-i)/m + A_b(j-1) (i+1) x,
//
// These are sums of positive terms in two words, within 16 k v < 2^-86. Only low <= j <= high are kept. A ball
// multiplies the sum over all j by the mean of 1 + i c, c = x - 1/m. So the contribution of a state to the final sum is
// A_b(j) times a factor that falls with j and lies between 1 and (1 + kc)^(k-b). Hence a state at the end may be
// dropped if it comes after the largest A_b and is below rowEnd times the largest A_b. A state at the beginning may be
// dropped if it is below this limit even after multiplication by the largest such factor. For p = 1 there is another
// factor, i^power. It falls with j, by at most its largest ratio.
func recursiveRow(m uint64, k int, x fm.Double, power int) Row {
	const shrink, none = 0x1p-300, 0x1p-900 // numbers below none count as 0, because subnormal numbers would be slow
	stay, join := make([]fm.Double, k), make([]fm.Double, k+1)
	inverse := fm.Whole(1).Quo(fm.Whole(m))
	for i := range k {
		join[i] = x.MulFloat(float64(i))
		if uint64(i) < m {
			stay[i] = fm.Whole(m - uint64(i)).Mul(inverse)
		}
	}
	gain := fm.Log1p(float64(k) * max(0, x.Sub(inverse).Hi))
	a := make([]fm.Double, k+1)
	a[0] = fm.Whole(1)
	low, high, exp := 0, 0, 0
	for b := range k {
		high = min(high+1, b)
		largest, at := 0.0, 0
		for j := high; j >= low; j-- { // i = b-j
			z := a[j].Mul(stay[b-j])
			if j > low {
				z = z.Add(a[j-1].Mul(join[b-j+1]))
			}
			if z.Hi < none {
				z = fm.Double{}
			}
			a[j] = z
			if z.Hi > largest {
				largest, at = z.Hi, j
			}
		}
		for ; high > at && a[high].Hi < rowEnd*largest; high-- {
			a[high] = fm.Double{}
		}
		cut := rowEnd * largest * fm.Exp(-gain*float64(k-b-1))
		if power > 0 {
			cut *= fm.Exp(float64(power) * fm.Log(float64(b+1-at)/float64(min(m, uint64(k)))))
		}
		for ; low < at && a[low].Hi <= cut; low++ {
			a[low] = fm.Double{}
		}
		if largest > 1/shrink {
			for j := low; j <= high; j++ {
				a[j] = fm.Double{Hi: a[j].Hi * shrink, Lo: a[j].Lo * shrink}
			}
			exp += shrinkBits
		}
	}
	total := fm.Double{}
	for j := high; j >= low; j-- {
		total = total.Add(a[j])
	}
	w := make([]float64, high-low+1)
	for j := range w {
		w[j] = a[low+j].Hi / total.Hi
	}
	return Row{k - low, w, fm.Scaled{Double: total, Exp: exp}}
}
