//go:build !js

package main

import (
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"
)

func (p page) write(w io.Writer) error { return pageTemplate.Execute(w, p) }

// These constants define the drawing area of a plot, in the units of its SVG. On the page, the SVG is scaled to the
// width of its column. The space at the right of the area holds half of the widest label of a tick.
const (
	plotWidth, plotHeight         = 400, 260
	plotLeft, plotRight           = 68., 375.
	plotTop, plotBottom           = 12., 214.
	plotColors                    = 4
	mostTicks                     = 5
	leastOfLog            float64 = 1e-300
)

// The type "axis" maps values to coordinates. It maps the value "low" to the coordinate "from", and the value "high" to
// the coordinate "to". If the field "log" is set, "low" and "high" hold decimal logarithms of values.
type axis struct {
	low, high float64
	log       bool
	from, to  float64
}

func newAxis(values []float64, log bool, from, to float64) axis {
	a := axis{math.Inf(1), math.Inf(-1), log, from, to}
	for _, v := range values {
		if log {
			v = math.Log10(max(v, leastOfLog))
		}
		a.low, a.high = min(a.low, v), max(a.high, v)
	}
	switch {
	case len(values) == 0:
		a.low, a.high = 0, 1
	case !log:
		a.low = min(a.low, 0)
	}
	if a.high <= a.low {
		a.high = a.low + 1
	}
	return a
}

func (a axis) at(v float64) float64 {
	if a.log {
		v = math.Log10(max(v, leastOfLog))
	}
	return a.from + (v-a.low)/(a.high-a.low)*(a.to-a.from)
}

// The method "ticks" returns a few round values. On a linear axis these are multiples of a step. On a logarithmic axis
// they are 1, 10, 100 and so on, or 1, 2, 5, 10, 20, 50 and so on.
func (a axis) ticks() (all []float64) {
	if a.log {
		for _, digits := range [][]float64{{1, 2, 5}, {1}} {
			all = nil
			for n := math.Floor(a.low); n <= a.high; n++ {
				for _, d := range digits {
					if at := n + math.Log10(d); at >= a.low-1e-9 && at <= a.high+1e-9 {
						all = append(all, d*math.Pow(10, n))
					}
				}
			}
			if len(all) <= mostTicks {
				return all
			}
		}
		for every := 2; len(all) > mostTicks; every++ {
			few := all[:0:0]
			for i := 0; i < len(all); i += every {
				few = append(few, all[i])
			}
			if len(few) <= mostTicks {
				return few
			}
		}
		return all
	}
	step := math.Pow(10, math.Floor(math.Log10((a.high-a.low)/mostTicks)))
	for _, by := range []float64{1, 2, 5, 10} {
		if (a.high-a.low)/(step*by) <= mostTicks {
			step *= by
			break
		}
	}
	for i := math.Ceil(a.low/step - 1e-9); i*step <= a.high+1e-9*step; i++ {
		all = append(all, i*step+0) // adding 0 turns -0 into 0
	}
	return all
}

// SVG returns the drawing of the plot.
func (p plot) SVG() template.HTML {
	var xs, ys []float64
	for _, l := range p.Lines {
		xs, ys = append(xs, l.X...), append(ys, l.Y...)
	}
	x, y := newAxis(xs, p.LogX, plotLeft, plotRight), newAxis(ys, p.LogY, plotBottom, plotTop)
	var b strings.Builder
	text := func(at string, x, y float64, s string) {
		fmt.Fprintf(&b, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, at, template.HTMLEscapeString(s))
	}
	for _, v := range x.ticks() {
		fmt.Fprintf(&b, "<path class=\"grid\" d=\"M%.1f %gV%g\"/>\n", x.at(v), plotTop, plotBottom)
		text("middle", x.at(v), plotBottom+15, short3(v))
	}
	for _, v := range y.ticks() {
		fmt.Fprintf(&b, "<path class=\"grid\" d=\"M%g %.1fH%g\"/>\n", plotLeft, y.at(v), plotRight)
		text("end", plotLeft-5, y.at(v)+4, short3(v))
	}
	text("middle", (plotLeft+plotRight)/2, plotBottom+31, p.X)
	fmt.Fprintf(&b, "<text transform=\"translate(11 %.1f) rotate(-90)\" text-anchor=\"middle\">%s</text>\n", (plotTop+plotBottom)/2, template.HTMLEscapeString(p.Y))
	for i, l := range p.Lines {
		var d strings.Builder
		for j, v := range l.Y {
			switch px, py := x.at(l.X[j]), y.at(v); {
			case l.Mark:
				fmt.Fprintf(&b, "<circle class=\"c%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/>\n", i%plotColors, px, py)
				continue
			case j == 0:
				fmt.Fprintf(&d, "M%.1f %.1f", px, py)
			default:
				fmt.Fprintf(&d, "L%.1f %.1f", px, py)
			}
			if l.Steps {
				fmt.Fprintf(&d, "L%.1f %.1f", x.at(l.X[j+1]), y.at(v))
			}
		}
		if d.Len() > 0 {
			fmt.Fprintf(&b, "<path class=\"c%d\" d=\"%s\"/>\n", i%plotColors, d.String())
		}
	}
	return template.HTML(b.String()) // the code above escapes every text
}

// A tick is a mark on an axis. short3 formats the value of a tick with few digits.
func short3(v float64) string {
	for _, unit := range []struct {
		of   float64
		name string
	}{{1e9, " G"}, {1e6, " M"}, {1e3, " k"}} {
		if math.Abs(v) >= unit.of {
			return strconv.FormatFloat(v/unit.of, 'g', 4, 64) + unit.name
		}
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

var pageTemplate = template.Must(template.New("page").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{{.Title}}</title>
<style>
:root { color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --grid: #d0d0d0; --c0: #0b5cad; --c1: #b3470a; --c2: #1d7a3c; --c3: #8a2d8f }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e8; --paper: #161616; --grid: #444; --c0: #6db3f2; --c1: #f29b6d; --c2: #74d092; --c3: #d58bda } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 44rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere }
h1 { font-size: 1.5rem; line-height: 1.2 } h2 { font-size: 1.15rem; margin-top: 2rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem }
.wide { overflow-x: auto; overflow-wrap: normal }
th, td { text-align: right; padding: .15rem .5rem; border-bottom: 1px solid var(--grid) } th:first-child, td:first-child { text-align: left; padding-left: 0 }
figure { margin: 0 } svg { width: 100%; height: auto; display: block } svg text { fill: var(--ink); font-size: 11px }
svg path { fill: none; stroke-width: 1.8 } svg .grid { stroke: var(--grid); stroke-width: .7 }
path.c0 { stroke: var(--c0) } path.c1 { stroke: var(--c1); stroke-dasharray: 6 3 } path.c2 { stroke: var(--c2); stroke-dasharray: 2 3 } path.c3 { stroke: var(--c3) }
circle.c0, .k0 { fill: var(--c0); color: var(--c0) } circle.c1, .k1 { fill: var(--c1); color: var(--c1) } circle.c2, .k2 { fill: var(--c2); color: var(--c2) } circle.c3, .k3 { fill: var(--c3); color: var(--c3) }
figcaption span { white-space: nowrap; margin-right: 1rem } pre { font-size: .8rem }
</style>
</head>
<body>
<main>
<h1>{{.Title}}</h1>
<p id="advice">{{range .Advice}}{{.}} {{end}}</p>
{{range $i, $p := .Plots}}<h2>{{.Title}}</h2>
<figure>
<svg viewBox="0 0 400 260" role="img" aria-labelledby="t{{$i}} d{{$i}}">
<title id="t{{$i}}">{{.Title}}</title>
<desc id="d{{$i}}">{{.About}}</desc>
{{.SVG}}</svg>
<figcaption>{{range $j, $l := .Lines}}<span class="k{{$j}}">&#9632; {{.Name}}</span> {{end}}<br>{{.About}}</figcaption>
</figure>
{{end}}{{range .Tables}}<h2>{{.Title}}</h2>
<div class="wide" tabindex="0">
<table>
<thead><tr>{{range .Head}}<th scope="col">{{.}}</th>{{end}}</tr></thead>
<tbody>
{{range .Rows}}<tr>{{range .}}<td>{{.}}</td>{{end}}</tr>
{{end}}</tbody>
</table>
</div>
{{end}}<h2>All figures</h2>
<pre class="wide" tabindex="0">{{.Text}}</pre>
</main>
</body>
</html>
`))
