package exact

import (
	"math"
	"math/big"
	"math/bits"
	"sort"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
)

// kSearch looks for the best k of a filter of m bits with n items.
type kSearch struct {
	h    bloomproof.Hashing
	m, n uint64
	ks   []int // all k that are allowed, increasing
	know map[int]Enclosure
}

func newKSearch(h bloomproof.Hashing, m, n uint64) *kSearch {
	s := &kSearch{h: h, m: m, n: n, know: map[int]Enclosure{}}
	last := bloomproof.MaxK
	if h != bloomproof.Standard {
		last = int(min(uint64(last), m))
	}
	for k := 1; k <= last; k++ {
		if h != bloomproof.Partitioned || m%uint64(k) == 0 {
			s.ks = append(s.ks, k)
		}
	}
	return s
}

func (s *kSearch) geometry(k int) bloomproof.Geometry {
	return bloomproof.Geometry{M: s.m, K: k, Hashing: s.h}
}

// nearest returns the largest allowed k up to k.
func (s *kSearch) nearest(k int) int { return s.ks[max(0, sort.SearchInts(s.ks, k+1)-1)] }

// rate returns f for k, known to prec bits.
func (s *kSearch) rate(k int, prec uint) (Enclosure, error) {
	if e, ok := s.know[k]; ok && e.RelBits() >= int(prec) {
		return e, nil
	}
	e, _, err := FPR(s.geometry(k), s.n, prec, Auto)
	s.know[k] = e
	return e, err
}

// compare compares the rates of two k.
func (s *kSearch) compare(j, k int) (int, error) {
	precs := comparePrecs(s.m)
	for i, prec := range precs {
		a, err := s.rate(j, prec)
		if err != nil {
			return 0, err
		}
		b, err := s.rate(k, prec)
		if err != nil {
			return 0, err
		}
		if order, decided := a.Cmp(b); decided {
			return order, nil
		}
		if i > 0 && rationalServes(s.geometry(j), s.n) && rationalServes(s.geometry(k), s.n) {
			return rational(s.geometry(j), s.n).Cmp(rational(s.geometry(k), s.n)), nil
		}
	}
	return 0, undecided(precs[len(precs)-1])
}

// best returns the k of least rate, and the last of those that share it.
func (s *kSearch) best() (k, last int, proof Proof, err error) {
	most := s.ks[len(s.ks)-1]
	switch {
	case s.n == 0 || s.m == 1:
		return 1, most, Proven, nil
	case s.mostlySet():
		return 1, 1, Proven, nil
	case s.n == 1 && s.h == bloomproof.Classic: // C(m,k) is largest at m/2
		k = min(most, int(min(s.m/2, 1<<31-1)))
		if s.m&1 == 1 && k < most && uint64(k) == s.m/2 {
			return k, k + 1, Proven, nil
		}
		return k, k, Proven, nil
	}
	at, err := s.localMin(max(0, sort.SearchInts(s.ks, s.nearest(s.guess()))))
	if err != nil {
		return 0, 0, 0, err
	}
	k = s.ks[at]
	if s.h == bloomproof.Partitioned { // U has one minimum
		return s.withTies([]int{at + 1}, k, Proven)
	}
	limit, err := s.rate(k, 24)
	if err != nil {
		return 0, 0, 0, err
	}
	lower := s.logBloom
	if s.h == bloomproof.Classic {
		lower = s.logUpper(s.n - 1)
	}
	top := interval.New(64).Set(limit.interval())
	below, above := s.window(lower, top.Log(top).Hi(), k)
	const second = 1e9 // nanoseconds
	var left []int     // indices, k = index + 1
	cost := 0.0
	for j := below + 1; j < above && cost < second; j++ {
		cost += 2000 * float64(j) // of the sharper bound
		if !s.excluded(j, limit) {
			left = append(left, j-1)
			cost += s.cost(j)
		}
	}
	if cost >= second {
		return s.withTies([]int{at + 1}, k, AssumesUnimodal)
	}
	return s.withTies(left, k, Proven)
}

// mostlySet reports whether (1-1/m)^n <= 1/2 for certain, where k = 1 is best.
func (s *kSearch) mostlySet() bool {
	l := occupancy.LogEmpty(s.m, new(big.Int).SetUint64(s.n), 64)
	half := interval.New(64).Log(interval.New(64).SetUint64(2))
	return l.Add(l, half).Hi().Sign() <= 0
}

// withTies returns the best of the k with these indices and of k itself, and the last
// of those that share its rate.
func (s *kSearch) withTies(indices []int, k int, proof Proof) (first, last int, _ Proof, err error) {
	first, last = k, k
	for _, i := range indices {
		if i >= len(s.ks) || s.ks[i] == k {
			continue
		}
		switch order, err := s.compare(s.ks[i], first); {
		case err != nil:
			return 0, 0, 0, err
		case order < 0:
			first, last = s.ks[i], s.ks[i]
		case order == 0:
			first, last = min(first, s.ks[i]), max(last, s.ks[i])
		}
	}
	return first, last, proof, nil
}

// localMin returns the index of a k whose rate is below that of the allowed k before it
// and at most that of the one after: from index at downhill in growing steps, then by
// bisection.
func (s *kSearch) localMin(at int) (int, error) {
	var failed error
	last := len(s.ks) - 1
	falls := func(i int) bool { // from i to i+1
		if failed != nil || i >= last {
			return false
		}
		order, err := s.compare(s.ks[i+1], s.ks[i])
		failed = err
		return order < 0
	}
	low, high := -1, at // falls(low) or -1; not falls(high)
	if falls(at) {
		low = at
		for step := 1; ; step *= 2 {
			x := min(low+step, last)
			if !falls(x) {
				high = x
				break
			}
			low = x
		}
	} else {
		for step := 1; high > 0; step *= 2 {
			x := max(high-step, 0)
			if falls(x) {
				low = x
				break
			}
			high = x
		}
	}
	for high-low > 1 {
		if x := (low + high) / 2; falls(x) {
			low = x
		} else {
			high = x
		}
	}
	return high, failed
}

// logBloom returns the logarithm of Bloom.
func (s *kSearch) logBloom(k int) *interval.Interval {
	x := occupancy.LogEmpty(s.m, integer.Product(s.n, k), 64)
	x.Log1p(x.Neg(x.Exp(x)))
	return x.Mul(x, interval.New(64).SetUint64(uint64(k)))
}

// logUpper returns a function for the logarithm of Upper with n items.
func (s *kSearch) logUpper(n uint64) func(k int) *interval.Interval {
	return func(k int) *interval.Interval {
		if uint64(k) == s.m {
			return interval.New(64) // log 1
		}
		d := derivation{g: s.geometry(k), n: n}
		x := d.logUnset(bloomproof.Classic, 64)
		x.Log1p(x.Neg(x.Exp(x)))
		return x.Mul(x, interval.New(64).SetUint64(uint64(k)))
	}
}

// window returns below and above such that the rate of no k <= below and no k >= above is
// at most e^limit. lower is the logarithm of a lower bound of the rate that falls and
// then rises: where it is above the limit and still falls, it was above it before, and
// where it rises it stays there.
func (s *kSearch) window(lower func(k int) *interval.Interval, limit *big.Float, at int) (below, above int) {
	most := s.ks[len(s.ks)-1]
	at = min(at, most)
	bound := interval.New(64).SetEnds(limit, limit)
	// outside reports whether k and all beyond it on the side of dir are excluded.
	outside := func(k, dir int) bool {
		if k < 1 || k > most {
			return true
		}
		x := lower(k)
		if order, decided := x.Cmp(bound); !decided || order < 0 {
			return false
		}
		inner := k - dir
		if inner < 1 || inner > most {
			return false
		}
		order, decided := lower(inner).Cmp(x)
		return decided && order < 0
	}
	edge := func(dir int) int {
		in, out := at, at+dir
		for step := 2; !outside(out, dir); step *= 2 {
			in, out = out, at+dir*step
		}
		for in-out > 1 || out-in > 1 {
			if x := (in + out) / 2; outside(x, dir) {
				out = x
			} else {
				in = x
			}
		}
		return min(max(out, 0), most+1)
	}
	return edge(-1), edge(1)
}

// excluded reports whether a sharper bound shows that the rate of k is above limit.
func (s *kSearch) excluded(k int, limit Enclosure) bool {
	if s.h != bloomproof.Classic {
		return false
	}
	e, err := LowerClassic(s.m, s.n, k, 24)
	if err != nil {
		return false
	}
	order, decided := e.Cmp(limit)
	return decided && order > 0
}

// cost estimates the time of a rate in nanoseconds.
func (s *kSearch) cost(k int) float64 {
	if s.h == bloomproof.Standard {
		nk := integer.Product(s.n, k)
		return min(smallFillCost(s.m, nk, k, 24), differenceCost(s.m, nk, k, 24))
	}
	words := (24 - classicLog2(s.m, s.n, k) + float64(k) + 64) / 64
	return float64(k) * float64(bits.Len64(s.n)) * (productCost(words) + 4*words)
}

// The following are guesses in floating point, from which the search starts. Nothing
// rests on them.

// logRate returns about ln f: bloom or U with the variance of the set bits, to first
// order in 1/m: see derivation.guard.
func logRate(h bloomproof.Hashing, m, n float64, k int) float64 {
	kf := float64(k)
	a := n * kf / m
	if h == bloomproof.Standard {
		p := -math.Expm1(n * kf * math.Log1p(-1/m))
		return kf*math.Log(p) + excess(h, m, a, p, k)
	}
	p := -math.Expm1(n * math.Log1p(-kf/m))
	return kf*math.Log(p) + excess(h, m, a, p, k)
}

// excess returns about log(f_S/bloom), log(f_C/U) or 0 at a positions a bit and the
// fill p.
func excess(h bloomproof.Hashing, m, a, p float64, k int) float64 {
	q := 1 - p
	pairs := float64(k) * float64(k-1) / 2 / m
	switch {
	case h == bloomproof.Partitioned || p == 0:
		return 0
	case h == bloomproof.Classic:
		return -pairs * a * q * q / (p * p)
	}
	return pairs * q * max(1-(1+a)*q, 0) / (p * p)
}

// guess returns about the best k.
func (s *kSearch) guess() int {
	m, n := float64(s.m), float64(s.n)
	centre := min(math.Ln2*m/n, bloomproof.MaxK)
	best, least := 1, math.Inf(1)
	for k := max(1, int(centre/2)); k <= min(int(centre)+2, bloomproof.MaxK); k++ {
		if s.h != bloomproof.Standard && uint64(k) >= s.m {
			break
		}
		if x := logRate(s.h, m, n, k); x < least {
			best, least = k, x
		}
	}
	return best
}

// hashesFor returns log2(1/p), which is about the best k for the rate p.
func hashesFor(p *big.Rat) int {
	x, _ := logTarget(p, 64).Lo().Float64()
	return int(min(max(1, math.Round(-x/math.Ln2)), bloomproof.MaxK))
}

// guessItems returns about the largest n with f <= p, for k < m where positions are
// distinct: (1-1/m)^(kn) or (1-k/m)^n is 1 - p^(1/k), p corrected by the variance of
// the set bits.
func guessItems(g bloomproof.Geometry, p *big.Rat) uint64 {
	const work = 128
	d := derivation{g: g, n: 1}
	per := d.logUnset(g.Hashing, work)
	x := interval.New(work)
	m := float64(g.M)
	for _, correct := range []bool{false, true} {
		a, _ := x.Lo().Float64()
		x.Quo(logUnfilled(g, p, correct, m, a*float64(g.K)/m), per)
	}
	n, _ := x.Lo().Uint64() // 0 where x is not Valid
	return n
}

// guessBits returns about the smallest m with f <= p, n >= 1.
func guessBits(h bloomproof.Hashing, n uint64, k int, p *big.Rat) uint64 {
	const work = 128
	g := bloomproof.Geometry{K: k, Hashing: h}
	x := interval.New(work)
	share, times := interval.New(work).SetUint64(uint64(k)), interval.New(work).SetUint64(n)
	if h == bloomproof.Standard {
		share, times = interval.New(work).SetUint64(1), interval.New(work).SetInt(integer.Product(n, g.K))
	}
	for _, correct := range []bool{false, true} {
		m, _ := x.Lo().Float64()
		x.Quo(logUnfilled(g, p, correct, m, float64(n)*float64(k)/m), times)
		x.Quo(share, x.Neg(x.Expm1(x)))
	}
	m, _ := x.Lo().Uint64()
	return m
}

// logUnfilled returns log(1 - p^(1/k)); with correct, p is first divided by the ratio of
// the rate to bloom or U, for m bits and a positions a bit.
func logUnfilled(g bloomproof.Geometry, p *big.Rat, correct bool, m, a float64) *interval.Interval {
	const work = 128
	y := logTarget(p, work)
	if correct {
		by := excess(g.Hashing, m, a, -math.Expm1(-a), g.K)
		if lnp, _ := y.Lo().Float64(); by < -lnp/2 && by > lnp/2 { // false for NaN
			y.Sub(y, interval.New(work).SetEnds(big.NewFloat(by), big.NewFloat(by)))
		}
	}
	y.Quo(y, interval.New(work).SetUint64(uint64(g.K)))
	if y.Hi().Cmp(big.NewFloat(-0.7)) < 0 {
		return y.Log1p(y.Neg(y.Exp(y)))
	}
	return y.Log(y.Neg(y.Expm1(y)))
}
