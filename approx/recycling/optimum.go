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
	Rivals         []int // other k with the same capacity within the errors, in ascending order
	// Certain reports that the rates at Sigma and Sigma+1 differ from the target rate by more than their errors, so
	// that Sigma is the largest for K.
	Certain bool
	// Excluded reports that no k except the Rivals can have as much capacity as K with Sigma.
	Excluded bool
}

// MostMessages returns the threshold with the largest capacity at an average rate of at most p. g is the geometry of
// each array of the recycling filter. For g.K positions the threshold is the largest sigma with f(sigma) <= p, where f
// is the rate. For g.K = 0 it is this sigma for the best k: the smallest k with the largest capacity.
//
// The largest sigma also has the largest capacity, because a cycle then lasts longer. Without retaining, or with
// classic hashing and one phase, f grows with sigma: the arrivals of a cycle that find at most sigma bits do not depend
// on sigma, and the larger of two thresholds has a frozen array with at least as many bits. For retaining with standard
// hashing, and for two phases without copy-over, this is not proven, but f grew with sigma in all cases tried
// (TestRateGrows). The answer relies on this.
//
// For g.K = 0 every k is either compared, or excluded by the bound that the comment of excluded proves.
//
// Source: Dozier-FP V-B and V-C.
// Domain: g valid, but K may be 0; standard or classic; 0 < p < 1; r bit-bounded with Sigma 0.
// Error: rate and capacity have the error of Cycle; for k and sigma see Optimum.
// Cost: about 6 Cycles for a given k. For the best k, about 6 Cycles for each k that is not excluded. For large m few k
// remain. If these would take more than about a second, some k are left out and Excluded is false.
// Errors: *bloomproof.ParamError; ErrUndefined if every sigma has a larger rate (with two phases, or retaining); the
// errors of New.
func MostMessages(g bloomproof.Geometry, r bloomproof.Recycling, p float64) (Optimum, error) {
	if err := cycle.CheckSizing(g, r, p); err != nil {
		return Optimum{}, err
	}
	s := cycleSearch{h: g.Hashing, m: g.M, r: r, p: p}
	return s.answer(g.K)
}

const (
	mostSpent    = 1e6  // the most microseconds for the best k; if they do not suffice, Excluded is false
	guessCost    = 20   // microseconds for a guess of sigma
	guessCostOfK = 0.05 // additional microseconds for each position

	// doubtWidth is the number of relative error bounds of the rate by which sigma is raised to find a sigma whose rate
	// is certainly above p. The rate grows with a power of sigma; twice the bound is enough if that power is 1/8 or
	// more. The search checks the rate there and does not rely on this.
	doubtWidth = 16

	// unbounded represents a capacity without a known bound.
	unbounded = 0x1p1000

	// rounding bounds the total error of the elementary functions in a bound, with a factor of four to spare: see
	// fluid.TailError.
	rounding = 0x1p-40

	// Up to the fill fullest the error of fluid.LogTail is known. tailDigits is the accuracy requested from LogTail.
	fullest    = 1 - 0x1p-50
	tailDigits = 0x1p-50
)

// sharesOfCapacity are the values of t in a bound that holds for any t in [0,1]. With more values few additional k
// would be excluded.
var sharesOfCapacity = []float64{0.5, 0.8, 0.95}

// cycleSearch holds the state of a search for sigma and k.
type cycleSearch struct {
	h     bloomproof.Hashing
	m     uint64
	r     bloomproof.Recycling
	p     float64
	spent float64 // the cost of the Cycles so far, in microseconds
}

// answer computes MostMessages for valid arguments.
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

// at returns the Cycle of a filter with k positions and the threshold sigma.
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

// reached is the result for one k.
type reached struct {
	k              int // 0 if there is no result
	sigma          uint64
	rate, capacity float64
	low, high      float64 // bounds of the capacity: low for sigma, high for the true largest sigma
	certain        bool    // true if sigma is certainly the largest
}

// largest returns the largest sigma for k with f <= p. There is none if every sigma has a larger rate, or if k permits
// no sigma.
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
	// Without a cycle the filter eventually never recycles again, and its rate is 1.
	rate := func(sigma uint64) float64 {
		if c := cycle(sigma); c != nil {
			return c.FPR()
		}
		return 1
	}
	// beyond and within report that the rate at sigma is certainly above or below p.
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
	// The true sigma is below any sigma whose rate is certainly above p.
	width := 1 + uint64(doubtWidth*c.Bound()*float64(sigma))
	o.high = unbounded
	if at := sigma + min(width, high-sigma); at == high || beyond(at) {
		if c := cycle(at); c != nil {
			o.high = c.Capacity() * (1 + c.Bound())
		}
	}
	return o, failed
}

// best returns the optimum for the best k.
func (s *cycleSearch) best() (Optimum, error) {
	most := message.MostK(bloomproof.Geometry{M: s.m, Hashing: s.h})
	if s.m == 1 { // all k describe the same filter
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
		const tie = 0x1p-40 // capacities with a smaller relative difference count as equal
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

// excluded reports whether the following bound proves that k cannot reach the capacity C. In that case either the rate
// is above p at every sigma with this capacity, or no sigma has this capacity.
//
// Let an array be filled from empty. It takes E[T] = m (H_m - H_(m-b-1)) balls until more than b bits are set. With
// standard hashing, E[N] <= (E[T]+k-1)/k arrivals find at most b bits. The bound also holds for classic hashing, whose
// messages take at least k balls, and if bits are set at the beginning. So of the C arrivals of a cycle at most
//
//	U(b) = m/k (-ln(1-(b+1)/m)) + (k-1)/k
//
// find at most b bits. With rho(b) >= (b/m)^k, or ((b-k+1)/m)^k for classic hashing, Abel's summation gives
//
//	f >= m/(kC) sum over j > k of s^j/j,   s = 1 - e^(-(kC-k+1)/m) - 1/m,
//
// with k/m in place of the last 1/m for classic hashing. For classic hashing the bound f >= (1-t) rho(b) with U(b) = tC
// is also used, if k is not small compared with m. C <= U(m-1) <= (m (ln m + 1) + k-1)/k.
//
// With two phases the rate is at least the rate of the active array, bounded as above. It is also at least the rate of
// the frozen array, which has at least sigma-k+1 bits, where sigma >= b with U(b) = C. Without copy-over cycles are
// longer and this is not a proof, so Excluded is false.
func (s *cycleSearch) excluded(k int, capacity float64) bool {
	kf, m := float64(k), float64(s.m)
	if s.r.NoCopyOver {
		capacity *= 1 - s.p // if f <= p, at most the share p of the arrivals find their positions set
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
