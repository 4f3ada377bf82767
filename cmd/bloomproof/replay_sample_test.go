package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/truth"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// A ground truth that has memory for all keys tells what one without a bound tells.
func TestReplayMemoryForAll(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace")
	if err := os.WriteFile(file, shippedText(t)[:longtest.More(100_000, 300_000)], 0o644); err != nil {
		t.Fatal(err)
	}
	for _, flags := range []string{"-m 4Ki -k 4 -sigma 2Ki -warmup 0.2", "-m 4Ki -k 4 -sigma 2Ki -phases 2", "-m 4Ki -k 3 -messages 500 -retain"} {
		line := "replay -json -model lower -trace " + file + " " + flags
		status, all, stderr := try(nil, strings.Fields(line)...)
		if status != statusOK {
			t.Fatal(stderr)
		}
		status, bounded, stderr := try(nil, strings.Fields(line+" -memory 16Mi")...)
		if status != statusOK {
			t.Fatal(stderr)
		}
		want, got := checkJSON(t, all), checkJSON(t, bounded)
		if sample := got["sample"].(map[string]any); sample["share"] != "1" || sample["keys"] != want["distinct"] || sample["intervals"] != nil {
			t.Errorf("%s: %v", flags, sample)
		}
		for name, x := range want {
			switch name {
			case "traffic", "predicted", "course", "per_second": // the first three are made of all keys alone
			case "given_fills": // added up in float32, and key by key
				for _, path := range []string{"given_fills.per_arrival", "given_fills.per_new", "given_fills.per_cycle_new"} {
					if x, y := field(t, want, path), field(t, got, path); x/y < 1-1e-5 || x/y > 1+1e-5 {
						t.Errorf("%s: %s is %v, want %v", flags, path, y, x)
					}
				}
			default:
				if fmt.Sprint(got[name]) != fmt.Sprint(x) {
					t.Errorf("%s: %s is %v, want %v", flags, name, got[name], x)
				}
			}
		}
	}
}

// With little memory the counts are estimates near the truth, and the output says so.
func TestReplayMemoryBounded(t *testing.T) {
	var text strings.Builder
	rng := rand.New(rand.NewPCG(1, 2))
	for range longtest.More(100_000, 300_000) {
		fmt.Fprintln(&text, int(1e5*rng.Float64()*rng.Float64()*rng.Float64()))
	}
	file := filepath.Join(t.TempDir(), "trace")
	if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	args := strings.Fields("replay -m 16Ki -k 4 -sigma 8Ki -model lower -trace " + file)
	_, stdout, _ := try(nil, append(args, "-json")...)
	want := checkJSON(t, stdout)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	status, stdout, stderr := try(nil, append(args, "-memory", "256Ki", "-json")...)
	runtime.ReadMemStats(&after)
	if status != statusOK {
		t.Fatal(stderr)
	}
	got := checkJSON(t, stdout)
	if used := after.TotalAlloc - before.TotalAlloc; used > 3<<20 {
		t.Errorf("%d bytes allocated", used)
	}
	if share := field(t, got, "sample.share"); share > 0.25 || got["arrivals"] != want["arrivals"] || got["recycles"] != want["recycles"] {
		t.Errorf("a sample of %v; %v", share, got)
	}
	for _, name := range []string{"distinct", "true_positives", "false_positives", "true_negatives", "false_negatives", "lucky", "new", "cycle_new"} {
		x, low, mean, high := field(t, want, name), field(t, got, "sample.intervals."+name+".low"), field(t, got, "sample.intervals."+name+".mean"), field(t, got, "sample.intervals."+name+".high")
		if width := high - low; !(low <= mean && mean <= high) || x < low-width || x > high+width || width == 0 {
			t.Errorf("%s: %v in [%v, %v], in truth %v", name, mean, low, high, x)
		}
		if n, _ := got[name].(json.Number).Float64(); n < mean-0.51 || n > mean+0.51 {
			t.Errorf("%s: %v, estimated as %v", name, n, mean)
		}
	}
	for _, name := range []string{"fpr.per_arrival", "fpr.per_new", "fpr.per_cycle_new", "fnr"} {
		x, low, high := field(t, want, name+".mean"), field(t, got, name+".low"), field(t, got, name+".high")
		if width := high - low; x < low-width || x > high+width {
			t.Errorf("%s: [%v, %v], in truth %v", name, low, high, x)
		}
	}
	_, stdout, _ = try(nil, append(args, "-memory", "256Ki")...)
	if !strings.Contains(stdout, "estimated        from the ") {
		t.Errorf("%s", stdout)
	}
}

// The intervals of the counts cover the true ones in at least 97 % of the samples of small traces
// (99 % less 3 standard deviations of their share), and the mean estimate is within 5 % of the
// truth.
func TestEstimatesCover(t *testing.T) {
	samples := longtest.Of[uint64](100, 300, 3000)
	rule := bloomproof.Recycling{Sigma: 512}
	f, err := kernel.NewRecycling(bloomproof.Geometry{M: 1024, K: 4}, rule, kernel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var keys []uint64
	var seen []kernel.Observation
	all := truth.Of(rule)
	var n truth.Counts
	for range 10_000 {
		key := uint64(3000 * rng.Float64() * rng.Float64() * rng.Float64())
		o := f.Observe([]byte(strconv.FormatUint(key, 10)))
		n.Add(all.Observe(key, o), o)
		keys, seen = append(keys, key), append(seen, o)
	}
	want := map[string]float64{
		"distinct": float64(all.Distinct()), "true positives": float64(n.TruePositives), "false positives": float64(n.FalsePositives), "true negatives": float64(n.TrueNegatives),
		"false negatives": float64(n.FalseNegatives), "lucky": float64(n.Lucky), "new": float64(n.New()), "cycle-new": float64(n.CycleNew()),
		"per cycle-new": float64(n.FalsePositives+n.Lucky) / float64(n.CycleNew()),
	}
	covered, sums := map[string]uint64{}, map[string]float64{}
	for seed := range samples {
		s := truth.NewSample(rule, 32<<10)
		for i, key := range keys {
			rng := rand.NewPCG(key, seed)
			s.Observe(kernel.Hash{H0: rng.Uint64()}, seen[i], 0.5, true)
		}
		r := replayReport{Sample: &sampled{}}
		if err := r.estimate(s); err != nil {
			t.Fatal(err)
		}
		if s.Share() == 1 {
			t.Fatal("the sample is all keys")
		}
		e := r.Sample.Intervals
		for name, x := range map[string]rate{
			"distinct": e.Distinct, "true positives": e.TruePositives, "false positives": e.FalsePositives, "true negatives": e.TrueNegatives,
			"false negatives": e.FalseNegatives, "lucky": e.Lucky, "new": e.New, "cycle-new": e.CycleNew, "per cycle-new": *r.FPR.PerCycleNew,
		} {
			if float64(x.Low) <= want[name] && want[name] <= float64(x.High) {
				covered[name]++
			}
			sums[name] += float64(x.Mean)
		}
	}
	for name, x := range want {
		if share := float64(covered[name]) / float64(samples); share < 0.97 {
			t.Errorf("%s: %d of %d intervals cover %v", name, covered[name], samples, x)
		}
		if mean := sums[name] / float64(samples); mean < 0.95*x || mean > 1.05*x {
			t.Errorf("%s: the mean estimate is %v, want %v", name, mean, x)
		}
	}
}
