//go:build !js

package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof/verify/conform"
)

var reportFormats = map[string]func(io.Writer, conformReport) error{
	".json": func(w io.Writer, r conformReport) error { return writeJSON(w, r) },
	".txt":  func(w io.Writer, r conformReport) error { return writeTable(w, r) },
	".xml":  writeJUnit,
}

// These types are the elements of a JUnit report. They are limited to the elements that every reader of such reports
// knows.
type (
	junitSuite struct {
		XMLName    xml.Name        `xml:"testsuite"`
		Name       string          `xml:"name,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
		Out        string          `xml:"system-out"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Failure *junitMessage `xml:"failure"`
		Skipped *junitMessage `xml:"skipped"`
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit writes a report as JUnit XML with a test case for each law. The case fails if the law is broken, and is
// skipped if the law was not examined.
func writeJUnit(w io.Writer, r conformReport) error {
	suite := junitSuite{Name: "bloomproof conform", Out: r.Report.String()}
	suite.Properties = []junitProperty{{"hashing", r.as()}, {"seed", fmt.Sprint(r.Seed)}, {"false_alarm", r.FalseAlarm}}
	failed := r.Err()
	for _, l := range conform.Laws() {
		c := junitCase{Class: "bloomproof.conform", Name: string(l)}
		broken := slices.IndexFunc(r.Findings, func(f conform.Finding) bool { return f.Law == l })
		switch {
		case broken >= 0:
			f := r.Findings[broken]
			c.Failure = &junitMessage{f.Text, strings.TrimSpace(f.Case + "\n" + f.Program)}
		case slices.Contains(r.Kept, l):
		case failed != nil && len(r.Findings) == 0: // the failure may be of this law or of all laws
			c.Failure = &junitMessage{Message: failed.Error()}
			failed = nil
		case slices.Contains(r.Untold, l):
			c.Skipped = &junitMessage{Message: r.why(l)}
		default:
			continue
		}
		suite.Tests++
		if c.Failure != nil {
			suite.Failures++
		}
		if c.Skipped != nil {
			suite.Skipped++
		}
		suite.Cases = append(suite.Cases, c)
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	e := xml.NewEncoder(&b)
	e.Indent("", "  ")
	if err := e.Encode(suite); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err := w.Write(b.Bytes())
	return err
}

// The method "why" returns the reason why a law was not examined.
func (r conformReport) why(l conform.Law) string {
	switch lines := r.lacks[l]; {
	case strings.HasPrefix(string(l), "concurrent "):
		return "a pipe asks one thing at a time"
	case lines != "":
		return "the program does not know " + lines
	}
	return "no filter of the program shows it; the notes may say why"
}

// The examination of a law needs certain lines of the protocol. If the program does not know these lines, the law
// cannot be examined. For each such law, the function "lacks" returns the lines that the program does not know.
func lacks(s conform.Subject[any]) map[conform.Law]string {
	out := map[conform.Law]string{}
	for _, l := range []struct {
		absent bool
		lines  string
		laws   []conform.Law
	}{
		{s.Bits == nil && s.Words == nil, "bits or words", []conform.Law{"set bits"}},
		{s.Words == nil, "words", []conform.Law{"place"}},
		{s.AddBatch == nil && s.ContainsBatch == nil, "addbatch or hasbatch", []conform.Law{"batch"}},
		{s.TestAndAdd == nil, "testadd", []conform.Law{"test and set"}},
		{s.Union == nil, "union", []conform.Law{"union"}},
		{s.Intersect == nil, "intersect", []conform.Law{"intersection"}},
		{s.Reset == nil, "reset", []conform.Law{"reset"}},
		{s.Rate == nil && s.RateFor == nil, "rate or ratefor", []conform.Law{"stated rate"}},
		{s.Items == nil, "items", []conform.Law{"items"}},
		{s.Size == nil && s.Make == nil, "size or make", []conform.Law{"sizing"}},
		{s.Marshal == nil || s.Unmarshal == nil, "save and load", []conform.Law{"snapshot", "corrupt snapshot", "hostile snapshot"}},
	} {
		for _, law := range l.laws {
			if l.absent {
				out[law] = l.lines
			}
		}
	}
	return out
}
