package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"html"
	"image/color"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// shade is a colour with its own glyph and dashes. Shades also differ in lightness, so that curves can be distinguished
// in grey.
type shade struct {
	tone   color.RGBA
	glyph  draw.GlyphDrawer
	dashes []vg.Length
}

// RGBA implements color.Color.
func (s shade) RGBA() (r, g, b, a uint32) { return s.tone.RGBA() }

var (
	plain      = []vg.Length{5, 3}
	long       = []vg.Length{10, 4}
	dotted     = []vg.Length{1.5, 2}
	dashAndDot = []vg.Length{8, 2.5, 1.5, 2.5}
)

// The shades are ordered from dark to light.
var (
	purple = shade{color.RGBA{95, 10, 115, 255}, draw.PyramidGlyph{}, plain}
	blue   = shade{color.RGBA{0, 85, 190, 255}, draw.CircleGlyph{}, plain}
	red    = shade{color.RGBA{210, 45, 55, 255}, draw.SquareGlyph{}, dotted}
	green  = shade{color.RGBA{25, 155, 95, 255}, draw.BoxGlyph{}, dashAndDot}
	gray   = shade{color.RGBA{135, 135, 135, 255}, draw.RingGlyph{}, plain}
	orange = shade{color.RGBA{235, 145, 15, 255}, draw.TriangleGlyph{}, long}
)

// chart is a figure. It is written as an SVG, and its numbers as CSV.
type chart struct {
	title              string
	note               string  // choices that the paper leaves open, for the title and the CSV
	xColumn, x         string  // the name in the CSV, and the label of the axis
	xUnit              float64 // the unit of the axis; 0 means 1
	y                  string
	at                 []float64 // the abscissae
	series             []series
	logX, logY         bool
	xMax               float64 // 0 means the last abscissa
	yMin, yMax         float64 // if both are 0, the range of the series
	ratioTo            string  // the series by which a second panel divides all; "" for none
	ratio              string  // the label of the axis of the second panel
	ratioMin, ratioMax float64
}

// series is a curve. If the fields low and high are set, it is a series of measured points.
type series struct {
	column   string // the name in the CSV; for measured points it begins with "measured", see TestFigures
	name     string // the name in the legend; "" for a column that is not drawn
	color    color.Color
	dash     bool
	points   bool      // single points, not a curve
	unlisted bool      // drawn, but not in the legend
	y        []float64 // NaN for a missing value, which is empty in the CSV
	low      []float64 // measured points: the ends of their 99 % intervals
	high     []float64
}

// save writes base.csv and base.svg.
func (c chart) save(base string) error {
	if err := writeCSV(base+".csv", c.note, c.rows()); err != nil {
		return err
	}
	return c.writeSVG(base + ".svg")
}

// sheet is a figure of several panels with the same series and a common legend.
type sheet struct {
	title, note string
	column      string // the CSV column that distinguishes the panels
	panels      []panel
}

type panel struct {
	value string // the value in the column of the sheet
	chart
}

// save writes base.csv and base.svg.
func (s sheet) save(base string) error {
	var all [][]string
	for _, p := range s.panels {
		rows := p.rows()
		if all == nil {
			all = append(all, append([]string{s.column}, rows[0]...))
		}
		for _, row := range rows[1:] {
			all = append(all, append([]string{p.value}, row...))
		}
	}
	if err := writeCSV(base+".csv", s.note, all); err != nil {
		return err
	}
	return s.writeSVG(base + ".svg")
}

// The method rows returns the rows of the table of the chart. The first row is the head of the table.
func (c chart) rows() [][]string {
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
	return rows
}

func writeCSV(path, note string, rows [][]string) error {
	var b bytes.Buffer
	if note != "" {
		fmt.Fprintf(&b, "# %s\n", note)
	}
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
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

const (
	width, height = 16 * vg.Centimeter, 10 * vg.Centimeter
	ratioHeight   = 7 * vg.Centimeter
	legendWidth   = 7.5 * vg.Centimeter // at least
	legendMargin  = 5 * vg.Millimeter   // around a text of the legend
	margin        = 2 * vg.Millimeter   // around the whole figure, as letters reach beyond the box that gonum gives a text
	lineSpace     = 1.3                 // of the lines of a title, in heights of its letters
)

func (c chart) writeSVG(path string) error {
	title, note := c.title, c.note
	c.title = "" // the title is above all panels
	p, err := c.plot()
	if err != nil {
		return err
	}
	plots := [][]*plot.Plot{{p}}
	size := height
	if c.ratioTo != "" {
		q, err := c.divided().plot()
		if err != nil {
			return err
		}
		q.Legend = plot.NewLegend()
		plots, size = append(plots, []*plot.Plot{q}), height+ratioHeight
	}
	// The legend is beside the plot, where it covers no curve.
	beside := legendWidth
	for _, s := range c.series {
		beside = max(beside, p.Legend.TextStyle.Rectangle(s.name).Size().X+p.Legend.ThumbnailWidth+legendMargin)
	}
	canvas, whole := headed(width+beside, size, title, note)
	p.Legend.Draw(draw.Crop(whole, width, 0, 0, 0))
	p.Legend = plot.NewLegend()
	whole.Max.X = whole.Min.X + width
	tiles := draw.Tiles{Rows: len(plots), Cols: 1, PadY: 2 * vg.Millimeter, PadRight: 4 * vg.Millimeter}
	for i, row := range plot.Align(plots, tiles, whole) {
		plots[i][0].Draw(row[0])
	}
	return writeCanvas(path, canvas, title, note+" "+c.described())
}

// The panels of a sheet are in rows of three. The legend takes the position after the last panel.
const (
	sheetColumns            = 3
	panelWidth, panelHeight = 8.5 * vg.Centimeter, 6.5 * vg.Centimeter
)

func (s sheet) writeSVG(path string) error {
	rows := len(s.panels)/sheetColumns + 1
	canvas, whole := headed(sheetColumns*panelWidth, vg.Length(rows)*panelHeight, s.title, s.note)
	tiles := draw.Tiles{Rows: rows, Cols: sheetColumns, PadX: 3 * vg.Millimeter, PadY: 4 * vg.Millimeter, PadRight: 2 * vg.Millimeter}
	plots := make([][]*plot.Plot, rows)
	var legend plot.Legend
	for i := range rows * sheetColumns {
		var p *plot.Plot
		if i < len(s.panels) {
			var err error
			if p, err = s.panels[i].plot(); err != nil {
				return err
			}
			legend, p.Legend = p.Legend, plot.NewLegend()
		}
		plots[i/sheetColumns] = append(plots[i/sheetColumns], p)
	}
	for i, row := range plot.Align(plots, tiles, whole) {
		for j, at := range row {
			if p := plots[i][j]; p != nil {
				p.Draw(at)
			}
		}
	}
	legend.YOffs = -vg.Centimeter
	free := len(s.panels)
	legend.Draw(tiles.At(whole, free%sheetColumns, free/sheetColumns))
	about := fmt.Sprintf("%s %d panels.", s.note, len(s.panels))
	if len(s.panels) > 0 {
		about += " " + s.panels[0].described()
	}
	return writeCanvas(path, canvas, s.title, about)
}

// headed returns a new white canvas with a title and a note, and the part of the canvas below them, which has the size
// w x h.
func headed(w, h vg.Length, title, note string) (*vgsvg.Canvas, draw.Canvas) {
	lines := []string{title}
	if note != "" {
		lines = append(lines, note)
	}
	style := plot.New().Title.TextStyle
	style.XAlign, style.YAlign = draw.XCenter, draw.YTop
	line := lineSpace * style.Rectangle("M").Size().Y
	above := vg.Length(len(lines))*line + 2*vg.Millimeter
	canvas := vgsvg.New(w+2*margin, h+above+2*margin)
	whole := draw.New(canvas)
	whole.SetColor(color.White)
	whole.Fill(whole.Rectangle.Path())
	whole = draw.Crop(whole, margin, -margin, margin, -margin)
	for i, text := range lines {
		whole.FillText(style, vg.Point{X: whole.Center().X, Y: whole.Max.Y - vg.Length(i)*line}, text)
	}
	whole.Max.Y -= above
	return canvas, whole
}

// described says in words what a chart shows, for readers who do not see it.
func (c chart) described() string {
	var names []string
	for _, s := range c.series {
		if s.name != "" && !s.unlisted {
			names = append(names, s.name)
		}
	}
	text := fmt.Sprintf("%s against %s: %s.", c.y, c.x, strings.Join(names, "; "))
	if c.ratioTo != "" {
		text += fmt.Sprintf(" The lower plot has %s.", c.ratio)
	}
	return text + " The CSV file of the same name has the numbers."
}

// textElement matches a text element in an SVG that the library gonum writes. Its three groups are the attributes of
// the element, the font size among these attributes, and the content.
var textElement = regexp.MustCompile(`(?s)<text ([^>]*font-size:([0-9.]+)px[^>]*)>([^<]*)</text>`)

// writeCanvas writes an SVG with a title and a description. The library gonum names only the font Liberation Serif. Few
// systems have this font, and other fonts are wider. So each text also gets the length that it has in Liberation Serif.
// A viewer scales its own font to this length. So no text is clipped, and no text overlaps another one.
func writeCanvas(path string, canvas *vgsvg.Canvas, title, about string) error {
	var b strings.Builder
	if _, err := canvas.WriteTo(&b); err != nil {
		return err
	}
	svg := strings.ReplaceAll(b.String(), "font-family:Liberation Serif", "font-family:'Liberation Serif','Times New Roman',Times,serif")
	svg, err := dressed(svg, title, about)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, []byte(svg), 0o644)
}

// The function dressed takes an SVG that the library gonum wrote. It returns this SVG with a title, a description, and
// the length of each text.
func dressed(svg, title, about string) (string, error) {
	var failed error
	svg = textElement.ReplaceAllStringFunc(svg, func(element string) string {
		part := textElement.FindStringSubmatch(element)
		size, err := strconv.ParseFloat(part[2], 64)
		if err != nil {
			failed = err
			return element
		}
		face := font.DefaultCache.Lookup(plot.DefaultFont, font.Length(size))
		long := face.Width(html.UnescapeString(part[3]))
		return fmt.Sprintf(`<text %s textLength="%.5g" lengthAdjust="spacingAndGlyphs">%s</text>`, part[1], long.Points(), part[3])
	})
	if failed != nil {
		return "", failed
	}
	head, rest, found := strings.Cut(svg, ">\n<g")
	if !found {
		return "", errors.New("not the SVG of gonum")
	}
	title, about = strings.Join(strings.Fields(title), " "), strings.Join(strings.Fields(about), " ")
	svg = fmt.Sprintf("%s\n\trole=\"img\" aria-labelledby=\"title desc\">\n<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n<g%s",
		head, html.EscapeString(title), html.EscapeString(about), rest)
	return svg, nil
}

// divided returns the chart's second panel. There every series is divided by the series whose CSV column is ratioTo.
func (c chart) divided() chart {
	var by []float64
	for _, s := range c.series {
		if s.column == c.ratioTo {
			by = s.y
		}
	}
	d := c
	d.title, d.y, d.logY, d.ratioTo, d.series = "", c.ratio, false, "", nil
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

// measuredPoints has the methods that package plotter needs to draw points with error bars.
type measuredPoints struct {
	plotter.XYs
	plotter.YErrors
}

func (c chart) plot() (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = c.title
	p.X.Label.Text, p.Y.Label.Text = c.x, c.y
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(ticks), plot.TickerFunc(ticks)
	if c.logX {
		p.X.Tick.Marker = plot.TickerFunc(decades)
	}
	if c.logY {
		p.Y.Tick.Marker = plot.TickerFunc(decades)
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{225}, color.Gray{225}
	p.Add(grid)
	p.Legend.Top, p.Legend.Left = true, true // the text is to the right of the lines
	p.Legend.Padding = vg.Millimeter
	for _, points := range []bool{false, true} { // draw points above the curves
		for _, s := range c.series {
			if s.name == "" && !s.unlisted || (s.points || s.low != nil) != points {
				continue
			}
			add := c.addCurve
			if points {
				add = c.addPoints
			}
			mark, err := add(p, s)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.column, err)
			}
			if mark != nil && !s.unlisted {
				p.Legend.Add(s.name, mark)
			}
		}
	}
	if c.xMax > 0 {
		p.X.Max = c.onX(c.xMax)
	}
	if c.yMax > c.yMin {
		p.Y.Min, p.Y.Max = c.onY(c.yMin), c.onY(c.yMax)
	}
	return p, nil
}

// onX and onY return the coordinate of a number on an axis. For a logarithmic axis they compute the logarithm
// themselves, because gonum reserves the space for labels at the wrong positions of such an axis.
func (c chart) onX(x float64) float64 {
	if c.xUnit > 0 {
		x /= c.xUnit
	}
	if c.logX {
		return math.Log10(x)
	}
	return x
}

func (c chart) onY(y float64) float64 {
	if c.logY {
		return math.Log10(y)
	}
	return y
}

// ticks chooses about five numbers with few digits, and labels the axis exactly at these numbers.
func ticks(low, high float64) (at []plot.Tick) {
	e := int(math.Floor(math.Log10((high - low) / 4)))
	digit := 1
	for _, d := range []int{2, 5, 10} {
		if (high-low)/(float64(d)*math.Pow10(e)) >= 3 {
			digit = d
		}
	}
	minor := map[int]int{1: 2, 2: 2, 5: 5, 10: 2}[digit] // the number of minor ticks per step
	step := float64(digit) * math.Pow10(e) / float64(minor)
	slack := 1e-9 * (high - low)
	for i := math.Ceil((low-slack)/step) + 0; i*step <= high+slack; i++ { // adding 0 turns -0 into 0
		tick := plot.Tick{Value: i * step}
		if math.Mod(i, float64(minor)) == 0 {
			tick.Label = strconv.FormatFloat(i*step, 'f', max(0, -e), 64)
			if strings.Contains(tick.Label, ".") {
				tick.Label = strings.TrimRight(strings.TrimRight(tick.Label, "0"), ".")
			}
		}
		at = append(at, tick)
	}
	return at
}

// The function decades puts marks on a logarithmic axis at 1 to 9 times each power of ten, and labels the powers of
// ten. On a short axis it also labels 2 and 5 times the powers of ten. On a very short axis it uses ticks.
func decades(low, high float64) (at []plot.Tick) {
	if high-low < 0.7 && low > -4 {
		at = ticks(math.Pow(10, low), math.Pow(10, high))
		for i := range at {
			at[i].Value = math.Log10(at[i].Value)
		}
		return at
	}
	for e := int(math.Floor(low)); e <= int(math.Ceil(high)); e++ {
		for digit := 1; digit <= 9; digit++ {
			tick := plot.Tick{Value: float64(e) + math.Log10(float64(digit))}
			if tick.Value < low-1e-9 || tick.Value > high+1e-9 {
				continue
			}
			if digit == 1 || high-low < 2 && (digit == 2 || digit == 5) {
				if tick.Label = fmt.Sprintf("%de%d", digit, e); e >= -3 && e <= 4 {
					tick.Label = strconv.FormatFloat(float64(digit)*math.Pow10(e), 'f', max(0, -e), 64)
				}
			}
			at = append(at, tick)
		}
	}
	return at
}

// xy returns the points of a series that can be drawn: their coordinates, and their indices in the series.
func (c chart) xy(s series) (xy plotter.XYs, which []int) {
	for i, y := range s.y {
		if math.IsNaN(y) || c.logY && y <= 0 || c.logY && s.low != nil && s.low[i] <= 0 {
			continue
		}
		xy, which = append(xy, plotter.XY{X: c.onX(c.at[i]), Y: c.onY(y)}), append(which, i)
	}
	return xy, which
}

func (c chart) addCurve(p *plot.Plot, s series) (plot.Thumbnailer, error) {
	xy, _ := c.xy(s)
	line, err := plotter.NewLine(xy)
	if err != nil {
		return nil, err
	}
	line.Color = s.color
	line.Width = vg.Points(1.2)
	if s.dash {
		line.Dashes = plain
		if shade, ok := s.color.(shade); ok {
			line.Dashes = shade.dashes
		}
	}
	p.Add(line)
	return line, nil
}

func (c chart) addPoints(p *plot.Plot, s series) (plot.Thumbnailer, error) {
	xy, which := c.xy(s)
	if len(xy) == 0 {
		return nil, nil
	}
	dots, err := plotter.NewScatter(xy)
	if err != nil {
		return nil, err
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: s.color, Radius: vg.Points(2.5), Shape: draw.CircleGlyph{}}
	if shade, ok := s.color.(shade); ok {
		dots.Shape = shade.glyph
	}
	if s.low != nil {
		var ends plotter.YErrors
		for i, of := range which {
			ends = append(ends, struct{ Low, High float64 }{xy[i].Y - c.onY(s.low[of]), c.onY(s.high[of]) - xy[i].Y})
		}
		bars, err := plotter.NewYErrorBars(measuredPoints{xy, ends})
		if err != nil {
			return nil, err
		}
		bars.Color = s.color
		p.Add(bars)
	}
	p.Add(dots)
	return dots, nil
}
