package stat

import (
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
)

// StudentT returns the t that a variable of Student's law with df degrees of freedom
// exceeds in absolute value with probability 1-confidence:
//
//	P[|T| > t] = I_(df/(df+t^2))(df/2, 1/2) = 1 - confidence.
//
// Source: Student, Biometrika 6 (1908), through the incomplete beta function (DLMF
// 8.17; Abramowitz and Stegun 26.7.1).
// Domain: 1 <= df <= 2^40; 0 < confidence <= 1 - 1e-12.
// Error: relative error of the probability at most 1e-10 (held against the finite sums
// of Abramowitz and Stegun 26.7.3 and 26.7.4 up to df = 1000 by TestStudentT).
// Cost: about 60 evaluations of the incomplete beta function.
// Errors: *bloomproof.ParamError.
func StudentT(confidence float64, df uint64) (float64, error) {
	switch {
	case df < 1 || df > maxBeta:
		return 0, &bloomproof.ParamError{Param: "df", Value: df, Want: "between 1 and 2^40"}
	case !(confidence > 0 && confidence <= 1-1e-12):
		return 0, &bloomproof.ParamError{Param: "confidence", Value: confidence, Want: "above 0 and at most 1 - 1e-12"}
	}
	tail := 1 - confidence
	_, u := crossing(func(u float64) bool { return studentTail(u*maxStudent, float64(df)) <= tail })
	return u * maxStudent, nil
}

// maxStudent is above every t of the domain: the largest is about 6.4e11, at df = 1.
const maxStudent = 1 << 40

// studentTail returns P[|T| > t], from the smaller of the two arguments that add up to 1.
func studentTail(t, df float64) float64 {
	if tt := t * t; tt < df {
		_, tail := betaTails(0.5, df/2, tt/(df+tt))
		return tail
	}
	tail, _ := betaTails(df/2, 0.5, df/(df+t*t))
	return tail
}

// Sums is a sample of pairs (x, y), kept as the sums that the interval of a ratio needs.
// The zero value is an empty sample.
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

// Ratio returns r = sum x / sum y with the interval of Student's t for E[x]/E[y],
//
//	r +- t s/(mean y sqrt(n)),   s^2 the sample variance of x - r y, n-1 degrees of freedom.
//
// It is the interval of a mean when every y is 1. For pairs that are independent and
// alike its coverage tends to confidence as n grows, whatever their law (the residuals
// x - r y have mean 0 by the definition of r), and is the stated one for normal
// residuals but for a term of order 1/n.
//
// Source: Fieller, JRSS B 16 (1954), to first order; the regenerative method of Crane
// and Iglehart, JACM 21 (1974), takes the cycles of a simulation as its pairs.
// Domain: at least two pairs; sum y above 0; 0 < confidence <= 1 - 1e-12.
// Error: rounding, of the order of n 2^-53 times the deviations.
// Cost: that of StudentT.
// Errors: *bloomproof.ParamError.
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
