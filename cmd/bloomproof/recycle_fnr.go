package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof"
	approxfnr "github.com/bloomproof/bloomproof/approx/fnr"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/internal/requests"
	"github.com/bloomproof/bloomproof/verify/sim"
	"github.com/bloomproof/bloomproof/verify/trace"
)

// recycleFNRReport is the answer of the command "recycle" with the flag -target and a workload.
type recycleFNRReport struct {
	cycleReport
	Target   string `json:"target"`
	TotalM   count  `json:"total_m"` // total bits of all arrays
	Workload string `json:"workload"`
	forecast
	Confidence   string  `json:"confidence,omitempty"`        // the text of the flag
	AtConfidence *twelve `json:"fnr_at_confidence,omitempty"` // upper bound for the next arrivals
	Asked        string  `json:"fnr_target,omitempty"`
	Reached      *bool   `json:"reached,omitempty"`
	Step         count   `json:"step,omitempty"` // the step of the memory, if the memory was searched for
	Proof        string  `json:"proof"`
	naiveSizes
	Frontier []frontierRow `json:"frontier,omitempty"`

	again bool // true if there is a trace that can be read again
}

// The function "ends" returns the two ends of an interval, or nil if x is nil.
func ends(x *sim.Interval) (low, high *twelve) {
	if x == nil {
		return nil, nil
	}
	a, b := twelve(x.Low), twelve(x.High)
	return &a, &b
}

// The type "forecast" has the false-negative rate that a model predicts for the filter. It also has the false-positive
// rates of the filter under the workload.
type forecast struct {
	FNR  string  `json:"fnr"`
	Low  *twelve `json:"fnr_low,omitempty"` // the low end of the 99 % interval, if the model has one
	High *twelve `json:"fnr_high,omitempty"`
	// NextLow is the lower end of an interval for the false-negative rate after the end of the trace. The interval is
	// for N further arrivals, where N is the number of arrivals in the trace. It assumes that the traffic continues to
	// change as it does within the trace.
	NextLow  *twelve      `json:"fnr_next_low,omitempty"`
	NextHigh *twelve      `json:"fnr_next_high,omitempty"`
	Model    string       `json:"model"`
	Kind     string       `json:"kind"`
	Valid    bool         `json:"valid"`
	Note     string       `json:"note"`
	Under    fprs[string] `json:"workload_fpr"`
	Cycle    *string      `json:"cycle"`
	fixedError
}

// frontierRow stores one false-positive rate. It also stores the least false-negative rate that filters with this
// false-positive rate can have.
type frontierRow struct {
	FPR    twelve `json:"fpr"`
	FNR    twelve `json:"fnr"`
	K      int    `json:"k"`
	Sigma  count  `json:"sigma"`
	Phases int    `json:"phases"`
	Retain bool   `json:"retain"`
	Copy   bool   `json:"copy"`
	Model  string `json:"model"`
}

// wantsFNR reports whether the flags ask the command "recycle" for a false-negative rate.
func (in *inputs) wantsFNR() bool {
	return slices.ContainsFunc([]string{"fnr", "confidence", "repeat", "popularity", "arrivals", "trace", "warmup", "keys", "memory", "frontier", "model", "field", "separator", "regexp"}, in.has)
}

// recycleFNR finds the filter with the least false-negative rate. Package approx finds the filter, and exact rates
// determine its threshold.
func recycleFNR(c *call) (report, error) {
	if !c.has("target") {
		c.fail(missing("target"))
	}
	target, near, text := c.rate("target")
	_, fnr, asked := c.rate("fnr")
	_, confidence, sure := c.rate("confidence")
	if c.has("confidence") && confidence < 0.5 {
		c.fail(&bloomproof.ParamError{Param: "confidence", Value: sure, Want: "at least 0.5 and below 1"})
	}
	designs := approxfnr.Designs{K: int(c.number("k", 1, bloomproof.MaxK, 0)), Rate: near, Rules: c.rules()}
	c.enum("hashing", &designs.Hashing)
	digits := c.digits()
	total := c.number("m", 1, 1<<64-1, 0)
	if !c.has("m") && !c.has("fnr") {
		c.fail(&usageError{"fnr", "must be given, or -m"})
	}
	frontier := c.boolean("frontier", c.has("report"))
	gaps, workload, again := c.traffic(&designs)
	if c.err != nil {
		return nil, c.err
	}
	defer newProgress(c.stderr).clock("searching")()
	var search searcher = popularitySearch{designs}
	if gaps != nil {
		if c.has("confidence") {
			gaps.confidence = confidence
		}
		search = gaps
	}
	r := recycleFNRReport{Target: text, Workload: workload, again: again}
	var d approxfnr.Design
	var err error
	if c.has("m") {
		d, err = search.least(designs.Rate, total)
	} else {
		var step uint64
		d, step, err = search.fewest(fnr)
		r.Step, total = count(step), d.Total()
	}
	if err != nil {
		return nil, designError(err)
	}
	r.TotalM = count(total)
	if err := r.decide(designs, d, target, digits); err != nil {
		return nil, err
	}
	itself, next := search.about(d)
	if gaps != nil && again && gaps.ladder.Sampled() == 1 {
		if err := c.replayed(&r, itself, gaps.warmup); err != nil {
			return nil, err
		}
	}
	r.Low, r.High = ends(itself)
	r.NextLow, r.NextHigh = ends(next)
	kept, err := search.kept(d)
	if err != nil {
		return nil, err
	}
	if c.has("confidence") {
		x := twelve(kept)
		r.Confidence, r.AtConfidence = sure, &x
	}
	if c.has("fnr") {
		if gaps != nil && gaps.estimate.Workload.Repeat <= fnr {
			r.Note += fmt.Sprintf("; every filter keeps %s, since of the arrivals only %.6g are repeats", asked, gaps.estimate.Workload.Repeat)
		}
		reached := kept <= fnr
		r.Asked, r.Reached = asked, &reached
	}
	if frontier {
		if r.Frontier, err = frontierOf(search, designs.Rate, total); err != nil {
			return nil, designError(err)
		}
	}
	return r, nil
}

// The method "traffic" stores a workload in designs and returns its description. The workload is defined either by
// -trace, or by -popularity and its related flags. Some searches use the trace itself. For such a search, the result
// "gaps" is the object that performs the search. Otherwise the result "gaps" is nil. The result "again" is true if the
// trace can be read a second time.
func (c *call) traffic(designs *approxfnr.Designs) (gaps *gapsSearch, workload string, again bool) {
	warmup, _ := c.fraction("warmup")
	key := c.key()
	w := &designs.Workload
	if !c.has("trace") {
		c.absent("unless -trace is given", "confidence", "warmup", "keys", "memory", "model", "field", "separator", "regexp")
		*w = c.workload()
		return nil, w.String(), false
	}
	c.absent("when -trace is given", "repeat", "popularity", "arrivals")
	if c.text("trace") == "" {
		c.fail(missing("trace"))
	}
	byGaps := c.goesByGaps(designs)
	keys := c.keysKept(bytesAKey)
	if byGaps && designs.Rules[0].NoCopyOver {
		if keys = c.keysKept(bytesWithoutCopy); keys == 0 {
			keys = keysWithoutCopy
		}
	}
	if !byGaps {
		c.absent("with -model "+byPopularity, "confidence")
	}
	if c.err != nil {
		return nil, "", false
	}
	var ladder *trace.Ladder
	var counted uint64 // the number of the first arrival that is counted
	e, err := c.estimate(key, warmup, func(in *traceFile, o trace.Options) (e *trace.Estimate, err error) {
		again, counted = in.canRewind(), o.Warmup
		switch {
		case byGaps && keys > 0:
			ladder, e, err = readSample(c.ctx, in, designs.Rules[0], o, keys)
			return e, err
		case byGaps:
			ladder, e, err = readGaps(c.ctx, in, designs.Rules[0], o)
			return e, err
		case keys > 0:
			return trace.ReadBounded(c.ctx, in, o, keys)
		}
		return trace.Read(c.ctx, in, o)
	})
	if err != nil {
		c.fail(err)
		return nil, "", false
	}
	*w = e.Workload
	if ladder != nil {
		gaps = &gapsSearch{designs: *designs, ladder: ladder, estimate: e, warmup: counted}
	}
	return gaps, fmt.Sprintf("%s, D=%d repeat=%.6g", quote(c.text("trace")), w.Popularity.D, w.Repeat), again
}

// goesByGaps reports whether the search is to use the trace itself. In this case it also removes the rules that retain
// the triggering message, unless the flag -retain was given. A filter that retains the triggering message has one more
// key in each cycle. This difference is too small for the model to show.
func (c *call) goesByGaps(designs *approxfnr.Designs) bool {
	model := byTheGaps
	if c.has("model") {
		if model = c.text("model"); model != byTheGaps && model != byPopularity {
			c.fail(&bloomproof.ParamError{Param: "model", Value: model, Want: "one of " + byTheGaps + ", " + byPopularity})
		}
	}
	if model == byTheGaps && !c.has("retain") {
		designs.Rules = slices.DeleteFunc(designs.Rules, func(r bloomproof.Recycling) bool { return r.Retain })
	}
	return model == byTheGaps
}

const (
	// minKeys is the smallest value that the argument "keys" of trace.ReadBounded may have.
	minKeys = 64
	// bytesAKey is the largest number of bytes that trace.ReadLadder and trace.ReadBounded need for each key. For
	// filters without copy-over, the constant bytesWithoutCopy replaces bytesAKey. It was measured on traces of up to
	// 2^20 keys.
	bytesAKey        = 550
	bytesWithoutCopy = 7000
	// keysWithoutCopy is the default number of keys that are distinguished without copy-over. These keys take half a
	// gigabyte of memory.
	keysWithoutCopy = 1 << 16
)

// keysKept returns how many keys of a trace may be distinguished, if each key takes the given number of bytes. The
// result 0 means all keys.
func (in *inputs) keysKept(bytes uint64) int {
	keys := int(in.number("keys", minKeys, 1<<30, 0))
	if !in.has("memory") {
		return keys
	}
	in.absent("when -memory is given", "keys")
	return int(in.number("memory", minKeys*bytes, bytes<<30, 0) / bytes)
}

// The method "estimate" opens a trace and calls the function "read", which computes an estimate from the
// arrivals after the warm-up. It returns this estimate.
func (c *call) estimate(key requests.Key, warmup *big.Rat, read func(*traceFile, trace.Options) (*trace.Estimate, error)) (*trace.Estimate, error) {
	in, err := openKeys(c.text("trace"), c.stdin, key)
	if err != nil {
		return nil, err
	}
	defer in.close()
	var o trace.Options
	if warmup.Sign() > 0 {
		if !in.canRewind() {
			return nil, &usageError{"warmup", "must be 0 for a trace that cannot be read twice"}
		}
		total, err := linesOf(c.ctx, in)
		if err != nil {
			return nil, interrupted(err, 0)
		}
		o.Warmup = floor(warmup, total)
	}
	e, err := read(in, o)
	var input *requests.InputError
	var usage *usageError
	var param *bloomproof.ParamError
	switch {
	case errors.Is(err, context.Canceled):
		return nil, errInterrupted
	case errors.As(err, &usage):
		return nil, usage
	case errors.As(err, &input):
		return nil, &ioError{"trace", input.Unwrap()}
	case err != nil && c.noKeys(in) != nil:
		return nil, c.noKeys(in)
	case errors.As(err, &param) && param.Param == "trace" && param.Value == uint64(0):
		return nil, &usageError{"trace", "must have lines, and is empty"}
	case err != nil:
		return nil, &ioError{"trace", err}
	}
	c.warnOfKeys(in, e.Distinct, e.Arrivals)
	return e, nil
}

// The method "rate" returns the value of a flag, which must be a decimal in (0, 1). It returns the value in three
// forms: as an exact number, as a float64 strictly between 0 and 1, and as text.
func (in *inputs) rate(name string) (exactly *big.Rat, near float64, text string) {
	exactly, text = in.fraction(name)
	if in.has(name) && exactly.Sign() == 0 {
		in.fail(&bloomproof.ParamError{Param: name, Value: text, Want: "above 0 and below 1"})
	}
	// The search uses the float64 that is nearest to the rate. It limits this number to the range from 2^-1000 to 1 -
	// 2^-53.
	near, _ = exactly.Float64()
	return exactly, min(max(near, 0x1p-1000), 1-0x1p-53), text
}

// The method "rules" returns the rules that -phases and -retain permit.
func (in *inputs) rules() []bloomproof.Recycling {
	given := in.recycling(true, false)
	phases, retain := []bool{given.TwoPhase}, []bool{given.Retain}
	switch {
	case in.has("phases"):
	case given.NoCopyOver || given.FreezeBefore:
		phases = []bool{true}
	default:
		phases = []bool{false, true}
	}
	if !in.has("retain") {
		retain = []bool{false, true}
	}
	var rules []bloomproof.Recycling
	for _, given.TwoPhase = range phases {
		for _, given.Retain = range retain {
			rules = append(rules, given)
		}
	}
	return rules
}

// designError converts err into an error with the name of the flag that the user should change.
func designError(err error) error {
	var param *bloomproof.ParamError
	if errors.As(err, &param) {
		return err
	}
	return outOfRange("target", err)
}

// The method "decide" stores the filter d in r, with the largest sigma that the exact rates permit.
func (r *recycleFNRReport) decide(designs approxfnr.Designs, d approxfnr.Design, target *big.Rat, digits int) error {
	g := bloomproof.Geometry{M: d.M, K: d.K, Hashing: designs.Hashing}
	s := threshold{g: g, r: d.Recycling, target: target, near: designs.Rate, prec: max(exact.PrecFor(digits), 64), rates: map[place]exact.Enclosure{}}
	best, err := s.largest(d.Sigma)
	if err != nil {
		return outOfRange("target", err)
	}
	if r.cycleReport, err = describe(best.cycle, best.g, best.r, best.rate, digits); err != nil {
		return err
	}
	capacity, err := enclose(best.capacity, digits)
	if err != nil {
		return err
	}
	r.Capacity = &capacity
	naive := bloomproof.Geometry{M: d.M, K: designs.K}
	if r.naiveSizes, err = naiveOf(naive, d.Recycling.TwoPhase, designs.Rate, best.capacity.Float64()); err != nil {
		return err
	}
	x := d.Forecast
	r.forecast = forecast{FNR: twelve(x.FNR).String(), Model: string(d.Model), Kind: string(x.Kind), Valid: x.Valid, Note: x.Note, fixedError: fixedErrorOf(x)}
	rest := restOf(x, designs.Workload)
	r.Under.PerArrival, r.Under.PerNew, r.Under.PerCycleNew, r.forecast.Cycle = rest.perArrival, rest.perNew, rest.perCycleNew, rest.cycle
	rests := []string{"false negatives by the model " + r.Model}
	if r.Step > 0 {
		rests = append(rests, "they are taken to fall with the memory")
	}
	if s.restsOnGrowth() {
		rests = append(rests, grows)
	}
	r.Proof = strings.Join(rests, "; ")
	return nil
}

// frontierOf returns the least false-negative rates for several false-positive rates. The false-positive rates are near
// the argument "around".
func frontierOf(search searcher, around float64, total uint64) ([]frontierRow, error) {
	var rows []frontierRow
	for _, factor := range []float64{1e-3, 1e-2, 0.1, 0.2, 0.5, 1, 2, 5, 10, 100} {
		rate := around * factor
		if rate >= 1 || rate < 0x1p-1000 {
			continue
		}
		d, err := search.least(rate, total)
		if errors.Is(err, bloomproof.ErrUndefined) {
			continue
		}
		if err != nil {
			return nil, err
		}
		rows = append(rows, frontierRow{
			twelve(d.Rate), twelve(d.Forecast.FNR), d.K, count(d.Sigma),
			int(arraysOf(d.Recycling)), d.Recycling.Retain, !d.Recycling.NoCopyOver, string(d.Model),
		})
	}
	return rows, nil
}

func (r recycleFNRReport) print(w io.Writer) {
	fmt.Fprintf(w, "filter\t%s\nmemory\t%d bits", r.filter(), r.TotalM)
	if r.Step > 1 {
		fmt.Fprintf(w, ", a multiple of %d", r.Step)
	}
	fmt.Fprintf(w, "\ntarget\t%s\nrate\t%s\ncapacity\t%s\n", r.Target, r.FPR.Mid, orDash(mid(r.Capacity)))
	fmt.Fprintf(w, "workload\t%s\nfalse negatives\t%s", r.Workload, sixDigits(&r.FNR))
	if r.Low != nil {
		fmt.Fprintf(w, " (99 %%: %.6g to %.6g)", *r.Low, *r.High)
	}
	reached := ""
	if r.Reached != nil {
		reached = ", " + r.Asked + " reached"
		if !*r.Reached {
			reached = ", " + r.Asked + " not reached"
		}
	}
	if r.AtConfidence == nil {
		fmt.Fprint(w, reached)
	}
	if r.NextLow != nil {
		fmt.Fprintf(w, "\nas many more\t99 %%: %.6g to %.6g", *r.NextLow, *r.NextHigh)
	}
	if r.AtConfidence != nil {
		fmt.Fprintf(w, "; with probability %s at most %.6g%s", r.Confidence, *r.AtConfidence, reached)
	}
	fmt.Fprintf(w, "\nmodel\t%s, %s\n", r.Model, r.Kind)
	if r.Note != "" {
		fmt.Fprintf(w, "note\t%s\n", r.Note)
	}
	fmt.Fprintf(w, "proof\t%s\n", r.Proof)
	fmt.Fprintf(w, "\nunder the workload\t\nfalse positive per arrival\t%s\nfalse positive per new\t%s\n", sixDigits(r.Under.PerArrival), sixDigits(r.Under.PerNew))
	fmt.Fprintf(w, "false positive per cycle-new\t%s\narrivals a cycle\t%s\n", sixDigits(r.Under.PerCycleNew), sixDigits(r.forecast.Cycle))
	r.naiveSizes.print(w)
	if r.Frontier != nil {
		fmt.Fprint(w, "\nfalse positives\tfalse negatives\tk\tsigma\tphases\tretain\tcopy\tmodel\n")
		for _, x := range r.Frontier {
			fmt.Fprintf(w, "%.6g\t%.6g\t%d\t%d\t%d\t%t\t%t\t%s\n", x.FPR, x.FNR, x.K, x.Sigma, x.Phases, x.Retain, x.Copy, x.Model)
		}
	}
}
