package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/sim"
)

const (
	defaultRuns   = 20
	defaultCycles = 20
)

var simulateCommand = command{
	name:    "simulate",
	summary: "measure rates on the real filters by discrete-event simulation, with intervals",
	about: `
Runs independent replications, each with a hash function and arrivals of its own, and
prints what they measured. The flags say what is simulated:
  fpr, counting  -n (and -increment): a filter or a counting filter that is filled with n
                 items, probed with n+64 others and cleared; with -increment also the
                 correct rate of Fan (25), for items that were added once
  recycle        -sigma or -messages: a recycling filter, every message new
  fnr            also -popularity and -repeat: a recycling filter under the workload of
                 Dozier-FN, 3.1; all D messages of the pool arrived before the beginning.
                 -positions is fresh by default here, and fixed otherwise

A run counts whole cycles, from one recycle to another, after a warm-up of 4; it needs
-cycles, or goes on to the end of the cycle in which it has its share of -arrivals-total.
A filling with its probes counts as a cycle, its items and probes as arrivals. The same
flags and -seed give the same figures.

  fpr per_arrival, per_new  new messages called a repeat, by all arrivals and by the new
  fpr per_cycle_new         messages recorded in no array that are called a repeat, by all
                            such (count-instance of Dozier-FP, II-E)
  fpr count_first           the same by all arrivals
  fpr count_each            all arrivals of messages whose first one, since they were
                            last forgotten, was such a positive, by all arrivals
  fnr                       messages that arrived before, are recorded in no array and
                            are called new, by all arrivals
  capacity, cycle           arrivals a cycle, those recorded in no array and all

With -block the real filter takes blocks of 64 to 4096 bits, a power of two; -ideal any. A
real recycling filter with blocks has -messages, one phase and no -retain; -ideal any rule.

Rates are hits over trials of all runs together; low and high are 99 % intervals of
Student's t over the runs, and never narrower than those of as many independent trials.
- (in JSON null) stands where there was no trial. absorbing tells that some run came to a
state in which no message can set a bit: it never recycles again, and what was measured
depends on how long it went on.`,
	example: `
  $ bloomproof simulate -m 1Ki -k 4 -sigma 512 -cycles 100 -seed 1
  filter     standard, m=1024 k=4 sigma=512 retain=false phases=1 positions=fixed
  traffic    new
  simulated  356428 arrivals in 2000 cycles, 20 runs, seed 1
  ...
  rate                          measured   99 % low   99 % high
  ...
  false positive per cycle-new  0.0157507  0.0151632  0.0163382
  ...
  capacity                      178.214    177.965    178.463`,
	flags: []flagSpec{
		{"m", "BITS", "bits of each array, or counters, 1 to 2^48"},
		kFlag,
		ratesFlag, blockFlag,
		{"n", "ITEMS", "items inserted, 0 to 2^40"},
		{"increment", "distinct|literal", "simulate counters: once for each distinct counter or once for each hash function"},
		{"sigma", "BITS", "recycle when more than this many bits of the array are set (below m)"},
		{"messages", "N", "instead of -sigma: recycle at the N-th message that sets a bit"},
		{"phases", "1|2", "one array, or an active and a frozen one (default 1)"},
		{"retain", "", "insert the message that triggers a recycle into the cleared array"},
		{"copy", "true|false", "two phases: record what the frozen array knows in the active one too (default true)"},
		{"freeze", "after|before", "two phases: freeze the array with the trigger's bits or without (default after)"},
		{"positions", "fixed|fresh", "positions for the filter's life, or anew each cycle (default fixed;\nwith -popularity fresh)"},
		repeatFlag, popularityFlag, arrivalsFlag,
		{"cycles", "C", fmt.Sprintf("cycles of each run (default %d)", defaultCycles)},
		{"arrivals-total", "A", "instead of -cycles: arrivals of all runs together"},
		{"runs", "R", fmt.Sprintf("independent replications, 2 to 2^20 (default %d)", defaultRuns)},
		{"seed", "SEED", "0 to 2^64-1 (default 0)"},
		{"ideal", "", "draw uniform positions instead of hashing for them"},
	},
	run: simulate,
}

// simulateReport is the result of the command "simulate". The settings are repeated in the field Runs and in all later
// fields.
type simulateReport struct {
	FPR struct {
		fprs[rate]
		CountFirst *rate `json:"count_first"`
		CountEach  *rate `json:"count_each"`
	} `json:"fpr"`
	FNR       *rate `json:"fnr"`
	Correct   *rate `json:"correct,omitempty"`
	Capacity  *rate `json:"capacity,omitempty"`
	Cycle     *rate `json:"cycle,omitempty"`
	Absorbing *bool `json:"absorbing,omitempty"`
	Arrivals  count `json:"arrivals"`
	Cycles    count `json:"cycles"`

	Confidence decimal            `json:"confidence"`
	Runs       count              `json:"runs"`
	Seed       count              `json:"seed"`
	Ideal      bool               `json:"ideal"`
	M          count              `json:"m"`
	K          int                `json:"k"`
	Hashing    bloomproof.Hashing `json:"hashing"`
	Block      count              `json:"block"` // 0 if the filter has no blocks
	*fillingInForce
	*ruleInForce
	Traffic string `json:"traffic,omitempty"`
}

type fillingInForce struct {
	N         count  `json:"n"`
	Increment string `json:"increment,omitempty"`
}

// filterBits is the largest number of bits that kernel.New accepts.
const filterBits = 1 << 48

func simulate(c *call) (report, error) {
	g := c.geometry(filterBits)
	p := c.plan()
	r := &simulateReport{
		Confidence: confidence, Runs: count(p.Runs), Seed: count(p.Seed), Ideal: p.Ideal,
		M: count(g.M), K: g.K, Hashing: g.Hashing, Block: count(g.Block),
	}
	var run func(context.Context, sim.Plan) error
	recycling := c.has("sigma") || c.has("messages")
	traffic := c.has("popularity") || c.has("repeat") || c.has("arrivals")
	switch {
	case recycling || traffic:
		c.absent("when -sigma, -messages or a workload is given", "n", "increment")
		run = c.recyclingRun(g, r, traffic)
	default:
		c.absent("unless -sigma or -messages is given", "phases", "retain", "copy", "freeze", "positions")
		if !c.has("n") {
			c.fail(&usageError{"n", "must be given, or -sigma or -messages instead"})
		}
		run = c.fillingRun(g, r)
	}
	if c.err != nil {
		return nil, c.err
	}
	shown := newProgress(c.stderr)
	defer shown.done()
	seen := uint64(0)
	p.Progress = func(n uint64) {
		seen = n
		shown.show("%d arrivals", n)
	}
	if err := run(c.ctx, p); err != nil {
		return nil, interrupted(err, seen)
	}
	return r, nil
}

// The method "absent" checks that none of the flags in the list "names" was given. If one was given, it records a usage
// error that names this flag.
func (in *inputs) absent(when string, names ...string) {
	for _, name := range names {
		if in.has(name) {
			in.fail(&usageError{name, "must be absent " + when})
		}
	}
}

// The method "plan" returns the number and the length of the simulations that the flags define.
func (in *inputs) plan() sim.Plan {
	p := sim.Plan{
		Runs:     int(in.number("runs", 2, 1<<20, defaultRuns)),
		Cycles:   in.number("cycles", 1, 1<<64-1, 0),
		Arrivals: in.number("arrivals-total", 1, 1<<64-1, 0),
		Seed:     in.number("seed", 0, 1<<64-1, 0),
		Ideal:    in.boolean("ideal", false),
	}
	if in.has("cycles") && in.has("arrivals-total") {
		in.fail(&usageError{"arrivals-total", "must be absent when -cycles is given"})
	}
	if p.Cycles == 0 && p.Arrivals == 0 {
		p.Cycles = defaultCycles
	}
	return p
}

// fillingRun returns a function that simulates the filling of a filter and stores the results in r.
func (c *call) fillingRun(g bloomproof.Geometry, r *simulateReport) func(context.Context, sim.Plan) error {
	n := c.number("n", 0, 1<<40, 0)
	r.fillingInForce = &fillingInForce{N: count(n)}
	increment := c.increment()
	counting := c.has("increment")
	if counting {
		r.Increment = increment.String()
	}
	return func(ctx context.Context, p sim.Plan) error {
		if !counting {
			runs, err := sim.Fill(ctx, g, n, p)
			return r.measure(runs, err)
		}
		runs, err := sim.FillCounting(ctx, g, n, increment, p)
		if err := r.measure(runs, err); err != nil {
			return err
		}
		return estimate99(runs, sim.Rate, []measured{{&r.Correct, (*sim.Tally).CorrectRate}})
	}
}

// recyclingRun returns a function that simulates a recycling filter and stores the results in r.
func (c *call) recyclingRun(g bloomproof.Geometry, r *simulateReport, traffic bool) func(context.Context, sim.Plan) error {
	w := bloomproof.Workload{Popularity: bloomproof.Uniform(1)} // a workload without repeats
	var rule bloomproof.Recycling
	r.Traffic = "new"
	if !traffic {
		rule = c.recycling(false, false)
	} else {
		rule = c.recycling(false, true)
		w = c.workload()
		r.Traffic = w.String()
	}
	if c.err == nil {
		c.err = rule.Validate(g)
	}
	recycles := inForce(rule)
	r.ruleInForce = &recycles
	return func(ctx context.Context, p sim.Plan) error {
		runs, err := sim.Run(ctx, g, rule, w, p)
		var param *bloomproof.ParamError
		if errors.As(err, &param) && param.Param == "D" {
			return &usageError{"popularity", err.Error()}
		}
		r.Absorbing = new(bool)
		for i := range runs {
			*r.Absorbing = *r.Absorbing || runs[i].Absorbed
		}
		if *r.Absorbing && p.Cycles > 0 {
			return &usageError{"cycles", "must be absent and -arrivals-total be given: the filter comes to a state in which no message can set a bit, and never recycles again"}
		}
		if err := r.measure(runs, err); err != nil {
			return err
		}
		return estimate99(runs, sim.Ratio, []measured{
			{&r.Capacity, (*sim.Tally).Capacity},
			{&r.Cycle, (*sim.Tally).Cycle},
		})
	}
}

// The method "measure" stores in r the results that both kinds of simulations have. In a simulation of the filling
// of a filter, every item that is looked up is new and arrives once. So there is only one rate, and there are no false
// negatives.
func (r *simulateReport) measure(runs []sim.Tally, err error) error {
	if err != nil {
		return err
	}
	for i := range runs {
		r.Arrivals += count(runs[i].Items + runs[i].Arrivals)
		r.Cycles += count(runs[i].Recycles)
	}
	return estimate99(runs, sim.Rate, []measured{
		{&r.FPR.PerArrival, (*sim.Tally).PerArrival},
		{&r.FPR.PerNew, (*sim.Tally).PerNew},
		{&r.FPR.PerCycleNew, (*sim.Tally).PerCycleNew},
		{&r.FPR.CountFirst, (*sim.Tally).CountFirst},
		{&r.FPR.CountEach, (*sim.Tally).CountEach},
		{&r.FNR, (*sim.Tally).FalseNegative},
	})
}

// The type "measured" has a pointer to the field of a report where a rate is stored. The field "of" is a function. It
// returns the hits and the trials of this rate in one run.
type measured struct {
	to **rate
	of func(*sim.Tally) (hits, trials uint64)
}

// estimate99 estimates the rate of each element of rows. It stores the estimate and its 99 % interval in the report.
// The argument "by" is sim.Rate or sim.Ratio.
func estimate99(runs []sim.Tally, by func([]sim.Tally, func(*sim.Tally) (uint64, uint64), float64) (*sim.Interval, error), rows []measured) error {
	for _, row := range rows {
		x, err := by(runs, row.of, confidence)
		if err != nil {
			return err
		}
		if x != nil {
			*row.to = &rate{decimal(x.Mean), decimal(x.Low), decimal(x.High)}
		}
	}
	return nil
}

func (r *simulateReport) print(w io.Writer) {
	fmt.Fprintf(w, "filter\t%v, m=%d k=%d%s", r.Hashing, r.M, r.K, ofBlock(r.Block))
	if f := r.fillingInForce; f != nil {
		fmt.Fprintf(w, " n=%d", f.N)
		if f.Increment != "" {
			fmt.Fprintf(w, ", %s increments", f.Increment)
		}
	}
	if r.ruleInForce != nil {
		fmt.Fprintf(w, " %s\ntraffic\t%s", r.text(), r.Traffic)
	}
	fmt.Fprintf(w, "\nsimulated\t%d arrivals in %d cycles, %d runs, seed %d", r.Arrivals, r.Cycles, r.Runs, r.Seed)
	if r.Ideal {
		fmt.Fprint(w, ", ideal positions")
	}
	fmt.Fprint(w, "\n\nrate\tmeasured\t99 % low\t99 % high\n")
	if r.fillingInForce != nil {
		fmt.Fprintf(w, "false positive\t%v\n", r.FPR.PerNew)
		if r.Correct != nil {
			fmt.Fprintf(w, "correct\t%v\n", r.Correct)
		}
		return
	}
	fmt.Fprintf(w, "false positive per arrival\t%v\n", r.FPR.PerArrival)
	fmt.Fprintf(w, "false positive per new\t%v\n", r.FPR.PerNew)
	fmt.Fprintf(w, "false positive per cycle-new\t%v\n", r.FPR.PerCycleNew)
	fmt.Fprintf(w, "count-first\t%v\n", r.FPR.CountFirst)
	fmt.Fprintf(w, "count-each\t%v\n", r.FPR.CountEach)
	fmt.Fprintf(w, "false negative per arrival\t%v\n", r.FNR)
	fmt.Fprintf(w, "capacity\t%v\n", r.Capacity)
	fmt.Fprintf(w, "arrivals a cycle\t%v\n", r.Cycle)
	if *r.Absorbing {
		fmt.Fprint(w, "\nabsorbing: no message can set a bit any more in some run\n")
	}
}
