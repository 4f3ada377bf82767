package occupancy

import (
	"fmt"
	"math"
	"math/big"
	mathbits "math/bits"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// Pair is the distribution of the number X of urns of M that are hit by each of two groups of N[0]
// and N[1] balls: of the set bits of the AND of two filters. With
//
//	h(u,v,w) = 1 + a + b + w a b,   a = e^u-1, b = e^v-1,
//
// an urn is hit by neither, by one of the groups, or by both, so h^m generates all outcomes:
//
//	P[X <= x] = N[0]! N[1]! m^-(N[0]+N[1]) [u^N[0] v^N[1] w^x] h^m/(1-w)
//	P[X = x]  = the same of C(m,x) (ab)^x (1+a+b)^(m-x), without w
//
// taken as integrals over circles of radii r, s and rho < 1, by the trapezoidal rule.
//
// # Errors
//
// No coefficient of the functions is negative. So with M nodes in u, those of the other powers of u
// that alias weigh at most (r/R)^N (R/r)^(+-M) f(R)/f(r) together, for any R below r and for any
// above; the same in v, and in w for a smaller radius. The powers w^(x+cM), c >= 1, that alias where u
// and v do not, have P[X <= x+cM] <= 1 for coefficient: they add at most rho^M/(1-rho^M).
//
// Nodes are left out where a bound of the integrand over its value at (r,s,rho) is below a limit,
// and together weigh no more than it. By the triangle inequality |h| <= 1+|a|+|b|+|w||a||b|, where |a|
// falls with the angle of u (see Slices). For fixed u and v the square of |c+wd|, c = 1+a+b, d = ab,
// is a constant plus 2 Re(c conj(wd)), a cosine of the angle of w: where it falls away from 0 at both
// ends of an arc around 0, it is largest at these ends for all that is outside.
type Pair struct {
	M uint64
	N [2]uint64
}

// Nothing rests on these but time.
const (
	pairRounds  = 60      // of the search for radii, each by bisections
	pairNodes   = 9       // the least number, odd
	pairTries   = 14      // 1.5^14 is 290 times the first number
	pairSpare   = 12      // bits more than asked
	poleBack    = 1.5     // standard deviations of X that the circle of w keeps from the pole at least
	mostPairs   = 1 << 17 // nodes: some ten seconds
	mostBelow   = 48      // bits of the integrand in a sum: a cube of them are the nodes
	leastRadius = 1e-300
	mostRadius  = 300 // more than the balls an urn
)

// pairSum is the integral for one x.
type pairSum struct {
	Pair
	x      uint64
	below  bool // P[X <= x], or P[X = x]
	radius [3]float64
	curve  [3]float64
}

// powers returns d log f / d log of each of u, v and w at the radii, nearly.
func (p *pairSum) powers(r [3]float64) (d [3]float64) {
	m, x := float64(p.M), float64(p.x)
	a, b := math.Expm1(r[0]), math.Expm1(r[1])
	if !p.below {
		d[0] = r[0] * math.Exp(r[0]) * (x/a + (m-x)/(1+a+b))
		d[1] = r[1] * math.Exp(r[1]) * (x/b + (m-x)/(1+a+b))
		return d
	}
	h := 1 + a + b + r[2]*a*b
	d[0] = m * r[0] * math.Exp(r[0]) * (1 + r[2]*b) / h
	d[1] = m * r[1] * math.Exp(r[1]) * (1 + r[2]*a) / h
	d[2] = m*r[2]*a*b/h + r[2]/(1-r[2])
	return d
}

// saddle sets the radii near the saddle point, and the curvatures there.
func (p *pairSum) saddle() {
	want := [3]float64{float64(p.N[0]), float64(p.N[1]), float64(p.x)}
	r := [3]float64{want[0] / float64(p.M), want[1] / float64(p.M), 0.5}
	last := 1
	if p.below {
		last = 2
	}
	at := func(i int, t float64) float64 { // of t = log radius, or of the logit of w
		if i == 2 {
			return 1 / (1 + math.Exp(-t))
		}
		return math.Exp(t)
	}
	for range pairRounds {
		for i := 0; i <= last; i++ {
			lo, hi := -float64(sliceRange), math.Log(want[i]/float64(p.M)+mostRadius)
			if i == 2 {
				hi = sliceRange
			}
			for range searchSteps {
				mid := (lo + hi) / 2
				next := r
				if next[i] = at(i, mid); p.powers(next)[i] < want[i] {
					lo = mid
				} else {
					hi = mid
				}
			}
			r[i] = max(at(i, hi), leastRadius)
		}
	}
	const d = derivativeStep
	curve := func(i int) float64 {
		up, down := r, r
		up[i] *= math.Exp(d)
		down[i] *= math.Exp(-d)
		return max(leastCurvature, (p.powers(up)[i]-p.powers(down)[i])/(2*d))
	}
	if p.below { // without the pole
		a, b := math.Expm1(r[0]), math.Expm1(r[1])
		share := a * b / (1 + a + b + a*b)
		sd := math.Sqrt(max(leastCurvature, float64(p.M)*share*(1-share)))
		r[2] = min(r[2], math.Exp(-poleBack/sd))
	}
	for i := 0; i <= last; i++ {
		p.curve[i] = curve(i)
	}
	p.radius = r
}

// log returns log f at positive radii.
func (p *pairSum) log(r [3]*interval.Interval, work uint) *interval.Interval {
	w := func() *interval.Interval { return interval.New(work) }
	one := w().SetUint64(1)
	a, b := w().Expm1(r[0]), w().Expm1(r[1])
	sum := w().Add(a, b)
	sum.Add(sum, one)
	ab := w().Mul(a, b)
	if !p.below {
		x := w().Log(sum)
		x.Mul(x, w().SetUint64(p.M-p.x))
		ab.Log(ab)
		return x.Add(x, ab.Mul(ab, w().SetUint64(p.x)))
	}
	x := w().Add(sum, ab.Mul(ab, r[2]))
	x.Log(x)
	x.Mul(x, w().SetUint64(p.M))
	one.Sub(one, r[2])
	return x.Sub(x, one.Log(one))
}

// circle is what the nodes of u or v in the upper half plane have of their own: a, |a|, a bound of |a|
// there and beyond, and the phase (r/u)^N.
type circle struct {
	a, phase    []*interval.Complex
	abs, beyond []*interval.Interval
}

// circle returns them up to where small says of the bound that they are left out.
func (p *pairSum) circle(i int, nodes uint64, work uint, small func(beyond *interval.Interval) bool) (*circle, error) {
	c := &circle{}
	step := interval.Angle(interval.New(work+workSpare), nodes)
	r := interval.New(work).SetEnds(big.NewFloat(p.radius[i]), big.NewFloat(p.radius[i]))
	logR := interval.New(work).Log(r)
	for l := uint64(0); l <= nodes/2; l++ {
		if l > mostNodes {
			return nil, refuse.TooCostly("the set bits of an intersection", float64(l), mostNodes)
		}
		e, phase := interval.NewComplex(work), interval.NewComplex(work)
		angle := interval.New(work+workSpare).Mul(step, interval.New(work).SetUint64(l))
		e.SetReal(logR)
		e.Im.Set(angle)
		e.Exp(e)
		e.Exp(e).Re.Sub(&e.Re, interval.New(work).SetUint64(1))
		if l == 0 {
			e.SetReal(interval.New(work).Expm1(r))
		}
		phase.Im.Mul(angle, interval.New(work).SetUint64(p.N[i]))
		phase.Im.Neg(&phase.Im)
		phase.Exp(phase)
		abs := e.Abs()
		beyond := interval.New(work).Set(abs)
		if two := interval.New(work).SetUint64(2); p.radius[i] > belowPi && abs.Hi().Cmp(two.Lo()) < 0 {
			beyond = two
		}
		if l > 0 && small(beyond) {
			break
		}
		c.a, c.phase = append(c.a, e), append(c.phase, phase)
		c.abs, c.beyond = append(c.abs, abs), append(c.beyond, beyond)
	}
	return c, nil
}

// conj returns the conjugate of z where there is one to take.
func conj(z *interval.Complex, lower bool, work uint) *interval.Complex {
	if !lower {
		return z
	}
	x := interval.NewComplex(work).Set(z)
	x.Im.Neg(&x.Im)
	return x
}

// Below returns P[X <= x] with an absolute width of at most 2^-bits, and Exactly P[X = x] with that
// relative width; x is less than M and than both N, and for Exactly x >= 1. M is at least 2.
func (o Pair) Below(x uint64, bits uint) (*interval.Interval, error) {
	p := &pairSum{Pair: o, x: x, below: true}
	p.saddle()
	asked := bits + pairSpare
	for range askTries {
		y, err := p.integral(asked, bits)
		if err != nil {
			return nil, err
		}
		short, ok := lacks(y, bits)
		if ok {
			return y, nil
		}
		asked += short
	}
	return nil, fmt.Errorf("P[X <= %d] is not enclosed to 2^-%d: %w", x, bits, refuse.ErrPrecision)
}

// Exactly is described with Below.
func (o Pair) Exactly(x uint64, bits uint) (*interval.Interval, error) {
	p := &pairSum{Pair: o, x: x}
	p.saddle()
	asked := bits + pairSpare
	for range askTries {
		y, err := p.integral(asked, bits)
		if err != nil {
			return nil, err
		}
		if have := y.RelBits(); have >= int(bits) {
			return y, nil
		}
		asked += boundBits / 2
	}
	return nil, fmt.Errorf("P[X = %d] is not enclosed to %d bits: %w", x, bits, refuse.ErrPrecision)
}

// integral returns the probability with an error of about 2^-goal of the integrand at the radii;
// bits are those of an absolute width.
func (p *pairSum) integral(goal, bits uint) (*interval.Interval, error) {
	last := 1
	if p.below {
		last = 2
	}
	if p.below && goal > mostBelow {
		return nil, refuse.TooCostly("the bits of a sum over the set bits of an intersection", float64(goal), mostBelow)
	}
	work := goal + uint(mathbits.Len64(p.M)+mathbits.Len64(max(p.N[0], p.N[1]))) + workSpare
	w := func() *interval.Interval { return interval.New(work) }
	var r [3]*interval.Interval
	for i := range r {
		r[i] = w().SetEnds(big.NewFloat(p.radius[i]), big.NewFloat(p.radius[i]))
	}
	want := [3]uint64{p.N[0], p.N[1], p.x}
	top := p.log(r, work)
	scale := w().Set(top) // the log of the factor in front of the mean
	for i := 0; i <= last; i++ {
		scale.Sub(scale, w().Mul(w().Log(r[i]), w().SetUint64(want[i])))
	}
	logM := w().Log(w().SetUint64(p.M))
	for _, n := range p.N {
		scale.Add(scale, logFalling(n, n, work))
		scale.Sub(scale, w().Mul(logM, w().SetUint64(n)))
	}
	if !p.below { // C(m,x)
		scale.Add(scale, logFalling(p.M, p.x, work))
		scale.Sub(scale, logFalling(p.x, p.x, work))
	} else if log := mid64(scale) / math.Ln2; log > 0 {
		if log > neededMost {
			return nil, refuse.TooCostly("the set bits of an intersection", log, neededMost)
		}
		if least := bits + uint(log) + pairSpare; goal < least {
			return p.integral(least, bits)
		}
	}
	nats := float64(goal) * math.Ln2
	limit := new(big.Float).SetMantExp(big.NewFloat(1), -int(goal))
	slack := interval.New(boundBits).SetEnds(new(big.Float), limit) // of the nodes left out
	var nodes [3]uint64
	for i := 0; i <= last; i++ {
		nodes[i] = 2*uint64(math.Sqrt(p.curve[i])*math.Sqrt(2*nats)/2) + pairNodes
		for tries := 0; ; tries++ {
			alias := interval.New(boundBits)
			reach := min(float64(nodes[i])/p.curve[i], windowBell)
			for _, sign := range []float64{-1, 1} {
				if i == 2 && sign > 0 {
					break
				}
				shift := w().SetEnds(big.NewFloat(sign*reach), big.NewFloat(sign*reach))
				moved := r
				moved[i] = w().Mul(r[i], w().Exp(shift))
				t := p.log(moved, work)
				t.Sub(t, top)
				t.Sub(t, w().Mul(shift, w().SetUint64(want[i])))
				t.Sub(t, w().Mul(w().SetEnds(big.NewFloat(reach), big.NewFloat(reach)), w().SetUint64(nodes[i])))
				alias.Add(alias, t.Exp(t))
			}
			if alias.Valid() && alias.Hi().Cmp(limit) <= 0 {
				slack.Add(slack, alias)
				break
			}
			if tries == pairTries {
				return nil, fmt.Errorf("the set bits of an intersection: %w", refuse.ErrPrecision)
			}
			nodes[i] = 2*(nodes[i]*3/4) + 1
		}
	}
	beyond := interval.New(boundBits) // the aliases of w, absolutely
	if p.below {
		rate := -math.Log(p.radius[2])
		nodes[2] = max(nodes[2], 2*uint64((float64(bits+pairSpare)*math.Ln2)/rate/2)+1)
		q := interval.New(boundBits).PowInt(r[2], integer.Uint(nodes[2]))
		beyond.Quo(q, interval.New(boundBits).Sub(interval.New(boundBits).SetUint64(1), q))
	}
	sum, err := p.mean(nodes, r, top, limit, work)
	if err != nil {
		return nil, err
	}
	hi := slack.Hi()
	sum.Add(sum, interval.New(boundBits).SetEnds(new(big.Float).Neg(hi), hi))
	y := w().Mul(sum, w().Exp(scale))
	hi = beyond.Hi()
	y.Add(y, interval.New(boundBits).SetEnds(new(big.Float).Neg(hi), new(big.Float)))
	if !y.Valid() {
		return nil, fmt.Errorf("the set bits of an intersection: %w", refuse.ErrPrecision)
	}
	return y, nil
}

// mean returns the mean of the integrand over its value at the radii, without what is below limit.
func (p *pairSum) mean(nodes [3]uint64, r [3]*interval.Interval, top *interval.Interval, limit *big.Float, work uint) (*interval.Interval, error) {
	w := func() *interval.Interval { return interval.New(work) }
	first := w().Set(top)
	if p.below { // of h^m alone: 1/(1-w) is bounded by its value at rho
		t := w().Sub(w().SetUint64(1), r[2])
		first.Add(first, t.Log(t))
	}
	small := func(a, b *interval.Interval) bool { // by the triangle inequality
		t := w().Add(a, b)
		t.Add(t, w().SetUint64(1))
		ab := w().Mul(a, b)
		if p.below {
			t.Add(t, ab.Mul(ab, r[2]))
			t.Log(t)
			t.Mul(t, w().SetUint64(p.M))
		} else {
			t.Log(t)
			t.Mul(t, w().SetUint64(p.M-p.x))
			ab.Log(ab)
			t.Add(t, ab.Mul(ab, w().SetUint64(p.x)))
		}
		t.Sub(t, first)
		return t.Exp(t).Hi().Cmp(limit) <= 0
	}
	u, err := p.circle(0, nodes[0], work, func(a *interval.Interval) bool { return small(a, w().Expm1(r[1])) })
	if err != nil {
		return nil, err
	}
	v, err := p.circle(1, nodes[1], work, func(b *interval.Interval) bool { return small(w().Expm1(r[0]), b) })
	if err != nil {
		return nil, err
	}
	var turns *turns
	if p.below {
		turns = p.turns(nodes[2], r[2], work)
	}
	total, count := w(), 0
	one := interval.NewComplex(work).SetReal(w().SetUint64(1))
	for i, a := range u.a {
		for _, lower := range []bool{false, true} {
			for j := range v.a {
				if lower && j == 0 {
					continue
				}
				if small(u.abs[i], v.beyond[j]) {
					break
				}
				b := conj(v.a[j], lower, work)
				c := interval.NewComplex(work).Add(a, b)
				c.Add(c, one)
				d := interval.NewComplex(work).Mul(a, b)
				var t *interval.Complex
				if p.below {
					if t, err = turns.sum(p, c, d, first, limit, work, &count); err != nil {
						return nil, err
					}
				} else {
					if count++; count > mostPairs {
						return nil, refuse.TooCostly("the set bits of an intersection", float64(count), mostPairs)
					}
					c.Log(c)
					c.Scale(c, w().SetUint64(p.M-p.x))
					d.Log(d)
					c.Add(c, d.Scale(d, w().SetUint64(p.x)))
					c.Re.Sub(&c.Re, first)
					t = c.Exp(c)
				}
				t.Mul(t, u.phase[i])
				t.Mul(t, conj(v.phase[j], lower, work))
				if i > 0 { // and the conjugate of all
					t.Re.MulPow2(&t.Re, 1)
				}
				total.Add(total, &t.Re)
			}
		}
	}
	for i, n := range nodes {
		if i < 2 || p.below {
			total.Quo(total, w().SetUint64(n))
		}
	}
	return total, nil
}

// turns are the nodes of w, made when they are asked for: w itself, and (rho/w)^x (1-rho)/(1-w).
type turns struct {
	nodes     int64
	step, rho *interval.Interval
	x         uint64
	known     map[int64][2]*interval.Complex
	work      uint
}

func (p *pairSum) turns(nodes uint64, rho *interval.Interval, work uint) *turns {
	return &turns{nodes: int64(nodes), step: interval.Angle(interval.New(work+workSpare), nodes), rho: rho, x: p.x, known: map[int64][2]*interval.Complex{}, work: work}
}

// at returns those of the node l, any integer.
func (t *turns) at(l int64) (w, factor *interval.Complex) {
	l = ((l % t.nodes) + t.nodes) % t.nodes
	lower := l > t.nodes/2
	if lower {
		l = t.nodes - l
	}
	if _, ok := t.known[l]; !ok {
		angle := interval.New(t.work+workSpare).Mul(t.step, interval.New(t.work).SetUint64(uint64(l)))
		w, f := interval.NewComplex(t.work), interval.NewComplex(t.work)
		w.Im.Set(angle)
		w.Exp(w)
		w.Scale(w, t.rho)
		f.Im.Mul(angle, interval.New(t.work).SetUint64(t.x))
		f.Im.Neg(&f.Im)
		f.Exp(f)
		one := interval.New(t.work).SetUint64(1)
		q := interval.NewComplex(t.work).SetReal(one)
		q.Sub(q, w)
		q.Inv(q)
		f.Mul(f, q.Scale(q, one.Sub(one, t.rho)))
		t.known[l] = [2]*interval.Complex{w, f}
	}
	known := t.known[l]
	return conj(known[0], lower, t.work), conj(known[1], lower, t.work)
}

// sum returns the sum over the nodes of w, for c and d of one u and v: those of an arc around the
// largest |c+wd|, or all.
func (t *turns) sum(p *pairSum, c, d *interval.Complex, first *interval.Interval, limit *big.Float, work uint, count *int) (*interval.Complex, error) {
	total := interval.NewComplex(work)
	back := conj(c, true, work)
	high := interval.New(work).Mul(t.rho, d.Abs())
	high.Add(high, c.Abs())
	high.Log(high)
	high.Mul(high, interval.New(work).SetUint64(p.M))
	if high.Sub(high, first); interval.New(boundBits).Exp(high).Hi().Cmp(limit) <= 0 {
		return total, nil
	}
	middle := interval.NewComplex(work).Mul(back, d) // conj(c) d, whose argument w is to undo
	re, _ := middle.Re.Lo().Float64()
	im, _ := middle.Im.Lo().Float64()
	center := int64(math.Round(-math.Atan2(im, re) / (2 * math.Pi) * float64(t.nodes)))
	node := func(l int64, dir int) (last bool, err error) {
		if *count++; *count > mostPairs {
			return false, refuse.TooCostly("the set bits of an intersection", float64(*count), mostPairs)
		}
		w, factor := t.at(l)
		wd := interval.NewComplex(work).Mul(w, d)
		h := interval.NewComplex(work).Add(c, wd)
		h.Log(h)
		h.Scale(h, interval.New(work).SetUint64(p.M))
		h.Re.Sub(&h.Re, first)
		h.Exp(h)
		// It falls with the angle where the imaginary part of conj(c) wd is positive.
		side := interval.NewComplex(work).Mul(back, wd).Im.Sign()
		last = side == dir && h.Abs().Hi().Cmp(limit) <= 0
		total.Add(total, h.Mul(h, factor))
		return last, nil
	}
	up, down := center, center-1 // the next nodes
	for _, dir := range []int{1, -1} {
		for done := false; !done && up-down <= t.nodes; {
			var err error
			if dir > 0 {
				done, err = node(up, dir)
				up++
			} else {
				done, err = node(down, dir)
				down--
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return total, nil
}
