package trace

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Cycles of v arrivals that begin at every place in turn forget, in the mean, what the gaps
// say. Gaps are mostly below 32, where they are counted exactly.
func TestForgotten(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	arrivals := skewed(rng, 6000, 40)
	for i := range arrivals {
		if i%17 == 0 {
			arrivals[i] = uint64(1000 + i) // one-hit wonders
		}
	}
	for _, v := range []int{3, 10, 29} {
		for _, warmup := range []int{0, 1000} {
			var unrecorded, forgotten [2]float64 // by phases, over all offsets
			last := map[uint64]int{}
			for i, key := range arrivals {
				before, known := last[key]
				last[key] = i
				if i < warmup {
					continue
				}
				if known && before < warmup {
					before = -3 * v // taken for long ago
				}
				for offset := range v {
					began := i - (i-offset+v)%v
					if !known || before < began {
						unrecorded[0]++
						if known {
							forgotten[0]++
						}
					}
					if known && before < began-v {
						forgotten[1]++
					}
				}
			}
			est := of(t, arrivals, Options{Warmup: uint64(warmup)})
			n := float64(len(arrivals) - warmup)
			capacity := unrecorded[0] / n // v cycles' worth in n arrivals, over v offsets
			for p, twoPhase := range []bool{false, true} {
				share, cycle := est.Forgotten(capacity, twoPhase)
				want := forgotten[p] / (n * float64(v))
				if math.Abs(cycle/float64(v)-1) > 0.01 || math.Abs(share/want-1) > 0.02 {
					t.Errorf("v = %d, warm-up %d, two phases %t: %v in cycles of %v, want %v", v, warmup, twoPhase, share, cycle, want)
				}
			}
		}
	}
	est := of(t, arrivals, Options{})
	for _, capacity := range []float64{0, -1, math.NaN(), math.Inf(1), 6000} {
		if share, cycle := est.Forgotten(capacity, false); share != 0 || cycle != 0 {
			t.Errorf("capacity %v: %v in cycles of %v", capacity, share, cycle)
		}
	}
}
