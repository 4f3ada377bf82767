package main

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	exactrecycling "github.com/bloomproof/bloomproof/exact/recycling"
	"gonum.org/v1/plot"
)

// small is a plan of few measurements; dir is a new one.
func small(t *testing.T, only string) plan {
	return plan{dir: t.TempDir(), records: "../../docs/figures", only: only, filters: fillRuns, epoch: 1000}
}

// The models of the figures in docs are those of today, and what is drawn from models and
// records alone is so byte by byte.
func TestShipped(t *testing.T) {
	all := small(t, "")
	if testing.Short() {
		all.only = "burns-7,fan-2,fan-3,fan-4,fan-5,fan-6,fan-7,fan-8,fan-9,fan-11,fan-13,dozier-fn-7"
	}
	if err := all.draw(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(all.base("*.csv"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d figures were drawn: %v", len(files), err)
	}
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".csv")
		x, kept := contents(t, path), shipped(t, name+".csv")
		measured := models(x) != whole(x)
		switch {
		case models(x) != models(kept):
			t.Errorf("the models in docs/figures/%s.csv are out of date: run make figures", name)
		case measured && !recorded(name):
		case !bytes.Equal(x, kept):
			t.Errorf("the records in docs/figures/%s.csv are out of date: run make figures", name)
		case !bytes.Equal(contents(t, all.base(name+".svg")), shipped(t, name+".svg")):
			t.Errorf("docs/figures/%s.svg is out of date: run make figures", name)
		}
	}
}

// recorded says that a figure's measurements are those of a record.
func recorded(name string) bool {
	return strings.HasPrefix(name, "fan-") && name != "fan-2" || strings.HasPrefix(name, "dozier-fn-7-") || strings.HasPrefix(name, "dozier-fn-8-")
}

// Figures with measurements are the same from run to run.
func TestByteStable(t *testing.T) {
	const some = "burns-6,fan-2,dozier-fp-3,small-filters,cycles"
	a, b := small(t, some), small(t, some)
	for _, p := range []plan{a, b} {
		if err := p.draw(); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(a.base("*"))
	if err != nil || len(files) != 10 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, path := range files {
		if name := filepath.Base(path); !bytes.Equal(contents(t, path), contents(t, b.base(name))) {
			t.Errorf("%s differs from run to run", name)
		}
	}
}

// models returns the columns of a CSV that hold no measurement, whole all of them.
func models(data []byte) string { return columns(data, false) }

func whole(data []byte) string { return columns(data, true) }

func columns(data []byte, measured bool) string {
	rows, err := table(data)
	if err != nil || len(rows) == 0 {
		return "not a table"
	}
	var b strings.Builder
	for _, row := range rows {
		for i, x := range row {
			if measured || !strings.HasPrefix(rows[0][i], "measured") {
				b.WriteString(x + ",")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// table reads a CSV with a note before it.
func table(data []byte) ([][]string, error) {
	r := csv.NewReader(bytes.NewReader(data))
	r.Comment = '#'
	return r.ReadAll()
}

// shipped returns a file of docs/figures.
func shipped(t *testing.T, name string) []byte {
	return contents(t, filepath.Join("..", "..", "docs", "figures", name))
}

func contents(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// In the figures of docs, the exact model lies in the 99 % interval of what was measured
// of the traffic that it models, but for a few points by chance: more than a tenth and one
// are met with probability below 1e-3 by each.
func TestShippedIntervals(t *testing.T) {
	for name, columns := range map[string][][2]string{
		"burns-6":       {{"standard", "measured_standard"}, {"classic", "measured_classic"}},
		"burns-best-k":  {{"standard", "measured_standard"}, {"classic", "measured_classic"}},
		"fan-2":         {{"exact", "measured"}},
		"small-filters": {{"exact", "measured"}},
		"cycles":        {{"exact", "measured"}},
		"dozier-fp-3":   {{"f_sigma", "measured_pool"}},
		"dozier-fp-4":   {{"f_sigma", "measured_new"}},
		"dozier-fn-4":   {{"one", "measured_one"}},
		"dozier-fn-6":   {{"two_0.01", "measured_two_0.01"}},
	} {
		rows, err := table(shipped(t, name+".csv"))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range columns {
			outside, points := 0, 0
			for _, row := range rows[1:] {
				low, f, high := number(rows[0], row, c[1]+"_low"), number(rows[0], row, c[0]), number(rows[0], row, c[1]+"_high")
				if math.IsNaN(low) {
					continue
				}
				if points++; f < low || f > high {
					outside++
				}
			}
			if points < 8 || outside > 1+points/10 {
				t.Errorf("%s: %s is outside %d of %d intervals", name, c[0], outside, points)
			}
		}
	}
}

// number returns a number of a row, NaN where there is none; the column must be there.
func number(head, row []string, column string) float64 {
	i := slices.Index(head, column)
	if i < 0 {
		panic("no column " + column)
	}
	x, err := strconv.ParseFloat(row[i], 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

// The course of a cycle is the rate of a filter with as many items as long as it cannot
// recycle, and in the long run its mean is the average rate.
func TestCourse(t *testing.T) {
	g := bloomproof.Geometry{M: 64, K: 3}
	const sigma = 30
	rates := course(g, sigma, 100_000)
	for n := range sigma / g.K {
		want, err := rate(g.M, uint64(n), g.K, g.Hashing)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(rates[n]-want) > 1e-12*want {
			t.Errorf("arrival %d: %v, exact %v", n, rates[n], want)
		}
	}
	cycle, err := exactrecycling.New(g, bloomproof.Recycling{Sigma: sigma})
	if err != nil {
		t.Fatal(err)
	}
	f, err := cycle.FPR(64)
	if err != nil {
		t.Fatal(err)
	}
	// By then it does not matter with what the course began.
	if got, want := rates[len(rates)-1], f.Float64(); math.Abs(got-want) > 1e-9*want {
		t.Errorf("in the long run %v, exact %v", got, want)
	}
}

// With one position an item no library can err: its rate is the exact one, within an interval
// of 99 %. The seed is fixed.
func TestFillOther(t *testing.T) {
	var s series
	if err := s.fillOther(61, 8, 1, 20_000); err != nil {
		t.Fatal(err)
	}
	f, err := rate(61, 8, 1, bloomproof.Standard)
	if err != nil {
		t.Fatal(err)
	}
	if f < s.low[0] || f > s.high[0] {
		t.Errorf("%v to %v, exact %v", s.low[0], s.high[0], f)
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		ticks     func(low, high float64) []plot.Tick
		low, high float64
		want      string
	}{
		{ticks, 0.9, 1.2, "0.9 0.95 1 1.05 1.1 1.15 1.2"},
		{ticks, 0, 1, "0 0.2 0.4 0.6 0.8 1"},
		{ticks, 25, 50, "25 30 35 40 45 50"},
		{ticks, -0.01, 0.07, "0 0.02 0.04 0.06"},
		{decades, -3.3, 0, "0.001 0.01 0.1 1"},
		{decades, 0, 5, "1 10 100 1000 10000 1e5"},
		{decades, -2.1, -1.7, "0.008 0.01 0.012 0.014 0.016 0.018"},
		{decades, -5.2, -3.8, "1e-5 2e-5 5e-5 1e-4"},
	} {
		var labels []string
		for _, tick := range c.ticks(c.low, c.high) {
			if tick.Label != "" {
				labels = append(labels, tick.Label)
			}
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%v to %v: %s, want %s", c.low, c.high, got, c.want)
		}
	}
}

func TestBadPlans(t *testing.T) {
	for want, change := range map[string]func(*plan){
		"-filters: must be between 35 and": func(p *plan) { p.filters = 34 },
		"-epoch: must be between 1 and":    func(p *plan) { p.epoch = 0 },
		"-only: no figure begins":          func(p *plan) { p.only = "burns-11" },
		"fan-5: open nowhere":              func(p *plan) { p.only, p.records = "fan-5", "nowhere" },
	} {
		p := small(t, "fan-3")
		change(&p)
		if err := p.draw(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// Figures of traces are byte-stable; with independent arrivals the model is within 3 % or
// the interval; and on the shipped trace, whose words come in bursts, less is forgotten.
func TestTraceFigures(t *testing.T) {
	keys, err := readTrace("../../cmd/bloomproof/testdata/kjv-words.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	var files [2][]byte
	for i := range files {
		c, base := traceChart("7", "kjv-words"), filepath.Join(t.TempDir(), "figure")
		if err := c.measureTrace(keys[:20_000], 3); err != nil {
			t.Fatal(err)
		}
		if err := writeCSV(base+".csv", c.note, c.rows()); err != nil {
			t.Fatal(err)
		}
		files[i] = contents(t, base+".csv")
		again := traceChart("7", "kjv-words")
		if err := again.read(base + ".csv"); err != nil {
			t.Fatal(err)
		}
		if err := again.save(base); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(files[i], contents(t, base+".csv")) {
			t.Error("a figure changes its record")
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("the record differs from run to run")
	}
	for _, file := range [][]byte{files[0], shipped(t, "dozier-fn-7-kjv-words.csv")} {
		rows, err := table(file)
		if err != nil {
			t.Fatal(err)
		}
		points := 0
		for _, row := range rows[1:] {
			for _, column := range []string{"one", "two"} {
				at := func(name string) float64 { return number(rows[0], row, name) }
				model, drawn := at(column), "measured_"+column+"_resampled"
				if math.IsNaN(model) {
					continue
				}
				points++
				if !(model > at(drawn+"_low")*0.97 && model < at(drawn+"_high")*1.03) {
					t.Errorf("%s at %s bits: model %v, resampled %v", column, row[0], model, at(drawn))
				}
				if x := at("measured_" + column + "_trace_high"); x > 1.1*model {
					t.Errorf("%s at %s bits: model %v, trace %v", column, row[0], model, x)
				}
			}
		}
		if points < 4 {
			t.Errorf("%d points", points)
		}
	}
}

// Every figure is shown on the page of figures, those of traces on theirs, and has its data
// beside it.
func TestEveryFigureIsShown(t *testing.T) {
	pages := string(contents(t, "../../docs/figures.md")) + string(contents(t, "../../docs/traces.md"))
	files, err := filepath.Glob("../../docs/figures/*.svg")
	if err != nil || len(files) < len(figures) {
		t.Fatalf("%d figures: %v", len(files), err)
	}
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".svg")
		if !strings.Contains(pages, "](figures/"+name+".svg)") {
			t.Errorf("docs/figures/%s.svg is shown on no page", name)
		}
		if _, err := table(shipped(t, name+".csv")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
