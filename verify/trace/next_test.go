package trace

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// changeByHand is Ladder.change from the arrivals themselves.
func changeByHand(arrivals []uint64, warmup int, capacity float64, twoPhase bool) float64 {
	n := len(arrivals) - warmup
	length := 1
	for (n-1)/length >= mostStretches {
		length *= 2
	}
	last, gaps := map[uint64]int{}, make([]float64, 0, n)
	for i, key := range arrivals {
		before, known := last[key]
		last[key] = i
		if i < warmup {
			continue
		}
		gap := math.Inf(1)
		if known {
			gap = float64(i - before)
		}
		gaps = append(gaps, gap)
	}
	apart := n / length / 4
	var rates []float64
	for first := 0; first+apart <= n/length; first++ {
		part := gaps[first*length : (first+apart)*length]
		share := func(v float64) (unrecorded, forgotten float64) {
			for _, gap := range part {
				out := math.Min(1, gap/v)
				unrecorded += out / float64(len(part))
				switch {
				case math.IsInf(gap, 1):
				case twoPhase:
					forgotten += math.Min(1, math.Max(0, gap-v)/v) / float64(len(part))
				default:
					forgotten += out / float64(len(part))
				}
			}
			return unrecorded, forgotten
		}
		rate := 0.
		if out, _ := share(float64(n)); out*float64(n) >= capacity {
			lo, hi := 0., float64(n)
			for range 30 {
				mid := (lo + hi) / 2
				if out, _ := share(mid); out*mid < capacity {
					lo = mid
				} else {
					hi = mid
				}
			}
			_, rate = share(hi)
		}
		rates = append(rates, rate)
	}
	squares := 0.
	for i := range len(rates) - apart {
		squares += (rates[i+apart] - rates[i]) * (rates[i+apart] - rates[i])
	}
	return math.Sqrt(squares / float64(len(rates)-apart))
}

// How much the rate changes is what the arrivals say, but for the classes of gaps.
func TestChangeByHand(t *testing.T) {
	most := 0.
	for name, arrivals := range traffics(longtest.Of(700, 1500, 6000)) {
		for _, warmup := range []int{0, 123} {
			l, err := NewLadder(bloomproof.Recycling{}, uint64(warmup))
			if err != nil {
				t.Fatal(err)
			}
			for _, key := range arrivals {
				l.Observe(key)
			}
			for _, capacity := range []float64{8, 50, 300} {
				for _, twoPhase := range []bool{false, true} {
					if _, err := l.Next(capacity, 0.9, twoPhase); err != nil {
						t.Fatal(err)
					}
					got, want := l.change(capacity, twoPhase), changeByHand(arrivals, warmup, capacity, twoPhase)
					most = max(most, want)
					if math.Abs(got-want) > 0.01+0.05*want {
						t.Errorf("%s, warm-up %d, capacity %v, two phases %t: changes by %v, want %v", name, warmup, capacity, twoPhase, got, want)
					}
				}
			}
		}
	}
	if most < 0.2 {
		t.Errorf("nothing changes by more than %v", most)
	}
}

// Of traffic that stays as it is, and of traffic whose gaps are long and short in turn or by
// chance, the rate of what comes next is in the interval; and a capacity asked for with a confidence
// keeps the share.
func TestNext(t *testing.T) {
	n := longtest.More(8000, 50_000)
	end := uint64(2 * n)
	for name, longest := range map[string]func(i uint64) uint64{
		"the same": func(uint64) uint64 { return 500 },
		"in turn":  func(i uint64) uint64 { return 200 + 1000*(10*i/end%2) },
		"random":   func(i uint64) uint64 { return 200 + mix(12*i/end)%1000 },
	} {
		rng := rand.New(rand.NewPCG(41, 42))
		var arrivals []uint64
		for key := range Keys(func(i uint64) uint64 {
			if rng.Uint64N(8) == 0 {
				return 0
			}
			return 1 + rng.Uint64N(1+rng.Uint64N(longest(i)))
		}) {
			if arrivals = append(arrivals, key); len(arrivals) == 2*n {
				break
			}
		}
		var halves [2]*Ladder
		for i := range halves {
			l, err := NewLadder(bloomproof.Recycling{}, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, key := range arrivals[i*n : (i+1)*n] {
				l.Observe(key)
			}
			halves[i] = l
		}
		for _, twoPhase := range []bool{false, true} {
			for _, share := range []float64{0.05, 0.1, 0.2} {
				c, err := halves[0].Capacity(share, twoPhase)
				if err != nil {
					t.Fatal(err)
				}
				next, err := halves[0].Next(c, 0.995, twoPhase)
				if err != nil {
					t.Fatal(err)
				}
				itself, _ := halves[0].Forgotten(c, twoPhase)
				got, err := halves[1].Forgotten(c, twoPhase)
				if err != nil {
					t.Fatal(err)
				}
				if got.Mean < next.Low || got.Mean > next.High || next.Mean != itself.Mean || next.Low > itself.Low || next.High < itself.High {
					t.Errorf("%s, two phases %t, %v: %+v next, predicted %+v", name, twoPhase, share, got, next)
				}
				if name == "the same" && next.High-next.Low > 0.02+share {
					t.Errorf("%s, two phases %t, %v: predicted %+v", name, twoPhase, share, next)
				}
				sure, err := halves[0].CapacityNext(share, 0.95, twoPhase)
				if err != nil {
					t.Fatal(err)
				}
				kept, _ := halves[1].Forgotten(sure, twoPhase)
				upper, _ := halves[0].Next(sure, 0.95, twoPhase)
				if sure <= c || kept.Mean > share || math.Abs(upper.High/share-1) > 0.1 {
					t.Errorf("%s, two phases %t, %v: a capacity of %v has %v next and asked for at most %v", name, twoPhase, share, sure, kept.Mean, upper.High)
				}
			}
		}
	}
}

func TestNextErrors(t *testing.T) {
	var param *bloomproof.ParamError
	l, err := NewLadder(bloomproof.Recycling{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint64(16) {
		l.Observe(i % 9)
	}
	if x, err := l.Next(8, 0.9, false); !errors.As(err, &param) || param.Param != "trace" {
		t.Errorf("15 arrivals: %+v, %v", x, err)
	}
	if x, err := l.CapacityNext(0.1, 0.9, false); !errors.As(err, &param) || param.Param != "trace" {
		t.Errorf("15 arrivals: %+v, %v", x, err)
	}
	l.Observe(1)
	for _, bad := range []float64{0, 1, -1, 1.5, math.NaN(), math.Inf(1)} {
		if x, err := l.Next(8, bad, false); !errors.As(err, &param) || param.Param != "confidence" {
			t.Errorf("confidence %v: %+v, %v", bad, x, err)
		}
		if x, err := l.CapacityNext(0.1, bad, false); !errors.As(err, &param) || param.Param != "confidence" {
			t.Errorf("confidence %v: %+v, %v", bad, x, err)
		}
		if x, err := l.CapacityNext(bad, 0.9, false); !errors.As(err, &param) || param.Param != "share" {
			t.Errorf("share %v: %+v, %v", bad, x, err)
		}
	}
	if x, err := l.Next(8, 0.5-0x1p-54, false); !errors.As(err, &param) || param.Param != "confidence" {
		t.Errorf("%+v, %v", x, err)
	}
	if x, err := l.Next(3, 0.9, false); !errors.As(err, &param) || param.Param != "capacity" {
		t.Errorf("capacity 3: %+v, %v", x, err)
	}
	for _, confidence := range []float64{0.5, 1 - 0x1p-53} {
		x, err := l.Next(8, confidence, false)
		if err != nil || !(x.Low >= 0 && x.Low <= 1 && x.High >= 0 && x.High <= 1) {
			t.Errorf("confidence %v: %+v, %v", confidence, x, err)
		}
	}
}
