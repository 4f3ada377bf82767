// Package falling computes logarithms of falling factorials z(z-1)...(z-j+1).
package falling

import (
	"math"
	"math/big"
	"sync"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

const (
	mostLeft     = 4                    // if z is near the segment, at most mostLeft times Far factors are multiplied
	boundBits    = interval.DefaultPrec // precision of a bound, for which the order of magnitude is enough
	abovePi      = 4
	restBits     = 8  // the remainder is at most 2^restBits ulps
	firstNumbers = 64 // number of Bernoulli numbers computed at first; when more are needed, it is doubled
)

// Far returns a distance. Suppose that z is at least this far from each of the numbers 0, 1, ..., j-1. Then the
// Euler-Maclaurin series in the function Log reaches the precision that the argument "work" gives in bits. Let B_2q be
// the Bernoulli numbers. At the distance d, term q of the series is |B_2q|/(2q(2q-1)) d^(1-2q). It is smallest for q
// near pi d. The smallest term is about e^(-2 pi d), which is below 2^-work for d >= work/9. At d = work/5, the series
// needs only a third of the number of terms that MostTerms returns. At low precision, the distance work/5 is too small.
// Therefore the code adds 16 to work/5.
func Far(work uint) uint64 { return uint64(work/5) + 16 }

// MostTerms returns an upper bound of the number of terms that the series needs at the distance Far(work). The
// remainder of the series is added to the result. If the series needed more terms, this remainder could be large.
func MostTerms(work uint) int { return int(work)/2 + 20 }

// Log returns the logarithm of z(z-1)...(z-j+1), up to a multiple of 2 pi i. The number z must lie off the real axis,
// or on the real axis to the right of j-1. If z is close to the segment [0, j-1], the series below may not reach the
// precision. In that case the result is not Valid.
//
// The last few factors are multiplied. The logarithms of the others are summed by the Euler-Maclaurin formula. This
// formula has a parameter p >= 1. Let f(t) = log(z-t). Then the formula is:
//
//	sum over i = 0..x of f(i) = integral of f + (f(0)+f(x))/2
//	    - sum over q = 1..p of B_2q/(2q(2q-1)) [(z-x)^(1-2q) - z^(1-2q)] + R.
//
// The remainder R has the following bound:
//
//	|R| <= (|B_2p|/(2p)) * [integral over [0,x] of |z-t|^-2p dt]
//	    <= (|B_2p|/(2p)) pi d^(1-2p).
//
// Here B_2q is a Bernoulli number, and d is the distance of z from the segment [0,x]. The bound is proved as follows.
// Consider the whole line through the segment. The integral of |z-t|^-2p over this line is at most pi d^(1-2p).
func Log(z *interval.Complex, j uint64, work uint) *interval.Complex {
	sum := interval.NewComplex(work)
	if j == 0 {
		return sum
	}
	enough := Far(work)
	last := j // the number of factors that are multiplied directly
	if j > 2*enough {
		im, _ := z.Im.Lo().Float64()
		beyond := interval.New(work).SetUint64(j)
		lack, _ := beyond.Sub(beyond, &z.Re).Hi().Float64()
		last = 0
		if short := float64(enough) + lack; z.Re.Sign() > 0 && short > 0 && math.Abs(im) < float64(enough) {
			if last = uint64(short); short > mostLeft*float64(enough) {
				last = mostLeft * enough
			}
			last = min(last, j)
		}
	}
	if last < j {
		x := interval.New(work).SetUint64(j - last - 1)
		far := interval.NewComplex(work).SetReal(x)
		far.Sub(z, far) // far = z - x
		logs := [2]*interval.Complex{interval.NewComplex(work).Log(z), interval.NewComplex(work).Log(far)}
		half := big.NewFloat(0.5)
		for i, w := range []*interval.Complex{z, far} {
			// The next lines compute the term (w ± 1/2) log w twice. First w is z, and then w is z-x.
			shifted := interval.NewComplex(work).SetReal(interval.New(work).SetEnds(half, half))
			if i == 0 {
				shifted.Add(w, shifted)
				shifted.Mul(shifted, logs[i])
				sum.Add(sum, shifted)
			} else {
				shifted.Sub(w, shifted)
				shifted.Mul(shifted, logs[i])
				sum.Sub(sum, shifted)
			}
		}
		sum.Re.Sub(&sum.Re, x)
		sum.Sub(sum, stirlingTail(z, far, x, work))
	}
	if last == 0 {
		return sum
	}
	product := factors(z, j-last, j, work)
	product.Log(product)
	return sum.Add(sum, product)
}

// The function "factors" returns the product of z-i over i = from..to-1. It computes the products over the two halves
// of this range recursively, and multiplies them. If the factors were multiplied one after the other, each
// multiplication would enlarge the rectangle of the product.
func factors(z *interval.Complex, from, to uint64, work uint) *interval.Complex {
	if to-from == 1 {
		i := interval.NewComplex(work).SetReal(interval.New(work).SetUint64(from))
		return i.Sub(z, i)
	}
	half := from + (to-from)/2
	p := factors(z, from, half, work)
	return p.Mul(p, factors(z, half, to, work))
}

// stirlingTail returns the sum of the terms with the Bernoulli numbers B_2q in the formula of Log, including the
// remainder. The argument "far" is z-x.
func stirlingTail(z, far *interval.Complex, x *interval.Interval, work uint) *interval.Complex {
	mostTerms := MostTerms(work)
	d := segmentDistance(z, far, x, work)
	sum := interval.NewComplex(work)
	if d.Sign() <= 0 {
		sum.Re.Quo(x, interval.New(work)) // not Valid
		return sum
	}
	inverse := interval.New(work).Quo(interval.New(work).SetUint64(1), d)
	reach := interval.New(boundBits).SetUint64(abovePi) // at least pi d^(1-2p), first for p = 1
	reach.Mul(reach, inverse)
	powers := [2]*interval.Complex{interval.NewComplex(work).Inv(far), interval.NewComplex(work).Inv(z)}
	squares := [2]*interval.Complex{}
	for i, p := range powers {
		squares[i] = interval.NewComplex(work).Mul(p, p)
	}
	inverse.Mul(inverse, inverse)
	term := interval.NewComplex(work)
	for q := 1; q <= mostTerms; q++ {
		b := interval.New(work).SetRat(BernoulliTerm(q))
		term.Sub(powers[0], powers[1])
		term.Scale(term, b)
		sum.Add(sum, term)
		// Let b = B_2q/(2q(2q-1)), where B_2q is a Bernoulli number. Then |B_2q|/(2q) = |b| (2q-1).
		rest := interval.New(boundBits).Mul(interval.New(boundBits).Set(b), interval.New(boundBits).SetUint64(uint64(2*q-1)))
		if rest.Mul(rest, reach); rest.Sign() < 0 {
			rest.Neg(rest)
		}
		if r := rest.Hi(); r.MantExp(nil) < -precision.Cut(work)+restBits || q == mostTerms {
			minus := new(big.Float).Neg(r)
			sum.Re.Add(&sum.Re, interval.New(boundBits).SetEnds(minus, r))
			sum.Im.Add(&sum.Im, interval.New(boundBits).SetEnds(minus, r))
			if z.IsReal() {
				sum.Im.SetUint64(0)
			}
			break
		}
		reach.Mul(reach, inverse)
		for i := range powers {
			powers[i].Mul(powers[i], squares[i])
		}
	}
	return sum
}

// segmentDistance returns an interval whose lower end is a lower bound of the distance of z from [0,x]. The argument
// "far" is z-x.
func segmentDistance(z, far *interval.Complex, x *interval.Interval, work uint) *interval.Interval {
	switch {
	case far.Re.Sign() > 0:
		return far.Abs()
	case z.Re.Sign() < 0:
		return z.Abs()
	}
	im := interval.New(work).Set(&z.Im)
	if im.Sign() < 0 {
		im.Neg(im)
	}
	return im
}

// The variable "bernoulli" stores B_2q/(2q(2q-1)) at index q, where B_2q is a Bernoulli number.
var bernoulli struct {
	sync.Mutex
	terms []*big.Rat
}

// BernoulliTerm returns B_2q/(2q(2q-1)) for q >= 1, where B_2q is a Bernoulli number. It uses the tangent numbers T_q:
// B_2q = (-1)^(q-1) 2q T_q/(4^q (4^q-1)).
func BernoulliTerm(q int) *big.Rat {
	b := &bernoulli
	b.Lock()
	defer b.Unlock()
	if q >= len(b.terms) {
		size := max(firstNumbers, 2*q)
		t := make([]*big.Int, size)
		t[1] = big.NewInt(1)
		f, g := new(big.Int), new(big.Int)
		for i := 2; i < size; i++ {
			t[i] = new(big.Int).Mul(t[i-1], f.SetInt64(int64(i-1)))
		}
		for i := 2; i < size; i++ {
			for j := i; j < size; j++ {
				g.Mul(t[j-1], f.SetInt64(int64(j-i)))
				t[j].Mul(t[j], f.SetInt64(int64(j-i+2)))
				t[j].Add(t[j], g)
			}
		}
		b.terms = make([]*big.Rat, size)
		for i := 1; i < size; i++ {
			power := new(big.Int).Lsh(integer.One, uint(2*i))
			den := new(big.Int).Sub(power, integer.One)
			den.Mul(den, power).Mul(den, f.SetInt64(int64(2*i-1)))
			if i&1 == 0 {
				t[i].Neg(t[i])
			}
			b.terms[i] = new(big.Rat).SetFrac(t[i], den)
		}
	}
	return b.terms[q]
}
