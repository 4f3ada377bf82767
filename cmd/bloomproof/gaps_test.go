package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	approxrecycling "github.com/bloomproof/bloomproof/approx/recycling"
	"github.com/bloomproof/bloomproof/internal/requests"
	"github.com/bloomproof/bloomproof/internal/truth"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/sim"
	"github.com/bloomproof/bloomproof/verify/trace"
)

// arrivalsOf returns the keys of a trace, numbered: all, or as many as most.
func arrivalsOf(t *testing.T, file string, most int) []uint64 {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	keys, err := requests.NewKeys()
	if err != nil {
		t.Fatal(err)
	}
	var arrivals []uint64
	enough := errors.New("enough")
	err = requests.EachLine(t.Context(), f, func(line []byte) error {
		if len(arrivals) == most {
			return enough
		}
		arrivals = append(arrivals, keys.Number(line))
		return nil
	})
	if err != nil && !errors.Is(err, enough) {
		t.Fatal(err)
	}
	return arrivals
}

// everyArrival is more arrivals than a trace has.
const everyArrival = math.MaxInt

// gapsRate is the rate of false positives for which the sizes are tested.
const gapsRate = 0.01

// sized compares the bits of a filter that was asked for with the fewest that are enough.
type sized struct {
	fnr                   float64
	asked, least          float64 // bits
	predicted             sim.Interval
	measured              float64
	cycles                float64 // on the trace it was designed for
	holds, within, likely bool    // the size, the rate, the rate or its interval
}

// sizedBy designs filters for shares of the repeats of a trace, and judges them on another.
func sizedBy(t *testing.T, design, judge []uint64, rule bloomproof.Recycling, k int, shares []float64, seeds uint64) []sized {
	t.Helper()
	search := searchOf(t, design, rule, k)
	measured := func(bits float64) float64 {
		o, err := approxrecycling.MostMessages(bloomproof.Geometry{M: uint64(bits) / arraysOf(rule), K: k}, rule, gapsRate)
		if err != nil {
			t.Fatal(err)
		}
		r := rule
		r.Sigma = o.Sigma
		sum := 0.
		for seed := range seeds {
			sum += missed(t, judge, bloomproof.Geometry{M: o.M, K: o.K}, r, seed) / float64(seeds)
		}
		return sum
	}
	var all []sized
	for _, share := range shares {
		fnr := share * search.estimate.Workload.Repeat
		d, _, err := search.fewest(fnr)
		if err != nil {
			t.Fatal(err)
		}
		itself, _ := search.about(d)
		x := sized{fnr: fnr, asked: float64(d.Total()), predicted: *itself, cycles: float64(len(design)) / d.Forecast.Cycle}
		x.measured = measured(x.asked)
		// In steps of 1 % from the bits asked for: down while they are enough, or up until they
		// are.
		x.least = x.asked
		if x.measured <= fnr {
			for next := x.asked / 1.01; next > x.asked/4 && measured(next) <= fnr; next /= 1.01 {
				x.least = next
			}
		} else {
			for x.least *= 1.01; x.least < 4*x.asked && measured(x.least) > fnr; {
				x.least *= 1.01
			}
		}
		x.holds = math.Abs(x.asked/x.least-1) <= 0.1
		x.within = math.Abs(x.predicted.Mean/x.measured-1) <= 0.1
		x.likely = x.within || x.predicted.Low <= x.measured && x.measured <= x.predicted.High
		all = append(all, x)
	}
	return all
}

// missed returns the false negatives per arrival of a filter.
func missed(t *testing.T, arrivals []uint64, g bloomproof.Geometry, r bloomproof.Recycling, seed uint64) float64 {
	t.Helper()
	f, err := kernel.NewRecycling(g, r, kernel.Options{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	known := truth.Of(r)
	var counts truth.Counts
	var key [8]byte
	for _, x := range arrivals {
		binary.LittleEndian.PutUint64(key[:], x)
		o := f.Observe(key[:])
		counts.Add(known.Observe(x, o), o)
	}
	return float64(counts.FalseNegatives) / float64(counts.Arrivals)
}

// unruly are traces that no model of independent arrivals describes.
func unruly(n int) map[string][]uint64 {
	rng := rand.New(rand.NewPCG(31, 32))
	u := rng.Uint64N
	made := func(next func(i uint64) uint64) []uint64 {
		keys := make([]uint64, n)
		for i := range keys {
			keys[i] = next(uint64(i))
		}
		return keys
	}
	end := uint64(n)
	i := 0
	moving := make([]uint64, n)
	for key := range trace.Keys(func(i uint64) uint64 { // gaps that grow threefold, and keys that do not come again
		if u(5) == 0 {
			return 0
		}
		return 1 + u(1+u(2000+4000*i/end))
	}) {
		moving[i] = key
		if i++; i == n {
			break
		}
	}
	return map[string][]uint64{
		"moving": moving,
		"bursts": made(func(i uint64) uint64 { return i/100*7919%60*10 + u(10) + u(2)*u(2)*u(400) }),
		"scans": made(func(i uint64) uint64 {
			if i%1000 > 800 {
				return end + i
			}
			return u(1 + u(1+u(3000)))
		}),
		"loop":  made(func(i uint64) uint64 { return i % 1333 }),
		"drift": made(func(i uint64) uint64 { return i/20 + u(1+u(1000)) }),
		"flash crowd": made(func(i uint64) uint64 {
			if i > end/2 && i < end*3/4 && u(10) > 0 {
				return end + u(20)
			}
			return u(1 + u(1+u(3000)))
		}),
	}
}

// The sizes that the gaps ask for are within 10 % of the least that is enough on the trace itself,
// and the rates that they predict are within 10 % of the measured ones or have them in their
// interval: on the shipped trace and on some that no model of independent arrivals describes.
func TestGapsHold(t *testing.T) {
	all := unruly(longtest.More(15_000, 100_000))
	all["words"] = arrivalsOf(t, shipped, longtest.More(30_000, everyArrival))
	k, shares := 0, []float64{0.02, 0.05, 0.1, 0.2, 0.4}
	if !longtest.Enabled() {
		k, shares = 6, []float64{0.05, 0.2} // the best k takes most of the time
	}
	rules := []bloomproof.Recycling{{}, {TwoPhase: true}, {TwoPhase: true, NoCopyOver: true, FreshPositions: true}}
	for i, name := range slices.Sorted(maps.Keys(all)) {
		arrivals := all[name]
		for j, rule := range rules {
			if name != "words" && i%len(rules) != j && !longtest.Enabled() {
				continue
			}
			some := shares
			if name != "words" && !longtest.Enabled() {
				some = shares[i%2:][:1]
			}
			for _, x := range sizedBy(t, arrivals, arrivals, rule, k, some, uint64(longtest.More(1, 2))) {
				if !x.holds || !x.likely {
					t.Errorf("%s, %+v: %+v", name, rule, x)
				}
			}
		}
	}
}

// The intervals that replicas give for one filter have the rates of 98 % of filters of 512 bits on unruly traffic and words, with keys that meet the same bits in every cycle or not.
func TestReplicasIntervalsHold(t *testing.T) {
	n := longtest.Of(1000, 2500, 20_000)
	all := unruly(n)
	all["words"] = arrivalsOf(t, shipped, n)
	seeds := uint64(longtest.More(2, 10))
	outside, filters := 0, 0
	for name, arrivals := range all {
		for _, rule := range []bloomproof.Recycling{{}, {TwoPhase: true}, {TwoPhase: true, NoCopyOver: true}} {
			for _, rule.FreshPositions = range []bool{false, true} {
				for _, c := range []struct{ k, sigma uint64 }{{2, 128}, {3, 256}, {10, 307}} {
					g := bloomproof.Geometry{M: 512, K: int(c.k)}
					rule.Sigma = c.sigma
					s, err := trace.NewReplicas(g, rule, 0)
					if err != nil {
						t.Fatal(err)
					}
					for _, key := range arrivals {
						s.Observe(key)
					}
					predicted := gapsOf(s).FNR
					for seed := range seeds {
						filters++
						if got := missed(t, arrivals, g, rule, seed); got < float64(predicted.Low) || got > float64(predicted.High) {
							outside++
							t.Logf("%s, %+v, k = %d: %v, predicted %v", name, rule, c.k, got, predicted)
						}
					}
				}
			}
		}
	}
	if outside*50 > filters {
		t.Errorf("%d of %d rates are outside their intervals", outside, filters)
	}
}

// With room for all keys -keys changes nothing, and with less the size is about the same.
func TestGapsOfSample(t *testing.T) {
	file := t.TempDir() + "/trace"
	if err := os.WriteFile(file, shippedText(t)[:longtest.More(80_000, 200_000)], 0o644); err != nil {
		t.Fatal(err)
	}
	asked := func(flags string) (string, float64) {
		text, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = text.Close() }()
		status, stdout, stderr := try(text, strings.Fields("recycle -json -target 0.01 -fnr 0.05 -k 6 -trace "+file+" "+flags)...)
		if status != statusOK {
			t.Fatalf("%s: status %d: %s", flags, status, stderr)
		}
		return stdout, field(t, checkJSON(t, stdout), "total_m")
	}
	all, want := asked("")
	for _, flags := range []string{"-keys 100000", "-memory 64Mi"} {
		if got, _ := asked(flags); got != all {
			t.Errorf("with room for all keys\n%s\nwant\n%s", got, all)
		}
	}
	if _, got := asked("-keys 100000 -trace -"); got != want {
		t.Errorf("from standard input %v bits, want %v", got, want)
	}
	if _, got := asked(longtest.More("-keys 1000", "-keys 1500")); got < want/2 || got > 2*want { // the sample is drawn anew in each run
		t.Errorf("a sample of the keys asks for %v bits, all for %v", got, want)
	}
}

// The rates of false positives under the workload are those that replay predicts for the filter, and
// the interval of false negatives has that of replay in it, unless the trace cannot be read again.
func TestGapsPositives(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace")
	text := string(shippedText(t)[:longtest.More(80_000, 200_000)])
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, flags := range []string{"-k 4 -phases 1 -warmup 0.3", "-k 5 -phases 2 -freeze before"} {
		status, stdout, stderr := try(nil, strings.Fields("recycle -json -target 0.02 -m 4Ki "+flags+" -trace "+file)...)
		if status != statusOK {
			t.Fatal(stderr)
		}
		found := checkJSON(t, stdout)
		_, stdout, _ = try(nil, strings.Fields(fmt.Sprintf("replay -json %s -m %v -sigma %v -trace %s", flags, found["m"], found["sigma"], file))...)
		replayed := checkJSON(t, stdout)
		for _, rate := range []string{"per_arrival", "per_new", "per_cycle_new"} {
			got, want := field(t, found, "workload_fpr."+rate), field(t, replayed, "predicted.fpr."+rate)
			if math.Abs(got/want-1) > 1e-9 {
				t.Errorf("%s: %s is %v, want %v", flags, rate, got, want)
			}
		}
		low, high := field(t, replayed, "predicted.fnr_low"), field(t, replayed, "predicted.fnr_high")
		if field(t, found, "fnr_low") > low*(1+1e-9) || field(t, found, "fnr_high") < high*(1-1e-9) {
			t.Errorf("%s: the interval is %v to %v, that of replay %v to %v", flags, found["fnr_low"], found["fnr_high"], low, high)
		}
		if note := fmt.Sprint(found["note"]); strings.Contains(note, allNewNote) {
			t.Errorf("%s: %s", flags, note)
		}
	}
	status, stdout, stderr := try(strings.NewReader(text), strings.Fields("recycle -json -target 0.02 -m 4Ki -k 4 -trace -")...)
	if status != statusOK || !strings.Contains(stdout, allNewNote) {
		t.Errorf("%s%s", stdout, stderr)
	}
}

// What a trace cannot tell is said: that it is empty, that it is too short, that nearly nothing repeats.
func TestGapsTellNothing(t *testing.T) {
	for _, c := range []struct{ text, flags, want string }{
		{"", "replay -m 64 -k 2 -sigma 20", "warning: the trace is empty"},
		{"", "recycle -target 0.1 -fnr 0.1", "must have lines, and is empty"},
		{"a\nb\na\n", "recycle -target 0.1 -m 1Ki", "too short"},
		{"a\nb\na\n", "recycle -target 0.1 -fnr 0.4 -k 5", "every filter keeps 0.4, since of the arrivals only 0.333333 are repeats"},
	} {
		if _, stdout, stderr := try(strings.NewReader(c.text), strings.Fields(c.flags+" -trace -")...); !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("%s: %s%s", c.flags, stdout, stderr)
		}
	}
	words := shippedText(t)[:longtest.More(5000, 100_000)]
	if _, stdout, _ := try(bytes.NewReader(words), strings.Fields("recycle -target 0.1 -fnr 0.1 -k 5 -trace -")...); !strings.Contains(stdout, "gaps") || strings.Contains(stdout, "short") || strings.Contains(stdout, "every filter") {
		t.Error(stdout)
	}
}

// A loop about as long as a cycle is told of, and what to do about it.
func TestGapsTellOfLoop(t *testing.T) {
	var loop strings.Builder
	for i := range 6000 {
		fmt.Fprintln(&loop, i%568)
	}
	for flags, want := range map[string]bool{"": true, " -positions fresh": false, " -phases 2": false} {
		status, stdout, stderr := try(strings.NewReader(loop.String()), strings.Fields("replay -trace - -m 4Ki -k 5 -sigma 2Ki"+flags)...)
		if got := strings.Contains(stdout, "filters differ much"); status != statusOK || got != want {
			t.Errorf("%s: %s%s", flags, stdout, stderr)
		}
	}
}

// The ends of the heads of the tables of sizes.
const (
	gapsHead   = "| ---: | ---: | ---: | :---: |\n"
	halvesHead = "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
)

// gapsRows are the rows of a trace in the tables of sizes: on the trace itself, and in halves.
func gapsRows(t *testing.T, name string, arrivals []uint64) (itself, halves []string) {
	t.Helper()
	seeds := uint64(4)
	if len(arrivals) > 1_000_000 {
		seeds = 1
	}
	shares := []float64{0.02, 0.05, 0.1, 0.2, 0.4}
	for _, twoPhase := range []bool{false, true} {
		phases := map[bool]string{false: "one", true: "two"}[twoPhase]
		for _, x := range sizedBy(t, arrivals, arrivals, bloomproof.Recycling{TwoPhase: twoPhase}, 0, shares, seeds) {
			ok := map[bool]string{false: "no", true: "yes"}
			itself = append(itself, fmt.Sprintf("| %s | %s | %.2f | %.1f | %.0f | %.0f | %.2f | %.2f (%.2f to %.2f) | %.2f | %s |", name, phases, 100*x.fnr, x.cycles,
				x.asked, x.least, x.asked/x.least, 100*x.predicted.Mean, 100*x.predicted.Low, 100*x.predicted.High, 100*x.measured, ok[x.likely]))
		}
		for _, x := range sizedBy(t, arrivals[:len(arrivals)/2], arrivals[len(arrivals)/2:], bloomproof.Recycling{TwoPhase: twoPhase}, 0, shares, seeds) {
			halves = append(halves, fmt.Sprintf("| %s | %s | %.3g | %.3g (%.3g to %.3g) | %.3g | %.0f | %.0f | %.2f |", name, phases, 100*x.fnr,
				100*x.predicted.Mean, 100*x.predicted.Low, 100*x.predicted.High, 100*x.measured, x.asked, x.least, x.asked/x.least))
		}
	}
	return itself, halves
}

// The tables of sizes in docs/traces.md are what filters do: with -traces all rows.
func TestGapsPage(t *testing.T) {
	if *traces == "" {
		t.Skip("this test reads five traces of 9 MB in all, which are not in the repository; make traces TRACES=DIR runs it on a copy of them; TestGapsHold runs on one of them and on generated ones")
	}
	var itself, halves []string
	for _, f := range tracesFilters {
		a, b := gapsRows(t, f.trace, arrivalsOf(t, filepath.Join(*traces, f.trace+".txt.gz"), everyArrival))
		itself, halves = append(itself, a...), append(halves, b...)
	}
	page, err := os.ReadFile(tracesPage)
	if err != nil {
		t.Fatal(err)
	}
	pageIs(t, string(page), withTable(t, withTable(t, string(page), gapsHead, itself), halvesHead, halves))
}

// withTable returns the page with these rows below a head.
func withTable(t *testing.T, page, head string, rows []string) string {
	t.Helper()
	before, rest, ok := strings.Cut(page, head)
	if !ok {
		t.Fatalf("docs/traces.md has no table whose head ends in %q", head)
	}
	_, tail, _ := strings.Cut(rest, "\n\n")
	return before + head + strings.Join(rows, "\n") + "\n\n" + tail
}
