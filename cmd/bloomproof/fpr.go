package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/like"
)

var fprCommand = command{
	name:    "fpr",
	summary: "the expected false-positive rate after n insertions, as a proven enclosure",
	about: `
Prints the probability that an item which was not inserted finds all its positions
set, after n distinct items were inserted with ideal hashing. The true value lies
between lo and hi, which are rounded outward; mid has the digits asked for. Where the
rate was computed as a fraction of less than 10,000 digits, -json prints that too.

Routes are the published formulas, which must agree: difference (Burns 56, 60; the
default), stirling (54), recursive (55, 63), christensen and grandi (Fan 7, 8) for
standard hashing; difference, recursive and hypergeometric (62) for classic hashing;
a closed form (Fan 19) for partitioned hashing; difference for double hashing, up to 16
to 20 positions. With -block, difference and mixture. For enhanced-double and triple,
difference counts all outcomes of a small filter. In larger ones pairs gives two proven
numbers with the rate between them, which are the nearer the more bits there are: law is
then enclosed.
All but difference and the closed form are for small filters and say so when one is too
large; so do mixture, beyond some thousand items a block, and difference with -block,
beyond some thousand positions.

-like takes the filter of another library, which has its own positions and permits only
some m and k; -k is left out where it has one k only. lo and hi then enclose its rate as
its law says (bloomproof like), mid is their middle, and independent is the rate that
independent positions would have.

-bounds adds the published bounds and approximations, each rounded to its safe side;
- (in JSON null) where one is undefined or bounds nothing. With -block each is the mean
of that of a block over the items of the block.`,
	example: `
  $ bloomproof fpr -m 64 -k 10 -n 4
  hashing  standard, m=64 k=10 n=4
  route    difference
  lo       0.00061540932869713228
  mid      0.00061540932869713228
  hi       0.00061540932869713229`,
	flags: []flagSpec{
		mFlag, kFlag,
		{"n", "ITEMS", "items inserted, 0 to 2^64-1"},
		ratesFlag, blockFlag, likeFlag,
		digitsFlag,
		{"route", "ROUTE", "auto (the default), difference, stirling, recursive, hypergeometric,\nchristensen, grandi, mixture or pairs"},
		{"bounds", "", "print the published bounds too"},
	},
	run: fpr,
}

type fprReport struct {
	Hashing bloomproof.Hashing `json:"hashing"`
	Block   count              `json:"block"` // 0 if the filter has no blocks
	M       count              `json:"m"`
	K       int                `json:"k"`
	N       count              `json:"n"`
	Route   exact.Route        `json:"route"`
	Law     like.Law           `json:"law,omitempty"` // set with -like, if the rate is not exact
	FPR     enclosure          `json:"fpr"`
	Bounds  *boundsReport      `json:"bounds,omitempty"`
	// Theorems names the theorems which prove that the formula of this route equals the rate. It is empty if Coq has
	// checked no theorem for this route.
	Theorems []string `json:"theorems,omitempty"`
	*liked
}

// boundsReport has the bounds as decimal strings. A bound that is not defined for the filter is nil.
type boundsReport struct {
	Bloom         *string `json:"bloom"`
	Exponential   *string `json:"exponential"`
	Taylor        *string `json:"taylor"`
	Lower         *string `json:"lower"`
	LowerSimple   *string `json:"lower_simple"`
	LowerClassic  *string `json:"lower_classic"`
	Upper         *string `json:"upper"`
	Partitioned   *string `json:"partitioned"`
	BoseUpper     *string `json:"bose_upper"`
	EntropyPerBit *string `json:"entropy_per_bit"`
}

func fpr(c *call) (report, error) {
	if c.has(likeFlag.name) {
		return likelyFPR(c)
	}
	c.need("m", "k", "n")
	g := c.geometry(1<<64 - 1)
	n := c.number("n", 0, 1<<64-1, 0)
	digits := c.digits()
	route := c.route()
	bounds := c.boolean("bounds", false)
	if c.err != nil {
		return nil, c.err
	}
	defer newProgress(c.stderr).clock("computing")()
	prec := exact.PrecFor(digits)
	rate := widest
	if route != exact.Auto {
		rate = func(g bloomproof.Geometry, n uint64, prec uint) (exact.Enclosure, exact.Route, error) {
			return exact.FPR(g, n, prec, route)
		}
	}
	e, taken, err := rate(g, n, prec)
	if err != nil {
		return nil, costly(c, err)
	}
	r := fprReport{Hashing: g.Hashing, Block: count(g.Block), M: count(g.M), K: g.K, N: count(n), Route: taken, Theorems: rateTheorems(g, taken)}
	if taken == pairsRoute {
		r.Law = like.Enclosed
	}
	if r.FPR, err = between(like.Rate{Proven: &e}, digits); err != nil {
		return nil, err
	}
	if bounds {
		if r.Bounds, err = boundsOf(g, n, digits); err != nil {
			return nil, costly(c, err)
		}
	}
	return r, nil
}

// pairsRoute is a method by which exact.FPR computes a lower and an upper bound of the rate. Even without rounding
// errors, these two bounds are different.
const pairsRoute exact.Route = "pairs"

// The function "widest" returns the rate, and the route by which it was computed. It uses the route "pairs" only if no
// other route has an answer, because this route gives a wide enclosure.
func widest(g bloomproof.Geometry, n uint64, prec uint) (exact.Enclosure, exact.Route, error) {
	e, taken, err := exact.FPR(g, n, prec, exact.Auto)
	if routes, _ := exact.Routes(g); errors.Is(err, bloomproof.ErrTooCostly) && slices.Contains(routes, pairsRoute) {
		if wide, _, failed := exact.FPR(g, n, prec, pairsRoute); failed == nil {
			return wide, pairsRoute, nil
		}
	}
	return e, taken, err
}

// The method "route" returns the value of -route, which is auto by default.
func (in *inputs) route() exact.Route {
	c := choice{"route", string(exact.Auto), []string{
		string(exact.Auto), "stirling", "difference", string(exact.Recursive), "hypergeometric", "christensen", "grandi", string(exact.ClosedForm), "mixture", string(pairsRoute),
	}}
	in.enum("route", &c)
	return exact.Route(c.text)
}

// ofBlock returns text that names the number of bits of a block, or "" if the filter has no blocks.
func ofBlock(bits count) string {
	if bits == 0 {
		return ""
	}
	return fmt.Sprintf(" block=%d", bits)
}

// The function "costly" returns the error for a computation that exceeds the limit of its route. The error names the
// flag -route, or the flag -k if -route was not given.
func costly(c *call, err error) error {
	switch {
	case !errors.Is(err, bloomproof.ErrTooCostly):
		return err
	case c.has("route"):
		return &usageError{"route", "must be one that can serve these parameters: " + err.Error()}
	}
	return &usageError{"k", "must be such that the rate can be computed: " + err.Error()}
}

func boundsOf(g bloomproof.Geometry, n uint64, digits int) (*boundsReport, error) {
	b, err := exact.Bounds(g, n, exact.PrecFor(digits))
	if err != nil {
		return nil, err
	}
	var r boundsReport
	for _, x := range []struct {
		to   **string
		from bloomproof.Bound
		side func(lo, mid, hi string) string
	}{
		{&r.Bloom, bloomproof.BoundBloom, lowSide},
		{&r.Exponential, bloomproof.BoundExponential, lowSide},
		{&r.Taylor, bloomproof.BoundTaylor, middle},
		{&r.Lower, bloomproof.BoundLower, lowSide},
		{&r.LowerSimple, bloomproof.BoundLowerSimple, lowSide},
		{&r.LowerClassic, bloomproof.BoundLowerClassic, lowSide},
		{&r.Upper, bloomproof.BoundUpper, highSide},
		{&r.Partitioned, bloomproof.BoundPartitioned, highSide},
		{&r.BoseUpper, bloomproof.BoundBose, highSide},
	} {
		if e, ok := b[x.from]; ok {
			if *x.to, err = sideOf(e, digits, x.side); err != nil {
				return nil, err
			}
		}
	}
	if g.Block != 0 {
		return &r, nil
	}
	// The published entropy is the entropy of the standard filter with the same m and k.
	e, err := exact.EntropyPerBit(bloomproof.Geometry{M: g.M, K: g.K}, n, exact.PrecFor(digits))
	switch {
	case errors.Is(err, bloomproof.ErrUndefined):
		return &r, nil
	case err != nil:
		return nil, err
	}
	r.EntropyPerBit, err = sideOf(e, digits, middle)
	return &r, err
}

// sideOf returns a bound as a decimal, rounded so that it remains a bound.
func sideOf(e exact.Enclosure, digits int, side func(lo, mid, hi string) string) (*string, error) {
	lo, mid, hi, err := e.Decimal(digits)
	if err != nil {
		return nil, err
	}
	s := side(lo, mid, hi)
	return &s, nil
}

func lowSide(lo, _, _ string) string  { return lo }
func middle(_, mid, _ string) string  { return mid }
func highSide(_, _, hi string) string { return hi }

func (r fprReport) print(w io.Writer) {
	if r.liked != nil {
		r.liked.print(w, r.M, r.K, r.N)
		fmt.Fprintf(w, "lo\t%s\nmid\t%s\nhi\t%s\n", r.FPR.Lo, r.FPR.Mid, r.FPR.Hi)
		fmt.Fprintf(w, "independent\t%s\n", r.Independent.Mid)
		return
	}
	fmt.Fprintf(w, "hashing\t%v, m=%d k=%d%s n=%d\nroute\t%v\n", r.Hashing, r.M, r.K, ofBlock(r.Block), r.N, r.Route)
	if r.Law != "" {
		fmt.Fprintf(w, "law\t%s\n", r.Law)
	}
	fmt.Fprintf(w, "lo\t%s\nmid\t%s\nhi\t%s\n", r.FPR.Lo, r.FPR.Mid, r.FPR.Hi)
	if r.Bounds == nil {
		return
	}
	fmt.Fprintln(w)
	for _, row := range []struct {
		name  string
		value *string
	}{
		{"bloom", r.Bounds.Bloom},
		{"exponential", r.Bounds.Exponential},
		{"taylor", r.Bounds.Taylor},
		{"lower", r.Bounds.Lower},
		{"lower simple", r.Bounds.LowerSimple},
		{"lower classic", r.Bounds.LowerClassic},
		{"upper", r.Bounds.Upper},
		{"partitioned", r.Bounds.Partitioned},
		{"Bose upper", r.Bounds.BoseUpper},
		{"entropy per bit", r.Bounds.EntropyPerBit},
	} {
		fmt.Fprintf(w, "%s\t%s\n", row.name, orDash(row.value))
	}
}
