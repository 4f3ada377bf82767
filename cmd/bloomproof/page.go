package main

import (
	"path/filepath"
	"strings"
)

// The type "page" represents the content of the self-contained HTML file that -report writes.
type page struct {
	Title  string
	Advice []string // the sentences of one paragraph
	Plots  []plot
	Tables []pageTable
	Text   string // the output of the command, shown unchanged
}

type pageTable struct {
	Title string
	Head  []string
	Rows  [][]string
}

// The type "plot" draws lines over a common axis.
type plot struct {
	Title, About string // About describes the lines in words
	X, Y         string // the names of the axes, with units
	Lines        []line
	LogX, LogY   bool
}

// The type "line" represents a line of a plot. If Steps is set, the line consists of steps, and each step ends where
// the next begins. Otherwise the line connects points.
type line struct {
	Name  string
	X, Y  []float64 // a line of steps has one more X than Y
	Steps bool
	Mark  bool // true if only the points are drawn
}

// reportFlag is the flag -report of the commands that write a page.
var reportFlag = flagSpec{"report", "FILE.html", "also write one self-contained page with the figures and advice"}

// pageFile creates the file of -report. It returns nil if the flag was not given.
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

// putPage writes the page for the report r to the file f. It does nothing if f is nil.
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
