package approx

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/ref"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The number of set bits of a tiny filter, item by item: mean and variance of its law.
func TestSetBitsBruteForce(t *testing.T) {
	for _, h := range everyHashing {
		for m := 1; m <= 6; m++ {
			for k := 1; k <= m; k++ {
				g := bloomproof.Geometry{M: uint64(m), K: k, Hashing: h}
				if g.Validate() != nil {
					continue
				}
				items := itemLaw(h, m, k)
				law := make([]float64, 1<<m) // of the set of set bits
				law[0] = 1
				for n := range uint64(6) {
					var mean, square float64
					for set, p := range law {
						bits := float64(popcount(set))
						mean, square = mean+p*bits, square+p*bits*bits
					}
					gotMean, err1 := SetBitsMean(g, n)
					gotVariance, err2 := SetBitsVariance(g, n)
					if err1 != nil || err2 != nil || math.Abs(gotMean-mean) > 1e-13*float64(m) || math.Abs(gotVariance-(square-mean*mean)) > 1e-12*float64(m) {
						t.Errorf("%v n=%d: mean %v, variance %v, want %v, %v", g, n, gotMean, gotVariance, mean, square-mean*mean)
					}
					next := make([]float64, len(law))
					for set, p := range law {
						for item, q := range items {
							next[set|item] += p * q
						}
					}
					law = next
				}
			}
		}
	}
}

// itemLaw returns the probability of each set of bits that an item may set.
func itemLaw(h bloomproof.Hashing, m, k int) []float64 {
	law := make([]float64, 1<<m)
	all := itemMasks(h, m, k)
	for _, set := range all {
		law[set]++
	}
	for set := range law {
		law[set] /= float64(len(all))
	}
	return law
}

// itemMasks lists what an item may set, each equally likely.
func itemMasks(h bloomproof.Hashing, m, k int) []int {
	if h == bloomproof.Classic {
		var all []int
		for set := range 1 << m {
			if popcount(set) == k {
				all = append(all, set)
			}
		}
		return all
	}
	all := []int{0}
	for i := range k {
		first, width := 0, m
		if h == bloomproof.Partitioned {
			width = m / k
			first = i * width
		}
		var more []int
		for _, set := range all {
			for at := range width {
				more = append(more, set|1<<(first+at))
			}
		}
		all = more
	}
	return all
}

func popcount(x int) (n int) {
	for ; x > 0; x &= x - 1 {
		n++
	}
	return n
}

// EstimateItems is the formula of its comment, taken with 200 bits: the numbers whose logarithms it takes differ from 1
// by at least 2^-62.
func TestEstimateItems(t *testing.T) {
	const prec = 200
	num := func(x uint64) *big.Float { return ref.Uint(prec, x) }
	r := rand.New(rand.NewPCG(8, 1))
	worst := 0.0
	cases := 90
	if !longtest.Enabled() {
		cases = 30
	}
	for i := range cases {
		k := 1 + r.IntN(64)
		g := bloomproof.Geometry{M: (2 + r.Uint64()>>(8+r.IntN(50))) * uint64(k), K: k, Hashing: everyHashing[i%3]}
		bits := 1 + r.Uint64N(g.M-1)
		if i%2 == 0 {
			bits = 1 + bits>>r.IntN(60)
		}
		c := uint64(1)
		if g.Hashing != bloomproof.Standard {
			c = uint64(k)
		}
		want := ref.Quo(ref.Log(ref.Quo(num(g.M-bits), num(g.M))), ref.Log(ref.Quo(num(g.M-c), num(g.M))))
		if g.Hashing == bloomproof.Standard {
			want = ref.Quo(want, num(uint64(k)))
		}
		got, err := EstimateItems(g, bits)
		if e := ref.ErrorInU(got, want); err != nil || !(e <= 4) {
			t.Errorf("EstimateItems(%v, %d) = %v, %v, want %v: %.3g u", g, bits, got, err, want, e)
		} else {
			worst = max(worst, e)
		}
	}
	t.Logf("worst %.2f u", worst)
	g := bloomproof.Geometry{M: 64, K: 3}
	if _, err := EstimateItems(g, 64); !errors.Is(err, bloomproof.ErrUndefined) {
		t.Errorf("all bits set: %v, want bloomproof.ErrUndefined", err)
	}
	var p *bloomproof.ParamError
	if _, err := EstimateItems(g, 65); !errors.As(err, &p) || p.Param != "bits" {
		t.Errorf("more bits than there are: %v, want a ParamError of bits", err)
	}
}

// The peak of a small filter is the largest of all its efficiencies; Burns, figure 9:
// 0.69 at 69 items for m = 100, k = 1.
func TestPeakEfficiency(t *testing.T) {
	for _, h := range everyHashing {
		for _, m := range []uint64{2, 3, 12, 60, 100, 240} {
			for _, k := range []int{1, 2, 3, 5, 12, 20} {
				g := bloomproof.Geometry{M: m, K: k, Hashing: h}
				if g.Validate() != nil {
					continue
				}
				got, n, err := PeakEfficiency(g)
				want := 0.0
				for x := uint64(1); x <= 3*m; x++ {
					e, err := Efficiency(g, x)
					if err != nil {
						t.Fatal(err)
					}
					want = max(want, e)
				}
				if want == 0 {
					if !errors.Is(err, bloomproof.ErrUndefined) {
						t.Errorf("%v: %v, %v, want bloomproof.ErrUndefined", g, got, err)
					}
					continue
				}
				at, _ := Efficiency(g, n)
				if err != nil || at != got || math.Abs(got-want) > 1e-12*want {
					t.Errorf("PeakEfficiency(%v) = %v at %d, %v, want %v", g, got, n, err, want)
				}
			}
		}
	}
	if e, n, _ := PeakEfficiency(bloomproof.Geometry{M: 100, K: 1}); n != 69 || math.Abs(e-0.69) > 0.005 {
		t.Errorf("m = 100, k = 1: %v at %d, Burns has 0.69 at 69", e, n)
	}
	if e, _, err := PeakEfficiency(bloomproof.Geometry{M: 1<<64 - 1, K: 1}); err != nil || math.Abs(e-math.Ln2) > 1e-6 {
		t.Errorf("m = 2^64-1, k = 1: %v, %v, want about ln 2", e, err)
	}
	if _, err := Efficiency(bloomproof.Geometry{M: 8, K: 1}, 0); !errors.Is(err, bloomproof.ErrUndefined) {
		t.Errorf("no items: %v, want bloomproof.ErrUndefined", err)
	}
}

// A counting filter is right about its only item but for what it does to itself, and
// wrong as often as the others hide it; by all draws of a tiny filter.
func TestCorrectRate(t *testing.T) {
	for m := 1; m <= 4; m++ {
		for k := 1; k <= 3; k++ {
			for n := 1; n*k <= 6; n++ {
				draws, distinct, literal := 1, 0, 0
				for range n * k {
					draws *= m
				}
				for code := range draws {
					var own, others [4]int
					for at, rest := 0, code; at < n*k; at, rest = at+1, rest/m {
						if at < k {
							own[rest%m]++
						} else {
							others[rest%m]++
						}
					}
					free, alone := 0, 0
					for i := range m {
						if own[i] > 0 && others[i] == 0 {
							free = 1
							if own[i] == 1 {
								alone = 1
							}
						}
					}
					distinct, literal = distinct+free, literal+alone
				}
				g := bloomproof.Geometry{M: uint64(m), K: k}
				for inc, count := range map[bloomproof.Increment]int{bloomproof.Distinct: distinct, bloomproof.Literal: literal} {
					want := float64(count) / float64(draws)
					if got, err := CorrectRate(g, uint64(n), inc); err != nil || math.Abs(got-want) > 1e-14 {
						t.Errorf("CorrectRate(%v, %d, %v) = %v, %v, want %v", g, n, inc, got, err, want)
					}
				}
			}
		}
	}
	for param, call := range map[string]func() (float64, error){
		"n":         func() (float64, error) { return CorrectRate(bloomproof.Geometry{M: 8, K: 1}, 0, bloomproof.Distinct) },
		"increment": func() (float64, error) { return CorrectRate(bloomproof.Geometry{M: 8, K: 1}, 1, 7) },
		"m":         func() (float64, error) { return CorrectRate(bloomproof.Geometry{K: 1}, 1, bloomproof.Literal) },
	} {
		var p *bloomproof.ParamError
		if _, err := call(); !errors.As(err, &p) || p.Param != param {
			t.Errorf("%v, want a ParamError of %s", err, param)
		}
	}
}
