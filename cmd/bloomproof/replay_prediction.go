package main

import (
	"fmt"
	"io"
	"math"

	"github.com/bloomproof/bloomproof"
	approxfnr "github.com/bloomproof/bloomproof/approx/fnr"
	approxrecycling "github.com/bloomproof/bloomproof/approx/recycling"
	exactrecycling "github.com/bloomproof/bloomproof/exact/recycling"
	"github.com/bloomproof/bloomproof/verify/trace"
)

// The type givenFills stores expected false-positive rates. These are computed from the bits that were set in the
// filter during the replay.
type givenFills struct {
	fprs[decimal]
	Within *bool `json:"within"` // whether per_new lies in the measured interval
}

// The type "prediction" has the expected rates of a replay with this traffic.
type prediction struct {
	Model *approxfnr.Model `json:"model"` // nil if no model has an answer; Note tells the reason
	Valid bool             `json:"valid"` // whether the model was made for the settings
	Note  string           `json:"note"`
	FPR   fprs[decimal]    `json:"fpr"`

	FNR    *decimal                `json:"fnr"`
	Low    *decimal                `json:"fnr_low,omitempty"` // the 99 % interval, if the model has one
	High   *decimal                `json:"fnr_high,omitempty"`
	Cycle  *decimal                `json:"cycle"` // the number of arrivals of a cycle
	Models map[string]predictionBy `json:"models,omitempty"`

	ByGaps *byGaps `json:"by_gaps"` // independent of the model; nil if the gaps give no prediction

	// A gap is the number of arrivals between two arrivals of the same key. BeyondCycle is the share of gaps that are
	// longer than a predicted cycle. BeyondCycleShuffled is this share if the arrivals are in random order.
	BeyondCycle         *decimal `json:"beyond_cycle"`
	BeyondCycleShuffled *decimal `json:"beyond_cycle_shuffled"`
	// Conservative is true under two conditions. BeyondCycle is less than tellingShare * BeyondCycleShuffled. The
	// difference between BeyondCycle and BeyondCycleShuffled exceeds 3 standard deviations (see the constant "chance").
	// If Conservative is true, the filter forgets fewer keys than predicted.
	Conservative *bool `json:"conservative"`

	AllNew *allNew `json:"all_new"` // nil if no model has an answer for these settings
}

const (
	// tellingShare is the limit for the ratio of BeyondCycle to BeyondCycleShuffled. If the ratio is below this limit,
	// the prediction is called conservative. A ratio above the limit says nothing about the prediction. For example,
	// the trace weblog-urls in docs/traces.md has the ratio 0.96. The filter forgets more of its keys than predicted.
	// The other traces have ratios of at most 0.72. Their predictions are too high by factors of at least 1.2.
	tellingShare = 0.9

	// If the interval of the false-negative rate is longer than farApart, the report explains why filters differ so
	// much.
	farApart = 0.5

	// A count of gaps may differ from its expected value by chance alone. The constant "chance" is the largest
	// difference that is ascribed to chance, in standard deviations.
	chance = 3
)

// predictionBy is the prediction of false negatives by one model. FNR is nil if the model has no answer.
type predictionBy struct {
	FNR   *decimal `json:"fnr"`
	Kind  string   `json:"kind,omitempty"`
	Valid bool     `json:"valid"`
	Note  string   `json:"note"`
}

// byGaps holds the rates of filters that were simulated on the trace itself.
type byGaps struct {
	FNR   *rate      `json:"fnr"`
	FPR   fprs[rate] `json:"fpr"`
	Cycle *decimal   `json:"cycle"` // the number of arrivals of a cycle; nil if no cycle ends
}

// gapsOf returns the rates that the replicas have counted.
func gapsOf(s *trace.Replicas) *byGaps {
	of := func(get func(o trace.Outcome) (hits, trials float64)) *rate {
		x := s.Rate(get)
		if x == nil {
			return nil
		}
		return &rate{decimal(x.Mean), decimal(x.Low), decimal(x.High)}
	}
	g := &byGaps{
		FNR: of(func(o trace.Outcome) (hits, trials float64) {
			return float64(o.Forgotten) - o.Lucky, float64(o.Arrivals)
		}),
		FPR: fprs[rate]{
			PerArrival: of(func(o trace.Outcome) (hits, trials float64) { return o.FalsePositives, float64(o.Arrivals) }),
			PerNew:     of(func(o trace.Outcome) (hits, trials float64) { return o.FalsePositives, float64(o.New) }),
			PerCycleNew: of(func(o trace.Outcome) (hits, trials float64) {
				return o.FalsePositives + o.Lucky, float64(o.New + o.Forgotten)
			}),
		},
	}
	if x := s.Rate(func(o trace.Outcome) (hits, trials float64) { return float64(o.Recycles), float64(o.Arrivals) }); x != nil && x.Mean > 0 {
		g.Cycle = some(1 / x.Mean)
	}
	return g
}

// meanOf returns the value of a rate without its interval.
func meanOf(r *rate) *decimal {
	if r == nil {
		return nil
	}
	return &r.Mean
}

// The argument g has the prediction that follows from the gaps. The method byThem stores this prediction in p.
func (p *prediction) byThem(g *byGaps) {
	m := approxfnr.Model(byTheGaps)
	p.Model, p.Valid = &m, true
	p.FNR, p.Low, p.High = &g.FNR.Mean, &g.FNR.Low, &g.FNR.High
	p.FPR = fprs[decimal]{meanOf(g.FPR.PerArrival), meanOf(g.FPR.PerNew), meanOf(g.FPR.PerCycleNew)}
	p.Cycle = g.Cycle
}

// The type "traffic" describes the counted arrivals.
type traffic struct {
	Repeat          decimal `json:"repeat"`
	Ranks           count   `json:"ranks"` // one for each key that repeats, and one for all other keys
	Once            count   `json:"once"`
	Halves          *halves `json:"halves"` // nil for standard input
	Gap             decimal `json:"gap"`
	GapShuffled     decimal `json:"gap_shuffled"`
	Entropy         decimal `json:"entropy"`
	EntropyShuffled decimal `json:"entropy_shuffled"`
}

// The type "halves" compares the first half of the arrivals with the second.
type halves struct {
	New       [2]count `json:"new"`
	Distance  decimal  `json:"distance"`
	Noise     decimal  `json:"noise"`
	ChiSquare decimal  `json:"chi_square"`
	Freedom   count    `json:"freedom"`
	P         decimal  `json:"p"`
}

// allNew has the long-run rates that a filter with these settings would have if every arrival were new (Dozier-FP).
type allNew struct {
	FPR      decimal `json:"fpr"`
	Capacity decimal `json:"capacity"`
}

// allNewOf returns the long-run rates for new arrivals, or nil if no model has a quick answer. Some models exist in
// package exact, but not in package approx. They take too long if m*k is above 2^11.
func allNewOf(g bloomproof.Geometry, r bloomproof.Recycling) *allNew {
	if c, err := approxrecycling.New(g, r); err == nil {
		return &allNew{decimal(c.FPR()), decimal(c.Capacity())}
	}
	const most = 1 << 11
	if g.M > most/uint64(g.K) {
		return nil
	}
	c, err := exactrecycling.New(g, r)
	if err != nil {
		return nil
	}
	f, err := c.FPR(60)
	if err != nil {
		return nil
	}
	n, err := c.Capacity(60)
	if err != nil { // a filter that fills up and stays full has no such rates
		return nil
	}
	return &allNew{decimal(f.Float64()), decimal(n.Float64())}
}

// replayModels returns the models that -model names. It returns nil for the default value "gaps", and for the value
// "best".
func (in *inputs) replayModels() []approxfnr.Model {
	switch {
	case !in.has("model") || in.text("model") == byTheGaps || in.text("model") == "best":
		return nil
	case in.text("model") == "all":
		return allModels()
	}
	return []approxfnr.Model{in.model()}
}

// The method "predict" stores in r a description of the traffic, and the predictions that follow from this traffic.
func (r *replayReport) predict(s settings, e *trace.Estimate, replicas *trace.Replicas) {
	r.Traffic = &traffic{
		Repeat: decimal(e.Workload.Repeat), Ranks: count(e.Workload.Popularity.D), Once: count(e.Once),
		Gap: decimal(e.Correlation.Gap), GapShuffled: decimal(e.Correlation.GapShuffled),
		Entropy: decimal(e.Correlation.Entropy), EntropyShuffled: decimal(e.Correlation.EntropyShuffled),
	}
	if x := e.Stationarity; x != nil {
		r.Traffic.Halves = &halves{
			[2]count{count(x.New[0]), count(x.New[1])}, decimal(x.Distance), decimal(x.Noise),
			decimal(x.ChiSquare), count(x.Freedom), decimal(x.P),
		}
	}
	p := &r.Predicted
	if replicas != nil {
		p.ByGaps = gapsOf(replicas)
		if !s.popular {
			p.byThem(p.ByGaps)
			if *p.High-*p.Low > farApart && !s.rule.FreshPositions {
				p.Note = "filters differ much on this trace: with fixed positions a hash function that fits a loop of keys fits it in every cycle; -positions fresh draws anew in each"
			}
			return
		}
	}
	var m approxfnr.Model
	c, err := approxfnr.New(s.g, s.rule, e.Workload)
	if err != nil {
		p.Note = reason(m, err)
		return
	}
	var f approxfnr.Forecast
	if len(s.models) == 1 {
		m = s.models[0]
		f, err = c.Predict(m)
	} else {
		if m, err = c.Best(); err == nil {
			f, err = c.Predict(m)
		}
	}
	if err != nil {
		p.Note = reason(m, err)
	} else {
		p.Model, p.Valid, p.Note = &m, f.Valid, f.Note
		p.FNR, p.FPR.PerArrival = some(f.FNR), some(f.FPR)
		p.Cycle = some(f.Cycle)
		if e.Workload.Repeat < 1 {
			p.FPR.PerNew = some(f.FPRPerNew)
		}
		if cycleNew(f, e.Workload) {
			p.FPR.PerCycleNew = some(f.FPRPerCycleNew)
		}
		if n := float64(e.Correlation.Gaps); n > 0 {
			beyond, shuffled := e.Correlation.Beyond(f.Cycle)
			conservative := beyond < tellingShare*shuffled && (shuffled-beyond)*n > chance*math.Sqrt(shuffled*n)
			p.BeyondCycle, p.BeyondCycleShuffled, p.Conservative = some(beyond), some(shuffled), &conservative
		}
	}
	for _, m := range s.models {
		if p.Models == nil {
			p.Models = map[string]predictionBy{}
		}
		f, err := c.Predict(m)
		if err != nil {
			p.Models[string(m)] = predictionBy{Note: reason(m, err)}
			continue
		}
		p.Models[string(m)] = predictionBy{some(f.FNR), string(f.Kind), f.Valid, f.Note}
	}
}

func some(x float64) *decimal {
	d := decimal(x)
	return &d
}

// printPrediction prints notes on how the predicted rates were computed.
func (r replayReport) printPrediction(w io.Writer) {
	p := r.Predicted
	fmt.Fprintln(w)
	if p.Model != nil {
		fmt.Fprintf(w, "predicted by\t%s, %s arrivals a cycle", *p.Model, six(p.Cycle))
		if p.Low != nil {
			fmt.Fprintf(w, "; false negatives 99 %%: %.6g to %.6g", *p.Low, *p.High)
		}
		fmt.Fprintln(w)
	}
	if p.Note != "" {
		fmt.Fprintf(w, "note\t%s\n", p.Note)
	}
	if p.Models != nil {
		fmt.Fprint(w, "\nmodel\tfalse negative per arrival\tkind\tnote\n")
		for _, m := range allModels() {
			if x, ok := p.Models[string(m)]; ok {
				fmt.Fprintf(w, "%v\t%s\t%s\t%s\n", m, six(x.FNR), x.Kind, x.Note)
			}
		}
		fmt.Fprintln(w)
	}
	if t := r.Traffic; t != nil {
		fmt.Fprintf(w, "traffic\trepeats %.6g of popularity over %d ranks; %d keys once\n", t.Repeat, t.Ranks, t.Once)
		if h := t.Halves; h != nil {
			fmt.Fprintf(w, "halves\tapart %.3g, by chance %.3g; chi-square %.4g, %d degrees, p = %.2g; new %d and %d\n",
				h.Distance, h.Noise, h.ChiSquare, h.Freedom, h.P, h.New[0], h.New[1])
		}
		fmt.Fprintf(w, "order\tmedian gap %.4g, in random order %.4g; entropy of successors %.3g, %.3g\n",
			t.Gap, t.GapShuffled, t.Entropy, t.EntropyShuffled)
	}
	if g := p.ByGaps; g != nil && p.Low == nil {
		fmt.Fprintf(w, "by the gaps\t%.6g false negatives per arrival, %s arrivals a cycle\n", g.FNR.Mean, six(g.Cycle))
	}
	if p.Conservative != nil {
		fmt.Fprintf(w, "beyond a cycle\t%.4g of the gaps, in random order %.4g", *p.BeyondCycle, *p.BeyondCycleShuffled)
		if *p.Conservative {
			fmt.Fprint(w, ": the prediction is conservative")
		}
		fmt.Fprintln(w)
	}
	if a := p.AllNew; a != nil {
		fmt.Fprintf(w, "if all were new\trate %.6g, %.6g arrivals a cycle\n", a.FPR, a.Capacity)
	}
}
