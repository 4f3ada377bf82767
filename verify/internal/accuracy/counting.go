package accuracy

import (
	"errors"
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/exact"
)

// CorrectRate returns the group for approx.CorrectRate of a standard counting filter with the increment rule inc.
func CorrectRate(inc bloomproof.Increment) Group {
	return Group{
		Names: []string{"CorrectRate " + inc.String()},
		Check: func(p Point, prec uint) ([]Result, error) {
			r, err := checkCorrect(bloomproof.Geometry{M: p.M, K: p.K}, p.N, inc, prec)
			if err != nil {
				err = fmt.Errorf("%v%v: %w", inc, p, err)
			}
			return []Result{r}, err
		},
	}
}

func checkCorrect(g bloomproof.Geometry, n uint64, inc bloomproof.Increment, prec uint) (Result, error) {
	got, err := approx.CorrectRate(g, n, inc)
	if n == 0 {
		var invalid *bloomproof.ParamError
		if !errors.As(err, &invalid) {
			return Result{}, fmt.Errorf("no items: %v", err)
		}
		return Result{}, nil
	}
	if err != nil {
		return Result{}, err
	}
	want, err := exact.CorrectRate(g, n, inc, prec)
	if errors.Is(err, bloomproof.ErrRange) { // below e^-1.3e9
		if got != 0 {
			return Result{}, fmt.Errorf("got %v, want nearly 0", got)
		}
		return Result{}, nil
	}
	if err != nil {
		return Result{}, err
	}
	if want.Lo().Sign() == 0 {
		if got != 0 {
			return Result{}, fmt.Errorf("got %v, want 0", got)
		}
		return Result{Defined: true}, nil
	}
	bound := 1.6*RateBound(g) + 1
	if got < 0.3 {
		bound = min(bound, 40)
	}
	if inc == bloomproof.Literal {
		bound = 500 * (1 + math.Sqrt(float64(g.K)))
	}
	return withinTimes(got, want, 1, nearest, bound)
}
