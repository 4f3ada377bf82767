package kernel_test

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/model"
	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/commands"
	"github.com/leanovate/gopter/gen"
)

var seedFlag = flag.Int64("kernel.seed", 20260421, "seed of the random tests of the filters")

// sipKey is the key of the keyed filters here.
var sipKey = [16]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// optionSets are the hash schemes, seeded or not.
var optionSets = []kernel.Options{{}, {Seed: 0x9e3779b185ebca8d}, kernel.Keyed(sipKey[:])}

// geometries are shapes at which something ends: a word, a slice, all the positions.
var geometries = []bloomproof.Geometry{
	{M: 1, K: 1, Hashing: bloomproof.Standard},
	{M: 1, K: 3, Hashing: bloomproof.Standard},
	{M: 1, K: 1, Hashing: bloomproof.Classic},
	{M: 1, K: 1, Hashing: bloomproof.Partitioned},
	{M: 5, K: 5, Hashing: bloomproof.Classic},
	{M: 6, K: 6, Hashing: bloomproof.Partitioned},
	{M: 17, K: 3, Hashing: bloomproof.Standard},
	{M: 17, K: 3, Hashing: bloomproof.Classic},
	{M: 18, K: 3, Hashing: bloomproof.Partitioned},
	{M: 64, K: 4, Hashing: bloomproof.Standard},
	{M: 64, K: 9, Hashing: bloomproof.Classic},
	{M: 128, K: 4, Hashing: bloomproof.Partitioned},
	{M: 63, K: 2, Hashing: bloomproof.Standard},
	{M: 65, K: 2, Hashing: bloomproof.Classic},
	{M: 195, K: 3, Hashing: bloomproof.Partitioned},
	{M: 1000, K: 70, Hashing: bloomproof.Standard},
	{M: 300, K: 70, Hashing: bloomproof.Classic},
	{M: 780, K: 65, Hashing: bloomproof.Partitioned},
}

// blockGeometries are shapes of blocks with and without kernels of their own: one block, two,
// three and more; the smallest and the largest; all positions in one word of the stream, in
// two, and in many; slices of one bit.
var blockGeometries = []bloomproof.Geometry{
	{M: 64, K: 1, Block: 64},
	{M: 64, K: 12, Block: 64},
	{M: 128, K: 4, Block: 64, Hashing: bloomproof.Partitioned},
	{M: 64, K: 64, Block: 64, Hashing: bloomproof.Partitioned},
	{M: 384, K: 9, Block: 128},
	{M: 512, K: 7, Block: 512},
	{M: 1024, K: 8, Block: 512},
	{M: 1536, K: 15, Block: 512},
	{M: 512, K: 8, Block: 512, Hashing: bloomproof.Partitioned},
	{M: 1536, K: 8, Block: 512, Hashing: bloomproof.Partitioned},
	{M: 512, K: 16, Block: 512, Hashing: bloomproof.Partitioned},
	{M: 256, K: 8, Block: 256, Hashing: bloomproof.Partitioned},
	{M: 768, K: 8, Block: 256, Hashing: bloomproof.Partitioned},
	{M: 512, K: 8, Block: 256},
	{M: 4096, K: 6, Block: 4096},
	{M: 8192, K: 4, Block: 4096, Hashing: bloomproof.Partitioned},
	{M: 2048, K: 70, Block: 512},
	{M: 1024, K: 128, Block: 1024, Hashing: bloomproof.Partitioned},
}

// run is what the state machines drive.
type run interface{ Apply(model.Op) error }

// opCommand is a gopter command: one operation of a run. The model is part of the
// system under test, which compares itself with it, and the state of gopter is only
// whether that is so. Every operation is allowed everywhere, so shrinking never
// leaves what could have been generated.
type opCommand model.Op

func (c opCommand) Run(s commands.SystemUnderTest) commands.Result {
	return s.(run).Apply(model.Op(c))
}
func (c opCommand) NextState(s commands.State) commands.State { return s }
func (c opCommand) PreCondition(commands.State) bool          { return true }
func (c opCommand) String() string                            { return model.Op(c).String() }
func (c opCommand) PostCondition(_ commands.State, r commands.Result) *gopter.PropResult {
	if err, failed := r.(error); failed {
		return &gopter.PropResult{Status: gopter.PropFalse, Error: err}
	}
	return &gopter.PropResult{Status: gopter.PropTrue}
}

// machine runs tests sequences of length operations on what start returns. It stops
// at the first difference, and reports it shrunk, with the seed.
func machine(t *testing.T, tests, length int, start func() run) {
	t.Helper()
	machineOf(t, model.ActionOf, tests, length, start)
}

// machineOf is machine with operations whose actions are those of random bytes.
func machineOf(t *testing.T, action func(uint8) model.Action, tests, length int, start func() run) {
	t.Helper()
	p := gopter.DefaultTestParametersWithSeed(*seedFlag)
	p.MinSuccessfulTests = tests
	p.MinSize, p.MaxSize = length, length
	p.Workers = 1
	proto := &commands.ProtoCommands{
		NewSystemUnderTestFunc: func(commands.State) commands.SystemUnderTest { return start() },
		InitialStateGen:        gen.Const(0),
		GenCommandFunc: func(commands.State) gopter.Gen {
			return gen.UInt16().Map(func(x uint16) commands.Command {
				return opCommand{action(uint8(x)), uint8(x>>8) % model.Keys}
			})
		},
	}
	var out strings.Builder
	props := gopter.NewProperties(p)
	props.Property("filter and model agree after every operation", commands.Prop(proto))
	if !props.Run(gopter.NewFormatedReporter(false, 100, &out)) {
		t.Errorf("seed %d:\n%s", *seedFlag, out.String())
	}
}

// SetWords takes what AppendWords gives, of any hashing, and nothing that is no filter.
func TestSetWords(t *testing.T) {
	for _, g := range []bloomproof.Geometry{
		{M: 1, K: 1}, {M: 64, K: 3}, {M: 100, K: 5}, {M: 1030, K: 4, Hashing: bloomproof.Classic},
		{M: 1032, K: 4, Hashing: bloomproof.Partitioned}, {M: 1024, K: 8, Hashing: bloomproof.Partitioned, Block: 256},
	} {
		f, to := mustNew(t, g, kernel.Options{}), mustNew(t, g, kernel.Options{})
		for i := range uint64(60) {
			f.AddHash(f.Hasher().Uint64(i))
			to.AddHash(to.Hasher().Uint64(1000 + i)) // is gone afterwards
		}
		words := f.AppendWords(nil)
		if err := to.SetWords(words); err != nil || !to.Equal(f) || to.Bits() != f.Bits() || to.Rate() != f.Rate() {
			t.Errorf("%v: %v, %v after SetWords, want %v", g, err, to, f)
		}
		words[0] ^= 1
		if !to.Equal(f) {
			t.Errorf("%v: the filter changes with the caller's words", g)
		}
		wrong := [][]uint64{nil, words[1:], append(slices.Clone(words), 0)}
		if used := g.M & 63; used != 0 {
			beyond := slices.Clone(words)
			beyond[len(beyond)-1] |= 1 << used
			wrong = append(wrong, beyond)
		}
		for _, w := range wrong {
			var bad *bloomproof.ParamError
			if err := to.SetWords(w); !errors.As(err, &bad) || bad.Param != "words" || !to.Equal(f) {
				t.Errorf("%v: %d words: %v", g, len(w), err)
			}
		}
	}
}

func TestFilterStateMachine(t *testing.T) {
	t.Logf("seed %d", *seedFlag)
	for gi, g := range append(slices.Clone(geometries), blockGeometries...) {
		for i, o := range optionSets {
			if !longtest.Enabled() && (gi+i)%len(optionSets) != 0 {
				continue
			}
			t.Run(fmt.Sprintf("%v/options=%d", g, i), func(t *testing.T) {
				tests := longtest.More(2, 16)
				if g.K > 16 { // a long key's positions cost the model as much as many short ones
					tests /= 2
				}
				machine(t, tests, 40, func() run {
					r, err := model.NewFilterRun(g, o)
					if err != nil {
						t.Fatal(err)
					}
					return r
				})
			})
		}
	}
}

// Every implementation gives the same filter.
func TestFilterStateMachineEveryImplementation(t *testing.T) {
	for ii, im := range kernel.Impls() {
		for gi, g := range append(slices.Clone(blockGeometries), bloomproof.Geometry{M: 1100, K: 4, Hashing: bloomproof.Partitioned}) {
			if !longtest.Enabled() && g.Block != 0 && (gi+ii)%2 != 0 {
				continue
			}
			tests := longtest.More(4, 10)
			if g.Block != 0 {
				tests = longtest.More(1, 2)
			}
			t.Run(fmt.Sprintf("%v/%v", im, g), func(t *testing.T) {
				machine(t, tests, 40, func() run {
					r, err := model.NewFilterRun(g, kernel.Options{Impl: im})
					if err != nil {
						t.Fatal(err)
					}
					return r
				})
			})
		}
	}
}

// mustNew returns a filter, or ends the test.
func mustNew(tb testing.TB, g bloomproof.Geometry, o kernel.Options) *kernel.Filter {
	tb.Helper()
	f, err := kernel.New(g, o)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// paramError ends the test unless err is a ParamError for param.
func paramError(t *testing.T, what string, err error, param string) {
	t.Helper()
	var p *bloomproof.ParamError
	if !errors.As(err, &p) {
		t.Errorf("%s: error %v, want a ParamError for %s", what, err, param)
	} else if p.Param != param || p.Want == "" {
		t.Errorf("%s: ParamError for %q (%v), want one for %q", what, p.Param, p, param)
	}
}

func TestNewRefusesBadParameters(t *testing.T) {
	good := bloomproof.Geometry{M: 64, K: 2}
	seeded := kernel.Keyed(sipKey[:])
	seeded.Seed = 1
	for _, c := range []struct {
		g     bloomproof.Geometry
		o     kernel.Options
		param string
	}{
		{bloomproof.Geometry{}, kernel.Options{}, "m"},
		{bloomproof.Geometry{M: 0, K: 1}, kernel.Options{}, "m"},
		{bloomproof.Geometry{M: 64, K: 0}, kernel.Options{}, "k"},
		{bloomproof.Geometry{M: 64, K: -1}, kernel.Options{}, "k"},
		{bloomproof.Geometry{M: 64, K: math.MinInt}, kernel.Options{}, "k"},
		{bloomproof.Geometry{M: 64, K: math.MaxInt}, kernel.Options{}, "k"},
		{bloomproof.Geometry{M: 1 << 20, K: 4097}, kernel.Options{}, "k"},
		{bloomproof.Geometry{M: 64, K: 2, Hashing: 3}, kernel.Options{}, "hashing"},
		{bloomproof.Geometry{M: 64, K: 65, Hashing: bloomproof.Classic}, kernel.Options{}, "k"},
		{bloomproof.Geometry{M: 64, K: 3, Hashing: bloomproof.Partitioned}, kernel.Options{}, "k"},
		{bloomproof.Geometry{M: 2, K: 4, Hashing: bloomproof.Partitioned}, kernel.Options{}, "k"},
		{bloomproof.Geometry{M: 1<<48 + 1, K: 1}, kernel.Options{}, "m"},
		{bloomproof.Geometry{M: 1 << 63, K: 1}, kernel.Options{}, "m"},
		{bloomproof.Geometry{M: math.MaxUint64, K: 1}, kernel.Options{}, "m"},
		{good, kernel.Keyed(nil), "key"},
		{good, kernel.Keyed(make([]byte, 16)), "key"},
		{good, kernel.Keyed(sipKey[:15]), "key"},
		{good, kernel.Keyed(append(sipKey[:], 1)), "key"},
		{good, seeded, "seed"},
		{good, kernel.Options{Impl: "sse"}, "impl"},
	} {
		what := fmt.Sprintf("%v %v", c.g, c.o)
		f, err := kernel.New(c.g, c.o)
		paramError(t, "New "+what, err, c.param)
		if f != nil {
			t.Errorf("New %s: a filter beside the error", what)
		}
		n, err := kernel.NewCounting(c.g, 4, bloomproof.Distinct, c.o)
		paramError(t, "NewCounting "+what, err, c.param)
		if n != nil {
			t.Errorf("NewCounting %s: a filter beside the error", what)
		}
		r, err := kernel.NewRecycling(c.g, bloomproof.Recycling{}, c.o)
		paramError(t, "NewRecycling "+what, err, c.param)
		if r != nil {
			t.Errorf("NewRecycling %s: a filter beside the error", what)
		}
		if c.o == (kernel.Options{}) {
			dst, err := kernel.AppendPositions([]uint64{7}, c.g, kernel.Hash{})
			paramError(t, "AppendPositions "+what, err, c.param)
			if len(dst) != 1 || dst[0] != 7 {
				t.Errorf("AppendPositions %s: dst is now %v", what, dst)
			}
		}
	}
	for _, im := range []string{"popcnt", "avx2", "avx512", "neon"} {
		if f, err := kernel.New(good, kernel.Options{Impl: im}); (f == nil) != (err != nil) {
			t.Errorf("impl %v: %v, %v", im, f, err)
		}
	}
}

// More memory than the host has is an error and not the end of the program. 2^48
// bits, 32 TiB, are the most that a filter may have: no host of these tests has them.
func TestNewRefusesWhatTheHostCannotHold(t *testing.T) {
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic, bloomproof.Partitioned} {
		g := bloomproof.Geometry{M: 1 << 48, K: 4, Hashing: h}
		if err := g.Validate(); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := kernel.New(g, kernel.Options{})
		paramError(t, "New", err, "m")
		_, err = kernel.NewRecycling(g, bloomproof.Recycling{Sigma: 1 << 47, TwoPhase: true}, kernel.Options{})
		paramError(t, "NewRecycling", err, "m")
		for _, width := range []int{4, 32} {
			_, err = kernel.NewCounting(g, width, bloomproof.Distinct, kernel.Options{})
			paramError(t, "NewCounting", err, "m")
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
			t.Errorf("%d bytes were allocated on the way to the error", n)
		}
	}
}

// All methods of a set may run at once when none of them changes it.
// (Under the race detector this test also holds "read by many at once".)
func TestConcurrentReaders(t *testing.T) {
	f := mustNew(t, bloomproof.Geometry{M: 4095, K: 5, Hashing: bloomproof.Partitioned}, kernel.Options{})
	r, err := kernel.NewRecycling(bloomproof.Geometry{M: 4096, K: 5}, bloomproof.Recycling{Sigma: 500, TwoPhase: true}, kernel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := mustNewCounting(t, bloomproof.Geometry{M: 4096, K: 5}, model.Counters{Width: 4, Increment: bloomproof.Literal}, kernel.Options{})
	for i := range uint64(300) {
		f.AddHash(kernel.Hash{H0: i * 0x9e3779b97f4a7c15, H1: i})
		c.AddHash(kernel.Hash{H0: i * 0x9e3779b97f4a7c15, H1: i})
		r.ObserveHash(kernel.Hash{H0: i * 0x9e3779b97f4a7c15, H1: i})
	}
	const readers = 4
	bad := make(chan string, readers)
	for range readers {
		go func() {
			defer func() { bad <- "" }()
			for i := range uint64(300) {
				if !f.ContainsHash(kernel.Hash{H0: i * 0x9e3779b97f4a7c15, H1: i}) {
					bad <- "false negative"
				}
				if n, _ := c.CountHash(kernel.Hash{H0: i * 0x9e3779b97f4a7c15, H1: i}); n == 0 {
					bad <- "false negative of the counting filter"
				}
				r.ContainsHash(kernel.Hash{H0: i})
			}
			for _, s := range []filled{f, r, c} {
				_ = s.String()
				s.Rate()
			}
			if _, err := r.MarshalBinary(); err != nil {
				bad <- err.Error()
			}
			if f.Recount() != f.Bits() || !f.Clone().Equal(f) || !c.Clone().Equal(c) || c.Filter().Bits() != c.Bits() {
				bad <- "counts"
			}
		}()
	}
	for done := 0; done < readers; {
		if s := <-bad; s != "" {
			t.Error(s)
		} else {
			done++
		}
	}
}

// TestZeroFilterPanics holds filters that no constructor made to a panic that names
// one, where silence would mean that everything is contained.
func TestZeroFilterPanics(t *testing.T) {
	var f kernel.Filter
	var r kernel.RecyclingFilter
	var c kernel.ConcurrentFilter
	var cr kernel.ConcurrentRecycling
	var n kernel.CountingFilter
	taken, takenRecycling := mustNew(t, bloomproof.Geometry{M: 9, K: 2}, kernel.Options{}), mustNewRecycling(t, bloomproof.Geometry{M: 9, K: 2}, bloomproof.Recycling{Sigma: 5}, kernel.Options{})
	taken.Concurrent()
	takenRecycling.Concurrent()
	for what, use := range map[string]func(){
		"Add after Concurrent":              func() { taken.Add(nil) },
		"Contains after Concurrent":         func() { taken.Contains(nil) },
		"Concurrent twice":                  func() { taken.Concurrent() },
		"Observe after Concurrent":          func() { takenRecycling.Observe(nil) },
		"Contains of recycling after it":    func() { takenRecycling.Contains(nil) },
		"Hasher after Concurrent":           func() { taken.Hasher() },
		"Filter.Hasher":                     func() { f.Hasher() },
		"CountingFilter.Hasher":             func() { n.Hasher() },
		"RecyclingFilter.Hasher":            func() { r.Hasher() },
		"ConcurrentFilter.Hasher":           func() { c.Hasher() },
		"ConcurrentRecycling.Hasher":        func() { cr.Hasher() },
		"Filter.Add":                        func() { f.Add(nil) },
		"Filter.Contains":                   func() { f.Contains(nil) },
		"Filter.AddBatch":                   func() { f.AddBatch(nil, kernel.Keys{}) },
		"Filter.AddBulk":                    func() { f.AddBulk(kernel.Keys{}) },
		"Filter.ContainsBatch":              func() { f.ContainsBatch(nil, kernel.Keys{}) },
		"Filter.MarshalBinary":              func() { _, _ = f.MarshalBinary() },
		"Filter.Concurrent":                 func() { f.Concurrent() },
		"ConcurrentFilter.Add":              func() { c.Add(nil) },
		"ConcurrentFilter.Contains":         func() { c.Contains(nil) },
		"ConcurrentFilter.AddBatch":         func() { c.AddBatch(nil, kernel.Keys{}) },
		"ConcurrentFilter.ContainsBatch":    func() { c.ContainsBatch(nil, kernel.Keys{}) },
		"ConcurrentFilter.Filter":           func() { c.Filter() },
		"RecyclingFilter.Observe":           func() { r.Observe(nil) },
		"RecyclingFilter.ObserveBatch":      func() { r.ObserveBatch(nil, kernel.Keys{}) },
		"RecyclingFilter.ContainsBatch":     func() { r.ContainsBatch(nil, kernel.Keys{}) },
		"RecyclingFilter.Contains":          func() { r.Contains(nil) },
		"RecyclingFilter.WriteTo":           func() { _, _ = r.WriteTo(io.Discard) },
		"CountingFilter.Add":                func() { n.Add(nil) },
		"CountingFilter.AddBatch":           func() { n.AddBatch(nil, kernel.Keys{}) },
		"CountingFilter.Remove":             func() { n.Remove(nil) },
		"CountingFilter.Count":              func() { n.Count(nil) },
		"CountingFilter.Contains":           func() { n.Contains(nil) },
		"CountingFilter.ContainsBatch":      func() { n.ContainsBatch(nil, kernel.Keys{}) },
		"CountingFilter.Filter":             func() { n.Filter() },
		"CountingFilter.WriteTo":            func() { _, _ = n.WriteTo(io.Discard) },
		"RecyclingFilter.Concurrent":        func() { r.Concurrent() },
		"ConcurrentRecycling.Observe":       func() { cr.Observe(nil) },
		"ConcurrentRecycling.ObserveBatch":  func() { cr.ObserveBatch(nil, kernel.Keys{}) },
		"ConcurrentRecycling.Contains":      func() { cr.Contains(nil) },
		"ConcurrentRecycling.ContainsBatch": func() { cr.ContainsBatch(nil, kernel.Keys{}) },
		"ConcurrentRecycling.Filter":        func() { cr.Filter() },
	} {
		func() {
			defer func() {
				if p := fmt.Sprint(recover()); !strings.Contains(p, "New") {
					t.Errorf("%s: panic %q does not name a constructor", what, p)
				}
			}()
			use()
		}()
	}
}
