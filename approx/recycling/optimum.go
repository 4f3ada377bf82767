package recycling

import (
	"errors"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/cycle"
	"github.com/bloomproof/bloomproof/approx/internal/fluid"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
	"github.com/bloomproof/bloomproof/approx/internal/sizing"
)

// Optimum is a bit-bounded recycling filter that is best in one of its parameters,
// judged by the rate and the capacity of its Cycle.
type Optimum struct {
	M              uint64 // bits of each array
	K              int
	Sigma          uint64
	Rate, Capacity float64
	Rivals         []int // other k that have as much capacity, but for the errors; ascending
	// Certain reports that the rate asked for is not within the errors of those at Sigma and
	// Sigma+1, so that Sigma is the largest for K.
	Certain bool
	// Excluded reports that no k but the Rivals can have as much capacity as K with Sigma.
	Excluded bool
}

// MostMessages returns the threshold that lets a recycling filter of shape g (each array) take
// the most new messages in a cycle at an average rate of at most p: the largest sigma with
// f(sigma) <= p for g.K positions, or for the best k where g.K = 0, the smallest of those with
// the largest capacity.
//
// The largest sigma is also that of the largest capacity: it lets a cycle go on for longer. Without retaining, or with classic hashing and one phase, f
// grows with sigma, because the arrivals of a cycle that find at most sigma bits do not
// depend on sigma, and of two thresholds the larger has a frozen array with no fewer bits.
// Retaining with standard hashing, and two phases without copy-over, f was found to grow
// with sigma wherever it was looked for (TestRateGrows); there the answer rests on that.
//
// For g.K = 0 every k is compared, or excluded by what excludedCycle proves.
//
// Source: Dozier-FP V-B and V-C.
// Domain: g valid, but K may be 0; standard or classic; 0 < p < 1; r bit-bounded, its Sigma left
// out.
// Error: that of Cycle for rate and capacity; see Optimum for k and sigma.
// Cost: about 6 Cycles for a k; for the best those k that are not excluded, a few for large
// m, as long as they take below a second or so; beyond, Excluded is false.
// Errors: *bloomproof.ParamError; ErrUndefined where every sigma has a larger rate (with
// two phases, or retaining); what New returns.
func MostMessages(g bloomproof.Geometry, r bloomproof.Recycling, p float64) (Optimum, error) {
	if err := cycle.CheckSizing(g, r, p); err != nil {
		return Optimum{}, err
	}
	s := cycleSearch{h: g.Hashing, m: g.M, r: r, p: p}
	return s.answer(g.K)
}

const (
	mostSpent    = 1e6  // microseconds for the best k; then it is said that not all were tried
	guessCost    = 20   // microseconds for a guess of sigma
	guessCostOfK = 0.05 // and for each position

	// doubtWidth is by how many bounds of the rate, relative, sigma is raised to find one whose rate
	// is above p for certain: the rate grows with a power of sigma, and twice the bound is enough
	// where that is 1/8 or more. It is tried, not supposed.
	doubtWidth = 16

	// unbounded stands for a capacity of which no bound is known.
	unbounded = 0x1p1000

	// rounding is what the elementary functions in a bound err by together, four times over: see
	// fluid.TailError.
	rounding = 0x1p-40

	// fullest is the fill up to which fluid.LogTail has its error, and tailDigits what it is taken to.
	fullest    = 1 - 0x1p-50
	tailDigits = 0x1p-50
)

// sharesOfCapacity are the t of a bound that holds for any t of [0,1]. More of them would
// exclude little more.
var sharesOfCapacity = []float64{0.5, 0.8, 0.95}

// cycleSearch looks for sigma and k.
type cycleSearch struct {
	h     bloomproof.Hashing
	m     uint64
	r     bloomproof.Recycling
	p     float64
	spent float64 // what Cycles cost, in microseconds
}

// answer is MostMessages for valid arguments.
func (s *cycleSearch) answer(k int) (Optimum, error) {
	if k == 0 {
		return s.best()
	}
	o, err := s.largest(k)
	if err == nil && o.k == 0 {
		err = cycle.ErrNoSigma
	}
	return Optimum{M: s.m, K: k, Sigma: o.sigma, Rate: o.rate, Capacity: o.capacity, Certain: o.certain, Excluded: true}, err
}

// at returns the cycle of k and sigma.
func (s *cycleSearch) at(k int, sigma uint64) (*Cycle, error) {
	r := s.r
	r.Sigma = sigma
	c, err := New(bloomproof.Geometry{M: s.m, K: k, Hashing: s.h}, r)
	if err != nil {
		return nil, err
	}
	if c.n.Visits != nil {
		s.spent += cycle.ChainCost(c.g, r)
	} else {
		s.spent += cycle.ClosedCost
	}
	return c, nil
}

// reached is what one k reaches.
type reached struct {
	k              int // 0: nothing
	sigma          uint64
	rate, capacity float64
	low, high      float64 // bounds of the capacity, low with sigma and high with the true one
	certain        bool    // that sigma is the largest
}

// largest returns the largest sigma for k with f <= p; none where every sigma has a larger
// rate, or k has no sigma.
func (s *cycleSearch) largest(k int) (reached, error) {
	low, high := uint64(0), s.m-1
	if s.r.Retain {
		if low = uint64(k); low > high {
			return reached{certain: true}, nil
		}
	}
	var failed error
	cycles := map[uint64]*Cycle{}
	cycle := func(sigma uint64) *Cycle {
		c, ok := cycles[sigma]
		if !ok && failed == nil {
			var err error
			if c, err = s.at(k, sigma); err != nil && !errors.Is(err, refuse.ErrUndefined) {
				failed = err
			}
			cycles[sigma] = c
		}
		return c
	}
	// Where there is no cycle, the filter never recycles again and the rate is 1.
	rate := func(sigma uint64) float64 {
		if c := cycle(sigma); c != nil {
			return c.FPR()
		}
		return 1
	}
	// beyond and within report that the rate at sigma is above or below p for certain.
	beyond := func(sigma uint64) bool { c := cycle(sigma); return c == nil || c.FPR()*(1-2*c.Bound()) > s.p }
	within := func(sigma uint64) bool { c := cycle(sigma); return c != nil && c.FPR()*(1+2*c.Bound()) <= s.p }
	if rate(low) > s.p {
		return reached{certain: beyond(low)}, failed
	}
	clamp := func(x float64) uint64 { return uint64(min(max(x, float64(low)), float64(high))) }
	s.spent += guessCost + guessCostOfK*float64(k)
	guess := sizing.Meet(fluid.Fill(s.r.TwoPhase, k, s.p)*float64(s.m), s.p, func(x float64) float64 { return rate(clamp(x)) })
	sigma := sizing.LastTrue(low, high, guess, func(sigma uint64) bool { return failed == nil && rate(sigma) <= s.p })
	c := cycle(sigma)
	certain := within(sigma) && (sigma == high || beyond(sigma+1))
	if failed != nil {
		return reached{}, failed
	}
	o := reached{k, sigma, c.FPR(), c.Capacity(), c.Capacity() * (1 - c.Bound()), c.Capacity() * (1 + c.Bound()), certain}
	if certain {
		return o, nil
	}
	// The true sigma is below one whose rate is certainly above p.
	width := 1 + uint64(doubtWidth*c.Bound()*float64(sigma))
	o.high = unbounded
	if at := sigma + min(width, high-sigma); at == high || beyond(at) {
		if c := cycle(at); c != nil {
			o.high = c.Capacity() * (1 + c.Bound())
		}
	}
	return o, failed
}

// best returns the optimum over k.
func (s *cycleSearch) best() (Optimum, error) {
	most := message.MostK(bloomproof.Geometry{M: s.m, Hashing: s.h})
	if s.m == 1 { // all k are one filter
		most = 1
	}
	start := fluid.BestK(s.r.TwoPhase, s.p, most)
	var best reached
	var all []reached
	excluded := !s.r.NoCopyOver
	for _, k := range sizing.Outward(start, most) {
		if s.excluded(k, max(1, best.low)) {
			continue
		}
		if s.spent > mostSpent {
			excluded = false
			break
		}
		o, err := s.largest(k)
		if errors.Is(err, refuse.ErrTooCostly) && k != start {
			excluded = false
			continue
		}
		if err != nil {
			return Optimum{}, err
		}
		if o.k == 0 {
			excluded = excluded && o.certain
			continue
		}
		all = append(all, o)
		const tie = 0x1p-40 // two capacities that are this close are the same
		switch gain := o.capacity/best.capacity - 1; {
		case best.k == 0 || o.low > best.high || gain > tie:
			best = o
		case gain >= -tie && o.high >= best.low && k < best.k:
			best = o
		}
	}
	if best.k == 0 {
		return Optimum{M: s.m, Excluded: excluded}, cycle.ErrNoSigma
	}
	var rivals []int
	for _, o := range all {
		if o.k != best.k && o.high >= best.low {
			rivals = append(rivals, o.k)
		}
	}
	slices.Sort(rivals)
	return Optimum{s.m, best.k, best.sigma, best.rate, best.capacity, rivals, best.certain, excluded}, nil
}

// excluded reports that k has a rate above p at every sigma of that capacity C, or no sigma
// of that capacity.
//
// Let an array be filled from empty, by E[T] = m (H_m - H_(m-b-1)) balls until more than b
// bits are set. If standard, at most E[N] <= (E[T]+k-1)/k arrivals find at most b bits, and
// this is no more if classic, whose messages take k or more balls, or if bits are set at the
// beginning. So of the C arrivals of a cycle at most
//
//	U(b) = m/k (-ln(1-(b+1)/m)) + (k-1)/k
//
// find at most b bits, and with rho(b) >= (b/m)^k, or ((b-k+1)/m)^k if classic, by Abel's
// summation
//
//	f >= m/(kC) sum over j > k of s^j/j,   s = 1 - e^(-(kC-k+1)/m) - 1/m,
//
// with k/m in place of the last 1/m if classic, where also f >= (1-t) rho(b) with U(b) = tC
// serves, for k not small beside m. C <= U(m-1) <= (m (ln m + 1) + k-1)/k.
//
// With two phases the rate is at least that of the active array, which is this, and at
// least that of the frozen one, which has sigma-k+1 bits or more, sigma >= b where U(b) = C.
// Without copy-over cycles are longer, and this is no proof: Excluded is false.
func (s *cycleSearch) excluded(k int, capacity float64) bool {
	kf, m := float64(k), float64(s.m)
	if s.r.NoCopyOver {
		capacity *= 1 - s.p // of the arrivals at most p find their positions set, if f <= p
	}
	if capacity*(1-rounding) > (m*(fm.Log(m)+1)+kf-1)/kf {
		return true
	}
	filled := func(arrivals float64) float64 { return -fm.Expm1(-(kf*arrivals - kf + 1) / m) }
	fill := filled(capacity)
	frozen, fill := fill-2*kf/m, fill-1/m
	rate := 0.0
	if g := (bloomproof.Geometry{M: s.m, K: k, Hashing: s.h}); message.Avoids(g) {
		fill -= (kf - 1) / m
		for _, share := range sharesOfCapacity {
			if b := m*filled(share*capacity)*(1-rounding) - 2; b > 0 {
				rate = max(rate, (1-share)*message.HitAt(g, uint64(b)).Float64())
			}
		}
	}
	if fill > 0 {
		rate = max(rate, fluid.LogTail(k, min(fill, fullest), tailDigits)*m/(kf*capacity))
	}
	if frozen > 0 && s.r.TwoPhase {
		rate = max(rate, fm.Exp(kf*fm.Log(frozen)))
	}
	if fill > 1-fluid.NearFull {
		return rate > s.p*(1+4*fluid.TailErrorNearFull)
	}
	return rate > s.p*(1+rounding)
}
