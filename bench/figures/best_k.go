package main

import (
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/kernel"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The filter of Burns, section 3.4: small enough that the textbook approximation is
// visibly wrong and its best k, (m/n) ln 2 = 11, is not the best.
const (
	bestKBits  = 64
	bestKItems = 4
	bestKMost  = 20 // largest k drawn
	probes     = 100
)

// point is one k of the figure.
type point struct {
	k                 int
	standard, classic float64 // exact
	bloom             float64 // approximation
	measured          [2]mean // standard, classic: the real filter
}

// mean is an average over filters with its standard error.
type mean struct{ value, err float64 }

// z is the 99 % quantile of |N(0,1)|.
const z = 2.576

// bestK draws the rate against k for exact models, approximation and real filter.
func bestK(dir string, filters int) error {
	points, err := bestKPoints(filters)
	if err != nil {
		return err
	}
	base := filepath.Join(dir, "best-k")
	if err := writeCSV(base+".csv", points); err != nil {
		return err
	}
	p, err := bestKPlot(points)
	if err != nil {
		return err
	}
	return p.Save(16*vg.Centimeter, 10*vg.Centimeter, base+".svg")
}

func bestKPoints(filters int) ([]point, error) {
	var points []point
	for k := 1; k <= bestKMost; k++ {
		pt := point{k: k}
		for i, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
			g := bloomproof.Geometry{M: bestKBits, K: k, Hashing: h}
			e, _, err := exact.FPR(g, bestKItems, 64, exact.Auto)
			if err != nil {
				return nil, err
			}
			*[]*float64{&pt.standard, &pt.classic}[i] = e.Float64()
			if pt.measured[i], err = measure(g, filters); err != nil {
				return nil, err
			}
		}
		var err error
		if pt.bloom, err = approx.Bloom(bestKBits, bestKItems, k); err != nil {
			return nil, err
		}
		points = append(points, pt)
	}
	return points, nil
}

// measure returns the mean rate of independently seeded filters, each of which holds
// the same items and answers the same probes. No two geometries share a seed, so the
// points are independent.
func measure(g bloomproof.Geometry, filters int) (mean, error) {
	sum, squares := 0.0, 0.0
	for i := range uint64(filters) {
		seed := i<<16 | uint64(g.K)<<8 | uint64(g.Hashing)
		f, err := kernel.New(g, kernel.Options{Seed: seed})
		if err != nil {
			return mean{}, err
		}
		var key [8]byte
		for i := range uint64(bestKItems) {
			binary.LittleEndian.PutUint64(key[:], i)
			f.Add(key[:])
		}
		found := 0.0
		for i := range uint64(probes) {
			binary.LittleEndian.PutUint64(key[:], bestKItems+i)
			if f.Contains(key[:]) {
				found++
			}
		}
		sum += found / probes
		squares += (found / probes) * (found / probes)
	}
	n := float64(filters)
	variance := (squares - sum*sum/n) / (n - 1)
	return mean{sum / n, math.Sqrt(variance / n)}, nil
}

func writeCSV(path string, points []point) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := csv.NewWriter(f)
	rows := [][]string{{"k", "exact_standard", "exact_classic", "bloom", "measured_standard", "measured_standard_99", "measured_classic", "measured_classic_99"}}
	for _, p := range points {
		row := []string{strconv.Itoa(p.k)}
		for _, x := range []float64{p.standard, p.classic, p.bloom, p.measured[0].value, z * p.measured[0].err, p.measured[1].value, z * p.measured[1].err} {
			row = append(row, strconv.FormatFloat(x, 'e', 6, 64))
		}
		rows = append(rows, row)
	}
	if err := w.WriteAll(rows); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// measuredSeries is what plotter needs to draw points with error bars.
type measuredSeries struct {
	plotter.XYs
	plotter.YErrors
}

func bestKPlot(points []point) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = fmt.Sprintf("False-positive rate of m = %d bits with n = %d items", bestKBits, bestKItems)
	p.X.Max = bestKMost + 0.5 // room for the last label
	p.X.Label.Text = "k, positions per item"
	p.Y.Label.Text = "rate"
	p.Y.Scale = plot.LogScale{}
	p.Y.Tick.Marker = plot.LogTicks{Prec: -1}
	// The legend's text runs to the right of its lines, with room for a wider font than
	// the one that gonum measured.
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.XOffs = 6 * vg.Centimeter
	p.Legend.Padding = vg.Millimeter

	blue, orange, gray := color.RGBA{0, 80, 170, 255}, color.RGBA{200, 90, 0, 255}, color.RGBA{110, 110, 110, 255}
	for _, s := range []struct {
		name  string
		value func(point) float64
		color color.Color
		dash  bool
	}{
		{"Bloom's approximation", func(q point) float64 { return q.bloom }, gray, true},
		{"exact, standard", func(q point) float64 { return q.standard }, blue, false},
		{"exact, classic", func(q point) float64 { return q.classic }, orange, false},
	} {
		var xy plotter.XYs
		for _, q := range points {
			xy = append(xy, plotter.XY{X: float64(q.k), Y: s.value(q)})
		}
		line, err := plotter.NewLine(xy)
		if err != nil {
			return nil, err
		}
		line.Color = s.color
		line.Width = vg.Points(1.2)
		if s.dash {
			line.Dashes = []vg.Length{vg.Points(5), vg.Points(3)}
		}
		p.Add(line)
		p.Legend.Add(s.name, line)
	}
	for i, s := range []struct {
		name  string
		color color.Color
	}{{"kernel, standard, 99 % interval", blue}, {"kernel, classic, 99 % interval", orange}} {
		var m measuredSeries
		for _, q := range points {
			v := q.measured[i]
			if v.value <= z*v.err {
				continue // nothing to draw on a logarithmic axis
			}
			m.XYs = append(m.XYs, plotter.XY{X: float64(q.k), Y: v.value})
			m.YErrors = append(m.YErrors, struct{ Low, High float64 }{z * v.err, z * v.err})
		}
		dots, err := plotter.NewScatter(m)
		if err != nil {
			return nil, err
		}
		dots.GlyphStyle = draw.GlyphStyle{Color: s.color, Radius: vg.Points(1.8), Shape: draw.CircleGlyph{}}
		bars, err := plotter.NewYErrorBars(m)
		if err != nil {
			return nil, err
		}
		bars.Color = s.color
		p.Add(bars, dots)
		p.Legend.Add(s.name, dots)
	}
	return p, nil
}
