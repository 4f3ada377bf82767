package exact

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// A filter is a random array of m bits. Given how many are set, all arrays of a standard
// or classic filter are equally probable, so the array's entropy is
//
//	H = H(X) + E[log2 C(m,X)] = sum over x of P[X = x] log2 (C(m,x)/P[X = x]),
//
// and a partitioned filter is k independent slices. No code of the array is shorter than H
// in the mean, and the enumerative one, X and then the array's number among those with X
// set bits, is at most log2(m+1) - H(X) + 2 bits longer.

// windowLimit bounds the work of ArrayEntropy: numbers of set bits times bits of each
// probability, which are about the nodes too.
const windowLimit = 1 << 22

// ArrayEntropy returns the entropy in bits of the whole array of a filter of shape g after
// n insertions.
//
// Source: Fan (10), printed with two signs, applied to the array (there "the entropy E of
// the Bloom filter"); Burns 4.3 at n = 1, where for classic hashing it is log2 C(m,k), so
// that the efficiency of the compressed filter is 1. Fan's m times (11) is an upper bound,
// as for any bits that depend on each other.
//
// What it says of Fan's Theorem 1, that a filter whose entropy is not at its maximum can be
// replaced by a smaller filter with the same answers: refuted, already without asking that
// the replacement be a Bloom filter. At m = 2, k = 1, n = 2 the entropy is 3/2 < 2, but the
// array takes three values and no single bit tells them apart. Entropy bounds the mean
// length of a code, not its longest word. A shorter array of fixed length exists if and
// only if at most 2^(m-1) arrays can occur, for nk <= (m-1)/2 for certain.
// Domain: g valid; any n; prec 1 to 1024 bits.
// Error: relative width at most 2^-prec; exactly 0 where only one array can occur.
// Cost: some 20 standard deviations of X times about prec nodes of an integral each; one
// logarithm for each; measured: see BenchmarkArrayEntropy.
// Errors: *bloomproof.ParamError; ErrTooCostly beyond 2^22 numbers of set bits times bits,
// for 17 digits m about 2^23, and for classic hashing where an item sets so large a part of all bits that
// the integrals are not enclosed.
func ArrayEntropy(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	if err := checkEntropy(g, prec); err != nil {
		return Enclosure{}, err
	}
	o, times, one := arrayLaw(g, n)
	if one {
		return exactlyInt(0, prec), nil
	}
	e, err := expectation(o, prec, func(x uint64, choose, p *interval.Interval) *interval.Interval {
		return choose.Sub(choose, log2(p)) // log2 (C(m,x)/p)
	})
	if err != nil {
		return Enclosure{}, err
	}
	x := interval.New(prec + 8)
	return around(x.Mul(e, x.SetUint64(times))), nil
}

func checkEntropy(g bloomproof.Geometry, prec uint) error {
	const most = 1024
	if err := g.Validate(); err != nil {
		return err
	}
	if prec < 1 || prec > most {
		return &bloomproof.ParamError{Param: "prec", Value: prec, Want: fmt.Sprintf("between 1 and %d bits", most)}
	}
	return nil
}

// arrayLaw returns the law of the set bits of the array, or of each of so many slices, and
// whether only one array can occur.
func arrayLaw(g bloomproof.Geometry, n uint64) (o occupancy, times uint64, one bool) {
	o, times = law(g, n), 1
	if g.Hashing == bloomproof.Partitioned {
		o, times = occupancy{m: g.M / uint64(g.K), n: u(n), k: 1}, uint64(g.K)
	}
	return o, times, n == 0 || o.m == uint64(o.k)
}

// log2 sets x to its logarithm of base 2 and returns it.
func log2(x *interval.Interval) *interval.Interval {
	two := interval.New(x.Prec()).SetUint64(2)
	return x.Quo(x.Log(x), two.Log(two))
}

// CompressedEfficiency returns the efficiency of a filter whose array is compressed to its
// entropy, n log2(1/f)/H.
//
// Source: Burns 4.3 with (69). At n = 1 with classic hashing it is 1 for every k, by
// f = 1/C(m,k); whole bits are ceil(log2 C(m,k)), so 1 is reached only where that is an
// integer.
// Domain, Cost, Errors: as ArrayEntropy, n >= 1; ErrUndefined where the entropy is 0.
// Error: relative width at most 2^-prec.
func CompressedEfficiency(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	if err := checkEntropy(g, prec); err != nil {
		return Enclosure{}, err
	}
	if _, _, one := arrayLaw(g, n); one {
		return Enclosure{}, undefined("compressed efficiency", "only one array can occur")
	}
	f, err := Log2(Rate, g, n, prec+8)
	if err != nil {
		return Enclosure{}, err
	}
	h, err := ArrayEntropy(g, n, min(prec+8, 1024))
	if err != nil {
		return Enclosure{}, err
	}
	x := interval.New(prec+40).Quo(f.interval(), h.interval())
	x.Mul(x, interval.New(prec+40).SetUint64(n))
	return around(x.Neg(x)), nil
}

// EnumerativeBits returns the length in bits of the number of an array among those of m
// bits with b set: ceil(log2 C(m,b)).
//
// Source: Burns 4.3, where it is log2 C(m,k) without rounding up.
// Domain: 0 <= b <= m, m >= 1.
// Error: none: C(m,b) is no power of two for 2 <= b <= m-2 (Sylvester), so the enclosure
// of its logarithm leaves out all integers in the end.
// Cost: a few logarithms.
// Errors: *bloomproof.ParamError.
func EnumerativeBits(m, b uint64) (*big.Int, error) {
	switch {
	case m < 1:
		return nil, &bloomproof.ParamError{Param: "m", Value: m, Want: "between 1 and 2^64-1"}
	case b > m:
		return nil, &bloomproof.ParamError{Param: "bits", Value: b, Want: fmt.Sprintf("at most m = %d", m)}
	}
	switch min(b, m-b) {
	case 0:
		return new(big.Int), nil
	case 1:
		return big.NewInt(int64(bits.Len64(m - 1))), nil
	}
	for work := uint(160); ; work *= 2 {
		x := log2Choose(m, b, work)
		lo, _ := x.Lo().Int(nil)
		hi, _ := x.Hi().Int(nil)
		if lo.Cmp(hi) == 0 {
			return lo.Add(lo, one), nil
		}
	}
}

// log2Choose returns log2 C(m,b), 1 <= b < m.
func log2Choose(m, b uint64, work uint) *interval.Interval {
	b = min(b, m-b)
	over := interval.NewComplex(work).SetReal(interval.New(work).SetUint64(m))
	x := logFalling(over, b, work)
	under := interval.NewComplex(work).SetReal(interval.New(work).SetUint64(b))
	x.Sub(x, logFalling(under, b, work))
	two := interval.New(work).SetUint64(2)
	return x.Re.Quo(&x.Re, two.Log(two))
}

// EnumerativeLength returns the mean length in bits of the enumerative code of a filter's
// array: the number of set bits in ceil(log2(m+1)) bits, then the array's number among
// those with so many set bits, in EnumerativeBits. For partitioned hashing the slices are
// coded one by one.
//
// Source: Burns 4.3, "each possibility can be identified by an integer between 1 and
// C(m,k)", for any number of set bits.
// Domain, Error, Cost, Errors: as ArrayEntropy.
func EnumerativeLength(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	if err := checkEntropy(g, prec); err != nil {
		return Enclosure{}, err
	}
	o, times, one := arrayLaw(g, n)
	header := uint64(bits.Len64(o.m))
	if one {
		return exactly(new(big.Rat).SetInt(new(big.Int).Mul(u(header), u(times))), prec), nil
	}
	var failed error
	e, err := expectation(o, prec, func(x uint64, choose, p *interval.Interval) *interval.Interval {
		length, _ := choose.Lo().Int(nil)
		if hi, _ := choose.Hi().Int(nil); hi.Cmp(length) == 0 && min(x, o.m-x) > 1 { // no integer inside
			return choose.SetInt(length.Add(length, u(header+1)))
		}
		length, err := EnumerativeBits(o.m, x)
		if err != nil {
			failed = err
			return choose
		}
		return choose.SetInt(length.Add(length, u(header)))
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		return Enclosure{}, err
	}
	x := interval.New(prec + 8)
	return around(x.Mul(e, x.SetUint64(times))), nil
}

// expectation returns E[f(X)], to a relative width of 2^-prec, for an f that is given x,
// log2 C(m,x) and P[X = x], at least the entropy of the array if x were certain, and at
// most m + 64 + log2 1/P[X = x].
func expectation(o occupancy, prec uint, f func(x uint64, choose, p *interval.Interval) *interval.Interval) (*interval.Interval, error) {
	for asked, tries := prec+uint(bits.Len64(o.m))+16, 0; tries < 4; tries++ {
		first, p, err := o.window(asked)
		if err != nil {
			return nil, err
		}
		sum, mass := interval.New(asked+32), interval.New(asked+32)
		choose := interval.New(asked + 64)
		for i, px := range p {
			x := first + uint64(i)
			if i%256 == 0 { // afresh, before roundings add up
				choose = logChooseOrZero(o.m, x, asked+64)
			} else { // times (m-x+1)/x
				ratio := interval.New(asked + 64).SetUint64(o.m - x + 1)
				choose.Add(choose, log2(ratio.Quo(ratio, interval.New(asked+64).SetUint64(x))))
			}
			if px.Sign() <= 0 {
				continue // in the mass that is missing
			}
			low := px.Lo()
			mass.Add(mass, interval.New(asked).SetEnds(low, low))
			t := f(x, interval.New(asked+32).Set(choose), interval.New(asked+32).Set(px))
			sum.Add(sum, t.Mul(t, px))
		}
		// Arrays of probability eps in all add at most eps (m + 64 + log2 1/eps).
		eps := mass.Sub(mass.SetPrec(asked+32), interval.New(64).SetUint64(1))
		eps.Neg(eps)
		if eps.Hi().Sign() > 0 {
			top := interval.New(64).SetEnds(eps.Hi(), eps.Hi())
			part := log2(interval.New(64).Set(top))
			part.Sub(interval.New(64).SetUint64(o.m), part)
			part.Add(part, interval.New(64).SetUint64(64))
			part.Mul(part, top)
			sum.Add(sum, part.SetEnds(new(big.Float), part.Hi()))
		}
		if got := sum.RelBits(); got >= int(prec) {
			return sum, nil
		} else {
			asked += prec - uint(min(got, int(prec))) + 8
		}
	}
	return nil, fmt.Errorf("the entropy is not enclosed to 2^-%d: %w", prec, ErrPrecision)
}

func logChooseOrZero(m, x uint64, work uint) *interval.Interval {
	if x == 0 || x == m {
		return interval.New(work)
	}
	return log2Choose(m, x, work)
}

// window returns P[X = first], P[X = first+1], ..., each with an absolute width of about
// 2^-bits, up to where the rest of the law is about that small.
func (o occupancy) window(bits uint) (first uint64, p []*interval.Interval, err error) {
	nk := new(big.Int).Mul(o.n, big.NewInt(int64(o.k)))
	least, most := uint64(o.k), o.m
	if nk.IsUint64() {
		most = min(most, nk.Uint64())
	}
	empty := o.empties()
	q := max(empty/float64(o.m), 1e-300)
	sigma := math.Sqrt(empty * max(0, 1-q*(1-math.Log(q))))
	reach := math.Sqrt(2*float64(bits)*math.Ln2) + 2
	spread := reach*sigma + reach*reach/3 // and the skewness
	mean := float64(o.m) - empty
	if mean-spread > float64(least) {
		least = uint64(mean - spread)
	}
	if mean+spread < float64(most) {
		most = uint64(mean + spread)
	}
	count := most - least + 1
	if work := float64(count) * float64(bits); work > windowLimit {
		return 0, nil, tooCostly("the law of the set bits", work, windowLimit)
	}
	switch {
	case empty <= mostEmpties:
		p = o.emptiesList(least, most, bits)
	case most <= 512: // and few balls, or fewer bits would be unset
		p, err = o.list(least, most, bits)
	default:
		p, err = o.windowIntegral(least, most, bits)
	}
	return least, p, err
}

// emptiesList returns what emptiesSum does for x = least..most exactly, from one list of
// S_j = C(m,j) r_j^n: up to the j where 2^j S_j, which is at least C(j,e) S_j, the last term
// of every sum and so its error, is small.
func (o occupancy) emptiesList(least, most uint64, goal uint) []*interval.Interval {
	work := goal + uint(3*o.empties()) + uint(o.n.BitLen()) + 64
	w := func() *interval.Interval { return interval.New(work) }
	limit := new(big.Float).SetMantExp(big.NewFloat(1), -int(goal)-4)
	var s []*interval.Interval
	choose, spare, t := w().SetUint64(1), w().SetUint64(1), w()
	lost := new(big.Float)
	for j := uint64(0); ; j++ {
		x := w().PowInt(spare, o.n)
		s = append(s, x.Mul(x, choose))
		if lost.SetMantExp(x.Hi(), int(j)); lost.Cmp(limit) <= 0 {
			break
		}
		left := o.m - j
		if left == 0 { // all terms are there
			s, lost = append(s, w()), new(big.Float)
			break
		}
		spare.Quo(spare.Mul(spare, t.SetUint64(left-min(uint64(o.k), left))), interval.New(64).SetUint64(left))
		choose.Quo(choose.Mul(choose, t.SetUint64(left)), interval.New(64).SetUint64(j+1))
	}
	slack := w().SetEnds(new(big.Float).Neg(lost), lost)
	p := make([]*interval.Interval, 0, most-least+1)
	c, f := new(big.Int), new(big.Int)
	for b := least; b <= most; b++ {
		e := o.m - b
		sum := w().Set(slack)
		c.SetInt64(1) // C(j,e)
		for j := e; j < uint64(len(s))-1; j++ {
			t.SetInt(c)
			if t.Mul(t, s[j]); (j-e)&1 == 0 {
				sum.Add(sum, t)
			} else {
				sum.Sub(sum, t)
			}
			c.Quo(c.Mul(c, f.SetUint64(j+1)), new(big.Int).SetUint64(j-e+1))
		}
		p = append(p, sum)
	}
	return p
}

// list returns P[X = least], ..., P[X = most] as Law has them.
func (o occupancy) list(least, most uint64, bits uint) ([]*interval.Interval, error) {
	l, err := Committee(o.m, uint64(o.k), o.n.Uint64())
	if err != nil {
		return nil, err
	}
	var p []*interval.Interval
	for x := least; x <= most; x++ {
		e, err := l.PMF(x, bits, Auto)
		if err != nil {
			return nil, err
		}
		p = append(p, interval.New(bits+8).Set(e.interval()))
	}
	return p, nil
}

// windowIntegral returns P[X = x] for x = least..most < m by the first integral of
// contour.go, all on the circle of radius m: there the integrand at angle 0 is m/(m-x),
// since g(m) = 1, so that one set of nodes serves, and from one x to the next the
// integrand is multiplied by (m-x)/(z-x-1).
//
// Its modulus at a node is at most that of the first x times (m-least)/(m-x), because
// |z-x| >= m-x. On a circle of radius r1 < m it grows with x, and on one of radius
// r2 >= m+1 it falls, so the last and the first x bound the aliases of all.
func (o occupancy) windowIntegral(least, most uint64, bits uint) ([]*interval.Interval, error) {
	from, to := &contour{occupancy: o, b: least}, &contour{occupancy: o, b: most}
	m := float64(o.m)
	if !from.falls(m) {
		return nil, tooCostly("the law of the set bits", math.Inf(1), windowLimit)
	}
	goal := bits + 8 + uint(math.Ceil(math.Log2(m/float64(o.m-most))))
	work := goal + uint(o.n.BitLen()) + uint(2*math.Log2(m/float64(o.m-most))) + 96
	point := func(r *interval.Interval) *interval.Complex { return interval.NewComplex(work).SetReal(r) }
	center := point(interval.New(work).SetUint64(o.m))
	scales := from.scale(work)
	value := func(f *contour, z *interval.Complex, scale *interval.Interval) *interval.Complex {
		v := f.log(z, work)
		v.Re.Add(&v.Re, scale)
		return v.Exp(v)
	}
	bits64 := float64(goal) * math.Ln2
	q := o.empties() / m
	curvature := m * (1/q - 1 + math.Log(q)) // of log F along the circle, nearly
	if q > 0.99 {                            // where that cancels
		curvature = m * (1 - q) * (1 - q) / 2
	}
	curvature = max(curvature, 1)
	nodes := uint64(math.Sqrt(curvature)*(math.Sqrt(2*bits64)+2))*2 + 65
	limit := new(big.Float).SetMantExp(big.NewFloat(1), -int(goal))
	// The aliases.
	alias := interval.New(64)
	ok := false
	for tries := 0; tries < 8 && !ok; tries++ {
		bell := float64(nodes) / curvature
		r2 := interval.New(work).SetUint64(o.m)
		r2.Add(r2, interval.New(64).SetEnds(big.NewFloat(1+m*math.Expm1(min(bell, 2))), big.NewFloat(1+m*math.Expm1(min(bell, 2)))))
		gap := min(-m*math.Expm1(-bell), 0.8*float64(o.m-most))
		r1 := interval.New(work).SetUint64(o.m)
		r1.Sub(r1, interval.New(64).SetEnds(big.NewFloat(gap), big.NewFloat(gap)))
		if !to.falls(mid64(r1)) || !from.falls(mid64(r2)) {
			break
		}
		alias.SetUint64(0)
		for _, side := range []struct {
			f     *contour
			r     *interval.Interval
			outer bool
		}{{from, r2, true}, {to, r1, false}} {
			t := interval.New(64).Quo(&center.Re, side.r)
			if !side.outer {
				t.Quo(side.r, &center.Re)
			}
			t.PowInt(t, u(nodes))
			bound := value(side.f, point(side.r), side.f.scale(work)).Abs()
			bound.Mul(bound, t)
			alias.Add(alias, bound.Quo(bound, t.Sub(interval.New(64).SetUint64(1), t)))
		}
		if ok = alias.Valid() && alias.Hi().Cmp(limit) <= 0; !ok {
			nodes += nodes / 2
		}
	}
	if !ok {
		return nil, tooCostly("the law of the set bits", math.Inf(1), windowLimit)
	}
	sums := make([]big.Int, most-least+1)
	missed := new(big.Int) // of each sum, in units of 2^-work
	step := interval.Angle(interval.New(work+64), nodes)
	rest := interval.New(work)
	for l := uint64(0); l <= nodes/2; l++ {
		z := interval.NewComplex(work + 80).SetReal(interval.New(work).SetUint64(o.m))
		if l > 0 {
			turn := interval.NewComplex(work + 80)
			turn.Im.Mul(step, interval.New(work).SetUint64(l))
			z.Mul(z, turn.Exp(turn))
		}
		v := value(from, z, scales)
		if !v.Valid() {
			return nil, tooCostly("the law of the set bits", math.Inf(1), windowLimit)
		}
		tail := v.Abs()
		tail.Quo(tail.Mul(tail, interval.New(64).SetUint64(o.m-least)), interval.New(64).SetUint64(o.m-most))
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
		p[i] = interval.New(work).SetScaled(low, sums[i].Add(&sums[i], missed), -int(work))
		p[i].Quo(p[i], interval.New(work).SetUint64(nodes))
		p[i].Add(p[i], rest)
	}
	return p, nil
}

// addNode adds the integrand at the node z to the sums for x = least, least+1, ..., twice
// its real part where the node has a conjugate, in units of 2^-work; v is the integrand for
// least. It returns by how much each sum can be off.
//
// In fixed point: v' = v (m-x+1)/(z-x). A part of the factor is off by less than 4 ulp, one
// by its division and two by z, as |z-x| >= 1, and its modulus is at most (m-x+1)/(m-x), so
// that the errors grow by (m-least)/(m-most) in all; |v| <= 2m/(m-most). Each step adds
// 4 sqrt 2 |v| for the factor and 2 for the products: less than 12 m/(m-most) + 2.
func (o occupancy) addNode(sums []big.Int, least uint64, z, v *interval.Complex, twice bool, work uint) (missed *big.Int) {
	fixed := func(x *interval.Interval) *big.Int {
		f := x.Lo()
		i, _ := f.SetMantExp(f, int(work)).Int(nil)
		return i
	}
	re, im := fixed(&v.Re), fixed(&v.Im)
	a, c := fixed(&z.Re), fixed(&z.Im)
	unit := new(big.Int).Lsh(one, work)
	t := new(big.Int).SetUint64(least)
	a.Sub(a, t.Mul(t, unit)) // of z-x, like c
	c2 := new(big.Int).Mul(c, c)
	norm, up, wr, wi, x, y := new(big.Int), new(big.Int), new(big.Int), new(big.Int), new(big.Int), new(big.Int)
	for i := range sums {
		if i > 0 {
			a.Sub(a, unit)
			norm.Add(norm.Mul(a, a), c2)
			up.SetUint64(o.m - least - uint64(i) + 1)
			up.Lsh(up, 2*work)
			wr.Quo(wr.Mul(up, a), norm)
			wi.Quo(wi.Mul(up, c), norm)
			wi.Neg(wi)
			x.Sub(x.Mul(re, wr), y.Mul(im, wi))
			y.Add(y.Mul(re, wi), t.Mul(im, wr))
			re.Rsh(x, work)
			im.Rsh(y, work)
		}
		sums[i].Add(&sums[i], re)
		if twice {
			sums[i].Add(&sums[i], re)
		}
	}
	// The first v is off by its width and a unit.
	width := v.Re.Width()
	width.SetMantExp(width.Add(width, v.Im.Width()), int(work))
	missed, _ = width.Int(nil)
	last := o.m - least - uint64(len(sums)) + 1 // m - most
	ratio := func(n uint64) *big.Int { return t.SetUint64(n/last + 1) }
	perStep := new(big.Int).Mul(ratio(o.m), big.NewInt(12))
	perStep.Mul(perStep.Add(perStep, big.NewInt(2)), big.NewInt(int64(len(sums))))
	missed.Add(missed.Add(missed, perStep), big.NewInt(4))
	missed.Mul(missed, ratio(o.m-least))
	return missed.Lsh(missed, 1)
}
