package occupancy

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestSlopeOfEquals asks for the sign of a difference that is 0. With b+1 and with b+2 balls, b occupied urns are equally
// probable if m = (b+2)(3b+1)/12. Fractions show this only if they are short enough.
func TestSlopeOfEquals(t *testing.T) {
	longtest.Only(t, "the other signs are the same by integrals and by fractions")
	for b, want := range map[uint64]error{70: nil, 2050: refuse.ErrPrecision} {
		o := Distribution{M: (b + 2) * (3*b + 1) / 12, N: big.NewInt(int64(b) + 1), K: 1}
		if s, err := o.Slope(b, 1); s != 0 || !errors.Is(err, want) {
			t.Errorf("b = %d: the sign is %d, %v, want 0, %v", b, s, err, want)
		}
	}
}

// TestSlicedSlope compares the sign by integrals and sums, which slope takes above 64
// bits, with that of the rationals: for every number of set bits that can be, its ends
// and the one where no two balls met among them.
func TestSlicedSlope(t *testing.T) {
	signs := map[int]int{}
	for _, x := range []Slices{{33, 2, 2}, {22, 5, 3}, {22, 31, 3}, {17, 18, 4}} {
		more := x
		more.N++
		step := longtest.More[uint64](13, 1)
		most := min(x.S*uint64(x.K)-1, x.N*uint64(x.K))
		for b := uint64(x.K); b <= most; b++ {
			if b%step != 0 && b != uint64(x.K) && b != most {
				continue
			}
			want := more.rational(b).Cmp(x.rational(b))
			got, err := x.Slope(b)
			if err != nil || got != want {
				t.Errorf("%v at %d: sign %d, %v, want %d", x, b, got, err, want)
			}
			signs[want]++
		}
	}
	if signs[1] == 0 || signs[-1] == 0 {
		t.Errorf("only one sign was asked for: %v", signs)
	}
}

// TestSliced compares the two integrals with the convolution of the slices' distributions, and at
// sizes beyond it with what a nearly normal distribution has at its mean.
func TestSliced(t *testing.T) {
	for _, c := range []struct{ s, n, k int }{{2, 1, 1}, {5, 3, 2}, {3, 2, 6}, {7, 20, 3}, {12, 9, 2}} {
		if !longtest.Enabled() && c.s > 7 {
			break
		}
		sum := new(big.Rat)
		for b, p := range outcomes.SliceChain(c.s, c.n, c.k) {
			sum.Add(sum, p)
			law := Slices{uint64(c.s), uint64(c.n), c.k}
			if x := law.emptiesSum(uint64(b), true, 60); !x.ContainsRat(p) || wide(x, 58) {
				t.Fatalf("by unset bits P[X = %d] of %v is %v, by convolution %v", b, c, x, p.FloatString(20))
			}
			if met := c.n*c.k - b; met > 0 {
				if x := law.meetings(uint64(met), false, 60); !x.ContainsRat(sum) || wide(x, 58) {
					t.Fatalf("by meetings P[X <= %d] of %v is %v, by convolution %v", b, c, x, sum.FloatString(20))
				}
				if x := law.meetings(uint64(met), true, 60); !x.ContainsRat(p) || wide(x, 58) {
					t.Fatalf("by meetings P[X = %d] of %v is %v, by convolution %v", b, c, x, p.FloatString(20))
				}
			}
			x, err := law.Below(uint64(b), 60)
			if err != nil || !x.ContainsRat(sum) || wide(x, 60) {
				t.Fatalf("P[X <= %d] of %v is %v, %v, by convolution %v", b, c, x, err, sum.FloatString(20))
			}
			if nk := c.n * c.k; b%longtest.More(14, 7) != 3 || b < c.k || b >= min(nk, c.s*c.k) {
				continue
			}
			x, err = law.integral(uint64(b), false, 40)
			if err != nil || !x.ContainsRat(sum) || wide(x, 30) {
				t.Fatalf("P[X <= %d] of %v is %v, %v, by convolution %v", b, c, x, err, sum.FloatString(20))
			}
		}
	}
	if !longtest.Enabled() {
		return
	}
	for _, x := range []Slices{{1 << 20, 1 << 19, 8}, {1 << 60, 1 << 60, 15}} {
		mean := -float64(x.S) * float64(x.K) * math.Expm1(float64(x.N)*math.Log1p(-1/float64(x.S)))
		p, err := x.Below(uint64(mean), 20)
		if err != nil || math.Abs(p.Float64()-0.5) > 1e-3 {
			t.Errorf("P[X <= %.0f] of %v is %v, %v", mean, x, p, err)
			continue
		}
	}
}

// TestAgree compares probabilities with themselves. No precision decides such a comparison.
func TestAgree(t *testing.T) {
	for name, x := range map[string]struct {
		of func() (int, error)
		at int
	}{
		"slices": {func() (int, error) { return Slices{S: 3, N: 2, K: 1}.Compare(1, big.NewRat(1, 3)) }, 1},
		"a pair": {func() (int, error) { return Pair{3, [2]uint64{1, 1}}.Compare(0, big.NewRat(2, 3)) }, 0},
	} {
		s, err := x.of()
		want := fmt.Sprintf("P[X <= %d] agrees with ", x.at)
		if s != 0 || !errors.Is(err, refuse.ErrPrecision) || !strings.HasPrefix(fmt.Sprint(err), want) {
			t.Errorf("%s: %d, %v", name, s, err)
		}
	}
}
