package kernel_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/model"
)

// TestBlockRefused asserts that what has no law for blocks refuses them, and names the
// parameter.
func TestBlockRefused(t *testing.T) {
	for _, g := range []bloomproof.Geometry{
		{M: 1024, K: 4, Block: 32},
		{M: 96, K: 4, Block: 96},
		{M: 1 << 14, K: 4, Block: 8192},
		{M: 1 << 14, K: 4, Block: 1 << 14},
		{M: 1 << 14, K: 4, Block: 8192, Hashing: bloomproof.Partitioned},
		{M: 1024, K: 4, Block: 512, Hashing: bloomproof.Classic},
		{M: 1000, K: 4, Block: 512},
	} {
		for name, do := range makersOf(g) {
			paramError(t, fmt.Sprintf("%s(%v)", name, g), do(), "block")
		}
	}
	for _, g := range blockGeometries {
		for _, r := range model.Rules(1, 3) {
			if r.Validate(g) != nil {
				continue
			}
			f, err := kernel.NewRecycling(g, r, kernel.Options{})
			if blockRule := slices.Contains(blockRules(3), r); blockRule != (err == nil) || blockRule != (f != nil) {
				t.Errorf("%v %v: %v, %v", g, r, f, err)
			} else if !blockRule {
				paramError(t, fmt.Sprintf("%v %v", g, r), err, "block")
			}
		}
		for name, do := range makersOf(g) {
			if name == "NewRecycling" {
				paramError(t, fmt.Sprintf("%s(%v)", name, g), do(), "block")
			} else if err := do(); err != nil {
				t.Errorf("%s(%v): %v", name, g, err)
			}
		}
	}
	g := bloomproof.Geometry{M: 1024, K: 3, Block: 512, Hashing: bloomproof.Partitioned}
	_, err := kernel.New(g, kernel.Options{})
	paramError(t, fmt.Sprint(g), err, "k")
}

// blockRules are the rules of recycling filters with blocks.
func blockRules(messages uint64) []bloomproof.Recycling {
	return []bloomproof.Recycling{{Messages: messages}, {Messages: messages, FreshPositions: true}}
}

// TestBlockRecyclingStateMachine holds recycling filters with blocks to the model, and
// concurrent ones with them.
func TestBlockRecyclingStateMachine(t *testing.T) {
	t.Logf("seed %d", *seedFlag)
	cycles := map[bool]uint64{}
	for i, g := range blockGeometries {
		o, r := optionSets[i%len(optionSets)], blockRules(4)[i/len(optionSets)%2]
		var runs []*model.ConcurrentRecyclingRun
		machine(t, longtest.More(1, 8), 40, func() run {
			run, err := model.NewConcurrentRecyclingRun(g, r, o)
			if err != nil {
				t.Fatal(err)
			}
			runs = append(runs, run)
			return run
		})
		for _, run := range runs {
			cycles[r.FreshPositions] += run.Cycle()
		}
	}
	if cycles[false] < 10 || cycles[true] < 10 {
		t.Errorf("%v recycles with fresh positions and without: the test does not test the rule", cycles)
	}
}

// TestBlockRecyclingBatches compares batches of recycling filters with blocks with single calls,
// and those of concurrent ones, and the rate with that of a Filter of the same bits.
func TestBlockRecyclingBatches(t *testing.T) {
	for i, g := range blockGeometries {
		r := blockRules(30)[i%2]
		g.M = 20 * g.Block
		single := mustNewRecycling(t, g, r, kernel.Options{Seed: uint64(i)})
		batch := single.Clone()
		shared := single.Clone().Concurrent()
		for n := range uint64(40) {
			keys := make([]uint64, 3*n%130)
			for j := range keys {
				keys[j] = n*77 + uint64(j)*uint64(j)%200
			}
			var seen []kernel.Observation
			var known []bool
			for _, key := range keys {
				seen = append(seen, single.Observe(wordBytes(key)))
			}
			a, b := batch.ObserveBatch(nil, kernel.KeysOf(keys)), shared.ObserveBatch(nil, kernel.KeysOf(keys))
			if !slices.Equal(a, seen) || !slices.Equal(b, seen) {
				t.Fatalf("%v %v: batches of %d observed %v and %v, single calls %v", g, r, len(keys), a, b, seen)
			}
			for j := range keys {
				keys[j] += n % 3
				known = append(known, single.Contains(wordBytes(keys[j])))
			}
			in, out := batch.ContainsBatch(nil, kernel.KeysOf(keys)), shared.ContainsBatch(nil, kernel.KeysOf(keys))
			if !slices.Equal(in, known) || !slices.Equal(out, known) {
				t.Fatalf("%v %v: batches of %d contain %v and %v, single calls %v", g, r, len(keys), in, out, known)
			}
			if !batch.Equal(single) || !shared.Filter().Equal(single) {
				t.Fatalf("%v: batches left %v and %v, single calls %v", g, batch, shared, single)
			}
			like := mustNew(t, g, kernel.Options{})
			if err := like.SetWords(snapshotWords(t, single)); err != nil {
				t.Fatal(err)
			}
			if single.Rate() != like.Rate() || shared.Rate() != like.Rate() {
				t.Fatalf("%v: rate %v, and %v concurrently, of a Filter of these bits %v", single, single.Rate(), shared.Rate(), like.Rate())
			}
		}
		if single.State().Cycle < 2 && g.K < 64 {
			t.Errorf("%v %v: %d recycles: the test does not test the rule", g, r, single.State().Cycle)
		}
	}
}

// snapshotWords returns the bits of the array of a filter of one phase.
func snapshotWords(t *testing.T, f coded) (words []uint64) {
	for data := mustMarshal(t, f)[kernel.HeaderSize:]; len(data) > 0; data = data[8:] {
		words = append(words, binary.LittleEndian.Uint64(data))
	}
	return words
}

// TestBlockCountingStateMachine holds counting filters with blocks to the model.
func TestBlockCountingStateMachine(t *testing.T) {
	t.Logf("seed %d", *seedFlag)
	for i, g := range blockGeometries {
		if !longtest.Enabled() && i%2 != 0 && g.K <= 64 { // TestBlockCountingBatches has every shape
			continue
		}
		c, o := countings[i%len(countings)], optionSets[i%len(optionSets)]
		machineOf(t, model.CountingActionOf, longtest.More(1, 8), 60, func() run {
			run, err := model.NewCountingRun(g, c, o)
			if err != nil {
				t.Fatal(err)
			}
			return run
		})
	}
}

// TestBlockCountingBatches compares batches with single calls, in filters that are small and in
// such as ask for memory ahead.
func TestBlockCountingBatches(t *testing.T) {
	for _, g := range blockGeometries {
		for _, blocks := range []uint64{3, 5 << 19 / g.Block} {
			g.M = blocks * g.Block
			f := mustNewCounting(t, g, model.Counters{Width: 4, Increment: bloomproof.Literal}, kernel.Options{})
			single := f.Clone()
			keys := make([]uint64, 70)
			for i := range keys {
				keys[i] = uint64(i % 60)
			}
			var added, known []bool
			for _, key := range keys {
				added = append(added, single.Add(wordBytes(key)))
			}
			if got := f.AddBatch(nil, kernel.KeysOf(keys)); !slices.Equal(got, added) || !f.Equal(single) {
				t.Fatalf("%v: a batch added %v, single calls %v", g, got, added)
			}
			for i := range keys {
				keys[i] += 30
				known = append(known, single.Contains(wordBytes(keys[i])))
			}
			if got := f.ContainsBatch(nil, kernel.KeysOf(keys)); !slices.Equal(got, known) {
				t.Fatalf("%v: a batch contains %v, single calls %v", g, got, known)
			}
		}
	}
}

// makersOf are the functions that take a Geometry; recycling filters of the rule here have no
// blocks.
func makersOf(g bloomproof.Geometry) map[string]func() error {
	return map[string]func() error{
		"New":             func() error { _, err := kernel.New(g, kernel.Options{}); return err },
		"AppendPositions": func() error { _, err := kernel.AppendPositions(nil, g, kernel.Hash{}); return err },
		"NewCounting": func() error {
			_, err := kernel.NewCounting(g, 4, bloomproof.Distinct, kernel.Options{})
			return err
		},
		"NewRecycling": func() error {
			_, err := kernel.NewRecycling(g, bloomproof.Recycling{Sigma: 50}, kernel.Options{})
			return err
		},
	}
}

// TestBlockPositions holds positions to the model, up to 2^32 blocks and to the largest
// filter, and asserts that all of a key are in one block.
func TestBlockPositions(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(*seedFlag), 1))
	for _, g := range blockGeometries {
		for _, blocks := range []uint64{1, 2, 3, 1000, 1 << 32, kernel.MaxM / g.Block} {
			g.M = blocks * g.Block
			for i := range 40 {
				h := someHash(r)
				if i < 4 { // the first block and the last, by the least and the largest word
					h = kernel.Hash{H0: -uint64(i & 1), H1: -uint64(i >> 1)}
				}
				pos := positions(t, g, h)
				if want := model.Positions(g, h); !slices.Equal(pos, want) {
					t.Fatalf("%v, %#x: %v, want %v", g, h, pos, want)
				}
				product := new(big.Int).Mul(new(big.Int).SetUint64(h.H0), new(big.Int).SetUint64(blocks))
				number := product.Rsh(product, 64)
				for _, p := range pos {
					if p >= g.M || p/g.Block != number.Uint64() {
						t.Fatalf("%v, %#x: position %d is in block %d, want %d", g, h, p, p/g.Block, number)
					}
				}
			}
		}
	}
}

// maxBlockZ is how many standard deviations a count may be from its mean: the keys are
// fixed, and of some hundred counts one is beyond 5 with a probability of 1e-4.
const maxBlockZ = 5

// blockLoads calls check for filters with blocks that hold some keys, as many as fill about
// half of the bits, and says how many: by single calls and in batches.
func blockLoads(t *testing.T, check func(f *kernel.Filter, keys int)) {
	for i, g := range blockGeometries {
		if g.K > 16 { // full at the first key of a block
			continue
		}
		for _, blocks := range []uint64{1, 2, 3, 1000} {
			g.M = blocks * g.Block
			n := int(float64(g.M)*math.Ln2/float64(g.K)) + 1
			f := mustNew(t, g, kernel.Options{Seed: uint64(i)})
			keys := make([]uint64, n)
			for j := range keys {
				keys[j] = uint64(j)
			}
			if i%2 == 0 {
				f.AddBatch(nil, kernel.KeysOf(keys))
			} else {
				for _, key := range keys {
					f.Add(wordBytes(key))
				}
			}
			check(f, n)
		}
	}
}

// TestBlockMeasuredRate compares the share of new keys that a filter contains with its Rate.
func TestBlockMeasuredRate(t *testing.T) {
	blockLoads(t, func(f *kernel.Filter, keys int) {
		const asked = 1 << 16
		ask := make([]uint64, asked)
		for i := range ask {
			ask[i] = 1<<40 + uint64(i)
		}
		found := 0
		for _, in := range f.ContainsBatch(nil, kernel.KeysOf(ask)) {
			if in {
				found++
			}
		}
		rate := f.Rate()
		z := (float64(found) - asked*rate) / math.Sqrt(asked*rate*(1-rate))
		if math.Abs(z) > maxBlockZ {
			t.Errorf("%v: %d of %d found, rate %v, z = %.1f", f, found, asked, rate, z)
		}
	})
}

// TestBlockBits compares the mean number of set bits with m(1-(1-p/B)^n), on which Items
// rests, and the mean of Items with n.
func TestBlockBits(t *testing.T) {
	for _, g := range []bloomproof.Geometry{
		{K: 7, Block: 512}, {K: 8, Block: 512, Hashing: bloomproof.Partitioned},
		{K: 8, Block: 256, Hashing: bloomproof.Partitioned}, {K: 12, Block: 64},
	} {
		for _, blocks := range []uint64{1, 3, 50} {
			g.M = blocks * g.Block
			n := int(g.M) / (2 * g.K)
			miss := math.Pow(1-1/float64(g.Block), float64(g.K))
			if g.Hashing == bloomproof.Partitioned {
				miss = 1 - float64(g.K)/float64(g.Block)
			}
			want := float64(g.M) * (1 - math.Pow(1-(1-miss)/float64(blocks), float64(n)))
			const filters = 400
			var sum, squares float64
			for i := range uint64(filters) {
				f := mustNew(t, g, kernel.Options{Seed: i + 1})
				keys := make([]uint64, n)
				for j := range keys {
					keys[j] = uint64(j)
				}
				f.AddBatch(nil, kernel.KeysOf(keys))
				x := float64(f.Bits())
				sum, squares = sum+x, squares+x*x
			}
			mean := sum / filters
			deviation := math.Sqrt((squares/filters - mean*mean) / filters)
			if z := (mean - want) / deviation; math.Abs(z) > maxBlockZ {
				t.Errorf("%v: %d keys set %v bits, want %v, z = %.1f", g, n, mean, want, z)
			}
			if got, _ := kernel.ItemsFrom(g, uint64(math.Round(want))); math.Abs(got-float64(n)) > 1 {
				t.Errorf("%v: %v items, want %d", g, got, n)
			}
		}
	}
}

// TestBlockItemsFormula holds Items to its formula in rationals: within 2^-49, as without
// blocks.
func TestBlockItemsFormula(t *testing.T) {
	for _, c := range []struct {
		block uint64
		k     int
	}{{64, 1}, {64, 2}, {64, 4}, {512, 1}, {512, 2}, {512, 3}, {4096, 2}} {
		for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Partitioned} {
			for _, blocks := range []uint64{1, 2, 3, 1000, 1 << 20} {
				g := bloomproof.Geometry{M: blocks * c.block, K: c.k, Hashing: h, Block: c.block}
				if g.Validate() != nil {
					continue
				}
				den, miss := uint64(1), uint64(1) // (1-p) is miss/den
				for range c.k {
					den, miss = den*c.block, miss*(c.block-1)
				}
				if h == bloomproof.Partitioned {
					den, miss = c.block, c.block-uint64(c.k)
				}
				per := logRatio(den*(blocks-1)+miss, den*blocks)
				for _, b := range around(g.M) {
					want := new(big.Float).Quo(logRatio(g.M-b, g.M), per)
					got, bounded := kernel.ItemsFrom(g, b)
					off := new(big.Float).SetPrec(logPrec).SetFloat64(got)
					off.Quo(off.Sub(off, want), want)
					if e, _ := off.Float64(); !bounded || math.Abs(e) > 0x1p-49 {
						t.Errorf("%v, %d bits: %v, %t, off by %g", g, b, got, bounded, e)
					}
				}
			}
		}
	}
	// One block and so many positions that an item hits nearly every bit: 1-p is far below 2^-53.
	g := bloomproof.Geometry{M: 64, K: 4096, Block: 64}
	got, _ := kernel.ItemsFrom(g, 63)
	if want, _ := kernel.ItemsFrom(bloomproof.Geometry{M: 64, K: 4096}, 63); got != want {
		t.Errorf("%v: %v items, want the %v of the filter without blocks", g, got, want)
	}
}

// TestBlockSnapshotVersion asserts that a filter without blocks is written as before there
// were any, one with blocks as version 2, and that nothing between the two is read.
func TestBlockSnapshotVersion(t *testing.T) {
	flat := mustNew(t, bloomproof.Geometry{M: 1024, K: 8}, kernel.Options{})
	blocks := mustNew(t, bloomproof.Geometry{M: 1024, K: 8, Block: 512}, kernel.Options{})
	for i := range uint64(20) {
		flat.AddHash(kernel.Hash{H0: i * golden, H1: i})
		blocks.AddHash(kernel.Hash{H0: i * golden, H1: i})
	}
	for _, c := range []struct {
		f       *kernel.Filter
		version byte
	}{{flat, 1}, {blocks, 2}} {
		data := mustMarshal(t, c.f)
		if data[8] != c.version {
			t.Errorf("%v is of version %d, want %d", c.f, data[8], c.version)
		}
		refused(t, "the other version", c.f, forge(data, putByte(8, 3-c.version)), kernel.ErrCorrupt, true)
		refused(t, "version 3", c.f, forge(data, putByte(8, 3)), kernel.ErrCorrupt, true)
	}
	data := mustMarshal(t, blocks)
	for what, change := range map[string]func([]byte){
		"no block":              put(88, 0),
		"a block of 32":         put(88, 32),
		"a block of 96":         put(88, 96),
		"a block of 2048":       put(88, 2048),
		"a block of 8192":       put(88, 8192),
		"a block of 2^64-1":     put(88, 1<<64-1),
		"classic hashing":       putByte(11, 1),
		"m no multiple":         put(24, 1023),
		"k no divisor":          func(b []byte) { putByte(11, 2)(b); put(16, 7)(b) },
		"a recycling filter":    func(b []byte) { putByte(10, 2)(b); put(56, 1000)(b); put(72, 20)(b); put(80, 20)(b) },
		"a counting filter":     func(b []byte) { putByte(10, 3)(b); putByte(14, 4)(b) },
		"another word after it": put(96, 1),
	} {
		for _, got := range []coded{new(kernel.Filter), new(kernel.RecyclingFilter), new(kernel.CountingFilter)} {
			if err := got.UnmarshalBinary(forge(data, change)); !errors.Is(err, kernel.ErrCorrupt) {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
	for what, c := range map[string]struct {
		f      coded
		change func([]byte)
	}{
		"a recycling filter": {mustNewRecycling(t, bloomproof.Geometry{M: 1024, K: 8}, bloomproof.Recycling{Sigma: 500}, kernel.Options{}), put(88, 512)},
		"a counting filter":  {mustNewCounting(t, bloomproof.Geometry{M: 1024, K: 8}, model.Counters{Width: 4}, kernel.Options{}), put(88, 2048)},
	} {
		refused(t, what, c.f, forge(mustMarshal(t, c.f), func(b []byte) { c.change(b); putByte(8, 2)(b) }), kernel.ErrCorrupt, true)
	}
	cycle := mustNewRecycling(t, bloomproof.Geometry{M: 1024, K: 8, Block: 512}, bloomproof.Recycling{Messages: 30}, kernel.Options{})
	for i := range uint64(40) {
		cycle.ObserveHash(cycle.Hasher().Uint64(i))
	}
	for what, change := range map[string]func([]byte){
		"bounded by bits":      func(b []byte) { putByte(13, 0)(b); put(56, 1000)(b) },
		"retaining":            putByte(14, 1),
		"two phases":           putByte(14, 2),
		"a block of 32":        put(88, 32),
		"a block of 2048":      put(88, 2048),
		"classic hashing":      putByte(11, 1),
		"version 1":            putByte(8, 1),
		"too many messages":    put(72, 30),
		"messages without bit": put(72, cycle.State().Bits+1),
		"too few observations": put(80, cycle.State().Messages-1),
		"a bit too many":       put(40, cycle.State().Bits+1),
	} {
		refused(t, "a recycling filter with blocks, "+what, cycle, forge(mustMarshal(t, cycle), change), kernel.ErrCorrupt, true)
	}
	if err := flat.Union(blocks); err == nil {
		t.Error("a filter without blocks took one with blocks")
	}
}
