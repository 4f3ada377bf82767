package main

import (
	"path/filepath"
	"strings"
)

// page is what -report writes: one self-contained HTML file.
type page struct {
	Title  string
	Advice []string // sentences of one paragraph
	Plots  []plot
	Tables []pageTable
	Text   string // the command's own output, to be read as it is
}

type pageTable struct {
	Title string
	Head  []string
	Rows  [][]string
}

// plot draws lines over a common axis.
type plot struct {
	Title, About string // About says in words what the lines show
	X, Y         string // what the axes are, with units
	Lines        []line
	LogX, LogY   bool
}

// line is a line of a plot: of steps, each of which ends where the next begins, or through points.
type line struct {
	Name  string
	X, Y  []float64 // one more X than Y for steps
	Steps bool
	Mark  bool // points alone
}

// reportFlag is -report of the commands that write a page.
var reportFlag = flagSpec{"report", "FILE.html", "also write one self-contained page with the figures and advice"}

// pageFile begins the file of -report, or returns nil without it.
func (in *inputs) pageFile() (*reportFile, error) {
	if !in.has("report") {
		return nil, nil
	}
	if filepath.Ext(in.text("report")) != ".html" {
		return nil, &usageError{"report", "must end in .html, got " + quote(in.text("report"))}
	}
	return newReportFile(in.text("report"))
}

// pageMaker is a report that can be written as a page.
type pageMaker interface {
	report
	page() page
}

// putPage writes the page of r, unless f is nil.
func (f *reportFile) putPage(r pageMaker) error {
	if f == nil {
		return nil
	}
	p := r.page()
	var text strings.Builder
	if err := writeTable(&text, r); err != nil {
		return err
	}
	p.Text = text.String()
	return f.put(p.write)
}
