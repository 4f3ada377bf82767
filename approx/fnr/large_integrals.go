package fnr

import "github.com/bloomproof/bloomproof/approx/internal/fm"

// A value of the type "integrals" holds integrals over the arrivals 0 to n of a cycle. The comments of the fields refer
// to the argument "before" of the method "integrals". It is the number of arrivals in the cycle of the array that is
// now frozen.
type integrals struct {
	squares float64 // the sum of (m')^2
	all     float64 // the sum of g(m) m', where g is match
	times   float64 // the sum of g(m)
	lucky   float64 // the sum of g(m) S'(n+before)
	few     float64 // the sum of g(m) S'(n+before)/m
	thin    float64 // the sum of g(m)/m
	// For a steady or listed curve, the field "off" bounds the relative errors of the fields "times" and "lucky". Two
	// parts of these errors are not included. One comes from errors of m and of g. The other comes from numbers below
	// the range of float64 (see Forecast.Bound).
	off float64
	// For a shifting curve, the field "noise" estimates a part of the absolute error of the field "lucky". This part
	// comes from S' and from the range n < 1. The field "off" does not include it.
	noise float64
}

const (
	// The range of n is divided into intervals, which are called panels. The integration uses 8 nodes in each panel.
	// Let g(n) be the probability that a new message finds its k positions set. This is the k-th power of a function
	// that grows at most in proportion to n. Within a panel n grows by at most the factor e^panelLength, and g grows by
	// at most the factor e^panelGrowth.
	panelLength = 0.34
	panelGrowth = 3

	// panelError bounds the relative error of the sum over all panels, for a steady curve. The integrand is f = h^k R.
	// Here h = 1-e^(-cm) is the fraction of set bits. In some integrals the function R is 1. In the other integrals, R
	// is the function S'(n+before). The function S'(n+before) is a sum of positive multiples of (1-q)^n, so it
	// decreases. The function m is a sum. The terms are positive multiples of n and of functions 1-(1-q)^n. So m is a
	// Bernstein function of n, and so is h. Hence h is the integral of 1-e^(-ns) with respect to a positive measure on
	// the numbers s. Let z = x+iy with x > 0. Let I be the integral of e^(-xt) over 0 < t < s. Then
	//
	//	|1-e^(-zs)| <= |z| I = |z|/x (1-e^(-xs)).
	//
	// So |h(z)| <= (|z|/x) h(x), and |R(z)| <= R(x). For real u < x, h(u) >= (u/x) h(x) and R(u) >= R(x). So the
	// integral of f from 2^(-1/(k+1)) x to x is at least x f(x)/(2(k+1)).
	//
	// Let a panel reach from a to b. Let w = (b-a)/2. Consider an ellipse with the foci a and b. Its two half axes add
	// up to rho w. On this ellipse |f(z)| is at most f(x) (|z|/x)^k. Let F be the largest |f(z)| on the ellipse. The
	// error of Gauss's rule is at most (64/15) w F rho^-16/(1-rho^-2). Where x > b, f(x) <= (x/b)^k f(b). So the error
	// is at most a constant times an integral of f near the panel. Each point is near only a few panels. Choose the
	// best rho for each k. Then the errors add up to at most panelError times the integral from 0 to n. This holds for
	// every k from 1 to 4096 (TestPanelError computes this constant).
	panelError = 0x1p-37

	// The panels end at an n for which the rest of the integral is below faintRest times the sum. For a shifting curve
	// they end at n = 1 at the latest, because that curve is not accurate for small n. For a steady curve, the panels
	// end at n = 1 or at leastPanel times the length of the range. The smaller of these two values is used. Since g
	// increases, the rest of the integral of g is then at most 2*leastPanel times the sum.
	faintRest  = 0x1p-50
	leastPanel = 0x1p-56

	// The fields "times" and "lucky" are sums. For a listed curve, the constant listedError bounds the relative errors
	// of these sums. Between two integers the curve is linear, so m(z) = p + ez. Here e is the probability that an
	// arrival is recorded. Here p >= 0, because the probabilities e_j do not increase with j. This has two reasons.
	// Consider the probabilities that the messages are unrecorded. First, an arrival changes these probabilities by an
	// equation whose coefficients are all positive. Second, the first arrival reduces these probabilities. As for a
	// steady curve, |h(z)| <= (|z|/x) h(x) for h = 1-e^(-cm) and z = x+iy. For u < x, h(u) >= (u/x) h(x).
	//
	// An interval between two integers is divided into panels in which R is constant. Let a panel reach from a to b,
	// and let c be its middle. Let w = (b-a)/2 and t = w/c. Let r = min(listedLength, listedGrowth/k). Then b <=
	// a(1+r), so t <= r/2. In the panel the integrand f = h^k R is at least (a/b)^k f(b) >= e^-(kr) f(b). Let A = (rho
	// + 1/rho)/2 and B = (rho - 1/rho)/2. Consider the ellipse that has the half axes A w and B w. On this ellipse
	// |f(z)| is at most f(b) X. The factor X depends on x.
	//
	//	For x <= b, X = e^(k (Bt)^2/(2 (1-At)^2)).
	//	For x > b, X = e^(k t + k (Bt)^2/2).
	//
	// The reason is that |z|/x <= e^(y^2/(2x^2)). For x > b there are two more inequalities. They are x <= b(1+(A-1)t)
	// and f(x) <= f(b) (x/b)^k. The error of Gauss's rule with N nodes is at most (64/15) w X f(b)
	// rho^(-2N)/(1-rho^-2). The integral is at least 2w e^-(kr) f(b). With 8 nodes and rho = 16, the quotient of this
	// error and this integral is below 2^-51. If r <= shortPanel/k, 3 nodes suffice: with rho = 512, the quotient is
	// below 2^-52. TestListedError computes both quotients.
	listedError  = 0x1p-51
	listedLength = 1. / 8
	listedGrowth = 1.5
	shortPanel   = 1. / 512

	// Towards n = 0 the panels become shorter and shorter. Compare the remaining integral of g with the integral over
	// the panels. The panels end where the quotient of the two is at most listedRest. If the panels end at x, the rest
	// is at most x g(x), because h increases.
	listedRest = 0x1p-55

	// Suppose that the sum "times" or the sum "lucky" is below leastSum. Then values of g that are too small for a
	// float64 may contribute to it. Forecast.Bound does not cover such small numbers.
	leastSum = 0x1p-900
)

// panelRatio returns the lower end of a panel divided by its upper end.
func panelRatio(k int) float64 { return fm.Exp(-min(panelLength, panelGrowth/float64(k))) }

// The method "integrals" uses Gauss's rule with 8 nodes in each panel. All integrands are smooth functions of ln n. So
// the length of each panel is proportional to the upper end of the panel. The ratio of the two ends of a panel follows
// from panelGrowth: within a panel g grows by at most the factor e^panelGrowth.
func (c *large) integrals(m curve, n, before float64) integrals {
	fresh := 1 - c.w.Repeat
	var x integrals
	// The upper end of every panel is above "least".
	panels := func(ratio, least float64, do func(at, weight float64), more func(rest float64) bool) {
		for high := n; high > least; high *= ratio {
			low := high * ratio
			rest := low // the part of the range that no panel holds, or that the last panel holds
			if low < least {
				low, rest = 0, high
			}
			for i, g := range gaussNodes {
				do(low+(high-low)*g, (high-low)*gaussWeights[i])
			}
			if !more(rest) {
				return
			}
		}
	}
	panels(0.5, 1, func(at, weight float64) {
		_, rate, _ := m.stale(at)
		x.squares += weight * (fresh + rate) * (fresh + rate)
	}, func(float64) bool { return true })
	if s, ok := m.(*listed); ok {
		c.sums(&x, s, n, before, listedRest)
		return x
	}
	_, first, _ := m.stale(0) // the largest R is R(0), which is at most first
	x.off = 1
	shift, shifts := m.(*shifting)
	rest := 0.0
	least := 1.0
	if _, ok := m.(*steady); ok {
		least = min(leastPanel*n, 1)
	}
	panels(panelRatio(c.g.K), least, func(at, weight float64) {
		sum, rate, _ := m.stale(at)
		g := c.match(fresh*at + sum)
		x.all += weight * g * (fresh + rate)
		x.times += weight * g
		if before > 0 {
			_, rate, _ = m.stale(at + before)
		}
		if shifts {
			x.noise += weight * g * shift.rateError(at+before)
		}
		x.lucky += weight * g * rate
		x.few += weight * g * rate / (fresh*at + sum)
		x.thin += weight * g / (fresh*at + sum)
	}, func(end float64) bool {
		// Up to the argument "end", g is at most g(end), and R is at most R(0). These two bounds also limit the
		// integral over a panel from 0 to end.
		sum, _, _ := m.stale(end)
		rest = end * c.match(fresh*end+sum)
		left := 1.0 // a bound of the share that is left
		if x.times > 0 && x.all > 0 && (x.lucky > 0 || first == 0) {
			left = rest * max(1/x.times, (fresh+first)/x.all)
			if first > 0 {
				left = max(left, rest*first/x.lucky)
			}
		}
		x.off = panelError + left
		return left > faintRest && rest > 0
	})
	if _, ok := m.(*steady); ok && x.times > 0 && x.lucky == 0 {
		x.off = panelError + 2*leastPanel // the sum "lucky" is below the range of float64
	}
	switch {
	case rest == 0 && !(x.off < 1): // what is left out is below the range of float64
		x.off = panelError + faintRest
	case rest > 0 && shifts && x.times > 0 && x.all > 0:
		x.noise += rest * first
		x.off = panelError + rest*max(1/x.times, (fresh+first)/x.all)
	}
	return x
}

// Let N be the random number of recorded messages, and let m be the mean of N. The method "mostLucky" returns an upper
// bound of the sum of E[g(N)] S'(n+before). In the sum "lucky", g(m) replaces E[g(N)]. If m is small compared with k^2,
// g(m) is far smaller than E[g(N)]. The number N is a sum of independent indicators. So E[N^k] is at most y^k with y =
// k/ln(1+k/m) (Ahle 2022). Since h(N)/N decreases (see panelError), h(N) <= h(y) max(1, N/y). So E[h(N)^k] <= 2 h(y)^k.
// The panels are those of the method "integrals". The random variation of the set bits of N messages is left out.
func (c *large) mostLucky(m curve, n, before float64) float64 {
	const digits = 1e-3 // a larger rest would make the bound needlessly wide
	fresh, k := 1-c.w.Repeat, float64(c.g.K)
	sum, rest, ratio := 0.0, 0.0, panelRatio(c.g.K)
	for high := n; high > leastPanel*n; high *= ratio {
		last := 0.0
		for i, node := range gaussNodes {
			at := high * (ratio + (1-ratio)*node)
			stale, _, _ := m.stale(at)
			_, rate, _ := m.stale(at + before)
			if y := fresh*at + stale; y > 0 {
				last = c.match(k / fm.Log1p(k/y))
			}
			sum += 2 * high * (1 - ratio) * gaussWeights[i] * last * rate
		}
		rest = 2 * high * ratio * last * c.w.Repeat // of the arrivals before this panel, since h(y) increases and S' <= p_r
		if rest <= digits*sum {
			break
		}
	}
	return sum + rest
}

// The method "sums" computes the integrals of g for a listed curve. The value R(n+before) changes only where n+before
// is an integer. So these points and the integers n are ends of panels. The sums are computed in two words, because
// there can be millions of panels. The argument "most" is listedRest, or a larger number in tests.
func (c *large) sums(x *integrals, s *listed, n, before, most float64) {
	fresh := 1 - c.w.Repeat
	k := float64(c.g.K)
	whole := fm.Floor(before)
	cut := 1 - (before - whole)
	length := min(listedLength, listedGrowth/k)
	var all, times, lucky, few, thin fm.Double
	for low := 0.0; low < n; low++ {
		high := min(low+1, n)
		sum, rate, _ := s.stale(low)
		base := fresh*low + sum
		// The function "piece" adds the integrals from a to b. The argument "later" is the rate of repeats of
		// unrecorded messages.
		piece := func(a, b, later float64) {
			own := 0.0
			for b > a {
				from := max(a, b/(1+length))
				nodes, weights := gaussNodes[:], gaussWeights[:]
				if k*(b-from) <= shortPanel*from {
					nodes, weights = fewNodes[:], fewWeights[:]
				}
				for i, at := range nodes {
					at, weight := from+(b-from)*at, (b-from)*weights[i]
					m := base + (fresh+rate)*(at-low)
					g := c.match(m) * weight
					own += g
					all, times = all.AddFloat(g*(fresh+rate)), times.AddFloat(g)
					lucky, few, thin = lucky.AddFloat(g*later), few.AddFloat(g*later/m), thin.AddFloat(g/m)
				}
				b = from
				if a == 0 && b*c.match(base+(fresh+rate)*b) <= most*own {
					return
				}
			}
		}
		if before == 0 {
			piece(low, high, rate)
			continue
		}
		_, first, _ := s.stale(low + whole)
		_, second, _ := s.stale(low + whole + 1)
		piece(low, min(low+cut, high), first)
		piece(low+cut, high, second)
	}
	x.all, x.times, x.lucky, x.few, x.thin = all.Hi, times.Hi, lucky.Hi, few.Hi, thin.Hi
	x.off = listedError + most
}

// These are the nodes and weights of Gauss's rules with 8 and with 3 nodes on the interval [0,1].
var (
	gaussNodes = [8]float64{
		0.019855071751231884, 0.10166676129318664, 0.2372337950418355, 0.4082826787521751,
		0.5917173212478249, 0.7627662049581645, 0.8983332387068134, 0.9801449282487681,
	}
	gaussWeights = [8]float64{
		0.05061426814518813, 0.11119051722668724, 0.15685332293894363, 0.1813418916891810,
		0.1813418916891810, 0.15685332293894363, 0.11119051722668724, 0.05061426814518813,
	}

	fewNodes   = [3]float64{0.1127016653792583, 0.5, 0.8872983346207417}
	fewWeights = [3]float64{5. / 18, 4. / 9, 5. / 18}
)
