package exact

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// If an item has thousands of positions, the sums in equations (56) and (60) of Burns have thousands of terms. Each
// term contains a power with many bits, and the terms cancel almost completely. These sums are differences of high
// order. Such differences can also be written as integrals (Nörlund and Rice): see package occupancy. For a classic
// filter, the rate is one such difference. It is the probability that k given bits are all set. For a standard filter,
// let k-c be the number of distinct positions of the queried item. The rate is a mean over c:
//
//	f = sum over c >= 0 of P_c p_(k-c).
//
// The weights of this mean are:
//
//	P_c = S(k,k-c) m(m-1)...(m-k+c+1) / m^k.
//
// Here p_d is the probability that d given bits are all set, and S(k,k-c) is a Stirling number of the second kind. The
// integrals for all c use the same nodes.
//
// The sum over c is truncated as follows. First, S(k,k-c) <= C(k,2)^c/c!. The reason is as follows. The components of a
// forest with c edges are the classes of a partition. Every partition into k-c classes belongs to at least one such
// forest. Second, p_d <= p^d, where p is the probability that a given bit is set. The reason is that occupied urns are
// negatively associated. Let l = C(k,2)/(m p). The rate f is at least p^k. So the sum of the terms from index c on is
// at most f t. The number t is:
//
//	t = l^c/c! / (1 - l/(c+1)).
//
// The terms with a smaller index add up to at least f (1-t).

// mostCollisions limits the number of terms in the sum over c. If more terms are needed, the other methods are cheaper.
const mostCollisions = 192

// The functions integralCost and withinCost estimate times in nanoseconds. The estimates are correct to within a factor
// of about 3. This holds for r from 50 to 4096, for precisions from 24 to 400 bits, and for up to 16 balls per urn.

// mostBallsPerUrn is the largest number of balls per urn for which an integral over one circle is tried. In fuller
// filters there is no suitable circle, and the search for a circle takes a long time.
const mostBallsPerUrn = 16

// integralCost estimates the time of an integral over one circle. With more balls per urn, the circle passes closer to
// singular points of the integrand, and more nodes are needed. The result is infinite if there are more than
// mostBallsPerUrn balls per urn.
func integralCost(m uint64, n *big.Int, prec uint) float64 {
	balls, _ := new(big.Float).SetInt(n).Float64()
	perUrn := balls / float64(m)
	if perUrn > mostBallsPerUrn {
		return math.Inf(1)
	}
	return nodesCost(prec) * max(1, perUrn*perUrn/2)
}

// nodesCost estimates the time of an integral over one circle for up to one ball per urn.
func nodesCost(prec uint) float64 {
	const least, perBit, perSquare = 2e7, 3e5, 6e3
	bits := float64(prec)
	return least + perBit*bits + perSquare*bits*bits
}

// The moment E[(X/m)^r] is also the probability of an event: r balls all fall into urns that N other balls occupy.
// Pair.Within computes this probability as an integral over two circles. If there are at least about as many balls as
// urns, a few nodes suffice. It does not matter how many of the r balls share an urn. Therefore the time of this
// integral is estimated as withinFactor*nodesCost. One of the circles has a radius that is about equal to the number of
// balls per urn. The search for the radius R also tries radii that exceed the result by up to 300. It computes e^R for
// them. The number e^710 is too large for a float64.
const (
	withinFactor      = 4
	leastBallsPerUrns = 8   // the integral is used only if there is at least one ball for every 8 urns
	mostWithinPerUrn  = 256 // the integral is used only for fewer balls per urn
)

// withinCost estimates the time of momentWithin. The result is infinite if there are too few or too many balls for this
// integral.
func withinCost(m uint64, n *big.Int, prec uint) float64 {
	if !n.IsUint64() || n.Uint64() < m/leastBallsPerUrns || n.Uint64()/m >= mostWithinPerUrn {
		return math.Inf(1)
	}
	return withinFactor * nodesCost(prec)
}

// momentWithin returns the same moment as momentKSum, computed by Pair.Within. The second result says whether this
// integral could be used. The argument n must be below 2^64.
func momentWithin(m uint64, n *big.Int, r int, prec uint) (Enclosure, bool) {
	x, err := occupancy.Pair{M: m, N: [2]uint64{n.Uint64(), uint64(r)}}.Within(prec + 1)
	if err != nil {
		return Enclosure{}, false
	}
	return around(x), true
}

// momentIntegral returns the same moment as momentKSum, computed by an integral. The second result says whether an
// integral could be used.
func momentIntegral(m uint64, n *big.Int, r int, prec uint) (Enclosure, bool) {
	const spare = 4 // extra bits for the sum over c
	work := prec + spare + resultGuard
	weights, rest := collisions(m, n, r, work+uint(2*integer.Uint(uint64(r)).BitLen()))
	if weights == nil {
		return Enclosure{}, false
	}
	x, err := occupancy.Distribution{M: m, N: n, K: 1}.Hit(uint64(r), weights, work)
	if err != nil {
		return Enclosure{}, false
	}
	one := interval.New(work).SetUint64(1)
	x.Mul(x, interval.New(x.Prec()).Quo(one, interval.New(work).Sub(one, rest)))
	return around(x), x.RelBits() >= int(prec)
}

// The function "collisions" returns the weights P_0, P_1, ... for r positions. They are the weights of the sum over c
// in the comment at the top of this file. It stops when the bound t of the remaining terms is below 2^-work. It returns
// the interval [0, t] as the result "rest". If more than mostCollisions terms would be needed, it returns nil.
func collisions(m uint64, n *big.Int, r int, work uint) (weights []*interval.Interval, rest *interval.Interval) {
	if uint64(r) > m/2 || n.Cmp(big.NewInt(int64(r))) <= 0 {
		return nil, nil
	}
	pairs := integer.Binomial(uint64(r), 2)
	l := interval.New(floatWork).SetInt(pairs)
	l.Quo(l, interval.New(floatWork).SetUint64(m))
	l.Quo(l, fill(m, n, floatWork))
	t := interval.New(floatWork).SetUint64(1)
	limit := new(big.Float).SetMantExp(big.NewFloat(1), -precision.Cut(work))
	last := 0
	for c := uint64(1); ; c++ {
		if c > mostCollisions || c >= uint64(r) {
			return nil, nil
		}
		t.Mul(t, l)
		t.Quo(t, interval.New(floatWork).SetUint64(c))
		q := interval.New(floatWork).Quo(l, interval.New(floatWork).SetUint64(c+1))
		q.Sub(interval.New(floatWork).SetUint64(1), q)
		if q.Sign() <= 0 {
			continue
		}
		if q.Quo(t, q); q.Hi().Cmp(limit) <= 0 {
			last = int(c)
			rest = q.SetEnds(new(big.Float), q.Hi())
			break
		}
	}
	// The loop computes the Stirling numbers S(i,i-c) for i up to r. It uses the recurrence S(i+1,i+1-c) = S(i,i-c) +
	// (i+1-c) S(i,i+1-c).
	classes := make([]*big.Int, last)
	for c := range classes {
		classes[c] = new(big.Int)
	}
	classes[0].SetUint64(1)
	step := new(big.Int)
	for i := 1; i < r; i++ {
		for c := min(last-1, i); c > 0; c-- {
			step.SetInt64(int64(i + 1 - c))
			classes[c].Add(classes[c], step.Mul(step, classes[c-1]))
		}
	}
	top := interval.New(work).SetUint64(1) // becomes m(m-1)...(m-r+c+1)/m^r
	urns := interval.New(work).SetUint64(m)
	for i := range uint64(r) {
		top.Mul(top, interval.New(work).SetUint64(m-i))
		top.Quo(top, urns)
	}
	for c, s := range classes {
		if c > 0 {
			top.Quo(top, interval.New(work).SetUint64(m-uint64(r)+uint64(c)))
		}
		weights = append(weights, interval.New(work).Mul(interval.New(work).SetInt(s), top))
	}
	return weights, rest
}

// classicIntegral returns the same moment as classicKSum, computed by an integral. The second result says whether the
// integral could be used.
func classicIntegral(m, n uint64, k int, prec uint) (Enclosure, bool) {
	if uint64(k) > m/2 || n < 2 {
		return Enclosure{}, false
	}
	x, err := occupancy.Distribution{M: m, N: integer.Uint(n), K: k, Out: m - uint64(k)}.Exactly(uint64(k), prec+1)
	if err != nil {
		return Enclosure{}, false
	}
	return around(x), x.RelBits() >= int(prec)
}
