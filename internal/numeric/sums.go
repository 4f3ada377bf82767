package numeric

import (
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
)

// Sums is a sample of pairs (x, y). It stores sums over the pairs, and not the pairs themselves. The zero value is an
// empty sample.
type Sums struct {
	n          uint64
	x, y       float64 // means
	xx, xy, yy float64 // sums of squares and products of the deviations from them
}

// Add adds a pair.
func (s *Sums) Add(x, y float64) {
	s.n++
	n := float64(s.n)
	dx, dy := x-s.x, y-s.y
	s.x += dx / n
	s.y += dy / n
	s.xx += dx * (x - s.x)
	s.xy += dx * (y - s.y)
	s.yy += dy * (y - s.y)
}

// N returns the number of pairs.
func (s *Sums) N() uint64 { return s.n }

// Ratio returns the mean of x divided by the mean of y. It also returns a confidence interval for this ratio. It does
// the same as stat.RatioInterval.
func (s *Sums) Ratio(confidence float64) (mean, low, high float64, err error) {
	switch {
	case s.n < 2:
		return 0, 0, 0, &bloomproof.ParamError{Param: "n", Value: s.n, Want: "at least 2 pairs"}
	case !(s.y > 0):
		return 0, 0, 0, &bloomproof.ParamError{Param: "y", Value: s.y, Want: fmt.Sprintf("of positive mean over %d pairs", s.n)}
	}
	t, err := StudentT(confidence, s.n-1)
	if err != nil {
		return 0, 0, 0, err
	}
	n := float64(s.n)
	mean = s.x / s.y
	residual := max(0, s.xx-2*mean*s.xy+mean*mean*s.yy) / (n - 1)
	d := t * math.Sqrt(residual/n) / s.y
	return mean, mean - d, mean + d, nil
}

// Residual returns the mean of x and the standard error of this mean. It is for pairs in which x is a residual.
func (s *Sums) Residual() (mean, deviation float64) {
	n := float64(s.n)
	return s.x, math.Sqrt(s.xx / (n - 1) / n)
}

// MeanY returns the mean of y.
func (s *Sums) MeanY() float64 { return s.y }
