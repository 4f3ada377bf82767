package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/bloomproof/bloomproof"
)

// recycleWithPage returns the answer of recycleFNR, and writes the page of -report. If the trace can be read again,
// recycleWithPage replays the trace with the filter that was found. The page then shows this replay.
func recycleWithPage(c *call) (report, error) {
	file, err := c.pageFile()
	if err != nil {
		return nil, err
	}
	defer file.drop()
	found, err := recycleFNR(c)
	r, ok := found.(recycleFNRReport)
	if err != nil || file == nil || !ok {
		return found, err
	}
	p := recyclePage{recycleFNRReport: r, traffic: r.Workload}
	if c.has("trace") {
		p.traffic = c.text("trace")
	}
	if r.again && r.M <= filterBits {
		s := settings{key: c.key(), quiet: true, g: bloomproof.Geometry{M: uint64(r.M), K: r.K, Hashing: r.Hashing}, rule: r.rule()}
		s.warmup, s.warmupText = c.fraction("warmup")
		s.memory = uint64(c.keysKept(bytesAKey)) * bytesAKey
		tried, err := c.replay(s)
		var partial *partialError
		if errors.As(err, &partial) {
			return nil, errInterrupted
		}
		if err != nil {
			return nil, err
		}
		p.tried = &tried
	}
	return found, file.putPage(p)
}

// The method "rule" returns the recycling rule that the report describes.
func (r ruleInForce) rule() bloomproof.Recycling {
	rule := bloomproof.Recycling{
		TwoPhase: r.Phases == 2, Retain: r.Retain, NoCopyOver: !r.Copy,
		FreezeBefore: r.Freeze == freezeWords.of(true), FreshPositions: r.Positions == positionsWords.of(true),
	}
	if r.Messages != nil {
		rule.Messages = uint64(*r.Messages)
	} else {
		rule.Sigma = uint64(*r.Sigma)
	}
	return rule
}

// A recyclePage is the page about the filter that the search has found, with the replay of this filter.
type recyclePage struct {
	recycleFNRReport
	traffic string        // description of the trace or of the workload
	tried   *replayReport // nil if there is no trace that can be read twice
}

func (r recyclePage) page() page {
	p := page{Title: "A recycling filter for " + r.traffic, Advice: r.advice()}
	p.Tables = []pageTable{{Title: "The filter", Head: []string{"setting", "value"}, Rows: [][]string{
		{"bits in all", fmt.Sprint(r.TotalM)}, {"m, bits of an array", fmt.Sprint(r.M)}, {"k, positions a key", fmt.Sprint(r.K)},
		{"sigma, set bits at which it clears", fmt.Sprint(*r.Sigma)}, {"phases", fmt.Sprint(r.Phases)}, {"retain", fmt.Sprint(r.Retain)}, {"hashing", r.Hashing.String()},
	}}}
	if r.Note != "" {
		p.Tables[0].Rows = append(p.Tables[0].Rows, []string{"note on the model", r.Note})
	}
	rates := pageTable{Title: "Rates", Head: []string{"rate", "predicted", "measured", "99 % low", "99 % high"}}
	for _, row := range []struct {
		name      string
		predicted *string
		measured  func(*replayReport) *rate
	}{
		{"false positive per new", r.Under.PerNew, func(x *replayReport) *rate { return x.FPR.PerNew }},
		{"false positive per arrival", r.Under.PerArrival, func(x *replayReport) *rate { return x.FPR.PerArrival }},
		{"false negative per arrival", &r.FNR, func(x *replayReport) *rate { return x.FNR }},
	} {
		measured := (*rate)(nil)
		if r.tried != nil {
			measured = row.measured(r.tried)
		}
		rates.Rows = append(rates.Rows, append([]string{row.name, sixDigits(row.predicted)}, strings.Split(measured.String(), "\t")...))
	}
	p.Tables = append(p.Tables, rates)
	p.Plots = r.frontierPlots()
	if r.tried != nil {
		p.Plots = append(p.Plots, r.tried.coursePlots()...)
	}
	return p
}

// frontierPlots draws the frontier, that is, the least possible false-negative rate for each of several false-positive
// rates. It also draws the chosen filter. It draws nothing if fewer than two points of the frontier have positive
// rates.
func (r recyclePage) frontierPlots() []plot {
	var around line
	for _, x := range r.Frontier {
		if x.FNR > 0 {
			around.X, around.Y = append(around.X, float64(x.FPR)), append(around.Y, float64(x.FNR))
		}
	}
	if len(around.X) < 2 {
		return nil
	}
	around.Name = "the least false negatives"
	lines := []line{around}
	about := fmt.Sprintf("From %.3g to %.3g false positives for each new key, false negatives go from %.3g to %.3g of the arrivals, with %d bits.",
		around.X[0], around.X[len(around.X)-1], around.Y[0], around.Y[len(around.Y)-1], r.TotalM)
	if fpr, fnr, ok := r.chosen(); ok {
		lines = append(lines, line{Name: "the filter that was chosen", X: []float64{fpr}, Y: []float64{fnr}, Mark: true})
		about += fmt.Sprintf(" The filter that was chosen has %.3g and %.3g.", fpr, fnr)
	}
	return []plot{{
		Title: "What fewer false positives cost", About: about, X: "false positives per new key, if all were new", Y: "false negatives per arrival",
		Lines: lines, LogX: true, LogY: true,
	}}
}

// The method "chosen" returns the rates of the chosen filter.
func (r recyclePage) chosen() (fpr, fnr float64, ok bool) {
	if _, err := fmt.Sscan(r.FPR.Mid, &fpr); err != nil {
		return 0, 0, false
	}
	if _, err := fmt.Sscan(r.FNR, &fnr); err != nil {
		return 0, 0, false
	}
	return fpr, fnr, fnr > 0
}

// The method "advice" returns sentences that tell the user what to do.
func (r recyclePage) advice() []string {
	arrays := "one array"
	if r.Phases == 2 {
		arrays = "two arrays, one active and one frozen"
	}
	all := []string{
		fmt.Sprintf("Use a filter of %d bits (%s) in %s, with %d positions a key, that clears itself when more than %d of the %d bits of an array are set.",
			r.TotalM, bytesOf(uint64(r.TotalM)), arrays, r.K, *r.Sigma, r.M),
	}
	fpr, fnr, _ := r.chosen()
	between := ""
	if r.Low != nil && r.High != nil {
		between = fmt.Sprintf(" (%s to %s with 99 %% confidence)", percent(float64(*r.Low)), percent(float64(*r.High)))
	}
	all = append(all, fmt.Sprintf("It calls at most %s of the new keys repeats in the mean if all keys are new, and by the model %s it forgets the keys of %s of the arrivals%s.", percent(fpr), r.Model, percent(fnr), between))
	if r.NextLow != nil && r.NextHigh != nil {
		next := fmt.Sprintf("Of as many arrivals that come next it should forget %s to %s, if traffic changes as it does from one quarter of the trace to the next", percent(float64(*r.NextLow)), percent(float64(*r.NextHigh)))
		if r.AtConfidence != nil {
			next += fmt.Sprintf(", and with probability %s at most %s", r.Confidence, percent(float64(*r.AtConfidence)))
		} else if r.Asked != "" {
			next += "; -confidence sizes the filter for that"
		}
		all = append(all, next+".")
	}
	if r.Reached != nil && !*r.Reached {
		all = append(all, fmt.Sprintf("That is more than the %s that you asked for: this memory is not enough.", r.Asked))
	}
	if x := r.tried; x != nil && x.FNR != nil {
		all = append(all, fmt.Sprintf("Tried on the trace itself it forgot %s, between %s and %s with 99 %% confidence, and called %s of the new keys repeats.",
			percent(float64(x.FNR.Mean)), percent(float64(x.FNR.Low)), percent(float64(x.FNR.High)), perNew(*x)))
		switch low, high, ok := x.steady(); {
		case x.Recycles < count(x.Phases):
			all = append(all, "The trace is too short for this filter: it had nothing to forget yet, and what it will forget was not put to the test.")
		case ok && high > unsteady*low:
			all = append(all, fmt.Sprintf("Forgetting is uneven: from %s to %s of the arrivals of a stretch. Size for the worst stretch, not for the mean.", percent(low), percent(high)))
		}
		if r.Asked != "" {
			var asked float64
			if _, err := fmt.Sscan(r.Asked, &asked); err == nil && float64(x.FNR.Low) > asked {
				all = append(all, fmt.Sprintf("That misses the %s that you asked for: take more memory, and try it with replay.", r.Asked))
			}
		}
	} else if !r.Valid {
		all = append(all, "The model was made for other filters, so try the filter with replay before you rely on it.")
	}
	return all
}

// bytesOf converts a number of bits to bytes and returns it as text for a reader.
func bytesOf(bits uint64) string {
	b := float64(bits) / 8
	for _, unit := range []struct {
		of   float64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if b >= unit.of {
			return fmt.Sprintf("%.4g %s", b/unit.of, unit.name)
		}
	}
	return fmt.Sprintf("%.4g bytes", b)
}
