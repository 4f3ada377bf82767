package accuracy

import (
	"math"

	"github.com/bloomproof/bloomproof"
)

// A curve describes the unrecorded repeats of a cycle. Let p_r be the probability of a repeat. Let R(j) be the
// probability that a repeat after j arrivals is unrecorded. The method "stale" returns the sum of p_r R(j) over the
// first n arrivals. It also returns the first two derivatives of this sum with respect to n.
type curve interface {
	stale(n float64) (sum, rate, slope float64)
	keeps() float64 // the width of the bounds of the change that a retained message makes
	err(n float64) float64
	// The method "nodes" integrates numerically over the arrivals 0 to n. It calls f for each node of this integration.
	// The function f has two arguments. The first is the node, which is a number of arrivals. The second is the weight
	// of this node.
	nodes(n float64, f func(at, weight float64))
}

// The type "ranks" stands for a group of messages that have the same popularity q. The field "count" is the number of
// these messages.
type ranks struct{ count, q float64 }

// The function "popularity" returns popularities. It divides the ranks into blocks, and gives all ranks of a block the
// same popularity. The first blocks have one rank each. In later blocks, the last rank is about (1 + 1/64) times the
// first rank. A sum over such blocks replaces a sum over single ranks. For a smooth function this causes a relative
// error of about 10^-5.
func popularity(p bloomproof.Popularity, d uint64) []ranks {
	const alike = 64
	all, total := []ranks(nil), 0.0
	for first := uint64(0); first < p.D; {
		n := min(first/alike+1, p.D-first)
		if first < d {
			n = min(n, d-first)
		}
		q := p.Weight(first + n/2)
		total += q * float64(n)
		if first < d {
			all = append(all, ranks{float64(n), q})
		}
		first += n
	}
	for i := range all {
		all[i].q /= total
	}
	return all
}

// The type steadyCurve describes workloads in which old messages keep their ranks. Let p_r be the probability of a
// repeat. Consider a message of popularity q. Under such a workload, it is among the first n arrivals with probability
// 1-(1-p_r q)^n. Before the first new message arrives, the last rank always has the same message.
type steadyCurve struct {
	all        []ranks // their q is p_r q
	last, stay float64
	off        float64 // see err
}

func newSteadyCurve(w bloomproof.Workload) *steadyCurve {
	s := &steadyCurve{off: (25 + 12*w.Popularity.Alpha) / (1 << 53)}
	d := w.Popularity.D
	if w.Repeat < 1 {
		d--
		q := popularity(w.Popularity, w.Popularity.D)
		s.last = w.Repeat * q[len(q)-1].q
		s.stay = w.Repeat - s.last
		s.off = (60 + 36*w.Popularity.Alpha) / (1 << 53)
	}
	for _, x := range popularity(w.Popularity, d) {
		s.all = append(s.all, ranks{x.count, w.Repeat * x.q})
	}
	return s
}

func (s *steadyCurve) stale(n float64) (sum, rate, slope float64) {
	add := func(count, l float64) {
		gone := count * math.Exp(n*l)
		sum -= count * math.Expm1(n*l)
		rate -= l * gone
		slope -= l * l * gone
	}
	for _, x := range s.all {
		add(x.count, math.Log1p(-x.q))
	}
	if s.last > 0 && s.stay > 0 {
		add(s.last/(1-s.stay), math.Log(s.stay))
	}
	return sum, rate, slope
}

func (s *steadyCurve) keeps() float64 { return 0 }

// The method "nodes" calls f for the nodes of Simpson's rule. Most of the unrecorded repeats can be among the first few
// arrivals of a long cycle. So the variable of integration is the logarithm of the arrival's number. The rule begins at
// arrival "least". The earlier arrivals have a single node in common.
func (s *steadyCurve) nodes(n float64, f func(at, weight float64)) {
	const (
		least = 1. / 4096
		step  = 1. / 8
	)
	steps := 2 * math.Ceil(math.Log(n/least)/step/2)
	ratio := math.Log(n/least) / steps
	f(least/2, least)
	for i := range int(steps) + 1 {
		at := least * math.Exp(float64(i)*ratio)
		weight := at * ratio / 3 // the derivative of "at" is "at"
		switch {
		case i == 0 || i == int(steps):
		case i%2 == 1:
			weight *= 4
		default:
			weight *= 2
		}
		f(at, weight)
	}
}

// The method "err" returns the error of sums over ranks. The comment of steady.stale derives it. Let alpha be the Zipf
// exponent. The error of a power of a rank equals 6*alpha roundings. The sum of these powers has the same relative
// error. The error for the message at the last rank is three times as large.
func (s *steadyCurve) err(float64) float64 { return s.off }

// The function "listed" returns two lists. The list q has the popularity of each message. For each rank, the list
// "enter" has the probability that a new message enters there.
func listed(w bloomproof.Workload) (q, enter []float64) {
	d := w.Popularity.D
	sum := 0.0
	for j := range d {
		q = append(q, w.Popularity.Weight(j))
		sum += q[j]
	}
	for j := range q {
		q[j] /= sum
	}
	enter = make([]float64, d)
	switch w.Arrivals {
	case bloomproof.ArrivalPopularity:
		copy(enter, q)
	case bloomproof.ArrivalUniform:
		for j := range enter {
			enter[j] = 1 / float64(d)
		}
	case bloomproof.ArrivalFirst:
		enter[0] = 1
	case bloomproof.ArrivalLast:
		enter[d-1] = 1
	}
	return q, enter
}

// The type movingCurve describes workloads in which a new message moves old messages to lower ranks. For each arrival,
// it applies equation (24) of the paper Dozier-FN once.
type movingCurve struct {
	w    bloomproof.Workload
	sums []float64
}

// A probability below "negligible" is set to 0. Otherwise it would become a subnormal number, and an arrival would take
// 50 times as long. The integrals over a cycle are larger by far more than the factor 2^53.
const negligible = 0x1p-1000

func newMovingCurve(w bloomproof.Workload, arrivals int) *movingCurve {
	q, enter := listed(w)
	g, s := make([]float64, len(q)), &movingCurve{w: w, sums: []float64{0}}
	for i := range g {
		g[i] = 1
	}
	for range arrivals {
		missing, below, after, above := 0.0, 0.0, 1.0, 0.0
		for i, x := range q {
			missing += x * g[i]
			after -= enter[i]
			here := g[i]
			g[i] = (w.Repeat*(1-x)+(1-w.Repeat)*max(after, 0))*here + (1-w.Repeat)*below*above
			if g[i] < negligible {
				g[i] = 0
			}
			below += enter[i]
			above = here
		}
		s.sums = append(s.sums, s.sums[len(s.sums)-1]+w.Repeat*missing)
	}
	return s
}

func (s *movingCurve) stale(n float64) (sum, rate, slope float64) {
	i := min(int(n), len(s.sums)-2)
	rate = s.sums[i+1] - s.sums[i]
	if i > 0 {
		slope = min(rate-(s.sums[i]-s.sums[i-1]), 0)
	}
	return s.sums[i] + (n-float64(i))*rate, rate, slope
}

func (s *movingCurve) keeps() float64 { return 1 }

// The method "nodes" calls f for one node in the middle of each interval from arrival i to arrival i+1. Let R be the
// probability that a repeat is unrecorded. Every interval needs a node, because R can fall by orders of magnitude in a
// cycle.
func (s *movingCurve) nodes(n float64, f func(at, weight float64)) {
	for at := 0.0; at < n; at++ {
		length := min(1, n-at)
		f(at+length/2, length)
	}
}

// Let R(n) be the probability that a repeat after n arrivals is unrecorded. The method "err" returns a bound of the
// error of R(n). The bound includes n additional roundings.
func (s *movingCurve) err(n float64) float64 { return (missingError(s.w, n) + n) * u }

// popularityError returns a bound of the error of a popularity, in units of u = 2^-53. The bound adds up the error of
// the weight, the error of the sum of all weights, and three roundings.
func popularityError(p bloomproof.Popularity) float64 {
	weight := 1.0
	switch {
	case p.Weights != nil:
		weight = 0
	case p.S > 0:
		weight = 2
	case p.Alpha > 0 && p.Alpha == math.Trunc(p.Alpha):
		weight = p.Alpha + 1 // this many roundings of a power by squaring, and one of the inverse
	case p.Alpha > 0:
		weight = math.Floor(p.Alpha+0.5) + 1 + 28 // 28: e^(r ln x), |r| <= 1/2
	}
	return 2*weight + 3
}

// Let R(j) be the probability that a repeat after j arrivals is unrecorded. The function missingError returns a bound
// of the error of R(j), in units of u = 2^-53. Let q be the error bound of a popularity. Each arrival adds q+6 units to
// the bound. The sum over the D messages adds q units for a popularity, and 9 units for a product. It also adds D
// units, because its result is rounded D times.
func missingError(w bloomproof.Workload, arrivals float64) float64 {
	q := popularityError(w.Popularity)
	return (q+6)*arrivals + q + 9 + float64(w.Popularity.D)
}

// Let P be the probability that a message sets none of j given bits. The function clearOf returns ln P.
func clearOf(g bloomproof.Geometry, j float64) float64 {
	sum := 0.0
	for q := range g.K {
		sum += math.Log1p(-j / (float64(g.M) - taken(g, q)))
	}
	return sum
}

// The type cycleIntegrals has integrals over the arrivals 0 to n of a cycle. Let m be the mean number of recorded
// messages after some number of arrivals. Let m' be its derivative. Let S be the sum that the curve's method "stale"
// returns. Let S' be its derivative. The function "integrate" evaluates m at one arrival and S' at a later one. The
// argument "before" of this function is the number of arrivals from the first one to the second. Let g(m) be the
// probability that all positions of a message are set by m other messages.
type cycleIntegrals struct {
	squares float64 // the integral of (m')^2
	all     float64 // the integral of g(m) m'
	lucky   float64 // the integral of g(m) S'
	few     float64 // the integral of g(m) S'/m
	times   float64 // the integral of g(m)
	thin    float64 // the integral of g(m)/m
	random  float64 // the integral of an upper bound of E[g(N)] S', where the random number N has the mean m
}

func integrate(g bloomproof.Geometry, w bloomproof.Workload, c curve, n, before float64) (x cycleIntegrals) {
	fresh, clear := 1-w.Repeat, clearOf(g, 1)
	c.nodes(n, func(at, weight float64) {
		sum, rate, _ := c.stale(at)
		m := fresh*at + sum
		match := math.Pow(-math.Expm1(m*clear), float64(g.K))
		later := rate
		if before > 0 {
			_, later, _ = c.stale(at + before)
		}
		x.squares += weight * (fresh + rate) * (fresh + rate)
		x.all += weight * match * (fresh + rate)
		x.lucky += weight * match * later
		x.few += weight * match * later / m
		x.times += weight * match
		x.thin += weight * match / m
		// N is a sum of independent indicators. By Ahle's bound of moments, E[N^k] <= l^k with l = k/ln(1+k/m). Let h
		// be the k-th root of g. The function h is concave, increases, and is 0 at 0. Hence h(N) <= h(l) for N <= l.
		// For N > l, h(N) <= h(l) N/l. So E[g(N)] <= g(l) (1 + E[N^k]/l^k) <= 2 g(l).
		k := float64(g.K)
		x.random += weight * later * 2 * math.Pow(-math.Expm1(clear*k/math.Log1p(k/m)), k)
	})
	return x
}
