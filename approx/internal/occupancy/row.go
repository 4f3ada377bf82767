// Package occupancy computes the distribution of the number of urns that k balls occupy.
package occupancy

import (
	"sync"

	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// Let Y be the number of urns that are occupied after k balls fall into m urns at random. A Row holds the products of
// P[Y = i] and p^i in the following form:
//
//	P[Y = i] p^i = total w[most-i] p^k.
//
// Here P[Y = i] is S(k,i) m(m-1)...(m-i+1)/m^k. The numbers S(k,i) are the Stirling numbers of the second kind. The sum
// of the weights w is 1. The weights and the number "total" have relative errors of at most 8u (u = 2^-53). The terms
// that are left out at the ends of w add up to less than 2^-75 of the sum.
type Row struct {
	Most  int       // largest i
	W     []float64 // w[j] is the weight of i = most-j occupied urns
	Total fm.Scaled
}

// TableK is the largest k for which there are tables of Stirling numbers.
const TableK = 64

const (
	// tableRow ends at the first term that satisfies two conditions. First, the term is below tableEnd times the sum.
	// Second, the term divided by the term before it is below the constant "falling". The quotients of successive terms
	// decrease. So the omitted terms add up to less than 10 times this term, because 1/(1-falling) = 10. That is less
	// than 2^-76 of the sum.
	tableEnd = 0x1p-80
	falling  = 0.9

	// spreadEnd is tableEnd for Spread.
	spreadEnd = 0x1p-84

	// recursiveRow leaves out states whose value is below rowEnd times the largest value. For 4096 balls it goes
	// through at most 2^24 states. So at most 2^-76 of the sum is left out.
	rowEnd = 0x1p-100

	// recursiveRow multiplies its values by shrink = 2^-shrinkBits if the largest value exceeds 2^shrinkBits.
	shrinkBits = 300
)

// Stirling2 returns the Stirling numbers of the second kind S(k,i) for i <= k <= TableK. Each has a relative error of
// at most 2u (u = 2^-53). They satisfy S(k,i) = i S(k-1,i) + S(k-1,i-1).
var Stirling2 = sync.OnceValue(func() *triangle { return stirling(func(_, i int) int { return i }) })

// MostBalls is the largest number of balls for which there are tables of Stirling numbers. Only numbers of the second
// kind have tables beyond TableK.
const MostBalls = 128

// Stirling2Balls returns the same numbers as Stirling2, for i <= k <= MostBalls. They are below 2^560, so their
// products in the recursion are in the range of float64.
var Stirling2Balls = sync.OnceValue(func() *[MostBalls + 1][]float64 {
	t := new([MostBalls + 1][]float64)
	row := make([]fm.Double, MostBalls+1)
	row[0] = fm.Whole(1)
	t[0] = []float64{1}
	for k := 1; k <= MostBalls; k++ {
		t[k] = make([]float64, k+1)
		for i := k; i > 0; i-- {
			row[i] = row[i].MulFloat(float64(i)).Add(row[i-1])
			t[k][i] = row[i].Hi
		}
		row[0] = fm.Double{}
	}
	return t
})

// Stirling1 returns the absolute values c(k,i) of the Stirling numbers of the first kind, for i <= k <= TableK. Each
// has a relative error of at most 2u (u = 2^-53). They satisfy c(k,i) = (k-1) c(k-1,i) + c(k-1,i-1).
var Stirling1 = sync.OnceValue(func() *triangle { return stirling(func(k, _ int) int { return k - 1 }) })

// A triangle t holds a number t[k][i] for each i <= k <= TableK.
type triangle [TableK + 1][TableK + 1]float64

// The function "stirling" returns the numbers t(k,i) = factor(k,i) t(k-1,i) + t(k-1,i-1) with t(0,0) = 1.
func stirling(factor func(k, i int) int) *triangle {
	t := new(triangle)
	row := make([]fm.Double, TableK+1)
	row[0] = fm.Whole(1)
	t[0][0] = 1
	for k := 1; k <= TableK; k++ {
		for i := k; i > 0; i-- {
			row[i] = row[i].MulFloat(float64(factor(k, i))).Add(row[i-1])
			t[k][i] = row[i].Hi
		}
		row[0] = fm.Double{}
	}
	return t
}

// New returns the Row for k balls, m urns and the number p. It requires p <= 1 and 2 m p > min(m,k). Its accuracy
// suffices for the sum of w[j] i^power. Here i = k-j, and w[j] is the weight for i occupied urns.
//
// With x = 1/(m p) and i = k-j, the weights are proportional to S(k,i) x^j F(i). Here S(k,i) are Stirling numbers. F(i)
// is the probability that i balls fall into i different urns.
func New(m uint64, k int, p fm.Double, power int) Row {
	x := fm.Whole(1).Quo(fm.Whole(m).Mul(p))
	if k <= TableK {
		return tableRow(m, k, x)
	}
	return recursiveRow(m, k, x, power)
}

// tableRow computes a Row with the Stirling numbers S(k,i) of Stirling2, for k <= TableK. Powers and products are
// computed in two words. So the relative error of a weight has three parts. The number S contributes 2u (u = 2^-53),
// and one rounding contributes u. The third part comes from the division by the total. Together these are below 8u.
func tableRow(m uint64, k int, x fm.Double) Row {
	var apart [TableK + 1]fm.Double // F(i)
	apart[0] = fm.Whole(1)
	mf := fm.Whole(m)
	most := int(min(m, uint64(k)))
	for i := 1; i <= most; i++ {
		apart[i] = apart[i-1].Mul(fm.Whole(m - uint64(i-1)).Quo(mf))
	}
	s := &Stirling2()[k]
	w := make([]float64, 0, TableK)
	power, total := fm.Whole(1), fm.Double{}
	for range k - most {
		power = power.Mul(x)
	}
	for i := most; i > 0; i-- {
		term := power.Mul(apart[i]).MulFloat(s[i])
		w = append(w, term.Hi)
		total = total.Add(term)
		// As functions of i, the Stirling numbers, the F(i) and the powers are log-concave. So the quotients of
		// successive terms decrease.
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

// Spread computes P[Y = k-d] for 2 <= k <= TableK and m >= 4k. It stores the probability for d in w[d], and returns the
// number of probabilities that it stored. Each probability has a relative error of at most 8u (u = 2^-53). The
// probabilities that are left out are below 2^-80 in total.
//
// P[Y = k-d] is proportional to S(k,k-d)/((m-k+1)...(m-k+d)). The denominator is computed in two words, and S has a
// relative error of 2u. The errors of the product, of the total and of the quotient are the same as in tableRow. For m
// >= 2^53 each factor of the denominator is rounded. But then all terms except the first add up to less than 2^-42.
func Spread(m uint64, k int, w *[TableK]float64) int {
	s := &Stirling2()[k]
	rest := float64(m - uint64(k))
	power, total := fm.Whole(1), fm.Whole(1)
	w[0] = 1
	n := 1
	for ; n < k; n++ {
		power = power.QuoFloat(rest + float64(n))
		term := power.MulFloat(s[k-n])
		total = total.Add(term)
		w[n] = term.Hi
		if term.Hi < total.Hi*spreadEnd && term.Hi < falling*w[n-1] {
			break
		}
	}
	inverse := 1 / total.Hi
	for d := range w[:n] {
		w[d] *= inverse
	}
	return n
}

// SpreadFast computes the same probabilities as Spread in one word. The probability at index d has a relative error of
// at most (3k+6)u <= (4k+4)u (u = 2^-53). S has an error of 2u, and the denominator has an error of at most (k-1)u.
// Their product adds u. The total has an error of (2k+2)u, because it has at most k terms. The product with the inverse
// of the total adds 2u.
func SpreadFast(m uint64, k int, w *[TableK]float64) int {
	s := &Stirling2()[k]
	rest := float64(m - uint64(k))
	power, total := 1.0, 1.0
	w[0] = 1
	n := 1
	for ; n < k; n++ {
		power /= rest + float64(n)
		term := float64(power * s[k-n])
		total += term
		w[n] = term
		if term < total*spreadEnd && term < falling*w[n-1] {
			break
		}
	}
	inverse := 1 / total
	for d := range w[:n] {
		w[d] *= inverse
	}
	return n
}

// recursiveRow computes a Row for any k by adding k balls one by one. Suppose that b balls occupy i = b-j urns. Let
// A_b(j) be S(b,i) x^j F(i) (see New). Then
//
//	A_(b+1)(j) = A_b(j) (m-i)/m + A_b(j-1) (i+1) x.
//
// These are sums of positive terms in two words, with a relative error of at most 16 k v < 2^-86 (v = 2^-106). Only the
// states low <= j <= high are kept. Let c = x - 1/m. With each ball, the sum of A_b(j) over all j is multiplied by the
// mean of 1 + i c. So the contribution of a state to the final sum is A_b(j) times a factor. This factor decreases as j
// increases, and lies between 1 and (1 + kc)^(k-b). Let J be the state j with the largest A_b(j). Hence a state j > J
// can be left out if A_b(j) is below rowEnd times A_b(J). A state j < J can be left out if A_b(j), multiplied by the
// largest factor (1 + kc)^(k-b), is below this limit. If power > 0, the limit also takes into account the factor
// i^power. This factor decreases as j increases.
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
