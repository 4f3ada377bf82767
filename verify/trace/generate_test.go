package trace

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// drawnGaps are even from 1 to most, but for a share of keys that do not come again.
func drawnGaps(rng *rand.Rand, again float64, most func(i uint64) uint64) func(i uint64) uint64 {
	return func(i uint64) uint64 {
		if rng.Float64() >= again {
			return 0
		}
		return 1 + rng.Uint64N(most(i))
	}
}

// The gaps are those asked for, and a little longer by the wait.
func TestKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	due := map[uint64]uint64{} // of each key
	var last uint64
	law := drawnGaps(rng, 0.7, func(i uint64) uint64 { return 100 + i/100 })
	asked, waited, repeats, fresh := 0., 0., 0., uint64(0)
	i := uint64(0)
	for key := range Keys(func(i uint64) uint64 {
		g := law(i)
		if g > 0 {
			due[last] = i + g
			asked += float64(g)
		}
		return g
	}) {
		if at, known := due[key]; known {
			if at > i {
				t.Fatalf("key %d came at %d, due at %d", key, i, at)
			}
			waited += float64(i - at)
			repeats++
			delete(due, key)
		} else if key != fresh {
			t.Fatalf("key %d came anew at %d; %d was next", key, i, fresh)
		} else {
			fresh++
		}
		last = key
		if i++; i == 50_000 {
			break
		}
	}
	if math.Abs(repeats/50_000-0.7) > 0.01 || waited/repeats > 3 {
		t.Errorf("%v repeats, mean wait %v of gaps of %v", repeats, waited/repeats, asked/repeats)
	}
}

// Two routes to what is forgotten where traffic does not change: the ladder, and the law of the
// gaps for cycles that all take as many arrivals and begin anywhere.
func TestLadderAgainstGaps(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 44))
	n := uint64(longtest.More(60_000, 400_000))
	l, err := NewLadder(bloomproof.Recycling{}, n/4)
	if err != nil {
		t.Fatal(err)
	}
	e := NewEstimator(Options{Warmup: n / 4})
	seen := uint64(0)
	for key := range Keys(drawnGaps(rng, 0.8, func(uint64) uint64 { return 1000 })) {
		l.Observe(key)
		e.Observe(key)
		if seen++; seen == n {
			break
		}
	}
	est, err := e.Estimate()
	if err != nil {
		t.Fatal(err)
	}
	for _, capacity := range []float64{50, 150, 400} {
		for _, twoPhase := range []bool{false, true} {
			got, err := l.Forgotten(capacity, twoPhase)
			if err != nil {
				t.Fatal(err)
			}
			want, _ := est.Forgotten(capacity, twoPhase)
			if math.Abs(got.Mean/want-1) > 0.03 && math.Abs(got.Mean-want) > 0.002 {
				t.Errorf("capacity %v, two phases %t: %v, by the law of the gaps %v", capacity, twoPhase, got, want)
			}
		}
	}
}

func ExampleKeys() {
	n := 0
	for key := range Keys(func(i uint64) uint64 {
		if i < 3 {
			return 0 // the first three come once
		}
		return 2 // the others alternate
	}) {
		fmt.Print(key, " ")
		if n++; n == 9 {
			break
		}
	}
	// Output: 0 1 2 3 4 3 4 3 4
}
