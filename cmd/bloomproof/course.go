package main

import (
	"fmt"
	"io"
)

// A stretch is a part of the trace. Its arrivals follow one another, and all of them are counted. The fields Recycles,
// FPR and FNR are for these arrivals only.
type stretch struct {
	From     count   `json:"from"` // the number of its first arrival, counted from 0 at the start of the warm-up
	Arrivals count   `json:"arrivals"`
	Recycles count   `json:"recycles"`
	FPR      decimal `json:"fpr"` // false positives per arrival
	FNR      decimal `json:"fnr"`
	// Predicted is the false-negative rate that is predicted from the gaps of the trace. A gap is the number of
	// arrivals between two successive arrivals of a key. Predicted is nil if there is no such prediction.
	Predicted *decimal `json:"predicted"`
}

// soFar has the counts and estimates up to some moment.
type soFar struct {
	arrivals, recycles             uint64
	falsePositives, falseNegatives float64
	predicted                      float64 // the predicted number of false negatives
}

// The type "course" records the counts after each stretch of the trace. The field "length" is the number of arrivals in
// a stretch. When there are too many stretches, they are joined in pairs, as in trace.Replicas.
type course struct {
	length, next uint64 // next is the number of arrivals at which the next stretch ends
	ends         []soFar
}

const (
	firstStretch  = 1000
	mostStretches = 16
)

func newCourse() course { return course{length: firstStretch, next: firstStretch} }

func (c *course) note(now soFar) {
	if len(c.ends) == mostStretches {
		c.join()
	}
	if now.arrivals%c.length == 0 {
		c.ends = append(c.ends, now)
	}
	c.next = (now.arrivals/c.length + 1) * c.length
}

func (c *course) join() {
	for i := range mostStretches / 2 {
		c.ends[i] = c.ends[2*i+1]
	}
	c.ends, c.length = c.ends[:mostStretches/2], 2*c.length
}

// The method "stretches" returns the stretches up to now, without the arrivals of the warm-up. They have predictions if
// the argument "predicted" is set.
func (c *course) stretches(now soFar, warmup uint64, predicted bool) []stretch {
	if len(c.ends) == 0 || c.ends[len(c.ends)-1].arrivals < now.arrivals {
		if len(c.ends) == mostStretches {
			c.join()
		}
		c.ends = append(c.ends, now)
	}
	all := make([]stretch, 0, mostStretches)
	var before soFar
	for _, end := range c.ends {
		if x, ok := stretchOf(before, end, warmup, predicted); ok {
			all = append(all, x)
		}
		before = end
	}
	return all
}

// The arguments "before" and "end" are two moments. stretchOf returns the stretch of arrivals between them. The result
// "ok" reports whether the stretch has an arrival after the warm-up.
func stretchOf(before, end soFar, warmup uint64, predicted bool) (s stretch, ok bool) {
	n := end.arrivals - before.arrivals
	if n == 0 {
		return s, false
	}
	s = stretch{
		count(warmup + before.arrivals), count(n), count(end.recycles - before.recycles),
		decimal((end.falsePositives - before.falsePositives) / float64(n)),
		decimal((end.falseNegatives - before.falseNegatives) / float64(n)), nil,
	}
	if predicted {
		s.Predicted = some((end.predicted - before.predicted) / float64(n))
	}
	return s, true
}

// printCourse prints the false-negative rate of each stretch.
func printCourse(w io.Writer, c []stretch) {
	if len(c) < 2 {
		return
	}
	fmt.Fprint(w, "\nfalse negatives from arrival\tmeasured\tpredicted\n")
	for _, x := range c {
		fmt.Fprintf(w, "%d\t%.6g\t%s\n", x.From+1, x.FNR, six(x.Predicted))
	}
}
