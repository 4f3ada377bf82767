package main

import (
	"errors"
	"fmt"
	"io"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/internal/shapes"
	"github.com/bloomproof/bloomproof/verify/like"
)

var sizeCommand = command{
	name:    "size",
	summary: "the best k, the fewest bits or the most items, judged by the exact rate",
	about: `
Of -m, -n and -fpr give two:
  -m and -n    the k of least rate
  -n and -fpr  the fewest bits with a rate of at most -fpr, and the best k for them
  -m and -fpr  the most items with a rate of at most -fpr, and the best k for them
With -k, that k is kept. A partitioned filter has a k that divides m.

The rate is the mean of all filters with -n items. That of one filter depends on how many bits
its items set. With -confidence C, sizes are judged by the rate that one filter keeps with
probability C: -fpr then holds for that share of all filters, and the answer shows the rate that
it keeps beside the mean. A partitioned filter is judged as if its slices were equally full: it
keeps that rate, and perhaps a lower one. One with blocks is judged by a bound: with that
probability or more it keeps the rate, and fewer bits may do.

The answer is certain: rates are compared as enclosures, equal ones as fractions. What
is proven for the choice of k stands under proof. Beside it stand the textbook formulas,
k = (m/n) ln 2 rounded, m = -n log2 p/ln 2 rounded up and n = -m ln 2/log2 p rounded
down, and the true rate of what they answer; - (in JSON null) where it is no filter,
or where the rate with blocks would take too long.
Thousands of positions an item take seconds.

Of double hashing and its kin it is known that the rate grows with n, but not that it falls with
m. The fewest bits are then proven by a lower bound that excludes small m, and by trying all
others below the answer. Where these are too many, proof names those that were not tried.

With -block, an item has its k positions in one block of that many bits, so that a
look-up reads one cache line: m is a whole number of blocks, the textbook's rounded up to
one. With -n and -fpr the answer then shows what the standard filter and the usual
blocked shapes need for the same rate in the mean of all filters, in bits a key, and how
many cache lines of 512 bits a look-up of a key that is there reads at most.

With -like, the filter is that of another library (bloomproof like): m and k are those of
the m and k that it permits, and with -n and -fpr its own choice stands beside them, with
the rate that this has. Where the rate can only be simulated, nothing is proven:
at most 8 sizes are simulated, each with random keys of its own and a fixed seed, and the
answer is the least whose rate is at most the one asked for with 99 % confidence in all.
A smaller m may do, by about 1 %, or more where the library permits few m.

With -quick the answer is computed in float64, in about a millisecond, for standard, classic and
partitioned hashing. Its rate has nine digits, lo and hi allow for the errors of float64,
nothing is proven, and no textbook stands beside it.`,
	example: `
  $ bloomproof size -n 1e9 -fpr 1e-6
              exact                      textbook
  m           28755278682                28755175133
  k           20                         20
  n           1000000000                 1000000000
  rate        0.00000099999999997243330  0.0000010000498562217570
  efficiency  0.69314468448676690
  hashing     standard
  proof       proven
  textbook    103549 bits too few: misses the rate`,
	flags: []flagSpec{
		mFlag,
		{"n", "ITEMS", "items inserted, 1 to 2^64-1"},
		{"fpr", "RATE", "the rate to be reached, a decimal above 0 and below 1"},
		{"k", "K", "positions per item, 1 to 4096 (default: the best)"},
		{"confidence", "C", "the probability with which one filter keeps the rate, a decimal from 1e-25 to 1-1e-25 (default: the mean of all filters keeps it)"},
		ratesFlag, blockFlag, likeFlag,
		quickFlag,
		digitsFlag,
	},
	run: size,
}

type sizeReport struct {
	Hashing    bloomproof.Hashing `json:"hashing"`
	Block      count              `json:"block"` // 0 if the filter has no blocks
	M          count              `json:"m"`
	K          int                `json:"k"`
	KLast      int                `json:"k_last"` // all k from k to k_last have the same rate
	N          count              `json:"n"`
	Law        like.Law           `json:"law,omitempty"` // set if the rate is not exact
	FPR        enclosure          `json:"fpr"`
	Confidence string             `json:"confidence,omitempty"` // the text of -confidence
	// FPRAtConfidence is an upper bound of the rate of a single filter. The field Confidence is the probability that
	// this bound holds.
	FPRAtConfidence *enclosure `json:"fpr_at_confidence,omitempty"`
	Efficiency      *string    `json:"efficiency"` // nil if there are no items
	Proof           string     `json:"proof"`
	// Theorems are the Coq theorems that justify the choice of the size. The list is empty if -confidence is given, or
	// if the choice needs an assumption. The theorems do not cover the values of the rates, which are compared by
	// enclosures.
	Theorems []string `json:"theorems,omitempty"`
	Quick    bool     `json:"quick,omitempty"` // true if the answer was computed in float64
	// Heuristic is the textbook answer. Heuristic is nil with -quick, and also if a count of the textbook answer is
	// above 2^64-1.
	Heuristic *heuristic `json:"heuristic"`
	// Alternatives are filters of other shapes for the same -n and -fpr, each with the fewest bits. They are given only
	// with -block.
	Alternatives []alternative `json:"alternatives,omitempty"`
	remark       string
}

// The type "alternative" is a filter of another shape, with the fewest bits for the same rate.
type alternative struct {
	Hashing    bloomproof.Hashing `json:"hashing"`
	Block      count              `json:"block"`
	K          int                `json:"k"`
	M          count              `json:"m"`
	BitsPerKey string             `json:"bits_per_key"`
	// LinesPerLookup is the largest number of cache lines that a look-up of a contained key reads.
	LinesPerLookup uint64 `json:"lines_per_lookup"`
}

// lineBits is the number of bits of a cache line on amd64 and on most arm64 processors.
const lineBits = 512

// perKeyDigits is the number of decimals with which bits per key are printed.
const perKeyDigits = 3

// alternativeShapes are the standard filter and the usual blocked filters. In the first kind of blocked filter, a block
// is a cache line, and a key sets any k bits of this block. In the second kind, a block is a cache line, and a key sets
// one bit in each 64-bit word. The third kind is the split-block filter of Parquet. In this kind, a block is half a
// cache line, and a key sets one bit in each 32-bit word.
var alternativeShapes = []bloomproof.Geometry{
	{},
	shapes.Line(),
	shapes.Words(64),
	shapes.Words(32),
}

// For each shape with which the target rate is possible, the function "alternatives" returns the smallest filter.
func alternatives(n uint64, target *big.Rat) ([]alternative, error) {
	var all []alternative
	for _, g := range alternativeShapes {
		o, err := exact.LeastBits(g, n, target, exact.PrecFor(defaultDigits))
		switch {
		case errors.Is(err, bloomproof.ErrRange), errors.Is(err, bloomproof.ErrTooCostly):
			continue
		case err != nil:
			return nil, err
		}
		within := o.Geometry.M
		if o.Geometry.Block != 0 {
			within = o.Geometry.Block
		}
		all = append(all, alternative{
			Hashing: o.Geometry.Hashing, Block: count(o.Geometry.Block), K: o.Geometry.K, M: count(o.Geometry.M),
			BitsPerKey:     bitsPerKey(count(o.Geometry.M), count(n)),
			LinesPerLookup: min(uint64(o.Geometry.K), (within-1)/lineBits+1),
		})
	}
	return all, nil
}

// The type "heuristic" represents the answer of the textbook formulas.
type heuristic struct {
	M   count      `json:"m"`
	K   count      `json:"k"`
	N   count      `json:"n"`
	FPR *enclosure `json:"fpr"` // nil if there is no such filter, or if the rate takes too long
	// FPRAtConfidence is an upper bound of the rate of a single filter. It holds with the probability that the flag
	// -confidence gives.
	FPRAtConfidence *enclosure `json:"fpr_at_confidence,omitempty"`

	rate exact.Enclosure
}

func size(c *call) (report, error) {
	target, text := c.fraction("fpr")
	if c.has("fpr") && target.Sign() == 0 {
		c.fail(&bloomproof.ParamError{Param: "fpr", Value: text, Want: "above 0 and below 1"})
	}
	given := 0
	for _, name := range []string{"m", "n", "fpr"} {
		if c.has(name) {
			given++
		}
	}
	if given == 3 {
		c.fail(&usageError{"fpr", "must be left out where -m and -n are given: it follows from them"})
	}
	for _, name := range []string{"fpr", "n", "m"} {
		if given < 2 && !c.has(name) {
			c.fail(&usageError{name, "must be given: two of -m, -n and -fpr are needed"})
		}
	}
	confidence, confidenceText := c.fraction("confidence")
	if c.has("confidence") && !confidenceServes(confidence) {
		c.fail(&bloomproof.ParamError{Param: "confidence", Value: confidenceText, Want: "between 1e-25 and 1-1e-25"})
	}
	m := c.number("m", 1, 1<<64-1, 0)
	n := c.number("n", 1, 1<<64-1, 0)
	k := int(c.number("k", 1, bloomproof.MaxK, 0))
	digits := int(c.number("digits", 1, maxDigits, defaultDigits))
	block := c.block()
	var h bloomproof.Hashing
	c.enum("hashing", &h)
	other := c.like("confidence", quickFlag.name)
	quick := c.boolean(quickFlag.name, false)
	if quick {
		c.absent("with -"+quickFlag.name, "confidence", digitsFlag.name)
	}
	if c.err != nil {
		return nil, c.err
	}
	if quick {
		return quickSize(bloomproof.Geometry{M: m, K: k, Hashing: h, Block: block}, n, target)
	}
	defer newProgress(c.stderr).clock("searching")()
	if other != nil {
		return likelySize(c, other, m, n, k, target, digits)
	}
	prec := exact.PrecFor(digits)
	var o exact.Optimum
	var kept exact.Enclosure // the rate that is kept with the given confidence
	var err error
	switch {
	case c.has("confidence"):
		o, kept, err = sure(c, bloomproof.Geometry{M: m, K: k, Hashing: h, Block: block}, n, target, confidence, prec)
	case !c.has("m"):
		o, err = exact.LeastBits(bloomproof.Geometry{K: k, Hashing: h, Block: block}, n, target, prec)
	case !c.has("n"):
		o, err = exact.MostItems(bloomproof.Geometry{M: m, K: k, Hashing: h, Block: block}, target, prec)
	case k > 0:
		o = exact.Optimum{Geometry: bloomproof.Geometry{M: m, K: k, Hashing: h, Block: block}, N: n, Last: k}
		o.Rate, _, err = widest(o.Geometry, n, prec)
	default:
		o, err = exact.OptimalK(bloomproof.Geometry{M: m, Hashing: h, Block: block}, n, prec)
	}
	if err != nil {
		looked := "fpr"
		if !c.has(looked) {
			looked = "m"
		}
		return nil, outOfRange(looked, err)
	}
	r := sizeReport{Hashing: h, Block: count(block), M: count(o.Geometry.M), K: o.Geometry.K, KLast: o.Last, N: count(o.N), Proof: proof(o.Assumes)}
	if o.Assumes == "" && !c.has("confidence") {
		r.Theorems = sizeTheorems(o.Geometry, !c.has("m"), c.has("m") && !c.has("n"), k == 0)
	}
	if r.FPR, err = between(like.Rate{Proven: &o.Rate}, digits); err != nil {
		return nil, err
	}
	if o.Rate.RelBits() < int(prec) {
		r.Law = like.Enclosed
	}
	if c.has("confidence") {
		e, err := enclose(kept, digits)
		if err != nil {
			return nil, err
		}
		r.Confidence, r.FPRAtConfidence = confidenceText, &e
	}
	if o.N > 0 {
		e, err := exact.Efficiency(o.Geometry, o.N, prec)
		if err != nil && !errors.Is(err, bloomproof.ErrRange) && !errors.Is(err, bloomproof.ErrTooCostly) {
			return nil, err
		}
		if err == nil {
			_, mid, _, err := e.Decimal(digits)
			if err != nil {
				return nil, err
			}
			r.Efficiency = &mid
		}
	}
	if r.Heuristic, err = textbook(c, h, block, m, n, target, digits); err != nil {
		return nil, err
	}
	if t := r.Heuristic; c.has("confidence") && t != nil && t.FPR != nil {
		e, err := exact.RateQuantile(bloomproof.Geometry{M: uint64(t.M), K: int(t.K), Hashing: h, Block: block}, uint64(t.N), confidence, prec)
		if err != nil {
			return nil, err
		}
		kept, err := enclose(e, digits)
		if err != nil {
			return nil, err
		}
		t.FPRAtConfidence = &kept
	}
	if block != 0 && !c.has("m") {
		if r.Alternatives, err = alternatives(n, target); err != nil {
			return nil, err
		}
	}
	r.remark = compared(c, r, o.Rate)
	return r, nil
}

// leastTail is the least tail probability that -confidence permits. Smaller probabilities take minutes for some
// filters.
var leastTail = new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(25), nil))

// The two tails have the probabilities c and 1-c. confidenceServes reports whether both are at least leastTail.
func confidenceServes(c *big.Rat) bool {
	rest := new(big.Rat).Sub(big.NewRat(1, 1), c)
	return c.Cmp(leastTail) >= 0 && rest.Cmp(leastTail) >= 0
}

// The user gives some of m, n and k, and the function "sure" finds the others. It judges a size by an upper bound of
// the rate of a single filter. This bound holds with the probability that the argument "confidence" gives. The function
// also returns this bound.
func sure(c *call, g bloomproof.Geometry, n uint64, target, confidence *big.Rat, prec uint) (o exact.Optimum, kept exact.Enclosure, err error) {
	switch {
	case !c.has("m"):
		return exact.SureBits(g, n, target, confidence, prec)
	case !c.has("n"):
		return exact.SureItems(g, target, confidence, prec)
	case g.K == 0:
		return exact.SureK(g, n, confidence, prec)
	}
	o = exact.Optimum{Geometry: g, N: n, Last: g.K}
	if o.Rate, _, err = exact.FPR(g, n, prec, exact.Auto); err == nil {
		kept, err = exact.RateQuantile(g, n, confidence, prec)
	}
	return o, kept, err
}

// The function "proof" returns a text about the assumptions of an answer. If there are no assumptions, the text is the
// word "proven". Otherwise it states the assumptions.
func proof(assumes string) string {
	if assumes == "" {
		return "proven"
	}
	return "assumes " + assumes
}

// The function "textbook" returns the answer of the textbook formulas, or nil if a count is above 2^64-1.
func textbook(c *call, h bloomproof.Hashing, block, m, n uint64, target *big.Rat, digits int) (*heuristic, error) {
	var err error
	if !c.has("m") {
		m, err = exact.TextbookM(n, target)
	} else if !c.has("n") {
		n, err = exact.TextbookN(m, target)
	}
	if errors.Is(err, bloomproof.ErrRange) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if beyond := m % max(block, 1); beyond != 0 && m <= 1<<64-1-(block-beyond) {
		m += block - beyond
	}
	k := uint64(1)
	if n > 0 {
		if k, err = exact.TextbookK(bloomproof.Geometry{M: m}, n); err != nil {
			return nil, err
		}
	}
	t := &heuristic{M: count(m), K: count(k), N: count(n)}
	g := bloomproof.Geometry{M: m, K: int(min(k, bloomproof.MaxK+1)), Hashing: h, Block: block}
	if g.Validate() != nil {
		return t, nil
	}
	switch t.rate, _, err = exact.FPR(g, n, exact.PrecFor(digits), exact.Auto); {
	case errors.Is(err, bloomproof.ErrTooCostly):
		return t, nil
	case err != nil:
		return nil, err
	}
	e, err := enclose(t.rate, digits)
	t.FPR = &e
	return t, err
}

// The function "compared" returns text that compares the cost of the textbook answer with the cost of the best answer.
func compared(c *call, r sizeReport, rate exact.Enclosure) string {
	t := r.Heuristic
	bits := func(by, wrong, wasteful string, short, long count) string {
		switch {
		case short < long:
			return fmt.Sprintf("%d %s %s", long-short, by, wrong)
		case short > long:
			return fmt.Sprintf("%d %s %s", short-long, by, wasteful)
		}
		return "the same " + by
	}
	switch {
	case t == nil || c.has("k"):
		return ""
	case !c.has("m"):
		return bits("bits", "too few: misses the rate", "more than needed", t.M, r.M)
	case !c.has("n"):
		return bits("items", "fewer than possible", "too many: misses the rate", t.N, r.N)
	case t.FPR == nil:
		return ""
	}
	x := new(big.Float).Quo(t.rate.Hi(), rate.Lo())
	percent, _ := x.Sub(x, big.NewFloat(1)).Float64()
	if int(t.K) >= r.K && int(t.K) <= r.KLast {
		return "the same rate"
	}
	return fmt.Sprintf("%.3g %% above the least rate", 100*percent)
}

func (r sizeReport) print(w io.Writer) {
	k := fmt.Sprint(r.K)
	if r.KLast > r.K {
		k = fmt.Sprintf("%d to %d", r.K, r.KLast)
	}
	fmt.Fprintf(w, "\texact\ttextbook\n")
	type row struct {
		name, exact string
		textbook    func(t *heuristic) string
	}
	rows := []row{
		{"m", fmt.Sprint(r.M), func(t *heuristic) string { return fmt.Sprint(t.M) }},
		{"k", k, func(t *heuristic) string { return fmt.Sprint(t.K) }},
		{"n", fmt.Sprint(r.N), func(t *heuristic) string { return fmt.Sprint(t.N) }},
		{"rate", r.FPR.Mid, func(t *heuristic) string {
			if t.FPR == nil {
				return "-"
			}
			return t.FPR.Mid
		}},
	}
	if r.FPRAtConfidence != nil {
		rows[3].name = "mean rate"
		rows = append(rows, row{"rate kept", r.FPRAtConfidence.Mid, func(t *heuristic) string {
			if t.FPRAtConfidence == nil {
				return "-"
			}
			return t.FPRAtConfidence.Mid
		}})
	}
	for _, row := range rows {
		text := "-"
		if r.Heuristic != nil {
			text = row.textbook(r.Heuristic)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", row.name, row.exact, text)
	}
	e := "-"
	if r.Efficiency != nil {
		e = *r.Efficiency
	}
	if r.Confidence != "" {
		fmt.Fprintf(w, "confidence\t%s\n", r.Confidence)
	}
	fmt.Fprintf(w, "efficiency\t%s\n", e)
	fmt.Fprintf(w, "hashing\t%v%s\nproof\t%s\n", r.Hashing, ofBlock(r.Block), r.Proof)
	if r.Law != "" {
		fmt.Fprintf(w, "law\t%s from %s to %s\n", r.Law, r.FPR.Lo, r.FPR.Hi)
	}
	if r.remark != "" {
		fmt.Fprintf(w, "textbook\t%s\n", r.remark)
	}
	if r.Alternatives == nil {
		return
	}
	fmt.Fprint(w, "\nfor the same rate\tk\tbits a key\tlines a look-up\n")
	for _, a := range r.Alternatives {
		fmt.Fprintf(w, "%v%s\t%d\t%s\t%d\n", a.Hashing, ofBlock(a.Block), a.K, a.BitsPerKey, a.LinesPerLookup)
	}
}
