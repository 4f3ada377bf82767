package main

import (
	"fmt"
	"io"
	"time"

	"github.com/bloomproof/bloomproof/internal/truth"
)

// The type "sum" adds numbers without losing small terms, by Kahan's method.
type sum struct{ total, lost float64 }

func (s *sum) add(x float64) {
	y := x - s.lost
	total := s.total + y
	s.lost = float64(total-s.total) - y
	s.total = total
}

// The method "over" returns the sum divided by n, or nil if n is 0.
func (s *sum) over(n uint64) *decimal {
	if n == 0 {
		return nil
	}
	mean := decimal(s.total / float64(n))
	return &mean
}

// The method "report" returns the report of the replay. After an interrupt the report has no predictions, because
// they take time.
func (t *replayer) report(took time.Duration, interrupted bool) (replayReport, error) {
	s := t.s
	r := replayReport{
		Recycles:       count(t.counts.Recycles),
		PerSecond:      decimal(float64(t.seen) / max(took.Seconds(), 1e-9)),
		Confidence:     confidence,
		Interrupted:    interrupted,
		M:              count(s.g.M),
		K:              s.g.K,
		Hashing:        s.g.Hashing,
		ruleInForce:    inForce(s.rule),
		Seed:           count(s.seed),
		Warmup:         s.warmupText,
		WarmupArrivals: count(min(t.skip, t.seen)),
		Target:         s.targetText,
		TotalM:         count(s.total),
	}
	r.Arrivals = count(t.seen) - r.WarmupArrivals
	r.Course = t.course.stretches(t.soFar(), t.skip, t.replicas != nil)
	if err := t.tell(&r); err != nil {
		return r, err
	}
	if t.window != nil {
		var err error
		if r.Time, err = t.window.report(t.counts.FalseNegatives + t.counts.Lucky); err != nil {
			return r, err
		}
		r.Time.Course = t.clock.stretches(mostSpans, t.soFar(), t.skip, t.replicas != nil)
		r.Time.short = t.clock.stretches(fewSpans, t.soFar(), t.skip, t.replicas != nil)
	}
	if mean := r.GivenFills.PerNew; mean != nil {
		within := r.FPR.PerNew.Low <= *mean && *mean <= r.FPR.PerNew.High
		r.GivenFills.Within = &within
	}
	switch {
	case interrupted:
		r.Predicted.Note = "nothing is predicted after an interrupt"
		return r, nil
	case r.Arrivals == 0:
		r.Predicted.AllNew = allNewOf(s.g, s.rule)
		r.Predicted.Note = "there are no arrivals"
		return r, nil
	}
	r.Predicted.AllNew = allNewOf(s.g, s.rule)
	if t.sample != nil {
		r.Predicted.Note = "the traffic of a trace is not estimated with -memory"
		return r, nil
	}
	e, err := t.traffic.Estimate()
	if err != nil {
		return r, err
	}
	r.predict(s, e, t.replicas)
	return r, nil
}

// The method "tell" stores the counts of the replay in r.
func (t *replayer) tell(r *replayReport) error {
	n, unseen, cycleNew, distinct := t.counts, t.unseen, t.cycleNew, uint64(0)
	if t.sample == nil {
		distinct = t.truth.Distinct()
	} else {
		t.sample.Each(func(m *truth.Message) {
			distinct++
			unseen.add(float64(m.First))
			cycleNew.add(float64(m.First) + float64(m.Later))
		})
		r.Recycles = count(t.sample.Recycles)
		r.Sample = &sampled{Keys: count(distinct), Share: decimal(t.sample.Share())}
		if t.sample.Share() < 1 {
			return r.estimate(t.sample)
		}
		n = t.sample.Counts()
	}
	r.Distinct, r.New, r.CycleNew = count(distinct), count(n.New()), count(n.CycleNew())
	r.TruePositives, r.FalsePositives, r.Lucky = count(n.TruePositives), count(n.FalsePositives), count(n.Lucky)
	r.TrueNegatives, r.FalseNegatives, r.InCycle = count(n.TrueNegatives), count(n.FalseNegatives), count(n.InCycle)
	for _, x := range []struct {
		to           **rate
		hits, trials uint64
	}{
		{&r.FPR.PerArrival, n.FalsePositives, n.Arrivals},
		{&r.FPR.PerNew, n.FalsePositives, n.New()},
		{&r.FPR.PerCycleNew, n.FalsePositives + n.Lucky, n.CycleNew()},
		{&r.FNR, n.FalseNegatives, n.Arrivals},
	} {
		var err error
		if *x.to, err = measure(x.hits, x.trials); err != nil {
			return err
		}
	}
	r.GivenFills.PerArrival = unseen.over(n.Arrivals)
	r.GivenFills.PerNew = unseen.over(n.New())
	r.GivenFills.PerCycleNew = cycleNew.over(n.CycleNew())
	return nil
}

func (r replayReport) print(w io.Writer) {
	fmt.Fprintf(w, "filter\t%v, m=%d k=%d %s seed=%d\n", r.Hashing, r.M, r.K, r.text(), r.Seed)
	if r.Target != "" {
		fmt.Fprintf(w, "sized for\ta rate of at most %s in %d bits\n", r.Target, r.TotalM)
	}
	fmt.Fprintf(w, "arrivals\t%d", r.Arrivals)
	if r.WarmupArrivals > 0 {
		fmt.Fprintf(w, ", after a warm-up of %d", r.WarmupArrivals)
	}
	if r.Interrupted {
		fmt.Fprint(w, ", then interrupted")
	}
	if x := r.Sample; x != nil && x.Intervals != nil {
		fmt.Fprintf(w, "\nestimated\tfrom the %d keys of a sample, %.6g of all; 99 %% intervals in brackets", x.Keys, x.Share)
	}
	fmt.Fprintf(w, "\ndistinct keys\t%s\nrecycles\t%d\n", r.counted(r.Distinct, func(e *estimates) rate { return e.Distinct }), r.Recycles)
	fmt.Fprintf(w, "true positives\t%s, of which lucky %s\n", r.counted(r.TruePositives, func(e *estimates) rate { return e.TruePositives }), r.counted(r.Lucky, func(e *estimates) rate { return e.Lucky }))
	fmt.Fprintf(w, "false positives\t%s\n", r.counted(r.FalsePositives, func(e *estimates) rate { return e.FalsePositives }))
	fmt.Fprintf(w, "true negatives\t%s\n", r.counted(r.TrueNegatives, func(e *estimates) rate { return e.TrueNegatives }))
	fmt.Fprintf(w, "false negatives\t%s, in cycle %d\n", r.counted(r.FalseNegatives, func(e *estimates) rate { return e.FalseNegatives }), r.InCycle)
	fmt.Fprintf(w, "per second\t%.3g\n", r.PerSecond)
	fmt.Fprint(w, "\nrate\tmeasured\t99 % low\t99 % high\tgiven the fills\tpredicted\n")
	for _, row := range r.rateRows() {
		fmt.Fprintf(w, "%s\t%v\t%s\t%s\n", row.name, row.measured, six(row.fills), six(row.predicted))
	}
	r.Time.print(w)
	r.printPrediction(w)
	if r.Time != nil && len(r.Time.short) > 1 {
		printClock(w, r.Time.short)
	} else {
		printCourse(w, r.Course)
	}
}

type rateRow struct {
	name             string
	measured         *rate
	fills, predicted *decimal
}

func (r replayReport) rateRows() []rateRow {
	return []rateRow{
		{"false positive per arrival", r.FPR.PerArrival, r.GivenFills.PerArrival, r.Predicted.FPR.PerArrival},
		{"false positive per new", r.FPR.PerNew, r.GivenFills.PerNew, r.Predicted.FPR.PerNew},
		{"false positive per cycle-new", r.FPR.PerCycleNew, r.GivenFills.PerCycleNew, r.Predicted.FPR.PerCycleNew},
		{"false negative per arrival", r.FNR, nil, r.Predicted.FNR},
	}
}

// The function "six" formats x with six digits for a printed table. If x is nil, it returns "-".
func six(x *decimal) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf("%.6g", *x)
}
