package recycling

import (
	"errors"
	"fmt"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/cycle"
	"github.com/bloomproof/bloomproof/approx/internal/fluid"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
	"github.com/bloomproof/bloomproof/approx/internal/sizing"
)

// Optimum is the bit-bounded recycling filter that a search found. At a given false-positive rate, it has the largest
// capacity or the fewest bits.
type Optimum struct {
	M              uint64 // bits of each array
	K              int
	Sigma          uint64
	Rate, Capacity float64
	Rivals         []int // other k with the same capacity within the errors, in ascending order
	// Consider the rates for the thresholds Sigma and Sigma+1. The field Certain reports that both rates differ from
	// the target rate by more than their errors. For K, Sigma is then certainly the largest threshold that keeps the
	// target rate.
	Certain bool
	// If Excluded is true, no k other than K and the Rivals can reach the capacity of K.
	Excluded bool
}

// MostMessages returns the threshold sigma with the largest capacity. It considers only thresholds with a
// false-positive rate f(sigma) of at most p. The argument g is the geometry of each array of the recycling filter. For
// a given g.K the threshold is the largest sigma with f(sigma) <= p. For g.K = 0 the threshold is the largest such
// sigma for the best k. The best k is the smallest k that has the largest capacity.
//
// The largest sigma also has the largest capacity, because a cycle then lasts longer. In two cases the rate f increases
// with sigma. In the first case, the filter does not retain the triggering message. In the second case, it has classic
// hashing and one phase. There are two reasons. First, compare two thresholds, and let b be at most the smaller one.
// The mean number of arrivals that find b bits set is the same for both thresholds. Second, with the larger threshold
// the frozen array has at least as many set bits. The increase is not proven for filters with standard hashing that
// retain the triggering message. The increase is also not proven for two phases without copy-over. But f increased with
// sigma in all cases tried (TestRateGrows). The answer relies on this increase.
//
// For g.K = 0 every k is either compared, or excluded by a bound, if the field Excluded is true. The comment of the
// method "excluded" proves this bound. Otherwise some k were left out (see Cost).
//
// Source: Dozier-FP, sections V-B and V-C.
// Domain: g is valid, except that g.K may be 0; the hashing is standard or classic; 0 < p < 1; r is bit-bounded, and
// its Sigma is 0.
// Error: Rate and Capacity have the same errors as the results of Cycle. The fields Certain and Excluded say whether
// errors could change Sigma and K.
// Cost: the cost of about 6 calls of New for a given k. If the best k is sought, the search makes about 6 calls for
// each k that is not excluded. For large m these k are few. After an estimated four seconds, the search examines no
// further k. The remaining values of k are left out, and Excluded is false. The estimate is between a third of the time
// that the search takes and several times that time. It was reached where a cycle has only one or two messages, for p
// below about 1e-60, and without copy-over for p near 1. A k is also left out if New returns ErrTooCostly for it. The search for the first k has no
// time limit. If p is below 2^-800, this search can take some more seconds.
// Errors: *bloomproof.ParamError; ErrUndefined if every sigma has a rate above p; the errors of New. With two phases,
// every sigma can have a rate above p. The same is possible if the filter retains the triggering message. ErrTooCostly
// is returned if some k were left out, and every sigma has a rate above p for all other k.
func MostMessages(g bloomproof.Geometry, r bloomproof.Recycling, p float64) (Optimum, error) {
	if err := cycle.CheckSizing(g, r, p); err != nil {
		return Optimum{}, err
	}
	s := cycleSearch{h: g.Hashing, m: g.M, r: r, p: p, most: mostSpent, newCycle: New}
	return s.answer(g.K)
}

const (
	mostSpent    = 4e6  // the most microseconds for the best k; if they do not suffice, Excluded is false
	mostSpentOfM = 1e6  // the same for each m that LeastBits tries
	guessCost    = 20   // microseconds for a guess of sigma
	guessCostOfK = 0.05 // additional microseconds for each position

	// To find a sigma whose rate is certainly above p, the search begins with a sigma whose rate is near p. It
	// increases this sigma by doubtWidth*e*sigma. Here e is the error bound of the rate. The rate is about proportional
	// to a power of sigma. The increase suffices if the exponent of this power is 1/8 or more. The search does not rely
	// on this, but checks the rate of the larger sigma.
	doubtWidth = 16

	// If no upper bound of a capacity is known, the constant "unbounded" takes its place.
	unbounded = 0x1p1000

	// Let e be an upper limit of the relative rounding error of the bounds in the method "excluded" (see
	// fluid.TailError). The constant "rounding" is 4e.
	rounding = 0x1p-40

	// The error of fluid.LogTail is known only for fractions of set bits that are at most the constant "fullest". The
	// constant tailDigits is the relative accuracy that is requested from LogTail.
	fullest    = 1 - 0x1p-50
	tailDigits = 0x1p-50
)

// The method "excluded" uses the bound (1-t) rho(b) for several t. The list sharesOfCapacity has these t. The bound
// holds for any t in [0,1]. More values would exclude only a few additional k.
var sharesOfCapacity = []float64{0.5, 0.8, 0.95}

// cycleSearch holds the arguments and the state of a search for sigma and k.
type cycleSearch struct {
	h     bloomproof.Hashing
	m     uint64
	r     bloomproof.Recycling
	p     float64
	most  float64 // the most microseconds for the best k
	spent float64 // the cost of the Cycles so far, in microseconds
	limit float64 // no further Cycle is made if spent is above this number; 0 means no limit

	newCycle func(bloomproof.Geometry, bloomproof.Recycling) (*Cycle, error) // New; tests replace it
}

// The method "answer" returns the result of MostMessages for valid arguments.
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

// The method "at" returns the Cycle of a filter with k positions and the threshold sigma.
func (s *cycleSearch) at(k int, sigma uint64) (*Cycle, error) {
	r := s.r
	r.Sigma = sigma
	if s.spent > s.limit && s.limit > 0 {
		return nil, fmt.Errorf("%w: the search for the best k takes too long", refuse.ErrTooCostly)
	}
	g := bloomproof.Geometry{M: s.m, K: k, Hashing: s.h}
	c, err := s.newCycle(g, r)
	if err != nil {
		if s.spent += cycle.ClosedCost; cycle.CheckChain(g, sigma, 1) == nil { // a chain may have been computed
			s.spent += cycle.ChainCost(g, r)
		}
		return nil, err
	}
	s.spent += c.n.Spent(g, r)
	return c, nil
}

// A search finds the largest sigma for one k. The result of this search has the type "reached".
type reached struct {
	k              int // 0 if there is no result
	sigma          uint64
	rate, capacity float64
	low, high      float64 // bounds of the capacity: low for sigma, high for the true largest sigma
	certain        bool    // true if sigma is certainly the largest
}

// The method "largest" returns the largest sigma for which a filter with k positions has a rate of at most p. There is
// no such sigma if every sigma has a larger rate, or if no sigma is valid for k.
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
	// If New returns ErrUndefined, the filter eventually stops recycling, and its false-positive rate is 1.
	rate := func(sigma uint64) float64 {
		if c := cycle(sigma); c != nil {
			return c.FPR()
		}
		return 1
	}
	// The function "beyond" reports whether the rate for sigma is certainly above p. The function "within" reports
	// whether that rate is certainly at most p.
	beyond := func(sigma uint64) bool { c := cycle(sigma); return c == nil || c.FPR()*(1-2*c.Bound()) > s.p }
	within := func(sigma uint64) bool { c := cycle(sigma); return c != nil && c.FPR()*(1+2*c.Bound()) <= s.p }
	if rate(low) > s.p {
		return reached{certain: beyond(low)}, failed
	}
	clamp := func(x float64) uint64 {
		if x >= float64(high) { // float64(high) can be above high
			return high
		}
		return uint64(max(x, float64(low)))
	}
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
	// Consider any sigma whose rate is certainly above p. It is larger than the sigma that the search must find.
	width := 1 + uint64(doubtWidth*c.Bound()*float64(sigma))
	o.high = unbounded
	if at := sigma + min(width, high-sigma); at == high || beyond(at) {
		if c := cycle(at); c != nil {
			o.high = c.Capacity() * (1 + c.Bound())
		}
	}
	return o, failed
}

// errLeftOut is returned if no k was found that keeps the rate, and some k were left out.
var errLeftOut = fmt.Errorf("%w: no k was found with a sigma that keeps the rate, but some k were left out", refuse.ErrTooCostly)

// The method "best" returns the Optimum for the best k.
func (s *cycleSearch) best() (Optimum, error) {
	most := message.MostK(bloomproof.Geometry{M: s.m, Hashing: s.h})
	if s.m == 1 { // all k describe the same filter
		most = 1
	}
	start := fluid.BestK(s.r.TwoPhase, s.p, most)
	var best reached
	var all []reached
	excluded, leftOut := true, false
	for _, k := range sizing.Outward(start, most) {
		if s.excluded(k, max(1, best.low)) {
			continue
		}
		if s.spent > s.most {
			leftOut = true
			break
		}
		if k != start {
			s.limit = s.most
		}
		o, err := s.largest(k)
		if errors.Is(err, refuse.ErrTooCostly) && k != start {
			leftOut = true
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
	excluded = excluded && !leftOut
	if best.k == 0 && leftOut {
		return Optimum{M: s.m}, errLeftOut
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

// Let C be the argument "capacity". Consider filters with k positions, a capacity of at least C and a rate f of at most
// p. The method "excluded" reports whether the following bounds prove that there is no such filter. Here rho(b) is the
// probability that a message finds all its positions set if b bits are set.
//
// Consider an array that is empty at first. Throw balls until more than b bits are set. Let T be the number of these
// balls. Then E[T] = m (H_m - H_(m-b-1)), where H_m is a harmonic number. Let E[N] be the mean number of arrivals that
// find at most b bits set. With standard hashing, E[N] <= (E[T]+k-1)/k. This bound also holds for classic hashing,
// because drawing k distinct positions takes at least k balls. It also holds if some bits are set at the beginning of a
// cycle. So E[N] <= U(b) in a cycle of C arrivals, where
//
//	U(b) = m/k (-ln(1-(b+1)/m)) + (k-1)/k.
//
// The probability rho(b) is at least (b/m)^k. For classic hashing it is at least ((b-k+1)/m)^k. Let s = 1 -
// e^(-(kC-k+1)/m) - 1/m. Summation by parts then gives
//
//	f >= m/(kC) sum over j > k of s^j/j.
//
// For classic hashing, the last term of s is k/m instead of 1/m. For classic hashing a second bound is used as well: f
// >= (1-t) rho(b). Here 0 <= t <= 1 and U(b) = tC. This bound is useful if k is not small compared with m. For any p,
// the capacity C is at most U(m-1). This number is at most (m (ln m + 1) + k-1)/k.
//
// With two phases f is at least the rate of the active array. The bounds above hold for this rate. The rate f is also
// at least the rate of the frozen array. The frozen array has at least sigma-k+1 set bits. Let b be the number with
// U(b) = C. Then sigma is at least b.
//
// Without copy-over, N is the mean number of those arrivals of a cycle that the frozen array does not report. Let f1 be
// the share of these N arrivals that the active array reports. Then 1-f = (1-f1) N/C. So f >= f1, and f <= p implies N
// >= (1-p) C. The active array behaves as in a filter of one phase with N arrivals in a cycle (see two_phase.go). So
// the bounds hold with (1-p) C in place of C.
func (s *cycleSearch) excluded(k int, capacity float64) bool {
	kf, m := float64(k), float64(s.m)
	if s.r.NoCopyOver {
		capacity *= 1 - s.p
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
