package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/bloomproof/bloomproof"
	approxfnr "github.com/bloomproof/bloomproof/approx/fnr"
	"github.com/bloomproof/bloomproof/exact"
	exactfnr "github.com/bloomproof/bloomproof/exact/fnr"
)

var fnrCommand = command{
	name:    "fnr",
	summary: "what a recycling filter forgets: false negatives under a workload, by every model",
	about: `
The long-run false-negative rate of a recycling filter under a workload in which messages
come again, by the models of Dozier et al., "Analysis of False Negative Rates for Recycling
Bloom Filters", corrected, and its false-positive rates and mean cycle by the best of them.
A false negative is an arrival of a message that came before, is recorded in no array and
is called new; the rate is per arrival. An arrival is of one of the D messages of the
popularity with the probability -repeat; otherwise it is new, enters the ranks by
-arrivals, and the last of them leaves.

  lower                  counts the most popular messages as recorded, (5)
  replacement            draws the recorded messages with replacement, (6)
  uniform                makes all messages equally popular, (7)
  biuniform              makes them popular in two steps, 4.2.4
  pins, pins-arrivals    draw until so many are distinct in the mean, (10), (11); the second
                         with the new messages among the draws
  renewal                follows the arrivals of a cycle, (16) to (28), sums to sigma;
                         -extended carries them to sigma+k, -retaining starts a cycle with
                         its trigger, -leave-one-out follows each message alone, (34) to (37)
  disabling              follows each message over the distinct ones, (42), (43)
  fluid                  the limit of large filters
  exact                  formulas without approximation where there are any; with proven digits
                         the chain of all situations for tiny filters and, asked for by
                         itself, the cycles where nothing new comes (-repeat 1) and, where
                         something does, one phase, proven bounds (in JSON bounds); for -positions
                         fixed, one phase, -sigma and no -retain, the mean over all hash
                         functions between proven bounds

kind says what a value is to the filter's: upper or lower only where that is proven or
checked for all such filters. A note tells where a model was made for other settings than
those asked (in JSON "valid": false), or cannot be computed (in JSON it stands under
unavailable). Models are made for fresh positions: with -positions fixed the note says how far
simulations of such filters were from them (in JSON fixed_error, relative), and valid is false
where none were made. In JSON, assumes names what the error of a model's figures rests on without
proof, if anything. best is the most accurate model. False-positive rates are per arrival, per
new message, and per arrival recorded in no array; - (null) where there are none.

absorbing: the filter can come to recycle no more, when all messages fit that come. Then
the rate is 0 in the end, soon or after longer than any filter runs; models say what holds
before, and the exact chain of a tiny filter says both.`,
	example: `
  $ bloomproof fnr -m 10000 -k 5 -sigma 2000 -popularity zipf:1:1000 -repeat 0.9 -retain
  filter    standard, m=10000 k=5 sigma=2000 retain=true phases=1 positions=fresh
  workload  zipf:1:1000 arrivals=popularity repeat=0.9
  best      renewal-retaining
  ...
  renewal-retaining      0.247468         approximation  
  ...
  arrivals a cycle              1283.27`,
	flags: []flagSpec{
		{"m", "BITS", "bits of each array, 1 to 2^64-1"},
		kFlag,
		{"sigma", "BITS", "recycle when more than this many bits of the array are set (below m)"},
		{"messages", "N", "instead of -sigma: recycle at the N-th message that sets a bit"},
		repeatFlag, popularityFlag, arrivalsFlag,
		{"hashing", "standard|classic", "k independent positions (standard, the default); k distinct ones (classic)"},
		{"retain", "", "insert the message that triggers a recycle into the cleared array"},
		{"phases", "1|2", "one array, or an active and a frozen one (default 1)"},
		{"copy", "true|false", "two phases: record what the frozen array knows in the active one too (default true)"},
		{"freeze", "after|before", "two phases: freeze the array with the trigger's bits or without (default after)"},
		{"positions", "fresh|fixed", "positions anew each cycle (default) or for the filter's life"},
		{"model", "all|NAME", "all models (default) or one; exact by itself may take minutes"},
	},
	run: fnr,
}

// fnrReport is the result of the command "fnr". The fields before Models repeat the settings.
type fnrReport struct {
	Hashing bloomproof.Hashing `json:"hashing"`
	M       count              `json:"m"`
	K       int                `json:"k"`
	ruleInForce
	Workload    string                 `json:"workload"`
	Models      map[string]modelReport `json:"models"`
	Unavailable map[string]string      `json:"unavailable,omitempty"` // the models without an answer, each with the reason
	Best        string                 `json:"best"`
	FPR         fprs[string]           `json:"fpr"`
	Cycle       *string                `json:"cycle"`
	Absorbing   bool                   `json:"absorbing"`
	// A cycle may never end. PerCycle is the probability of this event. It is nil if the probability is not known.
	PerCycle *string `json:"absorbing_per_cycle,omitempty"`
}

// modelReport is the answer of one model.
type modelReport struct {
	FNR       string     `json:"fnr"`
	Kind      string     `json:"kind"`
	Valid     bool       `json:"valid"`
	Note      string     `json:"note"`
	Assumes   string     `json:"assumes,omitempty"`   // what the error of the figures rests on without proof
	Enclosure *enclosure `json:"enclosure,omitempty"` // an enclosure of fnr, if one is proven
	Bounds    *lowHigh   `json:"bounds,omitempty"`    // bounds of fnr, if they are proven and differ in the printed digits
	fixedError
	Lasting *enclosure `json:"lasting,omitempty"` // the rate while the filter still recycles

	rest otherFigures
}

// The rate of a filter with fixed positions may differ from the answer. The type fixedError describes this difference.
// The field Apart is set if the model draws new positions in each cycle. The field Spread is set if the answer is the
// mean over all hash functions.
type fixedError struct {
	Apart  *string `json:"fixed_error,omitempty"`  // relative difference, found by simulations
	Spread *string `json:"fixed_spread,omitempty"` // proven bound of the standard deviation of the rate of one filter
}

func fixedErrorOf(x approxfnr.Forecast) (e fixedError) {
	if x.Apart > 0 {
		text := twelve(x.Apart).String()
		e.Apart = &text
	}
	return e
}

// The method "remark" returns a text for the printed table. The text states the rate of the filter until it stops
// recycling, if this rate is known. Otherwise the text is the note of the report.
func (x modelReport) remark() string {
	if x.Lasting != nil {
		return sixDigits(&x.Lasting.Mid) + " before it recycles no more"
	}
	return x.Note
}

// otherFigures has all results of a model except the false-negative rate. Some fields are rates per arrival of one
// kind. Such a field is nil if the workload has no arrivals of this kind.
type otherFigures struct{ perArrival, perNew, perCycleNew, cycle *string }

func fnr(c *call) (report, error) {
	r := c.recycling(false, true)
	g := c.geometry(1<<64 - 1)
	models := c.models()
	w := c.workload()
	if c.err == nil {
		c.err = r.Validate(g)
	}
	if c.err != nil {
		return nil, c.err
	}
	f, err := approxfnr.New(g, r, w)
	if err != nil {
		return nil, err
	}
	defer newProgress(c.stderr).clock("computing")()
	report := &fnrReport{
		Hashing: g.Hashing, M: count(g.M), K: g.K, ruleInForce: inForce(r), Workload: w.String(),
		Models: map[string]modelReport{}, Unavailable: map[string]string{}, Absorbing: f.CanAbsorb(),
	}
	if p, err := f.Absorbing(); report.Absorbing && w.Repeat == 1 && r.FreshPositions && err == nil {
		text := twelve(p).String()
		report.PerCycle = &text
	}
	failed := map[approxfnr.Model]error{}
	for _, m := range models {
		long := fmt.Sprintf("takes long at this size; -model %v computes it if it can be", m)
		if len(models) > 1 && lengthy(m, g, r, w) {
			report.Unavailable[string(m)] = long
			continue
		}
		x, err := predict(f, g, r, w, m, len(models) == 1)
		if err != nil {
			report.Unavailable[string(m)] = reason(m, err)
			failed[m] = err
			if m == approxfnr.ModelExact && len(models) > 1 && (ofCycles(r, w) || ofBounds(r, w)) {
				report.Unavailable[string(m)] = long
			}
			continue
		}
		report.Models[string(m)] = x
	}
	if len(report.Models) == 0 {
		return nil, noModel(failed, w)
	}
	report.choose()
	return report, nil
}

// The function "reason" returns, as text for people, why a model has no answer.
func reason(m approxfnr.Model, err error) string {
	var param *bloomproof.ParamError
	if errors.As(err, &param) {
		return param.Param + " " + messageOf(param)
	}
	text := strings.TrimPrefix(err.Error(), fmt.Sprintf("the model %v: ", m))
	for _, prefix := range []string{"approx: " + bloomproof.ErrUndefined.Error() + ": ", "approx: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return strings.ReplaceAll(text, ": exact: "+bloomproof.ErrTooCostly.Error(), "")
}

// noModel is called when all models have failed, and chooses the error to report. If some models failed because they
// cost too much, it returns the error of the most accurate of these models. Otherwise it returns the error of the
// renewal model. If the renewal model has no error, it returns the error of the first model that failed.
func noModel(failed map[approxfnr.Model]error, w bloomproof.Workload) error {
	var first error
	var of approxfnr.Model
	for _, m := range approxfnr.Models() {
		err := failed[m]
		if errors.Is(err, bloomproof.ErrTooCostly) {
			flag := "m"
			if w.Popularity.D > 1<<22 {
				flag = "popularity"
			}
			return &usageError{flag, "must be within what can be computed: " + reason(m, err)}
		}
		if err != nil && (first == nil || m == approxfnr.ModelRenewal) { // the exact model has the least informative reason
			first, of = err, m
		}
	}
	var param *bloomproof.ParamError
	switch {
	case !errors.As(first, &param):
		return &usageError{"model", "must be one that has a value here: " + reason(of, first)}
	case param.Param == "messages":
		return &usageError{"messages", fmt.Sprintf("must be -sigma instead for the model %v", of)}
	}
	return param
}

// The function "lengthy" reports whether a model takes more than a few seconds. The criterion is the number of arrivals
// of a cycle times the number of messages.
func lengthy(m approxfnr.Model, g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload) bool {
	const most = 1 << 25
	switch string(m) {
	case "replacement", "biuniform", "pins", "pins-arrivals", "disabling", "renewal-leave-one-out":
		return float64(r.Sigma/uint64(g.K)+r.Messages)*float64(w.Popularity.D) > most
	}
	return false
}

// allModels lists the models in the order of the paper.
func allModels() []approxfnr.Model {
	return []approxfnr.Model{
		"lower", "replacement", "uniform", "biuniform", "pins", "pins-arrivals", approxfnr.ModelRenewal, "renewal-extended",
		approxfnr.ModelRenewalRetaining, "renewal-leave-one-out", "disabling", "fluid", approxfnr.ModelExact,
	}
}

// The flag -model names one model. The method "model" returns this model.
func (in *inputs) model() approxfnr.Model {
	m := approxfnr.Model(in.text("model"))
	if !slices.Contains(allModels(), m) {
		var names []string
		for _, known := range allModels() {
			names = append(names, string(known))
		}
		in.fail(&bloomproof.ParamError{Param: "model", Value: string(m), Want: "one of " + strings.Join(names, ", ")})
	}
	return m
}

// The method "models" returns all models that -model names.
func (in *inputs) models() []approxfnr.Model {
	if !in.has("model") || in.text("model") == "all" {
		return allModels()
	}
	return []approxfnr.Model{in.model()}
}

// The function "predict" returns the answer of a model. The exact model uses the Markov chain over the states of a tiny
// filter in two cases: if this chain takes little time, and if -model names the exact model.
func predict(f *approxfnr.System, g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload, m approxfnr.Model, alone bool) (modelReport, error) {
	var ofChain error
	if m == approxfnr.ModelExact && (alone || quickChain(g, r, w)) {
		var x modelReport
		x, ofChain = chain(g, r, w)
		if ofChain == nil || !beyond(ofChain) {
			return x, ofChain
		}
	}
	if m == approxfnr.ModelExact && alone && ofCycles(r, w) {
		if !r.FreshPositions {
			x, err := fixedCycles(g, r, w)
			if err != nil && beyond(err) { // there is no formula either
				err = fmt.Errorf("%w; %v", ofChain, reason(m, err))
			}
			return x, err
		}
		x, err := cycles(g, r, w)
		if err == nil || !beyond(err) {
			return x, err
		}
		ofChain = err // this error is more informative
	}
	x, err := f.Predict(m)
	if err != nil && m == approxfnr.ModelExact && alone && ofBounds(r, w) {
		x, ofBounds := withBounds(g, r, w)
		if ofBounds == nil || errors.Is(ofBounds, bloomproof.ErrTooCostly) {
			return x, ofBounds
		}
	}
	switch {
	case err != nil && ofChain != nil: // neither the chain nor a formula has an answer
		return modelReport{}, fmt.Errorf("%w; %v", ofChain, reason(m, err))
	case err != nil:
		return modelReport{}, err
	}
	return modelReport{
		FNR: twelve(x.FNR).String(), Kind: x.Kind, Valid: x.Valid, Note: x.Note, Assumes: x.Assumes, fixedError: fixedErrorOf(x), rest: restOf(x, w),
	}, nil
}

// Suppose that a computation has failed with the error err. The function "beyond" reports whether another computation
// can still succeed.
func beyond(err error) bool {
	return errors.Is(err, bloomproof.ErrTooCostly) || errors.Is(err, bloomproof.ErrUndefined) || errors.Is(err, exact.ErrPrecision)
}

// restOf returns all results of a forecast except the false-negative rate.
func restOf(x approxfnr.Forecast, w bloomproof.Workload) otherFigures {
	text := func(x float64, exists bool) *string {
		if !exists {
			return nil
		}
		s := twelve(x).String()
		return &s
	}
	return otherFigures{
		text(x.FPR, true), text(x.FPRPerNew, w.Repeat < 1),
		text(x.FPRPerCycleNew, cycleNew(x, w)),
		text(x.Cycle, x.Cycle > 0),
	}
}

// cycleNew reports whether there are arrivals whose message no array has recorded. Such a message is new, or it is a
// repeat that the filter has forgotten.
func cycleNew(x approxfnr.Forecast, w bloomproof.Workload) bool {
	return w.Repeat < 1 || x.FNR+x.Lucky > 0
}

// quickChain reports whether the Markov chain over all states of the filter takes at most about a second to solve.
// According to measurements, chains with up to 2^11 states take at most this time. The state of an array consists of
// the number of set bits and the recorded messages. If positions are fixed, it also contains the positions of the
// messages.
func quickChain(g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload) bool {
	const limit = 1 << 11
	k, d := float64(g.K), float64(w.Popularity.D)
	array := float64(r.Sigma) + 1
	if r.Messages > 0 {
		array = float64(g.M+1) * float64(r.Messages)
	}
	if !r.FreshPositions {
		array *= k * math.Pow(2*(k+1), d)
	} else {
		array *= math.Pow(2, d)
	}
	return g.K <= 8 && math.Pow(array, float64(arraysOf(r))) <= limit
}

// The function "chain" returns the rates from the Markov chain over all states of a tiny filter.
func chain(g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload) (modelReport, error) {
	f, err := exactfnr.New(g, r, w)
	if err != nil {
		return modelReport{}, err
	}
	rates, err := f.Rates(exact.PrecFor(defaultDigits))
	if err != nil {
		return modelReport{}, err
	}
	x, err := proven(rates)
	if err == nil && rates.Absorbing.Hi().Sign() > 0 {
		lasting, err := f.Lasting(exact.PrecFor(defaultDigits))
		switch {
		case err == nil:
			fnr, err := enclose(lasting.FNR, defaultDigits)
			x.Lasting = &fnr
			return x, err
		case !errors.Is(err, bloomproof.ErrUndefined) && !errors.Is(err, bloomproof.ErrTooCostly):
			return modelReport{}, err
		}
	}
	return x, err
}

// The function "cycles" is for filters that draw new positions in each cycle. All digits of its rates are proven. The
// function fixedCycles is for filters with fixed positions. The errors of its rates have a proven bound. ofCycles
// reports whether one of these two functions supports the rule r with the workload w.
func ofCycles(r bloomproof.Recycling, w bloomproof.Workload) bool {
	if !r.FreshPositions {
		return w.Repeat == 1 && !r.TwoPhase && !r.Retain && r.Messages == 0
	}
	return w.Repeat == 1 && !(r.TwoPhase && (r.Retain || r.NoCopyOver))
}

// The function "cycles" returns the rates of a filter. It computes them from the cycles of the filter and not from all
// its states. So the filter can have a practical size.
func cycles(g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload) (modelReport, error) {
	f, err := exactfnr.New(g, r, w)
	if err != nil {
		return modelReport{}, err
	}
	rates, err := f.CycleRates(exact.PrecFor(defaultDigits), exact.Auto)
	if err != nil {
		return modelReport{}, err
	}
	return proven(rates)
}

// fixedCycles computes the same rates as the function "cycles", but for a filter with fixed positions. The rates have
// few digits.
func fixedCycles(g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload) (modelReport, error) {
	f, err := exactfnr.New(g, r, w)
	if err != nil {
		return modelReport{}, err
	}
	rates, err := f.FixedRates()
	if err != nil {
		return modelReport{}, err
	}
	bounds := endsOf(rates.FNR)
	spread := strconv.FormatFloat(rates.Spread, 'g', 3, 64)
	middle := func(e exact.Enclosure) *string {
		text := strconv.FormatFloat(e.Float64(), 'g', boundsDigits, 64)
		return &text
	}
	zero := "0"
	return modelReport{
		FNR: *middle(rates.FNR), Kind: "exact", Valid: true, Bounds: bounds, fixedError: fixedError{Spread: &spread},
		Note: fmt.Sprintf("proven: the mean over all hash functions is between %s and %s, the standard deviation of one at most %s; the figures below are middles of such bounds", bounds.Low, bounds.High, spread),
		rest: otherFigures{perArrival: &zero, perCycleNew: middle(*rates.FPRPerCycleNew), cycle: middle(*rates.Cycle)},
	}, nil
}

// lowHigh has a proven lower and upper bound, rounded outward.
type lowHigh struct {
	Low  string `json:"low"`
	High string `json:"high"`
}

// ofBounds reports whether the function withBounds supports the rule r with the workload w.
func ofBounds(r bloomproof.Recycling, w bloomproof.Workload) bool {
	return w.Repeat < 1 && r.FreshPositions && !r.TwoPhase
}

// withBounds computes proven bounds of each rate. In the report, the rate is the midpoint of its bounds.
func withBounds(g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload) (modelReport, error) {
	f, err := exactfnr.New(g, r, w)
	if err != nil {
		return modelReport{}, err
	}
	rates, err := f.CycleBounds()
	if err != nil {
		return modelReport{}, err
	}
	widest := 0.0
	middle := func(e *exact.Enclosure) *string {
		if e == nil {
			return nil
		}
		x := e.Float64()
		if lo, _ := e.Lo().Float64(); x > 0 {
			widest = max(widest, 1-lo/x)
		}
		text := strconv.FormatFloat(x, 'g', boundsDigits, 64)
		return &text
	}
	x := modelReport{
		Kind: "exact", Valid: true, FNR: *middle(&rates.FNR), Bounds: endsOf(rates.FNR),
		rest: otherFigures{middle(&rates.FPR), middle(rates.FPRPerNew), middle(rates.FPRPerCycleNew), middle(rates.Cycle)},
	}
	x.Note = fmt.Sprintf("proven: between %s and %s; the figures below are middles of such bounds, good to %.1f %%", x.Bounds.Low, x.Bounds.High, math.Ceil(1000*widest)/10)
	return x, nil
}

// boundsDigits is the number of digits of bounds and of their midpoints.
const boundsDigits = 6

// endsOf returns the two ends of an enclosure as bounds.
func endsOf(e exact.Enclosure) *lowHigh {
	low, _ := exact.NewEnclosure(e.Lo(), e.Lo()) // an enclosure of a single point has all digits
	high, _ := exact.NewEnclosure(e.Hi(), e.Hi())
	var x lowHigh
	x.Low, _, _, _ = low.Decimal(boundsDigits)
	_, _, x.High, _ = high.Decimal(boundsDigits)
	return &x
}

// The function "proven" returns a report with the given rates. All digits of the rates in the report are proven.
func proven(rates *exactfnr.Rates) (modelReport, error) {
	var failed error
	digits := func(e *exact.Enclosure) *enclosure {
		if e == nil {
			return nil
		}
		x, err := enclose(*e, defaultDigits)
		failed = errors.Join(failed, err)
		return &x
	}
	x := modelReport{Kind: "exact", Valid: true, Enclosure: digits(&rates.FNR)}
	x.FNR = x.Enclosure.Mid
	x.rest = otherFigures{
		mid(digits(&rates.FPR)), mid(digits(rates.FPRPerNew)), mid(digits(rates.FPRPerCycleNew)), mid(digits(rates.Cycle)),
	}
	return x, failed
}

// The method "choose" stores the false-positive rates and the length of a cycle in the report. It takes them from the
// most accurate model that was made for these settings. If there is none, it takes them from a model that was made for
// other settings.
func (r *fnrReport) choose() {
	for _, valid := range []bool{true, false} {
		for _, m := range approxfnr.Models() {
			if m == approxfnr.ModelRenewalRetaining && !r.Retain && len(r.Models) > 1 {
				continue // this model was made for other settings
			}
			if x, ok := r.Models[string(m)]; ok && x.Valid == valid {
				r.Best = string(m)
				r.FPR.PerArrival, r.FPR.PerNew, r.FPR.PerCycleNew, r.Cycle = x.rest.perArrival, x.rest.perNew, x.rest.perCycleNew, x.rest.cycle
				return
			}
		}
	}
}

func (r *fnrReport) print(w io.Writer) {
	fmt.Fprintf(w, "filter\t%v, m=%d k=%d %s\nworkload\t%s\nbest\t%s\n", r.Hashing, r.M, r.K, r.text(), r.Workload, r.Best)
	fmt.Fprint(w, "\nmodel\tfalse negatives\tkind\tnote\n")
	for _, m := range allModels() {
		name := string(m)
		if x, ok := r.Models[name]; ok {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", name, sixDigits(&x.FNR), x.Kind, x.remark())
		} else if why, ok := r.Unavailable[name]; ok {
			fmt.Fprintf(w, "%s\t-\t-\t%s\n", name, why)
		}
	}
	fmt.Fprintf(w, "\nrate\t%s\nfalse positive per arrival\t%s\n", r.Best, sixDigits(r.FPR.PerArrival))
	fmt.Fprintf(w, "false positive per new\t%s\nfalse positive per cycle-new\t%s\n", sixDigits(r.FPR.PerNew), sixDigits(r.FPR.PerCycleNew))
	fmt.Fprintf(w, "arrivals a cycle\t%s\n", sixDigits(r.Cycle))
	switch {
	case r.Absorbing && r.PerCycle != nil && *r.PerCycle == "0":
		fmt.Fprint(w, "absorbing\ttrue, with a probability below 1e-20 a cycle\n")
	case r.Absorbing && r.PerCycle != nil:
		fmt.Fprintf(w, "absorbing\ttrue, with probability %s a cycle\n", sixDigits(r.PerCycle))
	case r.Absorbing:
		fmt.Fprint(w, "absorbing\ttrue\n")
	}
}

// sixDigits shortens a decimal to six digits for people. It returns "-" if text is nil.
func sixDigits(text *string) string {
	if text == nil {
		return "-"
	}
	x, _ := strconv.ParseFloat(*text, 64) // a valid decimal; below the range of float64 it is 0
	return fmt.Sprintf("%.6g", x)
}
