package main

import (
	"encoding/csv"
	"fmt"
	"image/color"
	"math"
	"os"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

var (
	blue   = color.RGBA{0, 80, 170, 255}
	orange = color.RGBA{200, 90, 0, 255}
	green  = color.RGBA{0, 130, 80, 255}
	purple = color.RGBA{130, 50, 140, 255}
	red    = color.RGBA{190, 30, 40, 255}
	gray   = color.RGBA{110, 110, 110, 255}
)

// chart is a figure: an SVG and the same numbers as CSV.
type chart struct {
	title              string
	note               string // what was chosen where the paper is silent: under the title, and first in the CSV
	xColumn, x         string // name in the CSV, label of the axis
	y                  string
	at                 []float64 // the abscissae
	series             []series
	logX, logY         bool
	xMax               float64 // 0: the last abscissa
	yMin, yMax         float64 // both 0: what the series take
	noLegend           bool
	aside              bool   // the legend stands beside the plot, where it would cover curves
	ratioTo            string // column of the series by which a second panel divides all; "" for none
	ratio              string // label of that panel's axis
	ratioMin, ratioMax float64
}

// series is a curve, or with err measured points.
type series struct {
	column string // name in the CSV; measured ones begin with "measured", see TestFigures
	name   string // in the legend; "" for a column that is not drawn
	color  color.Color
	dash   bool
	y      []float64 // NaN where there is nothing: empty in the CSV
	low    []float64 // measured points: the ends of their 99 % intervals
	high   []float64
}

// save writes base.csv and base.svg.
func (c chart) save(base string) error {
	if err := c.writeCSV(base + ".csv"); err != nil {
		return err
	}
	return c.writeSVG(base + ".svg")
}

func (c chart) writeCSV(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if c.note != "" {
		if _, err := fmt.Fprintf(f, "# %s\n", c.note); err != nil {
			f.Close()
			return err
		}
	}
	w := csv.NewWriter(f)
	head := []string{c.xColumn}
	for _, s := range c.series {
		head = append(head, s.column)
		if s.low != nil {
			head = append(head, s.column+"_low", s.column+"_high")
		}
	}
	rows := [][]string{head}
	for i, x := range c.at {
		row := []string{cell(x)}
		for _, s := range c.series {
			row = append(row, cell(s.y[i]))
			if s.low != nil {
				row = append(row, cell(s.low[i]), cell(s.high[i]))
			}
		}
		rows = append(rows, row)
	}
	if err := w.WriteAll(rows); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func cell(x float64) string {
	switch {
	case math.IsNaN(x):
		return ""
	case x == math.Trunc(x) && math.Abs(x) < 1e15:
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'e', 6, 64)
}

const width, height = 16 * vg.Centimeter, 10 * vg.Centimeter

func (c chart) writeSVG(path string) error {
	p, err := c.plot()
	if err != nil {
		return err
	}
	if c.ratioTo == "" && !c.aside {
		return p.Save(width, height, path)
	}
	var below, beside vg.Length
	if c.ratioTo != "" {
		below = 7 * vg.Centimeter
	}
	if c.aside {
		beside = 7 * vg.Centimeter
	}
	canvas := vgsvg.New(width+beside, height+below)
	top := draw.New(canvas)
	top.Min.Y = below
	if c.aside {
		legend := p.Legend
		legend.XOffs = 0
		p.Legend = plot.NewLegend()
		legend.Draw(draw.Crop(top, width, 0, 0, -vg.Centimeter))
		top.Max.X = width
	}
	p.Draw(top)
	if c.ratioTo != "" {
		q, err := c.divided().plot()
		if err != nil {
			return err
		}
		bottom := draw.New(canvas)
		bottom.Max.X, bottom.Max.Y = width, below
		q.Draw(bottom)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := canvas.WriteTo(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// divided returns the second panel: every series over the one of column ratioTo.
func (c chart) divided() chart {
	var by []float64
	for _, s := range c.series {
		if s.column == c.ratioTo {
			by = s.y
		}
	}
	d := c
	d.title, d.y, d.logY, d.ratioTo, d.series, d.noLegend = "", c.ratio, false, "", nil, true
	d.yMin, d.yMax = c.ratioMin, c.ratioMax
	for _, s := range c.series {
		over := func(y []float64) (q []float64) {
			for i := range y {
				q = append(q, y[i]/by[i])
			}
			return q
		}
		s.y, s.low, s.high = over(s.y), over(s.low), over(s.high)
		d.series = append(d.series, s)
	}
	return d
}

// measuredPoints is what plotter needs to draw points with error bars.
type measuredPoints struct {
	plotter.XYs
	plotter.YErrors
}

func (c chart) plot() (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = c.title
	if c.note != "" && c.title != "" {
		p.Title.Text += "\n" + c.note
	}
	p.X.Label.Text, p.Y.Label.Text = c.x, c.y
	if c.logX {
		p.X.Scale = plot.LogScale{}
		p.X.Tick.Marker = plot.LogTicks{Prec: 3}
	}
	if c.logY {
		p.Y.Scale = plot.LogScale{}
		p.Y.Tick.Marker = plot.LogTicks{Prec: 3}
	}
	// The legend's text runs to the right of its lines, with room for a wider font than
	// the one that gonum measured.
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.XOffs = 6 * vg.Centimeter
	p.Legend.Padding = vg.Millimeter
	for _, points := range []bool{false, true} { // above the curves
		for _, s := range c.series {
			if s.name == "" || (s.low != nil) != points {
				continue
			}
			add := c.addCurve
			if points {
				add = c.addPoints
			}
			if err := add(p, s); err != nil {
				return nil, err
			}
		}
	}
	p.X.Max = max(p.X.Max, c.xMax)
	if c.yMax > c.yMin {
		p.Y.Min, p.Y.Max = c.yMin, c.yMax
	}
	return p, nil
}

func (c chart) addCurve(p *plot.Plot, s series) error {
	var xy plotter.XYs
	for i, y := range s.y {
		if !math.IsNaN(y) {
			xy = append(xy, plotter.XY{X: c.at[i], Y: y})
		}
	}
	line, err := plotter.NewLine(xy)
	if err != nil {
		return err
	}
	line.Color = s.color
	line.Width = vg.Points(1.2)
	if s.dash {
		line.Dashes = []vg.Length{vg.Points(5), vg.Points(3)}
	}
	p.Add(line)
	if !c.noLegend {
		p.Legend.Add(s.name, line)
	}
	return nil
}

func (c chart) addPoints(p *plot.Plot, s series) error {
	var m measuredPoints
	for i, y := range s.y {
		if math.IsNaN(y) || c.logY && s.low[i] <= 0 {
			continue // nothing to draw on a logarithmic axis
		}
		m.XYs = append(m.XYs, plotter.XY{X: c.at[i], Y: y})
		m.YErrors = append(m.YErrors, struct{ Low, High float64 }{y - s.low[i], s.high[i] - y})
	}
	dots, err := plotter.NewScatter(m)
	if err != nil {
		return err
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: s.color, Radius: vg.Points(1.8), Shape: draw.CircleGlyph{}}
	bars, err := plotter.NewYErrorBars(m)
	if err != nil {
		return err
	}
	bars.Color = s.color
	p.Add(bars, dots)
	if !c.noLegend {
		p.Legend.Add(s.name, dots)
	}
	return nil
}
