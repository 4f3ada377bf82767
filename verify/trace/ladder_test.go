package trace

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// traffics are traces that no model of independent arrivals describes.
func traffics(n int) map[string][]uint64 {
	rng := rand.New(rand.NewPCG(21, 22))
	u := rng.Uint64N
	made := func(next func(i uint64) uint64) []uint64 {
		keys := make([]uint64, n)
		for i := range keys {
			keys[i] = next(uint64(i))
		}
		return keys
	}
	end := uint64(n)
	return map[string][]uint64{
		"bursts": made(func(i uint64) uint64 { // a few keys at a time, which come again much later
			return i/100%50*10 + u(10)
		}),
		"scans": made(func(i uint64) uint64 { // a scan of keys that come once, every so often
			if i%1000 > 700 {
				return 1000 + i
			}
			return u(1 + u(300))
		}),
		"loop":  made(func(i uint64) uint64 { return i % 333 }),
		"drift": made(func(i uint64) uint64 { return i/20 + u(1+u(200)) }),
		"flash crowd": made(func(i uint64) uint64 {
			if i > end/2 && i < end*3/4 && u(10) > 0 {
				return end + u(5)
			}
			return u(1 + u(1+u(2000)))
		}),
	}
}

// byHand counts the arrivals after the warm-up that a filter forgets whose cycles take length keys, the first one first,
// from the sets of keys that its arrays have.
func byHand(arrivals []uint64, first, length int, r bloomproof.Recycling, warmup int) (forgotten, fresh uint64) {
	came, active, frozen := map[uint64]bool{}, map[uint64]bool{}, map[uint64]bool{}
	taken := 0
	for i, key := range arrivals {
		known, has := came[key], r.TwoPhase && frozen[key]
		came[key] = true
		if active[key] {
			continue
		}
		if i >= warmup && !has {
			if known {
				forgotten++
			} else {
				fresh++
			}
		}
		if has && r.NoCopyOver {
			continue
		}
		active[key] = true
		if taken++; taken < first {
			continue
		}
		first = length
		if r.FreezeBefore {
			delete(active, key)
		}
		active, frozen, taken = map[uint64]bool{}, active, 0
		if r.Retain {
			active[key] = true
		}
	}
	return forgotten, fresh
}

var forgetfulRules = []bloomproof.Recycling{{}, {Retain: true}, {FreezeBefore: true}, {FreezeBefore: true, Retain: true}}

// The rungs of whole lengths, and replicas, count what sets of keys say.
func TestForgottenByHand(t *testing.T) {
	for name, arrivals := range traffics(longtest.More(1500, 60_000)) {
		for i, r := range append([]bloomproof.Recycling{
			{TwoPhase: true, NoCopyOver: true}, {TwoPhase: true, NoCopyOver: true, FreezeBefore: true}, {TwoPhase: true, NoCopyOver: true, Retain: true},
		}, forgetfulRules...) {
			warmup := i % 2 * len(arrivals) / 3
			l, err := NewLadder(r, uint64(warmup))
			if err != nil {
				t.Fatal(err)
			}
			l.jitter = 0
			for _, key := range arrivals {
				l.Observe(key)
			}
			some := uint64(0)
			for j, length := 0, leastCapacity; j < len(l.rungs); j, length = j+rungsAnOctave, 2*length {
				for p := range 2 {
					if r.TwoPhase = p == 1; r.NoCopyOver && !r.TwoPhase {
						continue
					}
					want, _ := byHand(arrivals, length, length, r, warmup)
					some += want
					got := uint64(0)
					for _, n := range l.rungs[j].forgotten[p] {
						got += n
					}
					if got != want {
						t.Errorf("%s, %v, warm-up %d, cycles of %d: %d, want %d", name, r, warmup, length, got, want)
					}
				}
			}
			if some == 0 {
				t.Errorf("%s: nothing is forgotten", name)
			}
		}
	}
}

func TestReplicasByHand(t *testing.T) {
	const rate = 0.25
	for name, arrivals := range traffics(longtest.More(3000, 60_000)) {
		warmup := len(arrivals) / 3
		for _, r := range append(forgetfulRules, bloomproof.Recycling{NoCopyOver: true}, bloomproof.Recycling{NoCopyOver: true, FreezeBefore: true}) {
			for _, r.TwoPhase = range []bool{false, true} {
				if r.Validate(bloomproof.Geometry{M: 9, K: 1}) != nil && !r.Retain {
					continue
				}
				s := newReplicas(cycleLaw{mean: 100, rate: func(uint64) float64 { return rate }}, r, uint64(warmup))
				s.rule.FreshPositions = true // luck of each arrival
				if r.NoCopyOver {            // what the frozen array matches would not be recorded
					s.law.rate = func(uint64) float64 { return 0 }
				}
				missed := 0.
				for _, key := range arrivals {
					missed += s.Observe(key)
				}
				first := 100
				if r.Retain { // and nothing is retained yet
					first++
				}
				forgotten, fresh := byHand(arrivals, first, 100, r, warmup)
				for _, x := range s.each {
					o := x.Outcome
					if o.Forgotten != forgotten || o.New != fresh || o.Arrivals != uint64(len(arrivals)-warmup) {
						t.Fatalf("%s, %v: %+v, want %d forgotten, %d new", name, r, o, forgotten, fresh)
					}
					lucky := s.law.rate(0) * float64(forgotten)
					if !r.TwoPhase && math.Abs(o.Lucky-lucky) > 1e-9*lucky || o.Lucky < lucky*(1-1e-9) {
						t.Fatalf("%s, %v: %v lucky of %d", name, r, o.Lucky, forgotten)
					}
				}
				o := s.each[0].Outcome
				// All replicas forget the same, so that luck is all of the interval.
				if x := s.Rate(func(o Outcome) (hits, trials float64) { return float64(o.Forgotten) - o.Lucky, 1e6 }); !r.TwoPhase {
					quantile := replicasT
					if r.NoCopyOver {
						quantile = ownKeysT
					}
					if half := quantile * math.Sqrt(o.Lucky) / 1e6; math.Abs((x.High-x.Mean)/half-1) > 1e-6 {
						t.Fatalf("%s, %v: %v, want %v around", name, r, x, half)
					}
				}
				if want := float64(forgotten) - o.Lucky; math.Abs(missed-want) > 1e-6*want {
					t.Fatalf("%s, %v: %v missed in all, want %v", name, r, missed, want)
				}
			}
		}
	}
}

// With fixed positions the keys of a loop are lucky always or never.
func TestReplicasLuckOfKeys(t *testing.T) {
	const keys, rounds, rate = 100, 30, 0.01
	s := newReplicas(cycleLaw{mean: 60, rate: func(uint64) float64 { return rate }}, bloomproof.Recycling{}, 0)
	for i := range uint64(keys * rounds) {
		s.Observe(i % keys)
	}
	x := s.Rate(func(o Outcome) (hits, trials float64) { return float64(o.Forgotten) - o.Lucky, keys * rounds })
	const again = rounds - 1
	if want := replicasT * again * math.Sqrt(rate*keys) / (keys * rounds); math.Abs((x.Mean-x.Low)/want-1) > 1e-9 || math.Abs(x.Mean-(1-rate)*again/rounds) > 1e-9 {
		t.Errorf("%v, want %v on either side of %v", x, want, (1-rate)*again/rounds)
	}
}

// With fixed positions a filter whose cycles take about as many keys as a loop has forgets all of it
// or nothing, and the interval says so.
func TestReplicasOfLoop(t *testing.T) {
	const keys, rounds = 1000, 20
	s := newReplicas(cycleLaw{mean: keys, deviation: 8, rate: func(uint64) float64 { return 0 }}, bloomproof.Recycling{}, keys)
	for i := range uint64(keys * rounds) {
		s.Observe(i % keys)
	}
	all := 0
	for _, r := range s.each {
		switch r.Forgotten {
		case 0:
		case r.Arrivals:
			all++
		default:
			t.Errorf("%d of %d are forgotten", r.Forgotten, r.Arrivals)
		}
	}
	x := s.Rate(func(o Outcome) (hits, trials float64) { return float64(o.Forgotten), float64(o.Arrivals) })
	if all < 2 || all > len(s.each)-2 || x.Low != 0 || x.High != 1 {
		t.Errorf("%d of %d forget all: %v", all, len(s.each), x)
	}
}

// The mean and the deviation of the law are those of positions that are drawn until a cycle ends.
func TestLawOf(t *testing.T) {
	draws := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct{ m, k, sigma, messages uint64 }{{200, 3, 100, 0}, {1000, 7, 500, 0}, {1000, 1, 900, 0}, {3000, 4, 300, 0}, {50, 2, 30, 0}, {1000, 3, 0, 250}} {
		law, err := lawOf(bloomproof.Geometry{M: c.m, K: int(c.k)}, bloomproof.Recycling{Sigma: c.sigma, Messages: c.messages})
		if err != nil {
			t.Fatal(err)
		}
		const cycles = 2000
		mean, square := 0., 0.
		for range cycles {
			set := make([]bool, c.m)
			n, bits, messages := 0., uint64(0), uint64(0)
			for c.messages > 0 && messages < c.messages || c.messages == 0 && bits <= c.sigma {
				n++
				before := bits
				for range c.k {
					if p := draws.Uint64N(c.m); !set[p] {
						set[p] = true
						bits++
					}
				}
				if bits > before {
					messages++
				}
			}
			mean += n / cycles
			square += n * n / cycles
		}
		deviation := math.Sqrt(square - mean*mean)
		if math.Abs(law.mean-mean) > 5*deviation/math.Sqrt(cycles) || math.Abs(law.deviation/deviation-1) > 0.1 {
			t.Errorf("%+v: mean %v, deviation %v; drawn %v and %v", c, law.mean, law.deviation, mean, deviation)
		}
	}
	if law, err := lawOf(bloomproof.Geometry{M: 1, K: 1}, bloomproof.Recycling{}); err != nil || law.mean != 1 || law.deviation > 1e-9 {
		t.Errorf("one bit: mean %v, deviation %v, %v", law.mean, law.deviation, err)
	}
	var sum, square float64
	rng := rand.New(rand.NewPCG(1, 1))
	const n = 20_000
	for range n {
		x := float64(draw(rng, 20.3, 2))
		sum += x / n
		square += x * x / n
	}
	if d := math.Sqrt(square - sum*sum); math.Abs(sum-20.3) > 0.1 || math.Abs(d-2) > 0.1 {
		t.Errorf("draws of mean %v, deviation %v", sum, d)
	}
}

// What the ladder says between rungs is what replicas do there, or nearly; and the capacity for a
// share is that of the share.
func TestLadderBetweenRungs(t *testing.T) {
	all := traffics(longtest.More(5000, 200_000))
	ladders := map[bool]*Ladder{}
	for name, arrivals := range all {
		for _, alone := range []bool{false, true} { // without copy-over
			l, err := NewLadder(bloomproof.Recycling{TwoPhase: alone, NoCopyOver: alone}, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, key := range arrivals {
				l.Observe(key)
			}
			ladders[alone] = l
		}
		for _, capacity := range []float64{30.5, 101, 222.2} {
			for i, twoPhase := range []bool{false, true, true} {
				alone := i == 2
				l := ladders[alone]
				s := newReplicas(cycleLaw{capacity, math.Sqrt(halfFull * capacity), func(uint64) float64 { return 0 }}, bloomproof.Recycling{TwoPhase: twoPhase, NoCopyOver: alone}, 0)
				for _, key := range arrivals {
					s.Observe(key)
				}
				want := 0.
				want = s.Rate(func(o Outcome) (forgotten, arrivals float64) { return float64(o.Forgotten), float64(o.Arrivals) }).Mean
				got, err := l.Forgotten(capacity, twoPhase)
				if err != nil {
					t.Fatal(err)
				}
				if !(got.Low <= want+1e-6 && want <= got.High+1e-6) && math.Abs(got.Mean/want-1) > 0.03 {
					t.Errorf("%s, capacity %v, two phases %t, without copy-over %t: %v, replicas %v", name, capacity, twoPhase, alone, got, want)
				}
				if got.Mean == 0 {
					continue
				}
				least, err := l.Capacity(got.Mean, twoPhase)
				if err != nil {
					t.Fatal(err)
				}
				for c := least * 1.02; c < 2000; c *= 1.02 {
					if x, err := l.Forgotten(c, twoPhase); err != nil || x.Mean > got.Mean*1.01 {
						t.Errorf("%s, two phases %t: share %v has capacity %v, but %v forgets %v, %v", name, twoPhase, got.Mean, least, c, x, err)
					}
				}
				if least == leastCapacity {
					continue
				}
				if x, err := l.Forgotten(least*0.98, twoPhase); err != nil || x.Mean < got.Mean*0.99 {
					t.Errorf("%s, two phases %t: share %v has capacity %v, but less forgets %v, %v", name, twoPhase, got.Mean, least, x, err)
				}
			}
		}
	}
	// A loop of 333 keys is forgotten wholly by shorter cycles and not at all by longer ones.
	l, _ := NewLadder(bloomproof.Recycling{}, 333)
	for _, key := range all["loop"] {
		l.Observe(key)
	}
	for _, share := range []float64{0.05, 0.5, 0.9} {
		if c, err := l.Capacity(share, false); err != nil || math.Abs(c/333-1) > 0.1 {
			t.Errorf("a loop of 333: capacity %v for %v, %v", c, share, err)
		}
	}
}

func TestLadderEdges(t *testing.T) {
	var param *bloomproof.ParamError
	if _, err := NewLadder(bloomproof.Recycling{NoCopyOver: true}, 0); !errors.As(err, &param) {
		t.Errorf("one phase without copy-over: %v", err)
	}
	if l, err := NewLadder(bloomproof.Recycling{TwoPhase: true, NoCopyOver: true}, 0); err != nil {
		t.Error(err)
	} else {
		l.Observe(1)
		if _, err := l.Forgotten(10, false); !errors.As(err, &param) {
			t.Errorf("one phase of a ladder without copy-over: %v", err)
		}
		if _, err := l.Capacity(0.5, false); !errors.As(err, &param) {
			t.Errorf("one phase of a ladder without copy-over: %v", err)
		}
		if _, err := l.Forgotten(10, true); err != nil {
			t.Error(err)
		}
	}
	if _, err := NewReplicas(bloomproof.Geometry{M: 64, K: 2, Hashing: bloomproof.Partitioned}, bloomproof.Recycling{Sigma: 9}, 0); !errors.As(err, &param) {
		t.Errorf("partitioned: %v", err)
	}
	l, err := NewLadder(bloomproof.Recycling{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if f, err := l.Forgotten(10, false); !errors.As(err, &param) {
			t.Errorf("nothing counted: %v, %v", f, err)
		}
		if c, err := l.Capacity(0.5, false); !errors.As(err, &param) {
			t.Errorf("nothing counted: %v, %v", c, err)
		}
		if l.seen == 0 {
			l.Observe(0)
		}
	}
	l.Observe(1)
	if f, err := l.Forgotten(1000, true); err != nil || f != (sim.Interval{}) {
		t.Errorf("cycles beyond the trace: %v, %v", f, err)
	}
	if c, err := l.Capacity(0.5, false); err != nil || c != leastCapacity {
		t.Errorf("nothing repeats: %v, %v", c, err)
	}
	for _, x := range []float64{0, -1, math.NaN(), math.Inf(1), 3.99} {
		if f, err := l.Forgotten(x, false); !errors.As(err, &param) {
			t.Errorf("capacity %v: %v, %v", x, f, err)
		}
	}
	for _, x := range []float64{0, 1, -1, math.NaN()} {
		if c, err := l.Capacity(x, false); !errors.As(err, &param) {
			t.Errorf("share %v: %v, %v", x, c, err)
		}
	}
}

func ExampleLadder() {
	l, err := NewLadder(bloomproof.Recycling{}, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		l.Observe(rng.Uint64N(1 + rng.Uint64N(5000)))
	}
	for _, twoPhase := range []bool{false, true} {
		f, err := l.Forgotten(500, twoPhase)
		if err != nil {
			fmt.Println(err)
			return
		}
		c, err := l.Capacity(0.1, twoPhase)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("500 keys a cycle: %.2f are forgotten; at most 0.1 with %.0f keys a cycle\n", f.Mean, c)
	}
	// Output:
	// 500 keys a cycle: 0.85 are forgotten; at most 0.1 with 4309 keys a cycle
	// 500 keys a cycle: 0.69 are forgotten; at most 0.1 with 2777 keys a cycle
}

// A ladder of a sample says what that of all keys says, within its interval, which is not much
// wider than it must be; and of few keys it is that of all.
func TestReadLadder(t *testing.T) {
	for _, rule := range []bloomproof.Recycling{{}, {TwoPhase: true, NoCopyOver: true}} {
		testReadLadder(t, rule)
	}
}

func testReadLadder(t *testing.T, rule bloomproof.Recycling) {
	rng := rand.New(rand.NewPCG(51, 52))
	const n = 40_000
	var text []byte
	all, err := NewLadder(rule, uint64(n/5))
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for key := range Keys(func(i uint64) uint64 {
		if rng.Uint64N(5) == 0 {
			return 0
		}
		return 1 + uint64(math.Exp(rng.Float64()*math.Log(20_000)))
	}) {
		all.Observe(key)
		text = fmt.Appendln(text, key)
		if read++; read == n {
			break
		}
	}
	f, err := kernel.New(bloomproof.Geometry{M: 1, K: 1}, kernel.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	samples := []int{1 << 20, 1500, 3000}
	if !longtest.Enabled() && rule.NoCopyOver {
		samples = samples[1:2]
	} else if !longtest.Enabled() {
		samples = samples[:2]
	}
	for _, keys := range samples {
		l, err := readLadder(t.Context(), bytes.NewReader(text), rule, Options{Warmup: uint64(n / 5)}, keys, f.Hasher())
		if err != nil {
			t.Fatal(err)
		}
		if share := l.Sampled(); (share < 1) != (keys < int(all.distinct)) || share*float64(all.distinct) < float64(keys)/4 && share < 1 || share*float64(all.distinct) > 1.3*float64(keys) && share < 1 {
			t.Errorf("%d keys: a share of %v of %d", keys, share, all.distinct)
		}
		for _, capacity := range []float64{700, 1400, 2800} {
			for _, twoPhase := range []bool{false, true} {
				if rule.NoCopyOver && !twoPhase {
					continue
				}
				want, err := all.Forgotten(capacity, twoPhase)
				if err != nil {
					t.Fatal(err)
				}
				got, err := l.Forgotten(capacity, twoPhase)
				if err != nil {
					t.Fatal(err)
				}
				if l.Sampled() == 1 && got != want || got.Low > want.Mean || got.High < want.Mean || got.High-got.Low > 0.8*want.Mean+0.02 {
					t.Errorf("%d keys, share %v, capacity %v, two phases %t: %v, want %v", keys, l.Sampled(), capacity, twoPhase, got, want)
				}
				next, err := l.Next(capacity, 0.995, twoPhase)
				if err != nil {
					t.Fatal(err)
				}
				if wide, err := all.Next(capacity, 0.995, twoPhase); err != nil || math.Abs(next.High-wide.High) > 0.6*(got.High-got.Mean)+0.02 {
					t.Errorf("%d keys, share %v, capacity %v, two phases %t: %v comes next, want %v", keys, l.Sampled(), capacity, twoPhase, next, wide)
				}
			}
		}
	}
	var param *bloomproof.ParamError
	if _, err := ReadLadder(t.Context(), bytes.NewReader(text), bloomproof.Recycling{}, Options{}, 1); !errors.As(err, &param) {
		t.Errorf("one key: %v", err)
	}
}
