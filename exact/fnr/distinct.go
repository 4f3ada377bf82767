package fnr

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof/exact/internal/fraction"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// If nothing new arrives, one may assume that the messages arrive at the times of a Poisson process of rate 1. This
// does not change any mean over the arrivals. Let q_j be the popularity of message j. Then message j has not arrived by
// the time t with probability x_j = e^(-q_j t), independently of the other messages. The rates of a filter are sums of
// integrals over t. One message j is left out of each integrand. There are two kinds of integrands:
//
//	E[g(N_-j(t))]   and   E[g(N_-j(t)) sum over b of h_b].
//
// The sum is over all messages b other than j that have not arrived.
//
// Here N_-j(t) is the number of messages other than j that have arrived. These expectations are sums of products of two
// factors. Let N be the number of messages i < j that have arrived. The first factor is the distribution of N. This
// distribution is computed by adding one message after the other. The second factor is an expectation over the arrivals
// of the messages i > j. It is conditional on N.
//
// The integral is computed as follows.
//
// Gauss's rule with n nodes is used in panels of length L. Let f be a function of sets of messages. Suppose that the
// messages of a set S have arrived, and let one more message arrive. Let (U f)(S) be the mean of f after this arrival.
// From here on, let S be the set of messages that have arrived at the beginning of a panel. Suppose that |f| <= 1. The
// integrand is F(t) = (e^(t(U-1)) f)(S). So F is an entire function, and |F(z)| <= e^(|z| - Re z). Consider the ellipse
// |z| + |z-L| = L cosh(y), whose foci are 0 and L. On this ellipse Re z >= L - |z-L|, so |F| <= M = e^(L(cosh(y)-1)).
// So F is the sum of a series of Chebyshev polynomials. The coefficient of the polynomial of degree k is at most 2 M
// e^(-ky). The rule is exact for polynomials of degree below 2n. For each polynomial of a higher degree, both the rule
// and the integral give a value of at most L. So for every y > 0 the error of the rule in one panel is at most this
// number:
//
//	4 L M e^(-2ny)/(1 - e^-y).
//
// The integrals end at a time T. In the type "integrals", the field "late" is an upper bound of the probability that a
// cycle ends after T. The callers add the part of each integral after T.
//
// The errors are bounded as follows.
//
// All numbers have the type fraction.Number. Let T <= 2^s, and let d = 6*2^s + fraction.DecayUlps. The probability x_j
// has an error of at most d ulps. This error comes from the product q_j t and from its exponential. Each message adds
// the following errors, in ulps. Consider the distribution for the messages before j. A level is a number of arrived
// messages. The errors of the levels 0..R of this distribution add up to 2d + 6(R+1). For the messages i > j, the
// expectation has an error of 2d + 6. The method "among" uses weights h whose sum is at most 1. These weights add 4d +
// 9(R+1) + 6 to the errors of the distribution. They add 4d + 15 to the error of the expectation. The products of the
// two factors add an error of 6(R+1). The total is less than 64 D (R+1+d) for D messages. An integral is stored divided
// by 2^s. The weight of a node adds an error of 8 ulps.

// An integrals value computes integrals over the time of a cycle.
type integrals struct {
	q     []fraction.Number // popularities
	r     int               // the levels are 0 to r; level r stands for r and all larger numbers
	s     int               // times are below 2^s
	end   fraction.Number   // T/2^s
	late  float64           // the value at the time T of the function that lateness returns
	lasts float64           // an upper bound of the mean time until all messages have arrived
	at    []moment
	off   float64           // error of an integral, not counting the part after T
	after []fraction.Number // e^(-q_j T)
}

// A value of the type "moment" represents one node of the integration rule. The node is a point in time.
type moment struct {
	weight fraction.Number   // the weight of the node, divided by 2^s
	stay   []fraction.Number // x_j
}

// distinctLimit is the largest permitted number of products. The factors are numbers of two words. Each product takes
// about 3 ns. The constant distinctLevels limits the product of two numbers: messages and stored levels. A level is a
// number of arrived messages.
const (
	distinctLimit  = 1 << 33
	distinctLevels = 1 << 24
)

// A panel has at most panelNodes nodes. Their number is increased in steps of nodesStep until the error is small
// enough. The nodes are computed with gaussBits more bits than a fraction.Number has. Times are at most 2^longestTime.
const (
	panelNodes  = 160
	gaussBits   = 32
	longestTime = 40
	endParts    = 8 // T is a multiple of 2^s/endParts
)

// The method "integrals" returns the integrals over a cycle. It computes with numbers of two words. The error is
// 2^-bits if two words are precise enough for it. Otherwise it is the smallest error that is possible with two words.
// The argument "passes" is the number of products for each message, level and node.
func (q *grouped) integrals(bits, passes float64) (*integrals, error) {
	d := int(q.all[0].n)
	g := &integrals{r: min(len(q.fits)+1, d)}
	if size := float64(d) * float64(g.r+1); size > distinctLevels {
		return nil, refuse.TooCostly("the messages times the levels of a cycle", size, distinctLevels)
	}
	const work = fraction.Bits + gaussBits
	weight := weightAt(q.c.w.Popularity, work)
	all, sum := make([]*interval.Interval, d), interval.New(work)
	for j := range all {
		all[j] = weight(uint64(j))
		sum.Add(sum, all[j])
	}
	for _, x := range all {
		g.q = append(g.q, fraction.OfInterval(x.Quo(x, sum)))
	}
	g.lasts = lasts(interval.New(work).Quo(sum, weight(uint64(d-1))).Float64(), d)
	lateBits := bits + math.Log2(g.lasts)
	decay := fraction.NewDecay()
	stays := func(t fraction.Number) []fraction.Number {
		stay := make([]fraction.Number, d)
		for j, p := range g.q {
			stay[j] = decay.At(p.Mul(t), g.s)
		}
		return stay
	}
	rest := g.lateness(q)
	for {
		if g.s++; g.s > longestTime {
			return nil, refuse.TooCostly("a cycle whose last messages are rare", math.Ldexp(1, g.s), math.Ldexp(1, longestTime))
		}
		for part := uint64(endParts/2 + 1); part <= endParts; part++ {
			g.end = fraction.AlmostOne
			if part < endParts {
				g.end = fraction.OfFloat64(float64(part) / endParts)
			}
			g.after = stays(g.end)
			if g.late = rest(g.after); g.late <= math.Exp2(-lateBits) {
				break
			}
		}
		if g.late <= math.Exp2(-lateBits) {
			break
		}
	}
	long := math.Ldexp(g.end.Float64(), g.s)
	panels, n, off := 1, 0, 0.0
	for ; ; panels *= 2 {
		for n = leastNodes; n <= panelNodes; n += nodesStep {
			if off = panelError(n, long/float64(panels)) * float64(panels); off <= math.Exp2(-bits) {
				break
			}
		}
		if n <= panelNodes {
			break
		}
	}
	if products := passes * float64(d) * float64(g.r+1) * float64(panels*n); products > distinctLimit {
		return nil, refuse.TooCostly("the distribution of the number of distinct messages", products, distinctLimit)
	}
	at, weights, err := gaussLegendre(n, work)
	if err != nil {
		return nil, err
	}
	half := interval.New(work).SetScaled(g.end.Int(), g.end.Int(), -fraction.Bits)
	half.Quo(half, interval.New(work).SetUint64(uint64(2*panels)))
	for p := range panels {
		for i, x := range at {
			t := interval.New(work).Add(x, interval.New(work).SetUint64(uint64(2*p+1)))
			g.at = append(g.at, moment{fraction.OfInterval(interval.New(work).Mul(weights[i], half)), stays(fraction.OfInterval(t.Mul(t, half)))})
		}
	}
	wrong := math.Ldexp(6, g.s) + fraction.DecayUlps
	g.off = off + math.Ldexp(64*float64(d)*(float64(g.r)+1+wrong)+8*float64(len(g.at)), g.s-fraction.Bits)
	return g, nil
}

// The function "lasts" returns an upper bound of the mean time until all d messages have arrived. The argument "rarest"
// is the mean time until the rarest message arrives. If all messages were as rare as the rarest one, the mean time
// would be H_d times the argument "rarest". Here H_d = 1 + 1/2 + ... + 1/d is a harmonic number.
func lasts(rarest float64, d int) float64 {
	return rarest * (1 + math.Log(float64(d))) * (1 + slackSpare())
}

// panelError returns a bound of the error of Gauss's rule with n nodes in a panel. The argument "long" is the length of
// the panel.
func panelError(n int, long float64) float64 {
	y := math.Asinh(2 * float64(n) / long)
	dip := math.Sinh(y / 2)
	return 4 * long * math.Exp(2*dip*dip*long-2*float64(n)*y) / -math.Expm1(-y)
}

// lateness returns a function of the numbers x_j. Here x_j is the probability that message j has not arrived by a time
// t. The value of this function is an upper bound of the fraction of the cycles that end later than t. The bound also
// holds if any one message is left out, or is recorded from the beginning. Let v_i be the probability that i messages
// fit. Suppose that the integrand at each level i is at most v_i - v_D. Then the function also bounds the part of the
// integral after t. Let N be the number of messages that have arrived. The value of the function is the mean of
// v_(N-1). If the levels go up to the number D of all messages, the value is the probability that some message has not
// arrived.
func (g *integrals) lateness(q *grouped) func(stay []fraction.Number) float64 {
	left := make([]fraction.Number, g.r+1)
	for i := range g.r {
		left[i] = fraction.AlmostOne
		if g.r < len(g.q) && i > 0 {
			left[i] = fraction.OfInterval(q.fits[i-1])
		}
	}
	left[g.r] = fraction.Number{}
	return func(stay []fraction.Number) float64 {
		law := make([]fraction.Number, g.r+1)
		law[0] = fraction.AlmostOne
		for j, x := range stay {
			g.extend(law, law, j, x)
		}
		sum := 0.0
		for i, p := range law {
			sum += p.Float64() * left[i].Float64()
		}
		d := float64(len(g.q))
		ulps := 64 * d * (float64(g.r) + 1 + math.Ldexp(6, g.s) + fraction.DecayUlps)
		return sum*(1+1e-9) + math.Ldexp(ulps, -fraction.Bits)
	}
}

// The method "extend" computes one distribution from another. The argument "law" is the distribution of the number of
// arrived messages among the first j messages. The method stores the distribution for the first j+1 messages in the
// argument "to".
func (g *integrals) extend(to, law []fraction.Number, j int, x fraction.Number) {
	y := fraction.AlmostOne.Minus(x)
	top := min(j+1, g.r)
	if top == g.r {
		to[g.r] = law[g.r].Plus(law[g.r-1].Mul(y))
		top--
	}
	for i := top; i > 0; i-- {
		to[i] = law[i].Mul(x).Plus(law[i-1].Mul(y))
	}
	to[0] = law[0].Mul(x)
}

// For all j, the method "laws" computes the distribution of the number of arrived messages among the first j messages.
func (g *integrals) laws(all [][]fraction.Number, stay []fraction.Number) {
	clear(all[0])
	all[0][0] = fraction.AlmostOne
	for j, x := range stay[:len(stay)-1] {
		g.extend(all[j+1], all[j], j, x)
	}
}

// The method "room" allocates n lists, each with one number for each level 0..r. A level is a number of messages that
// have arrived.
func (g *integrals) room(n int) [][]fraction.Number {
	all, flat := make([][]fraction.Number, n), make([]fraction.Number, n*(g.r+1))
	for j := range all {
		all[j], flat = flat[:g.r+1], flat[g.r+1:]
	}
	return all
}

// The method "whole" returns the integral of E[f(N)], divided by 2^s. All times of the integration are at most 2^s.
// Here N is the number of messages that have arrived. The function f must be 0 at the last level.
func (g *integrals) whole(f []fraction.Number) fraction.Number {
	law := make([]fraction.Number, g.r+1)
	total := fraction.Number{}
	for _, at := range g.at {
		clear(law)
		law[0] = fraction.AlmostOne
		sum := fraction.Number{}
		for j, x := range at.stay {
			g.extend(law, law, j, x)
		}
		for i, p := range law {
			sum = sum.Plus(p.Mul(f[i]))
		}
		total = total.Plus(sum.Mul(at.weight))
	}
	return total
}

// Each element of the list "levels" is a function f. For each message j and each f, the method "without" returns an
// integral, divided by 2^s. Let N_-j be the number of messages other than j that have arrived. If the argument
// "arrives" is false, the integrand is E[f(N_-j)]. If it is true, the integrand is q_j x_j E[f(N_-j)]. The comment at
// the top of this file defines q_j and x_j.
func (g *integrals) without(levels [][]fraction.Number, arrives bool) [][]fraction.Number {
	d := len(g.q)
	found, laws := make([][]fraction.Number, len(levels)), g.room(d)
	for n := range found {
		found[n] = make([]fraction.Number, d)
	}
	after := g.room(1)[0]
	for _, at := range g.at {
		g.laws(laws, at.stay)
		for n, f := range levels {
			copy(after, f)
			for j := d - 1; j >= 0; j-- {
				x := at.stay[j]
				sum := fraction.Number{}
				for i, p := range laws[j][:min(j, g.r)+1] {
					sum = sum.Plus(p.Mul(after[i]))
				}
				if arrives {
					sum = sum.Mul(g.q[j].Mul(x))
				}
				found[n][j] = found[n][j].Plus(sum.Mul(at.weight))
				y := fraction.AlmostOne.Minus(x)
				for i := range min(j, g.r) {
					after[i] = after[i].Mul(x).Plus(after[i+1].Mul(y))
				}
			}
		}
	}
	return found
}

// The method "among" returns an integral for each message j, divided by 2^s. Let N_-j be the number of other messages
// that have arrived. Let H be the sum of h_b over all messages b other than j that have not arrived. The integrand is
// the mean of the product f(N_-j) H. The list f must be 0 at the last level.
func (g *integrals) among(f, h []fraction.Number) []fraction.Number {
	d := len(g.q)
	found, laws, marked := make([]fraction.Number, d), g.room(d), g.room(d)
	both := g.room(2)
	for _, at := range g.at {
		g.laws(laws, at.stay)
		clear(marked[0])
		for j, x := range at.stay[:d-1] {
			g.extend(marked[j+1], marked[j], j, x)
			hx := h[j].Mul(x)
			for i := range min(j, g.r) + 1 {
				marked[j+1][i] = marked[j+1][i].Plus(laws[j][i].Mul(hx))
			}
		}
		after, later := both[0], both[1]
		copy(after, f)
		clear(later)
		for j := d - 1; j >= 0; j-- {
			x := at.stay[j]
			sum := fraction.Number{}
			for i := range min(j, g.r) + 1 {
				sum = sum.Plus(laws[j][i].Mul(later[i])).Plus(marked[j][i].Mul(after[i]))
			}
			found[j] = found[j].Plus(sum.Mul(at.weight))
			y, hx := fraction.AlmostOne.Minus(x), h[j].Mul(x)
			for i := range min(j, g.r) {
				later[i] = later[i].Mul(x).Plus(later[i+1].Mul(y)).Plus(after[i].Mul(hx))
				after[i] = after[i].Mul(x).Plus(after[i+1].Mul(y))
			}
		}
	}
	return found
}

// The method "interval" returns an enclosure of an integral. The argument x is the computed integral divided by 2^s.
// Integrals are stored in this form. The argument "slack" is a bound of the error of the integral itself.
func (g *integrals) interval(x fraction.Number, slack float64, work uint) *interval.Interval {
	wide := new(big.Int)
	new(big.Float).SetMantExp(big.NewFloat(slack), fraction.Bits-g.s).Int(wide)
	wide.Add(wide, big.NewInt(1))
	low := x.Int()
	return interval.New(work).SetScaled(new(big.Int).Sub(low, wide), new(big.Int).Add(low, wide), g.s-fraction.Bits)
}
