package main

import (
	"fmt"
	"io"
	"slices"
	"time"
)

// A value of the type "clock" divides the counted arrivals into spans by their times. A span is normally an hour. For a
// long trace the spans are longer, so that there are not too many spans. For a short trace the spans are shorter.
type clock struct {
	unit  int64 // length of a span, in nanoseconds
	until int64 // the end of the present span
	spans []span
}

// A span has the counts of the arrivals in one unit of time. Spans without arrivals are left out.
type span struct {
	start       int64 // Unix time in nanoseconds, a multiple of the unit
	before, end soFar // the counts before and after the span; end is set when the span is over
}

const (
	mostSpans = 168 // the most spans that are kept; a week has 168 hours
	fewSpans  = 24  // the most spans that are printed
)

// clockUnits lists the possible lengths of a span. Each length is a multiple of the previous one.
var clockUnits = []time.Duration{time.Second, 10 * time.Second, time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour, 7 * 24 * time.Hour, 364 * 24 * time.Hour}

func newClock() *clock { return &clock{unit: int64(clockUnits[0])} }

// The method "observe" begins a new span if the time of the next arrival is after the end of the present span. The
// argument "before" has the counts before this arrival.
func (c *clock) observe(at int64, before soFar) {
	if len(c.spans) > 0 {
		if at < c.until {
			return
		}
		c.spans[len(c.spans)-1].end = before
	}
	c.spans = append(c.spans, span{start: c.floor(at), before: before})
	c.join(mostSpans)
	c.until = c.spans[len(c.spans)-1].start + c.unit
}

// The method "floor" returns the start of the span that contains a time.
func (c *clock) floor(at int64) int64 {
	past := at % c.unit
	if past < 0 {
		past += c.unit
	}
	return at - past
}

// The method "join" makes the spans longer until their number is at most the argument "most".
func (c *clock) join(most int) {
	for len(c.spans) > most {
		c.widen()
	}
}

func (c *clock) widen() {
	old := c.unit
	for _, u := range clockUnits {
		if c.unit = int64(u); c.unit > old {
			break
		}
	}
	if c.unit <= old {
		c.unit = 2 * old
	}
	joined := c.spans[:0]
	for _, s := range c.spans {
		s.start = c.floor(s.start)
		if n := len(joined); n > 0 && joined[n-1].start == s.start {
			joined[n-1].end = s.end
			continue
		}
		joined = append(joined, s)
	}
	c.spans = joined
}

// timedStretch is a stretch of the trace that begins at a given time.
type timedStretch struct {
	Start string `json:"start"`
	stretch
	at, unit int64 // the start, and the length of a span
}

// The method "stretches" returns the counts of the spans up to now, without the arrivals of the warm-up. It joins spans
// until their number is at most the argument "most".
func (c *clock) stretches(most int, now soFar, warmup uint64, predicted bool) []timedStretch {
	all := []timedStretch{}
	few := clock{unit: c.unit, spans: slices.Clone(c.spans)}
	few.join(most)
	for i, s := range few.spans {
		if i == len(few.spans)-1 {
			s.end = now
		}
		if x, ok := stretchOf(s.before, s.end, warmup, predicted); ok {
			// The text of the time has no time zone, because a log has the time zone in another field.
			all = append(all, timedStretch{time.Unix(0, s.start).UTC().Format("2006-01-02T15:04:05"), x, s.start, few.unit})
		}
	}
	return all
}

// printClock prints the false-negative rate of each span of time.
func printClock(w io.Writer, all []timedStretch) {
	fmt.Fprint(w, "\nfalse negatives from\tarrivals\tmeasured\tpredicted\n")
	for _, x := range all {
		fmt.Fprintf(w, "%s\t%d\t%.6g\t%s\n", x.Start, x.Arrivals, x.FNR, six(x.Predicted))
	}
}

// clockPlots draws the share of false negatives over time, if there are at least two spans.
func clockPlots(all []timedStretch) []plot {
	if len(all) < 2 {
		return nil
	}
	measured, predicted := line{Name: "false negatives", Steps: true}, line{Name: "false negatives predicted", Steps: true}
	for _, s := range all {
		if s.Predicted != nil {
			predicted.Y = append(predicted.Y, float64(*s.Predicted))
		}
		measured.Y = append(measured.Y, float64(s.FNR))
		measured.X = append(measured.X, float64(s.at-all[0].at)/float64(time.Hour))
	}
	last := all[len(all)-1]
	measured.X = append(measured.X, float64(last.at+last.unit-all[0].at)/float64(time.Hour))
	lines := []line{measured}
	if len(predicted.Y) == len(all) {
		predicted.X = measured.X
		lines = append(lines, predicted)
	}
	return []plot{{
		Title: "False negatives by the clock",
		About: fmt.Sprintf("False negatives are %.3g to %.3g of the arrivals of %v, from %s on.", slices.Min(measured.Y), slices.Max(measured.Y), time.Duration(last.unit), all[0].Start),
		X:     "hours", Y: "share of the arrivals", Lines: lines,
	}}
}
