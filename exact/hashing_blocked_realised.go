package exact

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// Let Z be the rate of one block of a filter. The rate of the filter is the mean of Z over its B blocks. The number N
// of items of a block has the binomial distribution Bin(n,1/B). The values of N for the B blocks add up to n. So they
// are negatively associated (Joag-Dev and Proschan 1983, Negative association of random variables). Z grows
// stochastically with N. Let Y = min(Z,z) for a number z <= 1. By Chernoff's bound for Y, the following inequality is
// true for every r and every t > 0.
//
//	P[rate > r] <= B P[Z > z] + e^(-tBr) E[e^(t Y)]^B.
//
// For any order j, Markov's inequality gives a bound of P[Z > z]:
//
//	P[Z > z] <= sum over i of P[N = i] min(1, E[Z^j | i]/z^j).
//
// For any order J, the mean of e^(t Y) has this bound:
//
//	E[e^(t Y)] <= sum over j < J of t^j E[Y^j]/j! + E[Y^J]/z^J sum over j >= J of (tz)^j/j!.
//
// Each moment of Y has this bound:
//
//	E[Y^j] <= sum over i of P[N = i] min(E[Z^j | i], z^j).
//
// The bound of E[e^(t Y)] is true for the following reason. Add up the terms j >= J of the power series of e^(tY), and
// divide the sum by Y^J. The result is largest at Y = z. Choose r so that the bound of P[rate > r] is 1-c. Then the
// rate of the filter is at most r with probability c or more. The sums omit some values of N. For these values the
// bound uses Z = 1.
//
// The errors are bounded as follows.
//
// The moments are float64 sums and products of positive numbers. The Markov chain for the number of set bits causes 5
// roundings for each position. The sums cause one rounding for each bit of the block. There are fewer than 2^22
// roundings, each with a relative error of 2^-53. Therefore the relative error of a moment is less than 2^-30. Products
// that underflow add an absolute error of 2^-1000. The numbers momentSlack and momentTiny cover these errors and the
// errors of later roundings.
const (
	momentOrders   = 16 // the order J, the largest order of a moment that is computed
	momentTiny     = 0x1p-1000
	mostChainSteps = 1 << 30 // limit of the number of states times positions; it takes some seconds
	mostRoundings  = 1 << 19 // largest number of positions: see above
	tailShare      = 16      // the probability that Z > z in any block may be up to (1-c)/tailShare
	mostExponent   = 600     // the largest value of the exponent tz
	keptBits       = 24      // the precision of the rate r, in bits
)

// momentSlack is twice the bound of the relative error of a moment.
func momentSlack() float64 { return precision.Margin(0x1p-29) }

// assumesBound is a text that states an assumption. The assumption is about the number of bits or items that a search
// returns. A bound proves that this number is sufficient, but no proof shows that it is the best.
const assumesBound = "that no fewer suffice"

// blockProof returns the text assumesBound. If the search also chose k, the text of the assumption about k comes first.
func blockProof(anyK bool) string {
	if anyK {
		return assumesMeanK + ", " + assumesBound
	}
	return assumesBound
}

// blockMoments computes and stores the moments of the rate of one block. It does so for each number of items.
type blockMoments struct {
	block bloomproof.Geometry
	width uint64 // bits of a slice
	parts int    // number of slices
	size  uint64 // number of distinct bits in a batch
	count uint64 // number of batches for each item
	value []float64
	p     []float64                   // distribution of the set bits of a slice, for the last number of items in of
	of    [][momentOrders + 1]float64 // of[i][j] is the moment of order j for i items
}

func (l blocked) moments(block bloomproof.Geometry) *blockMoments {
	m := &blockMoments{block: block}
	m.width, m.parts = l.in.slices(block)
	size, count := l.in.draws(block, integer.One)
	m.size, m.count = size, count.Uint64()
	m.p, m.value = make([]float64, m.width+1), make([]float64, m.width+1)
	m.p[0] = 1
	for b := range m.value {
		v := new(big.Rat).SetFrac(integer.Uint(uint64(b)), integer.Uint(m.width))
		if m.parts == 1 {
			v = l.in.givenBits(block, uint64(b))
		}
		m.value[b], _ = v.Float64()
	}
	m.of = append(m.of, [momentOrders + 1]float64{1})
	return m
}

// The method "at" returns the moments of the rate of a block with the given number of items.
func (m *blockMoments) at(items int) (*[momentOrders + 1]float64, error) {
	if err := fault.Part(); err != nil {
		return nil, err
	}
	steps := float64(items) * float64(m.size) * float64(m.count)
	if work := steps * float64(m.width); work > mostChainSteps || steps*float64(m.parts) > mostRoundings {
		return nil, refuse.TooCostly("the rates of a block", work, mostChainSteps)
	}
	w := float64(m.width)
	for len(m.of) <= items {
		for range m.count {
			for d := range m.size { // the d bits of the batch that were drawn before are set
				drawn := float64(d)
				for b := len(m.p) - 1; b > 0; b-- {
					x := float64(b)
					m.p[b] = (m.p[b]*max(0, x-drawn) + m.p[b-1]*(w-x+1)) / (w - drawn)
				}
				m.p[0] = 0
			}
		}
		var sums [momentOrders + 1]float64
		for b, p := range m.p {
			for j := range sums {
				sums[j] += p
				p *= m.value[b]
			}
		}
		for j, x := range sums {
			power := 1.0
			for range m.parts {
				power *= x
			}
			sums[j] = power
		}
		m.of = append(m.of, sums)
	}
	return &m.of[items], nil
}

// The method "loads" returns a list p. Its entry p[i] is an upper bound of P[N = i]. The result "left" is an upper
// bound of the probability that N is larger than the last index of p. For each i with an entry p[i], the method "loads"
// also computes the moments of the rate of a block with i items.
func (m *blockMoments) loads(blocks, n uint64) (p []float64, left float64, err error) {
	const work = 96
	nw := func() *interval.Interval { return interval.New(work) }
	others := nw().SetUint64(blocks - 1)
	q := nw().Quo(others, nw().SetUint64(blocks))
	q.PowInt(q, integer.Uint(n))
	mean := 0.0 // the part of E[Z^J] that was summed so far
	for i := uint64(0); ; i++ {
		x, _ := q.Hi().Float64()
		x = x*(1+momentSlack()) + momentTiny
		ratio := nw().SetUint64(n - i)
		ratio.Quo(ratio, nw().Mul(others, nw().SetUint64(i+1)))
		if i == n || ratio.Hi().Cmp(big.NewFloat(0.5)) < 0 && x <= mean*momentSlack() {
			return p, 2 * x, nil // the omitted probabilities sum to at most twice the first of them
		}
		of, err := m.at(int(i))
		if err != nil {
			return nil, 0, err
		}
		p = append(p, x)
		mean += x * of[momentOrders]
		q.Mul(q, ratio)
	}
}

// The method "capped" returns upper bounds of P[Z > z] and of E[min(Z,z)^j] for all j. Here Z is the rate of a block.
// The arguments p and "left" are the results of the method "loads".
func (m *blockMoments) capped(z float64, p []float64, left float64) (all [momentOrders + 1]float64, beyond float64) {
	for i, x := range p {
		power, far := 1.0, 1.0
		for j := 1; j <= momentOrders; j++ {
			power *= z
			moment := m.of[i][j] + momentTiny
			far = min(far, moment/power)
			all[j] += x * min(moment, power)
		}
		beyond += x * far
	}
	power := 1.0
	for j := 1; j <= momentOrders; j++ {
		power *= z
		all[j] = (all[j] + left*power) * (1 + momentSlack())
	}
	return all, (beyond + left) * (1 + momentSlack())
}

// The method "kept" returns a number r. With probability c or more, the rate of a filter is at most r.
func (m *blockMoments) kept(blocks, n uint64, c *big.Rat) (*big.Rat, error) {
	const work, golden, steps, leastZ = 96, 0.6180339887498949, 60, -600
	p, over, err := m.loads(blocks, n)
	if err != nil {
		return nil, err
	}
	rest, _ := interval.New(work).SetRat(new(big.Rat).Sub(big.NewRat(1, 1), c)).Lo().Float64()
	count := float64(blocks)
	// Let B(z) be the bound of the probability that any block has a rate above z. The loop finds approximately the
	// smallest z with B(z) <= (1-c)/tailShare. If there is no such z, it uses z = 1.
	logZ, lowZ := 0.0, float64(leastZ)
	for range steps {
		mid := (lowZ + logZ) / 2
		if _, beyond := m.capped(math.Exp(mid), p, over); count*beyond <= rest/tailShare {
			logZ = mid
		} else {
			lowZ = mid
		}
	}
	z := math.Exp(logZ)
	all, beyond := m.capped(z, p, over)
	if logZ == 0 {
		beyond = 0
	}
	left := (rest - count*beyond) * (1 - momentSlack())
	if left <= 0 {
		return nil, fmt.Errorf("the confidence %v: %w", c, refuse.ErrPrecision)
	}
	log := interval.New(work).SetEnds(big.NewFloat(left), big.NewFloat(left))
	each, _ := log.Neg(log.Log(log)).Hi().Float64()
	each /= count
	grown := func(t float64) float64 { // E[e^(t Y)] - 1
		sum, term, far := 0.0, 1.0, 1.0
		for j := 1; j < momentOrders; j++ {
			term *= t / float64(j)
			sum += term * all[j]
			far *= t * z / float64(j)
		}
		last := all[momentOrders]
		for range momentOrders {
			last /= z
		}
		beyond := 0.0
		for j := momentOrders; far > 0 && (float64(j) < 2*t*z || far > momentTiny); j++ {
			far *= t * z / float64(j)
			beyond += far
		}
		return sum + last*beyond + 4*momentTiny
	}
	rate := func(logT float64) float64 {
		t := math.Exp(logT)
		return (math.Log1p(grown(t)) + each) / t
	}
	high := math.Log(mostExponent / z)
	low := min(math.Log(each), high)
	for range steps {
		a, b := high-golden*(high-low), low+golden*(high-low)
		if rate(a) < rate(b) {
			high = b
		} else {
			low = a
		}
	}
	t := math.Exp(low)
	g := grown(t) * (1 + momentSlack())
	x := interval.New(work).SetEnds(big.NewFloat(g), big.NewFloat(g))
	r, _ := x.Log1p(x).Hi().Float64()
	r = (r + each) / t * (1 + momentSlack())
	// Round r up to keptBits bits, so that it is the same on every platform.
	up, _ := new(big.Float).SetPrec(keptBits).SetMode(big.ToPositiveInf).SetFloat64(min(r, 1)).Rat(nil)
	return up, nil
}

// The type sureBlocks searches for filters with blocks. With probability c or more, the rate of such a filter must be
// at most f.
type sureBlocks struct {
	blocked
	f, c *big.Rat
	m    *blockMoments
}

// The method "sure" returns a value of type sureBlocks for the valid geometry g.
func (l blocked) sure(g bloomproof.Geometry, f, c *big.Rat) sureBlocks {
	_, block := split(g)
	return sureBlocks{l, f, c, l.moments(block)}
}

// rateQuantile computes the result of RateQuantile for filters with blocks.
func (l blocked) rateQuantile(g bloomproof.Geometry, n uint64, c *big.Rat, prec uint) (Enclosure, error) {
	if err := valid(g); err != nil {
		return Enclosure{}, err
	}
	if err := precision.Check(prec); err != nil {
		return Enclosure{}, err
	}
	r, err := l.sure(g, nil, c).quantile(g, n)
	if err != nil {
		return Enclosure{}, err
	}
	return exactly(r, prec), nil
}

// sureK computes the results of SureK for filters with blocks.
func (l blocked) sureK(g bloomproof.Geometry, n uint64, c *big.Rat, prec uint) (o Optimum, rate Enclosure, err error) {
	mean, err := OptimalK(g, n, prec)
	if err != nil {
		return Optimum{}, Enclosure{}, err
	}
	return l.sure(mean.Geometry, nil, c).answer(mean.Geometry, n, prec, assumesMeanK)
}

// sureItems computes the results of SureItems for filters with blocks.
func (l blocked) sureItems(g bloomproof.Geometry, f, c *big.Rat, prec uint) (o Optimum, rate Enclosure, err error) {
	mean, err := MostItems(g, f, prec)
	if err != nil {
		return Optimum{}, Enclosure{}, err
	}
	of := l.sure(mean.Geometry, f, c)
	n, err := of.items(mean.Geometry, mean.N)
	if err != nil {
		return Optimum{}, Enclosure{}, err
	}
	return of.answer(mean.Geometry, n, prec, blockProof(g.K == 0))
}

// sureBits computes the results of SureBits for filters with blocks.
func (l blocked) sureBits(g bloomproof.Geometry, n uint64, f, c *big.Rat, prec uint) (o Optimum, rate Enclosure, err error) {
	mean, err := LeastBits(g, n, f, prec)
	if err != nil {
		return Optimum{}, Enclosure{}, err
	}
	shape := mean.Geometry
	of := l.sure(shape, f, c)
	if n > 0 {
		if shape.M, err = of.bits(shape, n, shape.M); err != nil {
			return Optimum{}, Enclosure{}, err
		}
	}
	return of.answer(shape, n, prec, blockProof(g.K == 0))
}

// The method "quantile" returns a number r. With probability c or more, the rate of a filter of shape g is at most r.
func (s sureBlocks) quantile(g bloomproof.Geometry, n uint64) (*big.Rat, error) {
	if err := fault.Part(); err != nil {
		return nil, err
	}
	blocks, block := split(g)
	switch {
	case n == 0:
		return new(big.Rat), nil
	case blocks == 1:
		return realised{s.in, nil, s.c}.quantile(block, n)
	}
	return s.m.kept(blocks, n, s.c)
}

// The method "holds" uses the bound at the top of this file. Consider the event that the rate of a filter of shape g is
// at most f. The method reports whether the bound proves that this event has a probability of at least c.
func (s sureBlocks) holds(g bloomproof.Geometry, n uint64) (bool, error) {
	r, err := s.quantile(g, n)
	return err == nil && r.Cmp(s.f) <= 0, err
}

// The method "answer" returns the geometry g and its mean rate as an Optimum. The second result is the quantile of the
// filter's rate.
func (s sureBlocks) answer(g bloomproof.Geometry, n uint64, prec uint, assumes string) (o Optimum, rate Enclosure, err error) {
	o = Optimum{Geometry: g, N: n, Last: g.K, Assumes: assumes}
	r, err := s.quantile(g, n)
	if err == nil {
		o.Rate, err = rateAt(blockedSizes{s.blocked, g.Block}, g, n, prec)
	}
	if err != nil {
		return Optimum{}, Enclosure{}, err
	}
	return o, exactly(r, prec), nil
}

// The method "bits" returns a sufficient number of bits. The method "holds" returns true for this number. For a filter
// with one block fewer, it returns false.
func (s sureBlocks) bits(g bloomproof.Geometry, n, guess uint64) (uint64, error) {
	most := (1<<64 - 2) / g.Block
	u, err := lastTrue(0, most, guess/g.Block, func(u uint64) (bool, error) {
		if u == 0 {
			return true, nil
		}
		g.M = u * g.Block
		ok, err := s.holds(g, n)
		return !ok, err
	})
	if err == nil && u == most {
		err = fmt.Errorf("m is 2^64-1 or more: %w", refuse.ErrRange)
	}
	return (u + 1) * g.Block, err
}

// The method "items" returns a permitted number of items: the method "holds" returns true for it. For one item more,
// the method "holds" returns false.
func (s sureBlocks) items(g bloomproof.Geometry, guess uint64) (uint64, error) {
	n, err := lastTrue(0, mostN, guess, func(n uint64) (bool, error) { return s.holds(g, n) })
	if err == nil && n == mostN {
		err = fmt.Errorf("n is 2^64-1 or more: %w", refuse.ErrRange)
	}
	return n, err
}
