package occupancy

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// The cost of Window is the number of its probabilities, times their precision in bits. The constant windowLimit is the
// largest permitted cost. The number of nodes is about equal to the precision.
const windowLimit = 1 << 22

// Window returns the probabilities P[X = first], P[X = first+1], ... of the numbers of occupied urns. Each of them has
// an absolute width of about 2^-bits. It omits probabilities below and above this range. The sum of the omitted
// probabilities is at most about 2^-bits. The function "few" returns the list of P[X = x] for x = least..most. Window
// calls it only if there are few batches and few set bits.
func (o Distribution) Window(bits uint, few func(least, most uint64) ([]*interval.Interval, error)) (first uint64, p []*interval.Interval, err error) {
	nk := new(big.Int).Mul(o.N, big.NewInt(int64(o.K)))
	least, most := uint64(o.K), o.M
	if nk.IsUint64() {
		most = min(most, nk.Uint64())
	}
	empty := o.Empties()
	q := max(empty/float64(o.M), leastTail)
	sigma := math.Sqrt(empty * max(0, 1-q*(1-math.Log(q))))
	reach := math.Sqrt(2*float64(bits)*math.Ln2) + 2
	spread := reach*sigma + reach*reach/3 // the second term allows for skewness
	mean := float64(o.M) - empty
	if mean-spread > float64(least) {
		least = uint64(mean - spread)
	}
	if mean+spread < float64(most) {
		most = uint64(mean + spread)
	}
	count := most - least + 1
	if work := float64(count) * float64(bits); work > windowLimit {
		return 0, nil, refuse.TooCostly("the distribution of the set bits", work, windowLimit)
	}
	switch {
	case empty <= mostEmpties:
		p = o.emptiesList(least, most, bits)
	case most <= mostTerms: // there are few balls too, because with many balls more bits would be set
		p, err = few(least, most)
	default:
		p, err = o.windowIntegral(least, most, bits)
	}
	return least, p, err
}

// emptiesList returns P[X = x] for x = least..most by the method of EmptiesSum. P[X = x] is the probability that x urns
// are occupied. It computes one list of S_j, the mean number of ways to choose j empty urns. The list ends when 2^j S_j
// is small. The last term of each sum is C(j,e) S_j with e = m-x. This term is at most 2^j S_j, and it bounds the error
// of the sum.
func (o Distribution) emptiesList(least, most uint64, goal uint) []*interval.Interval {
	work := goal + uint(termBits*o.Empties()) + uint(o.N.BitLen()) + workSpare
	w := func() *interval.Interval { return interval.New(work) }
	limit := new(big.Float).SetMantExp(big.NewFloat(1), -precision.Cut(goal+restBits))
	var s []*interval.Interval
	choose, spare, t := w().SetUint64(1), w().SetUint64(1), w()
	lost := new(big.Float)
	for j := uint64(0); ; j++ {
		x := w().PowInt(spare, o.N)
		x.Mul(x, choose)
		s = append(s, x)
		if lost.SetMantExp(x.Hi(), int(j)); lost.Cmp(limit) <= 0 {
			break
		}
		left := o.M - j
		if left == 0 { // all terms were computed
			s, lost = append(s, w()), new(big.Float)
			break
		}
		spare.Mul(spare, t.SetUint64(left-min(uint64(o.K), left)))
		spare.Quo(spare, interval.New(boundBits).SetUint64(left))
		choose.Mul(choose, t.SetUint64(left))
		choose.Quo(choose, interval.New(boundBits).SetUint64(j+1))
	}
	slack := w().SetEnds(new(big.Float).Neg(lost), lost)
	p := make([]*interval.Interval, 0, most-least+1)
	c, f := new(big.Int), new(big.Int)
	for b := least; b <= most; b++ {
		e := o.M - b
		sum := w().Set(slack)
		c.SetInt64(1) // becomes C(j,e)
		for j := e; j < uint64(len(s))-1; j++ {
			t.SetInt(c)
			if t.Mul(t, s[j]); (j-e)&1 == 0 {
				sum.Add(sum, t)
			} else {
				sum.Sub(sum, t)
			}
			c.Mul(c, f.SetUint64(j+1))
			c.Quo(c, new(big.Int).SetUint64(j-e+1))
		}
		p = append(p, sum)
	}
	return p
}

// These constants affect only the running time, because the aliases are bounded. If the number of nodes is too small,
// it is increased by half.
const (
	windowSpare = 8    // extra bits of each probability, in addition to the requested bits
	windowWork  = 96   // extra bits for the rounding errors of F, and of the products over x
	windowTries = 8    // number of tries; 1.5^8 is 26 times the first number of nodes
	windowBell  = 2    // largest log of the ratio of the radius of the outer circle to m
	leastNodes  = 65   // least number of nodes; it is odd, so that no node is on the negative axis
	nearlyEmpty = 0.99 // above this fraction of empty urns, terms of the curvature cancel and a series is used
	nodeBits    = 80   // extra bits of a node compared with F, because the argument of F is up to m
)

// For the first value, the error of addNode is at most firstUlps ulps. Each step adds at most stepUlps*m/(m-most) +
// productUlps ulps to the error.
const (
	stepUlps    = 12
	productUlps = 2
	firstUlps   = 4
)

// windowIntegral returns P[X = x] for x = least..most. It uses the first integral of integral.go, and requires most <
// m. All integrals are over the circle of radius m. Because g(m) = 1, the integrand at angle 0 is m/(m-x) on this
// circle. So all integrals can use the same nodes. The integrand for x+1 is the integrand for x times (m-x)/(z-x-1).
//
// At a node, |z-x| >= m-x. So the modulus of the integrand for x is at most (m-least)/(m-x) times the modulus for x =
// least. On a circle of radius r1 < m the modulus grows with x. On a circle of radius r2 >= m+1 the modulus falls as x
// grows. So the integrands for x = most and for x = least bound the aliases for all x. Consider the integrand for the
// least x on the circle of radius r1. Suppose that its modulus falls as the angle grows. Then the same is true of the
// integrands for all x, on all circles that are used.
func (o Distribution) windowIntegral(least, most uint64, bits uint) ([]*interval.Interval, error) {
	from, to := &contour{Distribution: o, b: least}, &contour{Distribution: o, b: most}
	m := float64(o.M)
	if !from.falls(m) { // the modulus does not fall on the circle of radius r1 either
		return nil, refuse.TooCostly("the distribution of the set bits", math.Inf(1), windowLimit)
	}
	goal := bits + windowSpare + uint(math.Ceil(math.Log2(m/float64(o.M-most))))
	work := goal + uint(o.N.BitLen()) + uint(2*math.Log2(m/float64(o.M-most))) + windowWork
	point := func(r *interval.Interval) *interval.Complex { return interval.NewComplex(work).SetReal(r) }
	center := point(interval.New(work).SetUint64(o.M))
	scales := from.scale(work)
	value := func(f *contour, z *interval.Complex, scale *interval.Interval) *interval.Complex {
		v := f.log(z, work)
		v.Re.Add(&v.Re, scale)
		return v.Exp(v)
	}
	bits64 := float64(goal) * math.Ln2
	q := o.Empties() / m
	curvature := m * (1/q - 1 + math.Log(q)) // approximate curvature of log F along the circle
	if q > nearlyEmpty {                     // the terms above cancel
		curvature = m * (1 - q) * (1 - q) / 2
	}
	curvature = max(curvature, 1)
	nodes := uint64(math.Sqrt(curvature)*(math.Sqrt(2*bits64)+2))*2 + leastNodes
	limit := new(big.Float).SetMantExp(big.NewFloat(1), -precision.Cut(goal))
	// The next lines compute a bound of the aliases. They store it in the variable "alias". The mean over the nodes
	// contains the required Laurent coefficient. The other Laurent coefficients in this mean are the aliases.
	alias := interval.New(boundBits)
	ok := false
	for tries := 0; tries < windowTries && !ok; tries++ {
		bell := float64(nodes) / curvature
		r2 := interval.New(work).SetUint64(o.M)
		r2.Add(r2, interval.New(boundBits).SetEnds(big.NewFloat(1+m*math.Expm1(min(bell, windowBell))), big.NewFloat(1+m*math.Expm1(min(bell, windowBell)))))
		gap := min(-m*math.Expm1(-bell), outerPart*float64(o.M-most))
		r1 := interval.New(work).SetUint64(o.M)
		r1.Sub(r1, interval.New(boundBits).SetEnds(big.NewFloat(gap), big.NewFloat(gap)))
		if !from.falls(mid64(r1)) {
			break
		}
		alias.SetUint64(0)
		for _, side := range []struct {
			f     *contour
			r     *interval.Interval
			outer bool
		}{{from, r2, true}, {to, r1, false}} {
			t := interval.New(boundBits).Quo(&center.Re, side.r)
			if !side.outer {
				t.Quo(side.r, &center.Re)
			}
			t.PowInt(t, integer.Uint(nodes))
			bound := value(side.f, point(side.r), side.f.scale(work)).Abs()
			bound.Mul(bound, t)
			t.Sub(interval.New(boundBits).SetUint64(1), t)
			bound.Quo(bound, t)
			alias.Add(alias, bound)
		}
		if ok = alias.Valid() && alias.Hi().Cmp(limit) <= 0; !ok {
			nodes += nodes / 2
		}
	}
	if !ok {
		return nil, refuse.TooCostly("the distribution of the set bits", math.Inf(1), windowLimit)
	}
	sums := make([]big.Int, most-least+1)
	missed := new(big.Int) // bounds the error of each sum, in units of 2^-work
	step := interval.Angle(interval.New(work+workSpare), nodes)
	rest := interval.New(work)
	for l := uint64(0); l <= nodes/2; l++ {
		z := interval.NewComplex(work + nodeBits).SetReal(interval.New(work).SetUint64(o.M))
		if l > 0 {
			turn := interval.NewComplex(work + nodeBits)
			turn.Im.Mul(step, interval.New(work).SetUint64(l))
			turn.Exp(turn)
			z.Mul(z, turn)
		}
		v := value(from, z, scales)
		if !v.Valid() {
			return nil, refuse.TooCostly("the distribution of the set bits", math.Inf(1), windowLimit)
		}
		tail := v.Abs()
		tail.Mul(tail, interval.New(boundBits).SetUint64(o.M-least))
		tail.Quo(tail, interval.New(boundBits).SetUint64(o.M-most))
		if tail.Hi().Cmp(limit) <= 0 {
			rest = tail
			break
		}
		missed.Add(missed, o.addNode(sums, least, z, v, l > 0, work))
	}
	rest.Add(rest, alias)
	hi := rest.Hi()
	rest.SetEnds(new(big.Float).Neg(hi), hi)
	p := make([]*interval.Interval, len(sums))
	for i := range p {
		low := new(big.Int).Sub(&sums[i], missed)
		sums[i].Add(&sums[i], missed)
		p[i] = interval.New(work).SetScaled(low, &sums[i], -int(work))
		p[i].Quo(p[i], interval.New(work).SetUint64(nodes))
		p[i].Add(p[i], rest)
	}
	return p, nil
}

// addNode adds the integrand at the node z to the sums for x = least, least+1, and so on. The sums are in units of
// 2^-work. The argument v is the integrand for x = least. If the argument "twice" is true, the node has a conjugate,
// and addNode adds twice the real part. It returns a bound of the error of each sum.
//
// In fixed point, each step replaces v by v*(m-x+1)/(z-x). The real part and the imaginary part of this factor both
// have an error of less than 4 ulp. One ulp comes from the division and two come from z, because |z-x| >= 1. The
// modulus of the factor is at most (m-x+1)/(m-x). So all steps together enlarge an earlier error by a factor of at most
// (m-least)/(m-most). The modulus |v| is at most 2m/(m-most). Each step adds an error of 4*sqrt(2)*|v| ulp from the
// factor, and an error of 2 ulp from the products. In ulps, these errors add up to less than 2 + 12 m/(m-most).
func (o Distribution) addNode(sums []big.Int, least uint64, z, v *interval.Complex, twice bool, work uint) (missed *big.Int) {
	fixed := func(x *interval.Interval) *big.Int {
		f := x.Lo()
		i, _ := f.SetMantExp(f, int(work)).Int(nil)
		return i
	}
	re, im := fixed(&v.Re), fixed(&v.Im)
	a, c := fixed(&z.Re), fixed(&z.Im)
	unit := new(big.Int).Lsh(integer.One, work)
	t := new(big.Int).SetUint64(least)
	t.Mul(t, unit)
	a.Sub(a, t) // a and c are the real and the imaginary part of z-x
	c2 := new(big.Int).Mul(c, c)
	norm, up, wr, wi, x, y := new(big.Int), new(big.Int), new(big.Int), new(big.Int), new(big.Int), new(big.Int)
	for i := range sums {
		if i > 0 {
			a.Sub(a, unit)
			norm.Mul(a, a)
			norm.Add(norm, c2)
			up.SetUint64(o.M - least - uint64(i) + 1)
			up.Lsh(up, 2*work)
			wr.Mul(up, a)
			wr.Quo(wr, norm)
			wi.Mul(up, c)
			wi.Quo(wi, norm)
			wi.Neg(wi)
			x.Mul(re, wr)
			x.Sub(x, y.Mul(im, wi))
			y.Mul(re, wi)
			y.Add(y, t.Mul(im, wr))
			re.Rsh(x, work)
			im.Rsh(y, work)
		}
		sums[i].Add(&sums[i], re)
		if twice {
			sums[i].Add(&sums[i], re)
		}
	}
	// The number v is the integrand for x = least. Its error is the width of its enclosure plus one unit.
	width := v.Re.Width()
	width.Add(width, v.Im.Width())
	width.SetMantExp(width, int(work))
	missed, _ = width.Int(nil)
	last := o.M - least - uint64(len(sums)) + 1 // m - most
	ratio := func(n uint64) *big.Int { return t.SetUint64(n/last + 1) }
	perStep := new(big.Int).Mul(ratio(o.M), big.NewInt(stepUlps))
	perStep.Add(perStep, big.NewInt(productUlps))
	perStep.Mul(perStep, big.NewInt(int64(len(sums))))
	missed.Add(missed, perStep)
	missed.Add(missed, big.NewInt(firstUlps))
	missed.Mul(missed, ratio(o.M-least))
	return missed.Lsh(missed, 1)
}
