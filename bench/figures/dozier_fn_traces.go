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

// This file draws figures 7 and 8 of Dozier-FN for other traces, because the traces of the paper are not published. The
// figures show the least false-negative rate for a fixed false-positive rate. They compare three rates: the rate that
// the model predicts, the rate measured on independent arrivals with the popularity of the trace, and the rate measured
// on the trace itself.
//
// The first half of a trace is the warm-up. The model gets the workload of the second half. For each size and number of
// phases, the search considers all filters whose rate for new messages is at most 10^-4, as in figure 7. Of these
// filters, the one with the least false-negative rate according to the model is measured. The filters are not
// retaining. They have copy-over: a message that the frozen array contains is also recorded in the active array. When a
// recycle freezes an array, this array contains the triggering message. Positions are drawn afresh in each cycle. At
// the largest size, a cycle is as long as an eighth of the second half of the trace.
var traceFigures = []struct {
	figure, trace string
	runs          int
}{
	{"8", "web07", 9}, {"8", "weblog-urls", 15}, {"8", "chloroplast-21mers", 9}, {"7", "kjv-words", 5}, {"7", "orm-busy", 3},
}

const traceRate = 1e-4

// recordTraces measures filters on the traces of a directory, and records the data of figures 7 and 8.
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

// overTraces draws figures 7 and 8 from their records.
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

// readTrace returns the arrivals of a trace, each as the number of its key.
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

// tracePhases lists the kinds of filters that each figure compares, with the series of each kind.
var tracePhases = []struct {
	twoPhase          bool
	column, name      string
	model, drawn, own color.Color
}{
	{false, "one", "one phase", blue, green, orange},
	{true, "two", "two phases", purple, gray, red},
}

// traceChart returns the figure of a trace without its numbers.
func traceChart(figure, name string) chart {
	c := chart{
		title:   fmt.Sprintf("Dozier-FN, figure %s, for the trace %s: false-positive rate %g", figure, name, traceRate),
		note:    "arrivals and workload of the second half, after the first half as warm-up; k and sigma with the fewest false negatives by the model",
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

// measureTrace measures the numbers of the chart of a trace.
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
		for len(s.y) < len(c.at) { // the series of one and of two phases end at different sizes
			if s.append(nothing); !strings.HasPrefix(s.column, "measured") {
				s.low, s.high = nil, nil
			}
		}
	}
	return nil
}

// replayed returns the false-negative rate of the filter on the arrivals after the warm-up, with the 99 % interval over
// several runs. Each run has its own hash function.
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
