package main

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/bloomproof/bloomproof"
	approxfnr "github.com/bloomproof/bloomproof/approx/fnr"
	approxrecycling "github.com/bloomproof/bloomproof/approx/recycling"
	"github.com/bloomproof/bloomproof/internal/requests"
	"github.com/bloomproof/bloomproof/internal/truth"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/trace"
)

var replayCommand = command{
	name:    "replay",
	summary: "run a real trace through a real recycling filter and count its errors",
	about: `
Reads a trace, one key a line, lets the filter classify each arrival as new or repeat,
and counts its answers against the ground truth. bloomproof help traces tells what a key is
and what memory it takes, bloomproof help rules what the filters are.

What is counted, of the arrivals after the warm-up:
  new              keys that never arrived before (in the warm-up neither)
  cycle-new        keys recorded in no array: the new ones and the forgotten
  true positives   arrived before, called a repeat; the lucky are part of them
  lucky            forgotten, yet called a repeat
  false positives  new, called a repeat
  false negatives  forgotten, called new; in cycle: recorded, called new (never)
  fpr per_arrival and per_new divide the false positives by all arrivals and by the
                   new ones; per_cycle_new divides false positives and lucky by the
                   cycle-new ones
  fnr              false negatives by all arrivals
  given the fills  what these rates should be for the bits that were in fact set: the
                   filter's rate just before each new (cycle-new) arrival, summed over
                   them and divided as above
  predicted        by the gaps: 16 filters see the trace (8 without copy-over). Those of up to 2^16
                   bits are like this one, with other hash functions; larger ones are imagined
                   without bits, and each cycle takes as many keys as it does in this filter, but
                   for chance. A key is forgotten when it last came before the cycle, or the two
                   cycles. This holds whatever the order of the keys; the interval is that of one
                   more such filter. Or, with
                   -model, by a model of what filters forget (see fnr -h) from the traffic of the
                   arrivals that are counted: the share of repeats, the popularity of the keys
                   among them, and the ranks that new keys come to have. Models are of the long
                   run, of arrivals that are independent, and of positions that are anew in each
                   cycle
  course           false negatives per arrival along the trace, measured and predicted by the gaps;
                   by the clock with -time-field
  if all were new  rate and arrivals a cycle of this filter in the long run if no key
                   ever returned (Dozier-FP). Of one phase the rate per cycle-new arrival
                   is this whatever returns; of two it is not

The traffic is told beside it. Halves: the total variation between the popularities of
the first and the second half, and what it would be by chance alone; a chi-square test
over up to 64 classes of keys. Order: the median number of arrivals from one of a key to
its next, and the mean entropy of the key that follows a key (Dozier-FN, section 7.2; of
each row over the logarithm of its number of successors), both beside what they are in
random order; and the share of the gaps that are longer than the predicted cycle, which
says whether the prediction is conservative. A trace from standard input is read once, so that
its halves are not compared.

-report writes a page for a browser that needs no network: advice in plain words, these rates,
and how they went over the course of the trace. With -json the course is there in up to 16
stretches of equal length.

Intervals are exact 99 % ones for a proportion (Clopper-Pearson). They take arrivals
as independent trials of equal probability. For per_new that errs on the safe side:
each new key has fresh positions, and the false positives less the sum of the rates
before them have mean 0. The other rates depend on which keys return and when, and
with fixed positions a key meets the same luck in every cycle: there the interval is
that of the count alone and can be too narrow.`,
	example: `
  $ bloomproof replay -trace testdata/kjv-words.txt.gz -m 16Ki -k 4 -sigma 8Ki -phases 2
  arrivals         789684
  distinct keys    12762
  recycles         19
  true positives   765286, of which lucky 916
  false positives  786
  ...
  rate                          measured     99 % low     99 % high   given the fills  predicted
  ...
  false positive per new        0.0615891    0.0562328    0.0672754   0.063321         0.0636685
  ...`,
	flags: append([]flagSpec{
		{"trace", "FILE", "one key a line, plain or gzip; - is standard input"},
		{"m", "BITS", "bits of each array, 1 to 2^48; with -target, of all arrays together"},
		kFlag,
		hashingFlag,
		{"sigma", "BITS", "recycle when more than this many bits of the array are set (below m)"},
		{"messages", "N", "instead of -sigma: recycle at the N-th message that sets a bit"},
		{"target", "RATE", "instead of both: the largest sigma whose rate on new keys is at most this,\nwith -k, or with the k that then lets a cycle take the most keys"},
		{"phases", "1|2", "one array, or an active and a frozen one (default 1)"},
		{"retain", "", "insert the message that triggers a recycle into the cleared array"},
		{"copy", "true|false", "two phases: record what the frozen array knows in the active one too (default true)"},
		{"freeze", "after|before", "two phases: freeze the array with the trigger's bits or without (default after)"},
		{"positions", "fixed|fresh", "positions for the filter's life, or anew each cycle (default fixed)"},
		{"warmup", "FRACTION", "of the arrivals, observed first without being counted: 0 up to, not including, 1\n(default 0; reads the trace twice, so not from standard input)"},
		{"model", "gaps|best|all|NAME", "predict by what cycles forget of the trace itself (default), or by models of a workload with its\npopularity: the most accurate, each, or one of them (see fnr -h)"},
		{"seed", "SEED", "of the filter's hash function, 0 to 2^64-1 (default 0)"},
		{"memory", "BYTES", fmt.Sprintf("of the ground truth, %d to 2^48: when its keys do not fit, those of a sample are kept, and\ncounts are estimates with 99 %% intervals (default: all keys)", truth.MinSample)},
		reportFlag,
	}, slices.Concat(keyFlags, timeFlags)...),
	run: replay,
}

// replayReport is the result of the command "replay". The fields from M to Warmup repeat the settings.
type replayReport struct {
	Arrivals       count       `json:"arrivals"` // the number of arrivals without the warm-up
	Distinct       count       `json:"distinct"` // the number of different keys of the whole trace
	Recycles       count       `json:"recycles"`
	TruePositives  count       `json:"true_positives"`
	FalsePositives count       `json:"false_positives"`
	TrueNegatives  count       `json:"true_negatives"`
	FalseNegatives count       `json:"false_negatives"`
	InCycle        count       `json:"false_negatives_in_cycle"`
	Lucky          count       `json:"lucky"`
	New            count       `json:"new"`
	CycleNew       count       `json:"cycle_new"`
	FPR            fprs[rate]  `json:"fpr"`
	FNR            *rate       `json:"fnr"`
	GivenFills     givenFills  `json:"given_fills"`
	Traffic        *traffic    `json:"traffic"` // nil without arrivals
	Predicted      prediction  `json:"predicted"`
	PerSecond      decimal     `json:"per_second"`
	Confidence     decimal     `json:"confidence"`
	Course         []stretch   `json:"course"`
	Time           *timeReport `json:"time,omitempty"`        // with -time-field
	Sample         *sampled    `json:"sample,omitempty"`      // with -memory
	Interrupted    bool        `json:"interrupted,omitempty"` // true if the trace has more arrivals after these

	M       count              `json:"m"`
	K       int                `json:"k"`
	Hashing bloomproof.Hashing `json:"hashing"`
	ruleInForce
	Seed           count  `json:"seed"`
	Warmup         string `json:"warmup"`
	WarmupArrivals count  `json:"warmup_arrivals"`
	Target         string `json:"target,omitempty"`
	TotalM         count  `json:"total_m,omitempty"` // bits of all arrays, with a target

	trace string // the name of the trace
}

// The type "settings" has the values of the flags of the command "replay".
type settings struct {
	key        requests.Key
	window     time.Duration // 0 without -time-field; otherwise each key that is cut out begins with the time
	quiet      bool          // true if the command has already warned about the keys
	g          bloomproof.Geometry
	rule       bloomproof.Recycling
	seed       uint64
	memory     uint64 // the memory limit of the ground truth; 0 for no limit
	warmup     *big.Rat
	warmupText string   // the text of -warmup
	target     *big.Rat // the rate that the filter is sized for, or nil
	targetText string
	total      uint64            // bits of all arrays, if the filter is sized
	popular    bool              // true to predict by popularity instead of by the gaps
	models     []approxfnr.Model // the models that predict, in addition to the best model
}

func (c *call) settings() (settings, error) {
	if c.text("trace") == "" {
		c.fail(missing("trace"))
	}
	var s settings
	s.key, s.window = c.timed(c.key())
	if c.has("target") {
		s.target, s.targetText = c.fraction("target")
		s.rule = c.recycling(true, false)
		c.size(&s)
	} else {
		s.rule = c.recycling(false, false)
		s.g = c.geometry(filterBits)
	}
	s.popular, s.models = c.has("model") && c.text("model") != byTheGaps, c.replayModels()
	s.seed = c.number("seed", 0, 1<<64-1, 0)
	s.memory = c.number("memory", truth.MinSample, 1<<48, 0)
	s.warmup, s.warmupText = c.fraction("warmup")
	if c.err == nil {
		c.err = s.rule.Validate(s.g)
	}
	return s, c.err
}

// The method "size" sets the geometry and sigma from the flags -m and -target, and from -k if it was given. It
// considers the filters whose rate on new messages is at most the target. It chooses the filter with the most messages
// per cycle.
func (c *call) size(s *settings) {
	c.need("m")
	arrays := arraysOf(s.rule)
	s.total = c.number("m", arrays, arrays*filterBits, arrays)
	k := int(c.number("k", 1, bloomproof.MaxK, 0))
	c.enum("hashing", &s.g.Hashing)
	p, _ := s.target.Float64()
	if p == 0 || p == 1 {
		c.fail(&bloomproof.ParamError{Param: "target", Value: s.targetText, Want: "above 0 and below 1 as a float64"})
	}
	if c.err != nil {
		return
	}
	defer newProgress(c.stderr).clock("sizing")()
	best, err := approxrecycling.MostMessages(bloomproof.Geometry{M: s.total / arrays, K: k, Hashing: s.g.Hashing}, s.rule, p)
	if err != nil {
		c.fail(outOfRange("target", err))
	}
	s.g.M, s.g.K, s.rule.Sigma = best.M, best.K, best.Sigma
}

func replay(c *call) (report, error) {
	s, err := c.settings()
	if err != nil {
		return nil, err
	}
	file, err := c.pageFile()
	if err != nil {
		return nil, err
	}
	defer file.drop()
	r, err := c.replay(s)
	var partial *partialError
	if err != nil && !errors.As(err, &partial) {
		return nil, err
	}
	if err := file.putPage(r); err != nil {
		return nil, err
	}
	return r, err
}

// The method "replay" runs a filter on the trace. After an interrupt the error is a *partialError, and the report
// describes the part of the trace before the interrupt.
func (c *call) replay(s settings) (r replayReport, err error) {
	in, err := openKeys(c.text("trace"), c.stdin, s.key)
	if err != nil {
		return r, err
	}
	defer in.close()
	if s.warmup.Sign() > 0 && !in.canRewind() {
		return r, &usageError{"warmup", "must be 0 for a trace that cannot be read twice"}
	}
	p := newProgress(c.stderr)
	defer p.done()
	t, err := newReplayer(s, p)
	if err != nil {
		return r, err
	}
	if err := t.parts(c.ctx, in); err != nil {
		return r, interrupted(err, 0)
	}
	t.begin, t.in = time.Now(), in
	err = eachLine(c.ctx, in, t.observe)
	cut := errors.Is(err, context.Canceled) && t.seen > t.skip
	if err != nil && !cut {
		return r, interrupted(err, t.seen)
	}
	p.done()
	if err := c.noKeys(in); err != nil {
		return r, err
	}
	r, failed := t.report(time.Since(t.begin), cut)
	if failed != nil {
		return r, failed
	}
	r.trace = c.text("trace")
	if !s.quiet {
		c.warnOfKeys(in, uint64(r.Distinct), t.seen)
	}
	if cut {
		return r, &partialError{interrupted(err, t.seen)}
	}
	return r, nil
}

// The method "parts" divides the trace into the warm-up and the two halves of the remaining arrivals. It reads the
// trace once.
func (t *replayer) parts(ctx context.Context, in *traceFile) error {
	half := uint64(0)
	if in.canRewind() && (t.sample == nil || t.s.warmup.Sign() > 0) {
		total, err := linesOf(ctx, in)
		if err != nil {
			return err
		}
		t.skip = floor(t.s.warmup, total)
		half = (total - t.skip) / 2
	}
	if t.sample == nil {
		t.traffic = trace.NewEstimator(trace.Options{Warmup: t.skip, Half: half})
		t.replicas, _ = trace.NewReplicas(t.s.g, t.s.rule, t.skip)
	}
	return nil
}

// linesOf counts the lines of the trace and rewinds it.
func linesOf(ctx context.Context, in *traceFile) (uint64, error) {
	total := uint64(0)
	if err := eachLine(ctx, in, func([]byte) error { total++; return nil }); err != nil {
		return 0, err
	}
	return total, in.rewind()
}

// The function "floor" returns the largest integer that is at most fraction * total.
func floor(fraction *big.Rat, total uint64) uint64 {
	n := new(big.Int).Mul(fraction.Num(), new(big.Int).SetUint64(total))
	return n.Quo(n, fraction.Denom()).Uint64()
}

func interrupted(err error, after uint64) error {
	if errors.Is(err, context.Canceled) {
		return &ioError{"", fmt.Errorf("interrupted after %d arrivals", after)}
	}
	return err
}

// The type "replayer" runs a filter on a trace. It keeps the ground truth of all keys, or of a sample of the keys.
type replayer struct {
	s        settings
	filter   *kernel.RecyclingFilter
	skip     uint64 // the number of arrivals of the warm-up
	seen     uint64
	rate     float64 // the present rate of the filter
	course   course
	in       *traceFile
	begin    time.Time
	progress *progress

	// These fields are used if the replay remembers all keys. The replay distinguishes the keys by a hash that is
	// independent of the filter's hash.
	keys      *requests.Keys
	truth     *truth.Truth
	traffic   *trace.Estimator
	replicas  *trace.Replicas // nil if the replicas have no model
	predicted float64         // the number of false negatives that the replicas predict
	counts    truth.Counts
	unseen    sum     // the sum of the rates before each new arrival
	cycleNew  sum     // the sum of the rates before each cycle-new arrival
	window    *window // set together with clock, otherwise nil
	clock     *clock

	sample *truth.Sample // nil if all keys are kept
	hasher kernel.Hasher
}

func newReplayer(s settings, p *progress) (*replayer, error) {
	f, err := kernel.NewRecycling(s.g, s.rule, kernel.Options{Seed: s.seed})
	if err != nil {
		return nil, err
	}
	t := &replayer{s: s, filter: f, course: newCourse(), progress: p}
	if s.memory > 0 {
		t.sample = truth.NewSample(s.rule, s.memory)
		t.hasher, err = requests.NewHasher()
	} else {
		t.truth = truth.Of(s.rule)
		t.keys, err = requests.NewKeys()
	}
	if s.window > 0 {
		t.window, t.clock = newWindow(s.window), newClock()
	}
	if err != nil {
		return nil, &ioError{"", err}
	}
	return t, nil
}

// The method "observe" passes one arrival to the filter and to the ground truth.
func (t *replayer) observe(key []byte) error {
	t.count(key)
	if t.seen == t.skip+t.course.next {
		t.course.note(t.soFar())
	}
	if t.seen&0xffff == 0 {
		t.show()
	}
	return nil
}

func (t *replayer) soFar() soFar {
	if s := t.sample; s != nil {
		return soFar{s.Arrivals, s.Recycles, s.FalsePositives, s.FalseNegatives, 0}
	}
	n := &t.counts
	return soFar{n.Arrivals, n.Recycles, float64(n.FalsePositives), float64(n.FalseNegatives), t.predicted}
}

func (t *replayer) count(key []byte) {
	t.seen++
	var at int64
	if t.window != nil {
		key, at = timeOf(key)
	}
	if t.clock != nil && t.seen > t.skip {
		t.clock.observe(max(at, t.window.latest()), t.soFar())
	}
	rate := t.rate
	o := t.filter.Observe(key)
	if o.NewBits > 0 {
		t.rate = t.filter.Rate()
	}
	if t.sample != nil {
		t.sample.Observe(t.hasher.Bytes(key), o, rate, t.seen > t.skip)
		return
	}
	number := t.keys.Number(key)
	t.traffic.Observe(number)
	class := t.truth.Observe(number, o)
	if t.replicas != nil {
		t.predicted += t.replicas.Observe(number)
	}
	if t.window != nil {
		t.window.observe(number, at, t.seen > t.skip, o.Recycled)
	}
	if t.seen <= t.skip {
		return
	}
	t.counts.Add(class, o)
	switch class {
	case truth.New:
		t.unseen.add(rate)
		t.cycleNew.add(rate)
	case truth.Forgotten:
		t.cycleNew.add(rate)
	}
}

// The method "show" prints the progress of the replay.
func (t *replayer) show() {
	took := time.Since(t.begin).Seconds()
	share := t.in.read()
	left := ""
	if share > 0 {
		left = fmt.Sprintf("%s %.0f %%, %.0f s left, ", bar(share), 100*share, took*(1-share)/share)
	}
	t.progress.show("%s%d arrivals, %.3g a second, %d recycles", left, t.seen, float64(t.seen)/took, t.filter.State().Cycle)
}
