package trace

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/numeric"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// of estimates from the numbers of keys.
func of(t *testing.T, arrivals []uint64, o Options) *Estimate {
	t.Helper()
	e := NewEstimator(o)
	for _, key := range arrivals {
		e.Observe(key)
	}
	est, err := e.Estimate()
	if err != nil {
		t.Fatal(err)
	}
	return est
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

// skewed returns n arrivals among d keys, of which those of small number are popular.
func skewed(rng *rand.Rand, n, d int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		u := rng.Float64()
		out[i] = uint64(u * u * float64(d))
	}
	return out
}

// plain is what an Estimate should be, key by key from its definition.
func plain(arrivals []uint64, o Options) *Estimate {
	part := arrivals[o.Warmup:]
	before := map[uint64]bool{}
	for _, key := range arrivals[:o.Warmup] {
		before[key] = true
	}
	n, half := float64(len(part)), float64(o.Half)
	count, early, fresh := map[uint64]int{}, map[uint64]int{}, map[uint64]bool{}
	last, gaps := map[uint64]int{}, []int(nil)
	next := map[uint64]map[uint64]int{}
	s := new(Stationarity)
	for i, key := range part {
		if count[key]++; count[key] > 1 {
			gaps = append(gaps, i-last[key])
		} else if !before[key] {
			fresh[key] = true
			if i < int(o.Half) {
				s.New[0]++
			} else {
				s.New[1]++
			}
		}
		last[key] = i
		if i < int(o.Half) {
			early[key]++
		}
		if i > 0 {
			if next[part[i-1]] == nil {
				next[part[i-1]] = map[uint64]int{}
			}
			next[part[i-1]][key]++
		}
	}
	est := &Estimate{Arrivals: uint64(len(part)), Distinct: uint64(len(count)), New: uint64(len(fresh)), Stationarity: s}
	var q []float64
	for key, c := range count {
		if fresh[key] {
			c--
			if c == 0 {
				est.Once++
			}
		}
		if c > 0 {
			q = append(q, float64(c))
		}
	}
	slices.Sort(q)
	slices.Reverse(q)
	zeta := make([]float64, len(q))
	for key := range fresh {
		if c := float64(count[key] - 1); c > 0 { // a part of it to each rank of its popularity
			ties := 0.0
			for _, x := range q {
				if x == c {
					ties++
				}
			}
			for j, x := range q {
				if x == c {
					zeta[j] += 1 / ties
				}
			}
		}
	}
	if est.Once > 0 {
		q, zeta = append(q, 0), append(zeta, float64(est.Once))
	}
	est.Workload = bloomproof.Workload{
		Popularity: bloomproof.Weights(q), Repeat: 1 - float64(len(fresh))/n,
		ArrivalWeights: zeta,
	}
	for key, c := range count {
		e, l := float64(early[key])/half, float64(c-early[key])/(n-half)
		s.Distance += math.Abs(e-l) / 2
		for x := 0; x <= c; x++ { // of the binomial law
			ways := 1.0
			for i := range x {
				ways *= float64(c-i) / float64(i+1)
			}
			p := half / n
			s.Noise += ways * math.Pow(p, float64(x)) * math.Pow(1-p, float64(c-x)) * math.Abs(float64(x)/half-float64(c-x)/(n-half)) / 2
		}
	}
	slices.Sort(gaps)
	est.Correlation.Gap = float64(gaps[(len(gaps)-1)/2])
	for _, row := range next {
		sum, h := 0.0, 0.0
		for _, c := range row {
			sum += float64(c)
		}
		for _, c := range row {
			h -= float64(c) / sum * math.Log2(float64(c)/sum)
		}
		if len(row) > 1 {
			est.Correlation.Entropy += h / math.Log2(float64(len(row)))
		}
	}
	est.Correlation.rows = uint64(len(next))
	est.Correlation.Entropy /= float64(len(next))
	return est
}

func TestEstimateAgainstDefinitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		n, d int
		o    Options
	}{{40, 8, Options{Half: 20}}, {60, 12, Options{10, 20}}, {300, 200, Options{150, 75}}, {500, 30, Options{1, 1}}, {2000, 700, Options{500, 1499}}} {
		for range 10 {
			arrivals := skewed(rng, c.n, c.d)
			got, want := of(t, arrivals, c.o), plain(arrivals, c.o)
			if got.Arrivals != want.Arrivals || got.Distinct != want.Distinct || got.New != want.New || got.Once != want.Once {
				t.Errorf("%+v: %+v, want %+v", c, got, want)
			}
			a, b := got.Workload, want.Workload
			if want.New == 0 {
				b.Arrivals = bloomproof.ArrivalPopularity
			}
			if err := a.Validate(); err != nil {
				t.Errorf("%+v: %v", c, err)
			}
			if !near(a.Repeat, b.Repeat) || !slices.EqualFunc(a.Popularity.Weights, b.Popularity.Weights, near) ||
				a.Arrivals != b.Arrivals || !slices.EqualFunc(a.ArrivalWeights, b.ArrivalWeights, near) {
				t.Errorf("%+v: %v %v, want %v %v", c, a, a.ArrivalWeights, b, b.ArrivalWeights)
			}
			s, w := got.Stationarity, want.Stationarity
			if s.New != w.New || !near(s.Distance, w.Distance) || !near(s.Noise, w.Noise) {
				t.Errorf("%+v: %+v, want %+v", c, s, w)
			}
			x, y := got.Correlation, want.Correlation
			if x.rows != y.rows || !near(x.Entropy, y.Entropy) || math.Abs(x.Gap-y.Gap) > y.Gap/16 {
				t.Errorf("%+v: %+v, want %+v", c, x, y)
			}
		}
	}
}

// What a random order is said to do, it does: the mean over shuffles of the entropy, the
// median gap and the distance of the halves.
func TestShuffled(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	arrivals := skewed(rng, 20_000, 2000)
	var gap, entropy, distance numeric.Sums
	var est *Estimate
	p := 0.0
	for range 12 {
		rng.Shuffle(len(arrivals), func(i, j int) { arrivals[i], arrivals[j] = arrivals[j], arrivals[i] })
		est = of(t, arrivals, Options{Half: 8000})
		gap.Add(est.Correlation.Gap, 1)
		entropy.Add(est.Correlation.Entropy, 1)
		distance.Add(est.Stationarity.Distance, 1)
		if est.Stationarity.Freedom < 30 {
			t.Errorf("%+v", est.Stationarity)
		}
		p += est.Stationarity.P / 12
	}
	if p < 0.15 || p > 0.85 { // 4.2 standard deviations of the mean of uniform ones
		t.Errorf("P is %v in the mean of shuffles", p)
	}
	for _, c := range []struct {
		name         string
		sums         *numeric.Sums
		want, allows float64 // besides the interval, of want
	}{
		{"gap", &gap, est.Correlation.GapShuffled, 1. / 16},
		{"entropy", &entropy, est.Correlation.EntropyShuffled, 0.01},
		{"distance", &distance, est.Stationarity.Noise, 0.005},
	} {
		_, low, high, err := c.sums.Ratio(1 - 1e-6)
		if err != nil {
			t.Fatal(err)
		}
		if !(low-c.allows*c.want <= c.want && c.want <= high+c.allows*c.want) {
			t.Errorf("%s: %v said, [%v, %v] in shuffles", c.name, c.want, low, high)
		}
	}
}

// Each arrival followed by the same has entropy 0; bursts have gaps far below those of a
// shuffle; a popularity that moves is told.
func TestTellsOrder(t *testing.T) {
	var circle, moving []uint64
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range uint64(20_000) {
		circle = append(circle, i%100)
		moving = append(moving, i/200+rng.Uint64N(100))
	}
	e := of(t, circle, Options{Half: 10_000})
	if c := e.Correlation; c.Entropy != 0 || c.EntropyShuffled < 0.9 || math.Abs(c.Gap-100) > 4 || e.Stationarity.P < 0.999 {
		t.Errorf("circle: %+v, %+v", c, e.Stationarity)
	}
	e = of(t, moving, Options{Half: 10_000})
	if s := e.Stationarity; s.P > 1e-100 || s.Distance < 0.4 || s.Noise > 0.15 || e.Correlation.Gap > e.Correlation.GapShuffled*0.75 {
		t.Errorf("moving: %+v, %+v", s, e.Correlation)
	}
}

// The estimate of a simulated workload whose popular messages stay is that workload:
// popularity and p_r within the spread of counts, new messages at the last rank.
func TestEstimateOfWorkload(t *testing.T) {
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 200), Arrivals: bloomproof.ArrivalLast, Repeat: 0.95}
	keys, err := sim.Keys(w, rand.NewChaCha8([32]byte{7}))
	if err != nil {
		t.Fatal(err)
	}
	e := NewEstimator(Options{Warmup: 50_000, Half: 100_000})
	left := 250_000
	for key := range keys {
		e.Observe(key)
		if left--; left == 0 {
			break
		}
	}
	est, err := e.Estimate()
	if err != nil {
		t.Fatal(err)
	}
	n := 200_000.0
	if d := math.Abs(est.Workload.Repeat - w.Repeat); d > 6*math.Sqrt(0.95*0.05/n) {
		t.Errorf("repeat %v", est.Workload.Repeat)
	}
	total, harmonic := 0.0, 0.0
	for j := range w.Popularity.D {
		harmonic += w.Popularity.Weight(j)
	}
	for _, x := range est.Workload.Popularity.Weights {
		total += x
	}
	for _, j := range []uint64{0, 1, 5, 40} {
		q := w.Popularity.Weight(j) / harmonic
		if got := est.Workload.Popularity.Weight(j) / total; math.Abs(got-q) > 6*math.Sqrt(q/(n*0.95)) {
			t.Errorf("q_%d is %v, want %v", j, got, q)
		}
	}
	// A new message stays for one arrival in 20, in which q_199 = 0.00085 of the repeats
	// are of it: it hardly ever comes again.
	zeta := est.Workload.ArrivalWeights
	if d := len(zeta); zeta[d-1]/float64(est.New) < 0.95 || slices.Max(zeta[:199]) > 0 {
		t.Errorf("%v of %d new messages enter last", zeta[d-1], est.New)
	}
	if est.Stationarity.P < 1e-6 {
		t.Errorf("%+v", est.Stationarity)
	}
}

// A trace of more pairs than the sample holds has the entropy of the keys that are left,
// close to that of all.
func TestEntropySample(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	e := NewEstimator(Options{})
	for range 300_000 {
		e.Observe(rng.Uint64N(3000))
	}
	est, err := e.Estimate()
	if err != nil {
		t.Fatal(err)
	}
	c := est.Correlation
	if c.rows < 1000 || c.rows > 2000 || 2*e.steps.pairs > len(e.steps.table)+2 || e.steps.pairs > maxPairs {
		t.Errorf("%d rows, %d pairs in %d places", c.rows, e.steps.pairs, len(e.steps.table))
	}
	if math.Abs(c.Entropy-c.EntropyShuffled) > 0.001 || c.Entropy > 0.9999 {
		t.Errorf("%+v", c)
	}
}

func TestEstimateEdges(t *testing.T) {
	for name, o := range map[string]Options{"no arrivals": {}, "all warm-up": {Warmup: 3}, "no second half": {Half: 3}} {
		e := NewEstimator(o)
		if name != "no arrivals" {
			for key := range uint64(3) {
				e.Observe(key)
			}
		}
		var param *bloomproof.ParamError
		if _, err := e.Estimate(); !errors.As(err, &param) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, arrivals := range map[string][]uint64{"one": {0}, "all new": {0, 1, 2, 3}, "one key": {0, 0, 0}, "last new": {0, 0, 1}} {
		e := of(t, arrivals, Options{Half: uint64(len(arrivals) / 2)})
		if err := e.Workload.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if want := 1 - float64(e.New)/float64(len(arrivals)); e.Workload.Repeat != want {
			t.Errorf("%s: %+v", name, e)
		}
	}
	// Nothing new: arrivals need no law.
	if e := of(t, []uint64{0, 0, 0}, Options{Warmup: 1}); e.Workload.Repeat != 1 || e.Workload.Arrivals != bloomproof.ArrivalPopularity {
		t.Errorf("%+v", e)
	}
}

func TestRead(t *testing.T) {
	e, err := Read(context.Background(), strings.NewReader("a\nb\na\nc\na\nb"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if w := e.Workload; fmt.Sprint(w.Popularity, w.ArrivalWeights) != "list:2,1,0 [1 1 1]" || w.Repeat != 0.5 {
		t.Errorf("%v %v", w, w.ArrivalWeights)
	}
	if _, err := Read(context.Background(), strings.NewReader("\x1f\x8bno gzip"), Options{}); err == nil {
		t.Error("read what is no gzip")
	}
}
