package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/csv"
	"errors"
	"fmt"
	"image/color"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// This file draws figure 3 and Table 1 of the paper Dozier-FN, which show the times that the models take. Times differ
// from run to run. A separate command ("make times") therefore records them, and the figure is drawn from the recorded
// times.

//go:embed dozier_fn_times.csv
var recordedTimes []byte

// These variables define the filter of figure 3. The popularity distribution Q and the rank of new messages are the
// same as in figure 4.
var (
	timedGeometry = bloomproof.Geometry{M: 10_000, K: 5}
	timedWorkload = bloomproof.Workload{Popularity: bloomproof.Zipf(1, fnPool), Repeat: 0.9}
	timedSigma    = steps(500, 5000, 500)
)

func timedRule(sigma float64) bloomproof.Recycling {
	return bloomproof.Recycling{Sigma: uint64(sigma), FreshPositions: true}
}

// recordTimes writes the least of ten processor times for each model and sigma, in seconds. It also writes the time of
// a simulation of 10 runs of 100,000 arrivals, as in the paper.
func recordTimes(path string) error {
	var out bytes.Buffer
	fmt.Fprintf(&out, "# processor time in seconds, the least of ten; %s, %s/%s, %s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, time.Now().UTC().Format(time.DateOnly))
	w := csv.NewWriter(&out)
	head := []string{"sigma"}
	for _, l := range fnLines {
		head = append(head, l.model)
	}
	rows := [][]string{append(head, "simulation")}
	for _, sigma := range timedSigma {
		row := []string{cell(sigma)}
		for _, l := range fnLines {
			took, err := least(func() error {
				_, err := forecast(timedGeometry, timedRule(sigma), timedWorkload, l.model)
				return err
			})
			if err != nil {
				return err
			}
			row = append(row, strconv.FormatFloat(took, 'e', 3, 64))
		}
		took, err := least(func() error {
			_, err := sim.Run(context.Background(),
				timedGeometry, timedRule(sigma), timedWorkload,
				sim.Plan{Runs: 10, Arrivals: 1_000_000, Seed: 1, Workers: 1})
			return err
		})
		if err != nil {
			return err
		}
		rows = append(rows, append(row, strconv.FormatFloat(took, 'e', 3, 64)))
	}
	if err := w.WriteAll(rows); err != nil {
		return err
	}
	return os.WriteFile(path, out.Bytes(), 0o644)
}

// The function named least returns the least of ten processor times of f in seconds.
func least(f func() error) (float64, error) {
	best := math.Inf(1)
	for range 10 {
		start := cpuSeconds()
		if err := f(); err != nil {
			return 0, err
		}
		best = min(best, cpuSeconds()-start)
	}
	return best, nil
}

// The function times draws figure 3 from the recorded times. The CSV has two more columns for Table 1: the relative
// differences between the two drop-pin models and the renewal model.
func times(to plan) error {
	note, table, _ := strings.Cut(string(recordedTimes), "\n")
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil || len(rows) < 2 {
		return errors.Join(errors.New("no recorded times"), err)
	}
	c := chart{
		title:   fmt.Sprintf("Dozier-FN, figure 3: computation time, M = %d bits, k = %d, p_r = 0.9", timedGeometry.M, timedGeometry.K),
		note:    fmt.Sprintf("Zipf(1) of %d messages; %s", fnPool, strings.TrimPrefix(note, "# ")),
		xColumn: "sigma", x: "sigma, bits set beyond which the filter recycles", y: "seconds",
		logY: true,
	}
	lines := fnLines
	for i, name := range rows[0] {
		var y []float64
		for _, row := range rows[1:] {
			t, err := strconv.ParseFloat(row[i], 64)
			if err != nil {
				return err
			}
			y = append(y, t)
		}
		switch {
		case i == 0:
			c.at = y
		case i <= len(lines):
			l := lines[i-1]
			c.series = append(c.series, series{column: name, name: l.name, color: l.color, dash: l.dash, y: y})
		default:
			c.series = append(c.series, series{column: name, name: "simulation of 10^6 arrivals", color: color.Black, y: y})
		}
	}
	for _, m := range []string{"pins", "pins-arrivals"} {
		s := series{column: m + "_less_renewal"}
		for _, sigma := range c.at {
			f, err := forecast(timedGeometry, timedRule(sigma), timedWorkload, m)
			if err != nil {
				return err
			}
			by, err := forecast(timedGeometry, timedRule(sigma), timedWorkload, "renewal")
			if err != nil {
				return err
			}
			s.y = append(s.y, f.FNR/by.FNR-1)
		}
		c.series = append(c.series, s)
	}
	return c.save(to.base("dozier-fn-3"))
}
