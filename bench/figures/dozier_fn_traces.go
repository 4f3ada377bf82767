package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/bloomproof/bloomproof"
	approxfnr "github.com/bloomproof/bloomproof/approx/fnr"
	"github.com/bloomproof/bloomproof/internal/requests"
	"github.com/bloomproof/bloomproof/internal/truth"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/sim"
	"github.com/bloomproof/bloomproof/verify/stat"
	"github.com/bloomproof/bloomproof/verify/trace"
)

// Figures 7 and 8 of Dozier-FN for other traces, its own being unpublished: the least
// false-negative rate under a fixed false-positive rate, by the model, with independent
// arrivals of the trace's popularity, and on the trace itself.
//
// The first half of a trace is warm-up; the workload is that of the second half. The filter
// of each size and number of phases is the one that by the model forgets least of those
// whose rate on new messages is at most 10^-4, as in figure 7: non-retaining, copy-over,
// freeze after, fresh positions. Sizes end where a cycle takes more than an eighth of the
// half.
var traceFigures = []struct {
	figure, trace string
	runs          int
}{
	{"8", "web07", 9}, {"8", "weblog-urls", 15}, {"8", "chloroplast-21mers", 9}, {"7", "kjv-words", 5}, {"7", "orm-busy", 3},
}

const traceRate = 1e-4

// recordTraces measures on the traces of a directory and records what figures 7 and 8 are
// drawn from.
func recordTraces(dir, traces string) error {
	for _, f := range traceFigures {
		keys, err := readTrace(filepath.Join(traces, f.trace+".txt.gz"))
		if err != nil {
			return fmt.Errorf("%s: %w", f.trace, err)
		}
		c := traceChart(f.figure, f.trace)
		if err := c.measureTrace(keys, f.runs); err != nil {
			return fmt.Errorf("%s: %w", f.trace, err)
		}
		if err := writeCSV(filepath.Join(dir, traceName(f.figure, f.trace)+".csv"), c.note, c.rows()); err != nil {
			return err
		}
	}
	return nil
}

func traceName(figure, trace string) string { return "dozier-fn-" + figure + "-" + trace }

// overTraces draws figures 7 and 8 from their records, which are their data too.
func overTraces(to plan) error {
	for _, f := range traceFigures {
		c, name := traceChart(f.figure, f.trace), traceName(f.figure, f.trace)
		if err := c.read(filepath.Join(to.records, name+".csv")); err != nil {
			return err
		}
		if err := c.save(to.base(name)); err != nil {
			return err
		}
	}
	return nil
}

// readTrace returns the arrivals of a trace, by the number of their keys.
func readTrace(path string) ([]uint64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	keys, err := requests.NewKeys()
	if err != nil {
		return nil, err
	}
	var all []uint64
	err = requests.EachLine(context.Background(), f, func(line []byte) error {
		all = append(all, keys.Number(line))
		return nil
	})
	return all, err
}

// tracePhases are what each figure compares, and the series of each in turn.
var tracePhases = []struct {
	twoPhase          bool
	column, name      string
	model, drawn, own color.Color
}{
	{false, "one", "one phase", blue, green, orange},
	{true, "two", "two phases", purple, gray, red},
}

// traceChart returns the figure of a trace, without numbers.
func traceChart(figure, name string) chart {
	c := chart{
		title:   fmt.Sprintf("Dozier-FN, figure %s, for the trace %s: false-positive rate %g", figure, name, traceRate),
		note:    "p_r, Q and arrivals of its second half; the first is warm-up; the k and sigma that forget least by the model",
		xColumn: "bits", x: "bits of all arrays", y: "false negatives per arrival", logX: true, logY: true,
	}
	for _, p := range tracePhases {
		c.series = append(c.series,
			series{column: p.column, name: p.name + ": model", color: p.model},
			series{column: "measured_" + p.column + "_resampled", name: p.name + ": resampled", color: p.drawn},
			series{column: "measured_" + p.column + "_trace", name: p.name + ": trace", color: p.own},
			series{column: p.column + "_cycle"}, series{column: p.column + "_k"}, series{column: p.column + "_sigma"})
	}
	return c
}

// measureTrace fills the chart of a trace.
func (c *chart) measureTrace(keys []uint64, runs int) error {
	half := len(keys) / 2
	e := trace.NewEstimator(trace.Options{Warmup: uint64(half)})
	for _, key := range keys {
		e.Observe(key)
	}
	est, err := e.Estimate()
	if err != nil {
		return err
	}
	each := len(c.series) / len(tracePhases)
	for i, p := range tracePhases {
		s := c.series[i*each:]
		model, drawn, own, cycles, hashes, sigmas := &s[0], &s[1], &s[2], &s[3], &s[4], &s[5]
		for i, m := 0, uint64(1<<10); m <= 1<<24; i, m = i+1, 2*m {
			d, err := approxfnr.Least(approxfnr.Designs{
				Rules:    []bloomproof.Recycling{{TwoPhase: p.twoPhase, FreshPositions: true}},
				Workload: est.Workload, Rate: traceRate,
			}, m)
			missing := errors.Is(err, bloomproof.ErrUndefined)
			if err != nil && !missing {
				return err
			}
			if !missing && d.Forecast.Cycle*8 > float64(len(keys)-half) {
				break
			}
			if i == len(c.at) {
				c.at = append(c.at, float64(m))
			}
			f := d.Forecast
			if missing {
				f.FNR, f.Cycle = math.NaN(), math.NaN()
			}
			model.y, cycles.y = append(model.y, f.FNR), append(cycles.y, f.Cycle)
			hashes.y, sigmas.y = append(hashes.y, float64(d.K)), append(sigmas.y, float64(d.Sigma))
			if missing {
				drawn.append(nothing)
				own.append(nothing)
				continue
			}
			g := bloomproof.Geometry{M: d.M, K: d.K}
			err = drawn.simulate(g, d.Recycling, est.Workload,
				sim.Plan{Runs: 9, Arrivals: 9 * 50_000, Seed: m}, (*sim.Tally).FalseNegative)
			if err != nil {
				return err
			}
			y, err := replayed(g, d.Recycling, keys, half, runs)
			if err != nil {
				return err
			}
			own.append(y)
		}
	}
	for i := range c.series {
		s := &c.series[i]
		for len(s.y) < len(c.at) { // one phase and two end at different sizes
			if s.append(nothing); !strings.HasPrefix(s.column, "measured") {
				s.low, s.high = nil, nil
			}
		}
	}
	return nil
}

// replayed returns the false-negative rate of the real filter on the arrivals after the
// warm-up, with the 99 % interval over runs with a hash function each.
func replayed(g bloomproof.Geometry, r bloomproof.Recycling, keys []uint64, warmup, runs int) (sim.Interval, error) {
	var pairs [][2]float64
	for seed := range runs {
		f, err := kernel.NewRecycling(g, r, kernel.Options{Seed: uint64(seed)})
		if err != nil {
			return sim.Interval{}, err
		}
		known := truth.Of(r)
		var n truth.Counts
		var text [8]byte
		for i, key := range keys {
			binary.LittleEndian.PutUint64(text[:], key)
			o := f.Observe(text[:])
			if class := known.Observe(key, o); i >= warmup {
				n.Add(class, o)
			}
		}
		pairs = append(pairs, [2]float64{float64(n.FalseNegatives), float64(n.Arrivals)})
	}
	mean, low, high, err := stat.RatioInterval(pairs, 0.99)
	return sim.Interval{Mean: mean, Low: max(low, 0), High: high}, err
}
