package trace

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/requests"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The summary's promises hold after every arrival, for popular keys, for none, and for the
// order that is worst: new keys only, so that each takes over a counter.
func TestSpaceSaving(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for name, next := range map[string]func(i uint64) uint64{
		"skewed":    func(uint64) uint64 { return uint64(math.Pow(rng.Float64(), 4) * 500) },
		"uniform":   func(uint64) uint64 { return rng.Uint64N(100) },
		"few":       func(uint64) uint64 { return rng.Uint64N(20) },
		"all new":   func(i uint64) uint64 { return i },
		"two views": func(i uint64) uint64 { return i % 2 * (i / 2) },
	} {
		const counters = 20
		s := newSpaceSaving(counters)
		count := map[kernel.Hash]uint64{}
		for i := range longtest.More[uint64](1000, 3000) {
			key := kernel.Hash{H0: next(i)}
			count[key]++
			s.observe(key)
			n := i + 1
			if len(s.of) != len(s.heap) || len(s.heap) > counters {
				t.Fatalf("%s: %d keys of %d counters", name, len(s.of), len(s.heap))
			}
			total := uint64(0)
			for place, c := range s.heap {
				total += c.count
				if s.of[c.key] != place || c.count < s.heap[(place-1)/2].count && place > 0 {
					t.Fatalf("%s: no heap at %d", name, place)
				}
				if x := count[c.key]; x > c.count || x < c.count-c.excess || c.excess*counters > n {
					t.Fatalf("%s: count %d, excess %d of a key of %d, after %d", name, c.count, c.excess, x, n)
				}
			}
			if total != n {
				t.Fatalf("%s: counts add up to %d after %d", name, total, n)
			}
			for key, x := range count {
				if _, ok := s.of[key]; !ok && x*counters > n {
					t.Fatalf("%s: a key of %d has no counter after %d", name, x, n)
				}
			}
		}
	}
}

// observed gives both kinds of estimates of arrivals. The Estimator takes memory up to the largest key, so it has the
// keys by the order of their first arrivals.
func observed(t *testing.T, arrivals []uint64, o Options, keys int) (exact, bounded *Estimate, s *sketch) {
	t.Helper()
	e := NewEstimator(o)
	s, err := sketchWith(o, keys, kernel.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	numbers := map[uint64]uint64{}
	var text []byte
	for _, key := range arrivals {
		if _, known := numbers[key]; !known {
			numbers[key] = uint64(len(numbers))
		}
		e.Observe(numbers[key])
		text = fmt.Append(text[:0], key)
		s.Observe(text)
	}
	if exact, err = e.Estimate(); err != nil {
		t.Fatal(err)
	}
	if bounded, err = s.Estimate(); err != nil {
		t.Fatal(err)
	}
	return exact, bounded, s
}

// Few keys are all in the sample: the estimates are those of the Estimator.
func TestSketchOfFewKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	exact, bounded, _ := observed(t, skewed(rng, 20_000, 900), Options{Warmup: 1000}, 1024)
	exact.Correlation = Correlation{}
	if got, want := fmt.Sprintf("%+v %v %v", bounded, bounded.Workload.Popularity.Weights, bounded.Workload.ArrivalWeights),
		fmt.Sprintf("%+v %v %v", exact, exact.Workload.Popularity.Weights, exact.Workload.ArrivalWeights); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// ReadBounded is Read where all keys fit, and fails as it does.
func TestReadBounded(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var text []byte
	for _, key := range skewed(rng, 5000, 300) {
		text = fmt.Appendln(text, key)
	}
	o := Options{Warmup: 500}
	want, err := Read(t.Context(), bytes.NewReader(text), o)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadBounded(t.Context(), bytes.NewReader(text), o, 1024)
	if err != nil {
		t.Fatal(err)
	}
	want.Correlation = Correlation{} // which a sketch does not keep
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	var input *requests.InputError
	if _, err := ReadBounded(t.Context(), bytes.NewReader([]byte{0x1f, 0x8b, 0}), o, 1024); !errors.As(err, &input) {
		t.Errorf("no gzip: %v", err)
	}
	var param *bloomproof.ParamError
	if _, err := ReadBounded(t.Context(), bytes.NewReader(text), o, 1); !errors.As(err, &param) {
		t.Errorf("one key: %v", err)
	}
}

// Of many keys, what is counted is within six standard errors, the popular keys within
// what the summary promises, and the popularities are close as laws.
func TestSketch(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	zipf := rand.NewZipf(rng, 1.1, 3, 1<<20)
	arrivals := make([]uint64, longtest.More(30_000, 150_000))
	for i := range arrivals {
		arrivals[i] = zipf.Uint64()
	}
	const keys = 2048
	exact, bounded, s := observed(t, arrivals, Options{Warmup: uint64(len(arrivals) / 6)}, keys)
	rate := math.Ldexp(1, -s.level)
	if s.level == 0 || len(s.sample) > keys || len(s.sample) < keys/4 {
		t.Errorf("%d keys in the sample at rate %v", len(s.sample), rate)
	}
	for _, c := range []struct {
		name      string
		got, want uint64
	}{{"distinct", bounded.Distinct, exact.Distinct}, {"new", bounded.New, exact.New}, {"once", bounded.Once, exact.Once}} {
		if d := math.Abs(float64(c.got) - float64(c.want)); d > 6*math.Sqrt(float64(c.want)*(1-rate)/rate) {
			t.Errorf("%s: %d, want %d", c.name, c.got, c.want)
		}
	}
	a, b := exact.Workload, bounded.Workload
	if err := b.Validate(); err != nil {
		t.Error(err)
	}
	least := 8 * float64(bounded.Arrivals) / keys
	popular := 0
	for ; a.Popularity.Weight(uint64(popular)) > 2*least; popular++ {
		x, y := a.Popularity.Weight(uint64(popular)), b.Popularity.Weight(uint64(popular))
		if math.Abs(y/x-1) > 1./8 {
			t.Errorf("rank %d: %v, want %v", popular, y, x)
		}
	}
	if popular < 10 {
		t.Errorf("only %d popular keys", popular)
	}
	// The share of the repeats that the popular half of them have, at each rank.
	total := func(w bloomproof.Workload) (sum float64) {
		for _, x := range w.Popularity.Weights {
			sum += x
		}
		return sum
	}
	ta, tb, ca, cb := total(a), total(b), 0.0, 0.0
	for j := range a.Popularity.D {
		ca += a.Popularity.Weight(j) / ta
		cb += b.Popularity.Weight(j) / tb
		if math.Abs(ca-cb) > 0.03 {
			t.Fatalf("ranks 0 to %d have %v of the repeats, want %v", j, cb, ca)
		}
	}
	if math.Abs(b.Repeat-a.Repeat) > 0.03 {
		t.Errorf("p_r %v, want %v", b.Repeat, a.Repeat)
	}
}

// Memory does not grow with the keys.
func TestSketchMemory(t *testing.T) {
	s, err := sketchWith(Options{}, 1000, kernel.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	key := make([]byte, 8)
	add := func(from, to uint64) {
		for i := from; i < to; i++ {
			s.Observe(fmt.Append(key[:0], i))
		}
	}
	add(0, 20_000)
	live := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := live()
	add(20_000, 200_000)
	if used := live() - before; used > 1<<20 {
		t.Errorf("%d bytes kept for 180,000 more keys", used)
	}
	est, err := s.Estimate()
	if err != nil {
		t.Fatal(err)
	}
	if est.Workload.Repeat > 0.3 { // 6 standard errors of the number of new keys
		t.Errorf("all new: %v", est.Workload)
	}
}

func TestSketchEdges(t *testing.T) {
	var param *bloomproof.ParamError
	for _, keys := range []int{-1, 0, minSketch - 1, 1<<30 + 1} {
		if _, err := newSketch(Options{}, keys); !errors.As(err, &param) {
			t.Errorf("%d keys: %v", keys, err)
		}
	}
	if _, err := newSketch(Options{Half: 1}, minSketch); !errors.As(err, &param) {
		t.Errorf("half: %v", err)
	}
	s, err := newSketch(Options{Warmup: 1}, minSketch)
	if err != nil {
		t.Fatal(err)
	}
	s.Observe(nil)
	if _, err := s.Estimate(); !errors.As(err, &param) {
		t.Errorf("no arrival: %v", err)
	}
}
