package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/bloomproof/bloomproof"
	approxrecycling "github.com/bloomproof/bloomproof/approx/recycling"
	"github.com/bloomproof/bloomproof/exact"
	exactrecycling "github.com/bloomproof/bloomproof/exact/recycling"
)

var recycleCommand = command{
	name:    "recycle",
	summary: "the long-term rate and capacity of a filter that clears itself, or the best threshold",
	about: `
For traffic that is all new: the average false-positive rate, in the long run, of a filter
that clears itself again and again, and its capacity, the expected number of new arrivals
in a cycle, the one that ends it included (Dozier et al., "Modeling average false positive
rates of recycling Bloom filters").
  -sigma S     clears when more than S bits are set
  -messages N  clears at the N-th message that sets a bit
  -target F    finds the largest S whose rate is at most F, with -k or with the k that
               then has the largest capacity (of equal ones the smallest)
-target is decided by the exact rates at S and S+1; what the choice of k rests on stands
under proof. With two phases -m is each array's, but with -target the memory of both.

With a workload (-popularity and -repeat, or -trace) -target finds the filter that forgets
least: of -m bits in all arrays together, or the fewest bits that bring false negatives down
to -fnr. It chooses k, S, one phase or two, and whether to retain, as far as these are not
given. -target means what it does without a workload: the average over the arrivals of a
cycle if all were new, which is exact and does not depend on the workload; the rates of false
positives under the workload, in which filters spend longer near their fullest, stand below.
False negatives are per arrival. -frontier shows what other rates of false positives would
give. What is forgotten is found

  by the gaps        with -trace: by counting what cycles of every length would forget of the trace,
                     from an empty filter on, in whatever order its keys come; with its 99 %
                     interval for one filter on such a trace, which has that of replay for the
                     filter found in it. With few cycles in the trace that is wide. It does not
                     choose to retain, which spares one key in a cycle. "As many more" is the 99 % interval for as many arrivals after those of the
                     trace, if the rate changes as from one quarter of the trace to the next;
                     -confidence sizes by the upper end of such an interval. What the trace has
                     not seen, such as keys that return after longer than it lasts, is in no
                     interval. False positives under the workload are those that replay
                     predicts, for which the trace is read once more. From standard input, or
                     of a sample, they are those of keys that are all new, and the interval
                     takes it that cycles differ independently
  by the popularity  otherwise: by the most accurate of the models that "bloomproof fnr"
                     explains, which take arrivals as independent. They were made for
                     copy-over; without it the gaps, for which a sample of 65,536 keys is
                     kept unless -keys or -memory says otherwise, are much nearer

-report writes a page for a browser that needs no network, with advice in plain words and the
frontier; with a trace that can be read again the filter is tried on it, and the page has what
was measured.

The true values lie between lo and hi, which are rounded outward. Beside them stand
  printed  what the paper's formulas give as they are printed: the capacity (22), (23)
           ends at sigma bits instead of beyond, retaining (10) inserts another message
           than the trigger, the frozen array (24) is the one before the trigger, and two
           phases (26) take the arrays as independent; - (in JSON null) where they
           contradict themselves (retaining with sigma below 2k, classic below k)
  fluid    the limit of many bits at the same sigma/m
  worst    (1): n messages, after which the rate of the next is f_w
  oracle   (2): n messages, known to be new, with the mean rate f_o
  average  (3): n messages that set a bit, with f_a, which estimates their mean rate
The last three are the naive ways to size a filter, with (1) at n = i-1 for message i; for
-target they have the best k of their own, and n stands beside the capacity (for average,
the arrivals that (3) expects). They were made for standard hashing.

absorbing: the filter comes to call every message a repeat and never clears itself again.
The rate is 1 then and there is no capacity.`,
	example: `
  $ bloomproof recycle -m 8Mi -target 0.01
  filter    standard, m=8388608 k=6 sigma=5085549 retain=false phases=1 positions=fixed
  memory    8388608 bits
  target    0.01
  rate      0.0099999883823976698
  capacity  1303066.9262871354
  proof     proven

  naive        n        k  capacity       of the best
  average (3)  1297013  6  1310114.11837  100.54 %
  oracle (2)   1303067  6  1303067        100.00 %
  worst (1)    874455   7  874455         67.11 %`,
	flags: append([]flagSpec{
		{"m", "BITS", "bits of each array, 1 to 2^64-1; with -target, of all arrays together"},
		{"k", "K", "positions per message, 1 to 4096 (with -target default: the best)"},
		{"sigma", "BITS", "clear when more than this many bits of the array are set (below m)"},
		{"messages", "N", "instead of -sigma: clear at the N-th message that sets a bit"},
		{"target", "RATE", "instead of both: the rate to be reached, a decimal above 0 and below 1"},
		{"hashing", "standard|classic", "k independent positions (standard, the default); k distinct ones (classic)"},
		{"retain", "", "insert the message that triggers a recycle into the cleared array"},
		{"phases", "1|2", "one array, or an active and a frozen one (default 1)"},
		{"copy", "true|false", "two phases: record what the frozen array knows in the active one too (default true)"},
		{"freeze", "after|before", "two phases: freeze the array with the trigger's bits or without (default after)"},
		{"positions", "fixed|fresh", "two phases: both arrays see the same positions of a message, or independent ones\n(default fixed)"},
		{"fnr", "RATE", "with -target and a workload: the rate of false negatives to be reached,\nwithout -m by the fewest bits"},
		{"confidence", "C", "with -trace: the probability with which as many arrivals more keep -fnr, a decimal from 0.5 to\nbelow 1 (default: those of the trace keep it)"},
		repeatFlag, popularityFlag, arrivalsFlag,
		{"trace", "FILE", "instead of these: the workload of a trace, one key a line, plain or gzip; - is standard input"},
		{"warmup", "FRACTION", "of the trace, whose keys are only known to have come, 0 up to, not including, 1 (default 0)"},
		{"keys", "N", fmt.Sprintf("of the trace, about how many keys to keep apart, %d to 2^30, at some 200 bytes each; the others are\nestimated from a sample (default: all)", minKeys)},
		{"model", "gaps|popularity", "with -trace: by what cycles forget of the trace itself (default), or by models of a workload\nwith its popularity"},
		{"memory", "BYTES", fmt.Sprintf("instead of -keys: what is kept of keys, %d bytes each, %d with -copy=false by the gaps,\n%d to 2^30 of them", bytesAKey, bytesWithoutCopy, minKeys)},
		{"frontier", "", "with a workload: also the least false negatives for other rates of false positives"},
		digitsFlag,
		reportFlag,
	}, keyFlags...),
	run: recycle,
}

// cycleReport is a part of every report of the command "recycle". It repeats the settings, and has the answers that all
// forms of this command give.
type cycleReport struct {
	Hashing bloomproof.Hashing `json:"hashing"`
	M       count              `json:"m"`
	K       int                `json:"k"`
	ruleInForce
	FPR       enclosure  `json:"fpr"`
	Capacity  *enclosure `json:"capacity"` // nil when absorbing
	Absorbing bool       `json:"absorbing"`
}

// bitsReport is the answer of the command "recycle" with the flag -sigma.
type bitsReport struct {
	cycleReport
	FPRPrinted      *string      `json:"fpr_printed"`
	CapacityPrinted *string      `json:"capacity_printed"`
	Fluid           *fluidReport `json:"fluid"` // nil when absorbing, and for sigma = 0
}

type fluidReport struct {
	FPR      twelve `json:"fpr"`
	Capacity twelve `json:"capacity"`
}

// Numbers of the type "twelve" are printed with twelve significant digits. These digits are the same on every
// architecture.
type twelve float64

// String returns x as text with 12 significant digits.
func (x twelve) String() string { return strconv.FormatFloat(float64(x), 'g', 12, 64) }

// MarshalJSON returns the result of String as a JSON string. The error is always nil.
func (x twelve) MarshalJSON() ([]byte, error) { return []byte(`"` + x.String() + `"`), nil }

// messagesReport is the answer of the command "recycle" with the flag -messages.
type messagesReport struct {
	cycleReport
	Oracle  *string `json:"oracle"`
	Average *string `json:"average"`
	Worst   *string `json:"worst"`
}

func recycle(c *call) (report, error) {
	if c.wantsFNR() {
		return recycleWithPage(c)
	}
	c.absent("without -trace or a workload", "report")
	if c.has("target") {
		return recycleTarget(c)
	}
	r := c.recycling(false, false)
	g := c.geometry(1<<64 - 1)
	digits := c.digits()
	if c.err == nil {
		c.err = r.Validate(g)
	}
	if c.err != nil {
		return nil, c.err
	}
	defer newProgress(c.stderr).clock("computing")()
	base, err := cycleOf(g, r, digits)
	if err != nil {
		return nil, err
	}
	if r.Messages > 0 {
		return naiveRates(base, g, r, digits)
	}
	return printedAndFluid(base, g, r, digits)
}

// cycleOf returns a report with the exact numbers about a cycle.
func cycleOf(g bloomproof.Geometry, r bloomproof.Recycling, digits int) (cycleReport, error) {
	c, err := exactrecycling.New(g, r)
	if err != nil {
		return cycleReport{}, err
	}
	name := "sigma"
	if r.Messages > 0 {
		name = "messages"
	}
	prec := exact.PrecFor(digits)
	f, err := c.FPR(prec)
	if err != nil {
		return cycleReport{}, outOfRange(name, err)
	}
	n, err := c.Capacity(prec)
	if err != nil && !c.Absorbing() {
		return cycleReport{}, outOfRange(name, err)
	}
	report, err := describe(c, g, r, f, digits)
	if err != nil || report.Absorbing {
		return report, err
	}
	capacity, err := enclose(n, digits)
	report.Capacity = &capacity
	return report, err
}

// The function "describe" returns a report with the settings and the rate of the cycle c, but without its capacity.
func describe(c *exactrecycling.Cycle, g bloomproof.Geometry, r bloomproof.Recycling, f exact.Enclosure, digits int) (cycleReport, error) {
	rate, err := enclose(f, digits)
	return cycleReport{g.Hashing, count(g.M), g.K, inForce(r), rate, nil, c.Absorbing()}, err
}

// printedAndFluid adds three fields to a report. The fields FPRPrinted and CapacityPrinted follow from the formulas as
// printed in the paper. The field Fluid has the limits for large m.
func printedAndFluid(base cycleReport, g bloomproof.Geometry, r bloomproof.Recycling, digits int) (report, error) {
	b := bitsReport{cycleReport: base}
	c, err := exactrecycling.New(g, r)
	if err != nil {
		return nil, err
	}
	for _, x := range []struct {
		to  **string
		get func(uint) (exact.Enclosure, error)
	}{{&b.FPRPrinted, c.FPRPrinted}, {&b.CapacityPrinted, c.CapacityPrinted}} {
		e, err := x.get(exact.PrecFor(digits))
		if *x.to, err = midOrNil(e, err, digits); err != nil {
			return nil, outOfRange("sigma", err)
		}
	}
	if f, n, ok := fluid(g, r); ok && !b.Absorbing {
		b.Fluid = &fluidReport{twelve(f), twelve(n)}
	}
	return b, nil
}

// The function "fluid" returns the rate and the capacity in the limit of large m. Let s = sigma/m. With two phases, a
// look-up in the frozen array alone has the false-positive rate s^k. Without copy-over the cycle is longer by the
// factor 1/(1-s^k).
func fluid(g bloomproof.Geometry, r bloomproof.Recycling) (rate, capacity float64, ok bool) {
	c, err := approxrecycling.New(g, bloomproof.Recycling{Sigma: r.Sigma, Retain: r.Retain})
	if err != nil {
		return 0, 0, false
	}
	rate, capacity, err = c.Fluid(false)
	if err != nil {
		return 0, 0, false
	}
	if r.TwoPhase {
		frozen := math.Pow(float64(r.Sigma)/float64(g.M), float64(g.K))
		rate += frozen - rate*frozen
		if r.NoCopyOver {
			capacity /= 1 - frozen
		}
	}
	return rate, capacity, true
}

// naiveRates adds the rates of equations (1), (2) and (3) of Dozier-FP. It computes in float64 if the exact sums have
// too many terms.
func naiveRates(base cycleReport, g bloomproof.Geometry, r bloomproof.Recycling, digits int) (report, error) {
	b := messagesReport{cycleReport: base}
	c, err := exactrecycling.New(g, r)
	if err != nil {
		return nil, err
	}
	for _, x := range []struct {
		to  **string
		get func(uint) (exact.Enclosure, error)
		of  approxrecycling.Naive
	}{{&b.Oracle, c.Oracle, "oracle"}, {&b.Average, c.Average, "average"}, {&b.Worst, c.Worst, "worst"}} {
		e, err := x.get(exact.PrecFor(digits))
		if errors.Is(err, bloomproof.ErrTooCostly) {
			f, err := approxrecycling.NaiveRate(bloomproof.Geometry{M: g.M, K: g.K}, r.Messages, x.of)
			if err != nil {
				return nil, err
			}
			text := twelve(f).String()
			*x.to = &text
			continue
		}
		if *x.to, err = midOrNil(e, err, digits); err != nil {
			return nil, outOfRange("messages", err)
		}
	}
	return b, nil
}

// midOrNil returns the midpoint of e as a decimal, or nil if e is undefined.
func midOrNil(e exact.Enclosure, err error, digits int) (*string, error) {
	if errors.Is(err, bloomproof.ErrUndefined) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	_, mid, _, err := e.Decimal(digits)
	return &mid, err
}

// The method "head" prints the description of the filter and the exact numbers about its cycle.
func (r cycleReport) head(w io.Writer) {
	fmt.Fprintf(w, "filter\t%s\n", r.filter())
	fmt.Fprintf(w, "rate lo\t%s\nrate mid\t%s\nrate hi\t%s\n", r.FPR.Lo, r.FPR.Mid, r.FPR.Hi)
	if r.Capacity != nil {
		fmt.Fprintf(w, "capacity lo\t%s\ncapacity mid\t%s\ncapacity hi\t%s\n", r.Capacity.Lo, r.Capacity.Mid, r.Capacity.Hi)
	}
	if r.Absorbing {
		fmt.Fprintf(w, "absorbing\ttrue: it never clears itself again\n")
	}
}

// The method "filter" returns a description of the filter in one line.
func (r cycleReport) filter() string {
	return fmt.Sprintf("%v, m=%d k=%d %s", r.Hashing, r.M, r.K, r.text())
}

func (r bitsReport) print(w io.Writer) {
	r.head(w)
	fmt.Fprintf(w, "printed rate\t%s\nprinted capacity\t%s\n", orDash(r.FPRPrinted), orDash(r.CapacityPrinted))
	if r.Fluid != nil {
		fmt.Fprintf(w, "fluid rate\t%v\nfluid capacity\t%v\n", r.Fluid.FPR, r.Fluid.Capacity)
	}
}

func (r messagesReport) print(w io.Writer) {
	r.head(w)
	fmt.Fprintf(w, "average (3)\t%s\noracle (2)\t%s\nworst (1)\t%s\n", orDash(r.Average), orDash(r.Oracle), orDash(r.Worst))
}
