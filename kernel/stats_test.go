package kernel_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// All has the fields of Stats under their names in JSON, and what has no bound is left out. The model tests of
// verify/model and TestGrowingModel hold the numbers to the filters.
func TestStatsAll(t *testing.T) {
	for _, s := range []kernel.Stats{
		{},
		{M: 1<<48 - 1, K: 4096, Bits: 1<<47 + 1, Fill: 0.5, Items: 2.5, Bounded: true, Rate: 1e-9, Bytes: 1 << 45},
	} {
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var want map[string]any
		if err := json.Unmarshal(data, &want); err != nil || len(want) != reflect.TypeFor[kernel.Stats]().NumField() {
			t.Fatal(err, want)
		}
		delete(want, "bounded")
		if !s.Bounded {
			delete(want, "items")
		}
		got := map[string]any{}
		for name, value := range s.All() {
			got[name] = value
		}
		if !maps.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		for stop := range want { // a loop may end early
			for name := range s.All() {
				if name == stop {
					break
				}
			}
		}
	}
}

// sampleStats returns the method Stats of one filter of each kind, of a shape, with so many keys added.
func sampleStats(t *testing.T, g bloomproof.Geometry, keys uint64) map[string]func() kernel.Stats {
	t.Helper()
	f := mustNew(t, g, kernel.Options{})
	counting, err := kernel.NewCounting(g, 4, bloomproof.Distinct, kernel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	recycling, err := kernel.NewRecycling(g, bloomproof.Recycling{Messages: 1 << 40}, kernel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for key := range keys {
		h := f.Hasher().Uint64(key)
		f.AddHash(h)
		counting.AddHash(h)
		recycling.ObserveHash(h)
	}
	mapped, err := kernel.MapFilter(writeFile(t, mustMarshal(t, f)), kernel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	closing(t, mapped)
	return map[string]func() kernel.Stats{
		"Filter": f.Stats, "CountingFilter": counting.Stats, "RecyclingFilter": recycling.Stats, "MappedFilter": mapped.Stats,
		"ConcurrentFilter": f.Clone().Concurrent().Stats, "ConcurrentRecycling": recycling.Clone().Concurrent().Stats,
	}
}

// Filters of every kind with the same keys have the same figures, but for the memory of counters. They are numbers,
// whether the filter is empty or full, and without blocks cost no allocation.
func TestStatsOfEveryKind(t *testing.T) {
	for _, g := range []bloomproof.Geometry{
		{M: 1000, K: 3}, {M: 1000, K: 3, Hashing: bloomproof.Classic}, {M: 999, K: 3, Hashing: bloomproof.Partitioned},
		{M: 1024, K: 3, Block: 64}, {M: 1024, K: 8, Block: 256, Hashing: bloomproof.Partitioned},
	} {
		for _, keys := range []uint64{0, 100, 20000} {
			all := sampleStats(t, g, keys)
			want := all["Filter"]()
			full := keys == 20000
			if want.M != g.M || want.K != g.K || want.Bytes != (g.M+63)/64*8 || (want.Bits == 0) != (keys == 0) || (want.Bits == g.M) != full ||
				want.Bounded == full || (want.Rate == 1) != full || (want.Rate == 0) != (keys == 0) || (want.Fill == 1) != full {
				t.Errorf("%v, %d keys: %+v", g, keys, want)
			}
			if !full && math.Abs(want.Items-float64(keys)) > float64(keys)/10 {
				t.Errorf("%v: %v keys estimated, %d added", g, want.Items, keys)
			}
			for kind, stats := range all {
				want := want
				if kind == "CountingFilter" {
					want.Bytes = (4*g.M + 63) / 64 * 8
				}
				if got := stats(); got != want {
					t.Errorf("%v, %d keys, %s: %+v, want %+v", g, keys, kind, got, want)
				}
				if n := testing.AllocsPerRun(5, func() { stats() }); n != 0 && g.Block == 0 && kind != "ConcurrentRecycling" {
					t.Errorf("%v, %s: %v allocations", g, kind, n)
				}
				if _, err := json.Marshal(stats()); err != nil {
					t.Errorf("%v, %d keys, %s: %v", g, keys, kind, err)
				}
			}
		}
	}
}

// While others add, the figures of one call are about the same bits.
func TestStatsMeanwhile(t *testing.T) {
	for _, g := range []bloomproof.Geometry{{M: 1 << 14, K: 1}, {M: 1 << 14, K: 1, Hashing: bloomproof.Partitioned}, {M: 1 << 14, K: 1, Block: 64}} {
		f := mustNew(t, g, kernel.Options{}).Concurrent()
		var wait sync.WaitGroup
		for part := range uint64(2) {
			wait.Add(1)
			go func() {
				defer wait.Done()
				for key := range uint64(5000) {
					f.AddHash(f.Hasher().Uint64(key<<1 | part))
				}
			}()
		}
		for i := 0; i < 200; i++ {
			// With one position the rate is the fill, in blocks up to rounding.
			if s := f.Stats(); math.Abs(s.Rate-s.Fill) > 1e-12 || s.Fill != float64(s.Bits)/float64(g.M) {
				t.Fatalf("%v: %+v", g, s)
			}
		}
		wait.Wait()
		if got, want := f.Stats(), f.Filter().Stats(); got != want {
			t.Errorf("%v: %+v, want %+v", g, got, want)
		}
	}
}

// A filter that no constructor made has no figures.
func TestStatsOfNone(t *testing.T) {
	for kind, stats := range map[string]func() kernel.Stats{
		"Filter": new(kernel.Filter).Stats, "CountingFilter": new(kernel.CountingFilter).Stats, "RecyclingFilter": new(kernel.RecyclingFilter).Stats,
		"GrowingFilter": new(kernel.GrowingFilter).Stats, "ConcurrentFilter": new(kernel.ConcurrentFilter).Stats,
		"ConcurrentRecycling": new(kernel.ConcurrentRecycling).Stats, "MappedFilter": new(kernel.MappedFilter).Stats,
	} {
		func() {
			defer func() {
				if p := fmt.Sprint(recover()); !strings.Contains(p, "must be made") {
					t.Errorf("%s: panic %q", kind, p)
				}
			}()
			t.Errorf("%s: %+v", kind, stats())
		}()
	}
}

// The methods of a filter that no constructor made say what is wrong with it.
func TestUnmade(t *testing.T) {
	f, c, r := new(kernel.Filter), new(kernel.CountingFilter), new(kernel.RecyclingFilter)
	keys := kernel.KeysOf([]uint64{1})
	for what, call := range map[string]func(){
		"Filter.Add": func() { f.Add(nil) }, "Filter.AddHash": func() { f.AddHash(kernel.Hash{}) }, "Filter.Contains": func() { f.Contains(nil) },
		"Filter.ContainsHash": func() { f.ContainsHash(kernel.Hash{}) }, "Filter.AddBatch": func() { f.AddBatch(nil, keys) },
		"Filter.ContainsBatch": func() { f.ContainsBatch(nil, keys) }, "CountingFilter.Add": func() { c.Add(nil) },
		"CountingFilter.AddHash": func() { c.AddHash(kernel.Hash{}) }, "CountingFilter.Remove": func() { c.Remove(nil) },
		"CountingFilter.RemoveHash": func() { c.RemoveHash(kernel.Hash{}) }, "CountingFilter.Contains": func() { c.Contains(nil) },
		"CountingFilter.ContainsHash": func() { c.ContainsHash(kernel.Hash{}) }, "CountingFilter.AddBatch": func() { c.AddBatch(nil, keys) },
		"CountingFilter.ContainsBatch": func() { c.ContainsBatch(nil, keys) }, "RecyclingFilter.Observe": func() { r.Observe(nil) },
		"RecyclingFilter.Contains": func() { r.Contains(nil) },
	} {
		func() {
			defer func() {
				if p := fmt.Sprint(recover()); !strings.Contains(p, "must be made") {
					t.Errorf("%s: panic %q", what, p)
				}
			}()
			call()
			t.Errorf("%s: no panic", what)
		}()
	}
}
