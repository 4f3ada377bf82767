package exact

import "math"

// The function GrowingFPR uses a Markov chain. This file computes the probabilities of the chain for layers with
// several slices (Partitioned hashing). In such a layer the number of set bits does not determine how many bits the
// next key sets. The number of bits that the next key sets also depends on how the set bits are spread over the slices.
// But given that t keys reached the layer, its k slices are independent. Suppose that t balls are thrown into s urns.
// The number of set bits in each slice has the same distribution as the number of occupied urns. Therefore the Markov
// chain uses the number t as the state of the layer. After the layer closes, t continues to grow as if the layer were
// open. The layer closes with key number T. This is the first key after which the total number of set bits exceeds c =
// sigma - k. The other layers do not affect the distribution of T. Let X_j(t) be the number of set bits of slice j
// after t keys. Let R be the rate of the layer, which is the product of X_j(t)/s over all slices j. The k positions of
// key t are drawn slice by slice. Consider the event that the total number of set bits first exceeds c when the
// position in slice j is drawn. This event happens if and only if two conditions hold. First, the bit at this position
// in slice j is not yet set. Second, the following equation holds.
//
//	X_1(t) + ... + X_(j-1)(t) + X_j(t-1) + ... + X_k(t-1) = c.
//
// The number on the left is a sum of independent variables. So the distribution of this number is a convolution. This
// gives the probability of the event. All terms of the convolution are positive. The sum of the probabilities over j is
// P[T = t]. Consider the variable that equals R if T = t, and equals 0 otherwise. Let E[R; T = t] be its mean. This
// mean is the same sum as P[T = t], but its terms have additional factors. The factor for each slice i before slice j
// is X_i(t)/s. The factor for slice j is (X_j(t-1)+1)/s. The factor for each slice i after slice j is
// (X_i(t-1)(1-1/s)+1)/s.

// slicedLayer holds the probabilities of a layer with several slices. Entry i of each list is the value for t = first+i
// keys. Number the keys that reach the layer from 1 on. The layer cannot close before the key with the number "first".
type slicedLayer struct {
	s    float64
	k, c int

	first         int
	closes, hits  []float64 // P[T = t], E[R; T = t]
	open, openHit []float64 // P[T > t], E[R; T > t]

	least    float64 // when the layer closes, R is below least with probability at most leastCut
	leastCut float64
	cut      float64 // sum of the omitted probabilities
	terms    float64 // largest number of additions that contribute to an entry
	touched  float64 // number of operations performed
}

// The type "mass" represents the distribution of a random integer: p[i] is the probability of the value lo+i.
type mass struct {
	lo int
	p  []float64
}

// The method "times" returns the distribution of the sum of two independent variables with the distributions x and y.
// It drops probabilities below 1e-60 from both ends of the result.
func (x mass) times(y mass) mass {
	const least = 1e-60
	z := mass{x.lo + y.lo, make([]float64, max(0, len(x.p)+len(y.p)-1))}
	if len(x.p) > len(y.p) {
		x, y = y, x
	}
	for i, a := range x.p {
		row := z.p[i : i+len(y.p)]
		for j, b := range y.p {
			row[j] += float64(a * b)
		}
	}
	for len(z.p) > 0 && z.p[len(z.p)-1] < least {
		z.p = z.p[:len(z.p)-1]
	}
	for len(z.p) > 0 && z.p[0] < least {
		z.p, z.lo = z.p[1:], z.lo+1
	}
	return z
}

// Let two independent variables have the distributions x and y. The method "at" returns the probability that their sum
// equals c.
func (x mass) at(y mass, c int) (sum float64) {
	for i, a := range x.p {
		if j := c - x.lo - i - y.lo; j >= 0 && j < len(y.p) {
			sum += float64(a * y.p[j])
		}
	}
	return sum
}

// The method upTo returns the probability that the value is at most c. The method "beyond" returns the probability that
// the value is above c.
func (x mass) upTo(c int) (sum float64) {
	for i, p := range x.p {
		if x.lo+i <= c {
			sum += p
		}
	}
	return sum
}

func (x mass) beyond(c int) (sum float64) {
	for i := len(x.p) - 1; i >= 0 && x.lo+i > c; i-- {
		sum += x.p[i]
	}
	return sum
}

// The method "weighed" returns a copy of x in which the probability of each value v is multiplied by w(v).
func (x mass) weighed(w func(x float64) float64) mass {
	y := mass{x.lo, make([]float64, len(x.p))}
	for i, p := range x.p {
		y.p[i] = p * w(float64(x.lo+i))
	}
	return y
}

// The method "powers" returns k+1 distributions. Entry i is the distribution of a sum of i independent variables, each
// with the distribution x.
func (x mass) powers(k int) []mass {
	all := []mass{{0, []float64{1}}}
	for range k {
		all = append(all, all[len(all)-1].times(x))
	}
	return all
}

// Suppose that a layer closes after at most n keys. slicedWork estimates how many operations the function
// newSlicedLayer needs for this layer.
func slicedWork(s float64, k, c int, n float64) float64 {
	m := s * float64(k)
	x := -math.Log1p(-math.Min(1-1/m, float64(c)/m)) // keys divided by the bits of a slice
	e := math.Exp(-x)
	deviation := math.Sqrt(s * e * max(0, 1-(1+x)*e))
	slice := min(s, 22*deviation+1)
	sum := min(m, 22*deviation*math.Sqrt(float64(k)/2)+1)
	window := min(n, 24*deviation*math.Sqrt(float64(k))/(float64(k)*e)+2)
	if n < s*x-window {
		return n * slice
	}
	return n*slice + window*5*float64(k)*slice*sum
}

// newSlicedLayer returns a slicedLayer with entries for up to n keys, and ok = true. After each entry it calls the
// function "stop" with the number of operations so far. If this function returns true, newSlicedLayer gives up and
// returns ok = false.
func newSlicedLayer(s float64, k, c int, n uint64, stop func(work float64) bool) (l *slicedLayer, ok bool) {
	l = &slicedLayer{s: s, k: k, c: c}
	one := growingLayer{m: s, k: 1, p: []float64{1}, v: []float64{0}}
	dist := func() mass { return mass{one.lo, append([]float64(nil), one.p...)} }
	near := func(t float64) bool { // reports whether the layer may have closed by key t
		clear := math.Exp(t * math.Log1p(-1/s))
		pair := 0.0
		if s > 1 {
			pair = math.Exp(t * math.Log1p(-2/s))
		}
		mean := s * (1 - clear)
		variance := max(0, s*clear*(1-clear)+s*(s-1)*(pair-clear*clear))
		return float64(k)*(mean+1)+13*math.Sqrt(float64(k)*variance)+1 > float64(c)
	}
	lost := 0.0
	var before []mass
	for t := 1; uint64(t) <= n; t++ {
		last := dist()
		one.step(1)
		lost += one.trim()
		l.touched += float64(len(one.p))
		if l.first == 0 && (t*k <= c || !near(float64(t))) {
			continue
		}
		if l.first == 0 {
			l.first = t
			before = last.powers(k)
			// Add the probability that the layer closed before key number "first".
			l.cut += before[k].beyond(c)
			l.leastCut = 1e-7 * math.Pow(float64(c+k)/(s*float64(k)), float64(k))
			l.least = leastHit(last, s, k, l.leastCut)
		}
		now := dist()
		after := now.powers(k)
		set := last.weighed(func(x float64) float64 { return (s - x) / s })
		hitBefore := last.weighed(func(x float64) float64 { return (x*(1-1/s) + 1) / s }).powers(k - 1)
		hitAfter := now.weighed(func(x float64) float64 { return x / s }).powers(k)
		hitSet := last.weighed(func(x float64) float64 { return (x + 1) / s * ((s - x) / s) })
		closes, hits := 0.0, 0.0
		for j := range k {
			closes += after[j].at(before[k-1-j].times(set), c)
			hits += hitAfter[j].at(hitBefore[k-1-j].times(hitSet), c)
		}
		open := after[k].upTo(c)
		l.closes, l.hits = append(l.closes, closes), append(l.hits, min(hits, closes))
		l.open, l.openHit = append(l.open, open), append(l.openHit, min(open, hitAfter[k].upTo(c)))
		l.cut += float64(k) * lost
		l.touched += 5 * float64(k) * float64(len(now.p)) * float64(len(after[k].p)+len(after[k/2].p)) / 2
		l.terms = max(l.terms, float64(k)*(4*float64(t)+8)+float64(k+2)*float64(len(now.p))+float64(len(after[k].p))+float64(20*k+40))
		before = after
		if stop(l.touched) {
			return nil, false
		}
		if open < growingLeast {
			break
		}
	}
	if l.first == 0 && n*uint64(k) > uint64(c) {
		l.cut += dist().powers(k)[k].beyond(c) + float64(k)*lost
	}
	return l, true
}

// leastHit returns a rate r with P[R < r] <= p. Here R is the product of X_j/s over k slices of s bits. The numbers X_j
// of set bits are independent and have the distribution x. The function leastHit uses the inequality P[R < r] <= r^a
// E[(X/s)^-a]^k, which is true for every a > 0. If X = 0 is possible, it returns 0.
func leastHit(x mass, s float64, k int, p float64) (least float64) {
	if x.lo == 0 || p <= 0 {
		return 0
	}
	for a := 0.5; a < 1e5; a *= 1.5 {
		moment := 0.0
		for i, q := range x.p {
			moment += q * math.Exp(-a*math.Log(float64(x.lo+i)/s))
		}
		if log := (math.Log(p) - float64(k)*math.Log(moment)) / a; !math.IsNaN(log) && !math.IsInf(log, 0) {
			least = max(least, math.Exp(log)*(1-1e-9))
		}
	}
	return least
}

// The method "entry" returns the index i of the entry for t keys. The result ok says whether there is such an entry.
func (l *slicedLayer) entry(t int) (i int, ok bool) {
	i = t - l.first
	return i, l.first > 0 && i >= 0 && i < len(l.closes)
}

// The method "over" reports whether the layer is certainly closed after key t.
func (l *slicedLayer) over(t int) bool {
	return l.first > 0 && t >= l.first+len(l.closes)
}

// The method "opened" returns two numbers. The result "open" is P[T > t], the probability that the layer is still open
// after t keys. Consider a variable that equals the rate R if the layer is still open, and 0 otherwise. The result
// "hit" is the mean E[R; T > t] of this variable.
func (l *slicedLayer) opened(t int, last bool) (open, hit float64) {
	if i, ok := l.entry(t); ok && !last {
		return l.open[i], l.openHit[i]
	}
	switch {
	case !last && l.over(t):
		return 0, 0
	case t == 0:
		return 1, 0
	}
	full := -math.Expm1(float64(t) * math.Log1p(-1/l.s))
	return 1, math.Exp(float64(l.k) * math.Log(full))
}
