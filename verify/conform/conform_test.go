package conform_test

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/mutant"
	"github.com/bloomproof/bloomproof/verify/stat"
)

var (
	seedsFlag = flag.Uint64("seeds", 0, "seeds of the soak, instead of a few")
	shardFlag = flag.String("shard", "1/1", "the part of the seeds that is done: i/n")
	powerFlag = flag.Int("power", 0, "runs of the measurement of power, instead of a few")
)

var allFlag = flag.Bool("all", false, "examine wrong filters for all laws, at full effort")

// Every filter that is wrong is accused, under the law that it breaks; and, among the exact
// laws where its fault is one of those, and among all with -all, of nothing that does not
// follow from its fault.
func TestEveryWrongFilterIsAccused(t *testing.T) {
	chance := []conform.Law{conform.NoFalseNegative, conform.Rate, conform.SetBits, conform.Place, conform.Dependence, conform.Keys}
	laws := map[conform.Law]int{}
	wrongs := mutant.Wrongs()
	for _, w := range wrongs {
		laws[w.Law]++
		t.Run(w.Name, func(t *testing.T) {
			o := conform.Options{Effort: 0.1, Shapes: w.Shapes}
			if testing.Short() && w.Shapes == nil {
				o.Shapes = []conform.Shape{{M: 97, K: 5}, {M: 1024, K: 4}, {M: 49152, K: 3}} // where all others show
			}
			switch i := slices.Index(chance, w.Law); {
			case *allFlag:
				o.Effort = 1
				if o.Huge = w.Huge; o.Huge {
					o.Laws = []conform.Law{w.Law}
				}
			case w.Huge || testing.Short() && w.Shapes != nil && w.Shapes[0].M > 1<<20:
				t.Skip("shows only in a filter of over a million bits or beyond 2^32 of them; -all examines every one")
			case testing.Short() || w.Shapes != nil || i >= 0:
				o.Laws, o.Effort = []conform.Law{w.Law}, 0.2
			default:
				bytes := []conform.Law{conform.Snapshot, conform.Corrupt, conform.Hostile}
				o.Laws = slices.DeleteFunc(conform.Laws(), func(l conform.Law) bool {
					return slices.Contains(chance, l) || slices.Contains(bytes, l) && !slices.Contains(bytes, w.Law)
				})
			}
			if w.Shapes != nil {
				o.Effort = 1
			}
			report, err := conform.Examine(w.Subject, o)
			if err != nil {
				t.Fatal(err)
			}
			if !report.Broken(w.Law) {
				t.Errorf("not accused under %q:\n%v", w.Law, report)
			}
			for _, f := range report.Findings {
				if f.Law == w.Law {
					t.Logf("%v", f)
				} else if !slices.Contains(w.Also, f.Law) {
					t.Errorf("accused of what does not follow: %v", f)
				}
			}
		})
	}
	for _, l := range conform.Laws() {
		if laws[l] == 0 {
			t.Errorf("no filter breaks %q", l)
		}
	}
	t.Logf("%d wrong filters", len(wrongs))
}

// sound are subjects without faults of every hashing.
var sound = []struct {
	hashing bloomproof.Hashing
	block   uint64
}{{bloomproof.Standard, 0}, {bloomproof.Classic, 0}, {bloomproof.Partitioned, 0}, {bloomproof.Standard, 512}, {bloomproof.Partitioned, 480}, {bloomproof.Classic, 64}}

// Filters without faults keep every law.
func TestSoundFiltersPass(t *testing.T) {
	o := conform.Options{Effort: 0.1}
	if testing.Short() {
		o.Effort, o.Shapes = 0.05, []conform.Shape{{M: 97, K: 5}, {M: 1024, K: 4}}
	}
	for i, c := range sound {
		if testing.Short() && i%3 != 0 {
			continue
		}
		report, err := conform.Examine(mutant.Sound(c.hashing, c.block), o)
		if err != nil || len(report.Findings) > 0 {
			t.Errorf("%v, blocks of %d: %v\n%v", c.hashing, c.block, err, report)
		}
		untold := 0
		if c.hashing != bloomproof.Standard || c.block > 0 {
			untold = 3 // stated rate, items and sizing
		}
		if len(report.Kept) != len(conform.Laws())-untold || len(report.Untold) != untold {
			t.Errorf("%v, blocks of %d: kept %v, untold %v", c.hashing, c.block, report.Kept, report.Untold)
		}
	}
}

// Sound filters pass under every seed, and are accused at larger levels no more often than
// these say. With -seeds 1000 it is the soak of the Makefile.
func TestFalseAlarms(t *testing.T) {
	seeds, effort := uint64(6), 0.01
	if testing.Short() && *seedsFlag == 0 {
		t.Skip("short: six seeds of half a second each; make soak takes a thousand")
	}
	if *seedsFlag > 0 {
		seeds, effort = *seedsFlag, 1
	}
	shard, shards := uint64(1), uint64(1)
	if _, err := fmt.Sscanf(*shardFlag, "%d/%d", &shard, &shards); err != nil || shard < 1 || shard > shards {
		t.Fatalf("-shard %q", *shardFlag)
	}
	chance := []conform.Law{conform.Rate, conform.SetBits, conform.Place, conform.Dependence, conform.Keys, conform.StatedRate, conform.Items}
	alarms, runs := map[float64]uint64{}, uint64(0)
	for seed := shard; seed <= seeds; seed += shards {
		c := sound[seed%uint64(len(sound))]
		s := mutant.Sound(c.hashing, c.block)
		report, err := conform.Examine(s, conform.Options{Seed: seed, Effort: effort})
		if err != nil || len(report.Findings) > 0 {
			t.Errorf("%v, blocks of %d: %v\n%v", c.hashing, c.block, err, report)
		}
		for _, level := range []float64{1e-2, 1e-3} {
			report, err := conform.Examine(s, conform.Options{Seed: seed, Effort: effort / 10, FalseAlarm: level, Laws: chance})
			if err != nil {
				t.Fatal(err)
			}
			if len(report.Findings) > 0 {
				alarms[level]++
			}
		}
		runs++
	}
	for _, level := range []float64{1e-2, 1e-3} {
		lo, _, err := stat.ClopperPearson(alarms[level], runs, 0.9999)
		if err != nil || lo > level {
			t.Errorf("level %v: %d alarms in %d runs, %v", level, alarms[level], runs, err)
		}
		t.Logf("level %v: %d alarms in %d runs", level, alarms[level], runs)
	}
}

// off returns a sound filter whose rate is too high by a share of it.
func off(share float64, counts bool) conform.Subject[*mutant.Plain] {
	s := mutant.Sound(bloomproof.Standard, 0)
	contains, rate, bits := s.Contains, s.Rate, s.Bits
	if !counts {
		bits = nil
	}
	return conform.Subject[*mutant.Plain]{New: s.New, Add: s.Add, Bits: bits, Contains: func(f *mutant.Plain, key []byte) bool {
		h := uint64(len(key)) // a hash that the filter does not use
		for _, b := range key {
			h = (h ^ uint64(b)) * 0x100000001b3
			h ^= h >> 29
		}
		r := rate(f)
		return contains(f, key) || float64(h*0x9e3779b97f4a7c15>>11)*0x1p-53 < share*r/(1-r)
	}}
}

// A rate that is 5% too high at m = 1024 is found in nearly every run at effort 2 where set
// bits are counted; where they are not, one that is 20% too high.
func TestPower(t *testing.T) {
	runs := 5
	if testing.Short() {
		runs = 1
	}
	if *powerFlag > 0 {
		runs = *powerFlag
	}
	for _, c := range []struct {
		off, effort float64
		counts      bool
	}{{0.05, 2, true}, {0.2, 2, false}} {
		found := 0
		for seed := range runs {
			report, err := conform.Examine(off(c.off, c.counts), conform.Options{
				Seed: uint64(seed) + 1, Effort: c.effort, Laws: []conform.Law{conform.Rate}, Shapes: []conform.Shape{{M: 1024, K: 4}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if report.Broken(conform.Rate) {
				found++
			}
		}
		if float64(found) < 0.9*float64(runs) {
			t.Errorf("a rate that is %g off is found in %d of %d runs at effort %g", c.off, found, runs, c.effort)
		}
		t.Logf("a rate that is %g off is found in %d of %d runs at effort %g", c.off, found, runs, c.effort)
	}
}

func TestExamineErrors(t *testing.T) {
	good := mutant.Sound(bloomproof.Standard, 0)
	change := func(f func(s *conform.Subject[*mutant.Plain])) conform.Subject[*mutant.Plain] {
		s := good
		f(&s)
		return s
	}
	for _, row := range []struct {
		s     conform.Subject[*mutant.Plain]
		o     conform.Options
		param string
	}{
		{conform.Subject[*mutant.Plain]{}, conform.Options{}, "New"},
		{change(func(s *conform.Subject[*mutant.Plain]) { s.Add = nil }), conform.Options{}, "Add"},
		{change(func(s *conform.Subject[*mutant.Plain]) { s.Contains = nil }), conform.Options{}, "Contains"},
		{change(func(s *conform.Subject[*mutant.Plain]) { s.Hashing = 9 }), conform.Options{}, "hashing"},
		{good, conform.Options{FalseAlarm: 1}, "FalseAlarm"},
		{good, conform.Options{FalseAlarm: math.NaN()}, "FalseAlarm"},
		{good, conform.Options{Effort: -1}, "Effort"},
		{good, conform.Options{Tolerance: 1}, "Tolerance"},
		{good, conform.Options{Laws: []conform.Law{"gravity"}}, "Laws"},
		{good, conform.Options{Shapes: []conform.Shape{{M: 0, K: 1}}}, "Shapes"},
		{good, conform.Options{Shapes: []conform.Shape{{M: 1, K: 5000}}}, "Shapes"},
	} {
		var p *bloomproof.ParamError
		if _, err := conform.Examine(row.s, row.o); !errors.As(err, &p) || p.Param != row.param {
			t.Errorf("error %v, want one about %s", err, row.param)
		}
	}
}

// A filter that refuses every shape keeps no law, and the notes say why.
func TestExamineRefused(t *testing.T) {
	s := mutant.Sound(bloomproof.Standard, 0)
	s.New = func(m uint64, _ int) (*mutant.Plain, error) { return nil, fmt.Errorf("no filter of %d bits", m) }
	s.RateFor = nil
	report, err := conform.Examine(s, conform.Options{Effort: 0.01})
	if err != nil || len(report.Kept) > 0 || !strings.Contains(report.String(), "no filter of 1024 bits") {
		t.Errorf("%v\n%v", err, report)
	}
}

// What is found is printed with the case, and is the same again.
func TestReportRepeats(t *testing.T) {
	var texts []string
	for range 2 {
		w := mutant.Wrongs()[0]
		report, err := conform.Examine(w.Subject, conform.Options{Seed: 7, Effort: 0.1, Laws: []conform.Law{w.Law}})
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, report.String())
	}
	if texts[0] != texts[1] || !strings.Contains(texts[0], "dependence: standard m=") || !strings.Contains(texts[0], "seed 7") {
		t.Errorf("%s\n%s", texts[0], texts[1])
	}
}
