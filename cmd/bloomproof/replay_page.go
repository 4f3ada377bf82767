package main

import (
	"fmt"
	"slices"
	"strings"
)

// The method "page" returns the page of a replay.
func (r replayReport) page() page {
	p := page{Title: fmt.Sprintf("A recycling filter on %s", r.trace), Advice: r.advice()}
	rates := pageTable{Title: "Rates", Head: []string{"rate", "measured", "99 % low", "99 % high", "predicted"}}
	for _, row := range r.rateRows() {
		cells := append([]string{row.name}, strings.Split(row.measured.String(), "\t")...)
		rates.Rows = append(rates.Rows, append(cells, six(row.predicted)))
	}
	p.Tables = append(p.Tables, rates)
	p.Plots = append(p.Plots, r.coursePlots()...)
	if r.Time != nil {
		p.Plots = append(p.Plots, clockPlots(r.Time.Course)...)
	}
	return p
}

// coursePlots draws the shares of false negatives and of false positives over the course of the trace. It draws nothing
// if the trace has fewer than two stretches.
func (r replayReport) coursePlots() []plot {
	n := len(r.Course)
	if n < 2 {
		return nil
	}
	x := make([]float64, n+1)
	fnr, fpr := make([]float64, n), make([]float64, n)
	var predicted []float64
	for i, s := range r.Course {
		x[i], fnr[i], fpr[i] = float64(s.From), float64(s.FNR), float64(s.FPR)
		x[i+1] = float64(s.From + s.Arrivals)
		if s.Predicted != nil {
			predicted = append(predicted, float64(*s.Predicted))
		}
	}
	lines := []line{{Name: "false negatives", X: x, Y: fnr, Steps: true}, {Name: "false positives", X: x, Y: fpr, Steps: true}}
	if len(predicted) == n {
		lines = append(lines, line{Name: "false negatives predicted", X: x, Y: predicted, Steps: true})
	}
	return []plot{{
		Title: "Errors over the course of the trace",
		About: fmt.Sprintf("False negatives are %.3g to %.3g of the arrivals of a stretch, false positives %.3g to %.3g. A stretch has %d arrivals, the last one perhaps fewer.",
			slices.Min(fnr), slices.Max(fnr), slices.Min(fpr), slices.Max(fpr), r.Course[0].Arrivals),
		X: "arrivals", Y: "share of the arrivals", Lines: lines,
	}}
}

// The advice compares the largest and the smallest false-negative rate of the stretches. It mentions their ratio if
// this ratio exceeds the constant "unsteady".
const unsteady = 2

// The method "advice" returns sentences that explain the figures.
func (r replayReport) advice() []string {
	if r.Arrivals == 0 {
		return []string{"The trace has no arrivals that count."}
	}
	arrays := "one array"
	if r.Phases == 2 {
		arrays = "each of two arrays"
	}
	all := []string{fmt.Sprintf("The filter has %d bits in %s and %d positions a key.", r.M, arrays, r.K)}
	if x := r.Sample; x != nil && x.Intervals != nil {
		all = append(all, fmt.Sprintf("The figures are estimates from a sample of the keys, %.3g of all; their 99 %% intervals stand beside them.", x.Share))
	}
	if r.Interrupted {
		all = append(all, fmt.Sprintf("The replay was interrupted after %d arrivals; what follows is of these.", r.Arrivals))
	}
	all = append(all, fmt.Sprintf("Of %d arrivals, %s were repeats of keys that had come before.", r.Arrivals, percent(1-float64(r.New)/float64(r.Arrivals))))
	if r.Recycles == 0 {
		return append(all,
			fmt.Sprintf("The filter called %s of the new arrivals repeats: false positives.", perNew(r)),
			"It never cleared itself, so that it forgot nothing: the trace says nothing about what this filter forgets. A smaller filter may be enough for this trace, or a longer trace is needed.")
	}
	all = append(all,
		fmt.Sprintf("It cleared an array %d times, once in %.0f arrivals.", r.Recycles, float64(r.Arrivals)/float64(r.Recycles)),
		fmt.Sprintf("It called %s of the new arrivals repeats: false positives, %s of all arrivals.", perNew(r), percent(float64(r.FPR.PerArrival.Mean))),
		fmt.Sprintf("It had forgotten the keys of %s of all arrivals and called these repeats new: false negatives.", percent(float64(r.FNR.Mean))))
	if r.InCycle > 0 {
		all = append(all, "It also called arrivals new whose keys it had recorded: that is a defect of the filter.")
	}
	if low, high, ok := r.steady(); ok && high > unsteady*low {
		all = append(all, fmt.Sprintf("Forgetting is uneven: from %s to %s of the arrivals of a stretch. Size for the worst stretch, not for the mean.", percent(low), percent(high)))
	}
	if x := r.Time; x != nil && x.FNR != nil {
		all = append(all, fmt.Sprintf("It forgets as much as a memory that drops keys %s after their last arrival. To forget after %s instead would miss %s of all arrivals, and take an exact memory of up to %d keys.",
			x.Like.text(), x.Window.text(), percent(float64(x.FNR.Mean)), x.Keys))
	}
	if p := r.Predicted; p.FNR != nil && p.Model != nil {
		low, high, between := *p.FNR, *p.FNR, ""
		if p.Low != nil && p.High != nil {
			low, high = *p.Low, *p.High
			between = fmt.Sprintf(" (%s to %s with 99 %% confidence)", percent(float64(low)), percent(float64(high)))
		}
		verdict := "which agrees with what was measured."
		switch {
		case low > r.FNR.High:
			verdict = "which is more than was measured."
		case high < r.FNR.Low:
			verdict = "which is less than was measured."
		}
		all = append(all, fmt.Sprintf("The model %s predicts that %s%s are forgotten, %s", *p.Model, percent(float64(*p.FNR)), between, verdict))
	}
	if r.FNR.Mean > r.FPR.PerArrival.Mean {
		all = append(all, "False negatives are the larger error: a cycle is too short. More bits make it longer, and so do fewer positions a key, at the price of more false positives.")
	} else {
		all = append(all, "False positives are the larger error. More bits make them fewer, and so does a smaller sigma, at the price of more false negatives.")
	}
	return append(all, "The command recycle -trace with -target and -fnr finds the size for the rates that you want.")
}

// The method "steady" considers the stretches after the arrays were full for the first time. It returns the least and
// the largest false-negative rate of these stretches. It leaves out the last stretch, which may be short.
func (r replayReport) steady() (low, high float64, ok bool) {
	recycles := count(0)
	for _, s := range r.Course[:max(len(r.Course)-1, 0)] {
		if recycles >= count(r.Phases) {
			x := float64(s.FNR)
			if !ok {
				low, high = x, x
			}
			low, high, ok = min(low, x), max(high, x), true
		}
		recycles += s.Recycles
	}
	return low, high, ok
}

func perNew(r replayReport) string {
	if r.FPR.PerNew == nil {
		return "none"
	}
	return percent(float64(r.FPR.PerNew.Mean))
}

// The function "percent" formats a share as a percentage.
func percent(x float64) string { return fmt.Sprintf("%.3g %%", 100*x) }
