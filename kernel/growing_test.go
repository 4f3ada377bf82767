package kernel_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// growingPlans are layers of every hashing, of which some close at once, with a key, or not before
// the last bit but k; some are filled by a few keys, and the last of all takes what comes.
var growingPlans = [][]bloomproof.Layer{
	{{Geometry: bloomproof.Geometry{M: 1, K: 1}, Sigma: 1}},
	{layerOf(bloomproof.Standard, 90, 3, 45), layerOf(bloomproof.Classic, 130, 4, 60), layerOf(bloomproof.Partitioned, 260, 5, 130)},
	{layerOf(bloomproof.Standard, 64, 4, 4), layerOf(bloomproof.Standard, 64, 4, 5), layerOf(bloomproof.Standard, 64, 4, 64)},
	{layerOf(bloomproof.Partitioned, 195, 3, 90), layerOf(bloomproof.Standard, 1000, 70, 500), layerOf(bloomproof.Standard, 2000, 6, 900)},
	{layerOf(bloomproof.Standard, 2000, 7, 1000), layerOf(bloomproof.Standard, 4000, 8, 2000), layerOf(bloomproof.Standard, 8000, 9, 4000)},
}

func layerOf(h bloomproof.Hashing, m uint64, k int, sigma uint64) bloomproof.Layer {
	return bloomproof.Layer{Geometry: bloomproof.Geometry{M: m, K: k, Hashing: h}, Sigma: sigma}
}

func mustNewGrowing(tb testing.TB, layers []bloomproof.Layer, o kernel.Options) *kernel.GrowingFilter {
	tb.Helper()
	f, err := kernel.NewGrowing(layers, o)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// growingSamples are filters with an empty layer, in the middle of a chain, at its end, and beyond.
func growingSamples(tb testing.TB) (all []sample) {
	for i, keys := range []int{0, 20, 30, 60} {
		f := mustNewGrowing(tb, growingPlans[1], []kernel.Options{{Seed: sampleSeed}, kernel.Keyed(sipKey[:])}[i%2])
		s := sample{fmt.Sprintf("growing-%d", keys), f, keys, max(keys, 1), 0}
		for n := range keys {
			f.Add(s.key(n))
		}
		all = append(all, s)
	}
	return all
}

// growingModel is a growing filter as its comment says it, with a set for each layer.
type growingModel struct {
	plan []bloomproof.Layer
	used []map[uint64]bool
}

func newGrowingModel(plan []bloomproof.Layer) *growingModel {
	return &growingModel{plan, []map[uint64]bool{{}}}
}

func (f *growingModel) contains(tb testing.TB, h kernel.Hash) bool {
	for i, set := range f.used {
		in := true
		for _, p := range positions(tb, f.plan[i].Geometry, h.Cycle(uint64(i))) {
			in = in && set[p]
		}
		if in {
			return true
		}
	}
	return false
}

func (f *growingModel) add(tb testing.TB, h kernel.Hash) bool {
	if f.contains(tb, h) {
		return false
	}
	last := len(f.used) - 1
	l := f.plan[last]
	for _, p := range positions(tb, l.Geometry, h.Cycle(uint64(last))) {
		f.used[last][p] = true
	}
	if len(f.used[last])+l.K > int(l.Sigma) && last+1 < len(f.plan) {
		f.used = append(f.used, map[uint64]bool{})
	}
	return true
}

// check compares f with the model: bits, rates, and what the rate is promised to be.
func (f *growingModel) check(t *testing.T, g *kernel.GrowingFilter) {
	t.Helper()
	none, most := 1.0, 0.0
	over := false
	for i, b := range g.LayerBits() {
		l := f.plan[i]
		if i >= len(f.used) || int(b) != len(f.used[i]) {
			t.Fatalf("%v: bits %v", g, g.LayerBits())
		}
		each := make([]uint64, l.K)
		for p := range f.used[i] {
			each[p*uint64(l.K)/l.M]++
		}
		none *= 1 - kernel.RateFrom(l.Geometry, b, each)
		most += math.Pow(float64(l.Sigma)/float64(l.M), float64(l.K))
		over = over || b > l.Sigma
	}
	if len(g.LayerBits()) != len(f.used) || g.Overfull() != over {
		t.Fatalf("%v: %d layers in use, want %d; overfull %t", g, len(g.LayerBits()), len(f.used), g.Overfull())
	}
	if rate := g.Rate(); math.Abs(rate-(1-none)) > 1e-14 || !over && rate > most*(1+1e-14) {
		t.Fatalf("%v: rate %v, want %v, and at most %v", g, rate, 1-none, most)
	}
}

// Programs of additions, one by one and in batches, look-ups, copies, snapshots and clearings do what
// the model does.
func TestGrowingModel(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(*seedFlag), 20))
	for range longtest.Of(4, 20, 400) {
		for _, plan := range growingPlans {
			f, m := mustNewGrowing(t, plan, kernel.Options{}), newGrowingModel(plan)
			next, space := 0, 1+r.IntN(1000)
			draw := func() kernel.Hash {
				next++
				return f.Hasher().Uint64(uint64(r.IntN(next%space + 1)))
			}
			for range 12 {
				batch := make([]kernel.Hash, r.IntN(1+r.IntN(300)))
				var want []bool
				for i := range batch {
					batch[i] = draw()
				}
				switch r.IntN(9) {
				case 0:
					f.Clear()
					m = newGrowingModel(plan)
				case 1:
					g := f.Clone()
					f.AddBatch(nil, kernel.KeysOf(batch))
					f = g
				case 2:
					data := mustMarshal(t, f)
					var g kernel.GrowingFilter
					if err := g.UnmarshalBinary(data); err != nil || !g.Equal(f) {
						t.Fatal(err, g.String(), f)
					}
					f = &g
				case 3, 4:
					for _, h := range batch {
						want = append(want, m.contains(t, h))
					}
					if got := f.ContainsBatch(nil, kernel.KeysOf(batch)); !slices.Equal(got, want) {
						t.Fatalf("%v: contains %v, want %v", f, got, want)
					}
				case 5, 6:
					for _, h := range batch {
						want = append(want, m.add(t, h))
					}
					if got := f.AddBatch(nil, kernel.KeysOf(batch)); !slices.Equal(got, want) {
						t.Fatalf("%v: added %v, want %v", f, got, want)
					}
				default:
					for _, h := range batch {
						if in, want := f.ContainsHash(h), m.contains(t, h); in != want {
							t.Fatalf("%v: contains %t, want %t", f, in, want)
						}
						if set, want := f.AddHash(h), m.add(t, h); set != want || !f.ContainsHash(h) {
							t.Fatalf("%v: added %t, want %t", f, set, want)
						}
					}
				}
				m.check(t, f)
			}
		}
	}
}

// Keys of every form are the same keys.
func TestGrowingKeys(t *testing.T) {
	f := mustNewGrowing(t, growingPlans[1], kernel.Keyed(sipKey[:]))
	g := f.Clone()
	for i := range 50 {
		key := fmt.Appendf(nil, "key %d", i)
		want := g.AddHash(g.Hasher().Bytes(key))
		if f.Add(key) != want || !f.Contains(key) || !f.Equal(g) {
			t.Fatalf("%v, want %v", f, g)
		}
	}
	if f.Bits() == 0 || len(f.LayerBits()) < 2 {
		t.Error(f)
	}
}

// The estimate of items is within five standard deviations, each at most half the root of the
// number at these fills.
func TestGrowingItems(t *testing.T) {
	f := mustNewGrowing(t, growingPlans[4], kernel.Options{})
	for n := range 700 {
		f.Add(fmt.Appendf(nil, "key %d", n))
	}
	if got, ok := f.Items(); !ok || math.Abs(got-700) > 5*math.Sqrt(700)/2 {
		t.Errorf("%v: %v items, %t, of 700", f, got, ok)
	}
	full := mustNewGrowing(t, growingPlans[0], kernel.Options{})
	full.AddHash(kernel.Hash{})
	if n, ok := full.Items(); ok || n != 0 {
		t.Errorf("a full filter: %v items, %t", n, ok)
	}
}

// The layers are independent given the key: of two that hold other keys, one of them or both contain a
// new key as often as 1 - (1-r1)(1-r2) says. Two filters that take their positions from one hash do not: the
// keys of the second are those that the first does not contain.
func TestGrowingLayersIndependent(t *testing.T) {
	g := bloomproof.Geometry{M: 64, K: 2}
	plan := []bloomproof.Layer{{Geometry: g, Sigma: 32}, {Geometry: g, Sigma: 64}}
	r := rand.New(rand.NewPCG(uint64(*seedFlag), 21))
	draw := func() kernel.Hash { return kernel.Hash{H0: r.Uint64(), H1: r.Uint64()} }
	// z compares how often new keys are contained with the rates.
	z := func(filters int, filled func() (contains func(kernel.Hash) bool, rate float64)) float64 {
		const asked = 50 // of one filter
		var found, mean, variance float64
		for range filters {
			contains, rate := filled()
			for range asked {
				if contains(draw()) {
					found++
				}
			}
			mean += asked * rate
			variance += asked * rate * (1 - rate)
		}
		t.Logf("%v of %d new keys are contained, by the rates %.0f", found, asked*filters, mean)
		return (found - mean) / math.Sqrt(variance)
	}
	filters := longtest.Of(5_000, 10_000, 100_000)
	if z := z(filters, func() (func(kernel.Hash) bool, float64) {
		f := mustNewGrowing(t, plan, kernel.Options{})
		for range 40 {
			f.AddHash(draw())
		}
		return f.ContainsHash, f.Rate()
	}); math.Abs(z) > 5 {
		t.Errorf("layers of a growing filter: z = %.1f", z)
	}
	if z := z(filters, func() (func(kernel.Hash) bool, float64) {
		a, b := mustNew(t, g, kernel.Options{}), mustNew(t, g, kernel.Options{})
		in := func(h kernel.Hash) bool { return a.ContainsHash(h) || b.ContainsHash(h) }
		for i := range 40 {
			if h := draw(); i < 20 {
				a.AddHash(h)
			} else if !in(h) {
				b.AddHash(h)
			}
		}
		return in, 1 - (1-a.Rate())*(1-b.Rate())
	}); z < 5 {
		t.Errorf("filters with one hash: z = %.1f, so that the test shows nothing", z)
	}
}

func TestGrowingErrors(t *testing.T) {
	ok := layerOf(bloomproof.Standard, 100, 3, 50)
	for param, layers := range map[string][]bloomproof.Layer{
		"layers": {},
		"m":      {ok, layerOf(bloomproof.Standard, 1<<48-99, 3, 50)},
		"sigma":  {ok, layerOf(bloomproof.Standard, 100, 3, 2)},
		"k":      {layerOf(bloomproof.Partitioned, 100, 3, 50)},
		"block":  {{Geometry: bloomproof.Geometry{M: 128, K: 3, Block: 64}, Sigma: 64}},
	} {
		var pe *bloomproof.ParamError
		if _, err := kernel.NewGrowing(layers, kernel.Options{}); !errors.As(err, &pe) || pe.Param != param {
			t.Errorf("%s: error %v", param, err)
		}
	}
	for _, layers := range [][]bloomproof.Layer{slices.Repeat([]bloomproof.Layer{ok}, 65), {layerOf(bloomproof.Standard, 100, 3, 101)}} {
		if _, err := kernel.NewGrowing(layers, kernel.Options{}); err == nil {
			t.Errorf("%d layers, the first %v: no error", len(layers), layers[0])
		}
	}
	if _, err := kernel.NewGrowing([]bloomproof.Layer{ok, layerOf(bloomproof.Standard, 1<<48-100, 3, 50)}, kernel.Options{}); err != nil {
		t.Errorf("2^48 bits in all: %v", err)
	}
}

// What checksums do not catch in a snapshot of a growing filter. Its rows begin at 128 with m, k and
// hashing; at 16 of a row is sigma, at 24 the number of set bits.
func TestGrowingForgeries(t *testing.T) {
	f := growingSamples(t)[2].f.(*kernel.GrowingFilter)
	if len(f.LayerBits()) != 2 {
		t.Fatal(f, f.LayerBits())
	}
	row := func(i, at int) int { return kernel.HeaderSize + 32*i + at }
	for what, change := range map[string]func([]byte){
		"version 4":                  putByte(8, 4),
		"kind 1":                     putByte(10, 1),
		"hashing in the header":      putByte(11, 1),
		"scheme 2":                   putByte(12, 2),
		"no layers":                  put(16, 0),
		"65 layers":                  put(16, 65|2<<32),
		"none in use":                put(16, 3),
		"more in use than there are": put(16, 3|4<<32),
		"another number in use":      put(16, 3|1<<32),
		"more layers":                put(16, 4|2<<32),
		"an unused word":             put(24, 1),
		"m = 0":                      put(row(2, 0), 0),
		"m = 2^48":                   put(row(2, 0), 1<<48),
		"m of as many words":         put(row(0, 0), 65),
		"k = 0":                      putByte(row(1, 8), 0),
		"k beyond 12 bits":           putByte(row(1, 11), 1),
		"hashing 3":                  putByte(row(1, 12), 3),
		"an unused byte":             putByte(row(1, 15), 1),
		"sigma above m":              put(row(2, 16), 261),
		"sigma below k":              put(row(2, 16), 4),
		"a layer closed early":       put(row(0, 16), 90),
		"a bit more":                 putByte(row(0, 24), byte(mustMarshal(t, f)[row(0, 24)]+1)),
		"bits of an unused layer":    put(row(2, 24), 1),
		"more bits than m":           put(row(1, 24), 131),
		"a bit past the end":         putByte(row(3, 15), 0x80),
	} {
		refused(t, what, f, forge(mustMarshal(t, f), change), kernel.ErrCorrupt, true)
	}
}

func TestGrowingUnmade(t *testing.T) {
	var f kernel.GrowingFilter
	for what, call := range map[string]func(){
		"Add": func() { f.Add(nil) }, "Contains": func() { f.ContainsHash(kernel.Hash{}) }, "Clear": f.Clear,
		"MarshalBinary": func() { _, _ = f.MarshalBinary() }, "AddBatch": func() { f.AddBatch(nil, kernel.Keys{}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", what)
				}
			}()
			call()
		}()
	}
}
