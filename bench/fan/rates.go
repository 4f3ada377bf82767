package main

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/stat"
)

var smallest = bloomproof.Geometry{M: 1, K: 1}

// leastK and mostK are the smallest and the largest k of the figures.
const leastK, mostK = 3, 12

// confidence is the confidence of the intervals that the program writes.
const confidence = 0.99

// The type rate is one point of figures 5 to 12. It has the result of 3n look-ups of keys that are not in the filter,
// and the values of the formulas. The field named given has the rate of this one filter, given its bits. The confidence
// interval from low to high is an interval for this rate. The field named exact is the mean rate of all filters with
// these parameters.
type rate struct {
	m, n                  uint64
	k                     int
	positives, lookups    uint64
	low, high, given      float64
	exact, bloom          float64
	bose, upper           float64 // NaN if not defined
	errorBose, errorUpper float64 // (upper bound - bloom)/bloom
}

func (r rate) measured() float64 { return float64(r.positives) / float64(r.lookups) }

// The method rates measures all points of figures 5 to 12. For some points it fixes the number m of bits, and varies
// the number of items from 0.3 to 1 times the largest number, in steps of 0.1 times this number. For the other points
// it fixes the number of items at half of the largest number, and varies the number of bits from 0.5*m to 1.5*m, in
// steps of 0.1*m.
func (s *set) rates() ([]rate, error) {
	var out []rate
	for k := leastK; k <= mostK; k++ {
		var ns []uint64
		for tenths := uint64(3); tenths <= 10; tenths++ {
			ns = append(ns, s.items*tenths/10)
		}
		points, err := s.measure(s.m, k, ns)
		if err != nil {
			return nil, err
		}
		out = append(out, points...)
		for tenths := uint64(5); tenths <= 15; tenths++ {
			if tenths == 10 { // the loop above has measured this point
				continue
			}
			points, err := s.measure(s.m/10*tenths, k, []uint64{s.items / 2})
			if err != nil {
				return nil, err
			}
			out = append(out, points...)
		}
	}
	return out, nil
}

// The method measure inserts items into a filter. Whenever the number of inserted items reaches one of the numbers n of
// ns, it looks up 3*n other keys.
func (s *set) measure(m uint64, k int, ns []uint64) ([]rate, error) {
	g := bloomproof.Geometry{M: m, K: k}
	f, err := kernel.New(g, kernel.Options{})
	if err != nil {
		return nil, err
	}
	var out []rate
	var answers []bool
	have := uint64(0)
	for _, n := range ns {
		s.chunks(have, n, func(h []kernel.Hash) { answers = f.AddBatch(answers[:0], kernel.KeysOf(h)) })
		have = n
		r := rate{m: m, n: n, k: k, lookups: 3 * n, given: f.Rate()}
		s.chunks(s.items, s.items+r.lookups, func(h []kernel.Hash) {
			answers = f.ContainsBatch(answers[:0], kernel.KeysOf(h))
			for _, yes := range answers {
				if yes {
					r.positives++
				}
			}
		})
		if r.low, r.high, err = stat.ClopperPearson(r.positives, r.lookups, confidence); err != nil {
			return nil, err
		}
		if err := r.formulas(g); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

func (r *rate) formulas(g bloomproof.Geometry) error {
	const prec = 128 // the bounds share up to 30 digits
	e, _, err := exact.FPR(g, r.n, prec, exact.Auto)
	if err != nil {
		return err
	}
	bloom, err := exact.Bound(bloomproof.BoundBloom, g, r.n, prec)
	if err != nil {
		return err
	}
	b, err := exact.Bounds(g, r.n, prec)
	if err != nil {
		return err
	}
	r.exact, r.bloom = e.Float64(), bloom.Float64()
	r.bose, r.errorBose = valueOf(b, bloomproof.BoundBose, bloom)
	r.upper, r.errorUpper = valueOf(b, bloomproof.BoundUpper, bloom)
	return nil
}

// valueOf returns the value of a bound as a float64, and the error ratio of this bound. Both are NaN if the bound is
// not defined.
func valueOf(bounds map[bloomproof.Bound]exact.Enclosure, kind bloomproof.Bound, bloom exact.Enclosure) (value, ratio float64) {
	e, ok := bounds[kind]
	if !ok {
		return math.NaN(), math.NaN()
	}
	return e.Float64(), errorRatio(e, bloom)
}

// value returns e as a float64, or NaN for a bound that is not defined.
func value(e *exact.Enclosure) float64 {
	if e == nil {
		return math.NaN()
	}
	return e.Float64()
}

// errorRatio returns (upper - lower)/lower, which the paper calls beta.
func errorRatio(upper, lower exact.Enclosure) float64 {
	d := new(big.Float).Sub(upper.Lo(), lower.Hi())
	beta, _ := d.Quo(d, lower.Hi()).Float64()
	return beta
}

func rateRows(rates []rate) [][]string {
	rows := [][]string{{"m", "n", "k", "lookups", "positives", "rate", "rate_low_99", "rate_high_99", "rate_given_bits",
		"exact", "bloom", "bose_upper", "upper", "error_ratio_bose", "error_ratio_upper"}}
	for _, r := range rates {
		row := []string{integer(r.m), integer(r.n), integer(uint64(r.k)), integer(r.lookups), integer(r.positives)}
		for _, x := range []float64{r.measured(), r.low, r.high, r.given, r.exact, r.bloom, r.bose, r.upper, r.errorBose, r.errorUpper} {
			row = append(row, real(x))
		}
		rows = append(rows, row)
	}
	return rows
}

// The type best has the values of k that are best for m bits and n items: the exact best value, and the values that the
// formulas give.
type best struct {
	m, n                 uint64
	measured             int
	leastLike, mostLike  int // the range of k whose measured intervals overlap that of the best k
	exact                int // the best k by the exact rate
	formula9, formula15  float64
	measuredRate, exactf float64
}

// bestK returns the best k for every m and n of figures 5 and 6. The exact best k has the least rate of all k from 1 to
// twice the value of the paper's formula (9). In all cases that were examined, the rate as a function of k has a single
// minimum.
func (s *set) bestK(rates []rate) ([]best, error) {
	type shape struct{ m, n uint64 }
	by := map[shape][]rate{}
	var shapes []shape
	for _, r := range rates {
		at := shape{r.m, r.n}
		if by[at] == nil {
			shapes = append(shapes, at)
		}
		by[at] = append(by[at], r)
	}
	var out []best
	for _, at := range shapes {
		b := best{m: at.m, n: at.n}
		least := by[at][0]
		for _, r := range by[at] {
			if r.positives < least.positives {
				least = r
			}
		}
		b.measured, b.measuredRate = least.k, least.measured()
		for _, r := range by[at] {
			if r.low <= least.high {
				if b.leastLike == 0 {
					b.leastLike = r.k
				}
				b.mostLike = r.k
			}
		}
		b.formula9 = float64(at.m) / float64(at.n) * math.Ln2
		b.formula15 = -math.Ln2 / float64(at.n) / math.Log1p(-1/float64(at.m))
		for k := 1; float64(k) <= 2*b.formula9+1; k++ {
			e, _, err := exact.FPR(bloomproof.Geometry{M: at.m, K: k}, at.n, 64, exact.Auto)
			if err != nil {
				return nil, err
			}
			if f := e.Float64(); k == 1 || f < b.exactf {
				b.exact, b.exactf = k, f
			}
		}
		out = append(out, b)
	}
	return out, nil
}

func bestKRows(all []best) [][]string {
	rows := [][]string{{"m", "n", "measured_best_k", "measured_least_k_99", "measured_most_k_99", "exact_best_k", "formula_9", "formula_15",
		"measured_rate", "exact_rate"}}
	for _, b := range all {
		row := []string{integer(b.m), integer(b.n)}
		for _, k := range []int{b.measured, b.leastLike, b.mostLike, b.exact} {
			row = append(row, integer(uint64(k)))
		}
		for _, x := range []float64{b.formula9, b.formula15, b.measuredRate, b.exactf} {
			row = append(row, real(x))
		}
		rows = append(rows, row)
	}
	return rows
}
