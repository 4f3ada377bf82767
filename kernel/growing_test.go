package kernel_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/texts"
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

// growingBlockPlans have layers with blocks of every form, small and large, with room for a key or for many, beside some
// without, and a k above the bits of a block.
var growingBlockPlans = [][]bloomproof.Layer{
	{layerInBlocks(bloomproof.Standard, 640, 4, 64, 300), layerOf(bloomproof.Standard, 130, 4, 60), layerInBlocks(bloomproof.Partitioned, 2048, 8, 512, 900)},
	{layerInBlocks(bloomproof.Standard, 64, 1, 64, 2), layerInBlocks(bloomproof.Standard, 128, 70, 64, 128), layerInBlocks(bloomproof.Standard, 5120, 7, 512, 2500)},
	{layerInBlocks(bloomproof.Partitioned, 2560, 8, 256, 1000), layerInBlocks(bloomproof.Partitioned, 5120, 16, 256, 2600), layerInBlocks(bloomproof.Partitioned, 8192, 4, 4096, 2000), layerInBlocks(bloomproof.Standard, 16384, 9, 1024, 9000)},
}

func layerInBlocks(h bloomproof.Hashing, m uint64, k int, block, sigma uint64) bloomproof.Layer {
	return bloomproof.Layer{Geometry: bloomproof.Geometry{M: m, K: k, Hashing: h, Block: block}, Sigma: sigma}
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

// growingBlockSamples are those of filters with blocks in layers.
func growingBlockSamples(tb testing.TB) (all []sample) {
	for i, keys := range []int{0, 30, 120, 400} {
		f := mustNewGrowing(tb, growingBlockPlans[0], []kernel.Options{{Seed: sampleSeed}, kernel.Keyed(sipKey[:])}[i%2])
		s := sample{fmt.Sprintf("growing-blocks-%d", keys), f, keys, max(keys, 1), 0}
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
	closed := len(f.used[last])+l.K > int(l.Sigma)
	if l.Block != 0 {
		closed, _ = f.load(last)
	}
	if closed && last+1 < len(f.plan) {
		f.used = append(f.used, map[uint64]bool{})
	}
	return true
}

// load returns whether layer i, which has blocks, is closed, and whether it is overfull: by big integers, as
// docs/format.md says it.
func (f *growingModel) load(i int) (closed, over bool) {
	l := f.plan[i]
	s, k, one := l.Block, uint64(l.K), new(big.Int).Lsh(big.NewInt(1), 63)
	power := func(x, y uint64, up bool) *big.Int {
		quo := func(a, b *big.Int) *big.Int {
			q, r := new(big.Int).QuoRem(a, b, new(big.Int))
			if up && r.Sign() > 0 {
				q.Add(q, big.NewInt(1))
			}
			return q
		}
		p := new(big.Int).Set(one)
		for _, bit := range fmt.Sprintf("%b", k) {
			if p = quo(new(big.Int).Mul(p, p), one); bit == '1' {
				p = quo(p.Mul(p, new(big.Int).SetUint64(x)), new(big.Int).SetUint64(y))
			}
		}
		return p
	}
	sets := map[uint64]uint64{}
	for p := range f.used[i] {
		sets[p/s]++
	}
	load, most := new(big.Int), uint64(0)
	for _, set := range sets {
		load.Add(load, power(set, s, true))
		most = max(most, set)
	}
	limit := new(big.Int).Mul(power(l.Sigma, l.M, false), new(big.Int).SetUint64(l.M/s))
	over = load.Cmp(limit) > 0
	from := min(most, s-min(k, s))
	load.Add(load, power(from+min(k, s), s, true))
	load.Sub(load, power(from, s, true))
	return load.Add(load, new(big.Int).SetUint64(2*k)).Cmp(limit) > 0, over
}

// blockRate returns the rate of layer i, which has blocks.
func (f *growingModel) blockRate(i int) (rate float64) {
	l := f.plan[i]
	slice := l.Block
	if l.Hashing == bloomproof.Partitioned {
		slice /= uint64(l.K)
	}
	sets := make([]float64, l.M/slice)
	for p := range f.used[i] {
		sets[p/slice]++
	}
	for block := range int(l.M / l.Block) {
		in, each := 1.0, int(l.Block/slice)
		for j := range l.K {
			in *= sets[block*each+j%each] / float64(slice)
		}
		rate += in / float64(l.M/l.Block)
	}
	return rate
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
		if l.Block == 0 {
			none *= 1 - kernel.RateFrom(l.Geometry, b, each)
		} else {
			none *= 1 - f.blockRate(i)
		}
		most += math.Pow(float64(l.Sigma)/float64(l.M), float64(l.K))
		if l.Block == 0 {
			over = over || b > l.Sigma
		} else {
			_, o := f.load(i)
			over = over || o
		}
	}
	if len(g.LayerBits()) != len(f.used) || g.Overfull() != over {
		t.Fatalf("%v: %d layers in use, want %d; overfull %t", g, len(g.LayerBits()), len(f.used), g.Overfull())
	}
	if rate := g.Rate(); math.Abs(rate-(1-none)) > 1e-14 || !over && rate > most*(1+1e-14) {
		t.Fatalf("%v: rate %v, want %v, and at most %v", g, rate, 1-none, most)
	}
	want := kernel.Stats{K: f.plan[len(f.used)-1].K, Bits: g.Bits(), Rate: g.Rate()}
	for i := range f.used {
		want.M += f.plan[i].M
		want.Bytes += (f.plan[i].M + 63) / 64 * 8
	}
	want.Fill = float64(want.Bits) / float64(want.M)
	want.Items, want.Bounded = g.Items()
	if got := g.Stats(); got != want {
		t.Fatalf("%v: %+v, want %+v", g, got, want)
	}
}

// Programs of additions, one by one and in batches, look-ups, copies, snapshots and clearings do what
// the model does.
func TestGrowingModel(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(*seedFlag), 20))
	for range longtest.More(4, 400) {
		for _, plan := range append(slices.Clone(growingPlans), growingBlockPlans...) {
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
	filters := longtest.More(5_000, 100_000)
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
		"block":  {{Geometry: bloomproof.Geometry{M: 96, K: 3, Block: 32}, Sigma: 64}},
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
	said := map[string]string{}
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
		said[what] = refused(t, what, f, forge(mustMarshal(t, f), change), kernel.ErrCorrupt, true)
	}
	texts.Same(t, said)
}

// TestGrowingForgedLayers forges a snapshot with one layer more than a filter may have. All its layers are valid.
func TestGrowingForgedLayers(t *testing.T) {
	f := mustNewGrowing(t, slices.Repeat([]bloomproof.Layer{growingPlans[1][0]}, bloomproof.MaxLayers), kernel.Options{})
	data := mustMarshal(t, f)
	const row, end = 32, kernel.HeaderSize + 32*bloomproof.MaxLayers
	more := slices.Insert(slices.Clone(data), end, data[end-row:end]...)
	forged := forge(more, put(16, bloomproof.MaxLayers+1|1<<32))
	refused(t, "a layer too many", f, forged, kernel.ErrCorrupt, true)
	// The header is refused, before there is memory for its layers.
	if err := new(kernel.GrowingFilter).UnmarshalBinary(forged); !strings.Contains(fmt.Sprint(err), fmt.Sprintf("at most %d", bloomproof.MaxLayers)) {
		t.Errorf("a layer too many: %v", err)
	}
}

// What checksums do not catch where layers have blocks: byte 13 of a row is 1 + log2 of the bits of one.
func TestGrowingBlockForgeries(t *testing.T) {
	f := mustNewGrowing(t, growingBlockPlans[0], kernel.Options{})
	for n := 0; len(f.LayerBits()) < 2; n++ {
		f.Add(fmt.Appendf(nil, "key %d", n))
	}
	row := func(i, at int) int { return kernel.HeaderSize + 32*i + at }
	said := map[string]string{}
	for what, change := range map[string]func([]byte){
		"version 3":               putByte(8, 3),
		"version 5":               putByte(8, 5),
		"blocks of 32 bits":       putByte(row(2, 13), 6),
		"blocks of 2^200 bits":    putByte(row(2, 13), 201),
		"blocks that divide not":  putByte(row(0, 13), 9),
		"classic blocks":          putByte(row(0, 12), 1),
		"k that divides no block": putByte(row(2, 8), 6),
		"an unused byte":          putByte(row(2, 14), 1),
		"no room for a key":       put(row(2, 16), 9),
		"a layer closed early":    put(row(0, 16), 400),
		"more bits than m":        put(row(0, 24), 641),
	} {
		said[what] = refused(t, what, f, forge(mustMarshal(t, f), change), kernel.ErrCorrupt, true)
	}
	// Version 4 is for blocks alone.
	g := growingSamples(t)[2].f.(*kernel.GrowingFilter)
	refused(t, "version 4 without blocks", g, forge(mustMarshal(t, g), putByte(8, 4)), kernel.ErrCorrupt, true)
	texts.Same(t, said)
}

// A stranger who knows the hash may choose keys that crowd into one block, or make the blocks as unequal as can be. The
// next layer then opens sooner, and the rate stays below what the layers promise.
func TestGrowingCrowdedBlocks(t *testing.T) {
	layers := []bloomproof.Layer{
		layerInBlocks(bloomproof.Standard, 64*512, 6, 512, 12000), layerInBlocks(bloomproof.Partitioned, 64*512, 8, 512, 14000),
		layerInBlocks(bloomproof.Standard, 64*64, 4, 64, 1000), layerInBlocks(bloomproof.Standard, 64*512, 6, 512, 12000),
	}
	promised := 0.0
	for _, l := range layers {
		promised += math.Pow(float64(l.Sigma)/float64(l.M), float64(l.K))
	}
	for name, blocks := range map[string]uint64{"one block": 1, "a few": 5, "all": 64} {
		r := rand.New(rand.NewPCG(uint64(*seedFlag), blocks))
		f := mustNewGrowing(t, layers, kernel.Options{})
		keys, most := 0, 0.0
		for ; !f.Overfull(); keys++ {
			open := len(f.LayerBits()) - 1
			h := kernel.Hash{H1: r.Uint64()}
			for h.H0 = r.Uint64(); h.Cycle(uint64(open)).H0>>58 >= blocks; h.H0 = r.Uint64() {
			}
			f.AddHash(h)
			if rate := f.Rate(); !f.Overfull() {
				most = max(most, rate)
			}
			if keys > 100_000 {
				t.Fatal("it is never full")
			}
		}
		t.Logf("%s: %d keys until the last layer is full, highest rate %.4f of %.4f", name, keys, most, promised)
		if most > promised || most < promised/3 {
			t.Errorf("%s: rate %v, promised %v", name, most, promised)
		}
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
